//===- LibraryWarmer.h - glue before pipelines need it --------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/pipeline/PipelineLibrary.h"
#include <mutex>

namespace icd {

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
