//===- PackedOps.cpp - pairs of 16-bit values in an i32 ---------------------===//
// SPDX-License-Identifier: MIT
#include "Program.h"
#include "llvm/IR/Intrinsics.h"
#include <cmath>

using namespace llvm;

namespace randomir {

namespace {

using Half = std::function<uint64_t(ArrayRef<uint64_t>)>;

/// \p eval computes one half from the halves of the operands. \p swaps: bit i exchanges the halves
/// of operand i first, which op_sel can do for free.
void addPacked(std::vector<Op> &ops, const char *name, unsigned args, bool isReal,
               std::function<Value *(EmitContext &, ArrayRef<Value *>)> emit, Half eval) {
  Op op;
  op.name = std::string("packed.") + name;
  op.result = Type::I32;
  op.args.assign(args, Type::I32);
  op.weight = 3;
  op.immCount = 1ull << args;
  op.emit = [=](EmitContext &e, ArrayRef<Value *> a, uint64_t swaps) -> Value * {
    llvm::Type *scalar = isReal ? e.b.getHalfTy() : static_cast<llvm::Type *>(e.b.getInt16Ty());
    llvm::Type *pair = FixedVectorType::get(scalar, 2);
    SmallVector<Value *, 3> x;
    for (unsigned i = 0; i < args; ++i) {
      Value *value = e.b.CreateBitCast(a[i], pair);
      if (swaps >> i & 1)
        value = e.b.CreateShuffleVector(value, ArrayRef<int>{1, 0});
      x.push_back(isReal ? emitCanonical(e, value) : value);
    }
    Value *result = emit(e, x);
    return e.b.CreateBitCast(isReal ? emitCanonical(e, result) : result, e.b.getInt32Ty());
  };
  op.eval = [=](const Machine &m, ArrayRef<uint64_t> a, uint64_t swaps) {
    uint64_t result = 0;
    for (unsigned part = 0; part < 2; ++part) {
      uint64_t x[3];
      for (unsigned i = 0; i < args; ++i) {
        unsigned from = part ^ (swaps >> i & 1);
        x[i] = a[i] >> (16 * from) & 0xFFFF;
        if (isReal)
          x[i] = canonicalBits(m, Type::F16, x[i]);
      }
      uint64_t value = eval(ArrayRef<uint64_t>(x, args)) & 0xFFFF;
      result |= (isReal ? canonicalBits(m, Type::F16, value) : value) << (16 * part);
    }
    return result;
  };
  ops.push_back(std::move(op));
}

auto emitBinary(Instruction::BinaryOps opcode) {
  return [=](EmitContext &e, ArrayRef<Value *> a) { return e.b.CreateBinOp(opcode, a[0], a[1]); };
}
auto emitIntrinsic(Intrinsic::ID id) {
  return [=](EmitContext &e, ArrayRef<Value *> a) -> Value * {
    return e.b.CreateIntrinsic(id, {a[0]->getType()}, a);
  };
}
auto emitShift(Instruction::BinaryOps opcode) {
  return [=](EmitContext &e, ArrayRef<Value *> a) {
    Value *amount = e.b.CreateAnd(a[1], ConstantInt::get(a[1]->getType(), 15));
    return e.b.CreateBinOp(opcode, a[0], amount);
  };
}

void addIntegers(std::vector<Op> &ops) {
  auto s = [](uint64_t x) { return signExtend(x, 16); };
  addPacked(ops, "add", 2, false, emitBinary(Instruction::Add),
            [](ArrayRef<uint64_t> a) { return a[0] + a[1]; });
  addPacked(ops, "sub", 2, false, emitBinary(Instruction::Sub),
            [](ArrayRef<uint64_t> a) { return a[0] - a[1]; });
  addPacked(ops, "mul", 2, false, emitBinary(Instruction::Mul),
            [](ArrayRef<uint64_t> a) { return a[0] * a[1]; });
  addPacked(
      ops, "mad", 3, false,
      [](EmitContext &e, ArrayRef<Value *> a) {
        return e.b.CreateAdd(e.b.CreateMul(a[0], a[1]), a[2]);
      },
      [](ArrayRef<uint64_t> a) { return a[0] * a[1] + a[2]; });
  addPacked(ops, "shl", 2, false, emitShift(Instruction::Shl),
            [](ArrayRef<uint64_t> a) { return a[0] << (a[1] & 15); });
  addPacked(ops, "lshr", 2, false, emitShift(Instruction::LShr),
            [](ArrayRef<uint64_t> a) { return a[0] >> (a[1] & 15); });
  addPacked(ops, "ashr", 2, false, emitShift(Instruction::AShr),
            [=](ArrayRef<uint64_t> a) { return uint64_t(s(a[0]) >> (a[1] & 15)); });
  addPacked(ops, "umin", 2, false, emitIntrinsic(Intrinsic::umin),
            [](ArrayRef<uint64_t> a) { return std::min(a[0], a[1]); });
  addPacked(ops, "umax", 2, false, emitIntrinsic(Intrinsic::umax),
            [](ArrayRef<uint64_t> a) { return std::max(a[0], a[1]); });
  addPacked(ops, "smin", 2, false, emitIntrinsic(Intrinsic::smin),
            [=](ArrayRef<uint64_t> a) { return uint64_t(std::min(s(a[0]), s(a[1]))); });
  addPacked(ops, "smax", 2, false, emitIntrinsic(Intrinsic::smax),
            [=](ArrayRef<uint64_t> a) { return uint64_t(std::max(s(a[0]), s(a[1]))); });
  addPacked(ops, "uadd.sat", 2, false, emitIntrinsic(Intrinsic::uadd_sat),
            [](ArrayRef<uint64_t> a) { return std::min<uint64_t>(a[0] + a[1], 0xFFFF); });
  addPacked(ops, "usub.sat", 2, false, emitIntrinsic(Intrinsic::usub_sat),
            [](ArrayRef<uint64_t> a) { return a[0] > a[1] ? a[0] - a[1] : 0; });
  addPacked(
      ops, "sadd.sat", 2, false, emitIntrinsic(Intrinsic::sadd_sat), [=](ArrayRef<uint64_t> a) {
        return uint64_t(std::min<int64_t>(std::max<int64_t>(s(a[0]) + s(a[1]), -32768), 32767));
      });
  addPacked(
      ops, "ssub.sat", 2, false, emitIntrinsic(Intrinsic::ssub_sat), [=](ArrayRef<uint64_t> a) {
        return uint64_t(std::min<int64_t>(std::max<int64_t>(s(a[0]) - s(a[1]), -32768), 32767));
      });
}

void addReals(std::vector<Op> &ops) {
  auto v = [](uint64_t x) { return halfToDouble(x); };
  addPacked(ops, "fadd", 2, true, emitBinary(Instruction::FAdd),
            [=](ArrayRef<uint64_t> a) { return doubleToHalf(v(a[0]) + v(a[1])); });
  addPacked(ops, "fsub", 2, true, emitBinary(Instruction::FSub),
            [=](ArrayRef<uint64_t> a) { return doubleToHalf(v(a[0]) - v(a[1])); });
  addPacked(ops, "fmul", 2, true, emitBinary(Instruction::FMul),
            [=](ArrayRef<uint64_t> a) { return doubleToHalf(v(a[0]) * v(a[1])); });
  addPacked(ops, "fma", 3, true, emitIntrinsic(Intrinsic::fma), [=](ArrayRef<uint64_t> a) {
    double product = v(a[0]) * v(a[1]), sum = product + v(a[2]), part = sum - product;
    double rest = (product - (sum - part)) + (v(a[2]) - part);
    return doubleToHalf(sum, std::isfinite(sum) ? rest : 0);
  });
  auto pick = [=](uint64_t x, uint64_t y, bool max) {
    if (isNanPattern(Type::F16, x) || isNanPattern(Type::F16, y))
      return isNanPattern(Type::F16, x) ? y : x;
    bool xBelow = v(x) < v(y) || (v(x) == v(y) && (x & 0x8000));
    return xBelow != max ? x : y;
  };
  addPacked(ops, "fmin", 2, true, emitIntrinsic(Intrinsic::minnum),
            [=](ArrayRef<uint64_t> a) { return pick(a[0], a[1], false); });
  addPacked(ops, "fmax", 2, true, emitIntrinsic(Intrinsic::maxnum),
            [=](ArrayRef<uint64_t> a) { return pick(a[0], a[1], true); });
  addPacked(
      ops, "fneg_fabs", 1, true,
      [](EmitContext &e, ArrayRef<Value *> a) {
        return e.b.CreateFNeg(e.b.CreateUnaryIntrinsic(Intrinsic::fabs, a[0]));
      },
      [](ArrayRef<uint64_t> a) { return a[0] | 0x8000; });
}

/// Two values of 16 bits become an i32, and an i32 a value of 16 bits.
void addPacking(std::vector<Op> &ops) {
  for (Type type : {Type::I16, Type::F16}) {
    Op op;
    op.name = std::string("pack.") + nameOf(type);
    op.result = Type::I32;
    op.args = {type, type};
    op.emit = [](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
      // As integers: LLVM 22 takes the half -0.0 beside another one for +0.0 (FP_ZERO).
      llvm::Type *half = e.b.getInt16Ty();
      Value *pair = PoisonValue::get(FixedVectorType::get(half, 2));
      pair = e.b.CreateInsertElement(pair, e.b.CreateBitCast(a[0], half), uint64_t(0));
      pair = e.b.CreateInsertElement(pair, e.b.CreateBitCast(a[1], half), uint64_t(1));
      return e.b.CreateBitCast(pair, e.b.getInt32Ty());
    };
    op.eval = [](const Machine &, ArrayRef<uint64_t> a, uint64_t) { return a[1] << 16 | a[0]; };
    ops.push_back(std::move(op));
    Op part;
    part.name = std::string("unpack.") + nameOf(type);
    part.result = type;
    part.args = {Type::I32};
    part.immCount = 2;
    part.emit = [=](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) {
      llvm::Type *pair = FixedVectorType::get(irType(e.b.getContext(), type), 2);
      Value *value = e.b.CreateExtractElement(e.b.CreateBitCast(a[0], pair), imm);
      return type == Type::F16 ? emitCanonical(e, value) : value;
    };
    part.eval = [=](const Machine &m, ArrayRef<uint64_t> a, uint64_t imm) {
      return canonicalBits(m, type, a[0] >> (16 * imm) & 0xFFFF);
    };
    ops.push_back(std::move(part));
  }
}

} // namespace

void addPackedOps(std::vector<Op> &ops) {
  addIntegers(ops);
  addReals(ops);
  addPacking(ops);
}

} // namespace randomir
