//===- AdapterForTest.h - a driver's side of the interface ----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/amd/Interface.h"
#include "tools/frontend/Glsl.h"
#include <cstdlib>
#include <gtest/gtest.h>

namespace icd::amd {

/// Memory of results, which goes away with it.
class Memory {
public:
  Memory() = default;
  Memory(const Memory &) = delete;
  ~Memory() {
    for (void *block : blocks)
      std::free(block);
  }
  /// pfnOutputAlloc; the instance is a Memory.
  static void *allocate(void *self, void *, size_t size) {
    auto &memory = *static_cast<Memory *>(self);
    memory.blocks.push_back(memory.isEmpty ? nullptr : std::malloc(size));
    return memory.blocks.back();
  }

  bool isEmpty = false; ///< nothing is left
  std::vector<void *> blocks;
};

inline std::vector<uint8_t> spirvOf(const std::string &glsl, const char *stage) {
  auto spirv = frontend::compileGlsl(glsl, stage);
  if (spirv)
    return std::move(*spirv);
  ADD_FAILURE() << lgc::consumeToText(spirv.takeError()).message;
  return {};
}

/// A module of GLSL, in \p memory.
inline const void *moduleFor(Llpc::ICompiler &compiler, Memory &memory, const char *text,
                             const char *stage) {
  const std::vector<uint8_t> spirv = spirvOf(text, stage);
  Llpc::ShaderModuleBuildInfo info = {};
  info.pInstance = &memory;
  info.pfnOutputAlloc = Memory::allocate;
  info.shaderBin = {spirv.size(), spirv.data()};
  Llpc::ShaderModuleBuildOut out = {};
  EXPECT_EQ(compiler.BuildShaderModule(&info, &out), Vkgc::Result::Success);
  return out.pModuleData;
}

inline const char *const computeText = R"(#version 450
layout(local_size_x = 64) in;
layout(constant_id = 7) const uint k = 3;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() { b[gl_GlobalInvocationID.x] += k; })";
inline const char *const vertexText = R"(#version 450
layout(location = 0) in vec4 position;
layout(location = 0) out vec2 place;
void main() { gl_Position = position; gl_PointSize = position.x; place = position.xy; })";
inline const char *const fragmentText = R"(#version 450
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
void main() { color = vec4(place, 0.5, 1); })";

/// A layout as AMD's driver makes it: a set pointer, push constants, the table of vertex buffers.
struct Layout {
  Layout() {
    binding.type = Vkgc::ResourceMappingNodeType::DescriptorBuffer;
    binding.sizeInDwords = 4;
    binding.srdRange = {0, 0, 4};
    roots[0].node.type = Vkgc::ResourceMappingNodeType::DescriptorTableVaPtr;
    roots[0].node.sizeInDwords = 1;
    roots[0].node.tablePtr = {1, &binding};
    roots[1].node.type = Vkgc::ResourceMappingNodeType::IndirectUserDataVaPtr;
    roots[1].node.sizeInDwords = 1;
    roots[1].node.offsetInDwords = 1;
    roots[1].node.userDataPtr.sizeInDwords = 64;
  }
  Vkgc::ResourceMappingData data() const { return {roots, 2, nullptr, 0}; }

  Vkgc::ResourceMappingNode binding = {};
  Vkgc::ResourceMappingRootNode roots[2] = {};
};

} // namespace icd::amd
