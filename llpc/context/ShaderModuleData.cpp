//===- ShaderModuleData.cpp - modules to blocks and back ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What needs the compiler's ShaderModule; the block itself is llpc/reflect/ModuleBlock.h.
#include "llpc/ShaderModuleData.h"
#include "lgc/PhaseClock.h"
#include "llpc/context/Hash.h"
#include "llpc/context/ShaderModule.h"
#include "llpc/reflect/ModuleBlock.h"
#include "pal_shim/abi/Try.h"

namespace llpc {

using llvm::Expected;

namespace {

llvm::ArrayRef<uint8_t> bytesOf(const BinaryData &data) {
  return {static_cast<const uint8_t *>(data.pCode), data.codeSize};
}

Hash128 hashOf(const uint32_t (&words)[4]) { return {words[0], words[1], words[2], words[3]}; }

/// Entry points may share their code, so the work of describing them all is a product. Real modules
/// have a few entries; this many visits are some ten milliseconds.
bool isTooMuchWork(uint64_t visited, const spirv::Module &module) {
  return visited > (1u << 20) + 16 * uint64_t(module.instructions().size());
}

} // namespace

llvm::ArrayRef<uint32_t> spirvWordsOf(const ShaderModule &module) {
  return module ? module.spirvModule().words() : llvm::ArrayRef<uint32_t>();
}

EntryFacts entryFactsOf(const ShaderModule &module, ShaderStage stage, llvm::StringRef entryName) {
  const EntryReflection *reflection = module.reflection(stage, entryName);
  if (!reflection)
    return {};
  const EntryTraits &traits = reflection->traits;
  return {.writesPointSize = traits.has(EntryTrait::WritesPointSize),
          .writesShadingRate = traits.has(EntryTrait::WritesShadingRate),
          .hasTransformFeedback = traits.has(EntryTrait::CapturesXfb)};
}

Expected<ShaderModuleBuildOut> buildShaderModuleData(const ShaderModule &module,
                                                     const ShaderModuleBuildInfo &info) {
  if (!module)
    return lgc::invalidInput("no shader module");
  const auto &data = ShaderModuleAccess::data(module);
  if (!info.pfnOutputAlloc)
    return lgc::invalidInput("buildShaderModuleData needs pfnOutputAlloc");
  llvm::SmallVector<ModuleBlockSource::Entry, 4> entries;
  uint64_t visited = 0;
  for (size_t i = 0; i < data.entries.size(); ++i) {
    const EntryReflection &reflection = data.reflection(i);
    if (reflection.error && reflection.error->kind == lgc::ErrorKind::Internal)
      return lgc::makeError(reflection.error->kind, reflection.error->message);
    visited += reflection.visitedInstructions;
    if (isTooMuchWork(visited, *data.module))
      return lgc::limitExceeded("entry points share too much code to describe each");
    entries.push_back({data.entries[i].stage, data.entries[i].name, &reflection});
  }
  const ModuleBlockSource source = {data.hash, data.cacheHash, data.usage, data.module->words(),
                                    entries};
  uint32_t size = KILN_TRY(moduleBlockSize(source));
  void *memory = info.pfnOutputAlloc(info.instance, info.userData, size);
  if (!memory || reinterpret_cast<uintptr_t>(memory) % alignof(ShaderModuleDataEx))
    return lgc::internalError("pfnOutputAlloc gave no memory that fits a shader module block");
  llvm::MutableArrayRef<uint8_t> block(static_cast<uint8_t *>(memory), size);
  writeModuleBlock(source, block);
  relocateWrittenBlock(block);
  return ShaderModuleBuildOut{static_cast<ShaderModuleData *>(memory)};
}

Expected<ShaderModuleBuildOut> buildShaderModuleData(const ShaderModuleBuildInfo &info) {
  auto module = KILN_TRY(Compiler::buildShaderModule(bytesOf(info.shaderBin), info.options));
  return buildShaderModuleData(module, info);
}

Expected<ShaderModule> Compiler::loadShaderModule(const ShaderModuleDataEx &block) {
  const lgc::ThreadTime time;
  auto parsed = KILN_TRY(spirv::Module::parse(bytesOf(block.common.binCode)));
  auto data = std::make_shared<ShaderModule::Data>();
  data->module = std::move(parsed);
  data->hash = hashWords(data->module->words());
  if (data->hash != hashOf(block.common.hash))
    return lgc::invalidInput("shader module block: the hash is not that of its SPIR-V");
  data->cacheHash = hashOf(block.common.cacheHash);
  data->usage = block.common.usage;

  llvm::ArrayRef<spirv::EntryPoint> points = data->module->entryPoints();
  llvm::ArrayRef<ShaderModuleEntryData> entries = entriesOf(block);
  if (points.size() != entries.size())
    return lgc::invalidInput("shader module block: entryCount is not that of its SPIR-V");
  data->reflections = std::make_unique<ShaderModule::Data::LazyReflection[]>(entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    if (stageOf(points[i].model) != entries[i].stage || points[i].name != entries[i].pEntryName)
      return lgc::invalidInput("shader module block: entry " + llvm::Twine(i) +
                               " is not that of its SPIR-V");
    data->entries.push_back({entries[i].stage, points[i].name.str()});
    if (!entries[i].isDescribed) // found out again when it is asked for, with the reason
      continue;
    ShaderModule::Data::LazyReflection &lazy = data->reflections[i];
    std::call_once(lazy.once, [&] { lazy.value = reflectionOf(block, entries[i]); });
  }
  data->readMs = time.ms();
  ShaderModule module;
  module.data = std::move(data);
  return module;
}

} // namespace llpc
