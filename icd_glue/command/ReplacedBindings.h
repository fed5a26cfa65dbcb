//===- ReplacedBindings.h - bindings for code of another layout -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// What is bound, as code wants it that was made for another driver's layout (KILN_REPLACE_DIR):
/// its root, with tables that are made of the bound sets' memory for each draw or dispatch, its
/// table of vertex buffers, the description of vertex attributes. Unlike the driver's own layout
/// (BindState.h) this copies descriptors when a command is recorded: what is written later is not
/// seen. A tool for tests, that is enough for it.
#pragma once

#include "icd_glue/command/BindState.h"
#include "icd_glue/command/DrawBindings.h"

namespace icd {

class CommandBuffer;
class PipelineData;

/// Root user data for code of \p drawn, which is \p bound's pipeline or a variant of it: what
/// buildUserData() gives, unless the code is a replacement. Nothing: the descriptor heap is full.
std::optional<std::vector<uint32_t>> userDataFor(CommandBuffer &commandBuffer,
                                                 BindPointState &bound,
                                                 const PipelineData &pipeline,
                                                 const PipelineData &drawn);

/// The user data dword of the view that a draw with a task shader runs for; nothing without one.
std::optional<uint32_t> taskViewFor(CommandBuffer &commandBuffer, const PipelineData &pipeline,
                                    const PipelineData &drawn);

/// The user data dwords of the address of a launch of rays.
uint32_t launchDwordFor(CommandBuffer &commandBuffer, const PipelineData &pipeline);

/// The table of vertex buffers for code of \p drawn, likewise. 0: it needs none. Nothing: the
/// descriptor heap is full.
std::optional<pal::device::GpuAddress> vertexTableFor(CommandBuffer &commandBuffer,
                                                      const PipelineData &drawn,
                                                      llvm::ArrayRef<uint32_t> strides);

} // namespace icd
