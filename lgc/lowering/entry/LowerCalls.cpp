//===- LowerCalls.cpp - all functions are to be inlined -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Marks every internal function `alwaysinline`, so that LLVM's always-inline leaves the entry
/// function alone. Before that, checks that this ends: no recursion, and a bound on the size after
/// inlining, since n functions that each call the next one twice become 2^n copies.
/// Callers come to stand in front of what they call, which is the order in which always-inline
/// takes functions: each body is copied as it was written, into where it stays. The other way
/// round, a chain of n functions copies what is inlined already again and again, n x n bodies in
/// all.
///   before: define internal i32 @f(i32 %x) noinline
///   after:  define internal i32 @f(i32 %x) alwaysinline
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {
namespace {

/// Instructions after inlining; far above any shader, reached in seconds.
constexpr uint64_t inlinedSizeMax = 4'000'000;

struct CallGraphNode {
  SmallVector<Function *, 8> callees; ///< one entry per call
  uint64_t size = 0;                  ///< instructions, callees included once visited
  bool visiting = false, visited = false;
};

using CallGraph = DenseMap<Function *, CallGraphNode>;

CallGraph buildCallGraph(Module &module) {
  CallGraph graph;
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    CallGraphNode &node = graph[&function];
    for (BasicBlock &block : function) {
      node.size += block.size();
      for (Instruction &inst : block)
        if (auto *call = dyn_cast<CallBase>(&inst))
          if (Function *callee = call->getCalledFunction(); callee && !callee->isDeclaration())
            node.callees.push_back(callee);
    }
  }
  return graph;
}

/// Sums sizes bottom-up, with a stack of its own: call chains are as deep as the input wants.
/// Appends functions to `finished` when everything that they call is there.
Error sumSizes(CallGraph &graph, Function &root, SmallVectorImpl<Function *> &finished) {
  SmallVector<std::pair<Function *, size_t>, 16> stack{{&root, 0}};
  graph[&root].visiting = true;
  while (!stack.empty()) {
    auto &[function, next] = stack.back();
    CallGraphNode &node = graph[function];
    if (next < node.callees.size()) {
      Function *callee = node.callees[next++];
      CallGraphNode &child = graph[callee];
      if (child.visiting)
        return invalidInput("function '" + callee->getName() + "' calls itself");
      if (!child.visited) {
        child.visiting = true;
        stack.push_back({callee, 0});
      }
      continue;
    }
    for (Function *callee : node.callees)
      if ((node.size += graph[callee].size) > inlinedSizeMax)
        return limitExceeded("more than " + Twine(inlinedSizeMax) +
                             " instructions after inlining of functions");
    node.visiting = false;
    node.visited = true;
    finished.push_back(function);
    stack.pop_back();
  }
  return Error::success();
}

} // namespace

PreservedAnalyses LowerCallsPass::run(Module &module, ModuleAnalysisManager &) {
  SmallVector<Function *, 4> entries = entryFunctions(module);
  if (entries.empty()) {
    reportError(module.getContext(), internalError("module has no entry function"));
    return PreservedAnalyses::all();
  }
  CallGraph graph = buildCallGraph(module);
  if (graph.size() == entries.size())
    return PreservedAnalyses::all();
  Error error = Error::success();
  SmallVector<Function *, 16> finished;
  for (Function *entry : entries)
    if (!error)
      error = sumSizes(graph, *entry, finished);
  // Not those that are not reachable, or not to be inlined: whatever calls them is unreachable or
  // an error.
  for (Function *function : reverse(finished)) {
    if (error || is_contained(entries, function))
      continue;
    module.getFunctionList().splice(module.end(), module.getFunctionList(),
                                    function->getIterator());
    function->setLinkage(GlobalValue::InternalLinkage);
    function->removeFnAttr(Attribute::NoInline);
    function->removeFnAttr(Attribute::OptimizeNone);
    function->addFnAttr(Attribute::AlwaysInline);
  }
  reportError(module.getContext(), std::move(error));
  return PreservedAnalyses::none();
}

} // namespace lgc
