// SPDX-License-Identifier: MIT
// VK_EXT_image_drm_format_modifier: what layouts there are, where planes lie in them, and images
// that another device puts where the first one has them. Besides VK_EXT_physical_device_drm,
// VK_EXT_external_memory_acquire_unmodified and VK_EXT_image_compression_control.
#include "Pipelines.h"
#include <cstdlib>
#include <cstring>

namespace api {
namespace {

constexpr uint64_t linear = 0; // DRM_FORMAT_MOD_LINEAR
constexpr VkFormat rgba8 = VK_FORMAT_R8G8B8A8_UNORM;
constexpr VkFormat twoPlanes = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
constexpr uint32_t width = 20, height = 6;
constexpr VkExternalMemoryHandleTypeFlagBits opaque = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;

/// An image with a modifier, and its memory.
struct ModifiedImage {
  explicit ModifiedImage(Gpu &gpu, VkExternalMemoryHandleTypeFlagBits handleType = opaque)
      : gpu(gpu) {
    external = vkStruct<VkExternalMemoryImageCreateInfo>(
        VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO);
    external.handleTypes = handleType;
    info = vkStruct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, &external);
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = rgba8;
    info.extent = {width, height, 1};
    info.mipLevels = info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
    info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  }
  ~ModifiedImage() {
    gpu.vk.DestroyImage(gpu.device, image, nullptr);
    gpu.vk.FreeMemory(gpu.device, memory, nullptr);
  }
  ModifiedImage(const ModifiedImage &) = delete;

  VkResult createOf(const std::vector<uint64_t> &modifiers) {
    auto list = vkStruct<VkImageDrmFormatModifierListCreateInfoEXT>(
        VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_LIST_CREATE_INFO_EXT);
    list.drmFormatModifierCount = uint32_t(modifiers.size());
    list.pDrmFormatModifiers = modifiers.data();
    return create(list);
  }
  VkResult createAt(const std::vector<VkSubresourceLayout> &planes, uint64_t modifier = linear) {
    auto exact = vkStruct<VkImageDrmFormatModifierExplicitCreateInfoEXT>(
        VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT);
    exact.drmFormatModifier = modifier;
    exact.drmFormatModifierPlaneCount = uint32_t(planes.size());
    exact.pPlaneLayouts = planes.data();
    return create(exact);
  }
  VkSubresourceLayout plane(VkImageAspectFlagBits aspect) {
    const VkImageSubresource subresource = {VkImageAspectFlags(aspect), 0, 0};
    VkSubresourceLayout layout = {};
    gpu.vk.GetImageSubresourceLayout(gpu.device, image, &subresource, &layout);
    return layout;
  }
  VkMemoryRequirements requirements() {
    VkMemoryRequirements result = {};
    gpu.vk.GetImageMemoryRequirements(gpu.device, image, &result);
    return result;
  }
  void allocate(const void *next) {
    const VkMemoryRequirements needs = requirements();
    auto allocation = vkStruct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, next);
    allocation.allocationSize = needs.size;
    VkPhysicalDeviceMemoryProperties types;
    gpu.vk.GetPhysicalDeviceMemoryProperties(gpu.physicalDevice, &types);
    while (!(needs.memoryTypeBits >> allocation.memoryTypeIndex & 1) ||
           !(types.memoryTypes[allocation.memoryTypeIndex].propertyFlags &
             VK_MEMORY_PROPERTY_HOST_COHERENT_BIT))
      ++allocation.memoryTypeIndex;
    VK_OK(gpu.vk.AllocateMemory(gpu.device, &allocation, nullptr, &memory));
    VK_OK(gpu.vk.BindImageMemory(gpu.device, image, memory, 0));
  }
  uint8_t *mapped() {
    void *data = nullptr;
    VK_OK(gpu.vk.MapMemory(gpu.device, memory, 0, VK_WHOLE_SIZE, 0, &data));
    return static_cast<uint8_t *>(data);
  }
  void transition(VkCommandBuffer c, VkImageLayout from, uint32_t fromFamily, const void *next) {
    auto barrier = vkStruct<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER, next);
    barrier.oldLayout = from;
    barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    barrier.srcQueueFamilyIndex = fromFamily;
    barrier.dstQueueFamilyIndex = 0;
    barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.image = image;
    barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    gpu.vk.CmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                              VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1,
                              &barrier);
  }
  void clear(const VkClearColorValue &color) {
    gpu.run([&](VkCommandBuffer c) {
      transition(c, VK_IMAGE_LAYOUT_UNDEFINED, 0, nullptr);
      const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
      gpu.vk.CmdClearColorImage(c, image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &all);
      gpu.barrier(c);
    });
  }

  Gpu &gpu;
  VkExternalMemoryImageCreateInfo external;
  VkImageCreateInfo info;
  VkImage image = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;

private:
  template <typename Info> VkResult create(Info &modifiers) {
    gpu.vk.DestroyImage(gpu.device, image, nullptr);
    image = VK_NULL_HANDLE;
    modifiers.pNext = &external;
    info.pNext = &modifiers;
    return gpu.vk.CreateImage(gpu.device, &info, nullptr, &image);
  }
};

class DrmModifierApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_EXT_IMAGE_DRM_FORMAT_MODIFIER_EXTENSION_NAME) || !gpu.canExecute())
      GTEST_SKIP() << "no VK_EXT_image_drm_format_modifier";
  }
  std::vector<VkDrmFormatModifierPropertiesEXT> modifiersOf(VkFormat format) {
    auto list = vkStruct<VkDrmFormatModifierPropertiesListEXT>(
        VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT);
    auto properties = vkStruct<VkFormatProperties2>(VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, &list);
    gpu.vk.GetPhysicalDeviceFormatProperties2(gpu.physicalDevice, format, &properties);
    std::vector<VkDrmFormatModifierPropertiesEXT> result(list.drmFormatModifierCount);
    list.pDrmFormatModifierProperties = result.data();
    gpu.vk.GetPhysicalDeviceFormatProperties2(gpu.physicalDevice, format, &properties);
    EXPECT_EQ(list.drmFormatModifierCount, result.size());
    return result;
  }
  VkResult query(uint64_t modifier, VkFormat format = rgba8, VkImageType type = VK_IMAGE_TYPE_2D,
                 VkExternalMemoryProperties *memory = nullptr,
                 VkExternalMemoryHandleTypeFlagBits handleType = opaque) {
    auto external = vkStruct<VkPhysicalDeviceExternalImageFormatInfo>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO);
    external.handleType = handleType;
    auto which = vkStruct<VkPhysicalDeviceImageDrmFormatModifierInfoEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_DRM_FORMAT_MODIFIER_INFO_EXT,
        memory ? &external : nullptr);
    which.drmFormatModifier = modifier;
    auto info = vkStruct<VkPhysicalDeviceImageFormatInfo2>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2, &which);
    info.format = format;
    info.type = type;
    info.tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
    info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    auto answer = vkStruct<VkExternalImageFormatProperties>(
        VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES);
    auto properties =
        vkStruct<VkImageFormatProperties2>(VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2, &answer);
    const VkResult result =
        gpu.vk.GetPhysicalDeviceImageFormatProperties2(gpu.physicalDevice, &info, &properties);
    if (memory)
      *memory = answer.externalMemoryProperties;
    return result;
  }
  bool canShare(VkExternalMemoryHandleTypeFlagBits handleType) {
    VkExternalMemoryProperties memory = {};
    constexpr VkExternalMemoryFeatureFlags both =
        VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT;
    return gpu.hasExtension(VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME) &&
           query(linear, rgba8, VK_IMAGE_TYPE_2D, &memory, handleType) == VK_SUCCESS &&
           (memory.externalMemoryFeatures & both) == both;
  }
  void expectTwoDevicesShare(VkExternalMemoryHandleTypeFlagBits handleType);
};
API_TESTS_ON_ALL_DEVICES(DrmModifierApi);

TEST_P(DrmModifierApi, Lists) {
  const auto all = modifiersOf(rgba8);
  ASSERT_FALSE(all.empty());
  VkFormatProperties linearTiling = {};
  gpu.vk.GetPhysicalDeviceFormatProperties(gpu.physicalDevice, rgba8, &linearTiling);
  for (const VkDrmFormatModifierPropertiesEXT &one : all)
    if (one.drmFormatModifier == linear) {
      EXPECT_EQ(one.drmFormatModifierPlaneCount, 1u);
      EXPECT_TRUE(one.drmFormatModifierTilingFeatures & VK_FORMAT_FEATURE_TRANSFER_SRC_BIT);
    }
  auto list = vkStruct<VkDrmFormatModifierPropertiesList2EXT>(
      VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_2_EXT);
  auto properties = vkStruct<VkFormatProperties2>(VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, &list);
  gpu.vk.GetPhysicalDeviceFormatProperties2(gpu.physicalDevice, rgba8, &properties);
  std::vector<VkDrmFormatModifierProperties2EXT> wide(list.drmFormatModifierCount);
  list.pDrmFormatModifierProperties = wide.data();
  gpu.vk.GetPhysicalDeviceFormatProperties2(gpu.physicalDevice, rgba8, &properties);
  ASSERT_EQ(wide.size(), all.size());
  for (size_t i = 0; i < all.size(); ++i)
    EXPECT_EQ(wide[i].drmFormatModifier, all[i].drmFormatModifier);
  if (!gpu.isKiln())
    return;
  EXPECT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].drmFormatModifier, linear);
  EXPECT_EQ(all[0].drmFormatModifierTilingFeatures, linearTiling.linearTilingFeatures);
  ASSERT_EQ(modifiersOf(twoPlanes).size(), 1u);
  EXPECT_EQ(modifiersOf(twoPlanes)[0].drmFormatModifierPlaneCount, 2u);
  for (VkFormat none : {VK_FORMAT_D32_SFLOAT, VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_FORMAT_UNDEFINED,
                        VK_FORMAT_R64_SFLOAT})
    EXPECT_TRUE(modifiersOf(none).empty()) << none;
}

TEST_P(DrmModifierApi, Limits) {
  VK_OK(query(linear));
  if (!gpu.isKiln())
    return;
  allowsMessages = true;
  EXPECT_EQ(query(1), VK_ERROR_FORMAT_NOT_SUPPORTED);
  EXPECT_EQ(query((uint64_t(1) << 56) - 1), VK_ERROR_FORMAT_NOT_SUPPORTED); // ..._INVALID
  EXPECT_EQ(query(linear, VK_FORMAT_D32_SFLOAT), VK_ERROR_FORMAT_NOT_SUPPORTED);
  EXPECT_EQ(query(linear, VK_FORMAT_BC1_RGB_UNORM_BLOCK), VK_ERROR_FORMAT_NOT_SUPPORTED);
  EXPECT_EQ(query(linear, rgba8, VK_IMAGE_TYPE_3D), VK_ERROR_FORMAT_NOT_SUPPORTED);
  ModifiedImage image(gpu);
  EXPECT_EQ(image.createOf({1, 2}), VK_ERROR_FORMAT_NOT_SUPPORTED);
  image.info.mipLevels = 2;
  EXPECT_EQ(image.createOf({linear}), VK_ERROR_FORMAT_NOT_SUPPORTED);
}

TEST_P(DrmModifierApi, TwoDevicesShareAPicture) {
  if (!canShare(opaque))
    GTEST_SKIP() << "no opaque handles of images with modifiers";
  expectTwoDevicesShare(opaque);
}

TEST_P(DrmModifierApi, TwoDevicesShareAPictureByDmaBuf) {
  constexpr VkExternalMemoryHandleTypeFlagBits dmaBuf =
      VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
  if (!gpu.hasExtension(VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME) || !canShare(dmaBuf))
    GTEST_SKIP() << "no VK_EXT_external_memory_dma_buf, which needs /dev/udmabuf";
  expectTwoDevicesShare(dmaBuf);
}

void DrmModifierApi::expectTwoDevicesShare(VkExternalMemoryHandleTypeFlagBits handleType) {
  Gpu second(GetParam());
  ModifiedImage here(gpu, handleType), there(second, handleType);
  VK_OK(here.createOf({linear}));
  auto exported =
      vkStruct<VkExportMemoryAllocateInfo>(VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);
  exported.handleTypes = handleType;
  here.allocate(&exported);
  here.clear({.float32 = {1, 0, 0.2F, 1}});
  auto modifier = vkStruct<VkImageDrmFormatModifierPropertiesEXT>(
      VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_PROPERTIES_EXT);
  modifier.drmFormatModifier = 99;
  VK_OK(gpu.vk.GetImageDrmFormatModifierPropertiesEXT(gpu.device, here.image, &modifier));
  EXPECT_EQ(modifier.drmFormatModifier, linear);
  VkSubresourceLayout layout = here.plane(VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT);
  EXPECT_GE(layout.rowPitch, width * 4);
  layout.size = layout.arrayPitch = layout.depthPitch = 0;
  VK_OK(there.createAt({layout}));
  auto get = vkStruct<VkMemoryGetFdInfoKHR>(VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR);
  get.memory = here.memory;
  get.handleType = handleType;
  auto import = vkStruct<VkImportMemoryFdInfoKHR>(VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
  import.handleType = handleType;
  VK_OK(gpu.vk.GetMemoryFdKHR(gpu.device, &get, &import.fd));
  there.allocate(&import);
  Buffer pixels = second.buffer(width * height * 4);
  auto unmodified = vkStruct<VkExternalMemoryAcquireUnmodifiedEXT>(
      VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_ACQUIRE_UNMODIFIED_EXT);
  unmodified.acquireUnmodifiedMemory = VK_TRUE;
  second.run([&](VkCommandBuffer c) {
    // Older layers do not know the structure.
    const bool isForeign = second.isKiln() && !std::getenv("VK_INSTANCE_LAYERS");
    there.transition(c, VK_IMAGE_LAYOUT_GENERAL,
                     isForeign ? VK_QUEUE_FAMILY_FOREIGN_EXT : VK_QUEUE_FAMILY_EXTERNAL,
                     isForeign ? &unmodified : nullptr);
    VkBufferImageCopy copy = {};
    copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    copy.imageExtent = {width, height, 1};
    second.vk.CmdCopyImageToBuffer(c, there.image, VK_IMAGE_LAYOUT_GENERAL, pixels.handle, 1,
                                   &copy);
    second.barrier(c);
  });
  for (uint32_t i = 0; i < width * height; ++i)
    ASSERT_EQ(pixels.data[i], 0xFF3300FFu) << i;
}

// What is said is where texels are, as a reader sees them who knows the layout only.
TEST_P(DrmModifierApi, PlanesLieWhereTheyArePut) {
  ModifiedImage image(gpu);
  VK_OK(image.createOf({linear}));
  VkSubresourceLayout layout = image.plane(VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT);
  layout.size = layout.arrayPitch = layout.depthPitch = 0;
  const VkDeviceSize before = image.requirements().size;
  layout.offset = 4096;
  VK_OK(image.createAt({layout}));
  EXPECT_GE(image.requirements().size, before + 4096);
  EXPECT_EQ(image.plane(VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT).offset, 4096u);
  image.allocate(nullptr);
  uint8_t *bytes = image.mapped();
  std::memset(bytes, 0xEE, image.requirements().size);
  image.clear({.float32 = {0, 1, 0, 0}});
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x) {
      uint32_t texel = 0;
      std::memcpy(&texel, bytes + 4096 + y * layout.rowPitch + x * 4, 4);
      ASSERT_EQ(texel, 0x0000FF00u);
    }
  EXPECT_EQ(bytes[4095], 0xEE);
}

TEST_P(DrmModifierApi, PlacesThatAreRefused) {
  if (!gpu.isKiln())
    GTEST_SKIP() << "what other drivers refuse is theirs";
  allowsMessages = true;
  ModifiedImage image(gpu);
  VK_OK(image.createOf({linear}));
  VkSubresourceLayout own = image.plane(VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT);
  constexpr VkResult refused = VK_ERROR_INVALID_DRM_FORMAT_MODIFIER_PLANE_LAYOUT_EXT;
  auto with = [&](VkDeviceSize offset, VkDeviceSize pitch) {
    VkSubresourceLayout layout = {};
    layout.offset = offset;
    layout.rowPitch = pitch;
    return image.createAt({layout});
  };
  VK_OK(with(0, own.rowPitch));
  for (VkDeviceSize pitch : {VkDeviceSize(0), own.rowPitch - 1, own.rowPitch * 2, ~VkDeviceSize(0)})
    EXPECT_EQ(with(0, pitch), refused) << pitch;
  for (VkDeviceSize offset : {VkDeviceSize(1), VkDeviceSize(128), VkDeviceSize(1) << 32,
                              VkDeviceSize(1) << 63, ~VkDeviceSize(255)})
    EXPECT_EQ(with(offset, own.rowPitch), refused) << offset;
  EXPECT_EQ(image.createAt({own, own}), refused);
  EXPECT_EQ(image.createAt({}), refused);
  EXPECT_EQ(image.createAt({own}, 7), VK_ERROR_FORMAT_NOT_SUPPORTED);
  // Two planes, the second one first.
  image.info.format = twoPlanes;
  VK_OK(image.createOf({linear}));
  VkSubresourceLayout planes[] = {image.plane(VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT),
                                  image.plane(VK_IMAGE_ASPECT_MEMORY_PLANE_1_BIT_EXT)};
  EXPECT_GE(planes[1].offset, planes[0].size);
  planes[1].offset = 0;
  planes[0].offset = 8192;
  VK_OK(image.createAt({planes[0], planes[1]}));
  EXPECT_EQ(image.plane(VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT).offset, 8192u);
  EXPECT_EQ(image.plane(VK_IMAGE_ASPECT_MEMORY_PLANE_1_BIT_EXT).offset, 0u);
  EXPECT_EQ(image.plane(VK_IMAGE_ASPECT_MEMORY_PLANE_2_BIT_EXT).rowPitch, 0u) << "there is none";
  EXPECT_GE(image.requirements().size, 8192 + planes[0].size);
}

// A software device has no nodes, and says so.
TEST_P(DrmModifierApi, Nodes) {
  if (!gpu.isKiln())
    GTEST_SKIP();
  EXPECT_TRUE(gpu.hasExtension(VK_EXT_PHYSICAL_DEVICE_DRM_EXTENSION_NAME));
  auto drm = vkStruct<VkPhysicalDeviceDrmPropertiesEXT>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRM_PROPERTIES_EXT);
  drm.hasPrimary = drm.hasRender = VK_TRUE;
  auto properties =
      vkStruct<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &drm);
  gpu.vk.GetPhysicalDeviceProperties2(gpu.physicalDevice, &properties);
  EXPECT_FALSE(drm.hasPrimary);
  EXPECT_FALSE(drm.hasRender);
}

class CompressionApi : public ApiTest {};
API_TESTS_ON_ALL_DEVICES(CompressionApi);

// Nothing is compressed, whatever is asked for.
TEST_P(CompressionApi, NothingIsCompressed) {
  if (!gpu.hasExtension(VK_EXT_IMAGE_COMPRESSION_CONTROL_EXTENSION_NAME) || !gpu.isKiln())
    GTEST_SKIP() << "no VK_EXT_image_compression_control";
  auto features = vkStruct<VkPhysicalDeviceImageCompressionControlFeaturesEXT>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_COMPRESSION_CONTROL_FEATURES_EXT);
  Gpu device(GetParam(), &features);
  ASSERT_TRUE(features.imageCompressionControl);
  for (VkImageCompressionFlagsEXT flags :
       {VK_IMAGE_COMPRESSION_DEFAULT_EXT, VK_IMAGE_COMPRESSION_DISABLED_EXT,
        VK_IMAGE_COMPRESSION_FIXED_RATE_DEFAULT_EXT}) {
    auto control =
        vkStruct<VkImageCompressionControlEXT>(VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_CONTROL_EXT);
    control.flags = flags;
    auto info = vkStruct<VkPhysicalDeviceImageFormatInfo2>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2, &control);
    info.format = rgba8;
    info.type = VK_IMAGE_TYPE_2D;
    info.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
    auto answer = vkStruct<VkImageCompressionPropertiesEXT>(
        VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_PROPERTIES_EXT);
    answer.imageCompressionFixedRateFlags = ~0u;
    auto properties =
        vkStruct<VkImageFormatProperties2>(VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2, &answer);
    VK_OK(device.vk.GetPhysicalDeviceImageFormatProperties2(device.physicalDevice, &info,
                                                            &properties));
    EXPECT_EQ(answer.imageCompressionFlags, VkFlags(VK_IMAGE_COMPRESSION_DISABLED_EXT));
    EXPECT_EQ(answer.imageCompressionFixedRateFlags, 0u);
    auto create = vkStruct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, &control);
    create.imageType = VK_IMAGE_TYPE_2D;
    create.format = rgba8;
    create.extent = {8, 8, 1};
    create.mipLevels = create.arrayLayers = 1;
    create.samples = VK_SAMPLE_COUNT_1_BIT;
    create.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
    const Image image = device.image(create);
    answer.imageCompressionFlags = answer.imageCompressionFixedRateFlags = ~0u;
    auto layout =
        vkStruct<VkSubresourceLayout2EXT>(VK_STRUCTURE_TYPE_SUBRESOURCE_LAYOUT_2_EXT, &answer);
    auto where = vkStruct<VkImageSubresource2EXT>(VK_STRUCTURE_TYPE_IMAGE_SUBRESOURCE_2_EXT);
    where.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
    device.vk.GetImageSubresourceLayout2EXT(device.device, image.handle, &where, &layout);
    EXPECT_EQ(answer.imageCompressionFlags, VkFlags(VK_IMAGE_COMPRESSION_DISABLED_EXT));
    EXPECT_EQ(answer.imageCompressionFixedRateFlags, 0u);
    EXPECT_GE(layout.subresourceLayout.rowPitch, 32u);
  }
}

TEST_P(CompressionApi, NeitherAreSwapchains) {
  const char *const extension = VK_EXT_IMAGE_COMPRESSION_CONTROL_SWAPCHAIN_EXTENSION_NAME;
  if (!gpu.hasExtension(extension) || !gpu.isKiln())
    GTEST_SKIP() << "no " << extension;
  auto features = vkStruct<VkPhysicalDeviceImageCompressionControlSwapchainFeaturesEXT>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_COMPRESSION_CONTROL_SWAPCHAIN_FEATURES_EXT);
  Gpu device(GetParam(), &features);
  ASSERT_TRUE(features.imageCompressionControlSwapchain);
  auto info =
      vkStruct<VkHeadlessSurfaceCreateInfoEXT>(VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT);
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  VK_OK(device.vk.CreateHeadlessSurfaceEXT(device.instance, &info, nullptr, &surface));
  auto which = vkStruct<VkPhysicalDeviceSurfaceInfo2KHR>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR);
  which.surface = surface;
  auto answer =
      vkStruct<VkImageCompressionPropertiesEXT>(VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_PROPERTIES_EXT);
  auto format = vkStruct<VkSurfaceFormat2KHR>(VK_STRUCTURE_TYPE_SURFACE_FORMAT_2_KHR, &answer);
  uint32_t count = 1;
  EXPECT_EQ(
      device.vk.GetPhysicalDeviceSurfaceFormats2KHR(device.physicalDevice, &which, &count, &format),
      VK_INCOMPLETE);
  EXPECT_EQ(answer.imageCompressionFlags, VkFlags(VK_IMAGE_COMPRESSION_DISABLED_EXT));
  EXPECT_EQ(answer.imageCompressionFixedRateFlags, 0u);
  auto control =
      vkStruct<VkImageCompressionControlEXT>(VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_CONTROL_EXT);
  control.flags = VK_IMAGE_COMPRESSION_FIXED_RATE_DEFAULT_EXT;
  auto create =
      vkStruct<VkSwapchainCreateInfoKHR>(VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR, &control);
  create.surface = surface;
  create.minImageCount = 2;
  create.imageFormat = format.surfaceFormat.format;
  create.imageColorSpace = format.surfaceFormat.colorSpace;
  create.imageExtent = {8, 8};
  create.imageArrayLayers = 1;
  create.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  create.preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
  create.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
  create.presentMode = VK_PRESENT_MODE_FIFO_KHR;
  VkSwapchainKHR swapchain = VK_NULL_HANDLE;
  VK_OK(device.vk.CreateSwapchainKHR(device.device, &create, nullptr, &swapchain));
  device.vk.DestroySwapchainKHR(device.device, swapchain, nullptr);
  device.vk.DestroySurfaceKHR(device.instance, surface, nullptr);
}

} // namespace
} // namespace api
