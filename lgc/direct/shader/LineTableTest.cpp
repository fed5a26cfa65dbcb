// SPDX-License-Identifier: MIT
// Line tables, read by LLVM's reader.
#include "lgc/direct/shader/LineTable.h"
#include "lgc/direct/DirectObject.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace lgc::direct;

namespace {

/// !0 ..: places; function "inner" of b.glsl is called in "outer", line 7, and that in "main", line
/// 20.
constexpr const char *metadata = R"(
!places = !{!0, !1, !2, !3, !4, !5}
!llvm.dbg.cu = !{!10}
!llvm.module.flags = !{!11}
!0 = !DILocation(line: 20, column: 3, scope: !12)
!1 = !DILocation(line: 7, column: 5, scope: !13, inlinedAt: !0)
!2 = !DILocation(line: 100, column: 1, scope: !14, inlinedAt: !1)
!3 = !DILocation(line: 1000, column: 200, scope: !12)
!4 = !DILocation(line: 8, scope: !13, inlinedAt: !0)
!5 = !DILocation(line: 21, scope: !17)
!10 = distinct !DICompileUnit(language: DW_LANG_C, file: !15, producer: "kiln", emissionKind: FullDebug, enums: !18)
!11 = !{i32 2, !"Debug Info Version", i32 3}
!12 = distinct !DISubprogram(name: "main", file: !15, line: 18, spFlags: DISPFlagDefinition, unit: !10)
!13 = distinct !DISubprogram(name: "outer", file: !15, line: 6, spFlags: DISPFlagDefinition, unit: !10)
!14 = distinct !DISubprogram(name: "inner", file: !16, line: 99, spFlags: DISPFlagDefinition, unit: !10)
!15 = !DIFile(filename: "a.comp", directory: "")
!16 = !DIFile(filename: "b.glsl", directory: "")
!17 = !DILexicalBlockFile(scope: !12, file: !15, discriminator: 16)
!18 = !{!19}
!19 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "names of values", size: 32, elements: !20)
!20 = !{!21, !22}
!21 = !DIEnumerator(name: "sum", value: 1, isUnsigned: true)
!22 = !DIEnumerator(name: "light.color", value: 2, isUnsigned: true)
)";

class LineTable : public testing::Test {
protected:
  void SetUp() override {
    llvm::SMDiagnostic diagnostic;
    module = llvm::parseAssemblyString(metadata, diagnostic, context);
    ASSERT_TRUE(module) << diagnostic.getMessage().str();
  }
  const llvm::DILocation *place(unsigned number) const {
    return llvm::cast<llvm::DILocation>(module->getNamedMetadata("places")->getOperand(number));
  }
  ShaderCode code(std::vector<CodePlace> places, unsigned dwords) const {
    ShaderCode result;
    result.dwords.resize(dwords, 0xBF800000);
    result.places = std::move(places);
    result.function = place(0)->getScope()->getSubprogram();
    return result;
  }
  /// The file that two stages make, of which the second one begins at 256.
  void write(const ShaderCode &first, const ShaderCode &second) {
    const pal::abi::GpuTarget &target = *pal::abi::findTarget("gfx1100");
    auto builder = startObject(target, llvm::SmallVector<uint32_t>(512, 0xBF800000));
    addLineTable(builder, codeSection, {{&first, 0}, {&second, 256}});
    bytes = llvm::cantFail(builder.finish());
    const llvm::StringRef text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    object = llvm::cantFail(llvm::object::ObjectFile::createObjectFile({text, "test"}));
    auto fail = [](llvm::Error error) { ADD_FAILURE() << llvm::toString(std::move(error)); };
    dwarf = llvm::DWARFContext::create(
        *object, llvm::DWARFContext::ProcessDebugRelocations::Process, nullptr, "", fail, fail);
    std::string findings;
    llvm::raw_string_ostream os(findings);
    EXPECT_TRUE(dwarf->verify(os)) << findings;
  }
  /// "function file:line:column" of each frame, the innermost first.
  std::string at(uint64_t address) const {
    const llvm::DILineInfoSpecifier wanted(llvm::DILineInfoSpecifier::FileLineInfoKind::RawValue,
                                           llvm::DILineInfoSpecifier::FunctionNameKind::ShortName);
    const llvm::DIInliningInfo info =
        dwarf->getInliningInfoForAddress({address, codeSection}, wanted);
    std::string result;
    for (unsigned i = 0; i < info.getNumberOfFrames(); ++i) {
      const llvm::DILineInfo &frame = info.getFrame(i);
      result += (i ? " " : "") + frame.FunctionName + " " + frame.FileName + ":" +
                std::to_string(frame.Line) + ":" + std::to_string(frame.Column);
    }
    return result;
  }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::vector<uint8_t> bytes;
  std::unique_ptr<llvm::object::ObjectFile> object;
  std::unique_ptr<llvm::DWARFContext> dwarf;
};

TEST_F(LineTable, LinesAndCalls) {
  write(code({{2, place(0)}, {4, place(2)}, {5, place(4)}, {7, place(3)}, {40, nullptr}}, 50),
        code({{0, place(3)}}, 1));
  EXPECT_EQ(at(0), "main a.comp:0:0");
  EXPECT_EQ(at(8), "main a.comp:20:3");
  EXPECT_EQ(at(12), "main a.comp:20:3");
  EXPECT_EQ(at(16), "inner b.glsl:100:1 outer a.comp:7:5 main a.comp:20:3");
  EXPECT_EQ(at(20), "outer a.comp:8:0 main a.comp:20:3");
  EXPECT_EQ(at(28), "main a.comp:1000:200");
  EXPECT_EQ(at(156), "main a.comp:1000:200");
  EXPECT_EQ(at(160), "main a.comp:0:0");
  EXPECT_EQ(at(256), "main a.comp:1000:200");
}

TEST_F(LineTable, CallsInSeveralPieces) {
  write(code({{0, place(2)}, {1, place(0)}, {3, place(2)}, {4, place(1)}}, 9), code({}, 3));
  for (const uint64_t address : {0, 12})
    EXPECT_EQ(at(address), "inner b.glsl:100:1 outer a.comp:7:5 main a.comp:20:3");
  EXPECT_EQ(at(4), "main a.comp:20:3");
  EXPECT_EQ(at(16), "outer a.comp:7:5 main a.comp:20:3");
  EXPECT_EQ(at(32), "outer a.comp:7:5 main a.comp:20:3");
  EXPECT_EQ(at(260), "main a.comp:0:0");
}

TEST_F(LineTable, NamesOfValues) {
  write(code({{0, place(0)}, {2, place(5)}, {5, place(0)}}, 9), code({}, 3));
  for (const auto &[address, discriminator] :
       {std::pair(4u, 0u), std::pair(8u, 16u), std::pair(16u, 16u), std::pair(20u, 0u)})
    EXPECT_EQ(dwarf->getLineInfoForAddress({address, codeSection})->Discriminator, discriminator);
  std::string names;
  for (const llvm::DWARFDie type : dwarf->getUnitAtIndex(0)->getUnitDIE(false).children())
    if (type.getTag() == llvm::dwarf::DW_TAG_enumeration_type)
      for (const llvm::DWARFDie entry : type.children()) {
        const auto value = entry.find(llvm::dwarf::DW_AT_const_value);
        names += llvm::dwarf::toString(entry.find(llvm::dwarf::DW_AT_name), "?");
        names += " " + std::to_string(llvm::dwarf::toUnsigned(value, 0)) + " ";
      }
  EXPECT_EQ(names, "sum 1 light.color 2 ");
}

TEST_F(LineTable, NothingWithoutDebugInformation) {
  ShaderCode none;
  none.dwords.resize(4);
  auto builder = startObject(*pal::abi::findTarget("gfx1100"), none.dwords);
  addLineTable(builder, codeSection, {{&none, 0}});
  const auto written = llvm::cantFail(builder.finish());
  const auto read = llvm::cantFail(pal::abi::ElfObject::parse(written));
  for (const pal::abi::ElfSection &section : read.sections())
    EXPECT_FALSE(section.name.starts_with(".debug")) << section.name.str();
}

} // namespace
