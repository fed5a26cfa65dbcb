//===- TaskRings.h - what task shaders hand to mesh shaders ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Two ring buffers of the driver connect the task shader on a compute queue with the mesh shader:
/// payloads (16 KiB a task workgroup), and draw data (16 bytes: group counts, then a byte whose
/// bit 0 tells the command processor that they are there; it means "ready" with 1 and 0 in turn
/// from one pass through the ring to the next). Both have the same power of two of entries, and
/// entry numbers run on without wrapping. Source: docs/hw-notes.md#mesh.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace lgc {

class TaskRings {
public:
  /// \p entry: i32 number of the entry of this workgroup, not wrapped.
  TaskRings(llvm::Value *entry, unsigned gfxMajor) : entry(entry), gfxMajor(gfxMajor) {}

  static constexpr uint32_t payloadBytes = 16 * 1024;

  /// ptr addrspace(7) to the payload.
  llvm::Value *payload(llvm::IRBuilder<> &b);
  /// Launches mesh workgroups. By one invocation, once, after the payload is visible.
  void writeDrawData(llvm::IRBuilder<> &b, llvm::ArrayRef<llvm::Value *> counts);

private:
  llvm::Value *entry;
  unsigned gfxMajor;
};

} // namespace lgc
