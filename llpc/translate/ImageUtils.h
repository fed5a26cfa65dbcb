//===- ImageUtils.h - what the image instruction handlers share -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Image instructions are spread over Image.cpp (sampled images, sampling), ImageReadWrite.cpp
/// (fetch, read, write), ImageQuery.cpp and ImageAtomic.cpp. Here is how they see an image operand,
/// coordinates and the optional Image Operands.
#pragma once

#include "llpc/translate/Translator.h"

namespace llpc {

/// An image or sampled image operand.
struct ImageRef {
  llvm::Value *image = nullptr;   ///< <8 x i32>, or <4 x i32> for Dim Buffer
  llvm::Value *sampler = nullptr; ///< null when the operand is a plain image
  const Inst *type = nullptr;     ///< OpTypeImage
  lgc::ImageDim dim = lgc::ImageDim::Dim2D;
  uint32_t flags = 0; ///< ImageFlags that decorations of the operand ask for

  bool isMultisample() const {
    return dim == lgc::ImageDim::Dim2DMs || dim == lgc::ImageDim::Dim2DMsArray;
  }
  bool isBuffer() const { return dim == lgc::ImageDim::Buffer; }
};

/// Reads operand `id`. Error unless it is an image or sampled image of a dimension that compute
/// shaders can use.
llvm::Expected<ImageRef> imageRef(Translator &t, const Inst &inst, Id id);
/// imageRef() that must be a sampled image of a dimension that samplers take.
llvm::Expected<ImageRef> sampledImageRef(Translator &t, const Inst &inst, Id id);
/// Is it an input attachment (Dim SubpassData)?
bool isSubpassData(const ImageRef &image);
/// (x, y, layer) of the fragment, plus the offset `id` in pixels: where input attachments are read.
/// lgc makes the layer the view where the pipeline has multiview.
llvm::Expected<llvm::Value *> subpassCoordinates(Translator &t, const Inst &inst, Id id);
/// Dimension of an OpTypeImage.
llvm::Expected<lgc::ImageDim> imageDim(Translator &t, const Inst &inst, const Inst &imageType);

/// NonUniform on the operand of an image instruction allows a non-uniform descriptor, even when the
/// load itself is not decorated: passes the decoration on to the descriptor loads behind `value`.
void markNonUniform(llvm::Value *value);

/// Coordinates of sampling: components, layer; without the layer for LOD queries and gradients.
unsigned sampleCoordinates(lgc::ImageDim dim);
unsigned gradientCoordinates(lgc::ImageDim dim);
/// Coordinates of texel access; cubes have (x, y, face [+ 6 x layer]).
unsigned texelCoordinates(lgc::ImageDim dim);
/// Offsets: one per dimension; 0 for cubes and buffers, which have none.
unsigned offsetCoordinates(lgc::ImageDim dim);

/// The first `count` components of `id`, which must have at least that many: f32 or f16 elements.
llvm::Expected<llvm::Value *> floatCoordinates(Translator &t, const Inst &inst, Id id,
                                               unsigned count);
/// The same for integers; they become i32 (i16 stays).
llvm::Expected<llvm::Value *> intCoordinates(Translator &t, const Inst &inst, Id id,
                                             unsigned count);
/// First `count` elements of a vector; a scalar for 1.
llvm::Value *firstElements(Translator &t, llvm::Value *vector, unsigned count);

/// The optional Image Operands, as values; absent ones are lgc::absent().
struct ImageOperands {
  llvm::Value *bias, *lod, *gradX, *gradY, *offset, *sample, *minLod;
  uint32_t flags = 0; ///< ImageFlags
  uint32_t mask = 0;
};
/// Parses the operands that start at `index` (none when the instruction ends there).
llvm::Expected<ImageOperands> imageOperands(Translator &t, const Inst &inst, size_t index,
                                            const ImageRef &image);

/// What an instruction returns: the texel type, behind {code, texel} for sparse instructions.
struct ImageResult {
  llvm::Type *type;  ///< result type of the instruction
  llvm::Type *texel; ///< scalar or vector
  bool sparse;
};
llvm::Expected<ImageResult> imageResult(Translator &t, const Inst &inst, bool sparse);
/// Type of the lgc operation for `result`: `texel`, with the code behind it when sparse.
llvm::Type *operationType(Translator &t, llvm::Type *texel, bool sparse);
/// Sets the instruction's value from the operation's: narrows <4 x T> to the result's components.
llvm::Error setImageResult(Translator &t, const Inst &inst, const ImageResult &result,
                           llvm::Value *value);
/// Element type of texels: 16, 32 or 64 bits. Error otherwise.
llvm::Error checkTexelType(Translator &t, const Inst &inst, llvm::Type *scalar);

inline llvm::Value *dimOperand(Translator &t, lgc::ImageDim dim) {
  return t.i32(static_cast<uint32_t>(dim));
}

/// Parts of imageOps() in other files.
llvm::Error translateImageFetch(Translator &t, const Inst &inst);
llvm::Error translateImageRead(Translator &t, const Inst &inst);
llvm::Error translateFragmentMaskFetch(Translator &t, const Inst &inst);
llvm::Error translateFragmentFetch(Translator &t, const Inst &inst);
llvm::Error translateImageWrite(Translator &t, const Inst &inst);
llvm::Error translateSparseTexelsResident(Translator &t, const Inst &inst);
llvm::Error translateImageQuerySize(Translator &t, const Inst &inst);
llvm::Error translateImageQueryLevels(Translator &t, const Inst &inst);
llvm::Error translateImageQueryLod(Translator &t, const Inst &inst);
llvm::Error translateImageTexelPointer(Translator &t, const Inst &inst);

/// Is `id` the result of OpImageTexelPointer? Atomic.cpp asks, and leaves such atomics to
/// translateImageAtomic().
bool isTexelPointer(const Translator &t, Id id);
/// An OpAtomic* instruction whose pointer is a texel pointer.
llvm::Error translateImageAtomic(Translator &t, const Inst &inst);

} // namespace llpc
