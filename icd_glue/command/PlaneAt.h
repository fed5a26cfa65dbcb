//===- PlaneAt.h - planes of images in recorded transfers -----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/command/Recording.h"
#include "icd_glue/image/CopyEngine.h"
#include <memory>

namespace icd {

/// A plane and where it is; shared by the regions of a command.
struct PlaneAt {
  ImagePlane plane;
  pal::device::GpuAddress address;

  llvm::Expected<HostPlane> lookUp(Execution &execution) const {
    llvm::Expected<uint8_t *> host = execution.memory(address, plane.layout.totalBytes());
    if (!host)
      return host.takeError();
    return HostPlane{plane, *host};
  }
};
using SharedPlane = std::shared_ptr<const PlaneAt>;

/// The plane that an aspect names; null when the image has none.
inline SharedPlane planeOf(VkImage handle, VkImageAspectFlagBits aspect) {
  const auto *image = fromHandle<Image>(handle);
  if (!image)
    return nullptr;
  const unsigned index = image->shape.format->planeOf(aspect);
  if (index >= image->shape.format->planeCount)
    return nullptr;
  return std::make_shared<PlaneAt>(PlaneAt{image->shape.planes[index], image->address(index)});
}

/// A region that is not where it should be.
inline llvm::Error outsideError(const char *what) {
  return llvm::make_error<pal::device::DeviceFault>(pal::device::DeviceFault::Kind::MemoryAccess,
                                                    what);
}

} // namespace icd
