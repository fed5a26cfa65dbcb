//===- KernelArgumentsTest.cpp - where a kernel finds its arguments -------===//
// SPDX-License-Identifier: MIT
#include "llpc/reflect/KernelArguments.h"
#include "llpc/reflect/ResourceUsage.h"
#include "llpc/spirv/TestModule.h"

using namespace llpc;
using namespace llpc::spirv;
using spv::Op;

namespace {

/// A kernel %50 whose parameters %60 and following have the types \p types.
std::vector<uint8_t> kernelWith(std::initializer_list<uint32_t> types) {
  test::TestModule m(0x00010400);
  for (auto capability :
       {spv::Capability::Kernel, spv::Capability::Addresses, spv::Capability::Int8,
        spv::Capability::Int16, spv::Capability::Int64, spv::Capability::Vector16,
        spv::Capability::ImageBasic, spv::Capability::LiteralSampler})
    m.op(Op::OpCapability, {capability});
  m.op(Op::OpMemoryModel, {spv::AddressingModel::Physical64, spv::MemoryModel::OpenCL});
  m.op(Op::OpEntryPoint, {spv::ExecutionModel::Kernel, 50, "k"});
  if (types.size() > 3)
    m.op(Op::OpDecorate,
         {63, spv::Decoration::FuncParamAttr, spv::FunctionParameterAttribute::ByVal});
  m.op(Op::OpDecorate, {12, spv::Decoration::CPacked});
  m.op(Op::OpTypeVoid, {1}).op(Op::OpTypeInt, {2, 8, 0}).op(Op::OpTypeInt, {3, 16, 0});
  m.op(Op::OpTypeInt, {4, 32, 0}).op(Op::OpTypeFloat, {5, 32});
  m.op(Op::OpTypeVector, {6, 5, 3}).op(Op::OpTypeVector, {7, 3, 16});
  m.op(Op::OpTypePointer, {8, spv::StorageClass::CrossWorkgroup, 5});
  m.op(Op::OpTypePointer, {9, spv::StorageClass::Workgroup, 5});
  m.op(Op::OpConstant, {4, 10, 3}).op(Op::OpTypeArray, {11, 2, 10});
  m.op(Op::OpTypeStruct, {12, 2, 4}).op(Op::OpTypeStruct, {13, 6, 2, 12, 11});
  m.op(Op::OpTypePointer, {14, spv::StorageClass::Function, 13});
  m.op(Op::OpTypeSampler, {15}).op(Op::OpTypeEvent, {16});
  m.op(Op::OpTypeImage, {17, 1, spv::Dim::Dim2D, 0, 1, 0, 0, spv::ImageFormat::Unknown,
                         spv::AccessQualifier::WriteOnly});
  m.op(Op::OpTypeImage, {18, 1, spv::Dim::Cube, 0, 0, 0, 0, spv::ImageFormat::Unknown,
                         spv::AccessQualifier::ReadOnly});
  // The first two are one sampler.
  m.op(Op::OpConstantSampler, {15, 30, 2, 1, 0}).op(Op::OpConstantSampler, {15, 31, 2, 1, 0});
  m.op(Op::OpConstantSampler, {15, 32, 3, 0, 1});
  test::Words function(20);
  function.list = {20, 1};
  function.list.insert(function.list.end(), types);
  m.op(Op::OpTypeFunction, {function});
  m.op(Op::OpFunction, {1, 50, 0, 20});
  uint32_t id = 60;
  for (uint32_t type : types)
    m.op(Op::OpFunctionParameter, {type, id++});
  m.op(Op::OpLabel, {70}).op(Op::OpReturn).op(Op::OpFunctionEnd);
  return m.bytes();
}

llvm::Expected<KernelInterface> interfaceOf(const std::vector<uint8_t> &bytes) {
  auto module = parseKernels(bytes);
  if (!module)
    return module.takeError();
  return kernelInterfaceOf(**module, (*module)->entryPoints().front());
}

/// "offset+size" of each argument.
std::string placesOf(std::initializer_list<uint32_t> types) {
  auto interface = interfaceOf(kernelWith(types));
  if (!interface)
    return lgc::consumeToText(interface.takeError()).message;
  std::string text;
  for (const KernelArgument &argument : interface->arguments)
    text += std::to_string(argument.offset) + "+" + std::to_string(argument.size) + " ";
  return text + "of " + std::to_string(interface->bytes);
}

// OpenCL C, "Alignment of Types": a type is aligned to its size, vectors of 3 as those of 4.
TEST(KernelArguments, NaturalAlignment) {
  EXPECT_EQ(placesOf({}), "of 0");
  EXPECT_EQ(placesOf({8, 8, 5, 4}), "0+8 8+8 16+4 20+4 of 24");
  EXPECT_EQ(placesOf({2, 3, 2, 8}), "0+1 2+2 4+1 8+8 of 16");
  EXPECT_EQ(placesOf({2, 6, 2, 7}), "0+1 16+16 32+1 64+32 of 96");
}

// {float3, char, packed {char, int}, char[3]}: 16, 1, 5 and 3 bytes, rounded up to 16.
TEST(KernelArguments, StructuresByValue) {
  EXPECT_EQ(placesOf({2, 2, 2, 14}), "0+1 1+1 2+1 16+32 of 48");
}

TEST(KernelArguments, WhatCannotBePassed) {
  EXPECT_NE(placesOf({16}).find("arguments of type OpTypeEvent not supported"), std::string::npos);
  EXPECT_NE(placesOf({18}).find("images of this dimension"), std::string::npos);
  EXPECT_NE(placesOf({9}).find("decoration MaxByteOffset"), std::string::npos);
  // Not by value: only the fourth parameter is.
  EXPECT_NE(placesOf({14}).find("storage class not supported"), std::string::npos);
}

TEST(KernelArguments, ImagesAndSamplersAreDescriptors) {
  auto bytes = kernelWith({17, 4, 15});
  auto module = llvm::cantFail(parseKernels(bytes));
  const EntryPoint &entry = module->entryPoints().front();
  auto interface = llvm::cantFail(kernelInterfaceOf(*module, entry));
  EXPECT_EQ(interface.arguments[0].kind, KernelArgumentKind::Image);
  EXPECT_EQ(interface.arguments[0].dim, KernelImageDim::Dim2DArray);
  EXPECT_EQ(interface.arguments[0].access, KernelAccess::WriteOnly);
  EXPECT_EQ(interface.arguments[0].binding, 0u);
  EXPECT_EQ(interface.arguments[1].offset, 0u);
  EXPECT_EQ(interface.arguments[2].kind, KernelArgumentKind::Sampler);
  EXPECT_EQ(interface.arguments[2].binding, 1u);
  EXPECT_EQ(interface.bytes, 4u);
  EXPECT_EQ(interface.firstSampler, 2u);
  ASSERT_EQ(interface.samplers.size(), 2u);
  EXPECT_EQ(interface.samplers[0], (KernelSampler{KernelSampler::Address::Clamp, true, false}));
  EXPECT_EQ(interface.samplers[1], (KernelSampler{KernelSampler::Address::Repeat, false, true}));
  auto usage = llvm::cantFail(collectResourceUsage(*module, entry));
  ASSERT_EQ(usage.nodes.size(), 4u);
  EXPECT_EQ(usage.nodes[0].type, lgc::ResourceNodeType::DescriptorImage);
  EXPECT_EQ(usage.nodes[3].type, lgc::ResourceNodeType::DescriptorSampler);
}

TEST(KernelArguments, SizesAreFilledIn) {
  KernelSizes sizes;
  sizes.workgroup = {8, 2, 1};
  sizes.local = {24, 12};
  auto bytes = llvm::cantFail(completeKernels(kernelWith({9, 4, 9}), sizes));
  auto module = llvm::cantFail(parseKernels(bytes));
  const EntryPoint &entry = module->entryPoints().front();
  ASSERT_EQ(entry.modes.size(), 1u);
  EXPECT_EQ(entry.modes[0].mode, spv::ExecutionMode::LocalSize);
  EXPECT_EQ(entry.modes[0].operands.vec(), (std::vector<uint32_t>{8, 2, 1}));
  auto interface = llvm::cantFail(kernelInterfaceOf(*module, entry));
  EXPECT_EQ(interface.arguments[0].size, 24u);
  EXPECT_EQ(interface.arguments[1].offset, 0u);
  EXPECT_EQ(interface.arguments[2].size, 12u);
  // What is there stays.
  sizes.workgroup = {1, 1, 1};
  sizes.local = {1, 1};
  EXPECT_EQ(llvm::cantFail(completeKernels(bytes, sizes)), bytes);
}

TEST(KernelArguments, DriversTakeNoKernels) {
  auto module = Module::parse(kernelWith({}));
  ASSERT_FALSE(module);
  EXPECT_NE(lgc::consumeToText(module.takeError()).message.find("capability Kernel not supported"),
            std::string::npos);
}

} // namespace
