//===- DescriptorPool.cpp - VkDescriptorPool and VkDescriptorSet ----------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/context/Device.h"
#include "icd_glue/descriptor/DescriptorSet.h"
#include "llvm/Support/MathExtras.h"

namespace icd {

DescriptorSet::DescriptorSet(DescriptorPool &pool, std::shared_ptr<const SetLayout> setLayout,
                             uint32_t variableCount, llvm::MutableArrayRef<uint32_t> words,
                             pal::device::GpuAddress address)
    : Object(type), pool(pool), setLayout(std::move(setLayout)), variableCount(variableCount),
      words(words), address(address), dynamicBuffers(this->setLayout->dynamicCount) {
  initializeSet(memory());
}

uint64_t poolDwords(const VkDescriptorPoolCreateInfo &info) {
  auto *mutableTypes = findInChain<VkMutableDescriptorTypeCreateInfoEXT>(
      info.pNext, VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT);
  auto *inlineBlocks = findInChain<VkDescriptorPoolInlineUniformBlockCreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO);
  uint64_t dwords = 0;
  for (uint32_t i = 0; i < info.poolSizeCount; ++i) {
    const VkDescriptorPoolSize &size = info.pPoolSizes[i];
    if (size.type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
      dwords += llvm::divideCeil(uint64_t(size.descriptorCount), 4);
      continue;
    }
    uint64_t each = elementDwords(size.type);
    if (size.type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT)
      each = mutableDwords(mutableTypes && i < mutableTypes->mutableDescriptorTypeListCount
                               ? &mutableTypes->pMutableDescriptorTypeLists[i]
                               : nullptr);
    dwords += each * size.descriptorCount;
  }
  // Every block may end with padding.
  if (inlineBlocks)
    dwords += uint64_t(inlineBlocks->maxInlineUniformBlockBindings) * descriptorAlignDwords;
  return llvm::alignTo(dwords, descriptorAlignDwords);
}

DescriptorPool::DescriptorPool(Device &device, const VkDescriptorPoolCreateInfo &info,
                               const VkAllocationCallbacks *allocator,
                               std::unique_ptr<pal::device::Allocation> memory)
    : Object(type), owner(device), callbacks(allocator ? *allocator : device.allocationCallbacks()),
      memory(std::move(memory)), maxSets(info.maxSets),
      space(this->memory ? this->memory->size() / sizeof(uint32_t) : 0) {}

VkResult DescriptorPool::allocate(const std::shared_ptr<const SetLayout> &layout,
                                  uint32_t variableCount, VkDescriptorSet &handle) {
  if (sets.size() >= maxSets)
    return VK_ERROR_OUT_OF_POOL_MEMORY;
  uint64_t dwords = layout->sizeDwordsFor(variableCount);
  std::optional<uint64_t> offset = space.allocate(dwords);
  if (!offset)
    return space.freeUnits() < dwords ? VK_ERROR_OUT_OF_POOL_MEMORY : VK_ERROR_FRAGMENTED_POOL;
  llvm::MutableArrayRef<uint32_t> words;
  pal::device::GpuAddress address = 0;
  if (dwords) {
    words = {reinterpret_cast<uint32_t *>(memory->host()) + *offset, dwords};
    address = memory->address() + *offset * sizeof(uint32_t);
  }
  auto *set = owner.create<DescriptorSet>(&callbacks, *this, layout, variableCount, words, address);
  if (!set) {
    space.free(*offset, dwords);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  set->indexInPool = sets.size();
  sets.push_back(set);
  handle = toHandle(set);
  return VK_SUCCESS;
}

void DescriptorPool::free(DescriptorSet *set) {
  if (!set || &set->pool != this)
    return;
  if (!set->words.empty()) {
    uint64_t offset = (set->address - memory->address()) / sizeof(uint32_t);
    space.free(offset, set->words.size());
  }
  sets[set->indexInPool] = sets.back();
  sets[set->indexInPool]->indexInPool = set->indexInPool;
  sets.pop_back();
  owner.destroy(set, &callbacks);
}

void DescriptorPool::reset() {
  for (DescriptorSet *set : sets)
    owner.destroy(set, &callbacks);
  sets.clear();
  space.reset(memory ? memory->size() / sizeof(uint32_t) : 0);
}

static void tellMemory(const Device &device, const DescriptorPool &pool,
                       VkDeviceMemoryReportEventTypeEXT event) {
  if (const AddressBinding memory = pool.addresses(); memory.size)
    device.memoryReport().tell(event, pool, memory.address, memory.size);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateDescriptorPool(VkDevice deviceHandle,
                                                    const VkDescriptorPoolCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkDescriptorPool *descriptorPool) {
  auto *device = fromHandle<Device>(deviceHandle);
  *descriptorPool = VK_NULL_HANDLE;
  std::unique_ptr<pal::device::Allocation> memory;
  if (uint64_t dwords = poolDwords(*info)) {
    auto allocation = device->gpu().allocate({.size = dwords * sizeof(uint32_t),
                                              .heap = pal::device::Heap::DescriptorTables,
                                              .name = "descriptor pool"});
    if (!allocation) {
      device->reportError("KILN-descriptor-pool", llvm::toString(allocation.takeError()));
      device->memoryReport().tellFailure(DescriptorPool::type, dwords * sizeof(uint32_t));
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    memory = std::move(*allocation);
  }
  auto *pool =
      device->create<DescriptorPool>(allocator, *device, *info, allocator, std::move(memory));
  *descriptorPool = toHandle(pool);
  if (!pool)
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  device->reportBinding(*pool, pool->addresses(), VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT);
  tellMemory(*device, *pool, VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATE_EXT);
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL DestroyDescriptorPool(VkDevice handle, VkDescriptorPool pool,
                                                 const VkAllocationCallbacks *allocator) {
  auto *device = fromHandle<Device>(handle);
  auto *object = fromHandle<DescriptorPool>(pool);
  if (object) {
    device->reportBinding(*object, object->addresses(), VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT);
    tellMemory(*device, *object, VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_FREE_EXT);
  }
  device->destroy(object, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL ResetDescriptorPool(VkDevice, VkDescriptorPool pool,
                                                   VkDescriptorPoolResetFlags) {
  fromHandle<DescriptorPool>(pool)->reset();
  return VK_SUCCESS;
}

/// Elements of the variable binding of set \p index.
static uint32_t variableCountOf(const VkDescriptorSetAllocateInfo &info, uint32_t index,
                                const SetLayout &layout) {
  auto *counts = findInChain<VkDescriptorSetVariableDescriptorCountAllocateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO);
  const SetBinding *binding = layout.variableBinding();
  if (!binding || !counts || index >= counts->descriptorSetCount)
    return 0;
  return std::min(counts->pDescriptorCounts[index], binding->count);
}

VKAPI_ATTR VkResult VKAPI_CALL AllocateDescriptorSets(VkDevice,
                                                      const VkDescriptorSetAllocateInfo *info,
                                                      VkDescriptorSet *descriptorSets) {
  auto *pool = fromHandle<DescriptorPool>(info->descriptorPool);
  std::fill_n(descriptorSets, info->descriptorSetCount, VkDescriptorSet(VK_NULL_HANDLE));
  for (uint32_t i = 0; i < info->descriptorSetCount; ++i) {
    const auto &layout = fromHandle<DescriptorSetLayout>(info->pSetLayouts[i])->layout;
    VkResult result = pool->allocate(layout, variableCountOf(*info, i, *layout), descriptorSets[i]);
    if (result == VK_SUCCESS)
      continue;
    for (uint32_t made = 0; made < i; ++made)
      pool->free(fromHandle<DescriptorSet>(descriptorSets[made]));
    std::fill_n(descriptorSets, info->descriptorSetCount, VkDescriptorSet(VK_NULL_HANDLE));
    return result;
  }
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL FreeDescriptorSets(VkDevice, VkDescriptorPool pool, uint32_t count,
                                                  const VkDescriptorSet *descriptorSets) {
  for (uint32_t i = 0; i < count; ++i)
    fromHandle<DescriptorPool>(pool)->free(fromHandle<DescriptorSet>(descriptorSets[i]));
  return VK_SUCCESS;
}

//===--- VK_VALVE_descriptor_set_host_mapping -----------------------------===//

VKAPI_ATTR void VKAPI_CALL GetDescriptorSetLayoutHostMappingInfoVALVE(
    VkDevice, const VkDescriptorSetBindingReferenceVALVE *reference,
    VkDescriptorSetLayoutHostMappingInfoVALVE *mapping) {
  const SetBinding *binding = fromHandle<DescriptorSetLayout>(reference->descriptorSetLayout)
                                  ->layout->find(reference->binding);
  mapping->descriptorOffset = binding ? 4 * size_t(binding->offsetDwords) : 0;
  mapping->descriptorSize = binding ? 4 * binding->strideDwords : 0;
}

VKAPI_ATTR void VKAPI_CALL GetDescriptorSetHostMappingVALVE(VkDevice, VkDescriptorSet set,
                                                            void **data) {
  *data = fromHandle<DescriptorSet>(set)->memory().words.data();
}

} // namespace icd
