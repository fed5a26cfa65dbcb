//===- PalTables.cpp - what PAL puts into tables and registers ------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/PalTables.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace pal::device {

namespace {

/// What word 2 counts.
enum class Records : uint8_t {
  None, ///< the entry does not exist
  Bytes,
  Lanes64,  ///< 64, the lanes of a wave
  Records16 ///< 16 bytes each
};

/// Word 1 above the address, word 2, word 3.
struct Words {
  uint32_t high;
  Records records;
  uint32_t last;
};
constexpr Words none = {0, Records::None, 0};

struct EntryRow {
  TableEntry entry;
  unsigned dword;
  Words gfx10, gfx11, gfx12;
};

constexpr Words scratch10 = {0x80000000, Records::Bytes, 0x21E16FAC},
                scratch11 = {0x40000000, Records::Bytes, 0x20E16FAC},
                gsVsWrite = {0x80000000, Records::Lanes64, 0x21A16FAC},
                plain10 = {0x00000000, Records::Bytes, 0x21016FAC},
                plain11 = {0x00000000, Records::Bytes, 0x20016FAC},
                plain12 = {0xC0000000, Records::Bytes, 0x20416FAC};

/// By number of the entry.
constexpr EntryRow entries[] = {
    {TableEntry::GraphicsScratch, 0, scratch10, scratch11, scratch11},
    {TableEntry::ComputeScratch, 4, scratch10, scratch11, scratch11},
    {TableEntry::GsVsWrite0, 16, gsVsWrite, none, none},
    {TableEntry::GsVsWrite1, 20, gsVsWrite, none, none},
    {TableEntry::GsVsWrite2, 24, gsVsWrite, none, none},
    {TableEntry::GsVsWrite3, 28, gsVsWrite, none, none},
    {TableEntry::GsVsRead, 32, plain10, none, none},
    {TableEntry::TessFactor, 36, plain10, plain11, plain12},
    {TableEntry::OffChipLds, 40, plain10, plain11, plain12},
    {TableEntry::AttributeRing,
     44,
     none,
     {0xC0100000, Records::Records16, 0x2043FFAC},
     {0xC0100000, Records::Records16, 0x2043FFAC}},
    {TableEntry::SamplePositions,
     48,
     {0x00100000, Records::Bytes, 0x21016FAC},
     {0x00100000, Records::Bytes, 0x20016FAC},
     {0xC0100000, Records::Records16, 0x20416FAC}},
    {TableEntry::TaskPayload, 52, plain10, plain11, plain12},
    {TableEntry::TaskDrawData,
     56,
     {0x00100000, Records::Bytes, 0x21016FAC},
     {0x00100000, Records::Bytes, 0x20016FAC},
     {0xC0100000, Records::Bytes, 0x20416FAC}},
    {TableEntry::MeshScratch, 60, none, none, none},
};
static_assert(std::size(entries) == size_t(TableEntry::Count));

const EntryRow &rowOf(TableEntry entry) { return entries[unsigned(entry)]; }

/// The registers of which stages PAL writes. On gfx12 nothing writes mesh statistics, which the
/// hardware counts.
struct SpecialRow {
  uint32_t value;
  bool graphics, task, compute;
  bool beforeGfx12 = false;
};
constexpr SpecialRow specials[] = {
    {abi::userdata::globalTable, true, true, true},
    {abi::userdata::spillTable, true, true, true},
    {abi::userdata::workgroup, false, false, true},
    {abi::userdata::baseVertex, true, false, false},
    {abi::userdata::baseInstance, true, false, false},
    // In a task shader it is TaskDispatchIndex, the same number.
    {abi::userdata::drawIndex, true, true, false},
    // PAL writes it to registers of graphics stages only, also between task dispatches.
    {abi::userdata::viewId, true, false, false},
    {abi::userdata::vertexBufferTable, true, false, false},
    {abi::userdata::nggCullingData, true, false, false},
    {abi::userdata::streamOutTable, true, false, false},
    {abi::userdata::streamOutControlBuf, true, false, false},
    {abi::userdata::compositeData, true, false, false},
    {abi::userdata::sampleInfo, true, false, false},
    {abi::userdata::meshTaskDispatchDims, true, true, false},
    {abi::userdata::meshTaskRingIndex, true, true, false},
    {abi::userdata::meshPipeStatsBuf, true, true, false, /*beforeGfx12=*/true},
};

} // namespace

unsigned dwordOf(TableEntry entry) { return rowOf(entry).dword; }

std::array<uint32_t, 4> tableWords(Generation generation, TableEntry entry,
                                   const TableMemory &memory) {
  auto low = uint32_t(memory.address), high = uint32_t(memory.address >> 32);
  if (entry == TableEntry::MeshScratch)
    return {low, high, memory.bytes, memory.itemBytes};
  const EntryRow &row = rowOf(entry);
  const Words &words = isGfx10(generation)   ? row.gfx10
                       : isGfx11(generation) ? row.gfx11
                                             : row.gfx12;
  std::array<uint32_t, 4> result = {low, words.high | (high & 0xFFFF), 0, words.last};
  switch (words.records) {
  case Records::None:
    return {};
  case Records::Bytes:
    result[2] = memory.bytes;
    break;
  case Records::Lanes64:
    result[2] = 64;
    break;
  case Records::Records16:
    result[2] = memory.bytes / 16;
    break;
  }
  return result;
}

std::array<uint32_t, 4> streamOutWords(Generation generation, const TableMemory &memory,
                                       uint32_t strideBytes) {
  auto low = uint32_t(memory.address), high = uint32_t(memory.address >> 32) & 0xFFFF;
  // Of the index, which lane numbers are added to: only those of lanes that have no place overflow.
  constexpr uint32_t noBounds = 0xFFFFFFC0;
  if (isGfx10(generation))
    return {low, high | strideBytes << 16, noBounds, 0x11014FAC};
  uint32_t oneByte = strideBytes ? 1u << 16 : 0;
  return {low, high | oneByte, memory.bytes, isGfx11(generation) ? 0x10014FACu : 0x33014FACu};
}

UserDataKind userDataKindOf(abi::HardwareStage stage, bool isDraw) {
  if (stage != abi::HardwareStage::Cs)
    return UserDataKind::Graphics;
  return isDraw ? UserDataKind::Task : UserDataKind::Compute;
}

bool fillsUserData(uint32_t value, UserDataKind kind, Generation generation) {
  const SpecialRow *row = find_if(specials, [&](const SpecialRow &r) { return r.value == value; });
  if (row == std::end(specials) || (row->beforeGfx12 && isGfx12(generation)))
    return false;
  switch (kind) {
  case UserDataKind::Graphics:
    return row->graphics;
  case UserDataKind::Task:
    return row->task;
  case UserDataKind::Compute:
    return row->compute;
  }
  return false;
}

} // namespace pal::device
