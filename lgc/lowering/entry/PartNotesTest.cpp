//===- PartNotesTest.cpp - user data of parts -----------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/CompileError.h"
#include "lgc/Part.h"
#include "lgc/lowering/entry/EntryLayout.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <gtest/gtest.h>

using namespace lgc;
using pal::abi::HardwareStage;

namespace {

constexpr auto table = ResourceNodeType::DescriptorTableVaPtr;
constexpr auto push = ResourceNodeType::PushConst;
constexpr auto buffer = ResourceNodeType::DescriptorBuffer;

/// Two tables, an array of two dynamic buffers, push constants, in no order.
PipelineState stateWithRoots() {
  PipelineState state;
  state.target = "gfx1100";
  state.part.relocatable = true;
  state.mapping.roots = {{push, 20, 16, 0, 0, 0, {}},
                         {table, 1, 0, 0, 0, 0, {}},
                         {table, 1, 1, 1, 0, 0, {}},
                         {buffer, 8, 2, 1, 5, 4, {}}};
  return state;
}

PartInfo noted(const PipelineState &state, const PipelineLayout &layout) {
  llvm::LLVMContext context;
  llvm::Module module("", context);
  llvm::Error error = notePart(module, state, layout);
  EXPECT_FALSE(bool(error)) << consumeToText(std::move(error)).message;
  return partInfoOf(module);
}

TEST(PartNotes, UsedRootsAndSpilledDwords) {
  PipelineState state = stateWithRoots();
  EntryNeeds needs;
  needs.entries.set(1);
  needs.entries.set(17, 33);
  PipelineLayout layout;
  ASSERT_FALSE(planStage(HardwareStage::Cs, needs, state, layout));
  PartInfo info = noted(state, layout);
  EXPECT_EQ(info.kind, PartKind::Compute);
  EXPECT_EQ(info.roots, (std::vector<PartRoot>{{table, 1, 0, 1, 1}, {push, 0, 0, 16, 20}}));
  // 16 registers: global table, spill table, dword 1, 13 push constants.
  EXPECT_EQ(info.spilled, (std::vector<uint32_t>{30, 31, 32}));
}

TEST(PartNotes, OfComputedAddressesEveryDwordIsSpilled) {
  PipelineState state = stateWithRoots();
  EntryNeeds needs;
  needs.entries.set(0);
  needs.indexed.set(2, 10);
  needs.spillTable.push_back(nullptr);
  PipelineLayout layout;
  ASSERT_FALSE(planStage(HardwareStage::Cs, needs, state, layout));
  PartInfo info = noted(state, layout);
  EXPECT_EQ(info.roots, (std::vector<PartRoot>{{table, 0, 0, 0, 1}, {buffer, 1, 5, 2, 8}}));
  EXPECT_EQ(info.spilled, (std::vector<uint32_t>{2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(PartNotes, KindFollowsTheStages) {
  PipelineState state = stateWithRoots();
  auto kindOf = [&](std::initializer_list<HardwareStage> stages) {
    PipelineLayout layout;
    for (HardwareStage stage : stages)
      EXPECT_FALSE(bool(planStage(stage, EntryNeeds(), state, layout)));
    return noted(state, layout).kind;
  };
  EXPECT_EQ(kindOf({HardwareStage::Cs}), PartKind::Compute);
  state.graphics.stageMask = 1u << static_cast<unsigned>(ShaderStage::Fragment);
  EXPECT_EQ(kindOf({HardwareStage::Ps}), PartKind::Fragment);
  state.graphics.stageMask = 1u << static_cast<unsigned>(ShaderStage::Mesh) |
                             1u << static_cast<unsigned>(ShaderStage::Task);
  EXPECT_EQ(kindOf({HardwareStage::Gs, HardwareStage::Cs}), PartKind::PreRasterization);
}

TEST(PartNotes, ErrorsNameTheReason) {
  PipelineState state = stateWithRoots();
  auto errorOf = [&](const PipelineLayout &layout) {
    llvm::LLVMContext context;
    llvm::Module module("", context);
    ErrorText text = consumeToText(notePart(module, state, layout));
    return text.message;
  };
  EntryNeeds needs;
  needs.entries.set(40);
  PipelineLayout gap;
  ASSERT_FALSE(planStage(HardwareStage::Cs, needs, state, gap));
  EXPECT_EQ(errorOf(gap), "part: root dword 40 belongs to no node");
  state.graphics.stageMask = 1u << static_cast<unsigned>(ShaderStage::Vertex) |
                             1u << static_cast<unsigned>(ShaderStage::Fragment);
  PipelineLayout both;
  ASSERT_FALSE(planStage(HardwareStage::Gs, EntryNeeds(), state, both));
  ASSERT_FALSE(planStage(HardwareStage::Ps, EntryNeeds(), state, both));
  EXPECT_EQ(errorOf(both), "part: fragment shader together with stages before rasterization");
}

} // namespace
