//===- CastOps.cpp - widths, conditions, parts of integers ------------------===//
// SPDX-License-Identifier: MIT
#include "Program.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace randomir {

namespace {

constexpr Type integers[] = {Type::I8, Type::I16, Type::I32, Type::I64};
constexpr Type allTypes[] = {Type::I8,  Type::I16, Type::I32, Type::I64,
                             Type::F16, Type::F32, Type::F64};

void add(std::vector<Op> &ops, std::string name, Type result, ArrayRef<Type> args, Emit emit,
         std::function<uint64_t(ArrayRef<uint64_t>, uint64_t)> eval, uint64_t immCount = 1,
         unsigned weight = 4) {
  Op op;
  op.name = std::move(name);
  op.result = result;
  op.args.assign(args.begin(), args.end());
  op.emit = std::move(emit);
  op.eval = [=](const Machine &, ArrayRef<uint64_t> a, uint64_t imm) {
    return eval(a, imm) & maskOf(widthOf(result));
  };
  op.immCount = immCount;
  op.weight = weight;
  ops.push_back(std::move(op));
}

void addWidths(std::vector<Op> &ops) {
  for (Type from : integers)
    for (Type to : integers) {
      unsigned width = widthOf(from);
      std::string suffix = std::string(".") + nameOf(from) + "." + nameOf(to);
      auto target = [=](EmitContext &e) { return irType(e.b.getContext(), to); };
      if (width < widthOf(to)) {
        add(
            ops, "zext" + suffix, to, {from},
            [=](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
              return e.b.CreateZExt(a[0], target(e));
            },
            [](ArrayRef<uint64_t> a, uint64_t) { return a[0]; });
        add(
            ops, "sext" + suffix, to, {from},
            [=](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
              return e.b.CreateSExt(a[0], target(e));
            },
            [=](ArrayRef<uint64_t> a, uint64_t) { return uint64_t(signExtend(a[0], width)); });
      } else if (width > widthOf(to)) {
        add(
            ops, "trunc" + suffix, to, {from},
            [=](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) {
              Value *shifted = e.b.CreateLShr(a[0], ConstantInt::get(a[0]->getType(), imm));
              return e.b.CreateTrunc(shifted, target(e));
            },
            [](ArrayRef<uint64_t> a, uint64_t imm) { return a[0] >> imm; },
            width - widthOf(to) + 1);
      }
    }
}

bool compareInts(uint64_t x, uint64_t y, unsigned width, unsigned predicate) {
  int64_t s = signExtend(x, width), t = signExtend(y, width);
  switch (CmpInst::Predicate(CmpInst::ICMP_EQ + predicate)) {
  case CmpInst::ICMP_EQ:
    return x == y;
  case CmpInst::ICMP_NE:
    return x != y;
  case CmpInst::ICMP_UGT:
    return x > y;
  case CmpInst::ICMP_UGE:
    return x >= y;
  case CmpInst::ICMP_ULT:
    return x < y;
  case CmpInst::ICMP_ULE:
    return x <= y;
  case CmpInst::ICMP_SGT:
    return s > t;
  case CmpInst::ICMP_SGE:
    return s >= t;
  case CmpInst::ICMP_SLT:
    return s < t;
  default:
    return s <= t;
  }
}

void addConditions(std::vector<Op> &ops) {
  for (Type type : integers)
    add(
        ops, std::string("icmp.") + nameOf(type), Type::I1, {type, type},
        [](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) {
          return e.b.CreateICmp(CmpInst::Predicate(CmpInst::ICMP_EQ + imm), a[0], a[1]);
        },
        [=](ArrayRef<uint64_t> a, uint64_t imm) {
          return uint64_t(compareInts(a[0], a[1], widthOf(type), unsigned(imm)));
        },
        10, 6);
  for (Type type : allTypes)
    add(
        ops, std::string("select.") + nameOf(type), type, {Type::I1, type, type},
        [](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
          return e.b.CreateSelect(a[0], a[1], a[2]);
        },
        [](ArrayRef<uint64_t> a, uint64_t) { return a[0] ? a[1] : a[2]; }, 1, 6);
  add(
      ops, "logic.i1", Type::I1, {Type::I1, Type::I1},
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) {
        return imm == 0   ? e.b.CreateAnd(a[0], a[1])
               : imm == 1 ? e.b.CreateOr(a[0], a[1])
               : imm == 2 ? e.b.CreateXor(a[0], a[1])
                          : e.b.CreateAnd(a[0], e.b.CreateNot(a[1]));
      },
      [](ArrayRef<uint64_t> a, uint64_t imm) {
        return imm == 0   ? a[0] & a[1]
               : imm == 1 ? a[0] | a[1]
               : imm == 2 ? a[0] ^ a[1]
                          : a[0] & ~a[1];
      },
      4);
  for (Type type : integers) {
    add(
        ops, std::string("bool.") + nameOf(type), type, {Type::I1},
        [=](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) {
          llvm::Type *to = irType(e.b.getContext(), type);
          return imm ? e.b.CreateSExt(a[0], to) : e.b.CreateZExt(a[0], to);
        },
        [](ArrayRef<uint64_t> a, uint64_t imm) { return imm ? 0 - a[0] : a[0]; }, 2, 2);
    add(
        ops, std::string("bit.") + nameOf(type), Type::I1, {type},
        [](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) {
          Value *shifted = e.b.CreateLShr(a[0], ConstantInt::get(a[0]->getType(), imm));
          return e.b.CreateTrunc(shifted, e.b.getInt1Ty());
        },
        [](ArrayRef<uint64_t> a, uint64_t imm) { return a[0] >> imm & 1; }, widthOf(type), 2);
    if (type == Type::I64)
      continue; // LLVM 22 loses a carry, see IntegerOps.cpp
    add(
        ops, std::string("carry.") + nameOf(type), Type::I1, {type, type},
        [](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) {
          Intrinsic::ID id = imm ? Intrinsic::usub_with_overflow : Intrinsic::uadd_with_overflow;
          return e.b.CreateExtractValue(e.b.CreateBinaryIntrinsic(id, a[0], a[1]), 1);
        },
        [=](ArrayRef<uint64_t> a, uint64_t imm) {
          uint64_t sum = (a[0] + a[1]) & maskOf(widthOf(type));
          return uint64_t(imm ? a[0] < a[1] : sum < a[0]);
        },
        2, 2);
  }
}

/// Products of 32 bits with wide results, bit fields, 24-bit products.
void addProducts(std::vector<Op> &ops) {
  auto wide = [](bool isSigned) {
    return [=](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
      llvm::Type *type = e.b.getInt64Ty();
      Value *x = isSigned ? e.b.CreateSExt(a[0], type) : e.b.CreateZExt(a[0], type);
      Value *y = isSigned ? e.b.CreateSExt(a[1], type) : e.b.CreateZExt(a[1], type);
      return e.b.CreateMul(x, y);
    };
  };
  for (bool isSigned : {false, true}) {
    auto product = [=](ArrayRef<uint64_t> a) {
      return isSigned ? uint64_t(signExtend(a[0], 32) * signExtend(a[1], 32)) : a[0] * a[1];
    };
    std::string prefix = isSigned ? "s" : "u";
    add(
        ops, prefix + "mulhi", Type::I32, {Type::I32, Type::I32},
        [=](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
          return e.b.CreateTrunc(e.b.CreateLShr(wide(isSigned)(e, a, 0), 32), e.b.getInt32Ty());
        },
        [=](ArrayRef<uint64_t> a, uint64_t) { return product(a) >> 32; });
    add(
        ops, prefix + "mad64", Type::I64, {Type::I32, Type::I32, Type::I64},
        [=](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
          return e.b.CreateAdd(wide(isSigned)(e, a, 0), a[2]);
        },
        [=](ArrayRef<uint64_t> a, uint64_t) { return product(a) + a[2]; });
    add(
        ops, prefix + "mul24", Type::I32, {Type::I32, Type::I32},
        [=](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
          Value *x = e.b.CreateShl(a[0], 8), *y = e.b.CreateShl(a[1], 8);
          x = isSigned ? e.b.CreateAShr(x, 8) : e.b.CreateLShr(x, 8);
          y = isSigned ? e.b.CreateAShr(y, 8) : e.b.CreateLShr(y, 8);
          return e.b.CreateMul(x, y);
        },
        [=](ArrayRef<uint64_t> a, uint64_t) {
          uint64_t x = a[0] & 0xFFFFFF, y = a[1] & 0xFFFFFF;
          return isSigned ? uint64_t(signExtend(x, 24) * signExtend(y, 24)) : x * y;
        });
    // imm: offset in bits 0 .. 4, width - 1 above.
    add(
        ops, prefix + "bfe", Type::I32, {Type::I32},
        [=](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) {
          unsigned offset = imm & 31, width = std::min(unsigned(imm >> 5) + 1, 32 - offset);
          Value *up = e.b.CreateShl(a[0], 32 - offset - width);
          return isSigned ? e.b.CreateAShr(up, 32 - width) : e.b.CreateLShr(up, 32 - width);
        },
        [=](ArrayRef<uint64_t> a, uint64_t imm) {
          unsigned offset = imm & 31, width = std::min(unsigned(imm >> 5) + 1, 32 - offset);
          uint64_t field = a[0] >> offset & maskOf(width);
          return isSigned ? uint64_t(signExtend(field, width)) : field;
        },
        1024);
  }
}

} // namespace

void addCastOps(std::vector<Op> &ops) {
  addWidths(ops);
  addConditions(ops);
  addProducts(ops);
}

} // namespace randomir
