//===- OpIndex.cpp - operations by name; how often each was executed -------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/OpIndex.h"
#include "pal_shim/device/core/OpTables.h"
#include "llvm/ADT/STLExtras.h"

namespace pal::device {

llvm::StringRef firstName(const OpEntry &op) { return llvm::StringRef(op.names).split(' ').first; }

llvm::SmallVector<llvm::StringRef, 4> namesOf(const OpEntry &op) {
  llvm::SmallVector<llvm::StringRef, 4> names;
  llvm::StringRef(op.names).split(names, ' ', -1, /*KeepEmpty=*/false);
  llvm::erase_if(names, [](llvm::StringRef name) { return name.ends_with("_"); });
  return names;
}

OpIndex::OpIndex(Generation generation) {
  for (OpTableFunc table : allOpTables())
    for (const OpEntry &op : table()) {
      if (!(op.generations >> unsigned(generation) & 1))
        continue;
      for (llvm::StringRef name : namesOf(op))
        ops[name] = &op;
    }
}

uint32_t OpcodeCounters::slot(const OpEntry &op, Encoding encoding) {
  std::lock_guard lock(mutex);
  auto [entry, isNew] = slotOf.try_emplace({firstName(op).str(), encodingName(encoding).str()},
                                           uint32_t(counts.size()));
  if (isNew)
    counts.push_back(0);
  return entry->second;
}

void OpcodeCounters::add(llvm::ArrayRef<uint32_t> slots, llvm::ArrayRef<uint64_t> added) {
  std::lock_guard lock(mutex);
  for (size_t i = 0; i < slots.size(); ++i)
    counts[slots[i]] += added[i];
}

std::map<OpcodeKey, uint64_t> OpcodeCounters::snapshot() const {
  std::lock_guard lock(mutex);
  std::map<OpcodeKey, uint64_t> result;
  for (const auto &[key, slot] : slotOf)
    if (counts[slot])
      result.emplace(key, counts[slot]);
  return result;
}

} // namespace pal::device
