//===- DeviceIds.cpp - one real part of each target ------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/context/DeviceIds.h"

namespace icd {
namespace {

struct ChipRow {
  const char *target;
  uint32_t id;
  ChipShape shape; ///< shader engines, arrays of each, compute units of each array
};
/// A common part of each target: its PCI device id from the kernel's amdgpu driver and pci.ids;
/// what it is made of from AMD's product pages (compute units in all) and PAL's tables of chips
/// (engines and arrays; of gfx1152 and gfx1153, which those do not have, only the product is
/// certain).
constexpr ChipRow chips[] = {
    {"gfx1010", 0x731F, {2, 2, 10}}, {"gfx1011", 0x7360, {2, 2, 10}},
    {"gfx1012", 0x7340, {1, 2, 12}}, {"gfx1030", 0x73BF, {4, 2, 10}},
    {"gfx1031", 0x73DF, {2, 2, 10}}, {"gfx1032", 0x73FF, {2, 2, 8}},
    {"gfx1033", 0x163F, {1, 1, 8}},  {"gfx1034", 0x743F, {1, 2, 8}},
    {"gfx1035", 0x1681, {1, 2, 6}},  {"gfx1036", 0x164E, {1, 1, 2}},
    {"gfx1100", 0x744C, {6, 2, 8}},  {"gfx1101", 0x747E, {3, 2, 10}},
    {"gfx1102", 0x7480, {2, 2, 8}},  {"gfx1103", 0x15BF, {1, 2, 6}},
    {"gfx1150", 0x150E, {1, 2, 8}},  {"gfx1151", 0x1586, {2, 2, 10}},
    {"gfx1152", 0x1114, {1, 2, 4}},  {"gfx1153", 0x1902, {1, 1, 4}},
    {"gfx1200", 0x7590, {2, 2, 8}},  {"gfx1201", 0x7550, {4, 2, 8}},
};

const ChipRow *findChip(llvm::StringRef target) {
  for (const ChipRow &row : chips)
    if (target == row.target)
      return &row;
  return nullptr;
}

} // namespace

uint32_t deviceIdOf(llvm::StringRef target) {
  const ChipRow *row = findChip(target);
  return row ? row->id : 0;
}

ChipShape chipShapeOf(llvm::StringRef target) {
  const ChipRow *row = findChip(target);
  return row ? row->shape : ChipShape();
}

llvm::StringRef targetOfDevice(uint32_t id) {
  for (const ChipRow &row : chips)
    if (id == row.id)
      return row.target;
  return {};
}

} // namespace icd
