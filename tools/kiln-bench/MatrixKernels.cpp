//===- MatrixKernels.cpp - products of large matrices ---------------------===//
// SPDX-License-Identifier: MIT
#include "MatrixKernels.h"
#include <initializer_list>
#include <map>
#include <spirv/unified1/spirv.hpp11>

using spv::Op;

namespace bench {
namespace {

constexpr uint32_t side = 16, invocations = 64, rowElements = 1024, fewSteps = 4;

struct Types {
  const char *name;
  bool isFloat;
  uint32_t bits, sumBits, operands; ///< CooperativeMatrixOperands
};
constexpr Types kinds[] = {{"halves, sums of floats", true, 16, 32, 0},
                           {"halves, sums of halves", true, 16, 16, 0},
                           {"bytes", false, 8, 32, 0xF}};

class Writer {
public:
  std::vector<uint32_t> write(const Types &types, unsigned steps);

private:
  using Words = std::vector<uint32_t>;

  static void add(Words &to, Op op, std::initializer_list<uint32_t> operands) {
    to.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | static_cast<uint32_t>(op));
    to.insert(to.end(), operands);
  }
  template <class... T> uint32_t type(Op op, T... operands) {
    const uint32_t id = ids++;
    add(globals, op, {id, uint32_t(operands)...});
    return id;
  }
  template <class... T> uint32_t result(Op op, uint32_t type, T... operands) {
    const uint32_t id = ids++;
    add(body, op, {type, id, uint32_t(operands)...});
    return id;
  }
  uint32_t constant(uint32_t value) {
    uint32_t &id = constants[value];
    if (!id) {
      id = ids++;
      add(globals, Op::OpConstant, {uintType, id, value});
    }
    return id;
  }
  uint32_t number(const Types &types, uint32_t bits) {
    return types.isFloat ? type(Op::OpTypeFloat, bits) : type(Op::OpTypeInt, bits, 1);
  }
  uint32_t matrix(uint32_t component, uint32_t use) {
    return type(Op::OpTypeCooperativeMatrixKHR, component,
                constant(static_cast<uint32_t>(spv::Scope::Subgroup)), constant(side),
                constant(side), constant(use));
  }
  /// A buffer of the components, and the type of a pointer to one.
  struct Buffer {
    uint32_t variable, element;
  };
  Buffer buffer(uint32_t component, uint32_t bits, uint32_t binding);
  uint32_t place(const Buffer &at, uint32_t index) {
    return result(Op::OpAccessChain, at.element, at.variable, constant(0), constant(index));
  }
  uint32_t load(const Buffer &from, uint32_t type, uint32_t index, bool byColumns) {
    return result(Op::OpCooperativeMatrixLoadKHR, type, place(from, index), constant(byColumns),
                  constant(rowElements));
  }

  uint32_t ids = 1, uintType = 0;
  Words decorations, globals, body;
  std::map<uint32_t, uint32_t> constants;
};

Writer::Buffer Writer::buffer(uint32_t component, uint32_t bits, uint32_t binding) {
  constexpr auto storage = static_cast<uint32_t>(spv::StorageClass::StorageBuffer);
  const auto decorate = [&](uint32_t id, spv::Decoration kind, uint32_t value) {
    add(decorations, Op::OpDecorate, {id, static_cast<uint32_t>(kind), value});
  };
  const uint32_t array = type(Op::OpTypeRuntimeArray, component);
  decorate(array, spv::Decoration::ArrayStride, bits / 8);
  const uint32_t block = type(Op::OpTypeStruct, array);
  add(decorations, Op::OpDecorate, {block, static_cast<uint32_t>(spv::Decoration::Block)});
  add(decorations, Op::OpMemberDecorate,
      {block, 0, static_cast<uint32_t>(spv::Decoration::Offset), 0});
  const uint32_t variable = ids + 1; // behind the type of the pointer to it
  const uint32_t pointer = type(Op::OpTypePointer, storage, block);
  add(globals, Op::OpVariable, {pointer, ids++, storage});
  decorate(variable, spv::Decoration::DescriptorSet, 0);
  decorate(variable, spv::Decoration::Binding, binding);
  return {variable, type(Op::OpTypePointer, storage, component)};
}

std::vector<uint32_t> Writer::write(const Types &types, unsigned steps) {
  const uint32_t main = ids++, voidType = type(Op::OpTypeVoid);
  uintType = type(Op::OpTypeInt, 32, 0);
  const uint32_t function = type(Op::OpTypeFunction, voidType);
  const uint32_t factor = number(types, types.bits);
  const uint32_t sum = types.sumBits == types.bits ? factor : number(types, types.sumBits);
  const uint32_t a = matrix(factor, 0), b = matrix(factor, 1), c = matrix(sum, 2);
  const Buffer left = buffer(factor, types.bits, 0), right = buffer(factor, types.bits, 1),
               out = buffer(sum, types.sumBits, 2);
  const uint32_t none = type(Op::OpConstantNull, c); // its operands are the other way round
  globals[globals.size() - 2] = c;
  globals[globals.size() - 1] = none;
  uint32_t sums[2][2] = {{none, none}, {none, none}};
  for (unsigned step = 0; step < steps; ++step) {
    uint32_t rows[2], columns[2];
    for (unsigned i = 0; i < 2; ++i) {
      const uint32_t index = i * side * rowElements + step * side;
      rows[i] = load(left, a, index, false);
      columns[i] = load(right, b, index, true);
    }
    for (unsigned i = 0; i < 2; ++i)
      for (unsigned j = 0; j < 2; ++j)
        sums[i][j] = result(Op::OpCooperativeMatrixMulAddKHR, c, rows[i], columns[j], sums[i][j],
                            types.operands);
  }
  for (unsigned i = 0; i < 2; ++i)
    for (unsigned j = 0; j < 2; ++j)
      add(body, Op::OpCooperativeMatrixStoreKHR,
          {place(out, i * side * rowElements + j * side), sums[i][j], constant(1),
           constant(rowElements)});
  const uint32_t entry = ids++;
  Words words = {spv::MagicNumber, 0x00010300, 0, ids, 0};
  const auto capability = [&](spv::Capability which) {
    add(words, Op::OpCapability, {static_cast<uint32_t>(which)});
  };
  for (spv::Capability each :
       {spv::Capability::Shader, spv::Capability::Float16, spv::Capability::Int8,
        spv::Capability::StorageBuffer16BitAccess, spv::Capability::StorageBuffer8BitAccess,
        spv::Capability::VulkanMemoryModel, spv::Capability::CooperativeMatrixKHR})
    capability(each);
  add(words, Op::OpMemoryModel,
      {static_cast<uint32_t>(spv::AddressingModel::Logical),
       static_cast<uint32_t>(spv::MemoryModel::Vulkan)});
  constexpr uint32_t mainText[] = {0x6E69616D, 0}; // "main"
  add(words, Op::OpEntryPoint,
      {static_cast<uint32_t>(spv::ExecutionModel::GLCompute), main, mainText[0], mainText[1]});
  add(words, Op::OpExecutionMode,
      {main, static_cast<uint32_t>(spv::ExecutionMode::LocalSize), invocations, 1, 1});
  words.insert(words.end(), decorations.begin(), decorations.end());
  words.insert(words.end(), globals.begin(), globals.end());
  add(words, Op::OpFunction, {voidType, main, 0, function});
  add(words, Op::OpLabel, {entry});
  words.insert(words.end(), body.begin(), body.end());
  add(words, Op::OpReturn, {});
  add(words, Op::OpFunctionEnd, {});
  return words;
}

} // namespace

std::vector<MatrixKernel> matrixKernels() {
  std::vector<MatrixKernel> kernels;
  for (const Types &types : kinds)
    for (unsigned steps : {fewSteps, 2 * fewSteps})
      kernels.push_back({types.name, steps, Writer().write(types, steps)});
  return kernels;
}

} // namespace bench
