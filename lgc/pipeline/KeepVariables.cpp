//===- KeepVariables.cpp - variables that debuggers can find ---------------===//
// SPDX-License-Identifier: MIT
#include "lgc/pipeline/KeepVariables.h"
#include "lgc/DebugNames.h"
#include "lgc/Ops.h"
#include "lgc/lowering/memory/GlobalUses.h"
#include "lgc/pipeline/NameValues.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/MemoryModelRelaxationAnnotations.h"

using namespace llvm;

namespace lgc {

namespace {

/// All accesses through a pointer, and through those that it leads to, are made.
void keepAccesses(Value &variable) {
  SmallVector<Value *, 16> pointers = {&variable};
  SmallPtrSet<Value *, 16> seen;
  while (!pointers.empty()) {
    Value *pointer = pointers.pop_back_val();
    if (!seen.insert(pointer).second)
      continue;
    for (User *user : pointer->users())
      if (auto *load = dyn_cast<LoadInst>(user))
        load->setVolatile(true);
      else if (auto *store = dyn_cast<StoreInst>(user))
        store->setVolatile(true);
      else if (auto *block = dyn_cast<MemIntrinsic>(user))
        block->setVolatile(ConstantInt::getTrue(block->getContext()));
      else if (isa<GetElementPtrInst, PHINode, SelectInst>(user))
        pointers.push_back(user);
  }
}

/// A variable at the top of \p function, that debug information describes with \p info, in the
/// scope of \p location.
AllocaInst *addVariable(Function &function, Type *type, const DIVariable &info,
                        const DILocation *location) {
  BasicBlock &block = function.getEntryBlock();
  DISubprogram *scope = function.getSubprogram();
  IRBuilder<> b(&block, block.getFirstInsertionPt());
  AllocaInst *memory = b.CreateAlloca(type, AddrSpace::Private, nullptr, info.getName());
  DIBuilder builder(*function.getParent(), /*AllowUnresolved=*/false);
  auto *local = dyn_cast<DILocalVariable>(&info);
  builder.insertDeclare(memory,
                        local ? const_cast<DILocalVariable *>(local)
                              : builder.createAutoVariable(scope, info.getName(), info.getFile(),
                                                           info.getLine(), info.getType()),
                        builder.createExpression(), location, std::next(memory->getIterator()));
  return memory;
}

/// Of each variable in workgroup memory that the function uses: where it is.
void keepAddresses(Function &function) {
  for (GlobalVariable &variable : function.getParent()->globals()) {
    SmallVector<DIGlobalVariableExpression *, 1> infos;
    variable.getDebugInfo(infos);
    if (variable.getAddressSpace() != AddrSpace::Local || infos.size() != 1 ||
        !isUsedIn(variable, function))
      continue;
    IRBuilder<> b(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    b.SetCurrentDebugLocation(DebugLoc());
    DISubprogram *scope = function.getSubprogram();
    Value *address = b.CreatePtrToInt(&variable, b.getInt32Ty());
    b.CreateStore(address,
                  addVariable(function, b.getInt32Ty(), *infos.front()->getVariable(),
                              DILocation::get(function.getContext(), scope->getLine(), 0, scope)),
                  /*isVolatile=*/true);
  }
}

/// A copy of the push constants.
void keepPushConstants(Function &function) {
  SmallVector<PushConstOp *, 2> all;
  for (Instruction &inst : instructions(function))
    if (auto *push = dyn_cast<PushConstOp>(&inst))
      all.push_back(push);
  for (PushConstOp *push : all) {
    SmallVector<DbgVariableRecord *, 1> records;
    findDbgValues(push, records);
    for (DbgVariableRecord *record : records) {
      IRBuilder<> b(push->getNextNode());
      b.SetCurrentDebugLocation(DebugLoc());
      const uint64_t dwords = divideCeil(record->getVariable()->getSizeInBits().value_or(0), 32);
      auto *type = ArrayType::get(b.getInt32Ty(), dwords);
      AllocaInst *copy = addVariable(function, type, *record->getVariable(), record->getDebugLoc());
      for (unsigned i = 0; i < dwords; ++i) {
        Value *dword = b.CreateAlignedLoad(
            b.getInt32Ty(), b.CreateConstInBoundsGEP1_32(b.getInt32Ty(), push, i), Align(4));
        b.CreateStore(dword, b.CreateConstInBoundsGEP2_32(type, copy, 0, i), /*isVolatile=*/true);
      }
      record->eraseFromParent();
    }
  }
}

/// A statement begins where the line is another one than before, and where its block begins.
bool beginsStatement(const DebugLoc &line, const DebugLoc &before) {
  return line && line.getLine() &&
         (!before || line.getLine() != before.getLine() || line.getScope() != before.getScope() ||
          line.getInlinedAt() != before.getInlinedAt());
}

/// What a function begins with, before its first statement: handles of resources, inputs, and
/// stores of them to their variables.
class Prologue {
public:
  bool has(Instruction &inst) {
    const bool isPart = isSource(inst) || isMadeOfSources(inst);
    if (isPart)
      parts.insert(&inst);
    return isPart;
  }

private:
  static bool isSource(const Instruction &inst) {
    return isa<ResourcePtrOp, BufferPtrOp, PushConstOp, TaskPayloadOp, InputLoadOp,
               InputInterpolateOp, BarycentricOp, BuiltinOp>(inst);
  }
  bool isMadeOfSources(const Instruction &inst) const {
    if (const auto *store = dyn_cast<StoreInst>(&inst))
      return store->getPointerAddressSpace() == AddrSpace::Private &&
             parts.contains(store->getValueOperand());
    return isa<CastInst, InsertElementInst, ExtractElementInst, InsertValueInst, ExtractValueInst>(
               inst) &&
           any_of(inst.operands(), [&](const Use &use) { return parts.contains(use); });
  }

  SmallPtrSet<const Value *, 16> parts;
};

void insertMark(Instruction &inst, uint16_t number) {
  IRBuilder<> b(&inst);
  b.CreateIntrinsic(Intrinsic::amdgcn_s_ttracedata_imm, {}, {b.getInt16(number)});
}

/// Which memory the fence in front of a barrier orders.
uint16_t orderedBy(const Instruction *before) {
  const auto *fence = dyn_cast_or_null<FenceInst>(before);
  if (!fence)
    return 0;
  const MMRAMetadata relaxed(*fence);
  constexpr StringLiteral prefix = "amdgpu-synchronize-as";
  return (relaxed.hasTag(prefix, "global") ? 0 : markLocalBarrier) |
         (relaxed.hasTag(prefix, "local") ? 0 : markGlobalBarrier);
}

/// For who looks for data races.
void markSynchronizations(Function &function) {
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    const auto *barrier = dyn_cast<ControlBarrierOp>(&inst);
    if (barrier && static_cast<ExecScope>(barrier->constArg(0)) == ExecScope::Workgroup)
      insertMark(inst, markSynchronization | orderedBy(inst.getPrevNode()));
    else if (isa<LoadInst, StoreInst>(inst) && inst.isAtomic())
      insertMark(inst, markSynchronization | markAtomic);
  }
}

void markStatements(Function &function) {
  Prologue prologue;
  // The number only tells marks apart, so that no pass makes one of two.
  uint16_t number = 0;
  for (BasicBlock &block : function) {
    DebugLoc before;
    for (Instruction &inst : make_early_inc_range(block)) {
      const DebugLoc &line = inst.getDebugLoc();
      if (isa<PHINode, AllocaInst>(inst) || !line || prologue.has(inst))
        continue;
      if (beginsStatement(line, before))
        insertMark(inst, number++ % markSynchronization);
      before = line;
    }
  }
}

} // namespace

bool isForDebugger(const Function &function, bool isOptimized) {
  return !isOptimized && function.getSubprogram();
}

/// Nothing is to be said of variables of the workgroup as such: nobody knows yet where they are.
static void forgetGlobals(Module &module) {
  for (GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == AddrSpace::Local)
      variable.eraseMetadata(LLVMContext::MD_dbg);
}

/// Debuggers have variables.
static void dropNamesOfValues(Instruction &inst) {
  for (DbgVariableRecord &record : make_early_inc_range(filterDbgVars(inst.getDbgRecordRange())))
    if (record.getVariable()->isArtificial())
      record.eraseFromParent();
}

PreservedAnalyses KeepVariablesPass::run(Function &function, FunctionAnalysisManager &) {
  if (!function.getSubprogram())
    return PreservedAnalyses::all();
  if (isOptimized) {
    nameValues(function);
    for (Instruction &inst : instructions(function))
      inst.dropDbgRecords();
    forgetGlobals(*function.getParent());
    return PreservedAnalyses::all();
  }
  for (Instruction &inst : instructions(function)) {
    dropNamesOfValues(inst);
    if (isa<AllocaInst>(inst) && !findDVRDeclares(&inst).empty())
      keepAccesses(inst);
  }
  keepAddresses(function);
  forgetGlobals(*function.getParent());
  keepPushConstants(function);
  markStatements(function);
  markSynchronizations(function);
  return PreservedAnalyses::none();
}

} // namespace lgc
