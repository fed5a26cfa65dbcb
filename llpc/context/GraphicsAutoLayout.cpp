//===- GraphicsAutoLayout.cpp - state for graphics shaders without any ----===//
// SPDX-License-Identifier: MIT
/// \file
/// A shader file on a command line says nothing about the pipeline that it belongs to. What can be
/// concluded from the shaders:
///  - resources: the layout of AutoLayout.cpp over what all stages use together;
///  - vertex input: each location that the vertex shader reads is a binding of its own with that
///    number, tightly packed, in the format that is the input's type;
///  - colour targets: each location that the fragment shader writes is a target in the format that
///    is the output's type, so that nothing is lost; output index 1 means dual source blending;
///  - topology: what the geometry shader takes; a patch list for tessellation, with as many control
///    points as the control shader makes (else as the domain has corners); else a triangle list.
/// State that the caller has set stays.
///   before: in vec3 position at 0; in vec4 weights at 3; out vec4 colour at 0
///   after:  bindings 0 (12 bytes) and 3 (16 bytes), attributes R32G32B32_SFLOAT and
///           R32G32B32A32_SFLOAT; target 0 R32G32B32A32_SFLOAT; triangle list
#include "llpc/Formats.h"
#include "llpc/context/AutoLayout.h"
#include "llpc/context/PipelineBuild.h"
#include "llpc/context/ShaderModule.h"
#include "llpc/reflect/StageInterface.h"
#include "pal_shim/abi/Try.h"

namespace llpc {

using lgc::NumericKind;
using lgc::TexelLayout;
using lgc::Topology;
using llvm::Error;

namespace {

const spirv::EntryPoint &entryOf(const PipelineShaderInfo &shader) {
  const spirv::EntryPoint *entry = shader.module.spirvModule().findEntryPoint(
      executionModelOf(shader.entryStage), shader.entryTarget);
  KILN_CHECK(entry, "entry point was checked before");
  return *entry;
}

lgc::TexelFormat formatOf(const InterfaceSlot &slot) {
  static constexpr TexelLayout layouts[4][4] = {
      {TexelLayout::R8, TexelLayout::RG8, TexelLayout::RGB8, TexelLayout::RGBA8},
      {TexelLayout::R16, TexelLayout::RG16, TexelLayout::RGB16, TexelLayout::RGBA16},
      {TexelLayout::R32, TexelLayout::RG32, TexelLayout::RGB32, TexelLayout::RGBA32},
      {TexelLayout::R64, TexelLayout::RG64, TexelLayout::RGB64, TexelLayout::RGBA64}};
  const unsigned width = slot.bits == 8 ? 0 : slot.bits == 16 ? 1 : slot.bits == 32 ? 2 : 3;
  lgc::TexelFormat format;
  format.layout = layouts[width][slot.components - 1];
  format.kind = slot.base == InterfaceSlot::Base::Float  ? NumericKind::Float
                : slot.base == InterfaceSlot::Base::Sint ? NumericKind::Sint
                                                         : NumericKind::Uint;
  return format;
}

Error layOutVertexInput(const PipelineShaderInfo &vs, VertexInputInfo &input) {
  auto slots = KILN_TRY(collectInputs(vs.module.spirvModule(), entryOf(vs)));
  for (const InterfaceSlot &slot : slots) {
    lgc::VertexBinding binding;
    binding.binding = slot.location;
    binding.stride = slot.components * slot.bits / 8;
    input.bindings.push_back(binding);
    VertexAttributeInfo attribute;
    attribute.location = slot.location;
    attribute.binding = slot.location;
    attribute.format = vkFormatOf(formatOf(slot));
    input.attributes.push_back(attribute);
  }
  return Error::success();
}

Error layOutTargets(const PipelineShaderInfo &fs, ColorBlendState &blend) {
  auto slots = KILN_TRY(collectOutputs(fs.module.spirvModule(), entryOf(fs)));
  for (const InterfaceSlot &slot : slots) {
    blend.dualSourceBlendEnable |= slot.index == 1;
    // Others are an error of the build, which names them.
    if (slot.location >= maxColorTargets || slot.index)
      continue;
    InterfaceSlot target = slot;
    // No colour target has three components.
    target.components = target.components == 3 ? 4 : target.components;
    blend.target[slot.location].format = vkFormatOf(formatOf(target));
    blend.target[slot.location].blendEnable = blend.dualSourceBlendEnable;
  }
  if (blend.dualSourceBlendEnable)
    blend.target[0].blendEnable = true;
  return Error::success();
}

bool hasMode(const PipelineShaderInfo &shader, spv::ExecutionMode mode) {
  if (!shader.module)
    return false;
  const spirv::EntryPoint *entry = shader.module.spirvModule().findEntryPoint(
      executionModelOf(shader.entryStage), shader.entryTarget);
  return entry && any_of(entry->modes, [&](const spirv::ExecutionMode &declared) {
           return declared.mode == mode;
         });
}

constexpr uint32_t allStreams = 0xF; ///< as many as transform feedback has

uint32_t controlPointsOf(const GraphicsPipelineBuildInfo &info) {
  if (info.tcs.module)
    for (const spirv::ExecutionMode &declared : entryOf(info.tcs).modes)
      if (declared.mode == spv::ExecutionMode::OutputVertices && !declared.operands.empty() &&
          declared.operands[0] - 1 < 32)
        return declared.operands[0];
  for (const PipelineShaderInfo *shader : {&info.tcs, &info.tes}) {
    if (hasMode(*shader, spv::ExecutionMode::Quads))
      return 4;
    if (hasMode(*shader, spv::ExecutionMode::Isolines))
      return 2;
  }
  return 3;
}

} // namespace

Topology Compiler::takenTopology(const GraphicsPipelineBuildInfo &info) {
  if (info.allStages() & (stageBit(ShaderStage::TessControl) | stageBit(ShaderStage::TessEval)))
    return Topology::PatchList;
  static constexpr std::pair<spv::ExecutionMode, Topology> rows[] = {
      {spv::ExecutionMode::InputPoints, Topology::PointList},
      {spv::ExecutionMode::InputLines, Topology::LineList},
      {spv::ExecutionMode::InputLinesAdjacency, Topology::LineListAdjacency},
      {spv::ExecutionMode::Triangles, Topology::TriangleList},
      {spv::ExecutionMode::InputTrianglesAdjacency, Topology::TriangleListAdjacency}};
  for (const auto &[mode, topology] : rows)
    if (hasMode(info.gs, mode))
      return topology;
  return Topology::TriangleList;
}

uint32_t Compiler::emittedStreams(const PipelineShaderInfo &shader) {
  const spirv::Module &module = shader.module.spirvModule();
  uint32_t streams = 0;
  for (const spirv::Function &function : module.functions())
    for (const spirv::Block &block : function.blocks)
      for (const spirv::Inst &inst : block.insts) {
        if (inst.opcode == spv::Op::OpEmitVertex)
          streams |= 1;
        if (inst.opcode != spv::Op::OpEmitStreamVertex || !inst.size())
          continue;
        const spirv::Inst *stream = module.definition(inst[0]);
        const bool isKnown = stream && stream->opcode == spv::Op::OpConstant && stream->size();
        streams |= isKnown ? 1u << std::min((*stream)[0], 31u) : allStreams;
      }
  return streams & allStreams;
}

bool Compiler::dependsOnProvokingVertex(const PipelineShaderInfo &shader) {
  if (shader.entryStage == ShaderStage::Geometry)
    return hasMode(shader, spv::ExecutionMode::OutputTriangleStrip);
  const EntryReflection *reflection =
      shader.module.reflection(shader.entryStage, shader.entryTarget);
  return reflection && reflection->traits.has(EntryTrait::ReadsPrimitiveId);
}

void Compiler::guessAssembly(GraphicsPipelineBuildInfo &info) {
  info.iaState.topology = takenTopology(info);
  if (info.iaState.topology == Topology::PatchList && !info.iaState.dynamicPatchControlPoints)
    info.iaState.patchControlPoints = controlPointsOf(info);
}

Error Compiler::applyAutoLayout(GraphicsPipelineBuildInfo &info) {
  ResourceUsage usage;
  for (unsigned i = 0; i < graphicsStageCount; ++i) {
    auto stage = static_cast<ShaderStage>(i);
    const PipelineShaderInfo &shader = info.shader(stage);
    if (!shader.module)
      continue;
    KILN_TRY(checkShader(shader, stage));
    auto used =
        collectResourceUsage(shader.module.spirvModule(), entryOf(shader), shader.specialization);
    if (!used)
      return used.takeError();
    mergeResourceUsage(usage, *used);
  }
  info.resourceMapping = KILN_TRY(llpc::buildAutoLayout(usage));

  if (info.vs.module && info.vertexInput == VertexInputInfo())
    KILN_TRY(layOutVertexInput(info.vs, info.vertexInput));
  if (info.fs.module && info.cbState.target == ColorBlendState().target)
    KILN_TRY(layOutTargets(info.fs, info.cbState));
  if (info.iaState.topology == InputAssemblyState().topology && !info.iaState.patchControlPoints)
    guessAssembly(info);
  return Error::success();
}

} // namespace llpc
