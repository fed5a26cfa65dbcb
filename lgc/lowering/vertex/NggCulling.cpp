//===- NggCulling.cpp - triangles that a primitive shader leaves out ------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/vertex/NggCulling.h"
#include "lgc/Ops.h"
#include "lgc/lowering/resources/UserDataAddress.h"
#include "lgc/lowering/vertex/NggStage.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {
namespace {

/// Dwords of the driver's culling data. Source: PAL, PrimShaderCullingCb.
namespace CullingData {
enum : unsigned { ScMode = 7, XScale = 13, XOffset, YScale, YOffset, Conservative = 144 };
}
/// PA_SU_SC_MODE_CNTL.
enum : unsigned { cullFrontBit = 0, cullBackBit = 1, clockwiseFrontBit = 2 };
/// Triangles become their edges or corners when these bits are not 0.
constexpr unsigned polygonModeMask = 3u << 3;

bool has(ArrayRef<OutputSlot> outputs, uint32_t slot) {
  return any_of(outputs, [&](const OutputSlot &output) { return output.slot == slot; });
}

bool isTriangleTopology(const PipelineState &state) {
  const GraphicsState &graphics = state.graphics;
  if (planStages(state).hasTess)
    return !graphics.tess.pointMode && graphics.tess.domain != TessModes::Domain::Isolines;
  return !graphics.iaState.dynamicTopology &&
         (graphics.iaState.topology == Topology::TriangleList ||
          graphics.iaState.topology == Topology::TriangleStrip ||
          graphics.iaState.topology == Topology::TriangleFan);
}

Value *all(IRBuilder<> &b, Value *first, Value *second, Value *third) {
  return b.CreateAnd(b.CreateAnd(first, second), third);
}

} // namespace

bool cullsPrimitives(const PipelineState &state, ArrayRef<OutputSlot> outputs) {
  const NggState &ngg = state.graphics.nggState;
  bool wanted = ngg.backfaceCulling || ngg.frustumCulling || ngg.smallPrimitiveFilter ||
                ngg.cullDistanceCulling;
  return wanted && isTriangleTopology(state) && !state.graphics.xfb.enabled &&
         !state.graphics.rsState.rasterizerDiscardEnable && has(outputs, Slot::Position);
}

NggCulling::NggCulling(Function &shader, const PipelineState &state, ArrayRef<OutputSlot> outputs)
    : shader(shader), options(state.graphics.nggState),
      singleViewport(!has(outputs, Slot::ViewportIndex)),
      singleSampled(state.graphics.rsState.numSamples == 1 &&
                    !state.graphics.rsState.dynamicSampleInfo) {}

Value *NggCulling::place(IRBuilder<> &b, Value *vertex, Field field) {
  // Five dwords a vertex: odd, so neighbours use different banks.
  Value *index = b.CreateAdd(b.CreateMul(vertex, b.getInt32(FieldCount)), b.getInt32(field));
  return b.CreateInBoundsGEP(vertices->getValueType(), vertices, {b.getInt32(0), index});
}

Value *NggCulling::load(IRBuilder<> &b, Value *vertex, Field field, bool isFloat) {
  Type *type = isFloat ? b.getFloatTy() : b.getInt32Ty();
  return b.CreateAlignedLoad(type, place(b, vertex, field), Align(4));
}

/// A bit per clip or cull distance that is negative.
Value *NggCulling::distanceMask(IRBuilder<> &b, const OutputSet &outputs) {
  Value *mask = b.getInt32(0);
  unsigned bit = 0;
  for (uint32_t slot = Slot::ClipDistance; slot <= Slot::CullDistance1; ++slot) {
    for (unsigned i = 0; i < 4; ++i, ++bit) {
      Value *distance = outputs.get(slot, i);
      if (!distance)
        continue;
      Value *isOutside = b.CreateFCmpOLT(distance, ConstantFP::get(b.getFloatTy(), 0.0));
      mask = b.CreateOr(mask, b.CreateShl(b.CreateZExt(isOutside, b.getInt32Ty()), bit));
    }
  }
  return mask;
}

void NggCulling::storeVertex(IRBuilder<> &b, NggStage &ngg, const OutputSet &outputs) {
  auto *type = ArrayType::get(b.getInt32Ty(), uint64_t(FieldCount) * ngg.verticesPerSubgroup());
  vertices =
      new GlobalVariable(*shader.getParent(), type, /*isConstant=*/false,
                         GlobalValue::InternalLinkage, UndefValue::get(type), "lgc.ngg.culling",
                         nullptr, GlobalValue::NotThreadLocal, AddrSpace::Local);
  vertices->setAlignment(Align(4));
  auto store = [&](Field field, Value *value) {
    b.CreateAlignedStore(value, place(b, ngg.thread(), field), Align(4));
  };
  auto position = [&](unsigned i) {
    Value *value = outputs.get(Slot::Position, i);
    return value ? value : ConstantFP::get(b.getFloatTy(), i == 3 ? 1.0 : 0.0);
  };
  store(FieldX, position(0));
  store(FieldY, position(1));
  store(FieldW, position(3));
  store(FieldOutside, options.cullDistanceCulling ? distanceMask(b, outputs) : b.getInt32(0));
  store(FieldVisible, b.getInt32(0));
}

Value *NggCulling::cullingData(IRBuilder<> &b, unsigned dword, bool isFloat) {
  auto *pair = FixedVectorType::get(b.getInt32Ty(), 2);
  Value *address = createOp(b, OpId::SpecialUserDataOp, pair,
                            {b.getInt32(pal::abi::userdata::nggCullingData)}, "culling.data");
  Value *pointer =
      b.CreateIntToPtr(b.CreateBitCast(address, b.getInt64Ty()), b.getPtrTy(AddrSpace::Constant));
  return createInvariantLoad(b, isFloat ? b.getFloatTy() : b.getInt32Ty(),
                             offsetPointer(b, pointer, uint64_t(dword) * 4));
}

Value *NggCulling::outsideFrustum(IRBuilder<> &b, const Triangle &t) {
  Value *result = b.getFalse();
  for (bool isY : {false, true}) {
    for (bool isLow : {false, true}) {
      std::array<Value *, 3> outside;
      for (unsigned i = 0; i < 3; ++i) {
        Value *coordinate = isY ? t[i].y : t[i].x;
        outside[i] = isLow ? b.CreateFCmpOLT(coordinate, b.CreateFNeg(t[i].w))
                           : b.CreateFCmpOGT(coordinate, t[i].w);
      }
      result = b.CreateOr(result, all(b, outside[0], outside[1], outside[2]));
    }
  }
  return result;
}

/// Vulkan's area is negative where the determinant of (x, y, w), which is twice the area times all
/// w, is positive in framebuffer coordinates; the viewport's scales may mirror.
Value *NggCulling::facesAway(IRBuilder<> &b, const Triangle &t) {
  auto minor = [&](unsigned i, unsigned j) {
    Value *left = b.CreateFMul(t[i].x, t[j].y);
    Value *right = b.CreateFMul(t[j].x, t[i].y);
    return b.CreateFSub(left, right);
  };
  Value *determinant = b.CreateFMul(minor(0, 1), t[2].w);
  determinant = b.CreateFAdd(determinant, b.CreateFMul(minor(1, 2), t[0].w));
  determinant = b.CreateFAdd(determinant, b.CreateFMul(minor(2, 0), t[1].w));
  // Why one by one, here and below: C++ leaves the order of arguments open.
  Value *xScale = cullingData(b, CullingData::XScale, true);
  Value *yScale = cullingData(b, CullingData::YScale, true);
  Value *mirror = b.CreateFMul(xScale, yScale);
  Value *zero = ConstantFP::get(b.getFloatTy(), 0.0);
  Value *isMirrored = b.CreateFCmpOLT(mirror, zero);
  // Degenerate triangles are left to the rasterizer.
  Value *isPositive = b.CreateFCmpOGT(determinant, zero);
  Value *isNegative = b.CreateFCmpOLT(determinant, zero);
  Value *isClockwise = b.CreateSelect(isMirrored, isNegative, isPositive);
  Value *isCounter = b.CreateSelect(isMirrored, isPositive, isNegative);
  Value *mode = cullingData(b, CullingData::ScMode, false);
  auto bit = [&](unsigned number) {
    return b.CreateTrunc(b.CreateLShr(mode, number), b.getInt1Ty());
  };
  Value *frontIsClockwise = bit(clockwiseFrontBit);
  Value *cullFront = bit(cullFrontBit);
  Value *cullBack = bit(cullBackBit);
  Value *cullClockwise = b.CreateSelect(frontIsClockwise, cullFront, cullBack);
  Value *cullCounter = b.CreateSelect(frontIsClockwise, cullBack, cullFront);
  Value *clockwise = b.CreateAnd(isClockwise, cullClockwise);
  Value *counter = b.CreateAnd(isCounter, cullCounter);
  return b.CreateOr(clockwise, counter);
}

/// Rounding to the nearest integer changes exactly at pixel centres: equal ends, none in between.
Value *NggCulling::missesPixels(IRBuilder<> &b, const Triangle &t) {
  Value *result = b.getFalse();
  // The rasterizer snaps vertices to 1/256 of a pixel.
  constexpr double snap = 1.0 / 256;
  Value *margin = ConstantFP::get(b.getFloatTy(), snap);
  for (bool isY : {false, true}) {
    Value *scale = cullingData(b, isY ? CullingData::YScale : CullingData::XScale, true);
    Value *offset = cullingData(b, isY ? CullingData::YOffset : CullingData::XOffset, true);
    std::array<Value *, 3> pixel;
    for (unsigned i = 0; i < 3; ++i) {
      Value *inverse = b.CreateIntrinsic(Intrinsic::amdgcn_rcp, {b.getFloatTy()}, {t[i].w});
      Value *coordinate = b.CreateFMul(isY ? t[i].y : t[i].x, inverse);
      pixel[i] = b.CreateFAdd(b.CreateFMul(coordinate, scale), offset);
    }
    auto bound = [&](Intrinsic::ID id) {
      Value *two = b.CreateBinaryIntrinsic(id, pixel[0], pixel[1]);
      return b.CreateBinaryIntrinsic(id, two, pixel[2]);
    };
    Value *low = b.CreateFSub(bound(Intrinsic::minnum), margin);
    Value *high = b.CreateFAdd(bound(Intrinsic::maxnum), margin);
    low = b.CreateUnaryIntrinsic(Intrinsic::roundeven, low);
    high = b.CreateUnaryIntrinsic(Intrinsic::roundeven, high);
    result = b.CreateOr(result, b.CreateFCmpOEQ(low, high));
  }
  // Edges, corners and conservative coverage reach pixels whose centres are outside.
  Value *mode = cullingData(b, CullingData::ScMode, false);
  Value *conservative = cullingData(b, CullingData::Conservative, false);
  Value *wide = b.CreateOr(b.CreateAnd(mode, polygonModeMask), conservative);
  return b.CreateAnd(result, b.CreateICmpEQ(wide, b.getInt32(0)));
}

Value *NggCulling::isCulled(IRBuilder<> &b, const Triangle &t) {
  Value *result = b.getFalse();
  if (options.frustumCulling)
    result = b.CreateOr(result, outsideFrustum(b, t));
  if (options.cullDistanceCulling) {
    Value *common = b.CreateAnd(b.CreateAnd(t[0].outside, t[1].outside), t[2].outside);
    result = b.CreateOr(result, b.CreateICmpNE(common, b.getInt32(0)));
  }
  // The tests below use the first viewport, and divide by w.
  Value *projected = nullptr;
  if (singleViewport && options.backfaceCulling)
    projected = facesAway(b, t);
  if (singleViewport && singleSampled && options.smallPrimitiveFilter) {
    Value *small = missesPixels(b, t);
    projected = projected ? b.CreateOr(projected, small) : small;
  }
  if (!projected)
    return result;
  std::array<Value *, 3> isInFront;
  for (unsigned i = 0; i < 3; ++i)
    isInFront[i] = b.CreateFCmpOGT(t[i].w, ConstantFP::get(b.getFloatTy(), 0.0));
  Value *inFront = all(b, isInFront[0], isInFront[1], isInFront[2]);
  return b.CreateOr(result, b.CreateAnd(projected, inFront));
}

void NggCulling::exportPrimitives(IRBuilder<> &b, NggStage &ngg) {
  ngg.synchronize(b);
  {
    IRBuilder<> inside(ngg.beginIf(b, ngg.hasPrimitive(), "cull"));
    std::array<Value *, 3> indices;
    Triangle triangle;
    for (unsigned i = 0; i < 3; ++i) {
      indices[i] = ngg.vertexOfPrimitive(inside, i);
      triangle[i].x = load(inside, indices[i], FieldX, true);
      triangle[i].y = load(inside, indices[i], FieldY, true);
      triangle[i].w = load(inside, indices[i], FieldW, true);
      triangle[i].outside = load(inside, indices[i], FieldOutside, false);
    }
    Value *culled = isCulled(inside, triangle);
    ngg.exportPrimitive(inside, culled);
    IRBuilder<> mark(ngg.beginIf(inside, inside.CreateNot(culled), "visible"));
    for (Value *index : indices)
      mark.CreateAlignedStore(mark.getInt32(1), place(mark, index, FieldVisible), Align(4));
  }
  ngg.synchronize(b);
}

Value *NggCulling::isVisible(IRBuilder<> &b, NggStage &ngg) {
  return b.CreateICmpNE(load(b, ngg.thread(), FieldVisible, false), b.getInt32(0));
}

} // namespace lgc
