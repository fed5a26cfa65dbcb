//===- Interface.h - Input and Output variables, location by location -----===//
// SPDX-License-Identifier: MIT
/// \file
/// Interfaces of graphics stages. A cursor stands at a place inside an Input or Output variable and
/// knows slot and component (lgc/Interface.h) of that place; steps take it into members, elements,
/// columns and components. Everything else is made of such steps:
///  - private-like variables (vertex, evaluation, geometry and fragment outputs, vertex and
///  fragment
///    inputs, built-ins): an addrspace(5) global that loadInputs() fills at entry and
///    storeOutputs() reads back, leaf by leaf (StageIO.cpp);
///  - direct variables (isDirectVariable): loads and stores through access chains become
///    lgc.input.load, lgc.output.load and lgc.output.store where SPIR-V has them
///    (InterfaceAccess.cpp). Pointers into them have no LLVM value worth using: a placeholder.
///    Initializers are stores at the start (OutputInitializers.cpp).
///
/// Adding a stage's peculiarities:
///  - built-ins: a row in the table of InterfaceBuiltIns.cpp;
///  - which variables have an outer array over vertices or primitives: isArrayedInterface();
///  - which operation a direct access becomes: the two functions at the end of InterfaceAccess.cpp;
///  - stages that write their outputs at other places than the end: leave the stage out of
///    storesOutputsAtEnd() (StageIO.cpp) and call storeOutputs() at the right places.
#pragma once

#include "llpc/translate/Translator.h"

namespace llpc {

struct BuiltInRow;

/// Decorations of a variable, overridden and added to by those of the members on the way.
struct InterfaceDecorations {
  bool patch = false, perPrimitive = false, perVertex = false;
  bool flat = false, noPerspective = false, centroid = false, sample = false;
  bool explicitInterp = false; ///< ExplicitInterpAMD: only InterpolateAtVertexAMD reads it
  bool invariant = false;
  uint32_t index = 0;  ///< Index: 1 for the second source of dual-source blending
  uint32_t stream = 0; ///< Stream: geometry shaders
  std::optional<uint32_t> xfbBuffer, xfbStride, xfbOffset;
};

/// A place in an interface variable.
struct InterfaceCursor {
  const Inst *variable = nullptr;
  bool isOutput = false;
  Id typeId = 0; ///< type of what is here
  InterfaceDecorations decorations;
  const BuiltInRow *builtin = nullptr;
  std::optional<uint32_t> location; ///< built-ins have 0
  uint32_t component = 0;           ///< may exceed 3: then it counts on in the next slots
  bool awaitsVertex = false;        ///< the next step selects the vertex or primitive
  llvm::Value *vertex = nullptr;    ///< i32; null: absent
  llvm::Value *element = nullptr;   ///< i32, dynamic number of slots further; null: 0
  uint32_t elementRange = 0;        ///< most that `element` may add
};

/// A scalar or vector of an interface variable, with constant indices all the way.
struct InterfaceLeaf {
  InterfaceCursor at;
  llvm::Type *type = nullptr;          ///< value type: scalar or vector (bool: built-ins only)
  llvm::SmallVector<uint32_t, 4> path; ///< indices from the variable's type to here
};

/// The part of a leaf that lies in one slot. A 64-bit leaf is taken as dwords.
struct InterfacePiece {
  uint32_t slot = 0;
  uint32_t component = 0;
  llvm::Type *type = nullptr; ///< scalar or vector of 16 or 32 bits
  unsigned first = 0;         ///< first element of the leaf (dwords for 64-bit leaves)
};

/// An Input or Output variable that the entry point's functions use.
struct InterfaceVariable {
  const Inst *variable = nullptr;
  bool isOutput = false;
  bool isDirect = false;
  bool allUsed = false;              ///< else only `usedMembers` of the structure
  std::vector<bool> usedMembers;     ///< of a private-like structure
  std::vector<InterfaceLeaf> leaves; ///< of what is used
};

/// What a pointer into an interface variable points to.
struct InterfacePointer {
  InterfaceCursor at;
  /// Dynamic index of a component of the vector, or of an element of the compact built-in array
  /// (ClipDistance...), that `at` stands at. Null: `at` is the pointee itself.
  llvm::Value *dynamicIndex = nullptr;
  Id pointeeId = 0;
};

//===--- Interface.cpp: cursors --------------------------------------------------------------===//

/// The whole variable. Errors: InvalidInput for contradicting decorations, Unsupported for
/// built-ins that the stage does not have here.
llvm::Expected<InterfaceCursor> interfaceRoot(Translator &t, const Inst &variable);
/// Member, element, column or component `index`. Errors: InvalidInput when there is none.
llvm::Expected<InterfaceCursor> interfaceChild(Translator &t, const InterfaceCursor &at,
                                               uint32_t index);
/// The element or column at a dynamic `index` (i32). Errors: InvalidInput for what has no elements.
/// Components and elements of compact arrays: see InterfacePointer::dynamicIndex.
llvm::Expected<InterfaceCursor> interfaceDynamicChild(Translator &t, const InterfaceCursor &at,
                                                      llvm::Value *index);
/// Is this the array of a built-in whose elements fill the components of slots (ClipDistance)?
bool isCompactArray(Translator &t, const InterfaceCursor &at);
/// Number of children; 0 for scalars.
llvm::Expected<uint32_t> interfaceChildCount(Translator &t, const InterfaceCursor &at);
/// Locations that a value of this type takes; saturates.
llvm::Expected<uint32_t> locationCount(Translator &t, Id typeId);
/// Slot of a place. Errors: InvalidInput without Location or for one out of range.
llvm::Expected<uint32_t> interfaceSlot(Translator &t, const InterfaceCursor &at);
/// The parts of the scalar or vector at `at`, whose type is `type`. Errors as interfaceSlot(), and
/// InvalidInput when it does not fit the location.
llvm::Expected<llvm::SmallVector<InterfacePiece, 2>>
interfacePieces(Translator &t, const InterfaceCursor &at, llvm::Type *type);
/// Puts a leaf of `type` together; `load` gives the value of each piece.
llvm::Value *joinPieces(Translator &t, llvm::Type *type, llvm::ArrayRef<InterfacePiece> pieces,
                        llvm::function_ref<llvm::Value *(const InterfacePiece &)> load);
/// The value of one piece of a leaf's value.
llvm::Value *extractPiece(Translator &t, llvm::Value *leaf, const InterfacePiece &piece);
/// Calls `visit` for every scalar or vector under `at`, in order of declaration. Vertex arrays are
/// entered once (vertex 0). `path` is extended on the way down.
llvm::Error visitLeaves(Translator &t, const InterfaceCursor &at, llvm::ArrayRef<uint32_t> path,
                        llvm::function_ref<llvm::Error(const InterfaceLeaf &)> visit);
/// Does the variable have an outer array over vertices or primitives in this stage?
bool isArrayedInterface(Translator &t, const Inst &variable);
/// Is it accessed where SPIR-V accesses it, instead of through a private copy?
bool isDirectVariable(Translator &t, const Inst &variable);

//===--- InterfaceAccess.cpp: pointers, direct access ----------------------------------------===//

/// The OpVariable at the root of an access chain; null when there is none.
const Inst *interfaceVariable(Translator &t, Id pointerId);
/// The same when it is a direct variable.
const Inst *directVariable(Translator &t, Id pointerId);
/// Walks the access chains from the variable to `pointerId`; they must have been translated.
llvm::Expected<InterfacePointer> interfacePointer(Translator &t, const Inst &place, Id pointerId);
/// The value that stands for any pointer into a direct variable.
llvm::Expected<llvm::Value *> directPlaceholder(Translator &t, const Inst &variable);
/// Checks an access chain into a direct variable and gives its placeholder.
llvm::Error translateDirectChain(Translator &t, const Inst &inst);
llvm::Expected<llvm::Value *> loadDirect(Translator &t, const Inst &place, Id pointerId);
llvm::Error storeDirect(Translator &t, const Inst &place, Id pointerId, llvm::Value *value);
/// Stores a value of the type that `at`, in an output, stands at: scalar by scalar, vector by
/// vector.
llvm::Error storeInterface(Translator &t, const Inst &place, const InterfaceCursor &at,
                           llvm::Value *value);
/// Removes the placeholders. Error: Unsupported when some instruction used one as a real pointer.
llvm::Error removePlaceholders(Translator &t);

//===--- OutputInitializers.cpp
//-----------------------------------------------------------------===//

/// Emits the stores that initializers of direct outputs mean, at the start of the entry function.
/// Errors: InvalidInput for initializers of another type.
llvm::Error initializeOutputs(Translator &t);

//===--- StageIO.cpp: private-like variables -------------------------------------------------===//

/// BaryCoordKHR and BaryCoordNoPerspKHR, and their value at another place than the centre.
bool isBaryCoord(const BuiltInRow &row);
llvm::Value *loadBaryCoord(Translator &t, const BuiltInRow &row, lgc::BaryMode mode,
                           llvm::Value *argument);
/// Finds the interface variables that the functions use, and checks them.
llvm::Error collectInterface(Translator &t, llvm::ArrayRef<const spirv::Function *> functions);
/// Emits the loads of all private-like inputs at the start of the entry function.
llvm::Error loadInputs(Translator &t);
/// Emits lgc.output.store and lgc.xfb.store for all private-like outputs of `stream` (all streams
/// without one) at the insertion point.
llvm::Error storeOutputs(Translator &t, std::optional<uint32_t> stream = std::nullopt);
/// storeOutputs() at the end of the entry function, where the stage has it there.
llvm::Error finishOutputs(Translator &t);
/// Interpolates (fragment shaders) or loads one leaf of an input. `weights` replaces the
/// barycentric coordinates that the decorations ask for.
llvm::Expected<llvm::Value *> loadInputLeaf(Translator &t, const InterfaceCursor &at,
                                            llvm::Type *type, llvm::Value *weights = nullptr);

//===--- InterfaceBuiltIns.cpp ----------------------------------------------------------------===//

/// One built-in of some stages, as input or output.
struct BuiltInRow {
  spv::BuiltIn spirv;
  bool isOutput;
  uint16_t stages; ///< bit per lgc::ShaderStage
  enum class Source : uint8_t {
    Slot,      ///< `number` is an lgc::Slot
    Operation, ///< `number` is an lgc::BuiltIn
    Weights,   ///< lgc.barycentric: `number` is an lgc::BaryMode * 2 + linear
    Hardware,  ///< `number` is an lgc::HwValue
    GroupSize, ///< constant: the workgroup size
    Ray,       ///< `number` is an lgc::RayValue
  } source;
  uint32_t number;
  enum class Scalar : uint8_t { Int, Float, Bool } scalar;
  uint8_t components;  ///< of the scalar or vector
  uint8_t compact = 0; ///< at most so many scalars in an array that fills components; 0: no array
  uint8_t vectors = 1; ///< of a matrix or array
};
/// Null when the stage has no such built-in (or not in this direction).
const BuiltInRow *findBuiltIn(lgc::ShaderStage stage, bool isOutput, spv::BuiltIn builtin);
/// Every row, for the support table.
llvm::ArrayRef<BuiltInRow> builtInRows();
/// i32, <4 x float>, i1 ...
llvm::Type *builtInType(Translator &t, const BuiltInRow &row);

} // namespace llpc
