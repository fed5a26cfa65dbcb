//===- SoftwareStreamOut.cpp - transform feedback of primitive shaders ----===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/vertex/SoftwareStreamOut.h"
#include "lgc/Ops.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/entry/PalRegisters.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace lgc {

namespace key = pal::abi::key;

namespace {

constexpr unsigned bufferCount = 4;
constexpr unsigned descriptorBytes = 16;
/// Slots of the LDS array.
constexpr unsigned slotUsed = 0, slotGranted = bufferCount, slotCount = 2 * bufferCount;

/// HW(gfx11): numbers of GDS registers: GDS_STRMOUT_DWORDS_WRITTEN_0 to 3, then pairs of
/// PRIMS_NEEDED and PRIMS_WRITTEN by stream.
constexpr unsigned gdsDwordsWritten = 0, gdsPrimitivesNeeded = 8, gdsPrimitivesWritten = 9;

/// Bytes in the control buffer: where each buffer starts, in dwords; gfx12 also 64-bit counters of
/// primitives needed and written by stream, and by buffer {u32 ordered id, u32 dwords written}.
/// docs/hw-notes.md#stream-out.
namespace Control {
enum : unsigned { Start = 0, Needed = 16, Written = 48, Turn = 80, TurnBytes = 8 };
}

/// Runs the rest of `b` only where the condition holds; returns the builder of that part.
IRBuilder<> beginIf(IRBuilder<> &b, Value *condition, const char *name) {
  Instruction *behind = &*b.GetInsertPoint();
  Instruction *body =
      SplitBlockAndInsertIfThen(condition, behind->getIterator(), /*Unreachable=*/false);
  body->getParent()->setName(name);
  b.SetInsertPoint(behind);
  return IRBuilder<>(body);
}

Value *uniform(IRBuilder<> &b, Value *value) {
  return b.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {b.getInt32Ty()}, {value});
}

} // namespace

SoftwareStreamOut::SoftwareStreamOut(Function &function, const PipelineState &state)
    : function(function), module(*function.getParent()), state(state),
      gfxMajor(pal::abi::findTarget(state.target)->major), address(function) {}

bool SoftwareStreamOut::hasBuffer(unsigned stream) const {
  for (unsigned i = 0; i < bufferCount; ++i)
    if (isActive(i) && streamOf(i) == stream)
      return true;
  return false;
}

void SoftwareStreamOut::loadBuffers(IRBuilder<> &b) {
  Value *table = address.specialTable(pal::abi::userdata::streamOutTable);
  controlBuffer = address.specialTable(pal::abi::userdata::streamOutControlBuf);
  for (unsigned i = 0; i < bufferCount; ++i) {
    if (!isActive(i))
      continue;
    Buffer &buffer = buffers[i];
    buffer.descriptor = createInvariantLoad(b, FixedVectorType::get(b.getInt32Ty(), 4),
                                            offsetPointer(b, table, i * descriptorBytes));
    buffer.sizeInDwords = b.CreateLShr(b.CreateExtractElement(buffer.descriptor, 2), 2);
    // Atomic: the driver changes it between draws without invalidating the caches in between.
    Value *place = b.CreateAddrSpaceCast(controlBuffer, b.getPtrTy(AddrSpace::Global));
    LoadInst *start = b.CreateAlignedLoad(
        b.getInt32Ty(), offsetPointer(b, place, Control::Start + 4 * i), Align(4));
    start->setAtomic(AtomicOrdering::Monotonic, b.getContext().getOrInsertSyncScopeID("agent"));
    buffer.start = uniform(b, start);
  }
}

Value *SoftwareStreamOut::slot(IRBuilder<> &b, Value *number) {
  return b.CreateInBoundsGEP(shared->getValueType(), shared, {b.getInt32(0), number});
}

/// Primitives that fit behind `used` dwords: 0 when even the start is outside.
Value *SoftwareStreamOut::roomFor(IRBuilder<> &b, Value *sizeInDwords, Value *used,
                                  Value *dwordsPerPrimitive) {
  Value *free = b.CreateSub(sizeInDwords, used);
  free = b.CreateBinaryIntrinsic(Intrinsic::smax, free, b.getInt32(0));
  return b.CreateUDiv(free, dwordsPerPrimitive);
}

Value *SoftwareStreamOut::orderedAdd(IRBuilder<> &b, Value *orderedId, Value *value,
                                     unsigned counter, bool isLast) {
  constexpr unsigned regionSpace = 2; // the operand is m0, as a pointer into GDS
  constexpr unsigned oneDword = 1u << 24;
  Value *m0 = b.CreateIntToPtr(orderedId, PointerType::get(b.getContext(), regionSpace));
  Value *old =
      b.CreateIntrinsic(Intrinsic::amdgcn_ds_ordered_add, {},
                        {m0, value, b.getInt32(0), b.getInt32(0), b.getFalse(),
                         b.getInt32(counter | oneDword), b.getInt1(isLast), b.getInt1(isLast)});
  // HW(gfx11): no two GDS instructions may be on their way.
  b.CreateFence(AtomicOrdering::Release, b.getContext().getOrInsertSyncScopeID("workgroup"));
  return old;
}

Value *SoftwareStreamOut::counterAdd(IRBuilder<> &b, Value *value, unsigned counter) {
  Value *old = b.CreateIntrinsic(Intrinsic::amdgcn_ds_add_gs_reg_rtn, {b.getInt32Ty()},
                                 {value, b.getInt32(counter << 2)});
  b.CreateFence(AtomicOrdering::Release, b.getContext().getOrInsertSyncScopeID("workgroup"));
  return old;
}

/// The first access of an ordered counter waits for the turn, the last one ends it; in between the
/// other buffers' counters are read and written.
void SoftwareStreamOut::reserveGfx11(IRBuilder<> &b, const StreamOutSubgroup &subgroup) {
  IRBuilder<> inside = beginIf(b, b.CreateICmpEQ(subgroup.thread, b.getInt32(0)), "stream.out");
  SmallVector<unsigned, bufferCount> active;
  for (unsigned i = 0; i < bufferCount; ++i)
    if (isActive(i))
      active.push_back(i);
  std::array<Value *, bufferCount> toWrite = subgroup.primitives;
  std::array<Value *, bufferCount> dwords = {};
  for (unsigned i : active) {
    Value *zero = inside.getInt32(0);
    Value *written = i == active.front()
                         ? orderedAdd(inside, subgroup.orderedId, zero, gdsDwordsWritten + i, false)
                         : counterAdd(inside, zero, gdsDwordsWritten + i);
    inside.CreateStore(written, slot(inside, inside.getInt32(slotUsed + i)));
    dwords[i] = inside.CreateMul(verticesPerPrimitive, inside.getInt32(dwordsOfVertex(i)));
    Value *used = inside.CreateAdd(buffers[i].start, written);
    Value *room = roomFor(inside, buffers[i].sizeInDwords, used, dwords[i]);
    Value *&count = toWrite[streamOf(i)];
    count = count ? inside.CreateBinaryIntrinsic(Intrinsic::umin, count, room) : zero;
  }
  for (unsigned i : active) {
    Value *amount = inside.CreateMul(toWrite[streamOf(i)], dwords[i]);
    if (i == active.back())
      orderedAdd(inside, subgroup.orderedId, amount, gdsDwordsWritten + i, true);
    else
      counterAdd(inside, amount, gdsDwordsWritten + i);
  }
  for (unsigned stream = 0; stream < bufferCount; ++stream) {
    if (!subgroup.primitives[stream])
      continue;
    counterAdd(inside, subgroup.primitives[stream], gdsPrimitivesNeeded + 2 * stream);
    if (!hasBuffer(stream))
      continue;
    counterAdd(inside, toWrite[stream], gdsPrimitivesWritten + 2 * stream);
    inside.CreateStore(toWrite[stream], slot(inside, inside.getInt32(slotGranted + stream)));
  }
}

/// values[lane], for lanes 0 to 3; null counts as 0.
Value *SoftwareStreamOut::byLane(IRBuilder<> &b, Value *lane,
                                 const std::array<Value *, 4> &values) {
  Value *result = b.getInt32(0);
  for (unsigned i = 0; i < bufferCount; ++i)
    if (values[i])
      result = b.CreateSelect(b.CreateICmpEQ(lane, b.getInt32(i)), values[i], result);
  return result;
}

/// lane < 4 and its bit is in the mask.
Value *SoftwareStreamOut::laneIsIn(IRBuilder<> &b, Value *lane, unsigned mask) {
  Value *bit = b.CreateTrunc(b.CreateLShr(b.getInt32(mask), lane), b.getInt1Ty());
  return b.CreateSelect(b.CreateICmpULT(lane, b.getInt32(bufferCount)), bit, b.getFalse());
}

Value *SoftwareStreamOut::controlAddress(IRBuilder<> &b, Value *lane, unsigned first,
                                         unsigned stride) {
  Value *global = b.CreateAddrSpaceCast(controlBuffer, b.getPtrTy(AddrSpace::Global));
  Value *offset = b.CreateAdd(b.CreateMul(lane, b.getInt32(stride)), b.getInt32(first));
  return b.CreateInBoundsGEP(b.getInt8Ty(), global, {offset});
}

/// HW(gfx12): the atomic adds to the second dword and counts up the first one if the first one is
/// the value's first, and gives the old pair in any case.
Value *SoftwareStreamOut::waitForTurn(IRBuilder<> &b, Value *orderedId, Value *needed,
                                      Value *pair) {
  Instruction *behind = &*b.GetInsertPoint();
  BasicBlock *before = behind->getParent();
  BasicBlock *after = SplitBlock(before, behind->getIterator());
  BasicBlock *tryBlock = BasicBlock::Create(b.getContext(), "turn", &function, after);
  BasicBlock *waitBlock = BasicBlock::Create(b.getContext(), "wait", &function, after);
  before->getTerminator()->setSuccessor(0, tryBlock);

  IRBuilder<> attempt(tryBlock);
  Type *i64 = attempt.getInt64Ty();
  Value *high = attempt.CreateShl(attempt.CreateZExt(needed, i64), 32);
  Value *request = attempt.CreateOr(attempt.CreateZExt(orderedId, i64), high);
  Value *old =
      attempt.CreateIntrinsic(Intrinsic::amdgcn_global_atomic_ordered_add_b64, {}, {pair, request});
  Value *ready = attempt.CreateTrunc(old, attempt.getInt32Ty());
  attempt.CreateCondBr(attempt.CreateICmpEQ(ready, orderedId), after, waitBlock);

  IRBuilder<> wait(waitBlock);
  constexpr unsigned sleepUnits = 8; // of 64 clocks, about one access of L2
  wait.CreateIntrinsic(Intrinsic::amdgcn_s_sleep, {}, {wait.getInt32(sleepUnits)});
  wait.CreateBr(tryBlock);

  b.SetInsertPoint(behind);
  return b.CreateTrunc(b.CreateLShr(old, 32), b.getInt32Ty());
}

/// Adds to the 64-bit counter of the stream that this lane cares for.
void SoftwareStreamOut::addToCounters(IRBuilder<> &b, Value *lane, unsigned first, Value *amount) {
  Value *counter = controlAddress(b, lane, first, 8);
  b.CreateAtomicRMW(AtomicRMWInst::Add, counter, b.CreateZExt(amount, b.getInt64Ty()), Align(8),
                    AtomicOrdering::Monotonic, b.getContext().getOrInsertSyncScopeID("agent"));
}

/// Lane i of the first wave cares for buffer i and for stream i. Each buffer has a turn of its own;
/// room is asked for in full first, and what does not fit is given back.
void SoftwareStreamOut::reserveGfx12(IRBuilder<> &b, const StreamOutSubgroup &subgroup) {
  Value *lane = subgroup.thread;
  unsigned bufferMask = 0, streamMask = 0;
  std::array<Value *, bufferCount> needed = {}, perPrimitive = {}, sizes = {}, starts = {},
                                   streams = {};
  for (unsigned i = 0; i < bufferCount; ++i) {
    if (subgroup.primitives[i])
      streamMask |= 1u << i;
    if (!isActive(i))
      continue;
    bufferMask |= 1u << i;
    perPrimitive[i] = b.CreateMul(verticesPerPrimitive, b.getInt32(dwordsOfVertex(i)));
    Value *primitives = subgroup.primitives[streamOf(i)];
    needed[i] = primitives ? b.CreateMul(perPrimitive[i], primitives) : b.getInt32(0);
    sizes[i] = buffers[i].sizeInDwords;
    starts[i] = buffers[i].start;
    streams[i] = b.getInt32(streamOf(i));
  }
  Value *isStream = laneIsIn(b, lane, streamMask);
  Value *primitives = byLane(b, lane, subgroup.primitives);
  std::array<Value *, bufferCount> capturable = {};
  for (unsigned i = 0; i < bufferCount; ++i)
    capturable[i] = hasBuffer(i) ? subgroup.primitives[i] : nullptr;
  {
    // For all four streams: a buffer may belong to a stream that nothing is emitted to.
    IRBuilder<> inside = beginIf(b, b.CreateICmpULT(lane, b.getInt32(bufferCount)), "streams");
    Value *place = slot(inside, inside.CreateAdd(lane, inside.getInt32(slotGranted)));
    inside.CreateStore(byLane(inside, lane, capturable), place);
  }
  {
    IRBuilder<> inside = beginIf(b, laneIsIn(b, lane, bufferMask), "buffers");
    Value *want = byLane(inside, lane, needed);
    Value *dwords = byLane(inside, lane, perPrimitive);
    Value *pair = controlAddress(inside, lane, Control::Turn, Control::TurnBytes);
    Value *written = waitForTurn(inside, subgroup.orderedId, want, pair);
    inside.CreateStore(written, slot(inside, inside.CreateAdd(lane, inside.getInt32(slotUsed))));
    Value *used = inside.CreateAdd(byLane(inside, lane, starts), written);
    // Idle lanes are masked off; their divisor must not be 0 for LLVM's sake.
    Value *divisor = inside.CreateBinaryIntrinsic(Intrinsic::umax, dwords, inside.getInt32(1));
    Value *room = roomFor(inside, byLane(inside, lane, sizes), used, divisor);
    Value *stream = byLane(inside, lane, streams);
    Value *place = slot(inside, inside.CreateAdd(stream, inside.getInt32(slotGranted)));
    // The buffers of a stream take as many primitives as the fullest one.
    SyncScope::ID wave = inside.getContext().getOrInsertSyncScopeID("wavefront");
    inside.CreateAtomicRMW(AtomicRMWInst::UMin, place, room, Align(4),
                           AtomicOrdering::AcquireRelease, wave);
    auto *count = inside.CreateAlignedLoad(inside.getInt32Ty(), place, Align(4));
    count->setAtomic(AtomicOrdering::Acquire, wave);
    Value *surplus = inside.CreateSub(want, inside.CreateMul(count, dwords));
    Value *counter = inside.CreateInBoundsGEP(inside.getInt8Ty(), pair, {inside.getInt32(4)});
    inside.CreateAtomicRMW(AtomicRMWInst::Sub, counter, surplus, Align(4),
                           AtomicOrdering::Monotonic,
                           inside.getContext().getOrInsertSyncScopeID("agent"));
  }
  IRBuilder<> inside = beginIf(b, isStream, "counters");
  Value *place = slot(inside, inside.CreateAdd(lane, inside.getInt32(slotGranted)));
  Value *count = inside.CreateLoad(inside.getInt32Ty(), place);
  addToCounters(inside, lane, Control::Needed, primitives);
  addToCounters(inside, lane, Control::Written, count);
}

void SoftwareStreamOut::count(IRBuilder<> &b, const StreamOutSubgroup &subgroup) {
  Value *lane = subgroup.thread;
  if (gfxMajor < 12) {
    IRBuilder<> inside = beginIf(b, b.CreateICmpEQ(lane, b.getInt32(0)), "count");
    for (unsigned i = 0; i < bufferCount; ++i)
      if (subgroup.primitives[i])
        counterAdd(inside, subgroup.primitives[i], gdsPrimitivesNeeded + 2 * i);
    return;
  }
  unsigned streamMask = 0;
  for (unsigned i = 0; i < bufferCount; ++i)
    streamMask |= unsigned(subgroup.primitives[i] != nullptr) << i;
  controlBuffer = address.specialTable(pal::abi::userdata::streamOutControlBuf);
  IRBuilder<> inside = beginIf(b, laneIsIn(b, lane, streamMask), "count");
  addToCounters(inside, lane, Control::Needed, byLane(inside, lane, subgroup.primitives));
}

void SoftwareStreamOut::reserve(IRBuilder<> &b, const StreamOutSubgroup &subgroup) {
  auto *type = ArrayType::get(b.getInt32Ty(), slotCount);
  shared = new GlobalVariable(module, type, /*isConstant=*/false, GlobalValue::InternalLinkage,
                              UndefValue::get(type), "lgc.stream.out", nullptr,
                              GlobalValue::NotThreadLocal, AddrSpace::Local);
  shared->setAlignment(Align(4));
  verticesPerPrimitive = subgroup.verticesPerPrimitive;
  loadBuffers(b);
  if (gfxMajor >= 12)
    reserveGfx12(b, subgroup);
  else
    reserveGfx11(b, subgroup);
  SyncScope::ID scope = b.getContext().getOrInsertSyncScopeID("workgroup");
  b.CreateFence(AtomicOrdering::Release, scope);
  b.CreateIntrinsic(Intrinsic::amdgcn_s_barrier, {});
  b.CreateFence(AtomicOrdering::Acquire, scope);
  for (unsigned i = 0; i < bufferCount; ++i) {
    if (subgroup.primitives[i] && hasBuffer(i))
      granted[i] =
          uniform(b, b.CreateLoad(b.getInt32Ty(), slot(b, b.getInt32(slotGranted + i)), "granted"));
    if (!isActive(i))
      continue;
    Value *used = uniform(b, b.CreateLoad(b.getInt32Ty(), slot(b, b.getInt32(slotUsed + i))));
    buffers[i].base = b.CreateShl(b.CreateAdd(buffers[i].start, used), 2);
  }
}

void SoftwareStreamOut::storeVertex(IRBuilder<> &b, unsigned stream, Value *primitive,
                                    unsigned vertex, ArrayRef<StreamOutValue> values) {
  std::vector<StreamOutValue> ordered = sortStreamOut(values, stream);
  Value *number = b.CreateAdd(b.CreateMul(primitive, verticesPerPrimitive), b.getInt32(vertex));
  // HW(gfx11): GLC and SLC. HW(gfx12): device scope, high temporal.
  unsigned policy = gfxMajor >= 12 ? 2 | 2 << 3 : 1 | 2;
  std::array<Value *, bufferCount> places = {};
  for (ArrayRef<StreamOutValue> rest = ordered; !rest.empty();) {
    const StreamOutValue &first = rest[0];
    ArrayRef<StreamOutValue> run = takeStreamOutRun(rest);
    if (!isActive(first.buffer))
      continue;
    Value *&place = places[first.buffer];
    if (!place)
      place = b.CreateMul(number, b.getInt32(state.graphics.xfb.strides[first.buffer]));
    Value *data = combineStreamOut(b, run);
    b.CreateIntrinsic(Intrinsic::amdgcn_raw_buffer_store, {data->getType()},
                      {data, buffers[first.buffer].descriptor,
                       b.CreateAdd(place, b.getInt32(first.offset)), buffers[first.buffer].base,
                       b.getInt32(policy)});
  }
}

void SoftwareStreamOut::writeRegisters() {
  writeStreamOutStrides(module, state);
  setGraphics(module, key::vgtShaderStagesEn, key::nggWaveIdEn, uint64_t(1));
  // HW: a vertex that primitives share would be in one place of the subgroup's order only.
  setGraphics(module, key::vgtReuseOff, uint64_t(1));
}

} // namespace lgc
