//===- CodeObjectTemplateTest.cpp - renumbered code objects ---------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/remap/CodeObjectTemplate.h"
#include "pal_shim/abi/TestObjects.h"
#include "pal_shim/abi/Verify.h"
#include "llvm/Support/Endian.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace pal::abi;
using namespace pal::abi::test;
using namespace pal::remap;

namespace {

using Map = std::vector<uint32_t>;
using support::endian::read32le;
using support::endian::write32le;

constexpr uint32_t gfx1030 = 0x36, gfx1100 = 0x41, gfx1201 = 0x4E;

PipelineMetadata metadataOf(const Bytes &elf) {
  ElfObject object = take(ElfObject::parse(elf));
  return take(PipelineMetadata::parse(object.findMetadataNote()->desc));
}

Map mapOf(const Bytes &elf) {
  return *metadataOf(elf).hardwareStage(HardwareStage::Cs)->userDataRegMap;
}

void expectClean(const Bytes &elf) {
  for (const Violation &violation : verifyCodeObject(elf, nullptr))
    ADD_FAILURE() << violation.rule.str() << ": " << violation.message;
}

/// Indices of literalElf()'s sections.
enum LiteralSection : unsigned { TextSection = 2, NoteSection, DroppedSection, DataSection };

/// What a part of a pipeline may have in its code, with a relocation of some type against "kiln.x".
Bytes literalElf(uint32_t type, uint32_t word, uint32_t flags = gfx1100, bool hasAddend = false,
                 LiteralSection target = TextSection, uint64_t offset = 260) {
  ElfBuilder builder;
  builder.header().flags = flags;
  Bytes code(512, 0xBF);
  write32le(&code[260], word);
  auto text = uint16_t(builder.addSection(".text", ELF::SHT_PROGBITS,
                                          ELF::SHF_ALLOC | ELF::SHF_EXECINSTR, 256, code));
  Bytes notes = encodeNote("AMD", 11, Bytes{'i', 's', 'a'});
  Bytes note = encodeNote("AMDGPU", 32, sampleMetadata().toBlob());
  notes.insert(notes.end(), note.begin(), note.end());
  builder.addSection(".note", ELF::SHT_NOTE, 0, 4, notes);
  builder.addSection(".drop", ELF::SHT_PROGBITS, 0, 1, Bytes(7, 1));
  builder.addSection(".rodata", ELF::SHT_PROGBITS, ELF::SHF_ALLOC, 4, Bytes(16, 2));
  builder.addSymbol("_amdgpu_cs_main", ELF::STT_FUNC, ELF::STB_GLOBAL, text, 256, 64);
  ElfRelocation relocation;
  relocation.target = target;
  relocation.offset = offset;
  relocation.type = type;
  relocation.symbol =
      builder.addSymbol("kiln.x", ELF::STT_NOTYPE, ELF::STB_GLOBAL, ELF::SHN_UNDEF, 0, 0);
  relocation.hasAddend = hasAddend;
  relocation.addend = hasAddend ? 3 : 0;
  builder.addRelocation(relocation);
  return take(builder.finish());
}

constexpr uint32_t identity[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

Expected<CodeObjectTemplate> templateOf(const Bytes &elf) {
  TemplateOptions options;
  options.literalPrefix = "kiln.";
  options.droppedSection = ".drop";
  return CodeObjectTemplate::create(take(ElfObject::parse(elf)), options);
}

/// The word of literalElf() when the symbol has this value.
std::string wordOf(const Bytes &elf, uint32_t value) {
  Expected<CodeObjectTemplate> whole = templateOf(elf);
  if (!whole)
    return toString(whole.takeError());
  EXPECT_EQ(whole->literals(), ArrayRef<std::string>{"kiln.x"});
  Numbering numbering;
  numbering.dwords = identity;
  numbering.literals = value;
  Expected<std::vector<uint8_t>> result = whole->apply(numbering);
  if (!result)
    return toString(result.takeError());
  ElfObject object = take(ElfObject::parse(*result));
  EXPECT_TRUE(object.relocations().empty());
  EXPECT_EQ(object.symbols().size(), 2u);
  EXPECT_FALSE(object.findSection(".drop"));
  return hex(read32le(&object.findSection(".text")->data[260]));
}

/// Of any PAL code object. What is in the spill table stays: its numbers are in the code.
Expected<Bytes> remapUserData(const Bytes &elf, ArrayRef<uint32_t> dwords) {
  Expected<CodeObjectTemplate> whole =
      CodeObjectTemplate::create(take(ElfObject::parse(elf)), TemplateOptions());
  if (!whole)
    return whole.takeError();
  Numbering numbering;
  numbering.dwords = dwords;
  const PipelineMetadata metadata = metadataOf(elf);
  numbering.spillThreshold = metadata.spillThreshold.value_or(userdata::noSpill);
  if (numbering.spillThreshold != userdata::noSpill)
    numbering.userDataLimit = metadata.userDataLimit.value_or(0);
  return whole->apply(numbering);
}

TEST(RemapUserData, RenumbersComputeEntries) {
  Map numbers = {30, 31, noDword, 40, 41, 42, 6, 7, 8, 9, 10, 11};
  Bytes elf = sampleElf();
  Bytes moved = take(remapUserData(elf, numbers));
  expectClean(moved);
  Map map = mapOf(moved);
  EXPECT_EQ(map, (Map{userdata::globalTable, 40, 41, 42, 30, 31, userdata::spillTable,
                      userdata::workgroup}));
  EXPECT_EQ(metadataOf(moved).userDataLimit, 43u);
  EXPECT_EQ(metadataOf(moved).spillThreshold, 6u);
}

TEST(RemapUserData, KeepsEverythingElse) {
  Bytes elf = sampleElf(), moved = take(remapUserData(elf, identity));
  expectClean(moved);
  PipelineMetadata before = metadataOf(elf), after = metadataOf(moved);
  EXPECT_EQ(before.toBlob(), after.toBlob());
  ElfObject old = take(ElfObject::parse(elf)), copy = take(ElfObject::parse(moved));
  EXPECT_EQ(old.header().flags, copy.header().flags);
  for (const ElfSection &section : old.sections()) {
    if (!section.isAlloc())
      continue;
    ASSERT_TRUE(copy.findSection(section.name));
    EXPECT_EQ(Bytes(section.data), Bytes(copy.findSection(section.name)->data));
  }
  ASSERT_EQ(copy.relocations().size(), old.relocations().size());
  EXPECT_EQ(copy.relocations()[0].offset, old.relocations()[0].offset);
  EXPECT_EQ(copy.symbols()[copy.relocations()[0].symbol].name, "table");
  ASSERT_EQ(copy.notes().size(), old.notes().size());
  EXPECT_EQ(copy.notes()[0].owner, "AMD");
  EXPECT_EQ(Bytes(take(remapUserData(moved, identity))), moved) << "once more changes nothing";
}

TEST(RemapUserData, GraphicsStages) {
  PipelineMetadata md = sampleMetadata();
  md.type = PipelineType::Ngg;
  md.hardwareStage(HardwareStage::Gs) = *md.hardwareStage(HardwareStage::Cs);
  md.hardwareStage(HardwareStage::Gs)->userDataRegMap = {userdata::globalTable, 4, 5};
  md.spillThreshold = userdata::noSpill;
  Map numbers(12);
  for (uint32_t i = 0; i < 12; ++i)
    numbers[i] = 100 + i;
  PipelineMetadata moved = metadataOf(take(remapUserData(SampleElf().build(md.toBlob()), numbers)));
  EXPECT_EQ(moved.hardwareStage(HardwareStage::Gs)->userDataRegMap,
            (Map{userdata::globalTable, 104, 105}));
  EXPECT_EQ((*moved.hardwareStage(HardwareStage::Cs)->userDataRegMap)[1], 103u);
  EXPECT_EQ(moved.userDataLimit, 106u);
  EXPECT_EQ(moved.spillThreshold, userdata::noSpill);
}

TEST(RemapUserData, Errors) {
  Map numbers(identity, identity + 12);
  numbers[3] = noDword;
  EXPECT_EQ(messageOf(remapUserData(sampleElf(), numbers)),
            "user data dword 3 is not in the new layout");
  numbers[3] = 160;
  EXPECT_EQ(messageOf(remapUserData(sampleElf(), numbers)),
            "user data dword 3 becomes dword 160, PAL has 160 entries");
  numbers[3] = 3;
  EXPECT_EQ(messageOf(remapUserData(sampleElf(), {})),
            "user data dword 3 is not in the new layout");
  numbers[4] = 3;
  expectClean(take(remapUserData(sampleElf(), numbers)));
  SampleElf sample;
  sample.flags = gfx1201;
  EXPECT_EQ(messageOf(remapUserData(sample.build(sampleMetadata().toBlob()), numbers)),
            "user data dword 3 is mapped twice in a stage");
}

TEST(CodeObjectTemplate, Literals) {
  EXPECT_EQ(wordOf(literalElf(ELF::R_AMDGPU_ABS32_LO, 0), 0x12345678), "0x12345678");
  EXPECT_EQ(wordOf(literalElf(ELF::R_AMDGPU_ABS32, 16), 64), "0x50") << "in place";
  EXPECT_EQ(wordOf(literalElf(ELF::R_AMDGPU_ABS32_LO, 16, gfx1100, true), 64), "0x43") << "RELA";
  EXPECT_EQ(wordOf(literalElf(ELF::R_AMDGPU_REL32, 0), 0),
            "relocation of type 4 against a symbol that linking defines");
}

/// A number in a note's header would be a note that nobody can read.
TEST(CodeObjectTemplate, LiteralsOutsideOfCode) {
  auto messageAt = [](LiteralSection section, uint64_t offset) {
    return wordOf(literalElf(ELF::R_AMDGPU_ABS32_LO, 0, gfx1100, false, section, offset), 99);
  };
  EXPECT_EQ(messageAt(NoteSection, 4), "relocation at 0x4 of section '.note': linking defines "
                                       "numbers in code only");
  EXPECT_EQ(messageAt(DataSection, 12), "relocation at 0xc of section '.rodata': linking defines "
                                        "numbers in code only");
  EXPECT_EQ(messageOf(templateOf(
                literalElf(ELF::R_AMDGPU_ABS32_LO, 0, gfx1100, false, DroppedSection, 0))),
            "success");
}

TEST(CodeObjectTemplate, LoadOffsets) {
  // No register offset (124, 125 are null), 0x20 bytes.
  EXPECT_EQ(wordOf(literalElf(pal::abi::elf::loadOffsetRelocation, 0xF8000020), 0x400),
            "0xf8000420");
  EXPECT_EQ(wordOf(literalElf(pal::abi::elf::loadOffsetRelocation, 0xF8000020, gfx1030), 0xFFFDF),
            "0xf80fffff");
  EXPECT_EQ(wordOf(literalElf(pal::abi::elf::loadOffsetRelocation, 0xF8000020), 0xFFFE0),
            "offset 1048544 ('kiln.x') does not fit a scalar load");
  EXPECT_EQ(wordOf(literalElf(pal::abi::elf::loadOffsetRelocation, 0xF8000020, gfx1201), 0x7FFFDF),
            "0xf87fffff");
  EXPECT_EQ(wordOf(literalElf(pal::abi::elf::loadOffsetRelocation, 0xF8000020, gfx1201), 0x7FFFE0),
            "offset 8388576 ('kiln.x') does not fit a scalar load");
}

TEST(CodeObjectTemplate, HashesThresholdAndLimit) {
  CodeObjectTemplate whole = take(templateOf(literalElf(ELF::R_AMDGPU_ABS32_LO, 0)));
  Numbering numbering;
  numbering.dwords = identity;
  uint32_t value = 0;
  numbering.literals = value;
  numbering.spillThreshold = 5;
  numbering.userDataLimit = 99;
  numbering.pipelineHash = {0, 0xABCDEF0123456789};
  PipelineMetadata md = metadataOf(take(whole.apply(numbering)));
  EXPECT_EQ(md.spillThreshold, 5u);
  EXPECT_EQ(md.userDataLimit, 99u);
  EXPECT_EQ(md.internalPipelineHash, (Hash128{0x1122334455667788, 0xABCDEF0123456789}));
}

/// Damage of every byte: an error, or a template that can be applied.
TEST(CodeObjectTemplate, HostileInput) {
  Bytes sample = literalElf(ELF::R_AMDGPU_ABS32_LO, 0);
  Map numbers(160, 7);
  Map values(4, 1);
  Numbering numbering;
  numbering.dwords = numbers;
  numbering.literals = values;
  auto check = [&](Bytes bytes) {
    bytes.shrink_to_fit();
    Expected<ElfObject> elf = ElfObject::parse(bytes);
    if (!elf)
      return consumeError(elf.takeError());
    TemplateOptions options;
    options.literalPrefix = "kiln.";
    Expected<CodeObjectTemplate> whole = CodeObjectTemplate::create(*elf, options);
    if (!whole)
      return consumeError(whole.takeError());
    Expected<std::vector<uint8_t>> result = whole->apply(numbering);
    if (!result)
      return consumeError(result.takeError());
    EXPECT_EQ(messageOf(ElfObject::parse(*result)), "success");
  };
  for (size_t size = 0; size < sample.size(); size += 3)
    check(Bytes(sample.begin(), sample.begin() + size));
  for (size_t i = 0; i < sample.size(); ++i)
    for (uint8_t flip : {0x01, 0x03, 0x80, 0xFF}) {
      Bytes changed = sample;
      changed[i] ^= flip;
      check(std::move(changed));
    }
}

} // namespace
