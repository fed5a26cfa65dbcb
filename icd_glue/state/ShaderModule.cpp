//===- ShaderModule.cpp - VkShaderModule ----------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/state/ShaderModule.h"
#include "icd_glue/context/CreationObserver.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/state/KnownModules.h"
#include "icd_glue/state/StageKey.h"

namespace icd {

ParsedModule parseModule(const Device &device, const VkShaderModuleCreateInfo &info) {
  ParsedModule parsed;
  parsed.spirvBytes = info.codeSize;
  parsed.hash = moduleHashOf(info);
  auto module = device.compiler().buildShaderModule(
      {reinterpret_cast<const uint8_t *>(info.pCode), info.codeSize});
  if (module)
    parsed.module = std::move(*module);
  else
    parsed.error = llvm::toString(module.takeError());
  return parsed;
}

VKAPI_ATTR VkResult VKAPI_CALL CreateShaderModule(VkDevice deviceHandle,
                                                  const VkShaderModuleCreateInfo *info,
                                                  const VkAllocationCallbacks *allocator,
                                                  VkShaderModule *shaderModule) {
  auto *device = fromHandle<Device>(deviceHandle);
  auto *made = device->create<ShaderModule>(allocator, parseModule(*device, *info));
  *shaderModule = toHandle(made);
  if (!made)
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  if (!made->parsed.error.empty()) {
    device->reportWarning("KILN-shader-module", made->parsed.error, made);
    return VK_SUCCESS;
  }
  if (device->features().shaderModuleIdentifier)
    device->knownModules().add(made->parsed);
  if (CreationObserver *observer = device->observer())
    observer->moduleCreated(*made);
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL DestroyShaderModule(VkDevice deviceHandle, VkShaderModule handle,
                                               const VkAllocationCallbacks *allocator) {
  auto *device = fromHandle<Device>(deviceHandle);
  auto *shaderModule = fromHandle<ShaderModule>(handle);
  if (CreationObserver *observer = device->observer(); observer && shaderModule)
    observer->moduleDestroyed(*shaderModule);
  if (shaderModule && shaderModule->parsed.error.empty() &&
      device->features().shaderModuleIdentifier)
    device->knownModules().remove(shaderModule->parsed.hash);
  device->destroy(shaderModule, allocator);
}

} // namespace icd
