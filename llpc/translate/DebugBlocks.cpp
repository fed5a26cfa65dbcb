//===- DebugBlocks.cpp - buffers and workgroup memory in debug information -===//
// SPDX-License-Identifier: MIT
/// \file
/// Types of blocks have GLSL's names, and the places that their decorations say. What debug
/// information says of a pointer to a block holds for its value; lgc makes variables of the
/// function of it where something is kept for debuggers (lgc/pipeline/KeepVariables.h).
#include "llpc/translate/DebugVariables.h"
#include "llvm/BinaryFormat/Dwarf.h"

using namespace llvm;

namespace llpc {

namespace {

/// Types within types; what is deeper is not described.
constexpr unsigned depthMax = 32;

/// Typedefs have no size of their own.
uint64_t bitsOf(const DIType *type) {
  while (type && type->getTag() == dwarf::DW_TAG_typedef)
    type = cast<DIDerivedType>(type)->getBaseType();
  return type ? type->getSizeInBits() : 0;
}

class BlockDescriber {
public:
  explicit BlockDescriber(Translator &t) : t(t), builder(t.internals().debug->builder) {}
  /// Null: a type that has no values to be shown.
  DIType *describe(Id typeId, const MatrixLayout &matrix = {}, unsigned depth = 0);

private:
  DIType *vector(DIType *element, uint32_t count, uint64_t strideBytes);
  DIType *matrix(const Inst &inst, const MatrixLayout &layout, unsigned depth);
  DIType *array(const Inst &inst, const MatrixLayout &layout, unsigned depth);
  DIType *structure(const Inst &inst, unsigned depth);
  /// \p count < 0: as many as fit into the memory.
  DINodeArray places(int64_t count, uint64_t strideBytes) {
    auto constant = [&](int64_t value) {
      return ConstantAsMetadata::get(ConstantInt::getSigned(Type::getInt64Ty(t.context), value));
    };
    return builder.getOrCreateArray({builder.getOrCreateSubrange(
        constant(count), nullptr, nullptr, constant(static_cast<int64_t>(strideBytes)))});
  }
  DIType *named(DIType *type, const Twine &name) {
    return builder.createTypedef(type, name.str(), file(), 0, t.internals().debug->unit);
  }
  DIFile *file() { return t.internals().debug->unit->getFile(); }

  Translator &t;
  DIBuilder &builder;
};

DIType *BlockDescriber::vector(DIType *element, uint32_t count, uint64_t strideBytes) {
  DIType *type =
      builder.createVectorType(count * strideBytes * 8, 0, element, places(count, strideBytes));
  return named(type, vectorTypeName(element->getName(), count));
}

/// An array of columns, also where rows are what lies together.
DIType *BlockDescriber::matrix(const Inst &inst, const MatrixLayout &layout, unsigned depth) {
  const Inst *column = t.spv.definition(inst[0]);
  DIType *scalar = column ? describe((*column)[0], {}, depth + 1) : nullptr;
  if (!scalar || !layout.stride)
    return nullptr;
  const uint64_t bytes = bitsOf(scalar) / 8;
  const uint32_t rows = (*column)[1], columns = inst[1];
  DIType *vectorType = vector(scalar, rows, layout.rowMajor ? layout.stride : bytes);
  const uint64_t stride = layout.rowMajor ? bytes : uint64_t(layout.stride);
  return named(
      builder.createArrayType(columns * stride * 8, 0, vectorType, places(columns, stride)),
      matrixTypeName(vectorType->getName(), columns));
}

DIType *BlockDescriber::array(const Inst &inst, const MatrixLayout &layout, unsigned depth) {
  DIType *element = describe(inst[0], layout, depth + 1);
  const uint64_t stride = arrayStride(t.spv, inst.resultId);
  if (!element || !stride)
    return nullptr;
  int64_t count = -1;
  if (inst.opcode == spv::Op::OpTypeArray) {
    Expected<uint64_t> read = t.readConstant(inst[1]);
    if (!read || *read > INT32_MAX) {
      consumeError(read.takeError());
      return nullptr;
    }
    count = static_cast<int64_t>(*read);
  }
  const uint64_t bits = count < 0 ? 0 : static_cast<uint64_t>(count) * stride * 8;
  return named(builder.createArrayType(bits, 0, element, places(count, stride)),
               element->getName() + "[" + (count < 0 ? Twine() : Twine(count)) + "]");
}

DIType *BlockDescriber::structure(const Inst &inst, unsigned depth) {
  SmallVector<Metadata *, 8> members;
  uint64_t end = 0;
  for (uint32_t i = 0; i < inst.size(); ++i) {
    const auto *offset = t.spv.findDecoration(inst.resultId, spv::Decoration::Offset, i);
    const auto *stride = t.spv.findDecoration(inst.resultId, spv::Decoration::MatrixStride, i);
    const MatrixLayout layout{stride ? stride->operands[0] : 0,
                              t.spv.findDecoration(inst.resultId, spv::Decoration::RowMajor, i) !=
                                  nullptr};
    DIType *member = offset ? describe(inst[i], layout, depth + 1) : nullptr;
    if (!member)
      continue; // the others can be shown
    const uint64_t place = uint64_t(offset->operands[0]) * 8;
    const StringRef name = t.spv.memberName(inst.resultId, i);
    members.push_back(builder.createMemberType(
        t.internals().debug->unit, name.empty() ? "_" + utostr(i) : name.str(), file(), 0,
        bitsOf(member), 0, place, DINode::FlagZero, member));
    end = std::max(end, place + bitsOf(member));
  }
  const StringRef name = t.spv.name(inst.resultId);
  return builder.createStructType(t.internals().debug->unit, name.empty() ? "struct" : name, file(),
                                  0, end, 0, DINode::FlagZero, nullptr,
                                  builder.getOrCreateArray(members));
}

DIType *BlockDescriber::describe(Id typeId, const MatrixLayout &layout, unsigned depth) {
  const Inst *inst = t.spv.definition(typeId);
  if (!inst || depth >= depthMax)
    return nullptr;
  switch (inst->opcode) {
  case spv::Op::OpTypeInt:
  case spv::Op::OpTypeFloat:
    return describeScalar(builder, *inst, (*inst)[0]);
  case spv::Op::OpTypePointer:
    return builder.createBasicType("pointer", 64, dwarf::DW_ATE_unsigned);
  case spv::Op::OpTypeVector: {
    DIType *element = describe((*inst)[0], {}, depth + 1);
    return element ? vector(element, (*inst)[1], bitsOf(element) / 8) : nullptr;
  }
  case spv::Op::OpTypeMatrix:
    return matrix(*inst, layout, depth);
  case spv::Op::OpTypeArray:
  case spv::Op::OpTypeRuntimeArray:
    return array(*inst, layout, depth);
  case spv::Op::OpTypeStruct:
    return structure(*inst, depth);
  default:
    return nullptr;
  }
}

} // namespace

void describeBlock(Translator &t, const Inst &variable, Id typeId, Instruction &pointer,
                   lgc::DebugSpace space) {
  DebugState *debug = t.internals().debug.get();
  const Inst *inst = t.spv.definition(typeId);
  if (!debug || !debug->subprogram || !inst || inst->opcode != spv::Op::OpTypeStruct)
    return;
  DIType *type = BlockDescriber(t).describe(typeId);
  if (!type)
    return;
  if (space != lgc::DebugSpace::Copy)
    type = debug->builder.createPointerType(type, 64, 0, static_cast<unsigned>(space));
  DISubprogram *scope = debug->subprogram;
  DILocalVariable *described = debug->builder.createAutoVariable(
      scope, debugNameOf(t, variable, typeId), scope->getFile(), scope->getLine(), type);
  debug->builder.insertDbgValueIntrinsic(&pointer, described, debug->builder.createExpression(),
                                         DILocation::get(t.context, scope->getLine(), 0, scope),
                                         std::next(pointer.getIterator()));
}

} // namespace llpc
