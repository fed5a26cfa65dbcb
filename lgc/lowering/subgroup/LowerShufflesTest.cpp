//===- LowerShufflesTest.cpp - shuffles against the definitions -----------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/subgroup/SubgroupForTest.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

using LowerShufflesTest = SubgroupTest;

/// T(T, i32): `source` gives the lane that each lane reads; nothing is expected of inactive ones.
struct MoveCase {
  const char *name;
  OpId id;
  std::function<unsigned(unsigned lane, unsigned operand)> source;
  std::function<unsigned(unsigned)> operand; ///< per lane
  bool isUniform;                            ///< the operand is one constant
};

TEST_F(LowerShufflesTest, Shuffles) {
  auto dynamic = [](unsigned lane) { return static_cast<unsigned>(sample(lane, 5) >> 40 & 63); };
  auto constant = [](unsigned value) { return [value](unsigned) { return value; }; };
  auto xorLane = [](unsigned lane, unsigned x) { return lane ^ x; };
  auto up = [](unsigned lane, unsigned x) { return lane - x; };
  auto down = [](unsigned lane, unsigned x) { return lane + x; };
  auto at = [](unsigned, unsigned x) { return x; };
  auto quad = [](unsigned lane, unsigned x) { return (lane & ~3u) + (x & 3); };
  std::vector<MoveCase> cases = {
      {"shuffle", OpId::SubgroupShuffleOp, at, dynamic, false},
      {"shuffle constant", OpId::SubgroupShuffleOp, at, constant(15), true},
      {"xor dynamic", OpId::SubgroupShuffleXorOp, xorLane, dynamic, false},
      {"up dynamic", OpId::SubgroupShuffleUpOp, up, dynamic, false},
      {"up 1", OpId::SubgroupShuffleUpOp, up, constant(1), true},
      {"down 17", OpId::SubgroupShuffleDownOp, down, constant(17), true},
      {"broadcast 5", OpId::SubgroupBroadcastOp, at, constant(5), true},
      {"quad broadcast 2", OpId::SubgroupQuadBroadcastOp, quad, constant(2), true},
      {"quad broadcast dynamic", OpId::SubgroupQuadBroadcastOp, quad, dynamic, false},
      {"quad swap 0", OpId::SubgroupQuadSwapOp, [](unsigned l, unsigned) { return l ^ 1; },
       constant(0), true},
      {"quad swap 1", OpId::SubgroupQuadSwapOp, [](unsigned l, unsigned) { return l ^ 2; },
       constant(1), true},
      {"quad swap 2", OpId::SubgroupQuadSwapOp, [](unsigned l, unsigned) { return l ^ 3; },
       constant(2), true},
  };
  for (unsigned mask = 0; mask < 64; ++mask)
    cases.push_back({"xor", OpId::SubgroupShuffleXorOp, xorLane, constant(mask), true});
  for (const Config &config : configs())
    for (const MoveCase &c : cases)
      for (Type *type : std::initializer_list<Type *>{b.getInt1Ty(), b.getInt8Ty(), b.getInt32Ty(),
                                                      b.getInt64Ty(), b.getDoubleTy()}) {
        unsigned width = type->getScalarSizeInBits();
        auto value = [&](unsigned lane) {
          return sample(lane, 9) & (width == 64 ? ~0ull : (1ull << width) - 1);
        };
        auto operand = [&](unsigned lane) -> uint64_t { return c.operand(lane); };
        WaveValue result =
            run(config,
                {{type, laneValues(config, value)}, {b.getInt32Ty(), laneValues(config, operand)}},
                type, [&](Function &f) -> Value * {
                  Value *second =
                      c.isUniform ? static_cast<Value *>(b.getInt32(c.operand(0))) : f.getArg(1);
                  return createOp(b, c.id, type, {f.getArg(0), second});
                });
        check(
            config, result,
            [&](unsigned lane) -> std::optional<uint64_t> {
              unsigned source = c.source(lane, c.operand(lane));
              return isActive(config, source) ? std::optional(value(source)) : std::nullopt;
            },
            c.name);
      }
}

TEST_F(LowerShufflesTest, Rotate) {
  for (const Config &config : configs())
    for (unsigned size : {0u, 1u, 2u, 4u, 8u, 16u, 32u, 64u})
      for (unsigned delta : {0u, 1u, 3u, 18u, 35u})
        for (bool isConstant : {false, true}) {
          auto value = [&](unsigned lane) { return sample(lane, 3) & 0xFFFFFFFF; };
          WaveValue result =
              run(config,
                  {{b.getInt32Ty(), laneValues(config, value)},
                   {b.getInt32Ty(), laneValues(config, [&](unsigned) { return delta; })}},
                  b.getInt32Ty(), [&](Function &f) -> Value * {
                    Value *second =
                        isConstant ? static_cast<Value *>(b.getInt32(delta)) : f.getArg(1);
                    return createOp(b, OpId::SubgroupRotateOp, b.getInt32Ty(),
                                    {f.getArg(0), second, b.getInt32(size)});
                  });
          unsigned cluster = size == 0 || size > config.waveSize ? config.waveSize : size;
          check(
              config, result,
              [&](unsigned lane) -> std::optional<uint64_t> {
                unsigned source = lane / cluster * cluster + (lane + delta) % cluster;
                return isActive(config, source) ? std::optional(value(source)) : std::nullopt;
              },
              "rotate");
        }
}

/// Lanes that are computed of the lane's own number and constants.
TEST_F(LowerShufflesTest, KnownLanes) {
  struct Known {
    const char *name;
    std::function<unsigned(unsigned lane)> source;
    std::function<Value *(IRBuilder<> &b, Value *lane)> build;
  };
  std::vector<Known> cases;
  for (uint32_t n : {1u, 2u, 3u, 6u, 8u, 15u, 16u, 17u, 30u, 31u, 32u, 33u, 47u, 48u, 62u, 63u}) {
    auto binary = [&](const char *name, Instruction::BinaryOps op, auto compute) {
      cases.push_back({name, [=](unsigned lane) -> unsigned { return compute(lane, n); },
                       [=](IRBuilder<> &b, Value *lane) -> Value * {
                         return b.CreateBinOp(op, lane, b.getInt32(n));
                       }});
    };
    binary("plus", Instruction::Add, [](unsigned a, unsigned b) { return a + b; });
    binary("minus", Instruction::Sub, [](unsigned a, unsigned b) { return a - b; });
    binary("times", Instruction::Mul, [](unsigned a, unsigned b) { return a * b; });
    binary("and", Instruction::And, [](unsigned a, unsigned b) { return a & b; });
    binary("or", Instruction::Or, [](unsigned a, unsigned b) { return a | b; });
    binary("xor", Instruction::Xor, [](unsigned a, unsigned b) { return a ^ b; });
    binary("right", Instruction::LShr, [](unsigned a, unsigned b) { return b < 32 ? a >> b : 64; });
    binary("left", Instruction::Shl, [](unsigned a, unsigned b) { return b < 32 ? a << b : 64; });
    for (uint32_t size : {8u, 16u, 32u, 64u})
      cases.push_back(
          {"in groups",
           [=](unsigned lane) { return ((lane + n) & (size - 1)) | (lane & ~(size - 1)); },
           [=](IRBuilder<> &b, Value *lane) -> Value * {
             Value *moved = b.CreateAnd(b.CreateAdd(lane, b.getInt32(n)), size - 1);
             return b.CreateOr(moved, b.CreateAnd(lane, ~(size - 1)));
           }});
    cases.push_back(
        {"reversed", [=](unsigned lane) { return n - lane; },
         [=](IRBuilder<> &b, Value *lane) -> Value * { return b.CreateSub(b.getInt32(n), lane); }});
  }
  auto value = [&](unsigned lane) { return sample(lane, 11) & 0xFFFFFFFF; };
  for (const Config &config : configs())
    for (const Known &known : cases) {
      WaveValue result =
          run(config, {{b.getInt32Ty(), laneValues(config, value)}}, b.getInt32Ty(),
              [&](Function &f) -> Value * {
                Value *ones = b.getInt32(~0u);
                Value *lane =
                    b.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_lo, {}, {ones, b.getInt32(0)});
                if (config.waveSize == 64)
                  lane = b.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_hi, {}, {ones, lane});
                return createOp(b, OpId::SubgroupShuffleOp, b.getInt32Ty(),
                                {f.getArg(0), known.build(b, lane)});
              });
      check(
          config, result,
          [&](unsigned lane) -> std::optional<uint64_t> {
            const unsigned source = known.source(lane);
            return isActive(config, source) ? std::optional(value(source)) : std::nullopt;
          },
          known.name);
    }
}

} // namespace
