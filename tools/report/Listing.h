//===- Listing.h - code of a stage in the forms of Radeon GPU Analyzer -----===//
// SPDX-License-Identifier: MIT
/// \file
/// Text files about one hardware stage, with the names, columns and words of Radeon GPU Analyzer
/// 2.14 (its sources: kc_utils.cpp, kc_utils_vulkan.cpp, be_instruction.cpp; live registers and
/// control flow: output of its program shae 3.2), for scripts that read these.
///
///     auto listing = StageListing::read(target, stage, *map);
///     os << (*listing)->text(ListingKind::LiveVgprs)
#pragma once

#include "tools/report/CodeObject.h"
#include "tools/report/SourceMap.h"

namespace report {

enum class ListingKind : uint8_t {
  Assembly,         ///< instructions with addresses and encodings
  AssemblyTable,    ///< the same with source line, unit and cycles, comma-separated
  LiveVgprs,        ///< a column for each register
  LiveSgprs,        ///< without VCC, EXEC and M0
  BlockGraph,       ///< control flow in DOT, a node for each block
  InstructionGraph, ///< a node for each instruction
  Resources,        ///< a heading and a line, comma-separated
};

struct ListingOptions {
  bool withSourceLines = false; ///< Assembly
  char separator = ',';         ///< Resources
};

class StageListing {
public:
  /// Decodes the stage's code; \p stage and \p map have to outlive the result. Errors: AbiError for
  /// bytes that are no code.
  static llvm::Expected<std::unique_ptr<StageListing>>
  read(const pal::abi::GpuTarget &target, const StageCode &stage, const SourceMap &map);
  ~StageListing();

  std::string text(ListingKind kind, const ListingOptions &options = {}) const;

private:
  StageListing();
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace report
