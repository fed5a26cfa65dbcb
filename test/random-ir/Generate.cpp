//===- Generate.cpp - random functions and inputs ---------------------------===//
// SPDX-License-Identifier: MIT
#include "Program.h"
#include <bit>

namespace randomir {

const std::vector<Op> &allOps() {
  static const std::vector<Op> ops = [] {
    std::vector<Op> list;
    addIntegerOps(list);
    addCastOps(list);
    addFloatOps(list);
    addConversionOps(list);
    addPackedOps(list);
    addTargetOps(list);
    addWaveOps(list);
    addMemoryOps(list);
    return list;
  }();
  return ops;
}

namespace {

/// Values that arithmetic treats specially.
uint64_t specialValue(std::mt19937_64 &random, Type type) {
  unsigned width = widthOf(type);
  if (!isFloat(type)) {
    const uint64_t values[] = {0, 1, ~0ull, 1ull << (width - 1), maskOf(width - 1), 2, 255, 31};
    return values[random() % std::size(values)] & maskOf(width);
  }
  unsigned mantissa = type == Type::F16 ? 10 : type == Type::F32 ? 23 : 52;
  uint64_t one = ((1ull << (width - mantissa - 2)) - 1) << mantissa;
  uint64_t step = 1ull << mantissa, inf = maskOf(width - 1) >> mantissa << mantissa;
  const uint64_t values[] = {0,        1,          step - 1,       step,
                             one,      one + step, one - step,     one + 1,
                             inf,      inf - 1,    inf | step / 2, one + step + step / 2,
                             step / 2, one - 1,    inf - step,     one + step * (mantissa + 1)};
  uint64_t sign = random() & 1 ? 1ull << (width - 1) : 0;
  return values[random() % std::size(values)] | sign;
}

class Generator {
public:
  Generator(uint64_t seed, const Machine &machine)
      : random(seed), machine(machine), hasRegions(chance(60)) {
    function.seed = seed;
    function.flushF32 = machine.flushF32;
    for (unsigned i = 0; i < allOps().size(); ++i)
      if (const Op &op = allOps()[i]; isUsable(op))
        choices.insert(choices.end(), op.weight, i);
  }
  RandomFunction run(unsigned operations);

private:
  unsigned push(Node node) {
    function.nodes.push_back(std::move(node));
    return unsigned(function.nodes.size() - 1);
  }
  unsigned pushValue(Node::Kind kind, Type type, uint64_t imm) {
    Node node;
    node.kind = kind;
    node.type = type;
    node.imm = imm;
    unsigned id = push(node);
    if (kind != Node::Kind::Constant)
      pool[unsigned(type)].push_back(id);
    return id;
  }
  bool isUsable(const Op &op) const {
    return (!op.supported || op.supported(machine)) && !(machine.realTrue16 && op.uniformResult) &&
           !(hasRegions && op.noRegions);
  }
  bool chance(unsigned percent) { return random() % 100 < percent; }
  unsigned pick(Type type);
  bool apply();
  void begin();
  void end();

  std::mt19937_64 random;
  const Machine &machine;
  RandomFunction function;
  std::vector<unsigned> choices; ///< an operation as often as its weight says
  std::vector<unsigned> pool[typeCount];
  bool hasRegions; ///< there may be regions
  // The open region, if there is one.
  bool inRegion = false;
  size_t outside[typeCount] = {};
};

unsigned Generator::pick(Type type) {
  std::vector<unsigned> &values = pool[unsigned(type)];
  if (type != Type::I1 && chance(12)) {
    uint64_t bits = chance(60) ? specialValue(random, type) : random() & maskOf(widthOf(type));
    return pushValue(Node::Kind::Constant, type, canonicalBits(machine, type, bits));
  }
  // Rather recent ones, so that operations build on each other.
  size_t back =
      chance(70) ? random() % std::min<size_t>(values.size(), 4) : random() % values.size();
  return values[values.size() - 1 - back];
}

bool Generator::apply() {
  unsigned index = choices[random() % choices.size()];
  const Op &op = allOps()[index];
  if (op.allLanes && inRegion)
    return false;
  for (Type type : op.args)
    if (pool[unsigned(type)].empty())
      return false;
  Node node;
  node.kind = Node::Kind::Apply;
  node.type = op.result;
  node.op = index;
  for (Type type : op.args)
    node.args.push_back(pick(type));
  node.imm = random() % op.immCount;
  pool[unsigned(op.result)].push_back(push(node));
  return true;
}

void Generator::begin() {
  Node node;
  node.kind = Node::Kind::Begin;
  node.args.push_back(pool[unsigned(Type::I1)].back());
  push(node);
  inRegion = true;
  for (unsigned type = 0; type < typeCount; ++type)
    outside[type] = pool[type].size();
}

/// The last value of every type that the region made lives on, merged with one from before.
void Generator::end() {
  Node node;
  node.kind = Node::Kind::End;
  push(node);
  inRegion = false;
  for (unsigned type = 0; type < typeCount; ++type) {
    std::vector<unsigned> &values = pool[type];
    if (values.size() == outside[type] || !outside[type])
      continue;
    Node phi;
    phi.kind = Node::Kind::Phi;
    phi.type = Type(type);
    phi.args = {values.back(), values[random() % outside[type]]};
    values.resize(outside[type]);
    values.push_back(push(phi));
  }
  for (unsigned type = 0; type < typeCount; ++type)
    if (!outside[type])
      pool[type].clear();
}

RandomFunction Generator::run(unsigned operations) {
  // Some functions are mostly uniform, so that scalar units do the work.
  bool mostlyUniform = chance(30) && !machine.realTrue16;
  if (!mostlyUniform && !machine.realTrue16)
    for (unsigned i = 0; i < uniformInputs; ++i)
      pushValue(Node::Kind::Uniform, i % 2 ? Type::F32 : Type::I32, i);
  const Type inputs[] = {Type::I8,  Type::I16, Type::F16, Type::I32, Type::I32,
                         Type::F32, Type::F32, Type::I64, Type::F64};
  unsigned dword = 0;
  for (Type type : inputs) {
    bool isUniform = mostlyUniform && dword % 4 != 3;
    pushValue(isUniform ? Node::Kind::Uniform : Node::Kind::Input, type,
              dword % (isUniform ? uniformInputs : inputDwords));
    dword += widthOf(type) == 64 ? 2 : 1;
  }
  unsigned done = 0, regionEnd = 0;
  for (unsigned attempts = 0; done < operations && attempts < operations * 20; ++attempts) {
    if (inRegion && done >= regionEnd)
      end();
    if (hasRegions && !inRegion && !pool[unsigned(Type::I1)].empty() && operations - done > 6 &&
        chance(10)) {
      begin();
      regionEnd = done + 3 + unsigned(random() % 8);
    }
    done += apply();
  }
  if (inRegion)
    end();
  // Stored are the last value of every type, and others now and then.
  for (unsigned id = 0; id < function.nodes.size(); ++id) {
    const Node &node = function.nodes[id];
    bool isValue = node.kind == Node::Kind::Apply || node.kind == Node::Kind::Phi;
    const std::vector<unsigned> &values = pool[unsigned(node.type)];
    bool isVisible = std::find(values.begin(), values.end(), id) != values.end();
    if (isValue && isVisible && (id == values.back() || chance(15)))
      function.outputs.push_back(id);
  }
  return std::move(function);
}

} // namespace

RandomFunction generate(uint64_t seed, unsigned operations, const Machine &machine) {
  return Generator(seed, machine).run(operations);
}

Inputs makeInputs(uint64_t seed) {
  std::mt19937_64 random(seed ^ 0x5DEECE66D);
  Inputs inputs;
  auto value = [&]() -> uint32_t {
    switch (random() % 8) {
    case 0:
      return uint32_t(specialValue(random, Type::F32));
    case 1:
      return uint32_t(specialValue(random, Type::F16) | specialValue(random, Type::F16) << 16);
    case 2:
      return uint32_t(specialValue(random, Type::I32));
    case 3: // a number of moderate size
      return std::bit_cast<uint32_t>(float(int32_t(random())) / 65536);
    case 4:
      return uint32_t(specialValue(random, Type::F64) >> 32);
    default:
      return uint32_t(random());
    }
  };
  for (unsigned i = 0; i < groupSize * inputDwords; ++i)
    inputs.lanes.push_back(value());
  for (uint32_t &uniform : inputs.uniform)
    uniform = value();
  return inputs;
}

} // namespace randomir
