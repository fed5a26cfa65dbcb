// SPDX-License-Identifier: MIT
// Bound state as root user data; tables of push descriptors on a device that only has memory.
#include "icd_glue/command/BindState.h"
#include <gtest/gtest.h>
#include <numeric>

namespace icd {
namespace {

using namespace pal::device;

class FakeAllocation : public Allocation {
public:
  FakeAllocation(uint64_t size, GpuAddress address) : storage(size) {
    gpuAddress = address;
    bytes = size;
    hostPointer = storage.data();
  }
  std::vector<uint8_t> storage;
};

class FakeGpu : public SoftwareDevice {
public:
  const DeviceOptions &options() const override { return unused; }
  llvm::Expected<std::unique_ptr<Allocation>> allocate(const AllocationInfo &info) override {
    ++allocations;
    next += 0x1'0000'0000 + info.size;
    return std::make_unique<FakeAllocation>(info.size, next);
  }
  llvm::Expected<std::shared_ptr<const Program>> loadProgram(llvm::ArrayRef<uint8_t>,
                                                             llvm::StringRef) override {
    return nullptr;
  }
  llvm::Error dispatch(const DispatchInfo &) override { return llvm::Error::success(); }
  llvm::Error dispatchIndirect(const DispatchInfo &, GpuAddress) override {
    return llvm::Error::success();
  }
  llvm::Error draw(const DrawInfo &) override { return llvm::Error::success(); }
  uint8_t *translate(GpuAddress, uint64_t) override { return nullptr; }
  std::map<OpcodeKey, uint64_t> opcodeCounts() const override { return {}; }
  uint64_t instructionsExecuted() const override { return 0; }

  DeviceOptions unused;
  GpuAddress next = 0;
  int allocations = 0;
};

TEST(BindState, OffsetsAddToTheAddress) {
  BufferWords words = {0xFFFFFFF0, 0x12340001, 64, 7};
  EXPECT_EQ(withOffset(words, 0x20), (BufferWords{0x10, 0x12340002, 64, 7}));
  EXPECT_EQ(withOffset({}, 0x20), BufferWords());
}

TEST(BindState, UserDataTakesEachPartFromItsPlace) {
  FakeGpu gpu;
  TableArena tables(std::make_shared<TableChunks>(gpu));
  UserDataLayout layout;
  layout.sets.resize(3);
  layout.sets[0].tableOffset = 0;
  layout.sets[2].tableOffset = 1;
  layout.sets[2].dynamicOffset = 2;
  layout.sets[2].dynamicCount = 2;
  layout.pushOffset = 10;
  layout.pushDwords = 2;
  layout.totalDwords = 12;
  BindPointState state;
  state.sets[0].table = 0xAA;
  state.sets[1].table = 0xBB; // not in the layout
  state.sets[2].table = 0xCC;
  state.sets[2].dynamicBuffers.push_back({1, 2, 3, 4}); // the second stays unbound
  PushConstantState constants;
  std::iota(constants.bytes.begin(), constants.bytes.end(), uint8_t(0));
  auto data = buildUserData(layout, state, constants, tables);
  ASSERT_TRUE(data);
  EXPECT_EQ(*data,
            (std::vector<uint32_t>{0xAA, 0xCC, 1, 2, 3, 4, 0, 0, 0, 0, 0x03020100, 0x07060504}));
  EXPECT_EQ(gpu.allocations, 0);
}

TEST(BindState, PushDescriptorsAreUploadedWhenTheyChanged) {
  FakeGpu gpu;
  auto chunks = std::make_shared<TableChunks>(gpu);
  {
    TableArena tables(chunks);
    UserDataLayout layout;
    layout.sets.resize(1);
    layout.sets[0].tableOffset = 0;
    layout.totalDwords = 1;
    SetLayout set;
    set.sizeDwords = 4;
    auto shared = std::make_shared<const SetLayout>(set);
    BindPointState state;
    state.pushSet(0, shared).words[0] = 5;
    uint32_t first = (*buildUserData(layout, state, {}, tables))[0];
    EXPECT_EQ((*buildUserData(layout, state, {}, tables))[0], first);
    // An equal layout keeps what was pushed.
    PushSet &again = state.pushSet(0, std::make_shared<const SetLayout>(set));
    EXPECT_EQ(again.words[0], 5u);
    uint32_t second = (*buildUserData(layout, state, {}, tables))[0];
    EXPECT_EQ(second, first + 16);
    EXPECT_EQ(gpu.allocations, 1);
  }
  // The chunk went back and serves the next command buffer.
  TableArena tables(chunks);
  EXPECT_NE(tables.upload({1, 2, 3}), 0u);
  EXPECT_EQ(gpu.allocations, 1);
}

} // namespace
} // namespace icd
