// SPDX-License-Identifier: MIT
// kiln-farm-data CACHE CAPTURES: creates captured pipelines with the data of a VkPipelineCache, and
// without compiling anything.
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "tools/replay/BuiltIn.h"
#include "tools/replay/Run.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using llvm::Error;

namespace {

Error createAll(const char *data, const char *captures) {
  auto file = llvm::MemoryBuffer::getFile(data);
  if (!file)
    return lgc::invalidInput(data);
  auto driver = KILN_TRY(replay::Driver::open(replay::builtInDriver()));
  std::vector<std::string> faults;
  unsigned created = 0, missed = 0;
  for (const auto &capture : replay::loadCaptures({captures}, faults)) {
    auto features = KILN_TRY(replay::loadFeatures(*capture));
    auto device = KILN_TRY(replay::Device::create(*driver, 0, features));
    VkPipelineCacheCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
    info.initialDataSize = (*file)->getBufferSize();
    info.pInitialData = (*file)->getBufferStart();
    replay::CreateOptions options;
    options.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    KILN_TRY(replay::check(
        device->CreatePipelineCache(device->handle, &info, nullptr, &options.cache), "cache"));
    replay::Replayer replayer(*device);
    auto pipeline = KILN_TRY(replayer.create(*capture, options));
    ++(pipeline.result == VK_SUCCESS ? created : missed);
    replayer.destroy(pipeline.pipeline);
    device->DestroyPipelineCache(device->handle, options.cache, nullptr);
  }
  llvm::outs() << created << " created, " << missed << " not there\n";
  return Error::success();
}

} // namespace

int main(int, char **argv) {
  Error error = createAll(argv[1], argv[2]);
  if (!error)
    return 0;
  llvm::errs() << lgc::consumeToText(std::move(error)).message << "\n";
  return 1;
}
