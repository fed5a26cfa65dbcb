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
/// Offsets: BufferPointers.h.
///
/// Scalar loads. A load that is !invariant.load, not volatile, and has a uniform address becomes
/// llvm.amdgcn.s.buffer.load.
///
/// Atomics and ordering. Buffer instructions are relaxed; acquire and release become fences next to
/// them, visibility becomes cache policy bits (CachePolicy.cpp). What no instruction does is
/// expanded first (BufferExpand.cpp).
#include "lgc/Ops.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/resources/BufferAccess.h"
#include "lgc/lowering/resources/BufferExpand.h"
#include "lgc/lowering/resources/BufferPointers.h"
#include "lgc/lowering/resources/CachePolicy.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace lgc {
namespace {

class BufferLowering {
public:
  BufferLowering(Function &function, UniformityInfo &uniformity, unsigned gfxMajor)
      : function(function), context(function.getContext()),
        layout(function.getParent()->getDataLayout()), uniformity(uniformity), gfxMajor(gfxMajor),
        pointers(function, uniformity) {}
  void run();

private:
  BufferAddress partsOf(Value *pointer) { return pointers.partsOf(pointer); }
  void fail(Instruction &inst, const Twine &what) { reportBufferPointer(inst, what); }

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
  BufferPointers pointers;
};

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
  if (isa<BufferAddressOp>(inst)) {
    IRBuilder<> b(&inst);
    const BufferAddress parts = partsOf(inst.getOperand(0));
    Value *base = createBufferBase(b, descriptorOfResource(b, parts.resource));
    Value *offset = b.CreateZExt(fullOffset(b, parts), b.getInt64Ty());
    return replace(inst, b.CreateAdd(base, offset));
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

void BufferLowering::run() {
  ReversePostOrderTraversal<Function *> order(&function);
  SmallVector<Instruction *, 64> work;
  for (BasicBlock *block : order)
    for (Instruction &inst : *block) {
      bool makes = isBufferPointer(inst.getType());
      if (makes)
        pointers.add(inst);
      if (makes ||
          any_of(inst.operands(), [](Use &use) { return isBufferPointer(use->getType()); }))
        work.push_back(&inst);
    }
  pointers.findRoots();
  // Why in program order: a GEP index may be a load that is replaced here, and parts of pointers
  // must not keep what is erased.
  for (Instruction *inst : work) {
    if (isBufferPointer(inst->getType()))
      pointers.split(*inst);
    else
      lowerUse(*inst);
  }
  pointers.finish();
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
