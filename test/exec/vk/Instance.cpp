//===- Instance.cpp - Vulkan through the ordinary loader ------------------===//
// SPDX-License-Identifier: MIT
#include "Instance.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace exec {

Error check(VkResult result, const char *function) {
  return result >= 0 ? Error::success()
                     : failure(Twine(function) + ": " + vulkan::resultName(result));
}

bool PhysicalDevice::isCpuReference() const {
  return StringRef(properties.deviceName).starts_with("llvmpipe");
}

bool PhysicalDevice::isKiln() const {
  return StringRef(properties.deviceName).starts_with("Kiln ");
}

bool PhysicalDevice::hasExtension(StringRef name) const {
  return llvm::is_contained(extensions, name);
}

namespace {

/// What Debian 12's layer says about extensions that are younger than itself, and of captured
/// handles, where it forgets the groups of pipeline libraries; no finding.
bool showsAgeOfLayer(StringRef message) {
  return message.contains("is not supported by this layer") ||
         message.contains("chain includes a structure with unknown VkStructureType") ||
         message.contains("A SPIR-V Capability (Unhandled OpCapability) was declared") ||
         message.contains("VUID-VkShaderModuleCreateInfo-pCode-04146") ||
         message.contains(
             "VUID-vkGetRayTracingCaptureReplayShaderGroupHandlesKHR-firstGroup-03483");
}

/// It takes what it does not know out of the structures that it copies, or complains of what these
/// allow.
constexpr StringRef lostInLayer[] = {"VK_EXT_depth_clamp_control", "VK_EXT_image_sliced_view_of_3d",
                                     "VK_EXT_vertex_attribute_robustness"};

} // namespace

Expected<std::unique_ptr<Instance>> Instance::create(bool validation) {
  std::unique_ptr<Instance> instance(new Instance());
  if (Error error = instance->open(validation))
    return failure(lgc::consumeToText(std::move(error)).message);
  return instance;
}

Error Instance::open(bool validation) {
  auto getProc = KILN_TRY(vulkan::openLoader());
  vulkan::InstanceOptions options = {.program = "kiln-exec"};
  if (validation) {
    options.layers = {"VK_LAYER_KHRONOS_validation"};
    // Remarks of the loader about its search are of no interest here, nor is advice on speed:
    // images stay in the general layout here.
    options.onMessage = [this](const vulkan::Message &message) {
      if (message.isValidation && !showsAgeOfLayer(message.text))
        log.push_back(message.text.str());
    };
  }
  instance = KILN_TRY(vulkan::Instance::create(getProc, std::move(options)));
  functions.getInstanceProcAddr = getProc;
#define VK_INSTANCE(name) functions.name = instance->get<PFN_vk##name>("vk" #name);
#include "Functions.def"
  for (VkPhysicalDevice physical : instance->devices())
    physicalDevices.push_back(describe(physical));
  if (validation)
    for (PhysicalDevice &device : physicalDevices)
      llvm::erase_if(device.extensions, [](StringRef extension) {
        return llvm::is_contained(lostInLayer, extension);
      });
  return Error::success();
}

PhysicalDevice Instance::describe(VkPhysicalDevice physical) const {
  PhysicalDevice device;
  device.handle = physical;
  device.subgroupSizes.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES;
  device.subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
  device.subgroup.pNext = &device.subgroupSizes;
  device.v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES;
  device.subgroupSizes.pNext = &device.v12;
  VkPhysicalDeviceProperties2 properties = {};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &device.subgroup;
  functions.GetPhysicalDeviceProperties2(physical, &properties);
  device.properties = properties.properties;
  device.subgroup.pNext = device.subgroupSizes.pNext = nullptr;
  device.extensions = instance->extensionsOf(physical);
  return device;
}

} // namespace exec
