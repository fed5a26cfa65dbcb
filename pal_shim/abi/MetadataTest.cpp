//===- MetadataTest.cpp - metadata reader and writer ----------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/abi/Metadata.h"
#include "pal_shim/abi/TestObjects.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace pal::abi;
using namespace pal::abi::test;
using msgpack::MapDocNode;

namespace {

HardwareStageInfo &cs(PipelineMetadata &md) { return *md.hardwareStage(HardwareStage::Cs); }

/// parse() of the sample after a change to its document.
template <class Change> std::string messageAfter(Change change) {
  PipelineMetadata md = sampleMetadata();
  Bytes sample = md.toBlob();
  change(md.document(), md.pipelineMap());
  std::string blob;
  md.document().writeToBlob(blob);
  return messageOf(PipelineMetadata::parse(Bytes(blob.begin(), blob.end())));
}

MapDocNode stageMap(MapDocNode pipeline) {
  return pipeline[key::hardwareStages].getMap()[".cs"].getMap();
}

TEST(Abi, NamesAreFoundAndDescribed) {
  EXPECT_EQ(key::wavefrontSize, ".wavefront_size");
  EXPECT_EQ(key::nggSubgroupSize, ".nggSubgroupSize");
  for (unsigned i = 0; i < hardwareStageCount; ++i)
    EXPECT_EQ(findHardwareStage(hardwareStageKey(HardwareStage(i))), HardwareStage(i));
  for (unsigned i = 0; i < apiStageCount; ++i)
    EXPECT_EQ(findApiStage(apiStageKey(ApiStage(i))), ApiStage(i));
  EXPECT_EQ(findPipelineType("TaskMesh"), PipelineType::TaskMesh);
  EXPECT_EQ(findPipelineType("cs"), std::nullopt);
  EXPECT_EQ(entryPointSymbol(HardwareStage::Cs), "_amdgpu_cs_main");
  EXPECT_EQ(userdata::describe(3), "api 3");
  EXPECT_EQ(userdata::describe(userdata::workgroup), "Workgroup");
  EXPECT_EQ(userdata::describe(userdata::pipelineLinkStart + 5), "PipelineLink 5");
  EXPECT_EQ(userdata::describe(160), "unknown 0xa0");
  EXPECT_EQ(userdata::registerCount(userdata::workgroup), 2u);
  EXPECT_EQ(userdata::registerCount(7), 1u);
  EXPECT_TRUE(userdata::isSpecial(userdata::globalTable));
  EXPECT_FALSE(userdata::isSpecial(userdata::notMapped));
  EXPECT_FALSE(userdata::isSpecial(0x10001100));
}

TEST(Metadata, RoundTripKeepsEveryField) {
  PipelineMetadata md = sampleMetadata();
  Bytes blob = md.toBlob();
  PipelineMetadata read = take(PipelineMetadata::parse(blob));
  EXPECT_EQ(read.versionMajor, 3u);
  EXPECT_EQ(read.versionMinor, 0u);
  EXPECT_EQ(read.api, "Vulkan");
  EXPECT_EQ(read.type, PipelineType::Cs);
  EXPECT_EQ(read.internalPipelineHash, md.internalPipelineHash);
  EXPECT_EQ(read.userDataLimit, 12u);
  EXPECT_EQ(read.spillThreshold, 6u);
  EXPECT_EQ(read.shader(ApiStage::Compute)->apiShaderHash, (Hash128{7, 8}));
  EXPECT_EQ(read.shader(ApiStage::Compute)->hardwareMapping.size(), 1u);
  EXPECT_EQ(cs(read).userDataRegMap, cs(md).userDataRegMap);
  EXPECT_EQ(cs(read).threadgroupDimensions, cs(md).threadgroupDimensions);
  EXPECT_EQ(cs(read).entryPointSymbol, "_amdgpu_cs_main");
  EXPECT_EQ(cs(read).scratchEn, true);
  EXPECT_EQ(cs(read).ieeeMode, std::nullopt);
  EXPECT_EQ(read.computeRegisters->tidigCompCnt, 1u);
  EXPECT_EQ(read.computeRegisters->tgidZEn, false);
  EXPECT_EQ(read.toBlob(), blob);
}

TEST(Metadata, KeepsUnknownKeysAndGraphicsRegisters) {
  PipelineMetadata md = sampleMetadata();
  md.pipelineMap()[".unheard_of"] = md.document().getNode(77u);
  md.pipelineMap()[key::graphicsRegisters].getMap(true)[key::spiShaderZFormat] =
      md.document().getNode(9u);
  stageMap((md.toBlob(), md.pipelineMap()))[".future"] = md.document().getNode("x");
  PipelineMetadata read = take(PipelineMetadata::parse(md.toBlob()));
  read.userDataLimit = 20;
  cs(read).ldsSize.reset();
  PipelineMetadata again = take(PipelineMetadata::parse(read.toBlob()));
  EXPECT_EQ(again.userDataLimit, 20u);
  EXPECT_EQ(cs(again).ldsSize, std::nullopt);
  EXPECT_EQ(asUInt(*lookup(again.pipelineMap(), ".unheard_of")), 77u);
  EXPECT_EQ(asUInt(*lookup(lookup(again.pipelineMap(), key::graphicsRegisters)->getMap(),
                           key::spiShaderZFormat)),
            9u);
  EXPECT_EQ(asString(*lookup(stageMap(again.pipelineMap()), ".future")), "x");
  EXPECT_EQ(lookup(stageMap(again.pipelineMap()), key::ldsSize), nullptr);
}

TEST(Metadata, AcceptsOtherEncodings) {
  // Booleans as 0 and 1, non-negative numbers as signed ones.
  PipelineMetadata md = sampleMetadata();
  md.toBlob();
  stageMap(md.pipelineMap())[key::scratchEn] = md.document().getNode(1u);
  std::string blob;
  md.document().writeToBlob(blob);
  Bytes bytes(blob.begin(), blob.end());
  PipelineMetadata read = take(PipelineMetadata::parse(bytes));
  EXPECT_EQ(cs(read).scratchEn, true);
  EXPECT_EQ(read.toBlob(), bytes) << "an unchanged field keeps its encoding";
}

TEST(Metadata, ErasedStagesDisappear) {
  PipelineMetadata md = take(PipelineMetadata::parse(sampleMetadata().toBlob()));
  md.hardwareStage(HardwareStage::Cs).reset();
  md.computeRegisters.reset();
  PipelineMetadata read = take(PipelineMetadata::parse(md.toBlob()));
  EXPECT_FALSE(read.hardwareStage(HardwareStage::Cs));
  EXPECT_FALSE(read.computeRegisters);
}

TEST(Metadata, RejectsWrongVersions) {
  EXPECT_EQ(messageAfter([](auto &doc, MapDocNode) {
              doc.getRoot().getMap().erase(doc.getNode(key::version));
            }),
            "amdpal.version: missing");
  EXPECT_EQ(messageAfter([](auto &doc, MapDocNode) {
              doc.getRoot().getMap()[key::version].getArray()[0] = doc.getNode(4u);
            }),
            "amdpal.version: major version 4, only 2 and 3 are known");
  EXPECT_EQ(messageAfter([](auto &doc, MapDocNode) {
              doc.getRoot().getMap()[key::version].getArray()[2] = doc.getNode(4u);
            }),
            "amdpal.version: 3 entries, the limit is 2");
  EXPECT_EQ(messageAfter([](auto &doc, MapDocNode) {
              doc.getRoot().getMap()[key::version] = doc.getNode("3");
            }),
            "amdpal.version: string found, array expected");
  EXPECT_EQ(messageAfter([](auto &doc, MapDocNode) {
              doc.getRoot().getMap().erase(doc.getNode(key::pipelines));
            }),
            "amdpal.pipelines: missing or empty");
}

TEST(Metadata, RejectsWrongShapes) {
  auto stageWith = [](StringRef name, auto value) {
    return messageAfter(
        [&](auto &doc, MapDocNode pipeline) { stageMap(pipeline)[name] = doc.getNode(value); });
  };
  EXPECT_EQ(stageWith(key::vgprCount, "many"),
            "amdpal.pipelines[0].hardware_stages.cs.vgpr_count: string found, unsigned integer "
            "expected");
  EXPECT_EQ(stageWith(key::vgprCount, -1),
            "amdpal.pipelines[0].hardware_stages.cs.vgpr_count: negative integer found, unsigned "
            "integer expected");
  EXPECT_EQ(stageWith(key::vgprCount, uint64_t(1) << 32),
            "amdpal.pipelines[0].hardware_stages.cs.vgpr_count: value 4294967296, the limit is "
            "4294967295");
  EXPECT_EQ(stageWith(key::scratchEn, 2),
            "amdpal.pipelines[0].hardware_stages.cs.scratch_en: integer found, boolean expected");
  EXPECT_EQ(stageWith(key::userDataRegMap, 2),
            "amdpal.pipelines[0].hardware_stages.cs.user_data_reg_map: integer found, array "
            "expected");
  EXPECT_EQ(messageAfter([](auto &doc, MapDocNode pipeline) {
              stageMap(pipeline)[key::userDataRegMap].getArray()[32] = doc.getNode(0u);
              for (auto &element : stageMap(pipeline)[key::userDataRegMap].getArray())
                if (element.isEmpty())
                  element = doc.getNode(0u);
            }),
            "amdpal.pipelines[0].hardware_stages.cs.user_data_reg_map: 33 entries, the limit is "
            "32");
  EXPECT_EQ(messageAfter([](auto &doc, MapDocNode pipeline) {
              pipeline[key::type] = doc.getNode("Compute");
            }),
            "amdpal.pipelines[0].type: unknown value 'Compute'");
  EXPECT_EQ(messageAfter([](auto &doc, MapDocNode pipeline) {
              pipeline[key::api] = doc.getNode("seventeen letters");
            }),
            "amdpal.pipelines[0].api: 17 characters, the limit is 16");
  EXPECT_EQ(messageAfter([](auto &doc, MapDocNode pipeline) {
              pipeline[key::shaders].getMap()[".compute"] = doc.getNode(1u);
            }),
            "amdpal.pipelines[0].shaders.compute: integer found, map expected");
  EXPECT_EQ(messageAfter([](auto &doc, MapDocNode pipeline) {
              pipeline[key::graphicsRegisters].getMap(true)[key::vgtGsOutPrimType].getMap(
                  true)[key::outprimType] = doc.getNode("Quad");
            }),
            "amdpal.pipelines[0].graphics_registers.vgt_gs_out_prim_type.outprim_type: unknown "
            "value 'Quad'");
  EXPECT_EQ(
      messageAfter([](auto &doc, MapDocNode pipeline) {
        pipeline[key::shaders].getMap()[".compute"].getMap()[key::hardwareMapping].getArray()[0] =
            doc.getNode(".ls");
      }),
      "amdpal.pipelines[0].shaders.compute.hardware_mapping: an entry is no hardware stage "
      "name");
}

TEST(MsgPack, RejectsHostileBytes) {
  auto check = [](Bytes bytes) {
    Error error = checkMsgPack(bytes);
    return error ? toString(std::move(error)) : std::string("success");
  };
  EXPECT_EQ(check({}), "metadata: ends after 0 objects, more are announced");
  EXPECT_EQ(check({0x80}), "success");
  EXPECT_EQ(check({0x80, 0x80}), "metadata: bytes after the root object");
  // An array of 4 G elements in five bytes: nothing is allocated for it.
  EXPECT_EQ(check({0xDD, 0xFF, 0xFF, 0xFF, 0xFF}),
            "metadata: ends after 1 objects, more are announced");
  EXPECT_EQ(check({0xDF, 0xFF, 0xFF, 0xFF, 0xFF}),
            "metadata: ends after 1 objects, more are announced");
  EXPECT_EQ(check({0xDB, 0xFF, 0xFF, 0xFF, 0xFF}).substr(0, 19), "metadata: object 0:");
  EXPECT_EQ(check({0x81, 0xC0, 0xC0}),
            "metadata: object 1: map key is neither string nor unsigned integer");
  EXPECT_EQ(check({0x81, 0x80, 0xC0}),
            "metadata: object 1: map key is neither string nor unsigned integer");
  EXPECT_EQ(check({0xD4, 0x00, 0x00}), "metadata: object 0: extension type");
  EXPECT_EQ(check({0xC1}).substr(0, 19), "metadata: object 0:");
  EXPECT_EQ(check(Bytes(16, 0x91)), "metadata: ends after 16 objects, more are announced");
  EXPECT_EQ(check(Bytes(17, 0x91)), "metadata: nested more than 16 deep");
  EXPECT_EQ(check(Bytes(100000, 0x91)), "metadata: nested more than 16 deep");
  Bytes many = {0xDD, 0x00, 0x10, 0x00, 0x00};
  many.resize(5 + (1 << 20), 0xC0);
  EXPECT_EQ(check(many), "metadata: more than 262144 objects");
  EXPECT_EQ(check(Bytes((16 << 20) + 1, 0xC0)),
            "metadata of 16777217 bytes, the limit is 16777216");
}

TEST(MsgPack, RejectsRepeatedKeys) {
  msgpack::Document document;
  Error error = readMsgPack(document, Bytes{0x82, 0x01, 0x02, 0x01, 0x03});
  EXPECT_EQ(toString(std::move(error)), "metadata: a map has the same key twice");
}

TEST(MsgPack, PrintsEveryKind) {
  msgpack::Document document;
  MapDocNode root = document.getRoot().getMap(true);
  root["a"] = document.getNode(uint64_t(5000));
  root["b"] = document.getNode(-3);
  root["c"] = document.getNode(true);
  root["d"] = document.getNode(1.5);
  root["e"] = document.getNode("two words\n\"");
  root["f"] = document.getNode(MemoryBufferRef(StringRef("\1\2", 2), ""));
  root["g"] = document.getNode();
  root["h"] = document.getArrayNode();
  root["i"] = document.getMapNode();
  msgpack::ArrayDocNode array = document.getArrayNode();
  MapDocNode inner = document.getMapNode();
  inner["x"] = document.getNode(1u);
  inner["y"] = document.getNode("7up");
  array.push_back(inner);
  array.push_back(document.getNode(2u));
  root["j"] = array;
  std::string text;
  raw_string_ostream os(text);
  printYaml(os, document.getRoot());
  EXPECT_EQ(text, "a: 0x1388\n"
                  "b: -3\n"
                  "c: true\n"
                  "d: 1.500000e+00\n"
                  "e: \"two words\\x0A\\\"\"\n"
                  "f: !!binary \"0102\" # 2 bytes\n"
                  "g: null\n"
                  "h: []\n"
                  "i: {}\n"
                  "j:\n"
                  "  - x: 1\n"
                  "    y: \"7up\"\n"
                  "  - 2\n");
}

} // namespace
