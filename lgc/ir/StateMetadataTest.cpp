//===- StateMetadataTest.cpp - state round trip and bad metadata ----------===//
// SPDX-License-Identifier: MIT
#include "lgc/StateMetadata.h"
#include "lgc/CompileError.h"
#include "lgc/Shader.h"
#include "lgc/StateFields.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"
#include "gtest/gtest.h"
#include <set>

using namespace lgc;

namespace {

/// Gives every field another value than its default.
template <typename S> struct Filler {
  S &state;
  uint32_t &number; ///< of the last value

  void field(const Field &, auto member) { fill(state.*member); }
  void stages(const Field &, auto member) { state.*member = 0x56; }
  void nested(const char *, auto member) { fillAll(state.*member); }
  template <typename Base> void base(Base *list) { visitFields(*this, list); }
  void separate(auto) {}

  template <typename Inner> void fillAll(Inner &inner) {
    Filler<Inner> filler{inner, number};
    visitFields(filler, static_cast<Inner *>(nullptr));
  }
  void fill(bool &value) { value = !value; }
  void fill(uint32_t &value) { value = ++number; }
  void fill(std::string &value) { value = "main \"quoted\""; }
  void fill(std::array<uint32_t, 3> &values) { values = {++number, 4, 2}; }
  void fill(std::array<uint32_t, 4> &values) { values = {++number, 8, 0, 3}; }
  void fill(uint64_t (&hash)[2]) {
    hash[0] = ~0ull;
    hash[1] = 0x8000000000000000ull + ++number;
  }
  void fill(FloatMode &mode) { mode = {!mode.flushDenorms, true, !mode.preserveSpecials, true}; }
  template <typename Enum>
    requires std::is_enum_v<Enum>
  void fill(Enum &value) {
    value = value == Enum(1) ? Enum(2) : Enum(1);
  }
};

/// A state in which every field differs from its default.
PipelineState fullState() {
  PipelineState s;
  s.target = "gfx1100";
  s.deviceIndex = 3;
  uint32_t number = 20;
  Filler<PipelineState> filler{s, number};
  filler.fillAll(s.options);
  filler.fillAll(s.part);
  filler.fillAll(s.compute);
  filler.fillAll(s.graphics);
  GraphicsState &g = s.graphics;
  for (ShaderState &shader : g.shaders)
    shader.waveSize = 32;
  g.vertexBindings = {{0, 12, VertexInputRate::Vertex, 1}, {3, 16, VertexInputRate::Instance, 0}};
  g.vertexAttributes = {{2, 3, 8, {TexelLayout::RGBA8, NumericKind::Snorm, true, false}}};
  g.targets[1] = {{TexelLayout::ABGR4, NumericKind::Unorm, false, true}, 7, true, true};
  ResourceNode table{ResourceNodeType::DescriptorTableVaPtr, 1, 0, 2, 0, 0, {}};
  table.table.push_back({ResourceNodeType::DescriptorBuffer, 4, 8, 2, 1, 16, {}});
  table.table.push_back({ResourceNodeType::DescriptorImage, 8, 12, 2, 0xFFFFFFFF, 0, {}});
  s.mapping.roots = {table, {ResourceNodeType::PushConst, 4, 1, 0, 0, 0, {}}, table};
  s.mapping.staticDescriptors.push_back(
      {ResourceNodeType::DescriptorSampler, 1, 2, 2, {1, 2, 3, 0xFFFFFFFF, 5, 6, 7, 8}});
  return s;
}

std::unique_ptr<llvm::Module> parse(llvm::LLVMContext &context, llvm::StringRef text) {
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(text, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  return module;
}

std::string readError(llvm::StringRef text) {
  llvm::LLVMContext context;
  auto module = parse(context, text);
  auto state = readState(*module);
  return state ? "no error" : consumeToText(state.takeError()).message;
}

TEST(StateMetadata, RoundTripThroughText) {
  for (const PipelineState &state : {fullState(), PipelineState{}}) {
    llvm::LLVMContext context;
    llvm::Module module("m", context);
    writeState(module, fullState()); // is replaced
    writeState(module, state);
    std::string text;
    llvm::raw_string_ostream(text) << module;

    llvm::LLVMContext other;
    auto parsed = parse(other, text);
    auto read = readState(*parsed);
    ASSERT_TRUE(static_cast<bool>(read)) << consumeToText(read.takeError()).message;
    EXPECT_EQ(*read, state) << text;
  }
}

/// Every member once, under a name of its own. That there are as many as members, isListed() says.
template <typename S> struct Listing {
  const S state{};
  std::set<const void *> places;
  std::set<std::string> names;

  void field(const Field &f, auto member) {
    EXPECT_TRUE(names.insert(f.name).second) << f.name;
    separate(member);
  }
  void stages(const Field &f, auto member) { field(f, member); }
  void nested(const char *, auto member) { separate(member); }
  template <typename Base> void base(Base *list) { visitFields(*this, list); }
  void separate(auto member) { EXPECT_TRUE(places.insert(&(state.*member)).second); }
};

template <typename... Structures> void expectListings() {
  auto one = [](auto *structure) {
    Listing<std::remove_pointer_t<decltype(structure)>> listing;
    visitFields(listing, structure);
  };
  (one(static_cast<Structures *>(nullptr)), ...);
}

TEST(StateFields, EveryMemberIsListedOnce) {
  expectListings<PipelineOptions, PartState, ShaderOptions, ShaderState, TessModes, GeometryModes,
                 MeshModes, FragmentModes, XfbModes, ResourceNode, StaticDescriptor, VertexBinding,
                 VertexAttribute, InputAssemblyState, ViewportState, RasterizerState,
                 ColorExportState, ColorTarget, NggState, GraphicsState>();
}

TEST(StateMetadata, DefaultsAreNotWritten) {
  llvm::LLVMContext context;
  llvm::Module module("m", context);
  PipelineState state;
  state.target = "gfx1201";
  writeState(module, state);
  EXPECT_EQ(module.named_metadata_size(), 1u);
}

TEST(StateMetadata, Errors) {
  EXPECT_EQ(readError("!lgc.target = !{!0}\n!0 = !{i32 1}"),
            "metadata !lgc.target: expected one entry with the target's name");
  EXPECT_EQ(readError("!lgc.options = !{!0}\n!0 = !{!\"robust\", i32 1}"),
            "metadata !lgc.options: unknown key 'robust'");
  EXPECT_EQ(readError("!lgc.options = !{!0}\n!0 = !{!\"debugInfo\", i32 2}"),
            "metadata !lgc.options: value of 'debugInfo' has a wrong shape");
  EXPECT_EQ(readError("!lgc.options = !{!0}\n!0 = !{!\"optLevel\", !\"best\"}"),
            "metadata !lgc.options: value of 'optLevel' has a wrong shape");
  EXPECT_EQ(readError("!lgc.compute = !{!0}\n!0 = !{!\"workgroupSize\", i32 1, i32 1}"),
            "metadata !lgc.compute: value of 'workgroupSize' has a wrong shape");
  EXPECT_EQ(readError("!lgc.compute = !{!0, !1}\n!0 = !{!\"waveSize\", i32 64}\n"
                      "!1 = !{!\"waveSize\", i32 32}"),
            "metadata !lgc.compute: key 'waveSize' occurs twice");
  EXPECT_EQ(readError("!lgc.user.data = !{!0}\n!0 = !{!\"Descriptor\", i32 1}"),
            "metadata !lgc.user.data: unknown resource node type 'Descriptor'");
  EXPECT_EQ(readError("!lgc.user.data = !{!0}\n!0 = !{!\"PushConst\", i32 1, i32 0, i32 0}"),
            "metadata !lgc.user.data: PushConst: operand 4 is no i32");
  // A table that contains itself ends at the depth limit.
  EXPECT_EQ(readError("!lgc.user.data = !{!0}\n!0 = distinct !{!\"DescriptorTableVaPtr\", i32 1, "
                      "i32 0, i32 0, i32 0, i32 0, !0}"),
            "metadata !lgc.user.data: DescriptorTableVaPtr: operand 6 is no table entry");
}

TEST(Shader, DataLayoutIsLlvms) {
  EXPECT_EQ(dataLayoutString(), llvm::Triple(targetTriple()).computeDataLayout());
}

} // namespace
