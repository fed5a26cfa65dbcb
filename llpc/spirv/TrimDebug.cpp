//===- TrimDebug.cpp - a module's words without debug information ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// One pass over the instructions; see the header for what goes and what stays.
#include "llpc/spirv/TrimDebug.h"

namespace llpc::spirv {

using spv::Op;

static constexpr const char *debugSet = "NonSemantic.Shader.DebugInfo.100";

/// True for instructions that go whatever they refer to.
static bool isDebugInst(const Module &module, const Inst &inst) {
  switch (inst.opcode) {
  case Op::OpSource:
  case Op::OpSourceContinued:
  case Op::OpSourceExtension:
  case Op::OpMemberName:
  case Op::OpLine:
  case Op::OpNoLine:
  case Op::OpNop:
  case Op::OpModuleProcessed:
    return true;
  case Op::OpExtInstImport:
    return module.extInstSet(inst.resultId) == debugSet;
  case Op::OpExtInst:
  case Op::OpExtInstWithForwardRefsKHR:
    return module.extInstSet(inst[0]) == debugSet;
  default:
    return false;
  }
}

/// True for names and decorations of an instruction that goes.
static bool refersToDebugInst(const Module &module, const Inst &inst) {
  if (inst.opcode != Op::OpName && inst.opcode != Op::OpDecorate &&
      inst.opcode != Op::OpDecorateString)
    return false;
  return isDebugInst(module, *module.definition(inst[0]));
}

std::vector<uint32_t> trimDebugInfo(const Module &module) {
  llvm::ArrayRef<uint32_t> words = module.words();
  std::vector<uint32_t> result;
  result.reserve(words.size());
  // What stays between two debug instructions is copied at once.
  size_t begin = 0;
  for (const Inst &inst : module.instructions()) {
    if (!isDebugInst(module, inst) && !refersToDebugInst(module, inst))
      continue;
    result.insert(result.end(), words.begin() + begin, words.begin() + inst.wordOffset);
    begin = inst.wordOffset + (words[inst.wordOffset] >> 16);
  }
  result.insert(result.end(), words.begin() + begin, words.end());
  return result;
}

} // namespace llpc::spirv
