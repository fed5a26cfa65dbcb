//===- Cases.h - transfers to try on every driver -------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Context.h"
#include <string>

namespace transfer {

struct Case {
  std::string name;
  Format format;        ///< of the result
  double tolerance = 0; ///< in steps of normalized channels, and in 1/256 of a float's value
  /// The bytes to compare; empty: a device without the formats.
  std::function<Bytes(Context &)> run;
  bool isAbsolute = false; ///< floats: the tolerance is in 1/256, whatever the value
};

std::vector<Case> copyCases();
std::vector<Case> blitCases();
std::vector<Case> clearCases();
std::vector<Case> sampleCases();

} // namespace transfer
