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
  return makeSample(loaded, input.text, seed);
}

} // namespace exec
