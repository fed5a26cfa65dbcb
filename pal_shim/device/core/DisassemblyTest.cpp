//===- DisassemblyTest.cpp - text of machine code -------------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/Disassembly.h"
#include "gtest/gtest.h"

namespace {

using namespace pal::device;

llvm::Expected<std::string> disassembled(llvm::ArrayRef<uint32_t> dwords) {
  return disassemble(
      *pal::abi::findTarget("gfx1100"), 32,
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(dwords.data()), dwords.size() * 4));
}

// Encodings: RDNA3 ISA manual, SOPP (s_nop 0, s_branch 32, s_endpgm 48), SOP1 with a literal.
TEST(Disassembly, LinesHaveOffsetsDwordsAndLabels) {
  auto text = disassembled({0xBF800000, 0xBE8000FF, 0x12345678, 0xBFA0FFFD, 0xBFB00000});
  ASSERT_TRUE(bool(text)) << llvm::toString(text.takeError());
  const std::string gap(50, ' ');
  EXPECT_EQ(*text, "  s_nop 0" + std::string(51, ' ') +
                       " // 00000000: BF800000\n"
                       "label_0004:\n"
                       "  s_mov_b32 s0, 0x12345678" +
                       std::string(34, ' ') +
                       " // 00000004: BE8000FF 12345678\n"
                       "  s_branch label_0004" +
                       std::string(39, ' ') +
                       " // 0000000C: BFA0FFFD\n"
                       "  s_endpgm" +
                       gap + " // 00000010: BFB00000\n");
}

TEST(Disassembly, OfNothing) {
  auto text = disassembled({});
  ASSERT_TRUE(bool(text));
  EXPECT_EQ(*text, "");
}

TEST(Disassembly, BytesThatAreNoInstruction) {
  auto text = disassembled({0xBF800000, 0xFFFFFFFF});
  ASSERT_FALSE(bool(text));
  llvm::consumeError(text.takeError());
}

} // namespace
