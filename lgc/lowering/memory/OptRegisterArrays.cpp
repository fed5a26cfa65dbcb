//===- OptRegisterArrays.cpp - small arrays live in registers -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A small array that is indexed by what the shader computes is taken apart: each element is a
/// variable, a load chooses among all of them and a store writes all of them, each with its new
/// value or the one that it has. SROA makes registers of these. LLVM's own pass, behind
/// this one, makes one vector of an array, within a budget for the whole function although arrays
/// seldom live at the same time, and of vectors of other lengths than its registers have, code
/// generation makes private memory again.
///
/// Indices outside of the array read its first element and write nothing.
///
/// After the unroller, whose constant indices need none of this.
///   before: %p = getelementptr i32, ptr addrspace(5) %a, i32 %i       %a: 2 elements
///           %x = load i32, ptr addrspace(5) %p
///   after:  %x0 = load i32, ptr addrspace(5) %a0
///           %x1 = load i32, ptr addrspace(5) %a1
///           %is1 = icmp eq i32 %i, 1
///           %x = select i1 %is1, i32 %x1, i32 %x0
#include "lgc/Ops.h"
#include "lgc/lowering/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;

namespace lgc {
namespace {

/// Elements of an array, its dwords, and dwords that all of its accesses choose among.
constexpr uint64_t mostElements = 8, mostDwords = 20, mostChoices = 1024;
constexpr unsigned mostSteps = 8; ///< from the array to a pointer

/// A load or store at `offset` + `index` * `stride` of the array; without an index: at `offset`.
struct ArrayAccess {
  Instruction *inst;
  Value *index;
  uint64_t stride, offset;

  Type *type() const { return getLoadStoreType(inst); }
};

class RegisterArray {
public:
  RegisterArray(AllocaInst &array, const DataLayout &layout) : array(array), layout(layout) {}
  /// Whether the array is one that can be, and needs to be, taken apart.
  bool collect();
  void takeApart();

private:
  bool visitUsers(Value &pointer, const ArrayAccess &place, unsigned depth);
  bool step(const GetElementPtrInst &gep, ArrayAccess &place) const;
  bool fits(const ArrayAccess &access) const;
  uint64_t bytes(const ArrayAccess &access) const {
    return layout.getTypeStoreSize(access.type()).getFixedValue();
  }
  bool isOfDwords(const ArrayAccess &access) const;
  Value *pieceOf(IRBuilder<> &b, uint64_t element, uint64_t offset);
  void splitVectors();
  void replaceFixed(const ArrayAccess &access);
  void replaceLoad(const ArrayAccess &access);
  void replaceStore(const ArrayAccess &access);

  AllocaInst &array;
  const DataLayout &layout;
  uint64_t size = 0, stride = 0; ///< bytes
  SmallVector<ArrayAccess, 16> accesses;
  SmallVector<Instruction *, 16> pointers; ///< users before what they use, from the end
  SmallVector<AllocaInst *, 8> elements;
};

/// Follows a GEP that adds a constant, and one scaled index if there is none yet.
bool RegisterArray::step(const GetElementPtrInst &gep, ArrayAccess &place) const {
  const unsigned bits = layout.getIndexTypeSizeInBits(gep.getType());
  SmallMapVector<Value *, APInt, 4> indices;
  APInt offset(bits, place.offset);
  if (gep.getType()->isVectorTy() ||
      !cast<GEPOperator>(gep).collectOffset(layout, bits, indices, offset) || offset.isNegative())
    return false;
  place.offset = offset.getZExtValue();
  if (indices.empty())
    return true;
  const auto &[index, scale] = indices.front();
  if (indices.size() > 1 || place.index || !index->getType()->isIntegerTy(32) ||
      scale.isNonPositive())
    return false;
  place.index = index;
  place.stride = scale.getZExtValue();
  return true;
}

bool RegisterArray::visitUsers(Value &pointer, const ArrayAccess &place, unsigned depth) {
  if (depth > mostSteps)
    return false;
  for (User *user : pointer.users()) {
    if (auto *gep = dyn_cast<GetElementPtrInst>(user)) {
      ArrayAccess next = place;
      pointers.push_back(gep);
      if (!step(*gep, next) || !visitUsers(*gep, next, depth + 1))
        return false;
      continue;
    }
    auto *load = dyn_cast<LoadInst>(user);
    auto *store = dyn_cast<StoreInst>(user);
    const bool isPlain = (load && load->isSimple()) ||
                         (store && store->isSimple() && store->getPointerOperand() == &pointer &&
                          store->getValueOperand() != &pointer);
    if (!isPlain)
      return false;
    accesses.push_back({cast<Instruction>(user), place.index, place.stride, place.offset});
    if (!accesses.back().type()->isSingleValueType())
      return false;
  }
  return true;
}

/// A vector, of which each dword is accessed by itself.
bool RegisterArray::isOfDwords(const ArrayAccess &access) const {
  return access.type()->isVectorTy() && access.type()->getScalarSizeInBits() == 32;
}

bool RegisterArray::fits(const ArrayAccess &access) const {
  if (access.index && access.stride != stride)
    return false;
  // An offset may go with the index: where it is not in the first element, neither is what it
  // names.
  if (isOfDwords(access))
    return access.offset % 4 == 0 && access.offset + bytes(access) <= size;
  return access.offset % stride + bytes(access) <= stride && access.offset < size;
}

bool RegisterArray::collect() {
  const std::optional<TypeSize> allocated = array.getAllocationSize(layout);
  if (!array.isStaticAlloca() || !allocated || allocated->isZero() ||
      allocated->getFixedValue() > mostDwords * 4)
    return false;
  size = allocated->getFixedValue();
  if (!visitUsers(array, {nullptr, nullptr, 0, 0}, 0))
    return false;
  uint64_t choices = 0;
  for (const ArrayAccess &access : accesses)
    if (access.index) {
      stride = access.stride;
      choices += divideCeil(bytes(access), 4);
    }
  if (!stride || stride % 4 || size % stride || size / stride > mostElements ||
      choices * (size / stride) > mostChoices)
    return false;
  return all_of(accesses, [&](const ArrayAccess &access) { return fits(access); });
}

Value *RegisterArray::pieceOf(IRBuilder<> &b, uint64_t element, uint64_t offset) {
  return offset ? b.CreateConstInBoundsGEP1_32(b.getInt8Ty(), elements[element],
                                               static_cast<unsigned>(offset))
                : elements[element];
}

/// Components that are alike are found only where each is a value of its own.
void RegisterArray::splitVectors() {
  SmallVector<ArrayAccess, 16> split;
  for (const ArrayAccess &access : accesses) {
    if (!isOfDwords(access)) {
      split.push_back(access);
      continue;
    }
    IRBuilder<> b(access.inst);
    auto *store = dyn_cast<StoreInst>(access.inst);
    Value *whole = PoisonValue::get(access.type());
    for (unsigned i = 0; i < cast<FixedVectorType>(access.type())->getNumElements(); ++i) {
      Instruction *part = nullptr; // at the array's begin, until it is replaced
      if (store) {
        part = b.CreateStore(b.CreateExtractElement(store->getValueOperand(), i), &array);
      } else {
        part = b.CreateLoad(access.type()->getScalarType(), &array);
        whole = b.CreateInsertElement(whole, part, i);
      }
      split.push_back({part, access.index, access.stride, access.offset + i * 4});
    }
    if (!store)
      access.inst->replaceAllUsesWith(whole);
    access.inst->eraseFromParent();
  }
  accesses = std::move(split);
}

void RegisterArray::replaceFixed(const ArrayAccess &access) {
  IRBuilder<> b(access.inst);
  Value *piece = pieceOf(b, access.offset / stride, access.offset % stride);
  const Align align = std::min(getLoadStoreAlignment(access.inst), Align(4));
  if (auto *store = dyn_cast<StoreInst>(access.inst))
    b.CreateAlignedStore(store->getValueOperand(), piece, align);
  else
    access.inst->replaceAllUsesWith(b.CreateAlignedLoad(access.type(), piece, align));
}

void RegisterArray::replaceLoad(const ArrayAccess &access) {
  IRBuilder<> b(access.inst);
  const Align align = std::min(getLoadStoreAlignment(access.inst), Align(4));
  Value *result = nullptr;
  for (unsigned i = 0; i < elements.size(); ++i) {
    Value *piece = pieceOf(b, i, access.offset % stride);
    Value *value = b.CreateAlignedLoad(access.type(), piece, align);
    if (!result) {
      result = value;
      continue;
    }
    Value *isHere = b.CreateICmpEQ(access.index, b.getInt32(i - access.offset / stride));
    result = b.CreateSelect(isHere, value, result);
  }
  access.inst->replaceAllUsesWith(result);
}

void RegisterArray::replaceStore(const ArrayAccess &access) {
  IRBuilder<> b(access.inst);
  auto *store = cast<StoreInst>(access.inst);
  const Align align = std::min(getLoadStoreAlignment(store), Align(4));
  for (unsigned i = 0; i < elements.size(); ++i) {
    Value *piece = pieceOf(b, i, access.offset % stride);
    Value *old = b.CreateAlignedLoad(access.type(), piece, align);
    Value *isHere = b.CreateICmpEQ(access.index, b.getInt32(i - access.offset / stride));
    Value *chosen = b.CreateSelect(isHere, store->getValueOperand(), old);
    b.CreateAlignedStore(chosen, piece, align);
  }
}

void RegisterArray::takeApart() {
  IRBuilder<> b(&array);
  Type *dword = b.getInt32Ty();
  Type *element =
      stride == 4 ? dword : FixedVectorType::get(dword, static_cast<unsigned>(stride / 4));
  for (uint64_t i = 0; i < size / stride; ++i)
    elements.push_back(b.CreateAlloca(element, AddrSpace::Private, nullptr, array.getName()));
  splitVectors();
  for (const ArrayAccess &access : accesses) {
    if (!access.index)
      replaceFixed(access);
    else if (isa<LoadInst>(access.inst))
      replaceLoad(access);
    else
      replaceStore(access);
    access.inst->eraseFromParent();
  }
  for (Instruction *pointer : reverse(pointers))
    pointer->eraseFromParent();
  array.eraseFromParent();
}

} // namespace

PreservedAnalyses OptRegisterArraysPass::run(Function &function, FunctionAnalysisManager &fam) {
  SmallVector<AllocaInst *, 16> arrays;
  for (Instruction &inst : function.getEntryBlock())
    if (auto *array = dyn_cast<AllocaInst>(&inst))
      arrays.push_back(array);
  bool isChanged = false;
  for (AllocaInst *array : arrays) {
    RegisterArray candidate(*array, function.getDataLayout());
    if (!candidate.collect())
      continue;
    candidate.takeApart();
    isChanged = true;
  }
  if (!isChanged)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  fam.invalidate(function, preserved);
  preserved.intersect(SROAPass(SROAOptions::PreserveCFG).run(function, fam));
  return preserved;
}

} // namespace lgc
