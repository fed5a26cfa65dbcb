// SPDX-License-Identifier: MIT
// Code for a block of IR: order, waits, registers, and what is left to LLVM.
#include "lgc/direct/Select.h"
#include "lgc/Shader.h"
#include "lgc/direct/DisassembleForTest.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace lgc::direct;
using namespace lgc::direct::glue;
using Lines = std::vector<std::string>;

namespace {

constexpr const char *declarations = R"(
declare void @llvm.amdgcn.init.exec(i64)
declare <2 x i32> @llvm.amdgcn.struct.buffer.load.v2i32(<4 x i32>, i32, i32, i32, i32)
declare <4 x float> @llvm.amdgcn.struct.tbuffer.load.v4f32(<4 x i32>, i32, i32, i32, i32, i32)
declare <2 x half> @llvm.amdgcn.cvt.pkrtz(float, float)
declare i32 @llvm.usub.sat.i32(i32, i32)
declare void @llvm.amdgcn.exp.f32(i32, i32, float, float, float, float, i1, i1)
)";

/// A function that starts with s0 to s3, v0 and v1, and returns them with more VGPRs behind.
std::string inFront(const std::string &body, const std::vector<std::string> &results) {
  std::string type = "{ i32, i32, i32, i32, float, float";
  for (size_t i = 0; i < results.size(); ++i)
    type += ", float";
  type += " }";
  std::string text = "define amdgpu_gs " + type +
                     " @f(i32 inreg %s0, i32 inreg %s1, i32 inreg %s2, i32 inreg %s3, float %v0, "
                     "float %v1) {\n" +
                     body;
  std::vector<std::string> all = {"i32 %s0", "i32 %s1",   "i32 %s2",
                                  "i32 %s3", "float %v0", "float %v1"};
  for (const std::string &result : results)
    all.push_back("float " + result);
  std::string last = "poison";
  for (size_t i = 0; i < all.size(); ++i) {
    const std::string name = "%r" + std::to_string(i);
    text += "  " + name + " = insertvalue " + type + " " + last + ", " + all[i] + ", " +
            std::to_string(i) + "\n";
    last = name;
  }
  return text + "  ret " + type + " " + last + "\n}\n";
}

/// What a table of descriptors and an index take.
constexpr const char *tableText = R"(
  %pc = call i64 asm sideeffect "s_getpc_b64 $0", "=s"()
  %low = call i32 asm sideeffect "s_mov_b32 $0, $1", "=s,s"(i32 %s3)
  %pair = bitcast i64 %pc to <2 x i32>
  %full = insertelement <2 x i32> %pair, i32 %low, i32 0
  %number = bitcast <2 x i32> %full to i64
  %table = inttoptr i64 %number to ptr addrspace(4)
  %place = getelementptr i8, ptr addrspace(4) %table, i64 48
  %d = load <4 x i32>, ptr addrspace(4) %place
  %id = bitcast float %v1 to i32
)";

Lines select(const std::string &text, const char *target = "gfx1100", unsigned waveSize = 32) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(text + declarations, diagnostic, context);
  if (!module)
    return {diagnostic.getMessage().str()};
  lgc::setTarget(*module);
  const llvm::StringRef name = target;
  const unsigned major = name.starts_with("gfx12") ? 12 : name.starts_with("gfx11") ? 11 : 10;
  llvm::SmallVector<uint32_t, 128> code;
  auto facts = lgc::direct::glue::select(*module->getFunction("f"), major, waveSize, code);
  if (!facts)
    return {"LLVM"};
  Lines lines = test::disassemble(code, target);
  EXPECT_EQ(facts->instructions, lines.size());
  return lines;
}

TEST(Select, LoadsGoWhereResultsHaveToBe) {
  const std::string body = std::string(tableText) + R"(
  %a = call <2 x i32> @llvm.amdgcn.struct.buffer.load.v2i32(<4 x i32> %d, i32 %id, i32 8, i32 4, i32 0)
  %f = bitcast <2 x i32> %a to <2 x float>
  %x = extractelement <2 x float> %f, i32 0
  %y = extractelement <2 x float> %f, i32 1
)";
  EXPECT_EQ(
      select(inFront(body, {"%x", "%y", "1.0"})),
      (Lines{"s_getpc_b64 s[4:5]", "s_mov_b32 s4, s3", "s_load_b128 s[8:11], s[4:5], 0x30",
             "v_mov_b32_e32 v4, 1.0", "s_waitcnt lgkmcnt(0)",
             "buffer_load_b64 v[2:3], v1, s[8:11], 0 idxen offset:12", "s_waitcnt vmcnt(0)"}));
}

TEST(Select, OtherOrderIsMovedBehindTheWait) {
  const std::string body = std::string(tableText) + R"(
  %a = call <4 x float> @llvm.amdgcn.struct.tbuffer.load.v4f32(<4 x i32> %d, i32 %id, i32 0, i32 0, i32 56, i32 0)
  %x = extractelement <4 x float> %a, i32 0
  %z = extractelement <4 x float> %a, i32 2
)";
  // One of them stands right, and the other is moved.
  EXPECT_EQ(select(inFront(body, {"%z", "%x"})),
            (Lines{"s_getpc_b64 s[4:5]", "s_mov_b32 s4, s3", "s_load_b128 s[8:11], s[4:5], 0x30",
                   "s_waitcnt lgkmcnt(0)",
                   "tbuffer_load_format_xyz v[3:5], v1, s[8:11], 0 "
                   "format:[BUF_FMT_16_16_16_16_SINT] idxen",
                   "s_waitcnt vmcnt(0)", "v_mov_b32_e32 v2, v5"}));
}

TEST(Select, OtherValueForWhatIsNotThere) {
  const std::string body = std::string(tableText) + R"(
  %a = call <4 x float> @llvm.amdgcn.struct.tbuffer.load.v4f32(<4 x i32> %d, i32 %id, i32 0, i32 0, i32 56, i32 0)
  %w = extractelement <4 x float> %a, i32 3
  %records = extractelement <4 x i32> %d, i32 2
  %null = icmp eq i32 %records, 0
  %f = select i1 %null, float 1.0, float %w
)";
  Lines lines = select(inFront(body, {"%f"}));
  ASSERT_EQ(lines.size(), 9u);
  EXPECT_EQ(lines[3], "s_waitcnt lgkmcnt(0)");
  EXPECT_EQ(lines[4], "s_cmp_eq_u32 s10, 0");
  EXPECT_EQ(lines[5], "s_cselect_b32 s12, -1, 0");
  EXPECT_EQ(lines[8], "v_cndmask_b32_e64 v2, v5, 1.0, s12");
  EXPECT_EQ(select(inFront(body, {"%f"}), "gfx1100", 64)[5], "s_cselect_b64 s[12:13], -1, 0");
}

// A descriptor of other words, and an index that is compared.
TEST(Select, DescriptorsThatArePutTogether) {
  const std::string body = std::string(tableText) + R"(
  %h = extractelement <4 x i32> %d, i32 1
  %hs = or i32 %h, 65536
  %d1 = insertelement <4 x i32> %d, i32 %hs, i32 1
  %d2 = insertelement <4 x i32> %d1, i32 305419896, i32 3
  %stride = extractelement <4 x i32> %d, i32 3
  %i64 = zext i32 %id to i64
  %s64 = zext i32 %stride to i64
  %p = mul i64 %i64, %s64
  %product.low = trunc i64 %p to i32
  %shifted = lshr i64 %p, 32
  %high = trunc i64 %shifted to i32
  %fits = icmp eq i32 %high, 0
  %at = select i1 %fits, i32 %product.low, i32 -1
  %bytes = extractelement <4 x i32> %d, i32 2
  %places = call i32 @llvm.usub.sat.i32(i32 %bytes, i32 99)
  %in = icmp ult i32 %at, %places
  %byte = select i1 %in, i32 %at, i32 -1
  %a = call <2 x i32> @llvm.amdgcn.struct.buffer.load.v2i32(<4 x i32> %d2, i32 %byte, i32 8, i32 0, i32 0)
  %w = extractelement <2 x i32> %a, i32 0
  %f = bitcast i32 %w to float
)";
  Lines lines = select(inFront(body, {"%f"}));
  ASSERT_EQ(lines.size(), 19u) << lines.front();
  EXPECT_EQ(Lines(lines.begin() + 3, lines.end()),
            (Lines{"s_waitcnt lgkmcnt(0)", "s_or_b32 s12, s9, 0x10000", "v_mul_lo_u32 v2, v1, s11",
                   "v_mul_hi_u32 v3, v1, s11", "v_cmp_eq_u32_e64 s13, 0, v3",
                   "v_cndmask_b32_e64 v2, -1, v2, s13", "s_sub_u32 s14, s10, 0x63",
                   "s_cselect_b32 s14, 0, s14", "v_cmp_lt_u32_e64 s15, v2, s14",
                   "v_cndmask_b32_e64 v2, -1, v2, s15", "s_mov_b32 s16, s8", "s_mov_b32 s17, s12",
                   "s_mov_b32 s18, s10", "s_mov_b32 s19, 0x12345678",
                   "buffer_load_b32 v2, v2, s[16:19], 0 idxen offset:8", "s_waitcnt vmcnt(0)"}));
  // Masks are pairs, which the text of the test, for 32 lanes, does not show.
  lines = select(inFront(body, {"%f"}), "gfx1100", 64);
  EXPECT_EQ(lines[7], "v_cmp_eq_u32_e64 s14, 0, v3");
}

TEST(Select, TheSameCopyOfAScalarIndex) {
  const std::string body = std::string(tableText) + R"(
  %a = call <2 x i32> @llvm.amdgcn.struct.buffer.load.v2i32(<4 x i32> %d, i32 %s2, i32 8, i32 0, i32 0)
  %b = call <2 x i32> @llvm.amdgcn.struct.buffer.load.v2i32(<4 x i32> %d, i32 %s2, i32 0, i32 0, i32 0)
  %x = extractelement <2 x i32> %a, i32 0
  %y = extractelement <2 x i32> %b, i32 0
  %f = bitcast i32 %x to float
  %g = bitcast i32 %y to float
)";
  Lines lines = select(inFront(body, {"%f", "%g"}));
  ASSERT_EQ(lines.size(), 9u);
  EXPECT_EQ(lines[3], "v_mov_b32_e32 v3, s2");
  EXPECT_EQ(lines[6], "buffer_load_b32 v2, v3, s[8:11], 0 idxen offset:8") << "one element is read";
  lines = select(inFront(body, {"%f", "%g"}), "gfx1201");
  ASSERT_EQ(lines.size(), 10u);
  EXPECT_EQ(lines[3], "s_mov_b32 m0, s2");
  EXPECT_EQ(lines[4], "v_mov_b32_e32 v3, m0");
}

TEST(Select, SumsInPlaceAndByM0) {
  const std::string body = R"(
  %id = bitcast float %v1 to i32
  %sum = add i32 %id, %s1
  %f = bitcast i32 %sum to float
)";
  EXPECT_EQ(select(inFront(body, {"%f"})), (Lines{"v_add_nc_u32_e32 v2, s1, v1"}));
  EXPECT_EQ(select(inFront(body, {"%f"}), "gfx1201"),
            (Lines{"s_mov_b32 m0, s1", "v_add_nc_u32_e32 v2, m0, v1"}));
}

TEST(Select, DivisionsByConstants) {
  auto divide = [](const char *by) {
    return select(inFront(std::string("  %id = bitcast float %v1 to i32\n  %q = udiv i32 %id, ") +
                              by + "\n  %f = bitcast i32 %q to float\n",
                          {"%f"}));
  };
  EXPECT_EQ(divide("8"), (Lines{"v_lshrrev_b32_e32 v2, 3, v1"}));
  EXPECT_EQ(divide("3"), (Lines{"v_mul_hi_u32 v2, v1, 0xaaaaaaab", "v_lshrrev_b32_e32 v2, 1, v2"}));
  // With an addition, and with a shift in front.
  EXPECT_EQ(divide("7"), (Lines{"v_mul_hi_u32 v2, v1, 0x24924925", "v_sub_nc_u32_e32 v3, v1, v2",
                                "v_lshrrev_b32_e32 v3, 1, v3", "v_add_nc_u32_e32 v2, v3, v2",
                                "v_lshrrev_b32_e32 v2, 2, v2"}));
  EXPECT_EQ(divide("14").front(), "v_lshrrev_b32_e32 v2, 1, v1");
}

TEST(Select, ExportsEndWithTheLastOne) {
  const std::string text = R"(
define amdgpu_ps void @f(float %a, float %b) {
  %p = call <2 x half> @llvm.amdgcn.cvt.pkrtz(float %a, float 1.0)
  %f = bitcast <2 x half> %p to float
  call void @llvm.amdgcn.exp.f32(i32 8, i32 1, float %b, float poison, float poison, float poison, i1 false, i1 false)
  call void @llvm.amdgcn.exp.f32(i32 0, i32 3, float %f, float 0.0, float poison, float poison, i1 true, i1 true)
  ret void
})";
  EXPECT_EQ(select(text), (Lines{"v_cvt_pk_rtz_f16_f32_e64 v0, v0, 1.0", "v_mov_b32_e32 v2, 0",
                                 "exp mrtz v1, off, off, off", "exp mrt0 v0, v2, off, off done"}));
}

TEST(Select, PairsOfHalves) {
  auto pair = [](const std::string &low, const std::string &high) {
    std::string body = "define amdgpu_ps void @f(float %a, float %b) {\n"
                       "  %i = bitcast float %a to i32\n  %la = trunc i32 %i to i16\n"
                       "  %j = bitcast float %b to i32\n  %lb = trunc i32 %j to i16\n";
    std::string last = "poison";
    for (auto [value, index] : {std::pair(low, "0"), {high, "1"}})
      if (!value.empty()) {
        body += std::string("  %p") + index + " = insertelement <2 x i16> " + last + ", i16 " +
                value + ", i32 " + index + "\n";
        last = std::string("%p") + index;
      }
    Lines lines =
        select(body + "  %f = bitcast <2 x i16> " + last +
               " to float\n  call void @llvm.amdgcn.exp.f32(i32 0, i32 1, float %f, "
               "float poison, float poison, float poison, i1 true, i1 true)\n  ret void\n}\n");
    EXPECT_EQ(lines.back().substr(0, 10), "exp mrt0 v");
    lines.pop_back();
    return lines;
  };
  EXPECT_EQ(pair("%la", "%lb"), (Lines{"v_perm_b32 v0, v1, v0, 0x5040100"}));
  EXPECT_EQ(pair("%la", "1"), (Lines{"v_perm_b32 v0, 1, v0, 0x5040100"}));
  EXPECT_EQ(pair("15360", "%lb"),
            (Lines{"v_mov_b32_e32 v0, 0x3c00", "v_perm_b32 v0, v1, v0, 0x5040100"}));
  EXPECT_EQ(pair("%la", ""), Lines());
  EXPECT_EQ(pair("", "%lb"), (Lines{"v_lshlrev_b32_e32 v0, 16, v1"}));
  EXPECT_EQ(pair("1", "2"), (Lines{"v_mov_b32_e32 v0, 0x20001"}));
}

TEST(Select, EverythingElseIsLlvms) {
  auto isLlvms = [](const std::string &body, const std::string &result = "%v0") {
    return select(inFront(body, {result})) == Lines{"LLVM"};
  };
  EXPECT_FALSE(isLlvms(""));
  EXPECT_TRUE(isLlvms("  %x = fadd float %v0, %v1\n", "%x"));
  EXPECT_FALSE(isLlvms("  %x = fadd float %v0, %v1\n")) << "nobody needs it";
  EXPECT_TRUE(isLlvms("  call void @llvm.amdgcn.init.exec(i64 1)\n"));
  EXPECT_TRUE(isLlvms("  call void asm sideeffect \"s_nop 0\", \"\"()\n"));
  EXPECT_TRUE(isLlvms("  br label %more\nmore:\n"));
  const std::string load = "  %a = call <2 x i32> @llvm.amdgcn.struct.buffer.load.v2i32(<4 x i32> ";
  const std::string take =
      "  %w = extractelement <2 x i32> %a, i32 1\n  %f = bitcast i32 %w to float\n";
  EXPECT_FALSE(isLlvms(tableText + load + "%d, i32 %id, i32 4092, i32 0, i32 0)\n" + take, "%f"));
  EXPECT_TRUE(isLlvms(tableText + load + "%d, i32 %id, i32 4092, i32 4, i32 0)\n" + take, "%f"));
  EXPECT_TRUE(isLlvms(tableText + load + "%d, i32 %id, i32 0, i32 0, i32 1)\n" + take, "%f"));
  EXPECT_TRUE(isLlvms(tableText + load + "%d, i32 %s1, i32 0, i32 %s2, i32 0)\n" + take, "%f"));
}

TEST(Select, NoMoreSgprs) {
  std::string body = tableText;
  std::vector<std::string> results;
  for (int i = 0; i < 30; ++i) {
    const std::string n = std::to_string(i);
    body += "  %p" + n + " = getelementptr i8, ptr addrspace(4) %table, i64 " +
            std::to_string(16 * i) + "\n  %d" + n + " = load <4 x i32>, ptr addrspace(4) %p" + n +
            "\n  %a" + n + " = call <2 x i32> @llvm.amdgcn.struct.buffer.load.v2i32(<4 x i32> %d" +
            n + ", i32 %id, i32 0, i32 0, i32 0)\n  %w" + n + " = extractelement <2 x i32> %a" + n +
            ", i32 0\n  %f" + n + " = bitcast i32 %w" + n + " to float\n";
    results.push_back("%f" + n);
  }
  EXPECT_EQ(select(inFront(body, results)), Lines{"LLVM"});
}

} // namespace
