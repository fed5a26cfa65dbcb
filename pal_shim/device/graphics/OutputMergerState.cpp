//===- OutputMergerState.cpp - what an output merger is made from ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Checks of surfaces and state, once a draw; nothing that comes later can fail.
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/graphics/OutputMerger.h"

using namespace llvm;
using pal::formats::Encoding;
using pal::formats::Format;
using pal::formats::FormatInfo;
using pal::formats::formatInfo;
using pal::formats::NumberKind;

namespace pal::device {

namespace {

Error badState(const Twine &message) {
  return make_error<DeviceFault>(DeviceFault::Kind::BadLaunch, message.str());
}

/// Shared exponents, blocks, high bits of 16-bit fields, scaled integers and 96-bit texels are no
/// colour targets.
bool isColorFormat(const FormatInfo &info) {
  return info.texelBytes && info.encoding == Encoding::Plain && info.texelBytes != 12 &&
         info.kind != NumberKind::Uscaled && info.kind != NumberKind::Sscaled;
}

/// Bits of a texel that hold depth; 0: no depth format. The rest stays as it is.
uint32_t depthBitsOf(Format format) {
  switch (format) {
  case Format::X16_Unorm:
    return 0xFFFF;
  case Format::X24Y8_Unorm:
    return 0xFFFFFF;
  case Format::X32_Float:
    return 0xFFFFFFFF;
  default:
    return 0;
  }
}

BlendRange rangeOf(NumberKind kind) {
  if (kind == NumberKind::Unorm || kind == NumberKind::Srgb)
    return unormRange;
  return kind == NumberKind::Snorm ? snormRange : floatRange;
}

/// Sets the bits of channel \p channel in \p bits.
void addChannel(const FormatInfo &info, unsigned channel, std::array<uint32_t, 4> &bits) {
  unsigned begin = 0;
  for (unsigned i = 0; i < channel; ++i)
    begin += info.bits[i];
  for (unsigned bit = begin; bit < begin + info.bits[channel]; ++bit)
    bits[bit / 32] |= 1u << bit % 32;
}

template <typename Enumeration> bool isAtMost(Enumeration value, Enumeration last) {
  return static_cast<unsigned>(value) <= static_cast<unsigned>(last);
}

Error checkFace(const StencilFace &face, StringRef name) {
  for (StencilOp op : {face.fail, face.pass, face.depthFail})
    if (!isAtMost(op, StencilOp::DecrementWrap))
      return badState(name + ": stencil operation " + Twine(unsigned(op)));
  if (!isAtMost(face.compare, CompareOp::Always))
    return badState(name + ": stencil comparison " + Twine(unsigned(face.compare)));
  return Error::success();
}

Error checkDepthStencil(const DepthStencilState &state) {
  if (state.depthTest && !isAtMost(state.depthCompare, CompareOp::Always))
    return badState("depth comparison " + Twine(unsigned(state.depthCompare)));
  if (!state.stencilTest)
    return Error::success();
  KILN_TRY(checkFace(state.front, "front faces"));
  return checkFace(state.back, "back faces");
}

Error checkBlending(const ColorTargetState &state, unsigned index) {
  for (BlendFactor factor : {state.srcColor, state.dstColor, state.srcAlpha, state.dstAlpha})
    if (!isAtMost(factor, BlendFactor::OneMinusSrc1Alpha))
      return badState("colour target " + Twine(index) + ": blend factor " +
                      Twine(unsigned(factor)));
  for (BlendOp op : {state.colorOp, state.alphaOp})
    if (!isAtMost(op, BlendOp::Max))
      return badState("colour target " + Twine(index) + ": blend operation " + Twine(unsigned(op)));
  if (index > 0 && usesSecondSource(state))
    return badState("colour target " + Twine(index) +
                    ": blending with a second source, which target 0 alone has");
  return Error::success();
}

} // namespace

Expected<OutputMerger::ColorTarget> OutputMerger::createColor(const DrawInfo &draw, unsigned index,
                                                              MemoryView &memory) {
  ColorTarget target;
  const Surface &surface = draw.targets.colors[index];
  const ColorTargetState &state = draw.blend.targets[index];
  if (!surface.exists())
    return target;
  const std::string name = "colour target " + std::to_string(index);
  const FormatInfo &info = formatInfo(surface.format);
  if (!isColorFormat(info))
    return badState(name + ": format " + info.name + " is not supported for rendering");

  target.isInteger = info.isInteger();
  target.texelBytes = info.texelBytes;
  target.range = rangeOf(info.kind);
  target.pack = formats::packRun(surface.format);
  target.unpack = formats::unpackRun(surface.format);
  TexelBits all = {};
  for (unsigned i = 0; i < 4; ++i) {
    addChannel(info, i, all);
    const srd::Select select = surface.swizzle[i];
    if (select >= srd::Select::X && (state.writeMask >> i & 1))
      addChannel(info, unsigned(select) - unsigned(srd::Select::X), target.writable);
  }
  target.wholeTexel = target.writable == all;
  const bool canCombine =
      info.isInteger() || info.kind == NumberKind::Unorm || info.kind == NumberKind::Snorm;
  // With a logic operation, blending is off for all targets, also where the operation does not
  // apply ("Logical Operations").
  if (draw.blend.logicOpEnable) {
    if (!isAtMost(draw.blend.logicOp, LogicOp::Set))
      return badState("logic operation " + Twine(unsigned(draw.blend.logicOp)));
    target.mode = canCombine ? ColorMode::Logic : ColorMode::Replace;
  } else if (state.blendEnable && !target.isInteger) {
    KILN_TRY(checkBlending(state, index));
    target.mode = ColorMode::Blend;
  }
  BoundSurface bound = KILN_TRY(BoundSurface::bind(surface, name, memory));
  if (target.writable != TexelBits{})
    target.surface = bound;
  return target;
}

Expected<OutputMerger> OutputMerger::create(const DrawInfo &draw, MemoryView &memory) {
  OutputMerger merger;
  merger.draw = &draw;
  KILN_TRY(checkDepthStencil(draw.depthStencil));
  const Surface &depth = draw.targets.depth, &stencil = draw.targets.stencil;
  merger.depthBits = depthBitsOf(depth.format);
  if (depth.exists() && !merger.depthBits)
    return badState(Twine("depth target: format ") + formatInfo(depth.format).name);
  if (stencil.exists() && stencil.format != Format::X8_Uint)
    return badState(Twine("stencil target: format ") + formatInfo(stencil.format).name);

  auto bind = [&](const Surface &surface, StringRef what, BoundSurface &bound) -> Error {
    BoundSurface result = KILN_TRY(BoundSurface::bind(surface, what, memory));
    bound = result;
    return Error::success();
  };
  KILN_TRY(bind(depth, "depth target", merger.depth));
  KILN_TRY(bind(stencil, "stencil target", merger.stencil));
  for (unsigned i = 0; i < maxColorTargets; ++i) {
    ColorTarget target = KILN_TRY(createColor(draw, i, memory));
    merger.colors[i] = target;
  }
  return merger;
}

} // namespace pal::device
