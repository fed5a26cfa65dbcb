//===- DebugInfo.cpp - OpLine and DebugLine -> LLVM debug locations -------===//
// SPDX-License-Identifier: MIT
/// \file
/// Only on request (TranslateOptions::debugInfo): a compile unit, one subprogram per function and
/// the source lines of OpLine and of NonSemantic.Shader.DebugInfo.100's DebugLine. Types and
/// variables: DebugVariables.cpp.
#include "llpc/translate/TranslatorState.h"

using namespace llvm;

namespace llpc {

namespace {

/// Instruction numbers of NonSemantic.Shader.DebugInfo.100.
enum : uint32_t { debugSource = 35, debugLine = 103, debugNoLine = 104 };

DIFile *fileOf(Translator &t, Id stringId) {
  DebugState &debug = *t.internals().debug;
  StringRef path = t.spv.stringOf(stringId);
  return debug.builder.createFile(path.empty() ? "shader" : path, "");
}

/// The file of a DebugSource instruction; its first operand names the path.
DIFile *fileOfSource(Translator &t, Id sourceId) {
  const Inst *source = t.spv.definition(sourceId);
  if (source && source->opcode == spv::Op::OpExtInst && source->size() > 2 &&
      (*source)[1] == debugSource)
    return fileOf(t, (*source)[2]);
  return fileOf(t, 0);
}

void setLocation(Translator &t, DIFile *file, uint32_t line, uint32_t column) {
  DebugState &debug = *t.internals().debug;
  if (!debug.subprogram)
    return;
  DIScope *scope = debug.subprogram;
  if (file != debug.subprogram->getFile())
    scope = debug.builder.createLexicalBlockFile(debug.subprogram, file);
  t.b.SetCurrentDebugLocation(DILocation::get(t.context, line, column, scope));
}

/// From here on code belongs to no line.
void clearLocation(Translator &t) {
  if (DISubprogram *subprogram = t.internals().debug->subprogram)
    t.b.SetCurrentDebugLocation(DILocation::get(t.context, 0, 0, subprogram));
}

/// Line of the first OpLine of a function, for its subprogram.
std::pair<Id, uint32_t> firstLine(const spirv::Function &function) {
  for (const spirv::Block &block : function.blocks)
    for (const Inst &inst : block.insts)
      if (inst.opcode == spv::Op::OpLine)
        return {inst[0], inst[1]};
  return {0, 0};
}

} // namespace

void beginDebugFunction(Translator &t, const spirv::Function &function, Function *llvmFunction) {
  if (!t.options.debugInfo)
    return;
  auto &debug = t.internals().debug;
  if (!debug) {
    debug = std::make_unique<DebugState>(*t.module);
    if (!t.module->getModuleFlag("Debug Info Version")) // another stage may have been here
      t.module->addModuleFlag(llvm::Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
  }
  auto [fileId, line] = firstLine(function);
  DIFile *file = fileOf(t, fileId);
  if (!debug->unit)
    debug->unit = debug->builder.createCompileUnit(DISourceLanguageName(dwarf::DW_LANG_C), file,
                                                   "kiln", /*isOptimized=*/true, "", 0);
  auto *type = debug->builder.createSubroutineType(debug->builder.getOrCreateTypeArray({}));
  debug->subprogram = debug->builder.createFunction(
      file, llvmFunction->getName(), llvmFunction->getName(), file, line, type, line,
      DINode::FlagZero, DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized);
  llvmFunction->setSubprogram(debug->subprogram);
  t.b.SetCurrentDebugLocation(DILocation::get(t.context, line, 0, debug->subprogram));
}

void updateDebugLocation(Translator &t, const Inst &inst) {
  if (!t.internals().debug)
    return;
  if (inst.opcode == spv::Op::OpLine)
    return setLocation(t, fileOf(t, inst[0]), inst[1], inst[2]);
  if (inst.opcode == spv::Op::OpNoLine)
    return clearLocation(t);
  if (inst.opcode != spv::Op::OpExtInst || inst.size() < 2 ||
      t.spv.extInstSet(inst[0]) != "NonSemantic.Shader.DebugInfo.100")
    return;
  if (inst[1] == debugNoLine)
    return clearLocation(t);
  if (inst[1] != debugLine || inst.size() < 7)
    return;
  // Operands: source, line start, line end, column start, column end, all ids.
  Expected<uint32_t> line = t.readConstant32(inst[3]), column = t.readConstant32(inst[5]);
  if (line && column)
    return setLocation(t, fileOfSource(t, inst[2]), *line, *column);
  consumeError(line.takeError());
  consumeError(column.takeError());
}

/// A line holds to the end of its block at most, says SPIR-V.
void beginDebugBlock(Translator &t) {
  if (t.internals().debug)
    clearLocation(t);
}

void finishDebugInfo(Translator &t) {
  if (t.internals().debug)
    t.internals().debug->builder.finalize();
}

} // namespace llpc
