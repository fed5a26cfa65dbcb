//===- ScaleBench.cpp - time and memory against the length of a shader ----===//
// SPDX-License-Identifier: MIT
#include "ScaleBench.h"
#include "Timing.h"
#include "lgc/CompileError.h"
#include "llpc/Compiler.h"
#include "pal_shim/abi/Try.h"
#include "tools/cli/Interrupt.h"
#include "tools/cli/Progress.h"
#include "tools/scale/SizedModule.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <sys/wait.h>

using namespace llvm;

namespace bench {
namespace {

constexpr unsigned sizes[] = {250, 1000, 4000};

struct Row {
  double ms = 0, kib = 0;
  bool isMade = false, isDirect = false;
};

Expected<llpc::ComputePipelineResult>
compile(const llpc::Compiler &compiler, const ScaleOptions &options, ArrayRef<uint32_t> words) {
  auto module = KILN_TRY(compiler.buildShaderModule(
      ArrayRef(reinterpret_cast<const uint8_t *>(words.data()), words.size() * 4)));
  llpc::ComputePipelineBuildInfo info;
  info.cs.module = module;
  info.resourceMapping = KILN_TRY(llpc::Compiler::buildAutoLayout(module, info.cs));
  info.options.optLevel = options.level;
  info.options.tier = options.tier;
  return compiler.buildComputePipeline(info);
}

/// In a process of its own, whose memory is nobody else's.
Row measure(const llpc::Compiler &compiler, const ScaleOptions &options, ArrayRef<uint32_t> words) {
  int ends[2];
  Row row;
  if (pipe(ends))
    return row;
  outs().flush();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    const double before = residentMiB();
    std::vector<double> times;
    for (unsigned round = 0; round < options.rounds; ++round) {
      const double start = threadCpuMs();
      auto result = compile(compiler, options, words);
      times.push_back(threadCpuMs() - start);
      row.isMade = static_cast<bool>(result);
      if (!result) {
        consumeError(result.takeError());
        break;
      }
      row.isDirect = result->isDirect;
    }
    row.ms = median(times);
    row.kib = (peakResidentMiB() - before) * 1024;
    const bool isWritten = write(ends[1], &row, sizeof row) == sizeof row;
    _exit(isWritten ? 0 : 1);
  }
  close(ends[1]);
  if (child < 0 || read(ends[0], &row, sizeof row) != sizeof row)
    row = {};
  close(ends[0]);
  if (child > 0)
    waitpid(child, nullptr, 0);
  return row;
}

std::optional<double> peerMs(radv::RadvPeer &peer, const ScaleOptions &options,
                             ArrayRef<uint32_t> words) {
  const std::string file = options.work + "/scale.spv";
  {
    std::error_code error;
    raw_fd_ostream os(file, error);
    if (error)
      return std::nullopt;
    os.write(reinterpret_cast<const char *>(words.data()), words.size() * 4);
  }
  std::vector<double> times;
  for (unsigned round = 0; round < options.rounds; ++round) {
    auto result = peer.compile(file, false);
    if (!result)
      return std::nullopt;
    times.push_back(result->cpuMs);
  }
  return median(times);
}

} // namespace

int runScaleBench(const llpc::Compiler &compiler, const ScaleOptions &options,
                  radv::RadvPeer *peer) {
  outs() << formatv("{0,-12} {1,6} {2,8} {3,10} {4,8} {5,8} {6,8} {7,10} {8,7}  tier\n", "shader",
                    "size", "instr.", "ms", "us/in.", "KiB/in.", "growth", "peer ms", "of it");
  bool areAllMade = true;
  cli::Progress progress("kiln-bench", "sizes", std::size(scale::pieces) * std::size(sizes),
                         options.quiet);
  for (const scale::PieceName &kind : scale::pieces) {
    double before = 0;
    for (unsigned size : sizes) {
      if (cli::isInterrupted())
        break;
      progress.step();
      const scale::SizedModule module = scale::makeModule({&kind.piece, 1}, size);
      const Row row = measure(compiler, options, module.words);
      areAllMade &= row.isMade;
      const auto theirs = peer && row.isMade ? peerMs(*peer, options, module.words) : std::nullopt;
      progress.clear();
      // The array's instructions are always as many: its elements count.
      const double length = std::max(module.instructions, size);
      const double perInstruction = row.ms * 1000 / length;
      outs() << formatv("{0,-12} {1,6} {2,8} {3,10:f2} {4,8:f2} {5,8:f2} ", kind.name, size,
                        module.instructions, row.ms, perInstruction, row.kib / length)
             << (before ? formatv("{0,8:f2} ", perInstruction / before).str() : "         ");
      if (theirs)
        outs() << formatv("{0,10:f2} {1,7:f2}", *theirs, row.ms / std::max(*theirs, 1e-9));
      else
        outs() << formatv("{0,10} {0,7}", "-");
      outs() << (row.isDirect ? "  direct\n" : row.isMade ? "  llvm\n" : "  failed\n");
      before = perInstruction;
    }
  }
  return areAllMade ? 0 : 1;
}

} // namespace bench
