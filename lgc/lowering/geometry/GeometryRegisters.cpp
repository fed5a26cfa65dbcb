//===- GeometryRegisters.cpp - registers of the hardware geometry stage ---===//
// SPDX-License-Identifier: MIT
/// \file
/// What PAL has to program for a geometry shader. Sizes of rings and items are in dwords, except
/// `.es_gs_lds_size`, which is in bytes. Sources: PAL's pipeline ABI, register references of VGT
/// and GE.
#include "lgc/lowering/entry/PalRegisters.h"
#include "lgc/lowering/geometry/GeometryLayout.h"

using namespace llvm;

namespace lgc {

namespace key = pal::abi::key;

namespace {

/// VGT_GS_MODE.
enum : uint64_t { gsScenarioG = 3, gsOnchipOff = 1 };
enum : uint64_t { gsCut1024 = 0, gsCut512 = 1, gsCut256 = 2, gsCut128 = 3 };

uint64_t cutMode(uint32_t maxVertices) {
  if (maxVertices <= 128)
    return gsCut128;
  if (maxVertices <= 256)
    return gsCut256;
  return maxVertices <= 512 ? gsCut512 : gsCut1024;
}

void writePrimitiveType(Module &module, const PipelineState &state, const GeometryLayout &layout) {
  constexpr StringLiteral names[] = {"PointList", "LineStrip", "TriStrip"};
  StringRef name = names[static_cast<unsigned>(state.graphics.geometry.output)];
  setGraphics(module, key::vgtGsOutPrimType, key::outprimType, name);
  constexpr StringLiteral fields[] = {key::outprimType1, key::outprimType2, key::outprimType3};
  for (unsigned i = 1; i < gsStreamCount; ++i)
    if (!layout.plan.ngg && layout.streams[i].active)
      setGraphics(module, key::vgtGsOutPrimType, fields[i - 1], name);
  setRegister(module, {key::gsOutputsLines},
              uint64_t(state.graphics.geometry.output == OutputTopology::Lines));
}

/// The ring between geometry and copy shader: streams one after the other.
void writeRing(Module &module, const GeometryLayout &layout) {
  auto element = [](unsigned i) { return "[" + std::to_string(i) + "]"; };
  uint64_t offset = 0;
  for (unsigned i = 0; i < gsStreamCount; ++i) {
    const GsStream &stream = layout.streams[i];
    bool counts = layout.plan.ngg ? i == layout.rasterStream : true;
    uint64_t dwords = counts ? stream.fields.size() : 0;
    setRegister(module, {key::graphicsRegisters, key::vgtGsVertItemsize, element(i)}, dwords);
    offset += dwords * layout.maxVertices;
    if (!layout.plan.ngg && i < 3)
      setRegister(module, {key::graphicsRegisters, key::vgtGsvsRingOffset, element(i)}, offset);
  }
  if (layout.plan.ngg)
    offset = uint64_t(layout.subgroup.streams[layout.rasterStream].slotDwords) * layout.maxVertices;
  setGraphics(module, key::vgtGsvsRingItemsize, std::max<uint64_t>(offset, 1));
}

void writeSubgroup(Module &module, const PipelineState &state, const GeometryLayout &layout) {
  const GsSubgroup &group = layout.subgroup;
  uint32_t invocations = std::max(state.graphics.geometry.invocations, 1u);
  // Also of invocations with subgroups of their own, whose vertices alone are the subgroup's.
  uint64_t instancePrims = uint64_t(group.gsPrims) * invocations;
  uint64_t subgroupPrims = uint64_t(group.gsPrims) * group.invocations;
  setGraphics(module, key::vgtGsOnchipCntl, key::esVertsPerSubgroup, uint64_t(group.esVerts));
  setGraphics(module, key::vgtGsOnchipCntl, key::gsPrimsPerSubgroup, uint64_t(group.gsPrims));
  setGraphics(module, key::vgtGsOnchipCntl, key::gsInstPrimsPerSubgrp, instancePrims);
  if (layout.plan.ngg) {
    // As many primitives as vertices: those that a vertex does not complete are null.
    setGraphics(module, key::geNggSubgrpCntl, key::primAmpFactor, uint64_t(layout.maxVertices));
    setGraphics(module, key::geNggSubgrpCntl, key::threadsPerSubgroup, uint64_t(nggThreadsMax));
    setRegister(module, {key::nggSubgroupSize}, uint64_t(std::max(group.esVerts, group.gsPrims)));
  }
  setGraphics(module, key::maxVertsPerSubgroup,
              std::min<uint64_t>(subgroupPrims * layout.maxVertices, nggThreadsMax));
  if (invocations > 1 || layout.usesInvocationId || group.perInvocation) {
    setGraphics(module, key::vgtGsInstanceCnt, key::enable, uint64_t(1));
    setGraphics(module, key::vgtGsInstanceCnt, key::count, uint64_t(invocations));
    setGraphics(module, key::vgtGsInstanceCnt, key::enMaxVertOutPerGsInstance,
                uint64_t(group.perInvocation));
  }
}

} // namespace

void writeGeometryRegisters(Module &module, const PipelineState &state,
                            const GeometryLayout &layout) {
  setGraphics(module, key::vgtGsMaxVertOut, uint64_t(layout.maxVertices));
  setGraphics(module, key::vgtGsMode, key::mode, gsScenarioG);
  setGraphics(module, key::vgtGsMode, key::onchip, gsOnchipOff);
  setGraphics(module, key::vgtGsMode, key::esWriteOptimize, uint64_t(0));
  setGraphics(module, key::vgtGsMode, key::gsWriteOptimize, uint64_t(1));
  if (!layout.plan.ngg)
    setGraphics(module, key::vgtGsMode, key::cutMode, cutMode(layout.maxVertices));
  constexpr uint64_t gsThreadsPerVsThread = 2;
  setGraphics(module, key::vgtGsPerVs, gsThreadsPerVsThread);
  if (layout.usesPrimitiveId)
    setGraphics(module, key::vgtPrimitiveIdEn, uint64_t(1));
  setGraphics(module, key::vgtEsgsRingItemsize, uint64_t(layout.input.itemDwords));
  setRegister(module, {key::esGsLdsSize}, uint64_t(layout.subgroup.esGsDwords) * 4);
  writePrimitiveType(module, state, layout);
  writeRing(module, layout);
  writeSubgroup(module, state, layout);
}

} // namespace lgc
