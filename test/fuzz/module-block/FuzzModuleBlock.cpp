//===- FuzzModuleBlock.cpp - fuzz target: blocks from a cache -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// SPIR-V is described, and the block must come back from its stored form with the same bytes and
/// become a module again. Anything else is a block that somebody made up: size and checksum are set
/// right, so that the fuzzer gets to the fields, and whatever is accepted is read to the last byte.
#include "llpc/ShaderModuleData.h"
#include "llpc/reflect/ModuleBlock.h"
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace llpc;

namespace {

void require(bool condition, const char *what) {
  if (condition)
    return;
  std::fprintf(stderr, "fuzz-module-block: %s\n", what);
  std::abort();
}

/// 8-byte aligned, and exactly as long as asked for, so that AddressSanitizer sees the end.
struct Memory {
  explicit Memory(size_t size)
      : data(static_cast<uint8_t *>(std::malloc(size ? size : 1))), size(size) {}
  ~Memory() { std::free(data); }
  Memory(const Memory &) = delete;
  llvm::MutableArrayRef<uint8_t> bytes() { return {data, size}; }
  uint8_t *data;
  size_t size;
};

void *allocate(void *instance, void *, size_t size) {
  auto &memory = *static_cast<std::unique_ptr<Memory> *>(instance);
  memory = std::make_unique<Memory>(size);
  return memory->data;
}

void readEverything(const ShaderModuleDataEx &data) {
  volatile uint8_t sink = 0;
  auto read = [&](const void *begin, size_t size) {
    for (size_t i = 0; i < size; ++i)
      sink = sink + static_cast<const uint8_t *>(begin)[i];
  };
  read(data.common.binCode.pCode, data.common.binCode.codeSize);
  for (const ShaderModuleEntryData &entry : entriesOf(data)) {
    read(entry.pEntryName, std::strlen(entry.pEntryName) + 1);
    const EntryReflection reflection = reflectionOf(data, entry);
    require(reflection.usage.nodes.size() == entry.resNodeDataCount, "other resources");
    require(reflection.outputs.size() == fragmentOutputsOf(data, entry).size(), "other outputs");
  }
}

void roundTrip(const ShaderModuleDataEx &data) {
  Memory stored(data.blockSize), moved(data.blockSize), again(data.blockSize);
  storeShaderModuleData(data, stored.bytes());
  auto back = relocateShaderModuleData(stored.bytes(), moved.bytes());
  require(bool(back), "the stored form is refused");
  readEverything(**back);
  storeShaderModuleData(**back, again.bytes());
  require(stored.bytes() == again.bytes(), "the stored form changes when stored twice");
}

void describe(const uint8_t *data, size_t size) {
  std::unique_ptr<Memory> memory;
  ShaderModuleBuildInfo info;
  info.instance = &memory;
  info.pfnOutputAlloc = allocate;
  info.shaderBin = {size, data};
  auto out = buildShaderModuleData(info);
  if (!out) {
    require(lgc::consumeToText(out.takeError()).kind != lgc::ErrorKind::Internal, "internal error");
    return;
  }
  roundTrip(*out->dataEx());
  auto module = Compiler::loadShaderModule(*out->dataEx());
  require(bool(module), "a block that was just built is no module");
}

template <typename T> void put(Memory &memory, size_t offset, const T &value) {
  std::memcpy(memory.data + offset, &value, sizeof(value));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint32_t first = 0;
  if (size >= sizeof(first))
    std::memcpy(&first, data, sizeof(first));
  if (first == spv::MagicNumber) {
    describe(data, size);
    return 0;
  }
  Memory block(size);
  if (size)
    std::memcpy(block.data, data, size);
  if (size >= sizeof(ShaderModuleDataEx)) {
    put(block, offsetof(ShaderModuleDataEx, magic), ShaderModuleDataEx::blockMagic);
    put(block, offsetof(ShaderModuleDataEx, version), ShaderModuleDataEx::blockVersion);
    put(block, offsetof(ShaderModuleDataEx, blockSize), uint64_t(size));
    put(block, offsetof(ShaderModuleDataEx, checksum), moduleBlockChecksum(block.bytes()));
  }
  auto relocated = relocateShaderModuleData(block.bytes());
  if (!relocated) {
    require(lgc::consumeToText(relocated.takeError()).kind == lgc::ErrorKind::InvalidInput,
            "an error that is not about the input");
    return 0;
  }
  readEverything(**relocated);
  roundTrip(**relocated);
  if (auto module = Compiler::loadShaderModule(**relocated); !module)
    llvm::consumeError(module.takeError());
  return 0;
}
