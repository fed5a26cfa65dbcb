//===- ReportFacts.cpp - what -report shows of a job ----------------------===//
// SPDX-License-Identifier: MIT
#include "ReportFacts.h"
#include "tools/frontend/Glsl.h"
#include "tools/frontend/SpirvTools.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace amdllpc {

#ifdef KILN_REPORT

std::vector<report::Source> sourcesForReport(LoadedInput &module, const std::string &name) {
  // Of another endianness: the reader swaps, and there are no texts.
  const std::vector<uint32_t> words = frontend::wordsOf(module.spirv);
  std::vector<report::Source> sources = report::sourcesOf(words);
  if (!module.text.empty() && !module.isAssembly) {
    // What was compiled is what the user has; the module may hold it with changes.
    llvm::erase_if(sources, [&](const report::Source &source) { return source.name == name; });
    sources.insert(sources.begin(), {name, "GLSL", module.text});
  }
  if (report::hasLines(words))
    return sources;
  std::optional<report::DisassemblyLines> lines;
  if (module.isAssembly)
    lines = report::addDisassemblyLines(words, module.text, name);
  if (!lines)
    lines = report::addDisassemblyLines(words, frontend::disassembleSpirv(words),
                                        llvm::sys::path::filename(name).str() + ".spvasm");
  if (!lines)
    return sources;
  const auto *bytes = reinterpret_cast<const uint8_t *>(lines->words.data());
  module.spirv.assign(bytes, bytes + lines->words.size() * sizeof(uint32_t));
  sources.insert(sources.begin(), std::move(lines->source));
  return sources;
}

void fillFacts(JobResult &result, llvm::ArrayRef<uint8_t> elf) {
  report::PipelineFacts &facts = *result.facts;
  facts.tier = result.isDirect ? "direct" : "llvm";
  facts.elf.assign(elf.begin(), elf.end());
  facts.milliseconds = result.times.total();
  for (const llpc::HardwareStageStatistics &stage : result.stages) {
    report::StageName name{stage.stage, {}};
    for (const llpc::ShaderStage shader : stage.shaders)
      name.shaders.push_back(llpc::shaderStageName(shader).str());
    facts.stages.push_back(std::move(name));
  }
  if (!result.isGraphics)
    facts.stages.push_back({pal::abi::HardwareStage::Cs, {"compute"}});
}

ReportFile::ReportFile(const Options &options) : path(options.report) {
  if (!path.empty())
    writer = std::make_unique<report::ReportWriter>();
}
ReportFile::~ReportFile() = default;

llvm::Error ReportFile::add(JobResult &result) {
  if (!writer || !result.facts)
    return llvm::Error::success();
  report::PipelineFacts facts = std::move(*result.facts);
  result.facts.reset();
  facts.name = result.name;
  facts.entry = result.entry;
  facts.target = result.target;
  facts.warnings = result.warnings;
  if (!result.directRefusal.empty())
    facts.warnings.push_back("not by the direct tier: " + result.directRefusal);
  if (result.error)
    facts.error = result.error->message;
  return writer->add(facts);
}

llvm::Error ReportFile::write() {
  if (!writer)
    return llvm::Error::success();
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (!code) {
    os << (llvm::StringRef(path).ends_with(".json") ? writer->json() : writer->page());
    os.close();
    code = os.error();
    os.clear_error();
  }
  if (code)
    return lgc::invalidInput("cannot write " + path + ": " + code.message());
  return llvm::Error::success();
}

#else // a host without the software device's decoder: the option is refused

std::vector<report::Source> sourcesForReport(LoadedInput &, const std::string &) { return {}; }
void fillFacts(JobResult &, llvm::ArrayRef<uint8_t>) {}
ReportFile::ReportFile(const Options &) {}
ReportFile::~ReportFile() = default;
llvm::Error ReportFile::add(JobResult &) { return llvm::Error::success(); }
llvm::Error ReportFile::write() { return llvm::Error::success(); }

#endif

} // namespace amdllpc
