//===- Glue.cpp - code between the parts of a pipeline --------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/glue/Glue.h"
#include "lgc/Compile.h"
#include "lgc/CompileError.h"
#include "lgc/Shader.h"
#include "lgc/glue/ColorExportGlue.h"
#include "lgc/glue/VertexFetchGlue.h"
#include "lgc/lowering/entry/PalRegisters.h"
#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/ElfWriter.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Try.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {

namespace key = pal::abi::key;

namespace {

Error checkSignature(const ExportSignature &signature) {
  auto impossible = [] { return invalidInput("glue: impossible signature of a colour export"); };
  if (signature.waveSize != 32 && signature.waveSize != 64)
    return impossible();
  uint32_t last = 0;
  for (const ExportSignature::Color &color : signature.colors) {
    // Ascending; only location 0 has a second source.
    const uint32_t place = color.location * 2 + color.index + 1;
    const unsigned components = popcount(color.mask) + popcount(color.zeros) + popcount(color.ones);
    if (color.location >= 8 || color.index > (color.location ? 0u : 1u) || place <= last ||
        color.written() == 0 || color.written() > 0xF ||
        components != unsigned(popcount(color.written())) || (color.bits != 16 && color.bits != 32))
      return impossible();
    last = place;
  }
  return Error::success();
}

/// Our own output does not follow the format.
Error asInternal(Error error) {
  return internalError("glue: " + consumeToText(std::move(error)).message);
}

} // namespace

Error buildGlue(Module &module, const PipelineState &state, const PartInfo &info) {
  if (!pal::abi::findTarget(state.target))
    return invalidInput("glue: unknown target '" + state.target + "'");
  setTarget(module);
  if (info.kind == PartKind::ColorExport && info.colorExport) {
    KILN_TRY(checkSignature(*info.colorExport));
    buildColorExportGlue(module, *info.colorExport, state);
  } else if (info.kind == PartKind::VertexFetch && info.fetch) {
    KILN_TRY(checkFetchSignature(*info.fetch));
    buildVertexFetchGlue(module, *info.fetch, state);
  } else {
    return invalidInput("glue: " + Twine(partKindName(info.kind)) + " without a signature");
  }
  return Error::success();
}

MetadataNode &startGlueMetadata(Module &module, MetadataTree &tree) {
  for (uint32_t number : {pal::abi::metadataMajorVersion, pal::abi::metadataMinorVersion})
    tree.root()[key::version].add() = number;
  MetadataNode &pipeline = tree.root()[key::pipelines].at(0).asMap();
  takeRegisters(module, pipeline);
  return pipeline;
}

void writeGlueMetadata(Module &module) {
  MetadataTree tree;
  startGlueMetadata(module, tree);
  LLVMContext &context = module.getContext();
  NamedMDNode *node = module.getOrInsertNamedMetadata("amdgpu.pal.metadata.msgpack");
  node->addOperand(MDNode::get(context, MDString::get(context, tree.text())));
}

Error readGlueStatistics(ArrayRef<uint8_t> elf, const InstructionCounts &instructions,
                         CompileResult &result) {
  auto object = pal::abi::ElfObject::parse(elf);
  if (!object)
    return asInternal(object.takeError());
  for (const pal::abi::ElfSymbol &symbol : object->symbols())
    if (symbol.type == ELF::STT_FUNC)
      result.stats.codeBytes += static_cast<uint32_t>(symbol.size);
  for (const auto &[name, count] : instructions)
    result.stats.instructions += count;
  return Error::success();
}

Expected<std::vector<uint8_t>> addPartInfo(ArrayRef<uint8_t> elf, const PartInfo &info) {
  auto object = pal::abi::ElfObject::parse(elf);
  if (!object)
    return asInternal(object.takeError());
  auto image = pal::abi::toImage(*object);
  if (!image)
    return asInternal(image.takeError());
  pal::abi::ElfImage::Section section;
  std::vector<uint8_t> &names = image->sections[image->header.nameSection].data;
  section.nameOffset = static_cast<uint32_t>(names.size());
  names.insert(names.end(), partInfoSection.begin(), partInfoSection.end());
  names.push_back(0);
  section.type = ELF::SHT_PROGBITS;
  for (const auto &other : image->sections)
    section.filePosition = std::max(section.filePosition, other.filePosition + 1);
  section.data = encodePartInfo(info);
  image->sections.push_back(std::move(section));
  auto bytes = pal::abi::writeElf(*image);
  if (!bytes)
    return asInternal(bytes.takeError());
  return bytes;
}

} // namespace lgc
