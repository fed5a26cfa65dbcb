//===- PalTablesTest.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Words that PAL's null devices had in memory (client interface 924; the second word's address
/// bits are those of the address here, attribute rings have a size here).
#include "pal_shim/device/core/PalTables.h"
#include "pal_shim/device/core/Decoder.h"
#include "pal_shim/device/memory/BufferResource.h"
#include "gtest/gtest.h"

using namespace pal::device;
namespace userdata = pal::abi::userdata;

namespace {

using Words = std::array<uint32_t, 4>;
constexpr TableMemory memory = {0x2'12345600, 0xC000000, 0xC000};

Words wordsOf(const char *target, TableEntry entry) {
  return tableWords(generationOf(*pal::abi::findTarget(target)), entry, memory);
}

constexpr uint32_t low = 0x12345600, bytes = 0xC000000, records = bytes / 16;

struct Expected {
  TableEntry entry;
  unsigned dword;
  Words navi1x2x, navi3x, navi4x;
};
constexpr Words absent = {};
constexpr Expected table[] = {
    {TableEntry::GraphicsScratch,
     0,
     {low, 0x80000002, bytes, 0x21E16FAC},
     {low, 0x40000002, bytes, 0x20E16FAC},
     {low, 0x40000002, bytes, 0x20E16FAC}},
    {TableEntry::ComputeScratch,
     4,
     {low, 0x80000002, bytes, 0x21E16FAC},
     {low, 0x40000002, bytes, 0x20E16FAC},
     {low, 0x40000002, bytes, 0x20E16FAC}},
    {TableEntry::GsVsWrite0, 16, {low, 0x80000002, 0x40, 0x21A16FAC}, absent, absent},
    {TableEntry::GsVsWrite1, 20, {low, 0x80000002, 0x40, 0x21A16FAC}, absent, absent},
    {TableEntry::GsVsWrite2, 24, {low, 0x80000002, 0x40, 0x21A16FAC}, absent, absent},
    {TableEntry::GsVsWrite3, 28, {low, 0x80000002, 0x40, 0x21A16FAC}, absent, absent},
    {TableEntry::GsVsRead, 32, {low, 0x00000002, bytes, 0x21016FAC}, absent, absent},
    {TableEntry::TessFactor,
     36,
     {low, 0x00000002, bytes, 0x21016FAC},
     {low, 0x00000002, bytes, 0x20016FAC},
     {low, 0xC0000002, bytes, 0x20416FAC}},
    {TableEntry::OffChipLds,
     40,
     {low, 0x00000002, bytes, 0x21016FAC},
     {low, 0x00000002, bytes, 0x20016FAC},
     {low, 0xC0000002, bytes, 0x20416FAC}},
    {TableEntry::AttributeRing,
     44,
     absent,
     {low, 0xC0100002, records, 0x2043FFAC},
     {low, 0xC0100002, records, 0x2043FFAC}},
    {TableEntry::SamplePositions,
     48,
     {low, 0x00100002, bytes, 0x21016FAC},
     {low, 0x00100002, bytes, 0x20016FAC},
     {low, 0xC0100002, records, 0x20416FAC}},
    {TableEntry::TaskPayload,
     52,
     {low, 0x00000002, bytes, 0x21016FAC},
     {low, 0x00000002, bytes, 0x20016FAC},
     {low, 0xC0000002, bytes, 0x20416FAC}},
    {TableEntry::TaskDrawData,
     56,
     {low, 0x00100002, bytes, 0x21016FAC},
     {low, 0x00100002, bytes, 0x20016FAC},
     {low, 0xC0100002, bytes, 0x20416FAC}},
    {TableEntry::MeshScratch,
     60,
     {low, 2, bytes, 0xC000},
     {low, 2, bytes, 0xC000},
     {low, 2, bytes, 0xC000}},
};
static_assert(std::size(table) == size_t(TableEntry::Count));

} // namespace

TEST(PalTables, GlobalTableOfEachGeneration) {
  for (const Expected &entry : table) {
    SCOPED_TRACE(entry.dword);
    EXPECT_EQ(dwordOf(entry.entry), entry.dword);
    EXPECT_EQ(wordsOf("gfx1010", entry.entry), entry.navi1x2x);
    EXPECT_EQ(wordsOf("gfx1030", entry.entry), entry.navi1x2x);
    EXPECT_EQ(wordsOf("gfx1100", entry.entry), entry.navi3x);
    EXPECT_EQ(wordsOf("gfx1150", entry.entry), entry.navi3x);
    EXPECT_EQ(wordsOf("gfx1201", entry.entry), entry.navi4x);
  }
}

TEST(PalTables, WhatTheWordsMean) {
  Words words = wordsOf("gfx1030", TableEntry::GsVsWrite0);
  BufferResource resource = decodeBufferResource(Generation::Gfx103, words.data());
  EXPECT_EQ(resource.indexStride, gsVsBlockLanes);
  EXPECT_EQ(resource.elementBytes, 4);
  EXPECT_TRUE(resource.addTid);
  words = wordsOf("gfx1201", TableEntry::AttributeRing);
  resource = decodeBufferResource(Generation::Gfx12, words.data());
  EXPECT_EQ(resource.indexStride, 32u);
  EXPECT_EQ(resource.elementBytes, 16);
  EXPECT_EQ(resource.stride, 16u);
  EXPECT_EQ(resource.bounds, 2);
}

TEST(PalTables, StreamOutTargets) {
  EXPECT_EQ(streamOutWords(Generation::Gfx103, memory, 24),
            (Words{low, 24u << 16 | 2, 0xFFFFFFC0, 0x11014FAC}));
  EXPECT_EQ(streamOutWords(Generation::Gfx103, memory, 0), (Words{low, 2, 0xFFFFFFC0, 0x11014FAC}));
  EXPECT_EQ(streamOutWords(Generation::Gfx11, memory, 24),
            (Words{low, 1u << 16 | 2, bytes, 0x10014FAC}));
  EXPECT_EQ(streamOutWords(Generation::Gfx12, memory, 24),
            (Words{low, 1u << 16 | 2, bytes, 0x33014FAC}));
}

TEST(PalTables, CullingDataAndStreamOutControl) {
  // 16 viewports, 16 scissors of two dwords, three more.
  EXPECT_EQ(culling::Viewports + 16 * culling::ViewportDwords + 16 * 2 + 3, culling::Conservative);
  // Four starts, four counters, four counters, four pairs.
  EXPECT_EQ(streamOutCounts::Needed, 4u * 4);
  EXPECT_EQ(streamOutCounts::Written, streamOutCounts::Needed + 4 * 8);
  EXPECT_EQ(streamOutCounts::Turn, streamOutCounts::Written + 4 * 8);
  EXPECT_EQ(streamOutCounts::Bytes, streamOutCounts::Turn + 4 * 8);
}

TEST(PalTables, UserDataOfStages) {
  using enum UserDataKind;
  struct Row {
    uint32_t value;
    bool graphics, task, compute;
  };
  constexpr Row rows[] = {
      {userdata::globalTable, true, true, true},
      {userdata::spillTable, true, true, true},
      {userdata::workgroup, false, false, true},
      {userdata::viewId, true, false, false},
      {userdata::drawIndex, true, true, false},
      {userdata::baseVertex, true, false, false},
      {userdata::meshTaskRingIndex, true, true, false},
      {userdata::meshTaskDispatchDims, true, true, false},
      {userdata::colorExportAddr, false, false, false}, // nobody asks for it
  };
  for (const Row &row : rows) {
    SCOPED_TRACE(userdata::describe(row.value));
    EXPECT_EQ(fillsUserData(row.value, Graphics, Generation::Gfx11), row.graphics);
    EXPECT_EQ(fillsUserData(row.value, Task, Generation::Gfx11), row.task);
    EXPECT_EQ(fillsUserData(row.value, Compute, Generation::Gfx11), row.compute);
  }
  EXPECT_TRUE(fillsUserData(userdata::meshPipeStatsBuf, Task, Generation::Gfx103));
  EXPECT_FALSE(fillsUserData(userdata::meshPipeStatsBuf, Task, Generation::Gfx12));
  EXPECT_EQ(userDataKindOf(pal::abi::HardwareStage::Cs, true), Task);
  EXPECT_EQ(userDataKindOf(pal::abi::HardwareStage::Cs, false), Compute);
  EXPECT_EQ(userDataKindOf(pal::abi::HardwareStage::Gs, true), Graphics);
}
