//===- ImageLowering.h - what the image lowering files share --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// LowerImages.cpp drives; ImageSample.cpp, ImageAccess.cpp, ImageAtomic.cpp and ImageQuery.cpp
/// hold one method per operation, ImageCoords.cpp what sampling does to coordinates first.
#pragma once

#include "lgc/Ops.h"
#include "lgc/Pipeline.h"
#include "lgc/lowering/resources/CachePolicy.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/IRBuilder.h"

namespace lgc {

/// "2darray" as in the names of LLVM's image intrinsics; Buffer has none.
llvm::StringRef imageDimName(ImageDim dim);
/// Coordinates of sampling and queries including the array layer: Cube 3, CubeArray 4.
unsigned sampleCoordCount(ImageDim dim);
/// Coordinates of loads, stores and atomics: cubes (x, y, 6 x layer + face).
unsigned texelCoordCount(ImageDim dim);
bool isMultisample(ImageDim dim);

/// The elements of a vector, or the scalar itself.
llvm::SmallVector<llvm::Value *, 4> vectorElements(llvm::IRBuilderBase &b, llvm::Value *value);

/// What a load or sample returns to the shader.
struct TexelResult {
  llvm::Type *type;   ///< <4 x T>, or T for Dref
  llvm::Type *scalar; ///< T
  bool sparse;        ///< the operation's result is {type, i32}
};
TexelResult texelResult(const llvm::CallInst &call);

class ImageLowering {
public:
  ImageLowering(llvm::Module &module, const PipelineState &state, const pal::abi::GpuTarget &target)
      : module(module), state(state), target(target), b(module.getContext()) {}

  /// Lowers every image operation. Returns whether there was one.
  bool run();

private:
  using Method = llvm::Value *(ImageLowering::*)(llvm::CallInst &);
  struct Entry {
    OpId id;
    Method method;
  };
  static const Entry entries[];

  // One per operation: returns the replacement (null for void, or after an error was reported).
  llvm::Value *lowerLoad(llvm::CallInst &call);
  llvm::Value *lowerStore(llvm::CallInst &call);
  llvm::Value *lowerSample(llvm::CallInst &call);
  llvm::Value *lowerGather(llvm::CallInst &call);
  llvm::Value *lowerAtomic(llvm::CallInst &call);
  llvm::Value *lowerQuerySize(llvm::CallInst &call);
  llvm::Value *lowerQueryLevels(llvm::CallInst &call);
  llvm::Value *lowerQuerySamples(llvm::CallInst &call);
  llvm::Value *lowerQueryLod(llvm::CallInst &call);

  /// Reports an error about `call`; returns null.
  llvm::Value *fail(const llvm::CallInst &call, llvm::Error error);

  /// Calls llvm.amdgcn.image.<op>.<dim>. Null when LLVM has no such intrinsic.
  llvm::CallInst *imageIntrinsic(const llvm::Twine &op, ImageDim dim, llvm::Type *result,
                                 llvm::ArrayRef<llvm::Value *> args);
  llvm::CallInst *callIntrinsic(llvm::Intrinsic::ID id, llvm::Type *result,
                                llvm::ArrayRef<llvm::Value *> args);
  uint32_t cacheBits(uint32_t flags, AccessKind kind, bool buffer) const;

  // --- Texels (ImageAccess.cpp) ----------------------------------------------------------------
  /// Type that an instruction returns for `components` of `scalar`: float or half.
  llvm::Type *hardwareType(llvm::Type *scalar, unsigned components);
  /// Which components the shader reads (bit mask), widened to what the hardware can return.
  uint32_t neededComponents(const llvm::CallInst &call, const TexelResult &result);
  /// Hardware components (those of `dmask`, in order) -> result.type. Others become poison.
  /// `desc` is what was loaded through; sampling, which knows no 64-bit texels, needs none.
  llvm::Value *texelFromHardware(llvm::Value *raw, uint32_t dmask, const TexelResult &result,
                                 llvm::Value *desc);
  /// Whole result of an access that may be sparse: `raw` is the intrinsic's value.
  llvm::Value *finishAccess(llvm::Value *raw, uint32_t dmask, const TexelResult &result,
                            llvm::Value *desc = nullptr);
  /// Type of the intrinsic's value: hardwareType, or {hardwareType, i32} when sparse.
  llvm::Type *accessType(uint32_t dmask, const TexelResult &result);
  /// Texel -> float or half components for a store.
  llvm::Value *texelToHardware(llvm::Value *texel);
  /// Coordinates of a load, store or atomic with sample index; empty on error.
  llvm::SmallVector<llvm::Value *, 5> texelCoords(const llvm::CallInst &call, ImageDim dim,
                                                  llvm::Value *coord, llvm::Value *sample);
  llvm::Value *bufferResource(llvm::Value *desc);
  llvm::Value *loadTexelBuffer(llvm::CallInst &call, llvm::Value *index, uint32_t dmask,
                               const TexelResult &result);

  // --- Sampling (ImageSample.cpp, ImageCoords.cpp) -----------------------------------------------
  struct SampleAddress {
    llvm::Type *scalar; ///< float, or half when all coordinates are half (A16)
    llvm::SmallVector<llvm::Value *, 4> coords;
    llvm::SmallVector<llvm::Value *, 6> gradients; ///< all d/dx, then all d/dy
  };
  bool prepareAddress(const llvm::CallInst &call, ImageDim dim, llvm::Value *coord,
                      llvm::Value *ddx, llvm::Value *ddy, bool withLayer, SampleAddress &address);
  void projectCube(SampleAddress &address);
  void cubeGradients(SampleAddress &address, llvm::Value *id, llvm::Value *sc, llvm::Value *tc,
                     llvm::Value *inverseMajor);
  llvm::Value *packOffset(llvm::Value *offset);
  llvm::Value *samplerForGather(llvm::Value *sampler);
  llvm::Value *gatherOnce(llvm::CallInst &call, const SampleAddress &address, llvm::Value *offset);

  // --- Atomics -----------------------------------------------------------------------------------
  bool isNativeAtomic(AtomicKind kind, llvm::Type *type, bool buffer) const;
  llvm::Value *emitAtomic(llvm::CallInst &call, AtomicKind kind, llvm::Value *value,
                          llvm::Value *comparator);
  llvm::Value *expandAtomic(llvm::CallInst &call, AtomicKind kind);

  // --- Descriptor fields (ImageQuery.cpp)
  // ---------------------------------------------------------
  struct Field {
    uint8_t dword, shift, bits;
  };
  llvm::Value *descField(llvm::Value *desc, Field field);
  llvm::Value *descWord(llvm::Value *desc, unsigned dword);
  /// `value`, or 0 when null descriptors are legal and `desc` is one.
  llvm::Value *zeroIfNull(llvm::Value *desc, llvm::Value *value);
  llvm::Value *imageWidth(llvm::Value *desc);
  llvm::Value *imageHeight(llvm::Value *desc);
  llvm::Value *imageLayers(llvm::Value *desc);
  llvm::Value *imageDepth(llvm::Value *desc, llvm::Value *level);
  Field lastSliceField() const;
  Field baseLevelField() const;
  Field lastLevelField() const;

  llvm::Module &module;
  const PipelineState &state;
  const pal::abi::GpuTarget &target;
  llvm::IRBuilder<> b;
};

} // namespace lgc
