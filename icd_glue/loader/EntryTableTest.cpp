//===- EntryTableTest.cpp - which commands exist, and when ----------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/loader/EntryTable.h"
#include "icd_glue/device/TestDevice.h"
#include <algorithm>

using namespace icd;

namespace {

TEST(EntryTable, isSortedAndWithoutDoubles) {
  for (size_t index = 1; index < allEntryPoints().size(); ++index)
    EXPECT_LT(std::string(allEntryPoints()[index - 1].name), allEntryPoints()[index].name);
}

/// No command of a core version that devices report, or of an extension, may be null: also what
/// an extension has for features or extensions that are not there.
TEST(EntryTable, everythingIsDefined) {
  ExtensionSet all;
  for (size_t index = 0; index < extensionCount; ++index)
    all.add(static_cast<Extension>(index));
  for (const EntryPoint &entry : allEntryPoints())
    if (entry.isProvided(deviceApiVersion, all)) {
      EXPECT_NE(entry.function, nullptr) << entry.name;
    }
}

TEST(EntryTable, aliasesAreTheSameFunction) {
  auto function = [](const char *name) { return findEntryPoint(name)->function; };
  EXPECT_EQ(function("vkCmdDispatchBaseKHR"), function("vkCmdDispatchBase"));
  EXPECT_EQ(function("vkGetCalibratedTimestampsEXT"), function("vkGetCalibratedTimestampsKHR"));
  EXPECT_NE(function("vkCmdDispatch"), function("vkCmdDispatchBase"));
}

TEST(EntryTable, versionsAndExtensionsDecide) {
  const ExtensionSet none;
  ExtensionSet group;
  group.add(Extension::KHR_device_group);
  const EntryPoint *core = findEntryPoint("vkCmdDispatchBase");
  const EntryPoint *alias = findEntryPoint("vkCmdDispatchBaseKHR");
  ASSERT_TRUE(core && alias);
  EXPECT_FALSE(core->isProvided(VK_API_VERSION_1_0, none));
  EXPECT_TRUE(core->isProvided(VK_API_VERSION_1_1, none));
  EXPECT_FALSE(alias->isProvided(VK_API_VERSION_1_3, none));
  EXPECT_TRUE(alias->isProvided(VK_API_VERSION_1_0, group));
  // What Vulkan 1.4 took over has no suffix only there.
  ExtensionSet stipple;
  stipple.add(Extension::KHR_line_rasterization);
  for (const char *name : {"vkCmdSetLineStipple", "vkMapMemory2", "vkCmdPushDescriptorSet",
                           "vkCmdSetRenderingAttachmentLocations", "vkCopyMemoryToImage"}) {
    const EntryPoint *entry = findEntryPoint(name);
    ASSERT_TRUE(entry) << name;
    EXPECT_FALSE(entry->isProvided(VK_API_VERSION_1_3, stipple)) << name;
    EXPECT_TRUE(entry->isProvided(VK_API_VERSION_1_4, none)) << name;
  }
  EXPECT_TRUE(findEntryPoint("vkCmdSetLineStippleKHR")->isProvided(VK_API_VERSION_1_3, stipple));
  EXPECT_EQ(findEntryPoint("vkCmdDispatchBas"), nullptr);
  EXPECT_EQ(findEntryPoint(""), nullptr);
  EXPECT_EQ(findEntryPoint("vkZ"), nullptr);
}

TEST(Extensions, areFoundByNameAndKind) {
  EXPECT_EQ(findExtension("VK_KHR_16bit_storage", true), Extension::KHR_16bit_storage);
  EXPECT_EQ(findExtension("VK_KHR_16bit_storage", false), std::nullopt);
  EXPECT_EQ(findExtension("VK_EXT_debug_utils", false), Extension::EXT_debug_utils);
  EXPECT_EQ(findExtension("VK_KHR_win32_surface", false), std::nullopt);
}

using LoaderTest = TestDevice;

TEST_F(LoaderTest, lookUpFollowsTheLevelOfTheCommand) {
  EXPECT_NE(GetInstanceProcAddr(VK_NULL_HANDLE, "vkCreateInstance"), nullptr);
  EXPECT_EQ(GetInstanceProcAddr(VK_NULL_HANDLE, "vkCreateDevice"), nullptr);
  EXPECT_NE(GetInstanceProcAddr(instance, "vkCreateDevice"), nullptr);
  EXPECT_NE(GetInstanceProcAddr(instance, "vkCmdDispatch"), nullptr);
  // Of a physical device and an extension of devices: the loader wants it here.
  EXPECT_NE(GetInstanceProcAddr(instance, "vkGetPhysicalDeviceFragmentShadingRatesKHR"), nullptr);
  EXPECT_NE(GetInstanceProcAddr(instance, "vkCmdDraw"), nullptr);
  EXPECT_NE(GetInstanceProcAddr(instance, "vkQueueBindSparse"), nullptr);
  // Of physical devices: of a device extension, and of an instance extension that is not enabled.
  EXPECT_NE(GetInstanceProcAddr(instance, "vkGetPhysicalDeviceMultisamplePropertiesEXT"), nullptr);
  EXPECT_EQ(GetInstanceProcAddr(instance, "vkGetPhysicalDeviceSurfaceSupportKHR"), nullptr);
  EXPECT_NE(GetDeviceProcAddr(device, "vkCmdDispatch"), nullptr);
  EXPECT_NE(GetDeviceProcAddr(device, "vkQueueSubmit2"), nullptr);
  EXPECT_EQ(GetDeviceProcAddr(device, "vkQueueSubmit2KHR"), nullptr);
  EXPECT_EQ(GetDeviceProcAddr(device, "vkCreateDevice"), nullptr);
  EXPECT_NE(GetDeviceProcAddr(device, "vkSetDebugUtilsObjectNameEXT"), nullptr);
}

} // namespace
