//===- LibraryWarmer.cpp - glue before pipelines need it ------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/LibraryWarmer.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/partial/PartialPipeline.h"

namespace icd {

template <typename Piece>
void LibraryWarmer::Ring<Piece>::add(const std::shared_ptr<const Piece> &piece) {
  if (!piece)
    return;
  if (pieces.size() < maxPieces)
    pieces.push_back(piece);
  else
    pieces[next++ % maxPieces] = piece;
}

template <typename Piece>
std::vector<std::shared_ptr<const Piece>> LibraryWarmer::Ring<Piece>::alive() const {
  std::vector<std::shared_ptr<const Piece>> all;
  for (const std::weak_ptr<const Piece> &piece : pieces)
    if (auto locked = piece.lock())
      all.push_back(std::move(locked));
  return all;
}

/// Nobody waits for it; pipelines that need it run into the same error.
static const PartPointer *ignoreError(llvm::Expected<const PartPointer *> part) {
  if (part)
    return *part;
  llvm::consumeError(part.takeError());
  return nullptr;
}

static void warmPair(Device &device, const StatePiece &state, const ShaderPiece &shader) {
  const bool isInput = state.state.has(vertexInputSubset);
  const PrimitiveClass primitives =
      isInput ? primitiveClassOf(state.state) : PrimitiveClass::Triangles;
  const PartPointer *part = ignoreError(partOf(device, shader, primitives, true));
  if (part && *part && (*part)->needsGlue())
    ignoreError(glueOf(device, state, **part, true));
}

void LibraryWarmer::warm(Device &device, const StatePiece &piece) {
  std::vector<std::shared_ptr<const ShaderPiece>> others;
  {
    std::lock_guard lock(mutex);
    others = (piece.state.has(vertexInputSubset) ? preRasterizations : fragmentShaders).alive();
  }
  for (const auto &other : others)
    warmPair(device, piece, *other);
}

void LibraryWarmer::warm(Device &device, const ShaderPiece &piece) {
  std::vector<std::shared_ptr<const StatePiece>> others;
  {
    std::lock_guard lock(mutex);
    others =
        (piece.kind() == lgc::PartKind::PreRasterization ? vertexInputs : fragmentOutputs).alive();
  }
  for (const auto &other : others)
    warmPair(device, *other, piece);
}

void LibraryWarmer::add(Device &device, const LibraryPieces &added) {
  PartialPipeline *partial = device.partial();
  if (!partial)
    return;
  {
    std::lock_guard lock(mutex);
    vertexInputs.add(added.vertexInput);
    fragmentOutputs.add(added.fragmentOutput);
    preRasterizations.add(added.preRasterization);
    fragmentShaders.add(added.fragmentShader);
  }
  auto warmLater = [&](const auto &piece) {
    if (piece)
      partial->later([this, &device, weak = std::weak_ptr(piece)] {
        if (auto alive = weak.lock())
          warm(device, *alive);
      });
  };
  warmLater(added.vertexInput);
  warmLater(added.fragmentOutput);
  warmLater(added.preRasterization);
  warmLater(added.fragmentShader);
}

} // namespace icd
