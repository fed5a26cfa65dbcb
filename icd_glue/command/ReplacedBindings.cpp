//===- ReplacedBindings.cpp - bindings for code of another layout ---------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/command/ReplacedBindings.h"
#include "icd_glue/Environment.h"
#include "icd_glue/command/CommandBuffer.h"
#include "icd_glue/command/UberDescription.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/pipeline/Pipeline.h"
#include "icd_glue/state/GraphicsBuild.h"
#include "lgc/TaskView.h"
#include "lgc/UberFetch.h"
#include <algorithm>
#include <cstring>

namespace icd {
namespace {

using lgc::ResourceNode;
using lgc::ResourceNodeType;

const Replacement *replacementOf(CommandBuffer &commandBuffer, const PipelineData &drawn) {
  if (commandBuffer.device().environment().replaceFolder.empty())
    return nullptr; // without a look at the pipeline, which takes a lock
  const CodeObject *code = drawn.code(commandBuffer.device());
  return code ? code->replacement().get() : nullptr;
}

bool isCompact(const ResourceNode &node) {
  return node.type == ResourceNodeType::DescriptorBufferCompact ||
         node.type == ResourceNodeType::DescriptorConstBufferCompact;
}

/// The root and the tables of one draw or dispatch.
class Binder {
public:
  Binder(CommandBuffer &commandBuffer, const BindPointState &bound, const PipelineData &pipeline,
         const PipelineData &drawn)
      : commandBuffer(commandBuffer), bound(bound), layout(pipeline.layout()), drawn(drawn) {}

  std::optional<std::vector<uint32_t>> bind(const lgc::ResourceMapping &mapping) {
    // All tables share the upper half of their addresses with what the command buffer makes.
    const pal::device::GpuAddress some = commandBuffer.tables().upload({0});
    if (!some)
      return std::nullopt;
    upperHalf = some >> 32 << 32;
    std::vector<uint32_t> root;
    for (const ResourceNode &node : mapping.roots)
      if (!place(node, root))
        return std::nullopt;
    return root;
  }

private:
  static void grow(std::vector<uint32_t> &words, const ResourceNode &node) {
    words.resize(std::max<size_t>(words.size(), node.offsetInDwords + node.sizeInDwords));
  }

  bool place(const ResourceNode &node, std::vector<uint32_t> &words) {
    grow(words, node);
    uint32_t *to = words.data() + node.offsetInDwords;
    if (node.type == ResourceNodeType::DescriptorTableVaPtr) {
      std::vector<uint32_t> table;
      for (const ResourceNode &inner : node.table)
        if (!place(inner, table))
          return false;
      const pal::device::GpuAddress address = commandBuffer.tables().upload(table);
      words[node.offsetInDwords] = static_cast<uint32_t>(address);
      return address != 0;
    }
    if (node.type == ResourceNodeType::PushConst) {
      const auto &bytes = commandBuffer.pushConstants().bytes;
      std::memcpy(to, bytes.data(), std::min<size_t>(bytes.size(), node.sizeInDwords * 4));
    } else if (node.set == lgc::internalSet) {
      placeInternal(node, words);
    } else if (node.set < std::min(layout.sets.size(), bound.sets.size()) &&
               layout.sets[node.set]) {
      placeBinding(node, to);
    }
    return true;
  }

  void placeInternal(const ResourceNode &node, std::vector<uint32_t> &words) const {
    if (node.binding != lgc::uberFetchBinding || !drawn.graphics())
      return;
    const Replacement &code = *replacementOf(commandBuffer, drawn);
    const std::vector<uint32_t> description = describeVertexInput(
        commandBuffer.device().target(), drawn.graphics()->state.input, code.hasSoftwareBuffers);
    words.resize(std::max<size_t>(words.size(), node.offsetInDwords + description.size()));
    llvm::copy(description, words.begin() + node.offsetInDwords);
  }

  void placeBinding(const ResourceNode &node, uint32_t *to) const {
    const SetBinding *binding = layout.sets[node.set]->find(node.binding);
    if (!binding)
      return;
    if (binding->isInline())
      return copySet(node.set, binding->offsetDwords,
                     std::min(node.sizeInDwords, binding->sizeDwords), to);
    const uint32_t own = binding->isDynamic() ? bufferDwords : binding->strideDwords;
    const uint32_t stride = node.strideInDwords ? node.strideInDwords : isCompact(node) ? 2 : own;
    if (stride < (isCompact(node) ? 2 : 1))
      return;
    const uint32_t count = std::min(binding->count, node.sizeInDwords / stride);
    for (uint32_t i = 0; i < count; ++i) {
      if (binding->isDynamic())
        copyDynamic(node, binding->firstDynamic + i, std::min(own, stride), to + i * stride);
      else
        copySet(node.set, binding->offsetDwords + i * own, std::min(own, stride), to + i * stride);
      if (isCompact(node)) // an address; a V# has its stride beside that
        to[i * stride + 1] &= 0xFFFF;
    }
  }

  void copyDynamic(const ResourceNode &node, uint32_t number, uint32_t dwords, uint32_t *to) const {
    const auto &buffers = bound.sets[node.set].dynamicBuffers;
    if (number < buffers.size())
      std::copy_n(buffers[number].begin(), dwords, to);
  }

  /// What lies behind the memory of the set (a variable count) stays null.
  void copySet(uint32_t set, uint32_t offset, uint32_t dwords, uint32_t *to) const {
    if (!bound.sets[set].table)
      return;
    const pal::device::GpuAddress address =
        (upperHalf | bound.sets[set].table) + uint64_t(offset) * 4;
    if (const uint8_t *from = commandBuffer.device().gpu().translate(address, dwords * 4ull))
      std::memcpy(to, from, dwords * 4ull);
  }

  CommandBuffer &commandBuffer;
  const BindPointState &bound;
  const PipelineLayoutData &layout;
  const PipelineData &drawn;
  pal::device::GpuAddress upperHalf = 0;
};

/// Entries by binding, for all bindings that have attributes.
std::vector<uint32_t> replacedVertexWords(CommandBuffer &commandBuffer, const Replacement &code,
                                          const GraphicsPipelineData &graphics,
                                          llvm::ArrayRef<uint32_t> strides) {
  std::vector<uint32_t> words;
  for (const lgc::VertexBinding &binding : graphics.state.input.bindings) {
    if (binding.binding >= maxVertexBindings)
      continue;
    const size_t first = size_t(binding.binding) * bufferDwords;
    words.resize(std::max(words.size(), first + bufferDwords));
    const BoundVertexBuffer &buffer = commandBuffer.drawBindings().vertexBuffers[binding.binding];
    buildVertexEntry(commandBuffer.device().target(), buffer.address, buffer.size,
                     strides[binding.binding], code.hasSoftwareBuffers, words.data() + first);
  }
  return words;
}

} // namespace

std::optional<std::vector<uint32_t>> userDataFor(CommandBuffer &commandBuffer,
                                                 BindPointState &bound,
                                                 const PipelineData &pipeline,
                                                 const PipelineData &drawn) {
  auto data = buildUserData(pipeline.layout().userData, bound, commandBuffer.pushConstants(),
                            commandBuffer.tables());
  const Replacement *code = replacementOf(commandBuffer, drawn);
  if (!data || !code)
    return data;
  return Binder(commandBuffer, bound, pipeline, drawn).bind(code->mapping);
}

uint32_t launchDwordFor(CommandBuffer &commandBuffer, const PipelineData &pipeline) {
  const Replacement *replacement = replacementOf(commandBuffer, pipeline);
  return replacement ? replacement->launchUserData : launchDword(pipeline.layout().userData);
}

std::optional<uint32_t> taskViewFor(CommandBuffer &commandBuffer, const PipelineData &pipeline,
                                    const PipelineData &drawn) {
  if (!hasTaskViews(pipeline.graphics()->state))
    return std::nullopt;
  const Replacement *code = replacementOf(commandBuffer, drawn);
  if (!code)
    return taskViewDword(pipeline.layout().userData);
  for (const ResourceNode &node : code->mapping.roots)
    if (node.set == lgc::internalSet && node.binding == lgc::taskViewBinding)
      return node.offsetInDwords;
  return std::nullopt;
}

std::optional<pal::device::GpuAddress> vertexTableFor(CommandBuffer &commandBuffer,
                                                      const PipelineData &drawn,
                                                      llvm::ArrayRef<uint32_t> strides) {
  DrawBindings &bindings = commandBuffer.drawBindings();
  const Replacement *code = replacementOf(commandBuffer, drawn);
  const bool isOther = code && (code->hasSoftwareBuffers || code->hasUberFetch);
  return vertexBufferTable(
      bindings, commandBuffer.tables(),
      isOther ? replacedVertexWords(commandBuffer, *code, *drawn.graphics(), strides)
              : vertexBufferWords(commandBuffer.device().target(), *drawn.graphics(),
                                  bindings.vertexBuffers, strides));
}

} // namespace icd
