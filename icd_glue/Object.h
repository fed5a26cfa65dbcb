//===- Object.h - what a Vulkan handle points to --------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Base of every Vulkan object of the ICD, conversion between objects and handles, creation with
/// the application's allocation callbacks, and the search of pNext chains.
///
///     class Fence : public Object {
///     public:
///       using Handle = VkFence;
///       static constexpr VkObjectType type = VK_OBJECT_TYPE_FENCE;
///       explicit Fence(bool signaled) : Object(type), ...
///     };
///     Fence *fence = device->create<Fence>(pAllocator, true);   // null: out of host memory
///     *pFence = toHandle(fence);
///     device->destroy(fromHandle<Fence>(handle), pAllocator);   // null is fine
///
/// A handle is the address of the object, for dispatchable and other handles alike, so the object
/// must begin with Object and have no virtual functions (the loader writes to the first word of
/// dispatchable ones).
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vulkan/vk_icd.h>
#include <vulkan/vulkan.h>

#include "icd_glue/NewerVulkan.h"

namespace icd {

/// Name and private data of one object; most objects have none.
struct ObjectNotes {
  std::mutex mutex;
  std::string name;
  std::map<uint64_t, uint64_t> privateData; ///< by PrivateDataSlot::number
};

class Object {
public:
  explicit Object(VkObjectType type) : objectType(type) { set_loader_magic_value(this); }
  Object(const Object &) = delete;
  Object &operator=(const Object &) = delete;

  /// Creates the notes on first use. May be called by any number of threads.
  ObjectNotes &notes();
  /// The name that the application gave with VK_EXT_debug_utils; empty if none.
  std::string debugName() const;

private:
  [[maybe_unused]] VK_LOADER_DATA loaderData; // first: belongs to the loader
  std::atomic<ObjectNotes *> ownNotes = nullptr;

public:
  const VkObjectType objectType;

protected:
  ~Object() { delete ownNotes.load(); }
};

/// Handle of an object; null gives VK_NULL_HANDLE.
template <typename T> typename T::Handle toHandle(T *object) {
  static_assert(std::is_base_of_v<Object, T> && !std::is_polymorphic_v<T>);
  return reinterpret_cast<typename T::Handle>(object);
}

/// Object of a handle; VK_NULL_HANDLE gives null.
template <typename T> T *fromHandle(typename T::Handle handle) {
  static_assert(std::is_base_of_v<Object, T> && !std::is_polymorphic_v<T>);
  return reinterpret_cast<T *>(handle);
}

/// Whether objects of that type are ours, not the loader's or a layer's.
bool isOwnType(VkObjectType type);

/// The object behind any handle, as commands get it that take VkObjectType and uint64_t.
inline Object *objectFromRawHandle(uint64_t handle) {
  return reinterpret_cast<Object *>(static_cast<uintptr_t>(handle));
}

//===--- Host memory ------------------------------------------------------===//

/// Callbacks that use the C library; what objects get when neither they nor their parent were
/// created with callbacks.
const VkAllocationCallbacks &defaultAllocationCallbacks();

/// Constructs a T in memory from \p callbacks, or from \p parent's if it is null. Null: the
/// callback gave no memory, for which Vulkan's result is VK_ERROR_OUT_OF_HOST_MEMORY.
template <typename T, typename... Args>
T *createObject(const VkAllocationCallbacks *callbacks, const VkAllocationCallbacks &parent,
                VkSystemAllocationScope scope, Args &&...args) {
  const VkAllocationCallbacks &from = callbacks ? *callbacks : parent;
  void *memory = from.pfnAllocation(from.pUserData, sizeof(T), alignof(T), scope);
  return memory ? new (memory) T(std::forward<Args>(args)...) : nullptr;
}

/// Destroys an object that createObject() made with compatible callbacks. Null is fine.
template <typename T>
void destroyObject(T *object, const VkAllocationCallbacks *callbacks,
                   const VkAllocationCallbacks &parent) {
  if (!object)
    return;
  const VkAllocationCallbacks &from = callbacks ? *callbacks : parent;
  object->~T();
  from.pfnFree(from.pUserData, object);
}

//===--- pNext chains -----------------------------------------------------===//

/// The first structure of sType \p type in a chain, or null.
inline const void *findInChain(const void *next, VkStructureType type) {
  for (auto *link = static_cast<const VkBaseInStructure *>(next); link; link = link->pNext)
    if (link->sType == type)
      return link;
  return nullptr;
}
template <typename T> const T *findInChain(const void *next, VkStructureType type) {
  return static_cast<const T *>(findInChain(next, type));
}
/// The same for output chains.
template <typename T> T *findOutInChain(void *next, VkStructureType type) {
  return static_cast<T *>(const_cast<void *>(findInChain(next, type)));
}

/// Writes a list as Vulkan's enumerating commands do: with null \p output the count only, else at
/// most *count elements; VK_INCOMPLETE if there are more.
template <typename Range, typename T, typename Write>
VkResult writeList(const Range &range, uint32_t *count, T *output, Write &&write) {
  uint32_t available = static_cast<uint32_t>(std::size(range));
  if (!output) {
    *count = available;
    return VK_SUCCESS;
  }
  uint32_t written = 0;
  for (const auto &element : range) {
    if (written == *count)
      return VK_INCOMPLETE;
    write(element, output[written++]);
  }
  *count = written;
  return VK_SUCCESS;
}

} // namespace icd
