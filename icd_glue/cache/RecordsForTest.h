//===- RecordsForTest.h - compiled code for tests of caches ---------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/code/CodeObject.h"
#include "icd_glue/partial/PartObject.h"
#include "tools/frontend/Glsl.h"

namespace icd {

inline const pal::abi::GpuTarget &gfx1100() { return *pal::abi::findTarget("gfx1100"); }
inline const pal::abi::GpuTarget &gfx1030() { return *pal::abi::findTarget("gfx1030"); }

inline std::vector<uint8_t> spirvOfGlsl(const std::string &text, const std::string &stage) {
  return llvm::cantFail(frontend::compileGlsl(text, stage));
}

inline llpc::ShaderModule moduleOfGlsl(const std::string &text, const std::string &stage) {
  return llvm::cantFail(llpc::Compiler::buildShaderModule(spirvOfGlsl(text, stage)));
}

inline llpc::ComputePipelineBuildInfo computeInfo(unsigned number = 3) {
  llpc::ComputePipelineBuildInfo info;
  info.cs.module = moduleOfGlsl("#version 450\n"
                                "layout(local_size_x = 32) in;\n"
                                "layout(set = 0, binding = 1) buffer B { uint b[]; };\n"
                                "void main() { b[gl_GlobalInvocationID.x] += " +
                                    std::to_string(number) + "; }",
                                "comp");
  info.resourceMapping = llvm::cantFail(llpc::Compiler::buildAutoLayout(info.cs.module, info.cs));
  return info;
}

inline std::shared_ptr<const CodeObject> codeObject(unsigned number = 3) {
  auto compiler = llvm::cantFail(llpc::Compiler::create({.target = "gfx1100"}));
  auto built = llvm::cantFail(compiler->buildComputePipeline(computeInfo(number)));
  CodeObject::Description description{
      "main", VK_SHADER_STAGE_COMPUTE_BIT, built.hashes.pipelineHash, true, {"first", ""}, {}};
  return std::make_shared<const CodeObject>(gfx1100(), std::move(built.elf),
                                            std::move(description));
}

inline std::shared_ptr<const CodeObject> drawObject(unsigned number) {
  llpc::GraphicsPipelineBuildInfo info;
  info.vs.module = moduleOfGlsl("#version 450\nlayout(location = 0) in vec4 p;\n"
                                "void main() { gl_Position = p; }",
                                "vert");
  info.fs.module = moduleOfGlsl("#version 450\nlayout(location = 0) out vec4 c;\n"
                                "void main() { c = gl_FragCoord * " +
                                    std::to_string(number) + ".5; }",
                                "frag");
  llvm::cantFail(llpc::Compiler::applyAutoLayout(info));
  auto compiler = llvm::cantFail(llpc::Compiler::create({.target = "gfx1100"}));
  auto built = llvm::cantFail(compiler->buildGraphicsPipeline(info));
  CodeObject::Description description{"draw",
                                      VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
                                      built.hashes.pipelineHash,
                                      false,
                                      {},
                                      {}};
  return std::make_shared<const CodeObject>(gfx1100(), std::move(built.elf),
                                            std::move(description));
}

inline std::shared_ptr<const PartObject> partObject(unsigned number = 3) {
  auto compiler = llvm::cantFail(llpc::Compiler::create({.target = "gfx1100"}));
  auto built = llvm::cantFail(compiler->buildPart(computeInfo(number)));
  auto part = llvm::cantFail(lgc::Part::create(built.elf.bytes()));
  return std::make_shared<const PartObject>(gfx1100(), std::move(part),
                                            std::vector<std::string>{"warning"}, 3.0);
}

} // namespace icd
