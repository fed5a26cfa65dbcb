// SPDX-License-Identifier: MIT
// Every way in which descriptors reach a shader. Expectations are what the shaders' arithmetic
// gives; the same program runs on lavapipe.
#include "Gpu.h"
#include <cstring>

namespace api {
namespace {

using DescriptorApi = ApiTest;
API_TESTS_ON_ALL_DEVICES(DescriptorApi);

constexpr VkDescriptorType storage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
constexpr VkDescriptorType uniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;

/// b[0] += a[0] + p, in set 0.
const char *const addShader = R"(#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 3) buffer B { uint b[]; };
layout(push_constant) uniform P { uint p; };
void main() { b[0] += a[0] + p; }
)";
const std::vector<Binding> addBindings = {{0, storage}, {3, storage}};

void dispatchWith(Gpu &gpu, VkPipeline pipeline, VkPipelineLayout layout, VkDescriptorSet set,
                  std::vector<uint32_t> offsets = {}, uint32_t push = UINT32_MAX) {
  gpu.run([&](VkCommandBuffer c) {
    gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    gpu.vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set,
                                 static_cast<uint32_t>(offsets.size()), offsets.data());
    if (push != UINT32_MAX)
      gpu.vk.CmdPushConstants(c, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &push);
    gpu.vk.CmdDispatch(c, 1, 1, 1);
  });
}

TEST_P(DescriptorApi, PushDescriptorsChangeBetweenDispatches) {
  if (!gpu.hasExtension(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME))
    GTEST_SKIP();
  VkDescriptorSetLayout setLayout =
      gpu.setLayout(addBindings, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR);
  VkPipelineLayout layout = gpu.pipelineLayout({setLayout}, 4);
  VkPipeline pipeline = gpu.pipeline(addShader, layout);
  Buffer a1 = gpu.buffer(64), a2 = gpu.buffer(64), b = gpu.buffer(64);
  a1.data[0] = 5;
  a2.data[0] = 70;
  auto push = [&](VkCommandBuffer c, uint32_t binding, const Buffer &buffer) {
    VkDescriptorBufferInfo info = {buffer.handle, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = {};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstBinding = binding;
    write.descriptorCount = 1;
    write.descriptorType = storage;
    write.pBufferInfo = &info;
    gpu.vk.CmdPushDescriptorSetKHR(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &write);
  };
  gpu.run([&](VkCommandBuffer c) {
    uint32_t p = 1000;
    gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    gpu.vk.CmdPushConstants(c, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &p);
    push(c, 3, b);
    push(c, 0, a1);
    gpu.vk.CmdDispatch(c, 1, 1, 1);
    gpu.barrier(c);
    push(c, 0, a2); // binding 3 stays
    gpu.vk.CmdDispatch(c, 1, 1, 1);
  });
  EXPECT_EQ(b.data[0], 1005u + 1070u);
}

TEST_P(DescriptorApi, TemplatesWriteSetsAndPushDescriptors) {
  struct Data {
    uint64_t padding;
    VkDescriptorBufferInfo infos[2];
  };
  VkDescriptorUpdateTemplateEntry entries[2] = {};
  for (uint32_t i = 0; i < 2; ++i)
    entries[i] = {addBindings[i].number,
                  0,
                  1,
                  storage,
                  offsetof(Data, infos) + i * sizeof(VkDescriptorBufferInfo),
                  sizeof(VkDescriptorBufferInfo)};
  VkDescriptorUpdateTemplateCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO;
  info.descriptorUpdateEntryCount = 2;
  info.pDescriptorUpdateEntries = entries;
  info.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET;
  Buffer a = gpu.buffer(64), b = gpu.buffer(64);
  a.data[0] = 9;
  Data data = {0, {{a.handle, 0, VK_WHOLE_SIZE}, {b.handle, 0, VK_WHOLE_SIZE}}};

  VkDescriptorSetLayout setLayout = gpu.setLayout(addBindings);
  info.descriptorSetLayout = setLayout;
  VkDescriptorUpdateTemplate setTemplate = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateDescriptorUpdateTemplate(gpu.device, &info, nullptr, &setTemplate));
  VkPipelineLayout layout = gpu.pipelineLayout({setLayout}, 4);
  VkDescriptorSet set = gpu.set(setLayout, addBindings);
  gpu.vk.UpdateDescriptorSetWithTemplate(gpu.device, set, setTemplate, &data);
  dispatchWith(gpu, gpu.pipeline(addShader, layout), layout, set, {}, 1);
  EXPECT_EQ(b.data[0], 10u);
  gpu.vk.DestroyDescriptorUpdateTemplate(gpu.device, setTemplate, nullptr);
  if (!gpu.hasExtension(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME))
    return;

  setLayout = gpu.setLayout(addBindings, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR);
  layout = gpu.pipelineLayout({setLayout}, 4);
  info.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR;
  info.descriptorSetLayout = VK_NULL_HANDLE;
  info.pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE;
  info.pipelineLayout = layout;
  VkDescriptorUpdateTemplate pushTemplate = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateDescriptorUpdateTemplate(gpu.device, &info, nullptr, &pushTemplate));
  VkPipeline pipeline = gpu.pipeline(addShader, layout);
  gpu.run([&](VkCommandBuffer c) {
    uint32_t p = 100;
    gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    gpu.vk.CmdPushConstants(c, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &p);
    gpu.vk.CmdPushDescriptorSetWithTemplateKHR(c, pushTemplate, layout, 0, &data);
    gpu.vk.CmdDispatch(c, 1, 1, 1);
  });
  EXPECT_EQ(b.data[0], 10u + 109u);
  gpu.vk.DestroyDescriptorUpdateTemplate(gpu.device, pushTemplate, nullptr);
}

TEST_P(DescriptorApi, DynamicBuffersIndexedByTheShader) {
  // The index comes from memory, so the V#s are read from the spill table, beside push constants
  // whose index is unknown as well.
  const std::vector<Binding> bindings = {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 3},
                                         {1, storage},
                                         {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 2}};
  VkDescriptorSetLayout setLayout = gpu.setLayout(bindings);
  VkPipelineLayout layout = gpu.pipelineLayout({setLayout}, 64);
  VkPipeline pipeline = gpu.pipeline(R"(#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform A { uint a; } ua[3];
layout(set = 0, binding = 1) buffer I { uint index[]; };
layout(set = 0, binding = 2) buffer B { uint b[]; } ub[2];
layout(push_constant) uniform P { uint p[16]; };
void main() {
  for (uint i = 0; i < 3; ++i) {
    uint which = index[i];
    ub[which & 1].b[i] = ua[which].a + p[which];
  }
}
)",
                                     layout);
  Buffer a = gpu.buffer(4096), indices = gpu.buffer(16), b = gpu.buffer(4096);
  uint32_t step = 256 / 4;
  for (uint32_t i = 0; i < 12; ++i)
    a.data[i * step] = i * 10;
  indices.data[0] = 2;
  indices.data[1] = 0;
  indices.data[2] = 1;
  VkDescriptorSet set = gpu.set(setLayout, bindings);
  for (uint32_t i = 0; i < 3; ++i) {
    VkDescriptorBufferInfo info = {a.handle, 256u * i, 256};
    VkWriteDescriptorSet write = {};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = set;
    write.dstArrayElement = i;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
    write.pBufferInfo = &info;
    gpu.vk.UpdateDescriptorSets(gpu.device, 1, &write, 0, nullptr);
  }
  gpu.write(set, 1, storage, {indices});
  VkDescriptorBufferInfo infos[2] = {{b.handle, 0, 256}, {b.handle, 512, 256}};
  VkWriteDescriptorSet write = {};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.dstSet = set;
  write.dstBinding = 2;
  write.descriptorCount = 2;
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
  write.pBufferInfo = infos;
  gpu.vk.UpdateDescriptorSets(gpu.device, 1, &write, 0, nullptr);
  gpu.run([&](VkCommandBuffer c) {
    // By binding, then element: three uniform offsets, then two storage offsets.
    uint32_t offsets[] = {256 * 3, 256 * 5, 256 * 8, 256, 1024};
    uint32_t push[16];
    for (uint32_t i = 0; i < 16; ++i)
      push[i] = 1000 * i;
    gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    gpu.vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 5, offsets);
    gpu.vk.CmdPushConstants(c, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 64, push);
    gpu.vk.CmdDispatch(c, 1, 1, 1);
  });
  const uint32_t *b0 = b.data + 256 / 4, *b1 = b.data + (512 + 1024) / 4;
  EXPECT_EQ(b0[0], 100u + 2000); // a at 256 * (2 + 8)
  EXPECT_EQ(b0[1], 30u);         // a at 256 * (0 + 3)
  EXPECT_EQ(b1[2], 60u + 1000);  // a at 256 * (1 + 5)
}

TEST_P(DescriptorApi, UpdateAfterBindIsSeen) {
  const std::vector<Binding> bindings = {
      {0, storage, 1, VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT}, {3, storage}};
  VkDescriptorSetLayout setLayout =
      gpu.setLayout(bindings, VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT);
  VkPipelineLayout layout = gpu.pipelineLayout({setLayout}, 4);
  VkPipeline pipeline = gpu.pipeline(addShader, layout);
  Buffer a1 = gpu.buffer(64), a2 = gpu.buffer(64), b = gpu.buffer(64);
  a1.data[0] = 1;
  a2.data[0] = 2;
  VkDescriptorSet set =
      gpu.set(setLayout, bindings, VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT);
  gpu.write(set, 0, storage, {a1});
  gpu.write(set, 3, storage, {b});
  VkCommandBuffer c = gpu.begin();
  uint32_t p = 0;
  gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  gpu.vk.CmdPushConstants(c, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &p);
  gpu.vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
  gpu.vk.CmdDispatch(c, 1, 1, 1);
  gpu.write(set, 0, storage, {a2});
  VK_OK(gpu.finish(c));
  EXPECT_EQ(b.data[0], 2u);
}

TEST_P(DescriptorApi, VariableCountPartiallyBoundNonUniform) {
  const std::vector<Binding> bindings = {{0, storage},
                                         {1, storage, 64,
                                          VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT |
                                              VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT}};
  VkDescriptorSetLayout setLayout = gpu.setLayout(bindings);
  uint32_t count = 9;
  VkDescriptorSetVariableDescriptorCountAllocateInfo counts = {};
  counts.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO;
  counts.descriptorSetCount = 1;
  counts.pDescriptorCounts = &count;
  VkDescriptorSet set = gpu.set(setLayout, {{0, storage, 1 + count}}, 0, &counts);
  VkPipelineLayout layout = gpu.pipelineLayout({setLayout});
  VkPipeline pipeline = gpu.pipeline(R"(#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(set = 0, binding = 1) readonly buffer A { uint a[]; } many[];
void main() {
  uint i = gl_LocalInvocationIndex;
  b[i] = many[nonuniformEXT(2 + i % 7)].a[i / 32] ;
}
)",
                                     layout);
  Buffer b = gpu.buffer(256);
  gpu.write(set, 0, storage, {b});
  std::vector<Buffer> many;
  for (uint32_t i = 2; i < count; ++i) {
    many.push_back(gpu.buffer(16));
    many.back().data[0] = i * 100;
    many.back().data[1] = i * 100 + 1;
  }
  gpu.write(set, 1, storage, many, 2); // elements 0 and 1 stay unbound
  dispatchWith(gpu, pipeline, layout, set);
  for (uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(b.data[i], (2 + i % 7) * 100 + i / 32) << i;
}

TEST_P(DescriptorApi, InlineUniformBlocksAreWrittenAndCopied) {
  constexpr auto inlineBlock = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
  const std::vector<Binding> bindings = {{0, storage}, {1, inlineBlock, 32}};
  VkDescriptorSetLayout setLayout = gpu.setLayout(bindings);
  VkDescriptorSet first = gpu.set(setLayout, bindings), set = gpu.set(setLayout, bindings);
  uint32_t values[] = {1, 2, 3, 4, 5, 6, 7, 8};
  VkWriteDescriptorSetInlineUniformBlock block = {};
  block.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK;
  block.dataSize = 32;
  block.pData = values;
  VkWriteDescriptorSet write = {};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.pNext = &block;
  write.dstSet = first;
  write.dstBinding = 1;
  write.descriptorCount = 32;
  write.descriptorType = inlineBlock;
  gpu.vk.UpdateDescriptorSets(gpu.device, 1, &write, 0, nullptr);
  uint32_t late[] = {60, 70};
  block.dataSize = 8;
  block.pData = late;
  write.dstArrayElement = 20;
  write.descriptorCount = 8;
  gpu.vk.UpdateDescriptorSets(gpu.device, 1, &write, 0, nullptr);
  VkCopyDescriptorSet copy = {};
  copy.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET;
  copy.srcSet = first;
  copy.srcBinding = copy.dstBinding = 1;
  copy.dstSet = set;
  copy.descriptorCount = 32;
  gpu.vk.UpdateDescriptorSets(gpu.device, 0, nullptr, 1, &copy);
  Buffer b = gpu.buffer(64);
  gpu.write(set, 0, storage, {b});
  VkPipelineLayout layout = gpu.pipelineLayout({setLayout});
  VkPipeline pipeline = gpu.pipeline(R"(#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(set = 0, binding = 1) uniform A { uvec4 a[2]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  b[i] = a[i / 4][i % 4];
}
)",
                                     layout);
  dispatchWith(gpu, pipeline, layout, set);
  const uint32_t expected[] = {1, 2, 3, 4, 5, 60, 70, 8};
  EXPECT_EQ(std::memcmp(b.data, expected, sizeof(expected)), 0);
}

TEST_P(DescriptorApi, MutableDescriptorsTakeWhatIsWritten) {
  if (!gpu.hasExtension(VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME))
    GTEST_SKIP();
  VkDescriptorType types[] = {storage, uniform, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};
  VkMutableDescriptorTypeListEXT lists[] = {{3, types}};
  VkMutableDescriptorTypeCreateInfoEXT mutableInfo = {};
  mutableInfo.sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT;
  mutableInfo.mutableDescriptorTypeListCount = 1;
  mutableInfo.pMutableDescriptorTypeLists = lists;
  const std::vector<Binding> bindings = {{0, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 3}};
  VkDescriptorSetLayout setLayout = gpu.setLayout(bindings, 0, &mutableInfo);
  VkDescriptorSet set = gpu.set(setLayout, bindings, 0, nullptr, &mutableInfo);
  Buffer a = gpu.buffer(64), u = gpu.buffer(64), b = gpu.buffer(64);
  a.data[0] = 3;
  u.data[0] = 4;
  gpu.write(set, 0, storage, {a}, 0);
  gpu.write(set, 0, uniform, {u}, 1);
  gpu.write(set, 0, storage, {b}, 2);
  VkPipelineLayout layout = gpu.pipelineLayout({setLayout});
  VkPipeline pipeline = gpu.pipeline(R"(#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer S { uint s[]; } buffers[3];
layout(set = 0, binding = 0) uniform U { uint u; } uniforms[3];
void main() { buffers[2].s[0] = buffers[0].s[0] * 10 + uniforms[1].u; }
)",
                                     layout);
  dispatchWith(gpu, pipeline, layout, set);
  EXPECT_EQ(b.data[0], 34u);
}

TEST_P(DescriptorApi, RuntimeArraysOfOddSizesKeepTheirLength) {
  const std::vector<Binding> bindings = {{0, storage}, {1, storage}, {2, storage}};
  VkDescriptorSetLayout setLayout = gpu.setLayout(bindings);
  VkDescriptorSet set = gpu.set(setLayout, bindings);
  Buffer bytes = gpu.buffer(16), words = gpu.buffer(16), b = gpu.buffer(16);
  bytes.data[1] = 0x00070605; // bytes 4, 5, 6
  gpu.writeRange(set, 0, storage, bytes, 0, 7);
  gpu.writeRange(set, 1, storage, words, 0, 10);
  gpu.write(set, 2, storage, {b});
  VkPipelineLayout layout = gpu.pipelineLayout({setLayout});
  VkPipeline pipeline = gpu.pipeline(R"(#version 450
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) readonly buffer A { uint8_t a[]; };
layout(set = 0, binding = 1) readonly buffer W { uint w[]; };
layout(set = 0, binding = 2) buffer B { uint b[]; };
void main() {
  b[0] = a.length();
  b[1] = w.length();
  b[2] = uint(a[6]);
}
)",
                                     layout);
  dispatchWith(gpu, pipeline, layout, set);
  EXPECT_EQ(b.data[0], 7u);
  EXPECT_EQ(b.data[1], 2u);
  EXPECT_EQ(b.data[2], 7u);
}

TEST_P(DescriptorApi, NullDescriptorsReadZeroAndDropWrites) {
  VkPhysicalDeviceRobustness2FeaturesEXT robustness = {};
  robustness.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT;
  VkPhysicalDeviceFeatures2 features = {};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = &robustness;
  if (gpu.hasExtension(VK_EXT_ROBUSTNESS_2_EXTENSION_NAME))
    gpu.vk.GetPhysicalDeviceFeatures2(gpu.physicalDevice, &features);
  if (!robustness.nullDescriptor)
    GTEST_SKIP();
  const std::vector<Binding> bindings = {{0, storage}, {1, storage}, {2, uniform}};
  VkDescriptorSetLayout setLayout = gpu.setLayout(bindings);
  VkDescriptorSet set = gpu.set(setLayout, bindings);
  Buffer b = gpu.buffer(16);
  b.data[0] = b.data[1] = b.data[2] = 77;
  gpu.write(set, 0, storage, {b});
  gpu.write(set, 1, storage, {Buffer()});
  gpu.write(set, 2, uniform, {Buffer()});
  VkPipelineLayout layout = gpu.pipelineLayout({setLayout});
  VkPipeline pipeline = gpu.pipeline(R"(#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(set = 0, binding = 1) buffer N { uint n[]; };
layout(set = 0, binding = 2) uniform U { uint u; };
void main() {
  n[0] = 5;
  b[0] = n[1];
  b[1] = u;
  b[2] = n.length();
}
)",
                                     layout);
  dispatchWith(gpu, pipeline, layout, set);
  EXPECT_EQ(b.data[0], 0u);
  EXPECT_EQ(b.data[1], 0u);
  EXPECT_EQ(b.data[2], 0u);
}

TEST_P(DescriptorApi, PoolsGiveSetsBack) {
  VkDescriptorSetLayout setLayout = gpu.setLayout(addBindings);
  VkDescriptorPoolSize size = {storage, 8};
  VkDescriptorPoolCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  info.flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT;
  info.maxSets = 4;
  info.poolSizeCount = 1;
  info.pPoolSizes = &size;
  VkDescriptorPool pool = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateDescriptorPool(gpu.device, &info, nullptr, &pool));
  VkDescriptorSetLayout layouts[] = {setLayout, setLayout, setLayout, setLayout};
  VkDescriptorSetAllocateInfo allocate = {};
  allocate.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  allocate.descriptorPool = pool;
  allocate.descriptorSetCount = 4;
  allocate.pSetLayouts = layouts;
  VkDescriptorSet sets[4] = {};
  VK_OK(gpu.vk.AllocateDescriptorSets(gpu.device, &allocate, sets));
  VK_OK(gpu.vk.FreeDescriptorSets(gpu.device, pool, 2, sets + 1));
  allocate.descriptorSetCount = 2;
  VK_OK(gpu.vk.AllocateDescriptorSets(gpu.device, &allocate, sets + 1));
  VK_OK(gpu.vk.ResetDescriptorPool(gpu.device, pool, 0));
  allocate.descriptorSetCount = 4;
  VK_OK(gpu.vk.AllocateDescriptorSets(gpu.device, &allocate, sets));
  if (gpu.isKiln()) { // other drivers may allow more than was asked for
    VkDescriptorSet more = VK_NULL_HANDLE;
    allowsMessages = true;
    allocate.descriptorSetCount = 1;
    EXPECT_EQ(gpu.vk.AllocateDescriptorSets(gpu.device, &allocate, &more),
              VK_ERROR_OUT_OF_POOL_MEMORY);
    EXPECT_EQ(more, VkDescriptorSet(VK_NULL_HANDLE));
  }
  gpu.vk.DestroyDescriptorPool(gpu.device, pool, nullptr);
}

} // namespace
} // namespace api
