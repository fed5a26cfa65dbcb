// SPDX-License-Identifier: MIT
// Keys put into metadata as text, against LLVM's documents, which know them as trees.
#include "lgc/direct/shader/StageKeys.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "gtest/gtest.h"

using namespace lgc::direct;
using llvm::msgpack::Document;
using llvm::msgpack::MapDocNode;
using pal::abi::HardwareStage;

namespace {

/// Numbers and texts of every length that has a form of its own, beside the stages and in them.
std::string metadata(bool hasKeys) {
  Document document;
  MapDocNode root = document.getRoot().getMap(/*Convert=*/true);
  root["amdpal.version"].getArray(true)[0] = 3u;
  const std::string texts[] = {std::string(40, 'n'), std::string(300, 'm'),
                               std::string(70000, 'l')};
  MapDocNode pipeline = root["amdpal.pipelines"].getArray(true)[0].getMap(true);
  auto name = [&](const std::string &text) { return document.getNode(text, /*Copy=*/true); };
  auto fill = [&](MapDocNode map) {
    for (unsigned bits = 0; bits < 64; bits += 5) {
      map[name("." + std::string(1, 'a' + static_cast<char>(bits / 5)))] = uint64_t(1) << bits;
      map[name(".n" + std::to_string(bits))] = -(int64_t(1) << bits);
    }
    for (const std::string &text : texts)
      map[text] = text;
    for (unsigned i = 0; i < 70; ++i)
      map[".list"].getArray(true)[i] = (i & 1) != 0;
    map[".none"].getMap(true);
  };
  fill(pipeline);
  MapDocNode stages = pipeline[".hardware_stages"].getMap(true);
  for (const char *stage : {".gs", ".hs", ".ps"})
    fill(stages[stage].getMap(true));
  if (hasKeys) {
    stages[".gs"].getMap()[".entry_point"] = "main";
    stages[".gs"].getMap()[".zz"] = uint64_t(70000);
    stages[".ps"].getMap()[".a0"] = true;
  }
  std::string text;
  document.writeToBlob(text);
  return text;
}

const StageKeys keys[] = {
    {HardwareStage::Gs, {{".entry_point", llvm::StringRef("main")}, {".zz", uint64_t(70000)}}},
    {HardwareStage::Ps, {{".a0", true}}}};

TEST(StageKeys, AreWhereDocumentsHaveThem) {
  EXPECT_EQ(addStageKeys(metadata(false), keys), metadata(true));
}

TEST(StageKeys, OfStagesThatAreNotThere) {
  const StageKeys missing[] = {{HardwareStage::Cs, {}}};
  EXPECT_FALSE(addStageKeys(metadata(false), missing));
  const StageKeys twice[] = {{HardwareStage::Ps, {{".a", true}}}}; // fill() makes it
  EXPECT_FALSE(addStageKeys(metadata(false), twice));
}

TEST(StageKeys, OfTextThatEndsTooEarly) {
  const std::string whole = metadata(false);
  for (size_t size = 0; size < whole.size(); size += size < 2000 ? 1 : 997)
    EXPECT_FALSE(addStageKeys(llvm::StringRef(whole).take_front(size), keys)) << size;
}

} // namespace
