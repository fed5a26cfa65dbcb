//===- RayStack.cpp - what shaders of ray tracing have on the stack ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// LLVM gives the entry point one frame of each function on the way, however often functions call
/// themselves. The kernel's own size stays in `.backend_stack_size`.
#include "lgc/RayStack.h"
#include "lgc/CompileError.h"
#include "lgc/target/CodeObject.h"
#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/ElfWriter.h"
#include "pal_shim/abi/Scratch.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace lgc {

namespace key = pal::abi::key;
using pal::abi::HardwareStage;
using pal::abi::lookup;

/// The map under \p name; none when there is none.
static std::optional<msgpack::MapDocNode> mapIn(msgpack::MapDocNode map, StringRef name) {
  msgpack::DocNode *node = lookup(map, name);
  if (!node || !pal::abi::asMap(*node))
    return std::nullopt;
  return node->getMap();
}

static std::optional<uint32_t> numberIn(msgpack::MapDocNode map, StringRef name) {
  const msgpack::DocNode *node = lookup(map, name);
  const std::optional<uint64_t> value = node ? pal::abi::asUInt(*node) : std::nullopt;
  return value ? std::optional(static_cast<uint32_t>(std::min<uint64_t>(*value, UINT32_MAX)))
               : std::nullopt;
}

static RayStack stackOf(pal::abi::PipelineMetadata &metadata) {
  RayStack stack;
  if (const auto &stage = metadata.hardwareStage(HardwareStage::Cs))
    stack.kernel = stage->scratchMemorySize.value_or(0);
  msgpack::MapDocNode pipeline = metadata.pipelineMap();
  if (auto stages = mapIn(pipeline, key::hardwareStages))
    if (auto stage = mapIn(*stages, pal::abi::hardwareStageKey(HardwareStage::Cs)))
      stack.kernel = numberIn(*stage, key::backendStackSize).value_or(stack.kernel);
  auto functions = mapIn(pipeline, key::shaderFunctions);
  auto frameOf = [&](StringRef name) -> uint32_t {
    auto function = functions ? mapIn(*functions, name) : std::nullopt;
    return function ? numberIn(*function, key::stackFrameSizeInBytes).value_or(0) : 0;
  };
  stack.trace = frameOf("rays.trace");
  stack.call = frameOf("rays.call");
  stack.report = frameOf("rays.report");
  return stack;
}

uint64_t RayStack::ofStage(ShaderStage stage) const {
  switch (stage) {
  case ShaderStage::RayGen:
    return kernel;
  case ShaderStage::Intersect:
    return uint64_t(trace) + report;
  case ShaderStage::ClosestHit:
  case ShaderStage::Miss:
    return trace;
  case ShaderStage::Callable:
    return call;
  default:
    return 0;
  }
}

uint64_t RayStack::total(uint32_t depth) const {
  const uint64_t rays = depth ? ofStage(ShaderStage::Intersect) + (depth - 1) * uint64_t(trace) : 0;
  return kernel + rays + 2 * uint64_t(call);
}

Expected<RayStack> readRayStack(ArrayRef<uint8_t> elf) {
  auto object = pal::abi::ElfObject::parse(elf);
  if (!object)
    return invalidInput(consumeToText(object.takeError()).message);
  const pal::abi::ElfNote *note = object->findMetadataNote();
  if (!note)
    return invalidInput("code object without metadata");
  auto metadata = pal::abi::PipelineMetadata::parse(note->desc);
  if (!metadata)
    return invalidInput(consumeToText(metadata.takeError()).message);
  return stackOf(*metadata);
}

bool hasFunctions(pal::abi::PipelineMetadata &metadata) {
  return lookup(metadata.pipelineMap(), key::shaderFunctions) != nullptr;
}

Expected<std::vector<uint8_t>> addRayStack(const pal::abi::ElfObject &object,
                                           pal::abi::PipelineMetadata &metadata,
                                           const pal::abi::GpuTarget *target, uint32_t depth) {
  const RayStack stack = stackOf(metadata);
  auto &stage = metadata.hardwareStage(HardwareStage::Cs);
  constexpr uint32_t scratchGranule = 16; // frames of functions may end anywhere
  const uint64_t total = alignTo(stack.total(depth), scratchGranule);
  const uint32_t most = stage && target
                            ? pal::abi::maxScratchBytes(*target, stage->wavefrontSize.value_or(64))
                            : UINT32_MAX;
  if (total > most)
    return limitExceeded("a stack of " + Twine(total) + " bytes of a lane, for " + Twine(depth) +
                         " levels of recursion, the limit is " + Twine(most));
  if (!stage)
    return internalError("code object: no compute stage");
  auto stages = mapIn(metadata.pipelineMap(), key::hardwareStages);
  if (auto node =
          stages ? mapIn(*stages, pal::abi::hardwareStageKey(HardwareStage::Cs)) : std::nullopt)
    (*node)[key::backendStackSize] = stack.kernel;
  stage->scratchMemorySize = static_cast<uint32_t>(total);
  stage->scratchEn = total != 0;
  return pal::abi::replaceMetadata(object, metadata.toBlob());
}

} // namespace lgc
