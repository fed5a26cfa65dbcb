//===- ElfObjectTest.cpp - ELF reader and writer --------------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/TestObjects.h"
#include "llvm/Support/Endian.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace pal::abi;
using namespace pal::abi::test;

namespace {

// Layout of the sample: sections are 1 .text, 2 .rodata, 3 .note, 4 .symtab, 5 .rel.text,
// 6 .strtab; the section headers are the last 7 * 64 bytes.
uint64_t sectionHeader(const Bytes &elf, unsigned index) { return elf.size() - (7 - index) * 64; }

std::string parseMessage(const Bytes &elf) { return messageOf(ElfObject::parse(elf)); }

/// The sample with one field overwritten.
class Patched {
public:
  Patched &put16(uint64_t offset, uint16_t value) {
    support::endian::write16le(&bytes[offset], value);
    return *this;
  }
  Patched &put32(uint64_t offset, uint32_t value) {
    support::endian::write32le(&bytes[offset], value);
    return *this;
  }
  Patched &put64(uint64_t offset, uint64_t value) {
    support::endian::write64le(&bytes[offset], value);
    return *this;
  }
  /// Field at \p field of section header \p index.
  Patched &section64(unsigned index, unsigned field, uint64_t value) {
    return put64(sectionHeader(bytes, index) + field, value);
  }
  Patched &section32(unsigned index, unsigned field, uint32_t value) {
    return put32(sectionHeader(bytes, index) + field, value);
  }
  uint64_t dataOf(unsigned index) const {
    return support::endian::read64le(&bytes[sectionHeader(bytes, index) + 24]);
  }
  std::string message() const { return parseMessage(bytes); }
  Bytes bytes = sampleElf();
};

TEST(ElfObject, ReadsWhatTheBuilderWrote) {
  Bytes bytes = sampleElf();
  ElfObject elf = take(ElfObject::parse(bytes));
  EXPECT_EQ(elf.header().osAbi, 65);
  EXPECT_EQ(elf.header().flags, 0x41u);
  ASSERT_EQ(elf.sections().size(), 7u);
  const ElfSection *text = elf.findSection(".text");
  ASSERT_NE(text, nullptr);
  EXPECT_EQ(text->size, 512u);
  EXPECT_EQ(text->offset % 256, 0u);
  EXPECT_TRUE(text->isAlloc());
  const ElfSymbol *entry = elf.findSymbol("_amdgpu_cs_main");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->value, 256u);
  EXPECT_EQ(entry->type, ELF::STT_FUNC);
  ASSERT_EQ(elf.notes().size(), 2u);
  EXPECT_EQ(elf.notes()[0].owner, "AMD");
  ASSERT_EQ(elf.findMetadataNote(), &elf.notes()[1]);
  EXPECT_EQ(Bytes(elf.notes()[1].desc), sampleMetadata().toBlob());
  ASSERT_EQ(elf.relocations().size(), 1u);
  EXPECT_EQ(elf.relocations()[0].target, 2u);
  EXPECT_EQ(elf.relocations()[0].offset, 260u);
  EXPECT_EQ(elf.symbols()[elf.relocations()[0].symbol].name, "table");
  EXPECT_EQ(elf.findSymbol("absent"), nullptr);
  EXPECT_EQ(elf.findSection("absent"), nullptr);
}

TEST(ElfObject, KeepsAddendsOfRela) {
  ElfBuilder builder;
  unsigned text = builder.addSection(".text", ELF::SHT_PROGBITS, 6, 256, Bytes(16));
  builder.addSymbol("x", ELF::STT_OBJECT, ELF::STB_LOCAL, uint16_t(text), 0, 0);
  ElfRelocation relocation;
  relocation.target = text;
  relocation.type = ELF::R_AMDGPU_ABS64;
  relocation.symbol = 1;
  relocation.addend = -8;
  relocation.hasAddend = true;
  relocation.offset = 8;
  builder.addRelocation(relocation);
  Bytes bytes = take(builder.finish());
  ElfObject elf = take(ElfObject::parse(bytes));
  ASSERT_EQ(elf.relocations().size(), 1u);
  EXPECT_EQ(elf.relocations()[0].addend, -8);
  EXPECT_TRUE(elf.relocations()[0].hasAddend);
}

TEST(ElfObject, RejectsBadHeaders) {
  EXPECT_EQ(parseMessage({}), "ELF header: file has 0 bytes, 64 are needed");
  EXPECT_EQ(Patched().put32(0, 0).message(), "ELF header: wrong magic number");
  EXPECT_EQ(Patched().put16(4, 0x0101).message(), "ELF header: class 1, expected 2 (64-bit)");
  EXPECT_EQ(Patched().put16(4, 0x0202).message(),
            "ELF header: data encoding 2, expected 1 (little endian)");
  EXPECT_EQ(Patched().put32(20, 2).message(), "ELF header: version is not 1");
  EXPECT_EQ(Patched().put16(52, 52).message(), "ELF header: header size 52, expected 64");
  EXPECT_EQ(Patched().put16(58, 40).message(), "ELF header: section header size 40, expected 64");
  EXPECT_EQ(Patched().put16(60, 0).message(), "ELF header: extended section numbering");
  EXPECT_EQ(Patched().put64(40, 0).put16(60, 0).message(), "ELF header: no section headers");
  EXPECT_EQ(Patched().put64(40, ~0ull).message(),
            "ELF header: 7 section headers at offset 0xffffffffffffffff exceed the file size " +
                hex(sampleElf().size()));
  EXPECT_EQ(Patched().put16(62, 7).message(),
            "ELF header: section name table index 7, but there are 7 sections");
}

TEST(ElfObject, RejectsBadSections) {
  std::string size = hex(sampleElf().size());
  EXPECT_EQ(Patched().section32(0, 4, 1).message(),
            "section 0: the first section header must be null");
  EXPECT_EQ(Patched().section64(2, 48, 3).message(), "section 2: alignment 0x3 is no power of two");
  EXPECT_EQ(Patched().section64(3, 32, ~0ull).message().substr(0, 18), "section 3: offset ");
  EXPECT_EQ(Patched().section64(3, 24, ~0ull).message(),
            "section 3: offset 0xffffffffffffffff + size 0x40 exceeds the file size " + size);
  EXPECT_EQ(Patched().section32(5, 40, 7).message(),
            "section 5: linked section 7, but there are 7 sections");
  EXPECT_EQ(Patched().section32(2, 0, 0x1000).message().substr(0, 40),
            "section 2: name offset 0x1000 exceeds th");
  EXPECT_EQ(Patched().section32(1, 4, ELF::SHT_PROGBITS).message(),
            "section 1: name table section 1 is no string table");
  Patched overlap;
  overlap.section64(3, 24, overlap.dataOf(2) + 16);
  EXPECT_EQ(overlap.message(), "section 3 ('.rodata') at offset 0x110 overlaps section 2 "
                               "('.text'), which ends at 0x300");
  Patched intoHeader;
  intoHeader.section64(3, 24, 60);
  EXPECT_EQ(intoHeader.message(), "section 3 ('.rodata') at offset 0x3c overlaps the ELF header, "
                                  "which ends at 0x40");
}

TEST(ElfObject, RejectsBadSymbols) {
  Patched p;
  uint64_t entry = p.dataOf(5) + 2 * 24;
  EXPECT_EQ(Patched().put32(entry, 0x10000).message().substr(0, 43),
            "symbol 2: name offset 0x10000 exceeds the s");
  EXPECT_EQ(Patched().put16(entry + 6, 9).message(),
            "symbol 2 ('_amdgpu_cs_main'): section index 9, but there are 7 sections");
  EXPECT_EQ(Patched().put16(entry + 6, ELF::SHN_XINDEX).message(),
            "symbol 2 ('_amdgpu_cs_main'): extended section numbering");
  EXPECT_EQ(Patched().put64(entry + 8, ~0ull).message(),
            "symbol 2 ('_amdgpu_cs_main'): value 0xffffffffffffffff + size 0x40 exceeds section 2 "
            "('.text') of size 0x200");
  EXPECT_EQ(Patched().section64(5, 56, 16).message(),
            "section 5 ('.symtab'): symbol table with entry size 16 and size 0x48, expected "
            "entries of 24 bytes");
  EXPECT_EQ(Patched().section32(5, 44, 4).message(),
            "section 5 ('.symtab'): first global symbol 4, but there are 3 symbols");
  EXPECT_EQ(Patched().section32(5, 40, 2).message(),
            "symbol 0: name table section 2 ('.text') is no string table");
  EXPECT_EQ(Patched().section32(3, 4, ELF::SHT_SYMTAB).message(),
            "section 3 ('.rodata'): symbol table with entry size 0 and size 0x40, expected "
            "entries of 24 bytes");
}

TEST(ElfObject, RejectsUnterminatedNames) {
  Patched p;
  uint64_t names = p.dataOf(1);
  uint64_t size = support::endian::read64le(&p.bytes[sectionHeader(p.bytes, 1) + 32]);
  p.bytes[names + size - 1] = 'x';
  EXPECT_NE(p.message().find("is not terminated"), std::string::npos) << p.message();
}

TEST(ElfObject, LimitsNames) {
  for (unsigned length : {16384, 16385}) {
    ElfBuilder builder;
    builder.addSymbol(std::string(length, 'a'), 0, ELF::STB_LOCAL, 0, 0, 0);
    std::string message = parseMessage(take(builder.finish()));
    if (length == 16384)
      EXPECT_EQ(message, "success");
    else
      EXPECT_EQ(message,
                "symbol 1: name at string table offset 0x9 is longer than 16384 characters");
  }
}

TEST(ElfObject, RejectsBadRelocations) {
  Patched p;
  uint64_t relocation = p.dataOf(6);
  EXPECT_EQ(Patched().put32(relocation + 12, 3).message(),
            "section 6 ('.rel.text'), relocation 0: symbol 3, but there are 3 symbols");
  EXPECT_EQ(Patched().put64(relocation, 509).message(),
            "section 6 ('.rel.text'), relocation 0: 4 bytes at offset 0x1fd exceed section 2 "
            "('.text') of size 0x200");
  EXPECT_EQ(Patched().section32(6, 44, 0).message(),
            "section 6 ('.rel.text'): relocates section 0, but there are 7 sections");
  EXPECT_EQ(Patched().section32(6, 40, 1).message(),
            "section 6 ('.rel.text'): linked section 1 is not the symbol table");
  EXPECT_EQ(Patched().section64(6, 56, 24).message(),
            "section 6 ('.rel.text'): relocations with entry size 24 and size 0x10, expected "
            "entries of 16 bytes");
}

TEST(ElfObject, RejectsBadNotes) {
  Patched p;
  uint64_t note = p.dataOf(4);
  EXPECT_EQ(Patched().put32(note, ~0u).message(),
            "section 4 ('.note'), note at offset 0x0: name size 4294967295 and description size 3 "
            "exceed the section");
  EXPECT_EQ(Patched().put32(note + 4, ~0u).message(),
            "section 4 ('.note'), note at offset 0x0: name size 4 and description size 4294967295 "
            "exceed the section");
  EXPECT_EQ(Patched().put32(note + 12, 0x41414141).message(),
            "section 4 ('.note'), note at offset 0x0: owner name is not terminated");
  EXPECT_EQ(Patched().section64(4, 48, 8).message(), "section 4 ('.note'): notes with alignment 8");
  EXPECT_EQ(Patched().section64(4, 32, 8).message(),
            "section 4 ('.note'), note at offset 0x0: header is cut off");
}

TEST(ElfObject, ErrorKindsTellMalformedFromUnsupported) {
  Patched p;
  p.put16(60, 0);
  Error error = ElfObject::parse(p.bytes).takeError();
  handleAllErrors(std::move(error),
                  [](const AbiError &e) { EXPECT_EQ(e.getKind(), AbiError::Kind::Unsupported); });
}

TEST(ElfWriter, ReplacesMetadataAndKeepsTheRest) {
  Bytes bytes = sampleElf();
  ElfObject before = take(ElfObject::parse(bytes));
  for (size_t size : {0, 1, 7, 5000}) {
    Bytes blob(size, 0xC0);
    Bytes written = take(replaceMetadata(before, blob));
    ElfObject after = take(ElfObject::parse(written));
    EXPECT_EQ(Bytes(after.findMetadataNote()->desc), blob);
    ASSERT_EQ(after.sections().size(), before.sections().size());
    for (unsigned i = 0; i < after.sections().size(); ++i) {
      EXPECT_EQ(after.sections()[i].name, before.sections()[i].name);
      EXPECT_EQ(after.sections()[i].alignment, before.sections()[i].alignment);
      if (after.sections()[i].name != ".note") {
        EXPECT_EQ(Bytes(after.sections()[i].data), Bytes(before.sections()[i].data));
      }
    }
    EXPECT_EQ(after.notes()[0].owner, "AMD");
    EXPECT_EQ(after.findSymbol("_amdgpu_cs_main")->value, 256u);
    EXPECT_EQ(after.relocations()[0].symbol, before.relocations()[0].symbol);
    EXPECT_EQ(written, take(replaceMetadata(before, blob)));
  }
}

TEST(ElfWriter, UnchangedMetadataGivesTheSameBytes) {
  Bytes bytes = sampleElf();
  ElfObject elf = take(ElfObject::parse(bytes));
  EXPECT_EQ(take(replaceMetadata(elf, elf.findMetadataNote()->desc)), bytes);
}

TEST(ElfWriter, RefusesWhatItCannotKeep) {
  Patched headers;
  headers.put16(56, 1);
  EXPECT_EQ(messageOf(replaceMetadata(take(ElfObject::parse(headers.bytes)), {})),
            "ELF header: rewriting an ELF with program headers");
  SampleElf parts;
  parts.noteType = 33;
  Bytes noNote = parts.build({});
  EXPECT_EQ(messageOf(replaceMetadata(take(ElfObject::parse(noNote)), {})),
            "no metadata note (type 32 in a section named '.note')");
  Patched alignment;
  alignment.section64(3, 48, uint64_t(1) << 62);
  EXPECT_EQ(messageOf(replaceMetadata(take(ElfObject::parse(alignment.bytes)), {})),
            "section 3: alignment 0x4000000000000000, the limit is 0x100000");
}

} // namespace
