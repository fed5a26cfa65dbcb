//===- OpenClNames.cpp - mangled names of OpenCL's built-in functions -----===//
// SPDX-License-Identifier: MIT
#include "llpc/translate/OpenClNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace llpc {

std::string openClName(StringRef function, llvm::ArrayRef<OpenClParameter> parameters) {
  std::string name = "_Z" + llvm::utostr(function.size()) + function.str();
  llvm::SmallVector<std::string, 4> substitutions;
  for (const OpenClParameter &parameter : parameters) {
    if (parameter.pointer) {
      name += 'P';
      if (*parameter.pointer != OpenClSpace::Private)
        name += "U3AS" + llvm::utostr(static_cast<unsigned>(*parameter.pointer));
    }
    if (parameter.count == 1) {
      name += parameter.scalar;
      continue;
    }
    const std::string vector = "Dv" + llvm::utostr(parameter.count) + "_" + parameter.scalar.str();
    const auto *known = llvm::find(substitutions, vector);
    if (known == substitutions.end()) {
      name += vector;
      substitutions.push_back(vector);
    } else {
      const size_t number = known - substitutions.begin();
      name += number == 0 ? "S_" : "S" + llvm::utostr(number - 1) + "_";
    }
  }
  return name;
}

} // namespace llpc
