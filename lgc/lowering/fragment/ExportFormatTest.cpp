//===- ExportFormatTest.cpp - colour targets and the formats they get -----===//
// SPDX-License-Identifier: MIT
/// \file
/// Expected values: the hardware's rules as open drivers document them. A format may be exported
/// with 16 bits when its channels are integers of up to 16 bits, floats of up to 16, or normalised
/// with up to 10 (FP16) or 16 bits (UNORM16, SNORM16, not blendable); with 32 bits when the needed
/// components are there.
#include "lgc/ExportFormat.h"
#include <gtest/gtest.h>

using namespace lgc;

namespace {

using F = ExportFormat;

struct Row {
  const char *format;
  F normal, alpha, blend, blendAlpha; ///< with RB+
  F single;                           ///< without RB+, no blending, no alpha
};

constexpr Row rows[] = {
    {"R8.unorm", F::Fp16, F::Fp16, F::Fp16, F::Fp16, F::R32},
    {"R8.snorm", F::Fp16, F::Fp16, F::Fp16, F::Fp16, F::R32},
    {"R8.uint", F::Uint16, F::Uint16, F::Uint16, F::Uint16, F::R32},
    {"R8.sint", F::Sint16, F::Sint16, F::Sint16, F::Sint16, F::R32},
    {"R8.srgb", F::Fp16, F::Fp16, F::Fp16, F::Fp16, F::Fp16},
    {"RG8.unorm", F::Fp16, F::Fp16, F::Fp16, F::Fp16, F::Fp16},
    {"RG8.sint", F::Sint16, F::Sint16, F::Sint16, F::Sint16, F::Sint16},
    {"RGBA8.unorm", F::Fp16, F::Fp16, F::Fp16, F::Fp16, F::Fp16},
    {"RGBA8.snorm", F::Fp16, F::Fp16, F::Fp16, F::Fp16, F::Fp16},
    {"RGBA8.srgb", F::Fp16, F::Fp16, F::Fp16, F::Fp16, F::Fp16},
    {"RGBA8.unorm.swapRedBlue", F::Fp16, F::Fp16, F::Fp16, F::Fp16, F::Fp16},
    {"RGBA8.uint", F::Uint16, F::Uint16, F::Uint16, F::Uint16, F::Uint16},
    {"RGBA8.sint", F::Sint16, F::Sint16, F::Sint16, F::Sint16, F::Sint16},
    {"R16.unorm", F::Unorm16, F::Unorm16, F::R32, F::Ar32, F::R32},
    {"R16.snorm", F::Snorm16, F::Snorm16, F::R32, F::Ar32, F::R32},
    {"R16.uint", F::Uint16, F::Uint16, F::Uint16, F::Uint16, F::R32},
    {"R16.sint", F::Sint16, F::Sint16, F::Sint16, F::Sint16, F::R32},
    {"R16.float", F::Fp16, F::Fp16, F::Fp16, F::Fp16, F::R32},
    {"RG16.unorm", F::Unorm16, F::Unorm16, F::Gr32, F::Abgr32, F::Unorm16},
    {"RG16.snorm", F::Snorm16, F::Snorm16, F::Gr32, F::Abgr32, F::Snorm16},
    {"RG16.float", F::Fp16, F::Fp16, F::Fp16, F::Fp16, F::Fp16},
    {"RG16.uint", F::Uint16, F::Uint16, F::Uint16, F::Uint16, F::Uint16},
    {"RGBA16.unorm", F::Unorm16, F::Unorm16, F::Abgr32, F::Abgr32, F::Unorm16},
    {"RGBA16.snorm", F::Snorm16, F::Snorm16, F::Abgr32, F::Abgr32, F::Snorm16},
    {"RGBA16.float", F::Fp16, F::Fp16, F::Fp16, F::Fp16, F::Fp16},
    {"RGBA16.uint", F::Uint16, F::Uint16, F::Uint16, F::Uint16, F::Uint16},
    {"RGBA16.sint", F::Sint16, F::Sint16, F::Sint16, F::Sint16, F::Sint16},
    {"R32.uint", F::R32, F::Ar32, F::R32, F::Ar32, F::R32},
    {"R32.sint", F::R32, F::Ar32, F::R32, F::Ar32, F::R32},
    {"R32.float", F::R32, F::Ar32, F::R32, F::Ar32, F::R32},
    {"RG32.uint", F::Gr32, F::Abgr32, F::Gr32, F::Abgr32, F::Gr32},
    {"RG32.float", F::Gr32, F::Abgr32, F::Gr32, F::Abgr32, F::Gr32},
    {"RGBA32.uint", F::Abgr32, F::Abgr32, F::Abgr32, F::Abgr32, F::Abgr32},
    {"RGBA32.sint", F::Abgr32, F::Abgr32, F::Abgr32, F::Abgr32, F::Abgr32},
    {"RGBA32.float", F::Abgr32, F::Abgr32, F::Abgr32, F::Abgr32, F::Abgr32},
    {"BGR565.unorm", F::Fp16, F::Fp16, F::Fp16, F::Fp16, F::Fp16},
    {"BGR565.unorm.swapRedBlue", F::Fp16, F::Fp16, F::Fp16, F::Fp16, F::Fp16},
    {"ABGR1555.unorm.alphaFirst", F::Fp16, F::Fp16, F::Fp16, F::Fp16, F::Fp16},
    {"ABGR4.unorm", F::Fp16, F::Fp16, F::Fp16, F::Fp16, F::Fp16},
    {"RGB10A2.unorm", F::Fp16, F::Fp16, F::Fp16, F::Fp16, F::Fp16},
    {"RGB10A2.uint", F::Uint16, F::Uint16, F::Uint16, F::Uint16, F::Uint16},
    {"RG11B10.float", F::Fp16, F::Fp16, F::Fp16, F::Fp16, F::Fp16},
    {"RGB9E5.float", F::Fp16, F::Fp16, F::Fp16, F::Fp16, F::Fp16},
};

TEST(ExportFormat, TargetsGetTheCheapestExactFormat) {
  for (const Row &row : rows) {
    TexelFormat format;
    ASSERT_TRUE(parseTexelFormat(row.format, format)) << row.format;
    auto choose = [&](bool blend, bool alpha, bool rbPlus) {
      return chooseExportFormat(format, {blend, alpha, rbPlus});
    };
    EXPECT_EQ(choose(false, false, true), row.normal) << row.format;
    EXPECT_EQ(choose(false, true, true), row.alpha) << row.format;
    EXPECT_EQ(choose(true, false, true), row.blend) << row.format;
    EXPECT_EQ(choose(true, true, true), row.blendAlpha) << row.format;
    EXPECT_EQ(choose(false, false, false), row.single) << row.format;
  }
}

/// Over all layouts, kinds and uses: what is chosen carries what the target needs.
TEST(ExportFormat, EveryChoiceCarriesTheTargetsComponents) {
  unsigned renderable = 0;
  for (unsigned layout = 1; layout < unsigned(TexelLayout::Count); ++layout) {
    for (unsigned kind = 0; kind < unsigned(NumericKind::Count); ++kind) {
      for (unsigned use = 0; use < 8; ++use) {
        TexelFormat format;
        format.layout = TexelLayout(layout);
        format.kind = NumericKind(kind);
        ExportUse how{(use & 1) != 0, (use & 2) != 0, (use & 4) != 0};
        std::optional<ExportFormat> chosen = chooseExportFormat(format, how);
        if (!chosen)
          continue;
        ++renderable;
        constexpr unsigned needed[] = {0x0, 0x1, 0x3, 0x7, 0xF};
        unsigned components = needed[channelCount(format.layout)] | (how.alpha ? 0x8 : 0);
        EXPECT_EQ(components & ~exportedComponents(*chosen), 0u) << toString(format) << " " << use;
        bool normalised16 = *chosen == F::Unorm16 || *chosen == F::Snorm16;
        EXPECT_FALSE(normalised16 && how.blend) << toString(format);
        bool isInteger = format.kind == NumericKind::Uint || format.kind == NumericKind::Sint;
        EXPECT_FALSE(isInteger && (*chosen == F::Fp16 || normalised16)) << toString(format);
        EXPECT_FALSE(!isInteger && (*chosen == F::Uint16 || *chosen == F::Sint16))
            << toString(format);
      }
    }
  }
  EXPECT_GT(renderable, 300u);
}

TEST(ExportFormat, NoTargetAndWhatIsNoColour) {
  EXPECT_EQ(chooseExportFormat({}, {}), F::Zero);
  for (const char *name : {"RGB8.unorm", "R64.uint", "D32.float", "R8.uscaled", "RG4.unorm",
                           "R16.srgb", "R32.unorm", "RGB32.float"}) {
    TexelFormat format;
    ASSERT_TRUE(parseTexelFormat(name, format)) << name;
    EXPECT_EQ(chooseExportFormat(format, {}), std::nullopt) << name;
  }
}

} // namespace
