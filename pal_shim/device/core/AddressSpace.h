//===- AddressSpace.h - GPU addresses to host memory -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Sorted, guarded regions of the 48-bit address space. Allocating and freeing make a new immutable
/// table; a dispatch keeps the table of its start, so that its lookups need no lock and freed
/// storage outlives it.
#pragma once

#include "pal_shim/device/core/Profile.h"
#include <algorithm>
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
  /// \p extra: one more region, below all of the table; of a dispatch.
  explicit MemoryView(std::shared_ptr<const RegionTable> table,
                      std::shared_ptr<const Region> extra = nullptr)
      : table(std::move(table)), extra(std::move(extra)) {}

  /// Host pointer to [address, address + bytes), or null when any byte lies outside.
  uint8_t *find(GpuAddress address, uint64_t bytes) {
    const Region *region = recent[0];
    if (region && contains(*region, address, bytes))
      return region->host + (address - region->address);
    return findSlow(address, bytes);
  }
  /// The same for what lies between the first and the last lane's places: null also while accesses
  /// are logged, which must be looked for one by one.
  uint8_t *findForAll(GpuAddress address, uint64_t bytes) {
    const Region *region = recent[0];
    if (region && contains(*region, address, bytes))
      return region->host + (address - region->address);
    return log ? nullptr : findSlow(address, bytes);
  }
  /// "0x1234 is 16 bytes after 'vertices' [0x1000, 0x1224)", for messages.
  std::string describe(GpuAddress address) const;

  /// Receives every access that is looked for here; null: nobody. Hits are forgotten meanwhile, so
  /// that find() need not ask.
  void setLog(AccessLog *newLog) {
    log = newLog;
    std::fill(std::begin(recent), std::end(recent), nullptr);
  }
  /// Lanes must be looked up one by one then.
  AccessLog *accessLog() const { return log; }

private:
  static bool contains(const Region &region, GpuAddress address, uint64_t bytes) {
    uint64_t offset = address - region.address;
    return offset < region.size && bytes <= region.size - offset;
  }
  uint8_t *findSlow(GpuAddress address, uint64_t bytes);
  const Region *lookUp(GpuAddress address) const;

  std::shared_ptr<const RegionTable> table;
  std::shared_ptr<const Region> extra;
  const Region *recent[4] = {}; ///< latest first
  AccessLog *log = nullptr;
};

/// Where allocations lie; below 2^47, so that no address needs a sign extension.
struct AddressRange {
  GpuAddress begin, end;
};
/// The range of Heap::General, and the one 4 GiB range of Heap::DescriptorTables with all code.
inline constexpr AddressRange generalRange = {0x0000'0100'0000'0000, 0x0000'7000'0000'0000};
inline constexpr AddressRange tablesRange = {0x0000'0001'0010'0000, 0x0000'0002'0000'0000};
/// Tables that a dispatch makes for itself: in the same 4 GiB, below all allocations; seen only by
/// the dispatch.
inline constexpr GpuAddress dispatchTablesAddress = 0x0000'0001'0000'0000 + 0x1'0000;
/// Between two allocations.
inline constexpr uint64_t guardBytes = 64 * 1024;

/// All member functions may be called by any thread.
class AddressSpace {
public:
  /// Errors: AbiError TooLarge when storage or addresses are exhausted, Malformed for a size or
  /// alignment that AllocationInfo does not permit.
  llvm::Expected<std::shared_ptr<const Region>> allocate(const AllocationInfo &info);
  /// \p address: of a region.
  void free(GpuAddress address);
  std::shared_ptr<const RegionTable> snapshot() const;

private:
  mutable std::mutex mutex;
  std::shared_ptr<const RegionTable> regions = std::make_shared<RegionTable>();
  GpuAddress nextGeneral = generalRange.begin;
  GpuAddress nextTables = tablesRange.begin;
};

} // namespace pal::device
