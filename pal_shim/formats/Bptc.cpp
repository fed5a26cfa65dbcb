//===- Bptc.cpp - BC6H and BC7 blocks -------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Decoders of the two formats with partitions, after the Khronos Data Format Specification ("BPTC
/// Compressed Texture Image Formats"). Both are defined bit by bit, so every decoder gives the same
/// result. Reserved modes give zeros.
#include "pal_shim/formats/Blocks.h"
#include "pal_shim/formats/BptcTables.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cstring>

namespace pal::formats {

namespace {

/// Reads a block from its lowest bit up.
class BitReader {
public:
  explicit BitReader(const uint8_t *block) { std::memcpy(words, block, 16); }
  uint32_t take(unsigned count) {
    uint32_t value = 0;
    for (unsigned i = 0; i < count; ++i, ++position)
      value |= static_cast<uint32_t>(words[position / 64] >> (position % 64) & 1) << i;
    return value;
  }

private:
  uint64_t words[2];
  unsigned position = 0;
};

/// Weights of the second endpoint in 64ths, by index and width of the index.
constexpr uint8_t weights2[4] = {0, 21, 43, 64};
constexpr uint8_t weights3[8] = {0, 9, 18, 27, 37, 46, 55, 64};
constexpr uint8_t weights4[16] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};

unsigned weightOf(unsigned bits, unsigned index) {
  return bits == 2 ? weights2[index] : bits == 3 ? weights3[index] : weights4[index];
}

unsigned subsetOf(unsigned subsets, unsigned partition, unsigned texel) {
  if (subsets == 2)
    return partitions2[partition] >> texel & 1;
  return subsets == 3 ? partitions3[partition] >> (2 * texel) & 3 : 0;
}

/// Whether the texel's index is stored without its top bit.
bool isAnchor(unsigned subsets, unsigned partition, unsigned texel) {
  if (texel == 0)
    return true;
  if (subsets == 2)
    return texel == anchors2[partition];
  return subsets == 3 && (texel == anchors3Second[partition] || texel == anchors3Third[partition]);
}

//===--- BC7 --------------------------------------------------------------===//

struct Bc7Mode {
  uint8_t subsets, partitionBits, rotationBits, indexSelectionBits, colorBits, alphaBits;
  uint8_t endpointPBits; ///< one for each endpoint
  uint8_t sharedPBits;   ///< one for each subset
  uint8_t indexBits, secondIndexBits;
};
constexpr Bc7Mode bc7Modes[8] = {
    {3, 4, 0, 0, 4, 0, 1, 0, 3, 0}, {2, 6, 0, 0, 6, 0, 0, 1, 3, 0}, {3, 6, 0, 0, 5, 0, 0, 0, 2, 0},
    {2, 6, 0, 0, 7, 0, 1, 0, 2, 0}, {1, 0, 2, 1, 5, 6, 0, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
    {1, 0, 0, 0, 7, 7, 1, 0, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 0, 2, 0},
};

using Endpoints = std::array<std::array<uint32_t, 4>, 6>; // [2 * subset + end][component]

/// Widens an endpoint of `bits` to 8 by repeating its top bits.
uint32_t widen8(uint32_t value, unsigned bits) {
  value <<= 8 - bits;
  return value | value >> bits;
}

void readBc7Endpoints(BitReader &reader, const Bc7Mode &mode, Endpoints &endpoints) {
  const unsigned count = 2u * mode.subsets;
  for (unsigned c = 0; c < 3; ++c)
    for (unsigned i = 0; i < count; ++i)
      endpoints[i][c] = reader.take(mode.colorBits);
  for (unsigned i = 0; i < count; ++i)
    endpoints[i][3] = mode.alphaBits ? reader.take(mode.alphaBits) : 255;
  const bool withP = mode.endpointPBits || mode.sharedPBits;
  uint32_t p = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (mode.endpointPBits || (mode.sharedPBits && i % 2 == 0))
      p = reader.take(1);
    for (unsigned c = 0; c < 4; ++c) {
      const unsigned bits = c < 3 ? mode.colorBits : mode.alphaBits;
      if (bits)
        endpoints[i][c] =
            widen8(withP ? endpoints[i][c] << 1 | p : endpoints[i][c], withP ? bits + 1 : bits);
    }
  }
}

using Indices = std::array<uint8_t, 16>;

void readIndices(BitReader &reader, unsigned bits, unsigned subsets, unsigned partition,
                 Indices &indices) {
  for (unsigned i = 0; i < 16; ++i)
    indices[i] =
        static_cast<uint8_t>(reader.take(bits - (isAnchor(subsets, partition, i) ? 1 : 0)));
}

uint32_t interpolate8(uint32_t first, uint32_t second, unsigned weight) {
  return ((64 - weight) * first + weight * second + 32) >> 6;
}

} // namespace

bool decodeBc7(const uint8_t *block, std::array<std::array<uint8_t, 4>, 16> &out) {
  out = {};
  if (block[0] == 0)
    return false;
  const auto number = static_cast<unsigned>(llvm::countr_zero(block[0]));
  const Bc7Mode &mode = bc7Modes[number];
  BitReader reader(block);
  reader.take(number + 1);
  const unsigned partition = reader.take(mode.partitionBits);
  const unsigned rotation = reader.take(mode.rotationBits);
  const bool swapIndices = reader.take(mode.indexSelectionBits) != 0;
  Endpoints endpoints = {};
  readBc7Endpoints(reader, mode, endpoints);
  Indices first, second = {};
  readIndices(reader, mode.indexBits, mode.subsets, partition, first);
  if (mode.secondIndexBits)
    readIndices(reader, mode.secondIndexBits, 1, 0, second);
  for (unsigned i = 0; i < 16; ++i) {
    const unsigned subset = subsetOf(mode.subsets, partition, i);
    const auto &low = endpoints[2 * subset], &high = endpoints[2 * subset + 1];
    unsigned color = weightOf(mode.indexBits, first[i]), alpha = color;
    if (mode.secondIndexBits) {
      alpha = weightOf(mode.secondIndexBits, second[i]);
      if (swapIndices)
        std::swap(color, alpha);
    }
    for (unsigned c = 0; c < 4; ++c)
      out[i][c] = static_cast<uint8_t>(interpolate8(low[c], high[c], c < 3 ? color : alpha));
    if (rotation)
      std::swap(out[i][3], out[i][rotation - 1]);
  }
  return true;
}

//===--- BC6H -------------------------------------------------------------===//

namespace {

/// A run of bits in a block's header: bits `from` to `to` of an endpoint component, in this order.
/// component: 0 .. 2 r, g, b of endpoint 0, then of 1, 2, 3.
struct Run {
  uint8_t component, from, to;
};
enum : uint8_t { R0, G0, B0, R1, G1, B1, R2, G2, B2, R3, G3, B3 };

struct Bc6Mode {
  uint8_t number;     ///< low bits of the block
  uint8_t numberBits; ///< 2 or 5
  bool twoSubsets;
  bool isDelta;                     ///< endpoints 1 to 3 are differences to endpoint 0
  uint8_t bits;                     ///< of endpoint 0
  std::array<uint8_t, 3> deltaBits; ///< of the others: r, g, b
  std::array<Run, 28> runs;         ///< ends with from = to = 255
};
constexpr Run end = {0, 255, 255};

// clang-format off
constexpr Bc6Mode bc6Modes[14] = {
    {0x00, 2, true, true, 10, {5, 5, 5},
     {{{G2, 4, 4}, {B2, 4, 4}, {B3, 4, 4}, {R0, 0, 9}, {G0, 0, 9}, {B0, 0, 9}, {R1, 0, 4}, {G3, 4, 4},
       {G2, 0, 3}, {G1, 0, 4}, {B3, 0, 0}, {G3, 0, 3}, {B1, 0, 4}, {B3, 1, 1}, {B2, 0, 3}, {R2, 0, 4},
       {B3, 2, 2}, {R3, 0, 4}, {B3, 3, 3}, end}}},
    {0x01, 2, true, true, 7, {6, 6, 6},
     {{{G2, 5, 5}, {G3, 4, 4}, {G3, 5, 5}, {R0, 0, 6}, {B3, 0, 0}, {B3, 1, 1}, {B2, 4, 4}, {G0, 0, 6},
       {B2, 5, 5}, {B3, 2, 2}, {G2, 4, 4}, {B0, 0, 6}, {B3, 3, 3}, {B3, 5, 5}, {B3, 4, 4}, {R1, 0, 5},
       {G2, 0, 3}, {G1, 0, 5}, {G3, 0, 3}, {B1, 0, 5}, {B2, 0, 3}, {R2, 0, 5}, {R3, 0, 5}, end}}},
    {0x02, 5, true, true, 11, {5, 4, 4},
     {{{R0, 0, 9}, {G0, 0, 9}, {B0, 0, 9}, {R1, 0, 4}, {R0, 10, 10}, {G2, 0, 3}, {G1, 0, 3},
       {G0, 10, 10}, {B3, 0, 0}, {G3, 0, 3}, {B1, 0, 3}, {B0, 10, 10}, {B3, 1, 1}, {B2, 0, 3},
       {R2, 0, 4}, {B3, 2, 2}, {R3, 0, 4}, {B3, 3, 3}, end}}},
    {0x06, 5, true, true, 11, {4, 5, 4},
     {{{R0, 0, 9}, {G0, 0, 9}, {B0, 0, 9}, {R1, 0, 3}, {R0, 10, 10}, {G3, 4, 4}, {G2, 0, 3},
       {G1, 0, 4}, {G0, 10, 10}, {G3, 0, 3}, {B1, 0, 3}, {B0, 10, 10}, {B3, 1, 1}, {B2, 0, 3},
       {R2, 0, 3}, {B3, 0, 0}, {B3, 2, 2}, {R3, 0, 3}, {G2, 4, 4}, {B3, 3, 3}, end}}},
    {0x0a, 5, true, true, 11, {4, 4, 5},
     {{{R0, 0, 9}, {G0, 0, 9}, {B0, 0, 9}, {R1, 0, 3}, {R0, 10, 10}, {B2, 4, 4}, {G2, 0, 3},
       {G1, 0, 3}, {G0, 10, 10}, {B3, 0, 0}, {G3, 0, 3}, {B1, 0, 4}, {B0, 10, 10}, {B2, 0, 3},
       {R2, 0, 3}, {B3, 1, 1}, {B3, 2, 2}, {R3, 0, 3}, {B3, 4, 4}, {B3, 3, 3}, end}}},
    {0x0e, 5, true, true, 9, {5, 5, 5},
     {{{R0, 0, 8}, {B2, 4, 4}, {G0, 0, 8}, {G2, 4, 4}, {B0, 0, 8}, {B3, 4, 4}, {R1, 0, 4}, {G3, 4, 4},
       {G2, 0, 3}, {G1, 0, 4}, {B3, 0, 0}, {G3, 0, 3}, {B1, 0, 4}, {B3, 1, 1}, {B2, 0, 3}, {R2, 0, 4},
       {B3, 2, 2}, {R3, 0, 4}, {B3, 3, 3}, end}}},
    {0x12, 5, true, true, 8, {6, 5, 5},
     {{{R0, 0, 7}, {G3, 4, 4}, {B2, 4, 4}, {G0, 0, 7}, {B3, 2, 2}, {G2, 4, 4}, {B0, 0, 7}, {B3, 3, 3},
       {B3, 4, 4}, {R1, 0, 5}, {G2, 0, 3}, {G1, 0, 4}, {B3, 0, 0}, {G3, 0, 3}, {B1, 0, 4}, {B3, 1, 1},
       {B2, 0, 3}, {R2, 0, 5}, {R3, 0, 5}, end}}},
    {0x16, 5, true, true, 8, {5, 6, 5},
     {{{R0, 0, 7}, {B3, 0, 0}, {B2, 4, 4}, {G0, 0, 7}, {G2, 5, 5}, {G2, 4, 4}, {B0, 0, 7}, {G3, 5, 5},
       {B3, 4, 4}, {R1, 0, 4}, {G3, 4, 4}, {G2, 0, 3}, {G1, 0, 5}, {G3, 0, 3}, {B1, 0, 4}, {B3, 1, 1},
       {B2, 0, 3}, {R2, 0, 4}, {B3, 2, 2}, {R3, 0, 4}, {B3, 3, 3}, end}}},
    {0x1a, 5, true, true, 8, {5, 5, 6},
     {{{R0, 0, 7}, {B3, 1, 1}, {B2, 4, 4}, {G0, 0, 7}, {B2, 5, 5}, {G2, 4, 4}, {B0, 0, 7}, {B3, 5, 5},
       {B3, 4, 4}, {R1, 0, 4}, {G3, 4, 4}, {G2, 0, 3}, {G1, 0, 4}, {B3, 0, 0}, {G3, 0, 3}, {B1, 0, 5},
       {B2, 0, 3}, {R2, 0, 4}, {B3, 2, 2}, {R3, 0, 4}, {B3, 3, 3}, end}}},
    {0x1e, 5, true, false, 6, {6, 6, 6},
     {{{R0, 0, 5}, {G3, 4, 4}, {B3, 0, 0}, {B3, 1, 1}, {B2, 4, 4}, {G0, 0, 5}, {G2, 5, 5}, {B2, 5, 5},
       {B3, 2, 2}, {G2, 4, 4}, {B0, 0, 5}, {G3, 5, 5}, {B3, 3, 3}, {B3, 5, 5}, {B3, 4, 4}, {R1, 0, 5},
       {G2, 0, 3}, {G1, 0, 5}, {G3, 0, 3}, {B1, 0, 5}, {B2, 0, 3}, {R2, 0, 5}, {R3, 0, 5}, end}}},
    {0x03, 5, false, false, 10, {10, 10, 10},
     {{{R0, 0, 9}, {G0, 0, 9}, {B0, 0, 9}, {R1, 0, 9}, {G1, 0, 9}, {B1, 0, 9}, end}}},
    {0x07, 5, false, true, 11, {9, 9, 9},
     {{{R0, 0, 9}, {G0, 0, 9}, {B0, 0, 9}, {R1, 0, 8}, {R0, 10, 10}, {G1, 0, 8}, {G0, 10, 10},
       {B1, 0, 8}, {B0, 10, 10}, end}}},
    {0x0b, 5, false, true, 12, {8, 8, 8},
     {{{R0, 0, 9}, {G0, 0, 9}, {B0, 0, 9}, {R1, 0, 7}, {R0, 11, 10}, {G1, 0, 7}, {G0, 11, 10},
       {B1, 0, 7}, {B0, 11, 10}, end}}},
    {0x0f, 5, false, true, 16, {4, 4, 4},
     {{{R0, 0, 9}, {G0, 0, 9}, {B0, 0, 9}, {R1, 0, 3}, {R0, 15, 10}, {G1, 0, 3}, {G0, 15, 10},
       {B1, 0, 3}, {B0, 15, 10}, end}}},
};
// clang-format on

const Bc6Mode *bc6ModeOf(uint8_t low) {
  for (const Bc6Mode &mode : bc6Modes)
    if ((low & ((1u << mode.numberBits) - 1)) == mode.number)
      return &mode;
  return nullptr;
}

void readRuns(BitReader &reader, const Bc6Mode &mode, std::array<uint32_t, 12> &values) {
  for (const Run &run : mode.runs) {
    if (run.from == 255)
      break;
    const int step = run.from <= run.to ? 1 : -1;
    for (int bit = run.from;; bit += step) {
      values[run.component] |= reader.take(1) << bit;
      if (bit == run.to)
        break;
    }
  }
}

int32_t signExtend(uint32_t value, unsigned bits) {
  return static_cast<int32_t>(value << (32 - bits)) >> (32 - bits);
}

/// An endpoint component of `bits` to the range that is interpolated.
int32_t unquantize(int32_t value, unsigned bits, bool isSigned) {
  if (!isSigned) {
    if (bits >= 15 || value == 0)
      return value;
    if (value == (1 << bits) - 1)
      return 0xffff;
    return ((value << 16) + 0x8000) >> bits;
  }
  if (bits >= 16)
    return value;
  const bool negative = value < 0;
  int32_t magnitude = negative ? -value : value;
  if (magnitude >= (1 << (bits - 1)) - 1)
    magnitude = 0x7fff;
  else if (magnitude != 0)
    magnitude = ((magnitude << 15) + 0x4000) >> (bits - 1);
  return negative ? -magnitude : magnitude;
}

/// An interpolated value to the bits of a half.
uint16_t finish(int32_t value, bool isSigned) {
  if (!isSigned)
    return static_cast<uint16_t>((value * 31) >> 6);
  const int32_t magnitude = ((value < 0 ? -value : value) * 31) >> 5;
  return static_cast<uint16_t>(value < 0 ? magnitude | 0x8000 : magnitude);
}

/// Endpoint components after differences, signs and unquantization.
void endpointsOf(const Bc6Mode &mode, bool isSigned, const std::array<uint32_t, 12> &raw,
                 std::array<int32_t, 12> &out) {
  const unsigned count = mode.twoSubsets ? 12 : 6;
  const uint32_t mask = (1u << mode.bits) - 1;
  for (unsigned i = 0; i < count; ++i) {
    uint32_t value = raw[i];
    if (i >= 3 && mode.isDelta)
      value = (raw[i % 3] + static_cast<uint32_t>(signExtend(value, mode.deltaBits[i % 3]))) & mask;
    const int32_t whole = isSigned ? signExtend(value, mode.bits) : static_cast<int32_t>(value);
    out[i] = unquantize(whole, mode.bits, isSigned);
  }
}

} // namespace

bool decodeBc6(const uint8_t *block, bool isSigned, std::array<std::array<uint16_t, 3>, 16> &out) {
  out = {};
  const Bc6Mode *mode = bc6ModeOf(block[0]);
  if (!mode)
    return false;
  BitReader reader(block);
  reader.take(mode->numberBits);
  std::array<uint32_t, 12> raw = {};
  readRuns(reader, *mode, raw);
  const unsigned partition = mode->twoSubsets ? reader.take(5) : 0;
  const unsigned subsets = mode->twoSubsets ? 2 : 1, indexBits = mode->twoSubsets ? 3 : 4;
  std::array<int32_t, 12> endpoints = {};
  endpointsOf(*mode, isSigned, raw, endpoints);
  Indices indices;
  readIndices(reader, indexBits, subsets, partition, indices);
  for (unsigned i = 0; i < 16; ++i) {
    const unsigned base = 6 * subsetOf(subsets, partition, i);
    const auto weight = static_cast<int32_t>(weightOf(indexBits, indices[i]));
    for (unsigned c = 0; c < 3; ++c) {
      const int32_t value =
          (endpoints[base + c] * (64 - weight) + endpoints[base + 3 + c] * weight + 32) >> 6;
      out[i][c] = finish(value, isSigned);
    }
  }
  return true;
}

} // namespace pal::formats
