//===- HardwareInputs.cpp - registers that the hardware fills -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The order of system SGPRs and VGPRs of every hardware stage, as tables. Facts and sources:
/// docs/hw-notes.md#graphics-inputs.
#include "lgc/CompileError.h"
#include "lgc/Shader.h"
#include "lgc/lowering/entry/EntryLayout.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace lgc {

using pal::abi::HardwareStage;
namespace key = pal::abi::key;

namespace {

using enum HwValue;
constexpr HwValue none = HwValue::Count;

// --- SGPRs of merged stages, s0 to s7: user data starts at s8
// -------------------------------------
constexpr HwValue hsScalars10[] = {none,         none, OffChipLdsBase, MergedWaveInfo,
                                   TfBufferBase, none, none,           none};
constexpr HwValue hsScalars11[] = {none,         none,          OffChipLdsBase, MergedWaveInfo,
                                   TfBufferBase, WaveIdInGroup, none,           none};
constexpr HwValue gsScalarsLegacy[] = {none,           none, GsVsOffset, MergedWaveInfo,
                                       OffChipLdsBase, none, none,       none};
constexpr HwValue gsScalarsNgg10[] = {
    none, none, MergedGroupInfo, MergedWaveInfo, OffChipLdsBase, none, none, none};
constexpr HwValue gsScalars11[] = {
    none, none, MergedGroupInfo, MergedWaveInfo, OffChipLdsBase, AttribRingBase, none, none};

// --- VGPRs
// ----------------------------------------------------------------------------------------
constexpr HwValue hsVectors[] = {HsPatchId, HsRelPatchId};
constexpr HwValue gsVectors10[] = {GsVertexOffsets01, GsVertexOffsets23, GsPrimitiveId,
                                   GsInvocationId, GsVertexOffsets45};
constexpr HwValue gsVectors12[] = {GsVertexOffsets01, GsPrimitiveId, GsVertexOffsets23};
constexpr HwValue lsVectors10[] = {VertexId, RelVertexId, none, InstanceId};
constexpr HwValue vsVectors10[] = {VertexId, RelVertexId, VsPrimitiveId, InstanceId};
constexpr HwValue vsVectors12[] = {VertexId, InstanceId};
constexpr HwValue tesVectors[] = {TessCoordX, TessCoordY, TessRelPatchId, TessPatchId};
constexpr HwValue psVectors[] = {PerspSample,  PerspCenter,  PerspCentroid,  PerspPullModel,
                                 LinearSample, LinearCenter, LinearCentroid, LineStipple,
                                 PosX,         PosY,         PosZ,           PosW,
                                 FrontFace,    Ancillary,    SampleCoverage, PosFixedPt};

constexpr HwValue streamOutOffsets[] = {StreamOutOffset0, StreamOutOffset1, StreamOutOffset2,
                                        StreamOutOffset3};

class InputPlanner {
public:
  InputPlanner(const PipelineState &state, const HwValueSet &used)
      : plan(planStages(state)), used(used) {
    const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
    major = target ? target->major : 11;
  }
  void planHs();
  void planGs();
  void planVs();
  void planPs();
  HardwareInputs take() { return std::move(inputs); }

private:
  bool isUsed(HwValue value) const {
    return value != none && used.test(static_cast<size_t>(value));
  }
  /// 1 + index of the last value of `order` that is used; at least `least`.
  unsigned countUsed(ArrayRef<HwValue> order, unsigned least) const;
  void addVectors(ArrayRef<HwValue> order, unsigned count) {
    inputs.vectors.append(order.begin(), order.begin() + count);
  }
  void enable(StringLiteral name, uint64_t value) {
    inputs.graphicsRegisters.push_back({name, "", value});
  }
  ArrayRef<HwValue> vertexHalf(unsigned &least) const;
  unsigned gsCount() const;

  const StagePlan plan;
  const HwValueSet &used;
  unsigned major;
  HardwareInputs inputs;
};

unsigned InputPlanner::countUsed(ArrayRef<HwValue> order, unsigned least) const {
  unsigned count = least;
  for (unsigned i = 0; i < order.size(); ++i)
    if (isUsed(order[i]))
      count = std::max(count, i + 1);
  return count;
}

void InputPlanner::planHs() {
  ArrayRef<HwValue> scalars = major >= 11 ? ArrayRef(hsScalars11) : ArrayRef(hsScalars10);
  inputs.before.assign(scalars.begin(), scalars.end());
  addVectors(hsVectors, std::size(hsVectors));
  // HW(gfx10, gfx11): the register behind the vertex id is always loaded.
  ArrayRef<HwValue> order = major >= 12 ? ArrayRef(vsVectors12) : ArrayRef(lsVectors10);
  unsigned count = countUsed(order, major >= 12 ? 1 : 2);
  if (major < 12 && count > 2)
    count = 4;
  addVectors(order, count);
  enable(key::lsVgprCompCnt, count - 1);
  if (isUsed(WaveIdInGroup))
    enable(key::hsTgSizeEn, 1);
}

/// What the vertex or evaluation half of a stage starts with.
ArrayRef<HwValue> InputPlanner::vertexHalf(unsigned &least) const {
  if (plan.hasTess) {
    least = 3; // u, v and the relative patch come together
    return tesVectors;
  }
  least = 1;
  return major >= 12 ? ArrayRef(vsVectors12) : ArrayRef(vsVectors10);
}

/// VGPRs of the geometry half that must be loaded.
unsigned InputPlanner::gsCount() const {
  if (major >= 12)
    return countUsed(gsVectors12, 1);
  // HW(gfx10, gfx11): the counts 4 and 5 are one setting.
  unsigned count = countUsed(gsVectors10, 1);
  return count >= 4 ? 5 : count;
}

void InputPlanner::planGs() {
  ArrayRef<HwValue> scalars = gsScalars11;
  if (major < 11)
    scalars = plan.ngg ? ArrayRef(gsScalarsNgg10) : ArrayRef(gsScalarsLegacy);
  inputs.before.assign(scalars.begin(), scalars.end());
  // The vertex half's registers have fixed places behind all of the geometry half's.
  ArrayRef<HwValue> gsOrder = major >= 12 ? ArrayRef(gsVectors12) : ArrayRef(gsVectors10);
  addVectors(gsOrder, static_cast<unsigned>(gsOrder.size()));
  enable(key::gsVgprCompCnt, std::min(gsCount() - 1, 3u));
  unsigned least = 0;
  ArrayRef<HwValue> order = vertexHalf(least);
  unsigned count = countUsed(order, least);
  addVectors(order, count);
  enable(key::esVgprCompCnt, count - 1);
  // Of mesh shaders (gfx11+) the register holds something else.
  if (plan.hasTess || (isUsed(OffChipLdsBase) && !plan.hasMesh))
    inputs.stageKeys.push_back({key::offchipLdsEn, 1});
}

void InputPlanner::planVs() {
  // The copy shader of legacy geometry takes one vertex number whatever stood before it.
  bool isEval = plan.hasTess && !plan.legacyGs;
  bool writeIndex = isUsed(StreamOutWriteIndex);
  for (HwValue offset : streamOutOffsets)
    writeIndex |= isUsed(offset);
  bool streamOut = writeIndex || isUsed(StreamOutInfo);
  // HW(gfx10): the first one comes with off-chip LDS even without stream-out.
  if (streamOut || isEval)
    inputs.after.push_back(StreamOutInfo);
  if (streamOut)
    inputs.after.push_back(StreamOutWriteIndex);
  constexpr StringLiteral enables[] = {key::vsSoBase0En, key::vsSoBase1En, key::vsSoBase2En,
                                       key::vsSoBase3En};
  for (unsigned i = 0; i < std::size(enables); ++i) {
    if (isUsed(streamOutOffsets[i]))
      inputs.after.push_back(streamOutOffsets[i]);
    if (streamOut)
      enable(enables[i], isUsed(streamOutOffsets[i]));
  }
  if (streamOut)
    enable(key::vsStreamoutEn, 1);
  if (isEval) {
    inputs.after.push_back(OffChipLdsBase);
    inputs.stageKeys.push_back({key::offchipLdsEn, 1});
  }
  ArrayRef<HwValue> order = isEval ? ArrayRef(tesVectors) : ArrayRef(vsVectors10);
  unsigned count = countUsed(order, isEval ? 3 : 1);
  addVectors(order, count);
  enable(key::vsVgprCompCnt, count - 1);
}

void InputPlanner::planPs() {
  inputs.after.push_back(PrimMask);
  if (major < 11 && isUsed(CollisionWaveId)) {
    inputs.after.push_back(CollisionWaveId);
    inputs.graphicsRegisters.push_back({key::paScShaderControl, key::loadCollisionWaveid, 1});
  }
  if (isUsed(ProvokingVtxInfo)) {
    inputs.after.push_back(ProvokingVtxInfo);
    enable(key::psLoadProvokingVtx, 1);
  }
  // All of them: LLVM finds an input by the position of its argument, and gives registers to those
  // that are used.
  addVectors(psVectors, std::size(psVectors));
}

} // namespace

Expected<HardwareInputs> planHardwareInputs(HardwareStage stage, const PipelineState &state,
                                            const HwValueSet &used) {
  HwValueSet registers;
  for (unsigned i = 0; i < used.size(); ++i)
    if (used.test(i))
      registers.set(static_cast<size_t>(locateHwValue(static_cast<HwValue>(i), state).container));
  InputPlanner planner(state, registers);
  constexpr void (InputPlanner::*plans[])() = {&InputPlanner::planHs, &InputPlanner::planGs,
                                               &InputPlanner::planVs, &InputPlanner::planPs,
                                               nullptr};
  if (auto plan = plans[static_cast<size_t>(stage)])
    (planner.*plan)();
  HardwareInputs inputs = planner.take();
  for (unsigned i = 0; i < registers.size(); ++i) {
    auto value = static_cast<HwValue>(i);
    if (registers.test(i) && !is_contained(inputs.before, value) &&
        !is_contained(inputs.after, value) && !is_contained(inputs.vectors, value))
      return internalError(Twine("hardware value ") + hwValueName(value) + " does not exist in " +
                           pal::abi::hardwareStageKey(stage) + " on " + state.target);
  }
  return inputs;
}

HwField locateHwValue(HwValue value, const PipelineState &state) {
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
  if (target && target->major >= 12) {
    if (value == GsInvocationId)
      return {GsVertexOffsets01, 27};
    if (value == GsVertexOffsets45)
      return {GsVertexOffsets23, 0};
  }
  return {value, 0};
}

Type *hwValueType(LLVMContext &context, HwValue value) {
  enum Kind : uint8_t { i32, f32, v2f32, v3f32 };
  constexpr Kind kinds[] = {
#define LGC_HW_VALUE(name, type) type,
      LGC_HW_VALUES(LGC_HW_VALUE)
#undef LGC_HW_VALUE
  };
  Type *f = Type::getFloatTy(context);
  switch (kinds[static_cast<size_t>(value)]) {
  case i32:
    return Type::getInt32Ty(context);
  case f32:
    return f;
  case v2f32:
    return FixedVectorType::get(f, 2);
  case v3f32:
    return FixedVectorType::get(f, 3);
  }
  return nullptr;
}

} // namespace lgc
