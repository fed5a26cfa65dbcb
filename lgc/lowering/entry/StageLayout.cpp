//===- StageLayout.cpp - which user SGPR holds what -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// User SGPRs of a stage: global table, special values of the driver, API entries without gaps,
/// spill table, padding. HW(gfx10, gfx11): a gap between API entries would be filled with API entry
/// 0, so everything else stands before or behind them (docs/hw-notes.md).
#include "lgc/Shader.h"
#include "lgc/lowering/entry/EntryLayout.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace lgc {

using pal::abi::HardwareStage;
namespace userdata = pal::abi::userdata;

namespace {

/// The API dwords that get registers, ascending. Pointers to tables come first when not all fit:
/// a spilled pointer would put one more load in front of each access.
SmallVector<uint32_t, 32> chooseResidents(const BitVector &entries, const ResourceMapping &mapping,
                                          size_t budget) {
  BitVector pointers(userdata::maxEntries);
  for (const ResourceNode &node : mapping.roots)
    if (node.type != ResourceNodeType::PushConst && node.offsetInDwords < userdata::maxEntries)
      pointers.set(node.offsetInDwords);
  SmallVector<uint32_t, 32> chosen;
  for (bool wantPointers : {true, false})
    for (unsigned entry : entries.set_bits())
      if (pointers.test(entry) == wantPointers && chosen.size() < budget)
        chosen.push_back(entry);
  sort(chosen);
  return chosen;
}

/// Global table and special values.
void addSpecials(const EntryNeeds &needs, StageLayout &layout) {
  auto &registers = layout.registers;
  // LLVM reads the scratch descriptor through it on gfx10; PAL wants it nowhere but in s0.
  registers.push_back(userdata::globalTable);
  auto add = [&](uint32_t value) {
    registers.push_back(value);
    // PAL maps the first register of a wide value only.
    registers.append(userdata::registerCount(value) - 1, userdata::notMapped);
  };
  // PAL writes the first instance into the register behind that of the first vertex.
  bool baseVertex = needs.needsSpecial(userdata::baseVertex);
  if (needs.needsSpecial(userdata::baseInstance) && !baseVertex)
    add(userdata::baseVertex);
  for (uint32_t value : needs.specialValues) {
    add(value);
    if (value == userdata::baseVertex && !needs.needsSpecial(userdata::baseInstance))
      add(userdata::baseInstance);
  }
}

/// HW(gfx1100, gfx1102): wave32 waves may start with wrong user SGPRs unless all 16 SGPRs from the
/// first system SGPR on are loaded.
void padRegisters(const PipelineState &state, StageLayout &layout) {
  if (layout.waveSize != 32 || (state.target != "gfx1100" && state.target != "gfx1102"))
    return;
  size_t least = 0;
  if (layout.stage == HardwareStage::Cs || layout.stage == HardwareStage::Ps)
    least = 16;
  else if (layout.stage == HardwareStage::Gs && planStages(state).hasMesh)
    least = 8; // behind 8 system SGPRs
  if (layout.registers.size() < least)
    layout.registers.resize(least, userdata::notMapped);
}

} // namespace

Error planStage(HardwareStage stage, const EntryNeeds &needs, const PipelineState &state,
                PipelineLayout &pipeline) {
  StageLayout layout;
  layout.stage = stage;
  layout.waveSize = chooseWaveSize(state, stage);
  addSpecials(needs, layout);
  auto &registers = layout.registers;
  size_t limit =
      stage == HardwareStage::Cs ? userdata::computeRegisters : userdata::graphicsRegisters;
  size_t budget = limit - registers.size();
  bool dynamic = !needs.spillTable.empty();
  bool spills = dynamic || needs.entries.count() > budget;
  SmallVector<uint32_t, 32> residents =
      chooseResidents(needs.entries, state.mapping, spills ? budget - 1 : budget);
  registers.append(residents.begin(), residents.end());
  if (spills)
    registers.push_back(userdata::spillTable);

  BitVector spilled = needs.entries;
  for (uint32_t entry : residents)
    spilled.reset(entry);
  spilled |= needs.indexed;
  pipeline.spilled |= spilled;
  pipeline.used |= needs.entries;
  pipeline.used |= spilled;
  if (pipeline.used.any())
    pipeline.userDataLimit = static_cast<uint32_t>(pipeline.used.find_last()) + 1;
  if (pipeline.spilled.any())
    pipeline.spillThreshold = static_cast<uint32_t>(pipeline.spilled.find_first());
  padRegisters(state, layout);

  layout.workgroupId = needs.workgroupIdParts;
  for (unsigned i = 0; i < 3; ++i)
    if (needs.localIdParts[i])
      layout.localIdComponents = i + 1;
  layout.hardware = KILN_TRY(planHardwareInputs(stage, state, needs.hardware));
  if (!needs.vertexInputs.empty()) {
    layout.fetch = KILN_TRY(planVertexInputs(needs, state, layout));
  }
  pipeline.stages.push_back(std::move(layout));
  return Error::success();
}

} // namespace lgc
