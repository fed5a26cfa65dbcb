//===- GeometryNgg.cpp - vertices of NGG geometry shaders -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Each invocation has room for its max_vertices in LDS: slots, one after the other. An emitted
/// vertex fills the next slot of its invocation and its flag, which says that there is a vertex,
/// whether it completes a primitive, and whether that one is odd in its strip. When all primitives
/// of the subgroup are through:
///
///   flag of slot `thread`; ballot, count per wave to LDS      | barrier
///   number of the vertex = vertices of earlier waves and lanes
///   map[number] = slot and flag (in place of the flags)       | barrier
///   wave 0: GS_ALLOC_REQ with the number of vertices, for primitives too
///   thread < vertices: its primitive (the one that its vertex completes, or a null primitive),
///   then its vertex
///
/// Only the raster stream is exported. For transform feedback and queries the primitives of streams
/// are counted in the same way, and those that are captured written from the slots, before anything
/// is exported.
///
/// So a vertex and the primitive that it completes belong to one lane, and strips stay in order,
/// since an invocation's vertices have ascending numbers.
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/geometry/GeometryLowering.h"
#include "lgc/lowering/subgroup/LaneBuilder.h"
#include "lgc/lowering/vertex/SoftwareStreamOut.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace lgc {
namespace {

/// Bits of a slot's flag.
enum : uint32_t { flagVertex = 1, flagCompletes = 2, flagOdd = 4 };
/// In the map the flag stands above the slot.
constexpr unsigned mapFlagShift = 8;
constexpr uint32_t nullPrimitive = 1u << 31;
/// Export targets and messages. Source: RDNA ISA manuals.
enum : unsigned { targetPosition0 = 12, targetPrimitive = 20, messageAllocRequest = 9 };

class NggEmitter : public GeometryEmitter {
public:
  NggEmitter(Module &module, const PipelineState &state, const GeometryLayout &layout,
             SubgroupLds &lds)
      : module(module), state(state), layout(layout), lds(lds),
        verticesPerPrimitive(static_cast<unsigned>(state.graphics.geometry.output) + 1) {}

  void begin(IRBuilder<> &b) override;
  void emitVertex(IRBuilder<> &b, unsigned stream, ArrayRef<Value *> values) override;
  void endPrimitive(IRBuilder<> &b, unsigned stream) override;
  void beginSubgroup(IRBuilder<> &b) override;
  void endInvocation(IRBuilder<> &) override {}
  void endSubgroup(IRBuilder<> &b) override;

private:
  struct Counts {
    Value *total = nullptr;  ///< of the subgroup, uniform
    Value *before = nullptr; ///< of earlier waves, uniform
  };
  /// Primitives of a stream that transform feedback writes, or that only count.
  struct Capture {
    Value *flag = nullptr; ///< of this thread's slot
    Value *completes = nullptr;
    Value *mask = nullptr;
    Counts counts;
  };
  unsigned waves() const { return nggThreadsMax / layout.waveSize; }
  const GsSubgroup::Stream &place(unsigned stream) const { return layout.subgroup.streams[stream]; }
  const GsSubgroup::Stream &raster() const { return place(layout.rasterStream); }
  Value *item(IRBuilder<> &b, unsigned stream, Value *slot);
  Value *loadFlag(IRBuilder<> &b, unsigned stream, Value *thread);
  void storeCount(IRBuilder<> &b, Value *mask, uint32_t base);
  Counts loadCounts(IRBuilder<> &b, LaneBuilder &lanes, uint32_t base);
  void captureStreams(IRBuilder<> &b, LaneBuilder &lanes, Value *thread,
                      std::array<Capture, gsStreamCount> &captures);
  void capturePrimitive(IRBuilder<> &b, SoftwareStreamOut &streamOut, unsigned stream,
                        Value *thread, Value *primitive, Value *flag);
  SmallVector<Value *, 3> primitiveVertices(IRBuilder<> &b, Value *last, Value *flag);
  void requestSpace(IRBuilder<> &b, Value *total);
  Value *primitiveWord(IRBuilder<> &b, Value *vertex, Value *flag);
  void exportVertex(IRBuilder<> &b, Value *thread, VertexExporter &exporter);
  void exportDummy(IRBuilder<> &b);

  Module &module;
  const PipelineState &state;
  const GeometryLayout &layout;
  SubgroupLds &lds;
  const unsigned verticesPerPrimitive;
  std::array<AllocaInst *, gsStreamCount> emitted = {}; ///< vertices of this invocation
  std::array<AllocaInst *, gsStreamCount> inStrip = {}; ///< vertices of the current strip
  Value *firstSlot = nullptr;
};

void NggEmitter::begin(IRBuilder<> &b) {
  BasicBlock *block = b.GetInsertBlock();
  IRBuilder<> allocas(block, block->begin());
  for (unsigned i = 0; i < gsStreamCount; ++i) {
    if (!layout.isKept(i))
      continue;
    emitted[i] = allocas.CreateAlloca(b.getInt32Ty(), AddrSpace::Private, nullptr, "emitted");
    inStrip[i] = allocas.CreateAlloca(b.getInt32Ty(), AddrSpace::Private, nullptr, "in.strip");
    b.CreateStore(b.getInt32(0), emitted[i]);
    b.CreateStore(b.getInt32(0), inStrip[i]);
  }
  Value *thread = SubgroupValues(b, layout).threadInSubgroup();
  firstSlot = b.CreateMul(thread, b.getInt32(layout.maxVertices), "first.slot");
}

Value *NggEmitter::item(IRBuilder<> &b, unsigned stream, Value *slot) {
  return b.CreateAdd(b.CreateMul(slot, b.getInt32(place(stream).slotDwords)),
                     b.getInt32(place(stream).slotBase));
}

/// Without a branch: a vertex too many goes to the slot that nobody reads.
void NggEmitter::emitVertex(IRBuilder<> &b, unsigned stream, ArrayRef<Value *> values) {
  Value *number = b.CreateLoad(b.getInt32Ty(), emitted[stream]);
  Value *strip = b.CreateLoad(b.getInt32Ty(), inStrip[stream]);
  Value *fits = b.CreateICmpULT(number, b.getInt32(layout.maxVertices));
  Value *slot = b.CreateAdd(firstSlot, number);
  slot = b.CreateSelect(fits, slot, b.getInt32(layout.subgroup.slots));
  Value *flagSlot = b.CreateSelect(fits, slot, b.getInt32(nggThreadsMax));
  Value *at = item(b, stream, slot);
  for (size_t i = 0; i < values.size(); ++i)
    lds.store(b, values[i], b.CreateAdd(at, b.getInt32(static_cast<uint32_t>(i))));
  Value *flag = b.getInt32(flagVertex | flagCompletes);
  if (verticesPerPrimitive > 1) {
    Value *completes = b.CreateICmpUGE(strip, b.getInt32(verticesPerPrimitive - 1));
    flag = b.CreateSelect(completes, flag, b.getInt32(flagVertex));
  }
  if (verticesPerPrimitive == 3)
    flag = b.CreateOr(flag, b.CreateShl(b.CreateAnd(strip, 1), 2)); // flagOdd
  lds.store(b, flag, b.CreateAdd(flagSlot, b.getInt32(place(stream).flagBase)));
  b.CreateStore(b.CreateAdd(number, b.getInt32(1)), emitted[stream]);
  b.CreateStore(b.CreateAdd(strip, b.getInt32(1)), inStrip[stream]);
}

void NggEmitter::endPrimitive(IRBuilder<> &b, unsigned stream) {
  b.CreateStore(b.getInt32(0), inStrip[stream]);
}

/// No vertices yet. Every wave clears the counts of all waves, since not all of them may run.
void NggEmitter::beginSubgroup(IRBuilder<> &b) {
  SubgroupValues values(b, layout);
  Value *thread = values.threadInSubgroup();
  Value *wave = b.CreateAnd(values.lane(), waves() - 1);
  for (unsigned i = 0; i < gsStreamCount; ++i) {
    if (!layout.isKept(i))
      continue;
    lds.store(b, b.getInt32(0), b.CreateAdd(thread, b.getInt32(place(i).flagBase)));
    if (layout.streams[i].isCounted)
      lds.store(b, b.getInt32(0), b.CreateAdd(wave, b.getInt32(place(i).primitiveCountBase)));
  }
  lds.store(b, b.getInt32(0), b.CreateAdd(wave, b.getInt32(layout.subgroup.vertexCountBase)));
}

Value *NggEmitter::loadFlag(IRBuilder<> &b, unsigned stream, Value *thread) {
  return lds.load(b, b.CreateAdd(thread, b.getInt32(place(stream).flagBase)), b.getInt32Ty());
}

/// Notes the number of this wave's lanes in `mask`.
void NggEmitter::storeCount(IRBuilder<> &b, Value *mask, uint32_t base) {
  Value *count =
      b.CreateZExtOrTrunc(b.CreateUnaryIntrinsic(Intrinsic::ctpop, mask), b.getInt32Ty());
  Value *wave = SubgroupValues(b, layout).waveInSubgroup();
  lds.store(b, count, b.CreateAdd(wave, b.getInt32(base))); // all lanes the same value
}

NggEmitter::Counts NggEmitter::loadCounts(IRBuilder<> &b, LaneBuilder &lanes, uint32_t base) {
  Value *wave = SubgroupValues(b, layout).waveInSubgroup();
  auto *type = FixedVectorType::get(b.getInt32Ty(), waves());
  Value *pointer = lds.pointer(b, b.getInt32(base));
  Value *counts = b.CreateAlignedLoad(type, pointer, Align(16), "wave.counts");
  Counts result{b.getInt32(0), b.getInt32(0)};
  for (unsigned i = 0; i < waves(); ++i) {
    Value *ofWave = lanes.readFirstLane(b.CreateExtractElement(counts, i));
    result.total = b.CreateAdd(result.total, ofWave);
    Value *earlier = b.CreateICmpUGT(wave, b.getInt32(i));
    result.before = b.CreateAdd(result.before, b.CreateSelect(earlier, ofWave, b.getInt32(0)));
  }
  return result;
}

/// The vertices of the primitive that vertex `last` completes, in the order of the API.
SmallVector<Value *, 3> NggEmitter::primitiveVertices(IRBuilder<> &b, Value *last, Value *flag) {
  SmallVector<Value *, 3> vertices;
  for (unsigned i = 0; i < verticesPerPrimitive; ++i)
    vertices.push_back(b.CreateSub(last, b.getInt32(verticesPerPrimitive - 1 - i)));
  if (verticesPerPrimitive == 3) {
    // Every other triangle of a strip winds the other way round: two vertices change places, but
    // not the provoking one, which stays first (or last).
    unsigned a = state.graphics.rsState.provokingVertexMode == ProvokingVertexMode::Last ? 0 : 1;
    Value *odd = b.CreateICmpNE(b.CreateAnd(flag, flagOdd), b.getInt32(0));
    Value *first = b.CreateSelect(odd, vertices[a + 1], vertices[a]);
    vertices[a + 1] = b.CreateSelect(odd, vertices[a], vertices[a + 1]);
    vertices[a] = first;
  }
  return vertices;
}

/// The primitive word of a lane: vertices, or null when its vertex completes none.
Value *NggEmitter::primitiveWord(IRBuilder<> &b, Value *vertex, Value *flag) {
  SmallVector<Value *, 3> vertices = primitiveVertices(b, vertex, flag);
  // HW(gfx10, gfx11): 9 bits and an edge flag each; HW(gfx12): 8 bits and an edge flag.
  unsigned step = layout.isGfx12Plus() ? 9 : 10;
  Value *word = vertices[0];
  for (unsigned i = 1; i < verticesPerPrimitive; ++i)
    word = b.CreateOr(word, b.CreateShl(vertices[i], i * step));
  Value *completes = b.CreateICmpNE(b.CreateAnd(flag, flagCompletes), b.getInt32(0));
  return b.CreateSelect(completes, word, b.getInt32(nullPrimitive));
}

void exportPrimitive(IRBuilder<> &b, Value *word) {
  Value *none = PoisonValue::get(b.getInt32Ty());
  b.CreateIntrinsic(Intrinsic::amdgcn_exp, {b.getInt32Ty()},
                    {b.getInt32(targetPrimitive), b.getInt32(1), word, none, none, none,
                     b.getTrue(), b.getFalse()});
}

void NggEmitter::exportVertex(IRBuilder<> &b, Value *thread, VertexExporter &exporter) {
  Value *entry = loadFlag(b, layout.rasterStream, thread);
  exportPrimitive(b, primitiveWord(b, thread, b.CreateLShr(entry, mapFlagShift)));
  Value *at = item(b, layout.rasterStream, b.CreateAnd(entry, (1u << mapFlagShift) - 1));
  SmallVector<Value *, 32> dwords;
  for (size_t i = 0; i < layout.raster().fields.size(); ++i)
    dwords.push_back(
        lds.load(b, b.CreateAdd(at, b.getInt32(static_cast<uint32_t>(i))), b.getInt32Ty()));
  OutputSet outputs = toOutputs(b, layout.raster(), dwords);
  exporter.exportAttributes(b, outputs, thread);
  exporter.exportPositions(b, outputs);
}

//===--- Transform feedback -------------------------------------------------===//

/// The vertices of one primitive, from the slots of its invocation.
void NggEmitter::capturePrimitive(IRBuilder<> &b, SoftwareStreamOut &streamOut, unsigned stream,
                                  Value *thread, Value *primitive, Value *flag) {
  const std::vector<GsField> &fields = layout.streams[stream].fields;
  SmallVector<Value *, 3> slots = primitiveVertices(b, thread, flag);
  for (unsigned v = 0; v < verticesPerPrimitive; ++v) {
    Value *at = item(b, stream, slots[v]);
    std::vector<StreamOutValue> values;
    for (size_t i = 0; i < fields.size(); ++i)
      if (fields[i].isXfb)
        values.push_back(
            {fields[i].slotOrBuffer, fields[i].componentOrOffset, stream,
             lds.load(b, b.CreateAdd(at, b.getInt32(static_cast<uint32_t>(i))), fields[i].type)});
    streamOut.storeVertex(b, stream, primitive, v, values);
  }
}

/// Captures primitives, or counts them if none are captured. `b` stands before an instruction that
/// stays behind all of it.
void NggEmitter::captureStreams(IRBuilder<> &b, LaneBuilder &lanes, Value *thread,
                                std::array<Capture, gsStreamCount> &captures) {
  Instruction *end = &*b.GetInsertPoint();
  SoftwareStreamOut streamOut(*b.GetInsertBlock()->getParent(), state);
  StreamOutSubgroup subgroup;
  subgroup.thread = thread;
  for (unsigned i = 0; i < gsStreamCount; ++i)
    subgroup.primitives[i] = captures[i].counts.total;
  if (!layout.isCaptured())
    return streamOut.count(b, subgroup);
  streamOut.writeRegisters();
  subgroup.orderedId =
      b.CreateAnd(SubgroupValues(b, layout).hwValue(HwValue::MergedGroupInfo), 0xFFF);
  subgroup.verticesPerPrimitive = b.getInt32(verticesPerPrimitive);
  streamOut.reserve(b, subgroup);
  for (unsigned i = 0; i < gsStreamCount; ++i) {
    Capture &capture = captures[i];
    if (!layout.streams[i].isCaptured())
      continue;
    Value *primitive = lanes.countBelow(capture.mask, capture.counts.before);
    Value *fits = b.CreateICmpULT(primitive, streamOut.primitivesToWrite(i));
    Instruction *then =
        SplitBlockAndInsertIfThen(b.CreateAnd(capture.completes, fits), end->getIterator(), false);
    IRBuilder<> inside(then);
    capturePrimitive(inside, streamOut, i, thread, primitive, capture.flag);
    b.SetInsertPoint(end);
  }
}

/// HW(gfx10.1): a subgroup that exports nothing hangs; it gets one null primitive and one vertex.
void NggEmitter::exportDummy(IRBuilder<> &b) {
  exportPrimitive(b, b.getInt32(nullPrimitive));
  Value *zero = ConstantFP::get(b.getFloatTy(), 0.0);
  b.CreateIntrinsic(Intrinsic::amdgcn_exp, {b.getFloatTy()},
                    {b.getInt32(targetPosition0), b.getInt32(0xF), zero, zero, zero, zero,
                     b.getTrue(), b.getFalse()});
}

/// Asks for room for the exports, once per subgroup.
void NggEmitter::requestSpace(IRBuilder<> &b, Value *total) {
  bool needsDummy = layout.target->major == 10 && layout.target->minor < 3;
  SubgroupValues values(b, layout);
  Value *isFirst = b.CreateICmpEQ(values.waveInSubgroup(), b.getInt32(0));
  Instruction *then = SplitBlockAndInsertIfThen(isFirst, b.GetInsertPoint(), false);
  IRBuilder<> first(then);
  Value *empty = first.CreateICmpEQ(total, b.getInt32(0));
  Value *count = needsDummy ? first.CreateSelect(empty, b.getInt32(1), total) : total;
  // HW: primitives in bits 22:12, vertices in bits 10:0.
  first.CreateIntrinsic(
      Intrinsic::amdgcn_s_sendmsg, {},
      {b.getInt32(messageAllocRequest), first.CreateOr(first.CreateShl(count, 12), count)});
  if (needsDummy) {
    Value *isLane0 = first.CreateICmpEQ(SubgroupValues(first, layout).lane(), b.getInt32(0));
    Instruction *dummy =
        SplitBlockAndInsertIfThen(first.CreateAnd(empty, isLane0), then->getIterator(), false);
    IRBuilder<> lane0(dummy);
    exportDummy(lane0);
  }
}

void NggEmitter::endSubgroup(IRBuilder<> &b) {
  Instruction *end = b.CreateRetVoid();
  b.SetInsertPoint(end);
  LaneBuilder lanes(b, layout.waveSize, layout.target->major);
  VertexExporter exporter(module, state, outputSlots(layout.raster()), VertexExporter::Path::Ngg);
  exporter.writeRegisters();
  Value *thread = SubgroupValues(b, layout).threadInSubgroup();
  createSubgroupBarrier(b);
  Value *flag = loadFlag(b, layout.rasterStream, thread);
  Value *isVertex = b.CreateICmpNE(flag, b.getInt32(0));
  Value *mask = lanes.ballot(isVertex);
  storeCount(b, mask, layout.subgroup.vertexCountBase);
  std::array<Capture, gsStreamCount> captures;
  for (unsigned i = 0; i < gsStreamCount; ++i) {
    if (!layout.streams[i].isCounted)
      continue;
    Capture &capture = captures[i];
    capture.flag = loadFlag(b, i, thread);
    capture.completes = b.CreateICmpNE(b.CreateAnd(capture.flag, flagCompletes), b.getInt32(0));
    capture.mask = lanes.ballot(capture.completes);
    storeCount(b, capture.mask, place(i).primitiveCountBase);
  }
  createSubgroupBarrier(b);
  Counts counts = loadCounts(b, lanes, layout.subgroup.vertexCountBase);
  for (unsigned i = 0; i < gsStreamCount; ++i)
    if (captures[i].mask)
      captures[i].counts = loadCounts(b, lanes, place(i).primitiveCountBase);
  if (layout.isCounted())
    captureStreams(b, lanes, thread, captures);
  Value *number = lanes.countBelow(mask, counts.before);
  // Lanes without a vertex write where nobody reads.
  number = b.CreateSelect(isVertex, number, b.getInt32(nggThreadsMax));
  Value *entry = b.CreateOr(thread, b.CreateShl(flag, mapFlagShift));
  lds.store(b, entry, b.CreateAdd(number, b.getInt32(raster().flagBase)));
  createSubgroupBarrier(b);
  requestSpace(b, counts.total);
  b.SetInsertPoint(end);
  Value *exports = b.CreateICmpULT(thread, counts.total);
  Instruction *then = SplitBlockAndInsertIfThen(exports, end->getIterator(), false);
  IRBuilder<> inside(then);
  exportVertex(inside, thread, exporter);
}

} // namespace

std::unique_ptr<GeometryEmitter> createNggEmitter(Module &module, const PipelineState &state,
                                                  const GeometryLayout &layout, SubgroupLds &lds) {
  return std::make_unique<NggEmitter>(module, state, layout, lds);
}

} // namespace lgc
