// SPDX-License-Identifier: MIT
// A stable sort of pairs by key, a digit at a time: count the digits of each block of pairs, sum
// them up (all blocks of digit 0, then of digit 1, ...), write the pairs. No workgroup waits for
// another within a dispatch.

uint blockCount() { return (args.leafCount + sortBlock - 1) / sortBlock; }
uint64_t countAt(uint digit, uint block) {
  return scratchArray(placeCounts) + 4ul * (uint64_t(digit) * blockCount() + block);
}
/// Passes go from the pairs to the others and back: `step` is the shift.
bool isOddPass() { return (args.step / digitBits & 1u) != 0; }
uint64_t inputAt(uint place) {
  return scratchArray(isOddPass() ? placeOtherPairs : placePairs) + uint64_t(pairBytes) * place;
}
uint64_t outputAt(uint place) {
  return scratchArray(isOddPass() ? placePairs : placeOtherPairs) + uint64_t(pairBytes) * place;
}
uint digitOf(uint key) { return key >> args.step & (digits - 1); }
