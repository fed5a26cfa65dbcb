//===- Image.cpp - image instructions ------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "llpc/translate/Translator.h"

namespace llpc {

/// Empty so far: every image instruction is Unsupported.
llvm::ArrayRef<OpEntry> imageOps() { return {}; }

} // namespace llpc
