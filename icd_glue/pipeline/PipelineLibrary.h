//===- PipelineLibrary.h - what libraries of graphics pipelines hold ------===//
// SPDX-License-Identifier: MIT
/// \file
/// A library has a piece for each subset of the state that it provides. Libraries of libraries and
/// linked pipelines share the pieces, so that what they were made of may be destroyed.
///
///   vertex input     its state, and the vertex fetch glue for parts that it has met
///   pre-rasterization, fragment shader
///                    its state, layout and shaders, and the part (lgc/Part.h), which is compiled
///                    when the piece is made, if nobody has done so in advance
///   fragment output  its state, and the colour export glue for parts that it has met
///
/// Linking takes glue from these memos. What is not there yet is built in the background as soon as
/// both sides exist (LibraryWarmer), or else by the first pipeline that is linked of the two.
///
/// Parts have names besides the compiler's keys, made of what Vulkan says (partNameOf): caches give
/// a part by its name where there is no SPIR-V, but an identifier (ModuleIdentifier.cpp). Shaders
/// and part may also come from a pipeline binary (LibraryBinary.h).
#pragma once

#include "icd_glue/code/Executable.h"
#include "icd_glue/partial/PartObject.h"
#include "icd_glue/pipeline/Memo.h"
#include "icd_glue/state/GraphicsState.h"
#include "icd_glue/state/PipelineLayout.h"
#include "llvm/ADT/bit.h"
#include <optional>

namespace icd {

class CacheContent;
class LibraryBinary;
struct PipelineCreation;

/// What of the vertex input a pre-rasterization part depends on: the class of the topology, which
/// dynamic topologies do not leave (dynamicPrimitiveTopologyUnrestricted is false).
enum class PrimitiveClass : uint8_t { Triangles, Lines, Points };
PrimitiveClass primitiveClassOf(const GraphicsState &vertexInput);

/// Vertex input or fragment output.
struct StatePiece {
  GraphicsState state; ///< of that subset only
  /// By PartObject::glueSignature. Null: the compiler has said that it cannot be (Unsupported), and
  /// pipelines that need it are compiled monolithically.
  Memo<llpc::Hash128, PartPointer> glue;
};

/// Pre-rasterization shaders, or a fragment shader or that there is none.
struct ShaderPiece {
  GraphicsState state; ///< of that subset only
  std::shared_ptr<const PipelineLayoutData> layout;
  /// Of state.stages; or none, because there is no SPIR-V (canCompile()).
  std::vector<llpc::PipelineShaderInfo> shaders;
  /// What keys have of each shader (state/StageKey.h), in the order of the stages' numbers.
  struct StageKey {
    VkShaderStageFlags stage = 0;
    llpc::Hash128 module = {};
    std::vector<uint8_t> encoding;
  };
  std::vector<StageKey> stageKeys;
  llpc::PipelineOptions options;
  /// Parts of the direct tier will do, until LLVM's are there. Not for those who keep them.
  bool takesStandIns = false;
  /// Under partClass(). Null: as StatePiece::glue.
  Memo<PrimitiveClass, PartPointer> parts;

  lgc::PartKind kind() const {
    return state.has(preRasterizationSubset) ? lgc::PartKind::PreRasterization
                                             : lgc::PartKind::Fragment;
  }
  /// Fragment shaders and geometry shaders, which say themselves what they take, have one part.
  PrimitiveClass partClass(PrimitiveClass vertexInput) const {
    const bool isOne =
        kind() == lgc::PartKind::Fragment || (state.stages & VK_SHADER_STAGE_GEOMETRY_BIT);
    return isOne ? PrimitiveClass::Triangles : vertexInput;
  }
  /// There is SPIR-V for all stages; else only caches may have code.
  bool canCompile() const { return shaders.size() == stageCount(); }
  /// All stages have names.
  bool hasNames() const { return stageKeys.size() == stageCount(); }
  std::shared_ptr<ShaderPiece> withoutParts() const;

private:
  size_t stageCount() const { return static_cast<size_t>(llvm::popcount(state.stages)); }
};

struct LibraryPieces {
  std::shared_ptr<const StatePiece> vertexInput, fragmentOutput;
  std::shared_ptr<const ShaderPiece> preRasterization, fragmentShader;

  Subsets subsets() const;
  bool canCompile() const {
    return (!preRasterization || preRasterization->canCompile()) &&
           (!fragmentShader || fragmentShader->canCompile());
  }
  /// The class that a part of preRasterization is made for: without a vertex input, most are used
  /// for triangles.
  PrimitiveClass primitives() const {
    return vertexInput ? primitiveClassOf(vertexInput->state) : PrimitiveClass::Triangles;
  }
  /// Of the parts that there are.
  std::vector<ExecutableInfo> executables(Device &device) const;
  /// Takes over what \p from has and this has not.
  void merge(const LibraryPieces &from);
  /// The state of all pieces.
  GraphicsState state() const;
  /// Sets and push constants of all pieces. Null: more than the limits allow.
  std::shared_ptr<const PipelineLayoutData> layout() const;
};

/// The stages of both, without parts. Null: their layouts together have more than the limits allow.
std::shared_ptr<const ShaderPiece> joinShaders(const ShaderPiece &first, const ShaderPiece &second);

/// What caches have a part under besides the compiler's key. None: some stage has no name.
std::optional<llpc::Hash128> partNameOf(Device &device, const ShaderPiece &piece,
                                        PrimitiveClass primitives);

/// Where a part is looked for first, and put.
struct ApplicationCache {
  CacheContent *content = nullptr; ///< may be null
  bool hadAll = true;              ///< becomes false with the first part that is not from there
};

/// A part or glue, in the memo of \p piece; null if it is not there and \p mayCompile is false, or
/// there is no SPIR-V. Errors: those of a compile, but for Unsupported and LimitExceeded, which
/// give a part that is null.
llvm::Expected<const PartPointer *> partOf(Device &device, const ShaderPiece &piece,
                                           PrimitiveClass primitives, bool mayCompile,
                                           ApplicationCache *application = nullptr);
llvm::Expected<const PartPointer *> glueOf(Device &device, const StatePiece &piece,
                                           const PartObject &part, bool mayCompile,
                                           ApplicationCache *application = nullptr);

/// Makes \p object, which an earlier partOf() gave and somebody kept, the part of \p piece. False:
/// it is of another kind.
bool adoptPart(Device &device, const ShaderPiece &piece, PrimitiveClass primitives,
               PartPointer object);

/// The pieces of \p own, which \p info describes, without shaders and parts.
LibraryPieces describedPieces(Device &device, const VkGraphicsPipelineCreateInfo &info,
                              Subsets own);

/// The same with shaders: those of \p binaries, behind the code, if there are any, else of modules,
/// without those of pieces that have an identifier for one. Errors: those of shaders and binaries.
llvm::Expected<LibraryPieces>
describedPiecesWithShaders(Device &device, const VkGraphicsPipelineCreateInfo &info, Subsets own,
                           const VkPipelineBinaryInfoKHR *binaries = nullptr);

/// Adds the pieces of \p own, which \p info describes, to \p pieces, with shaders and parts: those
/// of \p binaries if there are any, else of modules, compiled unless caches have them. False: a
/// compile would be needed, and is not allowed or not possible. Errors: those of shaders and
/// binaries.
llvm::Expected<bool> addPieces(const PipelineCreation &creation, LibraryPieces &pieces,
                               const VkGraphicsPipelineCreateInfo &info, Subsets own,
                               const VkPipelineBinaryInfoKHR *binaries = nullptr);

/// \p options with what those of the libraries add.
llpc::PipelineOptions monolithicOptions(const LibraryPieces &pieces, llpc::PipelineOptions options);
/// What the compiler is told to compile \p pieces as one pipeline.
llpc::GraphicsPipelineBuildInfo monolithicBuildInfo(const LibraryPieces &pieces,
                                                    const GraphicsState &state,
                                                    const PipelineLayoutData &layout,
                                                    const llpc::PipelineOptions &options);

} // namespace icd
