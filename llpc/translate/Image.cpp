//===- Image.cpp - sampled images, sampling, gathering --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The image class's table, and the instructions that use a sampler. They differ in four
/// properties, which one table row per opcode names; everything else is shared.
#include "llpc/translate/ImageUtils.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {

namespace {

struct SampleTraits {
  spv::Op opcode;
  bool sparse, dref, proj, gather;
};

constexpr SampleTraits sampleTraits[] = {
    {spv::Op::OpImageSampleImplicitLod, false, false, false, false},
    {spv::Op::OpImageSampleExplicitLod, false, false, false, false},
    {spv::Op::OpImageSampleDrefImplicitLod, false, true, false, false},
    {spv::Op::OpImageSampleDrefExplicitLod, false, true, false, false},
    {spv::Op::OpImageSampleProjImplicitLod, false, false, true, false},
    {spv::Op::OpImageSampleProjExplicitLod, false, false, true, false},
    {spv::Op::OpImageSampleProjDrefImplicitLod, false, true, true, false},
    {spv::Op::OpImageSampleProjDrefExplicitLod, false, true, true, false},
    {spv::Op::OpImageGather, false, false, false, true},
    {spv::Op::OpImageDrefGather, false, true, false, true},
    {spv::Op::OpImageSparseSampleImplicitLod, true, false, false, false},
    {spv::Op::OpImageSparseSampleExplicitLod, true, false, false, false},
    {spv::Op::OpImageSparseSampleDrefImplicitLod, true, true, false, false},
    {spv::Op::OpImageSparseSampleDrefExplicitLod, true, true, false, false},
    {spv::Op::OpImageSparseSampleProjImplicitLod, true, false, true, false},
    {spv::Op::OpImageSparseSampleProjExplicitLod, true, false, true, false},
    {spv::Op::OpImageSparseSampleProjDrefImplicitLod, true, true, true, false},
    {spv::Op::OpImageSparseSampleProjDrefExplicitLod, true, true, true, false},
    {spv::Op::OpImageSparseGather, true, false, false, true},
    {spv::Op::OpImageSparseDrefGather, true, true, false, true},
};

const SampleTraits &traitsOf(spv::Op opcode) {
  for (const SampleTraits &traits : sampleTraits)
    if (traits.opcode == opcode)
      return traits;
  KILN_ICE("opcode without sample traits");
}

/// Operands before the Image Operands.
struct SampleInputs {
  ImageRef image;
  Value *coord;
  Value *dref;
};

/// Divides coordinates and reference by the last component ("Projection Operation").
Error applyProjection(Translator &t, const Inst &inst, SampleInputs &in) {
  const unsigned count = gradientCoordinates(in.image.dim);
  auto all = KILN_TRY(floatCoordinates(t, inst, inst[1], count + 1));
  Value *q = t.b.CreateExtractElement(all, count);
  IRBuilderBase::FastMathFlagGuard guard(t.b);
  FastMathFlags flags;
  flags.setApproxFunc();
  flags.setAllowReciprocal();
  t.b.setFastMathFlags(flags);
  Value *inverse = t.b.CreateFDiv(ConstantFP::get(q->getType(), 1.0), q);
  Value *coord = firstElements(t, all, count);
  Value *factor = count == 1 ? inverse : t.b.CreateVectorSplat(count, inverse);
  in.coord = t.b.CreateFMul(coord, factor);
  if (!lgc::isAbsent(in.dref))
    in.dref = t.b.CreateFMul(in.dref, t.b.CreateFPCast(inverse, in.dref->getType()));
  return Error::success();
}

Expected<SampleInputs> sampleInputs(Translator &t, const Inst &inst, const SampleTraits &traits) {
  SampleInputs in;
  auto image = KILN_TRY(sampledImageRef(t, inst, inst[0]));
  in.image = image;
  in.dref = t.absent();
  if (traits.dref) {
    auto dref = KILN_TRY(floatCoordinates(t, inst, inst[2], 1));
    in.dref = t.b.CreateFPExt(dref, t.b.getFloatTy());
  }
  if (traits.proj) {
    const bool arrayOrCube = sampleCoordinates(image.dim) != gradientCoordinates(image.dim) ||
                             image.dim == lgc::ImageDim::Cube;
    if (arrayOrCube)
      return t.invalid(inst, "projection of an arrayed or cube image");
    KILN_TRY(applyProjection(t, inst, in));
    return in;
  }
  auto coord = KILN_TRY(floatCoordinates(t, inst, inst[1], sampleCoordinates(image.dim)));
  in.coord = coord;
  return in;
}

Error translateSample(Translator &t, const Inst &inst) {
  const SampleTraits &traits = traitsOf(inst.opcode);
  auto in = KILN_TRY(sampleInputs(t, inst, traits));
  auto operands = KILN_TRY(imageOperands(t, inst, traits.dref ? 3 : 2, in.image));
  auto result = KILN_TRY(imageResult(t, inst, traits.sparse));
  if (operands.offset->getType()->isArrayTy())
    return t.invalid(inst, "four offsets are for gathers only");
  if (!lgc::isAbsent(operands.lod) && !operands.lod->getType()->isFloatingPointTy())
    return t.invalid(inst, "Lod is not a float");
  Type *scalar = result.texel->getScalarType();
  if (scalar->getScalarSizeInBits() == 64)
    return t.invalid(inst, "sampling of 64-bit texels");
  if (traits.dref && (result.texel->isVectorTy() || !scalar->isFloatingPointTy()))
    return t.invalid(inst, "result of a depth comparison is not a float scalar");
  Type *texel = traits.dref ? scalar : FixedVectorType::get(scalar, 4);
  const uint32_t flags = operands.flags | (traits.sparse ? uint32_t(lgc::ImageFlags::Sparse) : 0);
  Value *value = t.op(lgc::OpId::ImageSampleOp, operationType(t, texel, traits.sparse),
                      {in.image.image, in.image.sampler, dimOperand(t, in.image.dim), t.i32(flags),
                       in.coord, in.dref, operands.bias, operands.lod, operands.minLod,
                       operands.gradX, operands.gradY, operands.offset});
  return setImageResult(t, inst, result, value);
}

Error translateGather(Translator &t, const Inst &inst) {
  const SampleTraits &traits = traitsOf(inst.opcode);
  auto in = KILN_TRY(sampleInputs(t, inst, traits));
  uint32_t component = 0;
  if (!traits.dref) {
    auto constant = KILN_TRY(t.readConstant(inst[2]));
    if (constant > 3)
      return t.invalid(inst, "component " + Twine(constant) + ", expected 0 to 3");
    component = static_cast<uint32_t>(constant);
  }
  using lgc::ImageDim;
  if (in.image.dim != ImageDim::Dim2D && in.image.dim != ImageDim::Dim2DArray &&
      in.image.dim != ImageDim::Cube && in.image.dim != ImageDim::CubeArray)
    return t.invalid(inst, "gather from an image that is neither 2D nor a cube");
  auto operands = KILN_TRY(imageOperands(t, inst, 3, in.image));
  auto result = KILN_TRY(imageResult(t, inst, traits.sparse));
  if (elementCount(result.texel) != 4 || result.texel->getScalarSizeInBits() == 64)
    return t.invalid(inst, "result of a gather is not a vector of four 16- or 32-bit components");
  if (operands.offset->getType()->isArrayTy() && !offsetCoordinates(in.image.dim))
    return t.invalid(inst, "offset into an image that takes none");
  if (!lgc::isAbsent(operands.lod) && !operands.lod->getType()->isFloatingPointTy())
    return t.invalid(inst, "Lod is not a float");
  const uint32_t flags = operands.flags | (traits.sparse ? uint32_t(lgc::ImageFlags::Sparse) : 0);
  Value *value =
      t.op(lgc::OpId::ImageGatherOp, operationType(t, result.texel, traits.sparse),
           {in.image.image, in.image.sampler, dimOperand(t, in.image.dim), t.i32(flags), in.coord,
            in.dref, operands.bias, operands.lod, t.i32(component), operands.offset});
  return setImageResult(t, inst, result, value);
}

Error translateSampledImage(Translator &t, const Inst &inst) {
  auto image = KILN_TRY(t.value(inst[0]));
  auto sampler = KILN_TRY(t.value(inst[1]));
  auto type = KILN_TRY(t.type(inst.typeId));
  auto *pair = dyn_cast<StructType>(type);
  if (!pair || pair->getNumElements() != 2 || pair->getElementType(0) != image->getType() ||
      pair->getElementType(1) != sampler->getType())
    return t.invalid(inst, "operands are not an image of the result's type and a sampler");
  if (t.hasDecoration(inst.resultId, spv::Decoration::NonUniform)) {
    markNonUniform(image);
    markNonUniform(sampler);
  }
  Value *result = t.b.CreateInsertValue(PoisonValue::get(pair), image, 0);
  return t.setValue(inst, t.b.CreateInsertValue(result, sampler, 1));
}

Error translateImage(Translator &t, const Inst &inst) {
  auto ref = KILN_TRY(imageRef(t, inst, inst[0]));
  if (!ref.sampler)
    return t.invalid(inst, "operand %" + Twine(inst[0]) + " is not a sampled image");
  auto type = KILN_TRY(t.type(inst.typeId));
  if (type != ref.image->getType())
    return t.invalid(inst, "result is not the sampled image's image type");
  return t.setValue(inst, ref.image);
}

constexpr OpEntry table[] = {
    instOp(spv::Op::OpSampledImage, translateSampledImage),
    instOp(spv::Op::OpImage, translateImage),
    instOp(spv::Op::OpImageSampleImplicitLod, translateSample),
    instOp(spv::Op::OpImageSampleExplicitLod, translateSample),
    instOp(spv::Op::OpImageSampleDrefImplicitLod, translateSample),
    instOp(spv::Op::OpImageSampleDrefExplicitLod, translateSample),
    instOp(spv::Op::OpImageSampleProjImplicitLod, translateSample),
    instOp(spv::Op::OpImageSampleProjExplicitLod, translateSample),
    instOp(spv::Op::OpImageSampleProjDrefImplicitLod, translateSample),
    instOp(spv::Op::OpImageSampleProjDrefExplicitLod, translateSample),
    instOp(spv::Op::OpImageGather, translateGather),
    instOp(spv::Op::OpImageDrefGather, translateGather),
    instOp(spv::Op::OpImageSparseSampleImplicitLod, translateSample),
    instOp(spv::Op::OpImageSparseSampleExplicitLod, translateSample),
    instOp(spv::Op::OpImageSparseSampleDrefImplicitLod, translateSample),
    instOp(spv::Op::OpImageSparseSampleDrefExplicitLod, translateSample),
    instOp(spv::Op::OpImageSparseSampleProjImplicitLod, translateSample),
    instOp(spv::Op::OpImageSparseSampleProjExplicitLod, translateSample),
    instOp(spv::Op::OpImageSparseSampleProjDrefImplicitLod, translateSample),
    instOp(spv::Op::OpImageSparseSampleProjDrefExplicitLod, translateSample),
    instOp(spv::Op::OpImageSparseGather, translateGather),
    instOp(spv::Op::OpImageSparseDrefGather, translateGather),
    instOp(spv::Op::OpImageFetch, translateImageFetch),
    instOp(spv::Op::OpImageSparseFetch, translateImageFetch),
    instOp(spv::Op::OpImageRead, translateImageRead),
    instOp(spv::Op::OpImageSparseRead, translateImageRead),
    instOp(spv::Op::OpFragmentMaskFetchAMD, translateFragmentMaskFetch),
    instOp(spv::Op::OpFragmentFetchAMD, translateFragmentFetch),
    instOp(spv::Op::OpImageWrite, translateImageWrite),
    instOp(spv::Op::OpImageSparseTexelsResident, translateSparseTexelsResident),
    instOp(spv::Op::OpImageQuerySizeLod, translateImageQuerySize),
    instOp(spv::Op::OpImageQuerySize, translateImageQuerySize),
    instOp(spv::Op::OpImageQueryLevels, translateImageQueryLevels),
    instOp(spv::Op::OpImageQuerySamples, translateImageQueryLevels),
    instOp(spv::Op::OpImageQueryLod, translateImageQueryLod),
    instOp(spv::Op::OpImageTexelPointer, translateImageTexelPointer),
};

} // namespace

ArrayRef<OpEntry> imageOps() { return table; }

} // namespace llpc
