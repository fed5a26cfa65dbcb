// SPDX-License-Identifier: MIT
// Transform feedback, rasterization streams and dynamic control points of patches come out alike
// whatever draws: pipelines, linked libraries, binaries, shader objects, secondary command buffers.
#include "Binaries.h"
#include "LibraryScene.h"
#include "Pipelines.h"
#include "ShaderScene.h"
#include <cstdlib>
#include <optional>

namespace api {
namespace {

using Words = std::vector<uint32_t>;
constexpr Subsets before = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
                           VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
constexpr Subsets behind = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
                           VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;
constexpr uint32_t capturedWords = 16;

/// What pipelines and shader objects are made of.
struct Program {
  struct Stage {
    VkShaderStageFlagBits stage;
    const char *name;
    std::string glsl;
  };
  std::vector<Stage> stages;
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  std::vector<VkDynamicState> dynamics = {};
};

const std::string vertexText = R"(
void main() {
  number = gl_VertexIndex * 10 + 1;
  gl_Position = vec4((vec2(gl_VertexIndex % 8, gl_VertexIndex / 8) + 0.5) / 4.0 - 1.0, 0.5, 1);
  gl_PointSize = 1;
})";

/// Stream 0 has points with numbers, stream 1 two of them, which are captured, one row below.
const char *const geometryGlsl = R"(#version 460
layout(points) in;
layout(points, max_vertices = 3) out;
layout(location = 0) in uint number[];
layout(stream = 1, location = 1, xfb_buffer = 1, xfb_stride = 4, xfb_offset = 0) out uint captured;
layout(stream = 1) out gl_PerVertex {
  vec4 gl_Position;
  float gl_PointSize;
};
layout(stream = 1, location = 0) flat out uint value;
void main() {
  EmitStreamVertex(0);
  for (uint i = 0; i < 2; ++i) {
    captured = number[0] + 1000 + i;
    value = number[0] + i;
    gl_Position = gl_in[0].gl_Position + vec4(0, 0.25, 0, 0);
    gl_PointSize = 1;
    EmitStreamVertex(1);
  }
})";

const char *const fragmentGlsl = R"(#version 460
layout(location = 0) flat in uint value;
layout(location = 0) out uvec4 color;
void main() { color = uvec4(value, 1, 2, 3); })";

Program vertexProgram() {
  return {{{VK_SHADER_STAGE_VERTEX_BIT, "vert",
            "#version 460\nlayout(location = 0, xfb_buffer = 1, xfb_stride = 4, xfb_offset = 0) "
            "flat out uint number;" +
                vertexText},
           {VK_SHADER_STAGE_FRAGMENT_BIT, "frag", fragmentGlsl}}};
}

/// Its rasterization stream, 1, is dynamic state.
Program geometryProgram() {
  return {{{VK_SHADER_STAGE_VERTEX_BIT, "vert",
            "#version 460\nlayout(location = 0) out uint number;" + vertexText},
           {VK_SHADER_STAGE_GEOMETRY_BIT, "geom", geometryGlsl},
           {VK_SHADER_STAGE_FRAGMENT_BIT, "frag", fragmentGlsl}},
          VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
          {VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT}};
}

/// Captures control points and number of each patch, twice: a line of one segment.
Program patchProgram() {
  return {{{VK_SHADER_STAGE_VERTEX_BIT, "vert",
            "#version 460\nvoid main() { gl_Position = vec4(2, 2, 2, 1); }"},
           {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, "tesc", R"(#version 460
layout(vertices = 1) out;
layout(location = 0) out uint points[];
void main() {
  points[gl_InvocationID] = gl_PatchVerticesIn;
  gl_TessLevelOuter = float[](1, 1, 1, 1);
})"},
           {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, "tese", R"(#version 460
layout(isolines, point_mode) in;
layout(location = 0) in uint points[];
layout(location = 0, xfb_buffer = 1, xfb_stride = 4, xfb_offset = 0) flat out uint captured;
void main() {
  captured = points[0] * 100 + gl_PrimitiveID;
  gl_Position = vec4(2, 2, 2, 1);
  gl_PointSize = 1;
})"},
           {VK_SHADER_STAGE_FRAGMENT_BIT, "frag", fragmentGlsl}},
          VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
          {VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT}};
}

class FeedbackApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME))
      GTEST_SKIP() << "no VK_EXT_transform_feedback";
    feedback.pNext = &dynamic2;
    if (gpu.hasExtension(VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME))
      dynamic2.pNext = &dynamic3;
    device.emplace(GetParam(), &feedback); // what it has of these is filled in and enabled
  }
  void TearDown() override {
    ApiTest::TearDown();
    if (device && !allowsMessages) {
      EXPECT_EQ(device->validationMessages, 0u);
    }
  }

  struct Creation {
    Subsets own = before | behind;
    std::vector<VkPipeline> libraries;
    VkPipelineCreateFlags flags = 0;
    const void *next = nullptr;
    bool hasModules = true;
    /// Gets the create info instead of a pipeline being created.
    std::function<void(const VkGraphicsPipelineCreateInfo &)> use = {};
  };
  VkPipeline pipeline(const Program &program, const Creation &creation);
  VkPipeline pipeline(const Program &program) { return pipeline(program, Creation()); }
  VkPipeline linked(const Program &program, VkPipelineCreateFlags flags);

  /// What \p record, which binds, sets and draws, captures; `picture` is what it draws.
  Words capture(const std::function<void(VkCommandBuffer)> &record, bool isSecondary = false);
  /// Inside transform feedback.
  void drawCaptured(VkCommandBuffer c, const std::function<void()> &draw);
  void drawPipeline(VkCommandBuffer c, VkPipeline pipeline, const std::function<void()> &draw) {
    device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    drawCaptured(c, draw);
  }
  /// Every way of drawing \p program, which has a draw \p draw, must capture \p expected.
  void expectAll(const Program &program, const std::function<void(VkCommandBuffer)> &draw,
                 const Words &expected, const std::function<void()> &checkPicture);
  void expectShaderObjects(const Program &program, const std::function<void(VkCommandBuffer)> &draw,
                           const Words &expected, const std::function<void()> &checkPicture);

  VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback =
      vkStruct<VkPhysicalDeviceTransformFeedbackFeaturesEXT>(
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT);
  VkPhysicalDeviceExtendedDynamicState2FeaturesEXT dynamic2 =
      vkStruct<VkPhysicalDeviceExtendedDynamicState2FeaturesEXT>(
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT);
  VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic3 =
      vkStruct<VkPhysicalDeviceExtendedDynamicState3FeaturesEXT>(
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT);
  std::optional<Gpu> device;
  std::optional<ShaderScene> scene;
  Buffer captured;
  std::vector<uint32_t> picture; ///< the first word of each pixel
};
API_TESTS_ON_ALL_DEVICES(FeedbackApi);

VkPipeline FeedbackApi::pipeline(const Program &program, const Creation &creation) {
  vktest::GraphicsInfo graphics(ShaderScene::side);
  graphics.formats.clear();
  if (creation.own & behind)
    graphics.formats = {VK_FORMAT_R32G32B32A32_UINT};
  graphics.assembly.topology = program.topology;
  graphics.dynamics = program.dynamics;
  for (const Program::Stage &stage : program.stages)
    if (creation.own & (stage.stage == VK_SHADER_STAGE_FRAGMENT_BIT ? behind : before))
      graphics.addStage(stage.stage, creation.hasModules ? device->module(stage.glsl, stage.name)
                                                         : VK_NULL_HANDLE);
  auto tessellation = vkStruct<VkPipelineTessellationStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO);
  tessellation.patchControlPoints = 2;
  graphics.info.pTessellationState = &tessellation;
  auto library = vkStruct<VkGraphicsPipelineLibraryCreateInfoEXT>(
      VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
  library.flags = creation.own;
  auto link =
      vkStruct<VkPipelineLibraryCreateInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
  link.libraryCount = uint32_t(creation.libraries.size());
  link.pLibraries = creation.libraries.data();
  graphics.info.pNext = creation.next;
  graphics.info.flags = creation.flags;
  graphics.info.layout = device->pipelineLayout({});
  if (!creation.libraries.empty()) {
    auto info = vkStruct<VkGraphicsPipelineCreateInfo>(
        VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &link);
    info.flags = creation.flags;
    info.layout = graphics.info.layout;
    return device->pipeline(info);
  }
  if (creation.own != (before | behind)) {
    graphics.info.pNext = &library;
    graphics.info.flags |= VK_PIPELINE_CREATE_LIBRARY_BIT_KHR |
                           VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
  }
  if (!creation.use)
    return device->pipeline(graphics.done());
  creation.use(graphics.done());
  return VK_NULL_HANDLE;
}

VkPipeline FeedbackApi::linked(const Program &program, VkPipelineCreateFlags flags) {
  Creation first, second, link;
  first.own = before;
  second.own = behind;
  link.own = 0;
  link.libraries = {pipeline(program, first), pipeline(program, second)};
  link.flags = flags;
  return pipeline(program, link);
}

void FeedbackApi::drawCaptured(VkCommandBuffer c, const std::function<void()> &draw) {
  const VkDeviceSize offset = 0, size = VK_WHOLE_SIZE;
  device->vk.CmdBindTransformFeedbackBuffersEXT(c, 1, 1, &captured.handle, &offset, &size);
  device->vk.CmdBeginTransformFeedbackEXT(c, 0, 0, nullptr, nullptr);
  draw();
  device->vk.CmdEndTransformFeedbackEXT(c, 0, 0, nullptr, nullptr);
}

Words FeedbackApi::capture(const std::function<void(VkCommandBuffer)> &record, bool isSecondary) {
  if (!captured.handle)
    captured = device->buffer(4 * capturedWords);
  std::fill_n(captured.data, capturedWords, 0);
  VkCommandBuffer secondary = VK_NULL_HANDLE;
  if (isSecondary) {
    const VkFormat format = VK_FORMAT_R32G32B32A32_UINT;
    auto rendering = vkStruct<VkCommandBufferInheritanceRenderingInfo>(
        VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO);
    rendering.colorAttachmentCount = 1;
    rendering.pColorAttachmentFormats = &format;
    rendering.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
    auto inheritance = vkStruct<VkCommandBufferInheritanceInfo>(
        VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, &rendering);
    auto begin = vkStruct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    begin.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    begin.pInheritanceInfo = &inheritance;
    secondary = device->commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VK_OK(device->vk.BeginCommandBuffer(secondary, &begin));
    record(secondary);
    VK_OK(device->vk.EndCommandBuffer(secondary));
  }
  VkClearColorValue value = {};
  scene->clear(scene->target, value);
  scene->render(
      [&](VkCommandBuffer c) {
        if (isSecondary)
          device->vk.CmdExecuteCommands(c, 1, &secondary);
        else
          record(c);
      },
      {scene->target}, VK_NULL_HANDLE, 0,
      isSecondary ? VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT : 0);
  const Words words = scene->read(scene->target, 4);
  picture.clear();
  for (size_t i = 0; i < words.size(); i += 4)
    picture.push_back(words[i]);
  return {captured.data, captured.data + capturedWords};
}

void FeedbackApi::expectShaderObjects(const Program &program,
                                      const std::function<void(VkCommandBuffer)> &draw,
                                      const Words &expected,
                                      const std::function<void()> &checkPicture) {
  std::vector<ShaderSource> sources;
  for (const Program::Stage &stage : program.stages)
    sources.emplace_back(*device, stage.glsl, stage.name);
  std::vector<VkShaderEXT> handles;
  std::vector<VkShaderStageFlagBits> flags;
  for (size_t i = 0; i < sources.size(); ++i) {
    handles.push_back(scene->shaders.create(sources[i].info));
    flags.push_back(program.stages[i].stage);
  }
  EXPECT_EQ(
      capture([&](VkCommandBuffer c) {
        scene->setState(c);
        device->vk.CmdSetVertexInputEXT(c, 0, nullptr, 0, nullptr);
        scene->bind(c, VK_NULL_HANDLE, VK_NULL_HANDLE);
        device->vk.CmdSetPrimitiveTopology(c, program.topology);
        device->vk.CmdSetRasterizationStreamEXT(c, 0);
        device->vk.CmdSetTessellationDomainOriginEXT(c, VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT);
        device->vk.CmdBindShadersEXT(c, uint32_t(handles.size()), flags.data(), handles.data());
        drawCaptured(c, [&] { draw(c); });
      }),
      expected);
  checkPicture();
}

void FeedbackApi::expectAll(const Program &program,
                            const std::function<void(VkCommandBuffer)> &draw, const Words &expected,
                            const std::function<void()> &checkPicture) {
  scene.emplace(*device);
  auto expectPipeline = [&](const char *name, VkPipeline pipeline) {
    for (bool isSecondary : {false, true}) {
      SCOPED_TRACE(std::string(name) + (isSecondary ? ", secondary" : ""));
      EXPECT_EQ(capture([&](VkCommandBuffer c) { drawPipeline(c, pipeline, [&] { draw(c); }); },
                        isSecondary),
                expected);
      checkPicture();
    }
  };
  expectPipeline("pipeline", pipeline(program));
  if (device->hasExtension(VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME)) {
    expectPipeline("libraries", linked(program, 0));
    expectPipeline("optimised", linked(program, VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT));
  }
  if (device->hasExtension(VK_EXT_SHADER_OBJECT_EXTENSION_NAME)) {
    SCOPED_TRACE("shader objects");
    expectShaderObjects(program, draw, expected, checkPicture);
  }
}

TEST_P(FeedbackApi, Vertices) {
  Words expected = {1, 11, 21, 31, 41, 21, 31};
  expected.resize(capturedWords);
  expectAll(
      vertexProgram(),
      [&](VkCommandBuffer c) {
        device->vk.CmdDraw(c, 5, 1, 0, 0);
        device->vk.CmdDraw(c, 2, 1, 2, 0);
      },
      expected,
      [&] {
        for (uint32_t i = 0; i < picture.size(); ++i)
          EXPECT_EQ(picture[i], i < 5 ? i * 10 + 1 : 0) << i;
      });
}

TEST_P(FeedbackApi, RasterizationStream) {
  if (!feedback.geometryStreams || !dynamic3.extendedDynamicState3RasterizationStream)
    GTEST_SKIP() << "no dynamic rasterization stream";
  Words expected = {1001, 1002, 1011, 1012, 1021, 1022};
  expected.resize(capturedWords);
  expectAll(
      geometryProgram(),
      [&](VkCommandBuffer c) {
        device->vk.CmdSetRasterizationStreamEXT(c, 1);
        device->vk.CmdDraw(c, 3, 1, 0, 0);
      },
      expected,
      [&] {
        for (uint32_t i = 0; i < picture.size(); ++i)
          EXPECT_EQ(picture[i], i >= 8 && i < 11 ? (i - 8) * 10 + 2 : 0) << i;
      });
}

TEST_P(FeedbackApi, PatchControlPoints) {
  if (!dynamic2.extendedDynamicState2PatchControlPoints || !hasTessellation(*device))
    GTEST_SKIP() << "no dynamic patch control points";
  Words expected = {200, 200, 201, 201, 202, 202, 300, 300, 301, 301, 500, 500, 200, 200};
  expected.resize(capturedWords);
  expectAll(
      patchProgram(),
      [&](VkCommandBuffer c) {
        for (auto [points, vertices] : {std::pair(2, 6), {3, 6}, {5, 6}, {2, 3}}) {
          device->vk.CmdSetPatchControlPointsEXT(c, points);
          device->vk.CmdDraw(c, vertices, 1, 0, 0);
        }
      },
      expected, [] {});
}

TEST_P(FeedbackApi, PipelineBinaries) {
  if (!device->hasExtension(VK_KHR_PIPELINE_BINARY_EXTENSION_NAME))
    GTEST_SKIP() << "no VK_KHR_pipeline_binary";
  scene.emplace(*device);
  const auto flags = captureData();
  Creation creation;
  creation.next = &flags;
  const Program program = vertexProgram();
  Binaries binaries(*device);
  VK_OK(binaries.fromPipeline(pipeline(program, creation)));
  const VkPipelineBinaryInfoKHR info = binaries.info();
  creation.next = &info;
  creation.hasModules = false;
  const VkPipeline made = pipeline(program, creation);
  Words expected = {1, 11, 21};
  expected.resize(capturedWords);
  EXPECT_EQ(capture([&](VkCommandBuffer c) {
              drawPipeline(c, made, [&] { device->vk.CmdDraw(c, 3, 1, 0, 0); });
            }),
            expected);
}

/// The binaries behind the code have what variants are compiled of.
TEST_P(FeedbackApi, PatchControlPointsOfBinaries) {
  if (!dynamic2.extendedDynamicState2PatchControlPoints || !hasTessellation(*device) ||
      !device->hasExtension(VK_KHR_PIPELINE_BINARY_EXTENSION_NAME))
    GTEST_SKIP() << "no dynamic patch control points, or no pipeline binaries";
  scene.emplace(*device);
  const auto flags = captureData();
  Creation creation;
  creation.next = &flags;
  const Program program = patchProgram();
  Binaries captured(*device), binaries(*device), again(*device);
  VK_OK(captured.fromPipeline(pipeline(program, creation)));
  const Kept kept = captured.keep();
  if (device->isKiln()) { // the driver's own cache has them as well
    Creation described;
    described.use = [&](const VkGraphicsPipelineCreateInfo &info) {
      Binaries cached(*device);
      VK_OK(cached.fromCache(&info));
      EXPECT_EQ(cached.keep().data, kept.data);
    };
    pipeline(program, described);
  }
  VK_OK(binaries.fromKept(kept));
  const VkPipelineBinaryInfoKHR info = binaries.info();
  auto chained = captureData();
  chained.pNext = &info;
  creation.next = &chained;
  creation.hasModules = false;
  const VkPipeline made = pipeline(program, creation);
  Words expected = {200, 200, 201, 201, 300, 300, 200, 200};
  expected.resize(capturedWords);
  EXPECT_EQ(capture([&](VkCommandBuffer c) {
              drawPipeline(c, made, [&] {
                for (auto [points, vertices] : {std::pair(2, 4), {3, 3}, {2, 2}}) {
                  device->vk.CmdSetPatchControlPointsEXT(c, points);
                  device->vk.CmdDraw(c, vertices, 1, 0, 0);
                }
              });
            }),
            expected);
  VK_OK(again.fromPipeline(made));
  EXPECT_EQ(again.keep().data, kept.data);
  if (!device->isKiln())
    return;
  // The code alone is of the number in the create info.
  VkPipelineBinaryInfoKHR first = info;
  first.binaryCount = 1;
  creation.next = &first;
  const VkPipeline codeOnly = pipeline(program, creation);
  allowsMessages = true;
  for (uint32_t points : {2, 3}) {
    VkCommandBuffer c = device->begin();
    device->vk.CmdSetPatchControlPointsEXT(c, points);
    device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, codeOnly);
    device->vk.CmdDraw(c, 6, 1, 0, 0);
    EXPECT_EQ(device->vk.EndCommandBuffer(c), points == 2 ? VK_SUCCESS : VK_ERROR_UNKNOWN);
  }
}

/// Draws may need a compile, so identifiers will do only of modules that are alive.
TEST_P(FeedbackApi, IdentifiersOfVariants) {
  if (!device->isKiln() || !dynamic2.extendedDynamicState2PatchControlPoints)
    GTEST_SKIP() << "what Kiln does";
  scene.emplace(*device);
  for (bool isDynamic : {false, true}) {
    SCOPED_TRACE(isDynamic);
    Program program = patchProgram();
    if (!isDynamic)
      program.dynamics.clear();
    const VkPipeline whole = pipeline(program); // now the driver's cache has it
    auto drawn = [&](VkPipeline of) {
      return capture([&](VkCommandBuffer c) {
        if (isDynamic) // another number than the create info has
          device->vk.CmdSetPatchControlPointsEXT(c, 3);
        drawPipeline(c, of, [&] { device->vk.CmdDraw(c, 6, 1, 0, 0); });
      });
    };
    Creation creation;
    creation.use = [&](const VkGraphicsPipelineCreateInfo &info) {
      IdentifiedStages identified(*device, info);
      VkGraphicsPipelineCreateInfo changed = info;
      changed.pStages = identified.stages.data();
      changed.flags |= VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
      VkPipeline made = VK_NULL_HANDLE;
      auto create = [&] {
        return device->vk.CreateGraphicsPipelines(device->device, VK_NULL_HANDLE, 1, &changed,
                                                  nullptr, &made);
      };
      VK_OK(create());
      EXPECT_EQ(drawn(made), drawn(whole));
      device->vk.DestroyPipeline(device->device, made, nullptr);
      ++identified.names[0].identifier[0]; // of no module
      EXPECT_EQ(create(), VK_PIPELINE_COMPILE_REQUIRED);
    };
    pipeline(program, creation);
  }
}

} // namespace
} // namespace api
