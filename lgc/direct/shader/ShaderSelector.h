//===- ShaderSelector.h - the choice of instructions for a shader ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// Walks the blocks in the order of Flow and appends instructions with units as operands. A value
/// is a list of dwords, each a constant, a register of a unit, or one of these negated; what only
/// rearranges dwords makes no instructions. A value of type i1 is a mask of lanes: all bits alike
/// where it is scalar, and without meaning for lanes that are not active.
/// A visit returns false for what is not known, and says so with refuse().
#pragma once

#include "lgc/direct/shader/AddressSum.h"
#include "lgc/direct/shader/Flow.h"
#include "lgc/direct/shader/Locations.h"
#include "lgc/direct/shader/Program.h"
#include "llvm/IR/Instructions.h"

namespace llvm {
class DataLayout;
class MemIntrinsic;
} // namespace llvm

namespace lgc::direct {

/// Thirty-two bits of a value; of a float, what instructions do to it while they read it.
struct Word {
  Operand operand; ///< None: undefined
  bool isNegated = false, isAbsolute = false;

  bool isUndefined() const { return operand.kind == Operand::Kind::None; }
  bool isConstant() const { return operand.isConstant(); }
  bool isPlain() const { return !isNegated && !isAbsolute; }
  static constexpr Word constant(uint32_t value) { return {Operand::constant(value)}; }
};
using Words = llvm::SmallVector<Word, 4>;

enum class MemoryAccess : uint8_t { Load, Store, Atomic };
struct MemoryPolicy;

/// Of integers of 32 bits.
enum class Arith : uint8_t {
  Add,
  Sub,
  Mul,
  MulHighU,
  MulHighI,
  And,
  Or,
  Xor,
  ShiftLeft,
  ShiftRight,
  ShiftRightI,
  MinI,
  MaxI,
  MinU,
  MaxU,
};

class ShaderSelector {
public:
  ShaderSelector(const llvm::Function &function, const Flow &flow, const Locations &locations,
                 Program &program, std::string &refusal);

  /// False: something is not known.
  bool run();
  uint32_t ldsBytes() const { return ldsSize; }

private:
  using CallSelector = bool (ShaderSelector::*)(const llvm::CallInst &);

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
  /// Is this a part that goes on to glue, with results in VGPRs?
  bool goesOn() const { return !function.getReturnType()->isVoidTy(); }
  bool selectResults(const llvm::ReturnInst &ret);
  void addEnd();
  uint32_t skipTarget(uint32_t block) const;
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

  // Stages of graphics pipelines (SelectFragment.cpp, SelectExports.cpp)
  void lookAtFragment();
  void noteExport(const llvm::CallInst &call);
  void addLastExport();
  bool hasPriorities() const;
  void beginStage();
  /// Null: something else.
  static CallSelector stageCallOf(const llvm::CallInst &call);
  bool selectAllLanes(const llvm::CallInst &call);
  bool selectExportWait(const llvm::CallInst &call);
  bool selectSleep(const llvm::CallInst &call);
  bool selectCounter(const llvm::CallInst &call);
  bool selectExitingWave(const llvm::CallInst &call);
  bool selectExportOfRow(const llvm::CallInst &call);
  bool selectKill(const llvm::CallInst &call);
  bool selectWholeQuads(const llvm::CallInst &call);
  bool selectLive(const llvm::CallInst &call);
  void setPrimitiveMask(const Word &mask);
  bool selectInterpolation(const llvm::CallInst &call);
  bool selectInterpolationInRegisters(const llvm::CallInst &call, const Operand &result);
  void keepLiveLanes();
  bool readExported(const llvm::CallInst &call, unsigned count, unsigned bits,
                    llvm::SmallVectorImpl<Operand> &operands);
  bool selectPack(const llvm::CallInst &call);
  bool selectMessage(const llvm::CallInst &call);
  bool selectSetRegister(const llvm::CallInst &call);
  struct ImageCall;
  bool readImageCall(llvm::StringRef intrinsic, ImageCall &image);
  bool imageData(const ImageCall &image, bool isGather, Operand &data);
  bool selectImage(const llvm::CallInst &call);
  bool selectExport(const llvm::CallInst &call);

  // Operands (SelectOperands.cpp)
  bool read(const llvm::Value *value, Words &words);
  /// Without modifiers; what is undefined is 0.
  bool readDefined(const llvm::Value *value, Words &words);
  bool readWord(const llvm::Value *value, Word &word);
  bool readConstant(const llvm::Constant &constant, Words &words);
  /// What the result of an instruction is. Always true.
  bool define(const llvm::Instruction &inst, Words words);
  void append(const MachineOp &op);
  void beginPlace(const llvm::Instruction *inst);
  void emit(Opcode opcode, llvm::ArrayRef<Operand> operands);
  Operand newSgprs(unsigned count = 1) {
    return Operand::unit(program.addUnit(Bank::Scalar, count, count == 1 ? 1 : count == 2 ? 2 : 4));
  }
  Operand newVgprs(unsigned count = 1) {
    const uint32_t unit = program.addUnit(Bank::Vector, count);
    program.units[unit].acrossIterations = isWholeWave;
    return Operand::unit(unit);
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
  void compareOrder64(llvm::CmpInst::Predicate predicate, llvm::ArrayRef<Word> a,
                      llvm::ArrayRef<Word> b);
  bool emitScalarCompare(const llvm::CmpInst &compare, unsigned element);
  bool selectScalarChoice(const llvm::SelectInst &select, llvm::ArrayRef<Word> yes,
                          llvm::ArrayRef<Word> no);
  Word maskOfScc();
  bool selectSelect(const llvm::SelectInst &select);
  bool selectCast(const llvm::CastInst &cast);
  bool selectExtend(const llvm::CastInst &cast);
  Words shift64(const llvm::Instruction &inst, Opcode scalarOp, Opcode vectorOp,
                llvm::ArrayRef<Word> number, const Word &count);

  // Elements of any size, integers by word (SelectElements.cpp)
  using CastSelector = bool (ShaderSelector::*)(const llvm::CastInst &);
  bool isShortProduct(const llvm::Instruction &inst) const;
  Word integer(Arith op, const Word &left, const Word &right);
  void compareScalars(llvm::CmpInst::Predicate predicate, const Word &a, const Word &b);
  Word compareWords(llvm::CmpInst::Predicate predicate, const Word &left, const Word &right);
  Word compareMasks(llvm::CmpInst::Predicate predicate, const Word &a, const Word &b);
  Word choose(const Word &mask, const Word &yes, const Word &no);
  Word chooseBy(llvm::CmpInst::Predicate predicate, const Word &left, const Word &right,
                const Word &ifTrue, const Word &ifFalse);
  Word extended(const Word &word, unsigned bits, bool isSigned);
  Word packHalves(const Word &low, const Word &high);
  Words packed(llvm::ArrayRef<Word> halves);
  bool readElements(const llvm::Value *value, Words &words);
  bool readExtended(const llvm::Value *value, bool isSigned, Words &words);
  bool defineElements(const llvm::Instruction &inst, const Words &words);
  bool selectNarrowBinary(const llvm::Instruction &inst);
  bool readCompared(const llvm::CmpInst &compare, Words &a, Words &b);
  bool selectMaskCompare(const llvm::CmpInst &compare);
  bool selectTruncateToMask(const llvm::CastInst &cast);
  bool selectNarrowCast(const llvm::CastInst &cast);
  bool selectBytesCast(const llvm::CastInst &cast);
  CastSelector narrowCastOf(const llvm::CastInst &cast) const;

  // Division of integers (SelectDivision.cpp)
  std::pair<Word, Word> divide(const Word &x, const Word &y);
  Word divideByConstant(const Word &x, uint32_t y);
  Word divideSignedByConstant(const Word &x, int32_t y);
  Word divideSigned(const Word &x, const Word &y, bool isRemainder);
  bool selectIntegerDivision(const llvm::Instruction &inst);

  // Lanes (SelectLanes.cpp)
  static CallSelector laneCallOf(const llvm::CallInst &call);
  bool findWholeWave(const llvm::Value *value, const llvm::BasicBlock *block,
                     llvm::DenseSet<const llvm::Value *> &seen);
  bool findWholeWaves();
  bool setWave(const llvm::Instruction &inst);
  void leaveWholeWave();
  bool selectSetInactive(const llvm::CallInst &call);
  bool selectStrictWholeWave(const llvm::CallInst &call);
  bool selectDpp(const llvm::CallInst &call);
  bool selectPermuteRows(const llvm::CallInst &call);
  bool selectPermuteHalves(const llvm::CallInst &call);
  bool selectSwizzle(const llvm::CallInst &call);
  bool selectBackPermute(const llvm::CallInst &call);
  Word bitOfLane(const Word &mask, const Word &lane);
  bool selectReadLane(const llvm::CallInst &call);
  bool selectReadFirstLane(const llvm::CallInst &call);
  bool selectInverseBallot(const llvm::CallInst &call);

  // Integers of other sizes (SelectWide.cpp)
  static CallSelector integerCallOf(const llvm::CallInst &call);
  bool isAnyVgpr(llvm::ArrayRef<Word> words) const;
  Words multiply64(llvm::ArrayRef<Word> a, llvm::ArrayRef<Word> b);
  Word compare64(llvm::CmpInst::Predicate predicate, llvm::ArrayRef<Word> a,
                 llvm::ArrayRef<Word> b);
  Word zerosBeside(const Word &word, bool isLeading);
  Word onesOf(llvm::ArrayRef<Word> words);
  Word bytesReversed(const Word &word);
  std::pair<Word, Word> sumAndOverflow(const Word &a, const Word &b, bool isSum, bool isSigned);
  Words sum64(llvm::ArrayRef<Word> a, llvm::ArrayRef<Word> b, bool isDifference);
  Words multiplyHigh64(llvm::ArrayRef<Word> a, llvm::ArrayRef<Word> b);
  std::pair<Words, Words> divide64(llvm::ArrayRef<Word> x, llvm::ArrayRef<Word> y);
  Words rootOfDouble(const Word &x);
  Words divideDoubles(const Word &x, const Word &y);
  bool selectWideDivision(const llvm::Instruction &inst);
  bool selectWideSum(const llvm::CallInst &call);
  bool selectWideBinary(const llvm::Instruction &inst);
  bool selectWideCall(const llvm::CallInst &call);
  bool selectNarrowCall(const llvm::CallInst &call);
  bool selectFunnelShift(const llvm::CallInst &call);
  bool selectByteSwap(const llvm::CallInst &call);
  bool selectHalvesChoice(const llvm::SelectInst &select);
  bool selectSaturated(const llvm::CallInst &call);
  bool selectOverflow(const llvm::CallInst &call);
  bool selectLeadingSigns(const llvm::CallInst &call);
  bool selectThreeWay(const llvm::CallInst &call);

  // Two numbers of 16 bits at once (SelectPacked.cpp)
  std::optional<Opcode> packedOpcodeOf(const llvm::Instruction &inst) const;
  bool selectPacked(const llvm::Instruction &inst, Opcode opcode);

  // Floats of other sizes, and conversions (SelectFloatSizes.cpp, SelectConversions.cpp)
  static CallSelector floatCallOf(const llvm::CallInst &call);
  static CastSelector conversionOf(const llvm::CastInst &cast);
  std::optional<Word> doubleConstant(uint32_t low, uint32_t high) const;
  Word doubleSource(llvm::ArrayRef<Word> words);
  Words doubleResult(Opcode opcode, llvm::ArrayRef<Word> sources);
  bool selectHalf(const llvm::Instruction &inst);
  bool selectDouble(const llvm::Instruction &inst);
  bool selectOtherFloat(const llvm::Instruction &inst);
  bool selectOtherFloatCompare(const llvm::CmpInst &compare);
  bool selectHalfCall(const llvm::CallInst &call);
  bool selectDoubleCall(const llvm::CallInst &call);
  bool selectFrexp(const llvm::CallInst &call);
  bool selectCanonical(const llvm::CallInst &call);
  bool selectCube(const llvm::CallInst &call);
  Word floatOfWide(llvm::ArrayRef<Word> words, bool isSigned);
  Words doubleOfWide(llvm::ArrayRef<Word> words, bool isSigned);
  Words wideOfFloat(const Word &number, bool isSigned);
  Words wideOfDouble(const Word &number, bool isSigned);
  bool selectFloatOfInteger(const llvm::CastInst &cast);
  bool selectIntegerOfFloat(const llvm::CastInst &cast);
  bool selectFloatSize(const llvm::CastInst &cast);

  // Floats (SelectFloats.cpp)
  Word inTurns(const Word &angle);
  Word divideFloats(const Word &x, const Word &y);
  bool selectFloat(const llvm::Instruction &inst);
  bool selectFloatCall(const llvm::CallInst &call);

  // Rays and nodes (SelectRays.cpp)
  bool selectRayTest(const llvm::CallInst &call);
  bool selectWideRayTest(const llvm::CallInst &call);

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
  bool selectRelocation(const llvm::CallInst &call);
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
  Word addScaled(const Word &index, uint32_t scale, bool isVector, const Word &sum);
  bool selectOffset(const llvm::GetElementPtrInst &gep);
  bool selectLoad(const llvm::LoadInst &load);
  bool selectStore(const llvm::StoreInst &store);
  bool selectConstantLoad(const llvm::LoadInst &load);
  bool selectScalarBufferLoad(const llvm::CallInst &call);
  // (SelectLoads.cpp)
  struct ScalarLoad;
  bool readScalarLoad(const llvm::Instruction &inst, ScalarLoad &load) const;
  static size_t countTouching(llvm::ArrayRef<ScalarLoad> loads, size_t first);
  void findTouchingLoads(const llvm::BasicBlock &block);
  bool readTouchingLoad(const llvm::Instruction &inst, Words &words);
  struct BufferAddress;
  Operand noScalarOffset() const;
  bool readPolicy(uint64_t value, MemoryAccess access, MemoryPolicy &policy) const;
  void beginStore(const MemoryPolicy &policy);
  void endAccess(MemoryAccess access, const MemoryPolicy &policy);
  bool readBuffer(const llvm::CallInst &call, unsigned first, bool hasIndex, MemoryAccess access,
                  BufferAddress &address);
  void setOffset(const Word &offset, BufferAddress &address);
  bool readOffset(const llvm::Value *value, BufferAddress &address);
  /// Of this block: a VGPR with the sum of terms and a constant.
  struct AddressBase {
    AddressSum sum;
    Operand base;
  };
  AddressSum addressSum(const llvm::Value *value) const;
  const AddressBase *findBase(const AddressSum &sum, uint32_t farthest) const;
  void rememberBase(AddressSum sum, uint32_t offset, const Operand &base);
  Words loadBuffer(unsigned count, const Operand &descriptor, const Word &offset);
  bool selectBuffer(const llvm::CallInst &call);
  Operand ownTuple(llvm::ArrayRef<Word> words);
  bool selectBufferAtomic(const llvm::CallInst &call);
  struct LdsAddress;
  bool readLds(const llvm::Value *pointer, LdsAddress &address, unsigned bytes);
  void accessLds(bool isLoad, const Operand &data, unsigned count, const LdsAddress &address,
                 uint64_t alignment);
  bool selectLdsLoad(const llvm::LoadInst &load);
  bool selectLdsStore(const llvm::StoreInst &store);
  bool selectLdsAtomic(const llvm::AtomicRMWInst &atomic);
  bool selectLdsExchange(const llvm::AtomicCmpXchgInst &exchange);
  bool selectAtomic(const llvm::AtomicRMWInst &atomic);
  bool selectExchange(const llvm::AtomicCmpXchgInst &exchange);
  unsigned memoryDwords(llvm::Type *type) const;
  static uint64_t bitsAtOnce(uint64_t left, uint64_t most);
  llvm::Align alignmentOf(const llvm::Value *pointer, llvm::Align known) const;

  // Scratch (SelectScratch.cpp)
  bool placeScratch();
  void findScratch();
  bool beginScratch();
  bool selectAlloca(const llvm::AllocaInst &variable);
  void accessScratch(bool isLoad, const Operand &data, uint64_t bits, const Words &words,
                     int64_t offset);
  bool selectBlockOfMemory(const llvm::MemIntrinsic &block);
  bool selectScratchLoad(const llvm::LoadInst &load);
  bool selectScratchStore(const llvm::StoreInst &store);

  // Global memory (SelectGlobal.cpp; scale64: SelectMemory.cpp)
  bool scale64(Words index, const llvm::APInt &scale, bool isVector, Words &product);
  struct GlobalAddress;
  GlobalAddress globalAddress(Words words, int64_t offset, unsigned bytes);
  void loadGlobal(const Operand &data, uint64_t bits, const Words &pointer, int64_t offset,
                  uint32_t policy);
  bool readGlobal(const llvm::Value *pointer, unsigned bytes, GlobalAddress &address);
  bool globalPolicy(MemoryAccess access, bool isAtomic, llvm::SyncScope::ID scope, bool isVolatile,
                    bool isStreamed, MemoryPolicy &policy);
  bool selectGlobalLoad(const llvm::LoadInst &load);
  bool selectGlobalStore(const llvm::StoreInst &store);
  bool selectGlobalAtomic(const llvm::AtomicRMWInst &atomic);
  bool selectGlobalExchange(const llvm::AtomicCmpXchgInst &exchange);
  Word equalWords(llvm::ArrayRef<Word> a, llvm::ArrayRef<Word> b);

  // Elements that are not known before (SelectDynamic.cpp)
  Words chooseAt(const Word &index, unsigned place, const Words &yes, const Words &no,
                 bool isVector, bool isMask);
  bool selectDynamicExtract(const llvm::ExtractElementInst &extract);
  bool selectDynamicInsert(const llvm::InsertElementInst &insert);

  // Constant arrays, clocks (SelectData.cpp)
  bool placeData();
  void beginData();
  bool readBits(const llvm::Constant &constant, llvm::Type *type, Words &words) const;
  bool readExpression(const llvm::ConstantExpr &expression, Words &words);
  bool readDataAddress(const llvm::Constant &pointer, Words &words, int64_t &offset) const;
  bool selectClock(const llvm::CallInst &call);

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
  llvm::DenseSet<const llvm::Instruction *> wholeWave; ///< what is computed for all lanes
  bool isWholeWave = false;                            ///< EXEC is all ones, and was activeLanes
  Operand activeLanes;
  std::vector<uint32_t> entryOf, bodyOf; ///< machine blocks by blocks of Flow
  std::vector<Operand> masks;            ///< by blocks of Flow; None: not yet
  /// By blocks of Flow: whose masks are saved at its end.
  std::vector<llvm::SmallVector<uint32_t, 1>> savedAtEnd;
  std::vector<MachineOp> *ops = nullptr;
  uint32_t place = 0; ///< in the source
  llvm::DenseMap<const llvm::DILocation *, uint32_t> placeNumbers;
  uint32_t current = 0; ///< block of Flow
  /// Scalar loads of this block that are one; the result: none yet.
  struct LoadRow {
    const llvm::Value *base;
    bool isPointer;
    uint32_t offset, dwords;
    Operand result;
  };
  llvm::SmallVector<LoadRow, 4> loadRows;
  llvm::DenseMap<const llvm::Instruction *, std::pair<unsigned, unsigned>>
      touchingLoads; ///< row, dword
  llvm::SmallVector<AddressBase, 4> addressBases;
  llvm::SmallVector<std::pair<Words, Operand>, 4> scalarRows; ///< of this block, by their words
  // Of fragment shaders; masks: None where they are not needed.
  bool isFragment = false, usesQuads = false, endsLanes = false;
  bool hasMemory = false; ///< an instruction that reads or writes memory has been emitted
  bool hasMessage = false;
  uint32_t lastBlock = noBlock;  ///< of Flow, with the last export
  uint32_t lastExport = noBlock; ///< of the program, with one that waves without lanes make
  uint32_t exportedLast = ~0u;   ///< target of that
  Operand live, running;
  uint32_t ldsSize = 0;
  llvm::DenseMap<const llvm::Value *, uint32_t> scratchPlaces; ///< offsets of allocas
  llvm::DenseMap<const llvm::Value *, uint32_t> dataPlaces;    ///< offsets of constants
  Words dataBase;
};

/// Dwords of a value; 0: types that are not known.
unsigned dwordsOf(const llvm::Type *type);

/// Scalar and vector compares of 32 bits.
std::pair<Opcode, Opcode> compareOpcodes(llvm::CmpInst::Predicate predicate);

} // namespace lgc::direct
