//===- Recording.h - what a command buffer holds --------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Commands are recorded as operations: functions that do the command's work when the queue's
/// thread calls them, one after another. An operation owns everything it needs (addresses, words,
/// copied data), and reaches device memory only through addresses that are looked up when it runs,
/// so a resource that has gone away meanwhile is an error and no dangling pointer. Handles of
/// objects with state (events, query pools) are kept as pointers; Vulkan wants them alive.
///
/// Because operations run strictly in order, and memory is coherent, barriers have nothing to do.
#pragma once

#include "icd_glue/command/Rendering.h"
#include "pal_shim/device/Device.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/FunctionExtras.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace icd {

class Device;

/// What operations get when they run.
struct Execution {
  Device &device;
  RenderingState rendering = {};
  /// While transform feedback is active.
  std::optional<pal::device::StreamOut> streamOut = {};
  /// Conditional rendering is active, and leaves out what it may (Operation::isConditional).
  bool leavesOut = false;
  /// What all draws so far have counted; queries note the difference between their ends.
  pal::device::DrawStatistics statistics = {};

  /// Host pointer to device memory. Error: some byte lies outside every allocation.
  llvm::Expected<uint8_t *> memory(pal::device::GpuAddress address, uint64_t size) const;
};

struct Operation {
  const char *name; ///< of the command, for messages
  llvm::unique_function<llvm::Error(Execution &) const> run;
  /// Innermost debug label around the command; empty without one.
  std::shared_ptr<const std::string> label = nullptr;
  bool isConditional = false; ///< a draw, a dispatch, or a clear of attachments
};

//===--- Tables for shaders -----------------------------------------------===//

/// Free pieces of descriptor heap, shared by the command buffers of a pool. Thread safe, because
/// the last owner of a recording may be a queue.
class TableChunks {
public:
  static constexpr uint64_t chunkBytes = 64 * 1024;
  using Chunk = std::unique_ptr<pal::device::Allocation>;

  explicit TableChunks(pal::device::SoftwareDevice &gpu) : gpu(gpu) {}
  /// Of at least \p size bytes; null when the heap is full.
  Chunk acquire(uint64_t size);
  void release(std::vector<Chunk> chunks);
  /// Frees what is not in use.
  void trim();

private:
  pal::device::SoftwareDevice &gpu;
  std::mutex mutex;
  std::vector<Chunk> unused; ///< of chunkBytes each
};

/// Descriptor tables that a command buffer makes itself (push descriptors).
class TableArena {
public:
  explicit TableArena(std::shared_ptr<TableChunks> source) : source(std::move(source)) {}
  ~TableArena() { source->release(std::move(chunks)); }
  TableArena(const TableArena &) = delete;

  /// Copies \p words to device memory. 0: the heap is full.
  pal::device::GpuAddress upload(llvm::ArrayRef<uint32_t> words);

private:
  std::shared_ptr<TableChunks> source;
  std::vector<TableChunks::Chunk> chunks;
  uint64_t used = 0; ///< bytes of the last chunk
};

//===--- Recording --------------------------------------------------------===//

/// The commands of one command buffer. Immutable once recorded; submissions and primary command
/// buffers share it.
struct Recording {
  explicit Recording(std::shared_ptr<TableChunks> source) : tables(std::move(source)) {}
  std::vector<Operation> operations;
  TableArena tables;
  unsigned nesting = 0;  ///< levels of command buffers that this one executes
  uint64_t executed = 0; ///< operations of those

  /// Runs everything in order. The error of an operation gets its name, number and label.
  llvm::Error execute(Execution &execution) const;
};

} // namespace icd
