//===- PartsForTest.h - parts of pipelines, built by hand -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Code objects as the compiler makes parts, with code that only has to be recognised again: the
/// n-th function of a part is a row of v_mov_b32 v0, literal.
#pragma once

#include "lgc/Interface.h"
#include "lgc/Link.h"
#include "pal_shim/abi/TestObjects.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

namespace lgc::test {

using namespace pal::abi;
using pal::abi::test::Bytes;
using pal::abi::test::messageOf;
using pal::abi::test::take;

constexpr uint32_t gfx1030 = 0x36, gfx1100 = 0x41, gfx1201 = 0x4E;

/// A part before it is a file.
struct SamplePart {
  PipelineMetadata md;
  PartInfo info;
  uint32_t flags = gfx1100;
  struct Function {
    HardwareStage stage;
    Bytes code;
  };
  std::vector<Function> functions;
  struct Relocation {
    std::string symbol;
    uint64_t offset; ///< in the section
    uint32_t type = llvm::ELF::R_AMDGPU_ABS32_LO;
    std::string section = ".text"; ///< or ".rodata", ".note"
  };
  std::vector<Relocation> relocations; ///< "rodata" is the section's symbol
  Bytes rodata;

  Bytes build() {
    using namespace llvm;
    ElfBuilder builder;
    builder.header().flags = flags;
    Bytes code;
    std::vector<uint64_t> offsets;
    for (const Function &function : functions) {
      code.resize(alignTo(code.size(), 256), 0);
      offsets.push_back(code.size());
      code.insert(code.end(), function.code.begin(), function.code.end());
    }
    for (unsigned i = 0; i < 16; ++i)
      for (uint8_t byte : {0x00, 0x00, 0x9F, 0xBF}) // s_code_end
        code.push_back(byte);
    auto text = uint16_t(builder.addSection(".text", ELF::SHT_PROGBITS,
                                            ELF::SHF_ALLOC | ELF::SHF_EXECINSTR, 256, code));
    uint16_t data = 0;
    if (!rodata.empty())
      data = uint16_t(builder.addSection(".rodata", ELF::SHT_PROGBITS, ELF::SHF_ALLOC, 4, rodata));
    Bytes notes = encodeNote("AMD", 11, Bytes{'i', 's', 'a'});
    Bytes note = encodeNote("AMDGPU", 32, md.toBlob());
    notes.insert(notes.end(), note.begin(), note.end());
    unsigned noteSection = builder.addSection(".note", ELF::SHT_NOTE, 0, 4, notes);
    builder.addSection(partInfoSection, ELF::SHT_PROGBITS, 0, 1, encodePartInfo(info));
    uint32_t dataSymbol =
        data ? builder.addSymbol("", ELF::STT_SECTION, ELF::STB_LOCAL, data, 0, 0) : 0;
    std::vector<uint32_t> symbols;
    for (size_t i = 0; i < functions.size(); ++i)
      builder.addSymbol(entryPointSymbol(functions[i].stage), ELF::STT_FUNC, ELF::STB_GLOBAL, text,
                        offsets[i], functions[i].code.size());
    for (const Relocation &relocation : relocations)
      symbols.push_back(relocation.symbol == "rodata"
                            ? dataSymbol
                            : builder.addSymbol(relocation.symbol, ELF::STT_NOTYPE, ELF::STB_GLOBAL,
                                                ELF::SHN_UNDEF, 0, 0));
    for (size_t i = 0; i < relocations.size(); ++i) {
      ElfRelocation relocation;
      const std::string &section = relocations[i].section;
      relocation.target = section == ".note" ? noteSection : section == ".rodata" ? data : text;
      relocation.offset = relocations[i].offset;
      relocation.type = relocations[i].type;
      relocation.symbol = symbols[i];
      builder.addRelocation(relocation);
    }
    return take(builder.finish());
  }
};

/// `count` times v_mov_b32 v0, value: 8 bytes each, the literal in the upper half.
inline Bytes moves(unsigned count, uint32_t value) {
  Bytes code(8 * size_t(count));
  for (unsigned i = 0; i < count; ++i) {
    llvm::support::endian::write32le(&code[8 * i], 0x7E0002FF);
    llvm::support::endian::write32le(&code[8 * i + 4], value);
  }
  return code;
}

/// s_endpgm behind it.
inline Bytes ended(Bytes code) {
  for (uint8_t byte : {0x00, 0x00, 0xB0, 0xBF})
    code.push_back(byte);
  return code;
}

inline HardwareStageInfo stageInfo(HardwareStage stage, std::vector<uint32_t> map) {
  HardwareStageInfo info;
  info.entryPointSymbol = entryPointSymbol(stage).str();
  info.vgprCount = 24;
  info.sgprCount = 20;
  info.wavefrontSize = 32;
  info.floatMode = 192;
  info.userSgprs = static_cast<uint32_t>(map.size());
  info.userDataRegMap = std::move(map);
  return info;
}

inline void setNode(PipelineMetadata &md, llvm::ArrayRef<llvm::StringRef> path,
                    llvm::msgpack::DocNode value) {
  llvm::msgpack::DocNode *node = &md.pipelineMap()[path.front()];
  for (llvm::StringRef part : path.drop_front()) {
    unsigned index = 0;
    if (part.consume_front("[") && !part.consumeInteger(10, index))
      node = &node->getArray(true)[index];
    else
      node = &node->getMap(true)[part];
  }
  *node = value;
}
inline void set(PipelineMetadata &md, llvm::ArrayRef<llvm::StringRef> path, unsigned value) {
  setNode(md, path, md.document().getNode(value));
}
inline void setGraphics(PipelineMetadata &md, std::vector<llvm::StringRef> path, unsigned value) {
  path.insert(path.begin(), key::graphicsRegisters);
  set(md, path, value);
}
inline void setFlag(PipelineMetadata &md, std::vector<llvm::StringRef> path, bool value) {
  path.insert(path.begin(), key::graphicsRegisters);
  setNode(md, path, md.document().getNode(value));
}

inline void addShader(PipelineMetadata &md, ApiStage api, HardwareStage stage,
                      std::vector<uint32_t> map) {
  ShaderInfo shader;
  shader.apiShaderHash = Hash128{7, 8};
  shader.hardwareMapping = {stage};
  md.shaders[unsigned(api)] = shader;
  md.hardwareStage(stage) = stageInfo(stage, std::move(map));
}

inline PartRoot tableRoot(uint32_t set, uint32_t dword) {
  return {ResourceNodeType::DescriptorTableVaPtr, set, 0, dword, 1};
}
inline PartRoot pushRoot(uint32_t dword, uint32_t dwords) {
  return {ResourceNodeType::PushConst, 0, 0, dword, dwords};
}
inline PartRoot bufferRoot(uint32_t set, uint32_t binding, uint32_t dword) {
  return {ResourceNodeType::DescriptorBuffer, set, binding, dword, 4};
}

inline void setCommon(PipelineMetadata &md, PipelineType type) {
  md.api = "Vulkan";
  md.type = type;
  md.internalPipelineHash = Hash128{1, 2};
  md.userDataLimit = 64;
  md.spillThreshold = userdata::noSpill;
}

/// Set 2 in dword 0, a dynamic buffer in 1 to 4, push constants from 5 on, of which the second and
/// third are used, the third from the spill table.
inline SamplePart computePart() {
  SamplePart part;
  part.info.kind = PartKind::Compute;
  part.info.roots = {tableRoot(2, 0), bufferRoot(0, 3, 1), pushRoot(5, 8)};
  part.info.spilled = {7};
  part.md = pal::abi::test::sampleMetadata();
  HardwareStageInfo &stage = *part.md.hardwareStage(HardwareStage::Cs);
  stage.userDataRegMap = {userdata::globalTable, 0, 1, 2, 3, 4, 6, userdata::spillTable,
                          userdata::workgroup};
  stage.userSgprs = 10;
  part.functions = {{HardwareStage::Cs, ended(moves(4, 0))}};
  part.relocations = {{tableSymbol(2, 1), 4}, {rootSymbol(7), 12}, {tableSymbol(2, 1), 20}};
  return part;
}

/// A vertex shader with two attributes, set 1 and push constants.
inline SamplePart vertexPart() {
  SamplePart part;
  part.info.kind = PartKind::PreRasterization;
  part.info.roots = {tableRoot(1, 0), pushRoot(1, 4)};
  PipelineMetadata &md = part.md;
  setCommon(md, PipelineType::Ngg);
  addShader(md, ApiStage::Vertex, HardwareStage::Gs, {userdata::globalTable, 0, 1, 2});
  setFlag(md, {key::vgtShaderStagesEn, key::primgenEn}, true);
  setGraphics(md, {key::maxVertsPerSubgroup}, 128);
  setGraphics(md, {key::geNggSubgrpCntl, key::threadsPerSubgroup}, 128);
  setGraphics(md, {key::geNggSubgrpCntl, key::primAmpFactor}, 1);
  setGraphics(md, {key::vgtGsOnchipCntl, key::esVertsPerSubgroup}, 128);
  setGraphics(md, {key::vgtGsOnchipCntl, key::gsPrimsPerSubgroup}, 128);
  setGraphics(md, {key::spiShaderPosFormat, "[0]"}, 4);
  setGraphics(md, {key::spiVsOutConfig, key::vsExportCount}, 6);
  set(md, {key::prerasterOutputSemantic, "[0]", key::semantic}, 6);
  set(md, {key::prerasterOutputSemantic, "[0]", key::index}, 6);
  set(md, {key::prerasterOutputSemantic, "[1]", key::semantic}, 2);
  set(md, {key::prerasterOutputSemantic, "[1]", key::index}, 2);
  part.functions = {{HardwareStage::Gs, ended(moves(3, 0x600D))}};
  part.relocations = {{tableSymbol(1, 7), 4}};
  return part;
}

inline FetchSignature fetchSignature() {
  FetchSignature fetch;
  fetch.waveSize = 32;
  fetch.sgprs = 12;
  fetch.vgprs = 9;
  fetch.inputs = {{0, 7, FetchSignature::Input::Type::Float}};
  return fetch;
}

inline SamplePart fetchGlue() {
  SamplePart part;
  part.info.kind = PartKind::VertexFetch;
  part.info.fetch = fetchSignature();
  setCommon(part.md, PipelineType::Ngg);
  addShader(part.md, ApiStage::Vertex, HardwareStage::Gs, {userdata::globalTable});
  part.md.hardwareStage(HardwareStage::Gs)->vgprCount = 40;
  part.functions = {{HardwareStage::Gs, moves(5, 0xFE7C)}};
  return part;
}

/// Reads locations 2 (flat) and 3, which nobody writes.
inline SamplePart fragmentPart() {
  SamplePart part;
  part.info.kind = PartKind::Fragment;
  part.info.roots = {tableRoot(0, 0), tableRoot(1, 1)};
  PipelineMetadata &md = part.md;
  setCommon(md, PipelineType::Ngg);
  addShader(md, ApiStage::Pixel, HardwareStage::Ps, {userdata::globalTable, 0, 1});
  set(md, {key::numInterpolants}, 2);
  setFlag(md, {key::spiPsInputEna, key::perspCenterEna}, true);
  setFlag(md, {key::spiPsInputAddr, key::perspCenterEna}, true);
  setGraphics(md, {key::spiPsInControl, key::numInterps}, 2);
  for (llvm::StringRef element : {"[0]", "[1]"}) {
    bool isFirst = element == "[0]";
    setGraphics(md, {key::spiPsInputCntl, element, key::offset}, isFirst ? 2 : 3);
    setFlag(md, {key::spiPsInputCntl, element, key::flatShade}, true);
    set(md, {key::psInputSemantic, element, key::semantic}, isFirst ? 2 : 3);
  }
  setGraphics(md, {key::spiShaderColFormat, key::col0ExportFormat}, 4);
  setGraphics(md, {key::cbShaderMask, key::output0Enable}, 15);
  setFlag(md, {key::dbShaderControl, key::killEnable}, true);
  setGraphics(md, {key::dbShaderControl, key::zOrder}, 1);
  part.functions = {{HardwareStage::Ps, ended(moves(2, 0xF4A6))}};
  part.relocations = {{tableSymbol(0, 1), 4}, {"rodata", 12, llvm::ELF::R_AMDGPU_REL32_LO}};
  part.rodata = Bytes(24, 0x5A);
  return part;
}

inline ExportSignature exportSignature() {
  ExportSignature exports;
  exports.waveSize = 32;
  exports.colors = {{0, 0, 15, ExportSignature::Color::Type::Float, 32}};
  return exports;
}

inline SamplePart exportGlue() {
  SamplePart part;
  part.info.kind = PartKind::ColorExport;
  part.info.colorExport = exportSignature();
  PipelineMetadata &md = part.md;
  setCommon(md, PipelineType::Ngg);
  addShader(md, ApiStage::Pixel, HardwareStage::Ps, {userdata::globalTable});
  md.hardwareStage(HardwareStage::Ps)->sgprCount = 33;
  setGraphics(md, {key::spiShaderColFormat, key::col0ExportFormat}, 9);
  setGraphics(md, {key::cbShaderMask, key::output0Enable}, 7);
  setGraphics(md, {key::spiShaderZFormat}, 0);
  setFlag(md, {key::dbShaderControl, key::alphaToMaskDisable}, true);
  part.functions = {{HardwareStage::Ps, ended(moves(1, 0xC010))}};
  return part;
}

/// Sets 0 (dword 3), 1 (dword 5) and 2 (dword 17), a dynamic buffer (dwords 20 to 23), push
/// constants (dwords 40 to 47).
inline ResourceMapping applicationMapping() {
  using T = ResourceNodeType;
  auto table = [](uint32_t set, uint32_t dword, std::vector<uint32_t> offsets) {
    ResourceNode node;
    node.type = T::DescriptorTableVaPtr;
    node.sizeInDwords = 1;
    node.offsetInDwords = dword;
    for (auto [binding, offset] : llvm::enumerate(offsets)) {
      ResourceNode inner;
      inner.type = T::DescriptorBuffer;
      inner.sizeInDwords = 4;
      inner.offsetInDwords = offset;
      inner.set = set;
      inner.binding = static_cast<uint32_t>(binding);
      node.table.push_back(inner);
    }
    return node;
  };
  ResourceNode buffer;
  buffer.type = T::DescriptorBuffer;
  buffer.sizeInDwords = 4;
  buffer.offsetInDwords = 20;
  buffer.binding = 3;
  ResourceNode push;
  push.type = T::PushConst;
  push.sizeInDwords = 8;
  push.offsetInDwords = 40;
  ResourceMapping mapping;
  mapping.roots = {table(2, 17, {0, 24}), push, table(0, 3, {8, 12}),
                   table(1, 5, {0, 4, 8, 12, 16, 20, 24, 100}), buffer};
  return mapping;
}

} // namespace lgc::test
