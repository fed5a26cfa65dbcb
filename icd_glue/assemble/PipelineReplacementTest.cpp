// SPDX-License-Identifier: MIT
// KILN_REPLACE_DIR: pipelines are found by name or by their modules. What the code then does is
// tested by test/exec (the check `layouts`).
#include "icd_glue/device/TestDevice.h"
#include "icd_glue/pipeline/KeysForTest.h"
#include "icd_glue/pipeline/Pipeline.h"
#include "llpc/Hasher.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace icd {
namespace {

class PipelineReplacementTest : public Keys {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("kiln-replace", folder));
    setenv("KILN_REPLACE_DIR", folder.c_str(), 1);
    setenv("KILN_PARTS", "off", 1);
    setenv("KILN_LOG", (folder + "/log").str().c_str(), 1);
    Keys::SetUp();
    for (const char *name : {"KILN_REPLACE_DIR", "KILN_PARTS", "KILN_LOG"})
      unsetenv(name);
  }
  void TearDown() override {
    Keys::TearDown();
    llvm::sys::fs::remove_directories(folder);
  }

  void write(const std::string &name, const std::string &text) {
    std::error_code error;
    llvm::raw_fd_ostream(folder.str().str() + "/" + name, error) << text;
    ASSERT_FALSE(error);
  }
  /// A file of the compute shader that is created.
  static std::string pipeOf(const Spirv &spirv, const std::string &mapping = "") {
    return "[CsSpvFile]\nfileName = " + llpc::toString(llpc::hashBytes(spirv)) +
           ".spv\n[CsInfo]\nentryPoint = main\n" + mapping;
  }
  /// The message of the error, or nothing.
  std::string create(const Spirv &spirv) {
    auto info =
        vkStruct<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
    info.stage = vkStruct<VkPipelineShaderStageCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module(spirv);
    info.stage.pName = "main";
    auto layoutInfo =
        vkStruct<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    EXPECT_EQ(CreatePipelineLayout(device, &layoutInfo, nullptr, &info.layout), VK_SUCCESS);
    VkPipeline pipeline = VK_NULL_HANDLE;
    messages.clear();
    const VkResult result =
        CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    DestroyPipelineLayout(device, info.layout, nullptr);
    replaces = pipeline && fromHandle<Pipeline>(pipeline)->data->code(object())->replacement();
    DestroyPipeline(device, pipeline, nullptr);
    EXPECT_EQ(result == VK_SUCCESS, messages.empty());
    return messages.empty() ? "" : messages.front();
  }

  llvm::SmallString<128> folder;
  bool replaces = false;
};

TEST_F(PipelineReplacementTest, IsFoundByTheModules) {
  const Spirv spirv = shader("comp");
  EXPECT_NE(create(spirv).find("has no file for compute_"), std::string::npos);
  write("one.pipe", pipeOf(shader("comp", 2)));
  EXPECT_NE(create(spirv).find("has no file for compute_"), std::string::npos);
  write("two.pipe", pipeOf(spirv));
  EXPECT_EQ(create(spirv), "");
  EXPECT_TRUE(replaces);
  write("three.pipe", pipeOf(spirv));
  EXPECT_NE(create(spirv).find("have the same modules"), std::string::npos);
}

TEST_F(PipelineReplacementTest, WhatCannotBeBoundIsRefused) {
  const Spirv spirv = shader("comp");
  write("one.pipe", pipeOf(spirv, "[ResourceMapping]\n"
                                  "userDataNode[0].type = DescriptorTableVaPtr\n"
                                  "userDataNode[0].sizeInDwords = 1\n"
                                  "userDataNode[0].next[0].type = DescriptorYCbCrSampler\n"
                                  "userDataNode[0].next[0].sizeInDwords = 36\n"));
  EXPECT_NE(create(spirv).find("a resource mapping that cannot be bound"), std::string::npos);
  // Nor what would lie at no place.
  for (const char *keys : {"offsetInDwords = 4294967295", "sizeInDwords = 0"}) {
    write("one.pipe", pipeOf(spirv, std::string("[ResourceMapping]\n"
                                                "userDataNode[0].type = DescriptorTableVaPtr\n"
                                                "userDataNode[0].sizeInDwords = 1\n"
                                                "userDataNode[0].") +
                                        keys + "\n"));
    EXPECT_NE(create(spirv).find("a resource mapping that cannot be bound"), std::string::npos)
        << keys;
  }
  write("one.pipe", "[CsInfo\n");
  EXPECT_NE(create(spirv), "");
}

// An .elf file is the code, whatever the file beside it would give.
TEST_F(PipelineReplacementTest, CodeIsTakenAsItIs) {
  const Spirv spirv = shader("comp");
  write("one.pipe", pipeOf(spirv));
  write("one.elf", "none");
  EXPECT_EQ(create(spirv), "");
  EXPECT_TRUE(replaces);
}

/// One that is there but cannot be read is no reason to compile the other.
TEST_F(PipelineReplacementTest, CodeThatCannotBeReadIsAnError) {
  const Spirv spirv = shader("comp");
  write("one.pipe", pipeOf(spirv));
  ASSERT_FALSE(llvm::sys::fs::create_directory(folder + "/one.elf"));
  EXPECT_NE(create(spirv).find("/one.elf: "), std::string::npos);
  EXPECT_FALSE(replaces);
}

} // namespace
} // namespace icd
