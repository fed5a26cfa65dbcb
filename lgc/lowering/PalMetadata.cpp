//===- PalMetadata.cpp - the metadata that a front end supplies -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// LLVM's AMDGPU back end starts from !amdgpu.pal.metadata.msgpack and adds what it knows (register
/// counts, scratch, LDS). All other keys are written here, as metadata version 3 with abstract
/// registers, the same form for every target.
#include "lgc/lowering/EntryLayout.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace lgc {
namespace {

namespace key = pal::abi::key;

/// `.float_mode`: round modes in [3:0] (0 nearest, 3 toward zero), denormals in [7:4] (0 flush,
/// 3 keep); fp32 in the lower half of each, fp16 and fp64 share the upper half.
uint32_t floatMode(const ComputeShaderState &compute) {
  bool narrowFlush = compute.fp16.flushDenorms || compute.fp64.flushDenorms;
  bool narrowRound = compute.fp16.roundTowardZero || compute.fp64.roundTowardZero;
  return (compute.fp32.roundTowardZero ? 3u : 0u) | (narrowRound ? 3u << 2 : 0u) |
         (compute.fp32.flushDenorms ? 0u : 3u << 4) | (narrowFlush ? 0u : 3u << 6);
}

msgpack::ArrayDocNode makeArray(msgpack::Document &document, ArrayRef<uint64_t> values) {
  msgpack::ArrayDocNode array = document.getArrayNode();
  for (uint64_t value : values)
    array.push_back(document.getNode(value));
  return array;
}

/// A hash of two words that is not zero: PAL raises an alert for zero, and ignores shaders whose
/// hash is zero. Text modules of tests have none; they get one of their entry name.
std::array<uint64_t, 2> nonZeroHash(const uint64_t (&hash)[2], const PipelineState &state) {
  if (hash[0] || hash[1])
    return {hash[0], hash[1]};
  uint64_t fallback = xxh3_64bits(StringRef(state.compute.entryName)) | 1;
  return {fallback, fallback};
}

void fillComputeStage(msgpack::MapDocNode stage, const PipelineState &state, uint32_t waveSize,
                      const EntryLayout &layout) {
  msgpack::Document &document = *stage.getDocument();
  const ComputeShaderState &compute = state.compute;
  stage[key::wavefrontSize] = waveSize;
  stage[key::floatMode] = floatMode(compute);
  stage[key::userSgprs] = static_cast<uint32_t>(layout.registers.size());
  SmallVector<uint64_t, 16> map(layout.registers.begin(), layout.registers.end());
  stage[key::userDataRegMap] = makeArray(document, map);
  const auto &size = compute.workgroupSize;
  stage[key::threadgroupDimensions] = makeArray(document, {size[0], size[1], size[2]});
  if (compute.vgprLimit)
    stage[key::vgprLimit] = compute.vgprLimit;
  if (compute.sgprLimit)
    stage[key::sgprLimit] = compute.sgprLimit;
}

} // namespace

void writePalMetadata(Module &module, const PipelineState &state, uint32_t waveSize,
                      const EntryLayout &layout) {
  msgpack::Document document;
  msgpack::MapDocNode root = document.getRoot().getMap(/*Convert=*/true);
  root[key::version] =
      makeArray(document, {pal::abi::metadataMajorVersion, pal::abi::metadataMinorVersion});
  msgpack::MapDocNode pipeline = document.getMapNode();
  root[key::pipelines].getArray(/*Convert=*/true).push_back(pipeline);

  pipeline[key::type] = pal::abi::pipelineTypeName(pal::abi::PipelineType::Cs);
  pipeline[key::api] = "Vulkan";
  pipeline[key::internalPipelineHash] =
      makeArray(document, nonZeroHash(state.options.pipelineHash, state));
  pipeline[key::userDataLimit] = layout.userDataLimit;
  pipeline[key::spillThreshold] = layout.spillThreshold;

  msgpack::MapDocNode shader = document.getMapNode();
  shader[key::apiShaderHash] = makeArray(document, nonZeroHash(state.compute.shaderHash, state));
  StringRef stageKey = pal::abi::hardwareStageKey(pal::abi::HardwareStage::Cs);
  shader[key::hardwareMapping].getArray(/*Convert=*/true).push_back(document.getNode(stageKey));
  pipeline[key::shaders].getMap(
      /*Convert=*/true)[pal::abi::apiStageKey(pal::abi::ApiStage::Compute)] = shader;

  msgpack::MapDocNode stages = pipeline[key::hardwareStages].getMap(/*Convert=*/true);
  fillComputeStage(stages[stageKey].getMap(/*Convert=*/true), state, waveSize, layout);

  msgpack::MapDocNode registers = pipeline[key::computeRegisters].getMap(/*Convert=*/true);
  registers[key::tgidXEn] = layout.workgroupId[0];
  registers[key::tgidYEn] = layout.workgroupId[1];
  registers[key::tgidZEn] = layout.workgroupId[2];
  registers[key::tgSizeEn] = false;
  registers[key::tidigCompCnt] = layout.localIdComponents - 1;

  std::string blob;
  document.writeToBlob(blob);
  LLVMContext &context = module.getContext();
  NamedMDNode *node = module.getOrInsertNamedMetadata("amdgpu.pal.metadata.msgpack");
  node->clearOperands();
  node->addOperand(MDNode::get(context, MDString::get(context, blob)));
}

} // namespace lgc
