//===- StageFacts.h - all facts about one hardware stage ------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "tools/report/CodeObject.h"
#include "tools/report/CycleModel.h"
#include "tools/report/Report.h"
#include "tools/report/SourceMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <nlohmann/json.hpp>

namespace report {

/// Index in the report's list of sources; -1: the report does not have that file.
using SourceIndex = llvm::function_ref<int(const std::string &file)>;

/// Decodes the stage's code, runs all analyses on it and writes down what they find, and what \p
/// run (null: nothing was executed) found. Errors: AbiError for bytes that are no code.
llvm::Expected<nlohmann::ordered_json>
describeStage(const pal::abi::GpuTarget &target, const StageCode &stage, const SourceMap &map,
              SourceIndex sourceIndex, const CycleParameters &parameters, const RunFacts *run);

} // namespace report
