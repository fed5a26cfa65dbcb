//===- LenientJson.h - JSON as pipeline files have it ---------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace pcc {

/// What stands for infinity where repairJson() has found a number beyond all doubles.
inline constexpr const char *infinity = "inf";
inline constexpr const char *negativeInfinity = "-inf";

struct Repairs {
  unsigned count = 0;
  size_t first = 0; ///< place of the first one
};

/// Makes JSON of text that some writers leave: commas behind the last element become blanks,
/// numbers beyond all doubles (jsoncpp writes infinity as 1e+9999) become the strings above.
/// Nothing moves, so that places in messages are those of the file.
Repairs repairJson(std::string &text);

/// Place of the bracket that opens more than \p most objects and arrays in one another; npos: there
/// is none. Such text takes memory out of proportion to its size.
size_t findTooDeep(const std::string &text, size_t most);

/// Place of the first member whose object has another one of its name in front of it, in text that
/// is JSON; npos: there is none. Parsers take one of them without a word.
size_t findRepeatedMember(const std::string &text);

} // namespace pcc
