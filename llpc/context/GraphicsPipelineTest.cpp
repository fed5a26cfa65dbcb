//===- GraphicsPipelineTest.cpp - graphics pipelines through the interface ===//
// SPDX-License-Identifier: MIT
#include "llpc/Compiler.h"
#include "llpc/Formats.h"
#include "llpc/context/PipelineKey.h"
#include "llpc/spirv/TestModule.h"
#include <set>

using namespace llpc;
using namespace llpc::spirv::test;
using spv::Op;

namespace {

enum : uint32_t { pointerId = firstFree, variableId };

/// An empty shader of any graphics stage; `storage` and `location` describe one vec4 variable.
ShaderModule shaderOf(spv::ExecutionModel model, std::vector<spv::ExecutionMode> modes = {},
                      spv::StorageClass storage = spv::StorageClass::Function,
                      uint32_t location = 0) {
  const bool hasVariable = storage != spv::StorageClass::Function;
  TestModule m;
  m.op(Op::OpCapability, {spv::Capability::Shader});
  m.op(Op::OpCapability, {spv::Capability::Tessellation});
  m.op(Op::OpCapability, {spv::Capability::Geometry});
  m.op(Op::OpMemoryModel, {spv::AddressingModel::Logical, spv::MemoryModel::GLSL450});
  if (hasVariable)
    m.op(Op::OpEntryPoint, {model, mainId, "main", variableId});
  else
    m.op(Op::OpEntryPoint, {model, mainId, "main"});
  for (spv::ExecutionMode mode : modes) {
    bool hasCount = mode == spv::ExecutionMode::OutputVertices;
    if (hasCount)
      m.op(Op::OpExecutionMode, {mainId, mode, 3});
    else
      m.op(Op::OpExecutionMode, {mainId, mode});
  }
  if (hasVariable)
    m.op(Op::OpDecorate, {variableId, spv::Decoration::Location, location});
  m.op(Op::OpTypeVoid, {voidId}).op(Op::OpTypeFunction, {voidFunctionId, voidId});
  m.op(Op::OpTypeFloat, {floatId, 32}).op(Op::OpTypeVector, {vec4Id, floatId, 4});
  if (hasVariable) {
    m.op(Op::OpTypePointer, {pointerId, storage, vec4Id});
    m.op(Op::OpVariable, {pointerId, variableId, storage});
  }
  m.op(Op::OpFunction, {voidId, mainId, 0, voidFunctionId}).op(Op::OpLabel, {entryId});
  m.op(Op::OpReturn).op(Op::OpFunctionEnd);
  auto compiler = Compiler::create({});
  auto module = (*compiler)->buildShaderModule(m.bytes());
  if (module)
    return *module;
  ADD_FAILURE() << lgc::consumeToText(module.takeError()).message;
  return {};
}

using Model = spv::ExecutionModel;
using Mode = spv::ExecutionMode;

ShaderModule vertexShader() { return shaderOf(Model::Vertex); }
ShaderModule controlShader() {
  return shaderOf(Model::TessellationControl, {Mode::OutputVertices});
}
ShaderModule evaluationShader() {
  return shaderOf(Model::TessellationEvaluation, {Mode::Triangles});
}
ShaderModule geometryShader(Mode input) {
  return shaderOf(Model::Geometry, {input, Mode::OutputTriangleStrip, Mode::OutputVertices});
}
ShaderModule fragmentShader() { return shaderOf(Model::Fragment, {Mode::OriginUpperLeft}); }

/// A pipeline of a vertex and a fragment shader.
GraphicsPipelineBuildInfo simple() {
  GraphicsPipelineBuildInfo info;
  info.vs.module = vertexShader();
  info.fs.module = fragmentShader();
  info.output = OutputKind::LgcIr;
  return info;
}

std::string errorOf(const GraphicsPipelineBuildInfo &info) {
  auto compiler = Compiler::create({});
  auto result = (*compiler)->buildGraphicsPipeline(info);
  if (result)
    return "";
  lgc::ErrorText text = lgc::consumeToText(result.takeError());
  return lgc::errorKindName(text.kind).str() + ": " + text.message;
}

/// The error after one change of a pipeline that is right.
template <typename Change> std::string errorAfter(Change change) {
  GraphicsPipelineBuildInfo info = simple();
  change(info);
  return errorOf(info);
}

TEST(GraphicsPipeline, StatesArriveInTheModule) {
  GraphicsPipelineBuildInfo info = simple();
  info.iaState.topology = lgc::Topology::LineStrip;
  info.cbState.target[1].format = *findVkFormat("VK_FORMAT_B8G8R8A8_SRGB");
  info.vertexInput.bindings = {{.binding = 2, .stride = 12, .perInstance = true, .divisor = 3}};
  info.vertexInput.attributes = {{1, 2, *findVkFormat("VK_FORMAT_R32G32B32_SFLOAT"), 4}};
  auto compiler = Compiler::create({});
  auto result = (*compiler)->buildGraphicsPipeline(info);
  ASSERT_TRUE(bool(result)) << lgc::consumeToText(result.takeError()).message;
  llvm::StringRef text(reinterpret_cast<const char *>(result->elf.bytes().data()),
                       result->elf.bytes().size());
  EXPECT_TRUE(text.contains("define void @lgc.shader.VS()"));
  EXPECT_TRUE(text.contains("define void @lgc.shader.FS()"));
  EXPECT_TRUE(text.contains("RGBA8.srgb.swapRedBlue")) << text.str();
  EXPECT_TRUE(text.contains("RGB32.float")) << text.str();
}

TEST(GraphicsPipeline, ShadersThatDoNotFitTogether) {
  GraphicsPipelineBuildInfo empty;
  EXPECT_EQ(errorOf(empty), "invalid input: a graphics pipeline needs a shader");
  EXPECT_EQ(errorAfter([](auto &info) { info.vs.module = {}; }),
            "invalid input: a graphics pipeline needs a vertex or a mesh shader");
  EXPECT_EQ(errorAfter([](auto &info) { info.tcs.module = controlShader(); }),
            "invalid input: a tessellation control shader needs a tessellation evaluation shader");
  EXPECT_EQ(errorAfter([](auto &info) { info.tes.module = evaluationShader(); }),
            "invalid input: a tessellation evaluation shader needs a tessellation control shader");
  EXPECT_EQ(errorAfter([](auto &info) { info.stageMask = stageBit(ShaderStage::Mesh); }),
            "invalid input: a mesh shader excludes a vertex shader");
  EXPECT_EQ(errorAfter([](auto &info) { info.stageMask = stageBit(ShaderStage::Task); }),
            "invalid input: a task shader needs a mesh shader");
  EXPECT_EQ(errorAfter([](auto &info) { info.stageMask = stageBit(ShaderStage::Compute); }),
            "invalid input: stageMask has bits of stages that are no graphics stages");
}

TEST(GraphicsPipeline, EntryPointsAreChecked) {
  EXPECT_EQ(errorAfter([](auto &info) { info.vs.entryTarget = "other"; }),
            "invalid input: no vertex entry point 'other'");
  EXPECT_EQ(errorAfter([](auto &info) { info.vs.module = fragmentShader(); }),
            "invalid input: no vertex entry point 'main'; the one of this name is a fragment "
            "shader");
  EXPECT_EQ(errorAfter([](auto &info) { info.vs.entryStage = ShaderStage::Fragment; }),
            "invalid input: a fragment shader cannot be the vertex shader");
}

TEST(GraphicsPipeline, VertexInputIsChecked) {
  const uint32_t format = *findVkFormat("VK_FORMAT_R32_SFLOAT");
  EXPECT_EQ(errorAfter([&](auto &info) { info.vertexInput.attributes = {{3, 1, format, 0}}; }),
            "invalid input: vertex attribute at location 3 names binding 1, which is not "
            "described");
  EXPECT_EQ(errorAfter([&](auto &info) {
              info.vertexInput.bindings = {{.binding = 1}};
              info.vertexInput.attributes = {{3, 1, format, 0}, {3, 1, format, 4}};
            }),
            "invalid input: vertex attribute at location 3 is described twice");
  EXPECT_EQ(
      errorAfter([&](auto &info) { info.vertexInput.bindings = {{.binding = 1}, {.binding = 1}}; }),
      "invalid input: vertex binding 1 is described twice");
  EXPECT_EQ(errorAfter([&](auto &info) { info.vertexInput.bindings = {{.binding = 32}}; }),
            "limit exceeded: vertex binding 32; the limit is 31");
  EXPECT_EQ(errorAfter([&](auto &info) { info.vertexInput.attributes = {{32, 0, format, 0}}; }),
            "limit exceeded: vertex attribute at location 32; the limit is 31");
  EXPECT_EQ(errorAfter([&](auto &info) {
              info.vertexInput.bindings = {{.binding = 0}};
              info.vertexInput.attributes = {{3, 0, 131, 0}};
            }),
            "unsupported: vertex attribute at location 3: VkFormat 131 is neither a vertex nor a "
            "colour format");
}

TEST(GraphicsPipeline, FixedFunctionStateIsChecked) {
  EXPECT_EQ(errorAfter([](auto &info) { info.iaState.topology = lgc::Topology::PatchList; }),
            "invalid input: the topology patch list needs tessellation shaders");
  EXPECT_EQ(errorAfter([](auto &info) {
              info.tcs.module = controlShader();
              info.tes.module = evaluationShader();
            }),
            "invalid input: tessellation needs the topology patch list");
  EXPECT_EQ(errorAfter([](auto &info) {
              info.tcs.module = controlShader();
              info.tes.module = evaluationShader();
              info.iaState.topology = lgc::Topology::PatchList;
              info.iaState.patchControlPoints = 33;
            }),
            "invalid input: patches of 33 control points; 1 to 32 are possible");
  EXPECT_EQ(errorAfter([](auto &info) { info.rsState.numSamples = 3; }),
            "invalid input: numSamples is 3; 1, 2, 4, 8 and 16 are possible");
  EXPECT_EQ(errorAfter([](auto &info) { info.rsState.pixelShaderSamples = 2; }),
            "invalid input: pixelShaderSamples is 2 of 1 samples");
  EXPECT_EQ(errorAfter([](auto &info) { info.rsState.rasterStream = 4; }),
            "invalid input: rasterStream is 4; streams are 0 to 3");
  EXPECT_EQ(errorAfter([](auto &info) { info.cbState.target[2].format = 125; }),
            "unsupported: colour target 2: VkFormat 125 is neither a vertex nor a colour format");
  EXPECT_EQ(errorAfter([](auto &info) { info.cbState.target[2].channelWriteMask = 16; }),
            "invalid input: colour target 2: channelWriteMask has more than four bits");
  EXPECT_EQ(errorAfter([](auto &info) {
              info.cbState.dualSourceBlendEnable = true;
              info.cbState.target[0].format = info.cbState.target[1].format = 37;
            }),
            "invalid input: dual source blending has one colour target; target 1 has a format");
  EXPECT_EQ(errorAfter([](auto &info) { info.fs.options.waveSize = 16; }),
            "invalid input: fragment shader: waveSize and subgroupSize are 0, 32 or 64");
}

TEST(GraphicsPipeline, OutputsBeyondTheTargets) {
  EXPECT_EQ(errorAfter([](auto &info) {
              info.fs.module =
                  shaderOf(Model::Fragment, {Mode::OriginUpperLeft}, spv::StorageClass::Output, 8);
            }),
            "invalid input: the fragment shader writes location 8; there are 8 colour targets");
}

TEST(GraphicsPipeline, GeometryShaderTakesWhatIsAssembled) {
  EXPECT_EQ(errorAfter([](auto &info) { info.gs.module = geometryShader(Mode::InputLines); }),
            "invalid input: the geometry shader takes lines, but is given triangles");
  EXPECT_EQ(errorAfter([](auto &info) {
              info.gs.module = geometryShader(Mode::InputLines);
              info.iaState.topology = lgc::Topology::LineStrip;
            }),
            "");
}

TEST(GraphicsPipeline, AutoLayoutTakesTypes) {
  GraphicsPipelineBuildInfo info;
  info.vs.module = shaderOf(Model::Vertex, {}, spv::StorageClass::Input, 5);
  info.fs.module = shaderOf(Model::Fragment, {Mode::OriginUpperLeft}, spv::StorageClass::Output, 2);
  ASSERT_FALSE(bool(Compiler::applyAutoLayout(info)));
  ASSERT_EQ(info.vertexInput.bindings.size(), 1u);
  EXPECT_EQ(info.vertexInput.bindings[0].binding, 5u);
  EXPECT_EQ(info.vertexInput.bindings[0].stride, 16u);
  ASSERT_EQ(info.vertexInput.attributes.size(), 1u);
  EXPECT_EQ(vkFormatName(info.vertexInput.attributes[0].format), "VK_FORMAT_R32G32B32A32_SFLOAT");
  EXPECT_EQ(info.cbState.target[0].format, 0u);
  EXPECT_EQ(vkFormatName(info.cbState.target[2].format), "VK_FORMAT_R32G32B32A32_SFLOAT");
  EXPECT_EQ(info.iaState.topology, lgc::Topology::TriangleList);
}

TEST(GraphicsPipeline, AutoLayoutTakesTopologies) {
  GraphicsPipelineBuildInfo info = simple();
  info.gs.module = geometryShader(Mode::InputLinesAdjacency);
  ASSERT_FALSE(bool(Compiler::applyAutoLayout(info)));
  EXPECT_EQ(info.iaState.topology, lgc::Topology::LineListAdjacency);
  GraphicsPipelineBuildInfo tess = simple();
  tess.tcs.module = controlShader();
  tess.tes.module = evaluationShader();
  ASSERT_FALSE(bool(Compiler::applyAutoLayout(tess)));
  EXPECT_EQ(tess.iaState.topology, lgc::Topology::PatchList);
  EXPECT_EQ(tess.iaState.patchControlPoints, 3u);
}

TEST(Formats, NamesAndNumbers) {
  EXPECT_EQ(vkFormatName(0), "VK_FORMAT_UNDEFINED");
  EXPECT_EQ(vkFormatName(44), "VK_FORMAT_B8G8R8A8_UNORM");
  EXPECT_EQ(vkFormatName(131), "131");
  EXPECT_EQ(findVkFormat("VK_FORMAT_A2B10G10R10_SINT_PACK32"), 69u);
  EXPECT_EQ(findVkFormat("VK_FORMAT_R64G64B64A64_SFLOAT"), 121u);
  EXPECT_EQ(findVkFormat("VK_FORMAT_BC1_RGB_UNORM_BLOCK"), std::nullopt);
  EXPECT_EQ(findVkFormat("37"), 37u);
  for (uint32_t format : {4u, 9u, 44u, 58u, 97u, 109u, 122u, 1000340000u})
    EXPECT_EQ(findVkFormat(vkFormatName(format)), format);
  EXPECT_EQ(vkFormatOf(*texelFormatOf(109)), 109u);
  EXPECT_EQ(lgc::toString(*texelFormatOf(44)), "RGBA8.unorm.swapRedBlue");
}

/// Every field of the state, and which of the two parts' keys it changes.
struct Flip {
  const char *name;
  void (*change)(GraphicsPipelineBuildInfo &);
  bool before, fragment;
};
const Flip flips[] = {
    {"deviceIndex", [](auto &i) { i.deviceIndex = 1; }, true, true},
    {"resourceMapping", [](auto &i) { i.resourceMapping.roots.resize(1); }, true, true},
    {"options", [](auto &i) { i.options.nullDescriptor = true; }, true, true},
    {"unlinked", [](auto &i) { i.unlinked = true; }, true, true},
    {"output", [](auto &i) { i.output = OutputKind::Assembly; }, true, true},
    {"stageMask", [](auto &i) { i.stageMask = stageBit(ShaderStage::Geometry); }, true, true},
    {"vs.entryTarget", [](auto &i) { i.vs.entryTarget = "x"; }, true, false},
    {"vs.specialization", [](auto &i) { i.vs.specialization = {{1, 4, 2}}; }, true, false},
    {"vs.options", [](auto &i) { i.vs.options.vgprLimit = 32; }, true, false},
    {"fs.entryTarget", [](auto &i) { i.fs.entryTarget = "x"; }, false, true},
    {"fs.specialization", [](auto &i) { i.fs.specialization = {{1, 4, 2}}; }, false, true},
    {"fs.options", [](auto &i) { i.fs.options.vgprLimit = 32; }, false, true},
    {"bindings", [](auto &i) { i.vertexInput.bindings.resize(2); }, true, false},
    {"binding", [](auto &i) { i.vertexInput.bindings[0].binding = 1; }, true, false},
    {"stride", [](auto &i) { i.vertexInput.bindings[0].stride = 1; }, true, false},
    {"perInstance", [](auto &i) { i.vertexInput.bindings[0].perInstance = true; }, true, false},
    {"divisor", [](auto &i) { i.vertexInput.bindings[0].divisor = 2; }, true, false},
    {"attributes", [](auto &i) { i.vertexInput.attributes.resize(2); }, true, false},
    {"location", [](auto &i) { i.vertexInput.attributes[0].location = 1; }, true, false},
    {"attribute binding", [](auto &i) { i.vertexInput.attributes[0].binding = 1; }, true, false},
    {"attribute format", [](auto &i) { i.vertexInput.attributes[0].format = 1; }, true, false},
    {"offset", [](auto &i) { i.vertexInput.attributes[0].offset = 1; }, true, false},
    {"dynamicVertexStride", [](auto &i) { i.dynamicVertexStride = true; }, true, false},
    {"enableRobustUnboundVertex", [](auto &i) { i.enableRobustUnboundVertex = true; }, true, false},
    {"topology", [](auto &i) { i.iaState.topology = lgc::Topology::LineList; }, true, true},
    {"dynamicTopology", [](auto &i) { i.dynamicTopology = true; }, true, true},
    {"patchControlPoints", [](auto &i) { i.iaState.patchControlPoints = 3; }, true, false},
    {"disableVertexReuse", [](auto &i) { i.iaState.disableVertexReuse = true; }, true, false},
    {"switchWinding", [](auto &i) { i.iaState.switchWinding = true; }, true, false},
    {"enableMultiView", [](auto &i) { i.iaState.enableMultiView = true; }, true, true},
    {"depthClipEnable", [](auto &i) { i.vpState.depthClipEnable = false; }, true, false},
    {"rasterizerDiscardEnable", [](auto &i) { i.rsState.rasterizerDiscardEnable = true; }, true,
     false},
    {"innerCoverage", [](auto &i) { i.rsState.innerCoverage = true; }, false, true},
    {"perSampleShading", [](auto &i) { i.rsState.perSampleShading = true; }, false, true},
    {"numSamples", [](auto &i) { i.rsState.numSamples = 4; }, false, true},
    {"pixelShaderSamples", [](auto &i) { i.rsState.pixelShaderSamples = 4; }, false, true},
    {"samplePatternIdx", [](auto &i) { i.rsState.samplePatternIdx = 1; }, false, true},
    {"dynamicSampleInfo", [](auto &i) { i.rsState.dynamicSampleInfo = true; }, false, true},
    {"rasterStream", [](auto &i) { i.rsState.rasterStream = 1; }, true, false},
    {"provokingVertexMode",
     [](auto &i) { i.rsState.provokingVertexMode = ProvokingVertexMode::Last; }, true, true},
    {"alphaToCoverageEnable", [](auto &i) { i.cbState.alphaToCoverageEnable = true; }, false, true},
    {"dualSourceBlendEnable", [](auto &i) { i.cbState.dualSourceBlendEnable = true; }, false, true},
    {"dualSourceBlendDynamic", [](auto &i) { i.cbState.dualSourceBlendDynamic = true; }, false,
     true},
    {"format", [](auto &i) { i.cbState.target[7].format = 37; }, false, true},
    {"channelWriteMask", [](auto &i) { i.cbState.target[7].channelWriteMask = 7; }, false, true},
    {"blendEnable", [](auto &i) { i.cbState.target[7].blendEnable = true; }, false, true},
    {"blendSrcAlphaToColor", [](auto &i) { i.cbState.target[7].blendSrcAlphaToColor = true; },
     false, true},
    {"ngg.enable", [](auto &i) { i.nggState.enable = false; }, true, false},
    {"ngg.force", [](auto &i) { i.nggState.force = true; }, true, false},
    {"ngg.enableGsUse", [](auto &i) { i.nggState.enableGsUse = true; }, true, false},
    {"ngg.backfaceCulling", [](auto &i) { i.nggState.backfaceCulling = true; }, true, false},
    {"ngg.frustumCulling", [](auto &i) { i.nggState.frustumCulling = true; }, true, false},
    {"ngg.smallPrimitiveFilter", [](auto &i) { i.nggState.smallPrimitiveFilter = true; }, true,
     false},
    {"ngg.cullDistanceCulling", [](auto &i) { i.nggState.cullDistanceCulling = true; }, true,
     false},
    {"ngg.primsPerSubgroup", [](auto &i) { i.nggState.primsPerSubgroup = 64; }, true, false},
    {"ngg.vertsPerSubgroup", [](auto &i) { i.nggState.vertsPerSubgroup = 64; }, true, false},
};
/// What only the call depends on, not the code: deviceless callbacks and switches.
void changeWhatIsNoCode(GraphicsPipelineBuildInfo &info) {
  info.instance = info.userData = &info;
  info.pfnOutputAlloc = [](void *, void *, size_t) -> void * { return nullptr; };
  info.pipelineLayoutApiHash = 1;
  info.options.pipelineHash[0] = 1;
  info.verifyIr = true;
  info.dump = [](llvm::StringRef, llvm::StringRef) {};
}

TEST(GraphicsKey, EveryFieldCountsWhereItShould) {
  GraphicsPipelineBuildInfo base = simple();
  base.vertexInput.bindings.resize(1);
  base.vertexInput.attributes.resize(1);
  std::set<Hash128> pipelines, caches;
  const PipelineHashes hashes = graphicsPipelineHashes(base, "gfx1100");
  const GraphicsPartHashes parts = graphicsPartHashes(base, "gfx1100");
  pipelines.insert(hashes.pipelineHash);
  caches.insert(hashes.cacheHash);
  for (const Flip &flip : flips) {
    GraphicsPipelineBuildInfo info = base;
    flip.change(info);
    const PipelineHashes changed = graphicsPipelineHashes(info, "gfx1100");
    const GraphicsPartHashes changedParts = graphicsPartHashes(info, "gfx1100");
    EXPECT_TRUE(caches.insert(changed.cacheHash).second) << flip.name;
    const bool isTuning = llvm::StringRef(flip.name).ends_with("s.options");
    EXPECT_EQ(pipelines.insert(changed.pipelineHash).second, !isTuning) << flip.name;
    EXPECT_EQ(changedParts.preRasterization != parts.preRasterization, flip.before) << flip.name;
    EXPECT_EQ(changedParts.fragment != parts.fragment, flip.fragment) << flip.name;
  }
  EXPECT_NE(graphicsPipelineHashes(base, "gfx1030").cacheHash, hashes.cacheHash);
  GraphicsPipelineBuildInfo same = base;
  changeWhatIsNoCode(same);
  EXPECT_EQ(graphicsPipelineHashes(same, "gfx1100").cacheHash, hashes.cacheHash);
}

TEST(GraphicsKey, DynamicStridesAreNoInput) {
  GraphicsPipelineBuildInfo a = simple();
  a.dynamicVertexStride = true;
  a.vertexInput.bindings.resize(1);
  GraphicsPipelineBuildInfo b = a;
  b.vertexInput.bindings[0].stride = 20;
  EXPECT_EQ(graphicsPipelineHashes(a, "gfx1100").cacheHash,
            graphicsPipelineHashes(b, "gfx1100").cacheHash);
}

} // namespace
