//===- StageChainsTest.cpp - stages that are compiled together ahead ------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/partial/StageChains.h"
#include "icd_glue/partial/PartCounters.h"
#include "icd_glue/partial/PartsForTest.h"

using namespace icd;

namespace {

class Chains : public Parts {
protected:
  void SetUp() override { begin({{"KILN_PARTS", "off"}}); }

  EntryOfModule entry(const std::string &stage, const std::string &body) {
    return {moduleOfGlsl("#version 460\n" + body, stage), 0};
  }
  EntryOfModule vertex(const std::string &outputs) {
    return entry("vert", outputs + "void main() { gl_Position = vec4(1); }");
  }
  EntryOfModule geometry(const std::string &inputs) {
    return entry("geom", "layout(triangles) in;\n"
                         "layout(triangle_strip, max_vertices = 3) out;\n" +
                             inputs + "void main() { EmitVertex(); }");
  }
  /// Hands a vec2 and, by patch, a float on.
  EntryOfModule control(const std::string &place = "layout(location = 0) in vec2 a[];\n") {
    return entry("tesc", place + "layout(vertices = 4) out;\n"
                                 "layout(location = 0) out vec2 b[];\n"
                                 "layout(location = 1) patch out float c;\n"
                                 "void main() { b[gl_InvocationID] = vec2(1); c = 2; }");
  }
  EntryOfModule evaluation(const std::string &inputs) {
    return entry("tese", "layout(quads) in;\nlayout(location = 0) out vec2 o;\n" + inputs +
                             "void main() { o = vec2(1); gl_Position = vec4(1); }");
  }

  using Found = std::vector<std::vector<llpc::Hash128>>;
  static uint64_t ownerOf(const EntryOfModule &one) { return one.module.hash()[0]; }
  bool add(const EntryOfModule &one) {
    chains.expect(ownerOf(one));
    return chains.add(ownerOf(one), one.module);
  }
  Found with(const EntryOfModule &one) {
    Found hashes;
    for (const StageChains::Chain &chain : chains.with(ownerOf(one))) {
      EXPECT_TRUE(chains.isKnown(chain));
      hashes.emplace_back();
      for (const EntryOfModule &stage : chain)
        hashes.back().push_back(stage.module.hash());
    }
    return hashes;
  }
  static std::vector<llpc::Hash128> hashes(std::initializer_list<EntryOfModule> entries) {
    std::vector<llpc::Hash128> result;
    for (const EntryOfModule &one : entries)
      result.push_back(one.module.hash());
    return result;
  }

  StageChains chains;
};

TEST_F(Chains, WhatIsReadMustBeWritten) {
  const EntryOfModule fits = vertex("layout(location = 1) out vec3 a;\n");
  const EntryOfModule tooShort = vertex("layout(location = 1) out vec2 a;\n");
  const EntryOfModule integers = vertex("layout(location = 1) out ivec3 a;\n");
  const EntryOfModule elsewhere = vertex("layout(location = 0) out vec3 a;\n");
  const EntryOfModule more =
      vertex("layout(location = 1) out vec4 a;\nlayout(location = 3) out float b;\n");
  for (const EntryOfModule &one : {fits, tooShort, integers, elsewhere, more})
    EXPECT_FALSE(add(one)); // there is no geometry shader
  const EntryOfModule reader = geometry("layout(location = 1) in vec3 a[];\n");
  EXPECT_TRUE(add(reader));
  // The one that writes nothing for nobody is first, although it is the oldest.
  EXPECT_EQ(with(reader), (Found{hashes({fits, reader}), hashes({more, reader})}));
  EXPECT_EQ(with(fits), (Found{hashes({fits, reader})}));
  EXPECT_TRUE(with(tooShort).empty());
  const StageChains::Chain chain = {fits, reader};
  EXPECT_TRUE(chains.isKnown(chain));
  chains.forget(ownerOf(reader));
  EXPECT_FALSE(chains.isKnown(chain));
  EXPECT_TRUE(with(fits).empty());
  EXPECT_TRUE(with(reader).empty());
  // Its module has gone before it was looked at.
  EXPECT_FALSE(chains.add(ownerOf(reader), reader.module));
  EXPECT_TRUE(with(fits).empty());
}

TEST_F(Chains, TessellationWithAndWithoutGeometry) {
  const EntryOfModule first = vertex("layout(location = 0) out vec2 a;\n");
  const EntryOfModule second = control();
  const EntryOfModule third =
      evaluation("layout(location = 0) in vec2 b[];\nlayout(location = 1) patch in float c;\n");
  // What belongs to vertices is not what belongs to the patch.
  const EntryOfModule other = evaluation("layout(location = 1) in float c[];\n");
  const EntryOfModule last = geometry("layout(location = 0) in vec2 o[];\n");
  for (const EntryOfModule &one : {second, third, other, last})
    EXPECT_FALSE(add(one));
  EXPECT_TRUE(add(first));
  EXPECT_EQ(with(first), (Found{hashes({first, last}), hashes({first, second, third}),
                                hashes({first, second, third, last})}));
  EXPECT_TRUE(with(other).empty());
}

TEST_F(Chains, TheLastOnesAreTriedAndTheYoungestFirst) {
  std::vector<EntryOfModule> vertices;
  for (unsigned count = 0; count < StageChains::maxChains + 2; ++count)
    vertices.push_back(
        entry("vert", "void main() { gl_Position = vec4(" + std::to_string(count) + "); }"));
  const EntryOfModule reader = geometry("");
  for (const EntryOfModule &one : vertices)
    add(one);
  add(reader);
  auto found = with(reader);
  ASSERT_EQ(found.size(), StageChains::maxChains);
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_EQ(found[i], hashes({vertices[vertices.size() - 1 - i], reader}));
}

/// Nobody has so many locations; comparing them would take long.
TEST_F(Chains, ManyLocationsAreNotCompared) {
  EXPECT_FALSE(add(vertex("layout(location = 0) out float a[200];\n")));
  const EntryOfModule reader = geometry("layout(location = 199) in float a[];\n");
  EXPECT_FALSE(add(reader));
  EXPECT_TRUE(with(reader).empty());
}

//===--- As an application sees it ----------------------------------------===//

using Sources = std::vector<std::pair<VkShaderStageFlagBits, std::string>>;

const char *nameOf(VkShaderStageFlagBits stage) {
  switch (stage) {
  case VK_SHADER_STAGE_VERTEX_BIT:
    return "vert";
  case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
    return "tesc";
  case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
    return "tese";
  case VK_SHADER_STAGE_GEOMETRY_BIT:
    return "geom";
  case VK_SHADER_STAGE_TASK_BIT_EXT:
    return "task";
  case VK_SHADER_STAGE_MESH_BIT_EXT:
    return "mesh";
  default:
    return "frag";
  }
}

const std::pair<VkShaderStageFlagBits, std::string> vertexStage = {VK_SHADER_STAGE_VERTEX_BIT,
                                                                   R"(#version 450
layout(location = 0) in vec4 position;
layout(set = 0, binding = 1) readonly buffer B { float b[]; };
layout(location = 0) out vec2 place;
void main() { gl_Position = position; place = position.xy * b[3]; })"};
const Sources tessellationStages = {{VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, R"(#version 450
layout(location = 0) in vec2 place[];
layout(vertices = 4) out;
layout(location = 0) out vec2 placed[];
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  placed[gl_InvocationID] = place[gl_InvocationID];
  gl_TessLevelOuter = float[](2, 2, 2, 2);
  gl_TessLevelInner = float[](2, 2);
})"},
                                    {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, R"(#version 450
layout(quads) in;
layout(location = 0) in vec2 placed[];
layout(location = 0) out vec2 place;
void main() { gl_Position = gl_in[1].gl_Position; place = placed[2] * gl_TessCoord.xy; })"}};
const std::pair<VkShaderStageFlagBits, std::string> geometryStage = {VK_SHADER_STAGE_GEOMETRY_BIT,
                                                                     R"(#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec2 place[];
layout(location = 0) out vec2 placed;
void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    placed = place[i];
    EmitVertex();
  }
})"};
const std::pair<VkShaderStageFlagBits, std::string> fragmentStage = {VK_SHADER_STAGE_FRAGMENT_BIT,
                                                                     fragmentShader};
const Sources meshStages = {{VK_SHADER_STAGE_TASK_BIT_EXT, R"(#version 460
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 1) in;
struct Payload { float scale; };
taskPayloadSharedEXT Payload payload;
void main() { payload.scale = 3; EmitMeshTasksEXT(2, 1, 1); })"},
                            {VK_SHADER_STAGE_MESH_BIT_EXT, R"(#version 460
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 3) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
struct Payload { float scale; };
taskPayloadSharedEXT Payload payload;
layout(location = 0) out vec2 place[];
void main() {
  SetMeshOutputsEXT(3, 1);
  gl_MeshVerticesEXT[gl_LocalInvocationIndex].gl_Position = vec4(payload.scale);
  place[gl_LocalInvocationIndex] = vec2(payload.scale);
  gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
})"}};

class PartsOfChains : public Parts {
protected:
  /// Modules in any order, then a pipeline of them, for which nothing must be left to compile.
  void expectReady(Sources sources, const std::vector<VkDynamicState> &dynamics = {}) {
    SCOPED_TRACE(nameOf(sources[sources.size() - 2].first));
    begin({{"KILN_PARTS", "on"}});
    const VkPipelineLayout usedLayout = layout({1});
    vktest::GraphicsInfo graphics;
    std::vector<VkShaderModule> modules;
    bool isPatch = false, isMesh = false;
    for (const auto &[stage, text] : llvm::reverse(sources)) {
      modules.push_back(module(spirvOfGlsl(text, nameOf(stage))));
      graphics.addStage(stage, modules.back());
      isPatch |= stage == VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
      isMesh |= stage == VK_SHADER_STAGE_MESH_BIT_EXT;
    }
    partial().waitIdle();
    if (!isMesh) {
      graphics.bindings = {{0, 16, VK_VERTEX_INPUT_RATE_VERTEX}};
      graphics.attributes = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}};
    }
    graphics.dynamics = dynamics;
    auto patches = vkStruct<VkPipelineTessellationStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO);
    patches.patchControlPoints = 4;
    graphics.info.pTessellationState = &patches;
    graphics.assembly.topology =
        isPatch ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    graphics.info.layout = usedLayout;
    // Linking is no compile, nor is glue that needs no LLVM.
    graphics.info.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    VkPipeline made = VK_NULL_HANDLE;
    ASSERT_EQ(CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &graphics.done(), nullptr, &made),
              VK_SUCCESS);
    keep(made);
    EXPECT_EQ(counters().linked, 1u);
    EXPECT_EQ(counters().compiled, 0u);
    EXPECT_EQ(counters().partsBuiltLate, 0u);
    EXPECT_TRUE(counters().misses().empty());
    for (VkShaderModule shader : modules)
      destroy(shader);
    end();
  }
};

/// Each look finds the chain of modules that came while it waited.
TEST_F(PartsOfChains, AreBuiltOnce) {
  begin({{"KILN_PARTS", "on"}, {"KILN_PART_WORKERS", "1"}});
  VkShaderModule geometry = module(spirvOfGlsl(geometryStage.second, "geom"));
  VkShaderModule vertex = module(spirvOfGlsl(vertexStage.second, "vert"));
  VkShaderModule again = module(spirvOfGlsl(vertexStage.second, "vert"));
  partial().waitIdle();
  EXPECT_EQ(counters().partsBuilt, 2u); // the vertex shader alone, and both
  // The vertex shader twice, three looks, one chain.
  EXPECT_EQ(partial().poolCounters().accepted, 6u);
  for (VkShaderModule shader : {geometry, vertex, again})
    destroy(shader);
}

TEST_F(PartsOfChains, AreReadyBeforeThePipeline) {
  const Sources plain = {vertexStage, fragmentStage};
  expectReady(plain);
  expectReady(plain, {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY});
  const Sources geometry = {vertexStage, geometryStage, fragmentStage};
  expectReady(geometry);
  expectReady(geometry, {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY});
  Sources tessellation = {vertexStage, tessellationStages[0], tessellationStages[1], fragmentStage};
  expectReady(tessellation);
  expectReady(tessellation, {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY});
  expectReady(tessellation, {VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT});
  tessellation.insert(tessellation.end() - 1, geometryStage);
  expectReady(tessellation);
  expectReady(tessellation, {VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT});
  expectReady({meshStages[0], meshStages[1], fragmentStage});
}

} // namespace
