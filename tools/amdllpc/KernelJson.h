//===- KernelJson.h - what a kernel takes, as JSON ------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/Kernels.h"
#include <nlohmann/json.hpp>

namespace amdllpc {

/// `argument_bytes`, `arguments`, `samplers` of the program, `work_dim_offset` and
/// `printf_buffer_offset`; docs/amdllpc.md describes them.
void addKernel(nlohmann::ordered_json &json, const llpc::KernelInterface &kernel);

} // namespace amdllpc
