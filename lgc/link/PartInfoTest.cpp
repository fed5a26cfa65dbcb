//===- PartInfoTest.cpp - round trip and damaged bytes --------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/CompileError.h"
#include "lgc/Part.h"
#include "gtest/gtest.h"

using namespace lgc;

namespace {

/// Every field differs from its default.
PartInfo fullInfo() {
  PartInfo info;
  info.kind = PartKind::Fragment;
  info.roots = {{ResourceNodeType::DescriptorTableVaPtr, 2, 0, 0, 1},
                {ResourceNodeType::DescriptorConstBuffer, 2, 7, 1, 4},
                {ResourceNodeType::PushConst, 0, 0, 5, 3}};
  info.spilled = {6, 7};
  info.fetch.emplace();
  info.fetch->waveSize = 32;
  info.fetch->sgprs = 20;
  info.fetch->vgprs = 9;
  info.fetch->vertexBufferTable = 8;
  info.fetch->baseVertex = 9;
  info.fetch->baseInstance = 10;
  info.fetch->vertexId = 5;
  info.fetch->instanceId = 8;
  info.fetch->inputs = {{3, 0x9, FetchSignature::Input::Type::Double}};
  info.colorExport.emplace();
  info.colorExport->waveSize = 64;
  info.colorExport->colors = {{1, 1, 0x9, ExportSignature::Color::Type::Uint, 16, 2, 4}};
  info.colorExport->depth = info.colorExport->stencil = true;
  info.colorExport->sampleMask = info.colorExport->needsExport = true;
  return info;
}

TEST(PartInfo, RoundTrip) {
  for (const PartInfo &info : {PartInfo(), fullInfo()}) {
    auto decoded = decodePartInfo(encodePartInfo(info));
    ASSERT_TRUE(bool(decoded)) << llvm::toString(decoded.takeError());
    EXPECT_EQ(*decoded, info);
  }
}

TEST(PartInfo, EveryTruncationIsAnError) {
  std::vector<uint8_t> bytes = encodePartInfo(fullInfo());
  for (size_t size = 0; size < bytes.size(); ++size) {
    auto decoded = decodePartInfo(llvm::ArrayRef<uint8_t>(bytes).take_front(size));
    EXPECT_FALSE(bool(decoded)) << size;
    llvm::consumeError(decoded.takeError());
  }
  bytes.push_back(0);
  auto decoded = decodePartInfo(bytes);
  EXPECT_FALSE(bool(decoded));
  llvm::consumeError(decoded.takeError());
}

/// A changed byte gives other information or an error, and never reads past the end.
TEST(PartInfo, EveryFlippedByteIsNoticed) {
  const PartInfo info = fullInfo();
  const std::vector<uint8_t> good = encodePartInfo(info);
  for (size_t i = 0; i < good.size(); ++i) {
    std::vector<uint8_t> bytes = good;
    bytes[i] ^= 0x80;
    auto decoded = decodePartInfo(bytes);
    if (decoded)
      EXPECT_NE(*decoded, info) << i;
    else
      llvm::consumeError(decoded.takeError());
  }
}

} // namespace
