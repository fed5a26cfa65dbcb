//===- RaceText.h - data races in words ------------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "tools/cl/Races.h"
#include "tools/report/CodeObject.h"
#include "tools/report/SourceMap.h"
#include <string>

namespace kiln_cl {

/// What addresses, instructions and work-items of a run are called.
class RunNames {
public:
  /// \p elf: outlives this.
  static llvm::Expected<RunNames> read(llvm::ArrayRef<uint8_t> elf);

  /// The section of code.
  llvm::ArrayRef<uint8_t> text() const { return code; }

  struct Buffer {
    std::string name;
    uint64_t address = 0, size = 0;
  };
  std::vector<Buffer> buffers;
  std::array<uint32_t, 3> groupCount = {1, 1, 1}, groupSize = {1, 1, 1};
  std::string program; ///< file that the kernel is in

  /// Three lines:
  ///     data race in local memory, byte 4
  ///       k.cl:3: write by work-item (5, 0, 0) of workgroup (1, 0, 0)
  ///       k.cl:7: read by work-item (4, 0, 0) of workgroup (1, 0, 0)
  std::string textOf(const Race &race) const;

private:
  std::string placeOf(uint32_t pc) const;
  std::string textOf(const RaceAccess &access) const;

  llvm::ArrayRef<uint8_t> code;
  report::StageCode stage;
  std::string listing; ///< of the stage's instructions
  std::shared_ptr<const report::SourceMap> lines;
};

} // namespace kiln_cl
