//===- Wave.h - execution state of a wave and its workgroup ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The registers that instructions read and write, and the few services they need: memory, LDS,
/// faults, float mode. Handlers see nothing else of the device.
#pragma once

#include "pal_shim/device/Device.h"
#include "pal_shim/device/core/AddressSpace.h"
#include "pal_shim/device/core/RawInstr.h"
#include "llvm/ADT/Twine.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace pal::device {

inline constexpr unsigned maxLanes = 64;

/// One VGPR: lanes beyond the wave size are unused.
struct alignas(64) Row {
  uint32_t lane[maxLanes];
};

enum class WaveState : uint8_t { Running, AtBarrier, Ended, Faulted };

/// MODE register fields (RDNA ISA manual, "MODE register").
namespace mode {
inline constexpr uint32_t roundF32 = 0x3;      ///< 0 even, 1 +inf, 2 -inf, 3 zero
inline constexpr uint32_t roundF64F16 = 0xC;   ///< the same, shifted by 2
inline constexpr uint32_t denormF32 = 0x30;    ///< bit 4: allow input, bit 5: allow output
inline constexpr uint32_t denormF64F16 = 0xC0; ///< bit 6, bit 7
inline constexpr uint32_t dx10Clamp = 1u << 8;
inline constexpr uint32_t ieee = 1u << 9;
} // namespace mode

/// Which part of MODE governs an operation.
enum class FloatKind : uint8_t { None, F32, F64F16 };

struct Group;
struct ProgramData;
class StagePort;

struct Wave {
  uint32_t s[sreg::popsExiting + 1]; ///< slots of sreg; 64-bit writes may go beyond `count`
  uint32_t scc = 0;
  uint32_t lanes = 32;   ///< wave size
  uint32_t ip = 0;       ///< index of the *next* instruction in ProgramData::code
  uint32_t modeBits = 0; ///< MODE
  WaveState state = WaveState::Ended;
  Generation generation = Generation::Gfx11;
  FloatKind hostFloat = FloatKind::None; ///< what the host's MXCSR is set up for now
  uint32_t index = 0;                    ///< in the workgroup
  uint64_t executed = 0;                 ///< instructions so far
  uint64_t barrierPhase = 0;             ///< Group::barrierPhase when this wave last signalled
  Group *group = nullptr;
  const ProgramData *program = nullptr;
  Row v[256 + 4];             ///< VGPRs; the tail takes multi-dword accesses at the edge
  Row tmp[24];                ///< scratch rows of handlers
  uint8_t *scratch = nullptr; ///< lanes * scratchBytes, lane-major: private memory of each lane
  uint32_t scratchBytes = 0;  ///< per lane

  uint64_t laneMask() const { return lanes == 64 ? ~0ull : 0xFFFFFFFFull; }
  uint64_t exec() const { return mask(sreg::execLo); }
  uint64_t vcc() const { return mask(sreg::vccLo); }
  /// A lane mask in s[slot] (wave32) or s[slot], s[slot + 1] (wave64).
  uint64_t mask(unsigned slot) const {
    return lanes == 64 ? uint64_t(s[slot + 1]) << 32 | s[slot] : s[slot];
  }
  /// Writes a lane mask; wave32 leaves s[slot + 1] alone.
  void setMask(unsigned slot, uint64_t value) {
    s[slot] = uint32_t(value);
    if (lanes == 64)
      s[slot + 1] = uint32_t(value >> 32);
  }
  uint64_t s64(unsigned slot) const { return uint64_t(s[slot + 1]) << 32 | s[slot]; }
  void setS64(unsigned slot, uint64_t value) {
    s[slot] = uint32_t(value);
    s[slot + 1] = uint32_t(value >> 32);
  }

  /// Makes the host's rounding and denormal modes those of MODE for \p kind; cheap when they are
  /// already. The loop that runs waves restores the host's own mode. f16 results still need their
  /// denormals flushed by hand.
  void useFloatMode(FloatKind kind) {
    if (kind != hostFloat && kind != FloatKind::None)
      setHostFloat(kind);
  }
  /// Round to even and keep denormals, for arithmetic that is not the wave's.
  void useHostDefaultFloat();
  /// After MODE was written, or another wave has run on this thread.
  void invalidateFloatMode() { hostFloat = FloatKind::None; }

  /// Ends the dispatch with a DeviceFault that names this wave's current instruction. \p lane < 0:
  /// no particular lane. The handler should return without further effects.
  void fault(DeviceFault::Kind kind, const llvm::Twine &message, int lane = -1);
  /// A fault of kind MemoryAccess that describes the address and the nearest allocation.
  void memoryFault(GpuAddress address, uint64_t bytes, bool isWrite, int lane);

private:
  void setHostFloat(FloatKind kind);
};

/// Why a dispatch ends early, before the details of the place are added.
struct FaultRecord {
  DeviceFault::Kind kind = DeviceFault::Kind::BadInstruction;
  std::string message;
  int lane = -1;
};

/// A workgroup, or a group of waves of a graphics stage: LDS, barrier, its waves.
struct Group {
  std::vector<uint8_t> lds; ///< size from metadata; accesses beyond read 0, writes are dropped
  uint32_t id[3] = {0, 0, 0};
  uint32_t waveCount = 0;
  uint32_t liveWaves = 0;      ///< waves that have not ended
  uint32_t barrierArrived = 0; ///< waves that have signalled in this phase
  uint64_t barrierPhase = 0;   ///< completed barriers
  std::optional<FaultRecord> fault;
  MemoryView *memory = nullptr; ///< of the thread that runs this group
  const DeviceOptions *options = nullptr;
  GpuAddress borderColors = 0; ///< table for samplers; 0: none
  StagePort *port = nullptr;   ///< of graphics stages: the hardware around the shader core
};

} // namespace pal::device
