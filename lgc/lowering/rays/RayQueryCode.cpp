//===- RayQueryCode.cpp - RayQuery.c as a module ----------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/rays/RayQueryCode.h"
#include "lgc/AccelerationStructure.h"
#include "pal_shim/abi/TargetInfo.h"

namespace lgc {

static constexpr unsigned char narrowBytes[] = {
#include "lgc/lowering/rays/RayQueryCode.inc"
};
static constexpr unsigned char wideBytes[] = {
#include "lgc/lowering/rays/WideRayQueryCode.inc"
};

#define KILN_RAYS(name, value) static constexpr uint32_t name = value;
#include "lgc/lowering/rays/RayQuery.def"
#undef KILN_RAYS

uint32_t rayStackDwords(llvm::StringRef target) {
  const auto *known = pal::abi::findTarget(target);
  return known && accel::hasWideStructures(known->major) ? wideStackDwords : stackDwords;
}

llvm::StringRef rayQueryCode(bool isWide) {
  return isWide ? llvm::StringRef(reinterpret_cast<const char *>(wideBytes), sizeof(wideBytes))
                : llvm::StringRef(reinterpret_cast<const char *>(narrowBytes), sizeof(narrowBytes));
}

} // namespace lgc
