//===- VerifyUserData.cpp - rules about user-data register maps -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// How PAL uses the map decides what it may contain. On gfx10 and gfx11 PAL keeps one window of
/// registers per stage and writes all of it, so that a special value between API entries is
/// overwritten. On gfx12 it keeps one register per API entry, so that only the last of repeated
/// entries is written.
#include "pal_shim/abi/VerifyRules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace pal::abi {
namespace {

std::string entryPlace(size_t index) { return ".user_data_reg_map[" + std::to_string(index) + "]"; }

unsigned registerLimit(const StageContext &c) {
  return c.isCompute() ? userdata::computeRegisters : userdata::graphicsRegisters;
}

void checkUserSgprs(const StageContext &c, Report report) {
  if (!c.stage.userSgprs) {
    report(".user_sgprs: missing");
    return;
  }
  uint32_t count = *c.stage.userSgprs;
  if (count > registerLimit(c))
    report(".user_sgprs: value " + Twine(count) + ", the limit is " + Twine(registerLimit(c)));
  ArrayRef<uint32_t> map = c.userDataMap();
  for (size_t i = 0; i < map.size(); ++i) {
    size_t end = i + userdata::registerCount(map[i]);
    if (map[i] != userdata::notMapped && end > count)
      report(entryPlace(i) + ": " + userdata::describe(map[i]) + " ends at register " + Twine(end) +
             ", .user_sgprs is " + Twine(count));
  }
}

void checkMapPresence(const StageContext &c, Report report) {
  if (!c.stage.userDataRegMap)
    report(".user_data_reg_map: missing");
  else if (c.stage.userDataRegMap->size() > registerLimit(c))
    report(".user_data_reg_map: " + Twine(c.stage.userDataRegMap->size()) +
           " entries, the limit is " + Twine(registerLimit(c)));
}

/// Special values that PAL fills for a compute stage. Task shaders are compute stages of mesh
/// pipelines: PAL writes the view before each of their dispatches, but to graphics stages only.
bool isComputeSpecial(const StageContext &c, uint32_t value) {
  switch (value) {
  case userdata::globalTable:
  case userdata::perShaderTable:
  case userdata::spillTable:
  case userdata::workgroup:
  case userdata::perShaderPerfData:
    return true;
  case userdata::drawIndex:
  case userdata::meshTaskDispatchDims:
  case userdata::meshTaskRingIndex:
  case userdata::meshPipeStatsBuf:
    return !c.pipeline.isCompute();
  default:
    return value >= userdata::pipelineLinkStart;
  }
}

void checkValues(const StageContext &c, Report report) {
  ArrayRef<uint32_t> map = c.userDataMap();
  for (size_t i = 0; i < map.size(); ++i) {
    uint32_t value = map[i];
    if (value == userdata::notMapped || userdata::isApiEntry(value))
      continue;
    if (!userdata::isSpecial(value))
      report(entryPlace(i) + ": " +
             (value < userdata::globalTable
                  ? "API entry " + std::to_string(value) + ", PAL has 160 entries"
                  : userdata::describe(value)));
    else if (c.isCompute() && !isComputeSpecial(c, value))
      report(entryPlace(i) + ": " + userdata::describe(value) + " in a compute stage");
    else if (!c.isCompute() && value == userdata::workgroup)
      report(entryPlace(i) + ": " + userdata::describe(value) + " in a graphics stage");
    else if (value == userdata::meshPipeStatsBuf && c.pipeline.target &&
             c.pipeline.target->major >= 12)
      report(entryPlace(i) + ": " + userdata::describe(value) +
             ", which PAL does not fill on gfx12");
  }
}

/// PAL's packets for task shaders name these registers, whether the code reads them or not; where
/// they are not mapped, some other register is written.
void checkTaskValues(const StageContext &c, Report report) {
  if (c.pipeline.md.type != PipelineType::TaskMesh)
    return;
  ArrayRef<uint32_t> map = c.userDataMap();
  auto need = [&](uint32_t value) {
    if (!is_contained(map, value))
      report(".user_data_reg_map: no " + userdata::describe(value) +
             " in a pipeline with a task shader");
  };
  if (c.isCompute() || c.id == HardwareStage::Gs)
    need(userdata::meshTaskRingIndex);
  if (c.isCompute())
    need(userdata::meshTaskDispatchDims);
}

void checkFixedRegisters(const StageContext &c, Report report) {
  ArrayRef<uint32_t> map = c.userDataMap();
  for (size_t i = 0; i < map.size(); ++i) {
    if (map[i] == userdata::globalTable && i != 0)
      report(entryPlace(i) + ": GlobalTable must be at register 0 if mapped");
    if (map[i] == userdata::perShaderTable && i != 1)
      report(entryPlace(i) + ": PerShaderTable must be at register 1 if mapped");
  }
}

/// A pointer or triple takes the registers after its entry: these must not be mapped.
void checkWideValues(const StageContext &c, Report report) {
  ArrayRef<uint32_t> map = c.userDataMap();
  for (size_t i = 0; i < map.size(); ++i)
    for (size_t next = i + 1; next < i + userdata::registerCount(map[i]); ++next)
      if (next < map.size() && map[next] != userdata::notMapped)
        report(entryPlace(next) + ": " + userdata::describe(map[next]) + " in a register that " +
               userdata::describe(map[i]) + " at " + Twine(i) + " takes");
}

void checkApiLimit(const StageContext &c, Report report) {
  uint32_t limit = c.pipeline.md.userDataLimit.value_or(0);
  ArrayRef<uint32_t> map = c.userDataMap();
  for (size_t i = 0; i < map.size(); ++i)
    if (userdata::isApiEntry(map[i]) && map[i] >= limit)
      report(entryPlace(i) + ": API entry " + Twine(map[i]) + ", .user_data_limit is " +
             Twine(limit));
}

void checkHoles(const StageContext &c, Report report) {
  if (!c.pipeline.target || c.pipeline.target->major >= 12)
    return;
  ArrayRef<uint32_t> map = c.userDataMap();
  size_t last = map.size();
  while (last > 0 && !userdata::isApiEntry(map[last - 1]))
    --last;
  bool inside = false;
  for (size_t i = 0; i < last; ++i) {
    inside |= userdata::isApiEntry(map[i]);
    if (inside && !userdata::isApiEntry(map[i]))
      report(entryPlace(i) + ": " + userdata::describe(map[i]) + " between API entries");
  }
}

void checkRepeats(const StageContext &c, Report report) {
  if (!c.pipeline.target || c.pipeline.target->major < 12)
    return;
  SmallVector<bool, userdata::maxEntries> seen(userdata::maxEntries, false);
  ArrayRef<uint32_t> map = c.userDataMap();
  for (size_t i = 0; i < map.size(); ++i) {
    if (!userdata::isApiEntry(map[i]))
      continue;
    if (seen[map[i]])
      report(entryPlace(i) + ": API entry " + Twine(map[i]) + " is mapped twice");
    seen[map[i]] = true;
  }
}

constexpr StageRule rules[] = {
    {"user-data-map", "the map is given and fits the user data registers", checkMapPresence},
    {"user-sgprs", "the user SGPR count is given, possible, and covers the map", checkUserSgprs},
    {"user-data-value", "mapped values are API entries or what PAL can supply", checkValues},
    {"user-data-task", "registers that packets for task shaders name are mapped", checkTaskValues},
    {"user-data-fixed", "GlobalTable is register 0, PerShaderTable is register 1",
     checkFixedRegisters},
    {"user-data-wide", "registers behind 64-bit values are not mapped", checkWideValues},
    {"user-data-index", "mapped API entries are below the user data limit", checkApiLimit},
    {"user-data-holes", "API entries are contiguous (gfx10, gfx11)", checkHoles},
    {"user-data-repeats", "no API entry is mapped twice (gfx12)", checkRepeats},
};

} // namespace

ArrayRef<StageRule> userDataRules() { return rules; }

} // namespace pal::abi
