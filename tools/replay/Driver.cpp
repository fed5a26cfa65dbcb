//===- Driver.cpp - a Vulkan driver and its devices -----------------------===//
// SPDX-License-Identifier: MIT
#include "Driver.h"
#include "Capture.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace replay {

Expected<std::unique_ptr<Driver>> Driver::open(const std::string &library) {
  auto getProc = KILN_TRY(library == "loader" ? vulkan::openLoader() : vulkan::openDriver(library));
  return open(getProc);
}

Expected<std::unique_ptr<Driver>> Driver::open(PFN_vkGetInstanceProcAddr getProc,
                                               OnMessage onMessage) {
  auto instance = KILN_TRY(vulkan::Instance::create(
      getProc, {.program = "kiln-replay", .onMessage = std::move(onMessage)}));
  if (instance->devices().empty())
    return lgc::limitExceeded("the driver offers no device");
  return std::unique_ptr<Driver>(new Driver(std::move(instance)));
}

VkPhysicalDeviceProperties Driver::properties(size_t index) const {
  VkPhysicalDeviceProperties properties = {};
  instance->get<PFN_vkGetPhysicalDeviceProperties>("vkGetPhysicalDeviceProperties")(
      devices()[index], &properties);
  return properties;
}

VkFormatProperties Driver::formatProperties(size_t index, VkFormat format) const {
  VkFormatProperties properties = {};
  instance->get<PFN_vkGetPhysicalDeviceFormatProperties>("vkGetPhysicalDeviceFormatProperties")(
      devices()[index], format, &properties);
  return properties;
}

VkPhysicalDeviceMemoryProperties Driver::memoryProperties(size_t index) const {
  VkPhysicalDeviceMemoryProperties properties = {};
  instance->get<PFN_vkGetPhysicalDeviceMemoryProperties>("vkGetPhysicalDeviceMemoryProperties")(
      devices()[index], &properties);
  return properties;
}

std::string Driver::deviceName(size_t index) const { return properties(index).deviceName; }

namespace {

/// Every feature structure that replaying needs, linked where the device has its extension.
struct FeatureChain {
  VkPhysicalDeviceFeatures2 core = {};
  VkPhysicalDeviceVulkan11Features v11 = {};
  VkPhysicalDeviceVulkan12Features v12 = {};
  VkPhysicalDeviceVulkan13Features v13 = {};
  VkPhysicalDeviceRobustness2FeaturesEXT robustness2 = {};
  VkPhysicalDevicePipelineRobustnessFeaturesEXT pipelineRobustness = {};
  VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR reconvergence = {};
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables = {};
  VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries = {};
  VkPhysicalDeviceExtendedDynamicState2FeaturesEXT dynamic2 = {};
  VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic3 = {};
  VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT dynamicInput = {};
  VkPhysicalDeviceMaintenance5FeaturesKHR maintenance5 = {};
  VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT primitivesGenerated = {};
  VkPhysicalDeviceShaderModuleIdentifierFeaturesEXT identifiers = {};
  VkPhysicalDevicePipelineBinaryFeaturesKHR binaries = {};
  VkPhysicalDeviceMeshShaderFeaturesEXT mesh = {};
  VkPhysicalDeviceTransformFeedbackFeaturesEXT transformFeedback = {};
  VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {};
  VkPhysicalDeviceRayQueryFeaturesKHR queries = {};
  VkPhysicalDeviceRayTracingPipelineFeaturesKHR rays = {};
  VkPhysicalDeviceRayTracingMaintenance1FeaturesKHR raysMaintenance = {};
  VkPhysicalDeviceRayTracingPositionFetchFeaturesKHR positionFetch = {};
  std::vector<const char *> extensions;

  /// \p apiVersion: of the device; what is core needs no extension.
  FeatureChain(ArrayRef<std::string> offered, uint32_t apiVersion) {
    core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    link(v11, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
    link(v12, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    link(v13, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
    if (enable(offered, VK_EXT_ROBUSTNESS_2_EXTENSION_NAME))
      link(robustness2, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT);
    if (enable(offered, VK_EXT_PIPELINE_ROBUSTNESS_EXTENSION_NAME) ||
        apiVersion >= VK_MAKE_API_VERSION(0, 1, 4, 0))
      link(pipelineRobustness, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT);
    if (enable(offered, VK_KHR_SHADER_MAXIMAL_RECONVERGENCE_EXTENSION_NAME))
      link(reconvergence,
           VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MAXIMAL_RECONVERGENCE_FEATURES_KHR);
    if (enable(offered, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME))
      link(executables,
           VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR);
    if (enable(offered, VK_KHR_MAINTENANCE_5_EXTENSION_NAME))
      link(maintenance5, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES_KHR);
    if (enable(offered, VK_EXT_PRIMITIVES_GENERATED_QUERY_EXTENSION_NAME))
      link(primitivesGenerated,
           VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT);
    if (enable(offered, VK_EXT_SHADER_MODULE_IDENTIFIER_EXTENSION_NAME))
      link(identifiers, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MODULE_IDENTIFIER_FEATURES_EXT);
    if (enable(offered, VK_KHR_PIPELINE_BINARY_EXTENSION_NAME))
      link(binaries, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_FEATURES_KHR);
    const bool hasLibraries = enable(offered, VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME);
    if (hasLibraries && enable(offered, VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME))
      link(libraries, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT);
    if (enable(offered, VK_EXT_EXTENDED_DYNAMIC_STATE_2_EXTENSION_NAME))
      link(dynamic2, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT);
    if (enable(offered, VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME))
      link(dynamic3, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT);
    if (enable(offered, VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME))
      link(dynamicInput, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT);
    if (enable(offered, VK_EXT_MESH_SHADER_EXTENSION_NAME))
      link(mesh, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT);
    if (enable(offered, VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME))
      link(transformFeedback, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT);
    linkRays(offered);
    // Without feature structures.
    for (const char *name : {"VK_EXT_shader_subgroup_ballot", "VK_EXT_shader_subgroup_vote",
                             "VK_EXT_shader_stencil_export", "VK_EXT_shader_viewport_index_layer"})
      enable(offered, name);
  }

  /// Robustness is the program's choice, and so is what costs code.
  VkBool32 *special(StringRef name) {
    if (name == "robustBufferAccess")
      return &core.features.robustBufferAccess;
    if (name == "robustImageAccess")
      return &v13.robustImageAccess;
    if (name == "robustBufferAccess2")
      return &robustness2.robustBufferAccess2;
    if (name == "robustImageAccess2")
      return &robustness2.robustImageAccess2;
    if (name == "nullDescriptor")
      return &robustness2.nullDescriptor;
    if (name == "primitivesGeneratedQuery")
      return &primitivesGenerated.primitivesGeneratedQuery;
    return nullptr;
  }

private:
  void linkRays(ArrayRef<std::string> offered) {
    if (!enable(offered, VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME) ||
        !enable(offered, VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME))
      return;
    link(structures, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR);
    if (enable(offered, VK_KHR_RAY_QUERY_EXTENSION_NAME))
      link(queries, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR);
    if (enable(offered, VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME))
      link(rays, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR);
    if (enable(offered, VK_KHR_RAY_TRACING_MAINTENANCE_1_EXTENSION_NAME))
      link(raysMaintenance,
           VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_MAINTENANCE_1_FEATURES_KHR);
    if (enable(offered, VK_KHR_RAY_TRACING_POSITION_FETCH_EXTENSION_NAME))
      link(positionFetch,
           VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_POSITION_FETCH_FEATURES_KHR);
  }
  template <typename T> void link(T &structure, VkStructureType type) {
    structure.sType = type;
    structure.pNext = core.pNext;
    core.pNext = &structure;
  }
  bool enable(ArrayRef<std::string> offered, const char *name) {
    if (!llvm::is_contained(offered, name))
      return false;
    extensions.push_back(name);
    return true;
  }
};

/// What no other extension has enabled that it needs (fragment shading rates of mesh shaders).
void dropDependent(VkPhysicalDeviceMeshShaderFeaturesEXT &mesh) {
  mesh.primitiveFragmentShadingRateMeshShader = VK_FALSE;
}

} // namespace

Expected<std::unique_ptr<Device>> Device::create(const Driver &driver, size_t index,
                                                 ArrayRef<std::string> features) {
  std::unique_ptr<Device> device(new Device());
  KILN_TRY(device->open(driver, driver.devices()[index], features));
  return device;
}

Error Device::open(const Driver &driver, VkPhysicalDevice physical,
                   ArrayRef<std::string> features) {
  VkPhysicalDeviceProperties properties = {};
  driver.instance->get<PFN_vkGetPhysicalDeviceProperties>("vkGetPhysicalDeviceProperties")(
      physical, &properties);
  FeatureChain chain(driver.instance->extensionsOf(physical), properties.apiVersion);
  driver.instance->get<PFN_vkGetPhysicalDeviceFeatures2>("vkGetPhysicalDeviceFeatures2")(
      physical, &chain.core);
  dropDependent(chain.mesh);
  for (const char *name : codeFeatures()) {
    VkBool32 *flag = chain.special(name);
    bool wanted = llvm::is_contained(features, StringRef(name));
    if (wanted && !*flag)
      missing.push_back(name);
    *flag = *flag && wanted;
  }
  hasPipelineRobustness = chain.pipelineRobustness.pipelineRobustness;
  hasLibraries = chain.libraries.graphicsPipelineLibrary;
  const float priority = 1;
  VkDeviceQueueCreateInfo queue = {};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = &chain.core;
  // A driver may offer devices that create pipelines, but execute nothing.
  uint32_t families = 0;
  driver.instance->get<PFN_vkGetPhysicalDeviceQueueFamilyProperties>(
      "vkGetPhysicalDeviceQueueFamilyProperties")(physical, &families, nullptr);
  info.queueCreateInfoCount = families ? 1 : 0;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = static_cast<uint32_t>(chain.extensions.size());
  info.ppEnabledExtensionNames = chain.extensions.data();
  auto create = driver.instance->get<PFN_vkCreateDevice>("vkCreateDevice");
  KILN_TRY(check(create(physical, &info, nullptr, &handle), "vkCreateDevice"));
  return loadFunctions(driver);
}

Error Device::loadFunctions(const Driver &driver) {
  getDeviceProc = driver.instance->get<PFN_vkGetDeviceProcAddr>("vkGetDeviceProcAddr");
#define X(name)                                                                                    \
  name = reinterpret_cast<PFN_vk##name>(function("vk" #name));                                     \
  if (!name)                                                                                       \
    return lgc::limitExceeded("the device has no function vk" #name);
  REPLAY_DEVICE_FUNCTIONS(X)
#undef X
#define X(name) name = reinterpret_cast<PFN_vk##name>(function("vk" #name));
  REPLAY_OPTIONAL_FUNCTIONS(X)
#undef X
  return Error::success();
}

Device::~Device() {
  if (handle && DestroyDevice)
    DestroyDevice(handle, nullptr);
}

} // namespace replay
