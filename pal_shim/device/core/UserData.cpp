//===- UserData.cpp - what user SGPRs hold, and the tables behind them ----===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/UserData.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/device/core/Decoder.h"
#include "pal_shim/device/core/Scratch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace pal::device {

namespace {

/// The tables, one after the other, in bytes from the start.
constexpr unsigned countsOffset = globalTableDwords * 4;
constexpr unsigned spillOffset = countsOffset + 16;
constexpr unsigned cullingOffset = spillOffset + abi::userdata::maxEntries * 4;
constexpr unsigned positionsOffset = unsigned(alignTo(cullingOffset + culling::Dwords * 4, 16));
constexpr unsigned positionsBytes = samplePatterns * positionsPerPattern * positionBytes;
/// Of transform feedback: descriptors, then the control buffer.
constexpr unsigned streamOutOffset = positionsOffset + positionsBytes;
constexpr unsigned streamOutControlOffset = streamOutOffset + sizeof(StreamOutTables::descriptors);
constexpr unsigned meshStatisticsOffset = streamOutControlOffset + sizeof(StreamOutTables::control);
constexpr unsigned drawTablesBytes = meshStatisticsOffset + meshStatistics * 8;
static_assert(streamOutControlOffset % 8 == 0 && meshStatisticsOffset % 8 == 0);
constexpr unsigned dispatchBytes = cullingOffset;
/// Far from the tables, so that a wrong base address of the ring is a fault.
constexpr unsigned ringOffset = 64 * 1024;
static_assert(drawTablesBytes <= ringOffset);

/// Positions relative to the pixel's centre; the pattern of n samples is number log2(n). Patterns
/// of other sample counts than the draw's are not read, and 0.
void fillSamplePositions(const UserDataValues &values, uint32_t *table) {
  unsigned samples = std::clamp(values.samples, 1u, 16u);
  unsigned pattern = unsigned(llvm::bit_width(samples) - 1);
  for (unsigned i = 0; i < samples; ++i)
    for (unsigned axis = 0; axis < 2; ++axis)
      table[(pattern * positionsPerPattern + i) * positionBytes / 4 + axis] =
          llvm::bit_cast<uint32_t>(values.samplePositions[i][axis] - 0.5f);
}

/// A special value that fits one register, or the low half of a 64-bit one.
struct Special {
  uint32_t value;
  uint64_t (*get)(const UserDataValues &values);
};
constexpr Special specials[] = {
    {abi::userdata::globalTable, [](const UserDataValues &) { return dispatchTablesAddress; }},
    // Entry i is at byte 4 * i from the pointer, whatever the threshold is.
    {abi::userdata::spillTable,
     [](const UserDataValues &) { return dispatchTablesAddress + spillOffset; }},
    {abi::userdata::workgroup,
     [](const UserDataValues &) { return dispatchTablesAddress + countsOffset; }},
    {abi::userdata::baseVertex,
     [](const UserDataValues &values) { return uint64_t(values.baseVertex); }},
    {abi::userdata::baseInstance,
     [](const UserDataValues &values) { return uint64_t(values.baseInstance); }},
    {abi::userdata::drawIndex,
     [](const UserDataValues &values) { return uint64_t(values.drawIndex); }},
    {abi::userdata::viewId, [](const UserDataValues &values) { return uint64_t(values.viewId); }},
    {abi::userdata::vertexBufferTable,
     [](const UserDataValues &values) { return values.vertexBufferTable; }},
    {abi::userdata::nggCullingData,
     [](const UserDataValues &) { return dispatchTablesAddress + cullingOffset; }},
    {abi::userdata::streamOutTable,
     [](const UserDataValues &) { return dispatchTablesAddress + streamOutOffset; }},
    {abi::userdata::streamOutControlBuf,
     [](const UserDataValues &) { return dispatchTablesAddress + streamOutControlOffset; }},
    {abi::userdata::meshPipeStatsBuf,
     [](const UserDataValues &) { return dispatchTablesAddress + meshStatisticsOffset; }},
    {abi::userdata::compositeData,
     [](const UserDataValues &values) { return uint64_t(values.compositeData); }},
    {abi::userdata::sampleInfo,
     [](const UserDataValues &values) { return uint64_t(values.sampleInfo); }},
    {abi::userdata::meshTaskRingIndex,
     [](const UserDataValues &values) { return uint64_t(values.ringIndex); }},
};

} // namespace

GpuAddress attributeRingAddress() { return dispatchTablesAddress + ringOffset; }
GpuAddress gsVsRingAddress() { return dispatchTablesAddress + ringOffset; }

static uint32_t ringBytesOf(const UserDataValues &values) {
  return alignTo(std::max(values.attributeRingBytes, values.gsVsRingBytes), 256);
}

GpuAddress offChipRingAddress(const UserDataValues &values) {
  return dispatchTablesAddress + ringOffset + ringBytesOf(values);
}

GpuAddress factorRingAddress(const UserDataValues &values) {
  return offChipRingAddress(values) + tessellationGroups * offChipBytes;
}

GpuAddress taskPayloadRingAddress(const UserDataValues &values) {
  return dispatchTablesAddress + ringOffset + ringBytesOf(values);
}

GpuAddress taskDrawRingAddress(const UserDataValues &values) {
  return taskPayloadRingAddress(values) +
         (values.hasTasks ? taskRingEntries * taskPayloadBytes : 0);
}

GpuAddress meshScratchRingAddress(const UserDataValues &values) {
  return taskDrawRingAddress(values) + (values.hasTasks ? taskRingEntries * taskDrawBytes : 0);
}

/// Of the tables of a draw.
static uint32_t drawBytes(const UserDataValues &values) {
  uint32_t bytes = ringBytesOf(values);
  if (values.isTessellated)
    bytes += tessellationGroups * (offChipBytes + factorBytes);
  if (values.hasTasks)
    bytes += taskRingEntries * (taskPayloadBytes + taskDrawBytes);
  bytes += meshOrderedIds * values.meshScratchBytes;
  return bytes ? ringOffset + bytes : drawTablesBytes;
}

/// What an entry of the global table describes; nothing for a ring that this draw does without.
static TableMemory memoryOf(TableEntry entry, const UserDataValues &values) {
  switch (entry) {
  case TableEntry::ComputeScratch:
    return {scratchBufferBase, UINT32_MAX};
  case TableEntry::GraphicsScratch:
    return values.isDraw ? TableMemory{scratchBufferBase, UINT32_MAX} : TableMemory();
  case TableEntry::GsVsWrite0:
  case TableEntry::GsVsWrite1:
  case TableEntry::GsVsWrite2:
  case TableEntry::GsVsWrite3:
  case TableEntry::GsVsRead:
    return {gsVsRingAddress(), values.gsVsRingBytes};
  case TableEntry::TessFactor:
    return {factorRingAddress(values), values.isTessellated ? tessellationGroups * factorBytes : 0};
  case TableEntry::OffChipLds:
    return {offChipRingAddress(values),
            values.isTessellated ? tessellationGroups * offChipBytes : 0};
  case TableEntry::AttributeRing:
    return {attributeRingAddress(), values.attributeRingBytes};
  case TableEntry::SamplePositions:
    return {dispatchTablesAddress + positionsOffset, values.isDraw ? positionsBytes : 0};
  case TableEntry::TaskPayload:
    return {taskPayloadRingAddress(values),
            values.hasTasks ? taskRingEntries * taskPayloadBytes : 0};
  case TableEntry::TaskDrawData:
    return {taskDrawRingAddress(values), values.hasTasks ? taskRingEntries * taskDrawBytes : 0};
  case TableEntry::MeshScratch:
    return {meshScratchRingAddress(values), meshOrderedIds * values.meshScratchBytes,
            values.meshScratchBytes};
  case TableEntry::Count:
    break;
  }
  return {};
}

static void fillGlobalTable(const abi::GpuTarget &target, const UserDataValues &values,
                            uint32_t *table) {
  const Generation generation = generationOf(target);
  for (unsigned i = 0; i < unsigned(TableEntry::Count); ++i) {
    const auto entry = TableEntry(i);
    const TableMemory memory = memoryOf(entry, values);
    if (memory.bytes)
      copy(tableWords(generation, entry, memory), table + dwordOf(entry));
  }
}

std::shared_ptr<const Region> makeTables(const abi::GpuTarget &target,
                                         const UserDataValues &values) {
  unsigned bytes = values.isDraw ? drawBytes(values) : dispatchBytes;
  auto tables = std::make_shared<std::vector<uint32_t>>(bytes / 4);
  auto put = [&](unsigned dword, const auto &data) {
    std::copy(std::begin(data), std::end(data), tables->begin() + dword);
  };
  fillGlobalTable(target, values, tables->data());
  put(countsOffset / 4, values.groups);
  ArrayRef<uint32_t> entries = values.entries.take_front(abi::userdata::maxEntries);
  if (values.spillThreshold < entries.size())
    put(spillOffset / 4 + values.spillThreshold, entries.drop_front(values.spillThreshold));
  if (values.isDraw) {
    put(cullingOffset / 4, values.cullingData);
    fillSamplePositions(values, tables->data() + positionsOffset / 4);
    for (unsigned i = 0; i < values.streamOut.descriptors.size(); ++i)
      put(streamOutOffset / 4 + 4 * i, values.streamOut.descriptors[i]);
    put(streamOutControlOffset / 4, values.streamOut.control);
  }
  auto region = std::make_shared<Region>();
  region->address = dispatchTablesAddress;
  region->size = bytes;
  region->host = reinterpret_cast<uint8_t *>(tables->data());
  region->name = values.isDraw ? "tables of the draw" : "tables of the dispatch";
  region->storage = std::move(tables);
  return region;
}

const uint8_t *meshStatisticsOf(const Region &tables) { return tables.host + meshStatisticsOffset; }

const uint8_t *streamOutControl(const Region &tables) {
  return tables.host + streamOutControlOffset;
}

Expected<std::vector<uint32_t>> resolveUserData(const ProgramData &program,
                                                const UserDataValues &values) {
  using namespace abi::userdata;
  const UserDataKind kind = userDataKindOf(program.stage, values.isDraw);
  std::vector<uint32_t> sgprs;
  const std::vector<uint32_t> &map = program.launch.userDataRegMap;
  for (size_t i = 0; i < map.size(); ++i) {
    if (isApiEntry(map[i])) {
      sgprs.push_back(map[i] < values.entries.size() ? values.entries[map[i]] : 0);
      continue;
    }
    if (map[i] == notMapped) {
      sgprs.push_back(0);
      continue;
    }
    const bool isFilled = fillsUserData(map[i], kind, program.generation);
    if (map[i] == meshTaskDispatchDims && isFilled) {
      sgprs.insert(sgprs.end(), values.groups.begin(), values.groups.end());
      i += values.groups.size() - 1;
      continue;
    }
    const Special *special = find_if(specials, [&](const Special &s) { return s.value == map[i]; });
    if (special == std::end(specials) || !isFilled)
      return make_error<DeviceFault>(
          DeviceFault::Kind::BadLaunch,
          "user data register " + std::to_string(i) + ": " + describe(map[i]) +
              (special == std::end(specials) ? " is not executed"
                                             : ", which PAL does not fill in such a stage"));
    uint64_t value = special->get(values);
    sgprs.push_back(uint32_t(value));
    for (unsigned high = 1; high < registerCount(map[i]); ++high, ++i)
      sgprs.push_back(high == 1 ? uint32_t(value >> 32) : 0);
  }
  return sgprs;
}

} // namespace pal::device
