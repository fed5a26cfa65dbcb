//===- Instructions.cpp - which SPIR-V instructions test files are made of ===//
// SPDX-License-Identifier: MIT
#include "Runners.h"
#include "llpc/spirv/Grammar.h"
#include "llpc/spirv/Module.h"
#include "pal_shim/abi/Try.h"

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

namespace exec {

namespace {

using Names = std::set<std::string>;

/// Of one module: "IAdd", "FAbs" for extended ones.
Error collect(ArrayRef<uint32_t> words, Names &names) {
  namespace spirv = llpc::spirv;
  std::unique_ptr<spirv::Module> module = KILN_TRY(spirv::Module::parse(
      {reinterpret_cast<const uint8_t *>(words.data()), words.size() * sizeof(uint32_t)}));
  for (const spirv::Inst &inst : module->instructions()) {
    const spirv::OpInfo &info = *spirv::findOp(static_cast<uint32_t>(inst.opcode));
    names.insert(spirv::nameOf(info).drop_front(strlen("Op")).str());
    if (inst.opcode != spv::Op::OpExtInst)
      continue;
    if (const spirv::ExtSetInfo *set = spirv::findExtSet(module->extInstSet(inst[0])))
      if (const spirv::ExtInstInfo *known = spirv::findExtInst(*set, inst[1]))
        names.insert(spirv::nameOf(*known).str());
  }
  return Error::success();
}

/// Of all variants of a file. The subgroup's size changes expected values only.
Error collect(const Script &script, Names &names) {
  constexpr uint32_t anySize = 64;
  for (const auto &variant : variantsOf(script)) {
    Case test = KILN_TRY(buildCase(script, variant, 0, anySize));
    if (test.job.rays) {
      for (const RayShaderSpec &shader : test.job.rays->shaders)
        KILN_TRY(collect(shader.spirv, names));
      continue;
    }
    if (!test.job.graphics) {
      KILN_TRY(collect(test.job.spirv, names));
      continue;
    }
    for (const StageSpec &stage : test.job.graphics->stages)
      KILN_TRY(collect(stage.spirv, names));
  }
  return Error::success();
}

} // namespace

int listInstructions(const RunOptions &options) {
  Names names;
  for (const std::string &path :
       findFiles(options.inputs, {".comp", ".spvasm", ".draw", ".rays"})) {
    Expected<Script> script = loadScript(path, options.modules);
    Error error = script ? collect(*script, names) : script.takeError();
    if (error) {
      std::fprintf(stderr, "%s: %s\n", path.c_str(), llvm::toString(std::move(error)).c_str());
      return 1;
    }
  }
  for (const std::string &name : names)
    std::printf("%s\n", name.c_str());
  return 0;
}

} // namespace exec
