// SPDX-License-Identifier: MIT
// vkGetDeviceProcAddr: what core versions and extensions bring exists, what nobody has enabled does
// not. The table of commands is made from vk.xml (commands.py).
#include "Gpu.h"
#include "test/vulkan/GraphicsInfo.h"
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

namespace api {
namespace {

using vktest::vkStruct;

struct Command {
  const char *name;
  bool isDevice;
  const char *provider, *needs;
};
constexpr Command commands[] = {
#define API_COMMAND(name, isDevice, provider, needs) {name, isDevice, provider, needs},
#include "Commands.inc"
};

/// What is there: "VK_VERSION_1_0" to "VK_VERSION_1_4", and extensions.
using Enabled = std::set<std::string>;

/// What loaders answer by themselves, as if another extension were meant.
const std::set<std::string> ofLoaders = {"vkGetDeviceGroupSurfacePresentModesKHR"};

/// Of the instances of Gpu, which ask for Vulkan 1.3.
Enabled ofInstance() {
  return {"platform:xcb",
          "VK_VERSION_1_0",
          "VK_VERSION_1_1",
          "VK_VERSION_1_2",
          "VK_VERSION_1_3",
          VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
          VK_KHR_SURFACE_EXTENSION_NAME,
          VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME,
          VK_KHR_XCB_SURFACE_EXTENSION_NAME};
}

bool hasAll(const Enabled &enabled, const char *needs) {
  std::istringstream words(needs);
  for (std::string word; words >> word;)
    if (!enabled.count(word))
      return false;
  return true;
}

class EntryApi : public ApiTest {
protected:
  /// Looks at the commands of a device with these extensions. \p complete: an extension that brings
  /// its commands whatever else they need.
  void expectCommands(const std::vector<std::string> &names, const char *complete = "") {
    if (std::getenv("VK_INSTANCE_LAYERS"))
      GTEST_SKIP(); // layers answer for the commands that they know, and hide the others
    std::vector<const char *> pointers;
    Enabled enabled = ofInstance();
    for (const std::string &name : names) {
      pointers.push_back(name.c_str());
      enabled.insert(name);
    }
    const float priority = 1;
    auto queueInfo = vkStruct<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
    queueInfo.queueCount = 1;
    queueInfo.pQueuePriorities = &priority;
    auto info = vkStruct<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queueInfo;
    info.enabledExtensionCount = static_cast<uint32_t>(pointers.size());
    info.ppEnabledExtensionNames = pointers.data();
    VkDevice device = VK_NULL_HANDLE;
    ASSERT_EQ(gpu.vk.CreateDevice(gpu.physicalDevice, &info, nullptr, &device), VK_SUCCESS);
    enum class Wanted { No, Maybe, Yes };
    std::map<std::string, Wanted> wanted;
    for (const Command &command : commands) {
      Wanted &now = wanted[command.name];
      if (!command.isDevice || !enabled.count(command.provider))
        continue;
      const bool isThere =
          hasAll(enabled, command.needs) || std::string(complete) == command.provider;
      now = std::max(now, isThere ? Wanted::Yes : Wanted::Maybe);
    }
    for (const auto &[name, want] : wanted)
      if (want != Wanted::Maybe && !ofLoaders.count(name)) {
        EXPECT_EQ(gpu.vk.GetDeviceProcAddr(device, name.c_str()) != nullptr, want == Wanted::Yes)
            << name << (names.size() == 1 ? " with " + names[0] : "");
      }
    const auto destroy =
        reinterpret_cast<PFN_vkDestroyDevice>(gpu.vk.GetDeviceProcAddr(device, "vkDestroyDevice"));
    ASSERT_TRUE(destroy);
    destroy(device, nullptr);
  }
};
API_TESTS_ON_ALL_DEVICES(EntryApi);

TEST_P(EntryApi, OfTheCoreAlone) { expectCommands({}); }

TEST_P(EntryApi, OfAllExtensions) { expectCommands(gpu.availableExtensions()); }

// Its specification: commands for state of all extensions are there, whether those are or not.
TEST_P(EntryApi, OfShaderObjects) {
  if (!gpu.hasExtension(VK_EXT_SHADER_OBJECT_EXTENSION_NAME))
    GTEST_SKIP();
  expectCommands({VK_EXT_SHADER_OBJECT_EXTENSION_NAME}, VK_EXT_SHADER_OBJECT_EXTENSION_NAME);
}

TEST_P(EntryApi, OfEachExtension) {
  allowsMessages = true; // what an extension depends on is not enabled
  for (const std::string &extension : gpu.availableExtensions())
    expectCommands({extension});
}

} // namespace
} // namespace api
