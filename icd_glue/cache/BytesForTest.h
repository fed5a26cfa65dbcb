//===- BytesForTest.h - an object of caches that is any bytes -------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/cache/ShaderCache.h"

namespace icd {

class BytesObject final : public CacheObject {
public:
  explicit BytesObject(std::vector<uint8_t> bytes) : bytes(std::move(bytes)) {}
  std::vector<uint8_t> record() const override { return bytes; }
  size_t memoryBytes() const override { return bytes.size(); }

private:
  const std::vector<uint8_t> bytes;
};

} // namespace icd
