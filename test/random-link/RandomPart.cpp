//===- RandomPart.cpp - random modules and what they compute --------------===//
// SPDX-License-Identifier: MIT
#include "RandomPart.h"
#include <set>

namespace randomlink {

uint32_t below(Random &random, uint32_t count) { return static_cast<uint32_t>(random() % count); }
bool chance(Random &random, uint32_t percent) { return below(random, 100) < percent; }

uint32_t mix(uint64_t value) {
  value *= 0x9E3779B97F4A7C15ull;
  value ^= value >> 29;
  value *= 0xBF58476D1CE4E5B9ull;
  return static_cast<uint32_t>(value >> 32);
}

uint32_t dwordsOf(const RandomModule &module, const Access &access) {
  if (access.binding == Access::pushConstants)
    return module.pushDwords;
  switch (module.bindings[access.binding].kind) {
  case Binding::Kind::Inline:
    return inlineDwords;
  case Binding::Kind::Combined:
  case Binding::Kind::Image:
    return access.sampler ? 4 : 8;
  default:
    return bufferDwords;
  }
}

uint32_t powerOfTwo(uint32_t count) {
  uint32_t power = 1;
  while (power * 2 <= count)
    power *= 2;
  return power;
}

namespace {

Access makeAccess(const RandomModule &module, Random &random) {
  Access access;
  access.conditional = chance(random, 15);
  if (chance(random, 75)) {
    do
      access.binding = below(random, static_cast<uint32_t>(module.bindings.size()));
    while (access.binding == module.output);
    const Binding &binding = module.bindings[access.binding];
    access.sampler = binding.kind == Binding::Kind::Combined && chance(random, 50);
    access.elementNumber = below(random, binding.elements);
    if (binding.elements > 1 && chance(random, 60)) {
      access.element = chance(random, 60) ? Access::Index::Push : Access::Index::Lane;
      access.elementNumber = below(random, module.pushDwords);
    }
  }
  access.dwordNumber = below(random, dwordsOf(module, access));
  const bool isMemory =
      access.binding == Access::pushConstants || module.bindings[access.binding].isBuffer();
  if (isMemory && chance(random, 30)) {
    access.dword = chance(random, 50) ? Access::Index::Push : Access::Index::Lane;
    access.dwordNumber = below(random, module.pushDwords);
  }
  return access;
}

uint32_t indexValue(Access::Index kind, uint32_t number, uint32_t count, uint32_t lane) {
  if (kind == Access::Index::Constant)
    return number;
  uint32_t value = kind == Access::Index::Push ? pushContent(number) : lane;
  return value & (powerOfTwo(count) - 1);
}

} // namespace

uint32_t bufferContent(uint32_t binding, uint32_t element, uint32_t dword) {
  return mix(uint64_t(1) << 60 | uint64_t(binding) << 40 | uint64_t(element) << 20 | dword);
}

uint32_t descriptorContent(uint32_t binding, uint32_t element, uint32_t dword) {
  return mix(uint64_t(2) << 60 | uint64_t(binding) << 40 | uint64_t(element) << 20 | dword);
}

uint32_t pushContent(uint32_t dword) { return mix(uint64_t(3) << 60 | dword); }

RandomModule makeModule(Random &random, bool draws) {
  RandomModule module;
  std::set<std::pair<uint32_t, uint32_t>> numbers;
  const uint32_t count = 2 + below(random, 9), sets = 1 + below(random, 5);
  uint32_t dynamicDwords = 0; // the root has 160 dwords
  while (module.bindings.size() < count) {
    Binding binding;
    binding.kind = static_cast<Binding::Kind>(below(random, 7));
    binding.set = below(random, sets);
    binding.binding = below(random, chance(random, 20) ? 1000 : 12);
    if (binding.kind != Binding::Kind::Inline && chance(random, 35))
      binding.elements = 2u << below(random, binding.isDynamic() ? 2 : 4);
    if (module.bindings.empty())
      binding.kind = chance(random, 30) ? Binding::Kind::DynamicStorage : Binding::Kind::Storage;
    if (binding.isDynamic() && dynamicDwords + binding.elements * 4 > 64)
      continue;
    dynamicDwords += binding.isDynamic() ? binding.elements * 4 : 0;
    if (numbers.insert({binding.set, binding.binding}).second)
      module.bindings.push_back(binding);
  }
  module.bindings[0].elements = 1;
  module.pushDwords = 1 + below(random, chance(random, 40) ? 32 : 6);
  const uint32_t accesses = 1 + below(random, 24);
  for (uint32_t i = 0; i < accesses; ++i)
    module.accesses.push_back(makeAccess(module, random));
  if (draws) {
    for (uint32_t i = 1 + below(random, 24); i > 0; --i)
      module.fragmentAccesses.push_back(makeAccess(module, random));
    module.draw = makeDraw(random);
  }
  return module;
}

uint32_t accessValue(const RandomModule &module, const Access &access, uint32_t lane) {
  if (access.conditional && lane >= conditionalLanes)
    return 0;
  const uint32_t dword =
      indexValue(access.dword, access.dwordNumber, dwordsOf(module, access), lane);
  if (access.binding == Access::pushConstants)
    return pushContent(dword);
  const Binding &binding = module.bindings[access.binding];
  const uint32_t element = indexValue(access.element, access.elementNumber, binding.elements, lane);
  return binding.isBuffer()
             ? bufferContent(access.binding, element, dword)
             : descriptorContent(access.binding, element, dword + (access.sampler ? 8 : 0));
}

std::vector<uint32_t> expectedOutput(const RandomModule &module) {
  std::vector<uint32_t> output;
  for (uint32_t lane = 0; lane < laneCount; ++lane) {
    if (module.draw) {
      const RandomDraw &draw = *module.draw;
      output.push_back(draw.vertexStores ? vertexValue(module, lane) : untouched);
      output.push_back(draw.fragmentStores && !draw.ends(lane) ? fragmentValue(module, lane)
                                                               : untouched);
      continue;
    }
    for (const Access &access : module.accesses)
      output.push_back(accessValue(module, access, lane));
  }
  return output;
}

} // namespace randomlink
