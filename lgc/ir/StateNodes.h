//===- StateNodes.h - names of the state's metadata -----------------------===//
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
/// perInstance is VertexBinding::inputRate.
///
/// A resource node is type, size in dwords, offset in dwords, set, binding, stride in dwords, then
/// the nodes of its table. Fields with default values are not written and need not be there; an
/// element of a list has all of them, in the order of its structure. The fields are those of
/// lgc/StateFields.h; here are the nodes' names and those of enumerators.
#pragma once

#include "lgc/Pipeline.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace lgc::metadata {

inline constexpr llvm::StringLiteral targetNode = "lgc.target";
inline constexpr llvm::StringLiteral optionsNode = "lgc.options";
inline constexpr llvm::StringLiteral partNode = "lgc.part";
inline constexpr llvm::StringLiteral computeNode = "lgc.compute";
inline constexpr llvm::StringLiteral raysNode = "lgc.rays"; ///< of ray tracing pipelines
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

/// Names of an enumeration's values in the order of their numbers.
template <typename Enum> struct Enumerators;

template <> struct Enumerators<OptLevel> {
  static constexpr const char *names[] = {"none", "quick", "default", "fast"};
};
template <> struct Enumerators<Tier> {
  static constexpr const char *names[] = {"llvm", "direct"};
};
template <> struct Enumerators<ShaderState::Derivatives> {
  static constexpr const char *names[] = {"none", "quads", "linear"};
};
template <> struct Enumerators<TessModes::Domain> {
  static constexpr const char *names[] = {"none", "triangles", "quads", "isolines"};
};
template <> struct Enumerators<PartState::Half> {
  static constexpr const char *names[] = {"both", "pre-rasterization", "fragment"};
};
template <> struct Enumerators<TessModes::Spacing> {
  static constexpr const char *names[] = {"none", "equal", "fractionalEven", "fractionalOdd"};
};
template <> struct Enumerators<TessModes::Order> {
  static constexpr const char *names[] = {"none", "cw", "ccw"};
};
template <> struct Enumerators<InputPrimitive> {
  static constexpr const char *names[] = {"points", "lines", "linesAdjacency", "triangles",
                                          "trianglesAdjacency"};
};
template <> struct Enumerators<OutputTopology> {
  static constexpr const char *names[] = {"points", "lines", "triangles"};
};
template <> struct Enumerators<FragmentModes::Conservative> {
  static constexpr const char *names[] = {"any", "greater", "less", "unchanged"};
};
template <> struct Enumerators<FragmentModes::Interlock> {
  static constexpr const char *names[] = {"none",
                                          "pixelOrdered",
                                          "pixelUnordered",
                                          "sampleOrdered",
                                          "sampleUnordered",
                                          "shadingRateOrdered",
                                          "shadingRateUnordered"};
};
template <> struct Enumerators<Topology> {
  static constexpr const char *names[] = {"pointList",
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
};
template <> struct Enumerators<ProvokingVertexMode> {
  static constexpr const char *names[] = {"first", "last"};
};

/// The flags of a FloatMode; those that are on are written.
inline constexpr std::pair<const char *, bool FloatMode::*> floatModeFlags[] = {
    {"flushDenorms", &FloatMode::flushDenorms},
    {"roundTowardZero", &FloatMode::roundTowardZero},
    {"preserveSpecials", &FloatMode::preserveSpecials},
    {"demandsDenorms", &FloatMode::demandsDenorms}};

/// By ShaderStage.
inline constexpr const char *stageKeys[] = {"task",     "vertex", "tessControl", "tessEval",
                                            "geometry", "mesh",   "fragment"};

} // namespace lgc::metadata
