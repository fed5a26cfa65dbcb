//===- Inputs.cpp - generated inputs in the memory of a device ------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/run/Inputs.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/srd/LinearLayout.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using exec::failure;
using lgc::ResourceNode;
using lgc::ResourceNodeType;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;
using pal::device::Heap;

namespace report {

static const pal::abi::GpuTarget &targetOf(const pal::device::SoftwareDevice &device) {
  return *pal::abi::findTarget(device.options().target);
}

Expected<Inputs::Memory> Inputs::allocate(uint64_t bytes, Heap heap, const char *name) {
  pal::device::AllocationInfo info;
  info.size = std::max<uint64_t>(bytes, 1);
  info.heap = heap;
  info.name = name;
  return device.allocate(info);
}

Error Inputs::createBuffers() {
  for (const exec::Bytes &bytes : job.buffers) {
    Memory memory = KILN_TRY(allocate(bytes.size(), Heap::General, "buffer"));
    llvm::copy(bytes, memory->host());
    buffers.push_back(std::move(memory));
  }
  for (const exec::PointerPatch &patch : job.pointers) {
    const uint64_t address = buffers[patch.target]->address() + patch.targetOffset;
    uint8_t *place = patch.buffer == exec::PointerPatch::pushConstants
                         ? push.data()
                         : buffers[patch.buffer]->host();
    std::memcpy(place + patch.offset, &address, sizeof(address));
  }
  return Error::success();
}

static pal::srd::LinearImage linearImageOf(const exec::ImageSpec &spec,
                                           pal::formats::Format format) {
  pal::srd::LinearImage image;
  image.format = format;
  image.width = spec.extent.width;
  image.height = spec.extent.height;
  image.slices = std::max(spec.layers, spec.extent.depth);
  image.levels = spec.mips;
  return image;
}

/// Contents come mip by mip, packed; memory has every slice with all its levels, rows padded.
Error Inputs::createImages() {
  constexpr VkImageUsageFlags attachment =
      VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  for (const exec::ImageSpec &spec : job.images) {
    if (spec.usage & attachment) { // Draw.h makes those
      images.push_back(nullptr);
      continue;
    }
    const TexelFormat format = KILN_TRY(texelFormatOf(spec.format));
    const pal::srd::LinearLayout layout(linearImageOf(spec, format.format));
    Memory memory = KILN_TRY(allocate(layout.totalBytes(), Heap::General, "image"));
    size_t from = 0;
    for (uint32_t mip = 0; mip < spec.mips; ++mip) {
      const pal::srd::LinearLevel &level = layout.level(mip);
      const size_t rowBytes = size_t(level.rowLength) * spec.blockBytes;
      const uint32_t slices = spec.layers * std::max(spec.extent.depth >> mip, 1u);
      for (uint32_t slice = 0; slice < slices; ++slice)
        for (uint32_t row = 0; row < level.rows; ++row, from += rowBytes)
          if (from + rowBytes <= spec.data.size())
            std::memcpy(memory->host() + layout.offset(mip, 0, row, slice), &spec.data[from],
                        rowBytes);
    }
    images.push_back(std::move(memory));
  }
  return Error::success();
}

Error Inputs::writeBuffer(const exec::Binding &binding, uint32_t *words) const {
  pal::srd::BufferSrdInfo info;
  info.address = buffers[binding.resource]->address();
  info.sizeBytes = job.buffers[binding.resource].size();
  pal::srd::buildBufferSrd(targetOf(device), info, words);
  return Error::success();
}

Error Inputs::writeTexelBuffer(const exec::Binding &binding, uint32_t *words) const {
  const TexelFormat format = KILN_TRY(texelFormatOf(binding.viewFormat));
  pal::srd::BufferSrdInfo info;
  info.address = buffers[binding.resource]->address();
  info.sizeBytes = job.buffers[binding.resource].size();
  info.format = format.format;
  info.swizzle = format.swizzle;
  info.stride = pal::formats::formatInfo(format.format).texelBytes;
  info.outOfBounds = pal::srd::OutOfBounds::IndexOnly;
  if (!pal::srd::supportsBufferFormat(targetOf(device), format.format))
    return failure("the target has no texel buffers of this format");
  pal::srd::buildBufferSrd(targetOf(device), info, words);
  return Error::success();
}

static pal::srd::ImageType imageTypeOf(VkImageViewType type) {
  using pal::srd::ImageType;
  switch (type) {
  case VK_IMAGE_VIEW_TYPE_1D:
    return ImageType::Dim1D;
  case VK_IMAGE_VIEW_TYPE_1D_ARRAY:
    return ImageType::Dim1DArray;
  case VK_IMAGE_VIEW_TYPE_2D_ARRAY:
    return ImageType::Dim2DArray;
  case VK_IMAGE_VIEW_TYPE_3D:
    return ImageType::Dim3D;
  case VK_IMAGE_VIEW_TYPE_CUBE:
  case VK_IMAGE_VIEW_TYPE_CUBE_ARRAY:
    return ImageType::Cube;
  default:
    return ImageType::Dim2D;
  }
}

Error Inputs::writeImage(const exec::Binding &binding, uint32_t *words) const {
  const exec::ImageSpec &spec = job.images[binding.resource];
  if (!images[binding.resource])
    return failure("an attachment that is read");
  const TexelFormat format = KILN_TRY(texelFormatOf(spec.format));
  if (!pal::srd::supportsImageFormat(targetOf(device), format.format))
    return failure("the target has no images of this format");
  pal::srd::ImageSrdInfo info;
  info.address = images[binding.resource]->address();
  info.type = imageTypeOf(binding.viewType);
  // A storage image of cubes is an array of faces.
  if (info.type == pal::srd::ImageType::Cube && binding.type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE)
    info.type = pal::srd::ImageType::Dim2DArray;
  info.format = format.format;
  info.swizzle = info.formatSwizzle = format.swizzle;
  info.width = spec.extent.width;
  info.height = spec.extent.height;
  info.depth = spec.extent.depth;
  info.imageLevels = info.levels = spec.mips;
  info.layers = spec.layers;
  pal::srd::buildImageSrd(targetOf(device), info, words);
  return Error::success();
}

void Inputs::writeSampler(const exec::Binding &binding, uint32_t *words) const {
  const VkSamplerCreateInfo &from = job.samplers[binding.sampler].info;
  auto filter = [](VkFilter f) {
    return f == VK_FILTER_LINEAR ? pal::srd::Filter::Linear : pal::srd::Filter::Point;
  };
  pal::srd::SamplerSrdInfo info;
  info.magFilter = filter(from.magFilter);
  info.minFilter = filter(from.minFilter);
  info.mipFilter = pal::srd::MipFilter::Point;
  if (from.compareEnable)
    info.compare = static_cast<pal::srd::Compare>(from.compareOp);
  pal::srd::buildSamplerSrd(targetOf(device), info, words);
}

Error Inputs::writeDescriptor(const ResourceNode &node, const exec::Binding &binding,
                              uint32_t *words) const {
  constexpr unsigned samplerOfCombined = 8;
  switch (node.type) {
  case ResourceNodeType::DescriptorBuffer:
  case ResourceNodeType::DescriptorConstBuffer:
    return writeBuffer(binding, words);
  case ResourceNodeType::DescriptorTexelBuffer:
  case ResourceNodeType::DescriptorConstTexelBuffer:
    return writeTexelBuffer(binding, words);
  case ResourceNodeType::DescriptorResource:
  case ResourceNodeType::DescriptorImage:
    // GLSL's samplerBuffer is a sampled image that needs no sampler.
    return job.images.empty() ? writeTexelBuffer(binding, words) : writeImage(binding, words);
  case ResourceNodeType::DescriptorCombinedTexture:
    KILN_TRY(writeImage(binding, words));
    writeSampler(binding, words + samplerOfCombined);
    return Error::success();
  case ResourceNodeType::DescriptorSampler:
    writeSampler(binding, words);
    return Error::success();
  default:
    return failure("a kind of descriptor for which no inputs can be made");
  }
}

Error Inputs::fillTable(const ResourceNode &table, uint32_t *words, size_t count) {
  for (const ResourceNode &node : table.table)
    for (const exec::Binding &binding : job.bindings) {
      if (binding.set != node.set || binding.binding != node.binding)
        continue;
      const uint32_t stride =
          node.strideInDwords ? node.strideInDwords : lgc::defaultStrideInDwords(node.type);
      const uint64_t place = node.offsetInDwords + uint64_t(binding.element) * stride;
      if (uint64_t(binding.element + 1) * stride > node.sizeInDwords || place + stride > count)
        continue; // beyond the array of the layout
      KILN_TRY(writeDescriptor(node, binding, words + place));
    }
  return Error::success();
}

Error Inputs::createRoot(const ResourceNode &node) {
  entries.resize(std::max<size_t>(entries.size(), node.offsetInDwords + node.sizeInDwords));
  if (node.type == ResourceNodeType::PushConst) {
    std::memcpy(&entries[node.offsetInDwords], push.data(),
                std::min<size_t>(push.size(), size_t(node.sizeInDwords) * sizeof(uint32_t)));
    return Error::success();
  }
  if (node.type != ResourceNodeType::DescriptorTableVaPtr)
    return failure("a layout of other things than tables and push constants");
  uint32_t dwords = 0;
  for (const ResourceNode &inner : node.table)
    dwords = std::max(dwords, inner.offsetInDwords + inner.sizeInDwords);
  Memory memory =
      KILN_TRY(allocate(uint64_t(dwords) * 4, Heap::DescriptorTables, "descriptor table"));
  KILN_TRY(fillTable(node, reinterpret_cast<uint32_t *>(memory->host()), dwords));
  entries[node.offsetInDwords] = uint32_t(memory->address());
  tables.push_back(std::move(memory));
  return Error::success();
}

Error Inputs::create(const lgc::ResourceMapping &mapping) {
  constexpr unsigned mostEntries = 160;
  KILN_TRY(createBuffers());
  KILN_TRY(createImages());
  if (!mapping.staticDescriptors.empty())
    return failure("a layout with immutable samplers");
  for (const ResourceNode &node : mapping.roots) {
    if (uint64_t(node.offsetInDwords) + node.sizeInDwords > mostEntries)
      return failure("a layout of more than " + Twine(mostEntries) + " dwords");
    KILN_TRY(createRoot(node));
  }
  return Error::success();
}

} // namespace report
