//===- Session.h - breakpoints and steps -----------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Decides at which statements an invocation stops. Who asks what to do there is a FrontEnd.
#pragma once

#include "pal_shim/device/Debug.h"
#include "tools/debug/SourceInfo.h"
#include <map>
#include <optional>

namespace debug {

/// What goes on behind a stop.
enum class Resume : uint8_t {
  Continue,
  Next,    ///< to the next line of this function, or of its caller
  StepIn,  ///< to the next line
  StepOut, ///< to the caller
  End,     ///< not at all
};

/// One lane of a wave.
struct Invocation {
  pal::abi::HardwareStage stage = {};
  std::array<uint32_t, 3> group = {};
  unsigned wave = 0, lane = 0;
  bool operator==(const Invocation &) const = default;
};

/// Who stops. Once anything is chosen, only shaders of that kind do.
struct Selection {
  std::optional<std::array<uint32_t, 3>> invocation; ///< of a compute shader, its global number
  std::optional<std::array<uint32_t, 2>> pixel;      ///< of a fragment shader
  std::optional<uint32_t> sample;                    ///< with shading by sample
  std::optional<uint32_t> vertex, instance;          ///< of a vertex shader
  /// Of a control or geometry shader: gl_PrimitiveID and gl_InvocationID.
  struct Primitive {
    uint32_t number = 0;
    std::optional<uint32_t> invocation; ///< nothing: any
  };
  std::optional<Primitive> control, geometry;
  /// Of an evaluation shader: gl_PrimitiveID and gl_TessCoord.
  struct Point {
    uint32_t patch = 0;
    std::optional<std::array<double, 2>> at; ///< nothing: any
  };
  std::optional<Point> evaluation;
  /// Of a task or mesh shader: gl_WorkGroupID and gl_LocalInvocationIndex.
  struct GroupMember {
    std::array<uint32_t, 3> group = {};
    std::optional<uint32_t> index; ///< nothing: any
  };
  std::optional<GroupMember> task, mesh;

  /// Whether something is chosen.
  bool hasAny() const;
};

struct Stop {
  const pal::device::StoppedWave &wave;
  unsigned lane; ///< whose stop it is; all lanes of EXEC are there
  std::vector<Frame> frames;
  enum class Reason : uint8_t { Entry, Breakpoint, Step } reason;
};

class FrontEnd {
public:
  virtual ~FrontEnd();
  virtual Resume stopped(const Stop &stop) = 0;
};

class Session : public pal::device::Debugger {
public:
  /// \p groupSize: invocations of a workgroup.
  Session(const SourceInfo &info, std::array<uint32_t, 3> groupSize, FrontEnd &frontEnd)
      : info(info), groupSize(groupSize), frontEnd(frontEnd) {}

  /// In place of those of the same file. A file is meant by the end of its path; an empty one is
  /// any. Returns the line of each, which is the next one with a statement; 0: there is none.
  std::vector<uint32_t> setBreakpoints(llvm::StringRef file, llvm::ArrayRef<uint32_t> lines);
  void select(const Selection &selection) { wanted = selection; }
  /// At the first statement.
  void stopAtEntry() { mode = Mode::Entry; }
  bool hasEnded() const { return mode == Mode::End; }

  /// "invocation (5, 0, 0)", "pixel (10, 7), sample 2", "vertex 3, instance 0". \p shader: as Frame
  /// has it.
  std::string describe(const pal::device::StoppedWave &wave, unsigned lane,
                       llvm::StringRef shader) const;

  bool stopsAt(pal::abi::HardwareStage stage, uint32_t pc, llvm::StringRef mnemonic) override;
  bool stopped(const pal::device::StoppedWave &wave) override;

private:
  enum class Mode : uint8_t { Entry, Run, Step, End };
  bool isChosen(const pal::device::StoppedWave &wave, unsigned lane, llvm::StringRef shader) const;
  std::array<uint32_t, 3> idOf(const pal::device::StoppedWave &wave, unsigned lane) const;
  bool mayStop(const pal::device::StoppedWave &wave, unsigned lane, llvm::StringRef shader) const;
  std::optional<unsigned> laneFor(const pal::device::StoppedWave &wave,
                                  llvm::StringRef shader) const;
  const std::vector<Frame> &framesOf(const pal::device::StoppedWave &wave);
  std::optional<Stop::Reason> reasonAt(const pal::device::StoppedWave &wave,
                                       const std::vector<Frame> &frames) const;
  bool isFollowed(const pal::device::StoppedWave &wave) const;

  const SourceInfo &info;
  const std::array<uint32_t, 3> groupSize;
  FrontEnd &frontEnd;
  struct Breakpoint {
    std::string file;
    uint32_t line;
  };
  std::vector<Breakpoint> breakpoints;
  Selection wanted;
  std::map<uint32_t, std::vector<Frame>> frames; ///< by pc
  Mode mode = Mode::Run;
  // Of a step.
  Resume step = Resume::Continue;
  Invocation followed;
  size_t depth = 0; ///< of the stack where it began
  // The last statement that was looked at, and whose.
  std::optional<Invocation> last;
  Frame lastFrame;
  uint32_t lastPc = 0;
  bool isEnd = false; ///< the wave that stops has come to its end
};

/// Whether two paths mean the same file: the shorter one is the other's end.
bool isSameFile(llvm::StringRef a, llvm::StringRef b);

} // namespace debug
