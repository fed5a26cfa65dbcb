//===- Report.cpp - the table and the JSON report ------------------------===//
// SPDX-License-Identifier: MIT
#include "Report.h"
#include "KernelJson.h"
#include "llvm/Support/Format.h"
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

/// One line of the table: a compute pipeline, a graphics or ray tracing pipeline as a whole, or one
/// of its stages or shaders.
struct Row {
  const JobResult *result;
  const llpc::HardwareStageStatistics *stage = nullptr;
  const llpc::RayTracingShaderStatistics *ray = nullptr;
  bool isWhole() const { return !stage && !ray; }
};

struct Column {
  const char *title;
  bool leftAligned;
  std::string (*cell)(const Row &); ///< of a Figure: what the row's statistics say
  enum class Kind : uint8_t { Name, Figure, Time, Phase, Tier } kind;
};

/// "gs: vertex geometry", "ps: fragment".
std::string stageCell(const llpc::HardwareStageStatistics &stage) {
  std::string text = "  " + pal::abi::hardwareStageKey(stage.stage).drop_front().str() + ":";
  for (llpc::ShaderStage shader : stage.shaders)
    text += (text.back() == ':' ? " " : ", ") + llpc::shaderStageName(shader).str();
  return stage.shaders.empty() ? text + " (made by the compiler)" : text;
}

/// The input's name, cut at the front when it would make the table too wide.
std::string shaderCell(const Row &row) {
  if (row.stage)
    return stageCell(*row.stage);
  if (row.ray)
    return "  " + llpc::shaderStageName(row.ray->stage).str() + ", id " +
           std::to_string(row.ray->id);
  constexpr size_t maxWidth = 60;
  const JobResult &r = *row.result;
  std::string name = r.name;
  if (r.entry != "main" && !r.entry.empty() && !StringRef(r.name).contains(','))
    name += "," + r.entry;
  return name.size() <= maxWidth ? name : "..." + name.substr(name.size() - maxWidth + 3);
}

template <auto member> std::string figureCell(const Row &row) {
  if (row.ray) // the code is the kernel's
    return member == &llpc::ShaderStatistics::scratchBytes ? std::to_string(row.ray->stackBytes)
                                                           : "";
  return std::to_string((row.stage ? row.stage->statistics : row.result->statistics).*member);
}

template <auto member> std::string phaseCell(const Row &row) {
  return row.isWhole() ? fixed(row.result->times.*member, 2) : "";
}

/// "direct", or "llvm" and why.
std::string tierCell(const Row &row) {
  if (!row.isWhole() || row.result->isDirect)
    return row.isWhole() ? "direct" : "";
  const std::string &refusal = row.result->directRefusal;
  return refusal.empty() ? "llvm" : "llvm: " + refusal;
}

using Stats = llpc::ShaderStatistics;
using Times = llpc::PhaseTimes;
constexpr auto figure = Column::Kind::Figure;
constexpr auto phase = Column::Kind::Phase;
const Column columns[] = {
    {"shader", true, shaderCell, Column::Kind::Name},
    {"target", true, [](const Row &r) { return r.isWhole() ? r.result->target : std::string(); },
     Column::Kind::Name},
    {"VGPRs", false, figureCell<&Stats::vgprs>, figure},
    {"SGPRs", false, figureCell<&Stats::sgprs>, figure},
    {"LDS", false, figureCell<&Stats::ldsBytes>, figure},
    {"scratch", false, figureCell<&Stats::scratchBytes>, figure},
    {"code", false, figureCell<&Stats::codeBytes>, figure},
    {"instrs", false, figureCell<&Stats::instructions>, figure},
    {"wave", false, figureCell<&Stats::waveSize>, figure},
    {"waves/SIMD", false, figureCell<&Stats::wavesPerSimd>, figure},
    {"ms", false,
     [](const Row &r) { return r.isWhole() ? fixed(r.result->times.total(), 2) : std::string(); },
     Column::Kind::Time},
    {"front", false,
     [](const Row &r) { return r.isWhole() ? fixed(r.result->frontEndMs, 2) : std::string(); },
     phase},
    {"read", false, phaseCell<&Times::read>, phase},
    {"translate", false, phaseCell<&Times::translate>, phase},
    {"lgc", false, phaseCell<&Times::lgc>, phase},
    {"optimise", false, phaseCell<&Times::optimise>, phase},
    {"codegen", false, phaseCell<&Times::codegen>, phase},
    {"link", false, phaseCell<&Times::link>, phase},
    {"tier", true, tierCell, Column::Kind::Tier},
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

std::vector<Row> rowsOf(llvm::ArrayRef<JobResult> results) {
  std::vector<Row> rows;
  for (const JobResult &result : results) {
    rows.push_back({&result});
    for (const llpc::HardwareStageStatistics &stage : result.stages)
      rows.push_back({&result, &stage});
    for (const llpc::RayTracingShaderStatistics &ray : result.rayShaders)
      rows.push_back({&result, nullptr, &ray});
  }
  return rows;
}

std::string cellOf(const Row &row, const Column &column, size_t index, const Options &options) {
  if (index >= firstFigure && row.result->error)
    return index == firstFigure ? lgc::errorKindName(row.result->error->kind).str() : "";
  if (column.kind != figure)
    return column.cell(row);
  // Code that is no ELF has no figures, only its time; those of a graphics pipeline are its
  // stages'.
  if (options.outputKind != llpc::OutputKind::Elf)
    return "-";
  return row.result->isGraphics && !row.stage ? "" : column.cell(row);
}

/// Phases for who asked for them, tiers where a pipeline's options ask for another than LLVM.
bool isShown(const Column &column, llvm::ArrayRef<JobResult> results, const Options &options) {
  if (column.kind == Column::Kind::Tier)
    return llvm::any_of(results,
                        [](const JobResult &r) { return r.isDirect || !r.directRefusal.empty(); });
  return column.kind != phase || options.timer;
}

} // namespace

void printTable(llvm::raw_ostream &os, llvm::ArrayRef<JobResult> results, const Options &options,
                const RunSummary &summary) {
  std::vector<const Column *> shown;
  for (const Column &column : columns)
    if (isShown(column, results, options))
      shown.push_back(&column);
  std::vector<std::vector<std::string>> texts(1);
  for (const Column *column : shown)
    texts[0].push_back(column->title);
  const std::vector<Row> rows = rowsOf(results);
  for (const Row &row : rows) {
    texts.emplace_back();
    for (size_t i = 0; i < shown.size(); ++i)
      texts.back().push_back(cellOf(row, *shown[i], i, options));
  }
  std::vector<size_t> widths(shown.size());
  for (size_t i = 0; i < shown.size(); ++i)
    for (size_t row = 0; row < texts.size(); ++row)
      if (i != firstFigure || row == 0 || !rows[row - 1].result->error)
        widths[i] = std::max(widths[i], texts[row][i].size());
  for (const auto &row : texts)
    printRow(os, row, shown, widths);
  double compileMs = 0;
  bool hasGraphics = false;
  for (const JobResult &result : results) {
    compileMs += result.times.total();
    hasGraphics |= result.isGraphics;
  }
  size_t failed = countFailed(results);
  os << results.size() - failed << (hasGraphics ? " pipeline" : " shader")
     << (results.size() - failed == 1 ? "" : "s") << " compiled";
  if (failed)
    os << ", " << failed << " failed";
  os << "; " << fixed(compileMs, 1) << " ms compiling, " << fixed(summary.elapsedMs, 1)
     << " ms elapsed, " << summary.threads << (summary.threads == 1 ? " thread\n" : " threads\n");
}

static void addStatistics(nlohmann::ordered_json &json, const llpc::ShaderStatistics &s) {
  json["vgprs"] = s.vgprs;
  json["sgprs"] = s.sgprs;
  json["lds_bytes"] = s.ldsBytes;
  json["scratch_bytes"] = s.scratchBytes;
  json["code_bytes"] = s.codeBytes;
  json["instructions"] = s.instructions;
  json["waves_per_simd"] = s.wavesPerSimd;
  json["wave_size"] = s.waveSize;
}

static nlohmann::ordered_json jsonOf(const llpc::HardwareStageStatistics &stage) {
  nlohmann::ordered_json json;
  json["hardware_stage"] = pal::abi::hardwareStageKey(stage.stage).drop_front().str();
  json["shaders"] = nlohmann::ordered_json::array();
  for (llpc::ShaderStage shader : stage.shaders)
    json["shaders"].push_back(llpc::shaderStageName(shader).str());
  addStatistics(json, stage.statistics);
  if (stage.statistics.workgroupSize[0])
    json["workgroup_size"] = stage.statistics.workgroupSize;
  return json;
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
    if (r.isGraphics) {
      json["stages"] = nlohmann::ordered_json::array();
      for (const llpc::HardwareStageStatistics &stage : r.stages)
        json["stages"].push_back(jsonOf(stage));
    } else {
      for (const llpc::RayTracingShaderStatistics &ray : r.rayShaders)
        json["ray_shaders"].push_back({{"id", ray.id},
                                       {"stage", llpc::shaderStageName(ray.stage).str()},
                                       {"stack_bytes", ray.stackBytes}});
      addStatistics(json, r.statistics);
      json["workgroup_size"] = r.statistics.workgroupSize;
    }
    if (r.kernel)
      addKernel(json, *r.kernel);
    json["tier"] = r.isDirect ? "direct" : "llvm";
    if (!r.directRefusal.empty())
      json["direct_refusal"] = r.directRefusal;
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

} // namespace amdllpc
