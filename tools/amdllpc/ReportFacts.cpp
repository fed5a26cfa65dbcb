//===- ReportFacts.cpp - what -report shows of a job ----------------------===//
// SPDX-License-Identifier: MIT
#include "ReportFacts.h"
#include "Output.h"
#include "llpc/Parts.h"
#include "llpc/spirv/Module.h"
#include "pal_shim/abi/Try.h"
#include "tools/frontend/Glsl.h"
#include "tools/frontend/SpirvTools.h"
#ifdef KILN_REPORT
#include "tools/report/run/Execution.h"
#endif
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace amdllpc {

#ifdef KILN_REPORT

static std::vector<report::Source> sourcesForReport(LoadedInput &module, const std::string &name) {
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

void addSourcesForReport(LoadedInput &module, const std::string &name,
                         std::vector<report::Source> &sources) {
  for (report::Source &source : sourcesForReport(module, name))
    report::addSource(sources, std::move(source));
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

void warnOfInterfaces(const llpc::GraphicsPipelineBuildInfo &info, JobResult &result) {
  const llpc::PipelineShaderInfo *before = nullptr;
  for (unsigned i = 0; i < llpc::graphicsStageCount; ++i) {
    const llpc::PipelineShaderInfo &shader = info.shader(static_cast<llpc::ShaderStage>(i));
    if (!shader.module)
      continue;
    const auto from = before ? llpc::Compiler::stageEnds(*before) : std::nullopt;
    const auto to = llpc::Compiler::stageEnds(shader);
    const auto unread = from && to ? llpc::Compiler::guessFollows(*from, *to) : std::nullopt;
    if (unread.value_or(0))
      result.facts->warnings.push_back(
          (llvm::Twine(*unread) + (*unread == 1 ? " location" : " locations") + " that the " +
           llpc::shaderStageName(before->entryStage) + " shader writes: the " +
           llpc::shaderStageName(shader.entryStage) + " shader does not read " +
           (*unread == 1 ? "it" : "them"))
              .str());
    before = &shader;
  }
}

template <typename Info>
static void executeForReport(const Info &info, llvm::ArrayRef<uint8_t> elf, JobResult &result) {
  llvm::Expected<report::RunFacts> run = report::execute({elf, result.target}, info);
  if (run)
    result.facts->run = std::move(*run);
  else
    result.facts->warnings.push_back("not executed: " + llvm::toString(run.takeError()));
}

void runForReport(const llpc::ComputePipelineBuildInfo &info, llvm::ArrayRef<uint8_t> elf,
                  JobResult &result) {
  executeForReport(info, elf, result);
}

void runForReport(const llpc::GraphicsPipelineBuildInfo &info, llvm::ArrayRef<uint8_t> elf,
                  JobResult &result) {
  executeForReport(info, elf, result);
}

ReportFile::ReportFile(const Options &options) : options(options) {
  if (wantsReport(options))
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
  facts.warnings.insert(facts.warnings.begin(), result.warnings.begin(), result.warnings.end());
  if (!result.directRefusal.empty())
    facts.warnings.push_back("not by the direct tier: " + result.directRefusal);
  if (result.error)
    facts.error = result.error->message;
  return writer->add(facts);
}

llvm::Error ReportFile::write() {
  if (options.report.empty())
    return llvm::Error::success();
  const std::string &path = options.report;
  return writeFile(path,
                   llvm::StringRef(path).ends_with(".json") ? writer->json() : writer->page());
}

std::string ReportFile::json() const { return writer->json(); }

#else // a host without the software device's decoder: the option is refused

void addSourcesForReport(LoadedInput &, const std::string &, std::vector<report::Source> &) {}
void fillFacts(JobResult &, llvm::ArrayRef<uint8_t>) {}
void warnOfInterfaces(const llpc::GraphicsPipelineBuildInfo &, JobResult &) {}
void runForReport(const llpc::ComputePipelineBuildInfo &, llvm::ArrayRef<uint8_t>, JobResult &) {}
void runForReport(const llpc::GraphicsPipelineBuildInfo &, llvm::ArrayRef<uint8_t>, JobResult &) {}
ReportFile::ReportFile(const Options &options) : options(options) {}
ReportFile::~ReportFile() = default;
llvm::Error ReportFile::add(JobResult &) { return llvm::Error::success(); }
llvm::Error ReportFile::write() { return llvm::Error::success(); }
std::string ReportFile::json() const { return ""; }

#endif

} // namespace amdllpc
