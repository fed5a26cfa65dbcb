//===- Translator.h - SPIR-V module -> LLVM IR + lgc operations -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// One Translator turns one entry point of a spirv::Module into a function of an llvm::Module,
/// which may hold other stages already. Instruction handlers live in one file per grammar class and
/// are found through OpTable; this class keeps the id -> value tables and gives handlers what they
/// share.
///
/// Representation of SPIR-V types as values:
///   bool -> i1; int -> iN; float -> half/float/double; vector -> <n x T>;
///   matrix -> [columns x <rows x T>]; array -> [n x T]; runtime array -> [0 x T];
///   struct -> literal struct of its members; image -> <8 x i32> (Dim Buffer: <4 x i32>);
///   cooperative matrix -> vector of the components that a lane has;
///   acceleration structure -> i64; sampler -> <4 x i32>; sampled image -> {image, sampler};
///   pointer -> see pointerAddrSpace():
///     Function, Private, Input, Output -> ptr addrspace(5)       Workgroup -> ptr addrspace(3)
///     Uniform, StorageBuffer -> ptr addrspace(7) into a block, or an lgc resource handle
///       (ptr addrspace(4)) while it still points to (arrays of) whole blocks
///     UniformConstant -> lgc resource handle            PushConstant -> ptr addrspace(4)
///     PhysicalStorageBuffer -> ptr addrspace(1)
/// Memory of Function, Private and Workgroup variables has LLVM's natural layout of memoryType()
/// (bool as i32); all other memory, and Workgroup with explicit layout, is addressed in bytes
/// through the Offset, ArrayStride and MatrixStride decorations.
#pragma once

#include "lgc/CompileError.h"
#include "lgc/Ops.h"
#include "lgc/Pipeline.h"
#include "llpc/SpecConstant.h"
#include "llpc/spirv/Module.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace llpc {

class KernelLibrary;

using spirv::Id;
using spirv::Inst;

struct TranslateOptions {
  llvm::StringRef entryPoint = "main";
  lgc::ShaderStage stage = lgc::ShaderStage::Compute;
  /// Name of the function that the entry point becomes; empty: lgc::entryFunctionName() of the
  /// stage, which those of ray tracing have not.
  std::string entryFunction;
  llvm::ArrayRef<SpecConstant> specialization;
  /// Results of constant instructions whose values linking fills in, ascending; they become
  /// relocations, and code that computes with them (llpc/reflect/LinkedConstants.h).
  llvm::ArrayRef<Id> linkedConstants;
  /// Variables of workgroup memory that linking places, ascending; the number in the list is that
  /// of lgc::workgroupSymbol().
  std::vector<Id> linkedArrays;
  const KernelLibrary *library = nullptr; ///< of kernels; null: none
  bool debugInfo = false;
  bool viewIndexFromDeviceIndex = false; ///< ViewIndex is DeviceIndex
  /// As llpc::PipelineShaderOptions has them.
  bool keepDenormals32 = false, flushDenormals32 = false, disableFMA = false,
       noContractOpDot = false;
  uint32_t forceMemoryBarrierScope = 0;
};

/// What an access through a pointer must know beyond the pointer's SPIR-V type.
struct PointerInfo {
  uint32_t matrixStride = 0; ///< set when the pointee is (inside) a matrix in explicit layout
  bool rowMajor = false;
  bool isHandle = false; ///< value is an lgc resource handle, not an address
  bool coherent = false; ///< Coherent decoration of the variable or a member on the way
  bool isVolatile = false;
  bool invariant = false;  ///< nothing in the shader can change what loads through it give
  bool nonUniform = false; ///< NonUniform decoration seen on the way
  bool restrictAlias = false;
  Id reachedTypeId = 0;    ///< that an untyped access chain ends at: the matrix fields are its
  uint32_t alignBytes = 1; ///< known alignment of the address; scalars are always aligned
  const Inst *variable = nullptr; ///< OpVariable at the root, when known
};

class Translator;

/// An instruction whose operands are all values. The dispatcher has resolved `type` and `args`
/// (checked by the table's signature) and set the builder's fast-math flags.
struct ValueOp {
  Translator &t;
  const Inst &inst;
  llvm::IRBuilder<> &b;
  llvm::Type *type; ///< result type; void when there is none
  llvm::ArrayRef<llvm::Value *> args;
  llvm::ArrayRef<Id> argIds; ///< ids of `args`
};

/// Constraints checked before a ValueHandler runs. See Signature.cpp for the exact rules.
enum class Sig : uint8_t {
  Any,          ///< the handler checks
  SameInt,      ///< result and all args: the same integer scalar or vector type
  SameFloat,    ///< ... float scalar or vector type
  SameBool,     ///< ... bool scalar or vector type
  IntCompare,   ///< bool result; args: one integer type of the result's shape
  FloatCompare, ///< bool result; args: one float type of the result's shape
  FloatTest,    ///< like FloatCompare with one arg
  ShiftInt,     ///< args[0] as the result; args[1] integer of any width, same shape
  IntToFloat,   ///< same shape
  FloatToInt,
  IntToInt,
  FloatToFloat,
};

using ValueHandler = llvm::Expected<llvm::Value *> (*)(ValueOp &op);
/// For everything else: reads operands itself and stores its result with setValue().
using InstHandler = llvm::Error (*)(Translator &t, const Inst &inst);

/// One row of a grammar-class file's table.
struct OpEntry {
  spv::Op opcode;
  ValueHandler valueHandler = nullptr; ///< exactly one of the two handlers is set
  Sig signature = Sig::Any;
  uint8_t argCount = 0; ///< number of value operands (ValueHandler only); 255 = as given
  InstHandler instHandler = nullptr;
};
inline constexpr OpEntry valueOp(spv::Op op, ValueHandler h, Sig sig, uint8_t args) {
  return {op, h, sig, args, nullptr};
}
inline constexpr OpEntry instOp(spv::Op op, InstHandler h) { return {op, nullptr, Sig::Any, 0, h}; }

/// One instruction of an extended set; `number` is the literal after the set id.
struct ExtEntry {
  uint32_t number;
  const char *name;
  ValueHandler handler;
  Sig signature;
  uint8_t argCount;
};

/// Tables of the grammar classes; OpTable.cpp puts them together.
llvm::ArrayRef<OpEntry> arithmeticOps();
llvm::ArrayRef<OpEntry> bitOps();
llvm::ArrayRef<OpEntry> conversionOps();
llvm::ArrayRef<OpEntry> relationalOps();
llvm::ArrayRef<OpEntry> compositeOps();
llvm::ArrayRef<OpEntry> memoryOps();
llvm::ArrayRef<OpEntry> accessChainOps();
llvm::ArrayRef<OpEntry> controlFlowOps();
llvm::ArrayRef<OpEntry> functionOps();
llvm::ArrayRef<OpEntry> miscOps();
llvm::ArrayRef<OpEntry> atomicOps();
llvm::ArrayRef<OpEntry> barrierOps();
llvm::ArrayRef<OpEntry> imageOps();
llvm::ArrayRef<OpEntry> groupOps();
llvm::ArrayRef<OpEntry> derivativeOps();
llvm::ArrayRef<OpEntry> dotProductOps();
llvm::ArrayRef<OpEntry> integerFunctionOps();
llvm::ArrayRef<OpEntry> cooperativeMatrixOps();
llvm::ArrayRef<OpEntry> cooperativeMatrixLaneOps();
llvm::ArrayRef<OpEntry> cooperativeMatrixReduceOps();
llvm::ArrayRef<OpEntry> cooperativeMatrixTensorOps();
llvm::ArrayRef<OpEntry> tensorAddressingOps();
llvm::ArrayRef<OpEntry> geometryOps();
llvm::ArrayRef<OpEntry> fragmentOps();
llvm::ArrayRef<OpEntry> meshOps();
llvm::ArrayRef<OpEntry> rayQueryOps();
llvm::ArrayRef<OpEntry> rayTracingOps();
llvm::ArrayRef<ExtEntry> glslStd450Ops();
llvm::ArrayRef<ExtEntry> amdShaderBallotOps();
llvm::ArrayRef<ExtEntry> amdTrinaryMinMaxOps();
llvm::ArrayRef<ExtEntry> amdGcnShaderOps();
llvm::ArrayRef<ExtEntry> amdExplicitVertexOps();

/// Null when nothing implements the opcode.
const OpEntry *findOp(spv::Op opcode);
/// Every opcode with a handler, ascending (for the support table).
llvm::ArrayRef<OpEntry> allOps();

/// One extended instruction set.
struct ExtSet {
  llvm::StringRef name;
  llvm::ArrayRef<ExtEntry> entries;
};
/// Every set that is translated; sets that change nothing are not in it.
llvm::ArrayRef<ExtSet> allExtSets();

/// Translates one entry point of `options.stage` into `module`, as TranslateOptions::entryFunction;
/// the module may hold other stages. Fills `state.shader(options.stage)` and, for graphics
/// stages, the modes of `state.graphics` that shaders declare (tess, geometry, mesh, fragment, xfb)
/// and the stage's bit of stageMask, which says what comes behind the stage when it is set before.
/// Appends to `warnings` what the user should know although the
/// shader compiles. After an error the module must be thrown away.
/// Errors: InvalidInput, Unsupported, LimitExceeded with the instruction's place.
llvm::Error translateShader(const spirv::Module &spv, llvm::Module &module,
                            const TranslateOptions &options, lgc::PipelineState &state,
                            std::vector<std::string> &warnings);
/// A module with lgc's data layout to translate shaders into.
std::unique_ptr<llvm::Module> createShaderModule(llvm::LLVMContext &context);

class Translator {
public:
  Translator(const spirv::Module &spv, llvm::Module &module, const TranslateOptions &options);
  ~Translator();

  /// See translateShader().
  llvm::Error run(lgc::PipelineState &state);

  // --- shared by the handlers -------------------------------------------------------------------
  const spirv::Module &spv;
  const TranslateOptions &options;
  llvm::LLVMContext &context;
  llvm::Module *const module;
  llvm::IRBuilder<> b; ///< insertion point of the current block
  lgc::ShaderState *shader = nullptr;
  lgc::GraphicsState *graphics = nullptr; ///< modes that graphics shaders declare
  /// What the user should know although the shader compiles; one text per kind.
  std::vector<std::string> warnings;

  /// Errors with the instruction's place in front.
  llvm::Error invalid(const Inst &inst, const llvm::Twine &message) const;
  llvm::Error unsupportedOp(const Inst &inst, const llvm::Twine &message) const;

  /// Value type of a type id. Error when the id is no type or cannot be a value.
  llvm::Expected<llvm::Type *> type(Id typeId);
  /// Type that a variable of natural layout has in memory (bool -> i32).
  llvm::Expected<llvm::Type *> memoryType(Id typeId);
  /// Defining instruction of a type id; error when the id is no type.
  llvm::Expected<const Inst *> typeInst(Id typeId) const;
  /// Type id of a value id's result; 0 when it has none.
  Id typeIdOf(Id valueId) const;
  /// Element type id of a vector, matrix, array or pointer type id; 0 for others.
  Id elementTypeId(Id typeId) const;
  /// Signed integer type, or vector of one?
  bool isSignedInt(Id typeId) const;

  /// The value of an id: constants are made on demand. Error when it has no value (yet).
  llvm::Expected<llvm::Value *> value(Id id);
  /// value() that must be an integer constant (after specialization); used for scopes, indices.
  llvm::Expected<uint64_t> readConstant(Id id);
  /// readConstant() that also accepts a 32-bit range only.
  llvm::Expected<uint32_t> readConstant32(Id id);
  llvm::Error setValue(const Inst &inst, llvm::Value *value);

  PointerInfo pointerInfo(Id pointerId) const;
  void setPointerInfo(Id pointerId, const PointerInfo &info);

  bool isStage(lgc::ShaderStage stage) const { return options.stage == stage; }
  /// Name of the entry point's function.
  llvm::StringRef entryFunctionName() const;
  /// OpName of an id as a name for LLVM functions and globals: never one that LLVM or lgc reserve.
  std::string symbolName(Id id) const;

  /// Is `id` or what it is copied from decorated with `kind`?
  bool hasDecoration(Id id, spv::Decoration kind) const { return spv.hasDecoration(id, kind); }

  /// Loads a value of SPIR-V type `typeId` from `pointer` (an address, not a handle).
  /// `access` describes volatile/coherent/nontemporal and alignment.
  struct Access {
    bool isVolatile = false;
    bool nonTemporal = false;
    bool coherent = false;
    uint32_t alignBytes = 0;         ///< from an Aligned operand; 0 = derive
    const char *syncScope = nullptr; ///< scope of MakePointerAvailable/Visible; null = private
  };
  llvm::Expected<llvm::Value *> load(Id typeId, llvm::Value *pointer, spv::StorageClass storage,
                                     const PointerInfo &info, const Access &access,
                                     const Inst &place);
  llvm::Error store(Id typeId, llvm::Value *value, llvm::Value *pointer, spv::StorageClass storage,
                    const PointerInfo &info, const Access &access, const Inst &place);

  /// One end of a copy of bytes.
  struct Place {
    llvm::Value *pointer;
    spv::StorageClass storage;
    Access access;
  };
  /// Copies in integers of \p unitBytes, of which \p bytes is a multiple.
  llvm::Error copyBytes(const Place &to, const Place &from, uint64_t bytes, uint64_t unitBytes,
                        const Inst &place);

  /// Sync scope name of a SPIR-V Scope constant: "" (system) for CrossDevice and Device under...,
  /// see Barrier.cpp. Error for unknown scopes.
  llvm::Expected<const char *> syncScopeName(const Inst &inst, uint64_t scope) const;

  /// Creates an lgc operation at the insertion point.
  llvm::CallInst *op(lgc::OpId id, llvm::Type *type, llvm::ArrayRef<llvm::Value *> args) {
    return lgc::createOp(b, id, type, args);
  }
  llvm::Value *absent() { return lgc::absent(context); }
  llvm::ConstantInt *i32(uint32_t v) { return b.getInt32(v); }

  /// A temporary in the entry block of the current function (ptr addrspace(5)).
  llvm::AllocaInst *createTemporary(llvm::Type *type, const llvm::Twine &name);

  /// Applies `scalar` to each element of vectors (rebuilt), or directly to scalars.
  llvm::Value *mapElements(llvm::ArrayRef<llvm::Value *> args,
                           llvm::function_ref<llvm::Value *(llvm::ArrayRef<llvm::Value *>)> scalar);

  /// Float controls of the entry point for a width of 16, 32 or 64 bits.
  const lgc::FloatMode &floatMode(unsigned width) const;

  /// Tables that only Translator's own files touch (TranslatorState.h).
  struct State;
  State &internals() { return *state; }
  const State &internals() const { return *state; }

private:
  std::unique_ptr<State> state;
};

/// Checks `op` against `signature`; error with the instruction's place.
llvm::Error checkSignature(const ValueOp &op, Sig signature);

} // namespace llpc
