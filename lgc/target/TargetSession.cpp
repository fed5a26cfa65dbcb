//===- TargetSession.cpp - kept LLVM state of one thread's compilations ---===//
// SPDX-License-Identifier: MIT
#include "lgc/target/TargetSession.h"
#include "lgc/target/CodegenPipeline.h"
#include "lgc/target/TargetMachine.h"
#include "pal_shim/abi/Try.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace lgc {
namespace {

bool isFatPointer(const Type *type) {
  const Type *scalar = type->getScalarType();
  return scalar->isPointerTy() &&
         (scalar->getPointerAddressSpace() == 7 || scalar->getPointerAddressSpace() == 9);
}

/// True when some value is a pointer that only amdgpu-lower-buffer-fat-pointers can remove. A
/// resource (addrspace 8) as operand of a buffer intrinsic needs no lowering.
bool hasFatPointers(const Module &module) {
  for (const Function &function : module)
    for (const BasicBlock &block : function)
      for (const Instruction &inst : block) {
        if (isFatPointer(inst.getType()))
          return true;
        for (const Value *operand : inst.operands())
          if (isa<Constant>(operand) && isFatPointer(operand->getType()))
            return true;
      }
  return false;
}

bool hasLds(const Module &module) {
  return any_of(module.globals(),
                [](const GlobalVariable &variable) { return variable.getAddressSpace() == 3; });
}

/// True when some instruction is atomic or is a call of an intrinsic of that name.
bool hasAtomics(const Module &module) {
  for (const Function &function : module) {
    if (function.isDeclaration() && function.getName().contains("atomic"))
      return true;
    for (const BasicBlock &block : function)
      for (const Instruction &inst : block)
        if (inst.isAtomic())
          return true;
  }
  return false;
}

bool isGraphicsStage(CallingConv::ID convention) {
  return is_contained({CallingConv::AMDGPU_LS, CallingConv::AMDGPU_HS, CallingConv::AMDGPU_ES,
                       CallingConv::AMDGPU_GS, CallingConv::AMDGPU_VS, CallingConv::AMDGPU_PS},
                      convention);
}

/// A task shader is a compute shader to LLVM, but never alone.
bool hasGraphics(const Module &module) {
  return any_of(module, [](const Function &function) {
    return !function.isDeclaration() && isGraphicsStage(function.getCallingConv());
  });
}

} // namespace

Expected<std::unique_ptr<TargetSession>> TargetSession::create(StringRef target, OptLevel level,
                                                               MachineStep lookAt) {
  // Why never None: unoptimised code generation gives three times the code and takes longer,
  // because more instructions go through it. Level None leaves out the middle end instead.
  auto machine = KILN_TRY(createTargetMachine(target, CodeGenOptLevel::Default));
  std::unique_ptr<TargetSession> session(new TargetSession());
  session->targetName = target.str();
  session->optLevel = level;
  session->lookAt = std::move(lookAt);
  session->targetMachine = std::move(machine);
  return session;
}

TargetSession::~TargetSession() = default;

void TargetSession::generate(Module &module, bool assembly, SmallVectorImpl<char> &output,
                             InstructionCounts &instructions) {
  CodegenTraits traits;
  traits.level = optLevel;
  traits.assembly = assembly;
  traits.fatPointers = hasFatPointers(module);
  traits.lds = hasLds(module);
  traits.atomics = hasAtomics(module);
  traits.calls = any_of(module, [](const Function &function) {
    return !function.isDeclaration() && function.getCallingConv() == CallingConv::AMDGPU_Gfx;
  });
  traits.graphics = hasGraphics(module);
  traits.debugInfo = module.getNamedMetadata("llvm.dbg.cu") != nullptr;
  std::unique_ptr<CodegenPipeline> &pipeline = pipelines[traits];
  if (!pipeline)
    pipeline = std::make_unique<CodegenPipeline>(*targetMachine, traits, lookAt);
  ++uses;
  const StringRef text = pipeline->run(module);
  output.assign(text.begin(), text.end());
  instructions = pipeline->instructionCounts();
}

} // namespace lgc
