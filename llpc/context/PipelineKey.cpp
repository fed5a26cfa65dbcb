//===- PipelineKey.cpp - which inputs a pipeline's code depends on --------===//
// SPDX-License-Identifier: MIT
/// \file
/// Two keys:
///  - pipelineHash names a pipeline for people, dumps and profilers: over the module as given. It
///    stays the same when tuning options change.
///  - cacheHash decides whether code may be shared: over the module without debug instructions (or
///    with them, when they get into the code), and over everything else that changes code.
/// Not in any key: allocation callbacks, dump and verify switches, the API hash of the layout as
/// long as the layout itself is here, and PipelineOptions::pipelineHash, which is the result.
/// A field that is added to an input structure must be added here; the static_asserts below fail
/// until someone has looked.
#include "llpc/context/PipelineKey.h"
#include <algorithm>
#include <tuple>

namespace llpc {

static constexpr uint32_t keyVersion = 1;

static void encodeNodes(Hasher &h, llvm::ArrayRef<lgc::ResourceNode> nodes) {
  h.u32(static_cast<uint32_t>(nodes.size()));
  for (const lgc::ResourceNode &node : nodes) {
    h.enumeration(node.type);
    h.u32(node.sizeInDwords);
    h.u32(node.offsetInDwords);
    h.u32(node.set);
    h.u32(node.binding);
    h.u32(node.strideInDwords);
    encodeNodes(h, node.table); // the API builds two levels; nothing in a file can make it deep
  }
}

void encode(Hasher &h, const ResourceMappingData &mapping) {
  encodeNodes(h, mapping.roots);
  h.u32(static_cast<uint32_t>(mapping.staticDescriptors.size()));
  for (const lgc::StaticDescriptor &value : mapping.staticDescriptors) {
    h.enumeration(value.type);
    h.u32(value.set);
    h.u32(value.binding);
    h.u32(value.arraySize);
    h.words(value.dwords);
  }
}

void encode(Hasher &h, const PipelineOptions &options) {
  static_assert(sizeof(PipelineOptions) == 32, "a field was added: is it in the key?");
  h.boolean(options.robustBufferAccess);
  h.boolean(options.robustBufferAccess2);
  h.boolean(options.robustImageAccess2);
  h.boolean(options.nullDescriptor);
  h.boolean(options.scalarBlockLayout);
  h.boolean(options.includeIr);
  h.boolean(options.includeDisassembly);
  h.boolean(options.debugInfo);
  h.enumeration(options.optLevel);
}

void encode(Hasher &h, const PipelineShaderOptions &options) {
  static_assert(sizeof(PipelineShaderOptions) == 40, "a field was added: is it in the key?");
  for (uint64_t half : options.clientHash)
    h.u64(half);
  h.u32(options.vgprLimit);
  h.u32(options.sgprLimit);
  h.u32(options.wavesPerEu);
  h.u32(options.waveSize);
  h.u32(options.subgroupSize);
  h.boolean(options.requireFullSubgroups);
  h.boolean(options.disableLoopUnroll);
}

void encode(Hasher &h, llvm::ArrayRef<SpecConstant> specialization) {
  // The order in which an application lists its constants means nothing.
  std::vector<SpecConstant> sorted = specialization;
  std::sort(sorted.begin(), sorted.end(), [](const SpecConstant &a, const SpecConstant &b) {
    return std::tie(a.constantId, a.size, a.value) < std::tie(b.constantId, b.size, b.value);
  });
  h.u32(static_cast<uint32_t>(sorted.size()));
  for (const SpecConstant &constant : sorted) {
    h.u32(constant.constantId);
    h.u32(constant.size);
    h.u64(constant.value);
  }
}

PipelineHashes computePipelineHashes(const ComputePipelineBuildInfo &info, llvm::StringRef target) {
  auto begin = [&](llvm::StringRef tag, const Hash128 &moduleHash) {
    Hasher h(tag, keyVersion);
    h.string(target);
    h.u32(info.deviceIndex);
    h.hash(moduleHash);
    h.enumeration(info.cs.entryStage);
    h.string(info.cs.entryTarget);
    encode(h, info.cs.specialization);
    encode(h, info.resourceMapping);
    encode(h, info.options);
    h.boolean(info.unlinked);
    h.enumeration(info.output);
    return h;
  };
  PipelineHashes hashes;
  if (!info.cs.module)
    return hashes;
  hashes.pipelineHash = begin("compute-pipeline", info.cs.module.hash()).finish();
  // With debug information the code object carries what trimming leaves out.
  const Hash128 &moduleHash =
      info.options.debugInfo ? info.cs.module.hash() : info.cs.module.cacheHash();
  Hasher cache = begin("compute-cache", moduleHash);
  encode(cache, info.cs.options);
  hashes.cacheHash = cache.finish();
  return hashes;
}

} // namespace llpc
