//===- FuzzPccJson.cpp - fuzz target: JSON of Vulkan SC pipelines ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// The input is the text of a pipeline's file. Whatever it is, reading it returns: an error that
/// names the file and a line, or create infos in which everything that a driver will follow is
/// there.
#include "lgc/CompileError.h"
#include "tools/pcc/LenientJson.h"
#include "tools/pcc/PipelineFile.h"
#include <cstdio>
#include <cstdlib>

namespace {

void require(bool condition, const char *what) {
  if (condition)
    return;
  std::fprintf(stderr, "fuzz-pcc-json: %s\n", what);
  std::abort();
}

constexpr uint32_t shaders[] = {
#include "Shaders.inc"
};

/// A module that any stage can use, which reads vertices' locations, push constants and a buffer.
/// Some files are not there, some are no modules.
llvm::Expected<pcc::Words> load(llvm::StringRef name) {
  if (name.starts_with("x"))
    return lgc::invalidInput("no such file");
  const llvm::ArrayRef<uint32_t> words = shaders;
  return std::make_shared<const std::vector<uint32_t>>(
      (name.starts_with("y") ? words.take_front(100) : words).vec());
}

/// Only what came out of the text has a line.
void check(const std::vector<pcc::Message> &messages) {
  for (const pcc::Message &message : messages) {
    require(!message.text.empty(), "a message without a text");
    if (message.isError)
      require(message.place.file == "f.json" && message.place.line && message.place.column,
              "an error without its place");
  }
}

/// Touches what a driver would.
uint64_t follow(const replay::Capture &capture) {
  uint64_t sum = 0;
  for (const VkPipelineShaderStageCreateInfo &stage : capture.stages()) {
    sum += llvm::StringRef(stage.pName).size();
    if (const VkSpecializationInfo *info = stage.pSpecializationInfo)
      for (uint32_t i = 0; i < info->mapEntryCount; ++i)
        for (size_t k = 0; k < info->pMapEntries[i].size; ++k)
          sum += static_cast<const uint8_t *>(info->pData)[info->pMapEntries[i].offset + k];
    for (auto *next = static_cast<const VkBaseInStructure *>(stage.pNext); next; next = next->pNext)
      ++sum;
  }
  if (const VkRenderPassCreateInfo2 *pass = capture.renderPass)
    for (uint32_t i = 0; i < pass->subpassCount; ++i)
      for (uint32_t k = 0; k < pass->pSubpasses[i].inputAttachmentCount; ++k)
        sum += pass->pSubpasses[i].pInputAttachments[k].aspectMask;
  for (const replay::SetLayoutDesc &set : capture.layout->sets)
    for (const VkDescriptorSetLayoutBinding &binding : set.bindings)
      sum += binding.descriptorCount;
  return sum;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string text(reinterpret_cast<const char *>(data), size);
  std::string repaired = text;
  pcc::repairJson(repaired);
  require(repaired.size() == text.size(), "a repair moves what is behind it");
  pcc::Identity identity;
  pcc::Faults faults;
  const auto file = pcc::PipelineFile::read("f.json", text, load, identity, faults);
  require(file.has_value() == !faults.size(), "no file and no error, or both");
  const bool isFull = faults.isFull();
  const std::vector<pcc::Message> messages = faults.take();
  if (!isFull)
    check(messages);
  if (!file)
    return 0;
  require(identity.uuid && *identity.uuid == file->identifier, "a file without an identifier");
  require(file->capture->code.size() == file->capture->stages().size(), "a stage without a module");
  require(file->json == text, "the text is not what was read");
  return follow(*file->capture) == UINT64_MAX; // always 0
}
