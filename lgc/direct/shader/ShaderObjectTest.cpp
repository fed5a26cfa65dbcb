// SPDX-License-Identifier: MIT
// The code object of the direct tier against what LLVM makes of the same code.
#include "lgc/direct/shader/ShaderObject.h"
#include "lgc/Compile.h"
#include "lgc/CompileError.h"
#include "lgc/Shader.h"
#include "lgc/pipeline/ShadersForTest.h"
#include "lgc/target/CodeObject.h"
#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/Metadata.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace lgc;
using namespace lgc::test;
using pal::abi::ElfObject;

namespace {

std::unique_ptr<llvm::Module> parse(const std::string &text, llvm::LLVMContext &context) {
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(text, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  return module;
}

llvm::Expected<CompileResult> compile(Backend &backend, const char *text,
                                      const PipelineState &state, OutputKind kind) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parse(text, context);
  if (llvm::Error error = prepareModule(*module, state))
    return std::move(error);
  return backend.compile(std::move(module), kind);
}

/// What LLVM made, as if the direct tier had.
direct::ShaderCode codeOf(const CompileResult &result, uint32_t lds) {
  auto object = llvm::cantFail(ElfObject::parse(result.data));
  const pal::abi::ElfSymbol *entry = object.findSymbol("_amdgpu_cs_main");
  const llvm::ArrayRef<uint8_t> text = object.sections()[entry->section].data;
  direct::ShaderCode code;
  for (uint64_t at = 0; at < entry->size; at += 4)
    code.dwords.push_back(llvm::support::endian::read32le(text.data() + entry->value + at));
  code.instructions = result.stats.instructions;
  code.vgprs = result.stats.vgprs;
  code.sgprs = result.stats.sgprs - 2; // those of VCC
  code.ldsBytes = lds;
  return code;
}

std::string metadataText(const ElfObject &object) {
  const pal::abi::ElfNote *note = object.findMetadataNote();
  llvm::msgpack::Document document;
  EXPECT_TRUE(note && document.readFromBlob(llvm::toStringRef(note->desc), /*Multi=*/false));
  std::string text;
  llvm::raw_string_ostream os(text);
  document.toYAML(os);
  return text;
}

std::vector<uint8_t> metadataBytes(const ElfObject &object) {
  return object.findMetadataNote()->desc.vec();
}

/// All that a reader of the file sees, but for sections that the direct tier does not write.
void expectSame(const std::vector<uint8_t> &ours, const std::vector<uint8_t> &theirs) {
  auto a = llvm::cantFail(ElfObject::parse(ours)), b = llvm::cantFail(ElfObject::parse(theirs));
  EXPECT_EQ(a.header().flags, b.header().flags);
  EXPECT_EQ(a.header().type, b.header().type);
  EXPECT_EQ(a.header().machine, b.header().machine);
  EXPECT_EQ(a.header().osAbi, b.header().osAbi);
  EXPECT_EQ(a.header().abiVersion, b.header().abiVersion);
  const pal::abi::ElfSymbol *x = a.findSymbol("_amdgpu_cs_main");
  const pal::abi::ElfSymbol *y = b.findSymbol("_amdgpu_cs_main");
  ASSERT_TRUE(x && y);
  EXPECT_EQ(x->value, y->value);
  EXPECT_EQ(x->size, y->size);
  EXPECT_EQ(x->type, y->type);
  EXPECT_EQ(x->binding, y->binding);
  const pal::abi::ElfSection &code = a.sections()[x->section], &wanted = b.sections()[y->section];
  EXPECT_EQ(code.name, wanted.name);
  EXPECT_EQ(code.flags, wanted.flags);
  EXPECT_EQ(code.alignment, wanted.alignment);
  EXPECT_EQ(code.data, wanted.data); // with what stands behind the code
  EXPECT_EQ(metadataText(a), metadataText(b));
  EXPECT_EQ(metadataBytes(a), metadataBytes(b));
}

TEST(ShaderObject, IsWhatLlvmWrites) {
  Backend backend;
  for (const pal::abi::GpuTarget &target : pal::abi::allTargets())
    for (uint32_t waveSize : {32u, 64u})
      for (const char *shader : {storeShader, ldsShader}) {
        SCOPED_TRACE(target.name.str() + " " + std::to_string(waveSize));
        const uint32_t lds = shader == ldsShader ? ldsBytes : 0;
        PipelineState state;
        state.target = target.name.str();
        state.compute.workgroupSize = {64, 2, 1};
        state.compute.waveSize = waveSize;
        auto object = compile(backend, shader, state, OutputKind::Object);
        auto ir = compile(backend, shader, state, OutputKind::Ir);
        ASSERT_TRUE(object && ir);
        llvm::LLVMContext context;
        const auto module = parse(llvm::toStringRef(ir->data).str(), context);
        auto written = direct::writeShaderObject(
            *module, {{pal::abi::HardwareStage::Cs, codeOf(*object, lds)}}, target);
        ASSERT_TRUE(bool(written)) << consumeToText(written.takeError()).message;
        expectSame(*written, object->data);

        llvm::SmallVector<char, 0> bytes(written->begin(), written->end());
        CompileResult result;
        llvm::Error error = finishCodeObject(
            bytes, state, {}, {{"_amdgpu_cs_main", object->stats.instructions}}, result);
        EXPECT_FALSE(bool(error)) << consumeToText(std::move(error)).message;
        EXPECT_EQ(result.stats.codeBytes, object->stats.codeBytes);
        EXPECT_EQ(result.stats.wavesPerSimd, object->stats.wavesPerSimd);
        EXPECT_EQ(result.stats.waveSize, waveSize);
      }
}

TEST(ShaderObject, NeedsTheMetadataOfLowering) {
  llvm::LLVMContext context;
  const pal::abi::GpuTarget &target = *pal::abi::findTarget("gfx1100");
  for (const char *text : {"", "!amdgpu.pal.metadata.msgpack = !{!0}\n!0 = !{!\"\\80\"}",
                           "!amdgpu.pal.metadata.msgpack = !{!0}\n!0 = !{!\"\\90\"}",
                           "!amdgpu.pal.metadata.msgpack = !{!0}\n!0 = !{!\"\\82\"}",
                           "!amdgpu.pal.metadata.msgpack = !{!0}\n!0 = !{i32 1}"}) {
    const auto module = parse(text, context);
    auto written = direct::writeShaderObject(*module, {{pal::abi::HardwareStage::Cs, {}}}, target);
    ASSERT_FALSE(bool(written)) << text;
    const ErrorText error = consumeToText(written.takeError());
    EXPECT_EQ(error.kind, ErrorKind::Internal);
    EXPECT_EQ(error.message, "direct tier: the module's metadata lack a stage");
  }
}

} // namespace
