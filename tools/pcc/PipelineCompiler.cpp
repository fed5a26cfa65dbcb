//===- PipelineCompiler.cpp - pipelines on the driver of this program -----===//
// SPDX-License-Identifier: MIT
#include "PipelineCompiler.h"
#include "InputHash.h"
#include "Scalars.h"
#include "StateChecks.h"
#include "icd_glue/Environment.h"
#include "icd_glue/ProcessEnvironment.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Try.h"
#include "tools/replay/BuiltIn.h"
#include "tools/replay/Replayer.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdlib>
#include <sys/auxv.h>
#include <unistd.h>

using llvm::Expected;
using llvm::StringRef;

namespace pcc {
namespace {

/// Where the driver's messages go while the thread creates a pipeline.
thread_local std::vector<Message> *threadMessages = nullptr;

void deliver(const vulkan::Message &message) {
  if (threadMessages)
    threadMessages->push_back({message.isError, "", {}, message.text.str()});
}

struct Variable {
  const char *name, *value;
};
constexpr Variable variables[] = {
    {"KILN_PARTS", "off"},
    {"KILN_CACHE", "off"},
    {"KILN_TIER", "llvm"},            // what is compiled once is to be good
    {"KILN_COMPILE_THREADS", "1"},    // threads are Batch's; more of them would only disturb these
    {"KILN_THREADS", "1"},            // nothing is executed
    {"KILN_CACHE_BYTES", "33554432"}, // or else thousands of pipelines would stay in memory twice
};

} // namespace

void setDriverEnvironment(const std::string &targets, const std::string &dumps) {
  std::vector<std::string> names;
  for (char **at = environ; *at; ++at)
    if (StringRef name = StringRef(*at).split('=').first;
        name.starts_with("KILN_") && name != levelVariable)
      names.push_back(name.str());
  for (const std::string &name : names)
    unsetenv(name.c_str());
  for (const Variable &variable : variables)
    setenv(variable.name, variable.value, 1);
  setenv("KILN_DEVICES", targets.c_str(), 1);
  if (!dumps.empty())
    setenv("KILN_DUMP_DIR", dumps.c_str(), 1);
}

Expected<std::unique_ptr<PipelineCompiler>> PipelineCompiler::create(const std::string &target,
                                                                     const std::string &dumps) {
  std::unique_ptr<PipelineCompiler> compiler(new PipelineCompiler());
  compiler->target = target;
  // The driver would not see the settings.
  if (getauxval(AT_SECURE))
    return lgc::invalidInput("does not run with more rights than its user has (set-user-ID)");
  setDriverEnvironment(target, dumps);
  // Or else the driver would say so on standard error.
  auto environment = icd::Environment::read(icd::processEnvironment);
  if (!environment)
    return lgc::invalidInput(llvm::toString(environment.takeError()));
  compiler->driver = KILN_TRY(replay::Driver::open(replay::builtInDriver(), deliver));
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
  if (!device)
    device = KILN_TRY(replay::Device::create(*driver, 0, features));
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

PipelineCompiler::Code PipelineCompiler::compileOne(const PipelineFile &file,
                                                    const replay::Device &device,
                                                    std::vector<Message> &messages) const {
  auto fail = [&](std::string text) {
    messages.push_back({true, "", file.statePlace, std::move(text)});
    return std::nullopt;
  };
  std::vector<Message> said;
  threadMessages = &said;
  // Of its own: what a pipeline needs goes when the pipeline has been compiled.
  auto replayer = std::make_unique<replay::Replayer>(device);
  Expected<replay::CreatedPipeline> created =
      replayer->create(*file.capture, replay::CreateOptions());
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
  std::vector<uint8_t> elf = replay::codeOf(device.handle, created->pipeline)->vec();
  replayer->destroy(created->pipeline);
  return elf;
}

std::optional<std::vector<uint8_t>> PipelineCompiler::compile(const PipelineFile &file,
                                                              std::vector<Message> &messages) {
  if (!canConvertFormats(file, messages))
    return std::nullopt;
  Expected<const replay::Device *> device = deviceFor(file.features);
  if (!device) {
    messages.push_back({true, "", file.statePlace, lgc::consumeToText(device.takeError()).message});
    return std::nullopt;
  }
  return compileOne(file, **device, messages);
}

} // namespace pcc
