//===- VerifyGraphics.cpp - rules about graphics registers ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What the hardware stages and the abstract registers of a graphics pipeline must have in common.
/// A code object may be a part of a pipeline (only a fragment shader, only what comes before it):
/// rules ask for the stages that are there. Sources: PAL pipeline ABI, RDNA register references
/// (SPI, PA, VGT, GE), LLVM AMDGPUUsage.
#include "pal_shim/abi/VerifyRules.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace pal::abi {
namespace {

using Path = ArrayRef<StringRef>;

uint64_t number(const MetadataContext &c, Path path) {
  return c.md.graphicsNumber(path).value_or(0);
}

bool hasStage(const MetadataContext &c, HardwareStage stage) {
  return c.md.hardwareStage(stage).has_value();
}

unsigned gfxMajor(const MetadataContext &c) { return c.target ? c.target->major : 0; }

/// "`.graphics_registers.a.b`"
std::string place(Path path) {
  std::string text = ".graphics_registers";
  for (StringRef part : path)
    text += part;
  return text;
}

/// Does the code object hold what makes primitives (as opposed to a fragment part)?
bool hasVertexStages(const MetadataContext &c) {
  return hasStage(c, HardwareStage::Gs) || hasStage(c, HardwareStage::Vs);
}

bool isNgg(const MetadataContext &c) {
  return number(c, {key::vgtShaderStagesEn, key::primgenEn}) != 0;
}

bool isMesh(const MetadataContext &c) {
  return c.md.type == PipelineType::Mesh || c.md.type == PipelineType::TaskMesh;
}

// ---- stages ------------------------------------------------------------------------------------

/// Which hardware stages a pipeline type may have.
struct TypeRow {
  PipelineType type;
  bool hs, gs, vs, cs;
  bool gfx10Only;
};
constexpr TypeRow typeRows[] = {
    {PipelineType::VsPs, false, false, true, false, true},
    {PipelineType::Gs, false, true, true, false, true},
    {PipelineType::Ngg, false, true, false, false, false},
    {PipelineType::Tess, true, false, true, false, true},
    {PipelineType::GsTess, true, true, true, false, true},
    {PipelineType::NggTess, true, true, false, false, false},
    {PipelineType::Mesh, false, true, false, false, false},
    {PipelineType::TaskMesh, false, true, false, true, false},
};

/// A part may lack the stages in front of its own: an evaluation shader alone has no HS.
bool isNeeded(const MetadataContext &c, HardwareStage stage) {
  if (stage == HardwareStage::Hs)
    return c.md.shader(ApiStage::Vertex) || c.md.shader(ApiStage::Hull);
  if (stage == HardwareStage::Cs)
    return c.md.shader(ApiStage::Task).has_value();
  return true;
}

bool hasTessellation(const MetadataContext &c) {
  return c.md.type == PipelineType::Tess || c.md.type == PipelineType::GsTess ||
         c.md.type == PipelineType::NggTess;
}

void checkStages(const MetadataContext &c, Report report) {
  const auto *row = find_if(typeRows, [&](const TypeRow &r) { return c.md.type == r.type; });
  if (row == std::end(typeRows))
    return; // rule pipeline-type
  StringRef name = pipelineTypeName(row->type);
  if (row->gfx10Only && gfxMajor(c) >= 11 && hasVertexStages(c))
    report(".type: " + name + ", but " + c.target->name + " has primitive shaders only");
  auto check = [&](HardwareStage stage, bool possible) {
    if (hasStage(c, stage) && !possible)
      report(".hardware_stages" + hardwareStageKey(stage) +
             ": not possible in a pipeline of type " + name);
    if (hasVertexStages(c) && !hasStage(c, stage) && possible && isNeeded(c, stage))
      report(".hardware_stages" + hardwareStageKey(stage) + ": missing in a pipeline of type " +
             name);
  };
  check(HardwareStage::Hs, row->hs);
  check(HardwareStage::Gs, row->gs);
  check(HardwareStage::Vs, row->vs);
  check(HardwareStage::Cs, row->cs);
}

/// Hardware stages that each API stage may run in, as bits of 1 << HardwareStage.
constexpr unsigned bit(HardwareStage stage) { return 1u << static_cast<unsigned>(stage); }
struct MappingRow {
  ApiStage api;
  unsigned hardware;
};
constexpr MappingRow mappingRows[] = {
    {ApiStage::Task, bit(HardwareStage::Cs)},
    {ApiStage::Vertex, bit(HardwareStage::Hs) | bit(HardwareStage::Gs) | bit(HardwareStage::Vs)},
    {ApiStage::Hull, bit(HardwareStage::Hs)},
    {ApiStage::Domain, bit(HardwareStage::Gs) | bit(HardwareStage::Vs)},
    {ApiStage::Geometry, bit(HardwareStage::Gs) | bit(HardwareStage::Vs)},
    {ApiStage::Mesh, bit(HardwareStage::Gs)},
    {ApiStage::Pixel, bit(HardwareStage::Ps)},
};

void checkMapping(const MetadataContext &c, Report report) {
  for (const MappingRow &row : mappingRows) {
    const std::optional<ShaderInfo> &shader = c.md.shader(row.api);
    if (!shader)
      continue;
    for (HardwareStage stage : shader->hardwareMapping)
      if (!(row.hardware & bit(stage)))
        report(".shaders" + apiStageKey(row.api) + ".hardware_mapping: " + hardwareStageKey(stage) +
               " cannot run it");
  }
}

void checkStagesEnabled(const MetadataContext &c, Report report) {
  if (!hasVertexStages(c))
    return;
  if (!c.md.graphicsNode({key::vgtShaderStagesEn})) {
    report(place({key::vgtShaderStagesEn}) + ": missing");
    return;
  }
  auto check = [&](StringRef field, bool expected) {
    bool value = number(c, {key::vgtShaderStagesEn, field}) != 0;
    if (value != expected)
      report(place({key::vgtShaderStagesEn, field}) + ": " + (value ? "set" : "not set") +
             ", which does not fit .hardware_stages");
  };
  bool hs = hasTessellation(c), vs = hasStage(c, HardwareStage::Vs);
  check(key::hsStageEn, hs);
  check(key::primgenEn, !vs);
  check(key::gsStageEn, c.md.shader(ApiStage::Geometry).has_value() || isMesh(c));
  // HW(gfx12): LS and ES are always parts of HS and GS.
  if (gfxMajor(c) < 12)
    check(key::lsStageEn, hs);
  else if (number(c, {key::vgtShaderStagesEn, key::lsStageEn}) ||
           number(c, {key::vgtShaderStagesEn, key::esStageEn}))
    report(place({key::vgtShaderStagesEn}) + ": gfx12 has no LS and ES bits");
  if (gfxMajor(c) < 11 && number(c, {key::vgtShaderStagesEn, key::primgenPassthruNoMsg}))
    report(place({key::vgtShaderStagesEn, key::primgenPassthruNoMsg}) + ": gfx11 and later only");
  bool fastLaunch = number(c, {key::vgtShaderStagesEn, key::gsFastLaunch}) != 0;
  if (fastLaunch != isMesh(c))
    report(place({key::vgtShaderStagesEn, key::gsFastLaunch}) + ": " +
           (fastLaunch ? "set without" : "not set with") + " a mesh shader");
}

// ---- vertex processing -------------------------------------------------------------------------

void checkComponentCounts(const MetadataContext &c, Report report) {
  bool gfx12 = gfxMajor(c) >= 12;
  auto check = [&](StringRef field, uint64_t most) {
    uint64_t value = number(c, {field});
    if (value > most)
      report(place({field}) + ": value " + Twine(value) + ", the limit is " + Twine(most));
  };
  check(key::lsVgprCompCnt, gfx12 ? 1 : 3);
  check(key::esVgprCompCnt, 3);
  check(key::gsVgprCompCnt, gfx12 ? 2 : 3);
  check(key::vsVgprCompCnt, 3);
}

void checkNgg(const MetadataContext &c, Report report) {
  if (!hasStage(c, HardwareStage::Gs) || !isNgg(c))
    return;
  auto range = [&](Path path, uint64_t least, uint64_t most) {
    std::optional<uint64_t> value = c.md.graphicsNumber(path);
    if (!value)
      report(place(path) + ": missing");
    else if (*value < least || *value > most)
      report(place(path) + ": value " + Twine(*value) + ", expected " + Twine(least) + " to " +
             Twine(most));
  };
  range({key::maxVertsPerSubgroup}, 1, 256);
  range({key::geNggSubgrpCntl, key::threadsPerSubgroup}, 1, 256);
  range({key::geNggSubgrpCntl, key::primAmpFactor}, 0, 511);
  range({key::vgtGsOnchipCntl, key::esVertsPerSubgroup}, 1, 256);
  range({key::vgtGsOnchipCntl, key::gsPrimsPerSubgroup}, 1, 256);
}

/// Scenario G of VGT_GS_MODE: a geometry shader or a primitive shader. The stage is always on chip
/// in some way from gfx9 on: 1 with what leaves it in memory or exported, 3 with that in LDS too.
void checkGsMode(const MetadataContext &c, Report report) {
  constexpr uint64_t scenarioG = 3;
  if (!hasStage(c, HardwareStage::Gs))
    return;
  uint64_t mode = number(c, {key::vgtGsMode, key::mode});
  uint64_t onchip = number(c, {key::vgtGsMode, key::onchip});
  if (c.md.shader(ApiStage::Geometry) && mode != scenarioG)
    report(place({key::vgtGsMode, key::mode}) + ": value " + Twine(mode) +
           " with a geometry shader, expected 3");
  if (mode == scenarioG && onchip != 1 && onchip != 3)
    report(place({key::vgtGsMode, key::onchip}) + ": value " + Twine(onchip) +
           " in scenario G, expected 1 or 3");
}

/// HW: the subgroup's primitives of all invocations are the product of the two other fields.
void checkGsInstances(const MetadataContext &c, Report report) {
  if (!hasStage(c, HardwareStage::Gs) || !c.md.shader(ApiStage::Geometry))
    return;
  uint64_t primitives = number(c, {key::vgtGsOnchipCntl, key::gsPrimsPerSubgroup});
  uint64_t invocations = number(c, {key::vgtGsInstanceCnt, key::enable})
                             ? number(c, {key::vgtGsInstanceCnt, key::count})
                             : 1;
  uint64_t all = number(c, {key::vgtGsOnchipCntl, key::gsInstPrimsPerSubgrp});
  if (all != primitives * invocations)
    report(place({key::vgtGsOnchipCntl, key::gsInstPrimsPerSubgrp}) + ": value " + Twine(all) +
           ", expected " + Twine(primitives) + " primitives x " + Twine(invocations) +
           " invocations");
}

/// Registers are loaded up to a last one; where that is the number of the primitive or patch in
/// front of a geometry shader, it has to be made.
void checkPrimitiveId(const MetadataContext &c, Report report) {
  if (!hasStage(c, HardwareStage::Gs) || !c.md.shader(ApiStage::Geometry) ||
      number(c, {key::vgtPrimitiveIdEn}))
    return;
  uint64_t primitiveId = gfxMajor(c) >= 12 ? 1 : 2;
  constexpr uint64_t patchId = 3;
  bool loaded = number(c, {key::gsVgprCompCnt}) == primitiveId;
  loaded |= hasTessellation(c) && number(c, {key::esVgprCompCnt}) == patchId;
  if (loaded)
    report(place({key::vgtPrimitiveIdEn}) + ": not set, but the geometry stage loads the id");
}

/// HW(gfx10): the geometry engine looks at enabled streams only.
void checkStreamOut(const MetadataContext &c, Report report) {
  constexpr StringLiteral enables[] = {key::streamout0En, key::streamout1En, key::streamout2En,
                                       key::streamout3En};
  constexpr StringLiteral buffers[] = {key::stream0BufferEn, key::stream1BufferEn,
                                       key::stream2BufferEn, key::stream3BufferEn};
  bool countsAll = number(c, {key::vgtStrmoutConfig, key::primsNeededCntEn}) != 0;
  for (size_t i = 0; i < std::size(enables); ++i) {
    if (number(c, {key::vgtStrmoutConfig, enables[i]}))
      continue;
    if (countsAll)
      report(place({key::vgtStrmoutConfig, enables[i]}) +
             ": not set, but primitives of all streams are counted");
    else if (number(c, {key::vgtStrmoutBufferConfig, buffers[i]}))
      report(place({key::vgtStrmoutConfig, enables[i]}) + ": not set, but the stream has buffers");
  }
}

void checkTessellation(const MetadataContext &c, Report report) {
  if (!hasStage(c, HardwareStage::Hs))
    return;
  auto range = [&](StringRef field, uint64_t least, uint64_t most) {
    std::optional<uint64_t> value = c.md.graphicsNumber({key::vgtLsHsConfig, field});
    if (!value || *value < least || *value > most)
      report(place({key::vgtLsHsConfig, field}) + ": " +
             (value ? "value " + std::to_string(*value) : std::string("missing")) + ", expected " +
             Twine(least) + " to " + Twine(most));
  };
  range(key::numPatches, 1, 255);
  // Missing: dynamic, and the code takes it from CompositeData.
  if (c.md.graphicsNumber({key::vgtLsHsConfig, key::hsNumInputCp}))
    range(key::hsNumInputCp, 1, 32);
  range(key::hsNumOutputCp, 1, 32);
  if (hasVertexStages(c) && !c.md.graphicsNode({key::vgtTfParam}))
    report(place({key::vgtTfParam}) + ": missing");
}

/// The position exports that the control word announces are those that have a format.
void checkPositions(const MetadataContext &c, Report report) {
  if (!hasVertexStages(c))
    return;
  unsigned formats = 0;
  constexpr StringLiteral elements[] = {"[0]", "[1]", "[2]", "[3]", "[4]"};
  for (StringRef element : elements) {
    uint64_t format = number(c, {key::spiShaderPosFormat, element});
    if (format != 0 && format != 4)
      report(place({key::spiShaderPosFormat, element}) + ": value " + Twine(format) +
             ", expected 0 (none) or 4 (four components)");
    formats += format != 0;
  }
  unsigned vectors = 1;
  for (StringRef field : {key::vsOutMiscVecEna, key::vsOutCcDist0VecEna, key::vsOutCcDist1VecEna})
    vectors += number(c, {key::paClVsOutCntl, field}) != 0;
  if (formats != vectors)
    report(place({key::spiShaderPosFormat}) + ": " + Twine(formats) +
           " exports, .pa_cl_vs_out_cntl" + " says " + Twine(vectors));
}

// ---- fragment shader ---------------------------------------------------------------------------

constexpr StringLiteral inputBits[] = {
    key::perspSampleEna,  key::perspCenterEna,  key::perspCentroidEna,  key::perspPullModelEna,
    key::linearSampleEna, key::linearCenterEna, key::linearCentroidEna, key::lineStippleTexEna,
    key::posXFloatEna,    key::posYFloatEna,    key::posZFloatEna,      key::posWFloatEna,
    key::frontFaceEna,    key::ancillaryEna,    key::sampleCoverageEna, key::posFixedPtEna};

/// ENA may ask only for what ADDR reserves, and the hardware hangs without any barycentrics.
void checkPsInputs(const MetadataContext &c, Report report) {
  if (!hasStage(c, HardwareStage::Ps))
    return;
  bool anyBarycentric = false;
  for (size_t i = 0; i < std::size(inputBits); ++i) {
    bool enabled = number(c, {key::spiPsInputEna, inputBits[i]}) != 0;
    if (enabled && !number(c, {key::spiPsInputAddr, inputBits[i]}))
      report(place({key::spiPsInputEna, inputBits[i]}) + ": set, but not in .spi_ps_input_addr");
    anyBarycentric |= enabled && i < 7;
  }
  if (!anyBarycentric)
    report(place({key::spiPsInputEna}) + ": no PERSP or LINEAR bit is set");
}

void checkInterpolants(const MetadataContext &c, Report report) {
  if (!hasStage(c, HardwareStage::Ps))
    return;
  std::optional<msgpack::DocNode> controls = c.md.graphicsNode({key::spiPsInputCntl});
  size_t count = controls && controls->isArray() ? controls->getArray().size() : 0;
  uint64_t vertex = number(c, {key::spiPsInControl, key::numInterps});
  uint64_t primitive = number(c, {key::spiPsInControl, key::numPrimInterp});
  if (vertex + primitive > 32)
    report(place({key::spiPsInControl}) + ": " + Twine(vertex) + " + " + Twine(primitive) +
           " attributes, the limit is 32");
  // A shader without inputs has one entry: PAL programs at least one register.
  if (count != std::max<uint64_t>(vertex + primitive, 1))
    report(place({key::spiPsInputCntl}) + ": " + Twine(count) +
           " entries, .spi_ps_in_control says " + Twine(vertex + primitive));
}

/// Every written target has a format, and no format stands for nothing.
void checkColorExports(const MetadataContext &c, Report report) {
  if (!hasStage(c, HardwareStage::Ps))
    return;
  constexpr StringLiteral formats[] = {
      key::col0ExportFormat, key::col1ExportFormat, key::col2ExportFormat, key::col3ExportFormat,
      key::col4ExportFormat, key::col5ExportFormat, key::col6ExportFormat, key::col7ExportFormat};
  constexpr StringLiteral masks[] = {key::output0Enable, key::output1Enable, key::output2Enable,
                                     key::output3Enable, key::output4Enable, key::output5Enable,
                                     key::output6Enable, key::output7Enable};
  unsigned formatCount = 0, maskCount = 0;
  bool hole = false;
  for (size_t i = 0; i < std::size(formats); ++i) {
    bool present = number(c, {key::spiShaderColFormat, formats[i]}) != 0;
    if (present && hole)
      report(place({key::spiShaderColFormat, formats[i]}) + ": stands behind an unused one");
    hole |= !present;
    formatCount += present;
    maskCount += number(c, {key::cbShaderMask, masks[i]}) != 0;
  }
  // A shader that exports nothing may still need one export that the hardware waits for.
  if (formatCount < maskCount || (maskCount != 0 && formatCount != maskCount))
    report(place({key::spiShaderColFormat}) + ": " + Twine(formatCount) +
           " exports, .cb_shader_mask" + " enables " + Twine(maskCount) + " targets");
}

/// Components (bits r, g, b, a) that a depth export format carries.
constexpr unsigned zFormatComponents[] = {0x0, 0x1, 0x3, 0x9, 0xF, 0xF, 0xF, 0xF, 0xF, 0xF};

void checkDepthExport(const MetadataContext &c, Report report) {
  if (!hasStage(c, HardwareStage::Ps))
    return;
  uint64_t format = number(c, {key::spiShaderZFormat});
  if (format >= std::size(zFormatComponents)) {
    report(place({key::spiShaderZFormat}) + ": value " + Twine(format) + ", the limit is 9");
    return;
  }
  unsigned needed = 0;
  auto need = [&](StringRef field, unsigned component) {
    if (number(c, {key::dbShaderControl, field}))
      needed |= 1u << component;
  };
  need(key::zExportEnable, 0);
  need(key::stencilTestValExportEnable, 1);
  need(key::stencilOpValExportEnable, 1);
  need(key::maskExportEnable, 2);
  if (needed & ~zFormatComponents[format])
    report(place({key::spiShaderZFormat}) + ": format " + Twine(format) +
           " does not carry all that .db_shader_control enables");
}

constexpr MetadataRule rules[] = {
    {"graphics-stages", "the hardware stages fit the type and the generation", checkStages},
    {"graphics-mapping", "API stages run in hardware stages that can run them", checkMapping},
    {"shader-stages-en", "the enabled stages are those that have code", checkStagesEnabled},
    {"vgpr-comp-cnt", "counts of loaded VGPRs are possible", checkComponentCounts},
    {"ngg-subgroup", "a primitive shader's subgroup has possible sizes", checkNgg},
    {"gs-mode", "geometry and primitive shaders have the mode of theirs", checkGsMode},
    {"gs-instances", "primitives of a subgroup count once for each invocation", checkGsInstances},
    {"primitive-id", "an id that is loaded in front of a geometry shader is made",
     checkPrimitiveId},
    {"stream-out", "streams that are captured or counted are enabled", checkStreamOut},
    {"tessellation", "patches and control points are given and possible", checkTessellation},
    {"position-exports", "position formats agree with what is exported", checkPositions},
    {"ps-input", "fragment inputs are reserved, one barycentric is on", checkPsInputs},
    {"ps-interpolants", "every attribute has its control word, at most 32", checkInterpolants},
    {"color-exports", "colour formats are without holes and agree with the mask",
     checkColorExports},
    {"depth-export", "the depth format carries what is enabled", checkDepthExport},
};

} // namespace

ArrayRef<MetadataRule> graphicsRules() { return rules; }

} // namespace pal::abi
