//===- MeshShader.cpp - a mesh shader as a hardware GS --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Wraps the shader into the code of a primitive shader in fast launch mode:
///
///   entry     EXEC = -1; number the lanes of the workgroup; clear words of LDS
///   body      the shader, by as many lanes as its workgroup has; outputs go to LDS (MeshOutputs.h)
///   barrier
///   counts    wave 0: GS_ALLOC_REQ of what set.mesh.outputs said (0 without it); none: done
///   export    lane = primitive: attributes, connectivity; lane = vertex: attributes, positions
///
/// HW(gfx10.3): a lane exports at most one vertex and one primitive, so the hardware workgroup is
/// as large as the largest of workgroup, vertices and primitives. Waves that have no lane of the
/// shader's workgroup must pass as many barriers as the others: the first invocation leaves the
/// number that its wave passed in LDS, and they go on until they have passed as many.
/// HW(gfx11+): an export names the row (a wave's worth of vertices or primitives) it is of, so the
/// hardware workgroup is the shader's, and a wave with more to export loops.
#include "lgc/lowering/mesh/MeshShader.h"
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/mesh/MeshOutputs.h"
#include "lgc/lowering/mesh/MeshRegisters.h"
#include "lgc/lowering/mesh/MeshStatistics.h"
#include "lgc/lowering/mesh/TaskRings.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace lgc {
namespace {

namespace userdata = pal::abi::userdata;

constexpr unsigned messageGsAllocReq = 9;
constexpr unsigned targetPrimitive = 20; ///< of exp

class MeshBuilder {
public:
  MeshBuilder(Function &shader, const PipelineState &state, const MeshLayout &layout,
              const MeshThreads &threads, bool linearTask);
  void run();

private:
  using Emit = function_ref<void(Value *index)>;

  BasicBlock *newBlock(const Twine &name) {
    return BasicBlock::Create(function.getContext(), name, &function, next);
  }
  Value *hwValue(HwValue value) {
    return createOp(b, OpId::HwValueOp, b.getInt32Ty(), {b.getInt32(static_cast<uint32_t>(value))});
  }
  Value *special(uint32_t value, Type *type) {
    return createOp(b, OpId::SpecialUserDataOp, type, {b.getInt32(value)});
  }
  unsigned lanes() const { return threads.waves * threads.waveSize; }
  bool hasIdleWaves() const { return threads.waves > threads.shaderWaves; }

  void fence(AtomicOrdering order, StringRef scope = "workgroup") {
    b.CreateFence(order, b.getContext().getOrInsertSyncScopeID(scope));
  }
  void synchronize();
  void emitIf(Value *condition, const Twine &name, function_ref<void()> emit);
  void forEachIndex(const Twine &name, Value *count, uint32_t most, Emit emit);

  void findOps();
  void dropBarriers();
  void enter();
  void clearWords();
  void placeBody();
  void passBarriers();
  void lowerOps();
  void orderOutputs(CallInst &barrier);
  void lowerSetOutputs(CallInst &call);
  Value *workgroupId();
  void finish();
  void exportPrimitive(VertexExporter &exporter, Value *index);

  const PipelineState &state;
  const MeshLayout &layout;
  const MeshThreads threads;
  const bool linearTask;
  const unsigned gfxMajor;
  Function &function;
  MeshOutputs outputs;
  BasicBlock *body, *bodyEnd = nullptr, *join = nullptr;
  BasicBlock *next; ///< new blocks stand before it; null: at the end
  IRBuilder<> b;
  Value *wave = nullptr, *lane = nullptr, *isFirst = nullptr;
  Value *row = nullptr;              ///< that exports are of; null before gfx11
  AllocaInst *barriers = nullptr;    ///< passed by this wave, when that must be counted
  SmallVector<CallInst *, 16> calls; ///< operations to lower
  SmallVector<CallInst *, 8> shaderBarriers;
  bool needsWorkgroupId = false, readsPayload = false, readsOutputs = false;
};

MeshBuilder::MeshBuilder(Function &shader, const PipelineState &state, const MeshLayout &layout,
                         const MeshThreads &threads, bool linearTask)
    : state(state), layout(layout), threads(threads), linearTask(linearTask),
      gfxMajor(pal::abi::findTarget(state.target)->major), function(takeMeshBody(shader, lanes())),
      outputs(*function.getParent(), state, layout), body(&function.getEntryBlock()), next(body),
      b(function.getContext()) {}

// --- control flow

/// All waves arrive; what they wrote to LDS and to the scratch ring is visible.
void MeshBuilder::synchronize() {
  fence(AtomicOrdering::Release);
  b.CreateIntrinsic(Intrinsic::amdgcn_s_barrier, {});
  fence(AtomicOrdering::Acquire);
}

void MeshBuilder::emitIf(Value *condition, const Twine &name, function_ref<void()> emit) {
  BasicBlock *then = newBlock(name);
  BasicBlock *after = newBlock(name + ".end");
  b.CreateCondBr(condition, then, after);
  b.SetInsertPoint(then);
  emit();
  b.CreateBr(after);
  b.SetInsertPoint(after);
}

/// Emits code for each index below `count`, which is at most `most`: lane = index, in rounds when
/// there are more than lanes. Sets `row`.
void MeshBuilder::forEachIndex(const Twine &name, Value *count, uint32_t most, Emit emit) {
  bool hasRows = gfxMajor >= 11;
  if (most <= lanes()) {
    row = hasRows ? wave : nullptr;
    emitIf(b.CreateICmpULT(lane, count), name, [&] { emit(lane); });
    return;
  }
  KILN_CHECK(hasRows, "more to export than lanes");
  BasicBlock *before = b.GetInsertBlock();
  BasicBlock *head = newBlock(name + ".next");
  BasicBlock *after = newBlock(name + ".end");
  b.CreateBr(head);
  b.SetInsertPoint(head);
  PHINode *index = b.CreatePHI(b.getInt32Ty(), 2, "index");
  PHINode *rowPhi = b.CreatePHI(b.getInt32Ty(), 2, "row");
  row = rowPhi;
  BasicBlock *round = newBlock(name);
  b.CreateCondBr(b.CreateICmpULT(index, count), round, after);
  b.SetInsertPoint(round);
  emit(index);
  index->addIncoming(lane, before);
  index->addIncoming(b.CreateAdd(index, b.getInt32(lanes())), b.GetInsertBlock());
  rowPhi->addIncoming(wave, before);
  rowPhi->addIncoming(b.CreateAdd(rowPhi, b.getInt32(threads.waves)), b.GetInsertBlock());
  b.CreateBr(head);
  b.SetInsertPoint(after);
}

// --- the start

void MeshBuilder::findOps() {
  for (BasicBlock &block : function) {
    for (Instruction &inst : block) {
      auto *call = dyn_cast<CallInst>(&inst);
      if (!call)
        continue;
      if (call->getIntrinsicID() == Intrinsic::amdgcn_s_barrier)
        shaderBarriers.push_back(call);
      if (auto *builtin = dyn_cast<BuiltinOp>(call))
        needsWorkgroupId |=
            builtin->constArg(0) == static_cast<uint32_t>(BuiltIn::WorkgroupId) && gfxMajor < 11;
      readsPayload |= isa<TaskPayloadOp>(call);
      readsOutputs |= isa<OutputLoadOp>(call);
      if (opIdOf(*call) != OpId::None)
        calls.push_back(call);
    }
  }
}

void MeshBuilder::enter() {
  BasicBlock *entry = newBlock("mesh");
  b.SetInsertPoint(entry);
  b.CreateIntrinsic(Intrinsic::amdgcn_init_exec, {}, {b.getInt64(~0ull)});
  if (hasIdleWaves() && !shaderBarriers.empty()) {
    barriers = b.CreateAlloca(b.getInt32Ty(), AddrSpace::Private);
    b.CreateStore(b.getInt32(0), barriers);
  }
  for (Instruction &inst : make_early_inc_range(*body))
    if (auto *alloca = dyn_cast<AllocaInst>(&inst); alloca && isa<Constant>(alloca->getArraySize()))
      alloca->moveBefore(*entry, entry->begin());
  lane = b.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_lo, {}, {b.getInt32(~0u), b.getInt32(0)});
  if (threads.waveSize == 64)
    lane = b.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_hi, {}, {b.getInt32(~0u), lane});
  wave = b.getInt32(0);
  if (threads.waves > 1) {
    // HW: number of the wave in its workgroup, bits 27:24.
    wave = b.CreateAnd(b.CreateLShr(hwValue(HwValue::MergedWaveInfo), 24), 0xF, "wave");
    lane = b.CreateAdd(b.CreateMul(wave, b.getInt32(threads.waveSize)), lane, "lane");
  }
  isFirst = b.CreateICmpEQ(lane, b.getInt32(0), "is.first");
  // Payloads of earlier passes through the ring may still be in the caches.
  if (readsPayload)
    fence(AtomicOrdering::Acquire, "agent");
}

void MeshBuilder::clearWords() {
  emitIf(isFirst, "first", [&] {
    b.CreateAlignedStore(b.getInt32(0), outputs.word(b, MeshLayout::countsAt), Align(4));
    if (barriers)
      b.CreateAlignedStore(b.getInt32(0), outputs.word(b, MeshLayout::barriersAt), Align(4));
    // HW(gfx10.3): the number of the workgroup comes as the vertex id of the first lane.
    if (needsWorkgroupId) {
      Value *id = hwValue(HwValue::VertexId);
      b.CreateAlignedStore(id, outputs.word(b, MeshLayout::workgroupAt), Align(4));
    }
  });
  bool clearsCull = layout.find(Slot::CullPrimitive) != nullptr;
  if (clearsCull) {
    uint32_t most = state.graphics.mesh.outputPrimitives;
    forEachIndex("keep", b.getInt32(most), most,
                 [&](Value *index) { outputs.clearCull(b, index); });
  }
  if (clearsCull || needsWorkgroupId)
    synchronize();
  else if (barriers)
    fence(AtomicOrdering::Release); // before the first barrier of any kind
}

/// Puts the shader's code behind the start, for the lanes that it is for.
void MeshBuilder::placeBody() {
  next = nullptr;
  bodyEnd = newBlock("body.end");
  join = newBlock("join");
  next = body;
  for (BasicBlock &block : function)
    if (isa_and_nonnull<ReturnInst>(block.getTerminator()))
      ReplaceInstWithInst(block.getTerminator(), BranchInst::Create(bodyEnd));
  if (hasIdleWaves()) {
    BasicBlock *busy = newBlock("busy");
    BasicBlock *idle = newBlock("idle");
    b.CreateCondBr(b.CreateICmpULT(wave, b.getInt32(threads.shaderWaves)), busy, idle);
    b.SetInsertPoint(idle);
    passBarriers();
    b.CreateBr(join);
    b.SetInsertPoint(busy);
  }
  if (threads.shader % threads.waveSize)
    b.CreateCondBr(b.CreateICmpULT(lane, b.getInt32(threads.shader)), body, bodyEnd);
  else
    b.CreateBr(body);

  next = join;
  b.SetInsertPoint(bodyEnd);
  if (barriers) {
    Value *passed = b.CreateAdd(b.CreateLoad(b.getInt32Ty(), barriers), b.getInt32(1));
    emitIf(isFirst, "count", [&] {
      b.CreateAlignedStore(passed, outputs.word(b, MeshLayout::barriersAt), Align(4));
    });
    synchronize();
  }
  b.CreateBr(join);
  next = nullptr;
  b.SetInsertPoint(join);
  if (!barriers)
    synchronize();
}

/// Idle waves: a barrier for each that the shader's waves pass, the one behind the shader included.
/// Its number is in LDS before that last barrier, so they stop right behind it.
void MeshBuilder::passBarriers() {
  if (!barriers)
    return;
  BasicBlock *before = b.GetInsertBlock();
  BasicBlock *pass = newBlock("pass");
  BasicBlock *passed = newBlock("passed");
  b.CreateBr(pass);
  b.SetInsertPoint(pass);
  PHINode *count = b.CreatePHI(b.getInt32Ty(), 2);
  synchronize();
  Value *one = b.CreateAdd(count, b.getInt32(1));
  count->addIncoming(b.getInt32(0), before);
  count->addIncoming(one, pass);
  Value *all =
      b.CreateAlignedLoad(b.getInt32Ty(), outputs.word(b, MeshLayout::barriersAt), Align(4));
  all = b.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {b.getInt32Ty()}, {all});
  b.CreateCondBr(b.CreateICmpEQ(all, one), passed, pass);
  b.SetInsertPoint(passed);
}

// --- operations of the shader

Value *MeshBuilder::workgroupId() {
  auto *vector = FixedVectorType::get(b.getInt32Ty(), 3);
  std::array<Value *, 3> id;
  if (gfxMajor >= 11) {
    // HW(gfx11+): x and y in halves of s4, z in the high half of s5.
    Value *low = hwValue(HwValue::OffChipLdsBase);
    Value *high = hwValue(HwValue::AttribRingBase);
    id = {b.CreateAnd(low, 0xFFFF), b.CreateLShr(low, 16), b.CreateLShr(high, 16)};
  } else {
    Value *flat =
        b.CreateAlignedLoad(b.getInt32Ty(), outputs.word(b, MeshLayout::workgroupAt), Align(4));
    flat = b.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {b.getInt32Ty()}, {flat});
    if (linearTask) {
      id = {flat, b.getInt32(0), b.getInt32(0)};
    } else {
      Value *dims = special(userdata::meshTaskDispatchDims, vector);
      Value *width = b.CreateExtractElement(dims, uint64_t(0));
      Value *height = b.CreateExtractElement(dims, 1);
      Value *rows = b.CreateUDiv(flat, width);
      id[0] = b.CreateSub(flat, b.CreateMul(rows, width));
      id[2] = b.CreateUDiv(rows, height);
      id[1] = b.CreateSub(rows, b.CreateMul(id[2], height));
      // Uniform, which LLVM does not see behind its expansion of divisions.
      for (Value *&part : id)
        part = b.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {b.getInt32Ty()}, {part});
    }
  }
  Value *result = PoisonValue::get(vector);
  for (unsigned i = 0; i < 3; ++i)
    result = b.CreateInsertElement(result, id[i], i);
  return result;
}

void MeshBuilder::lowerSetOutputs(CallInst &call) {
  b.SetInsertPoint(SplitBlockAndInsertIfThen(isFirst, call.getIterator(), false));
  Value *vertices = call.getArgOperand(0), *primitives = call.getArgOperand(1);
  // As GS_ALLOC_REQ takes it; one without the other makes no picture.
  Value *both = b.CreateOr(b.CreateShl(primitives, 12), vertices);
  Value *least = b.CreateBinaryIntrinsic(Intrinsic::umin, vertices, primitives);
  both = b.CreateSelect(b.CreateICmpEQ(least, b.getInt32(0)), b.getInt32(0), both);
  b.CreateAlignedStore(both, outputs.word(b, MeshLayout::countsAt), Align(4));
}

/// GLSL's barrier() names shared variables only; outputs may lie in the scratch ring.
void MeshBuilder::orderOutputs(CallInst &barrier) {
  b.SetInsertPoint(&barrier);
  fence(AtomicOrdering::Release);
  b.SetInsertPoint(barrier.getNextNode());
  fence(AtomicOrdering::Acquire);
}

void MeshBuilder::lowerOps() {
  for (CallInst *barrier : shaderBarriers) {
    if (readsOutputs)
      orderOutputs(*barrier);
    if (!barriers)
      continue;
    b.SetInsertPoint(barrier);
    Value *passed = b.CreateAdd(b.CreateLoad(b.getInt32Ty(), barriers), b.getInt32(1));
    b.CreateStore(passed, barriers);
  }
  for (CallInst *call : calls) {
    b.SetInsertPoint(call);
    Value *value = nullptr;
    if (isa<OutputStoreOp>(call)) {
      outputs.store(b, *call);
    } else if (isa<OutputLoadOp>(call)) {
      value = outputs.load(b, *call);
    } else if (isa<SetMeshOutputsOp>(call)) {
      lowerSetOutputs(*call);
    } else if (isa<TaskPayloadOp>(call)) {
      Value *entry = special(userdata::meshTaskRingIndex, b.getInt32Ty());
      value = TaskRings(entry, gfxMajor).payload(b);
    } else if (auto *builtin = dyn_cast<BuiltinOp>(call)) {
      switch (static_cast<BuiltIn>(builtin->constArg(0))) {
      case BuiltIn::WorkgroupId:
        value = workgroupId();
        break;
      case BuiltIn::DrawIndex:
        value = special(userdata::drawIndex, b.getInt32Ty());
        break;
      case BuiltIn::ViewIndex:
        value = state.graphics.iaState.enableMultiView ? special(userdata::viewId, b.getInt32Ty())
                                                       : static_cast<Value *>(b.getInt32(0));
        break;
      default:
        continue;
      }
    } else {
      continue;
    }
    if (value)
      call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
}

// --- the end

void MeshBuilder::exportPrimitive(VertexExporter &exporter, Value *index) {
  // Queries count what reaches the rasteriser: with CullPrimitive that is known here only.
  if (Value *culled = countsMeshes(state) ? outputs.culled(b, index) : nullptr)
    emitIf(b.CreateICmpEQ(culled, b.getInt32(0)), "counted",
           [&] { addMeshStatistic(b, MeshStatistic::MeshPrimitives, b.getInt32(1)); });
  OutputSet values = outputs.loadPrimitive(b, index);
  // Before the export: with it and the positions, pixels may start.
  exporter.exportPrimitiveAttributes(b, values, index);
  bool hasWord = exporter.hasPrimitiveWord();
  Value *none = PoisonValue::get(b.getInt32Ty());
  Value *first = outputs.connectivity(b, index);
  Value *second = hasWord ? exporter.primitiveWord(b, values) : none;
  Value *target = b.getInt32(targetPrimitive), *enabled = b.getInt32(hasWord ? 3 : 1);
  if (row)
    b.CreateIntrinsic(Intrinsic::amdgcn_exp_row, {b.getInt32Ty()},
                      {target, enabled, first, second, none, none, b.getTrue(), row});
  else
    b.CreateIntrinsic(Intrinsic::amdgcn_exp, {b.getInt32Ty()},
                      {target, enabled, first, second, none, none, b.getTrue(), b.getFalse()});
}

void MeshBuilder::finish() {
  const MeshModes &modes = state.graphics.mesh;
  VertexExporter exporter(*function.getParent(), state, outputs.exportedSlots(),
                          VertexExporter::Path::Mesh);
  Value *counts =
      b.CreateAlignedLoad(b.getInt32Ty(), outputs.word(b, MeshLayout::countsAt), Align(4));
  counts = b.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {b.getInt32Ty()}, {counts});
  Value *vertices = b.CreateAnd(counts, 0xFFF, "vertices");
  Value *primitives = b.CreateLShr(counts, 12, "primitives");
  auto allocate = [&] {
    b.CreateIntrinsic(Intrinsic::amdgcn_s_sendmsg, {}, {b.getInt32(messageGsAllocReq), counts});
  };
  if (threads.waves > 1)
    emitIf(b.CreateICmpEQ(wave, b.getInt32(0)), "allocate", allocate);
  else
    allocate();
  if (countsMeshes(state))
    emitIf(isFirst, "statistics", [&] {
      addMeshStatistic(b, MeshStatistic::MeshInvocations, b.getInt32(threads.shader));
      if (!layout.find(Slot::CullPrimitive))
        addMeshStatistic(b, MeshStatistic::MeshPrimitives, primitives);
    });
  BasicBlock *exit = newBlock("exit");
  BasicBlock *some = newBlock("export");
  b.CreateCondBr(b.CreateICmpEQ(counts, b.getInt32(0)), exit, some);
  b.SetInsertPoint(some);
  forEachIndex("primitive", primitives, modes.outputPrimitives,
               [&](Value *index) { exportPrimitive(exporter, index); });
  forEachIndex("vertex", vertices, modes.outputVertices, [&](Value *index) {
    OutputSet values = outputs.loadVertex(b, index);
    exporter.exportAttributes(b, values, index);
    exporter.setRow(row);
    exporter.exportPositions(b, values);
  });
  b.CreateBr(exit);
  b.SetInsertPoint(exit);
  b.CreateRetVoid();
  exporter.writeRegisters();
}

/// The shader's workgroup is one wave, other waves wait for its end: its own barriers need none.
void MeshBuilder::dropBarriers() {
  if (!hasIdleWaves() || threads.shaderWaves > 1)
    return;
  for (CallInst *barrier : shaderBarriers) {
    IRBuilder<> at(barrier);
    at.CreateIntrinsic(Intrinsic::amdgcn_wave_barrier, {});
    barrier->eraseFromParent();
  }
  shaderBarriers.clear();
}

void MeshBuilder::run() {
  findOps();
  dropBarriers();
  enter();
  clearWords();
  placeBody();
  finish();
  lowerOps();
  if (barriers) {
    DominatorTree tree(function);
    PromoteMemToReg({barriers}, tree);
  }
}

} // namespace

void lowerMeshShader(Function &shader, const PipelineState &state, bool linearTask) {
  MeshThreads threads = planMeshThreads(state, waveSizeOf(shader, state));
  auto fail = [&](Error error) {
    reportError(shader.getContext(), std::move(error));
    shader.eraseFromParent();
  };
  if (Error error = checkMeshLimits(state, threads))
    return fail(std::move(error));
  Expected<MeshLayout> layout = MeshLayout::create(shader, state);
  if (!layout)
    return fail(layout.takeError());
  Module &module = *shader.getParent();
  MeshBuilder(shader, state, *layout, threads, linearTask).run();
  writeMeshRegisters(module, state, threads, layout->scratchBytes, linearTask);
}

} // namespace lgc
