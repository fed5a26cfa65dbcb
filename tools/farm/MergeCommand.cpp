//===- MergeCommand.cpp - kiln-farm merge ---------------------------------===//
// SPDX-License-Identifier: MIT
#include "Commands.h"
#include "Merge.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "tools/cli/Arguments.h"
#include "tools/cli/Progress.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace farm {
namespace {

constexpr char help[] = R"(usage: kiln-farm merge RUN [OPTIONS]
Puts together what was compiled. Prints a hash of all of it, which is the same for one plan whoever
compiled it, and on how many machines.

  --disk-cache=FILE      a cache on disk for the driver: KILN_CACHE_READ_ONLY=FILE. For drivers with
                         the same KILN_PARTS and KILN_TIER as this program sees; all targets in one
  --pipeline-cache=FILE  data for vkCreatePipelineCache
  --vulkan-sc=FILE       of JSON of Vulkan SC: a pipeline cache, as kiln-pcc writes it
  --elf=FILE             code objects, as a tar archive: ITEM.TARGET.elf; wanted.tsv has the items
  --partial              although buckets are missing
  --quiet                no progress

With several targets FILE of caches for one is FILE.TARGET in front of its extension.

Examples:
  kiln-farm merge run --disk-cache=cache-1.db --elf=code.tar
  kiln-farm merge run --pipeline-cache=pipelines.bin     # pipelines.gfx1100.bin and so on
)";

struct Options {
  std::string diskCache, pipelineCache, vulkanSc, elf;
  bool partial = false, quiet = false, help = false;
  std::vector<std::string> folders;
};

std::string pathFor(const Plan &plan, const std::string &path, uint32_t target) {
  if (plan.targets.size() == 1)
    return path;
  SmallString<256> result(path);
  const std::string extension = sys::path::extension(path).str();
  sys::path::replace_extension(result, plan.targets[target] + extension);
  return result.str().str();
}

Expected<std::vector<std::unique_ptr<Export>>> exportsOf(const Plan &plan, const Options &options) {
  std::vector<std::unique_ptr<Export>> exports;
  auto add = [&](Expected<std::unique_ptr<Export>> made) -> Error {
    if (made)
      exports.push_back(std::move(*made));
    return made.takeError();
  };
  // Made anew: what is in an old one belongs to another run.
  if (!options.diskCache.empty()) {
    if (sys::fs::exists(options.diskCache))
      return lgc::invalidInput(options.diskCache + ": is there already");
    KILN_TRY(add(diskCacheExport(plan, options.diskCache)));
  }
  if (!options.elf.empty())
    KILN_TRY(add(elfExport(plan, options.elf)));
  for (uint32_t target = 0; target < plan.targets.size(); ++target) {
    if (!options.pipelineCache.empty())
      KILN_TRY(
          add(pipelineCacheExport(plan, target, pathFor(plan, options.pipelineCache, target))));
    if (!options.vulkanSc.empty())
      KILN_TRY(add(scExport(plan, target, pathFor(plan, options.vulkanSc, target))));
  }
  return exports;
}

Expected<Merged> merge(const Options &options) {
  Plan plan = KILN_TRY(Plan::load(options.folders.front()));
  auto exports = KILN_TRY(exportsOf(plan, options));
  cli::Progress progress("kiln-farm", "buckets", plan.buckets, options.quiet);
  return mergeRun(plan, options.partial, exports,
                  [&](uint32_t bucket) { progress.update(bucket + 1); });
}

} // namespace

int mergeCommand(ArrayRef<const char *> arguments) {
  Options options;
  const cli::Option table[] = {{"h|help", &options.help},
                               {"disk-cache", &options.diskCache},
                               {"pipeline-cache", &options.pipelineCache},
                               {"vulkan-sc", &options.vulkanSc},
                               {"elf", &options.elf},
                               {"partial", &options.partial},
                               {"quiet", &options.quiet}};
  if (Error error = cli::parse(arguments, table, &options.folders))
    return fail(std::move(error), exitUsage);
  if (options.help) {
    outs() << help;
    return exitGood;
  }
  if (options.folders.size() != 1)
    return fail(lgc::invalidInput("one folder that plan has made is needed"), exitUsage);
  auto merged = merge(options);
  if (!merged)
    return fail(merged.takeError());
  outs() << formatv("{0} good, {1} failed, {2} skipped, {3} poison", merged->byStatus[1],
                    merged->byStatus[2], merged->byStatus[3], merged->byStatus[4]);
  if (merged->missing)
    outs() << "; " << merged->missing << " buckets are missing";
  outs() << "\nhash " << toText(merged->hash) << "\n";
  return exitGood;
}

} // namespace farm
