//===- RandomDraw.h - what random graphics pipelines have besides resources ===//
// SPDX-License-Identifier: MIT
/// \file
/// A draw of one point for each lane, each on a pixel of its own. The vertex shader folds its
/// accesses and attributes into one number, from which values between the stages are made; the
/// fragment shader folds its own accesses and what it reads of those, and writes that to colours of
/// integers. So every place where glue, parts and layouts meet decides about pixels.
#pragma once

#include "lgc/GraphicsState.h"
#include "pal_shim/formats/Formats.h"
#include <random>
#include <vector>

namespace randomlink {

using Random = std::mt19937_64;
/// 0 to count - 1.
uint32_t below(Random &random, uint32_t count);
/// True in `percent` of the cases.
bool chance(Random &random, uint32_t percent);
/// A number that no other value gives.
uint32_t mix(uint64_t value);

inline constexpr uint32_t laneCount = 64, imageSize = 8; ///< 8 * 8 pixels
inline constexpr uint32_t foldFactor = 16777619;
inline uint32_t fold(uint32_t sum, uint32_t value) { return sum * foldFactor ^ value; }

/// Formats of integers, whose values have to arrive exactly.
struct IntegerFormat {
  const char *name; ///< of lgc::parseTexelFormat
  uint32_t bytes;   ///< of a component
  uint32_t components;
  bool isSigned;
  pal::formats::Format target; ///< Undefined: of attributes only
};
const std::vector<IntegerFormat> &integerFormats();

struct RandomDraw {
  struct Input {
    uint32_t location = 0, binding = 0, offset = 0;
    uint32_t format = 0; ///< in integerFormats()
    uint32_t mask = 0;   ///< components that the shader reads
  };
  /// What the vertex shader hands to the fragment shader, dword by dword.
  struct Varying {
    uint32_t location = 0;
    bool flat = false; ///< i32; else a float that is interpolated
    uint32_t components = 1, readMask = 0;
  };
  struct Output {
    uint32_t location = 0, format = 0;
    uint32_t components = 1; ///< that the shader writes
    uint32_t writeMask = 0;
    bool hasTarget = true;
    /// Bits of a component that all formats have; the first output has all.
    uint32_t mask() const { return location == 0 ? ~0u : 0x7F; }
  };
  enum class Ending { None, Kill, Demote }; ///< of a quarter of the fragments

  std::vector<lgc::VertexBinding> bindings;
  std::vector<Input> inputs;
  std::vector<Varying> varyings;
  uint32_t laneLocation = 0; ///< of the varying that holds the lane
  std::vector<Output> outputs;
  bool vertexStores = false, fragmentStores = false;
  Ending ending = Ending::None;

  bool ends(uint32_t lane) const { return ending != Ending::None && lane % 4 == 1; }
};

RandomDraw makeDraw(Random &random);
/// Bytes of the buffer that all attributes come from; each binding begins at its own place.
inline constexpr uint32_t vertexBufferBytes = 8192, vertexBindingBytes = 4096;
uint8_t attributeByte(uint32_t place);

struct RandomModule;
/// What the shaders have folded at their ends.
uint32_t vertexValue(const RandomModule &module, uint32_t lane);
uint32_t fragmentValue(const RandomModule &module, uint32_t lane);

} // namespace randomlink
