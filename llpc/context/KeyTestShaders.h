//===- KeyTestShaders.h - shaders that have a use for every input ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// SPIR-V for tests of keys: a shader of any stage, with much or little in it.
#pragma once

#include "llpc/Compiler.h"
#include "llpc/spirv/TestModule.h"

namespace llpc::keytest {

using namespace llpc::spirv::test;
using spv::Op;

struct ShaderText {
  spv::ExecutionModel model = spv::ExecutionModel::GLCompute;
  std::vector<spv::ExecutionMode> modes = {};
  bool rich = false;
  uint32_t addend = 1;
  const char *name = nullptr;
};

/// Ids of the shaders below.
enum : uint32_t {
  uintVec4 = firstFree,
  zero,
  spec,
  unusedSpec,
  addendId,
  pushStruct,
  pushPointer,
  push,
  pushUintPointer,
  bufferStruct,
  bufferArray,
  bufferPointer,
  buffers,
  uintArray,
  uintPointer,
  single,
  singlePointer,
  image,
  sampledImage,
  texturePointer,
  texture,
  inPointer,
  in,
  outPointer,
  out,
  second,
  intId,
  vec2Id,
  vec3Id,
  maskArray,
  builtInFirst,
  pointerFirst = builtInFirst + 10,
  tmpFirst = pointerFirst + 10
};

enum class BuiltInStages : uint8_t { All, Graphics, Fragment };
struct BuiltInRow {
  spv::BuiltIn builtIn;
  uint32_t type;
  BuiltInStages stages;
};
constexpr BuiltInRow richBuiltIns[] = {
    {spv::BuiltIn::DeviceIndex, uintId, BuiltInStages::All},
    {spv::BuiltIn::ViewIndex, intId, BuiltInStages::Graphics},
    {spv::BuiltIn::SamplePosition, vec2Id, BuiltInStages::Fragment},
    {spv::BuiltIn::BaryCoordKHR, vec3Id, BuiltInStages::Fragment},
    {spv::BuiltIn::SampleMask, maskArray, BuiltInStages::Fragment}};

class ShaderWriter {
public:
  explicit ShaderWriter(const ShaderText &text) : text(text) {}
  ShaderModule build();

private:
  bool isFragment() const { return text.model == spv::ExecutionModel::Fragment; }
  bool isCompute() const { return text.model == spv::ExecutionModel::GLCompute; }
  bool isVertex() const { return text.model == spv::ExecutionModel::Vertex; }
  bool hasBuiltIn(const BuiltInRow &row) const {
    return text.rich && (isFragment() || row.stages == BuiltInStages::All ||
                         (row.stages == BuiltInStages::Graphics && !isCompute()));
  }
  template <typename Use> void forBuiltIns(Use use) {
    for (uint32_t i = 0; i < std::size(richBuiltIns); ++i)
      if (hasBuiltIn(richBuiltIns[i]))
        use(richBuiltIns[i], builtInFirst + i, pointerFirst + i);
  }
  void begin();
  void decorate();
  void types();
  void variables();
  void body();

  const ShaderText &text;
  TestModule m{0x00010300, 200};
};

inline void ShaderWriter::begin() {
  for (spv::Capability capability :
       {spv::Capability::Shader, spv::Capability::Tessellation, spv::Capability::Geometry,
        spv::Capability::SampleRateShading, spv::Capability::MultiView,
        spv::Capability::DeviceGroup, spv::Capability::FragmentBarycentricKHR})
    m.op(Op::OpCapability, {capability});
  m.op(Op::OpExtension, {"SPV_KHR_fragment_shader_barycentric"});
  m.op(Op::OpMemoryModel, {spv::AddressingModel::Logical, spv::MemoryModel::GLSL450});
  for (const char *name : {"main", "other"}) {
    const size_t start = m.words.size();
    m.op(Op::OpEntryPoint, {text.model, mainId, name});
    auto add = [&](uint32_t id) { m.words.push_back(id); };
    forBuiltIns([&](const BuiltInRow &, uint32_t id, uint32_t) { add(id); });
    if (isVertex())
      add(in);
    if (isVertex() || isFragment())
      add(out);
    if (isFragment() && text.rich)
      add(second);
    m.words[start] = static_cast<uint32_t>(m.words.size() - start) << 16 |
                     static_cast<uint32_t>(Op::OpEntryPoint);
  }
  for (spv::ExecutionMode mode : text.modes) {
    if (mode == spv::ExecutionMode::OutputVertices)
      m.op(Op::OpExecutionMode, {mainId, mode, 3});
    else
      m.op(Op::OpExecutionMode, {mainId, mode});
  }
  if (isCompute())
    m.op(Op::OpExecutionMode, {mainId, spv::ExecutionMode::LocalSize, 8, 4, 1});
  if (text.name)
    m.op(Op::OpMemberName, {bufferStruct, 0, text.name});
}

inline void ShaderWriter::decorate() {
  using D = spv::Decoration;
  m.op(Op::OpDecorate, {uintArray, D::ArrayStride, 4});
  m.op(Op::OpMemberDecorate, {bufferStruct, 0, D::Offset, 0});
  m.op(Op::OpDecorate, {bufferStruct, D::BufferBlock});
  m.op(Op::OpMemberDecorate, {pushStruct, 0, D::Offset, 0});
  m.op(Op::OpDecorate, {pushStruct, D::Block});
  auto bind = [&](uint32_t id, uint32_t binding) {
    m.op(Op::OpDecorate, {id, D::DescriptorSet, 0}).op(Op::OpDecorate, {id, D::Binding, binding});
  };
  bind(single, 3);
  bind(buffers, 4);
  bind(texture, 5);
  m.op(Op::OpDecorate, {spec, D::SpecId, 1}).op(Op::OpDecorate, {unusedSpec, D::SpecId, 2});
  m.op(Op::OpDecorate, {in, D::Location, 0}).op(Op::OpDecorate, {out, D::Location, 0});
  if (isFragment() && text.rich)
    m.op(Op::OpDecorate, {second, D::Location, 0}).op(Op::OpDecorate, {second, D::Index, 1});
  forBuiltIns([&](const BuiltInRow &row, uint32_t id, uint32_t) {
    m.op(Op::OpDecorate, {id, D::BuiltIn, row.builtIn});
    if (isFragment() && (row.type == uintId || row.type == intId || row.type == maskArray))
      m.op(Op::OpDecorate, {id, D::Flat});
  });
}

inline void ShaderWriter::types() {
  m.op(Op::OpTypeVoid, {voidId}).op(Op::OpTypeFunction, {voidFunctionId, voidId});
  m.op(Op::OpTypeInt, {uintId, 32, 0}).op(Op::OpTypeInt, {intId, 32, 1});
  m.op(Op::OpTypeFloat, {floatId, 32}).op(Op::OpTypeVector, {vec4Id, floatId, 4});
  m.op(Op::OpTypeVector, {vec2Id, floatId, 2}).op(Op::OpTypeVector, {vec3Id, floatId, 3});
  m.op(Op::OpConstant, {uintId, zero, 0}).op(Op::OpConstant, {uintId, uint1Id, 1});
  m.op(Op::OpConstant, {uintId, uint4Id, 4}).op(Op::OpSpecConstant, {uintId, spec, 2});
  m.op(Op::OpSpecConstant, {uintId, unusedSpec, 2});
  m.op(Op::OpConstant, {uintId, addendId, text.addend});
  m.op(Op::OpTypeArray, {maskArray, intId, uint1Id});
  m.op(Op::OpTypeRuntimeArray, {uintArray, uintId});
  m.op(Op::OpTypeStruct, {bufferStruct, uintArray}).op(Op::OpTypeStruct, {pushStruct, uintId});
  m.op(Op::OpTypeArray, {bufferArray, bufferStruct, uint4Id});
  m.op(Op::OpTypeImage, {image, floatId, spv::Dim::Dim2D, 0, 0, 0, 1, spv::ImageFormat::Unknown});
  m.op(Op::OpTypeSampledImage, {sampledImage, image});
}

inline void ShaderWriter::variables() {
  using S = spv::StorageClass;
  auto variable = [&](uint32_t pointer, uint32_t id, S storage, uint32_t type) {
    m.op(Op::OpTypePointer, {pointer, storage, type}).op(Op::OpVariable, {pointer, id, storage});
  };
  variable(pushPointer, push, S::PushConstant, pushStruct);
  variable(singlePointer, single, S::Uniform, bufferStruct);
  variable(bufferPointer, buffers, S::Uniform, bufferArray);
  variable(texturePointer, texture, S::UniformConstant, sampledImage);
  m.op(Op::OpTypePointer, {pushUintPointer, S::PushConstant, uintId});
  m.op(Op::OpTypePointer, {uintPointer, S::Uniform, uintId});
  variable(inPointer, in, S::Input, vec4Id);
  variable(outPointer, out, S::Output, vec4Id);
  if (isFragment() && text.rich)
    m.op(Op::OpVariable, {outPointer, second, S::Output});
  forBuiltIns([&](const BuiltInRow &row, uint32_t id, uint32_t pointer) {
    variable(pointer, id, S::Input, row.type);
  });
}

/// buffer[0] = buffer[1] + constants + in + what only rich shaders read; out = in.
inline void ShaderWriter::body() {
  uint32_t next = tmpFirst;
  m.op(Op::OpFunction, {voidId, mainId, 0, voidFunctionId}).op(Op::OpLabel, {entryId});
  m.op(Op::OpAccessChain, {pushUintPointer, next, push, zero});
  m.op(Op::OpLoad, {uintId, next + 1, next});
  m.op(Op::OpIAdd, {uintId, next + 2, next + 1, spec});
  m.op(Op::OpIAdd, {uintId, next + 3, next + 2, addendId});
  uint32_t sum = next + 3;
  next += 4;
  auto add = [&](uint32_t value) {
    m.op(Op::OpIAdd, {uintId, next, sum, value});
    sum = next++;
  };
  auto addWord = [&](Op convert, uint32_t value) {
    m.op(convert, {uintId, next, value});
    add(next++);
  };
  m.op(Op::OpAccessChain, {uintPointer, next, single, zero, uint1Id});
  m.op(Op::OpLoad, {uintId, next + 1, next});
  next += 2;
  add(next - 1);
  m.op(Op::OpLoad, {sampledImage, next++, texture});
  if (text.rich) {
    m.op(Op::OpAccessChain, {uintPointer, next, buffers, uint1Id, zero, uint1Id});
    m.op(Op::OpLoad, {uintId, next + 1, next});
    next += 2;
    add(next - 1);
  }
  forBuiltIns([&](const BuiltInRow &row, uint32_t id, uint32_t) {
    const uint32_t loaded = next++;
    m.op(Op::OpLoad, {row.type, loaded, id});
    if (row.type == uintId) {
      add(loaded);
    } else if (row.type == intId) {
      addWord(Op::OpBitcast, loaded);
    } else {
      const uint32_t element = next++;
      const uint32_t scalar = row.type == maskArray ? uint32_t(intId) : uint32_t(floatId);
      m.op(Op::OpCompositeExtract, {scalar, element, loaded, 0});
      addWord(Op::OpBitcast, element);
    }
  });
  if (isVertex()) { // what is handed on nobody reads
    m.op(Op::OpLoad, {vec4Id, next, in});
    m.op(Op::OpCompositeExtract, {floatId, next + 1, next, 0});
    next += 2;
    addWord(Op::OpBitcast, next - 1);
  }
  m.op(Op::OpAccessChain, {uintPointer, next, single, zero, zero});
  m.op(Op::OpStore, {next++, sum});
  if (isVertex() || isFragment()) {
    const uint32_t value = next++;
    if (isVertex()) {
      m.op(Op::OpLoad, {vec4Id, value, in});
    } else {
      m.op(Op::OpConvertUToF, {floatId, next, sum});
      m.op(Op::OpCompositeConstruct, {vec4Id, value, next, next, next, next});
      ++next;
    }
    m.op(Op::OpStore, {out, value});
    if (isFragment() && text.rich)
      m.op(Op::OpStore, {second, value});
  }
  m.op(Op::OpReturn).op(Op::OpFunctionEnd);
}

inline ShaderModule ShaderWriter::build() {
  begin();
  decorate();
  types();
  variables();
  body();
  auto module = Compiler::buildShaderModule(m.bytes());
  if (module)
    return *module;
  ADD_FAILURE() << lgc::consumeToText(module.takeError()).message;
  return {};
}

using Model = spv::ExecutionModel;
using Mode = spv::ExecutionMode;

} // namespace llpc::keytest
