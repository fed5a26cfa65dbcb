//===- ResourceUsageTest.cpp - descriptors and push constants of entries --===//
// SPDX-License-Identifier: MIT
#include "llpc/reflect/ResourceUsage.h"
#include "llpc/reflect/ConstantEval.h"
#include "llpc/reflect/EntryCode.h"
#include "llpc/spirv/TestModule.h"
#include <chrono>

using namespace llpc;
using namespace llpc::spirv::test;
using lgc::ResourceNodeType;
using spv::Op;

namespace {

/// What "main" of the module uses.
llvm::Expected<ResourceUsage> usageOf(const TestModule &m,
                                      llvm::ArrayRef<SpecConstant> specialization = {}) {
  auto module = spirv::Module::parse(m.bytes());
  if (!module)
    return module.takeError();
  const auto *entry = (*module)->findEntryPoint(spv::ExecutionModel::GLCompute, "main");
  if (!entry)
    return lgc::internalError("no entry point");
  return collectResourceUsage(**module, *entry, specialization);
}

ResourceUsage usageOk(const TestModule &m, llvm::ArrayRef<SpecConstant> specialization = {}) {
  auto usage = usageOf(m, specialization);
  if (!usage) {
    ADD_FAILURE() << lgc::consumeToText(usage.takeError()).message;
    return {};
  }
  return *usage;
}

/// Ids for variables under test: pointer type and variable.
enum : uint32_t {
  typeA = firstFree,
  typeB,
  typeC,
  pointerA,
  variableA,
  pointerB,
  variableB,
  tmp,
  tmp2,
  functionA,
  labelA,
  functionB,
  labelB,
  constantA,
  constantB,
  constantC
};

void bind(TestModule &m, uint32_t variable, uint32_t set, uint32_t binding) {
  m.op(Op::OpDecorate, {variable, spv::Decoration::DescriptorSet, set});
  m.op(Op::OpDecorate, {variable, spv::Decoration::Binding, binding});
}

void variable(TestModule &m, uint32_t pointer, uint32_t id, spv::StorageClass storage,
              uint32_t type) {
  m.op(Op::OpTypePointer, {pointer, storage, type});
  m.op(Op::OpVariable, {pointer, id, storage});
}

void sampledImage(TestModule &m, uint32_t image, spv::Dim dim, uint32_t sampled) {
  m.op(Op::OpTypeImage, {image, floatId, dim, 0, 0, 0, sampled, spv::ImageFormat::Unknown});
}

TEST(ResourceUsage, OnlyWhatIsUsedCounts) {
  // The sample's buffer (set 0, binding 3) is there, but nothing names it.
  EXPECT_TRUE(usageOk(sample()).nodes.empty());
  TestModule used =
      sample({.body = [](TestModule &m) { m.op(Op::OpLoad, {structId, firstFree, bufferId}); }});
  ASSERT_EQ(usageOk(used).nodes.size(), 1u);
  // BufferBlock in Uniform: the old form of a storage buffer.
  EXPECT_EQ(usageOk(used).nodes[0],
            (ResourceNodeData{ResourceNodeType::DescriptorBuffer, 0, 3, 1}));
}

TEST(ResourceUsage, FollowsCalls) {
  TestModule m = sample({
      .body = [](TestModule &m) { m.op(Op::OpFunctionCall, {voidId, tmp, functionA}); },
      .functions =
          [](TestModule &m) {
            m.op(Op::OpFunction, {voidId, functionA, 0, voidFunctionId}).op(Op::OpLabel, {labelA});
            m.op(Op::OpLoad, {structId, tmp2, bufferId});
            m.op(Op::OpReturn).op(Op::OpFunctionEnd);
          },
  });
  EXPECT_EQ(usageOk(m).nodes.size(), 1u);
}

TEST(ResourceUsage, FunctionsThatAreNotCalledDoNotCount) {
  TestModule m = sample({.functions = [](TestModule &m) {
    m.op(Op::OpFunction, {voidId, functionA, 0, voidFunctionId}).op(Op::OpLabel, {labelA});
    m.op(Op::OpLoad, {structId, tmp, bufferId}).op(Op::OpReturn).op(Op::OpFunctionEnd);
  }});
  EXPECT_TRUE(usageOk(m).nodes.empty());
}

TEST(ResourceUsage, ImagesAndSamplers) {
  auto nodeOf = [](spv::Dim dim, uint32_t sampled, bool combined) {
    TestModule m = sample(
        {.annotations = [](TestModule &m) { bind(m, variableA, 2, 7); },
         .globals =
             [&](TestModule &m) {
               sampledImage(m, typeA, dim, sampled);
               if (combined)
                 m.op(Op::OpTypeSampledImage, {typeB, typeA});
               variable(m, pointerA, variableA, spv::StorageClass::UniformConstant,
                        combined ? typeB : typeA);
             },
         .body =
             [&](TestModule &m) { m.op(Op::OpLoad, {combined ? typeB : typeA, tmp, variableA}); }});
    ResourceUsage usage = usageOk(m);
    return usage.nodes.empty() ? ResourceNodeType::Unknown : usage.nodes[0].type;
  };
  EXPECT_EQ(nodeOf(spv::Dim::Dim2D, 1, false), ResourceNodeType::DescriptorResource);
  EXPECT_EQ(nodeOf(spv::Dim::Dim2D, 2, false), ResourceNodeType::DescriptorImage);
  EXPECT_EQ(nodeOf(spv::Dim::Dim2D, 1, true), ResourceNodeType::DescriptorCombinedTexture);
}

TEST(ResourceUsage, ImageAndSamplerOnOneBindingAreOneTexture) {
  TestModule m =
      sample({.annotations =
                  [](TestModule &m) {
                    bind(m, variableA, 0, 1);
                    bind(m, variableB, 0, 1);
                  },
              .globals =
                  [](TestModule &m) {
                    sampledImage(m, typeA, spv::Dim::Dim2D, 1);
                    m.op(Op::OpTypeSampler, {typeB});
                    variable(m, pointerA, variableA, spv::StorageClass::UniformConstant, typeA);
                    variable(m, pointerB, variableB, spv::StorageClass::UniformConstant, typeB);
                  },
              .body =
                  [](TestModule &m) {
                    m.op(Op::OpLoad, {typeA, tmp, variableA});
                    m.op(Op::OpLoad, {typeB, tmp2, variableB});
                  }});
  ResourceUsage usage = usageOk(m);
  ASSERT_EQ(usage.nodes.size(), 1u);
  EXPECT_EQ(usage.nodes[0].type, ResourceNodeType::DescriptorCombinedTexture);
}

/// An array of samplers whose size is the constant `constantC`, made by `globals`.
TestModule samplerArray(const Parts::Hook &globals) {
  return sample(
      {.annotations =
           [](TestModule &m) {
             bind(m, variableA, 0, 0);
             m.op(Op::OpDecorate, {constantA, spv::Decoration::SpecId, 5});
           },
       .globals =
           [&](TestModule &m) {
             m.op(Op::OpSpecConstant, {uintId, constantA, 3});
             globals(m);
             m.op(Op::OpTypeSampler, {typeA});
             m.op(Op::OpTypeArray, {typeB, typeA, constantC});
             m.op(Op::OpTypeArray, {typeC, typeB, uint4Id});
             variable(m, pointerA, variableA, spv::StorageClass::UniformConstant, typeC);
           },
       .body = [](TestModule &m) { m.op(Op::OpCopyObject, {pointerA, tmp, variableA}); }});
}

TEST(ResourceUsage, ArraySizesFollowSpecialization) {
  TestModule m = samplerArray([](TestModule &m) {
    m.op(Op::OpSpecConstantOp, {uintId, constantC, Op::OpIMul, constantA, uint4Id});
  });
  EXPECT_EQ(usageOk(m).nodes.at(0).arraySize, 48u); // 3 * 4, times the outer 4
  EXPECT_EQ(usageOk(m, {{5, 4, 10}}).nodes.at(0).arraySize, 160u);
  EXPECT_EQ(usageOk(m, {{6, 4, 10}}).nodes.at(0).arraySize, 48u); // another constant
}

TEST(ResourceUsage, DivisionByZeroIsAnUnknownSize) {
  TestModule m = samplerArray([](TestModule &m) {
    m.op(Op::OpConstant, {uintId, constantB, 0});
    m.op(Op::OpSpecConstantOp, {uintId, constantC, Op::OpUDiv, constantA, constantB});
  });
  EXPECT_EQ(usageOk(m).nodes.at(0).arraySize, ResourceNodeData::runtimeArray);
}

TEST(ResourceUsage, DeepConstantExpressionsNeedNoStack) {
  constexpr uint32_t depth = 200000;
  TestModule m(0x00010000, 1000 + depth);
  m.op(Op::OpCapability, {spv::Capability::Shader});
  m.op(Op::OpMemoryModel, {spv::AddressingModel::Logical, spv::MemoryModel::GLSL450});
  m.op(Op::OpTypeInt, {uintId, 32, 0}).op(Op::OpConstant, {uintId, uint1Id, 1});
  m.op(Op::OpSpecConstant, {uintId, 999, 1});
  for (uint32_t i = 0; i < depth; ++i)
    m.op(Op::OpSpecConstantOp, {uintId, 1000 + i, Op::OpIAdd, 999 + i, uint1Id});
  auto module = spirv::test::parseOk(m);
  ASSERT_TRUE(module);
  EXPECT_EQ(ConstantEval(*module, {}).evaluate(999 + depth), std::optional<uint64_t>(depth + 1));
}

TEST(ResourceUsage, ResourcesNeedSetAndBinding) {
  TestModule m = sample(
      {.annotations =
           [](TestModule &m) {
             m.op(Op::OpDecorate, {variableA, spv::Decoration::DescriptorSet, 0});
           },
       .globals =
           [](TestModule &m) {
             m.op(Op::OpTypeSampler, {typeA});
             m.op(Op::OpTypePointer, {pointerA, spv::StorageClass::UniformConstant, typeA});
             m.bad(Op::OpVariable, {pointerA, variableA, spv::StorageClass::UniformConstant});
           },
       .body = [](TestModule &m) { m.op(Op::OpLoad, {typeA, tmp, variableA}); }});
  auto usage = usageOf(m);
  ASSERT_FALSE(bool(usage));
  lgc::ErrorText error = lgc::consumeToText(usage.takeError());
  EXPECT_EQ(error.kind, lgc::ErrorKind::InvalidInput);
  EXPECT_EQ(error.message, "OpVariable %" + std::to_string(variableA) + " (word " +
                               std::to_string(m.mark) +
                               "): a resource variable needs DescriptorSet and Binding");
}

TEST(ResourceUsage, PushConstantPointerDeclaredForward) {
  TestModule m = sample(
      {.annotations =
           [](TestModule &m) {
             m.op(Op::OpDecorate, {typeC, spv::Decoration::Block});
             m.op(Op::OpMemberDecorate, {typeC, 0, spv::Decoration::Offset, 8});
           },
       .globals =
           [](TestModule &m) {
             m.op(Op::OpTypeForwardPointer, {typeA, spv::StorageClass::PhysicalStorageBuffer});
             m.op(Op::OpTypeStruct, {typeC, typeA});
             m.op(Op::OpTypePointer, {typeA, spv::StorageClass::PhysicalStorageBuffer, floatId});
             variable(m, pointerA, variableA, spv::StorageClass::PushConstant, typeC);
           },
       .body = [](TestModule &m) { m.op(Op::OpLoad, {typeC, tmp, variableA}); }});
  EXPECT_EQ(usageOk(m).pushConstSize, 16u);
}

TEST(ResourceUsage, PushConstantBytes) {
  TestModule m =
      sample({.annotations =
                  [](TestModule &m) {
                    m.op(Op::OpDecorate, {typeC, spv::Decoration::Block});
                    m.op(Op::OpMemberDecorate, {typeC, 0, spv::Decoration::Offset, 0});
                    m.op(Op::OpMemberDecorate, {typeC, 1, spv::Decoration::Offset, 16});
                    m.op(Op::OpMemberDecorate, {typeC, 1, spv::Decoration::MatrixStride, 16});
                    m.op(Op::OpMemberDecorate, {typeC, 1, spv::Decoration::ColMajor});
                  },
              .globals =
                  [](TestModule &m) {
                    m.op(Op::OpTypeMatrix, {typeA, vec4Id, 3});
                    m.op(Op::OpTypeStruct, {typeC, floatId, typeA});
                    variable(m, pointerA, variableA, spv::StorageClass::PushConstant, typeC);
                  },
              .body = [](TestModule &m) { m.op(Op::OpLoad, {typeC, tmp, variableA}); }});
  EXPECT_EQ(usageOk(m).pushConstSize, 64u);
}

/// uint4Id matrices of three vectors, at the offset 32; how many bytes of the last stride count?
uint32_t sizeOfMatrices(bool isRowMajor) {
  TestModule m = sample(
      {.annotations =
           [&](TestModule &m) {
             m.op(Op::OpDecorate, {typeC, spv::Decoration::Block});
             m.op(Op::OpDecorate, {typeB, spv::Decoration::ArrayStride, 256});
             m.op(Op::OpMemberDecorate, {typeC, 0, spv::Decoration::Offset, 32});
             m.op(Op::OpMemberDecorate, {typeC, 0, spv::Decoration::MatrixStride, 64});
             m.op(Op::OpMemberDecorate,
                  {typeC, 0, isRowMajor ? spv::Decoration::RowMajor : spv::Decoration::ColMajor});
           },
       .globals =
           [](TestModule &m) {
             m.op(Op::OpTypeMatrix, {typeA, vec4Id, 3});
             m.op(Op::OpTypeArray, {typeB, typeA, uint4Id});
             m.op(Op::OpTypeStruct, {typeC, typeB});
             variable(m, pointerA, variableA, spv::StorageClass::PushConstant, typeC);
           },
       .body = [](TestModule &m) { m.op(Op::OpLoad, {typeC, tmp, variableA}); }});
  auto module = spirv::Module::parse(m.bytes());
  EXPECT_TRUE(bool(module)) << lgc::consumeToText(module.takeError()).message;
  const auto *entry = (*module)->findEntryPoint(spv::ExecutionModel::GLCompute, "main");
  EXPECT_EQ(pushConstantBegin(**module, walkEntry(**module, *entry)), 32u);
  return usageOk(m).pushConstSize;
}

TEST(ResourceUsage, PushConstantsEndWithTheLastElement) {
  EXPECT_EQ(sizeOfMatrices(false), 32u + 3 * 256 + 2 * 64 + 16); // columns of four
  EXPECT_EQ(sizeOfMatrices(true), 32u + 3 * 256 + 3 * 64 + 12);  // rows of three
}

TEST(ResourceUsage, TypesThatShareMembersTakeLinearTime) {
  // Each struct has the one before twice: 2^n paths.
  constexpr uint32_t depth = 200, first = 1000;
  TestModule m = sample(
      {.globals =
           [](TestModule &m) {
             m.op(Op::OpTypeStruct, {first, floatId});
             for (uint32_t i = 1; i < depth; ++i)
               m.op(Op::OpTypeStruct, {first + i, first + i - 1, first + i - 1});
             variable(m, pointerA, variableA, spv::StorageClass::PushConstant, first + depth - 1);
           },
       .body = [](TestModule &m) { m.op(Op::OpLoad, {first + depth - 1, tmp, variableA}); }});
  m.words[3] = first + depth;
  auto usage = usageOf(m);
  ASSERT_FALSE(bool(usage));
  EXPECT_EQ(lgc::consumeToText(usage.takeError()).kind, lgc::ErrorKind::LimitExceeded);
}

} // namespace
