//===- FuzzPccCommands.cpp - fuzz target: kiln-pcc info and so on ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// The input is a file that somebody calls a pipeline cache. Whatever it is, each of the commands
/// on caches returns: errors that name the file, or results. What verify finds nothing wrong with
/// can be written again, and is the same then. Inputs are caches with a small code object whose
/// numbers, text or code were changed: random bytes would not get past the header.
#include "icd_glue/sc/CacheWriter.h"
#include "lgc/CompileError.h"
#include "tools/pcc/CacheCommands.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sys/mman.h>
#include <unistd.h>

using namespace icd::sc;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace {

void require(bool condition, const char *what) {
  if (condition)
    return;
  std::fprintf(stderr, "fuzz-pcc-commands: %s\n", what);
  std::abort();
}

/// A file in memory, with a path.
class MemoryFile {
public:
  explicit MemoryFile(llvm::ArrayRef<uint8_t> bytes) : handle(memfd_create("cache", MFD_CLOEXEC)) {
    require(handle >= 0 &&
                write(handle, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
            "no file in memory");
    path = "/proc/self/fd/" + std::to_string(handle);
  }
  ~MemoryFile() { close(handle); }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;

  std::string path;

private:
  int handle;
};

bool isGood(llvm::StringRef command, std::initializer_list<const char *> arguments) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::Error error = pcc::doCacheCommand(command, llvm::ArrayRef(arguments), out);
  if (!error)
    return true;
  llvm::handleAllErrors(std::move(error), [](const llvm::ErrorInfoBase &each) {
    require(llvm::StringRef(each.message()).contains("/proc/self/fd/"),
            "an error that does not say which file it is about");
  });
  return false;
}

/// A code object with a section for names, and nothing else: what is missing is the verifier's
/// business.
std::vector<uint8_t> codeObject() {
  std::vector<uint8_t> elf(200);
  std::memcpy(elf.data(),
              "\x7f"
              "ELF\2\1\1\x41",
              8);
  auto put = [&](size_t place, auto value) { std::memcpy(&elf[place], &value, sizeof value); };
  put(16, uint16_t(3));   // ET_DYN
  put(18, uint16_t(224)); // EM_AMDGPU
  put(20, uint32_t(1));
  put(40, uint64_t(72));   // section headers
  put(48, uint32_t(0x41)); // gfx1100
  put(52, uint16_t(64));
  put(58, uint16_t(64));
  put(60, uint16_t(2));
  put(62, uint16_t(1));        // the names
  put(136 + 4, uint32_t(3));   // SHT_STRTAB
  put(136 + 24, uint64_t(64)); // place and size
  put(136 + 32, uint64_t(8));
  return elf;
}

const char *const json = R"({"PipelineUUID": [0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15],
 "ComputePipelineState": {"PipelineLayout": {"setLayoutCount": 0, "pSetLayouts": "NULL"},
  "ShaderFileNames": [{"stage": "VK_SHADER_STAGE_COMPUTE_BIT", "filename": "a.spv"}],
  "ComputePipeline": {"flags": 0, "stage": {"stage": "VK_SHADER_STAGE_COMPUTE_BIT",
   "pName": "main"}, "basePipelineIndex": 0}}})";

/// A compute shader that does nothing.
constexpr uint32_t module[] = {
    0x07230203, 0x00010000, 0,          5,          0,    // header
    0x00020011, 1,                                        // OpCapability Shader
    0x0003000E, 0,          1,                            // OpMemoryModel Logical GLSL450
    0x0005000F, 5,          1,          0x6E69616D, 0,    // OpEntryPoint GLCompute %1 "main"
    0x00060010, 1,          17,         1,          1, 1, // OpExecutionMode %1 LocalSize 1 1 1
    0x00020013, 2,                                        // OpTypeVoid
    0x00030021, 3,          2,                            // OpTypeFunction
    0x00050036, 2,          1,          0,          3,    // OpFunction
    0x000200F8, 4,          0x000100FD, 0x00010038};      // OpLabel, OpReturn, OpFunctionEnd

/// A cache of two pipelines, the first one with debug information.
std::vector<uint8_t> sample(unsigned seed) {
  static const std::vector<uint8_t> elf = codeObject();
  Header header;
  header.vendorId = 0x1002;
  header.deviceId = 0x744C;
  header.uuid = cacheUuid("gfx1100");
  std::vector<Entry> entries(2);
  for (size_t i = 0; i < entries.size(); ++i) {
    for (size_t k = 0; k < 16; ++k)
      entries[i].identifier[k] = static_cast<uint8_t>(k + i);
    entries[i].memoryBytes = 8192;
    entries[i].elf = elf;
    entries[i].stages = 0x20;
  }
  entries[0].json = json;
  entries[0].modules = {llvm::ArrayRef(reinterpret_cast<const uint8_t *>(module), sizeof module)};
  entries[0].debugHash = seed % 2 ? DebugHasher().hashOf(entries[0]) : 0;
  return icd::sc::writeCache(header, entries);
}

/// A folder for what extract writes.
const std::string &folder() {
  static const std::string path = [] {
    std::string name = (std::filesystem::temp_directory_path() / "fuzz-pcc-XXXXXX").string();
    require(mkdtemp(name.data()), "no folder for files");
    return name;
  }();
  return path;
}

} // namespace

/// Or else nothing behind the header would be tested.
extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  for (unsigned seed : {0, 1})
    require(isGood("info", {MemoryFile(sample(seed)).path.c_str()}), "the sample is refused");
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const llvm::ArrayRef<uint8_t> input(data, size);
  const MemoryFile file(input), out({});
  const char *const path = file.path.c_str();
  isGood("info", {path});
  const bool isVerified = isGood("verify", {path});
  isGood("strip", {"-o", out.path.c_str(), path});
  const std::string into = folder() + "/x";
  isGood("extract", {"-o", into.c_str(), path});
  std::filesystem::remove_all(into);
  isGood("merge", {"-o", out.path.c_str(), path, path}); // each pipeline is there twice
  auto cache = CacheView::create(input);
  require(!isVerified || cache, "verify takes what cannot be read");
  if (!cache) {
    llvm::consumeError(cache.takeError());
    return 0;
  }
  if (isVerified)
    require(llvm::ArrayRef(icd::sc::writeCache(cache->header(), cache->entries())) == input,
            "what was verified is not what is written");
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  if (size > headerBytes && seed % 4)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::vector<uint8_t> made = sample(seed / 4);
  for (unsigned i = 0; i < seed / 512 % 3; ++i) {
    const size_t at = seed / (16 << i) % (made.size() / 4) * 4;
    LLVMFuzzerMutate(made.data() + at, 4, 4);
  }
  if (made.size() > maxSize)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::memcpy(data, made.data(), made.size());
  return made.size();
}
