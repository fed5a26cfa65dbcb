//===- UberDescription.h - vertex attributes in memory --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What AMD's driver writes for draws whose code finds its vertex attributes in memory
/// (lgc/UberFetch.h), and its tables of vertex buffers: for code of its build infos.
#pragma once

#include "icd_glue/state/GraphicsState.h"
#include "pal_shim/abi/TargetInfo.h"

namespace icd {

/// The description of \p input. \p isSoftware: entries of the table of vertex buffers are address,
/// bytes and stride. Attributes of formats that it cannot describe are absent.
std::vector<uint32_t> describeVertexInput(const pal::abi::GpuTarget &target,
                                          const VertexInputState &input, bool isSoftware);

/// The entry for \p bytes of a vertex buffer; \p address 0: none. \p out: four dwords.
void buildVertexEntry(const pal::abi::GpuTarget &target, uint64_t address, uint64_t bytes,
                      uint32_t stride, bool isSoftware, uint32_t *out);

} // namespace icd
