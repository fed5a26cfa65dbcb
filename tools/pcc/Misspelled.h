//===- Misspelled.h - names that are meant to be others -------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace pcc {

/// The one of \p known that \p name differs from by letters' case, or by one or two letters; null
/// if there is none, or if it is one of them. For places where unknown names may stand.
inline const char *findMisspelled(llvm::StringRef name, llvm::ArrayRef<const char *> known) {
  constexpr unsigned most = 2;
  const char *found = nullptr;
  for (const char *each : known) {
    if (name == each)
      return nullptr;
    if (!found && name.edit_distance_insensitive(each, /*AllowReplacements=*/true, most) <= most)
      found = each;
  }
  return found;
}

} // namespace pcc
