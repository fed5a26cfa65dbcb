//===- Module.h - a parsed and checked SPIR-V module ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The reader's result: words in host order, one Inst per instruction, and tables (definitions,
/// names, decorations, entry points, functions, blocks) that point into them. A Module that
/// parse() returned satisfies:
///  - every id is below the bound, defined at most once, and every id operand that is not a
///    forward reference the specification allows is defined before its use in module order;
///  - sections come in the order of "Logical Layout of a Module"; every operand list fits the
///    grammar (count, kinds, enumerants' parameters); strings are terminated inside the
///    instruction;
///  - type instructions refer to types, constants to types; type nesting is at most maxTypeDepth;
///  - each block ends with exactly one terminator and every branch target is a label of the same
///    function.
/// What it does not check: operand types of instructions (the translator does, per opcode).
/// No LLVM IR here, only Support.
#pragma once

#include "lgc/CompileError.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <vector>

namespace llpc::spirv {

using Id = uint32_t;

/// Limits on what a module may contain; beyond them parse() returns LimitExceeded.
struct Limits {
  uint32_t maxBound = 4'194'303; ///< SPIR-V 2.17 "Universal Limits" for the id bound
  uint32_t maxTypeDepth = 255;   ///< structure nesting (2.17) and any other type nesting
  uint32_t maxWords = 64u << 20; ///< 256 MiB
};

/// One instruction. `operands` excludes the result type and the result id.
struct Inst {
  spv::Op opcode = spv::Op::OpNop;
  Id typeId = 0;           ///< 0 when the opcode has no result type
  Id resultId = 0;         ///< 0 when the opcode has no result
  uint32_t wordOffset = 0; ///< of the first word, counted from the module's first word
  llvm::ArrayRef<uint32_t> operands;

  uint32_t operator[](size_t i) const { return operands[i]; }
  size_t size() const { return operands.size(); }
};

/// What a load or store by tensor addressing has behind its memory operands: places among its
/// operands, 0 where there is none.
struct TensorOperands {
  unsigned view = 0, decode = 0;
};
/// None: the operands end before.
inline std::optional<TensorOperands> tensorOperands(const Inst &inst) {
  constexpr uint32_t withOperand = 2 | 8 | 16 | 0x10000 | 0x20000; // bits of the memory operands
  size_t next = 3;
  if (inst.size() <= next)
    return std::nullopt;
  next += 1 + static_cast<size_t>(std::popcount(inst[next] & withOperand));
  if (inst.size() <= next)
    return std::nullopt;
  const uint32_t mask = inst[next++];
  TensorOperands result;
  if (mask & 1)
    result.view = static_cast<unsigned>(next++);
  if (mask & 2)
    result.decode = static_cast<unsigned>(next++);
  return next <= inst.size() ? std::optional(result) : std::nullopt;
}

/// Where among the operands the function is that an instruction calls; none: it calls nothing.
inline std::optional<unsigned> calleeOperand(const Inst &inst) {
  switch (inst.opcode) {
  case spv::Op::OpCooperativeMatrixLoadTensorNV: {
    const auto tensor = tensorOperands(inst);
    return tensor && tensor->decode ? std::optional(tensor->decode) : std::nullopt;
  }
  case spv::Op::OpFunctionCall:
    return 0;
  case spv::Op::OpCooperativeMatrixPerElementOpNV:
    return 1;
  case spv::Op::OpCooperativeMatrixReduceNV:
    return 2;
  default:
    return std::nullopt;
  }
}

/// The function that a checked instruction calls, once or for each component of a matrix; 0: none.
inline Id calleeOf(const Inst &inst) {
  const auto operand = calleeOperand(inst);
  return operand ? inst[*operand] : 0;
}

struct Decoration {
  spv::Decoration kind;
  uint32_t member;                   ///< noMember for decorations of the whole id
  llvm::ArrayRef<uint32_t> operands; ///< literals, or ids for OpDecorateId
  static constexpr uint32_t noMember = ~0u;
};

struct ExecutionMode {
  spv::ExecutionMode mode;
  llvm::ArrayRef<uint32_t> operands; ///< literals, or ids for OpExecutionModeId
  bool isId;
};

struct EntryPoint {
  spv::ExecutionModel model;
  Id function;
  llvm::StringRef name;
  llvm::ArrayRef<uint32_t> interfaceIds;
  llvm::SmallVector<ExecutionMode, 4> modes;
  uint32_t wordOffset;
};

struct Block {
  Id label;
  /// Instructions after OpLabel up to and including the terminator. OpLine/OpNoLine stay in.
  llvm::ArrayRef<Inst> insts;
};

struct Function {
  const Inst *definition; ///< OpFunction
  llvm::SmallVector<const Inst *, 4> parameters;
  std::vector<Block> blocks; ///< empty: a declaration (import)
};

/// What is known of one id. Positions are indices, so that an entry stays small.
struct IdInfo {
  uint32_t definition = 0;      ///< index into the instructions plus 1; 0: not defined
  uint32_t nameInst = 0;        ///< index of its OpName plus 1; 0: none
  uint32_t decorationBegin = 0; ///< index into the pool plus 1; 0: none
  uint32_t decorationCount = 0;
  uint16_t typeDepth = 0;
  bool isForwardPointer = false; ///< declared by OpTypeForwardPointer
  bool decorationsSorted = false;
  bool hasMatrix = false; ///< cooperative matrices are in the type, or decide a constant's value
};

/// Id -> IdInfo in pages that exist only where an id is in use: a module that claims a bound of
/// millions but holds few instructions costs what its instructions cost.
class IdTable {
public:
  void setBound(uint32_t bound) { pages.resize((bound + pageSize - 1) / pageSize); }
  /// Null when the id is beyond the bound or its page was never written.
  const IdInfo *find(Id id) const {
    size_t page = id / pageSize;
    return page < pages.size() && pages[page] ? &pages[page][id % pageSize] : nullptr;
  }
  /// `id` must be below the bound.
  IdInfo &get(Id id) {
    std::unique_ptr<IdInfo[]> &page = pages[id / pageSize];
    if (!page)
      page = std::make_unique<IdInfo[]>(pageSize);
    return page[id % pageSize];
  }

private:
  static constexpr uint32_t pageSize = 128;
  std::vector<std::unique_ptr<IdInfo[]>> pages;
};

class Module {
public:
  /// Reads a module. `bytes` need not be aligned. Either endianness is accepted.
  /// Errors: InvalidInput, LimitExceeded, Unsupported (a version above 1.6, a non-Vulkan memory or
  /// addressing model).
  static llvm::Expected<std::unique_ptr<Module>> parse(llvm::ArrayRef<uint8_t> bytes,
                                                       const Limits &limits = {});

  uint32_t version() const { return versionWord; } ///< 0x00010600 for 1.6
  uint32_t bound() const { return idBound; } ///< above the header's where the reader adds types
  llvm::ArrayRef<uint32_t> words() const { return moduleWords; }
  llvm::ArrayRef<Inst> instructions() const { return insts; }

  /// The defining instruction; null when nothing defines the id.
  const Inst *definition(Id id) const {
    const IdInfo *info = ids.find(id);
    return info && info->definition ? &insts[info->definition - 1] : nullptr;
  }
  /// IdInfo::hasMatrix
  bool hasMatrix(Id id) const {
    const IdInfo *info = ids.find(id);
    return info && info->hasMatrix;
  }
  /// Has the pointer no type, or none in the module as it was given? What is accessed through it
  /// has the type that the access says.
  bool isUntypedPointer(Id id) const;
  llvm::StringRef name(Id id) const; ///< OpName, or empty
  llvm::StringRef memberName(Id structId, uint32_t member) const;
  /// Groups already expanded. Decorations of the whole id come last, those of members before, by
  /// ascending member; each in module order.
  llvm::ArrayRef<Decoration> decorations(Id id) const;
  /// The part of decorations() that belongs to one member, or to the id itself for noMember.
  llvm::ArrayRef<Decoration> decorations(Id id, uint32_t member) const;
  /// Of the whole id; member decorations do not count.
  bool hasDecoration(Id id, spv::Decoration kind) const;
  /// Null when absent. Member decorations are found with their member number.
  const Decoration *findDecoration(Id id, spv::Decoration kind,
                                   uint32_t member = Decoration::noMember) const;
  /// Declared, or implied by a declared one (Geometry implies Shader).
  bool hasCapability(spv::Capability capability) const;
  bool hasExtension(llvm::StringRef extension) const;
  llvm::ArrayRef<spv::Capability> capabilities() const { return declaredCapabilities; }
  llvm::ArrayRef<llvm::StringRef> extensions() const { return declaredExtensions; }
  /// The name given to OpExtInstImport, e.g. "GLSL.std.450"; empty when the id is no import.
  llvm::StringRef extInstSet(Id importId) const;

  llvm::ArrayRef<EntryPoint> entryPoints() const { return entries; }
  /// Null when there is no such entry point.
  const EntryPoint *findEntryPoint(spv::ExecutionModel model, llvm::StringRef entryName) const;
  llvm::ArrayRef<Function> functions() const { return funcs; }
  const Function *findFunction(Id id) const;
  /// Types, constants, OpUndef and global variables in module order.
  llvm::ArrayRef<const Inst *> globals() const { return globalInsts; }
  /// OpString text or empty.
  llvm::StringRef stringOf(Id id) const;
  /// Nesting depth of a type: 1 for scalars and for anything behind OpTypeForwardPointer, else one
  /// more than the deepest operand; 0 for ids that are no type. At most Limits::maxTypeDepth. Types
  /// reached through forward pointers may still form cycles.
  uint32_t typeDepth(Id id) const {
    const IdInfo *info = ids.find(id);
    return info ? info->typeDepth : 0;
  }

private:
  friend class Reader;
  struct MemberName {
    Id structId;
    uint32_t member;
    llvm::StringRef text;
  };
  std::vector<uint32_t> moduleWords;
  std::vector<Inst> insts; ///< never grows after the first pointer into it is taken
  IdTable ids;
  std::vector<Decoration> decorationPool; ///< grouped by id, see IdInfo
  std::vector<MemberName> memberNames;    ///< sorted by id and member
  std::vector<EntryPoint> entries;
  std::vector<Function> funcs;
  llvm::DenseMap<Id, uint32_t> functionIndex;
  std::vector<const Inst *> globalInsts;
  llvm::SmallVector<spv::Capability, 16> allCapabilities; ///< declared and implied
  std::vector<spv::Capability> declaredCapabilities;
  std::vector<llvm::StringRef> declaredExtensions;
  uint32_t versionWord = 0;
  uint32_t idBound = 0, declaredBound = 0;
  std::vector<std::unique_ptr<uint32_t[]>> ownOperands; ///< that are nowhere in the words
};

/// The opcode's name, e.g. "OpIAdd"; "Op<number>" for numbers outside the grammar.
std::string opName(spv::Op opcode);

/// "OpVariable %12 (word 88)": the place prefix of every message about an instruction.
std::string place(const Inst &inst);

/// The constants that a constant instruction is made of; empty for those that stand alone.
llvm::ArrayRef<Id> constituents(const Inst &inst);

/// The text of a literal string operand that begins at operands[first]; it ends before the last
/// byte of the instruction (parse() has checked that).
llvm::StringRef literalString(llvm::ArrayRef<uint32_t> operands, size_t first = 0);

/// Names of enumerants for messages: "Shader", or the number when unknown.
std::string capabilityName(spv::Capability capability);

} // namespace llpc::spirv
