//===- AttributeSlots.cpp - slots between vertices and fragments -> attributes //
// SPDX-License-Identifier: MIT
#include "lgc/lowering/interface/AttributeSlots.h"
#include "lgc/Interface.h"
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include <map>
#include <set>

using namespace llvm;

namespace lgc {
namespace {

bool isGeneric(uint32_t slot) { return slot < Slot::GenericEnd; }
bool isPrimitive(uint32_t slot) { return slot >= Slot::Primitive && slot < Slot::PrimitiveEnd; }
bool isBuiltIn(uint32_t slot) { return slot >= Slot::Position && slot < Slot::End; }

/// What an access with these operands reaches.
void addReached(std::set<uint32_t> &slots, uint32_t operand, const Value *element) {
  uint32_t first = slotNumber(operand), count = 1;
  if (auto *constant = dyn_cast<ConstantInt>(element))
    first += static_cast<uint32_t>(constant->getZExtValue());
  else
    count = slotsReached(operand);
  for (uint32_t i = 0; i < count; ++i)
    slots.insert(first + i);
}

uint32_t firstFree(ArrayRef<uint32_t> a, ArrayRef<uint32_t> b, uint32_t begin, uint32_t end) {
  uint32_t free = begin;
  for (ArrayRef<uint32_t> slots : {a, b})
    for (uint32_t slot : slots)
      if (slot >= begin && slot < end)
        free = std::max(free, slot + 1);
  return free;
}

using SlotMap = std::map<uint32_t, uint32_t>;

/// A new operand for an access whose slot is in `map`; the slots of an array keep their distance,
/// because ascending slots get ascending numbers. The element is folded in.
template <typename Op> void renumber(Op &op, unsigned slotIndex, const SlotMap &map) {
  uint32_t slot = slotNumber(op.constArg(slotIndex));
  auto *element = dyn_cast<ConstantInt>(op.getArgOperand(slotIndex + 2));
  if (element)
    slot += static_cast<uint32_t>(element->getZExtValue());
  auto found = map.find(slot);
  if (found == map.end())
    return;
  Type *i32 = Type::getInt32Ty(op.getContext());
  uint32_t count = element ? 1 : slotsReached(op.constArg(slotIndex));
  op.setArgOperand(slotIndex, ConstantInt::get(i32, slotOperand(found->second, count)));
  if (element)
    op.setArgOperand(slotIndex + 2, ConstantInt::get(i32, 0));
}

/// Stores values of mapped slots to their new slots too.
void doubleStores(Function &writer, const SlotMap &map) {
  std::vector<OutputStoreOp *> stores;
  for (Instruction &instruction : instructions(writer))
    if (auto *store = dyn_cast<OutputStoreOp>(&instruction))
      stores.push_back(store);
  for (OutputStoreOp *store : stores) {
    uint32_t slot = slotNumber(store->constArg(1));
    if (auto *element = dyn_cast<ConstantInt>(store->getArgOperand(3)))
      slot += static_cast<uint32_t>(element->getZExtValue());
    if (!map.count(slot))
      continue;
    auto *copy = cast<OutputStoreOp>(store->clone());
    copy->insertAfter(store->getIterator());
    renumber(*copy, 1, map);
  }
}

/// The number of the primitive that the hardware counts, as an output of vertices.
void storePrimitiveId(Function &writer, uint32_t slot) {
  for (BasicBlock &block : writer) {
    auto *end = dyn_cast<ReturnInst>(block.getTerminator());
    if (!end)
      continue;
    IRBuilder<> b(end);
    Value *id = createOp(b, OpId::BuiltinOp, b.getInt32Ty(),
                         {b.getInt32(static_cast<uint32_t>(BuiltIn::InputPrimitiveId))});
    createOp(b, OpId::OutputStoreOp, b.getVoidTy(),
             {id, b.getInt32(slot), b.getInt32(0), b.getInt32(0), absent(b.getContext())});
  }
}

} // namespace

std::vector<uint32_t> storedSlots(const Function &function) {
  std::set<uint32_t> slots;
  for (const Instruction &instruction : instructions(function))
    if (const auto *store = dyn_cast<OutputStoreOp>(&instruction))
      addReached(slots, store->constArg(1), store->getArgOperand(3));
  return {slots.begin(), slots.end()};
}

std::vector<uint32_t> loadedSlots(const Function &function) {
  std::set<uint32_t> slots;
  for (const Instruction &instruction : instructions(function)) {
    if (const auto *load = dyn_cast<InputLoadOp>(&instruction))
      addReached(slots, load->constArg(0), load->getArgOperand(2));
    else if (const auto *interpolate = dyn_cast<InputInterpolateOp>(&instruction))
      addReached(slots, interpolate->constArg(0), interpolate->getArgOperand(2));
  }
  return {slots.begin(), slots.end()};
}

void linkBuiltInSlots(Module &module, const PipelineState &state) {
  ShaderStage last = planStages(state).lastVertexStage;
  Function *writer = findShader(module, last);
  Function *reader = findShader(module, ShaderStage::Fragment);
  if (!writer || !reader)
    return;
  std::vector<uint32_t> written = storedSlots(*writer), read = loadedSlots(*reader);
  uint32_t nextGeneric = firstFree(written, read, Slot::Generic, Slot::GenericEnd);
  uint32_t nextPrimitive = firstFree(written, read, Slot::Primitive, Slot::PrimitiveEnd);
  bool suppliesId = last == ShaderStage::Vertex || last == ShaderStage::TessEval;
  SlotMap map;
  for (uint32_t slot : read) {
    if (!isBuiltIn(slot))
      continue;
    bool isWritten = is_contained(written, slot);
    if (!isWritten && !(slot == Slot::PrimitiveId && suppliesId))
      continue;
    bool perPrimitive =
        last == ShaderStage::Mesh && slot >= Slot::Layer && slot <= Slot::ShadingRate;
    map[slot] = perPrimitive ? nextPrimitive++ : nextGeneric++;
    if (!isWritten)
      storePrimitiveId(*writer, map[slot]);
  }
  if (map.empty())
    return;
  doubleStores(*writer, map);
  for (Instruction &instruction : instructions(*reader)) {
    if (auto *load = dyn_cast<InputLoadOp>(&instruction))
      renumber(*load, 0, map);
    else if (auto *interpolate = dyn_cast<InputInterpolateOp>(&instruction))
      renumber(*interpolate, 0, map);
  }
}

AttributeSlots::AttributeSlots(Module &module, const PipelineState &state,
                               ArrayRef<uint32_t> read) {
  const Function *writer = findShader(module, planStages(state).lastVertexStage);
  linked = writer != nullptr;
  if (writer)
    available = storedSlots(*writer);
  else
    available.assign(read.begin(), read.end());
  builtInBase = firstFree(available, {}, Slot::Generic, Slot::GenericEnd);
  primitiveBase = std::max(builtInBase, 1u);
}

std::optional<unsigned> AttributeSlots::find(uint32_t slot) const {
  if (!is_contained(available, slot))
    return std::nullopt;
  if (isGeneric(slot))
    return slot;
  if (isPrimitive(slot))
    return primitiveBase + (slot - Slot::Primitive);
  if (linked)
    return std::nullopt;
  // A fragment shader alone: only the semantic counts, the number just has to be one of its own.
  return builtInBase + static_cast<unsigned>(count_if(available, [slot](uint32_t other) {
           return other < slot && (isBuiltIn(other) || isPrimitive(other));
         }));
}

} // namespace lgc
