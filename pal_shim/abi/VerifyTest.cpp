//===- VerifyTest.cpp - each rule broken once -----------------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/abi/Verify.h"
#include "pal_shim/abi/TestObjects.h"
#include <gtest/gtest.h>
#include <set>

using namespace llvm;
using namespace pal::abi;
using namespace pal::abi::test;

namespace {

using Lines = std::vector<std::string>;

Lines verify(const Bytes &elf, const char *target = nullptr) {
  Lines lines;
  for (const Violation &violation : verifyCodeObject(elf, target ? findTarget(target) : nullptr))
    lines.push_back((violation.rule + ": " + violation.message).str());
  return lines;
}

/// Violations of the sample after a change to its ELF.
template <class Change> Lines afterElf(Change change, const char *target = nullptr) {
  SampleElf parts;
  change(parts);
  return verify(parts.build(sampleMetadata().toBlob()), target);
}

/// Violations of the sample after a change to its metadata. \p flags: e_flags, the target.
template <class Change> Lines afterMetadata(Change change, uint32_t flags = 0x41) {
  PipelineMetadata md = sampleMetadata();
  change(md);
  SampleElf parts;
  parts.flags = flags;
  return verify(parts.build(md.toBlob()));
}

template <class Change> Lines afterStage(Change change, uint32_t flags = 0x41) {
  return afterMetadata([&](PipelineMetadata &md) { change(*md.hardwareStage(HardwareStage::Cs)); },
                       flags);
}

Lines afterMap(std::vector<uint32_t> map, uint32_t flags = 0x41) {
  return afterStage(
      [&](HardwareStageInfo &stage) {
        stage.userDataRegMap = map;
        stage.userSgprs = 16;
      },
      flags);
}

constexpr uint32_t gfx1201 = 0x4E;
constexpr uint32_t table = userdata::spillTable;
constexpr uint32_t none = userdata::notMapped;

TEST(Verify, SampleIsCleanOnEveryTarget) {
  for (const GpuTarget &target : allTargets()) {
    SampleElf parts;
    parts.flags = target.elfMach;
    Bytes elf = parts.build(sampleMetadata().toBlob());
    EXPECT_EQ(verify(elf), Lines{}) << target.name.str();
    EXPECT_EQ(verify(elf, target.name.str().c_str()), Lines{}) << target.name.str();
  }
}

TEST(Verify, RuleIdsAreUnique) {
  std::set<std::string> ids;
  for (const RuleInfo &rule : allRules()) {
    EXPECT_TRUE(ids.insert(rule.id.str()).second) << rule.id.str();
    EXPECT_FALSE(rule.description.empty());
  }
}

TEST(Verify, ElfHeader) {
  EXPECT_EQ(verify({}), (Lines{"elf-format: ELF header: file has 0 bytes, 64 are needed"}));
  EXPECT_EQ(afterElf([](SampleElf &p) { p.type = ELF::ET_DYN; }),
            (Lines{"elf-type: ELF header: type 3, expected 1 (relocatable)"}));
  EXPECT_EQ(afterElf([](SampleElf &p) { p.machine = ELF::EM_X86_64; }),
            (Lines{"elf-machine: ELF header: machine 0x3e, expected 0xe0 (AMDGPU)"}));
  EXPECT_EQ(afterElf([](SampleElf &p) { p.osAbi = 64; }),
            (Lines{"elf-os-abi: ELF header: OS ABI 64, expected 65 (AMDGPU PAL)"}));
  EXPECT_EQ(afterElf([](SampleElf &p) { p.abiVersion = 1; }),
            (Lines{"elf-os-abi: ELF header: ABI version 1, expected 0"}));
  EXPECT_EQ(afterElf([](SampleElf &p) { p.flags = 0x2C; }),
            (Lines{"elf-target: ELF header: unknown machine number 0x2c in e_flags"}));
  EXPECT_EQ(afterElf([](SampleElf &p) { p.flags = 0x10000041; }),
            (Lines{"elf-target: ELF header: unknown bits 0x10000000 in e_flags"}));
  EXPECT_EQ(afterElf([](SampleElf &p) { p.flags = 0x541; }), Lines{}) << "xnack is a known bit";
  EXPECT_EQ(afterElf([](SampleElf &) {}, "gfx1030"),
            (Lines{"elf-target: ELF header: code for gfx1100, expected gfx1030"}));
}

TEST(Verify, NamesOfSections) {
  // Otherwise as good, with the name table last.
  Bytes elf = sampleElf();
  ElfImage image = take(toImage(take(ElfObject::parse(elf))));
  const auto last = static_cast<uint16_t>(image.sections.size());
  image.sections.push_back(image.sections[1]);
  image.sections[1].type = ELF::SHT_PROGBITS;
  image.header.nameSection = last;
  for (ElfImage::Section &section : image.sections)
    if (section.type == ELF::SHT_SYMTAB)
      section.link = last;
  EXPECT_EQ(verify(take(writeElf(image))),
            (Lines{("section-names: ELF header: section " + Twine(last) +
                    " is the section name table, PAL takes section 1")
                       .str()}));
}

TEST(Verify, NamesOfSymbols) {
  auto named = [](const char *name, uint8_t type) {
    return afterElf([&](SampleElf &p) {
      p.relocatedName = name;
      p.relocatedType = type;
    });
  };
  EXPECT_EQ(named("", ELF::STT_NOTYPE),
            (Lines{"symbol-names: symbol 1: defined, but without a name"}));
  EXPECT_EQ(named("", ELF::STT_OBJECT),
            (Lines{"symbol-names: symbol 1: defined, but without a name"}));
  EXPECT_EQ(named("", ELF::STT_SECTION), Lines{});
  EXPECT_EQ(named("table", ELF::STT_NOTYPE), Lines{});
}

TEST(Verify, TextAndRelocations) {
  EXPECT_EQ(afterElf([](SampleElf &p) { p.textAlignment = 64; }),
            (Lines{"text-section: section '.text': alignment 64, expected 256"}));
  EXPECT_EQ(afterElf([](SampleElf &p) { p.textFlags = ELF::SHF_ALLOC; }),
            (Lines{"text-section: section '.text': not allocated, executable program bits"}));
  EXPECT_EQ(afterElf([](SampleElf &p) { p.textName = ".code"; }),
            (Lines{"text-section: ELF has 0 sections '.text', expected 1",
                   "entry-point: .hardware_stages.cs: symbol '_amdgpu_cs_main' is not in "
                   "'.text'"}));
  EXPECT_EQ(afterElf([](SampleElf &p) { p.relocationType = ELF::R_AMDGPU_GOTPCREL; }),
            (Lines{"relocations: relocation at section 2 ('.text') + 0x104: type 7 is not one "
                   "that PAL applies"}));
  EXPECT_EQ(afterElf([](SampleElf &p) { p.relocateUndefined = true; }),
            (Lines{"relocations: relocation at section 2 ('.text') + 0x104: 'table' is "
                   "undefined"}));
  EXPECT_EQ(afterElf([](SampleElf &p) { p.rodataFlags = 0; }),
            (Lines{"relocations: relocation at section 2 ('.text') + 0x104: 'table' is not in an "
                   "uploaded section"}));
}

TEST(Verify, PartsHaveUndefinedSymbols) {
  auto part = [](bool isPart, const char *name, uint32_t type) {
    return afterElf([&](SampleElf &p) {
      p.isPart = isPart;
      p.relocateUndefined = true;
      p.relocatedName = name;
      p.relocationType = type;
    });
  };
  const char *place = "relocations: relocation at section 2 ('.text') + 0x104: ";
  EXPECT_EQ(part(true, "kiln.root.3", ELF::R_AMDGPU_ABS32_LO), Lines{});
  EXPECT_EQ(part(true, "kiln.table.0.1", elf::loadOffsetRelocation), Lines{});
  EXPECT_EQ(part(true, "other", ELF::R_AMDGPU_ABS32_LO),
            (Lines{std::string(place) + "'other' is undefined"}));
  EXPECT_EQ(part(false, "kiln.root.3", ELF::R_AMDGPU_ABS32_LO),
            (Lines{std::string(place) + "'kiln.root.3' is undefined"}));
  EXPECT_EQ(part(true, "kiln.root.3", ELF::R_AMDGPU_GOTPCREL),
            (Lines{std::string(place) + "type 7 is not one that PAL applies"}));
}

TEST(Verify, PartsMayBeEmpty) {
  auto empty = [](bool isPart) {
    return afterElf([&](SampleElf &p) {
      p.isPart = isPart;
      p.entrySize = 0;
    });
  };
  EXPECT_EQ(empty(true), Lines{});
  EXPECT_EQ(empty(false),
            (Lines{"entry-point: .hardware_stages.cs: symbol '_amdgpu_cs_main' has size 0"}));
}

TEST(Verify, Note) {
  Lines missing = {"metadata-note: no metadata note (type 32 in a section named '.note')"};
  EXPECT_EQ(afterElf([](SampleElf &p) { p.noteSection = ".notes"; }), missing);
  EXPECT_EQ(afterElf([](SampleElf &p) { p.noteType = 10; }), missing);
  EXPECT_EQ(afterElf([](SampleElf &p) { p.noteOwner = "GNU"; }),
            (Lines{"metadata-note: metadata note: owner 'GNU', expected 'AMDGPU'"}));
  EXPECT_EQ(verify(SampleElf().build({0xC1})).size(), 1u);
  EXPECT_EQ(verify(SampleElf().build({0x80})), (Lines{"metadata-format: amdpal.version: missing"}));
}

TEST(Verify, EntryPoint) {
  std::string place = "entry-point: .hardware_stages.cs";
  EXPECT_EQ(afterElf([](SampleElf &p) { p.entryName = "main"; }),
            (Lines{place + ": no symbol '_amdgpu_cs_main'"}));
  EXPECT_EQ(afterElf([](SampleElf &p) { p.entryType = ELF::STT_OBJECT; }),
            (Lines{place + ": symbol '_amdgpu_cs_main' is no function"}));
  EXPECT_EQ(afterElf([](SampleElf &p) { p.entryOffset = 128; }),
            (Lines{place + ": symbol '_amdgpu_cs_main' at offset 0x80 is not aligned to 256 "
                           "bytes"}));
  EXPECT_EQ(afterElf([](SampleElf &p) { p.entryInText = false; }),
            (Lines{place + ": symbol '_amdgpu_cs_main' is not in '.text'"}));
  EXPECT_EQ(afterElf([](SampleElf &p) { p.entrySize = 0; }),
            (Lines{place + ": symbol '_amdgpu_cs_main' has size 0"}));
  EXPECT_EQ(afterElf([](SampleElf &p) { p.entryTwice = true; }),
            (Lines{place + ": symbol '_amdgpu_cs_main' is defined 2 times"}));
  EXPECT_EQ(afterStage([](HardwareStageInfo &s) { s.entryPointSymbol = "main"; }),
            (Lines{place + ".entry_point_symbol: needs metadata version 3.6 to differ from "
                           "'_amdgpu_cs_main'"}));
  SampleElf renamed;
  renamed.entryName = "main";
  PipelineMetadata md = sampleMetadata();
  md.versionMinor = 6;
  md.hardwareStage(HardwareStage::Cs)->entryPointSymbol = "main";
  EXPECT_EQ(verify(renamed.build(md.toBlob())), Lines{});
}

TEST(Verify, PipelineLevel) {
  using MD = PipelineMetadata;
  EXPECT_EQ(afterMetadata([](MD &md) { md.versionMajor = 2; }),
            (Lines{"version: amdpal.version: major version 2, expected 3"}));
  EXPECT_EQ(afterMetadata([](MD &md) { md.api.reset(); }), (Lines{"api: .api: missing"}));
  EXPECT_EQ(afterMetadata([](MD &md) { md.type.reset(); }),
            (Lines{"pipeline-type: .type: missing"}));
  EXPECT_EQ(afterMetadata([](MD &md) { md.internalPipelineHash.reset(); }),
            (Lines{"pipeline-hash: .internal_pipeline_hash: missing"}));
  EXPECT_EQ(afterMetadata([](MD &md) { (*md.internalPipelineHash)[1] = 0; }),
            (Lines{"pipeline-hash: .internal_pipeline_hash: stable and unique hash must not be "
                   "zero"}));
  EXPECT_EQ(afterMetadata([](MD &md) { md.shaders[0]->apiShaderHash = Hash128{}; }),
            (Lines{"shader-hash: .shaders.compute.api_shader_hash: missing or zero"}));
  EXPECT_EQ(afterMetadata([](MD &md) { md.shaders[0].reset(); }),
            (Lines{"shader-hash: .shaders.compute: missing"}));
  EXPECT_EQ(afterMetadata([](MD &md) { md.shaders[0]->hardwareMapping.clear(); }),
            (Lines{"shader-hash: .shaders.compute.hardware_mapping: missing or empty"}));
  EXPECT_EQ(afterMetadata([](MD &md) { md.shaders[0]->hardwareMapping = {HardwareStage::Gs}; }),
            (Lines{"shader-hash: .shaders.compute.hardware_mapping: names .gs, which is not in "
                   ".hardware_stages"}));
  EXPECT_EQ(afterMetadata([](MD &md) { md.computeRegisters.reset(); }),
            (Lines{"compute-registers: .compute_registers: missing"}));
  EXPECT_EQ(afterMetadata([](MD &md) { md.computeRegisters->tidigCompCnt.reset(); }),
            (Lines{"compute-registers: .compute_registers.tidig_comp_cnt: missing"}));
  EXPECT_EQ(afterMetadata([](MD &md) { md.computeRegisters->tidigCompCnt = 3; }),
            (Lines{"compute-registers: .compute_registers.tidig_comp_cnt: value 3, the limit is "
                   "2"}));
}

TEST(Verify, HardwareStages) {
  PipelineMetadata md = sampleMetadata();
  md.hardwareStage(HardwareStage::Gs) = md.hardwareStage(HardwareStage::Cs);
  Lines lines = verify(SampleElf().build(md.toBlob()));
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines[0],
            "hardware-stages: .hardware_stages.gs: not possible in a pipeline of type Cs");
  PipelineMetadata empty = sampleMetadata();
  empty.hardwareStage(HardwareStage::Cs).reset();
  lines = verify(SampleElf().build(empty.toBlob()));
  ASSERT_GE(lines.size(), 2u);
  EXPECT_EQ(lines[1], "hardware-stages: .hardware_stages.cs: missing in a pipeline of type Cs");
}

TEST(Verify, UserDataLimitAndSpill) {
  using MD = PipelineMetadata;
  EXPECT_EQ(afterMetadata([](MD &md) { md.userDataLimit = 161; }),
            (Lines{"user-data-limit: .user_data_limit: value 161, PAL has 160 entries"}));
  EXPECT_EQ(afterMetadata([](MD &md) { md.userDataLimit.reset(); })[0],
            "user-data-limit: .user_data_limit: missing");
  EXPECT_EQ(afterMetadata([](MD &md) { md.spillThreshold.reset(); }),
            (Lines{"spill-table: .spill_threshold: missing"}));
  EXPECT_EQ(afterMetadata([](MD &md) { md.spillThreshold = 65535; }),
            (Lines{"spill-table: .spill_threshold: 65535 (none), but a stage maps SpillTable"}));
  EXPECT_EQ(afterMetadata([](MD &md) { md.spillThreshold = 12; }),
            (Lines{"spill-table: .spill_threshold: value 12, .user_data_limit is 12"}));
  EXPECT_EQ(afterMap({userdata::globalTable, 0, 1}),
            (Lines{"spill-table: .spill_threshold: value 6, but no stage maps SpillTable"}));
}

TEST(Verify, StageNumbers) {
  using Stage = HardwareStageInfo;
  std::string place = ".hardware_stages.cs";
  auto expect = [&](auto change, const std::string &rule, const std::string &message) {
    EXPECT_EQ(afterStage(change), (Lines{rule + ": .hardware_stages.cs" + message}));
  };
  expect([](Stage &s) { s.wavefrontSize.reset(); }, "wavefront-size", ".wavefront_size: missing");
  expect([](Stage &s) { s.wavefrontSize = 16; }, "wavefront-size",
         ".wavefront_size: value 16, expected 32 or 64");
  expect([](Stage &s) { s.floatMode.reset(); }, "float-mode", ".float_mode: missing");
  expect([](Stage &s) { s.floatMode = 256; }, "float-mode",
         ".float_mode: value 0x100, the register has 8 bits");
  expect([](Stage &s) { s.threadgroupDimensions.reset(); }, "threadgroup-dimensions",
         ".threadgroup_dimensions: missing");
  expect([](Stage &s) { s.threadgroupDimensions = {8, 8}; }, "threadgroup-dimensions",
         ".threadgroup_dimensions: 2 numbers, expected 3");
  expect([](Stage &s) { s.threadgroupDimensions = {8, 0, 1}; }, "threadgroup-dimensions",
         ".threadgroup_dimensions: 8 x 0 x 1 threads, expected 1 to 1024");
  expect([](Stage &s) { s.threadgroupDimensions = {32, 33, 1}; }, "threadgroup-dimensions",
         ".threadgroup_dimensions: 32 x 33 x 1 threads, expected 1 to 1024");
  expect([](Stage &s) { s.threadgroupDimensions = {0x80000000, 0x80000000, 0x80000000}; },
         "threadgroup-dimensions",
         ".threadgroup_dimensions: 2147483648 x 2147483648 x 2147483648 threads, expected 1 to "
         "1024");
  expect([](Stage &s) { s.ldsSize = 1000; }, "lds-size",
         ".lds_size: value 1000 is no multiple of 512");
  expect([](Stage &s) { s.ldsSize = 65536 + 512; }, "lds-size",
         ".lds_size: value 66048, the limit is 65536");
  expect([](Stage &s) { s.scratchMemorySize = 20; }, "scratch-size",
         ".scratch_memory_size: value 20 is no multiple of 16");
  expect([](Stage &s) { s.vgprCount.reset(); }, "vgpr-count", ".vgpr_count: missing");
  expect([](Stage &s) { s.vgprCount = 257; }, "vgpr-count",
         ".vgpr_count: value 257, the limit is 256");
  expect([](Stage &s) { s.sgprCount.reset(); }, "sgpr-count", ".sgpr_count: missing");
  expect([](Stage &s) { s.sgprCount = 129; }, "sgpr-count",
         ".sgpr_count: value 129, the limit is 128");
  expect([](Stage &s) { s.userSgprs.reset(); }, "user-sgprs", ".user_sgprs: missing");
  expect([](Stage &s) { s.userSgprs = 17; }, "user-sgprs",
         ".user_sgprs: value 17, the limit is 16");
  expect([](Stage &s) { s.userSgprs = 8; }, "user-sgprs",
         ".user_data_reg_map[7]: Workgroup ends at register 9, .user_sgprs is 8");
}

TEST(Verify, UserDataMap) {
  std::string place = ": .hardware_stages.cs.user_data_reg_map";
  EXPECT_EQ(afterStage([](HardwareStageInfo &s) { s.userDataRegMap.reset(); }).back(),
            "user-data-map" + place + ": missing");
  EXPECT_EQ(afterMap(std::vector<uint32_t>(17, none)).back(),
            "user-data-map" + place + ": 17 entries, the limit is 16");
  EXPECT_EQ(afterMap({table, 160}),
            (Lines{"user-data-value" + place + "[1]: API entry 160, PAL has 160 entries"}));
  EXPECT_EQ(afterMap({table, 0x1000001F}),
            (Lines{"user-data-value" + place + "[1]: unknown 0x1000001f"}));
  EXPECT_EQ(afterMap({table, userdata::vertexBufferTable}),
            (Lines{"user-data-value" + place + "[1]: VertexBufferTable in a compute stage"}));
  EXPECT_EQ(afterMap({table, userdata::viewId}),
            (Lines{"user-data-value" + place + "[1]: ViewId in a compute stage"}));
  EXPECT_EQ(
      afterMap({table, userdata::globalTable}),
      (Lines{"user-data-fixed" + place + "[1]: GlobalTable must be at register 0 if mapped"}));
  EXPECT_EQ(
      afterMap({table, none, userdata::perShaderTable}),
      (Lines{"user-data-fixed" + place + "[2]: PerShaderTable must be at register 1 if mapped"}));
  EXPECT_EQ(
      afterMap({table, userdata::workgroup, 0}),
      (Lines{"user-data-wide" + place + "[2]: api 0 in a register that Workgroup at 1 takes"}));
  EXPECT_EQ(afterMap({table, userdata::workgroup, none, 0}), Lines{});
  EXPECT_EQ(afterMap({table, 11}), Lines{});
  EXPECT_EQ(afterMap({table, 12}),
            (Lines{"user-data-index" + place + "[1]: API entry 12, .user_data_limit is 12"}));
}

TEST(Verify, HolesAndRepeatsDependOnTheTarget) {
  std::string place = ": .hardware_stages.cs.user_data_reg_map";
  EXPECT_EQ(afterMap({1, table, 2}),
            (Lines{"user-data-holes" + place + "[1]: SpillTable between API entries"}));
  EXPECT_EQ(afterMap({1, none, 2, table}),
            (Lines{"user-data-holes" + place + "[1]: NotMapped between API entries"}));
  EXPECT_EQ(afterMap({1, table, 2}, gfx1201), Lines{});
  EXPECT_EQ(afterMap({none, 1, 2, none, table, none}), Lines{});
  EXPECT_EQ(afterMap({1, 2, 1, table}), Lines{});
  EXPECT_EQ(afterMap({1, 2, 1, table}, gfx1201),
            (Lines{"user-data-repeats" + place + "[2]: API entry 1 is mapped twice"}));
}

TEST(Verify, ManyViolationsOfOneRuleAreCut) {
  ElfBuilder builder;
  builder.header().flags = 0x41;
  unsigned text = builder.addSection(".text", ELF::SHT_PROGBITS, 6, 256, Bytes(256));
  builder.addSymbol("", 0, ELF::STB_LOCAL, 0, 0, 0);
  for (unsigned i = 0; i < 100; ++i) {
    ElfRelocation relocation;
    relocation.target = text;
    relocation.symbol = 1;
    relocation.type = ELF::R_AMDGPU_ABS32;
    builder.addRelocation(relocation);
  }
  Lines lines = verify(take(builder.finish()));
  ASSERT_EQ(lines.size(), 34u);
  EXPECT_EQ(lines[32], "relocations: 68 more");
}

} // namespace
