//===- Entries.cpp - AMD's static interfaces ------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Vkgc::IPipelineDumper and Vkgc::IUtil: functions without an object, each of them a line of
/// translation. A dump handle is a DumpFile, or null, which every function takes.
#include "icd_glue/amd/Dumper.h"
#include "icd_glue/amd/Hashes.h"
#include "icd_glue/amd/Module.h"
#include "lgc/Pipeline.h"
#include "llpc/Hasher.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cstring>

using namespace icd::amd;

namespace Vkgc {
namespace {

DumpFile *fileOf(void *handle) { return static_cast<DumpFile *>(handle); }

void copyName(const std::string &name, char *to, size_t size) {
  if (!to || size == 0)
    return;
  const size_t length = std::min(name.size(), size - 1);
  std::memcpy(to, name.data(), length);
  to[length] = 0;
}

} // namespace

//===--- Hashes and names ---===//

uint64_t IPipelineDumper::GetShaderHash(const void *data) {
  return data ? moduleHashOf(*static_cast<const ShaderModuleData *>(data)) : 0;
}

uint64_t IPipelineDumper::GetGraphicsShaderBinaryHash(const GraphicsPipelineBuildInfo *info,
                                                      ShaderStage stage) {
  return halfHashOf(*info, stage);
}

uint64_t IPipelineDumper::GetPipelineHash(const GraphicsPipelineBuildInfo *info) {
  return pipelineHashOf(*info);
}
uint64_t IPipelineDumper::GetPipelineHash(const ComputePipelineBuildInfo *info) {
  return pipelineHashOf(*info);
}
uint64_t IPipelineDumper::GetPipelineHash(const RayTracingPipelineBuildInfo *info) {
  return info->pipelineApiHash;
}

void IPipelineDumper::GetPipelineName(const GraphicsPipelineBuildInfo *info, char *name,
                                      const size_t size) {
  copyName(pipelineNameOf(*info, pipelineHashOf(*info)), name, size);
}
void IPipelineDumper::GetPipelineName(const ComputePipelineBuildInfo *info, char *name,
                                      const size_t size) {
  copyName(pipelineNameOf(*info, pipelineHashOf(*info)), name, size);
}
void IPipelineDumper::GetPipelineName(const GraphicsPipelineBuildInfo *info, char *name,
                                      const size_t size, uint64_t hash) {
  copyName(pipelineNameOf(*info, hash), name, size);
}
void IPipelineDumper::GetPipelineName(const ComputePipelineBuildInfo *info, char *name,
                                      const size_t size, uint64_t hash) {
  copyName(pipelineNameOf(*info, hash), name, size);
}
void IPipelineDumper::GetPipelineName(const RayTracingPipelineBuildInfo *, char *name,
                                      const size_t size) {
  copyName("", name, size);
}
void IPipelineDumper::GetPipelineName(const RayTracingPipelineBuildInfo *, char *name,
                                      const size_t size, uint64_t) {
  copyName("", name, size);
}

//===--- Dumps ---===//

void IPipelineDumper::DumpSpirvBinary(const char *folder, const BinaryData *spirv) {
  if (!folder || !spirv || !spirv->pCode)
    return;
  const llvm::StringRef bytes(static_cast<const char *>(spirv->pCode), spirv->codeSize);
  const llpc::Hash128 hash =
      llpc::hashBytes({reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
  llvm::SmallString<256> path(folder);
  if (llvm::sys::fs::create_directories(path))
    return;
  llvm::sys::path::append(path, llpc::toString(hash) + ".spv");
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (error)
    return;
  file << bytes;
  file.close();
  file.clear_error();
}

void *IPipelineDumper::BeginPipelineDump(const PipelineDumpOptions *options, PipelineBuildInfo info,
                                         uint64_t hash) {
  return options ? DumpFile::begin(*options, info, hash).release() : nullptr;
}

void *IPipelineDumper::BeginPipelineDump(const PipelineDumpOptions *options,
                                         PipelineBuildInfo info) {
  const uint64_t hash = info.pComputeInfo    ? pipelineHashOf(*info.pComputeInfo)
                        : info.pGraphicsInfo ? pipelineHashOf(*info.pGraphicsInfo)
                                             : 0;
  return BeginPipelineDump(options, info, hash);
}

void IPipelineDumper::EndPipelineDump(void *handle) { delete fileOf(handle); }

void IPipelineDumper::DumpPipelineBinary(void *handle, GfxIpVersion, const BinaryData *binary) {
  if (handle && binary)
    fileOf(handle)->addBinary(*binary);
}

void IPipelineDumper::DumpGraphicsLibraryFileName(void *handle, const char **names) {
  for (unsigned i = 0; handle && names && i < 3; ++i)
    if (names[i])
      fileOf(handle)->addLines(std::string("; library ") + names[i] + "\n");
}

void IPipelineDumper::DumpPipelineExtraInfo(void *handle, const char *text) {
  if (handle && text)
    fileOf(handle)->addLines(text);
}

void IPipelineDumper::DumpRayTracingPipelineMetadata(void *, BinaryData *) {}
void IPipelineDumper::DumpRayTracingLibrarySummary(void *, BinaryData *) {}

//===--- Utilities ---===//

/// A string of the binary itself, which the driver keeps: the name is a literal of the first
/// OpEntryPoint. "" for what is no SPIR-V or has none.
const char *IUtil::GetEntryPointNameFromSpirvBinary(const BinaryData *binary) {
  constexpr size_t headerWords = 5, nameWord = 3;
  constexpr uint32_t magic = 0x07230203, opEntryPoint = 15;
  const size_t count = binary && binary->pCode ? binary->codeSize / 4 : 0;
  const auto *words = static_cast<const uint32_t *>(count ? binary->pCode : nullptr);
  if (count < headerWords || words[0] != magic)
    return "";
  for (size_t at = headerWords; at < count;) {
    const uint32_t length = words[at] >> 16;
    if (length == 0 || length > count - at)
      return "";
    if ((words[at] & 0xFFFF) == opEntryPoint && length > nameWord) {
      const char *name = reinterpret_cast<const char *>(words + at + nameWord);
      return std::memchr(name, 0, (length - nameWord) * size_t(4)) ? name : "";
    }
    at += length;
  }
  return "";
}

const char *IUtil::GetResourceMappingNodeTypeName(ResourceMappingNodeType type) {
  return type < ResourceMappingNodeType::Count
             ? lgc::resourceNodeTypeName(static_cast<lgc::ResourceNodeType>(type))
             : "";
}

/// The text is a section of the code object, which drivers read by themselves.
Result IUtil::GetSymbolDisassemblyFromElf(const void *elf, const size_t, const char *, size_t *,
                                          void *) {
  return elf ? Result::Unsupported : Result::ErrorInvalidPointer;
}

} // namespace Vkgc
