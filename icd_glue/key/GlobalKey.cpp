//===- GlobalKey.cpp - what all keys of a device depend on ----------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/key/GlobalKey.h"
#include "icd_glue/Environment.h"
#include "icd_glue/device/BuildId.h"
#include "icd_glue/device/Device.h"
#include "icd_glue/key/StateKey.h"
#include "icd_glue/pipeline/ShaderStage.h"
#include "llvm/Config/llvm-config.h"

namespace icd {

/// To be raised when the encoding of any key of this folder changes.
static constexpr uint32_t keyVersion = 1;

llpc::Hash128 globalKeyOf(Device &device) {
  KeyWriter key("global", keyVersion);
  key.string(buildId());
  key.string(LLVM_VERSION_STRING);
  key.string(device.target().name);
  key.u32(device.physicalDevice().properties().subgroupSize);
  encode(key, pipelineOptionsOf(device, nullptr, {}, 0));
  // KILN_NGG; else the same as without the variable.
  if (const lgc::NggState &ngg = device.environment().ngg; ngg != lgc::NggState()) {
    key.boolean(ngg.enableGsUse);
    key.boolean(ngg.backfaceCulling);
  }
  return key.finish();
}

} // namespace icd
