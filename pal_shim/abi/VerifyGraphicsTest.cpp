//===- VerifyGraphicsTest.cpp - each graphics rule broken once ------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/abi/TestObjects.h"
#include "pal_shim/abi/Verify.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace pal::abi;
using namespace pal::abi::test;

namespace {

using Lines = std::vector<std::string>;

constexpr uint32_t gfx1030 = 0x36, gfx1100 = 0x41, gfx1201 = 0x4E;

HardwareStageInfo stageInfo(HardwareStage stage) {
  HardwareStageInfo info;
  info.entryPointSymbol = entryPointSymbol(stage).str();
  info.vgprCount = 24;
  info.sgprCount = 20;
  info.wavefrontSize = 32;
  info.floatMode = 192;
  info.userSgprs = 2;
  info.userDataRegMap = {userdata::globalTable, 0};
  return info;
}

void setNode(PipelineMetadata &md, ArrayRef<StringRef> path, msgpack::DocNode value) {
  msgpack::DocNode *node = &md.pipelineMap()[key::graphicsRegisters];
  for (StringRef part : path) {
    unsigned index = 0;
    if (part.consume_front("[") && !part.consumeInteger(10, index))
      node = &node->getArray(true)[index];
    else
      node = &node->getMap(true)[part];
  }
  *node = value;
}
void set(PipelineMetadata &md, ArrayRef<StringRef> path, unsigned value) {
  setNode(md, path, md.document().getNode(value));
}
void setBool(PipelineMetadata &md, ArrayRef<StringRef> path, bool value) {
  setNode(md, path, md.document().getNode(value));
}

void addShader(PipelineMetadata &md, ApiStage api, HardwareStage stage) {
  ShaderInfo shader;
  shader.apiShaderHash = Hash128{7, 8};
  shader.hardwareMapping = {stage};
  md.shaders[unsigned(api)] = shader;
  if (!md.hardwareStage(stage))
    md.hardwareStage(stage) = stageInfo(stage);
}

/// A primitive shader and a fragment shader with one attribute and one target.
PipelineMetadata sample() {
  PipelineMetadata md;
  md.api = "Vulkan";
  md.type = PipelineType::Ngg;
  md.internalPipelineHash = Hash128{1, 2};
  md.userDataLimit = 1;
  md.spillThreshold = userdata::noSpill;
  addShader(md, ApiStage::Vertex, HardwareStage::Gs);
  addShader(md, ApiStage::Pixel, HardwareStage::Ps);
  setBool(md, {key::vgtShaderStagesEn, key::primgenEn}, true);
  set(md, {key::maxVertsPerSubgroup}, 128);
  set(md, {key::geNggSubgrpCntl, key::threadsPerSubgroup}, 128);
  set(md, {key::geNggSubgrpCntl, key::primAmpFactor}, 1);
  set(md, {key::vgtGsOnchipCntl, key::esVertsPerSubgroup}, 128);
  set(md, {key::vgtGsOnchipCntl, key::gsPrimsPerSubgroup}, 128);
  set(md, {key::spiShaderPosFormat, "[0]"}, 4);
  setBool(md, {key::spiPsInputEna, key::perspCenterEna}, true);
  setBool(md, {key::spiPsInputAddr, key::perspCenterEna}, true);
  set(md, {key::spiPsInControl, key::numInterps}, 1);
  set(md, {key::spiPsInputCntl, "[0]", key::offset}, 0);
  set(md, {key::spiShaderColFormat, key::col0ExportFormat}, 4);
  set(md, {key::cbShaderMask, key::output0Enable}, 15);
  return md;
}

Bytes elfOf(PipelineMetadata &md, uint32_t flags) {
  ElfBuilder builder;
  ElfHeader &header = builder.header();
  header.type = ELF::ET_REL;
  header.machine = elf::machine;
  header.osAbi = elf::osAbiPal;
  header.abiVersion = elf::abiVersion;
  header.flags = flags;
  uint16_t text = uint16_t(builder.addSection(
      ".text", ELF::SHT_PROGBITS, ELF::SHF_ALLOC | ELF::SHF_EXECINSTR, 256, Bytes(2048, 0xBF)));
  builder.addSection(".note", ELF::SHT_NOTE, 0, 4, encodeNote("AMDGPU", 32, md.toBlob()));
  for (unsigned i = 0; i < hardwareStageCount; ++i)
    if (md.hardwareStages[i])
      builder.addSymbol(entryPointSymbol(HardwareStage(i)), ELF::STT_FUNC, ELF::STB_GLOBAL, text,
                        256 * i, 64);
  return take(builder.finish());
}

Lines verify(PipelineMetadata &md, uint32_t flags) {
  Lines lines;
  for (const Violation &violation : verifyCodeObject(elfOf(md, flags), nullptr))
    lines.push_back((violation.rule + ": " + violation.message).str());
  return lines;
}

template <class Change> Lines after(Change change, uint32_t flags = gfx1100) {
  PipelineMetadata md = sample();
  change(md);
  return verify(md, flags);
}

TEST(VerifyGraphics, SampleIsClean) {
  for (uint32_t flags : {gfx1030, gfx1100, gfx1201})
    EXPECT_EQ(after([](PipelineMetadata &) {}, flags), Lines{});
}

TEST(VerifyGraphics, Stages) {
  EXPECT_EQ(after([](PipelineMetadata &md) { md.type = PipelineType::VsPs; }),
            (Lines{"graphics-stages: .type: VsPs, but gfx1100 has primitive shaders only",
                   "graphics-stages: .hardware_stages.gs: not possible in a pipeline of type VsPs",
                   "graphics-stages: .hardware_stages.vs: missing in a pipeline of type VsPs"}));
  auto tessellated = [](PipelineMetadata &md) {
    md.type = PipelineType::NggTess;
    setBool(md, {key::vgtShaderStagesEn, key::hsStageEn}, true);
    setBool(md, {key::vgtShaderStagesEn, key::lsStageEn}, true);
  };
  EXPECT_EQ(after(tessellated),
            (Lines{"graphics-stages: .hardware_stages.hs: missing in a pipeline of type NggTess"}));
  // An evaluation shader compiled alone is the part behind the HS.
  EXPECT_EQ(after([&](PipelineMetadata &md) {
              tessellated(md);
              md.shaders[unsigned(ApiStage::Domain)] = md.shaders[unsigned(ApiStage::Vertex)];
              md.shaders[unsigned(ApiStage::Vertex)].reset();
            }),
            Lines{});
  EXPECT_EQ(after([](PipelineMetadata &md) {
              md.shaders[unsigned(ApiStage::Pixel)]->hardwareMapping = {HardwareStage::Gs};
            }),
            (Lines{"graphics-mapping: .shaders.pixel.hardware_mapping: .gs cannot run it"}));
}

TEST(VerifyGraphics, StagesEnabled) {
  EXPECT_EQ(after([](PipelineMetadata &md) {
              setBool(md, {key::vgtShaderStagesEn, key::primgenEn}, false);
            }),
            (Lines{"shader-stages-en: .graphics_registers.vgt_shader_stages_en.primgen_en: not set,"
                   " which does not fit .hardware_stages"}));
  EXPECT_EQ(
      after([](PipelineMetadata &md) { set(md, {key::vgtShaderStagesEn, key::esStageEn}, 2); },
            gfx1201),
      (Lines{"shader-stages-en: .graphics_registers.vgt_shader_stages_en: gfx12 has no LS and"
             " ES bits"}));
  EXPECT_EQ(after(
                [](PipelineMetadata &md) {
                  setBool(md, {key::vgtShaderStagesEn, key::primgenPassthruNoMsg}, true);
                },
                gfx1030),
            (Lines{"shader-stages-en: "
                   ".graphics_registers.vgt_shader_stages_en.primgen_passthru_no_msg: gfx11 and "
                   "later only"}));
  EXPECT_EQ(
      after([](PipelineMetadata &md) { set(md, {key::vgtShaderStagesEn, key::gsFastLaunch}, 2); }),
      (Lines{"shader-stages-en: .graphics_registers.vgt_shader_stages_en.gs_fast_launch: set "
             "without a mesh shader"}));
}

TEST(VerifyGraphics, VertexProcessing) {
  EXPECT_EQ(
      after([](PipelineMetadata &md) { set(md, {key::gsVgprCompCnt}, 3); }, gfx1201),
      (Lines{"vgpr-comp-cnt: .graphics_registers.gs_vgpr_comp_cnt: value 3, the limit is 2"}));
  EXPECT_EQ(after([](PipelineMetadata &md) { set(md, {key::maxVertsPerSubgroup}, 257); }),
            (Lines{"ngg-subgroup: .graphics_registers.max_verts_per_subgroup: value 257, expected 1"
                   " to 256"}));
  EXPECT_EQ(after([](PipelineMetadata &md) { set(md, {key::spiShaderPosFormat, "[1]"}, 4); }),
            (Lines{"position-exports: .graphics_registers.spi_shader_pos_format: 2 exports, "
                   ".pa_cl_vs_out_cntl says 1"}));
  EXPECT_EQ(after([](PipelineMetadata &md) {
              set(md, {key::spiShaderPosFormat, "[1]"}, 4);
              setBool(md, {key::paClVsOutCntl, key::vsOutMiscVecEna}, true);
            }),
            Lines{});
}

/// Six invocations of a geometry shader behind a vertex shader.
void addGeometryShader(PipelineMetadata &md) {
  addShader(md, ApiStage::Geometry, HardwareStage::Gs);
  setBool(md, {key::vgtShaderStagesEn, key::gsStageEn}, true);
  set(md, {key::vgtGsMode, key::mode}, 3);
  set(md, {key::vgtGsMode, key::onchip}, 1);
  set(md, {key::vgtGsOnchipCntl, key::gsPrimsPerSubgroup}, 20);
  set(md, {key::vgtGsOnchipCntl, key::gsInstPrimsPerSubgrp}, 120);
  setBool(md, {key::vgtGsInstanceCnt, key::enable}, true);
  set(md, {key::vgtGsInstanceCnt, key::count}, 6);
}

template <class Change> Lines afterGeometry(Change change, uint32_t flags = gfx1100) {
  return after(
      [&](PipelineMetadata &md) {
        addGeometryShader(md);
        change(md);
      },
      flags);
}

TEST(VerifyGraphics, GeometryMode) {
  for (uint32_t flags : {gfx1030, gfx1100, gfx1201})
    EXPECT_EQ(afterGeometry([](PipelineMetadata &) {}, flags), Lines{});
  const std::string place = "gs-mode: .graphics_registers.vgt_gs_mode";
  EXPECT_EQ(afterGeometry([](PipelineMetadata &md) { set(md, {key::vgtGsMode, key::onchip}, 0); }),
            (Lines{place + ".onchip: value 0 in scenario G, expected 1 or 3"}));
  EXPECT_EQ(afterGeometry([](PipelineMetadata &md) { set(md, {key::vgtGsMode, key::mode}, 0); }),
            (Lines{place + ".mode: value 0 with a geometry shader, expected 3"}));
  // A primitive shader without a geometry shader.
  EXPECT_EQ(after([](PipelineMetadata &md) { set(md, {key::vgtGsMode, key::mode}, 3); }),
            (Lines{place + ".onchip: value 0 in scenario G, expected 1 or 3"}));
}

TEST(VerifyGraphics, GeometryInstances) {
  const std::string place =
      "gs-instances: .graphics_registers.vgt_gs_onchip_cntl.gs_inst_prims_per_subgrp: value ";
  EXPECT_EQ(afterGeometry([](PipelineMetadata &md) {
              set(md, {key::vgtGsOnchipCntl, key::gsInstPrimsPerSubgrp}, 20);
            }),
            (Lines{place + "20, expected 20 primitives x 6 invocations"}));
  EXPECT_EQ(afterGeometry([](PipelineMetadata &md) {
              setBool(md, {key::vgtGsInstanceCnt, key::enable}, false);
            }),
            (Lines{place + "120, expected 20 primitives x 1 invocations"}));
}

TEST(VerifyGraphics, PrimitiveId) {
  const Lines missing = {"primitive-id: .graphics_registers.vgt_primitive_id_en: not set, but the "
                         "geometry stage loads the id"};
  auto geometry = [&](uint32_t flags, unsigned count, bool enabled) {
    return afterGeometry(
        [&](PipelineMetadata &md) {
          set(md, {key::gsVgprCompCnt}, count);
          setBool(md, {key::vgtPrimitiveIdEn}, enabled);
        },
        flags);
  };
  for (uint32_t flags : {gfx1030, gfx1100, gfx1201}) {
    unsigned count = flags == gfx1201 ? 1 : 2;
    EXPECT_EQ(geometry(flags, count, false), missing);
    EXPECT_EQ(geometry(flags, count, true), Lines{});
    EXPECT_EQ(geometry(flags, count - 1, false), Lines{});
    EXPECT_EQ(geometry(flags, count + 1, false), Lines{}) << "for what comes behind it";
  }
  auto tessellated = [](unsigned count, bool hasGeometry) {
    return after([&](PipelineMetadata &md) {
      if (hasGeometry)
        addGeometryShader(md);
      md.type = PipelineType::NggTess;
      addShader(md, ApiStage::Vertex, HardwareStage::Hs);
      addShader(md, ApiStage::Hull, HardwareStage::Hs);
      addShader(md, ApiStage::Domain, HardwareStage::Gs);
      setBool(md, {key::vgtShaderStagesEn, key::hsStageEn}, true);
      setBool(md, {key::vgtShaderStagesEn, key::lsStageEn}, true);
      for (StringRef field : {key::numPatches, key::hsNumInputCp, key::hsNumOutputCp})
        set(md, {key::vgtLsHsConfig, field}, 3);
      set(md, {key::vgtTfParam, key::topology}, 1);
      set(md, {key::esVgprCompCnt}, count);
    });
  };
  EXPECT_EQ(tessellated(3, true), missing);
  EXPECT_EQ(tessellated(2, true), Lines{});
  EXPECT_EQ(tessellated(3, false), Lines{}) << "the tessellator has it";
}

TEST(VerifyGraphics, StreamOut) {
  const std::string place = "stream-out: .graphics_registers.vgt_strmout_config.streamout_";
  EXPECT_EQ(after([](PipelineMetadata &md) {
              set(md, {key::vgtStrmoutBufferConfig, key::stream2BufferEn}, 1);
            }),
            (Lines{place + "2_en: not set, but the stream has buffers"}));
  auto counting = [](bool all) {
    return after([&](PipelineMetadata &md) {
      setBool(md, {key::vgtStrmoutConfig, key::primsNeededCntEn}, true);
      for (StringRef stream : {key::streamout0En, key::streamout1En, key::streamout3En})
        setBool(md, {key::vgtStrmoutConfig, stream}, true);
      setBool(md, {key::vgtStrmoutConfig, key::streamout2En}, all);
    });
  };
  EXPECT_EQ(counting(true), Lines{});
  EXPECT_EQ(counting(false),
            (Lines{place + "2_en: not set, but primitives of all streams are counted"}));
}

TEST(VerifyGraphics, Tessellation) {
  auto tessellate = [](PipelineMetadata &md, unsigned patches) {
    md.type = PipelineType::NggTess;
    addShader(md, ApiStage::Vertex, HardwareStage::Hs);
    addShader(md, ApiStage::Hull, HardwareStage::Hs);
    addShader(md, ApiStage::Domain, HardwareStage::Gs);
    setBool(md, {key::vgtShaderStagesEn, key::hsStageEn}, true);
    setBool(md, {key::vgtShaderStagesEn, key::lsStageEn}, true);
    set(md, {key::vgtLsHsConfig, key::numPatches}, patches);
    set(md, {key::vgtLsHsConfig, key::hsNumInputCp}, 3);
    set(md, {key::vgtLsHsConfig, key::hsNumOutputCp}, 3);
    set(md, {key::vgtTfParam, key::topology}, 1);
  };
  EXPECT_EQ(after([&](PipelineMetadata &md) { tessellate(md, 16); }), Lines{});
  // Dynamic control points are the draw's.
  EXPECT_EQ(after([&](PipelineMetadata &md) {
              tessellate(md, 16);
              md.pipelineMap()[key::graphicsRegisters].getMap()[key::vgtLsHsConfig].getMap().erase(
                  md.document().getNode(key::hsNumInputCp));
            }),
            Lines{});
  EXPECT_EQ(after([&](PipelineMetadata &md) {
              tessellate(md, 16);
              set(md, {key::vgtLsHsConfig, key::hsNumInputCp}, 33);
            }),
            (Lines{"tessellation: .graphics_registers.vgt_ls_hs_config.hs_num_input_cp: value 33, "
                   "expected 1 to 32"}));
  EXPECT_EQ(after([&](PipelineMetadata &md) { tessellate(md, 0); }),
            (Lines{"tessellation: .graphics_registers.vgt_ls_hs_config.num_patches: value 0, "
                   "expected 1 to 255"}));
}

/// What the user data rules say of a pipeline with a task and a mesh shader that maps these.
Lines afterTaskMaps(std::vector<uint32_t> cs, std::vector<uint32_t> gs, uint32_t flags = gfx1100) {
  PipelineMetadata md = sample();
  md.type = PipelineType::TaskMesh;
  addShader(md, ApiStage::Task, HardwareStage::Cs);
  auto setMap = [&](HardwareStage stage, std::vector<uint32_t> map) {
    md.hardwareStage(stage)->userSgprs = uint32_t(map.size());
    md.hardwareStage(stage)->userDataRegMap = std::move(map);
  };
  setMap(HardwareStage::Cs, std::move(cs));
  setMap(HardwareStage::Gs, std::move(gs));
  Lines lines = verify(md, flags);
  erase_if(lines, [](StringRef line) { return !line.starts_with("user-data"); });
  return lines;
}

TEST(VerifyGraphics, UserDataOfTaskShaders) {
  using namespace userdata;
  const std::vector<uint32_t> cs = {globalTable, meshTaskDispatchDims, notMapped, notMapped,
                                    meshTaskRingIndex};
  EXPECT_EQ(afterTaskMaps(cs, {globalTable, meshTaskRingIndex}), Lines{});
  std::string place = ".user_data_reg_map: no ", behind = " in a pipeline with a task shader";
  // Whether the mesh shader reads a payload does not matter.
  EXPECT_EQ(afterTaskMaps(cs, {globalTable, 0}),
            (Lines{"user-data-task: .hardware_stages.gs" + place + "MeshTaskRingIndex" + behind}));
  EXPECT_EQ(
      afterTaskMaps({globalTable}, {meshTaskRingIndex}),
      (Lines{"user-data-task: .hardware_stages.cs" + place + "MeshTaskRingIndex" + behind,
             "user-data-task: .hardware_stages.cs" + place + "MeshTaskDispatchDims" + behind}));
  std::vector<uint32_t> withView = cs;
  withView.push_back(viewId);
  EXPECT_EQ(afterTaskMaps(withView, {meshTaskRingIndex, viewId}),
            (Lines{"user-data-value: .hardware_stages.cs.user_data_reg_map[5]: ViewId in a compute "
                   "stage"}));
  EXPECT_EQ(afterTaskMaps(cs, {meshTaskRingIndex, meshPipeStatsBuf, notMapped}, gfx1030), Lines{});
  EXPECT_EQ(afterTaskMaps(cs, {meshTaskRingIndex, meshPipeStatsBuf, notMapped}, gfx1201),
            (Lines{"user-data-value: .hardware_stages.gs.user_data_reg_map[1]: MeshPipeStatsBuf, "
                   "which PAL does not fill on gfx12"}));
  EXPECT_EQ(afterTaskMaps(cs, {meshTaskRingIndex, workgroup, notMapped}),
            (Lines{"user-data-value: .hardware_stages.gs.user_data_reg_map[1]: Workgroup in a "
                   "graphics stage"}));
}

TEST(VerifyGraphics, FragmentInputs) {
  EXPECT_EQ(
      after(
          [](PipelineMetadata &md) { setBool(md, {key::spiPsInputEna, key::posXFloatEna}, true); }),
      (Lines{"ps-input: .graphics_registers.spi_ps_input_ena.pos_x_float_ena: set, but not in "
             ".spi_ps_input_addr"}));
  EXPECT_EQ(
      after([](PipelineMetadata &md) {
        setBool(md, {key::spiPsInputEna, key::perspCenterEna}, false);
      }),
      (Lines{"ps-input: .graphics_registers.spi_ps_input_ena: no PERSP or LINEAR bit is set"}));
  EXPECT_EQ(after([](PipelineMetadata &md) { set(md, {key::spiPsInControl, key::numInterps}, 2); }),
            (Lines{"ps-interpolants: .graphics_registers.spi_ps_input_cntl: 1 entries, "
                   ".spi_ps_in_control says 2"}));
}

TEST(VerifyGraphics, FragmentOutputs) {
  EXPECT_EQ(
      after([](PipelineMetadata &md) { set(md, {key::cbShaderMask, key::output3Enable}, 1); }),
      (Lines{"color-exports: .graphics_registers.spi_shader_col_format: 1 exports, "
             ".cb_shader_mask enables 2 targets"}));
  EXPECT_EQ(after([](PipelineMetadata &md) {
              set(md, {key::cbShaderMask, key::output3Enable}, 1);
              set(md, {key::spiShaderColFormat, key::col3ExportFormat}, 4);
            }),
            (Lines{"color-exports: .graphics_registers.spi_shader_col_format.col_3_export_format: "
                   "stands behind an unused one"}));
  EXPECT_EQ(after([](PipelineMetadata &md) {
              setBool(md, {key::dbShaderControl, key::stencilTestValExportEnable}, true);
              set(md, {key::spiShaderZFormat}, 1);
            }),
            (Lines{"depth-export: .graphics_registers.spi_shader_z_format: format 1 does not carry "
                   "all that .db_shader_control enables"}));
}

TEST(VerifyGraphics, PartOfAPipeline) {
  PipelineMetadata md = sample();
  md.hardwareStage(HardwareStage::Gs).reset();
  md.shaders[unsigned(ApiStage::Vertex)].reset();
  EXPECT_EQ(verify(md, gfx1100), Lines{}) << "a fragment part needs no vertex registers";
}

} // namespace
