//===- AddressSpace.h - GPU addresses to host memory -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Sorted, guarded regions of the 48-bit address space. Allocating and freeing make a new immutable
/// table; a dispatch keeps the table of its start, so that its lookups need no lock and freed
/// storage outlives it.
#pragma once

#include "pal_shim/device/Device.h"
#include <memory>
#include <mutex>
#include <vector>

namespace pal::device {

struct Region {
  GpuAddress address = 0;
  uint64_t size = 0;
  uint8_t *host = nullptr;
  std::string name;
  std::shared_ptr<void> storage; ///< keeps `host` alive; null for memory of the caller
};

/// Regions sorted by address.
using RegionTable = std::vector<std::shared_ptr<const Region>>;

/// Lookup with memory of the last hits; one per thread.
class MemoryView {
public:
  explicit MemoryView(std::shared_ptr<const RegionTable> table) : table(std::move(table)) {}

  /// Host pointer to [address, address + bytes), or null when any byte lies outside.
  uint8_t *find(GpuAddress address, uint64_t bytes) {
    const Region *r = last;
    if (r && address - r->address < r->size && bytes <= r->size - (address - r->address))
      return r->host + (address - r->address);
    return findSlow(address, bytes);
  }
  /// "0x1234 is 16 bytes after 'vertices' [0x1000, 0x1224)", for messages.
  std::string describe(GpuAddress address) const;

private:
  uint8_t *findSlow(GpuAddress address, uint64_t bytes);
  std::shared_ptr<const RegionTable> table;
  const Region *last = nullptr;
};

class AddressSpace {
public:
  llvm::Expected<std::shared_ptr<const Region>> allocate(const AllocationInfo &info);
  void free(GpuAddress address);
  std::shared_ptr<const RegionTable> snapshot() const;

private:
  mutable std::mutex mutex;
  std::shared_ptr<const RegionTable> regions = std::make_shared<RegionTable>();
  GpuAddress nextGeneral = 0x0000'0100'0000'0000;
  GpuAddress nextTables = 0x0000'0001'0000'0000;
};

} // namespace pal::device
