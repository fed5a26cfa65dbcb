//===- NggVertexStage.cpp - primitive shaders without a geometry shader ----===//
// SPDX-License-Identifier: MIT
/// \file
/// Subgroups of vertices and primitives: lane l of wave w starts with vertex and primitive
/// w * wave size + l. Registers at the start (docs/hw-notes.md, "What graphics waves start with"):
///   s2   ordered id [11:0], vertices [20:12], primitives [30:22] of the subgroup
///   s3   vertices [7:0], primitives [15:8] of the wave, its number [27:24]
///   s5   gfx10: scratch offset; gfx11 and later: base of the attribute ring, 512 bytes
///   s8.. user data
///   VGPRs of the primitive, then of the vertex, in fixed places, see fillLane
///   EXEC means nothing: all lanes here
/// The driver's part is the attribute ring; the device reads it when the subgroup has ended.
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/device/graphics/VertexStage.h"

using namespace llvm;

namespace pal::device {

namespace {

constexpr unsigned maxGroupVertices = 256, maxGroupPrimitives = 256;
constexpr unsigned firstUserSgpr = 8;
/// Groups take turns in parts of the ring that begin at these multiples of 512 bytes, so that a
/// shader which ignores the base shows.
constexpr unsigned ringBases = 4, ringUnit = 512;
/// The ring's layout: 16 bytes an attribute, blocks of 32 vertices.
constexpr unsigned attributeBytes = 16, blockVertices = 32;

unsigned attributesOf(const VertexRegisters &registers) {
  return registers.attributeCount + registers.primitiveAttributeCount;
}

class NggVertexStage : public VertexStage {
public:
  NggVertexStage(const GeometrySetup &setup, const GraphicsStage &stage,
                 const VertexGroup::Limits &limits, std::vector<uint32_t> userSgprs);

private:
  bool isNgg() const override { return true; }
  Error runGroup() override;
  Error appendAttributes(GeometryOutput &output) override;
  void fill(Wave &wave, unsigned index) const;
  void fillPrimitive(Wave &wave, unsigned lane, const VertexGroup::Primitive &primitive) const;
  void fillVertex(Wave &wave, unsigned lane, const VertexGroup::Vertex &vertex) const;
  bool hasRing() const { return !isGfx10(stage.data.generation); }
  uint32_t ringBase() const { return groupNumber % ringBases; }
  uint32_t *ring() const {
    return reinterpret_cast<uint32_t *>(setup.tables->host +
                                        (attributeRingAddress() - setup.tables->address) +
                                        ringBase() * ringUnit);
  }

  bool isPassthrough, needsMessage;
  uint32_t itemSize; ///< what vertex numbers are multiplied by, without pass-through
};

NggVertexStage::NggVertexStage(const GeometrySetup &setup, const GraphicsStage &stage,
                               const VertexGroup::Limits &limits, std::vector<uint32_t> userSgprs)
    : VertexStage(setup, stage, limits, std::move(userSgprs)) {
  const abi::PipelineMetadata &metadata = setup.program.graphics->metadata;
  isPassthrough = registers.isPassthrough;
  needsMessage =
      !metadata.graphicsNumber({abi::key::vgtShaderStagesEn, abi::key::primgenPassthruNoMsg})
           .value_or(0);
  itemSize = uint32_t(metadata.graphicsNumber({abi::key::vgtEsgsRingItemsize}).value_or(0));
}

void NggVertexStage::fillPrimitive(Wave &wave, unsigned lane,
                                   const VertexGroup::Primitive &primitive) const {
  const std::array<uint16_t, 3> &v = primitive.vertices;
  if (isGfx12(wave.generation)) {
    // 8 bits of a vertex and an edge flag each, then the instance of a geometry shader.
    constexpr uint32_t edges = 1u << 8 | 1u << 17 | 1u << 26;
    wave.v[0].lane[lane] = v[0] | v[1] << 9 | v[2] << 18 | edges;
    wave.v[1].lane[lane] = primitive.id;
    return;
  }
  if (isPassthrough) {
    constexpr uint32_t edges = 1u << 9 | 1u << 19 | 1u << 29;
    wave.v[0].lane[lane] = v[0] | v[1] << 10 | v[2] << 20 | edges;
  } else {
    wave.v[0].lane[lane] = v[0] * itemSize | v[1] * itemSize << 16;
    wave.v[1].lane[lane] = v[2] * itemSize;
  }
  wave.v[2].lane[lane] = primitive.id;
  wave.v[3].lane[lane] = 0; // instance of a geometry shader
}

void NggVertexStage::fillVertex(Wave &wave, unsigned lane,
                                const VertexGroup::Vertex &vertex) const {
  bool isPacked = isGfx12(wave.generation);
  wave.v[isPacked ? 3 : 5].lane[lane] = vertex.id;
  wave.v[isPacked ? 4 : 8].lane[lane] = vertex.instance;
}

void NggVertexStage::fill(Wave &wave, unsigned index) const {
  ArrayRef<VertexGroup::Vertex> vertices = group.vertices();
  ArrayRef<VertexGroup::Primitive> primitives = group.primitives();
  size_t first = size_t(index) * wave.lanes;
  auto own = [&](size_t count) {
    return uint32_t(std::clamp<size_t>(count, first, first + wave.lanes) - first);
  };
  uint32_t vertexLanes = own(vertices.size()), primitiveLanes = own(primitives.size());
  wave.s[2] =
      (groupNumber & 0xFFF) | uint32_t(vertices.size()) << 12 | uint32_t(primitives.size()) << 22;
  wave.s[3] = vertexLanes | primitiveLanes << 8 | index << 24;
  wave.s[5] = hasRing() ? ringBase() : 0;
  std::copy(userSgprs.begin(), userSgprs.end(), wave.s + firstUserSgpr);
  for (unsigned lane = 0; lane < primitiveLanes; ++lane)
    fillPrimitive(wave, lane, primitives[first + lane]);
  for (unsigned lane = 0; lane < vertexLanes; ++lane)
    fillVertex(wave, lane, vertices[first + lane]);
}

Error NggVertexStage::runGroup() {
  StageLaunch launch;
  size_t lanes = std::max(group.vertices().size(), group.primitives().size());
  unsigned waveSize = stage.data.launch.waveSize;
  launch.waves = unsigned((lanes + waveSize - 1) / waveSize);
  launch.ldsBytes = stage.data.launch.ldsBytes;
  if (hasRing() && registers.attributeCount) {
    size_t blocks = (group.vertices().size() + blockVertices - 1) / blockVertices;
    size_t dwords = blocks * blockVertices * attributesOf(registers) * attributeBytes / 4;
    std::fill_n(ring(), dwords, setup.context.options.poison ? poisonPattern : 0);
  }
  auto fillWave = [&](Wave &wave, unsigned index) { fill(wave, index); };
  launch.fill = fillWave;
  if (Error error = this->launch(launch))
    return error;
  if (needsMessage && !port.hasAllocated)
    return make_error<DeviceFault>(DeviceFault::Kind::BadInstruction,
                                   "kernel '" + stage.data.name + "', group " +
                                       std::to_string(groupNumber) +
                                       ": no wave has allocated export space");
  return Error::success();
}

Error NggVertexStage::appendAttributes(GeometryOutput &output) {
  if (!hasRing()) {
    output.attributes.insert(output.attributes.end(), port.attributes.begin(),
                             port.attributes.end());
    return Error::success();
  }
  if (!registers.attributeCount)
    return Error::success();
  const uint32_t *base = ring();
  constexpr unsigned attributeDwords = attributeBytes / 4;
  for (unsigned vertex = 0; vertex < group.vertices().size(); ++vertex) {
    const uint32_t *block =
        base + vertex / blockVertices * blockVertices * attributesOf(registers) * attributeDwords;
    for (unsigned attribute = 0; attribute < registers.attributeCount; ++attribute) {
      const uint32_t *place =
          block + (attribute * blockVertices + vertex % blockVertices) * attributeDwords;
      output.attributes.push_back({place[0], place[1], place[2], place[3]});
    }
  }
  return Error::success();
}

} // namespace

uint32_t attributeRingBytes(const LoadedProgram &program) {
  const GraphicsStage *stage = program.graphics->stage(abi::HardwareStage::Gs);
  if (!stage || isGfx10(stage->data.generation))
    return 0;
  unsigned attributes = attributesOf(program.graphics->vertex);
  return attributes ? maxGroupVertices * attributes * attributeBytes + ringBases * ringUnit : 0;
}

Expected<std::unique_ptr<GeometryStage>> createNggVertexStage(const GeometrySetup &setup) {
  const GraphicsProgram &program = *setup.program.graphics;
  const GraphicsStage &stage = *program.stage(abi::HardwareStage::Gs);
  Expected<std::vector<uint32_t>> sgprs = resolveUserData(stage.data.launch, setup.userData);
  if (!sgprs)
    return sgprs.takeError();
  auto limit = [&](StringRef name, unsigned most) {
    uint64_t value = program.metadata.graphicsNumber({abi::key::vgtGsOnchipCntl, name}).value_or(0);
    return unsigned(std::min<uint64_t>(value, most));
  };
  VertexGroup::Limits limits = commonLimits(setup);
  limits.vertices = limit(abi::key::esVertsPerSubgroup, maxGroupVertices);
  limits.primitives = limit(abi::key::gsPrimsPerSubgroup, maxGroupPrimitives);
  return std::unique_ptr<GeometryStage>(
      new NggVertexStage(setup, stage, limits, std::move(*sgprs)));
}

} // namespace pal::device
