//===- GeometryLegacy.cpp - the GS-VS ring and its copy shader ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// gfx10 without NGG: emitted vertices go to a ring in memory. The driver's descriptor swizzles it:
/// 16 consecutive lanes are consecutive dwords of each offset, and the next 16 lie behind all
/// offsets of these. Dword `field` of vertex `number` of an invocation is at offset (field x
/// max_vertices + number) x 4; the message EMIT tells the hardware about it. For every vertex that
/// it makes of that, the hardware starts a lane of the copy shader with the place of the vertex's
/// first field in dwords, which reads field after field and exports. Streams follow each other in
/// the ring; the copy shader is told which one it copies.
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/entry/PalRegisters.h"
#include "lgc/lowering/geometry/GeometryLowering.h"
#include "lgc/lowering/vertex/StreamOut.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace lgc {

using pal::abi::HardwareStage;
namespace key = pal::abi::key;

namespace {

/// Messages. Source: RDNA ISA manuals, "S_SENDMSG".
enum : unsigned {
  messageGs = 2,
  messageGsDone = 3,
  messageCut = 1 << 4,
  messageEmit = 2 << 4,
  messageStreamShift = 8
};
/// Bits of a buffer access: GLC, SLC, swizzled.
enum : unsigned { accessGlc = 1, accessSlc = 2, accessSwizzled = 8 };
/// Lanes that the ring is laid out for, and those that lie side by side: INDEX_STRIDE of the
/// driver's descriptor (docs/hw-notes.md#gs-ring).
constexpr unsigned ringLanes = 64, blockLanes = 16;

class LegacyEmitter : public GeometryEmitter {
public:
  LegacyEmitter(const PipelineState &state, const GeometryLayout &layout)
      : state(state), layout(layout) {}

  void begin(IRBuilder<> &b) override;
  void emitVertex(IRBuilder<> &b, unsigned stream, ArrayRef<Value *> values) override;
  void endPrimitive(IRBuilder<> &b, unsigned stream) override;
  void beginSubgroup(IRBuilder<> &) override {}
  void endInvocation(IRBuilder<> &b) override;
  void endSubgroup(IRBuilder<> &b) override { b.CreateRetVoid(); }

private:
  Value *ringDescriptor(IRBuilder<> &b, unsigned stream);
  void sendMessage(IRBuilder<> &b, unsigned message);

  const PipelineState &state;
  const GeometryLayout &layout;
  std::array<AllocaInst *, gsStreamCount> emitted = {};
  std::array<Value *, gsStreamCount> rings = {};
  Value *ringOffset = nullptr, *waveId = nullptr;
};

uint32_t dwordsOf(const GeometryLayout &layout, unsigned stream) {
  return static_cast<uint32_t>(layout.streams[stream].fields.size()) * layout.maxVertices;
}

/// The driver's descriptor, made to point at the stream and to know its size.
Value *LegacyEmitter::ringDescriptor(IRBuilder<> &b, unsigned stream) {
  Value *ring = createOp(b, OpId::DriverTableOp, FixedVectorType::get(b.getInt32Ty(), 4),
                         {b.getInt32(DriverTable::GsVsWrite0 + 4 * stream)}, "gs.ring");
  uint32_t before = 0;
  for (unsigned i = 0; i < stream; ++i)
    before += dwordsOf(layout, i);
  if (before) {
    Value *base =
        b.CreateAdd(b.CreateExtractElement(ring, uint64_t(0)), b.getInt32(before * 4 * ringLanes));
    ring = b.CreateInsertElement(ring, base, uint64_t(0));
  }
  // STRIDE, bits 29:16: bytes of all vertices of one invocation.
  constexpr uint32_t strideMask = 0x3FFFu << 16;
  Value *word = b.CreateAnd(b.CreateExtractElement(ring, 1), ~strideMask);
  word = b.CreateOr(word, b.getInt32(dwordsOf(layout, stream) * 4 << 16));
  return b.CreateInsertElement(ring, word, 1);
}

void LegacyEmitter::begin(IRBuilder<> &b) {
  BasicBlock *block = b.GetInsertBlock();
  IRBuilder<> allocas(block, block->begin());
  SubgroupValues values(b, layout);
  ringOffset = values.hwValue(HwValue::GsVsOffset);
  waveId = values.gsWaveId();
  for (unsigned i = 0; i < gsStreamCount; ++i) {
    if (!layout.streams[i].active)
      continue;
    emitted[i] = allocas.CreateAlloca(b.getInt32Ty(), AddrSpace::Private, nullptr, "emitted");
    b.CreateStore(b.getInt32(0), emitted[i]);
    if (!layout.streams[i].fields.empty())
      rings[i] = ringDescriptor(b, i);
  }
}

void LegacyEmitter::sendMessage(IRBuilder<> &b, unsigned message) {
  b.CreateIntrinsic(Intrinsic::amdgcn_s_sendmsg, {}, {b.getInt32(message), waveId});
}

void LegacyEmitter::emitVertex(IRBuilder<> &b, unsigned stream, ArrayRef<Value *> values) {
  Value *number = b.CreateLoad(b.getInt32Ty(), emitted[stream]);
  Value *fits = b.CreateICmpULT(number, b.getInt32(layout.maxVertices));
  Instruction *then = SplitBlockAndInsertIfThen(fits, b.GetInsertPoint(), false);
  IRBuilder<> inside(then);
  Value *first = inside.CreateShl(number, 2);
  for (size_t i = 0; i < values.size(); ++i) {
    uint32_t field = static_cast<uint32_t>(i) * layout.maxVertices * 4;
    inside.CreateIntrinsic(Intrinsic::amdgcn_raw_buffer_store, {inside.getInt32Ty()},
                           {values[i], rings[stream],
                            inside.CreateAdd(first, inside.getInt32(field)), ringOffset,
                            inside.getInt32(accessGlc | accessSlc | accessSwizzled)});
  }
  sendMessage(inside, messageGs | messageEmit | stream << messageStreamShift);
  inside.CreateStore(inside.CreateAdd(number, inside.getInt32(1)), emitted[stream]);
}

void LegacyEmitter::endPrimitive(IRBuilder<> &b, unsigned stream) {
  if (state.graphics.geometry.output != OutputTopology::Points)
    sendMessage(b, messageGs | messageCut | stream << messageStreamShift);
}

void LegacyEmitter::endInvocation(IRBuilder<> &b) {
  // The copy shader may start with this message: the vertices must be in memory.
  b.CreateFence(AtomicOrdering::Release, b.getContext().getOrInsertSyncScopeID("agent"));
  Value *id = SubgroupValues(b, layout).gsWaveId();
  b.CreateIntrinsic(Intrinsic::amdgcn_s_sendmsg, {}, {b.getInt32(messageGsDone), id});
}

//===--- The copy shader ----------------------------------------------------===//

/// All fields of the vertex that this lane copies.
SmallVector<Value *, 32> loadVertex(IRBuilder<> &b, const GeometryLayout &layout,
                                    const GsStream &stream) {
  SmallVector<Value *, 32> dwords;
  if (stream.fields.empty())
    return dwords;
  Value *ring = createOp(b, OpId::DriverTableOp, FixedVectorType::get(b.getInt32Ty(), 4),
                         {b.getInt32(DriverTable::GsVsRead)}, "gs.ring");
  // HW: the vertex id of a copy shader is the offset of its vertex in dwords.
  Value *vertex = SubgroupValues(b, layout).hwValue(HwValue::VertexId);
  Value *offset = b.CreateShl(vertex, 2);
  for (size_t i = 0; i < stream.fields.size(); ++i) {
    uint32_t field = static_cast<uint32_t>(i) * layout.maxVertices * blockLanes * 4;
    dwords.push_back(
        b.CreateIntrinsic(Intrinsic::amdgcn_raw_buffer_load, {b.getInt32Ty()},
                          {ring, offset, b.getInt32(field), b.getInt32(accessGlc | accessSlc)}));
  }
  return dwords;
}

/// Captures and, of the raster stream, exports the vertex that this lane copies.
void copyVertex(IRBuilder<> &b, const GeometryLayout &layout, unsigned number,
                VertexExporter &exporter) {
  const GsStream &stream = layout.streams[number];
  SmallVector<Value *, 32> dwords = loadVertex(b, layout, stream);
  std::vector<StreamOutValue> captured;
  for (size_t i = 0; i < dwords.size(); ++i)
    if (const GsField &field = stream.fields[i]; field.isXfb)
      captured.push_back({field.slotOrBuffer, field.componentOrOffset, number,
                          fromDword(b, dwords[i], field.type)});
  if (!captured.empty())
    emitLegacyStreamOut(b, layout.waveSize, captured, number);
  if (number != layout.rasterStream)
    return;
  OutputSet outputs = toOutputs(b, stream, dwords);
  exporter.exportPositions(b, outputs);
  exporter.exportAttributes(b, outputs, b.getInt32(0));
}

/// One block per stream, which ends before `end`; the hardware says which stream a wave copies.
void switchStreams(IRBuilder<> &b, Instruction *end, const GeometryLayout &layout,
                   ArrayRef<unsigned> streams, VertexExporter &exporter) {
  // HW(gfx10): bits 25:24.
  Value *info = SubgroupValues(b, layout).hwValue(HwValue::StreamOutInfo);
  Value *stream = b.CreateAnd(b.CreateLShr(info, 24), 3);
  for (unsigned number : streams) {
    Value *isThis = b.CreateICmpEQ(stream, b.getInt32(number));
    Instruction *then = SplitBlockAndInsertIfThen(isThis, end->getIterator(), false);
    IRBuilder<> inside(then);
    copyVertex(inside, layout, number, exporter);
    b.SetInsertPoint(end);
  }
}

} // namespace

std::unique_ptr<GeometryEmitter> createLegacyEmitter(Module &, const PipelineState &state,
                                                     const GeometryLayout &layout) {
  return std::make_unique<LegacyEmitter>(state, layout);
}

void createCopyShader(Module &module, const PipelineState &state, const GeometryLayout &layout,
                      const Function &like) {
  auto *copy = Function::Create(like.getFunctionType(), GlobalValue::ExternalLinkage,
                                hardwareFunctionName(HardwareStage::Vs));
  module.getFunctionList().insertAfter(
      module.getFunction(hardwareFunctionName(HardwareStage::Gs))->getIterator(), copy);
  copy->copyAttributesFrom(&like);
  copy->removeFnAttr("amdgpu-flat-work-group-size");
  IRBuilder<> b(BasicBlock::Create(module.getContext(), "entry", copy));
  Instruction *end = b.CreateRetVoid();
  b.SetInsertPoint(end);
  VertexExporter exporter(module, state, outputSlots(layout.raster()),
                          VertexExporter::Path::LegacyVs);
  exporter.writeRegisters();
  if (state.graphics.xfb.enabled)
    writeLegacyStreamOutRegisters(module, state);
  if (state.graphics.xfb.enabled || layout.rasterStream)
    setGraphics(module, key::vgtStrmoutConfig, key::rastStream, uint64_t(layout.rasterStream));
  writeLegacyCountRegister(module, state);
  SmallVector<unsigned, gsStreamCount> streams;
  for (unsigned i = 0; i < gsStreamCount; ++i)
    if (layout.streams[i].isCaptured() || i == layout.rasterStream)
      streams.push_back(i);
  if (streams.size() == 1)
    copyVertex(b, layout, streams[0], exporter);
  else
    switchStreams(b, end, layout, streams, exporter);
}

} // namespace lgc
