//===- StageNames.cpp - what stages are called ----------------------------===//
// SPDX-License-Identifier: MIT
#include "llpc/StageNames.h"
#include "llvm/ADT/STLExtras.h"
#include <spirv/unified1/spirv.hpp11>

namespace llpc {

namespace {

constexpr uint32_t number(spv::ExecutionModel model) { return static_cast<uint32_t>(model); }

using Model = spv::ExecutionModel;
constexpr StageNames allNames[] = {
    {ShaderStage::Task, "task", "task", "Task", "TaskShader", "TaskEXT", number(Model::TaskEXT),
     0x40},
    {ShaderStage::Vertex, "vertex", "vert", "Vs", "VertexShader", "Vertex", number(Model::Vertex),
     0x1},
    {ShaderStage::TessControl, "tessellation control", "tesc", "Tcs", "TessControlShader",
     "TessellationControl", number(Model::TessellationControl), 0x2},
    {ShaderStage::TessEval, "tessellation evaluation", "tese", "Tes", "TessEvalShader",
     "TessellationEvaluation", number(Model::TessellationEvaluation), 0x4},
    {ShaderStage::Geometry, "geometry", "geom", "Gs", "GeometryShader", "Geometry",
     number(Model::Geometry), 0x8},
    {ShaderStage::Mesh, "mesh", "mesh", "Mesh", "MeshShader", "MeshEXT", number(Model::MeshEXT),
     0x80},
    {ShaderStage::Fragment, "fragment", "frag", "Fs", "FragmentShader", "Fragment",
     number(Model::Fragment), 0x10},
    {ShaderStage::Compute, "compute", "comp", "Cs", "ComputeShader", "GLCompute",
     number(Model::GLCompute), 0x20},
    {ShaderStage::RayGen, "ray generation", "rgen", "rgen", "RayGenShader", "RayGenerationKHR",
     number(Model::RayGenerationKHR), 0x100},
    {ShaderStage::Intersect, "intersection", "rint", "sect", "IntersectionShader",
     "IntersectionKHR", number(Model::IntersectionKHR), 0x1000},
    {ShaderStage::AnyHit, "any-hit", "rahit", "ahit", "AnyHitShader", "AnyHitKHR",
     number(Model::AnyHitKHR), 0x200},
    {ShaderStage::ClosestHit, "closest-hit", "rchit", "chit", "ClosestHitShader", "ClosestHitKHR",
     number(Model::ClosestHitKHR), 0x400},
    {ShaderStage::Miss, "miss", "rmiss", "miss", "MissShader", "MissKHR", number(Model::MissKHR),
     0x800},
    {ShaderStage::Callable, "callable", "rcall", "call", "CallableShader", "CallableKHR",
     number(Model::CallableKHR), 0x2000},
};

consteval bool isInOrder() {
  for (unsigned i = 0; i < std::size(allNames); ++i)
    if (static_cast<unsigned>(allNames[i].stage) != i)
      return false;
  return std::size(allNames) == static_cast<size_t>(ShaderStage::Count);
}
static_assert(isInOrder());

template <typename Predicate> ShaderStage stageWhere(Predicate predicate) {
  const auto *row = llvm::find_if(allNames, predicate);
  return row == std::end(allNames) ? ShaderStage::Count : row->stage;
}

} // namespace

llvm::ArrayRef<StageNames> stageNames() { return allNames; }

llvm::StringRef shaderStageName(ShaderStage stage) {
  return stage < ShaderStage::Count ? llvm::StringRef(namesOf(stage).name) : "unknown";
}

ShaderStage stageOfSuffix(llvm::StringRef suffix) {
  return stageWhere([&](const StageNames &row) { return row.suffix == suffix; });
}

ShaderStage stageOfModel(uint32_t modelNumber) {
  return stageWhere([&](const StageNames &row) { return row.modelNumber == modelNumber; });
}

ShaderStage stageOfVulkan(uint32_t flag) {
  return stageWhere([&](const StageNames &row) { return row.vulkanFlag == flag; });
}

} // namespace llpc
