//===- GraphicsTable.h - graphics features and what tests them --*- C++ -*-===//
// SPDX-License-Identifier: MIT
#ifndef KILN_TOOLS_SUPPORT_TABLE_GRAPHICSTABLE_H
#define KILN_TOOLS_SUPPORT_TABLE_GRAPHICSTABLE_H

namespace llvm {
class raw_ostream;
}

namespace supporttable {

/// The rows of GraphicsFeatures.def as a Markdown table: the tests that compile a feature, those
/// that execute it on the software device, and what the results of the latter are compared with,
/// which is read from the tests themselves, below the current directory. False, and a line to
/// \p errors, for each test that cannot be read or whose results nothing judges.
bool printGraphicsFeatures(llvm::raw_ostream &os, llvm::raw_ostream &errors);

/// For tools/support-table.py, a line per feature: blank-separated tests, a tab, the message.
void printTests(llvm::raw_ostream &os);

} // namespace supporttable

#endif // KILN_TOOLS_SUPPORT_TABLE_GRAPHICSTABLE_H
