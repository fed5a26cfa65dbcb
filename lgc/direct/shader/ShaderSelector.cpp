//===- ShaderSelector.cpp - the choice of instructions for a shader -------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/ShaderSelector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Alignment.h"

using namespace llvm;

namespace lgc::direct {

namespace {

constexpr unsigned ldsSpace = 3;

/// An instruction that must stay, whether or not anybody asks for its result.
bool isRoot(const Instruction &inst) {
  return inst.isTerminator() || inst.mayHaveSideEffects() || isa<FenceInst>(inst);
}

/// Vectors of bytes, which have a dword each here, but not in memory.
bool hasBytes(const Instruction &inst) {
  auto isBytes = [](const Type *type) {
    return type->isVectorTy() && type->getScalarSizeInBits() == 8;
  };
  return isBytes(inst.getType()) ||
         any_of(inst.operands(), [&](const Use &use) { return isBytes(use->getType()); });
}

} // namespace

unsigned dwordsOf(const Type *type) {
  if (const auto *vector = dyn_cast<FixedVectorType>(type)) {
    const unsigned bits = vector->getScalarSizeInBits();
    if (bits == 1)
      return vector->getNumElements();
    if (vector->getElementType()->isPointerTy())
      return vector->getNumElements() * dwordsOf(vector->getElementType());
    if (bits < 32) // bytes have a dword each
      return bits == 16  ? (vector->getNumElements() + 1) / 2
             : bits == 8 ? vector->getNumElements()
                         : 0;
    return vector->getNumElements() * bits / 32;
  }
  if (type->isPointerTy()) {
    switch (type->getPointerAddressSpace()) {
    case 3:
    case 5:
      return 1;
    case 8:
      return 4;
    case 0:
    case 1:
    case 4:
      return 2;
    default:
      return 0;
    }
  }
  const unsigned bits = static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue());
  const bool isKnown =
      bits == 1 || bits == 8 || bits == 16 || bits == 24 || (bits && bits % 32 == 0);
  return isKnown ? (bits + 31) / 32 : 0;
}

ShaderSelector::ShaderSelector(const Function &function, const Flow &flow,
                               const Locations &locations, Program &program, std::string &refusal)
    : function(function), layout(function.getParent()->getDataLayout()), flow(flow),
      locations(locations), program(program), refusal(refusal) {}

bool ShaderSelector::refuse(StringRef what) {
  if (refusal.empty())
    refusal = what.str();
  return false;
}

bool ShaderSelector::refuse(const Instruction &inst) {
  if (const auto *call = dyn_cast<CallInst>(&inst))
    return refuse(call->getIntrinsicID() ? Intrinsic::getBaseName(call->getIntrinsicID())
                                         : StringRef("a call"));
  std::string text;
  raw_string_ostream os(text);
  os << inst.getOpcodeName() << ' '
     << *(inst.getNumOperands() && inst.getType()->isVoidTy() ? inst.getOperand(0)->getType()
                                                              : inst.getType());
  return refuse(text);
}

// --- In front of everything

/// Nobody has removed everything that is not used.
void ShaderSelector::findNeeded() {
  std::vector<const Instruction *> open;
  auto add = [&](const Instruction *inst) {
    if (flow.isReached(inst->getParent()) && needed.insert(inst).second)
      open.push_back(inst);
  };
  for (const FlowBlock &block : flow.blocks())
    if (block.ir)
      for (const Instruction &inst : *block.ir)
        if (isRoot(inst))
          add(&inst);
  while (!open.empty()) {
    const Instruction *inst = open.back();
    open.pop_back();
    for (const Use &use : inst->operands())
      if (const auto *operand = dyn_cast<Instruction>(use.get()))
        add(operand);
  }
}

/// Arguments are in registers from 0 on, one dword each; of a fragment shader's those that
/// "InitialPSInputAddr" names (LowerPsInputs.cpp).
void ShaderSelector::defineArguments() {
  unsigned sgprs = 0, vgprs = 0, inputs = 0;
  const uint64_t enabled = function.getFnAttributeAsParsedInteger("InitialPSInputAddr");
  for (const Argument &argument : function.args()) {
    const bool isScalar = argument.hasInRegAttr();
    if (!isScalar && isFragment && !(enabled >> inputs++ & 1))
      continue; // nobody uses it
    Words &words = known[&argument];
    for (unsigned i = 0; i < dwordsOf(argument.getType()); ++i) {
      const uint32_t unit = program.addUnit(isScalar ? Bank::Scalar : Bank::Vector);
      program.units[unit].fixed = static_cast<int16_t>(isScalar ? sgprs++ : vgprs++);
      words.push_back({Operand::unit(unit)});
    }
  }
}

/// Variables of LDS stand in the order in which the module has them.
bool ShaderSelector::placeLds() {
  std::vector<const GlobalVariable *> variables;
  for (const GlobalVariable &variable : function.getParent()->globals())
    if (variable.getAddressSpace() == ldsSpace && !variable.use_empty())
      variables.push_back(&variable);
  auto alignmentOf = [&](const GlobalVariable *variable) {
    return variable->getAlign().value_or(layout.getABITypeAlign(variable->getValueType()));
  };
  for (const GlobalVariable *variable : variables) {
    if (variable->isDeclaration())
      return refuse("LDS whose size is not known");
    ldsSize = static_cast<uint32_t>(alignTo(ldsSize, alignmentOf(variable)));
    ldsPlaces[variable] = ldsSize;
    ldsSize += static_cast<uint32_t>(layout.getTypeAllocSize(variable->getValueType()));
  }
  return true;
}

// --- Blocks

/// A scalar compare that is made where its result is used.
bool ShaderSelector::isFolded(const Instruction &inst) const {
  if (isa<InsertValueInst>(inst) && inst.getType() == function.getReturnType())
    return true; // selectResults() looks for what it is made of
  if (!isa<ICmpInst>(inst) || isVector(&inst) || !inst.hasOneUse())
    return false;
  const auto *user = cast<Instruction>(*inst.user_begin());
  if (user->getParent() != inst.getParent() || !needed.count(user))
    return false;
  if (isa<BranchInst>(user))
    return true;
  const auto *select = dyn_cast<SelectInst>(user);
  return select && select->getCondition() == &inst && !isVector(select) &&
         !select->getType()->isVectorTy() && !select->getType()->isIntegerTy(1);
}

bool ShaderSelector::selectInstruction(const Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::ICmp:
  case Instruction::FCmp:
    return selectCompare(cast<CmpInst>(inst));
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FNeg:
  case Instruction::FDiv:
    return selectFloat(inst);
  case Instruction::Select:
    return selectSelect(cast<SelectInst>(inst));
  case Instruction::ExtractElement:
    return selectExtract(cast<ExtractElementInst>(inst));
  case Instruction::InsertElement:
    return selectInsert(cast<InsertElementInst>(inst));
  case Instruction::ShuffleVector:
    return selectShuffle(cast<ShuffleVectorInst>(inst));
  case Instruction::ExtractValue:
    return selectExtractValue(cast<ExtractValueInst>(inst));
  case Instruction::GetElementPtr:
    return selectOffset(cast<GetElementPtrInst>(inst));
  case Instruction::Load:
    return selectLoad(cast<LoadInst>(inst));
  case Instruction::Store:
    return selectStore(cast<StoreInst>(inst));
  case Instruction::AtomicRMW:
    return selectAtomic(cast<AtomicRMWInst>(inst));
  case Instruction::AtomicCmpXchg:
    return selectExchange(cast<AtomicCmpXchgInst>(inst));
  case Instruction::Alloca:
    return selectAlloca(cast<AllocaInst>(inst));
  case Instruction::Fence:
    return selectFence(cast<FenceInst>(inst));
  case Instruction::Call:
    return selectCall(cast<CallInst>(inst));
  case Instruction::Freeze: {
    Words words;
    if (!read(inst.getOperand(0), words))
      return false;
    // The same bits for every reader.
    for (Word &word : words)
      if (word.isUndefined())
        word = Word::constant(0);
    define(inst, words);
    return true;
  }
  default:
    if (isa<CastInst>(inst))
      return selectCast(cast<CastInst>(inst));
    return isa<BinaryOperator>(inst) ? selectBinary(inst) : refuse(inst);
  }
}

bool ShaderSelector::selectBlock(uint32_t index) {
  const FlowBlock &block = flow.blocks()[index];
  current = index;
  addressBases.clear();
  scalarRows.clear();
  if (block.ir)
    findTouchingLoads(*block.ir);
  beginPlace(block.ir ? &*block.ir->getFirstNonPHIIt() : nullptr);
  enterBlock(index);
  for (const auto &[from, to] : block.copiesAtStart)
    if (!copyPhis(from, to))
      return false;
  if (block.ir)
    for (const Instruction &inst : *block.ir) {
      if (inst.isTerminator())
        break;
      if (isa<PHINode>(inst) || !needed.count(&inst) || isFolded(inst))
        continue;
      if (inst.mayReadOrWriteMemory() && hasBytes(inst))
        return refuse("bytes in memory");
      if (!inst.getType()->isVoidTy() && !dwordsOf(inst.getType()) && !inst.getType()->isStructTy())
        return refuse(inst);
      beginPlace(&inst);
      if (!setWave(inst))
        return false;
      if (!selectInstruction(inst))
        return refuse(inst);
    }
  leaveWholeWave();
  for (const auto &[from, to] : block.copiesAtEnd)
    if (!copyPhis(from, to))
      return false;
  beginPlace(block.ir ? block.ir->getTerminator() : nullptr);
  return endBlock(index);
}

bool ShaderSelector::run() {
  const auto count = static_cast<uint32_t>(flow.blocks().size());
  if (goesOn() && count_if(function, [](const BasicBlock &block) {
                    return isa<ReturnInst>(block.getTerminator());
                  }) > 1)
    return refuse("a part with several ends");
  findNeeded();
  if (!findWholeWaves())
    return false;
  lookAtFragment();
  defineArguments();
  if (!placeLds() || !placeScratch() || !placeData())
    return false;
  // A header is entered by a block of its own, so that the jump back does not come by.
  masks.resize(count);
  savedAtEnd.resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    const FlowBlock &block = flow.blocks()[i];
    entryOf.push_back(static_cast<uint32_t>(program.blocks.size()));
    if (block.isHeader) {
      program.blocks.push_back({{}, flow.entryLoop(i)});
    }
    if (block.mask == MaskKind::Saved)
      savedAtEnd[block.savedAt].push_back(i);
    bodyOf.push_back(static_cast<uint32_t>(program.blocks.size()));
    program.blocks.push_back({{}, block.loop});
  }
  for (const FlowLoop &loop : flow.loops())
    program.loops.push_back({bodyOf[loop.first], bodyOf[loop.last], loop.parent});
  addLastExport();
  addEnd();
  ops = &program.blocks.front().ops;
  // Masks that several edges add to are empty in the beginning.
  for (uint32_t i = 0; i < count; ++i)
    if (flow.blocks()[i].mask == MaskKind::Accumulated)
      emit(byWave(Opcode::SMov, Opcode::SMov64), {maskOf(i), Operand::constant(0)});
  beginStage();
  beginData();
  if (!beginScratch())
    return false;
  for (uint32_t i = 0; i < count; ++i)
    if (!selectBlock(i))
      return false;
  return true;
}

} // namespace lgc::direct
