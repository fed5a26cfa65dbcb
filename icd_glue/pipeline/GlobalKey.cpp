//===- GlobalKey.cpp - what all keys of a device depend on ----------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/GlobalKey.h"
#include "icd_glue/Environment.h"
#include "icd_glue/context/CompilerIdentity.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/state/ShaderStage.h"
#include "lgc/FieldCount.h"
#include "llpc/StateKey.h"

namespace icd {

/// To be raised when the encoding of any of the driver's keys changes whose kind has no version of
/// its own.
static constexpr uint32_t keyVersion = 2;

static void encodeBuild(llpc::Hasher &key, Device &device) {
  key.string(compilerIdentity());
  key.string(device.target().name);
  key.u32(device.physicalDevice().properties().subgroupSize);
}

/// KILN_NGG; else the same as without the variable.
static void encodeNgg(llpc::Hasher &key, Device &device) {
  static_assert(lgc::fieldCount<lgc::NggState>() == 9, "a field was added: can it be set?");
  if (const lgc::NggState &ngg = device.environment().ngg; ngg != lgc::NggState()) {
    key.boolean(ngg.enableGsUse);
    key.boolean(ngg.backfaceCulling);
  }
}

llpc::Hash128 buildKeyOf(Device &device) {
  llpc::Hasher key("build", keyVersion);
  encodeBuild(key, device);
  encodeNgg(key, device);
  return key.finish();
}

llpc::Hash128 globalKeyOf(Device &device) {
  llpc::Hasher key("global", keyVersion);
  encodeBuild(key, device);
  encode(key, pipelineOptionsOf(device, nullptr, {}, 0));
  encodeNgg(key, device);
  return key.finish();
}

} // namespace icd
