//===- LowerCalls.cpp - which functions are to be inlined -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Marks every internal function `alwaysinline`, so that LLVM's always-inline leaves the entry
/// function alone. Before that, checks that this ends: no recursion, and a bound on the size after
/// inlining, since n functions that each call the next one twice become 2^n copies.
///
/// Where that would be too much code and functions may stay (lgc/Callable.h), large ones do: those
/// that are called at several places, and those that are too large for one function with others, as
/// LLVM's time grows faster than functions do.
/// Callers come to stand in front of what they call, which is the order in which always-inline
/// takes functions: each body is copied as it was written, into where it stays. The other way
/// round, a chain of n functions copies what is inlined already again and again, n x n bodies in
/// all.
///   before: define internal i32 @f(i32 %x) noinline
///   after:  define internal i32 @f(i32 %x) alwaysinline
///   or:     define internal amdgpu_gfx i32 @f(i32 %x) noinline
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/entry/CallableFunctions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace lgc {
namespace {

/// Instructions after inlining; far above any shader, reached in seconds.
constexpr uint64_t inlinedSizeMax = 4'000'000;
/// With so many at most everything is inlined.
constexpr uint64_t inlinedSizeGood = 40'000;
/// Functions that are smaller are inlined in any case; those that are larger stay if they are
/// called at one place only, too.
constexpr uint64_t staySize = 200, largeSize = 8'000;

struct CallGraphNode {
  SmallVector<Function *, 8> callees; ///< one entry per call
  uint64_t ownSize = 0;               ///< instructions
  uint64_t size = 0;                  ///< with callees that are inlined
  unsigned calls = 0;                 ///< of it, from functions that the entry points reach
  bool visiting = false, visited = false;
  bool stays = false; ///< as a function
};

using CallGraph = DenseMap<Function *, CallGraphNode>;

CallGraph buildCallGraph(Module &module) {
  CallGraph graph;
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    CallGraphNode &node = graph[&function];
    for (BasicBlock &block : function) {
      node.ownSize += block.size();
      for (Instruction &inst : block)
        if (auto *call = dyn_cast<CallBase>(&inst))
          if (Function *callee = call->getCalledFunction(); callee && !callee->isDeclaration())
            node.callees.push_back(callee);
    }
  }
  return graph;
}

/// Goes bottom-up, with a stack of its own: call chains are as deep as the input wants. Appends
/// functions to `finished` when everything that they call is there.
Error sortCallees(CallGraph &graph, Function &root, SmallVectorImpl<Function *> &finished) {
  SmallVector<std::pair<Function *, size_t>, 16> stack{{&root, 0}};
  graph[&root].visiting = true;
  while (!stack.empty()) {
    auto &[function, next] = stack.back();
    CallGraphNode &node = graph[function];
    if (next < node.callees.size()) {
      Function *callee = node.callees[next++];
      CallGraphNode &child = graph[callee];
      ++child.calls;
      if (child.visiting)
        return invalidInput("function '" + callee->getName() + "' calls itself");
      if (!child.visited) {
        child.visiting = true;
        stack.push_back({callee, 0});
      }
      continue;
    }
    node.visiting = false;
    node.visited = true;
    finished.push_back(function);
    stack.pop_back();
  }
  return Error::success();
}

/// Sums sizes of `functions`, callees first; with `callable`, decides which of them stay. The
/// largest of all.
uint64_t sumSizes(CallGraph &graph, ArrayRef<Function *> functions,
                  DenseSet<const Function *> callable) {
  uint64_t largest = 0;
  for (Function *function : functions) {
    CallGraphNode &node = graph[function];
    node.size = node.ownSize;
    for (Function *callee : node.callees) {
      const CallGraphNode &child = graph[callee];
      if (child.stays)
        continue;
      node.size = SaturatingAdd(node.size, child.size);
      // What keeps a function from being called keeps those that it is inlined to.
      if (!callable.contains(callee))
        callable.erase(function);
    }
    node.stays = callable.contains(function) &&
                 (node.calls > 1 ? node.size > staySize : node.size > largeSize);
    largest = std::max(largest, node.size);
  }
  return largest;
}

/// Decides which functions stay. `finished`: all, callees first.
Error decide(Module &module, CallGraph &graph, ArrayRef<Function *> finished) {
  uint64_t largest = sumSizes(graph, finished, {});
  if (largest > inlinedSizeGood)
    if (auto callable = callableFunctions(module); !callable.empty())
      largest = sumSizes(graph, finished, std::move(callable));
  if (largest > inlinedSizeMax)
    return limitExceeded("more than " + Twine(inlinedSizeMax) +
                         " instructions after inlining of functions");
  return Error::success();
}

/// Calls of \p function are calls in the code.
void keepFunction(Function &function) {
  function.addFnAttr(Attribute::NoInline);
  function.setCallingConv(CallingConv::AMDGPU_Gfx);
  for (User *user : function.users())
    if (auto *call = dyn_cast<CallBase>(user))
      call->setCallingConv(CallingConv::AMDGPU_Gfx);
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
      error = sortCallees(graph, *entry, finished);
  if (!error)
    error = decide(module, graph, finished);
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
    if (graph[function].stays) {
      function->removeFnAttr(Attribute::AlwaysInline);
      keepFunction(*function);
    } else {
      function->addFnAttr(Attribute::AlwaysInline);
    }
  }
  reportError(module.getContext(), std::move(error));
  return PreservedAnalyses::none();
}

} // namespace lgc
