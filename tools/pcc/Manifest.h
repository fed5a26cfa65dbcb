//===- Manifest.h - by which build systems find kiln-pcc ------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace pcc {

/// A PCC manifest ("Pipeline Cache Compiler discovery" of VulkanSC-pcutil): every target, and any
/// device that has one of them. \p compiler is where this program is: an absolute path, one that is
/// relative to the manifest, or a name to look for.
std::string manifestOf(llvm::StringRef compiler);

} // namespace pcc
