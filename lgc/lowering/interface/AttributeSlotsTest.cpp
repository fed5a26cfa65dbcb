//===- AttributeSlotsTest.cpp - both sides agree on attribute numbers -----===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/interface/AttributeSlots.h"
#include "lgc/Interface.h"
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>

using namespace lgc;
using namespace llvm;

namespace {

using Slots = std::vector<uint32_t>;

PipelineState graphicsState(ShaderStage last) {
  PipelineState state;
  state.target = "gfx1100";
  for (ShaderStage stage : {last, ShaderStage::Fragment})
    state.graphics.stageMask |= 1u << static_cast<unsigned>(stage);
  return state;
}

std::string number(uint32_t value) { return "i32 " + std::to_string(value); }

/// The last vertex stage (if it has a name) stores `written`, the fragment shader loads `read`.
std::unique_ptr<Module> makeModule(LLVMContext &context, const std::string &writer,
                                   const Slots &written, const Slots &read) {
  std::string text = "declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, "
                     "i32, i32)\n"
                     "declare i32 @lgc.input.load__i32_i32_i32_i32_i32(i32, i32, i32, i32)\n";
  if (!writer.empty()) {
    text += "define void @" + writer + "() {\n";
    for (uint32_t slot : written)
      text += "call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 1.0, " + number(slot) +
              ", i32 0, i32 0, i32 poison)\n";
    text += "ret void\n}\n";
  }
  text += "define void @lgc.shader.FS() {\n";
  for (uint32_t slot : read)
    text += "call i32 @lgc.input.load__i32_i32_i32_i32_i32(" + number(slot) +
            ", i32 0, i32 0, i32 poison)\n";
  SMDiagnostic diagnostic;
  return parseAssemblyString(text + "ret void\n}\n", diagnostic, context);
}

TEST(AttributeSlots, GenericSlotsAreNumbers) {
  LLVMContext context;
  auto module = makeModule(context, "lgc.shader.VS", {Slot::Position, 0, 2}, {2, 5});
  ASSERT_TRUE(module);
  AttributeSlots slots(*module, graphicsState(ShaderStage::Vertex), {2, 5});
  EXPECT_TRUE(slots.isLinked());
  EXPECT_EQ(slots.find(2), 2u);
  EXPECT_EQ(slots.find(5), std::nullopt) << "nobody writes it";
}

TEST(AttributeSlots, BuiltInsGetSlotsOfTheirOwnOnBothSides) {
  LLVMContext context;
  auto module = makeModule(context, "lgc.shader.VS", {Slot::Position, Slot::Layer, 1},
                           {Slot::PrimitiveId, Slot::Layer, Slot::ViewportIndex, 3});
  ASSERT_TRUE(module);
  linkBuiltInSlots(*module, graphicsState(ShaderStage::Vertex));
  // 4: Layer, 5: PrimitiveId, which the exporter makes; nobody writes the viewport.
  EXPECT_EQ(storedSlots(*module->getFunction("lgc.shader.VS")),
            Slots({1, 4, 5, Slot::Position, Slot::Layer}));
  EXPECT_EQ(loadedSlots(*module->getFunction("lgc.shader.FS")),
            Slots({3, 4, 5, Slot::ViewportIndex}));
  EXPECT_TRUE(hasOp(*module, OpId::BuiltinOp));
  EXPECT_FALSE(errorToBool(verifyOps(*module)));
}

TEST(AttributeSlots, PrimitivesFollowVertices) {
  LLVMContext context;
  PipelineState state = graphicsState(ShaderStage::Mesh);
  auto mixed = makeModule(context, "lgc.shader.MS", {Slot::Primitive + 1, Slot::PrimitiveId, 1},
                          {Slot::Primitive + 1, Slot::PrimitiveId});
  ASSERT_TRUE(mixed);
  linkBuiltInSlots(*mixed, state);
  Slots read = loadedSlots(*mixed->getFunction("lgc.shader.FS"));
  EXPECT_EQ(read, Slots({Slot::Primitive + 1, Slot::Primitive + 2}));
  AttributeSlots slots(*mixed, state, read);
  EXPECT_EQ(slots.find(Slot::Primitive + 1), 3u);
  EXPECT_EQ(slots.find(Slot::Primitive + 2), 4u);
  auto only = makeModule(context, "lgc.shader.MS", {Slot::Primitive}, {Slot::Primitive});
  EXPECT_EQ(AttributeSlots(*only, state, {Slot::Primitive}).find(Slot::Primitive), 1u);
}

TEST(AttributeSlots, AFragmentShaderAloneFindsAllThatItReads) {
  LLVMContext context;
  auto module = makeModule(context, "", {}, {});
  ASSERT_TRUE(module);
  AttributeSlots slots(*module, graphicsState(ShaderStage::Vertex),
                       {7, 4, Slot::Layer, Slot::PrimitiveId});
  EXPECT_FALSE(slots.isLinked());
  EXPECT_EQ(slots.find(4), 4u);
  EXPECT_EQ(slots.find(7), 7u);
  EXPECT_EQ(slots.find(Slot::Layer), 8u);
  EXPECT_EQ(slots.find(Slot::PrimitiveId), 9u);
}

} // namespace
