//===- AddressSpaceTest.cpp - GPU addresses to host memory -----------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/AddressSpace.h"
#include "pal_shim/abi/AbiError.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace pal::device;

namespace {

std::shared_ptr<const Region> allocate(AddressSpace &space, uint64_t size, uint64_t alignment = 256,
                                       Heap heap = Heap::General) {
  auto region = space.allocate({.size = size, .alignment = alignment, .heap = heap, .name = "r"});
  EXPECT_TRUE(bool(region));
  return *region;
}

std::string errorOf(AddressSpace &space, const AllocationInfo &info) {
  auto region = space.allocate(info);
  return region ? "success" : llvm::toString(region.takeError());
}

} // namespace

TEST(AddressSpace, RegionsKeepAlignmentAndDistance) {
  AddressSpace space;
  std::vector<std::shared_ptr<const Region>> regions;
  std::mt19937 random(1);
  for (unsigned i = 0; i < 200; ++i)
    regions.push_back(allocate(space, random() % 100000 + 1, 1ull << random() % 22,
                               random() % 2 ? Heap::General : Heap::DescriptorTables));
  std::shared_ptr<const RegionTable> table = space.snapshot();
  ASSERT_EQ(table->size(), 200u);
  for (size_t i = 1; i < table->size(); ++i)
    EXPECT_GE((*table)[i]->address, (*table)[i - 1]->address + (*table)[i - 1]->size + 65536);
  std::mt19937 again(1);
  for (const auto &region : regions) {
    again();
    EXPECT_EQ(region->address % (1ull << again() % 22), 0u);
    bool isGeneral = again() % 2;
    EXPECT_EQ(region->address >> 32 == 1, !isGeneral);
    EXPECT_LT(region->address + region->size, 1ull << 47);
    for (uint64_t i = 0; i < region->size; i += 997)
      EXPECT_EQ(region->host[i], 0);
  }
}

TEST(AddressSpace, AddressesAreNotReusedSoon) {
  AddressSpace space;
  std::set<GpuAddress> seen;
  for (unsigned i = 0; i < 1000; ++i) {
    auto region = allocate(space, 4096, 256, Heap::DescriptorTables);
    EXPECT_TRUE(seen.insert(region->address).second);
    space.free(region->address);
  }
  EXPECT_TRUE(space.snapshot()->empty());
}

TEST(AddressSpace, RangeWrapsAroundWhatIsStillInUse) {
  // Blocks of a gigabyte, whose pages are never touched, in a range of 4 GiB less one MiB.
  AddressSpace space;
  constexpr uint64_t gib = 1ull << 30;
  auto first = allocate(space, gib, 256, Heap::DescriptorTables);
  auto second = allocate(space, gib, 256, Heap::DescriptorTables);
  auto third = allocate(space, gib, 256, Heap::DescriptorTables);
  EXPECT_NE(errorOf(space, {.size = gib, .heap = Heap::DescriptorTables}).find("no address range"),
            std::string::npos);
  GpuAddress freed = second->address;
  space.free(freed);
  auto again = allocate(space, gib, 256, Heap::DescriptorTables);
  EXPECT_EQ(again->address, freed);
}

TEST(AddressSpace, RejectsWhatItCannotPlace) {
  AddressSpace space;
  EXPECT_EQ(errorOf(space, {.size = 0, .name = "x"}), "allocation 'x': size 0, alignment 256");
  EXPECT_EQ(errorOf(space, {.size = 1, .alignment = 3, .name = "x"}),
            "allocation 'x': size 1, alignment 3");
  EXPECT_EQ(errorOf(space, {.size = 1, .alignment = 1ull << 22, .name = "x"}),
            "allocation 'x': size 1, alignment 4194304");
  EXPECT_EQ(errorOf(space, {.size = ~0ull, .name = "x"}),
            "allocation 'x': size 18446744073709551615");
  EXPECT_EQ(errorOf(space, {.size = 1ull << 32, .heap = Heap::DescriptorTables, .name = "x"}),
            "allocation 'x': size 4294967296");
}

TEST(AddressSpace, MemoryOfTheCaller) {
  AddressSpace space;
  uint8_t storage[64];
  auto region = space.allocate({.size = 64, .name = "mine", .hostMemory = storage});
  ASSERT_TRUE(bool(region));
  EXPECT_EQ((*region)->host, storage);
}

TEST(MemoryView, FindsExactlyWhatIsThere) {
  AddressSpace space;
  std::vector<std::shared_ptr<const Region>> regions;
  for (unsigned i = 0; i < 9; ++i)
    regions.push_back(allocate(space, 100 + i));
  MemoryView view(space.snapshot());
  for (unsigned round = 0; round < 3; ++round)
    for (const auto &r : regions) {
      EXPECT_EQ(view.find(r->address, r->size), r->host);
      EXPECT_EQ(view.find(r->address + 99, 1), r->host + 99);
      EXPECT_EQ(view.find(r->address, r->size + 1), nullptr);
      EXPECT_EQ(view.find(r->address + r->size, 1), nullptr);
      EXPECT_EQ(view.find(r->address - 1, 1), nullptr);
      EXPECT_EQ(view.find(r->address, ~0ull), nullptr);
    }
  EXPECT_EQ(view.find(0, 1), nullptr);
  EXPECT_EQ(view.find(~0ull, 1), nullptr);
}

TEST(MemoryView, KeepsTheStateOfItsStart) {
  AddressSpace space;
  auto region = allocate(space, 64);
  GpuAddress address = region->address;
  MemoryView view(space.snapshot());
  region.reset();
  space.free(address);
  ASSERT_NE(view.find(address, 64), nullptr);
  *view.find(address, 64) = 1; // the storage is still there
  EXPECT_EQ(MemoryView(space.snapshot()).find(address, 1), nullptr);
}

TEST(MemoryView, DescribesPlaces) {
  AddressSpace space;
  EXPECT_EQ(MemoryView(space.snapshot()).describe(0x123), "0x123: nothing is allocated");
  auto region = allocate(space, 0x100);
  MemoryView view(space.snapshot());
  std::string range = " 'r' [" + pal::abi::hex(region->address) + ", " +
                      pal::abi::hex(region->address + 0x100) + ")";
  auto expected = [&](GpuAddress address, const char *relation) {
    return pal::abi::hex(address) + " is " + relation + range;
  };
  EXPECT_EQ(view.describe(region->address + 0x104),
            expected(region->address + 0x104, "4 bytes after the end of"));
  EXPECT_EQ(view.describe(region->address - 4), expected(region->address - 4, "4 bytes before"));
  EXPECT_EQ(view.describe(region->address + 4), expected(region->address + 4, "4 bytes into"));
}
