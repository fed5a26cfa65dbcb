//===- Sample.cpp - generated inputs for any compute shader ---------------===//
// SPDX-License-Identifier: MIT
#include "Sample.h"
#include "../script/Script.h"
#include "SampleResources.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <array>

using llpc::spirv::Decoration;
using llpc::spirv::Inst;
using llpc::spirv::Module;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace exec {

Expected<SampleInput> parseSampleInput(StringRef text) {
  SampleInput input;
  input.text = text.str();
  llvm::SmallVector<StringRef, 8> parts;
  text.split(parts, ',');
  input.path = parts[0].str();
  if (parts.size() > 1)
    input.entry = parts[1].str();
  for (StringRef part : llvm::drop_begin(parts, std::min<size_t>(2, parts.size()))) {
    auto [id, value] = part.split('=');
    auto &entry = input.specialization.emplace_back();
    if (id.getAsInteger(10, entry.first) || value.getAsInteger(0, entry.second))
      return failure("'" + part + "' is no ID=VALUE");
  }
  return input;
}

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

/// Bytes of the constant with that SpecId; booleans count as four.
uint32_t constantSize(const Module &module, uint32_t specId) {
  for (const Inst *inst : module.globals()) {
    const Decoration *id = module.findDecoration(inst->resultId, spv::Decoration::SpecId);
    if (!id || id->operands[0] != specId)
      continue;
    const Inst *type = module.definition(inst->typeId);
    return type && type->opcode != spv::Op::OpTypeBool ? (*type)[0] / 8 : 4;
  }
  return 4;
}

StringRef stageNameOf(spv::ExecutionModel model) {
  switch (model) {
  case spv::ExecutionModel::Vertex:
    return "vert";
  case spv::ExecutionModel::TessellationControl:
    return "tesc";
  case spv::ExecutionModel::TessellationEvaluation:
    return "tese";
  case spv::ExecutionModel::Geometry:
    return "geom";
  case spv::ExecutionModel::Fragment:
    return "frag";
  case spv::ExecutionModel::TaskEXT:
    return "task";
  case spv::ExecutionModel::MeshEXT:
    return "mesh";
  default:
    return "comp";
  }
}

} // namespace

Expected<SampleModule> loadSampleModule(const SampleInput &input, spv::ExecutionModel model) {
  auto file = llvm::MemoryBuffer::getFile(input.path);
  if (!file)
    return failure(input.path + ": " + file.getError().message());
  SampleModule loaded;
  const StringRef stage = stageNameOf(model);
  Expected<std::vector<uint32_t>> words =
      compileShader(input.path, (*file)->getBuffer().str(), {}, "vulkan1.3", stage);
  if (!words)
    return words.takeError();
  loaded.words = std::move(*words);
  std::unique_ptr<Module> module = KILN_TRY(Module::parse(llvm::ArrayRef(
      reinterpret_cast<const uint8_t *>(loaded.words.data()), loaded.words.size() * 4)));
  loaded.module = std::move(module);
  for (const llpc::spirv::EntryPoint &candidate : loaded.module->entryPoints())
    if (candidate.model == model && (input.entry.empty() ? !loaded.entry || candidate.name == "main"
                                                         : candidate.name == input.entry))
      loaded.entry = &candidate;
  if (!loaded.entry)
    return failure("no " + stage + " entry point" +
                   Twine(input.entry.empty() ? "" : " " + input.entry));
  for (auto [id, value] : input.specialization)
    loaded.specialization.push_back({id, constantSize(*loaded.module, id), value});
  return loaded;
}

Expected<Sample> makeSample(const SampleInput &input, uint64_t seed) {
  SampleModule loaded = KILN_TRY(loadSampleModule(input, spv::ExecutionModel::GLCompute));
  Sample sample;
  sample.job.name = input.text;
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
