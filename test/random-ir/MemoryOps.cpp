//===- MemoryOps.cpp - private arrays, LDS, loops ---------------------------===//
// SPDX-License-Identifier: MIT
#include "Program.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace randomir {

namespace {

constexpr unsigned arraySize = 4;

/// An element of an array of the operands, chosen by the last operand. Volatile accesses keep the
/// array in scratch; others let the compiler turn it into registers.
void addArray(std::vector<Op> &ops, Type type, bool isVolatile) {
  Op op;
  op.name = std::string(isVolatile ? "scratch." : "array.") + nameOf(type);
  op.result = type;
  op.args.assign(arraySize, type);
  op.args.push_back(Type::I32);
  op.weight = 2;
  op.emit = [=](EmitContext &e, ArrayRef<Value *> a, uint64_t) -> Value * {
    llvm::Type *element = a[0]->getType(), *array = ArrayType::get(element, arraySize);
    BasicBlock &entry = e.b.GetInsertBlock()->getParent()->getEntryBlock();
    IRBuilder<> atEntry(&entry, entry.getFirstInsertionPt());
    AllocaInst *memory = atEntry.CreateAlloca(array, 5);
    for (unsigned i = 0; i < arraySize; ++i)
      e.b.CreateStore(a[i], e.b.CreateConstGEP2_32(array, memory, 0, i), isVolatile);
    Value *index = e.b.CreateAnd(a[arraySize], arraySize - 1);
    Value *pointer = e.b.CreateGEP(array, memory, {e.b.getInt32(0), index});
    return e.b.CreateLoad(element, pointer, isVolatile);
  };
  op.eval = [](const Machine &, ArrayRef<uint64_t> a, uint64_t) {
    return a[a[arraySize] & (arraySize - 1)];
  };
  ops.push_back(std::move(op));
}

/// Every lane stores to LDS and reads what another lane of the wave stored. Instructions of a wave
/// execute for all lanes at a time, in order.
void addLds(std::vector<Op> &ops, Type type) {
  Op op;
  op.name = std::string("lds.") + nameOf(type);
  op.result = type;
  op.args = {type};
  op.immCount = 64;
  op.weight = 2;
  op.allLanes = true;
  op.emit = [=](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) -> Value * {
    llvm::Type *element = a[0]->getType(), *array = ArrayType::get(element, groupSize);
    Module *module = e.b.GetInsertBlock()->getModule();
    auto *memory =
        new GlobalVariable(*module, array, false, GlobalValue::InternalLinkage,
                           PoisonValue::get(array), "lds", nullptr, GlobalValue::NotThreadLocal, 3);
    llvm::Function *kernel = e.b.GetInsertBlock()->getParent();
    Value *thread = kernel->getArg(unsigned(kernel->arg_size()) - 1);
    Value *other = e.b.CreateXor(thread, uint32_t(imm) & (e.machine.lanes - 1));
    e.b.CreateStore(a[0], e.b.CreateGEP(array, memory, {e.b.getInt32(0), thread}), true);
    return e.b.CreateLoad(element, e.b.CreateGEP(array, memory, {e.b.getInt32(0), other}), true);
  };
  op.evalWave = [](const WaveModel &w, ArrayRef<const Lanes *> a, uint64_t imm, Lanes &r) {
    for (unsigned lane = 0; lane < w.machine.lanes; ++lane)
      r[lane] = (*a[0])[lane ^ (imm & (w.machine.lanes - 1))];
  };
  ops.push_back(std::move(op));
}

/// A loop that every lane leaves at its own time: x = 3 x + i while i < (n & 15).
void addLoop(std::vector<Op> &ops) {
  Op op;
  op.name = "loop.i32";
  op.result = Type::I32;
  op.args = {Type::I32, Type::I32};
  op.emit = [](EmitContext &e, ArrayRef<Value *> a, uint64_t) -> Value * {
    IRBuilder<> &b = e.b;
    BasicBlock *before = b.GetInsertBlock();
    llvm::Function *kernel = before->getParent();
    BasicBlock *head = BasicBlock::Create(b.getContext(), "head", kernel);
    BasicBlock *body = BasicBlock::Create(b.getContext(), "body", kernel);
    BasicBlock *done = BasicBlock::Create(b.getContext(), "done", kernel);
    Value *limit = b.CreateAnd(a[1], 15);
    b.CreateBr(head);
    b.SetInsertPoint(head);
    PHINode *i = b.CreatePHI(b.getInt32Ty(), 2), *x = b.CreatePHI(b.getInt32Ty(), 2);
    b.CreateCondBr(b.CreateICmpULT(i, limit), body, done);
    b.SetInsertPoint(body);
    Value *nextX = b.CreateAdd(b.CreateMul(x, b.getInt32(3)), i);
    Value *nextI = b.CreateAdd(i, b.getInt32(1));
    b.CreateBr(head);
    i->addIncoming(b.getInt32(0), before);
    i->addIncoming(nextI, body);
    x->addIncoming(a[0], before);
    x->addIncoming(nextX, body);
    b.SetInsertPoint(done);
    return x;
  };
  op.eval = [](const Machine &, ArrayRef<uint64_t> a, uint64_t) -> uint64_t {
    uint32_t x = uint32_t(a[0]);
    for (uint32_t i = 0; i < (a[1] & 15); ++i)
      x = 3 * x + i;
    return x;
  };
  ops.push_back(std::move(op));
}

} // namespace

void addMemoryOps(std::vector<Op> &ops) {
  for (Type type : {Type::I8, Type::I16, Type::I32, Type::I64, Type::F16, Type::F64}) {
    addArray(ops, type, /*isVolatile=*/false);
    addArray(ops, type, /*isVolatile=*/true);
    addLds(ops, type);
  }
  addLoop(ops);
}

} // namespace randomir
