//===- Run.cpp - a list of captures, in one go ----------------------------===//
// SPDX-License-Identifier: MIT
#include "Run.h"
#include "FozCaptures.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>

using llvm::Error;
using llvm::Expected;

namespace replay {

Captures loadCaptures(llvm::ArrayRef<std::string> paths, std::vector<std::string> &faults) {
  Captures captures;
  for (const std::string &path : paths) {
    if (llvm::StringRef(path).ends_with(".foz")) {
      llvm::append_range(captures, loadFoz(path, faults));
      continue;
    }
    for (const std::string &file : findCaptures(path)) {
      auto capture = Capture::load(file);
      if (capture)
        captures.push_back(std::move(*capture));
      else
        faults.push_back(llvm::toString(capture.takeError()));
    }
  }
  return captures;
}

namespace {

class GroupRun {
public:
  GroupRun(const Device &device, std::vector<RunRow> rows, const RunOptions &options)
      : device(device), options(options), replayer(device), rows(std::move(rows)) {}

  void run(llvm::function_ref<void(const Device &, const RunRow &)> report) {
    for (RunRow &row : rows)
      row.missing = replayer.missing(*row.capture);
    call(options.begin);
    bool modulesFirst = options.order == Order::ModulesFirst;
    for (bool modules : {modulesFirst, !modulesFirst})
      for (size_t i = 0; i < rows.size() && options.goesOn(); ++i) {
        if (isGood(rows[i]))
          note(rows[i], modules ? createModules(rows[i]) : createLayout(i));
        if (options.prepared)
          options.prepared();
      }
    call(options.settle);
    for (size_t i = 0; i < rows.size() && options.goesOn(); ++i) {
      RunRow &row = rows[i];
      if (isGood(row)) {
        Expected<CreatedPipeline> created = replayer.create(*row.capture, createOptions(i));
        if (created)
          row.created = *created;
        else
          note(row, created.takeError());
      }
      report(device, row);
      replayer.destroy(row.created.pipeline);
    }
    call(options.finish);
  }

private:
  static bool isGood(const RunRow &row) { return row.missing.empty() && row.fault.empty(); }
  static void note(RunRow &row, Error error) {
    if (error)
      row.fault = llvm::toString(std::move(error));
  }
  void call(const std::function<void(const Device &)> &function) const {
    if (function)
      function(device);
  }
  Error createModules(RunRow &row) {
    return replayer.createModules(*row.capture, &row.moduleMicroseconds);
  }
  Error createLayout(size_t row) {
    const PipelineLayoutDesc *layout = rows[row].capture->layout.get();
    if (!layout)
      return Error::success();
    if (options.randomLayouts) {
      layouts.push_back(randomiseLayout(*layout, *options.randomLayouts + row, options.random));
      layoutOfRow.resize(row + 1);
      layoutOfRow[row] = layout = &layouts.back();
    }
    return replayer.createLayout(*layout).takeError();
  }
  CreateOptions createOptions(size_t row) const {
    CreateOptions result;
    result.flags = options.flags;
    result.layout = row < layoutOfRow.size() ? layoutOfRow[row] : nullptr;
    return result;
  }

  const Device &device;
  const RunOptions &options;
  Replayer replayer;
  std::vector<RunRow> rows;
  std::deque<PipelineLayoutDesc> layouts; ///< random ones
  std::vector<const PipelineLayoutDesc *> layoutOfRow;
};

} // namespace

Expected<FeatureGroups> byFeatures(const Captures &captures) {
  FeatureGroups groups;
  for (const auto &capture : captures) {
    std::vector<std::string> features = KILN_TRY(loadFeatures(*capture));
    groups[features].push_back(capture);
  }
  return groups;
}

Error runCaptures(const Driver &driver, const Captures &captures, const RunOptions &options,
                  llvm::function_ref<void(const Device &, const RunRow &)> row) {
  std::map<std::vector<std::string>, std::vector<RunRow>> groups;
  for (const auto &capture : captures) {
    RunRow one;
    one.capture = capture.get();
    Expected<std::vector<std::string>> features = loadFeatures(*capture);
    if (!features)
      one.fault = llvm::toString(features.takeError());
    groups[features ? *features : std::vector<std::string>()].push_back(std::move(one));
  }
  for (auto &[features, rows] : groups) {
    std::unique_ptr<Device> device = KILN_TRY(Device::create(driver, options.device, features));
    GroupRun(*device, std::move(rows), options).run(row);
  }
  return Error::success();
}

} // namespace replay
