//===- LinkedConstants.cpp - constants that linking can fill in -----------===//
// SPDX-License-Identifier: MIT
/// \file
///   before: %a = OpSpecConstant %float 1   %n = OpSpecConstant %uint 4   (SpecId 0 and 1)
///           %b = OpSpecConstantOp %float FMul %a %two
///           %t = OpTypeArray %float %n                %x = OpFAdd %float %y %b
///   after:  constant 0; ids %a and %b. Constant 1 is a size: "pinned".
///
/// Unless the array is a whole variable of a compute shader's workgroup memory, which code only
/// enters by access chains: how large it is says where the next one begins, and no more.
#include "llpc/reflect/LinkedConstants.h"
#include "llpc/reflect/ConstantEval.h"
#include "llpc/spirv/Grammar.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace llpc {

using spirv::Id;
using spirv::Inst;
using spirv::OpClass;
using spv::Op;

namespace {

/// Instructions beyond those of whole classes (isValueOp()), with the operands that may be any
/// value. Access chains are not here: reflection looks at their indices.
struct ValueOperandsRow {
  Op opcode;
  uint32_t first, last;
};
constexpr uint32_t rest = ~0u;
constexpr uint32_t resultType = ~0u; ///< in place of the number of an operand
constexpr ValueOperandsRow valueOperands[] = {
    {Op::OpStore, 1, 1},
    {Op::OpVariable, 1, 1}, // of functions
    {Op::OpPhi, 0, rest},
    {Op::OpReturnValue, 0, 0},
    {Op::OpFunctionCall, 1, rest},
    {Op::OpBranchConditional, 0, 0},
    {Op::OpSwitch, 0, rest}, // literals and labels follow
    {Op::OpCopyObject, 0, 0},
    {Op::OpCopyLogical, 0, 0},
    {Op::OpCompositeConstruct, 0, rest},
    {Op::OpCompositeExtract, 0, 0},
    {Op::OpCompositeInsert, 0, 1},
    {Op::OpVectorShuffle, 0, 1},
    {Op::OpVectorExtractDynamic, 0, 1},
    {Op::OpVectorInsertDynamic, 0, 2},
    {Op::OpExtInst, 2, rest}, // of GLSL.std.450
    {Op::OpImageSampleImplicitLod, 1, 1},
    {Op::OpImageSampleExplicitLod, 1, 1},
    {Op::OpImageSampleDrefImplicitLod, 1, 2},
    {Op::OpImageSampleDrefExplicitLod, 1, 2},
    {Op::OpImageSampleProjImplicitLod, 1, 1},
    {Op::OpImageSampleProjExplicitLod, 1, 1},
    {Op::OpImageSampleProjDrefImplicitLod, 1, 2},
    {Op::OpImageSampleProjDrefExplicitLod, 1, 2},
    {Op::OpImageGather, 1, 1},
    {Op::OpImageDrefGather, 1, 2},
    {Op::OpImageFetch, 1, 1},
    {Op::OpImageRead, 1, 1},
    {Op::OpImageWrite, 1, 2},
};

/// Of a composite that code makes, an instruction each; larger ones are tables.
constexpr uint64_t mostScalars = 64;

/// All operands are values.
bool isValueOp(Op opcode) {
  const spirv::OpInfo *info = spirv::findOp(static_cast<uint32_t>(opcode));
  if (!info)
    return false;
  switch (info->opClass) {
  case OpClass::Arithmetic:
  case OpClass::Bit:
  case OpClass::Conversion:
  case OpClass::RelationalAndLogical:
    return true;
  default:
    return false;
  }
}

bool isComposite(Op opcode) {
  return opcode == Op::OpSpecConstantComposite || opcode == Op::OpSpecConstantCompositeReplicateEXT;
}

class Collector {
public:
  explicit Collector(const spirv::Module &module) : module(module) {}

  LinkedConstants run() {
    findConstants();
    if (defaults.empty())
      return {};
    for (const Inst &inst : module.instructions())
      visit(inst);
    for (const Inst *inst : early)
      visitOperands(*inst, *spirv::findOp(static_cast<uint32_t>(inst->opcode)));
    return finish();
  }

private:
  void findConstants();
  void visit(const Inst &inst);
  void visitOperands(const Inst &inst, const spirv::OpInfo &info);
  bool isValue(const Inst &inst, uint32_t operand) const;
  /// Is \p inst, which is made of constants, computed by code if one of them is not known?
  bool canCompute(const Inst &inst) const;
  /// Of any word.
  bool isKnown(Id id) const { return id < module.bound() && known.count(id); }
  void use(const Inst &inst, Id id, uint32_t operand) {
    noteArray(inst, id, operand);
    use(id, isValue(inst, operand));
  }
  void use(Id id, bool isValue) {
    if (!isKnown(id))
      return;
    used.insert(id);
    if (!isValue)
      pinned.insert(id);
  }
  uint64_t countScalars(Id typeId) const;
  uint32_t strideOf(Id elementType) const;
  bool startArray(const Inst &inst);
  void noteArray(const Inst &inst, Id id, uint32_t operand);
  void takeArrays(LinkedConstants &result) const;
  LinkedConstants finish();

  const spirv::Module &module;
  llvm::DenseMap<Id, SpecDefault> defaults; ///< of candidates, by result id
  llvm::DenseSet<Id> known;                 ///< candidates and what is computed of them
  std::vector<const Inst *> computed;       ///< in the order of the module
  llvm::DenseSet<Id> pinned;                ///< whose values must be known
  llvm::DenseSet<Id> used;
  /// Array types, pointers to them and variables of these, with what is known of the array.
  llvm::DenseMap<Id, LinkedArray> arrays;
  bool isCompute = true; ///< all entry points
  /// What names constants before they are defined: execution modes and decorations.
  std::vector<const Inst *> early;
};

/// Constants that share their number are left alone, and those that have 64 bits.
void Collector::findConstants() {
  const std::vector<SpecDefault> all = collectSpecDefaults(module);
  auto byId = [](const SpecDefault &a, const SpecDefault &b) {
    return a.constantId < b.constantId;
  };
  for (const Inst *inst : module.globals()) {
    if (inst->opcode != Op::OpSpecConstant && inst->opcode != Op::OpSpecConstantTrue &&
        inst->opcode != Op::OpSpecConstantFalse)
      continue;
    const spirv::Decoration *id = module.findDecoration(inst->resultId, spv::Decoration::SpecId);
    if (!id || id->operands.empty())
      continue;
    const auto [found, end] =
        std::equal_range(all.begin(), all.end(), SpecDefault{id->operands[0]}, byId);
    if (end - found != 1 || found->size > 4)
      continue;
    defaults[inst->resultId] = *found;
    known.insert(inst->resultId);
  }
}

/// Of a type, or a number that is too large.
uint64_t Collector::countScalars(Id typeId) const {
  constexpr uint64_t tooMany = mostScalars + 1;
  const Inst *type = module.definition(typeId);
  if (!type)
    return tooMany;
  switch (type->opcode) {
  case Op::OpTypeBool:
  case Op::OpTypeInt:
  case Op::OpTypeFloat:
    return 1;
  case Op::OpTypeVector:
  case Op::OpTypeMatrix:
    return std::min(countScalars((*type)[0]) * (*type)[1], tooMany);
  case Op::OpTypeArray: {
    const Inst *length = module.definition((*type)[1]);
    const bool isKnown = length && length->opcode == Op::OpConstant && length->size() == 1;
    return isKnown ? std::min(countScalars((*type)[0]) * (*length)[0], tooMany) : tooMany;
  }
  case Op::OpTypeStruct: {
    uint64_t sum = 0;
    for (Id member : type->operands) {
      sum += std::max<uint64_t>(countScalars(member), 1);
      if (sum > mostScalars)
        return tooMany;
    }
    return sum;
  }
  default:
    return tooMany;
  }
}

/// Of numbers and vectors whose memory is the same for everybody, else 0.
uint32_t Collector::strideOf(Id elementType) const {
  const Inst *type = module.definition(elementType);
  uint32_t count = 1;
  if (type && type->opcode == Op::OpTypeVector) {
    count = (*type)[1];
    type = module.definition((*type)[0]);
  }
  const bool isWord = type && (type->opcode == Op::OpTypeInt || type->opcode == Op::OpTypeFloat) &&
                      (*type)[0] == 32;
  return isWord && llvm::isPowerOf2_32(count) ? 4 * count : 0;
}

/// Is \p inst an array type that may have to be placed by linking?
bool Collector::startArray(const Inst &inst) {
  if (inst.opcode == Op::OpEntryPoint)
    isCompute &= static_cast<spv::ExecutionModel>(inst[0]) == spv::ExecutionModel::GLCompute;
  if (inst.opcode != Op::OpTypeArray || !isCompute || !isKnown(inst[1]) || !strideOf(inst[0]))
    return false;
  // Another layout than everybody's, and lengths that linking could not compute.
  if (module.hasDecoration(inst.resultId, spv::Decoration::ArrayStride) ||
      llvm::is_contained(module.capabilities(),
                         spv::Capability::WorkgroupMemoryExplicitLayoutKHR) ||
      !ConstantEval(module, {}).evaluate(inst[1]))
    return false;
  arrays[inst.resultId] = {0, inst[1], strideOf(inst[0])};
  use(inst[1], /*isValue=*/true);
  return true;
}

/// \p id is operand \p operand of \p inst, or its type. What nothing is known to be right of pins
/// the length.
void Collector::noteArray(const Inst &inst, Id id, uint32_t operand) {
  if (id >= module.bound() || !arrays.count(id))
    return;
  const LinkedArray array = arrays[id];
  const bool isVariable = array.variable != 0;
  auto isWorkgroup = [&] {
    return inst.size() && static_cast<spv::StorageClass>(inst[0]) == spv::StorageClass::Workgroup;
  };
  const bool isPointer = inst.opcode == Op::OpTypePointer && operand == 1 && isWorkgroup();
  const bool isDefinition = inst.opcode == Op::OpVariable && operand == resultType &&
                            isWorkgroup() && inst.size() == 1; // no initializer
  const bool isChain =
      (inst.opcode == Op::OpAccessChain || inst.opcode == Op::OpInBoundsAccessChain) &&
      operand == 0 && inst.size() > 1;
  if (isVariable ? isChain || inst.opcode == Op::OpEntryPoint : isPointer || isDefinition) {
    if (!isVariable)
      arrays[inst.resultId] = {isDefinition ? inst.resultId : 0, array.length, array.stride};
    return;
  }
  pinned.insert(array.length);
}

/// Those whose lengths code or linking computes.
void Collector::takeArrays(LinkedConstants &result) const {
  for (const auto &[id, array] : arrays)
    if (array.variable && result.has(array.length))
      result.workgroupArrays.push_back(array);
  llvm::sort(result.workgroupArrays,
             [](const LinkedArray &a, const LinkedArray &b) { return a.variable < b.variable; });
}

bool Collector::canCompute(const Inst &inst) const {
  if (module.hasDecoration(inst.resultId, spv::Decoration::BuiltIn)) // the size of workgroups
    return false;
  if (countScalars(inst.typeId) > mostScalars)
    return false;
  if (isComposite(inst.opcode))
    return true;
  const auto wrapped = static_cast<Op>(inst[0]);
  return isValueOp(wrapped) || wrapped == Op::OpCompositeExtract ||
         wrapped == Op::OpCompositeInsert || wrapped == Op::OpVectorShuffle;
}

bool Collector::isValue(const Inst &inst, uint32_t operand) const {
  if (isValueOp(inst.opcode))
    return true;
  const auto *row = llvm::find_if(
      valueOperands, [&](const ValueOperandsRow &other) { return other.opcode == inst.opcode; });
  if (row == std::end(valueOperands) || operand < row->first || operand > row->last)
    return false;
  if (inst.opcode == Op::OpVariable)
    return static_cast<spv::StorageClass>(inst[0]) == spv::StorageClass::Function;
  return inst.opcode != Op::OpExtInst || module.extInstSet(inst[0]) == "GLSL.std.450";
}

void Collector::visit(const Inst &inst) {
  if (isComposite(inst.opcode) || inst.opcode == Op::OpSpecConstantOp) {
    noteArray(inst, inst.typeId, resultType);
    const llvm::ArrayRef<Id> parts = spirv::constituents(inst);
    if (llvm::none_of(parts, [&](Id part) { return isKnown(part); }))
      return;
    known.insert(inst.resultId);
    computed.push_back(&inst);
    if (!canCompute(inst))
      use(inst.resultId, /*isValue=*/false);
    return;
  }
  const spirv::OpInfo *info = spirv::findOp(static_cast<uint32_t>(inst.opcode));
  if (!info)
    return;
  // Names and literals say nothing of values. What hashes of modules leave out (TrimDebug.h) must
  // not either.
  const bool isSilent = info->opClass == OpClass::Debug || inst.opcode == Op::OpExecutionMode ||
                        (info->opClass == OpClass::Annotation && inst.opcode != Op::OpDecorateId) ||
                        (info->opClass == OpClass::Extension && inst.size() &&
                         spirv::isNonSemanticSet(module.extInstSet(inst[0])));
  if (isSilent || startArray(inst))
    return;
  if (inst.opcode == Op::OpExecutionModeId || inst.opcode == Op::OpDecorateId)
    return early.push_back(&inst);
  noteArray(inst, inst.typeId, resultType);
  visitOperands(inst, *info);
}

void Collector::visitOperands(const Inst &inst, const spirv::OpInfo &info) {
  using Category = spirv::KindCategory;
  const auto size = static_cast<uint32_t>(inst.size());
  uint32_t at = 0;
  auto visitUntil = [&](uint32_t end) {
    for (; at < std::min(end, size); ++at)
      use(inst, inst[at], at);
  };
  bool mayFollow = false; // operands of an enumerant
  for (const spirv::OperandSpec &spec : operandsOf(info)) {
    const Category category = kindInfo(spec.kind).category;
    const bool isList = spec.quantifier == spirv::Quantifier::Many;
    if (category == Category::Literal && (isList || spec.kind == spirv::OperandKind::LiteralString))
      return;
    if (category == Category::Id || category == Category::Composite)
      visitUntil(isList ? size : at + 1);
    else
      ++at;
    mayFollow = category == Category::BitEnum || category == Category::ValueEnum;
    if (category == Category::BitEnum)
      break;
  }
  // Any word may be an id there: some are not, which does no harm.
  if (mayFollow)
    visitUntil(size);
}

LinkedConstants Collector::finish() {
  // What cannot be computed by code takes along what it is made of.
  for (const Inst *inst : llvm::reverse(computed))
    if (used.count(inst->resultId))
      for (Id part : spirv::constituents(*inst))
        use(part, !pinned.count(inst->resultId));
  LinkedConstants result;
  for (const auto &[id, constant] : defaults) {
    if (!used.count(id)) {
      result.unused.push_back(constant.constantId);
    } else if (!pinned.count(id)) {
      result.ids.push_back(id);
      result.constants.push_back(constant);
    }
  }
  llvm::sort(result.unused);
  llvm::sort(result.ids);
  llvm::sort(result.constants, [](const SpecDefault &a, const SpecDefault &b) {
    return a.constantId < b.constantId;
  });
  llvm::DenseSet<Id> linked(result.ids.begin(), result.ids.end());
  for (const Inst *inst : computed) {
    if (!used.count(inst->resultId))
      continue;
    auto isLinked = [&](Id part) { return isKnown(part) && linked.count(part); };
    if (llvm::none_of(spirv::constituents(*inst), isLinked))
      continue;
    linked.insert(inst->resultId);
    result.ids.push_back(inst->resultId);
  }
  llvm::sort(result.ids);
  takeArrays(result);
  return result;
}

} // namespace

bool LinkedConstants::has(spirv::Id id) const {
  return std::binary_search(ids.begin(), ids.end(), id);
}

const SpecDefault *LinkedConstants::find(uint32_t constantId) const {
  const auto it = llvm::partition_point(
      constants, [&](const SpecDefault &other) { return other.constantId < constantId; });
  return it != constants.end() && it->constantId == constantId ? &*it : nullptr;
}

LinkedConstants collectLinkedConstants(const spirv::Module &module) {
  return Collector(module).run();
}

} // namespace llpc
