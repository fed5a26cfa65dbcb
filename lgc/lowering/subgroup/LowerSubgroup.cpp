//===- LowerSubgroup.cpp - lgc.subgroup.* -> AMDGPU lane operations -------===//
// SPDX-License-Identifier: MIT
/// \file
/// Lowers all subgroup operations and quad derivatives to ballots, DPP, permutes and lane reads of
/// the target's generation and the shader's wave size. Runs after control flow has its final shape
/// as far as convergence is concerned (no pass may make the results control dependent on more), and
/// before instruction selection; uniform results (ballots, votes, reductions) become scalar values,
/// so early is good for what follows. Only shuffles in loops may wait for lgc-lower-shuffles. No
/// new basic blocks.
///   before: %r = call i1 @lgc.subgroup.all__i1_i1(i1 %c)
///   after:  %n = xor i1 %c, true
///           %m = call i64 @llvm.amdgcn.ballot.i64(i1 %n)
///           %r = icmp eq i64 %m, 0
#include "lgc/lowering/subgroup/LowerSubgroup.h"
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/fragment/FragmentControl.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {
namespace {

uint32_t constantArg(const CallInst &call, unsigned index) {
  return static_cast<uint32_t>(cast<ConstantInt>(call.getArgOperand(index))->getZExtValue());
}

Expected<Value *> lowerElect(LaneBuilder &lanes, CallInst &) {
  IRBuilder<> &b = lanes.b;
  Value *active = lanes.ballot(b.getTrue());
  return lanes.inverseBallot(b.CreateAnd(active, b.CreateNeg(active)));
}

Value *noLane(LaneBuilder &lanes, Value *condition) {
  return lanes.b.CreateICmpEQ(lanes.ballot(condition), ConstantInt::get(lanes.maskType(), 0));
}

Expected<Value *> lowerAll(LaneBuilder &lanes, CallInst &call) {
  return noLane(lanes, lanes.b.CreateNot(call.getArgOperand(0)));
}

Expected<Value *> lowerAny(LaneBuilder &lanes, CallInst &call) {
  return lanes.b.CreateICmpNE(lanes.ballot(call.getArgOperand(0)),
                              ConstantInt::get(lanes.maskType(), 0));
}

Value *broadcastFirst(LaneBuilder &lanes, Value *value) {
  return lanes.mapWords(value, [&](Value *word) { return lanes.readFirstLane(word); });
}

Expected<Value *> lowerAllEqual(LaneBuilder &lanes, CallInst &call) {
  IRBuilder<> &b = lanes.b;
  Value *value = call.getArgOperand(0);
  Type *type = value->getType();
  Value *first = broadcastFirst(lanes, value);
  // A NaN equals nothing, itself included.
  Value *differs =
      type->isFPOrFPVectorTy() ? b.CreateFCmpUNE(value, first) : b.CreateICmpNE(value, first);
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    Value *any = b.CreateExtractElement(differs, uint64_t(0));
    for (unsigned i = 1; i < vector->getNumElements(); ++i)
      any = b.CreateOr(any, b.CreateExtractElement(differs, i));
    differs = any;
  }
  return noLane(lanes, differs);
}

Expected<Value *> lowerBroadcast(LaneBuilder &lanes, CallInst &call) {
  // The lane is uniform by contract; a lane number in a VGPR is read from the first lane.
  return lanes.mapWords(call.getArgOperand(0),
                        [&](Value *word) { return lanes.readLane(word, call.getArgOperand(1)); });
}

Expected<Value *> lowerBroadcastFirst(LaneBuilder &lanes, CallInst &call) {
  return broadcastFirst(lanes, call.getArgOperand(0));
}

// --- Ballots

Expected<Value *> lowerBallot(LaneBuilder &lanes, CallInst &call) {
  return lanes.maskToVector(lanes.ballot(call.getArgOperand(0)));
}

Expected<Value *> lowerInverseBallot(LaneBuilder &lanes, CallInst &call) {
  return lanes.inverseBallot(lanes.vectorToMask(call.getArgOperand(0)));
}

Expected<Value *> lowerBallotBitExtract(LaneBuilder &lanes, CallInst &call) {
  IRBuilder<> &b = lanes.b;
  Value *vector = call.getArgOperand(0), *lane = call.getArgOperand(1);
  Value *bits = b.CreateExtractElement(vector, uint64_t(0));
  if (lanes.isWave64()) {
    Value *isHigh = b.CreateICmpNE(b.CreateAnd(lane, lanes.word(32)), lanes.word(0));
    bits = b.CreateSelect(isHigh, b.CreateExtractElement(vector, uint64_t(1)), bits);
  }
  return b.CreateTrunc(b.CreateLShr(bits, b.CreateAnd(lane, lanes.word(31))), b.getInt1Ty());
}

Expected<Value *> lowerBallotBitCount(LaneBuilder &lanes, CallInst &call) {
  IRBuilder<> &b = lanes.b;
  Value *mask = lanes.vectorToMask(call.getArgOperand(1));
  switch (static_cast<GroupScan>(constantArg(call, 0))) {
  case GroupScan::Reduce:
    return b.CreateTrunc(b.CreateUnaryIntrinsic(Intrinsic::ctpop, mask), b.getInt32Ty());
  case GroupScan::Inclusive:
    return lanes.countUpTo(mask);
  case GroupScan::Exclusive:
    return lanes.countBelow(mask, lanes.word(0));
  }
  return internalError("lgc.subgroup.ballot.bit.count: unknown scan");
}

/// The mask is not empty by contract, but poison must not come of one that is.
Expected<Value *> lowerBallotFindLsb(LaneBuilder &lanes, CallInst &call) {
  Value *mask = lanes.vectorToMask(call.getArgOperand(0));
  Value *bit = lanes.b.CreateBinaryIntrinsic(Intrinsic::cttz, mask, lanes.b.getFalse());
  return lanes.b.CreateZExtOrTrunc(bit, lanes.b.getInt32Ty());
}

Expected<Value *> lowerBallotFindMsb(LaneBuilder &lanes, CallInst &call) {
  Value *mask = lanes.vectorToMask(call.getArgOperand(0));
  Value *zeros = lanes.b.CreateBinaryIntrinsic(Intrinsic::ctlz, mask, lanes.b.getFalse());
  return lanes.b.CreateSub(lanes.word(lanes.waveSize - 1),
                           lanes.b.CreateZExtOrTrunc(zeros, lanes.b.getInt32Ty()));
}

Expected<Value *> lowerMbcnt(LaneBuilder &lanes, CallInst &call) {
  Value *mask = lanes.b.CreateTrunc(call.getArgOperand(0), lanes.maskType());
  return lanes.countBelow(mask, lanes.word(0));
}

/// Which arithmetic fits which scalar type; verifyOps does not know.
bool isValidArith(GroupArith arith, Type *scalar) {
  switch (arith) {
  case GroupArith::FAdd:
  case GroupArith::FMul:
  case GroupArith::FMin:
  case GroupArith::FMax:
    return scalar->isHalfTy() || scalar->isFloatTy() || scalar->isDoubleTy();
  case GroupArith::And:
  case GroupArith::Or:
  case GroupArith::Xor:
    return scalar->isIntegerTy() && scalar->getIntegerBitWidth() <= 64;
  case GroupArith::IAdd:
  case GroupArith::IMul:
  case GroupArith::SMin:
  case GroupArith::UMin:
  case GroupArith::SMax:
  case GroupArith::UMax:
    return scalar->isIntegerTy() && !scalar->isIntegerTy(1) && scalar->getIntegerBitWidth() <= 64;
  }
  return false;
}

Expected<Value *> lowerArith(LaneBuilder &lanes, CallInst &call) {
  auto arith = static_cast<GroupArith>(constantArg(call, 0));
  auto scan = static_cast<GroupScan>(constantArg(call, 1));
  uint32_t size = constantArg(call, 3);
  if (!isValidArith(arith, call.getType()->getScalarType()) || scan > GroupScan::Exclusive ||
      (size != 0 && (!isPowerOf2_32(size) || scan != GroupScan::Reduce)))
    return internalError("lgc.subgroup.arith: operation, type and cluster size do not fit");
  return lowerSubgroupArith(lanes, arith, scan, call.getArgOperand(2), size);
}

// --- Quads

Value *quadPermute(LaneBuilder &lanes, Value *value, unsigned a, unsigned b, unsigned c,
                   unsigned d) {
  unsigned control = Dpp::quadPerm(a, b, c, d);
  Value *moved = lanes.mapWords(value, [&](Value *word) { return lanes.dppMove(word, control); });
  return lanes.withHelpers(moved);
}

Expected<Value *> lowerQuadSwap(LaneBuilder &lanes, CallInst &call) {
  uint32_t direction = constantArg(call, 1);
  if (direction > 2)
    return internalError("lgc.subgroup.quad.swap: direction " + Twine(direction));
  unsigned mask = direction + 1; // horizontal, vertical, diagonal
  return quadPermute(lanes, call.getArgOperand(0), mask, 1 ^ mask, 2 ^ mask, 3 ^ mask);
}

/// Lanes in whose quad any active lane has the condition: exactly what s_wqm computes of a ballot.
/// With helpers there is no such ballot: what each neighbour has is moved here, 0 of inactive ones.
/// Not llvm.amdgcn.wqm.vote: it takes the bits of lanes that are inactive, or were not computed.
Value *anyInQuad(LaneBuilder &lanes, Value *condition) {
  if (lanes.hasHelpers) {
    Value *own = lanes.b.CreateZExt(condition, lanes.b.getInt32Ty()), *any = own;
    for (unsigned mask : {1, 2, 3})
      any = lanes.b.CreateOr(any, quadPermute(lanes, own, mask, 1 ^ mask, 2 ^ mask, 3 ^ mask));
    return lanes.b.CreateICmpNE(any, lanes.word(0));
  }
  Value *mask = lanes.ballot(condition);
  mask = lanes.b.CreateIntrinsic(Intrinsic::amdgcn_s_wqm, {lanes.maskType(), lanes.maskType()},
                                 {mask});
  return lanes.inverseBallot(mask);
}

Expected<Value *> lowerQuadAny(LaneBuilder &lanes, CallInst &call) {
  return anyInQuad(lanes, call.getArgOperand(0));
}

Expected<Value *> lowerQuadAll(LaneBuilder &lanes, CallInst &call) {
  return lanes.b.CreateNot(anyInQuad(lanes, lanes.b.CreateNot(call.getArgOperand(0))));
}

/// Lanes of the minuend and the subtrahend. Coarse: one difference for the whole quad.
Expected<Value *> lowerDerivative(LaneBuilder &lanes, CallInst &call) {
  Value *value = call.getArgOperand(1);
  if (!value->getType()->isFPOrFPVectorTy())
    return internalError("lgc.derivative: operand is no float");
  Value *from = nullptr, *to = nullptr;
  switch (static_cast<DerivativeKind>(constantArg(call, 0))) {
  case DerivativeKind::DxFine:
    to = quadPermute(lanes, value, 1, 1, 3, 3), from = quadPermute(lanes, value, 0, 0, 2, 2);
    break;
  case DerivativeKind::DyFine:
    to = quadPermute(lanes, value, 2, 3, 2, 3), from = quadPermute(lanes, value, 0, 1, 0, 1);
    break;
  case DerivativeKind::Dx:
  case DerivativeKind::DxCoarse:
    to = quadPermute(lanes, value, 1, 1, 1, 1), from = quadPermute(lanes, value, 0, 0, 0, 0);
    break;
  case DerivativeKind::Dy:
  case DerivativeKind::DyCoarse:
    to = quadPermute(lanes, value, 2, 2, 2, 2), from = quadPermute(lanes, value, 0, 0, 0, 0);
    break;
  default:
    return internalError("lgc.derivative: unknown kind");
  }
  return lanes.b.CreateFSub(to, from);
}

// --- SPV_AMD_shader_ballot

unsigned patternWord(const CallInst &call, unsigned index) {
  auto *pattern = cast<Constant>(call.getArgOperand(1));
  return static_cast<unsigned>(
      cast<ConstantInt>(pattern->getAggregateElement(index))->getZExtValue());
}

Expected<Value *> lowerSwizzleQuad(LaneBuilder &lanes, CallInst &call) {
  return quadPermute(lanes, call.getArgOperand(0), patternWord(call, 0) & 3,
                     patternWord(call, 1) & 3, patternWord(call, 2) & 3, patternWord(call, 3) & 3);
}

Expected<Value *> lowerSwizzleMasked(LaneBuilder &lanes, CallInst &call) {
  // ds_swizzle, bit mask mode: new lane = ((lane & and) | or) ^ xor, in groups of 32.
  unsigned pattern = (patternWord(call, 0) & 31) | (patternWord(call, 1) & 31) << 5 |
                     (patternWord(call, 2) & 31) << 10;
  return lanes.mapWords(call.getArgOperand(0),
                        [&](Value *word) { return lanes.swizzle(word, pattern); });
}

Expected<Value *> lowerWriteInvocation(LaneBuilder &lanes, CallInst &call) {
  Value *isTarget = lanes.b.CreateICmpEQ(lanes.laneId(), call.getArgOperand(2));
  return lanes.b.CreateSelect(isTarget, call.getArgOperand(1), call.getArgOperand(0));
}

struct Row {
  OpId id;
  LaneLowering lower;
};

constexpr Row table[] = {
    {OpId::SubgroupElectOp, lowerElect},
    {OpId::SubgroupAllOp, lowerAll},
    {OpId::SubgroupAnyOp, lowerAny},
    {OpId::SubgroupAllEqualOp, lowerAllEqual},
    {OpId::SubgroupBroadcastOp, lowerBroadcast},
    {OpId::SubgroupBroadcastFirstOp, lowerBroadcastFirst},
    {OpId::SubgroupBallotOp, lowerBallot},
    {OpId::SubgroupInverseBallotOp, lowerInverseBallot},
    {OpId::SubgroupBallotBitExtractOp, lowerBallotBitExtract},
    {OpId::SubgroupBallotBitCountOp, lowerBallotBitCount},
    {OpId::SubgroupBallotFindLsbOp, lowerBallotFindLsb},
    {OpId::SubgroupBallotFindMsbOp, lowerBallotFindMsb},
    {OpId::SubgroupShuffleOp, lowerShuffle},
    {OpId::SubgroupShuffleXorOp, lowerShuffle},
    {OpId::SubgroupShuffleUpOp, lowerShuffle},
    {OpId::SubgroupShuffleDownOp, lowerShuffle},
    {OpId::SubgroupRotateOp, lowerShuffle},
    {OpId::SubgroupArithOp, lowerArith},
    {OpId::SubgroupQuadBroadcastOp, lowerShuffle},
    {OpId::SubgroupQuadSwapOp, lowerQuadSwap},
    {OpId::SubgroupQuadAllOp, lowerQuadAll},
    {OpId::SubgroupQuadAnyOp, lowerQuadAny},
    {OpId::SubgroupSwizzleQuadOp, lowerSwizzleQuad},
    {OpId::SubgroupSwizzleMaskedOp, lowerSwizzleMasked},
    {OpId::SubgroupWriteInvocationOp, lowerWriteInvocation},
    {OpId::SubgroupMbcntOp, lowerMbcnt},
    {OpId::DerivativeOp, lowerDerivative},
};

/// Pointers have no words of their own; front ends convert them to integers.
bool hasPointer(const CallInst &call) {
  if (call.getType()->isPtrOrPtrVectorTy())
    return true;
  return any_of(call.args(), [](const Use &arg) { return arg->getType()->isPtrOrPtrVectorTy(); });
}

} // namespace

void replaceLaneOp(CallInst &call, const StateAnalysis::Result &state, LaneLowering lower) {
  const Function &function = *call.getFunction();
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state->target);
  IRBuilder<> b(&call);
  LaneBuilder lanes(b, waveSizeOf(function, state.state), target ? target->major : 10,
                    shaderStageOf(function) == ShaderStage::Fragment);
  if (lanes.hasHelpers)
    lanes.demoted = demotedVariable(*call.getFunction());
  Expected<Value *> result =
      hasPointer(call) ? internalError("lgc." + opName(opIdOf(call)) + ": pointer operand")
      : target         ? lower(lanes, call)
                       : invalidInput("unknown target '" + state->target + "'");
  if (!result)
    reportError(call.getContext(), result.takeError());
  call.replaceAllUsesWith(result ? *result : PoisonValue::get(call.getType()));
  call.eraseFromParent();
}

PreservedAnalyses LowerSubgroupPass::run(Module &module, ModuleAnalysisManager &mam) {
  const auto &state = mam.getResult<StateAnalysis>(module);
  ShuffleWaits waiting(state.state);
  bool changed = false;
  for (const Row &row : table) {
    forEachOp(module, row.id, [&](CallInst &call) {
      if (row.lower == lowerShuffle && waiting.waits(call))
        return;
      changed = true;
      replaceLaneOp(call, state, row.lower);
    });
  }
  if (Function *shader = findShader(module, ShaderStage::Fragment))
    promoteDemoted(*shader);
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace lgc
