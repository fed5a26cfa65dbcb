//===- BuildId.h - which build of the driver is running -------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace icd {

/// The linker's build id of the library that this function is in; it changes with every change of
/// the driver or compiler. Empty if the library was linked without one.
std::string buildId();

} // namespace icd
