//===- Analyzer.cpp - Radeon GPU Analyzer's files -------------------------===//
// SPDX-License-Identifier: MIT
#include "Analyzer.h"
#include "Output.h"
#include "llpc/StageNames.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Try.h"
#ifdef KILN_REPORT
#include "tools/report/Listing.h"
#endif
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace amdllpc {

namespace {

struct NameRow {
  AnalyzerFile kind;
  llvm::StringLiteral inFolder;  ///< the middle of the name when a folder is given; may be empty
  llvm::StringLiteral extension; ///< when no other is given
};
// Names: GPUOpen-Tools/radeon_gpu_analyzer, kc_cli_string_constants.h.
constexpr NameRow nameRows[] = {
    {AnalyzerFile::Assembly, "isa", "amdisa"},
    {AnalyzerFile::LiveVgprs, "", "livereg"},
    {AnalyzerFile::LiveSgprs, "", "livereg_sgpr"},
    {AnalyzerFile::BlockGraph, "", "dot"},
    {AnalyzerFile::InstructionGraph, "", "dot"},
    {AnalyzerFile::Resources, "stats", "csv"},
    {AnalyzerFile::Ir, "il", "amdil"},
    {AnalyzerFile::CodeObject, "", "bin"},
};
static_assert(std::size(nameRows) == size_t(AnalyzerFile::Count));

struct FamilyRow {
  unsigned major, minor;
  llvm::StringLiteral name;
};
constexpr FamilyRow families[] = {
    {10, 1, "RDNA"}, {10, 3, "RDNA2"}, {11, 0, "RDNA3"}, {11, 5, "RDNA3.5"}, {12, 0, "RDNA4"}};

} // namespace

std::string analyzerFile(AnalyzerFile kind, const std::string &path, StringRef target,
                         StringRef stage) {
  const NameRow &row = nameRows[size_t(kind)];
  const bool isFolder = llvm::sys::fs::is_directory(path) || StringRef(path).ends_with("/");
  const StringRef given = isFolder ? StringRef(row.inFolder) : llvm::sys::path::stem(path);
  StringRef extension = isFolder ? "" : llvm::sys::path::extension(path);
  extension.consume_front(".");
  std::string name = target.str();
  for (const StringRef part : {given, stage})
    if (!part.empty())
      name += "_" + part.str();
  llvm::SmallString<256> file(isFolder ? StringRef(path) : llvm::sys::path::parent_path(path));
  llvm::sys::path::append(file,
                          name + "." + (extension.empty() ? row.extension.str() : extension.str()));
  return file.str().str();
}

llvm::Error checkAnalyzerFiles(const Options &options, llvm::ArrayRef<PipelineInput> inputs) {
  if (wantsAnalyzerFiles(options) && inputs.size() > 1)
    return lgc::invalidInput("files of -isa, -livereg, -cfg, -analysis and their like are named by "
                             "target and stage: one pipeline at a time");
  return llvm::Error::success();
}

std::string targetList() {
  std::string text;
  for (const pal::abi::GpuTarget &target : pal::abi::allTargets()) {
    text += target.name.str();
    for (const FamilyRow &family : families)
      if (family.major == target.major && family.minor == target.minor)
        text += " (" + family.name.str() + ")";
    text += '\n';
  }
  return text;
}

std::string analyzerMessages(const Options &options, llvm::ArrayRef<JobResult> results) {
  std::string text;
  auto add = [&](const std::string &target, bool isGood) {
    text += "Building for " + target + "... " + (isGood ? "succeeded.\n" : "failed.\n");
  };
  for (const JobResult &result : results)
    if (!result.target.empty())
      add(result.target, !result.error);
    else // what is wrong for all of them
      for (const std::string &target : options.targets)
        add(target, false);
  return text;
}

#ifdef KILN_REPORT

namespace {

struct TextRow {
  AnalyzerFile file;
  report::ListingKind kind;
};
constexpr TextRow textRows[] = {
    {AnalyzerFile::Assembly, report::ListingKind::Assembly},
    {AnalyzerFile::LiveVgprs, report::ListingKind::LiveVgprs},
    {AnalyzerFile::LiveSgprs, report::ListingKind::LiveSgprs},
    {AnalyzerFile::BlockGraph, report::ListingKind::BlockGraph},
    {AnalyzerFile::InstructionGraph, report::ListingKind::InstructionGraph},
    {AnalyzerFile::Resources, report::ListingKind::Resources},
};

/// Stages of the API that the code of \p stage is of, as files name them.
std::vector<std::string> suffixesOf(const JobResult &result, pal::abi::HardwareStage stage) {
  std::vector<std::string> suffixes;
  if (!result.isGraphics)
    suffixes.push_back(llpc::namesOf(llpc::ShaderStage::Compute).suffix.str());
  for (const llpc::HardwareStageStatistics &statistics : result.stages)
    if (statistics.stage == stage)
      for (const llpc::ShaderStage shader : statistics.shaders)
        suffixes.push_back(llpc::namesOf(shader).suffix.str());
  return suffixes;
}

/// With the folder, which need not be there yet.
llvm::Error writeInFolder(const std::string &path, StringRef bytes) {
  const StringRef folder = llvm::sys::path::parent_path(path);
  if (!folder.empty())
    if (std::error_code error = llvm::sys::fs::create_directories(folder))
      return lgc::invalidInput("cannot create the folder " + folder + ": " + error.message());
  return writeFile(path, bytes);
}

/// Files about one stage; those that are merged into one have the same text.
llvm::Error writeStage(const AnalyzerOptions &options, const report::StageListing &listing,
                       StringRef target, StringRef suffix) {
  const report::ListingOptions form{options.lineNumbers, options.separator};
  for (const TextRow &row : textRows) {
    const std::string &path = options.files[size_t(row.file)];
    if (path.empty())
      continue;
    const std::string file = analyzerFile(row.file, path, target, suffix);
    KILN_TRY(writeInFolder(file, listing.text(row.kind, form)));
    if (row.file != AnalyzerFile::Assembly || !options.parseIsa)
      continue;
    llvm::SmallString<256> table(file);
    llvm::sys::path::replace_extension(table, "csv");
    KILN_TRY(writeInFolder(table.str().str(), listing.text(report::ListingKind::AssemblyTable)));
  }
  return llvm::Error::success();
}

} // namespace

llvm::Error writeAnalyzerFiles(const Options &options, const JobResult &result) {
  if (!wantsAnalyzerFiles(options) || result.error || !result.facts)
    return llvm::Error::success();
  const AnalyzerOptions &analyzer = options.analyzer;
  const report::PipelineFacts &facts = *result.facts;
  if (const std::string &path = analyzer.files[size_t(AnalyzerFile::CodeObject)]; !path.empty())
    KILN_TRY(writeInFolder(analyzerFile(AnalyzerFile::CodeObject, path, result.target, ""),
                           llvm::toStringRef(facts.elf)));
  const report::CodeObject object = KILN_TRY(report::readCodeObject(facts.elf));
  const auto map = KILN_TRY(report::SourceMap::read(facts.elf));
  for (const report::StageCode &stage : object.stages) {
    const auto listing = KILN_TRY(report::StageListing::read(*object.target, stage, *map));
    for (const std::string &suffix : suffixesOf(result, stage.stage)) {
      KILN_TRY(writeStage(analyzer, *listing, result.target, suffix));
      // The pipeline is one module.
      const std::string &path = analyzer.files[size_t(AnalyzerFile::Ir)];
      for (const report::PassText &pass : facts.passes)
        if (!path.empty() && pass.name == "LLVM IR")
          KILN_TRY(
              writeInFolder(analyzerFile(AnalyzerFile::Ir, path, result.target, suffix), pass.ir));
    }
  }
  return llvm::Error::success();
}

#else // a host without the software device's decoder: the options are refused

llvm::Error writeAnalyzerFiles(const Options &, const JobResult &) {
  return llvm::Error::success();
}

#endif

} // namespace amdllpc
