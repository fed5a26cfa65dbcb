//===- GeometryMessages.h - messages of legacy geometry shaders ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// gfx10: a geometry shader writes its vertices to a ring in memory and tells the hardware of each
/// with a message; other messages end strips and the wave. RDNA ISA manuals, "S_SENDMSG messages".
#pragma once

#include "pal_shim/device/core/StagePort.h"
#include "pal_shim/device/graphics/MergedWave.h"

namespace pal::device {

class GeometryMessages : public StagePort {
public:
  explicit GeometryMessages(unsigned maxVertices) : maxVertices(maxVertices) {}

  static constexpr unsigned streams = 4;
  /// What one invocation has emitted to one stream.
  struct Strips {
    unsigned vertices = 0;
    std::vector<unsigned> cuts; ///< a strip ends in front of these vertices
  };

  /// Starts the messages of \p newGroup, which lives until its waves have ended.
  void begin(const MergedGroup &newGroup, unsigned waveSize);
  /// Of lane \p lane of the group.
  const Strips &strips(size_t lane, unsigned stream) const {
    return emitted[lane * streams + stream];
  }
  /// First wave that had primitives and did not say that it was done; nothing if all did.
  std::optional<unsigned> unfinishedWave() const;

  void exportData(Wave &wave, const ExportData &data) override;
  void message(Wave &wave, unsigned message, uint32_t m0) override;
  void loadParameter(Wave &wave, unsigned attribute, unsigned channel,
                     ParameterRow *quads) override;

private:
  const unsigned maxVertices;
  const MergedGroup *group = nullptr;
  unsigned waveSize = 64;
  std::vector<Strips> emitted;
  std::vector<bool> done; ///< by wave
};

} // namespace pal::device
