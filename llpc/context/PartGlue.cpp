//===- PartGlue.cpp - keys and builds of glue -----------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/PhaseClock.h"
#include "llpc/Parts.h"
#include "llpc/context/CompilerImpl.h"
#include "llpc/context/GlueInput.h"
#include "llpc/context/GraphicsChecks.h"
#include "pal_shim/abi/Try.h"

namespace llpc {

using lgc::PartKind;

namespace {

/// What glue consists of besides the state: the signature on the part's side.
lgc::PartInfo glueInfo(const lgc::PartInfo &part, PartKind kind) {
  lgc::PartInfo glue;
  glue.kind = kind;
  if (kind == PartKind::VertexFetch)
    glue.fetch = part.fetch;
  if (kind == PartKind::ColorExport)
    glue.colorExport = part.colorExport;
  return glue;
}

llvm::Expected<PipelineBinary> takeOutput(std::vector<uint8_t> data,
                                          const PipelineBuildInfo &info) {
  if (!info.pfnOutputAlloc)
    return PipelineBinary::own(std::move(data));
  return PipelineBinary::copyTo(data, info.pfnOutputAlloc, info.instance, info.userData);
}

} // namespace

Hash128 Compiler::glueKey(const lgc::Part &part, const GraphicsPipelineBuildInfo &info,
                          PartKind kind) const {
  const llvm::StringRef target = impl->target.name;
  return glueHash(part.info(), glueInput(part.info(), info, kind, target), kind, target);
}

template <typename Compile>
llvm::Expected<std::optional<PartResult>> Compiler::makeGlue(const lgc::Part &part,
                                                             const GraphicsPipelineBuildInfo &info,
                                                             PartKind kind, Compile compile) const {
  KILN_TRY(checkGlueState(info, kind));
  const llvm::StringRef target = impl->target.name;
  lgc::PipelineState state;
  state.target = target.str();
  state.graphics = glueInput(part.info(), info, kind, target);
  PartResult result;
  result.key = glueHash(part.info(), state.graphics, kind, target);
  const lgc::ThreadTime time;
  lgc::PhaseClock clock;
  auto compiled = KILN_TRY(compile(state, glueInfo(part.info(), kind)));
  if (!compiled)
    return std::nullopt;
  result.times.lgc = compiled->times.lower;
  result.times.optimise = compiled->times.optimize;
  result.times.codegen = compiled->times.codegen;
  result.elf = KILN_TRY(takeOutput(std::move(compiled->data), info));
  result.times.link = std::max(0.0, clock.lap() - result.times.total());
  result.times.scaleTo(time.ms());
  return result;
}

llvm::Expected<PartResult> Compiler::buildGlue(const lgc::Part &part,
                                               const GraphicsPipelineBuildInfo &info,
                                               PartKind kind) const {
  using Compiled = std::optional<lgc::CompileResult>;
  auto made = KILN_TRY(makeGlue(
      part, info, kind,
      [&](const lgc::PipelineState &state, const lgc::PartInfo &glue) -> llvm::Expected<Compiled> {
        auto compiled = KILN_TRY(impl->backend.compileGlue(state, glue));
        return compiled;
      }));
  return std::move(*made);
}

llvm::Expected<std::optional<PartResult>>
Compiler::generateGlue(const lgc::Part &part, const GraphicsPipelineBuildInfo &info,
                       PartKind kind) const {
  return makeGlue(part, info, kind,
                  [&](const lgc::PipelineState &state, const lgc::PartInfo &glue) {
                    return impl->backend.generateGlue(state, glue);
                  });
}

} // namespace llpc
