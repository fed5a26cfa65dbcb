//===- PipelineKind.h - kinds of pipelines --------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace replay {

enum class PipelineKind : uint8_t { Compute, Graphics, RayTracing };

/// Of pipelines and their folders.
struct PipelineKindRow {
  PipelineKind kind;
  const char *name;
};
inline constexpr PipelineKindRow pipelineKinds[] = {{PipelineKind::Compute, "compute"},
                                                    {PipelineKind::Graphics, "graphics"},
                                                    {PipelineKind::RayTracing, "raytracing"}};

/// As captures and their folders call it.
constexpr const char *nameOf(PipelineKind kind) {
  return pipelineKinds[static_cast<uint8_t>(kind)].name;
}

} // namespace replay
