// SPDX-License-Identifier: MIT
// Databases that are written here, as the description of the format says: what is read of them,
// what is refused, and that no bytes crash.
#include "FozCaptures.h"
#include "lgc/CompileError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Compression.h"
#include <gtest/gtest.h>

namespace replay {
namespace {

enum class Packing { Plain, Zlib };

/// Writes a database.
class Writer {
public:
  explicit Writer(uint8_t version = 6) {
    bytes.assign("\x81"
                 "FOSSILIZEDB\0\0\0",
                 15);
    bytes += static_cast<char>(version);
  }
  void add(FozKind kind, uint64_t hash, const std::string &content, Packing packing,
           bool hasChecksum = true) {
    std::string payload = content;
    if (packing == Packing::Zlib) {
      llvm::SmallVector<uint8_t, 0> packed;
      llvm::compression::zlib::compress(llvm::arrayRefFromStringRef(content), packed);
      payload.assign(packed.begin(), packed.end());
    }
    bytes += std::string(8, '0') + llvm::utohexstr(static_cast<uint64_t>(kind), true, 16);
    bytes += llvm::utohexstr(hash, true, 16);
    word(static_cast<uint32_t>(payload.size()));
    word(packing == Packing::Zlib ? 2 : 1);
    word(hasChecksum ? llvm::crc32(llvm::arrayRefFromStringRef(payload)) : 0);
    word(static_cast<uint32_t>(content.size()));
    bytes += payload;
  }
  /// {"LIST": {"HASH": OBJECT}}
  void addObject(FozKind kind, const char *list, uint64_t hash, const std::string &object,
                 Packing packing = Packing::Zlib) {
    add(kind, hash,
        std::string("{\"version\":6,\"") + list + "\":{\"" + llvm::utohexstr(hash, true, 16) +
            "\":" + object + "}}",
        packing);
  }
  void addModule(uint64_t hash, const std::vector<uint32_t> &words) {
    std::string code;
    for (uint32_t value : words) {
      for (; value >= 0x80; value >>= 7)
        code += static_cast<char>(value | 0x80);
      code += static_cast<char>(value);
    }
    add(FozKind::Module, hash,
        "{\"version\":6,\"shaderModules\":{\"" + llvm::utohexstr(hash, true, 16) +
            "\":{\"varintOffset\":0,\"varintSize\":" + std::to_string(code.size()) +
            ",\"codeSize\":" + std::to_string(words.size() * 4) + ",\"flags\":0}}}" +
            std::string(1, '\0') + code,
        Packing::Zlib);
  }

  std::string bytes;

private:
  void word(uint32_t value) {
    for (unsigned shift = 0; shift < 32; shift += 8)
      bytes += static_cast<char>(value >> shift);
  }
};

const std::vector<uint32_t> moduleWords = {0x07230203, 0x00010300, 0, 300, 0, 0x00020011, 1, ~0u};

constexpr char stage[] = R"({"flags":0,"name":"main","module":"00000000000000a1","stage":1,
  "specializationInfo":{"dataSize":8,"data":"AQAAAAIAAAA=",
                        "mapEntries":[{"offset":4,"size":4,"constantID":3}]}})";

/// Two graphics pipelines, of which one is linked, a compute pipeline and a ray tracing pipeline.
std::string database() {
  Writer to;
  to.add(FozKind::ApplicationInfo, 7, R"({"version":6,"applicationInfo":{},
    "physicalDeviceFeatures":{"robustBufferAccess":1,
      "pNext":[{"sType":1000286000,"robustBufferAccess2":0,"nullDescriptor":1}]}})",
         Packing::Plain, false);
  to.addObject(FozKind::Sampler, "samplers", 0x51, R"({"flags":0,"minFilter":0,"magFilter":1,
    "maxAnisotropy":1.0,"compareOp":0,"anisotropyEnable":0,"mipmapMode":0,"addressModeU":2,
    "addressModeV":2,"addressModeW":2,"borderColor":2,"unnormalizedCoordinates":0,
    "compareEnable":0,"mipLodBias":0.5,"minLod":0.0,"maxLod":1000.0,
    "pNext":[{"sType":1000156000,"format":1000156003,"ycbcrModel":1,"ycbcrRange":0,
              "components":[0,0,0,6],"xChromaOffset":1,"yChromaOffset":1,"chromaFilter":1,
              "forceExplicitReconstruction":0}]})");
  to.addObject(FozKind::SetLayout, "setLayouts", 0x52, R"({"flags":0,"bindings":[
    {"descriptorType":1,"descriptorCount":1,"stageFlags":17,"binding":4,
     "immutableSamplers":["0000000000000051"]}],
    "pNext":[{"sType":1000161000,"bindingFlags":[4]}]})");
  to.addObject(FozKind::PipelineLayout, "pipelineLayouts", 0x53, R"({"flags":0,
    "pushConstantRanges":[{"stageFlags":1,"size":12,"offset":4}],
    "setLayouts":["0000000000000000","0000000000000052"]})");
  to.addObject(FozKind::RenderPass, "renderPasses", 0x54, R"({"flags":0,
    "attachments":[{"flags":0,"format":37,"finalLayout":2,"initialLayout":0,"loadOp":1,
                    "storeOp":0,"samples":4,"stencilLoadOp":2,"stencilStoreOp":1}],
    "subpasses":[{"flags":0,"pipelineBindPoint":0},
                 {"flags":0,"pipelineBindPoint":0,
                  "colorAttachments":[{"attachment":0,"layout":2}]}],
    "pNext":[{"sType":1000053000,"viewMasks":[3,3]}]})");
  to.addModule(0xA1, moduleWords);
  to.addObject(FozKind::GraphicsPipeline, "graphicsPipelines", 0x61,
               std::string(R"({"flags":0,"basePipelineHandle":"0000000000000000",
    "basePipelineIndex":-1,"layout":"0000000000000053","renderPass":"0000000000000054",
    "subpass":1,
    "dynamicState":{"flags":0,"dynamicState":[1000455005,0,1]},
    "multisampleState":{"flags":0,"rasterizationSamples":0,"sampleShadingEnable":1,
      "minSampleShading":0.5,"alphaToOneEnable":0,"alphaToCoverageEnable":0},
    "rasterizationState":{"flags":0,"depthBiasConstantFactor":0,"depthBiasSlopeFactor":0,
      "depthBiasClamp":0,"depthBiasEnable":0,"depthClampEnable":1,"polygonMode":1,
      "rasterizerDiscardEnable":0,"frontFace":1,"lineWidth":1.0,"cullMode":3},
    "viewportState":{"flags":0,"viewportCount":1,"scissorCount":1,
      "scissors":[{"x":-1,"y":2,"width":3,"height":4}]},
    "pNext":[{"sType":1000470005,"flags":4294967296}],
    "stages":[)") + stage +
                   "]}");
  to.addObject(FozKind::GraphicsPipeline, "graphicsPipelines", 0x62, R"({"flags":0,
    "basePipelineHandle":"0000000000000000","basePipelineIndex":-1,
    "layout":"0000000000000000","renderPass":"0000000000000000","subpass":0,
    "pNext":[{"sType":1000290000,"libraries":["0000000000000061","00000000000000ff"]}]})",
               Packing::Plain);
  to.addObject(FozKind::ComputePipeline, "computePipelines", 0x71, R"({"flags":0,
    "layout":"0000000000000053","basePipelineHandle":"0000000000000000","basePipelineIndex":0,
    "stage":{"flags":1,"stage":32,"module":"00000000000000a2","name":"other",
      "pNext":[{"sType":1000225001,"requiredSubgroupSize":64}]}})");
  to.addObject(FozKind::RayTracingPipeline, "raytracingPipelines", 0x81, R"({"flags":32,
    "layout":"0000000000000053","basePipelineHandle":"0000000000000000","basePipelineIndex":0,
    "maxPipelineRayRecursionDepth":3,"dynamicState":{"flags":0,"dynamicState":[1000347000]},
    "stages":[{"flags":0,"stage":256,"module":"00000000000000a1","name":"one"},
              {"flags":0,"stage":1024,"module":"00000000000000a1","name":"two"}],
    "libraryInterface":{"maxPipelineRayPayloadSize":16,"maxPipelineRayHitAttributeSize":8},
    "libraryInfo":{"libraries":["0000000000000082"]},
    "groups":[{"type":0,"generalShader":0,"closestHitShader":4294967295,
               "anyHitShader":4294967295,"intersectionShader":4294967295},
              {"type":1,"generalShader":4294967295,"closestHitShader":1,"anyHitShader":2,
               "intersectionShader":4294967295}]})");
  return to.bytes;
}

std::unique_ptr<llvm::MemoryBuffer> fileOf(const std::string &bytes) {
  return llvm::MemoryBuffer::getMemBufferCopy(bytes, "t.foz");
}

struct Loaded {
  std::vector<std::shared_ptr<const Capture>> captures;
  std::vector<std::string> faults;
};

Loaded load(const std::string &bytes) {
  Loaded loaded;
  auto archive = FozArchive::create(fileOf(bytes));
  if (archive)
    loaded.captures = loadFoz(std::move(*archive), loaded.faults);
  else
    loaded.faults.push_back(llvm::toString(archive.takeError()));
  return loaded;
}

std::string errorOf(llvm::Error error) {
  return error ? lgc::consumeToText(std::move(error)).message : "";
}

TEST(Foz, ReadsGraphics) {
  const Loaded loaded = load(database());
  ASSERT_EQ(loaded.faults, std::vector<std::string>());
  ASSERT_EQ(loaded.captures.size(), 4u);
  const Capture &capture = *loaded.captures[0];
  EXPECT_EQ(capture.name, "t.foz/graphics/0000000000000061");
  EXPECT_EQ(capture.hash, "0000000000000061");
  ASSERT_EQ(capture.stages().size(), 1u);
  const VkPipelineShaderStageCreateInfo &first = capture.stages()[0];
  EXPECT_EQ(first.stage, VK_SHADER_STAGE_VERTEX_BIT);
  EXPECT_EQ(first.pSpecializationInfo->dataSize, 8u);
  EXPECT_EQ(static_cast<const uint8_t *>(first.pSpecializationInfo->pData)[4], 2);
  EXPECT_EQ(first.pSpecializationInfo->pMapEntries[0].constantID, 3u);
  EXPECT_EQ(capture.graphics.pRasterizationState->cullMode,
            VkCullModeFlags(VK_CULL_MODE_FRONT_AND_BACK));
  EXPECT_EQ(capture.graphics.pRasterizationState->polygonMode, VK_POLYGON_MODE_LINE);
  EXPECT_EQ(capture.graphics.pRasterizationState->depthClampEnable, VkBool32(VK_TRUE));
  EXPECT_EQ(capture.graphics.pMultisampleState->minSampleShading, 0.5f);
  EXPECT_EQ(capture.graphics.pDynamicState->dynamicStateCount, 3u);
  EXPECT_EQ(capture.graphics.pViewportState->pScissors[0].offset.x, -1);
  auto *flags = static_cast<const VkPipelineCreateFlags2CreateInfo *>(capture.graphics.pNext);
  ASSERT_TRUE(flags);
  EXPECT_EQ(flags->sType, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO);
  EXPECT_EQ(flags->flags, VkPipelineCreateFlags2(1) << 32);
}

TEST(Foz, ReadsLayoutsAndPasses) {
  const Loaded loaded = load(database());
  ASSERT_EQ(loaded.captures.size(), 4u);
  const Capture &capture = *loaded.captures[0];
  ASSERT_TRUE(capture.layout);
  ASSERT_EQ(capture.layout->sets.size(), 2u);
  EXPECT_EQ(capture.layout->pushConstants[0].offset, 4u);
  EXPECT_TRUE(capture.layout->sets[0].bindings.empty());
  const SetLayoutDesc &set = capture.layout->sets[1];
  ASSERT_EQ(set.bindings.size(), 1u);
  EXPECT_EQ(set.next, nullptr);
  EXPECT_EQ(set.bindings[0].stageFlags,
            VkShaderStageFlags(VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT));
  EXPECT_EQ(set.bindingFlags[0],
            VkDescriptorBindingFlags(VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT));
  ASSERT_EQ(set.samplers[0].size(), 1u);
  const SamplerDesc &sampler = set.samplers[0][0];
  EXPECT_EQ(sampler.info.magFilter, VK_FILTER_LINEAR);
  EXPECT_EQ(sampler.info.maxLod, 1000.0f);
  ASSERT_TRUE(sampler.conversion);
  EXPECT_EQ(sampler.conversion->format, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM);
  EXPECT_EQ(sampler.conversion->components.a, VK_COMPONENT_SWIZZLE_A);
  ASSERT_TRUE(capture.renderPass);
  EXPECT_EQ(capture.graphics.subpass, 1u);
  EXPECT_EQ(capture.renderPass->pAttachments[0].samples, VK_SAMPLE_COUNT_4_BIT);
  EXPECT_EQ(capture.renderPass->pSubpasses[1].viewMask, 3u);
  EXPECT_EQ(capture.renderPass->pSubpasses[1].pColorAttachments[0].layout,
            VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
}

TEST(Foz, ReadsWhatPipelinesReferTo) {
  const Loaded loaded = load(database());
  ASSERT_EQ(loaded.captures.size(), 4u);
  const Capture &linked = *loaded.captures[1], &compute = *loaded.captures[2];
  EXPECT_EQ(linked.libraries, (std::vector<std::string>{"0000000000000061", "00000000000000ff"}));
  EXPECT_FALSE(linked.layout);
  EXPECT_FALSE(linked.renderPass);
  auto library = loadLibrary(linked, linked.libraries[0]);
  ASSERT_TRUE(static_cast<bool>(library)) << errorOf(library.takeError());
  EXPECT_EQ((*library)->hash, "0000000000000061");
  EXPECT_EQ(errorOf(loadLibrary(linked, linked.libraries[1]).takeError()),
            "t.foz: no entry 00000000000000ff of kind 6");
  EXPECT_TRUE(compute.isCompute());
  EXPECT_STREQ(compute.stages()[0].pName, "other");
  auto words = loadModule(linked, "00000000000000a1");
  ASSERT_TRUE(static_cast<bool>(words)) << errorOf(words.takeError());
  EXPECT_EQ(*words, moduleWords);
  EXPECT_EQ(errorOf(loadModule(compute, compute.modules[0]).takeError()),
            "t.foz: no entry 00000000000000a2 of kind 4");
  auto features = loadFeatures(compute);
  ASSERT_TRUE(static_cast<bool>(features));
  EXPECT_EQ(*features, (std::vector<std::string>{"nullDescriptor", "robustBufferAccess"}));
}

TEST(Foz, ReadsRays) {
  Writer more;
  more.addObject(FozKind::RayTracingPipeline, "raytracingPipelines", 0x82,
                 R"({"flags":2048,"maxPipelineRayRecursionDepth":1})");
  const Loaded loaded = load(database() + more.bytes.substr(16));
  ASSERT_EQ(loaded.faults, std::vector<std::string>());
  ASSERT_EQ(loaded.captures.size(), 5u);
  const Capture &capture = *loaded.captures[3];
  EXPECT_EQ(capture.name, "t.foz/raytracing/0000000000000081");
  EXPECT_EQ(capture.kind, PipelineKind::RayTracing);
  const VkRayTracingPipelineCreateInfoKHR &rays = capture.rays;
  EXPECT_EQ(rays.sType, VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR);
  EXPECT_EQ(rays.flags, 32u);
  EXPECT_EQ(rays.maxPipelineRayRecursionDepth, 3u);
  ASSERT_EQ(capture.stages().size(), 2u);
  EXPECT_EQ(capture.stages()[1].stage, VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR);
  EXPECT_STREQ(capture.stages()[1].pName, "two");
  EXPECT_EQ(capture.modules, std::vector<std::string>(2, "00000000000000a1"));
  ASSERT_EQ(rays.groupCount, 2u);
  EXPECT_EQ(rays.pGroups[1].type, VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR);
  EXPECT_EQ(rays.pGroups[1].generalShader, VK_SHADER_UNUSED_KHR);
  EXPECT_EQ(rays.pGroups[1].anyHitShader, 2u); // of a library, perhaps
  EXPECT_EQ(rays.pLibraryInterface->maxPipelineRayPayloadSize, 16u);
  EXPECT_EQ(rays.pDynamicState->pDynamicStates[0],
            VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR);
  EXPECT_EQ(rays.pLibraryInfo, nullptr);
  EXPECT_TRUE(capture.layout);
  auto library = loadLibrary(capture, capture.libraries[0]);
  ASSERT_TRUE(static_cast<bool>(library)) << errorOf(library.takeError());
  EXPECT_EQ((*library)->name, "t.foz/raytracing/0000000000000082");
  EXPECT_EQ(errorOf(loadLibrary(*loaded.captures[1], "0000000000000082").takeError()),
            "t.foz: no entry 0000000000000082 of kind 6");
}

TEST(Foz, WhatIsNoDatabase) {
  const std::string good = database();
  auto faultOf = [](const std::string &bytes) {
    const Loaded loaded = load(bytes);
    EXPECT_TRUE(loaded.captures.empty());
    return loaded.faults.size() == 1 ? loaded.faults[0] : "";
  };
  EXPECT_EQ(faultOf(""), "invalid input: t.foz (byte 0): no Fossilize database");
  EXPECT_EQ(faultOf("SQLite format 3 and more"),
            "invalid input: t.foz (byte 0): no Fossilize database");
  EXPECT_EQ(faultOf(Writer(4).bytes),
            "invalid input: t.foz (byte 15): version 4 of Fossilize databases is unknown");
  EXPECT_EQ(faultOf(Writer(7).bytes),
            "invalid input: t.foz (byte 15): version 7 of Fossilize databases is unknown");
  EXPECT_EQ(load(Writer(5).bytes).faults, std::vector<std::string>());
}

/// Programs are ended while they write: what is there counts.
TEST(Foz, CutOffDatabases) {
  const std::string good = database();
  for (size_t size = 16; size < good.size(); ++size) {
    const Loaded loaded = load(good.substr(0, size));
    EXPECT_LE(loaded.captures.size(), 3u);
    for (const std::string &fault : loaded.faults)
      EXPECT_NE(fault, "");
  }
  const Loaded loaded = load(good.substr(0, good.size() - 1));
  EXPECT_EQ(loaded.captures.size(), 3u);
  ASSERT_EQ(loaded.faults.size(), 1u);
  EXPECT_TRUE(llvm::StringRef(loaded.faults[0])
                  .ends_with("an entry is cut off; nothing from here on is read"))
      << loaded.faults[0];
}

/// One that is wrong does not keep the others from being read.
TEST(Foz, DamagedEntries) {
  const struct {
    FozKind kind;
    const char *list, *object, *message;
  } rows[] = {
      {FozKind::ComputePipeline, "computePipelines", "{\"flags\":0}",
       "a compute pipeline has one stage"},
      {FozKind::ComputePipeline, "graphicsPipelines", "{}", "no object of this hash"},
      {FozKind::ComputePipeline, "computePipelines", "[[[", "no JSON"},
      {FozKind::ComputePipeline, "computePipelines",
       R"({"flags":0,"layout":"00000000000000ee","stage":{}})",
       "no entry 00000000000000ee of kind 3"},
      {FozKind::ComputePipeline, "computePipelines", R"({"flags":0,"layout":5,"stage":{}})",
       "layout is no hash"},
      {FozKind::ComputePipeline, "computePipelines",
       R"({"flags":0,"stage":{"flags":1,"stage":32,"module":"0","name":"x","colour":1}})",
       "/stages/0/colour: VkPipelineShaderStageCreateInfo has no member of this name"},
      {FozKind::ComputePipeline, "computePipelines",
       R"({"flags":4294967296,"stage":{"flags":1,"stage":32,"module":"0","name":"x"}})",
       "/flags: no mask of 32 bits"},
      {FozKind::ComputePipeline, "computePipelines",
       R"({"flags":0,"stage":{"flags":1,"stage":33,"module":"0","name":"x"}})",
       "/stages/0/stage: no value of VkShaderStageFlagBits"},
      {FozKind::RayTracingPipeline, "raytracingPipelines", "{}",
       "raytracing/0000000000000099:1:1: VkRayTracingPipelineCreateInfoKHR has no "
       "maxPipelineRayRecursionDepth"},
      {FozKind::RayTracingPipeline, "raytracingPipelines",
       R"({"maxPipelineRayRecursionDepth":1,"stages":[],"groups":7})", "/groups: no array"},
      {FozKind::RayTracingPipeline, "raytracingPipelines",
       R"({"maxPipelineRayRecursionDepth":1,"groups":[{"type":9,"generalShader":0,
           "closestHitShader":0,"anyHitShader":0,"intersectionShader":0}]})",
       "/groups/0/type: no type of shader groups"},
      {FozKind::RayTracingPipeline, "raytracingPipelines",
       R"({"maxPipelineRayRecursionDepth":1,"libraryInfo":{"libraries":["../x"]}})",
       "/libraries/0: no hash"},
      {FozKind::RayTracingPipeline, "raytracingPipelines",
       R"({"maxPipelineRayRecursionDepth":1,"libraryInfo":{"libraries":[7]}})",
       "/libraries/0/hash: no string"},
  };
  for (const auto &row : rows) {
    Writer more;
    more.addObject(row.kind, row.list, 0x99, row.object);
    const Loaded loaded = load(database() + more.bytes.substr(16));
    EXPECT_EQ(loaded.captures.size(), 4u) << row.message;
    ASSERT_EQ(loaded.faults.size(), 1u) << row.message;
    EXPECT_NE(loaded.faults[0].find(row.message), std::string::npos) << loaded.faults[0];
  }
  Writer deep;
  deep.addObject(FozKind::ComputePipeline, "computePipelines", 0x99,
                 std::string(200000, '[') + std::string(200000, ']'));
  EXPECT_NE(load(deep.bytes).faults[0].find("JSON deeper than 64 levels"), std::string::npos);
}

TEST(Foz, EntriesThatSayTooMuch) {
  Writer to;
  to.add(FozKind::ComputePipeline, 1, std::string(1000, 'x'), Packing::Zlib);
  const size_t header = 16 + 40;
  auto changed = [&](size_t word, uint32_t value) {
    std::string bytes = to.bytes;
    for (unsigned i = 0; i < 4; ++i)
      bytes[header + word * 4 + i] = static_cast<char>(value >> (8 * i));
    const Loaded loaded = load(bytes);
    return loaded.faults.size() == 1 ? loaded.faults[0] : "";
  };
  EXPECT_NE(changed(0, 0xFFFFFFFF).find("an entry is cut off"), std::string::npos);
  EXPECT_NE(changed(1, 3).find("unknown compression 3"), std::string::npos);
  EXPECT_NE(changed(1, 1).find("an entry of two sizes"), std::string::npos);
  EXPECT_NE(changed(2, 1).find("another checksum"), std::string::npos);
  EXPECT_NE(changed(3, 0xFFFFFFFF).find("bytes cannot be in an entry of"), std::string::npos);
  EXPECT_NE(changed(3, 1001).find("an entry of two sizes"), std::string::npos);
  EXPECT_NE(changed(3, 999).find("no zlib data"), std::string::npos);
}

TEST(Foz, ModulesThatSayTooMuch) {
  auto errorOfModule = [](const std::string &place, const std::string &code) {
    const std::string content =
        "{\"shaderModules\":{\"a\":{" + place + "}}}" + std::string(1, '\0') + code;
    return errorOf(fozModule(content, "m", "a").takeError());
  };
  const std::string all = "\"varintOffset\":0,\"varintSize\":4,\"codeSize\":";
  EXPECT_EQ(errorOfModule(all + "16", "\1\2\3\4"), "");
  EXPECT_EQ(errorOfModule(all + "4", "\xFF\xFF\xFF\x7F"), "");
  EXPECT_EQ(errorOfModule(all + "12", "\1\2\3\4"), "m: the module has more bytes than words");
  EXPECT_EQ(errorOfModule(all + "20", "\1\2\3\4"), "m: no module of 20 bytes is in 4");
  EXPECT_EQ(errorOfModule(all + "15", "\1\2\3\4"), "m: no module of 15 bytes is in 4");
  EXPECT_EQ(errorOfModule(all + "18446744073709551612", "\1\2\3\4"),
            "m: no module of 18446744073709551612 bytes is in 4");
  EXPECT_EQ(errorOfModule(all + "16", "\1\2\3\x84"), "m: the words of the module are damaged");
  EXPECT_EQ(errorOfModule(all + "16", "\1\2\3"), "m: the words of the module are not there");
  EXPECT_EQ(errorOfModule("\"varintOffset\":18446744073709551615,\"varintSize\":4,\"codeSize\":4",
                          "\1\2\3\4"),
            "m: the words of the module are not there");
  EXPECT_EQ(
      errorOfModule("\"varintOffset\":0,\"varintSize\":5,\"codeSize\":4", "\xFF\xFF\xFF\xFF\x1F"),
      "m: the words of the module are damaged");
  EXPECT_EQ(
      errorOfModule("\"varintOffset\":0,\"varintSize\":5,\"codeSize\":4", "\xFF\xFF\xFF\xFF\x0F"),
      "");
  EXPECT_EQ(errorOfModule("\"varintOffset\":0", ""), "m: no place of a module's words");
  EXPECT_EQ(errorOf(fozModule("{}", "m", "a").takeError()), "m: no module of this hash");
}

/// Bytes of the file or of what is in an entry that are gone or others.
TEST(Foz, MutationsNeverCrash) {
  uint64_t state = 1;
  auto random = [&](size_t limit) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<size_t>(state >> 33) % limit;
  };
  auto use = [](const std::string &bytes) {
    const Loaded loaded = load(bytes);
    for (const auto &capture : loaded.captures) {
      for (const std::string &hash : capture->modules)
        llvm::consumeError(loadModule(*capture, hash).takeError());
      for (const std::string &hash : capture->libraries)
        llvm::consumeError(loadLibrary(*capture, hash).takeError());
      llvm::consumeError(loadFeatures(*capture).takeError());
    }
    return loaded.captures.size();
  };
  auto mutate = [&](std::string &bytes) {
    const size_t at = random(bytes.size());
    if (random(3))
      bytes[at] = static_cast<char>(random(256));
    else
      bytes.erase(at, random(9));
  };
  const std::string good = database();
  size_t read = 0;
  for (unsigned i = 0; i < 1500; ++i) {
    std::string bytes = good;
    mutate(bytes);
    read += use(bytes);
  }
  // Of what is in entries: packed again, so that checksums are right.
  auto archive = FozArchive::create(fileOf(good));
  ASSERT_TRUE(static_cast<bool>(archive));
  for (unsigned i = 0; i < 1500; ++i) {
    Writer to;
    for (uint32_t kind = 0; kind < 10; ++kind)
      for (uint64_t hash : (*archive)->hashes(static_cast<FozKind>(kind))) {
        std::string content = llvm::cantFail((*archive)->read(static_cast<FozKind>(kind), hash));
        if (!random(6))
          mutate(content);
        to.add(static_cast<FozKind>(kind), hash, content, Packing::Plain);
      }
    read += use(to.bytes);
  }
  EXPECT_GT(read, 0u);
  EXPECT_LT(read, 12000u);
}

} // namespace
} // namespace replay
