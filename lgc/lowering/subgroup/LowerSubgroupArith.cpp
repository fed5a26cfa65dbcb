//===- LowerSubgroupArith.cpp - reductions and scans ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// lgc.subgroup.arith as straight-line code. Bools use ballots. Numbers run in whole wave mode with
/// inactive lanes set to the operation's identity:
///  - a reduction combines with the lane 1, 2, 4, 8 away in the row of 16 (DPP row_xmask), then
///  with
///    the other row (permlanex16), then with the other half (permlane64 or lane reads): every lane
///    ends with the result, and a cluster of n lanes is simply the first log2(n) steps;
///  - a scan combines with the lane 1, 2, 4, 8 below in the row (DPP row_shr; identity enters at
///  the
///    row's start), then adds the last lane of the row below, then the last lane of the lower half;
///  - an exclusive scan is the inclusive one moved up by one lane, or, where the operation has an
///    inverse, with the lane's own value taken back out.
/// Narrow integers and halves are computed in 32 bits, 64-bit values move as two words.
///   before: %r = call i32 @lgc.subgroup.arith(i32 IAdd, i32 Reduce, i32 %x, i32 2)
///   after:  %a = call i32 @llvm.amdgcn.set.inactive.i32(i32 %x, i32 0)
///           %d = call i32 @llvm.amdgcn.update.dpp.i32(..., i32 %a, row_xmask 1, ...)
///           %s = add i32 %d, %a
///           %r = call i32 @llvm.amdgcn.strict.wwm.i32(i32 %s)
#include "lgc/CompileError.h"
#include "lgc/lowering/subgroup/LowerSubgroup.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {
namespace {

/// The row's last lane everywhere.
constexpr std::array<unsigned, 16> rowLast = {15, 15, 15, 15, 15, 15, 15, 15,
                                              15, 15, 15, 15, 15, 15, 15, 15};

bool isSignedArith(GroupArith arith) {
  return arith == GroupArith::SMin || arith == GroupArith::SMax;
}

/// Neutral element for a scalar of `type`.
Constant *identityOf(GroupArith arith, Type *type) {
  unsigned bits = type->getScalarSizeInBits();
  switch (arith) {
  case GroupArith::IAdd:
  case GroupArith::FAdd:
  case GroupArith::UMax:
  case GroupArith::Or:
  case GroupArith::Xor:
    return Constant::getNullValue(type);
  case GroupArith::IMul:
    return ConstantInt::get(type, 1);
  case GroupArith::FMul:
    return ConstantFP::get(type, 1.0);
  case GroupArith::FMin:
    return ConstantFP::getInfinity(type);
  case GroupArith::FMax:
    return ConstantFP::getInfinity(type, /*Negative=*/true);
  case GroupArith::SMin:
    return ConstantInt::get(type, APInt::getSignedMaxValue(bits));
  case GroupArith::SMax:
    return ConstantInt::get(type, APInt::getSignedMinValue(bits));
  case GroupArith::UMin:
  case GroupArith::And:
    return Constant::getAllOnesValue(type);
  }
  KILN_ICE("unknown subgroup arithmetic");
}

Value *combine(IRBuilder<> &b, GroupArith arith, Value *x, Value *y) {
  switch (arith) {
  case GroupArith::IAdd:
    return b.CreateAdd(x, y);
  case GroupArith::FAdd:
    return b.CreateFAdd(x, y);
  case GroupArith::IMul:
    return b.CreateMul(x, y);
  case GroupArith::FMul:
    return b.CreateFMul(x, y);
  case GroupArith::SMin:
    return b.CreateBinaryIntrinsic(Intrinsic::smin, x, y);
  case GroupArith::UMin:
    return b.CreateBinaryIntrinsic(Intrinsic::umin, x, y);
  case GroupArith::FMin:
    return b.CreateMinNum(x, y);
  case GroupArith::SMax:
    return b.CreateBinaryIntrinsic(Intrinsic::smax, x, y);
  case GroupArith::UMax:
    return b.CreateBinaryIntrinsic(Intrinsic::umax, x, y);
  case GroupArith::FMax:
    return b.CreateMaxNum(x, y);
  case GroupArith::And:
    return b.CreateAnd(x, y);
  case GroupArith::Or:
    return b.CreateOr(x, y);
  case GroupArith::Xor:
    return b.CreateXor(x, y);
  }
  KILN_ICE("unknown subgroup arithmetic");
}

/// One reduction or scan of 32- or 64-bit scalars in whole wave mode.
class WaveArith {
public:
  WaveArith(LaneBuilder &lanes, GroupArith arith, Constant *identity)
      : lanes(lanes), b(lanes.b), arith(arith), identity(identity) {}

  Value *run(GroupScan scan, Value *value, unsigned clusterSize) {
    Value *x = moveWhole(value);
    if (scan == GroupScan::Reduce)
      return reduce(x, clusterSize);
    Value *result = inclusive(x);
    if (scan == GroupScan::Exclusive)
      result = toExclusive(result, x);
    return leave(result);
  }

private:
  LaneBuilder &lanes;
  IRBuilder<> &b;
  GroupArith arith;
  Constant *identity;

  /// The type whose bits the intrinsics carry.
  Type *bitsType() { return b.getIntNTy(identity->getType()->getScalarSizeInBits()); }
  Value *toBits(Value *x) { return b.CreateBitCast(x, bitsType()); }
  Value *fromBits(Value *x) { return b.CreateBitCast(x, identity->getType()); }

  Value *moveWhole(Value *value) {
    Value *bits = toBits(value);
    return fromBits(lanes.enterWholeWave(bits, toBits(identity)));
  }
  Value *leave(Value *x) { return fromBits(lanes.leaveWholeWave(toBits(x))); }
  Value *apply(Value *x, Value *moved) { return combine(b, arith, moved, x); }

  /// DPP move of each word. Lanes without a valid source get `old`.
  /// Why two forms: a move that lets the hardware write 0 becomes part of the instruction that uses
  /// it, whatever that is; one with another old value only in some cases.
  Value *dpp(Value *old, Value *source, unsigned control, unsigned rowMask = 0xF) {
    bool everyLaneReads = control >= Dpp::RowXmask0;
    bool isZeroFill = old == identity && (identity->isNullValue() || everyLaneReads);
    auto move = [&](Value *oldWord, Value *word) {
      return rowMask == 0xF && isZeroFill ? lanes.dppMove(word, control)
                                          : lanes.dpp(oldWord, word, control, rowMask);
    };
    if (identity->getType()->getScalarSizeInBits() == 32) {
      Value *oldWord = toBits(old);
      return fromBits(move(oldWord, toBits(source)));
    }
    auto *pair = FixedVectorType::get(b.getInt32Ty(), 2);
    Value *oldWords = b.CreateBitCast(old, pair), *words = b.CreateBitCast(source, pair);
    Value *result = PoisonValue::get(pair);
    for (unsigned i = 0; i < 2; ++i) {
      Value *oldWord = b.CreateExtractElement(oldWords, i);
      Value *moved = move(oldWord, b.CreateExtractElement(words, i));
      result = b.CreateInsertElement(result, moved, i);
    }
    return fromBits(result);
  }

  Value *readLane(Value *x, unsigned lane) {
    return lanes.mapWords(x, [&](Value *w) { return lanes.readLane(w, lanes.word(lane)); });
  }

  Value *otherRow(Value *x, const std::array<unsigned, 16> &from) {
    return lanes.mapWords(x, [&](Value *w) { return lanes.permuteOtherRow(w, from); });
  }

  Value *reduce(Value *x, unsigned size) {
    for (unsigned distance = 1; distance < std::min(size, 16u); distance *= 2)
      x = apply(x, dpp(identity, x, Dpp::RowXmask0 + distance));
    if (size >= 32) // any lane of the other row will do; this pattern needs no literals
      x = apply(x, otherRow(x, rowLast));
    if (size < 64)
      return size == lanes.waveSize ? uniform(leave(x)) : leave(x);
    // Why lane reads also where permlane64 exists: the result is uniform, so that what follows can
    // be scalar.
    Value *low = readLane(x, 0), *high = readLane(x, 32);
    return leave(apply(low, high));
  }

  /// Tells code generation that all lanes have the same value.
  Value *uniform(Value *x) {
    return lanes.mapWords(x, [&](Value *w) { return lanes.readFirstLane(w); });
  }

  Value *inclusive(Value *x) {
    for (unsigned distance = 1; distance < 16; distance *= 2)
      x = apply(x, dpp(identity, x, Dpp::RowShiftRight0 + distance));
    // Rows 1 and 3 (row mask 1010) take the last lane of the row below.
    x = apply(x, dpp(identity, otherRow(x, rowLast), Dpp::QuadPermIdentity, 0xA));
    if (lanes.isWave64()) // rows 2 and 3 take lane 31
      x = apply(x, dpp(identity, readLane(x, 31), Dpp::QuadPermIdentity, 0xC));
    return x;
  }

  Value *toExclusive(Value *scan, Value *own) {
    if (arith == GroupArith::IAdd)
      return b.CreateSub(scan, own);
    if (arith == GroupArith::Xor)
      return b.CreateXor(scan, own);
    // What enters at the start of rows 1 and 3, then of row 2 (row mask 0100).
    Value *entry = dpp(identity, otherRow(scan, rowLast), Dpp::QuadPermIdentity, 0xA);
    if (lanes.isWave64())
      entry = dpp(entry, readLane(scan, 31), Dpp::QuadPermIdentity, 0x4);
    return dpp(entry, scan, Dpp::RowShiftRight0 + 1);
  }
};

// --- Bools

/// And is "no active lane has false", so it counts the lanes with false; Or and Xor count the lanes
/// with true.
Value *lowerBoolArith(LaneBuilder &lanes, GroupArith arith, GroupScan scan, Value *value,
                      unsigned size) {
  IRBuilder<> &b = lanes.b;
  if (size == 1)
    return value;
  bool isAnd = arith == GroupArith::And || arith == GroupArith::UMin || arith == GroupArith::SMin;
  Value *mask = lanes.ballot(isAnd ? b.CreateNot(value) : value);
  Value *bits = mask;
  if (scan == GroupScan::Inclusive)
    bits = lanes.countUpTo(mask);
  else if (scan == GroupScan::Exclusive)
    bits = lanes.countBelow(mask, lanes.word(0));
  else if (size < lanes.waveSize) {
    bits = lanes.halfOfMask(mask);
    if (size < 32) {
      Value *first = b.CreateAnd(lanes.laneId(), lanes.word(31 & ~(size - 1)));
      bits = b.CreateAnd(b.CreateLShr(bits, first), lanes.word((1u << size) - 1));
    }
  }
  Constant *zero = Constant::getNullValue(bits->getType());
  if (arith != GroupArith::Xor)
    return isAnd ? b.CreateICmpEQ(bits, zero) : b.CreateICmpNE(bits, zero);
  // Scans have counts, reductions have masks.
  Value *count = scan == GroupScan::Reduce ? b.CreateUnaryIntrinsic(Intrinsic::ctpop, bits) : bits;
  return b.CreateTrunc(count, b.getInt1Ty());
}

/// One scalar of any width.
Value *lowerScalar(LaneBuilder &lanes, GroupArith arith, GroupScan scan, Value *value,
                   unsigned size) {
  IRBuilder<> &b = lanes.b;
  Type *type = value->getType();
  if (type->isIntegerTy(1))
    return lowerBoolArith(lanes, arith, scan, value, size);
  if (size == 1)
    return value;
  Constant *identity = identityOf(arith, type);
  value = lanes.withoutHelpers(value, identity);
  if (type->getScalarSizeInBits() >= 32)
    return WaveArith(lanes, arith, identity).run(scan, value, size);
  if (type->isHalfTy()) {
    auto *wide = cast<Constant>(b.CreateFPExt(identity, b.getFloatTy()));
    Value *result =
        WaveArith(lanes, arith, wide).run(scan, b.CreateFPExt(value, b.getFloatTy()), size);
    return b.CreateFPTrunc(result, type);
  }
  bool isSigned = isSignedArith(arith);
  auto *wide = cast<Constant>(b.CreateIntCast(identity, b.getInt32Ty(), isSigned));
  Value *source = b.CreateIntCast(value, b.getInt32Ty(), isSigned);
  return b.CreateTrunc(WaveArith(lanes, arith, wide).run(scan, source, size), type);
}

} // namespace

Value *lowerSubgroupArith(LaneBuilder &lanes, GroupArith arith, GroupScan scan, Value *value,
                          unsigned clusterSize) {
  unsigned size = clusterSize == 0 ? lanes.waveSize : std::min(clusterSize, lanes.waveSize);
  auto *vector = dyn_cast<FixedVectorType>(value->getType());
  if (!vector)
    return lowerScalar(lanes, arith, scan, value, size);
  Value *result = PoisonValue::get(vector);
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    Value *element = lanes.b.CreateExtractElement(value, i);
    result = lanes.b.CreateInsertElement(result, lowerScalar(lanes, arith, scan, element, size), i);
  }
  return result;
}

} // namespace lgc
