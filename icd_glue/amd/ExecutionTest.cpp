//===- ExecutionTest.cpp - code for AMD's layouts on the software device --===//
// SPDX-License-Identifier: MIT
/// \file
/// Build infos as AMD's driver makes them, with tables filled as it fills them: code reads what was
/// bound, whole or linked of parts. Expected values are formulas.
#include "icd_glue/amd/AdapterForTest.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/device/Draw.h"
#include "pal_shim/srd/Srd.h"
#include <chrono>
#include <cstring>
#include <thread>

using namespace icd::amd;
using namespace pal::device;
using NodeType = Vkgc::ResourceMappingNodeType;
using Words = std::vector<uint32_t>;

namespace {

struct Family {
  const char *name;
  Vkgc::GfxIpVersion version;
};
constexpr Family families[] = {{"gfx1010", {10, 1, 0}},
                               {"gfx1030", {10, 3, 0}},
                               {"gfx1100", {11, 0, 0}},
                               {"gfx1150", {11, 5, 0}},
                               {"gfx1201", {12, 0, 1}}};

/// The family, and whether parts are linked.
class AmdExecution : public testing::TestWithParam<std::tuple<Family, bool>> {
protected:
  AmdExecution() : family(std::get<0>(GetParam())), areParts(std::get<1>(GetParam())) {
    const char *options[] = {areParts ? "-kiln-parts=on" : "-kiln-parts=off",
                             "-kiln-link-constants=on"};
    EXPECT_EQ(Llpc::ICompiler::Create(family.version, 2, options, &compiler),
              Vkgc::Result::Success);
    device = llvm::cantFail(SoftwareDevice::create(
        {.target = family.name, .threads = 1, .poison = true, .strict = true}));
  }
  ~AmdExecution() override { compiler->Destroy(); }

  const void *moduleOf(const char *text, const char *stage) {
    return moduleFor(*compiler, memory, text, stage);
  }

  template <typename Info> void setCommon(Info &info) {
    info.pInstance = &memory;
    info.pfnOutputAlloc = Memory::allocate;
    info.options.optimizationLevel = 2;
    info.resourceMapping = {roots.data(), unsigned(roots.size()), nullptr, 0};
  }

  template <typename Out> std::shared_ptr<const Program> load(Vkgc::Result result, const Out &out) {
    EXPECT_EQ(result, Vkgc::Result::Success);
    // A part that was guessed otherwise may be ready by now; then the whole is compiled. What is
    // linked when is a matter of CodeStoreTest.
    if (!areParts || out.pipelineCacheAccess != Llpc::PartialPipelineHit)
      EXPECT_EQ(out.pipelineCacheAccess, Llpc::CacheMiss);
    if (result != Vkgc::Result::Success)
      return nullptr;
    const auto *code = static_cast<const uint8_t *>(out.pipelineBin.pCode);
    return llvm::cantFail(device->loadProgram({code, out.pipelineBin.codeSize}, "test"));
  }

  std::unique_ptr<Allocation> allocate(const Words &words, Heap heap = Heap::General) {
    auto allocation = llvm::cantFail(
        device->allocate({.size = words.size() * 4, .heap = heap, .name = "buffer"}));
    std::memcpy(allocation->host(), words.data(), words.size() * 4);
    return allocation;
  }
  static Words wordsOf(const Allocation &allocation) {
    Words words(allocation.size() / 4);
    std::memcpy(words.data(), allocation.host(), words.size() * 4);
    return words;
  }
  Words descriptorOf(const Allocation &buffer) const {
    Words words(4);
    pal::srd::buildBufferSrd(*pal::abi::findTarget(family.name),
                             {.address = buffer.address(), .sizeBytes = buffer.size()},
                             words.data());
    return words;
  }

  static Vkgc::ResourceMappingNode node(NodeType type, unsigned offset, unsigned size, unsigned set,
                                        unsigned binding) {
    Vkgc::ResourceMappingNode result = {};
    result.type = type;
    result.offsetInDwords = offset;
    result.sizeInDwords = size;
    result.srdRange = {set, binding, 0};
    return result;
  }
  void addRoot(const Vkgc::ResourceMappingNode &root) { roots.push_back({root, ~0u}); }
  void addTable(unsigned offset, llvm::ArrayRef<Vkgc::ResourceMappingNode> nodes) {
    Vkgc::ResourceMappingNode table = {};
    table.type = NodeType::DescriptorTableVaPtr;
    table.offsetInDwords = offset;
    table.sizeInDwords = 1;
    table.tablePtr = {unsigned(nodes.size()), nodes.data()};
    addRoot(table);
  }

  const Family family;
  const bool areParts;
  Llpc::ICompiler *compiler = nullptr;
  std::unique_ptr<SoftwareDevice> device;
  Memory memory;
  std::vector<Vkgc::ResourceMappingRootNode> roots;
};

constexpr unsigned count = 128;
constexpr const char *sumText = R"(#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 3) uniform U { uvec4 u[32]; };
layout(set = 0, binding = 5) buffer B { uint b[]; };
layout(set = 1, binding = 0) readonly buffer D { uint d[]; };
layout(push_constant) uniform P { uint factor, summand; };
void main() {
  const uint i = gl_GlobalInvocationID.x;
  b[i] = u[i / 4][i % 4] * factor + d[i] + summand;
})";

Words numbers(uint32_t seed) {
  Words words(count);
  for (uint32_t &word : words)
    word = seed = seed * 1664525 + 1013904223;
  return words;
}

/// A point sampler of NV12, without conversion to RGB.
std::array<unsigned, 10> samplerOf(const pal::abi::GpuTarget &target) {
  std::array<unsigned, 10> sampler = {};
  pal::srd::buildSamplerSrd(target, {}, sampler.data());
  Vkgc::SamplerYCbCrConversionMetaData words = {};
  words.word0.bitDepth.channelBitsR = 8;
  words.word0.componentMapping.swizzleR = 4;
  words.word0.componentMapping.swizzleG = 5;
  words.word0.componentMapping.swizzleB = 6;
  words.word0.componentMapping.swizzleA = 7;
  words.word1.planes = 2;
  words.word1.xSubSampled = words.word1.ySubSampled = 1;
  std::memcpy(sampler.data() + 4, &words, sizeof(words));
  return sampler;
}

/// Bytes (i, j) of 4x4 luma are 16 + 10 j + i; those of 2x2 chroma 100 (Cb) and 200 (Cr) + 10 j +
/// i. Rows of 256 bytes.
constexpr unsigned side = 4;
void fillPlanes(uint8_t *luma, uint8_t *chroma) {
  for (unsigned y = 0; y < side; ++y)
    for (unsigned x = 0; x < side; ++x)
      luma[y * 256 + x] = static_cast<uint8_t>(16 + 10 * y + x);
  for (unsigned y = 0; y < side / 2; ++y)
    for (unsigned x = 0; x < side / 2; ++x) {
      chroma[y * 256 + 2 * x] = static_cast<uint8_t>(100 + 10 * y + x);
      chroma[y * 256 + 2 * x + 1] = static_cast<uint8_t>(200 + 10 * y + x);
    }
}

} // namespace

// Set 0 in a table, a dynamic buffer of set 1 in the root beside the pointer of its table, push
// constants in the root: what the driver calls its compact scheme. The places of an unused table of
// vertex buffers stay free.
TEST_P(AmdExecution, ComputeReadsTablesDynamicBuffersAndPushConstants) {
  const Vkgc::ResourceMappingNode set0[] = {node(NodeType::DescriptorResource, 0, 8, 0, 0),
                                            node(NodeType::DescriptorConstBuffer, 8, 4, 0, 3),
                                            node(NodeType::DescriptorBuffer, 12, 4, 0, 5)};
  const Vkgc::ResourceMappingNode set1[] = {node(NodeType::DescriptorSampler, 0, 4, 1, 1)};
  addTable(0, set0);
  addRoot(node(NodeType::DescriptorBuffer, 1, 4, 1, 0));
  addTable(5, set1);
  addRoot(node(NodeType::PushConst, 6, 4, Vkgc::InternalDescriptorSetId, 2));

  Vkgc::ComputePipelineBuildInfo info = {};
  setCommon(info);
  info.cs.pModuleData = moduleOf(sumText, "comp");
  info.cs.pEntryTarget = "main";
  Llpc::ComputePipelineBuildOut out = {};
  const auto program = load(compiler->BuildComputePipeline(&info, &out), out);
  ASSERT_TRUE(program);

  const Words u = numbers(1), d = numbers(2);
  const auto uniform = allocate(u), dynamic = allocate(d), result = allocate(Words(count));
  Words table(8);
  for (const Allocation *buffer : {uniform.get(), result.get()})
    llvm::append_range(table, descriptorOf(*buffer));
  const auto tables = allocate(table, Heap::DescriptorTables);
  Words root = {uint32_t(tables->address())};
  llvm::append_range(root, descriptorOf(*dynamic));
  llvm::append_range(root, Words{0, 77, 5, 0, 0});
  ASSERT_FALSE(bool(device->dispatch(
      {.program = program.get(), .groups = {count / 64, 1, 1}, .userData = root})));
  const Words seen = wordsOf(*result);
  for (unsigned i = 0; i < count; ++i)
    EXPECT_EQ(seen[i], u[i] * 77 + d[i] + 5) << i;
}

// Values of specialization constants come from the pipeline, whether its code is made of them or
// linked with them: the first parts may not be there when the first pipelines are.
TEST_P(AmdExecution, PipelinesGiveConstantsTheirValues) {
  const Vkgc::ResourceMappingNode set0[] = {node(NodeType::DescriptorBuffer, 0, 4, 0, 0)};
  addTable(0, set0);
  Vkgc::ComputePipelineBuildInfo info = {};
  setCommon(info);
  info.cs.pModuleData = moduleOf(R"(#version 450
layout(local_size_x = 64) in;
layout(constant_id = 7) const uint factor = 3;
layout(constant_id = 9) const bool isNegated = false;
layout(constant_id = 4) const int summand = -1;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  b[i] = i * factor + summand;
  if (isNegated)
    b[i] = -b[i];
})",
                                 "comp");
  // As modules are compiled before any pipeline is known.
  info.options.optimizationLevel = 0;
  info.cs.options.forwardPropagateNoContract = true;
  info.cs.options.waveSize = 64;
  constexpr unsigned group = 64, tries = 500;
  bool isLinked = false;
  for (uint32_t number = 0; number < (areParts ? tries : 3) && !isLinked; ++number) {
    struct {
      uint32_t isNegated, factor;
    } const data = {number % 2, 10 + number};
    const VkSpecializationMapEntry entries[] = {{7, 4, 4}, {9, 0, 4}};
    const VkSpecializationInfo specialization = {2, entries, sizeof(data), &data};
    info.cs.pSpecializationInfo = &specialization;
    Llpc::ComputePipelineBuildOut out = {};
    const auto program = load(compiler->BuildComputePipeline(&info, &out), out);
    ASSERT_TRUE(program);
    isLinked = out.pipelineCacheAccess == Llpc::PartialPipelineHit;
    const auto buffer = allocate(Words(group));
    const auto tables = allocate(descriptorOf(*buffer), Heap::DescriptorTables);
    const Words root = {uint32_t(tables->address())};
    ASSERT_FALSE(bool(device->dispatch({.program = program.get(), .userData = root})));
    const Words seen = wordsOf(*buffer);
    for (uint32_t i = 0; i < group; ++i) {
      const uint32_t value = i * data.factor - 1;
      EXPECT_EQ(seen[i], data.isNegated ? 0 - value : value) << i;
    }
    if (areParts)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(isLinked, areParts);
}

// With robustBufferAccess2 entries of the table of vertex buffers are {address, upper half, bytes,
// stride}. The table itself is a root node.
TEST_P(AmdExecution, VertexShaderMakesDescriptorsOfBuffers) {
  const Vkgc::ResourceMappingNode set0[] = {node(NodeType::DescriptorBuffer, 0, 4, 0, 0)};
  addTable(0, set0);
  Vkgc::ResourceMappingNode vertexTable = {};
  vertexTable.type = NodeType::IndirectUserDataVaPtr;
  vertexTable.offsetInDwords = vertexTable.sizeInDwords = 1;
  vertexTable.userDataPtr.sizeInDwords = 64;
  addRoot(vertexTable);

  Vkgc::GraphicsPipelineBuildInfo info = {};
  setCommon(info);
  info.vs.pModuleData = moduleOf(R"(#version 450
layout(location = 0) in uvec2 a;
layout(set = 0, binding = 0) buffer B { uvec2 b[]; };
void main() { b[gl_VertexIndex] = a; gl_Position = vec4(0); })",
                                 "vert");
  info.vs.entryStage = Vkgc::ShaderStageVertex;
  info.iaState.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  info.rsState.rasterizerDiscardEnable = true;
  info.rsState.numSamples = 1;
  info.nggState.enableNgg = true;
  info.useSoftwareVertexBufferDescriptors = true;
  info.options.extendedRobustness.robustBufferAccess = true;
  const VkVertexInputBindingDescription binding = {0, 12, VK_VERTEX_INPUT_RATE_VERTEX};
  const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32_UINT, 4};
  VkPipelineVertexInputStateCreateInfo input = {};
  input.vertexBindingDescriptionCount = input.vertexAttributeDescriptionCount = 1;
  input.pVertexBindingDescriptions = &binding;
  input.pVertexAttributeDescriptions = &attribute;
  info.pVertexInput = &input;
  Llpc::GraphicsPipelineBuildOut out = {};
  const auto program = load(compiler->BuildGraphicsPipeline(&info, &out), out);
  ASSERT_TRUE(program);

  constexpr unsigned vertices = 30, inside = 20; // the rest lies behind the end of the buffer
  const Words data = numbers(3);
  const auto buffer = allocate(data), result = allocate(Words(2 * vertices, 99));
  const auto tables = allocate(descriptorOf(*result), Heap::DescriptorTables);
  const auto entries =
      allocate({uint32_t(buffer->address()), uint32_t(buffer->address() >> 32), inside * 12, 12},
               Heap::DescriptorTables);
  const Words root = {uint32_t(tables->address()), uint32_t(entries->address())};
  DrawInfo draw;
  draw.program = program.get();
  draw.userData = root;
  draw.vertexBufferTable = entries->address();
  draw.input.topology = PrimitiveTopology::PointList;
  draw.range.vertexCount = vertices;
  draw.raster.rasterizerDiscard = true;
  draw.raster.renderArea = {0, 0, 1, 1};
  ASSERT_FALSE(bool(device->draw(draw)));
  const Words seen = wordsOf(*result);
  for (unsigned i = 0; i < 2 * vertices; ++i)
    EXPECT_EQ(seen[i], i / 2 < inside ? data[i / 2 * 3 + 1 + i % 2] : 0) << i;
}

// NV12 as the driver's views show it: Y in the green of plane 0, Cb in the blue and Cr in the red
// of plane 1, one descriptor behind the other; the sampler is immutable, with words of conversion.
TEST_P(AmdExecution, SamplesPlanesWhereTheirComponentsAre) {
  Vkgc::ResourceMappingNode image = node(NodeType::DescriptorYCbCrSampler, 0, 36, 0, 0);
  image.srdRange.strideInDwords = 36;
  const Vkgc::ResourceMappingNode set0[] = {image, node(NodeType::DescriptorBuffer, 36, 4, 0, 1)};
  addTable(0, set0);
  const pal::abi::GpuTarget &target = *pal::abi::findTarget(family.name);
  const std::array<unsigned, 10> sampler = samplerOf(target);
  const Vkgc::StaticDescriptorValue value = {
      NodeType::DescriptorYCbCrSampler, 0, 0, 1, sampler.data(), ~0u};

  Vkgc::ComputePipelineBuildInfo info = {};
  setCommon(info);
  info.resourceMapping.pStaticDescriptorValues = &value;
  info.resourceMapping.staticDescriptorValueCount = 1;
  info.cs.pModuleData = moduleOf(R"(#version 450
layout(local_size_x = 4, local_size_y = 4) in;
layout(set = 0, binding = 0) uniform sampler2D s;
layout(set = 0, binding = 1) buffer B { uint b[]; };
void main() {
  const vec2 at = (vec2(gl_LocalInvocationID.xy) + 0.5) / 4.0;
  b[gl_LocalInvocationIndex] = packUnorm4x8(textureLod(s, at, 0.0));
})",
                                 "comp");
  Llpc::ComputePipelineBuildOut out = {};
  const Vkgc::Result result = compiler->BuildComputePipeline(&info, &out);
  ASSERT_EQ(result, Vkgc::Result::Success);
  const auto *code = static_cast<const uint8_t *>(out.pipelineBin.pCode);
  const auto program =
      llvm::cantFail(device->loadProgram({code, out.pipelineBin.codeSize}, "test"));

  const auto luma = allocate(Words(side * 64)), chroma = allocate(Words(side / 2 * 64));
  fillPlanes(luma->host(), chroma->host());
  using pal::srd::Select;
  const auto buffer = allocate(Words(side * side));
  Words table(36);
  pal::srd::buildImageSrd(target,
                          {.address = luma->address(),
                           .format = pal::formats::Format::X8_Unorm,
                           .swizzle = {Select::Zero, Select::X, Select::Zero, Select::One},
                           .width = side,
                           .height = side},
                          table.data());
  pal::srd::buildImageSrd(target,
                          {.address = chroma->address(),
                           .format = pal::formats::Format::X8Y8_Unorm,
                           .swizzle = {Select::Y, Select::Zero, Select::X, Select::Zero},
                           .width = side / 2,
                           .height = side / 2},
                          table.data() + 8);
  llvm::append_range(table, descriptorOf(*buffer));
  const auto tables = allocate(table, Heap::DescriptorTables);
  const Words root = {uint32_t(tables->address())};
  ASSERT_FALSE(bool(device->dispatch({.program = program.get(), .userData = root})));
  const Words seen = wordsOf(*buffer);
  for (unsigned y = 0; y < side; ++y)
    for (unsigned x = 0; x < side; ++x) {
      const uint32_t tile = 10 * (y / 2) + x / 2;
      EXPECT_EQ(seen[y * side + x],
                (200 + tile) | (16 + 10 * y + x) << 8 | (100 + tile) << 16 | 0xFF000000u)
          << x << " " << y;
    }
}

INSTANTIATE_TEST_SUITE_P(Families, AmdExecution,
                         testing::Combine(testing::ValuesIn(families), testing::Bool()),
                         [](const auto &info) {
                           return std::string(std::get<0>(info.param).name) +
                                  (std::get<1>(info.param) ? "Parts" : "Whole");
                         });
