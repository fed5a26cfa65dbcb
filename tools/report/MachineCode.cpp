//===- MachineCode.cpp - the instructions that a report is about ----------===//
// SPDX-License-Identifier: MIT
#include "tools/report/MachineCode.h"
#include "pal_shim/abi/AbiError.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/core/Decoder.h"
#include "pal_shim/device/core/OpIndex.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace pal::device;
using llvm::StringRef;

namespace report {

uint32_t MachineCode::indexOf(uint64_t pc) const {
  const auto found = llvm::lower_bound(
      code, pc, [](const Instruction &instr, uint64_t wanted) { return instr.pc < wanted; });
  return found != code.end() && found->pc == pc ? uint32_t(found - code.begin()) : nowhere;
}

/// The device's own form, of which Effects wants to know whether an image atomic returns a value.
static Instr decoded(const OpIndex &ops, const RawInstr &raw) {
  Instr instr;
  std::string why;
  const OpEntry *op = ops.find(raw.mnemonic);
  if (!op || raw.encoding == Encoding::Count)
    return instr;
  instr.run = op->run;
  instr.kernel = op->kernel;
  instr.op = op;
  instr.pc = uint32_t(raw.pc);
  instr.variant = uint8_t(raw.encoding);
  return op->decode(raw, instr, why) ? instr : Instr();
}

static Instruction describe(const MachineInstr &machine, const OpIndex &ops) {
  const RawInstr &raw = machine.first;
  Instruction instr;
  instr.pc = uint32_t(raw.pc);
  instr.size = uint8_t(machine.sizeBytes);
  instr.mnemonic = raw.mnemonic.str();
  instr.encoding = raw.encoding;
  instr.effects = strict::effectsOf(machine, decoded(ops, raw));
  instr.operands.append(raw.operands.begin(), raw.operands.end());
  instr.operands.append(raw.implicits.begin(), raw.implicits.end());
  instr.isDual = machine.isDual;
  instr.isIndirect = machine.isIndirect;
  instr.usesM0 = raw.mnemonic.starts_with("v_movrel") || raw.mnemonic == "v_swaprel_b32";
  return instr;
}

llvm::Expected<MachineCode> readMachineCode(const pal::abi::GpuTarget &target, unsigned waveSize,
                                            llvm::ArrayRef<uint8_t> bytes) {
  MachineCode result;
  result.target = &target;
  result.generation = generationOf(target);
  result.waveSize = waveSize;
  auto decoder = KILN_TRY(Decoder::create(target, waveSize));
  const OpIndex ops(result.generation);
  std::vector<uint64_t> targets;
  MachineInstr machine;
  // Behind the last instruction that anything leads to lie constants, or padding.
  uint64_t furthest = 0;
  bool isIndirect = false, isReached = true;
  for (uint64_t pc = 0; pc < bytes.size(); pc += machine.sizeBytes) {
    isReached |= pc <= furthest || isIndirect;
    if (!isReached)
      break;
    KILN_TRY(decoder->decode(bytes, pc, machine));
    if (machine.isBranch)
      furthest = std::max(furthest, machine.branchTarget);
    isIndirect |= machine.isIndirect;
    isReached = !machine.endsFlow;
    result.code.push_back(describe(machine, ops));
    result.code.back().text = StringRef(decoder->text(bytes, pc)).trim().str();
    targets.push_back(machine.branchTarget);
  }
  for (size_t i = 0; i < result.code.size(); ++i) {
    Instruction &instr = result.code[i];
    if (!instr.isBranch())
      continue;
    instr.target = result.indexOf(targets[i]);
    if (instr.target == nowhere)
      return pal::abi::malformed("the branch at pc " + pal::abi::hex(instr.pc) +
                                 " leaves the code");
    instr.text = llvm::formatv("{0} label_{1:X-4}", instr.mnemonic, targets[i]).str();
  }
  return result;
}

} // namespace report
