//===- PhysicalDevice.cpp - VkPhysicalDevice: what the device is ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Fills in what the queries (PhysicalDeviceQueries.cpp) hand out: identity, limits, memory, and
/// the answers of Features.def and Properties.def.
#include "icd_glue/context/PhysicalDevice.h"
#include "icd_glue/RayStages.h"
#include "icd_glue/context/CompilerIdentity.h"
#include "icd_glue/context/DeviceIds.h"
#include "icd_glue/context/Instance.h"
#include "icd_glue/context/Limits.h"
#include "lgc/CooperativeMatrix.h"
#include "lgc/RayLaunch.h"
#include "pal_shim/device/Draw.h"
#include "pal_shim/srd/LinearLayout.h"
#include "llvm/Config/llvm-config.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <unistd.h>
// Why inline: no library to link and no exported symbols.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace icd {
namespace {

bool hasMeshShaders(const pal::abi::GpuTarget &gfx) { return gfx.major > 10 || gfx.minor >= 3; }
bool hasShadingRates(const pal::abi::GpuTarget &gfx) { return gfx.major > 10 || gfx.minor >= 3; }

Features makeFeatures(const pal::abi::GpuTarget &gfx) {
  Features features;
  // HW(gfx10.1): parameters of single vertices cannot be read, as the compiler says too.
  const bool hasVertexValues = gfx.major > 10 || gfx.minor >= 3;
#define KILN_FEATURE(name, condition) features.name = (condition);
#include "icd_glue/context/Features.def"
  return features;
}

/// Half of the machine's memory: the application and the system want some too.
VkDeviceSize heapSize() {
  const VkDeviceSize least = VkDeviceSize(1) << 30, most = VkDeviceSize(256) << 30;
  VkDeviceSize ram = static_cast<VkDeviceSize>(sysconf(_SC_PHYS_PAGES)) *
                     static_cast<VkDeviceSize>(sysconf(_SC_PAGE_SIZE));
  return std::clamp(ram / 2, least, most) & ~((VkDeviceSize(1) << 20) - 1);
}

VkDeviceSize pageSize() { return static_cast<VkDeviceSize>(sysconf(_SC_PAGE_SIZE)); }

/// One heap, the machine's memory, which is "device local" as that of an integrated GPU is.
VkPhysicalDeviceMemoryProperties makeMemory() {
  VkPhysicalDeviceMemoryProperties memory = {};
  memory.memoryHeapCount = 1;
  memory.memoryHeaps[0] = {heapSize(), VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  memory.memoryTypeCount = MemoryTypeCount;
  const VkMemoryPropertyFlags common = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT |
                                       VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                       VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  memory.memoryTypes[MemoryTypeDevice] = {common, 0};
  for (MemoryType type : {MemoryTypeHost, MemoryTypeDescriptors})
    memory.memoryTypes[type] = {common | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, 0};
  // The last one: applications take the first that has what they want.
  memory.memoryTypes[MemoryTypeUncached] = {common | VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD |
                                                VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD,
                                            0};
  return memory;
}

Properties makeProperties(const pal::abi::GpuTarget &gfx, VkDeviceSize heap) {
  Properties properties;
  const VkDeviceSize maxAllocation = std::min(heap, VkDeviceSize(64) << 30);
  const bool hasDot = gfx.name != "gfx1010";
  const bool hasDot16 = gfx.major == 10 && hasDot;
  const bool hasMixedDot = gfx.major >= 11;
  const VkExtent2D rateTile =
      hasShadingRates(gfx) ? VkExtent2D{pal::device::rateTilePixels, pal::device::rateTilePixels}
                           : VkExtent2D{};
  const VkShaderStageFlags meshStages =
      hasMeshShaders(gfx) ? VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT : 0;
  const ChipShape chip = chipShapeOf(gfx.name);
#define KILN_PROPERTY(name, value) properties.name = value;
#include "icd_glue/context/Properties.def"
  for (unsigned i = 0; i < 3; ++i) {
    // HW: ids of 16 bits.
    properties.maxTaskWorkGroupCount[i] = properties.maxMeshWorkGroupCount[i] = UINT16_MAX;
    properties.maxTaskWorkGroupSize[i] = properties.maxTaskWorkGroupInvocations;
    properties.maxMeshWorkGroupSize[i] = properties.maxMeshWorkGroupInvocations;
  }
  properties.sampleLocationCoordinateRange[1] = maxSampleLocation;
  std::snprintf(properties.driverName, sizeof(properties.driverName), "Kiln");
  std::snprintf(properties.driverInfo, sizeof(properties.driverInfo), "Kiln %s (LLVM %s)",
                KILN_VERSION, LLVM_VERSION_STRING);
  return properties;
}

/// 16 bytes that differ when any of the parts does.
void makeUuid(uint8_t *uuid, const std::string &text) {
  XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  static_assert(sizeof(hash) == VK_UUID_SIZE);
  std::memcpy(uuid, &hash, VK_UUID_SIZE);
}

VkPhysicalDeviceProperties makeCore(const pal::abi::GpuTarget &gfx, const Features &features) {
  VkPhysicalDeviceProperties core = {};
  core.apiVersion = deviceApiVersion;
  core.driverVersion = VK_MAKE_API_VERSION(0, KILN_VERSION_MAJOR, KILN_VERSION_MINOR, 0);
  core.vendorID = 0x1002; // AMD
  core.deviceID = deviceIdOf(gfx.name);
  core.deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
  std::snprintf(core.deviceName, sizeof(core.deviceName), "Kiln %s (software)",
                gfx.name.str().c_str());
  core.limits = makeLimits(features);
  return core;
}

} // namespace

PhysicalDevice::PhysicalDevice(Instance &instance, const pal::abi::GpuTarget &target)
    : Object(type), owner(instance), gpuTarget(target), supportedFeatures(makeFeatures(target)),
      core(makeCore(target, supportedFeatures)), memory(makeMemory()) {
  extended = makeProperties(target, memory.memoryHeaps[0].size);
  const std::string build = compilerIdentity();
  makeUuid(core.pipelineCacheUUID, "pipeline cache " + build + target.name.str());
  makeUuid(extended.driverUUID, "driver " + build);
  makeUuid(extended.shaderBinaryUUID, "shader binary " + build + target.name.str());
  extended.pipelineBinaryPrecompiledInternalCache =
      !instance.environment().disk.readOnlyFiles.empty();
  // Why nothing else: the same SPIR-V has the same identifier in every build and on every GPU.
  makeUuid(extended.shaderModuleIdentifierAlgorithmUUID, "XXH3-128 of SPIR-V");
  makeUuid(extended.optimalTilingLayoutUUID, "linear images");
  // Why not the build: the device is the same whatever the driver.
  makeUuid(extended.deviceUUID, "kiln device " + target.name.str());
}

PhysicalDevice::~PhysicalDevice() = default;

bool PhysicalDevice::hasExtension(Extension extension) const {
  // Where the extension is, Vulkan wants the feature to be too.
  if (extension == Extension::EXT_shader_float8)
    return supportedFeatures.shaderFloat8;
  if (extension == Extension::EXT_external_memory_dma_buf)
    return owner.udmabuf().exists();
  if (extension == Extension::KHR_fragment_shader_barycentric)
    return supportedFeatures.fragmentShaderBarycentric;
  if (extension == Extension::KHR_fragment_shading_rate)
    return supportedFeatures.pipelineFragmentShadingRate;
  if (extension == Extension::EXT_mesh_shader)
    return supportedFeatures.meshShader;
  if (extension == Extension::EXT_ycbcr_2plane_444_formats)
    return supportedFeatures.ycbcr2plane444Formats;
  if (extension == Extension::AMD_shader_explicit_vertex_parameter)
    return supportedFeatures.fragmentShaderBarycentric;
  if (extension == Extension::AMD_texture_gather_bias_lod) // later ones have none with offsets
    return gpuTarget.major < 11;
  return true;
}

bool PhysicalDevice::takeMemory(VkDeviceSize bytes) {
  VkDeviceSize used = usedMemory;
  do {
    if (bytes > memory.memoryHeaps[0].size - used)
      return false;
  } while (!usedMemory.compare_exchange_weak(used, used + bytes));
  return true;
}

} // namespace icd
