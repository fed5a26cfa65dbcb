// SPDX-License-Identifier: MIT
// Captures out of JSON: what is read, what is refused and where, and that no text crashes.
#include "Capture.h"
#include "RandomLayout.h"
#include "lgc/CompileError.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

namespace replay {
namespace {

constexpr char graphics[] = R"({
 "kind": "graphics", "hash": "0123456789abcdef", "flags": [], "flagsValue": 1073741824,
 "stages": [
  {"stage": "VK_SHADER_STAGE_VERTEX_BIT", "name": "main", "module": "aa", "flags": [],
   "requiredSubgroupSize": 32,
   "specializationInfo": {"data": "0100000002000000",
                          "mapEntries": [{"constantID": 3, "offset": 4, "size": 4}]}}
 ],
 "layout": {"hash": "1", "flags": [], "pushConstantRanges": [
   {"offset": 4, "size": 12, "stageFlags": ["VK_SHADER_STAGE_VERTEX_BIT"]}],
  "setLayouts": [{"hash": "2", "flags": [], "bindings": [
   {"binding": 5, "descriptorCount": 1, "descriptorType": "VK_DESCRIPTOR_TYPE_SAMPLER",
    "stageFlags": ["VK_SHADER_STAGE_VERTEX_BIT", "VK_SHADER_STAGE_FRAGMENT_BIT"],
    "bindingFlags": ["VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT"],
    "immutableSamplers": [{"flags": [], "magFilter": "VK_FILTER_LINEAR",
     "minFilter": "VK_FILTER_NEAREST", "mipmapMode": "VK_SAMPLER_MIPMAP_MODE_LINEAR",
     "addressModeU": "VK_SAMPLER_ADDRESS_MODE_REPEAT",
     "addressModeV": "VK_SAMPLER_ADDRESS_MODE_REPEAT",
     "addressModeW": "VK_SAMPLER_ADDRESS_MODE_REPEAT", "mipLodBias": 0.5,
     "anisotropyEnable": false, "maxAnisotropy": 1, "compareEnable": false,
     "compareOp": "VK_COMPARE_OP_NEVER", "minLod": -1000, "maxLod": 1e3,
     "borderColor": "VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK", "unnormalizedCoordinates": false}]}]}]},
 "vertexInputState": {"flags": [],
  "bindings": [{"binding": 0, "stride": 16, "inputRate": "VK_VERTEX_INPUT_RATE_INSTANCE"}],
  "attributes": []},
 "viewportState": {"flags": [], "viewportCount": 3, "scissors": [
  {"x": -1, "y": 2, "width": 3, "height": 4}]},
 "dynamicState": {"flags": [], "dynamicState": ["VK_DYNAMIC_STATE_VIEWPORT"]},
 "renderPass": {"hash": "3", "flags": [], "subpassIndex": 0,
  "attachments": [],
  "subpass": {"flags": [], "pipelineBindPoint": "VK_PIPELINE_BIND_POINT_GRAPHICS",
   "colorAttachments": [null], "depthStencilAttachment": null}},
 "pNext": [{"sType": "VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO",
  "storageBuffers": "VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED",
  "uniformBuffers": "VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2",
  "vertexInputs": "VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT",
  "images": "VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_DISABLED"}]
})";

std::string errorOf(std::string json) {
  auto capture = Capture::parse("t.json", std::move(json));
  return capture ? "" : lgc::consumeToText(capture.takeError()).message;
}

std::string replaced(llvm::StringRef from, llvm::StringRef to) {
  std::string text = graphics;
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from.str();
  return text.replace(at, from.size(), to);
}

TEST(Capture, ReadsGraphics) {
  auto loaded = Capture::parse("t.json", graphics);
  ASSERT_TRUE(static_cast<bool>(loaded)) << llvm::toString(loaded.takeError());
  const Capture &capture = **loaded;
  EXPECT_FALSE(capture.isCompute());
  EXPECT_EQ(capture.graphics.flags, 1u << 30);
  ASSERT_EQ(capture.stages().size(), 1u);
  const VkPipelineShaderStageCreateInfo &stage = capture.stages()[0];
  EXPECT_EQ(stage.stage, VK_SHADER_STAGE_VERTEX_BIT);
  EXPECT_STREQ(stage.pName, "main");
  EXPECT_EQ(capture.modules[0], "aa");
  ASSERT_EQ(stage.pSpecializationInfo->dataSize, 8u);
  EXPECT_EQ(static_cast<const uint8_t *>(stage.pSpecializationInfo->pData)[4], 2);
  EXPECT_EQ(stage.pSpecializationInfo->pMapEntries[0].constantID, 3u);
  auto *size =
      static_cast<const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *>(stage.pNext);
  EXPECT_EQ(size->requiredSubgroupSize, 32u);
  EXPECT_EQ(capture.graphics.pVertexInputState->vertexBindingDescriptionCount, 1u);
  EXPECT_EQ(capture.graphics.pVertexInputState->pVertexBindingDescriptions[0].stride, 16u);
  EXPECT_EQ(capture.graphics.pViewportState->viewportCount, 3u);
  EXPECT_EQ(capture.graphics.pViewportState->pViewports, nullptr);
  EXPECT_EQ(capture.graphics.pViewportState->pScissors[0].offset.x, -1);
  EXPECT_EQ(capture.graphics.pViewportState->pScissors[0].extent.height, 4u);
  EXPECT_EQ(capture.graphics.pDynamicState->pDynamicStates[0], VK_DYNAMIC_STATE_VIEWPORT);
  ASSERT_TRUE(capture.renderPass);
  EXPECT_EQ(capture.renderPass->pSubpasses[0].pColorAttachments[0].attachment,
            VK_ATTACHMENT_UNUSED);
  auto *robustness = static_cast<const VkPipelineRobustnessCreateInfo *>(capture.graphics.pNext);
  EXPECT_EQ(robustness->sType, VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO);
  EXPECT_EQ(robustness->uniformBuffers,
            VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2);
}

TEST(Capture, ReadsLayouts) {
  auto loaded = Capture::parse("t.json", graphics);
  ASSERT_TRUE(static_cast<bool>(loaded)) << llvm::toString(loaded.takeError());
  const PipelineLayoutDesc &layout = *(*loaded)->layout;
  EXPECT_EQ(layout.pushConstants[0].size, 12u);
  const SetLayoutDesc &set = layout.sets[0];
  EXPECT_EQ(set.bindings[0].binding, 5u);
  EXPECT_EQ(set.bindings[0].stageFlags,
            VkShaderStageFlags(VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT));
  EXPECT_EQ(set.bindingFlags[0],
            VkDescriptorBindingFlags(VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT));
  EXPECT_EQ(set.samplers[0][0].info.magFilter, VK_FILTER_LINEAR);
  EXPECT_EQ(set.samplers[0][0].info.minLod, -1000.0f);
}

TEST(Capture, ErrorsNameThePlace) {
  const struct {
    const char *from, *to, *message;
  } rows[] = {
      {"\"kind\": \"graphics\"", "\"kind\": \"mesh\"",
       "t.json:2:10: /kind: neither graphics, compute nor raytracing"},
      {"VK_SHADER_STAGE_VERTEX_BIT\", \"name\"", "VK_SHADER_STAGE_VERTEX\", \"name\"",
       "t.json:4:13: /stages/0/stage: no value of VkShaderStageFlagBits"},
      {"\"module\": \"aa\"", "\"module\": \"../aa\"", "/stages/0/module: no hash"},
      {"\"size\": 12", "\"size\": -12", "/layout/pushConstantRanges/0/size: no number of 32 bits"},
      {"\"size\": 12", "\"size\": 4294967296", "no number of 32 bits"},
      {"\"size\": 12, ", "", "/layout/pushConstantRanges/0: VkPushConstantRange has no size"},
      {"\"stride\": 16", "\"strid\": 16",
       "/vertexInputState/bindings/0/strid: VkVertexInputBindingDescription has no member of this "
       "name"},
      {"\"data\": \"01", "\"data\": \"0g", "no string of hexadecimal digits"},
      {"\"maxLod\": 1e3", "\"maxLod\": 1e300", "no number of single precision"},
      {"\"maxLod\": 1e3", "\"maxLod\": 1e3000", "t.json:21:75: no JSON"},
      {"\"anisotropyEnable\": false", "\"anisotropyEnable\": 0", "neither true nor false"},
      {"\"descriptorCount\": 1", "\"descriptorCount\": 2", "there are 2 descriptors"},
      {"\"subpassIndex\": 0", "\"subpassIndex\": 1", "no such subpass"},
      {"[null]", "[{\"attachment\": 0, \"layout\": \"VK_IMAGE_LAYOUT_GENERAL\"}]",
       "an attachment that there is not"},
      {"PIPELINE_ROBUSTNESS_CREATE_INFO", "DEVICE_CREATE_INFO",
       "/pNext/0/sType: not known to extend VkGraphicsPipelineCreateInfo"},
      {"\"attributes\": []", "\"attributes\": {}", "/vertexInputState/attributes: no array"},
      {"\"attributes\": []", "\"attributes\": [], \"vertexBindingDescriptionCount\": 2",
       "there are 1 elements"},
      {"\"hash\": \"1\"", "\"hash\": \"1", "no JSON"},
  };
  for (const auto &row : rows)
    EXPECT_TRUE(llvm::StringRef(errorOf(replaced(row.from, row.to))).contains(row.message))
        << row.to << ": " << errorOf(replaced(row.from, row.to));
}

/// Programs leave what dynamic state replaces as it comes, often 0, which is no number of samples.
TEST(Capture, ValuesThatAreIgnoredNeedNoName) {
  constexpr char head[] = "\"viewportState\"";
  const auto withSamples = [&](const char *value, const char *dynamic) {
    std::string text = replaced(
        head,
        std::string("\"multisampleState\": {\"flags\": [], \"rasterizationSamples\": ") + value +
            ", \"sampleShadingEnable\": false, \"minSampleShading\": 0, \"sampleMask\": null, "
            "\"alphaToCoverageEnable\": false, \"alphaToOneEnable\": false},\n " +
            head);
    const llvm::StringRef known = "\"VK_DYNAMIC_STATE_VIEWPORT\"";
    const size_t at = text.find(known);
    return text.replace(at, known.size(), dynamic);
  };
  const std::string json = withSamples(
      "0", "\"VK_DYNAMIC_STATE_VIEWPORT\", \"VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT\"");
  auto loaded = Capture::parse("t.json", json);
  ASSERT_TRUE(static_cast<bool>(loaded)) << llvm::toString(loaded.takeError());
  EXPECT_EQ((*loaded)->graphics.pMultisampleState->rasterizationSamples, 0);
  for (const char *dynamic : {"\"VK_DYNAMIC_STATE_VIEWPORT\"", "\"VK_DYNAMIC_STATE_LOGIC_OP_EXT\""})
    EXPECT_TRUE(llvm::StringRef(errorOf(withSamples("0", dynamic)))
                    .ends_with("/multisampleState/rasterizationSamples: no value of "
                               "VkSampleCountFlagBits"))
        << errorOf(withSamples("0", dynamic));
}

TEST(Capture, ValuesOfWhatIsOffNeedNoName) {
  const char *compare = "\"compareOp\": \"VK_COMPARE_OP_NEVER\"";
  const char *border = "\"borderColor\": \"VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK\"";
  EXPECT_EQ(errorOf(replaced(compare, "\"compareOp\": 999")), "");
  EXPECT_EQ(errorOf(replaced(border, "\"borderColor\": 999")), "");
  const auto alsoOn = [](std::string text, llvm::StringRef from, llvm::StringRef to) {
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from.str();
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
  };
  EXPECT_NE(errorOf(alsoOn(replaced(compare, "\"compareOp\": 999"), "\"compareEnable\": false",
                           "\"compareEnable\": true")),
            "");
  EXPECT_NE(errorOf(alsoOn(replaced(border, "\"borderColor\": 999"),
                           "\"addressModeU\": \"VK_SAMPLER_ADDRESS_MODE_REPEAT\"",
                           "\"addressModeU\": \"VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER\"")),
            "");
}

TEST(Capture, DeepNestingIsAnError) {
  EXPECT_NE(errorOf(std::string(1000000, '[')), "");
  EXPECT_NE(errorOf(std::string(1000000, '[') + std::string(1000000, ']')), "");
  std::string nested;
  for (int i = 0; i < 100000; ++i)
    nested += "{\"pNext\":[";
  EXPECT_NE(errorOf(nested), "");
}

/// Bytes that are gone, doubled or others: an error or a capture, never an end of the process.
TEST(Capture, MutationsNeverCrash) {
  const std::string text = graphics;
  uint64_t state = 1;
  auto random = [&](size_t limit) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<size_t>(state >> 33) % limit;
  };
  unsigned read = 0;
  constexpr llvm::StringLiteral pieces[] = {
      "{",      "}", "[", "]", "null", "-1", "1e9", "\"\"", ",", "true", "99999999999999999999",
      "\\u0000"};
  for (unsigned i = 0; i < 4000; ++i) {
    std::string mutated = text;
    size_t at = random(text.size()), length = random(12);
    switch (i % 3) {
    case 0:
      mutated[at] = static_cast<char>(random(256));
      break;
    case 1:
      mutated.erase(at, length);
      break;
    default:
      mutated.replace(at, length, pieces[random(std::size(pieces))].str());
      break;
    }
    read += errorOf(mutated).empty();
  }
  EXPECT_GT(read, 0u);
  EXPECT_LT(read, 4000u);
}

TEST(RandomLayout, KeepsWhatTheShaderNames) {
  auto loaded = Capture::parse("t.json", graphics);
  ASSERT_TRUE(static_cast<bool>(loaded)) << llvm::toString(loaded.takeError());
  PipelineLayoutDesc layout = *(*loaded)->layout;
  layout.sets[0].bindings.push_back({1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, 1, nullptr});
  layout.sets[0].bindingFlags.push_back(0);
  layout.sets[0].samplers.emplace_back();
  bool differs = false, isDynamic = false;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    PipelineLayoutDesc other = randomiseLayout(layout, seed, {.dynamicBuffers = 0.5});
    PipelineLayoutDesc again = randomiseLayout(layout, seed, {.dynamicBuffers = 0.5});
    ASSERT_EQ(other.sets.size(), again.sets.size());
    ASSERT_GE(other.sets.size(), 1u);
    EXPECT_GE(other.pushConstants[0].size, 12u);
    EXPECT_LE(other.pushConstants[0].offset + other.pushConstants[0].size, 128u);
    EXPECT_EQ(other.pushConstants[0].size % 4, 0u);
    const SetLayoutDesc &set = other.sets[0];
    EXPECT_EQ(set.bindings.size(), set.samplers.size());
    EXPECT_EQ(set.bindings.size(), set.bindingFlags.size());
    unsigned found = 0;
    for (size_t i = 0; i < set.bindings.size(); ++i) {
      found += set.bindings[i].binding == 5 && set.samplers[i].size() == 1;
      found += set.bindings[i].binding == 1;
      isDynamic |= set.bindings[i].binding == 1 &&
                   set.bindings[i].descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
    }
    EXPECT_EQ(found, 2u);
    differs |= set.bindings.size() > 2;
  }
  EXPECT_TRUE(differs);
  EXPECT_TRUE(isDynamic);
}

} // namespace
} // namespace replay
