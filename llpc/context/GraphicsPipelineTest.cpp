//===- GraphicsPipelineTest.cpp - graphics pipelines through the interface ===//
// SPDX-License-Identifier: MIT
#include "llpc/Formats.h"
#include "llpc/context/CompilerForTest.h"
#include "llpc/context/PipelineKey.h"

using namespace llpc;
using namespace llpc::spirv::test;
using namespace llpc::test;
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
  return moduleOf(m);
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
  info.vertexInput.bindings = {
      {.binding = 2, .stride = 12, .inputRate = lgc::VertexInputRate::Instance, .divisor = 3}};
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
  EXPECT_EQ(errorAfter([](auto &info) { info.vs.options.sgprLimit = 3; }),
            "invalid input: vertex shader: sgprLimit 3; the least is 16");
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
