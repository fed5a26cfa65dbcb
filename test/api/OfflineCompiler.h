//===- OfflineCompiler.h - kiln-pcc for tests -----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A folder with pipelines as JSON and SPIR-V, and what kiln-pcc, which lies beside the program,
/// makes of it: caches for the driver, as Vulkan SC has them.
#pragma once

#include "Pipelines.h"
#include "icd_glue/sc/ScApi.h"
#include <filesystem>

namespace api {

class OfflineCompiler {
public:
  /// The folder has blanks in its name, and goes with the object.
  explicit OfflineCompiler(Gpu &gpu);
  ~OfflineCompiler();
  OfflineCompiler(const OfflineCompiler &) = delete;
  /// Why no test can be made here; null: it can.
  static const char *reasonToSkip(Gpu &gpu);

  void addModule(const std::string &name, const uint32_t *words, size_t bytes);
  /// \p glsl is compiled for \p stage.
  void addModule(const std::string &name, const std::string &glsl, const std::string &stage);
  void addPipeline(const std::string &name, const std::string &json);

  /// The cache for what \p options say.
  std::vector<uint8_t> compile(const std::string &options);
  /// For the Gpu.
  std::vector<uint8_t> compileForDevice(const std::string &options = "");

  /// A cache that uses \p data where it lies.
  VkResult tryOpen(const std::vector<uint8_t> &data, VkPipelineCache &cache);
  VkPipelineCache open(const std::vector<uint8_t> &data);

private:
  void writeFile(const std::string &name, const void *data, size_t size);

  Gpu &gpu;
  std::filesystem::path folder;
};

} // namespace api
