//===- PipelineJson.h - JSON of Vulkan SC pipelines for tests -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Texts for OfflineCompiler. Pieces go together as the structures of Vulkan do:
///
///     computeJson(identifier, layoutJson({{"a", {bindingJson(0, "STORAGE_BUFFER")}}}, ""),
///                 "shader.spv", stageJson("COMPUTE"))
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace api {

/// \p samplers: JSON of the names of immutable ones.
std::string bindingJson(uint32_t number, const std::string &type, uint32_t count = 1,
                        const std::string &samplers = "\"NULL\"");

/// The members DescriptorSetLayouts and PipelineLayout of a state: a layout by name for each set.
/// \p push: JSON of VkPushConstantRanges, empty: none.
std::string layoutJson(const std::vector<std::pair<std::string, std::vector<std::string>>> &sets,
                       const std::string &push);
std::string pushJson(const std::string &stage, uint32_t size);

/// A stage; \p constant specializes the constant 3.
std::string stageJson(const std::string &stage, int constant = -1);

using Identifier = std::array<uint8_t, 16>;

/// \p layout: members of the state, as layoutJson() gives them.
std::string computeJson(const Identifier &identifier, const std::string &layout,
                        const std::string &file, const std::string &stage);

/// What graphics pipelines differ in; all are JSON.
struct GraphicsJson {
  std::string layout = layoutJson({}, "");
  std::string vertexFile = "shader.vert.spv", fragmentFile = "shader.frag.spv"; ///< names only
  std::string vertex = stageJson("VERTEX"), fragment = stageJson("FRAGMENT");
  std::string pass;              ///< members of VkRenderPassCreateInfo; empty: none
  std::string next = "\"NULL\""; ///< of the create info
  std::string vertexInput;       ///< members of VkPipelineVertexInputStateCreateInfo; empty: none
  std::string topology = "TRIANGLE_LIST";
  std::string viewports = R"([{"x": 0, "y": 0, "width": 4, "height": 4, "minDepth": 0,
      "maxDepth": 1}])"; ///< scissor: 4 by 4
  std::string blendFactor = "ZERO", writeMask = "15";
  bool isBlending = false;
  std::string dynamicState; ///< one, without VK_DYNAMIC_STATE_; empty: none
  std::string text(const Identifier &identifier) const;
};

} // namespace api
