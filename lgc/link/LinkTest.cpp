//===- LinkTest.cpp - parts built by hand, linked -------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/CompileError.h"
#include "lgc/link/PartsForTest.h"
#include "pal_shim/abi/Verify.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace lgc;
using namespace lgc::test;

namespace {

using Map = std::vector<uint32_t>;
using support::endian::read32le;

std::shared_ptr<const Part> create(SamplePart &sample) {
  return take(Part::create(sample.build()));
}

LinkLayout applicationLayout() { return LinkLayout(applicationMapping()); }

/// A linked code object, read back.
struct Linked {
  Bytes bytes;
  ElfObject elf;
  PipelineMetadata md;

  static Linked of(Expected<std::vector<uint8_t>> result) {
    Bytes bytes = take(std::move(result));
    for (const Violation &violation : verifyCodeObject(bytes, nullptr))
      ADD_FAILURE() << violation.rule.str() << ": " << violation.message;
    ElfObject elf = take(ElfObject::parse(bytes));
    PipelineMetadata md = take(PipelineMetadata::parse(elf.findMetadataNote()->desc));
    // The object's references stay valid: moving a vector keeps its elements.
    return {std::move(bytes), std::move(elf), std::move(md)};
  }
  ArrayRef<uint8_t> code(HardwareStage stage) const {
    const ElfSymbol *symbol = elf.findSymbol(entryPointSymbol(stage));
    return elf.findSection(".text")->data.slice(symbol->value, symbol->size);
  }
  Map map(HardwareStage stage) const { return *md.hardwareStage(stage)->userDataRegMap; }
  uint64_t number(const std::vector<StringRef> &path) const {
    return md.graphicsNumber(path).value_or(99);
  }
};

Bytes joined(std::initializer_list<Bytes> list) {
  Bytes all;
  for (const Bytes &bytes : list)
    all.insert(all.end(), bytes.begin(), bytes.end());
  return all;
}

Expected<std::vector<uint8_t>> linkCompute(SamplePart &sample, const ResourceMapping &mapping,
                                           LinkOptions options = {}) {
  std::shared_ptr<const Part> part = create(sample);
  LinkParts parts;
  parts.compute = part.get();
  return linkParts(parts, LinkLayout(mapping), options);
}

std::string computeError(SamplePart &sample, const ResourceMapping &mapping) {
  Expected<std::vector<uint8_t>> result = linkCompute(sample, mapping);
  if (result)
    return "success";
  ErrorText text = consumeToText(result.takeError());
  return (errorKindName(text.kind) + ": " + text.message).str();
}

TEST(Link, Compute) {
  LinkOptions options;
  options.pipelineHash[0] = 77;
  SamplePart part = computePart();
  Linked linked = Linked::of(linkCompute(part, applicationMapping(), options));
  EXPECT_EQ(linked.map(HardwareStage::Cs), (Map{userdata::globalTable, 17, 20, 21, 22, 23, 41,
                                                userdata::spillTable, userdata::workgroup}));
  EXPECT_EQ(linked.md.userDataLimit, 43u);
  EXPECT_EQ(linked.md.spillThreshold, 42u);
  EXPECT_EQ((*linked.md.internalPipelineHash)[0], 77u);
  EXPECT_EQ((*linked.md.internalPipelineHash)[1], 0x99AABBCCDDEEFF00u) << "0: stays";
  ArrayRef<uint8_t> code = linked.code(HardwareStage::Cs);
  EXPECT_EQ(read32le(&code[4]), 4u * 24) << "binding 1 of set 2";
  EXPECT_EQ(read32le(&code[12]), 4u * 42) << "third push constant";
  EXPECT_EQ(read32le(&code[20]), 4u * 24);
  EXPECT_EQ(read32le(&code[28]), 0u);
  EXPECT_FALSE(linked.elf.findSection(partInfoSection));
  EXPECT_TRUE(linked.elf.relocations().empty());
  for (const ElfSymbol &symbol : linked.elf.symbols())
    EXPECT_FALSE(symbol.name.starts_with("kiln.")) << symbol.name.str();
}

TEST(Link, ComputeWithoutSpilling) {
  SamplePart part = computePart();
  part.info.spilled.clear();
  auto &map = *part.md.hardwareStage(HardwareStage::Cs)->userDataRegMap;
  map[7] = 7;
  part.relocations.clear();
  Linked linked = Linked::of(linkCompute(part, applicationMapping()));
  EXPECT_EQ(linked.map(HardwareStage::Cs)[7], 42u);
  EXPECT_EQ(linked.md.spillThreshold, userdata::noSpill);
  EXPECT_EQ(linked.md.userDataLimit, 43u);
}

TEST(Link, AddendsOfLiteralsCount) {
  SamplePart part = computePart();
  part.functions[0].code[4] = 16; // one descriptor further
  Linked linked = Linked::of(linkCompute(part, applicationMapping()));
  EXPECT_EQ(read32le(&linked.code(HardwareStage::Cs)[4]), 4u * 24 + 16);
}

TEST(Link, ConstantsHaveValues) {
  SamplePart part = computePart();
  part.relocations[0].symbol = constantSymbol(ShaderStage::Compute, 12);
  std::shared_ptr<const Part> made = take(Part::create(part.build()));
  LinkParts parts;
  parts.compute = made.get();
  auto link = [&](ArrayRef<LinkConstant> constants) {
    parts.constants = constants;
    return linkParts(parts, LinkLayout(applicationMapping()), {});
  };
  const LinkConstant constants[] = {{ShaderStage::Vertex, 12, 5},
                                    {ShaderStage::Compute, 1, 6},
                                    {ShaderStage::Compute, 12, 0xFFFFFFF0}};
  Linked linked = Linked::of(link(constants));
  EXPECT_EQ(read32le(&linked.code(HardwareStage::Cs)[4]), 0xFFFFFFF0u);
  Expected<std::vector<uint8_t>> without = link(ArrayRef(constants).drop_back());
  ASSERT_FALSE(bool(without));
  EXPECT_EQ(consumeToText(without.takeError()).message,
            "link: specialization constant 12 of the compute shader has no value");
}

TEST(Link, ArraysInWorkgroupMemoryAreInARow) {
  SamplePart part = computePart();
  part.relocations[0].symbol = workgroupSymbol(0);
  part.relocations[1].symbol = workgroupSymbol(2);
  part.functions[0].code[12] = 0;
  std::shared_ptr<const Part> made = take(Part::create(part.build()));
  LinkParts parts;
  parts.compute = made.get();
  auto link = [&](uint32_t first, uint32_t unused, std::optional<uint32_t> last) {
    const auto kind = LinkConstant::Kind::WorkgroupBytes;
    const LinkConstant sizes[] = {{ShaderStage::Compute, 0, first, kind},
                                  {ShaderStage::Compute, 1, unused, kind},
                                  {ShaderStage::Compute, 2, last.value_or(0), kind}};
    parts.constants = ArrayRef(sizes).drop_back(last ? 0 : 1);
    return linkParts(parts, LinkLayout(applicationMapping()), {});
  };
  const uint32_t own =
      Linked::of(link(0, 0, 0)).md.hardwareStage(HardwareStage::Cs)->ldsSize.value_or(0);
  Linked linked = Linked::of(link(20, 65536, 100));
  EXPECT_EQ(read32le(&linked.code(HardwareStage::Cs)[4]), own);
  EXPECT_EQ(read32le(&linked.code(HardwareStage::Cs)[12]), own + 32);
  EXPECT_EQ(*linked.md.hardwareStage(HardwareStage::Cs)->ldsSize, own + 512);
  // A workgroup has 65536 bytes.
  Linked::of(link(20, 0, 65536 - 32 - own));
  auto messageOf = [](Expected<std::vector<uint8_t>> result) {
    return result ? "" : consumeToText(result.takeError()).message;
  };
  EXPECT_EQ(messageOf(link(20, 0, 65536 - 31 - own)), "link: workgroup memory exceeds 65536 bytes");
  EXPECT_EQ(messageOf(link(20, 0, {})), "link: array 2 in workgroup memory has no size");
}

TEST(Link, SymbolsOfEntriesWithOtherDwordsSpilled) {
  SamplePart part = computePart();
  part.relocations[1].symbol = rootSymbol(5);
  part.functions[0].code[12] = 8; // two dwords further
  Linked linked = Linked::of(linkCompute(part, applicationMapping()));
  EXPECT_EQ(read32le(&linked.code(HardwareStage::Cs)[12]), 4u * 40 + 8);
  EXPECT_EQ(linked.md.spillThreshold, 42u) << "what is read";
}

TEST(Link, LayoutErrors) {
  SamplePart part = computePart();
  auto without = [](unsigned root) {
    ResourceMapping mapping = applicationMapping();
    mapping.roots.erase(mapping.roots.begin() + root);
    return mapping;
  };
  EXPECT_EQ(computeError(part, without(0)),
            "invalid input: link: the layout has no table of set 2");
  EXPECT_EQ(computeError(part, without(1)),
            "invalid input: link: the layout has no push constants");
  EXPECT_EQ(computeError(part, without(4)), "invalid input: link: DescriptorBuffer of set 0, "
                                            "binding 3 is not in the layout, the part has it in "
                                            "the root");
  ResourceMapping mapping = applicationMapping();
  mapping.roots[0].table.pop_back();
  EXPECT_EQ(computeError(part, mapping),
            "invalid input: link: set 2, binding 1 is not in a table of the layout");
  mapping = applicationMapping();
  mapping.roots[1].sizeInDwords = 2;
  EXPECT_EQ(computeError(part, mapping),
            "invalid input: link: PushConst has 2 dwords in the layout, dword 2 is used");
  mapping = applicationMapping();
  mapping.roots[1].offsetInDwords = 158;
  EXPECT_EQ(computeError(part, mapping),
            "limit exceeded: link: PushConst is at dword 160 of the root, the limit is 160");
  mapping = applicationMapping();
  mapping.roots[4].type = ResourceNodeType::DescriptorBufferCompact;
  EXPECT_EQ(computeError(part, mapping),
            "invalid input: link: DescriptorBuffer of set 0, binding 3 is a "
            "DescriptorBufferCompact in the layout");
  // In a table instead of the root.
  mapping = applicationMapping();
  mapping.roots[4] = mapping.roots[2];
  mapping.roots[4].table.resize(4, mapping.roots[4].table.back());
  mapping.roots[4].table[3].binding = 3;
  EXPECT_EQ(computeError(part, mapping), "invalid input: link: DescriptorBuffer of set 0, binding "
                                         "3 is in a table, the part has it in the root");
  mapping = applicationMapping();
  mapping.roots[0].table[0].binding = 1; // image and sampler of one number, say
  EXPECT_EQ(computeError(part, mapping), "unsupported: link: set 2, binding 1 is several nodes");
}

TEST(Link, Gfx12MapsAnEntryOnce) {
  SamplePart part = computePart();
  part.info.roots.push_back(tableRoot(2, 13));
  auto &stage = *part.md.hardwareStage(HardwareStage::Cs);
  (*stage.userDataRegMap)[7] = 13;
  stage.userDataRegMap->push_back(userdata::spillTable);
  stage.userDataRegMap->erase(stage.userDataRegMap->begin() + 8); // workgroup
  stage.userSgprs = 9;
  Linked::of(linkCompute(part, applicationMapping()));
  part.flags = gfx1201;
  EXPECT_EQ(computeError(part, applicationMapping()),
            "unsupported: user data dword 17 is mapped twice in a stage");
}

// --- Graphics

struct GraphicsParts {
  SamplePart fetch = fetchGlue(), vertex = vertexPart(), fragment = fragmentPart(),
             exports = exportGlue();
  GraphicsParts() {
    vertex.info.fetch = fetchSignature();
    fragment.info.colorExport = exportSignature();
    fragment.functions[0].code = moves(2, 0xF4A6);
  }
  Expected<std::vector<uint8_t>> link(bool withFetch = true, bool withFragment = true,
                                      bool withExport = true) {
    auto fetchPart = create(fetch), vertexPart = create(vertex), fragmentPart = create(fragment),
         exportPart = create(exports);
    LinkParts parts;
    parts.vertexFetch = withFetch ? fetchPart.get() : nullptr;
    parts.preRasterization = vertexPart.get();
    parts.fragment = withFragment ? fragmentPart.get() : nullptr;
    parts.colorExport = withExport ? exportPart.get() : nullptr;
    return linkParts(parts, applicationLayout(), {});
  }
  bool interfacesLink() { return lgc::interfacesLink(*create(vertex), *create(fragment)); }
  std::string error(bool withFetch = true, bool withExport = true) {
    Expected<std::vector<uint8_t>> result = link(withFetch, true, withExport);
    if (result)
      return "success";
    ErrorText text = consumeToText(result.takeError());
    return (errorKindName(text.kind) + ": " + text.message).str();
  }
};

TEST(LinkGraphics, CodeAndGlue) {
  GraphicsParts parts;
  Linked linked = Linked::of(parts.link());
  Bytes vertex = joined({moves(5, 0xFE7C), ended(moves(3, 0x600D))});
  support::endian::write32le(&vertex[40 + 4], 0x600D + 4 * 100);
  EXPECT_EQ(Bytes(linked.code(HardwareStage::Gs)), vertex);
  Bytes fragment = joined({moves(2, 0xF4A6), ended(moves(1, 0xC010))});
  support::endian::write32le(&fragment[4], 0xF4A6 + 4 * 12);
  EXPECT_EQ(Bytes(linked.code(HardwareStage::Ps)), fragment);
  EXPECT_EQ(linked.md.hardwareStage(HardwareStage::Gs)->vgprCount, 40u) << "of the glue";
  EXPECT_EQ(linked.md.hardwareStage(HardwareStage::Gs)->sgprCount, 20u);
  EXPECT_EQ(linked.md.hardwareStage(HardwareStage::Ps)->sgprCount, 33u);
  EXPECT_EQ(linked.md.type, PipelineType::Ngg);
}

TEST(LinkGraphics, Relocations) {
  GraphicsParts parts;
  parts.vertex.rodata = Bytes(10, 0x11);
  parts.vertex.relocations.push_back({"rodata", 12, ELF::R_AMDGPU_ABS32_LO});
  Linked linked = Linked::of(parts.link());
  const ElfSection *rodata = linked.elf.findSection(".rodata");
  ASSERT_TRUE(rodata);
  EXPECT_EQ(rodata->size, 12u + 24);
  ASSERT_EQ(linked.elf.relocations().size(), 2u);
  const ElfRelocation &first = linked.elf.relocations()[0], &second = linked.elf.relocations()[1];
  EXPECT_EQ(first.type, uint32_t(ELF::R_AMDGPU_ABS32_LO));
  EXPECT_EQ(first.offset, 40u + 12) << "behind the glue";
  EXPECT_EQ(linked.elf.symbols()[first.symbol].value, 0u);
  EXPECT_EQ(second.type, uint32_t(ELF::R_AMDGPU_REL32_LO));
  EXPECT_EQ(second.offset, 256u + 12);
  EXPECT_EQ(linked.elf.symbols()[second.symbol].value, 12u);
  EXPECT_EQ(linked.elf.sections()[linked.elf.symbols()[second.symbol].section].name, ".rodata");
  // Of a part they are the symbol of its section, which has no name.
  EXPECT_FALSE(linked.elf.symbols()[first.symbol].name.empty());
  EXPECT_NE(linked.elf.symbols()[first.symbol].name, linked.elf.symbols()[second.symbol].name);
}

TEST(LinkGraphics, NamesOfSectionsAreInSection1) {
  GraphicsParts parts;
  Linked linked = Linked::of(parts.link());
  EXPECT_EQ(linked.elf.header().nameSection, pal::abi::nameSectionIndex);
  EXPECT_EQ(linked.elf.sections()[pal::abi::nameSectionIndex].name, ".strtab");
}

TEST(LinkGraphics, UserData) {
  GraphicsParts parts;
  Linked linked = Linked::of(parts.link());
  EXPECT_EQ(linked.map(HardwareStage::Gs), (Map{userdata::globalTable, 5, 40, 41}));
  EXPECT_EQ(linked.map(HardwareStage::Ps), (Map{userdata::globalTable, 3, 5}));
  EXPECT_EQ(linked.md.userDataLimit, 42u);
  EXPECT_EQ(linked.md.spillThreshold, userdata::noSpill);
  // A spilled dword of one stage.
  parts.fragment.info.spilled = {1};
  parts.fragment.md.hardwareStage(HardwareStage::Ps)->userDataRegMap = {userdata::globalTable, 0,
                                                                        userdata::spillTable};
  linked = Linked::of(parts.link());
  EXPECT_EQ(linked.md.userDataLimit, 42u);
  EXPECT_EQ(linked.md.spillThreshold, 5u);
}

TEST(LinkGraphics, Registers) {
  GraphicsParts parts;
  Linked linked = Linked::of(parts.link());
  EXPECT_EQ(linked.number({key::maxVertsPerSubgroup}), 128u);
  EXPECT_EQ(linked.number({key::spiShaderColFormat, key::col0ExportFormat}), 9u) << "glue";
  EXPECT_EQ(linked.number({key::cbShaderMask, key::output0Enable}), 7u) << "glue";
  EXPECT_EQ(linked.number({key::dbShaderControl, key::killEnable}), 1u) << "part";
  EXPECT_EQ(linked.number({key::dbShaderControl, key::alphaToMaskDisable}), 1u) << "glue";
  EXPECT_EQ(linked.number({key::spiPsInputEna, key::perspCenterEna}), 1u);
  auto count = [&](StringRef name) {
    msgpack::DocNode *node = lookup(linked.md.pipelineMap(), name);
    return node ? node->getUInt() : 99;
  };
  EXPECT_EQ(count(key::numInterpolants), 2u);
  EXPECT_FALSE(lookup(linked.md.pipelineMap(), key::psInputSemantic));
  EXPECT_FALSE(lookup(linked.md.pipelineMap(), key::prerasterOutputSemantic));
}

TEST(LinkGraphics, Inputs) {
  GraphicsParts parts;
  Linked linked = Linked::of(parts.link());
  EXPECT_EQ(linked.number({key::spiPsInputCntl, "[0]", key::offset}), 2u);
  EXPECT_EQ(linked.number({key::spiPsInputCntl, "[0]", key::flatShade}), 1u);
  EXPECT_EQ(linked.number({key::spiPsInputCntl, "[1]", key::offset}), 32u) << "a constant";
  EXPECT_EQ(linked.number({key::spiPsInputCntl, "[1]", key::flatShade}), 0u);
  // Attribute numbers are the writer's; pass-through stays.
  set(parts.vertex.md, {key::prerasterOutputSemantic, "[1]", key::index}, 4);
  setGraphics(parts.fragment.md, {key::spiPsInputCntl, "[0]", key::offset}, 32 + 2);
  linked = Linked::of(parts.link());
  EXPECT_EQ(linked.number({key::spiPsInputCntl, "[0]", key::offset}), 32u + 4);
}

TEST(LinkGraphics, BuiltInInputs) {
  GraphicsParts parts;
  set(parts.fragment.md, {key::psInputSemantic, "[1]", key::semantic}, Slot::Layer);
  Linked linked = Linked::of(parts.link());
  EXPECT_EQ(linked.number({key::spiPsInputCntl, "[1]", key::offset}), 32u) << "nobody writes it";
  EXPECT_TRUE(parts.interfacesLink());
  setFlag(parts.vertex.md, {key::paClVsOutCntl, key::useVtxRenderTargetIndx}, true);
  EXPECT_EQ(parts.error(), "unsupported: link: the fragment part reads Layer, which the part "
                           "before it has not made an attribute");
  EXPECT_FALSE(parts.interfacesLink());
  // A mesh shader's layer is in a word of the primitive.
  setFlag(parts.vertex.md, {key::paClVsOutCntl, key::useVtxRenderTargetIndx}, false);
  setFlag(parts.vertex.md, {key::vgtDrawPrimPayloadEn}, true);
  for (auto [slot, name] :
       {std::pair(Slot::Layer, "Layer"), {Slot::ViewportIndex, "ViewportIndex"}}) {
    set(parts.fragment.md, {key::psInputSemantic, "[1]", key::semantic}, slot);
    EXPECT_EQ(parts.error(), std::string("unsupported: link: the fragment part reads ") + name +
                                 ", which the part before it has not made an attribute");
  }
  set(parts.fragment.md, {key::psInputSemantic, "[1]", key::semantic}, Slot::Layer);
  set(parts.vertex.md, {key::prerasterOutputSemantic, "[0]", key::semantic}, Slot::Layer);
  linked = Linked::of(parts.link());
  EXPECT_EQ(linked.number({key::spiPsInputCntl, "[1]", key::offset}), 6u);
  set(parts.fragment.md, {key::psInputSemantic, "[1]", key::semantic}, Slot::PrimitiveId);
  EXPECT_EQ(parts.error(), "unsupported: link: the fragment part reads PrimitiveId, which the part "
                           "before it has not made an attribute");
  // The point coordinate is no attribute.
  set(parts.fragment.md, {key::psInputSemantic, "[1]", key::semantic}, Slot::End);
  setGraphics(parts.fragment.md, {key::spiPsInputCntl, "[1]", key::offset}, 32);
  setFlag(parts.fragment.md, {key::spiPsInputCntl, "[1]", key::ptSpriteTex}, true);
  linked = Linked::of(parts.link());
  EXPECT_EQ(linked.number({key::spiPsInputCntl, "[1]", key::ptSpriteTex}), 1u);
}

TEST(LinkGraphics, WithoutFragmentPart) {
  GraphicsParts parts;
  Linked linked = Linked::of(parts.link(true, false, false));
  EXPECT_FALSE(linked.md.hardwareStage(HardwareStage::Ps));
  EXPECT_FALSE(linked.md.shader(ApiStage::Pixel));
}

TEST(LinkGraphics, WithoutGlue) {
  GraphicsParts parts;
  parts.vertex.info.fetch.reset();
  parts.fragment.info.colorExport.reset();
  Linked linked = Linked::of(parts.link(false, true, false));
  EXPECT_EQ(linked.code(HardwareStage::Gs).size(), 28u);
  EXPECT_EQ(linked.number({key::spiShaderColFormat, key::col0ExportFormat}), 4u) << "the part's";
}

TEST(LinkGraphics, Errors) {
  GraphicsParts parts;
  EXPECT_EQ(parts.error(false), "invalid input: link: vertex fetch glue is missing");
  EXPECT_EQ(parts.error(true, false), "invalid input: link: color export glue is missing");
  parts.fetch.info.fetch->inputs[0].mask = 3;
  EXPECT_EQ(parts.error(),
            "invalid input: link: vertex fetch glue has another signature than the part");
  parts = {};
  parts.exports.info.colorExport->colors.clear();
  EXPECT_EQ(parts.error(),
            "invalid input: link: color export glue has another signature than the part");
  parts = {};
  parts.exports.flags = gfx1030;
  EXPECT_EQ(parts.error(), "invalid input: link: parts of different targets");
  parts = {};
  parts.vertex.info.fetch.reset();
  EXPECT_EQ(parts.error(), "invalid input: link: vertex fetch glue is not needed");
  SamplePart computeSample = computePart();
  auto compute = create(computeSample);
  LinkParts wrong;
  wrong.preRasterization = compute.get();
  EXPECT_EQ(messageOf(linkParts(wrong, applicationLayout(), {})),
            "invalid input: link: a compute part in place of a pre-rasterization part");
  EXPECT_EQ(messageOf(linkParts({}, applicationLayout(), {})),
            "invalid input: link: no pre-rasterization part");
}

} // namespace
