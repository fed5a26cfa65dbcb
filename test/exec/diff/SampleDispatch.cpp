//===- SampleDispatch.cpp - generated inputs of a compute shader's module --===//
// SPDX-License-Identifier: MIT
#include "Sample.h"
#include "SampleResources.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

using llpc::spirv::Decoration;
using llpc::spirv::Inst;
using llpc::spirv::Module;
using llvm::Expected;

namespace exec {

namespace {

bool knowsItsWorkgroup(const Module &module) {
  return llvm::any_of(module.globals(), [&](const Inst *inst) {
    const Decoration *builtIn = module.findDecoration(inst->resultId, spv::Decoration::BuiltIn);
    auto kind = builtIn ? static_cast<spv::BuiltIn>(builtIn->operands[0]) : spv::BuiltIn::Max;
    return kind == spv::BuiltIn::WorkgroupId || kind == spv::BuiltIn::GlobalInvocationId;
  });
}

std::array<uint64_t, 3> workgroupSize(const Module &module, const llpc::spirv::EntryPoint &entry,
                                      llpc::ConstantEval &constants) {
  std::array<uint64_t, 3> size = {1, 1, 1};
  for (const llpc::spirv::ExecutionMode &mode : entry.modes) {
    bool isIds = mode.mode == spv::ExecutionMode::LocalSizeId;
    if (isIds || mode.mode == spv::ExecutionMode::LocalSize)
      for (size_t i = 0; i < 3; ++i)
        size[i] = isIds ? constants.evaluate(mode.operands[i]).value_or(1) : mode.operands[i];
  }
  for (const Inst *inst : module.globals()) {
    const Decoration *builtIn = module.findDecoration(inst->resultId, spv::Decoration::BuiltIn);
    if (builtIn && inst->size() == 3 &&
        static_cast<spv::BuiltIn>(builtIn->operands[0]) == spv::BuiltIn::WorkgroupSize)
      for (size_t i = 0; i < 3; ++i)
        size[i] = constants.evaluate((*inst)[i]).value_or(1);
  }
  return size;
}

/// Several workgroups only when they can tell who they are. A second row only where workgroups have
/// rows: others would do the first one's work again, and results in place would depend on the
/// order.
Dispatch dispatchOf(const Module &module, const llpc::spirv::EntryPoint &entry,
                    llvm::ArrayRef<llpc::SpecConstant> specialization) {
  llpc::ConstantEval constants(module, specialization);
  std::array<uint64_t, 3> size = workgroupSize(module, entry, constants);
  Dispatch dispatch;
  if (knowsItsWorkgroup(module))
    for (size_t i = 0; i < 3; ++i)
      dispatch.groups[i] = i == 0 ? 3 : size[i] > 1 ? 2 : 1;
  return dispatch;
}

} // namespace

Expected<Sample> makeSample(const SampleModule &loaded, const std::string &name, uint64_t seed) {
  Sample sample;
  sample.job.name = name;
  sample.job.spirv = loaded.words;
  sample.job.entry = loaded.entry->name.str();
  sample.job.specialization = loaded.specialization;
  Random random(seed);
  SampleResources resources(*loaded.module, loaded.specialization, sample, random,
                            /*isScene=*/false);
  KILN_TRY(resources.add(*loaded.entry));
  sample.job.dispatches.push_back(dispatchOf(*loaded.module, *loaded.entry, loaded.specialization));
  return sample;
}

} // namespace exec
