//===- ShaderSelector.h - the choice of instructions for a shader ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// Walks the blocks in the order of Flow and appends instructions with units as operands. A value
/// is a list of dwords, each a constant, a register of a unit, or one of these negated; what only
/// rearranges dwords makes no instructions. A value of type i1 is a mask of lanes: all bits alike
/// where it is scalar, and without meaning for lanes that are not active.
/// A visit returns false for what is not known, and says so with refuse().
#pragma once

#include "lgc/direct/shader/Flow.h"
#include "lgc/direct/shader/Locations.h"
#include "lgc/direct/shader/Program.h"
#include "llvm/IR/Instructions.h"

namespace llvm {
class DataLayout;
}

namespace lgc::direct {

/// Thirty-two bits of a value; of a float, what instructions do to it while they read it.
struct Word {
  Operand operand; ///< None: undefined
  bool isNegated = false, isAbsolute = false;

  bool isUndefined() const { return operand.kind == Operand::Kind::None; }
  bool isConstant() const { return operand.isConstant(); }
  bool isPlain() const { return !isNegated && !isAbsolute; }
  static Word constant(uint32_t value) { return {Operand::constant(value)}; }
};
using Words = llvm::SmallVector<Word, 4>;

class ShaderSelector {
public:
  ShaderSelector(const llvm::Function &function, const Flow &flow, const Locations &locations,
                 Program &program, std::string &refusal);

  /// False: something is not known.
  bool run();
  uint32_t ldsBytes() const { return ldsSize; }

private:
  // Blocks (ShaderSelector.cpp)
  void findNeeded();
  void defineArguments();
  bool placeLds();
  bool selectBlock(uint32_t block);
  bool selectInstruction(const llvm::Instruction &inst);
  bool isFolded(const llvm::Instruction &inst) const;
  bool refuse(llvm::StringRef what);
  bool refuse(const llvm::Instruction &inst);

  // Control flow (SelectFlow.cpp)
  void enterBlock(uint32_t block);
  bool endBlock(uint32_t block);
  bool endWithBranch(uint32_t block, const llvm::BranchInst &branch);
  bool endWithSwitch(uint32_t block, const llvm::SwitchInst &choice);
  bool readLanesOfSwitch(const llvm::SwitchInst &choice, Words &lanes);
  void branchByScc(uint32_t block, uint32_t yes, uint32_t no);
  void branchByMask(uint32_t block, const Operand &condition, uint32_t yes, uint32_t no);
  void leaveTo(uint32_t target, const Operand &lanes);
  void goOn(uint32_t block);
  void jump(uint32_t target) { emit(Opcode::SBranch, {Operand::block(entryOf[target])}); }
  void emitEnd();
  /// A block that only ends the shader.
  uint32_t endBlockNumber() const { return static_cast<uint32_t>(program.blocks.size() - 1); }
  bool copyPhis(const llvm::BasicBlock *from, const llvm::BasicBlock *to);
  struct Move {
    Operand to;
    Word from;
    bool isMask, isMerged;
  };
  void move(const Move &move);
  void mergeMask(const Operand &to, const Operand &from);
  void moveAll(llvm::SmallVectorImpl<Move> &moves);
  Operand maskOf(uint32_t block);
  Operand exec() const { return Operand::sgpr(regExec); }

  // Operands (SelectOperands.cpp)
  bool read(const llvm::Value *value, Words &words);
  bool readWord(const llvm::Value *value, Word &word);
  bool readConstant(const llvm::Constant &constant, Words &words);
  /// What the result of an instruction is. Always true.
  bool define(const llvm::Instruction &inst, Words words);
  void emit(Opcode opcode, llvm::ArrayRef<Operand> operands);
  Operand newSgprs(unsigned count = 1) {
    return Operand::unit(program.addUnit(Bank::Scalar, count, count == 1 ? 1 : count == 2 ? 2 : 4));
  }
  Operand newVgprs(unsigned count = 1) {
    return Operand::unit(program.addUnit(Bank::Vector, count));
  }
  Operand newMask() { return newSgprs(program.maskRegisters()); }
  bool isVgpr(const Operand &operand) const {
    return operand.isUnit() && program.units[operand.value].bank == Bank::Vector;
  }
  bool isSgpr(const Operand &operand) const {
    return operand.kind == Operand::Kind::Sgpr ||
           (operand.isUnit() && program.units[operand.value].bank == Bank::Scalar);
  }
  Operand part(const Operand &operand, unsigned index) const {
    return Operand::unit(operand.value, operand.index + index);
  }
  Words wordsOf(const Operand &first, unsigned count) const;
  Word plain(Word word);
  Operand toVgpr(Word word);
  Operand scalarSource(Word word);
  Operand toSgpr(Word word);
  Operand tuple(llvm::ArrayRef<Word> words, Bank bank);
  Operand pairSource(llvm::ArrayRef<Word> words, Bank bank);
  Word vector(Opcode opcode, llvm::ArrayRef<Word> sources);
  void vectorInto(Opcode opcode, llvm::ArrayRef<Operand> results, llvm::ArrayRef<Word> sources,
                  llvm::ArrayRef<Operand> last = {});
  Word scalar(Opcode opcode, llvm::ArrayRef<Word> sources);
  Operand laneMask(const Word &word);
  Word maskOp(Opcode wave32, Opcode wave64, llvm::ArrayRef<Word> sources);
  Opcode byWave(Opcode wave32, Opcode wave64) const { return program.isWave64() ? wave64 : wave32; }
  bool isVector(const llvm::Value *value) const { return locations.isVector(value); }

  // Integers and conversions (SelectIntegers.cpp)
  bool selectBinary(const llvm::Instruction &inst);
  bool selectBinary64(const llvm::Instruction &inst);
  bool selectMaskLogic(const llvm::Instruction &inst);
  bool selectCompare(const llvm::CmpInst &compare);
  bool emitScalarCompare(const llvm::CmpInst &compare, unsigned element);
  bool selectScalarChoice(const llvm::SelectInst &select, llvm::ArrayRef<Word> yes,
                          llvm::ArrayRef<Word> no);
  Word maskOfScc();
  bool selectSelect(const llvm::SelectInst &select);
  bool selectCast(const llvm::CastInst &cast);
  bool selectExtend(const llvm::CastInst &cast);
  bool selectConversion(const llvm::CastInst &cast);
  Words shift64(const llvm::Instruction &inst, Opcode scalarOp, Opcode vectorOp,
                llvm::ArrayRef<Word> number, const Word &count);

  // Floats (SelectFloats.cpp)
  const llvm::Instruction *foldedProduct(const llvm::Instruction &sum) const;
  bool selectFusedSum(const llvm::Instruction &sum, const llvm::Instruction &product);
  Word inTurns(const Word &angle);
  bool selectFloat(const llvm::Instruction &inst);
  bool selectDivision(const llvm::Instruction &inst);
  bool selectFloatCall(const llvm::CallInst &call);

  // Vectors (SelectVectors.cpp)
  bool selectExtract(const llvm::ExtractElementInst &extract);
  bool selectInsert(const llvm::InsertElementInst &insert);
  bool selectShuffle(const llvm::ShuffleVectorInst &shuffle);
  bool selectExtractValue(const llvm::ExtractValueInst &extract);

  // Calls (SelectCalls.cpp)
  bool selectCall(const llvm::CallInst &call);
  bool selectIntegerCall(const llvm::CallInst &call);
  bool selectBitField(const llvm::CallInst &call);
  bool selectCarry(const llvm::CallInst &call);
  bool selectBallot(const llvm::CallInst &call);
  bool selectLaneCount(const llvm::CallInst &call, Opcode opcode);
  bool selectGetPc(const llvm::CallInst &call);
  bool selectWorkgroupId(const llvm::CallInst &call);
  bool selectBarrier();
  bool selectFence(const llvm::FenceInst &fence);
  void emitFence(bool isLds, bool isMemory, bool isAcquire, bool isWorkgroup);
  void emitFence12(bool isLds, bool isMemory, bool isAcquire, bool isWorkgroup, bool isSystem,
                   bool isRelease);

  // Memory (SelectMemory.cpp, SelectBuffers.cpp, SelectLds.cpp)
  bool readAddress(const llvm::Value *pointer, Words &words, int64_t &offset);
  Words add64(llvm::ArrayRef<Word> a, llvm::ArrayRef<Word> b, bool isVector, bool isSubtraction);
  Words addOffset(const Words &pointer, int64_t offset);
  bool addScaled(Word index, uint32_t scale, bool isVector, Word &sum);
  bool selectOffset(const llvm::GetElementPtrInst &gep);
  bool selectLoad(const llvm::LoadInst &load);
  bool selectStore(const llvm::StoreInst &store);
  bool selectConstantLoad(const llvm::LoadInst &load);
  bool selectScalarBufferLoad(const llvm::CallInst &call);
  struct BufferAddress;
  Operand noScalarOffset() const;
  bool readPolicy(const llvm::Value &value, bool isAtomic, uint32_t &bits) const;
  bool readBuffer(const llvm::CallInst &call, unsigned first, BufferAddress &address);
  void setOffset(const Word &offset, BufferAddress &address);
  Words loadBuffer(unsigned count, const Operand &descriptor, const Word &offset);
  bool selectBufferLoad(const llvm::CallInst &call);
  bool selectBufferStore(const llvm::CallInst &call);
  bool selectBufferAtomic(const llvm::CallInst &call);
  struct LdsAddress;
  bool readLds(const llvm::Value *pointer, LdsAddress &address, unsigned bytes);
  void accessLds(bool isLoad, const Operand &data, unsigned count, const LdsAddress &address,
                 uint64_t alignment);
  bool selectLdsLoad(const llvm::LoadInst &load);
  bool selectLdsStore(const llvm::StoreInst &store);
  bool selectLdsAtomic(const llvm::AtomicRMWInst &atomic);
  bool selectLdsExchange(const llvm::AtomicCmpXchgInst &exchange);

  const llvm::Function &function;
  const llvm::DataLayout &layout;
  const Flow &flow;
  const Locations &locations;
  Program &program;
  std::string &refusal;
  llvm::DenseMap<const llvm::Value *, Words> known;
  /// Bytes that are to be added to a pointer yet.
  llvm::DenseMap<const llvm::Value *, int64_t> pointerOffsets;
  llvm::DenseMap<const llvm::Value *, uint32_t> ldsPlaces; ///< offsets of variables
  llvm::DenseSet<const llvm::Value *> needed;
  std::vector<uint32_t> entryOf, bodyOf; ///< machine blocks by blocks of Flow
  std::vector<Operand> masks;            ///< by blocks of Flow; None: not yet
  std::vector<MachineOp> *ops = nullptr;
  uint32_t current = 0; ///< block of Flow
  uint32_t ldsSize = 0;
};

/// Dwords of a value; 0: types that are not known.
unsigned dwordsOf(const llvm::Type *type);

} // namespace lgc::direct
