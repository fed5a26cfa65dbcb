//===- FetchLayout.cpp - attributes in registers at the entry -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Where the first vertex stage of a part takes its attributes, and where the glue that fetches
/// them finds what it needs (lgc/Part.h).
#include "lgc/CompileError.h"
#include "lgc/Ops.h"
#include "lgc/lowering/entry/EntryLayout.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace lgc {

using pal::abi::HardwareStage;
namespace userdata = pal::abi::userdata;

namespace {

/// Index in a list of registers, from `base` on; FetchSignature::none when it is not there.
template <typename List, typename Element>
uint32_t placeOf(const List &list, Element element, size_t base) {
  const auto *found = find(list, element);
  return found == list.end() ? FetchSignature::none
                             : static_cast<uint32_t>(base + size_t(found - list.begin()));
}

std::vector<FetchSignature::Input> inputsOf(const EntryNeeds &needs) {
  std::map<uint32_t, FetchSignature::Input> inputs;
  for (const CallInst *call : needs.vertexInputs) {
    const auto &op = cast<VertexInputOp>(*call);
    FetchSignature::Input &input = inputs[op.constArg(0)];
    input.location = op.constArg(0);
    input.mask |= 1u << op.constArg(1);
    if (!call->getType()->isFloatTy())
      input.type = FetchSignature::Input::Type::Int;
  }
  std::vector<FetchSignature::Input> result;
  for (const auto &[location, input] : inputs)
    result.push_back(input);
  return result;
}

} // namespace

Expected<FetchSignature> planVertexInputs(const EntryNeeds &needs, const PipelineState &state,
                                          const StageLayout &layout) {
  const HardwareInputs &hardware = layout.hardware;
  FetchSignature signature;
  signature.stage = layout.stage;
  signature.waveSize = layout.waveSize;
  signature.sgprs = static_cast<uint32_t>(hardware.before.size() + layout.registers.size() +
                                          hardware.after.size());
  // HW(gfx10): the offset of the wave's scratch memory follows; merged stages have it in s5.
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
  if (target && target->major == 10 && layout.stage == HardwareStage::Vs)
    ++signature.sgprs;
  signature.vgprs = static_cast<uint32_t>(hardware.vectors.size());
  const size_t userData = hardware.before.size();
  signature.vertexBufferTable = placeOf(layout.registers, userdata::vertexBufferTable, userData);
  signature.baseVertex = placeOf(layout.registers, userdata::baseVertex, userData);
  signature.baseInstance = placeOf(layout.registers, userdata::baseInstance, userData);
  signature.vertexId = placeOf(hardware.vectors, HwValue::VertexId, 0);
  signature.instanceId = placeOf(hardware.vectors, HwValue::InstanceId, 0);
  signature.inputs = inputsOf(needs);
  for (uint32_t place : {signature.vertexBufferTable, signature.baseVertex, signature.baseInstance,
                         signature.vertexId, signature.instanceId})
    if (place == FetchSignature::none)
      return internalError("vertex inputs of a stage that lacks a register for their fetch");
  if (signature.sgprs > maxGlueSgprs || signature.vgprCount() > maxGlueVgprs)
    return unsupported("part: vertex inputs make " + Twine(signature.sgprs) + " SGPRs and " +
                       Twine(signature.vgprCount()) + " VGPRs at the entry, limits are " +
                       Twine(maxGlueSgprs) + " and " + Twine(maxGlueVgprs));
  return signature;
}

} // namespace lgc
