//===- PipelineCompiler.cpp - pipelines on the driver of this program -----===//
// SPDX-License-Identifier: MIT
#include "PipelineCompiler.h"
#include "Scalars.h"
#include "icd_glue/device/BuildId.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/TargetInfo.h"
#include "tools/replay/BuiltIn.h"
#include "tools/replay/Replayer.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdlib>
#include <unistd.h>
// Why inline: no library to link and no exported symbols.
#define XXH_INLINE_ALL
#include <xxhash.h>

using llvm::Expected;
using llvm::StringRef;

namespace pcc {
namespace {

/// Where the driver's messages go while the thread creates a pipeline.
thread_local std::vector<Message> *threadMessages = nullptr;

void deliver(StringRef text, bool isError) {
  if (threadMessages)
    threadMessages->push_back({isError, "", {}, text.str()});
}

struct Variable {
  const char *name, *value;
};
constexpr Variable variables[] = {
    {"KILN_PARTS", "off"},
    {"KILN_CACHE", "off"},
    {"KILN_COMPILE_THREADS", "1"},    // threads are Batch's; more of them would only disturb these
    {"KILN_THREADS", "1"},            // nothing is executed
    {"KILN_CACHE_BYTES", "33554432"}, // or else thousands of pipelines would stay in memory twice
};
constexpr const char *keptVariable = "KILN_OPT_LEVEL";

/// The cache must not depend on the user's shell, so the driver sees no other variables than these.
void setEnvironment(const std::string &target) {
  std::vector<std::string> names;
  for (char **at = environ; *at; ++at)
    if (StringRef name = StringRef(*at).split('=').first;
        name.starts_with("KILN_") && name != keptVariable)
      names.push_back(name.str());
  for (const std::string &name : names)
    unsetenv(name.c_str());
  for (const Variable &variable : variables)
    setenv(variable.name, variable.value, 1);
  setenv("KILN_DEVICES", target.c_str(), 1);
}

class HashState {
public:
  HashState() : state(XXH3_createState()) { XXH3_128bits_reset(state); }
  ~HashState() { XXH3_freeState(state); }
  HashState(const HashState &) = delete;
  HashState &operator=(const HashState &) = delete;

  /// With its size, so that what follows cannot be taken for a part of it.
  void add(const void *data, size_t size) {
    XXH3_128bits_update(state, &size, sizeof size);
    XXH3_128bits_update(state, data, size);
  }
  void add(StringRef text) { add(text.data(), text.size()); }
  std::array<uint8_t, 16> digest() const {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state));
    std::array<uint8_t, 16> bytes;
    llvm::copy(canonical.digest, bytes.begin());
    return bytes;
  }

private:
  XXH3_state_t *state;
};

} // namespace

Expected<std::unique_ptr<PipelineCompiler>> PipelineCompiler::create(const std::string &target) {
  std::unique_ptr<PipelineCompiler> compiler(new PipelineCompiler());
  compiler->target = target;
  setEnvironment(target);
  auto driver = replay::Driver::open(replay::builtInDriver(), deliver);
  if (!driver)
    return driver.takeError();
  compiler->driver = std::move(*driver);
  return compiler;
}

icd::sc::Header PipelineCompiler::header() const {
  const VkPhysicalDeviceProperties properties = driver->properties(0);
  icd::sc::Header header;
  header.vendorId = properties.vendorID;
  header.deviceId = properties.deviceID;
  header.uuid = icd::sc::cacheUuid(target);
  return header;
}

Expected<const replay::Device *>
PipelineCompiler::deviceFor(const std::vector<std::string> &features) {
  std::lock_guard lock(mutex);
  std::unique_ptr<replay::Device> &device = devices[features];
  if (!device) {
    auto created = replay::Device::create(*driver, 0, features);
    if (!created)
      return created.takeError();
    device = std::move(*created);
  }
  return device.get();
}

/// Vulkan leaves it to applications to ask.
bool PipelineCompiler::canConvertFormats(const PipelineFile &file,
                                         std::vector<Message> &messages) const {
  constexpr VkFormatFeatureFlags needed =
      VK_FORMAT_FEATURE_MIDPOINT_CHROMA_SAMPLES_BIT | VK_FORMAT_FEATURE_COSITED_CHROMA_SAMPLES_BIT;
  size_t errors = 0;
  for (const ConvertedFormat &each : file.conversions)
    if (!(driver->formatProperties(0, each.format).optimalTilingFeatures & needed)) {
      messages.push_back({true, "", file.placeOf(each),
                          nameOfValue("VkFormat", each.format) +
                              ": the device offers no YCbCr conversion of this format"});
      if (++errors == Faults::most)
        break;
    }
  return !errors;
}

std::optional<std::vector<uint8_t>> PipelineCompiler::compile(const PipelineFile &file,
                                                              std::vector<Message> &messages) {
  if (!canConvertFormats(file, messages))
    return std::nullopt;
  auto fail = [&](std::string text) {
    messages.push_back({true, "", file.statePlace, std::move(text)});
    return std::nullopt;
  };
  Expected<const replay::Device *> device = deviceFor(file.features);
  if (!device)
    return fail(lgc::consumeToText(device.takeError()).message);
  std::vector<Message> said;
  threadMessages = &said;
  // Of its own: what a pipeline needs goes when the pipeline has been compiled.
  auto replayer = std::make_unique<replay::Replayer>(**device);
  Expected<replay::CreatedPipeline> created = replayer->create(*file.capture);
  threadMessages = nullptr;
  const bool isGood = created && created->result == VK_SUCCESS;
  bool hasErrors = false;
  for (Message &message : said) {
    message.place = file.statePlace;
    hasErrors |= message.isError;
    if (isGood ? !message.isError : message.isError) // an error says what the warning did
      messages.push_back(std::move(message));
  }
  if (!created) {
    std::string text = lgc::consumeToText(created.takeError()).message;
    return hasErrors ? std::nullopt : fail(std::move(text));
  }
  if (!isGood)
    return hasErrors ? std::nullopt
                     : fail("VkResult " + std::to_string(static_cast<int>(created->result)));
  std::vector<uint8_t> elf = replay::codeOf((*device)->handle, created->pipeline).vec();
  replayer->destroy(created->pipeline);
  return elf;
}

std::array<uint8_t, 16> PipelineCompiler::inputsOf(const PipelineFile &file) const {
  HashState state;
  state.add(icd::buildId());
  state.add(target);
  if (const char *level = std::getenv(keptVariable))
    state.add(level);
  state.add(file.json);
  for (const Words &words : file.capture->code)
    state.add(words->data(), words->size() * 4);
  return state.digest();
}

} // namespace pcc
