//===- PartsTest.cpp - keys and builds of parts ---------------------------===//
// SPDX-License-Identifier: MIT
#include "llpc/Parts.h"
#include "llpc/context/PartLayout.h"
#include "llpc/context/PartsForTest.h"
#include "llpc/context/ShaderModule.h"
#include "pal_shim/abi/Verify.h"

using namespace llpc;
using namespace llpc::spirv::test;
using namespace llpc::test;
using lgc::PartKind;
using lgc::ResourceNode;
using lgc::ResourceNodeType;
using spv::Op;

namespace {

ResourceNode nodeOf(ResourceNodeType type, uint32_t set, uint32_t binding, uint32_t offset,
                    uint32_t size, uint32_t stride) {
  ResourceNode node;
  node.type = type;
  node.set = set;
  node.binding = binding;
  node.offsetInDwords = offset;
  node.sizeInDwords = size;
  node.strideInDwords = stride;
  return node;
}

ResourceNode tableOf(uint32_t set, uint32_t offset, std::vector<ResourceNode> content) {
  ResourceNode node = nodeOf(ResourceNodeType::DescriptorTableVaPtr, set, 0, offset, 1, 0);
  node.table = std::move(content);
  return node;
}

ResourceUsage usageOf(std::vector<ResourceNodeData> nodes, uint32_t pushConstSize = 0) {
  ResourceUsage usage;
  usage.nodes = std::move(nodes);
  usage.pushConstSize = pushConstSize;
  return usage;
}

std::string errorOf(const lgc::ResourceMapping &mapping, const ResourceUsage &usage) {
  auto made = partMapping(mapping, usage);
  if (made)
    return "";
  lgc::ErrorText text = lgc::consumeToText(made.takeError());
  return lgc::errorKindName(text.kind).str() + ": " + text.message;
}

using T = ResourceNodeType;

TEST(PartLayout, OnlyShapeIsLeft) {
  // Two layouts of one shader, which uses 1.5 (four textures), 1.2, 3.0 and 12 bytes.
  ResourceUsage usage = usageOf({{T::DescriptorConstBuffer, 1, 2, 1},
                                 {T::DescriptorCombinedTexture, 1, 5, 4},
                                 {T::DescriptorBuffer, 3, 0, 1}},
                                12);
  lgc::ResourceMapping a, b;
  a.roots = {nodeOf(T::PushConst, 0, 0, 0, 32, 0),
             tableOf(1, 32,
                     {nodeOf(T::DescriptorSampler, 1, 0, 0, 4, 4),
                      nodeOf(T::DescriptorCombinedTexture, 1, 5, 4, 64, 16),
                      nodeOf(T::DescriptorBuffer, 1, 2, 68, 4, 4)}),
             tableOf(3, 33, {nodeOf(T::DescriptorMutable, 3, 0, 100, 16, 16)})};
  b.roots = {tableOf(0, 0, {nodeOf(T::DescriptorImage, 0, 0, 0, 8, 8)}),
             tableOf(3, 1, {nodeOf(T::DescriptorBuffer, 3, 0, 0, 4, 4)}),
             tableOf(1, 2,
                     {nodeOf(T::DescriptorConstBuffer, 1, 2, 0, 4, 4),
                      nodeOf(T::DescriptorCombinedTexture, 1, 5, 4, 160, 16)}),
             nodeOf(T::PushConst, 0, 0, 7, 3, 0)};
  b.staticDescriptors = {{T::DescriptorSampler, 1, 5, 1, {1, 2, 3, 4}}};
  auto fromA = partMapping(a, usage), fromB = partMapping(b, usage);
  ASSERT_TRUE(bool(fromA)) << lgc::consumeToText(fromA.takeError()).message;
  ASSERT_TRUE(bool(fromB)) << lgc::consumeToText(fromB.takeError()).message;
  lgc::ResourceMapping expected;
  expected.roots = {tableOf(1, 0,
                            {nodeOf(T::DescriptorConstBuffer, 1, 2, 0, 4, 4),
                             nodeOf(T::DescriptorCombinedTexture, 1, 5, 4, 64, 16)}),
                    tableOf(3, 1, {nodeOf(T::DescriptorBuffer, 3, 0, 0, 4, 4)}),
                    nodeOf(T::PushConst, 0, 0, 2, 3, 0)};
  EXPECT_EQ(*fromA, expected);
  EXPECT_EQ(*fromB, expected);
  auto again = partMapping(expected, usage);
  ASSERT_TRUE(bool(again));
  EXPECT_EQ(*again, expected);
}

TEST(PartLayout, WhatCodeDependsOnStays) {
  ResourceUsage usage = usageOf({{T::DescriptorConstBuffer, 0, 0, 1}});
  auto madeOf = [&](const ResourceNode &node, bool inTable) {
    lgc::ResourceMapping mapping;
    mapping.roots = {inTable ? tableOf(0, 0, {node}) : node};
    auto made = partMapping(mapping, usage);
    EXPECT_TRUE(bool(made));
    return made ? *made : lgc::ResourceMapping();
  };
  const lgc::ResourceMapping base = madeOf(nodeOf(T::DescriptorConstBuffer, 0, 0, 0, 4, 4), true);
  // In the root, by address only, in place; of blocks in place the size.
  EXPECT_NE(madeOf(nodeOf(T::DescriptorConstBuffer, 0, 0, 0, 4, 4), false), base);
  EXPECT_NE(madeOf(nodeOf(T::DescriptorConstBufferCompact, 0, 0, 0, 2, 2), true), base);
  const lgc::ResourceMapping inPlace = madeOf(nodeOf(T::InlineBuffer, 0, 0, 0, 16, 0), true);
  EXPECT_NE(inPlace, base);
  EXPECT_NE(madeOf(nodeOf(T::InlineBuffer, 0, 0, 0, 32, 0), true), inPlace);
  // Strides of arrays.
  usage.nodes[0].arraySize = 2;
  EXPECT_NE(madeOf(nodeOf(T::DescriptorConstBuffer, 0, 0, 0, 8, 4), true),
            madeOf(nodeOf(T::DescriptorMutable, 0, 0, 0, 16, 8), true));
}

TEST(PartLayout, Refusals) {
  ResourceUsage texture = usageOf({{T::DescriptorCombinedTexture, 0, 1, 1}});
  ResourceNode node = nodeOf(T::DescriptorCombinedTexture, 0, 1, 0, 12, 12);
  lgc::ResourceMapping mapping;
  mapping.roots = {tableOf(0, 0, {node})};
  EXPECT_EQ(errorOf(mapping, texture), "");
  mapping.staticDescriptors = {{T::DescriptorYCbCrSampler, 0, 1, 1, {0, 0, 0, 0, 0, 0}}};
  EXPECT_EQ(errorOf(mapping, texture), "unsupported: part: YCbCr sampler (set 0 binding 1)");
  mapping.staticDescriptors.clear();
  mapping.roots = {tableOf(0, 0, {nodeOf(T::DescriptorResource, 0, 1, 0, 8, 8)})};
  EXPECT_EQ(errorOf(mapping, texture), "invalid input: part: the resource mapping has no fitting "
                                       "descriptor for set 0 binding 1");
  mapping.staticDescriptors = {{T::DescriptorSampler, 0, 1, 1, {0, 0, 0, 0}}};
  EXPECT_EQ(errorOf(mapping, texture),
            "unsupported: part: immutable sampler without memory (set 0 binding 1)");
  mapping.roots[0].table.push_back(nodeOf(T::DescriptorSampler, 0, 1, 8, 4, 4));
  EXPECT_EQ(errorOf(mapping, texture),
            "unsupported: part: several descriptors of one binding (set 0 binding 1)");
  mapping.roots = {tableOf(0, 0, {tableOf(0, 0, {node})})};
  EXPECT_EQ(errorOf(mapping, texture),
            "unsupported: part: descriptor tables inside of tables (set 0 binding 1)");
  mapping.roots = {tableOf(0, 0, {node})};
  mapping.roots[0].type = T::IndirectUserDataVaPtr;
  EXPECT_EQ(errorOf(mapping, texture),
            "unsupported: part: descriptors in indirect user data (set 0 binding 1)");
  mapping.roots = {tableOf(0, 0, {node}),
                   tableOf(0, 1, {nodeOf(T::DescriptorBuffer, 0, 2, 0, 4, 4)})};
  texture.nodes.push_back({T::DescriptorBuffer, 0, 2, 1});
  EXPECT_EQ(errorOf(mapping, texture),
            "unsupported: part: several tables of one set (set 0 binding 2)");
  EXPECT_EQ(errorOf({}, usageOf({}, 4)),
            "invalid input: part: the resource mapping has no push constants");
  mapping.roots = {tableOf(0, 0, {nodeOf(T::PushConst, 0, 0, 0, 4, 0)})};
  EXPECT_EQ(errorOf(mapping, usageOf({}, 4)), "unsupported: part: push constants in a table");
}

/// Stores to element 1 of the buffer at set 0, binding 3.
TestModule storeModule(const char *name = nullptr) {
  enum : uint32_t { constant = firstFree, composite, pointer, vectorPointer, zero };
  Parts parts;
  if (name)
    parts.names = [name](TestModule &m) { m.op(Op::OpMemberName, {structId, 0, name}); };
  parts.globals = [](TestModule &m) {
    m.op(Op::OpConstant, {floatId, constant, 0x40000000});
    m.op(Op::OpConstant, {uintId, zero, 0});
    m.op(Op::OpConstantComposite, {vec4Id, composite, constant, constant, constant, constant});
    m.op(Op::OpTypePointer, {vectorPointer, spv::StorageClass::Uniform, vec4Id});
  };
  parts.body = [](TestModule &m) {
    m.op(Op::OpAccessChain, {vectorPointer, pointer, bufferId, zero, uint1Id});
    m.op(Op::OpStore, {pointer, composite});
  };
  return sample(parts);
}

ComputePipelineBuildInfo guessFor(const ShaderModule &module) {
  ComputePipelineBuildInfo info;
  info.cs.module = module;
  auto mapping = Compiler::guessLayout(module, info.cs, {});
  if (mapping)
    info.resourceMapping = *mapping;
  else
    ADD_FAILURE() << lgc::consumeToText(mapping.takeError()).message;
  return info;
}

TEST(Parts, GuessMeetsTheApplication) {
  const ShaderModule module = moduleOf(storeModule());
  const ComputePipelineBuildInfo guess = guessFor(module);
  ComputePipelineBuildInfo real;
  // Debug names, robustness and an order of its own.
  real.cs.module = moduleOf(storeModule("name"));
  real.options.robustBufferAccess2 = true;
  real.pipelineLayoutApiHash = 7;
  real.resourceMapping.roots = {nodeOf(T::PushConst, 0, 0, 0, 16, 0),
                                tableOf(0, 40,
                                        {nodeOf(T::DescriptorImage, 0, 9, 0, 8, 8),
                                         nodeOf(T::DescriptorBuffer, 0, 3, 8, 4, 4)})};
  for (const char *target : {"gfx1010", "gfx1100", "gfx1201"}) {
    auto compiler = compilerFor(target);
    auto a = compiler->buildPart(guess);
    auto b = compiler->buildPart(real);
    ASSERT_TRUE(bool(a)) << lgc::consumeToText(a.takeError()).message;
    ASSERT_TRUE(bool(b)) << lgc::consumeToText(b.takeError()).message;
    EXPECT_EQ(a->key, b->key);
    EXPECT_EQ(a->elf.bytes(), b->elf.bytes());
    auto key = compiler->partKey(guess);
    ASSERT_TRUE(bool(key));
    EXPECT_EQ(*key, a->key);
  }
}

TEST(Parts, GuessedLayoutsFollowWhatIsKnown) {
  const ShaderModule module = moduleOf(storeModule());
  PipelineShaderInfo shader;
  LayoutGuess guess;
  auto rootsOf = [&] {
    auto mapping = Compiler::guessLayout(module, shader, guess);
    EXPECT_TRUE(bool(mapping));
    return mapping ? mapping->roots : std::vector<ResourceNode>();
  };
  const std::vector<ResourceNode> table = {
      tableOf(0, 0, {nodeOf(T::DescriptorBuffer, 0, 3, 0, 4, 4)})};
  const std::vector<ResourceNode> dynamic = {nodeOf(T::DescriptorBuffer, 0, 3, 0, 4, 4)};
  EXPECT_EQ(rootsOf(), table);
  guess.uniformBuffersDynamic = true;
  EXPECT_EQ(rootsOf(), table);
  guess.storageBuffersDynamic = true;
  EXPECT_EQ(rootsOf(), dynamic);
  // The first known layout that fits.
  ResourceMappingData other, fits;
  other.roots = {tableOf(0, 0, {nodeOf(T::DescriptorImage, 0, 3, 0, 8, 8)})};
  fits.roots = {tableOf(0, 5, {nodeOf(T::DescriptorBuffer, 0, 3, 12, 4, 4)})};
  const ResourceMappingData *known[] = {&other, &fits};
  guess.known = known;
  EXPECT_EQ(rootsOf(), table);
}

TEST(Parts, GraphicsPartsAndGlueLink) {
  GraphicsPipelineBuildInfo info = passOnPipeline();
  GraphicsPipelineBuildInfo depthOnly = info;
  depthOnly.fs.module = {};
  for (const char *target : {"gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201"}) {
    SCOPED_TRACE(target);
    auto compiler = compilerFor(target);
    auto before = digest(compiler->buildPart(info, PartKind::PreRasterization));
    auto fragment = digest(compiler->buildPart(info, PartKind::Fragment));
    auto nothing = digest(compiler->buildPart(depthOnly, PartKind::Fragment));
    ASSERT_TRUE(before && fragment && nothing);
    EXPECT_TRUE(before->info().fetch.has_value());
    EXPECT_TRUE(fragment->info().colorExport.has_value());
    auto fetch = digest(compiler->buildGlue(*before, info, PartKind::VertexFetch));
    auto colors = digest(compiler->buildGlue(*fragment, info, PartKind::ColorExport));
    ASSERT_TRUE(fetch && colors);
    const lgc::LinkLayout layout(info.resourceMapping);
    lgc::LinkParts parts;
    parts.preRasterization = before.get();
    parts.vertexFetch = fetch.get();
    parts.fragment = fragment.get();
    parts.colorExport = colors.get();
    auto linked = lgc::linkParts(parts, layout, {});
    ASSERT_TRUE(bool(linked)) << lgc::consumeToText(linked.takeError()).message;
    EXPECT_TRUE(pal::abi::verifyCodeObject(*linked, nullptr).empty());
    parts.fragment = nothing.get();
    parts.colorExport = nullptr;
    if (nothing->info().colorExport) {
      colors = digest(compiler->buildGlue(*nothing, depthOnly, PartKind::ColorExport));
      parts.colorExport = colors.get();
    }
    linked = lgc::linkParts(parts, layout, {});
    ASSERT_TRUE(bool(linked)) << lgc::consumeToText(linked.takeError()).message;
    EXPECT_TRUE(pal::abi::verifyCodeObject(*linked, nullptr).empty());
  }
}

/// A fragment shader that writes one colour.
GraphicsPipelineBuildInfo oneTarget() {
  GraphicsPipelineBuildInfo info;
  info.fs.module = passOn(spv::ExecutionModel::Fragment);
  info.stageMask = stageBit(ShaderStage::Vertex);
  info.cbState.target[0].format = 44;
  return info;
}

TEST(Parts, GlueKeysAreThoseOfTheBuild) {
  auto compiler = compilerFor("gfx1100");
  GraphicsPipelineBuildInfo info = oneTarget();
  auto fragment = digest(compiler->buildPart(info, PartKind::Fragment));
  ASSERT_TRUE(fragment);
  auto glue = compiler->buildGlue(*fragment, info, PartKind::ColorExport);
  ASSERT_TRUE(bool(glue)) << lgc::consumeToText(glue.takeError()).message;
  EXPECT_EQ(glue->key, compiler->glueKey(*fragment, info, PartKind::ColorExport));
  // Another format that is exported alike, and what nobody writes.
  GraphicsPipelineBuildInfo other = info;
  other.cbState.target[0].format = 97;
  other.cbState.target[0].blendEnable = true;
  other.cbState.target[3].format = 109;
  auto same = compiler->buildGlue(*fragment, other, PartKind::ColorExport);
  ASSERT_TRUE(bool(same));
  EXPECT_EQ(same->key, glue->key);
  EXPECT_EQ(same->elf.bytes(), glue->elf.bytes());
  info.cbState.target[0].format = 23; // three channels
  auto error = compiler->buildGlue(*fragment, info, PartKind::ColorExport);
  ASSERT_FALSE(bool(error));
  EXPECT_EQ(lgc::consumeToText(error.takeError()).kind, lgc::ErrorKind::Unsupported);
}

TEST(Parts, GlueThatNeedsNoLlvm) {
  auto compiler = compilerFor("gfx1100");
  GraphicsPipelineBuildInfo info = oneTarget();
  auto fragment = digest(compiler->buildPart(info, PartKind::Fragment));
  ASSERT_TRUE(fragment);
  auto built = compiler->buildGlue(*fragment, info, PartKind::ColorExport);
  auto generated = compiler->generateGlue(*fragment, info, PartKind::ColorExport);
  ASSERT_TRUE(built && generated && *generated);
  EXPECT_EQ((*generated)->key, built->key);
  EXPECT_EQ((*generated)->elf.bytes(), built->elf.bytes());
  auto plain = llvm::cantFail(Compiler::create({.target = "gfx1100", .directGlue = false}));
  auto none = plain->generateGlue(*fragment, info, PartKind::ColorExport);
  ASSERT_TRUE(bool(none));
  EXPECT_FALSE(*none);
  info.cbState.target[0].format = 23; // three channels
  auto error = compiler->generateGlue(*fragment, info, PartKind::ColorExport);
  ASSERT_FALSE(bool(error));
  EXPECT_EQ(lgc::consumeToText(error.takeError()).kind, lgc::ErrorKind::Unsupported);
}

/// Stores constant 7, whose value is 3, and has constant 9 as the size of a type.
TestModule specializedModule() {
  enum : uint32_t { constant = firstFree, size, array, pointer };
  Parts parts;
  parts.annotations = [](TestModule &m) {
    m.op(Op::OpDecorate, {constant, spv::Decoration::SpecId, 7});
    m.op(Op::OpDecorate, {size, spv::Decoration::SpecId, 9});
  };
  parts.globals = [](TestModule &m) {
    m.op(Op::OpSpecConstant, {uintId, constant, 3}).op(Op::OpSpecConstant, {uintId, size, 4});
    m.op(Op::OpTypeArray, {array, floatId, size});
    m.op(Op::OpTypePointer, {pointer, spv::StorageClass::Private, array});
  };
  parts.body = [](TestModule &m) { m.op(Op::OpStore, {localId, constant}); };
  return sample(parts);
}

TEST(Parts, ConstantsAreLeftToLinking) {
  auto compiler = compilerFor("gfx1100");
  ComputePipelineBuildInfo info = guessFor(moduleOf(specializedModule()));
  using Constants = std::vector<SpecConstant>;
  auto keyOf = [&](SpecializedAt at, Constants constants) {
    info.cs.specialization = std::move(constants);
    return llvm::cantFail(compiler->partKey(info, at));
  };
  using At = SpecializedAt;
  EXPECT_NE(keyOf(At::Compile, {{7, 4, 5}}), keyOf(At::Compile, {}));
  EXPECT_EQ(keyOf(At::Link, {{7, 4, 5}}), keyOf(At::Link, {}));
  EXPECT_NE(keyOf(At::Link, {}), keyOf(At::Compile, {}));
  EXPECT_NE(keyOf(At::Link, {{9, 4, 5}}), keyOf(At::Link, {})) << "a size";
  auto valuesOf = [&](Constants constants) {
    info.cs.specialization = std::move(constants);
    return llvm::cantFail(Compiler::linkedConstants(info.cs));
  };
  using Linked = std::vector<lgc::LinkConstant>;
  EXPECT_EQ(valuesOf({}), (Linked{{lgc::ShaderStage::Compute, 7, 3}}));
  EXPECT_EQ(valuesOf({{9, 4, 1}, {7, 4, 0xFFFFFFFF00000005}}),
            (Linked{{lgc::ShaderStage::Compute, 7, 5}}));
  info.cs.specialization = {{7, 2, 5}};
  const std::string expected =
      "specialization constant 7: the data has 2 bytes, the constant has 4";
  EXPECT_EQ(lgc::consumeToText(Compiler::linkedConstants(info.cs).takeError()).message, expected);
  EXPECT_EQ(lgc::consumeToText(compiler->partKey(info, At::Link).takeError()).message, expected);
  // What has no such constants is the same part.
  const ComputePipelineBuildInfo plain = guessFor(moduleOf(storeModule()));
  EXPECT_EQ(llvm::cantFail(compiler->partKey(plain, At::Link)),
            llvm::cantFail(compiler->partKey(plain)));
}

TEST(Parts, ArraysInWorkgroupMemoryAreLeftToLinking) {
  enum : uint32_t { size = firstFree, array, pointer, elementPointer, variable, element };
  Parts parts;
  parts.annotations = [](TestModule &m) {
    m.op(Op::OpDecorate, {size, spv::Decoration::SpecId, 9});
  };
  parts.globals = [](TestModule &m) {
    m.op(Op::OpSpecConstant, {uintId, size, 0}); // no size, but pipelines give one
    m.op(Op::OpTypeArray, {array, floatId, size});
    m.op(Op::OpTypePointer, {pointer, spv::StorageClass::Workgroup, array});
    m.op(Op::OpTypePointer, {elementPointer, spv::StorageClass::Workgroup, floatId});
    m.op(Op::OpVariable, {pointer, variable, spv::StorageClass::Workgroup});
  };
  parts.body = [](TestModule &m) {
    m.op(Op::OpAccessChain, {elementPointer, element, variable, uint1Id});
  };
  auto compiler = compilerFor("gfx1100");
  ComputePipelineBuildInfo info = guessFor(moduleOf(sample(parts)));
  EXPECT_TRUE(
      bool(llvm::cantFail(compiler->buildPart(info, SpecializedAt::Link)).elf.bytes().size()));
  EXPECT_EQ(lgc::consumeToText(Compiler::linkedConstants(info.cs).takeError()).message,
            "array in workgroup memory %" + std::to_string(variable) +
                ": no length that linking knows");
  info.cs.specialization = {{9, 4, 25}};
  using Linked = std::vector<lgc::LinkConstant>;
  EXPECT_EQ(llvm::cantFail(Compiler::linkedConstants(info.cs)),
            (Linked{{lgc::ShaderStage::Compute, 9, 25},
                    {lgc::ShaderStage::Compute, 0, 100, lgc::LinkConstant::Kind::WorkgroupBytes}}));
}

TEST(Parts, LinkedConstantsAreCheckedAsOthersAre) {
  enum : uint32_t { constant = firstFree, composite };
  Parts parts;
  parts.annotations = [](TestModule &m) {
    m.op(Op::OpDecorate, {constant, spv::Decoration::SpecId, 7});
  };
  parts.globals = [](TestModule &m) {
    m.op(Op::OpSpecConstant, {uintId, constant, 3});
    m.op(Op::OpSpecConstantCompositeReplicateEXT, {uintId, composite, constant});
  };
  parts.body = [](TestModule &m) { m.op(Op::OpStore, {localId, composite}); };
  auto compiler = compilerFor("gfx1100");
  const ComputePipelineBuildInfo info = guessFor(moduleOf(sample(parts)));
  for (SpecializedAt at : {SpecializedAt::Compile, SpecializedAt::Link}) {
    auto part = compiler->buildPart(info, at);
    ASSERT_FALSE(bool(part));
    EXPECT_NE(lgc::consumeToText(part.takeError()).message.find("result type is no composite"),
              std::string::npos);
  }
}

TEST(Parts, AttributesInMemoryThatNobodyReads) {
  TestModule m;
  m.op(Op::OpCapability, {spv::Capability::Shader});
  m.op(Op::OpMemoryModel, {spv::AddressingModel::Logical, spv::MemoryModel::GLSL450});
  m.op(Op::OpEntryPoint, {spv::ExecutionModel::Vertex, mainId, "main"});
  m.op(Op::OpTypeVoid, {voidId}).op(Op::OpTypeFunction, {voidFunctionId, voidId});
  m.op(Op::OpFunction, {voidId, mainId, 0, voidFunctionId}).op(Op::OpLabel, {entryId});
  m.op(Op::OpReturn).op(Op::OpFunctionEnd);
  auto compiler = compilerFor("gfx1100");
  GraphicsPipelineBuildInfo info;
  info.vs.module = moduleOf(m);
  info.stageMask = stageBit(ShaderStage::Fragment);
  auto known = compiler->partKey(info, PartKind::PreRasterization);
  // No memory in the mapping, and the part is that of everybody else.
  info.enableUberFetchShader = info.useSoftwareVertexBufferDescriptors = true;
  auto key = compiler->partKey(info, PartKind::PreRasterization);
  ASSERT_TRUE(known && key);
  EXPECT_EQ(*known, *key);
  EXPECT_TRUE(digest(compiler->buildPart(info, PartKind::PreRasterization)));
  info.vs.module = passOn(spv::ExecutionModel::Vertex);
  key = compiler->partKey(info, PartKind::PreRasterization);
  ASSERT_FALSE(key);
  EXPECT_EQ(lgc::consumeToText(key.takeError()).kind, lgc::ErrorKind::InvalidInput);
}

TEST(Parts, Refusals) {
  auto compiler = compilerFor("gfx1100");
  auto errorOfKey = [&](const auto &...arguments) -> std::string {
    auto key = compiler->partKey(arguments...);
    return key ? "" : lgc::consumeToText(key.takeError()).message;
  };
  ComputePipelineBuildInfo compute;
  EXPECT_EQ(errorOfKey(compute), "no shader module");
  compute = guessFor(moduleOf(storeModule()));
  compute.options.debugInfo = true;
  EXPECT_EQ(errorOfKey(compute), "part: debug information");
  compute.options.debugInfo = false;
  compute.cs.entryTarget = "x";
  EXPECT_EQ(errorOfKey(compute), "no compute entry point 'x'");
  GraphicsPipelineBuildInfo graphics;
  graphics.vs.module = passOn(spv::ExecutionModel::Vertex);
  EXPECT_EQ(errorOfKey(graphics, PartKind::PreRasterization), "");
  EXPECT_EQ(errorOfKey(graphics, PartKind::VertexFetch),
            "part: graphics pipelines have pre-rasterization and fragment parts");
  graphics.stageMask = stageBit(ShaderStage::Geometry);
  EXPECT_EQ(errorOfKey(graphics, PartKind::PreRasterization),
            "part: pre-rasterization stages without their geometry shader");
  EXPECT_EQ(errorOfKey(graphics, PartKind::Fragment), "");
  graphics.vs.module = {};
  graphics.stageMask = 0;
  EXPECT_EQ(errorOfKey(graphics, PartKind::PreRasterization),
            "part: pre-rasterization stages need a vertex or a mesh shader");
}

} // namespace
