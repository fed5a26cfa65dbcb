//===- IdOperands.h - the ids that an instruction names -------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/spirv/Grammar.h"
#include "llpc/spirv/Module.h"

namespace llpc::spirv {

/// Calls \p visit for the id operands of \p inst that could name a variable; \p info is its
/// opcode's. Operands behind a mask (memory access, image operands) are values and scopes, so the
/// walk ends there.
template <typename Visit> void forEachIdOperand(const Inst &inst, const OpInfo &info, Visit visit) {
  size_t at = 0;
  for (const OperandSpec &spec : operandsOf(info)) {
    const KindCategory category = kindInfo(spec.kind).category;
    const bool stop = category == KindCategory::BitEnum || spec.kind == OperandKind::LiteralString;
    if (stop || at >= inst.size())
      return;
    const size_t end = spec.quantifier == Quantifier::Many ? inst.size() : at + 1;
    // OpPhi's pairs are checked word by word: the labels in them are no variables. OpSwitch's are
    // literals, whose numbers may be those of variables, and labels.
    const bool isId = category == KindCategory::Id || spec.kind == OperandKind::PairIdRefIdRef;
    for (; at < end; ++at)
      if (isId)
        visit(inst[at]);
  }
}

template <typename Visit> void forEachIdOperand(const Inst &inst, Visit visit) {
  if (const OpInfo *info = findOp(static_cast<uint32_t>(inst.opcode)))
    forEachIdOperand(inst, *info, visit);
}

} // namespace llpc::spirv
