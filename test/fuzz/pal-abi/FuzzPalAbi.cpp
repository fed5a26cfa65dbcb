//===- FuzzPalAbi.cpp - fuzz target: read, verify and re-emit ELFs --------===//
// SPDX-License-Identifier: MIT
/// \file
/// Feeds arbitrary bytes to the ELF and metadata readers. Beyond not crashing: what can be
/// re-emitted must parse again, with the same metadata, and writing metadata twice must give the
/// same bytes.
#include "pal_shim/abi/ElfWriter.h"
#include "pal_shim/abi/Metadata.h"
#include "pal_shim/abi/Verify.h"
#include <cstdio>
#include <cstdlib>

using namespace llvm;
using namespace pal::abi;

namespace {

void require(bool condition, const char *what) {
  if (condition)
    return;
  std::fprintf(stderr, "fuzz-pal-abi: %s\n", what);
  std::abort();
}

void checkMetadata(ArrayRef<uint8_t> blob) {
  Expected<PipelineMetadata> md = PipelineMetadata::parse(blob);
  if (!md) {
    consumeError(md.takeError());
    return;
  }
  msgpack::Document document;
  cantFail(readMsgPack(document, blob));
  printYaml(nulls(), document.getRoot());
  std::vector<uint8_t> first = md->toBlob();
  Expected<PipelineMetadata> again = PipelineMetadata::parse(first);
  require(bool(again), "written metadata does not parse");
  require(again->toBlob() == first, "metadata changes when written twice");
}

void checkReemission(const ElfObject &elf) {
  const ElfNote *note = elf.findMetadataNote();
  if (!note)
    return;
  Expected<std::vector<uint8_t>> written = replaceMetadata(elf, note->desc);
  if (!written) {
    consumeError(written.takeError());
    return;
  }
  Expected<ElfObject> again = ElfObject::parse(*written);
  require(bool(again), "written ELF does not parse");
  const ElfNote *sameNote = again->findMetadataNote();
  require(sameNote && sameNote->desc == note->desc, "written ELF has another metadata note");
  require(again->symbols().size() == elf.symbols().size(), "written ELF has other symbols");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ArrayRef<uint8_t> bytes(data, size);
  (void)verifyCodeObject(bytes, nullptr);
  // Without an ELF around it, the fuzzer finds its way into the metadata reader much sooner.
  checkMetadata(bytes);
  Expected<ElfObject> elf = ElfObject::parse(bytes);
  if (!elf) {
    consumeError(elf.takeError());
    return 0;
  }
  if (const ElfNote *note = elf->findMetadataNote())
    checkMetadata(note->desc);
  checkReemission(*elf);
  return 0;
}
