//===- PipeFileTest.cpp - .pipe files read and written --------------------===//
// SPDX-License-Identifier: MIT
#include "llpc/Formats.h"
#include "llpc/pipefile/PipeFileForTest.h"
#include "llpc/spirv/TestModule.h"

namespace llpc {
namespace {

/// A file that sets every key.
const char *const everything = R"([Version]
version = 75

[VsGlsl]
#version 450
[[unroll]] void main() {}

[VsInfo]
entryPoint = start
specConst.mapEntry[0].constantID = 7
specConst.mapEntry[0].offset = 0
specConst.mapEntry[0].size = 8
specConst.mapEntry[1].constantID = 3
specConst.mapEntry[1].offset = 8
specConst.mapEntry[1].size = 4
specConst.uintData = 0x1, 0x2, 0x3F800000
options.clientHash = 0x1, 0xABCD
options.vgprLimit = 64
options.sgprLimit = 80
options.wavesPerEu = 4
options.waveSize = 32
options.subgroupSize = 64
options.requireFullSubgroups = 1
options.disableLoopUnroll = 1
options.wgpMode = 0
options.forceLateZ = 1
options.forwardPropagateNoContract = 1
options.backwardPropagateNoContract = 1
options.allowReZ = 1
options.viewIndexFromDeviceIndex = 1
options.fp32DenormalMode = Preserve
options.disableFMA = 1
options.noContractOpDot = 1
options.forceMemoryBarrierScope = 2

[FsSpvFile]
fileName = f.spv

[FsInfo]
entryPoint = main

[ResourceMapping]
userDataNode[0].type = DescriptorTableVaPtr
userDataNode[0].sizeInDwords = 1
userDataNode[0].next[0].type = DescriptorBuffer
userDataNode[0].next[0].sizeInDwords = 4
userDataNode[0].next[0].set = 1
userDataNode[0].next[0].binding = 2
userDataNode[0].next[1].type = DescriptorResource
userDataNode[0].next[1].sizeInDwords = 8
userDataNode[0].next[1].offsetInDwords = 4
userDataNode[0].next[1].strideInDwords = 8
userDataNode[1].type = PushConst
userDataNode[1].sizeInDwords = 4
userDataNode[1].offsetInDwords = 1
descriptorRangeValue[0].type = DescriptorSampler
descriptorRangeValue[0].set = 1
descriptorRangeValue[0].binding = 4
descriptorRangeValue[0].arraySize = 1
descriptorRangeValue[0].uintData = 1, 2, 3, 4294967295

[GraphicsPipelineState]
deviceIndex = 1
options.robustBufferAccess = 1
options.extendedRobustness.robustBufferAccess = 1
options.extendedRobustness.robustImageAccess = 1
options.extendedRobustness.nullDescriptor = 1
options.scalarBlockLayout = 1
options.enablePrimGeneratedQuery = 1
options.enableMeshShaderQueries = 1
options.includeIr = 1
options.includeDisassembly = 1
options.debugInfo = 1
options.optimizationLevel = Quick
options.pipelineHash = 0x5, 0x6
stageMask = 16
topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY
dynamicTopology = 1
patchControlPoints = 5
dynamicPatchControlPoints = 1
disableVertexReuse = 1
switchWinding = 1
enableMultiView = 1
depthClipEnable = 0
rasterizerDiscardEnable = 1
innerCoverage = 1
perSampleShading = 1
numSamples = 4
pixelShaderSamples = 2
samplePatternIdx = 3
dynamicSampleInfo = 1
rasterStream = 2
provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
alphaToCoverageEnable = 1
dualSourceBlendEnable = 1
dualSourceBlendDynamic = 1
nggState.enableNgg = 0
nggState.forceNgg = 1
nggState.enableGsUse = 1
nggState.enableBackfaceCulling = 1
nggState.enableFrustumCulling = 1
nggState.enableSmallPrimFilter = 1
nggState.enableCullDistanceCulling = 1
nggState.primsPerSubgroup = 128
nggState.vertsPerSubgroup = 64
dynamicVertexStride = 1
options.enableRobustUnboundVertex = 1
unalignedVertexFetch = 1
useSoftwareVertexBufferDescriptors = 1
enableUberFetchShader = 1
colorBuffer[0].format = VK_FORMAT_B8G8R8A8_SRGB
colorBuffer[7].format = VK_FORMAT_R16_SFLOAT
colorBuffer[7].channelWriteMask = 1
colorBuffer[7].blendEnable = 1
colorBuffer[7].blendSrcAlphaToColor = 1

[VertexInputState]
binding[0].binding = 3
binding[0].stride = 20
binding[0].inputRate = VK_VERTEX_INPUT_RATE_VERTEX
binding[1].binding = 4
binding[1].stride = 8
binding[1].inputRate = VK_VERTEX_INPUT_RATE_INSTANCE
attribute[0].location = 1
attribute[0].binding = 4
attribute[0].format = VK_FORMAT_A2B10G10R10_UNORM_PACK32
attribute[0].offset = 4
divisor[0].binding = 4
divisor[0].divisor = 0
)";

TEST(PipeFile, EveryKeyIsReadAndWritten) {
  ReadResult result = read(everything);
  ASSERT_EQ(result.error, "");
  EXPECT_TRUE(result.warnings.empty()) << result.warnings.front();
  EXPECT_EQ(write(result.file), everything);
}

TEST(PipeFile, ValuesArriveWhereTheyBelong) {
  PipeFile file = read(everything).file;
  ASSERT_EQ(file.shaders.size(), 2u);
  EXPECT_EQ(file.shaders[0].text, "#version 450\n[[unroll]] void main() {}\n");
  EXPECT_EQ(file.shaders[0].line, 5u);
  EXPECT_EQ(file.shaders[1].source, PipeSource::SpvFile);
  EXPECT_EQ(file.shaders[1].text, "f.spv");
  const GraphicsPipelineBuildInfo &info = file.graphics;
  EXPECT_EQ(info.vs.entryTarget, "start");
  EXPECT_EQ(info.vs.specialization,
            (std::vector<SpecConstant>{{7, 8, 0x200000001}, {3, 4, 0x3f800000}}));
  EXPECT_EQ(info.iaState.topology, lgc::Topology::LineStripAdjacency);
  EXPECT_EQ(info.cbState.target[7].format, *findVkFormat("VK_FORMAT_R16_SFLOAT"));
  ASSERT_EQ(info.vertexInput.bindings.size(), 2u);
  EXPECT_EQ(info.vertexInput.bindings[0].divisor, 1u);
  EXPECT_EQ(info.vertexInput.bindings[1].divisor, 0u);
  EXPECT_EQ(info.vertexInput.bindings[1].inputRate, lgc::VertexInputRate::Instance);
  EXPECT_TRUE(file.hasMapping);
  EXPECT_EQ(info.resourceMapping.roots[0].table[1].offsetInDwords, 4u);
  EXPECT_EQ(info.resourceMapping.staticDescriptors[0].dwords.back(), ~0u);
  EXPECT_EQ(info.options.optLevel, lgc::OptLevel::Quick);
}

TEST(PipeFile, LongNamesCommentsAndNumbers) {
  ReadResult result = read("; first\n// second\n[Version]\nversion = 6\n"
                           "[ComputeShaderSpirv]\n; Version: 1.3\n OpNop ; in the text\n\n\n"
                           "[CsInfo]\n  entryPoint=f  ; a comment\n"
                           "specConst.mapEntry[0].constantID = 0x10\n"
                           "specConst.mapEntry[0].size = 4\n"
                           "specConst.mapEntry[1].offset = 4\nspecConst.mapEntry[1].size = 2\n"
                           "specConst.floatData = 1.5\nspecConst.intData = -1\n"
                           "[ComputePipelineState]\noptions.optimizationLevel = 3\n"
                           "options.tier = Direct\n"
                           "options.robustBufferAccess = true\n");
  ASSERT_EQ(result.error, "");
  EXPECT_TRUE(result.file.isCompute());
  EXPECT_EQ(result.file.version, 6u);
  EXPECT_EQ(result.file.shaders[0].text, "; Version: 1.3\n OpNop ; in the text\n");
  EXPECT_EQ(result.file.compute.cs.entryTarget, "f");
  EXPECT_EQ(result.file.compute.cs.specialization,
            (std::vector<SpecConstant>{{16, 4, 0x3fc00000}, {0, 2, 0xffff}}));
  EXPECT_EQ(result.file.compute.options.optLevel, lgc::OptLevel::Fast);
  EXPECT_EQ(result.file.compute.options.tier, lgc::Tier::Direct);
  EXPECT_TRUE(result.file.compute.options.robustBufferAccess);
  EXPECT_FALSE(result.file.hasMapping);
}

/// What AMD's files have beyond ours must not keep them from being read.
TEST(PipeFile, KeysOfAmdsFilesAreTaken) {
  ReadResult result =
      read("[CsGlsl]\nx\n[CsInfo]\noptions.useSiScheduler = 0\noptions.useSiScheduler = 1\n"
           "options.imageSampleDrefReturnsRgba = 1\ntrapPresent = 0\n[Mystery]\nnot a key\n"
           "[ResourceMapping]\nuserDataNode[0].type = PushConst\n"
           "userDataNode[0].visibility = 66\nuserDataNode[0].indirectUserDataCount = 2\n"
           "[ComputePipelineState]\nrtState.exportConfig.indirectCalleeSavedRegs.raygen = 2\n"
           "options.glState.enableFragColor = 1\noptions.glState.disableTruncCoordForGather = 1\n"
           "uniformConstantMap.uniformConstants[0].location = 1\n"
           "rtState.gpurtFuncTable.pFunc[0] =\n");
  ASSERT_EQ(result.error, "");
  EXPECT_EQ(result.warnings,
            (std::vector<std::string>{
                "t.pipe:5: 'options.useSiScheduler' is not honoured",
                "t.pipe:8: unknown section [Mystery]",
                "t.pipe:16: 'options.glState.enableFragColor' is not honoured",
                "t.pipe:18: 'uniformConstantMap.uniformConstants[0].location' is not honoured"}));
  result = read("[FsGlsl]\nx\n[VertexInputState]\nattribute[0].vbAddressLowBits = 1\n"
                "dynamicVertexStride = 0\n[GraphicsPipelineState]\ncolorBuffer[0].palFormat = 0\n"
                "tessLevelInner[0] = 1\n");
  ASSERT_EQ(result.error, "");
  EXPECT_EQ(result.warnings,
            (std::vector<std::string>{"t.pipe:4: 'vbAddressLowBits' is not honoured",
                                      "t.pipe:8: 'tessLevelInner[0]' is not honoured"}));
}

TEST(PipeFile, UnknownKeysAreErrors) {
  struct Row {
    const char *section, *line, *key;
  };
  for (const Row &row : {
           Row{"Version", "colour = 1", "colour"},
           {"CsInfo", "magic = 1", "magic"},
           {"CsInfo", "magic = 0", "magic"},
           {"CsInfo", "specConst.magic = 1", "magic"},
           {"CsInfo", "visibility = 0", "visibility"},
           {"ComputePipelineState", "nggState.compactMode = 0", "nggState.compactMode"},
           {"GraphicsPipelineState", "colorBuffer[0].magic = 0", "magic"},
           {"VertexInputState", "magic[0].stride = 3", "magic"},
           {"VertexInputState", "attribute[0].magic = 3", "magic"},
           {"VertexInputState", "divisor[0].magic = 3", "magic"},
           {"ResourceMapping", "magic[0].type = PushConst", "magic"},
           {"ResourceMapping", "userDataNode[0].colour = 1", "colour"},
           {"ResourceMapping", "descriptorRangeValue[0].colour = 1", "colour"},
       }) {
    const std::string text = std::string("[CsGlsl]\nx\n[") + row.section + "]\n" + row.line + "\n";
    EXPECT_EQ(read(text.c_str()).error, std::string("t.pipe:4: unknown key '") + row.key +
                                            "' in [" + row.section +
                                            "]; docs/pipe-files.md lists the keys");
  }
}

/// A typing error must not leave out what the key was to do.
TEST(PipeFile, KeysThatAreNearlyKnownAreErrors) {
  struct Row {
    const char *section, *line, *key, *known;
  };
  for (const Row &row : {
           Row{"Version", "versoin = 40", "versoin", "version"},
           {"CsInfo", "entrypoint = f", "entrypoint", "entryPoint"},
           {"CsInfo", "options.forceLateX = 1", "options.forceLateX", "options.forceLateZ"},
           {"CsInfo", "options.useSIScheduler = 1", "options.useSIScheduler",
            "options.useSiScheduler"},
           {"CsInfo", "specConst.mapEntry[0].ofset = 0", "ofset", "offset"},
           {"ComputePipelineState", "options.optimisationLevel = 3", "options.optimisationLevel",
            "options.optimizationLevel"},
           {"GraphicsPipelineState", "stagemask = 3", "stagemask", "stageMask"},
           {"GraphicsPipelineState", "colorBuffer[0].fromat = 3", "fromat", "format"},
           {"VertexInputState", "binding[0].strid = 3", "strid", "stride"},
           {"RayTracingPipelineState", "maxRecursionDeph = 3", "maxRecursionDeph",
            "maxRecursionDepth"},
           {"VertexInputState", "attribute[0].locaton = 3", "locaton", "location"},
           {"VertexInputState", "atribute[0].location = 3", "atribute", "attribute"},
           {"VertexInputState", "divisor[0].divisr = 3", "divisr", "divisor"},
           {"ResourceMapping", "userDataNodes[0].type = PushConst", "userDataNodes",
            "userDataNode"},
           {"ResourceMapping", "userDataNode[0].sizeInDword = 1", "sizeInDword", "sizeInDwords"},
       }) {
    const std::string text = std::string("[CsGlsl]\nx\n[") + row.section + "]\n" + row.line + "\n";
    EXPECT_EQ(read(text.c_str()).error, std::string("t.pipe:4: unknown key '") + row.key +
                                            "' in [" + row.section + "]; is it to be '" +
                                            row.known + "'?");
  }
  const std::string longKey = "[CsGlsl]\nx\n[CsInfo]\n" + std::string(1 << 20, 'a') + " = 1\n";
  EXPECT_EQ(read(longKey.c_str()).error.substr(0, 30), "t.pipe:4: unknown key 'aaaaaaa");
}

/// The layout that old files repeat in each stage.
TEST(PipeFile, NodesOfStagesAreMerged) {
  ReadResult result =
      read("[VsGlsl]\nx\n[VsInfo]\nuserDataNode[0].type = DescriptorTableVaPtr\n"
           "userDataNode[0].sizeInDwords = 1\nuserDataNode[0].next[0].type = DescriptorBuffer\n"
           "[FsGlsl]\nx\n[FsInfo]\nuserDataNode[0].type = DescriptorTableVaPtr\n"
           "userDataNode[0].sizeInDwords = 1\nuserDataNode[0].next[0].type = DescriptorSampler\n"
           "userDataNode[0].next[0].offsetInDwords = 4\n"
           "userDataNode[1].type = PushConst\nuserDataNode[1].offsetInDwords = 1\n");
  ASSERT_EQ(result.error, "");
  const lgc::ResourceMapping &mapping = result.file.graphics.resourceMapping;
  ASSERT_EQ(mapping.roots.size(), 2u);
  EXPECT_EQ(mapping.roots[0].table.size(), 2u);
  EXPECT_TRUE(result.file.hasMapping);
}

struct Malformed {
  const char *text, *error;
};
const Malformed malformed[] = {
    {"", "t.pipe: no shader section"},
    {"x = 1\n", "t.pipe:1: 'x = 1' stands before the first section"},
    {"[CsGlsl]\nx\n[CsInfo]\nentryPoint\n",
     "t.pipe:4: 'entryPoint' is not of the form KEY = VALUE"},
    {"[CsGlsl]\nx\n[CsInfo]\nentryPoint =\n",
     "t.pipe:4: 'entryPoint =' is not of the form KEY = VALUE"},
    {"[CsGlsl]\nx\n[CsInfo]\nentryPoint =;x\n",
     "t.pipe:4: 'entryPoint =;x' is not of the form KEY = VALUE"},
    {"[CsGlsl]\n\n[CsInfo]\n", "t.pipe:2: [CsGlsl] is empty"},
    {"[CsGlsl]\n", "t.pipe:2: [CsGlsl] is empty"},
    {"[CsSpvFile]\n; nothing\n", "t.pipe:2: [CsSpvFile] is empty"},
    {"[CsSpvFile]\nfileName = a\nfileName = b\n", "t.pipe:3: a second file name"},
    {"[CsGlsl]\nx\n[CsSpirv]\ny\n", "t.pipe:3: a second compute shader; the first is in line 2"},
    {"[CsHlsl]\nx\n", "t.pipe:1: HLSL is not supported"},
    {"[VsGlsl]\nx\n[CsGlsl]\nx\n", "t.pipe: a compute shader beside a vertex shader"},
    {"[CsGlsl]\nx\n[VertexInputState]\n",
     "t.pipe:3: state of a graphics pipeline beside a compute shader"},
    {"[VsGlsl]\nx\n[ComputePipelineState]\n",
     "t.pipe:3: state of a compute pipeline without a compute shader"},
    {"[rgenGlsl]\nx\n[FsGlsl]\nx\n", "t.pipe:4: a fragment shader in a ray tracing pipeline"},
    {"[rgenGlsl]\nx\n[missInfo]\nid = 3\n",
     "t.pipe:3: [missInfo] before the shader that it is about"},
    {"[rgenGlsl]\nx\n[rgenInfo]\nid = many\n", "t.pipe:4: 'many' is no number of 32 bits"},
    {"[rgenGlsl]\nx\n[GraphicsPipelineState]\n",
     "t.pipe:3: state of a graphics pipeline beside ray tracing shaders"},
    {"[CsGlsl]\nx\n[RayTracingPipelineState]\n",
     "t.pipe:3: state of a ray tracing pipeline without its shaders"},
    {"[rgenGlsl]\nx\n[RayTracingPipelineState]\nskipAabbs = 2\n",
     "t.pipe:4: skipAabbs: '2' is none of 0, 1, false, true"},
    {"[VsGlsl]\nx\n[GraphicsPipelineState]\ntopology = QUADS\n",
     "t.pipe:4: topology: 'QUADS' is none of VK_PRIMITIVE_TOPOLOGY_POINT_LIST ... "
     "VK_PRIMITIVE_TOPOLOGY_PATCH_LIST"},
    {"[VsGlsl]\nx\n[GraphicsPipelineState]\nnumSamples = many\n",
     "t.pipe:4: numSamples: 'many' is no number of 32 bits"},
    {"[VsGlsl]\nx\n[GraphicsPipelineState]\nswitchWinding = 2\n",
     "t.pipe:4: switchWinding: '2' is none of 0, 1, false, true"},
    {"[VsGlsl]\nx\n[GraphicsPipelineState]\ncolorBuffer[8].format = 37\n",
     "t.pipe:4: colorBuffer[8]; there are 8 colour targets"},
    {"[VsGlsl]\nx\n[GraphicsPipelineState]\ncolorBuffer[0].format = VK_FORMAT_BC1_RGB\n",
     "t.pipe:4: format: 'VK_FORMAT_BC1_RGB' is neither a vertex nor a colour format"},
    {"[VsGlsl]\nx\n[VertexInputState]\nbinding.stride = 1\n", "t.pipe:4: 'binding' needs an index"},
    {"[VsGlsl]\nx\n[VertexInputState]\nbinding[x].stride = 1\n",
     "t.pipe:4: 'binding[x].stride': an index is missing or no number"},
    {"[VsGlsl]\nx\n[VertexInputState]\nbinding[4294967296].stride = 1\n",
     "t.pipe:4: 'binding[4294967296].stride': an index is missing or no number"},
    {"[VsGlsl]\nx\n[VertexInputState]\nbinding[9999].stride = 1\n",
     "t.pipe:4: 'binding[9999].stride': index 9999 is too large"},
    {"[VsGlsl]\nx\n[VertexInputState]\nbinding[100].stride = 1\n",
     "t.pipe:4: 'binding[100]' comes after only 0"},
    {"[VsGlsl]\nx\n[VertexInputState]\ndivisor[0].binding = 1\n",
     "t.pipe: a divisor for binding 1, which is not described"},
    {"[VsGlsl]\nx\n[ResourceMapping]\nuserDataNode[0].type = Teapot\n",
     "t.pipe:4: type: 'Teapot' is no type of a resource node"},
    {"[VsGlsl]\nx\n[ResourceMapping]\nuserDataNode[1].type = PushConst\n",
     "t.pipe: userDataNode[0] has no type"},
    {"[VsGlsl]\nx\n[ResourceMapping]\nuserDataNode[0].type = PushConst\n"
     "userDataNode[0].next[0].set = 1\n",
     "t.pipe: userDataNode[0].next[0] has no type"},
    {"[VsGlsl]\nx\n[VsInfo]\nspecConst.mapEntry[0].size = 9\n",
     "t.pipe:4: specConst.mapEntry[0]: a size of 9 bytes; no constant has more than 8"},
    {"[VsGlsl]\nx\n[VsInfo]\nspecConst.mapEntry[0].size = 4\n",
     "t.pipe:4: specConst.mapEntry[0] lies outside the data"},
    {"[VsGlsl]\nx\n[VsInfo]\nspecConst.floatData = one\n", "t.pipe:4: 'one' is no float number"},
    {"[VsGlsl]\nx\n[VsInfo]\nspecConst.uintData = 0x100000000\n",
     "t.pipe:4: '0x100000000' is no uint number"},
};

TEST(PipeFile, MalformedTextIsAnError) {
  for (const Malformed &test : malformed)
    EXPECT_EQ(read(test.text).error, test.error) << test.text;
}

/// A pipeline that was built, written and read again gives the same bytes.
TEST(PipeFile, DumpsReproduceThePipeline) {
  auto compiler = Compiler::create({.target = "gfx1100"});
  ASSERT_TRUE(bool(compiler));
  auto module = (*compiler)->buildShaderModule(spirv::test::sample().bytes());
  ASSERT_TRUE(bool(module));
  ComputePipelineBuildInfo info;
  info.cs.module = *module;
  // Vulkan: an entry for a number that no constant has does not affect the pipeline, whatever its
  // size is.
  info.cs.specialization = {{4, 4, 7},
                            {90, 0, 0},
                            {91, 3, 0x30201},
                            {92, 5, 0x504030201},
                            {93, 6, 0x60504030201},
                            {94, 7, 0x7060504030201},
                            {95, 8, 0x807060504030201}};
  info.cs.options.waveSize = 32;
  info.cs.options.clientHash[1] = 5;
  info.options.robustBufferAccess = true;
  info.options.optLevel = lgc::OptLevel::Quick;
  info.options.tier = lgc::Tier::Direct;
  info.deviceIndex = 1;
  auto mapping = Compiler::buildAutoLayout(*module, info.cs);
  ASSERT_TRUE(bool(mapping));
  info.resourceMapping = *mapping;
  auto built = (*compiler)->buildComputePipeline(info);
  ASSERT_TRUE(bool(built)) << lgc::consumeToText(built.takeError()).message;

  auto dump = dumpPipeline(info, built->hashes);
  ASSERT_TRUE(bool(dump));
  EXPECT_EQ(dump->fileName, "compute_" + toString(built->hashes.pipelineHash) + ".pipe");
  ASSERT_EQ(dump->modules.size(), 1u);
  PipeFile file = read(dump->text).file;
  ASSERT_EQ(file.shaders.size(), 1u);
  EXPECT_EQ(file.shaders[0].text, dump->modules[0].fileName);
  EXPECT_EQ(file.compute.cs.specialization, info.cs.specialization);
  file.compute.cs.module = *module;
  auto again = (*compiler)->buildComputePipeline(file.compute);
  ASSERT_TRUE(bool(again)) << lgc::consumeToText(again.takeError()).message;
  EXPECT_EQ(again->elf.bytes(), built->elf.bytes());
  EXPECT_EQ(again->hashes.cacheHash, built->hashes.cacheHash);
}

TEST(PipeFile, TextThatLooksLikeASectionIsNotWritten) {
  PipeFile file = read(everything).file;
  file.shaders[0].text = "a\n [Version] \nb\n";
  EXPECT_EQ(write(file), "error: the line ' [Version] ' of the vertex shader would be taken for a "
                         "section of the .pipe file");
  file.shaders[0].text = "a\n";
  file.graphics.fs.entryTarget = "a\nb";
  EXPECT_EQ(write(file), "error: 'a\nb' cannot be a value in a .pipe file");
}

TEST(PipeFile, ShaderOfNoStageIsNotWritten) {
  PipeFile file = read(everything).file;
  file.shaders[0].stage = ShaderStage::Count;
  EXPECT_EQ(write(file), "error: a .pipe file with a shader of stage 'unknown'");
}

} // namespace
} // namespace llpc
