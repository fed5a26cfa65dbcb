//===- ImageUtils.cpp - operands of image instructions --------------------===//
// SPDX-License-Identifier: MIT
#include "llpc/translate/ImageUtils.h"
#include "llpc/translate/Kernel.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {

Expected<lgc::ImageDim> imageDim(Translator &t, const Inst &inst, const Inst &imageType) {
  using lgc::ImageDim;
  const bool array = imageType[3] != 0, multisample = imageType[4] != 0;
  const auto dim = static_cast<spv::Dim>(imageType[1]);
  if (multisample && dim != spv::Dim::Dim2D && dim != spv::Dim::SubpassData)
    return t.invalid(inst, "multisample image that is not 2D");
  switch (dim) {
  case spv::Dim::Dim1D:
    return array ? ImageDim::Dim1DArray : ImageDim::Dim1D;
  case spv::Dim::Dim2D:
    if (multisample)
      return array ? ImageDim::Dim2DMsArray : ImageDim::Dim2DMs;
    return array ? ImageDim::Dim2DArray : ImageDim::Dim2D;
  case spv::Dim::Dim3D:
    if (array)
      return t.invalid(inst, "array of 3D images");
    return ImageDim::Dim3D;
  case spv::Dim::Cube:
    return array ? ImageDim::CubeArray : ImageDim::Cube;
  case spv::Dim::Buffer:
    if (array)
      return t.invalid(inst, "array of texel buffers");
    return ImageDim::Buffer;
  case spv::Dim::SubpassData:
    // Of layered attachments and with multiview each fragment sees its own layer.
    return multisample ? ImageDim::Dim2DMsArray : ImageDim::Dim2DArray;
  default:
    return t.unsupportedOp(inst, "image dimension " + Twine(imageType[1]));
  }
}

void markNonUniform(Value *value) {
  SmallVector<Value *, 4> work = {value};
  for (unsigned steps = 0; !work.empty() && steps < 64; ++steps) {
    Value *next = work.pop_back_val();
    if (auto *insert = dyn_cast<InsertValueInst>(next)) {
      work.push_back(insert->getAggregateOperand());
      work.push_back(insert->getInsertedValueOperand());
    } else if (auto *extract = dyn_cast<ExtractValueInst>(next)) {
      work.push_back(extract->getAggregateOperand());
    } else if (auto *load = dyn_cast<lgc::LoadDescOp>(next)) {
      const uint32_t flags = load->constArg(2) | lgc::ResourceFlags::NonUniform;
      load->setArgOperand(2, ConstantInt::get(load->getArgOperand(2)->getType(), flags));
    }
  }
}

/// Coherent and Volatile of the variable that image value `id` was loaded from.
static uint32_t memoryFlags(const Translator &t, Id id) {
  const Inst *inst = t.spv.definition(id);
  for (unsigned steps = 0; inst && steps < 64; ++steps) {
    switch (inst->opcode) {
    case spv::Op::OpLoad:
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpCopyObject:
    case spv::Op::OpImage:
    case spv::Op::OpSampledImage:
      inst = t.spv.definition((*inst)[0]);
      continue;
    case spv::Op::OpVariable:
    case spv::Op::OpFunctionParameter: {
      uint32_t flags = 0;
      if (t.hasDecoration(inst->resultId, spv::Decoration::Coherent))
        flags |= lgc::ImageFlags::Coherent;
      if (t.hasDecoration(inst->resultId, spv::Decoration::Volatile))
        flags |= lgc::ImageFlags::Volatile;
      return flags;
    }
    default:
      return 0;
    }
  }
  return 0;
}

Expected<ImageRef> imageRef(Translator &t, const Inst &inst, Id id) {
  const Inst *type = t.spv.definition(t.typeIdOf(id));
  ImageRef ref;
  const bool combined = type && type->opcode == spv::Op::OpTypeSampledImage;
  if (combined)
    type = t.spv.definition((*type)[0]);
  if (!type || type->opcode != spv::Op::OpTypeImage)
    return t.invalid(inst, "operand %" + Twine(id) + " is not an image");
  ref.type = type;
  auto dim = KILN_TRY(imageDim(t, inst, *type));
  ref.dim = dim;
  auto value = KILN_TRY(t.value(id));
  if (t.hasDecoration(id, spv::Decoration::NonUniform))
    markNonUniform(value);
  ref.image = combined ? t.b.CreateExtractValue(value, 0) : value;
  if (combined)
    ref.sampler = t.b.CreateExtractValue(value, 1);
  ref.flags |= memoryFlags(t, id);
  return ref;
}

bool isSubpassData(const ImageRef &image) {
  return (*image.type)[1] == static_cast<uint32_t>(spv::Dim::SubpassData);
}

Expected<Value *> subpassCoordinates(Translator &t, const Inst &inst, Id id) {
  if (!t.isStage(lgc::ShaderStage::Fragment))
    return t.invalid(inst, "input attachments are for fragment shaders only");
  auto offset = KILN_TRY(intCoordinates(t, inst, id, 2));
  Value *position = t.op(lgc::OpId::BuiltinOp, FixedVectorType::get(t.b.getFloatTy(), 4),
                         {t.i32(static_cast<uint32_t>(lgc::BuiltIn::FragCoord))});
  Value *layer = t.op(lgc::OpId::InputLoadOp, t.b.getInt32Ty(),
                      {t.i32(lgc::Slot::Layer), t.i32(0), t.i32(0), t.absent()});
  Type *i32 = t.b.getInt32Ty();
  Value *result = PoisonValue::get(FixedVectorType::get(i32, 3));
  for (uint64_t i = 0; i < 2; ++i) {
    Value *pixel = t.b.CreateFPToSI(t.b.CreateExtractElement(position, i), i32);
    Value *add = t.b.CreateSExt(t.b.CreateExtractElement(offset, i), i32);
    result = t.b.CreateInsertElement(result, t.b.CreateAdd(pixel, add), i);
  }
  return t.b.CreateInsertElement(result, layer, uint64_t(2));
}

Expected<ImageRef> sampledImageRef(Translator &t, const Inst &inst, Id id) {
  auto ref = KILN_TRY(imageRef(t, inst, id));
  if (!ref.sampler)
    return t.invalid(inst, "operand %" + Twine(id) + " is not a sampled image");
  if (ref.isBuffer() || ref.isMultisample())
    return t.invalid(inst, "multisample images and texel buffers cannot be sampled");
  return ref;
}

unsigned gradientCoordinates(lgc::ImageDim dim) {
  using lgc::ImageDim;
  switch (dim) {
  case ImageDim::Dim1D:
  case ImageDim::Dim1DArray:
  case ImageDim::Buffer:
    return 1;
  case ImageDim::Dim3D:
  case ImageDim::Cube:
  case ImageDim::CubeArray:
    return 3;
  default:
    return 2;
  }
}

unsigned sampleCoordinates(lgc::ImageDim dim) {
  using lgc::ImageDim;
  const bool array = dim == ImageDim::Dim1DArray || dim == ImageDim::Dim2DArray ||
                     dim == ImageDim::CubeArray || dim == ImageDim::Dim2DMsArray;
  return gradientCoordinates(dim) + (array ? 1 : 0);
}

unsigned texelCoordinates(lgc::ImageDim dim) {
  return dim == lgc::ImageDim::CubeArray ? 3 : sampleCoordinates(dim);
}

unsigned offsetCoordinates(lgc::ImageDim dim) {
  using lgc::ImageDim;
  if (dim == ImageDim::Cube || dim == ImageDim::CubeArray || dim == ImageDim::Buffer)
    return 0;
  return gradientCoordinates(dim);
}

Value *firstElements(Translator &t, Value *vector, unsigned count) {
  auto *type = dyn_cast<FixedVectorType>(vector->getType());
  if (!type || type->getNumElements() == count)
    return vector;
  if (count == 1)
    return t.b.CreateExtractElement(vector, uint64_t(0));
  SmallVector<int, 4> mask;
  for (unsigned i = 0; i < count; ++i)
    mask.push_back(static_cast<int>(i));
  return t.b.CreateShuffleVector(vector, mask);
}

Expected<Value *> floatCoordinates(Translator &t, const Inst &inst, Id id, unsigned count) {
  auto value = KILN_TRY(t.value(id));
  if (isKernel(t) && isIntShape(value->getType())) // "a vector of floating-point or integer type"
    value = t.b.CreateSIToFP(value, withShapeOf(t.b.getFloatTy(), value->getType()));
  Type *scalar = value->getType()->getScalarType();
  if (!scalar->isFloatTy() && !scalar->isHalfTy())
    return t.invalid(inst, "operand %" + Twine(id) + " has type " + typeText(value->getType()) +
                               ", expected 16- or 32-bit floats");
  if (elementCount(value->getType()) < count)
    return t.invalid(inst, "operand %" + Twine(id) + " has type " + typeText(value->getType()) +
                               ", expected at least " + Twine(count) + " component(s)");
  return firstElements(t, value, count);
}

Expected<Value *> intCoordinates(Translator &t, const Inst &inst, Id id, unsigned count) {
  auto value = KILN_TRY(t.value(id));
  if (!isIntShape(value->getType()))
    return t.invalid(inst, "operand %" + Twine(id) + " has type " + typeText(value->getType()) +
                               ", expected integers");
  if (elementCount(value->getType()) < count)
    return t.invalid(inst, "operand %" + Twine(id) + " has type " + typeText(value->getType()) +
                               ", expected at least " + Twine(count) + " component(s)");
  value = firstElements(t, value, count);
  if (value->getType()->getScalarType()->isIntegerTy(16))
    return value;
  Type *type = withShapeOf(t.b.getInt32Ty(), value->getType());
  return t.isSignedInt(t.typeIdOf(id)) ? t.b.CreateSExtOrTrunc(value, type)
                                       : t.b.CreateZExtOrTrunc(value, type);
}

// --- Image Operands -----------------------------------------------------------------------------

namespace {

/// Walks the operands in the order of their mask bits.
class OperandReader {
public:
  OperandReader(Translator &t, const Inst &inst, size_t index, const ImageRef &image)
      : t(t), inst(inst), index(index), image(image) {
    Value *none = t.absent();
    result = {none, none, none, none, none, none, none};
  }
  Expected<ImageOperands> read();

private:
  using Mask = spv::ImageOperandsMask;
  bool has(Mask bit) const { return (result.mask & static_cast<uint32_t>(bit)) != 0; }
  Expected<Id> next() {
    if (index >= inst.size())
      return t.invalid(inst, "too few image operands");
    return inst[index++];
  }
  Error readLevel();
  Error readGradient();
  Error readOffsets();
  Error readScope(Mask bit);
  Expected<Value *> floatScalar(Id id) { return floatCoordinates(t, inst, id, 1); }

  Translator &t;
  const Inst &inst;
  size_t index;
  const ImageRef &image;
  ImageOperands result;
};

Error OperandReader::readLevel() {
  if (has(Mask::Bias)) {
    auto id = KILN_TRY(next());
    auto bias = KILN_TRY(floatScalar(id));
    result.bias = bias;
  }
  if (!has(Mask::Lod))
    return Error::success();
  auto id = KILN_TRY(next());
  auto value = KILN_TRY(t.value(id));
  // Sampling takes a float level, fetch, read and write an integer one.
  if (isIntShape(value->getType())) {
    auto lod = KILN_TRY(intCoordinates(t, inst, id, 1));
    result.lod = lod;
    return Error::success();
  }
  auto lod = KILN_TRY(floatScalar(id));
  result.lod = lod;
  return Error::success();
}

Error OperandReader::readGradient() {
  if (!has(Mask::Grad))
    return Error::success();
  auto xId = KILN_TRY(next());
  auto yId = KILN_TRY(next());
  auto x = KILN_TRY(floatCoordinates(t, inst, xId, gradientCoordinates(image.dim)));
  auto y = KILN_TRY(floatCoordinates(t, inst, yId, gradientCoordinates(image.dim)));
  result.gradX = x;
  result.gradY = y;
  return Error::success();
}

Error OperandReader::readOffsets() {
  const unsigned count = offsetCoordinates(image.dim);
  for (Mask bit : {Mask::ConstOffset, Mask::Offset}) {
    if (!has(bit))
      continue;
    if (!count)
      return t.invalid(inst, "offset into an image that takes none");
    auto id = KILN_TRY(next());
    auto offset = KILN_TRY(intCoordinates(t, inst, id, count));
    result.offset = t.b.CreateSExt(offset, withShapeOf(t.b.getInt32Ty(), offset->getType()));
  }
  return Error::success();
}

/// ConstOffsets or Offsets: an array of four two-component vectors.
Expected<Value *> fourOffsets(Translator &t, const Inst &inst, Id id) {
  auto value = KILN_TRY(t.value(id));
  auto *array = dyn_cast<ArrayType>(value->getType());
  auto *vector = array ? dyn_cast<FixedVectorType>(array->getElementType()) : nullptr;
  if (!vector || array->getNumElements() != 4 || vector->getNumElements() != 2 ||
      !isIntShape(vector))
    return t.invalid(inst, "offsets are not an array of four integer pairs");
  auto *pair = FixedVectorType::get(t.b.getInt32Ty(), 2);
  Value *result = PoisonValue::get(ArrayType::get(pair, 4));
  for (unsigned i = 0; i < 4; ++i)
    result = t.b.CreateInsertValue(
        result, t.b.CreateSExtOrTrunc(t.b.CreateExtractValue(value, i), pair), i);
  return result;
}

Error OperandReader::readScope(Mask bit) {
  if (!has(bit))
    return Error::success();
  auto id = KILN_TRY(next());
  auto scope = KILN_TRY(t.readConstant(id));
  // Within a subgroup all lanes share their caches.
  if (scope != static_cast<uint32_t>(spv::Scope::Subgroup) &&
      scope != static_cast<uint32_t>(spv::Scope::Invocation))
    result.flags |= lgc::ImageFlags::Coherent;
  return Error::success();
}

Expected<ImageOperands> OperandReader::read() {
  result.flags = image.flags;
  if (index >= inst.size())
    return result;
  result.mask = inst[index++];
  KILN_TRY(readLevel());
  KILN_TRY(readGradient());
  KILN_TRY(readOffsets());
  if (has(Mask::ConstOffsets)) {
    auto id = KILN_TRY(next());
    auto offsets = KILN_TRY(fourOffsets(t, inst, id));
    result.offset = offsets;
  }
  if (has(Mask::Sample)) {
    auto id = KILN_TRY(next());
    auto sample = KILN_TRY(intCoordinates(t, inst, id, 1));
    result.sample = t.b.CreateZExt(sample, t.b.getInt32Ty());
  }
  if (has(Mask::MinLod)) {
    auto id = KILN_TRY(next());
    auto minLod = KILN_TRY(floatScalar(id));
    result.minLod = minLod;
  }
  KILN_TRY(readScope(Mask::MakeTexelAvailable));
  KILN_TRY(readScope(Mask::MakeTexelVisible));
  if (has(Mask::Offsets)) {
    auto id = KILN_TRY(next());
    auto offsets = KILN_TRY(fourOffsets(t, inst, id));
    result.offset = offsets;
  }
  if (has(Mask::VolatileTexel))
    result.flags |= lgc::ImageFlags::Volatile;
  if (has(Mask::Nontemporal))
    result.flags |= lgc::ImageFlags::NonTemporal;
  return result;
}

} // namespace

Expected<ImageOperands> imageOperands(Translator &t, const Inst &inst, size_t index,
                                      const ImageRef &image) {
  return OperandReader(t, inst, index, image).read();
}

// --- Results ------------------------------------------------------------------------------------

Error checkTexelType(Translator &t, const Inst &inst, Type *scalar) {
  if (scalar->isFloatTy() || scalar->isHalfTy() || scalar->isIntegerTy(16) ||
      scalar->isIntegerTy(32) || scalar->isIntegerTy(64))
    return Error::success();
  return t.invalid(inst, "texels of type " + typeText(scalar));
}

Expected<ImageResult> imageResult(Translator &t, const Inst &inst, bool sparse) {
  auto type = KILN_TRY(t.type(inst.typeId));
  ImageResult result{type, type, sparse};
  if (sparse) {
    auto *pair = dyn_cast<StructType>(type);
    if (!pair || pair->getNumElements() != 2 || !pair->getElementType(0)->isIntegerTy(32))
      return t.invalid(inst, "result is not a structure of a residency code and a texel");
    result.texel = pair->getElementType(1);
  }
  if (!isIntShape(result.texel) && !isFloatShape(result.texel))
    return t.invalid(inst, "texels of type " + typeText(result.texel));
  KILN_TRY(checkTexelType(t, inst, result.texel->getScalarType()));
  return result;
}

Type *operationType(Translator &t, Type *texel, bool sparse) {
  return sparse ? StructType::get(t.context, {texel, t.b.getInt32Ty()}) : texel;
}

Error setImageResult(Translator &t, const Inst &inst, const ImageResult &result, Value *value) {
  Value *texel = result.sparse ? t.b.CreateExtractValue(value, 0) : value;
  texel = firstElements(t, texel, elementCount(result.texel));
  if (texel->getType() != result.texel)
    return t.invalid(inst, "result has type " + typeText(result.texel) + ", expected " +
                               typeText(texel->getType()));
  if (!result.sparse)
    return t.setValue(inst, texel);
  Value *pair =
      t.b.CreateInsertValue(PoisonValue::get(result.type), t.b.CreateExtractValue(value, 1), 0);
  return t.setValue(inst, t.b.CreateInsertValue(pair, texel, 1));
}

} // namespace llpc
