//===- StageLink.cpp - outputs of one stage, inputs of the next -------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/interface/StageLink.h"
#include "lgc/CompileError.h"
#include "lgc/Ops.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace lgc {
namespace {

bool isBuiltIn(uint32_t slot) { return slot >= Slot::Position; }

/// Elements of a value with `count` of them that somebody uses.
unsigned usedElements(const Value &value, unsigned count) {
  unsigned mask = 0, all = (1u << count) - 1;
  if (!value.getType()->isVectorTy())
    return value.use_empty() ? 0 : all;
  for (const User *user : value.users()) {
    if (const auto *shuffle = dyn_cast<ShuffleVectorInst>(user)) {
      for (int lane : shuffle->getShuffleMask()) {
        auto element = static_cast<unsigned>(lane); // poison lanes become large
        bool second = element >= count && element < 2 * count;
        if (element < 2 * count && shuffle->getOperand(second) == &value)
          mask |= 1u << (second ? element - count : element);
      }
      continue;
    }
    const auto *extract = dyn_cast<ExtractElementInst>(user);
    const auto *insert = dyn_cast<InsertElementInst>(user);
    const auto *index = extract  ? dyn_cast<ConstantInt>(extract->getIndexOperand())
                        : insert ? dyn_cast<ConstantInt>(insert->getOperand(2))
                                 : nullptr;
    if (!index || index->uge(count))
      return all;
    unsigned bit = 1u << index->getZExtValue();
    mask |= extract ? bit : usedElements(*insert, count) & ~bit;
  }
  return mask;
}

/// Removes a store and what was computed for it alone.
void eraseStore(CallInst &store) {
  SmallVector<WeakTrackingVH, 4> operands;
  for (Value *operand : store.args())
    if (isa<Instruction>(operand))
      operands.push_back(operand);
  store.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(operands);
}

std::string placeText(uint32_t slot, unsigned component) {
  std::string text = isBuiltIn(slot)       ? "built-in slot " + std::to_string(slot)
                     : slot >= Slot::Patch ? "patch location " + std::to_string(slot - Slot::Patch)
                     : slot >= Slot::Primitive
                         ? "primitive location " + std::to_string(slot - Slot::Primitive)
                         : "location " + std::to_string(slot);
  return text + " component " + std::to_string(component);
}

AttributeMode modeOf(const CallInst &load) {
  if (isa<InputInterpolateOp>(load))
    return load.getType()->getScalarType()->isHalfTy() ? AttributeMode::SmoothHalf
                                                       : AttributeMode::Smooth;
  return isAbsent(load.getArgOperand(3)) ? AttributeMode::Flat : AttributeMode::PerVertex;
}

} // namespace

InterfaceAccess::InterfaceAccess(CallInst &call) : call(&call), at(call) {
  Type *type = at.value ? at.value->getType() : call.getType();
  auto *vector = dyn_cast<FixedVectorType>(type);
  components = vector ? vector->getNumElements() : 1;
  scalar = type->getScalarType();
  demanded = at.value ? (1u << components) - 1 : usedElements(call, components);
}

StageLink::StageLink(const PipelineState &state, ShaderStage producerStage, Function &producer,
                     ShaderStage consumerStage, Function *consumer)
    : state(state), producerStage(producerStage), consumerStage(consumerStage), producer(producer),
      consumer(consumer) {}

void StageLink::addRead(const InterfaceAccess &load, AttributeMode mode) {
  for (uint32_t slot = load.at.slot; slot < load.at.slot + load.at.slots; ++slot) {
    for (unsigned i = 0; i < load.components; ++i) {
      if (!(load.demanded >> i & 1))
        continue;
      InterfaceComponent &component = components[{slot, load.at.component + i}];
      component.isRead = true;
      component.readBits = load.scalar->getPrimitiveSizeInBits().getFixedValue();
      if (component.mode == AttributeMode::None)
        component.mode = mode;
    }
  }
}

void StageLink::addLoad(CallInst &call, bool isReadBack) {
  InterfaceAccess load(call);
  AttributeMode mode =
      consumerStage == ShaderStage::Fragment && !isReadBack ? modeOf(call) : AttributeMode::None;
  addRead(load, mode);
  (isReadBack ? readBacks : loads).push_back(load);
}

void StageLink::addStore(CallInst &call) {
  InterfaceAccess store(call);
  stores.push_back(store);
  for (uint32_t slot = store.at.slot; slot < store.at.slot + store.at.slots; ++slot) {
    for (unsigned i = 0; i < store.components; ++i) {
      InterfaceComponent &component = components[{slot, store.at.component + i}];
      component.isWritten = true;
      component.writtenBits = store.scalar->getPrimitiveSizeInBits().getFixedValue();
      if (isa<UndefValue>(store.at.value))
        continue;
      auto *value = dyn_cast<Constant>(store.at.value);
      Constant *element =
          value && value->getType()->isVectorTy() ? value->getAggregateElement(i) : value;
      if (element && isa<UndefValue>(element))
        continue;
      // A dynamic element: one of several slots gets the value.
      bool same = element && !store.isDynamic() && (isa<ConstantInt, ConstantFP>(element)) &&
                  (!component.constant || component.constant == element);
      component.isVarying |= !same;
      component.constant = element;
    }
  }
}

void StageLink::collect() {
  stores.clear();
  loads.clear();
  readBacks.clear();
  components.clear();
  const bool streams = producerStage == ShaderStage::Geometry;
  for (Instruction &inst : make_early_inc_range(instructions(producer))) {
    auto *call = dyn_cast<CallInst>(&inst);
    if (!call)
      continue;
    if (isa<OutputStoreOp>(call)) {
      // What is not rasterised matters to transform feedback only, which has stores of its own.
      const auto *stream = dyn_cast<ConstantInt>(call->getArgOperand(4));
      if (streams && (stream ? stream->getZExtValue() : 0) != state.graphics.rsState.rasterStream)
        call->eraseFromParent();
      else
        addStore(*call);
    } else if (isa<OutputLoadOp>(call)) {
      if (call->use_empty())
        call->eraseFromParent();
      else
        addLoad(*call, /*isReadBack=*/true);
    }
  }
  if (!consumer)
    return;
  for (Instruction &inst : make_early_inc_range(instructions(*consumer))) {
    auto *call = dyn_cast<CallInst>(&inst);
    if (!call || !(isa<InputLoadOp>(call) || isa<InputInterpolateOp>(call)))
      continue;
    if (call->use_empty())
      call->eraseFromParent();
    else
      addLoad(*call, /*isReadBack=*/false);
  }
}

Error StageLink::checkWidths() const {
  for (const auto &[place, component] : components)
    if (component.writtenBits && component.readBits && component.writtenBits != component.readBits)
      return invalidInput(
          placeText(place.first, place.second) + ": " + shaderStageName(producerStage) +
          " shader writes " + Twine(component.writtenBits) + " bits, " +
          shaderStageName(consumerStage) + " shader reads " + Twine(component.readBits) + " bits");
  return Error::success();
}

/// The value of a component that is the same whatever the producer does; null when there is none.
Constant *StageLink::knownValue(uint32_t slot, unsigned component, Type *type) const {
  const auto found = components.find({slot, component});
  if (found == components.end())
    return nullptr;
  const InterfaceComponent &info = found->second;
  if (!info.isWritten) {
    // Built-ins that nobody writes may come from the hardware (PrimitiveId).
    bool mayBeSupplied = isBuiltIn(slot) && consumerStage == ShaderStage::Fragment;
    return mayBeSupplied ? nullptr : Constant::getNullValue(type);
  }
  if (info.isVarying)
    return nullptr;
  if (!info.constant)
    return Constant::getNullValue(type); // undefined
  if (info.constant->getType() == type)
    return info.constant;
  return ConstantFoldCastOperand(Instruction::BitCast, info.constant, type,
                                 producer.getDataLayout());
}

void StageLink::replaceLoads() {
  for (const InterfaceAccess &load : loads) {
    if (load.isDynamic())
      continue;
    for (unsigned i = 0; i < load.components; ++i) {
      Constant *value = load.demanded >> i & 1
                            ? knownValue(load.at.slot, load.at.component + i, load.scalar)
                            : nullptr;
      if (!value)
        continue;
      if (!load.call->getType()->isVectorTy()) {
        load.call->replaceAllUsesWith(value);
        continue;
      }
      // Extracts of this element first, so that the load is seen not to be asked for it.
      for (User *user : make_early_inc_range(load.call->users())) {
        auto *extract = dyn_cast<ExtractElementInst>(user);
        auto *index = extract ? dyn_cast<ConstantInt>(extract->getIndexOperand()) : nullptr;
        if (!index || !index->equalsInt(i))
          continue;
        extract->replaceAllUsesWith(value);
        extract->eraseFromParent();
      }
      if (load.call->use_empty())
        continue;
      IRBuilder<> b(load.call->getNextNode());
      auto *inserted =
          cast<Instruction>(b.Insert(InsertElementInst::Create(load.call, value, b.getInt32(i))));
      load.call->replaceUsesWithIf(inserted, [&](Use &use) { return use.getUser() != inserted; });
    }
  }
}

/// Does the fixed function or a later part of the pipeline take the output?
bool StageLink::isNeeded(uint32_t slot) const {
  switch (producerStage) {
  case ShaderStage::TessControl:
    return slot == Slot::TessLevelOuter || slot == Slot::TessLevelInner;
  default:
    break;
  }
  // What the rasteriser takes, of the stage in front of it.
  const bool isLast = !consumer || consumerStage == ShaderStage::Fragment;
  return isLast && isBuiltIn(slot) && slot != Slot::PrimitiveId;
}

void StageLink::removeStores() {
  for (const InterfaceAccess &store : stores) {
    bool needed = false;
    for (uint32_t slot = store.at.slot; slot < store.at.slot + store.at.slots; ++slot) {
      needed |= isNeeded(slot);
      for (unsigned i = 0; i < store.components; ++i)
        needed |= components[{slot, store.at.component + i}].isRead;
    }
    if (!needed)
      eraseStore(*store.call);
  }
}

Error StageLink::simplify() {
  collect();
  KILN_TRY(checkWidths());
  replaceLoads();
  collect();
  removeStores();
  return Error::success();
}

//===--- Places of attributes -----------------------------------------------===//

std::vector<StageLink::Block> StageLink::findBlocks() const {
  std::vector<Block> blocks;
  for (const auto *accesses : {&stores, &loads, &readBacks})
    for (const InterfaceAccess &access : *accesses)
      if (access.isDynamic() && !isBuiltIn(access.at.slot))
        blocks.push_back({access.at.slot, access.at.slot + access.at.slots, 0});
  sort(blocks, [](const Block &a, const Block &b) { return a.begin < b.begin; });
  std::vector<Block> merged;
  for (const Block &block : blocks) {
    if (!merged.empty() && block.begin < merged.back().end)
      merged.back().end = std::max(merged.back().end, block.end);
    else
      merged.push_back(block);
  }
  return merged;
}

const StageLink::Block *StageLink::blockOf(ArrayRef<Block> blocks, uint32_t slot) {
  const auto *found =
      find_if(blocks, [slot](const Block &b) { return slot >= b.begin && slot < b.end; });
  return found == blocks.end() ? nullptr : found;
}

StageLink::PlaceMap StageLink::choosePlaces(std::vector<Block> &blocks) const {
  PlaceMap places;
  for (auto [begin, end] : {std::pair<uint32_t, uint32_t>(Slot::Generic, Slot::GenericEnd),
                            std::pair<uint32_t, uint32_t>(Slot::Primitive, Slot::PrimitiveEnd)}) {
    uint32_t next = begin;
    for (Block &block : blocks) {
      if (block.begin < begin || block.begin >= end)
        continue;
      block.place = next;
      next += block.end - block.begin;
    }
    SmallVector<Place, 12> gaps; // in slots that are begun
    const Place *gap = nullptr;
    // None, last: what only the producer, a mesh shader, reads back. It goes into the gaps first,
    // so that it takes no attribute of its own unless it must.
    for (AttributeMode mode :
         {AttributeMode::Smooth, AttributeMode::SmoothHalf, AttributeMode::Flat,
          AttributeMode::PerVertex, AttributeMode::None}) {
      unsigned used = 0; // components of slot `next`
      for (const auto &[place, component] : components) {
        if (place.first < begin || place.first >= end || component.mode != mode ||
            !component.isRead || !component.isWritten || blockOf(blocks, place.first))
          continue;
        if (mode == AttributeMode::None && gap != gaps.end()) {
          places[place] = *gap++;
          continue;
        }
        if (used == 4) {
          ++next;
          used = 0;
        }
        places[place] = {next, used++};
      }
      for (; used && used < 4; ++used)
        gaps.push_back({next, used});
      if (used)
        ++next;
      gap = gaps.begin();
    }
  }
  return places;
}

/// Makes operations for the new places of what `access` accesses: one for each run of components
/// that still stand in a row.
void StageLink::moveAccess(const InterfaceAccess &access, ArrayRef<Block> blocks,
                           const PlaceMap &places) const {
  CallInst &call = *access.call;
  IRBuilder<> b(&call);
  const unsigned slotIndex = access.at.value ? 1 : 0;
  if (const Block *block = blockOf(blocks, access.at.slot)) {
    uint32_t slot = block->place + (access.at.slot - block->begin);
    call.setArgOperand(slotIndex, b.getInt32(slotOperand(slot, access.at.slots)));
    if (!access.isDynamic())
      call.setArgOperand(slotIndex + 2, b.getInt32(0));
    return;
  }
  const bool isVector = access.components > 1;
  // Some value where a mesh shader reads back what it never writes.
  Value *result = access.at.value ? nullptr : Constant::getNullValue(call.getType());
  for (unsigned i = 0; i < access.components;) {
    auto found = places.find({access.at.slot, access.at.component + i});
    if (found == places.end() || !(access.demanded >> i & 1)) {
      ++i;
      continue;
    }
    const Place first = found->second;
    unsigned count = 1;
    for (; i + count < access.components && access.demanded >> (i + count) & 1; ++count) {
      auto next = places.find({access.at.slot, access.at.component + i + count});
      if (next == places.end() || next->second.slot != first.slot ||
          next->second.component != first.component + count)
        break;
    }
    Type *type = count > 1 ? FixedVectorType::get(access.scalar, count) : access.scalar;
    SmallVector<Value *, 5> args(call.args());
    args[slotIndex] = b.getInt32(first.slot);
    args[slotIndex + 1] = b.getInt32(first.component);
    args[slotIndex + 2] = b.getInt32(0);
    if (access.at.value) {
      SmallVector<int, 4> lanes;
      for (unsigned j = 0; j < count; ++j)
        lanes.push_back(static_cast<int>(i + j));
      args[0] = count == access.components ? access.at.value
                : count > 1                ? b.CreateShuffleVector(access.at.value, lanes)
                                           : b.CreateExtractElement(access.at.value, i);
      createOp(b, OpId::OutputStoreOp, b.getVoidTy(), args);
    } else {
      Value *part = createOp(b, opIdOf(call), type, args);
      for (unsigned j = 0; j < count && isVector; ++j)
        result = b.CreateInsertElement(result, count > 1 ? b.CreateExtractElement(part, j) : part,
                                       i + j);
      if (!isVector)
        result = part;
    }
    i += count;
  }
  if (result)
    call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

void StageLink::pack() {
  collect();
  std::vector<Block> blocks = findBlocks();
  PlaceMap places = choosePlaces(blocks);
  for (const auto *accesses : {&stores, &loads, &readBacks})
    for (const InterfaceAccess &access : *accesses)
      if (!isBuiltIn(access.at.slot))
        moveAccess(access, blocks, places);
}

} // namespace lgc
