//===- Inputs.h - generated inputs in the memory of a device --------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Pipeline.h"
#include "pal_shim/device/Device.h"
#include "pal_shim/srd/Srd.h"
#include "test/exec/job/Job.h"

namespace report {

/// Resources of a job, descriptors of them as a layout wants them, and the user data that points
/// there.
class Inputs {
public:
  Inputs(pal::device::SoftwareDevice &device, const exec::Job &job)
      : device(device), job(job), push(job.push) {}
  /// Errors: a format, descriptor or node that this does not know.
  llvm::Error create(const lgc::ResourceMapping &mapping);
  llvm::ArrayRef<uint32_t> userData() const { return entries; }
  const pal::device::Allocation &buffer(uint32_t index) const { return *buffers[index]; }

private:
  using Memory = std::unique_ptr<pal::device::Allocation>;
  llvm::Expected<Memory> allocate(uint64_t bytes, pal::device::Heap heap, const char *name);
  llvm::Error createBuffers();
  llvm::Error createImages();
  llvm::Error createRoot(const lgc::ResourceNode &node);
  llvm::Error fillTable(const lgc::ResourceNode &table, uint32_t *words, size_t count);
  llvm::Error writeDescriptor(const lgc::ResourceNode &node, const exec::Binding &binding,
                              uint32_t *words) const;
  llvm::Error writeBuffer(const exec::Binding &binding, uint32_t *words) const;
  llvm::Error writeTexelBuffer(const exec::Binding &binding, uint32_t *words) const;
  llvm::Error writeImage(const exec::Binding &binding, uint32_t *words) const;
  void writeSampler(const exec::Binding &binding, uint32_t *words) const;

  pal::device::SoftwareDevice &device;
  const exec::Job &job;
  exec::Bytes push; ///< with addresses
  std::vector<Memory> buffers, images, tables;
  std::vector<uint32_t> entries;
};

/// A format of images and texel buffers, with the channels that it lacks filled in.
struct TexelFormat {
  pal::formats::Format format = pal::formats::Format::Undefined;
  pal::srd::Swizzle swizzle = pal::srd::identitySwizzle;
};
/// Of the formats that generated inputs have. Errors: another one.
llvm::Expected<TexelFormat> texelFormatOf(VkFormat format);

} // namespace report
