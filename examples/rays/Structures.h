//===- Structures.h - the scene as acceleration structures ----------------===//
// SPDX-License-Identifier: MIT
#ifndef RAYS_STRUCTURES_H
#define RAYS_STRUCTURES_H
#include "Device.h"
#include <vector>

struct Structure {
  VkAccelerationStructureKHR structure;
  Buffer memory;
  VkDeviceAddress address;
};

/// Numbers of records in the hit table, which instances choose.
enum HitRecord : uint32_t { groundRecord, pyramidRecord, firstSphereRecord };

struct Sphere {
  float x, y, z, radius;
  float colour[3];
  float mirror;
};
extern const std::vector<Sphere> spheres;

struct Scene {
  Buffer ground, pyramid, box, instances; ///< what structures are built of
  Structure groundStructure, pyramidStructure, sphereStructure, top;
};

Scene createScene(const Device &d);
void destroy(const Device &d, const Scene &s);

#endif
