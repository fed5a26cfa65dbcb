//===- Run.cpp - a list of captures, in one go ----------------------------===//
// SPDX-License-Identifier: MIT
#include "Run.h"
#include <deque>

using llvm::Error;
using llvm::Expected;

namespace replay {

Expected<Captures> loadCaptures(llvm::ArrayRef<std::string> paths) {
  Captures captures;
  Error errors = Error::success();
  for (const std::string &path : paths)
    for (const std::string &file : findCaptures(path)) {
      auto capture = Capture::load(file);
      if (capture)
        captures.push_back(std::move(*capture));
      else
        errors = llvm::joinErrors(std::move(errors), capture.takeError());
    }
  if (errors)
    return errors;
  return captures;
}

namespace {

class GroupRun {
public:
  GroupRun(const Device &device, const Captures &captures, const RunOptions &options)
      : device(device), options(options), replayer(device) {
    for (const auto &capture : captures)
      rows.emplace_back().capture = capture.get();
  }

  Error run(llvm::function_ref<void(const Device &, const RunRow &)> report) {
    for (RunRow &row : rows)
      row.missing = replayer.missing(*row.capture);
    call(options.begin);
    bool modulesFirst = options.order == Order::ModulesFirst;
    for (bool modules : {modulesFirst, !modulesFirst})
      if (Error error = modules ? createModules() : createLayouts())
        return error;
    call(options.settle);
    for (size_t i = 0; i < rows.size(); ++i) {
      RunRow &row = rows[i];
      if (row.missing.empty()) {
        Expected<CreatedPipeline> created = replayer.create(*row.capture, createOptions(i));
        if (!created)
          return created.takeError();
        row.created = *created;
      }
      report(device, row);
      replayer.destroy(row.created.pipeline);
    }
    call(options.finish);
    return Error::success();
  }

private:
  void call(const std::function<void(const Device &)> &function) const {
    if (function)
      function(device);
  }
  Error createModules() {
    for (RunRow &row : rows)
      if (row.missing.empty())
        if (Error error = replayer.createModules(*row.capture, &row.moduleMicroseconds))
          return error;
    return Error::success();
  }
  Error createLayouts() {
    for (size_t i = 0; i < rows.size(); ++i) {
      const PipelineLayoutDesc *layout = rows[i].capture->layout.get();
      if (!layout || !rows[i].missing.empty())
        continue;
      if (options.randomLayouts) {
        layouts.push_back(randomiseLayout(*layout, *options.randomLayouts + i, options.random));
        layoutOfRow.resize(i + 1);
        layoutOfRow[i] = layout = &layouts.back();
      }
      if (Error error = replayer.createLayout(*layout).takeError())
        return error;
    }
    return Error::success();
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
    Expected<std::vector<std::string>> features = loadFeatures(*capture);
    if (!features)
      return features.takeError();
    groups[*features].push_back(capture);
  }
  return groups;
}

Error runCaptures(const Driver &driver, const Captures &captures, const RunOptions &options,
                  llvm::function_ref<void(const Device &, const RunRow &)> row) {
  Expected<FeatureGroups> groups = byFeatures(captures);
  if (!groups)
    return groups.takeError();
  for (const auto &[features, group] : *groups) {
    Expected<std::unique_ptr<Device>> device = Device::create(driver, options.device, features);
    if (!device)
      return device.takeError();
    if (Error error = GroupRun(**device, group, options).run(row))
      return error;
  }
  return Error::success();
}

} // namespace replay
