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
  --server=ADDRESS       a server for drivers: KILN_CACHE_SERVER=ADDRESS (unix:, tcp:, tls:)
  --keys=FILE            what that is done and signed with: "name HEX", "sign HEX" and others
  --sign                 a signature beside each file: FILE.sig
  --partial              although buckets are missing
  --quiet                no progress

With several targets FILE of caches for one is FILE.TARGET in front of its extension.

Examples:
  kiln-farm merge run --disk-cache=cache-1.db --elf=code.tar
  kiln-farm merge run --pipeline-cache=pipelines.bin     # pipelines.gfx1100.bin and so on
  kiln-farm merge run --server=tls:cache:6379 --keys=keys
)";

struct Options {
  std::string diskCache, pipelineCache, vulkanSc, elf, server, keys;
  bool sign = false, partial = false, quiet = false, help = false;
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

/// What merge writes, and with what.
struct Work {
  std::vector<std::unique_ptr<Export>> exports;
  std::vector<std::string> files;
  icd::Secrets keys;
  std::unique_ptr<icd::Signer> signer; ///< null: not needed
  Published published;

  Error add(Expected<std::unique_ptr<Export>> made, const std::string &file = {}) {
    if (made)
      exports.push_back(std::move(*made));
    if (made && !file.empty())
      files.push_back(file);
    return made.takeError();
  }
};

Error openExports(const Plan &plan, const Options &options, Work &work) {
  // Made anew: what is in an old one belongs to another run.
  if (!options.diskCache.empty()) {
    if (sys::fs::exists(options.diskCache))
      return lgc::invalidInput(options.diskCache + ": is there already");
    KILN_TRY(work.add(diskCacheExport(plan, options.diskCache), options.diskCache));
  }
  if (!options.elf.empty())
    KILN_TRY(work.add(elfExport(plan, options.elf), options.elf));
  for (uint32_t target = 0; target < plan.targets.size(); ++target) {
    if (!options.pipelineCache.empty()) {
      const std::string file = pathFor(plan, options.pipelineCache, target);
      KILN_TRY(work.add(pipelineCacheExport(plan, target, file), file));
    }
    if (!options.vulkanSc.empty()) {
      const std::string file = pathFor(plan, options.vulkanSc, target);
      KILN_TRY(work.add(scExport(plan, target, file), file));
    }
  }
  if (!options.server.empty())
    KILN_TRY(work.add(serverExport(plan, options.server, work.keys, *work.signer, work.published)));
  return Error::success();
}

Expected<Merged> merge(const Options &options, Published &published) {
  Plan plan = KILN_TRY(Plan::load(options.folders.front()));
  Work work;
  if (options.sign || !options.server.empty()) {
    if (options.keys.empty())
      return lgc::invalidInput("--sign and --server need --keys");
    work.keys = KILN_TRY(icd::Secrets::load(options.keys));
    work.signer = KILN_TRY(signerOf(work.keys));
  }
  KILN_TRY(openExports(plan, options, work));
  cli::Progress progress("kiln-farm", "buckets", plan.buckets, options.quiet);
  Merged merged = KILN_TRY(mergeRun(plan, options.partial, work.exports,
                                    [&](uint32_t bucket) { progress.update(bucket + 1); }));
  published = work.published;
  for (const std::string &file : work.files)
    if (options.sign)
      KILN_TRY(work.signer->signFile(file));
  return merged;
}

} // namespace

int mergeCommand(ArrayRef<const char *> arguments) {
  Options options;
  const cli::Option table[] = {{"h|help", &options.help},
                               {"disk-cache", &options.diskCache},
                               {"pipeline-cache", &options.pipelineCache},
                               {"vulkan-sc", &options.vulkanSc},
                               {"elf", &options.elf},
                               {"server", &options.server},
                               {"keys", &options.keys},
                               {"sign", &options.sign},
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
  Published published;
  auto merged = merge(options, published);
  if (!merged)
    return fail(merged.takeError());
  outs() << formatv("{0} good, {1} failed, {2} skipped, {3} poison", merged->byStatus[1],
                    merged->byStatus[2], merged->byStatus[3], merged->byStatus[4]);
  if (merged->missing)
    outs() << "; " << merged->missing << " buckets are missing";
  outs() << "\nhash " << toText(merged->hash) << "\n";
  if (!options.server.empty())
    outs() << formatv("server: {0} stored, {1} not stored\n", published.stored,
                      published.notStored);
  return published.notStored ? exitLater : exitGood;
}

} // namespace farm
