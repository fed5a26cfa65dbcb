//===- Ignored.h - parameters that commands must not look at --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Cases of what the specification calls ignored: each fills members with garbage, and shows that
/// the command does what it does without them. Members that vk.xml marks as "noautovalidity" are
/// those that may be ignored by the registry's own account; IgnoredApiTest.cpp demands a case, or a
/// reason, for all of them.
#pragma once

#include "Gpu.h"
#include "test/vulkan/GraphicsInfo.h"

namespace api {

/// A pointer or handle that faults when somebody follows it: no process has the address.
template <typename T> T garbage() { return reinterpret_cast<T>(uintptr_t(0xDEADBEEFBAD0)); }

struct IgnoredCase {
  const char *name; ///< of the test
  /// "VkStructure::member" or "vkCommand::parameter", one after another with spaces between them.
  const char *members;
  /// \p device: number of the GPU, for cases that need other features.
  void (*run)(Gpu &gpu, unsigned device);
};
std::vector<IgnoredCase> ignoredByPipelines();
std::vector<IgnoredCase> ignoredByDescriptors();
std::vector<IgnoredCase> ignoredByCommands();

/// Pipelines that make all pixels of a target green, and a look at the target.
class Canvas {
public:
  static constexpr uint32_t side = 8;
  static constexpr VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  static constexpr uint32_t green = 0xFF00FF00;
  explicit Canvas(Gpu &gpu);

  /// Adds shaders and layout. Three vertices make one triangle.
  void addShaders(vktest::GraphicsInfo &graphics);
  /// Clears the target with \p clear, which makes its texels 0, draws with \p record, and expects
  /// every pixel to be \p word.
  void expect(uint32_t word, const std::function<void(VkCommandBuffer)> &record);
  /// Binds the pipeline, calls \p record and draws.
  void expectGreen(VkPipeline pipeline, const std::function<void(VkCommandBuffer)> &record = {});
  /// What the target holds must be \p word.
  void expectTarget(uint32_t word);

  Gpu &gpu;
  Image target;
  VkPipelineLayout layout;
  VkShaderModule vertex, fragment;
};

} // namespace api
