//===- StageFacts.cpp - all facts about one hardware stage ----------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/StageFacts.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/strict/PendingResults.h"
#include "tools/report/LiveRegisters.h"
#include "tools/report/RegisterNames.h"
#include "tools/report/Waits.h"
#include "tools/report/Warnings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using Json = nlohmann::ordered_json;

namespace report {

namespace {

/// What is known of one stage, on its way into JSON. Facts about instructions are columns, an array
/// each, because code may have tens of thousands of instructions.
class StageWriter {
public:
  StageWriter(const pal::abi::GpuTarget &target, const StageCode &stage, MachineCode machineCode,
              const CycleParameters &parameters)
      : target(target), stage(stage), code(std::move(machineCode)), flow(findControlFlow(code)),
        masks(code, flow), live(findLiveRegisters(code, flow, masks, stage.vgprsAtStart)),
        waits(findWaits(code, flow)), costs(estimateCycles(code, flow, parameters)) {}

  Json write(const SourceMap &map, SourceIndex sourceIndex, const RunFacts *run);

private:
  Json figures() const;
  /// Source, line and function, and the calls that led there.
  using Frames = std::vector<std::tuple<int, uint32_t, std::string>>;

  void findPlaces(const SourceMap &map, SourceIndex sourceIndex);
  std::optional<std::pair<uint32_t, uint32_t>> linesOf(const Loop &loop) const;
  Json variableColumn(Json &names) const;
  Json columns() const;
  Json blocks() const;
  Json peak(uint32_t instruction, llvm::ArrayRef<unsigned> registers, bool isVgpr) const;
  Json memory() const;
  Json units() const;
  std::vector<pal::device::InstructionProfile> byInstruction(const RunFacts &run) const;
  Json counts(const RunFacts &run) const;
  uint64_t executedCycles(llvm::ArrayRef<pal::device::InstructionProfile> profile) const;
  Json warnings(const RunFacts *run) const;

  const pal::abi::GpuTarget &target;
  const StageCode &stage;
  MachineCode code;
  ControlFlow flow;
  ExecMasks masks;
  LiveRegisters live;
  std::vector<Wait> waits;
  std::vector<InstructionCost> costs;
  std::vector<Frames> places;         ///< by instruction
  std::vector<std::string> variables; ///< for which each instruction computes a value
};

Json StageWriter::figures() const {
  Json json;
  json["vgprs"] = stage.vgprs;
  json["sgprs"] = stage.sgprs;
  json["lds_bytes"] = stage.ldsBytes;
  json["scratch_bytes"] = stage.scratchBytes;
  json["code_bytes"] = stage.bytes.size();
  json["instructions"] = code.code.size();
  json["wave_size"] = stage.waveSize;
  json["waves_per_simd"] = wavesWith(target, stage, stage.vgprs);
  json["most_waves_per_simd"] = target.maxWavesPerSimd;
  json["vgprs_to_next_wave"] = registersToNextWave(target, stage, stage.vgprs);
  json["vgpr_granule"] = vgprGranule(target, stage.waveSize);
  constexpr size_t mostSteps = 3;
  json["wave_steps"] = Json::array();
  for (const WaveStep &step : waveSteps(target, stage, mostSteps))
    json["wave_steps"].push_back({{"vgprs", step.vgprs}, {"waves", step.waves}});
  return json;
}

void StageWriter::findPlaces(const SourceMap &map, SourceIndex sourceIndex) {
  places.resize(code.code.size());
  variables.resize(code.code.size());
  for (size_t i = 0; i < places.size(); ++i)
    for (const SourcePlace &place : map.at(stage.address + code.code[i].pc)) {
      if (place.line)
        places[i].push_back({sourceIndex(place.file), place.line, place.function});
      if (variables[i].empty())
        variables[i] = place.variable;
    }
}

/// The first and the last line that its instructions come from, of functions that it calls the
/// lines of the calls.
std::optional<std::pair<uint32_t, uint32_t>> StageWriter::linesOf(const Loop &loop) const {
  std::optional<std::pair<uint32_t, uint32_t>> lines;
  int source = 0;
  for (const uint32_t b : loop.blocks)
    for (uint32_t i = flow.blocks[b].begin; i < flow.blocks[b].end; ++i) {
      if (places[i].empty())
        continue;
      const auto &[file, line, function] = places[i].back();
      if (!lines) {
        source = file;
        lines = {line, line};
      } else if (file == source) {
        lines = {std::min(lines->first, line), std::max(lines->second, line)};
      }
    }
  return lines;
}

/// Texts are numbered, because many instructions have the same; -1: none.
Json StageWriter::variableColumn(Json &names) const {
  std::map<llvm::StringRef, int> numbers;
  Json column = Json::array();
  names = Json::array();
  for (const std::string &name : variables) {
    const auto [entry, isNew] = numbers.try_emplace(name, int(names.size()));
    if (isNew && !name.empty())
      names.push_back(name);
    column.push_back(name.empty() ? -1 : entry->second);
  }
  return column;
}

/// Places are numbered, too.
Json StageWriter::columns() const {
  Json json;
  std::map<Frames, int> numbers;
  Json texts = Json::array(), pcs = Json::array(), vgprs = Json::array(), sgprs = Json::array();
  Json units = Json::array(), busy = Json::array(), stalls = Json::array(), at = Json::array();
  Json once = Json::array();
  Json placeList = Json::array();
  for (size_t i = 0; i < code.code.size(); ++i) {
    const Instruction &instr = code.code[i];
    pcs.push_back(instr.pc);
    texts.push_back(instr.text);
    vgprs.push_back(live.use[i].vgprs);
    sgprs.push_back(live.use[i].sgprs);
    units.push_back(unsigned(costs[i].unit));
    busy.push_back(costs[i].busy);
    stalls.push_back(costs[i].stall);
    once.push_back(costs[i].stallOnce);
    const Frames &frames = places[i];
    if (frames.empty()) {
      at.push_back(-1);
      continue;
    }
    const auto [entry, isNew] = numbers.try_emplace(frames, int(numbers.size()));
    if (isNew) {
      Json list = Json::array();
      for (const auto &[file, line, function] : frames)
        list.push_back(Json::array({file, line, function}));
      placeList.push_back(std::move(list));
    }
    at.push_back(entry->second);
  }
  json["pc"] = std::move(pcs);
  json["text"] = std::move(texts);
  json["vgprs"] = std::move(vgprs);
  json["sgprs"] = std::move(sgprs);
  json["unit"] = std::move(units);
  json["busy"] = std::move(busy);
  json["stall"] = std::move(stalls);
  json["stall_once"] = std::move(once);
  json["place"] = std::move(at);
  json["places"] = std::move(placeList);
  json["variable"] = variableColumn(json["variables"]);
  return json;
}

Json StageWriter::blocks() const {
  Json list = Json::array();
  for (const Block &block : flow.blocks) {
    uint64_t cycles = 0;
    for (uint32_t i = block.begin; i < block.end; ++i)
      cycles += costs[i].cycles();
    Json json;
    json["begin"] = block.begin;
    json["end"] = block.end;
    json["to"] = block.successors;
    json["loop"] = block.loop == nowhere ? -1 : int(block.loop);
    json["depth"] = block.depth;
    json["cycles"] = cycles;
    json["reached"] = block.isReached;
    list.push_back(std::move(json));
  }
  return list;
}

Json StageWriter::peak(uint32_t instruction, llvm::ArrayRef<unsigned> registers,
                       bool isVgpr) const {
  if (instruction == nowhere)
    return nullptr;
  constexpr size_t mostWriters = 8;
  Json json;
  json["instruction"] = instruction;
  json["registers"] = Json::array();
  for (const unsigned number : registers) {
    Json entry;
    entry["name"] = (isVgpr ? "v" : "s") + llvm::utostr(number);
    const RegRange range = isVgpr ? vgprRange(number) : sgprRange(number);
    // What it writes itself is in use because of that, whatever was there before.
    entry["writers"] = writes(code.code[instruction], range)
                           ? std::vector<uint32_t>{instruction}
                           : writersBefore(code, flow, instruction, range, mostWriters);
    entry["variables"] = variablesIn(code, flow, variables, instruction, range);
    json["registers"].push_back(std::move(entry));
  }
  return json;
}

const char *memoryKind(const Instruction &instr) {
  using pal::device::strict::Unit;
  const llvm::StringRef name = instr.mnemonic;
  const bool isAtomic = name.contains("atomic");
  const bool isStore =
      instr.effects.events[0].counter == pal::device::strict::Counter::Store && !isAtomic;
  switch (instr.effects.unit) {
  case Unit::Smem:
    return "scalar load";
  case Unit::Lds:
    return isAtomic || name.contains("_rtn") ? "LDS atomic"
           : instr.effects.writes.empty()    ? "LDS store"
                                             : "LDS load";
  case Unit::Vmem:
  case Unit::Flat:
    if (instr.encoding == pal::device::Encoding::Scratch)
      return isStore ? "scratch store" : "scratch load";
    if (name.starts_with("image_sample") || name.starts_with("image_gather"))
      return "sample";
    return isAtomic ? "atomic" : isStore ? "store" : "load";
  case Unit::LdsDirect:
    return "parameter load";
  case Unit::Export:
    return "export";
  default:
    return "";
  }
}

/// Operations by instruction, each with what waits for it.
Json StageWriter::memory() const {
  std::map<uint32_t, std::vector<uint32_t>> waiters;
  Json waitList = Json::array();
  for (const Wait &wait : waits) {
    waitList.push_back({{"at", wait.instruction}, {"for", wait.operations}});
    for (const uint32_t operation : wait.operations)
      waiters[operation].push_back(wait.instruction);
  }
  Json operations = Json::array();
  for (uint32_t i = 0; i < code.code.size(); ++i) {
    const llvm::StringRef kind = memoryKind(code.code[i]);
    if (kind.empty())
      continue;
    Json json;
    json["at"] = i;
    json["kind"] = kind.str();
    const auto counter = code.code[i].effects.events[0].counter;
    if (counter != pal::device::strict::Counter::Count)
      json["counter"] = pal::device::strict::counterName(counter);
    json["waited_at"] = waiters[i];
    operations.push_back(std::move(json));
  }
  return {{"operations", std::move(operations)}, {"waits", std::move(waitList)}};
}

/// Issue cycles of each unit when every instruction runs once, and a round of each loop.
Json StageWriter::units() const {
  std::array<uint64_t, size_t(CostUnit::Count)> busy = {}, instructions = {};
  uint64_t cycles = 0;
  for (const InstructionCost &cost : costs) {
    busy[size_t(cost.unit)] += cost.busy;
    ++instructions[size_t(cost.unit)];
    cycles += cost.cycles();
  }
  Json list = Json::array();
  for (size_t u = 0; u < busy.size(); ++u)
    list.push_back({{"name", costUnitName(CostUnit(u)).str()},
                    {"instructions", instructions[u]},
                    {"busy", busy[u]}});
  return {{"cycles", cycles}, {"units", std::move(list)}};
}

/// Zeros for those that were not executed.
std::vector<pal::device::InstructionProfile> StageWriter::byInstruction(const RunFacts &run) const {
  std::vector<pal::device::InstructionProfile> all(code.code.size());
  for (const StageProfile &profile : run.profiles)
    for (const pal::device::InstructionProfile &each : profile.instructions)
      if (const uint32_t index = code.indexOf(each.pc - uint32_t(stage.offset));
          profile.stage == stage.stage && index != nowhere)
        all[index] = each;
  return all;
}

Json StageWriter::warnings(const RunFacts *run) const {
  std::vector<std::string> loopNames;
  for (const Loop &loop : flow.loops) {
    const auto lines = linesOf(loop);
    loopNames.push_back(!lines ? "a loop"
                        : lines->first == lines->second
                            ? "the loop of line " + llvm::utostr(lines->first)
                            : "the loop of lines " + llvm::utostr(lines->first) + " to " +
                                  llvm::utostr(lines->second));
  }
  std::vector<Warning> found;
  if (run)
    found = findRunWarnings(code, flow, byInstruction(*run), loopNames);
  for (Warning &warning : findWarnings(target, stage, code, flow, live, waits, loopNames))
    found.push_back(std::move(warning));
  Json list = Json::array();
  for (const Warning &warning : found) {
    list.push_back(
        {{"kind", warning.kind}, {"text", warning.text}, {"instructions", warning.instructions}});
    if (warning.loop == nowhere)
      continue;
    if (const auto lines = linesOf(flow.loops[warning.loop]))
      list.back()["lines"] = Json::array({lines->first, lines->second});
  }
  return list;
}

/// Of all waves, one after the other; what is only waited for when a loop is entered counts by
/// entries.
uint64_t
StageWriter::executedCycles(llvm::ArrayRef<pal::device::InstructionProfile> profile) const {
  auto entriesOf = [&](const Loop &loop) {
    uint64_t entries = 0;
    for (const uint32_t from : flow.blocks[loop.header].predecessors)
      if (!llvm::is_contained(loop.blocks, from))
        entries += profile[flow.blocks[from].end - 1].runs;
    return entries;
  };
  uint64_t cycles = 0;
  for (uint32_t i = 0; i < costs.size(); ++i) {
    const uint64_t runs = profile[i].runs;
    const uint32_t loop = flow.blocks[flow.blockOf[i]].loop;
    cycles += (1 + costs[i].stall) * runs;
    if (costs[i].stallOnce)
      cycles += costs[i].stallOnce *
                (loop == nowhere ? runs : std::min(runs, entriesOf(flow.loops[loop])));
  }
  return cycles;
}

Json StageWriter::counts(const RunFacts &run) const {
  using pal::device::InstructionProfile;
  const std::vector<InstructionProfile> all = byInstruction(run);
  auto column = [&](uint64_t InstructionProfile::*member) {
    Json list = Json::array();
    for (const InstructionProfile &each : all)
      list.push_back(each.*member);
    return list;
  };
  Json json;
  if (run.groups[0])
    json["groups"] = run.groups;
  json["inputs"] = Json::array();
  for (const auto &[name, value] : run.inputs)
    json["inputs"].push_back({{"name", name}, {"value", value}});
  json["fault"] = run.fault;
  // Of what ended early nobody knows how much it would have been.
  json["cycles"] = run.fault.empty() ? Json(executedCycles(all)) : Json();
  json["runs"] = column(&InstructionProfile::runs);
  json["masked"] = column(&InstructionProfile::masked);
  json["lanes"] = column(&InstructionProfile::lanes);
  json["lines"] = column(&InstructionProfile::lines);
  json["lds_passes"] = column(&InstructionProfile::ldsPasses);
  json["lds_passes_without_conflicts"] = column(&InstructionProfile::ldsPassesWithoutConflicts);
  return json;
}

Json StageWriter::write(const SourceMap &map, SourceIndex sourceIndex, const RunFacts *run) {
  findPlaces(map, sourceIndex);
  Json json;
  json["stage"] = pal::abi::hardwareStageKey(stage.stage).drop_front().str();
  json["figures"] = figures();
  json["vgprs_at_peak"] = live.vgprPeak == nowhere ? 0 : live.use[live.vgprPeak].vgprs;
  json["sgprs_at_peak"] = live.sgprPeak == nowhere ? 0 : live.use[live.sgprPeak].sgprs;
  json["live_is_upper_bound"] = live.isUpperBound;
  json["vgpr_peak"] = peak(live.vgprPeak, live.vgprsAtPeak, true);
  json["sgpr_peak"] = peak(live.sgprPeak, live.sgprsAtPeak, false);
  json["warnings"] = warnings(run);
  json["cycles"] = units();
  json["blocks"] = blocks();
  json["loops"] = Json::array();
  for (const Loop &loop : flow.loops)
    json["loops"].push_back({{"header", loop.header},
                             {"parent", loop.parent == nowhere ? -1 : int(loop.parent)},
                             {"blocks", loop.blocks}});
  json["memory"] = memory();
  if (run)
    json["run"] = counts(*run);
  json["code"] = columns();
  return json;
}

} // namespace

llvm::Expected<Json> describeStage(const pal::abi::GpuTarget &target, const StageCode &stage,
                                   const SourceMap &map, SourceIndex sourceIndex,
                                   const CycleParameters &parameters, const RunFacts *run) {
  MachineCode code = KILN_TRY(readMachineCode(target, stage.waveSize, stage.bytes));
  return StageWriter(target, stage, std::move(code), parameters).write(map, sourceIndex, run);
}

} // namespace report
