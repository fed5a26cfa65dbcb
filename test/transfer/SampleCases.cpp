//===- SampleCases.cpp - YCbCr conversions and border colours -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Images sampled by a compute shader through a sampler that converts (always immutable), or one
/// with a border colour of the application's own (never immutable). (test/exec tests all other
/// sampling.)
#include "Cases.h"
#include "sample.spv.h"

namespace transfer {

namespace {

using F = pal::formats::Format;

struct Conversion {
  VkFormat format;
  unsigned planes;
  F plane0, plane1;
  uint32_t xDivisor, yDivisor;
  VkSamplerYcbcrModelConversion model;
  VkSamplerYcbcrRange range;
  VkChromaLocation location;
  VkFilter filter;
  bool isBorder = false; ///< no conversion: a plain image with a custom border colour
};

constexpr VkExtent2D size = {12, 8};
constexpr uint32_t groups = 5, gridSize = 8 * groups;

struct YcbcrCommands {
  PFN_vkCreateSamplerYcbcrConversion CreateSamplerYcbcrConversion;
  PFN_vkDestroySamplerYcbcrConversion DestroySamplerYcbcrConversion;
};

/// All objects of one case; destroyed in the reverse order of creation.
class Sampling {
public:
  Sampling(Context &context, const Conversion &how)
      : context(context), api(context.api), device(context.device.handle()), how(how) {
    auto load = [&](const char *name) {
      return context.device.instanceApi().GetDeviceProcAddr(device, name);
    };
    functions = {reinterpret_cast<PFN_vkCreateSamplerYcbcrConversion>(
                     load("vkCreateSamplerYcbcrConversion")),
                 reinterpret_cast<PFN_vkDestroySamplerYcbcrConversion>(
                     load("vkDestroySamplerYcbcrConversion"))};
  }
  ~Sampling() {
    for (size_t i = cleanup.size(); i-- > 0;)
      cleanup[i]();
  }

  Bytes run() {
    if (how.isBorder)
      createBorderSampler();
    else
      createConvertingSampler();
    createImage();
    createSet();
    createPipeline();
    context.run([&](VkCommandBuffer commandBuffer) {
      api.CmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      api.CmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set,
                                0, nullptr);
      api.CmdDispatch(commandBuffer, groups, groups, 1);
    });
    return Bytes(result->host, result->host + resultBytes);
  }

private:
  static constexpr size_t resultBytes = size_t(gridSize) * gridSize * 16;
  void createConvertingSampler();
  void createBorderSampler();
  void createImage();
  void upload();
  void createSet();
  void createPipeline();

  Context &context;
  const exec::DeviceApi &api;
  const VkDevice device;
  const Conversion how;
  YcbcrCommands functions = {};
  std::vector<std::function<void()>> cleanup;
  VkSamplerYcbcrConversion conversion = VK_NULL_HANDLE;
  VkSampler sampler = VK_NULL_HANDLE;
  VkImage image = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
  std::unique_ptr<Buffer> result;
  VkDescriptorSetLayout setLayout = VK_NULL_HANDLE;
  VkDescriptorSet set = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
};

void Sampling::createBorderSampler() {
  VkSamplerCustomBorderColorCreateInfoEXT color = {};
  color.sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT;
  color.customBorderColor = {{0.25f, 0.75f, 0.5f, 0.125f}};
  color.format = how.format;
  VkSamplerCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
  info.pNext = &color;
  info.magFilter = info.minFilter = how.filter;
  info.addressModeU = info.addressModeV = info.addressModeW =
      VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
  info.borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
  must(api.CreateSampler(device, &info, nullptr, &sampler), "vkCreateSampler");
  cleanup.push_back([this] { api.DestroySampler(device, sampler, nullptr); });
}

void Sampling::createConvertingSampler() {
  VkSamplerYcbcrConversionCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO;
  info.format = how.format;
  info.ycbcrModel = how.model;
  info.ycbcrRange = how.range;
  info.xChromaOffset = info.yChromaOffset = how.location;
  info.chromaFilter = how.filter;
  must(functions.CreateSamplerYcbcrConversion(device, &info, nullptr, &conversion),
       "vkCreateSamplerYcbcrConversion");
  cleanup.push_back(
      [this] { functions.DestroySamplerYcbcrConversion(device, conversion, nullptr); });
  VkSamplerYcbcrConversionInfo with = {};
  with.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO;
  with.conversion = conversion;
  VkSamplerCreateInfo samplerInfo = {};
  samplerInfo.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
  samplerInfo.pNext = &with;
  samplerInfo.magFilter = samplerInfo.minFilter = how.filter;
  samplerInfo.addressModeU = samplerInfo.addressModeV = samplerInfo.addressModeW =
      VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  must(api.CreateSampler(device, &samplerInfo, nullptr, &sampler), "vkCreateSampler");
  cleanup.push_back([this] { api.DestroySampler(device, sampler, nullptr); });
}

void Sampling::createImage() {
  VkImageCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = how.format;
  info.extent = {size.width, size.height, 1};
  info.mipLevels = info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  must(api.CreateImage(device, &info, nullptr, &image), "vkCreateImage");
  cleanup.push_back([this] { api.DestroyImage(device, image, nullptr); });
  VkMemoryRequirements requirements;
  api.GetImageMemoryRequirements(device, image, &requirements);
  VkMemoryAllocateInfo allocate = {};
  allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocate.allocationSize = requirements.size;
  allocate.memoryTypeIndex = context.device.anyMemoryType(requirements.memoryTypeBits);
  VkDeviceMemory memory = VK_NULL_HANDLE;
  must(api.AllocateMemory(device, &allocate, nullptr, &memory), "vkAllocateMemory");
  cleanup.push_back([this, memory] { api.FreeMemory(device, memory, nullptr); });
  must(api.BindImageMemory(device, image, memory, 0), "vkBindImageMemory");
  upload();
  VkSamplerYcbcrConversionInfo with = {};
  with.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO;
  with.conversion = conversion;
  VkImageViewCreateInfo viewInfo = {};
  viewInfo.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
  viewInfo.pNext = how.isBorder ? nullptr : &with;
  viewInfo.image = image;
  viewInfo.viewType = VK_IMAGE_VIEW_TYPE_2D;
  viewInfo.format = how.format;
  viewInfo.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  must(api.CreateImageView(device, &viewInfo, nullptr, &view), "vkCreateImageView");
  cleanup.push_back([this] { api.DestroyImageView(device, view, nullptr); });
}

void Sampling::upload() {
  std::vector<VkBufferImageCopy> regions;
  Bytes data;
  for (unsigned plane = 0; plane < how.planes; ++plane) {
    Shape shape;
    shape.format = {VK_FORMAT_UNDEFINED, plane == 0 ? how.plane0 : how.plane1};
    shape.extent = {size.width / (plane ? how.xDivisor : 1),
                    size.height / (plane ? how.yDivisor : 1), 1};
    VkBufferImageCopy region = {};
    region.bufferOffset = data.size();
    const VkImageAspectFlags first =
        how.isBorder ? VK_IMAGE_ASPECT_COLOR_BIT : VK_IMAGE_ASPECT_PLANE_0_BIT;
    region.imageSubresource = {first << plane, 0, 0, 1};
    region.imageExtent = shape.extent;
    regions.push_back(region);
    const Bytes bytes = shape.randomData(20 + plane);
    data.insert(data.end(), bytes.begin(), bytes.end());
  }
  auto staging = context.buffer(data);
  context.run([&](VkCommandBuffer commandBuffer) {
    VkImageMemoryBarrier barrier = {};
    barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
    barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_SHADER_READ_BIT;
    barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image;
    barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    api.CmdPipelineBarrier(commandBuffer, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                           VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1,
                           &barrier);
    api.CmdCopyBufferToImage(commandBuffer, staging->buffer, image, VK_IMAGE_LAYOUT_GENERAL,
                             static_cast<uint32_t>(regions.size()), regions.data());
  });
}

void Sampling::createSet() {
  VkDescriptorSetLayoutBinding bindings[2] = {};
  bindings[0] = {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_COMPUTE_BIT,
                 how.isBorder ? nullptr : &sampler};
  bindings[1] = {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  VkDescriptorSetLayoutCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  info.bindingCount = 2;
  info.pBindings = bindings;
  must(api.CreateDescriptorSetLayout(device, &info, nullptr, &setLayout),
       "vkCreateDescriptorSetLayout");
  cleanup.push_back([this] { api.DestroyDescriptorSetLayout(device, setLayout, nullptr); });
  // A conversion may take a descriptor per plane.
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 3},
                                        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
  VkDescriptorPoolCreateInfo poolInfo = {};
  poolInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  poolInfo.maxSets = 1;
  poolInfo.poolSizeCount = 2;
  poolInfo.pPoolSizes = sizes;
  VkDescriptorPool pool = VK_NULL_HANDLE;
  must(api.CreateDescriptorPool(device, &poolInfo, nullptr, &pool), "vkCreateDescriptorPool");
  cleanup.push_back([this, pool] { api.DestroyDescriptorPool(device, pool, nullptr); });
  VkDescriptorSetAllocateInfo allocate = {};
  allocate.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  allocate.descriptorPool = pool;
  allocate.descriptorSetCount = 1;
  allocate.pSetLayouts = &setLayout;
  must(api.AllocateDescriptorSets(device, &allocate, &set), "vkAllocateDescriptorSets");
  result = context.buffer(Bytes(resultBytes));
  const VkDescriptorImageInfo imageInfo = {sampler, view, VK_IMAGE_LAYOUT_GENERAL};
  const VkDescriptorBufferInfo bufferInfo = {result->buffer, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet writes[2] = {};
  for (uint32_t i = 0; i < 2; ++i) {
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[i].dstSet = set;
    writes[i].dstBinding = i;
    writes[i].descriptorCount = 1;
    writes[i].descriptorType = bindings[i].descriptorType;
  }
  writes[0].pImageInfo = &imageInfo;
  writes[1].pBufferInfo = &bufferInfo;
  api.UpdateDescriptorSets(device, 2, writes, 0, nullptr);
}

void Sampling::createPipeline() {
  VkPipelineLayoutCreateInfo layoutInfo = {};
  layoutInfo.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  layoutInfo.setLayoutCount = 1;
  layoutInfo.pSetLayouts = &setLayout;
  must(api.CreatePipelineLayout(device, &layoutInfo, nullptr, &layout), "vkCreatePipelineLayout");
  cleanup.push_back([this] { api.DestroyPipelineLayout(device, layout, nullptr); });
  VkShaderModuleCreateInfo moduleInfo = {};
  moduleInfo.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  moduleInfo.codeSize = sizeof(sampleSpirv);
  moduleInfo.pCode = sampleSpirv;
  VkShaderModule module = VK_NULL_HANDLE;
  must(api.CreateShaderModule(device, &moduleInfo, nullptr, &module), "vkCreateShaderModule");
  cleanup.push_back([this, module] { api.DestroyShaderModule(device, module, nullptr); });
  VkComputePipelineCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.layout = layout;
  must(api.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
       "vkCreateComputePipelines");
  cleanup.push_back([this] { api.DestroyPipeline(device, pipeline, nullptr); });
}

bool supportsConversion(Context &context, const Conversion &how) {
  if (how.isBorder && !context.device.hasFeature("customBorderColors"))
    return false;
  VkFormatProperties properties;
  context.device.instanceApi().GetPhysicalDeviceFormatProperties(context.device.physical().handle,
                                                                 how.format, &properties);
  VkFormatFeatureFlags needed =
      VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
  if (how.isBorder)
    return !(needed & ~properties.optimalTilingFeatures);
  needed |= how.location == VK_CHROMA_LOCATION_MIDPOINT
                ? VK_FORMAT_FEATURE_MIDPOINT_CHROMA_SAMPLES_BIT
                : VK_FORMAT_FEATURE_COSITED_CHROMA_SAMPLES_BIT;
  if (how.filter == VK_FILTER_LINEAR)
    needed |= VK_FORMAT_FEATURE_SAMPLED_IMAGE_YCBCR_CONVERSION_LINEAR_FILTER_BIT;
  return !(needed & ~properties.optimalTilingFeatures);
}

void add(std::vector<Case> &cases, const Conversion &how) {
  std::string name = "ycbcr, format " + std::to_string(how.format) + " model " +
                     std::to_string(how.model) + " range " + std::to_string(how.range) +
                     (how.location == VK_CHROMA_LOCATION_MIDPOINT ? " midpoint" : " cosited") +
                     (how.filter == VK_FILTER_LINEAR ? " linear" : " nearest");
  // Filtering in 8 bits is off by up to two steps, which range and matrix double.
  if (how.isBorder)
    name = "border colour, format " + std::to_string(how.format) +
           (how.filter == VK_FILTER_LINEAR ? " linear" : " nearest");
  Case test = {std::move(name),
               {VK_FORMAT_R32G32B32A32_SFLOAT, F::X32Y32Z32W32_Float},
               4,
               [how](Context &context) {
                 return supportsConversion(context, how) ? Sampling(context, how).run() : Bytes();
               }};
  test.isAbsolute = true;
  cases.push_back(std::move(test));
}

void addBorderCases(std::vector<Case> &cases) {
  // Formats whose channels are in various orders.
  const struct {
    VkFormat format;
    F memory;
  } bordered[] = {
      {VK_FORMAT_R8G8B8A8_UNORM, F::X8Y8Z8W8_Unorm},
      {VK_FORMAT_B8G8R8A8_UNORM, F::X8Y8Z8W8_Unorm},
      {VK_FORMAT_R4G4B4A4_UNORM_PACK16, F::X4Y4Z4W4_Unorm},
      {VK_FORMAT_B4G4R4A4_UNORM_PACK16, F::X4Y4Z4W4_Unorm},
      {VK_FORMAT_A2R10G10B10_UNORM_PACK32, F::X10Y10Z10W2_Unorm},
      {VK_FORMAT_R32G32B32A32_SFLOAT, F::X32Y32Z32W32_Float},
  };
  for (const auto &format : bordered)
    for (VkFilter filter : {VK_FILTER_NEAREST, VK_FILTER_LINEAR}) {
      Conversion how = {};
      how.format = format.format;
      how.planes = 1;
      how.plane0 = format.memory;
      how.filter = filter;
      how.isBorder = true;
      add(cases, how);
    }
}

} // namespace

std::vector<Case> sampleCases() {
  std::vector<Case> cases;
  const struct {
    VkFormat format;
    unsigned planes;
    F plane0, plane1;
    uint32_t xDivisor, yDivisor;
  } formats[] = {
      {VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM, 3, F::X8_Unorm, F::X8_Unorm, 2, 2},
      {VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, 2, F::X8_Unorm, F::X8Y8_Unorm, 2, 2},
      {VK_FORMAT_G8_B8_R8_3PLANE_422_UNORM, 3, F::X8_Unorm, F::X8_Unorm, 2, 1},
      {VK_FORMAT_G8_B8R8_2PLANE_422_UNORM, 2, F::X8_Unorm, F::X8Y8_Unorm, 2, 1},
      {VK_FORMAT_G8_B8_R8_3PLANE_444_UNORM, 3, F::X8_Unorm, F::X8_Unorm, 1, 1},
      {VK_FORMAT_G8_B8R8_2PLANE_444_UNORM, 2, F::X8_Unorm, F::X8Y8_Unorm, 1, 1},
      {VK_FORMAT_G16_B16_R16_3PLANE_420_UNORM, 3, F::X16_Unorm, F::X16_Unorm, 2, 2},
      {VK_FORMAT_G16_B16R16_2PLANE_420_UNORM, 2, F::X16_Unorm, F::X16Y16_Unorm, 2, 2},
      {VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16, 2, F::X10In16_Unorm,
       F::X10In16Y10In16_Unorm, 2, 2},
  };
  for (const auto &format : formats) {
    for (VkFilter filter : {VK_FILTER_NEAREST, VK_FILTER_LINEAR})
      for (VkChromaLocation location :
           {VK_CHROMA_LOCATION_MIDPOINT, VK_CHROMA_LOCATION_COSITED_EVEN}) {
        // With a nearest filter a driver may take cosited chroma for midpoint chroma (Vulkan
        // "Implicit Reconstruction").
        if (filter == VK_FILTER_NEAREST && location == VK_CHROMA_LOCATION_COSITED_EVEN)
          continue;
        Conversion how = {format.format,
                          format.planes,
                          format.plane0,
                          format.plane1,
                          format.xDivisor,
                          format.yDivisor,
                          {},
                          {},
                          location,
                          filter};
        how.model = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709;
        how.range = VK_SAMPLER_YCBCR_RANGE_ITU_NARROW;
        add(cases, how);
      }
  }
  // Every model and range with one format.
  for (VkSamplerYcbcrModelConversion model :
       {VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY,
        VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_IDENTITY,
        VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709, VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_601,
        VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_2020})
    for (VkSamplerYcbcrRange range :
         {VK_SAMPLER_YCBCR_RANGE_ITU_FULL, VK_SAMPLER_YCBCR_RANGE_ITU_NARROW})
      add(cases, {VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, 2, F::X8_Unorm, F::X8Y8_Unorm, 2, 2, model,
                  range, VK_CHROMA_LOCATION_COSITED_EVEN, VK_FILTER_LINEAR});
  addBorderCases(cases);
  return cases;
}

} // namespace transfer
