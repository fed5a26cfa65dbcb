//===- SampleShading.h - shaders that run once a sample -------------------===//
// SPDX-License-Identifier: MIT
#pragma once

namespace lgc {

/// Attribute of a fragment shader that runs for each sample, whatever it reads: its interface has
/// SampleId or SamplePosition. Source: Vulkan "Sample Shading", which asks for no use of them.
inline constexpr char everySampleAttribute[] = "lgc-every-sample";

} // namespace lgc
