//===- CallableFunctions.cpp - what can be a function in the code ----------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/entry/CallableFunctions.h"
#include "lgc/Callable.h"
#include "lgc/Ops.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {
namespace {

/// Handles of descriptors are pointers to constants, too: what is done with them are operations,
/// and those that nothing is done with are not told apart.
bool isPlain(const Argument &parameter) {
  const Type *type = parameter.getType();
  if (const auto *pointer = dyn_cast<PointerType>(type))
    return pointer->getAddressSpace() <= AddrSpace::Private &&
           (pointer->getAddressSpace() != AddrSpace::Constant || !parameter.use_empty());
  return type->isIntOrIntVectorTy() || type->isFPOrFPVectorTy();
}

bool isPlainResult(const Type *type) {
  return type->isVoidTy() || type->isIntOrIntVectorTy() || type->isFPOrFPVectorTy();
}

bool hasOperations(const Function &function) {
  return any_of(instructions(function), [](const Instruction &inst) {
    const auto *call = dyn_cast<CallBase>(&inst);
    return call && (!call->getCalledFunction() || opIdOf(*call) != OpId::None);
  });
}

/// Takes out of \p functions those that use \p variable, in constant expressions too.
void removeUsers(const GlobalVariable &variable, DenseSet<const Function *> &functions) {
  SmallVector<const User *, 8> worklist(variable.users());
  DenseSet<const User *> seen;
  while (!worklist.empty()) {
    const User *user = worklist.pop_back_val();
    if (const auto *inst = dyn_cast<Instruction>(user))
      functions.erase(inst->getFunction());
    else if (seen.insert(user).second)
      worklist.append(user->user_begin(), user->user_end());
  }
}

} // namespace

DenseSet<const Function *> callableFunctions(const Module &module) {
  DenseSet<const Function *> functions;
  for (const Function &function : module)
    if (!function.isDeclaration() && function.hasLocalLinkage() &&
        function.hasFnAttribute(callableAttribute) && isPlainResult(function.getReturnType()) &&
        all_of(function.args(), isPlain) && !hasOperations(function))
      functions.insert(&function);
  if (functions.empty())
    return functions;
  for (const GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == AddrSpace::Private ||
        variable.getAddressSpace() == AddrSpace::Local)
      removeUsers(variable, functions);
  return functions;
}

} // namespace lgc
