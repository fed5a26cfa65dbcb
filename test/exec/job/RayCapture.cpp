//===- RayCapture.cpp - ray tracing pipelines of jobs as captures ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// Writes what a ray tracing pipeline, or a library of one, is created of as docs/replay.md says.
#include "Resources.h"
#include "pal_shim/abi/Try.h"
#include "tools/replay/Capture.h"
#include "tools/replay/Structures.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/xxhash.h"
#include <fstream>
#include <nlohmann/json.hpp>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using Json = nlohmann::ordered_json;

namespace exec {

namespace {

/// Vulkan's name of a value.
Json nameOf(const char *enumName, int64_t value) {
  for (const replay::EnumValue &row : replay::findEnumeration(enumName)->values.drop_front())
    if (row.value == value)
      return row.name;
  return value;
}

Json namesOfBits(const char *enumName, uint64_t bits) {
  Json names = Json::array();
  for (; bits; bits &= bits - 1)
    names.push_back(nameOf(enumName, static_cast<int64_t>(bits & -bits)));
  return names;
}

Json stageOf(const VkPipelineShaderStageCreateInfo &stage, const std::string &module) {
  Json json = {{"flags", Json::array()},
               {"stage", nameOf("VkShaderStageFlagBits", stage.stage)},
               {"module", module},
               {"name", stage.pName}};
  const VkSpecializationInfo *constants = stage.pSpecializationInfo;
  if (!constants)
    return json;
  Json entries = Json::array();
  for (const VkSpecializationMapEntry &entry :
       llvm::ArrayRef(constants->pMapEntries, constants->mapEntryCount))
    entries.push_back(
        {{"constantID", entry.constantID}, {"offset", entry.offset}, {"size", entry.size}});
  const auto *bytes = static_cast<const uint8_t *>(constants->pData);
  json["specializationInfo"] = {
      {"data", llvm::toHex(llvm::ArrayRef(bytes, constants->dataSize), /*LowerCase=*/true)},
      {"mapEntries", std::move(entries)}};
  return json;
}

Json groupOf(const VkRayTracingShaderGroupCreateInfoKHR &group) {
  return {{"type", nameOf("VkRayTracingShaderGroupTypeKHR", group.type)},
          {"generalShader", group.generalShader},
          {"closestHitShader", group.closestHitShader},
          {"anyHitShader", group.anyHitShader},
          {"intersectionShader", group.intersectionShader}};
}

std::string hashOf(StringRef bytes) {
  return llvm::utohexstr(llvm::xxh3_64bits(bytes), /*LowerCase=*/true, 16);
}

Error write(const std::string &folder, const std::string &name, StringRef bytes) {
  if (llvm::sys::fs::create_directories(folder))
    return failure("cannot make " + folder);
  std::ofstream file(folder + "/" + name, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  return file ? Error::success() : failure("cannot write " + folder + "/" + name);
}

} // namespace

Expected<std::string> JobObjects::captureRays(const VkRayTracingPipelineCreateInfoKHR &info,
                                              llvm::ArrayRef<std::string> libraries) const {
  Json json = {{"kind", "raytracing"},
               {"flags", Json::array()},
               {"flagsValue", info.flags},
               {"maxPipelineRayRecursionDepth", info.maxPipelineRayRecursionDepth},
               {"stages", Json::array()},
               {"groups", Json::array()}};
  for (const VkPipelineShaderStageCreateInfo &stage :
       llvm::ArrayRef(info.pStages, info.stageCount)) {
    const size_t shader = llvm::find(rayModules, stage.module) - rayModules.begin();
    const std::vector<uint32_t> &words = job.rays->shaders[shader].spirv;
    const StringRef bytes(reinterpret_cast<const char *>(words.data()), words.size() * 4);
    KILN_TRY(write(job.rays->captureFolder + "/modules", hashOf(bytes) + ".spv", bytes));
    json["stages"].push_back(stageOf(stage, hashOf(bytes)));
  }
  for (const auto &group : llvm::ArrayRef(info.pGroups, info.groupCount))
    json["groups"].push_back(groupOf(group));
  for (const std::string &library : libraries)
    json["libraries"].push_back({{"hash", library}});
  if (const auto *sizes = info.pLibraryInterface)
    json["libraryInterface"] = {
        {"maxPipelineRayPayloadSize", sizes->maxPipelineRayPayloadSize},
        {"maxPipelineRayHitAttributeSize", sizes->maxPipelineRayHitAttributeSize}};
  if (info.pDynamicState)
    json["dynamicState"] = {
        {"flags", Json::array()},
        {"dynamicState",
         {nameOf("VkDynamicState", VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR)}}};
  json["layout"] = KILN_TRY(captureLayout());
  const std::string hash = hashOf(json.dump());
  json["hash"] = hash;
  KILN_TRY(write(job.rays->captureFolder + "/raytracing", hash + ".json", json.dump(1) + "\n"));
  return hash;
}

Expected<Json> JobObjects::captureLayout() const {
  const Json stages = namesOfBits("VkShaderStageFlagBits", shaderStages());
  Json layout = {{"flags", Json::array()},
                 {"pushConstantRanges", Json::array()},
                 {"setLayouts", Json::array()}};
  if (!job.push.empty())
    layout["pushConstantRanges"].push_back(
        {{"stageFlags", stages}, {"offset", 0}, {"size", job.push.size()}});
  for (const std::vector<SetBinding> &set : setBindings) {
    Json bindings = Json::array();
    for (const SetBinding &binding : set) {
      if (!binding.immutable.empty())
        return failure("immutable samplers cannot be captured");
      bindings.push_back({{"binding", binding.binding},
                          {"descriptorType", nameOf("VkDescriptorType", binding.type)},
                          {"descriptorCount", binding.count},
                          {"stageFlags", stages}});
    }
    layout["setLayouts"].push_back({{"flags", Json::array()}, {"bindings", std::move(bindings)}});
  }
  return layout;
}

} // namespace exec
