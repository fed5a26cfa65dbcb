//===- SetLayout.h - what a descriptor set looks like in memory -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Bindings in ascending order, one after another, every descriptor aligned to 16 bytes. What an
/// element takes (bytes):
///
///   sampler 16 | buffer, texel buffer 16 | acceleration structure 16: its address, 0 | image 32 |
///   combined 48: image, then sampler combined with an immutable YCbCr sampler: 32 per plane (48 in
///   buffers of descriptors), the
///     sampler is part of the code
///   inline uniform block: its bytes, rounded up to 16
///   mutable: the largest of the listed types
///   dynamic buffer: nothing; the V# waits in the DescriptorSet and goes to root user data
///
/// A binding with a variable count is the last one, so its size only moves the end of the set.
/// Plain data without Vulkan objects, so that everything that depends on a layout (sets, pipeline
/// layouts, update templates) shares one immutable copy and survives the API object.
#pragma once

#include "lgc/Ycbcr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>
#include <vulkan/vulkan_core.h>

namespace icd {

inline constexpr uint32_t samplerDwords = 4;
inline constexpr uint32_t bufferDwords = 4;
inline constexpr uint32_t structureDwords = 4;
inline constexpr uint32_t imageDwords = 8;
inline constexpr uint32_t combinedDwords = imageDwords + samplerDwords;
/// Descriptors and sets start at multiples of this many dwords.
inline constexpr uint32_t descriptorAlignDwords = 4;
/// Largest set in memory. Why: offsets inside a table are 32-bit bytes in the code.
inline constexpr uint64_t maxSetBytes = uint64_t(1) << 30;
/// More V#s than root user data could hold.
inline constexpr uint32_t maxDynamicPerSet = 64;

/// What the layout keeps of an immutable sampler.
struct ImmutableSampler {
  std::array<uint32_t, samplerDwords> words = {};
  bool isYcbcr = false;
  std::array<uint32_t, lgc::ycbcrWords> conversion = {}; ///< lgc/Ycbcr.h
  uint32_t planes = 1;
  /// The words name an entry of this device's table of border colours.
  bool isOfDevice = false;

  bool operator==(const ImmutableSampler &) const = default;
};

struct SetBinding {
  uint32_t number = 0; ///< as the shader names it
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_MAX_ENUM;
  VkDescriptorBindingFlags flags = 0;
  uint32_t count = 0;        ///< elements; bytes of an inline uniform block
  uint32_t offsetDwords = 0; ///< in the set; of dynamic buffers: 0
  uint32_t strideDwords = 0; ///< of an element; 0 for dynamic buffers and inline blocks
  uint32_t sizeDwords = 0;   ///< of all elements
  uint32_t firstDynamic = 0; ///< dynamic buffers only: number of the first in the set
  std::vector<ImmutableSampler> immutableSamplers; ///< none or `count`

  bool isDynamic() const {
    return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
           type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
  }
  bool isInline() const { return type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK; }
  bool hasVariableCount() const {
    return flags & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
  }
  bool hasYcbcrSampler() const;
  /// The samplers are known when code is compiled, and the same on every device.
  bool hasStaticSamplers() const;
  bool operator==(const SetBinding &) const = default;
};

struct SetLayout {
  VkDescriptorSetLayoutCreateFlags flags = 0;
  std::vector<SetBinding> bindings; ///< ascending by number; without empty bindings
  uint32_t sizeDwords = 0;          ///< with the full count of a variable binding
  uint32_t dynamicCount = 0;        ///< dynamic buffers

  /// The binding of that number, or null.
  const SetBinding *find(uint32_t number) const;
  /// The binding whose count the allocation of a set decides, or null.
  const SetBinding *variableBinding() const;
  /// Dwords of a set whose variable binding has \p variableCount elements.
  uint64_t sizeDwordsFor(uint32_t variableCount) const;
  bool operator==(const SetLayout &) const = default;
};

/// Dwords of one element of a type that decides them alone; 0 for dynamic buffers, inline uniform
/// blocks, mutable descriptors and unknown types.
uint32_t elementDwords(VkDescriptorType type);
/// The largest element of \p types; 12 when the list is empty or absent (any type).
uint32_t mutableDwords(const VkMutableDescriptorTypeListEXT *types);

using SamplerLookup = llvm::function_ref<ImmutableSampler(VkSampler)>;

/// Computes offsets. Nothing when the set would be larger than maxSetBytes, has more than
/// maxDynamicPerSet dynamic buffers, or has a type that does not exist.
std::optional<SetLayout> buildSetLayout(const VkDescriptorSetLayoutCreateInfo &info,
                                        SamplerLookup samplers);

} // namespace icd
