//===- FloatOps.cpp - arithmetic of 16, 32 and 64-bit floats ----------------===//
// SPDX-License-Identifier: MIT
#include "Program.h"
#include "llvm/IR/Intrinsics.h"
#include <bit>
#include <cmath>
#include <immintrin.h>

using namespace llvm;

namespace randomir {

namespace {

constexpr Type floats[] = {Type::F16, Type::F32, Type::F64};

/// Exact for 16 and 32 bits.
double valueOf(Type type, uint64_t bits) {
  return type == Type::F16   ? halfToDouble(bits)
         : type == Type::F32 ? std::bit_cast<float>(uint32_t(bits))
                             : std::bit_cast<double>(bits);
}

/// What the optimiser must not compute, because the mode differs.
template <class T> T opaque(T x) {
  volatile T hidden = x;
  return hidden;
}

/// Computes in the type itself where x86 has it. Two roundings, from 64 bits to 16, do no harm to
/// results of one operation other than a fused one.
template <class F> uint64_t compute(const Machine &m, Type type, ArrayRef<uint64_t> a, F f) {
  if (type == Type::F64) {
    double x[3] = {};
    for (size_t i = 0; i < a.size(); ++i)
      x[i] = std::bit_cast<double>(a[i]);
    return std::bit_cast<uint64_t>(double(f(x[0], x[1], x[2])));
  }
  if (type == Type::F16) {
    double x[3] = {};
    for (size_t i = 0; i < a.size(); ++i)
      x[i] = halfToDouble(a[i]);
    return doubleToHalf(double(f(x[0], x[1], x[2])));
  }
  float x[3] = {};
  for (size_t i = 0; i < a.size(); ++i)
    x[i] = std::bit_cast<float>(uint32_t(a[i]));
  unsigned saved = _mm_getcsr();
  if (m.flushF32)
    _mm_setcsr(saved | 0x8040);
  volatile float result = f(opaque(x[0]), opaque(x[1]), opaque(x[2]));
  _mm_setcsr(saved);
  return std::bit_cast<uint32_t>(float(result));
}

/// Exactly: the product of two halves is exact in 64 bits, what the sum loses is known.
uint64_t fmaHalf(ArrayRef<uint64_t> a) {
  double product = halfToDouble(a[0]) * halfToDouble(a[1]), c = halfToDouble(a[2]);
  double sum = product + c, part = sum - product;
  double rest = (product - (sum - part)) + (c - part);
  return doubleToHalf(sum, std::isfinite(sum) ? rest : 0);
}

Op makeOp(const char *name, Type type, unsigned args, Emit emit, Eval eval, unsigned weight = 5) {
  Op op;
  op.name = std::string(name) + "." + nameOf(type);
  op.result = type;
  op.args.assign(args, type);
  op.weight = weight;
  op.emit = [=](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) {
    return emitCanonical(e, emit(e, a, imm));
  };
  op.eval = [=](const Machine &m, ArrayRef<uint64_t> a, uint64_t imm) {
    return canonicalBits(m, type, eval(m, a, imm));
  };
  return op;
}

void addArithmetic(std::vector<Op> &ops, Type type) {
  auto binary = [&](const char *name, Instruction::BinaryOps opcode, auto f, unsigned weight) {
    ops.push_back(makeOp(
        name, type, 2,
        [=](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
          return e.b.CreateBinOp(opcode, a[0], a[1]);
        },
        [=](const Machine &m, ArrayRef<uint64_t> a, uint64_t) { return compute(m, type, a, f); },
        weight));
  };
  binary("fadd", Instruction::FAdd, [](auto x, auto y, auto) { return x + y; }, 10);
  binary("fsub", Instruction::FSub, [](auto x, auto y, auto) { return x - y; }, 10);
  binary("fmul", Instruction::FMul, [](auto x, auto y, auto) { return x * y; }, 10);
  binary("fdiv", Instruction::FDiv, [](auto x, auto y, auto) { return x / y; }, 4);
  ops.push_back(makeOp(
      "fma", type, 3,
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t) -> Value * {
        return e.b.CreateIntrinsic(Intrinsic::fma, {a[0]->getType()}, {a[0], a[1], a[2]});
      },
      [=](const Machine &m, ArrayRef<uint64_t> a, uint64_t) {
        if (type == Type::F16)
          return fmaHalf(a);
        return compute(m, type, a, [](auto x, auto y, auto z) { return std::fma(x, y, z); });
      },
      10));
}

void addUnary(std::vector<Op> &ops, Type type) {
  auto unary = [&](const char *name, Intrinsic::ID id, auto f) {
    ops.push_back(makeOp(
        name, type, 1,
        [=](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
          return e.b.CreateUnaryIntrinsic(id, a[0]);
        },
        [=](const Machine &m, ArrayRef<uint64_t> a, uint64_t) {
          return compute(m, type, a, [=](auto x, auto, auto) { return f(x); });
        },
        3));
  };
  unary("sqrt", Intrinsic::sqrt, [](auto x) { return std::sqrt(x); });
  unary("floor", Intrinsic::floor, [](auto x) { return std::floor(x); });
  unary("ceil", Intrinsic::ceil, [](auto x) { return std::ceil(x); });
  unary("trunc", Intrinsic::trunc, [](auto x) { return std::trunc(x); });
  unary("rint", Intrinsic::rint, [](auto x) { return std::nearbyint(x); });
  unary("roundeven", Intrinsic::roundeven, [](auto x) { return std::nearbyint(x); });
  unary("round", Intrinsic::round, [](auto x) { return std::round(x); });
  unary("canonicalize", Intrinsic::canonicalize, [](auto x) { return x; });
  unary("fabs", Intrinsic::fabs, [](auto x) { return std::fabs(x); });
  ops.push_back(makeOp(
      "fneg", type, 1,
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t) { return e.b.CreateFNeg(a[0]); },
      [=](const Machine &, ArrayRef<uint64_t> a, uint64_t) {
        return a[0] ^ 1ull << (widthOf(type) - 1);
      }));
  ops.push_back(makeOp(
      "copysign", type, 2,
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
        return e.b.CreateBinaryIntrinsic(Intrinsic::copysign, a[0], a[1]);
      },
      [=](const Machine &, ArrayRef<uint64_t> a, uint64_t) {
        uint64_t sign = 1ull << (widthOf(type) - 1);
        return (a[0] & ~sign) | (a[1] & sign);
      },
      3));
}

/// -0 is below +0, as the hardware has it; IR leaves that open for minnum.
bool below(Type type, uint64_t a, uint64_t b) {
  double x = valueOf(type, a), y = valueOf(type, b);
  return x < y || (x == y && std::signbit(x) && !std::signbit(y));
}
uint64_t select(Type type, uint64_t a, uint64_t b, bool max, bool nanWins) {
  if (isNanPattern(type, a))
    return nanWins ? a : b;
  if (isNanPattern(type, b))
    return nanWins ? b : a;
  return below(type, max ? a : b, max ? b : a) ? b : a;
}

void addSelections(std::vector<Op> &ops, Type type) {
  struct {
    const char *name;
    Intrinsic::ID id;
    bool max, nanWins;
  } const cases[] = {{"minnum", Intrinsic::minnum, false, false},
                     {"maxnum", Intrinsic::maxnum, true, false},
                     {"minimumnum", Intrinsic::minimumnum, false, false},
                     {"maximumnum", Intrinsic::maximumnum, true, false},
                     {"minimum", Intrinsic::minimum, false, true},
                     {"maximum", Intrinsic::maximum, true, true}};
  for (auto c : cases) {
    ops.push_back(makeOp(
        c.name, type, 2,
        [=](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
          return e.b.CreateBinaryIntrinsic(c.id, a[0], a[1]);
        },
        [=](const Machine &, ArrayRef<uint64_t> a, uint64_t) {
          return select(type, a[0], a[1], c.max, c.nanWins);
        },
        3));
    // LLVM 22 crashes on it for gfx12: the instruction it chooses has no encoding.
    bool isBroken =
        type == Type::F64 && (c.id == Intrinsic::minimumnum || c.id == Intrinsic::maximumnum);
    auto supported = [=](const Machine &m) { return !isBroken || m.major < 12; };
    ops.back().supported = supported;
    ops.push_back(makeOp((std::string(c.name) + "3").c_str(), type, 3,
                         [=](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
                           Value *first = e.b.CreateBinaryIntrinsic(c.id, a[0], a[1]);
                           return e.b.CreateBinaryIntrinsic(c.id, first, a[2]);
                         },
                         [=](const Machine &, ArrayRef<uint64_t> a, uint64_t) {
                           return select(type, select(type, a[0], a[1], c.max, c.nanWins), a[2],
                                         c.max, c.nanWins);
                         },
                         1));
    ops.back().supported = supported;
  }
  ops.push_back(makeOp( // becomes the clamp modifier, or med3
      "clamp01", type, 1,
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
        llvm::Type *t = a[0]->getType();
        Value *low = e.b.CreateBinaryIntrinsic(Intrinsic::maxnum, a[0], ConstantFP::get(t, 0.0));
        return e.b.CreateBinaryIntrinsic(Intrinsic::minnum, low, ConstantFP::get(t, 1.0));
      },
      [=](const Machine &, ArrayRef<uint64_t> a, uint64_t) {
        uint64_t one = type == Type::F16 ? 0x3C00 : type == Type::F32 ? 0x3F800000 : 1023ull << 52;
        return select(type, select(type, a[0], 0, true, false), one, false, false);
      },
      3));
}

void addConditions(std::vector<Op> &ops, Type type) {
  Op compare;
  compare.name = std::string("fcmp.") + nameOf(type);
  compare.result = Type::I1;
  compare.args = {type, type};
  compare.immCount = 16;
  compare.weight = 6;
  compare.emit = [](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) {
    return e.b.CreateFCmp(CmpInst::Predicate(CmpInst::FCMP_FALSE + imm), a[0], a[1]);
  };
  // LLVM's predicates are sets: equal 1, greater 2, less 4, unordered 8.
  compare.eval = [=](const Machine &, ArrayRef<uint64_t> a, uint64_t imm) -> uint64_t {
    double x = valueOf(type, a[0]), y = valueOf(type, a[1]);
    uint64_t holds = x == y ? 1 : x > y ? 2 : x < y ? 4 : 8;
    return (imm & holds) != 0;
  };
  ops.push_back(std::move(compare));

  Op classify;
  classify.name = std::string("fpclass.") + nameOf(type);
  classify.result = Type::I1;
  classify.args = {type};
  classify.immCount = 1024;
  classify.emit = [](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) {
    // Signalling NaNs do not occur.
    return e.b.createIsFPClass(a[0], unsigned(imm));
  };
  classify.eval = [=](const Machine &, ArrayRef<uint64_t> a, uint64_t imm) -> uint64_t {
    double x = valueOf(type, a[0]);
    unsigned mantissa = type == Type::F16 ? 10 : type == Type::F32 ? 23 : 52;
    bool isDenormal = x != 0 && (a[0] & maskOf(widthOf(type) - 1)) >> mantissa == 0;
    unsigned distance = std::isinf(x) ? 0 : x == 0 ? 3 : isDenormal ? 2 : 1;
    unsigned bit = std::isnan(x) ? 1 : std::signbit(x) ? 2 + distance : 9 - distance;
    return imm >> bit & 1;
  };
  ops.push_back(std::move(classify));
}

/// Products with 2, 4 and 1/2 become the omod modifier where denormals are flushed and the sign of
/// zero does not matter; here it is made positive.
void addOutputModifiers(std::vector<Op> &ops, Type type) {
  auto factor = [](uint64_t imm) { return imm == 0 ? 2.0 : imm == 1 ? 4.0 : 0.5; };
  Op op = makeOp(
      "omod", type, 2,
      [=](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) {
        Value *sum = emitCanonical(e, e.b.CreateFAdd(a[0], a[1]));
        Value *scale = ConstantFP::get(a[0]->getType(), factor(imm));
        Value *product = e.b.CreateFMul(sum, scale);
        if (auto *inst = dyn_cast<Instruction>(product))
          inst->setHasNoSignedZeros(true);
        // On the bits, where no flag allows anything.
        llvm::Type *integer = e.b.getIntNTy(widthOf(type));
        Value *bits = e.b.CreateBitCast(emitCanonical(e, product), integer);
        Value *isZero = e.b.CreateICmpEQ(e.b.CreateShl(bits, 1), ConstantInt::get(integer, 0));
        bits = e.b.CreateSelect(isZero, ConstantInt::get(integer, 0), bits);
        return e.b.CreateBitCast(bits, a[0]->getType());
      },
      [=](const Machine &m, ArrayRef<uint64_t> a, uint64_t imm) {
        uint64_t sum =
            canonicalBits(m, type, compute(m, type, a, [](auto x, auto y, auto) { return x + y; }));
        uint64_t product = compute(
            m, type, {sum}, [=](auto x, auto, auto) { return x * decltype(x)(factor(imm)); });
        product = canonicalBits(m, type, product);
        return product << 1 & maskOf(widthOf(type)) ? product : 0;
      });
  op.immCount = 3;
  ops.push_back(std::move(op));
}

/// frexp and ldexp.
void addExponents(std::vector<Op> &ops, Type type) {
  Op scale = makeOp(
      "ldexp", type, 1,
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t) -> Value * {
        return e.b.CreateIntrinsic(Intrinsic::ldexp, {a[0]->getType(), e.b.getInt32Ty()},
                                   {a[0], a[1]});
      },
      [=](const Machine &, ArrayRef<uint64_t> a, uint64_t) {
        int exponent = int(std::min<int64_t>(std::max<int64_t>(signExtend(a[1], 32), -5000), 5000));
        double x = valueOf(type, a[0]);
        if (type == Type::F64)
          return std::bit_cast<uint64_t>(std::ldexp(x, exponent));
        // Exact in 64 bits, so that rounding happens once.
        exponent = std::min(std::max(exponent, -600), 600);
        double exact = std::ldexp(x, exponent);
        return type == Type::F16 ? doubleToHalf(exact)
                                 : uint64_t(std::bit_cast<uint32_t>(float(exact)));
      },
      3);
  scale.args = {type, Type::I32};
  ops.push_back(std::move(scale));

  ops.push_back(makeOp(
      "frexp.mantissa", type, 1,
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
        Value *parts =
            e.b.CreateIntrinsic(Intrinsic::frexp, {a[0]->getType(), e.b.getInt32Ty()}, {a[0]});
        return e.b.CreateExtractValue(parts, 0);
      },
      [=](const Machine &m, ArrayRef<uint64_t> a, uint64_t) {
        return compute(m, type, a, [](auto x, auto, auto) {
          int exponent;
          return std::frexp(x, &exponent);
        });
      },
      2));
  Op exponent;
  exponent.name = std::string("frexp.exponent.") + nameOf(type);
  exponent.result = Type::I32;
  exponent.args = {type};
  exponent.weight = 2;
  exponent.emit = [](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
    Value *parts =
        e.b.CreateIntrinsic(Intrinsic::frexp, {a[0]->getType(), e.b.getInt32Ty()}, {a[0]});
    // IR does not say what the exponent of infinities and NaNs is.
    Value *isFinite = e.b.createIsFPClass(a[0], fcFinite);
    return e.b.CreateSelect(isFinite, e.b.CreateExtractValue(parts, 1), e.b.getInt32(77));
  };
  exponent.eval = [=](const Machine &, ArrayRef<uint64_t> a, uint64_t) -> uint64_t {
    double x = valueOf(type, a[0]);
    int result = 77;
    if (std::isfinite(x))
      std::frexp(x, &result);
    return uint32_t(result);
  };
  ops.push_back(std::move(exponent));
}

} // namespace

void addFloatOps(std::vector<Op> &ops) {
  for (Type type : floats) {
    addArithmetic(ops, type);
    addUnary(ops, type);
    addSelections(ops, type);
    addConditions(ops, type);
    addExponents(ops, type);
    addOutputModifiers(ops, type);
  }
}

} // namespace randomir
