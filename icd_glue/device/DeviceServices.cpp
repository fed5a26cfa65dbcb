//===- DeviceServices.cpp - what is built on a device ---------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/device/DeviceServices.h"
#include "icd_glue/context/Instance.h"
#include "icd_glue/context/OpcodeCounts.h"
#include "icd_glue/pipeline/Deserialize.h"
#include "icd_glue/pipeline/GlobalKey.h"
#include "icd_glue/pipeline/PipelineLibrary.h"
#include "icd_glue/queue/Queue.h"

using namespace llvm;

namespace icd {

DeviceServices::DeviceServices(Device &device, Options options)
    : device(device), globalKey(globalKeyOf(device)),
      pipelinePools(std::move(options.pipelinePools)), borderColors(device.gpu()),
      disk(options.disablesInternalCache ? nullptr : openDiskCache(device.physicalDevice())),
      server(options.disablesInternalCache ? nullptr
                                           : openServerLayer(device.physicalDevice(), disk.get())),
      cache(device.environment().cacheBytes,
            server ? static_cast<CacheLayer *>(server.get()) : disk.get(),
            deserializerFor(device.target())),
      partial(PartialPipeline::Create(device)),
      background({.workers = device.environment().parts.workers}), kernels(device) {
  if (options.disablesInternalCache)
    cache.keepPartsOnly();
}

void DeviceServices::logCounters() {
  Instance &instance = device.instance();
  TaskPool::Counters tasks;
  if (partial)
    tasks = partial->poolCounters();
  const std::string text = counters.text(cache.counters(), partial ? &tasks : nullptr);
  SmallVector<StringRef, 32> lines;
  StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    instance.log("KILN_STATS: " + line);
  if (disk) {
    disk->flush();
    instance.log("KILN_STATS: " + textOf(disk->counters()));
  }
  if (server)
    instance.log("KILN_STATS: " + textOf(server->counters()));
}

void DeviceServices::end() {
  if (partial)
    partial->Destroy();
  background.stop();
  if (recipes)
    recipes->end();
  const Environment &environment = device.environment();
  if (environment.stats)
    logCounters();
  for (Queue *queue : queues)
    device.destroy(queue, nullptr);
  if (!environment.opcodeCountsFile.empty())
    if (Error error = appendOpcodeCounts(environment.opcodeCountsFile, device.target().name,
                                         device.gpu().opcodeCounts()))
      device.instance().log("KILN_OPCODE_COUNTS: " + toString(std::move(error)));
}

bool DeviceServices::addQueue(VkDeviceQueueCreateFlags flags) {
  Queue *queue =
      createObject<Queue>(nullptr, device.allocationCallbacks(), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE,
                          device, static_cast<uint32_t>(queues.size()), flags);
  if (queue)
    queues.push_back(queue);
  return queue && queue->isRunning();
}

// What Device hands out.

Device::Device(PhysicalDevice &physicalDevice, const VkAllocationCallbacks &callbacks, Parts parts)
    : Object(type), physical(physicalDevice), callbacks(callbacks), parts(std::move(parts)) {}

Device::~Device() {
  domain.lose(); // no batch waits for what will never come
  if (services)
    services->end();
}

void Device::setServices(std::unique_ptr<DeviceServices> made) { services = std::move(made); }
const llpc::Hash128 &Device::globalKey() const { return services->globalKey; }
sc::PipelinePools *Device::pipelinePools() { return services->pipelinePools.get(); }
BorderColors &Device::borderColors() { return services->borderColors; }
KnownModules &Device::knownModules() { return services->knownModules; }
RayShaderIds &Device::rayShaderIds() { return services->rayShaderIds; }
ShaderCache &Device::shaderCache() { return services->cache; }
DiskCache *Device::diskCache() { return services->disk.get(); }
PartialPipeline *Device::partial() { return services->partial.get(); }
bool Device::later(std::function<void()> work) {
  if (PartialPipeline *pipelines = partial())
    return pipelines->later(std::move(work));
  return services->background.enqueue(
      {0, {}, 0, [work = std::move(work)](const auto &) { work(); }});
}
RecipeBook *Device::recipes() { return services->recipes.get(); }
CreationObserver *Device::observer() { return services->partial.get(); }
PartCounters &Device::counters() { return services->counters; }
LibraryWarmer &Device::libraryWarmer() { return services->warmer; }
DrawVariants &Device::drawVariants() { return services->variants; }
Kernels &Device::kernels() { return services->kernels; }
ArrayRef<Queue *> Device::queues() const { return services->queues; }

} // namespace icd
