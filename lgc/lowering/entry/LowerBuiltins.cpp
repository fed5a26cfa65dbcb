//===- LowerBuiltins.cpp - built-in inputs -> hardware values -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Computes every built-in input from the few values that hardware and driver supply. What remains
/// are lgc.builtin calls of WorkgroupId, NumWorkgroups and HwLocalId, which lgc-lower-entry-point
/// turns into arguments. Runs before the middle end, so that the arithmetic is optimised with the
/// shader's; after inlining (each value is made once per function, in its entry block).
///   before: %id = call <3 x i32> @lgc.builtin__v3i32_i32(i32 GlobalInvocationId)   ; size 64,1,1
///   after:  %wg = call <3 x i32> @lgc.builtin__v3i32_i32(i32 WorkgroupId)
///           %l  = call <3 x i32> @lgc.builtin__v3i32_i32(i32 HwLocalId)
///           x = wg.x * 64 + l.x    y = wg.y    z = wg.z
/// Task and mesh shaders have their group counts in user data. A mesh shader is a hardware GS: its
/// lanes are numbered by wave, and lgc-lower-mesh makes WorkgroupId.
///
/// Hardware numbers the lanes of a workgroup linearly over x, then y, then z, and fills waves in
/// that order. Quad derivatives need every four consecutive lanes to be a 2 x 2 block of x and y,
/// so there LocalInvocationId is computed from the linear number (quadLocalId).
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include <map>

using namespace llvm;

namespace lgc {
namespace {

/// Values that only shaders with workgroups have.
bool isOfWorkgroup(BuiltIn builtin) {
  return builtin <= BuiltIn::NumSubgroups || builtin == BuiltIn::HwLocalId;
}

/// Makes the values of one function; each at most once, in the entry block.
class BuiltinValues {
public:
  BuiltinValues(Function &function, const StateAnalysis::Result &state)
      : state(state), stage(shaderStageOf(function).value_or(ShaderStage::Compute)),
        shader(state->shader(stage)), target(pal::abi::findTarget(state->target)),
        waveSize(waveSizeOf(function, state.state)), size(shader.workgroupSize),
        b(&function.getEntryBlock(), function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()) {}

  Value *get(BuiltIn builtin);

private:
  using Vec3 = std::array<Value *, 3>;

  Value *make(BuiltIn builtin);
  CallInst *hwValue(BuiltIn builtin);
  Value *hwComponent(BuiltIn builtin, unsigned component);
  Value *numWorkgroups();
  bool isMesh() const { return stage == ShaderStage::Mesh; }
  bool isGfx(unsigned major) const { return target && target->major >= major; }
  bool hasQuads() const { return shader.derivatives == ShaderState::Derivatives::Quads; }
  Value *meshRegister(HwValue value);
  Value *meshWave();
  Value *meshLaneIndex();
  Vec3 meshLocalId();
  Value *pack(const Vec3 &components);
  Value *linear(const Vec3 &id);
  const Vec3 &hwLocalId();
  const Vec3 &localId();
  Vec3 quadLocalId();
  Value *divide(Value *value, uint32_t divisor) { return b.CreateUDiv(value, b.getInt32(divisor)); }
  Value *globalId();
  Value *subgroupId();
  Value *laneId();
  Value *laneMask(BuiltIn builtin);
  uint64_t threads() const { return uint64_t(size[0]) * size[1] * size[2]; }

  const StateAnalysis::Result &state;
  const ShaderStage stage;
  const ShaderState &shader;
  const pal::abi::GpuTarget *target;
  const uint32_t waveSize;
  const std::array<uint32_t, 3> size;
  IRBuilder<> b;
  std::map<BuiltIn, Value *> cache;
  std::map<BuiltIn, CallInst *> hwCache;
  std::optional<Vec3> hwLocal, local;
};

Value *BuiltinValues::get(BuiltIn builtin) {
  Value *&value = cache[builtin];
  if (!value)
    value = make(builtin);
  return value;
}

Value *BuiltinValues::make(BuiltIn builtin) {
  if (!hasWorkgroups(stage) && isOfWorkgroup(builtin))
    return nullptr;
  switch (builtin) {
  case BuiltIn::WorkgroupId:
    return hwValue(builtin);
  case BuiltIn::NumWorkgroups:
    return numWorkgroups();
  case BuiltIn::HwLocalId:
    return pack(hwLocalId());
  case BuiltIn::LocalInvocationId:
    return pack(localId());
  case BuiltIn::LocalInvocationIndex:
    return isMesh() && !hasQuads() ? meshLaneIndex() : linear(localId());
  case BuiltIn::GlobalInvocationId:
    return globalId();
  case BuiltIn::SubgroupId:
    return subgroupId();
  case BuiltIn::NumSubgroups:
    return b.getInt32(static_cast<uint32_t>((threads() + waveSize - 1) / waveSize));
  case BuiltIn::SubgroupSize:
    return b.getInt32(shader.subgroupSize ? shader.subgroupSize : waveSize);
  case BuiltIn::SubgroupLocalInvocationId:
    return laneId();
  case BuiltIn::SubgroupEqMask:
  case BuiltIn::SubgroupGeMask:
  case BuiltIn::SubgroupGtMask:
  case BuiltIn::SubgroupLeMask:
  case BuiltIn::SubgroupLtMask:
    return laneMask(builtin);
  case BuiltIn::DeviceIndex:
    return b.getInt32(state->deviceIndex);
  default:
    break;
  }
  return nullptr;
}

CallInst *BuiltinValues::hwValue(BuiltIn builtin) {
  CallInst *&value = hwCache[builtin];
  if (!value)
    value = createOp(b, OpId::BuiltinOp, FixedVectorType::get(b.getInt32Ty(), 3),
                     {b.getInt32(static_cast<uint32_t>(builtin))});
  return value;
}

Value *BuiltinValues::hwComponent(BuiltIn builtin, unsigned component) {
  return b.CreateExtractElement(hwValue(builtin), component);
}

Value *BuiltinValues::numWorkgroups() {
  if (stage == ShaderStage::Compute)
    return hwValue(BuiltIn::NumWorkgroups);
  return createOp(b, OpId::SpecialUserDataOp, FixedVectorType::get(b.getInt32Ty(), 3),
                  {b.getInt32(pal::abi::userdata::meshTaskDispatchDims)});
}

Value *BuiltinValues::meshRegister(HwValue value) {
  return createOp(b, OpId::HwValueOp, b.getInt32Ty(), {b.getInt32(static_cast<uint32_t>(value))});
}

/// HW: number of the wave in its workgroup, bits 27:24.
Value *BuiltinValues::meshWave() {
  return b.CreateAnd(b.CreateLShr(meshRegister(HwValue::MergedWaveInfo), 24), 0xF);
}

Value *BuiltinValues::meshLaneIndex() {
  Value *lane = get(BuiltIn::SubgroupLocalInvocationId);
  if (threads() <= waveSize)
    return lane;
  Value *first = b.CreateMul(meshWave(), b.getInt32(waveSize), "", true, true);
  return b.CreateAdd(first, lane, "", true, true);
}

BuiltinValues::Vec3 BuiltinValues::meshLocalId() {
  Vec3 id;
  if (isGfx(11)) {
    // HW(gfx11+): v0 of a mesh shader holds the local id, 10 bits each.
    Value *packed = meshRegister(HwValue::GsVertexOffsets01);
    for (unsigned i = 0; i < 3; ++i)
      id[i] = size[i] > 1 ? b.CreateAnd(b.CreateLShr(packed, 10 * i), 0x3FF) : b.getInt32(0);
    return id;
  }
  Value *rest = meshLaneIndex();
  for (unsigned i = 0; i < 3; ++i) {
    bool isLast = i == 2 || uint64_t(size[i]) * (i == 0 ? 1 : size[0]) == threads();
    if (size[i] <= 1) {
      id[i] = b.getInt32(0);
    } else if (isLast) {
      id[i] = rest;
    } else {
      id[i] = b.CreateURem(rest, b.getInt32(size[i]));
      rest = divide(rest, size[i]);
    }
  }
  return id;
}

Value *BuiltinValues::pack(const Vec3 &components) {
  Value *vector = PoisonValue::get(FixedVectorType::get(b.getInt32Ty(), 3));
  for (unsigned i = 0; i < 3; ++i)
    vector = b.CreateInsertElement(vector, components[i], i);
  return vector;
}

/// x + y * size.x + z * size.x * size.y
Value *BuiltinValues::linear(const Vec3 &id) {
  Value *index = id[0];
  uint32_t stride = size[0];
  for (unsigned i = 1; i < 3; ++i) {
    if (size[i] > 1)
      index = b.CreateAdd(index, b.CreateMul(id[i], b.getInt32(stride), "", true, true), "", true,
                          true);
    stride *= size[i];
  }
  return index;
}

const BuiltinValues::Vec3 &BuiltinValues::hwLocalId() {
  if (hwLocal)
    return *hwLocal;
  if (isMesh())
    return hwLocal.emplace(meshLocalId());
  hwLocal.emplace();
  for (unsigned i = 0; i < 3; ++i)
    // Why: a dimension of size 1 costs no register and no arithmetic.
    (*hwLocal)[i] = size[i] > 1 ? hwComponent(BuiltIn::HwLocalId, i) : b.getInt32(0);
  auto found = hwCache.find(BuiltIn::HwLocalId);
  if (found != hwCache.end()) {
    uint32_t most = std::max({size[0], size[1], size[2]});
    found->second->addRangeRetAttr(ConstantRange(APInt(32, 0), APInt(32, most)));
  }
  return *hwLocal;
}

const BuiltinValues::Vec3 &BuiltinValues::localId() {
  if (!local)
    local =
        shader.derivatives == ComputeShaderState::Derivatives::Quads ? quadLocalId() : hwLocalId();
  return *local;
}

/// Four consecutive lanes become (0,0) (1,0) (0,1) (1,1) of a quad; quads go along x, then y.
/// SPIR-V requires x and y sizes to be even, so a quad never crosses a layer of z.
BuiltinValues::Vec3 BuiltinValues::quadLocalId() {
  const Vec3 &hw = hwLocalId();
  if (size[0] % 2 || size[1] % 2)
    return hw;
  Value *inLayer = b.CreateAdd(hw[0], b.CreateMul(hw[1], b.getInt32(size[0])));
  Value *quad = b.CreateLShr(inLayer, 2);
  Value *quadY = divide(quad, size[0] / 2);
  Value *quadX = b.CreateSub(quad, b.CreateMul(quadY, b.getInt32(size[0] / 2)));
  // Why one by one: C++ leaves the order of arguments open, and the output must not depend on it.
  Value *evenX = b.CreateShl(quadX, 1);
  Value *oddX = b.CreateAnd(inLayer, 1);
  Value *x = b.CreateOr(evenX, oddX);
  Value *evenY = b.CreateShl(quadY, 1);
  Value *second = b.CreateLShr(inLayer, 1);
  Value *oddY = b.CreateAnd(second, 1);
  Value *y = b.CreateOr(evenY, oddY);
  return {x, y, hw[2]};
}

Value *BuiltinValues::globalId() {
  Vec3 id;
  for (unsigned i = 0; i < 3; ++i) {
    Value *group = hwComponent(BuiltIn::WorkgroupId, i);
    id[i] = b.CreateAdd(b.CreateMul(group, b.getInt32(size[i])), localId()[i]);
  }
  return pack(id);
}

Value *BuiltinValues::subgroupId() {
  if (threads() <= waveSize)
    return b.getInt32(0);
  if (isMesh())
    return meshWave();
  if (isGfx(12))
    return b.CreateIntrinsic(Intrinsic::amdgcn_wave_id, {});
  // Uniform by construction, which LLVM cannot see.
  Value *wave = divide(linear(hwLocalId()), waveSize);
  return b.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {b.getInt32Ty()}, {wave});
}

Value *BuiltinValues::laneId() {
  auto range = ConstantRange(APInt(32, 0), APInt(32, waveSize));
  CallInst *lane =
      b.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_lo, {}, {b.getInt32(~0u), b.getInt32(0)});
  if (waveSize == 64)
    lane = b.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_hi, {}, {b.getInt32(~0u), lane});
  lane->addRangeRetAttr(range);
  return lane;
}

/// <4 x i32> with a bit for each lane of the wave that compares so with this lane.
Value *BuiltinValues::laneMask(BuiltIn builtin) {
  Type *type = b.getIntNTy(waveSize);
  Value *lane = b.CreateZExt(get(BuiltIn::SubgroupLocalInvocationId), type);
  auto shifted = [&](uint64_t bits) {
    return b.CreateShl(ConstantInt::getSigned(type, static_cast<int64_t>(bits)), lane);
  };
  Value *mask = nullptr;
  switch (builtin) {
  case BuiltIn::SubgroupEqMask:
    mask = shifted(1);
    break;
  case BuiltIn::SubgroupGeMask:
    mask = shifted(~0ull);
    break;
  case BuiltIn::SubgroupGtMask:
    mask = shifted(~1ull);
    break;
  case BuiltIn::SubgroupLeMask:
    mask = b.CreateNot(shifted(~1ull));
    break;
  default:
    mask = b.CreateNot(shifted(~0ull));
    break;
  }
  Value *low = b.CreateTrunc(mask, b.getInt32Ty());
  Value *high =
      waveSize == 64 ? b.CreateTrunc(b.CreateLShr(mask, 32), b.getInt32Ty()) : b.getInt32(0);
  Value *vector = ConstantAggregateZero::get(FixedVectorType::get(b.getInt32Ty(), 4));
  vector = b.CreateInsertElement(vector, low, uint64_t(0));
  return b.CreateInsertElement(vector, high, uint64_t(1));
}

} // namespace

PreservedAnalyses LowerBuiltinsPass::run(Module &module, ModuleAnalysisManager &mam) {
  if (!hasOp(module, OpId::BuiltinOp))
    return PreservedAnalyses::all();
  const StateAnalysis::Result &state = mam.getResult<StateAnalysis>(module);
  std::map<Function *, std::vector<CallInst *>> calls;
  std::vector<Function *> order;
  forEachOp(module, OpId::BuiltinOp, [&](CallInst &call) {
    uint32_t number = cast<BuiltinOp>(call).constArg(0);
    if (number >= static_cast<uint32_t>(BuiltIn::VertexIndex) &&
        number < static_cast<uint32_t>(BuiltIn::Count))
      return; // of graphics stages: their own passes know what they are made of
    auto &list = calls[call.getFunction()];
    if (list.empty())
      order.push_back(call.getFunction());
    list.push_back(&call);
  });
  for (Function *function : order) {
    BuiltinValues values(*function, state);
    for (CallInst *call : calls[function]) {
      uint32_t number = cast<BuiltinOp>(call)->constArg(0);
      Value *value = values.get(static_cast<BuiltIn>(number));
      if (std::optional<ShaderStage> stage = shaderStageOf(*function);
          !value && stage && !hasWorkgroups(*stage) &&
          isOfWorkgroup(static_cast<BuiltIn>(number))) {
        reportError(module.getContext(),
                    invalidInput(Twine(shaderStageName(*stage)) +
                                 " shader reads a built-in of workgroups (number " + Twine(number) +
                                 ")"));
        value = PoisonValue::get(call->getType());
      } else if (!value || value->getType() != call->getType()) {
        reportError(module.getContext(), internalError("lgc.builtin " + Twine(number) +
                                                       ": unknown number or wrong type"));
        value = PoisonValue::get(call->getType());
      }
      call->replaceAllUsesWith(value);
    }
    // Why only now: the place where values are made may be one of these calls.
    for (CallInst *call : calls[function])
      call->eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace lgc
