//===- Device.h - a software AMD GPU ---------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Executes PAL code objects on the CPU: memory with GPU addresses, loaded programs, dispatches.
/// What PAL and the hardware do from an ELF and its metadata, this does: it knows nothing of the
/// compiler that made the ELF, and takes no hints from it.
///
///     auto device = SoftwareDevice::create({.target = "gfx1100"});
///     auto memory = (*device)->allocate({.size = 4096, .name = "buffer"});
///     auto program = (*device)->loadProgram(elfBytes, "saxpy");
///     DispatchInfo info{.program = program->get(), .groups = {16, 1, 1}, .userData = entries};
///     if (llvm::Error fault = (*device)->dispatch(info)) ...      // a DeviceFault
///
/// Threads: every member function may be called by any number of threads. dispatch() returns when
/// all workgroups have ended; it spreads them over DeviceOptions::threads cores. Memory may be
/// freed during a dispatch: the storage lives on until the dispatch ends, later ones fault.
/// Nothing here is process-global, and no environment variable is read.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace pal::abi {
enum class HardwareStage : uint8_t;
}

namespace pal::device {

/// An address as shaders see it: 48 bits, 0 is never valid.
using GpuAddress = uint64_t;

/// Which part of the address space an allocation lies in.
enum class Heap : uint8_t {
  /// Buffers and images.
  General,
  /// The one 4 GiB range that also holds all code: descriptor tables, spill tables, everything that
  /// shaders reach by 32-bit pointers, whose high half they take from their own address.
  DescriptorTables,
};

struct AllocationInfo {
  uint64_t size = 0;        ///< bytes, not 0
  uint64_t alignment = 256; ///< power of two, at most 2 MiB
  Heap heap = Heap::General;
  std::string name = {}; ///< for fault messages
  /// Storage that the caller owns and keeps alive; null: zero-filled storage of the device.
  void *hostMemory = nullptr;
  /// What keeps hostMemory alive, if it is not the caller: held as long as a dispatch may use it.
  std::shared_ptr<void> hostOwner = {};
};

/// A piece of device memory; destroying it frees the address range. Addresses are not reused soon,
/// and between any two allocations lies a gap of at least 64 KiB, so that stray accesses fault.
class Allocation {
public:
  virtual ~Allocation();
  GpuAddress address() const { return gpuAddress; }
  uint64_t size() const { return bytes; }
  uint8_t *host() const { return hostPointer; }

protected:
  GpuAddress gpuAddress = 0;
  uint64_t bytes = 0;
  uint8_t *hostPointer = nullptr;
};

/// (mnemonic, variant), such as ("v_add_f32", "dpp16"). Mnemonics are in gfx11 spelling.
using OpcodeKey = std::pair<std::string, std::string>;

/// What one machine instruction did, in all waves that have ended.
struct InstructionProfile {
  uint32_t pc = 0;     ///< bytes from the start of the section of code
  uint64_t runs = 0;   ///< by waves
  uint64_t masked = 0; ///< of them without an active lane
  uint64_t lanes = 0;  ///< active ones, of all runs
  /// Cache lines touched, each once a run: 128 bytes, of scalar loads 64.
  uint64_t lines = 0;
  /// Times that LDS was accessed for it, and what that would be without conflicts of banks.
  uint64_t ldsPasses = 0, ldsPassesWithoutConflicts = 0;
};

/// A code object in device memory. Immutable.
class Program {
public:
  virtual ~Program();
  virtual llvm::StringRef name() const = 0;
  /// Threads of a workgroup, lanes of a wave; of a compute program.
  virtual std::array<uint32_t, 3> workgroupSize() const = 0;
  virtual unsigned waveSize() const = 0;
  /// How often each (mnemonic, variant) occurs in the code, of all hardware stages.
  virtual std::map<OpcodeKey, uint64_t> opcodes() const = 0;
  /// Machine instructions that the stage's entry point reaches; 0 for a stage that is not there.
  virtual uint64_t instructionCount(abi::HardwareStage stage) const = 0;
  /// By address; what was never executed may be left out at the end. Empty without
  /// DeviceOptions::profile.
  virtual std::vector<InstructionProfile> profile(abi::HardwareStage stage) const = 0;
};

struct TraceOptions {
  bool enabled = false;
  std::array<uint32_t, 3> workgroup = {0, 0, 0};
  unsigned wave = 0;
  /// Lane whose vector registers are printed; all lanes when negative.
  int lane = 0;
};

struct DeviceOptions {
  std::string target = "gfx1100"; ///< a name of GpuTargets.def
  unsigned threads = 0;           ///< cores that dispatch() uses, at most 256; 0: all of them
  /// Instructions that one wave may execute; one more is a fault. 0: no limit.
  uint64_t instructionLimit = 2'000'000'000;
  /// Fill registers, LDS, scratch and rings with a pattern before waves, workgroups and draws.
  bool poison = false;
  /// Give results of approximate instructions (rcp, rsq, sqrt, exp, log, sin, cos) rounded up or
  /// down, decided by `seed`: within an ulp of the exact value, and exact where that is a number.
  bool perturbApproximate = false;
  /// Refuse code that hardware would not execute in the order in which it is written: registers
  /// used before their load has come back, hazards of the generation. On all paths when a program
  /// is loaded, and while waves run.
  bool strict = false;
  /// Count what each instruction does (Program::profile). Takes a multiple of the time.
  bool profile = false;
  /// Not 0: order of workgroups, and of the waves of a workgroup, is drawn from this.
  uint64_t seed = 0;
  TraceOptions trace = {};
  /// Receives trace lines. Calls are serialised. Null: standard error.
  std::function<void(llvm::StringRef)> log = {};
};

struct DispatchInfo {
  const Program *program = nullptr;
  std::array<uint32_t, 3> base = {0, 0, 0};   ///< first workgroup id
  std::array<uint32_t, 3> groups = {1, 1, 1}; ///< how many; any may be 0
  /// API user-data entries by dword index, at most 160; entries beyond the end read as 0. The
  /// program's metadata says which go to registers and which to the spill table.
  llvm::ArrayRef<uint32_t> userData = {};
  /// Table of the border colours that samplers of border type 3 choose from, 16 bytes each: four
  /// floats or integers as the image's format asks (register TA_CS_BC_BASE_ADDR). 0: no table.
  GpuAddress borderColors = 0;
  /// Scratch of a lane at least, at most 256 KiB, where the program uses any: functions that call
  /// each other may need more than its metadata says.
  uint32_t scratchBytes = 0;
};

struct DrawInfo; // Draw.h

/// Why a dispatch or a draw ended early. The message names kernel, pc, instruction, lane, address,
/// and the nearest allocation, as far as they apply.
class DeviceFault : public llvm::ErrorInfo<DeviceFault> {
public:
  enum class Kind : uint8_t {
    MemoryAccess,     ///< outside every allocation, or misaligned where that is a fault
    InstructionLimit, ///< DeviceOptions::instructionLimit
    Deadlock,         ///< waves wait at a barrier that cannot complete
    BadInstruction,   ///< pc outside the code, or an operand the hardware has no meaning for
    BadDescriptor,    ///< a T#, S# or V# that the hardware has no meaning for
    BadLaunch,        ///< user data, sizes or metadata do not allow the launch
    Hazard,           ///< DeviceOptions::strict
  };
  static char ID;
  DeviceFault(Kind kind, std::string message) : kind(kind), message(std::move(message)) {}
  Kind getKind() const { return kind; }
  const std::string &getMessage() const { return message; }
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  Kind kind;
  std::string message;
};

class SoftwareDevice {
public:
  /// Errors: AbiError for an unknown target or a CPU without AVX2 and FMA.
  static llvm::Expected<std::unique_ptr<SoftwareDevice>> create(const DeviceOptions &options);
  virtual ~SoftwareDevice();

  virtual const DeviceOptions &options() const = 0;

  /// Errors: AbiError TooLarge when memory or the address range is exhausted.
  virtual llvm::Expected<std::unique_ptr<Allocation>> allocate(const AllocationInfo &info) = 0;

  /// Loads an ELF as PAL does: checks the target, places the allocated sections, applies
  /// relocations, decodes all code that entry points reach. Errors: AbiError; an instruction that
  /// cannot be executed is Unsupported and named with its address.
  virtual llvm::Expected<std::shared_ptr<const Program>> loadProgram(llvm::ArrayRef<uint8_t> elf,
                                                                     llvm::StringRef name) = 0;

  /// Runs workgroups base .. base + groups - 1; NumWorkgroups is `groups`. Errors: DeviceFault.
  virtual llvm::Error dispatch(const DispatchInfo &info) = 0;
  /// The same with the three group counts read from memory at \p arguments.
  virtual llvm::Error dispatchIndirect(const DispatchInfo &info, GpuAddress arguments) = 0;

  /// Runs one draw of a graphics program to its end. Errors: DeviceFault; BadLaunch names state or
  /// stages that the device cannot execute.
  virtual llvm::Error draw(const DrawInfo &info) = 0;

  /// Host pointer to [address, address + size), or null if any byte lies outside an allocation.
  /// Valid while the allocation lives.
  virtual uint8_t *translate(GpuAddress address, uint64_t size) = 0;

  /// How often each (mnemonic, variant) was executed, of all dispatches that have ended.
  virtual std::map<OpcodeKey, uint64_t> opcodeCounts() const = 0;
  /// Wave-instructions executed by all dispatches that have ended.
  virtual uint64_t instructionsExecuted() const = 0;
};

} // namespace pal::device
