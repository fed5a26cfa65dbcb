//===- Replacement.h - code of a .pipe file -------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Pipeline.h"

namespace icd {

/// How code that somebody else has compiled for this driver's pipeline (KILN_REPLACE_DIR) wants to
/// find what is bound: as that driver's layout has it.
struct Replacement {
  lgc::ResourceMapping mapping;
  bool hasSoftwareBuffers = false; ///< useSoftwareVertexBufferDescriptors
  bool hasUberFetch = false;       ///< attributes are described in memory (lgc/UberFetch.h)
  uint32_t launchUserData = 0;     ///< of ray tracing pipelines
};

} // namespace icd
