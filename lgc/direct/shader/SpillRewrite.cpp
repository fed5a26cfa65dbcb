//===- SpillRewrite.cpp - instructions around spilled units ---------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/SpillRewrite.h"
#include "lgc/CompileError.h"
#include "lgc/direct/shader/ForwardWalk.h"
#include "lgc/direct/shader/SpillMemory.h"
#include "lgc/direct/shader/SpillUses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace lgc::direct {

namespace {

/// Registers of a spilled unit that are in registers of another one for a while.
struct Copy {
  uint32_t unit, temporary;
  uint8_t first, count;
  uint64_t valid = 0, dirty = 0; ///< bits by register, from `first` on
  uint32_t usedBy = noUse;       ///< the instruction that needs it now

  bool contains(unsigned begin, unsigned end) const {
    return begin >= first && end <= unsigned(first) + count;
  }
  bool overlaps(unsigned begin, unsigned end) const {
    return begin < unsigned(first) + count && end > first;
  }
};

uint64_t bitsOf(unsigned first, unsigned count) {
  return maskTrailingOnes<uint64_t>(count) << first;
}

bool writesExec(const MachineOp &op) {
  const ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
  for (unsigned i = 0; i < op.count; ++i)
    if (infos[i].isWritten() && op.operands[i].kind == Operand::Kind::Sgpr &&
        (op.operands[i].value == regExec || op.operands[i].value == regExec + 1))
      return true;
  return op.opcode == Opcode::SMovExec32 || op.opcode == Opcode::SMovExec64;
}

bool isMove(const MachineOp &op) {
  return op.opcode == Opcode::SMov || op.opcode == Opcode::SMov64;
}

/// All lanes are made active.
bool takesAllLanes(const MachineOp &op) {
  return isMove(op) && op.operands[0] == Operand::sgpr(regExec) &&
         op.operands[1] == Operand::constant(~0u);
}

/// EXEC is kept for later.
bool savesExec(const MachineOp &op) {
  return isMove(op) && op.operands[1] == Operand::sgpr(regExec);
}

class SpillRewriter {
public:
  SpillRewriter(Program &program, const LiveIntervals &live, const SpillChoice &choice, Bank bank,
                unsigned limit, SpillTrace *trace)
      : program(program), live(live), choice(choice), bank(bank), limit(limit), trace(trace),
        memory(program, bank, choice.slotCount), uses(program, live, choice) {}
  unsigned run();

private:
  bool isSpilled(const Operand &operand) const { return choice.isOfSpilled(operand); }
  /// Whether somebody may read it when the instruction is executed, or later.
  bool isNeeded(uint32_t unit) const { return live.of(unit).end >= position; }

  uint32_t argumentsFrom() const;
  void runBlock(uint32_t block, bool endsRegion);
  void runOp(MachineOp op);
  void takeArguments();
  bool isRemoved(const MachineOp &op) const;
  void mapOperands(MachineOp &op, bool written);
  Copy &copyFor(const SpillUse &access, bool isRead, bool isWritten);
  Copy &makeCopy(uint32_t unit, unsigned first, unsigned count);
  std::pair<unsigned, unsigned> rangeOf(const SpillUse &access, bool isRead) const;
  void fill(Copy &copy, uint64_t wanted);
  void loadAgain(Copy &copy, MachineOp load);
  std::optional<MachineOp> loadFor(const SpillUse &access);
  void store(Copy &copy);
  void storeAll();
  void drop(size_t index);
  void dropUnused();
  void makeRoom(unsigned registers);
  void note(SpillStep::Kind kind, const Copy *copy = nullptr, unsigned first = 0,
            unsigned count = 0);
  void noteHelpers();
  uint32_t nextOp(uint32_t unit) const { return uses.nextOp(unit); }

  Program &program;
  const LiveIntervals &live;
  const SpillChoice &choice;
  const Bank bank;
  const unsigned limit;
  SpillTrace *trace;
  SpillMemory memory;
  SpillUses uses; ///< of the region
  std::vector<Copy> copies;
  std::vector<MachineOp> out;
  std::vector<SpillStep> steps;
  unsigned occupied = 0, capacity = 0, lacking = 0;
  uint32_t number = 0;   ///< of the instruction
  uint32_t position = 0; ///< what is live there or later is needed
  bool isWholeWave = false;
  bool hasArguments = false; ///< arguments that are spilled are among the copies, or in memory
  size_t gone = 0;           ///< instructions of the block
};

/// The arguments of lanes that only a later instruction of the stage's beginning activates are
/// there already.
uint32_t SpillRewriter::argumentsFrom() const {
  if (bank == Bank::Scalar)
    return 0;
  const std::vector<MachineOp> &ops = program.blocks.front().ops;
  for (uint32_t i = static_cast<uint32_t>(ops.size()); i-- > 0;) {
    const bool isQuads =
        (ops[i].opcode == Opcode::SWholeQuads32 || ops[i].opcode == Opcode::SWholeQuads64) &&
        writesExec(ops[i]);
    // Whole waves inside of shaders are left again.
    const bool isBeginning = takesAllLanes(ops[i]) && (i == 0 || !savesExec(ops[i - 1]));
    if (isQuads || isBeginning)
      return i + 1;
  }
  return 0;
}

void SpillRewriter::note(SpillStep::Kind kind, const Copy *copy, unsigned first, unsigned count) {
  if (!trace)
    return;
  noteHelpers();
  SpillStep step;
  step.kind = kind;
  if (copy) {
    step.unit = copy->unit;
    step.first = static_cast<uint8_t>(first);
    step.count = static_cast<uint8_t>(count);
    step.copy = Operand::unit(copy->temporary, first - copy->first);
  }
  if (kind == SpillStep::Kind::Gone) {
    steps.push_back(step);
    ++gone;
    return;
  }
  steps.back() = step;
}

/// What has been added since was for the one that is noted next.
void SpillRewriter::noteHelpers() {
  while (steps.size() < out.size() + gone)
    steps.emplace_back().kind = SpillStep::Kind::Helping;
}

// --- Memory

/// Loads what is wanted and not there yet.
void SpillRewriter::fill(Copy &copy, uint64_t wanted) {
  uint64_t missing = wanted & ~copy.valid;
  copy.valid |= wanted;
  const std::optional<Operand> &constant = choice.constants[copy.unit];
  while (missing) {
    const unsigned begin = static_cast<unsigned>(countr_zero(missing));
    const unsigned count = static_cast<unsigned>(countr_one(missing >> begin));
    missing &= ~bitsOf(begin, count);
    const Operand first = Operand::unit(copy.temporary, begin);
    if (constant)
      out.push_back(
          MachineOp(bank == Bank::Scalar ? Opcode::SMov : Opcode::VMov, {first, *constant}));
    else
      memory.load(first, count, choice.slots[copy.unit] + copy.first + begin, out);
    note(constant ? SpillStep::Kind::Remake : SpillStep::Kind::Load, &copy, copy.first + begin,
         count);
  }
}

/// What the unit of an access was loaded with, if it is to be loaded again. Its address may be in
/// memory, too.
std::optional<MachineOp> SpillRewriter::loadFor(const SpillUse &access) {
  const auto found = choice.loads.find(access.unit);
  if (found == choice.loads.end() ||
      any_of(copies, [&](const Copy &copy) { return copy.unit == access.unit && copy.valid; }))
    return std::nullopt;
  MachineOp load = found->second;
  const ArrayRef<OperandInfo> infos = operandInfo(load.opcode);
  for (unsigned i = 1; i < load.count; ++i) {
    Operand &operand = load.operands[i];
    if (!isSpilled(operand))
      continue;
    const SpillUse address = {
        operand.value,   number,
        operand.index,   static_cast<uint8_t>(program.registersOf(operand, infos[i])),
        /*isRead=*/true, uses.next(operand.value)};
    const Copy &copy = copyFor(address, true, false);
    operand.value = copy.temporary;
    operand.index = static_cast<uint8_t>(operand.index - copy.first);
  }
  return load;
}

void SpillRewriter::loadAgain(Copy &copy, MachineOp load) {
  copy.valid = bitsOf(0, copy.count);
  load.operands[0].value = copy.temporary;
  out.push_back(load);
  note(SpillStep::Kind::Remake, &copy, 0, copy.count);
}

void SpillRewriter::store(Copy &copy) {
  uint64_t dirty = copy.dirty;
  copy.dirty = 0;
  if (!isNeeded(copy.unit) || choice.isMadeAgain(copy.unit))
    return;
  while (dirty) {
    const unsigned begin = static_cast<unsigned>(countr_zero(dirty));
    const unsigned count = static_cast<unsigned>(countr_one(dirty >> begin));
    dirty &= ~bitsOf(begin, count);
    memory.store(Operand::unit(copy.temporary, begin), count,
                 choice.slots[copy.unit] + copy.first + begin, out);
    note(SpillStep::Kind::Store, &copy, copy.first + begin, count);
  }
}

void SpillRewriter::storeAll() {
  for (Copy &copy : copies)
    store(copy);
  dropUnused();
}

// --- Copies

void SpillRewriter::drop(size_t index) {
  occupied -= copies[index].count;
  copies[index] = copies.back();
  copies.pop_back();
}

/// What nobody uses in this region any more, but for what has to be stored.
void SpillRewriter::dropUnused() {
  for (size_t i = copies.size(); i-- > 0;) {
    const Copy &copy = copies[i];
    if (nextOp(copy.unit) == noUse && copy.usedBy != number &&
        (!copy.dirty || !isNeeded(copy.unit) || choice.isMadeAgain(copy.unit)))
      drop(i);
  }
}

/// Copies whose next use is furthest make room.
void SpillRewriter::makeRoom(unsigned registers) {
  while (occupied + registers > capacity) {
    size_t best = copies.size();
    auto rank = [&](const Copy &copy) {
      return std::tuple(nextOp(copy.unit), copy.dirty == 0, copy.count, copy.unit, copy.first);
    };
    for (size_t i = 0; i < copies.size(); ++i)
      if (copies[i].usedBy != number &&
          (best == copies.size() || rank(copies[i]) > rank(copies[best])))
        best = i;
    if (best == copies.size()) {
      lacking = std::max(lacking, occupied + registers - capacity);
      return;
    }
    store(copies[best]);
    drop(best);
  }
}

Copy &SpillRewriter::makeCopy(uint32_t unit, unsigned first, unsigned count) {
  makeRoom(count);
  const Unit &whole = program.units[unit];
  const unsigned alignment = count == whole.count || bank == Bank::Vector ? whole.alignment
                             : count <= 2                                 ? count
                                                                          : 4;
  Copy copy;
  copy.unit = unit;
  copy.first = static_cast<uint8_t>(first);
  copy.count = static_cast<uint8_t>(count);
  copy.usedBy = number;
  copy.temporary = program.addUnit(bank, count, alignment);
  program.units.back().isPinned = true;
  // Registers of lanes that wait elsewhere are written, too (SelectLanes.cpp).
  program.units.back().acrossIterations = bank == Bank::Vector && isWholeWave;
  occupied += count;
  copies.push_back(copy);
  return copies.back();
}

/// Which registers a new copy gets: if a whole row is read later of which some are written now, all
/// of it.
std::pair<unsigned, unsigned> SpillRewriter::rangeOf(const SpillUse &access, bool isRead) const {
  constexpr unsigned farthest = 32; // time stays linear
  if (choice.loads.contains(access.unit))
    return {0, program.units[access.unit].count};
  if (!isRead) {
    uint32_t later = access.next;
    for (unsigned i = 0; i < farthest && later != noUse; ++i, later = uses[later].next) {
      const SpillUse &reader = uses[later];
      if (reader.isRead && reader.first <= access.first &&
          reader.first + reader.count >= access.first + access.count)
        return {reader.first, reader.count};
    }
  }
  return {access.first, access.count};
}

/// The copy that has all registers of an access; its other copies go.
Copy &SpillRewriter::copyFor(const SpillUse &access, bool isRead, bool isWritten) {
  const unsigned begin = access.first, end = begin + access.count;
  const std::optional<MachineOp> load = isRead ? loadFor(access) : std::nullopt;
  Copy *found = nullptr;
  for (Copy &copy : copies)
    if (copy.unit == access.unit && copy.contains(begin, end))
      found = &copy;
  if (!found) {
    const auto [first, count] = rangeOf(access, isRead);
    for (size_t i = copies.size(); i-- > 0;)
      if (copies[i].unit == access.unit && copies[i].overlaps(first, first + count)) {
        store(copies[i]);
        drop(i);
      }
    found = &makeCopy(access.unit, first, count);
  }
  found->usedBy = number;
  const uint64_t bits = bitsOf(begin - found->first, access.count);
  if (load)
    loadAgain(*found, *load);
  else if (isRead)
    fill(*found, bits);
  if (isWritten) {
    found->valid |= bits;
    found->dirty |= bits;
  }
  return *found;
}

void SpillRewriter::mapOperands(MachineOp &op, bool written) {
  const ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
  for (unsigned i = 0; i < op.count; ++i) {
    Operand &operand = op.operands[i];
    if (!isSpilled(operand) || infos[i].isRead() == written)
      continue;
    const SpillUse access = uses.take();
    KILN_CHECK(access.unit == operand.value && access.op == number, "direct: another access");
    if (!hasArguments && program.units[access.unit].fixed >= 0)
      continue;
    const Copy &copy = copyFor(access, infos[i].isRead(), infos[i].isWritten());
    operand.value = copy.temporary;
    operand.index = static_cast<uint8_t>(operand.index - copy.first);
  }
}

// --- Instructions

/// Arguments are in the registers that they come in.
void SpillRewriter::takeArguments() {
  for (uint32_t unit = 0; unit < choice.isSpilled.size(); ++unit) {
    const unsigned count = program.units[unit].count;
    if (!choice.isSpilled[unit] || program.units[unit].fixed < 0)
      continue;
    copies.push_back(
        {unit, unit, 0, static_cast<uint8_t>(count), bitsOf(0, count), bitsOf(0, count)});
    occupied += count;
  }
  hasArguments = true;
  dropUnused();
}

/// Constants, and what is loaded and not used here, are only made again where they are needed.
bool SpillRewriter::isRemoved(const MachineOp &op) const {
  if (!op.count || !isSpilled(op.operands[0]) || !operandInfo(op.opcode)[0].isWritten())
    return false;
  const uint32_t unit = op.operands[0].value;
  return choice.constants[unit] ||
         (choice.loads.contains(unit) && uses[uses.next(unit)].next == noUse);
}

/// What is added for an instruction is of its place in the source.
void SpillRewriter::runOp(MachineOp op) {
  position = 2 * number;
  capacity = limit - std::min(limit, choice.pressure[number]);
  const bool changesLanes = bank == Bank::Vector && writesExec(op);
  if (isRemoved(op)) {
    uses.skip(number);
    dropUnused();
    note(SpillStep::Kind::Gone);
    return;
  }
  const size_t before = out.size();
  if (changesLanes || targetOf(op) != noBlock)
    storeAll();
  makeRoom(0);
  mapOperands(op, false);
  mapOperands(op, true);
  // HW(gfx11): memory instructions may not have read the register yet (LdsDirectVMEM).
  if (bank == Bank::Vector && program.target->major == 11 && op.opcode == Opcode::LoadParameter) {
    constexpr uint32_t memorySources = 0xFFE3;
    out.push_back(MachineOp(Opcode::WaitDepctr, {Operand::number(memorySources)}));
  }
  out.push_back(op);
  for (size_t i = before; i < out.size(); ++i)
    out[i].place = op.place;
  note(SpillStep::Kind::Old);
  position = 2 * number + 2;
  for (Copy &copy : copies)
    if (copy.usedBy == number)
      copy.usedBy = noUse;
  dropUnused();
  if (!changesLanes)
    return;
  isWholeWave = takesAllLanes(op);
  copies.clear();
  occupied = 0;
}

void SpillRewriter::runBlock(uint32_t block, bool endsRegion) {
  std::vector<MachineOp> &ops = program.blocks[block].ops;
  out.clear();
  steps.clear();
  gone = 0;
  const uint32_t arguments = block == 0 ? argumentsFrom() : noUse;
  for (uint32_t i = 0; i < ops.size(); ++i) {
    number = live.firstOp(block) + i;
    if (i == arguments)
      takeArguments();
    runOp(ops[i]);
  }
  if (arguments == ops.size())
    takeArguments();
  number = noUse;
  position = 2 * live.firstOp(block + 1);
  if (endsRegion)
    storeAll();
  ops = out;
  if (trace)
    trace->push_back(steps);
}

unsigned SpillRewriter::run() {
  const std::vector<bool> targets = uses.findTargets();
  const auto count = static_cast<uint32_t>(program.blocks.size());
  for (uint32_t first = 0, end; first < count; first = end) {
    end = first + 1;
    while (end < count && !targets[end] && program.blocks[end].loop == program.blocks[first].loop)
      ++end;
    uses.collect(first, end);
    copies.clear();
    occupied = 0;
    isWholeWave = false;
    for (uint32_t block = first; block < end; ++block)
      runBlock(block, block + 1 == end);
  }
  return lacking;
}

} // namespace

unsigned rewriteSpills(Program &program, const LiveIntervals &live, const SpillChoice &choice,
                       Bank bank, unsigned limit, SpillTrace *trace) {
  return SpillRewriter(program, live, choice, bank, limit, trace).run();
}

} // namespace lgc::direct
