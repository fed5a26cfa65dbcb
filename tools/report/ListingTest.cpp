//===- ListingTest.cpp - code in the forms of Radeon GPU Analyzer ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Live registers: the rows are what the analyzer's own program (shae 3.2) prints of the same code,
/// but for labels, which it numbers in another way.
#include "tools/report/Listing.h"
#include "pal_shim/device/core/AssembleForTest.h"
#include "gtest/gtest.h"

namespace report {
namespace {

constexpr const char *loop = R"(
  s_mov_b32 s2, 0
  v_mov_b32 v1, 1.0
  v_add_f32 v2, v1, v0
  v_cmp_lt_f32 vcc_lo, v2, v1
  s_and_saveexec_b32 s4, vcc_lo
  s_cbranch_execz end
again:
  v_mul_f32 v2, v2, v2
  s_add_i32 s2, s2, 1
  s_cmp_lt_i32 s2, s3
  s_cbranch_scc1 again
end:
  s_or_b32 exec_lo, exec_lo, s4
  global_store_b32 v0, v2, s[6:7])";

std::string listing(ListingKind kind, const ListingOptions &options = {}) {
  pal::device::test::TestProgram program;
  program.text = loop;
  program.threads = {8, 4, 1};
  const std::vector<uint8_t> elf = program.elf();
  const CodeObject object = llvm::cantFail(readCodeObject(elf));
  const auto map = llvm::cantFail(SourceMap::read(elf));
  return llvm::cantFail(StageListing::read(*object.target, object.stages.at(0), *map))
      ->text(kind, options);
}

bool has(const std::string &text, llvm::StringRef part) {
  const bool found = llvm::StringRef(text).contains(part);
  EXPECT_TRUE(found) << part.str() << "\nis not in\n" << text;
  return found;
}

TEST(Listing, Assembly) {
  const std::string text = listing(ListingKind::Assembly);
  EXPECT_TRUE(llvm::StringRef(text).starts_with("_amdgpu_cs_main:\n\n\ts_mov_b32 s2, 0 "));
  has(text, "// 000000000000: BE820080\n");
  has(text, "\nlabel_0018:\n\tv_mul_f32_e32 v2, v2, v2 ");
  has(text, "\ts_cbranch_scc1 label_0018 ");
  has(text, "// 00000000002C: DC6A0000 00060200\n");
}

TEST(Listing, AssemblyTable) {
  const std::string text = listing(ListingKind::AssemblyTable);
  EXPECT_TRUE(llvm::StringRef(text).starts_with(
      "Address, Source Line Number, Opcode, Operands, Functional Unit, Cycles, Binary "
      "Encoding\n0x000000,0,s_mov_b32,\"s2, 0\",Scalar ALU,1,BE820080,\n"));
  has(text, "\nlabel_0018:\n0x000018,0,v_mul_f32_e32,\"v2, v2, v2\",Vector ALU,1,10040502,\n");
  has(text, "s_cbranch_scc1,\"label_0018\",Branch,1|9,BFA2FFFC,\n");
  has(text, "0x00002C,0,global_store_b32,\"v0, v2, s[6:7]\",Vector Memory,Varies,DC6A0000 "
            "00060200,\n");
  has(text, "s_endpgm,\"\",Flow Control,1,");
}

TEST(Listing, LiveVgprs) {
  const std::string text = listing(ListingKind::LiveVgprs);
  has(text, "  Line | Rn  |     | Instruction\n");
  has(text, "     1 |   1 | :   | s_mov_b32 s2, 0\n     2 |   2 | :^  | v_mov_b32");
  has(text, "     3 |   3 | vv^ | v_add_f32");
  has(text, "     4 |   3 | :vv | v_cmp_lt_f32");
  has(text, "     5 |   2 | : : | s_and_saveexec_b32");
  has(text, "     7 |   2 | : x | label_0018: v_mul_f32");
  has(text, "    12 |   2 | v v | global_store_b32");
  has(text, "    13 |   0 |     | s_endpgm\n\nMaximum # VGPR used   3, VGPRs allocated by HW: ");
  has(text, "  VGPRs total: 256\n  VGPR allocation granularity: 24\n");
}

TEST(Listing, LiveSgprs) {
  const std::string text = listing(ListingKind::LiveSgprs);
  has(text, "     1 |   4 |   ^:  :: | s_mov_b32");
  has(text, "     5 |   5 |   ::^ :: | s_and_saveexec_b32");
  has(text, "     8 |   5 |   x:: :: | s_add_i32");
  has(text, "     9 |   5 |   vv: :: | s_cmp_lt_i32");
  has(text, "    11 |   3 |     v :: | label_0028: s_or_b32");
  has(text, "Maximum # SGPR used   5, SGPRs allocated : ");
}

TEST(Listing, Graphs) {
  const std::string blocks = listing(ListingKind::BlockGraph);
  EXPECT_TRUE(llvm::StringRef(blocks).starts_with("digraph {\nnode [shape=box]\n"));
  has(blocks, "\"n_0018\" [ label= \"label_0018\nv_mul_f32_e32 v2, v2, v2\\ls_add_i32");
  for (const char *edge : {"\"n_entry\":s -> \"n_0000\";", "\"n_0000\":s -> \"n_0018\";",
                           "\"n_0000\":s -> \"n_0028\";", "\"n_0018\":s -> \"n_0018\";",
                           "\"n_0018\":s -> \"n_0028\";", "\"n_0028\":s -> \"n_exit\";"})
    has(blocks, edge);
  const std::string instructions = listing(ListingKind::InstructionGraph);
  has(instructions, "\"n_0018\" [label=\"label_0018: v_mul_f32_e32 v2, v2, v2\"]\n");
  for (const char *edge : {"\"n_0000\":s -> \"n_0004\";", "\"n_0024\":s -> \"n_0018\";",
                           "\"n_0014\":s -> \"n_0028\";", "\"n_0034\":s -> \"n_exit\";"})
    has(instructions, edge);
}

TEST(Listing, Resources) {
  const std::string text = listing(ListingKind::Resources);
  EXPECT_TRUE(llvm::StringRef(text).starts_with(
      "DEVICE,SCRATCH_MEM,THREADS_PER_WORKGROUP,WAVEFRONT_SIZE,AVAILABLE_LDS_BYTES,"
      "USED_LDS_BYTES,AVAILABLE_SGPRs,USED_SGPRs,SGPR_SPILLS,AVAILABLE_VGPRs,USED_VGPRs,"
      "VGPR_SPILLS,CL_WORKGROUP_X_DIMENSION,CL_WORKGROUP_Y_DIMENSION,CL_WORKGROUP_Z_DIMENSION,"
      "ISA_SIZE\ngfx1100,0,32,32,65536,0,106,"));
  has(text, ",8,4,1,56\n");
  has(listing(ListingKind::Resources, {.separator = ';'}), "DEVICE;SCRATCH_MEM;");
}

} // namespace
} // namespace report
