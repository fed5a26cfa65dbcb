// SPDX-License-Identifier: MIT
// VK_KHR_pipeline_binary and VK_EXT_shader_module_identifier with pipeline libraries: what
// libraries without SPIR-V are linked to draws what it should.
#include "Binaries.h"
#include "LibraryScene.h"
#include <cstdlib>
#include <map>

namespace api {
namespace {

constexpr VkPipelineCreateFlags retains =
    VK_PIPELINE_CREATE_LIBRARY_BIT_KHR |
    VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
constexpr VkPipelineCreateFlags optimised = VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT;
constexpr VkPipelineCreateFlags noCompile =
    VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
constexpr Subsets each[] = {vertexInput, preRasterization, fragmentShader, fragmentOutput};

class LibraryBinaryApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME) ||
        !gpu.hasExtension(VK_KHR_PIPELINE_BINARY_EXTENSION_NAME))
      GTEST_SKIP();
    scene.emplace(gpu);
  }
  std::optional<LibraryScene> scene;
};
API_TESTS_ON_ALL_DEVICES(LibraryBinaryApi);

LibraryOptions capturing(VkPipelineCreateFlags flags = retains) {
  LibraryOptions options;
  options.flags = flags;
  options.flags2 = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR;
  return options;
}

Key keyOf(LibraryScene &scene, const LibraryState &state, Subsets own,
          const LibraryOptions &options) {
  Key key;
  scene.withInfo(state, own, options, [&](const VkGraphicsPipelineCreateInfo &info) {
    key = pipelineKey(scene.gpu, &info);
  });
  return key;
}

/// What an application keeps: pipeline key -> binaries.
using Database = std::map<Key, Kept>;

/// Creates and captures a library, and destroys it.
void capture(LibraryScene &scene, const LibraryState &state, Subsets own, Database &database) {
  const LibraryOptions options = capturing();
  VkPipeline pipeline = VK_NULL_HANDLE;
  VK_OK(scene.tryCreate(state, own, options, &pipeline));
  Binaries binaries(scene.gpu);
  VK_OK(binaries.fromPipeline(pipeline));
  releaseCapturedData(scene.gpu, pipeline);
  database[keyOf(scene, state, own, options)] = binaries.keep();
  scene.gpu.vk.DestroyPipeline(scene.gpu.device, pipeline, nullptr);
}

/// The library of its binaries alone. Those of libraries without shaders may be none.
VkPipeline deserialize(LibraryScene &scene, const LibraryState &state, Subsets own,
                       const Database &database) {
  LibraryOptions options;
  options.flags = retains;
  const auto kept = database.find(keyOf(scene, state, own, options));
  if (kept == database.end()) {
    ADD_FAILURE() << "no key of " << own;
    return VK_NULL_HANDLE;
  }
  Binaries binaries(scene.gpu);
  if (!kept->second.keys.empty()) {
    VK_OK(binaries.fromKept(kept->second));
    options.source = Source::None;
    options.binaries = binaries.info();
  }
  return scene.create(state, own, options);
}

/// Libraries of the four subsets out of \p database, of which both kinds of links draw \p expected.
std::vector<VkPipeline> linkDeserialized(LibraryScene &scene, const LibraryState &state,
                                         Database &database,
                                         const LibraryScene::Picture &expected) {
  std::vector<VkPipeline> libraries;
  for (Subsets own : each)
    libraries.push_back(deserialize(scene, state, own, database));
  EXPECT_EQ(scene.draw(scene.link(libraries)), expected);
  EXPECT_EQ(scene.draw(scene.link(libraries, optimised)), expected);
  return libraries;
}

TEST_P(LibraryBinaryApi, LibrariesComeFromBinaries) {
  const LibraryState state;
  Database database;
  {
    Gpu first(GetParam());
    LibraryScene made(first);
    for (Subsets own : each)
      capture(made, state, own, database);
    capture(made, state, preRasterization | fragmentShader, database);
  }
  EXPECT_EQ(database.size(), 5u);
  const auto expected = scene->expected(state);
  const auto libraries = linkDeserialized(*scene, state, database, expected);
  const VkPipeline both = deserialize(*scene, state, preRasterization | fragmentShader, database);
  EXPECT_EQ(scene->draw(scene->link({libraries[0], both, libraries[3]})), expected);
  EXPECT_EQ(scene->draw(scene->link({libraries[0], both, libraries[3]}, optimised)), expected);
}

TEST_P(LibraryBinaryApi, TessellatedLibrariesComeFromBinaries) {
  if (!hasTessellation(gpu))
    GTEST_SKIP() << "no tessellation shaders";
  const LibraryState state = tessellatedState();
  Database database;
  {
    Gpu first(GetParam());
    LibraryScene made(first);
    for (Subsets own : each)
      capture(made, state, own, database);
  }
  EXPECT_EQ(database.size(), 4u);
  const auto expected = scene->expected(state);
  linkDeserialized(*scene, state, database, expected);
}

// The part of the binary does not fit; its SPIR-V does.
TEST_P(LibraryBinaryApi, BinariesAreGoodForEverything) {
  LibraryState state;
  Database database;
  for (Subsets own : each)
    capture(*scene, state, own, database);
  std::vector<VkPipeline> libraries;
  for (Subsets own : each)
    libraries.push_back(deserialize(*scene, state, own, database));
  for (VkPrimitiveTopology topology :
       {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP}) {
    state.topology = topology;
    LibraryOptions options;
    options.flags = retains;
    const std::vector<VkPipeline> mixed = {scene->create(state, vertexInput, options), libraries[1],
                                           libraries[2], libraries[3]};
    const auto expected = scene->expected(state);
    EXPECT_EQ(scene->draw(scene->link(mixed)), expected);
    EXPECT_EQ(scene->draw(scene->link(mixed, optimised)), expected);
  }
  // Distances become attributes only where a fragment shader reads them: it cannot be linked.
  state = {};
  state.vertexGlsl.insert(state.vertexGlsl.find("void main"), "out float gl_ClipDistance[1];\n");
  state.vertexGlsl.insert(state.vertexGlsl.rfind('}'), "gl_ClipDistance[0] = place.x + 2.0; ");
  state.fragmentGlsl = R"(#version 460
layout(location = 2) in vec4 color;
in float gl_ClipDistance[1];
layout(set = 1, binding = 3) uniform Shade { vec4 shade; };
layout(location = 0) out vec4 result;
void main() { result = color * shade + gl_ClipDistance[0] * 0.125; })";
  libraries.clear();
  for (Subsets own : each) {
    capture(*scene, state, own, database);
    libraries.push_back(deserialize(*scene, state, own, database));
  }
  EXPECT_EQ(scene->draw(scene->link(libraries)), scene->expected(state));
}

// Pipelines that were linked have binaries like others.
TEST_P(LibraryBinaryApi, LinkedPipelinesHaveBinaries) {
  const LibraryState state;
  const auto expected = scene->expected(state);
  LibraryOptions options;
  options.flags = retains;
  std::vector<VkPipeline> libraries;
  for (Subsets own : each)
    libraries.push_back(scene->create(state, own, options));
  Key keys[2];
  for (VkPipelineCreateFlags flags : {VkPipelineCreateFlags(0), optimised}) {
    LibraryOptions link = capturing(flags);
    link.libraries = libraries;
    const VkPipeline pipeline = scene->create({}, 0, link);
    Binaries binaries(gpu);
    VK_OK(binaries.fromPipeline(pipeline));
    const Kept kept = binaries.keep();
    Binaries again(gpu);
    VK_OK(again.fromKept(kept));
    link.flags2 = 0;
    if (gpu.isKiln()) // RADV crashes
      keys[flags != 0] = keyOf(*scene, {}, 0, link);
    link.binaries = again.info();
    EXPECT_EQ(scene->draw(scene->create({}, 0, link)), expected);
  }
  EXPECT_TRUE(keys[0] != keys[1] || !gpu.isKiln());
  // A library of libraries has the binaries of all of them.
  LibraryOptions both = capturing();
  both.libraries = {libraries[2], libraries[1]};
  const VkPipeline nested = scene->create({}, 0, both);
  Binaries binaries(gpu);
  VK_OK(binaries.fromPipeline(nested));
  EXPECT_FALSE(binaries.handles.empty());
  EXPECT_EQ(scene->draw(scene->link({libraries[0], nested, libraries[3]})), expected);
}

TEST_P(LibraryBinaryApi, KeysOfLibraries) {
  LibraryState state;
  LibraryOptions options;
  options.flags = retains;
  std::vector<Key> keys;
  for (Subsets own : each)
    keys.push_back(keyOf(*scene, state, own, options));
  // What is no state of a library, is none of its key.
  LibraryState other = state;
  other.blend = false;
  EXPECT_EQ(keyOf(*scene, other, preRasterization, options), keys[1]);
  EXPECT_EQ(keyOf(*scene, other, fragmentShader, options), keys[2]);
  if (gpu.isKiln()) // others have no code for blending
    EXPECT_NE(keyOf(*scene, other, fragmentOutput, options), keys[3]);
  other.vertexGlsl.insert(other.vertexGlsl.rfind('}'), " gl_Position.x += 0.01; ");
  EXPECT_NE(keyOf(*scene, other, preRasterization, options), keys[1]);
  if (gpu.hasExtension(VK_EXT_SHADER_MODULE_IDENTIFIER_EXTENSION_NAME)) {
    LibraryOptions byIdentifier = options;
    byIdentifier.source = Source::Identifier;
    EXPECT_EQ(keyOf(*scene, state, preRasterization, byIdentifier), keys[1]);
    EXPECT_EQ(keyOf(*scene, state, fragmentShader, byIdentifier), keys[2]);
  }
  for (size_t i = 0; i < 4; ++i)
    for (size_t k = 0; k < i; ++k)
      EXPECT_NE(keys[i], keys[k]);
}

TEST_P(LibraryBinaryApi, TheDriversCacheHasLibraries) {
  if (!gpu.isKiln())
    GTEST_SKIP(); // others may have anything
  LibraryState state;
  state.vertexGlsl.insert(state.vertexGlsl.rfind('}'), " gl_Position.x += 0.0625; ");
  LibraryOptions options;
  options.flags = retains;
  Binaries binaries(gpu);
  auto find = [&] {
    VkResult result = VK_ERROR_UNKNOWN;
    scene->withInfo(state, preRasterization, options,
                    [&](const auto &info) { result = binaries.fromCache(&info); });
    return result;
  };
  EXPECT_EQ(find(), VK_PIPELINE_BINARY_MISSING_KHR);
  std::vector<VkPipeline> libraries;
  for (Subsets own : each)
    libraries.push_back(scene->create(state, own, options));
  VK_OK(find());
  EXPECT_EQ(binaries.handles.size(), 1u);
  options.source = Source::None;
  options.binaries = binaries.info();
  libraries[1] = scene->create(state, preRasterization, options);
  EXPECT_EQ(scene->draw(scene->link(libraries)), scene->expected(state));
}

TEST_P(LibraryBinaryApi, DamagedDataIsAnError) {
  if (!gpu.isKiln())
    GTEST_SKIP(); // others crash
  const LibraryState state;
  Database database;
  capture(*scene, state, preRasterization, database);
  capture(*scene, state, fragmentShader, database);
  Kept shaders[2];
  LibraryOptions options;
  options.flags = retains;
  for (unsigned i = 0; i < 2; ++i)
    shaders[i] = database[keyOf(*scene, state, each[i + 1], options)];
  Binaries binaries(gpu);
  const size_t size = shaders[0].data[0].size();
  for (size_t at = 0; at < size; at += 1 + size / 300) {
    Kept damaged = shaders[0];
    damaged.data[0][at] ^= uint8_t(1 << (at % 8));
    EXPECT_LT(binaries.fromKept(damaged), 0) << at;
    damaged = shaders[0];
    damaged.data[0].resize(at ? at : 1);
    EXPECT_LT(binaries.fromKept(damaged), 0) << at;
  }
  // Sound ones of another library, too many, and those of monolithic pipelines.
  VkPipeline made = VK_NULL_HANDLE;
  Binaries fragment(gpu), both(gpu), whole(gpu);
  VK_OK(fragment.fromKept(shaders[1]));
  options.source = Source::None;
  options.binaries = fragment.info();
  EXPECT_EQ(scene->tryCreate(state, preRasterization, options, &made), VK_ERROR_UNKNOWN);
  EXPECT_EQ(scene->tryCreate(state, preRasterization | fragmentShader, options, &made),
            VK_ERROR_UNKNOWN);
  Kept twice = shaders[0];
  twice.keys.push_back(shaders[1].keys[0]);
  twice.data.push_back(shaders[1].data[0]);
  VK_OK(both.fromKept(twice));
  options.binaries = both.info();
  EXPECT_EQ(scene->tryCreate(state, preRasterization, options, &made), VK_ERROR_UNKNOWN);
  VK_OK(whole.fromPipeline(scene->create(state, everything, capturing(0))));
  options.binaries = whole.info();
  EXPECT_EQ(scene->tryCreate(state, preRasterization, options, &made), VK_ERROR_UNKNOWN);
  LibraryOptions executable;
  executable.source = Source::None;
  executable.binaries = fragment.info();
  EXPECT_EQ(scene->tryCreate(state, everything, executable, &made), VK_ERROR_UNKNOWN);
}

class LibraryIdentifierApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME) ||
        !gpu.hasExtension(VK_EXT_SHADER_MODULE_IDENTIFIER_EXTENSION_NAME))
      GTEST_SKIP();
    if (std::getenv("VK_INSTANCE_LAYERS"))
      GTEST_SKIP(); // the validation layer takes stages of identifiers for none
    scene.emplace(gpu);
  }
  std::optional<LibraryScene> scene;
};
API_TESTS_ON_ALL_DEVICES(LibraryIdentifierApi);

/// Success, or, of drivers that promise less, that a compile would be needed.
bool isAllowed(Gpu &gpu, VkResult result) {
  return result == VK_SUCCESS || (result == VK_PIPELINE_COMPILE_REQUIRED && !gpu.isKiln());
}

VkPipelineCache makeCache(Gpu &gpu, const std::vector<uint8_t> &data = {}) {
  auto info = vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
  info.initialDataSize = data.size();
  info.pInitialData = data.data();
  VkPipelineCache cache = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreatePipelineCache(gpu.device, &info, nullptr, &cache));
  return cache;
}

/// Data of a cache with the libraries of \p state and an optimised link of them.
std::vector<uint8_t> cacheDataOf(Gpu &gpu, const LibraryState &state) {
  LibraryScene scene(gpu);
  LibraryOptions options;
  options.flags = retains;
  options.cache = makeCache(gpu);
  LibraryOptions link;
  for (Subsets own : each)
    link.libraries.push_back(scene.create(state, own, options));
  link.cache = options.cache;
  link.flags = optimised;
  scene.create({}, 0, link);
  size_t size = 0;
  VK_OK(gpu.vk.GetPipelineCacheData(gpu.device, options.cache, &size, nullptr));
  std::vector<uint8_t> data(size);
  VK_OK(gpu.vk.GetPipelineCacheData(gpu.device, options.cache, &size, data.data()));
  gpu.vk.DestroyPipelineCache(gpu.device, options.cache, nullptr);
  return data;
}

TEST_P(LibraryIdentifierApi, LibrariesComeFromIdentifiers) {
  LibraryState state;
  state.vertexGlsl.insert(state.vertexGlsl.rfind('}'), " gl_Position.y += 0.0625; ");
  LibraryOptions byIdentifier;
  byIdentifier.flags = retains | noCompile;
  byIdentifier.source = Source::Identifier;
  VkPipeline made = VK_NULL_HANDLE;
  const VkResult unknown = scene->tryCreate(state, preRasterization, byIdentifier, &made);
  EXPECT_TRUE(unknown == VK_PIPELINE_COMPILE_REQUIRED || !gpu.isKiln());
  gpu.vk.DestroyPipeline(gpu.device, made, nullptr);
  // The next run of the application has identifiers and the cache's data.
  std::vector<uint8_t> data;
  {
    Gpu first(GetParam());
    data = cacheDataOf(first, state);
  }
  LibraryOptions link;
  link.cache = byIdentifier.cache = makeCache(gpu, data);
  VkPipelineCreationFeedback feedback = {};
  byIdentifier.feedback = &feedback;
  for (Subsets own : each) {
    const VkResult result = scene->tryCreate(state, own, byIdentifier, &made);
    EXPECT_TRUE(isAllowed(gpu, result));
    if (result != VK_SUCCESS)
      break;
    gpu.destroyLater(made);
    link.libraries.push_back(made);
    const bool isHit =
        feedback.flags & VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
    EXPECT_TRUE(!gpu.isKiln() || isHit == bool(own & (preRasterization | fragmentShader)));
  }
  link.flags = optimised | noCompile;
  const bool isComplete = link.libraries.size() == std::size(each);
  const VkResult linked =
      isComplete ? scene->tryCreate({}, 0, link, &made) : VK_PIPELINE_COMPILE_REQUIRED;
  EXPECT_TRUE(isAllowed(gpu, linked));
  if (linked == VK_SUCCESS) {
    gpu.destroyLater(made);
    EXPECT_EQ(scene->draw(made), scene->expected(state));
  }
  gpu.vk.DestroyPipelineCache(gpu.device, link.cache, nullptr);
}

// A fast link needs glue, which is there after another one.
TEST_P(LibraryIdentifierApi, FastLinksNeedNoSpirv) {
  const LibraryState state;
  LibraryOptions options, byIdentifier;
  options.flags = retains;
  byIdentifier.flags = retains | noCompile;
  byIdentifier.source = Source::Identifier;
  std::vector<VkPipeline> others;
  for (Subsets own : each)
    others.push_back(scene->create(state, own, options));
  const auto expected = scene->draw(scene->link(others));
  LibraryOptions link;
  link.flags = noCompile;
  for (Subsets own : each) {
    VkPipeline made = VK_NULL_HANDLE;
    const VkResult result = scene->tryCreate(state, own, byIdentifier, &made);
    EXPECT_TRUE(isAllowed(gpu, result));
    if (result != VK_SUCCESS)
      return;
    gpu.destroyLater(made);
    link.libraries.push_back(made);
  }
  VkPipeline made = VK_NULL_HANDLE;
  const VkResult result = scene->tryCreate({}, 0, link, &made);
  EXPECT_TRUE(isAllowed(gpu, result));
  if (result != VK_SUCCESS)
    return;
  gpu.destroyLater(made);
  EXPECT_EQ(scene->draw(made), expected);
}

// Other primitives take another part, which no cache has.
TEST_P(LibraryIdentifierApi, WhatWasNotCompiledIsRefused) {
  if (!gpu.isKiln())
    GTEST_SKIP();
  LibraryState state;
  LibraryOptions options;
  options.flags = retains;
  // It goes, and so the background cannot compile what it is asked for below.
  VkPipeline original = VK_NULL_HANDLE;
  VK_OK(scene->tryCreate(state, preRasterization, options, &original));
  gpu.vk.DestroyPipeline(gpu.device, original, nullptr);
  std::vector<VkPipeline> libraries = {VK_NULL_HANDLE, VK_NULL_HANDLE,
                                       scene->create(state, fragmentShader, options),
                                       scene->create(state, fragmentOutput, options)};
  options.flags = retains | noCompile;
  options.source = Source::Identifier;
  libraries[1] = scene->create(state, preRasterization, options);
  state.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
  options.source = Source::Inline;
  libraries[0] = scene->create(state, vertexInput, options);
  for (VkPipelineCreateFlags flags : {noCompile, noCompile | optimised}) {
    LibraryOptions link;
    link.flags = flags;
    link.libraries = libraries;
    VkPipeline made = VK_NULL_HANDLE;
    EXPECT_EQ(scene->tryCreate({}, 0, link, &made), VK_PIPELINE_COMPILE_REQUIRED);
    EXPECT_EQ(made, VkPipeline(VK_NULL_HANDLE));
  }
}

} // namespace
} // namespace api
