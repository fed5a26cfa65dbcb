//===- EntryLayoutTest.cpp - registers of hardware stages -----------------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/entry/EntryLayout.h"
#include "lgc/CompileError.h"
#include "lgc/lowering/entry/PalRegisters.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <gtest/gtest.h>

using namespace lgc;
using pal::abi::HardwareStage;
namespace userdata = pal::abi::userdata;

namespace {

PipelineState graphicsState(const char *target, std::initializer_list<ShaderStage> stages) {
  PipelineState state;
  state.target = target;
  for (ShaderStage stage : stages)
    state.graphics.stageMask |= 1u << static_cast<unsigned>(stage);
  return state;
}

PipelineState vertexState(const char *target) {
  return graphicsState(target, {ShaderStage::Vertex, ShaderStage::Fragment});
}

HwValueSet setOf(std::initializer_list<HwValue> values) {
  HwValueSet set;
  for (HwValue value : values)
    set.set(static_cast<size_t>(value));
  return set;
}

HardwareInputs plan(HardwareStage stage, const PipelineState &state,
                    std::initializer_list<HwValue> used) {
  auto inputs = planHardwareInputs(stage, state, setOf(used));
  EXPECT_TRUE(static_cast<bool>(inputs));
  if (inputs)
    return std::move(*inputs);
  ADD_FAILURE() << consumeToText(inputs.takeError()).message;
  return {};
}

uint64_t setting(const HardwareInputs &inputs, llvm::StringRef key) {
  for (const HardwareInputs::Setting &each : inputs.graphicsRegisters)
    if (each.key == key)
      return each.value;
  return ~0ull;
}

TEST(HardwareInputs, GeometryCountsFollowWhatIsRead) {
  struct Row {
    std::vector<HwValue> used;
    uint64_t gs10, es10, gs12, es12;
  };
  const Row rows[] = {
      {{}, 0, 0, 0, 0},
      {{HwValue::VertexId}, 0, 0, 0, 0},
      {{HwValue::InstanceId}, 0, 3, 0, 1},
      {{HwValue::GsPrimitiveId}, 2, 0, 1, 0},
      {{HwValue::GsVertexOffsets23}, 1, 0, 2, 0},
      {{HwValue::GsVertexOffsets45}, 3, 0, 2, 0},
      {{HwValue::GsInvocationId}, 3, 0, 0, 0},
  };
  for (const Row &row : rows) {
    HwValueSet used;
    for (HwValue value : row.used)
      used.set(static_cast<size_t>(value));
    for (const char *target : {"gfx1030", "gfx1100", "gfx1150", "gfx1201"}) {
      bool is12 = std::string(target) == "gfx1201";
      auto inputs = planHardwareInputs(HardwareStage::Gs, vertexState(target), used);
      ASSERT_TRUE(static_cast<bool>(inputs)) << target;
      EXPECT_EQ(setting(*inputs, pal::abi::key::gsVgprCompCnt), is12 ? row.gs12 : row.gs10);
      EXPECT_EQ(setting(*inputs, pal::abi::key::esVgprCompCnt), is12 ? row.es12 : row.es10);
      EXPECT_EQ(inputs->before.size(), 8u);
      // The hardware writes at least one register of the vertex half.
      EXPECT_EQ(inputs->vectors.size(), (is12 ? 3u + row.es12 : 5u + row.es10) + 1u);
    }
  }
}

TEST(HardwareInputs, FieldsOfPackedRegisters) {
  PipelineState state = vertexState("gfx1201");
  HwField field = locateHwValue(HwValue::GsInvocationId, state);
  EXPECT_EQ(field.container, HwValue::GsVertexOffsets01);
  EXPECT_EQ(field.shift, 27u);
  field = locateHwValue(HwValue::GsInvocationId, vertexState("gfx1150"));
  EXPECT_EQ(field.container, HwValue::GsInvocationId);
  EXPECT_EQ(field.shift, 0u);
}

TEST(HardwareInputs, StreamOutOfLegacyVertexStages) {
  PipelineState state = vertexState("gfx1010");
  HardwareInputs none = plan(HardwareStage::Vs, state, {HwValue::VertexId});
  EXPECT_TRUE(none.after.empty());
  EXPECT_EQ(setting(none, pal::abi::key::vsStreamoutEn), ~0ull);
  HardwareInputs some =
      plan(HardwareStage::Vs, state, {HwValue::StreamOutOffset0, HwValue::StreamOutOffset2});
  ASSERT_EQ(some.after.size(), 4u);
  EXPECT_EQ(some.after[0], HwValue::StreamOutInfo);
  EXPECT_EQ(some.after[1], HwValue::StreamOutWriteIndex);
  EXPECT_EQ(some.after[2], HwValue::StreamOutOffset0);
  EXPECT_EQ(some.after[3], HwValue::StreamOutOffset2);
  EXPECT_EQ(setting(some, pal::abi::key::vsStreamoutEn), 1u);
  EXPECT_EQ(setting(some, pal::abi::key::vsSoBase1En), 0u);
  EXPECT_EQ(setting(some, pal::abi::key::vsSoBase2En), 1u);
}

TEST(HardwareInputs, WhatAStageDoesNotHaveIsAnError) {
  for (auto [stage, value] : {std::pair(HardwareStage::Gs, HwValue::PerspCenter),
                              std::pair(HardwareStage::Ps, HwValue::VertexId),
                              std::pair(HardwareStage::Hs, HwValue::AttribRingBase),
                              std::pair(HardwareStage::Cs, HwValue::MergedWaveInfo)}) {
    auto inputs = planHardwareInputs(stage, vertexState("gfx1100"), setOf({value}));
    ASSERT_FALSE(static_cast<bool>(inputs));
    EXPECT_EQ(consumeToText(inputs.takeError()).kind, ErrorKind::Internal);
  }
}

TEST(StageLayout, StagesShareTheSpillTable) {
  PipelineState state = vertexState("gfx1100");
  PipelineLayout layout;
  EntryNeeds vertex, fragment;
  vertex.addSpecial(userdata::baseInstance);
  vertex.addSpecial(userdata::baseVertex);
  vertex.addSpecial(userdata::baseVertex);
  vertex.entries.set(3, 5);
  fragment.entries.set(0, 50);
  ASSERT_FALSE(planStage(HardwareStage::Gs, vertex, state, layout));
  ASSERT_FALSE(planStage(HardwareStage::Ps, fragment, state, layout));
  ASSERT_EQ(layout.stages.size(), 2u);
  const std::vector<uint32_t> expected = {userdata::globalTable, userdata::baseVertex,
                                          userdata::baseInstance, 3, 4};
  EXPECT_EQ(
      std::vector<uint32_t>(layout.stages[0].registers.begin(), layout.stages[0].registers.end()),
      expected);
  const auto &pixel = layout.stages[1].registers;
  EXPECT_EQ(pixel.size(), userdata::graphicsRegisters);
  EXPECT_EQ(pixel.back(), userdata::spillTable);
  EXPECT_EQ(layout.spillThreshold, 30u);
  EXPECT_EQ(layout.userDataLimit, 50u);
}

TEST(StageLayout, WaveThirtyTwoNeedsAllRegisters) {
  for (auto [target, expected] :
       {std::pair("gfx1100", 16u), std::pair("gfx1102", 16u), std::pair("gfx1150", 1u)}) {
    PipelineState state = vertexState(target);
    state.graphics.shader(ShaderStage::Fragment).waveSize = 32;
    PipelineLayout layout;
    ASSERT_FALSE(planStage(HardwareStage::Ps, EntryNeeds(), state, layout));
    EXPECT_EQ(layout.stages[0].registers.size(), expected) << target;
  }
  PipelineState mesh = graphicsState("gfx1100", {ShaderStage::Mesh, ShaderStage::Fragment});
  mesh.graphics.shader(ShaderStage::Mesh).waveSize = 32;
  PipelineLayout layout;
  ASSERT_FALSE(planStage(HardwareStage::Gs, EntryNeeds(), mesh, layout));
  EXPECT_EQ(layout.stages[0].registers.size(), 8u);
}

TEST(PalRegisters, LaterNotesWinAndGapsAreZero) {
  llvm::LLVMContext context;
  llvm::Module module("", context);
  namespace key = pal::abi::key;
  setGraphics(module, key::vgtReuseOff, uint64_t(1));
  setGraphics(module, key::vgtReuseOff, uint64_t(0));
  setRegister(module, {key::graphicsRegisters, key::vgtGsVertItemsize, "[2]"}, uint64_t(7));
  setGraphics(module, key::vgtGsOutPrimType, key::outprimType, "TriStrip");
  MetadataTree tree;
  takeRegisters(module, tree.root());
  const std::string blob = tree.text();
  llvm::msgpack::Document document;
  ASSERT_TRUE(document.readFromBlob(blob, /*Multi=*/false));
  llvm::msgpack::MapDocNode pipeline = document.getRoot().getMap();
  std::string again;
  document.writeToBlob(again);
  EXPECT_EQ(blob, again); // what LLVM writes
  auto &graphics = pipeline[key::graphicsRegisters].getMap();
  EXPECT_EQ(graphics[key::vgtReuseOff].getKind(), llvm::msgpack::Type::Boolean);
  EXPECT_FALSE(graphics[key::vgtReuseOff].getBool());
  auto &sizes = graphics[key::vgtGsVertItemsize].getArray();
  ASSERT_EQ(sizes.size(), 3u);
  EXPECT_EQ(sizes[0].getUInt(), 0u);
  EXPECT_EQ(sizes[2].getUInt(), 7u);
  EXPECT_EQ(graphics[key::vgtGsOutPrimType].getMap()[key::outprimType].getString(), "TriStrip");
  EXPECT_EQ(module.getNamedMetadata("lgc.registers"), nullptr);
}

} // namespace
