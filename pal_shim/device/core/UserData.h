//===- UserData.h - what user SGPRs hold, and the tables behind them ------===//
// SPDX-License-Identifier: MIT
/// \file
/// One resolver for all stages: a register map (`.user_data_reg_map`) says what each user SGPR
/// holds, UserDataValues says what that is for this dispatch or draw. Pointers lead into one region
/// of tables that only the dispatch or draw sees, in the same 4 GiB as code and descriptor tables:
/// PAL's global table, group counts, culling data, sample positions, spilled API entries, and for
/// draws the attribute ring or the ring between geometry and copy shader, and behind it the rings
/// of tessellation or of task and mesh shaders. What the words of tables are: PalTables.h.
#pragma once

#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/device/core/AddressSpace.h"
#include "pal_shim/device/core/PalTables.h"
#include "pal_shim/device/core/ProgramData.h"

namespace pal::device {

/// Transform feedback, as the tables have it.
struct StreamOutTables {
  std::array<std::array<uint32_t, 4>, 4> descriptors = {};
  std::array<uint32_t, streamOutCounts::Bytes / 4> control = {};
};

/// What a dispatch or a draw has for the values that a register map may ask for.
struct UserDataValues {
  llvm::ArrayRef<uint32_t> entries; ///< API entries; those beyond the end are 0
  std::array<uint32_t, 3> groups = {0, 0, 0};
  /// First spilled entry of any stage; userdata::noSpill: none.
  uint32_t spillThreshold = abi::userdata::noSpill;
  // Draws
  bool isDraw = false;
  uint32_t baseVertex = 0, baseInstance = 0, drawIndex = 0, viewId = 0;
  uint32_t compositeData = 0, sampleInfo = 0;
  GpuAddress vertexBufferTable = 0;
  std::array<uint32_t, culling::Dwords> cullingData = {};
  uint32_t samples = 1;
  /// Relative to the pixel's corner.
  std::array<std::array<float, 2>, 16> samplePositions = {};
  uint32_t attributeRingBytes = 0; ///< gfx11 and later; a multiple of 512
  uint32_t gsVsRingBytes = 0;      ///< gfx10
  StreamOutTables streamOut;
  bool isTessellated = false; ///< there are the rings of tessellation
  // Mesh shaders; `groups` are those of the launch.
  bool hasTasks = false;         ///< there are the rings of task shaders
  uint32_t ringIndex = 0;        ///< of the task workgroup, of task shaders of their first one
  uint32_t meshScratchBytes = 0; ///< from a workgroup's part to the next
};

/// The rings of task shaders have this many entries, a power of two.
inline constexpr unsigned taskRingEntries = 4;
inline constexpr uint32_t taskPayloadBytes = 16 * 1024, taskDrawBytes = 16;
/// Workgroups of mesh shaders take these ordered ids in turn, each with a part of the scratch ring.
inline constexpr unsigned meshOrderedIds = 4;
/// That of workgroup \p number of a draw. Not 0 for the first one, so that each shows where its
/// part is.
inline uint32_t meshOrderedId(uint32_t number) {
  return (number + meshOrderedIds - 1) % meshOrderedIds;
}
/// Bytes between these parts: a driver's ring is for the program that needs most, which is never
/// the one that runs here.
inline constexpr uint32_t meshScratchGap = 48;

/// The rings of tessellation have room for this many groups of control shaders, which use it in
/// turn, so that a shader which ignores where its part begins shows.
inline constexpr unsigned tessellationGroups = 2;
/// Of a group. Factors: 256 patches of six dwords.
inline constexpr uint32_t offChipBytes = 32 * 1024, factorBytes = 256 * 6 * 4;

/// Addresses of the rings in the region of tables; a draw has one of them at most.
GpuAddress attributeRingAddress();
GpuAddress gsVsRingAddress();
/// Of tessellation: they are there besides one of the others.
GpuAddress offChipRingAddress(const UserDataValues &values);
GpuAddress factorRingAddress(const UserDataValues &values);
/// Of task and mesh shaders: likewise.
GpuAddress taskPayloadRingAddress(const UserDataValues &values);
GpuAddress taskDrawRingAddress(const UserDataValues &values);
GpuAddress meshScratchRingAddress(const UserDataValues &values);

/// The tables, filled. Why the target: descriptors in the global table.
std::shared_ptr<const Region> makeTables(const abi::GpuTarget &target,
                                         const UserDataValues &values);

/// Counters that shaders of gfx10.3 add to, in the tables of a draw: 64 bits each, invocations of
/// mesh shaders, their primitives, invocations of task shaders.
inline constexpr unsigned meshStatistics = 3;
const uint8_t *meshStatisticsOf(const Region &tables);

/// The control buffer of transform feedback in the tables of a draw.
const uint8_t *streamOutControl(const Region &tables);

/// Values of the user SGPRs that the launch of \p program asks for, in order. Errors: DeviceFault
/// BadLaunch that names a value which the device does not have, or PAL not for such a stage.
llvm::Expected<std::vector<uint32_t>> resolveUserData(const ProgramData &program,
                                                      const UserDataValues &values);

} // namespace pal::device
