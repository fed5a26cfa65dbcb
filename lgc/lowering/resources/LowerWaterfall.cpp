//===- LowerWaterfall.cpp - descriptors that differ between lanes ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// Buffer and image instructions take their descriptors from scalar registers. Where a descriptor
/// is divergent, its loads are repeated with a scalar index: in a loop over the distinct indices of
/// the wave (descriptor indexing with NonUniform), or once, when the loads carry !lgc.uniform (the
/// index is the same in all lanes, LLVM just cannot prove it; see LowerDescriptors.cpp) and stand
/// where the shader has them.
///
///   before: %d = load <8 x i32>, ptr addrspace(4) (%table + %index * 32)     ; %index divergent
///           %r = call float @llvm.amdgcn.image.load...(%x, %y, <8 x i32> %d)
///   after:  loop:  %first = readfirstlane(%index); br (%index == %first), body, next
///           body:  %d1 = load <8 x i32> (%table + %first * 32)               ; scalar load
///                  %r1 = call float @llvm.amdgcn.image.load...(%x, %y, %d1)
///           next:  %r = phi [%r1, body], [poison, loop]; br (came from body), done, loop
///
/// Runs after lgc-lower-buffers and lgc-lower-images (works on their intrinsics), and after every
/// pass that threads jumps or replaces a value by an equal one: the body must stay inside the loop,
/// and %first must stay itself. Even if LLVM undid that, the code would stay right: instruction
/// selection makes a loop of its own around instructions whose descriptor is not scalar. The same
/// happens here to descriptors that come from anything else than loads by index (phi, select),
/// which are left.
#include "lgc/lowering/Passes.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace lgc {
namespace {

/// More than this is no descriptor load by index.
constexpr unsigned maxSliceSize = 32;
constexpr unsigned maxLeaves = 2;

/// One access, with the divergent computation of its descriptors.
struct Access {
  CallInst *call = nullptr;
  SmallVector<unsigned, 2> operands;    ///< numbers of the divergent descriptor operands
  SmallVector<Instruction *, 16> slice; ///< operands before users
  SmallVector<Value *, 2> leaves;       ///< divergent integers that the slice starts from
  bool promisedUniform = true; ///< every load of the slice says !lgc.uniform, where it was given
};

/// Numbers of the operands that must be scalar: a ptr addrspace(8), or an image descriptor and the
/// sampler behind it.
void findDescriptorOperands(const CallInst &call, SmallVectorImpl<unsigned> &operands) {
  const auto *callee = call.getCalledFunction();
  if (!callee || !callee->isIntrinsic() || !callee->getName().starts_with("llvm.amdgcn."))
    return;
  auto isDwords = [&](unsigned i, unsigned count) {
    auto *type =
        i < call.arg_size() ? dyn_cast<FixedVectorType>(call.getArgOperand(i)->getType()) : nullptr;
    return type && type->getNumElements() == count && type->getElementType()->isIntegerTy(32);
  };
  bool image = callee->getName().starts_with("llvm.amdgcn.image.");
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    Type *type = call.getArgOperand(i)->getType();
    if (type->isPointerTy() && type->getPointerAddressSpace() == 8)
      operands.push_back(i);
    if (image && isDwords(i, 8)) {
      operands.push_back(i);
      if (isDwords(i + 1, 4))
        operands.push_back(i + 1);
      return;
    }
  }
}

/// May the instruction run again, anywhere, with other operands?
bool canRepeat(const Instruction &inst) {
  if (const auto *load = dyn_cast<LoadInst>(&inst))
    return load->isSimple() && load->hasMetadata(LLVMContext::MD_invariant_load);
  return isa<CastInst, GetElementPtrInst, BinaryOperator, InsertElementInst, ExtractElementInst,
             ShuffleVectorInst>(inst) &&
         !inst.isIntDivRem();
}

/// Collects what `value` is computed from, up to integers of at most 32 bits. False when the way
/// leads to something else.
bool collectSlice(Value *value, Access &access, UniformityInfo &uniformity,
                  SmallPtrSetImpl<Value *> &visited) {
  if (!uniformity.isDivergent(value) || !visited.insert(value).second)
    return true;
  auto *type = dyn_cast<IntegerType>(value->getType());
  if (type && type->getBitWidth() <= 32) {
    access.leaves.push_back(value); // once: `visited` knows it
    return type->getBitWidth() >= 8 && access.leaves.size() <= maxLeaves;
  }
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || !canRepeat(*inst) || access.slice.size() >= maxSliceSize)
    return false;
  if (isa<LoadInst>(inst))
    access.promisedUniform &= inst->hasMetadata("lgc.uniform");
  for (Value *operand : inst->operands())
    if (!collectSlice(operand, access, uniformity, visited))
      return false;
  access.slice.push_back(inst);
  return true;
}

/// The same for all lanes by what it is made of: arguments of the wave, and memory at constant
/// offsets from these. Most descriptors are, and the analysis costs more than all of this pass.
bool isPlainlyUniform(const Value *value, unsigned &steps) {
  for (; steps; --steps) {
    if (isa<Constant>(value))
      return true;
    if (const auto *argument = dyn_cast<Argument>(value))
      return argument->hasInRegAttr();
    const auto *inst = dyn_cast<Instruction>(value);
    if (const auto *insert = dyn_cast_or_null<InsertElementInst>(inst)) {
      if (!isPlainlyUniform(insert->getOperand(1), steps))
        return false;
    } else if (const auto *call = dyn_cast_or_null<IntrinsicInst>(inst)) {
      return call->getIntrinsicID() == Intrinsic::amdgcn_s_getpc;
    } else if (const auto *gep = dyn_cast_or_null<GetElementPtrInst>(inst)) {
      if (!gep->hasAllConstantIndices())
        return false;
    } else if (!inst || !(isa<CastInst>(inst) || (isa<LoadInst>(inst) && canRepeat(*inst)))) {
      return false;
    }
    value = inst->getOperand(0);
  }
  return false;
}

/// Whether values are what a promise was given for. The optimiser moves accesses behind loops
/// (LICM, InstCombine): there an index that all lanes of a round had alike differs between lanes
/// that have left in different rounds.
class LeftLoops {
public:
  LeftLoops(const LoopInfo &loops, UniformityInfo &uniformity)
      : loops(loops), uniformity(uniformity) {}

  /// Is \p value computed of what a loop has left behind that lanes leave one by one?
  bool reach(const Value &value) {
    const auto *inst = dyn_cast<Instruction>(&value);
    if (!inst || !visited.insert(inst).second)
      return false;
    if (visited.size() > maxVisited)
      return true;
    for (const Use &use : inst->operands()) {
      const auto *operand = dyn_cast<Instruction>(use.get());
      if (!operand || !uniformity.isDivergentUse(use))
        continue;
      // A phi has what the shader says comes out of a loop, or what it is made of elsewhere.
      if (isLeft(*operand, *inst) ||
          (!isa<PHINode>(inst) && !operand->mayHaveSideEffects() && reach(*operand)))
        return true;
    }
    return false;
  }

private:
  static constexpr unsigned maxVisited = 64;
  const LoopInfo &loops;
  UniformityInfo &uniformity;
  SmallPtrSet<const Instruction *, 16> visited;

  bool isLeft(const Instruction &inst, const Instruction &user) const {
    for (const Loop *loop = loops.getLoopFor(inst.getParent()); loop && !loop->contains(&user);
         loop = loop->getParentLoop()) {
      SmallVector<BasicBlock *, 4> exiting;
      loop->getExitingBlocks(exiting);
      if (any_of(exiting, [&](BasicBlock *b) { return uniformity.hasDivergentTerminator(*b); }))
        return true;
    }
    return false;
  }
};

/// Analyses of a function, which are made when they are asked for.
struct Analyses {
  function_ref<UniformityInfo &()> uniformity;
  function_ref<const LoopInfo &()> loops;
};

/// Fills `access` for a call; false when it needs nothing, or nothing that can be done here.
bool analyze(CallInst &call, const Analyses &analyses, Access &access) {
  SmallVector<unsigned, 2> candidates;
  findDescriptorOperands(call, candidates);
  erase_if(candidates, [&](unsigned i) {
    unsigned steps = 24;
    return isPlainlyUniform(call.getArgOperand(i), steps);
  });
  if (candidates.empty())
    return false;
  UniformityInfo &uniformity = analyses.uniformity();
  SmallPtrSet<Value *, 16> visited;
  access.call = &call;
  for (unsigned i : candidates) {
    if (!uniformity.isDivergentUse(call.getArgOperandUse(i)))
      continue;
    // Divergent only because a loop was left at different times: nothing to repeat.
    if (!uniformity.isDivergent(call.getArgOperand(i)) ||
        !collectSlice(call.getArgOperand(i), access, uniformity, visited))
      return false;
    access.operands.push_back(i);
  }
  if (access.leaves.empty())
    return false;
  if (access.promisedUniform) {
    LeftLoops left(analyses.loops(), uniformity);
    access.promisedUniform =
        none_of(access.operands, [&](unsigned i) { return left.reach(*call.getArgOperand(i)); });
  }
  return true;
}

using ValueMap = DenseMap<Value *, Value *>;

/// Repeats the slice in front of `b` with what `scalar` replaces, and uses it in the call.
/// `outside` has what values of finished loops' bodies are called behind those loops.
void repeatSlice(IRBuilder<> &b, const Access &access, ValueMap &scalar, const ValueMap &outside) {
  for (Instruction *inst : access.slice) {
    if (scalar.count(inst))
      continue; // an access before, in the same block, has it
    Instruction *copy = inst->clone();
    for (Use &use : copy->operands()) {
      if (Value *replacement = scalar.lookup(use.get()))
        use.set(replacement);
      else if (Value *behind = outside.lookup(use.get()))
        use.set(behind);
    }
    b.Insert(copy, inst->getName());
    scalar[inst] = copy;
    if (Value *behind = outside.lookup(inst))
      scalar[behind] = copy;
  }
  for (unsigned i : access.operands)
    if (Value *replacement = scalar.lookup(access.call->getArgOperand(i)))
      access.call->setArgOperand(i, replacement);
}

Value *readFirstLane(IRBuilder<> &b, Value *value) {
  Value *wide = b.CreateZExt(value, b.getInt32Ty());
  Value *first = b.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {b.getInt32Ty()}, {wide});
  return b.CreateTrunc(first, value->getType());
}

Value *behindLoops(Value *value, const ValueMap &outside) {
  Value *behind = outside.lookup(value);
  return behind ? behind : value;
}

void emitOnce(const Access &access, const ValueMap &outside) {
  IRBuilder<> b(access.call);
  ValueMap scalar;
  for (Value *leaf : access.leaves) {
    Value *own = behindLoops(leaf, outside);
    scalar[leaf] = scalar[own] = readFirstLane(b, own);
  }
  repeatSlice(b, access, scalar, outside);
}

/// One loop around the accesses of one block, which have the same leaves, and all between them.
void emitLoop(ArrayRef<Access> group, ValueMap &outside) {
  CallInst *first = group.front().call;
  BasicBlock *before = first->getParent();
  BasicBlock *body = before->splitBasicBlock(first->getIterator(), "waterfall.body");
  BasicBlock *done =
      body->splitBasicBlock(std::next(group.back().call->getIterator()), "waterfall.done");
  LLVMContext &context = first->getContext();
  BasicBlock *loop = BasicBlock::Create(context, "waterfall", before->getParent(), body);
  BasicBlock *next = BasicBlock::Create(context, "waterfall.next", before->getParent(), done);
  before->getTerminator()->setSuccessor(0, loop);
  body->getTerminator()->setSuccessor(0, next);

  IRBuilder<> b(loop);
  b.SetCurrentDebugLocation(first->getDebugLoc());
  ValueMap scalar;
  Value *same = nullptr;
  for (Value *leaf : group.front().leaves) {
    Value *own = behindLoops(leaf, outside);
    Value *value = scalar[leaf] = scalar[own] = readFirstLane(b, own);
    Value *equal = b.CreateICmpEQ(own, value);
    same = same ? b.CreateAnd(same, equal) : equal;
  }
  b.CreateCondBr(same, body, next);

  for (const Access &access : group) {
    b.SetInsertPoint(access.call);
    repeatSlice(b, access, scalar, outside);
  }
  b.SetInsertPoint(next);
  for (Instruction &inst : *body) {
    // Used or not: a slice that is repeated later may need it. Dead ones disappear.
    if (inst.getType()->isVoidTy() || inst.getType()->isTokenTy())
      continue;
    PHINode *result = b.CreatePHI(inst.getType(), 2);
    inst.replaceUsesOutsideBlock(result, body);
    result->addIncoming(&inst, body);
    result->addIncoming(PoisonValue::get(inst.getType()), loop);
    outside[&inst] = result;
  }
  PHINode *finished = b.CreatePHI(b.getInt1Ty(), 2);
  finished->addIncoming(b.getTrue(), body);
  finished->addIncoming(b.getFalse(), loop);
  b.CreateCondBr(finished, done, loop);
}

/// Can `later` share the loop of `first`? Same block, same leaves, and nothing between them that
/// lanes do together or that orders memory.
bool canShareLoop(const Access &first, const Access &previous, const Access &later) {
  if (later.call->getParent() != first.call->getParent() || later.promisedUniform ||
      first.leaves != later.leaves)
    return false;
  constexpr unsigned maxBetween = 64;
  unsigned between = 0;
  for (const Instruction &inst :
       make_range(std::next(previous.call->getIterator()), later.call->getIterator())) {
    const auto *call = dyn_cast<CallBase>(&inst);
    if (++between > maxBetween || inst.isAtomic() || (call && call->isConvergent()))
      return false;
  }
  return !later.call->isConvergent() && !first.call->isConvergent();
}

bool lowerFunction(Function &function, const Analyses &analyses) {
  std::vector<Access> accesses;
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&inst)) {
      Access access;
      if (analyze(*call, analyses, access))
        accesses.push_back(std::move(access));
    }
  // Only now: changes would make the analysis stale.
  ValueMap outside;
  for (size_t i = 0; i < accesses.size();) {
    size_t end = i + 1;
    if (accesses[i].promisedUniform) {
      emitOnce(accesses[i], outside);
    } else {
      while (end < accesses.size() && canShareLoop(accesses[i], accesses[end - 1], accesses[end]))
        ++end;
      emitLoop(ArrayRef<Access>(accesses).slice(i, end - i), outside);
    }
    i = end;
  }
  return !accesses.empty();
}

} // namespace

PreservedAnalyses LowerWaterfallPass::run(Module &module, ModuleAnalysisManager &mam) {
  auto &fam = mam.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  bool changed = false;
  for (Function &function : module)
    if (!function.isDeclaration())
      changed |= lowerFunction(
          function,
          {[&]() -> UniformityInfo & { return fam.getResult<UniformityInfoAnalysis>(function); },
           [&]() -> const LoopInfo & { return fam.getResult<LoopAnalysis>(function); }});
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace lgc
