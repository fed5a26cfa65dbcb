//===- FragmentOrder.h - critical sections of fragment shader waves --------===//
// SPDX-License-Identifier: MIT
/// \file
/// Primitive-ordered pixel shading: waves whose pixels overlap run at the same time, and only the
/// shaders' own instructions keep them apart. What these see of the hardware (docs/hw-notes.md,
/// "Fragment shaders"):
///   gfx10   a word at the start that names the newest older wave that overlaps, POPS_PACKER, the
///           number of the wave that is the next to leave, MSG_ORDERED_PS_DONE
///   gfx11+  "export ready" for S_WAIT_EVENT; the export with `done` leaves
#pragma once

#include "pal_shim/device/core/Wave.h"
#include "llvm/ADT/ArrayRef.h"

namespace pal::device {

class FragmentOrder {
public:
  /// Waves that run together, at most so many.
  static constexpr unsigned maxWaves = 8;

  /// \p overlapped: for each wave, bit i: wave i, which is older, has a pixel of it.
  void begin(Generation newGeneration, llvm::ArrayRef<uint32_t> overlapped);
  /// Before \p wave starts. Its index is its place in `overlapped`.
  void attach(Wave &wave);
  /// gfx10: what the wave gets in an SGPR.
  uint32_t collisionWord(unsigned wave) const;

  /// gfx11+: have all overlapped waves left?
  bool isExportReady(const Wave &wave) const;
  /// gfx10: POPS_PACKER written.
  void watchPacker(Wave &wave, uint32_t value);
  /// gfx10: MSG_ORDERED_PS_DONE.
  void sendDone(Wave &wave);
  /// gfx11+: the last export.
  void exportDone(Wave &wave);
  void end(Wave &wave);

private:
  struct Slot {
    Wave *wave = nullptr;
    uint32_t overlapped = 0;
    bool watches = false; ///< POPS_PACKER enables it
    bool isDone = false;  ///< has sent the message
    bool hasLeft = false;
  };
  void leave(Wave &wave);
  /// Tells those that watch who leaves next.
  void publish();

  Generation generation = Generation::Gfx11;
  /// Why not 0: numbers wrap at 10 bits, here in every second group.
  uint32_t firstNumber = 1020;
  unsigned count = 0;
  std::array<Slot, maxWaves> slots;
};

} // namespace pal::device
