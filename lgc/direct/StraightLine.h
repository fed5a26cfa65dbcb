//===- StraightLine.h - instructions in a row and their registers ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// Code without branches: virtual VGPRs, an order that has loads in flight together, waits for
/// them, real registers. Users (Select.h) append instructions in any order in which results come
/// before their uses.
///
///   Scalar   what loads descriptors, and does not wait
///   Early    vector instructions that need no data of vertices
///   Load     loads of such data
///   Late     what needs it, or is exported
///   Export   exports
///
/// Registers. Every VGPR has an interval from its definition to its last use; results of the
/// function live to the end. Tuples are placed where the function's results have to be, if nothing
/// else is there meanwhile, and else in the first registers that are free, from which they are
/// moved at the end. Nothing is spilled: what does not fit fails, and is left to LLVM.
#pragma once

#include "lgc/direct/Encoder.h"
#include <optional>
#include <vector>

namespace lgc::direct::glue {

/// Thirty-two bits that an instruction reads.
struct Word {
  enum class Kind : uint8_t { Undefined, Constant, Sgpr, Vgpr };
  Kind kind = Kind::Undefined;
  uint32_t number = 0; ///< the constant, the SGPR, the virtual VGPR

  bool isVgpr() const { return kind == Kind::Vgpr; }
  bool isSgpr() const { return kind == Kind::Sgpr; }
  bool isConstant() const { return kind == Kind::Constant; }
  bool operator==(const Word &) const = default;
};

enum class Stage : uint8_t { Scalar, Early, Load, Late, Export };

struct Operand {
  enum class Role : uint8_t {
    Result, ///< {V}, written: first of `count`
    Vgpr,   ///< {V}
    Source, ///< {X}
    Export, ///< {E}; Undefined: nothing
    Pair,   ///< {P}; Undefined: nothing
    Number, ///< anything else, in `word.number`; SGPRs as well
  };
  Role role;
  Word word;
  unsigned count = 1;

  static Operand result(Word first, unsigned count = 1) { return {Role::Result, first, count}; }
  static Operand vgpr(Word word) { return {Role::Vgpr, word}; }
  static Operand source(Word word) { return {Role::Source, word}; }
  static Operand number(uint32_t value) { return {Role::Number, {Word::Kind::Constant, value}}; }
  static Operand sgpr(uint32_t first) { return {Role::Number, {Word::Kind::Sgpr, first}}; }
};

/// What there is to know about finished code.
struct CodeFacts {
  unsigned instructions = 0;
  unsigned sgprs = 0, vgprs = 0;  ///< numbers of registers, the arguments included
  bool vectorReadsScalar = false; ///< a vector instruction reads an SGPR
  bool readsMask = false;         ///< a vector instruction reads one as a mask of lanes
  /// The last thing that writes a result of the function is a vector instruction.
  bool endsWithVector = false;
};

class StraightLine {
public:
  StraightLine(unsigned gfxMajor, unsigned sgprArguments, unsigned vgprArguments);

  /// The VGPR that the function starts with.
  Word argument(uint32_t vgpr) const { return {Word::Kind::Vgpr, vgpr}; }
  /// New virtual VGPRs, numbered in a row; they are one tuple.
  Word newVgprs(unsigned count = 1);
  /// SGPRs that nothing else has; nothing: there are no more.
  std::optional<uint32_t> newSgprs(unsigned count);

  /// \p stage: the earliest one. An instruction that needs a later one for its operands gets it;
  /// false: it cannot, or the SGPRs of a load are read in the first.
  [[nodiscard]] bool append(Stage stage, Opcode opcode, llvm::ArrayRef<Operand> operands);
  /// The earliest stage of what reads the word.
  Stage stageAfter(Word word) const;
  /// The function's result in that VGPR. Undefined: anything.
  void setResult(uint32_t vgpr, Word word);

  /// Appends the code to \p code; nothing: the registers do not suffice, or results would have to
  /// change places.
  std::optional<CodeFacts> finish(llvm::SmallVectorImpl<uint32_t> &code);

private:
  struct Instruction {
    Opcode opcode;
    Stage stage;
    llvm::SmallVector<Operand, maxOperands> operands;
  };
  struct Virtual {
    uint32_t tuple = 0;          ///< its first VGPR
    Stage stage = Stage::Scalar; ///< of the instruction that writes it
    int from = -1;               ///< position of that instruction
    int to = -1;                 ///< position of the last use
    int place = -1;              ///< the register
  };
  struct Interval {
    int from, to;
  };

  void appendResults();
  void findIntervals();
  bool isFree(int vgpr, const Virtual &value) const;
  bool placeTuple(uint32_t tuple, unsigned count, int base);
  bool placeAtResult(uint32_t tuple, unsigned count);
  bool placeAnywhere(uint32_t tuple, unsigned count);
  bool placeAll();
  bool moveResults();
  void emit(llvm::SmallVectorImpl<uint32_t> &code);
  void emitOne(llvm::SmallVectorImpl<uint32_t> &code, const Instruction &inst);
  void emitClause(llvm::SmallVectorImpl<uint32_t> &code, size_t index);
  uint32_t encoded(const Operand &operand) const;
  bool readsLoadedSgpr(const Instruction &inst) const;

  const unsigned gfxMajor, vgprArguments;
  unsigned nextSgpr;
  std::vector<Virtual> values;
  std::vector<Instruction> instructions;
  std::vector<Word> results; ///< by VGPR
  std::vector<bool> loadedSgprs;
  std::vector<std::vector<Interval>> busy; ///< by VGPR
  CodeFacts facts;
};

} // namespace lgc::direct::glue
