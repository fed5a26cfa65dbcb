//===- HostileInputTest.cpp - no input crashes the reader -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Small systematic damage to a code object: each prefix, each bit, each byte set to extremes. What
/// it must show is found by the sanitizers; without them the tests still check that what is
/// accepted can be written and read again.
#include "pal_shim/abi/TestObjects.h"
#include "pal_shim/abi/Verify.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace pal::abi;
using namespace pal::abi::test;

namespace {

/// Everything that reads untrusted bytes. Copies, so that a sanitizer sees the exact end.
void readEverything(const Bytes &original) {
  Bytes bytes = original;
  bytes.shrink_to_fit();
  (void)verifyCodeObject(bytes, nullptr);
  Expected<ElfObject> elf = ElfObject::parse(bytes);
  if (!elf) {
    consumeError(elf.takeError());
    return;
  }
  const ElfNote *note = elf->findMetadataNote();
  if (!note)
    return;
  Bytes blob = note->desc;
  Expected<PipelineMetadata> md = PipelineMetadata::parse(blob);
  if (!md) {
    consumeError(md.takeError());
    return;
  }
  msgpack::Document document;
  cantFail(readMsgPack(document, blob));
  printYaml(nulls(), document.getRoot());
  blob = md->toBlob();
  EXPECT_EQ(take(PipelineMetadata::parse(blob)).toBlob(), blob);
  Expected<std::vector<uint8_t>> written = replaceMetadata(*elf, blob);
  if (!written) {
    consumeError(written.takeError());
    return;
  }
  EXPECT_EQ(Bytes(take(ElfObject::parse(*written)).findMetadataNote()->desc), blob);
}

TEST(HostileInput, EveryTruncation) {
  Bytes sample = sampleElf();
  for (size_t size = 0; size < sample.size(); ++size) {
    Bytes cut(sample.begin(), sample.begin() + size);
    EXPECT_FALSE(verifyCodeObject(cut, nullptr).empty()) << size;
    readEverything(cut);
  }
}

TEST(HostileInput, EveryBitFlipped) {
  Bytes sample = sampleElf();
  for (size_t i = 0; i < sample.size(); ++i)
    for (unsigned bit = 0; bit < 8; ++bit) {
      Bytes changed = sample;
      changed[i] ^= 1 << bit;
      readEverything(changed);
    }
}

TEST(HostileInput, EveryByteExtreme) {
  Bytes sample = sampleElf();
  for (size_t i = 0; i < sample.size(); ++i)
    for (uint8_t value : {0x00, 0x7F, 0x80, 0xDD, 0xDF, 0xFF}) {
      Bytes changed = sample;
      changed[i] = value;
      readEverything(changed);
    }
}

TEST(HostileInput, EveryTruncationOfTheMetadata) {
  Bytes blob = sampleMetadata().toBlob();
  for (size_t size = 0; size < blob.size(); ++size) {
    Bytes cut(blob.begin(), blob.begin() + size);
    EXPECT_NE(messageOf(PipelineMetadata::parse(cut)), "success") << size;
    readEverything(SampleElf().build(cut));
  }
}

} // namespace
