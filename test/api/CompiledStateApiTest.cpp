// SPDX-License-Identifier: MIT
// State that shaders are compiled for, set between draws of one pipeline: which vertex provokes,
// where the origin of the tessellation domain is. Pipelines that are whole, linked of libraries,
// with vertex input that is dynamic too, and of binaries draw what pipelines with static state do.
#include "Binaries.h"
#include "LibraryScene.h"
#include "ShaderScene.h"
#include <optional>

namespace api {
namespace {

using Picture = ShaderScene::Picture;
constexpr uint32_t side = ShaderScene::side, corner = side / 2;
constexpr VkFormat format = VK_FORMAT_R32G32B32A32_UINT;
constexpr Subsets before = vertexInput | preRasterization, behind = fragmentShader | fragmentOutput;

bool hasGeometry(Gpu &gpu) {
  auto features = vkStruct<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  gpu.vk.GetPhysicalDeviceFeatures2(gpu.physicalDevice, &features);
  return features.features.geometryShader;
}

struct Program {
  struct Stage {
    VkShaderStageFlagBits stage;
    const char *name;
    std::string glsl;
  };
  std::vector<Stage> stages;
  VkPrimitiveTopology topology;
  uint32_t vertices;
};

/// Corners of a quarter of the target, whose number is that of the instance.
const std::string vertexGlsl = R"(#version 460
layout(location = 0) in uint index;
layout(location = 0) flat out uint number;
void main() {
  gl_Position = vec4(vec2(index & 1, index >> 1) + vec2(gl_InstanceIndex & 1, gl_InstanceIndex >> 1)
                     - 1.0, 0.5, 1);
  number = index;
})";
const std::string numbersGlsl = R"(#version 460
layout(location = 0) flat in uint number;
layout(location = 0) out uvec4 color;
void main() { color = uvec4(1, number, gl_PrimitiveID, gl_FrontFacing); })";
const std::string numberGlsl = R"(#version 460
layout(location = 0) flat in uint number;
layout(location = 0) out uvec4 color;
void main() { color = uvec4(1, number, 0, 0); })";

Program stripProgram(const std::string &fragment) {
  return {{{VK_SHADER_STAGE_VERTEX_BIT, "vert", vertexGlsl},
           {VK_SHADER_STAGE_FRAGMENT_BIT, "frag", fragment}},
          VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
          4};
}

/// The strip is the geometry shader's.
Program geometryProgram() {
  return {{{VK_SHADER_STAGE_VERTEX_BIT, "vert", vertexGlsl},
           {VK_SHADER_STAGE_GEOMETRY_BIT, "geom", R"(#version 460
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) flat in uint first[];
layout(location = 0) flat out uint number;
void main() {
  for (uint i = 0; i < 4; ++i) {
    gl_Position = gl_in[0].gl_Position + vec4(i & 1, i >> 1, 0, 0);
    number = first[0] + i;
    EmitVertex();
  }
})"},
           {VK_SHADER_STAGE_FRAGMENT_BIT, "frag", numberGlsl}},
          VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
          1};
}

Program patchProgram() {
  return {{{VK_SHADER_STAGE_VERTEX_BIT, "vert", vertexGlsl},
           {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, "tesc", R"(#version 460
layout(vertices = 4) out;
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  gl_TessLevelOuter = float[](1, 1, 1, 1);
  gl_TessLevelInner = float[](1, 1);
})"},
           {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, "tese", R"(#version 460
layout(quads, equal_spacing, cw) in;
layout(location = 0) flat out uint number;
void main() {
  gl_Position = mix(mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.x),
                    mix(gl_in[2].gl_Position, gl_in[3].gl_Position, gl_TessCoord.x), gl_TessCoord.y);
  number = 7;
})"},
           {VK_SHADER_STAGE_FRAGMENT_BIT, "frag", R"(#version 460
layout(location = 0) flat in uint number;
layout(location = 0) out uvec4 color;
void main() { color = uvec4(1, number, 0, gl_FrontFacing); })"}},
          VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
          4};
}

/// Of a draw: the last vertex, or the lower left corner.
using Modes = std::array<bool, 4>;
constexpr Modes allModes[] = {{false, true, true, false}, {true, false, true, false}};

class CompiledStateApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME))
      GTEST_SKIP() << "no VK_EXT_provoking_vertex";
    if (gpu.hasExtension(VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME))
      provoking.pNext = &dynamic3;
    device.emplace(GetParam(), &provoking); // what it has of these is filled in and enabled
    numbers = device->buffer(16);
    std::copy_n(std::array{0u, 1u, 2u, 3u}.data(), 4, numbers.data);
    scene.emplace(*device);
  }
  void TearDown() override {
    ApiTest::TearDown();
    if (device) {
      EXPECT_EQ(device->validationMessages, 0u);
    }
  }

  struct Creation {
    Subsets own = before | behind;
    std::vector<VkDynamicState> dynamics = {};
    bool mode = false; ///< static, or of no meaning
    VkPipelineCreateFlags flags = 0;
    const void *next = nullptr;
    bool hasModules = true;
  };
  VkPipeline pipeline(const Program &program, const Creation &creation);
  VkPipeline linked(const Program &program, Creation creation, VkPipelineCreateFlags flags);
  VkPipeline ofBinaries(const Program &program, Creation creation);

  /// A quarter of the target for each mode.
  using Prepare = std::function<void(VkCommandBuffer, bool)>;
  Picture draw(const Program &program, const Modes &modes, const Prepare &prepare) {
    return scene->draw([&](VkCommandBuffer c) {
      const VkDeviceSize offset = 0;
      device->vk.CmdBindVertexBuffers(c, 0, 1, &numbers.handle, &offset);
      for (uint32_t i = 0; i < modes.size(); ++i) {
        prepare(c, modes[i]);
        device->vk.CmdDraw(c, program.vertices, 1, 0, i);
      }
    });
  }
  /// Draws with \p made, for whose state \p state there is a command, \p set.
  void expectDynamic(const char *name, const Program &program, VkPipeline made, bool hasInput,
                     const std::function<void(VkCommandBuffer, bool)> &set,
                     const std::array<Picture, 2> &expected);
  /// Every way of making a pipeline with \p state.
  void expectAll(const Program &program, VkDynamicState state, bool isDynamic,
                 const std::function<void(VkCommandBuffer, bool)> &set,
                 const std::function<ShaderScene::Pixel(bool mode, bool isSecond)> &pixel);
  void expectProvoking(const Program &program,
                       const std::function<ShaderScene::Pixel(bool, bool)> &pixel) {
    expectAll(
        program, VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT,
        dynamic3.extendedDynamicState3ProvokingVertexMode,
        [&](VkCommandBuffer c, bool isLast) {
          device->vk.CmdSetProvokingVertexModeEXT(
              c, isLast ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
                        : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT);
        },
        pixel);
  }

  VkPhysicalDeviceProvokingVertexFeaturesEXT provoking =
      vkStruct<VkPhysicalDeviceProvokingVertexFeaturesEXT>(
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT);
  VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic3 =
      vkStruct<VkPhysicalDeviceExtendedDynamicState3FeaturesEXT>(
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT);
  std::optional<Gpu> device;
  std::optional<ShaderScene> scene;
  Buffer numbers;
};
API_TESTS_ON_ALL_DEVICES(CompiledStateApi);

VkPipeline CompiledStateApi::pipeline(const Program &program, const Creation &creation) {
  vktest::GraphicsInfo graphics(side);
  graphics.formats.clear();
  if (creation.own & behind)
    graphics.formats = {format};
  graphics.bindings = {{0, 4, VK_VERTEX_INPUT_RATE_VERTEX}};
  graphics.attributes = {{0, 0, VK_FORMAT_R32_UINT, 0}};
  graphics.assembly.topology = program.topology;
  graphics.dynamics = creation.dynamics;
  for (const Program::Stage &stage : program.stages)
    if (creation.own & (stage.stage == VK_SHADER_STAGE_FRAGMENT_BIT ? behind : before))
      graphics.addStage(stage.stage, creation.hasModules ? device->module(stage.glsl, stage.name)
                                                         : VK_NULL_HANDLE);
  auto mode = vkStruct<VkPipelineRasterizationProvokingVertexStateCreateInfoEXT>(
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT);
  mode.provokingVertexMode = creation.mode && provoking.provokingVertexLast
                                 ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
                                 : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT;
  graphics.raster.pNext = &mode;
  auto origin = vkStruct<VkPipelineTessellationDomainOriginStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO);
  origin.domainOrigin = creation.mode ? VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT
                                      : VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT;
  auto tessellation = vkStruct<VkPipelineTessellationStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, &origin);
  tessellation.patchControlPoints = 4;
  graphics.info.pTessellationState = &tessellation;
  auto library = vkStruct<VkGraphicsPipelineLibraryCreateInfoEXT>(
      VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
  library.flags = creation.own;
  graphics.info.pNext = creation.next;
  graphics.info.flags = creation.flags;
  graphics.info.layout = device->pipelineLayout({});
  if (creation.own != (before | behind)) {
    graphics.info.pNext = &library;
    graphics.info.flags |= VK_PIPELINE_CREATE_LIBRARY_BIT_KHR |
                           VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
  }
  return device->pipeline(graphics.done());
}

VkPipeline CompiledStateApi::linked(const Program &program, Creation creation,
                                    VkPipelineCreateFlags flags) {
  std::array<VkPipeline, 2> libraries;
  for (unsigned i = 0; i < 2; ++i) {
    creation.own = i ? behind : before;
    libraries[i] = pipeline(program, creation);
  }
  auto link =
      vkStruct<VkPipelineLibraryCreateInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
  link.libraryCount = 2;
  link.pLibraries = libraries.data();
  auto info = vkStruct<VkGraphicsPipelineCreateInfo>(
      VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &link);
  info.flags = flags;
  info.layout = device->pipelineLayout({});
  return device->pipeline(info);
}

VkPipeline CompiledStateApi::ofBinaries(const Program &program, Creation creation) {
  const auto flags = captureData();
  creation.next = &flags;
  Binaries captured(*device), binaries(*device);
  VK_OK(captured.fromPipeline(pipeline(program, creation)));
  VK_OK(binaries.fromKept(captured.keep()));
  const VkPipelineBinaryInfoKHR info = binaries.info();
  creation.next = &info;
  creation.hasModules = false;
  return pipeline(program, creation);
}

void CompiledStateApi::expectDynamic(const char *name, const Program &program, VkPipeline made,
                                     bool hasInput,
                                     const std::function<void(VkCommandBuffer, bool)> &set,
                                     const std::array<Picture, 2> &expected) {
  SCOPED_TRACE(std::string(name) + (hasInput ? " with vertex input" : ""));
  auto setInput = [&](VkCommandBuffer c) {
    auto binding = vkStruct<VkVertexInputBindingDescription2EXT>(
        VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT);
    binding.stride = 4;
    binding.divisor = 1;
    auto attribute = vkStruct<VkVertexInputAttributeDescription2EXT>(
        VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT);
    attribute.format = VK_FORMAT_R32_UINT;
    device->vk.CmdSetVertexInputEXT(c, 1, &binding, 1, &attribute);
  };
  for (unsigned i = 0; i < 2; ++i) {
    bool isBound = false;
    EXPECT_EQ(draw(program, allModes[i],
                   [&](VkCommandBuffer c, bool mode) {
                     if (i) // else nothing but the one command comes between draws
                       set(c, mode);
                     if (!isBound || i)
                       device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, made);
                     if (!isBound && hasInput)
                       setInput(c);
                     if (!i)
                       set(c, mode);
                     isBound = true;
                   }),
              expected[i]);
  }
}

void CompiledStateApi::expectAll(
    const Program &program, VkDynamicState state, bool isDynamic,
    const std::function<void(VkCommandBuffer, bool)> &set,
    const std::function<ShaderScene::Pixel(bool mode, bool isSecond)> &pixel) {
  const std::array<VkPipeline, 2> fixed = {pipeline(program, {}),
                                           pipeline(program, {.mode = true})};
  std::array<Picture, 2> expected;
  for (unsigned i = 0; i < 2; ++i) {
    const Modes &modes = allModes[i];
    const Picture picture = draw(program, modes, [&](VkCommandBuffer c, bool mode) {
      device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, fixed[mode]);
    });
    expected[i] = picture;
    for (unsigned quarter = 0; quarter < 4; ++quarter) {
      const uint32_t at = quarter / 2 * corner * side + quarter % 2 * corner;
      EXPECT_EQ(picture[at], pixel(modes[quarter], false)) << i << ", " << quarter;
      EXPECT_EQ(picture[at + (corner - 1) * (side + 1)], pixel(modes[quarter], true))
          << i << ", " << quarter;
    }
  }
  if (!isDynamic)
    GTEST_SKIP() << "the state is not dynamic";
  for (bool hasInput : {false, true}) {
    if (hasInput && !device->hasExtension(VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME))
      continue;
    Creation creation;
    creation.dynamics = {state};
    if (hasInput)
      creation.dynamics.push_back(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT);
    auto expect = [&](const char *name, VkPipeline made) {
      expectDynamic(name, program, made, hasInput, set, expected);
    };
    expect("pipeline", pipeline(program, creation));
    creation.mode = true;
    creation.flags =
        device->isKiln() ? VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT : 0;
    expect("without a compile", pipeline(program, creation));
    creation.flags = 0;
    if (device->hasExtension(VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME)) {
      expect("libraries", linked(program, creation, 0));
      expect("optimised",
             linked(program, creation, VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT));
    }
    if (device->hasExtension(VK_KHR_PIPELINE_BINARY_EXTENSION_NAME))
      expect("binaries", ofBinaries(program, creation));
  }
}

TEST_P(CompiledStateApi, ProvokingVertexOfStrips) {
  expectProvoking(stripProgram(numberGlsl), [](bool isLast, bool isSecond) {
    return ShaderScene::Pixel{1, (isLast ? 2u : 0u) + isSecond, 0, 0};
  });
}

TEST_P(CompiledStateApi, ProvokingVertexOfPrimitiveIds) {
  if (!hasGeometry(*device))
    GTEST_SKIP() << "no geometryShader, which PrimitiveId is of";
  expectProvoking(stripProgram(numbersGlsl), [](bool isLast, bool isSecond) {
    return ShaderScene::Pixel{1, (isLast ? 2u : 0u) + isSecond, isSecond, 0};
  });
}

TEST_P(CompiledStateApi, ProvokingVertexOfGeometryShaders) {
  if (!hasGeometry(*device))
    GTEST_SKIP() << "no geometryShader";
  expectProvoking(geometryProgram(), [](bool isLast, bool isSecond) {
    return ShaderScene::Pixel{1, (isLast ? 2u : 0u) + isSecond, 0, 0};
  });
}

/// Clockwise in a domain whose origin is where that of the target is; fronts are counterclockwise.
TEST_P(CompiledStateApi, DomainOrigin) {
  if (!hasTessellation(*device))
    GTEST_SKIP() << "no tessellationShader";
  expectAll(
      patchProgram(), VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT,
      dynamic3.extendedDynamicState3TessellationDomainOrigin,
      [&](VkCommandBuffer c, bool isLower) {
        device->vk.CmdSetTessellationDomainOriginEXT(
            c, isLower ? VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT
                       : VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT);
      },
      [](bool isLower, bool) { return ShaderScene::Pixel{1, 7, 0, isLower}; });
}

} // namespace
} // namespace api
