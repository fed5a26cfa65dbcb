//===- FuzzLink.cpp - fuzz target: parts of pipelines, linked -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The input is a part's code object, as it may come from a damaged cache. Whatever it is,
/// Part::create and linkParts return: an error, or a code object that can be read again. Inputs are
/// made from parts built by hand: random bytes would not get past the ELF reader.
#include "lgc/CompileError.h"
#include "lgc/link/PartsForTest.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace lgc;
using namespace lgc::test;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace {

/// The two parts that take glue have their signatures.
SamplePart sample(unsigned which) {
  switch (which % 5) {
  case 0:
    return computePart();
  case 1: {
    SamplePart part = vertexPart();
    part.info.fetch = fetchSignature();
    return part;
  }
  case 2: {
    SamplePart part = fragmentPart();
    part.info.colorExport = exportSignature();
    return part;
  }
  case 3:
    return fetchGlue();
  default:
    return exportGlue();
  }
}

std::shared_ptr<const Part> samplePart(unsigned which) {
  return take(Part::create(sample(which).build()));
}

void require(bool condition, const char *what) {
  if (condition)
    return;
  std::fprintf(stderr, "fuzz-link: %s\n", what);
  std::abort();
}

void judge(llvm::Expected<std::vector<uint8_t>> result) {
  if (!result) {
    ErrorText text = consumeToText(result.takeError());
    require(text.kind != ErrorKind::Internal, text.message.c_str());
    return;
  }
  auto elf = ElfObject::parse(*result);
  if (!elf)
    require(false, toString(elf.takeError()).c_str());
  const ElfNote *note = elf->findMetadataNote();
  require(note != nullptr, "a linked code object has no metadata");
  auto metadata = PipelineMetadata::parse(note->desc);
  if (!metadata)
    require(false, toString(metadata.takeError()).c_str());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const std::shared_ptr<const Part> samples[] = {samplePart(0), samplePart(1), samplePart(2),
                                                        samplePart(3), samplePart(4)};
  static const LinkLayout layout(applicationMapping());
  auto created = Part::create({data, size});
  if (!created) {
    ErrorText text = consumeToText(created.takeError());
    require(text.kind != ErrorKind::Internal, text.message.c_str());
    return 0;
  }
  const Part *part = created->get();
  (void)part->memoryBytes();
  LinkParts parts;
  if (part->info().kind == PartKind::Compute) {
    parts.compute = part;
    judge(linkParts(parts, layout, {}));
    return 0;
  }
  parts.preRasterization = samples[1].get();
  parts.fragment = samples[2].get();
  parts.vertexFetch = samples[3].get();
  parts.colorExport = samples[4].get();
  const Part **places[] = {nullptr, &parts.preRasterization, &parts.fragment, &parts.vertexFetch,
                           &parts.colorExport};
  *places[static_cast<unsigned>(part->info().kind)] = part;
  judge(linkParts(parts, layout, {}));
  // Without the glue, if its signature went.
  parts.vertexFetch = part->info().kind == PartKind::VertexFetch ? part : nullptr;
  parts.colorExport = part->info().kind == PartKind::ColorExport ? part : nullptr;
  judge(linkParts(parts, layout, {}));
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  if (size < 64 || seed % 16 == 0) {
    Bytes bytes = sample(seed / 16).build();
    if (bytes.size() > maxSize)
      return LLVMFuzzerMutate(data, size, maxSize);
    std::memcpy(data, bytes.data(), bytes.size());
    size = bytes.size();
  }
  // Sizes and offsets are what matters; whole words more often than anything else.
  if (seed % 3) {
    size_t at = (seed >> 8) % (size - 3) / 4 * 4;
    uint32_t word;
    std::memcpy(&word, data + at, 4);
    switch (seed % 5) {
    case 0:
      word += 1;
      break;
    case 1:
      word -= 4;
      break;
    case 2:
      word ^= 1u << (seed >> 4) % 32;
      break;
    case 3:
      word = 0;
      break;
    default:
      word = ~0u;
    }
    std::memcpy(data + at, &word, 4);
    return size;
  }
  return LLVMFuzzerMutate(data, size, maxSize);
}
