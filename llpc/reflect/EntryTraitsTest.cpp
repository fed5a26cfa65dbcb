//===- EntryTraitsTest.cpp - what an entry point's code may depend on -----===//
// SPDX-License-Identifier: MIT
#include "llpc/EntryReflection.h"
#include "llpc/reflect/EntryCode.h"
#include "llpc/spirv/TestModule.h"

using namespace llpc;
using namespace llpc::spirv::test;
using spv::Decoration;
using spv::Op;
using spv::StorageClass;
using T = EntryTrait;

namespace {

enum : uint32_t {
  pointerA = firstFree,
  variableA,
  pointerB,
  variableB,
  blockA,
  blockArray,
  memberPointer,
  importA,
  functionA,
  labelA,
  tmp,
  tmp2,
};

/// A module with one entry point "main" of \p model; see Parts.
TestModule shader(spv::ExecutionModel model, const Parts &parts,
                  std::initializer_list<Words> interface = {}) {
  TestModule m(0x00010000, 200);
  auto call = [&](const Parts::Hook &hook) {
    if (hook)
      hook(m);
  };
  m.op(Op::OpCapability, {spv::Capability::Shader});
  m.op(Op::OpExtInstImport, {glslId, "GLSL.std.450"});
  m.op(Op::OpExtInstImport, {importA, "SPV_AMD_shader_ballot"});
  m.op(Op::OpMemoryModel, {spv::AddressingModel::Logical, spv::MemoryModel::GLSL450});
  std::vector<Words> operands = {model, mainId, "main"};
  operands.insert(operands.end(), interface);
  const size_t entryStart = m.words.size();
  m.words.push_back(0);
  for (const Words &operand : operands)
    m.words.insert(m.words.end(), operand.list.begin(), operand.list.end());
  m.words[entryStart] =
      static_cast<uint32_t>(m.words.size() - entryStart) << 16 | uint32_t(Op::OpEntryPoint);
  call(parts.modes);
  call(parts.annotations);
  m.op(Op::OpTypeVoid, {voidId}).op(Op::OpTypeFunction, {voidFunctionId, voidId});
  m.op(Op::OpTypeInt, {uintId, 32, 0}).op(Op::OpTypeFloat, {floatId, 32});
  m.op(Op::OpTypeBool, {boolId}).op(Op::OpConstantTrue, {boolId, trueId});
  m.op(Op::OpConstant, {uintId, uint1Id, 1}).op(Op::OpConstant, {uintId, uint4Id, 4});
  call(parts.globals);
  m.op(Op::OpFunction, {voidId, mainId, 0, voidFunctionId}).op(Op::OpLabel, {entryId});
  call(parts.body);
  m.op(Op::OpReturn).op(Op::OpFunctionEnd);
  call(parts.functions);
  return m;
}

EntryTraits traitsOf(const TestModule &m) {
  auto module = spirv::test::parseOk(m);
  if (!module)
    return {};
  const spirv::EntryPoint &entry = module->entryPoints()[0];
  return llpc::traitsOf(*module, entry, walkEntry(*module, entry));
}

std::string names(EntryTraits traits) {
  constexpr const char *traitNames[] = {
#define KILN_ENTRY_TRAIT(name) #name,
#include "llpc/EntryTraits.def"
  };
  std::string text;
  for (unsigned i = 0; i < static_cast<unsigned>(T::Count); ++i)
    if (traits.has(static_cast<T>(i)))
      text += (text.empty() ? "" : " ") + std::string(traitNames[i]);
  return text;
}

/// A variable with one decoration, loaded or stored by main.
std::string ofVariable(spv::ExecutionModel model, StorageClass storage,
                       std::initializer_list<Words> decoration, bool isUsed = true) {
  return names(traitsOf(shader(model,
                               {.annotations =
                                    [&](TestModule &m) {
                                      std::vector<Words> all = {variableA};
                                      all.insert(all.end(), decoration);
                                      const size_t start = m.words.size();
                                      m.words.push_back(0);
                                      for (const Words &operand : all)
                                        m.words.insert(m.words.end(), operand.list.begin(),
                                                       operand.list.end());
                                      m.words[start] = static_cast<uint32_t>(m.words.size() - start)
                                                           << 16 |
                                                       uint32_t(Op::OpDecorate);
                                    },
                                .globals =
                                    [&](TestModule &m) {
                                      m.op(Op::OpTypePointer, {pointerA, storage, uintId});
                                      m.op(Op::OpVariable, {pointerA, variableA, storage});
                                    },
                                .body =
                                    [&](TestModule &m) {
                                      if (isUsed && storage == StorageClass::Output)
                                        m.op(Op::OpStore, {variableA, uint1Id});
                                      else if (isUsed)
                                        m.op(Op::OpLoad, {uintId, tmp, variableA});
                                    }},
                               {variableA})));
}

TEST(EntryTraits, BuiltInsByDirection) {
  using B = spv::BuiltIn;
  struct Row {
    B builtIn;
    StorageClass storage;
    const char *expected;
  };
  const Row rows[] = {
      {B::SampleId, StorageClass::Input, "ReadsSampleId"},
      {B::SamplePosition, StorageClass::Input, "ReadsSamplePosition"},
      {B::SampleMask, StorageClass::Input, "ReadsSampleMask"},
      {B::SampleMask, StorageClass::Output, "WritesSampleMask"},
      {B::PointCoord, StorageClass::Input, "ReadsPointCoord"},
      {B::FrontFacing, StorageClass::Input, "ReadsFrontFacing"},
      {B::FullyCoveredEXT, StorageClass::Input, "ReadsFullyCovered"},
      {B::ShadingRateKHR, StorageClass::Input, "ReadsShadingRate"},
      {B::PrimitiveShadingRateKHR, StorageClass::Output, "WritesShadingRate"},
      {B::BaryCoordKHR, StorageClass::Input, "ReadsBaryCoord"},
      {B::BaryCoordPullModelAMD, StorageClass::Input, "ReadsBaryCoord"},
      {B::PrimitiveId, StorageClass::Input, "ReadsPrimitiveId"},
      {B::PrimitiveId, StorageClass::Output, "WritesPrimitiveId"},
      {B::Layer, StorageClass::Input, "ReadsLayer"},
      {B::Layer, StorageClass::Output, "WritesLayer"},
      {B::ViewportIndex, StorageClass::Input, "ReadsViewportIndex"},
      {B::ViewIndex, StorageClass::Input, "ReadsViewIndex"},
      {B::ClipDistance, StorageClass::Input, "ReadsClipDistance"},
      {B::CullDistance, StorageClass::Output, "WritesCullDistance"},
      {B::FragDepth, StorageClass::Output, "WritesDepth"},
      {B::FragStencilRefEXT, StorageClass::Output, "WritesStencilRef"},
      {B::BaseVertex, StorageClass::Input, "ReadsBaseVertex"},
      {B::BaseInstance, StorageClass::Input, "ReadsBaseInstance"},
      {B::DrawIndex, StorageClass::Input, "ReadsDrawIndex"},
      {B::VertexIndex, StorageClass::Input, "ReadsVertexIndex"},
      {B::InstanceIndex, StorageClass::Input, "ReadsInstanceIndex"},
      {B::SubgroupSize, StorageClass::Input, "UsesSubgroupSize"},
      {B::SubgroupLtMask, StorageClass::Input, "UsesSubgroupSize"},
      {B::NumWorkgroups, StorageClass::Input, "ReadsNumWorkgroups"},
      {B::VertexId, StorageClass::Input, "UsesOtherBuiltIn"},
      {B::FragDepth, StorageClass::Input, "UsesOtherBuiltIn"}, // not in this direction
  };
  for (const Row &row : rows) {
    EXPECT_EQ(
        ofVariable(spv::ExecutionModel::Fragment, row.storage, {Decoration::BuiltIn, row.builtIn}),
        row.expected);
    EXPECT_EQ(ofVariable(spv::ExecutionModel::Fragment, row.storage,
                         {Decoration::BuiltIn, row.builtIn}, false),
              "")
        << "only named in the interface: " << row.expected;
  }
}

TEST(EntryTraits, DecorationsOfInputs) {
  struct Row {
    Decoration decoration;
    const char *expected;
  };
  const Row rows[] = {
      {Decoration::Flat, "FlatInput"},
      {Decoration::Sample, "SampleInput"},
      {Decoration::Centroid, "CentroidInput"},
      {Decoration::NoPerspective, "NoPerspectiveInput"},
      {Decoration::PerVertexKHR, "PerVertexInput"},
      {Decoration::ExplicitInterpAMD, "PerVertexInput"},
      {Decoration::PerPrimitiveEXT, "PerPrimitiveInput"},
      {Decoration::Patch, ""},
  };
  for (const Row &row : rows) {
    EXPECT_EQ(ofVariable(spv::ExecutionModel::Fragment, StorageClass::Input, {row.decoration}),
              row.expected);
    EXPECT_EQ(ofVariable(spv::ExecutionModel::Vertex, StorageClass::Output, {row.decoration}), "");
  }
}

TEST(EntryTraits, InterpolationOfABuiltInIsNoChoice) {
  TestModule m = shader(
      spv::ExecutionModel::Fragment,
      {.annotations =
           [](TestModule &m) {
             m.op(Op::OpDecorate, {variableA, Decoration::Flat});
             m.op(Op::OpDecorate, {variableA, Decoration::BuiltIn, spv::BuiltIn::PrimitiveId});
           },
       .globals =
           [](TestModule &m) {
             m.op(Op::OpTypePointer, {pointerA, StorageClass::Input, uintId});
             m.op(Op::OpVariable, {pointerA, variableA, StorageClass::Input});
           },
       .body = [](TestModule &m) { m.op(Op::OpLoad, {uintId, tmp, variableA}); }});
  EXPECT_EQ(names(traitsOf(m)), "ReadsPrimitiveId");
}

/// gl_PerVertex with PointSize, Layer and a member without BuiltIn that is Flat.
TestModule blockShader(const Parts::Hook &body, bool isArray = false,
                       StorageClass storage = StorageClass::Output) {
  return shader(
      spv::ExecutionModel::Vertex,
      {.annotations =
           [](TestModule &m) {
             m.op(Op::OpMemberDecorate, {blockA, 0, Decoration::BuiltIn, spv::BuiltIn::PointSize});
             m.op(Op::OpMemberDecorate, {blockA, 1, Decoration::BuiltIn, spv::BuiltIn::Layer});
             m.op(Op::OpMemberDecorate, {blockA, 2, Decoration::Flat});
           },
       .globals =
           [&](TestModule &m) {
             m.op(Op::OpTypeStruct, {blockA, uintId, uintId, uintId});
             m.op(Op::OpTypeArray, {blockArray, blockA, uint4Id});
             m.op(Op::OpTypePointer, {pointerA, storage, isArray ? blockArray : blockA});
             m.op(Op::OpTypePointer, {memberPointer, storage, uintId});
             m.op(Op::OpVariable, {pointerA, variableA, storage});
           },
       .body = body});
}

TEST(EntryTraits, OnlyTheMembersThatAreNamed) {
  EXPECT_EQ(names(traitsOf(blockShader({}))), "");
  EXPECT_EQ(names(traitsOf(blockShader([](TestModule &m) {
              m.op(Op::OpAccessChain, {memberPointer, tmp, variableA, uint1Id});
            }))),
            "WritesLayer");
  EXPECT_EQ(names(traitsOf(
                blockShader([](TestModule &m) { m.op(Op::OpLoad, {blockA, tmp, variableA}); }))),
            "WritesPointSize WritesLayer");
  // The index of the vertex comes first.
  EXPECT_EQ(names(traitsOf(blockShader(
                [](TestModule &m) {
                  m.op(Op::OpAccessChain, {memberPointer, tmp, variableA, uint4Id, uint1Id});
                },
                true, StorageClass::Input))),
            "ReadsLayer");
  // A chain that ends at the array, or that goes through a value, stands for all members.
  EXPECT_EQ(names(traitsOf(blockShader(
                [](TestModule &m) { m.op(Op::OpAccessChain, {pointerA, tmp, variableA, uint4Id}); },
                true, StorageClass::Input))),
            "ReadsLayer ReadsPointSize FlatInput");
}

TEST(EntryTraits, InitializedOutputsAreWritten) {
  auto build = [](bool inInterface) {
    std::initializer_list<Words> interface = {variableA};
    return shader(spv::ExecutionModel::Fragment,
                  {.annotations =
                       [](TestModule &m) {
                         m.op(Op::OpDecorate,
                              {variableA, Decoration::BuiltIn, spv::BuiltIn::FragDepth});
                       },
                   .globals =
                       [](TestModule &m) {
                         m.op(Op::OpTypePointer, {pointerA, StorageClass::Output, uintId});
                         m.op(Op::OpVariable, {pointerA, variableA, StorageClass::Output, uint1Id});
                       }},
                  inInterface ? interface : std::initializer_list<Words>());
  };
  EXPECT_EQ(names(traitsOf(build(true))), "WritesDepth");
  EXPECT_EQ(names(traitsOf(build(false))), "");
}

TEST(EntryTraits, Instructions) {
  auto of = [](const Parts::Hook &body) {
    return names(
        traitsOf(shader(spv::ExecutionModel::Fragment,
                        {.globals =
                             [](TestModule &m) {
                               m.op(Op::OpTypePointer, {pointerA, StorageClass::Input, floatId});
                               m.op(Op::OpVariable, {pointerA, variableA, StorageClass::Input});
                             },
                         .body = body})));
  };
  EXPECT_EQ(of([](TestModule &m) { m.op(Op::OpGroupNonUniformElect, {boolId, tmp, uint1Id}); }),
            "UsesSubgroupSize");
  EXPECT_EQ(of([](TestModule &m) { m.op(Op::OpSubgroupAllKHR, {boolId, tmp, trueId}); }),
            "UsesSubgroupSize");
  EXPECT_EQ(of([](TestModule &m) { m.op(Op::OpExtInst, {uintId, tmp, importA, 4, uint1Id}); }),
            "UsesSubgroupSize");
  EXPECT_EQ(of([](TestModule &m) { m.op(Op::OpExtInst, {floatId, tmp, glslId, 76, variableA}); }),
            "InterpolatesAtCentroid");
  EXPECT_EQ(of([](TestModule &m) {
              m.op(Op::OpExtInst, {floatId, tmp, glslId, 77, variableA, uint1Id});
              m.op(Op::OpExtInst, {floatId, tmp2, glslId, 78, variableA, uint1Id});
            }),
            "InterpolatesAtSample InterpolatesAtOffset");
  EXPECT_EQ(of([](TestModule &m) { m.op(Op::OpExtInst, {floatId, tmp, glslId, 4, trueId}); }), "");
  EXPECT_EQ(of([](TestModule &m) { m.op(Op::OpKill).op(Op::OpLabel, {labelA}); }), "Discards");
  EXPECT_EQ(of([](TestModule &m) { m.op(Op::OpDemoteToHelperInvocation); }), "Discards");
  EXPECT_EQ(of([](TestModule &m) { m.op(Op::OpIsHelperInvocationEXT, {boolId, tmp}); }),
            "ReadsHelperInvocation");
  EXPECT_EQ(of([](TestModule &m) { m.op(Op::OpBeginInvocationInterlockEXT); }), "UsesInterlock");
}

TEST(EntryTraits, FollowsCallsAndNothingElse) {
  auto build = [](bool isCalled) {
    return shader(spv::ExecutionModel::GLCompute,
                  {.body =
                       [=](TestModule &m) {
                         if (isCalled)
                           m.op(Op::OpFunctionCall, {voidId, tmp, functionA});
                       },
                   .functions =
                       [](TestModule &m) {
                         m.op(Op::OpFunction, {voidId, functionA, 0, voidFunctionId});
                         m.op(Op::OpLabel, {labelA});
                         m.op(Op::OpGroupNonUniformElect, {boolId, tmp2, uint1Id});
                         m.op(Op::OpReturn).op(Op::OpFunctionEnd);
                       }});
  };
  EXPECT_EQ(names(traitsOf(build(true))), "UsesSubgroupSize");
  EXPECT_EQ(names(traitsOf(build(false))), "");
}

TEST(EntryTraits, InputAttachmentsAndXfb) {
  TestModule m = shader(
      spv::ExecutionModel::Fragment,
      {.modes = [](TestModule &m) { m.op(Op::OpExecutionMode, {mainId, spv::ExecutionMode::Xfb}); },
       .globals =
           [](TestModule &m) {
             m.op(Op::OpTypeImage,
                  {blockA, floatId, spv::Dim::SubpassData, 0, 0, 0, 2, spv::ImageFormat::Unknown});
             m.op(Op::OpTypePointer, {pointerA, StorageClass::UniformConstant, blockA});
             m.op(Op::OpVariable, {pointerA, variableA, StorageClass::UniformConstant});
           },
       .body = [](TestModule &m) { m.op(Op::OpLoad, {blockA, tmp, variableA}); }});
  EXPECT_EQ(names(traitsOf(m)), "ReadsInputAttachment CapturesXfb");
}

TEST(EntryTraits, LiteralsOfSwitchesAreNoVariables) {
  TestModule m = shader(
      spv::ExecutionModel::Fragment,
      {.annotations =
           [](TestModule &m) {
             m.op(Op::OpDecorate, {variableA, Decoration::BuiltIn, spv::BuiltIn::SampleId});
           },
       .globals =
           [](TestModule &m) {
             m.op(Op::OpTypePointer, {pointerA, StorageClass::Input, uintId});
             m.op(Op::OpVariable, {pointerA, variableA, StorageClass::Input});
           },
       .body =
           [](TestModule &m) {
             m.op(Op::OpSelectionMerge, {labelA, 0});
             m.op(Op::OpSwitch, {uint1Id, labelA, variableA, labelA}).op(Op::OpLabel, {labelA});
           }});
  EXPECT_EQ(names(traitsOf(m)), "");
}

TEST(EntryTraits, ManyVariablesOfALargeBlockTakeLinearTime) {
  // Each of 2,000 variables has a type of 16,000 members with a decoration.
  constexpr uint32_t members = 16000, variables = 2000, first = 200;
  TestModule m = shader(spv::ExecutionModel::Fragment,
                        {.annotations =
                             [](TestModule &m) {
                               for (uint32_t i = 0; i < members; ++i)
                                 m.op(Op::OpMemberDecorate, {blockA, i, Decoration::Centroid});
                             },
                         .globals =
                             [](TestModule &m) {
                               const size_t start = m.words.size();
                               m.words.push_back((members + 2) << 16 | uint32_t(Op::OpTypeStruct));
                               m.words.push_back(blockA);
                               m.words.resize(start + members + 2, uintId);
                               m.op(Op::OpTypePointer, {pointerA, StorageClass::Input, blockA});
                               for (uint32_t i = 0; i < variables; ++i)
                                 m.op(Op::OpVariable, {pointerA, first + i, StorageClass::Input});
                             },
                         .body =
                             [](TestModule &m) {
                               for (uint32_t i = 0; i < variables; ++i)
                                 m.op(Op::OpLoad, {blockA, first + variables + i, first + i});
                             }});
  m.words[3] = first + 2 * variables;
  EXPECT_EQ(names(traitsOf(m)), "CentroidInput");
}

TEST(EntryTraits, Bits) {
  const EntryTraits traits = {T::ReadsSampleId, T::Discards};
  EXPECT_EQ(EntryTraits::fromBits(traits.bits()), traits);
  EXPECT_TRUE(traits.hasAny({T::Discards, T::WritesDepth}));
  EXPECT_FALSE(traits.hasAny({T::WritesDepth}));
}

} // namespace
