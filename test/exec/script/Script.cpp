//===- Script.cpp - test files: directives about the whole file -----------===//
// SPDX-License-Identifier: MIT
#include "Script.h"
#include "llpc/StageNames.h"
#include "pal_shim/abi/Try.h"
#include "tools/frontend/Glsl.h"
#include "tools/frontend/SpirvTools.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cstring>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace exec {

Expected<std::vector<uint32_t>> compileShader(StringRef path, const std::string &text,
                                              llvm::ArrayRef<std::string> defines,
                                              const std::string &targetEnv, StringRef stage) {
  Expected<std::vector<uint8_t>> bytes = std::vector<uint8_t>(text.begin(), text.end());
  if (path.ends_with(".spvasm")) {
    bytes = frontend::assembleSpirv(text);
  } else if (!path.ends_with(".spv")) {
    bytes = frontend::compileGlsl(text, stage, {.defines = defines, .targetEnv = targetEnv},
                                  path.str());
  }
  if (!bytes)
    return bytes.takeError();
  return frontend::wordsOf(*bytes);
}

namespace {

std::vector<std::string> wordsOf(StringRef text) {
  llvm::SmallVector<StringRef, 8> parts;
  llvm::SplitString(text, parts);
  std::vector<std::string> words;
  for (StringRef part : parts)
    words.push_back(part.str());
  return words;
}

/// Directives that are needed before a device is chosen; false: not one of them.
Expected<bool> readGlobalDirective(Script &script, StringRef keyword, StringRef rest) {
  if (keyword == "requires") {
    for (std::string &word : wordsOf(rest))
      (StringRef(word).starts_with("VK_") ? script.extensions : script.features)
          .push_back(std::move(word));
    return true;
  }
  if (keyword == "subgroup") {
    for (const std::string &word : wordsOf(rest)) {
      uint32_t size = 0;
      if (StringRef(word).getAsInteger(10, size))
        return failure("subgroup: '" + word + "' is no size");
      script.subgroupSizes.push_back(size);
    }
    return true;
  }
  if (keyword == "target") {
    script.targetEnv = rest.trim().str();
    return true;
  }
  if (keyword == "skip") {
    auto [who, reason] = rest.split(':');
    if (reason.trim().empty())
      return failure("skip needs a reason: skip NAME: REASON");
    script.skips[who.trim().str()] = reason.trim().str();
    return true;
  }
  if (keyword == "foreach") {
    std::vector<std::string> words = wordsOf(rest);
    if (words.size() < 2)
      return failure("foreach needs a name and values");
    std::string name = words.front();
    words.erase(words.begin());
    script.loops.emplace_back(name, words);
    return true;
  }
  return false;
}

Error readModule(const std::string &path, std::vector<uint32_t> &words) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return failure(path + ": " + file.getError().message());
  StringRef bytes = (*file)->getBuffer();
  words.resize(bytes.size() / sizeof(uint32_t));
  if (words.empty())
    return failure(path + ": no words of SPIR-V");
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(uint32_t));
  return Error::success();
}

/// `[vert]`, `[frag spvasm]`, `[geom file NAME]`, `[rchit NAME]`: begins a section. False: not such
/// a line.
Expected<bool> readSectionHeader(Script &script, StringRef line, size_t number,
                                 const std::string &modules) {
  line = line.trim();
  if (!line.consume_front("[") || !line.consume_back("]"))
    return false;
  auto [name, format] = line.split(' ');
  const llpc::ShaderStage stage = llpc::stageOfSuffix(name);
  if (stage == llpc::ShaderStage::Count || stage == llpc::ShaderStage::Compute ||
      (stage > llpc::ShaderStage::Compute) != script.tracesRays)
    return false;
  ShaderSection section;
  section.stage = static_cast<VkShaderStageFlagBits>(llpc::namesOf(stage).vulkanFlag);
  section.stageName = name.str();
  section.name = name.str();
  if (script.tracesRays && !format.trim().empty() && format.trim() != "spvasm") {
    auto [own, rest] = format.trim().split(' ');
    section.name = own.str();
    format = rest;
  }
  section.isGlsl = format.trim() != "spvasm";
  section.text = std::string(number + 1, '\n');
  if (format.consume_front("file ")) {
    if (modules.empty())
      return failure("where is " + format + "? Say --modules=FOLDER");
    KILN_TRY(readModule(modules + "/" + format.trim().str(), section.words));
  }
  script.sections.push_back(std::move(section));
  return true;
}

} // namespace

Expected<Script> loadScript(const std::string &path, const std::string &modules) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file)
    return failure(path + ": " + file.getError().message());
  Script script;
  script.path = path;
  script.shader = (*file)->getBuffer().str();
  script.isGlsl = !StringRef(path).ends_with(".spvasm");
  llvm::SmallVector<StringRef, 64> lines;
  StringRef(script.shader).split(lines, '\n');
  script.tracesRays = StringRef(path).ends_with(".rays");
  const bool hasSections = script.tracesRays || StringRef(path).ends_with(".draw");
  for (auto [number, text] : llvm::enumerate(lines)) {
    Expected<bool> isHeader =
        hasSections ? readSectionHeader(script, text, number, modules) : false;
    if (!isHeader)
      return failure(path + ":" + Twine(number + 1) + ": " + llvm::toString(isHeader.takeError()));
    if (*isHeader)
      continue;
    if (!script.sections.empty())
      script.sections.back().text += (text + "\n").str();
    StringRef line = text.trim();
    if (!line.consume_front(script.isGlsl ? "//!" : ";!"))
      continue;
    line = line.trim();
    auto [keyword, rest] = line.split(' ');
    Expected<bool> taken = readGlobalDirective(script, keyword, rest);
    if (!taken)
      return failure(path + ":" + Twine(number + 1) + ": " + llvm::toString(taken.takeError()));
    // A line that begins with three dots goes on with the values of the one before.
    if (line.starts_with("...") && !script.lines.empty())
      script.lines.back() += " " + line.drop_front(3).str();
    else if (!*taken)
      script.lines.push_back(line.str());
  }
  if (hasSections && script.sections.empty())
    return failure(path + ": no section such as [vert]");
  return script;
}

std::vector<std::map<std::string, std::string>> variantsOf(const Script &script) {
  std::vector<std::map<std::string, std::string>> variants(1);
  for (const auto &[name, values] : script.loops) {
    std::vector<std::map<std::string, std::string>> next;
    for (const auto &variant : variants)
      for (const std::string &value : values) {
        next.push_back(variant);
        next.back()[name] = value;
      }
    variants = std::move(next);
  }
  return variants;
}

} // namespace exec
