//===- LowerSubgroupTest.cpp - subgroup lowering against the definitions --===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/subgroup/SubgroupForTest.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

struct LowerSubgroupTest : SubgroupTest {
  void checkArith(const Config &config, GroupArith arith, Type *type, GroupScan scan,
                  unsigned size);
};

/// x op y on bit patterns of `type`, and the identity.
uint64_t fold(GroupArith arith, Type *type, uint64_t x, uint64_t y) {
  unsigned width = type->getScalarSizeInBits();
  if (type->isFloatingPointTy()) {
    double p = toDouble(x, type), q = toDouble(y, type);
    double r = arith == GroupArith::FAdd   ? p + q
               : arith == GroupArith::FMul ? p * q
               : arith == GroupArith::FMin ? std::fmin(p, q)
                                           : std::fmax(p, q);
    return fromDouble(r, type);
  }
  APInt p(width, x, false, true), q(width, y, false, true);
  switch (arith) {
  case GroupArith::IAdd:
    return (p + q).getZExtValue();
  case GroupArith::IMul:
    return (p * q).getZExtValue();
  case GroupArith::SMin:
    return APIntOps::smin(p, q).getZExtValue();
  case GroupArith::UMin:
    return APIntOps::umin(p, q).getZExtValue();
  case GroupArith::SMax:
    return APIntOps::smax(p, q).getZExtValue();
  case GroupArith::UMax:
    return APIntOps::umax(p, q).getZExtValue();
  case GroupArith::And:
    return (p & q).getZExtValue();
  case GroupArith::Or:
    return (p | q).getZExtValue();
  default:
    return (p ^ q).getZExtValue();
  }
}

uint64_t identity(GroupArith arith, Type *type) {
  unsigned width = type->getScalarSizeInBits();
  switch (arith) {
  case GroupArith::IMul:
    return 1;
  case GroupArith::FMul:
    return fromDouble(1, type);
  case GroupArith::FMin:
    return fromDouble(INFINITY, type);
  case GroupArith::FMax:
    return fromDouble(-INFINITY, type);
  case GroupArith::SMin:
    return APInt::getSignedMaxValue(width).getZExtValue();
  case GroupArith::SMax:
    return APInt::getSignedMinValue(width).getZExtValue();
  case GroupArith::UMin:
  case GroupArith::And:
    return APInt::getAllOnes(width).getZExtValue();
  default:
    return 0;
  }
}

void LowerSubgroupTest::checkArith(const Config &config, GroupArith arith, Type *type,
                                   GroupScan scan, unsigned size) {
  unsigned width = type->getScalarSizeInBits();
  auto input = [&](unsigned lane) -> uint64_t {
    uint64_t x = sample(lane, static_cast<unsigned>(arith));
    // Small whole numbers, so that sums and products are exact in any order.
    if (type->isFloatingPointTy())
      return fromDouble(arith == GroupArith::FMul ? (x & 4            ? -1
                                                     : lane % 16 == 3 ? 2
                                                                      : 1)
                                                  : static_cast<int>(x % 17) - 8,
                        type);
    return width == 64 ? x : x & ((1ull << width) - 1);
  };
  WaveValue result =
      run(config, {{type, laneValues(config, input)}}, type, [&](Function &f) -> Value * {
        return createOp(b, OpId::SubgroupArithOp, type,
                        {b.getInt32(static_cast<uint32_t>(arith)),
                         b.getInt32(static_cast<uint32_t>(scan)), f.getArg(0), b.getInt32(size)});
      });
  unsigned cluster = size == 0 || size > config.waveSize ? config.waveSize : size;
  check(
      config, result,
      [&](unsigned lane) {
        uint64_t sum = identity(arith, type);
        for (unsigned other = 0; other < config.waveSize; ++other) {
          bool takes = scan == GroupScan::Reduce      ? other / cluster == lane / cluster
                       : scan == GroupScan::Inclusive ? other <= lane
                                                      : other < lane;
          if (takes && isActive(config, other))
            sum = fold(arith, type, sum, input(other));
        }
        return std::optional<uint64_t>(sum);
      },
      "arith " + std::to_string(static_cast<int>(arith)) + " scan " +
          std::to_string(static_cast<int>(scan)) + " size " + std::to_string(size) + " width " +
          std::to_string(width));
}

TEST_F(LowerSubgroupTest, Arithmetic) {
  std::vector<std::pair<GroupScan, unsigned>> cases = {{GroupScan::Inclusive, 0},
                                                       {GroupScan::Exclusive, 0}};
  for (unsigned size : {0, 1, 2, 4, 8, 16, 32, 64})
    cases.push_back({GroupScan::Reduce, size});
  using A = GroupArith;
  const A intOps[] = {A::IAdd, A::IMul, A::SMin, A::UMin, A::SMax, A::UMax, A::And, A::Or, A::Xor};
  const A floatOps[] = {A::FAdd, A::FMul, A::FMin, A::FMax};
  const A boolOps[] = {A::And, A::Or, A::Xor};
  for (const Config &config : configs())
    for (auto [scan, size] : cases) {
      for (Type *type : {b.getInt8Ty(), b.getInt16Ty(), b.getInt32Ty(), b.getInt64Ty()})
        for (A arith : intOps)
          checkArith(config, arith, type, scan, size);
      for (Type *type : {b.getHalfTy(), b.getFloatTy(), b.getDoubleTy()})
        for (A arith : floatOps)
          checkArith(config, arith, type, scan, size);
      for (A arith : boolOps)
        checkArith(config, arith, b.getInt1Ty(), scan, size);
    }
}

// --- Votes and ballots ---

/// Lanes of `members` that are active and have the condition.
struct Votes {
  bool any = false, all = true;
};

Votes votes(const Config &config, unsigned first, unsigned count,
            const std::function<uint64_t(unsigned)> &condition) {
  Votes v;
  for (unsigned lane = first; lane < first + count; ++lane)
    if (isActive(config, lane)) {
      v.any |= condition(lane) != 0;
      v.all &= condition(lane) != 0;
    }
  return v;
}

TEST_F(LowerSubgroupTest, Votes) {
  for (const Config &config : configs())
    for (unsigned kind = 0; kind < 3; ++kind) {
      auto condition = [&](unsigned lane) -> uint64_t {
        return kind == 2 ? sample(lane, 1) >> 20 & 1 : kind;
      };
      auto vote = [&](OpId id, std::function<uint64_t(unsigned)> expected) {
        WaveValue result = run(
            config, {{b.getInt1Ty(), laneValues(config, condition)}}, b.getInt1Ty(),
            [&](Function &f) -> Value * { return createOp(b, id, b.getInt1Ty(), {f.getArg(0)}); });
        check(
            config, result, [&](unsigned lane) { return std::optional(expected(lane)); },
            opName(id).str());
      };
      Votes wave = votes(config, 0, config.waveSize, condition);
      vote(OpId::SubgroupAllOp, [&](unsigned) { return wave.all; });
      vote(OpId::SubgroupAnyOp, [&](unsigned) { return wave.any; });
      vote(OpId::SubgroupAllEqualOp, [&](unsigned) { return wave.all || !wave.any; });
      vote(OpId::SubgroupQuadAllOp,
           [&](unsigned lane) { return votes(config, lane & ~3u, 4, condition).all; });
      vote(OpId::SubgroupQuadAnyOp,
           [&](unsigned lane) { return votes(config, lane & ~3u, 4, condition).any; });
    }
}

TEST_F(LowerSubgroupTest, AllEqualOfFloats) {
  const Config config{"gfx1100", 32, 0xFFFFFFFF};
  auto allEqual = [&](float first, float other) {
    WaveValue input = laneValues(config, [&](unsigned lane) -> uint64_t {
      return std::bit_cast<uint32_t>(lane == 0 ? first : other);
    });
    return run(config, {{b.getFloatTy(), input}}, b.getInt1Ty(),
               [&](Function &f) -> Value * {
                 return createOp(b, OpId::SubgroupAllEqualOp, b.getInt1Ty(), {f.getArg(0)});
               })[0][0]
        .bits;
  };
  EXPECT_EQ(allEqual(1, 1), 1u);
  EXPECT_EQ(allEqual(0.0f, -0.0f), 1u);
  EXPECT_EQ(allEqual(1, 2), 0u);
  EXPECT_EQ(allEqual(NAN, NAN), 0u);
}

TEST_F(LowerSubgroupTest, Elect) {
  for (const Config &config : configs()) {
    WaveValue result = run(config, {}, b.getInt1Ty(), [&](Function &) -> Value * {
      return createOp(b, OpId::SubgroupElectOp, b.getInt1Ty(), {});
    });
    auto first = static_cast<unsigned>(std::countr_zero(config.active));
    check(
        config, result, [&](unsigned lane) { return std::optional<uint64_t>(lane == first); },
        "elect");
  }
}

TEST_F(LowerSubgroupTest, BallotBits) {
  auto *v4i32 = FixedVectorType::get(b.getInt32Ty(), 4);
  for (const Config &config : configs()) {
    auto condition = [&](unsigned lane) { return sample(lane, 2) >> 17 & 1; };
    uint64_t mask = 0;
    for (unsigned lane = 0; lane < config.waveSize; ++lane)
      if (isActive(config, lane))
        mask |= condition(lane) << lane;
    WaveValue input = laneValues(config, condition);
    auto bits = [&](Type *type, std::function<Value *(Value *)> build,
                    std::function<uint64_t(unsigned)> expected, const char *what) {
      WaveValue result = run(config, {{b.getInt1Ty(), input}}, type, [&](Function &f) {
        return build(createOp(b, OpId::SubgroupBallotOp, v4i32, {f.getArg(0)}));
      });
      check(config, result, [&](unsigned lane) { return std::optional(expected(lane)); }, what);
    };
    for (unsigned word = 0; word < 4; ++word)
      bits(
          b.getInt32Ty(), [&](Value *v) { return b.CreateExtractElement(v, word); },
          [&](unsigned) { return word < 2 ? mask >> (32 * word) & 0xFFFFFFFF : 0; }, "ballot");
    bits(
        b.getInt1Ty(),
        [&](Value *v) { return createOp(b, OpId::SubgroupInverseBallotOp, b.getInt1Ty(), {v}); },
        [&](unsigned lane) { return mask >> lane & 1; }, "inverse ballot");
    for (unsigned lane = 0; lane < config.waveSize; ++lane)
      bits(
          b.getInt1Ty(),
          [&](Value *v) {
            return createOp(b, OpId::SubgroupBallotBitExtractOp, b.getInt1Ty(),
                            {v, b.getInt32(lane)});
          },
          [&](unsigned) { return mask >> lane & 1; }, "bit extract");
    for (unsigned scan = 0; scan < 3; ++scan)
      bits(
          b.getInt32Ty(),
          [&](Value *v) {
            return createOp(b, OpId::SubgroupBallotBitCountOp, b.getInt32Ty(),
                            {b.getInt32(scan), v});
          },
          [&](unsigned lane) -> uint64_t {
            uint64_t below = (1ull << lane) - 1, own = 1ull << lane;
            uint64_t used = scan == 0 ? ~0ull : scan == 1 ? below | own : below;
            return static_cast<uint64_t>(std::popcount(mask & used));
          },
          "bit count");
    if (!mask)
      continue;
    bits(
        b.getInt32Ty(),
        [&](Value *v) { return createOp(b, OpId::SubgroupBallotFindLsbOp, b.getInt32Ty(), {v}); },
        [&](unsigned) { return static_cast<uint64_t>(std::countr_zero(mask)); }, "find lsb");
    bits(
        b.getInt32Ty(),
        [&](Value *v) { return createOp(b, OpId::SubgroupBallotFindMsbOp, b.getInt32Ty(), {v}); },
        [&](unsigned) { return static_cast<uint64_t>(63 - std::countl_zero(mask)); }, "find msb");
  }
}

TEST_F(LowerSubgroupTest, Swizzles) {
  for (const Config &config : configs()) {
    auto value = [&](unsigned lane) { return sample(lane, 7) & 0xFFFFFFFF; };
    WaveValue input = laneValues(config, value);
    auto swizzle = [&](OpId id, ArrayRef<uint32_t> pattern,
                       std::function<unsigned(unsigned)> source) {
      WaveValue result =
          run(config, {{b.getInt32Ty(), input}}, b.getInt32Ty(), [&](Function &f) -> Value * {
            return createOp(b, id, b.getInt32Ty(),
                            {f.getArg(0), ConstantDataVector::get(context, pattern)});
          });
      check(
          config, result,
          [&](unsigned lane) -> std::optional<uint64_t> {
            return isActive(config, source(lane)) ? value(source(lane)) : 0;
          },
          opName(id).str());
    };
    swizzle(OpId::SubgroupSwizzleQuadOp, {2, 0, 3, 1},
            [](unsigned lane) { return (lane & ~3u) + std::array{2u, 0u, 3u, 1u}[lane & 3]; });
    swizzle(OpId::SubgroupSwizzleMaskedOp, {0x1C, 1, 0x0A},
            [](unsigned lane) { return (lane & 32) | ((((lane & 31) & 0x1C) | 1) ^ 0x0A); });
  }
}

TEST_F(LowerSubgroupTest, TypesThatDoNotFitAreReported) {
  struct Count : DiagnosticHandler {
    int &errors;
    explicit Count(int &errors) : errors(errors) {}
    bool handleDiagnostics(const DiagnosticInfo &) override { return ++errors; }
  };
  int errors = 0;
  context.setDiagnosticHandler(std::make_unique<Count>(errors));
  const Config config{"gfx1100", 32, 1};
  run(config, {{b.getInt32Ty(), laneValues(config, [](unsigned) { return 0; })}}, b.getInt32Ty(),
      [&](Function &f) -> Value * {
        return createOp(b, OpId::SubgroupArithOp, b.getInt32Ty(),
                        {b.getInt32(static_cast<uint32_t>(GroupArith::FMul)), b.getInt32(0),
                         f.getArg(0), b.getInt32(0)});
      });
  EXPECT_EQ(errors, 1);
}

} // namespace
