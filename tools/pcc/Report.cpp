//===- Report.cpp - what the pipelines of a cache take --------------------===//
// SPDX-License-Identifier: MIT
#include "Report.h"
#include "icd_glue/code/Executable.h"
#include "pal_shim/abi/ElfObject.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <nlohmann/json.hpp>

using llvm::ArrayRef;
using llvm::StringRef;

namespace pcc {
namespace {

using Json = nlohmann::ordered_json;

std::string nameOf(size_t index, const icd::sc::Entry &entry, ArrayRef<std::string> names) {
  return index < names.size() ? names[index] : icd::sc::uuidText(entry.identifier);
}

/// Columns of a stage, for both formats.
struct Column {
  const char *key, *title;
  uint32_t StageReport::*value;
};
constexpr Column columns[] = {
    {"vgprs", "VGPRs", &StageReport::vgprs},
    {"sgprs", "SGPRs", &StageReport::sgprs},
    {"ldsBytes", "LDS bytes", &StageReport::ldsBytes},
    {"scratchBytes", "scratch bytes", &StageReport::scratchBytes},
    {"codeBytes", "code bytes", &StageReport::codeBytes},
    {"waveSize", "wave size", &StageReport::waveSize},
    {"wavesPerSimd", "waves per SIMD", &StageReport::wavesPerSimd},
};

std::string escapeHtml(StringRef text) {
  std::string result;
  for (char c : text) {
    switch (c) {
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '&':
      result += "&amp;";
      break;
    default:
      result += c;
    }
  }
  return result;
}

} // namespace

std::vector<StageReport> stagesOf(const icd::sc::Entry &entry) {
  std::vector<StageReport> stages;
  auto elf = pal::abi::ElfObject::parse(entry.elf);
  if (!elf) {
    llvm::consumeError(elf.takeError());
    return stages;
  }
  const pal::abi::GpuTarget *target = pal::abi::findTargetByMach(elf->header().flags & 0xFF);
  if (!target)
    return stages;
  for (const icd::ExecutableInfo &info : icd::describe(entry.elf, entry.stages, *target)) {
    const llpc::ShaderStatistics &from = info.statistics;
    stages.push_back({info.name, from.vgprs, from.sgprs, from.ldsBytes, from.scratchBytes,
                      from.codeBytes, from.waveSize, from.wavesPerSimd});
  }
  return stages;
}

std::vector<PoolSize> poolSizesOf(ArrayRef<icd::sc::Entry> entries) {
  std::map<uint64_t, uint32_t> counts;
  for (const icd::sc::Entry &entry : entries)
    ++counts[entry.memoryBytes];
  std::vector<PoolSize> sizes;
  for (auto [bytes, count] : counts)
    sizes.push_back({bytes, count});
  return sizes;
}

std::string reportAsJson(StringRef target, ArrayRef<icd::sc::Entry> entries,
                         ArrayRef<std::string> names) {
  Json report;
  report["target"] = target.str();
  report["pipelinePoolSizes"] = Json::array();
  for (const PoolSize &size : poolSizesOf(entries))
    report["pipelinePoolSizes"].push_back(
        {{"poolEntrySize", size.entryBytes}, {"poolEntryCount", size.entryCount}});
  report["pipelines"] = Json::array();
  for (size_t i = 0; i < entries.size(); ++i) {
    Json pipeline;
    pipeline["name"] = nameOf(i, entries[i], names);
    pipeline["identifier"] = icd::sc::uuidText(entries[i].identifier);
    pipeline["pipelineMemorySize"] = entries[i].memoryBytes;
    pipeline["elfBytes"] = entries[i].elf.size();
    pipeline["stages"] = Json::array();
    for (const StageReport &stage : stagesOf(entries[i])) {
      Json json;
      json["name"] = stage.name;
      for (const Column &column : columns)
        json[column.key] = stage.*column.value;
      pipeline["stages"].push_back(std::move(json));
    }
    report["pipelines"].push_back(std::move(pipeline));
  }
  return report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string reportAsHtml(StringRef target, ArrayRef<icd::sc::Entry> entries,
                         ArrayRef<std::string> names) {
  std::string html;
  llvm::raw_string_ostream out(html);
  out << "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Pipelines for "
      << escapeHtml(target)
      << "</title>\n<style>body{font-family:sans-serif}td,th{padding:2px 8px;text-align:right}"
         "td.t,th.t{text-align:left}tr:nth-child(even){background:#eee}</style>\n";
  out << "<h1>" << entries.size() << " pipelines for " << escapeHtml(target) << "</h1>\n"
      << "<h2>Pool sizes</h2>\n<table><tr><th>poolEntrySize<th>poolEntryCount\n";
  for (const PoolSize &size : poolSizesOf(entries))
    out << "<tr><td>" << size.entryBytes << "<td>" << size.entryCount << "\n";
  out << "</table>\n<h2>Pipelines</h2>\n<table><tr><th class=t>pipeline<th class=t>stage";
  for (const Column &column : columns)
    out << "<th>" << column.title;
  out << "<th>memory\n";
  for (size_t i = 0; i < entries.size(); ++i)
    for (const StageReport &stage : stagesOf(entries[i])) {
      out << "<tr><td class=t>" << escapeHtml(nameOf(i, entries[i], names)) << "<td class=t>"
          << escapeHtml(stage.name);
      for (const Column &column : columns)
        out << "<td>" << stage.*column.value;
      out << "<td>" << entries[i].memoryBytes << "\n";
    }
  out << "</table></html>\n";
  return html;
}

} // namespace pcc
