//===- GlueInput.cpp - what of a build info glue is made of ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Pipelines share glue whose code is the same, so formats and state are replaced by
/// representatives:
///  - vertex fetch: attributes that the part takes, by location, and the bindings that these have;
///    no strides when the descriptors have them, or nothing is aligned;
///  - colour export: targets that the part writes. Of a target's format only what the export looks
///    like is left (lgc/ExportFormat.h): the representative is exported alike
///    without blending, and the write mask is that of the components that arrive.
///
///   before: the part writes rgb of location 0; target 0 B8G8R8A8_SRGB, blending, mask rgba;
///           target 1 R32_UINT
///   after:  target 0 R16G16B16A16_SFLOAT, mask rgb
#include "llpc/context/GlueInput.h"
#include "lgc/ExportFormat.h"
#include "lgc/VertexFormats.h"
#include "llpc/Formats.h"
#include "llpc/context/FieldEncoder.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace llpc {

using lgc::ColorTarget;
using lgc::ExportFormat;
using lgc::ExportSignature;
using lgc::FetchSignature;
using lgc::NumericKind;
using lgc::PartKind;
using lgc::TexelFormat;
using lgc::TexelLayout;

namespace {

// --- Vertex fetch

/// A location that no shader reads.
constexpr uint32_t unreadLocation = 0xFFFF;

/// Bytes that the binding's elements are aligned to because of \p attribute, as
/// lgc-lower-vertex-fetch concludes it.
uint32_t alignmentFrom(const lgc::VertexAttribute &attribute) {
  const lgc::VertexFormatInfo format = lgc::vertexFormatInfo(attribute.format);
  return format.channels && attribute.offset % format.alignment() == 0 ? format.alignment() : 1;
}

uint32_t alignmentOf(llvm::ArrayRef<lgc::VertexAttribute> attributes, uint32_t binding) {
  uint32_t alignment = 1;
  for (const lgc::VertexAttribute &attribute : attributes)
    if (attribute.binding == binding)
      alignment = std::max(alignment, alignmentFrom(attribute));
  return alignment;
}

/// Attributes that nobody reads say something of their binding's alignment. One that says the same
/// stands for all of them.
void keepAlignment(lgc::GraphicsState &input, llvm::ArrayRef<lgc::VertexAttribute> unread) {
  static constexpr TexelLayout layouts[] = {TexelLayout::R16, TexelLayout::R32, TexelLayout::R64};
  const size_t readCount = input.vertexAttributes.size();
  for (const lgc::VertexBinding &binding : input.vertexBindings) {
    const llvm::ArrayRef<lgc::VertexAttribute> read(input.vertexAttributes);
    const uint32_t alignment = alignmentOf(unread, binding.binding);
    if (alignment <= alignmentOf(read.take_front(readCount), binding.binding))
      continue;
    lgc::VertexAttribute attribute;
    attribute.location = unreadLocation;
    attribute.binding = binding.binding;
    attribute.format = {layouts[std::min(llvm::Log2_32(alignment), 3u) - 1], NumericKind::Uint};
    input.vertexAttributes.push_back(attribute);
  }
}

void takeVertexInput(lgc::GraphicsState &input, const FetchSignature &signature,
                     const GraphicsPipelineBuildInfo &info) {
  auto isRead = [&](uint32_t location) {
    return llvm::any_of(signature.inputs,
                        [&](const FetchSignature::Input &in) { return in.location == location; });
  };
  llvm::SmallVector<lgc::VertexAttribute, 8> unread;
  for (const VertexAttributeInfo &from : info.vertexInput.attributes) {
    const lgc::VertexAttribute attribute{from.location, from.binding, from.offset,
                                         texelFormatOf(from.format).value_or(TexelFormat())};
    // Three and four channels of 64 bits take two locations.
    const lgc::VertexFormatInfo format = lgc::vertexFormatInfo(attribute.format);
    const bool takesTwo = format.channelBytes == 8 && format.channels > 2;
    if (isRead(from.location) || (takesTwo && isRead(from.location + 1)))
      input.vertexAttributes.push_back(attribute);
    else
      unread.push_back(attribute);
  }
  llvm::sort(input.vertexAttributes,
             [](const auto &a, const auto &b) { return a.location < b.location; });
  // Elements of 64 bits are aligned all the same.
  input.unalignedVertexFetch =
      info.unalignedVertexFetch &&
      llvm::any_of(input.vertexAttributes, [](const lgc::VertexAttribute &attribute) {
        return lgc::vertexFormatInfo(attribute.format).channelBytes != 8;
      });
  const bool needsAlignment = !input.unalignedVertexFetch;
  for (const lgc::VertexBinding &from : info.vertexInput.bindings) {
    const bool isUsed = llvm::any_of(input.vertexAttributes, [&](const lgc::VertexAttribute &a) {
      return a.binding == from.binding;
    });
    if (!isUsed)
      continue;
    lgc::VertexBinding binding = from;
    binding.stride = info.dynamicVertexStride || !needsAlignment ? 0 : from.stride;
    binding.divisor = from.inputRate == lgc::VertexInputRate::Instance ? from.divisor : 1;
    input.vertexBindings.push_back(binding);
  }
  llvm::sort(input.vertexBindings,
             [](const auto &a, const auto &b) { return a.binding < b.binding; });
  if (needsAlignment)
    keepAlignment(input, unread);
  const bool reads = !input.vertexAttributes.empty();
  input.dynamicVertexStride = reads && needsAlignment && info.dynamicVertexStride;
  input.robustUnboundVertex = reads && info.enableRobustUnboundVertex;
  input.useSoftwareVertexBufferDescriptors = reads && info.useSoftwareVertexBufferDescriptors;
}

// --- Colour export

/// A format that is exported as \p format says, whether blended or not.
TexelFormat representative(ExportFormat format, bool isSigned) {
  const NumericKind full = isSigned ? NumericKind::Sint : NumericKind::Float;
  switch (format) {
  case ExportFormat::Zero:
    return {};
  case ExportFormat::R32:
  case ExportFormat::Ar32: // with a use for alpha
    return {TexelLayout::R32, full};
  case ExportFormat::Gr32:
    return {TexelLayout::RG32, full};
  case ExportFormat::Abgr32:
    return {TexelLayout::RGBA32, full};
  case ExportFormat::Fp16:
    return {TexelLayout::RGBA16, NumericKind::Float};
  case ExportFormat::Unorm16:
    return {TexelLayout::RGBA16, NumericKind::Unorm};
  case ExportFormat::Snorm16:
    return {TexelLayout::RGBA16, NumericKind::Snorm};
  case ExportFormat::Uint16:
    return {TexelLayout::RGBA16, NumericKind::Uint};
  case ExportFormat::Sint16:
    return {TexelLayout::RGBA16, NumericKind::Sint};
  }
  KILN_ICE("export format");
}

/// Of the components that are stored although the shader does not write them, those that share an
/// export's register with a needed one: they become zero.
uint32_t undefinedPartners(ExportFormat format, uint32_t needed, uint32_t stored) {
  const bool isPacked = format == ExportFormat::Fp16 || format == ExportFormat::Unorm16 ||
                        format == ExportFormat::Snorm16 || format == ExportFormat::Uint16 ||
                        format == ExportFormat::Sint16;
  return isPacked ? stored & ((needed & 0x5) << 1 | (needed & 0xA) >> 1) : 0;
}

/// What the shader writes to a location: components of both blend sources.
struct Written {
  uint32_t first = 0, second = 0;
};

ColorTarget targetFor(const ColorTargetState &from, Written written, bool forCoverage,
                      bool isDualSource, bool rbPlus) {
  ColorTarget target;
  target.writeMask = 0;
  const std::optional<TexelFormat> format = texelFormatOf(from.format);
  if (!format || !*format || !from.channelWriteMask || !(written.first | written.second))
    return target;
  const bool alpha = isDualSource ? (written.first | written.second) & 8
                                  : written.first & 8 && (forCoverage || from.blendSrcAlphaToColor);
  const bool blend = isDualSource || from.blendEnable;
  std::optional<ExportFormat> exported = lgc::chooseExportFormat(*format, {blend, alpha, rbPlus});
  if (!exported) {
    // An error of the build, which names the format.
    target.format = *format;
    target.writeMask = from.channelWriteMask;
    target.blendEnable = from.blendEnable;
    return target;
  }
  const uint32_t channels = (1u << lgc::channelCount(format->layout)) - 1;
  const uint32_t stored = channels & from.channelWriteMask;
  const uint32_t needed = (stored | (alpha ? 8u : 0)) & written.first;
  if (!isDualSource && !needed)
    return target;
  target.format = representative(*exported, format->kind == NumericKind::Sint);
  target.writeMask = isDualSource ? 0xF : needed | undefinedPartners(*exported, needed, stored);
  // All other representatives of what has alpha have a channel for it.
  target.blendSrcAlphaToColor = *exported == ExportFormat::Ar32 && !isDualSource;
  return target;
}

/// HW(gfx10.3+).
bool hasRbPlus(const pal::abi::GpuTarget &gpu) { return gpu.major > 10 || gpu.minor >= 3; }

void takeTargets(lgc::GraphicsState &input, const ExportSignature &signature,
                 const ColorBlendState &blend, const pal::abi::GpuTarget &gpu) {
  const bool rbPlus = hasRbPlus(gpu);
  // HW(gfx11+): beside depth, the coverage takes its alpha from there.
  const bool coverageFromDepth =
      gpu.major >= 11 && (signature.depth || signature.stencil || signature.sampleMask);
  Written written[maxColorTargets];
  for (const ExportSignature::Color &color : signature.colors)
    if (color.location < maxColorTargets)
      (color.index ? written[color.location].second : written[color.location].first) |=
          color.written();
  const bool hasSecond = written[0].second != 0;
  input.cbState.alphaToCoverageEnable = blend.alphaToCoverageEnable;
  input.cbState.dualSourceBlendEnable = blend.dualSourceBlendEnable;
  input.cbState.dualSourceBlendDynamic = blend.dualSourceBlendDynamic && hasSecond;
  const bool isDual = input.cbState.dualSourceBlendEnable || input.cbState.dualSourceBlendDynamic;
  for (unsigned i = 0; i < maxColorTargets; ++i)
    input.targets[i] = targetFor(blend.target[i], written[i],
                                 i == 0 && blend.alphaToCoverageEnable && !coverageFromDepth,
                                 i == 0 && isDual, rbPlus);
}

static_assert(lgc::fieldCount<FetchSignature>() == 10 &&
                  lgc::fieldCount<FetchSignature::Input>() == 3 &&
                  lgc::fieldCount<ExportSignature>() == 6 &&
                  lgc::fieldCount<ExportSignature::Color>() == 7,
              "a field was added: is it in the key?");

void encode(Hasher &h, const FetchSignature::Input &input) {
  h.u32(input.location);
  h.u32(input.mask);
  h.enumeration(input.type);
}

void encode(Hasher &h, const ExportSignature::Color &color) {
  h.u32(color.location);
  h.u32(color.index);
  h.u32(color.mask);
  h.enumeration(color.type);
  h.u32(color.bits);
  h.u32(color.zeros);
  h.u32(color.ones);
}

template <typename T> void encode(Hasher &h, const std::vector<T> &list) {
  h.u32(static_cast<uint32_t>(list.size()));
  for (const T &element : list)
    encode(h, element);
}

void encode(Hasher &h, const FetchSignature &signature) {
  h.enumeration(signature.stage);
  for (uint32_t value :
       {signature.waveSize, signature.sgprs, signature.vgprs, signature.vertexBufferTable,
        signature.baseVertex, signature.baseInstance, signature.vertexId, signature.instanceId})
    h.u32(value);
  encode(h, signature.inputs);
}

void encode(Hasher &h, const ExportSignature &signature) {
  h.u32(signature.waveSize);
  encode(h, signature.colors);
  h.boolean(signature.depth);
  h.boolean(signature.stencil);
  h.boolean(signature.sampleMask);
  h.boolean(signature.needsExport);
}

} // namespace

lgc::GraphicsState glueInput(const lgc::PartInfo &part, const GraphicsPipelineBuildInfo &info,
                             PartKind kind, llvm::StringRef target) {
  lgc::GraphicsState input;
  if (kind == PartKind::VertexFetch && part.fetch)
    takeVertexInput(input, *part.fetch, info);
  if (kind == PartKind::ColorExport && part.colorExport) {
    const pal::abi::GpuTarget *gpu = pal::abi::findTarget(target);
    KILN_CHECK(gpu, "a compiler's target");
    takeTargets(input, *part.colorExport, info.cbState, *gpu);
  }
  return input;
}

ColorTargetState exportClass(const ColorTargetState &target, uint32_t written, bool forCoverage,
                             const pal::abi::GpuTarget &gpu) {
  if (!texelFormatOf(target.format)) // none, or one that the compiler will refuse
    return target;
  const ColorTarget exported =
      targetFor(target, {written, 0}, forCoverage, /*isDualSource=*/false, hasRbPlus(gpu));
  if (!exported.format)
    return {};
  return {.blendEnable = exported.blendEnable,
          .blendSrcAlphaToColor = exported.blendSrcAlphaToColor,
          .channelWriteMask = exported.writeMask,
          .format = vkFormatOf(exported.format)};
}

Hash128 glueHash(const lgc::PartInfo &part, const lgc::GraphicsState &input, PartKind kind,
                 llvm::StringRef target) {
  Hasher h("glue", 3);
  h.string(target);
  h.enumeration(kind);
  if (kind == PartKind::VertexFetch && part.fetch) {
    encode(h, *part.fetch);
    h.boolean(input.dynamicVertexStride);
    h.boolean(input.robustUnboundVertex);
    h.boolean(input.unalignedVertexFetch);
    h.boolean(input.useSoftwareVertexBufferDescriptors);
    encodeList(h, input.vertexBindings);
    encodeList(h, input.vertexAttributes);
  }
  if (kind == PartKind::ColorExport && part.colorExport) {
    encode(h, *part.colorExport);
    encodeFields(h, input.cbState);
    encodeList(h, input.targets);
  }
  return h.finish();
}

} // namespace llpc
