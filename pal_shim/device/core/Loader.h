//===- Loader.h - code objects into device memory --------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Does with an ELF what PAL does: places its allocated sections, relocates, finds the entry point
/// of each hardware stage, and takes launch state and registers from the metadata.
#pragma once

#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/device/core/AddressSpace.h"
#include "pal_shim/device/core/DecodeProgram.h"
#include "pal_shim/device/core/ProgramWatch.h"

namespace pal::device {

/// Decoders of one target, one per wave size, made when first needed.
class DecoderPool {
public:
  explicit DecoderPool(const abi::GpuTarget &target) : target(target) {}
  /// Calls \p use with the decoder, under a lock.
  llvm::Error with(unsigned waveSize, llvm::function_ref<llvm::Error(Decoder &)> use);

private:
  const abi::GpuTarget &target;
  std::mutex mutex;
  std::unique_ptr<Decoder> decoders[2];
};

/// What loading needs of a device; shared, because programs may outlive it.
struct LoadContext {
  explicit LoadContext(const abi::GpuTarget &target)
      : target(target), decoders(target), ops(generationOf(target)) {}
  const abi::GpuTarget &target;
  AddressSpace memory;
  DecoderPool decoders;
  OpIndex ops;
  OpcodeCounters counters;
  MakeProgramWatch makeWatch = nullptr; ///< null: nobody looks on
  bool isProfiled = false;              ///< programs get a profile
};

struct GraphicsProgram;

class LoadedProgram : public Program {
public:
  LoadedProgram();
  ~LoadedProgram() override;
  llvm::StringRef name() const override { return data.name; }
  std::array<uint32_t, 3> workgroupSize() const override { return data.launch.threads; }
  unsigned waveSize() const override { return data.launch.waveSize; }
  std::map<OpcodeKey, uint64_t> opcodes() const override;
  uint64_t instructionCount(abi::HardwareStage stage) const override;
  std::vector<InstructionProfile> profile(abi::HardwareStage stage) const override;

  /// The compute program; of a graphics program only the name.
  ProgramData data;
  std::unique_ptr<GraphicsProgram> graphics; ///< null: a compute program
  std::shared_ptr<LoadContext> context;
  std::shared_ptr<const Region> region;
};

/// Errors: see SoftwareDevice::loadProgram.
llvm::Expected<std::shared_ptr<const LoadedProgram>>
loadElf(std::shared_ptr<LoadContext> context, llvm::ArrayRef<uint8_t> elf, llvm::StringRef name);

} // namespace pal::device
