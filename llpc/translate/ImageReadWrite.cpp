//===- ImageReadWrite.cpp - texel access without a sampler ----------------===//
// SPDX-License-Identifier: MIT
#include "llpc/translate/ImageUtils.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {

namespace {

/// Coordinates with an offset (fetch) added; the layer has no offset.
Value *addOffset(Translator &t, const ImageRef &image, Value *coord, Value *offset) {
  if (lgc::isAbsent(offset))
    return coord;
  coord = t.b.CreateSExt(coord, withShapeOf(t.b.getInt32Ty(), coord->getType()));
  if (coord->getType() == offset->getType())
    return t.b.CreateAdd(coord, offset);
  const unsigned count = offsetCoordinates(image.dim);
  for (unsigned i = 0; i < count; ++i) {
    Value *part = count == 1 ? offset : t.b.CreateExtractElement(offset, i);
    coord =
        t.b.CreateInsertElement(coord, t.b.CreateAdd(t.b.CreateExtractElement(coord, i), part), i);
  }
  return coord;
}

/// Level and sample operands of an access, checked.
Error checkLevel(Translator &t, const Inst &inst, ImageOperands &operands) {
  if (lgc::isAbsent(operands.lod))
    return Error::success();
  if (!operands.lod->getType()->isIntegerTy())
    return t.invalid(inst, "Lod is not an integer");
  operands.lod = t.b.CreateZExt(operands.lod, t.b.getInt32Ty());
  return Error::success();
}

/// Image and coordinates of an access to one texel.
struct TexelPlace {
  ImageRef image;
  Value *coord;
};

Expected<TexelPlace> texelPlace(Translator &t, const Inst &inst) {
  auto image = KILN_TRY(imageRef(t, inst, inst[0]));
  if (image.sampler)
    return t.invalid(inst, "operand %" + Twine(inst[0]) + " is not an image");
  auto coord = KILN_TRY(isSubpassData(image)
                            ? subpassCoordinates(t, inst, inst[1])
                            : intCoordinates(t, inst, inst[1], texelCoordinates(image.dim)));
  return TexelPlace{image, coord};
}

/// Of SPV_AMD_shader_fragment_mask.
Expected<TexelPlace> fragmentPlace(Translator &t, const Inst &inst) {
  TexelPlace place = KILN_TRY(texelPlace(t, inst));
  if (!place.image.isMultisample())
    return t.invalid(inst, "operand %" + Twine(inst[0]) + " is not a multisampled image");
  return place;
}

Error translateLoadTexel(Translator &t, const Inst &inst, bool sparse) {
  const auto [image, coord] = KILN_TRY(texelPlace(t, inst));
  auto operands = KILN_TRY(imageOperands(t, inst, 2, image));
  KILN_TRY(checkLevel(t, inst, operands));
  if (operands.offset->getType()->isArrayTy())
    return t.invalid(inst, "four offsets are for gathers only");
  auto result = KILN_TRY(imageResult(t, inst, sparse));
  const uint32_t flags = operands.flags | (sparse ? uint32_t(lgc::ImageFlags::Sparse) : 0);
  Type *texel = FixedVectorType::get(result.texel->getScalarType(), 4);
  Value *value = t.op(lgc::OpId::ImageLoadOp, operationType(t, texel, sparse),
                      {image.image, dimOperand(t, image.dim), t.i32(flags),
                       addOffset(t, image, coord, operands.offset), operands.lod, operands.sample});
  return setImageResult(t, inst, result, value);
}

} // namespace

Error translateImageFetch(Translator &t, const Inst &inst) {
  return translateLoadTexel(t, inst, inst.opcode == spv::Op::OpImageSparseFetch);
}

Error translateImageRead(Translator &t, const Inst &inst) {
  return translateLoadTexel(t, inst, inst.opcode == spv::Op::OpImageSparseRead);
}

/// Four bits for each sample say which fragment it has. Images here are not compressed, or are
/// expanded before shaders read them: sample N has fragment N.
Error translateFragmentMaskFetch(Translator &t, const Inst &inst) {
  constexpr uint32_t everySampleItsOwn = 0x76543210;
  KILN_TRY(fragmentPlace(t, inst));
  auto type = KILN_TRY(t.type(inst.typeId));
  if (!type->isIntegerTy(32))
    return t.invalid(inst, "a fragment mask has 32 bits");
  return t.setValue(inst, t.i32(everySampleItsOwn));
}

Error translateFragmentFetch(Translator &t, const Inst &inst) {
  const auto [image, coord] = KILN_TRY(fragmentPlace(t, inst));
  auto fragment = KILN_TRY(t.value(inst[2]));
  if (!fragment->getType()->isIntegerTy(32))
    return t.invalid(inst, "a fragment's index has 32 bits");
  auto result = KILN_TRY(imageResult(t, inst, /*sparse=*/false));
  Type *texel = FixedVectorType::get(result.texel->getScalarType(), 4);
  Value *value =
      t.op(lgc::OpId::ImageLoadOp, operationType(t, texel, /*sparse=*/false),
           {image.image, dimOperand(t, image.dim), t.i32(0), coord, t.absent(), fragment});
  return setImageResult(t, inst, result, value);
}

Error translateImageWrite(Translator &t, const Inst &inst) {
  auto image = KILN_TRY(imageRef(t, inst, inst[0]));
  if (image.sampler)
    return t.invalid(inst, "operand %" + Twine(inst[0]) + " is not an image");
  if (isSubpassData(image))
    return t.invalid(inst, "input attachments cannot be written");
  auto coord = KILN_TRY(intCoordinates(t, inst, inst[1], texelCoordinates(image.dim)));
  auto texel = KILN_TRY(t.value(inst[2]));
  if (!isIntShape(texel->getType()) && !isFloatShape(texel->getType()))
    return t.invalid(inst, "texel of type " + typeText(texel->getType()));
  KILN_TRY(checkTexelType(t, inst, texel->getType()->getScalarType()));
  auto operands = KILN_TRY(imageOperands(t, inst, 3, image));
  KILN_TRY(checkLevel(t, inst, operands));
  t.op(lgc::OpId::ImageStoreOp, t.b.getVoidTy(),
       {texel, image.image, dimOperand(t, image.dim), t.i32(operands.flags), coord, operands.lod,
        operands.sample});
  return Error::success();
}

/// The hardware's code is 0 when every texel that was touched is resident.
Error translateSparseTexelsResident(Translator &t, const Inst &inst) {
  auto code = KILN_TRY(t.value(inst[0]));
  auto type = KILN_TRY(t.type(inst.typeId));
  if (!code->getType()->isIntegerTy(32) || !type->isIntegerTy(1))
    return t.invalid(inst, "expected a 32-bit residency code and a bool result");
  return t.setValue(inst, t.b.CreateICmpEQ(code, t.i32(0)));
}

} // namespace llpc
