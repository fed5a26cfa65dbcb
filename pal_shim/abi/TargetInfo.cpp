//===- TargetInfo.cpp - the supported GPU targets and their limits --------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace pal::abi {
namespace {

constexpr GpuTarget targets[] = {
#define KILN_GPU(name, major, minor, stepping, mach, vgprs, granule, waves)                        \
  {#name, major, minor, stepping, mach, vgprs, granule, waves},
#include "pal_shim/abi/GpuTargets.def"
};

const GpuTarget *findVersion(StringRef version) {
  SmallVector<StringRef, 4> parts;
  version.split(parts, '.');
  if (parts.size() < 2 || parts.size() > 3)
    return nullptr;
  unsigned major = 0, minor = 0, stepping = 0;
  if (!to_integer(parts[0], major, 10) || !to_integer(parts[1], minor, 10))
    return nullptr;
  if (parts.size() == 3 && (parts[2].size() != 1 || !to_integer(parts[2], stepping, 16)))
    return nullptr;
  for (const GpuTarget &target : targets)
    if (target.major == major && target.minor == minor && target.stepping == stepping)
      return &target;
  return nullptr;
}

} // namespace

ArrayRef<GpuTarget> allTargets() { return targets; }

const GpuTarget *findTarget(StringRef nameOrGfxip) {
  // Asked for often: names have one beginning, and most differ in the last letter.
  for (const GpuTarget &target : targets)
    if (!nameOrGfxip.empty() && target.name.back() == nameOrGfxip.back() &&
        target.name == nameOrGfxip)
      return &target;
  nameOrGfxip.consume_front("v");
  return findVersion(nameOrGfxip);
}

const GpuTarget *findTargetByMach(unsigned mach) {
  for (const GpuTarget &target : targets)
    if (target.elfMach == mach)
      return &target;
  return nullptr;
}

unsigned wavesPerSimd(const GpuTarget &target, unsigned waveSize, unsigned vgprs, unsigned ldsBytes,
                      unsigned workgroupThreads, bool wgpMode) {
  if ((waveSize != 32 && waveSize != 64) || vgprs > maxVgprsPerWave ||
      ldsBytes > maxLdsBytesPerWorkgroup)
    return 0;
  unsigned halves = waveSize / 32;
  unsigned granule = target.vgprGranule32 / halves;
  unsigned allocated = alignTo(std::max(vgprs, 1u), granule);
  unsigned byRegisters = (target.vgprsWave32 / halves) / allocated;
  unsigned slots = std::min(byRegisters, target.maxWavesPerSimd);

  unsigned simds = wgpMode ? 4 : 2;
  unsigned wavesPerGroup = divideCeil(std::max(workgroupThreads, 1u), waveSize);
  unsigned groups = slots * simds / wavesPerGroup;
  if (wavesPerGroup > 1)
    groups = std::min(groups, wgpMode ? 32u : 16u);
  if (ldsBytes != 0) {
    // HW: the encoding counts 512 bytes everywhere, the allocator 1024 from gfx10.3 on.
    unsigned ldsGranule = target.major == 10 && target.minor < 3 ? 512 : 1024;
    unsigned ldsTotal = wgpMode ? 128 * 1024 : 64 * 1024;
    groups = std::min<unsigned>(groups, ldsTotal / alignTo(ldsBytes, ldsGranule));
  }
  if (groups == 0)
    return 0;
  return std::min<unsigned>(slots, divideCeil(groups * wavesPerGroup, simds));
}

} // namespace pal::abi
