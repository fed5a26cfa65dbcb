//===- FragmentValues.cpp - hardware values and built-ins of fragment shaders //
// SPDX-License-Identifier: MIT
#include "lgc/lowering/fragment/FragmentValues.h"
#include "lgc/CompileError.h"
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Try.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {
namespace {

/// HW: Ancillary register, and CompositeData of the driver (docs/hw-notes.md#ps-inputs).
constexpr unsigned sampleIdBit = 8, sampleIdBits = 4;
constexpr unsigned rateWidthBit = 2, rateHeightBit = 4, rateBits = 2;
constexpr unsigned compositeVerticesBits = 2;
constexpr unsigned compositeSamplesBit = 2, compositeSamplesBits = 5;
/// PAL's table of sample positions: 16 entries a pattern, pattern log2(samples); 4 floats an entry.
constexpr unsigned samplesPerPattern = 16;
constexpr unsigned log2BytesPerSample = 4;

const pal::abi::GpuTarget &targetOf(const PipelineState &state) {
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
  KILN_CHECK(target, "a target that the checks let pass");
  return *target;
}

Type *typeOf(HwValue value, IRBuilder<> &b) {
  constexpr const char *names[] = {
#define LGC_X(name, type) #type,
      LGC_HW_VALUES(LGC_X)
#undef LGC_X
  };
  StringRef type = names[static_cast<size_t>(value)];
  if (type == "i32")
    return b.getInt32Ty();
  if (type == "f32")
    return b.getFloatTy();
  return FixedVectorType::get(b.getFloatTy(), type == "v2f32" ? 2 : 3);
}

Value *extractBits(IRBuilder<> &b, Value *word, unsigned lowestBit, unsigned bits) {
  if (lowestBit)
    word = b.CreateLShr(word, lowestBit);
  return lowestBit + bits == 32 ? word : b.CreateAnd(word, (1u << bits) - 1);
}

Value *makeVector(IRBuilder<> &b, ArrayRef<Value *> elements) {
  Value *vector = PoisonValue::get(
      FixedVectorType::get(elements[0]->getType(), static_cast<unsigned>(elements.size())));
  for (unsigned i = 0; i < elements.size(); ++i)
    vector = b.CreateInsertElement(vector, elements[i], i);
  return vector;
}

} // namespace

RasterPrimitive rasterPrimitive(const GraphicsState &graphics) {
  auto of = [](OutputTopology primitive) {
    return primitive == OutputTopology::Points  ? RasterPrimitive::Points
           : primitive == OutputTopology::Lines ? RasterPrimitive::Lines
                                                : RasterPrimitive::Triangles;
  };
  if (graphics.has(ShaderStage::Mesh))
    return of(graphics.mesh.output);
  if (graphics.has(ShaderStage::Geometry))
    return of(graphics.geometry.output);
  if (graphics.has(ShaderStage::TessEval)) {
    if (graphics.tess.pointMode)
      return RasterPrimitive::Points;
    return graphics.tess.domain == TessModes::Domain::Isolines ? RasterPrimitive::Lines
                                                               : RasterPrimitive::Triangles;
  }
  if (graphics.iaState.dynamicTopology)
    return RasterPrimitive::Dynamic;
  switch (graphics.iaState.topology) {
  case Topology::PointList:
    return RasterPrimitive::Points;
  case Topology::LineList:
  case Topology::LineStrip:
  case Topology::LineListAdjacency:
  case Topology::LineStripAdjacency:
    return RasterPrimitive::Lines;
  default:
    return RasterPrimitive::Triangles;
  }
}

FragmentValues::FragmentValues(Function &function, const PipelineState &state, bool everySample)
    : everySample(everySample), perSample(everySample || state.graphics.rsState.perSampleShading),
      function(function), state(state), target(targetOf(state)),
      b(&function.getEntryBlock(), function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()) {}

Value *FragmentValues::hw(HwValue value) {
  Value *&cached = hwCache[value];
  if (!cached)
    cached = createOp(b, OpId::HwValueOp, typeOf(value, b),
                      {b.getInt32(static_cast<uint32_t>(value))}, hwValueName(value));
  return cached;
}

Value *FragmentValues::specialUserData(uint32_t value) {
  Value *&cached = userDataCache[value];
  if (!cached)
    cached = createOp(b, OpId::SpecialUserDataOp, b.getInt32Ty(), {b.getInt32(value)});
  return cached;
}

Value *FragmentValues::field(HwValue value, unsigned lowestBit, unsigned bits) {
  return extractBits(b, hw(value), lowestBit, bits);
}

// --- Barycentric coordinates

/// HW: where a pixel is covered completely, centroid and centre are the same, and the hardware may
/// leave out the centroid; the sign of the primitive mask says so.
Value *FragmentValues::centroid(bool linear) {
  Value *&cached = centroids[linear];
  if (!cached) {
    Value *outer = hw(linear ? HwValue::LinearCentroid : HwValue::PerspCentroid);
    Value *center = hw(linear ? HwValue::LinearCenter : HwValue::PerspCenter);
    Value *covered = b.CreateICmpSLT(hw(HwValue::PrimMask), b.getInt32(0));
    cached = b.CreateSelect(covered, center, outer, "centroid");
  }
  return cached;
}

/// What i, j (linear) or i/w, j/w, 1/w (perspective: only these are linear in x and y) are at the
/// centre, and how they change by pixel. In the entry block: in a branch, the lanes that a
/// derivative needs may be missing.
const FragmentValues::Gradient &FragmentValues::gradient(bool linear) {
  Gradient &result = gradients[linear];
  if (result.base)
    return result;
  auto derivative = [&](DerivativeKind kind) {
    return createOp(b, OpId::DerivativeOp, result.base->getType(),
                    {b.getInt32(static_cast<uint32_t>(kind)), result.base});
  };
  result.base = hw(linear ? HwValue::LinearCenter : HwValue::PerspPullModel);
  result.dx = derivative(DerivativeKind::DxFine);
  result.dy = derivative(DerivativeKind::DyFine);
  return result;
}

/// HW(gfx10.3+): gradients are differences between fragments, which may be two pixels wide or high,
/// but for those that shade one sample.
Value *FragmentValues::inFragments(IRBuilder<> &at, Value *pixels, unsigned rateBit) {
  bool hasRates = target.major > 10 || target.minor >= 3;
  if (!hasRates || perSample)
    return pixels;
  Value *log2 = field(HwValue::Ancillary, rateBit, rateBits);
  return at.CreateIntrinsic(Intrinsic::ldexp, {at.getFloatTy(), at.getInt32Ty()},
                            {pixels, at.CreateNeg(log2)});
}

Value *FragmentValues::atOffset(IRBuilder<> &at, bool linear, Value *offset) {
  const Gradient &g = gradient(linear);
  Type *type = g.base->getType();
  unsigned count = cast<FixedVectorType>(type)->getNumElements();
  Value *x = inFragments(at, at.CreateExtractElement(offset, uint64_t(0)), rateWidthBit);
  Value *y = inFragments(at, at.CreateExtractElement(offset, uint64_t(1)), rateHeightBit);
  x = at.CreateVectorSplat(count, x);
  y = at.CreateVectorSplat(count, y);
  Value *moved = at.CreateIntrinsic(Intrinsic::fma, {type}, {g.dx, x, g.base});
  moved = at.CreateIntrinsic(Intrinsic::fma, {type}, {g.dy, y, moved});
  if (linear)
    return moved;
  Value *w = at.CreateIntrinsic(Intrinsic::amdgcn_rcp, {at.getFloatTy()},
                                {at.CreateExtractElement(moved, uint64_t(2))});
  Value *ij = at.CreateShuffleVector(moved, ArrayRef<int>{0, 1});
  return at.CreateFMul(ij, at.CreateVectorSplat(2, w));
}

Value *FragmentValues::barycentric(IRBuilder<> &at, BaryMode mode, bool linear, Value *argument) {
  switch (mode) {
  case BaryMode::Center:
    // Why: a shader that runs once a sample must not compute the same for all samples of a pixel.
    if (!perSample)
      return hw(linear ? HwValue::LinearCenter : HwValue::PerspCenter);
    [[fallthrough]];
  case BaryMode::Sample:
    return hw(linear ? HwValue::LinearSample : HwValue::PerspSample);
  case BaryMode::Centroid:
    return centroid(linear);
  case BaryMode::AtOffset:
    return atOffset(at, linear, argument);
  case BaryMode::AtSample:
    return atOffset(at, linear, samplePosition(at, argument));
  }
  return nullptr;
}

// --- Samples

Value *FragmentValues::sampleCount() {
  if (!state.graphics.rsState.dynamicSampleInfo)
    return b.getInt32(state.graphics.rsState.numSamples);
  return extractBits(b, specialUserData(pal::abi::userdata::compositeData), compositeSamplesBit,
                     compositeSamplesBits);
}

/// <2 x float>, pixels from the centre; the first sample's for a sample that there is not.
Value *FragmentValues::samplePosition(IRBuilder<> &at, Value *sample) {
  Value *count = sampleCount();
  Value *pattern = b.getInt32(state.graphics.rsState.samplePatternIdx);
  if (state.graphics.rsState.dynamicSampleInfo) {
    Value *log2 = b.CreateBinaryIntrinsic(Intrinsic::cttz, count, b.getFalse());
    pattern = b.CreateMul(log2, b.getInt32(samplesPerPattern));
  }
  Value *exists = at.CreateICmpULT(sample, count);
  Value *index = at.CreateSelect(exists, at.CreateAdd(pattern, sample), at.getInt32(0));
  Value *table = createOp(at, OpId::DriverTableOp, FixedVectorType::get(at.getInt32Ty(), 4),
                          {at.getInt32(DriverTable::SamplePositions)});
  Value *offset = at.CreateShl(index, log2BytesPerSample);
  return at.CreateIntrinsic(Intrinsic::amdgcn_raw_buffer_load,
                            {FixedVectorType::get(at.getFloatTy(), 2)},
                            {table, offset, at.getInt32(0), at.getInt32(0)});
}

/// Of the samples of the pixel that the primitive covers, those that this invocation shades.
Value *FragmentValues::sampleMask() {
  readsSampleMask = true;
  Value *coverage = hw(HwValue::SampleCoverage);
  if (!perSample)
    return coverage;
  const GraphicsState &graphics = state.graphics;
  uint32_t base = 1;
  // An invocation of fewer than all shades the samples id, id + n, id + 2n ... of the pixel.
  if (!everySample && !graphics.rsState.dynamicSampleInfo)
    for (uint32_t n = std::max(graphics.rsState.pixelShaderSamples, 1u);
         n < graphics.rsState.numSamples && n < 32; n *= 2)
      base |= base << n;
  Value *own = b.CreateShl(b.getInt32(base), field(HwValue::Ancillary, sampleIdBit, sampleIdBits));
  return b.CreateAnd(coverage, own);
}

// --- Positions in the primitive

Value *FragmentValues::fragCoord() {
  Value *x = hw(HwValue::PosX);
  Value *y = hw(HwValue::PosY);
  if (state.graphics.fragment.pixelCenterInteger) {
    Constant *half = ConstantFP::get(b.getFloatTy(), 0.5);
    x = b.CreateFSub(x, half);
    y = b.CreateFSub(y, half);
  }
  Value *z = hw(HwValue::PosZ);
  // HW: the register holds w of the clip position, SPIR-V wants its reciprocal.
  Value *w = b.CreateIntrinsic(Intrinsic::amdgcn_rcp, {b.getFloatTy()}, {hw(HwValue::PosW)});
  return makeVector(b, {x, y, z, w});
}

Value *FragmentValues::laneId() {
  Value *lane = b.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_lo, {b.getInt32(~0u), b.getInt32(0)});
  if (waveSizeOf(function, state) == 64)
    lane = b.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_hi, {b.getInt32(~0u), lane});
  return lane;
}

/// HW(gfx10.3+): vertices are rotated so that the provoking one comes first; two bits for each
/// quad of the wave say by how many places.
Value *FragmentValues::triangleCoord(IRBuilder<> &at, Value *i, Value *j, Value *k) {
  Value *quad = at.CreateLShr(laneId(), 2);
  Value *shift = at.CreateShl(quad, 1);
  Value *rotation = at.CreateAnd(at.CreateLShr(hw(HwValue::ProvokingVtxInfo), shift), 3);
  Value *by1 = at.CreateICmpEQ(rotation, at.getInt32(1));
  Value *by2 = at.CreateICmpEQ(rotation, at.getInt32(2));
  Value *weights[] = {k, i, j}; // of the hardware's vertices
  Value *coords[3];
  for (unsigned vertex = 0; vertex < 3; ++vertex) {
    Value *other = at.CreateSelect(by1, weights[(vertex + 1) % 3], weights[vertex]);
    coords[vertex] = at.CreateSelect(by2, weights[(vertex + 2) % 3], other);
  }
  return makeVector(at, coords);
}

Expected<Value *> FragmentValues::baryCoord(IRBuilder<> &at, BaryMode mode, bool linear,
                                            Value *argument) {
  if (!(target.major > 10 || target.minor >= 3))
    return unsupported("BaryCoordKHR on " + state.target);
  Constant *one = ConstantFP::get(at.getFloatTy(), 1.0);
  Constant *zero = ConstantFP::get(at.getFloatTy(), 0.0);
  RasterPrimitive primitive = rasterPrimitive(state.graphics);
  Value *point = makeVector(at, {one, zero, zero});
  if (primitive == RasterPrimitive::Points)
    return point;
  Value *ij = barycentric(at, mode, linear, argument);
  Value *i = at.CreateExtractElement(ij, uint64_t(0));
  Value *j = at.CreateExtractElement(ij, uint64_t(1));
  // HW: the second vertex of a line is where i + j is 1.
  Value *second = at.CreateFAdd(i, j);
  Value *first = at.CreateFSub(one, second);
  Value *line = makeVector(at, {first, second, zero});
  if (primitive == RasterPrimitive::Lines)
    return line;
  Value *triangle = triangleCoord(at, i, j, at.CreateFSub(at.CreateFSub(one, i), j));
  if (primitive == RasterPrimitive::Triangles)
    return triangle;
  Value *vertices =
      extractBits(at, specialUserData(pal::abi::userdata::compositeData), 0, compositeVerticesBits);
  Value *isPoint = at.CreateICmpEQ(vertices, at.getInt32(1));
  Value *isLine = at.CreateICmpEQ(vertices, at.getInt32(2));
  return at.CreateSelect(isPoint, point, at.CreateSelect(isLine, line, triangle));
}

// --- Built-ins

Value *FragmentValues::make(BuiltIn builtin) {
  switch (builtin) {
  case BuiltIn::FragCoord:
    return fragCoord();
  case BuiltIn::FrontFacing:
    return b.CreateICmpNE(hw(HwValue::FrontFace), b.getInt32(0));
  case BuiltIn::SampleId:
    return field(HwValue::Ancillary, sampleIdBit, sampleIdBits);
  case BuiltIn::SamplePosition: {
    Value *fromCenter = samplePosition(b, field(HwValue::Ancillary, sampleIdBit, sampleIdBits));
    return b.CreateFAdd(fromCenter, ConstantFP::get(fromCenter->getType(), 0.5));
  }
  case BuiltIn::SampleMaskIn:
    return sampleMask();
  case BuiltIn::HelperInvocation:
    return b.CreateNot(b.CreateIntrinsic(Intrinsic::amdgcn_live_mask, {}));
  case BuiltIn::FragShadingRate: {
    // HW(gfx10.3+): Ancillary[3:2] and [5:4] are log2 of the width and height in pixels; SPIR-V
    // has the height in bits 1:0 and the width in bits 3:2.
    Value *width = b.CreateAnd(hw(HwValue::Ancillary), 0xC);
    return b.CreateOr(width, field(HwValue::Ancillary, rateHeightBit, rateBits));
  }
  case BuiltIn::FullyCovered:
    readsFullyCovered = true;
    return b.CreateICmpNE(hw(HwValue::SampleCoverage), b.getInt32(0));
  case BuiltIn::ViewIndex:
    return state.graphics.iaState.enableMultiView ? specialUserData(pal::abi::userdata::viewId)
                                                  : b.getInt32(0);
  default:
    return nullptr;
  }
}

Expected<Value *> FragmentValues::builtin(BuiltIn builtin) {
  bool hasGfx103 = target.major > 10 || target.minor >= 3;
  if (!hasGfx103 && builtin == BuiltIn::FragShadingRate)
    return unsupported("ShadingRateKHR in a fragment shader on " + state.target);
  Value *&cached = builtinCache[builtin];
  const bool linear = builtin == BuiltIn::BaryCoordNoPersp;
  if (!cached && (linear || builtin == BuiltIn::BaryCoord)) {
    Value *coords = KILN_TRY(baryCoord(b, BaryMode::Center, linear, nullptr));
    cached = coords;
  }
  if (!cached)
    cached = make(builtin);
  return cached;
}

} // namespace lgc
