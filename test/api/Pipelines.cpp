//===- Pipelines.cpp - a compute and a graphics pipeline to create often --===//
// SPDX-License-Identifier: MIT
#include "Pipelines.h"
#include <algorithm>
#include <cstring>

namespace api {

static VkShaderStageFlagBits flagOf(const std::string &stage) {
  static constexpr struct {
    const char *name;
    VkShaderStageFlagBits flag;
  } rows[] = {
      {"comp", VK_SHADER_STAGE_COMPUTE_BIT},          {"vert", VK_SHADER_STAGE_VERTEX_BIT},
      {"frag", VK_SHADER_STAGE_FRAGMENT_BIT},         {"rgen", VK_SHADER_STAGE_RAYGEN_BIT_KHR},
      {"rint", VK_SHADER_STAGE_INTERSECTION_BIT_KHR}, {"rahit", VK_SHADER_STAGE_ANY_HIT_BIT_KHR},
      {"rchit", VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR}, {"rmiss", VK_SHADER_STAGE_MISS_BIT_KHR},
      {"rcall", VK_SHADER_STAGE_CALLABLE_BIT_KHR}};
  for (const auto &row : rows)
    if (row.name == stage)
      return row.flag;
  ADD_FAILURE() << "no flag of " << stage;
  return VK_SHADER_STAGE_ALL;
}

Shader::Shader(Gpu &gpu, const std::string &glsl, const std::string &stage) : flag(flagOf(stage)) {
  words = gpu.spirv(glsl, stage);
  inlined = vkStruct<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  inlined.codeSize = words.size() * sizeof(uint32_t);
  inlined.pCode = words.data();
  module = gpu.module(glsl, stage);
  identifier =
      vkStruct<VkShaderModuleIdentifierEXT>(VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT);
  if (gpu.hasExtension(VK_EXT_SHADER_MODULE_IDENTIFIER_EXTENSION_NAME))
    gpu.vk.GetShaderModuleIdentifierEXT(gpu.device, module, &identifier);
}

VkPipelineShaderStageCreateInfo Shader::stage(Source source) {
  auto stage = vkStruct<VkPipelineShaderStageCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
  stage.stage = flag;
  stage.pName = "main";
  switch (source) {
  case Source::Module:
    stage.module = module;
    break;
  case Source::Inline:
    stage.pNext = &inlined;
    break;
  case Source::Identifier:
    byIdentifier = vkStruct<VkPipelineShaderStageModuleIdentifierCreateInfoEXT>(
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT);
    byIdentifier.identifierSize = identifier.identifierSize;
    byIdentifier.pIdentifier = identifier.identifier;
    stage.pNext = &byIdentifier;
    break;
  case Source::None:
    break;
  }
  return stage;
}

IdentifiedStages::IdentifiedStages(Gpu &gpu, const VkGraphicsPipelineCreateInfo &info)
    : stages(info.pStages, info.pStages + info.stageCount), names(info.stageCount),
      chained(info.stageCount) {
  for (size_t i = 0; i < stages.size(); ++i) {
    names[i] =
        vkStruct<VkShaderModuleIdentifierEXT>(VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT);
    gpu.vk.GetShaderModuleIdentifierEXT(gpu.device, stages[i].module, &names[i]);
    chained[i] = vkStruct<VkPipelineShaderStageModuleIdentifierCreateInfoEXT>(
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT);
    chained[i].identifierSize = names[i].identifierSize;
    chained[i].pIdentifier = names[i].identifier;
    stages[i].module = VK_NULL_HANDLE;
    stages[i].pNext = &chained[i];
  }
}

static std::string computeShader(Constant constant) {
  return std::string(R"(#version 450
layout(local_size_x = 8) in;
layout(constant_id = 3) const uint number = 1;
layout(set = 0, binding = 0) buffer B { uint b[]; };
)") + (constant == Constant::Size ? "shared uvec3 values[number % 8 + 1];\n" : "") +
         R"(void main() { b[gl_LocalInvocationIndex] = number * 10 + gl_LocalInvocationIndex; })";
}

static const std::vector<Binding> oneBuffer = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};

ComputeCase::ComputeCase(Gpu &gpu, Constant constant)
    : shader(gpu, computeShader(constant), "comp"), gpu(gpu) {
  setLayout = gpu.setLayout(oneBuffer);
  layout = gpu.pipelineLayout({setLayout});
}

VkComputePipelineCreateInfo &ComputeCase::info(uint32_t number, Source source, const void *next) {
  value = number;
  create =
      vkStruct<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, next);
  create.stage = shader.stage(source);
  create.stage.pSpecializationInfo = &specialization;
  create.layout = layout;
  return create;
}

bool ComputeCase::works(VkPipeline pipeline, uint32_t number) {
  if (!gpu.canExecute())
    return pipeline != VK_NULL_HANDLE;
  if (!set) {
    set = gpu.set(setLayout, oneBuffer);
    buffer = gpu.buffer(32);
    gpu.write(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {buffer});
  }
  std::memset(buffer.data, 0xFF, 32);
  gpu.run([&](VkCommandBuffer c) {
    gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    gpu.vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
    gpu.vk.CmdDispatch(c, 1, 1, 1);
  });
  bool isRight = true;
  for (uint32_t i = 0; i < 8; ++i)
    isRight &= buffer.data[i] == number * 10 + i;
  return isRight;
}

static const char *const vertexShader = R"(#version 450
void main() {
  gl_Position = vec4(vec2(gl_VertexIndex & 2, gl_VertexIndex << 1 & 2) * 2.0 - 1.0, 0, 1);
})";
static std::string fragmentShader(Constant constant) {
  return std::string(R"(#version 450
layout(constant_id = 3) const uint number = 1;
layout(location = 0) out uvec4 color;
void main() {
  color = uvec4(number, number + 1, uint(gl_FragCoord.x), uint(gl_FragCoord.y));
)") +
         (constant == Constant::Size ? "  uint values[number % 8 + 1];\n  values[0] = color.x;\n"
                                     : "") +
         "}\n";
}

DrawCase::DrawCase(Gpu &gpu, Constant constant)
    : vertex(gpu, vertexShader, "vert"), fragment(gpu, fragmentShader(constant), "frag"), gpu(gpu) {
  layout = gpu.pipelineLayout({});
}

VkGraphicsPipelineCreateInfo &DrawCase::info(uint32_t number, Source source, const void *next) {
  value = number;
  create.emplace(side);
  create->stages = {vertex.stage(source), fragment.stage(source)};
  create->stages[1].pSpecializationInfo = &specialization;
  create->formats = {format};
  create->info.pNext = next;
  create->info.layout = layout;
  made = create->done();
  return made;
}

bool DrawCase::works(VkPipeline pipeline, uint32_t number) {
  if (!gpu.canExecute())
    return pipeline != VK_NULL_HANDLE;
  if (!target.handle) {
    target = gpu.target(format, side, side);
    picture = gpu.buffer(side * side * 16);
  }
  gpu.run([&](VkCommandBuffer c) {
    auto color = vkStruct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
    color.imageView = target.view;
    color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    auto begin = vkStruct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
    begin.renderArea = {{0, 0}, {side, side}};
    begin.layerCount = 1;
    begin.colorAttachmentCount = 1;
    begin.pColorAttachments = &color;
    gpu.vk.CmdBeginRendering(c, &begin);
    gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    gpu.vk.CmdDraw(c, 3, 1, 0, 0);
    gpu.vk.CmdEndRendering(c);
    gpu.readBack(c, target, picture, side);
  });
  bool isRight = true;
  for (uint32_t i = 0; i < side * side; ++i) {
    const uint32_t *pixel = picture.data + 4 * i;
    isRight &= pixel[0] == number && pixel[1] == number + 1 && pixel[2] == i % side &&
               pixel[3] == i / side;
  }
  return isRight;
}

template <typename Info, typename Function>
static VkPipeline createOne(Gpu &gpu, Function function, const Info &info, VkPipelineCache cache,
                            VkResult expected) {
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(function(gpu.device, cache, 1, &info, nullptr, &pipeline), expected);
  EXPECT_EQ(pipeline != VK_NULL_HANDLE, expected == VK_SUCCESS);
  return pipeline;
}

VkPipeline create(Gpu &gpu, const VkComputePipelineCreateInfo &info, VkPipelineCache cache,
                  VkResult expected) {
  return createOne(gpu, gpu.vk.CreateComputePipelines, info, cache, expected);
}

VkPipeline create(Gpu &gpu, const VkGraphicsPipelineCreateInfo &info, VkPipelineCache cache,
                  VkResult expected) {
  return createOne(gpu, gpu.vk.CreateGraphicsPipelines, info, cache, expected);
}

} // namespace api
