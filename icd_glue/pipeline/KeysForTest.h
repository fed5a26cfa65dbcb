//===- KeysForTest.h - a device and layouts for tests of keys -------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/device/TestDevice.h"
#include "icd_glue/pipeline/PipelineKey.h"
#include "tools/frontend/Glsl.h"

namespace icd {
using Key = std::optional<llpc::Hash128>;
using Spirv = std::vector<uint8_t>;

inline Spirv compileGlsl(const std::string &text, const std::string &stage) {
  return llvm::cantFail(frontend::compileGlsl(text, stage));
}

inline Spirv shader(const std::string &stage, int number = 1) {
  return compileGlsl("#version 450\n"
                     "layout(constant_id = 0) const int k = 1;\n"
                     "void main() { int n = k + " +
                         std::to_string(number) + "; }",
                     stage);
}

inline VkShaderModuleCreateInfo moduleInfo(const Spirv &spirv) {
  auto info = vkStruct<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  info.codeSize = spirv.size();
  info.pCode = reinterpret_cast<const uint32_t *>(spirv.data());
  return info;
}

class Keys : public TestDevice {
protected:
  VkShaderModule module(const Spirv &spirv) {
    const VkShaderModuleCreateInfo info = moduleInfo(spirv);
    VkShaderModule made = VK_NULL_HANDLE;
    EXPECT_EQ(CreateShaderModule(device, &info, nullptr, &made), VK_SUCCESS);
    modules.push_back(made);
    return made;
  }
  void TearDown() override {
    for (VkShaderModule made : modules)
      DestroyShaderModule(device, made, nullptr);
    TestDevice::TearDown();
  }
  static std::shared_ptr<const PipelineLayoutData>
  layout(VkDescriptorType type, uint32_t count, VkShaderStageFlags stages, uint32_t pushBytes = 0) {
    const VkDescriptorSetLayoutBinding binding = {0, type, count, stages, nullptr};
    auto info = vkStruct<VkDescriptorSetLayoutCreateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    info.bindingCount = 1;
    info.pBindings = &binding;
    auto set = buildSetLayout(info, [](VkSampler) { return ImmutableSampler(); });
    return PipelineLayoutData::create({std::make_shared<const SetLayout>(*set)}, pushBytes);
  }

  std::vector<VkShaderModule> modules;
};

} // namespace icd
