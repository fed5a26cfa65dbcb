//===- IndirectCopies.cpp - VK_KHR_copy_memory_indirect -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Copies whose addresses, sizes and regions are read from memory when the queue comes to them.
#include "icd_glue/Entrypoints.h"
#include "icd_glue/command/CommandBuffer.h"
#include "icd_glue/command/PlaneAt.h"
#include "icd_glue/context/Device.h"
#include "pal_shim/abi/Try.h"
#include <cstring>
#include <vector>

using namespace llvm;

namespace icd {
namespace {

/// Command \p index of a list in memory, which shaders may have written.
template <typename Command>
Expected<Command> readCommand(Execution &execution, const VkStridedDeviceAddressRangeKHR &list,
                              uint32_t index) {
  const uint64_t offset = index * list.stride;
  if (offset > list.size || sizeof(Command) > list.size - offset)
    return outsideError("a command is outside of copyAddressRange");
  uint8_t *bytes = KILN_TRY(execution.memory(list.address + offset, sizeof(Command)));
  Command command;
  std::memcpy(&command, bytes, sizeof(command));
  return command;
}

Error copyMemory(Execution &execution, const VkCopyMemoryIndirectCommandKHR &command) {
  if (!command.size)
    return Error::success();
  uint8_t *source = KILN_TRY(execution.memory(command.srcAddress, command.size));
  uint8_t *target = KILN_TRY(execution.memory(command.dstAddress, command.size));
  std::memmove(target, source, command.size);
  return Error::success();
}

Error copyToImage(Execution &execution, const VkCopyMemoryToImageIndirectCommandKHR &command,
                  const SharedPlane &plane) {
  HostPlane image = KILN_TRY(plane->lookUp(execution));
  const VkImageSubresourceLayers &layers = command.imageSubresource;
  VkOffset3D offset = command.imageOffset;
  VkExtent3D extent = command.imageExtent;
  // Slices of a 3D image are given as layers, which are known when the copy is recorded.
  if (image.plane.is3d && extent.depth) {
    if (layers.mipLevel >= image.plane.levels)
      return outsideError("a region is outside its image");
    const uint32_t slices = image.plane.slicesOf(layers.mipLevel);
    offset.z = static_cast<int32_t>(layers.baseArrayLayer);
    extent.depth = layers.layerCount == VK_REMAINING_ARRAY_LAYERS && layers.baseArrayLayer < slices
                       ? slices - layers.baseArrayLayer
                       : layers.layerCount;
  }
  ElementBox box;
  if (!elementBox(image.plane, Layers::of(layers), offset, extent, box))
    return outsideError("a region is outside its image");
  const BufferShape shape =
      bufferShape(image.plane, box, command.bufferRowLength, command.bufferImageHeight);
  if (!shape.bytes)
    return Error::success();
  copyBufferToImage(KILN_TRY(execution.memory(command.srcAddress, shape.bytes)), shape, image, box);
  return Error::success();
}

} // namespace

void VKAPI_CALL CmdCopyMemoryIndirectKHR(VkCommandBuffer commandBuffer,
                                         const VkCopyMemoryIndirectInfoKHR *info) {
  fromHandle<CommandBuffer>(commandBuffer)
      ->record(
          "vkCmdCopyMemoryIndirectKHR",
          [count = info->copyCount, list = info->copyAddressRange](Execution &execution) -> Error {
            for (uint32_t index = 0; index < count; ++index) {
              auto command =
                  KILN_TRY(readCommand<VkCopyMemoryIndirectCommandKHR>(execution, list, index));
              KILN_TRY(copyMemory(execution, command));
            }
            return Error::success();
          });
}

void VKAPI_CALL CmdCopyMemoryToImageIndirectKHR(VkCommandBuffer commandBuffer,
                                                const VkCopyMemoryToImageIndirectInfoKHR *info) {
  // The aspects are known now; all else that the list in memory says must agree with it.
  std::vector<SharedPlane> planes;
  for (uint32_t index = 0; index < info->copyCount; ++index) {
    const auto aspect =
        static_cast<VkImageAspectFlagBits>(info->pImageSubresources[index].aspectMask);
    SharedPlane plane = planeOf(info->dstImage, aspect);
    if (!plane)
      return; // not valid usage
    planes.push_back(std::move(plane));
  }
  fromHandle<CommandBuffer>(commandBuffer)
      ->record("vkCmdCopyMemoryToImageIndirectKHR",
               [planes = std::move(planes),
                list = info->copyAddressRange](Execution &execution) -> Error {
                 for (uint32_t index = 0; index < planes.size(); ++index) {
                   auto command = KILN_TRY(
                       readCommand<VkCopyMemoryToImageIndirectCommandKHR>(execution, list, index));
                   KILN_TRY(copyToImage(execution, command, planes[index]));
                 }
                 return Error::success();
               });
}

} // namespace icd
