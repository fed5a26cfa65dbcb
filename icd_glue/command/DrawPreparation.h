//===- DrawPreparation.h - code before draws need it ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Draws compile nothing. What the code of a draw depends on comes by several commands, in any
/// order; the one that brings the last missing piece has the code made, and so has each one that
/// changes a piece afterwards. Where that cannot be seen, because a program leaves out state that
/// Vulkan wants, or an error came of it, the draw makes the code itself, and counts that.
#pragma once

#include "icd_glue/command/CommandBuffer.h"

namespace icd {

/// Commands that set \p piece call this when they have done so.
void prepareDraws(CommandBuffer &commandBuffer, DrawPiece piece);

/// Sets \p place, which \p piece is made of, to \p value. Most commands change nothing.
template <typename Value>
void setPiece(CommandBuffer &commandBuffer, DrawPiece piece, Value &place, const Value &value) {
  if (place == value && (commandBuffer.drawBindings().given & static_cast<uint16_t>(piece)))
    return;
  place = value;
  prepareDraws(commandBuffer, piece);
}

/// The code for the bound shader objects and the state that is set. Null: no vertex or mesh shader
/// is bound, or it cannot be compiled, which is reported.
std::shared_ptr<const PipelineData> pipelineOfShaders(CommandBuffer &commandBuffer);

/// What of \p pipeline draws with \p state. Null: it cannot be made, which is reported.
std::shared_ptr<const PipelineData> variantOf(CommandBuffer &commandBuffer,
                                              const std::shared_ptr<const PipelineData> &pipeline,
                                              const DrawState &state);

/// The state of a draw with \p pipeline: what is dynamic is what commands have set. With a stream
/// that its geometry shader emits no vertices to any code will do.
DrawState stateOfDraw(const PipelineData &pipeline, const DrawBindings &bindings);

/// The program of a draw. Null: the device cannot execute it, which is reported.
std::shared_ptr<const pal::device::Program> programOfDraw(CommandBuffer &commandBuffer,
                                                          const PipelineData &pipeline);

} // namespace icd
