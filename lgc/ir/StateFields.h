//===- StateFields.h - every field of the state, with its name ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Keeps the pipeline state in the module as text that people can write in a test:
///
///   !lgc.target = !{!0}
///   !lgc.options = !{!1}
///   !lgc.compute = !{!2, !3}
///   !lgc.user.data = !{!4, !6}
///   !lgc.static.descriptors = !{!7}
///   !0 = !{!"gfx1100"}                             ; [, i32 device index]
///   !1 = !{!"robustBufferAccess", i32 1}
///   !2 = !{!"workgroupSize", i32 8, i32 8, i32 1}
///   !3 = !{!"fp32", !"preserveSpecials"}           ; the float modes that are on
///   !4 = !{!"DescriptorTableVaPtr", i32 1, i32 0, i32 0, i32 0, i32 0, !5}
///   !5 = !{!"DescriptorBuffer", i32 4, i32 16, i32 0, i32 1, i32 0}
///   !6 = !{!"PushConst", i32 4, i32 1, i32 0, i32 0, i32 0}
///   !7 = !{!"DescriptorSampler", i32 set, i32 binding, i32 elements, i32 dword...}
///
/// Graphics: !lgc.graphics holds the pipeline's fields ("stages" is one string per stage), each
/// stage has a node of its own, and lists have a node per element:
///   !lgc.graphics = !{!{!"stages", !"vertex", !"fragment"}, !{!"topology", !"lineList"}}
///   !lgc.shader.fragment = !{!{!"waveSize", i32 32}}
///   !lgc.vertex.bindings = !{!{i32 binding, i32 stride, i32 perInstance, i32 divisor}}
///   !lgc.vertex.attributes = !{!{i32 location, i32 binding, i32 offset, !"RGBA8.unorm"}}
///   !lgc.color.targets = !{!{i32 index, !"RGBA16.float", i32 mask, i32 blend, i32 alphaToColor}}
///
/// A resource node is type, size in dwords, offset in dwords, set, binding, stride in dwords, then
/// the nodes of its table. Fields with default values are not written and need not be there. One
/// list of fields (visitFields) serves both directions.
#pragma once

#include "lgc/Pipeline.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace lgc::metadata {

inline constexpr llvm::StringLiteral targetNode = "lgc.target";
inline constexpr llvm::StringLiteral optionsNode = "lgc.options";
inline constexpr llvm::StringLiteral partNode = "lgc.part";
inline constexpr llvm::StringLiteral computeNode = "lgc.compute";
inline constexpr llvm::StringLiteral userDataNode = "lgc.user.data";
inline constexpr llvm::StringLiteral staticDescriptorsNode = "lgc.static.descriptors";

inline constexpr llvm::StringLiteral graphicsNode = "lgc.graphics";
inline constexpr llvm::StringLiteral bindingsNode = "lgc.vertex.bindings";
inline constexpr llvm::StringLiteral attributesNode = "lgc.vertex.attributes";
inline constexpr llvm::StringLiteral targetsNode = "lgc.color.targets";
/// By ShaderStage.
inline constexpr llvm::StringLiteral shaderNodes[] = {
    "lgc.shader.task",     "lgc.shader.vertex", "lgc.shader.tess.control", "lgc.shader.tess.eval",
    "lgc.shader.geometry", "lgc.shader.mesh",   "lgc.shader.fragment"};

/// Tables may nest only this deep: root, set or indirect table, nothing below is known to Vulkan.
inline constexpr unsigned maxTableDepth = 4;

inline constexpr const char *optLevelNames[] = {"none", "quick", "default", "fast"};
inline constexpr const char *derivativeNames[] = {"none", "quads", "linear"};
inline constexpr const char *domainNames[] = {"none", "triangles", "quads", "isolines"};
inline constexpr const char *halfNames[] = {"both", "pre-rasterization", "fragment"};
inline constexpr const char *spacingNames[] = {"none", "equal", "fractionalEven", "fractionalOdd"};
inline constexpr const char *orderNames[] = {"none", "cw", "ccw"};
inline constexpr const char *inputPrimitiveNames[] = {"points", "lines", "linesAdjacency",
                                                      "triangles", "trianglesAdjacency"};
inline constexpr const char *outputPrimitiveNames[] = {"points", "lines", "triangles"};
inline constexpr const char *conservativeNames[] = {"any", "greater", "less", "unchanged"};
inline constexpr const char *interlockNames[] = {"none",
                                                 "pixelOrdered",
                                                 "pixelUnordered",
                                                 "sampleOrdered",
                                                 "sampleUnordered",
                                                 "shadingRateOrdered",
                                                 "shadingRateUnordered"};
inline constexpr const char *topologyNames[] = {"pointList",
                                                "lineList",
                                                "lineStrip",
                                                "triangleList",
                                                "triangleStrip",
                                                "triangleFan",
                                                "lineListAdjacency",
                                                "lineStripAdjacency",
                                                "triangleListAdjacency",
                                                "triangleStripAdjacency",
                                                "patchList"};
inline constexpr const char *stageKeys[] = {"task",     "vertex", "tessControl", "tessEval",
                                            "geometry", "mesh",   "fragment"};

/// Every field of PipelineOptions; `v` gets the name and a member pointer.
template <typename Visitor> void visitFields(Visitor &v, PipelineOptions *) {
  using S = PipelineOptions;
  v.field("robustBufferAccess", &S::robustBufferAccess);
  v.field("robustBufferAccess2", &S::robustBufferAccess2);
  v.field("robustImageAccess2", &S::robustImageAccess2);
  v.field("nullDescriptor", &S::nullDescriptor);
  v.field("scalarBlockLayout", &S::scalarBlockLayout);
  v.field("primitivesGeneratedQuery", &S::primitivesGeneratedQuery);
  v.field("meshShaderQueries", &S::meshShaderQueries);
  v.field("includeIr", &S::includeIr);
  v.field("includeDisassembly", &S::includeDisassembly);
  v.field("debugInfo", &S::debugInfo);
  v.enumField("optLevel", &S::optLevel, llvm::ArrayRef<const char *>(optLevelNames));
  v.field("pipelineHash", &S::pipelineHash);
}

template <typename Visitor> void visitFields(Visitor &v, PartState *) {
  v.field("relocatable", &PartState::relocatable);
  v.field("separateVertexFetch", &PartState::separateVertexFetch);
  v.field("separateColorExport", &PartState::separateColorExport);
  v.enumField("half", &PartState::half, llvm::ArrayRef<const char *>(halfNames));
}

template <typename Visitor> void visitFields(Visitor &v, ComputeShaderState *) {
  using S = ComputeShaderState;
  v.field("entryName", &S::entryName);
  v.field("workgroupSize", &S::workgroupSize);
  v.field("waveSize", &S::waveSize);
  v.field("subgroupSize", &S::subgroupSize);
  v.field("requireFullSubgroups", &S::requireFullSubgroups);
  v.field("usesSubgroupOps", &S::usesSubgroupOps);
  v.enumField("derivatives", &S::derivatives, llvm::ArrayRef<const char *>(derivativeNames));
  v.field("fp16", &S::fp16);
  v.field("fp32", &S::fp32);
  v.field("fp64", &S::fp64);
  v.field("vgprLimit", &S::vgprLimit);
  v.field("sgprLimit", &S::sgprLimit);
  v.field("wavesPerEu", &S::wavesPerEu);
  v.field("disableLoopUnroll", &S::disableLoopUnroll);
  v.field("shaderHash", &S::shaderHash);
}

template <typename Visitor> void visitFields(Visitor &v, TessModes *) {
  using S = TessModes;
  v.enumField("tess.domain", &S::domain, llvm::ArrayRef<const char *>(domainNames));
  v.enumField("tess.spacing", &S::spacing, llvm::ArrayRef<const char *>(spacingNames));
  v.enumField("tess.order", &S::order, llvm::ArrayRef<const char *>(orderNames));
  v.field("tess.pointMode", &S::pointMode);
  v.field("tess.outputVertices", &S::outputVertices);
}

template <typename Visitor> void visitFields(Visitor &v, GeometryModes *) {
  using S = GeometryModes;
  v.enumField("geometry.input", &S::input, llvm::ArrayRef<const char *>(inputPrimitiveNames));
  v.enumField("geometry.output", &S::output, llvm::ArrayRef<const char *>(outputPrimitiveNames));
  v.field("geometry.invocations", &S::invocations);
  v.field("geometry.outputVertices", &S::outputVertices);
}

template <typename Visitor> void visitFields(Visitor &v, MeshModes *) {
  using S = MeshModes;
  v.enumField("mesh.output", &S::output, llvm::ArrayRef<const char *>(outputPrimitiveNames));
  v.field("mesh.outputVertices", &S::outputVertices);
  v.field("mesh.outputPrimitives", &S::outputPrimitives);
}

template <typename Visitor> void visitFields(Visitor &v, FragmentModes *) {
  using S = FragmentModes;
  v.field("fragment.earlyTests", &S::earlyTests);
  v.field("fragment.earlyAndLateTests", &S::earlyAndLateTests);
  v.field("fragment.depthReplacing", &S::depthReplacing);
  v.enumField("fragment.depth", &S::depth, llvm::ArrayRef<const char *>(conservativeNames));
  v.field("fragment.stencilReplacing", &S::stencilReplacing);
  v.field("fragment.postDepthCoverage", &S::postDepthCoverage);
  v.field("fragment.requireFullQuads", &S::requireFullQuads);
  v.field("fragment.quadDerivatives", &S::quadDerivatives);
  v.field("fragment.pixelCenterInteger", &S::pixelCenterInteger);
  v.enumField("fragment.interlock", &S::interlock, llvm::ArrayRef<const char *>(interlockNames));
}

template <typename Visitor> void visitFields(Visitor &v, XfbModes *) {
  using S = XfbModes;
  v.field("xfb.enabled", &S::enabled);
  v.field("xfb.strides", &S::strides);
  v.field("xfb.streamOfBuffer", &S::streamOfBuffer);
}

template <typename Visitor> void visitFields(Visitor &v, NggState *) {
  using S = NggState;
  v.field("ngg.enable", &S::enable);
  v.field("ngg.force", &S::force);
  v.field("ngg.enableGsUse", &S::enableGsUse);
  v.field("ngg.backfaceCulling", &S::backfaceCulling);
  v.field("ngg.frustumCulling", &S::frustumCulling);
  v.field("ngg.smallPrimitiveFilter", &S::smallPrimitiveFilter);
  v.field("ngg.cullDistanceCulling", &S::cullDistanceCulling);
  v.field("ngg.primsPerSubgroup", &S::primsPerSubgroup);
  v.field("ngg.vertsPerSubgroup", &S::vertsPerSubgroup);
}

/// The members of GraphicsState that are lists or per stage have nodes of their own.
template <typename Visitor> void visitFields(Visitor &v, GraphicsState *) {
  using S = GraphicsState;
  v.stages("stages", &S::stageMask);
  v.enumField("topology", &S::topology, llvm::ArrayRef<const char *>(topologyNames));
  v.field("dynamicTopology", &S::dynamicTopology);
  v.field("patchControlPoints", &S::patchControlPoints);
  v.field("disableVertexReuse", &S::disableVertexReuse);
  v.field("switchWinding", &S::switchWinding);
  v.field("multiview", &S::multiview);
  v.field("provokingVertexLast", &S::provokingVertexLast);
  v.field("dynamicVertexStride", &S::dynamicVertexStride);
  v.field("robustUnboundVertex", &S::robustUnboundVertex);
  v.field("rasterizerDiscard", &S::rasterizerDiscard);
  v.field("depthClipEnable", &S::depthClipEnable);
  v.field("innerCoverage", &S::innerCoverage);
  v.field("perSampleShading", &S::perSampleShading);
  v.field("numSamples", &S::numSamples);
  v.field("pixelShaderSamples", &S::pixelShaderSamples);
  v.field("samplePatternIdx", &S::samplePatternIdx);
  v.field("dynamicSampleInfo", &S::dynamicSampleInfo);
  v.field("rasterStream", &S::rasterStream);
  v.field("alphaToCoverage", &S::alphaToCoverage);
  v.field("dualSourceBlend", &S::dualSourceBlend);
  v.field("dualSourceBlendDynamic", &S::dualSourceBlendDynamic);
  v.nested(&S::tess);
  v.nested(&S::geometry);
  v.nested(&S::mesh);
  v.nested(&S::fragment);
  v.nested(&S::xfb);
  v.nested(&S::ngg);
}

} // namespace lgc::metadata
