//===- Functions.cpp - functions, blocks, branches, calls -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A state machine over the instructions of the function section: header, parameters, blocks. When
/// a function ends its branch targets and OpPhi parents are checked, when the module ends its
/// calls. Nothing here recurses: the call graph is walked with a stack of its own.
#include "llpc/spirv/Reader.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace llpc::spirv {

using llvm::Twine;
using spv::Op;

static bool isMerge(Op opcode) {
  return opcode == Op::OpSelectionMerge || opcode == Op::OpLoopMerge;
}

bool Reader::checkFunctionState(const Inst &inst) {
  switch (inst.opcode) {
  case Op::OpNop:
  case Op::OpLine:
  case Op::OpNoLine:
    if (pendingMerge)
      return addToBlock(inst);
    return true;
  case Op::OpFunction:
    return beginFunction(inst);
  case Op::OpFunctionParameter:
    return addParameter(inst);
  case Op::OpLabel:
    return beginBlock(inst);
  case Op::OpFunctionEnd:
    return endFunction(inst);
  default:
    // checkExtInst() lets only non-semantic sets be outside.
    if (functionState == FunctionState::Outside &&
        (inst.opcode == Op::OpExtInst || inst.opcode == Op::OpExtInstWithForwardRefsKHR))
      return true;
    return addToBlock(inst);
  }
}

bool Reader::beginFunction(const Inst &inst) {
  if (functionState != FunctionState::Outside)
    return invalid(inst, "the function before has no OpFunctionEnd");
  currentType = module.definition(inst[1]);
  if (currentType->opcode != Op::OpTypeFunction)
    return invalid(inst, "function type %" + Twine(inst[1]) + " is no OpTypeFunction");
  if (currentType->operands[0] != inst.typeId)
    return invalid(inst, "result type %" + Twine(inst.typeId) + " differs from the return type %" +
                             Twine(currentType->operands[0]) + " of the function type");
  module.functionIndex[inst.resultId] = module.funcs.size();
  Function &function = module.funcs.emplace_back();
  function.definition = &inst;
  functionState = FunctionState::Header;
  functionHasPhis = false;
  return true;
}

bool Reader::addParameter(const Inst &inst) {
  if (functionState != FunctionState::Header)
    return invalid(inst, "parameters must follow their OpFunction");
  Function &function = module.funcs.back();
  size_t index = function.parameters.size();
  if (index + 1 >= currentType->size())
    return invalid(inst,
                   "the function type has only " + Twine(currentType->size() - 1) + " parameters");
  if (currentType->operands[index + 1] != inst.typeId)
    return invalid(inst, "parameter " + Twine(index) + " has type %" + Twine(inst.typeId) +
                             ", the function type says %" +
                             Twine(currentType->operands[index + 1]));
  function.parameters.push_back(&inst);
  return true;
}

bool Reader::beginBlock(const Inst &inst) {
  if (functionState == FunctionState::Outside)
    return invalid(inst, "is outside a function");
  if (functionState == FunctionState::InBlock)
    return invalid(inst, "the block %" + Twine(currentLabel->resultId) + " has no terminator");
  Function &function = module.funcs.back();
  if (function.parameters.size() + 1 != currentType->size())
    return invalid(*function.definition, "has " + Twine(function.parameters.size()) +
                                             " parameters, the function type has " +
                                             Twine(currentType->size() - 1));
  sawFunctionBody = true;
  function.blocks.push_back({inst.resultId, {}});
  currentLabel = &inst;
  functionState = FunctionState::InBlock;
  blockPrefix = BlockPrefix::Phis;
  return true;
}

/// OpPhi comes first in its block, OpVariable first in its function; debug information may lie
/// between them.
bool Reader::checkPrefix(const Inst &inst) {
  bool isFirstBlock = module.funcs.back().blocks.size() == 1;
  switch (inst.opcode) {
  case Op::OpPhi:
    if (isFirstBlock)
      return invalid(inst, "is in the entry block of its function");
    if (blockPrefix != BlockPrefix::Phis)
      return invalid(inst, "must come before all other instructions of its block");
    functionHasPhis = true;
    return true;
  case Op::OpVariable:
    if (!isFirstBlock)
      return invalid(inst, "is not in the first block of its function");
    if (blockPrefix == BlockPrefix::Body)
      return invalid(inst, "must come before all other instructions of its function");
    blockPrefix = BlockPrefix::Variables;
    return true;
  case Op::OpExtInst:
    if (!isNonSemanticInst(inst))
      blockPrefix = BlockPrefix::Body;
    return true;
  case Op::OpUndef:
    return true;
  default:
    if (inst.opcode != Op::OpUntypedVariableKHR)
      blockPrefix = BlockPrefix::Body;
    return true;
  }
}

bool Reader::addToBlock(const Inst &inst) {
  // Behind a terminator optimisers leave debug information, which says nothing there.
  const bool isExtended =
      inst.opcode == Op::OpExtInst || inst.opcode == Op::OpExtInstWithForwardRefsKHR;
  if (functionState == FunctionState::BetweenBlocks && isExtended && isNonSemanticInst(inst))
    return true;
  if (functionState != FunctionState::InBlock)
    return invalid(inst, "is outside a block");
  if (pendingMerge) {
    bool selection = pendingMerge->opcode == Op::OpSelectionMerge;
    bool fits = selection ? inst.opcode == Op::OpBranchConditional || inst.opcode == Op::OpSwitch
                          : inst.opcode == Op::OpBranch || inst.opcode == Op::OpBranchConditional;
    if (!fits)
      return invalid(*pendingMerge, "is followed by " + opName(inst.opcode) + ", must be " +
                                        (selection ? "OpBranchConditional or OpSwitch"
                                                   : "OpBranch or OpBranchConditional"));
    pendingMerge = nullptr;
  }
  if (findOp(static_cast<uint32_t>(inst.opcode))->isTerminator)
    return endBlock(inst);
  if (isMerge(inst.opcode))
    pendingMerge = &inst;
  return blockPrefix == BlockPrefix::Body && inst.opcode != Op::OpPhi &&
                 inst.opcode != Op::OpVariable
             ? true
             : checkPrefix(inst);
}

bool Reader::endBlock(const Inst &inst) {
  const Inst *returnType = module.definition(currentType->operands[0]);
  bool returnsVoid = returnType->opcode == Op::OpTypeVoid;
  if (inst.opcode == Op::OpReturn && !returnsVoid)
    return invalid(inst, "the function returns a value, must be OpReturnValue");
  if (inst.opcode == Op::OpReturnValue) {
    const Inst *value = module.definition(inst[0]);
    const Id found = givenType(*value);
    if (returnsVoid || found != returnType->resultId)
      return invalid(inst, "value %" + Twine(inst[0]) + " has type %" + Twine(found) +
                               ", the function returns %" + Twine(returnType->resultId));
  }
  module.funcs.back().blocks.back().insts = {currentLabel + 1, &inst + 1};
  functionState = FunctionState::BetweenBlocks;
  return true;
}

bool Reader::endFunction(const Inst &inst) {
  if (functionState == FunctionState::Outside)
    return invalid(inst, "is outside a function");
  if (functionState == FunctionState::InBlock)
    return invalid(inst, "the block %" + Twine(currentLabel->resultId) + " has no terminator");
  Function &function = module.funcs.back();
  if (function.blocks.empty()) {
    if (function.parameters.size() + 1 != currentType->size())
      return invalid(*function.definition, "has " + Twine(function.parameters.size()) +
                                               " parameters, the function type has " +
                                               Twine(currentType->size() - 1));
    if (sawFunctionBody)
      return invalid(*function.definition, "function declarations must come before definitions");
    if (!module.hasCapability(spv::Capability::Linkage))
      return invalid(*function.definition, "the function has no blocks");
  }
  functionState = FunctionState::Outside;
  return checkTargets() && (!functionHasPhis || checkPhis());
}

bool Reader::checkTarget(const Inst &inst, Id target, bool mayBeEntry) {
  const Function &function = module.funcs.back();
  const Inst *label = module.definition(target);
  // Labels of this function are the ones defined after its OpFunction: later ones do not exist yet.
  if (!label || label < function.definition)
    return invalid(inst, "target %" + Twine(target) + " is no label of this function");
  if (label->opcode != Op::OpLabel)
    return invalid(inst,
                   "target %" + Twine(target) + " is " + opName(label->opcode) + ", no OpLabel");
  if (!mayBeEntry && target == function.blocks.front().label)
    return invalid(inst, "target %" + Twine(target) + " is the entry block of the function");
  return true;
}

/// Calls `visit` with each label operand of a terminator.
static bool forEachSuccessor(const Module &module, const Inst &inst,
                             llvm::function_ref<bool(Id)> visit) {
  switch (inst.opcode) {
  case Op::OpBranch:
    return visit(inst[0]);
  case Op::OpBranchConditional:
    return visit(inst[1]) && visit(inst[2]);
  case Op::OpSwitch: {
    if (!visit(inst[1]))
      return false;
    if (inst.size() == 2)
      return true;
    // With cases, the reader has checked that the selector is an integer.
    const Inst *type = module.definition(module.definition(inst[0])->typeId);
    size_t literalWords = type->operands[0] > 32 ? 2 : 1;
    for (size_t i = 2 + literalWords; i < inst.size(); i += literalWords + 1)
      if (!visit(inst[i]))
        return false;
    return true;
  }
  default:
    return true;
  }
}

bool Reader::checkTargets() {
  for (const Block &block : module.funcs.back().blocks) {
    const Inst &last = block.insts.back();
    if (!forEachSuccessor(module, last, [&](Id id) { return checkTarget(last, id, false); }))
      return false;
    if (block.insts.size() < 2)
      continue;
    const Inst &merge = block.insts[block.insts.size() - 2];
    if (!isMerge(merge.opcode))
      continue;
    if (!checkTarget(merge, merge[0], false))
      return false;
    if (merge.opcode == Op::OpLoopMerge && !checkTarget(merge, merge[1], true))
      return false;
  }
  return true;
}

/// Each OpPhi has exactly one parent per predecessor. Linear in edges and OpPhi words: a mark per
/// label says for which block it was last seen as a predecessor, and as a parent of which OpPhi.
bool Reader::checkPhis() {
  struct Marks {
    uint32_t predecessorOf = 0, parentOf = 0;
  };
  const std::vector<Block> &blocks = module.funcs.back().blocks;
  std::vector<std::pair<Id, Id>> edges; // (target, predecessor)
  for (const Block &block : blocks)
    forEachSuccessor(module, block.insts.back(), [&](Id target) {
      edges.push_back({target, block.label});
      return true;
    });
  llvm::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  llvm::DenseMap<Id, Marks> marks;
  for (const Block &block : blocks) {
    size_t predecessors = 0;
    bool collected = false;
    for (const Inst &inst : block.insts) {
      if (inst.opcode != Op::OpPhi) {
        if (inst.opcode == Op::OpLine || inst.opcode == Op::OpNoLine || inst.opcode == Op::OpNop ||
            inst.opcode == Op::OpExtInst || inst.opcode == Op::OpUndef)
          continue;
        break;
      }
      if (!collected) {
        auto first = std::lower_bound(edges.begin(), edges.end(), std::pair(block.label, Id(0)));
        for (; first != edges.end() && first->first == block.label; ++first, ++predecessors)
          marks[first->second].predecessorOf = block.label;
        collected = true;
      }
      if (inst.size() / 2 != predecessors)
        return invalid(inst, "has " + Twine(inst.size() / 2) + " parents, the block has " +
                                 Twine(predecessors) + " predecessors");
      for (size_t i = 1; i < inst.size(); i += 2) {
        Marks &mark = marks[inst[i]];
        if (mark.predecessorOf != block.label)
          return invalid(inst, "parent %" + Twine(inst[i]) + " is no predecessor of the block");
        if (mark.parentOf == inst.resultId)
          return invalid(inst, "parent %" + Twine(inst[i]) + " appears twice");
        mark.parentOf = inst.resultId;
      }
    }
  }
  return true;
}

bool Reader::checkCall(const Inst &inst) {
  const Function *callee = module.findFunction(calleeOf(inst));
  if (!callee)
    return invalid(inst, "callee %" + Twine(calleeOf(inst)) + " is no OpFunction");
  if (inst.opcode != Op::OpFunctionCall)
    return true; // what components of matrices are to it, the translator knows
  if (callee->definition->typeId != inst.typeId)
    return invalid(inst, "result type %" + Twine(inst.typeId) + " differs from the return type %" +
                             Twine(callee->definition->typeId) + " of the callee");
  if (inst.size() - 1 != callee->parameters.size())
    return invalid(inst, "has " + Twine(inst.size() - 1) + " arguments, the callee has " +
                             Twine(callee->parameters.size()) + " parameters");
  for (size_t i = 1; i < inst.size(); ++i) {
    const Id found = givenType(*module.definition(inst[i])),
             expected = callee->parameters[i - 1]->typeId;
    if (found != expected)
      return invalid(inst, "argument %" + Twine(inst[i]) + " has type %" + Twine(found) +
                               ", the parameter has %" + Twine(expected));
  }
  return true;
}

bool Reader::checkCalls() {
  for (const Inst *inst : calls)
    if (!checkCall(*inst))
      return false;
  return calls.empty() || checkRecursion();
}

/// No function may reach itself: the translator inlines all calls. Depth first with an explicit
/// stack; `calls` is in module order, so the calls of a function are one run of it.
bool Reader::checkRecursion() {
  size_t count = module.funcs.size();
  std::vector<uint32_t> firstCall(count + 1, 0);
  for (size_t i = 0, call = 0; i < count; ++i) {
    firstCall[i] = call;
    const Inst *end = i + 1 < count ? module.funcs[i + 1].definition : nullptr;
    while (call < calls.size() && (!end || calls[call] < end))
      ++call;
  }
  firstCall[count] = calls.size();
  enum class Color : uint8_t { New, Open, Done };
  std::vector<Color> colors(count, Color::New);
  std::vector<std::pair<uint32_t, uint32_t>> stack; // (function, next call)
  for (size_t root = 0; root < count; ++root) {
    if (colors[root] != Color::New)
      continue;
    stack.push_back({root, firstCall[root]});
    colors[root] = Color::Open;
    while (!stack.empty()) {
      auto &[function, next] = stack.back();
      if (next == firstCall[function + 1]) {
        colors[function] = Color::Done;
        stack.pop_back();
        continue;
      }
      const Inst *call = calls[next++];
      uint32_t callee = module.functionIndex[calleeOf(*call)];
      if (colors[callee] == Color::Open)
        return invalid(*call, "recursive call of %" + Twine(calleeOf(*call)));
      if (colors[callee] == Color::New) {
        colors[callee] = Color::Open;
        stack.push_back({callee, firstCall[callee]});
      }
    }
  }
  return true;
}

} // namespace llpc::spirv
