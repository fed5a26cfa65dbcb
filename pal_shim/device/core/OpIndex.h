//===- OpIndex.h - operations by name; how often each was executed ---------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/Device.h"
#include "pal_shim/device/core/RawInstr.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <mutex>
#include <vector>

namespace pal::device {

/// The name under which an operation is counted: the first of its mnemonics.
llvm::StringRef firstName(const OpEntry &op);
/// All mnemonics of an operation.
llvm::SmallVector<llvm::StringRef, 4> namesOf(const OpEntry &op);

/// All operations of one generation by mnemonic. Immutable.
class OpIndex {
public:
  explicit OpIndex(Generation generation);
  /// Null: no such operation.
  const OpEntry *find(llvm::StringRef mnemonic) const { return ops.lookup(mnemonic); }

private:
  llvm::StringMap<const OpEntry *> ops;
};

/// Execution counts by (first name, encoding) of a whole device.
class OpcodeCounters {
public:
  /// Number of the slot for this key, made if missing.
  uint32_t slot(const OpEntry &op, Encoding encoding);
  /// Adds \p counts[i] to slot \p slots[i].
  void add(llvm::ArrayRef<uint32_t> slots, llvm::ArrayRef<uint64_t> counts);
  /// Keys whose count is not 0.
  std::map<OpcodeKey, uint64_t> snapshot() const;

private:
  mutable std::mutex mutex;
  std::map<OpcodeKey, uint32_t> slotOf;
  std::vector<uint64_t> counts;
};

} // namespace pal::device
