//===- PartsForTest.h - shaders and parts for tests -----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/Parts.h"
#include "llpc/context/CompilerForTest.h"
#include "llpc/context/ShaderModule.h"

namespace llpc::test {

using namespace llpc::spirv::test;
using spv::Op;

/// A vertex shader that passes its input on, or a fragment shader that writes its input.
inline ShaderModule passOn(spv::ExecutionModel model) {
  enum : uint32_t { inPointer = firstFree, in, outPointer, out, position, value };
  const bool isVertex = model == spv::ExecutionModel::Vertex;
  TestModule m;
  m.op(Op::OpCapability, {spv::Capability::Shader});
  m.op(Op::OpMemoryModel, {spv::AddressingModel::Logical, spv::MemoryModel::GLSL450});
  if (isVertex)
    m.op(Op::OpEntryPoint, {model, mainId, "main", in, out, position});
  else
    m.op(Op::OpEntryPoint, {model, mainId, "main", in, out});
  if (!isVertex)
    m.op(Op::OpExecutionMode, {mainId, spv::ExecutionMode::OriginUpperLeft});
  m.op(Op::OpDecorate, {in, spv::Decoration::Location, 0});
  m.op(Op::OpDecorate, {out, spv::Decoration::Location, 0});
  if (isVertex)
    m.op(Op::OpDecorate, {position, spv::Decoration::BuiltIn, spv::BuiltIn::Position});
  m.op(Op::OpTypeVoid, {voidId}).op(Op::OpTypeFunction, {voidFunctionId, voidId});
  m.op(Op::OpTypeFloat, {floatId, 32}).op(Op::OpTypeVector, {vec4Id, floatId, 4});
  m.op(Op::OpTypePointer, {inPointer, spv::StorageClass::Input, vec4Id});
  m.op(Op::OpTypePointer, {outPointer, spv::StorageClass::Output, vec4Id});
  m.op(Op::OpVariable, {inPointer, in, spv::StorageClass::Input});
  m.op(Op::OpVariable, {outPointer, out, spv::StorageClass::Output});
  if (isVertex)
    m.op(Op::OpVariable, {outPointer, position, spv::StorageClass::Output});
  m.op(Op::OpFunction, {voidId, mainId, 0, voidFunctionId}).op(Op::OpLabel, {entryId});
  m.op(Op::OpLoad, {vec4Id, value, in}).op(Op::OpStore, {out, value});
  if (isVertex)
    m.op(Op::OpStore, {position, value});
  m.op(Op::OpReturn).op(Op::OpFunctionEnd);
  return moduleOf(m);
}

/// Of both, with one vertex buffer and one target.
inline GraphicsPipelineBuildInfo passOnPipeline() {
  GraphicsPipelineBuildInfo info;
  info.vs.module = passOn(spv::ExecutionModel::Vertex);
  info.fs.module = passOn(spv::ExecutionModel::Fragment);
  info.vertexInput.bindings = {{.binding = 0, .stride = 16}};
  info.vertexInput.attributes = {{0, 0, 109, 0}};
  info.cbState.target[0].format = 44;
  return info;
}

/// Builds a part, or glue of one, and takes it apart.
inline std::shared_ptr<const lgc::Part> digest(llvm::Expected<PartResult> result) {
  if (!result) {
    ADD_FAILURE() << lgc::consumeToText(result.takeError()).message;
    return nullptr;
  }
  auto part = lgc::Part::create(result->elf.bytes());
  if (part)
    return *part;
  ADD_FAILURE() << lgc::consumeToText(part.takeError()).message;
  return nullptr;
}

} // namespace llpc::test
