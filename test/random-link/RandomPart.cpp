//===- RandomPart.cpp - random modules and what they compute --------------===//
// SPDX-License-Identifier: MIT
#include "RandomPart.h"
#include <set>

namespace randomlink {

uint32_t below(Random &random, uint32_t count) { return static_cast<uint32_t>(random() % count); }
bool chance(Random &random, uint32_t percent) { return below(random, 100) < percent; }

namespace {

/// A number that no other place has.
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

/// The largest power of two that is not larger: computed dwords are masked.
uint32_t powerOfTwo(uint32_t count) {
  uint32_t power = 1;
  while (power * 2 <= count)
    power *= 2;
  return power;
}

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

/// Writes the function, one access after the other.
class TextWriter {
public:
  explicit TextWriter(const RandomModule &module) : module(module) {}

  std::string run() {
    text = "define void @lgc.shader.CS() {\nentry:\n"
           "  %lane = call i32 @lgc.builtin__i32_i32(i32 3)\n"
           "  %first = icmp ult i32 %lane, " +
           std::to_string(conditionalLanes) +
           "\n"
           "  %push = call ptr addrspace(4) @lgc.push.const__p4()\n";
    handle("out", module.output, "0");
    text += "  %outp = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %out, "
            "i32 0)\n  %row = mul i32 %lane, " +
            std::to_string(module.accesses.size()) + "\n";
    std::string block = "entry";
    for (size_t i = 0; i < module.accesses.size(); ++i)
      write(module.accesses[i], static_cast<uint32_t>(i), block);
    return text + "  ret void\n}\n" + declarations;
  }

private:
  static constexpr const char *declarations =
      "declare i32 @lgc.builtin__i32_i32(i32) memory(none)\n"
      "declare ptr addrspace(4) @lgc.push.const__p4() memory(none)\n"
      "declare ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32, i32, i32) memory(none)\n"
      "declare ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4), i32) memory(none)\n"
      "declare <8 x i32> @lgc.load.desc__v8i32_p4_i32_i32(ptr addrspace(4), i32, i32) "
      "memory(none)\n"
      "declare <4 x i32> @lgc.load.desc__v4i32_p4_i32_i32(ptr addrspace(4), i32, i32) "
      "memory(none)\n";

  const RandomModule &module;
  std::string text;

  void handle(const std::string &name, uint32_t binding, const std::string &element) {
    const Binding &target = module.bindings[binding];
    text += "  %" + name + " = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 " +
            std::to_string(target.set) + ", i32 " + std::to_string(target.binding) + ", i32 " +
            element + ")\n";
  }

  /// An operand below `count`: a number, or a computed value.
  std::string index(const std::string &name, Access::Index kind, uint32_t number, uint32_t count) {
    if (kind == Access::Index::Constant)
      return std::to_string(number);
    std::string value = "%lane";
    if (kind == Access::Index::Push) {
      value = "%" + name + ".v";
      text += "  %" + name + ".p = getelementptr i32, ptr addrspace(4) %push, i32 " +
              std::to_string(number) + "\n  " + value + " = load i32, ptr addrspace(4) %" + name +
              ".p\n";
    }
    text +=
        "  %" + name + " = and i32 " + value + ", " + std::to_string(powerOfTwo(count) - 1) + "\n";
    return "%" + name;
  }

  void write(const Access &access, uint32_t number, std::string &block) {
    const std::string id = std::to_string(number);
    std::string value = "%v" + id;
    if (access.conditional)
      text += "  br i1 %first, label %then" + id + ", label %join" + id + "\nthen" + id + ":\n";
    load(access, id);
    if (access.conditional) {
      text += "  br label %join" + id + "\njoin" + id + ":\n  %j" + id + " = phi i32 [ " + value +
              ", %then" + id + " ], [ 0, %" + block + " ]\n";
      block = "join" + id;
      value = "%j" + id;
    }
    text += "  %at" + id + " = add i32 %row, " + id + "\n  %o" + id +
            " = getelementptr i32, ptr addrspace(7) %outp, i32 %at" + id + "\n  store i32 " +
            value + ", ptr addrspace(7) %o" + id + "\n";
  }

  void load(const Access &access, const std::string &id) {
    if (access.binding == Access::pushConstants) {
      std::string at = index("d" + id, access.dword, access.dwordNumber, module.pushDwords);
      text += "  %p" + id + " = getelementptr i32, ptr addrspace(4) %push, i32 " + at + "\n  %v" +
              id + " = load i32, ptr addrspace(4) %p" + id + "\n";
      return;
    }
    const Binding &binding = module.bindings[access.binding];
    std::string element = index("e" + id, access.element, access.elementNumber, binding.elements);
    handle("h" + id, access.binding, element);
    const uint32_t nonUniform = access.element == Access::Index::Lane;
    if (!binding.isBuffer()) {
      const char *type = access.sampler ? "v4i32" : "v8i32";
      text += std::string("  %w") + id + " = call " + (access.sampler ? "<4 x i32>" : "<8 x i32>") +
              " @lgc.load.desc__" + type + "_p4_i32_i32(ptr addrspace(4) %h" + id + ", i32 " +
              (access.sampler ? "1" : "0") + ", i32 " + std::to_string(nonUniform) + ")\n  %v" +
              id + " = extractelement " + (access.sampler ? "<4 x i32>" : "<8 x i32>") + " %w" +
              id + ", i32 " + std::to_string(access.dwordNumber) + "\n";
      return;
    }
    const uint32_t flags = nonUniform | (binding.isUniform() ? 2u : 0u);
    std::string at = index("d" + id, access.dword, access.dwordNumber, dwordsOf(module, access));
    text += "  %b" + id +
            " = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h" + id +
            ", i32 " + std::to_string(flags) + ")\n  %p" + id +
            " = getelementptr i32, ptr addrspace(7) %b" + id + ", i32 " + at + "\n  %v" + id +
            " = load i32, ptr addrspace(7) %p" + id + "\n";
  }
};

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

RandomModule makeModule(Random &random) {
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
  return module;
}

std::string moduleText(const RandomModule &module) { return TextWriter(module).run(); }

std::vector<uint32_t> expectedOutput(const RandomModule &module) {
  std::vector<uint32_t> output;
  for (uint32_t lane = 0; lane < laneCount; ++lane)
    for (const Access &access : module.accesses) {
      uint32_t dword = indexValue(access.dword, access.dwordNumber, dwordsOf(module, access), lane);
      if (access.conditional && lane >= conditionalLanes) {
        output.push_back(0);
      } else if (access.binding == Access::pushConstants) {
        output.push_back(pushContent(dword));
      } else {
        const Binding &binding = module.bindings[access.binding];
        uint32_t element = indexValue(access.element, access.elementNumber, binding.elements, lane);
        output.push_back(binding.isBuffer() ? bufferContent(access.binding, element, dword)
                                            : descriptorContent(access.binding, element,
                                                                dword + (access.sampler ? 8 : 0)));
      }
    }
  return output;
}

} // namespace randomlink
