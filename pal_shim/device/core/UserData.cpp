//===- UserData.cpp - what user SGPRs hold, and the tables behind them ----===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/UserData.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/device/core/Scratch.h"
#include "pal_shim/srd/Srd.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace pal::device {

namespace {

/// PAL's global table, by dword: descriptors of four. Scratch: LLVM reads that of compute from the
/// second entry, that of graphics from the first.
constexpr unsigned globalTableDwords = 64, graphicsScratchDword = 0, computeScratchDword = 4,
                   gsVsWriteDword = 16, gsVsReadDword = 32, factorDword = 36, offChipDword = 40,
                   attributeRingDword = 44, samplePositionsDword = 48, taskPayloadDword = 52,
                   taskDrawDword = 56, meshScratchDword = 60;

/// The tables, one after the other, in bytes from the start.
constexpr unsigned countsOffset = globalTableDwords * 4;
constexpr unsigned spillOffset = countsOffset + 16;
constexpr unsigned cullingOffset = spillOffset + abi::userdata::maxEntries * 4;
/// Five patterns (1, 2, 4, 8, 16 samples) of 16 entries of 16 bytes.
constexpr unsigned positionsOffset = cullingOffset + cullingDataDwords * 4;
constexpr unsigned positionsPerPattern = 16, positionDwords = 4;
constexpr unsigned positionsBytes = 5 * positionsPerPattern * positionDwords * 4;
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

/// The attribute ring's V#, as PAL makes it (gfx11 and later): records of 16 bytes, the stride of a
/// vertex is the shader's to set; swizzled, elements of 16 bytes, 32 vertices a block.
std::array<uint32_t, 4> attributeRingDescriptor(const abi::GpuTarget &target, uint32_t bytes) {
  srd::BufferSrdInfo info;
  info.address = attributeRingAddress();
  info.sizeBytes = uint64_t(bytes) * 16;
  info.stride = 16;
  info.outOfBounds = srd::OutOfBounds::IndexAndOffset;
  std::array<uint32_t, 4> words;
  srd::buildBufferSrd(target, info, words.data());
  constexpr uint32_t swizzle16Bytes = 3u << 30, indexStride32 = 2u << 21;
  words[1] |= swizzle16Bytes;
  words[3] |= indexStride32;
  return words;
}

/// The V#s of the ring between geometry and copy shader, as PAL makes them (gfx10). Writing:
/// records of a wave's 64 lanes, whose stride is the shader's to set; swizzled, the lane is the
/// index. Reading: plain bytes.
void putGsVsDescriptors(const abi::GpuTarget &target, uint32_t bytes, uint32_t *globalTable) {
  srd::BufferSrdInfo info;
  info.address = gsVsRingAddress();
  info.sizeBytes = bytes;
  srd::buildBufferSrd(target, info, &globalTable[gsVsReadDword]);
  info.outOfBounds = srd::OutOfBounds::IndexAndOffset;
  std::array<uint32_t, 4> write;
  srd::buildBufferSrd(target, info, write.data());
  constexpr uint32_t swizzle = 1u << 31, strideMask = 0x3FFFu << 16, indexStride64 = 3u << 21,
                     addTid = 1u << 23, ringLanes = 64;
  write[1] = (write[1] & ~strideMask) | swizzle;
  write[2] = ringLanes;
  write[3] |= indexStride64 | addTid;
  for (unsigned stream = 0; stream < 4; ++stream)
    std::copy(write.begin(), write.end(), &globalTable[gsVsWriteDword + 4 * stream]);
}

/// Plain bytes.
std::array<uint32_t, 4> plainDescriptor(const abi::GpuTarget &target, GpuAddress address,
                                        uint32_t bytes) {
  srd::BufferSrdInfo info;
  info.address = address;
  info.sizeBytes = bytes;
  std::array<uint32_t, 4> words;
  srd::buildBufferSrd(target, info, words.data());
  return words;
}

/// Positions relative to the pixel's centre; the pattern of n samples is number log2(n). Patterns
/// of other sample counts than the draw's are not read, and 0.
void fillSamplePositions(const UserDataValues &values, uint32_t *table) {
  unsigned samples = std::clamp(values.samples, 1u, 16u);
  unsigned pattern = unsigned(llvm::bit_width(samples) - 1);
  for (unsigned i = 0; i < samples; ++i)
    for (unsigned axis = 0; axis < 2; ++axis)
      table[(pattern * positionsPerPattern + i) * positionDwords + axis] =
          llvm::bit_cast<uint32_t>(values.samplePositions[i][axis] - 0.5f);
}

/// A special value that fits one register, or the low half of a 64-bit one.
struct Special {
  uint32_t value;
  bool drawsOnly;
  uint64_t (*get)(const UserDataValues &values);
};
constexpr Special specials[] = {
    {abi::userdata::globalTable, false,
     [](const UserDataValues &) { return dispatchTablesAddress; }},
    // Entry i is at byte 4 * i from the pointer, whatever the threshold is.
    {abi::userdata::spillTable, false,
     [](const UserDataValues &) { return dispatchTablesAddress + spillOffset; }},
    {abi::userdata::workgroup, false,
     [](const UserDataValues &) { return dispatchTablesAddress + countsOffset; }},
    {abi::userdata::baseVertex, true,
     [](const UserDataValues &values) { return uint64_t(values.baseVertex); }},
    {abi::userdata::baseInstance, true,
     [](const UserDataValues &values) { return uint64_t(values.baseInstance); }},
    {abi::userdata::drawIndex, true,
     [](const UserDataValues &values) { return uint64_t(values.drawIndex); }},
    {abi::userdata::viewId, true,
     [](const UserDataValues &values) { return uint64_t(values.viewId); }},
    {abi::userdata::vertexBufferTable, true,
     [](const UserDataValues &values) { return values.vertexBufferTable; }},
    {abi::userdata::nggCullingData, true,
     [](const UserDataValues &) { return dispatchTablesAddress + cullingOffset; }},
    {abi::userdata::streamOutTable, true,
     [](const UserDataValues &) { return dispatchTablesAddress + streamOutOffset; }},
    {abi::userdata::streamOutControlBuf, true,
     [](const UserDataValues &) { return dispatchTablesAddress + streamOutControlOffset; }},
    {abi::userdata::meshPipeStatsBuf, true,
     [](const UserDataValues &) { return dispatchTablesAddress + meshStatisticsOffset; }},
    {abi::userdata::compositeData, true,
     [](const UserDataValues &values) { return uint64_t(values.compositeData); }},
    {abi::userdata::sampleInfo, true,
     [](const UserDataValues &values) { return uint64_t(values.sampleInfo); }},
    {abi::userdata::meshTaskRingIndex, true,
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

static void putMeshDescriptors(const abi::GpuTarget &target, const UserDataValues &values,
                               uint32_t *globalTable) {
  auto put = [&](unsigned dword, GpuAddress address, uint32_t bytes) {
    std::array<uint32_t, 4> words = plainDescriptor(target, address, bytes);
    std::copy(words.begin(), words.end(), &globalTable[dword]);
  };
  if (values.hasTasks) {
    put(taskPayloadDword, taskPayloadRingAddress(values), taskRingEntries * taskPayloadBytes);
    put(taskDrawDword, taskDrawRingAddress(values), taskRingEntries * taskDrawBytes);
  }
  if (values.meshScratchBytes)
    put(meshScratchDword, meshScratchRingAddress(values), meshOrderedIds * values.meshScratchBytes);
}

std::shared_ptr<const Region> makeTables(const abi::GpuTarget &target,
                                         const UserDataValues &values) {
  unsigned bytes = values.isDraw ? drawBytes(values) : dispatchBytes;
  auto tables = std::make_shared<std::vector<uint32_t>>(bytes / 4);
  auto put = [&](unsigned dword, const auto &data) {
    std::copy(std::begin(data), std::end(data), tables->begin() + dword);
  };
  put(computeScratchDword, scratchDescriptor());
  put(countsOffset / 4, values.groups);
  ArrayRef<uint32_t> entries = values.entries.take_front(abi::userdata::maxEntries);
  if (values.spillThreshold < entries.size())
    put(spillOffset / 4 + values.spillThreshold, entries.drop_front(values.spillThreshold));
  if (values.isDraw) {
    put(graphicsScratchDword, scratchDescriptor());
    put(cullingOffset / 4, values.cullingData);
    fillSamplePositions(values, tables->data() + positionsOffset / 4);
    for (unsigned i = 0; i < values.streamOut.descriptors.size(); ++i)
      put(streamOutOffset / 4 + 4 * i, values.streamOut.descriptors[i]);
    put(streamOutControlOffset / 4, values.streamOut.control);
    put(samplePositionsDword,
        plainDescriptor(target, dispatchTablesAddress + positionsOffset, positionsBytes));
    if (values.attributeRingBytes)
      put(attributeRingDword, attributeRingDescriptor(target, values.attributeRingBytes));
    if (values.gsVsRingBytes)
      putGsVsDescriptors(target, values.gsVsRingBytes, tables->data());
    if (values.isTessellated) {
      put(offChipDword,
          plainDescriptor(target, offChipRingAddress(values), tessellationGroups * offChipBytes));
      put(factorDword,
          plainDescriptor(target, factorRingAddress(values), tessellationGroups * factorBytes));
    }
    putMeshDescriptors(target, values, tables->data());
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

Expected<std::vector<uint32_t>> resolveUserData(const WaveLaunch &launch,
                                                const UserDataValues &values) {
  using namespace abi::userdata;
  std::vector<uint32_t> sgprs;
  const std::vector<uint32_t> &map = launch.userDataRegMap;
  for (size_t i = 0; i < map.size(); ++i) {
    if (isApiEntry(map[i])) {
      sgprs.push_back(map[i] < values.entries.size() ? values.entries[map[i]] : 0);
      continue;
    }
    if (map[i] == notMapped) {
      sgprs.push_back(0);
      continue;
    }
    if (map[i] == meshTaskDispatchDims && values.isDraw) {
      sgprs.insert(sgprs.end(), values.groups.begin(), values.groups.end());
      i += values.groups.size() - 1;
      continue;
    }
    const Special *special = find_if(specials, [&](const Special &s) { return s.value == map[i]; });
    if (special == std::end(specials) || (special->drawsOnly && !values.isDraw))
      return make_error<DeviceFault>(DeviceFault::Kind::BadLaunch,
                                     "user data register " + std::to_string(i) + ": " +
                                         describe(map[i]) + " is not executed");
    uint64_t value = special->get(values);
    sgprs.push_back(uint32_t(value));
    for (unsigned high = 1; high < registerCount(map[i]); ++high, ++i)
      sgprs.push_back(high == 1 ? uint32_t(value >> 32) : 0);
  }
  return sgprs;
}

} // namespace pal::device
