//===- Images.h - images and samplers of kernels --------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Words of .sim files about images (SimFile.h), and what the device takes of them.
#pragma once

#include "llpc/Kernels.h"
#include "pal_shim/device/Device.h"
#include "pal_shim/srd/Srd.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace kiln_cl {

enum class Element : uint8_t { Char, Uchar, Short, Ushort, Int, Uint, Long, Ulong, Float, Double };

/// Size and format of an image. Texels are in memory without gaps, row by row.
struct ImageWords {
  std::array<uint32_t, 3> size = {1, 1, 1};
  unsigned dimensions = 0; ///< that size= gives; 0: none
  uint32_t channels = 0;   ///< 0: no order= yet
  bool isBgra = false;
  pal::formats::NumberKind kind = pal::formats::NumberKind::Unorm;
  uint32_t bits = 0; ///< of a channel; 0: no channel= yet
  Element element = Element::Uchar;

  uint64_t rows() const { return uint64_t(size[1]) * size[2]; }
  uint64_t rowBytes() const { return uint64_t(size[0]) * channels * bits / 8; }
};

/// One of `image=`, `order=`, `channel=` with its value. False: it is none of them, or wrong.
bool readImageWord(llvm::StringRef word, ImageWords &image);
/// How many numbers `image=` has for images of this dimension.
unsigned dimensionsOf(llpc::KernelImageDim dim);
/// The value of `sampler=`.
std::optional<llpc::KernelSampler> readSampler(llvm::StringRef words);

/// An image on the device.
struct DeviceImage {
  std::unique_ptr<pal::device::Allocation> memory;
  uint32_t rowPitch = 0, slicePitch = 0;
  std::array<uint32_t, 8> descriptor = {};

  /// Between the device and bytes without gaps.
  void write(const ImageWords &image, const uint8_t *bytes);
  void read(const ImageWords &image, uint8_t *bytes) const;
};
/// Errors: Unsupported for formats that the target has not.
llvm::Expected<DeviceImage> makeImage(pal::device::SoftwareDevice &device,
                                      const pal::abi::GpuTarget &target, const ImageWords &image,
                                      llpc::KernelImageDim dim, const std::string &name);
std::array<uint32_t, 4> samplerDescriptor(const pal::abi::GpuTarget &target,
                                          const llpc::KernelSampler &sampler);

} // namespace kiln_cl
