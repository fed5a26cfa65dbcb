//===- SubgroupForTest.h - lane operations against their definitions ------===//
// SPDX-License-Identifier: MIT
/// \file
/// Lowers one operation, runs the result on the lockstep interpreter under several execution masks,
/// wave sizes and generations, and compares every active lane with what the SPIR-V specification
/// defines. Expected values are computed lane by lane from the definitions alone.
#pragma once

#include "lgc/Ops.h"
#include "lgc/StateMetadata.h"
#include "lgc/ir/TestInterpreter.h"
#include "lgc/lowering/Passes.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/Verifier.h"
#include "gtest/gtest.h"
#include <functional>

namespace lgc::test {

struct Config {
  const char *target;
  unsigned waveSize;
  uint64_t active;
};

inline std::vector<Config> configs() {
  std::vector<Config> list;
  for (const char *target : {"gfx1010", "gfx1100", "gfx1201"})
    for (unsigned waveSize : {32u, 64u})
      for (uint64_t mask :
           {~0ull, 0x0123456789ABCDEFull, 0xFFFFFFFF00000000ull, 0x8000000100008001ull}) {
        uint64_t active = waveSize == 64 ? mask : (mask ^ mask >> 32) & 0xFFFFFFFF;
        if (mask == ~0ull)
          active = waveSize == 64 ? mask : 0xFFFFFFFF;
        if (active)
          list.push_back({target, waveSize, active});
      }
  return list;
}

inline bool isActive(const Config &config, unsigned lane) {
  return lane < config.waveSize && (config.active >> lane & 1);
}

/// A repeatable mixture of values.
inline uint64_t sample(unsigned lane, unsigned salt) {
  uint64_t x = (lane + 1) * 0x9E3779B97F4A7C15ull + salt * 0xD1B54A32D192ED03ull;
  x ^= x >> 29;
  return x * 0xBF58476D1CE4E5B9ull;
}

struct SubgroupTest : testing::Test {
  llvm::LLVMContext context;
  llvm::IRBuilder<> b{context};

  /// Calls `build` in a function with one parameter per entry of `arguments`, lowers, runs.
  WaveValue run(const Config &config, llvm::ArrayRef<std::pair<llvm::Type *, WaveValue>> arguments,
                llvm::Type *resultType, std::function<llvm::Value *(llvm::Function &)> build) {
    llvm::Module module("m", context);
    PipelineState state;
    state.target = config.target;
    state.compute.waveSize = config.waveSize;
    writeState(module, state);
    llvm::SmallVector<llvm::Type *> types;
    for (const auto &argument : arguments)
      types.push_back(argument.first);
    auto *function = llvm::Function::Create(llvm::FunctionType::get(resultType, types, false),
                                            llvm::GlobalValue::ExternalLinkage, "f", module);
    b.SetInsertPoint(llvm::BasicBlock::Create(context, "", function));
    b.CreateRet(build(*function));
    llvm::ModuleAnalysisManager mam;
    mam.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
    mam.registerPass([] { return StateAnalysis(); });
    LowerSubgroupPass().run(module, mam);
    std::string problems;
    llvm::raw_string_ostream os(problems);
    EXPECT_FALSE(llvm::verifyModule(module, &os)) << problems;
    WaveInterpreter interpreter(config.waveSize, config.active);
    interpreter.isWide = llvm::StringRef(config.target).starts_with("gfx12");
    for (unsigned i = 0; i < arguments.size(); ++i)
      interpreter.setArgument(*function->getArg(i), arguments[i].second);
    WaveValue result = interpreter.run(*function);
    EXPECT_EQ(interpreter.unknown, "");
    return result;
  }

  /// One word per lane; inactive lanes hold nothing.
  WaveValue laneValues(const Config &config, std::function<uint64_t(unsigned)> value) {
    WaveValue wave;
    for (unsigned lane = 0; lane < config.waveSize; ++lane)
      wave.push_back({Scalar{value(lane), isActive(config, lane)}});
    return wave;
  }

  using Expected = std::function<std::optional<uint64_t>(unsigned)>;
  /// Compares active lanes; lanes without an expectation may have any value.
  void check(const Config &config, const WaveValue &result, const Expected &expected,
             const std::string &what) {
    for (unsigned lane = 0; lane < config.waveSize; ++lane) {
      std::optional<uint64_t> want = isActive(config, lane) ? expected(lane) : std::nullopt;
      if (!want)
        continue;
      const Scalar &got = result[lane][0];
      ASSERT_TRUE(got.defined && got.bits == *want)
          << what << " on " << config.target << " wave" << config.waveSize << " mask " << std::hex
          << config.active << " lane " << std::dec << lane << ": got " << std::hex << got.bits
          << (got.defined ? "" : " (undefined)") << ", want " << *want;
    }
  }
};

} // namespace lgc::test
