//===- Grouping.cpp - which files are one pipeline ------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Compute shaders and .pipe files stand alone. Of the graphics shaders of a command line: when no
/// stage occurs twice they are one pipeline; otherwise, and in a folder, those are one pipeline
/// whose names are equal up to the stage. All ray tracing shaders are one pipeline.
///   before: cube.vert cube.frag            after: {cube.vert cube.frag}
///   before: a.vert b.vert.spv a.frag c.comp   after: {a.vert a.frag} {b.vert.spv} {c.comp}
/// What stages a SPIR-V file holds must be known before anything is compiled, so its entry points
/// are looked for without parsing the rest.
#include "Inputs.h"
#include "llpc/StageNames.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <cstring>
#include <spirv/unified1/spirv.hpp11>

using llpc::ShaderEntryName;
using llpc::ShaderStage;
using llvm::StringRef;
using llvm::Twine;

namespace amdllpc {

namespace {

uint32_t wordAt(StringRef bytes, size_t index, bool swapped) {
  uint32_t word = 0;
  std::memcpy(&word, bytes.data() + index * 4, 4);
  return swapped ? __builtin_bswap32(word) : word;
}

/// The text of a string literal, whose bytes are the low ones of a word first.
std::string stringAt(StringRef bytes, size_t begin, size_t end, bool swapped) {
  std::string text;
  for (size_t i = begin; i < end; ++i)
    for (uint32_t word = wordAt(bytes, i, swapped), shift = 0; shift < 32; shift += 8) {
      char c = static_cast<char>(word >> shift);
      if (!c)
        return text;
      text += c;
    }
  return text;
}

std::vector<ShaderEntryName> binaryEntries(StringRef bytes) {
  std::vector<ShaderEntryName> entries;
  const size_t count = bytes.size() / 4;
  constexpr size_t headerWords = 5;
  if (count < headerWords)
    return entries;
  const bool swapped = wordAt(bytes, 0, false) == __builtin_bswap32(spv::MagicNumber);
  for (size_t at = headerWords; at < count;) {
    const uint32_t first = wordAt(bytes, at, swapped);
    const size_t length = first >> 16;
    if (length == 0 || length > count - at)
      break;
    auto opcode = static_cast<spv::Op>(first & 0xffff);
    if (opcode == spv::Op::OpFunction)
      break;
    if (opcode == spv::Op::OpEntryPoint && length >= 4) {
      entries.push_back({llpc::stageOfModel(wordAt(bytes, at + 1, swapped)),
                         stringAt(bytes, at + 3, at + length, swapped)});
    }
    at += length;
  }
  return entries;
}

std::vector<ShaderEntryName> textEntries(StringRef text) {
  std::vector<ShaderEntryName> entries;
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    line = line.trim();
    if (!line.consume_front("OpEntryPoint "))
      continue;
    line = line.ltrim();
    StringRef model = line.take_while(llvm::isAlnum);
    const auto *row =
        llvm::find_if(llpc::stageNames(), [&](const auto &r) { return r.model == model; });
    StringRef name = line.split('"').second.split('"').first;
    entries.push_back(
        {row == llpc::stageNames().end() ? ShaderStage::Count : row->stage, name.str()});
  }
  return entries;
}

constexpr uint32_t graphicsMask = (1u << llpc::graphicsStageCount) - 1;
constexpr uint32_t rayMask =
    llpc::stageBit(ShaderStage::Count) - 2 * llpc::stageBit(ShaderStage::Compute);

/// Bit per stage; 0 for what stands alone: compute, .pipe, and what is found to be wrong later.
uint32_t joinedStages(const Input &input) {
  constexpr uint32_t joined = graphicsMask | rayMask;
  if (input.format == InputFormat::Glsl) {
    ShaderStage stage = llpc::stageOfSuffix(input.stage);
    return llpc::stageBit(stage) & joined;
  }
  if (input.format == InputFormat::Pipe || input.format == InputFormat::OpenCl || input.path == "-")
    return 0;
  auto bytes = readInput(input.path);
  if (!bytes) {
    llvm::consumeError(bytes.takeError());
    return 0;
  }
  auto chosen = chooseEntries(input.format == InputFormat::Spirv ? binaryEntries(*bytes)
                                                                 : textEntries(*bytes),
                              input.entry, input.stage);
  if (!chosen) {
    llvm::consumeError(chosen.takeError());
    return 0;
  }
  uint32_t mask = 0;
  for (const ShaderEntryName &entry : *chosen)
    mask |= llpc::stageBit(entry.stage) & joined;
  return mask;
}

/// "folder/cube" of "folder/cube.vert.spv".
StringRef stemOf(StringRef path) {
  for (StringRef suffix : {".spv", ".spvasm"})
    if (path.consume_back(suffix))
      break;
  StringRef extension = llvm::sys::path::extension(path);
  if (!extension.empty() && llpc::stageOfSuffix(extension.drop_front()) != ShaderStage::Count)
    path = path.drop_back(extension.size());
  return path;
}

/// The only entry point of a stage, or the one that is called main.
llvm::Expected<ShaderEntryName> chooseOne(llvm::ArrayRef<const ShaderEntryName *> candidates,
                                          const std::string &allNames) {
  for (const ShaderEntryName *entry : candidates)
    if (candidates.size() == 1 || entry->name == "main")
      return *entry;
  return lgc::invalidInput("the module has several entry points, choose one as FILE,ENTRY: " +
                           allNames);
}

} // namespace

llvm::Expected<std::vector<ShaderEntryName>>
chooseEntries(llvm::ArrayRef<ShaderEntryName> entries, const std::string &wanted, StringRef stage) {
  constexpr unsigned stageCount = static_cast<unsigned>(ShaderStage::Compute) + 1;
  std::vector<const ShaderEntryName *> byStage[stageCount];
  std::vector<ShaderEntryName> rays;
  const ShaderEntryName *otherStage = nullptr;
  std::string names;
  for (const ShaderEntryName &entry : entries) {
    if (!stage.empty() && entry.stage != llpc::stageOfSuffix(stage))
      continue;
    names += (names.empty() ? "" : ", ") + entry.name;
    if (!wanted.empty() && entry.name != wanted)
      continue;
    if (static_cast<unsigned>(entry.stage) < stageCount)
      byStage[static_cast<unsigned>(entry.stage)].push_back(&entry);
    else if (entry.stage < ShaderStage::Count)
      rays.push_back(entry);
    else
      otherStage = &entry;
  }
  if (names.empty())
    return lgc::invalidInput("the module has no entry point" +
                             (stage.empty() ? "" : " of the stage " + stage));
  std::vector<ShaderEntryName> chosen;
  // Compute shaders first: a module that has both is taken for one.
  for (unsigned i = stageCount; i-- > 0;) {
    if (byStage[i].empty())
      continue;
    auto entry = KILN_TRY(chooseOne(byStage[i], names));
    chosen.insert(chosen.begin(), entry);
    if (entry.stage == ShaderStage::Compute)
      break;
  }
  if (!chosen.empty())
    return chosen;
  if (!rays.empty()) // any number of each stage
    return rays;
  if (otherStage)
    return lgc::unsupported("entry point '" + Twine(otherStage->name) +
                            "' is of a stage that is not supported");
  return lgc::invalidInput("no entry point '" + Twine(wanted) + "'; the module has: " + names);
}

std::vector<PipelineInput> groupInputs(std::vector<Input> inputs, const Options &options) {
  std::vector<uint32_t> stages;
  uint32_t seen = 0;
  bool isOnePipeline = true;
  for (const Input &input : inputs) {
    stages.push_back(options.separate ? 0 : joinedStages(input));
    isOnePipeline &= !(seen & stages.back() & graphicsMask);
    seen |= stages.back();
  }
  struct Group {
    PipelineInput pipeline;
    uint32_t stages;
  };
  std::vector<Group> groups;
  for (size_t i = 0; i < inputs.size(); ++i) {
    auto belongs = [&](const Group &group) {
      if ((group.stages | stages[i]) & rayMask)
        return (group.stages & rayMask) && (stages[i] & rayMask);
      return stages[i] && group.stages && !(group.stages & stages[i]) &&
             (isOnePipeline || stemOf(group.pipeline.files[0].path) == stemOf(inputs[i].path));
    };
    auto group = llvm::find_if(groups, belongs);
    if (group == groups.end())
      group = groups.insert(groups.end(), Group{{}, 0});
    group->stages |= stages[i];
    group->pipeline.files.push_back(std::move(inputs[i]));
  }
  std::vector<PipelineInput> pipelines;
  for (Group &group : groups)
    pipelines.push_back(std::move(group.pipeline));
  return pipelines;
}

} // namespace amdllpc
