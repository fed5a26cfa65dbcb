//===- SoftwareStreamOut.h - transform feedback of primitive shaders ------===//
// SPDX-License-Identifier: MIT
/// \file
/// gfx11 and later have no hardware that places vertices in transform feedback buffers. A primitive
/// shader does it, subgroup after subgroup in the order of the primitives:
///   1. reserve(): one thread (gfx11) or one per buffer (gfx12) waits for the turn of the subgroup,
///      takes the place of its primitives in every buffer, as many as fit, and hands the turn on.
///   2. storeVertex(): threads of primitives that fit store their vertices.
/// gfx11 keeps the counters and the order in GDS registers, gfx12 in the control buffer in memory.
/// Primitives that are only counted, for queries, need count() alone.
#pragma once

#include "lgc/lowering/resources/UserDataAddress.h"
#include "lgc/lowering/vertex/StreamOut.h"

namespace lgc {

/// The subgroup's side of a reservation. Values are uniform i32 unless said otherwise.
struct StreamOutSubgroup {
  llvm::Value *thread = nullptr;                ///< number in the subgroup, per lane
  llvm::Value *orderedId = nullptr;             ///< 11:0 of MergedGroupInfo
  llvm::Value *verticesPerPrimitive = nullptr;  ///< of what is written
  std::array<llvm::Value *, 4> primitives = {}; ///< by stream; null: they do not count
};

class SoftwareStreamOut {
public:
  /// \p function: the primitive shader; pointers of tables go into its entry block.
  SoftwareStreamOut(llvm::Function &function, const PipelineState &state);

  /// Under an EXEC of all threads of the subgroup, in uniform control flow; contains a barrier.
  /// What threads have written to LDS before it is visible to all of the subgroup behind it.
  void reserve(llvm::IRBuilder<> &b, const StreamOutSubgroup &subgroup);
  /// Instead of reserve, where nothing is captured: counts \p subgroup's primitives. Needs its
  /// threads and primitives; control flow as for reserve, without the barrier.
  void count(llvm::IRBuilder<> &b, const StreamOutSubgroup &subgroup);
  /// After reserve: primitives of the stream that have room.
  llvm::Value *primitivesToWrite(unsigned stream) const { return granted[stream]; }
  /// Stores the values of the stream; vertex `vertex` of primitive `primitive` (per lane, counted
  /// among the stream's primitives).
  void storeVertex(llvm::IRBuilder<> &b, unsigned stream, llvm::Value *primitive, unsigned vertex,
                   llvm::ArrayRef<StreamOutValue> values);

  /// `.streamout_vertex_strides`, `.ngg_wave_id_en`, `.vgt_reuse_off`.
  void writeRegisters();

private:
  bool isActive(unsigned buffer) const { return state.graphics.xfb.strides[buffer] != 0; }
  unsigned streamOf(unsigned buffer) const { return state.graphics.xfb.streamOfBuffer[buffer] & 3; }
  bool hasBuffer(unsigned stream) const;
  unsigned dwordsOfVertex(unsigned buffer) const { return state.graphics.xfb.strides[buffer] / 4; }
  void loadBuffers(llvm::IRBuilder<> &b);
  llvm::Value *slot(llvm::IRBuilder<> &b, llvm::Value *number);
  llvm::Value *roomFor(llvm::IRBuilder<> &b, llvm::Value *sizeInDwords, llvm::Value *used,
                       llvm::Value *dwordsPerPrimitive);
  void reserveGfx11(llvm::IRBuilder<> &b, const StreamOutSubgroup &subgroup);
  llvm::Value *orderedAdd(llvm::IRBuilder<> &b, llvm::Value *orderedId, llvm::Value *value,
                          unsigned counter, bool isLast);
  llvm::Value *counterAdd(llvm::IRBuilder<> &b, llvm::Value *value, unsigned counter);
  void reserveGfx12(llvm::IRBuilder<> &b, const StreamOutSubgroup &subgroup);
  llvm::Value *waitForTurn(llvm::IRBuilder<> &b, llvm::Value *orderedId, llvm::Value *needed,
                           llvm::Value *pair);
  void addToCounters(llvm::IRBuilder<> &b, llvm::Value *lane, unsigned first, llvm::Value *amount);
  llvm::Value *byLane(llvm::IRBuilder<> &b, llvm::Value *lane,
                      const std::array<llvm::Value *, 4> &values);
  llvm::Value *laneIsIn(llvm::IRBuilder<> &b, llvm::Value *lane, unsigned mask);
  llvm::Value *controlAddress(llvm::IRBuilder<> &b, llvm::Value *lane, unsigned first,
                              unsigned stride);

  llvm::Function &function;
  llvm::Module &module;
  const PipelineState &state;
  unsigned gfxMajor;
  UserDataAddress address;
  llvm::Value *controlBuffer = nullptr;
  llvm::GlobalVariable *shared = nullptr; ///< LDS: 4 x dwords used, 4 x primitives to write
  struct Buffer {
    llvm::Value *descriptor = nullptr;
    llvm::Value *sizeInDwords = nullptr;
    llvm::Value *start = nullptr; ///< dwords: where the API wants the feedback to begin
    llvm::Value *base = nullptr;  ///< bytes: place of the subgroup
  };
  std::array<Buffer, 4> buffers;
  std::array<llvm::Value *, 4> granted = {};
  llvm::Value *verticesPerPrimitive = nullptr;
};

} // namespace lgc
