//===- LaneBuilder.h - data movement between the lanes of a wave ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// What subgroup lowering is built from: ballots, DPP, permutes, reading lanes. All functions work
/// under any execution mask; results of lanes that read an inactive lane are undefined values,
/// unless said otherwise. "Word" means a 32-bit integer per lane. "Mask" means one bit per lane, an
/// integer as wide as the wave.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include <array>

namespace lgc {

/// DPP control values used here. Source: RDNA ISA manuals, "DPP_CTRL Enumeration".
namespace Dpp {
enum : unsigned {
  QuadPermIdentity = 0xE4,
  RowShiftRight0 = 0x110,  ///< + 1..15
  RowRotateRight0 = 0x120, ///< + 1..15
  RowShare0 = 0x150,       ///< + 0..15
  RowXmask0 = 0x160,       ///< + 0..15
};
/// Lane i of each quad reads lane `lanes[i]` of it.
constexpr unsigned quadPerm(unsigned a, unsigned b, unsigned c, unsigned d) {
  return a | b << 2 | c << 4 | d << 6;
}
} // namespace Dpp

class LaneBuilder {
public:
  /// \p gfxMajor is 10, 11 or 12. \p hasHelpers: in fragment shaders, where lanes may run only for
  /// the sake of their quad; they take part in what works on quads and in nothing else.
  LaneBuilder(llvm::IRBuilder<> &b, unsigned waveSize, unsigned gfxMajor, bool hasHelpers = false)
      : b(b), waveSize(waveSize), gfxMajor(gfxMajor), hasHelpers(hasHelpers) {}

  llvm::IRBuilder<> &b;
  const unsigned waveSize;
  const unsigned gfxMajor;
  const bool hasHelpers;
  /// Variable (i1) of fragment shaders: is this lane one that runs only for its quad, too?
  llvm::AllocaInst *demoted = nullptr;

  bool isWave64() const { return waveSize == 64; }
  llvm::Type *maskType() { return b.getIntNTy(waveSize); }
  llvm::Constant *word(uint32_t value) { return b.getInt32(value); }

  llvm::Value *laneId();
  /// Lanes that are active, no helpers, and have `condition`.
  llvm::Value *ballot(llvm::Value *condition);
  /// `value`, in helpers `other`.
  llvm::Value *withoutHelpers(llvm::Value *value, llvm::Value *other);
  /// `value`, for whose sake helpers run what computes it.
  llvm::Value *withHelpers(llvm::Value *value);
  /// Does the mask, which must be uniform, have this lane's bit?
  llvm::Value *inverseBallot(llvm::Value *mask);
  /// <4 x i32> with the mask in its first components, and back.
  llvm::Value *maskToVector(llvm::Value *mask);
  llvm::Value *vectorToMask(llvm::Value *vector);
  /// Bits of the mask below this lane, plus `start`.
  llvm::Value *countBelow(llvm::Value *mask, llvm::Value *start);
  /// Bits of the mask up to and including this lane's.
  llvm::Value *countUpTo(llvm::Value *mask);
  /// The 32 bits of the mask that cover this lane's half of the wave.
  llvm::Value *halfOfMask(llvm::Value *mask);

  /// Applies `each` to a value of any size (bool, integer or float, scalar or vector) in words.
  llvm::Value *mapWords(llvm::Value *value, llvm::function_ref<llvm::Value *(llvm::Value *)> each);

  /// DPP move. Lanes without a valid source, or masked off, get `old`.
  llvm::Value *dpp(llvm::Value *old, llvm::Value *source, unsigned control, unsigned rowMask = 0xF);
  /// DPP move of a value whose every lane has a valid source; of inactive ones it reads 0.
  llvm::Value *dppMove(llvm::Value *source, unsigned control);
  llvm::Value *readLane(llvm::Value *source, llvm::Value *lane);
  /// `others` with a uniform value in one lane. Only in whole wave code: EXEC is not asked.
  llvm::Value *writeLane(llvm::Value *value, unsigned lane, llvm::Value *others);
  /// Of the first active lane that is no helper.
  llvm::Value *readFirstLane(llvm::Value *source);
  /// Lane i of each row of 16 reads lane `lanes[i]` of the row; of inactive ones 0, as ds_bpermute
  /// does: what is undefined should not differ between tiers without need.
  llvm::Value *permuteRow(llvm::Value *source, const std::array<unsigned, 16> &lanes);
  /// Lane i of each row reads lane `lanes[i]` of the other row in its half.
  llvm::Value *permuteOtherRow(llvm::Value *source, const std::array<unsigned, 16> &lanes);
  /// Word of any lane of the wave. \p sameHalf: `lane` is always in the reader's half.
  llvm::Value *shuffle(llvm::Value *source, llvm::Value *lane, bool sameHalf);
  /// What ds_swizzle does by its pattern, in each half of the wave; 0 of inactive lanes.
  llvm::Value *swizzle(llvm::Value *source, unsigned pattern);

  /// Inside "whole wave" code: all lanes compute; lanes that were inactive have `inactive`.
  llvm::Value *enterWholeWave(llvm::Value *value, llvm::Value *inactive);
  llvm::Value *leaveWholeWave(llvm::Value *value);
  /// Exchanges the halves of a wave64. Only in whole wave code.
  llvm::Value *swapHalves(llvm::Value *source);

private:
  llvm::Value *permuteInHalf(llvm::Value *source, llvm::Value *lane);
  llvm::Value *permlane(llvm::Intrinsic::ID id, llvm::Value *source,
                        const std::array<unsigned, 16> &lanes);
};

} // namespace lgc
