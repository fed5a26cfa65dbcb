//===- RandomLayout.cpp - other layouts for the same shaders --------------===//
// SPDX-License-Identifier: MIT
#include "RandomLayout.h"
#include "llvm/ADT/STLExtras.h"

namespace replay {
namespace {

/// Numbers that are the same everywhere (std::mt19937's distributions are not).
class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 0x9E3779B97F4A7C15ull + 1) {}
  uint32_t below(uint32_t limit) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return static_cast<uint32_t>(((state * 0x2545F4914F6CDD1Dull) >> 32) % limit);
  }
  bool chance(double probability) { return below(1u << 20) < probability * (1u << 20); }

private:
  uint64_t state;
};

constexpr VkDescriptorType fillerTypes[] = {
    VK_DESCRIPTOR_TYPE_SAMPLER,        VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
    VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,  VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
    VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
constexpr uint32_t maxSets = 8; ///< of any layout
constexpr uint32_t maxDynamicPerSet = 4;
constexpr uint32_t maxPushBytes = 128;

bool isTaken(const SetLayoutDesc &set, uint32_t number) {
  return llvm::any_of(set.bindings, [&](const auto &b) { return b.binding == number; });
}

void addBinding(SetLayoutDesc &set, Random &random) {
  VkDescriptorSetLayoutBinding binding = {};
  binding.binding = random.below(24);
  if (isTaken(set, binding.binding))
    return;
  binding.descriptorType = fillerTypes[random.below(std::size(fillerTypes))];
  binding.descriptorCount = 1 + random.below(5);
  binding.stageFlags = VK_SHADER_STAGE_ALL;
  set.bindings.push_back(binding);
  set.samplers.emplace_back();
  if (!set.bindingFlags.empty())
    set.bindingFlags.push_back(0);
}

/// More elements; the ones that the shader uses stay the first.
void growArrays(SetLayoutDesc &set, Random &random) {
  for (size_t i = 0; i < set.bindings.size(); ++i) {
    VkDescriptorSetLayoutBinding &binding = set.bindings[i];
    bool isBlock = binding.descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    bool isVariable = i < set.bindingFlags.size() && set.bindingFlags[i];
    if (set.samplers[i].empty() && !isBlock && !isVariable && binding.descriptorCount &&
        random.chance(0.25))
      binding.descriptorCount += 1 + random.below(3);
  }
}

void makeDynamic(SetLayoutDesc &set) {
  uint32_t count = 0;
  for (VkDescriptorSetLayoutBinding &binding : set.bindings) {
    bool isUniform = binding.descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    bool isStorage = binding.descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    if ((!isUniform && !isStorage) || (count += binding.descriptorCount) > maxDynamicPerSet)
      continue;
    binding.descriptorType = isUniform ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC
                                       : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
  }
}

} // namespace

PipelineLayoutDesc randomiseLayout(const PipelineLayoutDesc &layout, uint64_t seed,
                                   const RandomLayoutOptions &options) {
  Random random(seed);
  PipelineLayoutDesc result = layout;
  result.hash.clear();
  bool isDynamic = random.chance(options.dynamicBuffers);
  for (SetLayoutDesc &set : result.sets) {
    set.hash.clear();
    growArrays(set, random);
    if (isDynamic)
      makeDynamic(set);
    for (uint32_t i = random.below(4); i > 0; --i)
      addBinding(set, random);
    // Drivers may not depend on the order in which bindings are listed.
    if (set.bindings.size() > 1 && random.chance(0.5)) {
      std::swap(set.bindings.front(), set.bindings.back());
      std::swap(set.samplers.front(), set.samplers.back());
      if (!set.bindingFlags.empty())
        std::swap(set.bindingFlags.front(), set.bindingFlags.back());
    }
  }
  for (uint32_t i = random.below(3); i > 0 && result.sets.size() < maxSets; --i) {
    SetLayoutDesc &set = result.sets.emplace_back();
    for (uint32_t n = 1 + random.below(3); n > 0; --n)
      addBinding(set, random);
  }
  for (VkPushConstantRange &range : result.pushConstants)
    if (range.offset + range.size < maxPushBytes && random.chance(0.5))
      range.size += 4 * (1 + random.below((maxPushBytes - range.offset - range.size) / 4));
  if (result.pushConstants.empty() && random.chance(0.5))
    result.pushConstants.push_back({VK_SHADER_STAGE_ALL, 0, 4 * (1 + random.below(32))});
  return result;
}

} // namespace replay
