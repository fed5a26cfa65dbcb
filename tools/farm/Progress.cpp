//===- Progress.cpp - how far tasks are, as files -------------------------===//
// SPDX-License-Identifier: MIT
#include "Progress.h"
#include "lgc/CompileError.h"
#include "tools/replay/JsonText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using llvm::Error;
using llvm::StringRef;
using replay::Json;
namespace fs = llvm::sys::fs;

namespace farm {
namespace {

/// Members of a TaskState that are numbers, for writing and reading.
template <typename State, typename Use> void eachNumber(State &state, Use &&use) {
  use("task", state.task);
  use("tasks", state.tasks);
  use("started", state.started);
  use("now", state.now);
  use("buckets", state.buckets);
  use("bucketsDone", state.bucketsDone);
  use("bucketsThere", state.bucketsThere);
  use("units", state.units);
  use("done", state.done);
  use("cost", state.cost);
  use("costDone", state.costDone);
  use("restarts", state.restarts);
  use("differing", state.differing);
  use("hits", state.hits);
  use("misses", state.misses);
  use("forged", state.forged);
  use("unknown", state.unknown);
  use("serverFailures", state.serverFailures);
  use("serverSkipped", state.serverSkipped);
  use("audited", state.audited);
  use("auditFailures", state.auditFailures);
  use("cpuMs", state.cpuMs);
}

Json toJson(const TaskState &state) {
  Json json = Json::object();
  eachNumber(state, [&](const char *name, const auto &value) { json[name] = value; });
  json["host"] = state.host;
  json["isDone"] = state.isDone;
  json["byStatus"] = state.byStatus;
  json["cpuHistogram"] = state.cpuHistogram;
  json["history"] = Json::array();
  for (const TaskState::Sample &sample : state.history) {
    Json row = Json::array({sample.time});
    for (uint64_t done : sample.byTarget)
      row.push_back(done);
    json["history"].push_back(std::move(row));
  }
  json["current"] = Json::array();
  for (const TaskState::Current &current : state.current)
    json["current"].push_back(
        {{"item", current.item}, {"target", current.target}, {"seconds", current.seconds}});
  return json;
}

template <typename T> void readNumber(const Json *value, T &into) {
  if (!value)
    return;
  if (const auto *number = value->get_ptr<const Json::number_unsigned_t *>())
    into = static_cast<T>(*number);
  else if (const auto *real = value->get_ptr<const Json::number_float_t *>();
           real && *real >= 0 && *real < 1e18)
    into = static_cast<T>(*real);
}

void readText(const Json &json, const char *name, std::string &into) {
  const Json *value = replay::member(json, name);
  if (const auto *text = value ? value->get_ptr<const std::string *>() : nullptr)
    into = *text;
}

template <size_t count> void readNumbers(const Json *list, std::array<uint64_t, count> &into) {
  for (size_t i = 0; list && list->is_array() && i < std::min(list->size(), count); ++i)
    readNumber(&(*list)[i], into[i]);
}

std::vector<TaskState::Sample> readHistory(const Json *list) {
  std::vector<TaskState::Sample> history;
  for (size_t i = 0; list && list->is_array() && i < list->size(); ++i) {
    const Json &row = (*list)[i];
    TaskState::Sample sample;
    for (size_t column = 0; row.is_array() && column < row.size(); ++column)
      if (column)
        readNumber(&row[column], sample.byTarget.emplace_back());
      else
        readNumber(&row[column], sample.time);
    history.push_back(std::move(sample));
  }
  return history;
}

/// What is not understood stays what it is: nothing depends on it.
TaskState fromJson(const Json &json) {
  TaskState state;
  eachNumber(state,
             [&](const char *name, auto &value) { readNumber(replay::member(json, name), value); });
  readText(json, "host", state.host);
  const Json *isDone = replay::member(json, "isDone");
  state.isDone = isDone && *isDone == Json(true);
  readNumbers(replay::member(json, "byStatus"), state.byStatus);
  readNumbers(replay::member(json, "cpuHistogram"), state.cpuHistogram);
  state.history = readHistory(replay::member(json, "history"));
  const Json *current = replay::member(json, "current");
  for (size_t i = 0; current && current->is_array() && i < current->size(); ++i) {
    TaskState::Current one;
    readText((*current)[i], "item", one.item);
    readText((*current)[i], "target", one.target);
    readNumber(replay::member((*current)[i], "seconds"), one.seconds);
    state.current.push_back(std::move(one));
  }
  return state;
}

std::string fileName(const TaskState &state) {
  return std::to_string(state.task) + "-of-" + std::to_string(state.tasks);
}

std::vector<std::string> filesOf(const std::string &folder, StringRef extension) {
  std::vector<std::string> names;
  std::error_code code;
  for (fs::directory_iterator at(folder, code), end; at != end && !code; at.increment(code))
    if (llvm::sys::path::extension(at->path()) == extension)
      names.push_back(at->path());
  llvm::sort(names);
  return names;
}

} // namespace

std::string progressText(const TaskState &state) {
  return toJson(state).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Error writeProgress(const Plan &plan, const TaskState &state) {
  return writeFile(plan.file("progress/" + fileName(state) + ".json"), progressText(state));
}

Error appendStats(const Plan &plan, const TaskState &state) {
  const std::string path = plan.file("stats/" + fileName(state) + ".jsonl");
  std::error_code code;
  llvm::raw_fd_ostream file(path, code, fs::OF_Append);
  if (!code) {
    file << progressText(state);
    file.flush();
    code = file.error();
    file.clear_error();
  }
  return code ? lgc::limitExceeded(path + ": " + code.message()) : Error::success();
}

RunState readRun(const Plan &plan) {
  RunState run;
  run.bucketsDone = filesOf(plan.file("buckets"), ".bucket").size();
  for (const std::string &path : filesOf(plan.file("progress"), ".json")) {
    auto text = replay::JsonText::load(path);
    if (text)
      run.tasks.push_back(fromJson(text->root()));
    else
      llvm::consumeError(text.takeError()); // it is being replaced
  }
  llvm::sort(run.tasks, [](const TaskState &a, const TaskState &b) {
    return std::tie(a.tasks, a.task) < std::tie(b.tasks, b.task);
  });
  for (const std::string &path : filesOf(plan.file("poison"), ".txt"))
    run.poison.push_back(llvm::sys::path::stem(path).str());
  return run;
}

} // namespace farm
