//===- OptSplitAggregates.cpp - structures and arrays by member -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Structures and arrays that functions returned, once these are inlined, are values: phis and
/// selections of them become phis and selections of their members, and what is taken out of one is
/// what was put in. Selection of the direct tier knows no such values; LLVM's splits them by
/// itself. Runs behind the inliner; leaves insertions that nothing reads.
///   before: %s = phi { float, i32 } [ %a, %left ], [ %b, %right ]
///           %x = extractvalue { float, i32 } %s, 0
///   after:  %x = phi float [ %a.0, %left ], [ %b.0, %right ]
#include "lgc/lowering/Passes.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace lgc {
namespace {

constexpr unsigned membersMax = 64;

using Path = SmallVector<unsigned, 4>;
/// In others, values may be made of themselves.
using ReachableBlocks = df_iterator_default_set<BasicBlock *, 32>;

/// Where the members are that are no aggregates themselves. False: too many.
bool findMembers(Type *type, Path &path, SmallVectorImpl<Path> &members) {
  if (!type->isAggregateType()) {
    members.push_back(path);
    return members.size() <= membersMax;
  }
  const uint64_t count =
      type->isArrayTy() ? type->getArrayNumElements() : type->getStructNumElements();
  if (count > membersMax)
    return false;
  for (unsigned i = 0; i < count; ++i) {
    path.push_back(i);
    if (!findMembers(type->getContainedType(type->isArrayTy() ? 0 : i), path, members))
      return false;
    path.pop_back();
  }
  return true;
}

Value *member(IRBuilder<> &b, Value *aggregate, ArrayRef<unsigned> path) {
  if (Value *found = FindInsertedValue(aggregate, path))
    return found;
  return b.CreateExtractValue(aggregate, path);
}

void split(Instruction &inst, ArrayRef<Path> members, const ReachableBlocks &reachable) {
  Value *whole = PoisonValue::get(inst.getType());
  auto *phi = dyn_cast<PHINode>(&inst);
  IRBuilder<> behind(inst.getParent(),
                     phi ? inst.getParent()->getFirstInsertionPt() : std::next(inst.getIterator()));
  for (const Path &path : members) {
    Value *part;
    if (phi) {
      Type *type = ExtractValueInst::getIndexedType(inst.getType(), path);
      PHINode *own = PHINode::Create(type, phi->getNumIncomingValues(), "", inst.getIterator());
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        BasicBlock *from = phi->getIncomingBlock(i);
        // The same block may come several times, with one value.
        const int before = own->getBasicBlockIndex(from);
        IRBuilder<> b(from->getTerminator());
        own->addIncoming(before >= 0                 ? own->getIncomingValue(before)
                         : !reachable.contains(from) ? PoisonValue::get(type)
                                                     : member(b, phi->getIncomingValue(i), path),
                         from);
      }
      part = own;
    } else {
      auto &select = cast<SelectInst>(inst);
      part = behind.CreateSelect(select.getCondition(), member(behind, select.getTrueValue(), path),
                                 member(behind, select.getFalseValue(), path));
    }
    whole = behind.CreateInsertValue(whole, part, path);
  }
  inst.replaceAllUsesWith(whole);
  inst.eraseFromParent();
}

} // namespace

PreservedAnalyses OptSplitAggregatesPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<Instruction *, 8> splits;
  SmallVector<WeakTrackingVH, 16> aggregates;
  for (Instruction &inst : instructions(function)) {
    if (!inst.getType()->isAggregateType())
      continue;
    if (isa<PHINode, SelectInst>(inst))
      splits.push_back(&inst);
    else if (isa<InsertValueInst>(inst))
      aggregates.push_back(&inst);
  }
  if (splits.empty() && aggregates.empty())
    return PreservedAnalyses::all();
  ReachableBlocks reachable;
  for (BasicBlock *block : depth_first_ext(&function, reachable))
    (void)block;
  for (Instruction *inst : splits) {
    Path path;
    SmallVector<Path, 16> members;
    if (reachable.contains(inst->getParent()) && findMembers(inst->getType(), path, members))
      split(*inst, members, reachable);
  }
  // Only now: what a phi of a loop comes from is known.
  SmallVector<ExtractValueInst *, 16> extracts;
  for (Instruction &inst : instructions(function))
    if (auto *extract = dyn_cast<ExtractValueInst>(&inst);
        extract && reachable.contains(inst.getParent()))
      extracts.push_back(extract);
  for (ExtractValueInst *extract : extracts) {
    Value *found = FindInsertedValue(extract->getAggregateOperand(), extract->getIndices());
    if (!found || found == extract)
      continue;
    extract->replaceAllUsesWith(found);
    aggregates.push_back(extract->getAggregateOperand());
    extract->eraseFromParent();
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(aggregates);
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace lgc
