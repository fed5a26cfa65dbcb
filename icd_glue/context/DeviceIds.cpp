//===- DeviceIds.cpp - PCI device ids of targets --------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/context/DeviceIds.h"

namespace icd {
namespace {

struct DeviceId {
  const char *target;
  uint32_t id;
};
/// PCI device ids of a common part of each target, from the kernel's amdgpu driver and pci.ids.
constexpr DeviceId deviceIds[] = {
    {"gfx1010", 0x731F}, {"gfx1011", 0x7360}, {"gfx1012", 0x7340}, {"gfx1030", 0x73BF},
    {"gfx1031", 0x73DF}, {"gfx1032", 0x73FF}, {"gfx1033", 0x163F}, {"gfx1034", 0x743F},
    {"gfx1035", 0x1681}, {"gfx1036", 0x164E}, {"gfx1100", 0x744C}, {"gfx1101", 0x747E},
    {"gfx1102", 0x7480}, {"gfx1103", 0x15BF}, {"gfx1150", 0x150E}, {"gfx1151", 0x1586},
    {"gfx1152", 0x1114}, {"gfx1153", 0x1902}, {"gfx1200", 0x7590}, {"gfx1201", 0x7550},
};

} // namespace

uint32_t deviceIdOf(llvm::StringRef target) {
  for (const DeviceId &row : deviceIds)
    if (target == row.target)
      return row.id;
  return 0;
}

llvm::StringRef targetOfDevice(uint32_t id) {
  for (const DeviceId &row : deviceIds)
    if (id == row.id)
      return row.target;
  return {};
}

} // namespace icd
