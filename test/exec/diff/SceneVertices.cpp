//===- SceneVertices.cpp - a scene's vertices for a pipeline's vertex input ===//
// SPDX-License-Identifier: MIT
#include "SceneVertices.h"
#include "../script/Values.h"
#include "Sample.h"
#include "TexelChannels.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using llvm::ArrayRef;
using llvm::Error;

namespace exec {

namespace {

constexpr uint32_t sceneInstances = 4; ///< where attributes change by instance

/// Component \p c of the attribute at \p location that the scene has for a vertex.
double sceneValue(const Job &job, uint32_t location, uint32_t c, uint32_t vertex) {
  const GraphicsSpec &scene = *job.graphics;
  for (const VkVertexInputAttributeDescription &attribute : scene.attributes) {
    if (attribute.location != location)
      continue;
    const VertexBuffer &buffer = *llvm::find_if(
        scene.vertexBuffers, [&](const VertexBuffer &b) { return b.binding == attribute.binding; });
    const ScalarType type = componentType(findFormat(attribute.format)->name);
    const uint32_t size = sizeOf(type);
    const uint64_t place = uint64_t(vertex) * buffer.stride + c * size;
    if (c * size < findFormat(attribute.format)->bytes &&
        place + size <= job.buffers[buffer.buffer].size())
      return toDouble(type, loadBits(type, &job.buffers[buffer.buffer][place]));
  }
  return c == 3;
}

Error fillAttribute(const Job &job, const VkVertexInputAttributeDescription &attribute,
                    uint32_t stride, uint32_t vertices, Bytes &bytes) {
  const FormatRow *row = findFormat(attribute.format);
  for (uint32_t vertex = 0; vertex < vertices; ++vertex) {
    std::array<double, 4> components;
    for (uint32_t c = 0; c < components.size(); ++c)
      components[c] = sceneValue(job, attribute.location, c, vertex);
    const auto texel = row ? vertexTexel(*row, components) : std::nullopt;
    if (!texel)
      return failure("no vertices can be made in the format " +
                     (row ? row->name.str() : std::to_string(attribute.format)));
    const uint64_t place = uint64_t(vertex) * stride + attribute.offset;
    if (place < bytes.size())
      std::copy_n(texel->begin(), std::min<uint64_t>(row->bytes, bytes.size() - place),
                  bytes.begin() + static_cast<ptrdiff_t>(place));
  }
  return Error::success();
}

} // namespace

Error setVertexInput(Job &job, ArrayRef<VkVertexInputBindingDescription> bindings,
                     ArrayRef<VkVertexInputAttributeDescription> attributes) {
  GraphicsSpec &scene = *job.graphics;
  uint32_t vertices = 96; // of shaders without attributes
  for (const VertexBuffer &buffer : scene.vertexBuffers)
    vertices = static_cast<uint32_t>(job.buffers[buffer.buffer].size()) / buffer.stride;
  std::vector<VertexBuffer> buffers;
  std::vector<Bytes> contents;
  constexpr uint32_t strideMax = 0x3FFF; // HW: 14 bits of V#
  for (const VkVertexInputBindingDescription &binding : bindings) {
    if (binding.stride > strideMax)
      return failure("vertex binding " + std::to_string(binding.binding) + " has a stride of " +
                     std::to_string(binding.stride) + " bytes; the limit is " +
                     std::to_string(strideMax));
    VertexBuffer &buffer = buffers.emplace_back();
    buffer.binding = binding.binding;
    buffer.stride = binding.stride;
    buffer.perInstance = binding.inputRate == VK_VERTEX_INPUT_RATE_INSTANCE;
    buffer.buffer = static_cast<uint32_t>(job.buffers.size() + contents.size());
    Bytes &bytes = contents.emplace_back(size_t(vertices) * std::max(binding.stride, 4u));
    for (const VkVertexInputAttributeDescription &attribute : attributes)
      if (attribute.binding == binding.binding)
        KILN_TRY(fillAttribute(job, attribute, binding.stride, vertices, bytes));
    for (DrawCall &draw : scene.draws)
      if (buffer.perInstance)
        draw.instances = sceneInstances;
  }
  scene.attributes.assign(attributes.begin(), attributes.end());
  scene.vertexBuffers = std::move(buffers);
  llvm::move(contents, std::back_inserter(job.buffers));
  return Error::success();
}

} // namespace exec
