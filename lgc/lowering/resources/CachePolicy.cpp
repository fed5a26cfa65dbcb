//===- CachePolicy.cpp - coherence of an access as buffer instruction bits ===//
// SPDX-License-Identifier: MIT
/// \file
/// HW. gfx10: GLC on a load misses L0 (per CU), DLC misses L1 (per shader array); stores write
/// through both to L2. gfx11: GLC on a load misses L0 and L1; DLC is the "no allocation in MALL"
/// hint. Streaming: SLC, with GLC for gfx10 stores, with DLC on gfx11. gfx12 has a temporal hint in
/// bits 2:0 and a scope in bits 4:3 on every access. Read-modify-writes happen in L2 in any case;
/// the bit that returns the old value is set by instruction selection. A workgroup may run on both
/// CUs of a WGP, hence needs the L0 missed too (the shader array's L1 is shared). Source: LLVM
/// AMDGPUUsage, "Memory Model gfx10-gfx11" and "gfx12".
#include "lgc/lowering/resources/CachePolicy.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace lgc {
namespace {

enum : uint32_t { Glc = 1, Slc = 2, Dlc = 4, Volatile = 1u << 31 };
// gfx12
enum : uint32_t { ThNonTemporal = 1, ScopeSe = 1 << 3, ScopeDev = 2 << 3, ScopeSys = 3 << 3 };

uint32_t gfx12Bits(AccessKind kind, const AccessPolicy &policy) {
  uint32_t bits = 0;
  // Why not for read-modify-writes: the hint's lowest bit means "return the old value" there.
  if (policy.nonTemporal && kind != AccessKind::ReadModifyWrite)
    bits |= ThNonTemporal;
  switch (policy.scope) {
  case CoherenceScope::None:
    return bits;
  case CoherenceScope::Workgroup:
    return bits | ScopeSe;
  case CoherenceScope::Device:
    return bits | ScopeDev;
  case CoherenceScope::System:
    return bits | ScopeSys;
  }
  return bits | ScopeSys;
}

uint32_t gfx10Bits(bool gfx11, AccessKind kind, const AccessPolicy &policy) {
  uint32_t bits = 0;
  if (kind == AccessKind::Load) {
    if (policy.scope >= CoherenceScope::Workgroup)
      bits |= Glc;
    if (policy.scope >= CoherenceScope::Device && !gfx11)
      bits |= Dlc;
  }
  if (policy.nonTemporal && kind != AccessKind::ReadModifyWrite) {
    bits |= Slc;
    if (gfx11)
      bits |= Dlc;
    else if (kind == AccessKind::Store)
      bits |= Glc;
  }
  return bits;
}

} // namespace

CoherenceScope coherenceScope(const LLVMContext &context, SyncScope::ID scope) {
  if (scope == SyncScope::System)
    return CoherenceScope::System;
  SmallVector<StringRef, 8> names;
  context.getSyncScopeNames(names);
  if (scope >= names.size())
    return CoherenceScope::System;
  StringRef name = names[scope];
  name.consume_back("-one-as");
  name.consume_back("one-as");
  return StringSwitch<CoherenceScope>(name)
      .Cases({"singlethread", "wavefront"}, CoherenceScope::None)
      .Cases({"workgroup", "cluster"}, CoherenceScope::Workgroup)
      .Case("agent", CoherenceScope::Device)
      .Default(CoherenceScope::System);
}

uint32_t cachePolicyBits(unsigned gfxMajor, AccessKind kind, const AccessPolicy &policy) {
  uint32_t bits =
      gfxMajor >= 12 ? gfx12Bits(kind, policy) : gfx10Bits(gfxMajor == 11, kind, policy);
  return policy.isVolatile ? bits | Volatile : bits;
}

} // namespace lgc
