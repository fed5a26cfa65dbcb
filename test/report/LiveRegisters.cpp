//===- LiveRegisters.cpp - live registers of reports against LLVM's --------===//
// SPDX-License-Identifier: MIT
/// \file
///     kiln-live-registers FILE.ll...
///
/// Generates code for IR as it is behind all passes (`amdllpc -emit-llvm`), and asks two who know
/// nothing of each other how many registers each instruction finds, leaves and writes together: the
/// report, which reads bytes, and LLVM's LivePhysRegs, of the machine instructions that became
/// these bytes. The rules:
///
/// - SGPRs are equal. What aligns blocks and moves branches is no instruction to LLVM, and not
///   compared.
/// - VGPRs are equal where no instruction writes EXEC.
/// - Reports take what v_movrel finds behind its register for all that there is: they have at least
///   as many VGPRs there.
/// - Elsewhere a vector write ends what a register held only for lanes that are active. LLVM, which
///   knows no lanes, says one of two things: that a write ends everything, or that it ends nothing.
///   The report is between them: at least the first, but for what is executed by no lane (behind a
///   move of 0 to EXEC), and at most the second.
#include "tools/report/LiveRegisters.h"
#include "lgc/target/TargetSession.h"
#include "pal_shim/abi/AbiNames.h"
#include "tools/report/CodeObject.h"
#include "llvm/CodeGen/LivePhysRegs.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include <map>
#include <set>

using namespace llvm;

namespace {

using pal::device::strict::firstSgpr;
using report::RegisterSet;

/// Halves of VGPRs, and SGPRs, numbered as reports number them.
class RegisterNumbers {
public:
  explicit RegisterNumbers(const TargetRegisterInfo &info) : numbers(info.getNumRegs(), -1) {
    for (unsigned reg = 1; reg < info.getNumRegs(); ++reg) {
      const StringRef name = info.getName(reg);
      unsigned number = 0;
      if (!name.starts_with("VGPR") && !name.starts_with("SGPR"))
        continue;
      const StringRef digits = name.drop_front(4).take_while(isDigit);
      if (digits.empty() || digits.getAsInteger(10, number))
        continue;
      const StringRef rest = name.drop_front(4 + digits.size());
      if (name.starts_with("VGPR") && number < 256 && (rest == "_LO16" || rest == "_HI16"))
        numbers[reg] = int(2 * number + (rest == "_HI16"));
      if (name.starts_with("SGPR") && number < 106 && rest == "_LO16")
        numbers[reg] = int(firstSgpr + number);
    }
  }
  /// -1: another one, or more than one.
  int of(MCRegister reg) const { return numbers[reg.id()]; }
  void forEach(const RegisterSet &set, function_ref<void(MCRegister)> use) const {
    for (unsigned reg = 1; reg < numbers.size(); ++reg)
      if (numbers[reg] >= 0 && set[unsigned(numbers[reg])])
        use(MCRegister(reg));
  }
  /// Adds all that a register consists of.
  void add(const TargetRegisterInfo &info, MCRegister reg, RegisterSet &set) const {
    for (const MCPhysReg part : info.subregs_inclusive(reg))
      if (of(part) >= 0)
        set.set(unsigned(of(part)));
  }

private:
  std::vector<int> numbers;
};

/// One instruction, as LLVM has it.
struct Effects {
  RegisterSet reads, writes;
};

/// What LLVM says of a function.
struct LlvmView {
  std::vector<RegisterSet> live;   ///< by instruction: found, left and written
  std::vector<RegisterSet> atMost; ///< the same, if vector writes end nothing
  bool writesExec = false;
  unsigned vgprsAtStart = 0; ///< from v0 on, up to the last one that the function is called with
  std::set<unsigned> nops;   ///< instructions that LLVM knows to be s_nop
  std::set<unsigned> withoutLanes; ///< instructions behind one that makes EXEC 0, in its block
};

class Viewer {
public:
  explicit Viewer(MachineFunction &function)
      : function(function), info(*function.getSubtarget().getRegisterInfo()), numbers(info) {}
  LlvmView run();

private:
  void normalize();
  void number(LlvmView &view);
  Effects effectsOf(const MachineInstr &inst) const;
  RegisterSet setOf(const LivePhysRegs &live) const;
  void findExec(LlvmView &view);
  void findWritten(LlvmView &view);
  std::vector<RegisterSet> walkBack(const MachineBasicBlock &block);
  void findLiveIns();
  void findLive(LlvmView &view);
  void findAtMost(LlvmView &view);

  MachineFunction &function;
  const TargetRegisterInfo &info;
  const RegisterNumbers numbers;
  struct Place {
    const MachineInstr *inst;
    unsigned first, count; ///< instructions that are printed of it
  };
  std::map<const MachineBasicBlock *, std::vector<Place>> places;
  std::map<const MachineBasicBlock *, RegisterSet> written; ///< may have been, at the start
  std::map<const MachineBasicBlock *, RegisterSet> liveIn;
  unsigned total = 0;
};

/// Operands that instructions have for the sake of liveness only, or that are said not to matter:
/// what is left is what the hardware reads and writes.
void Viewer::normalize() {
  for (MachineBasicBlock &block : function)
    for (auto at = block.instr_begin(); at != block.instr_end();) {
      MachineInstr &inst = *at++;
      if (inst.isBundle()) {
        if (inst.isBundledWithSucc())
          inst.unbundleFromSucc();
        inst.eraseFromParent();
        continue;
      }
      if (inst.isBundledWithPred())
        inst.unbundleFromPred();
      if (inst.isKill() || inst.isImplicitDef()) {
        inst.eraseFromParent();
        continue;
      }
      const StringRef name = function.getSubtarget().getInstrInfo()->getName(inst.getOpcode());
      const bool isIndexed = name.contains("MOVREL");
      for (unsigned i = inst.getNumOperands(); i-- > 0;) {
        MachineOperand &operand = inst.getOperand(i);
        if (!operand.isReg() || !operand.getReg())
          continue;
        RegisterSet set;
        numbers.add(info, operand.getReg(), set);
        if (operand.isImplicit() && set.any() && !isIndexed) {
          inst.removeOperand(i);
          continue;
        }
        if (operand.isUse()) {
          if (!name.starts_with("EXP")) // components that are not exported name a register, too
            operand.setIsUndef(false);
          operand.setIsInternalRead(false);
        }
      }
    }
}

void Viewer::number(LlvmView &view) {
  for (const MachineBasicBlock &block : function) {
    for (const MachineInstr &inst : block) {
      unsigned count = !inst.isMetaInstruction();
      if (inst.isInlineAsm())
        count = 1 + unsigned(StringRef(inst.getOperand(0).getSymbolName()).count('\n'));
      places[&block].push_back({&inst, total, count});
      const StringRef name = function.getSubtarget().getInstrInfo()->getName(inst.getOpcode());
      for (unsigned i = 0; (inst.isInlineAsm() || name == "S_NOP") && i < count; ++i)
        view.nops.insert(total + i);
      total += count;
    }
  }
}

Effects Viewer::effectsOf(const MachineInstr &inst) const {
  Effects effects;
  for (const MachineOperand &operand : inst.operands())
    if (operand.isReg() && operand.getReg()) {
      if (operand.readsReg())
        numbers.add(info, operand.getReg(), effects.reads);
      if (operand.isDef())
        numbers.add(info, operand.getReg(), effects.writes);
    }
  return effects;
}

RegisterSet Viewer::setOf(const LivePhysRegs &live) const {
  RegisterSet set;
  for (const MCPhysReg reg : live)
    if (numbers.of(reg) >= 0)
      set.set(unsigned(numbers.of(reg)));
  return set;
}

/// Registers that something may have written, on some path.
void Viewer::findWritten(LlvmView &view) {
  RegisterSet &start = written[&function.front()];
  for (const auto &entry : function.front().liveins())
    numbers.add(info, entry.PhysReg, start);
  for (unsigned i = 0; i < firstSgpr; ++i)
    if (start[i])
      view.vgprsAtStart = i / 2 + 1;
  for (unsigned i = 0; i < 2 * view.vgprsAtStart; ++i)
    start.set(i);
  for (unsigned i = firstSgpr; i < start.size(); ++i)
    start.set(i);
  for (bool changed = true; changed;) {
    changed = false;
    for (const MachineBasicBlock &block : function) {
      RegisterSet now = written[&block];
      for (const Place &place : places[&block])
        now |= effectsOf(*place.inst).writes;
      for (const MachineBasicBlock *next : block.successors()) {
        const RegisterSet more = written[next] | now;
        changed |= more != written[next];
        written[next] = more;
      }
    }
  }
}

/// Behind each instruction of a block, and at its start.
std::vector<RegisterSet> Viewer::walkBack(const MachineBasicBlock &block) {
  const std::vector<Place> &all = places[&block];
  RegisterSet atEnd;
  for (const MachineBasicBlock *next : block.successors())
    atEnd |= liveIn[next];
  LivePhysRegs live(info);
  numbers.forEach(atEnd, [&](MCRegister reg) { live.addReg(reg); });
  std::vector<RegisterSet> behind(all.size() + 1);
  behind.back() = atEnd;
  for (size_t i = all.size(); i-- > 0;) {
    live.stepBackward(*all[i].inst);
    behind[i] = setOf(live);
  }
  return behind;
}

/// LLVM's own lists of what is live at the start of blocks leave out reserved registers, as those
/// of the scratch descriptor are.
void Viewer::findLiveIns() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const MachineBasicBlock &block : reverse(function)) {
      const RegisterSet now = walkBack(block).front();
      changed |= now != liveIn[&block];
      liveIn[&block] = now;
    }
  }
}

void Viewer::findLive(LlvmView &view) {
  view.live.resize(total);
  findLiveIns();
  for (const MachineBasicBlock &block : function) {
    const std::vector<Place> &all = places[&block];
    std::vector<RegisterSet> behind = walkBack(block);
    // Behind a jump that was not taken, only the last one's target counts.
    if (all.size() > 1 && all.back().inst->isUnconditionalBranch() &&
        all[all.size() - 2].inst->isConditionalBranch())
      behind[all.size()] = behind[all.size() - 1] = liveIn[all.back().inst->getOperand(0).getMBB()];
    RegisterSet have = written[&block];
    for (size_t i = 0; i < all.size(); ++i) {
      const RegisterSet writes = effectsOf(*all[i].inst).writes;
      RegisterSet set = behind[i] & have;
      have |= writes;
      set |= (behind[i + 1] & have) | writes;
      for (unsigned k = 0; k < all[i].count; ++k)
        view.live[all[i].first + k] = set;
    }
  }
}

void Viewer::findAtMost(LlvmView &view) {
  view.atMost.resize(total);
  RegisterSet vector;
  for (unsigned i = 0; i < firstSgpr; ++i)
    vector.set(i);
  std::map<const MachineBasicBlock *, RegisterSet> in;
  auto stepBack = [&](const Effects &effects, RegisterSet &set) {
    set &= ~effects.writes | vector;
    set |= effects.reads;
  };
  auto atEnd = [&](const MachineBasicBlock &block) {
    RegisterSet set;
    for (const MachineBasicBlock *next : block.successors())
      set |= in[next];
    return set;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const MachineBasicBlock &block : reverse(function)) {
      RegisterSet now = atEnd(block);
      for (const Place &place : reverse(places[&block]))
        stepBack(effectsOf(*place.inst), now);
      changed |= now != in[&block];
      in[&block] = now;
    }
  }
  for (const MachineBasicBlock &block : function) {
    RegisterSet have = written[&block];
    std::vector<RegisterSet> haves;
    for (const Place &place : places[&block]) {
      haves.push_back(have);
      have |= effectsOf(*place.inst).writes;
    }
    RegisterSet now = atEnd(block);
    const std::vector<Place> &all = places[&block];
    for (size_t i = all.size(); i-- > 0;) {
      const Effects effects = effectsOf(*all[i].inst);
      RegisterSet set = (now & (haves[i] | effects.writes)) | effects.writes;
      stepBack(effects, now);
      set |= now & haves[i];
      for (unsigned k = 0; k < all[i].count; ++k)
        view.atMost[all[i].first + k] = set;
    }
  }
}

void Viewer::findExec(LlvmView &view) {
  for (const auto &[block, all] : places) {
    bool isZero = false;
    for (const Place &place : all) {
      if (isZero)
        view.withoutLanes.insert(place.first);
      for (const MachineOperand &operand : place.inst->operands())
        if (operand.isReg() && operand.isDef() && operand.getReg() &&
            StringRef(info.getName(operand.getReg())).starts_with("EXEC")) {
          view.writesExec = true;
          isZero = place.inst->isMoveImmediate() && place.inst->getOperand(1).isImm() &&
                   place.inst->getOperand(1).getImm() == 0;
        }
    }
  }
}

LlvmView Viewer::run() {
  LlvmView view;
  normalize();
  number(view);
  findExec(view);
  findWritten(view);
  findLive(view);
  findAtMost(view);
  return view;
}

struct Count {
  uint64_t stages = 0, instructions = 0, withMasks = 0, problems = 0;
  uint64_t vgprs = 0, llvmVgprs = 0, mostVgprs = 0; ///< sums, where EXEC is written
};

report::RegisterUse useOf(const RegisterSet &set) {
  report::RegisterUse use;
  for (unsigned v = 0; v < firstSgpr; v += 2)
    use.vgprs += set[v] || set[v + 1];
  for (unsigned s = firstSgpr; s < set.size(); ++s)
    use.sgprs += set[s];
  return use;
}

void compare(StringRef file, const report::MachineCode &code, const report::LiveRegisters &live,
             const LlvmView &view, Count &count) {
  auto fail = [&](const Twine &text) {
    if (++count.problems <= 20)
      outs() << file << ": " << text << '\n';
  };
  ++count.stages;
  if (live.isUpperBound)
    return fail("masks could not be followed");
  size_t next = 0; // of LLVM's instructions
  const bool isIndexed =
      any_of(code.code, [](const report::Instruction &instr) { return instr.usesM0; });
  for (size_t i = 0; i < code.code.size(); ++i, ++next) {
    while (code.code[i].mnemonic == "s_nop" && !view.nops.count(unsigned(next)) &&
           i + 1 < code.code.size())
      ++i;
    if (next >= view.live.size())
      return fail("more instructions than LLVM has");
    const report::RegisterUse ours = live.use[i], llvm = useOf(view.live[next]),
                              most = useOf(view.atMost[next]);
    const std::string place = "instruction " + std::to_string(i) + " '" + code.code[i].text + "': ";
    ++count.instructions;
    if (ours.sgprs != llvm.sgprs)
      fail(place + Twine(ours.sgprs) + " SGPRs, LLVM has " + Twine(llvm.sgprs));
    if (!view.writesExec || isIndexed) {
      if (isIndexed ? ours.vgprs < llvm.vgprs : ours.vgprs != llvm.vgprs)
        fail(place + Twine(ours.vgprs) + " VGPRs, LLVM has " + Twine(llvm.vgprs));
      continue;
    }
    ++count.withMasks;
    count.vgprs += ours.vgprs;
    count.llvmVgprs += llvm.vgprs;
    count.mostVgprs += most.vgprs;
    const bool hasLanes = !view.withoutLanes.count(unsigned(next));
    if ((hasLanes && ours.vgprs < llvm.vgprs) || ours.vgprs > most.vgprs)
      fail(place + Twine(ours.vgprs) + " VGPRs, LLVM has " + Twine(llvm.vgprs) + " to " +
           Twine(most.vgprs));
  }
  if (next != view.live.size())
    fail(Twine(next) + " instructions, LLVM has " + Twine(view.live.size()));
}

Error look(StringRef file, Count &count) {
  LLVMContext context;
  SMDiagnostic diagnostic;
  const std::unique_ptr<Module> module = parseIRFile(file, diagnostic, context);
  if (!module)
    return createStringError(diagnostic.getMessage());
  std::string target;
  for (const Function &function : *module)
    if (!function.isDeclaration())
      target = function.getFnAttribute("target-cpu").getValueAsString().str();
  std::map<std::string, LlvmView> views;
  auto session =
      lgc::TargetSession::create(target, lgc::OptLevel::Default, [&](MachineFunction &function) {
        views[function.getName().str()] = Viewer(function).run();
        return true;
      });
  if (!session)
    return session.takeError();
  module->setDataLayout((*session)->machine().createDataLayout());
  SmallVector<char, 0> bytes;
  lgc::InstructionCounts counts;
  (*session)->generate(*module, /*assembly=*/false, bytes, counts);
  auto object =
      report::readCodeObject(arrayRefFromStringRef(StringRef(bytes.data(), bytes.size())));
  if (!object)
    return object.takeError();
  for (const report::StageCode &stage : object->stages) {
    auto code = report::readMachineCode(*object->target, stage.waveSize, stage.bytes);
    if (!code)
      return code.takeError();
    const report::ControlFlow flow = report::findControlFlow(*code);
    report::ExecMasks masks(*code, flow);
    const LlvmView &view = views[pal::abi::entryPointSymbol(stage.stage).str()];
    const report::LiveRegisters live =
        report::findLiveRegisters(*code, flow, masks, view.vgprsAtStart);
    compare(file, *code, live, view, count);
  }
  return Error::success();
}

} // namespace

int main(int argc, char **argv) {
  Count count;
  for (int i = 1; i < argc; ++i)
    if (Error error = look(argv[i], count)) {
      outs() << argv[i] << ": " << toString(std::move(error)) << '\n';
      ++count.problems;
    }
  outs() << count.stages << " stages, " << count.instructions << " instructions, "
         << count.withMasks << " of them in stages that write EXEC (VGPRs: " << count.vgprs
         << " in reports, " << count.llvmVgprs << " to " << count.mostVgprs << " by LLVM), "
         << count.problems << " problems\n";
  return count.problems || !count.stages;
}
