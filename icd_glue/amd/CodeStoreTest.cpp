//===- CodeStoreTest.cpp - parts before pipelines -------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/amd/CodeStore.h"
#include "icd_glue/amd/AdapterForTest.h"
#include "lgc/TaskView.h"
#include "lgc/UberFetch.h"
#include "llvm/ADT/StringRef.h"

using namespace icd::amd;

namespace {

constexpr const char *geometryText = R"(#version 450
layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec2 from[]; layout(location = 0) out vec2 place;
void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    place = from[i];
    EmitVertex();
  }
})";
constexpr const char *plainVertexText = R"(#version 450
layout(location = 0) in vec4 position;
layout(location = 0) out vec2 place;
void main() { gl_Position = position; place = position.xy; })";

class AmdCodeStore : public testing::Test {
protected:
  AmdCodeStore() {
    use("gfx1100");
    options.optLevel = lgc::OptLevel::Default;
  }
  void use(const char *target) {
    auto made = llpc::Compiler::create({.target = target});
    EXPECT_TRUE(bool(made));
    compiler = std::move(*made);
  }

  llpc::ShaderModule moduleOf(const char *text, const char *stage) {
    auto module = llpc::Compiler::buildShaderModule(spirvOf(text, stage));
    EXPECT_TRUE(bool(module));
    return std::move(*module);
  }

  static void add(llpc::GraphicsPipelineBuildInfo &info, llpc::ShaderStage stage,
                  const llpc::ShaderModule &module) {
    llpc::PipelineShaderInfo &shader = info.shader(stage);
    shader.module = module;
    shader.options.wgpMode = false;
    shader.options.forwardPropagateNoContract = true;
    if (stage == llpc::ShaderStage::Fragment)
      shader.options.waveSize = 64;
  }

  /// Attributes and a colour target, but no descriptors.
  llpc::GraphicsPipelineBuildInfo infoOf(bool hasGeometry, bool isBuiltBefore) {
    llpc::GraphicsPipelineBuildInfo info;
    auto stage = [&](llpc::ShaderStage which, const char *text, const char *name) {
      const llpc::ShaderModule module = moduleOf(text, name);
      if (isBuiltBefore)
        store->moduleBuilt(module, options);
      add(info, which, module);
    };
    stage(llpc::ShaderStage::Vertex, plainVertexText, "vert");
    if (hasGeometry)
      stage(llpc::ShaderStage::Geometry, geometryText, "geom");
    stage(llpc::ShaderStage::Fragment, fragmentText, "frag");
    info.options = options;
    info.vertexInput.bindings = {{0, 16, lgc::VertexInputRate::Vertex, 1}};
    info.vertexInput.attributes = {{0, 0, uint32_t(VK_FORMAT_R32G32B32A32_SFLOAT), 0}};
    info.cbState.target[0].format = uint32_t(VK_FORMAT_R8G8B8A8_UNORM);
    return info;
  }

  bool counts(const std::string &text) const {
    return llvm::StringRef(store->statistics()).contains(text);
  }

  std::unique_ptr<llpc::Compiler> compiler;
  llpc::PipelineOptions options;
  Settings settings;
  Log log{"/dev/null"};
  std::unique_ptr<CodeStore> store;
};

} // namespace

TEST_F(AmdCodeStore, linksWhatWasBuiltInAdvance) {
  for (bool hasGeometry : {false, true}) {
    store = std::make_unique<CodeStore>(*compiler, settings, log);
    const llpc::GraphicsPipelineBuildInfo info = infoOf(hasGeometry, /*isBuiltBefore=*/true);
    store->waitIdle();
    auto found = store->codeOf(info);
    ASSERT_TRUE(bool(found)) << lgc::consumeToText(found.takeError()).message;
    EXPECT_EQ(found->source, CodeStore::Source::Linked);
    EXPECT_TRUE(counts("late 0")) << store->statistics();
    auto again = store->codeOf(info);
    ASSERT_TRUE(bool(again));
    EXPECT_EQ(again->source, CodeStore::Source::Kept);
    EXPECT_EQ(again->code, found->code);
  }
}

TEST_F(AmdCodeStore, compilesWholeWhatNobodyAnnounced) {
  store = std::make_unique<CodeStore>(*compiler, settings, log);
  auto found = store->codeOf(infoOf(/*hasGeometry=*/false, /*isBuiltBefore=*/false));
  ASSERT_TRUE(bool(found));
  EXPECT_EQ(found->source, CodeStore::Source::Compiled);
  EXPECT_TRUE(counts("pipelines compiled 1"));
}

TEST_F(AmdCodeStore, buildsNothingInAdvanceWhenSwitchedOff) {
  settings.parts = false;
  store = std::make_unique<CodeStore>(*compiler, settings, log);
  auto found = store->codeOf(infoOf(/*hasGeometry=*/false, /*isBuiltBefore=*/true));
  ASSERT_TRUE(bool(found));
  EXPECT_EQ(found->source, CodeStore::Source::Compiled);
  EXPECT_TRUE(counts("parts in advance 0"));
}

TEST_F(AmdCodeStore, learnsOptionsOfLastPipelines) {
  store = std::make_unique<CodeStore>(*compiler, settings, log);
  llpc::GraphicsPipelineBuildInfo other = infoOf(/*hasGeometry=*/false, /*isBuiltBefore=*/false);
  other.fs.options.waveSize = 32;
  other.vs.options.wgpMode = true;
  ASSERT_TRUE(bool(store->codeOf(other)));
  for (const llpc::PipelineShaderInfo *shader : {&other.vs, &other.fs})
    store->moduleBuilt(shader->module, options);
  store->waitIdle();
  other.cbState.target[0].format = uint32_t(VK_FORMAT_R32G32B32A32_SFLOAT);
  auto found = store->codeOf(other);
  ASSERT_TRUE(bool(found));
  EXPECT_EQ(found->source, CodeStore::Source::Linked);
  EXPECT_TRUE(counts("late 0")) << store->statistics();
}

// Memory that describes attributes: as soon as a pipeline had it, vertex shaders are compiled for
// it, too.
TEST_F(AmdCodeStore, learnsThatAttributesAreDescribedInMemory) {
  store = std::make_unique<CodeStore>(*compiler, settings, log);
  llpc::GraphicsPipelineBuildInfo info = infoOf(/*hasGeometry=*/false, /*isBuiltBefore=*/false);
  const llpc::VertexInputInfo input = std::exchange(info.vertexInput, {});
  info.enableUberFetchShader = info.useSoftwareVertexBufferDescriptors = true;
  lgc::ResourceNode memory, pointer;
  memory.type = lgc::ResourceNodeType::InlineBuffer;
  memory.set = lgc::internalSet;
  memory.binding = lgc::uberFetchBinding;
  memory.sizeInDwords = 258;
  pointer.type = lgc::ResourceNodeType::DescriptorTableVaPtr;
  pointer.offsetInDwords = 5;
  pointer.sizeInDwords = 1;
  pointer.table = {memory};
  info.resourceMapping.roots = {pointer};
  ASSERT_TRUE(bool(store->codeOf(info)));
  for (const llpc::PipelineShaderInfo *shader : {&info.vs, &info.fs})
    store->moduleBuilt(shader->module, options);
  store->waitIdle();
  // Another pipeline of the same modules, in another layout; and one whose attributes are known.
  info.cbState.target[0].format = uint32_t(VK_FORMAT_R32G32B32A32_SFLOAT);
  info.resourceMapping.roots[0].offsetInDwords = 3;
  auto found = store->codeOf(info);
  ASSERT_TRUE(bool(found)) << lgc::consumeToText(found.takeError()).message;
  EXPECT_EQ(found->source, CodeStore::Source::Linked);
  info.vertexInput = input;
  found = store->codeOf(info);
  ASSERT_TRUE(bool(found)) << lgc::consumeToText(found.takeError()).message;
  EXPECT_EQ(found->source, CodeStore::Source::Linked);
  // And libraries, whose options nobody had before.
  info.vertexInput = {};
  info.vs.options.wgpMode = true;
  llpc::GraphicsPipelineBuildInfo half = info;
  half.fs = {};
  half.enableUberFetchShader = false;
  half.stageMask = stageBit(llpc::ShaderStage::Fragment);
  store->libraryBuilt(half, lgc::PartKind::PreRasterization);
  found = store->codeOf(info);
  ASSERT_TRUE(bool(found)) << lgc::consumeToText(found.takeError()).message;
  EXPECT_EQ(found->source, CodeStore::Source::Linked);
  EXPECT_TRUE(counts("late 0")) << store->statistics();
}

// Specialized pipelines: whole as long as nothing else is asked for.
TEST_F(AmdCodeStore, linksSpecializedPipelinesWhereThatIsWanted) {
  for (const bool isWanted : {false, true}) {
    settings.linkConstants = isWanted;
    store = std::make_unique<CodeStore>(*compiler, settings, log);
    const llpc::ShaderModule module = moduleOf(computeText, "comp");
    store->moduleBuilt(module, options);
    store->waitIdle();
    llpc::ComputePipelineBuildInfo info;
    info.options = options;
    info.cs.entryStage = llpc::ShaderStage::Compute;
    info.cs.module = module;
    info.cs.options.wgpMode = false;
    info.cs.options.forwardPropagateNoContract = true;
    info.cs.options.waveSize = 64;
    auto mapping = llpc::Compiler::guessLayout(module, info.cs, {});
    ASSERT_TRUE(bool(mapping));
    info.resourceMapping = std::move(*mapping);
    std::vector<std::shared_ptr<const Code>> codes;
    for (const uint64_t value : {3, 4, 5}) { // the module says 3
      info.cs.specialization = {{7, 4, value}};
      auto found = store->codeOf(info);
      ASSERT_TRUE(bool(found)) << lgc::consumeToText(found.takeError()).message;
      const bool isLinked = isWanted || value == 3;
      EXPECT_EQ(found->source, isLinked ? CodeStore::Source::Linked : CodeStore::Source::Compiled);
      codes.push_back(found->code);
    }
    EXPECT_NE(codes[1]->elf, codes[2]->elf);
    EXPECT_TRUE(counts("late 0")) << store->statistics();
  }
}

// The halves of libraries are parts as soon as they are built, whatever was guessed before.
TEST_F(AmdCodeStore, linksWhatLibrariesAre) {
  store = std::make_unique<CodeStore>(*compiler, settings, log);
  llpc::GraphicsPipelineBuildInfo info = infoOf(/*hasGeometry=*/false, /*isBuiltBefore=*/false);
  info.vs.options.wgpMode = true;
  info.fs.options.waveSize = 32;
  llpc::GraphicsPipelineBuildInfo half = info;
  half.vertexInput = {};
  half.fs = {};
  half.stageMask = stageBit(llpc::ShaderStage::Fragment);
  store->libraryBuilt(half, lgc::PartKind::PreRasterization);
  half = info;
  half.vs = {};
  half.cbState = {};
  half.stageMask = stageBit(llpc::ShaderStage::Vertex);
  store->libraryBuilt(half, lgc::PartKind::Fragment);
  auto found = store->codeOf(info);
  ASSERT_TRUE(bool(found)) << lgc::consumeToText(found.takeError()).message;
  EXPECT_EQ(found->source, CodeStore::Source::Linked);
  EXPECT_TRUE(counts("late 0")) << store->statistics();
}

// What AMD's driver asks for on each family is what is guessed before the first pipeline.
TEST_F(AmdCodeStore, guessesWhatTheDriverAsksForOnEachFamily) {
  for (const char *target : {"gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201"}) {
    use(target);
    store = std::make_unique<CodeStore>(*compiler, settings, log);
    llpc::GraphicsPipelineBuildInfo info = infoOf(/*hasGeometry=*/false, /*isBuiltBefore=*/true);
    store->waitIdle();
    const llvm::StringRef name = target;
    info.fs.options.waveSize = name.starts_with("gfx10") ? 0 : 64;
    info.nggState.backfaceCulling = info.nggState.smallPrimitiveFilter = name == "gfx1030";
    auto found = store->codeOf(info);
    ASSERT_TRUE(bool(found)) << lgc::consumeToText(found.takeError()).message;
    EXPECT_EQ(found->source, CodeStore::Source::Linked) << target;
    EXPECT_TRUE(counts("late 0")) << target << ": " << store->statistics();
    store.reset();
  }
}
