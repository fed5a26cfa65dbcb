//===- PipelineBinary.cpp - VkPipelineBinaryKHR ---------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/PipelineBinary.h"
#include "icd_glue/device/Device.h"
#include "icd_glue/key/KeyWriter.h"
#include "icd_glue/key/PipelineKey.h"
#include "icd_glue/pipeline/GraphicsState.h"
#include "icd_glue/pipeline/LibraryLink.h"
#include "icd_glue/pipeline/Pipeline.h"
#include "icd_glue/pipeline/PipelineCode.h"
#include "icd_glue/pipeline/PipelineCreation.h"
#include <algorithm>
#include <cstring>

namespace icd {
namespace {

using Code = std::shared_ptr<const CodeObject>;

void write(VkPipelineBinaryKeyKHR &to, const llpc::Hash128 &key) {
  const KeyBytes bytes = bytesOf(key);
  to.keySize = bytes.size();
  std::memset(to.key, 0, sizeof(to.key));
  std::memcpy(to.key, bytes.data(), bytes.size());
}

/// Nothing: no pipeline is described, or one of libraries, or one whose stages have neither SPIR-V
/// nor identifiers.
std::optional<llpc::Hash128> keyOf(Device &device, const VkPipelineCreateInfoKHR &info) {
  if (auto *compute = findInChain<VkComputePipelineCreateInfo>(
          info.pNext, VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO))
    return pipelineKeyOf(device, *compute, *layoutDataOf(compute->layout));
  auto *graphics = findInChain<VkGraphicsPipelineCreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);
  if (!graphics)
    return std::nullopt;
  const LibraryInfo library(*graphics, pipelineFlagsOf(graphics->flags, graphics->pNext));
  if (library.libraries)
    return std::nullopt;
  // Libraries without shaders may say anything of the layout.
  const bool hasShaders = library.own & (preRasterizationSubset | fragmentShaderSubset);
  const auto layout = layoutDataOf(hasShaders ? graphics->layout : VkPipelineLayout());
  const auto key =
      pipelineKeyOf(device, *graphics, graphicsStateOf(*graphics, library.own), *layout);
  if (!key || library.own == allSubsets)
    return key;
  KeyWriter ofLibrary("library", 1);
  ofLibrary.hash(*key);
  ofLibrary.u32(library.own);
  return ofLibrary.finish();
}

VkResult makeBinary(Device &device, const VkAllocationCallbacks *allocator, Code code,
                    const llpc::Hash128 &key, VkPipelineBinaryKHR &binary) {
  auto *made = device.create<PipelineBinary>(allocator, std::move(code), key);
  binary = toHandle(made);
  return made ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

/// One binary of code that is there.
VkResult makeOne(Device &device, const VkAllocationCallbacks *allocator, const Code &code,
                 VkPipelineBinaryHandlesInfoKHR &binaries) {
  if (!binaries.pPipelineBinaries) {
    binaries.pipelineBinaryCount = 1;
    return VK_SUCCESS;
  }
  if (!binaries.pipelineBinaryCount)
    return VK_INCOMPLETE;
  binaries.pipelineBinaryCount = 1;
  return makeBinary(device, allocator, code, contentHash(code->record()),
                    *binaries.pPipelineBinaries);
}

/// Code of data that must be what the key says.
llvm::Expected<Code> codeOfData(Device &device, const VkPipelineBinaryKeyKHR &key,
                                const VkPipelineBinaryDataKHR &data) {
  auto *bytes = static_cast<const uint8_t *>(data.pData);
  const llvm::ArrayRef<uint8_t> record(bytes, bytes ? data.dataSize : 0);
  if (key.keySize != sizeof(KeyBytes) || hashOf(key.key) != contentHash(record))
    return lgc::invalidInput("the data is not what its key says");
  return CodeObject::fromRecord(record.vec(), device.target());
}

VkResult makeFromData(Device &device, const VkAllocationCallbacks *allocator,
                      const VkPipelineBinaryKeysAndDataKHR &from,
                      VkPipelineBinaryHandlesInfoKHR &binaries) {
  if (!binaries.pPipelineBinaries) {
    binaries.pipelineBinaryCount = from.binaryCount;
    return VK_SUCCESS;
  }
  VkResult result = binaries.pipelineBinaryCount < from.binaryCount ? VK_INCOMPLETE : VK_SUCCESS;
  binaries.pipelineBinaryCount = std::min(binaries.pipelineBinaryCount, from.binaryCount);
  for (uint32_t i = 0; i < binaries.pipelineBinaryCount; ++i) {
    VkResult one = VK_ERROR_UNKNOWN;
    auto code = codeOfData(device, from.pPipelineBinaryKeys[i], from.pPipelineBinaryData[i]);
    if (code)
      one = makeBinary(device, allocator, std::move(*code), hashOf(from.pPipelineBinaryKeys[i].key),
                       binaries.pPipelineBinaries[i]);
    else
      device.reportError("KILN-pipeline-binary",
                         "vkCreatePipelineBinariesKHR: " + llvm::toString(code.takeError()));
    if (one < 0 && result >= 0)
      result = one; // the first one
  }
  return result;
}

} // namespace

const VkPipelineBinaryInfoKHR *pipelineBinariesOf(const void *next) {
  auto *info =
      findInChain<VkPipelineBinaryInfoKHR>(next, VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR);
  return info && info->binaryCount ? info : nullptr;
}

llvm::Expected<PipelineCode> codeOf(const VkPipelineBinaryInfoKHR &binaries,
                                    VkShaderStageFlags stages) {
  if (binaries.binaryCount != 1)
    return lgc::invalidInput("a pipeline has one binary, not " + llvm::Twine(binaries.binaryCount));
  const Code &code = fromHandle<PipelineBinary>(binaries.pPipelineBinaries[0])->code;
  if (code->stages() != stages)
    return lgc::invalidInput("the binary is one of a pipeline with other stages");
  return PipelineCode{code, nullptr};
}

VKAPI_ATTR VkResult VKAPI_CALL CreatePipelineBinariesKHR(VkDevice deviceHandle,
                                                         const VkPipelineBinaryCreateInfoKHR *info,
                                                         const VkAllocationCallbacks *allocator,
                                                         VkPipelineBinaryHandlesInfoKHR *binaries) {
  auto *device = fromHandle<Device>(deviceHandle);
  if (binaries->pPipelineBinaries)
    std::fill_n(binaries->pPipelineBinaries, binaries->pipelineBinaryCount,
                VkPipelineBinaryKHR(VK_NULL_HANDLE));
  if (info->pKeysAndDataInfo)
    return makeFromData(*device, allocator, *info->pKeysAndDataInfo, *binaries);
  if (auto *pipeline = fromHandle<Pipeline>(info->pipeline)) {
    if (!pipeline->hasCapturedData) {
      device->reportError("KILN-pipeline-binary",
                          "vkCreatePipelineBinariesKHR: the pipeline has captured no data, or "
                          "has released it",
                          pipeline);
      return VK_ERROR_INITIALIZATION_FAILED;
    }
    if (pipeline->data->kind == PipelineData::Kind::Library) {
      device->reportError("KILN-pipeline-binary",
                          "vkCreatePipelineBinariesKHR: binaries of libraries are not supported",
                          pipeline);
      return VK_ERROR_INITIALIZATION_FAILED;
    }
    const Code code = pipeline->data->sharedCode(*device);
    return code ? makeOne(*device, allocator, code, *binaries) : VK_ERROR_UNKNOWN;
  }
  Code code;
  if (info->pPipelineCreateInfo)
    code = findCode(*device, {keyOf(*device, *info->pPipelineCreateInfo), nullptr}).code;
  if (!code) {
    binaries->pipelineBinaryCount = 0;
    return VK_PIPELINE_BINARY_MISSING_KHR;
  }
  return makeOne(*device, allocator, code, *binaries);
}

VKAPI_ATTR void VKAPI_CALL DestroyPipelineBinaryKHR(VkDevice device, VkPipelineBinaryKHR binary,
                                                    const VkAllocationCallbacks *allocator) {
  fromHandle<Device>(device)->destroy(fromHandle<PipelineBinary>(binary), allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL GetPipelineKeyKHR(VkDevice deviceHandle,
                                                 const VkPipelineCreateInfoKHR *info,
                                                 VkPipelineBinaryKeyKHR *pipelineKey) {
  auto *device = fromHandle<Device>(deviceHandle);
  const std::optional<llpc::Hash128> key = info ? keyOf(*device, *info) : device->globalKey();
  pipelineKey->keySize = 0;
  if (!key)
    return VK_ERROR_INITIALIZATION_FAILED;
  write(*pipelineKey, *key);
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL GetPipelineBinaryDataKHR(VkDevice,
                                                        const VkPipelineBinaryDataInfoKHR *info,
                                                        VkPipelineBinaryKeyKHR *key, size_t *size,
                                                        void *data) {
  auto *binary = fromHandle<PipelineBinary>(info->pipelineBinary);
  write(*key, binary->key);
  const std::vector<uint8_t> record = binary->code->record();
  const size_t capacity = *size;
  *size = record.size();
  if (!data)
    return VK_SUCCESS;
  if (capacity < record.size())
    return VK_ERROR_NOT_ENOUGH_SPACE_KHR;
  std::memcpy(data, record.data(), record.size());
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL ReleaseCapturedPipelineDataKHR(
    VkDevice, const VkReleaseCapturedPipelineDataInfoKHR *info, const VkAllocationCallbacks *) {
  // The code is the pipeline's own, and stays.
  fromHandle<Pipeline>(info->pipeline)->hasCapturedData = false;
  return VK_SUCCESS;
}

} // namespace icd
