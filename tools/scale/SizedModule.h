//===- SizedModule.h - compute shaders of any length ----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace scale {

/// What a shader is made of, again and again.
enum class Piece : uint8_t {
  Arithmetic, ///< integers, each of the one before
  Sine,       ///< the same of floats
  Branch,     ///< an if around a store, in which lanes part
  Loop,       ///< of up to three rounds, which lanes leave one after the other
  Call,       ///< of a function of its own
  Exchange,   ///< through workgroup memory, with a barrier
  Nest,       ///< an if around what follows, 16 deep at most
  Switch,     ///< one switch of many cases
  Array,      ///< an array of a buffer that is loaded, changed and stored as a whole
};
struct PieceName {
  Piece piece;
  const char *name;
};
inline constexpr std::array<PieceName, 9> pieces = {{{Piece::Arithmetic, "arithmetic"},
                                                     {Piece::Sine, "sine"},
                                                     {Piece::Branch, "branch"},
                                                     {Piece::Loop, "loop"},
                                                     {Piece::Call, "call"},
                                                     {Piece::Exchange, "exchange"},
                                                     {Piece::Nest, "nest"},
                                                     {Piece::Switch, "switch"},
                                                     {Piece::Array, "array"}}};

struct SizedModule {
  std::vector<uint32_t> words;
  unsigned instructions = 0; ///< of SPIR-V
};

/// A valid module of SPIR-V 1.3 with entry point "main", 64 invocations and two buffers (set 0,
/// bindings 0 and 1). \p what follows one after the other, \p size times; but a switch has \p size
/// cases, and an array as many elements, and each of these comes once.
SizedModule makeModule(std::span<const Piece> what, unsigned size);

} // namespace scale
