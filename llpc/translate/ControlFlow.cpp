//===- ControlFlow.cpp - blocks, branches, phis ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// SPIR-V blocks map one to one to LLVM blocks (handlers may split them). Merge instructions give
/// loop hints and the blocks that must reconverge, see Reconvergence.cpp.
#include "llpc/translate/DebugVariables.h"
#include "llpc/translate/Reconvergence.h"
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/SmallSet.h"

using namespace llvm;

namespace llpc {

namespace {

Expected<BasicBlock *> target(Translator &t, const Inst &inst, Id label) {
  auto it = t.internals().current.blocks.find(label);
  if (it == t.internals().current.blocks.end())
    return t.invalid(inst, "branch target %" + Twine(label) + " is no block of this function");
  return it->second;
}

/// Unroll hints of the loop whose header this block is, as !llvm.loop metadata.
MDNode *loopMetadata(Translator &t, Id headerLabel) {
  const Inst *merge = t.internals().current.loopMerges.lookup(headerLabel);
  if (!merge || merge->size() < 3)
    return nullptr;
  const uint32_t control = (*merge)[2];
  const char *hint = nullptr;
  if (control & static_cast<uint32_t>(spv::LoopControlMask::DontUnroll))
    hint = "llvm.loop.unroll.disable";
  else if (control & static_cast<uint32_t>(spv::LoopControlMask::Unroll))
    hint = "llvm.loop.unroll.enable";
  if (!hint)
    return nullptr;
  MDNode *node = MDNode::getDistinct(
      t.context, {nullptr, MDNode::get(t.context, MDString::get(t.context, hint))});
  node->replaceOperandWith(0, node);
  return node;
}

/// A branch to a block that was emitted already is a back edge.
void addLoopHints(Translator &t, Instruction *branch, Id label) {
  if (!t.internals().current.blockEnds.count(label) && label != t.internals().current.label)
    return;
  if (MDNode *hints = loopMetadata(t, label))
    branch->setMetadata(LLVMContext::MD_loop, hints);
}

/// Where the block must stay inside a loop (Reconvergence.cpp): ends it with a conditional branch
/// to a new block, which becomes the place to insert, and the never taken edge to the header.
Error keepInLoop(Translator &t, const Inst &inst) {
  auto &current = t.internals().current;
  auto broken = current.reconvergeBreaks.find(current.label);
  if (broken == current.reconvergeBreaks.end())
    return Error::success();
  auto header = KILN_TRY(target(t, inst, broken->second));
  BasicBlock *leave = BasicBlock::Create(t.context, "", current.function);
  Value *always = t.op(lgc::OpId::ReconvergeTrueOp, t.b.getInt1Ty(), {});
  current.extraEdges.push_back({t.b.GetInsertBlock(), header});
  t.b.CreateCondBr(always, leave, header);
  t.b.SetInsertPoint(leave);
  return Error::success();
}

Error translateBranch(Translator &t, const Inst &inst) {
  auto block = KILN_TRY(target(t, inst, inst[0]));
  KILN_TRY(keepInLoop(t, inst));
  addLoopHints(t, t.b.CreateBr(block), inst[0]);
  return Error::success();
}

Error translateBranchConditional(Translator &t, const Inst &inst) {
  auto condition = KILN_TRY(t.value(inst[0]));
  if (!condition->getType()->isIntegerTy(1))
    return t.invalid(inst, "condition is not a scalar bool");
  auto onTrue = KILN_TRY(target(t, inst, inst[1]));
  auto onFalse = KILN_TRY(target(t, inst, inst[2]));
  Instruction *branch = t.b.CreateCondBr(condition, onTrue, onFalse);
  addLoopHints(t, branch, inst[1]);
  addLoopHints(t, branch, inst[2]);
  return Error::success();
}

Error translateSwitch(Translator &t, const Inst &inst) {
  auto selector = KILN_TRY(t.value(inst[0]));
  auto *type = dyn_cast<IntegerType>(selector->getType());
  if (!type || type->getBitWidth() == 1)
    return t.invalid(inst, "selector is not a scalar integer");
  auto defaultBlock = KILN_TRY(target(t, inst, inst[1]));
  const size_t literalWords = type->getBitWidth() > 32 ? 2 : 1;
  const ArrayRef<uint32_t> rest = inst.operands.drop_front(2);
  if (rest.size() % (literalWords + 1) != 0)
    return t.invalid(inst, "incomplete literal and label pairs");
  SwitchInst *result = t.b.CreateSwitch(selector, defaultBlock, rest.size() / (literalWords + 1));
  SmallSet<uint64_t, 16> seen; // not a dense set: those reserve two values
  for (size_t i = 0; i < rest.size(); i += literalWords + 1) {
    uint64_t literal = rest[i];
    if (literalWords == 2)
      literal |= static_cast<uint64_t>(rest[i + 1]) << 32;
    const APInt value = APInt(64, literal).trunc(type->getBitWidth());
    auto block = KILN_TRY(target(t, inst, rest[i + literalWords]));
    if (!seen.insert(value.getZExtValue()).second)
      return t.invalid(inst, "literal " + Twine(literal) + " occurs twice");
    result->addCase(ConstantInt::get(t.context, value), block);
  }
  return Error::success();
}

Error translateReturn(Translator &t, const Inst &inst) {
  KILN_TRY(keepInLoop(t, inst));
  Function *function = t.internals().current.function;
  if (inst.opcode == spv::Op::OpReturn) {
    if (!function->getReturnType()->isVoidTy())
      return t.invalid(inst, "return without a value in a function that returns one");
    t.b.CreateRetVoid();
    return Error::success();
  }
  auto value = KILN_TRY(t.value(inst[0]));
  if (value->getType() != function->getReturnType())
    return t.invalid(inst, "returned value has another type than the function's result");
  t.b.CreateRet(value);
  return Error::success();
}

Error translateUnreachable(Translator &t, const Inst &) {
  t.b.CreateUnreachable();
  return Error::success();
}

Error translateNothing(Translator &, const Inst &) { return Error::success(); }

Error translatePhi(Translator &t, const Inst &inst) {
  auto type = KILN_TRY(t.type(inst.typeId));
  if (type->isVoidTy() || inst.size() % 2 != 0)
    return t.invalid(inst, "result type void or incomplete value and parent pairs");
  if (t.b.GetInsertBlock()->getFirstNonPHIIt() != t.b.GetInsertPoint())
    return t.invalid(inst, "not at the start of its block");
  PHINode *phi = t.b.CreatePHI(type, inst.size() / 2);
  t.internals().current.phis.push_back({phi, &inst});
  if (type->isPointerTy() && inst.size() >= 2) {
    PointerInfo info = t.pointerInfo(inst[0]);
    info.variable = nullptr;
    info.invariant = false;
    info.alignBytes = 1;
    t.setPointerInfo(inst.resultId, info);
  }
  return t.setValue(inst, phi);
}

/// Adds the incoming values now that every block and value exists.
Error completePhis(Translator &t) {
  auto &current = t.internals().current;
  for (auto [phi, inst] : current.phis) {
    BasicBlock *block = phi->getParent();
    for (size_t i = 0; i < inst->size(); i += 2) {
      auto end = current.blockEnds.find((*inst)[i + 1]);
      if (end == current.blockEnds.end())
        return t.invalid(*inst,
                         "parent %" + Twine((*inst)[i + 1]) + " is no block of this function");
      auto value = KILN_TRY(t.value((*inst)[i]));
      if (value->getType() != phi->getType())
        return t.invalid(*inst,
                         "operand %" + Twine((*inst)[i]) + " has another type than the result");
      // A switch may reach the block several times; LLVM wants one entry per edge.
      for (BasicBlock *successor : successors(end->second))
        if (successor == block && !is_contained(current.extraEdges, std::pair(end->second, block)))
          phi->addIncoming(value, end->second);
    }
  }
  for (auto [from, to] : current.extraEdges)
    for (PHINode &phi : to->phis())
      phi.addIncoming(PoisonValue::get(phi.getType()), from);
  return Error::success();
}

/// Some messages name an id only.
Error withPlace(Error error, const Inst &inst) {
  const lgc::ErrorText text = lgc::consumeToText(std::move(error));
  const bool hasPlace = StringRef(text.message).starts_with("Op");
  return lgc::makeError(text.kind,
                        hasPlace ? text.message : spirv::place(inst) + ": " + text.message);
}

Error translateBlock(Translator &t, const spirv::Block &block) {
  auto &current = t.internals().current;
  current.label = block.label;
  beginDebugBlock(t);
  for (const Inst &inst : block.insts) {
    if (current.leftOut.contains(&inst))
      continue;
    updateDebugLocation(t, inst);
    if (Error error = translateInst(t, inst))
      return withPlace(std::move(error), inst);
    describeResult(t, inst);
  }
  if (!t.b.GetInsertBlock()->getTerminator())
    return lgc::invalidInput("block %" + Twine(block.label) + " has no terminator");
  current.blockEnds[block.label] = t.b.GetInsertBlock();
  return Error::success();
}

constexpr OpEntry table[] = {
    instOp(spv::Op::OpPhi, translatePhi),
    instOp(spv::Op::OpLoopMerge, translateNothing),
    instOp(spv::Op::OpSelectionMerge, translateNothing),
    instOp(spv::Op::OpBranch, translateBranch),
    instOp(spv::Op::OpBranchConditional, translateBranchConditional),
    instOp(spv::Op::OpSwitch, translateSwitch),
    instOp(spv::Op::OpReturn, translateReturn),
    instOp(spv::Op::OpReturnValue, translateReturn),
    instOp(spv::Op::OpUnreachable, translateUnreachable),
    instOp(spv::Op::OpLifetimeStart, translateNothing),
    instOp(spv::Op::OpLifetimeStop, translateNothing),
};

} // namespace

ArrayRef<OpEntry> controlFlowOps() { return table; }

Error translateBody(Translator &t, const spirv::Function &function) {
  auto &current = t.internals().current;
  for (const spirv::Block &block : function.blocks) {
    current.blocks[block.label] = BasicBlock::Create(t.context, "", current.function);
    if (block.insts.size() > 1 &&
        block.insts[block.insts.size() - 2].opcode == spv::Op::OpLoopMerge)
      current.loopMerges[block.label] = &block.insts[block.insts.size() - 2];
  }
  findFixedVariables(t, function);
  findPartialLoads(t, function);
  current.reconvergeBreaks = findReconvergeBreaks(t.spv, function);

  // Everything that must dominate the body goes in front of this marker.
  BasicBlock *entry = current.blocks[function.blocks.front().label];
  t.b.SetInsertPoint(entry);
  Instruction *marker = t.b.CreateAlloca(t.b.getInt1Ty(), lgc::AddrSpace::Private);
  current.allocaPoint = marker;
  forgetLinkedConstants(t);
  t.b.SetInsertPoint(marker);
  describeParameters(t, function);
  for (const spirv::Block &block : function.blocks) {
    t.b.SetInsertPoint(current.blocks[block.label]);
    KILN_TRY(translateBlock(t, block));
  }
  KILN_TRY(completePhis(t));
  marker->eraseFromParent();
  current.allocaPoint = nullptr;
  return Error::success();
}

} // namespace llpc
