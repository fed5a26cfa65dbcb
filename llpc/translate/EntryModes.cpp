//===- EntryModes.cpp - execution modes -----------------------------------===//
// SPDX-License-Identifier: MIT
#include "llpc/spirv/Grammar.h"
#include "llpc/translate/Kernel.h"
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {

namespace {

/// Only the size that counts may be refused: a WorkgroupSize constant overrides LocalSize.
Error checkLocalSize(Translator &t) {
  const auto &size = t.shader->workgroupSize;
  const uint64_t total = uint64_t(size[0]) * size[1] * size[2];
  if (total == 0)
    return lgc::invalidInput("workgroup size has a dimension of 0");
  if (std::max({size[0], size[1], size[2]}) > 1024 || total > 1024)
    return lgc::limitExceeded("workgroup of " + Twine(size[0]) + " x " + Twine(size[1]) + " x " +
                              Twine(size[2]) + " invocations; the limit is 1024 in all");
  return Error::success();
}

/// The constant decorated BuiltIn WorkgroupSize overrides LocalSize (SPIR-V, BuiltIn).
const Inst *workgroupSizeConstant(Translator &t) {
  for (const Inst *inst : t.spv.globals()) {
    if (inst->opcode != spv::Op::OpConstantComposite &&
        inst->opcode != spv::Op::OpSpecConstantComposite)
      continue;
    const auto *d = t.spv.findDecoration(inst->resultId, spv::Decoration::BuiltIn);
    if (d && !d->operands.empty() &&
        d->operands[0] == static_cast<uint32_t>(spv::BuiltIn::WorkgroupSize))
      return inst;
  }
  return nullptr;
}

Error readLocalSize(Translator &t, const spirv::ExecutionMode &mode) {
  if (mode.operands.size() < 3)
    return lgc::invalidInput("LocalSize with fewer than three operands");
  std::array<uint32_t, 3> size;
  for (unsigned i = 0; i < 3; ++i) {
    if (mode.mode == spv::ExecutionMode::LocalSize) {
      size[i] = mode.operands[i];
      continue;
    }
    auto value = KILN_TRY(t.readConstant32(mode.operands[i]));
    size[i] = value;
  }
  t.shader->workgroupSize = size;
  return Error::success();
}

Error readMode(Translator &t, const spirv::ExecutionMode &mode) {
  switch (mode.mode) {
  case spv::ExecutionMode::LocalSize:
  case spv::ExecutionMode::LocalSizeId:
    return readLocalSize(t, mode);
  case spv::ExecutionMode::DenormPreserve:
  case spv::ExecutionMode::DenormFlushToZero:
  case spv::ExecutionMode::SignedZeroInfNanPreserve:
  case spv::ExecutionMode::RoundingModeRTE:
  case spv::ExecutionMode::RoundingModeRTZ:
    return readFloatMode(t, mode);
  case spv::ExecutionMode::FPFastMathDefault:
    return readFastMathDefault(t, mode);
  case spv::ExecutionMode::DerivativeGroupQuadsKHR:
    t.shader->derivatives = lgc::ComputeShaderState::Derivatives::Quads;
    return Error::success();
  case spv::ExecutionMode::DerivativeGroupLinearKHR:
    t.shader->derivatives = lgc::ComputeShaderState::Derivatives::Linear;
    return Error::success();
  case spv::ExecutionMode::ContractionOff: // setKernelModes()
  case spv::ExecutionMode::VecTypeHint:
  case spv::ExecutionMode::LocalSizeHint:
    return Error::success();
  default:
    return readGraphicsMode(t, mode);
  }
}

Error checkDerivativeGroup(Translator &t) {
  const auto &size = t.shader->workgroupSize;
  using Derivatives = lgc::ComputeShaderState::Derivatives;
  if (t.shader->derivatives == Derivatives::Quads && (size[0] % 2 || size[1] % 2))
    return lgc::invalidInput("DerivativeGroupQuads needs even workgroup sizes in x and y");
  if (t.shader->derivatives == Derivatives::Linear && (size[0] * size[1] * size[2]) % 4)
    return lgc::invalidInput("DerivativeGroupLinear needs a workgroup size divisible by 4");
  return Error::success();
}

} // namespace

Error readExecutionModes(Translator &t) {
  Translator::State &s = t.internals();
  bool haveSize = false;
  if (isKernel(t))
    setKernelModes(t);
  for (const spirv::ExecutionMode &mode : s.entry->modes) {
    haveSize |=
        mode.mode == spv::ExecutionMode::LocalSize || mode.mode == spv::ExecutionMode::LocalSizeId;
    KILN_TRY(readMode(t, mode));
  }
  const bool hasWorkgroups = t.isStage(lgc::ShaderStage::Compute) ||
                             t.isStage(lgc::ShaderStage::Task) || t.isStage(lgc::ShaderStage::Mesh);
  const Inst *constant = hasWorkgroups ? workgroupSizeConstant(t) : nullptr;
  if (constant) {
    auto value = KILN_TRY(t.value(constant->resultId));
    auto *vector = dyn_cast<Constant>(value);
    std::array<uint32_t, 3> size;
    for (unsigned i = 0; i < 3; ++i) {
      auto *element =
          vector ? dyn_cast_or_null<ConstantInt>(vector->getAggregateElement(i)) : nullptr;
      if (!element)
        return t.invalid(*constant, "WorkgroupSize is not a vector of three integers");
      size[i] = static_cast<uint32_t>(element->getZExtValue());
    }
    t.shader->workgroupSize = size;
  } else if (hasWorkgroups && !haveSize) {
    return lgc::invalidInput("entry point \"" + s.entry->name + "\" has no LocalSize");
  }
  if (haveSize || constant)
    KILN_TRY(checkLocalSize(t));
  s.hasWorkgroupSize = true;
  KILN_TRY(checkDerivativeGroup(t));
  KILN_TRY(checkGraphicsModes(t));
  for (spv::Capability capability : t.spv.capabilities())
    t.shader->usesSubgroupOps |= spirv::enablesGroupOps(capability);
  KILN_TRY(checkFloatModes(t));
  applyDenormalOption(t);
  for (auto [width, mode] : {std::pair(16u, t.shader->fp16), std::pair(32u, t.shader->fp32),
                             std::pair(64u, t.shader->fp64)})
    s.floatModes[floatModeIndex(width)] = mode;
  for (const Inst *inst : t.spv.globals()) {
    if (inst->opcode != spv::Op::OpVariable || inst->size() == 0 ||
        static_cast<spv::StorageClass>((*inst)[0]) != spv::StorageClass::Workgroup)
      continue;
    const Inst *pointer = t.spv.definition(inst->typeId);
    if (pointer && pointer->size() > 1 && isBlockStruct(t.spv, (*pointer)[1]))
      s.workgroupExplicitLayout = true;
  }
  return Error::success();
}

} // namespace llpc
