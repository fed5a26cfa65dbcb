//===- LaneBuilder.cpp - data movement between the lanes of a wave --------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/subgroup/LaneBuilder.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {

Value *LaneBuilder::laneId() {
  return countBelow(ConstantInt::getAllOnesValue(maskType()), word(0));
}

Value *LaneBuilder::withoutHelpers(Value *value, Value *other) {
  if (!hasHelpers)
    return value;
  Value *live = b.CreateIntrinsic(Intrinsic::amdgcn_live_mask, {});
  if (demoted)
    live = b.CreateAnd(live, b.CreateNot(b.CreateLoad(b.getInt1Ty(), demoted)));
  return b.CreateSelect(live, value, other);
}

Value *LaneBuilder::withHelpers(Value *value) {
  if (!hasHelpers)
    return value;
  return mapWords(value, [&](Value *word) -> Value * {
    return b.CreateIntrinsic(Intrinsic::amdgcn_wqm, {word->getType()}, {word});
  });
}

Value *LaneBuilder::ballot(Value *condition) {
  if (const auto *constant = dyn_cast<ConstantInt>(condition); constant && constant->isZero())
    return ConstantInt::get(maskType(), 0);
  condition = withoutHelpers(condition, b.getFalse());
  return b.CreateIntrinsic(Intrinsic::amdgcn_ballot, {maskType()}, {condition});
}

Value *LaneBuilder::inverseBallot(Value *mask) {
  return b.CreateIntrinsic(Intrinsic::amdgcn_inverse_ballot, {maskType()}, {mask});
}

static Value *lowWord(IRBuilder<> &b, Value *mask) { return b.CreateTrunc(mask, b.getInt32Ty()); }

static Value *highWord(IRBuilder<> &b, Value *mask) {
  return b.CreateTrunc(b.CreateLShr(mask, 32), b.getInt32Ty());
}

Value *LaneBuilder::maskToVector(Value *mask) {
  Value *vector = Constant::getNullValue(FixedVectorType::get(b.getInt32Ty(), 4));
  vector = b.CreateInsertElement(vector, lowWord(b, mask), uint64_t(0));
  return isWave64() ? b.CreateInsertElement(vector, highWord(b, mask), uint64_t(1)) : vector;
}

Value *LaneBuilder::vectorToMask(Value *vector) {
  Value *low = b.CreateZExt(b.CreateExtractElement(vector, uint64_t(0)), maskType());
  if (!isWave64())
    return low;
  Value *high = b.CreateZExt(b.CreateExtractElement(vector, uint64_t(1)), maskType());
  return b.CreateOr(low, b.CreateShl(high, 32));
}

Value *LaneBuilder::countBelow(Value *mask, Value *start) {
  Value *count = b.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_lo, {lowWord(b, mask), start});
  if (!isWave64())
    return count;
  return b.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_hi, {highWord(b, mask), count});
}

Value *LaneBuilder::countUpTo(Value *mask) {
  // Bits 1 to lane are the bits below lane of the mask shifted down by one.
  Value *first = b.CreateAnd(lowWord(b, mask), word(1));
  return countBelow(b.CreateLShr(mask, 1), first);
}

Value *LaneBuilder::halfOfMask(Value *mask) {
  if (!isWave64())
    return mask;
  Value *isHigh = b.CreateICmpUGE(laneId(), word(32));
  Value *high = highWord(b, mask);
  return b.CreateSelect(isHigh, high, lowWord(b, mask));
}

Value *LaneBuilder::mapWords(Value *value, function_ref<Value *(Value *)> each) {
  Type *type = value->getType();
  if (type->isIntOrIntVectorTy(1)) {
    // One word for each bool; vectors of them are rare.
    if (!type->isVectorTy())
      return b.CreateICmpNE(each(b.CreateZExt(value, b.getInt32Ty())), word(0));
    Value *result = PoisonValue::get(type);
    for (unsigned i = 0; i < cast<FixedVectorType>(type)->getNumElements(); ++i)
      result = b.CreateInsertElement(result, mapWords(b.CreateExtractElement(value, i), each), i);
    return result;
  }
  unsigned bits = type->getPrimitiveSizeInBits().getFixedValue();
  if (bits == 32)
    return b.CreateBitCast(each(b.CreateBitCast(value, b.getInt32Ty())), type);
  // Sizes between whole words are padded.
  unsigned count = (bits + 31) / 32;
  Type *exact = b.getIntNTy(bits), *whole = b.getIntNTy(count * 32);
  bool isPadded = bits % 32 != 0;
  if (isPadded)
    value = b.CreateZExt(b.CreateBitCast(value, exact), whole);
  Value *result = nullptr;
  if (count == 1) {
    result = each(value);
  } else {
    Value *words = b.CreateBitCast(value, FixedVectorType::get(b.getInt32Ty(), count));
    result = PoisonValue::get(words->getType());
    for (unsigned i = 0; i < count; ++i)
      result = b.CreateInsertElement(result, each(b.CreateExtractElement(words, i)), i);
  }
  if (isPadded)
    result = b.CreateTrunc(b.CreateBitCast(result, whole), exact);
  return b.CreateBitCast(result, type);
}

Value *LaneBuilder::dpp(Value *old, Value *source, unsigned control, unsigned rowMask) {
  return b.CreateIntrinsic(Intrinsic::amdgcn_update_dpp, {source->getType()},
                           {old, source, word(control), word(rowMask), word(0xF), b.getFalse()});
}

Value *LaneBuilder::dppMove(Value *source, unsigned control) {
  return b.CreateIntrinsic(Intrinsic::amdgcn_update_dpp, {source->getType()},
                           {PoisonValue::get(source->getType()), source, word(control), word(0xF),
                            word(0xF), b.getTrue()});
}

Value *LaneBuilder::readLane(Value *source, Value *lane) {
  return b.CreateIntrinsic(Intrinsic::amdgcn_readlane, {source->getType()}, {source, lane});
}

Value *LaneBuilder::writeLane(Value *value, unsigned lane, Value *others) {
  return b.CreateIntrinsic(Intrinsic::amdgcn_writelane, {others->getType()},
                           {value, word(lane), others});
}

Value *LaneBuilder::readFirstLane(Value *source) {
  if (hasHelpers) {
    Value *first = b.CreateBinaryIntrinsic(Intrinsic::cttz, ballot(b.getTrue()), b.getFalse());
    return readLane(source, b.CreateZExtOrTrunc(first, b.getInt32Ty()));
  }
  return b.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {source->getType()}, {source});
}

Value *LaneBuilder::permlane(Intrinsic::ID id, Value *source,
                             const std::array<unsigned, 16> &lanes) {
  uint32_t low = 0, high = 0;
  for (unsigned i = 0; i < 8; ++i) {
    low |= lanes[i] << (4 * i);
    high |= lanes[i + 8] << (4 * i);
  }
  return b.CreateIntrinsic(id, {source->getType()},
                           {PoisonValue::get(source->getType()), source, word(low), word(high),
                            /*fetch inactive=*/b.getFalse(), /*bound control=*/b.getTrue()});
}

Value *LaneBuilder::permuteRow(Value *source, const std::array<unsigned, 16> &lanes) {
  return permlane(Intrinsic::amdgcn_permlane16, source, lanes);
}

Value *LaneBuilder::permuteOtherRow(Value *source, const std::array<unsigned, 16> &lanes) {
  return permlane(Intrinsic::amdgcn_permlanex16, source, lanes);
}

Value *LaneBuilder::swizzle(Value *source, unsigned pattern) {
  return b.CreateIntrinsic(Intrinsic::amdgcn_ds_swizzle, {source, word(pattern)});
}

Value *LaneBuilder::enterWholeWave(Value *value, Value *inactive) {
  return b.CreateIntrinsic(Intrinsic::amdgcn_set_inactive, {value->getType()}, {value, inactive});
}

Value *LaneBuilder::leaveWholeWave(Value *value) {
  return b.CreateIntrinsic(Intrinsic::amdgcn_strict_wwm, {value->getType()}, {value});
}

Value *LaneBuilder::swapHalves(Value *source) {
  if (gfxMajor >= 11)
    return b.CreateIntrinsic(Intrinsic::amdgcn_permlane64, {source->getType()}, {source});
  // HW(gfx10): nothing but lane reads crosses the halves.
  Value *result = PoisonValue::get(source->getType());
  for (unsigned lane = 0; lane < 64; ++lane)
    result = writeLane(readLane(source, word(lane ^ 32)), lane, result);
  return result;
}

Value *LaneBuilder::permuteInHalf(Value *source, Value *byteAddress) {
  return b.CreateIntrinsic(Intrinsic::amdgcn_ds_bpermute, {byteAddress, source});
}

Value *LaneBuilder::shuffle(Value *source, Value *lane, bool sameHalf) {
  Value *byteAddress = b.CreateShl(lane, 2);
  Value *near = permuteInHalf(source, byteAddress);
  // HW(gfx12): ds_bpermute reads any lane.
  if (!isWave64() || sameHalf || gfxMajor >= 12)
    return near;
  // HW(gfx10, gfx11): ds_bpermute reads only lanes of the reader's half. A second one works on
  // swapped halves; in whole wave mode, because the lane that holds the swapped value may be
  // inactive although its source is active.
  Value *swapped = swapHalves(enterWholeWave(source, word(0)));
  Value *far = leaveWholeWave(permuteInHalf(swapped, enterWholeWave(byteAddress, word(0))));
  Value *crosses = b.CreateICmpNE(b.CreateAnd(b.CreateXor(lane, laneId()), word(32)), word(0));
  return b.CreateSelect(crosses, far, near);
}

} // namespace lgc
