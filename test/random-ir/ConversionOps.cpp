//===- ConversionOps.cpp - between integers and floats, and between floats ---===//
// SPDX-License-Identifier: MIT
#include "Program.h"
#include "llvm/IR/Intrinsics.h"
#include <bit>
#include <cmath>

using namespace llvm;

namespace randomir {

namespace {

constexpr Type integers[] = {Type::I8, Type::I16, Type::I32, Type::I64};
constexpr Type floats[] = {Type::F16, Type::F32, Type::F64};

std::string nameFor(const char *name, Type from, Type to) {
  return std::string(name) + "." + nameOf(from) + "." + nameOf(to);
}

double valueOf(Type type, uint64_t bits) {
  return type == Type::F16   ? halfToDouble(bits)
         : type == Type::F32 ? std::bit_cast<float>(uint32_t(bits))
                             : std::bit_cast<double>(bits);
}
uint64_t roundTo(Type type, double value) {
  return type == Type::F16   ? doubleToHalf(value)
         : type == Type::F32 ? std::bit_cast<uint32_t>(float(value))
                             : std::bit_cast<uint64_t>(value);
}

/// An integer rounded once; a 64-bit one does not fit into a double exactly.
template <class Int> uint64_t roundInteger(Type type, Int value) {
  if (type == Type::F32)
    return std::bit_cast<uint32_t>(float(value));
  if (type == Type::F64)
    return std::bit_cast<uint64_t>(double(value));
  // Beyond 2^53 every value overflows 16 bits in any case.
  return doubleToHalf(double(value));
}

void addFromIntegers(std::vector<Op> &ops) {
  for (Type from : integers)
    for (Type to : floats)
      for (bool isSigned : {false, true}) {
        unsigned width = widthOf(from);
        Op op;
        op.name = nameFor(isSigned ? "sitofp" : "uitofp", from, to);
        op.result = to;
        op.args = {from};
        op.weight = 2;
        op.emit = [=](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
          llvm::Type *type = irType(e.b.getContext(), to);
          return isSigned ? e.b.CreateSIToFP(a[0], type) : e.b.CreateUIToFP(a[0], type);
        };
        op.eval = [=](const Machine &, ArrayRef<uint64_t> a, uint64_t) {
          return isSigned ? roundInteger(to, signExtend(a[0], width)) : roundInteger(to, a[0]);
        };
        ops.push_back(std::move(op));
      }
}

uint64_t saturate(double x, unsigned width, bool isSigned) {
  if (std::isnan(x))
    return 0;
  double limit = std::ldexp(1.0, int(isSigned ? width - 1 : width));
  if (x >= limit)
    return isSigned ? maskOf(width - 1) : maskOf(width);
  if (isSigned)
    return (x < -limit ? 1ull << (width - 1) : uint64_t(int64_t(x))) & maskOf(width);
  return x <= 0 ? 0 : uint64_t(x);
}

void addToIntegers(std::vector<Op> &ops) {
  for (Type from : floats)
    for (Type to : integers)
      for (bool isSigned : {false, true}) {
        Op op;
        op.name = nameFor(isSigned ? "fptosi.sat" : "fptoui.sat", from, to);
        op.result = to;
        op.args = {from};
        op.weight = 2;
        op.emit = [=](EmitContext &e, ArrayRef<Value *> a, uint64_t) -> Value * {
          Intrinsic::ID id = isSigned ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat;
          return e.b.CreateIntrinsic(id, {irType(e.b.getContext(), to), a[0]->getType()}, {a[0]});
        };
        op.eval = [=](const Machine &, ArrayRef<uint64_t> a, uint64_t) {
          return saturate(valueOf(from, a[0]), widthOf(to), isSigned);
        };
        ops.push_back(std::move(op));
      }
}

void addBetweenFloats(std::vector<Op> &ops) {
  for (Type from : floats)
    for (Type to : floats) {
      if (from == to)
        continue;
      Op op;
      op.name = nameFor("fpcast", from, to);
      op.result = to;
      op.args = {from};
      op.weight = 6;
      op.emit = [=](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
        return emitCanonical(e, e.b.CreateFPCast(a[0], irType(e.b.getContext(), to)));
      };
      op.eval = [=](const Machine &m, ArrayRef<uint64_t> a, uint64_t) {
        return canonicalBits(m, to, roundTo(to, valueOf(from, a[0])));
      };
      ops.push_back(std::move(op));
    }
}

void addBitCasts(std::vector<Op> &ops) {
  const std::pair<Type, Type> pairs[] = {
      {Type::I16, Type::F16}, {Type::I32, Type::F32}, {Type::I64, Type::F64}};
  for (auto [integer, real] : pairs) {
    Op toReal;
    toReal.name = nameFor("bitcast", integer, real);
    toReal.result = real;
    toReal.args = {integer};
    toReal.weight = 2;
    toReal.emit = [real = real](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
      return emitCanonical(e, e.b.CreateBitCast(a[0], irType(e.b.getContext(), real)));
    };
    toReal.eval = [real = real](const Machine &m, ArrayRef<uint64_t> a, uint64_t) {
      return canonicalBits(m, real, a[0]);
    };
    ops.push_back(std::move(toReal));
    Op toInteger;
    toInteger.name = nameFor("bitcast", real, integer);
    toInteger.result = integer;
    toInteger.args = {real};
    toInteger.weight = 2;
    toInteger.emit = [integer = integer](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
      return e.b.CreateBitCast(a[0], irType(e.b.getContext(), integer));
    };
    toInteger.eval = [](const Machine &, ArrayRef<uint64_t> a, uint64_t) { return a[0]; };
    ops.push_back(std::move(toInteger));
  }
}

/// fma of 32 bits with 16-bit operands, as v_fma_mix_f32 does; with a 16-bit result the sum is
/// rounded to 32 bits first.
void addMixed(std::vector<Op> &ops) {
  for (Type to : {Type::F32, Type::F16})
    for (unsigned halves = 1; halves < 8; ++halves) {
      Op op;
      op.name = "fma.mix" + std::to_string(halves) + "." + nameOf(to);
      op.result = to;
      for (unsigned i = 0; i < 3; ++i)
        op.args.push_back(halves >> i & 1 ? Type::F16 : Type::F32);
      op.weight = 2;
      op.emit = [=](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
        Value *x[3];
        for (unsigned i = 0; i < 3; ++i)
          x[i] = halves >> i & 1 ? e.b.CreateFPExt(a[i], e.b.getFloatTy()) : a[i];
        Value *sum = e.b.CreateIntrinsic(Intrinsic::fma, {e.b.getFloatTy()}, {x[0], x[1], x[2]});
        if (to == Type::F16)
          sum = e.b.CreateFPTrunc(sum, e.b.getHalfTy());
        return emitCanonical(e, sum);
      };
      op.eval = [=](const Machine &m, ArrayRef<uint64_t> a, uint64_t) {
        float x[3];
        for (unsigned i = 0; i < 3; ++i)
          x[i] = float(valueOf(halves >> i & 1 ? Type::F16 : Type::F32, a[i]));
        float sum = std::fma(x[0], x[1], x[2]);
        return canonicalBits(m, to, roundTo(to, sum));
      };
      ops.push_back(std::move(op));
    }
}

} // namespace

void addConversionOps(std::vector<Op> &ops) {
  addFromIntegers(ops);
  addToIntegers(ops);
  addBetweenFloats(ops);
  addBitCasts(ops);
  addMixed(ops);
}

} // namespace randomir
