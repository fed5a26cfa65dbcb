//===- PipelineReplacement.cpp - KILN_REPLACE_DIR -------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/assemble/PipelineReplacement.h"
#include "icd_glue/Environment.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/context/Instance.h"
#include "icd_glue/state/UserDataLayout.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace icd {
namespace {

using lgc::ResourceNodeType;

struct FoundFile {
  std::string path;
  llpc::PipeFile file;
};

llvm::Expected<llpc::PipeFile> readFile(llvm::StringRef path) {
  auto text = llvm::MemoryBuffer::getFile(path);
  if (!text)
    return lgc::invalidInput(path + ": " + text.getError().message());
  std::vector<std::string> warnings; // of keys that mean nothing here
  return llpc::readPipeFile((*text)->getBuffer(), path, warnings);
}

/// \p own: what the driver would dump.
llvm::Expected<FoundFile> findFile(llvm::StringRef folder, const llpc::PipeDump &own) {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, own.fileName);
  std::vector<std::string> warnings;
  const llpc::PipeFile wanted = KILN_TRY(llpc::readPipeFile(own.text, own.fileName, warnings));
  if (llvm::sys::fs::exists(path)) {
    auto file = KILN_TRY(readFile(path));
    if (file.isRays() != wanted.isRays() ||
        (file.isRays() && file.shaders.size() != wanted.shaders.size()))
      return lgc::invalidInput(path + " has other shaders");
    return FoundFile{std::string(path), std::move(file)};
  }
  std::optional<FoundFile> found;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error)) {
    if (!llvm::StringRef(it->path()).ends_with(".pipe"))
      continue;
    auto file = KILN_TRY(readFile(it->path()));
    if (file.shaders != wanted.shaders)
      continue;
    if (found)
      return lgc::invalidInput(found->path + " and " + it->path() + " have the same modules");
    found = {it->path(), std::move(file)};
  }
  if (error)
    return lgc::invalidInput(folder + ": " + error.message());
  if (!found)
    return lgc::invalidInput(folder + " has no file for " + own.fileName);
  return std::move(*found);
}

/// The file names its modules after their content, so they are those of \p build; shader binding
/// tables have the ids of its shaders.
llvm::Expected<std::vector<uint8_t>> compileFile(Device &device, llpc::PipeFile &file,
                                                 const BuildInfo &build) {
  if (build.isRays())
    for (auto [shader, own] : llvm::zip_equal(file.rays.shaders, build.rays().shaders)) {
      shader.module = own.module;
      shader.id = own.id;
    }
  for (const lgc::PartKind kind : build.partKinds())
    for (const llpc::PipelineShaderInfo *shader : build.shaders(kind))
      file.info(shader->entryStage).module = shader->module;
  auto compile = [&](const BuildInfo &info) -> llvm::Expected<std::vector<uint8_t>> {
    auto result = KILN_TRY(info.compile(device.compiler(), /*isDirect=*/false));
    return result.elf.bytes().vec();
  };
  return file.visit([&](const auto &info) { return compile(info); });
}

llvm::Expected<std::vector<uint8_t>> codeOfFile(Device &device, FoundFile &found,
                                                const BuildInfo &build) {
  llvm::SmallString<256> path(found.path);
  llvm::sys::path::replace_extension(path, "elf");
  auto elf = llvm::MemoryBuffer::getFile(path);
  if (!elf && elf.getError() != std::errc::no_such_file_or_directory)
    return lgc::invalidInput(path + ": " + elf.getError().message());
  if (!elf)
    return compileFile(device, found.file, build);
  const llvm::ArrayRef<uint8_t> bytes = llvm::arrayRefFromStringRef((*elf)->getBuffer());
  return bytes.vec();
}

/// More than any layout has.
constexpr uint64_t maxTableDwords = 1 << 24;

bool canBeBound(const lgc::ResourceNode &node) {
  const uint32_t least = node.type == ResourceNodeType::DescriptorTableVaPtr ? 1 : 0;
  if (uint64_t(node.offsetInDwords) + node.sizeInDwords > maxTableDwords ||
      node.sizeInDwords < least || node.strideInDwords > maxTableDwords)
    return false;
  switch (node.type) {
  case ResourceNodeType::DescriptorYCbCrSampler: // the driver's planes have other selectors
  case ResourceNodeType::DescriptorFmask:
  case ResourceNodeType::IndirectUserDataVaPtr:
  case ResourceNodeType::StreamOutTableVaPtr:
    return false;
  default:
    return llvm::all_of(node.table, canBeBound);
  }
}

llvm::Expected<std::shared_ptr<const Replacement>> replacementFor(const FoundFile &found) {
  const llpc::PipeFile &file = found.file;
  auto replacement = std::make_shared<Replacement>();
  if (file.isRays()) {
    replacement->launchUserData = file.rays.launchUserData;
    if (replacement->launchUserData > maxUserDataDwords - 2)
      return lgc::unsupported(found.path + ": launchUserData behind all user data");
  } else if (!file.isCompute()) {
    replacement->hasSoftwareBuffers = file.graphics.useSoftwareVertexBufferDescriptors;
    // With vertex input in the file attributes are compiled in.
    replacement->hasUberFetch =
        file.graphics.enableUberFetchShader && file.graphics.vertexInput == llpc::VertexInputInfo();
  }
  replacement->mapping =
      file.visit([](const llpc::PipelineBuildInfo &info) { return info.resourceMapping; });
  if (!llvm::all_of(replacement->mapping.roots, canBeBound))
    return lgc::unsupported(found.path + ": a resource mapping that cannot be bound");
  return replacement;
}

} // namespace

llvm::Expected<std::shared_ptr<const CodeObject>>
replacementOf(Device &device, const BuildInfo &build, const llpc::PipelineHashes &hashes) {
  const llpc::PipeDump own = KILN_TRY(build.dump(hashes));
  FoundFile found = KILN_TRY(findFile(device.environment().replaceFolder, own));
  auto replacement = KILN_TRY(replacementFor(found));
  auto elf = KILN_TRY(codeOfFile(device, found, build));
  device.instance().log("KILN_REPLACE_DIR: " + own.fileName + " has the code of " + found.path);
  CodeObject::Description description;
  description.name = build.programName();
  description.stages = build.stages();
  description.pipelineHash = hashes.pipelineHash;
  description.hasTexts = true; // and so in no cache
  description.replacement = std::move(replacement);
  return std::make_shared<const CodeObject>(
      device.target(), llpc::PipelineBinary::own(std::move(elf)), std::move(description));
}

} // namespace icd
