// SPDX-License-Identifier: MIT
// Options of compute shaders: how floats are rounded, denormals, workgroups on one compute unit.
#include "test/options/Harness.h"
#include <cmath>

namespace options {
namespace {

class Compute : public OptionsTest {};

/// a * a is 1 + 2^-11 + 2^-24, and rounds to 1 + 2^-11.
const float a = 1 + std::ldexp(1.f, -12), square = 1 + std::ldexp(1.f, -11);
const uint32_t roundedOnce = bitsOf(std::ldexp(1.f, -24)), roundedTwice = bitsOf(0.f);

constexpr const char *floats = "layout(local_size_x = 1) in;\n"
                               "layout(std430, binding = 0) buffer B { float b[]; };\n";

TEST_P(Compute, DisableFma) {
  const std::string text = floats + std::string("void main() { b[0] = fma(b[0], b[0], -b[1]); }");
  llpc::ComputePipelineBuildInfo info;
  EXPECT_EQ(run(text, info, {bitsOf(a), bitsOf(square)})[0], roundedOnce);
  info.cs.options.disableFMA = true;
  EXPECT_EQ(run(text, info, {bitsOf(a), bitsOf(square)})[0], roundedTwice);
}

TEST_P(Compute, NoContractOpDot) {
  const std::string text =
      floats + std::string("void main() { b[0] = dot(vec2(-b[1], b[0]), vec2(b[2], b[0])); }");
  const Words words = {bitsOf(a), bitsOf(square), bitsOf(1)};
  llpc::ComputePipelineBuildInfo info;
  EXPECT_EQ(run(text, info, words)[0], roundedOnce);
  info.cs.options.noContractOpDot = true;
  EXPECT_EQ(run(text, info, words)[0], roundedTwice);
}

TEST_P(Compute, ForwardPropagateNoContract) {
  // The product is exact; the sum is not said to be, nor is what glslang takes for the same buffer.
  const std::string text = floats + std::string(R"(
float r(uint i) { return b[i]; }
void main() {
  precise float p = -r(1) * r(2);
  float m = r(0) * r(0);
  b[0] = m + p;
})");
  const Words words = {bitsOf(a), bitsOf(square), bitsOf(1)};
  llpc::ComputePipelineBuildInfo info;
  EXPECT_EQ(run(text, info, words)[0], roundedOnce);
  info.cs.options.backwardPropagateNoContract = true;
  EXPECT_EQ(run(text, info, words)[0], roundedOnce);
  info.cs.options.forwardPropagateNoContract = true;
  EXPECT_EQ(run(text, info, words)[0], roundedTwice);
}

TEST_P(Compute, BackwardPropagateNoContract) {
  // What a function gives is not said to be exact.
  const std::string text = floats + std::string(R"(
float f(float x, float y) { return x * x + y; }
void main() {
  precise float sum = f(b[0], -b[1]) + b[2];
  b[0] = sum;
})");
  const Words words = {bitsOf(a), bitsOf(square), bitsOf(0)};
  llpc::ComputePipelineBuildInfo info;
  EXPECT_EQ(run(text, info, words)[0], roundedOnce);
  info.cs.options.forwardPropagateNoContract = true;
  EXPECT_EQ(run(text, info, words)[0], roundedOnce);
  info.cs.options.backwardPropagateNoContract = true;
  EXPECT_EQ(run(text, info, words)[0], roundedTwice);
}

TEST_P(Compute, DenormalMode) {
  const float tiny = std::ldexp(1.f, -140);
  const std::string text =
      floats + std::string("void main() { b[0] = b[0] * 4.0; b[1] = b[1] + b[2]; }");
  const Words words = {bitsOf(tiny), bitsOf(tiny), bitsOf(tiny)};
  const Words kept = {bitsOf(4 * tiny), bitsOf(2 * tiny), bitsOf(tiny)};
  const Words flushed = {0, 0, bitsOf(tiny)};
  llpc::ComputePipelineBuildInfo info;
  info.cs.options.fp32DenormalMode = llpc::DenormalMode::Preserve;
  EXPECT_EQ(run(text, info, words), kept);
  info.cs.options.fp32DenormalMode = llpc::DenormalMode::FlushToZero;
  EXPECT_EQ(run(text, info, words), flushed);
}

/// Waves hand numbers to each other through LDS and through memory.
constexpr const char *exchange = R"(
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1024) in;
layout(std430, binding = 0) buffer B { uint b[]; };
shared uint s[8192];
void main() {
  const uint i = gl_LocalInvocationIndex;
  for (uint k = 0; k < 8; ++k)
    s[k * 1024 + (i ^ 511)] = i * 3 + k;
  b[1024 + i] = i * 5;
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup,
                 gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
  uint sum = 0;
  for (uint k = 0; k < 8; ++k)
    sum += s[k * 1024 + i] << k;
  b[i] = sum + b[1024 + (i ^ 1023)];
})";

Words exchanged() {
  Words expected(2048);
  for (uint32_t i = 0; i < 1024; ++i) {
    for (uint32_t k = 0; k < 8; ++k)
      expected[i] += ((i ^ 511) * 3 + k) << k;
    expected[i] += (i ^ 1023) * 5;
    expected[1024 + i] = i * 5;
  }
  return expected;
}

TEST_P(Compute, ComputeUnitMode) {
  for (const bool wgpMode : {true, false})
    for (const uint32_t waveSize : {32u, 64u}) {
      SCOPED_TRACE(waveSize);
      llpc::ComputePipelineBuildInfo info;
      info.cs.options.wgpMode = wgpMode;
      info.cs.options.waveSize = waveSize;
      EXPECT_EQ(run(exchange, info, Words(2048)), exchanged());
      EXPECT_EQ(wgpModeOf(pal::abi::HardwareStage::Cs), wgpMode);
    }
}

TEST_P(Compute, ForcedScopeOfBarriers) {
  for (const uint32_t scope : {1u, 2u, 5u}) { // device, workgroup, queue family
    llpc::ComputePipelineBuildInfo info;
    info.cs.options.forceMemoryBarrierScope = scope;
    EXPECT_EQ(run(exchange, info, Words(2048)), exchanged());
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Compute, allParameters(), nameOf);

} // namespace
} // namespace options
