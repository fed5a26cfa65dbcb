//===- Scene.cpp - what a pipeline is executed with -----------------------===//
// SPDX-License-Identifier: MIT
#include "Scene.h"

namespace execute {

namespace {

template <typename T> void take(const nlohmann::json &from, const char *name, T &into) {
  if (auto at = from.find(name); at != from.end())
    at->get_to(into);
}

} // namespace

std::vector<Scene> readScenes(const nlohmann::json &json) {
  std::vector<Scene> scenes;
  for (const nlohmann::json &each : json) {
    Scene &scene = scenes.emplace_back();
    take(each, "file", scene.file);
    take(each, "groups", scene.groups);
    take(each, "push", scene.push);
    take(each, "resources", scene.resources);
    if (each.contains("pointee"))
      scene.pointee = each["pointee"].get<Words>();
    take(each, "pointerAt", scene.pointerAt);
    if (each.contains("vertexBuffers"))
      for (const auto &item : each["vertexBuffers"].items())
        scene.vertexBuffers[static_cast<uint32_t>(std::stoul(item.key()))] =
            item.value().get<Words>();
    take(each, "draws", scene.draws);
    take(each, "patches", scene.patches);
    take(each, "clears", scene.clears);
  }
  return scenes;
}

nlohmann::json jsonOf(const Result &result) {
  return {{"resources", result.resources},
          {"targets", result.targets},
          {"stencils", result.stencils},
          {"pointee", result.pointee}};
}

std::string placeOf(size_t set, uint32_t binding, uint32_t element) {
  return std::to_string(set) + "/" + std::to_string(binding) + "/" + std::to_string(element);
}

} // namespace execute
