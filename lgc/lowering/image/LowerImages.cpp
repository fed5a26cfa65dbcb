//===- LowerImages.cpp - lgc.image.* -> image and buffer intrinsics -------===//
// SPDX-License-Identifier: MIT
/// \file
/// Turns image operations into llvm.amdgcn.image.* and (for texel buffers)
/// llvm.amdgcn.struct.ptr.buffer.*. Runs after lgc-lower-ycbcr, which rewrites samples of YCbCr
/// bindings, and before lgc-lower-waterfall, which knows the intrinsics but not these operations.
/// Descriptors are plain vectors here; where they come from does not matter.
///
///   before: %t = call <4 x float> @lgc.image.sample...(%image, %sampler, i32 1, i32 0, %uv, ...)
///           %x = extractelement <4 x float> %t, i64 0
///   after:  %t = call float @llvm.amdgcn.image.sample.lz.2d.f32.f32.v8i32.v4i32(i32 1, %u, %v,
///                                                %image, %sampler, i1 false, i32 0, i32 0)
///
/// Only components that are read are requested. A compute shader without derivative groups has no
/// implicit derivatives: such samples take level 0.
///
/// Null descriptors and robustImageAccess2: an all-zero descriptor reads 0 and drops stores in
/// hardware, and so do coordinates outside the image; only size queries need help (ImageQuery.cpp).
/// Multisample images are read without FMASK: the driver must not compress them with it.
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/image/ImageLowering.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {

StringRef imageDimName(ImageDim dim) {
  switch (dim) {
  case ImageDim::Dim1D:
    return "1d";
  case ImageDim::Dim2D:
    return "2d";
  case ImageDim::Dim3D:
    return "3d";
  case ImageDim::Cube:
  case ImageDim::CubeArray:
    return "cube";
  case ImageDim::Dim1DArray:
    return "1darray";
  case ImageDim::Dim2DArray:
    return "2darray";
  case ImageDim::Dim2DMs:
    return "2dmsaa";
  case ImageDim::Dim2DMsArray:
    return "2darraymsaa";
  case ImageDim::Buffer:
    return "";
  }
  return "";
}

unsigned sampleCoordCount(ImageDim dim) {
  switch (dim) {
  case ImageDim::Dim1D:
  case ImageDim::Buffer:
    return 1;
  case ImageDim::Dim2D:
  case ImageDim::Dim1DArray:
  case ImageDim::Dim2DMs:
    return 2;
  case ImageDim::CubeArray:
    return 4;
  default:
    return 3;
  }
}

unsigned texelCoordCount(ImageDim dim) {
  return dim == ImageDim::CubeArray ? 3 : sampleCoordCount(dim);
}

bool isMultisample(ImageDim dim) {
  return dim == ImageDim::Dim2DMs || dim == ImageDim::Dim2DMsArray;
}

SmallVector<Value *, 4> vectorElements(IRBuilderBase &b, Value *value) {
  SmallVector<Value *, 4> elements;
  auto *vector = dyn_cast<FixedVectorType>(value->getType());
  if (!vector) {
    elements.push_back(value);
    return elements;
  }
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    elements.push_back(b.CreateExtractElement(value, i));
  return elements;
}

TexelResult texelResult(const CallInst &call) {
  Type *type = call.getType();
  auto *pair = dyn_cast<StructType>(type);
  if (pair && pair->getNumElements() == 2)
    type = pair->getElementType(0);
  return {type, type->getScalarType(), pair != nullptr};
}

const ImageLowering::Entry ImageLowering::entries[] = {
    {OpId::ImageLoadOp, &ImageLowering::lowerLoad},
    {OpId::ImageStoreOp, &ImageLowering::lowerStore},
    {OpId::ImageSampleOp, &ImageLowering::lowerSample},
    {OpId::ImageGatherOp, &ImageLowering::lowerGather},
    {OpId::ImageAtomicOp, &ImageLowering::lowerAtomic},
    {OpId::ImageQuerySizeOp, &ImageLowering::lowerQuerySize},
    {OpId::ImageQueryLevelsOp, &ImageLowering::lowerQueryLevels},
    {OpId::ImageQuerySamplesOp, &ImageLowering::lowerQuerySamples},
    {OpId::ImageQueryLodOp, &ImageLowering::lowerQueryLod},
};

bool ImageLowering::run() {
  bool changed = false;
  for (const Entry &entry : entries)
    forEachOp(module, entry.id, [&](CallInst &call) {
      changed = true;
      b.SetInsertPoint(&call);
      Value *result = (this->*entry.method)(call);
      if (!call.getType()->isVoidTy()) {
        call.replaceAllUsesWith(result ? result : PoisonValue::get(call.getType()));
        if (result && !result->hasName())
          result->takeName(&call);
      }
      call.eraseFromParent();
    });
  return changed;
}

Value *ImageLowering::fail(const CallInst &call, Error error) {
  ErrorText text = consumeToText(std::move(error));
  reportError(module.getContext(),
              makeError(text.kind, "lgc." + opName(opIdOf(call)) + ": " + text.message));
  return nullptr;
}

CallInst *ImageLowering::callIntrinsic(Intrinsic::ID id, Type *result, ArrayRef<Value *> args) {
  SmallVector<Type *, 16> types;
  for (Value *arg : args)
    types.push_back(arg->getType());
  Function *callee = Intrinsic::getOrInsertDeclaration(&module, id, result, types);
  return b.CreateCall(callee, args);
}

CallInst *ImageLowering::imageIntrinsic(const Twine &op, ImageDim dim, Type *result,
                                        ArrayRef<Value *> args) {
  std::string name = ("llvm.amdgcn.image." + op + "." + imageDimName(dim)).str();
  Intrinsic::ID id = Intrinsic::lookupIntrinsicID(name);
  if (id == Intrinsic::not_intrinsic || Intrinsic::getBaseName(id) != name)
    return nullptr;
  return callIntrinsic(id, result, args);
}

uint32_t ImageLowering::cacheBits(uint32_t flags, AccessKind kind, bool buffer) const {
  AccessPolicy policy;
  if (flags & ImageFlags::Coherent)
    policy.scope = CoherenceScope::Device;
  if (flags & ImageFlags::Volatile)
    policy.scope = CoherenceScope::System;
  policy.nonTemporal = flags & ImageFlags::NonTemporal;
  // Only buffer intrinsics know a volatile bit; image operations stay in order among themselves.
  policy.isVolatile = buffer && (flags & ImageFlags::Volatile);
  return cachePolicyBits(target.major, kind, policy);
}

PreservedAnalyses LowerImagesPass::run(Module &module, ModuleAnalysisManager &mam) {
  const PipelineState &state = mam.getResult<StateAnalysis>(module).state;
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
  if (!target) {
    reportError(module.getContext(), invalidInput("unknown target '" + state.target + "'"));
    return PreservedAnalyses::all();
  }
  return ImageLowering(module, state, *target).run() ? PreservedAnalyses::none()
                                                     : PreservedAnalyses::all();
}

} // namespace lgc
