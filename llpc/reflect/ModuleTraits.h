//===- ModuleTraits.h - what of the pipeline's state a module may see -----===//
// SPDX-License-Identifier: MIT
/// \file
/// Declarations that make code depend on state outside of the shader, collected once per module.
/// They say "may": a variable that is declared and not used counts. No LLVM IR.
#pragma once

#include "llpc/spirv/Module.h"
#include <vector>

namespace llpc {

/// One specialization constant, an OpSpecConstant, OpSpecConstantTrue or -False with a SpecId.
struct SpecDefault {
  uint32_t constantId = 0;
  uint32_t size = 0;  ///< bytes that data for it must have; 0: bool, any size will do
  uint64_t value = 0; ///< when nothing is given; of bool 0 or 1

  bool operator==(const SpecDefault &) const = default;
};

struct ModuleTraits {
  bool samplePositions = false; ///< SamplePosition, interpolation at samples
  bool sampleMask = false;      ///< SampleMask
  bool barycentric = false;     ///< BaryCoordKHR, BaryCoordNoPerspKHR
  bool view = false;            ///< ViewIndex, Layer
  bool secondSource = false;    ///< an output has Index 1
  /// By constantId. Ids that several constants share are there as often.
  std::vector<SpecDefault> specConstants;

  bool operator==(const ModuleTraits &) const = default;
};

ModuleTraits collectModuleTraits(const spirv::Module &module);

} // namespace llpc
