//===- VertexPort.cpp - what the waves of the last geometry stage export ---===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/VertexPort.h"
#include "pal_shim/device/graphics/StreamOutUnit.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace pal::device {

namespace {

// Export targets. RDNA ISA manuals, "Export targets".
constexpr unsigned targetNull = 9, targetPosition0 = 12, positionTargets = 5, targetPrimitive = 20,
                   targetParameter0 = 32, parameterTargets = 32;
constexpr unsigned messageGsAllocReq = 9;
constexpr uint32_t emptyPrimitive = 1u << 31;

uint32_t valueOf(const ExportData &data, unsigned component, unsigned lane) {
  return data.data[component]->lane[lane];
}

template <class Visit> void eachLane(uint64_t exec, Visit visit) {
  for (; exec; exec &= exec - 1)
    visit(unsigned(llvm::countr_zero(exec)));
}

/// The vector behind the position that holds point size, shading rate, layer and viewport.
void takeMiscVector(const VertexRegisters &registers, const ExportData &data, unsigned lane,
                    VertexOutput &vertex) {
  if (registers.hasPointSize && data.data[0])
    vertex.pointSize = llvm::bit_cast<float>(valueOf(data, 0, lane));
  if (registers.hasRate && data.data[1])
    vertex.shadingRate = valueOf(data, 1, lane) >> 2 & 0xF; // HW: bits 5:2
  // HW: layer in bits 12:0 (gfx10: 10:0, the others are 0), viewport in bits 19:16.
  if (registers.hasLayer && data.data[2])
    vertex.layer = valueOf(data, 2, lane) & 0x1FFF;
  if (registers.hasViewport && data.data[2])
    vertex.viewport = valueOf(data, 2, lane) >> 16 & 0xF;
}

} // namespace

void VertexPort::begin(unsigned vertexCount, unsigned primitiveCount, bool newIsNgg) {
  isNgg = newIsNgg;
  vertices.assign(vertexCount, {});
  hasPosition.assign(vertexCount, false);
  attributes.assign(isGfx10(generation) ? size_t(vertexCount) * registers.attributeCount : 0, {});
  primitives.assign(primitiveCount, {});
  primitiveAttributes.clear();
  hasAllocated = isOpen = isMesh = false;
}

void VertexPort::beginOpen(unsigned lanes) {
  begin(lanes, lanes, /*newIsNgg=*/true);
  isOpen = true;
}

void VertexPort::beginMesh(unsigned vertexCount, unsigned primitiveCount) {
  begin(vertexCount, primitiveCount, /*newIsNgg=*/true);
  isOpen = isMesh = true;
  if (isGfx10(generation))
    primitiveAttributes.resize(size_t(primitiveCount) * registers.primitiveAttributeCount);
}

bool VertexPort::close(std::string &what) {
  auto beyond = [&](const char *kind, size_t index) {
    what = "exports " + std::string(kind) + " " + std::to_string(index) +
           ", which it did not allocate";
    return false;
  };
  for (size_t i = allocatedVertices; i < vertices.size(); ++i)
    if (hasPosition[i])
      return beyond("vertex", i);
  for (size_t i = allocatedPrimitives; i < primitives.size(); ++i)
    if (primitives[i].exported)
      return beyond("primitive", i);
  vertices.resize(allocatedVertices);
  hasPosition.resize(allocatedVertices);
  if (!attributes.empty())
    attributes.resize(size_t(allocatedVertices) * registers.attributeCount);
  primitives.resize(allocatedPrimitives);
  if (!primitiveAttributes.empty())
    primitiveAttributes.resize(size_t(allocatedPrimitives) * registers.primitiveAttributeCount);
  return true;
}

bool VertexPort::place(Wave &wave, const ExportData &data, unsigned lane, size_t count,
                       const char *what, uint64_t &index) {
  index = uint64_t(data.hasRow ? data.row : wave.index) * wave.lanes + lane;
  if (index < count)
    return true;
  wave.fault(DeviceFault::Kind::BadInstruction,
             Twine("export of ") + what + " " + Twine(index) + ", the group has " + Twine(count),
             int(lane));
  return false;
}

/// Positions have numbers without gaps: position, misc vector, distances 0..3, distances 4..7, as
/// PA_CL_VS_OUT_CNTL enables them.
void VertexPort::exportPosition(Wave &wave, const ExportData &data, unsigned number) {
  unsigned vectorNumber = number;
  if (number && !registers.hasMiscVector)
    ++vectorNumber;
  if (vectorNumber > 1 && !registers.hasDistances0)
    ++vectorNumber;
  bool known = vectorNumber == 0 || (vectorNumber == 1 && registers.hasMiscVector) ||
               (vectorNumber == 2 && registers.hasDistances0) ||
               (vectorNumber == 3 && registers.hasDistances1);
  if (!known)
    return wave.fault(DeviceFault::Kind::BadInstruction,
                      "position export " + Twine(number) + ", which no register enables");
  eachLane(data.exec, [&](unsigned lane) {
    uint64_t index;
    if (!place(wave, data, lane, vertices.size(), "vertex", index))
      return;
    VertexOutput &vertex = vertices[index];
    if (vectorNumber == 1)
      return takeMiscVector(registers, data, lane, vertex);
    float *values =
        vectorNumber == 0 ? vertex.position.data() : &vertex.distances[(vectorNumber - 2) * 4];
    for (unsigned i = 0; i < 4; ++i)
      if (data.data[i])
        values[i] = llvm::bit_cast<float>(valueOf(data, i, lane));
    if (vectorNumber == 0)
      hasPosition[index] = true;
  });
}

/// Attributes of primitives (mesh) stand behind those of vertices, and lanes are primitives then.
void VertexPort::exportParameter(Wave &wave, const ExportData &data, unsigned number) {
  unsigned count = registers.attributeCount;
  bool isPrimitive = isMesh && number >= count;
  unsigned all = count + (isMesh ? registers.primitiveAttributeCount : 0);
  if (number >= all)
    return wave.fault(DeviceFault::Kind::BadInstruction,
                      "export of attribute " + Twine(number) + ", there are " + Twine(all));
  eachLane(data.exec, [&](unsigned lane) {
    uint64_t index;
    if (!place(wave, data, lane, isPrimitive ? primitives.size() : vertices.size(),
               isPrimitive ? "primitive" : "vertex", index))
      return;
    Attribute &attribute =
        isPrimitive
            ? primitiveAttributes[index * registers.primitiveAttributeCount + number - count]
            : attributes[index * count + number];
    for (unsigned i = 0; i < 4; ++i)
      if (data.data[i])
        attribute[i] = valueOf(data, i, lane);
  });
}

/// HW(gfx10, gfx11): vertices in bits 8:0, 18:10, 28:20, gfx12 in 7:0, 16:9, 25:18; edge flags lie
/// between, and mean nothing as PA_CL_VS_OUT_CNTL does not use them. Bit 31: no primitive.
void VertexPort::exportPrimitive(Wave &wave, const ExportData &data) {
  if (!data.data[0])
    return;
  unsigned bits = isGfx12(generation) ? 8 : 9;
  eachLane(data.exec, [&](unsigned lane) {
    uint64_t index;
    if (!place(wave, data, lane, primitives.size(), "primitive", index))
      return;
    uint32_t word = valueOf(data, 0, lane);
    Primitive &primitive = primitives[index];
    primitive.exported = true;
    primitive.culled = (word & emptyPrimitive) != 0;
    if (isMesh && data.data[1])
      primitive.payload = valueOf(data, 1, lane);
    for (unsigned i = 0; i < 3; ++i)
      primitive.vertices[i] = uint16_t(word >> (i * (bits + 1)) & ((1u << bits) - 1));
  });
}

void VertexPort::exportData(Wave &wave, const ExportData &data) {
  unsigned target = data.target;
  if (data.compressed)
    return wave.fault(DeviceFault::Kind::BadInstruction, "compressed export of a geometry stage");
  if (data.hasRow && !isMesh)
    return wave.fault(DeviceFault::Kind::BadInstruction,
                      "export of row " + Twine(data.row) + " outside of a mesh shader");
  if (target == targetNull)
    return;
  if (target >= targetPosition0 && target < targetPosition0 + positionTargets)
    return exportPosition(wave, data, target - targetPosition0);
  if (target == targetPrimitive && isNgg)
    return exportPrimitive(wave, data);
  bool hasParameters = isGfx10(generation);
  if (hasParameters && target >= targetParameter0 && target < targetParameter0 + parameterTargets)
    return exportParameter(wave, data, target - targetParameter0);
  wave.fault(DeviceFault::Kind::BadInstruction,
             "export to target " + Twine(target) + ", which this stage does not have");
}

void VertexPort::message(Wave &wave, unsigned message, uint32_t m0) {
  if (!isNgg || message != messageGsAllocReq)
    return wave.fault(DeviceFault::Kind::BadInstruction,
                      "message " + Twine(message) + ", which nobody receives");
  unsigned vertexCount = m0 & 0x7FF, primitiveCount = m0 >> 12 & 0x7FF;
  if (hasAllocated)
    return wave.fault(DeviceFault::Kind::BadInstruction, "export space is allocated twice");
  // Without a geometry shader, a subgroup that is not compacted leaves as it came.
  bool isPossible = isOpen ? vertexCount <= vertices.size() && primitiveCount <= primitives.size()
                           : vertexCount == vertices.size() && primitiveCount == primitives.size();
  if (!isPossible)
    return wave.fault(DeviceFault::Kind::BadInstruction,
                      "export space for " + Twine(vertexCount) + " vertices and " +
                          Twine(primitiveCount) + " primitives, the group has " +
                          Twine(vertices.size()) + " and " + Twine(primitives.size()));
  hasAllocated = true;
  allocatedVertices = vertexCount;
  allocatedPrimitives = primitiveCount;
}

void VertexPort::loadParameter(Wave &wave, unsigned, unsigned, ParameterRow *) {
  wave.fault(DeviceFault::Kind::BadInstruction, "parameters outside a fragment shader");
}

uint32_t VertexPort::addToCounter(Wave &wave, const CounterAccess &access) {
  return streamOut ? streamOut->addToCounter(wave, access) : StagePort::addToCounter(wave, access);
}

} // namespace pal::device
