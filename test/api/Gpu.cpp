//===- Gpu.cpp - a Vulkan device for tests of the API ---------------------===//
// SPDX-License-Identifier: MIT
#include "Gpu.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

namespace api {
namespace {

PFN_vkGetInstanceProcAddr loader() {
  static const auto function = [] {
    auto opened = vulkan::openLoader();
    if (opened)
      return *opened;
    std::fprintf(stderr, "%s: run ./kiln setup\n", llvm::toString(opened.takeError()).c_str());
    std::exit(1);
  }();
  return function;
}

/// Everything that the tests need, where the device has it.
struct Features {
  VkPhysicalDeviceFeatures2 core = {};
  VkPhysicalDeviceVulkan11Features v11 = {};
  VkPhysicalDeviceVulkan12Features v12 = {};
  VkPhysicalDeviceVulkan13Features v13 = {};
  VkPhysicalDeviceRobustness2FeaturesEXT robustness2 = {};
  VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT mutableType = {};
  VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptorBuffer = {};
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables = {};
  VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries = {};
  VkPhysicalDeviceShaderModuleIdentifierFeaturesEXT identifiers = {};
  VkPhysicalDeviceMaintenance5FeaturesKHR maintenance5 = {};
  VkPhysicalDevicePipelineBinaryFeaturesKHR binaries = {};
  VkPhysicalDeviceShaderObjectFeaturesEXT shaderObject = {};
  VkPhysicalDeviceDynamicRenderingLocalReadFeatures localRead = {};
  VkPhysicalDeviceHostImageCopyFeatures hostCopy = {};
  VkPhysicalDeviceDynamicRenderingUnusedAttachmentsFeaturesEXT unusedAttachments = {};
  VkPhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT feedbackLoop = {};
  VkPhysicalDeviceNestedCommandBufferFeaturesEXT nested = {};
  VkPhysicalDeviceDepthBiasControlFeaturesEXT depthBias = {};
  VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional = {};
  VkPhysicalDevicePresentIdFeaturesKHR presentId = {};
  VkPhysicalDevicePresentWaitFeaturesKHR presentWait = {};
  VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT dynamicInput = {};
  VkPhysicalDeviceYcbcrImageArraysFeaturesEXT ycbcrArrays = {};
  VkPhysicalDeviceSwapchainMaintenance1FeaturesEXT swapchains = {};
  VkPhysicalDeviceAccelerationStructureFeaturesKHR acceleration = {};
  VkPhysicalDeviceRayTracingPipelineFeaturesKHR rayPipelines = {};
  VkPhysicalDeviceRayQueryFeaturesKHR rayQueries = {};
  VkPhysicalDeviceRayTracingMaintenance1FeaturesKHR rayMaintenance1 = {};
  VkPhysicalDevicePipelineLibraryGroupHandlesFeaturesEXT groupHandles = {};

  template <typename T> void link(T &link, VkStructureType type) {
    link.sType = type;
    link.pNext = core.pNext;
    core.pNext = &link;
  }
};

constexpr const char *wantedExtensions[] = {
    VK_EXT_ROBUSTNESS_2_EXTENSION_NAME,
    VK_EXT_MESH_SHADER_EXTENSION_NAME,
    VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME,
    VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME,
    VK_EXT_EXTENDED_DYNAMIC_STATE_2_EXTENSION_NAME,
    VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME,
    VK_EXT_CONSERVATIVE_RASTERIZATION_EXTENSION_NAME,
    VK_EXT_SAMPLE_LOCATIONS_EXTENSION_NAME,
    VK_EXT_MULTI_DRAW_EXTENSION_NAME,
    VK_EXT_COLOR_WRITE_ENABLE_EXTENSION_NAME,
    VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME,
    VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME,
    VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME,
    VK_AMD_PIPELINE_COMPILER_CONTROL_EXTENSION_NAME,
    VK_AMD_RASTERIZATION_ORDER_EXTENSION_NAME,
    VK_AMD_SHADER_CORE_PROPERTIES_EXTENSION_NAME,
    VK_AMD_SHADER_CORE_PROPERTIES_2_EXTENSION_NAME,
    VK_AMD_SHADER_INFO_EXTENSION_NAME,
    VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME,
    VK_EXT_DISCARD_RECTANGLES_EXTENSION_NAME,
    VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME,
    VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME,
    VK_EXT_DEBUG_MARKER_EXTENSION_NAME,
    VK_EXT_IMAGE_COMPRESSION_CONTROL_EXTENSION_NAME,
    VK_EXT_IMAGE_DRM_FORMAT_MODIFIER_EXTENSION_NAME,
    VK_EXT_PHYSICAL_DEVICE_DRM_EXTENSION_NAME,
    VK_EXT_SWAPCHAIN_MAINTENANCE_1_EXTENSION_NAME,
    VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
    VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME,
    VK_KHR_EXTERNAL_FENCE_FD_EXTENSION_NAME,
    VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME,
    VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME,
    VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME,
    VK_EXT_YCBCR_IMAGE_ARRAYS_EXTENSION_NAME,
    VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME,
    VK_KHR_PRESENT_ID_EXTENSION_NAME,
    VK_KHR_PRESENT_WAIT_EXTENSION_NAME,
    VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME,
    VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME,
    VK_KHR_RAY_QUERY_EXTENSION_NAME,
    VK_KHR_RAY_TRACING_MAINTENANCE_1_EXTENSION_NAME,
    VK_KHR_SWAPCHAIN_EXTENSION_NAME,
    VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
    VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME,
    VK_EXT_SHADER_MODULE_IDENTIFIER_EXTENSION_NAME,
    VK_EXT_DEVICE_ADDRESS_BINDING_REPORT_EXTENSION_NAME,
    VK_EXT_DEVICE_MEMORY_REPORT_EXTENSION_NAME,
    VK_GOOGLE_DISPLAY_TIMING_EXTENSION_NAME,
    VK_EXT_IMAGE_COMPRESSION_CONTROL_SWAPCHAIN_EXTENSION_NAME,
    VK_VALVE_DESCRIPTOR_SET_HOST_MAPPING_EXTENSION_NAME};
/// Those that validation layers before 1.3.294 do not know.
constexpr const char *newExtensions[] = {VK_EXT_PIPELINE_LIBRARY_GROUP_HANDLES_EXTENSION_NAME,
                                         VK_KHR_MAINTENANCE_5_EXTENSION_NAME,
                                         VK_KHR_PIPELINE_BINARY_EXTENSION_NAME,
                                         VK_KHR_MAP_MEMORY_2_EXTENSION_NAME,
                                         VK_EXT_MAP_MEMORY_PLACED_EXTENSION_NAME,
                                         VK_EXT_LEGACY_VERTEX_ATTRIBUTES_EXTENSION_NAME,
                                         VK_KHR_MAINTENANCE_8_EXTENSION_NAME,
                                         VK_EXT_SHADER_OBJECT_EXTENSION_NAME,
                                         VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME,
                                         VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME,
                                         VK_EXT_HOST_IMAGE_COPY_EXTENSION_NAME,
                                         VK_EXT_DYNAMIC_RENDERING_UNUSED_ATTACHMENTS_EXTENSION_NAME,
                                         VK_EXT_ATTACHMENT_FEEDBACK_LOOP_LAYOUT_EXTENSION_NAME,
                                         VK_EXT_NESTED_COMMAND_BUFFER_EXTENSION_NAME,
                                         VK_EXT_DEPTH_BIAS_CONTROL_EXTENSION_NAME,
                                         VK_AMD_BUFFER_MARKER_EXTENSION_NAME,
                                         VK_AMD_DEVICE_COHERENT_MEMORY_EXTENSION_NAME,
                                         VK_MESA_IMAGE_ALIGNMENT_CONTROL_EXTENSION_NAME,
                                         VK_KHR_MAINTENANCE_9_EXTENSION_NAME,
                                         VK_KHR_MAINTENANCE_10_EXTENSION_NAME,
                                         VK_KHR_MAINTENANCE_11_EXTENSION_NAME,
                                         VK_EXT_PRIMITIVE_RESTART_INDEX_EXTENSION_NAME,
                                         VK_KHR_COPY_MEMORY_INDIRECT_EXTENSION_NAME,
                                         VK_KHR_DEVICE_ADDRESS_COMMANDS_EXTENSION_NAME,
                                         VK_KHR_EXTENDED_FLAGS_EXTENSION_NAME,
                                         VK_EXT_CUSTOM_RESOLVE_EXTENSION_NAME,
                                         VK_KHR_PRESENT_ID_2_EXTENSION_NAME,
                                         VK_KHR_PRESENT_WAIT_2_EXTENSION_NAME,
                                         VK_EXT_PRESENT_TIMING_EXTENSION_NAME,
                                         VK_KHR_CALIBRATED_TIMESTAMPS_EXTENSION_NAME,
                                         VK_KHR_UNIFIED_IMAGE_LAYOUTS_EXTENSION_NAME,
                                         VK_KHR_INTERNALLY_SYNCHRONIZED_QUEUES_EXTENSION_NAME,
                                         VK_EXT_ZERO_INITIALIZE_DEVICE_MEMORY_EXTENSION_NAME,
                                         VK_AMD_DRAW_INDIRECT_COUNT_EXTENSION_NAME};

/// The features of extensions that are enabled.
void linkExtensions(Features &features, const Gpu &gpu) {
  auto with = [&](const char *extension, auto &member, VkStructureType type) {
    if (gpu.hasExtension(extension))
      features.link(member, type);
  };
  with(VK_EXT_ROBUSTNESS_2_EXTENSION_NAME, features.robustness2,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT);
  with(VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME, features.mutableType,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT);
  with(VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME, features.descriptorBuffer,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT);
  with(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME, features.executables,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR);
  with(VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME, features.libraries,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT);
  with(VK_EXT_SHADER_MODULE_IDENTIFIER_EXTENSION_NAME, features.identifiers,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MODULE_IDENTIFIER_FEATURES_EXT);
  with(VK_KHR_MAINTENANCE_5_EXTENSION_NAME, features.maintenance5,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES_KHR);
  with(VK_KHR_PIPELINE_BINARY_EXTENSION_NAME, features.binaries,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_FEATURES_KHR);
  with(VK_EXT_SHADER_OBJECT_EXTENSION_NAME, features.shaderObject,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT);
  with(VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME, features.localRead,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES);
  with(VK_EXT_HOST_IMAGE_COPY_EXTENSION_NAME, features.hostCopy,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_FEATURES);
  with(VK_EXT_DYNAMIC_RENDERING_UNUSED_ATTACHMENTS_EXTENSION_NAME, features.unusedAttachments,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_UNUSED_ATTACHMENTS_FEATURES_EXT);
  with(VK_EXT_ATTACHMENT_FEEDBACK_LOOP_LAYOUT_EXTENSION_NAME, features.feedbackLoop,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ATTACHMENT_FEEDBACK_LOOP_LAYOUT_FEATURES_EXT);
  with(VK_EXT_NESTED_COMMAND_BUFFER_EXTENSION_NAME, features.nested,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NESTED_COMMAND_BUFFER_FEATURES_EXT);
  with(VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME, features.conditional,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT);
  with(VK_KHR_PRESENT_ID_EXTENSION_NAME, features.presentId,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_FEATURES_KHR);
  with(VK_KHR_PRESENT_WAIT_EXTENSION_NAME, features.presentWait,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_WAIT_FEATURES_KHR);
  with(VK_EXT_SWAPCHAIN_MAINTENANCE_1_EXTENSION_NAME, features.swapchains,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SWAPCHAIN_MAINTENANCE_1_FEATURES_EXT);
  with(VK_EXT_YCBCR_IMAGE_ARRAYS_EXTENSION_NAME, features.ycbcrArrays,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_YCBCR_IMAGE_ARRAYS_FEATURES_EXT);
  with(VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME, features.dynamicInput,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT);
  with(VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME, features.acceleration,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR);
  with(VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME, features.rayPipelines,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR);
  with(VK_KHR_RAY_QUERY_EXTENSION_NAME, features.rayQueries,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR);
  with(VK_KHR_RAY_TRACING_MAINTENANCE_1_EXTENSION_NAME, features.rayMaintenance1,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_MAINTENANCE_1_FEATURES_KHR);
  with(VK_EXT_PIPELINE_LIBRARY_GROUP_HANDLES_EXTENSION_NAME, features.groupHandles,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_LIBRARY_GROUP_HANDLES_FEATURES_EXT);
  with(VK_EXT_DEPTH_BIAS_CONTROL_EXTENSION_NAME, features.depthBias,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_BIAS_CONTROL_FEATURES_EXT);
}

/// Is there a validation layer that does not know the new extensions?
bool hasOldLayer() {
  if (!std::getenv("VK_INSTANCE_LAYERS"))
    return false;
  auto list = reinterpret_cast<PFN_vkEnumerateInstanceLayerProperties>(
      loader()(VK_NULL_HANDLE, "vkEnumerateInstanceLayerProperties"));
  uint32_t count = 0;
  list(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  list(&count, layers.data());
  return std::any_of(layers.begin(), layers.end(), [](const VkLayerProperties &layer) {
    return std::strcmp(layer.layerName, "VK_LAYER_KHRONOS_validation") == 0 &&
           layer.specVersion < VK_MAKE_API_VERSION(0, 1, 3, 294);
  });
}

} // namespace

void Gpu::createInstance() {
  // Our driver's own messages are no verdict on the test; its errors tell why a call failed.
  auto count = [this](const vulkan::Message &message) {
    if (message.isValidation || message.isError)
      std::fprintf(stderr, "%s\n", message.text.str().c_str());
    validationMessages += message.isValidation;
  };
  auto created = vulkan::Instance::create(
      loader(),
      {.program = "kiln-api-tests",
       .extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME,
                      VK_KHR_XCB_SURFACE_EXTENSION_NAME, VK_KHR_XLIB_SURFACE_EXTENSION_NAME,
                      VK_KHR_GET_SURFACE_CAPABILITIES_2_EXTENSION_NAME,
                      VK_EXT_DEBUG_REPORT_EXTENSION_NAME,
                      VK_EXT_SURFACE_MAINTENANCE_1_EXTENSION_NAME},
       .onMessage = count});
  if (!created) {
    std::fprintf(stderr, "%s\n", llvm::toString(created.takeError()).c_str());
    std::exit(1);
  }
  instanceOwner = std::move(*created);
  instance = instanceOwner->handle();
#define API_FUNCTION(name) vk.name = instanceOwner->get<PFN_vk##name>("vk" #name);
#include "Functions.def"
}

void Gpu::createDevice(void *deviceNext, bool isRobust) {
  const std::vector<std::string> available = availableExtensions();
  std::vector<const char *> enabled;
  std::vector<const char *> allWanted(std::begin(wantedExtensions), std::end(wantedExtensions));
  if (!hasOldLayer())
    allWanted.insert(allWanted.end(), std::begin(newExtensions), std::end(newExtensions));
  for (const char *wanted : allWanted)
    if (llvm::is_contained(available, wanted)) {
      enabled.push_back(wanted);
      extensions.push_back(wanted);
    }
  Features features;
  features.core.pNext = deviceNext;
  features.core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.link(features.v11, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
  features.link(features.v12, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  features.link(features.v13, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
  linkExtensions(features, *this);
  vk.GetPhysicalDeviceFeatures2(physicalDevice, &features.core);
  for (VkBool32 *robust :
       {&features.core.features.robustBufferAccess, &features.robustness2.robustBufferAccess2,
        &features.robustness2.robustImageAccess2, &features.v13.robustImageAccess})
    *robust &= isRobust;
  float priority = 1;
  VkDeviceQueueCreateInfo queueInfo = {};
  queueInfo.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queueInfo.queueCount = 1;
  queueInfo.pQueuePriorities = &priority;
  VkDeviceCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = &features.core;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queueInfo;
  info.enabledExtensionCount = static_cast<uint32_t>(enabled.size());
  info.ppEnabledExtensionNames = enabled.data();
  VK_OK(vk.CreateDevice(physicalDevice, &info, nullptr, &device));
  vk.GetDeviceQueue(device, 0, 0, &queue);
  VkCommandPoolCreateInfo poolInfo = {};
  poolInfo.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  poolInfo.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  VK_OK(vk.CreateCommandPool(device, &poolInfo, nullptr, &commandPool));
}

Gpu::Gpu(unsigned index, void *deviceNext, bool isRobust) {
  createInstance();
  physicalDevice = instanceOwner->devices()[index];
  vk.GetPhysicalDeviceProperties(physicalDevice, &properties);
  createDevice(deviceNext, isRobust);
}

Gpu::~Gpu() {
  if (canExecute()) // others have nothing to wait for, and may crash
    vk.DeviceWaitIdle(device);
  std::reverse(destroyers.begin(), destroyers.end());
  for (const auto &destroy : destroyers)
    destroy();
  vk.DestroyCommandPool(device, commandPool, nullptr);
  vk.DestroyDevice(device, nullptr);
}

static std::vector<std::string> findDeviceNames() {
  auto instance = vulkan::Instance::create(loader(), {.program = "kiln-api-tests"});
  if (!instance) {
    llvm::consumeError(instance.takeError());
    return {};
  }
  auto propertiesOf =
      (*instance)->get<PFN_vkGetPhysicalDeviceProperties>("vkGetPhysicalDeviceProperties");
  std::vector<std::string> names;
  for (VkPhysicalDevice physicalDevice : (*instance)->devices()) {
    VkPhysicalDeviceProperties properties;
    propertiesOf(physicalDevice, &properties);
    std::string name;
    for (const char *c = properties.deviceName; *c && *c != '('; ++c)
      if (std::isalnum(static_cast<unsigned char>(*c)))
        name += *c;
    names.push_back(name);
  }
  return names;
}

std::vector<std::string> Gpu::deviceNames() {
  static const std::vector<std::string> names = findDeviceNames();
  return names;
}

bool Gpu::canExecute() const {
  VkPhysicalDeviceMemoryProperties memory;
  vk.GetPhysicalDeviceMemoryProperties(physicalDevice, &memory);
  return std::any_of(memory.memoryTypes, memory.memoryTypes + memory.memoryTypeCount,
                     [](const VkMemoryType &type) {
                       return type.propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
                     });
}

bool Gpu::hasExtension(const std::string &name) const {
  return std::find(extensions.begin(), extensions.end(), name) != extensions.end();
}

std::vector<std::string> Gpu::availableExtensions() const {
  return instanceOwner->extensionsOf(physicalDevice);
}

//===--- Commands ---------------------------------------------------------===//

VkCommandBuffer Gpu::commands(VkCommandBufferLevel level) {
  VkCommandBufferAllocateInfo allocate = {};
  allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocate.commandPool = commandPool;
  allocate.level = level;
  allocate.commandBufferCount = 1;
  VkCommandBuffer made = VK_NULL_HANDLE;
  VK_OK(vk.AllocateCommandBuffers(device, &allocate, &made));
  return made;
}

VkCommandBuffer Gpu::begin(VkCommandBufferLevel level, VkCommandBufferUsageFlags flags) {
  VkCommandBuffer made = commands(level);
  VkCommandBufferInheritanceInfo inheritance = {};
  inheritance.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO;
  VkCommandBufferBeginInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  info.flags = flags;
  info.pInheritanceInfo = &inheritance;
  VK_OK(vk.BeginCommandBuffer(made, &info));
  return made;
}

void Gpu::barrier(VkCommandBuffer commandBuffer) {
  VkMemoryBarrier barrier = {};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  vk.CmdPipelineBarrier(commandBuffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

void Gpu::readBack(VkCommandBuffer commandBuffer, const Image &image, const Buffer &to,
                   uint32_t side, uint32_t layers) {
  barrier(commandBuffer);
  VkBufferImageCopy region = {};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, layers};
  region.imageExtent = {side, side, 1};
  vk.CmdCopyImageToBuffer(commandBuffer, image.handle, VK_IMAGE_LAYOUT_GENERAL, to.handle, 1,
                          &region);
  barrier(commandBuffer);
}

VkResult Gpu::submit(VkCommandBuffer commandBuffer) {
  VkSubmitInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commandBuffer;
  return vk.QueueSubmit(queue, 1, &info, VK_NULL_HANDLE);
}

VkResult Gpu::finish(VkCommandBuffer commandBuffer) {
  VK_OK(vk.EndCommandBuffer(commandBuffer));
  VkResult result = submit(commandBuffer);
  return result == VK_SUCCESS ? vk.QueueWaitIdle(queue) : result;
}

void Gpu::run(const std::function<void(VkCommandBuffer)> &record) {
  VkCommandBuffer commandBuffer = begin();
  record(commandBuffer);
  VK_OK(finish(commandBuffer));
}

} // namespace api
