//===- AttributeSlots.cpp - slots between vertices and fragments -> attributes //
// SPDX-License-Identifier: MIT
#include "lgc/lowering/AttributeSlots.h"
#include "lgc/Interface.h"
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Metadata.h"
#include <set>

using namespace llvm;

namespace lgc {
namespace {

constexpr StringLiteral attributesNode = "lgc.attributes";

void noteAttributes(Module &module, ArrayRef<uint32_t> slots) {
  LLVMContext &context = module.getContext();
  SmallVector<Metadata *, 8> operands;
  for (uint32_t slot : slots)
    operands.push_back(ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), slot)));
  NamedMDNode *node = module.getOrInsertNamedMetadata(attributesNode);
  node->clearOperands();
  node->addOperand(MDNode::get(context, operands));
}

std::optional<std::vector<uint32_t>> notedAttributes(const Module &module) {
  const NamedMDNode *node = module.getNamedMetadata(attributesNode);
  if (!node || node->getNumOperands() != 1)
    return std::nullopt;
  std::vector<uint32_t> slots;
  for (const MDOperand &operand : node->getOperand(0)->operands())
    if (auto *slot = mdconst::dyn_extract_or_null<ConstantInt>(operand))
      slots.push_back(static_cast<uint32_t>(slot->getZExtValue()));
  return slots;
}

} // namespace

bool isAttributeSlot(uint32_t slot) {
  if (slot < Slot::GenericEnd || (slot >= Slot::Primitive && slot < Slot::PrimitiveEnd))
    return true;
  return slot >= Slot::ClipDistance && slot <= Slot::PrimitiveId;
}

bool isPrimitiveSlot(const PipelineState &state, uint32_t slot) {
  if (slot >= Slot::Primitive && slot < Slot::PrimitiveEnd)
    return true;
  return state.graphics.has(ShaderStage::Mesh) && slot >= Slot::Layer && slot <= Slot::PrimitiveId;
}

std::vector<uint32_t> storedSlots(const Function &function) {
  std::set<uint32_t> slots;
  for (const Instruction &instruction : instructions(function)) {
    const auto *store = dyn_cast<OutputStoreOp>(&instruction);
    if (!store)
      continue;
    uint32_t first = slotNumber(store->constArg(1)), count = 1;
    if (auto *element = dyn_cast<ConstantInt>(store->getArgOperand(3)))
      first += static_cast<uint32_t>(element->getZExtValue());
    else
      count = slotsReached(store->constArg(1));
    for (uint32_t i = 0; i < count; ++i)
      slots.insert(first + i);
  }
  return {slots.begin(), slots.end()};
}

AttributeSlots::AttributeSlots(const PipelineState &state, ArrayRef<uint32_t> slots) {
  // Numbers of Slot are in the order that the rule wants.
  std::set<uint32_t> sorted;
  for (uint32_t slot : slots)
    if (isAttributeSlot(slot))
      sorted.insert(slot);
  for (uint32_t slot : sorted)
    (isPrimitiveSlot(state, slot) ? primitive : vertex).push_back(slot);
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
  needsDummy = target && target->major >= 11 && vertex.empty() && !primitive.empty();
}

unsigned AttributeSlots::primitiveBase() const {
  return static_cast<unsigned>(vertex.size()) + (needsDummy ? 1 : 0);
}

unsigned AttributeSlots::attributeCount() const {
  return primitiveBase() + static_cast<unsigned>(primitive.size());
}

std::optional<unsigned> AttributeSlots::find(uint32_t slot) const {
  if (auto found = llvm::find(vertex, slot); found != vertex.end())
    return static_cast<unsigned>(found - vertex.begin());
  if (auto found = llvm::find(primitive, slot); found != primitive.end())
    return primitiveBase() + static_cast<unsigned>(found - primitive.begin());
  return std::nullopt;
}

AttributeSlots AttributeSlots::forExport(const Module &module, const PipelineState &state,
                                         ArrayRef<uint32_t> written) {
  if (std::optional<std::vector<uint32_t>> noted = notedAttributes(module))
    return AttributeSlots(state, *noted);
  return AttributeSlots(state, written);
}

AttributeSlots AttributeSlots::forInputs(Module &module, const PipelineState &state,
                                         ArrayRef<uint32_t> read) {
  ShaderStage last = planStages(state).lastVertexStage;
  const Function *writer = findShader(module, last);
  if (!writer)
    return AttributeSlots(state, read);
  std::vector<uint32_t> written = storedSlots(*writer);
  // HW: the primitive number of a draw is known behind stages that cannot make primitives.
  if (last == ShaderStage::Vertex || last == ShaderStage::TessEval)
    written.push_back(Slot::PrimitiveId);
  std::vector<uint32_t> both;
  for (uint32_t slot : read)
    if (isAttributeSlot(slot) && is_contained(written, slot))
      both.push_back(slot);
  llvm::sort(both);
  both.erase(llvm::unique(both), both.end());
  noteAttributes(module, both);
  return AttributeSlots(state, both);
}

} // namespace lgc
