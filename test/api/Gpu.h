//===- Gpu.h - a Vulkan device for tests of the API -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The shortest way from GLSL to a dispatch, through the ordinary loader; VK_DRIVER_FILES decides
/// which driver. Objects live until the Gpu dies. Any failing Vulkan command fails the test that
/// runs. With VK_LAYER_KHRONOS_validation in VK_INSTANCE_LAYERS, so does every message of it.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include "tools/vulkan/Instance.h"
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>
#include <vulkan/vulkan.h>
#include <xcb/xcb.h>
// The types of xcb.h come first, and some of X11/Xlib.h.
struct _XDisplay;
using Display = _XDisplay;
using Window = unsigned long;
using VisualID = unsigned long;
#include <vulkan/vulkan_xcb.h>
#include <vulkan/vulkan_xlib.h>

#include "icd_glue/NewerVulkan.h"

namespace api {

/// The functions that tests call, loaded by name.
struct Functions {
#define API_FUNCTION(name) PFN_vk##name name = nullptr;
#include "Functions.def"
};

struct Buffer {
  VkBuffer handle = VK_NULL_HANDLE;
  VkDeviceSize size = 0;
  uint32_t *data = nullptr; ///< mapped
  VkDeviceAddress address = 0;
};

struct Image {
  VkImage handle = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
};

/// A binding of a set layout.
struct Binding {
  uint32_t number;
  VkDescriptorType type;
  uint32_t count = 1;
  VkDescriptorBindingFlags flags = 0;
  const VkSampler *immutableSamplers = nullptr;
  VkShaderStageFlags stages = VK_SHADER_STAGE_ALL;
};

class Gpu {
public:
  /// Device \p index of the loader's list; tests are run on all of them.
  /// \p deviceNext: further structures for its creation. \p isRobust: its robustness features are
  /// enabled.
  explicit Gpu(unsigned index, void *deviceNext = nullptr, bool isRobust = true);
  ~Gpu();
  Gpu(const Gpu &) = delete;
  static std::vector<std::string> deviceNames();

  bool isKiln() const { return std::string(properties.deviceName).find("Kiln") == 0; }
  /// Is it enabled?
  bool hasExtension(const std::string &name) const;
  /// All that the physical device has, enabled or not.
  std::vector<std::string> availableExtensions() const;
  /// There is memory for the host and the GPU: not on drivers that only compile.
  bool canExecute() const;

  /// Host-visible, zeroed, for every use.
  /// \p more: uses besides the common ones.
  Buffer buffer(VkDeviceSize size, VkBufferUsageFlags more = 0);
  /// 2D, sampled and storage (multi-planar formats: sampled), in GENERAL layout.
  Image image(VkFormat format, uint32_t width, uint32_t height, const void *viewNext = nullptr,
              uint32_t layers = 1);
  /// An image of which nothing is known but its memory, and no view.
  Image image(const VkImageCreateInfo &info);
  /// 2D colour target that can be copied from, in GENERAL layout.
  Image target(VkFormat format, uint32_t width, uint32_t height);
  /// 2D attachment that can be copied from and to, in GENERAL layout; its view is of an array if
  /// there are several layers.
  Image attachment(VkFormat format, VkImageAspectFlags aspects, uint32_t width, uint32_t height,
                   VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT, uint32_t layers = 1);
  /// Copies a buffer to an aspect of an image, tightly packed.
  void upload(const Image &image, VkImageAspectFlagBits aspect, uint32_t width, uint32_t height,
              const Buffer &from, VkDeviceSize offset = 0, uint32_t layer = 0);
  /// Nearest or linear, clamped to the edge.
  VkSampler sampler(VkFilter filter, const void *next = nullptr);
  /// \p stage: "comp", "vert", "geom", "frag".
  VkShaderModule module(const std::string &glsl, const std::string &stage = "comp");
  /// The words of such a module.
  std::vector<uint32_t> spirv(const std::string &glsl, const std::string &stage);
  VkDescriptorSetLayout setLayout(const std::vector<Binding> &bindings,
                                  VkDescriptorSetLayoutCreateFlags flags = 0,
                                  const void *next = nullptr);
  VkPipelineLayout pipelineLayout(const std::vector<VkDescriptorSetLayout> &sets,
                                  uint32_t pushBytes = 0,
                                  VkShaderStageFlags pushStages = VK_SHADER_STAGE_COMPUTE_BIT,
                                  VkPipelineLayoutCreateFlags flags = 0);
  VkPipeline pipeline(const std::string &glsl, VkPipelineLayout layout,
                      const VkSpecializationInfo *specialization = nullptr,
                      VkPipelineCreateFlags flags = 0);
  VkPipeline pipeline(const VkGraphicsPipelineCreateInfo &info);
  /// A set from a pool of its own.
  VkDescriptorSet set(VkDescriptorSetLayout layout, const std::vector<Binding> &bindings,
                      VkDescriptorPoolCreateFlags flags = 0, const void *next = nullptr,
                      const void *poolNext = nullptr);
  /// Writes buffers to (binding, element ...).
  void write(VkDescriptorSet set, uint32_t binding, VkDescriptorType type,
             const std::vector<Buffer> &buffers, uint32_t element = 0);
  /// Writes [offset, offset + range) of a buffer.
  void writeRange(VkDescriptorSet set, uint32_t binding, VkDescriptorType type,
                  const Buffer &buffer, VkDeviceSize offset, VkDeviceSize range);

  void writeImage(VkDescriptorSet set, uint32_t binding, VkDescriptorType type, VkImageView view,
                  VkSampler sampler = VK_NULL_HANDLE, uint32_t element = 0);

  /// A render pass of one subpass, which clears, draws to and keeps one colour target in GENERAL
  /// layout; and a framebuffer of that target. Both are destroyed with the device.
  VkRenderPass renderPass(VkFormat format);
  VkFramebuffer framebuffer(VkRenderPass renderPass, VkImageView target, uint32_t width,
                            uint32_t height);

  /// Destroys what a test has made itself with the device, before what it was made of.
  void destroyLater(VkPipeline pipeline);
  void destroyLater(VkRenderPass renderPass);
  void destroyLater(VkFramebuffer framebuffer);
  void destroyLater(VkSampler sampler);
  void destroyLater(VkAccelerationStructureKHR structure);

  VkCommandBuffer commands(VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  VkCommandBuffer begin(VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                        VkCommandBufferUsageFlags flags = 0);
  /// Makes everything before visible to everything after.
  void barrier(VkCommandBuffer commandBuffer);
  /// Ends, submits and waits.
  VkResult finish(VkCommandBuffer commandBuffer);
  VkResult submit(VkCommandBuffer commandBuffer);
  /// Copies a square picture of that many pixels each way, and its layers, to a buffer.
  void readBack(VkCommandBuffer commandBuffer, const Image &image, const Buffer &to, uint32_t side,
                uint32_t layers = 1);
  /// Records with \p record, ends, submits, waits.
  void run(const std::function<void(VkCommandBuffer)> &record);

  Functions vk;
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physicalDevice = VK_NULL_HANDLE;
  VkPhysicalDeviceProperties properties = {};
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  VkCommandPool commandPool = VK_NULL_HANDLE;
  unsigned validationMessages = 0;

private:
  uint32_t hostMemoryType(uint32_t allowed) const;
  Image image(const VkImageCreateInfo &info, VkImageAspectFlags aspects, const void *viewNext);
  void createInstance();
  void createDevice(void *deviceNext, bool isRobust);
  template <typename Handle> Handle keep(Handle handle, std::function<void()> destroy) {
    destroyers.push_back(std::move(destroy));
    return handle;
  }

  std::unique_ptr<vulkan::Instance> instanceOwner;
  std::vector<std::string> extensions;
  std::vector<std::function<void()>> destroyers;
};

/// EXPECTs success and names the command.
#define VK_OK(call) EXPECT_EQ((call), VK_SUCCESS) << #call

/// Fixture: one Gpu per test; the parameter is the device's number.
class ApiTest : public testing::TestWithParam<unsigned> {
protected:
  void TearDown() override {
    EXPECT_TRUE(allowsMessages || gpu.validationMessages == 0) << gpu.validationMessages;
  }
  /// One of the device's structures of properties.
  template <typename Struct> Struct properties(VkStructureType type) {
    Struct own = {};
    own.sType = type;
    VkPhysicalDeviceProperties2 all = {};
    all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    all.pNext = &own;
    gpu.vk.GetPhysicalDeviceProperties2(gpu.physicalDevice, &all);
    return own;
  }
  Gpu gpu{GetParam()};
  bool allowsMessages = false; ///< set by tests that break rules on purpose
};

/// Makes every test of the file run on every device.
#define API_TESTS_ON_ALL_DEVICES(fixture)                                                          \
  INSTANTIATE_TEST_SUITE_P(                                                                        \
      Device, fixture, testing::Range(0u, static_cast<unsigned>(api::Gpu::deviceNames().size())),  \
      [](const auto &info) {                                                                       \
        return api::Gpu::deviceNames()[info.param] + std::to_string(info.param);                   \
      })

} // namespace api
