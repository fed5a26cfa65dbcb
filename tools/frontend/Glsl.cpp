//===- Glsl.cpp - GLSL to SPIR-V through glslang --------------------------===//
// SPDX-License-Identifier: MIT
#include "tools/frontend/Glsl.h"
#include "lgc/CompileError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <cstring>
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>
#include <mutex>
#include <optional>

using llvm::StringRef;

namespace frontend {

namespace {

/// `#include "x"`: beside the including file first, then the -I folders.
class FileIncluder : public glslang::TShader::Includer {
public:
  explicit FileIncluder(const GlslOptions &options) : options(options) {}

  IncludeResult *includeLocal(const char *header, const char *includer, size_t depth) override {
    if (depth > maxDepth)
      return nullptr;
    llvm::SmallString<256> path(llvm::sys::path::parent_path(includer));
    llvm::sys::path::append(path, header);
    if (IncludeResult *result = open(path))
      return result;
    return includeSystem(header, includer, depth);
  }

  IncludeResult *includeSystem(const char *header, const char *, size_t depth) override {
    if (depth > maxDepth)
      return nullptr;
    for (const std::string &folder : options.includeDirs) {
      llvm::SmallString<256> path(folder);
      llvm::sys::path::append(path, header);
      if (IncludeResult *result = open(path))
        return result;
    }
    return nullptr;
  }

  void releaseInclude(IncludeResult *result) override {
    if (!result)
      return;
    delete static_cast<llvm::MemoryBuffer *>(result->userData);
    delete result;
  }

private:
  static constexpr size_t maxDepth = 100;

  static IncludeResult *open(StringRef path) {
    if (llvm::sys::fs::is_directory(path))
      return nullptr;
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      return nullptr;
    llvm::MemoryBuffer *memory = buffer->release();
    return new IncludeResult(path.str(), memory->getBufferStart(), memory->getBufferSize(), memory);
  }

  const GlslOptions &options;
};

/// The process-wide tables of glslang, set up once.
void initializeGlslang() {
  static std::once_flag once;
  std::call_once(once, [] { glslang::InitializeProcess(); });
}

struct Environment {
  glslang::EShTargetClientVersion client;
  glslang::EShTargetLanguageVersion spirv;
};
Environment environmentOf(StringRef name) {
  if (name == "vulkan1.0")
    return {glslang::EShTargetVulkan_1_0, glslang::EShTargetSpv_1_0};
  if (name == "vulkan1.1")
    return {glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_3};
  if (name == "vulkan1.2")
    return {glslang::EShTargetVulkan_1_2, glslang::EShTargetSpv_1_5};
  return {glslang::EShTargetVulkan_1_3, glslang::EShTargetSpv_1_6};
}

struct StageRow {
  llvm::StringLiteral suffix;
  EShLanguage language;
};
constexpr StageRow stages[] = {
    {"task", EShLangTask},           {"vert", EShLangVertex},   {"tesc", EShLangTessControl},
    {"tese", EShLangTessEvaluation}, {"geom", EShLangGeometry}, {"mesh", EShLangMesh},
    {"frag", EShLangFragment},       {"comp", EShLangCompute},  {"rgen", EShLangRayGen},
    {"rint", EShLangIntersect},      {"rahit", EShLangAnyHit},  {"rchit", EShLangClosestHit},
    {"rmiss", EShLangMiss},          {"rcall", EShLangCallable}};

std::string preambleOf(const GlslOptions &options) {
  std::string preamble = "#extension GL_GOOGLE_include_directive : enable\n";
  for (const std::string &define : options.defines) {
    auto [name, value] = StringRef(define).split('=');
    preamble += ("#define " + name + " " + value + "\n").str();
  }
  return preamble;
}

/// glslang's log without its file banner and summary, one message per line.
llvm::Error glslError(const char *log) {
  std::string message;
  llvm::SmallVector<StringRef, 16> lines;
  StringRef(log).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    line = line.trim();
    if (!line.consume_front("ERROR: ") || line.contains("compilation errors.  No code generated"))
      continue;
    message += (message.empty() ? "" : "\n  ") + line.str();
  }
  if (message.empty())
    message = StringRef(log).trim().str();
  return lgc::invalidInput("GLSL: " + message);
}

} // namespace

llvm::Expected<std::vector<uint8_t>> compileGlsl(const std::string &text, StringRef stage,
                                                 const GlslOptions &options,
                                                 const std::string &name) {
  const auto *row = llvm::find_if(stages, [&](const StageRow &r) { return r.suffix == stage; });
  if (row == std::end(stages))
    return lgc::unsupported("." + stage + ": no stage of GLSL");
  const EShLanguage language = row->language;
  initializeGlslang();
  glslang::TShader shader(language);
  const char *string = text.c_str();
  int length = static_cast<int>(text.size());
  const char *file = name.c_str();
  shader.setStringsWithLengthsAndNames(&string, &length, &file, 1);
  std::string preamble = preambleOf(options);
  shader.setPreamble(preamble.c_str());
  Environment environment = environmentOf(options.targetEnv);
  shader.setEnvInput(glslang::EShSourceGlsl, language, glslang::EShClientVulkan, 100);
  shader.setEnvClient(glslang::EShClientVulkan, environment.client);
  shader.setEnvTarget(glslang::EShTargetSpv, environment.spirv);
  auto messages = static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules);
  if (options.debugInfo)
    messages = static_cast<EShMessages>(messages | EShMsgDebugInfo);
  FileIncluder includer(options);
  constexpr int defaultVersion = 450;
  if (!shader.parse(GetDefaultResources(), defaultVersion, ENoProfile, false, false, messages,
                    includer))
    return glslError(shader.getInfoLog());
  glslang::TProgram program;
  program.addShader(&shader);
  if (!program.link(messages))
    return glslError(program.getInfoLog());
  glslang::SpvOptions spvOptions;
  spvOptions.generateDebugInfo = options.debugInfo;
  spvOptions.disableOptimizer = true; // Why: measured code is what the shader's author wrote
  std::vector<unsigned int> words;
  spv::SpvBuildLogger logger;
  glslang::GlslangToSpv(*program.getIntermediate(language), words, &logger, &spvOptions);
  if (words.empty())
    return lgc::invalidInput("GLSL: no code generated: " + logger.getAllMessages());
  std::vector<uint8_t> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

std::vector<uint32_t> wordsOf(const std::vector<uint8_t> &spirv) {
  std::vector<uint32_t> words(spirv.size() / sizeof(uint32_t));
  std::memcpy(words.data(), spirv.data(), words.size() * sizeof(uint32_t));
  return words;
}

} // namespace frontend
