//===- IdOperands.h - the ids that an instruction names -------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/spirv/Grammar.h"
#include "llpc/spirv/Module.h"

namespace llpc::spirv {

/// Calls \p visit for the id operands of \p inst that could name a variable. Operands behind a mask
/// (memory access, image operands) are values and scopes, so the walk ends there.
template <typename Visit> void forEachIdOperand(const Inst &inst, Visit visit) {
  const OpInfo *info = findOp(static_cast<uint32_t>(inst.opcode));
  if (!info)
    return;
  size_t at = 0;
  for (const OperandSpec &spec : operandsOf(*info)) {
    const KindCategory category = kindInfo(spec.kind).category;
    const bool stop = category == KindCategory::BitEnum || spec.kind == OperandKind::LiteralString;
    if (stop || at >= inst.size())
      return;
    const size_t end = spec.quantifier == Quantifier::Many ? inst.size() : at + 1;
    // A composite (OpPhi's pairs) is checked word by word: the labels in it are no variables.
    const bool isId = category == KindCategory::Id || category == KindCategory::Composite;
    for (; at < end; ++at)
      if (isId)
        visit(inst[at]);
  }
}

} // namespace llpc::spirv
