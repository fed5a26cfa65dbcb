//===- LowerLargeValues.cpp - long arrays by value live in memory ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// To LLVM a value of array or structure type is as many values as it has scalars: SROA,
/// instruction selection and the register allocator take each of a thousand apart, and their time
/// grows with the square of the length or worse, for values that fit into no registers. Values of
/// more than lgc/LargeValues.h's number get a place in private memory instead, their slot, and what
/// moves them is a memcpy, of which code generation makes a loop.
///
/// A value is written to its slot where it is made. An insertvalue that is the only use of what it
/// changes takes its slot over. A PHI has a second slot, which predecessors write, because the PHIs
/// of a block take their values at the same time. What is not known here loads the value again.
///
/// Functions whose slots would need too much memory stay as they are, and take their time.
///
/// After inlining, so that no function passes such values, and after Private variables are allocas.
/// Before SROA, which would take the values apart.
///   before: %v = load [1000 x i32], ptr addrspace(5) %a
///           %w = insertvalue [1000 x i32] %v, i32 %x, 7
///           store [1000 x i32] %w, ptr addrspace(5) %b
///   after:  call void @llvm.memcpy(ptr %slot, ptr %a, i64 4000)
///           %p = getelementptr [1000 x i32], ptr addrspace(5) %slot, i32 0, i32 7
///           store i32 %x, ptr addrspace(5) %p
///           call void @llvm.memcpy(ptr %b, ptr %slot, i64 4000)
#include "lgc/LargeValues.h"
#include "lgc/Ops.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/memory/ConstantStore.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace lgc {
namespace {

/// Bytes of all slots of a function: half of a stack frame, the other half is for variables.
constexpr uint64_t maxSlotBytes = 1u << 16;

bool isMemory(unsigned addressSpace) {
  return addressSpace == AddrSpace::Private || addressSpace == AddrSpace::Local ||
         addressSpace == AddrSpace::Constant || addressSpace == AddrSpace::Global;
}

class LargeValues {
public:
  explicit LargeValues(Function &function)
      : function(function), layout(function.getParent()->getDataLayout()) {}
  bool run();

private:
  bool isLarge(Type *type);
  bool concerns(const Instruction &inst);
  uint64_t bytesFor(const Instruction &inst);
  AllocaInst *makeSlot(Type *type);
  AllocaInst *slotOf(Value *value);
  Value *placeOf(Value *value);
  void copy(IRBuilder<> &b, Value *to, Value *from, Type *type, MaybeAlign align = {},
            bool isVolatile = false);
  void write(IRBuilder<> &b, Value *to, Value *value, MaybeAlign align = {});
  Value *elementOf(IRBuilder<> &b, Value *place, Type *type, ArrayRef<unsigned> indices);
  StoreInst *onlyStore(LoadInst &load);

  /// True: the instruction is replaced.
  bool lower(Instruction &inst);
  bool lowerLoad(LoadInst &load);
  bool lowerStore(StoreInst &store);
  void lowerInsert(InsertValueInst &insert);
  void lowerExtract(ExtractValueInst &extract);
  void lowerPhi(PHINode &phi);
  void lowerSelect(SelectInst &select);
  void keep(Instruction &inst);

  Function &function;
  const DataLayout &layout;
  DenseMap<Type *, bool> large;
  DenseMap<Value *, AllocaInst *> slots;
  DenseMap<Constant *, AllocaInst *> constants; ///< that are copied from their place
  SmallPtrSet<LoadInst *, 8> moved;             ///< loads that their stores copy themselves
};

bool LargeValues::isLarge(Type *type) {
  if (!type->isAggregateType())
    return false;
  auto [found, isNew] = large.try_emplace(type, false);
  if (isNew)
    found->second = isLargeValue(type);
  return found->second;
}

bool LargeValues::concerns(const Instruction &inst) {
  return isLarge(inst.getType()) ||
         any_of(inst.operands(), [&](const Use &use) { return isLarge(use->getType()); });
}

/// Of slots that the instruction may need at most.
uint64_t LargeValues::bytesFor(const Instruction &inst) {
  uint64_t bytes = 0;
  if (isLarge(inst.getType()))
    bytes = layout.getTypeAllocSize(inst.getType()).getFixedValue() * (isa<PHINode>(inst) ? 2 : 1);
  auto *store = dyn_cast<StoreInst>(&inst);
  if (isa<SelectInst>(inst) || (store && store->isVolatile()))
    for (const Use &use : inst.operands())
      if (isa<Constant>(use.get()) && isLarge(use->getType()))
        bytes = SaturatingAdd(bytes, layout.getTypeAllocSize(use->getType()).getFixedValue());
  return bytes;
}

AllocaInst *LargeValues::makeSlot(Type *type) {
  BasicBlock &entry = function.getEntryBlock();
  IRBuilder<> b(&entry, entry.getFirstInsertionPt());
  return b.CreateAlloca(type, AddrSpace::Private, nullptr, "value");
}

/// Of an instruction or argument.
AllocaInst *LargeValues::slotOf(Value *value) {
  AllocaInst *&slot = slots[value];
  if (slot)
    return slot;
  AllocaInst *made = slot = makeSlot(value->getType());
  if (isa<Argument>(value)) {
    BasicBlock &entry = function.getEntryBlock();
    IRBuilder<> b(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
    b.CreateStore(value, made);
  }
  return made;
}

/// Where \p value can be read. A constant is written once, at the start.
Value *LargeValues::placeOf(Value *value) {
  auto *constant = dyn_cast<Constant>(value);
  if (!constant)
    return slotOf(value);
  AllocaInst *&place = constants[constant];
  if (!place) {
    AllocaInst *made = place = makeSlot(constant->getType());
    BasicBlock &entry = function.getEntryBlock();
    IRBuilder<> b(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
    write(b, made, constant);
  }
  return constants[constant];
}

/// \p align: of that side which is no slot.
void LargeValues::copy(IRBuilder<> &b, Value *to, Value *from, Type *type, MaybeAlign align,
                       bool isVolatile) {
  const Align both = std::min(layout.getABITypeAlign(type), align.value_or(Align(16)));
  b.CreateMemCpy(to, both, from, both, layout.getTypeStoreSize(type).getFixedValue(), isVolatile);
}

/// \p align: of \p to, when it is no slot.
void LargeValues::write(IRBuilder<> &b, Value *to, Value *value, MaybeAlign align) {
  if (isa<UndefValue>(value))
    return;
  if (auto *constant = dyn_cast<Constant>(value))
    storeConstant(b, *constant, to, align.value_or(layout.getABITypeAlign(value->getType())));
  else
    copy(b, to, slotOf(value), value->getType());
}

Value *LargeValues::elementOf(IRBuilder<> &b, Value *place, Type *type,
                              ArrayRef<unsigned> indices) {
  SmallVector<Value *, 4> path = {b.getInt32(0)};
  for (unsigned index : indices)
    path.push_back(b.getInt32(index));
  return b.CreateInBoundsGEP(type, place, path);
}

/// The store that is the load's only use, if nothing is written between the two. One of them is of
/// private variables, of which no two parts of the same type overlap, as those of buffers may.
StoreInst *LargeValues::onlyStore(LoadInst &load) {
  constexpr unsigned maxDistance = 64;
  if (!load.hasOneUse() || load.isVolatile())
    return nullptr;
  auto *store = dyn_cast<StoreInst>(load.user_back());
  if (!store || store->getParent() != load.getParent() || store->isVolatile() ||
      !isMemory(store->getPointerAddressSpace()) ||
      (load.getPointerAddressSpace() != AddrSpace::Private &&
       store->getPointerAddressSpace() != AddrSpace::Private))
    return nullptr;
  unsigned distance = 0;
  for (Instruction *next = load.getNextNode(); next != store; next = next->getNextNode())
    if (next->mayWriteToMemory() || ++distance > maxDistance)
      return nullptr;
  return store;
}

bool LargeValues::lowerLoad(LoadInst &load) {
  if (!isMemory(load.getPointerAddressSpace())) {
    keep(load);
    return false;
  }
  if (onlyStore(load)) {
    moved.insert(&load);
    return true;
  }
  IRBuilder<> b(&load);
  copy(b, slotOf(&load), load.getPointerOperand(), load.getType(), load.getAlign(),
       load.isVolatile());
  return true;
}

bool LargeValues::lowerStore(StoreInst &store) {
  Value *value = store.getValueOperand();
  if (!isMemory(store.getPointerAddressSpace())) {
    keep(store);
    return false;
  }
  IRBuilder<> b(&store);
  auto *load = dyn_cast<LoadInst>(value);
  if (load && moved.contains(load))
    copy(b, store.getPointerOperand(), load->getPointerOperand(), load->getType(),
         std::min(store.getAlign(), load->getAlign()));
  else if (isa<Constant>(value) && !store.isVolatile())
    write(b, store.getPointerOperand(), value, store.getAlign());
  else
    copy(b, store.getPointerOperand(), placeOf(value), value->getType(), store.getAlign(),
         store.isVolatile());
  return true;
}

void LargeValues::lowerInsert(InsertValueInst &insert) {
  IRBuilder<> b(&insert);
  Value *whole = insert.getAggregateOperand(), *element = insert.getInsertedValueOperand();
  auto *before = dyn_cast<Instruction>(whole);
  const auto slot = slots.find(whole);
  const bool takesOver = before && before->hasOneUse() &&
                         before->getParent() == insert.getParent() && slot != slots.end() &&
                         !slots.count(&insert);
  if (takesOver) {
    AllocaInst *taken = slot->second;
    slots[&insert] = taken;
  } else {
    write(b, slotOf(&insert), whole);
  }
  Value *place = elementOf(b, slotOf(&insert), insert.getType(), insert.getIndices());
  if (isLarge(element->getType()))
    write(b, place, element);
  else
    b.CreateStore(element, place);
}

void LargeValues::lowerExtract(ExtractValueInst &extract) {
  IRBuilder<> b(&extract);
  Value *whole = extract.getAggregateOperand();
  if (auto *constant = dyn_cast<Constant>(whole)) {
    extract.replaceAllUsesWith(ConstantFoldExtractValueInstruction(constant, extract.getIndices()));
    return;
  }
  Value *place = elementOf(b, slotOf(whole), whole->getType(), extract.getIndices());
  if (isLarge(extract.getType()))
    copy(b, slotOf(&extract), place, extract.getType());
  else
    extract.replaceAllUsesWith(b.CreateLoad(extract.getType(), place));
}

void LargeValues::lowerPhi(PHINode &phi) {
  AllocaInst *incoming = makeSlot(phi.getType());
  SmallPtrSet<BasicBlock *, 4> done;
  for (auto [block, value] : zip(phi.blocks(), phi.incoming_values()))
    if (done.insert(block).second) {
      IRBuilder<> b(block->getTerminator());
      write(b, incoming, value);
    }
  IRBuilder<> b(phi.getParent(), phi.getParent()->getFirstInsertionPt());
  copy(b, slotOf(&phi), incoming, phi.getType());
}

void LargeValues::lowerSelect(SelectInst &select) {
  IRBuilder<> b(&select);
  Value *yes = select.getTrueValue(), *no = select.getFalseValue();
  if (isa<UndefValue>(yes) || isa<UndefValue>(no)) {
    write(b, slotOf(&select), isa<UndefValue>(yes) ? no : yes);
    return;
  }
  Value *place = b.CreateSelect(select.getCondition(), placeOf(yes), placeOf(no));
  copy(b, slotOf(&select), place, select.getType());
}

/// The instruction stays: what it takes is loaded, what it gives is stored.
void LargeValues::keep(Instruction &inst) {
  IRBuilder<> b(&inst);
  for (Use &use : inst.operands())
    if (isLarge(use->getType()) && !isa<Constant>(use.get()))
      use.set(b.CreateLoad(use->getType(), slotOf(use.get())));
  if (!isLarge(inst.getType()))
    return;
  b.SetInsertPoint(inst.getNextNode());
  b.CreateStore(&inst, slotOf(&inst));
}

bool LargeValues::lower(Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::Load:
    return lowerLoad(cast<LoadInst>(inst));
  case Instruction::Store:
    return lowerStore(cast<StoreInst>(inst));
  case Instruction::InsertValue:
    lowerInsert(cast<InsertValueInst>(inst));
    return true;
  case Instruction::ExtractValue:
    lowerExtract(cast<ExtractValueInst>(inst));
    return true;
  case Instruction::PHI:
    lowerPhi(cast<PHINode>(inst));
    return true;
  case Instruction::Select:
    lowerSelect(cast<SelectInst>(inst));
    return true;
  case Instruction::Freeze: {
    IRBuilder<> b(&inst);
    write(b, slotOf(&inst), inst.getOperand(0));
    return true;
  }
  default:
    keep(inst);
    return false;
  }
}

bool LargeValues::run() {
  SmallVector<Instruction *, 16> concerned;
  uint64_t bytes = 0;
  for (Instruction &inst : instructions(function))
    if (concerns(inst)) {
      concerned.push_back(&inst);
      bytes = SaturatingAdd(bytes, bytesFor(inst));
    }
  if (bytes > maxSlotBytes)
    return false;
  SmallVector<Instruction *, 16> replaced;
  for (Instruction *inst : concerned)
    if (lower(*inst))
      replaced.push_back(inst);
  for (Instruction *inst : reverse(replaced)) {
    inst->replaceAllUsesWith(PoisonValue::get(inst->getType()));
    inst->eraseFromParent();
  }
  return !concerned.empty();
}

} // namespace

static uint64_t scalarsOf(Type *type) {
  if (auto *array = dyn_cast<ArrayType>(type))
    return SaturatingMultiply(array->getNumElements(), scalarsOf(array->getElementType()));
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return vector->getNumElements();
  auto *structure = dyn_cast<StructType>(type);
  if (!structure)
    return 1;
  uint64_t sum = 0;
  for (Type *element : structure->elements())
    sum = SaturatingAdd(sum, scalarsOf(element));
  return sum;
}

bool isLargeValue(Type *type) {
  constexpr uint64_t mostScalars = 128; // half of the registers that a lane has
  return type->isAggregateType() && scalarsOf(type) > mostScalars;
}

PreservedAnalyses LowerLargeValuesPass::run(Function &function, FunctionAnalysisManager &) {
  if (function.isDeclaration() || !LargeValues(function).run())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace lgc
