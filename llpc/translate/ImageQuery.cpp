//===- ImageQuery.cpp - image queries -------------------------------------===//
// SPDX-License-Identifier: MIT
#include "llpc/translate/ImageUtils.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {

/// OpImageQuerySize and OpImageQuerySizeLod.
Error translateImageQuerySize(Translator &t, const Inst &inst) {
  auto image = KILN_TRY(imageRef(t, inst, inst[0]));
  Value *lod = t.absent();
  if (inst.opcode == spv::Op::OpImageQuerySizeLod) {
    auto level = KILN_TRY(intCoordinates(t, inst, inst[1], 1));
    lod = t.b.CreateZExt(level, t.b.getInt32Ty());
  }
  using lgc::ImageDim;
  // One component per dimension and one for layers; a cube's faces are squares.
  unsigned count = sampleCoordinates(image.dim);
  if (image.dim == ImageDim::Cube || image.dim == ImageDim::CubeArray)
    --count;
  auto type = KILN_TRY(t.type(inst.typeId));
  if (!isIntShape(type) || elementCount(type) != count)
    return t.invalid(inst, "result has type " + typeText(type) + ", expected " + Twine(count) +
                               " integer component(s)");
  Type *operation = withShapeOf(t.b.getInt32Ty(), type);
  Value *size = t.op(lgc::OpId::ImageQuerySizeOp, operation,
                     {image.image, dimOperand(t, image.dim), t.i32(image.flags), lod});
  return t.setValue(inst, t.b.CreateZExtOrTrunc(size, type));
}

/// OpImageQueryLevels and OpImageQuerySamples.
Error translateImageQueryLevels(Translator &t, const Inst &inst) {
  auto image = KILN_TRY(imageRef(t, inst, inst[0]));
  if (image.isBuffer())
    return t.invalid(inst, "texel buffers have neither levels nor samples");
  auto type = KILN_TRY(t.type(inst.typeId));
  if (!isIntShape(type) || type->isVectorTy())
    return t.invalid(inst, "result is not an integer scalar");
  const auto id = inst.opcode == spv::Op::OpImageQueryLevels ? lgc::OpId::ImageQueryLevelsOp
                                                             : lgc::OpId::ImageQuerySamplesOp;
  Value *count =
      t.op(id, t.b.getInt32Ty(), {image.image, dimOperand(t, image.dim), t.i32(image.flags)});
  return t.setValue(inst, t.b.CreateZExtOrTrunc(count, type));
}

Error translateImageQueryLod(Translator &t, const Inst &inst) {
  auto image = KILN_TRY(sampledImageRef(t, inst, inst[0]));
  auto coord = KILN_TRY(floatCoordinates(t, inst, inst[1], gradientCoordinates(image.dim)));
  auto type = KILN_TRY(t.type(inst.typeId));
  auto *pair = FixedVectorType::get(t.b.getFloatTy(), 2);
  if (type != pair)
    return t.invalid(inst, "result is not a vector of two 32-bit floats");
  return t.setValue(inst, t.op(lgc::OpId::ImageQueryLodOp, pair,
                               {image.image, image.sampler, dimOperand(t, image.dim),
                                t.i32(image.flags), coord}));
}

} // namespace llpc
