//===- Capture.h - a captured pipeline ------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A pipeline as a program handed it to Vulkan, out of a JSON file that stands for itself (layout,
/// render pass and samplers are written out in place; SPIR-V modules are named by hash). Create
/// infos are complete except for handles, which a Replayer makes on any device.
///
///     auto capture = replay::Capture::load("vkcube/graphics/01234567.json");
///     (*capture)->graphics.pRasterizationState->cullMode ...
#pragma once

#include "PipelineKind.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>
#include <vulkan/vulkan.h>

namespace replay {

/// VkSampler of a binding; with a conversion, `info`'s chain ends in the structure that gets it.
struct SamplerDesc {
  VkSamplerCreateInfo info = {};
  const VkSamplerYcbcrConversionCreateInfo *conversion = nullptr;
  VkSamplerYcbcrConversionInfo *conversionPlace = nullptr;
};

struct SetLayoutDesc {
  std::string hash;
  VkDescriptorSetLayoutCreateFlags flags = 0;
  const void *next = nullptr;                         ///< pNext, without binding flags
  std::vector<VkDescriptorSetLayoutBinding> bindings; ///< pImmutableSamplers is null
  std::vector<VkDescriptorBindingFlags> bindingFlags; ///< empty, or one each
  std::vector<std::vector<SamplerDesc>> samplers;     ///< by binding; empty: none are immutable
};

struct PipelineLayoutDesc {
  std::string hash;
  VkPipelineLayoutCreateFlags flags = 0;
  std::vector<VkPushConstantRange> pushConstants;
  std::vector<SetLayoutDesc> sets;
};

class Capture;

/// Where what captures refer to comes from, if not from files beside them.
class CaptureSource {
public:
  virtual ~CaptureSource() = default;
  // Errors: InvalidInput.
  virtual llvm::Expected<std::vector<uint32_t>> module(llvm::StringRef hash) const = 0;
  virtual llvm::Expected<std::shared_ptr<const Capture>> library(PipelineKind kind,
                                                                 llvm::StringRef hash) const = 0;
  virtual llvm::Expected<std::vector<std::string>> features() const = 0;
  /// Are captures written as files are? False: as databases have them, see Capture::parse().
  virtual bool writesNames() const { return false; }
};

class Capture {
public:
  /// Errors: InvalidInput with file, line and place.
  static llvm::Expected<std::shared_ptr<const Capture>> load(const std::string &path);
  /// \p source: of a database, where enumerations, masks and truth are numbers, and bytes base64,
  /// unless it says otherwise.
  static llvm::Expected<std::shared_ptr<const Capture>>
  parse(std::string name, std::string json, std::shared_ptr<const CaptureSource> source = nullptr);

  bool isCompute() const { return kind == PipelineKind::Compute; }
  bool isGraphics() const { return kind == PipelineKind::Graphics; }
  llvm::ArrayRef<VkPipelineShaderStageCreateInfo> stages() const;
  /// pNext of the create info.
  const void *chain() const;

  std::shared_ptr<const CaptureSource> source; ///< null: files beside this one
  std::string name;                            ///< of the file
  std::string hash;
  PipelineKind kind = PipelineKind::Graphics;
  /// That of the kind is set. Handles are null, graphics.subpass counts in renderPass.
  VkGraphicsPipelineCreateInfo graphics = {};
  VkComputePipelineCreateInfo compute = {};
  /// Groups may name stages of libraries (RayGroups.h).
  VkRayTracingPipelineCreateInfoKHR rays = {};
  std::vector<std::string> modules; ///< hash of each stage's module
  /// SPIR-V of each stage where it does not come from loadModule().
  std::vector<std::shared_ptr<const std::vector<uint32_t>>> code;
  std::unique_ptr<PipelineLayoutDesc> layout; ///< null in a library without one
  const VkRenderPassCreateInfo2 *renderPass = nullptr;
  std::string renderPassHash;
  std::vector<std::string> libraries; ///< hashes of the libraries that it is linked from

  llvm::BumpPtrAllocator arena; ///< holds what the create infos point to
};

/// Features that change code, of those that a program may enable; all others do not matter here.
llvm::ArrayRef<const char *> codeFeatures();

/// Files below a folder of captures, sorted: FOLDER/KIND/*.json (PipelineKind.h), also of
/// subfolders; a file stands for itself.
std::vector<std::string> findCaptures(const std::string &path);

/// A library that a capture names. Errors: InvalidInput.
llvm::Expected<std::shared_ptr<const Capture>> loadLibrary(const Capture &capture,
                                                           llvm::StringRef hash);

/// SPIR-V of a module that a capture names, from its source, or the folder `modules` beside the
/// capture's own folder. Errors: InvalidInput.
llvm::Expected<std::vector<uint32_t>> loadModule(const Capture &capture, llvm::StringRef hash);

/// Names of the features that the captured program had enabled, out of application.json beside the
/// capture's folder; of those that change code. Empty without such a file.
llvm::Expected<std::vector<std::string>> loadFeatures(const Capture &capture);

} // namespace replay
