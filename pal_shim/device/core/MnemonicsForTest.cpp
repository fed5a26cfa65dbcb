//===- MnemonicsForTest.cpp - all mnemonics that LLVM knows ----------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/MnemonicsForTest.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "gtest/gtest.h"

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
}

using namespace llvm;

namespace pal::device::test {

std::set<std::string> mnemonicsOf(Generation generation) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  Triple triple("amdgcn--amdpal");
  std::string why;
  std::set<std::string> result;
  const Target *target = TargetRegistry::lookupTarget("amdgcn", triple, why);
  EXPECT_TRUE(target) << why;
  MCTargetOptions options;
  std::unique_ptr<MCRegisterInfo> registers(target->createMCRegInfo(triple));
  std::unique_ptr<MCAsmInfo> asmInfo(target->createMCAsmInfo(*registers, triple, options));
  std::unique_ptr<MCInstrInfo> instructions(target->createMCInstrInfo());
  std::unique_ptr<MCInstPrinter> printer(
      target->createMCInstPrinter(triple, 0, *asmInfo, *instructions, *registers));
  StringRef suffix = isGfx10(generation) ? "_gfx10" : isGfx11(generation) ? "_gfx11" : "_gfx12";
  for (unsigned opcode = 0; opcode < instructions->getNumOpcodes(); ++opcode) {
    StringRef name = instructions->getName(opcode);
    // Beyond gfx12.0 are other machines. Loads to LDS have the name of loads, and are refused when
    // they are decoded.
    if (!name.contains(suffix) || name.contains("_LDS_") || name.contains("_gfx125") ||
        name.contains("_gfx13"))
      continue;
    MCInst inst;
    inst.setOpcode(opcode);
    // Fixed operands are part of LLVM's mnemonic: "scratch_store_b32 off, ".
    StringRef mnemonic = StringRef(printer->getMnemonic(inst).first).trim().split(' ').first;
    for (StringRef encoding : {"_e64_dpp", "_dpp", "_sdwa", "_e64", "_e32"})
      if (mnemonic.consume_back(encoding))
        break;
    if (mnemonic.consume_front("v_dual_"))
      result.insert("v_" + mnemonic.str());
    else
      result.insert(mnemonic.str());
  }
  return result;
}

} // namespace pal::device::test
