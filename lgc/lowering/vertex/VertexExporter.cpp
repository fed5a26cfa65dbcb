//===- VertexExporter.cpp - from vertex outputs to positions and attributes -===//
// SPDX-License-Identifier: MIT
/// \file
/// Position exports, in the order in which the hardware numbers them; absent ones take no number:
///   pos0    x y z w
///   misc    point size | - , shading rate | layer, viewport | -
///   dist 0  clip distances, then cull distances, 0..3
///   dist 1  4..7
/// Attributes on gfx11+ are stores of 16 bytes into the attribute ring, whose buffer descriptor
/// swizzles them (docs/hw-notes.md): index = vertex in the subgroup, offset = attribute x 16,
/// scalar offset = the subgroup's part of the ring.
#include "lgc/lowering/vertex/VertexExporter.h"
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/entry/PalRegisters.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {

namespace key = pal::abi::key;

namespace {

/// Export targets. Source: RDNA ISA manuals, "Export targets".
enum : unsigned { targetPosition0 = 12, targetParameter0 = 32 };
/// SPI_SHADER_POS_FORMAT, SPI_SHADER_IDX_FORMAT.
enum : uint64_t { formatNone = 0, formatOneComponent = 1, formatTwoComponents = 2, formatFour = 4 };

constexpr unsigned maxAttributes = 32;
constexpr unsigned maxDistances = 8;
constexpr unsigned maxPositionExports = 5;
constexpr unsigned bytesPerAttribute = 16;

using Vec4 = std::array<Value *, 4>;

Value *asFloat(IRBuilder<> &b, Value *value) { return asExportDword(b, value); }

Value *asInt(IRBuilder<> &b, Value *value) {
  return b.CreateBitCast(asFloat(b, value), b.getInt32Ty());
}

/// With a \p row: the export of that row of the subgroup's export space, not of the wave's own.
void createExport(IRBuilder<> &b, unsigned target, const Vec4 &values, bool done, bool validMask,
                  Value *row = nullptr) {
  unsigned enabled = 0;
  Vec4 operands;
  for (unsigned i = 0; i < 4; ++i) {
    enabled |= unsigned(values[i] != nullptr) << i;
    operands[i] = values[i] ? values[i] : PoisonValue::get(b.getFloatTy());
  }
  if (row)
    b.CreateIntrinsic(Intrinsic::amdgcn_exp_row, {b.getFloatTy()},
                      {b.getInt32(target), b.getInt32(enabled), operands[0], operands[1],
                       operands[2], operands[3], b.getInt1(done), row});
  else
    b.CreateIntrinsic(Intrinsic::amdgcn_exp, {b.getFloatTy()},
                      {b.getInt32(target), b.getInt32(enabled), operands[0], operands[1],
                       operands[2], operands[3], b.getInt1(done), b.getInt1(validMask)});
}

unsigned arrayLength(uint32_t lowMask, uint32_t highMask) {
  uint32_t mask = lowMask | highMask << 4;
  return mask ? 32 - countl_zero(mask) : 0;
}

} // namespace

Value *asExportDword(IRBuilder<> &b, Value *value) {
  Type *type = value->getType();
  if (type->isFloatTy())
    return value;
  if (type->isHalfTy())
    value = b.CreateBitCast(value, b.getInt16Ty());
  if (value->getType()->isIntegerTy(16))
    value = b.CreateZExt(value, b.getInt32Ty());
  return b.CreateBitCast(value, b.getFloatTy());
}

std::vector<OutputSlot> collectOutputs(const Function &shader) {
  std::map<uint32_t, uint32_t> masks;
  for (const BasicBlock &block : shader) {
    for (const Instruction &instruction : block) {
      const auto *store = dyn_cast<OutputStoreOp>(&instruction);
      if (!store)
        continue;
      uint32_t slot = slotNumber(store->constArg(1));
      uint32_t count = slotsReached(store->constArg(1));
      if (const auto *element = dyn_cast<ConstantInt>(store->getArgOperand(3))) {
        slot += static_cast<uint32_t>(element->getZExtValue());
        count = 1;
      }
      const auto *vector = dyn_cast<FixedVectorType>(store->getArgOperand(0)->getType());
      uint32_t components = (1u << (vector ? vector->getNumElements() : 1)) - 1;
      for (uint32_t i = 0; i < count; ++i)
        masks[slot + i] |= (components << store->constArg(2)) & 0xF;
    }
  }
  std::vector<OutputSlot> outputs;
  for (const auto &[slot, mask] : masks)
    outputs.push_back({slot, mask});
  return outputs;
}

VertexExporter::VertexExporter(Module &module, const PipelineState &state,
                               ArrayRef<OutputSlot> outputs, Path path)
    : module(module), state(state), slots(outputs.begin(), outputs.end()), path(path) {
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
  KILN_CHECK(target, "a target that the checks let pass");
  gfxMajor = target->major;
  gfxMinor = target->minor;
  for (const OutputSlot &output : slots) {
    if (output.slot < Slot::GenericEnd)
      vertexAttributes = std::max(vertexAttributes, output.slot + 1);
    else if (output.slot >= Slot::Primitive && output.slot < Slot::PrimitiveEnd)
      primitiveAttributes = std::max(primitiveAttributes, output.slot - Slot::Primitive + 1);
  }
  // HW(gfx10.3+): the attributes of primitives stand behind at least one of vertices.
  if (primitiveAttributes)
    vertexAttributes = std::max(vertexAttributes, 1u);
  clipDistances = arrayLength(maskOf(Slot::ClipDistance), maskOf(Slot::ClipDistance1));
  cullDistances = arrayLength(maskOf(Slot::CullDistance), maskOf(Slot::CullDistance1));
  if (attributeCount() > maxAttributes) {
    reportError(module.getContext(),
                limitExceeded("outputs of the last vertex stage: " + Twine(attributeCount()) +
                              " attributes, limit " + Twine(maxAttributes)));
    vertexAttributes = std::min(vertexAttributes, maxAttributes);
    primitiveAttributes = maxAttributes - vertexAttributes;
  }
  if (clipDistances + cullDistances > maxDistances) {
    reportError(module.getContext(),
                limitExceeded("clip and cull distances: " + Twine(clipDistances + cullDistances) +
                              ", limit " + Twine(maxDistances)));
    clipDistances = std::min(clipDistances, maxDistances);
    cullDistances = maxDistances - clipDistances;
  }
  if (writes(Slot::ShadingRate) && gfxMajor == 10 && gfxMinor < 3)
    reportError(module.getContext(), unsupported("PrimitiveShadingRateKHR on " + state.target));
}

uint32_t VertexExporter::maskOf(uint32_t slot) const {
  for (const OutputSlot &output : slots)
    if (output.slot == slot)
      return output.mask;
  return 0;
}

bool VertexExporter::needsMiscVector() const {
  if (writes(Slot::PointSize))
    return true;
  return !isMesh() && (writesLayer() || writes(Slot::ViewportIndex) || writes(Slot::ShadingRate));
}

unsigned VertexExporter::positionCount() const {
  return 1 + unsigned(needsMiscVector()) + (clipDistances + cullDistances + 3) / 4;
}

Value *VertexExporter::layer(IRBuilder<> &b, const OutputSet &outputs) {
  if (state.graphics.iaState.enableMultiView)
    return createOp(b, OpId::SpecialUserDataOp, b.getInt32Ty(),
                    {b.getInt32(pal::abi::userdata::viewId)}, "view");
  Value *value = outputs.get(Slot::Layer);
  return value ? asInt(b, value) : b.getInt32(0);
}

/// The rate at bits lowestBit + 3 .. lowestBit, as the rasterizer takes it. Vulkan: log2 of the
/// height in bits 1:0, of the width in bits 3:2.
Value *VertexExporter::shadingRate(IRBuilder<> &b, const OutputSet &outputs, unsigned lowestBit) {
  Value *value = outputs.get(Slot::ShadingRate);
  Value *rate = value ? asInt(b, value) : b.getInt32(0);
  // Sizes that the hardware does not have become the next smaller ones.
  if (gfxMajor >= 11) {
    // HW(gfx11+): an enumeration whose numbers are Vulkan's, without 1 x 4 and 4 x 1.
    rate = b.CreateAnd(rate, 15);
    rate = b.CreateSelect(b.CreateICmpEQ(rate, b.getInt32(2)), b.getInt32(1), rate);
    rate = b.CreateSelect(b.CreateICmpEQ(rate, b.getInt32(8)), b.getInt32(4), rate);
    return b.CreateShl(rate, lowestBit);
  }
  // HW(gfx10.3): width in the low two bits, height in the high two; at most 2 x 2.
  Value *wide = b.CreateICmpNE(b.CreateAnd(rate, 12), b.getInt32(0));
  Value *high = b.CreateICmpNE(b.CreateAnd(rate, 3), b.getInt32(0));
  Value *width = b.CreateSelect(wide, b.getInt32(1u << lowestBit), b.getInt32(0));
  Value *height = b.CreateSelect(high, b.getInt32(4u << lowestBit), b.getInt32(0));
  return b.CreateOr(width, height);
}

Vec4 VertexExporter::miscVector(IRBuilder<> &b, const OutputSet &outputs) {
  Vec4 misc = {};
  if (writes(Slot::PointSize)) {
    Value *size = outputs.get(Slot::PointSize);
    misc[0] = size ? asFloat(b, size) : ConstantFP::get(b.getFloatTy(), 1.0);
  }
  if (isMesh())
    return misc;
  if (writes(Slot::ShadingRate))
    misc[1] = asFloat(b, shadingRate(b, outputs, 2));
  Value *target = writesLayer() ? layer(b, outputs) : nullptr;
  if (writes(Slot::ViewportIndex)) {
    // HW(gfx9+): viewport in bits 19:16, layer in bits 10:0 of the same dword.
    Value *index = outputs.get(Slot::ViewportIndex);
    Value *viewport = index ? b.CreateShl(asInt(b, index), 16) : b.getInt32(0);
    target = target ? b.CreateOr(b.CreateAnd(target, 0xFFFF), viewport) : viewport;
  }
  if (target)
    misc[2] = asFloat(b, target);
  return misc;
}

/// Distances first .. first + 3 of both arrays together.
Vec4 VertexExporter::distances(IRBuilder<> &b, const OutputSet &outputs, unsigned first) {
  Vec4 values = {};
  for (unsigned i = 0; i < 4; ++i) {
    unsigned number = first + i;
    if (number >= clipDistances + cullDistances)
      break;
    bool clip = number < clipDistances;
    unsigned inArray = clip ? number : number - clipDistances;
    uint32_t slot = clip ? Slot::ClipDistance : Slot::CullDistance;
    Value *value = outputs.get(slot + inArray / 4, inArray % 4);
    values[i] = value ? asFloat(b, value) : ConstantFP::get(b.getFloatTy(), 0.0);
  }
  return values;
}

void VertexExporter::exportPositions(IRBuilder<> &b, const OutputSet &outputs) {
  SmallVector<Vec4, maxPositionExports> exports;
  Vec4 position;
  for (unsigned i = 0; i < 4; ++i) {
    Value *value = outputs.get(Slot::Position, i);
    position[i] = value ? asFloat(b, value) : ConstantFP::get(b.getFloatTy(), i == 3 ? 1.0 : 0.0);
  }
  exports.push_back(position);
  if (needsMiscVector())
    exports.push_back(miscVector(b, outputs));
  for (unsigned first = 0; first < clipDistances + cullDistances; first += 4)
    exports.push_back(distances(b, outputs, first));
  // HW(gfx10.1): pos0 with an empty EXEC and without `done` is skipped, which hangs; `vm` prevents
  // it.
  bool validMask = gfxMajor == 10 && gfxMinor < 3;
  for (unsigned i = 0; i < exports.size(); ++i)
    createExport(b, targetPosition0 + i, exports[i], i + 1 == exports.size(), validMask && i == 0,
                 row);
}

Value *VertexExporter::ringDescriptor(IRBuilder<> &b) {
  Value *ring = createOp(b, OpId::DriverTableOp, FixedVectorType::get(b.getInt32Ty(), 4),
                         {b.getInt32(DriverTable::AttributeRing)}, "attribute.ring");
  // The driver does not know how many attributes a vertex has: STRIDE, bits 29:16, is ours.
  constexpr unsigned strideShift = 16;
  constexpr uint32_t strideMask = 0x3FFFu << strideShift;
  Value *word = b.CreateExtractElement(ring, 1);
  word = b.CreateAnd(word, ~strideMask);
  word = b.CreateOr(word, uint64_t(attributeCount() * bytesPerAttribute) << strideShift);
  return b.CreateInsertElement(ring, word, 1);
}

void VertexExporter::writeAttribute(IRBuilder<> &b, const Vec4 &values, unsigned attribute,
                                    Value *index) {
  if (gfxMajor < 11) {
    createExport(b, targetParameter0 + attribute, values, false, false);
    return;
  }
  Value *data = PoisonValue::get(FixedVectorType::get(b.getFloatTy(), 4));
  for (unsigned i = 0; i < 4; ++i)
    if (values[i])
      data = b.CreateInsertElement(data, values[i], i);
  Value *base = createOp(b, OpId::HwValueOp, b.getInt32Ty(),
                         {b.getInt32(static_cast<uint32_t>(HwValue::AttribRingBase))});
  // HW(gfx11+): bits 14:0 in units of 512 bytes.
  Value *scalarOffset = b.CreateShl(b.CreateAnd(base, 0x7FFF), 9);
  // HW(gfx11): GLC, so that the stores reach L2, where interpolation reads; swizzled access.
  // HW(gfx12): device scope, non-temporal with write-back; swizzled access.
  constexpr unsigned policyGfx11 = 1 | 8;
  constexpr unsigned policyGfx12 = 7 | 2 << 3 | 1 << 6;
  b.CreateIntrinsic(Intrinsic::amdgcn_struct_buffer_store, {data->getType()},
                    {data, ringDescriptor(b), index, b.getInt32(attribute * bytesPerAttribute),
                     scalarOffset, b.getInt32(gfxMajor >= 12 ? policyGfx12 : policyGfx11)});
}

void VertexExporter::releaseAttributes(IRBuilder<> &b) {
  // HW(gfx11): a position export may start pixels before earlier attribute stores have arrived.
  if (gfxMajor == 11)
    b.CreateFence(AtomicOrdering::Release, b.getContext().getOrInsertSyncScopeID("agent"));
}

void VertexExporter::exportAttributes(IRBuilder<> &b, const OutputSet &outputs,
                                      Value *vertexIndex) {
  bool stored = false;
  for (const auto &[slot, values] : outputs.slots) {
    if (slot >= Slot::GenericEnd || slot >= vertexAttributes)
      continue;
    Vec4 floats = {};
    for (unsigned i = 0; i < 4; ++i)
      if (values[i])
        floats[i] = asFloat(b, values[i]);
    writeAttribute(b, floats, slot, vertexIndex);
    stored = true;
  }
  if (stored)
    releaseAttributes(b);
}

void VertexExporter::exportPrimitiveAttributes(IRBuilder<> &b, const OutputSet &outputs,
                                               Value *primitiveIndex) {
  bool stored = false;
  for (const auto &[slot, values] : outputs.slots) {
    if (slot < Slot::Primitive || slot >= Slot::Primitive + primitiveAttributes)
      continue;
    Vec4 floats = {};
    for (unsigned i = 0; i < 4; ++i)
      if (values[i])
        floats[i] = asFloat(b, values[i]);
    writeAttribute(b, floats, vertexAttributes + slot - Slot::Primitive, primitiveIndex);
    stored = true;
  }
  if (stored)
    releaseAttributes(b);
}

bool VertexExporter::hasPrimitiveWord() const {
  return isMesh() && (writesLayer() || writes(Slot::ViewportIndex) || writes(Slot::ShadingRate));
}

Value *VertexExporter::primitiveWord(IRBuilder<> &b, const OutputSet &outputs) {
  // HW: shading rate in bits 31:28, viewport in bits 23:20; the layer is in bits 12:0 on gfx11+, in
  // bits 19:17 on gfx10.3.
  Value *word = b.getInt32(0);
  if (writesLayer()) {
    Value *value = layer(b, outputs);
    word = gfxMajor >= 11 ? b.CreateAnd(value, 0x1FFF) : b.CreateShl(b.CreateAnd(value, 7), 17);
  }
  if (Value *viewport = outputs.get(Slot::ViewportIndex))
    word = b.CreateOr(word, b.CreateShl(b.CreateAnd(asInt(b, viewport), 15), 20));
  if (outputs.has(Slot::ShadingRate))
    word = b.CreateOr(word, shadingRate(b, outputs, 28));
  return word;
}

/// PA_CL_VS_OUT_CNTL.
void VertexExporter::writeMiscRegisters() {
  auto set = [&](StringRef field, bool value) {
    if (value)
      setGraphics(module, key::paClVsOutCntl, field, uint64_t(1));
  };
  set(key::useVtxPointSize, writes(Slot::PointSize));
  bool rate = writes(Slot::ShadingRate);
  set(key::useVtxRenderTargetIndx, !isMesh() && writesLayer());
  set(key::useVtxViewportIndx, !isMesh() && writes(Slot::ViewportIndex));
  set(key::useVtxVrsRate, !isMesh() && rate);
  // Rates come from vertices or, of mesh shaders, from primitives; the other combiner stays out.
  set(key::bypassPrimRateCombiner, !isMesh() && rate);
  set(key::bypassVtxRateCombiner, isMesh() && rate);
  set(key::vsOutMiscVecEna, needsMiscVector());
  unsigned distanceCount = clipDistances + cullDistances;
  set(key::vsOutCcDist0VecEna, distanceCount > 0);
  set(key::vsOutCcDist1VecEna, distanceCount > 4);
  // HW(gfx10.3+): the side bus carries the distances too, not the misc vector alone.
  bool sideBusDistances = distanceCount && (gfxMajor > 10 || gfxMinor >= 3);
  set(key::vsOutMiscSideBusEna, needsMiscVector() || sideBusDistances);
  for (unsigned i = 0; i < distanceCount; ++i) {
    std::string number = std::to_string(i);
    set(".clip_dist_ena_" + number, i < clipDistances);
    // HW: points heed cull distances alone, so clip distances count as these too.
    set(".cull_dist_ena_" + number, true);
  }
}

/// Clipping, viewport transform and vertex rounding: what PAL does not take from its own state.
void VertexExporter::writeClipRegisters() {
  setGraphics(module, key::paClClipCntl, key::dxLinearAttrClipEna, uint64_t(1));
  setGraphics(module, key::paClClipCntl, key::rasterizationKill,
              uint64_t(state.graphics.rsState.rasterizerDiscardEnable));
  if (writes(Slot::ViewportIndex))
    setGraphics(module, key::paClClipCntl, key::vteVportProvokeDisable, uint64_t(1));
  for (StringRef field : {key::xScaleEna, key::xOffsetEna, key::yScaleEna, key::yOffsetEna,
                          key::zScaleEna, key::zOffsetEna, key::vtxW0Fmt})
    setGraphics(module, key::paClVteCntl, field, uint64_t(1));
  // Pixel centres at .5, round to even, 8 bits of fraction.
  setGraphics(module, key::paSuVtxCntl, key::pixCenter, uint64_t(1));
  setGraphics(module, key::paSuVtxCntl, key::roundMode, uint64_t(2));
  setGraphics(module, key::paSuVtxCntl, key::quantMode, uint64_t(5));
}

/// A part without the fragment shader: the slot is what both sides know.
void VertexExporter::writeSemantics() {
  unsigned element = 0;
  auto add = [&](uint32_t slot, unsigned attribute) {
    std::string place = "[" + std::to_string(element++) + "]";
    setRegister(module, {key::prerasterOutputSemantic, place, key::semantic}, uint64_t(slot));
    setRegister(module, {key::prerasterOutputSemantic, place, key::index}, uint64_t(attribute));
  };
  for (const OutputSlot &output : slots) {
    if (output.slot < vertexAttributes)
      add(output.slot, output.slot);
    else if (output.slot >= Slot::Primitive && output.slot < Slot::Primitive + primitiveAttributes)
      add(output.slot, vertexAttributes + (output.slot - Slot::Primitive));
  }
}

void VertexExporter::writeRegisters() {
  if (attributeCount() == 0)
    setGraphics(module, key::spiVsOutConfig, key::noPcExport, uint64_t(1));
  else
    setGraphics(module, key::spiVsOutConfig, key::vsExportCount, uint64_t(vertexAttributes - 1));
  if (primitiveAttributes)
    setGraphics(module, key::spiVsOutConfig, key::primExportCount, uint64_t(primitiveAttributes));
  for (unsigned i = 0; i < maxPositionExports; ++i)
    setRegister(module,
                {key::graphicsRegisters, key::spiShaderPosFormat, "[" + std::to_string(i) + "]"},
                uint64_t(i < positionCount() ? formatFour : formatNone));
  if (path != Path::LegacyVs)
    setGraphics(module, key::spiShaderIdxFormat,
                uint64_t(hasPrimitiveWord() ? formatTwoComponents : formatOneComponent));
  if (isMesh())
    setGraphics(module, key::vgtDrawPrimPayloadEn, uint64_t(hasPrimitiveWord()));
  writeMiscRegisters();
  writeClipRegisters();
  if (state.part.any() || state.graphics.has(ShaderStage::Fragment))
    if (!findShader(module, ShaderStage::Fragment))
      writeSemantics();
  bool viewport = writes(Slot::ViewportIndex);
  setRegister(module, {key::usesViewportArrayIndex}, uint64_t(viewport));
  // HW: a vertex in several viewports would be transformed once only.
  bool reuseOff = state.graphics.iaState.disableVertexReuse || isMesh() || viewport;
  if (reuseOff)
    setGraphics(module, key::vgtReuseOff, uint64_t(1));
}

} // namespace lgc
