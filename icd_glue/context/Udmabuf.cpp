//===- Udmabuf.cpp - dma-bufs of anonymous files --------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/context/Udmabuf.h"
#include <fcntl.h>
#include <linux/udmabuf.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace icd {

Udmabuf::Udmabuf(const char *path) : device(open(path, O_RDWR | O_CLOEXEC)) {}

Udmabuf::~Udmabuf() {
  if (device >= 0)
    close(device);
}

int Udmabuf::create(int file, uint64_t size) const {
  udmabuf_create request = {};
  request.memfd = static_cast<uint32_t>(file);
  request.flags = UDMABUF_FLAGS_CLOEXEC;
  request.size = size;
  return exists() ? ioctl(device, UDMABUF_CREATE, &request) : -1;
}

} // namespace icd
