//===- MeshWave.cpp - registers of mesh shaders' waves ---------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/MeshWave.h"
#include "pal_shim/device/core/UserData.h"

namespace pal::device {

static constexpr unsigned firstUserSgpr = 8, flatIdVgpr = 5;

uint32_t meshLanes(const GraphicsProgram &program, Generation generation) {
  return isGfx10(generation) ? program.geometry.lanesPerPrimitive
                             : uint32_t(program.mesh.groupThreads);
}

static void setField(uint32_t &word, unsigned shift, unsigned bits, uint32_t value) {
  uint32_t mask = (1u << bits) - 1;
  word = (word & ~(mask << shift)) | (value & mask) << shift;
}

void MeshGroup::fill(Wave &wave, unsigned index) const {
  const MeshRegisters &registers = program.mesh;
  if (registers.hasWaveId)
    setField(wave.s[2], 0, 12, meshOrderedId(number));
  setField(wave.s[3], 24, 4, index);
  std::copy(userSgprs.begin(), userSgprs.end(), wave.s + firstUserSgpr);
  if (isGfx10(wave.generation)) {
    wave.s[5] = 0;
    if (!index)
      wave.v[flatIdVgpr].lane[0] = flatId;
    return;
  }
  wave.s[4] = (id[0] & 0xFFFF) | id[1] << 16;
  wave.s[5] = attributeRingBase | id[2] << 16;
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    uint64_t thread = uint64_t(index) * wave.lanes + lane;
    if (thread >= registers.groupThreads)
      break;
    uint64_t x = thread % registers.threads[0], rest = thread / registers.threads[0];
    uint64_t y = rest % registers.threads[1], z = rest / registers.threads[1];
    wave.v[0].lane[lane] = uint32_t(x | y << 10 | z << 20);
  }
}

} // namespace pal::device
