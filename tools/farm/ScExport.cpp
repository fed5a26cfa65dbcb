//===- ScExport.cpp - caches of Vulkan SC ---------------------------------===//
// SPDX-License-Identifier: MIT
#include "ItemCompiler.h"
#include "Merge.h"
#include "icd_glue/sc/CacheWriter.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "tools/pcc/Batch.h"
#include "tools/pcc/PipelineCompiler.h"
#include "llvm/Support/Endian.h"
#include <cstring>
#include <map>

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

namespace farm {
namespace {

class ScExport final : public Export {
public:
  ScExport(const Plan &plan, uint32_t target, std::string path)
      : plan(plan), target(target), path(std::move(path)) {}

  Error add(const MergedRow &merged) override {
    ArrayRef<uint8_t> bytes = bytesOf(merged.row.payload);
    if (merged.row.target != target || bytes.size() <= 1 + scHeadBytes ||
        bytes.front() != static_cast<uint8_t>(PayloadKind::Sc))
      return Error::success();
    bytes = bytes.drop_front();
    pcc::CompiledPipeline pipeline;
    std::memcpy(pipeline.identifier.data(), bytes.data(), pipeline.identifier.size());
    bytes = bytes.drop_front(pipeline.identifier.size());
    pipeline.stages = llvm::support::endian::read32le(bytes.data());
    bytes = bytes.drop_front(sizeof pipeline.stages);
    std::memcpy(pipeline.inputs.data(), bytes.data(), pipeline.inputs.size());
    pipeline.elf = bytes.drop_front(pipeline.inputs.size()).vec();
    const icd::sc::Uuid identifier = pipeline.identifier;
    if (!pipelines.emplace(identifier, std::move(pipeline)).second)
      return lgc::invalidInput("two pipelines have the identifier " +
                               icd::sc::uuidText(identifier));
    return Error::success();
  }

  Error finish() override {
    std::unique_ptr<pcc::PipelineCompiler> compiler =
        KILN_TRY(pcc::PipelineCompiler::create(plan.targets[target]));
    std::vector<icd::sc::Entry> entries; // ascending by identifier, as kiln-pcc writes them
    for (const auto &[identifier, pipeline] : pipelines)
      entries.push_back(pipeline.entry());
    return writeFile(path, textOf(icd::sc::writeCache(compiler->header(), entries)));
  }

private:
  const Plan &plan;
  const uint32_t target;
  const std::string path;
  std::map<icd::sc::Uuid, pcc::CompiledPipeline> pipelines;
};

} // namespace

Expected<std::unique_ptr<Export>> scExport(const Plan &plan, uint32_t target,
                                           const std::string &path) {
  return std::make_unique<ScExport>(plan, target, path);
}

} // namespace farm
