//===- LowerYcbcr.cpp - samples through YCbCr samplers --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A front end cannot see from the shader that an immutable sampler converts; the resource mapping
/// says so. This pass finds image.sample operations whose sampler is loaded from such a binding
/// (lgc/Ycbcr.h) and rewrites them: one sample per plane, component swizzle, range expansion and
/// the model's matrix (Vulkan "Sampler Y'CBCR Conversion"). Runs before lgc-lower-descriptors,
/// which would replace the descriptor handles.
///
/// Chroma is reconstructed implicitly: planes are sampled at the same normalized position with the
/// chroma filter in the sampler. That is midpoint siting; for cosited-even chroma under a linear
/// filter the position moves by a quarter of a chroma texel. Explicit reconstruction, which an
/// application may ask for, is done the same way.
///
///   before: %t = image.sample(%image, %sampler, ...)     ; both load.desc of set 0 binding 1
///   after:  %y = image.sample(%image, %sampler, ...)
///           %p = load.desc(handle, Image, flags | plane 1)
///           %c = image.sample(%p, %chromaSampler, ...)   ; then arithmetic on r, g, b
#include "lgc/Ops.h"
#include "lgc/ResourceLookup.h"
#include "lgc/Ycbcr.h"
#include "lgc/lowering/Passes.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace lgc {

std::array<uint32_t, ycbcrWords> encodeYcbcr(const YcbcrInfo &info) {
  uint32_t word0 = static_cast<uint32_t>(info.model) | uint32_t(info.narrowRange) << 3 |
                   uint32_t(info.xMidpoint) << 4 | uint32_t(info.yMidpoint) << 5 |
                   uint32_t(info.linearChroma) << 6 | uint32_t(info.planes) << 7 |
                   uint32_t(info.halfWidth) << 9 | uint32_t(info.halfHeight) << 10 |
                   uint32_t(info.inPlace) << 11;
  uint32_t word1 = uint32_t(info.bits) << 12;
  for (unsigned i = 0; i < 4; ++i)
    word1 |= static_cast<uint32_t>(info.swizzle[i]) << (3 * i);
  return {word0, word1};
}

std::optional<YcbcrInfo> decodeYcbcr(uint32_t word0, uint32_t word1) {
  YcbcrInfo info;
  if ((word0 & 7) > static_cast<uint32_t>(YcbcrModel::Bt2020))
    return std::nullopt;
  info.model = static_cast<YcbcrModel>(word0 & 7);
  info.narrowRange = word0 >> 3 & 1;
  info.xMidpoint = word0 >> 4 & 1;
  info.yMidpoint = word0 >> 5 & 1;
  info.linearChroma = word0 >> 6 & 1;
  info.planes = word0 >> 7 & 3;
  info.halfWidth = word0 >> 9 & 1;
  info.halfHeight = word0 >> 10 & 1;
  info.inPlace = word0 >> 11 & 1;
  info.bits = word1 >> 12 & 31;
  for (unsigned i = 0; i < 4; ++i) {
    const uint32_t swizzle = word1 >> (3 * i) & 7;
    if (swizzle > static_cast<uint32_t>(YcbcrSwizzle::A))
      return std::nullopt;
    info.swizzle[i] = static_cast<YcbcrSwizzle>(swizzle);
  }
  if (info.planes < 1 || info.bits < 8 || info.bits > 16)
    return std::nullopt;
  return info;
}

namespace {

/// Operands of lgc.image.sample that this pass touches.
enum { Image, Sampler, Dim, Flags, Coord, Dref };

struct Conversion {
  LoadDescOp *image;
  LoadDescOp *sampler;
  YcbcrInfo info;
};

class YcbcrLowering {
public:
  YcbcrLowering(Module &module, const ResourceMapping &mapping)
      : module(module), mapping(mapping), b(module.getContext()) {}
  bool run();

private:
  std::optional<Conversion> find(CallInst &call);
  Value *convert(CallInst &call, const Conversion &conversion);
  Value *samplePlane(CallInst &call, const Conversion &conversion, unsigned plane);
  Value *chromaSampler(const Conversion &conversion);
  Value *chromaCoord(CallInst &call, Value *plane, const YcbcrInfo &info);
  void expandRange(const YcbcrInfo &info, Value *(&rgba)[4]);
  void applyModel(const YcbcrInfo &info, Value *(&rgba)[4]);
  void fail(const CallInst &call, const Twine &message) {
    reportError(module.getContext(), unsupported("lgc." + opName(opIdOf(call)) +
                                                 " through a YCbCr sampler: " + message));
  }
  Value *number(double value) { return ConstantFP::get(b.getFloatTy(), value); }

  Module &module;
  const ResourceMapping &mapping;
  IRBuilder<> b;
};

/// The binding and constant element of a handle. Nothing when it has no single constant element.
struct Element {
  uint32_t set, binding;
  std::optional<uint64_t> index;
};
std::optional<Element> elementOf(Value *handle) {
  std::optional<uint64_t> index = 0;
  for (unsigned steps = 0; steps < 64; ++steps) {
    auto add = [&](Value *value) {
      auto *constant = dyn_cast<ConstantInt>(value);
      index = index && constant ? std::optional(*index + constant->getZExtValue()) : std::nullopt;
    };
    if (auto *root = dyn_cast<ResourcePtrOp>(handle)) {
      add(root->getArgOperand(2));
      return Element{root->constArg(0), root->constArg(1), index};
    }
    auto *indexing = dyn_cast<ResourceIndexOp>(handle);
    if (!indexing)
      return std::nullopt;
    add(indexing->getArgOperand(1));
    handle = indexing->getArgOperand(0);
  }
  return std::nullopt;
}

/// What an operand is outside of {image, sampler}. InstSimplify takes these apart in front of this
/// pass, but not at level none.
Value *sourceOf(Value *operand) {
  while (auto *extract = dyn_cast<ExtractValueInst>(operand)) {
    Value *inserted = FindInsertedValue(extract->getAggregateOperand(), extract->getIndices());
    if (!inserted)
      break;
    operand = inserted;
  }
  return operand;
}

std::optional<Conversion> YcbcrLowering::find(CallInst &call) {
  auto *sampler = dyn_cast<LoadDescOp>(sourceOf(call.getArgOperand(Sampler)));
  if (!sampler)
    return std::nullopt;
  std::optional<Element> element = elementOf(sampler->getArgOperand(0));
  if (!element)
    return std::nullopt;
  const StaticDescriptor *fixed = findStaticSampler(mapping, element->set, element->binding);
  if (!fixed || fixed->type != ResourceNodeType::DescriptorYCbCrSampler)
    return std::nullopt;
  auto *image = dyn_cast<LoadDescOp>(sourceOf(call.getArgOperand(Image)));
  const uint32_t count = std::max(fixed->arraySize, 1u);
  const size_t stride = fixed->dwords.size() / count;
  const uint64_t index = count == 1 ? 0 : element->index.value_or(count);
  if (!image || index >= count) {
    fail(call, "the array index is not a constant");
    return std::nullopt;
  }
  std::optional<YcbcrInfo> info;
  if (stride >= ycbcrSamplerDwords + ycbcrWords)
    info = decodeYcbcr(fixed->dwords[index * stride + ycbcrSamplerDwords],
                       fixed->dwords[index * stride + ycbcrSamplerDwords + 1]);
  if (!info) {
    fail(call, "invalid conversion words");
    return std::nullopt;
  }
  return Conversion{image, sampler, *info};
}

/// The sampler with its filters replaced by the chroma filter.
Value *YcbcrLowering::chromaSampler(const Conversion &conversion) {
  Value *sampler = conversion.sampler;
  if (conversion.info.linearChroma) {
    // S# dword 0: TRUNC_COORD in bit 27, for filters that are both nearest.
    Value *first = b.CreateExtractElement(sampler, uint64_t(0));
    first = b.CreateAnd(first, b.getInt32(~(1u << 27)));
    sampler = b.CreateInsertElement(sampler, first, uint64_t(0));
  }
  // S# dword 2: magnification filter in bits 21:20, minification in 23:22; 0 point, 1 linear.
  Value *word = b.CreateExtractElement(sampler, 2);
  word = b.CreateAnd(word, b.getInt32(~0x00f00000u));
  if (conversion.info.linearChroma)
    word = b.CreateOr(word, b.getInt32(0x00500000u));
  return b.CreateInsertElement(sampler, word, 2);
}

/// Moves the position for cosited chroma: +1/4 chroma texel in each subsampled direction.
Value *YcbcrLowering::chromaCoord(CallInst &call, Value *plane, const YcbcrInfo &info) {
  Value *coord = call.getArgOperand(Coord);
  const bool moveX = info.linearChroma && info.halfWidth && !info.xMidpoint;
  const bool moveY = info.linearChroma && info.halfHeight && !info.yMidpoint;
  auto *type = dyn_cast<FixedVectorType>(coord->getType());
  if ((!moveX && !moveY) || !type)
    return coord;
  Value *size = createOp(b, OpId::ImageQuerySizeOp,
                         FixedVectorType::get(b.getInt32Ty(), type->getNumElements()),
                         {plane, call.getArgOperand(Dim), b.getInt32(0), b.getInt32(0)});
  for (unsigned i = 0; i < 2; ++i) {
    if (!(i == 0 ? moveX : moveY))
      continue;
    Value *extent = b.CreateUIToFP(b.CreateExtractElement(size, i), b.getFloatTy());
    Value *shift = b.CreateFPCast(b.CreateFDiv(number(0.25), extent), type->getElementType());
    coord = b.CreateInsertElement(coord, b.CreateFAdd(b.CreateExtractElement(coord, i), shift), i);
  }
  return coord;
}

/// Samples one plane with the operands of `call`: <4 x float>.
Value *YcbcrLowering::samplePlane(CallInst &call, const Conversion &conversion, unsigned plane) {
  SmallVector<Value *, 12> args(call.args());
  if (plane > 0) {
    Value *kind = conversion.image->getArgOperand(1);
    const uint32_t flags = conversion.image->constArg(2) | plane << ResourceFlags::PlaneShift;
    args[Image] = createOp(b, OpId::LoadDescOp, conversion.image->getType(),
                           {conversion.image->getArgOperand(0), kind, b.getInt32(flags)});
    args[Sampler] = chromaSampler(conversion);
    args[Coord] = chromaCoord(call, args[Image], conversion.info);
  }
  return createOp(b, OpId::ImageSampleOp, FixedVectorType::get(b.getFloatTy(), 4), args);
}

void YcbcrLowering::expandRange(const YcbcrInfo &info, Value *(&rgba)[4]) {
  const double top = static_cast<double>((1u << info.bits) - 1);
  const double step = static_cast<double>(1u << (info.bits - 8));
  double scale[3], offset[3]; // r (Cr), g (Y), b (Cb)
  for (unsigned i = 0; i < 3; ++i) {
    const bool luma = i == 1;
    const double divisor = info.narrowRange ? (luma ? 219.0 : 224.0) * step : top;
    const double zero = luma ? (info.narrowRange ? 16.0 * step : 0.0) : 128.0 * step;
    scale[i] = top / divisor;
    offset[i] = -zero / divisor;
  }
  for (unsigned i = 0; i < 3; ++i) {
    rgba[i] = scale[i] == 1.0 ? rgba[i] : b.CreateFMul(rgba[i], number(scale[i]));
    rgba[i] = offset[i] == 0.0 ? rgba[i] : b.CreateFAdd(rgba[i], number(offset[i]));
  }
}

/// R = Y + 2 (1 - Kr) Cr; B = Y + 2 (1 - Kb) Cb; G makes Y = Kr R + Kg G + Kb B.
void YcbcrLowering::applyModel(const YcbcrInfo &info, Value *(&rgba)[4]) {
  double kr = 0.2126, kb = 0.0722;
  if (info.model == YcbcrModel::Bt601) {
    kr = 0.299;
    kb = 0.114;
  } else if (info.model == YcbcrModel::Bt2020) {
    kr = 0.2627;
    kb = 0.0593;
  }
  const double kg = 1.0 - kr - kb;
  Value *cr = rgba[0], *y = rgba[1], *cb = rgba[2];
  auto madd = [&](Value *value, double factor, Value *add) {
    return b.CreateIntrinsic(Intrinsic::fmuladd, {b.getFloatTy()}, {value, number(factor), add});
  };
  rgba[0] = madd(cr, 2.0 * (1.0 - kr), y);
  rgba[1] = madd(cr, -2.0 * kr * (1.0 - kr) / kg, madd(cb, -2.0 * kb * (1.0 - kb) / kg, y));
  rgba[2] = madd(cb, 2.0 * (1.0 - kb), y);
}

Value *YcbcrLowering::convert(CallInst &call, const Conversion &conversion) {
  const YcbcrInfo &info = conversion.info;
  Value *first = samplePlane(call, conversion, 0);
  auto component = [&](Value *texel, unsigned i) { return b.CreateExtractElement(texel, i); };
  Value *stored[4];
  for (unsigned i = 0; i < 4; ++i)
    stored[i] = component(first, i);
  if (info.planes > 1) {
    Value *second = samplePlane(call, conversion, 1);
    Value *last = info.planes == 2 ? second : samplePlane(call, conversion, 2);
    stored[1] = component(first, info.inPlace ? 1 : 0);
    stored[2] = component(second, info.inPlace ? 2 : 0);
    stored[0] = component(last, !info.inPlace && info.planes == 2 ? 1 : 0);
    stored[3] = number(1.0);
  }
  Value *rgba[4];
  for (unsigned i = 0; i < 4; ++i) {
    switch (info.swizzle[i]) {
    case YcbcrSwizzle::Identity:
      rgba[i] = stored[i];
      break;
    case YcbcrSwizzle::Zero:
      rgba[i] = number(0.0);
      break;
    case YcbcrSwizzle::One:
      rgba[i] = number(1.0);
      break;
    default:
      rgba[i] =
          stored[static_cast<unsigned>(info.swizzle[i]) - static_cast<unsigned>(YcbcrSwizzle::R)];
    }
  }
  if (info.model != YcbcrModel::RgbIdentity)
    expandRange(info, rgba);
  if (info.model > YcbcrModel::YcbcrIdentity)
    applyModel(info, rgba);
  Value *result = PoisonValue::get(call.getType());
  Type *scalar = call.getType()->getScalarType();
  for (unsigned i = 0; i < 4; ++i)
    result = b.CreateInsertElement(result, b.CreateFPCast(rgba[i], scalar), i);
  return result;
}

bool YcbcrLowering::run() {
  bool changed = false;
  forEachOp(module, OpId::ImageSampleOp, [&](CallInst &call) {
    std::optional<Conversion> conversion = find(call);
    if (!conversion)
      return;
    const auto *vector = dyn_cast<FixedVectorType>(call.getType());
    if (!vector || !vector->getElementType()->isFloatingPointTy() ||
        vector->getNumElements() != 4 || !isAbsent(call.getArgOperand(Dref))) {
      fail(call, "only plain float samples can be converted");
      return;
    }
    b.SetInsertPoint(&call);
    call.replaceAllUsesWith(convert(call, *conversion));
    call.eraseFromParent();
    changed = true;
  });
  return changed;
}

} // namespace

PreservedAnalyses LowerYcbcrPass::run(Module &module, ModuleAnalysisManager &mam) {
  const ResourceMapping &mapping = mam.getResult<StateAnalysis>(module).state.mapping;
  const bool any = llvm::any_of(mapping.staticDescriptors, [](const StaticDescriptor &descriptor) {
    return descriptor.type == ResourceNodeType::DescriptorYCbCrSampler;
  });
  return any && YcbcrLowering(module, mapping).run() ? PreservedAnalyses::none()
                                                     : PreservedAnalyses::all();
}

} // namespace lgc
