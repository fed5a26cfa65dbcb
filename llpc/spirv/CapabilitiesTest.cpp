//===- CapabilitiesTest.cpp -----------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "llpc/spirv/Capabilities.h"
#include "llpc/spirv/TestModule.h"
#include "llvm/ADT/STLExtras.h"

using namespace llpc::spirv;
using namespace llpc::spirv::test;
using spv::Op;

namespace {

/// The sample module with one more capability.
TestModule withCapability(uint32_t number) {
  TestModule m = sample();
  m.words.insert(m.words.begin() + 5, {0x00020011, number});
  return m;
}

/// Every enumerant of a kind.
void forEach(OperandKind kind, llvm::function_ref<void(uint32_t, const EnumInfo &)> visit) {
  for (uint32_t value = 0; value < 0x10000; ++value)
    if (const EnumInfo *info = findEnumerant(kind, value))
      visit(value, *info);
}

TEST(Capabilities, OnlyWhatIsListedIsAccepted) {
  unsigned accepted = 0, refused = 0;
  forEach(OperandKind::Capability, [&](uint32_t number, const EnumInfo &info) {
    const std::string error = errorOf(withCapability(number).bytes());
    const bool listed =
        llvm::is_contained(supportedCapabilities(), static_cast<spv::Capability>(number));
    EXPECT_EQ(error, listed ? ""
                            : "unsupported: OpCapability (word 5): capability " +
                                  nameOf(info).str() + " not supported");
    (listed ? accepted : refused) += 1;
  });
  EXPECT_EQ(accepted, supportedCapabilities().size());
  EXPECT_GT(refused, 100u);
}

TEST(Capabilities, WhatNobodyImplementsIsNotListed) {
  for (spv::Capability capability :
       {spv::Capability::Kernel, spv::Capability::Addresses,
        spv::Capability::GeometryShaderPassthroughNV, spv::Capability::SampleMaskOverrideCoverageNV,
        spv::Capability::VariableLengthArrayINTEL, spv::Capability::GroupNonUniformPartitionedNV,
        spv::Capability::MeshShadingNV, spv::Capability::FragmentDensityEXT,
        spv::Capability::CooperativeMatrixNV, spv::Capability::RayTracingNV,
        spv::Capability::ShaderEnqueueAMDX, spv::Capability::ImageFootprintNV})
    EXPECT_FALSE(isSupported(capability)) << capabilityName(capability);
  for (spv::Capability capability : {spv::Capability::Shader, spv::Capability::Geometry,
                                     spv::Capability::Groups, spv::Capability::FloatControls2})
    EXPECT_TRUE(isSupported(capability)) << capabilityName(capability);
  EXPECT_FALSE(isSupported(static_cast<spv::Capability>(0xffffffff)));
}

TEST(Capabilities, DecorationsNeedOne) {
  unsigned refused = 0;
  forEach(OperandKind::Decoration, [&](uint32_t number, const EnumInfo &info) {
    if (info.paramCount)
      return;
    TestModule m = sample(
        {.annotations = [&](TestModule &m) { m.bad(Op::OpDecorate, {bufferId, int(number)}); }});
    const bool supported =
        info.capabilityCount == 0 || llvm::any_of(capabilitiesOf(info), [](uint16_t capability) {
          return llvm::is_contained(supportedCapabilities(),
                                    static_cast<spv::Capability>(capability));
        });
    if (supported)
      EXPECT_EQ(errorOf(m.bytes()), "");
    else
      expectError(m, "OpDecorate (word @): Decoration " + nameOf(info).str() + " not supported",
                  "unsupported");
    refused += !supported;
  });
  EXPECT_GT(refused, 20u);
}

TEST(Capabilities, OperandsNeedOne) {
  constexpr int aliasScope = 0x10000; // AliasScopeINTELMask
  expectBodyError(Op::OpLoad, {uintId, firstFree, localId, aliasScope, 1},
                  "OpLoad %21 (word @): MemoryAccess AliasScopeINTELMask not supported",
                  "unsupported");
  EXPECT_TRUE(parseOk(sample({.body = [](TestModule &m) {
    m.op(Op::OpLoad, {uintId, firstFree, localId, spv::MemoryAccessMask::Aligned, 4});
  }})));
  expectGlobalError(Op::OpTypePointer, {firstFree, spv::StorageClass::Generic, uintId},
                    "OpTypePointer %21 (word @): StorageClass Generic not supported",
                    "unsupported");
  expectError(
      sample({.modes =
                  [](TestModule &m) {
                    m.bad(Op::OpExecutionMode, {mainId, spv::ExecutionMode::ContractionOff});
                  }}),
      "OpExecutionMode (word @): ExecutionMode ContractionOff not supported", "unsupported");
}

TEST(Capabilities, GroupOperations) {
  EXPECT_TRUE(enablesGroupOps(spv::Capability::GroupNonUniform));
  EXPECT_TRUE(enablesGroupOps(spv::Capability::GroupNonUniformRotateKHR));
  EXPECT_TRUE(enablesGroupOps(spv::Capability::GroupNonUniformPartitionedNV));
  EXPECT_TRUE(enablesGroupOps(spv::Capability::QuadControlKHR));
  EXPECT_TRUE(enablesGroupOps(spv::Capability::Groups));
  EXPECT_FALSE(enablesGroupOps(spv::Capability::Shader));
  EXPECT_FALSE(enablesGroupOps(spv::Capability::DotProduct));
  EXPECT_FALSE(enablesGroupOps(static_cast<spv::Capability>(0xffffffff)));
}

} // namespace
