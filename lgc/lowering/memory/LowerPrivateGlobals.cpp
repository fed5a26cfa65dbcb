//===- LowerPrivateGlobals.cpp - Private variables -> allocas -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Globals in addrspace(5) have no meaning to AMDGPU code generation. Each becomes an alloca of the
/// entry function, initialised where the variable has an initializer. Runs after inlining (a use in
/// another function is an internal error) and before SROA, which then removes most allocas.
///
/// Large constant stores to private memory become copies from a constant in memory, for these
/// variables and for those of functions alike: code generation would expand an aggregate store
/// element by element, and a table that is never written afterwards is then read straight from the
/// constant (InstCombine sees that the alloca is only a copy).
///   before: @v = internal addrspace(5) global i32 7         define void @lgc.shader.CS() {
///   after:  %v = alloca i32, addrspace(5)
///           store i32 7, ptr addrspace(5) %v
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/memory/ConstantStore.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace lgc {
namespace {

/// The entry function that has all uses of the variable; null when there is no such function.
Function *onlyUser(const GlobalVariable &variable, ArrayRef<Function *> entries) {
  Function *result = nullptr;
  for (const User *user : variable.users()) {
    const auto *inst = dyn_cast<Instruction>(user);
    if (!inst || (result && inst->getFunction() != result))
      return nullptr;
    result = const_cast<Function *>(inst->getFunction());
  }
  return is_contained(entries, result) ? result : nullptr;
}

/// What debug information says of a variable of the module, it says of one of \p entry now.
void describe(const GlobalVariable &variable, AllocaInst &memory, Function &entry,
              DIBuilder &builder) {
  DISubprogram *scope = entry.getSubprogram();
  SmallVector<DIGlobalVariableExpression *, 1> infos;
  variable.getDebugInfo(infos);
  if (!scope || infos.size() != 1)
    return;
  const DIGlobalVariable *info = infos.front()->getVariable();
  builder.insertDeclare(&memory,
                        builder.createAutoVariable(scope, info->getName(), info->getFile(),
                                                   info->getLine(), info->getType()),
                        builder.createExpression(),
                        DILocation::get(entry.getContext(), scope->getLine(), 0, scope),
                        std::next(memory.getIterator()));
}

/// Makes allocas of `variables`, in their order, at the start of `entry`.
void makeLocal(ArrayRef<GlobalVariable *> variables, Function &entry) {
  BasicBlock &block = entry.getEntryBlock();
  IRBuilder<> allocaBuilder(&block, block.getFirstInsertionPt());
  IRBuilder<> storeBuilder(&block, block.getFirstNonPHIOrDbgOrAlloca());
  DIBuilder debugBuilder(*entry.getParent(), /*AllowUnresolved=*/false);
  for (GlobalVariable *variable : variables) {
    AllocaInst *alloca = allocaBuilder.CreateAlloca(variable->getValueType(), AddrSpace::Private,
                                                    nullptr, variable->getName());
    if (variable->getAlign())
      alloca->setAlignment(*variable->getAlign());
    if (variable->hasInitializer() && !isa<UndefValue>(variable->getInitializer()))
      storeBuilder.CreateAlignedStore(variable->getInitializer(), alloca, alloca->getAlign());
    describe(*variable, *alloca, entry, debugBuilder);
    variable->replaceAllUsesWith(alloca);
    variable->eraseFromParent();
  }
}

/// Aggregates of at most this many bytes are stored as they are; SROA deals with them.
constexpr uint64_t largeStoreBytes = 64;

/// store [N x T] <constant>, %p -> memset or memcpy from a private constant.
void lowerLargeStore(StoreInst &store) {
  auto *value = dyn_cast<Constant>(store.getValueOperand());
  if (!value || !value->getType()->isAggregateType() || isa<UndefValue>(value) ||
      store.getPointerAddressSpace() != AddrSpace::Private || store.isVolatile())
    return;
  if (store.getDataLayout().getTypeStoreSize(value->getType()) <= largeStoreBytes)
    return;
  IRBuilder<> b(&store);
  storeConstant(b, *value, store.getPointerOperand(), store.getAlign());
  store.eraseFromParent();
}

/// Returns true when a store was replaced.
bool lowerLargeStores(Function &function) {
  SmallVector<StoreInst *, 8> stores;
  for (BasicBlock &block : function)
    for (Instruction &inst : block)
      if (auto *store = dyn_cast<StoreInst>(&inst))
        if (store->getValueOperand()->getType()->isAggregateType())
          stores.push_back(store);
  for (StoreInst *store : stores)
    lowerLargeStore(*store);
  return !stores.empty();
}

} // namespace

void storeConstant(IRBuilderBase &b, Constant &value, Value *pointer, Align align) {
  Module &module = *b.GetInsertBlock()->getModule();
  const uint64_t bytes = module.getDataLayout().getTypeStoreSize(value.getType());
  if (value.isNullValue()) {
    b.CreateMemSet(pointer, b.getInt8(0), bytes, align);
    return;
  }
  auto *table = new GlobalVariable(module, value.getType(), /*isConstant=*/true,
                                   GlobalValue::PrivateLinkage, &value, "table", nullptr,
                                   GlobalValue::NotThreadLocal, AddrSpace::Constant);
  table->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  table->setAlignment(Align(16));
  b.CreateMemCpy(pointer, align, table, Align(16), bytes);
}

PreservedAnalyses LowerPrivateGlobalsPass::run(Module &module, ModuleAnalysisManager &) {
  SmallVector<GlobalVariable *, 8> variables;
  for (GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == AddrSpace::Private)
      variables.push_back(&variable);
  SmallVector<Function *, 4> entries = entryFunctions(module);
  if (entries.empty())
    return PreservedAnalyses::all();
  // Constant expressions of the variables (addresses of elements) become instructions.
  SmallVector<Constant *, 8> constants(variables.begin(), variables.end());
  convertUsersOfConstantsToInstructions(constants);

  MapVector<Function *, SmallVector<GlobalVariable *, 8>> byEntry;
  for (GlobalVariable *variable : variables) {
    if (variable->use_empty())
      variable->eraseFromParent();
    else if (Function *entry = onlyUser(*variable, entries))
      byEntry[entry].push_back(variable);
    else
      reportError(module.getContext(), internalError("private variable '" + variable->getName() +
                                                     "' is used outside one entry function"));
  }
  for (auto &[entry, list] : byEntry)
    makeLocal(list, *entry);
  bool changed = !variables.empty();
  for (Function &function : module)
    changed |= lowerLargeStores(function);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace lgc
