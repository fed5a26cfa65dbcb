//===- Evaluate.cpp - a function on the host --------------------------------===//
// SPDX-License-Identifier: MIT
#include "Program.h"

using namespace llvm;

namespace randomir {

namespace {

class Evaluator {
public:
  Evaluator(const RandomFunction &function, const Inputs &inputs, const Machine &machine,
            unsigned first)
      : function(function), inputs(inputs), machine(machine), first(first),
        values(function.nodes.size()), wave{machine, allLanes()} {}

  void run() {
    for (unsigned id = 0; id < function.nodes.size(); ++id)
      step(function.nodes[id], values[id]);
  }
  const Lanes &value(unsigned id) const { return values[id]; }

private:
  uint64_t allLanes() const { return maskOf(machine.lanes); }
  void step(const Node &node, Lanes &result);
  void apply(const Node &node, Lanes &result);
  uint64_t input(const Node &node, unsigned lane) const;

  const RandomFunction &function;
  const Inputs &inputs;
  const Machine &machine;
  unsigned first; ///< lane of the workgroup that is lane 0 of this wave
  std::vector<Lanes> values;
  WaveModel wave;
  uint64_t region = 0; ///< lanes that executed the last region
};

uint64_t Evaluator::input(const Node &node, unsigned lane) const {
  bool isUniform = node.kind == Node::Kind::Uniform;
  const uint32_t *dwords =
      isUniform ? inputs.uniform.data() : &inputs.lanes[(first + lane) * inputDwords];
  uint64_t bits = dwords[node.imm];
  if (widthOf(node.type) == 64)
    bits |= uint64_t(dwords[(node.imm + 1) % (isUniform ? uniformInputs : inputDwords)]) << 32;
  return canonicalBits(machine, node.type, bits & maskOf(widthOf(node.type)));
}

void Evaluator::apply(const Node &node, Lanes &result) {
  const Op &op = allOps()[node.op];
  if (op.evalWave) {
    SmallVector<const Lanes *, 4> args;
    for (unsigned arg : node.args)
      args.push_back(&values[arg]);
    op.evalWave(wave, args, node.imm, result);
    return;
  }
  for (unsigned lane = 0; lane < machine.lanes; ++lane) {
    SmallVector<uint64_t, 4> args;
    for (unsigned arg : node.args)
      args.push_back(values[arg][lane]);
    result[lane] = op.eval(machine, args, node.imm);
  }
}

void Evaluator::step(const Node &node, Lanes &result) {
  switch (node.kind) {
  case Node::Kind::Input:
  case Node::Kind::Uniform:
    for (unsigned lane = 0; lane < machine.lanes; ++lane)
      result[lane] = input(node, lane);
    break;
  case Node::Kind::Constant:
    result.fill(node.imm);
    break;
  case Node::Kind::Apply:
    apply(node, result);
    break;
  case Node::Kind::Begin:
    wave.active = 0;
    for (unsigned lane = 0; lane < machine.lanes; ++lane)
      wave.active |= (values[node.args[0]][lane] & 1) << lane;
    region = wave.active;
    break;
  case Node::Kind::End:
    wave.active = allLanes();
    break;
  case Node::Kind::Phi:
    for (unsigned lane = 0; lane < machine.lanes; ++lane)
      result[lane] = values[node.args[region >> lane & 1 ? 0 : 1]][lane];
    break;
  }
}

} // namespace

std::set<unsigned> neededNodes(const RandomFunction &function) {
  std::set<unsigned> needed(function.outputs.begin(), function.outputs.end());
  for (unsigned id = unsigned(function.nodes.size()); id-- > 0;) {
    const Node &node = function.nodes[id];
    bool isRegion = node.kind == Node::Kind::Begin || node.kind == Node::Kind::End;
    if (isRegion || needed.count(id)) {
      needed.insert(id);
      needed.insert(node.args.begin(), node.args.end());
    }
  }
  return needed;
}

std::vector<Lanes> evaluate(const RandomFunction &function, const Inputs &inputs,
                            const Machine &machine) {
  std::vector<Lanes> outputs(function.outputs.size());
  for (unsigned first = 0; first < groupSize; first += machine.lanes) {
    Evaluator evaluator(function, inputs, machine, first);
    evaluator.run();
    for (size_t i = 0; i < outputs.size(); ++i)
      for (unsigned lane = 0; lane < machine.lanes; ++lane)
        outputs[i][first + lane] = evaluator.value(function.outputs[i])[lane];
  }
  return outputs;
}

} // namespace randomir
