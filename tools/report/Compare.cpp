//===- Compare.cpp - what changed between two reports ---------------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/Compare.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "tools/report/LineMatches.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <map>
#include <nlohmann/json.hpp>
#include <set>

using Json = nlohmann::json;
using llvm::StringRef;
using llvm::Twine;

namespace report {

namespace {

constexpr llvm::StringLiteral names[] = {
    "vgprs",      "sgprs",        "vgprs_at_peak",  "lds_bytes", "scratch_bytes",
    "code_bytes", "instructions", "waves_per_simd", "cycles",    "executed_cycles"};
constexpr llvm::StringLiteral titles[] = {"VGPRs", "SGPRs",  "live",  "LDS",    "scratch",
                                          "code",  "instrs", "waves", "cycles", "executed cycles"};
/// That only executions have: no column without them.
constexpr StringRef ofExecutions = "executed_cycles";
constexpr StringRef moreIsBetter = "waves_per_simd";
constexpr size_t mostLines = 5;

/// Files are edited by people and tools: nothing is where it belongs until it was looked for.
const Json *find(const Json &json, const char *key) {
  if (!json.is_object())
    return nullptr;
  const auto found = json.find(key);
  return found == json.end() ? nullptr : &*found;
}
int64_t number(const Json &json, const char *key) {
  const Json *found = find(json, key);
  return found && found->is_number_integer() ? found->get<int64_t>() : 0;
}
std::string text(const Json &json, const char *key) {
  const Json *found = find(json, key);
  return found && found->is_string() ? found->get<std::string>() : "";
}
const Json &list(const Json &json, const char *key) {
  static const Json *const none = new Json(Json::array()); // never destroyed
  const Json *found = find(json, key);
  return found && found->is_array() ? *found : *none;
}
int64_t element(const Json &array, size_t index) {
  return index < array.size() && array[index].is_number_integer() ? array[index].get<int64_t>() : 0;
}

std::vector<Figure> figuresOf(const Json &stage) {
  std::vector<Figure> result;
  for (const StringRef name : names) {
    const Json *place = name == "cycles"          ? find(stage, "cycles")
                        : name == "vgprs_at_peak" ? &stage
                                                  : find(stage, "figures");
    if (name == ofExecutions)
      place = find(stage, "run");
    const StringRef key = name == ofExecutions ? "cycles" : name;
    const Json *figure = place ? find(*place, key.data()) : nullptr;
    result.push_back(figure && figure->is_number_integer() ? Figure(figure->get<int64_t>())
                                                           : std::nullopt);
  }
  return result;
}

/// The line of that number, without blanks around it.
std::string lineOf(const Json &source, int64_t number) {
  const Json *found = find(source, "text");
  StringRef rest, line;
  if (found && found->is_string())
    rest = found->get_ref<const std::string &>();
  for (; number > 0 && !rest.empty(); --number)
    std::tie(line, rest) = rest.split('\n');
  return number ? "" : line.trim().str();
}

/// Instructions and cycles of source lines, by the index of the source (-1: unknown) and the line.
struct LineCounts {
  int64_t instructions = 0, cycles = 0;
};
using LineKey = std::pair<int64_t, int64_t>;
using Lines = std::map<LineKey, LineCounts>;
Lines linesOf(const Json &report, const Json &stage) {
  const Json *codeJson = find(stage, "code");
  Lines lines;
  if (!codeJson)
    return lines;
  const Json &at = list(*codeJson, "place"), &places = list(*codeJson, "places");
  const size_t sourceCount = list(report, "sources").size();
  for (size_t i = 0; i < at.size(); ++i) {
    const auto place = uint64_t(element(at, i));
    LineKey key{-1, 0};
    if (place < places.size() && places[place].is_array() && !places[place].empty()) {
      const Json &frame = places[place][0];
      const auto source = uint64_t(frame.is_array() ? element(frame, 0) : -1);
      key = {source < sourceCount ? int64_t(source) : -1, frame.is_array() ? element(frame, 1) : 0};
    }
    LineCounts &counts = lines[key];
    ++counts.instructions;
    counts.cycles +=
        1 + element(list(*codeJson, "stall"), i) + element(list(*codeJson, "stall_once"), i);
  }
  return lines;
}

std::string sourceName(const Json &report, int64_t source) {
  return source < 0
             ? "?"
             : llvm::sys::path::filename(text(list(report, "sources")[source], "name")).str();
}

/// "blur.comp:16".
std::string placeName(const Json &report, LineKey key) {
  return key == LineKey{-1, 0} ? "no source line"
                               : sourceName(report, key.first) + ":" + std::to_string(key.second);
}

/// Where lines of one report are in another one.
class LineMatcher {
public:
  LineMatcher(const Json &before, const Json &after, const Lines &linesBefore,
              const Lines &linesAfter);
  /// Nothing: it is in the report before only.
  std::optional<LineKey> find(LineKey before) const;

private:
  struct Source {
    int64_t after = -1;
    std::vector<uint32_t> lines; ///< empty: a text is missing, and numbers are what is known
  };
  std::map<int64_t, Source> sources; ///< by index before
};

std::set<int64_t> sourcesIn(const Lines &lines) {
  std::set<int64_t> sources;
  for (const auto &[key, counts] : lines)
    if (key.first >= 0)
      sources.insert(key.first);
  return sources;
}

/// Sources are told apart by their names; where each has only one, that is meant.
LineMatcher::LineMatcher(const Json &before, const Json &after, const Lines &linesBefore,
                         const Lines &linesAfter) {
  const std::set<int64_t> from = sourcesIn(linesBefore), to = sourcesIn(linesAfter);
  for (const int64_t source : from)
    for (const int64_t other : to) {
      if (sourceName(before, source) != sourceName(after, other) &&
          (from.size() != 1 || to.size() != 1))
        continue;
      const std::string old = text(list(before, "sources")[source], "text");
      const std::string now = text(list(after, "sources")[other], "text");
      sources[source] = {other, old.empty() || now.empty() ? std::vector<uint32_t>()
                                                           : matchLines(old, now)};
      break;
    }
}

std::optional<LineKey> LineMatcher::find(LineKey before) const {
  if (before.first < 0)
    return before;
  const auto found = sources.find(before.first);
  if (found == sources.end())
    return std::nullopt;
  const Source &source = found->second;
  if (source.lines.empty())
    return LineKey{source.after, before.second};
  const auto index = uint64_t(before.second) - 1;
  if (index >= source.lines.size() || !source.lines[index])
    return std::nullopt;
  return LineKey{source.after, source.lines[index]};
}

std::vector<Comparison::Line> changedLines(const Json &reportBefore, const Lines &before,
                                           const Json &reportAfter, const Lines &after) {
  // Nothing to compare with: the other report has no code.
  if (before.empty() || after.empty())
    return {};
  std::map<std::string, Comparison::Line> all;
  auto add = [&](const std::string &place, const Json &report, LineKey key) -> Comparison::Line & {
    Comparison::Line &line = all[place];
    if (line.text.empty() && key.first >= 0)
      line.text = lineOf(list(report, "sources")[key.first], key.second);
    return line;
  };
  for (const auto &[key, counts] : after) {
    Comparison::Line &line = add(placeName(reportAfter, key), reportAfter, key);
    line.instructionsAfter += counts.instructions;
    line.cyclesAfter += counts.cycles;
  }
  const LineMatcher matcher(reportBefore, reportAfter, before, after);
  for (const auto &[key, counts] : before) {
    const std::optional<LineKey> now = matcher.find(key);
    Comparison::Line &line = now ? add(placeName(reportAfter, *now), reportAfter, *now)
                                 : add(placeName(reportBefore, key) + " before", reportBefore, key);
    line.instructionsBefore += counts.instructions;
    line.cyclesBefore += counts.cycles;
  }
  std::vector<Comparison::Line> result;
  for (auto &[place, line] : all) {
    line.place = place;
    if (line.instructionsBefore != line.instructionsAfter || line.cyclesBefore != line.cyclesAfter)
      result.push_back(line);
  }
  auto weight = [](const Comparison::Line &line) {
    return std::pair(std::abs(line.cyclesAfter - line.cyclesBefore),
                     std::abs(line.instructionsAfter - line.instructionsBefore));
  };
  llvm::sort(result, [&](const auto &a, const auto &b) {
    return weight(a) == weight(b) ? a.place < b.place : weight(a) > weight(b);
  });
  result.resize(std::min(result.size(), mostLines));
  return result;
}

/// Without the folder, which differs between two versions of a tree.
std::string nameOf(const Json &pipeline) {
  return llvm::sys::path::filename(text(pipeline, "name")).str() + '\0' + text(pipeline, "entry");
}

bool isOfOnePipeline(const Json &report) {
  std::set<std::string> all;
  for (const Json &pipeline : list(report, "pipelines"))
    all.insert(nameOf(pipeline));
  return all.size() == 1;
}

/// Stages by what tells them apart; of equal ones by their order.
struct Found {
  const Json *stage = nullptr;
  std::string pipeline, target;
};
std::map<std::string, Found> stagesOf(const Json &report, bool isNameless) {
  std::map<std::string, Found> result;
  std::map<std::string, unsigned> seen;
  for (const Json &pipeline : list(report, "pipelines"))
    for (const Json &stage : list(pipeline, "stages")) {
      std::string key = isNameless ? "" : nameOf(pipeline);
      key += '\0' + text(pipeline, "target") + '\0' + text(stage, "stage");
      key += '\0' + std::to_string(seen[key]++);
      result[key] = {&stage, text(pipeline, "name"), text(pipeline, "target")};
    }
  return result;
}

llvm::Expected<Json> parse(StringRef text, StringRef which) {
  Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded() || number(json, "format") != 1)
    return lgc::invalidInput("the report " + which + ": no JSON of 'amdllpc -report', format 1");
  return json;
}

std::string describe(const Comparison::Line &line) {
  return line.place + ": instructions " +
         describeChange(line.instructionsBefore, line.instructionsAfter) + ", cycles " +
         describeChange(line.cyclesBefore, line.cyclesAfter);
}

/// Names of files may hold what means something in a table.
std::string escaped(StringRef name) {
  std::string result;
  for (const char c : name) {
    if (llvm::StringRef("\\`*_{}[]<>()#+!|~&").contains(c))
      result += '\\';
    result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return result;
}

} // namespace

llvm::ArrayRef<llvm::StringLiteral> figureNames() { return names; }
llvm::ArrayRef<llvm::StringLiteral> figureTitles() { return titles; }

std::string describeChange(Figure before, Figure after) {
  auto described = [](Figure figure) { return figure ? llvm::itostr(*figure) : "?"; };
  return before == after ? described(after) : described(before) + " -> " + described(after);
}

int64_t worseBy(size_t figure, int64_t before, int64_t after) {
  return names[figure] == moreIsBetter ? before - after : after - before;
}

std::string plainReport(llvm::ArrayRef<PlainStage> stages) {
  Json report = {{"format", 1}, {"sources", Json::array()}, {"pipelines", Json::array()}};
  for (const PlainStage &stage : stages) {
    Json figures = Json::object();
    for (const auto &[name, value] : stage.figures)
      figures[name] = value;
    report["pipelines"].push_back({{"name", stage.pipeline},
                                   {"target", stage.target},
                                   {"entry", stage.entry},
                                   {"stages", {{{"stage", stage.stage}, {"figures", figures}}}}});
  }
  return report.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool Comparison::Stage::isChanged() const {
  for (size_t i = 0; i < after.size(); ++i)
    if (before[i] && after[i] && before[i] != after[i])
      return true;
  return false;
}

llvm::Expected<ComparisonLimit> parseComparisonLimit(StringRef text) {
  auto [name, amount] = text.split('=');
  ComparisonLimit limit{name.str(), 0, amount.consume_back("%")};
  if (!llvm::is_contained(names, name))
    return lgc::invalidInput("'" + name + "' is none of " +
                             llvm::join(llvm::ArrayRef(names), ", "));
  if (amount.getAsDouble(limit.amount) || !(limit.amount >= 0))
    return lgc::invalidInput("'" + text + "' is not of the form FIGURE=NUMBER or FIGURE=NUMBER%");
  return limit;
}

llvm::Expected<Comparison> Comparison::read(StringRef beforeText, StringRef afterText) {
  const Json before = KILN_TRY(parse(beforeText, "before"));
  const Json after = KILN_TRY(parse(afterText, "after"));
  const bool isNameless = isOfOnePipeline(before) && isOfOnePipeline(after);
  const std::map<std::string, Found> from = stagesOf(before, isNameless),
                                     to = stagesOf(after, isNameless);
  Comparison result;
  for (const auto &[key, found] : to) {
    const auto old = from.find(key);
    const std::string stageName = text(*found.stage, "stage");
    if (old == from.end()) {
      result.onlyAfter.push_back(found.pipeline + " [" + found.target + "] " + stageName);
      continue;
    }
    Stage stage{found.pipeline,
                found.target,
                stageName,
                figuresOf(*old->second.stage),
                figuresOf(*found.stage),
                {}};
    stage.lines = changedLines(before, linesOf(before, *old->second.stage), after,
                               linesOf(after, *found.stage));
    result.all.push_back(std::move(stage));
  }
  for (const auto &[key, found] : from)
    if (!to.contains(key))
      result.onlyBefore.push_back(found.pipeline + " [" + found.target + "] " +
                                  text(*found.stage, "stage"));
  return result;
}

std::vector<size_t> Comparison::shownFigures() const {
  std::vector<size_t> shown;
  for (size_t i = 0; i < std::size(names); ++i)
    if (names[i] != ofExecutions ||
        llvm::any_of(all, [&](const Stage &stage) { return stage.before[i] || stage.after[i]; }))
      shown.push_back(i);
  return shown;
}

std::string Comparison::summary() const {
  const auto changed = llvm::count_if(all, [](const Stage &stage) { return stage.isChanged(); });
  std::string result = (Twine(changed) + " of " + Twine(all.size()) + " stages changed").str();
  for (const auto &[what, which] :
       {std::pair("only before", &onlyBefore), std::pair("only now", &onlyAfter)})
    if (!which->empty())
      result += std::string("; ") + what + ": " + llvm::join(*which, ", ");
  return result + "\n";
}

std::string Comparison::table() const {
  std::vector<std::vector<std::string>> rows = {{"shader", "target", "stage"}};
  for (const size_t figure : shownFigures())
    rows[0].push_back(titles[figure].str());
  std::vector<const Stage *> shown = {nullptr};
  for (const Stage &stage : all) {
    if (!stage.isChanged())
      continue;
    rows.push_back({stage.pipeline, stage.target, stage.stage});
    for (const size_t i : shownFigures())
      rows.back().push_back(describeChange(stage.before[i], stage.after[i]));
    shown.push_back(&stage);
  }
  std::string result;
  for (size_t r = 0; rows.size() > 1 && r < rows.size(); ++r) {
    std::string line;
    for (size_t c = 0; c < rows[r].size(); ++c) {
      size_t width = 0;
      for (const auto &row : rows)
        width = std::max(width, row[c].size());
      line += rows[r][c] + std::string(width - rows[r][c].size() + 2, ' ');
    }
    result += StringRef(line).rtrim().str() + "\n";
    for (const Line &change : shown[r] ? shown[r]->lines : std::vector<Line>())
      result += "  " + describe(change) + "\n";
  }
  return result + summary();
}

static std::string markdownHead(llvm::ArrayRef<size_t> figures) {
  std::string heads = "| shader | target | stage |", marks = "|---|---|---|";
  for (const size_t figure : figures) {
    heads += " " + titles[figure].str() + " |";
    marks += "---:|";
  }
  return heads + "\n" + marks + "\n";
}

std::string Comparison::markdown() const {
  std::string result;
  for (const Stage &stage : all) {
    if (!stage.isChanged())
      continue;
    if (result.empty())
      result = markdownHead(shownFigures());
    result += "| " + escaped(stage.pipeline) + " | " + stage.target + " | " + stage.stage;
    for (const size_t i : shownFigures()) {
      const bool isChanged = stage.before[i] != stage.after[i];
      result += std::string(" | ") + (isChanged ? "**" : "") +
                describeChange(stage.before[i], stage.after[i]) + (isChanged ? "**" : "");
    }
    result += " |\n";
  }
  for (const Stage &stage : all)
    for (const Line &line : stage.isChanged() ? stage.lines : std::vector<Line>())
      result += (&line == &stage.lines.front() ? "\n" + escaped(stage.pipeline) + " " +
                                                     stage.target + " " + stage.stage + ":\n\n"
                                               : std::string()) +
                "- " + escaped(describe(line)) + "\n";
  return result + (result.empty() ? "" : "\n") + escaped(summary()) + "\n";
}

std::vector<std::string> Comparison::beyond(llvm::ArrayRef<ComparisonLimit> limits) const {
  std::vector<std::string> result;
  for (const Stage &stage : all)
    for (const ComparisonLimit &limit : limits) {
      const size_t i = size_t(llvm::find(names, limit.figure) - std::begin(names));
      if (!stage.before[i] || !stage.after[i])
        continue;
      const double allowed =
          limit.isPercent ? double(*stage.before[i]) * limit.amount / 100 : limit.amount;
      if (double(worseBy(i, *stage.before[i], *stage.after[i])) > allowed)
        result.push_back(stage.pipeline + " [" + stage.target + "] " + stage.stage + ": " +
                         limit.figure + " " + describeChange(stage.before[i], stage.after[i]));
    }
  return result;
}

} // namespace report
