//===- MeshScratch.cpp - the mesh scratch ring -----------------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/MeshScratch.h"
#include "pal_shim/device/core/Launch.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace pal::device {

/// What lies outside the part of the workgroup that runs.
static constexpr uint32_t untouched = poisonPattern;

MeshScratch::MeshScratch(const GeometrySetup &setup)
    : stepDwords(setup.userData.meshScratchBytes / 4),
      ownDwords(setup.program.graphics->mesh.scratchBytes / 4),
      undefined(setup.context.options.poison ? poisonPattern : 0) {
  if (!stepDwords)
    return;
  uint8_t *host =
      setup.tables->host + (meshScratchRingAddress(setup.userData) - setup.tables->address);
  ring = {reinterpret_cast<uint32_t *>(host), stepDwords * meshOrderedIds};
  fill(ring, untouched);
}

MutableArrayRef<uint32_t> MeshScratch::part(uint32_t number) const {
  return ring.slice(meshOrderedId(number) * stepDwords, ownDwords);
}

void MeshScratch::begin(uint32_t number) {
  if (ring.empty())
    return;
  if (number)
    fill(part(number - 1), untouched);
  fill(part(number), undefined);
}

std::optional<size_t> MeshScratch::strayByte(uint32_t number) const {
  if (ring.empty())
    return std::nullopt;
  const uint32_t *own = part(number).begin();
  const std::pair<const uint32_t *, const uint32_t *> others[] = {{ring.begin(), own},
                                                                  {own + ownDwords, ring.end()}};
  for (auto [begin, end] : others)
    if (const uint32_t *found =
            std::find_if_not(begin, end, [](uint32_t w) { return w == untouched; });
        found != end)
      return size_t(found - ring.begin()) * 4;
  return std::nullopt;
}

} // namespace pal::device
