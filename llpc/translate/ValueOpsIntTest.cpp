//===- ValueOpsIntTest.cpp - integer value instructions, rejected types ---===//
// SPDX-License-Identifier: MIT
/// \file
/// The integer half of ValueOpsTest.cpp, and what checkSignature says about wrong types.
#include "llpc/translate/ValueOpsTest.h"
#include <spirv/unified1/GLSL.std.450.h>

using namespace llpc;
using namespace llpc::test;

namespace {

// --- Integers ---

constexpr int32_t numbers[] = {0,  1,   -1,   2,     -2,        3,         7,
                               -7, 100, -100, 65535, INT32_MAX, INT32_MIN, INT32_MIN + 1};

TEST_F(ValueOpsTest, IntegerDivision) {
  for (int32_t x : numbers)
    for (int32_t y : numbers) {
      WaveValue a = waveBits([&](unsigned) { return static_cast<uint32_t>(x); });
      WaveValue c = waveBits([&](unsigned) { return static_cast<uint32_t>(y); });
      auto run = [&](spv::Op opcode) {
        return static_cast<int32_t>(core(opcode, i32, {i32, i32}, {a, c})[0][0].bits);
      };
      // Also for zero divisors and overflow, where any value will do: the interpreter reports a
      // division by zero.
      int32_t quotient = run(spv::Op::OpSDiv), remainder = run(spv::Op::OpSRem);
      int32_t modulo = run(spv::Op::OpSMod);
      auto uquotient = static_cast<uint32_t>(run(spv::Op::OpUDiv));
      auto uremainder = static_cast<uint32_t>(run(spv::Op::OpUMod));
      if (y == 0 || (x == INT32_MIN && y == -1))
        continue;
      EXPECT_EQ(quotient, x / y) << x << " / " << y;
      EXPECT_EQ(remainder, x % y) << x << " % " << y;
      int64_t want = static_cast<int64_t>(x) % y;
      want += want != 0 && (want < 0) != (y < 0) ? y : 0;
      EXPECT_EQ(modulo, want) << x << " mod " << y;
      EXPECT_EQ(uquotient, static_cast<uint32_t>(x) / static_cast<uint32_t>(y));
      EXPECT_EQ(uremainder, static_cast<uint32_t>(x) % static_cast<uint32_t>(y));
    }
}

TEST_F(ValueOpsTest, BitSearch) {
  for (unsigned shift = 0; shift < 33; ++shift)
    for (uint32_t noise : {0u, 0x12345678u})
      for (bool isInverted : {false, true}) {
        uint32_t x = (shift == 32 ? 0 : 1u << shift) | (shift ? noise & ((1ull << shift) - 1) : 0);
        x = isInverted ? ~x : x;
        auto run = [&](GLSLstd450 number) {
          return static_cast<int32_t>(
              glsl(number, i32, {i32}, {waveBits([&](unsigned) { return x; })})[0][0].bits);
        };
        auto highest = [](uint32_t v) { return v ? 31 - std::countl_zero(v) : -1; };
        EXPECT_EQ(run(GLSLstd450FindUMsb), highest(x)) << x;
        EXPECT_EQ(run(GLSLstd450FindSMsb), highest(x >> 31 ? ~x : x)) << x;
        EXPECT_EQ(run(GLSLstd450FindILsb), x ? std::countr_zero(x) : -1) << x;
      }
}

TEST_F(ValueOpsTest, BitFields) {
  const uint64_t base = 0xA5C3F19E8D2B7461ull, insert = 0x0F1E2D3C4B5A6978ull;
  for (unsigned width : {8u, 16u, 32u, 64u}) {
    Type *type = Type::getIntNTy(context, width);
    uint64_t all = width == 64 ? ~0ull : (1ull << width) - 1;
    for (unsigned offset = 0; offset <= width; offset += width / 8)
      for (unsigned count = 0; count + offset <= width; count += width / 8) {
        uint64_t field = count == 64 ? ~0ull : (1ull << count) - 1;
        uint64_t mask = offset == 64 ? 0 : field << offset;
        auto constant = [](uint64_t value) { return waveBits([=](unsigned) { return value; }); };
        WaveValue x = constant(base & all), at = constant(offset), bits = constant(count);
        std::string what = std::to_string(width) + "-bit, " + std::to_string(offset) + " + " +
                           std::to_string(count);
        Scalar inserted = core(spv::Op::OpBitFieldInsert, type, {type, type, i32, i32},
                               {x, constant(insert & all), at, bits})[0][0];
        EXPECT_TRUE(inserted.defined) << what;
        EXPECT_EQ(inserted.bits,
                  ((base & ~mask) | (offset == 64 ? 0 : insert << offset & mask)) & all)
            << what;
        uint64_t value = offset >= width ? 0 : (base & all) >> offset & field;
        EXPECT_EQ(
            core(spv::Op::OpBitFieldUExtract, type, {type, i32, i32}, {x, at, bits})[0][0].bits,
            value)
            << what;
        if (count && count < 64 && value >> (count - 1) & 1)
          value |= ~field;
        EXPECT_EQ(
            core(spv::Op::OpBitFieldSExtract, type, {type, i32, i32}, {x, at, bits})[0][0].bits,
            value & all)
            << what;
      }
  }
}

TEST_F(ValueOpsTest, ShiftsByTooMuchAreDefined) {
  for (spv::Op opcode : {spv::Op::OpShiftLeftLogical, spv::Op::OpShiftRightLogical,
                         spv::Op::OpShiftRightArithmetic}) {
    WaveValue r = core(opcode, i32, {i32, Type::getInt64Ty(context)},
                       {waveBits([](unsigned) { return 0x80000001u; }),
                        waveBits([](unsigned lane) { return lane * 9; })});
    for (unsigned lane = 0; lane < lanes; ++lane)
      EXPECT_TRUE(r[lane][0].defined);
  }
}

TEST_F(ValueOpsTest, ExtendedProducts) {
  auto *pair = StructType::get(i32, i32);
  for (int32_t x : numbers)
    for (int32_t y : numbers) {
      WaveValue a = waveBits([&](unsigned) { return static_cast<uint32_t>(x); });
      WaveValue c = waveBits([&](unsigned) { return static_cast<uint32_t>(y); });
      auto run = [&](spv::Op opcode) {
        LaneValue r = core(opcode, pair, {i32, i32}, {a, c})[0];
        return r[0].bits | r[1].bits << 32;
      };
      uint64_t ux = static_cast<uint32_t>(x), uy = static_cast<uint32_t>(y);
      EXPECT_EQ(run(spv::Op::OpUMulExtended), ux * uy);
      EXPECT_EQ(run(spv::Op::OpSMulExtended), static_cast<uint64_t>(int64_t(x) * y));
      EXPECT_EQ(run(spv::Op::OpIAddCarry), ux + uy);
      EXPECT_EQ(run(spv::Op::OpISubBorrow), (uint32_t(x - int64_t(y))) | uint64_t(ux < uy) << 32);
    }
}

// --- Tables and rejects ---

TEST_F(ValueOpsTest, EveryGlslInstructionHasARow) {
  for (uint32_t number = GLSLstd450Round; number < GLSLstd450Count; ++number) {
    bool found = false;
    for (const ExtEntry &entry : glslStd450Ops())
      found |= entry.number == number;
    // IMix was removed before the set was released.
    EXPECT_EQ(found, number != GLSLstd450IMix) << number;
  }
}

TEST_F(ValueOpsTest, WrongTypesAreRejected) {
  auto *v4 = FixedVectorType::get(f32, 4);
  WaveValue any = broadcast(LaneValue(4));
  core(spv::Op::OpIAdd, i32, {i32, v4}, {any, any});
  EXPECT_EQ(error, "OpExtInst %1 (word 0): operand 1 has type <4 x float>, expected i32");
  core(spv::Op::OpFAdd, i32, {i32, i32}, {any, any});
  EXPECT_EQ(error, "OpExtInst %1 (word 0): result has type i32, expected float scalar or vector");
  core(spv::Op::OpIEqual, Type::getInt1Ty(context), {v4, v4}, {any, any});
  EXPECT_EQ(
      error,
      "OpExtInst %1 (word 0): operand 0 has type <4 x float>, expected integer of 1 component(s)");
  core(spv::Op::OpBitcast, f64, {i32}, {any});
  EXPECT_EQ(error,
            "OpExtInst %1 (word 0): operand 0 has type i32, expected a type as wide as double");
  core(spv::Op::OpSelect, v4, {i32, v4, v4}, {any, any, any});
  EXPECT_EQ(error,
            "OpExtInst %1 (word 0): operand 0 has type i32, expected bool, or bool vector as "
            "long as the result");
  glsl(GLSLstd450Cross, v4, {v4, v4}, {any, any});
  EXPECT_EQ(
      error,
      "OpExtInst %1 (word 0): result has type <4 x float>, expected float vector of 3 components");
}

} // namespace
