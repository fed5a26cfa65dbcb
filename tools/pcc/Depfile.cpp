//===- Depfile.cpp - dependencies for make and ninja ----------------------===//
// SPDX-License-Identifier: MIT
#include "Depfile.h"
#include "lgc/CompileError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using llvm::Expected;
using llvm::StringRef;

namespace pcc {
namespace {

/// Backslashes stand for themselves unless a blank follows.
std::string escape(StringRef name) {
  std::string text;
  size_t backslashes = 0;
  for (char c : name) {
    if (c == ' ' || c == '\t')
      text.append(backslashes + 1, '\\');
    else if (c == '#' || c == ':')
      text += '\\';
    else if (c == '$')
      text += '$';
    backslashes = c == '\\' ? backslashes + 1 : 0;
    text += c;
  }
  return text;
}

} // namespace

Expected<std::string> dependenciesOf(llvm::ArrayRef<std::string> outputs,
                                     llvm::ArrayRef<std::string> inputs) {
  for (StringRef name : llvm::concat<const std::string>(outputs, inputs))
    if (name.contains('\n') || name.contains('\r') || name.ends_with("\\"))
      return lgc::invalidInput(
          "--depfile: a name with a line break, or a backslash at its end, cannot be written: " +
          name);
  std::string text, rules;
  for (const std::string &output : outputs)
    text += escape(output) + " ";
  text += ":";
  for (const std::string &input : inputs) {
    text += " \\\n  " + escape(input);
    rules += "\n" + escape(input) + ":\n";
  }
  return text + "\n" + rules;
}

} // namespace pcc
