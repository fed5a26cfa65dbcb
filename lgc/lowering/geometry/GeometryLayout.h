//===- GeometryLayout.h - where vertices around a geometry shader live ----===//
// SPDX-License-Identifier: MIT
/// \file
/// Decisions of lgc-lower-geometry before it touches code: which dwords of a vertex travel from the
/// vertex half to the geometry half (LDS), which dwords one emitted vertex has (LDS or the ring in
/// memory), how many vertices and primitives one subgroup takes, and the registers that say so.
#pragma once

#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "pal_shim/abi/TargetInfo.h"
#include <map>

namespace lgc {

inline constexpr unsigned gsStreamCount = 4;
/// HW: lanes of a subgroup of primitive shaders, and so the vertices that it can export.
inline constexpr unsigned nggThreadsMax = 256;

/// A vertex in the ES-GS ring: dword of each (slot, component) that the geometry half reads.
struct EsGsLayout {
  std::map<uint32_t, std::array<int, 4>> slots; ///< -1: not read
  uint32_t itemDwords = 1;                      ///< odd, so that lanes hit different LDS banks

  /// -1 when nobody reads it.
  int dword(uint32_t slot, unsigned component) const {
    auto found = slots.find(slot);
    return found == slots.end() || component > 3 ? -1 : found->second[component];
  }
};

/// One dword of an emitted vertex.
struct GsField {
  bool isXfb = false;
  uint32_t slotOrBuffer = 0;      ///< output: slot; transform feedback: buffer
  uint32_t componentOrOffset = 0; ///< output: component; transform feedback: byte offset
  llvm::Type *type = nullptr;     ///< scalar of 16 or 32 bits
};

struct GsStream {
  bool active = false;         ///< something is emitted and somebody wants it
  std::vector<GsField> fields; ///< outputs by slot and component, then transform feedback
  bool isCaptured() const { return active && !fields.empty() && fields.back().isXfb; }
  bool isCounted = false; ///< its primitives, for transform feedback or queries
  /// Index in `fields`; by kind, slot or buffer, component or offset.
  std::map<std::tuple<bool, uint32_t, uint32_t>, unsigned> index;
};

/// What one subgroup takes.
struct GsSubgroup {
  uint32_t esVerts = 0;
  uint32_t gsPrims = 0;
  uint32_t invocations = 1; ///< that share a subgroup
  /// HW: every invocation gets a subgroup of its own (EN_MAX_VERT_OUT_PER_GS_INSTANCE).
  bool perInvocation = false;
  uint32_t esGsDwords = 0; ///< LDS from 0 on
  // NGG only; all in dwords of LDS
  uint32_t slots = 0; ///< emitted vertices that there is room for, in each stream
  struct Stream {
    uint32_t slotDwords = 1;         ///< size of one vertex
    uint32_t slotBase = 0;           ///< behind the last one is another, for what must be ignored
    uint32_t flagBase = 0;           ///< a dword per slot, one for what must be ignored
    uint32_t primitiveCountBase = 0; ///< counted streams: primitives per wave
  };
  std::array<Stream, gsStreamCount> streams; ///< of those that are kept
  uint32_t vertexCountBase = 0;              ///< raster stream: vertices per wave
  uint32_t ldsDwords = 0;
};

struct GeometryLayout {
  const pal::abi::GpuTarget *target = nullptr;
  StagePlan plan;
  uint32_t waveSize = 64;
  unsigned inputVertices = 3;
  uint32_t maxVertices = 1; ///< that one invocation emits
  uint32_t rasterStream = 0;
  bool usesInvocationId = false;
  /// Does either half know the number of the primitive, or of the patch?
  bool usesPrimitiveId = false;
  EsGsLayout input;
  std::array<GsStream, gsStreamCount> streams;
  GsSubgroup subgroup;

  bool isGfx12Plus() const { return target && target->major >= 12; }
  GsStream &raster() { return streams[rasterStream]; }
  const GsStream &raster() const { return streams[rasterStream]; }
  /// Are vertices of the stream kept?
  bool isKept(unsigned stream) const { return streams[stream].active || stream == rasterStream; }
  bool isCaptured() const {
    return std::any_of(streams.begin(), streams.end(),
                       [](const GsStream &stream) { return stream.isCaptured(); });
  }
  bool isCounted() const {
    return std::any_of(streams.begin(), streams.end(),
                       [](const GsStream &stream) { return stream.isCounted; });
  }
};

/// Of a geometry shader and the half in front of it (null: another part's). Errors: LimitExceeded
/// when not even one primitive fits the hardware.
llvm::Expected<GeometryLayout> planGeometry(llvm::Function &gs, const llvm::Function *es,
                                            const PipelineState &state);

/// Registers of the hardware geometry stage.
void writeGeometryRegisters(llvm::Module &module, const PipelineState &state,
                            const GeometryLayout &layout);

/// The stream operand of output.store in geometry shaders.
uint32_t streamOf(const llvm::CallInst &outputStore);

} // namespace lgc
