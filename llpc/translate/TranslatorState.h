//===- TranslatorState.h - tables of a Translator -------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What Translator's own files share and instruction handlers have no business with.
#pragma once

#include "llpc/translate/Interface.h"
#include "llpc/translate/Translator.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DIBuilder.h"
#include <map>

namespace llpc {

struct KernelInterface;

/// Upper bounds that keep hostile modules from exhausting memory or time.
namespace limits {
/// Elements one OpLoad/OpStore/OpCopyMemory/constant may expand to.
inline constexpr uint64_t maxAggregateElements = 1u << 16;
/// Bytes of one value or variable type.
inline constexpr uint64_t maxTypeBytes = 1ull << 30;
/// Bytes of all Function and Private variables together.
inline constexpr uint64_t maxPrivateBytes = 1u << 24;
/// Bytes of LDS (hardware limit of one workgroup).
inline constexpr uint64_t maxWorkgroupBytes = 1u << 16;
/// SPIR-V instructions after all calls are inlined.
inline constexpr uint64_t maxInlinedInstructions = 4u << 20;
} // namespace limits

/// Debug information under construction.
struct DebugState {
  explicit DebugState(llvm::Module &module) : builder(module) {}
  llvm::DIBuilder builder;
  llvm::DICompileUnit *unit = nullptr;
  llvm::DISubprogram *subprogram = nullptr; ///< of the current function
  std::map<Id, llvm::DIType *> types;       ///< by id; null: one that is not described
};

/// Elements that are all that is used of a load's result: OpCompositeExtracts, with their paths
/// from its type (PartialLoads.cpp).
struct Extracted {
  const Inst *extract;
  llvm::SmallVector<uint32_t, 4> path;
};
using PartialLoad = llvm::SmallVector<Extracted, 4>;

/// A copy that a variable always holds of what nobody writes (FixedVariables.cpp).
struct FixedCopy {
  const Inst *source;                         ///< the pointer to it
  llvm::SmallVector<const Inst *, 3> instead; ///< what need not be translated if there is no copy
};

struct TypedPointer {
  spv::StorageClass storage;
  Id pointeeId;
};

class OpenClLibrary;

struct Translator::State {
  State();
  ~State();

  const lgc::PipelineState *pipeline = nullptr; ///< with target and options of the shader
  const spirv::EntryPoint *entry = nullptr;
  bool xfbMode = false;          ///< execution mode Xfb
  bool hasWorkgroupSize = false; ///< known: matrices lie in waves of a size that follows from it
  bool hasInputPrimitive = false, hasOutputPrimitive = false; ///< declared (geometry, mesh)
  llvm::Function *entryFunction = nullptr;

  std::vector<llvm::Value *> values; ///< by id: constants, globals, results of this function
  std::vector<llvm::Type *> types;   ///< by id: value types
  std::vector<llvm::Type *> memoryTypes;
  llvm::DenseMap<Id, PointerInfo> pointers;
  llvm::DenseMap<Id, llvm::Function *> functions;
  // Ordered maps: LLVM's dense ones reserve two keys, and these come from the input.
  std::map<uint32_t, SpecConstant> specialization; ///< by SpecId
  llvm::DenseSet<Id> writtenVariables;      ///< resource variables that anything may write through
  std::map<uint64_t, bool> writtenBindings; ///< set << 32 | binding
  bool hasSmallFloats = false;              ///< a type of smallFloatOf() was made
  bool anyBufferWritten = false; ///< some store, atomic or escape of a buffer pointer exists
  bool workgroupExplicitLayout = false;
  llvm::GlobalVariable *workgroupBlock = nullptr; ///< shared storage of explicit-layout blocks
  llvm::GlobalVariable *matrixTiles = nullptr;    ///< of CooperativeMatrixWaves.cpp, if needed
  llvm::GlobalVariable *collectives = nullptr;    ///< WorkgroupCollectives.cpp; null: none yet
  std::unique_ptr<DebugState> debug;              ///< null: no debug information wanted
  Id taskPayload = 0;                             ///< the variable; 0: none is used
  uint64_t privateBytes = 0;
  uint64_t workgroupBytes = 0;
  std::vector<InterfaceVariable> interfaceVariables; ///< that are used, in order of first use
  llvm::DenseMap<Id, size_t> interfaceIndex;         ///< variable -> index of the above
  llvm::DenseMap<Id, uint32_t> locationCounts;       ///< by type id
  /// Direct variables -> what stands for pointers into them (Interface.h).
  llvm::MapVector<Id, llvm::GlobalVariable *> placeholders;
  std::map<uint32_t, llvm::Value *> barycentrics; ///< loadInputs(): mode * 2 + linear
  bool xfbDeclared[4] = {};                       ///< transform feedback buffers
  bool invariantOutputs = false;                  ///< some output is decorated Invariant
  lgc::FloatMode floatModes[3];                   ///< by floatModeIndex()

  /// The function being translated.
  struct Current {
    const spirv::Function *spv = nullptr;
    llvm::Function *function = nullptr;
    llvm::DenseMap<Id, llvm::BasicBlock *> blocks;    ///< label -> first LLVM block
    llvm::DenseMap<Id, const Inst *> loopMerges;      ///< by label of the header
    llvm::DenseMap<Id, llvm::BasicBlock *> blockEnds; ///< label -> block with the terminator
    std::vector<std::pair<llvm::PHINode *, const Inst *>> phis;
    /// Edges that exist only for reconvergence: from -> continue target.
    std::vector<std::pair<llvm::BasicBlock *, llvm::BasicBlock *>> extraEdges;
    llvm::DenseMap<Id, llvm::Value *> resources; ///< per function: variable -> handle or pointer
    llvm::DenseMap<Id, Id> constantTables;       ///< variable -> constant it always holds
    llvm::DenseMap<Id, FixedCopy> fixedCopies;   ///< by variable
    /// Variables of which there is no copy, and pointers into them: what these point to.
    llvm::DenseMap<Id, TypedPointer> placesInBlocks;
    llvm::DenseSet<const Inst *> leftOut; ///< instructions that nobody needs
    llvm::DenseMap<Id, PartialLoad> partialLoads;
    llvm::DenseMap<llvm::Type *, llvm::AllocaInst *> loopArrays; ///< of LoadStore.cpp
    /// What such loads need not give as a whole, and extracts that they have given already.
    llvm::DenseSet<Id> partialIds;
    llvm::Instruction *allocaPoint = nullptr; ///< in the LLVM entry block
    llvm::DenseMap<Id, Id> reconvergeBreaks;  ///< block label -> continue target (see ControlFlow)
    Id label = 0;                             ///< current SPIR-V block
  } current;

  /// Functions of the built-in library that a kernel calls; null: none.
  std::unique_ptr<OpenClLibrary> library;
  bool isLibrary = false; ///< the module is that library
  /// Instructions of each translated function after inlining, by id.
  llvm::DenseMap<Id, uint64_t> functionSizes;
  std::shared_ptr<const KernelInterface> kernelInterface; ///< see kernelInterfaceOf()
  std::vector<const Inst *> printfCalls;                  ///< of kernels

  uint32_t fastMathDefaults[3] = {}; ///< FPFastMathDefault, by floatModeIndex()
  bool hasFastMathDefaults = false;  ///< some type has one
};

/// Types.cpp
bool isBlockStruct(const spirv::Module &spv, Id typeId);
/// Pointee is a Block struct array: the pointer is a resource handle.
bool isHandlePointee(const spirv::Module &spv, Id pointeeId, spv::StorageClass storage);
bool isExplicitLayout(const Translator &t, spv::StorageClass storage);
unsigned pointerAddrSpace(const Translator &t, spv::StorageClass storage, Id pointeeId);
/// ArrayStride decoration of an array or pointer type; 0 when absent.
uint32_t arrayStride(const spirv::Module &spv, Id typeId);

/// Memory.cpp
/// Storage class and pointee of a pointer operand; error when the id is no pointer.
/// The pointee of an untyped pointer is 0.
llvm::Expected<TypedPointer> pointerTypeOf(Translator &t, const Inst &inst, Id pointerId);
/// The same for an access to a value of type \p typeId, which is what an untyped pointer points to.
/// Error: untyped access to memory in LLVM's own layout.
llvm::Expected<TypedPointer> accessedType(Translator &t, const Inst &inst, Id pointerId, Id typeId);
/// pointerInfo() for such an access.
PointerInfo accessInfo(Translator &t, Id pointerId, Id typeId);

/// Parses the optional memory operands that start at operand \p index; advances it past them.
llvm::Expected<Translator::Access> memoryOperands(Translator &t, const Inst &inst, size_t &index,
                                                  const PointerInfo &info, bool isStore);

/// CooperativeMatrix.cpp
/// Value type of an OpTypeCooperativeMatrixKHR: a lane's components.
llvm::Expected<llvm::Type *> cooperativeMatrixType(Translator &t, const Inst &inst,
                                                   llvm::Type *component);
bool isCooperativeMatrix(const Translator &t, Id typeId);

/// TensorAddressing.cpp
/// Value type of an OpTypeTensorLayoutNV or OpTypeTensorViewNV.
llvm::Expected<llvm::Type *> tensorType(Translator &t, const Inst &inst);

/// AccessChain.cpp
/// Where the access chain \p inst leads from \p base; \p info and \p type are of the result.
llvm::Expected<llvm::Value *> followChain(Translator &t, const Inst &inst, llvm::Value *base,
                                          PointerInfo &info, TypedPointer &type);

/// FixedVariables.cpp
/// Fills the current function's constantTables and fixedCopies.
void findFixedVariables(Translator &t, const spirv::Function &function);
/// At the OpVariable \p variable: true if there is to be none, because what it would hold is read
/// where it is.
llvm::Expected<bool> readInPlace(Translator &t, const Inst &variable);

/// PartialLoads.cpp
/// Fills the current function's partialLoads.
void findPartialLoads(Translator &t, const spirv::Function &function);
/// Translates the OpLoad `inst`, which is one of them.
llvm::Error loadPartially(Translator &t, const Inst &inst, llvm::Value *pointer,
                          spv::StorageClass storage, const PointerInfo &info,
                          const Translator::Access &access);

/// Composite.cpp
/// What `indices` name of a composite value. Errors: with the place of `inst`.
llvm::Expected<llvm::Value *> extractElements(Translator &t, const Inst &inst,
                                              llvm::Value *composite,
                                              llvm::ArrayRef<uint32_t> indices);

/// LoadStore.cpp
/// Decorations of structure member `i` that matter to what lies inside it.
PointerInfo memberInfo(const spirv::Module &spv, Id structId, uint32_t i, PointerInfo info);
llvm::Expected<uint64_t> memberOffset(Translator &t, const Inst &place, Id structId, uint32_t i);

/// MemoryValues.cpp: values and what memory of natural layout holds of them (bool -> i32).
llvm::Value *fromMemory(Translator &t, llvm::Value *value, llvm::Type *valueType);
llvm::Value *toMemory(Translator &t, llvm::Value *value, llvm::Type *memory);
/// A constant as memory of type `memory`, its memoryType(), holds it (bool -> i32). Null when it
/// has parts that are no plain constants.
llvm::Constant *memoryConstant(llvm::Constant *value, llvm::Type *memory);

/// Variables.cpp
/// Creates what an OpVariable outside a function stands for, on first use.
llvm::Expected<llvm::Value *> globalVariableValue(Translator &t, const Inst &variable);
/// Bytes from the start of an explicitly laid out type to the end of its last member.
/// `matrix` is what the enclosing structure's decorations say about matrices in the type.
struct MatrixLayout {
  uint32_t stride = 0;
  bool rowMajor = false;
};
llvm::Expected<uint64_t> explicitExtent(Translator &t, Id typeId, const MatrixLayout &matrix = {});
/// Makes the Aliased Workgroup blocks of the entry point's interface that no instruction names but
/// whose initializers clear what those that are named hold. After the functions.
llvm::Error addInitializedBlocks(Translator &t);
/// Fills State::writtenVariables by a scan over all functions.
void collectWrittenVariables(Translator &t);

/// Constants.cpp
llvm::Expected<llvm::Value *> constantValue(Translator &t, const Inst &inst);
bool isConstantOpcode(spv::Op op);
/// Elements of the composite that \p inst, of the Replicate kind, makes. Errors: too many.
llvm::Expected<uint64_t> replicatedCount(Translator &t, const Inst &inst);

/// Function.cpp
llvm::Error translateFunctions(Translator &t);
/// Translates \p function, if it is not yet there, and what it calls; the instructions that it has
/// after inlining.
llvm::Expected<uint64_t> translateReached(Translator &t, Id function);
/// ControlFlow.cpp
llvm::Error translateBody(Translator &t, const spirv::Function &function);
llvm::Error translateInst(Translator &t, const Inst &inst);

/// LinkedConstants.cpp
bool isLinkedConstant(const Translator &t, const Inst &inst);
/// The value of one in the current function: instructions at its begin. What it is made of has its
/// values already.
llvm::Expected<llvm::Value *> linkedConstant(Translator &t, const Inst &inst);
/// Is \p variable one of TranslateOptions::linkedArrays?
bool isLinkedArray(const Translator &t, const Inst &variable);
/// Its address, at the begin of the function.
llvm::Expected<llvm::Value *> linkedArray(Translator &t, const Inst &variable);
/// At the begin of a function: the values are those of another one.
void forgetLinkedConstants(Translator &t);

/// DebugInfo.cpp; all do nothing unless TranslateOptions::debugInfo is set.
void beginDebugFunction(Translator &t, const spirv::Function &function,
                        llvm::Function *llvmFunction);
void beginDebugBlock(Translator &t);
void updateDebugLocation(Translator &t, const Inst &inst);
void finishDebugInfo(Translator &t);

/// EntryModes.cpp: execution modes.
llvm::Error readExecutionModes(Translator &t);

/// FloatModes.cpp. Index of a float width in tables of widths.
inline unsigned floatModeIndex(unsigned width) { return width == 16 ? 0 : width == 32 ? 1 : 2; }
/// DenormPreserve and its like, of one width.
llvm::Error readFloatMode(Translator &t, const spirv::ExecutionMode &mode);
llvm::Error readFastMathDefault(Translator &t, const spirv::ExecutionMode &mode);
/// What the hardware cannot do for two widths at once.
llvm::Error checkFloatModes(const Translator &t);
/// Behind the execution modes: TranslateOptions::keepDenormals32 and flushDenormals32.
void applyDenormalOption(Translator &t);
/// Fast-math flags that `inst` (FPFastMathMode, NoContraction, float controls) allows; `types` are
/// those of its operands, then of its result. None unless the first one is of floats.
llvm::FastMathFlags fastMathFlags(const Translator &t, const Inst &inst,
                                  llvm::ArrayRef<llvm::Type *> types);
/// Keeps LLVM from folding `inst` where its operands' floats do not round to nearest, or with
/// operands that the entry point wants flushed.
void guardOperands(Translator &t, const Inst &inst, llvm::MutableArrayRef<llvm::Value *> args);
/// `result` of `inst` without denormals, where the entry point wants them flushed.
llvm::Value *flushResult(Translator &t, const Inst &inst, llvm::Value *result);
/// A float that is no operand or result of an instruction, without denormals where those of its
/// width are to be flushed.
llvm::Value *flushValue(Translator &t, llvm::Value *value);
/// Values for which an instruction's result must be what mathematics says.
struct SpecialValues {
  bool infinity = false, nan = false;
};
SpecialValues specialValues(const ValueOp &op);
/// Gives a function the denormal modes that folding of constants in it asks for.
void setDenormalModes(const Translator &t, llvm::Function &function);

/// GraphicsModes.cpp: execution modes of graphics stages, into Translator::graphics.
/// Known modes that the stage does not have, and hints, are accepted and change nothing.
llvm::Error readGraphicsMode(Translator &t, const spirv::ExecutionMode &mode);
/// What must have been declared, and numbers in range.
llvm::Error checkGraphicsModes(Translator &t);

} // namespace llpc
