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
#pragma once

#include "icd_glue/partial/PartObject.h"
#include "icd_glue/pipeline/GraphicsState.h"
#include "icd_glue/pipeline/Memo.h"
#include "icd_glue/pipeline/PipelineLayout.h"

namespace icd {

/// A part or glue with its name. Without an object the compiler has said that it cannot be
/// (Unsupported): pipelines that need it are compiled whole.
struct LibraryPart {
  std::shared_ptr<const PartObject> object;
  llpc::Hash128 key = {};
  /// Of the interface to glue: equal ones take the same glue. Zero: no glue is needed.
  llpc::Hash128 signature = {};

  bool needsGlue() const { return signature != llpc::Hash128(); }
};

/// What of the vertex input a pre-rasterization part depends on: the class of the topology, which
/// dynamic topologies do not leave (dynamicPrimitiveTopologyUnrestricted is false).
enum class PrimitiveClass : uint8_t { Triangles, Lines, Points };
PrimitiveClass primitiveClassOf(const GraphicsState &vertexInput);

/// Vertex input or fragment output.
struct StatePiece {
  GraphicsState state;                   ///< of that subset only
  Memo<llpc::Hash128, LibraryPart> glue; ///< by LibraryPart::signature
};

/// Pre-rasterization shaders, or a fragment shader or that there is none.
struct ShaderPiece {
  GraphicsState state; ///< of that subset only
  std::shared_ptr<const PipelineLayoutData> layout;
  std::vector<llpc::PipelineShaderInfo> shaders;
  /// What the pipeline key has of each shader (key/StageKey.h).
  struct StageKey {
    VkShaderStageFlags stage = 0;
    std::vector<uint8_t> encoding;
  };
  std::vector<StageKey> stageKeys;
  llpc::PipelineOptions options;
  /// Fragment shaders have one part, under Triangles.
  Memo<PrimitiveClass, LibraryPart> parts;

  lgc::PartKind kind() const {
    return state.has(preRasterizationSubset) ? lgc::PartKind::PreRasterization
                                             : lgc::PartKind::Fragment;
  }
};

struct LibraryPieces {
  std::shared_ptr<const StatePiece> vertexInput, fragmentOutput;
  std::shared_ptr<const ShaderPiece> preRasterization, fragmentShader;

  Subsets subsets() const;
  /// Takes over what \p from has and this has not.
  void merge(const LibraryPieces &from);
  /// The state of all pieces.
  GraphicsState state() const;
  /// Sets and push constants of all pieces. Null: more than the limits allow.
  std::shared_ptr<const PipelineLayoutData> layout() const;
};

/// A part or glue; null if it is not there and \p mayCompile is false. Errors: those of a compile,
/// but for Unsupported and LimitExceeded, which give a LibraryPart without an object.
llvm::Expected<const LibraryPart *> partOf(Device &device, const ShaderPiece &piece,
                                           PrimitiveClass primitives, bool mayCompile);
llvm::Expected<const LibraryPart *> glueOf(Device &device, const StatePiece &piece,
                                           const LibraryPart &part, bool mayCompile);

/// Adds the pieces of \p own, which \p info describes, to \p pieces. Compiles parts. False: a
/// compile would be needed, and is not allowed. Errors: those of shaders.
llvm::Expected<bool> addPieces(Device &device, LibraryPieces &pieces,
                               const VkGraphicsPipelineCreateInfo &info, Subsets own,
                               bool mayCompile);

/// \p options with what those of the libraries add.
llpc::PipelineOptions wholeOptions(const LibraryPieces &pieces, llpc::PipelineOptions options);
/// What the compiler is told to compile \p pieces as one pipeline.
llpc::GraphicsPipelineBuildInfo wholeBuildInfo(const LibraryPieces &pieces,
                                               const GraphicsState &state,
                                               const PipelineLayoutData &layout,
                                               const llpc::PipelineOptions &options);

//===--- In advance -------------------------------------------------------===//

/// Pieces of the device's libraries, to build glue for pairs that pipelines may be linked of.
/// Threads: any number.
class LibraryWarmer {
public:
  /// Of each kind; the oldest ones are forgotten.
  static constexpr size_t maxPieces = 64;

  /// Has the background build what pipelines of these pieces and those before may need.
  void add(Device &device, const LibraryPieces &added);

private:
  template <typename Piece> class Ring {
  public:
    void add(const std::shared_ptr<const Piece> &piece);
    std::vector<std::shared_ptr<const Piece>> alive() const;

  private:
    std::vector<std::weak_ptr<const Piece>> pieces;
    size_t next = 0;
  };
  void warm(Device &device, const StatePiece &piece);
  void warm(Device &device, const ShaderPiece &piece);

  std::mutex mutex;
  Ring<StatePiece> vertexInputs, fragmentOutputs;
  Ring<ShaderPiece> preRasterizations, fragmentShaders;
};

} // namespace icd
