//===- Page.h - the page that shows a report ------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace report {

/// The page of tools/report/page with \p json in it, so that nothing in there can be taken for
/// markup: '<', '>' and '&' are written as escapes of JSON, which are in strings only.
std::string pageWith(llvm::StringRef json);

} // namespace report
