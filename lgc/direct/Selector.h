//===- Selector.h - the choice of instructions, by operation --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Inside of Select.h. A visit returns false for what is not known; what has been appended by then
/// is thrown away.
#pragma once

#include "lgc/direct/Select.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"

namespace lgc::direct::glue {

inline constexpr unsigned halfBits = 16;

/// A value by dwords. A pair of 16 bits that was put together from two values stands apart until
/// it is needed as a dword; a value of 16 bits is a dword whose high half means nothing.
struct Parts {
  llvm::SmallVector<Word, 4> words;
  bool isPair = false; ///< two words, each with 16 bits
};

/// A pointer of scalar loads.
struct Address {
  uint32_t base = 0; ///< first SGPR of the pair
  uint64_t offset = 0;
};

inline Word constantWord(uint32_t value) { return {Word::Kind::Constant, value}; }

class Selector {
public:
  Selector(const llvm::Function &function, unsigned gfxMajor, unsigned waveSize)
      : function(function), gfxMajor(gfxMajor), waveSize(waveSize), sgprs(countSgprs(function)),
        line(gfxMajor, sgprs, static_cast<unsigned>(function.arg_size()) - sgprs) {}

  std::optional<CodeFacts> run(llvm::SmallVectorImpl<uint32_t> &code);

private:
  static unsigned countSgprs(const llvm::Function &function);

  void findNeeded();
  bool visit(const llvm::Instruction &inst);
  bool visitCall(const llvm::CallInst &call);
  bool visitAssembly(const llvm::CallInst &call);
  bool visitCast(const llvm::CastInst &cast);
  bool visitExtend(const llvm::CastInst &cast, Opcode opcode);
  bool visitAdd(const llvm::BinaryOperator &add);
  bool visitOr(const llvm::BinaryOperator &either);
  bool visitMultiply(const llvm::BinaryOperator &product);
  bool visitShift(const llvm::BinaryOperator &shift);
  bool visitWiden(const llvm::CastInst &cast);
  bool visitSubtract(const llvm::CallInst &call);
  bool visitDivide(const llvm::BinaryOperator &divide);
  bool visitExtract(const llvm::ExtractElementInst &extract);
  bool visitInsert(const llvm::InsertElementInst &insert);
  bool visitPointer(const llvm::IntToPtrInst &cast);
  bool visitOffset(const llvm::GetElementPtrInst &offset);
  bool visitLoad(const llvm::LoadInst &load);
  bool visitSelect(const llvm::SelectInst &choice);
  std::optional<uint32_t> maskOf(const llvm::ICmpInst &compare);
  std::optional<uint32_t> descriptorOf(const llvm::Value *value);
  bool visitBufferLoad(const llvm::CallInst &call, bool isTyped);
  unsigned usedComponents(const llvm::Value &value) const;
  bool visitPack(const llvm::CallInst &call, Opcode opcode);
  bool visitExport(const llvm::CallInst &call);
  bool visitReturn(const llvm::ReturnInst &ret);
  bool returnValue(const llvm::Value *value);

  bool read(const llvm::Value *value, Parts &parts);
  bool readConstant(const llvm::Constant &constant, Parts &parts);
  bool readWord(const llvm::Value *value, Word &word);
  bool joinPair(Parts &parts);
  bool toVgpr(Word &word);
  bool toSource(Word &word);
  bool define(const llvm::Value &value, Opcode opcode, llvm::ArrayRef<Operand> operands);
  bool emit(Stage stage, Opcode opcode, llvm::ArrayRef<Operand> operands) {
    return line.append(stage, opcode, operands);
  }
  bool addScalar(Word to, Word scalar, Word vector);

  const llvm::Function &function;
  const unsigned gfxMajor, waveSize, sgprs;
  StraightLine line;
  llvm::DenseMap<const llvm::Value *, Parts> known;
  llvm::DenseMap<const llvm::Value *, Address> addresses;
  llvm::DenseMap<const llvm::Value *, uint32_t> masks;       ///< SGPRs of what was compared
  llvm::DenseMap<const llvm::Value *, uint32_t> descriptors; ///< first SGPRs of those put together
  llvm::DenseMap<uint32_t, Word> copies;                     ///< VGPRs by the SGPR that they hold
  llvm::DenseMap<const llvm::Value *, bool> needed;
};

} // namespace lgc::direct::glue
