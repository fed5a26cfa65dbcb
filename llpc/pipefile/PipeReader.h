//===- PipeReader.h - text of a .pipe file to a pipeline ------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/pipefile/PipeFields.h"

namespace llpc {

/// "a[3].b" -> name "a", index 3, rest "b".
struct KeyPart {
  llvm::StringRef name;
  std::optional<uint32_t> index;
  llvm::StringRef rest;
};

/// The values of one shader's specConst keys, put together at the end.
struct SpecializationText {
  struct MapEntry {
    uint32_t constantId = 0, offset = 0, size = 0;
  };
  std::vector<MapEntry> entries;
  std::vector<uint8_t> data;
  uint32_t line = 0;
};

/// One run over a file.
class PipeReader {
public:
  PipeReader(llvm::StringRef text, llvm::StringRef name, std::vector<std::string> &warnings)
      : text(text), name(name), warnings(warnings) {}

  llvm::Expected<PipeFile> run();

private:
  llvm::Error readSections();
  llvm::Error beginSection(llvm::StringRef header);
  /// False when \p title is none.
  bool beginStateSection(llvm::StringRef title);
  llvm::Error beginInfo();
  llvm::Error beginShader(const PipeSourceName &source);
  PipelineShaderInfo &infoOfSlot(size_t slot);
  llvm::Error readLine(llvm::StringRef line);
  llvm::Error finishShader();
  llvm::Error readKey(llvm::StringRef key, llvm::StringRef value);
  llvm::Error readInfoKey(llvm::StringRef key, llvm::StringRef value);
  llvm::Error readGraphicsKey(llvm::StringRef key, llvm::StringRef value);
  llvm::Error readRaysKey(llvm::StringRef key, llvm::StringRef value);
  llvm::Error readVertexInputKey(llvm::StringRef key, llvm::StringRef value);
  llvm::Error readMappingKey(llvm::StringRef key, llvm::StringRef value,
                             lgc::ResourceMapping &mapping);
  llvm::Error readNodeKey(llvm::StringRef key, llvm::StringRef value, lgc::ResourceNode &node,
                          bool isRoot);
  llvm::Error readSpecializationKey(llvm::StringRef key, llvm::StringRef value);
  llvm::Error finish();
  llvm::Error finishKind();
  llvm::Error finishSpecialization(size_t slot);
  llvm::Error finishMapping();
  template <typename T>
  llvm::Expected<bool> readField(llvm::StringRef key, llvm::StringRef value, T &object);
  template <typename T> llvm::Expected<T *> element(std::vector<T> &list, const KeyPart &part);
  llvm::Expected<KeyPart> splitKey(llvm::StringRef key);
  llvm::Error error(const llvm::Twine &message) const { return errorAt(line, message); }
  llvm::Error errorAt(uint32_t at, const llvm::Twine &message) const {
    return lgc::invalidInput(name + ":" + llvm::Twine(at) + ": " + message);
  }
  llvm::Error withPlace(llvm::Error inner) const;
  void warn(const llvm::Twine &message) {
    warnings.push_back((name + ":" + llvm::Twine(line) + ": " + message).str());
  }
  /// Error, with the nearest known key: what it was to do would not be done. But keys of AMD's that
  /// change nothing are none, or a warning.
  llvm::Error unknownKey(llvm::StringRef table, const NearestKey &key, llvm::StringRef value);

  llvm::StringRef text, name;
  std::vector<std::string> &warnings;
  PipeFile file;
  uint32_t line = 0;

  enum class Section : uint8_t {
    None, ///< before the first one
    Unknown,
    Version,
    ShaderText,
    ShaderFile,
    Info,
    Mapping,
    Graphics,
    Compute,
    Rays,
    VertexInput
  };
  Section section = Section::None;
  std::string sectionName;
  ShaderStage stage = ShaderStage::Count; ///< of Shader* and Info
  /// What Info is about: a stage of a graphics or compute pipeline, or behind these a ray tracing
  /// shader.
  size_t slot = 0;
  const char *shaderBegin = nullptr, *shaderEnd = nullptr;
  std::vector<lgc::VertexBinding> divisors;
  static constexpr size_t firstRaySlot = graphicsStageCount + 1;
  std::vector<SpecializationText> specializations{firstRaySlot};
  /// Old files: a list of nodes for each slot.
  std::vector<lgc::ResourceMapping> stageMappings{firstRaySlot};
  /// Of a section that only one kind can have.
  uint32_t graphicsLine = 0, computeLine = 0, raysLine = 0;
  std::array<size_t, size_t(ShaderStage::Count)> lastRaySlots = {};
  bool hasLaunchUserData = false;
};

} // namespace llpc
