//===- Warm.cpp - has the driver compile recipes --------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Only the driver knows which build it is, so it does the work: a device of a program of that name
/// is created, with KILN_RECIPES=wait (icd_glue/assemble/RecipeBook.h). The driver is the one that
/// the Vulkan loader finds.
#include "Stores.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "tools/vulkan/Instance.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace llvm;

namespace kilncache {
namespace {

Error createDevice(const vulkan::Instance &instance, VkPhysicalDevice physical) {
  const float priority = 1;
  VkDeviceQueueCreateInfo queue = {};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  VkDevice device = VK_NULL_HANDLE;
  KILN_TRY(vulkan::check(
      instance.get<PFN_vkCreateDevice>("vkCreateDevice")(physical, &info, nullptr, &device),
      "vkCreateDevice"));
  instance.get<PFN_vkDestroyDevice>("vkDestroyDevice")(device, nullptr);
  return Error::success();
}

Error warmProgram(PFN_vkGetInstanceProcAddr getProc, const std::string &program, bool isQuiet) {
  const bool isTerminal = outs().is_displayed() && !isQuiet;
  auto show = [&](const vulkan::Message &message) {
    if (message.isInfo) {
      if (isTerminal)
        outs() << '\r' << program << ": " << message.text;
    } else if (!message.isValidation) {
      errs() << "kiln-cache: " << message.text << '\n';
    }
  };
  auto instance = KILN_TRY(vulkan::Instance::create(
      getProc, {.program = program.c_str(), .onMessage = show, .wantsInfo = true}));
  for (VkPhysicalDevice physical : instance->devices()) {
    VkPhysicalDeviceProperties properties = {};
    instance->get<PFN_vkGetPhysicalDeviceProperties>("vkGetPhysicalDeviceProperties")(physical,
                                                                                      &properties);
    if (!StringRef(properties.deviceName).starts_with("Kiln"))
      continue;
    KILN_TRY(createDevice(*instance, physical));
    if (isTerminal)
      outs() << '\n';
    if (!isQuiet)
      outs() << program << ": compiled for " << properties.deviceName << '\n';
  }
  return Error::success();
}

} // namespace

Error warm(const Options &options) {
  std::vector<std::string> programs = options.arguments;
  {
    auto file = KILN_TRY(openRecipes(options, /*isReadOnly=*/true));
    for (const std::string &program : programs)
      KILN_TRY(checkProgram(*file, program));
    if (programs.empty())
      for (const icd::RecipeFile::Program &program : file->programs())
        programs.push_back(program.name);
  }
  const std::pair<const char *, std::string> variables[] = {
      {"KILN_CACHE", "on"},
      {"KILN_CACHE_DIR", options.folder},
      {"KILN_RECIPES", "wait"},
      {"KILN_PARTS", "on"},
      {"KILN_PART_WORKERS", std::to_string(options.workers)},
      {"KILN_DEVICES", options.devices},
  };
  for (const auto &[name, value] : variables)
    setenv(name, value.c_str(), 1); // this program has one thread
  PFN_vkGetInstanceProcAddr getProc = KILN_TRY(vulkan::openLoader());
  for (const std::string &program : programs)
    KILN_TRY(warmProgram(getProc, program, options.isQuiet));
  return Error::success();
}

} // namespace kilncache
