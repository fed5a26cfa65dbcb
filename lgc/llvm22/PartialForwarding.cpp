//===- PartialForwarding.cpp - results from both sides of a change of EXEC -===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/PartialForwarding.h"
#include "lgc/machine/MachineStep.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include <array>
#include <set>

using namespace llvm;

namespace lgc {
namespace {

/// Hardware starts these when all results of vector instructions are there.
constexpr StringLiteral waitingPrefixes[] = {"BUFFER_", "TBUFFER_", "IMAGE_", "GLOBAL_",
                                             "FLAT_",   "SCRATCH_", "DS_",    "EXP"};
constexpr StringLiteral waitName = "S_WAITCNT_DEPCTR";
/// va_vdst, four bits: results of vector instructions that may be under way; here none.
constexpr int64_t resultBits = 0xF000, waitForResults = 0x0FFF;
/// In vector instructions, which stand between the writes and behind the younger one.
constexpr uint8_t betweenMax = 2, behindMax = 4, notSeen = UINT8_MAX;
constexpr uint8_t farthest = behindMax + betweenMax + 1;
constexpr unsigned sourcesMax = 8;
constexpr uint8_t execWritesMax = 7; ///< that are counted

/// What has been met on the way back from a reader.
struct Way {
  uint8_t age = 0;        ///< vector instructions
  uint8_t execWrites = 0; ///< scalar ones of EXEC
  /// By source: how many of both had been met when its last writer came.
  std::array<uint8_t, sourcesMax> written, execWritten{};

  Way() { written.fill(notSeen); }
  auto operator<=>(const Way &) const = default;
};

enum class Verdict : uint8_t { GoOn, Safe, Hazard };

class ForwardingWaits {
public:
  explicit ForwardingWaits(MachineFunction &function)
      : function(function), info(*function.getSubtarget().getInstrInfo()),
        registers(*function.getSubtarget().getRegisterInfo()) {}
  bool run();

private:
  StringRef nameOf(const MachineInstr &inst) const { return info.getName(inst.getOpcode()); }
  bool waits(const MachineInstr &inst) const;
  bool writesExec(const MachineInstr &inst) const;
  bool readSources(const MachineInstr &reader);
  Verdict meet(const MachineInstr &inst, Way &way) const;
  Verdict judge(const Way &way) const;
  bool needsWait(const MachineInstr &reader) const;
  bool visit(MachineBasicBlock &block);

  MachineFunction &function;
  const TargetInstrInfo &info;
  const TargetRegisterInfo &registers;
  SmallVector<MCRegister, sourcesMax> sources; ///< of the reader
  const MCInstrDesc *wait = nullptr;           ///< once there is one
};

bool ForwardingWaits::waits(const MachineInstr &inst) const {
  const StringRef name = nameOf(inst);
  if (name.starts_with(waitName))
    return (inst.getOperand(0).getImm() & resultBits) == 0;
  return any_of(waitingPrefixes, [&](StringRef prefix) { return name.starts_with(prefix); });
}

bool ForwardingWaits::writesExec(const MachineInstr &inst) const {
  return any_of(inst.operands(), [&](const MachineOperand &op) {
    return op.isReg() && op.isDef() &&
           StringRef(registers.getName(op.getReg())).starts_with("EXEC");
  });
}

/// False: fewer than two different ones.
bool ForwardingWaits::readSources(const MachineInstr &reader) {
  sources.clear();
  for (const MachineOperand &use : reader.explicit_uses())
    if (use.isReg() && use.getReg().isPhysical() && sources.size() < sourcesMax &&
        StringRef(registers.getName(use.getReg())).starts_with("VGPR") &&
        !is_contained(sources, use.getReg().asMCReg()))
      sources.push_back(use.getReg().asMCReg());
  return sources.size() > 1;
}

Verdict ForwardingWaits::judge(const Way &way) const {
  bool isOpen = way.age <= behindMax; // the younger one may come
  for (unsigned younger = 0; younger < sources.size(); ++younger) {
    if (way.written[younger] > behindMax)
      continue;
    const unsigned oldest = way.written[younger] + betweenMax + 1;
    isOpen |= way.age <= oldest;
    for (unsigned older = 0; older < sources.size(); ++older)
      if (way.written[older] <= oldest && way.execWritten[older] > way.execWritten[younger])
        return Verdict::Hazard;
  }
  return isOpen ? Verdict::GoOn : Verdict::Safe;
}

/// Goes back over one instruction.
Verdict ForwardingWaits::meet(const MachineInstr &inst, Way &way) const {
  if (waits(inst))
    return Verdict::Safe;
  const StringRef name = nameOf(inst);
  if (name.starts_with("S_") && way.execWrites < execWritesMax)
    way.execWrites += writesExec(inst);
  if (!name.starts_with("V_"))
    return Verdict::GoOn;
  for (unsigned i = 0; i < sources.size(); ++i)
    if (way.written[i] == notSeen && inst.modifiesRegister(sources[i], &registers)) {
      way.written[i] = way.age;
      way.execWritten[i] = way.execWrites;
    }
  ++way.age;
  return judge(way);
}

/// On all ways back from \p reader that leave its block; the same again leads nowhere new.
bool ForwardingWaits::needsWait(const MachineInstr &reader) const {
  using Place = MachineBasicBlock::const_reverse_instr_iterator;
  std::set<std::pair<int, Way>> seen;
  SmallVector<std::pair<const MachineBasicBlock *, Way>, 8> open;
  /// False: a hazard.
  auto goBack = [&](const MachineBasicBlock &block, Place from, Way way) {
    for (; from != block.instr_rend(); ++from)
      if (const Verdict verdict = meet(*from, way); verdict != Verdict::GoOn)
        return verdict == Verdict::Safe;
    for (const MachineBasicBlock *before : block.predecessors())
      if (seen.insert({before->getNumber(), way}).second)
        open.push_back({before, way});
    return true;
  };
  if (!goBack(*reader.getParent(), std::next(Place(reader.getReverseIterator())), Way()))
    return true;
  while (!open.empty()) {
    const auto [block, way] = open.pop_back_val();
    if (!goBack(*block, block->instr_rbegin(), way))
      return true;
  }
  return false;
}

/// Readers that the block's beginning is not far from.
bool ForwardingWaits::visit(MachineBasicBlock &block) {
  bool changed = false;
  unsigned age = 0;
  for (MachineInstr &inst : block.instrs()) {
    if (waits(inst) || age > farthest)
      break;
    if (!nameOf(inst).starts_with("V_"))
      continue;
    ++age;
    if (!readSources(inst) || !needsWait(inst))
      continue;
    if (!wait)
      wait = &info.get(findOpcode(info, waitName));
    BuildMI(block, inst.getIterator(), inst.getDebugLoc(), *wait).addImm(waitForResults);
    changed = true;
    break; // what comes behind need not look further back
  }
  return changed;
}

bool ForwardingWaits::run() {
  bool changed = false;
  for (MachineBasicBlock &block : function)
    changed |= visit(block);
  return changed;
}

} // namespace

bool waitForForwardedResults(MachineFunction &function) {
  const pal::abi::GpuTarget *target = pal::abi::findTarget(function.getSubtarget().getCPU());
  if (!target || target->major != 11 || !function.getSubtarget().checkFeatures("+wavefrontsize64"))
    return false;
  return ForwardingWaits(function).run();
}

} // namespace lgc
