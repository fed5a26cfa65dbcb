// SPDX-License-Identifier: MIT
// Options of fragment shaders: where depth tests stand.
#include "llpc/Formats.h"
#include "test/options/Harness.h"

namespace options {
namespace {

using namespace pal::device;
using pal::formats::Format;

constexpr uint32_t imageSize = 8;

class Draw : public OptionsTest {
protected:
  std::unique_ptr<Allocation> addSurface(Surface &surface, Format format) {
    pal::srd::LinearImage image;
    image.format = format;
    image.width = image.height = imageSize;
    surface.format = format;
    surface.layout = pal::srd::LinearLayout(image);
    surface.width = surface.height = imageSize;
    auto memory =
        llvm::cantFail(device->allocate({.size = surface.layout.totalBytes(), .name = "surface"}));
    surface.address = memory->address();
    return memory;
  }

  /// Draws a triangle over everything, at depth 0.5 in front of what was cleared to 1. The shader
  /// reads the depth of its pixel as a buffer, and exports it.
  uint32_t depthSeen(llpc::GraphicsPipelineBuildInfo info, const std::string &modes) {
    const std::string vertex = R"(
void main() {
  vec2 p = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4 - 1;
  gl_Position = vec4(p, 0.5, 1);
})";
    DrawInfo draw;
    const auto color = addSurface(draw.targets.colors[0], Format::X32_Uint),
               depth = addSurface(draw.targets.depth, Format::X32_Float);
    const uint32_t pitch = draw.targets.depth.layout.level(0).rowPitch / 4;
    const std::string fragment = modes + R"(
layout(std430, binding = 0) readonly buffer B { uint b[]; };
layout(location = 0) out uint seen;
void main() { seen = b[uint(gl_FragCoord.y) * )" +
                                 std::to_string(pitch) + "u + uint(gl_FragCoord.x)]; }";
    for (size_t i = 0; i < depth->size() / 4; ++i)
      reinterpret_cast<float *>(depth->host())[i] = 1;
    info.vs.module = module(vertex, "vert");
    info.fs.module = module(fragment, "frag");
    info.cbState.target[0].format = *llpc::findVkFormat("VK_FORMAT_R32_UINT");
    const auto program = build(info);
    if (!program)
      return 0;
    const Words root = addressOf(*depth);
    draw.program = program.get();
    draw.userData = root;
    draw.range.vertexCount = 3;
    draw.raster.viewports[0] = {0, 0, imageSize, imageSize, 0, 1};
    draw.raster.scissors[0] = {0, 0, imageSize, imageSize};
    draw.raster.renderArea = {0, 0, imageSize, imageSize};
    draw.raster.samplePositions = standardSamplePositions(1);
    draw.depthStencil.depthTest = draw.depthStencil.depthWrite = true;
    draw.depthStencil.depthCompare = CompareOp::Less;
    if (llvm::Error fault = device->draw(draw))
      ADD_FAILURE() << llvm::toString(std::move(fault));
    const auto *texels = reinterpret_cast<const uint32_t *>(color->host());
    EXPECT_EQ(reinterpret_cast<const float *>(depth->host())[0], 0.5f);
    EXPECT_EQ(texels[0], texels[imageSize - 1]);
    return texels[0];
  }
};

TEST_P(Draw, ForceLateZ) {
  llpc::GraphicsPipelineBuildInfo info;
  EXPECT_EQ(depthSeen(info, ""), bitsOf(0.5)); // of the test that has been
  info.fs.options.forceLateZ = true;
  EXPECT_EQ(depthSeen(info, ""), bitsOf(1));
  // What the shader declares counts more.
  EXPECT_EQ(depthSeen(info, "layout(early_fragment_tests) in;"), bitsOf(0.5));
}

TEST_P(Draw, AllowReZ) {
  llpc::GraphicsPipelineBuildInfo info;
  info.fs.options.allowReZ = true;
  EXPECT_EQ(depthSeen(info, ""), bitsOf(0.5));
  info.fs.options.forceLateZ = true;
  EXPECT_EQ(depthSeen(info, ""), bitsOf(1));
}

TEST_P(Draw, ComputeUnitMode) {
  llpc::GraphicsPipelineBuildInfo info;
  info.vs.options.wgpMode = info.fs.options.wgpMode = false;
  EXPECT_EQ(depthSeen(info, ""), bitsOf(0.5));
  using pal::abi::HardwareStage;
  const bool isNgg = wgpModeOf(HardwareStage::Gs).has_value();
  EXPECT_EQ(wgpModeOf(isNgg ? HardwareStage::Gs : HardwareStage::Vs), false);
  EXPECT_EQ(wgpModeOf(HardwareStage::Ps), false);
  info.vs.options.wgpMode = true;
  EXPECT_EQ(depthSeen(info, ""), bitsOf(0.5));
  EXPECT_EQ(wgpModeOf(isNgg ? HardwareStage::Gs : HardwareStage::Vs), true);
  EXPECT_EQ(wgpModeOf(HardwareStage::Ps), false);
}

INSTANTIATE_TEST_SUITE_P(Targets, Draw, allParameters(), nameOf);

} // namespace
} // namespace options
