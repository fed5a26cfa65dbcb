//===- CheckUniformity.h - scalars against LLVM's analysis ----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/Analysis/UniformityAnalysis.h"
#include <string>

namespace lgc::direct {

/// Whether all that the direct tier keeps in scalar registers (Locations.h) is the same for all
/// lanes by LLVM's uniformity analysis, where it is made and where it is used. Empty, or the first
/// value that is not.
std::string checkUniformity(const llvm::Function &function, const llvm::UniformityInfo &uniformity);

} // namespace lgc::direct
