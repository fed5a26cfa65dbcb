//===- KernelPrintf.cpp - printf of OpenCL kernels ------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A call takes room in the buffer that a hidden argument points to, as KernelInterface (Kernels.h)
/// says, and stores its number and its values there.
///   before: %r = OpExtInst %int printf %format %x
///   after:  at = atomicrmw add used, 12; if (at + 12 <= capacity) store {number, 12, x};
///           %r = fits ? 0 : -1
#include "llpc/reflect/KernelPrintf.h"
#include "llpc/translate/Kernel.h"
#include "llpc/translate/TranslatorState.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"
#include <spirv/unified1/OpenCL.std.h>

using namespace llvm;

namespace llpc {

namespace {

struct Field {
  Value *value;
  uint32_t offset; ///< in the record
};

/// Values behind the two words that every record begins with; \p bytes becomes its size.
Expected<SmallVector<Field, 8>> fieldsOf(Translator &t, const Inst &call, uint32_t &bytes) {
  const KernelPrintf print = KILN_TRY(printfOf(t.spv, call));
  SmallVector<Field, 8> fields;
  bytes = 8;
  for (size_t i = 0; i < print.values.size(); ++i) {
    if (print.values[i].text)
      continue; // known without it
    Value *value = KILN_TRY(t.value(call[3 + i]));
    if (value->getType()->isPointerTy()) {
      Type *address = t.module->getDataLayout().getIntPtrType(
          t.context, value->getType()->getPointerAddressSpace());
      value = t.b.CreateZExt(t.b.CreatePtrToInt(value, address), t.b.getInt64Ty());
    }
    fields.push_back({value, bytes});
    bytes += alignTo(print.values[i].size(), 4);
  }
  return fields;
}

Value *place(Translator &t, Value *base, uint64_t offset) {
  return t.b.CreateConstGEP1_64(t.b.getInt8Ty(), base, offset);
}

} // namespace

Expected<bool> translateKernelPrintf(Translator &t, const Inst &inst) {
  if (inst[1] != OpenCLLIB::Printf)
    return false;
  Translator::State &s = t.internals();
  const KernelInterface &interface = *KILN_TRY(kernelInterfaceOf(t));
  uint32_t bytes = 0;
  const auto fields = KILN_TRY(fieldsOf(t, inst, bytes));
  const auto call = find(s.printfCalls, &inst);
  auto type = KILN_TRY(t.type(inst.typeId));
  if (!type->isIntegerTy(32))
    return t.invalid(inst, "the result of printf has 32 bits");

  IRBuilder<> &b = t.b;
  Type *i64 = b.getInt64Ty();
  Value *buffer = b.CreateIntToPtr(loadArgument(t, i64, *interface.printfBuffer, 8),
                                   PointerType::get(t.context, lgc::AddrSpace::Global));
  Value *begin =
      b.CreateAtomicRMW(AtomicRMWInst::Add, buffer, b.getInt64(bytes), Align(8),
                        AtomicOrdering::Monotonic, t.context.getOrInsertSyncScopeID("agent"));
  Value *capacity = b.CreateAlignedLoad(i64, place(t, buffer, 8), Align(8));
  Value *fits = b.CreateICmpULE(b.CreateAdd(begin, b.getInt64(bytes)), capacity);
  Function *function = s.current.function;
  BasicBlock *store =
      BasicBlock::Create(t.context, "print", function, b.GetInsertBlock()->getNextNode());
  BasicBlock *after = BasicBlock::Create(t.context, "", function, store->getNextNode());
  b.CreateCondBr(fits, store, after);
  b.SetInsertPoint(store);
  Value *record = b.CreateGEP(b.getInt8Ty(), place(t, buffer, KernelPrintf::headerBytes), begin);
  b.CreateAlignedStore(t.i32(static_cast<uint32_t>(call - s.printfCalls.begin())), record,
                       Align(4));
  b.CreateAlignedStore(t.i32(bytes), place(t, record, 4), Align(4));
  for (const Field &field : fields)
    b.CreateAlignedStore(field.value, place(t, record, field.offset), Align(4));
  b.CreateBr(after);
  b.SetInsertPoint(after);
  KILN_TRY(t.setValue(inst, b.CreateSelect(fits, t.i32(0), t.i32(~0u))));
  return true;
}

} // namespace llpc
