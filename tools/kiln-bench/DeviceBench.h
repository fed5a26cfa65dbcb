//===- DeviceBench.h - speed of the software device ------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace bench {

/// Prints wave-instructions per second of a saxpy shader for each GPU family, on one core and on
/// all. \p root: project folder with examples/; \p work: folder for the SPIR-V. Returns an exit
/// code.
int runDeviceBench(const std::string &root, const std::string &work, unsigned rounds, bool isQuiet);

} // namespace bench
