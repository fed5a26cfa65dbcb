//===- FixedVariables.cpp - variables that hold the same all the time -----===//
// SPDX-License-Identifier: MIT
/// \file
/// Function variables that are stored once, whole, and otherwise only read through access chains.
/// Where a constant is stored, which is glslang's way to index a constant array, the variable
/// becomes a constant global. Where it is what a block holds that nobody writes, at a place that is
/// the same everywhere, no copy is made: what is read of the variable is read from the block.
/// Before the store the variable holds nothing that may be relied on, so that it does not matter
/// where the store stands.
///   %all = OpLoad %block %pointer          nothing
///   OpStore %copy %all                     nothing
///   %p = OpAccessChain %copy %member %i    a place in the block
///   %x = OpLoad %float %p                  a load from the block
/// Copies of few scalars that are read at constant places only are made: they are registers.
#include "lgc/LargeValues.h"
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {
namespace {

/// Types that differ in their layout at most; as OpCopyLogical has them.
bool match(const Translator &t, Id a, Id b, unsigned depth = 0) {
  constexpr unsigned depthMax = 16;
  if (a == b)
    return true;
  const Inst *first = t.spv.definition(a), *second = t.spv.definition(b);
  if (!first || !second || first->opcode != second->opcode || first->size() != second->size() ||
      depth == depthMax)
    return false;
  if (first->opcode == spv::Op::OpTypeArray)
    return (*first)[1] == (*second)[1] && match(t, (*first)[0], (*second)[0], depth + 1);
  return first->opcode == spv::Op::OpTypeStruct &&
         all_of(zip(first->operands, second->operands), [&](const auto &members) {
           return match(t, std::get<0>(members), std::get<1>(members), depth + 1);
         });
}

class Finder {
public:
  Finder(Translator &t, const spirv::Function &function) : t(t), function(function) {}

  void run() {
    for (const spirv::Block &block : function.blocks)
      for (const Inst &inst : block.insts)
        visit(inst);
    finish();
  }

private:
  void visit(const Inst &inst) {
    if (inst.opcode == spv::Op::OpVariable && inst.size() == 1) {
      variables[inst.resultId].variable = &inst;
      owners[inst.resultId] = inst.resultId;
      return;
    }
    if (variables.empty())
      return;
    if (inst.opcode == spv::Op::OpStore && inst.size() == 2) {
      if (auto owner = owners.find(inst[0]); owner != owners.end()) {
        Use &use = variables[owner->second];
        use.isOther |= use.store || owner->second != inst[0];
        use.store = &inst;
      }
      noteUse(inst[1]);
      return;
    }
    const bool isChain =
        inst.opcode == spv::Op::OpAccessChain || inst.opcode == spv::Op::OpInBoundsAccessChain;
    if (isChain && variables.count(inst[0])) {
      owners[inst.resultId] = inst[0];
      for (Id index : inst.operands.drop_front())
        variables[inst[0]].isIndexed |= !isConstant(index);
      return;
    }
    if (inst.opcode == spv::Op::OpLoad && inst.size() == 1)
      if (auto owner = owners.find(inst[0]); owner != owners.end() && owner->second != inst[0]) {
        variables[owner->second].hasAggregateLoads |= isAggregate(inst.typeId);
        return;
      }
    for (uint32_t operand : inst.operands) // literals may match by chance: only pessimistic
      noteUse(operand);
  }

  void finish() {
    for (const auto &[id, use] : variables)
      if (use.store && !use.isOther) {
        if (isConstant((*use.store)[1]))
          t.internals().current.constantTables[id] = (*use.store)[1];
        else
          findCopy(id, use);
      }
  }

  struct Use {
    const Inst *variable = nullptr, *store = nullptr;
    bool isOther = false, isIndexed = false, hasAggregateLoads = false;
  };

  bool isConstant(Id id) const {
    const Inst *value = t.spv.definition(id);
    return value && isConstantOpcode(value->opcode) && value->opcode != spv::Op::OpUndef;
  }
  bool isAggregate(Id typeId) const {
    const Inst *type = t.spv.definition(typeId);
    return type && (type->opcode == spv::Op::OpTypeStruct || type->opcode == spv::Op::OpTypeArray);
  }
  bool isLarge(Id typeId) const {
    auto type = t.memoryType(typeId);
    if (type)
      return lgc::isLargeValue(*type);
    consumeError(type.takeError()); // whoever translates the variable says it
    return false;
  }

  void noteUse(uint32_t operand) {
    if (operand >= t.spv.bound())
      return;
    if (auto owner = owners.find(operand); owner != owners.end())
      variables[owner->second].isOther = true;
  }

  /// Counted once somebody asks, which is seldom. Literals may match by chance: only pessimistic.
  unsigned usesOf(Id id) {
    if (uses.empty())
      for (const spirv::Block &block : function.blocks)
        for (const Inst &inst : block.insts)
          for (uint32_t operand : inst.operands)
            if (operand < t.spv.bound())
              ++uses[operand];
    return uses.lookup(id);
  }

  /// A buffer, or a place in one that constants name.
  bool isFixedPlace(const Inst &pointer) const {
    const Inst *variable = &pointer;
    if (pointer.opcode == spv::Op::OpAccessChain ||
        pointer.opcode == spv::Op::OpInBoundsAccessChain) {
      variable = t.spv.definition(pointer[0]);
      if (!all_of(pointer.operands.drop_front(), [&](Id index) { return isConstant(index); }))
        return false;
    }
    if (!variable || variable->opcode != spv::Op::OpVariable)
      return false;
    const auto storage = static_cast<spv::StorageClass>((*variable)[0]);
    return storage == spv::StorageClass::Uniform || storage == spv::StorageClass::StorageBuffer;
  }

  void findCopy(Id id, const Use &use) {
    const Inst *pointer = t.spv.definition(use.variable->typeId);
    if (use.hasAggregateLoads || !pointer || pointer->opcode != spv::Op::OpTypePointer ||
        !isAggregate((*pointer)[1]) || !(use.isIndexed || isLarge((*pointer)[1])))
      return;
    FixedCopy copy = {nullptr, {use.store}};
    const Inst *value = t.spv.definition((*use.store)[1]);
    if (value && value->opcode == spv::Op::OpCopyLogical) {
      copy.instead.push_back(value);
      value = t.spv.definition((*value)[0]);
    }
    if (!value || value->opcode != spv::Op::OpLoad || value->size() != 1 ||
        !match(t, value->typeId, (*pointer)[1]))
      return;
    copy.instead.push_back(value);
    // What an untyped pointer points to may be laid out in another way than what is loaded.
    copy.source = t.spv.definition((*value)[0]);
    if (!copy.source || t.spv.isUntypedPointer((*value)[0]) || !isFixedPlace(*copy.source))
      return;
    // What somebody else uses, too, is made.
    for (unsigned i = 1; i < copy.instead.size(); ++i)
      if (usesOf(copy.instead[i]->resultId) != 1)
        copy.instead.truncate(i);
    t.internals().current.fixedCopies[id] = std::move(copy);
  }

  Translator &t;
  const spirv::Function &function;
  MapVector<Id, Use> variables;
  DenseMap<Id, Id> owners; ///< variable or access chain -> variable
  DenseMap<Id, unsigned> uses;
};

} // namespace

void findFixedVariables(Translator &t, const spirv::Function &function) {
  Finder(t, function).run();
}

Expected<bool> readInPlace(Translator &t, const Inst &variable) {
  auto &current = t.internals().current;
  const auto found = current.fixedCopies.find(variable.resultId);
  if (found == current.fixedCopies.end())
    return false;
  const Inst &source = *found->second.source;
  TypedPointer type = KILN_TRY(pointerTypeOf(t, source, source.resultId));
  PointerInfo info;
  Value *place =
      KILN_TRY(t.value(source.opcode == spv::Op::OpVariable ? source.resultId : source[0]));
  if (source.opcode == spv::Op::OpVariable)
    info = t.pointerInfo(source.resultId);
  else
    place = KILN_TRY(followChain(t, source, place, info, type));
  if (!info.invariant || info.isVolatile || info.coherent || info.isHandle || info.nonUniform)
    return false;
  t.internals().values[variable.resultId] = place;
  t.setPointerInfo(variable.resultId, info);
  current.placesInBlocks[variable.resultId] = type;
  current.leftOut.insert_range(found->second.instead);
  return true;
}

} // namespace llpc
