//===- TestModule.h - writes SPIR-V modules in tests ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// For *Test.cpp only: a writer of SPIR-V words that does not use the reader, so that it can write
/// anything, and a small complete compute module with places to put the instructions under test.
#pragma once

#include "llpc/spirv/Module.h"
#include <functional>
#include <gtest/gtest.h>

namespace llpc::spirv::test {

/// Operand words: a number, an enumerant or a string.
struct Words {
  std::vector<uint32_t> list;
  Words(uint32_t word) : list{word} {}
  Words(int word) : list{static_cast<uint32_t>(word)} {}
  template <typename E, std::enable_if_t<std::is_enum_v<E>, int> = 0>
  Words(E value) : list{static_cast<uint32_t>(value)} {}
  Words(const char *text) : list(strlen(text) / 4 + 1, 0) {
    memcpy(list.data(), text, strlen(text));
  }
};

class TestModule {
public:
  explicit TestModule(uint32_t version = 0x00010000, uint32_t bound = 100)
      : words{spv::MagicNumber, version, 0, bound, 0} {}

  TestModule &op(spv::Op opcode, std::initializer_list<Words> operands = {}) {
    size_t start = words.size();
    words.push_back(0);
    for (const Words &operand : operands)
      words.insert(words.end(), operand.list.begin(), operand.list.end());
    words[start] = static_cast<uint32_t>(words.size() - start) << 16 | uint32_t(opcode);
    return *this;
  }
  /// The same, and expectError() expects its place where the message has '@'.
  TestModule &bad(spv::Op opcode, std::initializer_list<Words> operands = {}) {
    mark = words.size();
    return op(opcode, operands);
  }

  std::vector<uint8_t> bytes(bool bigEndian = false) const {
    std::vector<uint8_t> result;
    for (uint32_t word : words)
      for (int i = 0; i < 4; ++i)
        result.push_back(word >> 8 * (bigEndian ? 3 - i : i));
    return result;
  }

  std::vector<uint32_t> words;
  size_t mark = 0;
};

/// Instructions to add to the sample module, by section.
struct Parts {
  using Hook = std::function<void(TestModule &)>;
  Hook modes = {}, names = {}, annotations = {}, globals = {}, entryBlock = {}, body = {},
       functions = {};
};

/// Ids that the sample module defines. Tests take theirs from `firstFree` on.
enum SampleId : uint32_t {
  mainId = 1,
  voidId,
  voidFunctionId,
  uintId,
  floatId,
  boolId,
  vec4Id,
  uint1Id,
  uint4Id,
  float1Id,
  trueId,
  arrayId,
  structId,
  bufferPointerId,
  bufferId,
  localPointerId,
  localId,
  glslId,
  entryId,
  bodyId,
  firstFree
};

/// A compute shader that writes nothing: all types above, a storage buffer and two blocks.
inline TestModule sample(const Parts &parts = {}, uint32_t version = 0x00010000) {
  using spv::Op;
  TestModule m(version);
  auto call = [&](const Parts::Hook &hook) {
    if (hook)
      hook(m);
  };
  m.op(Op::OpCapability, {spv::Capability::Shader});
  m.op(Op::OpExtInstImport, {glslId, "GLSL.std.450"});
  m.op(Op::OpMemoryModel, {spv::AddressingModel::Logical, spv::MemoryModel::GLSL450});
  m.op(Op::OpEntryPoint, {spv::ExecutionModel::GLCompute, mainId, "main"});
  m.op(Op::OpExecutionMode, {mainId, spv::ExecutionMode::LocalSize, 8, 4, 1});
  call(parts.modes);
  m.op(Op::OpName, {mainId, "main"}).op(Op::OpMemberName, {structId, 0, "data"});
  call(parts.names);
  m.op(Op::OpDecorate, {arrayId, spv::Decoration::ArrayStride, 16});
  m.op(Op::OpMemberDecorate, {structId, 0, spv::Decoration::Offset, 0});
  m.op(Op::OpDecorate, {structId, spv::Decoration::BufferBlock});
  m.op(Op::OpDecorate, {bufferId, spv::Decoration::DescriptorSet, 0});
  m.op(Op::OpDecorate, {bufferId, spv::Decoration::Binding, 3});
  call(parts.annotations);
  m.op(Op::OpTypeVoid, {voidId}).op(Op::OpTypeFunction, {voidFunctionId, voidId});
  m.op(Op::OpTypeInt, {uintId, 32, 0}).op(Op::OpTypeFloat, {floatId, 32});
  m.op(Op::OpTypeBool, {boolId}).op(Op::OpTypeVector, {vec4Id, floatId, 4});
  m.op(Op::OpConstant, {uintId, uint1Id, 1}).op(Op::OpConstant, {uintId, uint4Id, 4});
  m.op(Op::OpConstant, {floatId, float1Id, 0x3f800000}).op(Op::OpConstantTrue, {boolId, trueId});
  m.op(Op::OpTypeArray, {arrayId, vec4Id, uint4Id}).op(Op::OpTypeStruct, {structId, arrayId});
  m.op(Op::OpTypePointer, {bufferPointerId, spv::StorageClass::Uniform, structId});
  m.op(Op::OpVariable, {bufferPointerId, bufferId, spv::StorageClass::Uniform});
  m.op(Op::OpTypePointer, {localPointerId, spv::StorageClass::Function, uintId});
  call(parts.globals);
  m.op(Op::OpFunction, {voidId, mainId, 0, voidFunctionId}).op(Op::OpLabel, {entryId});
  m.op(Op::OpVariable, {localPointerId, localId, spv::StorageClass::Function});
  call(parts.entryBlock);
  m.op(Op::OpBranch, {bodyId}).op(Op::OpLabel, {bodyId});
  call(parts.body);
  m.op(Op::OpReturn).op(Op::OpFunctionEnd);
  call(parts.functions);
  return m;
}

/// "" when the module parses, else "<kind>: <message>".
inline std::string errorOf(llvm::ArrayRef<uint8_t> bytes) {
  auto module = Module::parse(bytes);
  if (module)
    return "";
  lgc::ErrorText text = lgc::consumeToText(module.takeError());
  return lgc::errorKindName(text.kind).str() + ": " + text.message;
}

inline std::unique_ptr<Module> parseOk(const TestModule &m, bool bigEndian = false) {
  auto module = Module::parse(m.bytes(bigEndian));
  if (module)
    return std::move(*module);
  ADD_FAILURE() << lgc::consumeToText(module.takeError()).message;
  return nullptr;
}

/// The message must be `expected`, where '@' stands for the word offset of the bad() instruction.
inline void expectError(const TestModule &m, std::string expected,
                        const char *kind = "invalid input") {
  if (size_t at = expected.find('@'); at != std::string::npos)
    expected.replace(at, 1, std::to_string(m.mark));
  EXPECT_EQ(errorOf(m.bytes()), std::string(kind) + ": " + expected);
}

/// The error of one instruction among the globals or in the second block of the sample.
inline void expectGlobalError(spv::Op opcode, std::initializer_list<Words> operands,
                              const std::string &expected, const char *kind = "invalid input") {
  expectError(sample({.globals = [&](TestModule &m) { m.bad(opcode, operands); }}), expected, kind);
}
inline void expectBodyError(spv::Op opcode, std::initializer_list<Words> operands,
                            const std::string &expected, const char *kind = "invalid input") {
  expectError(sample({.body = [&](TestModule &m) { m.bad(opcode, operands); }}), expected, kind);
}

} // namespace llpc::spirv::test
