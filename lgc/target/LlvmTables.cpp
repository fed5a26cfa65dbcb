//===- LlvmTables.cpp - LLVM's lazily made tables, made at a fixed place --===//
// SPDX-License-Identifier: MIT
#include "lgc/target/LlvmTables.h"
#include "lgc/CompileError.h"
#include "lgc/Shader.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/CodeGen/SelectionDAGNodes.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/IR/PrintPasses.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace lgc {

/// All that a compilation would make (found by listing the calls of __cxa_atexit during some).
static void makeDestroyedTables() {
  struct Node : SDNode {
    using SDNode::getSDVTList;
  };
  (void)Node::getSDVTList(MVT::i32);
  (void)getGlobalPassGate();
  (void)isPassInPrintList("");
  (void)vfs::getRealFileSystem();
  LibFunc function;
  (void)TargetLibraryInfoImpl(Triple(targetTriple())).getLibFunc("free", function);
}

void primeLlvmTables(const Target &target) {
  makeDestroyedTables();
  const Triple triple(targetTriple());
  std::unique_ptr<MCRegisterInfo> registers(target.createMCRegInfo(triple));
  const MCTargetOptions options;
  std::unique_ptr<MCAsmInfo> asmInfo(target.createMCAsmInfo(*registers, triple, options));
  std::unique_ptr<MCInstrInfo> instructions(target.createMCInstrInfo());
  // gfx1201 knows all fields of the operand; on older targets the extra field is reserved and its
  // default, all ones, is what their own manuals' encodings have there.
  std::unique_ptr<MCSubtargetInfo> subtarget(
      target.createMCSubtargetInfo(triple, "gfx1201", /*Features=*/""));
  SourceMgr sources;
  sources.AddNewSourceBuffer(MemoryBuffer::getMemBuffer("s_wait_alu depctr_sa_sdst(0)\n"), SMLoc());
  MCContext context(triple, asmInfo.get(), registers.get(), subtarget.get(), &sources);
  std::unique_ptr<MCObjectFileInfo> objectFile(
      target.createMCObjectFileInfo(context, /*PIC=*/true));
  context.setObjectFileInfo(objectFile.get());
  std::unique_ptr<MCStreamer> streamer(target.createNullStreamer(context));
  std::unique_ptr<MCAsmParser> parser(createMCAsmParser(sources, context, *streamer, *asmInfo));
  std::unique_ptr<MCTargetAsmParser> targetParser(
      target.createMCAsmParser(*subtarget, *parser, *instructions, options));
  KILN_CHECK(targetParser, "LLVM has no AMDGPU assembly parser");
  parser->setTargetParser(*targetParser);
  KILN_CHECK(!parser->Run(/*NoInitialTextSection=*/false), "LLVM does not know s_wait_alu");
}

} // namespace lgc
