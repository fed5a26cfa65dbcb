//===- CreationObserver.h - who is told of modules and layouts ------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

namespace icd {

class ShaderModule;
struct PipelineLayoutData;
struct SetLayout;

/// Is told of what pipelines are made of, before there are any (partial/PartialPipeline.h).
class CreationObserver {
public:
  virtual ~CreationObserver() = default;
  /// \p shaderModule is alive until moduleDestroyed().
  virtual void moduleCreated(const ShaderModule &shaderModule) = 0;
  virtual void moduleDestroyed(const ShaderModule &shaderModule) = 0;
  virtual void layoutCreated(std::shared_ptr<const PipelineLayoutData> layout) = 0;
  virtual void layoutCreated(std::shared_ptr<const SetLayout> layout) = 0;
};

} // namespace icd
