//===- GlobalKey.h - what all keys of a device depend on ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The driver's keys are made of what Vulkan says, without looking into SPIR-V, so that finding a
/// pipeline costs less than a microsecond. They say
/// which code may be taken; the compiler's own keys (llpc::PipelineHashes) say which code is the
/// same, and are asked when these have not been seen before.
///
/// All are XXH3-128 of a canonical encoding (llpc::Hasher.h), the same in every process and on
/// every machine that runs the same build with the same options:
///
///     global key    build, target, options of the device that change code
///     stage         SPIR-V, entry point, specialization, subgroup size    (StageKey.h)
///     pipeline key  global key, options, layout, stages, state            (PipelineKey.h)
#pragma once

#include "llpc/Compiler.h"

namespace icd {

class Device;

/// Of the build, the GPU and the variables of the environment that change code.
llpc::Hash128 buildKeyOf(Device &device);
/// Of the build, the GPU, and the features and variables of the environment that change code.
/// Device::globalKey() has it.
llpc::Hash128 globalKeyOf(Device &device);

} // namespace icd
