//===- RecipeBookTest.cpp - pipelines after an update ---------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/assemble/RecipeBook.h"
#include "icd_glue/cache/DiskCacheForTest.h"
#include "icd_glue/context/Instance.h"
#include "icd_glue/partial/PartCounters.h"
#include "icd_glue/partial/PartsForTest.h"

namespace icd {
namespace {

class Recipes : public Parts {
protected:
  /// A device of a build of the driver; \p more is stronger.
  void beginBuild(const char *build, const Settings &more = {}) {
    Settings settings = {{"KILN_PARTS", "on"},
                         {"KILN_CACHE", "on"},
                         {"KILN_CACHE_DIR", folder.folder.c_str()},
                         {"KILN_CACHE_SALT", build}};
    settings.insert(settings.end(), more.begin(), more.end());
    begin(settings);
  }
  void endBuild() {
    object().partial()->waitIdle();
    if (DiskCache *disk = object().diskCache())
      disk->flush();
    end();
    layouts.clear();
    setLayouts.clear();
    pipelines.clear();
  }
  /// Pipelines of one program: with a constant that is a size, with two layouts, and a draw.
  void makeAll() {
    VkShaderModule compute = module(computeShader());
    VkShaderModule vertex = module(spirvOfGlsl(vertexShader, "vert"));
    VkShaderModule fragment = module(spirvOfGlsl(fragmentShader, "frag"));
    partial().waitIdle();
    pipeline(compute, layout({1}));
    const uint32_t value = 9;
    const VkSpecializationMapEntry entry = {0, 0, 4};
    const VkSpecializationInfo constant = {1, &entry, 4, &value};
    VkPipeline made = VK_NULL_HANDLE;
    EXPECT_EQ(create(compute, layouts[0], made, 0, &constant), VK_SUCCESS);
    keep(made);
    pipeline(compute, layout({1}, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC));
    drawPipeline(vertex, fragment, VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R8G8B8A8_SNORM);
    for (VkShaderModule shader : {compute, vertex, fragment})
      destroy(shader);
  }
  RecipeFile file() { return RecipeFile({.path = folder.folder + "/recipes-1.db"}); }

  disktest::Folder folder;
};

TEST_F(Recipes, WhatAProgramMadeIsCompiledAfterAnUpdate) {
  beginBuild("1");
  EXPECT_EQ(counters().recipesCompiled, 0u);
  makeAll();
  EXPECT_GT(counters().compiled, 0u) << "there is something that nobody could know";
  EXPECT_GT(counters().glueBuiltLate, 0u);
  const std::string program = object().instance().programName();
  endBuild();
  EXPECT_EQ(file().recipes(program, 100).size(), 4u);

  beginBuild("2");
  partial().waitIdle();
  EXPECT_EQ(counters().recipesCompiled, 4u);
  EXPECT_GT(counters().partsBuilt, 0u);
  const uint64_t glue = counters().glueBuilt;
  makeAll();
  EXPECT_EQ(counters().compiled, 0u);
  EXPECT_EQ(counters().linkedReady, 4u);
  EXPECT_EQ(counters().partsBuiltLate, 0u);
  EXPECT_EQ(counters().glueBuiltLate, 0u);
  EXPECT_EQ(counters().glueBuilt, glue);
  EXPECT_TRUE(counters().misses().empty());
  endBuild();
  EXPECT_EQ(file().recipes(program, 100).size(), 4u);

  // The same build has done so.
  beginBuild("2");
  partial().waitIdle();
  EXPECT_EQ(counters().recipesCompiled, 0u);
  makeAll();
  EXPECT_EQ(counters().compiled, 0u);
  EXPECT_EQ(counters().recipesNoted, 0u);
}

TEST_F(Recipes, DevicesCanWaitForThem) {
  beginBuild("1");
  makeAll();
  endBuild();
  beginBuild("2", {{"KILN_RECIPES", "wait"}});
  EXPECT_EQ(counters().recipesCompiled, 4u);
  EXPECT_EQ(partial().poolCounters().accepted, partial().poolCounters().ended);
}

TEST_F(Recipes, CanBeSwitchedOff) {
  beginBuild("1", {{"KILN_RECIPES", "off"}});
  EXPECT_EQ(object().recipes(), nullptr);
  makeAll();
  endBuild();
  EXPECT_FALSE(llvm::sys::fs::exists(folder.folder + "/recipes-1.db"));
  for (const auto &[name, value] :
       Settings{{"KILN_PARTS", "off"}, {"KILN_CACHE", "off"}, {"KILN_CACHE", "readonly"}}) {
    beginBuild("1", {{name, value}});
    EXPECT_EQ(object().recipes(), nullptr) << name;
    end();
    instance = VK_NULL_HANDLE;
  }
}

TEST_F(Recipes, DamagedOnesAreNoHarm) {
  beginBuild("1");
  makeAll();
  const std::string program = object().instance().programName();
  endBuild();
  {
    RecipeFile recipes = file();
    const uint32_t noSpirv[] = {1, 2, 3};
    const llpc::Hash128 bad = RecipeFile::nameOfModule("bad.spv");
    auto add = [&](uint32_t number, const std::string &text) {
      EXPECT_TRUE(recipes.store(program, {{{number}, text, {{bad, noSpirv}}, 0}}));
    };
    add(1, "no .pipe file");
    add(2, "[CsSpvFile]\nfileName = bad.spv\n[CsInfo]\nentryPoint = main\n");
    add(3, "[CsSpvFile]\nfileName = missing.spv\n[CsInfo]\nentryPoint = main\n");
    add(4, "[CsGlsl]\n#version 450\nvoid main() {}\n[CsInfo]\nentryPoint = main\n");
    add(5, "");
  }
  beginBuild("2");
  partial().waitIdle();
  EXPECT_EQ(counters().recipesCompiled, 9u);
  makeAll();
  EXPECT_EQ(counters().compiled, 0u);
}

} // namespace
} // namespace icd
