//===- Task.cpp - compiles some of a plan's buckets -----------------------===//
// SPDX-License-Identifier: MIT
#include "Task.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include <bit>
#include <chrono>
#include <cmath>
#include <deque>
#include <map>
#include <poll.h>
#include <random>
#include <tuple>
#include <unistd.h>

using llvm::Error;
using llvm::Expected;

namespace farm {

std::string poisonName(const Plan &plan, const Name &item, uint32_t target) {
  return plan.file("poison/" + toText(item) + "." + plan.targets[target]);
}

namespace {

double now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since).count();
}

/// A bucket that is being made.
struct OpenBucket {
  std::vector<Result> results;
  size_t missing = 0;
};

class Task {
public:
  Task(const Plan &plan, const Pack &pack, const TaskOptions &options)
      : plan(plan), pack(pack), options(options) {
    std::tie(nextBucket, endBucket) = plan.bucketsOf(options.task, options.tasks);
    char host[64] = {};
    gethostname(host, sizeof host - 1);
    state.task = options.task;
    state.tasks = options.tasks;
    state.host = host;
    state.started = now();
    state.buckets = endBucket - nextBucket;
    state.byTarget.resize(plan.targets.size());
    state.history = {{state.started, state.byTarget}};
    countUnits();
  }

  Expected<TaskEnd> run() {
    bool isWorking = true;
    while (isWorking && options.goesOn()) {
      isWorking = KILN_TRY(giveAll());
      if (isWorking)
        KILN_TRY(waitAndTake());
      tell();
    }
    children.clear();
    storeFresh();
    for (; !suspects.empty() && options.goesOn(); suspects.pop_front()) {
      KILN_TRY(tryAlone(suspects.front()));
      tell();
    }
    storeFresh();
    state.isDone = open.empty() && nextBucket == endBucket;
    tell(/*isLast=*/true);
    if (!state.isDone)
      return TaskEnd::Interrupted;
    return state.differing || state.auditFailures ? TaskEnd::Differs : TaskEnd::Done;
  }

private:
  //===--- What there is to do --------------------------------------------===//

  uint32_t bucketOf(uint32_t item) const {
    const Name &name = pack.items()[item].name;
    const uint64_t front =
        uint64_t(name[0]) << 24 | uint64_t(name[1]) << 16 | uint64_t(name[2]) << 8 | name[3];
    return static_cast<uint32_t>(front * plan.buckets >> 32);
  }

  /// An upper bound, until the buckets have been looked at.
  void countUnits() {
    for (uint32_t bucket = nextBucket; bucket < endBucket; ++bucket)
      count(bucket, 1);
  }
  void count(uint32_t bucket, int sign) {
    const auto [begin, end] = pack.range(bucket, plan.buckets);
    const double targets = static_cast<double>(plan.targets.size());
    for (size_t item = begin; item < end; ++item)
      state.cost += sign * targets * pack.items()[item].cost;
    state.units += static_cast<uint64_t>(sign) * (end - begin) * plan.targets.size();
  }

  bool isAskedFor(Status status) const {
    return (status == Status::Poison && options.again.poison) ||
           (status == Status::Failed && options.again.failed);
  }

  /// Results of a bucket that is there. Nothing: it must be made.
  std::optional<std::vector<Result>> there(uint32_t bucket) {
    auto file = readFile(plan.bucketFile(bucket));
    if (!file) {
      llvm::consumeError(file.takeError());
      return std::nullopt;
    }
    auto view = BucketView::create((*file)->getBuffer(), plan.hash, bucket);
    if (!view) {
      message(lgc::consumeToText(view.takeError()).message + "; it is made again");
      llvm::sys::fs::remove(plan.bucketFile(bucket));
      return std::nullopt;
    }
    std::vector<Result> results;
    for (const BucketView::Row &row : view->rows())
      results.push_back({row.item, row.target, row.status, row.payload.str()});
    return results;
  }

  /// Queues the units of the next bucket that has any. False: there is none.
  Expected<bool> openNext() {
    while (nextBucket < endBucket) {
      const uint32_t bucket = nextBucket++;
      const auto [begin, end] = pack.range(bucket, plan.buckets);
      std::optional<std::vector<Result>> results;
      if (!options.compilesAll)
        results = there(bucket);
      if (results) {
        ++state.bucketsThere;
        count(bucket, -1);
      }
      if (!results && options.again.any())
        continue; // not a part of what is asked for
      OpenBucket opened;
      for (size_t item = begin; item < end; ++item)
        for (uint32_t target = 0; target < plan.targets.size(); ++target)
          if (mustCompile(results, pack.items()[item].name, target))
            queue.push_back({static_cast<uint32_t>(item), target});
      if (results)
        llvm::erase_if(*results, [&](const Result &row) { return isAskedFor(row.status); });
      if (options.tier && !options.compilesAll && !results)
        takeFromTier(opened);
      opened.missing = queue.size();
      if (results && queue.empty()) {
        ++state.bucketsDone;
        continue;
      }
      if (results) {
        opened.results = std::move(*results);
        state.units += queue.size();
      }
      if (queue.empty()) {
        KILN_TRY(close(bucket, opened));
        continue;
      }
      // Longest first, so that the last ones are short.
      llvm::sort(queue, [&](const Unit &a, const Unit &b) {
        const uint32_t costOfA = pack.items()[a.item].cost, costOfB = pack.items()[b.item].cost;
        return std::tie(costOfB, a.item, a.target) < std::tie(costOfA, b.item, b.target);
      });
      open[bucket] = std::move(opened);
      return true;
    }
    return false;
  }

  /// Takes what the shared tier has out of the queue.
  void takeFromTier(OpenBucket &opened) {
    std::vector<SharedTier::Wanted> wanted;
    for (const Unit &unit : queue)
      wanted.push_back({pack.items()[unit.item].name, unit.target});
    std::vector<std::optional<std::string>> found = options.tier->find(wanted);
    std::deque<Unit> rest;
    for (size_t i = 0; i < found.size(); ++i) {
      const Unit unit = queue[i];
      if (!found[i]) {
        rest.push_back(unit);
        continue;
      }
      if (options.auditOneIn && dice() % options.auditOneIn == 0) {
        rest.push_back(unit);
        audits[{unit.item, unit.target}] = std::move(*found[i]);
        continue;
      }
      ++state.done;
      ++state.byTarget[unit.target];
      ++state.byStatus[static_cast<size_t>(Status::Good)];
      state.costDone += pack.items()[unit.item].cost;
      opened.results.push_back(
          {wanted[i].item, static_cast<uint8_t>(unit.target), Status::Good, std::move(*found[i])});
    }
    queue = std::move(rest);
  }

  /// What the tier had for a unit must be what comes of it; what counts is that.
  void audit(const Unit &unit, const Outcome &outcome) {
    const auto found = audits.find({unit.item, unit.target});
    if (found == audits.end())
      return;
    ++state.audited;
    if (outcome.status != Status::Good || outcome.payload != found->second) {
      ++state.auditFailures;
      message("ALARM: the server has other code of " + toText(pack.items()[unit.item].name) +
              " on " + plan.targets[unit.target] + " than what is compiled here");
    }
    audits.erase(found);
  }

  bool mustCompile(const std::optional<std::vector<Result>> &results, const Name &item,
                   uint32_t target) const {
    if (!results)
      return true;
    return llvm::any_of(*results, [&](const Result &row) {
      return row.item == item && row.target == target && isAskedFor(row.status);
    });
  }

  //===--- Children -------------------------------------------------------===//

  /// False: nothing is left to give, and nobody works.
  Expected<bool> giveAll() {
    while (true) {
      if (queue.empty() && !KILN_TRY(openNext()))
        break;
      Child *idle = nullptr;
      for (const auto &child : children)
        if (child->isReady() && !child->isBusy())
          idle = child.get();
      if (!idle && children.size() >= options.children)
        return true;
      if (!idle) {
        if (llvm::any_of(children, [](const auto &child) { return !child->isReady(); }))
          return true; // one after another, so that each finds memory
        std::unique_ptr<Child> child = KILN_TRY(Child::start(options.start, options.limits));
        children.push_back(std::move(child));
        return true;
      }
      idle->give(queue.front());
      queue.pop_front();
    }
    return llvm::any_of(children, [](const auto &child) { return child->isBusy(); });
  }

  Error waitAndTake() {
    std::vector<pollfd> files;
    double until = seconds() + options.progressSeconds;
    for (const auto &child : children) {
      files.push_back({child->descriptor(), POLLIN, 0});
      if (child->isBusy() || !child->isReady())
        until = std::min(until, child->deadline());
    }
    const double left = std::max(0.0, until - seconds());
    poll(files.data(), files.size(), static_cast<int>(std::ceil(left * 1000)));
    for (size_t i = 0; i < children.size();) {
      Outcome outcome;
      const Child::Event event = children[i]->receive(outcome);
      const bool isLate = (children[i]->isBusy() || !children[i]->isReady()) &&
                          event == Child::Event::Nothing && seconds() > children[i]->deadline();
      if (event == Child::Event::Done)
        KILN_TRY(take(children[i]->unit(), std::move(outcome)));
      if (event != Child::Event::Dead && !isLate) {
        ++i;
        continue;
      }
      KILN_TRY(bury(*children[i], isLate));
      children.erase(children.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return Error::success();
  }

  std::string tooLong(const Limits &limits) const {
    return "took longer than " + std::to_string(static_cast<uint64_t>(limits.seconds)) + " s";
  }

  /// Its unit is tried once more, when nobody else works.
  Error bury(Child &child, bool isLate) {
    const std::string why = child.end(isLate ? tooLong(options.limits) : "");
    if (!child.isReady())
      return lgc::invalidInput("the compiler does not start: " + why + "; " + child.lastLines());
    ++state.restarts;
    if (child.isBusy())
      suspects.push_back(child.unit());
    return Error::success();
  }

  /// Waits for one event of a child. Nothing: its time is over.
  static std::optional<Child::Event> await(Child &child, Outcome &outcome) {
    while (seconds() <= child.deadline()) {
      pollfd file = {child.descriptor(), POLLIN, 0};
      poll(&file, 1, static_cast<int>((child.deadline() - seconds()) * 1000) + 1);
      const Child::Event event = child.receive(outcome);
      if (event != Child::Event::Nothing)
        return event;
    }
    return std::nullopt;
  }

  Error tryAlone(const Unit &unit) {
    const std::string place = poisonName(plan, pack.items()[unit.item].name, unit.target);
    const Limits limits = options.limits.doubled();
    llvm::sys::fs::remove_directories(place);
    llvm::sys::fs::remove(place + ".txt");
    std::unique_ptr<Child> child = KILN_TRY(Child::start(options.start, limits, place));
    Outcome outcome;
    auto event = await(*child, outcome);
    if (event != Child::Event::Ready)
      return lgc::invalidInput("the compiler does not start: " + child->end(event ? "" : "late") +
                               "; " + child->lastLines());
    child->give(unit);
    event = await(*child, outcome);
    if (event == Child::Event::Done) {
      llvm::sys::fs::remove_directories(place);
      return take(unit, std::move(outcome));
    }
    ++state.restarts;
    const std::string why = child->end(event ? "" : tooLong(limits));
    message("poison: " + toText(pack.items()[unit.item].name) + " on " + plan.targets[unit.target] +
            ": " + why);
    KILN_TRY(writeFile(place + ".txt", "item " + toText(pack.items()[unit.item].name) +
                                           "\ntarget " + plan.targets[unit.target] + "\ncompiler " +
                                           plan.compiler + "\n" + why + "\n" + child->lastLines()));
    return take(unit, {Status::Poison, ""});
  }

  //===--- Results --------------------------------------------------------===//

  Error take(const Unit &unit, Outcome outcome) {
    const PackRow &item = pack.items()[unit.item];
    audit(unit, outcome);
    if (options.tier && outcome.status == Status::Good)
      fresh.push_back({{item.name, unit.target}, outcome.payload});
    if (fresh.size() >= freshAtOnce)
      storeFresh();
    ++state.done;
    ++state.byTarget[unit.target];
    ++state.byStatus[static_cast<size_t>(outcome.status)];
    state.costDone += item.cost;
    state.cpuMs += outcome.cpuMs;
    const auto class_ = std::bit_width(static_cast<uint64_t>(std::max(outcome.cpuMs, 0.0)));
    ++state.cpuHistogram[std::min<size_t>(static_cast<size_t>(class_),
                                          state.cpuHistogram.size() - 1)];
    const uint32_t bucket = bucketOf(unit.item);
    OpenBucket &opened = open[bucket];
    opened.results.push_back(
        {item.name, static_cast<uint8_t>(unit.target), outcome.status, std::move(outcome.payload)});
    if (--opened.missing)
      return Error::success();
    KILN_TRY(close(bucket, opened));
    open.erase(bucket);
    return Error::success();
  }

  Error close(uint32_t bucket, OpenBucket &opened) {
    const std::string path = plan.bucketFile(bucket);
    const std::string bytes = encodeBucket(plan.hash, bucket, opened.results);
    Stored stored = KILN_TRY(storeBucket(path, bytes, options.again.any()));
    ++state.bucketsDone;
    if (stored == Stored::Differs) {
      ++state.differing;
      message("ALARM: " + path + " was there with other bytes; both are kept");
    }
    return Error::success();
  }

  void storeFresh() {
    if (options.tier)
      options.tier->store(fresh);
    fresh.clear();
  }

  /// However long it takes, there are between half of the samples and all; the last one is of now.
  void remember(bool isLast) {
    constexpr size_t mostSamples = 64;
    if (!isLast && state.now < state.history.back().time + sampleSeconds)
      return;
    state.history.push_back({state.now, state.byTarget});
    if (state.history.size() < mostSamples)
      return;
    size_t kept = 0;
    for (size_t i = 0; i < state.history.size(); ++i)
      if (i % 2 == 0 || i + 1 == state.history.size())
        std::swap(state.history[kept++], state.history[i]);
    state.history.resize(kept);
    sampleSeconds *= 2;
  }

  void message(llvm::StringRef text) const {
    if (options.message)
      options.message(text);
  }

  void tell(bool isLast = false) {
    if (!options.progress || (!isLast && seconds() < toldAt + options.progressSeconds))
      return;
    toldAt = seconds();
    state.now = now();
    remember(isLast);
    state.current.clear();
    if (options.tier) {
      const SharedTier::Counters &tier = options.tier->counters();
      std::tie(state.hits, state.misses, state.forged, state.unknown) =
          std::tie(tier.hits, tier.misses, tier.forged, tier.unknown);
      state.serverFailures = options.tier->serverCounters().failures();
      state.serverSkipped = options.tier->serverCounters().skipped;
    }
    for (const auto &child : children)
      if (child->isBusy())
        state.current.push_back({toText(pack.items()[child->unit().item].name),
                                 plan.targets[child->unit().target],
                                 seconds() - child->busySince()});
    options.progress(state);
  }

  const Plan &plan;
  const Pack &pack;
  const TaskOptions &options;
  TaskState state;
  uint32_t nextBucket = 0, endBucket = 0;
  std::deque<Unit> queue;
  std::deque<Unit> suspects;
  std::map<uint32_t, OpenBucket> open;
  std::vector<std::unique_ptr<Child>> children;
  double toldAt = 0, sampleSeconds = 1;
  static constexpr size_t freshAtOnce = 64;
  std::vector<std::pair<SharedTier::Wanted, std::string>> fresh; ///< not yet in the tier
  std::map<std::pair<uint32_t, uint32_t>, std::string> audits;   ///< what the tier had
  std::minstd_rand dice{std::random_device()()};
};

} // namespace

Expected<TaskEnd> runTask(const Plan &plan, const Pack &pack, const TaskOptions &options) {
  return Task(plan, pack, options).run();
}

} // namespace farm
