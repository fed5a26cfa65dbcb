//===- NameValues.cpp - which variables of the source values are of --------===//
// SPDX-License-Identifier: MIT
#include "lgc/pipeline/NameValues.h"
#include "lgc/DebugNames.h"
#include "lgc/Ops.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace lgc {

namespace {

/// Aggregates within aggregates; what is deeper has no name.
constexpr unsigned depthMax = 8;
/// Names are for people.
constexpr size_t lengthMax = 80;

DIType *withoutNames(DIType *type) {
  while (auto *derived = dyn_cast_or_null<DIDerivedType>(type)) {
    if (derived->getTag() != dwarf::DW_TAG_typedef)
      break;
    type = derived->getBaseType();
  }
  return type;
}

/// A part of a variable, as GLSL writes it.
struct Part {
  std::string name;
  DIType *type = nullptr; ///< null: nothing is known
};

Part elementOf(const Part &whole, uint64_t i) {
  auto *type = dyn_cast_or_null<DICompositeType>(withoutNames(whole.type));
  if (!type)
    return {whole.name, nullptr};
  if (type->getTag() == dwarf::DW_TAG_structure_type) {
    const DINodeArray members = type->getElements();
    auto *member = i < members.size() ? dyn_cast<DIDerivedType>(members[unsigned(i)]) : nullptr;
    return member ? Part{(whole.name + "." + member->getName()).str(), member->getBaseType()}
                  : Part{whole.name, nullptr};
  }
  const bool isVector = type->getFlags() & DINode::FlagVector;
  return {whole.name +
              (isVector && i < 4 ? "." + std::string(1, "xyzw"[i]) : "[" + std::to_string(i) + "]"),
          type->getBaseType()};
}

/// What lies \p bits behind the begin of \p whole and is not larger than \p size bits.
Part partAt(Part whole, uint64_t bits, uint64_t size) {
  for (unsigned depth = 0; depth < depthMax; ++depth) {
    auto *type = dyn_cast_or_null<DICompositeType>(withoutNames(whole.type));
    if (!type || (!bits && type->getSizeInBits() <= size))
      break;
    if (type->getTag() == dwarf::DW_TAG_structure_type) {
      const DINodeArray members = type->getElements();
      uint64_t found = 0, offset = 0;
      for (uint64_t m = 0; m < members.size(); ++m)
        if (auto *member = dyn_cast<DIDerivedType>(members[unsigned(m)]);
            member && member->getOffsetInBits() <= bits) {
          found = m;
          offset = member->getOffsetInBits();
        }
      whole = elementOf(whole, found);
      bits -= offset;
      continue;
    }
    DIType *element = withoutNames(type->getBaseType());
    const uint64_t stride = element ? element->getSizeInBits() : 0;
    if (!stride)
      break;
    whole = elementOf(whole, bits / stride);
    bits %= stride;
  }
  return whole;
}

/// No instruction will be made for it, or none that counts.
bool isMove(const Instruction &inst) {
  return isa<BitCastInst, ExtractElementInst, ExtractValueInst, ShuffleVectorInst>(inst) ||
         (isa<ZExtInst>(inst) && inst.getOperand(0)->getType()->isIntegerTy(1)); // bool in memory
}

class ValueNamer {
public:
  explicit ValueNamer(Function &function) : function(function), layout(function.getDataLayout()) {}

  void run() {
    countNames();
    findVariables();
    for (Instruction &inst : instructions(function))
      if (auto *store = dyn_cast<StoreInst>(&inst))
        nameStored(*store);
    // Names of values without a variable: of code that was optimised before.
    for (Instruction &inst : instructions(function))
      for (const DbgVariableRecord &record : filterDbgVars(inst.getDbgRecordRange()))
        if (const DILocalVariable *variable = record.getVariable(); variable->isArtificial())
          name(record.getVariableLocationOp(0), {variable->getName().str(), variable->getType()});
    addNames();
  }

private:
  void countNames();
  void findVariables();
  void addNames();
  void nameStored(StoreInst &store);
  void name(Value *value, const Part &part, unsigned depth = 0);
  void nameParts(Value *aggregate, const Part &part, unsigned depth);
  void place(Instruction &inst, const Part &part);

  Function &function;
  const DataLayout &layout;
  DenseMap<const Value *, Part> variables;
  SmallPtrSet<const Instruction *, 32> named;
  std::map<std::string, uint64_t> numbers;
  std::vector<std::string> names; ///< of the numbers from firstNumber on
  uint64_t firstNumber = 1;
};

/// Of a parameter that was inlined the variable has two names: glslang calls what it hands over
/// "param".
void ValueNamer::findVariables() {
  for (Instruction &inst : instructions(function))
    if (isa<AllocaInst>(inst))
      for (const DbgVariableRecord *record : findDVRDeclares(&inst)) {
        const DILocalVariable *variable = record->getVariable();
        Part &part = variables[&inst];
        if (part.name.empty() || part.name == "param")
          part = {variable->getName().str(), variable->getType()};
      }
}

void ValueNamer::nameStored(StoreInst &store) {
  if (store.getPointerAddressSpace() != AddrSpace::Private)
    return;
  APInt offset(layout.getIndexTypeSizeInBits(store.getPointerOperandType()), 0);
  const Value *base = store.getPointerOperand()->stripAndAccumulateConstantOffsets(
      layout, offset, /*AllowNonInbounds=*/true);
  if (const auto found = variables.find(base); found != variables.end())
    return name(store.getValueOperand(),
                partAt(found->second, 8 * offset.getZExtValue(),
                       layout.getTypeAllocSizeInBits(store.getValueOperand()->getType())));
  const auto found = variables.find(getUnderlyingObject(store.getPointerOperand()));
  if (found != variables.end())
    name(store.getValueOperand(), {found->second.name + "[...]", nullptr});
}

void ValueNamer::name(Value *value, const Part &part, unsigned depth) {
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || depth > depthMax || !named.insert(inst).second)
    return;
  // Copies of other variables are these variables' values.
  if (auto *load = dyn_cast<LoadInst>(inst);
      load && load->getPointerAddressSpace() == AddrSpace::Private)
    return;
  place(*inst, part);
  if (isa<InsertElementInst, InsertValueInst>(inst))
    nameParts(inst, part, depth);
  else if (auto *phi = dyn_cast<PHINode>(inst))
    for (Value *incoming : phi->incoming_values())
      name(incoming, part, depth + 1);
  else if (isMove(*inst))
    name(inst->getOperand(0), part, depth + 1);
}

/// What \p aggregate is put together of.
void ValueNamer::nameParts(Value *aggregate, const Part &part, unsigned depth) {
  for (Value *rest = aggregate; auto *inst = dyn_cast<Instruction>(rest);
       rest = inst->getOperand(0)) {
    if (inst != aggregate && !named.insert(inst).second)
      break;
    if (auto *element = dyn_cast<InsertElementInst>(inst)) {
      if (auto *index = dyn_cast<ConstantInt>(element->getOperand(2)))
        name(element->getOperand(1), elementOf(part, index->getZExtValue()), depth + 1);
    } else if (auto *member = dyn_cast<InsertValueInst>(inst)) {
      Part inner = part;
      for (const unsigned index : member->getIndices())
        inner = elementOf(inner, index);
      name(member->getInsertedValueOperand(), inner, depth + 1);
    } else {
      break;
    }
  }
}

void ValueNamer::place(Instruction &inst, const Part &part) {
  const DILocation *location = inst.getDebugLoc();
  if (!location || part.name.size() > lengthMax)
    return;
  const auto [number, isNew] = numbers.try_emplace(part.name, firstNumber + names.size());
  if (isNew)
    names.push_back(part.name);
  DILocalScope *scope = location->getScope();
  LLVMContext &context = function.getContext();
  auto *numbered =
      DILexicalBlockFile::get(context, scope, scope->getFile(), number->second * valueNameStep);
  inst.setDebugLoc(DILocation::get(context, location->getLine(), location->getColumn(), numbered,
                                   location->getInlinedAt(), location->isImplicitCode()));
}

/// Those of functions before this one.
void ValueNamer::countNames() {
  for (const DICompileUnit *unit : function.getParent()->debug_compile_units())
    for (const DICompositeType *type : unit->getEnumTypes())
      firstNumber += type->getElements().size();
}

void ValueNamer::addNames() {
  if (names.empty())
    return;
  DICompileUnit *unit = function.getSubprogram()->getUnit();
  DIBuilder builder(*function.getParent(), /*AllowUnresolved=*/false);
  SmallVector<Metadata *, 32> entries,
      types(unit->getEnumTypes().begin(), unit->getEnumTypes().end());
  for (size_t i = 0; i < names.size(); ++i)
    entries.push_back(builder.createEnumerator(names[i], firstNumber + i, /*IsUnsigned=*/true));
  LLVMContext &context = function.getContext();
  types.push_back(DICompositeType::getDistinct(
      context, dwarf::DW_TAG_enumeration_type, valueNames, unit->getFile(), 0, unit,
      builder.createBasicType("uint", 32, dwarf::DW_ATE_unsigned), 32, 0, 0, DINode::FlagZero,
      MDTuple::get(context, entries), 0, std::nullopt, nullptr));
  unit->replaceEnumTypes(MDTuple::get(context, types));
}

} // namespace

void nameValues(Function &function) { ValueNamer(function).run(); }

} // namespace lgc
