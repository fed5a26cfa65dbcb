//===- ImageSample.cpp - lgc.image.sample, gather, query.lod --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Picks the instruction variant: image_sample[_c][_d|_b|_l|_lz][_cl][_o] and image_gather4 alike.
/// Address operands come in the order offset, bias, compare value, gradients, coordinates, then lod
/// or minimum lod.
#include "lgc/Shader.h"
#include "lgc/lowering/image/ImageLowering.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {

namespace {

/// Operands of lgc.image.sample.
enum SampleOperand {
  SampleImage,
  SampleSampler,
  SampleDim,
  SampleFlags,
  SampleCoord,
  SampleDref,
  SampleBias,
  SampleLod,
  SampleMinLod,
  SampleDdx,
  SampleDdy,
  SampleOffset
};
/// Operands of lgc.image.gather.
enum GatherOperand {
  GatherImage,
  GatherSampler,
  GatherDim,
  GatherFlags,
  GatherCoord,
  GatherDref,
  GatherBias,
  GatherLod,
  GatherComponent,
  GatherOffset
};

bool isZeroFloat(const Value *value) {
  const auto *constant = dyn_cast<ConstantFP>(value);
  return constant && constant->isZero();
}

/// A constant offset of all zeros says nothing.
bool hasOffset(const Value *offset) {
  if (isAbsent(offset))
    return false;
  const auto *constant = dyn_cast<Constant>(offset);
  return !constant || !constant->isNullValue();
}

bool isSampleDim(ImageDim dim) { return dim != ImageDim::Buffer && !isMultisample(dim); }

} // namespace

Value *ImageLowering::lowerSample(CallInst &call) {
  const auto &op = cast<ImageSampleOp>(call);
  const auto dim = static_cast<ImageDim>(op.constArg(SampleDim));
  auto operand = [&](SampleOperand index) { return call.getArgOperand(index); };
  if (!isSampleDim(dim))
    return fail(call, invalidInput("this dimension cannot be sampled"));
  if (call.use_empty())
    return PoisonValue::get(call.getType());
  SampleAddress address;
  if (!prepareAddress(call, dim, operand(SampleCoord), operand(SampleDdx), operand(SampleDdy), true,
                      address))
    return nullptr;
  auto convert = [&](Value *value) { return b.CreateFPCast(value, address.scalar); };

  Value *bias = operand(SampleBias), *lod = operand(SampleLod), *minLod = operand(SampleMinLod);
  const bool gradient = !address.gradients.empty();
  bool clamp = !isAbsent(minLod), useBias = !isAbsent(bias), useLod = !isAbsent(lod);
  bool levelZero = useLod && isZeroFloat(lod);
  if (!gradient && !useLod && !hasDerivatives(*call.getFunction(), state)) {
    // No derivatives: level 0, or the least level that is allowed.
    useBias = false;
    levelZero = !clamp;
    if (clamp) {
      lod = minLod;
      useLod = true;
      clamp = false;
    }
  }

  std::string name = "sample";
  SmallVector<Value *, 20> args;
  const TexelResult result = texelResult(call);
  const uint32_t dmask = neededComponents(call, result);
  args.push_back(b.getInt32(dmask));
  if (hasOffset(operand(SampleOffset)))
    args.push_back(packOffset(operand(SampleOffset)));
  if (!isAbsent(operand(SampleDref)))
    name += ".c";
  if (gradient) {
    name += ".d";
  } else if (levelZero) {
    name += ".lz";
    clamp = false;
  } else if (useLod) {
    name += ".l";
    clamp = false;
  } else if (useBias) {
    name += ".b";
    args.push_back(convert(bias));
  }
  if (!isAbsent(operand(SampleDref)))
    args.push_back(b.CreateFPCast(operand(SampleDref), b.getFloatTy()));
  args.append(address.gradients.begin(), address.gradients.end());
  args.append(address.coords.begin(), address.coords.end());
  if (clamp) {
    name += ".cl";
    args.push_back(convert(minLod));
  } else if (useLod && !levelZero && !gradient) {
    args.push_back(convert(lod));
  }
  if (hasOffset(operand(SampleOffset)))
    name += ".o";
  const uint32_t policy = cacheBits(op.constArg(SampleFlags), AccessKind::Load, false);
  args.append({operand(SampleImage), operand(SampleSampler), b.getFalse(),
               b.getInt32(result.sparse ? 1 : 0), b.getInt32(policy)});
  Value *raw = imageIntrinsic(name, dim, accessType(dmask, result), args);
  if (!raw)
    return fail(call, internalError("no intrinsic for " + name));
  return finishAccess(raw, dmask, result);
}

/// TRUNC_COORD, which drivers set for nearest filters, also moves the footprint of gathers: it
/// changes at the centres of texels, where rounding is what applications expect. A vector
/// operation, so that lgc-lower-waterfall finds the loads behind it.
Value *ImageLowering::samplerForGather(Value *sampler) {
  constexpr uint32_t truncCoord = 1u << 27;
  const uint32_t keep[] = {~truncCoord, ~0u, ~0u, ~0u};
  return b.CreateAnd(sampler, ConstantDataVector::get(module.getContext(), keep));
}

/// One gather4 with an offset of one vector (or absent). Returns the operation's result type.
Value *ImageLowering::gatherOnce(CallInst &call, const SampleAddress &address, Value *offset) {
  const auto &op = cast<ImageGatherOp>(call);
  const auto dim = static_cast<ImageDim>(op.constArg(GatherDim));
  auto convert = [&](Value *value) { return b.CreateFPCast(value, address.scalar); };
  Value *dref = call.getArgOperand(GatherDref), *bias = call.getArgOperand(GatherBias),
        *lod = call.getArgOperand(GatherLod);
  const bool compare = !isAbsent(dref);
  const bool useBias = !isAbsent(bias) && hasDerivatives(*call.getFunction(), state);
  const bool useLod = !isAbsent(lod) && !isZeroFloat(lod);

  std::string name = "gather4";
  SmallVector<Value *, 16> args;
  // A comparison has one component to gather.
  args.push_back(b.getInt32(compare ? 1 : 1u << (op.constArg(GatherComponent) & 3)));
  if (hasOffset(offset))
    args.push_back(packOffset(offset));
  if (compare)
    name += ".c";
  if (useBias) {
    name += ".b";
    args.push_back(convert(bias));
  } else {
    name += useLod ? ".l" : ".lz";
  }
  if (compare)
    args.push_back(b.CreateFPCast(dref, b.getFloatTy()));
  args.append(address.coords.begin(), address.coords.end());
  if (useLod && !useBias)
    args.push_back(convert(lod));
  if (hasOffset(offset))
    name += ".o";
  // Why: these are the forms of SPV_AMD_texture_gather_bias_lod, gone with gfx11.
  if (target.major >= 11 && hasOffset(offset) && (useBias || useLod))
    return fail(call, unsupported("bias or lod together with an offset on " + target.name));
  const TexelResult result = texelResult(call);
  const uint32_t policy = cacheBits(op.constArg(GatherFlags), AccessKind::Load, false);
  args.append({call.getArgOperand(GatherImage), samplerForGather(call.getArgOperand(GatherSampler)),
               b.getFalse(), b.getInt32(result.sparse ? 1 : 0), b.getInt32(policy)});
  Value *raw = imageIntrinsic(name, dim, accessType(0xf, result), args);
  if (!raw)
    return fail(call, invalidInput("this dimension cannot be gathered"));
  return finishAccess(raw, 0xf, result);
}

Value *ImageLowering::lowerGather(CallInst &call) {
  const auto &op = cast<ImageGatherOp>(call);
  const auto dim = static_cast<ImageDim>(op.constArg(GatherDim));
  if (!isSampleDim(dim))
    return fail(call, invalidInput("this dimension cannot be gathered"));
  if (call.use_empty())
    return PoisonValue::get(call.getType());
  SampleAddress address;
  Value *none = absent(module.getContext());
  if (!prepareAddress(call, dim, call.getArgOperand(GatherCoord), none, none, true, address))
    return nullptr;
  Value *offset = call.getArgOperand(GatherOffset);
  if (!offset->getType()->isArrayTy())
    return gatherOnce(call, address, offset);

  // Four offsets: each contributes the texel (i0, j0) of its own footprint, the last of gather4's.
  const TexelResult result = texelResult(call);
  Value *texels = PoisonValue::get(result.type);
  Value *code = b.getInt32(0);
  for (unsigned i = 0; i < 4; ++i) {
    Value *one = gatherOnce(call, address, b.CreateExtractValue(offset, i));
    if (!one)
      return nullptr;
    if (result.sparse) {
      code = b.CreateOr(code, b.CreateExtractValue(one, 1));
      one = b.CreateExtractValue(one, 0);
    }
    texels = b.CreateInsertElement(texels, b.CreateExtractElement(one, 3), i);
  }
  if (!result.sparse)
    return texels;
  Value *pair = b.CreateInsertValue(PoisonValue::get(call.getType()), texels, 0);
  return b.CreateInsertValue(pair, code, 1);
}

Value *ImageLowering::lowerQueryLod(CallInst &call) {
  const auto &op = cast<ImageQueryLodOp>(call);
  auto dim = static_cast<ImageDim>(op.constArg(2));
  // The layer has no influence.
  if (dim == ImageDim::Dim1DArray)
    dim = ImageDim::Dim1D;
  else if (dim == ImageDim::Dim2DArray)
    dim = ImageDim::Dim2D;
  else if (dim == ImageDim::CubeArray)
    dim = ImageDim::Cube;
  if (!isSampleDim(dim))
    return fail(call, invalidInput("this dimension has no level of detail"));
  SampleAddress address;
  Value *none = absent(module.getContext());
  if (!prepareAddress(call, dim, call.getArgOperand(4), none, none, false, address))
    return nullptr;
  SmallVector<Value *, 12> args = {b.getInt32(3)};
  args.append(address.coords.begin(), address.coords.end());
  args.append(
      {call.getArgOperand(0), call.getArgOperand(1), b.getFalse(), b.getInt32(0), b.getInt32(0)});
  return imageIntrinsic("getlod", dim, call.getType(), args);
}

} // namespace lgc
