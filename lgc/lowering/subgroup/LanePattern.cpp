//===- LanePattern.cpp - which lane each lane reads -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Moves by preference: a read of one lane, DPP, permutes of rows, ds_swizzle, ds_bpermute. What
/// crosses the halves of a wave64 is moved by itself, and put together with the rest (not on gfx12,
/// whose ds_bpermute crosses them):
///   before: %r = lane - 1, of 64 lanes
///   after:  %near = ds_swizzle, rotating each half by one lane
///           %far = readlane %x, 31
///           %r = select i1 (lane 32), %far, %near
#include "lgc/lowering/subgroup/LanePattern.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {
namespace {

// --- What is known

bool isAllOnes(const Value *value) {
  const auto *constant = dyn_cast<ConstantInt>(value);
  return constant && constant->isMinusOne();
}

/// The instruction's operation, if it is one that is followed.
bool isFollowed(const Value &value) {
  if (const auto *call = dyn_cast<IntrinsicInst>(&value)) {
    const Intrinsic::ID id = call->getIntrinsicID();
    return (id == Intrinsic::amdgcn_mbcnt_lo || id == Intrinsic::amdgcn_mbcnt_hi) &&
           isAllOnes(call->getArgOperand(0));
  }
  const auto *binary = dyn_cast<BinaryOperator>(&value);
  if (!binary)
    return false;
  switch (binary->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Shl:
  case Instruction::LShr:
    return true;
  default:
    return false;
  }
}

/// Computes a value for every lane. Results are those of defined operations only: what overflows
/// where it must not is poison, which may be anything.
class LaneEvaluator {
public:
  using Values = std::array<uint32_t, 64>;

  bool evaluate(const Value &value, Values &out) {
    if (const auto *constant = dyn_cast<ConstantInt>(&value)) {
      if (constant->getBitWidth() != 32)
        return false;
      out.fill(static_cast<uint32_t>(constant->getZExtValue()));
      return true;
    }
    if (!value.getType()->isIntegerTy(32) || !isFollowed(value) || ++visited > mostVisited)
      return false;
    const auto &user = cast<User>(value);
    Values first, second;
    if (const auto *call = dyn_cast<IntrinsicInst>(&value)) {
      if (!evaluate(*call->getArgOperand(1), out))
        return false;
      const bool isHigh = call->getIntrinsicID() == Intrinsic::amdgcn_mbcnt_hi;
      for (unsigned i = 0; i < out.size(); ++i)
        out[i] += isHigh ? (i < 32 ? 0 : i - 32) : std::min(i, 32u);
      return true;
    }
    if (!evaluate(*user.getOperand(0), first) || !evaluate(*user.getOperand(1), second))
      return false;
    for (unsigned i = 0; i < out.size(); ++i)
      if (!compute(cast<BinaryOperator>(value).getOpcode(), first[i], second[i], out[i]))
        return false;
    return true;
  }

private:
  static constexpr unsigned mostVisited = 24;
  unsigned visited = 0;

  static bool compute(unsigned opcode, uint32_t x, uint32_t y, uint32_t &result) {
    switch (opcode) {
    case Instruction::Add:
      result = x + y;
      return true;
    case Instruction::Sub:
      result = x - y;
      return true;
    case Instruction::Mul:
      result = x * y;
      return true;
    case Instruction::And:
      result = x & y;
      return true;
    case Instruction::Or:
      result = x | y;
      return true;
    case Instruction::Xor:
      result = x ^ y;
      return true;
    case Instruction::Shl:
      result = y < 32 ? x << y : 0;
      return y < 32;
    default: // LShr
      result = y < 32 ? x >> y : 0;
      return y < 32;
    }
  }
};

bool mayBecome(const Value &value, unsigned &visited) {
  if (isa<ConstantInt, PHINode>(value))
    return true;
  if (!isFollowed(value) || ++visited > 24)
    return false;
  if (const auto *call = dyn_cast<IntrinsicInst>(&value))
    return mayBecome(*call->getArgOperand(1), visited);
  return all_of(cast<User>(value).operands(),
                [&](const Use &use) { return mayBecome(*use.get(), visited); });
}

// --- Moves

/// Applies `key(lane, from)` to all lanes that read one; their common result, if they have one.
template <class Key> std::optional<unsigned> common(const LanePattern &pattern, Key key) {
  std::optional<unsigned> result;
  for (unsigned lane = 0; lane < pattern.size(); ++lane) {
    if (pattern[lane] == anyLane)
      continue;
    const unsigned value = key(lane, static_cast<unsigned>(pattern[lane]));
    if (result && *result != value)
      return std::nullopt;
    result = value;
  }
  return result;
}

bool isUnused(const LanePattern &pattern) {
  return all_of(pattern, [](int8_t from) { return from == anyLane; });
}

/// Does every lane read a lane of its own group of \p size, or of the one \p flip lanes away?
bool staysInGroup(const LanePattern &pattern, unsigned size, unsigned flip = 0) {
  return common(pattern, [&](unsigned lane, unsigned from) {
           return unsigned(((lane ^ flip) & ~(size - 1)) == (from & ~(size - 1)));
         }) == 1u;
}

/// What lane i of every group of N reads in a group, if all groups read alike.
template <size_t N>
std::optional<std::array<unsigned, N>> groupTable(const LanePattern &pattern, unsigned flip = 0) {
  std::array<unsigned, N> table;
  std::array<bool, N> isKnown = {};
  if (!staysInGroup(pattern, N, flip))
    return std::nullopt;
  for (unsigned i = 0; i < N; ++i)
    table[i] = i;
  for (unsigned lane = 0; lane < pattern.size(); ++lane) {
    if (pattern[lane] == anyLane)
      continue;
    const unsigned from = static_cast<unsigned>(pattern[lane]) % N;
    if (isKnown[lane % N] && table[lane % N] != from)
      return std::nullopt;
    table[lane % N] = from;
    isKnown[lane % N] = true;
  }
  return table;
}

/// Inside of rows of 16 lanes.
Value *moveInRows(LaneBuilder &lanes, Value *source, const LanePattern &pattern) {
  if (const auto quad = groupTable<4>(pattern))
    return lanes.dppMove(source, Dpp::quadPerm((*quad)[0], (*quad)[1], (*quad)[2], (*quad)[3]));
  if (!staysInGroup(pattern, 16))
    return nullptr;
  if (const auto mask = common(pattern, [](unsigned i, unsigned from) { return i ^ from; }))
    return lanes.dppMove(source, Dpp::RowXmask0 + *mask);
  if (const auto n = common(pattern, [](unsigned i, unsigned from) { return (i - from) & 15; }))
    return lanes.dppMove(source, Dpp::RowRotateRight0 + *n);
  if (const auto lane = common(pattern, [](unsigned, unsigned from) { return from & 15; }))
    return lanes.dppMove(source, Dpp::RowShare0 + *lane);
  if (const auto row = groupTable<16>(pattern))
    return lanes.permuteRow(source, *row);
  return nullptr;
}

/// The pattern of ds_swizzle, if it has one, for moves inside of 32 lanes.
std::optional<unsigned> swizzleOf(const LanePattern &pattern) {
  constexpr unsigned rotation = 0xC000;
  if (const auto n = common(pattern, [](unsigned i, unsigned from) { return (from - i) & 31; }))
    return rotation | *n << 5;
  unsigned andMask = 0, orMask = 0, xorMask = 0;
  for (unsigned bit = 0; bit < 5; ++bit) {
    auto agrees = [&](auto key) {
      return common(pattern, [&](unsigned i, unsigned from) { return (key(i) ^ from) >> bit & 1; });
    };
    if (const auto flips = agrees([](unsigned i) { return i; })) {
      andMask |= 1u << bit;
      xorMask |= *flips << bit;
    } else if (const auto value = agrees([](unsigned) { return 0u; })) {
      orMask |= *value << bit;
    } else {
      return std::nullopt;
    }
  }
  return andMask | orMask << 5 | xorMask << 10;
}

/// Inside of 32 lanes. Null: there is no such move without an address.
Value *moveInHalves(LaneBuilder &lanes, Value *source, const LanePattern &pattern) {
  if (common(pattern, [](unsigned i, unsigned from) { return i ^ from; }) == 0u)
    return source;
  if (Value *moved = moveInRows(lanes, source, pattern))
    return moved;
  if (const auto row = groupTable<16>(pattern, /*flip=*/16))
    return lanes.permuteOtherRow(source, *row);
  if (const auto swizzle = swizzleOf(pattern))
    return lanes.swizzle(source, *swizzle);
  return nullptr;
}

/// Of a wave64, of which some lanes read the other half.
class CrossingMove {
public:
  CrossingMove(LaneBuilder &lanes, Value *source, Value *lane, const LanePattern &pattern)
      : lanes(lanes), b(lanes.b), source(source), lane(lane) {
    near.fill(anyLane);
    far.fill(anyLane);
    for (unsigned i = 0; i < 64; ++i) {
      if (pattern[i] == anyLane)
        continue;
      const bool isFar = (pattern[i] ^ i) & 32;
      (isFar ? far : near)[i] = pattern[i];
      crossing |= uint64_t(isFar) << i;
      readers[static_cast<uint8_t>(pattern[i])] |= uint64_t(isFar) << i;
    }
  }

  Value *run() {
    // More lane reads take longer than the exchange of the halves.
    const unsigned few = lanes.gfxMajor >= 11 ? 2 : 5;
    if (count_if(readers, [](uint64_t mask) { return mask != 0; }) <= few)
      return readLanes();
    // HW(gfx10): nothing but lane reads crosses the halves. One for each lane would be shorter, but
    // several words need more SGPRs than there are.
    if (lanes.gfxMajor < 11)
      return lanes.shuffle(source, lane, /*sameHalf=*/false);
    Value *result = moveFar();
    if (isUnused(near))
      return result;
    if (const unsigned rows = crossingRows())
      return lanes.dpp(moveNear(), result, Dpp::QuadPermIdentity, rows);
    return b.CreateSelect(lanes.inverseBallot(b.getInt64(crossing)), result, moveNear());
  }

private:
  LaneBuilder &lanes;
  IRBuilder<> &b;
  Value *source, *lane;
  LanePattern near, far;                 ///< what is read in the own half, in the other one
  uint64_t crossing = 0;                 ///< lanes that read the other half
  std::array<uint64_t, 64> readers = {}; ///< of each lane, those from the other half

  Value *moveNear() {
    Value *moved = moveInHalves(lanes, source, near);
    return moved ? moved : lanes.shuffle(source, lane, /*sameHalf=*/true);
  }

  Value *readLanes() {
    Value *result = isUnused(near) ? PoisonValue::get(source->getType()) : moveNear();
    for (unsigned from = 0; from < 64; ++from)
      if (readers[from])
        result = b.CreateSelect(lanes.inverseBallot(b.getInt64(readers[from])),
                                lanes.readLane(source, lanes.word(from)), result);
    return result;
  }

  /// In whole wave mode, because the lane that holds the swapped value may be inactive although its
  /// source is active.
  Value *moveFar() {
    Value *swapped = lanes.swapHalves(lanes.enterWholeWave(source, lanes.word(0)));
    LanePattern inHalf = far;
    for (int8_t &from : inHalf)
      if (from != anyLane)
        from ^= 32;
    Value *moved = moveInHalves(lanes, swapped, inHalf);
    if (!moved)
      moved = lanes.shuffle(swapped, lanes.enterWholeWave(lane, lanes.word(0)), true);
    return lanes.leaveWholeWave(moved);
  }

  /// A mask of rows whose lanes all cross, if the others' lanes do not; else 0.
  unsigned crossingRows() const {
    unsigned rows = 0;
    for (unsigned row = 0; row < 4; ++row) {
      bool hasNear = false, hasFar = false;
      for (unsigned i = row * 16; i < row * 16 + 16; ++i) {
        hasNear |= near[i] != anyLane;
        hasFar |= far[i] != anyLane;
      }
      if (hasNear && hasFar)
        return 0;
      rows |= unsigned(hasFar) << row;
    }
    return rows;
  }
};

} // namespace

std::optional<LanePattern> lanePatternOf(const Value &lane, unsigned waveSize) {
  LaneEvaluator::Values values;
  if (!LaneEvaluator().evaluate(lane, values))
    return std::nullopt;
  LanePattern pattern;
  for (unsigned i = 0; i < pattern.size(); ++i)
    pattern[i] = i < waveSize && values[i] < waveSize ? static_cast<int8_t>(values[i]) : anyLane;
  return pattern;
}

bool mayBecomePattern(const Value &lane) {
  unsigned visited = 0;
  return mayBecome(lane, visited);
}

Value *moveByPattern(LaneBuilder &lanes, Value *source, Value *lane, const LanePattern &pattern) {
  if (isUnused(pattern))
    return source;
  if (const auto from = common(pattern, [](unsigned, unsigned from) { return from; }))
    return lanes.readLane(source, lanes.word(*from));
  if (!staysInGroup(pattern, 32) && lanes.gfxMajor >= 12)
    return lanes.shuffle(source, lane, /*sameHalf=*/false);
  if (!staysInGroup(pattern, 32))
    return CrossingMove(lanes, source, lane, pattern).run();
  Value *moved = moveInHalves(lanes, source, pattern);
  return moved ? moved : lanes.shuffle(source, lane, /*sameHalf=*/true);
}

} // namespace lgc
