//===- DecodeProgram.cpp - all code of a program that can be reached -------===//
// SPDX-License-Identifier: MIT
/// \file
/// Follows control flow from the entry point, so that padding and data between functions do no
/// harm. The instructions found are then put in order of address: the successor of an instruction
/// that does not end the flow is the next one in that order.
#include "pal_shim/device/core/DecodeProgram.h"
#include "pal_shim/abi/AbiError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace pal::device {

namespace {

/// Problems listed in one message; the others are only counted.
constexpr size_t maxListedProblems = 10;

struct Found {
  Instr instr; ///< `dual` is set
  uint64_t branchTarget = ~0ull;
  bool isPadding = false; ///< s_code_end
};

class ProgramDecoder {
public:
  ProgramDecoder(Decoder &decoder, const OpIndex &ops, OpcodeCounters &counters,
                 ArrayRef<uint8_t> code, ProgramData &program)
      : decoder(decoder), ops(ops), counters(counters), code(code), program(program),
        visited(code.size() / 4) {
    // An instruction is made of dwords: what is left after the last one cannot be reached.
    this->code = code.take_front(code.size() / 4 * 4);
  }

  Error run(uint64_t entry, ArrayRef<CodeRange> functions);

private:
  Error follow(uint64_t pc, uint64_t from);
  bool makeInstr(const MachineInstr &machine, const RawInstr &raw, Instr &instr);
  Error sweep(CodeRange function);
  void noteVgprs(const RawInstr &raw);
  void reportProblem(const RawInstr &raw, const Twine &problem);
  Error arrange(uint64_t start);

  Decoder &decoder;
  const OpIndex &ops;
  OpcodeCounters &counters;
  ArrayRef<uint8_t> code;
  ProgramData &program;
  std::vector<bool> visited; ///< by dword: an instruction starts here
  std::map<uint64_t, Found> found;
  struct Start {
    uint64_t pc, from;
  };
  std::vector<Start> pending;
  bool hasIndirectJump = false;
  std::vector<std::string> problems;
  StringMap<unsigned> problemKeys;
};

void ProgramDecoder::reportProblem(const RawInstr &raw, const Twine &problem) {
  std::string key = (raw.mnemonic + " (" + encodingName(raw.encoding) + ")" + problem).str();
  if (problemKeys[key]++)
    return;
  problems.push_back(key + " at pc " + abi::hex(raw.pc) + ": '" + decoder.text(code, raw.pc) + "'");
}

void ProgramDecoder::noteVgprs(const RawInstr &raw) {
  for (const RawOperand &operand : raw.operands)
    if (operand.kind == RawOperand::Kind::Vgpr)
      program.launch.vgprs = std::max(program.launch.vgprs, unsigned(operand.reg) + operand.dwords);
  // Registers addressed through M0 are not in the operands.
  if (raw.mnemonic.starts_with("v_movrel") || raw.mnemonic == "v_swaprel_b32")
    program.launch.vgprs = 256;
}

bool ProgramDecoder::makeInstr(const MachineInstr &machine, const RawInstr &raw, Instr &instr) {
  const OpEntry *op = ops.find(raw.mnemonic);
  instr.sizeBytes = uint8_t(machine.sizeBytes);
  if (!op || raw.encoding == Encoding::Count) {
    reportProblem(raw, "");
    return false;
  }
  instr.run = op->run;
  instr.kernel = op->kernel;
  instr.op = op;
  instr.pc = uint32_t(raw.pc);
  instr.variant = uint8_t(raw.encoding);
  instr.counter = counters.slot(*op, raw.encoding);
  std::string why;
  if (!op->decode(raw, instr, why)) {
    reportProblem(raw, ": " + why);
    return false;
  }
  noteVgprs(raw);
  return true;
}

/// Decodes from \p pc to the end of the flow or to something already decoded.
Error ProgramDecoder::follow(uint64_t pc, uint64_t from) {
  for (MachineInstr machine;; from = pc, pc += machine.sizeBytes) {
    if (pc % 4 || pc >= code.size())
      return abi::malformed("control flow leaves the code after pc " + abi::hex(from) + ": " +
                            abi::hex(pc) + " of " + abi::hex(code.size()));
    if (visited[pc / 4])
      return Error::success();
    visited[pc / 4] = true;
    KILN_TRY(decoder.decode(code, pc, machine));
    Found &entry = found[pc];
    entry.isPadding = machine.first.mnemonic == "s_code_end";
    makeInstr(machine, machine.first, entry.instr);
    if (machine.isDual) {
      entry.instr.dual = uint32_t(program.dualHalves.size());
      makeInstr(machine, machine.second, program.dualHalves.emplace_back());
    }
    if (machine.isBranch) {
      entry.branchTarget = machine.branchTarget;
      pending.push_back({machine.branchTarget, pc});
    }
    hasIndirectJump |= machine.isIndirect;
    if (machine.endsFlow)
      return Error::success();
  }
}

/// Decodes a whole function, also behind the ends of flow in it, up to padding.
Error ProgramDecoder::sweep(CodeRange function) {
  for (uint64_t pc = function.begin; pc < std::min<uint64_t>(function.end, code.size());) {
    KILN_TRY(follow(pc, pc));
    auto entry = found.find(pc);
    if (entry == found.end() || entry->second.isPadding)
      return Error::success();
    pc += entry->second.instr.sizeBytes;
  }
  return Error::success();
}

Error ProgramDecoder::arrange(uint64_t start) {
  program.indexOfDword.assign(code.size() / 4, ~0u);
  uint64_t end = 0;
  program.code.reserve(found.size());
  for (auto &[pc, entry] : found) {
    if (pc < end)
      return abi::malformed("control flow enters the middle of the instruction before pc " +
                            abi::hex(end) + " at " + abi::hex(pc));
    end = pc + entry.instr.sizeBytes;
    program.indexOfDword[pc / 4] = uint32_t(program.code.size());
    program.code.push_back(entry.instr);
  }
  size_t index = 0;
  for (auto &[pc, entry] : found) {
    if (entry.branchTarget != ~0ull)
      program.code[index].target = program.indexOfDword[entry.branchTarget / 4];
    ++index;
  }
  program.entry = program.indexOfDword[start / 4];
  return Error::success();
}

Error ProgramDecoder::run(uint64_t entry, ArrayRef<CodeRange> functions) {
  pending.push_back({entry, entry});
  bool functionsAdded = false;
  while (!pending.empty()) {
    Start start = pending.back();
    pending.pop_back();
    KILN_TRY(follow(start.pc, start.from));
    if (pending.empty() && hasIndirectJump && !functionsAdded) {
      functionsAdded = true;
      for (CodeRange function : functions)
        KILN_TRY(sweep(function));
    }
  }
  if (!problems.empty()) {
    size_t listed = std::min(problems.size(), maxListedProblems);
    std::string message =
        "cannot execute " + join(problems.begin(), problems.begin() + listed, "; ");
    if (listed != problems.size())
      message += "; and " + std::to_string(problems.size() - listed) + " more";
    return abi::notSupported(message);
  }
  return arrange(entry);
}

} // namespace

Error decodeProgram(Decoder &decoder, const OpIndex &ops, OpcodeCounters &counters,
                    ArrayRef<uint8_t> code, uint64_t entry, ArrayRef<CodeRange> functions,
                    ProgramData &program) {
  return ProgramDecoder(decoder, ops, counters, code, program).run(entry, functions);
}

} // namespace pal::device
