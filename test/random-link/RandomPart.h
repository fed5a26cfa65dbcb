//===- RandomPart.h - random modules, layouts and their contents ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// A module is a list of accesses, whose results a compute shader stores, or two lists of a vertex
/// and a fragment shader (RandomDraw.h); a layout says where what they access lies. A part's own
/// layout and an application's differ in everything that linking is to hide: order of the root,
/// order and distances of bindings, further sets and bindings, longer arrays and push constants.
#pragma once

#include "RandomDraw.h"
#include "lgc/Pipeline.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace randomlink {

/// Dwords of every buffer and of every inline uniform block.
inline constexpr uint32_t bufferDwords = 96, inlineDwords = 16;

struct Binding {
  enum class Kind { Storage, Uniform, DynamicStorage, DynamicUniform, Inline, Combined, Image };
  Kind kind = Kind::Storage;
  uint32_t set = 0, binding = 0;
  uint32_t elements = 1; ///< power of two

  bool isDynamic() const { return kind == Kind::DynamicStorage || kind == Kind::DynamicUniform; }
  bool isBuffer() const { return kind <= Kind::Inline; }
  bool isUniform() const {
    return kind == Kind::Uniform || kind == Kind::DynamicUniform || kind == Kind::Inline;
  }
};

/// One i32 that the shader computes and stores.
struct Access {
  static constexpr uint32_t pushConstants = ~0u;
  enum class Index { Constant, Push, Lane }; ///< Push: what a push constant holds
  uint32_t binding = pushConstants;          ///< number in RandomModule::bindings
  Index element = Index::Constant;           ///< which of the binding
  Index dword = Index::Constant;             ///< which of the buffer, descriptor (constant) ...
  uint32_t elementNumber = 0; ///< constant, or the dword of push constants that holds it
  uint32_t dwordNumber = 0;   ///< the same
  bool sampler = false;       ///< second half of Combined
  bool conditional = false;   ///< only in the first lanes
};

struct RandomModule {
  std::vector<Binding> bindings;
  uint32_t pushDwords = 0;      ///< at least 1
  uint32_t output = 0;          ///< binding that is stored to: Storage or DynamicStorage
  std::vector<Access> accesses; ///< of the compute or vertex shader
  std::vector<Access> fragmentAccesses;
  std::optional<RandomDraw> draw; ///< nothing: a compute shader

  /// Of draws: one that the vertex shader stores of each lane, one of the fragment shader.
  uint32_t outputDwords() const {
    return laneCount * (draw ? 2 : static_cast<uint32_t>(accesses.size()));
  }
};
/// Lanes below this execute conditional accesses.
inline constexpr uint32_t conditionalLanes = 7;

/// A compute shader, or with \p draws a vertex and a fragment shader.
RandomModule makeModule(Random &random, bool draws);

/// LLVM IR with operations, without state: of a compute shader, of the stages that are wanted.
std::string moduleText(const RandomModule &module);
std::string drawText(const RandomModule &module, bool vertex, bool fragment);

/// A layout for the part: nothing but what it uses, in any order.
lgc::ResourceMapping makePartLayout(const RandomModule &module, Random &random);
/// A layout that an application might bring.
lgc::ResourceMapping makeApplicationLayout(const RandomModule &module, Random &random);
/// One more than the last root dword.
uint32_t rootDwords(const lgc::ResourceMapping &mapping);

/// Dwords of what the access reads from: the buffer, the descriptor, the push constants.
uint32_t dwordsOf(const RandomModule &module, const Access &access);
/// The largest power of two that is not larger: computed numbers are masked.
uint32_t powerOfTwo(uint32_t count);

/// What memory holds, whatever the layout.
uint32_t bufferContent(uint32_t binding, uint32_t element, uint32_t dword);
uint32_t descriptorContent(uint32_t binding, uint32_t element, uint32_t dword);
uint32_t pushContent(uint32_t dword);
/// What the access gives.
uint32_t accessValue(const RandomModule &module, const Access &access, uint32_t lane);
/// What the shader stores: accesses of lane 0, of lane 1 ...; what nobody stores to is `untouched`.
std::vector<uint32_t> expectedOutput(const RandomModule &module);
inline constexpr uint32_t untouched = 0xCDCDCDCD;

} // namespace randomlink
