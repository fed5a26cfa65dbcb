//===- BufferPointers.cpp - ptr addrspace(7) as resource and offset -------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/resources/BufferPointers.h"
#include "lgc/Ops.h"
#include "lgc/lowering/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace lgc {

bool isBufferPointer(const Type *type) {
  return type->isPointerTy() && type->getPointerAddressSpace() == AddrSpace::Buffer;
}

void reportBufferPointer(Instruction &inst, const Twine &what) {
  reportError(inst.getContext(),
              unsupported("buffer pointer " + what + " (" + inst.getOpcodeName() + ")"));
}

Value *offsetBytes(IRBuilderBase &b, Value *pointer, unsigned bytes) {
  return b.CreateConstInBoundsGEP1_32(b.getInt8Ty(), pointer, bytes);
}

Value *BufferPointers::rootOf(Value *pointer) {
  auto found = roots.find(pointer);
  return found == roots.end() ? nullptr : found->second;
}

/// Null while nothing is known yet (a loop); the pointer itself when several resources meet in it.
Value *BufferPointers::computeRoot(Instruction &pointer) {
  if (auto *cast = dyn_cast<AddrSpaceCastInst>(&pointer))
    return cast->getPointerOperand();
  if (auto *gep = dyn_cast<GetElementPtrInst>(&pointer)) {
    Value *base = gep->getPointerOperand();
    return isa<Instruction>(base) ? rootOf(base) : &pointer;
  }
  if (isa<FreezeInst>(pointer))
    return isa<Instruction>(pointer.getOperand(0)) ? rootOf(pointer.getOperand(0)) : &pointer;
  if (!isa<PHINode, SelectInst>(pointer))
    return &pointer;
  Value *common = nullptr;
  for (Value *in : pointer.operands()) {
    if (!isBufferPointer(in->getType()) || in == &pointer)
      continue;
    // Constants (undef, null) have no resource that would dominate this place.
    Value *root = isa<Instruction>(in) ? rootOf(in) : &pointer;
    if (!root)
      continue;
    if (common && common != root)
      return &pointer;
    common = root;
  }
  return common;
}

void BufferPointers::findRoots() {
  // Each value changes at most twice (unknown, one resource, itself), so this ends.
  for (bool changed = true; changed;) {
    changed = false;
    for (Instruction *pointer : pointers) {
      Value *&known = roots[pointer];
      if (known == pointer)
        continue;
      Value *root = computeRoot(*pointer);
      if (known && root != known)
        root = pointer; // only ever downwards
      if (Value *&entry = roots[pointer]; entry != root) {
        entry = root;
        changed = true;
      }
    }
  }
}

BufferAddress BufferPointers::partsOf(Value *pointer) {
  if (auto found = parts.find(pointer); found != parts.end())
    return found->second;
  Type *resource = PointerType::get(context, 8);
  BufferAddress address;
  if (isa<ConstantPointerNull>(pointer)) {
    address.resource = ConstantPointerNull::get(cast<PointerType>(resource));
    return address;
  }
  if (!isa<UndefValue>(pointer))
    reportError(context, unsupported("buffer pointer of unknown origin"));
  address.resource = PoisonValue::get(resource);
  return address;
}

/// Adds index * scale; splits constants off the index. Exact, since only the low 32 bits count and
/// truncation commutes with addition.
void BufferPointers::addTerm(IRBuilder<> &b, BufferAddress &address, Value *index,
                             const APInt &scale) {
  auto factor = static_cast<uint32_t>(scale.getZExtValue());
  for (;;) {
    Value *inner;
    const APInt *constant;
    using namespace PatternMatch;
    if (index->getType()->getIntegerBitWidth() > 32 && match(index, m_ZExtOrSExt(m_Value(inner))) &&
        inner->getType()->getIntegerBitWidth() <= 32) {
      // The low 32 bits of an extension; narrower values must stay extended.
      if (inner->getType()->getIntegerBitWidth() < 32)
        break;
      index = inner;
    } else if (index->getType()->getIntegerBitWidth() >= 32 &&
               match(index, m_AddLike(m_Value(inner), m_APInt(constant)))) {
      address.constant += factor * static_cast<uint32_t>(constant->trunc(32).getZExtValue());
      index = inner;
    } else {
      break;
    }
  }
  if (auto *constant = dyn_cast<ConstantInt>(index)) {
    address.constant +=
        factor * static_cast<uint32_t>(constant->getValue().sextOrTrunc(32).getZExtValue());
    return;
  }
  Value *term = b.CreateSExtOrTrunc(index, b.getInt32Ty());
  if (isPowerOf2_32(factor))
    term = factor == 1 ? term : b.CreateShl(term, Log2_32(factor));
  else
    term = b.CreateMul(term, b.getInt32(factor));
  address.offset = address.offset ? b.CreateAdd(address.offset, term) : term;
}

void BufferPointers::splitGep(GetElementPtrInst &gep) {
  IRBuilder<> b(&gep);
  BufferAddress address = partsOf(gep.getPointerOperand());
  SmallMapVector<Value *, APInt, 4> variables;
  APInt constant(32, 0);
  if (!gep.collectOffset(layout, 32, variables, constant)) {
    reportBufferPointer(gep, "arithmetic of unknown size");
  } else {
    address.constant += static_cast<uint32_t>(constant.getZExtValue());
    // Uniform terms first: their sum stays in scalar registers.
    for (bool wantDivergent : {false, true})
      for (auto &[index, scale] : variables)
        if (uniformity.isDivergent(index) == wantDivergent)
          addTerm(b, address, index, scale);
  }
  parts[&gep] = address;
}

void BufferPointers::createPhis(PHINode &phi) {
  IRBuilder<> b(&phi);
  BufferAddress address;
  Value *root = rootOf(&phi);
  address.resource = root && root != &phi
                         ? root
                         : b.CreatePHI(b.getPtrTy(8), phi.getNumIncomingValues(), "resource");
  address.offset = b.CreatePHI(b.getInt32Ty(), phi.getNumIncomingValues(), "offset");
  parts[&phi] = address;
}

void BufferPointers::fillPhis(PHINode &phi) {
  BufferAddress address = parts[&phi];
  Value *root = rootOf(&phi);
  bool ownResource = !root || root == &phi;
  // A predecessor may occur several times and must then give one value.
  DenseMap<BasicBlock *, Value *> offsets;
  for (auto [in, block] : zip(phi.incoming_values(), phi.blocks())) {
    BufferAddress from = partsOf(in);
    if (ownResource)
      cast<PHINode>(address.resource)->addIncoming(from.resource, block);
    Value *&offset = offsets[block];
    if (!offset) {
      IRBuilder<> b(block->getTerminator());
      offset = isa<PoisonValue>(in) ? PoisonValue::get(b.getInt32Ty()) : fullOffset(b, from);
    }
    cast<PHINode>(address.offset)->addIncoming(offset, block);
  }
}

void BufferPointers::split(Instruction &pointer) {
  IRBuilder<> b(&pointer);
  BufferAddress address;
  if (auto *gep = dyn_cast<GetElementPtrInst>(&pointer))
    return splitGep(*gep);
  if (auto *phi = dyn_cast<PHINode>(&pointer))
    return createPhis(*phi);
  if (auto *cast = dyn_cast<AddrSpaceCastInst>(&pointer); cast && cast->getSrcAddressSpace() == 8) {
    address.resource = cast->getPointerOperand();
  } else if (auto *select = dyn_cast<SelectInst>(&pointer)) {
    BufferAddress onTrue = partsOf(select->getTrueValue());
    BufferAddress onFalse = partsOf(select->getFalseValue());
    address.resource = b.CreateSelect(select->getCondition(), onTrue.resource, onFalse.resource);
    Value *trueOffset = fullOffset(b, onTrue), *falseOffset = fullOffset(b, onFalse);
    address.offset = b.CreateSelect(select->getCondition(), trueOffset, falseOffset, "offset");
  } else if (auto *freeze = dyn_cast<FreezeInst>(&pointer)) {
    BufferAddress from = partsOf(freeze->getOperand(0));
    address.resource = b.CreateFreeze(from.resource);
    address.offset = b.CreateFreeze(fullOffset(b, from));
  } else if (auto *load = dyn_cast<LoadInst>(&pointer);
             load && load->isSimple() && !isBufferPointer(load->getPointerOperandType())) {
    // A pointer in memory: the resource, then the offset 16 bytes further.
    Value *place = load->getPointerOperand();
    auto *four = FixedVectorType::get(b.getInt32Ty(), 4);
    Value *words = b.CreateAlignedLoad(four, place, load->getAlign());
    address.resource = b.CreateIntToPtr(b.CreateBitCast(words, b.getInt128Ty()), b.getPtrTy(8));
    address.offset = b.CreateAlignedLoad(b.getInt32Ty(), offsetBytes(b, place, 16),
                                         commonAlignment(load->getAlign(), 16));
  } else {
    reportBufferPointer(pointer, "made by an instruction that is not supported");
    address.resource = PoisonValue::get(b.getPtrTy(8));
  }
  parts[&pointer] = address;
}

void BufferPointers::finish() {
  for (Instruction *pointer : pointers)
    if (auto *phi = dyn_cast<PHINode>(pointer))
      fillPhis(*phi);
  for (Instruction *pointer : pointers)
    pointer->replaceAllUsesWith(PoisonValue::get(pointer->getType()));
  for (Instruction *pointer : reverse(pointers))
    pointer->eraseFromParent();
}

} // namespace lgc
