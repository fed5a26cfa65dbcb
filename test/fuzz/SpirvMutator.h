//===- SpirvMutator.h - mutations of SPIR-V modules for libFuzzer ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// The custom mutator of targets that read SPIR-V, included once in each. Mostly exchanges operand
/// words of whole instructions: random bytes seldom get past the reader.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace fuzz {

inline constexpr size_t headerWords = 5;

/// Word indices of the instructions' first words; stops where the lengths make no sense.
inline std::vector<size_t> instructionStarts(llvm::ArrayRef<uint32_t> words) {
  std::vector<size_t> starts;
  for (size_t at = headerWords; at < words.size();) {
    size_t count = words[at] >> 16;
    if (count == 0 || at + count > words.size())
      break;
    starts.push_back(at);
    at += count;
  }
  return starts;
}

/// Changes one operand word: to a neighbour's value, a small number, or a flipped bit.
inline void mutateOperand(std::vector<uint32_t> &words, llvm::ArrayRef<size_t> starts,
                          std::minstd_rand &random) {
  size_t at = starts[random() % starts.size()];
  size_t count = words[at] >> 16;
  if (count < 2)
    return;
  uint32_t &word = words[at + 1 + random() % (count - 1)];
  size_t other = starts[random() % starts.size()];
  switch (random() % 4) {
  case 0:
    word = words[other + random() % (words[other] >> 16)];
    break;
  case 1:
    word += random() % 2 ? 1 : ~0u;
    break;
  case 2:
    word = random() % 64;
    break;
  default:
    word ^= 1u << random() % 32;
    break;
  }
}

} // namespace fuzz

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  std::minstd_rand random(seed + 1);
  std::vector<uint32_t> words(size / 4);
  std::memcpy(words.data(), data, words.size() * 4);
  std::vector<size_t> starts = fuzz::instructionStarts(words);
  if (starts.empty() || random() % 8 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  for (unsigned i = 0, n = 1 + random() % 3; i < n; ++i)
    fuzz::mutateOperand(words, starts, random);
  if (random() % 4 == 0) { // another opcode of the same length
    uint32_t &first = words[starts[random() % starts.size()]];
    first = (first & 0xffff0000) | (words[starts[random() % starts.size()]] & 0xffff);
  }
  std::memcpy(data, words.data(), words.size() * 4);
  return words.size() * 4;
}
