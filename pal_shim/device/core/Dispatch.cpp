//===- Dispatch.cpp - runs the workgroups of a dispatch --------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/Dispatch.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/core/GroupRunner.h"
#include "llvm/Support/Threading.h"
#include <immintrin.h>
#include <numeric>

using namespace llvm;

namespace pal::device {

namespace {

/// The order of workgroups: 0, 1, 2, ... or, seeded, i * step + start modulo their number.
class GroupOrder {
public:
  GroupOrder(uint64_t count, uint64_t seed) : count(count) {
    if (!seed || count < 2)
      return;
    start = seed % count;
    step = (seed / count | 1) % count;
    while (std::gcd(step, count) != 1)
      step = step % count + 1;
  }
  uint64_t operator()(uint64_t i) const {
    return uint64_t((static_cast<unsigned __int128>(i) * step + start) % count);
  }

private:
  uint64_t count, start = 0, step = 1;
};

/// One dispatch: what its threads share.
struct Run {
  DispatchContext &context;
  const LoadedProgram &program;
  const DispatchInfo &info;
  std::shared_ptr<const RegionTable> memory;
  LaunchState state;
  uint64_t groupCount;
  GroupOrder order;
  std::atomic<uint64_t> nextGroup = 0;
  std::atomic<bool> stopped = false;
  std::mutex mutex = {};
  /// Of the workgroup handed out first, of those that faulted.
  std::optional<DeviceFault> fault = std::nullopt;
  uint64_t faultGroup = ~0ull;

  void work();
};

void Run::work() {
  unsigned hostMode = _mm_getcsr();
  MemoryView view(memory, state.tables);
  std::unique_ptr<GroupRunner> runner = context.takeRunner();
  runner->prepare(program.data, state, context, view);
  while (!stopped) {
    uint64_t number = nextGroup++;
    if (number >= groupCount)
      break;
    uint64_t linear = order(number);
    uint32_t x = uint32_t(linear % info.groups[0]);
    uint32_t y = uint32_t(linear / info.groups[0] % info.groups[1]);
    uint32_t z = uint32_t(linear / info.groups[0] / info.groups[1]);
    if (runner->run({info.base[0] + x, info.base[1] + y, info.base[2] + z}))
      continue;
    stopped = true;
    std::lock_guard lock(mutex);
    if (number < faultGroup) {
      faultGroup = number;
      fault = runner->fault;
    }
  }
  runner->account(program.context->counters);
  context.giveBack(std::move(runner));
  _mm_setcsr(hostMode);
}

} // namespace

/// Against absurd requests.
static constexpr unsigned maxThreads = 256;
/// Scratch of all workgroups that run at the same time; one may always run.
static constexpr uint64_t maxScratchBytes = 1ull << 30;

/// Threads that run workgroups of \p program besides the caller's.
static uint64_t helperCount(const ProgramData &program, uint32_t scratchBytes, uint64_t groups,
                            unsigned threads) {
  uint64_t count = std::min<uint64_t>(threads, groups);
  const WaveLaunch &launch = program.launch;
  if (scratchBytes) {
    uint64_t perGroup = uint64_t(threadCount(launch) + launch.waveSize) * scratchBytes;
    count = std::clamp<uint64_t>(maxScratchBytes / perGroup, 1, count);
  }
  return count - 1;
}

DispatchContext::DispatchContext(const DeviceOptions &options) : options(options) {
  threads =
      options.threads ? options.threads : heavyweight_hardware_concurrency().compute_thread_count();
  threads = std::clamp(threads, 1u, maxThreads);
  if (threads > 1)
    pool = std::make_unique<DefaultThreadPool>(hardware_concurrency(threads - 1));
}

DispatchContext::~DispatchContext() = default;

std::unique_ptr<GroupRunner> DispatchContext::takeRunner() {
  std::lock_guard lock(mutex);
  if (idle.empty())
    return std::make_unique<GroupRunner>();
  std::unique_ptr<GroupRunner> runner = std::move(idle.back());
  idle.pop_back();
  return runner;
}

void DispatchContext::giveBack(std::unique_ptr<GroupRunner> runner) {
  std::lock_guard lock(mutex);
  idle.push_back(std::move(runner));
}

void DispatchContext::log(StringRef line) {
  std::lock_guard lock(logMutex);
  if (options.log)
    options.log(line);
  else
    errs() << line << '\n';
}

Error runDispatch(DispatchContext &context, const LoadedProgram &program, const DispatchInfo &info,
                  std::shared_ptr<const RegionTable> memory) {
  uint64_t groups = 1;
  for (uint32_t count : info.groups)
    if (__builtin_mul_overflow(groups, count, &groups))
      return make_error<DeviceFault>(DeviceFault::Kind::BadLaunch, "too many workgroups");
  if (!groups)
    return Error::success();
  LaunchState state = KILN_TRY(prepareLaunch(program.context->target, program.data, info));
  Run run{.context = context,
          .program = program,
          .info = info,
          .memory = std::move(memory),
          .state = std::move(state),
          .groupCount = groups,
          .order = GroupOrder(groups, context.options.seed)};
  if (context.pool && groups > 1) {
    ThreadPoolTaskGroup tasks(*context.pool);
    uint64_t helpers = helperCount(program.data, run.state.scratchBytes, groups, context.threads);
    for (uint64_t i = 0; i < helpers; ++i)
      tasks.async([&run] { run.work(); });
    run.work();
    tasks.wait();
  } else {
    run.work();
  }
  if (run.fault)
    return make_error<DeviceFault>(*run.fault);
  return Error::success();
}

} // namespace pal::device
