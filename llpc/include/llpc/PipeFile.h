//===- PipeFile.h - pipelines as text files -------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A `.pipe` file holds one pipeline: its shaders as text or by file name, their specialization,
/// the resource mapping, all state that changes code. AMD's tools use the format too; see
/// docs/pipe-files.md for the sections and keys that are known here.
/// This library knows text only: who reads a file compiles GLSL, assembles SPIR-V and loads files
/// by itself, then sets the `module` of each shader.
///
///     std::vector<std::string> warnings;
///     auto file = readPipeFile(text, "cube.pipe", warnings);
///     for (size_t i = 0; i < file->shaders.size(); ++i)
///       file->infoOf(i).module = moduleOf(file->shaders[i]);   // the caller's
///     auto result = compiler.buildGraphicsPipeline(file->graphics);
#pragma once

#include "llpc/RayTracing.h"

namespace llpc {

/// What a shader section holds.
enum class PipeSource : uint8_t {
  Glsl,       ///< GLSL text
  Spirv,      ///< SPIR-V assembly text
  GlslFile,   ///< names of files, relative to the .pipe file's folder
  SpvFile,    ///< SPIR-V binary
  SpvasmFile, ///< SPIR-V assembly
};
inline bool isFile(PipeSource source) { return source >= PipeSource::GlslFile; }

struct PipeShader {
  ShaderStage stage = ShaderStage::Vertex;
  PipeSource source = PipeSource::Glsl;
  std::string text;  ///< the code, ending in one newline; or the name of the file
  uint32_t line = 0; ///< of the file where `text` begins, for messages

  bool operator==(const PipeShader &other) const {
    return stage == other.stage && source == other.source && text == other.text;
  }
};

/// Number that writePipeFile() gives its files; the ones that AMD's tools write differ in nothing
/// that matters here.
inline constexpr uint32_t pipeFileVersion = 75;

struct PipeFile {
  uint32_t version = pipeFileVersion;
  /// In pipeline order, one of a stage; of ray tracing pipelines any number, in the file's order.
  std::vector<PipeShader> shaders;
  /// The pipeline without modules: one of the three is meant, see visit().
  ComputePipelineBuildInfo compute;
  GraphicsPipelineBuildInfo graphics;
  RayTracingPipelineBuildInfo rays;
  bool hasMapping = false; ///< the file says where resources are

  bool isCompute() const;
  bool isRays() const;
  /// Of shaders[\p index].
  PipelineShaderInfo &infoOf(size_t index);
  const PipelineShaderInfo &infoOf(size_t index) const;
  /// Of a stage of compute and graphics pipelines.
  PipelineShaderInfo &info(ShaderStage stage);

  /// What \p use makes of the build info that is meant.
  template <typename Use> decltype(auto) visit(Use &&use) const {
    return isCompute() ? use(compute) : isRays() ? use(rays) : use(graphics);
  }
};

/// Reads the text of a file; \p name stands in messages. \p warnings gets "NAME:LINE: ..." for
/// sections and keys that are unknown or not honoured. Errors: InvalidInput "NAME:LINE: ..." for
/// text that does not follow the format or that holds no pipeline; LimitExceeded; Unsupported for
/// HLSL.
llvm::Expected<PipeFile> readPipeFile(llvm::StringRef text, llvm::StringRef name,
                                      std::vector<std::string> &warnings);

/// The reverse; values that are the default are left out. Errors: InvalidInput for shader text that
/// a reader would take for the beginning of a section; Unsupported for a stage that has no section.
llvm::Expected<std::string> writePipeFile(const PipeFile &file);

/// Sets one field of the state sections by its key there: "topology", "options.optimizationLevel".
/// False when there is no such key (the numbered ones, "colorBuffer[0].format", are none here).
/// Errors: InvalidInput for a value that is none of the field.
llvm::Expected<bool> setPipeKey(ComputePipelineBuildInfo &info, llvm::StringRef key,
                                llvm::StringRef value);
llvm::Expected<bool> setPipeKey(GraphicsPipelineBuildInfo &info, llvm::StringRef key,
                                llvm::StringRef value);
llvm::Expected<bool> setPipeKey(RayTracingPipelineBuildInfo &info, llvm::StringRef key,
                                llvm::StringRef value);

/// A pipeline as files that reproduce it.
struct PipeDump {
  struct Module {
    std::string fileName; ///< after its hash: pipelines that share modules share files
    llvm::ArrayRef<uint32_t> words;
  };
  std::string fileName; ///< "graphics_<pipeline hash>.pipe"
  std::string text;
  std::vector<Module> modules; ///< words belong to the info's shader modules
};
/// \p hashes are those of \p info. Errors as writePipeFile().
llvm::Expected<PipeDump> dumpPipeline(const ComputePipelineBuildInfo &info,
                                      const PipelineHashes &hashes);
llvm::Expected<PipeDump> dumpPipeline(const GraphicsPipelineBuildInfo &info,
                                      const PipelineHashes &hashes);
llvm::Expected<PipeDump> dumpPipeline(const RayTracingPipelineBuildInfo &info,
                                      const PipelineHashes &hashes);
/// Writes the files of a dump into a folder, which is made. Each file appears whole or not at all;
/// modules that are there already stay. Errors: InvalidInput, cannot write.
llvm::Error writeDump(const PipeDump &dump, llvm::StringRef folder);

} // namespace llpc
