//===- Report.cpp - the table, the JSON report and the progress bar -------===//
// SPDX-License-Identifier: MIT
#include "Report.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include <algorithm>
#include <nlohmann/json.hpp>

using llvm::StringRef;

namespace amdllpc {

namespace {

std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f", digits, value);
  return text;
}

struct Column {
  const char *title;
  bool leftAligned;
  std::string (*cell)(const JobResult &);
  bool onlyWithTimer = false;
};

/// The input's name, cut at the front when it would make the table too wide.
std::string shaderCell(const JobResult &r) {
  constexpr size_t maxWidth = 60;
  std::string name = r.name;
  if (r.entry != "main" && !r.entry.empty() && !StringRef(r.name).contains(','))
    name += "," + r.entry;
  return name.size() <= maxWidth ? name : "..." + name.substr(name.size() - maxWidth + 3);
}

const Column columns[] = {
    {"shader", true, shaderCell},
    {"target", true, [](const JobResult &r) { return r.target; }},
    {"VGPRs", false, [](const JobResult &r) { return std::to_string(r.statistics.vgprs); }},
    {"SGPRs", false, [](const JobResult &r) { return std::to_string(r.statistics.sgprs); }},
    {"LDS", false, [](const JobResult &r) { return std::to_string(r.statistics.ldsBytes); }},
    {"scratch", false,
     [](const JobResult &r) { return std::to_string(r.statistics.scratchBytes); }},
    {"code", false, [](const JobResult &r) { return std::to_string(r.statistics.codeBytes); }},
    {"instrs", false, [](const JobResult &r) { return std::to_string(r.statistics.instructions); }},
    {"wave", false, [](const JobResult &r) { return std::to_string(r.statistics.waveSize); }},
    {"waves/SIMD", false,
     [](const JobResult &r) { return std::to_string(r.statistics.wavesPerSimd); }},
    {"ms", false, [](const JobResult &r) { return fixed(r.times.total(), 2); }},
    {"front", false, [](const JobResult &r) { return fixed(r.frontEndMs, 2); }, true},
    {"read", false, [](const JobResult &r) { return fixed(r.times.read, 2); }, true},
    {"translate", false, [](const JobResult &r) { return fixed(r.times.translate, 2); }, true},
    {"lgc", false, [](const JobResult &r) { return fixed(r.times.lgc, 2); }, true},
    {"optimise", false, [](const JobResult &r) { return fixed(r.times.optimise, 2); }, true},
    {"codegen", false, [](const JobResult &r) { return fixed(r.times.codegen, 2); }, true},
    {"link", false, [](const JobResult &r) { return fixed(r.times.link, 2); }, true},
};

constexpr size_t firstFigure = 2; ///< columns before it are shown for failed shaders too

void printRow(llvm::raw_ostream &os, llvm::ArrayRef<std::string> cells,
              llvm::ArrayRef<const Column *> shown, llvm::ArrayRef<size_t> widths) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    size_t pad = widths[i] - std::min(widths[i], cells[i].size());
    if (i)
      line += "  ";
    if (!shown[i]->leftAligned)
      line.append(pad, ' ');
    line += cells[i];
    if (shown[i]->leftAligned)
      line.append(pad, ' ');
  }
  os << StringRef(line).rtrim() << '\n';
}

size_t countFailed(llvm::ArrayRef<JobResult> results) {
  return llvm::count_if(results, [](const JobResult &r) { return r.error.has_value(); });
}

} // namespace

void printTable(llvm::raw_ostream &os, llvm::ArrayRef<JobResult> results, const Options &options,
                const RunSummary &summary) {
  std::vector<const Column *> shown;
  for (const Column &column : columns)
    if (!column.onlyWithTimer || options.timer)
      shown.push_back(&column);
  std::vector<std::vector<std::string>> rows(1);
  for (const Column *column : shown)
    rows[0].push_back(column->title);
  double compileMs = 0;
  // Code that is no ELF has no figures, only its time.
  bool hasFigures = options.outputKind == llpc::OutputKind::Elf;
  for (const JobResult &result : results) {
    compileMs += result.times.total();
    rows.emplace_back();
    for (size_t i = 0; i < shown.size(); ++i) {
      bool isFigure =
          i >= firstFigure && StringRef(shown[i]->title) != "ms" && !shown[i]->onlyWithTimer;
      if (i >= firstFigure && result.error)
        rows.back().push_back(i == firstFigure ? lgc::errorKindName(result.error->kind).str() : "");
      else
        rows.back().push_back(isFigure && !hasFigures ? "-" : shown[i]->cell(result));
    }
  }
  std::vector<size_t> widths(shown.size());
  for (size_t i = 0; i < shown.size(); ++i)
    for (size_t row = 0; row < rows.size(); ++row)
      if (i != firstFigure || row == 0 || !results[row - 1].error)
        widths[i] = std::max(widths[i], rows[row][i].size());
  for (const auto &row : rows)
    printRow(os, row, shown, widths);
  size_t failed = countFailed(results);
  os << results.size() - failed << (results.size() - failed == 1 ? " shader" : " shaders")
     << " compiled";
  if (failed)
    os << ", " << failed << " failed";
  os << "; " << fixed(compileMs, 1) << " ms compiling, " << fixed(summary.elapsedMs, 1)
     << " ms elapsed, " << summary.threads << (summary.threads == 1 ? " thread\n" : " threads\n");
}

static nlohmann::ordered_json jsonOf(const JobResult &r) {
  nlohmann::ordered_json json;
  json["file"] = r.path;
  json["entry"] = r.entry;
  json["target"] = r.target;
  json["status"] = r.error ? lgc::errorKindName(r.error->kind).str() : "ok";
  if (r.error)
    json["message"] = r.error->message;
  if (!r.warnings.empty())
    json["warnings"] = r.warnings;
  if (!r.error) {
    const llpc::ShaderStatistics &s = r.statistics;
    json["vgprs"] = s.vgprs;
    json["sgprs"] = s.sgprs;
    json["lds_bytes"] = s.ldsBytes;
    json["scratch_bytes"] = s.scratchBytes;
    json["code_bytes"] = s.codeBytes;
    json["instructions"] = s.instructions;
    json["waves_per_simd"] = s.wavesPerSimd;
    json["wave_size"] = s.waveSize;
    json["workgroup_size"] = s.workgroupSize;
    json["pipeline_hash"] = llpc::toString(r.hashes.pipelineHash);
    json["cache_hash"] = llpc::toString(r.hashes.cacheHash);
    json["ms"] = {{"total", r.times.total()},   {"front_end", r.frontEndMs},
                  {"read", r.times.read},       {"translate", r.times.translate},
                  {"lgc", r.times.lgc},         {"optimise", r.times.optimise},
                  {"codegen", r.times.codegen}, {"link", r.times.link}};
  }
  return json;
}

void printJson(llvm::raw_ostream &os, llvm::ArrayRef<JobResult> results,
               const RunSummary &summary) {
  nlohmann::ordered_json json;
  json["shaders"] = nlohmann::ordered_json::array();
  double compileMs = 0;
  for (const JobResult &result : results) {
    json["shaders"].push_back(jsonOf(result));
    compileMs += result.times.total();
  }
  size_t failed = countFailed(results);
  json["summary"] = {{"compiled", results.size() - failed},
                     {"failed", failed},
                     {"compile_ms", compileMs},
                     {"elapsed_ms", summary.elapsedMs},
                     {"threads", summary.threads}};
  // File names need not be UTF-8.
  os << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

ProgressBar::ProgressBar(size_t total)
    : total(total), enabled(total > 1 && llvm::sys::Process::StandardErrIsDisplayed()) {}

void ProgressBar::update(size_t done) {
  if (!enabled)
    return;
  constexpr size_t width = 40;
  size_t filled = total ? done * width / total : 0;
  llvm::errs() << "\r[" << std::string(filled, '#') << std::string(width - filled, ' ') << "] "
               << done << '/' << total;
  llvm::errs().flush();
  drawn = true;
}

void ProgressBar::clear() {
  if (!drawn)
    return;
  llvm::errs() << "\r\x1b[K";
  llvm::errs().flush();
  drawn = false;
}

} // namespace amdllpc
