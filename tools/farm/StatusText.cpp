//===- StatusText.cpp - how far a run is, for people and for monitors -----===//
// SPDX-License-Identifier: MIT
#include "Progress.h"
#include "tools/replay/JsonText.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;
using llvm::StringRef;
using replay::Json;

namespace farm {
namespace {

/// What the tasks say together.
struct Sums {
  uint64_t units = 0, done = 0, restarts = 0, differing = 0, running = 0, silent = 0;
  TaskState server; ///< what counts the shared tier
  std::array<uint64_t, statusCount> byStatus = {};
  std::array<uint64_t, 16> cpuHistogram = {};
  double cost = 0, costDone = 0, cpuMs = 0;
  double secondsLeft = -1; ///< of the task that has most left; -1: not known
  TaskState::Current slowest;

  Sums(const RunState &run, double now) {
    for (const TaskState &task : run.tasks)
      add(task, now);
  }

private:
  void add(const TaskState &task, double now) {
    units += task.units;
    done += task.done;
    restarts += task.restarts;
    differing += task.differing;
    for (uint64_t TaskState::*member :
         {&TaskState::hits, &TaskState::misses, &TaskState::forged, &TaskState::unknown,
          &TaskState::serverFailures, &TaskState::serverSkipped, &TaskState::audited,
          &TaskState::auditFailures})
      server.*member += task.*member;
    cost += task.cost;
    costDone += task.costDone;
    cpuMs += task.cpuMs;
    for (size_t i = 0; i < byStatus.size(); ++i)
      byStatus[i] += task.byStatus[i];
    for (size_t i = 0; i < cpuHistogram.size(); ++i)
      cpuHistogram[i] += task.cpuHistogram[i];
    if (task.isDone)
      return;
    const bool isSilent = now - task.now > silentSeconds;
    ++(isSilent ? silent : running);
    if (isSilent)
      return;
    for (const TaskState::Current &current : task.current)
      if (current.seconds >= slowest.seconds)
        slowest = current;
    const double took = task.now - task.started;
    if (task.costDone > 0 && took > 0)
      secondsLeft = std::max(secondsLeft, took * (task.cost - task.costDone) / task.costDone);
  }
};

std::string timeText(double seconds) {
  if (seconds < 0)
    return "not known yet";
  const auto whole = static_cast<uint64_t>(seconds + 0.5);
  return formatv("{0}:{1,0+2}:{2,0+2}", whole / 3600, whole / 60 % 60, whole % 60).str();
}

std::string plainText(const Plan &plan, const RunState &run, const Sums &sums, double now) {
  std::string text = formatv("{0} items, {1} targets; buckets: {2} of {3}\n", plan.items,
                             plan.targets.size(), run.bucketsDone, plan.buckets)
                         .str();
  text += formatv("compiled {0} of {1}: {2} good, {3} failed, {4} skipped, {5} poison; CPU {6:f1} "
                  "s\n",
                  sums.done, sums.units, sums.byStatus[1], sums.byStatus[2], sums.byStatus[3],
                  sums.byStatus[4], sums.cpuMs / 1000)
              .str();
  text += "time left, by estimated cost: " + timeText(sums.secondsLeft) + "\n";
  if (!sums.slowest.item.empty())
    text += formatv("longest at work: {0} on {1}, {2:f0} s\n", sums.slowest.item,
                    sums.slowest.target, sums.slowest.seconds)
                .str();
  text += formatv("tasks: {0} at work, {1} silent; compilers restarted: {2}; buckets that differ: "
                  "{3}\n",
                  sums.running, sums.silent, sums.restarts, sums.differing)
              .str();
  const TaskState &server = sums.server;
  if (server.hits + server.misses + server.forged + server.unknown)
    text +=
        formatv("server: {0} hits, {1} misses, {2} forged, {3} without an answer, {4} failures; "
                "audited {5}, {6} of them wrong\n",
                server.hits, server.misses, server.forged, server.unknown, server.serverFailures,
                server.audited, server.auditFailures)
            .str();
  for (const TaskState &task : run.tasks)
    if (!task.isDone && now - task.now > silentSeconds)
      text += formatv("silent: task {0} of {1} on {2}, for {3:f0} s\n", task.task, task.tasks,
                      task.host, now - task.now)
                  .str();
  for (const std::string &poison : run.poison)
    text += "poison: " + poison + "\n";
  return text;
}

std::string json(const Plan &plan, const RunState &run, const Sums &sums) {
  Json all = {{"items", plan.items},
              {"targets", plan.targets},
              {"buckets", plan.buckets},
              {"bucketsDone", run.bucketsDone},
              {"units", sums.units},
              {"done", sums.done},
              {"running", sums.running},
              {"silent", sums.silent},
              {"restarts", sums.restarts},
              {"differing", sums.differing},
              {"cpuMs", sums.cpuMs},
              {"secondsLeft", sums.secondsLeft},
              {"cpuHistogram", sums.cpuHistogram},
              {"poison", run.poison}};
  for (size_t i = 1; i < statusCount; ++i)
    all[nameOf(static_cast<Status>(i))] = sums.byStatus[i];
  return all.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string prometheus(const Plan &plan, const RunState &run, const Sums &sums) {
  std::string text;
  auto metric = [&](const char *name, const char *type, const char *help, uint64_t value) {
    text += formatv("# HELP {0} {1}\n# TYPE {0} {2}\n{0} {3}\n", name, help, type, value).str();
  };
  metric("kiln_farm_items", "gauge", "Different pipelines of the plan.", plan.items);
  metric("kiln_farm_buckets", "gauge", "Buckets of the plan.", plan.buckets);
  metric("kiln_farm_buckets_done", "gauge", "Buckets that are there.", run.bucketsDone);
  metric("kiln_farm_tasks_running", "gauge", "Tasks that are at work.", sums.running);
  metric("kiln_farm_tasks_silent", "gauge", "Tasks that say nothing any more.", sums.silent);
  metric("kiln_farm_restarts_total", "counter", "Compilers that were replaced.", sums.restarts);
  metric("kiln_farm_buckets_differing_total", "counter", "Buckets made twice with other bytes.",
         sums.differing);
  metric("kiln_farm_server_hits_total", "counter", "Results of the shared tier.", sums.server.hits);
  metric("kiln_farm_server_misses_total", "counter", "Results that it does not have.",
         sums.server.misses);
  metric("kiln_farm_server_forged_total", "counter", "Values without a good seal.",
         sums.server.forged);
  metric("kiln_farm_server_unanswered_total", "counter", "Results that it was asked for in vain.",
         sums.server.unknown);
  metric("kiln_farm_server_failures_total", "counter", "Calls that failed.",
         sums.server.serverFailures);
  metric("kiln_farm_server_skipped_total", "counter", "Calls that were not made after failures.",
         sums.server.serverSkipped);
  metric("kiln_farm_audit_failures_total", "counter", "Hits that were compiled to something else.",
         sums.server.auditFailures);
  text += "# HELP kiln_farm_results_total Pipelines that were compiled, by outcome.\n"
          "# TYPE kiln_farm_results_total counter\n";
  for (size_t i = 1; i < statusCount; ++i)
    text += formatv("kiln_farm_results_total{{status=\"{0}\"} {1}\n",
                    nameOf(static_cast<Status>(i)), sums.byStatus[i])
                .str();
  text += "# HELP kiln_farm_cpu_seconds CPU time of a pipeline for a target.\n"
          "# TYPE kiln_farm_cpu_seconds histogram\n";
  uint64_t count = 0;
  for (size_t i = 0; i + 1 < sums.cpuHistogram.size(); ++i) {
    count += sums.cpuHistogram[i];
    text += formatv("kiln_farm_cpu_seconds_bucket{{le=\"{0:f3}\"} {1}\n",
                    double(uint64_t(1) << i) / 1000, count)
                .str();
  }
  count += sums.cpuHistogram.back();
  text += formatv("kiln_farm_cpu_seconds_bucket{{le=\"+Inf\"} {0}\nkiln_farm_cpu_seconds_sum {1}\n"
                  "kiln_farm_cpu_seconds_count {0}\n",
                  count, sums.cpuMs / 1000)
              .str();
  return text;
}

} // namespace

std::string statusText(const Plan &plan, const RunState &run, double now, StatusFormat format) {
  const Sums sums(run, now);
  switch (format) {
  case StatusFormat::Text:
    return plainText(plan, run, sums, now);
  case StatusFormat::Json:
    return json(plan, run, sums);
  case StatusFormat::Prometheus:
    return prometheus(plan, run, sums);
  case StatusFormat::Html:
    return statusPage(plan, run, plainText(plan, run, sums, now), sums.cpuHistogram, now);
  }
  return {};
}

} // namespace farm
