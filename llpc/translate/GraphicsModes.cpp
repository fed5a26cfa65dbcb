//===- GraphicsModes.cpp - execution modes of graphics stages -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// SPIR-V allows each tessellation mode in the control or the evaluation shader, or in both when
/// they agree; both fill the same lgc::TessModes. All other modes belong to one stage.
#include "llpc/spirv/Grammar.h"
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {

namespace {

using lgc::ShaderStage;
using Mode = spv::ExecutionMode;

constexpr unsigned stageBit(ShaderStage stage) { return 1u << static_cast<unsigned>(stage); }
constexpr unsigned tessStages =
    stageBit(ShaderStage::TessControl) | stageBit(ShaderStage::TessEval);
constexpr unsigned geometryStage = stageBit(ShaderStage::Geometry);
constexpr unsigned meshStage = stageBit(ShaderStage::Mesh);
constexpr unsigned fragmentStage = stageBit(ShaderStage::Fragment);
constexpr unsigned xfbStages =
    stageBit(ShaderStage::Vertex) | stageBit(ShaderStage::TessEval) | geometryStage;

/// Sets `field`, which may have been set by the other tessellation shader: then both must agree.
template <typename T> Error setOnce(T &field, T value, T unset, const char *what) {
  if (field != unset && field != value)
    return lgc::invalidInput(Twine("tessellation shaders disagree about ") + what);
  field = value;
  return Error::success();
}

Error setDomain(Translator &t, lgc::TessModes::Domain domain) {
  return setOnce(t.graphics->tess.domain, domain, lgc::TessModes::Domain::None, "the domain");
}
template <lgc::TessModes::Domain Domain> Error domain(Translator &t, uint32_t) {
  return setDomain(t, Domain);
}
template <lgc::TessModes::Spacing Spacing> Error spacing(Translator &t, uint32_t) {
  return setOnce(t.graphics->tess.spacing, Spacing, lgc::TessModes::Spacing::None, "the spacing");
}
template <lgc::TessModes::Order Order> Error order(Translator &t, uint32_t) {
  return setOnce(t.graphics->tess.order, Order, lgc::TessModes::Order::None, "the vertex order");
}
Error pointMode(Translator &t, uint32_t) {
  t.graphics->tess.pointMode = true;
  return Error::success();
}
Error tessVertices(Translator &t, uint32_t count) {
  return setOnce(t.graphics->tess.outputVertices, count, 0u, "the number of output vertices");
}

template <lgc::InputPrimitive Primitive> Error inputPrimitive(Translator &t, uint32_t) {
  if (t.internals().hasInputPrimitive)
    return lgc::invalidInput("two input primitives of one geometry shader");
  t.internals().hasInputPrimitive = true;
  t.graphics->geometry.input = Primitive;
  return Error::success();
}
template <lgc::OutputTopology Primitive> Error outputTopology(Translator &t, uint32_t) {
  if (t.internals().hasOutputPrimitive)
    return lgc::invalidInput("two output primitives of one shader");
  t.internals().hasOutputPrimitive = true;
  if (t.isStage(ShaderStage::Mesh))
    t.graphics->mesh.output = Primitive;
  else
    t.graphics->geometry.output = Primitive;
  return Error::success();
}
Error invocations(Translator &t, uint32_t count) {
  t.graphics->geometry.invocations = count;
  return Error::success();
}
Error geometryVertices(Translator &t, uint32_t count) {
  t.graphics->geometry.outputVertices = count;
  return Error::success();
}
Error meshVertices(Translator &t, uint32_t count) {
  t.graphics->mesh.outputVertices = count;
  return Error::success();
}
Error meshPrimitives(Translator &t, uint32_t count) {
  t.graphics->mesh.outputPrimitives = count;
  return Error::success();
}

template <bool lgc::FragmentModes::*Field> Error fragmentFlag(Translator &t, uint32_t) {
  t.graphics->fragment.*Field = true;
  return Error::success();
}
template <lgc::FragmentModes::Conservative Kind> Error conservativeDepth(Translator &t, uint32_t) {
  if (t.graphics->fragment.depth != lgc::FragmentModes::Conservative::Any)
    return lgc::invalidInput("two conservative depth modes of one fragment shader");
  t.graphics->fragment.depth = Kind;
  return Error::success();
}
template <lgc::FragmentModes::Interlock Kind> Error interlock(Translator &t, uint32_t) {
  if (t.graphics->fragment.interlock != lgc::FragmentModes::Interlock::None)
    return lgc::invalidInput("two interlock modes of one fragment shader");
  t.graphics->fragment.interlock = Kind;
  return Error::success();
}
Error xfb(Translator &t, uint32_t) {
  // Captured is what the last stage before rasterization makes, whatever earlier ones declare.
  const lgc::GraphicsState &graphics = *t.graphics;
  t.internals().xfbMode =
      t.isStage(ShaderStage::Geometry) ||
      (!graphics.has(ShaderStage::Geometry) &&
       (t.isStage(ShaderStage::TessEval) || !graphics.has(ShaderStage::TessEval)));
  return Error::success();
}

struct ModeRow {
  Mode mode;
  unsigned stages;
  Error (*set)(Translator &t, uint32_t operand);
};
using FM = lgc::FragmentModes;
using TM = lgc::TessModes;
constexpr ModeRow rows[] = {
    {Mode::Triangles, tessStages, domain<TM::Domain::Triangles>},
    {Mode::Quads, tessStages, domain<TM::Domain::Quads>},
    {Mode::Isolines, tessStages, domain<TM::Domain::Isolines>},
    {Mode::SpacingEqual, tessStages, spacing<TM::Spacing::Equal>},
    {Mode::SpacingFractionalEven, tessStages, spacing<TM::Spacing::FractionalEven>},
    {Mode::SpacingFractionalOdd, tessStages, spacing<TM::Spacing::FractionalOdd>},
    {Mode::VertexOrderCw, tessStages, order<TM::Order::Cw>},
    {Mode::VertexOrderCcw, tessStages, order<TM::Order::Ccw>},
    {Mode::PointMode, tessStages, pointMode},
    {Mode::OutputVertices, tessStages, tessVertices},
    {Mode::InputPoints, geometryStage, inputPrimitive<lgc::InputPrimitive::Points>},
    {Mode::InputLines, geometryStage, inputPrimitive<lgc::InputPrimitive::Lines>},
    {Mode::InputLinesAdjacency, geometryStage, inputPrimitive<lgc::InputPrimitive::LinesAdjacency>},
    {Mode::Triangles, geometryStage, inputPrimitive<lgc::InputPrimitive::Triangles>},
    {Mode::InputTrianglesAdjacency, geometryStage,
     inputPrimitive<lgc::InputPrimitive::TrianglesAdjacency>},
    {Mode::OutputPoints, geometryStage | meshStage, outputTopology<lgc::OutputTopology::Points>},
    {Mode::OutputLineStrip, geometryStage, outputTopology<lgc::OutputTopology::Lines>},
    {Mode::OutputTriangleStrip, geometryStage, outputTopology<lgc::OutputTopology::Triangles>},
    {Mode::OutputLinesEXT, meshStage, outputTopology<lgc::OutputTopology::Lines>},
    {Mode::OutputTrianglesEXT, meshStage, outputTopology<lgc::OutputTopology::Triangles>},
    {Mode::Invocations, geometryStage, invocations},
    {Mode::OutputVertices, geometryStage, geometryVertices},
    {Mode::OutputVertices, meshStage, meshVertices},
    {Mode::OutputPrimitivesEXT, meshStage, meshPrimitives},
    {Mode::Xfb, xfbStages, xfb},
    {Mode::PixelCenterInteger, fragmentStage, fragmentFlag<&FM::pixelCenterInteger>},
    {Mode::EarlyFragmentTests, fragmentStage, fragmentFlag<&FM::earlyTests>},
    {Mode::EarlyAndLateFragmentTestsAMD, fragmentStage, fragmentFlag<&FM::earlyAndLateTests>},
    {Mode::DepthReplacing, fragmentStage, fragmentFlag<&FM::depthReplacing>},
    {Mode::DepthGreater, fragmentStage, conservativeDepth<FM::Conservative::Greater>},
    {Mode::DepthLess, fragmentStage, conservativeDepth<FM::Conservative::Less>},
    {Mode::DepthUnchanged, fragmentStage, conservativeDepth<FM::Conservative::Unchanged>},
    {Mode::StencilRefReplacingEXT, fragmentStage, fragmentFlag<&FM::stencilReplacing>},
    {Mode::PostDepthCoverage, fragmentStage, fragmentFlag<&FM::postDepthCoverage>},
    {Mode::RequireFullQuadsKHR, fragmentStage, fragmentFlag<&FM::requireFullQuads>},
    {Mode::QuadDerivativesKHR, fragmentStage, fragmentFlag<&FM::quadDerivatives>},
    {Mode::PixelInterlockOrderedEXT, fragmentStage, interlock<FM::Interlock::PixelOrdered>},
    {Mode::PixelInterlockUnorderedEXT, fragmentStage, interlock<FM::Interlock::PixelUnordered>},
    {Mode::SampleInterlockOrderedEXT, fragmentStage, interlock<FM::Interlock::SampleOrdered>},
    {Mode::SampleInterlockUnorderedEXT, fragmentStage, interlock<FM::Interlock::SampleUnordered>},
    {Mode::ShadingRateInterlockOrderedEXT, fragmentStage,
     interlock<FM::Interlock::ShadingRateOrdered>},
    {Mode::ShadingRateInterlockUnorderedEXT, fragmentStage,
     interlock<FM::Interlock::ShadingRateUnordered>},
};

/// Modes that are what the hardware does anyway, or promises that nothing here makes use of.
constexpr Mode hints[] = {
    Mode::OriginUpperLeft,
    Mode::SubgroupUniformControlFlowKHR,
    Mode::MaximallyReconvergesKHR,
    Mode::StencilRefUnchangedFrontAMD,
    Mode::StencilRefGreaterFrontAMD,
    Mode::StencilRefLessFrontAMD,
    Mode::StencilRefUnchangedBackAMD,
    Mode::StencilRefGreaterBackAMD,
    Mode::StencilRefLessBackAMD,
};

/// `value` of the mode `name` must be 1 to `limit`.
Error checkRange(const Translator &t, const char *name, uint32_t value, uint32_t limit) {
  const std::string entry = ("entry point \"" + t.internals().entry->name + "\"").str();
  if (value == 0)
    return lgc::invalidInput(Twine(entry) + " has no " + name + ", or one of 0");
  if (value > limit)
    return lgc::limitExceeded(Twine(entry) + ": " + name + " " + Twine(value) +
                              " exceeds the limit of " + Twine(limit));
  return Error::success();
}

Error checkPrimitives(const Translator &t, bool input) {
  const StringRef name = t.internals().entry->name;
  if (input && !t.internals().hasInputPrimitive)
    return lgc::invalidInput("entry point \"" + name + "\" declares no input primitive");
  if (!t.internals().hasOutputPrimitive)
    return lgc::invalidInput("entry point \"" + name + "\" declares no output primitive");
  return Error::success();
}

} // namespace

Error readGraphicsMode(Translator &t, const spirv::ExecutionMode &mode) {
  const unsigned stage = stageBit(t.options.stage);
  bool known = llvm::is_contained(hints, mode.mode);
  for (const ModeRow &row : rows) {
    known |= row.mode == mode.mode;
    if (row.mode == mode.mode && (row.stages & stage))
      return row.set(t, mode.operands.empty() ? 0 : mode.operands[0]);
  }
  if (known)
    return Error::success();
  return lgc::unsupported(
      "execution mode " +
      spirv::enumName(spirv::OperandKind::ExecutionMode, static_cast<uint32_t>(mode.mode)) +
      " not supported");
}

// Limits are those that Vulkan drivers for AMD hardware report.
Error checkGraphicsModes(Translator &t) {
  const lgc::GraphicsState &g = *t.graphics;
  switch (t.options.stage) {
  case ShaderStage::TessControl:
    return checkRange(t, "OutputVertices", g.tess.outputVertices, 32);
  case ShaderStage::Geometry:
    KILN_TRY(checkPrimitives(t, /*input=*/true));
    KILN_TRY(checkRange(t, "Invocations", g.geometry.invocations, 127));
    // A shader that emits nothing may declare 0.
    return checkRange(t, "OutputVertices", std::max(g.geometry.outputVertices, 1u), 1024);
  case ShaderStage::Mesh:
    KILN_TRY(checkPrimitives(t, /*input=*/false));
    KILN_TRY(checkRange(t, "OutputVertices", g.mesh.outputVertices, 256));
    return checkRange(t, "OutputPrimitivesEXT", g.mesh.outputPrimitives, 256);
  default:
    return Error::success();
  }
}

} // namespace llpc
