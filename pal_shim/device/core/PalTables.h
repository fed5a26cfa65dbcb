//===- PalTables.h - what PAL puts into tables and registers --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What a driver on PAL hands to shaders besides the data of the API, quoted: the words of its
/// global table and of its stream-out table for each generation, and the stages for which it fills
/// a user data value. The device gives programs exactly this, so that code which expects something
/// that would be handier fails here as it would on hardware. Nothing else in the device may make
/// such a word.
///
/// Source: PAL with client interface 924. Words are those that its null devices NAVI10, NAVI21,
/// NAVI31, STRIX1 and NAVI48 had in memory after a recorded draw; for the attribute ring and the
/// stream-out targets, which those leave without memory, the classes of its gfx9 and gfx12 layers
/// that fill them in (VertexAttributeRing, CmdBindStreamOutTargets). PalTablesTest.cpp pins them.
#pragma once

#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/device/Device.h"
#include "pal_shim/device/core/RawInstr.h"
#include <array>

namespace pal::device {

/// Entries of the global table, of four dwords each.
enum class TableEntry : uint8_t {
  GraphicsScratch,
  ComputeScratch,
  GsVsWrite0, ///< gfx10; the next three are those of streams 1 to 3
  GsVsWrite1,
  GsVsWrite2,
  GsVsWrite3,
  GsVsRead,
  TessFactor,
  OffChipLds,
  AttributeRing, ///< gfx11 and later
  SamplePositions,
  TaskPayload, ///< this and the next two: from gfx10.3 on
  TaskDrawData,
  MeshScratch, ///< no V#, see tableWords
  Count
};
inline constexpr unsigned globalTableDwords = 64;

/// Number of the first dword of \p entry.
unsigned dwordOf(TableEntry entry);

/// The memory that an entry describes.
struct TableMemory {
  GpuAddress address = 0;
  uint32_t bytes = 0;
  uint32_t itemBytes = 0; ///< mesh scratch: from one ordered id's part to the next
};

/// The words of \p entry: a V#, except for MeshScratch, which is {address [31:0], address [63:32],
/// bytes of the ring, bytes of one item}. Zeros where the generation has no such entry.
std::array<uint32_t, 4> tableWords(Generation generation, TableEntry entry,
                                   const TableMemory &memory);

/// The V# of a stream-out target. \p strideBytes: that of the pipeline for this target; 0: it has
/// none. gfx10's hardware counts what fits, so that its V# has no bounds; later ones are raw.
std::array<uint32_t, 4> streamOutWords(Generation generation, const TableMemory &memory,
                                       uint32_t strideBytes);

/// Lanes that lie next to each other in the GS-VS ring: INDEX_STRIDE of the write V#s.
inline constexpr unsigned gsVsBlockLanes = 16;

/// Sample positions: patterns of 16 entries of 16 bytes.
inline constexpr unsigned samplePatterns = 16, positionsPerPattern = 16, positionBytes = 16;

/// Dwords of the culling data (PrimShaderCullingCb). There is more in it, which code of PAL clients
/// does not read.
namespace culling {
enum : unsigned {
  ScMode = 7,
  Viewports = 13,
  ViewportDwords = 6,
  Conservative = 144,
  Dwords = 145
};
/// Of a viewport.
enum : unsigned { XScale = 0, XOffset = 1, YScale = 2, YOffset = 3 };
} // namespace culling

/// Bytes of the control buffer of stream-out (gfx11 and later): a dword for each buffer, where it
/// starts. gfx12: and 64-bit counters of primitives for each stream, and {ordered id, dwords
/// written} for each buffer. Source: PAL's gfx12 layer, StreamoutCtrlBufLayout.
namespace streamOutCounts {
enum : unsigned { Start = 0, Needed = 16, Written = 48, Turn = 80, TurnBytes = 8, Bytes = 112 };
}

/// Ways in which PAL fills user data registers.
enum class UserDataKind : uint8_t { Graphics, Task, Compute };
/// \p stage: of a graphics program or not.
UserDataKind userDataKindOf(abi::HardwareStage stage, bool isDraw);

/// Whether PAL fills the special value \p value (abi::userdata) of such a stage. What it does not
/// fill holds what was there before.
bool fillsUserData(uint32_t value, UserDataKind kind, Generation generation);

} // namespace pal::device
