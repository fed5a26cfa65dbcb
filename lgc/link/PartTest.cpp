//===- PartTest.cpp - what Part::create takes and refuses -----------------===//
// SPDX-License-Identifier: MIT
#include "lgc/CompileError.h"
#include "lgc/link/PartsForTest.h"
#include "pal_shim/abi/Verify.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace lgc;
using namespace lgc::test;

namespace {

std::string errorOf(SamplePart &sample) {
  auto part = Part::create(sample.build());
  if (part)
    return "success";
  ErrorText text = consumeToText(part.takeError());
  return (errorKindName(text.kind) + ": " + text.message).str();
}

TEST(Part, KeepsWhatItGot) {
  SamplePart sample = computePart();
  Bytes elf = sample.build();
  std::shared_ptr<const Part> part = take(Part::create(elf));
  EXPECT_EQ(Bytes(part->elf()), elf);
  EXPECT_EQ(part->info(), sample.info);
  EXPECT_GT(part->memoryBytes(), 2 * elf.size()) << "the file and the template";
}

TEST(Part, Errors) {
  SamplePart part = computePart();
  part.info.spilled.clear();
  EXPECT_EQ(errorOf(part), "invalid input: part: the spill table is mapped, but not read");
  part = computePart();
  part.info.roots.pop_back();
  EXPECT_EQ(errorOf(part), "invalid input: part: user data dword 6 belongs to no root entry");
  part = computePart();
  part.relocations[1].symbol = rootSymbol(60);
  EXPECT_EQ(errorOf(part), "invalid input: part: user data dword 60 belongs to no root entry");
  part = computePart();
  part.info.spilled.clear();
  part.md.hardwareStage(HardwareStage::Cs)->userDataRegMap->at(7) = userdata::notMapped;
  EXPECT_EQ(errorOf(part),
            "invalid input: part: dword 7 has a symbol, but there is no spill table");
  part = computePart();
  part.relocations[1].symbol = "kiln.root.x";
  EXPECT_EQ(errorOf(part), "invalid input: part: unknown symbol 'kiln.root.x'");
  for (const char *name : {"kiln.spec.8.1", "kiln.spec.7", "kiln.spec.7.", "kiln.spec.7.1x",
                           "kiln.spec.7.4294967296", "kiln.spec.-1.1"}) {
    part = computePart();
    part.relocations[1].symbol = name;
    EXPECT_EQ(errorOf(part), std::string("invalid input: part: unknown symbol '") + name + "'");
  }
  part = computePart();
  part.info.kind = PartKind::Fragment;
  EXPECT_EQ(errorOf(part), "invalid input: fragment part: hardware stage .cs");
  part = fetchGlue();
  part.info.fetch.reset();
  EXPECT_EQ(errorOf(part), "invalid input: vertex fetch part: vertex fetch signature");
  part = exportGlue();
  part.info.fetch = fetchSignature();
  EXPECT_EQ(errorOf(part), "invalid input: color export part: vertex fetch signature");
  part = fragmentPart();
  set(part.md, {key::psInputSemantic, "[2]", key::semantic}, 9);
  EXPECT_EQ(errorOf(part), "invalid input: fragment part: more semantics than inputs");
  part = fragmentPart();
  setGraphics(part.md, {key::spiPsInControl, key::numInterps}, 1);
  EXPECT_EQ(errorOf(part), "invalid input: fragment part: 1 inputs, 2 semantics");
  part = vertexPart();
  part.md.pipelineMap().erase(part.md.document().getNode(key::prerasterOutputSemantic));
  EXPECT_EQ(errorOf(part), "invalid input: pre-rasterization part: attributes without semantics");
  part = vertexPart();
  part.functions.push_back({HardwareStage::Ps, ended(moves(1, 1))});
  EXPECT_EQ(errorOf(part), "invalid input: part: a function without hardware stage");
  part = vertexPart();
  part.relocations[0].offset = 28; // behind the function
  EXPECT_EQ(errorOf(part), "invalid input: part: a relocation is outside of functions");
  part = computePart();
  part.relocations[0].section = ".note";
  EXPECT_EQ(errorOf(part), "invalid input: relocation at 0x4 of section '.note': linking defines "
                           "numbers in code only");
  part = fragmentPart();
  part.relocations[0].section = ".rodata";
  EXPECT_EQ(errorOf(part), "invalid input: relocation at 0x4 of section '.rodata': linking defines "
                           "numbers in code only");
}

/// A mapping that has everything.
void linkSomehow(const Part &part) {
  static const LinkLayout layout(applicationMapping());
  LinkParts parts;
  SamplePart vertex = vertexPart();
  std::shared_ptr<const Part> other = take(Part::create(vertex.build()));
  switch (part.info().kind) {
  case PartKind::Compute:
    parts.compute = &part;
    break;
  case PartKind::PreRasterization:
    parts.preRasterization = &part;
    break;
  default:
    parts.preRasterization = other.get();
    parts.fragment = &part;
  }
  auto result = linkParts(parts, layout, {});
  if (!result)
    return consumeError(result.takeError());
  auto elf = ElfObject::parse(*result);
  ASSERT_TRUE(bool(elf));
  auto metadata = PipelineMetadata::parse(elf->findMetadataNote()->desc);
  if (!metadata)
    ADD_FAILURE() << toString(metadata.takeError());
}

void checkHostile(const Bytes &original) {
  Bytes bytes = original;
  bytes.shrink_to_fit(); // so that a sanitizer sees the exact end
  auto part = Part::create(bytes);
  if (part)
    return linkSomehow(**part);
  EXPECT_NE(consumeToText(part.takeError()).kind, ErrorKind::Internal);
}

class HostileParts : public testing::TestWithParam<SamplePart (*)()> {};

TEST_P(HostileParts, Truncated) {
  Bytes elf = GetParam()().build();
  for (size_t size = 0; size < elf.size(); size += 5) {
    Bytes cut(elf.begin(), elf.begin() + size);
    auto part = Part::create(cut);
    EXPECT_FALSE(bool(part)) << size;
    consumeError(part.takeError());
  }
}

TEST_P(HostileParts, EveryByteDamaged) {
  Bytes elf = GetParam()().build();
  for (size_t i = 0; i < elf.size(); ++i)
    for (uint8_t flip : {0x01, 0x03, 0x10, 0x80, 0xFF}) {
      Bytes changed = elf;
      changed[i] ^= flip;
      checkHostile(changed);
    }
}

INSTANTIATE_TEST_SUITE_P(All, HostileParts, testing::Values(computePart, vertexPart, fragmentPart));

} // namespace
