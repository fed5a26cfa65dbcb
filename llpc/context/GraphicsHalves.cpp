//===- GraphicsHalves.cpp - a graphics pipeline by two threads ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Nine tenths of a compile come after the stages have been linked to each other. So both halves of
/// the pipeline (lgc-keep-half) are compiled like parts, one by a second thread, and linked. The
/// result is the same whether the second thread can be had or not.
///
///   translate all - link interfaces - keep vertex stages   - generate \
///                                                                       linkParts
///   translate all - link interfaces - keep fragment shader - generate /
#include "llpc/context/GraphicsHalves.h"
#include "lgc/Link.h"
#include "llpc/Thread.h"
#include "llpc/context/PipelineBuild.h"
#include "llpc/context/Timer.h"
#include "pal_shim/abi/Try.h"
#include <optional>

namespace llpc {
namespace {

using Half = lgc::PartState::Half;
using Built = llvm::Expected<GraphicsPipelineResult>;

/// Runs both functions, at once when the system gives a thread.
void runBoth(llvm::function_ref<void()> here, llvm::function_ref<void()> there) {
  Thread thread;
  const bool started = thread.start([there] { there(); });
  here();
  if (!started)
    there();
}

void addTimes(PhaseTimes &to, const PhaseTimes &from) {
  to.translate += from.translate; // reading the modules happened once
  to.lgc += from.lgc;
  to.optimise += from.optimise;
  to.codegen += from.codegen;
  to.link += from.link;
}

/// What one thread makes.
struct HalfBuild {
  std::optional<Built> result;
  std::shared_ptr<const lgc::Part> part; ///< of `result`; null when there was an error

  void run(const GraphicsPipelineBuildInfo &info, Half half, const PipelineHashes &hashes,
           llvm::StringRef target, lgc::Backend &backend) {
    lgc::PartState state;
    state.half = half;
    result.emplace(buildGraphics(info, state, hashes, target, backend));
    if (!*result)
      return;
    auto read = lgc::Part::create((*result)->elf.bytes());
    if (read)
      part = std::move(*read);
    else
      *result = read.takeError();
  }
};

/// Internal errors are ours. After any other one the pipeline is compiled monolithically: its error
/// is the one to report, and layouts that linking does not take (tables in tables) are good enough
/// for it.
std::optional<Built> ownDefect(llvm::Error error) {
  lgc::ErrorText text = lgc::consumeToText(std::move(error));
  if (text.kind != lgc::ErrorKind::Internal)
    return std::nullopt;
  return lgc::internalError(text.message);
}

} // namespace

bool hasHalves(const GraphicsPipelineBuildInfo &info) {
  const bool isPlain = info.output == OutputKind::Elf && !info.verifyIr && !info.dump &&
                       !info.options.includeIr && !info.options.includeDisassembly;
  // Attributes of primitives are numbered behind those of vertices, which only the mesh shader has.
  return isPlain && info.fs.module && !info.mesh.module && !info.task.module &&
         !info.rsState.rasterizerDiscardEnable && (info.vs.module || info.tes.module);
}

std::optional<Built> buildGraphicsHalves(const GraphicsPipelineBuildInfo &info,
                                         const PipelineHashes &hashes, llvm::StringRef target,
                                         lgc::Backend &backend) {
  GraphicsPipelineBuildInfo plain = info;
  plain.pfnOutputAlloc = nullptr; // for the linked code object only
  HalfBuild vertex, fragment;
  runBoth([&] { vertex.run(plain, Half::PreRasterization, hashes, target, backend); },
          [&] { fragment.run(plain, Half::Fragment, hashes, target, backend); });
  llvm::Error error = llvm::joinErrors(vertex.result->takeError(), fragment.result->takeError());
  if (error)
    return ownDefect(std::move(error));
  GraphicsPipelineResult result = std::move(**vertex.result);
  GraphicsPipelineResult &other = **fragment.result;
  addTimes(result.times, other.times);
  for (HardwareStageStatistics &stage : other.stages)
    result.stages.push_back(std::move(stage));
  Timer timer;
  lgc::LinkOptions options;
  setPipelineHash(options.pipelineHash, info, hashes);
  lgc::LinkParts parts;
  parts.preRasterization = vertex.part.get();
  parts.fragment = fragment.part.get();
  auto linked = lgc::linkParts(parts, lgc::LinkLayout(info.resourceMapping), options);
  if (!linked)
    return ownDefect(linked.takeError());
  result.elf = KILN_TRY(outputBinary(std::move(*linked), info));
  result.times.link += timer.lap();
  return result;
}

} // namespace llpc
