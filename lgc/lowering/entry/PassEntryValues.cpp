//===- PassEntryValues.cpp - what functions ask of the entry point ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// Registers that driver and hardware fill are arguments of entry points. Functions that were not
/// inlined, and those that call them, get what they ask for as parameters; what is the same for all
/// lanes of a wave in scalar registers.
///   before: define amdgpu_gfx void @f(i32 %x)        call amdgpu_gfx void @f(i32 %x)
///             %p = call i32 @lgc.user.data(i32 3)
///   after:  define amdgpu_gfx void @f(i32 %x, i32 inreg %p)
///           %p = call i32 @lgc.user.data(i32 3)      call amdgpu_gfx void @f(i32 %x, i32 inreg %p)
/// Directly before lgc-lower-entry-point, when it is known what is really asked for.
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace lgc {
namespace {

bool isEntryValue(OpId id) {
  return id == OpId::UserDataOp || id == OpId::SpillTableOp || id == OpId::BuiltinOp ||
         id == OpId::SpecialUserDataOp || id == OpId::DriverTableOp || id == OpId::HwValueOp;
}

/// An operation: its declaration, and the number that it has as operand.
using EntryValue = std::pair<Function *, uint64_t>;

std::optional<EntryValue> entryValueOf(const Instruction &inst) {
  const auto *call = dyn_cast<CallInst>(&inst);
  if (!call || !isEntryValue(opIdOf(*call)))
    return std::nullopt;
  const auto *number = call->arg_empty() ? nullptr : cast<ConstantInt>(call->getArgOperand(0));
  return EntryValue{call->getCalledFunction(), number ? number->getZExtValue() : 0};
}

CallInst *makeEntryValue(IRBuilder<> &b, const EntryValue &value) {
  if (value.first->arg_empty())
    return b.CreateCall(value.first);
  return b.CreateCall(value.first, b.getInt32(static_cast<uint32_t>(value.second)));
}

/// Of compute stages, the local id alone differs between lanes.
bool isUniform(const EntryValue &value) {
  return opIdOf(*value.first) != OpId::BuiltinOp ||
         value.second != static_cast<uint64_t>(BuiltIn::HwLocalId);
}

struct Callee {
  SmallVector<EntryValue, 8> values;
  SmallVector<Value *, 8> parameters; ///< of the function that has taken its place
  void add(const EntryValue &value) {
    if (!is_contained(values, value))
      values.push_back(value);
  }
};
using CalleeMap = MapVector<Function *, Callee>;

CalleeMap collect(Module &module, ArrayRef<Function *> entries) {
  CalleeMap callees;
  for (Function &function : module)
    if (!function.isDeclaration() && !is_contained(entries, &function))
      for (Instruction &inst : instructions(function))
        if (auto value = entryValueOf(inst))
          callees[&function].add(*value);
  // What is called needs its callers to have it; calls may go round.
  for (bool changed = true; changed;) {
    changed = false;
    const SmallVector<std::pair<Function *, Callee>, 4> known(callees.begin(), callees.end());
    for (const auto &[callee, needs] : known)
      for (User *user : callee->users()) {
        Function *caller = cast<Instruction>(user)->getFunction();
        if (is_contained(entries, caller))
          continue;
        Callee &own = callees[caller];
        const size_t before = own.values.size();
        for (const EntryValue &value : needs.values)
          own.add(value);
        changed |= own.values.size() != before;
      }
  }
  return callees;
}

/// Makes the function with parameters more, and moves the body there.
Function *addParameters(Function &old, Callee &callee) {
  SmallVector<Type *, 24> types(old.getFunctionType()->params());
  for (const EntryValue &value : callee.values)
    types.push_back(value.first->getReturnType());
  auto *function = Function::Create(FunctionType::get(old.getReturnType(), types, false),
                                    old.getLinkage(), old.getAddressSpace(), "");
  old.getParent()->getFunctionList().insert(old.getIterator(), function);
  function->copyAttributesFrom(&old);
  function->copyMetadata(&old, 0);
  function->takeName(&old);
  function->splice(function->begin(), &old);
  for (Argument &argument : old.args()) {
    argument.replaceAllUsesWith(function->getArg(argument.getArgNo()));
    function->getArg(argument.getArgNo())->takeName(&argument);
  }
  unsigned number = old.arg_size();
  for (const EntryValue &value : callee.values) {
    if (isUniform(value))
      function->addParamAttr(number, Attribute::InReg);
    callee.parameters.push_back(function->getArg(number++));
  }
  for (Instruction &inst : make_early_inc_range(instructions(*function)))
    if (auto value = entryValueOf(inst)) {
      inst.replaceAllUsesWith(
          callee.parameters[find(callee.values, *value) - callee.values.begin()]);
      inst.eraseFromParent();
    }
  return function;
}

/// Replaces a call of the function without the parameters.
void replaceCall(CallInst &call, Function &function, const Callee &callee, const Callee *caller) {
  SmallVector<Value *, 24> args(call.args());
  BasicBlock &start = call.getFunction()->getEntryBlock();
  for (const EntryValue &value : callee.values) {
    if (caller) {
      args.push_back(caller->parameters[find(caller->values, value) - caller->values.begin()]);
      continue;
    }
    IRBuilder<> b(&start, start.getFirstNonPHIOrDbgOrAlloca());
    args.push_back(makeEntryValue(b, value));
  }
  IRBuilder<> b(&call);
  CallInst *result = b.CreateCall(&function, args);
  result->setCallingConv(call.getCallingConv());
  result->setAttributes(call.getAttributes());
  for (unsigned i = call.arg_size(); i < args.size(); ++i)
    if (function.hasParamAttribute(i, Attribute::InReg))
      result->addParamAttr(i, Attribute::InReg);
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

} // namespace

PreservedAnalyses PassEntryValuesPass::run(Module &module, ModuleAnalysisManager &) {
  CalleeMap callees = collect(module, entryFunctions(module));
  if (callees.empty())
    return PreservedAnalyses::all();
  MapVector<Function *, Function *> made;
  DenseMap<Function *, const Callee *> byNew;
  for (auto &[old, callee] : callees) {
    made[old] = addParameters(*old, callee);
    byNew[made[old]] = &callee;
  }
  for (auto &[old, function] : made) {
    for (User *user : make_early_inc_range(old->users())) {
      auto &call = *cast<CallInst>(user);
      replaceCall(call, *function, *byNew[function], byNew.lookup(call.getFunction()));
    }
    old->eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace lgc
