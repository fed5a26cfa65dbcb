//===- Tessellator.h - levels of a patch to domain points and primitives ---===//
// SPDX-License-Identifier: MIT
/// \file
/// The fixed-function stage between the tessellation control and evaluation shaders: Vulkan
/// specification, chapter "Tessellation". It knows no shader and no memory: levels in, points of
/// the domain and primitives of them out. All arithmetic is on integers, so that two patches that
/// share an edge, and with it that edge's level, get the same points on it on every host.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pal::device {

enum class TessellationDomain : uint8_t { Isolines, Triangles, Quads };
enum class TessellationSpacing : uint8_t { Equal, FractionalOdd, FractionalEven };

/// What leaves for each patch. Clockwise: as the specification has it for a domain whose origin is
/// the upper left (u to the right, v down).
enum class TessellationOutput : uint8_t { Points, Lines, ClockwiseTriangles, OtherTriangles };

struct TessellationMode {
  TessellationDomain domain = TessellationDomain::Triangles;
  TessellationSpacing spacing = TessellationSpacing::Equal;
  /// Isolines make lines or points, the other domains triangles of either order or points.
  TessellationOutput output = TessellationOutput::ClockwiseTriangles;
};

/// As the control shader wrote them, numbered as the API does. For isolines outer[0] is how many
/// lines there are, outer[1] how many segments each has.
struct TessellationLevels {
  std::array<float, 4> outer = {1, 1, 1, 1};
  std::array<float, 2> inner = {1, 1};
};

/// Coordinates are counted in this part of the domain's edge: they, and 1 minus them, are exact in
/// floats.
inline constexpr uint32_t domainUnits = 1 << 16;

/// VkPhysicalDeviceLimits::maxTessellationGenerationLevel.
inline constexpr unsigned maxTessellationLevel = 64;

/// In units of the domain, 0 to domainUnits.
struct DomainPoint {
  uint32_t u = 0, v = 0;

  uint32_t w() const { return domainUnits - u - v; } ///< of triangles
  std::array<float, 2> coordinates() const {
    return {static_cast<float>(u) / domainUnits, static_cast<float>(v) / domainUnits};
  }
  bool operator==(const DomainPoint &) const = default;
};

struct TessellatedPatch {
  /// Those on the edges of the patch first. Each is one vertex: points with equal coordinates occur
  /// where fractional spacing begins to split an edge.
  std::vector<DomainPoint> points;
  unsigned verticesPerPrimitive = 3; ///< 1 point, 2 line, 3 triangle
  /// verticesPerPrimitive numbers of points for each primitive.
  std::vector<uint32_t> indices;

  std::size_t count() const { return indices.size() / verticesPerPrimitive; }
};

/// Replaces what \p patch held. No points and no primitives: the patch is discarded, an outer level
/// that the domain has is NaN or not above 0. Every other level, also infinite ones, is clamped; an
/// inner level that is NaN counts as the smallest.
void tessellate(const TessellationMode &mode, const TessellationLevels &levels,
                TessellatedPatch &patch);

} // namespace pal::device
