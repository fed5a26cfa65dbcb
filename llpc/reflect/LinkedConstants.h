//===- LinkedConstants.h - constants that linking can fill in -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Which specialization constants are values only, and which are nothing. A part may leave the
/// former to linking (lgc::constantSymbol()). What decides types, decorations, scopes or which
/// member is meant has to be known when the code is translated.
#pragma once

#include "llpc/reflect/SpecDefaults.h"

namespace llpc {

/// An array in workgroup memory whose length is made of linked constants. Linking places it
/// (lgc::workgroupSymbol()), by its number in LinkedConstants::workgroupArrays.
struct LinkedArray {
  spirv::Id variable = 0;
  spirv::Id length = 0;
  uint32_t stride = 0; ///< bytes
};

struct LinkedConstants {
  /// Of up to 32 bits; ascending by constantId, each id once.
  std::vector<SpecDefault> constants;
  /// Their result ids, and those of all that is computed of them, ascending.
  std::vector<spirv::Id> ids;
  /// Of compute shaders, ascending by variable.
  std::vector<LinkedArray> workgroupArrays;
  /// Numbers of others that nothing uses, whose values mean nothing; ascending.
  std::vector<uint32_t> unused;

  bool has(spirv::Id id) const;
  /// Null for constants that are not among them.
  const SpecDefault *find(uint32_t constantId) const;
};

/// Linear in the module's size.
LinkedConstants collectLinkedConstants(const spirv::Module &module);

} // namespace llpc
