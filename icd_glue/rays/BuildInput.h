//===- BuildInput.h - what an acceleration structure is built of ----------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/rays/BuildSizes.h"
#include "icd_glue/rays/Kernels.h"

namespace icd {

/// Geometry \p index, from whichever of the two arrays there is.
const VkAccelerationStructureGeometryKHR &
geometryOf(const VkAccelerationStructureBuildGeometryInfoKHR &info, uint32_t index);

/// For the most primitives that each geometry may have.
BuildShape shapeOf(const Device &device, const VkAccelerationStructureBuildGeometryInfoKHR &info,
                   const uint32_t *maxPrimitives);

/// The kernel that writes the leaves of a geometry.
Kernel leafKernelOf(const VkAccelerationStructureGeometryKHR &geometry);

/// Adds to \p arguments where the data of a geometry is and how it lies there. False: a format that
/// no structure can be built of.
bool describeGeometry(const VkAccelerationStructureGeometryKHR &geometry,
                      KernelArguments &arguments);

} // namespace icd
