// SPDX-License-Identifier: MIT
// Transform feedback, rasterization streams and dynamic control points of patches come out alike
// whatever draws: pipelines, linked libraries, binaries, shader objects, secondary command buffers.
#include "Binaries.h"
#include "FeedbackPrograms.h"
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

/// The code is of any number.
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
}

/// The binaries behind the code have what variants are compiled of.
TEST_P(FeedbackApi, RasterizationStreamOfBinaries) {
  if (!feedback.geometryStreams || !dynamic3.extendedDynamicState3RasterizationStream ||
      !device->hasExtension(VK_KHR_PIPELINE_BINARY_EXTENSION_NAME))
    GTEST_SKIP() << "no dynamic rasterization stream, or no pipeline binaries";
  scene.emplace(*device);
  const auto flags = captureData();
  Creation creation;
  creation.next = &flags;
  const Program program = geometryProgram();
  Binaries captured(*device), binaries(*device);
  const VkPipeline whole = pipeline(program, creation);
  VK_OK(captured.fromPipeline(whole));
  VK_OK(binaries.fromKept(captured.keep()));
  const VkPipelineBinaryInfoKHR info = binaries.info();
  creation.next = &info;
  creation.hasModules = false;
  const VkPipeline made = pipeline(program, creation);
  auto drawn = [&](VkPipeline of, uint32_t stream) {
    const Words words = capture([&](VkCommandBuffer c) {
      drawPipeline(c, of, [&] {
        device->vk.CmdSetRasterizationStreamEXT(c, stream);
        device->vk.CmdDraw(c, 3, 1, 0, 0);
      });
    });
    return std::pair(words, picture);
  };
  for (uint32_t stream = 0; stream < 4; ++stream)
    EXPECT_EQ(drawn(made, stream), drawn(whole, stream)) << stream;
  if (!device->isKiln())
    return;
  // The code alone is of the stream in the create info.
  VkPipelineBinaryInfoKHR first = info;
  first.binaryCount = 1;
  creation.next = &first;
  const VkPipeline codeOnly = pipeline(program, creation);
  allowsMessages = true;
  for (uint32_t stream : {0, 1}) {
    VkCommandBuffer c = device->begin();
    device->vk.CmdSetRasterizationStreamEXT(c, stream);
    device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, codeOnly);
    device->vk.CmdDraw(c, 3, 1, 0, 0);
    EXPECT_EQ(device->vk.EndCommandBuffer(c), stream ? VK_ERROR_UNKNOWN : VK_SUCCESS);
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
