//===- DrawBindings.cpp - vertex and index buffers ------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/command/DrawBindings.h"
#include "icd_glue/command/DrawPreparation.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/memory/Buffer.h"
#include "icd_glue/pipeline/Pipeline.h"
#include "llpc/Formats.h"
#include "pal_shim/srd/Srd.h"
#include "llvm/ADT/STLExtras.h"

namespace icd {
namespace {

constexpr uint32_t maxSrdStride = (1u << 14) - 1;

/// Vulkan: an attribute is out of bounds when any of its bytes is. A V# knows whole elements only,
/// so an element exists when all attributes that it is for lie in the buffer.
void buildVertexSrd(const pal::abi::GpuTarget &target, const BoundVertexBuffer &buffer,
                    uint32_t stride, uint32_t elementEnd, uint32_t *words) {
  if (!buffer.address || buffer.size < elementEnd)
    return; // null: reads give 0
  pal::srd::BufferSrdInfo srd;
  srd.address = buffer.address;
  srd.stride = std::min(stride, maxSrdStride);
  srd.sizeBytes = buffer.size;
  srd.outOfBounds = pal::srd::OutOfBounds::Raw;
  if (srd.stride) {
    uint64_t elements = (buffer.size - elementEnd) / srd.stride + 1;
    srd.sizeBytes = elements * srd.stride;
    srd.outOfBounds = pal::srd::OutOfBounds::IndexOnly;
  }
  pal::srd::buildBufferSrd(target, srd, words);
}

pal::device::IndexType indexTypeOf(VkIndexType type) {
  switch (type) {
  case VK_INDEX_TYPE_UINT8_KHR:
    return pal::device::IndexType::U8;
  case VK_INDEX_TYPE_UINT16:
    return pal::device::IndexType::U16;
  case VK_INDEX_TYPE_UINT32:
    return pal::device::IndexType::U32;
  default:
    return pal::device::IndexType::None;
  }
}

/// An attribute of the vertex input that is set is where code for aligned ones may not find it.
bool hasUnalignedAttributes(const DrawBindings &bindings) {
  return llvm::any_of(bindings.vertexInput.attributes, [&](const llpc::VertexAttributeInfo &one) {
    if (one.binding >= maxVertexBindings)
      return false;
    const uint64_t first = bindings.vertexBuffers[one.binding].address + one.offset;
    return ((first | bindings.dynamic.strides[one.binding]) &
            (llpc::vertexAlignment(one.format) - 1)) != 0;
  });
}

BoundVertexBuffer bytesOf(VkDeviceAddress address, VkDeviceSize size) {
  return address ? BoundVertexBuffer{address, size} : BoundVertexBuffer();
}

/// The bytes of a buffer from \p offset on; empty for a null buffer.
BoundVertexBuffer bytesOf(VkBuffer handle, VkDeviceSize offset, VkDeviceSize size) {
  auto *buffer = fromHandle<Buffer>(handle);
  if (!buffer || !buffer->address() || offset >= buffer->size)
    return {};
  return {buffer->address() + offset,
          std::min(buffer->rangeFrom(offset, size), buffer->size - offset)};
}

} // namespace

void noteAlignment(const Device &device, DrawBindings &bindings) {
  if (!device.features().legacyVertexAttributes)
    return;
  const bool isUnaligned = hasUnalignedAttributes(bindings);
  if (isUnaligned == bindings.vertexInput.isUnaligned)
    return;
  bindings.vertexInput.isUnaligned = isUnaligned;
  bindings.shaderPipeline = nullptr;
}

std::vector<uint32_t> vertexBufferWords(const pal::abi::GpuTarget &target,
                                        const GraphicsPipelineData &pipeline,
                                        llvm::ArrayRef<BoundVertexBuffer> buffers,
                                        llvm::ArrayRef<uint32_t> strides) {
  std::vector<uint32_t> words(pipeline.vertexEntries.size() * bufferDwords);
  uint32_t *to = words.data();
  for (const GraphicsPipelineData::VertexEntry &entry : pipeline.vertexEntries) {
    if (entry.elementEnd)
      buildVertexSrd(target, buffers[entry.binding], strides[entry.binding], entry.elementEnd, to);
    to += bufferDwords;
  }
  return words;
}

std::optional<pal::device::GpuAddress> vertexBufferTable(DrawBindings &bindings, TableArena &tables,
                                                         std::vector<uint32_t> words) {
  if (words.empty())
    return 0;
  if (bindings.table && words == bindings.tableWords)
    return bindings.table;
  pal::device::GpuAddress address = tables.upload(words);
  if (!address)
    return std::nullopt;
  bindings.tableWords = std::move(words);
  bindings.table = address;
  return address;
}

//===--- Commands ---------------------------------------------------------===//

namespace {

struct NewVertexBuffer {
  BoundVertexBuffer bytes;
  std::optional<VkDeviceSize> stride; ///< none: it stays as it is
};

/// \p bufferAt: NewVertexBuffer of a number from 0 on.
template <typename BufferAt>
void bindVertexBuffers(VkCommandBuffer handle, uint32_t first, uint32_t count,
                       BufferAt &&bufferAt) {
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  DrawBindings &bindings = commandBuffer->drawBindings();
  const auto oldStrides = bindings.dynamic.strides;
  for (uint32_t i = 0; i < count && first < maxVertexBindings; ++i, ++first) {
    const NewVertexBuffer buffer = bufferAt(i);
    bindings.vertexBuffers[first] = buffer.bytes;
    if (buffer.stride)
      bindings.dynamic.strides[first] =
          static_cast<uint32_t>(std::min<VkDeviceSize>(*buffer.stride, UINT32_MAX));
  }
  // Where attributes may be anywhere, addresses decide, too.
  if (bindings.dynamic.strides != oldStrides ||
      commandBuffer->device().features().legacyVertexAttributes)
    prepareDraws(*commandBuffer, DrawPiece::VertexBuffers);
}

} // namespace

VKAPI_ATTR void VKAPI_CALL CmdBindVertexBuffers2(VkCommandBuffer commandBuffer, uint32_t first,
                                                 uint32_t count, const VkBuffer *buffers,
                                                 const VkDeviceSize *offsets,
                                                 const VkDeviceSize *sizes,
                                                 const VkDeviceSize *strides) {
  bindVertexBuffers(commandBuffer, first, count, [=](uint32_t i) -> NewVertexBuffer {
    return {bytesOf(buffers[i], offsets[i], sizes ? sizes[i] : VK_WHOLE_SIZE),
            strides ? std::optional(strides[i]) : std::nullopt};
  });
}

VKAPI_ATTR void VKAPI_CALL CmdBindVertexBuffers3KHR(VkCommandBuffer commandBuffer, uint32_t first,
                                                    uint32_t count,
                                                    const VkBindVertexBuffer3InfoKHR *infos) {
  bindVertexBuffers(commandBuffer, first, count, [=](uint32_t i) -> NewVertexBuffer {
    const VkStridedDeviceAddressRangeKHR &range = infos[i].addressRange;
    return {bytesOf(range.address, range.size),
            infos[i].setStride ? std::optional(range.stride) : std::nullopt};
  });
}

VKAPI_ATTR void VKAPI_CALL CmdBindVertexBuffers(VkCommandBuffer commandBuffer, uint32_t first,
                                                uint32_t count, const VkBuffer *buffers,
                                                const VkDeviceSize *offsets) {
  CmdBindVertexBuffers2(commandBuffer, first, count, buffers, offsets, nullptr, nullptr);
}

static void bindIndexBuffer(VkCommandBuffer handle, const BoundVertexBuffer &bytes,
                            VkIndexType type) {
  fromHandle<CommandBuffer>(handle)->drawBindings().indexBuffer = {indexTypeOf(type), bytes.address,
                                                                   bytes.size, std::nullopt};
}

VKAPI_ATTR void VKAPI_CALL CmdBindIndexBuffer2(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                               VkDeviceSize offset, VkDeviceSize size,
                                               VkIndexType type) {
  bindIndexBuffer(commandBuffer, bytesOf(buffer, offset, size), type);
}

VKAPI_ATTR void VKAPI_CALL CmdBindIndexBuffer3KHR(VkCommandBuffer commandBuffer,
                                                  const VkBindIndexBuffer3InfoKHR *info) {
  bindIndexBuffer(commandBuffer, bytesOf(info->addressRange.address, info->addressRange.size),
                  info->indexType);
}

VKAPI_ATTR void VKAPI_CALL CmdSetPrimitiveRestartIndexEXT(VkCommandBuffer commandBuffer,
                                                          uint32_t primitiveRestartIndex) {
  fromHandle<CommandBuffer>(commandBuffer)->drawBindings().indexBuffer.restartIndex =
      primitiveRestartIndex;
}

VKAPI_ATTR void VKAPI_CALL CmdBindIndexBuffer(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                              VkDeviceSize offset, VkIndexType type) {
  CmdBindIndexBuffer2(commandBuffer, buffer, offset, VK_WHOLE_SIZE, type);
}

} // namespace icd
