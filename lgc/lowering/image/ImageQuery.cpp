//===- ImageQuery.cpp - sizes and counts from the descriptor --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Size, level and sample queries read fields of the descriptor: a few scalar instructions where
/// the descriptor is uniform, instead of a trip through the texture unit. Field positions: PAL's
/// image descriptor (docs/hw-notes.md).
///   size at a level = max(1, size of the view's base image >> (base level + lod))
///   layers = last slice - base slice + 1 (cubes count faces)
/// The all-zero (null) descriptor would give size 1; where null descriptors are legal every result
/// is 0 for it. A texel buffer's record count is its size in texels.
#include "lgc/lowering/image/ImageLowering.h"

using namespace llvm;

namespace lgc {

Value *ImageLowering::descWord(Value *desc, unsigned dword) {
  return b.CreateExtractElement(desc, dword);
}

Value *ImageLowering::descField(Value *desc, Field field) {
  Value *word = descWord(desc, field.dword);
  if (field.shift)
    word = b.CreateLShr(word, field.shift);
  if (field.shift + field.bits == 32)
    return word;
  return b.CreateAnd(word, b.getInt32((1u << field.bits) - 1));
}

Value *ImageLowering::zeroIfNull(Value *desc, Value *value) {
  if (!state.options.nullDescriptor)
    return value;
  // Dword 3 holds the type, which no real image descriptor has as 0.
  Value *isNull = b.CreateICmpEQ(descWord(desc, 3), b.getInt32(0));
  return b.CreateSelect(isNull, b.getInt32(0), value);
}

ImageLowering::Field ImageLowering::lastSliceField() const {
  if (target.major >= 12)
    return {4, 0, 14};
  return target.major == 11 ? Field{4, 0, 13} : Field{4, 0, 16};
}
ImageLowering::Field ImageLowering::baseLevelField() const {
  return target.major >= 12 ? Field{1, 25, 5} : Field{3, 12, 4};
}
ImageLowering::Field ImageLowering::lastLevelField() const {
  return target.major >= 12 ? Field{3, 15, 5} : Field{3, 16, 4};
}

Value *ImageLowering::imageWidth(Value *desc) {
  const uint8_t highBits = target.major == 11 ? 12 : 14;
  Value *low = descField(desc, {1, 30, 2});
  Value *high = descField(desc, {2, 0, highBits});
  return b.CreateAdd(b.CreateOr(b.CreateShl(high, 2), low), b.getInt32(1));
}

Value *ImageLowering::imageHeight(Value *desc) {
  const uint8_t bits = target.major == 11 ? 14 : 16;
  return b.CreateAdd(descField(desc, {2, 14, bits}), b.getInt32(1));
}

Value *ImageLowering::imageLayers(Value *desc) {
  Value *last = descField(desc, lastSliceField());
  Value *base = target.major >= 12   ? descField(desc, {4, 16, 14})
                : target.major == 11 ? descField(desc, {4, 16, 13})
                                     : descField(desc, {4, 16, 16});
  return b.CreateAdd(b.CreateSub(last, base), b.getInt32(1));
}

/// Depth of a 3D image. A storage view of a slice range holds its slices like an array.
Value *ImageLowering::imageDepth(Value *desc, Value *level) {
  Value *depth = b.CreateAdd(descField(desc, lastSliceField()), b.getInt32(1));
  depth = b.CreateBinaryIntrinsic(Intrinsic::umax, b.CreateLShr(depth, level), b.getInt32(1));
  const uint8_t bit = target.major >= 12 ? 4 : 0;
  Value *sliced = b.CreateICmpNE(descField(desc, {5, bit, 1}), b.getInt32(0));
  return b.CreateSelect(sliced, imageLayers(desc), depth);
}

Value *ImageLowering::lowerQuerySize(CallInst &call) {
  const auto &op = cast<ImageQuerySizeOp>(call);
  const auto dim = static_cast<ImageDim>(op.constArg(1));
  Value *desc = call.getArgOperand(0), *lod = call.getArgOperand(3);
  SmallVector<Value *, 3> size;
  if (dim == ImageDim::Buffer) {
    size.push_back(descWord(desc, 2));
  } else {
    if (cast<FixedVectorType>(desc->getType())->getNumElements() != 8)
      return fail(call, internalError("expected an image descriptor"));
    Value *level = b.getInt32(0);
    if (!isMultisample(dim)) {
      level = descField(desc, baseLevelField());
      if (!isAbsent(lod))
        level = b.CreateAdd(level, lod);
      // Why: a level beyond the image gives an undefined size, but must not give poison.
      level = b.CreateAnd(level, b.getInt32(31));
    }
    auto minify = [&](Value *value) {
      return b.CreateBinaryIntrinsic(Intrinsic::umax, b.CreateLShr(value, level), b.getInt32(1));
    };
    const bool oneDimension = dim == ImageDim::Dim1D || dim == ImageDim::Dim1DArray;
    size.push_back(minify(imageWidth(desc)));
    if (!oneDimension)
      size.push_back(minify(imageHeight(desc)));
    if (dim == ImageDim::Dim3D)
      size.push_back(imageDepth(desc, level));
    else if (dim == ImageDim::CubeArray)
      size.push_back(b.CreateUDiv(imageLayers(desc), b.getInt32(6)));
    else if (dim == ImageDim::Dim1DArray || dim == ImageDim::Dim2DArray ||
             dim == ImageDim::Dim2DMsArray)
      size.push_back(imageLayers(desc));
    for (Value *&element : size)
      element = zeroIfNull(desc, element);
  }
  auto *vector = dyn_cast<FixedVectorType>(call.getType());
  if (size.size() != (vector ? vector->getNumElements() : 1) ||
      !call.getType()->getScalarType()->isIntegerTy(32))
    return fail(call, internalError("expected " + Twine(size.size()) + " i32 components"));
  if (!vector)
    return size[0];
  Value *result = PoisonValue::get(vector);
  for (unsigned i = 0; i < size.size(); ++i)
    result = b.CreateInsertElement(result, size[i], i);
  return result;
}

Value *ImageLowering::lowerQueryLevels(CallInst &call) {
  Value *desc = call.getArgOperand(0);
  if (cast<FixedVectorType>(desc->getType())->getNumElements() != 8)
    return fail(call, internalError("expected an image descriptor"));
  Value *last = descField(desc, lastLevelField()), *base = descField(desc, baseLevelField());
  return zeroIfNull(desc, b.CreateAdd(b.CreateSub(last, base), b.getInt32(1)));
}

Value *ImageLowering::lowerQuerySamples(CallInst &call) {
  Value *desc = call.getArgOperand(0);
  if (cast<FixedVectorType>(desc->getType())->getNumElements() != 8)
    return fail(call, internalError("expected an image descriptor"));
  // Multisample views keep log2 of the count in the last level; single-sampled ones a level.
  Value *count = b.CreateShl(b.getInt32(1), descField(desc, lastLevelField()));
  Value *multisampled = b.CreateICmpUGE(descField(desc, {3, 28, 4}), b.getInt32(14));
  return zeroIfNull(desc, b.CreateSelect(multisampled, count, b.getInt32(1)));
}

} // namespace lgc
