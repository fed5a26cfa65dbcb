//===- GeometryLayout.cpp - where vertices around a geometry shader live --===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/geometry/GeometryLayout.h"
#include "pal_shim/abi/Try.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace lgc {
namespace {

/// HW: the geometry engine hands out at most 32 KiB of LDS to one subgroup; a few dwords of them
/// are for transform feedback (SoftwareStreamOut).
constexpr uint32_t ldsDwordsMax = 8 * 1024 - 16;
/// Legacy geometry stage, HW: vertices and primitives of a subgroup.
constexpr uint32_t legacyEsVertsMax = 255;
constexpr uint32_t legacyGsPrimsMax = 255;
/// With adjacency or several invocations.
constexpr uint32_t legacyGsInstPrimsMax = 127;
/// HW: primitives that one subgroup makes.
constexpr uint32_t legacyOutPrimsMax = 32 * 1024;
/// Of the legacy stage; primitive shaders have room for less.
constexpr uint32_t verticesMax = 1024;
/// HW: gfx12 has 5 bits for the number of an invocation.
constexpr uint32_t invocationsMax = 127, invocationsMaxGfx12 = 32;
/// Of a buffer descriptor.
constexpr uint32_t strideMax = 16383;

unsigned verticesOf(InputPrimitive primitive) {
  constexpr unsigned counts[] = {1, 2, 4, 3, 6};
  return counts[static_cast<unsigned>(primitive)];
}

bool hasAdjacency(InputPrimitive primitive) {
  return primitive == InputPrimitive::LinesAdjacency ||
         primitive == InputPrimitive::TrianglesAdjacency;
}

unsigned lanesOf(const Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

/// Slots and components that the geometry half reads. Arrays with a dynamic index are laid out with
/// 4 dwords a slot, all else is packed.
Expected<EsGsLayout> layOutInputs(Function &gs) {
  std::map<uint32_t, unsigned> masks; ///< bit 4: 4 dwords
  for (Instruction &inst : instructions(gs)) {
    auto *load = dyn_cast<InputLoadOp>(&inst);
    if (!load)
      continue;
    uint32_t operand = load->constArg(0), first = slotNumber(operand), count = 1;
    unsigned lanes = lanesOf(load->getType()), component = load->constArg(1);
    bool fits = component <= 3 && component + lanes <= 4;
    unsigned mask = fits ? ((1u << lanes) - 1) << component : 0;
    if (auto *element = dyn_cast<ConstantInt>(load->getArgOperand(2))) {
      first += static_cast<uint32_t>(element->getZExtValue());
    } else {
      count = slotsReached(operand);
      mask = 0x1F;
    }
    if (!fits || (count > 1 && (first >= Slot::End || count > Slot::End - first)))
      return internalError("lgc.input.load of a geometry shader: slot out of range");
    // A constant element may lie outside its array, in code that does not run.
    for (uint32_t slot = first; first < Slot::End && slot < first + count; ++slot)
      masks[slot] |= mask;
  }
  EsGsLayout layout;
  int next = 0;
  for (auto [slot, mask] : masks) {
    std::array<int, 4> dwords;
    for (unsigned i = 0; i < 4; ++i)
      dwords[i] = mask >> i & 1 || mask & 0x10 ? next++ : -1;
    layout.slots.emplace(slot, dwords);
  }
  layout.itemDwords = static_cast<uint32_t>(next) | 1;
  return layout;
}

void addField(GsStream &stream, const GsField &field) {
  auto [entry, isNew] =
      stream.index.try_emplace({field.isXfb, field.slotOrBuffer, field.componentOrOffset}, 0u);
  if (isNew) {
    entry->second = static_cast<unsigned>(stream.fields.size());
    stream.fields.push_back(field);
  } else if (Type *&type = stream.fields[entry->second].type;
             type->getScalarSizeInBits() < field.type->getScalarSizeInBits()) {
    type = field.type;
  }
}

/// Sorts the fields; `index` is ordered already.
void sortFields(GsStream &stream) {
  std::vector<GsField> sorted;
  for (auto &[key, position] : stream.index) {
    sorted.push_back(stream.fields[position]);
    position = static_cast<unsigned>(sorted.size() - 1);
  }
  stream.fields = std::move(sorted);
}

Error addOutputs(CallInst &call, GeometryLayout &layout) {
  auto &store = cast<OutputStoreOp>(call);
  auto *element = dyn_cast<ConstantInt>(store.getArgOperand(3));
  if (!element)
    return internalError("lgc.output.store of a geometry shader with a dynamic element");
  uint32_t stream = streamOf(store);
  if (stream >= gsStreamCount)
    return invalidInput("geometry shader: stream " + Twine(stream) + ", the limit is 3");
  if (stream != layout.rasterStream)
    return Error::success(); // what is not rasterised matters to transform feedback only
  Type *type = store.getArgOperand(0)->getType();
  uint32_t slot = slotNumber(store.constArg(1)) + static_cast<uint32_t>(element->getZExtValue());
  if (slot >= Slot::End || store.constArg(2) > 3 || store.constArg(2) + lanesOf(type) > 4)
    return internalError("lgc.output.store of a geometry shader: slot out of range");
  for (unsigned i = 0; i < lanesOf(type); ++i)
    addField(layout.streams[stream], {false, slot, store.constArg(2) + i, type->getScalarType()});
  return Error::success();
}

Error addXfb(CallInst &call, GeometryLayout &layout) {
  auto &store = cast<XfbStoreOp>(call);
  uint32_t stream = store.constArg(3);
  if (stream >= gsStreamCount)
    return invalidInput("geometry shader: stream " + Twine(stream) + ", the limit is 3");
  Type *type = store.getArgOperand(0)->getType();
  uint32_t bytes = type->getScalarSizeInBits() / 8;
  for (unsigned i = 0; i < lanesOf(type); ++i)
    addField(layout.streams[stream],
             {true, store.constArg(1), store.constArg(2) + i * bytes, type->getScalarType()});
  return Error::success();
}

Error collectStreams(Function &gs, const PipelineState &state, GeometryLayout &layout) {
  std::array<bool, gsStreamCount> emits = {};
  for (Instruction &inst : instructions(gs)) {
    auto *call = dyn_cast<CallInst>(&inst);
    switch (call ? opIdOf(*call) : OpId::None) {
    case OpId::OutputStoreOp:
      KILN_TRY(addOutputs(*call, layout));
      break;
    case OpId::XfbStoreOp:
      if (state.graphics.xfb.enabled)
        KILN_TRY(addXfb(*call, layout));
      break;
    case OpId::EmitVertexOp: {
      uint32_t stream = cast<EmitVertexOp>(call)->constArg(0);
      if (stream >= gsStreamCount)
        return invalidInput("geometry shader: stream " + Twine(stream) + ", the limit is 3");
      emits[stream] = true;
      break;
    }
    case OpId::BuiltinOp: {
      uint32_t which = cast<BuiltinOp>(call)->constArg(0);
      layout.usesInvocationId |= which == static_cast<uint32_t>(BuiltIn::InvocationId);
      layout.usesPrimitiveId |= which == static_cast<uint32_t>(BuiltIn::InputPrimitiveId);
      break;
    }
    default:
      break;
    }
  }
  for (unsigned i = 0; i < gsStreamCount; ++i) {
    GsStream &stream = layout.streams[i];
    sortFields(stream);
    const bool countsAll = state.options.primitivesGeneratedQuery;
    stream.active = emits[i] && (i == layout.rasterStream || !stream.fields.empty() || countsAll);
    stream.isCounted = stream.isCaptured() || (stream.active && countsAll);
  }
  return Error::success();
}

/// lgc-lower-tessellation has replaced the built-in by the register.
bool readsPatchId(const Function &evaluation) {
  return any_of(instructions(evaluation), [](const Instruction &inst) {
    const auto *value = dyn_cast<HwValueOp>(&inst);
    return value && value->constArg(0) == static_cast<uint32_t>(HwValue::TessPatchId);
  });
}

/// HW(gfx10.1, gfx10.3): fewer vertices than this make the geometry engine hang.
uint32_t esVertsMin(const pal::abi::GpuTarget &target, unsigned inputVertices) {
  uint32_t least = target.major > 10 ? 0 : target.minor >= 3 ? 29 : 24;
  return std::max(least, inputVertices);
}

/// Sets everything that follows from gsPrims and invocations.
void sizeNggSubgroup(GeometryLayout &layout) {
  GsSubgroup &group = layout.subgroup;
  // HW(gfx10.1): vertices are counted only after a primitive was taken in.
  uint32_t slack =
      layout.target->major == 10 && layout.target->minor < 3 ? layout.inputVertices - 1 : 0;
  group.esVerts = std::min(group.gsPrims * layout.inputVertices, nggThreadsMax - slack);
  group.esVerts = std::max(group.esVerts, esVertsMin(*layout.target, layout.inputVertices));
  group.esGsDwords = alignTo((group.esVerts + slack) * layout.input.itemDwords, 4u);
  group.slots = group.gsPrims * group.invocations * layout.maxVertices;
  uint32_t next = group.esGsDwords;
  auto take = [&next](uint32_t dwords) {
    uint32_t base = next;
    next = alignTo(next + dwords, 4u);
    return base;
  };
  for (unsigned i = 0; i < gsStreamCount; ++i) {
    if (!layout.isKept(i))
      continue;
    GsSubgroup::Stream &stream = group.streams[i];
    stream.slotDwords = static_cast<uint32_t>(layout.streams[i].fields.size()) | 1;
    if (!layout.streams[i].fields.empty())
      stream.slotBase = take((group.slots + 1) * stream.slotDwords);
    stream.flagBase = take(nggThreadsMax + 1);
    if (layout.streams[i].isCounted)
      stream.primitiveCountBase = take(nggThreadsMax / 32);
  }
  group.vertexCountBase = take(nggThreadsMax / 32);
  group.ldsDwords = next;
}

Error planNggSubgroup(const PipelineState &state, GeometryLayout &layout) {
  GsSubgroup &group = layout.subgroup;
  if (layout.maxVertices > nggThreadsMax)
    return limitExceeded("geometry shader emits up to " + Twine(layout.maxVertices) +
                         " vertices, the limit is " + Twine(nggThreadsMax));
  uint32_t invocations = std::max(state.graphics.geometry.invocations, 1u);
  // Each emitted vertex is exported by a lane of its own.
  uint32_t wanted = state.graphics.nggState.primsPerSubgroup;
  wanted = wanted ? std::min(wanted, nggThreadsMax) : nggThreadsMax / 2;
  group.invocations = invocations;
  group.gsPrims = nggThreadsMax / std::max(layout.maxVertices * invocations, 1u);
  group.gsPrims = std::min(group.gsPrims, wanted);
  auto splitInvocations = [&] {
    group.perInvocation = true;
    group.invocations = group.gsPrims = 1;
  };
  // HW: with tessellation a subgroup must take at least three primitives.
  uint32_t primsMin = layout.plan.hasTess ? 3 : 1;
  if (group.gsPrims < primsMin)
    splitInvocations();
  sizeNggSubgroup(layout);
  while (group.ldsDwords > ldsDwordsMax && !group.perInvocation) {
    group.gsPrims /= 2;
    if (group.gsPrims < primsMin)
      splitInvocations();
    sizeNggSubgroup(layout);
  }
  if (group.ldsDwords > ldsDwordsMax)
    return limitExceeded("geometry shader: one primitive needs " + Twine(group.ldsDwords * 4) +
                         " bytes of LDS, the limit is " + Twine(ldsDwordsMax * 4));
  return Error::success();
}

Error planLegacySubgroup(const PipelineState &state, GeometryLayout &layout) {
  GsSubgroup &group = layout.subgroup;
  const GeometryModes &modes = state.graphics.geometry;
  uint32_t invocations = std::max(modes.invocations, 1u);
  bool adjacency = hasAdjacency(modes.input);
  for (const GsStream &stream : layout.streams) {
    uint32_t streamDwords = static_cast<uint32_t>(stream.fields.size()) * layout.maxVertices;
    if (streamDwords > strideMax / 4)
      return limitExceeded("geometry shader: the vertices of one invocation have " +
                           Twine(streamDwords) + " components, the limit is " +
                           Twine(strideMax / 4));
  }
  if (layout.waveSize != 64)
    return unsupported("wave size 32 of a geometry shader without NGG");
  uint32_t primsMax =
      adjacency || invocations > 1 ? legacyGsInstPrimsMax / invocations : legacyGsPrimsMax;
  primsMax = std::min(primsMax, legacyOutPrimsMax / (layout.maxVertices * invocations));
  if (primsMax == 0)
    return limitExceeded("geometry shader: " + Twine(invocations) + " invocations of " +
                         Twine(layout.maxVertices) + " vertices do not fit a subgroup");
  // Half the vertices of primitives with adjacency belong to their neighbours too.
  uint32_t fresh = adjacency ? layout.inputVertices / 2 : layout.inputVertices;
  uint32_t item = layout.input.itemDwords;
  group.invocations = invocations;
  group.gsPrims = std::min(layout.waveSize, primsMax);
  uint32_t verts = std::min(fresh * group.gsPrims, legacyEsVertsMax);
  if (verts * item > ldsDwordsMax) {
    group.gsPrims = std::max(1u, std::min(ldsDwordsMax / (item * fresh), primsMax));
    verts = std::min(fresh * group.gsPrims, legacyEsVertsMax);
  }
  verts = std::max(verts, esVertsMin(*layout.target, layout.inputVertices) + layout.inputVertices);
  group.esGsDwords = group.ldsDwords = verts * item;
  // HW: the number is compared after a whole primitive was taken in, and there must be room for it.
  group.esVerts = verts - (layout.inputVertices - 1);
  return Error::success();
}

} // namespace

uint32_t streamOf(const CallInst &outputStore) {
  const auto *stream = dyn_cast<ConstantInt>(outputStore.getArgOperand(4));
  return stream ? static_cast<uint32_t>(stream->getZExtValue()) : 0;
}

Expected<GeometryLayout> planGeometry(Function &gs, const Function *es,
                                      const PipelineState &state) {
  GeometryLayout layout;
  layout.target = pal::abi::findTarget(state.target);
  if (!layout.target)
    return invalidInput("unknown target '" + state.target + "'");
  const GeometryModes &modes = state.graphics.geometry;
  layout.plan = planStages(state);
  layout.waveSize = chooseWaveSize(state, pal::abi::HardwareStage::Gs);
  layout.inputVertices = verticesOf(modes.input);
  layout.maxVertices = std::max(modes.outputVertices, 1u);
  layout.rasterStream = state.graphics.rsState.rasterStream;
  if (layout.rasterStream >= gsStreamCount)
    return invalidInput("raster stream " + Twine(layout.rasterStream) + ", the limit is 3");
  uint32_t invocationsLimit = layout.isGfx12Plus() ? invocationsMaxGfx12 : invocationsMax;
  if (modes.invocations > invocationsLimit)
    return limitExceeded("geometry shader with " + Twine(modes.invocations) +
                         " invocations, the limit is " + Twine(invocationsLimit));
  if (modes.outputVertices > verticesMax)
    return limitExceeded("geometry shader emits up to " + Twine(modes.outputVertices) +
                         " vertices, the limit is " + Twine(verticesMax));
  layout.input = KILN_TRY(layOutInputs(gs));
  KILN_TRY(collectStreams(gs, state, layout));
  layout.usesPrimitiveId |= es && readsPatchId(*es);
  if (Error error =
          layout.plan.ngg ? planNggSubgroup(state, layout) : planLegacySubgroup(state, layout))
    return error;
  return layout;
}

} // namespace lgc
