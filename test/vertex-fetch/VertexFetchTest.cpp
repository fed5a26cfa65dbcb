// SPDX-License-Identifier: MIT
// Attributes that glue hands to a part are those that a monolithic pipeline loads: both run on the
// software device, for every class of vertex formats, per vertex and per instance.
#include "lgc/Compile.h"
#include "lgc/CompileError.h"
#include "lgc/Link.h"
#include "lgc/Shader.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/device/Draw.h"
#include "pal_shim/srd/Srd.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include <cstring>
#include <gtest/gtest.h>

namespace {

using namespace pal::device;

constexpr uint32_t vertexCount = 70, instanceCount = 3, dwordsPerVertex = 12;
constexpr uint32_t stride = 36, bufferBytes = stride * 60; // the last vertices are out of bounds

/// Writes both attributes, 4 dwords of location 0, 4 of location 1 (the rest of a wide attribute)
/// and 4 of location 3, to the place of the vertex and instance in a buffer.
std::string shaderText(const std::string &type, const std::string &suffix) {
  std::string text = R"(
define void @lgc.shader.VS() {
  %vertex = call i32 @lgc.builtin__i32_i32(i32 16)
  %instance = call i32 @lgc.builtin__i32_i32(i32 17)
  %row = mul i32 %instance, 70
  %item = add i32 %row, %vertex
  %first = mul i32 %item, 12
  %pair = call <2 x i32> @lgc.user.data__v2i32_i32(i32 0)
  %address = bitcast <2 x i32> %pair to i64
  %buffer = inttoptr i64 %address to ptr addrspace(1)
  %place = getelementptr i32, ptr addrspace(1) %buffer, i32 %first
)";
  const char *locations[] = {"0", "1", "3"};
  for (int i = 0; i < 3; ++i) {
    text += llvm::formatv("  %in{0} = call <4 x T> @lgc.input.load__v4S_i32_i32_i32_i32(i32 {1}, "
                          "i32 0, i32 0, i32 poison)\n"
                          "  %at{0} = getelementptr <4 x T>, ptr addrspace(1) %place, i32 {0}\n"
                          "  store <4 x T> %in{0}, ptr addrspace(1) %at{0}, align 4\n",
                          i, locations[i])
                .str();
  }
  text +=
      R"(  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 512, i32 0, i32 0, i32 poison)
  ret void
}
declare i32 @lgc.builtin__i32_i32(i32)
declare <2 x i32> @lgc.user.data__v2i32_i32(i32)
declare <4 x T> @lgc.input.load__v4S_i32_i32_i32_i32(i32, i32, i32, i32)
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
)";
  for (const auto &[from, to] : {std::pair("T", type), std::pair("4S", "4" + suffix)})
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, std::strlen(from), to);
  return text;
}

/// Target, and whether glue is generated without LLVM.
using Parameters = std::tuple<const char *, bool>;

class VertexFetchPart : public testing::TestWithParam<Parameters> {
protected:
  VertexFetchPart()
      : target(*pal::abi::findTarget(std::get<0>(GetParam()))), isDirect(std::get<1>(GetParam())),
        backend({.directGlue = isDirect}) {
    state.target = target.name.str();
    state.graphics.stageMask = 1u << unsigned(lgc::ShaderStage::Vertex);
    state.graphics.iaState.topology = lgc::Topology::PointList;
    state.graphics.rsState.rasterizerDiscardEnable = true;
    state.graphics.vertexBindings = {
        {.binding = 0, .stride = stride},
        {.binding = 1, .stride = 8, .inputRate = lgc::VertexInputRate::Instance}};
    lgc::ResourceNode root;
    root.type = lgc::ResourceNodeType::PushConst;
    root.sizeInDwords = 2;
    state.mapping.roots = {root};
    device = llvm::cantFail(SoftwareDevice::create(
        {.target = state.target, .threads = 1, .poison = true, .strict = true}));
    vertices = llvm::cantFail(device->allocate({.size = bufferBytes, .name = "vertices"}));
    table = llvm::cantFail(
        device->allocate({.size = 32, .heap = Heap::DescriptorTables, .name = "table"}));
    uint32_t number = 1;
    for (uint32_t i = 0; i < bufferBytes; ++i) {
      number = number * 1664525 + 1013904223;
      vertices->host()[i] = uint8_t(number >> 24);
    }
    uint32_t words[8];
    for (unsigned i = 0; i < 2; ++i) {
      pal::srd::BufferSrdInfo srd;
      srd.address = vertices->address();
      srd.stride = state.graphics.vertexBindings[i].stride;
      srd.sizeBytes = bufferBytes;
      srd.outOfBounds = pal::srd::OutOfBounds::IndexOnly;
      pal::srd::buildBufferSrd(target, srd, words + 4 * i);
    }
    std::memcpy(table->host(), words, sizeof(words));
  }

  llvm::Expected<lgc::CompileResult> compile(const std::string &text, lgc::PartState part) {
    llvm::LLVMContext context;
    llvm::SMDiagnostic diagnostic;
    auto module = llvm::parseAssemblyString(text, diagnostic, context);
    if (!module)
      return lgc::internalError(diagnostic.getMessage());
    lgc::PipelineState partState = state;
    partState.part = part;
    if (part.any()) {
      partState.graphics.vertexBindings.clear();
      partState.graphics.vertexAttributes.clear();
    }
    if (llvm::Error error = lgc::prepareModule(*module, partState))
      return error;
    return backend.compile(std::move(module), lgc::OutputKind::Object);
  }

  /// The part and its glue, linked.
  llvm::Expected<std::vector<uint8_t>> link(const std::string &text) {
    auto compiled = compile(text, {.relocatable = true, .separateVertexFetch = true});
    if (!compiled)
      return compiled.takeError();
    auto part = lgc::Part::create(compiled->data);
    if (!part)
      return part.takeError();
    lgc::PartInfo info;
    info.kind = lgc::PartKind::VertexFetch;
    info.fetch = (*part)->info().fetch;
    auto glued = backend.compileGlue(state, info);
    if (!glued)
      return glued.takeError();
    // Nobody waits for glue that reads bytes: LLVM makes it.
    EXPECT_EQ(glued->isDirect, isDirect && !state.graphics.unalignedVertexFetch);
    auto glue = lgc::Part::create(glued->data);
    if (!glue)
      return glue.takeError();
    return lgc::linkParts({.vertexFetch = glue->get(), .preRasterization = part->get()},
                          lgc::LinkLayout(state.mapping), {.pipelineHash = {1, 1}});
  }

  /// What the shader wrote.
  std::vector<uint32_t> run(llvm::ArrayRef<uint8_t> elf) {
    auto program = device->loadProgram(elf, "fetch");
    if (!program) {
      ADD_FAILURE() << llvm::toString(program.takeError());
      return {};
    }
    std::vector<uint32_t> result(vertexCount * instanceCount * dwordsPerVertex + dwordsPerVertex);
    auto memory = llvm::cantFail(device->allocate({.size = result.size() * 4, .name = "result"}));
    const uint32_t entries[] = {uint32_t(memory->address()), uint32_t(memory->address() >> 32)};
    DrawInfo draw;
    draw.program = program->get();
    draw.userData = entries;
    draw.vertexBufferTable = table->address();
    draw.input.topology = PrimitiveTopology::PointList;
    draw.range.vertexCount = vertexCount - 1;
    draw.range.firstVertex = 1;
    draw.range.vertexOffset = 1;
    draw.range.instanceCount = instanceCount - 1;
    draw.range.firstInstance = 1;
    draw.raster.rasterizerDiscard = true;
    draw.raster.renderArea = {0, 0, 1, 1};
    if (llvm::Error fault = device->draw(draw))
      ADD_FAILURE() << llvm::toString(std::move(fault));
    std::memcpy(result.data(), memory->host(), result.size() * 4);
    return result;
  }

  /// Both ways must write the same, and something.
  void compare(const std::string &type, const std::string &suffix) {
    checkSame(shaderText(type, suffix));
  }
  void checkSame(const std::string &text) {
    auto whole = compile(text, {});
    ASSERT_TRUE(bool(whole)) << lgc::consumeToText(whole.takeError()).message;
    auto linked = link(text);
    ASSERT_TRUE(bool(linked)) << lgc::consumeToText(linked.takeError()).message;
    std::vector<uint32_t> expected = run(whole->data), actual = run(*linked);
    EXPECT_EQ(actual, expected);
    EXPECT_NE(expected, std::vector<uint32_t>(expected.size()));
  }

  const pal::abi::GpuTarget &target;
  const bool isDirect;
  lgc::PipelineState state;
  lgc::Backend backend;
  std::unique_ptr<SoftwareDevice> device;
  std::unique_ptr<Allocation> vertices, table;
};

TEST_P(VertexFetchPart, EveryFormatClass) {
  // Kinds of numbers by letter: n snorm, u uint, f float.
  constexpr std::pair<const char *, const char *> layouts[] = {
      {"R8", "nu"},    {"RG8", "nu"},     {"RGB8", "nu"},    {"RGBA8", "nu"}, {"R16", "nuf"},
      {"RG16", "nuf"}, {"RGB16", "uf"},   {"RGBA16", "nuf"}, {"R32", "uf"},   {"RG32", "u"},
      {"RGB32", "f"},  {"RGBA32", "u"},   {"R64", "f"},      {"RG64", "u"},   {"RGB64", "f"},
      {"RGBA64", "u"}, {"RGB10A2", "nu"}, {"RG11B10", "f"}};
  for (auto [layout, kinds] : layouts) {
    for (const char *kind = kinds; *kind; ++kind) {
      const bool isInteger = *kind == 'u';
      const std::string name = std::string(layout) + (isInteger      ? ".uint"
                                                      : *kind == 'n' ? ".snorm"
                                                                     : ".float");
      SCOPED_TRACE(name);
      lgc::TexelFormat format;
      ASSERT_TRUE(lgc::parseTexelFormat(name, format));
      format.swapRedBlue = name == "RGBA8.snorm";
      state.graphics.vertexAttributes = {
          {.location = 0, .binding = 0, .offset = 4, .format = format},
          {.location = 3,
           .binding = 1,
           .offset = 0,
           .format = {lgc::TexelLayout::RG32, lgc::NumericKind::Uint}}};
      compare(isInteger ? "i32" : "float", isInteger ? "i32" : "f32");
      if (HasFatalFailure() || HasNonfatalFailure())
        return;
    }
  }
}

/// Formats of less than 64 bits a channel, all kinds of numbers.
std::vector<lgc::TexelFormat> unalignedFormats() {
  constexpr std::pair<const char *, const char *> layouts[] = {
      {"R8", "nNsSui"},     {"RGBA8", "nNsSui"}, {"R16", "nNsSuif"},    {"RGB16", "nNsSuif"},
      {"RGBA16", "nNsSui"}, {"RGB32", "uf"},     {"RGB10A2", "nNsSui"}, {"RG11B10", "f"}};
  std::vector<lgc::TexelFormat> formats;
  for (auto [layout, kinds] : layouts)
    for (const char *kind = kinds; *kind; ++kind) {
      constexpr std::pair<char, const char *> names[] = {
          {'N', ".unorm"}, {'n', ".snorm"}, {'S', ".uscaled"}, {'s', ".sscaled"},
          {'u', ".uint"},  {'i', ".sint"},  {'f', ".float"}};
      for (auto [letter, name] : names)
        if (letter == *kind) {
          EXPECT_TRUE(lgc::parseTexelFormat(std::string(layout) + name, formats.emplace_back()));
          formats.back().swapRedBlue = std::string(layout) == "RGBA8";
        }
    }
  return formats;
}

/// Arithmetic may make another NaN of a NaN.
std::vector<uint32_t> withOneNan(std::vector<uint32_t> words, bool isFloat) {
  for (uint32_t &word : words)
    if (isFloat && (word & 0x7FFFFFFF) > 0x7F800000)
      word = 0x7FC00000;
  return words;
}

// Bytes and arithmetic give what typed loads do, and from any address. The software device, unlike
// a real one, loads typed from there, too.
TEST_P(VertexFetchPart, UnalignedElements) {
  for (const lgc::TexelFormat &format : unalignedFormats()) {
    SCOPED_TRACE(lgc::toString(format));
    const bool isInteger =
        format.kind == lgc::NumericKind::Uint || format.kind == lgc::NumericKind::Sint;
    const std::string text = shaderText(isInteger ? "i32" : "float", isInteger ? "i32" : "f32");
    for (uint32_t offset : {4u, 3u}) {
      state.graphics.vertexAttributes = {
          {.location = 0, .binding = 0, .offset = offset, .format = format},
          {.location = 3,
           .binding = 1,
           .offset = offset - 3,
           .format = {lgc::TexelLayout::R32, lgc::NumericKind::Uint}}};
      state.graphics.unalignedVertexFetch = false;
      auto typed = compile(text, {});
      ASSERT_TRUE(bool(typed)) << lgc::consumeToText(typed.takeError()).message;
      state.graphics.unalignedVertexFetch = true;
      auto bytes = compile(text, {});
      ASSERT_TRUE(bool(bytes)) << lgc::consumeToText(bytes.takeError()).message;
      const bool isFloat = format.kind == lgc::NumericKind::Float;
      EXPECT_EQ(withOneNan(run(bytes->data), isFloat), withOneNan(run(typed->data), isFloat));
    }
    checkSame(text);
    if (HasFatalFailure() || HasNonfatalFailure())
      return;
  }
}

// What is read is what test/options computes; here parts have it, too.
TEST_P(VertexFetchPart, SoftwareDescriptors) {
  state.graphics.useSoftwareVertexBufferDescriptors = true;
  const uint32_t address[] = {uint32_t(vertices->address()), uint32_t(vertices->address() >> 32)};
  const uint32_t words[] = {address[0], address[1], bufferBytes - 7, stride,
                            address[0], address[1], 8 * 2 + 5,       8};
  std::memcpy(table->host(), words, sizeof(words));
  for (const char *name : {"RGBA32.uint", "RGB16.uint", "R8.uint", "RG64.uint"}) {
    SCOPED_TRACE(name);
    lgc::TexelFormat format;
    ASSERT_TRUE(lgc::parseTexelFormat(name, format));
    for (uint32_t divisor : {0u, 1u, 5u}) {
      state.graphics.vertexBindings[1].divisor = divisor;
      state.graphics.vertexAttributes = {
          {.location = 0, .binding = 0, .offset = 8, .format = format},
          {.location = 3,
           .binding = 1,
           .offset = 4,
           .format = {lgc::TexelLayout::R16, lgc::NumericKind::Uint}}};
      compare("i32", "i32");
    }
  }
}

TEST_P(VertexFetchPart, DivisorsAndStrides) {
  lgc::TexelFormat format{lgc::TexelLayout::RG16, lgc::NumericKind::Snorm};
  // By nothing, shifts, multiplications with and without a shift in front, and with an addition.
  for (uint32_t divisor : {0u, 1u, 2u, 5u, 7u, 14u, 64u, 0xFFFFFFFFu}) {
    for (bool dynamic : {false, true}) {
      SCOPED_TRACE(std::to_string(divisor) + (dynamic ? " dynamic" : ""));
      state.graphics.dynamicVertexStride = state.graphics.robustUnboundVertex = dynamic;
      state.graphics.vertexBindings[1].divisor = divisor;
      state.graphics.vertexAttributes = {
          {.location = 0, .binding = 1, .offset = 2, .format = format},
          {.location = 3, .binding = 0, .offset = 1, .format = {lgc::TexelLayout::RGBA8}}};
      compare("float", "f32");
    }
  }
}

// gfx10 passes the place of scratch memory in a register behind those that the shader knows of.
TEST_P(VertexFetchPart, ScratchMemory) {
  state.graphics.vertexAttributes = {
      {.location = 0,
       .binding = 0,
       .offset = 4,
       .format = {lgc::TexelLayout::RGBA32, lgc::NumericKind::Uint}}};
  std::string text = shaderText("i32", "i32");
  // Attribute 3 has no buffer; what is stored in its place went through memory of the lane.
  const std::string place = "  store <4 x i32> %in2";
  ASSERT_NE(text.find(place), std::string::npos);
  text.replace(text.find(place), place.size(), R"(
  %memory = alloca [64 x i32], addrspace(5)
  %number = extractelement <4 x i32> %in0, i32 1
  %index = and i32 %number, 63
  %cell = getelementptr i32, ptr addrspace(5) %memory, i32 %index
  store volatile i32 %item, ptr addrspace(5) %cell
  %again = load volatile i32, ptr addrspace(5) %cell
  %through = insertelement <4 x i32> %in0, i32 %again, i32 2
  store <4 x i32> %through)");
  auto compiled = compile(text, {.relocatable = true, .separateVertexFetch = true});
  ASSERT_TRUE(bool(compiled)) << lgc::consumeToText(compiled.takeError()).message;
  EXPECT_GE(compiled->stages.front().stats.scratchBytes, 256u);
  checkSame(text);
}

INSTANTIATE_TEST_SUITE_P(Targets, VertexFetchPart,
                         testing::Combine(testing::Values("gfx1010", "gfx1030", "gfx1100",
                                                          "gfx1150", "gfx1201"),
                                          testing::Bool()),
                         [](const auto &info) {
                           return std::string(std::get<0>(info.param)) +
                                  (std::get<1>(info.param) ? "_direct" : "_llvm");
                         });

} // namespace
