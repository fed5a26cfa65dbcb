//===- AbiNames.cpp - names and numbers of the PAL pipeline ABI -----------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/abi/AbiNames.h"
#include "llvm/ADT/StringExtras.h"
#include <iterator>
#include <string>

using namespace llvm;

namespace pal::abi {
namespace {

struct HardwareStageRow {
  StringLiteral key;
  StringLiteral entryPoint;
};
constexpr HardwareStageRow hardwareStages[] = {
#define KILN_PAL_HW_STAGE(id, key, entryPoint) {key, entryPoint},
#include "pal_shim/abi/Abi.def"
};
static_assert(std::size(hardwareStages) == hardwareStageCount);

constexpr StringLiteral apiStages[] = {
#define KILN_PAL_API_STAGE(id, key) key,
#include "pal_shim/abi/Abi.def"
};
static_assert(std::size(apiStages) == apiStageCount);

constexpr StringLiteral pipelineTypes[] = {
#define KILN_PAL_PIPELINE_TYPE(id) #id,
#include "pal_shim/abi/Abi.def"
};

struct UserDataRow {
  uint32_t value;
  unsigned registers;
  StringLiteral name;
};
constexpr UserDataRow userDataRows[] = {
#define KILN_PAL_USER_DATA(id, value, registers, name) {value, registers, name},
#include "pal_shim/abi/Abi.def"
};

const UserDataRow *findUserData(uint32_t value) {
  for (const UserDataRow &row : userDataRows)
    if (row.value == value)
      return &row;
  return nullptr;
}

bool isPipelineLink(uint32_t value) {
  return value >= userdata::pipelineLinkStart &&
         value - userdata::pipelineLinkStart < userdata::pipelineLinkCount;
}

} // namespace

StringRef hardwareStageKey(HardwareStage stage) { return hardwareStages[unsigned(stage)].key; }

std::optional<HardwareStage> findHardwareStage(StringRef key) {
  for (unsigned i = 0; i < hardwareStageCount; ++i)
    if (hardwareStages[i].key == key)
      return HardwareStage(i);
  return std::nullopt;
}

StringRef entryPointSymbol(HardwareStage stage) {
  return hardwareStages[unsigned(stage)].entryPoint;
}

StringRef apiStageKey(ApiStage stage) { return apiStages[unsigned(stage)]; }

std::optional<ApiStage> findApiStage(StringRef key) {
  for (unsigned i = 0; i < apiStageCount; ++i)
    if (apiStages[i] == key)
      return ApiStage(i);
  return std::nullopt;
}

StringRef pipelineTypeName(PipelineType type) { return pipelineTypes[unsigned(type)]; }

std::optional<PipelineType> findPipelineType(StringRef name) {
  for (unsigned i = 0; i < std::size(pipelineTypes); ++i)
    if (pipelineTypes[i] == name)
      return PipelineType(i);
  return std::nullopt;
}

std::string userdata::describe(uint32_t value) {
  if (isApiEntry(value))
    return "api " + utostr(value);
  if (const UserDataRow *row = findUserData(value))
    return row->name.str();
  if (isPipelineLink(value))
    return "PipelineLink " + utostr(value - pipelineLinkStart);
  return "unknown 0x" + utohexstr(value, /*LowerCase=*/true);
}

bool userdata::isSpecial(uint32_t value) {
  return value != notMapped && (findUserData(value) || isPipelineLink(value));
}

unsigned userdata::registerCount(uint32_t value) {
  const UserDataRow *row = findUserData(value);
  return row ? row->registers : 1;
}

} // namespace pal::abi
