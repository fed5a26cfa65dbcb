//===- ProgramWatch.h - who looks on while waves run -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The device executes; whether hardware would have computed the same is looked after by whoever
/// implements these (strict/, DeviceOptions::strict).
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <string>

namespace pal::device {

class Decoder;
struct ProgramData;

/// Follows one wave from its start.
class WaveWatch {
public:
  virtual ~WaveWatch();
  /// The instruction with index \p index in ProgramData::code is about to be executed. Returns what
  /// is wrong with that, "" if nothing.
  virtual std::string step(uint32_t index) = 0;
};

/// Knows one program; used by several threads.
class ProgramWatch {
public:
  virtual ~ProgramWatch();
  virtual std::unique_ptr<WaveWatch> startWave() const = 0;
};

/// Looks at \p program, decoded from \p code. Errors: what is wrong with it on some path.
using MakeProgramWatch = llvm::Expected<std::shared_ptr<const ProgramWatch>> (*)(
    Decoder &decoder, llvm::ArrayRef<uint8_t> code, const ProgramData &program);

} // namespace pal::device
