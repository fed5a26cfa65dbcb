//===- Deserialize.h - records become objects of the caches ----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/cache/ShaderCache.h"
#include "pal_shim/abi/TargetInfo.h"

namespace icd {

/// Makes code objects and parts for \p target, which lives as long as the process, of their records
/// (Record.h). Errors: what makes a record unusable.
ShaderCache::Deserialize deserializerFor(const pal::abi::GpuTarget &target);

} // namespace icd
