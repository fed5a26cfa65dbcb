//===- TargetInfo.h - the supported GPU targets and their limits ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Read access to GpuTargets.def: names, e_flags machine numbers, and what decides how many waves
/// fit a SIMD. Everything that asks "which GPU" in this project asks here, so that a new target is
/// one new row.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace pal::abi {

/// One row of GpuTargets.def; see there for the meaning and source of each column.
struct GpuTarget {
  llvm::StringRef name; ///< LLVM's name, "gfx1100"
  unsigned major;
  unsigned minor;
  unsigned stepping;
  unsigned elfMach;         ///< EF_AMDGPU_MACH value, e_flags[7:0]
  unsigned vgprsWave32;     ///< physical VGPRs per lane of a SIMD in wave32
  unsigned vgprGranule32;   ///< VGPR allocation granule in wave32
  unsigned maxWavesPerSimd; ///< wave slots of a SIMD
};

/// All rows, in the order of the table (ascending by version).
llvm::ArrayRef<GpuTarget> allTargets();

/// Looks a target up by LLVM name ("gfx1100"), or by version "major.minor[.stepping]" as
/// -gfxip= takes it ("11.0.0", "11.0", "v11.0"). A missing stepping is 0; the stepping is one
/// hexadecimal digit, as in LLVM's names. Null when there is no such target.
const GpuTarget *findTarget(llvm::StringRef nameOrGfxip);

/// Looks a target up by the machine number of an ELF header (pass e_flags & 0xFF). Null if unknown.
const GpuTarget *findTargetByMach(unsigned mach);

/// How many waves of one compute workload can be resident on each SIMD at once, the number that
/// every GPU profiler calls occupancy.
///
/// \p waveSize is 32 or 64 (anything else gives 0). \p vgprs counts registers per lane; \p ldsBytes
/// and \p workgroupThreads are per workgroup, 0 threads counts as 1.
///
/// Model. A WGP has two CUs of two SIMDs each, and 128 KiB of LDS. In WGP mode (the default) a
/// workgroup may run on all four SIMDs and take LDS from anywhere in the WGP; in CU mode
/// (`+cumode`) it stays on one CU's two SIMDs and its 64 KiB. In both modes one workgroup addresses
/// at most 64 KiB. Three limits, the lowest wins:
///  - wave slots of a SIMD;
///  - registers: the SIMD's registers / the wave's count rounded up to the granule. wave64 takes
///    each register twice, so total and granule are half of the wave32 numbers;
///  - workgroups: LDS / (a workgroup's LDS rounded up to the allocation granule), and 32 workgroups
///    per WGP (16 per CU) when a workgroup has more than one wave, since each holds a barrier.
/// Returns 0 when one workgroup does not fit at all (too much LDS, too many VGPRs or waves).
unsigned wavesPerSimd(const GpuTarget &target, unsigned waveSize, unsigned vgprs, unsigned ldsBytes,
                      unsigned workgroupThreads, bool wgpMode = true);

/// The most LDS one workgroup can address, in bytes.
inline constexpr unsigned maxLdsBytesPerWorkgroup = 64 * 1024;
/// The most VGPRs one wave can address.
inline constexpr unsigned maxVgprsPerWave = 256;
/// SGPRs that every wave is given (gfx10 and later), those that it cannot name among them.
inline constexpr unsigned sgprsPerWave = 128;

} // namespace pal::abi
