//===- ImageCoords.cpp - coordinates of sampling --------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What the hardware leaves to the shader before a sample or gather:
///  - array layers are rounded to nearest even (Vulkan "Texel Coordinate Systems");
///  - a direction into a cube map becomes a face and a position on it. The instruction takes
///    (s + 1.5, t + 1.5, face [+ 8 x layer]), with s and t in -0.5..0.5;
///  - gradients of a direction become gradients on the face;
///  - offsets are packed into one dword, 6 bits each at bits 0, 8 and 16.
/// Source: RDNA ISA manuals, "Image Addressing" and V_CUBE*.
#include "lgc/lowering/image/ImageLowering.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {

static bool isArray(ImageDim dim) {
  return dim == ImageDim::Dim1DArray || dim == ImageDim::Dim2DArray || dim == ImageDim::CubeArray;
}

static bool isCube(ImageDim dim) { return dim == ImageDim::Cube || dim == ImageDim::CubeArray; }

/// Fills `address`. Without `withLayer` (LOD queries) the layer is left out, and `dim` must be a
/// dimension without one. Reports an error and returns false when operand shapes do not fit.
bool ImageLowering::prepareAddress(const CallInst &call, ImageDim dim, Value *coord, Value *ddx,
                                   Value *ddy, bool withLayer, SampleAddress &address) {
  Type *scalar = coord->getType()->getScalarType();
  const bool cube = isCube(dim), array = isArray(dim) && withLayer;
  address.scalar = scalar->isHalfTy() && !cube ? scalar : b.getFloatTy();
  auto convert = [&](Value *value) {
    return value->getType() == address.scalar ? value : b.CreateFPCast(value, address.scalar);
  };
  const bool isFloat = scalar->isHalfTy() || scalar->isFloatTy();
  SmallVector<Value *, 4> elements = vectorElements(b, coord);
  const unsigned count = sampleCoordCount(dim);
  if (!isFloat || elements.size() != count) {
    fail(call, internalError("expected " + Twine(count) + " float coordinates"));
    return false;
  }
  for (Value *element : elements)
    address.coords.push_back(convert(element));
  if (array) {
    Value *&layer = address.coords.back();
    layer = b.CreateUnaryIntrinsic(Intrinsic::rint, layer);
  }
  if (!isAbsent(ddx) && !isAbsent(ddy)) {
    for (Value *gradient : {ddx, ddy}) {
      SmallVector<Value *, 4> parts = vectorElements(b, gradient);
      const bool floats = gradient->getType()->isFPOrFPVectorTy();
      if (!floats || parts.size() != count - (array ? 1 : 0)) {
        fail(call, internalError("gradients do not fit the dimension"));
        return false;
      }
      for (Value *part : parts)
        address.gradients.push_back(convert(part));
    }
  }
  if (cube)
    projectCube(address);
  return true;
}

/// (x, y, z[, layer]) -> (s, t, face).
void ImageLowering::projectCube(SampleAddress &address) {
  Type *f32 = b.getFloatTy();
  Value *x = address.coords[0], *y = address.coords[1], *z = address.coords[2];
  Value *layer = address.coords.size() == 4 ? address.coords[3] : nullptr;
  Value *major = b.CreateIntrinsic(f32, Intrinsic::amdgcn_cubema, {x, y, z});
  Value *sc = b.CreateIntrinsic(f32, Intrinsic::amdgcn_cubesc, {x, y, z});
  Value *tc = b.CreateIntrinsic(f32, Intrinsic::amdgcn_cubetc, {x, y, z});
  Value *id = b.CreateIntrinsic(f32, Intrinsic::amdgcn_cubeid, {x, y, z});
  // cubema gives twice the major axis with its sign.
  Value *inverse = b.CreateIntrinsic(Intrinsic::amdgcn_rcp, {f32},
                                     {b.CreateUnaryIntrinsic(Intrinsic::fabs, major)});
  if (!address.gradients.empty())
    cubeGradients(address, id, sc, tc, inverse);
  Value *middle = ConstantFP::get(f32, 1.5);
  Value *s = b.CreateIntrinsic(Intrinsic::fma, {f32}, {sc, inverse, middle});
  Value *t = b.CreateIntrinsic(Intrinsic::fma, {f32}, {tc, inverse, middle});
  Value *face = id;
  if (layer) {
    // Why the clamp: below layer 0 the sum would name another face.
    layer = b.CreateBinaryIntrinsic(Intrinsic::maxnum, layer, ConstantFP::get(f32, 0.0));
    face = b.CreateIntrinsic(Intrinsic::fma, {f32}, {layer, ConstantFP::get(f32, 8.0), id});
  }
  address.coords = {s, t, face};
}

/// With m the major axis, s = sc / 2|m|: ds = (dsc - 2 s d|m|) / 2|m|, t likewise. Faces 0..5 are
/// +x -x +y -y +z -z; sc and tc are the components that V_CUBESC and V_CUBETC choose.
void ImageLowering::cubeGradients(SampleAddress &address, Value *id, Value *sc, Value *tc,
                                  Value *inverse) {
  Type *f32 = b.getFloatTy();
  auto number = [&](double value) { return ConstantFP::get(f32, value); };
  Value *face = b.CreateFPToUI(id, b.getInt32Ty());
  Value *isX = b.CreateICmpULT(face, b.getInt32(2));
  Value *isZ = b.CreateICmpUGE(face, b.getInt32(4));
  Value *negative = b.CreateTrunc(face, b.getInt1Ty());
  Value *sign = b.CreateSelect(negative, number(-1.0), number(1.0));
  Value *s = b.CreateFMul(sc, inverse), *t = b.CreateFMul(tc, inverse);

  SmallVector<Value *, 6> out;
  for (unsigned i = 0; i < 2; ++i) {
    Value *dx = address.gradients[3 * i], *dy = address.gradients[3 * i + 1],
          *dz = address.gradients[3 * i + 2];
    Value *signedX = b.CreateFMul(dx, sign), *signedZ = b.CreateFMul(dz, sign);
    Value *backZ = b.CreateFNeg(signedZ);
    Value *dsc = b.CreateSelect(isX, backZ, b.CreateSelect(isZ, signedX, dx));
    Value *isSide = b.CreateOr(isX, isZ);
    Value *dtc = b.CreateSelect(isSide, b.CreateFNeg(dy), signedZ);
    Value *dm = b.CreateFMul(b.CreateSelect(isX, dx, b.CreateSelect(isZ, dz, dy)), sign);
    Value *twice = b.CreateFMul(dm, number(-2.0));
    for (auto [derivative, position] : {std::pair{dsc, s}, std::pair{dtc, t}})
      out.push_back(b.CreateFMul(
          b.CreateIntrinsic(Intrinsic::fma, {f32}, {position, twice, derivative}), inverse));
  }
  address.gradients = out;
}

Value *ImageLowering::packOffset(Value *offset) {
  Value *packed = nullptr;
  unsigned shift = 0;
  for (Value *element : vectorElements(b, offset)) {
    Value *bits = b.CreateAnd(b.CreateZExtOrTrunc(element, b.getInt32Ty()), b.getInt32(0x3f));
    bits = b.CreateShl(bits, shift);
    packed = packed ? b.CreateOr(packed, bits) : bits;
    shift += 8;
  }
  return packed;
}

} // namespace lgc
