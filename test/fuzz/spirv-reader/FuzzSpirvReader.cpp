//===- FuzzSpirvReader.cpp - libFuzzer target of the SPIR-V reader --------===//
// SPDX-License-Identifier: MIT
/// \file
/// Any bytes give a module or an error. A module that was accepted must stand every query, and what
/// is left after trimming its debug information is an input again.
#include "llpc/reflect/KernelArguments.h"
#include "llpc/spirv/Module.h"
#include "llpc/spirv/TrimDebug.h"

using namespace llpc::spirv;

static size_t queryAll(const Module &module) {
  size_t sum = 0;
  for (const Inst &inst : module.instructions()) {
    Id id = inst.resultId;
    sum += place(inst).size() + module.name(id).size() + module.stringOf(id).size() +
           module.extInstSet(id).size() + module.typeDepth(id);
    for (const Decoration &decoration : module.decorations(id))
      sum += decoration.operands.size() + module.memberName(id, decoration.member).size() +
             (module.findDecoration(id, decoration.kind, decoration.member) == nullptr);
  }
  for (const EntryPoint &entry : module.entryPoints())
    sum += module.findEntryPoint(entry.model, entry.name)->modes.size();
  for (const Function &function : module.functions())
    for (const Block &block : function.blocks)
      sum += block.insts.size() + module.findFunction(function.definition->resultId)->blocks.size();
  return sum;
}

/// The other dialect: what it takes, and the arguments of its kernels.
static void readKernels(llvm::ArrayRef<uint8_t> bytes) {
  auto module = parseKernels(bytes);
  if (!module)
    return llvm::consumeError(module.takeError());
  volatile size_t sink = queryAll(**module);
  (void)sink;
  for (const EntryPoint &entry : (*module)->entryPoints())
    if (entry.model == spv::ExecutionModel::Kernel)
      llvm::consumeError(llpc::kernelInterfaceOf(**module, entry).takeError());
  llpc::KernelSizes sizes;
  sizes.workgroup = {4, 2, 1};
  sizes.local = {16, 0};
  llvm::consumeError(llpc::completeKernels(bytes, sizes).takeError());
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  readKernels({data, size});
  llvm::Expected<std::unique_ptr<Module>> module = Module::parse({data, size});
  if (!module) {
    KILN_CHECK(!lgc::consumeToText(module.takeError()).message.empty(), "an error without text");
    return 0;
  }
  volatile size_t sink = queryAll(**module);
  (void)sink;
  std::vector<uint32_t> trimmed = trimDebugInfo(**module);
  llvm::ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(trimmed.data()),
                                trimmed.size() * sizeof(uint32_t));
  llvm::Expected<std::unique_ptr<Module>> again = Module::parse(bytes);
  // Not always a module again: an instruction that should not may refer to a debug instruction.
  llvm::consumeError(again.takeError());
  return 0;
}
