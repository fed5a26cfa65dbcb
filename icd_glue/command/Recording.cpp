//===- Recording.cpp - what a command buffer holds ------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/command/Recording.h"
#include "icd_glue/context/Device.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

namespace icd {

using pal::device::DeviceFault;

llvm::Expected<uint8_t *> Execution::memory(pal::device::GpuAddress address, uint64_t size) const {
  if (uint8_t *host = device.gpu().translate(address, size))
    return host;
  return llvm::make_error<DeviceFault>(
      DeviceFault::Kind::MemoryAccess,
      llvm::formatv("no memory at {0:x}, {1} bytes", address, size).str());
}

TableChunks::Chunk TableChunks::acquire(uint64_t size) {
  if (size <= chunkBytes) {
    std::lock_guard<std::mutex> lock(mutex);
    if (!unused.empty()) {
      Chunk chunk = std::move(unused.back());
      unused.pop_back();
      return chunk;
    }
  }
  auto made = gpu.allocate({.size = std::max(size, chunkBytes),
                            .heap = pal::device::Heap::DescriptorTables,
                            .name = "push descriptors"});
  if (!made) {
    llvm::consumeError(made.takeError());
    return nullptr;
  }
  return std::move(*made);
}

void TableChunks::release(std::vector<Chunk> chunks) {
  std::lock_guard<std::mutex> lock(mutex);
  for (Chunk &chunk : chunks)
    if (chunk->size() == chunkBytes)
      unused.push_back(std::move(chunk));
}

void TableChunks::trim() {
  std::lock_guard<std::mutex> lock(mutex);
  unused.clear();
}

pal::device::GpuAddress TableArena::upload(llvm::ArrayRef<uint32_t> words) {
  constexpr uint64_t alignment = 16;
  uint64_t size = words.size() * sizeof(uint32_t);
  if (chunks.empty() || used + size > chunks.back()->size()) {
    TableChunks::Chunk chunk = source->acquire(size);
    if (!chunk)
      return 0;
    chunks.push_back(std::move(chunk));
    used = 0;
  }
  const pal::device::Allocation &chunk = *chunks.back();
  std::memcpy(chunk.host() + used, words.data(), size);
  pal::device::GpuAddress address = chunk.address() + used;
  used += llvm::alignTo(size, alignment);
  return address;
}

namespace {

/// The fault with the place in the command buffer in front of its message.
llvm::Error placed(llvm::Error error, const Operation &operation, size_t number) {
  std::string place = "command " + std::to_string(number) + " (" + operation.name;
  if (operation.label)
    place += " in '" + *operation.label + "'";
  place += "): ";
  return llvm::handleErrors(std::move(error), [&](const DeviceFault &fault) {
    return llvm::make_error<DeviceFault>(fault.getKind(), place + fault.getMessage());
  });
}

} // namespace

llvm::Error Recording::execute(Execution &execution) const {
  for (size_t i = 0; i < operations.size(); ++i) {
    if (operations[i].isConditional && execution.leavesOut)
      continue;
    if (llvm::Error error = operations[i].run(execution))
      return placed(std::move(error), operations[i], i);
  }
  return llvm::Error::success();
}

} // namespace icd
