//===- GraphicsHalves.cpp - a graphics pipeline by two threads ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Eight tenths of a compile come after the stages have been linked to each other. There the module
/// becomes two (lgc-keep-half), which are compiled like parts, one by a second thread, and linked.
/// The result is the same whether the second thread can be had or not.
///
///                                     - keep fragment shader - generate \
///   translate all - link interfaces                                       linkParts
///                                     - keep vertex stages   - generate /
#include "llpc/context/GraphicsHalves.h"
#include "lgc/Link.h"
#include "lgc/PhaseClock.h"
#include "llpc/Thread.h"
#include "llpc/context/PipelineBuild.h"
#include "pal_shim/abi/Try.h"
#include <optional>

namespace llpc {
namespace {

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
  to.lgc += from.lgc;
  to.optimise += from.optimise;
  to.codegen += from.codegen;
  to.link += from.link;
}

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
  auto builds = buildHalves(info, hashes, target, backend, runBoth);
  if (!builds)
    return ownDefect(builds.takeError());
  auto vertex = lgc::Part::create(builds->preRasterization.elf.bytes());
  auto fragment = lgc::Part::create(builds->fragment.elf.bytes());
  if (llvm::Error error = llvm::joinErrors(vertex.takeError(), fragment.takeError()))
    return ownDefect(std::move(error));
  GraphicsPipelineResult result = std::move(builds->fragment);
  addTimes(result.times, builds->preRasterization.times);
  result.stages.insert(result.stages.begin(),
                       std::make_move_iterator(builds->preRasterization.stages.begin()),
                       std::make_move_iterator(builds->preRasterization.stages.end()));
  const lgc::ThreadTime time;
  lgc::LinkOptions options;
  setPipelineHash(options.pipelineHash, info, hashes);
  lgc::LinkParts parts;
  parts.preRasterization = vertex->get();
  parts.fragment = fragment->get();
  auto linked = lgc::linkParts(parts, lgc::LinkLayout(info.resourceMapping), options);
  if (!linked)
    return ownDefect(linked.takeError());
  result.elf = KILN_TRY(outputBinary(std::move(*linked), info));
  result.times.link += time.ms();
  return result;
}

} // namespace llpc
