//===- Reader.h - checks a SPIR-V binary and fills a Module ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Private to llpc/spirv; users call Module::parse(). One pass over the words does, per
/// instruction: split (Reader.cpp), section order (Layout.cpp), operands against the grammar
/// (Operands.cpp) with the id rules (Ids.cpp), then the rules of its kind (Types.cpp,
/// Constants.cpp, Functions.cpp, Decorations.cpp, EntryPoints.cpp). What needs the whole module
/// (forward references, decoration groups, calls, entry points) is collected and checked after it.
///
/// The check functions return false after fail(): the first violation in module order is the one
/// reported. Why no Expected here: an instruction takes some ten nanoseconds to check, and a bool
/// costs nothing.
#pragma once

#include "llpc/spirv/Grammar.h"
#include "llpc/spirv/Module.h"

namespace llpc::spirv {

/// The sections of "Logical Layout of a Module", in order.
enum class Section : uint8_t {
  Start,
  Capability,
  Extension,
  ExtInstImport,
  MemoryModel,
  EntryPoint,
  ExecutionMode,
  DebugSource,
  DebugName,
  ModuleProcessed,
  Annotation,
  Global,
  Function,
  Anywhere, ///< OpNop, OpLine, OpNoLine
  Flexible, ///< Global before the first function, else Function
};

class Reader {
public:
  /// \p kernels: modules of the Kernel dialect are taken, too (KernelDialect.h).
  Reader(Module &module, const Limits &limits, bool kernels)
      : module(module), limits(limits), kernels(kernels) {}
  /// False after an error; see takeError().
  bool run(llvm::ArrayRef<uint8_t> bytes);
  llvm::Error takeError() { return lgc::makeError(failure.kind, failure.message); }

private:
  // Reader.cpp
  bool readWords(llvm::ArrayRef<uint8_t> bytes);
  bool readHeader();
  bool countInstructions(uint32_t &count, uint32_t &untypedVariables);
  bool splitInstruction(uint32_t wordOffset, Inst &inst, const OpInfo *&info);
  bool readInstruction(Inst &inst, const OpInfo &info);
  bool checkInstruction(const Inst &inst, const OpInfo &info);
  bool checkModuleEnd();
  bool fail(lgc::ErrorKind kind, const llvm::Twine &message);
  bool invalid(const llvm::Twine &message) { return fail(lgc::ErrorKind::InvalidInput, message); }
  bool invalid(const Inst &inst, const llvm::Twine &message);
  bool unsupportedInst(const Inst &inst, const llvm::Twine &message);

  // Layout.cpp
  bool checkLayout(const Inst &inst, const OpInfo &info);
  bool supports(spv::Capability capability) const;
  bool supports(const EnumInfo &info) const;
  bool checkCapability(const Inst &inst);
  bool checkExtension(const Inst &inst);
  bool checkMemoryModel(const Inst &inst);
  bool checkKernelModel(const Inst &inst);
  void addImpliedCapabilities(spv::Capability capability);

  // Operands.cpp
  bool checkOperands(const Inst &inst, const OpInfo &info);
  bool checkOperandList(const Inst &inst, llvm::ArrayRef<OperandSpec> specs, size_t &pos);
  bool checkOperand(const Inst &inst, OperandKind kind, size_t &pos);
  bool unsupportedEnum(const Inst &inst, OperandKind kind, const EnumInfo &info);
  bool checkEnum(const Inst &inst, OperandKind kind, size_t &pos);
  bool checkBits(const Inst &inst, OperandKind kind, size_t &pos);
  bool checkLiteral(const Inst &inst, OperandKind kind, size_t &pos);
  bool checkPair(const Inst &inst, const KindInfo &info, size_t &pos);
  bool checkSpecConstantOpcode(const Inst &inst, size_t &pos);
  bool addExtInstImport(const Inst &inst);
  bool checkExtInst(const Inst &inst);
  bool isNonSemanticInst(const Inst &inst) const;
  bool literalWidth(const Inst &inst, Id typeId, size_t &words);
  bool missingOperand(const Inst &inst, size_t pos, OperandKind kind);

  // Ids.cpp
  bool checkIdOperand(const Inst &inst, size_t pos);
  bool checkResultType(const Inst &inst);
  bool defineResult(const Inst &inst);
  bool checkForwardReferences();
  uint32_t indexOf(const Inst &inst) const { return &inst - module.insts.data(); }
  const Inst *typeOf(Id id) const; ///< the type instruction of a value; null when it has none
  bool isConstantId(Id id) const;

  // Types.cpp
  bool checkType(const Inst &inst);
  bool checkScalarType(const Inst &inst);
  bool checkVectorType(const Inst &inst);
  bool checkMatrixType(const Inst &inst);
  bool checkCooperativeMatrixType(const Inst &inst);
  bool checkImageType(const Inst &inst);
  bool checkSampledImageType(const Inst &inst);
  bool checkArrayType(const Inst &inst);
  bool checkArrayLength(const Inst &inst);
  bool checkRuntimeArrayType(const Inst &inst);
  bool checkStructType(const Inst &inst);
  bool checkPointerType(const Inst &inst);
  bool checkForwardPointer(const Inst &inst);
  bool checkFunctionType(const Inst &inst);
  bool checkElementType(const Inst &inst, size_t pos);
  bool checkTypeOperand(const Inst &inst, size_t pos);
  bool setTypeDepth(const Inst &inst, llvm::ArrayRef<uint32_t> parts);

  // Constants.cpp
  bool checkConstant(const Inst &inst);
  bool noteMatrix(const Inst &inst); ///< fills in IdInfo::hasMatrix; always true
  bool checkComposite(const Inst &inst);
  bool checkConstituents(const Inst &inst, llvm::function_ref<Id(size_t)> elementType);
  bool checkSpecConstantOp(const Inst &inst);
  bool checkVariable(const Inst &inst);
  bool checkUndef(const Inst &inst);
  // UntypedVariables.cpp
  bool typeVariable(Inst &inst);
  Id givenType(const Inst &inst) const;

  // Functions.cpp
  bool checkFunctionState(const Inst &inst);
  bool beginFunction(const Inst &inst);
  bool addParameter(const Inst &inst);
  bool beginBlock(const Inst &inst);
  bool addToBlock(const Inst &inst);
  bool checkPrefix(const Inst &inst);
  bool endBlock(const Inst &inst);
  bool endFunction(const Inst &inst);
  bool checkTargets();
  bool checkTarget(const Inst &inst, Id target, bool mayBeEntry);
  bool checkPhis();
  bool checkCalls();
  bool checkCall(const Inst &inst);
  bool checkRecursion();

  // Decorations.cpp
  bool checkAnnotation(const Inst &inst);
  bool addDecoration(const Inst &inst, bool isMember);
  bool addName(const Inst &inst);
  bool finishDecorations();
  bool expandGroups();
  bool checkMember(const Inst &inst, Id structId, uint32_t member);

  // EntryPoints.cpp
  bool addEntryPoint(const Inst &inst);
  bool addExecutionMode(const Inst &inst);
  bool finishEntryPoints();

  Module &module;
  const Limits &limits;
  const bool kernels;
  lgc::ErrorText failure;

  /// Ids of the types that the reader adds: from the header's bound on, one for each untyped
  /// variable.
  Id nextTypeId = 0;
  Section section = Section::Start;
  bool sawMemoryModel = false;
  /// Operand positions of the current instruction that may refer to later ids.
  size_t forwardBegin = 0, forwardEnd = 0;
  struct IdUse {
    Id id;
    uint32_t inst; ///< index into Module::insts
  };
  std::vector<IdUse> forwardUses;
  std::vector<const Inst *> forwardPointers;

  /// What an OpExtInstImport names. Kept per import: names can be long, their uses many.
  struct ExtSet {
    bool isNonSemantic = false;
    const ExtSetInfo *info = nullptr; ///< null: not in the tables
  };
  llvm::SmallDenseMap<Id, ExtSet, 4> extSets;

  enum class FunctionState : uint8_t { Outside, Header, BetweenBlocks, InBlock };
  enum class BlockPrefix : uint8_t { Phis, Variables, Body };
  FunctionState functionState = FunctionState::Outside;
  BlockPrefix blockPrefix = BlockPrefix::Body;
  bool sawFunctionBody = false;
  const Inst *currentType = nullptr; ///< OpTypeFunction of the current function
  const Inst *currentLabel = nullptr;
  const Inst *pendingMerge = nullptr; ///< the merge instruction just before this one
  bool functionHasPhis = false;
  std::vector<const Inst *> calls;

  struct RawDecoration {
    Id target;
    Decoration decoration;
    const Inst *inst;
  };
  std::vector<RawDecoration> rawDecorations;
  std::vector<const Inst *> groupUses; ///< OpGroupDecorate, OpGroupMemberDecorate
};

} // namespace llpc::spirv
