// SPDX-License-Identifier: MIT
// Descriptors: members that belong to other types, samplers that the layout fixes, and sets,
// layouts and pipeline layouts that a push or a template does not mean.
#include "Ignored.h"
#include <algorithm>
#include <cstring>

namespace api {
namespace {

using vktest::vkStruct;

const char *const readAll = R"(#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform sampler alone;
layout(set = 0, binding = 1) uniform texture2D picture;
layout(set = 0, binding = 2) uniform sampler2D both;
layout(set = 0, binding = 3) uniform U { uint number; };
layout(set = 0, binding = 4) uniform utextureBuffer texels;
layout(set = 0, binding = 5) buffer B { uint b[]; };
void main() {
  b[0] = uint(textureLod(sampler2D(picture, alone), vec2(0.5), 0).x);
  b[1] = uint(textureLod(both, vec2(0.5), 0).x);
  b[2] = number;
  b[3] = texelFetch(texels, 0).x;
})";

/// What a shader reads through one descriptor of each kind, and the pipeline that does so.
struct Kinds {
  explicit Kinds(Gpu &gpu, VkDescriptorSetLayoutCreateFlags flags = 0) : gpu(gpu) {
    picture = gpu.image(VK_FORMAT_R32_SFLOAT, 1, 1);
    numbers = gpu.buffer(64);
    results = gpu.buffer(64);
    const float color = 7;
    std::memcpy(numbers.data, &color, sizeof(color));
    gpu.upload(picture, VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, numbers);
    numbers.data[0] = 11;
    sampler = gpu.sampler(VK_FILTER_NEAREST);
    auto viewInfo = vkStruct<VkBufferViewCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO);
    viewInfo.buffer = numbers.handle;
    viewInfo.format = VK_FORMAT_R32_UINT;
    viewInfo.range = VK_WHOLE_SIZE;
    VK_OK(gpu.vk.CreateBufferView(gpu.device, &viewInfo, nullptr, &view));
    const auto *const none = garbage<const VkSampler *>();
    bindings = {{0, VK_DESCRIPTOR_TYPE_SAMPLER},
                {1, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, 0, none},
                {2, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, 0, &sampler},
                {3, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, 0, none},
                {4, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, 0, none},
                {5, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, 0, none},
                {6, VK_DESCRIPTOR_TYPE_SAMPLER, 0, 0, none}}; // reserved
    setLayout = gpu.setLayout(bindings, flags);
    layout = gpu.pipelineLayout({setLayout});
    pipeline = gpu.pipeline(readAll, layout);
  }
  ~Kinds() { gpu.vk.DestroyBufferView(gpu.device, view, nullptr); }
  Kinds(const Kinds &) = delete;

  /// Each descriptor with what it has, and garbage in all other members.
  std::vector<VkWriteDescriptorSet> writes(VkDescriptorSet set) {
    const auto otherView = garbage<VkImageView>();
    const auto otherSampler = garbage<VkSampler>();
    images[0] = {sampler, otherView, VK_IMAGE_LAYOUT_GENERAL};
    images[1] = images[2] = {otherSampler, picture.view, VK_IMAGE_LAYOUT_GENERAL};
    buffers[0] = {numbers.handle, 0, VK_WHOLE_SIZE};
    buffers[1] = {results.handle, 0, VK_WHOLE_SIZE};
    auto none = vkStruct<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    none.dstSet = set;
    none.descriptorCount = 1;
    none.pImageInfo = garbage<const VkDescriptorImageInfo *>();
    none.pBufferInfo = garbage<const VkDescriptorBufferInfo *>();
    none.pTexelBufferView = garbage<const VkBufferView *>();
    std::vector<VkWriteDescriptorSet> all(6, none);
    for (uint32_t i = 0; i < all.size(); ++i) {
      all[i].dstBinding = i;
      all[i].descriptorType = bindings[i].type;
      if (i < 3)
        all[i].pImageInfo = &images[i];
    }
    all[3].pBufferInfo = &buffers[0];
    all[4].pTexelBufferView = &view;
    all[5].pBufferInfo = &buffers[1];
    return all;
  }

  void expectRead(const std::function<void(VkCommandBuffer)> &bind) {
    std::fill_n(results.data, 4, 0u);
    gpu.run([&](VkCommandBuffer c) {
      gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      bind(c);
      gpu.vk.CmdDispatch(c, 1, 1, 1);
    });
    for (uint32_t i = 0; i < 4; ++i)
      EXPECT_EQ(results.data[i], i < 2 ? 7u : 11u) << i;
  }
  void expectRead(VkDescriptorSet set) {
    expectRead([&](VkCommandBuffer c) {
      // No dynamic offsets.
      gpu.vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                   garbage<const uint32_t *>());
    });
  }

  Gpu &gpu;
  Image picture;
  Buffer numbers, results;
  VkSampler sampler;
  VkBufferView view = VK_NULL_HANDLE;
  std::vector<Binding> bindings;
  VkDescriptorSetLayout setLayout;
  VkPipelineLayout layout;
  VkPipeline pipeline;
  VkDescriptorImageInfo images[3];
  VkDescriptorBufferInfo buffers[2];
};

/// Sizes of the bindings that have elements.
std::vector<Binding> withElements(std::vector<Binding> bindings) {
  bindings.erase(std::remove_if(bindings.begin(), bindings.end(),
                                [](const Binding &binding) { return binding.count == 0; }),
                 bindings.end());
  return bindings;
}

void otherTypes(Gpu &gpu, unsigned) {
  Kinds kinds(gpu);
  const VkDescriptorSet set = gpu.set(kinds.setLayout, withElements(kinds.bindings));
  const std::vector<VkWriteDescriptorSet> writes = kinds.writes(set);
  gpu.vk.UpdateDescriptorSets(gpu.device, static_cast<uint32_t>(writes.size()), writes.data(), 0,
                              garbage<const VkCopyDescriptorSet *>());
  kinds.expectRead(set);
}

void setsOfPushes(Gpu &gpu, unsigned) {
  if (!gpu.hasExtension(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME))
    GTEST_SKIP();
  Kinds kinds(gpu, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR);
  const std::vector<VkWriteDescriptorSet> writes = kinds.writes(garbage<VkDescriptorSet>());
  kinds.expectRead([&](VkCommandBuffer c) {
    gpu.vk.CmdPushDescriptorSetKHR(c, VK_PIPELINE_BIND_POINT_COMPUTE, kinds.layout, 0,
                                   static_cast<uint32_t>(writes.size()), writes.data());
  });
}

/// A pushed sampler that the layout fixes: only the binding counts.
void samplersThatAreFixed(Gpu &gpu, unsigned) {
  if (!gpu.hasExtension(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME))
    GTEST_SKIP();
  if (!gpu.isKiln())
    GTEST_SKIP() << "Mesa looks at the pointer";
  const VkSampler sampler = gpu.sampler(VK_FILTER_NEAREST);
  const VkDescriptorSetLayout setLayout = gpu.setLayout(
      {{0, VK_DESCRIPTOR_TYPE_SAMPLER, 1, 0, &sampler}, {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}},
      VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR);
  const VkPipelineLayout layout = gpu.pipelineLayout({setLayout});
  const VkPipeline pipeline = gpu.pipeline(R"(#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 1) buffer B { uint b[]; };
void main() { b[0] = 5; })",
                                           layout);
  Buffer result = gpu.buffer(16);
  const VkDescriptorBufferInfo bufferInfo = {result.handle, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet writes[2];
  for (VkWriteDescriptorSet &write : writes) {
    write = vkStruct<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER;
    write.pImageInfo = garbage<const VkDescriptorImageInfo *>();
  }
  writes[1].dstBinding = 1;
  writes[1].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  writes[1].pBufferInfo = &bufferInfo;
  gpu.run([&](VkCommandBuffer c) {
    gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    gpu.vk.CmdPushDescriptorSetKHR(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 2, writes);
    gpu.vk.CmdDispatch(c, 1, 1, 1);
  });
  EXPECT_EQ(result.data[0], 5u);
}

/// What Kinds::writes() reads, where a template finds it.
struct TemplateData {
  VkDescriptorImageInfo images[3];
  VkDescriptorBufferInfo buffers[2];
  VkBufferView view;
};

std::vector<VkDescriptorUpdateTemplateEntry> entriesOf(const Kinds &kinds) {
  constexpr size_t offsets[] = {offsetof(TemplateData, images),
                                offsetof(TemplateData, images) + sizeof(VkDescriptorImageInfo),
                                offsetof(TemplateData, images) + 2 * sizeof(VkDescriptorImageInfo),
                                offsetof(TemplateData, buffers),
                                offsetof(TemplateData, view),
                                offsetof(TemplateData, buffers) + sizeof(VkDescriptorBufferInfo)};
  std::vector<VkDescriptorUpdateTemplateEntry> entries;
  for (uint32_t i = 0; i < std::size(offsets); ++i)
    entries.push_back({i, 0, 1, kinds.bindings[i].type, offsets[i], 0});
  return entries;
}

void layoutsOfTemplates(Gpu &gpu, unsigned) {
  for (bool isPush : {false, true}) {
    if (isPush && !gpu.hasExtension(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME))
      continue;
    Kinds kinds(gpu, isPush ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR : 0);
    kinds.writes(VK_NULL_HANDLE); // fills the infos
    TemplateData data = {};
    std::copy_n(kinds.images, 3, data.images);
    std::copy_n(kinds.buffers, 2, data.buffers);
    data.view = kinds.view;
    const std::vector<VkDescriptorUpdateTemplateEntry> entries = entriesOf(kinds);
    auto info = vkStruct<VkDescriptorUpdateTemplateCreateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO);
    info.descriptorUpdateEntryCount = static_cast<uint32_t>(entries.size());
    info.pDescriptorUpdateEntries = entries.data();
    info.templateType = isPush ? VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR
                               : VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET;
    info.descriptorSetLayout = isPush ? garbage<VkDescriptorSetLayout>() : kinds.setLayout;
    info.pipelineBindPoint =
        isPush ? VK_PIPELINE_BIND_POINT_COMPUTE : VK_PIPELINE_BIND_POINT_MAX_ENUM;
    info.pipelineLayout = isPush ? kinds.layout : garbage<VkPipelineLayout>();
    info.set = isPush ? 0 : 77;
    VkDescriptorUpdateTemplate made = VK_NULL_HANDLE;
    VK_OK(gpu.vk.CreateDescriptorUpdateTemplate(gpu.device, &info, nullptr, &made));
    if (isPush) {
      kinds.expectRead([&](VkCommandBuffer c) {
        gpu.vk.CmdPushDescriptorSetWithTemplateKHR(c, made, kinds.layout, 0, &data);
      });
    } else {
      const VkDescriptorSet set = gpu.set(kinds.setLayout, withElements(kinds.bindings));
      gpu.vk.UpdateDescriptorSetWithTemplate(gpu.device, set, made, &data);
      kinds.expectRead(set);
    }
    gpu.vk.DestroyDescriptorUpdateTemplate(gpu.device, made, nullptr);
  }
}

} // namespace

std::vector<IgnoredCase> ignoredByDescriptors() {
  return {
      {"OtherTypes",
       "VkDescriptorImageInfo::sampler VkDescriptorImageInfo::imageView "
       "VkWriteDescriptorSet::pImageInfo VkWriteDescriptorSet::pBufferInfo "
       "VkWriteDescriptorSet::pTexelBufferView VkDescriptorSetLayoutBinding::pImmutableSamplers",
       otherTypes},
      {"SetsOfPushes", "VkWriteDescriptorSet::dstSet", setsOfPushes},
      {"SamplersThatAreFixed", "VkWriteDescriptorSet::pImageInfo", samplersThatAreFixed},
      {"LayoutsOfTemplates",
       "VkDescriptorUpdateTemplateCreateInfo::descriptorSetLayout "
       "VkDescriptorUpdateTemplateCreateInfo::pipelineLayout",
       layoutsOfTemplates},
  };
}

} // namespace api
