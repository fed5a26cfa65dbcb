//===- RayQueryCode.cpp - RayQuery.c as a module ----------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/rays/RayQueryCode.h"

namespace lgc {

static constexpr unsigned char bytes[] = {
#include "lgc/lowering/rays/RayQueryCode.inc"
};

llvm::StringRef rayQueryCode() { return {reinterpret_cast<const char *>(bytes), sizeof(bytes)}; }

} // namespace lgc
