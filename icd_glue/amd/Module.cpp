//===- Module.cpp - shader modules as AMD's drivers keep them -------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/amd/Module.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <new>

namespace icd::amd {
namespace {

constexpr size_t headBytes = llvm::alignTo<16>(sizeof(Vkgc::ShaderModuleData));

/// The driver's allocator, asked for room in front of what the compiler wants.
struct Allocation {
  const Llpc::ShaderModuleBuildInfo &info;
  void *block = nullptr;

  static void *allocate(void *self, void *, size_t size) {
    auto &allocation = *static_cast<Allocation *>(self);
    const Llpc::ShaderModuleBuildInfo &info = allocation.info;
    allocation.block = info.pfnOutputAlloc(info.pInstance, info.pUserData, headBytes + size);
    return allocation.block ? static_cast<char *>(allocation.block) + headBytes : nullptr;
  }
};

/// What drivers program registers and choose profiles by.
void fillUsage(Vkgc::ShaderModuleUsage &usage, const llpc::ShaderModule &module) {
  const llpc::ShaderModuleUsage &known = module.usage();
  usage.enableVarPtrStorageBuf = known.enableVarPtrStorageBuf;
  usage.enableVarPtr = known.enableVarPtr;
  usage.useSubgroupSize = known.useSubgroupSize;
  usage.useSpecConstant = known.useSpecConstant;
  usage.keepUnusedFunctions = known.keepUnusedFunctions;
  usage.enableRayQuery = known.enableRayQuery;
  for (const llpc::ShaderEntryName &entry : module.entries()) {
    const llpc::EntryFacts facts = llpc::entryFactsOf(module, entry.stage, entry.name);
    usage.usePointSize |= facts.writesPointSize;
    usage.useShadingRate |= facts.writesShadingRate;
    usage.enableXfb |= facts.hasTransformFeedback;
  }
}

} // namespace

llvm::Expected<BuiltModule> buildModule(const Llpc::ShaderModuleBuildInfo &info) {
  if (!info.pfnOutputAlloc)
    return lgc::invalidInput("no pfnOutputAlloc");
  if (!info.shaderBin.pCode)
    return lgc::invalidInput("no shader binary");
  const llvm::ArrayRef spirv(static_cast<const uint8_t *>(info.shaderBin.pCode),
                             info.shaderBin.codeSize);
  BuiltModule built;
  built.module = KILN_TRY(llpc::Compiler::buildShaderModule(spirv));
  Allocation allocation{info};
  llpc::ShaderModuleBuildInfo inner;
  inner.instance = &allocation;
  inner.pfnOutputAlloc = Allocation::allocate;
  const llpc::ShaderModuleBuildOut out = KILN_TRY(llpc::buildShaderModuleData(built.module, inner));
  auto *data = new (allocation.block) Vkgc::ShaderModuleData{};
  const llpc::ShaderModuleData &known = *out.pModuleData;
  llvm::copy(known.hash, data->hash);
  llvm::copy(known.cacheHash, data->cacheHash);
  data->binType = Vkgc::BinaryType::Spirv;
  data->binCode = {known.binCode.codeSize, known.binCode.pCode};
  fillUsage(data->usage, built.module);
  built.data = data;
  return built;
}

const llpc::ShaderModuleDataEx &blockOf(const Vkgc::ShaderModuleData &data) {
  return *reinterpret_cast<const llpc::ShaderModuleDataEx *>(reinterpret_cast<const char *>(&data) +
                                                             headBytes);
}

void ModuleCache::keep(const llpc::ShaderModule &module) {
  std::lock_guard lock(mutex);
  if (auto it = index.find(module.hash()); it != index.end()) {
    entries.splice(entries.begin(), entries, it->second);
    return;
  }
  entries.push_front({module, llpc::spirvWordsOf(module).size() * 4});
  index[module.hash()] = entries.begin();
  bytes += entries.front().bytes;
  while (bytes > budget && entries.size() > 1) {
    bytes -= entries.back().bytes;
    index.erase(entries.back().module.hash());
    entries.pop_back();
  }
}

llvm::Expected<llpc::ShaderModule> ModuleCache::moduleOf(const Vkgc::ShaderModuleData &data) {
  const llpc::ShaderModuleDataEx &block = blockOf(data);
  if (block.magic != llpc::ShaderModuleDataEx::blockMagic)
    return lgc::invalidInput("shader module data of another compiler");
  llpc::Hash128 hash;
  llvm::copy(block.common.hash, hash.begin());
  {
    std::lock_guard lock(mutex);
    if (auto it = index.find(hash); it != index.end()) {
      entries.splice(entries.begin(), entries, it->second);
      return it->second->module;
    }
  }
  auto module = KILN_TRY(llpc::Compiler::loadShaderModule(block));
  keep(module);
  return module;
}

} // namespace icd::amd
