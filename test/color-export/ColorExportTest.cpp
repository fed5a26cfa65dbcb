// SPDX-License-Identifier: MIT
// What glue exports of a fragment part is what a monolithic pipeline exports: both draw the same
// picture on the software device, of shaders that kill, demote, take derivatives and have two blend
// sources.
#include "lgc/Compile.h"
#include "lgc/CompileError.h"
#include "lgc/Link.h"
#include "lgc/Shader.h"
#include "pal_shim/device/Draw.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include <cstring>
#include <gtest/gtest.h>

namespace {

using namespace pal::device;
using pal::formats::Format;

constexpr uint32_t imageSize = 13;

/// A triangle over the whole target; attribute 0 is (x, y, x + y, x * y) of the clip position.
constexpr const char *vertexShader = R"(
define void @lgc.shader.VS() {
  %v = call i32 @lgc.builtin__i32_i32(i32 16)
  %b0 = and i32 %v, 1
  %b1 = lshr i32 %v, 1
  %f0 = uitofp i32 %b0 to float
  %f1 = uitofp i32 %b1 to float
  %x4 = fmul float %f0, 4.0
  %y4 = fmul float %f1, 4.0
  %x = fsub float %x4, 1.0
  %y = fsub float %y4, 1.0
  %sum = fadd float %x, %y
  %product = fmul float %x, %y
  %p0 = insertelement <4 x float> <float 0.0, float 0.0, float 0.5, float 1.0>, float %x, i32 0
  %p1 = insertelement <4 x float> %p0, float %y, i32 1
  %a0 = insertelement <4 x float> %p1, float %sum, i32 2
  %a1 = insertelement <4 x float> %a0, float %product, i32 3
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %p1, i32 512, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %a1, i32 0, i32 0, i32 0, i32 poison)
  ret void
}
declare i32 @lgc.builtin__i32_i32(i32)
)";

constexpr const char *fragmentStart = R"(
define void @lgc.shader.FS() {
  %ij = call <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32 0, i32 0, i32 poison)
  %a = call <4 x float> @lgc.input.interpolate__v4f32_i32_i32_i32_v2f32(i32 0, i32 0, i32 0, <2 x float> %ij)
  %x = extractelement <4 x float> %a, i32 0
  %y = extractelement <4 x float> %a, i32 1
  %xy = extractelement <4 x float> %a, i32 3
)";

constexpr const char *fragmentEnd = R"(
  ret void
}
declare <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32, i32, i32)
declare <4 x float> @lgc.input.interpolate__v4f32_i32_i32_i32_v2f32(i32, i32, i32, <2 x float>)
declare float @lgc.derivative__f32_i32_f32(i32, float)
declare void @lgc.output.store__void_v4i32_i32_i32_i32_i32(<4 x i32>, i32, i32, i32, i32)
declare void @lgc.output.store__void_v4f16_i32_i32_i32_i32(<4 x half>, i32, i32, i32, i32)
declare void @lgc.output.store__void_v4i16_i32_i32_i32_i32(<4 x i16>, i32, i32, i32, i32)
declare void @lgc.kill__void()
declare void @lgc.demote__void()
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare void @lgc.output.store__void_v2i16_i32_i32_i32_i32(<2 x i16>, i32, i32, i32, i32)
declare void @lgc.output.store__void_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)
)";

constexpr const char *storeDeclaration =
    "declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, "
    "i32)\n";

constexpr const char *storeColor =
    "  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %a, i32 0, i32 0, i32 "
    "0, i32 poison)\n";

/// Ends the invocations right of a diagonal, in half of the quads some of the four.
std::string ending(const std::string &op) {
  return R"(
  %end = fcmp ogt float %xy, 1.250000e-01
  br i1 %end, label %gone, label %rest
gone:
  call void @lgc.)" +
         op + "__void()\n" + (op == "kill" ? "  unreachable\n" : "  br label %rest\n") + "rest:\n";
}

/// Target, and whether glue is generated without LLVM.
using Parameters = std::tuple<const char *, bool>;

class ColorExportPart : public testing::TestWithParam<Parameters> {
protected:
  ColorExportPart() : isDirect(std::get<1>(GetParam())), backend({.directGlue = isDirect}) {
    state.target = std::get<0>(GetParam());
    state.graphics.stageMask =
        1u << unsigned(lgc::ShaderStage::Vertex) | 1u << unsigned(lgc::ShaderStage::Fragment);
    device = llvm::cantFail(SoftwareDevice::create(
        {.target = state.target, .threads = 1, .poison = true, .strict = true}));
    draw.raster.viewports[0] = {0, 0, imageSize, imageSize, 0, 1};
    draw.raster.scissors[0] = {0, 0, imageSize, imageSize};
    draw.raster.renderArea = {0, 0, imageSize, imageSize};
    draw.raster.samplePositions = standardSamplePositions(1);
    draw.range.vertexCount = 3;
  }

  void addTarget(unsigned location, const char *name, Format format) {
    ASSERT_TRUE(lgc::parseTexelFormat(name, state.graphics.targets[location].format));
    addSurface(draw.targets.colors[location], format);
  }
  void addSurface(Surface &surface, Format format) {
    surface.format = format;
    pal::srd::LinearImage image;
    image.format = format;
    image.width = image.height = imageSize;
    image.samples = draw.raster.samples;
    surface.layout = pal::srd::LinearLayout(image);
    surface.width = surface.height = imageSize;
    surface.samples = draw.raster.samples;
    memory.push_back(
        llvm::cantFail(device->allocate({.size = surface.layout.totalBytes(), .name = "target"})));
    sizes.push_back(surface.layout.totalBytes());
    surface.address = memory.back()->address();
  }

  llvm::Expected<lgc::CompileResult> compile(const std::string &text, lgc::PartState part) {
    llvm::LLVMContext context;
    llvm::SMDiagnostic diagnostic;
    auto module = llvm::parseAssemblyString(text + storeDeclaration, diagnostic, context);
    if (!module)
      return lgc::internalError(diagnostic.getMessage());
    lgc::PipelineState partState = state;
    partState.part = part;
    if (part.any()) {
      partState.graphics.targets = {};
      partState.graphics.cbState.alphaToCoverageEnable =
          partState.graphics.cbState.dualSourceBlendEnable = false;
    }
    if (llvm::Error error = lgc::prepareModule(*module, partState))
      return error;
    return backend.compile(std::move(module), lgc::OutputKind::Object);
  }

  llvm::Expected<std::vector<uint8_t>> link(const std::string &fragment) {
    auto vertexCode = compile(vertexShader, {.relocatable = true, .separateVertexFetch = true});
    if (!vertexCode)
      return vertexCode.takeError();
    auto vertex = lgc::Part::create(vertexCode->data);
    if (!vertex)
      return vertex.takeError();
    auto fragmentCode = compile(fragment, {.relocatable = true, .separateColorExport = true});
    if (!fragmentCode)
      return fragmentCode.takeError();
    auto part = lgc::Part::create(fragmentCode->data);
    if (!part)
      return part.takeError();
    lgc::PartInfo info;
    info.kind = lgc::PartKind::ColorExport;
    info.colorExport = (*part)->info().colorExport;
    auto glueCode = backend.compileGlue(state, info);
    if (!glueCode)
      return glueCode.takeError();
    // HW(gfx11+): two sources are exchanged between lanes, which is left to LLVM.
    const bool exchanges = state.graphics.cbState.dualSourceBlendEnable &&
                           !llvm::StringRef(state.target).starts_with("gfx10");
    EXPECT_EQ(glueCode->isDirect, isDirect && !exchanges);
    auto glue = lgc::Part::create(glueCode->data);
    if (!glue)
      return glue.takeError();
    return lgc::linkParts(
        {.preRasterization = vertex->get(), .fragment = part->get(), .colorExport = glue->get()},
        lgc::LinkLayout(state.mapping), {.pipelineHash = {1, 1}});
  }

  /// All targets, after a draw into zeros.
  std::vector<uint8_t> run(llvm::ArrayRef<uint8_t> elf) {
    std::vector<uint8_t> result;
    auto program = device->loadProgram(elf, "color");
    if (!program) {
      ADD_FAILURE() << llvm::toString(program.takeError());
      return result;
    }
    for (size_t i = 0; i < memory.size(); ++i)
      std::memset(memory[i]->host(), 0x11, sizes[i]);
    draw.program = program->get();
    if (llvm::Error fault = device->draw(draw))
      ADD_FAILURE() << llvm::toString(std::move(fault));
    for (size_t i = 0; i < memory.size(); ++i)
      result.insert(result.end(), memory[i]->host(), memory[i]->host() + sizes[i]);
    return result;
  }

  /// Both ways must draw the same; \p draws: and something.
  void compare(const std::string &body, bool draws = true) {
    const std::string fragment = fragmentStart + body + fragmentEnd;
    auto whole = compile(vertexShader + fragment, {});
    ASSERT_TRUE(bool(whole)) << lgc::consumeToText(whole.takeError()).message;
    auto linked = link(fragment);
    ASSERT_TRUE(bool(linked)) << lgc::consumeToText(linked.takeError()).message;
    std::vector<uint8_t> expected = run(whole->data), actual = run(*linked);
    EXPECT_EQ(actual, expected);
    EXPECT_EQ(expected != std::vector<uint8_t>(expected.size(), 0x11), draws);
  }

  const bool isDirect;
  lgc::PipelineState state;
  lgc::Backend backend;
  std::unique_ptr<SoftwareDevice> device;
  std::vector<std::unique_ptr<Allocation>> memory;
  std::vector<uint64_t> sizes;
  DrawInfo draw;
};

TEST_P(ColorExportPart, TargetsAndFormats) {
  addTarget(0, "RGBA8.unorm", Format::X8Y8Z8W8_Unorm);
  addTarget(2, "R32.uint", Format::X32_Uint);
  addTarget(3, "RG16.uint", Format::X16Y16_Uint);
  state.graphics.targets[0].writeMask = draw.blend.targets[0].writeMask = 0xB;
  compare(std::string(storeColor) + R"(
  %i = bitcast float %y to i32
  %s = trunc i32 %i to i16
  %h0 = insertelement <2 x i16> poison, i16 %s, i32 0
  %h1 = insertelement <2 x i16> %h0, i16 77, i32 1
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %x, i32 1, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 %i, i32 2, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v2i16_i32_i32_i32_i32(<2 x i16> %h1, i32 3, i32 0, i32 0, i32 poison)
)");
}

/// Every way to export: components of 16 and of 32 bits, all of them, some of them, and numbers
/// that the shader does not compute.
TEST_P(ColorExportPart, EveryExportFormat) {
  const std::string store = "  call void @lgc.output.store__void_";
  const std::string place = ", i32 0, i32 0, i32 0, i32 poison)\n";
  const std::string some =
      store + "f32_i32_i32_i32_i32(float %y, i32 0, i32 1, i32 0, i32 poison)\n" + store +
      "f32_i32_i32_i32_i32(float %x, i32 0, i32 3, i32 0, i32 poison)\n";
  const std::string floats[] = {
      storeColor, some,
      "  %c = insertelement <4 x float> <float 0.0, float 1.0, float 0.0, float 1.0>, float %x, "
      "i32 2\n" +
          store + "v4f32_i32_i32_i32_i32(<4 x float> %c" + place,
      "  %h = fptrunc <4 x float> %a to <4 x half>\n" + store +
          "v4f16_i32_i32_i32_i32(<4 x half> %h" + place,
      "  %s = fptrunc float %x to half\n"
      "  %h = insertelement <4 x half> <half 0.0, half 1.0, half 1.0, half 1.0>, half %s, i32 0\n" +
          store + "v4f16_i32_i32_i32_i32(<4 x half> %h" + place};
  const std::string integers[] = {
      "  %n = fptosi <4 x float> %a to <4 x i32>\n" + store + "v4i32_i32_i32_i32_i32(<4 x i32> %n" +
          place,
      "  %i = bitcast float %x to i32\n"
      "  %n = insertelement <4 x i32> <i32 1, i32 0, i32 1, i32 0>, i32 %i, i32 1\n" +
          store + "v4i32_i32_i32_i32_i32(<4 x i32> %n" + place,
      "  %n = bitcast <4 x float> %a to <4 x i32>\n  %s = trunc <4 x i32> %n to <4 x i16>\n" +
          store + "v4i16_i32_i32_i32_i32(<4 x i16> %s" + place};
  const std::pair<const char *, Format> formats[] = {
      {"RGBA8.unorm", Format::X8Y8Z8W8_Unorm},      {"RGBA16.unorm", Format::X16Y16Z16W16_Unorm},
      {"RGBA16.snorm", Format::X16Y16Z16W16_Snorm}, {"RG32.float", Format::X32Y32_Float},
      {"RGBA32.float", Format::X32Y32Z32W32_Float}, {"RGBA16.uint", Format::X16Y16Z16W16_Uint},
      {"RGBA16.sint", Format::X16Y16Z16W16_Sint},   {"RGBA32.sint", Format::X32Y32Z32W32_Sint}};
  for (auto [name, format] : formats) {
    memory.clear();
    sizes.clear();
    addTarget(0, name, format);
    const bool isInteger = llvm::StringRef(name).ends_with("int");
    for (const std::string &body :
         isInteger ? llvm::ArrayRef<std::string>(integers) : llvm::ArrayRef<std::string>(floats)) {
      SCOPED_TRACE(std::string(name) + "\n" + body);
      compare(body);
    }
  }
}

TEST_P(ColorExportPart, EndedInvocationsAndDerivatives) {
  addTarget(0, "RGBA32.float", Format::X32Y32Z32W32_Float);
  for (const char *op : {"kill", "demote"}) {
    SCOPED_TRACE(op);
    compare(ending(op) + R"(
  %d = call float @lgc.derivative__f32_i32_f32(i32 0, float %xy)
  %e = call float @lgc.derivative__f32_i32_f32(i32 1, float %xy)
  %r = fmul float %d, %x
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %r, i32 0, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %e, i32 0, i32 2, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %x, i32 0, i32 3, i32 0, i32 poison)
)");
  }
}

TEST_P(ColorExportPart, TwoBlendSources) {
  addTarget(0, "RGBA32.float", Format::X32Y32Z32W32_Float);
  state.graphics.cbState.dualSourceBlendEnable = state.graphics.targets[0].blendEnable = true;
  draw.blend.targets[0].blendEnable = true;
  draw.blend.targets[0].srcColor = draw.blend.targets[0].srcAlpha = BlendFactor::Src1Color;
  draw.blend.targets[0].dstColor = BlendFactor::One;
  for (const char *op : {"", "kill", "demote"}) {
    SCOPED_TRACE(op);
    compare((*op ? ending(op) : "") + storeColor + R"(
  %second = shufflevector <4 x float> %a, <4 x float> %a, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %second, i32 128, i32 0, i32 0, i32 poison)
)");
  }
}

TEST_P(ColorExportPart, ColorsOfNoTarget) {
  // Nothing is exported but what the hardware waits for.
  addTarget(1, "RGBA32.float", Format::X32Y32Z32W32_Float);
  compare(ending("kill") + storeColor, false);
  compare("", false);
}

TEST_P(ColorExportPart, AlphaToCoverage) {
  draw.raster.samples = 4;
  draw.raster.samplePositions = standardSamplePositions(4);
  draw.raster.alphaToCoverage = true;
  state.graphics.rsState.numSamples = 4;
  state.graphics.cbState.alphaToCoverageEnable = true;
  addTarget(0, "RGBA8.unorm", Format::X8Y8Z8W8_Unorm);
  compare(storeColor);
}

TEST_P(ColorExportPart, DepthStencilAndMask) {
  draw.raster.samples = 4;
  draw.raster.samplePositions = standardSamplePositions(4);
  state.graphics.rsState.numSamples = 4;
  addTarget(0, "RGBA32.float", Format::X32Y32Z32W32_Float);
  addSurface(draw.targets.depth, Format::X32_Float);
  addSurface(draw.targets.stencil, Format::X8_Uint);
  draw.depthStencil.depthTest = draw.depthStencil.depthWrite = true;
  draw.depthStencil.stencilTest = true;
  draw.depthStencil.front.pass = draw.depthStencil.back.pass = StencilOp::Replace;
  const char *outputs = R"(
  %i = bitcast float %y to i32
  %odd = lshr i32 %i, 10
  %z = fmul float %x, %x
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %z, i32 526, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 %odd, i32 527, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 %odd, i32 528, i32 0, i32 0, i32 poison)
)";
  compare(outputs);
  compare(ending("kill") + outputs + storeColor);
  // The shader's colour has no target, but waves without pixels export one.
  state.graphics.targets[0] = {};
  draw.targets.colors[0] = {};
  compare(ending("kill") + outputs + storeColor);
}

INSTANTIATE_TEST_SUITE_P(Targets, ColorExportPart,
                         testing::Combine(testing::Values("gfx1010", "gfx1030", "gfx1100",
                                                          "gfx1150", "gfx1201"),
                                          testing::Bool()),
                         [](const auto &info) {
                           return std::string(std::get<0>(info.param)) +
                                  (std::get<1>(info.param) ? "_direct" : "_llvm");
                         });

} // namespace
