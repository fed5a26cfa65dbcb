//===- Report.h - facts about compiled pipelines, and the page of them ----===//
// SPDX-License-Identifier: MIT
/// \file
/// What `amdllpc --report` writes: facts out of code objects as one JSON value, and a page that
/// shows them, with no other file. Everything is read from the machine code and its line table, so
/// that code of every compiler and tier is shown alike.
///
///     ReportWriter writer;
///     writer.add({.name = "blur.comp", .target = "gfx1100", .elf = bytes, .sources = {...}});
///     writer.page()           // or writer.json()
#pragma once

#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/device/Device.h"
#include "tools/report/CycleModel.h"
#include "tools/report/Sources.h"
#include <memory>

namespace report {

/// One hardware stage, named by the shaders in it.
struct StageName {
  pal::abi::HardwareStage stage;
  std::vector<std::string> shaders; ///< "vertex" ...; empty: made by the compiler
};

/// The pipeline's IR at one place of its compilation.
struct PassText {
  std::string name;
  std::string ir;
};

/// What the instructions of one hardware stage did.
struct StageProfile {
  pal::abi::HardwareStage stage;
  std::vector<pal::device::InstructionProfile> instructions;
};

/// What one dispatch or draw did, with inputs that were generated.
struct RunFacts {
  std::array<uint32_t, 3> groups = {}; ///< of workgroups; zeros: a draw of vertices
  /// Names and short texts of what it was executed with: resources, push constants ...
  std::vector<std::pair<std::string, std::string>> inputs;
  std::vector<StageProfile> profiles;
  std::string fault; ///< not empty: it ended there
};

/// A pipeline for one target.
struct PipelineFacts {
  std::string name;   ///< as the user knows it
  std::string target; ///< "gfx1100"
  std::string entry;
  std::string tier;  ///< "llvm", "direct"
  std::string error; ///< not empty: nothing else is there
  std::vector<std::string> warnings;
  std::vector<uint8_t> elf;
  std::vector<StageName> stages;
  std::vector<Source> sources;
  std::vector<PassText> passes; ///< in their order
  double milliseconds = 0;      ///< that compiling took
  std::optional<RunFacts> run;
};

class ReportWriter {
public:
  explicit ReportWriter(CycleParameters parameters = {});
  ~ReportWriter();
  /// Errors: AbiError for what is no PAL code object.
  llvm::Error add(const PipelineFacts &pipeline);
  /// docs/report.md lists the keys.
  std::string json() const;
  /// HTML that holds the same.
  std::string page() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace report
