//===- DescriptorSet.h - VkDescriptorSetLayout, -Pool, -Set ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A pool is one allocation of the heap for tables; its sets are pieces of it. Writes go straight
/// to that memory, which shaders read.
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/context/AddressBinding.h"
#include "icd_glue/descriptor/RangeAllocator.h"
#include "icd_glue/descriptor/SetWriter.h"
#include "pal_shim/device/Device.h"
#include "llvm/Support/Error.h"

namespace icd {

class Device;
class DescriptorPool;

class DescriptorSetLayout : public Object {
public:
  using Handle = VkDescriptorSetLayout;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT;
  explicit DescriptorSetLayout(SetLayout from)
      : Object(type), layout(std::make_shared<const SetLayout>(std::move(from))) {}

  /// Shared with sets, pipeline layouts and pipelines, which outlive the handle.
  const std::shared_ptr<const SetLayout> layout;
};

class DescriptorSet : public Object {
public:
  using Handle = VkDescriptorSet;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_DESCRIPTOR_SET;

  /// \p words is the set's piece of the pool, at \p address; both empty for a set without memory.
  DescriptorSet(DescriptorPool &pool, std::shared_ptr<const SetLayout> setLayout,
                uint32_t variableCount, llvm::MutableArrayRef<uint32_t> words,
                pal::device::GpuAddress address);

  const SetLayout &layout() const { return *setLayout; }
  SetMemory memory() { return {setLayout.get(), words, dynamicBuffers, variableCount}; }
  /// What a root table pointer holds: the low half of the address.
  uint32_t tablePointer() const { return static_cast<uint32_t>(address); }
  llvm::ArrayRef<BufferWords> dynamicBufferWords() const { return dynamicBuffers; }

private:
  friend class DescriptorPool;
  DescriptorPool &pool;
  const std::shared_ptr<const SetLayout> setLayout;
  const uint32_t variableCount;
  const llvm::MutableArrayRef<uint32_t> words;
  const pal::device::GpuAddress address;
  std::vector<BufferWords> dynamicBuffers;
  size_t indexInPool = 0;
};

class DescriptorPool : public Object {
public:
  using Handle = VkDescriptorPool;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_DESCRIPTOR_POOL;

  /// \p memory may be null: a pool of sets without memory.
  DescriptorPool(Device &device, const VkDescriptorPoolCreateInfo &info,
                 const VkAllocationCallbacks *allocator,
                 std::unique_ptr<pal::device::Allocation> memory);
  ~DescriptorPool() { reset(); }

  VkResult allocate(const std::shared_ptr<const SetLayout> &layout, uint32_t variableCount,
                    VkDescriptorSet &set);
  void free(DescriptorSet *set);
  AddressBinding addresses() const {
    return memory ? AddressBinding{memory->address(), memory->size()} : AddressBinding();
  }
  void reset();

private:
  Device &owner;
  const VkAllocationCallbacks callbacks; ///< also for the sets
  const std::unique_ptr<pal::device::Allocation> memory;
  const uint32_t maxSets;
  RangeAllocator space; ///< in dwords
  std::vector<DescriptorSet *> sets;
};

/// Dwords that a pool needs so that every allocation Vulkan promises succeeds.
uint64_t poolDwords(const VkDescriptorPoolCreateInfo &info);

} // namespace icd
