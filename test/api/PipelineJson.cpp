//===- PipelineJson.cpp - JSON of Vulkan SC pipelines for tests -----------===//
// SPDX-License-Identifier: MIT
#include "PipelineJson.h"

namespace api {
namespace {

std::string quoted(const std::string &text) { return '"' + text + '"'; }

/// The first members of a structure.
std::string head(const std::string &type, const std::string &next = "\"NULL\"") {
  return "\"sType\": \"VK_STRUCTURE_TYPE_" + type + "\", \"pNext\": " + next + ", \"flags\": 0, ";
}

std::string joined(const std::vector<std::string> &texts) {
  std::string list;
  for (const std::string &text : texts)
    list += (list.empty() ? "" : ", ") + text;
  return list;
}

/// An array, or a null pointer where there is nothing.
std::string listOf(const std::vector<std::string> &texts) {
  return texts.empty() ? "\"NULL\"" : "[" + joined(texts) + "]";
}

std::string pipelineJson(const Identifier &identifier, const std::string &state,
                         const std::string &members) {
  std::vector<std::string> bytes;
  for (uint8_t byte : identifier)
    bytes.push_back(std::to_string(byte));
  return "{\"EnabledExtensions\": [], \"PipelineUUID\": " + listOf(bytes) + ", " + quoted(state) +
         ": {" + members + "}}\n";
}

std::string fileJson(const std::string &stage, const std::string &file) {
  return "{\"stage\": \"VK_SHADER_STAGE_" + stage + "_BIT\", \"filename\": " + quoted(file) + "}";
}

constexpr const char *bases = R"("layout": "", "basePipelineHandle": "", "basePipelineIndex": 0)";

} // namespace

std::string bindingJson(uint32_t number, const std::string &type, uint32_t count,
                        const std::string &samplers) {
  return "{\"binding\": " + std::to_string(number) + ", \"descriptorType\": \"VK_DESCRIPTOR_TYPE_" +
         type + "\", \"descriptorCount\": " + std::to_string(count) +
         ", \"stageFlags\": \"VK_SHADER_STAGE_ALL\", \"pImmutableSamplers\": " + samplers + "}";
}

std::string layoutJson(const std::vector<std::pair<std::string, std::vector<std::string>>> &sets,
                       const std::string &push) {
  std::vector<std::string> layouts, names;
  for (const auto &[name, bindings] : sets) {
    names.push_back(quoted(name));
    layouts.push_back("{" + quoted(name) + ": {" + head("DESCRIPTOR_SET_LAYOUT_CREATE_INFO") +
                      "\"bindingCount\": " + std::to_string(bindings.size()) +
                      ", \"pBindings\": " + listOf(bindings) + "}}");
  }
  return "\"DescriptorSetLayouts\": [" + joined(layouts) + "], \"PipelineLayout\": {" +
         head("PIPELINE_LAYOUT_CREATE_INFO") +
         "\"setLayoutCount\": " + std::to_string(names.size()) +
         ", \"pSetLayouts\": " + listOf(names) +
         ", \"pushConstantRangeCount\": " + (push.empty() ? "0" : "1") +
         ", \"pPushConstantRanges\": " + (push.empty() ? "\"NULL\"" : "[" + push + "]") + "}, ";
}

std::string pushJson(const std::string &stage, uint32_t size) {
  return "{\"stageFlags\": \"VK_SHADER_STAGE_" + stage +
         "_BIT\", \"offset\": 0, \"size\": " + std::to_string(size) + "}";
}

std::string stageJson(const std::string &stage, int constant) {
  std::string specialization = "\"NULL\"";
  if (constant >= 0)
    specialization = R"({"mapEntryCount": 1, "pMapEntries": [{"constantID": 3, "offset": 0,
      "size": 4}], "dataSize": 4, "pData": [)" +
                     std::to_string(constant) + ", 0, 0, 0]}";
  return "{" + head("PIPELINE_SHADER_STAGE_CREATE_INFO") + "\"stage\": \"VK_SHADER_STAGE_" + stage +
         R"(_BIT", "module": "", "pName": "main", "pSpecializationInfo": )" + specialization + "}";
}

std::string computeJson(const Identifier &identifier, const std::string &layout,
                        const std::string &file, const std::string &stage) {
  return pipelineJson(identifier, "ComputePipelineState",
                      layout + "\"ShaderFileNames\": [" + fileJson("COMPUTE", file) +
                          "], \"ComputePipeline\": {" + head("COMPUTE_PIPELINE_CREATE_INFO") +
                          "\"stage\": " + stage + ", " + bases + "}");
}

std::string GraphicsJson::text(const Identifier &identifier) const {
  const std::string noPass = R"("attachmentCount": 0, "pAttachments": "NULL", "subpassCount": 0,
    "pSubpasses": "NULL")";
  const std::string noInput =
      R"("vertexBindingDescriptionCount": 0, "pVertexBindingDescriptions": "NULL",
      "vertexAttributeDescriptionCount": 0, "pVertexAttributeDescriptions": "NULL")";
  // The other way round than pStages: they belong together by their stages.
  std::string text = layout + "\"ShaderFileNames\": [" + fileJson("FRAGMENT", fragmentFile) + ", " +
                     fileJson("VERTEX", vertexFile) + "], \"Renderpass\": {" +
                     head("RENDER_PASS_CREATE_INFO") + (pass.empty() ? noPass : pass) +
                     R"(, "dependencyCount": 0, "pDependencies": "NULL"}, )";
  text += "\"GraphicsPipeline\": {" + head("GRAPHICS_PIPELINE_CREATE_INFO", next) +
          "\"stageCount\": 2, \"pStages\": [" + vertex + ", " + fragment + "], ";
  text += "\"pVertexInputState\": {" + head("PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO") +
          (vertexInput.empty() ? noInput : vertexInput) + "}, ";
  text += "\"pInputAssemblyState\": {" + head("PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO") +
          "\"topology\": \"VK_PRIMITIVE_TOPOLOGY_" + topology +
          "\", \"primitiveRestartEnable\": \"VK_FALSE\"}, \"pTessellationState\": \"NULL\", ";
  text += "\"pViewportState\": {" + head("PIPELINE_VIEWPORT_STATE_CREATE_INFO") +
          "\"viewportCount\": 1, \"pViewports\": " + viewports + R"(, "scissorCount": 1,
    "pScissors": [{"offset": {"x": 0, "y": 0}, "extent": {"width": 4, "height": 4}}]}, )";
  text += "\"pRasterizationState\": {" + head("PIPELINE_RASTERIZATION_STATE_CREATE_INFO") +
          R"("depthClampEnable": "VK_FALSE", "rasterizerDiscardEnable": "VK_FALSE",
    "polygonMode": "VK_POLYGON_MODE_FILL", "cullMode": 0,
    "frontFace": "VK_FRONT_FACE_COUNTER_CLOCKWISE", "depthBiasEnable": "VK_FALSE",
    "depthBiasConstantFactor": 0, "depthBiasClamp": 0, "depthBiasSlopeFactor": 0, "lineWidth": 1}, )";
  text += "\"pMultisampleState\": {" + head("PIPELINE_MULTISAMPLE_STATE_CREATE_INFO") +
          R"("rasterizationSamples": "VK_SAMPLE_COUNT_1_BIT", "sampleShadingEnable": "VK_FALSE",
    "minSampleShading": 0, "pSampleMask": "NULL", "alphaToCoverageEnable": "VK_FALSE",
    "alphaToOneEnable": "VK_FALSE"}, "pDepthStencilState": "NULL", )";
  const std::string factor = quoted("VK_BLEND_FACTOR_" + blendFactor);
  text += "\"pColorBlendState\": {" + head("PIPELINE_COLOR_BLEND_STATE_CREATE_INFO") +
          R"("logicOpEnable": "VK_FALSE", "logicOp": "VK_LOGIC_OP_CLEAR", "attachmentCount": 1,
    "pAttachments": [{"blendEnable": )" +
          (isBlending ? "true" : "false") + ", \"srcColorBlendFactor\": " + factor +
          ", \"dstColorBlendFactor\": " + factor + ", \"srcAlphaBlendFactor\": " + factor +
          ", \"dstAlphaBlendFactor\": " + factor + R"(, "colorBlendOp": "VK_BLEND_OP_ADD",
    "alphaBlendOp": "VK_BLEND_OP_ADD", "colorWriteMask": )" +
          writeMask + "}], \"blendConstants\": [0, 0, 0, 0]}, ";
  text += "\"pDynamicState\": " + (dynamicState.empty()
                                       ? std::string("\"NULL\"")
                                       : "{" + head("PIPELINE_DYNAMIC_STATE_CREATE_INFO") +
                                             "\"dynamicStateCount\": 1, \"pDynamicStates\": "
                                             "[\"VK_DYNAMIC_STATE_" +
                                             dynamicState + "\"]}");
  return pipelineJson(identifier, "GraphicsPipelineState",
                      text + ", \"renderPass\": \"\", \"subpass\": 0, " + bases + "}");
}

} // namespace api
