//===- RandomPart.h - random modules, layouts and their contents ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// A module is a list of accesses, whose results a compute shader stores; a layout says where what
/// they access lies. A part's own layout and an application's differ in everything that linking
/// is to hide: order of the root, order and distances of bindings, further sets and bindings,
/// longer arrays and push constants.
#pragma once

#include "lgc/Pipeline.h"
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace randomlink {

inline constexpr uint32_t laneCount = 64;
/// Dwords of every buffer and of every inline uniform block.
inline constexpr uint32_t bufferDwords = 96, inlineDwords = 16;

using Random = std::mt19937_64;
/// 0 to count - 1.
uint32_t below(Random &random, uint32_t count);
/// True in `percent` of the cases.
bool chance(Random &random, uint32_t percent);

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
  uint32_t pushDwords = 0; ///< at least 1
  uint32_t output = 0;     ///< binding that is stored to: Storage or DynamicStorage
  std::vector<Access> accesses;

  uint32_t outputDwords() const { return laneCount * static_cast<uint32_t>(accesses.size()); }
};
/// Lanes below this execute conditional accesses.
inline constexpr uint32_t conditionalLanes = 7;

RandomModule makeModule(Random &random);
/// LLVM IR with operations, without state.
std::string moduleText(const RandomModule &module);

/// A layout for the part: nothing but what it uses, in any order.
lgc::ResourceMapping makePartLayout(const RandomModule &module, Random &random);
/// A layout that an application might bring.
lgc::ResourceMapping makeApplicationLayout(const RandomModule &module, Random &random);
/// One more than the last root dword.
uint32_t rootDwords(const lgc::ResourceMapping &mapping);

/// What memory holds, whatever the layout.
uint32_t bufferContent(uint32_t binding, uint32_t element, uint32_t dword);
uint32_t descriptorContent(uint32_t binding, uint32_t element, uint32_t dword);
uint32_t pushContent(uint32_t dword);
/// What the shader stores: accesses of lane 0, of lane 1 ...
std::vector<uint32_t> expectedOutput(const RandomModule &module);

} // namespace randomlink
