//===- PipelineBuild.cpp - what builds of all kinds of pipelines share ----===//
// SPDX-License-Identifier: MIT
/// \file
/// translate -> lgc, with the state -> code object. The back end has checked the code object
/// against the rules of the PAL ABI (pal_shim/abi/Verify.h): 20 microseconds, always. The
/// module is made here and dies here. Its LLVM context is lent by the back end, to one build at a
/// time (lgc/ContextLease.h).
#include "llpc/context/PipelineBuild.h"
#include "lgc/PhaseClock.h"
#include "lgc/Shader.h"
#include "llpc/context/Hash.h"
#include "llpc/context/ShaderModule.h"
#include "llpc/translate/Translator.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace llpc {

namespace {

bool isSet(const uint64_t (&hash)[2]) { return hash[0] || hash[1]; }

/// What the caller says about one shader, on top of what the shader declares.
void applyOptions(lgc::ShaderState &state, const PipelineShaderInfo &shader) {
  const PipelineShaderOptions &options = shader.options;
  state.entryName = shader.entryTarget;
  static_cast<lgc::ShaderOptions &>(state) = options;
  std::array<uint64_t, 2> moduleHash = halves(shader.module.hash());
  for (unsigned i = 0; i < 2; ++i)
    state.shaderHash[i] = isSet(options.clientHash) ? options.clientHash[i] : moduleHash[i];
}

/// What the translator does by an option.
void setShaderOptions(TranslateOptions &to, const PipelineShaderOptions &from) {
  to.viewIndexFromDeviceIndex = from.viewIndexFromDeviceIndex;
  to.keepDenormals32 = from.fp32DenormalMode == DenormalMode::Preserve;
  to.flushDenormals32 = from.fp32DenormalMode == DenormalMode::FlushToZero;
  to.disableFMA = from.disableFMA;
  to.noContractOpDot = from.noContractOpDot;
  to.forceMemoryBarrierScope = from.forceMemoryBarrierScope;
}

void addEmptyFragmentShader(llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  llvm::Function *shader =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                             llvm::GlobalValue::ExternalLinkage,
                             lgc::entryFunctionName(lgc::ShaderStage::Fragment), module);
  llvm::IRBuilder<>(llvm::BasicBlock::Create(context, "", shader)).CreateRetVoid();
}

std::string textOf(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, nullptr);
  return text;
}

/// Names of values are for people; without them a compile takes 3 % fewer instructions.
bool hasTexts(const PipelineBuildInfo &info) {
  return info.output != OutputKind::Elf || info.dump || info.verifyIr || info.options.includeIr ||
         info.options.includeDisassembly || info.options.debugInfo;
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

} // namespace

std::string withArticle(llvm::StringRef noun) {
  bool vowel = !noun.empty() && llvm::StringRef("aeiou").contains(noun.front());
  return (vowel ? "an " : "a ") + noun.str();
}

llvm::Error checkOptions(const PipelineShaderInfo &shader) {
  auto isWave = [](uint32_t size) { return size == 0 || size == 32 || size == 64; };
  if (!isWave(shader.options.waveSize) || !isWave(shader.options.subgroupSize))
    return lgc::invalidInput(shaderStageName(shader.entryStage) +
                             " shader: waveSize and subgroupSize are 0, 32 or 64");
  return llvm::Error::success();
}

llvm::Error checkShader(const PipelineShaderInfo &shader, ShaderStage stage) {
  if (!shader.module)
    return lgc::invalidInput("no shader module");
  if (shader.entryStage != stage)
    return lgc::invalidInput(withArticle(shaderStageName(shader.entryStage)) +
                             " shader cannot be the " + shaderStageName(stage) + " shader");
  ShaderStage otherStage = ShaderStage::Count;
  for (const ShaderEntryName &entry : shader.module.entries()) {
    if (entry.name != shader.entryTarget)
      continue;
    if (entry.stage == stage)
      return llvm::Error::success();
    otherStage = entry.stage;
  }
  std::string message =
      "no " + shaderStageName(stage).str() + " entry point '" + shader.entryTarget + "'";
  if (otherStage != ShaderStage::Count)
    message += "; the one of this name is " + withArticle(shaderStageName(otherStage)) + " shader";
  return lgc::invalidInput(message);
}

ShaderStatistics statisticsOf(const lgc::Statistics &from) {
  ShaderStatistics to;
  to.vgprs = from.vgprs;
  to.sgprs = from.sgprs;
  to.ldsBytes = from.ldsBytes;
  to.scratchBytes = from.scratchBytes;
  to.codeBytes = from.codeBytes;
  to.instructions = from.instructions;
  to.wavesPerSimd = from.wavesPerSimd;
  to.waveSize = from.waveSize;
  return to;
}

/// Places of nodes are added up and made bytes of 32 bits.
static llvm::Error checkMapping(const lgc::ResourceMapping &mapping) {
  constexpr uint32_t limit = 1u << 28;
  llvm::SmallVector<llvm::ArrayRef<lgc::ResourceNode>, 8> tables{mapping.roots};
  while (!tables.empty())
    for (const lgc::ResourceNode &node : tables.pop_back_val()) {
      for (uint32_t dwords : {node.offsetInDwords, node.sizeInDwords, node.strideInDwords})
        if (dwords > limit)
          return lgc::limitExceeded("resource mapping: offset, size or stride of " +
                                    llvm::Twine(dwords) + " dwords; the limit is " +
                                    llvm::Twine(limit));
      tables.push_back(node.table);
    }
  return llvm::Error::success();
}

llvm::Error PipelineBuild::translate(llvm::Module &module, CompleteState complete) {
  KILN_TRY(checkMapping(info.resourceMapping));
  pipelineState.target = target.str();
  for (const auto [index, shader] : llvm::enumerate(shaders)) {
    TranslateOptions options;
    if (rays)
      rays->begin(index, options, pipelineState);
    options.stage = lgcStage(shader->entryStage);
    options.entryPoint = shader->entryTarget;
    options.specialization = shader->specialization;
    if (pipelineState.part.linksConstants) {
      const LinkedConstants &linked = ShaderModuleAccess::data(shader->module).linkedConstants();
      options.linkedConstants = linked.ids;
      for (const LinkedArray &array : linked.workgroupArrays)
        options.linkedArrays.push_back(array.variable);
    }
    options.library = ShaderModuleAccess::data(shader->module).library.get();
    options.debugInfo = info.options.debugInfo;
    setShaderOptions(options, shader->options);
    // Before translation: how matrices lie in a wave follows from target and options.
    applyOptions(pipelineState.shader(options.stage), *shader);
    KILN_TRY(translateShader(shader->module.spirvModule(), module, options, pipelineState,
                             result.warnings));
    if (rays)
      KILN_TRY(rays->end(index, module, pipelineState));
  }
  if (shaders.empty())
    addEmptyFragmentShader(module);
  lgc::PipelineState &state = pipelineState;
  state.deviceIndex = info.deviceIndex;
  state.options = info.options;
  if (isForLlvm)
    state.options.tier = lgc::Tier::Llvm;
  state.mapping = info.resourceMapping;
  setPipelineHash(state.options.pipelineHash, info, result.hashes);
  KILN_TRY(complete(state));
  return hasTexts(info) ? lgc::prepareModule(module, state) : lgc::checkModule(module, state);
}

llvm::Expected<lgc::CompileResult> PipelineBuild::compile(std::unique_ptr<llvm::Module> module) {
  lgc::OutputKind kind = backendKind(info.output);
  if (!info.verifyIr && !info.dump)
    return sharedBackend.compile(std::move(module), pipelineState, kind);
  // Rare and slow anyway: options of a back end hold for its lifetime, so this build gets its own.
  lgc::BackendOptions options;
  options.verifyEach = info.verifyIr;
  if (info.dump)
    options.dumpIr = [this](llvm::StringRef step, llvm::StringRef ir) {
      if (step == "llvm")
        info.dump("LLVM IR", ir);
      else if (info.dumpPasses)
        info.dump(step == "lgc" ? "lgc IR" : ("pass " + step).str(), ir);
    };
  options.nameValues = info.dumpPasses;
  lgc::Backend backend(std::move(options));
  std::unique_ptr<llvm::Module> copy;
  if (info.dump && !info.dumpPasses) {
    std::string text = textOf(*module);
    info.dump("lgc IR", text);
    copy = llvm::CloneModule(*module);
  }
  auto compiled = backend.compile(std::move(module), pipelineState, kind);
  if (!compiled || !copy || compiled->isRefused)
    return compiled;
  if (compiled->isDirect) {
    info.dump("assembly", "; of the direct tier: llvm-objdump -d shows the code object's\n");
    return compiled;
  }
  auto assembly = sharedBackend.compile(std::move(copy), lgc::OutputKind::Assembly);
  if (!assembly)
    return assembly.takeError();
  info.dump("assembly", llvm::toStringRef(assembly->data));
  return compiled;
}

void setPipelineHash(uint64_t (&hash)[2], const PipelineBuildInfo &info,
                     const PipelineHashes &hashes) {
  const bool isGiven = isSet(info.options.pipelineHash);
  hash[0] = isGiven ? info.options.pipelineHash[0] : halves(hashes.pipelineHash)[0];
  hash[1] = isGiven ? info.options.pipelineHash[1] : halves(hashes.cacheHash)[0];
}

llvm::Expected<PipelineBinary> outputBinary(std::vector<uint8_t> data,
                                            const PipelineBuildInfo &info) {
  if (!info.pfnOutputAlloc)
    return PipelineBinary::own(std::move(data));
  return PipelineBinary::copyTo(data, info.pfnOutputAlloc, info.instance, info.userData);
}

llvm::Error PipelineBuild::finish(std::vector<uint8_t> data) {
  result.elf = KILN_TRY(outputBinary(std::move(data), info));
  return llvm::Error::success();
}

/// LLVM's register allocation crashes with less than it needs itself.
static llvm::Error checkLimits(const PipelineShaderInfo &shader) {
  constexpr uint32_t leastSgprs = 16;
  const uint32_t limit = shader.options.sgprLimit;
  if (limit == 0 || limit >= leastSgprs)
    return llvm::Error::success();
  return lgc::invalidInput(shaderStageName(shader.entryStage) + " shader: sgprLimit " +
                           llvm::Twine(limit) + "; the least is " + llvm::Twine(leastSgprs));
}

llvm::Error PipelineBuild::prepare(llvm::Module &module, CompleteState complete) {
  for (const PipelineShaderInfo *shader : shaders) {
    KILN_TRY(checkLimits(*shader));
    result.times.read += shader->module.readMs();
  }
  return translate(module, complete);
}

/// Nothing has happened yet, but that it is known what code generation it will be.
void PipelineBuild::startAgain(const lgc::PipelineState &initial) {
  pipelineState = initial;
  isForLlvm = true;
  result.warnings.clear();
  result.times = {};
}

llvm::Expected<lgc::HalfResults> PipelineBuild::runHalves(CompleteState complete,
                                                          lgc::RunBoth runBoth) {
  const lgc::PipelineState initial = pipelineState;
  lgc::HalfResults halves = KILN_TRY(runHalvesOnce(complete, runBoth));
  if (!halves.preRasterization.isRefused && !halves.fragment.isRefused)
    return halves;
  const std::string refusal = halves.preRasterization.isRefused
                                  ? halves.preRasterization.directRefusal
                                  : halves.fragment.directRefusal;
  startAgain(initial);
  halves = KILN_TRY(runHalvesOnce(complete, runBoth));
  halves.preRasterization.directRefusal = halves.fragment.directRefusal = refusal;
  return halves;
}

lgc::ContextLease PipelineBuild::lendContext() const {
  return hasTexts(info) ? lgc::Backend::makeNamedContext() : sharedBackend.lendContext();
}

llvm::Expected<lgc::HalfResults> PipelineBuild::runHalvesOnce(CompleteState complete,
                                                              lgc::RunBoth runBoth) {
  lgc::ContextLease context = lendContext();
  std::unique_ptr<llvm::Module> module = createShaderModule(*context);
  const lgc::ThreadTime time;
  KILN_TRY(prepare(*module, complete));
  result.times.translate = time.ms();
  const size_t instructions = module->getInstructionCount();
  lgc::HalfResults halves =
      KILN_TRY(sharedBackend.compileHalves(std::move(module), pipelineState, runBoth));
  context.keep(instructions);
  return halves;
}

llvm::Error PipelineBuild::run(CompleteState complete) {
  const lgc::PipelineState initial = pipelineState;
  KILN_TRY(runOnce(complete));
  if (!compileResult.isRefused)
    return llvm::Error::success();
  const std::string refusal = compileResult.directRefusal;
  startAgain(initial);
  KILN_TRY(runOnce(complete));
  result.directRefusal = refusal;
  return llvm::Error::success();
}

void PhaseTimes::scaleTo(double ms) {
  const double scale = lgc::scaleOf(total() - read, ms);
  for (double *phase : {&translate, &lgc, &optimise, &codegen, &link})
    *phase *= scale;
}

llvm::Error PipelineBuild::runOnce(CompleteState complete) {
  lgc::ContextLease context = lendContext();
  std::unique_ptr<llvm::Module> module = createShaderModule(*context);
  const lgc::ThreadTime time;
  lgc::PhaseClock clock;
  KILN_TRY(prepare(*module, complete));
  clock.charge(result.times.translate);
  const size_t instructions = module->getInstructionCount();
  if (info.output == OutputKind::LgcIr) {
    std::string text = textOf(*module);
    return finish(std::vector<uint8_t>(text.begin(), text.end()));
  }
  compileResult = KILN_TRY(compile(std::move(module)));
  context.keep(instructions);
  if (compileResult.isRefused)
    return llvm::Error::success();
  result.times.lgc = compileResult.times.lower;
  result.times.optimise = compileResult.times.optimize;
  result.times.codegen = compileResult.times.codegen;
  result.isDirect = compileResult.isDirect;
  result.directRefusal = compileResult.directRefusal;
  double inBackend = result.times.lgc + result.times.optimise + result.times.codegen;
  KILN_TRY(finish(std::move(compileResult.data)));
  // What the back end does around its phases belongs to the object, like the checks here.
  result.times.link = std::max(0.0, clock.lap() - inBackend);
  result.times.scaleTo(time.ms());
  return llvm::Error::success();
}

} // namespace llpc
