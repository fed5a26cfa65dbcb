//===- FuzzScale.cpp - fuzz target: time against the length of a shader ---===//
// SPDX-License-Identifier: MIT
/// \file
/// Bytes say of which pieces a shader is made, and for which target it is.
/// The shader is compiled short and eight times as long, and must not take more than three times
/// eight times as long for it: what grows with the square takes up to 64 times. What is compared
/// are instructions that the processor executed, where the kernel counts them, and else CPU time.
/// Where it seems to grow faster both are measured again, and the least counts.
#include "llpc/Compiler.h"
#include "tools/scale/SizedModule.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iterator>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

constexpr size_t mostPieces = 3;
constexpr unsigned shortSize = 256, factor = 8;
constexpr double tolerance = 3;
constexpr unsigned attempts = 4;
/// Below it fixed costs, caches and allocation decide: microseconds, or instructions.
constexpr double leastMicroseconds = 100'000, leastInstructions = 400e6;
constexpr const char *targets[] = {"gfx1100", "gfx1010", "gfx1030", "gfx1201"};

/// Of the calling thread.
class Cost {
public:
  Cost() {
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
    attributes.exclude_kernel = attributes.exclude_hv = 1;
    counter = static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
    uint64_t value = 0;
    if (counter >= 0 && (read(counter, &value, sizeof value) != sizeof value || !value)) {
      close(counter);
      counter = -1;
    }
  }
  double now() const {
    uint64_t value = 0;
    if (counter >= 0 && read(counter, &value, sizeof value) == sizeof value)
      return static_cast<double>(value);
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) * 1e-3;
  }
  double least() const { return counter >= 0 ? leastInstructions : leastMicroseconds; }

private:
  int counter;
};

const llpc::Compiler &compiler(size_t target) {
  static std::unique_ptr<llpc::Compiler> instances[std::size(targets)];
  std::unique_ptr<llpc::Compiler> &instance = instances[target];
  if (!instance) {
    auto created = llpc::Compiler::create({.target = targets[target]});
    if (!created)
      std::abort();
    instance = std::move(*created);
  }
  return *instance;
}

llvm::Error compile(size_t target, llvm::ArrayRef<uint32_t> words) {
  auto module = compiler(target).buildShaderModule(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(words.data()), words.size() * 4));
  if (!module)
    return module.takeError();
  llpc::ComputePipelineBuildInfo info;
  info.cs.module = *module;
  info.options.tier = lgc::Tier::Direct;
  auto mapping = llpc::Compiler::buildAutoLayout(*module, info.cs);
  if (!mapping)
    return mapping.takeError();
  info.resourceMapping = std::move(*mapping);
  return compiler(target).buildComputePipeline(info).takeError();
}

double measure(const Cost &cost, size_t target, llvm::ArrayRef<uint32_t> words) {
  const double start = cost.now();
  if (llvm::Error error = compile(target, words)) {
    // All of them are valid, and within the limits.
    std::fprintf(stderr, "fuzz-scale: %s\n", lgc::consumeToText(std::move(error)).message.c_str());
    std::abort();
  }
  return cost.now() - start;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2)
    return 0;
  static const Cost cost;
  const size_t target = data[0] % std::size(targets);
  std::vector<scale::Piece> what;
  for (size_t i = 1; i < std::min(size, mostPieces + 1); ++i)
    what.push_back(scale::pieces[data[i] % scale::pieces.size()].piece);
  const scale::SizedModule shorter = scale::makeModule(what, shortSize);
  const scale::SizedModule longer = scale::makeModule(what, shortSize * factor);
  double shortCost = 0, longCost = 0;
  for (unsigned attempt = 0; attempt < attempts; ++attempt) {
    const double first = measure(cost, target, shorter.words);
    const double second = measure(cost, target, longer.words);
    shortCost = attempt ? std::max(shortCost, first) : first;
    longCost = attempt ? std::min(longCost, second) : second;
    if (longCost <= std::max(shortCost * factor * tolerance, cost.least()))
      return 0;
  }
  std::fprintf(stderr, "fuzz-scale: %u instructions cost %.0f, %u cost %.0f\n",
               shorter.instructions, shortCost, longer.instructions, longCost);
  std::abort();
}
