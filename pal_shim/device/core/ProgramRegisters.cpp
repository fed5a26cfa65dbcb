//===- ProgramRegisters.cpp - registers of metadata, decoded ---------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/ProgramRegisters.h"
#include "pal_shim/abi/AbiNames.h"
#include <algorithm>

using namespace llvm;

namespace pal::device {

namespace key = abi::key;

namespace {

/// Numbers and bits of `.graphics_registers`.
class Registers {
public:
  explicit Registers(abi::PipelineMetadata &metadata)
      : metadata(metadata), pipeline(metadata.pipelineMap()) {}
  uint32_t get(StringRef name) const { return number({name}); }
  uint32_t get(StringRef name, StringRef field) const { return number({name, field}); }
  uint32_t element(StringRef name, unsigned index, StringRef field) const {
    std::string place = "[" + std::to_string(index) + "]";
    return number({name, place, field});
  }
  uint32_t element(StringRef name, unsigned index) const {
    std::string place = "[" + std::to_string(index) + "]";
    return number({name, place});
  }
  /// Of an array in the pipeline's map.
  uint32_t arrayElement(StringRef name, unsigned index) const {
    msgpack::DocNode *node = abi::lookup(pipeline, name);
    if (!node || !node->isArray() || index >= node->getArray().size())
      return 0;
    return uint32_t(abi::asUInt(node->getArray()[index]).value_or(0));
  }
  /// Number of the string in \p names; 0 when it is missing or another one.
  uint8_t choice(ArrayRef<StringRef> path, ArrayRef<StringLiteral> names) const {
    std::optional<msgpack::DocNode> node = metadata.graphicsNode(path);
    if (!node || !node->isString())
      return 0;
    const auto *found = llvm::find(names, node->getString());
    return found == names.end() ? 0 : uint8_t(found - names.begin());
  }
  /// A key of the pipeline's map.
  bool isSet(StringRef name) const {
    msgpack::DocNode *node = abi::lookup(pipeline, name);
    return node && abi::asBool(*node).value_or(false);
  }
  /// A number of the pipeline's map; 0 when it is missing.
  uint32_t pipelineNumber(StringRef name) const {
    msgpack::DocNode *node = abi::lookup(pipeline, name);
    return node ? uint32_t(abi::asUInt(*node).value_or(0)) : 0;
  }
  bool has(StringRef name) const { return metadata.graphicsNode({name}).has_value(); }
  /// Bit i: the field `prefix` followed by i.
  uint8_t mask(StringRef name, StringRef prefix) const {
    unsigned bits = 0;
    for (unsigned i = 0; i < 8; ++i) {
      std::string field = (prefix + Twine(i)).str();
      bits |= unsigned(get(name, field) != 0) << i;
    }
    return uint8_t(bits);
  }
  /// Bit i: field i of \p fields.
  uint32_t bits(StringRef name, ArrayRef<StringLiteral> fields) const {
    uint32_t result = 0;
    for (unsigned i = 0; i < fields.size(); ++i)
      result |= uint32_t(get(name, fields[i]) != 0) << i;
    return result;
  }

private:
  uint32_t number(ArrayRef<StringRef> path) const {
    return uint32_t(metadata.graphicsNumber(path).value_or(0));
  }

  const abi::PipelineMetadata &metadata;
  msgpack::MapDocNode pipeline;
};

/// The order of the bits of SPI_PS_INPUT_ENA and _ADDR.
constexpr StringLiteral inputBits[] = {
    key::perspSampleEna,  key::perspCenterEna,  key::perspCentroidEna,  key::perspPullModelEna,
    key::linearSampleEna, key::linearCenterEna, key::linearCentroidEna, key::lineStippleTexEna,
    key::posXFloatEna,    key::posYFloatEna,    key::posZFloatEna,      key::posWFloatEna,
    key::frontFaceEna,    key::ancillaryEna,    key::sampleCoverageEna, key::posFixedPtEna};

// In the order of the hardware's numbers.
constexpr StringLiteral pointSpriteNames[] = {"Zero", "One", "S", "T", "None"};
constexpr StringLiteral coverageNames[] = {"InputCoverage", "InputInnerCoverage",
                                           "InputDepthCoverage", "Raw"};

constexpr StringLiteral primitiveNames[] = {"PointList", "LineStrip", "TriStrip"};

AttributeControl decodeAttribute(const Registers &registers, unsigned index) {
  auto field = [&](StringRef name) { return registers.element(key::spiPsInputCntl, index, name); };
  AttributeControl control;
  control.offset = uint8_t(field(key::offset));
  control.defaultValue = uint8_t(field(key::defaultVal));
  control.flat = field(key::flatShade);
  control.rotate = field(key::rotatePcPtr);
  control.isPointCoord = field(key::ptSpriteTex);
  control.isPrimitive = field(key::primAttr);
  control.fp16 = field(key::fp16InterpMode);
  control.attr0Valid = field(key::attr0Valid);
  control.attr1Valid = field(key::attr1Valid);
  return control;
}

void decodeColors(const Registers &registers, FragmentRegisters &fragment) {
  constexpr StringLiteral formats[] = {
      key::col0ExportFormat, key::col1ExportFormat, key::col2ExportFormat, key::col3ExportFormat,
      key::col4ExportFormat, key::col5ExportFormat, key::col6ExportFormat, key::col7ExportFormat};
  constexpr StringLiteral masks[] = {key::output0Enable, key::output1Enable, key::output2Enable,
                                     key::output3Enable, key::output4Enable, key::output5Enable,
                                     key::output6Enable, key::output7Enable};
  for (unsigned i = 0; i < 8; ++i) {
    fragment.colorFormats[i] = ExportFormat(registers.get(key::spiShaderColFormat, formats[i]));
    fragment.colorMask |= (registers.get(key::cbShaderMask, masks[i]) & 0xF) << (4 * i);
  }
  fragment.depthFormat = ExportFormat(registers.get(key::spiShaderZFormat));
}

void decodeDepthControl(const Registers &registers, FragmentRegisters &fragment) {
  auto field = [&](StringRef name) { return registers.get(key::dbShaderControl, name); };
  fragment.zOrder = uint8_t(field(key::zOrder));
  fragment.killEnable = field(key::killEnable);
  fragment.zExport = field(key::zExportEnable);
  fragment.stencilExport = field(key::stencilTestValExportEnable);
  fragment.maskExport = field(key::maskExportEnable);
  fragment.execOnNoop = field(key::execOnNoop);
  fragment.execOnHierFail = field(key::execOnHierFail);
  fragment.depthBeforeShader = field(key::depthBeforeShader);
  fragment.alphaToMaskDisable = field(key::alphaToMaskDisable);
  fragment.conservativeZ = uint8_t(field(key::conservativeZExport));
  fragment.preShaderDepthCoverage = field(key::preShaderDepthCoverageEnable);
  fragment.primitiveOrdered = field(key::primitiveOrderedPixelShader);
}

void decodeInterpolation(const Registers &registers, FragmentRegisters &fragment) {
  fragment.attributeCount = std::min(registers.get(key::spiPsInControl, key::numInterps), 32u);
  fragment.primitiveAttributeCount =
      std::min(registers.get(key::spiPsInControl, key::numPrimInterp), 32u);
  for (unsigned i = 0; i < fragment.attributes.size(); ++i)
    fragment.attributes[i] = decodeAttribute(registers, i);
  fragment.pointSpriteEnable = registers.get(key::spiInterpControl, key::pointSpriteEna);
  constexpr StringLiteral overrides[] = {key::pointSpriteOverrideX, key::pointSpriteOverrideY,
                                         key::pointSpriteOverrideZ, key::pointSpriteOverrideW};
  for (unsigned i = 0; i < 4; ++i)
    fragment.pointSprite[i] =
        PointSprite(registers.choice({key::spiInterpControl, overrides[i]}, pointSpriteNames));
  fragment.loadProvokingVertex = registers.get(key::psLoadProvokingVtx);
  fragment.loadCollisionWave = registers.get(key::paScShaderControl, key::loadCollisionWaveid);
}

} // namespace

VertexRegisters decodeVertexRegisters(abi::PipelineMetadata &metadata) {
  Registers registers(metadata);
  auto out = [&](StringRef name) { return registers.get(key::paClVsOutCntl, name) != 0; };
  VertexRegisters vertex;
  if (registers.has(key::spiVsOutConfig) && !registers.get(key::spiVsOutConfig, key::noPcExport))
    vertex.attributeCount = registers.get(key::spiVsOutConfig, key::vsExportCount) + 1;
  vertex.attributeCount = std::min(vertex.attributeCount, 32u);
  vertex.primitiveAttributeCount =
      std::min(registers.get(key::spiVsOutConfig, key::primExportCount), 32u);
  vertex.clipMask = registers.mask(key::paClVsOutCntl, ".clip_dist_ena_");
  vertex.cullMask = registers.mask(key::paClVsOutCntl, ".cull_dist_ena_");
  vertex.hasPointSize = out(key::useVtxPointSize);
  vertex.hasLayer = out(key::useVtxRenderTargetIndx);
  vertex.hasViewport = out(key::useVtxViewportIndx);
  vertex.hasRate = out(key::useVtxVrsRate);
  vertex.bypassVertexRate = out(key::bypassVtxRateCombiner);
  vertex.bypassPrimitiveRate = out(key::bypassPrimRateCombiner);
  vertex.hasMiscVector = out(key::vsOutMiscVecEna);
  vertex.hasDistances0 = out(key::vsOutCcDist0VecEna);
  vertex.hasDistances1 = out(key::vsOutCcDist1VecEna);
  vertex.isPassthrough = registers.get(key::vgtShaderStagesEn, key::primgenPassthruEn);
  vertex.primitiveIdEnable = registers.get(key::vgtPrimitiveIdEn);
  vertex.provokingReuseDisabled = registers.get(key::nggDisableProvokReuse);
  return vertex;
}

HullRegisters decodeHullRegisters(abi::PipelineMetadata &metadata) {
  Registers registers(metadata);
  HullRegisters hull;
  hull.domain = registers.get(key::vgtTfParam, key::type);
  hull.partitioning = registers.get(key::vgtTfParam, key::partitioning);
  hull.topology = registers.get(key::vgtTfParam, key::topology);
  hull.minLevel = registers.get(key::vgtHosMinTessLevel);
  hull.maxLevel = registers.get(key::vgtHosMaxTessLevel);
  hull.patches = registers.get(key::vgtLsHsConfig, key::numPatches);
  hull.inputVertices = registers.get(key::vgtLsHsConfig, key::hsNumInputCp);
  hull.outputVertices = registers.get(key::vgtLsHsConfig, key::hsNumOutputCp);
  hull.vertexInputs = registers.get(key::lsVgprCompCnt);
  hull.loadsWaveNumber = registers.get(key::hsTgSizeEn) != 0;
  return hull;
}

StreamOutRegisters decodeStreamOutRegisters(abi::PipelineMetadata &metadata) {
  Registers registers(metadata);
  constexpr StringLiteral offsets[] = {key::vsSoBase0En, key::vsSoBase1En, key::vsSoBase2En,
                                       key::vsSoBase3En};
  constexpr StringLiteral buffers[] = {key::stream0BufferEn, key::stream1BufferEn,
                                       key::stream2BufferEn, key::stream3BufferEn};
  constexpr StringLiteral enables[] = {key::streamout0En, key::streamout1En, key::streamout2En,
                                       key::streamout3En};
  StreamOutRegisters streamOut;
  streamOut.isEnabled = registers.get(key::vsStreamoutEn);
  for (unsigned i = 0; i < 4; ++i) {
    streamOut.strides[i] = registers.arrayElement(key::streamoutVertexStrides, i);
    streamOut.offsetsEnabled |= unsigned(registers.get(offsets[i]) != 0) << i;
    bool isEnabled = registers.get(key::vgtStrmoutConfig, enables[i]) != 0;
    streamOut.enabledStreams |= unsigned(isEnabled) << i;
    streamOut.buffersOfStream[i] = registers.get(key::vgtStrmoutBufferConfig, buffers[i]) & 0xF;
  }
  streamOut.rasterStream = registers.get(key::vgtStrmoutConfig, key::rastStream) & 3;
  return streamOut;
}

GeometryRegisters decodeGeometryRegisters(abi::PipelineMetadata &metadata) {
  Registers registers(metadata);
  auto stages = [&](StringRef name) { return registers.get(key::vgtShaderStagesEn, name) != 0; };
  auto group = [&](StringRef name) { return registers.get(key::vgtGsOnchipCntl, name); };
  GeometryRegisters geometry;
  geometry.isGeometryShader = stages(key::gsStageEn);
  geometry.isNgg = stages(key::primgenEn);
  geometry.groupVertices = group(key::esVertsPerSubgroup);
  geometry.groupPrimitives = group(key::gsPrimsPerSubgroup);
  geometry.groupInstancePrimitives = group(key::gsInstPrimsPerSubgrp);
  if (registers.get(key::vgtGsInstanceCnt, key::enable)) {
    geometry.invocations = std::max(registers.get(key::vgtGsInstanceCnt, key::count), 1u);
    geometry.invocationPerGroup =
        registers.get(key::vgtGsInstanceCnt, key::enMaxVertOutPerGsInstance);
  }
  geometry.maxVertices = registers.get(key::vgtGsMaxVertOut);
  geometry.verticesOut =
      registers.choice({key::vgtGsOutPrimType, key::outprimType}, primitiveNames) + 1;
  geometry.vertexItemDwords = registers.get(key::vgtEsgsRingItemsize);
  geometry.ringItemDwords = registers.get(key::vgtGsvsRingItemsize);
  for (unsigned i = 0; i < 3; ++i)
    geometry.ringStreamDwords[i + 1] = registers.element(key::vgtGsvsRingOffset, i);
  for (unsigned i = 0; i < 4; ++i)
    geometry.ringVertexDwords[i] = registers.element(key::vgtGsVertItemsize, i);
  geometry.lanesPerPrimitive =
      std::max(registers.get(key::geNggSubgrpCntl, key::primAmpFactor), 1u);
  geometry.maxGroupVerticesOut = registers.get(key::maxVertsPerSubgroup);
  geometry.vertexInputs = registers.get(key::esVgprCompCnt);
  geometry.geometryInputs = registers.get(key::gsVgprCompCnt);
  return geometry;
}

MeshRegisters decodeMeshRegisters(abi::PipelineMetadata &metadata) {
  Registers registers(metadata);
  auto stages = [&](StringRef name) { return registers.get(key::vgtShaderStagesEn, name); };
  auto dim = [&](StringRef name) {
    return uint64_t(registers.get(key::spiShaderGsMeshletDim, name)) + 1;
  };
  auto allocation = [&](StringRef name) {
    return registers.get(key::spiShaderGsMeshletExpAlloc, name);
  };
  MeshRegisters mesh;
  mesh.fastLaunch = stages(key::gsFastLaunch);
  mesh.hasPayload = registers.get(key::vgtDrawPrimPayloadEn) != 0;
  mesh.hasWaveId = stages(key::nggWaveIdEn) != 0;
  mesh.scratchBytes = registers.pipelineNumber(key::meshScratchMemorySize);
  mesh.threads = {dim(key::numThreadX), dim(key::numThreadY), dim(key::numThreadZ)};
  mesh.groupThreads = dim(key::threadgroupSize);
  mesh.exportedVertices = allocation(key::maxExpVerts);
  mesh.exportedPrimitives = allocation(key::maxExpPrims);
  return mesh;
}

FragmentRegisters decodeFragmentRegisters(abi::PipelineMetadata &metadata) {
  Registers registers(metadata);
  FragmentRegisters fragment;
  fragment.inputEna = registers.bits(key::spiPsInputEna, inputBits);
  fragment.inputAddr = registers.bits(key::spiPsInputAddr, inputBits);
  decodeInterpolation(registers, fragment);
  decodeColors(registers, fragment);
  decodeDepthControl(registers, fragment);
  fragment.posFloatLocation = uint8_t(registers.get(key::spiBarycCntl, key::posFloatLocation));
  fragment.posFloatUlc = registers.get(key::posFloatUlc);
  fragment.perSample = registers.get(key::psIterSample);
  fragment.coverageInput =
      CoverageInput(registers.choice({key::aaCoverageToShaderSelect}, coverageNames));
  fragment.dummyExport = registers.isSet(key::psDummyExport);
  return fragment;
}

} // namespace pal::device
