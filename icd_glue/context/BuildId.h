//===- BuildId.h - which build of a library is running --------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace icd {

/// The linker's build id of the library or program that \p address lies in; it changes with every
/// change of it. Empty if it was linked without one.
std::string buildIdAt(const void *address);
/// Of the one that this function is in.
std::string buildId();

} // namespace icd
