//===- AccessChain.h - the operands of access chains ----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/spirv/Module.h"
#include <optional>

namespace llpc::spirv {

/// An instruction that makes a pointer of a pointer, typed (SPIR-V "OpAccessChain" and its kin) or
/// untyped (SPV_KHR_untyped_pointers).
struct AccessChain {
  Id baseId;
  Id baseTypeId; ///< what an untyped chain takes the base to point to; 0: as its type says
  Id elementId;  ///< of the Ptr kinds: steps over whole pointees; 0: none
  llvm::ArrayRef<Id> indices;
};

/// Empty for all other instructions.
inline std::optional<AccessChain> accessChainOf(const Inst &inst) {
  bool isUntyped = false, hasElement = false;
  switch (inst.opcode) {
  case spv::Op::OpAccessChain:
  case spv::Op::OpInBoundsAccessChain:
    break;
  case spv::Op::OpPtrAccessChain:
  case spv::Op::OpInBoundsPtrAccessChain:
    hasElement = true;
    break;
  case spv::Op::OpUntypedAccessChainKHR:
  case spv::Op::OpUntypedInBoundsAccessChainKHR:
    isUntyped = true;
    break;
  case spv::Op::OpUntypedPtrAccessChainKHR:
  case spv::Op::OpUntypedInBoundsPtrAccessChainKHR:
    isUntyped = hasElement = true;
    break;
  default:
    return std::nullopt;
  }
  return AccessChain{inst[isUntyped], isUntyped ? inst[0] : 0, hasElement ? inst[isUntyped + 1] : 0,
                     inst.operands.drop_front(1 + isUntyped + hasElement)};
}

} // namespace llpc::spirv
