//===- Page.cpp - the page that shows a report ----------------------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/Page.h"
#include "tools/report/PageText.h" // made of tools/report/page

namespace report {

std::string pageWith(llvm::StringRef json) {
  std::string result(pageStart());
  result.reserve(result.size() + json.size() + json.size() / 16);
  for (const char c : json)
    switch (c) {
    case '<':
      result += "\\u003c";
      break;
    case '>':
      result += "\\u003e";
      break;
    case '&':
      result += "\\u0026";
      break;
    default:
      result += c;
    }
  result += pageEnd();
  return result;
}

} // namespace report
