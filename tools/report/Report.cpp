//===- Report.cpp - facts about compiled pipelines, and the page of them --===//
// SPDX-License-Identifier: MIT
#include "tools/report/Report.h"
#include "pal_shim/abi/Try.h"
#include "tools/report/Page.h"
#include "tools/report/StageFacts.h"
#include "tools/report/TextChanges.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using Json = nlohmann::ordered_json;
using llvm::StringRef;

namespace report {

struct ReportWriter::Impl {
  CycleParameters parameters;
  std::vector<Source> sources;
  Json pipelines = Json::array();

  size_t addSource(const Source &source);
  static int findSource(llvm::ArrayRef<Source> all, llvm::ArrayRef<size_t> ours,
                        const std::string &file);
  static Json passes(llvm::ArrayRef<PassText> texts, SourceIndex sourceIndex);
  Json parameterList() const;
  Json all() const;
};

ReportWriter::ReportWriter(CycleParameters parameters) : impl(std::make_unique<Impl>()) {
  impl->parameters = parameters;
}
ReportWriter::~ReportWriter() = default;

size_t ReportWriter::Impl::addSource(const Source &source) {
  const auto known = llvm::find(sources, source);
  if (known != sources.end())
    return size_t(known - sources.begin());
  sources.push_back(source);
  return sources.size() - 1;
}

/// By the whole name, else by the file's own if only one has it: compilers write folders in
/// different ways.
int ReportWriter::Impl::findSource(llvm::ArrayRef<Source> all, llvm::ArrayRef<size_t> ours,
                                   const std::string &file) {
  int found = -1;
  unsigned count = 0;
  for (const size_t s : ours) {
    if (all[s].name == file)
      return int(s);
    if (llvm::sys::path::filename(all[s].name) == llvm::sys::path::filename(file)) {
      found = int(s);
      ++count;
    }
  }
  return count == 1 ? found : -1;
}

/// The first text whole, of each later one what is another.
Json ReportWriter::Impl::passes(llvm::ArrayRef<PassText> texts, SourceIndex sourceIndex) {
  Json list = Json::array();
  std::vector<std::string> before;
  for (const PassText &pass : texts) {
    const ReadableIr ir = readableIr(pass.ir);
    const std::vector<StringRef> from(before.begin(), before.end());
    const std::vector<StringRef> to(ir.lines.begin(), ir.lines.end());
    Json changes = Json::array();
    for (const TextChange &change : changesOf(from, to))
      changes.push_back(Json::array({change.begin, change.removed, change.added}));
    // What changes nothing that can be read is no news.
    if (!list.empty() && changes.empty())
      continue;
    list.push_back(
        {{"name", pass.name}, {"changes", std::move(changes)}, {"lines", ir.sourceLines}});
    std::vector<int> sources;
    for (const std::string &file : ir.files)
      sources.push_back(sourceIndex(file));
    list.back()["sources"] = sources;
    if (sources.size() > 1) // else all lines have the only one
      list.back()["source_of"] = ir.fileOf;
    before = ir.lines;
  }
  return list;
}

llvm::Error ReportWriter::add(const PipelineFacts &pipeline) {
  Json json;
  json["name"] = pipeline.name;
  json["target"] = pipeline.target;
  json["entry"] = pipeline.entry;
  if (!pipeline.error.empty()) {
    json["error"] = pipeline.error;
    impl->pipelines.push_back(std::move(json));
    return llvm::Error::success();
  }
  json["tier"] = pipeline.tier;
  json["milliseconds"] = pipeline.milliseconds;
  json["warnings"] = pipeline.warnings;
  std::vector<size_t> ours;
  for (const Source &source : pipeline.sources)
    ours.push_back(impl->addSource(source));
  json["sources"] = ours;
  const CodeObject object = KILN_TRY(readCodeObject(pipeline.elf));
  auto map = KILN_TRY(SourceMap::read(pipeline.elf));
  auto indexOf = [&](const std::string &file) {
    return Impl::findSource(impl->sources, ours, file);
  };
  json["stages"] = Json::array();
  for (const StageCode &stage : object.stages) {
    const bool isRun =
        pipeline.run && llvm::any_of(pipeline.run->profiles, [&](const StageProfile &profile) {
          return profile.stage == stage.stage;
        });
    Json facts = KILN_TRY(describeStage(*object.target, stage, *map, indexOf, impl->parameters,
                                        isRun ? &*pipeline.run : nullptr));
    facts["shaders"] = Json::array();
    for (const StageName &name : pipeline.stages)
      if (name.stage == stage.stage)
        facts["shaders"] = name.shaders;
    json["stages"].push_back(std::move(facts));
  }
  json["passes"] = Impl::passes(pipeline.passes, indexOf);
  impl->pipelines.push_back(std::move(json));
  return llvm::Error::success();
}

Json ReportWriter::Impl::parameterList() const {
  const CycleParameters &p = parameters;
  return {{"VALU", p.valu},
          {"transcendental", p.transcendental},
          {"SALU", p.salu},
          {"scalar load", p.scalarLoad},
          {"vector load", p.vectorLoad},
          {"sample", p.sample},
          {"LDS", p.lds},
          {"store", p.store},
          {"export", p.exported},
          {"branch", p.branch}};
}

Json ReportWriter::Impl::all() const {
  Json json;
  json["format"] = 1;
  json["latencies"] = parameterList();
  json["sources"] = Json::array();
  for (const Source &source : sources)
    json["sources"].push_back(
        {{"name", source.name}, {"language", source.language}, {"text", source.text}});
  json["pipelines"] = pipelines;
  return json;
}

std::string ReportWriter::json() const {
  // Texts of shaders need not be UTF-8.
  return impl->all().dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string ReportWriter::page() const {
  return pageWith(impl->all().dump(-1, ' ', false, Json::error_handler_t::replace));
}

} // namespace report
