//===- StateMetadata.cpp - PipelineState <-> named metadata ---------------===//
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
#include "lgc/StateMetadata.h"
#include "lgc/CompileError.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {
namespace {

constexpr StringLiteral targetNode = "lgc.target";
constexpr StringLiteral optionsNode = "lgc.options";
constexpr StringLiteral computeNode = "lgc.compute";
constexpr StringLiteral userDataNode = "lgc.user.data";
constexpr StringLiteral staticDescriptorsNode = "lgc.static.descriptors";

constexpr StringLiteral graphicsNode = "lgc.graphics";
constexpr StringLiteral bindingsNode = "lgc.vertex.bindings";
constexpr StringLiteral attributesNode = "lgc.vertex.attributes";
constexpr StringLiteral targetsNode = "lgc.color.targets";
/// By ShaderStage.
constexpr StringLiteral shaderNodes[] = {
    "lgc.shader.task",     "lgc.shader.vertex", "lgc.shader.tess.control", "lgc.shader.tess.eval",
    "lgc.shader.geometry", "lgc.shader.mesh",   "lgc.shader.fragment"};

/// Tables may nest only this deep: root, set or indirect table, nothing below is known to Vulkan.
constexpr unsigned maxTableDepth = 4;

constexpr const char *optLevelNames[] = {"none", "quick", "default", "fast"};
constexpr const char *derivativeNames[] = {"none", "quads", "linear"};
constexpr const char *domainNames[] = {"none", "triangles", "quads", "isolines"};
constexpr const char *spacingNames[] = {"none", "equal", "fractionalEven", "fractionalOdd"};
constexpr const char *orderNames[] = {"none", "cw", "ccw"};
constexpr const char *inputPrimitiveNames[] = {"points", "lines", "linesAdjacency", "triangles",
                                               "trianglesAdjacency"};
constexpr const char *outputPrimitiveNames[] = {"points", "lines", "triangles"};
constexpr const char *conservativeNames[] = {"any", "greater", "less", "unchanged"};
constexpr const char *interlockNames[] = {"none",
                                          "pixelOrdered",
                                          "pixelUnordered",
                                          "sampleOrdered",
                                          "sampleUnordered",
                                          "shadingRateOrdered",
                                          "shadingRateUnordered"};
constexpr const char *topologyNames[] = {"pointList",
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
constexpr const char *stageKeys[] = {"task",     "vertex", "tessControl", "tessEval",
                                     "geometry", "mesh",   "fragment"};

/// Every field of PipelineOptions; `v` gets the name and a member pointer.
template <typename Visitor> void visitFields(Visitor &v, PipelineOptions *) {
  using S = PipelineOptions;
  v.field("robustBufferAccess", &S::robustBufferAccess);
  v.field("robustBufferAccess2", &S::robustBufferAccess2);
  v.field("robustImageAccess2", &S::robustImageAccess2);
  v.field("nullDescriptor", &S::nullDescriptor);
  v.field("scalarBlockLayout", &S::scalarBlockLayout);
  v.field("includeIr", &S::includeIr);
  v.field("includeDisassembly", &S::includeDisassembly);
  v.field("debugInfo", &S::debugInfo);
  v.enumField("optLevel", &S::optLevel, ArrayRef<const char *>(optLevelNames));
  v.field("pipelineHash", &S::pipelineHash);
}

template <typename Visitor> void visitFields(Visitor &v, ComputeShaderState *) {
  using S = ComputeShaderState;
  v.field("entryName", &S::entryName);
  v.field("workgroupSize", &S::workgroupSize);
  v.field("waveSize", &S::waveSize);
  v.field("subgroupSize", &S::subgroupSize);
  v.field("requireFullSubgroups", &S::requireFullSubgroups);
  v.field("usesSubgroupOps", &S::usesSubgroupOps);
  v.enumField("derivatives", &S::derivatives, ArrayRef<const char *>(derivativeNames));
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
  v.enumField("tess.domain", &S::domain, ArrayRef<const char *>(domainNames));
  v.enumField("tess.spacing", &S::spacing, ArrayRef<const char *>(spacingNames));
  v.enumField("tess.order", &S::order, ArrayRef<const char *>(orderNames));
  v.field("tess.pointMode", &S::pointMode);
  v.field("tess.outputVertices", &S::outputVertices);
}

template <typename Visitor> void visitFields(Visitor &v, GeometryModes *) {
  using S = GeometryModes;
  v.enumField("geometry.input", &S::input, ArrayRef<const char *>(inputPrimitiveNames));
  v.enumField("geometry.output", &S::output, ArrayRef<const char *>(outputPrimitiveNames));
  v.field("geometry.invocations", &S::invocations);
  v.field("geometry.outputVertices", &S::outputVertices);
}

template <typename Visitor> void visitFields(Visitor &v, MeshModes *) {
  using S = MeshModes;
  v.enumField("mesh.output", &S::output, ArrayRef<const char *>(outputPrimitiveNames));
  v.field("mesh.outputVertices", &S::outputVertices);
  v.field("mesh.outputPrimitives", &S::outputPrimitives);
}

template <typename Visitor> void visitFields(Visitor &v, FragmentModes *) {
  using S = FragmentModes;
  v.field("fragment.earlyTests", &S::earlyTests);
  v.field("fragment.earlyAndLateTests", &S::earlyAndLateTests);
  v.field("fragment.depthReplacing", &S::depthReplacing);
  v.enumField("fragment.depth", &S::depth, ArrayRef<const char *>(conservativeNames));
  v.field("fragment.stencilReplacing", &S::stencilReplacing);
  v.field("fragment.postDepthCoverage", &S::postDepthCoverage);
  v.field("fragment.requireFullQuads", &S::requireFullQuads);
  v.field("fragment.quadDerivatives", &S::quadDerivatives);
  v.field("fragment.pixelCenterInteger", &S::pixelCenterInteger);
  v.enumField("fragment.interlock", &S::interlock, ArrayRef<const char *>(interlockNames));
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
  v.enumField("topology", &S::topology, ArrayRef<const char *>(topologyNames));
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
  v.field("dynamicColorFormats", &S::dynamicColorFormats);
  v.nested(&S::tess);
  v.nested(&S::geometry);
  v.nested(&S::mesh);
  v.nested(&S::fragment);
  v.nested(&S::xfb);
  v.nested(&S::ngg);
}

// --- Writing

Metadata *intMd(LLVMContext &context, uint64_t value, unsigned bits = 32) {
  return ConstantAsMetadata::get(ConstantInt::get(IntegerType::get(context, bits), value));
}

/// Appends one node per field that differs from its default.
template <typename State> struct FieldWriter {
  LLVMContext &context;
  NamedMDNode &out;
  const State &state;
  const State defaults{};

  void emit(StringRef name, ArrayRef<Metadata *> values) {
    SmallVector<Metadata *, 8> operands{MDString::get(context, name)};
    operands.append(values.begin(), values.end());
    out.addOperand(MDNode::get(context, operands));
  }
  void field(StringRef name, bool State::*member) {
    if (state.*member != defaults.*member)
      emit(name, intMd(context, state.*member));
  }
  void field(StringRef name, uint32_t State::*member) {
    if (state.*member != defaults.*member)
      emit(name, intMd(context, state.*member));
  }
  void field(StringRef name, std::string State::*member) {
    if (state.*member != defaults.*member)
      emit(name, MDString::get(context, state.*member));
  }
  template <size_t N> void field(StringRef name, std::array<uint32_t, N> State::*member) {
    if (state.*member == defaults.*member)
      return;
    SmallVector<Metadata *, N> values;
    for (uint32_t value : state.*member)
      values.push_back(intMd(context, value));
    emit(name, values);
  }
  void stages(StringRef name, uint32_t State::*member) {
    SmallVector<Metadata *, 7> names;
    for (unsigned i = 0; i < std::size(stageKeys); ++i)
      if (state.*member >> i & 1)
        names.push_back(MDString::get(context, stageKeys[i]));
    if (!names.empty())
      emit(name, names);
  }
  template <typename Inner> void nested(Inner State::*member) {
    FieldWriter<Inner> writer{context, out, state.*member};
    visitFields(writer, static_cast<Inner *>(nullptr));
  }
  void field(StringRef name, uint64_t (State::*member)[2]) {
    const auto &v = state.*member;
    if (v[0] || v[1])
      emit(name, {intMd(context, v[0], 64), intMd(context, v[1], 64)});
  }
  void field(StringRef name, FloatMode State::*member) {
    const FloatMode &mode = state.*member;
    if (mode == defaults.*member)
      return;
    SmallVector<Metadata *, 3> flags;
    if (mode.flushDenorms)
      flags.push_back(MDString::get(context, "flushDenorms"));
    if (mode.roundTowardZero)
      flags.push_back(MDString::get(context, "roundTowardZero"));
    if (mode.preserveSpecials)
      flags.push_back(MDString::get(context, "preserveSpecials"));
    emit(name, flags);
  }
  template <typename Enum>
  void enumField(StringRef name, Enum State::*member, ArrayRef<const char *> names) {
    auto value = static_cast<size_t>(state.*member);
    if (state.*member != defaults.*member && value < names.size())
      emit(name, MDString::get(context, names[value]));
  }
};

NamedMDNode &emptyNode(Module &module, StringRef name) {
  NamedMDNode *node = module.getOrInsertNamedMetadata(name);
  node->clearOperands();
  return *node;
}

template <typename State> void writeFields(Module &module, StringRef name, const State &state) {
  NamedMDNode &node = emptyNode(module, name);
  FieldWriter<State> writer{module.getContext(), node, state};
  visitFields(writer, static_cast<State *>(nullptr));
  if (node.getNumOperands() == 0)
    node.eraseFromParent();
}

MDNode *nodeToMd(LLVMContext &context, const ResourceNode &node) {
  SmallVector<Metadata *, 12> operands{MDString::get(context, resourceNodeTypeName(node.type)),
                                       intMd(context, node.sizeInDwords),
                                       intMd(context, node.offsetInDwords),
                                       intMd(context, node.set),
                                       intMd(context, node.binding),
                                       intMd(context, node.strideInDwords)};
  for (const ResourceNode &child : node.table)
    operands.push_back(nodeToMd(context, child));
  return MDNode::get(context, operands);
}

// --- Reading

Error shapeError(StringRef node, const Twine &what) {
  return invalidInput("metadata !" + node + ": " + what);
}

/// True and the value when operand `index` is an integer constant of at most 64 bits.
bool readInt(const MDNode &node, unsigned index, uint64_t &value) {
  if (index >= node.getNumOperands())
    return false;
  auto *constant = dyn_cast_or_null<ConstantAsMetadata>(node.getOperand(index).get());
  auto *number = constant ? dyn_cast<ConstantInt>(constant->getValue()) : nullptr;
  if (!number || number->getBitWidth() > 64)
    return false;
  value = number->getZExtValue();
  return true;
}

bool readU32(const MDNode &node, unsigned index, uint32_t &value) {
  uint64_t wide = 0;
  if (!readInt(node, index, wide) || wide > UINT32_MAX)
    return false;
  value = static_cast<uint32_t>(wide);
  return true;
}

std::optional<StringRef> readString(const MDNode &node, unsigned index) {
  if (index >= node.getNumOperands())
    return std::nullopt;
  auto *string = dyn_cast_or_null<MDString>(node.getOperand(index).get());
  return string ? std::optional<StringRef>(string->getString()) : std::nullopt;
}

/// Reads each field whose key is present; remembers the first field of a wrong shape.
template <typename State> struct FieldReader {
  StringMap<const MDNode *> &nodes; ///< by key; consumed keys are erased
  State &state;
  std::string &wrong;

  const MDNode *take(StringRef name) {
    auto found = nodes.find(name);
    if (found == nodes.end())
      return nullptr;
    const MDNode *node = found->second;
    nodes.erase(found);
    return node;
  }
  void check(StringRef name, bool ok) {
    if (!ok && wrong.empty())
      wrong = name.str();
  }
  void field(StringRef name, bool State::*member) {
    const MDNode *node = take(name);
    if (!node)
      return;
    uint32_t value = 0;
    check(name, readU32(*node, 1, value) && value <= 1);
    state.*member = value != 0;
  }
  void field(StringRef name, uint32_t State::*member) {
    if (const MDNode *node = take(name))
      check(name, readU32(*node, 1, state.*member));
  }
  void field(StringRef name, std::string State::*member) {
    const MDNode *node = take(name);
    if (!node)
      return;
    std::optional<StringRef> value = readString(*node, 1);
    check(name, value.has_value());
    state.*member = value.value_or("").str();
  }
  template <size_t N> void field(StringRef name, std::array<uint32_t, N> State::*member) {
    if (const MDNode *node = take(name))
      for (unsigned i = 0; i < N; ++i)
        check(name, readU32(*node, 1 + i, (state.*member)[i]));
  }
  void stages(StringRef name, uint32_t State::*member) {
    const MDNode *node = take(name);
    for (unsigned i = 1; node && i < node->getNumOperands(); ++i) {
      const auto *found = find(stageKeys, readString(*node, i).value_or(""));
      check(name, found != std::end(stageKeys));
      if (found != std::end(stageKeys))
        state.*member |= 1u << (found - std::begin(stageKeys));
    }
  }
  template <typename Inner> void nested(Inner State::*member) {
    FieldReader<Inner> reader{nodes, state.*member, wrong};
    visitFields(reader, static_cast<Inner *>(nullptr));
  }
  void field(StringRef name, uint64_t (State::*member)[2]) {
    if (const MDNode *node = take(name))
      for (unsigned i = 0; i < 2; ++i)
        check(name, readInt(*node, 1 + i, (state.*member)[i]));
  }
  void field(StringRef name, FloatMode State::*member) {
    const MDNode *node = take(name);
    if (!node)
      return;
    FloatMode &mode = state.*member;
    mode = FloatMode{};
    for (unsigned i = 1; i < node->getNumOperands(); ++i) {
      StringRef flag = readString(*node, i).value_or("");
      if (flag == "flushDenorms")
        mode.flushDenorms = true;
      else if (flag == "roundTowardZero")
        mode.roundTowardZero = true;
      else if (flag == "preserveSpecials")
        mode.preserveSpecials = true;
      else
        check(name, false);
    }
  }
  template <typename Enum>
  void enumField(StringRef name, Enum State::*member, ArrayRef<const char *> names) {
    const MDNode *node = take(name);
    if (!node)
      return;
    StringRef value = readString(*node, 1).value_or("");
    for (size_t i = 0; i < names.size(); ++i) {
      if (value == names[i]) {
        state.*member = static_cast<Enum>(i);
        return;
      }
    }
    check(name, false);
  }
};

template <typename State> Error readFields(const Module &module, StringRef name, State &state) {
  const NamedMDNode *list = module.getNamedMetadata(name);
  if (!list)
    return Error::success();
  StringMap<const MDNode *> nodes;
  std::string wrong;
  FieldReader<State> reader{nodes, state, wrong};
  for (const MDNode *node : list->operands()) {
    std::optional<StringRef> key = readString(*node, 0);
    if (!key)
      return shapeError(name, "an entry does not begin with a key");
    if (!nodes.try_emplace(*key, node).second)
      return shapeError(name, "key '" + *key + "' occurs twice");
  }
  visitFields(reader, static_cast<State *>(nullptr));
  if (!wrong.empty())
    return shapeError(name, "value of '" + wrong + "' has a wrong shape");
  if (!nodes.empty())
    return shapeError(name, "unknown key '" + nodes.begin()->getKey() + "'");
  return Error::success();
}

std::optional<ResourceNodeType> parseNodeType(StringRef name) {
  for (unsigned i = 0; i < static_cast<unsigned>(ResourceNodeType::Count); ++i)
    if (name == resourceNodeTypeName(static_cast<ResourceNodeType>(i)))
      return static_cast<ResourceNodeType>(i);
  return std::nullopt;
}

Error readNode(const MDNode &md, ResourceNode &node, unsigned depth) {
  StringRef typeName = readString(md, 0).value_or("");
  std::optional<ResourceNodeType> type = parseNodeType(typeName);
  if (!type)
    return shapeError(userDataNode, "unknown resource node type '" + typeName + "'");
  node.type = *type;
  uint32_t *const fields[] = {&node.sizeInDwords, &node.offsetInDwords, &node.set, &node.binding,
                              &node.strideInDwords};
  for (unsigned i = 0; i < std::size(fields); ++i)
    if (!readU32(md, 1 + i, *fields[i]))
      return shapeError(userDataNode, typeName + ": operand " + Twine(1 + i) + " is no i32");
  for (unsigned i = 1 + std::size(fields); i < md.getNumOperands(); ++i) {
    const auto *child = dyn_cast_or_null<MDNode>(md.getOperand(i).get());
    if (!child || depth >= maxTableDepth)
      return shapeError(userDataNode, typeName + ": operand " + Twine(i) + " is no table entry");
    if (Error error = readNode(*child, node.table.emplace_back(), depth + 1))
      return error;
  }
  return Error::success();
}

Error readStaticDescriptor(const MDNode &md, StaticDescriptor &descriptor) {
  StringRef typeName = readString(md, 0).value_or("");
  std::optional<ResourceNodeType> type = parseNodeType(typeName);
  if (!type)
    return shapeError(staticDescriptorsNode, "unknown resource node type '" + typeName + "'");
  descriptor.type = *type;
  bool ok = readU32(md, 1, descriptor.set) && readU32(md, 2, descriptor.binding) &&
            readU32(md, 3, descriptor.arraySize);
  for (unsigned i = 4; ok && i < md.getNumOperands(); ++i)
    ok = readU32(md, i, descriptor.dwords.emplace_back());
  if (!ok)
    return shapeError(staticDescriptorsNode, typeName + ": operands are not all i32");
  return Error::success();
}

Error readMapping(const Module &module, ResourceMapping &mapping) {
  if (const NamedMDNode *list = module.getNamedMetadata(userDataNode))
    for (const MDNode *md : list->operands())
      if (Error error = readNode(*md, mapping.roots.emplace_back(), 0))
        return error;
  if (const NamedMDNode *list = module.getNamedMetadata(staticDescriptorsNode))
    for (const MDNode *md : list->operands())
      if (Error error = readStaticDescriptor(*md, mapping.staticDescriptors.emplace_back()))
        return error;
  return Error::success();
}

// --- Graphics lists

/// One node per element of a list; erased when there is none.
template <typename Element, typename Make>
void writeList(Module &module, StringRef name, const Element &elements, Make make) {
  NamedMDNode &list = emptyNode(module, name);
  for (const auto &element : elements)
    if (MDNode *node = make(element))
      list.addOperand(node);
  if (list.getNumOperands() == 0)
    list.eraseFromParent();
}

void writeGraphics(Module &module, const GraphicsState &graphics) {
  LLVMContext &context = module.getContext();
  writeFields(module, graphicsNode, graphics);
  for (unsigned i = 0; i < std::size(shaderNodes); ++i)
    writeFields(module, shaderNodes[i], graphics.shaders[i]);
  auto number = [&](uint32_t value) { return intMd(context, value); };
  writeList(module, bindingsNode, graphics.vertexBindings, [&](const VertexBinding &binding) {
    return MDNode::get(context, {number(binding.binding), number(binding.stride),
                                 number(binding.perInstance), number(binding.divisor)});
  });
  writeList(module, attributesNode, graphics.vertexAttributes, [&](const VertexAttribute &a) {
    return MDNode::get(context, {number(a.location), number(a.binding), number(a.offset),
                                 MDString::get(context, toString(a.format))});
  });
  uint32_t index = 0;
  writeList(module, targetsNode, graphics.targets, [&](const ColorTarget &target) -> MDNode * {
    uint32_t at = index++;
    if (target == ColorTarget())
      return nullptr;
    return MDNode::get(context, {number(at), MDString::get(context, toString(target.format)),
                                 number(target.writeMask), number(target.blendEnable),
                                 number(target.blendSrcAlphaToColor)});
  });
}

bool readFormat(const MDNode &node, unsigned index, TexelFormat &format) {
  std::optional<StringRef> text = readString(node, index);
  return text && parseTexelFormat(text->str(), format);
}

bool readFlag(const MDNode &node, unsigned index, bool &value) {
  uint32_t number = 0;
  bool ok = readU32(node, index, number) && number <= 1;
  value = number != 0;
  return ok;
}

Error readList(const Module &module, StringRef name, function_ref<bool(const MDNode &)> read) {
  if (const NamedMDNode *list = module.getNamedMetadata(name))
    for (const MDNode *node : list->operands())
      if (!read(*node))
        return shapeError(name, "an entry has a wrong shape");
  return Error::success();
}

Error readGraphics(const Module &module, GraphicsState &graphics) {
  if (Error error = readFields(module, graphicsNode, graphics))
    return error;
  for (unsigned i = 0; i < std::size(shaderNodes); ++i)
    if (Error error = readFields(module, shaderNodes[i], graphics.shaders[i]))
      return error;
  if (Error error = readList(module, bindingsNode, [&](const MDNode &node) {
        VertexBinding &b = graphics.vertexBindings.emplace_back();
        return readU32(node, 0, b.binding) && readU32(node, 1, b.stride) &&
               readFlag(node, 2, b.perInstance) && readU32(node, 3, b.divisor);
      }))
    return error;
  if (Error error = readList(module, attributesNode, [&](const MDNode &node) {
        VertexAttribute &a = graphics.vertexAttributes.emplace_back();
        return readU32(node, 0, a.location) && readU32(node, 1, a.binding) &&
               readU32(node, 2, a.offset) && readFormat(node, 3, a.format);
      }))
    return error;
  return readList(module, targetsNode, [&](const MDNode &node) {
    uint32_t index = 0;
    if (!readU32(node, 0, index) || index >= graphics.targets.size())
      return false;
    ColorTarget &target = graphics.targets[index];
    return readFormat(node, 1, target.format) && readU32(node, 2, target.writeMask) &&
           target.writeMask <= 0xF && readFlag(node, 3, target.blendEnable) &&
           readFlag(node, 4, target.blendSrcAlphaToColor);
  });
}

} // namespace

void writeState(Module &module, const PipelineState &state) {
  LLVMContext &context = module.getContext();
  SmallVector<Metadata *, 2> target{MDString::get(context, state.target)};
  if (state.deviceIndex)
    target.push_back(intMd(context, state.deviceIndex));
  emptyNode(module, targetNode).addOperand(MDNode::get(context, target));
  writeFields(module, optionsNode, state.options);
  writeFields(module, computeNode, state.compute);
  writeGraphics(module, state.graphics);

  NamedMDNode &userData = emptyNode(module, userDataNode);
  for (const ResourceNode &node : state.mapping.roots)
    userData.addOperand(nodeToMd(context, node));
  NamedMDNode &descriptors = emptyNode(module, staticDescriptorsNode);
  for (const StaticDescriptor &descriptor : state.mapping.staticDescriptors) {
    SmallVector<Metadata *, 16> operands{
        MDString::get(context, resourceNodeTypeName(descriptor.type)),
        intMd(context, descriptor.set), intMd(context, descriptor.binding),
        intMd(context, descriptor.arraySize)};
    for (uint32_t dword : descriptor.dwords)
      operands.push_back(intMd(context, dword));
    descriptors.addOperand(MDNode::get(context, operands));
  }
  for (NamedMDNode *node : {&userData, &descriptors})
    if (node->getNumOperands() == 0)
      node->eraseFromParent();
}

Expected<PipelineState> readState(const Module &module) {
  PipelineState state;
  const NamedMDNode *target = module.getNamedMetadata(targetNode);
  if (target) {
    std::optional<StringRef> name;
    if (target->getNumOperands() == 1)
      name = readString(*target->getOperand(0), 0);
    if (!name)
      return shapeError(targetNode, "expected one entry with the target's name");
    state.target = name->str();
    const MDNode &node = *target->getOperand(0);
    if (node.getNumOperands() > 1 && !readU32(node, 1, state.deviceIndex))
      return shapeError(targetNode, "the device index is no i32");
  }
  if (Error error = readFields(module, optionsNode, state.options))
    return error;
  if (Error error = readFields(module, computeNode, state.compute))
    return error;
  if (Error error = readGraphics(module, state.graphics))
    return error;
  if (Error error = readMapping(module, state.mapping))
    return error;
  return state;
}

} // namespace lgc
