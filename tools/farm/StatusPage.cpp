//===- StatusPage.cpp - how far a run is, as a page -----------------------===//
// SPDX-License-Identifier: MIT
#include "Progress.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using llvm::ArrayRef;
using llvm::formatv;
using llvm::StringRef;

namespace farm {
namespace {

std::string escaped(StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return result;
}

//===--- Curves -----------------------------------------------------------===//

/// What all tasks have done by a time, for one target. What a task did between two samples it did
/// evenly.
double doneAt(const RunState &run, size_t target, double time) {
  double sum = 0;
  for (const TaskState &task : run.tasks) {
    const auto count = [&](const TaskState::Sample &sample) {
      return target < sample.byTarget.size() ? static_cast<double>(sample.byTarget[target]) : 0.0;
    };
    const auto after = std::upper_bound(
        task.history.begin(), task.history.end(), time,
        [](double wanted, const TaskState::Sample &sample) { return wanted < sample.time; });
    if (after == task.history.begin())
      continue;
    const TaskState::Sample &before = *std::prev(after);
    sum += count(before);
    if (after != task.history.end() && after->time > before.time)
      sum += (count(*after) - count(before)) * (time - before.time) / (after->time - before.time);
  }
  return sum;
}

struct Curve {
  std::string name;
  std::vector<double> values; ///< at equal distances
};

/// Pipelines by target and all of them, done at each of `points` + 1 times.
std::vector<Curve> doneCurves(const Plan &plan, const RunState &run, double begin, double end,
                              unsigned points) {
  std::vector<Curve> curves;
  Curve all = {"all", std::vector<double>(points + 1)};
  for (size_t target = 0; target < plan.targets.size(); ++target) {
    Curve one = {plan.targets[target], {}};
    for (unsigned i = 0; i <= points; ++i) {
      one.values.push_back(doneAt(run, target, begin + (end - begin) * i / points));
      all.values[i] += one.values.back();
    }
    curves.push_back(std::move(one));
  }
  if (curves.size() > 1)
    curves.push_back(std::move(all));
  return curves;
}

/// What is done in a second, on average over a few of the distances.
std::vector<Curve> rateCurves(ArrayRef<Curve> done, double distance) {
  std::vector<Curve> rates;
  constexpr size_t averaged = 4;
  for (const Curve &curve : done) {
    Curve rate = {curve.name, {}};
    for (size_t i = 0; i < curve.values.size(); ++i) {
      const size_t from = i - std::min(i, averaged);
      const double time = static_cast<double>(i - from) * distance;
      rate.values.push_back(time > 0 ? (curve.values[i] - curve.values[from]) / time : 0);
    }
    if (rate.values.size() > 1)
      rate.values[0] = rate.values[1];
    rates.push_back(std::move(rate));
  }
  return rates;
}

/// A number that is not less, and quarters of which are short.
double roundUp(double value) {
  if (!(value > 0))
    return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (double step : {1.0, 1.2, 1.6, 2.0, 2.4, 3.2, 4.0, 5.0, 6.0, 8.0})
    if (step * power >= value)
      return step * power;
  return 10 * power;
}

std::string numberText(double value) {
  return value >= 10 || value == std::floor(value) ? formatv("{0:f0}", value).str()
                                                   : formatv("{0:f2}", value).str();
}

std::string durationText(double seconds) {
  const auto whole = static_cast<uint64_t>(std::max(seconds, 0.0) + 0.5);
  return whole < 3600 ? formatv("{0}:{1,0+2} min", whole / 60, whole % 60).str()
                      : formatv("{0}:{1,0+2} h", whole / 3600, whole / 60 % 60).str();
}

/// Told apart by colour and dashes; the last one, of all, is black.
std::string styleOf(size_t index, size_t count) {
  constexpr const char *colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#7a5c00", "#56b4e9", "#882255", "#666666"};
  constexpr const char *dashes[] = {"none", "6 3", "2 3", "8 3 2 3"};
  if (count > 1 && index + 1 == count)
    return "stroke:#000;stroke-width:2";
  return formatv("stroke:{0};stroke-dasharray:{1}", colours[index % std::size(colours)],
                 dashes[index / std::size(colours) % std::size(dashes)])
      .str();
}

/// \p seconds: of the whole width.
std::string drawing(StringRef title, ArrayRef<Curve> curves, double seconds) {
  constexpr double left = 70, top = 10, width = 620, height = 200;
  double most = 0;
  for (const Curve &curve : curves)
    for (double value : curve.values)
      most = std::max(most, value);
  most = roundUp(most);
  std::string text =
      formatv("<svg viewBox=\"0 0 720 240\" role=\"img\" aria-label=\"{0}\">", title);
  constexpr unsigned lines = 4;
  for (unsigned i = 0; i <= lines; ++i) {
    const double y = top + height - height * i / lines, x = left + width * i / lines;
    text +=
        formatv("<path class=\"g\" d=\"M{0:f1} {1:f1}H{2:f1}\"/><text x=\"{3:f1}\" y=\"{4:f1}\" "
                "text-anchor=\"end\">{5}</text>",
                left, y, left + width, left - 6, y + 4, numberText(most * i / lines))
            .str();
    text += formatv("<text x=\"{0:f1}\" y=\"{1:f1}\" text-anchor=\"middle\">{2}</text>", x,
                    top + height + 18, durationText(seconds * i / lines))
                .str();
  }
  for (size_t index = 0; index < curves.size(); ++index) {
    const std::vector<double> &values = curves[index].values;
    text += "<polyline style=\"" + styleOf(index, curves.size()) + "\" points=\"";
    for (size_t i = 0; i < values.size(); ++i)
      text +=
          formatv("{0:f1},{1:f1} ",
                  left + width * static_cast<double>(i) / static_cast<double>(values.size() - 1),
                  top + height - height * values[i] / most)
              .str();
    text += "\"/>";
  }
  return text + "</svg>";
}

std::string curvesText(const Plan &plan, const RunState &run) {
  double begin = HUGE_VAL, end = 0;
  for (const TaskState &task : run.tasks)
    if (!task.history.empty()) {
      begin = std::min(begin, task.history.front().time);
      end = std::max(end, task.history.back().time);
    }
  if (!(end > begin))
    return "<p>Nothing is known of the course of it yet.</p>";
  constexpr unsigned points = 120;
  const std::vector<Curve> done = doneCurves(plan, run, begin, end, points);
  std::string text = "<h2>Pipelines done, over time</h2>";
  text += drawing("Pipelines done, over time", done, end - begin);
  text += "<h2>Pipelines done in a second</h2>";
  text +=
      drawing("Pipelines done in a second", rateCurves(done, (end - begin) / points), end - begin);
  text += "<table><tr><th>curve<th>target<th>done";
  for (size_t index = 0; index < done.size(); ++index)
    text += formatv("<tr><td><svg class=\"k\" viewBox=\"0 0 40 8\"><path style=\"{0}\" d=\"M0 "
                    "4H40\"/></svg><td>{1}<td>{2}",
                    styleOf(index, done.size()), escaped(done[index].name),
                    numberText(done[index].values.back()))
                .str();
  return text + "</table>";
}

//===--- The page ---------------------------------------------------------===//

std::string histogramText(ArrayRef<uint64_t> cpuHistogram) {
  std::string text = "<h2>CPU time of a pipeline, in milliseconds</h2><div>";
  uint64_t most = 1;
  for (uint64_t count : cpuHistogram)
    most = std::max(most, count);
  for (size_t i = 0; i < cpuHistogram.size(); ++i)
    text += formatv("<span class=\"h\" style=\"height:{0}px\" title=\"below {1}: {2}\"></span>",
                    1 + cpuHistogram[i] * 100 / most, uint64_t(1) << i, cpuHistogram[i])
                .str();
  return text + "</div><p>1, 2, 4 ... 32768 and more</p>";
}

std::string tasksText(const RunState &run, double now) {
  std::string text = "<h2>Tasks</h2><table><tr><th>task<th>host<th>buckets<th>compiled<th>state";
  for (const TaskState &task : run.tasks) {
    const bool isSilent = !task.isDone && now - task.now > silentSeconds;
    text += formatv("<tr><td>{0} of {1}<td>{2}<td>{3} of {4}<td>{5} of {6}<td class=\"{7}\">{8}",
                    task.task, task.tasks, escaped(task.host), task.bucketsDone, task.buckets,
                    task.done, task.units, isSilent ? "bad" : "",
                    task.isDone ? "done"
                    : isSilent  ? "silent"
                                : "at work")
                .str();
  }
  return text + "</table>";
}

} // namespace

std::string statusPage(const Plan &plan, const RunState &run, const std::string &summary,
                       ArrayRef<uint64_t> cpuHistogram, double now) {
  const double part = plan.buckets ? 100.0 * double(run.bucketsDone) / plan.buckets : 0;
  return "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>kiln-farm</title>"
         "<meta name=\"viewport\" content=\"width=device-width\">"
         "<meta http-equiv=\"refresh\" content=\"10\"><style>body{font:15px sans-serif;margin:2em;"
         "max-width:60em}table{border-collapse:collapse}td,th{padding:.2em .8em;text-align:left;"
         "border-bottom:1px solid #ccc}.bar{background:#ddd;height:1em}.bar div{background:#286;"
         "height:1em}.h{display:inline-block;background:#286;width:2em;margin-right:2px}"
         ".bad{color:#a22}svg{max-width:45em;display:block}svg text{font:11px sans-serif}"
         "polyline,.k path{fill:none;stroke-width:1.5}.g{stroke:#ddd}.k{width:40px;height:8px}"
         "</style><h1>kiln-farm</h1>" +
         formatv("<div class=\"bar\"><div style=\"width:{0:f1}%\"></div></div><pre>{1}</pre>", part,
                 escaped(summary))
             .str() +
         curvesText(plan, run) + histogramText(cpuHistogram) + tasksText(run, now) + "</html>\n";
}

} // namespace farm
