//===- Case.cpp - one random pipeline, in parts and whole -----------------===//
// SPDX-License-Identifier: MIT
#include "Case.h"
#include "lgc/CompileError.h"
#include "lgc/Shader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using lgc::PartKind;

namespace randomlink {

namespace {

/// What one stage uses: its part's layout has nothing else.
RandomModule usedBy(const RandomModule &module, ArrayRef<Access> accesses, bool stores) {
  RandomModule used = module;
  used.bindings.clear();
  for (auto [number, binding] : enumerate(module.bindings)) {
    bool isUsed = stores && number == module.output;
    for (const Access &access : accesses)
      isUsed |= access.binding == number;
    if (isUsed)
      used.bindings.push_back(binding);
  }
  return used;
}

} // namespace

lgc::PipelineState Case::state() const {
  lgc::PipelineState state;
  if (!module.draw)
    return state;
  const RandomDraw &draw = *module.draw;
  lgc::GraphicsState &graphics = state.graphics;
  graphics.stageMask =
      1u << unsigned(lgc::ShaderStage::Vertex) | 1u << unsigned(lgc::ShaderStage::Fragment);
  graphics.iaState.topology = lgc::Topology::PointList;
  graphics.vertexBindings = draw.bindings;
  for (const RandomDraw::Input &input : draw.inputs) {
    lgc::VertexAttribute &attribute = graphics.vertexAttributes.emplace_back();
    attribute.location = input.location;
    attribute.binding = input.binding;
    attribute.offset = input.offset;
    lgc::parseTexelFormat(integerFormats()[input.format].name, attribute.format);
  }
  for (const RandomDraw::Output &output : draw.outputs) {
    lgc::ColorTarget &target = graphics.targets[output.location];
    target.writeMask = output.writeMask;
    if (output.hasTarget)
      lgc::parseTexelFormat(integerFormats()[output.format].name, target.format);
  }
  return state;
}

Error Case::compilePart(PartKind kind, Random &random) {
  lgc::PipelineState made = state();
  made.part.relocatable = true;
  RandomModule used = module;
  std::string code;
  if (kind == PartKind::Compute) {
    code = moduleText(module);
  } else {
    // What parts do not know.
    made.graphics.vertexBindings.clear();
    made.graphics.vertexAttributes.clear();
    made.graphics.targets = {};
    const bool isVertex = kind == PartKind::PreRasterization;
    (isVertex ? made.part.separateVertexFetch : made.part.separateColorExport) = true;
    used = usedBy(module, isVertex ? module.accesses : module.fragmentAccesses,
                  isVertex ? module.draw->vertexStores : module.draw->fragmentStores);
    code = drawText(module, isVertex, !isVertex);
  }
  made.mapping = makePartLayout(used, random);
  Expected<Bytes> elf = compiler.compile(code, made);
  if (!elf)
    return elf.takeError();
  Expected<PartPointer> part = lgc::Part::create(*elf);
  if (part)
    parts[unsigned(kind)] = std::move(*part);
  return part.takeError();
}

Error Case::compileGlue(const lgc::Part &part, PartKind kind) {
  Expected<Bytes> elf = compiler.glue(part, kind, state());
  if (!elf)
    return elf.takeError();
  Expected<PartPointer> glue = lgc::Part::create(*elf);
  if (glue)
    parts[unsigned(kind)] = std::move(*glue);
  return glue.takeError();
}

Error Case::compileParts(Random &random) {
  if (!module.draw)
    return compilePart(PartKind::Compute, random);
  if (Error error = compilePart(PartKind::PreRasterization, random))
    return error;
  if (Error error = compilePart(PartKind::Fragment, random))
    return error;
  const lgc::Part &vertex = *parts[unsigned(PartKind::PreRasterization)];
  if (vertex.info().fetch)
    if (Error error = compileGlue(vertex, PartKind::VertexFetch))
      return error;
  return compileGlue(*parts[unsigned(PartKind::Fragment)], PartKind::ColorExport);
}

Expected<Bytes> Case::link(const lgc::LinkLayout &layout) const {
  auto part = [&](PartKind kind) { return parts[unsigned(kind)].get(); };
  return lgc::linkParts({.compute = part(PartKind::Compute),
                         .vertexFetch = part(PartKind::VertexFetch),
                         .preRasterization = part(PartKind::PreRasterization),
                         .fragment = part(PartKind::Fragment),
                         .colorExport = part(PartKind::ColorExport)},
                        layout, {});
}

Expected<Bytes> Case::compileMonolithic(const lgc::ResourceMapping &layout) {
  lgc::PipelineState whole = state();
  whole.mapping = layout;
  return compiler.compile(text(), whole);
}

bool Case::readsSpillTable() const {
  return any_of(parts,
                [](const PartPointer &part) { return part && !part->info().spilled.empty(); });
}

std::string Case::text() const {
  return module.draw ? drawText(module, /*vertex=*/true, /*fragment=*/true) : moduleText(module);
}

std::string describeDifference(const RandomModule &module, const Result &actual,
                               const Result &expected) {
  const size_t columns = module.draw ? 2 : module.accesses.size();
  for (size_t i = 0; i < expected.output.size(); ++i)
    if (actual.output[i] != expected.output[i])
      return formatv("lane {0}, {1} {2}: {3:x} instead of {4:x}", i / columns,
                     module.draw ? "stage" : "access", i % columns, actual.output[i],
                     expected.output[i]);
  for (size_t i = 0; i < expected.targets.size(); ++i) {
    const Bytes &should = expected.targets[i];
    for (size_t byte = 0; byte < should.size(); ++byte)
      if (actual.targets[i][byte] != should[byte])
        return formatv("colour {0}, pixel {1}, byte {2}: {3:x} instead of {4:x}",
                       module.draw->outputs[i].location, byte / (should.size() / laneCount),
                       byte % (should.size() / laneCount), actual.targets[i][byte], should[byte]);
  }
  return "";
}

} // namespace randomlink
