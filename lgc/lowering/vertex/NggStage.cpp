//===- NggStage.cpp - a primitive shader without a geometry shader --------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/vertex/NggStage.h"
#include "lgc/Ops.h"
#include "lgc/lowering/entry/PalRegisters.h"
#include "lgc/lowering/subgroup/LaneBuilder.h"
#include "lgc/lowering/vertex/VertexInputs.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace lgc {

namespace key = pal::abi::key;

namespace {

/// Threads of a subgroup at most. Source: AMD's compiler, NGG limits.
constexpr unsigned maxSubgroupThreads = 256;
/// Message that allocates export space: m0 = primitives << 12 | vertices.
constexpr unsigned messageGsAllocReq = 9;
constexpr unsigned targetPrimitive = 20;

/// Vertices or primitives of a subgroup: what the state asks for, else half of the maximum, which
/// leaves room for two subgroups to overlap.
unsigned subgroupSize(unsigned asked) {
  return asked ? std::min(asked, maxSubgroupThreads) : maxSubgroupThreads / 2;
}

} // namespace

NggStage::NggStage(Function &shader, const PipelineState &state, bool streamOut, bool culling,
                   unsigned limit)
    : shader(shader), module(*shader.getParent()), state(state),
      target(*pal::abi::findTarget(state.target)), waveSize(waveSizeOf(shader, state)),
      streamOut(streamOut), culling(culling), limit(limit) {}

Value *NggStage::field(IRBuilder<> &b, Value *word, unsigned shift, unsigned bits) {
  return b.CreateAnd(b.CreateLShr(word, shift), (1u << bits) - 1);
}

Instruction *NggStage::beginIf(IRBuilder<> &b, Value *condition, const char *name) {
  Instruction *behind = &*b.GetInsertPoint();
  Instruction *body =
      SplitBlockAndInsertIfThen(condition, behind->getIterator(), /*Unreachable=*/false);
  body->getParent()->setName(name);
  b.SetInsertPoint(behind);
  return body;
}

void NggStage::moveAllocas(BasicBlock &from, BasicBlock &to) {
  for (Instruction &instruction : make_early_inc_range(from))
    if (isa<AllocaInst>(instruction))
      instruction.moveBefore(to, to.getFirstInsertionPt());
}

/// HW(gfx11+): without a geometry shader, culling and stream-out the hardware knows the sizes by
/// itself (`.primgen_passthru_no_msg`).
bool NggStage::hasAllocationMessage() const { return target.major == 10 || streamOut || culling; }

void NggStage::barrier(IRBuilder<> &b) {
  b.CreateIntrinsic(Intrinsic::amdgcn_s_barrier, {});
  // Why: LLVM takes a graphics stage for a single wave, whose barriers do nothing.
  shader.addFnAttr("amdgpu-flat-work-group-size", "1," + std::to_string(maxSubgroupThreads));
}

Value *NggStage::groupInfo(IRBuilder<> &b) {
  return createHwValue(b, HwValue::MergedGroupInfo, "group.info");
}

Value *NggStage::orderedId(IRBuilder<> &b) { return field(b, groupInfo(b), 0, 12); }

Value *NggStage::primitiveCount(IRBuilder<> &b) { return field(b, groupInfo(b), 22, 9); }

void NggStage::requestAllocation(IRBuilder<> &b) {
  // HW(gfx10): the message must not be the first thing of a pass-through subgroup; a barrier before
  // it works around that.
  if (!primitiveIds && target.major == 10)
    barrier(b);
  Value *group = groupInfo(b);
  Value *wave = field(b, waveInfo, 24, 4);
  Instruction *body = beginIf(b, b.CreateICmpEQ(wave, b.getInt32(0)), "alloc");
  IRBuilder<> inside(body);
  Value *vertices = field(inside, group, 12, 9);
  Value *primitives = field(inside, group, 22, 9);
  Value *message = inside.CreateOr(inside.CreateShl(primitives, 12), vertices);
  inside.CreateIntrinsic(Intrinsic::amdgcn_s_sendmsg, {},
                         {inside.getInt32(messageGsAllocReq), message});
}

void NggStage::exportWord(IRBuilder<> &b, Value *word) {
  Value *unused = PoisonValue::get(b.getInt32Ty());
  b.CreateIntrinsic(Intrinsic::amdgcn_exp, {b.getInt32Ty()},
                    {b.getInt32(targetPrimitive), b.getInt32(1), word, unused, unused, unused,
                     b.getTrue(), b.getFalse()});
}

void NggStage::exportPrimitives(IRBuilder<> &b) {
  IRBuilder<> inside(beginIf(b, isPrimitive, "primitive"));
  // The hardware has packed the word as the rasterizer takes it.
  exportWord(inside, createHwValue(inside, HwValue::GsVertexOffsets01, "connectivity"));
}

void NggStage::exportPrimitive(IRBuilder<> &b, Value *culled) {
  Value *word;
  if (target.major >= 12) {
    // HW(gfx12): as it came, without the instance number on top.
    word = createHwValue(b, HwValue::GsVertexOffsets01, "connectivity");
    word = b.CreateAnd(word, (1u << 27) - 1);
  } else {
    // Edge flags stay 0, as Vulkan knows none.
    word = b.CreateShl(vertexOfPrimitive(b, 2), 20);
    word = b.CreateOr(word, b.CreateShl(vertexOfPrimitive(b, 1), 10));
    word = b.CreateOr(word, vertexOfPrimitive(b, 0));
  }
  // Bit 31 alone: an empty primitive.
  exportWord(b, b.CreateSelect(culled, b.getInt32(1u << 31), word));
}

void NggStage::synchronize(IRBuilder<> &b) {
  SyncScope::ID scope = b.getContext().getOrInsertSyncScopeID("workgroup");
  b.CreateFence(AtomicOrdering::Release, scope);
  barrier(b);
  b.CreateFence(AtomicOrdering::Acquire, scope);
}

unsigned NggStage::verticesPerPrimitive() const {
  const GraphicsState &graphics = state.graphics;
  if (planStages(state).hasTess) {
    if (graphics.tess.pointMode)
      return 1;
    return graphics.tess.domain == TessModes::Domain::Isolines ? 2 : 3;
  }
  switch (graphics.iaState.topology) {
  case Topology::PointList:
  case Topology::PatchList:
    return 1;
  case Topology::LineList:
  case Topology::LineStrip:
  case Topology::LineListAdjacency:
  case Topology::LineStripAdjacency:
    return 2;
  default:
    return 3;
  }
}

unsigned NggStage::mostVerticesPerPrimitive() const {
  return state.graphics.iaState.dynamicTopology && !planStages(state).hasTess
             ? 3
             : verticesPerPrimitive();
}

Value *NggStage::verticesOfPrimitive(IRBuilder<> &b) {
  if (!state.graphics.iaState.dynamicTopology || planStages(state).hasTess)
    return b.getInt32(verticesPerPrimitive());
  return field(b, createSpecialUserData(b, pal::abi::userdata::compositeData, "composite"), 0, 2);
}

/// HW(gfx10, gfx11): indices at [8:0], [18:10], [28:20]; HW(gfx12): at [7:0], [16:9], [25:18].
static unsigned indexBits(unsigned gfxMajor) { return gfxMajor >= 12 ? 8 : 9; }

Value *NggStage::vertexOfPrimitive(IRBuilder<> &b, unsigned vertex) {
  if (culling && target.major < 12) {
    // HW(gfx10, gfx11): 16 bits each, in units of `.vgt_esgs_ring_itemsize`, which is 1.
    HwValue half = vertex < 2 ? HwValue::GsVertexOffsets01 : HwValue::GsVertexOffsets23;
    return field(b, createHwValue(b, half, "vertices"), vertex % 2 * 16, 16);
  }
  unsigned bits = indexBits(target.major);
  Value *word = createHwValue(b, HwValue::GsVertexOffsets01, "connectivity");
  return field(b, word, vertex * (bits + 1), bits);
}

/// The number in the subgroup of the primitive's first or last vertex.
Value *NggStage::provokingVertex(IRBuilder<> &b) {
  if (state.graphics.rsState.provokingVertexMode == ProvokingVertexMode::First)
    return vertexOfPrimitive(b, 0);
  if (!state.graphics.iaState.dynamicTopology)
    return vertexOfPrimitive(b, verticesPerPrimitive() - 1);
  unsigned bits = indexBits(target.major);
  Value *last = b.CreateSub(verticesOfPrimitive(b), b.getInt32(1));
  Value *word = createHwValue(b, HwValue::GsVertexOffsets01, "connectivity");
  Value *shifted = b.CreateLShr(word, b.CreateMul(last, b.getInt32(bits + 1)));
  return b.CreateAnd(shifted, (1u << bits) - 1);
}

/// Lanes of primitives write their id to the place of the provoking vertex, whose attribute is the
/// one that flat interpolation takes. The registers disable reuse of provoking vertices, so no two
/// primitives share one.
void NggStage::distributePrimitiveId(IRBuilder<> &b) {
  auto *type = ArrayType::get(b.getInt32Ty(), maxSubgroupThreads);
  primitiveIds = new GlobalVariable(
      module, type, /*isConstant=*/false, GlobalValue::InternalLinkage, UndefValue::get(type),
      "lgc.ngg.primitive.ids", nullptr, GlobalValue::NotThreadLocal, AddrSpace::Local);
  primitiveIds->setAlignment(Align(4));
  IRBuilder<> inside(beginIf(b, isPrimitive, "distribute"));
  Value *id = createHwValue(inside, HwValue::GsPrimitiveId, "primitive.id");
  Value *vertex = provokingVertex(inside);
  inside.CreateStore(id,
                     inside.CreateInBoundsGEP(type, primitiveIds, {inside.getInt32(0), vertex}));
  synchronize(b);
}

void NggStage::addPrologue(bool primitiveId) {
  BasicBlock &vertexBlock = shader.getEntryBlock();
  LLVMContext &context = shader.getContext();
  BasicBlock *entry = BasicBlock::Create(context, "prologue", &shader, &vertexBlock);
  endBlock = BasicBlock::Create(context, "end", &shader);
  ReturnInst::Create(context, endBlock);
  moveAllocas(vertexBlock, *entry);
  vertexBlock.setName("vertex");
  vertexStart = &*vertexBlock.getFirstInsertionPt();

  IRBuilder<> b(entry);
  // A branch for beginIf to split at; the last one below replaces it.
  Instruction *last = b.CreateBr(&vertexBlock);
  b.SetInsertPoint(last);
  // HW: a merged stage starts with EXEC of no meaning.
  b.CreateIntrinsic(Intrinsic::amdgcn_init_exec, {}, {b.getInt64(~0ull)});
  waveInfo = createHwValue(b, HwValue::MergedWaveInfo, "wave.info");
  lane = LaneBuilder(b, waveSize, target.major).laneId();
  Value *first = b.CreateMul(field(b, waveInfo, 24, 4), b.getInt32(waveSize));
  threadInSubgroup = b.CreateAdd(first, lane, "thread");
  isPrimitive = b.CreateICmpULT(lane, field(b, waveInfo, 8, 8));
  isVertex = b.CreateICmpULT(lane, field(b, waveInfo, 0, 8));
  if (primitiveId)
    distributePrimitiveId(b);
  if (hasAllocationMessage())
    requestAllocation(b);
  if (!culling)
    exportPrimitives(b);
  b.CreateCondBr(isVertex, &vertexBlock, endBlock);
  last->eraseFromParent();
}

Value *NggStage::primitiveId() {
  IRBuilder<> b(vertexStart);
  Value *place = b.CreateInBoundsGEP(primitiveIds->getValueType(), primitiveIds,
                                     {b.getInt32(0), threadInSubgroup});
  return b.CreateLoad(b.getInt32Ty(), place, "primitive.id");
}

unsigned NggStage::verticesPerSubgroup() const {
  unsigned vertices = subgroupSize(state.graphics.nggState.vertsPerSubgroup);
  // HW(gfx10.1): two vertices of the count are the hardware's own.
  if (target.major == 10 && target.minor < 3 && !state.graphics.nggState.vertsPerSubgroup)
    vertices -= 2;
  if (limit)
    vertices = std::min(vertices, limit);
  // HW: fewer vertices than these hang the geometry engine.
  unsigned least = target.major > 10 ? 3 : target.minor >= 3 ? 29 : 24;
  return std::max(vertices, least);
}

void NggStage::writeRegisters(bool primitiveId) {
  unsigned vertices = verticesPerSubgroup();
  // HW: tessellation needs 3 primitives.
  unsigned primitives = std::max(subgroupSize(state.graphics.nggState.primsPerSubgroup), 3u);
  auto set = [&](StringRef name, uint64_t value) { setGraphics(module, name, value); };
  auto setField = [&](StringRef name, StringRef part, uint64_t value) {
    setGraphics(module, name, part, value);
  };
  setField(key::vgtGsOnchipCntl, key::esVertsPerSubgroup, vertices);
  setField(key::vgtGsOnchipCntl, key::gsPrimsPerSubgroup, primitives);
  setField(key::vgtGsOnchipCntl, key::gsInstPrimsPerSubgrp, primitives);
  set(key::maxVertsPerSubgroup, vertices);
  setField(key::geNggSubgrpCntl, key::primAmpFactor, 1);
  setField(key::geNggSubgrpCntl, key::threadsPerSubgroup, maxSubgroupThreads);
  setRegister(module, {key::nggSubgroupSize}, uint64_t(std::max(vertices, primitives)));
  set(key::vgtGsMaxVertOut, 1);
  // GS_SCENARIO_G, off chip, as for any primitive shader.
  setField(key::vgtGsMode, key::mode, 3);
  setField(key::vgtGsMode, key::onchip, 1);
  setField(key::vgtGsMode, key::gsWriteOptimize, 1);
  static constexpr StringLiteral outputTypes[] = {"PointList", "LineStrip", "TriStrip"};
  setGraphics(module, key::vgtGsOutPrimType, key::outprimType,
              StringRef(outputTypes[verticesPerPrimitive() - 1]));
  if (target.major <= 11) {
    set(key::vgtEsgsRingItemsize, 1);
    if (!culling)
      setField(key::vgtShaderStagesEn, key::primgenPassthruEn, 1);
  }
  if (!hasAllocationMessage())
    setField(key::vgtShaderStagesEn, key::primgenPassthruNoMsg, 1);
  if (primitiveId) {
    set(key::vgtPrimitiveIdEn, 1);
    set(key::nggDisableProvokReuse, 1);
  }
}

} // namespace lgc
