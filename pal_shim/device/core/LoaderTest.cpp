//===- LoaderTest.cpp - code objects into device memory --------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/abi/ElfWriter.h"
#include "pal_shim/device/core/DeviceForTest.h"
#include "llvm/BinaryFormat/ELF.h"
#include <random>

using namespace pal::device;
using namespace pal::device::test;

namespace {

std::string loadError(SoftwareDevice &device, llvm::ArrayRef<uint8_t> elf) {
  auto program = device.loadProgram(elf, "kernel");
  return program ? "" : llvm::toString(program.takeError());
}

/// The sample's ELF with changed metadata.
template <class Change> std::vector<uint8_t> changed(const TestProgram &program, Change change) {
  std::vector<uint8_t> bytes = program.elf();
  auto elf = pal::abi::ElfObject::parse(bytes);
  auto metadata = pal::abi::PipelineMetadata::parse(elf->findMetadataNote()->desc);
  change(*metadata, *metadata->hardwareStage(pal::abi::HardwareStage::Cs));
  auto result = pal::abi::replaceMetadata(*elf, metadata->toBlob());
  EXPECT_TRUE(bool(result));
  return std::move(*result);
}

/// A code object with a `.rodata` of three dwords behind the code and relocations of both.
std::vector<uint8_t> relocatedElf(const TestProgram &program,
                                  llvm::ArrayRef<pal::abi::ElfRelocation> relocations) {
  using namespace llvm;
  std::vector<uint8_t> bytes = program.elf();
  auto elf = pal::abi::ElfObject::parse(bytes);
  pal::abi::ElfBuilder builder;
  builder.header() = elf->header();
  const pal::abi::ElfSection &code = *elf->findSection(".text");
  uint16_t text =
      uint16_t(builder.addSection(".text", ELF::SHT_PROGBITS, code.flags, 256, code.data));
  const uint8_t table[12] = {1, 0, 0, 0, 2, 0, 0, 0, 3};
  uint16_t rodata = uint16_t(
      builder.addSection(".rodata", ELF::SHT_PROGBITS, ELF::SHF_ALLOC, 64, ArrayRef(table)));
  builder.addSection(".note", ELF::SHT_NOTE, 0, 4, elf->findSection(".note")->data);
  uint32_t symbol = builder.addSymbol("table", ELF::STT_OBJECT, ELF::STB_LOCAL, rodata, 4, 8);
  uint32_t missing = builder.addSymbol("extern", ELF::STT_OBJECT, ELF::STB_LOCAL, 0, 0, 0);
  builder.addSymbol("_amdgpu_cs_main", ELF::STT_FUNC, ELF::STB_GLOBAL, text, 0, code.size);
  for (pal::abi::ElfRelocation relocation : relocations) {
    relocation.target = text;
    relocation.symbol = relocation.symbol ? missing : symbol;
    builder.addRelocation(relocation);
  }
  auto result = builder.finish();
  EXPECT_TRUE(bool(result));
  return std::move(*result);
}

} // namespace

TEST(Loader, RelocationsReachConstants) {
  // Absolute and pc-relative addresses of `table` + 4, a dword that holds 3.
  DeviceForTest bed({});
  TestProgram program = programFor("gfx1100", R"(
    s_mov_b32 s2, 0x11111111
    s_mov_b32 s3, 0x11111111
    s_load_dword s4, s[2:3], 0x0
    s_getpc_b64 s[2:3]
    s_add_u32 s2, s2, 0x11111111
    s_addc_u32 s3, s3, 0x11111111
    s_load_dword s5, s[2:3], 0x0
    s_waitcnt 0
    v_mov_b32 v0, 0
    v_mov_b32 v1, s4
    v_mov_b32 v2, s5
    global_store_dword v0, v1, s[0:1]
    global_store_dword v0, v2, s[0:1] offset:4
  )");
  auto make = [](uint64_t offset, uint32_t type, int64_t addend) {
    pal::abi::ElfRelocation relocation;
    relocation.offset = offset;
    relocation.type = type;
    relocation.addend = addend;
    relocation.hasAddend = true;
    return relocation;
  };
  using namespace llvm::ELF;
  // Literals are at 4, 12, 32 and 40; s_getpc gives the address of 28.
  std::vector<uint8_t> elf =
      relocatedElf(program, {make(4, R_AMDGPU_ABS32_LO, 4), make(12, R_AMDGPU_ABS32_HI, 4),
                             make(32, R_AMDGPU_REL32_LO, 8), make(40, R_AMDGPU_REL32_HI, 16)});
  auto loaded = bed.device->loadProgram(elf, "kernel");
  ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
  uint32_t entries[] = {uint32_t(bed.buffer->address()), uint32_t(bed.buffer->address() >> 32)};
  llvm::Error error = bed.device->dispatch({.program = loaded->get(), .userData = entries});
  ASSERT_EQ(error ? llvm::toString(std::move(error)) : "", "");
  EXPECT_EQ(bed.dwords()[0], 3u);
  EXPECT_EQ(bed.dwords()[1], 3u);
  pal::abi::ElfRelocation undefined = make(4, R_AMDGPU_ABS32_LO, 0);
  undefined.symbol = 1;
  EXPECT_EQ(loadError(*bed.device, relocatedElf(program, {undefined})),
            "section 2 ('.text'), relocation at 0x4: symbol 'extern' is not in a loaded section");
  EXPECT_EQ(loadError(*bed.device, relocatedElf(program, {make(4, R_AMDGPU_GOTPCREL, 0)})),
            "section 2 ('.text'), relocation at 0x4: type 7");
}

TEST(Loader, ReportsProgramProperties) {
  DeviceForTest bed({});
  TestProgram program = programFor("gfx1100", "", 64);
  program.threads = {3, 4, 5};
  auto loaded = bed.device->loadProgram(program.elf(), "kernel");
  ASSERT_TRUE(bool(loaded));
  EXPECT_EQ((*loaded)->name(), "kernel");
  EXPECT_EQ((*loaded)->waveSize(), 64u);
  EXPECT_EQ((*loaded)->workgroupSize(), (std::array<uint32_t, 3>{3, 4, 5}));
}

TEST(Loader, ProgramsAndAllocationsMayOutliveTheDevice) {
  auto bed = std::make_unique<DeviceForTest>(DeviceOptions());
  auto loaded = bed->device->loadProgram(programFor("gfx1100", "").elf(), "kernel");
  ASSERT_TRUE(bool(loaded));
  std::unique_ptr<Allocation> buffer = std::move(bed->buffer);
  bed.reset();
  buffer->host()[0] = 1;
  EXPECT_EQ((*loaded)->name(), "kernel");
}

TEST(Loader, RejectsOtherTargets) {
  DeviceForTest bed({});
  EXPECT_EQ(loadError(*bed.device, programFor("gfx1030", "").elf()),
            "the code is for gfx1030, the device is a gfx1100");
  DeviceOptions unknown;
  unknown.target = "gfx906";
  auto device = SoftwareDevice::create(unknown);
  ASSERT_FALSE(bool(device));
  EXPECT_EQ(llvm::toString(device.takeError()), "unknown target 'gfx906'");
}

TEST(Loader, RejectsLaunchesThatCannotBe) {
  DeviceForTest bed({});
  TestProgram sample = programFor("gfx1100", "");
  using Metadata = pal::abi::PipelineMetadata;
  using Stage = pal::abi::HardwareStageInfo;
  auto errorAfter = [&](auto change) { return loadError(*bed.device, changed(sample, change)); };
  EXPECT_EQ(errorAfter([](Metadata &, Stage &s) { s.wavefrontSize.reset(); }),
            ".wavefront_size: missing");
  EXPECT_EQ(errorAfter([](Metadata &, Stage &s) { s.wavefrontSize = 16; }), ".wavefront_size: 16");
  EXPECT_EQ(errorAfter([](Metadata &, Stage &s) { s.threadgroupDimensions.reset(); }),
            ".threadgroup_dimensions: three numbers are needed");
  EXPECT_EQ(errorAfter([](Metadata &, Stage &s) {
              s.threadgroupDimensions = {0x10000, 0x10000, 0x10000};
            }),
            ".threadgroup_dimensions: 65536 x 65536 x 65536, 1 to 1024 threads are possible");
  EXPECT_EQ(errorAfter([](Metadata &, Stage &s) { s.threadgroupDimensions = {1, 0, 1}; }),
            ".threadgroup_dimensions: 1 x 0 x 1, 1 to 1024 threads are possible");
  EXPECT_EQ(errorAfter([](Metadata &, Stage &s) { s.ldsSize = 65537; }), ".lds_size: 65537");
  EXPECT_EQ(errorAfter([](Metadata &, Stage &s) { s.scratchMemorySize = 2 << 20; }),
            ".scratch_memory_size: 2097152");
  // 16 waves of 64 lanes: four on each of four SIMDs, or eight on each of two.
  auto setLarge = [](Stage &s, uint32_t vgprs, bool wgpMode) {
    s.threadgroupDimensions = {1024, 1, 1};
    s.wavefrontSize = 64;
    s.vgprCount = vgprs;
    s.wgpMode = wgpMode;
  };
  EXPECT_EQ(errorAfter([&](Metadata &, Stage &s) { setLarge(s, 192, true); }), "");
  EXPECT_EQ(errorAfter([&](Metadata &, Stage &s) { setLarge(s, 193, true); }),
            "no room for a workgroup of 1024 threads with 193 vector registers on two compute "
            "units");
  EXPECT_EQ(errorAfter([&](Metadata &, Stage &s) { setLarge(s, 96, false); }), "");
  EXPECT_EQ(errorAfter([&](Metadata &, Stage &s) { setLarge(s, 97, false); }),
            "no room for a workgroup of 1024 threads with 97 vector registers on a compute unit");
  EXPECT_EQ(errorAfter([](Metadata &, Stage &s) { s.scratchMemorySize = ~0u; }),
            ".scratch_memory_size: 4294967295");
  EXPECT_EQ(errorAfter([](Metadata &, Stage &s) { s.userSgprs = 17; }),
            ".user_sgprs: 17, a compute shader has 16");
  EXPECT_EQ(errorAfter([](Metadata &, Stage &s) {
              s.userDataRegMap = {0, pal::abi::userdata::workgroup};
            }),
            "user data register 1: Workgroup needs 2 registers");
  EXPECT_EQ(
      errorAfter([](Metadata &, Stage &s) { s.userDataRegMap = {0, pal::abi::userdata::viewId}; }),
      "user data register 1: ViewId in a compute shader");
  EXPECT_EQ(errorAfter(
                [](Metadata &m, Stage &) { m.hardwareStage(pal::abi::HardwareStage::Cs).reset(); }),
            "a program without hardware stages");
}

TEST(Loader, NamesEverythingThatCannotBeExecuted) {
  DeviceForTest bed({});
  std::string message = loadError(*bed.device, programFor("gfx1100", "s_rfe_b64 s[0:1]\n").elf());
  EXPECT_EQ(message.substr(0, 74), "cannot execute s_rfe_b64 (sop1) at pc 0x0: 's_rfe_b64 s[0:1]'");
  message = loadError(*bed.device, programFor("gfx1100", "s_sethalt 1\ns_sethalt 2\n"
                                                         "s_sendmsg 77")
                                       .elf());
  EXPECT_EQ(message, "cannot execute s_sethalt (sopp): halting the wave at pc 0x0: 's_sethalt 1'; "
                     "s_sendmsg (sopp): message 77 at pc 0x8: 's_sendmsg sendmsg(77, 0, 0)'");
}

TEST(Loader, FollowsControlFlowOnly) {
  // What is not reached does not matter, neither data nor unknown instructions.
  DeviceForTest bed({});
  EXPECT_EQ(bed.run(programFor("gfx1100", "s_branch end\n.long 0xffffffff\ns_sethalt 1\nend:\n")),
            "");
  EXPECT_EQ(loadError(*bed.device, programFor("gfx1100", "s_branch 100").elf()),
            "control flow leaves the code after pc 0x0: 0x194 of 0x8");
  EXPECT_EQ(loadError(*bed.device, programFor("gfx1100", "s_branch 0x8000").elf()),
            "control flow leaves the code after pc 0x0: 0xfffffffffffe0004 of 0x8");
  EXPECT_EQ(loadError(*bed.device, programFor("gfx1100", ".long 0xffffffff").elf()),
            "no instruction at pc 0x0");
  EXPECT_EQ(loadError(*bed.device, programFor("gfx1100", "s_cbranch_scc0 1\n"
                                                         "s_mov_b32 s0, 0x7e000280")
                                       .elf()),
            "control flow enters the middle of the instruction before pc 0xc at 0x8");
}

TEST(Loader, FunctionsCalledThroughRegisters) {
  DeviceForTest bed({});
  TestProgram program = programFor("gfx1100", R"(
    s_getpc_b64 s[2:3]
    s_add_u32 s2, s2, 40
    s_addc_u32 s3, s3, 0
    s_swappc_b64 s[4:5], s[2:3]
    v_mov_b32 v0, 0
    v_mov_b32 v1, s6
    global_store_dword v0, v1, s[0:1]
    s_endpgm
    s_code_end
    s_code_end
    s_movk_i32 s6, 0x4d2
    s_setpc_b64 s[4:5]
  )");
  EXPECT_NE(bed.run(program).find("where no instruction of the program starts"), std::string::npos);
  program.functions = {{"function", 44}};
  EXPECT_EQ(bed.run(program), "");
  EXPECT_EQ(bed.dwords()[0], 1234u);
}

TEST(Loader, BranchesThroughRegistersInsideAFunction) {
  // What LLVM makes of a branch that is too far for s_branch.
  DeviceForTest bed({});
  TestProgram program = programFor("gfx1100", R"(
    s_getpc_b64 s[2:3]
    s_add_u32 s2, s2, 16
    s_addc_u32 s3, s3, 0
    s_setpc_b64 s[2:3]
    s_endpgm
    v_mov_b32 v0, 0
    v_mov_b32 v1, 7
    global_store_dword v0, v1, s[0:1]
  )");
  EXPECT_EQ(bed.run(program), "");
  EXPECT_EQ(bed.dwords()[0], 7u);
}

TEST(Loader, SurvivesDamagedObjects) {
  DeviceForTest bed({.instructionLimit = 1000});
  std::vector<uint8_t> good = programFor("gfx1100", R"(
    s_mov_b32 s2, 5
  loop:
    v_add_f32 v0, v0, v1
    s_sub_u32 s2, s2, 1
    s_cmp_lg_u32 s2, 0
    s_cbranch_scc1 loop
    v_dual_mov_b32 v2, v3 :: v_dual_add_f32 v5, v1, v6
  )")
                                  .elf();
  std::mt19937 random(7);
  for (unsigned i = 0; i < 400; ++i) {
    std::vector<uint8_t> bad = good;
    for (unsigned changes = random() % 4 + 1; changes; --changes)
      bad[random() % bad.size()] ^= uint8_t(1u << random() % 8);
    if (random() % 8 == 0)
      bad.resize(random() % bad.size());
    auto program = bed.device->loadProgram(bad, "damaged");
    if (!program) {
      EXPECT_NE(llvm::toString(program.takeError()), "");
      continue;
    }
    uint32_t entries[] = {uint32_t(bed.buffer->address()), uint32_t(bed.buffer->address() >> 32)};
    llvm::consumeError(bed.device->dispatch({.program = program->get(), .userData = entries}));
  }
}

TEST(Loader, CodeThatDoesNotEndAtADword) {
  // 64 dwords and two bytes; flow goes on after the last dword.
  DeviceForTest bed({});
  TestProgram program = programFor("gfx1100", "");
  std::vector<uint8_t> bytes = program.elf();
  auto elf = pal::abi::ElfObject::parse(bytes);
  std::vector<uint8_t> code(258, 0);
  for (size_t i = 0; i < 256; i += 4)
    code[i + 2] = 0x80, code[i + 3] = 0xBF; // s_nop
  pal::abi::ElfBuilder builder;
  builder.header() = elf->header();
  uint16_t text = uint16_t(builder.addSection(".text", llvm::ELF::SHT_PROGBITS,
                                              elf->findSection(".text")->flags, 256, code));
  builder.addSection(".note", llvm::ELF::SHT_NOTE, 0, 4, elf->findSection(".note")->data);
  builder.addSymbol("_amdgpu_cs_main", llvm::ELF::STT_FUNC, llvm::ELF::STB_GLOBAL, text, 0, 258);
  auto result = builder.finish();
  ASSERT_TRUE(bool(result));
  std::string message = loadError(*bed.device, *result);
  EXPECT_NE(message.find("control flow leaves the code after pc 0xfc: 0x100 of 0x100"),
            std::string::npos)
      << message;
}
