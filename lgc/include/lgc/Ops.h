//===- Ops.h - typed access to the lgc operations -------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// lgc operations are calls of declared functions (Ops.def). OpBuilder makes them, opIdOf
/// recognises them, forEachOp visits them; verifyOps checks operands. Equal pure calls are merged
/// by LLVM like any other readnone call.
#pragma once

#include "lgc/CompileError.h"
#include "lgc/OpEnums.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace lgc {

/// Address spaces (LLVM AMDGPUUsage).
namespace AddrSpace {
enum : unsigned { Flat = 0, Global = 1, Local = 3, Constant = 4, Private = 5, Buffer = 7 };
} // namespace AddrSpace

enum class OpId : uint8_t {
#define LGC_OP(Class, name, args, effects, flags, summary) Class,
#include "lgc/Ops.def"
  None
};

/// None when the function is no lgc operation (or an unknown "lgc." name).
OpId opIdOf(const llvm::Function &function);
/// None when the call is indirect or calls something else.
OpId opIdOf(const llvm::CallBase &call);
llvm::StringRef opName(OpId id);
/// Number of operands in Ops.def.
unsigned opArgCount(OpId id);

template <OpId Id> class OpCall : public llvm::CallInst {
public:
  static bool classof(const llvm::Value *value) {
    const auto *call = llvm::dyn_cast<llvm::CallInst>(value);
    return call && opIdOf(*call) == Id;
  }
  /// A "const" operand's value.
  uint32_t constArg(unsigned index) const {
    return static_cast<uint32_t>(
        llvm::cast<llvm::ConstantInt>(getArgOperand(index))->getZExtValue());
  }
};
#define LGC_OP(Class, name, args, effects, flags, summary) using Class = OpCall<OpId::Class>;
#include "lgc/Ops.def"

/// An operand that the caller left out.
llvm::Value *absent(llvm::LLVMContext &context);
bool isAbsent(const llvm::Value *operand);

/// Creates the call; declares the function on first use. `name` names the result.
llvm::CallInst *createOp(llvm::IRBuilderBase &builder, OpId id, llvm::Type *resultType,
                         llvm::ArrayRef<llvm::Value *> args, const llvm::Twine &name = "");

/// Calls `visit` for every call of operation `id`; the visitor may erase that call. Declarations
/// without a remaining use are erased.
void forEachOp(llvm::Module &module, OpId id, llvm::function_ref<void(llvm::CallInst &)> visit);
/// True when a declaration of the operation exists with at least one use.
bool hasOp(const llvm::Module &module, OpId id);

/// Checks operand counts, const operands and types of every lgc call.
llvm::Error verifyOps(const llvm::Module &module);

} // namespace lgc
