//===- Waits.cpp - waits for the results of loads -------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/Waits.h"
#include "lgc/direct/shader/ForwardWalk.h"
#include "lgc/direct/shader/OpEffects.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace lgc::direct {

namespace {

/// Where WaitCounters has a counter: its low and its high bits.
struct CounterField {
  uint8_t place, bits, highPlace, highBits;
};
struct WaitLayout {
  CounterField vector, ldsAndScalar, exports;
};
// HW(gfx10): vmcnt 3:0 and 15:14, expcnt 6:4, lgkmcnt 13:8; HW(gfx11): vmcnt 15:10, lgkmcnt 9:4,
// expcnt 2:0.
constexpr WaitLayout layouts[] = {{{0, 4, 14, 2}, {8, 6, 0, 0}, {4, 3, 0, 0}},
                                  {{10, 6, 0, 0}, {4, 6, 0, 0}, {0, 3, 0, 0}}};
constexpr uint8_t allExports = 7;

const WaitLayout &layoutOf(unsigned gfxMajor) { return layouts[gfxMajor >= 11]; }

uint32_t bitsOf(const CounterField &field, uint32_t value) {
  const uint32_t low = value & ((1u << field.bits) - 1);
  return low << field.place | (value >> field.bits & ((1u << field.highBits) - 1))
                                  << field.highPlace;
}
uint8_t valueOf(const CounterField &field, uint32_t bits) {
  const uint32_t low = bits >> field.place & ((1u << field.bits) - 1);
  const uint32_t high = bits >> field.highPlace & ((1u << field.highBits) - 1);
  return static_cast<uint8_t>(low | high << field.bits);
}

constexpr uint8_t indexOf(LoadCounter counter) { return static_cast<uint8_t>(counter); }

/// Waits that do not say in a field what they wait for: for none left, or operand 0.
struct SimpleWait {
  Opcode opcode;
  LoadCounter counter;
  bool hasCount;
};
constexpr SimpleWait simpleWaits[] = {
    {Opcode::WaitVectorLoads, LoadCounter::Vector, false},
    {Opcode::WaitScalarLoads, LoadCounter::Scalar, false},
    {Opcode::WaitLoads12, LoadCounter::Vector, true},
    {Opcode::WaitLds12, LoadCounter::Lds, true},
    {Opcode::WaitScalars12, LoadCounter::Scalar, true},
    {Opcode::WaitExports12, LoadCounter::Exports, true},
    {Opcode::WaitSamples12, LoadCounter::Samples, true},
    {Opcode::WaitRays12, LoadCounter::Rays, true},
};
constexpr Opcode waits12[] = {Opcode::WaitLoads12,   Opcode::WaitLds12,     Opcode::WaitScalars12,
                              Opcode::WaitExports12, Opcode::WaitSamples12, Opcode::WaitRays12};

/// Registers in a row that a load will write, or that an export has to read yet.
struct PendingLoad {
  LoadCounter counter;
  uint8_t count;
  bool isSource;  ///< of an export: it may be read, too
  uint16_t first; ///< VGPRs or SGPRs: the counter says which
  int32_t ticket; ///< number of the load among those of its counter
};

/// What may be under way.
struct PendingLoads {
  SmallVector<PendingLoad, 8> loads;
  std::array<int32_t, loadCounters> issued = {}; ///< by counter: the next ticket
  bool messages = false;                         ///< come back among scalar loads
  // Of `loads`.
  SgprSet sgprs;
  VgprSet vgprs;

  void join(const PendingLoads &other);
  void add(const PendingLoad &load);
  void finish(const LoadWait &wait, bool sharesCounter);
  bool overlaps(const PendingLoad &load, const OpEffects &effects) const;
  /// Operations of the counter that were issued behind the load.
  int32_t age(const PendingLoad &load) const {
    return issued[indexOf(load.counter)] - 1 - load.ticket;
  }

private:
  void note(const PendingLoad &load);
};

void PendingLoads::note(const PendingLoad &load) {
  for (unsigned i = 0; i < load.count; ++i)
    if (load.counter == LoadCounter::Scalar)
      sgprs.set(load.first + i);
    else
      vgprs.set(load.first + i);
}

void PendingLoads::add(const PendingLoad &load) {
  loads.push_back(load);
  note(load);
}

/// Of a load that may be under way on both sides, the younger one decides.
void PendingLoads::join(const PendingLoads &other) {
  const size_t mine = loads.size();
  messages |= other.messages;
  for (const PendingLoad &load : other.loads) {
    PendingLoad moved = load;
    moved.ticket = issued[indexOf(load.counter)] - 1 - other.age(load);
    PendingLoad *end = loads.begin() + mine;
    PendingLoad *same = std::find_if(loads.begin(), end, [&](const PendingLoad &old) {
      return old.counter == load.counter && old.first == load.first && old.count == load.count &&
             old.isSource == load.isSource;
    });
    if (same == end)
      add(moved);
    else
      same->ticket = std::max(same->ticket, moved.ticket);
  }
}

/// \p sharesCounter: scalar loads and LDS have one counter.
void PendingLoads::finish(const LoadWait &wait, bool sharesCounter) {
  std::array<uint8_t, loadCounters> left = wait.left;
  if (sharesCounter) {
    uint8_t &lds = left[indexOf(LoadCounter::Lds)], &scalar = left[indexOf(LoadCounter::Scalar)];
    lds = scalar = std::min(lds, scalar);
    // Scalar loads come back in any order, so that a count says nothing of what is left.
    if (lds && (sgprs.any() || messages))
      lds = LoadWait::any;
    messages &= scalar != 0;
  }
  for (LoadCounter counter : {LoadCounter::Scalar, LoadCounter::Exports})
    if (uint8_t &count = left[indexOf(counter)])
      count = LoadWait::any;
  const size_t before = loads.size();
  erase_if(loads, [&](const PendingLoad &load) {
    const uint8_t count = left[indexOf(load.counter)];
    return count < LoadWait::any && age(load) >= count;
  });
  if (loads.size() == before)
    return;
  sgprs.reset();
  vgprs.reset();
  for (const PendingLoad &load : loads)
    note(load);
}

bool PendingLoads::overlaps(const PendingLoad &load, const OpEffects &effects) const {
  for (unsigned reg = load.first; reg < unsigned(load.first) + load.count; ++reg)
    if (load.counter == LoadCounter::Scalar
            ? effects.reads.test(reg) || effects.writes.test(reg)
            : (effects.vectorReads.test(reg) && !load.isSource) || effects.vectorWrites.test(reg))
      return true;
  return false;
}

class WaitInserter {
public:
  using State = PendingLoads;

  explicit WaitInserter(const Program &program)
      : program(program), gfxMajor(program.target->major), sharesCounter(gfxMajor < 12) {
    for (const MachineBlock &block : program.blocks)
      hasMessages |=
          any_of(block.ops, [](const MachineOp &op) { return op.opcode == Opcode::SSendMessage; });
  }
  /// Nobody waits for messages at a jump back.
  void begin(uint32_t, State &state) { state.messages |= hasMessages; }
  void step(const MachineOp &op, bool jumpsBack, State &state, std::vector<MachineOp> &ops);

private:
  void require(const State &state, const PendingLoad &load, LoadWait &wait) const;
  void emit(const LoadWait &wait, std::vector<MachineOp> &ops) const;
  void issue(const MachineOp &op, const OpEffects &effects, State &state) const;

  const Program &program;
  unsigned gfxMajor;
  bool sharesCounter, hasMessages = false;
};

/// Lowers \p wait to what brings \p load back.
void WaitInserter::require(const State &state, const PendingLoad &load, LoadWait &wait) const {
  // What counters can count is what is under way at most; one below it does wait.
  constexpr int32_t most = LoadWait::any - 1;
  int32_t left = std::min(state.age(load), most);
  // Exports of different kinds end in any order.
  if (load.counter == LoadCounter::Scalar || load.counter == LoadCounter::Exports ||
      (load.counter == LoadCounter::Lds && sharesCounter && (state.sgprs.any() || state.messages)))
    left = 0;
  uint8_t &count = wait[load.counter];
  count = std::min(count, static_cast<uint8_t>(left));
}

void WaitInserter::emit(const LoadWait &wait, std::vector<MachineOp> &ops) const {
  if (sharesCounter) {
    ops.push_back({Opcode::WaitCounters, Operand::number(encodeWaitCounters(gfxMajor, wait))});
    return;
  }
  for (unsigned i = 0; i < loadCounters; ++i)
    if (wait.left[i] < LoadWait::any)
      ops.push_back({waits12[i], Operand::number(wait.left[i])});
}

/// Remembers what \p op loads. Each operation that the counter surely counts makes older ones
/// older: invalidations of caches (gfx12 counts some) do not.
void WaitInserter::issue(const MachineOp &op, const OpEffects &effects, State &state) const {
  state.messages |= op.opcode == Opcode::SSendMessage;
  LoadCounter counter = LoadCounter::Vector;
  const bool isExport = effects.kind == InstructionClass::Export;
  if (isExport || effects.kind == InstructionClass::ParameterLoad)
    counter = LoadCounter::Exports;
  else if (effects.isLds())
    counter = LoadCounter::Lds;
  else if (effects.isScalarLoad() || op.opcode == Opcode::SRealTime)
    counter = LoadCounter::Scalar;
  else if (effects.isSample())
    counter = sharesCounter                    ? LoadCounter::Vector
              : op.opcode == Opcode::ImageBvh8 ? LoadCounter::Rays
                                               : LoadCounter::Samples;
  else if (effects.kind != InstructionClass::VectorLoad &&
           effects.kind != InstructionClass::VectorAtomic)
    return;
  const int32_t ticket = state.issued[indexOf(counter)]++;
  const ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
  for (unsigned i = 0; i < op.count; ++i)
    if (isExport ? op.operands[i].kind == Operand::Kind::Vgpr
                 : infos[i].isWritten() && op.operands[i].isRegister())
      state.add({counter, static_cast<uint8_t>(program.registersOf(op.operands[i], infos[i])),
                 isExport, static_cast<uint16_t>(op.operands[i].value), ticket});
  // HW: operations on counters of the geometry engine read their registers like exports.
  if (op.opcode == Opcode::DsAddCounter)
    state.add({LoadCounter::Exports, 1, /*isSource=*/true,
               static_cast<uint16_t>(op.operands[1].value),
               state.issued[indexOf(LoadCounter::Exports)]++});
}

void WaitInserter::step(const MachineOp &op, bool jumpsBack, State &state,
                        std::vector<MachineOp> &ops) {
  const OpEffects effects = effectsOf(program, op);
  if (effects.kind == InstructionClass::Wait)
    return state.finish(loadWaitOf(gfxMajor, op), sharesCounter);
  const bool touches = (state.sgprs & (effects.reads | effects.writes)).any() ||
                       (state.vgprs & (effects.vectorReads | effects.vectorWrites)).any();
  if (touches || jumpsBack) {
    LoadWait wait;
    bool waits = false;
    for (const PendingLoad &load : state.loads) {
      // What is under way at a jump back would have to be known where it goes.
      if (!jumpsBack && !state.overlaps(load, effects))
        continue;
      require(state, load, wait);
      waits = true;
      if (jumpsBack)
        wait[load.counter] = 0;
    }
    if (waits) {
      emit(wait, ops);
      state.finish(wait, sharesCounter);
    }
  }
  issue(op, effects, state);
}

} // namespace

uint32_t encodeWaitCounters(unsigned gfxMajor, const LoadWait &wait) {
  const WaitLayout &layout = layoutOf(gfxMajor);
  return bitsOf(layout.vector, wait[LoadCounter::Vector]) |
         bitsOf(layout.ldsAndScalar, std::min(wait[LoadCounter::Lds], wait[LoadCounter::Scalar])) |
         bitsOf(layout.exports, std::min(wait[LoadCounter::Exports], allExports));
}

LoadWait loadWaitOf(unsigned gfxMajor, const MachineOp &op) {
  LoadWait wait;
  if (op.opcode == Opcode::WaitCounters) {
    const WaitLayout &layout = layoutOf(gfxMajor);
    const uint32_t bits = op.operands[0].value;
    wait[LoadCounter::Vector] = valueOf(layout.vector, bits);
    wait[LoadCounter::Lds] = wait[LoadCounter::Scalar] = valueOf(layout.ldsAndScalar, bits);
    const uint8_t exports = valueOf(layout.exports, bits);
    wait[LoadCounter::Exports] = exports < allExports ? exports : LoadWait::any;
  }
  for (const SimpleWait &row : simpleWaits)
    if (row.opcode == op.opcode)
      wait[row.counter] =
          row.hasCount
              ? static_cast<uint8_t>(std::min<uint32_t>(op.operands[0].value, LoadWait::any))
              : uint8_t(0);
  return wait;
}

void insertWaits(Program &program) {
  WaitInserter inserter(program);
  walkForward(program, inserter);
}

} // namespace lgc::direct
