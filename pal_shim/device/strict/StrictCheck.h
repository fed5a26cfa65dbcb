//===- StrictCheck.h - code that leaves too much to the hardware ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Strict mode: registers that are read or overwritten while a load or an export of them is under
/// way, and the hazards of the generation, are errors. All paths through a program are walked when
/// it is loaded; what only jumps through registers reach is followed while waves run.
#pragma once

#include "pal_shim/device/core/ProgramWatch.h"
#include "pal_shim/device/strict/HazardState.h"
#include "pal_shim/device/strict/PendingResults.h"

namespace pal::device::strict {

struct StrictProgram {
  Generation generation = Generation::Gfx11;
  unsigned waveSize = 32;
  std::vector<Effects> effects; ///< by index in ProgramData::code
};

/// What is under way at one place of the code.
class StrictState {
public:
  /// Executes one instruction. Returns what is wrong with it, "" if nothing.
  std::string step(const StrictProgram &program, const Effects &effects);
  /// Both may have been; true: this has changed.
  bool join(const StrictState &other);

private:
  PendingResults pending;
  HazardState hazards;
};

/// Decodes the effects of \p program's instructions.
llvm::Expected<StrictProgram> readEffects(Decoder &decoder, llvm::ArrayRef<uint8_t> code,
                                          const ProgramData &program);

struct StrictProblem {
  uint32_t index = 0; ///< in ProgramData::code
  std::string message;
};

/// What is wrong on some path, by index, each instruction once. Jumps through registers are not
/// followed; code that only they reach is taken to start with nothing under way, as is code behind
/// a call. Errors: AbiError
/// Unsupported when that would take too long.
llvm::Expected<std::vector<StrictProblem>> checkAllPaths(const StrictProgram &strict,
                                                         const ProgramData &program);

/// MakeProgramWatch. Errors: AbiError Malformed that lists what checkAllPaths finds.
llvm::Expected<std::shared_ptr<const ProgramWatch>>
makeStrictWatch(Decoder &decoder, llvm::ArrayRef<uint8_t> code, const ProgramData &program);

} // namespace pal::device::strict
