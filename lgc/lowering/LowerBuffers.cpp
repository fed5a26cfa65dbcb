//===- LowerBuffers.cpp - ptr addrspace(7) accesses -> buffer instructions ===//
// SPDX-License-Identifier: MIT
/// \file
/// A ptr addrspace(7) is a buffer resource (ptr addrspace(8), the V#) plus a 32-bit offset. This
/// pass takes the two apart, through GEPs, phis, selects and memory, and turns every access into
/// buffer instructions of the widths that hardware has. Runs late: after the LLVM optimisations,
/// which understand ordinary loads and stores better, and after everything that decides uniformity
/// is lowered (user data, built-ins, subgroup operations: LLVM takes any lgc call for divergent).
///
///   before: %p = addrspacecast ptr addrspace(8) %r to ptr addrspace(7)
///           %q = getelementptr i8, ptr addrspace(7) %p, i32 %i
///           %v = load <2 x float>, ptr addrspace(7) %q, align 4
///   after:  %v = call <2 x i32> @llvm.amdgcn.raw.ptr.buffer.load.v2i32(%r, i32 %i, i32 0, i32 0)
///
/// Offsets. All of an offset goes into the part that the hardware checks against num_records
/// (voffset and the instruction's immediate), nothing into soffset, whose part in the check differs
/// between generations. Constants are collected from GEP indices and added last, where instruction
/// selection finds them for the immediate. All arithmetic is modulo 2^32, as in the hardware.
///
/// Scalar loads. A load that is !invariant.load, not volatile, and has a uniform address becomes
/// llvm.amdgcn.s.buffer.load.
///
/// Atomics and ordering. Buffer instructions are relaxed; acquire and release become fences next to
/// them, visibility becomes cache policy bits (CachePolicy.cpp). What no instruction does is
/// expanded first (BufferExpand.cpp).
#include "lgc/Ops.h"
#include "lgc/lowering/BufferAccess.h"
#include "lgc/lowering/BufferExpand.h"
#include "lgc/lowering/CachePolicy.h"
#include "lgc/lowering/Passes.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace lgc {
namespace {

Value *offsetBytes(IRBuilder<> &b, Value *pointer, unsigned bytes) {
  return b.CreateConstInBoundsGEP1_32(b.getInt8Ty(), pointer, bytes);
}

bool isBufferPointer(const Type *type) {
  return type->isPointerTy() && type->getPointerAddressSpace() == AddrSpace::Buffer;
}

class BufferLowering {
public:
  BufferLowering(Function &function, UniformityInfo &uniformity, unsigned gfxMajor)
      : function(function), context(function.getContext()),
        layout(function.getParent()->getDataLayout()), uniformity(uniformity), gfxMajor(gfxMajor) {}
  void run();

private:
  // taking pointers apart
  void findRoots();
  Value *rootOf(Value *pointer);
  Value *computeRoot(Instruction &pointer);
  void splitPointer(Instruction &pointer);
  void splitGep(GetElementPtrInst &gep);
  void addTerm(IRBuilder<> &b, BufferAddress &address, Value *index, const APInt &scale);
  void createPhis(PHINode &phi);
  void fillPhis(PHINode &phi);
  BufferAddress partsOf(Value *pointer);
  void fail(Instruction &inst, const Twine &what);

  // uses
  void lowerUse(Instruction &inst);
  void lowerLoad(LoadInst &load);
  void lowerStore(StoreInst &store);
  void lowerAtomic(AtomicRMWInst &rmw);
  void lowerCompareExchange(AtomicCmpXchgInst &exchange);
  void lowerCompare(ICmpInst &compare);
  void lowerPointerToInt(PtrToIntInst &cast);
  void replace(Instruction &inst, Value *value);

  /// Fences that give a relaxed access the ordering that `inst` has.
  void fenceBefore(IRBuilder<> &b, Instruction &inst, AtomicOrdering order, SyncScope::ID scope);
  void fenceAfter(IRBuilder<> &b, Instruction &inst, AtomicOrdering order, SyncScope::ID scope);

  Function &function;
  LLVMContext &context;
  const DataLayout &layout;
  UniformityInfo &uniformity;
  unsigned gfxMajor;
  SmallVector<Instruction *, 32> pointers; ///< make a ptr(7); operands before users, but phis
  DenseMap<Value *, Value *> roots;        ///< the one resource behind a pointer, else itself
  DenseMap<Value *, BufferAddress> parts;
};

void BufferLowering::fail(Instruction &inst, const Twine &what) {
  reportError(context, unsupported("buffer pointer " + what + " (" + inst.getOpcodeName() + ")"));
}

// --- taking pointers apart

Value *BufferLowering::rootOf(Value *pointer) {
  auto found = roots.find(pointer);
  return found == roots.end() ? nullptr : found->second;
}

/// Null while nothing is known yet (a loop); the pointer itself when several resources meet in it.
Value *BufferLowering::computeRoot(Instruction &pointer) {
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

void BufferLowering::findRoots() {
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

BufferAddress BufferLowering::partsOf(Value *pointer) {
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
void BufferLowering::addTerm(IRBuilder<> &b, BufferAddress &address, Value *index,
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

void BufferLowering::splitGep(GetElementPtrInst &gep) {
  IRBuilder<> b(&gep);
  BufferAddress address = partsOf(gep.getPointerOperand());
  SmallMapVector<Value *, APInt, 4> variables;
  APInt constant(32, 0);
  if (!gep.collectOffset(layout, 32, variables, constant)) {
    fail(gep, "arithmetic of unknown size");
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

void BufferLowering::createPhis(PHINode &phi) {
  IRBuilder<> b(&phi);
  BufferAddress address;
  Value *root = rootOf(&phi);
  address.resource = root && root != &phi
                         ? root
                         : b.CreatePHI(b.getPtrTy(8), phi.getNumIncomingValues(), "resource");
  address.offset = b.CreatePHI(b.getInt32Ty(), phi.getNumIncomingValues(), "offset");
  parts[&phi] = address;
}

void BufferLowering::fillPhis(PHINode &phi) {
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

void BufferLowering::splitPointer(Instruction &pointer) {
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
    fail(pointer, "made by an instruction that is not supported");
    address.resource = PoisonValue::get(b.getPtrTy(8));
  }
  parts[&pointer] = address;
}

// --- uses

void BufferLowering::replace(Instruction &inst, Value *value) {
  if (isa<Instruction>(value) && !value->hasName())
    value->takeName(&inst);
  inst.replaceAllUsesWith(value);
  inst.eraseFromParent();
}

void BufferLowering::fenceBefore(IRBuilder<> &b, Instruction &inst, AtomicOrdering order,
                                 SyncScope::ID scope) {
  if (isReleaseOrStronger(order))
    b.CreateFence(AtomicOrdering::Release, scope)->copyMetadata(inst, {LLVMContext::MD_mmra});
}

void BufferLowering::fenceAfter(IRBuilder<> &b, Instruction &inst, AtomicOrdering order,
                                SyncScope::ID scope) {
  if (isAcquireOrStronger(order))
    b.CreateFence(AtomicOrdering::Acquire, scope)->copyMetadata(inst, {LLVMContext::MD_mmra});
}

void BufferLowering::lowerLoad(LoadInst &load) {
  Type *type = load.getType();
  if (!isBufferType(layout, type)) {
    fail(load, "load of an unsupported type");
    return replace(load, PoisonValue::get(type));
  }
  IRBuilder<> b(&load);
  BufferAddress address = partsOf(load.getPointerOperand());
  bool invariant = load.hasMetadata(LLVMContext::MD_invariant_load);
  if (invariant && load.isSimple() && canUseScalarLoad(layout, type, load.getAlign()) &&
      !uniformity.isDivergentUse(load.getOperandUse(load.getPointerOperandIndex())))
    return replace(load, emitScalarBufferLoad(b, address, type, load.getAlign(), gfxMajor));

  AccessPolicy policy;
  if (load.isAtomic())
    policy.scope = coherenceScope(context, load.getSyncScopeID());
  policy.nonTemporal = load.hasMetadata(LLVMContext::MD_nontemporal) && !invariant;
  policy.isVolatile = load.isVolatile();
  bool ordered = load.isAtomic() || load.isVolatile();
  fenceBefore(b, load,
              load.getOrdering() == AtomicOrdering::SequentiallyConsistent
                  ? AtomicOrdering::Release
                  : AtomicOrdering::Monotonic,
              load.getSyncScopeID());
  Value *value =
      emitBufferLoad(b, address, type, load.getAlign(),
                     cachePolicyBits(gfxMajor, AccessKind::Load, policy), ordered, &load);
  fenceAfter(b, load, load.getOrdering(), load.getSyncScopeID());
  replace(load, value);
}

void BufferLowering::lowerStore(StoreInst &store) {
  IRBuilder<> b(&store);
  Value *value = store.getValueOperand();
  if (isBufferPointer(value->getType())) {
    if (isBufferPointer(store.getPointerOperandType()) || !store.isSimple()) {
      fail(store, "stored to a buffer");
    } else {
      BufferAddress address = partsOf(value);
      Value *place = store.getPointerOperand();
      b.CreateAlignedStore(descriptorOfResource(b, address.resource), place, store.getAlign());
      Value *offset = fullOffset(b, address), *behind = offsetBytes(b, place, 16);
      b.CreateAlignedStore(offset, behind, commonAlignment(store.getAlign(), 16));
    }
    store.eraseFromParent();
    return;
  }
  if (!isBufferType(layout, value->getType())) {
    fail(store, "store of an unsupported type");
    store.eraseFromParent();
    return;
  }
  AccessPolicy policy;
  if (store.isAtomic())
    policy.scope = coherenceScope(context, store.getSyncScopeID());
  policy.nonTemporal = store.hasMetadata(LLVMContext::MD_nontemporal);
  policy.isVolatile = store.isVolatile();
  fenceBefore(b, store, store.getOrdering(), store.getSyncScopeID());
  emitBufferStore(b, partsOf(store.getPointerOperand()), value, store.getAlign(),
                  cachePolicyBits(gfxMajor, AccessKind::Store, policy), &store);
  fenceAfter(b, store,
             store.getOrdering() == AtomicOrdering::SequentiallyConsistent
                 ? AtomicOrdering::Acquire
                 : AtomicOrdering::Monotonic,
             store.getSyncScopeID());
  store.eraseFromParent();
}

Intrinsic::ID atomicIntrinsic(AtomicRMWInst::BinOp op) {
  switch (op) {
  case AtomicRMWInst::Xchg:
    return Intrinsic::amdgcn_raw_ptr_buffer_atomic_swap;
  case AtomicRMWInst::Add:
    return Intrinsic::amdgcn_raw_ptr_buffer_atomic_add;
  case AtomicRMWInst::Sub:
    return Intrinsic::amdgcn_raw_ptr_buffer_atomic_sub;
  case AtomicRMWInst::And:
    return Intrinsic::amdgcn_raw_ptr_buffer_atomic_and;
  case AtomicRMWInst::Or:
    return Intrinsic::amdgcn_raw_ptr_buffer_atomic_or;
  case AtomicRMWInst::Xor:
    return Intrinsic::amdgcn_raw_ptr_buffer_atomic_xor;
  case AtomicRMWInst::Max:
    return Intrinsic::amdgcn_raw_ptr_buffer_atomic_smax;
  case AtomicRMWInst::Min:
    return Intrinsic::amdgcn_raw_ptr_buffer_atomic_smin;
  case AtomicRMWInst::UMax:
    return Intrinsic::amdgcn_raw_ptr_buffer_atomic_umax;
  case AtomicRMWInst::UMin:
    return Intrinsic::amdgcn_raw_ptr_buffer_atomic_umin;
  case AtomicRMWInst::UIncWrap:
    return Intrinsic::amdgcn_raw_ptr_buffer_atomic_inc;
  case AtomicRMWInst::UDecWrap:
    return Intrinsic::amdgcn_raw_ptr_buffer_atomic_dec;
  case AtomicRMWInst::FAdd:
    return Intrinsic::amdgcn_raw_ptr_buffer_atomic_fadd;
  case AtomicRMWInst::FMax:
    return Intrinsic::amdgcn_raw_ptr_buffer_atomic_fmax;
  case AtomicRMWInst::FMin:
    return Intrinsic::amdgcn_raw_ptr_buffer_atomic_fmin;
  default:
    return Intrinsic::not_intrinsic;
  }
}

void BufferLowering::lowerAtomic(AtomicRMWInst &rmw) {
  Intrinsic::ID intrinsic = atomicIntrinsic(rmw.getOperation());
  Type *type = rmw.getType();
  if (intrinsic == Intrinsic::not_intrinsic || !hasBufferAtomic(gfxMajor, rmw)) {
    fail(rmw, "atomic '" + AtomicRMWInst::getOperationName(rmw.getOperation()) +
                  "' of an unsupported type");
    return replace(rmw, PoisonValue::get(type));
  }
  IRBuilder<> b(&rmw);
  BufferAddress address = partsOf(rmw.getPointerOperand());
  AccessPolicy policy{coherenceScope(context, rmw.getSyncScopeID()), false, rmw.isVolatile()};
  // Exchange knows no floats.
  Value *value = rmw.getValOperand();
  Type *dataType = type;
  if (rmw.getOperation() == AtomicRMWInst::Xchg && !type->isIntegerTy()) {
    dataType = b.getIntNTy(static_cast<unsigned>(layout.getTypeSizeInBits(type).getFixedValue()));
    value = toBits(b, value, dataType);
  }
  fenceBefore(b, rmw, rmw.getOrdering(), rmw.getSyncScopeID());
  Value *old = b.CreateIntrinsic(
      intrinsic, {dataType},
      {value, address.resource, fullOffset(b, address), b.getInt32(0),
       b.getInt32(cachePolicyBits(gfxMajor, AccessKind::ReadModifyWrite, policy))});
  fenceAfter(b, rmw, rmw.getOrdering(), rmw.getSyncScopeID());
  // Why not always: a cast would be a use, and an unused result saves registers.
  replace(rmw, rmw.use_empty() ? old : fromBits(b, old, type));
}

void BufferLowering::lowerCompareExchange(AtomicCmpXchgInst &exchange) {
  Type *type = exchange.getNewValOperand()->getType();
  if (!type->isIntegerTy(32) && !type->isIntegerTy(64)) {
    fail(exchange, "compare-exchange of an unsupported type");
    return replace(exchange, PoisonValue::get(exchange.getType()));
  }
  IRBuilder<> b(&exchange);
  BufferAddress address = partsOf(exchange.getPointerOperand());
  AccessPolicy policy{coherenceScope(context, exchange.getSyncScopeID()), false,
                      exchange.isVolatile()};
  AtomicOrdering order = exchange.getMergedOrdering();
  fenceBefore(b, exchange, order, exchange.getSyncScopeID());
  Value *old = b.CreateIntrinsic(
      Intrinsic::amdgcn_raw_ptr_buffer_atomic_cmpswap, {type},
      {exchange.getNewValOperand(), exchange.getCompareOperand(), address.resource,
       fullOffset(b, address), b.getInt32(0),
       b.getInt32(cachePolicyBits(gfxMajor, AccessKind::ReadModifyWrite, policy))});
  fenceAfter(b, exchange, order, exchange.getSyncScopeID());
  Value *result = b.CreateInsertValue(PoisonValue::get(exchange.getType()), old, 0);
  result = b.CreateInsertValue(result, b.CreateICmpEQ(old, exchange.getCompareOperand()), 1);
  replace(exchange, result);
}

void BufferLowering::lowerCompare(ICmpInst &compare) {
  IRBuilder<> b(&compare);
  BufferAddress left = partsOf(compare.getOperand(0)), right = partsOf(compare.getOperand(1));
  if (!compare.isEquality()) {
    fail(compare, "ordered comparison");
    return replace(compare, PoisonValue::get(compare.getType()));
  }
  Value *leftOffset = fullOffset(b, left), *rightOffset = fullOffset(b, right);
  Value *same = b.CreateICmpEQ(leftOffset, rightOffset);
  if (left.resource != right.resource) {
    Value *leftBits = b.CreatePtrToInt(left.resource, b.getInt128Ty());
    Value *rightBits = b.CreatePtrToInt(right.resource, b.getInt128Ty());
    same = b.CreateAnd(same, b.CreateICmpEQ(leftBits, rightBits));
  }
  replace(compare, compare.getPredicate() == CmpInst::ICMP_EQ ? same : b.CreateNot(same));
}

/// Only differences of pointers into one buffer mean anything: the offset stands for the pointer.
void BufferLowering::lowerPointerToInt(PtrToIntInst &cast) {
  IRBuilder<> b(&cast);
  if (!cast.getType()->isIntegerTy()) {
    fail(cast, "vector to integers");
    return replace(cast, PoisonValue::get(cast.getType()));
  }
  Value *offset = fullOffset(b, partsOf(cast.getPointerOperand()));
  replace(cast, b.CreateZExtOrTrunc(offset, cast.getType()));
}

void BufferLowering::lowerUse(Instruction &inst) {
  if (auto *load = dyn_cast<LoadInst>(&inst))
    return lowerLoad(*load);
  if (auto *store = dyn_cast<StoreInst>(&inst))
    return lowerStore(*store);
  if (auto *rmw = dyn_cast<AtomicRMWInst>(&inst))
    return lowerAtomic(*rmw);
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst))
    return lowerCompareExchange(*exchange);
  if (auto *compare = dyn_cast<ICmpInst>(&inst))
    return lowerCompare(*compare);
  if (auto *cast = dyn_cast<PtrToIntInst>(&inst))
    return lowerPointerToInt(*cast);
  if (isa<BufferLengthOp>(inst)) {
    IRBuilder<> b(&inst);
    Value *words = descriptorOfResource(b, partsOf(inst.getOperand(0)).resource);
    return replace(inst, createBufferLength(b, words));
  }
  if (isa<AssumeInst>(inst) || inst.isLifetimeStartOrEnd()) {
    inst.eraseFromParent();
    return;
  }
  fail(inst, "used by an instruction that is not supported");
  if (!inst.getType()->isVoidTy())
    inst.replaceAllUsesWith(PoisonValue::get(inst.getType()));
  if (!inst.isTerminator())
    inst.eraseFromParent();
}

// --- driver

void BufferLowering::run() {
  ReversePostOrderTraversal<Function *> order(&function);
  SmallVector<Instruction *, 64> work;
  for (BasicBlock *block : order)
    for (Instruction &inst : *block) {
      bool makes = isBufferPointer(inst.getType());
      if (makes)
        pointers.push_back(&inst);
      if (makes ||
          any_of(inst.operands(), [](Use &use) { return isBufferPointer(use->getType()); }))
        work.push_back(&inst);
    }
  findRoots();
  // Why in program order: a GEP index may be a load that is replaced here, and `parts` must not
  // keep what is erased.
  for (Instruction *inst : work) {
    if (isBufferPointer(inst->getType()))
      splitPointer(*inst);
    else
      lowerUse(*inst);
  }
  for (Instruction *pointer : pointers)
    if (auto *phi = dyn_cast<PHINode>(pointer))
      fillPhis(*phi);
  for (Instruction *pointer : pointers)
    pointer->replaceAllUsesWith(PoisonValue::get(pointer->getType()));
  for (Instruction *pointer : reverse(pointers))
    pointer->eraseFromParent();
}

bool usesBufferPointers(Function &function) {
  return any_of(instructions(function), [](Instruction &inst) {
    return isBufferPointer(inst.getType()) ||
           any_of(inst.operands(), [](Use &use) { return isBufferPointer(use->getType()); });
  });
}

} // namespace

PreservedAnalyses LowerBuffersPass::run(Module &module, ModuleAnalysisManager &mam) {
  const StateAnalysis::Result &state = mam.getResult<StateAnalysis>(module);
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state->target);
  unsigned gfxMajor = target ? target->major : 10;
  auto &fam = mam.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  bool changed = false;
  for (Function &function : module) {
    if (function.isDeclaration() || !usesBufferPointers(function))
      continue;
    changed = true;
    bool restructured = removeUnreachableBlocks(function);
    restructured |=
        expandBufferOperations(function, gfxMajor, fam.getResult<TargetIRAnalysis>(function));
    if (restructured)
      fam.invalidate(function, PreservedAnalyses::none());
    BufferLowering(function, fam.getResult<UniformityInfoAnalysis>(function), gfxMajor).run();
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace lgc
