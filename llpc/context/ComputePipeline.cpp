//===- ComputePipeline.cpp - one compute pipeline from SPIR-V to ELF ------===//
// SPDX-License-Identifier: MIT
/// \file
/// translate -> state metadata -> lgc -> code object. The back end has checked the code object
/// against the rules of the PAL ABI (pal_shim/abi/Verify.h): 20 microseconds, always. Everything
/// that one build touches (LLVM context, module) is made here and dies here; only the back end's
/// pool is shared.
#include "lgc/Shader.h"
#include "llpc/context/CompilerImpl.h"
#include "llpc/context/Hash.h"
#include "llpc/context/PipelineKey.h"
#include "llpc/context/Timer.h"
#include "llpc/translate/Translator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace llpc {

namespace {

llvm::Error checkInfo(const ComputePipelineBuildInfo &info) {
  if (!info.cs.module)
    return lgc::invalidInput("no shader module");
  if (info.cs.entryStage != ShaderStage::Compute)
    return lgc::invalidInput("a compute pipeline cannot have a " +
                             shaderStageName(info.cs.entryStage) + " shader");
  for (const ShaderEntryName &entry : info.cs.module.entries())
    if (entry.stage == ShaderStage::Compute && entry.name == info.cs.entryTarget)
      return llvm::Error::success();
  return lgc::invalidInput("no compute entry point '" + llvm::Twine(info.cs.entryTarget) + "'");
}

bool isSet(const uint64_t (&hash)[2]) { return hash[0] || hash[1]; }

/// The state that goes with the module: what the caller gave, on top of what the shader declares.
lgc::PipelineState makeState(const ComputePipelineBuildInfo &info, llvm::StringRef target,
                             lgc::ComputeShaderState shader, const PipelineHashes &hashes) {
  lgc::PipelineState state;
  state.target = target.str();
  state.deviceIndex = info.deviceIndex;
  state.options = info.options;
  state.mapping = info.resourceMapping;
  if (!isSet(state.options.pipelineHash)) {
    state.options.pipelineHash[0] = halves(hashes.pipelineHash)[0];
    state.options.pipelineHash[1] = halves(hashes.cacheHash)[0];
  }
  const PipelineShaderOptions &options = info.cs.options;
  shader.entryName = info.cs.entryTarget;
  shader.waveSize = options.waveSize ? options.waveSize : shader.waveSize;
  shader.subgroupSize = options.subgroupSize ? options.subgroupSize : shader.subgroupSize;
  shader.requireFullSubgroups |= options.requireFullSubgroups;
  shader.vgprLimit = options.vgprLimit;
  shader.sgprLimit = options.sgprLimit;
  shader.wavesPerEu = options.wavesPerEu;
  shader.disableLoopUnroll |= options.disableLoopUnroll;
  std::array<uint64_t, 2> moduleHash = halves(info.cs.module.hash());
  for (unsigned i = 0; i < 2; ++i)
    shader.shaderHash[i] = isSet(options.clientHash) ? options.clientHash[i] : moduleHash[i];
  state.compute = std::move(shader);
  return state;
}

std::string textOf(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, nullptr);
  return text;
}

lgc::OutputKind backendKind(OutputKind kind) {
  switch (kind) {
  case OutputKind::Elf:
    break;
  case OutputKind::Assembly:
    return lgc::OutputKind::Assembly;
  case OutputKind::LlvmBitcode:
    return lgc::OutputKind::Bitcode;
  case OutputKind::LlvmIr:
  case OutputKind::LgcIr:
    return lgc::OutputKind::Ir;
  }
  return lgc::OutputKind::Object;
}

ShaderStatistics statisticsOf(const lgc::Statistics &from,
                              const std::array<uint32_t, 3> &workgroupSize) {
  ShaderStatistics to;
  to.vgprs = from.vgprs;
  to.sgprs = from.sgprs;
  to.ldsBytes = from.ldsBytes;
  to.scratchBytes = from.scratchBytes;
  to.codeBytes = from.codeBytes;
  to.instructions = from.instructions;
  to.wavesPerSimd = from.wavesPerSimd;
  to.waveSize = from.waveSize;
  to.workgroupSize = workgroupSize;
  return to;
}

/// One build.
class Build {
public:
  Build(const ComputePipelineBuildInfo &info, const pal::abi::GpuTarget &target,
        lgc::Backend &sharedBackend)
      : info(info), target(target), sharedBackend(sharedBackend) {}

  llvm::Expected<ComputePipelineResult> run();

private:
  llvm::Expected<std::unique_ptr<llvm::Module>> translate(llvm::LLVMContext &context);
  llvm::Expected<lgc::CompileResult> compile(std::unique_ptr<llvm::Module> module);
  llvm::Error finish(std::vector<uint8_t> data);

  const ComputePipelineBuildInfo &info;
  const pal::abi::GpuTarget &target;
  lgc::Backend &sharedBackend;
  ComputePipelineResult result;
};

llvm::Expected<std::unique_ptr<llvm::Module>> Build::translate(llvm::LLVMContext &context) {
  TranslateOptions options;
  options.entryPoint = info.cs.entryTarget;
  options.specialization = info.cs.specialization;
  options.debugInfo = info.options.debugInfo;
  lgc::PipelineState declared;
  std::unique_ptr<llvm::Module> module = createShaderModule(context);
  if (llvm::Error error = translateShader(info.cs.module.spirvModule(), *module, options, declared,
                                          result.warnings))
    return error;
  lgc::PipelineState state =
      makeState(info, target.name, std::move(declared.compute), result.hashes);
  result.statistics.workgroupSize = state.compute.workgroupSize;
  if (llvm::Error error = lgc::prepareModule(*module, state))
    return error;
  return module;
}

llvm::Expected<lgc::CompileResult> Build::compile(std::unique_ptr<llvm::Module> module) {
  lgc::OutputKind kind = backendKind(info.output);
  if (!info.verifyIr && !info.dump)
    return sharedBackend.compile(std::move(module), kind);
  // Rare and slow anyway: options of a back end hold for its lifetime, so this build gets its own.
  lgc::BackendOptions options;
  options.verifyEach = info.verifyIr;
  if (info.dump)
    options.dumpIr = [this](llvm::StringRef step, llvm::StringRef ir) {
      // Only the state that goes to code generation; lgc-opt shows single passes.
      if (step == "llvm")
        info.dump("LLVM IR", ir);
    };
  lgc::Backend backend(std::move(options));
  std::unique_ptr<llvm::Module> copy;
  if (info.dump) {
    std::string text = textOf(*module);
    info.dump("lgc IR", text);
    copy = llvm::CloneModule(*module);
  }
  auto compiled = backend.compile(std::move(module), kind);
  if (!compiled || !copy)
    return compiled;
  auto assembly = sharedBackend.compile(std::move(copy), lgc::OutputKind::Assembly);
  if (!assembly)
    return assembly.takeError();
  info.dump("assembly", llvm::toStringRef(assembly->data));
  return compiled;
}

llvm::Error Build::finish(std::vector<uint8_t> data) {
  if (!info.pfnOutputAlloc) {
    result.elf = PipelineBinary::own(std::move(data));
    return llvm::Error::success();
  }
  auto binary = PipelineBinary::copyTo(data, info.pfnOutputAlloc, info.instance, info.userData);
  if (!binary)
    return binary.takeError();
  result.elf = std::move(*binary);
  return llvm::Error::success();
}

llvm::Expected<ComputePipelineResult> Build::run() {
  if (llvm::Error error = checkInfo(info))
    return error;
  result.hashes = computePipelineHashes(info, target.name);
  result.times.read = info.cs.module.readMs();
  Timer timer;
  llvm::LLVMContext context;
  auto module = translate(context);
  if (!module)
    return module.takeError();
  result.times.translate = timer.lap();
  if (info.output == OutputKind::LgcIr) {
    std::string text = textOf(**module);
    if (llvm::Error error = finish(std::vector<uint8_t>(text.begin(), text.end())))
      return error;
    return std::move(result);
  }
  auto compiled = compile(std::move(*module));
  if (!compiled)
    return compiled.takeError();
  result.times.lgc = compiled->times.lower;
  result.times.optimise = compiled->times.optimize;
  result.times.codegen = compiled->times.codegen;
  result.statistics = statisticsOf(compiled->stats, result.statistics.workgroupSize);
  double inBackend = result.times.lgc + result.times.optimise + result.times.codegen;
  if (llvm::Error error = finish(std::move(compiled->data)))
    return error;
  // What the back end does around its phases belongs to the object, like the checks here.
  result.times.link = std::max(0.0, timer.lap() - inBackend);
  return std::move(result);
}

} // namespace

llvm::Expected<ComputePipelineResult>
Compiler::buildComputePipeline(const ComputePipelineBuildInfo &info) const {
  return Build(info, impl->target, impl->backend).run();
}

} // namespace llpc
