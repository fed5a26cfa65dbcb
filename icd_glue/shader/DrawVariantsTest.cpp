//===- DrawVariantsTest.cpp - what draws with shader objects compile ------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/shader/DrawVariants.h"
#include "icd_glue/device/TestDevice.h"
#include "icd_glue/partial/PartCounters.h"
#include "icd_glue/shader/ShaderBinary.h"
#include "tools/frontend/Glsl.h"
#include <algorithm>
#include <chrono>
#include <thread>

using namespace icd;

namespace {

using pal::device::PrimitiveTopology;

llpc::Hash128 keyOf(uint32_t number) { return {number, 0, 0, 0}; }

TEST(RecentValues, forgetsTheOldest) {
  RecentValues<int> values(3);
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(values.add(keyOf(uint32_t(i)), i), i);
  EXPECT_EQ(values.size(), 3u);
  EXPECT_EQ(values.find(keyOf(1)), nullptr);
  ASSERT_NE(values.find(keyOf(2)), nullptr);
  EXPECT_EQ(values.add(keyOf(4), 40), 40);
  EXPECT_EQ(values.size(), 3u);
  values.eraseIf([](int value) { return value == 3; });
  EXPECT_EQ(values.size(), 2u);
  values.add(keyOf(3), 33);
  values.add(keyOf(5), 5);
  EXPECT_EQ(values.find(keyOf(2)), nullptr);
  EXPECT_EQ(*values.find(keyOf(3)), 33);
}

/// A device with two shaders, and the state of a draw.
class DrawVariant : public TestDevice {
protected:
  void SetUp() override {
    setenv("KILN_PARTS", "off", 1); // read when an instance is created
    TestDevice::SetUp();
    unsetenv("KILN_PARTS");
    vertexSpirv = compile("vert", "#version 460\nlayout(location = 0) in vec4 place;\n"
                                  "void main() { gl_Position = place; }");
    fragmentSpirv = compile("frag", "#version 460\nlayout(location = 0) out vec4 color;\n"
                                    "void main() { color = vec4(0.5); }");
    vertex = create(VK_SHADER_STAGE_VERTEX_BIT, vertexSpirv);
    fragment = create(VK_SHADER_STAGE_FRAGMENT_BIT, fragmentSpirv);
    input.bindings.push_back({0, 16, lgc::VertexInputRate::Vertex, 1});
    input.attributes.push_back({0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0});
    state.strides[0] = 16;
    state.blend.targets[0].writeMask = 0xF;
    formats.colors[0] = VK_FORMAT_R8G8B8A8_UNORM;
  }
  void TearDown() override {
    for (VkShaderEXT shader : made)
      DestroyShaderEXT(device, shader, nullptr);
    TestDevice::TearDown();
    EXPECT_TRUE(messages.empty()) << messages.front();
  }

  static std::vector<uint8_t> compile(const char *stage, const char *text) {
    return llvm::cantFail(frontend::compileGlsl(text, stage));
  }
  VkShaderEXT create(VkShaderStageFlagBits stage, llvm::ArrayRef<uint8_t> code,
                     VkShaderCodeTypeEXT type = VK_SHADER_CODE_TYPE_SPIRV_EXT) {
    auto info = vkStruct<VkShaderCreateInfoEXT>(VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT);
    info.stage = stage;
    info.codeType = type;
    info.codeSize = code.size();
    info.pCode = code.data();
    info.pName = "main";
    VkShaderEXT shader = VK_NULL_HANDLE;
    EXPECT_EQ(CreateShadersEXT(device, 1, &info, nullptr, &shader), VK_SUCCESS);
    made.push_back(shader);
    return shader;
  }
  static std::shared_ptr<const ShaderData> dataOf(VkShaderEXT shader) {
    auto *object = fromHandle<ShaderObject>(shader);
    return object ? object->data : nullptr;
  }
  Device &object() { return *fromHandle<Device>(device); }
  std::shared_ptr<const PipelineData> obtain() {
    auto pipeline = object().drawVariants().obtain(
        object(), {.vertex = dataOf(vertex), .fragment = dataOf(fragment)}, input, state, formats);
    if (pipeline)
      return *pipeline;
    ADD_FAILURE() << llvm::toString(pipeline.takeError());
    return nullptr;
  }
  size_t variants() { return object().drawVariants().variantCount(); }

  std::vector<uint8_t> vertexSpirv, fragmentSpirv;
  VkShaderEXT vertex = VK_NULL_HANDLE, fragment = VK_NULL_HANDLE;
  std::vector<VkShaderEXT> made;
  VertexInputState input;
  DrawState state;
  TargetFormats formats;
};

TEST_F(DrawVariant, partsAreCompiledOnceAndLinked) {
  const PartCounters &counters = object().counters();
  EXPECT_EQ(counters.partsBuilt, 2u); // when the shaders were created
  const auto first = obtain();
  EXPECT_NE(first->program(object()), nullptr);
  EXPECT_EQ(counters.partsBuilt, 2u);
  EXPECT_EQ(counters.linked, 1u);
  EXPECT_EQ(counters.compiled, 0u);
  EXPECT_EQ(obtain(), first);
}

TEST_F(DrawVariant, onlyWhatCodeDependsOnCounts) {
  const auto first = obtain();
  auto isSame = [&](auto change) {
    const DrawState oldState = state;
    const VertexInputState oldInput = input;
    const TargetFormats oldFormats = formats;
    change();
    const bool same = obtain() == first;
    state = oldState;
    input = oldInput;
    formats = oldFormats;
    return same;
  };
  EXPECT_TRUE(isSame([&] { state.raster.viewports[0].width = 7; }));
  EXPECT_TRUE(isSame([&] { state.raster.samples = 4; }));
  EXPECT_TRUE(isSame([&] { state.raster.rasterizerDiscard = true; }));
  EXPECT_TRUE(isSame([&] { state.raster.depthClampEnable = true; }));
  EXPECT_TRUE(isSame([&] { state.depthStencil.depthTest = true; }));
  EXPECT_TRUE(isSame([&] { state.topology = PrimitiveTopology::TriangleStrip; }));
  EXPECT_TRUE(isSame([&] { state.strides[1] = 99; })); // nothing is fetched with it
  EXPECT_TRUE(isSame([&] { formats.depth = VK_FORMAT_D32_SFLOAT; }));
  EXPECT_FALSE(isSame([&] { state.topology = PrimitiveTopology::LineList; }));
  EXPECT_TRUE(isSame([&] { state.raster.provokingVertexLast = true; })); // the hardware's matter
  EXPECT_FALSE(isSame([&] { state.raster.alphaToCoverage = true; }));
  EXPECT_FALSE(isSame([&] { state.strides[0] = 18; }));
  EXPECT_FALSE(isSame([&] { input.attributes[0].format = VK_FORMAT_R8G8B8A8_UNORM; }));
  EXPECT_FALSE(isSame([&] { state.blend.targets[0].writeMask = 1; }));
  EXPECT_FALSE(isSame([&] { formats.colors[0] = VK_FORMAT_R32_SFLOAT; }));
  EXPECT_FALSE(isSame([&] { formats.viewMask = 3; }));
  EXPECT_TRUE(isSame([] {}));
}

TEST_F(DrawVariant, tessellationDependsOnTheOrigin) {
  const auto controlSpirv = compile("tesc", "#version 460\nlayout(vertices = 1) out;\nvoid main() {"
                                            "gl_TessLevelOuter[0] = gl_PatchVerticesIn; }");
  const auto evaluationSpirv = compile("tese", "#version 460\nlayout(triangles) in;\nvoid main() {"
                                               "gl_Position = vec4(gl_TessCoord, 1); }");
  const std::shared_ptr<const ShaderData> control =
      dataOf(create(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, controlSpirv));
  const std::shared_ptr<const ShaderData> evaluation =
      dataOf(create(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, evaluationSpirv));
  state.topology = PrimitiveTopology::PatchList;
  auto tessellated = [&] {
    return llvm::cantFail(object().drawVariants().obtain(object(),
                                                         {.vertex = dataOf(vertex),
                                                          .control = control,
                                                          .evaluation = evaluation,
                                                          .fragment = dataOf(fragment)},
                                                         input, state, formats));
  };
  state.patchControlPoints = 3;
  const auto first = tessellated();
  EXPECT_NE(first->program(object()), nullptr);
  state.patchControlPoints = 4; // which code takes as a value
  EXPECT_EQ(tessellated(), first);
  state.lowerLeftOrigin = true;
  EXPECT_NE(tessellated(), first);
  // Without these shaders nothing of it matters.
  state.topology = PrimitiveTopology::TriangleList;
  const auto plain = obtain();
  state.lowerLeftOrigin = false;
  EXPECT_EQ(obtain(), plain);
}

TEST_F(DrawVariant, geometryDependsOnTheStream) {
  const auto spirv = compile("geom", "#version 460\nlayout(points) in;\nlayout(points, "
                                     "max_vertices = 1) out;\nvoid main() {"
                                     "gl_Position = gl_in[0].gl_Position; EmitVertex(); }");
  const auto geometry = dataOf(create(VK_SHADER_STAGE_GEOMETRY_BIT, spirv));
  state.topology = PrimitiveTopology::PointList;
  auto obtained = [&] {
    return llvm::cantFail(object().drawVariants().obtain(
        object(), {.vertex = dataOf(vertex), .geometry = geometry, .fragment = dataOf(fragment)},
        input, state, formats));
  };
  const auto first = obtained();
  state.rasterizationStream = 1;
  const auto second = obtained();
  EXPECT_NE(second, first);
  EXPECT_NE(second->program(object()), nullptr);
  state.rasterizationStream = 0;
  EXPECT_EQ(obtained(), first);
  // Without a geometry shader there is one stream.
  const auto plain = obtain();
  state.rasterizationStream = 1;
  EXPECT_EQ(obtain(), plain);
}

/// The first code is the direct tier's; when it is used, LLVM's parts are made for later draws.
TEST_F(DrawVariant, standInsAreReplaced) {
  const auto first = obtain();
  EXPECT_TRUE(first->code(object())->isStandIn());
  EXPECT_EQ(obtain(), first); // nobody has used it
  EXPECT_NE(first->program(object()), nullptr);
  auto later = first;
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (later->code(object())->isStandIn() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    later = obtain();
  }
  EXPECT_FALSE(later->code(object())->isStandIn());
  EXPECT_NE(later->program(object()), nullptr);
  EXPECT_EQ(obtain(), later);
  EXPECT_EQ(variants(), 1u);
}

TEST_F(DrawVariant, variantsGoWithTheirShaders) {
  const auto first = obtain();
  VkShaderEXT kept = fragment;
  fragment = VK_NULL_HANDLE;
  EXPECT_NE(obtain(), first);
  EXPECT_EQ(variants(), 2u);
  DestroyShaderEXT(device, kept, nullptr);
  EXPECT_EQ(variants(), 1u);
  DestroyShaderEXT(device, vertex, nullptr);
  EXPECT_EQ(variants(), 0u);
  made.clear();
}

TEST_F(DrawVariant, binariesNeedNoCompiler) {
  const std::vector<uint8_t> vertexBinary = dataOf(vertex)->binary(object()).vec();
  const std::vector<uint8_t> fragmentBinary = dataOf(fragment)->binary(object()).vec();
  const llvm::ArrayRef<uint8_t> elf = obtain()->code(object())->elf();
  const std::vector<uint8_t> linked = elf.vec();
  for (VkShaderEXT shader : made)
    DestroyShaderEXT(device, shader, nullptr);
  made.clear();
  TestDevice::TearDown();
  setenv("KILN_PARTS", "off", 1);
  TestDevice::SetUp(); // another device, with an empty cache
  unsetenv("KILN_PARTS");
  vertex = create(VK_SHADER_STAGE_VERTEX_BIT, vertexBinary, VK_SHADER_CODE_TYPE_BINARY_EXT);
  fragment = create(VK_SHADER_STAGE_FRAGMENT_BIT, fragmentBinary, VK_SHADER_CODE_TYPE_BINARY_EXT);
  EXPECT_EQ(object().counters().partsBuilt, 0u);
  EXPECT_EQ(obtain()->code(object())->elf().vec(), linked);
  EXPECT_EQ(object().counters().partsBuilt, 0u);
  state.topology = PrimitiveTopology::PointList;
  EXPECT_NE(obtain()->code(object())->elf().vec(), linked);
  EXPECT_EQ(object().counters().partsBuilt, 0u);
  // What the parts of the binary do not do for comes of its SPIR-V.
  formats.viewMask = 3;
  ASSERT_NE(obtain(), nullptr);
  EXPECT_EQ(object().counters().partsBuilt, 2u);
}

/// Binaries that somebody has made, with good checksums: they are refused, or draw something. The
/// device is not asked to run what they hold.
TEST_F(DrawVariant, forgedBinariesAreRefusedOrLoad) {
  const uint8_t *uuid = object().physicalDevice().properties().shaderBinaryUUID;
  const VkShaderEXT goodVertex = vertex, goodFragment = fragment;
  unsigned refused = 0, taken = 0;
  for (VkShaderEXT good : {goodVertex, goodFragment}) {
    const auto binary = decodeShaderBinary(dataOf(good)->binary(object()), uuid);
    ASSERT_TRUE(binary);
    size_t longest = 0;
    for (const ShaderBinary::Code &code : binary->codes)
      longest = std::max(longest, code.record.size());
    EXPECT_GT(longest, 0u);
    for (size_t i = 0; i < longest; i += 5) {
      ShaderBinary forged = *binary; // all of its records: the device takes one
      for (ShaderBinary::Code &code : forged.codes)
        if (i < code.record.size())
          code.record[i] ^= static_cast<uint8_t>(1u << (i % 8));
      const std::vector<uint8_t> bytes = encodeShaderBinary(forged, uuid);
      auto info = vkStruct<VkShaderCreateInfoEXT>(VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT);
      info.stage = binary->source.stage;
      info.codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
      info.codeSize = bytes.size();
      info.pCode = bytes.data();
      info.pName = "main";
      VkShaderEXT shader = VK_NULL_HANDLE;
      const VkResult result = CreateShadersEXT(device, 1, &info, nullptr, &shader);
      if (result != VK_SUCCESS) {
        EXPECT_EQ(result, VK_INCOMPATIBLE_SHADER_BINARY_EXT);
        ++refused;
        continue;
      }
      ++taken;
      (good == goodVertex ? vertex : fragment) = shader;
      auto pipeline = object().drawVariants().obtain(
          object(), {.vertex = dataOf(vertex), .fragment = dataOf(fragment)}, input, state,
          formats);
      if (pipeline)
        (*pipeline)->program(object());
      else
        llvm::consumeError(pipeline.takeError());
      vertex = goodVertex;
      fragment = goodFragment;
      DestroyShaderEXT(device, shader, nullptr);
    }
  }
  EXPECT_GT(refused, 0u);
  EXPECT_GT(taken, 0u); // code itself has no redundancy
  messages.clear();     // of what could not be loaded
}

} // namespace
