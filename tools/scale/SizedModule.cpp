//===- SizedModule.cpp - compute shaders of any length --------------------===//
// SPDX-License-Identifier: MIT
#include "tools/scale/SizedModule.h"
#include <initializer_list>
#include <map>
#include <spirv/unified1/spirv.hpp11>

using spv::Op;

namespace scale {
namespace {

constexpr uint32_t invocations = 64, deepestNest = 16;

class Writer {
public:
  explicit Writer(unsigned size) : size(size) {}
  SizedModule write(std::span<const Piece> what);

private:
  using Words = std::vector<uint32_t>;

  void add(Words &to, Op op, std::initializer_list<uint32_t> operands) {
    to.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | static_cast<uint32_t>(op));
    to.insert(to.end(), operands);
    ++instructions;
  }
  /// An instruction of the function with a result.
  uint32_t result(Op op, uint32_t type, std::initializer_list<uint32_t> operands) {
    const uint32_t id = ids++;
    Words all = {type, id};
    all.insert(all.end(), operands);
    body.push_back(static_cast<uint32_t>(all.size() + 1) << 16 | static_cast<uint32_t>(op));
    body.insert(body.end(), all.begin(), all.end());
    ++instructions;
    return id;
  }
  void emit(Op op, std::initializer_list<uint32_t> operands) { add(body, op, operands); }
  void label(uint32_t id) { emit(Op::OpLabel, {id}); }
  void branch(uint32_t id) { emit(Op::OpBranch, {id}); }
  uint32_t constant(uint32_t value) {
    uint32_t &id = constants[value];
    if (!id) {
      id = ids++;
      add(globals, Op::OpConstant, {uintType, id, value});
    }
    return id;
  }
  uint32_t load() { return result(Op::OpLoad, uintType, {state}); }
  void store(uint32_t value) { emit(Op::OpStore, {state, value}); }
  uint32_t element(uint32_t index) {
    return result(Op::OpAccessChain, bufferElement, {buffer, constant(0), index});
  }
  void declare();
  void piece(Piece which, uint32_t round);
  void branchPiece(uint32_t round, uint32_t end);
  void loopPiece();
  void callPiece(uint32_t round);
  void exchangePiece(uint32_t round);
  void switchPiece();
  void arrayPiece();
  void closeNest();

  const uint32_t size;
  uint32_t ids = 1;
  unsigned instructions = 0;
  Words decorations, globals, functions, body;
  std::map<uint32_t, uint32_t> constants;
  std::vector<uint32_t> open; ///< where the ifs that are open end
  uint32_t voidType = 0, uintType = 0, floatType = 0, boolType = 0, functionType = 0, workType = 0,
           uintPointer = 0, bufferElement = 0, sharedElement = 0, glsl = 0, main = 0, lane = 0,
           buffer = 0, large = 0, largeArray = 0, largeElement = 0, shared = 0, state = 0,
           counter = 0, laneValue = 0;
};

void Writer::declare() {
  glsl = ids++;
  main = ids++;
  lane = ids++;
  auto type = [&](Op op, std::initializer_list<uint32_t> operands) {
    const uint32_t id = ids++;
    globals.push_back(static_cast<uint32_t>(operands.size() + 2) << 16 | static_cast<uint32_t>(op));
    globals.push_back(id);
    globals.insert(globals.end(), operands);
    ++instructions;
    return id;
  };
  auto pointer = [&](spv::StorageClass storage, uint32_t to) {
    return type(Op::OpTypePointer, {static_cast<uint32_t>(storage), to});
  };
  auto decorate = [&](uint32_t id, spv::Decoration kind, uint32_t value) {
    add(decorations, Op::OpDecorate, {id, static_cast<uint32_t>(kind), value});
  };
  auto block = [&](uint32_t element, uint32_t binding) {
    const uint32_t structure = type(Op::OpTypeStruct, {element});
    add(decorations, Op::OpDecorate, {structure, static_cast<uint32_t>(spv::Decoration::Block)});
    add(decorations, Op::OpMemberDecorate,
        {structure, 0, static_cast<uint32_t>(spv::Decoration::Offset), 0});
    const uint32_t to = pointer(spv::StorageClass::StorageBuffer, structure), id = ids++;
    add(globals, Op::OpVariable, {to, id, static_cast<uint32_t>(spv::StorageClass::StorageBuffer)});
    decorate(id, spv::Decoration::DescriptorSet, 0);
    decorate(id, spv::Decoration::Binding, binding);
    return id;
  };
  voidType = type(Op::OpTypeVoid, {});
  uintType = type(Op::OpTypeInt, {32, 0});
  floatType = type(Op::OpTypeFloat, {32});
  boolType = type(Op::OpTypeBool, {});
  functionType = type(Op::OpTypeFunction, {voidType});
  workType = type(Op::OpTypeFunction, {uintType, uintType});
  uintPointer = pointer(spv::StorageClass::Function, uintType);
  add(globals, Op::OpVariable,
      {pointer(spv::StorageClass::Input, uintType), lane,
       static_cast<uint32_t>(spv::StorageClass::Input)});
  decorate(lane, spv::Decoration::BuiltIn,
           static_cast<uint32_t>(spv::BuiltIn::LocalInvocationIndex));
  const uint32_t runtimeArray = type(Op::OpTypeRuntimeArray, {uintType});
  decorate(runtimeArray, spv::Decoration::ArrayStride, 4);
  buffer = block(runtimeArray, 0);
  bufferElement = pointer(spv::StorageClass::StorageBuffer, uintType);
  largeArray = type(Op::OpTypeArray, {uintType, constant(size < 2 ? 2 : size)});
  decorate(largeArray, spv::Decoration::ArrayStride, 4);
  large = block(largeArray, 1);
  largeElement = pointer(spv::StorageClass::StorageBuffer, largeArray);
  const uint32_t sharedArray = type(Op::OpTypeArray, {uintType, constant(invocations)});
  shared = ids++;
  add(globals, Op::OpVariable,
      {pointer(spv::StorageClass::Workgroup, sharedArray), shared,
       static_cast<uint32_t>(spv::StorageClass::Workgroup)});
  sharedElement = pointer(spv::StorageClass::Workgroup, uintType);
}

/// An if that ends at \p end; 0: right behind its store.
void Writer::branchPiece(uint32_t round, uint32_t end) {
  const uint32_t then = ids++, behind = end ? end : ids++, value = load();
  const uint32_t bit = result(Op::OpBitwiseAnd, uintType, {value, constant(1u << round % 32)});
  const uint32_t isSet = result(Op::OpINotEqual, boolType, {bit, constant(0)});
  emit(Op::OpSelectionMerge, {behind, 0});
  emit(Op::OpBranchConditional, {isSet, then, behind});
  label(then);
  emit(Op::OpStore, {element(constant(round % invocations)), value});
  store(result(Op::OpIAdd, uintType, {value, constant(round % 1000 + 1)}));
  if (end)
    return;
  branch(behind);
  label(behind);
}

void Writer::loopPiece() {
  const uint32_t header = ids++, test = ids++, inside = ids++, next = ids++, behind = ids++;
  emit(Op::OpStore, {counter, constant(0)});
  branch(header);
  label(header);
  emit(Op::OpLoopMerge, {behind, next, 0});
  branch(test);
  label(test);
  const uint32_t count = result(Op::OpLoad, uintType, {counter});
  const uint32_t rounds = result(Op::OpBitwiseAnd, uintType, {laneValue, constant(3)});
  const uint32_t goesOn = result(Op::OpULessThan, boolType, {count, rounds});
  emit(Op::OpBranchConditional, {goesOn, inside, behind});
  label(inside);
  store(result(Op::OpIMul, uintType, {load(), constant(5)}));
  branch(next);
  label(next);
  emit(Op::OpStore, {counter, result(Op::OpIAdd, uintType, {count, constant(1)})});
  branch(header);
  label(behind);
}

void Writer::callPiece(uint32_t round) {
  const uint32_t function = ids++, parameter = ids++, product = ids++;
  add(functions, Op::OpFunction, {uintType, function, 0, workType});
  add(functions, Op::OpFunctionParameter, {uintType, parameter});
  add(functions, Op::OpLabel, {ids++});
  add(functions, Op::OpIMul, {uintType, product, parameter, constant(2 * round % 1000 + 3)});
  add(functions, Op::OpReturnValue, {product});
  add(functions, Op::OpFunctionEnd, {});
  store(result(Op::OpFunctionCall, uintType, {function, load()}));
}

void Writer::exchangePiece(uint32_t round) {
  const uint32_t own = result(Op::OpAccessChain, sharedElement, {shared, laneValue});
  emit(Op::OpStore, {own, load()});
  const uint32_t workgroup = constant(2), order = constant(0x108); // acquire, release; memory
  emit(Op::OpControlBarrier, {workgroup, workgroup, order});
  const uint32_t other = result(Op::OpBitwiseXor, uintType, {laneValue, constant(round % 63 + 1)});
  const uint32_t place = result(Op::OpAccessChain, sharedElement, {shared, other});
  const uint32_t value = result(Op::OpLoad, uintType, {place});
  emit(Op::OpControlBarrier, {workgroup, workgroup, order});
  store(result(Op::OpIAdd, uintType, {load(), value}));
}

void Writer::switchPiece() {
  const uint32_t behind = ids++, value = load();
  std::vector<uint32_t> labels(size);
  emit(Op::OpSelectionMerge, {behind, 0});
  body.push_back((3 + 2 * size) << 16 | static_cast<uint32_t>(Op::OpSwitch));
  body.insert(body.end(), {value, behind});
  ++instructions;
  for (uint32_t i = 0; i < size; ++i)
    body.insert(body.end(), {i, labels[i] = ids++});
  for (uint32_t i = 0; i < size; ++i) {
    label(labels[i]);
    const uint32_t product = result(Op::OpIMul, uintType, {value, constant(i % 1000 + 2)});
    emit(Op::OpStore, {element(constant(i % invocations)), product});
    branch(behind);
  }
  label(behind);
}

void Writer::arrayPiece() {
  const uint32_t place = result(Op::OpAccessChain, largeElement, {large, constant(0)});
  const uint32_t whole = result(Op::OpLoad, largeArray, {place});
  const uint32_t changed = result(Op::OpCompositeInsert, largeArray, {load(), whole, 1});
  emit(Op::OpStore, {place, changed});
}

void Writer::closeNest() {
  for (; !open.empty(); open.pop_back()) {
    branch(open.back());
    label(open.back());
  }
}

void Writer::piece(Piece which, uint32_t round) {
  switch (which) {
  case Piece::Arithmetic: {
    const uint32_t value = load();
    const uint32_t product = result(Op::OpIMul, uintType, {value, constant(2 * round % 1000 + 3)});
    const uint32_t high =
        result(Op::OpShiftRightLogical, uintType, {value, constant(round % 31 + 1)});
    return store(result(Op::OpBitwiseXor, uintType, {product, high}));
  }
  case Piece::Sine: {
    const uint32_t angle = result(Op::OpConvertUToF, floatType, {load()});
    const uint32_t sine = result(Op::OpExtInst, floatType, {glsl, 13, angle}); // Sin
    return store(result(Op::OpBitcast, uintType, {sine}));
  }
  case Piece::Branch:
    return branchPiece(round, 0);
  case Piece::Loop:
    return loopPiece();
  case Piece::Call:
    return callPiece(round);
  case Piece::Exchange:
    closeNest(); // barriers are for all
    return exchangePiece(round);
  case Piece::Nest:
    if (open.size() == deepestNest)
      closeNest();
    open.push_back(ids++);
    return branchPiece(round, open.back());
  case Piece::Switch:
    return round ? void() : switchPiece();
  case Piece::Array:
    return round ? void() : arrayPiece();
  }
}

SizedModule Writer::write(std::span<const Piece> what) {
  declare();
  state = ids++;
  counter = ids++;
  Words start;
  std::swap(start, body);
  laneValue = result(Op::OpLoad, uintType, {lane});
  store(result(Op::OpLoad, uintType, {element(laneValue)}));
  for (uint32_t round = 0; round < size; ++round)
    for (Piece which : what)
      piece(which, round);
  closeNest();
  emit(Op::OpStore, {element(laneValue), load()});
  emit(Op::OpReturn, {});
  emit(Op::OpFunctionEnd, {});
  std::swap(start, body);

  const auto function = static_cast<uint32_t>(spv::StorageClass::Function);
  Words words;
  add(words, Op::OpCapability, {static_cast<uint32_t>(spv::Capability::Shader)});
  add(words, Op::OpExtInstImport, {glsl, 0x4c534c47, 0x6474732e, 0x3035342e, 0}); // GLSL.std.450
  add(words, Op::OpMemoryModel, {0, 1});                                          // Logical GLSL450
  add(words, Op::OpEntryPoint, {5, main, 0x6e69616d, 0, lane});                   // GLCompute main
  add(words, Op::OpExecutionMode, {main, 17, invocations, 1, 1});                 // LocalSize
  words.insert(words.end(), decorations.begin(), decorations.end());
  words.insert(words.end(), globals.begin(), globals.end());
  words.insert(words.end(), functions.begin(), functions.end());
  add(words, Op::OpFunction, {voidType, main, 0, functionType});
  add(words, Op::OpLabel, {ids++});
  add(words, Op::OpVariable, {uintPointer, state, function});
  add(words, Op::OpVariable, {uintPointer, counter, function});
  words.insert(words.end(), start.begin(), start.end());
  words.insert(words.begin(), {0x07230203, 0x00010300, 0, ids, 0});
  return {std::move(words), instructions};
}

} // namespace

SizedModule makeModule(std::span<const Piece> what, unsigned size) {
  return Writer(size).write(what);
}

} // namespace scale
