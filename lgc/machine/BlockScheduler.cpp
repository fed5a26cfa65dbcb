//===- BlockScheduler.cpp - an order of instructions that hides latency ---===//
// SPDX-License-Identifier: MIT
#include "lgc/machine/BlockScheduler.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSchedule.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace lgc {
namespace {

// Measured on the 28 pipelines of kiln-bench --graphics: larger values give less code (fewer
// s_delay_alu) and need more registers.

/// How far ahead loads are looked for, in instructions.
constexpr unsigned loadWindow = 96;
/// What results of loads may occupy that are not read yet, in dwords: vector and scalar registers.
constexpr unsigned loadBudget[2] = {32, 48};
/// How far ahead an instruction is looked for that is ready, in instructions.
constexpr unsigned spreadWindow = 24;
/// So many dwords of results are always free.
constexpr unsigned pressureMin = 32;
/// Latencies count up to here, in instructions. Those of loads are longer than all that may get in
/// front of their use.
constexpr unsigned latencyMax = 8;
constexpr unsigned loadLatency = spreadWindow;

/// One instruction of a region and what has to stand before it.
struct Node {
  MachineInstr *inst = nullptr;
  SmallVector<unsigned, 4> before;   ///< nodes
  SmallVector<unsigned, 4> operands; ///< nodes whose results it reads; among those of `before`
  unsigned readers = 0;              ///< of its result
  unsigned outsideReads = 0;         ///< the same, outside the region
  unsigned dwords = 0;               ///< of its result
  unsigned loadsBefore = 0;          ///< that wait for each other until its operands are there
  unsigned latency = 0;              ///< of its result
  unsigned firstRead = 0;            ///< the first node that cannot wait and reads it in the end
  bool isLoad = false;
  bool isExport = false;
  bool isScalar = false; ///< its result
  bool isAddress = true; ///< its result is read by what can wait only
  bool isLate = false;   ///< it can wait until its result is read
  bool isPlaced = false;
};

/// Dwords of results that are still to be read.
class Pressure {
public:
  explicit Pressure(const std::vector<Node> &nodes) : nodes(nodes) {
    for (const Node &node : nodes)
      readers.push_back(node.readers);
  }

  void add(const Node &node) {
    if (node.readers || node.outsideReads)
      live += node.dwords;
    for (unsigned operand : node.operands)
      if (--readers[operand] == 0 && !nodes[operand].outsideReads)
        live -= nodes[operand].dwords;
  }
  unsigned dwords() const { return live; }

private:
  const std::vector<Node> &nodes;
  SmallVector<unsigned, 0> readers; ///< that are still to come
  unsigned live = 0;
};

/// The nodes of the instructions between two that nothing may be moved across, and their order.
class Region {
public:
  Region(MachineFunction &function, const TargetSchedModel &model, ArrayRef<MachineInstr *> insts)
      : info(function.getRegInfo()), registers(*info.getTargetRegisterInfo()),
        instructions(*function.getSubtarget().getInstrInfo()), nodes(insts.size()) {
    for (auto [node, inst] : zip(nodes, insts)) {
      node.inst = inst;
      node.latency = std::min(model.computeInstrLatency(inst), latencyMax);
    }
  }

  void run() {
    noteWrittenUnits();
    for (unsigned i = 0; i < nodes.size(); ++i)
      if (!addEdges(i))
        return;
    findLate();
    placeAll();
    spread();
    apply();
  }

private:
  /// Nodes that touched a unit of physical registers.
  struct UnitState {
    int writer = -1;
    SmallVector<unsigned, 4> readers; ///< since
  };

  const MachineRegisterInfo &info;
  const TargetRegisterInfo &registers;
  const TargetInstrInfo &instructions;
  std::vector<Node> nodes;
  DenseMap<Register, unsigned> writers;         ///< of virtual registers
  SmallDenseMap<unsigned, UnitState, 16> units; ///< that some node writes
  int lastStore = -1;
  SmallVector<unsigned, 16> loadsSince;             ///< the last store
  std::vector<std::pair<unsigned, unsigned>> loads; ///< that can wait, with their first reads
  SmallVector<unsigned, 0> unread;                  ///< nodes that are still to read a result
  unsigned inFlight[2] = {}; ///< dwords of loads that are placed and unread: vector, scalar
  SmallVector<unsigned, 0> order;

  /// The last read of a physical register must stay the last one: it counts as a write.
  static bool isWrite(const MachineOperand &operand) { return operand.isDef() || operand.isKill(); }

  /// Most instructions read the execution mask, which none in a region writes: no edges for it.
  void noteWrittenUnits() {
    for (const Node &node : nodes)
      for (const MachineOperand &operand : node.inst->operands())
        if (operand.isReg() && operand.getReg().isPhysical() && isWrite(operand))
          for (MCRegUnit unit : registers.regunits(operand.getReg()))
            units.try_emplace(static_cast<unsigned>(unit));
  }

  void addEdge(int first, unsigned second) {
    if (first >= 0 && static_cast<unsigned>(first) != second)
      nodes[second].before.push_back(first);
  }

  void addPhysical(unsigned i, const MachineOperand &operand) {
    for (MCRegUnit unit : registers.regunits(operand.getReg())) {
      const auto it = units.find(static_cast<unsigned>(unit));
      if (it == units.end())
        continue;
      UnitState &state = it->second;
      nodes[i].isAddress = false;
      addEdge(state.writer, i);
      if (!isWrite(operand)) {
        state.readers.push_back(i);
        continue;
      }
      for (unsigned reader : state.readers)
        addEdge(reader, i);
      state.readers.clear();
      state.writer = i;
    }
  }

  /// Parameters of fragment shaders: in LDS before the shader begins, and never written.
  bool isParameterLoad(const MachineInstr &inst) const {
    return inst.mayLoad() && inst.memoperands_empty() &&
           instructions.getName(inst.getOpcode()).contains("DS_PARAM_LOAD"); // LDS_ before gfx12
  }

  void addMemory(unsigned i) {
    const MachineInstr &inst = *nodes[i].inst;
    const bool isConstant = inst.isDereferenceableInvariantLoad() || isParameterLoad(inst);
    if (inst.mayStore() || inst.isCall() || inst.hasUnmodeledSideEffects() ||
        (inst.mayLoad() && !isConstant && inst.hasOrderedMemoryRef())) {
      nodes[i].isExport = instructions.getName(inst.getOpcode()).starts_with("EXP");
      nodes[i].isAddress = false;
      addEdge(lastStore, i);
      for (unsigned load : loadsSince)
        addEdge(load, i);
      loadsSince.clear();
      lastStore = i;
      return;
    }
    if (!inst.mayLoad())
      return;
    if (!isConstant) {
      addEdge(lastStore, i);
      loadsSince.push_back(i);
    }
    nodes[i].isLoad = nodes[i].dwords != 0;
    if (nodes[i].isLoad)
      nodes[i].latency = loadLatency;
    nodes[i].isAddress = false;
  }

  /// A result in a virtual register; false when that has several definitions.
  bool addResult(unsigned i, Register reg) {
    if (!info.hasOneDef(reg))
      return false;
    writers[reg] = i;
    if (const TargetRegisterClass *rc = info.getRegClassOrNull(reg)) {
      nodes[i].dwords += divideCeil(unsigned(registers.getRegSizeInBits(*rc)), 32u);
      nodes[i].isScalar = !registers.isDivergentRegClass(rc);
    }
    for ([[maybe_unused]] const MachineOperand &use : info.use_nodbg_operands(reg))
      ++nodes[i].outsideReads;
    return true;
  }

  void addOperand(unsigned i, unsigned writer) {
    addEdge(writer, i);
    nodes[writer].outsideReads -= !nodes[i].inst->isDebugInstr();
    nodes[i].loadsBefore =
        std::max(nodes[i].loadsBefore, nodes[writer].loadsBefore + nodes[writer].isLoad);
    if (is_contained(nodes[i].operands, writer))
      return;
    nodes[i].operands.push_back(writer);
    ++nodes[writer].readers;
  }

  /// False when a register has several definitions.
  bool addEdges(unsigned i) {
    for (const MachineOperand &operand : nodes[i].inst->operands()) {
      if (!operand.isReg() || !operand.getReg())
        continue;
      if (operand.getReg().isPhysical()) {
        addPhysical(i, operand);
      } else if (operand.isDef()) {
        if (!addResult(i, operand.getReg()))
          return false;
      } else if (const auto it = writers.find(operand.getReg()); it != writers.end()) {
        addOperand(i, it->second);
      }
    }
    addMemory(i);
    return true;
  }

  /// Finds out what can wait until it is read: loads, and what only makes their addresses.
  void findLate() {
    for (unsigned i = 0; i < nodes.size(); ++i)
      nodes[i].firstRead = nodes.size();
    for (unsigned i = nodes.size(); i-- > 0;) {
      Node &node = nodes[i];
      node.isLate = node.readers && !node.outsideReads && (node.isLoad || node.isAddress);
      if (!node.isLate)
        node.firstRead = i;
      else if (node.isLoad)
        loads.push_back({node.firstRead, i});
      for (unsigned operand : node.operands) {
        nodes[operand].firstRead = std::min(nodes[operand].firstRead, node.firstRead);
        nodes[operand].isAddress &= node.isLate;
      }
    }
    sort(loads, std::greater()); // the next one is the last
  }

  void place(unsigned i) {
    nodes[i].isPlaced = true;
    order.push_back(i);
    if (nodes[i].isLate && nodes[i].isLoad)
      inFlight[nodes[i].isScalar] += nodes[i].dwords;
    for (unsigned operand : nodes[i].operands) {
      const Node &node = nodes[operand];
      if (--unread[operand] == 0 && node.isLate && node.isLoad)
        inFlight[node.isScalar] -= node.dwords;
    }
  }

  /// What has to stand before `i`, as in the old order, and `i`.
  void placeWithNeeds(unsigned i) {
    SmallVector<unsigned, 16> needs, stack{i};
    while (!stack.empty()) {
      const unsigned need = stack.pop_back_val();
      if (nodes[need].isPlaced)
        continue;
      nodes[need].isPlaced = true;
      needs.push_back(need);
      stack.append(nodes[need].before.begin(), nodes[need].before.end());
    }
    sort(needs);
    for (unsigned need : needs)
      place(need);
  }

  /// Places loads whose results are read soon from `now` on, in groups that wait for no other.
  void placeLoads(unsigned now) {
    SmallVector<std::pair<unsigned, unsigned>, 32> group; // by loadsBefore, then by place
    unsigned sums[2] = {};
    for (; !loads.empty(); loads.pop_back()) {
      const auto [firstRead, i] = loads.back();
      const Node &load = nodes[i];
      if (load.isPlaced)
        continue;
      sums[load.isScalar] += load.dwords;
      if (firstRead > now + loadWindow ||
          (firstRead > now &&
           inFlight[load.isScalar] + sums[load.isScalar] > loadBudget[load.isScalar]))
        break;
      group.push_back({load.loadsBefore, i});
    }
    sort(group);
    for (auto first = group.begin(), last = first; first != group.end(); first = last) {
      for (; last != group.end() && last->first == first->first; ++last)
        for (unsigned need : nodes[last->second].before)
          placeWithNeeds(need);
      for (auto load = first; load != last; ++load)
        placeWithNeeds(load->second);
    }
  }

  void placeAll() {
    for (const Node &node : nodes)
      unread.push_back(node.readers);
    for (unsigned i = 0; i < nodes.size(); ++i) {
      if (nodes[i].isPlaced || nodes[i].isLate)
        continue;
      if (!loads.empty()) {
        const bool isScalar = nodes[loads.back().second].isScalar;
        if (loads.back().first <= i || inFlight[isScalar] <= loadBudget[isScalar] / 2)
          placeLoads(i);
      }
      placeWithNeeds(i);
    }
    for (unsigned i = 0; i < nodes.size(); ++i)
      if (!nodes[i].isPlaced)
        placeWithNeeds(i);
  }

  unsigned highestPressure(ArrayRef<unsigned> places) const {
    Pressure pressure(nodes);
    unsigned highest = pressureMin;
    for (unsigned i : places) {
      pressure.add(nodes[i]);
      highest = std::max(highest, pressure.dwords());
    }
    return highest;
  }

  /// Of the next instructions, places the first whose operands are there, or will be soonest.
  void spread() {
    const SmallVector<unsigned, 0> old = std::move(order);
    order.clear();
    std::vector<unsigned> ready(nodes.size()); // when the result of a placed node is there
    BitVector isDone(nodes.size());
    const unsigned limit = highestPressure(old);
    Pressure pressure(nodes);
    SmallVector<unsigned, spreadWindow> next;
    for (unsigned now = 0, taken = 0; taken < old.size() || !next.empty(); ++now) {
      while (next.size() < spreadWindow && taken < old.size())
        next.push_back(old[taken++]);
      const unsigned *best = next.begin();
      std::pair soonest(true, ~0u); // exports last: they stay together, and their operands alone
      for (const unsigned &candidate : next) {
        std::pair time(nodes[candidate].isExport, now);
        for (unsigned need : nodes[candidate].before)
          time.second = std::max(time.second, isDone.test(need) ? ready[need] : ~0u);
        if (time.second == ~0u || time >= soonest)
          continue;
        soonest = time;
        best = &candidate;
        if (time == std::pair(false, now) || pressure.dwords() > limit)
          break;
      }
      const unsigned i = *best;
      next.erase(next.begin() + (best - next.begin()));
      now = soonest.second; // the first of `next` never has to wait for another of them
      ready[i] = now + nodes[i].latency;
      isDone.set(i);
      pressure.add(nodes[i]);
      order.push_back(i);
    }
  }

  void apply() {
    MachineBasicBlock &block = *nodes.front().inst->getParent();
    const auto end = std::next(nodes.back().inst->getIterator());
    for (unsigned i : order)
      block.splice(end, &block, nodes[i].inst->getIterator());
  }
};

class BlockSchedulerPass : public MachineFunctionPass {
public:
  static char ID;
  explicit BlockSchedulerPass(std::shared_ptr<bool> isScheduled)
      : MachineFunctionPass(ID), isScheduled(std::move(isScheduled)) {}
  bool runOnMachineFunction(MachineFunction &function) override {
    *isScheduled = scheduleBlocks(function);
    return *isScheduled;
  }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }
  StringRef getPassName() const override { return "schedule blocks"; }

private:
  std::shared_ptr<bool> isScheduled;
};
char BlockSchedulerPass::ID = 0;

} // namespace

bool scheduleBlocks(MachineFunction &function) {
  const TargetInstrInfo &instructions = *function.getSubtarget().getInstrInfo();
  std::vector<SmallVector<MachineInstr *, 0>> regions(1);
  for (MachineBasicBlock &block : function) {
    for (MachineInstr &inst : block.instrs()) {
      const bool isBoundary = inst.isPHI() || inst.isCall() || inst.isBundled() ||
                              instructions.isSchedulingBoundary(inst, &block, function);
      if (!isBoundary)
        regions.back().push_back(&inst);
      else if (!regions.back().empty())
        regions.emplace_back();
      if (regions.back().size() > scheduledRegionMax)
        return false;
    }
    if (!regions.back().empty())
      regions.emplace_back();
  }
  TargetSchedModel model;
  model.init(&function.getSubtarget());
  for (const SmallVector<MachineInstr *, 0> &region : regions)
    if (region.size() > 2)
      Region(function, model, region).run();
  return true;
}

MachineFunctionPass *createBlockSchedulerPass(std::shared_ptr<bool> isScheduled) {
  return new BlockSchedulerPass(std::move(isScheduled));
}

} // namespace lgc
