//===- HullWave.cpp - registers of merged vertex and control waves ---------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/HullWave.h"
#include "pal_shim/device/core/Launch.h"
#include "llvm/ADT/bit.h"
#include <optional>

using namespace llvm;

namespace pal::device {

static constexpr unsigned firstUserSgpr = 8;

namespace {

// By the numbers of VGT_TF_PARAM's fields.
constexpr TessellationDomain domainNumbers[] = {
    TessellationDomain::Isolines, TessellationDomain::Triangles, TessellationDomain::Quads};
constexpr std::optional<TessellationSpacing> spacingNumbers[] = {
    TessellationSpacing::Equal, std::nullopt /* powers of two: not in Vulkan */,
    TessellationSpacing::FractionalOdd, TessellationSpacing::FractionalEven};
constexpr TessellationOutput outputNumbers[] = {
    TessellationOutput::Points, TessellationOutput::Lines, TessellationOutput::ClockwiseTriangles,
    TessellationOutput::OtherTriangles};

struct FactorLayout {
  unsigned outer, inner;
};
constexpr FactorLayout layouts[] = {{2, 0}, {3, 1}, {4, 2}}; // by domain

const FactorLayout &layoutOf(TessellationDomain domain) {
  return layouts[static_cast<size_t>(domain)];
}

} // namespace

HullRegisters registersOfDraw(HullRegisters registers, unsigned points) {
  if (registers.inputVertices || !points)
    return registers;
  registers.inputVertices = points;
  registers.patches = std::min(registers.patches,
                               maxHullThreads / std::max({points, registers.outputVertices, 1u}));
  return registers;
}

Expected<TessellationMode> modeOf(const HullRegisters &registers) {
  auto refuse = [](const Twine &field, uint32_t value) {
    return make_error<DeviceFault>(
        DeviceFault::Kind::BadLaunch,
        ("tessellation: " + field + " is " + Twine(value) + ", which is not executed").str());
  };
  if (registers.domain >= std::size(domainNumbers))
    return refuse(".vgt_tf_param.type", registers.domain);
  if (registers.partitioning >= std::size(spacingNumbers) ||
      !spacingNumbers[registers.partitioning])
    return refuse(".vgt_tf_param.partitioning", registers.partitioning);
  TessellationMode mode;
  mode.domain = domainNumbers[registers.domain];
  mode.spacing = *spacingNumbers[registers.partitioning];
  bool lines = mode.domain == TessellationDomain::Isolines;
  if (registers.topology >= std::size(outputNumbers))
    return refuse(".vgt_tf_param.topology", registers.topology);
  mode.output = outputNumbers[registers.topology];
  if (mode.output != TessellationOutput::Points &&
      lines != (mode.output == TessellationOutput::Lines))
    return refuse(".vgt_tf_param.topology", registers.topology);
  if (registers.minLevel > 1) // levels below 1 are as good as 1
    return refuse(".vgt_hos_min_tess_level", registers.minLevel);
  if (registers.maxLevel != maxTessellationLevel)
    return refuse(".vgt_hos_max_tess_level", registers.maxLevel);
  for (unsigned count : {registers.inputVertices, registers.outputVertices})
    if (count == 0 || count > maxControlPoints)
      return refuse("the number of control points", count);
  unsigned most = std::max(registers.inputVertices, registers.outputVertices);
  if (registers.patches == 0 || registers.patches > maxHullThreads / most)
    return refuse(".vgt_ls_hs_config.num_patches", registers.patches);
  return mode;
}

unsigned factorDwords(TessellationDomain domain) {
  return layoutOf(domain).outer + layoutOf(domain).inner;
}

TessellationLevels levelsOf(TessellationDomain domain, ArrayRef<uint32_t> words) {
  const FactorLayout &layout = layoutOf(domain);
  TessellationLevels levels;
  for (unsigned k = 0; k < layout.outer; ++k)
    levels.outer[k] = llvm::bit_cast<float>(words[k]);
  for (unsigned k = 0; k < layout.inner; ++k)
    levels.inner[k] = llvm::bit_cast<float>(words[layout.outer + k]);
  if (domain == TessellationDomain::Isolines)
    std::swap(levels.outer[0], levels.outer[1]);
  return levels;
}

unsigned HullGroup::waves(unsigned waveSize) const {
  unsigned threads = patches() * std::max(registers.inputVertices, registers.outputVertices);
  return (threads + waveSize - 1) / waveSize;
}

std::optional<DrawInvocation::Primitive> HullGroup::controlPoint(size_t number) const {
  const size_t patch = number / registers.outputVertices;
  if (patch >= patches())
    return std::nullopt;
  return DrawInvocation::Primitive{vertices[patch * registers.inputVertices].primitiveId,
                                   uint32_t(number % registers.outputVertices)};
}

void HullGroup::fill(Wave &wave, unsigned index) const {
  unsigned first = index * wave.lanes;
  auto own = [&](unsigned count) { return std::clamp(count, first, first + wave.lanes) - first; };
  unsigned vertexLanes = own(unsigned(vertices.size()));
  unsigned controlLanes = own(patches() * registers.outputVertices);
  wave.s[2] = offChipBase;
  wave.s[3] = vertexLanes | controlLanes << 8 | index << 24;
  wave.s[4] = factorBase;
  if (isGfx10(wave.generation))
    wave.s[5] = 0; // scratch is the wave's own
  else if (registers.loadsWaveNumber)
    wave.s[5] = index;
  std::copy(userSgprs.begin(), userSgprs.end(), wave.s + firstUserSgpr);
  for (unsigned lane = 0; lane < controlLanes; ++lane) {
    unsigned patch = (first + lane) / registers.outputVertices;
    unsigned invocation = (first + lane) % registers.outputVertices;
    wave.v[0].lane[lane] = vertices[size_t(patch) * registers.inputVertices].primitiveId;
    wave.v[1].lane[lane] = patch | invocation << 8;
  }
  for (unsigned lane = 0; lane < vertexLanes; ++lane) {
    const VertexGroup::Vertex &vertex = vertices[first + lane];
    const uint32_t older[] = {vertex.id, first + lane, 0, vertex.instance};
    const uint32_t newer[] = {vertex.id, vertex.instance};
    ArrayRef<uint32_t> values = isGfx12(wave.generation) ? ArrayRef(newer) : ArrayRef(older);
    for (unsigned i = 0; i < values.size() && i <= registers.vertexInputs; ++i)
      wave.v[2 + i].lane[lane] = values[i];
  }
}

} // namespace pal::device
