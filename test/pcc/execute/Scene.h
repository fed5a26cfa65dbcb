//===- Scene.h - what a pipeline is executed with -------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Scenes and results are JSON, so that the test that knows what must come out writes and reads
/// them. Everything in them is 32-bit words; what a scene does not name is zeros:
///
///     [{"file": "compute-plain.json", "groups": [2, 1, 1], "push": [1, 2],
///       "resources": {"0/5/1": [1, 2, 3]},               set/binding/element
///       "pointee": [1, 2], "pointerAt": 0,               a buffer, and where push has its address
///       "vertexBuffers": {"0": [1, 2]}, "draws": [[3, 1, 0]],   vertices, instances, first vertex
///       "patches": [3],                                  control points of each draw, if dynamic
///       "clears": [[0, 0, 0, 1065353216]]}]              by attachment
///
///     {"compute-plain.json": {"resources": {"0/5/1": "0100..."}, "targets": ["...", ...],
///       "stencils": [...], "pointee": "..."}}            bytes in hex
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace execute {

using Words = std::vector<uint32_t>;

struct Scene {
  std::string file;
  std::array<uint32_t, 3> groups = {1, 1, 1};
  Words push;
  std::map<std::string, Words> resources;
  std::optional<Words> pointee;
  uint32_t pointerAt = 0; ///< byte of push
  std::map<uint32_t, Words> vertexBuffers;
  std::vector<std::array<uint32_t, 3>> draws;
  Words patches;
  std::vector<std::array<uint32_t, 4>> clears;
};

struct Result {
  std::map<std::string, std::string> resources; ///< those that shaders may write
  std::vector<std::string> targets;             ///< colour or depth; empty: several samples
  std::vector<std::string> stencils;
  std::string pointee;
};

std::vector<Scene> readScenes(const nlohmann::json &json);
nlohmann::json jsonOf(const Result &result);

/// "SET/BINDING/ELEMENT"
std::string placeOf(size_t set, uint32_t binding, uint32_t element);

} // namespace execute
