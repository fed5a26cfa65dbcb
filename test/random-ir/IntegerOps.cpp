//===- IntegerOps.cpp - integer arithmetic of 8 to 64 bits ------------------===//
// SPDX-License-Identifier: MIT
#include "Program.h"
#include "llvm/IR/Intrinsics.h"
#include <bit>

using namespace llvm;

namespace randomir {

namespace {

constexpr Type integers[] = {Type::I8, Type::I16, Type::I32, Type::I64};

/// Operands of a width; computing wraps.
struct Int {
  uint64_t bits;
  unsigned width;
  int64_t s() const { return signExtend(bits, width); }
  uint64_t u() const { return bits; }
};
using Binary = std::function<uint64_t(Int, Int)>;
using Unary = std::function<uint64_t(Int)>;
using EmitBinary = std::function<Value *(IRBuilder<> &, Value *, Value *)>;
using EmitUnary = std::function<Value *(IRBuilder<> &, Value *)>;

class Table {
public:
  explicit Table(std::vector<Op> &ops) : ops(ops) {}

  void binary(const char *name, Type type, EmitBinary emit, Binary eval, unsigned weight = 4) {
    unsigned width = widthOf(type);
    Op op;
    op.name = std::string(name) + "." + nameOf(type);
    op.result = type;
    op.args = {type, type};
    op.weight = weight;
    op.emit = [=](EmitContext &e, ArrayRef<Value *> a, uint64_t) { return emit(e.b, a[0], a[1]); };
    op.eval = [=](const Machine &, ArrayRef<uint64_t> a, uint64_t) {
      return eval({a[0], width}, {a[1], width}) & maskOf(width);
    };
    ops.push_back(std::move(op));
  }
  void intrinsic(const char *name, Type type, Intrinsic::ID id, Binary eval) {
    binary(
        name, type,
        [=](IRBuilder<> &b, Value *x, Value *y) { return b.CreateBinaryIntrinsic(id, x, y); },
        std::move(eval));
  }
  void unary(const char *name, Type type, EmitUnary emit, Unary eval) {
    unsigned width = widthOf(type);
    Op op;
    op.name = std::string(name) + "." + nameOf(type);
    op.result = type;
    op.args = {type};
    op.emit = [=](EmitContext &e, ArrayRef<Value *> a, uint64_t) { return emit(e.b, a[0]); };
    op.eval = [=](const Machine &, ArrayRef<uint64_t> a, uint64_t) {
      return eval({a[0], width}) & maskOf(width);
    };
    ops.push_back(std::move(op));
  }
  std::vector<Op> &ops;
};

/// Shift amounts below the width.
Value *amount(IRBuilder<> &b, Value *x) {
  return b.CreateAnd(x, ConstantInt::get(x->getType(), x->getType()->getIntegerBitWidth() - 1));
}

void addArithmetic(Table &t, Type type) {
  using B = IRBuilder<>;
  t.binary(
      "add", type, [](B &b, Value *x, Value *y) { return b.CreateAdd(x, y); },
      [](Int x, Int y) { return x.u() + y.u(); }, 8);
  t.binary(
      "sub", type, [](B &b, Value *x, Value *y) { return b.CreateSub(x, y); },
      [](Int x, Int y) { return x.u() - y.u(); }, 8);
  t.binary(
      "mul", type, [](B &b, Value *x, Value *y) { return b.CreateMul(x, y); },
      [](Int x, Int y) { return x.u() * y.u(); });
  t.binary(
      "and", type, [](B &b, Value *x, Value *y) { return b.CreateAnd(x, y); },
      [](Int x, Int y) { return x.u() & y.u(); });
  t.binary(
      "or", type, [](B &b, Value *x, Value *y) { return b.CreateOr(x, y); },
      [](Int x, Int y) { return x.u() | y.u(); });
  t.binary(
      "xor", type, [](B &b, Value *x, Value *y) { return b.CreateXor(x, y); },
      [](Int x, Int y) { return x.u() ^ y.u(); });
  t.binary(
      "shl", type, [](B &b, Value *x, Value *y) { return b.CreateShl(x, amount(b, y)); },
      [](Int x, Int y) { return x.u() << (y.u() % x.width); });
  t.binary(
      "lshr", type, [](B &b, Value *x, Value *y) { return b.CreateLShr(x, amount(b, y)); },
      [](Int x, Int y) { return x.u() >> (y.u() % x.width); });
  t.binary(
      "ashr", type, [](B &b, Value *x, Value *y) { return b.CreateAShr(x, amount(b, y)); },
      [](Int x, Int y) { return uint64_t(x.s() >> (y.u() % x.width)); });
}

/// Divisors are odd, and positive for signed division, so that nothing is undefined.
void addDivision(Table &t, Type type) {
  using B = IRBuilder<>;
  auto odd = [](B &b, Value *y) { return b.CreateOr(y, ConstantInt::get(y->getType(), 1)); };
  auto positive = [](B &b, Value *y) {
    unsigned width = y->getType()->getIntegerBitWidth();
    y = b.CreateAnd(y, ConstantInt::get(y->getType(), APInt::getSignedMaxValue(width)));
    return b.CreateOr(y, ConstantInt::get(y->getType(), 1));
  };
  auto positiveOf = [](Int y) { return int64_t((y.u() & maskOf(y.width - 1)) | 1); };
  unsigned weight = type == Type::I64 ? 1 : 2;
  t.binary(
      "udiv", type, [=](B &b, Value *x, Value *y) { return b.CreateUDiv(x, odd(b, y)); },
      [](Int x, Int y) { return x.u() / (y.u() | 1); }, weight);
  t.binary(
      "urem", type, [=](B &b, Value *x, Value *y) { return b.CreateURem(x, odd(b, y)); },
      [](Int x, Int y) { return x.u() % (y.u() | 1); }, weight);
  t.binary(
      "sdiv", type, [=](B &b, Value *x, Value *y) { return b.CreateSDiv(x, positive(b, y)); },
      [=](Int x, Int y) { return uint64_t(x.s() / positiveOf(y)); }, weight);
  t.binary(
      "srem", type, [=](B &b, Value *x, Value *y) { return b.CreateSRem(x, positive(b, y)); },
      [=](Int x, Int y) { return uint64_t(x.s() % positiveOf(y)); }, weight);
}

void addSelections(Table &t, Type type) {
  t.intrinsic("umin", type, Intrinsic::umin, [](Int x, Int y) { return std::min(x.u(), y.u()); });
  t.intrinsic("umax", type, Intrinsic::umax, [](Int x, Int y) { return std::max(x.u(), y.u()); });
  t.intrinsic("smin", type, Intrinsic::smin,
              [](Int x, Int y) { return uint64_t(std::min(x.s(), y.s())); });
  t.intrinsic("smax", type, Intrinsic::smax,
              [](Int x, Int y) { return uint64_t(std::max(x.s(), y.s())); });
  // Not of 64 bits: AMDGPU's combine of (uaddo_carry (add x, y), 0, c) into (uaddo_carry x, y, c)
  // loses a carry that is used (LLVM 22, performAddCarrySubCarryCombine).
  if (type != Type::I64) {
    t.intrinsic("uadd.sat", type, Intrinsic::uadd_sat, [](Int x, Int y) {
      unsigned __int128 sum = (unsigned __int128)x.u() + y.u();
      return sum > maskOf(x.width) ? maskOf(x.width) : uint64_t(sum);
    });
    t.intrinsic("usub.sat", type, Intrinsic::usub_sat,
                [](Int x, Int y) { return x.u() > y.u() ? x.u() - y.u() : 0; });
  }
  auto saturate = [](__int128 value, unsigned width) {
    __int128 high = (__int128(1) << (width - 1)) - 1, low = -high - 1;
    return uint64_t(value > high ? high : value < low ? low : value);
  };
  t.intrinsic("sadd.sat", type, Intrinsic::sadd_sat,
              [=](Int x, Int y) { return saturate(__int128(x.s()) + y.s(), x.width); });
  t.intrinsic("ssub.sat", type, Intrinsic::ssub_sat,
              [=](Int x, Int y) { return saturate(__int128(x.s()) - y.s(), x.width); });
}

void addBits(Table &t, Type type) {
  using B = IRBuilder<>;
  auto simple = [](Intrinsic::ID id) {
    return [=](B &b, Value *x) { return b.CreateUnaryIntrinsic(id, x); };
  };
  auto withFlag = [](Intrinsic::ID id) {
    return [=](B &b, Value *x) { return b.CreateBinaryIntrinsic(id, x, b.getFalse()); };
  };
  auto reverse = [](uint64_t x, unsigned width, unsigned step) {
    uint64_t result = 0;
    for (unsigned i = 0; i < width; i += step)
      result |= (x >> i & maskOf(step)) << (width - step - i);
    return result;
  };
  t.unary(
      "neg", type, [](B &b, Value *x) { return b.CreateNeg(x); }, [](Int x) { return 0 - x.u(); });
  t.unary("not", type, [](B &b, Value *x) { return b.CreateNot(x); }, [](Int x) { return ~x.u(); });
  t.unary("abs", type, withFlag(Intrinsic::abs),
          [](Int x) { return x.s() < 0 ? 0 - x.u() : x.u(); });
  t.unary("ctpop", type, simple(Intrinsic::ctpop),
          [](Int x) { return uint64_t(std::popcount(x.u())); });
  t.unary("ctlz", type, withFlag(Intrinsic::ctlz),
          [](Int x) { return uint64_t(std::countl_zero(x.u())) - (64 - x.width); });
  t.unary("cttz", type, withFlag(Intrinsic::cttz),
          [](Int x) { return std::min<uint64_t>(uint64_t(std::countr_zero(x.u())), x.width); });
  t.unary("bitreverse", type, simple(Intrinsic::bitreverse),
          [=](Int x) { return reverse(x.u(), x.width, 1); });
  if (type != Type::I8)
    t.unary("bswap", type, simple(Intrinsic::bswap),
            [=](Int x) { return reverse(x.u(), x.width, 8); });
}

void add3(std::vector<Op> &ops, const char *name, Type type, Emit emit,
          std::function<uint64_t(Int, Int, Int, uint64_t imm)> eval, uint64_t immCount = 1) {
  unsigned width = widthOf(type);
  Op op;
  op.name = std::string(name) + "." + nameOf(type);
  op.result = type;
  op.args = {type, type, type};
  op.immCount = immCount;
  op.emit = std::move(emit);
  op.eval = [=](const Machine &, ArrayRef<uint64_t> a, uint64_t imm) {
    return eval({a[0], width}, {a[1], width}, {a[2], width}, imm) & maskOf(width);
  };
  ops.push_back(std::move(op));
}

/// Patterns that the back end has single instructions for.
void addTernary(std::vector<Op> &ops, Type type) {
  unsigned width = widthOf(type);
  auto funnel = [](Intrinsic::ID id) {
    return [=](EmitContext &e, ArrayRef<Value *> a, uint64_t) -> Value * {
      return e.b.CreateIntrinsic(id, {a[0]->getType()}, {a[0], a[1], a[2]});
    };
  };
  add3(ops, "fshl", type, funnel(Intrinsic::fshl), [](Int x, Int y, Int z, uint64_t) {
    unsigned by = unsigned(z.u() % x.width);
    return by ? x.u() << by | y.u() >> (x.width - by) : x.u();
  });
  add3(ops, "fshr", type, funnel(Intrinsic::fshr), [](Int x, Int y, Int z, uint64_t) {
    unsigned by = unsigned(z.u() % x.width);
    return by ? x.u() << (x.width - by) | y.u() >> by : y.u();
  });
  add3(
      ops, "bfi", type,
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
        return e.b.CreateOr(e.b.CreateAnd(a[1], a[0]), e.b.CreateAnd(a[2], e.b.CreateNot(a[0])));
      },
      [](Int x, Int y, Int z, uint64_t) { return (x.u() & y.u()) | (~x.u() & z.u()); });
  add3(
      ops, "mad", type,
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
        return e.b.CreateAdd(e.b.CreateMul(a[0], a[1]), a[2]);
      },
      [](Int x, Int y, Int z, uint64_t) { return x.u() * y.u() + z.u(); });
  add3(
      ops, "shl_add_or", type,
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) {
        Value *shifted = e.b.CreateShl(a[0], ConstantInt::get(a[0]->getType(), imm));
        return e.b.CreateOr(e.b.CreateAdd(shifted, a[1]), a[2]);
      },
      [](Int x, Int y, Int z, uint64_t imm) { return ((x.u() << imm) + y.u()) | z.u(); }, width);
  add3(
      ops, "add3_xor", type,
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) {
        Value *sum = e.b.CreateAdd(a[0], a[1]);
        return imm ? e.b.CreateXor(sum, a[2]) : e.b.CreateAdd(sum, a[2]);
      },
      [](Int x, Int y, Int z, uint64_t imm) {
        return imm ? (x.u() + y.u()) ^ z.u() : x.u() + y.u() + z.u();
      },
      2);
  add3(
      ops, "med3", type,
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) {
        Intrinsic::ID low = imm ? Intrinsic::smin : Intrinsic::umin;
        Intrinsic::ID high = imm ? Intrinsic::smax : Intrinsic::umax;
        Value *less = e.b.CreateBinaryIntrinsic(low, a[0], a[1]);
        Value *more = e.b.CreateBinaryIntrinsic(high, a[0], a[1]);
        return e.b.CreateBinaryIntrinsic(high, less, e.b.CreateBinaryIntrinsic(low, more, a[2]));
      },
      [](Int x, Int y, Int z, uint64_t imm) {
        if (imm)
          return uint64_t(
              std::max(std::min(x.s(), y.s()), std::min(std::max(x.s(), y.s()), z.s())));
        return std::max(std::min(x.u(), y.u()), std::min(std::max(x.u(), y.u()), z.u()));
      },
      2);
}

} // namespace

void addIntegerOps(std::vector<Op> &ops) {
  Table table(ops);
  for (Type type : integers) {
    addArithmetic(table, type);
    addDivision(table, type);
    addSelections(table, type);
    addBits(table, type);
    addTernary(ops, type);
  }
}

} // namespace randomir
