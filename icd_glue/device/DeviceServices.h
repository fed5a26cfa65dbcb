//===- DeviceServices.h - what is built on a device -----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/assemble/RecipeBook.h"
#include "icd_glue/cache/DeviceDiskCache.h"
#include "icd_glue/cache/ShaderCache.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/image/BorderColors.h"
#include "icd_glue/partial/PartCounters.h"
#include "icd_glue/partial/PartialPipeline.h"
#include "icd_glue/pipeline/LibraryWarmer.h"
#include "icd_glue/rays/Kernels.h"
#include "icd_glue/sc/PipelinePools.h"
#include "icd_glue/shader/DrawVariants.h"
#include "icd_glue/state/KnownModules.h"
#include "icd_glue/state/RayShaderIds.h"

namespace icd {

/// The members of one VkDevice that know more than the device itself; Device hands them out.
struct DeviceServices {
  struct Options {
    /// VkDevicePipelineBinaryInternalCacheControlKHR: the application keeps all code by itself.
    bool disablesInternalCache = false;
    std::unique_ptr<sc::PipelinePools> pipelinePools; ///< null: there is no limit
  };
  DeviceServices(Device &device, Options options);
  /// Ends the work of all threads, then the queues, while the device can still be asked for what is
  /// here. KILN_STATS: prints the counters.
  void end();

  /// Adds a queue. False: out of host memory.
  bool addQueue(VkDeviceQueueCreateFlags flags);

  Device &device;
  const llpc::Hash128 globalKey;
  const std::unique_ptr<sc::PipelinePools> pipelinePools;
  BorderColors borderColors;
  KnownModules knownModules;
  RayShaderIds rayShaderIds;
  const std::unique_ptr<DiskCache> disk;
  const std::unique_ptr<ServerLayer> server; ///< above `disk`
  ShaderCache cache;                         ///< above both
  PartCounters counters;
  LibraryWarmer warmer;
  DrawVariants variants;
  const std::unique_ptr<PartialPipeline> partial;
  TaskPool background; ///< for those who have no `partial`
  Kernels kernels;
  std::unique_ptr<RecipeBook> recipes; ///< its tasks are done by `partial`, which ends first
  std::vector<Queue *> queues;

private:
  void logCounters();
};

} // namespace icd
