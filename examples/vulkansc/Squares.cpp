// SPDX-License-Identifier: MIT
// Squares of numbers, by compute pipelines that were compiled when the program was built: nothing
// of a shader is in it, and no compiler runs. The driver finds a pipeline by its identifier in a
// cache that stays where the program has read it. Usage: squares pipelines.bin
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>
#include <vulkan/vulkan.h>

namespace {

//===--- What Vulkan SC adds to the API (vk.xml), and Vulkan leaves out ----===//

constexpr auto offlineInfoType = static_cast<VkStructureType>(1000298010);
constexpr VkPipelineCacheCreateFlags cacheReadOnly = 2, cacheUsesApplicationStorage = 4;

struct PipelineOfflineCreateInfo { // VkPipelineOfflineCreateInfo
  VkStructureType sType;
  const void *pNext;
  uint8_t pipelineIdentifier[VK_UUID_SIZE];
  uint32_t matchControl; // 0: the identifier is the same
  VkDeviceSize poolEntrySize;
};

//===--- The cache --------------------------------------------------------===//

struct Cache {
  std::vector<uint64_t> words; // aligned to 8 bytes
  size_t size = 0;

  const char *bytes() const { return reinterpret_cast<const char *>(words.data()); }
  template <typename T> T at(uint64_t place) const { // this machine is little-endian, too
    T value;
    if (place > size || size - place < sizeof(T)) {
      std::fprintf(stderr, "the pipeline cache is too short\n");
      std::exit(1);
    }
    std::memcpy(&value, bytes() + place, sizeof(T));
    return value;
  }
  // pipelineMemorySize of a pipeline; 0: it is not there.
  uint64_t memoryBytes(const uint8_t *identifier) const {
    const auto count = at<uint32_t>(40), stride = at<uint32_t>(44);
    const auto index = at<uint64_t>(48);
    for (uint32_t i = 0; i < count; ++i) {
      const uint64_t entry = index + uint64_t(i) * stride;
      const auto memory = at<uint64_t>(entry + 16);
      if (std::memcmp(bytes() + entry, identifier, VK_UUID_SIZE) == 0)
        return memory;
    }
    return 0;
  }
};

Cache readCache(const char *path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  Cache cache;
  if (!file) {
    std::fprintf(stderr, "%s: cannot be read\n", path);
    std::exit(1);
  }
  cache.size = static_cast<size_t>(file.tellg());
  cache.words.resize(cache.size / 8 + 1);
  file.seekg(0);
  file.read(reinterpret_cast<char *>(cache.words.data()), static_cast<std::streamsize>(cache.size));
  return cache;
}

//===--- Vulkan -----------------------------------------------------------===//

void check(VkResult result, const char *what) {
  if (result == VK_SUCCESS)
    return;
  std::fprintf(stderr, "%s: VkResult %d\n", what, static_cast<int>(result));
  std::exit(1);
}
#define CHECK(call) check((call), #call)

template <typename T> T made(VkStructureType type) {
  T info = {};
  info.sType = type;
  return info;
}

constexpr uint32_t count = 100;

class Program {
public:
  explicit Program(const Cache &cache) : cache(cache) {
    createDevice();
    createBuffer();
    createLayout();
    auto info = made<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
    info.flags = cacheReadOnly | cacheUsesApplicationStorage;
    info.initialDataSize = cache.size;
    info.pInitialData = cache.bytes();
    CHECK(vkCreatePipelineCache(device, &info, nullptr, &pipelineCache));
  }

  // Executes the pipeline whose numbers are multiplied by scale; are they right?
  bool run(uint8_t scale) {
    VkPipeline pipeline = createPipeline(scale);
    auto begin = made<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    CHECK(vkBeginCommandBuffer(commands, &begin));
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                            nullptr);
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(count), &count);
    vkCmdDispatch(commands, (count + 63) / 64, 1, 1);
    auto barrier = made<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
    barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                         0, 1, &barrier, 0, nullptr, 0, nullptr);
    CHECK(vkEndCommandBuffer(commands));
    auto submit = made<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands;
    CHECK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
    CHECK(vkQueueWaitIdle(queue));
    vkDestroyPipeline(device, pipeline, nullptr);
    bool isRight = true;
    for (uint32_t i = 0; i < count; ++i)
      isRight &= numbers[i] == i * i * scale;
    std::printf("%u squares times %u: %s (%u ... %u)\n", count, scale, isRight ? "right" : "WRONG",
                numbers[0], numbers[count - 1]);
    return isRight;
  }

  ~Program() {
    vkDestroyPipelineCache(device, pipelineCache, nullptr);
    vkDestroyDescriptorPool(device, pool, nullptr);
    vkDestroyPipelineLayout(device, layout, nullptr);
    vkDestroyDescriptorSetLayout(device, setLayout, nullptr);
    vkDestroyBuffer(device, buffer, nullptr);
    vkFreeMemory(device, memory, nullptr);
    vkDestroyCommandPool(device, commandPool, nullptr);
    vkDestroyDevice(device, nullptr);
    vkDestroyInstance(instance, nullptr);
  }

private:
  // The first device that the cache was made for, by the ids in its header.
  VkPhysicalDevice findDevice() {
    uint32_t deviceCount = 0;
    CHECK(vkEnumeratePhysicalDevices(instance, &deviceCount, nullptr));
    std::vector<VkPhysicalDevice> devices(deviceCount);
    CHECK(vkEnumeratePhysicalDevices(instance, &deviceCount, devices.data()));
    for (VkPhysicalDevice candidate : devices) {
      VkPhysicalDeviceProperties properties;
      vkGetPhysicalDeviceProperties(candidate, &properties);
      if (properties.vendorID != cache.at<uint32_t>(8) ||
          properties.deviceID != cache.at<uint32_t>(12))
        continue;
      std::printf("%s\n", properties.deviceName);
      return candidate;
    }
    std::fprintf(stderr, "there is no device that the pipelines were compiled for\n");
    std::exit(1);
  }

  void createDevice() {
    auto application = made<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
    application.apiVersion = VK_API_VERSION_1_2;
    auto instanceInfo = made<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    instanceInfo.pApplicationInfo = &application;
    CHECK(vkCreateInstance(&instanceInfo, nullptr, &instance));
    physicalDevice = findDevice();
    const float priority = 1;
    auto queueInfo = made<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
    queueInfo.queueCount = 1;
    queueInfo.pQueuePriorities = &priority;
    auto info = made<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queueInfo;
    CHECK(vkCreateDevice(physicalDevice, &info, nullptr, &device));
    vkGetDeviceQueue(device, 0, 0, &queue);
    auto poolInfo = made<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
    poolInfo.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    CHECK(vkCreateCommandPool(device, &poolInfo, nullptr, &commandPool));
    auto allocate =
        made<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    allocate.commandPool = commandPool;
    allocate.commandBufferCount = 1;
    CHECK(vkAllocateCommandBuffers(device, &allocate, &commands));
  }

  uint32_t hostMemory(uint32_t allowed) const {
    VkPhysicalDeviceMemoryProperties properties;
    vkGetPhysicalDeviceMemoryProperties(physicalDevice, &properties);
    constexpr VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    for (uint32_t i = 0; i < properties.memoryTypeCount; ++i)
      if (allowed >> i & 1 && (properties.memoryTypes[i].propertyFlags & wanted) == wanted)
        return i;
    return 0;
  }

  void createBuffer() {
    auto info = made<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.size = count * sizeof(uint32_t);
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    CHECK(vkCreateBuffer(device, &info, nullptr, &buffer));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, buffer, &needs);
    auto allocate = made<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    allocate.allocationSize = needs.size;
    allocate.memoryTypeIndex = hostMemory(needs.memoryTypeBits);
    CHECK(vkAllocateMemory(device, &allocate, nullptr, &memory));
    CHECK(vkBindBufferMemory(device, buffer, memory, 0));
    void *data = nullptr;
    CHECK(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &data));
    numbers = static_cast<const uint32_t *>(data);
  }

  // What the JSON files say of the layout.
  void createLayout() {
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
    auto setInfo =
        made<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    setInfo.bindingCount = 1;
    setInfo.pBindings = &binding;
    CHECK(vkCreateDescriptorSetLayout(device, &setInfo, nullptr, &setLayout));
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(count)};
    auto info = made<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    info.setLayoutCount = 1;
    info.pSetLayouts = &setLayout;
    info.pushConstantRangeCount = 1;
    info.pPushConstantRanges = &range;
    CHECK(vkCreatePipelineLayout(device, &info, nullptr, &layout));
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    auto poolInfo = made<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
    poolInfo.maxSets = poolInfo.poolSizeCount = 1;
    poolInfo.pPoolSizes = &size;
    CHECK(vkCreateDescriptorPool(device, &poolInfo, nullptr, &pool));
    auto allocate =
        made<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
    allocate.descriptorPool = pool;
    allocate.descriptorSetCount = 1;
    allocate.pSetLayouts = &setLayout;
    CHECK(vkAllocateDescriptorSets(device, &allocate, &set));
    const VkDescriptorBufferInfo whole = {buffer, 0, VK_WHOLE_SIZE};
    auto write = made<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    write.dstSet = set;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = &whole;
    vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  }

  VkPipeline createPipeline(uint8_t scale) {
    // PipelineUUID in pipelines/squares*.json
    PipelineOfflineCreateInfo offline = {offlineInfoType, nullptr, {}, 0, 0};
    std::memcpy(offline.pipelineIdentifier, "squares", 7);
    offline.pipelineIdentifier[15] = scale;
    offline.poolEntrySize = cache.memoryBytes(offline.pipelineIdentifier);
    auto info = made<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
    info.pNext = &offline;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT; // there is no module
    info.layout = layout;
    VkPipeline pipeline = VK_NULL_HANDLE;
    CHECK(vkCreateComputePipelines(device, pipelineCache, 1, &info, nullptr, &pipeline));
    return pipeline;
  }

  const Cache &cache;
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physicalDevice = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  VkCommandPool commandPool = VK_NULL_HANDLE;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  const uint32_t *numbers = nullptr;
  VkDescriptorSetLayout setLayout = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkDescriptorPool pool = VK_NULL_HANDLE;
  VkDescriptorSet set = VK_NULL_HANDLE;
  VkPipelineCache pipelineCache = VK_NULL_HANDLE;
};

} // namespace

int main(int argumentCount, char **arguments) {
  if (argumentCount != 2) {
    std::fprintf(stderr, "usage: squares pipelines.bin\n");
    return 2;
  }
  const Cache cache = readCache(arguments[1]);
  Program program(cache);
  bool isRight = true;
  for (uint8_t scale : {3, 5})
    isRight &= program.run(scale);
  return isRight ? 0 : 1;
}
