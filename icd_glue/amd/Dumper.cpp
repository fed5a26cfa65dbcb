//===- Dumper.cpp - .pipe files that a driver asks for --------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/amd/Dumper.h"
#include "icd_glue/amd/BuildInfos.h"
#include "icd_glue/amd/Hashes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace icd::amd {
namespace {

/// PipelineDumpOptions::filterPipelineDumpByType: pipelines whose name has the word are left out.
struct Filter {
  unsigned bit;
  llvm::StringLiteral word;
};
constexpr Filter filters[] = {{0x1, "Cs_"}, {0x4, "Gs"}, {0x8, "Tess"}, {0x10, "VsFs"}};

bool isWanted(const Vkgc::PipelineDumpOptions &options, llvm::StringRef name, uint64_t hash) {
  if (options.filterPipelineDumpByHash && options.filterPipelineDumpByHash != hash)
    return false;
  return llvm::none_of(filters, [&](const Filter &filter) {
    return (options.filterPipelineDumpByType & filter.bit) && name.contains(filter.word);
  });
}

llvm::Expected<llpc::PipeDump> dumpOf(const Vkgc::PipelineBuildInfo &info) {
  ModuleCache modules;
  const Conversion conversion{modules};
  if (info.pComputeInfo) {
    auto build = computeInfoOf(*info.pComputeInfo, conversion);
    return build ? llpc::dumpPipeline(*build, {}) : build.takeError();
  }
  if (!info.pGraphicsInfo)
    return lgc::unsupported("dumps of ray tracing pipelines");
  auto build = graphicsInfoOf(*info.pGraphicsInfo, conversion);
  return build ? llpc::dumpPipeline(*build, {}) : build.takeError();
}

void write(llvm::StringRef path, llvm::StringRef bytes, llvm::sys::fs::OpenFlags flags) {
  std::error_code error;
  llvm::raw_fd_ostream file(path, error, flags);
  if (error)
    return;
  file << bytes;
  file.close();
  file.clear_error(); // a dump is no reason to end the process
}

} // namespace

std::unique_ptr<DumpFile> DumpFile::begin(const Vkgc::PipelineDumpOptions &options,
                                          const Vkgc::PipelineBuildInfo &info, uint64_t hash) {
  if (!options.pDumpDir || (!info.pComputeInfo && !info.pGraphicsInfo))
    return nullptr;
  const std::string name = info.pComputeInfo ? pipelineNameOf(*info.pComputeInfo, hash)
                                             : pipelineNameOf(*info.pGraphicsInfo, hash);
  if (!isWanted(options, name, hash))
    return nullptr;
  auto dump = dumpOf(info);
  if (!dump) {
    llvm::consumeError(dump.takeError());
    return nullptr;
  }
  llvm::SmallString<256> stem(options.pDumpDir);
  llvm::sys::path::append(stem, name);
  for (unsigned i = 1; llvm::sys::fs::exists(stem + ".pipe"); ++i) {
    if (!options.dumpDuplicatePipelines || i > 9999)
      return nullptr;
    stem = options.pDumpDir;
    llvm::sys::path::append(stem, name + "-[" + std::to_string(i) + "]");
  }
  std::unique_ptr<DumpFile> file(new DumpFile(std::string(stem)));
  dump->fileName = llvm::sys::path::filename(file->pipePath).str();
  if (llvm::Error error = llpc::writeDump(*dump, options.pDumpDir)) {
    llvm::consumeError(std::move(error));
    return nullptr;
  }
  return file;
}

DumpFile::~DumpFile() {
  if (lines.empty())
    return;
  // Comments, whatever a driver gives.
  std::string text = "\n";
  llvm::SmallVector<llvm::StringRef> all;
  llvm::StringRef(lines).split(all, '\n');
  for (llvm::StringRef line : all)
    if (!line.trim().empty())
      text += (line.starts_with(";") ? line : "; " + line.str()).str() + "\n";
  write(pipePath, text, llvm::sys::fs::OF_Append);
}

void DumpFile::addBinary(const Vkgc::BinaryData &binary) {
  if (!binary.pCode)
    return;
  const std::string number = binaries++ ? "." + std::to_string(binaries - 1) : "";
  write(stem + number + ".elf", {static_cast<const char *>(binary.pCode), binary.codeSize},
        llvm::sys::fs::OF_None);
}

void DumpFile::addLines(llvm::StringRef text) { lines += text; }

} // namespace icd::amd
