//===- Debug.h - stopping waves to look at them ----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A debugger says at which instructions waves stop, and is called there on the thread that runs
/// them. A device without one runs as fast as ever.
#pragma once

#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/device/Device.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <optional>

namespace pal::device {

/// What a draw calls a lane. A lane of a merged wave runs two shaders, of which each has something
/// of its own here.
struct DrawInvocation {
  /// What an evaluation shader runs for.
  struct Point {
    uint32_t patch = 0; ///< gl_PrimitiveID
    float u = 0, v = 0; ///< gl_TessCoord
  };
  /// What a control or geometry shader runs for: gl_PrimitiveID(In), gl_InvocationID.
  struct Primitive {
    uint32_t number = 0, invocation = 0;
  };
  enum class Kind : uint8_t { Other, Vertex, Fragment } kind = Kind::Other;
  uint32_t vertex = 0, instance = 0; ///< Vertex: as the shader sees them
  /// Fragment: the pixel, of several the first one.
  int32_t x = 0, y = 0;
  uint32_t width = 1, height = 1; ///< of the fragment, pixels
  uint32_t sample = 0;            ///< which invocation of the pixel, with shading by sample
  bool isHelper = false;
  std::optional<Point> point;
  std::optional<Primitive> primitive;
  std::optional<std::array<uint32_t, 3>> workgroup; ///< of a mesh shader: gl_WorkGroupID
};

/// What one lane of an instruction read or wrote.
struct MemoryAccess {
  enum class Kind : uint8_t { Load, Store, Atomic } kind = Kind::Load;
  bool isLds = false;
  int lane = -1;          ///< negative: all active ones, of scalar loads
  GpuAddress address = 0; ///< in LDS: from its start
  uint32_t bytes = 0;
  std::array<uint8_t, 16> stored = {}; ///< of stores: the bytes
};

/// A wave in front of an instruction; valid while Debugger looks at it.
class StoppedWave {
public:
  virtual ~StoppedWave();
  virtual abi::HardwareStage stage() const = 0;
  virtual uint32_t pc() const = 0; ///< bytes from the start of the section of code
  /// Workgroup of a dispatch; of other stages the number of the group within the draw.
  virtual std::array<uint32_t, 3> group() const = 0;
  virtual unsigned index() const = 0; ///< in the group
  virtual unsigned lanes() const = 0;
  virtual uint64_t exec() const = 0;
  virtual uint32_t sgpr(unsigned number) const = 0;
  virtual uint32_t vgpr(unsigned number, unsigned lane) const = 0;
  /// Private memory of a lane.
  virtual llvm::ArrayRef<uint8_t> scratch(unsigned lane) const = 0;
  /// Memory that the group shares.
  virtual llvm::ArrayRef<uint8_t> lds() const = 0;
  /// Device memory; empty where some of it is in no allocation.
  virtual llvm::ArrayRef<uint8_t> memory(GpuAddress address, uint64_t bytes) const = 0;
  /// Of graphics stages, but task shaders.
  virtual DrawInvocation invocation(unsigned lane) const = 0;
};

/// Calls come from all threads that run waves; with DeviceOptions::threads 1 from one.
class Debugger {
public:
  virtual ~Debugger();
  /// Asked in front of each instruction. \p mnemonic in gfx11 spelling.
  virtual bool stopsAt(abi::HardwareStage stage, uint32_t pc, llvm::StringRef mnemonic) = 0;
  /// False: what runs is to end, with a DeviceFault of kind InstructionLimit.
  virtual bool stopped(const StoppedWave &wave) = 0;
  /// Whether accessed() is called; answers are the same while the debugger is attached.
  virtual bool watchesMemory() const { return false; }
  /// Behind each instruction that accessed memory by address: scalar, global, flat and LDS ones,
  /// not those with descriptors of buffers and images, nor private memory. By lanes, from 0 up.
  virtual void accessed(const StoppedWave &, llvm::ArrayRef<MemoryAccess>) {}
};

/// From now on waves of the device stop for \p debugger, which outlives it; null: for nobody. Not
/// while anything runs.
void attachDebugger(SoftwareDevice &device, Debugger *debugger);

} // namespace pal::device
