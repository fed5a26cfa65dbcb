//===- Module.h - a parsed and checked SPIR-V module ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The reader's result: words in host order, one Inst per instruction, and tables (definitions,
/// names, decorations, entry points, functions, blocks) that point into them. A Module that
/// parse() returned satisfies:
///  - every id is below the bound, defined at most once, and every id operand that is not a
///    forward reference the specification allows is defined before its use in module order;
///  - sections come in the order of "Logical Layout of a Module"; every operand list fits the
///    grammar (count, kinds, enumerants' parameters); strings are terminated inside the instruction;
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
#include <cstdint>
#include <memory>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <vector>

namespace llpc::spirv {

using Id = uint32_t;

/// Limits on what a module may contain; beyond them parse() returns LimitExceeded.
struct Limits {
  uint32_t maxBound = 4'194'303;      ///< SPIR-V 2.17 "Universal Limits" for the id bound
  uint32_t maxTypeDepth = 255;        ///< structure nesting (2.17) and any other type nesting
  uint32_t maxWords = 64u << 20;      ///< 256 MiB
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

class Module {
public:
  /// Reads a module. `bytes` need not be aligned. Either endianness is accepted.
  /// Errors: InvalidInput, LimitExceeded, Unsupported (a version above 1.6, a non-Vulkan memory or
  /// addressing model).
  static llvm::Expected<std::unique_ptr<Module>> parse(llvm::ArrayRef<uint8_t> bytes,
                                                       const Limits &limits = {});

  uint32_t version() const { return versionWord; } ///< 0x00010600 for 1.6
  uint32_t bound() const { return idBound; }
  llvm::ArrayRef<uint32_t> words() const { return moduleWords; }
  llvm::ArrayRef<Inst> instructions() const { return insts; }

  /// The defining instruction; null when nothing defines the id.
  const Inst *definition(Id id) const { return id < defs.size() ? defs[id] : nullptr; }
  llvm::StringRef name(Id id) const; ///< OpName, or empty
  llvm::StringRef memberName(Id structId, uint32_t member) const;
  llvm::ArrayRef<Decoration> decorations(Id id) const; ///< groups already expanded
  bool hasDecoration(Id id, spv::Decoration kind) const;
  /// Null when absent. Member decorations are found with their member number.
  const Decoration *findDecoration(Id id, spv::Decoration kind,
                                   uint32_t member = Decoration::noMember) const;
  bool hasCapability(spv::Capability capability) const;
  bool hasExtension(llvm::StringRef extension) const;
  llvm::ArrayRef<spv::Capability> capabilities() const { return declaredCapabilities; }
  llvm::ArrayRef<llvm::StringRef> extensions() const { return declaredExtensions; }
  spv::AddressingModel addressingModel() const { return addressing; }
  spv::MemoryModel memoryModel() const { return memory; }
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

private:
  friend class Reader;
  std::vector<uint32_t> moduleWords;
  std::vector<Inst> insts;
  std::vector<const Inst *> defs;
  std::vector<EntryPoint> entries;
  std::vector<Function> funcs;
  llvm::DenseMap<Id, uint32_t> functionIndex;
  std::vector<const Inst *> globalInsts;
  llvm::DenseMap<Id, llvm::SmallVector<Decoration, 2>> decorationMap;
  llvm::DenseMap<Id, llvm::StringRef> names;
  llvm::DenseMap<std::pair<Id, uint32_t>, llvm::StringRef> memberNames;
  llvm::DenseMap<Id, llvm::StringRef> strings;
  llvm::DenseMap<Id, llvm::StringRef> extInstSets;
  std::vector<spv::Capability> declaredCapabilities;
  std::vector<llvm::StringRef> declaredExtensions;
  spv::AddressingModel addressing = spv::AddressingModel::Logical;
  spv::MemoryModel memory = spv::MemoryModel::GLSL450;
  uint32_t versionWord = 0;
  uint32_t idBound = 0;
};

/// The opcode's name, e.g. "OpIAdd"; "Op<number>" for numbers outside the grammar.
std::string opName(spv::Op opcode);

/// "OpVariable %12 (word 88)": the place prefix of every message about an instruction.
std::string place(const Inst &inst);

/// Names of enumerants for messages: "Shader", or the number when unknown.
std::string capabilityName(spv::Capability capability);

} // namespace llpc::spirv
