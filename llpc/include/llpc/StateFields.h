//===- StateFields.h - the fields of build infos, named once --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The lists of lgc/StateFields.h for the structures of llpc/Compiler.h. A field's key in .pipe
/// files is its Field::pipeKey, or else its name, behind the prefix of the structure that it is in.
#pragma once

#include "lgc/StateFields.h"
#include "llpc/Compiler.h"

namespace llpc {

template <typename V> constexpr void visitFields(V &v, PipelineShaderOptions *) {
  using S = PipelineShaderOptions;
  v.field({"clientHash"}, &S::clientHash);
  v.base(static_cast<lgc::ShaderOptions *>(nullptr));
  v.field({"viewIndexFromDeviceIndex"}, &S::viewIndexFromDeviceIndex);
  v.field({"fp32DenormalMode"}, &S::fp32DenormalMode);
  v.field({"disableFMA"}, &S::disableFMA);
  v.field({"noContractOpDot"}, &S::noContractOpDot);
  v.field({"forceMemoryBarrierScope"}, &S::forceMemoryBarrierScope);
}

template <typename V> constexpr void visitFields(V &v, SpecConstant *) {
  using S = SpecConstant;
  v.field({"constantId"}, &S::constantId);
  v.field({"size"}, &S::size);
  v.field({"value"}, &S::value);
}

template <typename V> constexpr void visitFields(V &v, VertexAttributeInfo *) {
  using S = VertexAttributeInfo;
  v.field({"location"}, &S::location);
  v.field({"binding"}, &S::binding);
  v.vkFormat({"format"}, &S::format);
  v.field({"offset"}, &S::offset);
}

template <typename V> constexpr void visitFields(V &v, ColorTargetState *) {
  using S = ColorTargetState;
  v.vkFormat({"format"}, &S::format);
  v.field({"channelWriteMask"}, &S::channelWriteMask);
  v.field({"blendEnable"}, &S::blendEnable);
  v.field({"blendSrcAlphaToColor"}, &S::blendSrcAlphaToColor);
}

/// What all kinds of pipelines have, and code depends on; caller's things are separate.
template <typename V> constexpr void visitFields(V &v, PipelineBuildInfo *) {
  using S = PipelineBuildInfo;
  v.separate(&S::instance);
  v.separate(&S::userData);
  v.separate(&S::pfnOutputAlloc);
  v.field({"deviceIndex"}, &S::deviceIndex);
  v.separate(&S::resourceMapping);
  v.separate(&S::pipelineLayoutApiHash);
  v.nested("options.", &S::options);
  v.separate(&S::output);
  v.separate(&S::verifyIr);
  v.separate(&S::dump);
  v.separate(&S::dumpPasses);
}

template <typename V> constexpr void visitFields(V &v, GraphicsPipelineState *) {
  using S = GraphicsPipelineState;
  constexpr lgc::FieldHalf half = lgc::FieldHalf::PreRasterization;
  v.separate(&S::vertexInput);
  v.nested("", &S::iaState);
  v.nested("", &S::vpState);
  v.nested("", &S::rsState);
  v.nested("", &S::cbState);
  v.nested("", &S::nggState);
  v.field({.name = "dynamicVertexStride", .half = half, .isInPart = false},
          &S::dynamicVertexStride);
  v.field({.name = "enableRobustUnboundVertex",
           .pipeKey = "options.enableRobustUnboundVertex",
           .half = half,
           .isInPart = false},
          &S::enableRobustUnboundVertex);
  v.field({.name = "unalignedVertexFetch", .half = half, .isInPart = false},
          &S::unalignedVertexFetch);
  v.field({.name = "useSoftwareVertexBufferDescriptors", .half = half, .isInPart = false},
          &S::useSoftwareVertexBufferDescriptors);
  v.field({.name = "enableUberFetchShader", .half = half, .isInPart = false},
          &S::enableUberFetchShader);
}

/// The targets of a pipeline are separate: .pipe files number them.
template <typename V> constexpr void visitFields(V &v, ColorBlendState *) {
  v.base(static_cast<lgc::ColorExportState *>(nullptr));
  v.separate(&ColorBlendState::target);
}

#define LLPC_IS_LISTED(S)                                                                          \
  static_assert(lgc::isListed<S>(), "a field was added: it belongs into the list")
LLPC_IS_LISTED(PipelineShaderOptions);
LLPC_IS_LISTED(SpecConstant);
LLPC_IS_LISTED(VertexAttributeInfo);
LLPC_IS_LISTED(ColorTargetState);
LLPC_IS_LISTED(PipelineBuildInfo);
LLPC_IS_LISTED(GraphicsPipelineState);
LLPC_IS_LISTED(ColorBlendState);
#undef LLPC_IS_LISTED

} // namespace llpc
