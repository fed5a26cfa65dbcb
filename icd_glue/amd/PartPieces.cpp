//===- PartPieces.cpp - parts and glue of a pipeline ----------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/amd/PartPieces.h"
#include "icd_glue/ProcessEnd.h"
#include "pal_shim/abi/Try.h"

namespace icd::amd {
namespace {

using lgc::PartKind;

/// What compute and graphics pipelines are compiled to, without what only one of them has.
template <typename Result> llvm::Expected<llpc::PipelineResult> common(Result result) {
  if (!result)
    return result.takeError();
  return static_cast<llpc::PipelineResult &&>(*result);
}

} // namespace

llvm::Expected<PiecePointer>
obtainPiece(ShaderCache &cache, const llpc::Hash128 &key,
            llvm::function_ref<llvm::Expected<llpc::PartResult>()> build) {
  auto object = KILN_TRY(
      cache.obtain({CacheKey::Domain::Part, key}, [&]() -> llvm::Expected<ShaderCache::Object> {
        const StaticsInUse inUse;
        if (!inUse)
          return processEnds();
        llpc::PartResult built = KILN_TRY(build());
        auto part = KILN_TRY(lgc::Part::create(built.elf.bytes()));
        return std::make_shared<const Piece>(std::move(part));
      }));
  return std::static_pointer_cast<const Piece>(std::move(object));
}

lgc::LinkParts PieceSet::linkParts() const {
  auto at = [&](PartKind kind) {
    const PiecePointer &piece = pieces[static_cast<unsigned>(kind)];
    return piece ? piece->part.get() : nullptr;
  };
  return {.compute = at(PartKind::Compute),
          .vertexFetch = at(PartKind::VertexFetch),
          .preRasterization = at(PartKind::PreRasterization),
          .fragment = at(PartKind::Fragment),
          .colorExport = at(PartKind::ColorExport),
          .constants = constants};
}

//===--- Compute ---===//

llpc::PipelineHashes ComputePieces::hashes() const { return compiler.hashComputePipeline(info); }

llvm::Expected<llpc::PipelineResult> ComputePieces::compile() const {
  return common(compiler.buildComputePipeline(info));
}

llvm::ArrayRef<PartKind> ComputePieces::kinds() const {
  static constexpr PartKind kinds[] = {PartKind::Compute};
  return kinds;
}

std::vector<const llpc::PipelineShaderInfo *> ComputePieces::shaders(PartKind) const {
  return {&info.cs};
}

llvm::Expected<llpc::Hash128> ComputePieces::partKey(PartKind, llpc::SpecializedAt at) const {
  return compiler.partKey(info, at);
}

llvm::Expected<llpc::PartResult> ComputePieces::buildPart(PartKind, llpc::SpecializedAt at) const {
  return compiler.buildPart(info, at);
}

llpc::Hash128 ComputePieces::glueKey(const lgc::Part &, PartKind) const { return {}; }

llvm::Expected<llpc::PartResult> ComputePieces::buildGlue(const lgc::Part &, PartKind) const {
  return lgc::internalError("compute pipelines have no glue");
}

//===--- Graphics ---===//

llpc::PipelineHashes GraphicsPieces::hashes() const { return compiler.hashGraphicsPipeline(info); }

llvm::Expected<llpc::PipelineResult> GraphicsPieces::compile() const {
  return common(compiler.buildGraphicsPipeline(info));
}

llvm::ArrayRef<PartKind> GraphicsPieces::kinds() const {
  static constexpr PartKind kinds[] = {PartKind::PreRasterization, PartKind::Fragment};
  const llvm::ArrayRef<PartKind> both = kinds;
  return info.rsState.rasterizerDiscardEnable ? both.take_front() : both;
}

std::vector<const llpc::PipelineShaderInfo *> GraphicsPieces::shaders(PartKind kind) const {
  std::vector<const llpc::PipelineShaderInfo *> shaders;
  for (unsigned i = 0; i < llpc::graphicsStageCount; ++i) {
    const auto stage = static_cast<llpc::ShaderStage>(i);
    const bool isFragment = stage == llpc::ShaderStage::Fragment;
    if (info.shader(stage).module && isFragment == (kind == PartKind::Fragment))
      shaders.push_back(&info.shader(stage));
  }
  return shaders;
}

llvm::Expected<llpc::Hash128> GraphicsPieces::partKey(PartKind kind, llpc::SpecializedAt at) const {
  return compiler.partKey(info, kind, at);
}

llvm::Expected<llpc::PartResult> GraphicsPieces::buildPart(PartKind kind,
                                                           llpc::SpecializedAt at) const {
  return compiler.buildPart(info, kind, at);
}

llpc::Hash128 GraphicsPieces::glueKey(const lgc::Part &part, PartKind glue) const {
  return compiler.glueKey(part, info, glue);
}

llvm::Expected<llpc::PartResult> GraphicsPieces::buildGlue(const lgc::Part &part,
                                                           PartKind glue) const {
  return compiler.buildGlue(part, info, glue);
}

std::optional<lgc::OutputPrimitive> GraphicsPieces::outputPrimitive() const {
  return llpc::outputPrimitiveOf(info);
}

} // namespace icd::amd
