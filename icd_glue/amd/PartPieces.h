//===- PartPieces.h - parts and glue of a pipeline ------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The compiler's functions for compute and for graphics pipelines under the same names, and what
/// they make as objects of a cache.
#pragma once

#include "icd_glue/cache/ShaderCache.h"
#include "lgc/Link.h"
#include "llpc/Parts.h"

namespace icd::amd {

/// A part or glue that is kept.
class Piece final : public CacheObject {
public:
  explicit Piece(std::shared_ptr<const lgc::Part> part) : part(std::move(part)) {}
  std::vector<uint8_t> record() const override { return part->elf().vec(); }
  bool isKeptBelow() const override { return false; }
  size_t memoryBytes() const override { return sizeof(*this) + part->memoryBytes(); }

  const std::shared_ptr<const lgc::Part> part;
};
using PiecePointer = std::shared_ptr<const Piece>;

/// The piece of that key, or what \p build makes, whoever does. Errors: those of \p build.
llvm::Expected<PiecePointer>
obtainPiece(ShaderCache &cache, const llpc::Hash128 &key,
            llvm::function_ref<llvm::Expected<llpc::PartResult>()> build);

inline bool needsGlue(const lgc::Part &part) {
  return part.info().fetch || part.info().colorExport;
}

/// The pieces of one pipeline, by kind.
class PieceSet {
public:
  void add(lgc::PartKind kind, PiecePointer piece) {
    pieces[static_cast<unsigned>(kind)] = std::move(piece);
  }
  lgc::LinkParts linkParts() const;

  std::vector<lgc::LinkConstant> constants; ///< of parts that leave them to linking

private:
  std::array<PiecePointer, lgc::partKindCount> pieces;
};

/// A build info by what it consists of. Both must outlive it.
class Pieces {
public:
  virtual ~Pieces() = default;
  virtual llpc::PipelineHashes hashes() const = 0;
  virtual llvm::Expected<llpc::PipelineResult> compile() const = 0;
  virtual llvm::ArrayRef<lgc::PartKind> kinds() const = 0;
  virtual std::vector<const llpc::PipelineShaderInfo *> shaders(lgc::PartKind kind) const = 0;
  virtual const llpc::ResourceMappingData &mapping() const = 0;
  virtual llvm::Expected<llpc::Hash128> partKey(lgc::PartKind kind,
                                                llpc::SpecializedAt at) const = 0;
  virtual llvm::Expected<llpc::PartResult> buildPart(lgc::PartKind kind,
                                                     llpc::SpecializedAt at) const = 0;
  /// Never of compute pipelines, whose parts need none.
  virtual llpc::Hash128 glueKey(const lgc::Part &part, lgc::PartKind glue) const = 0;
  virtual llvm::Expected<llpc::PartResult> buildGlue(const lgc::Part &part,
                                                     lgc::PartKind glue) const = 0;
  virtual std::optional<lgc::OutputPrimitive> outputPrimitive() const = 0;
};

class ComputePieces final : public Pieces {
public:
  ComputePieces(const llpc::Compiler &compiler, const llpc::ComputePipelineBuildInfo &info)
      : compiler(compiler), info(info) {}

  llpc::PipelineHashes hashes() const override;
  llvm::Expected<llpc::PipelineResult> compile() const override;
  llvm::ArrayRef<lgc::PartKind> kinds() const override;
  std::vector<const llpc::PipelineShaderInfo *> shaders(lgc::PartKind kind) const override;
  const llpc::ResourceMappingData &mapping() const override { return info.resourceMapping; }
  llvm::Expected<llpc::Hash128> partKey(lgc::PartKind kind, llpc::SpecializedAt at) const override;
  llvm::Expected<llpc::PartResult> buildPart(lgc::PartKind kind,
                                             llpc::SpecializedAt at) const override;
  llpc::Hash128 glueKey(const lgc::Part &part, lgc::PartKind glue) const override;
  llvm::Expected<llpc::PartResult> buildGlue(const lgc::Part &part,
                                             lgc::PartKind glue) const override;
  std::optional<lgc::OutputPrimitive> outputPrimitive() const override { return std::nullopt; }

private:
  const llpc::Compiler &compiler;
  const llpc::ComputePipelineBuildInfo &info;
};

class GraphicsPieces final : public Pieces {
public:
  GraphicsPieces(const llpc::Compiler &compiler, const llpc::GraphicsPipelineBuildInfo &info)
      : compiler(compiler), info(info) {}

  llpc::PipelineHashes hashes() const override;
  llvm::Expected<llpc::PipelineResult> compile() const override;
  llvm::ArrayRef<lgc::PartKind> kinds() const override;
  std::vector<const llpc::PipelineShaderInfo *> shaders(lgc::PartKind kind) const override;
  const llpc::ResourceMappingData &mapping() const override { return info.resourceMapping; }
  llvm::Expected<llpc::Hash128> partKey(lgc::PartKind kind, llpc::SpecializedAt at) const override;
  llvm::Expected<llpc::PartResult> buildPart(lgc::PartKind kind,
                                             llpc::SpecializedAt at) const override;
  llpc::Hash128 glueKey(const lgc::Part &part, lgc::PartKind glue) const override;
  llvm::Expected<llpc::PartResult> buildGlue(const lgc::Part &part,
                                             lgc::PartKind glue) const override;
  std::optional<lgc::OutputPrimitive> outputPrimitive() const override;

private:
  const llpc::Compiler &compiler;
  const llpc::GraphicsPipelineBuildInfo &info;
};

} // namespace icd::amd
