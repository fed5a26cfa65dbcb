//===- CachePolicy.h - coherence of an access as buffer instruction bits --===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/IR/Instructions.h"
#include <cstdint>

namespace lgc {

/// Levels of coherence, by how far an access must be visible.
enum class CoherenceScope : uint8_t { None, Workgroup, Device, System };

/// The level behind an LLVM sync scope ("agent", "workgroup-one-as", ...). Unknown names count as
/// System.
CoherenceScope coherenceScope(const llvm::LLVMContext &context, llvm::SyncScope::ID scope);

enum class AccessKind : uint8_t { Load, Store, ReadModifyWrite };

struct AccessPolicy {
  CoherenceScope scope = CoherenceScope::None;
  bool nonTemporal = false;
  bool isVolatile = false;
};

/// The last operand of llvm.amdgcn.raw.ptr.buffer.* (and image intrinsics) for the policy.
uint32_t cachePolicyBits(unsigned gfxMajor, AccessKind kind, const AccessPolicy &policy);

} // namespace lgc
