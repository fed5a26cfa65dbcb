//===- Reconvergence.cpp - breaks that must stay inside their loop --------===//
// SPDX-License-Identifier: MIT
/// \file
/// In SPIR-V a block on the way from a loop's body to its merge block belongs to the loop:
///   for (;;) { if (c) { x = subgroupAdd(1); break; } ... }
/// adds up the invocations that break in the same iteration. LLVM's natural loop ends where the
/// back edge can no longer be reached, so the block would run once for all lanes, after the loop.
/// Returns out of a loop likewise.
/// A conditional back edge on lgc.reconverge.true, which is never taken, keeps it inside:
///   before: br label %merge
///   after:  %true = call i1 @lgc.reconverge.true() ; br i1 %true, label %merge, label %header
/// The extra edge goes to the header because the header dominates the block, so every value used
/// there stays defined.
#include "llpc/translate/Reconvergence.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;

namespace llpc {

namespace {

using spirv::Id;

/// Calls count only in modules that can hold group operations at all.
bool usesGroupOperations(const spirv::Module &module) {
  return llvm::any_of(module.capabilities(), spirv::enablesGroupOps);
}

struct Graph {
  DenseMap<Id, const spirv::Block *> blocks;
  DenseMap<Id, SmallVector<Id, 2>> predecessors;

  const spirv::Module &module;

  /// Words of a case literal: two when the selector is 64 bits wide.
  size_t literalWords(Id selector) const {
    const spirv::Inst *value = module.definition(selector);
    const spirv::Inst *type = value ? module.definition(value->typeId) : nullptr;
    return type && type->opcode == spv::Op::OpTypeInt && (*type)[0] > 32 ? 2 : 1;
  }

  void successors(const spirv::Block &block, function_ref<void(Id)> visit) const {
    const spirv::Inst &terminator = block.insts.back();
    switch (terminator.opcode) {
    case spv::Op::OpBranch:
      return visit(terminator[0]);
    case spv::Op::OpBranchConditional:
      visit(terminator[1]);
      return visit(terminator[2]);
    case spv::Op::OpSwitch: {
      const size_t step = literalWords(terminator[0]) + 1;
      for (size_t i = 1; i < terminator.size(); i += step)
        visit(terminator[i]);
      return;
    }
    default:
      return;
    }
  }

  Graph(const spirv::Module &module, const spirv::Function &function) : module(module) {
    for (const spirv::Block &block : function.blocks)
      blocks[block.label] = &block;
    for (const spirv::Block &block : function.blocks)
      successors(block, [&](Id to) {
        if (blocks.count(to))
          predecessors[to].push_back(block.label);
      });
  }
};

/// Blocks of the loop construct: reachable from the header without passing the merge block.
DenseSet<Id> loopConstruct(const Graph &graph, Id header, Id merge) {
  DenseSet<Id> inside;
  SmallVector<Id, 16> work{header};
  while (!work.empty()) {
    const Id label = work.pop_back_val();
    auto block = graph.blocks.find(label);
    if (label == merge || block == graph.blocks.end() || !inside.insert(label).second)
      continue;
    graph.successors(*block->second, [&](Id to) { work.push_back(to); });
  }
  return inside;
}

/// The part of `inside` from which the header is reached again: LLVM's natural loop.
DenseSet<Id> naturalLoop(const Graph &graph, Id header, const DenseSet<Id> &inside) {
  DenseSet<Id> natural;
  SmallVector<Id, 16> work;
  auto addPredecessors = [&](Id label) {
    auto it = graph.predecessors.find(label);
    if (it != graph.predecessors.end())
      for (Id from : it->second)
        if (inside.count(from))
          work.push_back(from);
  };
  addPredecessors(header);
  while (!work.empty()) {
    const Id label = work.pop_back_val();
    if (natural.insert(label).second && label != header)
      addPredecessors(label);
  }
  return natural;
}

} // namespace

bool isConvergent(const spirv::Module &module, const spirv::Inst &inst) {
  switch (inst.opcode) {
  // Callees are not searched: any call may hold such an operation.
  case spv::Op::OpFunctionCall:
  // Components go from lane to lane.
  case spv::Op::OpCooperativeMatrixConvertNV:
  case spv::Op::OpCooperativeMatrixTransposeNV:
  case spv::Op::OpCooperativeMatrixReduceNV:
  case spv::Op::OpCooperativeMatrixPerElementOpNV:
  // Between the lanes of a subgroup that break together.
  case spv::Op::OpControlBarrier:
    return true;
  case spv::Op::OpExtInst:
    return module.extInstSet(inst[0]) == "SPV_AMD_shader_ballot";
  default:
    // Why not derivatives: the invocations of a quad must break together, and then have the values
    // of that iteration behind the loop, too.
    return spirv::isGroupOp(inst.opcode);
  }
}

DenseMap<Id, Id> findReconvergeBreaks(const spirv::Module &module,
                                      const spirv::Function &function) {
  DenseMap<Id, Id> result;
  if (!usesGroupOperations(module))
    return result;
  SmallVector<std::pair<Id, Id>, 4> loops; // header, merge
  bool convergent = false;
  for (const spirv::Block &block : function.blocks)
    for (const spirv::Inst &inst : block.insts) {
      convergent |= isConvergent(module, inst);
      if (inst.opcode == spv::Op::OpLoopMerge)
        loops.push_back({block.label, inst[0]});
    }
  if (!convergent || loops.empty())
    return result;
  const Graph graph(module, function);
  // Why inner loops first: a return may leave several, and being in the inner one counts for all.
  for (auto [header, merge] : reverse(loops)) {
    const DenseSet<Id> inside = loopConstruct(graph, header, merge);
    const DenseSet<Id> natural = naturalLoop(graph, header, inside);
    if (natural.empty())
      continue;
    bool needed = false;
    for (Id label : inside)
      if (!natural.count(label))
        for (const spirv::Inst &inst : graph.blocks.lookup(label)->insts)
          needed |= isConvergent(module, inst);
    if (!needed)
      continue;
    for (Id label : inside) {
      const spirv::Inst &last = graph.blocks.lookup(label)->insts.back();
      const bool leaves = (last.opcode == spv::Op::OpBranch && last[0] == merge) ||
                          last.opcode == spv::Op::OpReturn || last.opcode == spv::Op::OpReturnValue;
      if (!natural.count(label) && leaves)
        result.try_emplace(label, header);
    }
  }
  return result;
}

} // namespace llpc
