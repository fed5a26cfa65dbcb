//===- ImageAccess.cpp - lgc.image.load and lgc.image.store ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Texel reads and writes without a sampler. Instructions move float or half components; integers
/// of the same width are bit casts (the descriptor's format decides the conversion). 64-bit texels
/// are one pair of 32-bit components (format 32_32).
#include "lgc/lowering/image/ImageLowering.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {

Type *ImageLowering::hardwareType(Type *scalar, unsigned components) {
  Type *element = scalar->getScalarSizeInBits() == 16 ? b.getHalfTy() : b.getFloatTy();
  return components == 1 ? element : FixedVectorType::get(element, components);
}

uint32_t ImageLowering::neededComponents(const CallInst &call, const TexelResult &result) {
  if (result.scalar->getScalarSizeInBits() == 64)
    return 0x3;
  auto *vector = dyn_cast<FixedVectorType>(result.type);
  if (!vector)
    return 0x1;
  const uint32_t all = (1u << vector->getNumElements()) - 1;
  if (result.sparse)
    return all;
  uint32_t mask = 0;
  for (const User *user : call.users()) {
    if (const auto *extract = dyn_cast<ExtractElementInst>(user)) {
      const auto *index = dyn_cast<ConstantInt>(extract->getIndexOperand());
      if (!index || index->getValue().uge(vector->getNumElements()))
        return all;
      mask |= 1u << index->getZExtValue();
      continue;
    }
    const auto *shuffle = dyn_cast<ShuffleVectorInst>(user);
    if (!shuffle)
      return all;
    const int length = static_cast<int>(vector->getNumElements());
    for (int element : shuffle->getShuffleMask()) {
      if (element < 0)
        continue;
      const bool first = element < length;
      if (shuffle->getOperand(first ? 0 : 1) == &call)
        mask |= 1u << (first ? element : element - length);
    }
  }
  // Why: there is no three-component 16-bit register tuple.
  if (result.scalar->getScalarSizeInBits() == 16 && llvm::popcount(mask) == 3)
    return all;
  return mask ? mask : 1;
}

Value *ImageLowering::texelFromHardware(Value *raw, uint32_t dmask, const TexelResult &result,
                                        Value *desc) {
  auto *vector = dyn_cast<FixedVectorType>(result.type);
  if (result.scalar->getScalarSizeInBits() == 64) {
    Value *first = b.CreateBitCast(raw, result.scalar);
    if (!vector)
      return first;
    // The other components of a one-component format: 0, 0, 1; of a null descriptor 0, 0, 0.
    Value *texel = Constant::getNullValue(vector);
    texel = b.CreateInsertElement(texel, first, uint64_t(0));
    if (vector->getNumElements() < 4)
      return texel;
    Value *one = result.scalar->isIntegerTy()
                     ? b.CreateZExt(zeroIfNull(desc, b.getInt32(1)), result.scalar)
                     : ConstantFP::get(result.scalar, 1.0);
    return b.CreateInsertElement(texel, one, uint64_t(3));
  }
  if (!vector) {
    Value *first = raw->getType()->isVectorTy() ? b.CreateExtractElement(raw, uint64_t(0)) : raw;
    return b.CreateBitCast(first, result.scalar);
  }
  const unsigned count = vector->getNumElements();
  if (dmask == (1u << count) - 1)
    return b.CreateBitCast(raw, vector);
  Value *texel = PoisonValue::get(vector);
  unsigned next = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (!(dmask & (1u << i)))
      continue;
    Value *component = raw->getType()->isVectorTy() ? b.CreateExtractElement(raw, next) : raw;
    texel = b.CreateInsertElement(texel, b.CreateBitCast(component, result.scalar), i);
    ++next;
  }
  return texel;
}

/// The type in which the hardware delivers `result`. Why not 16 bits with a residency code: LLVM
/// selects neither gather4 nor buffer loads of that kind.
static Type *deliveredScalar(IRBuilderBase &b, const TexelResult &result) {
  if (!result.sparse || result.scalar->getScalarSizeInBits() != 16)
    return result.scalar;
  return result.scalar->isIntegerTy() ? b.getInt32Ty() : b.getFloatTy();
}

Type *ImageLowering::accessType(uint32_t dmask, const TexelResult &result) {
  Type *type = hardwareType(deliveredScalar(b, result), llvm::popcount(dmask));
  return result.sparse ? StructType::get(module.getContext(), {type, b.getInt32Ty()}) : type;
}

Value *ImageLowering::finishAccess(Value *raw, uint32_t dmask, const TexelResult &result,
                                   Value *desc) {
  if (!result.sparse)
    return texelFromHardware(raw, dmask, result, desc);
  TexelResult delivered = result;
  delivered.scalar = deliveredScalar(b, result);
  auto *vector = dyn_cast<FixedVectorType>(result.type);
  delivered.type =
      vector ? FixedVectorType::get(delivered.scalar, vector->getNumElements()) : delivered.scalar;
  Value *texel = texelFromHardware(b.CreateExtractValue(raw, 0), dmask, delivered, desc);
  if (delivered.type != result.type)
    texel = result.scalar->isIntegerTy() ? b.CreateTrunc(texel, result.type)
                                         : b.CreateFPTrunc(texel, result.type);
  Value *pair =
      PoisonValue::get(StructType::get(module.getContext(), {result.type, b.getInt32Ty()}));
  pair = b.CreateInsertValue(pair, texel, 0);
  return b.CreateInsertValue(pair, b.CreateExtractValue(raw, 1), 1);
}

Value *ImageLowering::texelToHardware(Value *texel) {
  Type *scalar = texel->getType()->getScalarType();
  if (scalar->getScalarSizeInBits() == 64) {
    if (texel->getType()->isVectorTy())
      texel = b.CreateExtractElement(texel, uint64_t(0));
    return b.CreateBitCast(texel, FixedVectorType::get(b.getFloatTy(), 2));
  }
  auto *vector = dyn_cast<FixedVectorType>(texel->getType());
  const unsigned count = vector ? vector->getNumElements() : 1;
  Value *raw = b.CreateBitCast(texel, hardwareType(scalar, count));
  if (scalar->getScalarSizeInBits() == 16 && count == 3) // no such register tuple
    raw = b.CreateShuffleVector(raw, {0, 1, 2, PoisonMaskElem});
  return raw;
}

SmallVector<Value *, 5> ImageLowering::texelCoords(const CallInst &call, ImageDim dim, Value *coord,
                                                   Value *sample) {
  SmallVector<Value *, 5> coords;
  for (Value *element : vectorElements(b, coord))
    coords.push_back(element);
  if (coords.size() != texelCoordCount(dim) || !coord->getType()->isIntOrIntVectorTy()) {
    fail(call, internalError("expected " + Twine(texelCoordCount(dim)) + " integer coordinates"));
    return {};
  }
  Type *scalar = coords[0]->getType();
  if (isMultisample(dim))
    coords.push_back(isAbsent(sample) ? ConstantInt::get(scalar, 0)
                                      : b.CreateZExtOrTrunc(sample, scalar));
  return coords;
}

Value *ImageLowering::bufferResource(Value *desc) {
  Value *bits = b.CreateBitCast(desc, b.getIntNTy(128));
  return b.CreateIntToPtr(bits, PointerType::get(module.getContext(), 8));
}

/// Buffer format loads return leading components only, so `dmask` grows to a run from x.
Value *ImageLowering::loadTexelBuffer(CallInst &call, Value *index, uint32_t dmask,
                                      const TexelResult &result) {
  unsigned components = 32 - llvm::countl_zero(dmask);
  if (components == 3 && result.scalar->getScalarSizeInBits() == 16)
    components = 4;
  dmask = (1u << components) - 1;
  const uint32_t flags = cast<ImageLoadOp>(call).constArg(2);
  Value *raw = callIntrinsic(
      Intrinsic::amdgcn_struct_ptr_buffer_load_format, accessType(dmask, result),
      {bufferResource(call.getArgOperand(0)), b.CreateZExt(index, b.getInt32Ty()), b.getInt32(0),
       b.getInt32(0), b.getInt32(cacheBits(flags, AccessKind::Load, true))});
  return finishAccess(raw, dmask, result, call.getArgOperand(0));
}

static bool isZero(const Value *value) {
  const auto *constant = dyn_cast<Constant>(value);
  return constant && constant->isNullValue();
}

Value *ImageLowering::lowerLoad(CallInst &call) {
  const auto &op = cast<ImageLoadOp>(call);
  const auto dim = static_cast<ImageDim>(op.constArg(1));
  const uint32_t flags = op.constArg(2);
  Value *desc = call.getArgOperand(0), *lod = call.getArgOperand(4);
  const TexelResult result = texelResult(call);
  if (call.use_empty() && !(flags & ImageFlags::Volatile))
    return PoisonValue::get(call.getType());
  SmallVector<Value *, 5> coords =
      texelCoords(call, dim, call.getArgOperand(3), call.getArgOperand(5));
  if (coords.empty())
    return nullptr;
  const uint32_t dmask = neededComponents(call, result);
  if (dim == ImageDim::Buffer)
    return loadTexelBuffer(call, coords[0], dmask, result);

  const bool mip = !isMultisample(dim) && !isAbsent(lod) && !isZero(lod);
  SmallVector<Value *, 12> args = {b.getInt32(dmask)};
  args.append(coords.begin(), coords.end());
  if (mip)
    args.push_back(b.CreateZExtOrTrunc(lod, coords[0]->getType()));
  args.append({desc, b.getInt32(result.sparse ? 1 : 0),
               b.getInt32(cacheBits(flags, AccessKind::Load, false))});
  Value *raw = imageIntrinsic(mip ? "load.mip" : "load", dim, accessType(dmask, result), args);
  if (!raw)
    return fail(call, internalError("no intrinsic for this dimension"));
  return finishAccess(raw, dmask, result, desc);
}

Value *ImageLowering::lowerStore(CallInst &call) {
  const auto &op = cast<ImageStoreOp>(call);
  const auto dim = static_cast<ImageDim>(op.constArg(2));
  const uint32_t flags = op.constArg(3);
  Value *desc = call.getArgOperand(1), *lod = call.getArgOperand(5);
  SmallVector<Value *, 5> coords =
      texelCoords(call, dim, call.getArgOperand(4), call.getArgOperand(6));
  if (coords.empty())
    return nullptr;
  Value *texel = texelToHardware(call.getArgOperand(0));
  auto *vector = dyn_cast<FixedVectorType>(texel->getType());
  const uint32_t dmask = (1u << (vector ? vector->getNumElements() : 1)) - 1;
  if (dim == ImageDim::Buffer) {
    callIntrinsic(Intrinsic::amdgcn_struct_ptr_buffer_store_format, b.getVoidTy(),
                  {texel, bufferResource(desc), b.CreateZExt(coords[0], b.getInt32Ty()),
                   b.getInt32(0), b.getInt32(0),
                   b.getInt32(cacheBits(flags, AccessKind::Store, true))});
    return nullptr;
  }
  const bool mip = !isMultisample(dim) && !isAbsent(lod) && !isZero(lod);
  SmallVector<Value *, 12> args = {texel, b.getInt32(dmask)};
  args.append(coords.begin(), coords.end());
  if (mip)
    args.push_back(b.CreateZExtOrTrunc(lod, coords[0]->getType()));
  args.append({desc, b.getInt32(0), b.getInt32(cacheBits(flags, AccessKind::Store, false))});
  if (!imageIntrinsic(mip ? "store.mip" : "store", dim, b.getVoidTy(), args))
    fail(call, internalError("no intrinsic for this dimension"));
  return nullptr;
}

} // namespace lgc
