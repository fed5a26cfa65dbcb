//===- LenientJson.h - JSON as pipeline files have it ---------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace pcc {

/// What stands for infinity where repairJson() has found a number beyond all doubles.
inline constexpr const char *infinity = "+inf";
inline constexpr const char *negativeInfinity = "-inf";

/// Makes JSON of text that some writers leave: commas behind the last element become blanks,
/// numbers as 1e+9999 (how jsoncpp writes infinity) become the strings above. Nothing moves, so
/// that places in messages are those of the file. Returns the number of repairs.
unsigned repairJson(std::string &text);

} // namespace pcc
