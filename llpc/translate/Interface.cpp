//===- Interface.cpp - places in Input and Output variables ---------------===//
// SPDX-License-Identifier: MIT
#include "llpc/translate/Interface.h"
#include "llpc/spirv/Grammar.h"
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace llpc {
namespace {

using lgc::ShaderStage;

/// Colour targets of a fragment shader.
constexpr uint32_t maxColorTargets = 8;
/// Why a limit: the locations of a structure's members are summed up member by member.
constexpr size_t maxInterfaceMembers = 1024;

constexpr std::pair<spv::Decoration, bool InterfaceDecorations::*> flagDecorations[] = {
    {spv::Decoration::Patch, &InterfaceDecorations::patch},
    {spv::Decoration::PerPrimitiveEXT, &InterfaceDecorations::perPrimitive},
    {spv::Decoration::PerVertexKHR, &InterfaceDecorations::perVertex},
    {spv::Decoration::Flat, &InterfaceDecorations::flat},
    {spv::Decoration::NoPerspective, &InterfaceDecorations::noPerspective},
    {spv::Decoration::Centroid, &InterfaceDecorations::centroid},
    {spv::Decoration::Sample, &InterfaceDecorations::sample},
    {spv::Decoration::ExplicitInterpAMD, &InterfaceDecorations::explicitInterp},
    {spv::Decoration::Invariant, &InterfaceDecorations::invariant},
};

/// Adds the decorations of a variable (member = noMember) or of a structure's member.
Error addDecorations(Translator &t, InterfaceCursor &at, Id id, uint32_t member) {
  InterfaceDecorations &d = at.decorations;
  for (const spirv::Decoration &decoration : t.spv.decorations(id, member)) {
    const uint32_t operand = decoration.operands.empty() ? 0 : decoration.operands[0];
    for (const auto &[kind, flag] : flagDecorations)
      d.*flag |= kind == decoration.kind;
    switch (decoration.kind) {
    case spv::Decoration::Location:
      at.location = operand;
      break;
    case spv::Decoration::Component:
      if (operand > 3)
        return t.invalid(*at.variable, "Component " + Twine(operand) + " is not 0 to 3");
      at.component = operand;
      break;
    case spv::Decoration::BuiltIn: {
      auto kind = static_cast<spv::BuiltIn>(operand);
      if (kind == spv::BuiltIn::ViewIndex && t.options.viewIndexFromDeviceIndex)
        kind = spv::BuiltIn::DeviceIndex;
      at.builtin = findBuiltIn(t.options.stage, at.isOutput, kind);
      if (!at.builtin)
        return t.unsupportedOp(*at.variable,
                               "built-in " + spirv::enumName(spirv::OperandKind::BuiltIn, operand) +
                                   (at.isOutput ? " as output of a " : " as input of a ") +
                                   lgc::shaderStageName(t.options.stage) + " shader");
      at.location = 0;
      break;
    }
    case spv::Decoration::Index:
      if (operand > 1)
        return t.invalid(*at.variable, "Index " + Twine(operand) + " is not 0 or 1");
      d.index = operand;
      break;
    case spv::Decoration::Stream:
      if (operand > 3)
        return t.invalid(*at.variable, "Stream " + Twine(operand) + " is not 0 to 3");
      d.stream = operand;
      break;
    case spv::Decoration::XfbBuffer:
      d.xfbBuffer = operand;
      break;
    case spv::Decoration::XfbStride:
      d.xfbStride = operand;
      break;
    case spv::Decoration::Offset:
      d.xfbOffset = operand;
      break;
    default:
      break;
    }
  }
  return Error::success();
}

bool isArray(const Inst &type) { return type.opcode == spv::Op::OpTypeArray; }

/// Arrays around the type that a built-in has by itself.
unsigned arrayDepth(Translator &t, Id typeId) {
  unsigned depth = 0;
  for (const Inst *type = t.spv.definition(typeId); type && isArray(*type);
       type = t.spv.definition((*type)[0]))
    ++depth;
  return depth;
}

/// Is an interface variable decorated with `kind`? glslang decorates the members of a block
/// instead, all of them.
bool hasInterfaceDecoration(Translator &t, const Inst &variable, spv::Decoration kind) {
  if (t.hasDecoration(variable.resultId, kind))
    return true;
  const Inst *type = t.spv.definition(variable.typeId);
  type = type && type->size() > 1 ? t.spv.definition((*type)[1]) : nullptr;
  while (type && isArray(*type))
    type = t.spv.definition((*type)[0]);
  return type && type->opcode == spv::Op::OpTypeStruct &&
         t.spv.findDecoration(type->resultId, kind, 0) != nullptr;
}

/// Pointee of an interface variable.
Expected<Id> pointeeOf(Translator &t, const Inst &variable) {
  const Inst *pointer = t.spv.definition(variable.typeId);
  if (!pointer || pointer->opcode != spv::Op::OpTypePointer || pointer->size() < 2)
    return t.invalid(variable, "result type is not a pointer");
  return Id((*pointer)[1]);
}

Error enterMember(Translator &t, const InterfaceCursor &from, InterfaceCursor &to, const Inst &type,
                  uint32_t index) {
  if (type.size() > maxInterfaceMembers)
    return lgc::limitExceeded(spirv::place(*from.variable) + ": a structure of more than " +
                              Twine(maxInterfaceMembers) + " members in a shader interface");
  if (from.location && !from.builtin) {
    uint64_t location = *from.location;
    for (uint32_t i = 0; i < index; ++i)
      location += KILN_TRY(locationCount(t, type[i]));
    to.location = static_cast<uint32_t>(std::min<uint64_t>(location, UINT32_MAX));
  }
  to.typeId = type[index];
  return addDecorations(t, to, type.resultId, index);
}

/// Adds `count` locations.
void advance(InterfaceCursor &at, uint64_t count) {
  if (at.location)
    at.location = static_cast<uint32_t>(
        std::min<uint64_t>(SaturatingAdd<uint64_t>(*at.location, count), UINT32_MAX));
}

Expected<bool> is64Bit(Translator &t, Id scalarOrVectorId) {
  auto type = KILN_TRY(t.type(scalarOrVectorId));
  return type->getScalarSizeInBits() == 64;
}

/// First slot of the number space that the decorations choose, and how many locations it has.
std::pair<uint32_t, uint32_t> locationSpace(const Translator &t, const InterfaceCursor &at) {
  namespace Slot = lgc::Slot;
  const InterfaceDecorations &d = at.decorations;
  if (t.isStage(ShaderStage::Fragment) && at.isOutput)
    return {d.index ? Slot::ColorIndex1 : Slot::Generic, maxColorTargets};
  if (d.patch)
    return {Slot::Patch, Slot::PatchEnd - Slot::Patch};
  if (d.perPrimitive)
    return {Slot::Primitive, Slot::PrimitiveEnd - Slot::Primitive};
  return {Slot::Generic, Slot::GenericEnd - Slot::Generic};
}

/// Checks a built-in's type, up to arrays over vertices, and that arrays are as long as allowed.
Error checkBuiltInType(Translator &t, const InterfaceCursor &at, Type *type) {
  if (type == builtInType(t, *at.builtin))
    return Error::success();
  return t.invalid(*at.variable, "built-in variable has the wrong type");
}

} // namespace

bool isCompactArray(Translator &t, const InterfaceCursor &at) {
  const Inst *type = t.spv.definition(at.typeId);
  return !at.awaitsVertex && at.builtin && at.builtin->compact && type && isArray(*type);
}

Expected<uint32_t> locationCount(Translator &t, Id typeId) {
  auto &known = t.internals().locationCounts;
  if (auto it = known.find(typeId); it != known.end())
    return it->second;
  auto type = KILN_TRY(t.typeInst(typeId));
  uint64_t count = 1;
  switch (type->opcode) {
  case spv::Op::OpTypeVector: {
    auto wide = KILN_TRY(is64Bit(t, typeId));
    count = wide && (*type)[1] > 2 ? 2 : 1;
    break;
  }
  case spv::Op::OpTypeMatrix: {
    auto column = KILN_TRY(locationCount(t, (*type)[0]));
    count = uint64_t(column) * (*type)[1];
    break;
  }
  case spv::Op::OpTypeArray: {
    auto length = KILN_TRY(t.readConstant((*type)[1]));
    auto element = KILN_TRY(locationCount(t, (*type)[0]));
    count = SaturatingMultiply<uint64_t>(length, element);
    break;
  }
  case spv::Op::OpTypeStruct:
    count = 0;
    for (Id member : type->operands)
      count += KILN_TRY(locationCount(t, member));
    break;
  default:
    break;
  }
  const auto result = static_cast<uint32_t>(std::min<uint64_t>(count, UINT32_MAX));
  known[typeId] = result;
  return result;
}

/// Does each vertex or primitive have a value of its own (unless it is a built-in that has not)?
static bool isPerElement(Translator &t, const Inst &variable) {
  const bool isOutput = static_cast<spv::StorageClass>(variable[0]) == spv::StorageClass::Output;
  switch (t.options.stage) {
  case ShaderStage::TessControl:
    return !hasInterfaceDecoration(t, variable, spv::Decoration::Patch);
  case ShaderStage::TessEval:
    return !isOutput && !hasInterfaceDecoration(t, variable, spv::Decoration::Patch);
  case ShaderStage::Geometry:
    return !isOutput;
  case ShaderStage::Mesh:
    return isOutput;
  case ShaderStage::Fragment:
    return !isOutput && hasInterfaceDecoration(t, variable, spv::Decoration::PerVertexKHR);
  default:
    return false;
  }
}

bool isArrayedInterface(Translator &t, const Inst &variable) {
  const bool isOutput = static_cast<spv::StorageClass>(variable[0]) == spv::StorageClass::Output;
  const Id id = variable.resultId;
  const Inst *pointer = t.spv.definition(variable.typeId);
  if (!isPerElement(t, variable) || !pointer || pointer->size() < 2)
    return false;
  unsigned own = 0;
  if (const auto *d = t.spv.findDecoration(id, spv::Decoration::BuiltIn))
    if (const BuiltInRow *row =
            findBuiltIn(t.options.stage, isOutput, static_cast<spv::BuiltIn>(d->operands[0])))
      own = row->compact ? 1 : 0;
  return arrayDepth(t, (*pointer)[1]) > own;
}

bool isDirectVariable(Translator &t, const Inst &variable) {
  const bool isOutput = static_cast<spv::StorageClass>(variable[0]) == spv::StorageClass::Output;
  if (isArrayedInterface(t, variable))
    return true;
  if (isOutput)
    return t.isStage(ShaderStage::TessControl) || t.isStage(ShaderStage::Mesh);
  // Patch inputs are in memory: a dynamic index there is cheaper than in a private copy.
  return t.isStage(ShaderStage::TessEval) &&
         hasInterfaceDecoration(t, variable, spv::Decoration::Patch);
}

Expected<InterfaceCursor> interfaceRoot(Translator &t, const Inst &variable) {
  InterfaceCursor at;
  at.variable = &variable;
  at.isOutput = static_cast<spv::StorageClass>(variable[0]) == spv::StorageClass::Output;
  auto pointee = KILN_TRY(pointeeOf(t, variable));
  at.typeId = pointee;
  KILN_TRY(addDecorations(t, at, variable.resultId, spirv::Decoration::noMember));
  at.awaitsVertex = isArrayedInterface(t, variable);
  // The tessellation levels are Patch outputs, decorated or not.
  at.decorations.patch |= at.builtin && !at.awaitsVertex &&
                          (at.builtin->spirv == spv::BuiltIn::TessLevelOuter ||
                           at.builtin->spirv == spv::BuiltIn::TessLevelInner);
  const bool inSlots = !at.builtin || at.builtin->source == BuiltInRow::Source::Slot;
  if (inSlots && !at.awaitsVertex && !at.decorations.patch && isPerElement(t, variable))
    return t.invalid(variable, "no array, although each vertex or primitive has a value");
  return at;
}

Expected<uint32_t> interfaceChildCount(Translator &t, const InterfaceCursor &at) {
  auto type = KILN_TRY(t.typeInst(at.typeId));
  switch (type->opcode) {
  case spv::Op::OpTypeStruct:
    return static_cast<uint32_t>(type->size());
  case spv::Op::OpTypeArray: {
    auto length = KILN_TRY(t.readConstant32((*type)[1]));
    return length;
  }
  case spv::Op::OpTypeMatrix:
  case spv::Op::OpTypeVector:
    return (*type)[1];
  case spv::Op::OpTypeInt:
  case spv::Op::OpTypeFloat:
  case spv::Op::OpTypeBool:
    return 0u;
  default:
    return t.invalid(*at.variable, spirv::opName(type->opcode) + " in a shader interface");
  }
}

Expected<InterfaceCursor> interfaceChild(Translator &t, const InterfaceCursor &at, uint32_t index) {
  auto count = KILN_TRY(interfaceChildCount(t, at));
  if (index >= count)
    return t.invalid(*at.variable, "index " + Twine(index) + " into %" + Twine(at.typeId) +
                                       ", which has " + Twine(count) + " elements");
  auto type = KILN_TRY(t.typeInst(at.typeId));
  InterfaceCursor to = at;
  if (type->opcode == spv::Op::OpTypeStruct) {
    KILN_TRY(enterMember(t, at, to, *type, index));
    return to;
  }
  to.typeId = (*type)[0];
  if (type->opcode == spv::Op::OpTypeVector) {
    auto wide = KILN_TRY(is64Bit(t, to.typeId));
    to.component += index * (wide ? 2 : 1);
  } else if (at.awaitsVertex) {
    to.awaitsVertex = false;
    to.vertex = t.i32(index);
  } else if (isCompactArray(t, at)) {
    if (count > at.builtin->compact)
      return t.invalid(*at.variable, "built-in array of " + Twine(count) +
                                         " elements; the limit is " +
                                         Twine(unsigned(at.builtin->compact)));
    to.component += index;
  } else {
    auto step = KILN_TRY(locationCount(t, to.typeId));
    advance(to, uint64_t(index) * step);
  }
  return to;
}

Expected<InterfaceCursor> interfaceDynamicChild(Translator &t, const InterfaceCursor &at,
                                                Value *index) {
  auto type = KILN_TRY(t.typeInst(at.typeId));
  if (!isArray(*type) && type->opcode != spv::Op::OpTypeMatrix)
    return t.invalid(*at.variable, "dynamic index into " + spirv::opName(type->opcode));
  auto count = KILN_TRY(interfaceChildCount(t, at));
  InterfaceCursor to = at;
  to.typeId = (*type)[0];
  if (at.awaitsVertex) {
    to.awaitsVertex = false;
    to.vertex = index;
    return to;
  }
  auto step = KILN_TRY(locationCount(t, to.typeId));
  // Checked against the slots that exist when a leaf is reached; 2^16 is beyond all of them.
  const uint64_t range = uint64_t(std::max(count, 1u) - 1) * step + at.elementRange;
  if (range >= lgc::Slot::End)
    return t.invalid(*at.variable, "array of " + Twine(count) + " elements needs " +
                                       Twine(range + 1) + " locations");
  Value *scaled = step == 1 ? index : t.b.CreateMul(index, t.i32(step));
  to.element = at.element ? t.b.CreateAdd(at.element, scaled) : scaled;
  to.elementRange = static_cast<uint32_t>(range);
  return to;
}

/// Has each vertex or primitive its own value of what `at` has reached? Other than isPerElement()
/// this looks at the decorations of members and does not believe them of built-ins.
static bool isElementValue(const Translator &t, const InterfaceCursor &at) {
  if (at.builtin && (at.builtin->source != BuiltInRow::Source::Slot ||
                     at.builtin->spirv == spv::BuiltIn::TessLevelOuter ||
                     at.builtin->spirv == spv::BuiltIn::TessLevelInner))
    return false;
  const bool isPatch = at.decorations.patch && !at.builtin;
  switch (t.options.stage) {
  case ShaderStage::TessControl:
    return !isPatch;
  case ShaderStage::TessEval:
    return !at.isOutput && !isPatch;
  case ShaderStage::Geometry:
    return !at.isOutput;
  case ShaderStage::Mesh:
    return at.isOutput;
  case ShaderStage::Fragment:
    return !at.isOutput && at.decorations.perVertex;
  default:
    return false;
  }
}

Expected<uint32_t> interfaceSlot(Translator &t, const InterfaceCursor &at) {
  const uint32_t further = at.component / 4;
  if (!at.vertex && isElementValue(t, at))
    return t.invalid(*at.variable, "no array of vertices or primitives, although each has a value");
  if (at.builtin)
    return at.builtin->number + further;
  if (!at.location)
    return t.invalid(*at.variable, "a user-defined variable without Location");
  const auto [first, count] = locationSpace(t, at);
  const uint64_t location = uint64_t(*at.location) + further;
  if (location + at.elementRange >= count)
    return t.invalid(*at.variable, "location " + Twine(location + at.elementRange) +
                                       " is out of range; there are " + Twine(count));
  return first + static_cast<uint32_t>(location);
}

Expected<SmallVector<InterfacePiece, 2>> interfacePieces(Translator &t, const InterfaceCursor &at,
                                                         Type *type) {
  Type *scalar = type->getScalarType();
  const unsigned bits = scalar->isIntegerTy(1) ? 32 : scalar->getScalarSizeInBits();
  if (bits == 8)
    return t.unsupportedOp(*at.variable, "8-bit type in a shader interface");
  if (scalar->isIntegerTy(1) || bits == 64)
    scalar = t.b.getInt32Ty();
  auto *vector = dyn_cast<FixedVectorType>(type);
  unsigned total = (vector ? vector->getNumElements() : 1) * (bits == 64 ? 2 : 1);
  InterfaceCursor place = at;
  const unsigned first = at.component % 4;
  if ((bits == 64 && first % 2) || (first && first + total > 4))
    return t.invalid(*at.variable, "a value of " + Twine(total) +
                                       " components does not fit its location at component " +
                                       Twine(first));
  SmallVector<InterfacePiece, 2> pieces;
  for (unsigned done = 0; done < total;) {
    const unsigned count = std::min(total - done, 4 - place.component % 4);
    auto slot = KILN_TRY(interfaceSlot(t, place));
    Type *pieceType = count == 1 ? scalar : FixedVectorType::get(scalar, count);
    pieces.push_back({slot, place.component % 4, pieceType, done});
    place.component += count;
    done += count;
  }
  return pieces;
}

Value *joinPieces(Translator &t, Type *type, ArrayRef<InterfacePiece> pieces,
                  function_ref<Value *(const InterfacePiece &)> load) {
  if (type->isIntegerTy(1))
    return t.b.CreateICmpNE(load(pieces.front()), t.i32(0));
  if (type->getScalarSizeInBits() != 64)
    return load(pieces.front());
  const unsigned dwords = type->getPrimitiveSizeInBits().getFixedValue() / 32;
  Value *all = PoisonValue::get(FixedVectorType::get(t.b.getInt32Ty(), dwords));
  for (const InterfacePiece &piece : pieces) {
    Value *part = load(piece);
    const auto *vector = cast<FixedVectorType>(piece.type); // at least the two dwords of a value
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      all = t.b.CreateInsertElement(all, t.b.CreateExtractElement(part, i), piece.first + i);
  }
  return t.b.CreateBitCast(all, type);
}

Value *extractPiece(Translator &t, Value *leaf, const InterfacePiece &piece) {
  Type *type = leaf->getType();
  if (type->isIntegerTy(1))
    return t.b.CreateZExt(leaf, piece.type);
  if (type->getScalarSizeInBits() != 64)
    return leaf;
  const unsigned dwords = type->getPrimitiveSizeInBits().getFixedValue() / 32;
  Value *all = t.b.CreateBitCast(leaf, FixedVectorType::get(t.b.getInt32Ty(), dwords));
  const unsigned count = cast<FixedVectorType>(piece.type)->getNumElements();
  SmallVector<int, 4> lanes;
  for (unsigned i = 0; i < count; ++i)
    lanes.push_back(static_cast<int>(piece.first + i));
  return count == dwords ? all : t.b.CreateShuffleVector(all, lanes);
}

namespace {

/// The recursion of visitLeaves(): depth is bounded by the nesting of types, the number of places
/// by a budget.
struct LeafVisitor {
  Translator &t;
  function_ref<Error(const InterfaceLeaf &)> visit;
  uint64_t places = 0;

  Error enter(const InterfaceCursor &at, SmallVectorImpl<uint32_t> &path) {
    if (++places > limits::maxAggregateElements)
      return lgc::limitExceeded(spirv::place(*at.variable) + ": interface variable of more than " +
                                Twine(limits::maxAggregateElements) + " elements");
    auto inst = KILN_TRY(t.typeInst(at.typeId));
    auto count = KILN_TRY(interfaceChildCount(t, at));
    if (count == 0 || inst->opcode == spv::Op::OpTypeVector)
      return leaf(*inst, at, path);
    const uint32_t end = at.awaitsVertex ? 1 : count;
    for (uint32_t i = 0; i < end; ++i) {
      auto child = KILN_TRY(interfaceChild(t, at, i));
      path.push_back(i);
      KILN_TRY(enter(child, path));
      path.pop_back();
    }
    return Error::success();
  }

  Error leaf(const Inst &inst, const InterfaceCursor &at, ArrayRef<uint32_t> path) {
    if (inst.opcode == spv::Op::OpTypeStruct)
      return Error::success(); // an empty one
    auto type = KILN_TRY(t.type(at.typeId));
    if (at.builtin)
      KILN_TRY(checkBuiltInType(t, at, type));
    else if (type->getScalarType()->isIntegerTy(1))
      return t.invalid(*at.variable, "bool in a user-defined interface variable");
    return visit({at, type, {path.begin(), path.end()}});
  }
};

} // namespace

Error visitLeaves(Translator &t, const InterfaceCursor &at, ArrayRef<uint32_t> path,
                  function_ref<Error(const InterfaceLeaf &)> visit) {
  LeafVisitor visitor{t, visit};
  SmallVector<uint32_t, 8> way(path);
  return visitor.enter(at, way);
}

} // namespace llpc
