//===- PairSample.cpp - a generated scene for two shaders -----------------===//
// SPDX-License-Identifier: MIT
#include "PairSample.h"
#include "SceneSample.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Path.h"

using llvm::Expected;
using llvm::StringRef;

namespace exec {

Expected<PairInput> parsePairInput(StringRef text) {
  PairInput input;
  input.text = text.str();
  input.isMultisampled = text.consume_front("4x:");
  llvm::SmallVector<StringRef, 4> parts;
  text.split(parts, '+');
  auto isStage = [](StringRef part, StringRef stage) { // in FILE[,ENTRY[,ID=VALUE...]]
    StringRef name = llvm::sys::path::filename(part.split(',').first);
    return name.ends_with("." + stage.str()) || name.contains("." + stage.str() + ".");
  };
  using Stages = llvm::SmallVector<std::optional<SampleInput> *, 4>;
  Stages stages;
  const size_t count = parts.size();
  if (isStage(parts[0], "mesh") && count == 2)
    stages = {&input.mesh, &input.fragment};
  else if (isStage(parts[0], "task") && count == 3)
    stages = {&input.task, &input.mesh, &input.fragment};
  else if (count == 2 && !parts[1].empty())
    stages = {&input.vertex, &input.fragment};
  else if (count == 3 && !isStage(parts[0], "mesh"))
    stages = {&input.vertex, &input.geometry, &input.fragment};
  else if (count == 4)
    stages = {&input.vertex, &input.control, &input.evaluation, &input.fragment};
  else
    return failure("'" + text +
                   "' is no VERTEX+FRAGMENT, VERTEX+GEOMETRY+FRAGMENT, "
                   "VERTEX+CONTROL+EVALUATION+FRAGMENT, MESH+FRAGMENT or TASK+MESH+FRAGMENT");
  for (auto [part, stage] : llvm::zip(parts, stages)) {
    if (part.empty() && stage == &input.fragment)
      continue;
    SampleInput parsed = KILN_TRY(parseSampleInput(part));
    *stage = std::move(parsed);
  }
  return input;
}

Expected<Sample> makePairSample(const PairInput &input, uint64_t seed) {
  SceneModules modules;
  struct Stage {
    const std::optional<SampleInput> &input;
    spv::ExecutionModel model;
    std::optional<SampleModule> &module;
  };
  const Stage stages[] = {
      {input.vertex, spv::ExecutionModel::Vertex, modules.vertex},
      {input.control, spv::ExecutionModel::TessellationControl, modules.control},
      {input.evaluation, spv::ExecutionModel::TessellationEvaluation, modules.evaluation},
      {input.geometry, spv::ExecutionModel::Geometry, modules.geometry},
      {input.task, spv::ExecutionModel::TaskEXT, modules.task},
      {input.mesh, spv::ExecutionModel::MeshEXT, modules.mesh},
      {input.fragment, spv::ExecutionModel::Fragment, modules.fragment},
  };
  for (const Stage &stage : stages)
    if (stage.input)
      stage.module = KILN_TRY(loadSampleModule(*stage.input, stage.model));
  return makeSceneSample(modules, input.text, input.isMultisampled, seed);
}

} // namespace exec
