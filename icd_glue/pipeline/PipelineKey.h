//===- PipelineKey.h - which code a pipeline needs, cheaply ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Names the code of a pipeline by what vkCreate*Pipelines gets; see GlobalKey.h. Pipelines with
/// the same key have the same code. The other way round it does not hold: the compiler knows more
/// of what a module does not use.
#pragma once

#include "icd_glue/state/PipelineLayout.h"

namespace icd {

class Device;
struct GraphicsState;
struct LibraryPieces;

/// The pipeline key. Nothing: a stage has neither SPIR-V nor an identifier of this driver.
std::optional<llpc::Hash128> pipelineKeyOf(Device &device, const VkComputePipelineCreateInfo &info,
                                           const PipelineLayoutData &layout);
/// \p state: of \p info.
std::optional<llpc::Hash128> pipelineKeyOf(Device &device, const VkGraphicsPipelineCreateInfo &info,
                                           const GraphicsState &state,
                                           const PipelineLayoutData &layout);
/// The same of a pipeline of libraries: that of the monolithic one with this state.
std::optional<llpc::Hash128> pipelineKeyOf(Device &device, const LibraryPieces &pieces,
                                           const GraphicsState &state,
                                           const PipelineLayoutData &layout,
                                           const llpc::PipelineOptions &options);

} // namespace icd
