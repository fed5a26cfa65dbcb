//===- AddressSpace.cpp - GPU addresses to host memory ---------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/AddressSpace.h"
#include "pal_shim/abi/AbiError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>

using namespace llvm;

namespace pal::device {

namespace {

constexpr uint64_t maxAlignment = 2 * 1024 * 1024;

using Regions = RegionTable;

Regions::const_iterator firstAfter(const Regions &regions, GpuAddress address) {
  return llvm::upper_bound(regions, address,
                           [](GpuAddress a, const auto &region) { return a < region->address; });
}

/// The lowest free place at or after \p from, guard bytes on both sides; 0: none in \p range.
GpuAddress findPlace(const Regions &regions, AddressRange range, GpuAddress from, uint64_t size,
                     uint64_t alignment) {
  GpuAddress candidate = alignTo(from, alignment);
  auto next = firstAfter(regions, candidate);
  if (next != regions.begin()) {
    const Region &before = **std::prev(next);
    candidate = std::max(candidate, alignTo(before.address + before.size + guardBytes, alignment));
  }
  for (;; ++next) {
    if (candidate >= range.end || size > range.end - candidate)
      return 0;
    if (next == regions.end() || candidate + size + guardBytes <= (*next)->address)
      return candidate;
    candidate = alignTo((*next)->address + (*next)->size + guardBytes, alignment);
  }
}

} // namespace

Expected<std::shared_ptr<const Region>> AddressSpace::allocate(const AllocationInfo &info) {
  if (!info.size || !isPowerOf2_64(info.alignment) || info.alignment > maxAlignment)
    return abi::malformed("allocation '" + info.name + "': size " + Twine(info.size) +
                          ", alignment " + Twine(info.alignment));
  bool isTables = info.heap == Heap::DescriptorTables;
  AddressRange range = isTables ? tablesRange : generalRange;
  if (info.size > range.end - range.begin)
    return abi::tooLarge("allocation '" + info.name + "': size " + Twine(info.size));
  auto region = std::make_shared<Region>();
  region->size = info.size;
  region->name = info.name;
  region->host = static_cast<uint8_t *>(info.hostMemory);
  region->storage = info.hostOwner;
  if (!region->host) {
    // calloc gives untouched pages of large allocations lazily.
    uint64_t padding = 64; // so that the first byte can be aligned
    auto *storage = static_cast<uint8_t *>(std::calloc(info.size + padding, 1));
    if (!storage)
      return abi::tooLarge("allocation '" + info.name + "': no memory for " + Twine(info.size) +
                           " bytes");
    region->storage = std::shared_ptr<void>(storage, std::free);
    region->host = reinterpret_cast<uint8_t *>(alignTo(uintptr_t(storage), padding));
  }

  std::lock_guard lock(mutex);
  GpuAddress &next = isTables ? nextTables : nextGeneral;
  // Going round the range keeps freed addresses out of use for as long as possible.
  GpuAddress address = findPlace(*regions, range, next, info.size, info.alignment);
  if (!address)
    address = findPlace(*regions, range, range.begin, info.size, info.alignment);
  if (!address)
    return abi::tooLarge("allocation '" + info.name + "': no address range for " +
                         Twine(info.size) + " bytes");
  region->address = address;
  next = address + info.size + guardBytes;
  auto changed = std::make_shared<RegionTable>(*regions);
  changed->insert(firstAfter(*changed, address), region);
  regions = std::move(changed);
  return region;
}

void AddressSpace::free(GpuAddress address) {
  std::shared_ptr<const RegionTable> old; // its regions end after the lock does
  std::lock_guard lock(mutex);
  auto changed = std::make_shared<RegionTable>(*regions);
  llvm::erase_if(*changed, [&](const auto &region) { return region->address == address; });
  old = std::move(regions);
  regions = std::move(changed);
}

std::shared_ptr<const RegionTable> AddressSpace::snapshot() const {
  std::lock_guard lock(mutex);
  return regions;
}

const Region *MemoryView::lookUp(GpuAddress address) const {
  if (extra && contains(*extra, address, 1))
    return extra.get();
  auto next = firstAfter(*table, address);
  return next == table->begin() ? nullptr : std::prev(next)->get();
}

uint8_t *MemoryView::findSlow(GpuAddress address, uint64_t bytes) {
  if (log) {
    log->memory.push_back({address, bytes});
    const Region *region = lookUp(address);
    return region && contains(*region, address, bytes) ? region->host + (address - region->address)
                                                       : nullptr;
  }
  const Region *hit = nullptr;
  unsigned way = 1;
  for (; way < std::size(recent); ++way)
    if (recent[way] && contains(*recent[way], address, bytes)) {
      hit = recent[way];
      break;
    }
  if (!hit) {
    hit = lookUp(address);
    if (!hit || !contains(*hit, address, bytes))
      return nullptr;
    way = std::size(recent) - 1;
  }
  for (; way; --way)
    recent[way] = recent[way - 1];
  recent[0] = hit;
  return hit->host + (address - hit->address);
}

std::string MemoryView::describe(GpuAddress address) const {
  // The nearest region is one of the two neighbours.
  const Region *nearest = nullptr;
  uint64_t nearestDistance = ~0ull;
  auto consider = [&](const Region *region) {
    uint64_t end = region->address + region->size;
    uint64_t distance = address < region->address ? region->address - address
                        : address >= end          ? address - end
                                                  : 0;
    if (distance < nearestDistance) {
      nearest = region;
      nearestDistance = distance;
    }
  };
  auto next = firstAfter(*table, address);
  if (next != table->begin())
    consider(std::prev(next)->get());
  if (next != table->end())
    consider(next->get());
  if (extra)
    consider(extra.get());
  std::string text = abi::hex(address);
  if (!nearest)
    return text + ": nothing is allocated";
  uint64_t end = nearest->address + nearest->size;
  if (address < nearest->address)
    text += " is " + std::to_string(nearest->address - address) + " bytes before";
  else if (address >= end)
    text += " is " + std::to_string(address - end) + " bytes after the end of";
  else
    text += " is " + std::to_string(address - nearest->address) + " bytes into";
  return text + " '" + nearest->name + "' [" + abi::hex(nearest->address) + ", " + abi::hex(end) +
         ")";
}

} // namespace pal::device
