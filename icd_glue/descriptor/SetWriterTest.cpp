// SPDX-License-Identifier: MIT
// Where descriptors end up in a set, with words that name their source.
#include "icd_glue/descriptor/SetWriter.h"
#include <gtest/gtest.h>

namespace icd {
namespace {

template <typename Handle> Handle handleOf(uintptr_t number) {
  return reinterpret_cast<Handle>(number);
}

/// Words made of the handle's number: buffer 5 is {0xB5, offset, 0, 0}.
class FakeWords : public DescriptorWords {
public:
  BufferWords buffer(VkDescriptorType, const VkDescriptorBufferInfo &info) const override {
    return {tag(0xB0, info.buffer), static_cast<uint32_t>(info.offset)};
  }
  BufferWords texelBuffer(VkDescriptorType, VkBufferView view) const override {
    return {tag(0xE0, view)};
  }
  ImageWords image(VkDescriptorType, VkImageView view, uint32_t plane) const override {
    return {tag(0xA0, view), plane};
  }
  SamplerWords sampler(VkSampler sampler) const override { return {tag(0x50, sampler)}; }
  StructureWords structure(VkAccelerationStructureKHR structure) const override {
    return {tag(0x70, structure)};
  }

private:
  template <typename Handle> static uint32_t tag(uint32_t kind, Handle handle) {
    return kind + static_cast<uint32_t>(reinterpret_cast<uintptr_t>(handle));
  }
};

/// A set with its own memory.
struct TestSet {
  explicit TestSet(std::vector<VkDescriptorSetLayoutBinding> bindings) {
    VkDescriptorSetLayoutCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
    info.bindingCount = static_cast<uint32_t>(bindings.size());
    info.pBindings = bindings.data();
    layout = *buildSetLayout(info, [](VkSampler sampler) {
      return ImmutableSampler{FakeWords().sampler(sampler), false, {}, 1};
    });
    words.resize(layout.sizeDwords, 0xDEAD);
    dynamic.resize(layout.dynamicCount);
    initializeSet(memory());
  }
  SetMemory memory() { return {&layout, words, dynamic, 0}; }
  void write(VkDescriptorType type, uint32_t binding, uint32_t element, uint32_t count,
             const void *data, size_t stride) {
    writeDescriptors(memory(), {type, binding, element, count, data, stride}, FakeWords());
  }

  SetLayout layout;
  std::vector<uint32_t> words;
  std::vector<BufferWords> dynamic;
};

VkDescriptorSetLayoutBinding binding(uint32_t number, VkDescriptorType type, uint32_t count = 1,
                                     const VkSampler *samplers = nullptr) {
  return {number, type, count, VK_SHADER_STAGE_COMPUTE_BIT, samplers};
}

TEST(SetWriter, AccelerationStructuresComeInTheChain) {
  TestSet set({binding(0, VK_DESCRIPTOR_TYPE_SAMPLER),
               binding(1, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 2)});
  const VkAccelerationStructureKHR structures[] = {handleOf<VkAccelerationStructureKHR>(3),
                                                   handleOf<VkAccelerationStructureKHR>(4)};
  VkWriteDescriptorSetAccelerationStructureKHR chained = {};
  chained.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR;
  chained.accelerationStructureCount = 2;
  chained.pAccelerationStructures = structures;
  VkWriteDescriptorSet write = {};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.pNext = &chained;
  write.dstBinding = 1;
  write.descriptorCount = 2;
  write.descriptorType = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR;
  writeDescriptors(set.memory(), sourceOf(write), FakeWords());
  ASSERT_EQ(set.words.size(), 12u);
  EXPECT_EQ(set.words[4], 0x73u);
  EXPECT_EQ(set.words[8], 0x74u);
}

TEST(SetWriter, WritesRunOnIntoTheNextBinding) {
  TestSet set({binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2),
               binding(1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2)});
  VkDescriptorBufferInfo infos[4] = {};
  for (uintptr_t i = 0; i < 4; ++i)
    infos[i] = {handleOf<VkBuffer>(i + 1), 16 * i, VK_WHOLE_SIZE};
  set.write(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, 1, 4, infos, sizeof(infos[0]));
  EXPECT_EQ(set.words[0], 0u);
  EXPECT_EQ(set.words[4], 0xB1u); // binding 0, element 1
  EXPECT_EQ(set.words[8], 0xB2u); // binding 1
  EXPECT_EQ(set.words[12], 0xB3u);
  EXPECT_EQ(set.words[13], 32u);
  EXPECT_EQ(set.words.size(), 16u); // the fourth has no place
}

TEST(SetWriter, CombinedDescriptorsAreImageThenSampler) {
  TestSet set({binding(0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2)});
  VkDescriptorImageInfo info = {handleOf<VkSampler>(3), handleOf<VkImageView>(4),
                                VK_IMAGE_LAYOUT_GENERAL};
  set.write(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0, 1, 1, &info, sizeof(info));
  EXPECT_EQ(set.words[12], 0xA4u);
  EXPECT_EQ(set.words[20], 0x53u);
}

TEST(SetWriter, ImmutableSamplersStay) {
  VkSampler samplers[] = {handleOf<VkSampler>(7), handleOf<VkSampler>(8)};
  TestSet set({binding(0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2, samplers),
               binding(1, VK_DESCRIPTOR_TYPE_SAMPLER, 1, samplers)});
  EXPECT_EQ(set.words[8], 0x57u);
  EXPECT_EQ(set.words[20], 0x58u);
  EXPECT_EQ(set.words[24], 0x57u);
  VkDescriptorImageInfo info = {handleOf<VkSampler>(3), handleOf<VkImageView>(4),
                                VK_IMAGE_LAYOUT_GENERAL};
  set.write(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0, 0, 1, &info, sizeof(info));
  set.write(VK_DESCRIPTOR_TYPE_SAMPLER, 1, 0, 1, &info, sizeof(info));
  EXPECT_EQ(set.words[0], 0xA4u);
  EXPECT_EQ(set.words[8], 0x57u);
  EXPECT_EQ(set.words[24], 0x57u);
}

TEST(SetWriter, DynamicBuffersWaitBesideTheSet) {
  TestSet set({binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 2)});
  VkDescriptorBufferInfo info = {handleOf<VkBuffer>(6), 48, 16};
  set.write(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 0, 1, 1, &info, sizeof(info));
  EXPECT_EQ(set.dynamic[1], (BufferWords{0xB6, 48}));
  EXPECT_TRUE(set.words.empty());
}

TEST(SetWriter, InlineBlocksAreBytes) {
  TestSet set({binding(0, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 12)});
  uint32_t data[] = {1, 2, 3, 4};
  // Twelve bytes from byte 4 on: the last four have no place.
  set.write(VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 0, 4, 12, data, 0);
  EXPECT_EQ(set.words, (std::vector<uint32_t>{0, 1, 2, 0}));
}

TEST(SetWriter, SourceOfReadsTheInlineBlockStructure) {
  uint32_t data = 9;
  VkWriteDescriptorSetInlineUniformBlock block = {
      VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK, nullptr, 4, &data};
  VkWriteDescriptorSet write = {};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.pNext = &block;
  write.descriptorCount = 4;
  write.descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
  DescriptorSource source = sourceOf(write);
  EXPECT_EQ(source.data, &data);
  EXPECT_EQ(source.count, 4u);
}

TEST(SetWriter, CopiesCrossBindingsAndKinds) {
  TestSet from({binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3)});
  VkDescriptorBufferInfo infos[3] = {};
  for (uintptr_t i = 0; i < 3; ++i)
    infos[i].buffer = handleOf<VkBuffer>(i + 1);
  from.write(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, 0, 3, infos, sizeof(infos[0]));
  TestSet to({binding(4, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER),
              binding(5, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)});
  VkCopyDescriptorSet copy = {};
  copy.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET;
  copy.srcArrayElement = 1;
  copy.dstBinding = 4;
  copy.descriptorCount = 2;
  copyDescriptors(from.memory(), to.memory(), copy);
  EXPECT_EQ(to.words[0], 0xB2u);
  EXPECT_EQ(to.words[4], 0xB3u);
}

TEST(SetWriter, UnknownBindingsAreIgnored) {
  TestSet set({binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)});
  VkDescriptorBufferInfo info = {handleOf<VkBuffer>(6), 0, 16};
  set.write(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3, 0, 1, &info, sizeof(info));
  set.write(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, 4000000000, 1, &info, sizeof(info));
  EXPECT_EQ(set.words, (std::vector<uint32_t>{0, 0, 0, 0}));
}

} // namespace
} // namespace icd
