//===- Images.cpp - images and samplers of kernels ------------------------===//
// SPDX-License-Identifier: MIT
#include "tools/cl/Images.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/srd/LinearLayout.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using llvm::Expected;
using llvm::StringRef;

namespace kiln_cl {

namespace {

using pal::formats::NumberKind;
using pal::srd::Select;

struct ChannelRow {
  llvm::StringLiteral name;
  NumberKind kind;
  uint32_t bits;
  Element element;
};
constexpr ChannelRow channelRows[] = {
    {"unorm8", NumberKind::Unorm, 8, Element::Uchar},
    {"unorm16", NumberKind::Unorm, 16, Element::Ushort},
    {"snorm8", NumberKind::Snorm, 8, Element::Char},
    {"snorm16", NumberKind::Snorm, 16, Element::Short},
    {"sint8", NumberKind::Sint, 8, Element::Char},
    {"sint16", NumberKind::Sint, 16, Element::Short},
    {"sint32", NumberKind::Sint, 32, Element::Int},
    {"uint8", NumberKind::Uint, 8, Element::Uchar},
    {"uint16", NumberKind::Uint, 16, Element::Ushort},
    {"uint32", NumberKind::Uint, 32, Element::Uint},
    {"half", NumberKind::Float, 16, Element::Ushort},
    {"float", NumberKind::Float, 32, Element::Float},
};

/// Descriptors hold no more.
constexpr uint32_t maxSize = 16384;

bool readSize(StringRef text, ImageWords &image) {
  llvm::SmallVector<StringRef, 3> parts;
  text.split(parts, 'x');
  if (parts.size() > image.size.size())
    return false;
  for (size_t i = 0; i < parts.size(); ++i)
    if (parts[i].getAsInteger(10, image.size[i]) || !image.size[i] || image.size[i] > maxSize)
      return false;
  image.dimensions = static_cast<unsigned>(parts.size());
  return true;
}

bool readOrder(StringRef text, ImageWords &image) {
  image.isBgra = text == "bgra";
  image.channels = text == "r" ? 1 : text == "rg" ? 2 : text == "rgba" || image.isBgra ? 4 : 0;
  return image.channels != 0;
}

bool readChannel(StringRef text, ImageWords &image) {
  const auto *row =
      llvm::find_if(channelRows, [&](const ChannelRow &row) { return row.name == text; });
  if (row == std::end(channelRows))
    return false;
  image.kind = row->kind;
  image.bits = row->bits;
  image.element = row->element;
  return true;
}

/// Undefined: there is none.
pal::formats::Format formatOf(const ImageWords &image) {
  for (unsigned i = 1; i < pal::formats::formatCount; ++i) {
    const auto format = static_cast<pal::formats::Format>(i);
    const pal::formats::FormatInfo &info = pal::formats::formatInfo(format);
    if (info.encoding == pal::formats::Encoding::Plain && info.kind == image.kind &&
        info.channels() == image.channels &&
        llvm::all_of(llvm::ArrayRef(info.bits).take_front(image.channels),
                     [&](uint8_t bits) { return bits == image.bits; }))
      return format;
  }
  return pal::formats::Format::Undefined;
}

/// Channels that are not there read as 0, alpha as 1: so do border colours.
pal::srd::Swizzle swizzleOf(const ImageWords &image) {
  if (image.isBgra)
    return {Select::Z, Select::Y, Select::X, Select::W};
  pal::srd::Swizzle swizzle = {Select::X, Select::Zero, Select::Zero, Select::One};
  if (image.channels > 1)
    swizzle[1] = Select::Y;
  return image.channels > 2 ? pal::srd::identitySwizzle : swizzle;
}

pal::srd::ImageType typeOf(llpc::KernelImageDim dim) {
  switch (dim) {
  case llpc::KernelImageDim::Dim1D:
    return pal::srd::ImageType::Dim1D;
  case llpc::KernelImageDim::Dim1DArray:
    return pal::srd::ImageType::Dim1DArray;
  case llpc::KernelImageDim::Dim2DArray:
    return pal::srd::ImageType::Dim2DArray;
  case llpc::KernelImageDim::Dim3D:
    return pal::srd::ImageType::Dim3D;
  default:
    return pal::srd::ImageType::Dim2D;
  }
}

pal::srd::Address addressOf(llpc::KernelSampler::Address address) {
  switch (address) {
  case llpc::KernelSampler::Address::Clamp:
    return pal::srd::Address::ClampToBorder;
  case llpc::KernelSampler::Address::Repeat:
    return pal::srd::Address::Wrap;
  case llpc::KernelSampler::Address::RepeatMirrored:
    return pal::srd::Address::Mirror;
  default: // None: nobody looks outside
    return pal::srd::Address::ClampToEdge;
  }
}

/// Goes over the rows of an image; `copy(where on the device, where in the bytes)`.
template <typename Copy>
void forEachRow(const ImageWords &image, const DeviceImage &on, Copy copy) {
  const bool isLayered1d = on.slicePitch == 0;
  for (uint64_t z = 0; z < image.size[2]; ++z)
    for (uint64_t y = 0; y < image.size[1]; ++y)
      copy(isLayered1d ? y * on.rowPitch : z * on.slicePitch + y * on.rowPitch,
           (z * image.size[1] + y) * image.rowBytes());
}

} // namespace

bool readImageWord(StringRef word, ImageWords &image) {
  if (word.consume_front("image="))
    return readSize(word, image);
  if (word.consume_front("order="))
    return readOrder(word, image);
  return word.consume_front("channel=") && readChannel(word, image);
}

unsigned dimensionsOf(llpc::KernelImageDim dim) {
  switch (dim) {
  case llpc::KernelImageDim::Dim1D:
  case llpc::KernelImageDim::Buffer:
    return 1;
  case llpc::KernelImageDim::Dim2D:
  case llpc::KernelImageDim::Dim1DArray:
    return 2;
  default:
    return 3;
  }
}

std::optional<llpc::KernelSampler> readSampler(StringRef words) {
  using Address = llpc::KernelSampler::Address;
  llpc::KernelSampler sampler;
  const std::pair<StringRef, Address> addresses[] = {{"none", Address::None},
                                                     {"edge", Address::ClampToEdge},
                                                     {"clamp", Address::Clamp},
                                                     {"repeat", Address::Repeat},
                                                     {"mirror", Address::RepeatMirrored}};
  llvm::SmallVector<StringRef, 3> parts;
  words.split(parts, ',');
  for (StringRef part : parts) {
    const auto *row =
        llvm::find_if(addresses, [&](const auto &address) { return address.first == part; });
    if (row != std::end(addresses))
      sampler.address = row->second;
    else if (part == "nearest" || part == "linear")
      sampler.linear = part == "linear";
    else if (part == "normalized" || part == "unnormalized")
      sampler.normalized = part == "normalized";
    else
      return std::nullopt;
  }
  return sampler;
}

void DeviceImage::write(const ImageWords &image, const uint8_t *bytes) {
  forEachRow(image, *this, [&](uint64_t to, uint64_t from) {
    std::memcpy(memory->host() + to, bytes + from, image.rowBytes());
  });
}

void DeviceImage::read(const ImageWords &image, uint8_t *bytes) const {
  forEachRow(image, *this, [&](uint64_t from, uint64_t to) {
    std::memcpy(bytes + to, memory->host() + from, image.rowBytes());
  });
}

Expected<DeviceImage> makeImage(pal::device::SoftwareDevice &device,
                                const pal::abi::GpuTarget &target, const ImageWords &image,
                                llpc::KernelImageDim dim, const std::string &name) {
  const pal::formats::Format format = formatOf(image);
  const bool isBuffer = dim == llpc::KernelImageDim::Buffer;
  if (isBuffer ? !pal::srd::supportsBufferFormat(target, format)
               : !pal::srd::supportsImageFormat(target, format))
    return lgc::unsupported("argument " + name + ": images of this format not supported");
  DeviceImage result;
  pal::device::AllocationInfo info;
  info.name = name;
  info.size = result.rowPitch = static_cast<uint32_t>(image.rowBytes());
  if (isBuffer) {
    result.memory = KILN_TRY(device.allocate(info));
    pal::srd::BufferSrdInfo srd;
    srd.address = result.memory->address();
    srd.sizeBytes = info.size;
    srd.stride = image.channels * image.bits / 8;
    srd.format = format;
    srd.swizzle = swizzleOf(image);
    srd.outOfBounds = pal::srd::OutOfBounds::IndexOnly;
    pal::srd::buildBufferSrd(target, srd, result.descriptor.data());
    return result;
  }
  const bool isLayered1d = dim == llpc::KernelImageDim::Dim1DArray;
  const uint32_t layers = isLayered1d ? image.size[1] : image.size[2];
  pal::srd::LinearImage linear;
  linear.format = format;
  linear.width = image.size[0];
  linear.height = isLayered1d ? 1 : image.size[1];
  linear.slices = layers;
  const pal::srd::LinearLayout layout(linear);
  info.size = layout.totalBytes();
  result.memory = KILN_TRY(device.allocate(info));
  result.rowPitch =
      isLayered1d ? static_cast<uint32_t>(layout.sliceBytes()) : layout.level(0).rowPitch;
  result.slicePitch = isLayered1d ? 0 : static_cast<uint32_t>(layout.sliceBytes());
  pal::srd::ImageSrdInfo srd;
  srd.address = result.memory->address();
  srd.type = typeOf(dim);
  srd.format = format;
  srd.swizzle = swizzleOf(image);
  srd.width = linear.width;
  srd.height = linear.height;
  (dim == llpc::KernelImageDim::Dim3D ? srd.depth : srd.layers) = layers;
  pal::srd::buildImageSrd(target, srd, result.descriptor.data());
  return result;
}

std::array<uint32_t, 4> samplerDescriptor(const pal::abi::GpuTarget &target,
                                          const llpc::KernelSampler &sampler) {
  pal::srd::SamplerSrdInfo info;
  info.magFilter = info.minFilter =
      sampler.linear ? pal::srd::Filter::Linear : pal::srd::Filter::Point;
  info.address.fill(addressOf(sampler.address));
  info.unnormalized = !sampler.normalized;
  info.truncateCoords = !sampler.linear;
  std::array<uint32_t, 4> words;
  pal::srd::buildSamplerSrd(target, info, words.data());
  return words;
}

} // namespace kiln_cl
