//===- KernelSizes.cpp - sizes that a module of kernels leaves open -------===//
// SPDX-License-Identifier: MIT
/// \file
/// Instructions are added where the logical layout of a module has them:
///   before: OpEntryPoint Kernel %k "k" ... OpTypeFloat ...      %p = OpFunctionParameter %local
///   after:  OpEntryPoint Kernel %k "k", OpExecutionMode %k LocalSize 64 1 1 ...
///           OpDecorate %p MaxByteOffset 256, OpTypeFloat ...
#include "llpc/Kernels.h"
#include "llpc/spirv/KernelDialect.h"
#include "pal_shim/abi/Try.h"

namespace llpc {

using spirv::Inst;
using spv::Op;

namespace {

constexpr uint32_t firstWord(uint32_t words, Op opcode) {
  return words << 16 | static_cast<uint32_t>(opcode);
}

/// Sections in front of the execution modes, and these.
bool isBeforeDebug(Op opcode) {
  switch (opcode) {
  case Op::OpCapability:
  case Op::OpExtension:
  case Op::OpExtInstImport:
  case Op::OpMemoryModel:
  case Op::OpEntryPoint:
  case Op::OpExecutionMode:
  case Op::OpExecutionModeId:
    return true;
  default:
    return false;
  }
}

void addWorkgroupSizes(const spirv::Module &module, const KernelSizes &sizes,
                       std::vector<uint32_t> &words) {
  if (sizes.workgroup[0] == 0 || sizes.workgroup[1] == 0 || sizes.workgroup[2] == 0)
    return;
  for (const spirv::EntryPoint &entry : module.entryPoints()) {
    const bool hasSize = llvm::any_of(entry.modes, [](const spirv::ExecutionMode &mode) {
      return mode.mode == spv::ExecutionMode::LocalSize ||
             mode.mode == spv::ExecutionMode::LocalSizeId;
    });
    if (!hasSize)
      words.insert(words.end(), {firstWord(6, Op::OpExecutionMode), entry.function,
                                 static_cast<uint32_t>(spv::ExecutionMode::LocalSize),
                                 sizes.workgroup[0], sizes.workgroup[1], sizes.workgroup[2]});
  }
}

bool pointsToLocal(const spirv::Module &module, const Inst &parameter) {
  const Inst *type = module.definition(parameter.typeId);
  return type && type->opcode == Op::OpTypePointer &&
         static_cast<spv::StorageClass>((*type)[0]) == spv::StorageClass::Workgroup;
}

void addLocalSizes(const spirv::Module &module, const KernelSizes &sizes,
                   std::vector<uint32_t> &words) {
  llvm::SmallVector<spirv::Id, 4> done; // a function may be the entry point of several names
  for (const spirv::EntryPoint &entry : module.entryPoints()) {
    if (llvm::is_contained(done, entry.function))
      continue;
    done.push_back(entry.function);
    size_t number = 0;
    for (const Inst *parameter : module.findFunction(entry.function)->parameters) {
      if (!pointsToLocal(module, *parameter))
        continue;
      const size_t own = number++;
      if (own < sizes.local.size() &&
          !module.hasDecoration(parameter->resultId, spv::Decoration::MaxByteOffset))
        words.insert(words.end(),
                     {firstWord(4, Op::OpDecorate), parameter->resultId,
                      static_cast<uint32_t>(spv::Decoration::MaxByteOffset), sizes.local[own]});
    }
  }
}

} // namespace

llvm::Expected<std::vector<uint8_t>> completeKernels(llvm::ArrayRef<uint8_t> spirv,
                                                     const KernelSizes &sizes) {
  const std::unique_ptr<spirv::Module> module = KILN_TRY(spirv::parseKernels(spirv));
  if (!spirv::isKernelModule(*module))
    return spirv.vec();
  const llvm::ArrayRef<uint32_t> given = module->words();
  const llvm::ArrayRef<Inst> insts = module->instructions();
  // Annotations end where the first type, constant, variable or function is.
  const auto *modesEnd =
      llvm::find_if(insts, [](const Inst &inst) { return !isBeforeDebug(inst.opcode); });
  const auto *typesBegin = llvm::find_if(insts, [&](const Inst &inst) {
    return inst.opcode == Op::OpFunction || inst.typeId ||
           (inst.resultId && module->typeDepth(inst.resultId));
  });
  auto offsetOf = [&](const Inst *inst) {
    return inst == insts.end() ? given.size() : size_t(inst->wordOffset);
  };
  const size_t modes = offsetOf(modesEnd), types = std::max(modes, offsetOf(typesBegin));
  std::vector<uint32_t> words = given.take_front(modes).vec();
  addWorkgroupSizes(*module, sizes, words);
  llvm::append_range(words, given.slice(modes, types - modes));
  const size_t before = words.size();
  addLocalSizes(*module, sizes, words);
  if (words.size() > before) // MaxByteOffset is of SPIR-V 1.1
    words[1] = std::max(words[1], 0x00010100u);
  llvm::append_range(words, given.drop_front(types));
  const auto *bytes = reinterpret_cast<const uint8_t *>(words.data());
  return std::vector<uint8_t>(bytes, bytes + words.size() * sizeof(uint32_t));
}

} // namespace llpc
