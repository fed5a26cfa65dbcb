//===- StateFields.h - the fields of the state, named once ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// One list per structure of the pipeline state. Whatever goes through all fields (metadata of the
/// module, keys, .pipe files, the command line, tests) is a visitor of these lists:
///
///   struct Print {
///     const RasterizerState &state;
///     void field(const Field &f, auto member) { print(f.name, state.*member); }
///   };
///   visitFields(print, static_cast<RasterizerState *>(nullptr));
///
/// Methods that a visitor has, as far as the lists that it visits call them:
///   field(Field, member)     a value: bool, number, enum, string, array, FloatMode, TexelFormat,
///                            two 64-bit numbers (a hash)
///   vkFormat(Field, member)  a number that is a VkFormat
///   stages(Field, member)    a bit per ShaderStage
///   nested(prefix, member)   a structure with a list of its own; its names are unique here, too,
///                            with the prefix
///   base(null pointer)       a base class with a list of its own
///   separate(member)         what has a place of its own elsewhere: lists, shaders
///
/// A field that is added to a structure and not to its list fails the build (isListed()); one whose
/// type a visitor does not know fails it there.
#pragma once

#include "lgc/FieldCount.h"
#include "lgc/Pipeline.h"

namespace lgc {

/// The code that depends on a field; keys of half a pipeline leave out the rest.
enum class FieldHalf : uint8_t { PreRasterization = 1, Fragment = 2, Both = 3 };

struct Field {
  const char *name; ///< the member's, with its structure's where that is not unique
  /// In .pipe files, where AMD's name is another one; empty: not there.
  const char *pipeKey = nullptr;
  FieldHalf half = FieldHalf::Both;
  bool isInput = true; ///< false: code does not depend on it, no key has it
  /// The part of that half has it as it is. false: that depends, and PartInput.cpp of llpc/context
  /// says on what.
  bool isInPart = true;
};

template <typename V> constexpr void visitFields(V &v, PipelineOptions *) {
  using S = PipelineOptions;
  v.field({.name = "robustBufferAccess", .isInPart = false}, &S::robustBufferAccess);
  v.field({.name = "robustBufferAccess2",
           .pipeKey = "extendedRobustness.robustBufferAccess",
           .isInPart = false},
          &S::robustBufferAccess2);
  v.field({.name = "robustImageAccess2",
           .pipeKey = "extendedRobustness.robustImageAccess",
           .isInPart = false},
          &S::robustImageAccess2);
  v.field({"nullDescriptor", "extendedRobustness.nullDescriptor"}, &S::nullDescriptor);
  v.field({.name = "scalarBlockLayout", .isInPart = false}, &S::scalarBlockLayout);
  v.field({.name = "primitivesGeneratedQuery",
           .pipeKey = "enablePrimGeneratedQuery",
           .isInPart = false},
          &S::primitivesGeneratedQuery);
  v.field({.name = "meshShaderQueries", .pipeKey = "enableMeshShaderQueries", .isInPart = false},
          &S::meshShaderQueries);
  v.field({.name = "includeIr", .isInPart = false}, &S::includeIr);
  v.field({.name = "includeDisassembly", .isInPart = false}, &S::includeDisassembly);
  v.field({.name = "debugInfo", .isInPart = false}, &S::debugInfo);
  v.field({"optLevel", "optimizationLevel"}, &S::optLevel);
  v.field({.name = "tier"}, &S::tier);
  v.field({.name = "pipelineHash", .isInput = false, .isInPart = false}, &S::pipelineHash);
}

template <typename V> constexpr void visitFields(V &v, PartState *) {
  using S = PartState;
  v.field({"relocatable"}, &S::relocatable);
  v.field({"separateVertexFetch"}, &S::separateVertexFetch);
  v.field({"separateColorExport"}, &S::separateColorExport);
  v.field({"linksConstants"}, &S::linksConstants);
  v.field({"half"}, &S::half);
}

template <typename V> constexpr void visitFields(V &v, RayTracingState *) {
  using S = RayTracingState;
  v.field({"launchUserData"}, &S::launchUserData);
  v.field({"maxRecursionDepth"}, &S::maxRecursionDepth);
  v.field({"skipTriangles"}, &S::skipTriangles);
  v.field({"skipAabbs"}, &S::skipAabbs);
}

template <typename V> constexpr void visitFields(V &v, ShaderOptions *) {
  using S = ShaderOptions;
  v.field({"vgprLimit"}, &S::vgprLimit);
  v.field({"sgprLimit"}, &S::sgprLimit);
  v.field({"wavesPerEu"}, &S::wavesPerEu);
  v.field({"waveSize"}, &S::waveSize);
  v.field({"subgroupSize"}, &S::subgroupSize);
  v.field({"requireFullSubgroups"}, &S::requireFullSubgroups);
  v.field({"disableLoopUnroll"}, &S::disableLoopUnroll);
  v.field({"wgpMode"}, &S::wgpMode);
  v.field({"forceLateZ"}, &S::forceLateZ);
  v.field({"forwardPropagateNoContract"}, &S::forwardPropagateNoContract);
  v.field({"backwardPropagateNoContract"}, &S::backwardPropagateNoContract);
  v.field({"allowReZ"}, &S::allowReZ);
}

template <typename V> constexpr void visitFields(V &v, ShaderState *) {
  using S = ShaderState;
  v.field({"entryName"}, &S::entryName);
  v.field({"workgroupSize"}, &S::workgroupSize);
  v.base(static_cast<ShaderOptions *>(nullptr));
  v.field({"usesSubgroupOps"}, &S::usesSubgroupOps);
  v.field({"derivatives"}, &S::derivatives);
  v.field({"fp16"}, &S::fp16);
  v.field({"fp32"}, &S::fp32);
  v.field({"fp64"}, &S::fp64);
  v.field({"shaderHash"}, &S::shaderHash);
}

//===--- Declared by shaders ----------------------------------------------===//

template <typename V> constexpr void visitFields(V &v, TessModes *) {
  using S = TessModes;
  v.field({"tess.domain"}, &S::domain);
  v.field({"tess.spacing"}, &S::spacing);
  v.field({"tess.order"}, &S::order);
  v.field({"tess.pointMode"}, &S::pointMode);
  v.field({"tess.outputVertices"}, &S::outputVertices);
}

template <typename V> constexpr void visitFields(V &v, GeometryModes *) {
  using S = GeometryModes;
  v.field({"geometry.input"}, &S::input);
  v.field({"geometry.output"}, &S::output);
  v.field({"geometry.invocations"}, &S::invocations);
  v.field({"geometry.outputVertices"}, &S::outputVertices);
}

template <typename V> constexpr void visitFields(V &v, MeshModes *) {
  using S = MeshModes;
  v.field({"mesh.output"}, &S::output);
  v.field({"mesh.outputVertices"}, &S::outputVertices);
  v.field({"mesh.outputPrimitives"}, &S::outputPrimitives);
}

template <typename V> constexpr void visitFields(V &v, FragmentModes *) {
  using S = FragmentModes;
  v.field({"fragment.earlyTests"}, &S::earlyTests);
  v.field({"fragment.earlyAndLateTests"}, &S::earlyAndLateTests);
  v.field({"fragment.depthReplacing"}, &S::depthReplacing);
  v.field({"fragment.depth"}, &S::depth);
  v.field({"fragment.stencilReplacing"}, &S::stencilReplacing);
  v.field({"fragment.postDepthCoverage"}, &S::postDepthCoverage);
  v.field({"fragment.requireFullQuads"}, &S::requireFullQuads);
  v.field({"fragment.quadDerivatives"}, &S::quadDerivatives);
  v.field({"fragment.pixelCenterInteger"}, &S::pixelCenterInteger);
  v.field({"fragment.interlock"}, &S::interlock);
}

template <typename V> constexpr void visitFields(V &v, XfbModes *) {
  using S = XfbModes;
  v.field({"xfb.enabled"}, &S::enabled);
  v.field({"xfb.strides"}, &S::strides);
  v.field({"xfb.streamOfBuffer"}, &S::streamOfBuffer);
}

//===--- Said by the pipeline ---------------------------------------------===//

template <typename V> constexpr void visitFields(V &v, ResourceNode *) {
  using S = ResourceNode;
  v.field({"type"}, &S::type);
  v.field({"sizeInDwords"}, &S::sizeInDwords);
  v.field({"offsetInDwords"}, &S::offsetInDwords);
  v.field({"set"}, &S::set);
  v.field({"binding"}, &S::binding);
  v.field({"strideInDwords"}, &S::strideInDwords);
  v.separate(&S::table);
}

template <typename V> constexpr void visitFields(V &v, StaticDescriptor *) {
  using S = StaticDescriptor;
  v.field({"type"}, &S::type);
  v.field({"set"}, &S::set);
  v.field({"binding"}, &S::binding);
  v.field({"arraySize"}, &S::arraySize);
  v.separate(&S::dwords);
}

template <typename V> constexpr void visitFields(V &v, VertexBinding *) {
  using S = VertexBinding;
  v.field({"binding"}, &S::binding);
  v.field({"stride"}, &S::stride);
  v.field({"inputRate"}, &S::inputRate);
  v.field({"divisor", ""}, &S::divisor); // a list of its own in .pipe files
}

template <typename V> constexpr void visitFields(V &v, VertexAttribute *) {
  using S = VertexAttribute;
  v.field({"location"}, &S::location);
  v.field({"binding"}, &S::binding);
  v.field({"offset"}, &S::offset);
  v.field({"format"}, &S::format);
}

template <typename V> constexpr void visitFields(V &v, InputAssemblyState *) {
  using S = InputAssemblyState;
  v.field({.name = "topology", .isInPart = false}, &S::topology);
  v.field({.name = "dynamicTopology", .isInPart = false}, &S::dynamicTopology);
  v.field({.name = "patchControlPoints", .half = FieldHalf::PreRasterization, .isInPart = false},
          &S::patchControlPoints);
  v.field(
      {.name = "dynamicPatchControlPoints", .half = FieldHalf::PreRasterization, .isInPart = false},
      &S::dynamicPatchControlPoints);
  v.field({.name = "disableVertexReuse", .half = FieldHalf::PreRasterization},
          &S::disableVertexReuse);
  v.field({.name = "switchWinding", .half = FieldHalf::PreRasterization, .isInPart = false},
          &S::switchWinding);
  v.field({.name = "enableMultiView", .isInPart = false}, &S::enableMultiView);
}

template <typename V> constexpr void visitFields(V &v, ViewportState *) {
  v.field({.name = "depthClipEnable", .half = FieldHalf::PreRasterization, .isInPart = false},
          &ViewportState::depthClipEnable);
}

template <typename V> constexpr void visitFields(V &v, RasterizerState *) {
  using S = RasterizerState;
  v.field({.name = "rasterizerDiscardEnable", .half = FieldHalf::PreRasterization},
          &S::rasterizerDiscardEnable);
  v.field({.name = "innerCoverage", .half = FieldHalf::Fragment}, &S::innerCoverage);
  v.field({.name = "perSampleShading", .half = FieldHalf::Fragment}, &S::perSampleShading);
  v.field({.name = "numSamples", .half = FieldHalf::Fragment, .isInPart = false}, &S::numSamples);
  v.field({.name = "pixelShaderSamples", .half = FieldHalf::Fragment, .isInPart = false},
          &S::pixelShaderSamples);
  v.field({.name = "samplePatternIdx", .half = FieldHalf::Fragment, .isInPart = false},
          &S::samplePatternIdx);
  v.field({.name = "dynamicSampleInfo", .half = FieldHalf::Fragment, .isInPart = false},
          &S::dynamicSampleInfo);
  v.field({.name = "rasterStream", .half = FieldHalf::PreRasterization, .isInPart = false},
          &S::rasterStream);
  v.field({.name = "provokingVertexMode", .isInPart = false}, &S::provokingVertexMode);
}

template <typename V> constexpr void visitFields(V &v, ColorExportState *) {
  using S = ColorExportState;
  v.field({.name = "alphaToCoverageEnable", .half = FieldHalf::Fragment, .isInPart = false},
          &S::alphaToCoverageEnable);
  v.field({.name = "dualSourceBlendEnable", .half = FieldHalf::Fragment, .isInPart = false},
          &S::dualSourceBlendEnable);
  v.field({.name = "dualSourceBlendDynamic", .half = FieldHalf::Fragment, .isInPart = false},
          &S::dualSourceBlendDynamic);
}

template <typename V> constexpr void visitFields(V &v, ColorTarget *) {
  using S = ColorTarget;
  v.field({"format"}, &S::format);
  v.field({"writeMask"}, &S::writeMask);
  v.field({"blendEnable"}, &S::blendEnable);
  v.field({"blendSrcAlphaToColor"}, &S::blendSrcAlphaToColor);
}

template <typename V> constexpr void visitFields(V &v, NggState *) {
  using S = NggState;
  constexpr FieldHalf half = FieldHalf::PreRasterization;
  v.field({"nggState.enable", "nggState.enableNgg", half}, &S::enable);
  v.field({"nggState.force", "nggState.forceNgg", half}, &S::force);
  v.field({"nggState.enableGsUse", nullptr, half}, &S::enableGsUse);
  v.field({"nggState.backfaceCulling", "nggState.enableBackfaceCulling", half},
          &S::backfaceCulling);
  v.field({"nggState.frustumCulling", "nggState.enableFrustumCulling", half}, &S::frustumCulling);
  v.field({"nggState.smallPrimitiveFilter", "nggState.enableSmallPrimFilter", half},
          &S::smallPrimitiveFilter);
  v.field({"nggState.cullDistanceCulling", "nggState.enableCullDistanceCulling", half},
          &S::cullDistanceCulling);
  v.field({"nggState.primsPerSubgroup", nullptr, half}, &S::primsPerSubgroup);
  v.field({"nggState.vertsPerSubgroup", nullptr, half}, &S::vertsPerSubgroup);
}

template <typename V> constexpr void visitFields(V &v, GraphicsState *) {
  using S = GraphicsState;
  v.stages({"stages"}, &S::stageMask);
  v.separate(&S::shaders);
  v.nested("", &S::tess);
  v.nested("", &S::geometry);
  v.nested("", &S::mesh);
  v.nested("", &S::fragment);
  v.nested("", &S::xfb);
  v.separate(&S::vertexBindings);
  v.separate(&S::vertexAttributes);
  v.field({"dynamicVertexStride"}, &S::dynamicVertexStride);
  v.field({"robustUnboundVertex"}, &S::robustUnboundVertex);
  v.field({"unalignedVertexFetch"}, &S::unalignedVertexFetch);
  v.field({"useSoftwareVertexBufferDescriptors"}, &S::useSoftwareVertexBufferDescriptors);
  v.field({"enableUberFetchShader"}, &S::enableUberFetchShader);
  v.nested("", &S::iaState);
  v.nested("", &S::vpState);
  v.nested("", &S::rsState);
  v.nested("", &S::cbState);
  v.separate(&S::targets);
  v.nested("", &S::nggState);
}

//===--- No field is missing ----------------------------------------------===//

/// Counts the members that a list names.
struct MemberCounter {
  unsigned count = 0;

  constexpr void field(const Field &, auto) { ++count; }
  constexpr void vkFormat(const Field &, auto) { ++count; }
  constexpr void stages(const Field &, auto) { ++count; }
  constexpr void nested(const char *, auto) { ++count; }
  constexpr void base(auto *) { ++count; }
  constexpr void separate(auto) { ++count; }
};

/// Are all members of \p S in its list?
template <typename S> consteval bool isListed() {
  MemberCounter counter;
  visitFields(counter, static_cast<S *>(nullptr));
  return counter.count == fieldCount<S>();
}

#define LGC_IS_LISTED(S) static_assert(isListed<S>(), "a field was added: it belongs into the list")
LGC_IS_LISTED(PipelineOptions);
LGC_IS_LISTED(PartState);
LGC_IS_LISTED(RayTracingState);
LGC_IS_LISTED(ShaderOptions);
LGC_IS_LISTED(ShaderState);
LGC_IS_LISTED(TessModes);
LGC_IS_LISTED(GeometryModes);
LGC_IS_LISTED(MeshModes);
LGC_IS_LISTED(FragmentModes);
LGC_IS_LISTED(XfbModes);
LGC_IS_LISTED(ResourceNode);
LGC_IS_LISTED(StaticDescriptor);
LGC_IS_LISTED(VertexBinding);
LGC_IS_LISTED(VertexAttribute);
LGC_IS_LISTED(InputAssemblyState);
LGC_IS_LISTED(ViewportState);
LGC_IS_LISTED(RasterizerState);
LGC_IS_LISTED(ColorExportState);
LGC_IS_LISTED(ColorTarget);
LGC_IS_LISTED(NggState);
LGC_IS_LISTED(GraphicsState);
#undef LGC_IS_LISTED

} // namespace lgc
