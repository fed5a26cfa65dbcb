//===- TargetOps.cpp - AMDGPU intrinsics of one lane ------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Definitions: the RDNA ISA manuals' pseudocode of the instruction that each intrinsic stands for.
#include "Program.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include <bit>
#include <cmath>

using namespace llvm;

namespace randomir {

namespace {

using Simple = std::function<uint64_t(ArrayRef<uint64_t>)>;

void add(std::vector<Op> &ops, const char *name, Type result, ArrayRef<Type> args, Emit emit,
         Simple eval) {
  Op op;
  op.name = std::string("amdgcn.") + name;
  op.result = result;
  op.args.assign(args.begin(), args.end());
  op.weight = 3;
  op.emit = std::move(emit);
  op.eval = [=](const Machine &m, ArrayRef<uint64_t> a, uint64_t) {
    return canonicalBits(m, result, eval(a) & maskOf(widthOf(result)));
  };
  ops.push_back(std::move(op));
}

Emit call(Intrinsic::ID id, bool isOverloaded = false) {
  return [=](EmitContext &e, ArrayRef<Value *> a, uint64_t) -> Value * {
    SmallVector<llvm::Type *, 1> types;
    if (isOverloaded)
      types.push_back(a[0]->getType());
    Value *result = e.b.CreateIntrinsic(id, types, a);
    return result->getType()->isFloatingPointTy() ? emitCanonical(e, result) : result;
  };
}

/// V_PERM_B32: bytes of {a, b}, signs, 0 and 255.
uint64_t permute(uint64_t a, uint64_t b, uint64_t selectors) {
  uint64_t data = a << 32 | b, result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned select = selectors >> (8 * i) & 255;
    uint64_t byte = select < 8     ? data >> (8 * select) & 255
                    : select < 12  ? (data >> (16 * (select - 8) + 15) & 1) * 255
                    : select == 12 ? 0
                                   : 255;
    result |= byte << (8 * i);
  }
  return result;
}

uint64_t halfTowardZero(uint64_t bits) {
  float x = std::bit_cast<float>(uint32_t(bits));
  uint64_t nearest = doubleToHalf(x);
  if (std::isinf(x) || std::isnan(x))
    return nearest;
  bool isTooLarge = std::fabs(halfToDouble(nearest)) > std::fabs(double(x));
  return isTooLarge ? nearest - 1 : nearest;
}

void addBytes(std::vector<Op> &ops) {
  const Type i32 = Type::I32;
  add(ops, "perm", i32, {i32, i32, i32}, call(Intrinsic::amdgcn_perm),
      [](ArrayRef<uint64_t> a) { return permute(a[0], a[1], a[2]); });
  add(ops, "alignbyte", i32, {i32, i32, i32}, call(Intrinsic::amdgcn_alignbyte),
      [](ArrayRef<uint64_t> a) { return (a[0] << 32 | a[1]) >> (8 * (a[2] & 3)); });
  add(ops, "ubfe", i32, {i32, i32, i32}, call(Intrinsic::amdgcn_ubfe, true),
      [](ArrayRef<uint64_t> a) { return a[0] >> (a[1] & 31) & maskOf(a[2] & 31); });
  add(ops, "sbfe", i32, {i32, i32, i32}, call(Intrinsic::amdgcn_sbfe, true),
      [](ArrayRef<uint64_t> a) -> uint64_t {
        unsigned width = a[2] & 31, offset = a[1] & 31;
        if (!width)
          return 0;
        return uint64_t(signExtend(uint64_t(signExtend(a[0], 32) >> offset), width));
      });
  add(ops, "sad.u8", i32, {i32, i32, i32}, call(Intrinsic::amdgcn_sad_u8),
      [](ArrayRef<uint64_t> a) {
        uint64_t sum = a[2];
        for (unsigned i = 0; i < 32; i += 8)
          sum += uint64_t(std::abs(int(a[0] >> i & 255) - int(a[1] >> i & 255)));
        return sum;
      });
  add(ops, "lerp", i32, {i32, i32, i32}, call(Intrinsic::amdgcn_lerp), [](ArrayRef<uint64_t> a) {
    uint64_t result = 0;
    for (unsigned i = 0; i < 32; i += 8)
      result |= (((a[0] >> i & 255) + (a[1] >> i & 255) + (a[2] >> i & 1)) >> 1) << i;
    return result;
  });
  add(ops, "sffbh", i32, {i32}, call(Intrinsic::amdgcn_sffbh, true), [](ArrayRef<uint64_t> a) {
    uint32_t x = uint32_t(a[0]);
    uint32_t signs = x >> 31 ? ~x : x;
    return signs ? uint64_t(std::countl_zero(signs)) : ~0ull;
  });
}

void addReals(std::vector<Op> &ops) {
  const Type i32 = Type::I32, f32 = Type::F32;
  Op pack;
  pack.name = "amdgcn.cvt.pkrtz";
  pack.result = i32;
  pack.args = {f32, f32};
  pack.emit = [](EmitContext &e, ArrayRef<Value *> a, uint64_t) {
    Value *pair = e.b.CreateIntrinsic(Intrinsic::amdgcn_cvt_pkrtz, {}, {a[0], a[1]});
    return e.b.CreateBitCast(emitCanonical(e, pair), e.b.getInt32Ty());
  };
  pack.eval = [](const Machine &m, ArrayRef<uint64_t> a, uint64_t) {
    return canonicalBits(m, Type::F16, halfTowardZero(a[1])) << 16 |
           canonicalBits(m, Type::F16, halfTowardZero(a[0]));
  };
  ops.push_back(std::move(pack));

  add(ops, "fmul.legacy", f32, {f32, f32}, call(Intrinsic::amdgcn_fmul_legacy),
      [](ArrayRef<uint64_t> a) -> uint64_t {
        float x = std::bit_cast<float>(uint32_t(a[0])), y = std::bit_cast<float>(uint32_t(a[1]));
        return std::bit_cast<uint32_t>(x == 0 || y == 0 ? 0.0f : x * y);
      });
  auto cube = [](bool wantsId) {
    return [=](ArrayRef<uint64_t> a) -> uint64_t {
      float v[3];
      for (unsigned i = 0; i < 3; ++i)
        v[i] = std::bit_cast<float>(uint32_t(a[i]));
      float x = std::fabs(v[0]), y = std::fabs(v[1]), z = std::fabs(v[2]);
      unsigned axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
      float id = float(2 * axis + (v[axis] < 0)), major = v[axis] * 2;
      return std::bit_cast<uint32_t>(wantsId ? id : major);
    };
  };
  add(ops, "cubeid", f32, {f32, f32, f32}, call(Intrinsic::amdgcn_cubeid), cube(true));
  add(ops, "cubema", f32, {f32, f32, f32}, call(Intrinsic::amdgcn_cubema), cube(false));
  for (Type type : {Type::F16, Type::F32, Type::F64})
    add(ops, (std::string("fract.") + nameOf(type)).c_str(), type, {type},
        call(Intrinsic::amdgcn_fract, true), [=](ArrayRef<uint64_t> a) -> uint64_t {
          if (type == Type::F32) {
            float x = std::bit_cast<float>(uint32_t(a[0]));
            volatile float rest = x - std::floor(x);
            return std::bit_cast<uint32_t>(rest >= 1 ? 0x1.fffffep-1f : float(rest));
          }
          double x = type == Type::F16 ? halfToDouble(a[0]) : std::bit_cast<double>(a[0]);
          double rest = x - std::floor(x);
          if (type == Type::F16)
            return std::min<uint64_t>(doubleToHalf(rest), std::isnan(rest) ? 0x7E00 : 0x3BFF);
          return std::bit_cast<uint64_t>(rest >= 1 ? 0x1.fffffffffffffp-1 : rest);
        });
}

} // namespace

void addTargetOps(std::vector<Op> &ops) {
  addBytes(ops);
  addReals(ops);
}

} // namespace randomir
