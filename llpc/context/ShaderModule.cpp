//===- ShaderModule.cpp - parse, hash and describe a module ---------------===//
// SPDX-License-Identifier: MIT
#include "llpc/context/ShaderModule.h"
#include "lgc/PhaseClock.h"
#include "llpc/Kernels.h"
#include "llpc/StageNames.h"
#include "llpc/context/AutoLayout.h"
#include "llpc/context/Hash.h"
#include "llpc/reflect/KernelArguments.h"
#include "llpc/reflect/KernelLibrary.h"
#include "llpc/spirv/TrimDebug.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"

namespace llpc {

namespace {

/// Capabilities whose code sees how many invocations share a subgroup.
constexpr spv::Capability subgroupCapabilities[] = {
    spv::Capability::GroupNonUniform,
    spv::Capability::SubgroupBallotKHR,
    spv::Capability::SubgroupVoteKHR,
    spv::Capability::Groups,
};

} // namespace

ShaderStage stageOf(spv::ExecutionModel model) {
  return stageOfModel(static_cast<uint32_t>(model));
}

spv::ExecutionModel executionModelOf(ShaderStage stage) {
  return stage < ShaderStage::Count ? static_cast<spv::ExecutionModel>(namesOf(stage).modelNumber)
                                    : spv::ExecutionModel::Max;
}

const spirv::EntryPoint *findEntryPoint(const spirv::Module &module, ShaderStage stage,
                                        llvm::StringRef name) {
  const bool isKernel = stage == ShaderStage::Compute && spirv::isKernelModule(module);
  return module.findEntryPoint(isKernel ? spv::ExecutionModel::Kernel : executionModelOf(stage),
                               name);
}

ShaderModuleUsage collectModuleUsage(const spirv::Module &module) {
  ShaderModuleUsage usage;
  usage.enableVarPtr = module.hasCapability(spv::Capability::VariablePointers);
  usage.enableVarPtrStorageBuf =
      usage.enableVarPtr || module.hasCapability(spv::Capability::VariablePointersStorageBuffer);
  usage.keepUnusedFunctions = module.hasCapability(spv::Capability::Linkage);
  usage.enableRayQuery = module.hasCapability(spv::Capability::RayQueryKHR);
  usage.useHelpInvocation = module.hasCapability(spv::Capability::DemoteToHelperInvocation);
  usage.useSubgroupSize = llvm::any_of(subgroupCapabilities,
                                       [&](spv::Capability c) { return module.hasCapability(c); });
  for (const spirv::Inst *inst : module.globals()) {
    usage.useSpecConstant |= inst->opcode == spv::Op::OpSpecConstant ||
                             inst->opcode == spv::Op::OpSpecConstantTrue ||
                             inst->opcode == spv::Op::OpSpecConstantFalse;
    if (inst->opcode != spv::Op::OpVariable)
      continue;
    const auto *builtIn = module.findDecoration(inst->resultId, spv::Decoration::BuiltIn);
    if (builtIn && !builtIn->operands.empty())
      usage.useHelpInvocation |=
          static_cast<spv::BuiltIn>(builtIn->operands[0]) == spv::BuiltIn::HelperInvocation;
  }
  return usage;
}

const Hash128 &ShaderModule::hash() const { return data->hash; }
const Hash128 &ShaderModule::cacheHash() const { return data->cacheHash; }
const ShaderModuleUsage &ShaderModule::usage() const { return data->usage; }
const spirv::Module &ShaderModule::spirvModule() const { return *data->module; }
llvm::ArrayRef<ShaderEntryName> ShaderModule::entries() const { return data->entries; }
double ShaderModule::readMs() const { return data->readMs; }

const EntryReflection &ShaderModule::Data::reflection(size_t entry) const {
  LazyReflection &lazy = reflections[entry];
  std::call_once(lazy.once,
                 [&] { lazy.value = reflectEntry(*module, module->entryPoints()[entry]); });
  return lazy.value;
}

llvm::ArrayRef<SpecDefault> ShaderModule::Data::specDefaults() const {
  std::call_once(lazySpecDefaults.once,
                 [&] { lazySpecDefaults.value = collectSpecDefaults(*module); });
  return lazySpecDefaults.value;
}

const LinkedConstants &ShaderModule::Data::linkedConstants() const {
  std::call_once(lazyLinkedConstants.once, [&] {
    if (usage.useSpecConstant)
      lazyLinkedConstants.value = collectLinkedConstants(*module);
  });
  return lazyLinkedConstants.value;
}

const EntryReflection *ShaderModule::reflection(ShaderStage stage,
                                                llvm::StringRef entryName) const {
  if (!data)
    return nullptr;
  for (size_t i = 0; i < data->entries.size(); ++i)
    if (data->entries[i].stage == stage && data->entries[i].name == entryName)
      return &data->reflection(i);
  return nullptr;
}

/// \p time: since reading began.
static ShaderModule moduleOf(std::unique_ptr<spirv::Module> parsed,
                             const ShaderModuleOptions &options, const lgc::ThreadTime &time,
                             std::shared_ptr<const KernelLibrary> library = nullptr) {
  auto data = std::make_shared<ShaderModuleAccess::Data>();
  data->module = std::move(parsed);
  data->hash = hashWords(data->module->words());
  data->cacheHash =
      options.trimDebugInfo ? hashWords(spirv::trimDebugInfo(*data->module)) : data->hash;
  if (library && mayUseLibrary(*data->module)) {
    for (Hash128 *hash : {&data->hash, &data->cacheHash}) {
      llvm::SmallVector<uint32_t, 8> both(hash->begin(), hash->end());
      both.append(library->hash.begin(), library->hash.end());
      *hash = hashWords(both);
    }
    data->library = std::move(library);
  }
  data->usage = collectModuleUsage(*data->module);
  for (const spirv::EntryPoint &entry : data->module->entryPoints())
    data->entries.push_back(
        {entry.model == spv::ExecutionModel::Kernel ? ShaderStage::Compute : stageOf(entry.model),
         entry.name.str()});
  data->reflections =
      std::make_unique<ShaderModuleAccess::Data::LazyReflection[]>(data->entries.size());
  data->readMs = time.ms();
  return ShaderModuleAccess::make(std::move(data));
}

llvm::Expected<ShaderModule> Compiler::buildShaderModule(llvm::ArrayRef<uint8_t> spirv,
                                                         const ShaderModuleOptions &options) {
  const lgc::ThreadTime time;
  return moduleOf(KILN_TRY(spirv::Module::parse(spirv)), options, time);
}

std::shared_ptr<const KernelLibrary> makeKernelLibrary(std::vector<uint8_t> spirv) {
  const Hash128 hash = hashBytes(spirv);
  return std::make_shared<const KernelLibrary>(std::move(spirv), hash);
}

llvm::Expected<ShaderModule> buildKernelModule(llvm::ArrayRef<uint8_t> spirv,
                                               const ShaderModuleOptions &options,
                                               std::shared_ptr<const KernelLibrary> library) {
  const lgc::ThreadTime time;
  return moduleOf(KILN_TRY(spirv::parseKernels(spirv)), options, time, std::move(library));
}

llvm::Expected<KernelInterface> kernelInterface(const ShaderModule &module,
                                                llvm::StringRef kernel) {
  const spirv::EntryPoint *entry =
      module ? module.spirvModule().findEntryPoint(spv::ExecutionModel::Kernel, kernel) : nullptr;
  if (!entry)
    return lgc::invalidInput("no kernel '" + kernel + "'");
  return kernelInterfaceOf(module.spirvModule(), *entry);
}

llvm::Expected<ResourceMappingData> Compiler::buildAutoLayout(const ShaderModule &module,
                                                              const PipelineShaderInfo &shader) {
  if (!module)
    return lgc::invalidInput("no shader module");
  const spirv::EntryPoint *entry =
      findEntryPoint(module.spirvModule(), shader.entryStage, shader.entryTarget);
  if (!entry)
    return lgc::invalidInput("no " + shaderStageName(shader.entryStage) + " entry point '" +
                             shader.entryTarget + "'");
  auto usage = KILN_TRY(collectResourceUsage(module.spirvModule(), *entry, shader.specialization));
  return llpc::buildAutoLayout(usage);
}

} // namespace llpc
