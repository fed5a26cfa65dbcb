//===- AsyncCopies.cpp - copies by all invocations of a workgroup ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// OpGroupAsyncCopy between __local and __global memory: each invocation copies its share at once;
/// waiting for the event is a barrier.
///   before: %e = OpGroupAsyncCopy %event %workgroup %local %global %count %stride %null
///           OpGroupWaitEvents %workgroup %one %events
///   after:  for (i = local index; i < count; i += size of the workgroup)
///             local[i] = global[i * stride]
///           fence, lgc.control.barrier, fence
#include "lgc/Shader.h"
#include "llpc/translate/Barrier.h"
#include "llpc/translate/Kernel.h"
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {
namespace {

/// Only whole workgroups copy and wait.
Error checkScope(Translator &t, const Inst &inst) {
  const uint64_t scope = KILN_TRY(t.readConstant(inst[0]));
  if (static_cast<spv::Scope>(scope) == spv::Scope::Workgroup)
    return Error::success();
  return t.unsupportedOp(inst, "execution scope " + Twine(scope));
}

/// Operands: scope, destination, source, number of elements, stride (of the __global side, in
/// elements), event.
Error translateCopy(Translator &t, const Inst &inst) {
  KILN_TRY(checkScope(t, inst));
  auto target = KILN_TRY(t.value(inst[1]));
  auto source = KILN_TRY(t.value(inst[2]));
  auto count = KILN_TRY(t.value(inst[3]));
  auto stride = KILN_TRY(t.value(inst[4]));
  const TypedPointer targetType = KILN_TRY(pointerTypeOf(t, inst, inst[1])),
                     sourceType = KILN_TRY(pointerTypeOf(t, inst, inst[2]));
  if (targetType.pointeeId != sourceType.pointeeId || !count->getType()->isIntegerTy() ||
      !stride->getType()->isIntegerTy())
    return t.invalid(inst, "operands are no pointers to one type, or no numbers");
  auto type = KILN_TRY(t.memoryType(targetType.pointeeId));
  Type *wide = t.b.getInt64Ty();
  count = t.b.CreateZExtOrTrunc(count, wide);
  stride = t.b.CreateZExtOrTrunc(stride, wide);
  Value *index = t.op(lgc::OpId::BuiltinOp, t.b.getInt32Ty(),
                      {t.i32(static_cast<uint32_t>(lgc::BuiltIn::LocalInvocationIndex))});
  const auto &size = t.shader->workgroupSize;
  auto place = [&](Value *pointer, spv::StorageClass storage, Value *number) {
    if (storage == spv::StorageClass::CrossWorkgroup)
      number = t.b.CreateMul(number, stride);
    return t.b.CreateGEP(type, pointer, number);
  };
  emitKernelLoop(t, t.b.CreateZExt(index, wide), count, uint64_t(size[0]) * size[1] * size[2],
                 [&](Value *number) {
                   Value *value = t.b.CreateLoad(type, place(source, sourceType.storage, number));
                   t.b.CreateStore(value, place(target, targetType.storage, number));
                 });
  auto event = KILN_TRY(t.type(inst.typeId));
  return t.setValue(inst, Constant::getNullValue(event));
}

Error translateWait(Translator &t, const Inst &inst) {
  KILN_TRY(checkScope(t, inst));
  MemorySemantics semantics;
  semantics.acquire = semantics.release = true;
  semantics.workgroupMemory = semantics.globalMemory = true;
  createWorkgroupBarrier(t, semantics);
  return Error::success();
}

constexpr OpEntry table[] = {
    instOp(spv::Op::OpGroupAsyncCopy, translateCopy),
    instOp(spv::Op::OpGroupWaitEvents, translateWait),
};

} // namespace

void emitKernelLoop(Translator &t, Value *first, Value *count, uint64_t step,
                    function_ref<void(Value *index)> body) {
  Function *function = t.internals().current.function;
  BasicBlock *before = t.b.GetInsertBlock();
  BasicBlock *head = BasicBlock::Create(t.context, "copies", function, before->getNextNode());
  BasicBlock *loop = BasicBlock::Create(t.context, "copy", function, head->getNextNode());
  BasicBlock *after = BasicBlock::Create(t.context, "", function, loop->getNextNode());
  t.b.CreateBr(head);
  t.b.SetInsertPoint(head);
  PHINode *index = t.b.CreatePHI(t.b.getInt64Ty(), 2);
  index->addIncoming(first, before);
  t.b.CreateCondBr(t.b.CreateICmpULT(index, count), loop, after);
  t.b.SetInsertPoint(loop);
  body(index);
  index->addIncoming(t.b.CreateAdd(index, t.b.getInt64(step)), loop);
  t.b.CreateBr(head);
  t.b.SetInsertPoint(after);
}

ArrayRef<OpEntry> asyncCopyOps() { return table; }

} // namespace llpc
