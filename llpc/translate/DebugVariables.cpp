//===- DebugVariables.cpp - variables of the source in debug information ---===//
// SPDX-License-Identifier: MIT
/// \file
/// Types have GLSL's names and LLVM's layout in memory, since that is where debuggers find values.
/// Names are those of OpName. Variables of which there is no copy in memory are not described.
#include "llpc/translate/DebugVariables.h"
#include "llpc/spirv/Grammar.h"
#include "llvm/BinaryFormat/Dwarf.h"

using namespace llvm;

namespace llpc {

namespace {

/// Types within types; what is deeper is not described.
constexpr unsigned depthMax = 32;

class TypeDescriber {
public:
  explicit TypeDescriber(Translator &t)
      : t(t), builder(t.internals().debug->builder), layout(t.module->getDataLayout()) {}
  /// Null: a type that has no values to be shown. Each is described once.
  DIType *describe(Id typeId, unsigned depth = 0) {
    const auto [known, isNew] = t.internals().debug->types.try_emplace(typeId);
    if (isNew)
      known->second = make(typeId, depth);
    return known->second;
  }

private:
  DIType *make(Id typeId, unsigned depth);
  DIType *scalar(const Inst &inst, Type *memory);
  DIType *vector(const Inst &inst, Type *memory, unsigned depth);
  DIType *array(const Inst &inst, Type *memory, unsigned depth);
  DIType *structure(const Inst &inst, Type *memory, unsigned depth);
  DIType *named(DIType *type, const Twine &name) {
    return builder.createTypedef(type, name.str(), file(), 0, t.internals().debug->unit);
  }
  DIFile *file() { return t.internals().debug->unit->getFile(); }
  uint64_t bits(Type *type) const { return layout.getTypeAllocSizeInBits(type).getFixedValue(); }

  Translator &t;
  DIBuilder &builder;
  const DataLayout &layout;
};

DIType *TypeDescriber::scalar(const Inst &inst, Type *memory) {
  const uint64_t width = bits(memory);
  return inst.opcode == spv::Op::OpTypeBool
             ? builder.createBasicType("bool", width, dwarf::DW_ATE_boolean)
             : describeScalar(builder, inst, width);
}

/// GLSL's prefix of vectors and matrices of a scalar type.
std::string prefixOf(StringRef scalar) {
  static constexpr std::pair<StringLiteral, StringLiteral> rows[] = {
      {"float", ""}, {"int", "i"}, {"uint", "u"}, {"bool", "b"}, {"double", "d"},
  };
  for (const auto &[name, prefix] : rows)
    if (name == scalar)
      return prefix.str();
  return (scalar + "_").str();
}

DIType *TypeDescriber::vector(const Inst &inst, Type *memory, unsigned depth) {
  DIType *element = describe(inst[0], depth + 1);
  if (!element)
    return nullptr;
  DINodeArray counts =
      builder.getOrCreateArray({builder.getOrCreateSubrange(0, static_cast<int64_t>(inst[1]))});
  DIType *type = builder.createVectorType(bits(memory), 0, element, counts);
  return named(type, vectorTypeName(element->getName(), inst[1]));
}

/// Arrays, and matrices, which are arrays of columns.
DIType *TypeDescriber::array(const Inst &inst, Type *memory, unsigned depth) {
  DIType *element = describe(inst[0], depth + 1);
  auto *type = dyn_cast<ArrayType>(memory);
  if (!element || !type)
    return nullptr;
  const auto count = static_cast<int64_t>(type->getNumElements());
  DIType *result = builder.createArrayType(
      bits(memory), 0, element, builder.getOrCreateArray({builder.getOrCreateSubrange(0, count)}));
  if (inst.opcode != spv::Op::OpTypeMatrix)
    return named(result, element->getName() + "[" + Twine(count) + "]");
  return named(result, matrixTypeName(element->getName(), static_cast<uint64_t>(count)));
}

DIType *TypeDescriber::structure(const Inst &inst, Type *memory, unsigned depth) {
  auto *type = dyn_cast<StructType>(memory);
  if (!type)
    return nullptr;
  const StructLayout *places = layout.getStructLayout(type);
  SmallVector<Metadata *, 8> members;
  for (unsigned i = 0; i < inst.size(); ++i) {
    DIType *member = describe(inst[i], depth + 1);
    if (!member)
      return nullptr;
    const StringRef name = t.spv.memberName(inst.resultId, i);
    members.push_back(builder.createMemberType(
        t.internals().debug->unit, name.empty() ? "_" + utostr(i) : name.str(), file(), 0,
        bits(type->getElementType(i)), 0, places->getElementOffsetInBits(i), DINode::FlagZero,
        member));
  }
  const StringRef name = t.spv.name(inst.resultId);
  return builder.createStructType(t.internals().debug->unit, name.empty() ? "struct" : name, file(),
                                  0, bits(memory), 0, DINode::FlagZero, nullptr,
                                  builder.getOrCreateArray(members));
}

DIType *TypeDescriber::make(Id typeId, unsigned depth) {
  const Inst *inst = t.spv.definition(typeId);
  Expected<Type *> memory = inst && depth < depthMax ? t.memoryType(typeId) : nullptr;
  if (!memory) {
    consumeError(memory.takeError());
    return nullptr;
  }
  if (!*memory || !(*memory)->isSized())
    return nullptr;
  switch (inst->opcode) {
  case spv::Op::OpTypeBool:
  case spv::Op::OpTypeInt:
  case spv::Op::OpTypeFloat:
    return scalar(*inst, *memory);
  case spv::Op::OpTypeVector:
    return vector(*inst, *memory, depth);
  case spv::Op::OpTypeMatrix:
  case spv::Op::OpTypeArray:
    return array(*inst, *memory, depth);
  case spv::Op::OpTypeStruct:
    return structure(*inst, *memory, depth);
  default:
    return nullptr;
  }
}

/// A variable of the function that is translated. \p parameter: its number, from 1 on; 0: it is
/// none.
void describeLocal(Translator &t, StringRef name, Id typeId, unsigned parameter, Value &memory,
                   BasicBlock::iterator place) {
  DebugState *debug = t.internals().debug.get();
  if (!debug || !debug->subprogram || name.empty())
    return;
  DIType *type = TypeDescriber(t).describe(typeId);
  if (!type)
    return;
  DISubprogram *scope = debug->subprogram;
  DILocalVariable *described =
      parameter ? debug->builder.createParameterVariable(scope, name, parameter, scope->getFile(),
                                                         scope->getLine(), type)
                : debug->builder.createAutoVariable(scope, name, scope->getFile(), scope->getLine(),
                                                    type);
  debug->builder.insertDeclare(&memory, described, debug->builder.createExpression(),
                               DILocation::get(t.context, scope->getLine(), 0, scope), place);
}

/// Instruction numbers of NonSemantic.Shader.DebugInfo.100.
enum : uint32_t { debugLocalVariable = 26, debugDeclare = 28, debugValue = 29 };

/// Of the variable that a DebugDeclare or DebugValue is about; empty: it is neither.
StringRef debugNameIn(Translator &t, const Inst &inst) {
  if (inst.opcode != spv::Op::OpExtInst || inst.size() < 4 ||
      (inst[1] != debugDeclare && inst[1] != debugValue) ||
      t.spv.extInstSet(inst[0]) != "NonSemantic.Shader.DebugInfo.100")
    return {};
  const Inst *variable = t.spv.definition(inst[2]);
  const bool isKnown = variable && variable->opcode == spv::Op::OpExtInst && variable->size() > 2 &&
                       (*variable)[1] == debugLocalVariable;
  return isKnown ? t.spv.stringOf((*variable)[2]) : StringRef();
}

/// A value without a variable in memory: it is only named.
void describeValue(Translator &t, StringRef name, Id typeId, Value &value) {
  DebugState &debug = *t.internals().debug;
  DIType *type = TypeDescriber(t).describe(typeId);
  if (!type || !isa<Instruction>(value) || value.getType()->isPointerTy())
    return;
  DISubprogram *scope = debug.subprogram;
  DILocalVariable *named =
      debug.builder.createAutoVariable(scope, name, scope->getFile(), scope->getLine(), type,
                                       /*AlwaysPreserve=*/false, DINode::FlagArtificial);
  debug.builder.insertDbgValueIntrinsic(&value, named, debug.builder.createExpression(),
                                        DILocation::get(t.context, scope->getLine(), 0, scope),
                                        t.b.GetInsertPoint());
}

} // namespace

void describeResult(Translator &t, const Inst &inst) {
  if (!t.internals().debug || !t.internals().debug->subprogram)
    return;
  const StringRef debugName = debugNameIn(t, inst);
  const Id id = debugName.empty() ? inst.resultId : inst[3];
  const StringRef name = debugName.empty() ? t.spv.name(id) : debugName;
  const Inst *definition = t.spv.definition(id);
  if (name.empty() || !definition || id >= t.internals().values.size() || !t.internals().values[id])
    return;
  Value &value = *t.internals().values[id];
  if (definition->opcode != spv::Op::OpVariable)
    return describeValue(t, name, definition->typeId, value);
  // Else OpVariable itself has described it.
  const Inst *type = t.spv.definition(definition->typeId);
  if (auto *memory = dyn_cast<AllocaInst>(&value); memory && type && t.spv.name(id).empty())
    describeLocal(t, name, (*type)[1], 0, *memory, t.b.GetInsertPoint());
}

DIType *describeScalar(DIBuilder &builder, const Inst &inst, uint64_t width) {
  const std::string size = width == 32 ? "" : utostr(width) + "_t";
  if (inst.opcode == spv::Op::OpTypeFloat && inst.size() > 1) { // as bits: DWARF has none of them
    const auto encoding = static_cast<spv::FPEncoding>(inst[1]);
    return builder.createBasicType(encoding == spirv::newer::BFloat16KHR     ? "bfloat16_t"
                                   : encoding == spirv::newer::Float8E4M3EXT ? "floate4m3_t"
                                                                             : "floate5m2_t",
                                   width, dwarf::DW_ATE_unsigned);
  }
  if (inst.opcode == spv::Op::OpTypeFloat)
    return builder.createBasicType(width == 64 ? "double" : "float" + size, width,
                                   dwarf::DW_ATE_float);
  const bool isSigned = inst[1] != 0;
  return builder.createBasicType((isSigned ? "int" : "uint") + size, width,
                                 isSigned ? dwarf::DW_ATE_signed : dwarf::DW_ATE_unsigned);
}

std::string vectorTypeName(StringRef scalar, uint64_t count) {
  return prefixOf(scalar) + "vec" + utostr(count);
}

/// \p column: "vec3", "dvec3".
std::string matrixTypeName(StringRef column, uint64_t count) {
  const auto [prefix, rows] = column.rsplit("vec");
  return (prefix + "mat" + Twine(count) + (rows == utostr(count) ? "" : "x" + rows)).str();
}

/// GLSL's blocks may have none: their members are in the scope of the shader.
std::string debugNameOf(Translator &t, const Inst &variable, Id typeId) {
  const StringRef name = t.spv.name(variable.resultId);
  const Inst *type = t.spv.definition(typeId);
  const bool isBlock = type && type->opcode == spv::Op::OpTypeStruct;
  return name.empty() && isBlock ? "." + t.spv.name(typeId).str() : name.str();
}

void describeVariable(Translator &t, const Inst &variable, Id typeId, AllocaInst &memory) {
  describeLocal(t, t.spv.name(variable.resultId), typeId, 0, memory,
                std::next(memory.getIterator()));
}

void describeParameters(Translator &t, const spirv::Function &function) {
  unsigned number = 0;
  for (auto [inst, argument] : zip(function.parameters, t.internals().current.function->args())) {
    ++number;
    const Inst *type = t.spv.definition(inst->typeId);
    if (type && type->opcode == spv::Op::OpTypePointer &&
        argument.getType()->getPointerAddressSpace() == lgc::AddrSpace::Private)
      describeLocal(t, t.spv.name(inst->resultId), (*type)[1], number, argument,
                    t.b.GetInsertPoint());
  }
}

void describeVariable(Translator &t, const Inst &variable, Id typeId, GlobalVariable &memory) {
  const std::string name = debugNameOf(t, variable, typeId);
  DebugState *debug = t.internals().debug.get();
  if (!debug || !debug->unit || name.empty())
    return;
  DIType *type = TypeDescriber(t).describe(typeId);
  if (type && memory.getAddressSpace() == lgc::AddrSpace::Local)
    type =
        debug->builder.createPointerType(type, 32, 0, static_cast<unsigned>(lgc::DebugSpace::Lds));
  if (type)
    memory.addDebugInfo(debug->builder.createGlobalVariableExpression(
        debug->unit, name, "", debug->unit->getFile(), 0, type,
        /*IsLocalToUnit=*/true));
}

} // namespace llpc
