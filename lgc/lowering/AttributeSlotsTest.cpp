//===- AttributeSlotsTest.cpp - both sides agree on attribute numbers -----===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/AttributeSlots.h"
#include "lgc/Interface.h"
#include "lgc/Shader.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>

using namespace lgc;
using namespace llvm;

namespace {

PipelineState graphicsState(std::initializer_list<ShaderStage> stages,
                            const char *target = "gfx1100") {
  PipelineState state;
  state.target = target;
  for (ShaderStage stage : stages)
    state.graphics.stageMask |= 1u << static_cast<unsigned>(stage);
  return state;
}

/// A module whose shader `name` stores the slots.
std::unique_ptr<Module> moduleWithStores(LLVMContext &context, const std::string &name,
                                         std::initializer_list<uint32_t> slots) {
  std::string text = "declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, "
                     "i32, i32)\ndefine void @" +
                     name + "() {\n";
  for (uint32_t slot : slots)
    text += "call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 0.0, i32 " +
            std::to_string(slot) + ", i32 0, i32 0, i32 poison)\n";
  SMDiagnostic diagnostic;
  return parseAssemblyString(text + "ret void\n}\n", diagnostic, context);
}

TEST(AttributeSlots, BothSidesNumberWhatIsWrittenAndRead) {
  LLVMContext context;
  PipelineState state = graphicsState({ShaderStage::Vertex, ShaderStage::Fragment});
  auto module = moduleWithStores(context, "lgc.shader.VS", {Slot::Position, Slot::Layer, 2, 0, 1});
  ASSERT_TRUE(module);
  AttributeSlots inputs =
      AttributeSlots::forInputs(*module, state, {Slot::PrimitiveId, Slot::Layer, 2, 5, 1});
  EXPECT_EQ(inputs.find(1), 0u);
  EXPECT_EQ(inputs.find(2), 1u);
  EXPECT_EQ(inputs.find(Slot::Layer), 2u);
  EXPECT_EQ(inputs.find(Slot::PrimitiveId), 3u) << "the exporter supplies it";
  EXPECT_EQ(inputs.find(5), std::nullopt) << "nobody writes it";
  EXPECT_EQ(inputs.find(0), std::nullopt) << "nobody reads it";
  std::vector<uint32_t> stored = storedSlots(*module->getFunction("lgc.shader.VS"));
  EXPECT_EQ(stored, std::vector<uint32_t>({0, 1, 2, Slot::Position, Slot::Layer}));
  AttributeSlots exports = AttributeSlots::forExport(*module, state, stored);
  EXPECT_EQ(exports.vertexSlots(), inputs.vertexSlots());
}

TEST(AttributeSlots, OneSideAloneTakesAllOfIts) {
  LLVMContext context;
  Module module("", context);
  PipelineState state = graphicsState({ShaderStage::Vertex, ShaderStage::Fragment});
  AttributeSlots exports = AttributeSlots::forExport(
      module, state, {Slot::ClipDistance, Slot::Position, 3, Slot::PointSize, 3});
  EXPECT_EQ(exports.vertexSlots(), ArrayRef<uint32_t>({3, Slot::ClipDistance}));
  AttributeSlots inputs = AttributeSlots::forInputs(module, state, {7, 4});
  EXPECT_EQ(inputs.vertexSlots(), ArrayRef<uint32_t>({4, 7}));
}

TEST(AttributeSlots, PrimitivesFollowVertices) {
  LLVMContext context;
  Module module("", context);
  for (const char *target : {"gfx1030", "gfx1100", "gfx1201"}) {
    PipelineState state = graphicsState({ShaderStage::Mesh, ShaderStage::Fragment}, target);
    AttributeSlots mixed = AttributeSlots::forExport(
        module, state, {Slot::Primitive + 1, Slot::PrimitiveId, 0, Slot::CullPrimitive});
    EXPECT_EQ(mixed.find(0), 0u);
    EXPECT_EQ(mixed.find(Slot::Primitive + 1), 1u);
    EXPECT_EQ(mixed.find(Slot::PrimitiveId), 2u);
    EXPECT_EQ(mixed.attributeCount(), 3u);
    AttributeSlots only = AttributeSlots::forExport(module, state, {Slot::Primitive});
    EXPECT_EQ(only.find(Slot::Primitive), target == StringRef("gfx1030") ? 0u : 1u);
  }
}

} // namespace
