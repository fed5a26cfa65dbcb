//===- ImageDecodeTest.cpp - fields of image encodings against LLVM --------===//
// SPDX-License-Identifier: MIT
/// \file
/// LLVM's assembler writes the encodings; what was asked for must come out.
#include "pal_shim/device/image/ImageOps.h"
#include "pal_shim/device/image/ImageResource.h"
#include "pal_shim/device/memory/TestbedForTest.h"
#include <gtest/gtest.h>

using namespace pal::device;
using namespace pal::device::test;

namespace {

Instr decodeOne(const char *target, const std::string &text) {
  Testbed bed(target);
  std::vector<Instr> all = bed.decode(text);
  return all.empty() ? Instr() : all[0];
}

std::vector<unsigned> addresses(const Instr &instr) {
  return std::vector<unsigned>(instr.mem.addr, instr.mem.addr + instr.mem.addrCount);
}

using List = std::vector<unsigned>;

TEST(ImageDecode, Modifiers) {
  for (const char *target : allTargets) {
    // Three 16-bit coordinates are two dwords.
    Instr instr = decodeOne(target, "image_load v[4:6], " +
                                        std::string(isGfx12(target) ? "[v30, v31]" : "v[30:31]") +
                                        ", s[84:91] dmask:0x7 dim:SQ_RSRC_IMG_2D_ARRAY a16 tfe "
                                        "d16");
    EXPECT_EQ(instr.dst[0].reg, 4);
    EXPECT_EQ(instr.src[3].reg, 84);
    EXPECT_EQ(instr.mem.dmask, 7);
    EXPECT_EQ(instr.mem.dim, 5);
    EXPECT_TRUE(instr.mem.a16 && instr.mem.d16 && instr.mem.tfe && !instr.mem.lwe);
    EXPECT_EQ(addresses(instr), (List{30, 31}));
    instr = decodeOne(target, "image_sample v[4:7], " +
                                  std::string(isGfx12(target) ? "[v30, v31]" : "v[30:31]") +
                                  ", s[8:15], s[60:63] dmask:0xf dim:SQ_RSRC_IMG_2D unorm lwe");
    EXPECT_EQ(instr.src[4].reg, 60);
    EXPECT_TRUE(instr.mem.unorm && instr.mem.lwe && !instr.mem.tfe && !instr.mem.a16);
  }
}

TEST(ImageDecode, AddressRegisters) {
  const char *load = "image_load v[0:3], [v10, v22, v14], s[0:7] dmask:0xf "
                     "dim:SQ_RSRC_IMG_2D_ARRAY";
  for (const char *target : allTargets)
    EXPECT_EQ(addresses(decodeOne(target, load)), (List{10, 22, 14}));
  std::string tail = ", s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D";
  EXPECT_EQ(addresses(decodeOne("gfx1030", "image_sample_d v[0:3], v[20:25]" + tail)),
            (List{20, 21, 22, 23, 24, 25}));
  EXPECT_EQ(
      addresses(decodeOne("gfx1030", "image_sample_d v[0:3], [v10,v12,v14,v16,v18,v21]" + tail)),
      (List{10, 12, 14, 16, 18, 21}));
  EXPECT_EQ(
      addresses(decodeOne("gfx1100", "image_sample_d v[0:3], [v10,v12,v14,v16,v[18:19]]" + tail)),
      (List{10, 12, 14, 16, 18, 19}));
  EXPECT_EQ(addresses(decodeOne("gfx1201", "image_sample_d v[0:3], [v10,v12,v14,v[16:18]]" + tail)),
            (List{10, 12, 14, 16, 17, 18}));
}

/// "o b c x0 y0 ..." of the address map: dword, and l or h for halves.
std::string shown(const AddressSlot &slot) {
  const char *part = slot.part == AddressSlot::Part::None   ? "-"
                     : slot.part == AddressSlot::Part::Low  ? "l"
                     : slot.part == AddressSlot::Part::High ? "h"
                                                            : "";
  return slot.part == AddressSlot::Part::None ? part : std::to_string(slot.dword) + part;
}

TEST(ImageDecode, PackedAddresses) {
  // sample_c_b_cl_o: offset, bias, compare, coordinates, clamp.
  ImageOp op = {
      .kind = ImageKind::Sample, .offset = true, .bias = true, .compare = true, .clamp = true};
  MemFields fields;
  fields.dim = 1;
  AddressMap map = makeAddressMap(op, fields);
  EXPECT_EQ(map.dwords, 6u);
  EXPECT_EQ(shown(map.offset) + shown(map.bias) + shown(map.compare) + shown(map.coords[0]) +
                shown(map.coords[1]) + shown(map.last),
            "012345");
  fields.a16 = true;
  map = makeAddressMap(op, fields);
  EXPECT_EQ(shown(map.offset) + shown(map.bias) + shown(map.compare) + shown(map.coords[0]) +
                shown(map.coords[1]) + shown(map.last),
            "01l23l3h4l");
  // 3D derivatives of 16 bits: each direction starts a dword.
  op = {.kind = ImageKind::Sample, .derivatives = true, .g16 = true};
  fields.a16 = false;
  fields.dim = 2;
  map = makeAddressMap(op, fields);
  std::string all;
  for (const AddressSlot &slot : map.derivatives)
    all += shown(slot) + " ";
  EXPECT_EQ(all, "0l 0h 1l 2l 2h 3l ");
  EXPECT_EQ(shown(map.coords[0]), "4");
  EXPECT_EQ(map.dwords, 7u);
}

/// Descriptors that PAL itself printed: 64x32 RGBA8, linear.
TEST(ImageDecode, DescriptorsOfPal) {
  struct Case {
    const char *target;
    std::vector<uint32_t> words;
    uint64_t base;
  };
  const Case cases[] = {
      {"gfx1030",
       {0x02000000, 0xc3800000, 0x8007c00f, 0x90000fac, 0, 0x00400000, 0x00000400, 0},
       0x200000000},
      {"gfx1100",
       {0x01000000, 0xc2a00000, 0x0007c00f, 0x90000fac, 0, 0x00400000, 0x00000400, 0},
       0x100000000},
      {"gfx1201",
       {0x01000000, 0xc0540000, 0x0007c00f, 0x90000fac, 0, 0x00400000, 0x00048000, 0},
       0x100000000},
  };
  for (const Case &c : cases) {
    Testbed bed(c.target);
    ImageResource image;
    ASSERT_TRUE(decodeImageResource(*bed.wave, c.words.data(), false, image));
    EXPECT_FALSE(image.isNull);
    EXPECT_EQ(image.base, c.base);
    EXPECT_EQ(image.width, 64u);
    EXPECT_EQ(image.height, 32u);
    EXPECT_STREQ(image.info->name, "X8Y8Z8W8_Unorm");
    EXPECT_EQ(image.type, pal::device::ImageType::D2);
    EXPECT_EQ(image.layout.level(0).rowPitch, 256u);
    std::vector<uint32_t> pitched = c.words;
    pitched[4] = 0xFF;
    ImageResource wide;
    ASSERT_TRUE(decodeImageResource(*bed.wave, pitched.data(), false, wide));
    EXPECT_EQ(wide.layout.level(0).rowPitch, 1024u);
  }
  const std::pair<const char *, std::vector<uint32_t>> samplers[] = {
      {"gfx1100", {0x10000092, 0x06f00000, 0x20000000, 0}},
      {"gfx1201", {0x10000092, 0x01e00000, 0xa0000000, 1}}};
  for (const auto &[target, words] : samplers) {
    Testbed bed(target);
    Sampler sampler;
    ASSERT_TRUE(decodeSampler(*bed.wave, words.data(), sampler));
    EXPECT_EQ(sampler.wrap[2], Wrap::ClampToEdge);
    EXPECT_EQ(sampler.maxLod, 15.0f);
    EXPECT_EQ(sampler.minLod, 0.0f);
    EXPECT_FALSE(sampler.magLinear || sampler.minLinear || sampler.unnormalized);
    EXPECT_FALSE(sampler.seamlessCube);
  }
}

TEST(ImageDecode, ViewsWithoutSlicesFault) {
  // A 3D image of which the planes 1 to 0 are seen; an array of the layers 1 to 0.
  for (uint32_t type : {0xA0000000u, 0xD0000000u}) {
    Testbed bed("gfx1100");
    const uint32_t words[8] = {0x01000000, 0xc2a00000,      0x0007c00f, type | 0xfac,
                               1u << 16,   0x00400000 | 1u, 0x00000400, 0};
    ImageResource image;
    EXPECT_FALSE(decodeImageResource(*bed.wave, words, false, image));
    EXPECT_NE(bed.group.fault->message.find("last slice precedes its first, 1"), std::string::npos);
  }
}

} // namespace
