//===- BoundSurface.cpp - a surface with its memory ------------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/BoundSurface.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace pal::device {

namespace {

Error badSurface(StringRef what, const Twine &problem) {
  return make_error<DeviceFault>(DeviceFault::Kind::BadDescriptor, (what + ": " + problem).str());
}

} // namespace

Error checkSurface(const Surface &surface, StringRef what) {
  if (surface.level >= srd::maxLevels)
    return badSurface(what, "level " + Twine(surface.level));
  if (!isPowerOf2_32(surface.samples) || surface.samples > maxSamples)
    return badSurface(what, Twine(surface.samples) + " samples");
  const srd::LinearLayout &layout = surface.layout;
  const srd::LinearLevel &level = layout.level(surface.level);
  if (surface.width > level.rowLength || surface.height > level.rows)
    return badSurface(what, Twine(surface.width) + "x" + Twine(surface.height) +
                                " texels in a level of " + Twine(level.rowLength) + "x" +
                                Twine(level.rows));
  const uint64_t texelBytes = formats::formatInfo(surface.format).texelBytes;
  const uint64_t layoutTexel = layout.offset(surface.level, 1, 0, 0) - level.offset;
  if (texelBytes != layoutTexel)
    return badSurface(what, "texels of " + Twine(texelBytes) + " bytes in a layout for " +
                                Twine(layoutTexel));
  const uint64_t layoutSlice = layout.offset(surface.level, 0, 0, 1) - level.offset;
  if (layoutSlice != surface.samples * layout.sliceBytes())
    return badSurface(what, Twine(surface.samples) + " samples in a layout for another number");
  const uint64_t slices = uint64_t(surface.baseSlice) + surface.slices;
  if (slices > layout.totalBytes() / std::max<uint64_t>(layoutSlice, 1))
    return badSurface(what, "slices below " + Twine(slices) + " in a layout of " +
                                Twine(layout.totalBytes() / std::max<uint64_t>(layoutSlice, 1)));
  // Sizes that wrapped around.
  const uint64_t levelBytes = uint64_t(level.rowPitch) * level.rows;
  if (level.offset > layout.sliceBytes() || levelBytes > layout.sliceBytes() - level.offset)
    return badSurface(what, "a level of " + Twine(levelBytes) + " bytes in a slice of " +
                                Twine(layout.sliceBytes()));
  if (uint64_t(surface.width) * texelBytes > level.rowPitch)
    return badSurface(what, "rows of " + Twine(surface.width) + " texels, " +
                                Twine(level.rowPitch) + " bytes apart");
  return Error::success();
}

Expected<BoundSurface> BoundSurface::bind(const Surface &surface, StringRef what,
                                          MemoryView &memory) {
  BoundSurface bound;
  if (!surface.exists() || !surface.width || !surface.height || !surface.slices)
    return bound;
  KILN_TRY(checkSurface(surface, what));
  const uint64_t slices = uint64_t(surface.baseSlice) + surface.slices;
  const uint64_t bytes = SaturatingMultiply(
      slices, SaturatingMultiply<uint64_t>(surface.samples, surface.layout.sliceBytes()));
  bound.surface = &surface;
  bound.host = memory.find(surface.address, bytes);
  if (!bound.host)
    return make_error<DeviceFault>(
        DeviceFault::Kind::MemoryAccess,
        (what + ": " + Twine(bytes) +
         " bytes are not inside an allocation: " + memory.describe(surface.address))
            .str());
  return bound;
}

} // namespace pal::device
