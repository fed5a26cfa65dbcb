//===- VertexShaderForTest.cpp - last geometry stages in assembler ---------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/VertexShaderForTest.h"

namespace pal::device::test {

namespace key = abi::key;

constexpr const char *nggAllocation = R"(
  s_cmp_lg_u32 s7, 0
  s_cbranch_scc1 allocated
  s_bfe_u32 s0, s2, 0x9000c
  s_bfe_u32 s1, s2, 0x90016
  s_lshl_b32 s1, s1, 12
  s_or_b32 m0, s0, s1
  s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)
allocated:
)";
constexpr const char *primitiveLanes = R"(
  s_bfe_u32 s6, s3, 0x80008
  v_cmp_gt_u32 vcc_lo, s6, v20
  s_mov_b32 exec_lo, vcc_lo
)";
constexpr const char *vertexLanes = R"(
  s_mov_b32 exec_lo, -1
  s_and_b32 s0, s3, 0xff
  v_cmp_gt_u32 vcc_lo, s0, v20
  s_mov_b32 exec_lo, vcc_lo
)";
/// The V# of the ring is at dword 44 of the global table; the stride is one attribute.
constexpr const char *ringStore = R"(
  s_getpc_b64 s[10:11]
  s_mov_b32 s10, s8
  s_load_b128 s[12:15], s[10:11], 0xb0
  WAIT
  s_and_b32 s0, s5, 0x7fff
  s_lshl_b32 s0, s0, 9
  buffer_store_b128 v[28:31], v21, s[12:15], s0 idxen
)";

std::string VertexShaderForTest::text() const {
  bool isGfx12 = isMajor(12), isGfx10 = isMajor(10);
  std::string exportName = isGfx12 ? "export" : "exp";
  std::string text;
  if (isNgg) {
    text = threadOfGroup; // lane i: primitive i, then vertex i
    if (allocates)
      text += nggAllocation;
    text += primitiveLanes + primitiveCode + exportName + " prim v0, off, off, off done\n";
    text += vertexLanes;
    text += isGfx12 ? "v_mov_b32 v10, v3\nv_mov_b32 v11, v4\n"
                    : "v_mov_b32 v10, v5\nv_mov_b32 v11, v8\n";
  } else {
    text = "v_mov_b32 v10, v0\nv_mov_b32 v11, v3\nv_mov_b32 v21, v1\n";
  }
  text += body + "\n" + exportName + " pos0 v24, v25, v26, v27 done\n";
  if (isGfx10)
    return text + "exp param0 v28, v29, v30, v31\n";
  std::string store = ringStore;
  store.replace(store.find("WAIT"), 4, isGfx12 ? "s_wait_kmcnt 0" : "s_waitcnt lgkmcnt(0)");
  return text + store;
}

void VertexShaderForTest::addTo(TestGraphics &graphics) const {
  graphics.target = target;
  graphics.stages.push_back(
      {.stage = isNgg ? abi::HardwareStage::Gs : abi::HardwareStage::Vs,
       .text = text(),
       .userDataRegMap = {abi::userdata::globalTable, 0, 1, abi::userdata::baseInstance}});
  auto set = [&](std::vector<std::string> path, uint64_t value) {
    graphics.registers.push_back({std::move(path), value});
  };
  set({key::spiVsOutConfig.str(), key::vsExportCount.str()}, 0);
  if (!isNgg) {
    set({key::vsVgprCompCnt.str()}, 3);
    return;
  }
  set({key::vgtShaderStagesEn.str(), key::primgenEn.str()}, 1);
  set({key::vgtGsOnchipCntl.str(), key::esVertsPerSubgroup.str()}, 128);
  set({key::vgtGsOnchipCntl.str(), key::gsPrimsPerSubgroup.str()}, 128);
  set({key::vgtEsgsRingItemsize.str()}, 1);
  set({key::esVgprCompCnt.str()}, isMajor(12) ? 1 : 3);
  set({key::gsVgprCompCnt.str()}, 1);
  if (!isMajor(12))
    set({key::vgtShaderStagesEn.str(), key::primgenPassthruEn.str()}, isPassthrough);
  if (!allocates)
    set({key::vgtShaderStagesEn.str(), key::primgenPassthruNoMsg.str()}, 1);
}

} // namespace pal::device::test
