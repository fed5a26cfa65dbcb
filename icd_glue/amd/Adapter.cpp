//===- Adapter.cpp - AMD's ICompiler on this compiler ---------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/amd/Adapter.h"
#include "icd_glue/amd/Options.h"
#include "llpc/PipeFile.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace icd::amd {
namespace {

using Vkgc::Result;

Llpc::CacheAccessInfo accessOf(CodeStore::Source source) {
  switch (source) {
  case CodeStore::Source::Kept:
    return Llpc::InternalCacheHit;
  case CodeStore::Source::Linked:
    return Llpc::PartialPipelineHit;
  case CodeStore::Source::Compiled:
    break;
  }
  return Llpc::CacheMiss;
}

llpc::PipelineHashes hashesOf(const llpc::Compiler &compiler,
                              const llpc::ComputePipelineBuildInfo &info) {
  return compiler.hashComputePipeline(info);
}
llpc::PipelineHashes hashesOf(const llpc::Compiler &compiler,
                              const llpc::GraphicsPipelineBuildInfo &info) {
  return compiler.hashGraphicsPipeline(info);
}

/// Other libraries say what primitives there are and whether there are several views; shaders say
/// which ones they take, and whether they ask.
void completeHalf(llpc::GraphicsPipelineBuildInfo &half, bool isFragment) {
  half.stageMask = stageBit(isFragment ? llpc::ShaderStage::Vertex : llpc::ShaderStage::Fragment);
  const uint32_t controlPoints = half.iaState.patchControlPoints;
  llpc::Compiler::guessAssembly(half);
  if (controlPoints)
    half.iaState.patchControlPoints = controlPoints;
  for (unsigned i = 0; i < llpc::graphicsStageCount; ++i) {
    const llpc::PipelineShaderInfo &shader = half.shader(static_cast<llpc::ShaderStage>(i));
    half.iaState.enableMultiView |= shader.module && llpc::Compiler::guessMultiView(shader);
  }
}

} // namespace

Adapter::Adapter(std::unique_ptr<llpc::Compiler> compiler, Settings given, unsigned gfxMajor)
    : settings(std::move(given)), log(settings.logFile), compiler(std::move(compiler)),
      gfxMajor(gfxMajor), store(*this->compiler, settings, log) {}

llvm::Expected<Adapter *> Adapter::create(Vkgc::GfxIpVersion gfxIp,
                                          llvm::ArrayRef<const char *> options) {
  Settings settings = KILN_TRY(parseSettings(options));
  const std::string target = std::to_string(gfxIp.major) + "." + std::to_string(gfxIp.minor) + "." +
                             std::to_string(gfxIp.stepping);
  auto compiler = KILN_TRY(llpc::Compiler::create({.target = target}));
  auto *adapter = new Adapter(std::move(compiler), std::move(settings), gfxIp.major);
  for (const std::string &option : adapter->settings.unknown)
    adapter->log.once(option, "option " + llvm::Twine(option) + " is unknown here");
  return adapter;
}

void Adapter::Destroy() {
  if (settings.stats)
    log.line(compiler->target() + ": " + store.statistics());
  delete this;
}

Result Adapter::fail(llvm::StringRef what, llvm::Error error) {
  const lgc::ErrorText text = lgc::consumeToText(std::move(error));
  log.line(compiler->target() + ": " + what + ": " + lgc::errorKindName(text.kind) + ": " +
           text.message);
  return resultOf(text.kind);
}

template <typename Info> std::string Adapter::dump(const Info &info) {
  if (settings.dumpFolder.empty())
    return {};
  auto dump = llpc::dumpPipeline(info, hashesOf(*compiler, info));
  llvm::Error error = dump ? llpc::writeDump(*dump, settings.dumpFolder) : dump.takeError();
  if (error) {
    fail("dump", std::move(error));
    return {};
  }
  llvm::SmallString<256> path(settings.dumpFolder);
  llvm::sys::path::append(path, dump->fileName);
  return std::string(path);
}

void Adapter::dumpCode(llvm::StringRef pipePath, const Code &code) {
  llvm::SmallString<256> path(pipePath);
  llvm::sys::path::replace_extension(path, "elf");
  // Through a temporary file: other threads may write the same one.
  llvm::Error error = llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    os << llvm::toStringRef(code.elf);
    return llvm::Error::success();
  });
  if (error)
    fail("dump", std::move(error));
}

//===--- Modules ---===//

Result Adapter::BuildShaderModule(const Llpc::ShaderModuleBuildInfo *info,
                                  Llpc::ShaderModuleBuildOut *out) {
  if (!info || !out)
    return Result::ErrorInvalidPointer;
  auto built = buildModule(*info);
  if (!built)
    return fail("shader module", built.takeError());
  out->pModuleData = built->data;
  modules.keep(built->module);
  store.moduleBuilt(built->module, pipelineOptionsOf(info->options.pipelineOptions));
  return Result::Success;
}

//===--- Pipelines ---===//

template <typename From, typename Out, typename Convert>
Result Adapter::build(const From *from, Out *out, llvm::StringRef what, Convert convert) {
  if (!from || !out || !from->pfnOutputAlloc)
    return Result::ErrorInvalidPointer;
  warnOfOptions(log, *from, gfxMajor);
  auto info = convert(*from, Conversion{modules, settings.subgroupSize});
  if (!info)
    return fail(what, info.takeError());
  const std::string pipePath = dump(*info);
  auto found = store.codeOf(*info);
  if (!found)
    return fail(what, found.takeError());
  if (!pipePath.empty())
    dumpCode(pipePath, *found->code);
  const std::vector<uint8_t> &elf = found->code->elf;
  auto copy =
      llpc::PipelineBinary::copyTo(elf, from->pfnOutputAlloc, from->pInstance, from->pUserData);
  if (!copy) {
    fail(what, copy.takeError());
    return Result::ErrorOutOfMemory;
  }
  out->pipelineBin = {copy->bytes().size(), copy->bytes().data()};
  out->pipelineCacheAccess = accessOf(found->source);
  return Result::Success;
}

Result Adapter::BuildGraphicsPipeline(const Vkgc::GraphicsPipelineBuildInfo *info,
                                      Llpc::GraphicsPipelineBuildOut *out, void *) {
  return build(info, out, "graphics pipeline", graphicsInfoOf);
}

Result Adapter::BuildComputePipeline(const Vkgc::ComputePipelineBuildInfo *info,
                                     Llpc::ComputePipelineBuildOut *out, void *) {
  return build(info, out, "compute pipeline", computeInfoOf);
}

Result Adapter::BuildRayTracingPipeline(const Vkgc::RayTracingPipelineBuildInfo *,
                                        Llpc::RayTracingPipelineBuildOut *, void *,
                                        Llpc::IHelperThreadProvider *) {
  return fail("ray tracing pipeline", lgc::unsupported("ray tracing"));
}

//===--- Halves: a driver that hears RequireFullPipeline asks for the whole when it links. ---===//

/// The half becomes a part, of which the whole will be linked.
Result Adapter::buildGraphicsShaderStage(const Vkgc::GraphicsPipelineBuildInfo *info,
                                         Llpc::GraphicsPipelineBuildOut *,
                                         Vkgc::UnlinkedShaderStage stage, void *) {
  if (!info)
    return Result::ErrorInvalidPointer;
  warnOfOptions(log, *info, gfxMajor);
  auto half = graphicsInfoOf(*info, Conversion{modules, settings.subgroupSize, /*isHalf=*/true});
  const bool isFragment = stage == Vkgc::UnlinkedStageFragment;
  if (half) {
    completeHalf(*half, isFragment);
    store.libraryBuilt(*half,
                       isFragment ? lgc::PartKind::Fragment : lgc::PartKind::PreRasterization);
  } else {
    llvm::consumeError(half.takeError()); // links say it
  }
  return Result::RequireFullPipeline;
}
Result Adapter::buildGraphicsPipelineWithElf(const Vkgc::GraphicsPipelineBuildInfo *,
                                             Llpc::GraphicsPipelineBuildOut *,
                                             const Vkgc::BinaryData *) {
  return Result::RequireFullPipeline;
}
Result Adapter::BuildColorExportShader(const Vkgc::GraphicsPipelineBuildInfo *, const void *,
                                       Llpc::GraphicsPipelineBuildOut *, void *) {
  return Result::RequireFullPipeline;
}

/// No driver calls it: 0 is no export format.
unsigned Adapter::ConvertColorBufferFormatToExportFormat(const Llpc::ColorTarget *,
                                                         const bool) const {
  return 0;
}

} // namespace icd::amd
