//===- MeshLayout.cpp - where a mesh shader's outputs wait for export -----===//
// SPDX-License-Identifier: MIT
/// \file
/// Records are built of groups: a slot, or an array of slots that the shader indexes dynamically,
/// whose elements must have equal places. Large groups first, so that each is aligned to its size
/// and is accessed by one instruction.
#include "lgc/lowering/mesh/MeshLayout.h"
#include "lgc/Ops.h"
#include "lgc/lowering/memory/GlobalUses.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace lgc {

/// HW: a primitive shader addresses 32 KiB.
constexpr uint64_t maxLdsBytes = 32 * 1024;

bool isPerPrimitive(uint32_t slot) {
  if (slot >= Slot::Primitive && slot < Slot::PrimitiveEnd)
    return true;
  switch (slot) {
  case Slot::Layer:
  case Slot::ViewportIndex:
  case Slot::PrimitiveId:
  case Slot::ShadingRate:
  case Slot::CullPrimitive:
  case Slot::PrimitiveIndices:
    return true;
  default:
    return false;
  }
}

/// Slots first .. first + slots - 1.
struct MeshLayout::Group {
  uint32_t first, slots;
  uint32_t component, dwords; ///< of each slot
  bool inScratch;
  bool isPrimitive() const { return isPerPrimitive(first); }
  /// Nothing but a fragment shader reads it.
  bool isGeneric() const {
    return first < Slot::GenericEnd || (first >= Slot::Primitive && first < Slot::PrimitiveEnd);
  }
};

Error MeshLayout::collectAccess(const CallInst &call) {
  const auto *store = dyn_cast<OutputStoreOp>(&call);
  Type *type = store ? store->getArgOperand(0)->getType() : call.getType();
  auto *vector = dyn_cast<FixedVectorType>(type);
  uint32_t width = vector ? vector->getNumElements() : 1;
  const unsigned slotIndex = store ? 1 : 0;
  auto constant = [&](unsigned index) {
    return static_cast<uint32_t>(cast<ConstantInt>(call.getArgOperand(index))->getZExtValue());
  };
  uint32_t component = constant(slotIndex + 1);
  if (component + width > 4)
    return invalidInput("mesh shader output: component " + Twine(component + width - 1) +
                        " of a slot");
  uint32_t slot = slotNumber(constant(slotIndex));
  uint32_t count = 1;
  if (const auto *element = dyn_cast<ConstantInt>(call.getArgOperand(slotIndex + 2))) {
    slot += static_cast<uint32_t>(element->getZExtValue());
  } else {
    count = slotsReached(constant(slotIndex));
    arrays.push_back({slot, count});
  }
  if (slot >= Slot::End || count > Slot::End - slot)
    return invalidInput("mesh shader output: slot " + Twine(slot));
  uint32_t mask = ((1u << width) - 1) << component;
  for (uint32_t i = 0; i < count; ++i) {
    Components &components = slots[slot + i];
    components.accessed |= mask;
    if (store)
      components.stored |= mask;
  }
  return Error::success();
}

void MeshLayout::collectIndices(ArrayRef<const CallInst *> accesses) {
  Components &components = slots[Slot::PrimitiveIndices];
  const uint32_t all = components.stored;
  if (!all)
    return;
  for (const CallInst *call : accesses) {
    const auto *store = dyn_cast<OutputStoreOp>(call);
    auto *vector = store ? dyn_cast<FixedVectorType>(store->getArgOperand(0)->getType()) : nullptr;
    packedIndices &= store && (1u << (vector ? vector->getNumElements() : 1)) - 1 == all;
  }
  // One by one: all are exported, whichever are stored.
  components.stored = packedIndices ? 1 : bit_ceil(all + 1) - 1;
  components.accessed = packedIndices ? 1 : components.accessed | components.stored;
}

Error MeshLayout::collect(const Function &shader) {
  SmallVector<const CallInst *, 4> indices;
  for (const BasicBlock &block : shader) {
    for (const Instruction &inst : block) {
      const auto *store = dyn_cast<OutputStoreOp>(&inst);
      const auto *load = dyn_cast<OutputLoadOp>(&inst);
      if (!store && !load)
        continue;
      const auto &call = cast<CallInst>(inst);
      KILN_TRY(collectAccess(call));
      if (slotNumber(store ? store->constArg(1) : load->constArg(0)) == Slot::PrimitiveIndices)
        indices.push_back(&call);
    }
  }
  if (!indices.empty())
    collectIndices(indices);
  return Error::success();
}

std::vector<MeshLayout::Group> MeshLayout::makeGroups() const {
  std::vector<Group> groups;
  uint32_t groupEnd = 0; // arrays that overlap are one group
  for (const auto &[slot, components] : slots) {
    if (groups.empty() || slot >= groupEnd) {
      groups.push_back({slot, 0, 0, components.accessed, false});
      groupEnd = slot + 1;
    }
    for (const auto &[first, count] : arrays)
      if (first <= slot && slot < first + count)
        groupEnd = std::max(groupEnd, first + count);
    groups.back().slots = slot + 1 - groups.back().first;
    groups.back().dwords |= components.accessed; // components, until all slots are known
  }
  for (Group &group : groups) {
    uint32_t components = group.dwords;
    group.component = static_cast<uint32_t>(countr_zero(components));
    uint32_t end = 32 - static_cast<uint32_t>(countl_zero(components));
    group.dwords = bit_ceil(end - group.component);
  }
  llvm::sort(groups, [](const Group &a, const Group &b) {
    return a.dwords != b.dwords ? a.dwords > b.dwords : a.first < b.first;
  });
  return groups;
}

/// Gives every slot its place. Returns the bytes of LDS.
uint64_t MeshLayout::assign(std::vector<Group> &groups, const MeshModes &modes, bool padded) {
  regions = {};
  std::array<std::array<uint32_t, 2>, 2> largest = {}; // dwords
  for (const Group &group : groups) {
    MeshRegion &region = regions[group.inScratch][group.isPrimitive()];
    uint32_t &most = largest[group.inScratch][group.isPrimitive()];
    most = std::max(most, group.dwords);
    for (uint32_t i = 0; i < group.slots; ++i) {
      auto found = slots.find(group.first + i);
      if (found != slots.end())
        places[group.first + i] = {found->second.stored, group.component, group.dwords,
                                   region.stride, group.inScratch};
      region.stride += group.dwords * 4;
    }
  }
  std::array<uint64_t, 2> size = {recordsAt, 0};
  const uint32_t counts[] = {modes.outputVertices, modes.outputPrimitives};
  for (unsigned scratch : {0u, 1u}) {
    for (unsigned kind : {0u, 1u}) {
      MeshRegion &region = regions[scratch][kind];
      if (!region.stride)
        continue;
      uint32_t unit = largest[scratch][kind] * 4;
      region.stride = alignTo(region.stride, unit);
      // An odd stride spreads the lanes' accesses over all banks of LDS; at most a quarter more.
      uint32_t units = region.stride / unit;
      if (padded && !scratch && units >= 4 && units % 2 == 0)
        region.stride += unit;
      region.base = static_cast<uint32_t>(size[scratch]);
      size[scratch] = alignTo(size[scratch] + uint64_t(region.stride) * counts[kind], 16);
    }
  }
  ldsBytes = static_cast<uint32_t>(size[0]);
  scratchBytes = static_cast<uint32_t>(size[1]);
  return size[0];
}

/// Bytes of the workgroup variables of `shader`.
static uint64_t workgroupBytes(const Function &shader) {
  const Module &module = *shader.getParent();
  uint64_t bytes = 0;
  for (const GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != AddrSpace::Local || !isUsedIn(variable, shader))
      continue;
    uint64_t size = module.getDataLayout().getTypeAllocSize(variable.getValueType());
    bytes = alignTo(bytes + size, Align(16)); // LLVM puts no more between two variables
  }
  return bytes;
}

Expected<MeshLayout> MeshLayout::create(const Function &shader, const PipelineState &state) {
  MeshLayout layout;
  uint64_t sharedBytes = workgroupBytes(shader);
  KILN_TRY(layout.collect(shader));
  std::vector<Group> groups = layout.makeGroups();
  const MeshModes &modes = state.graphics.mesh;
  auto fits = [&](bool padded) {
    return layout.assign(groups, modes, padded) + sharedBytes <= maxLdsBytes;
  };
  bool fitting = fits(true) || fits(false);
  // Attributes of primitives first, then of vertices, then everything.
  constexpr std::pair<bool, bool> steps[] = {
      {true, true}, {true, false}, {false, true}, {false, false}};
  for (auto [generic, primitive] : steps) {
    for (Group &group : reverse(groups)) {
      if (fitting)
        break;
      if (group.inScratch || group.isGeneric() != generic || group.isPrimitive() != primitive)
        continue;
      group.inScratch = true;
      fitting = fits(false);
    }
  }
  if (!fitting)
    return limitExceeded("workgroup variables of the mesh shader: " + Twine(sharedBytes) +
                         " bytes, limit " + Twine(maxLdsBytes - recordsAt));
  return layout;
}

} // namespace lgc
