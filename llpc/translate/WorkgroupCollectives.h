//===- WorkgroupCollectives.h - values of all invocations of a workgroup ---===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Ops.h"
#include "llpc/translate/Translator.h"

namespace llpc {

/// What OpGroup* of scope Workgroup computes of \p value, a scalar. All invocations of the
/// workgroup are here. Errors: Unsupported for other values; LimitExceeded.
llvm::Expected<llvm::Value *> workgroupArith(Translator &t, const Inst &inst, lgc::GroupArith arith,
                                             lgc::GroupScan scan, llvm::Value *value);
/// The value of the invocation whose LocalInvocationIndex is \p index. Errors: the same.
llvm::Expected<llvm::Value *> workgroupBroadcast(Translator &t, const Inst &inst,
                                                 llvm::Value *value, llvm::Value *index);

} // namespace llpc
