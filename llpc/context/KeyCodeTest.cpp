//===- KeyCodeTest.cpp - keys of parts against code -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Where the keys of a part and its glue do not change, the code of the part's shaders, compiled as
/// always, must not either; and where code does not change, keys should not.
#include "llpc/context/KeyTestPipelines.h"
#include <map>
#include <set>

using namespace llpc;
using namespace llpc::keytest;

namespace {

/// Leaves out what names the pipeline and where the result goes.
void anonymize(PipelineBuildInfo &info) {
  info.pfnOutputAlloc = nullptr;
  info.dump = nullptr;
  info.options.pipelineHash[0] = info.options.pipelineHash[1] = 1;
}

template <typename Result> std::vector<uint8_t> bytesOf(llvm::Expected<Result> result) {
  if (result)
    return result->elf.bytes().vec();
  llvm::consumeError(result.takeError());
  return {};
}

std::vector<uint8_t> codeOf(ComputePipelineBuildInfo info) {
  anonymize(info);
  info.cs.options.clientHash[0] = 1;
  return bytesOf(compiler().buildComputePipeline(info));
}

/// The stages of one part, compiled as always, as if the others came from elsewhere.
std::vector<uint8_t> codeOf(GraphicsPipelineBuildInfo info, PartKind kind) {
  anonymize(info);
  info.stageMask = info.allStages();
  for (unsigned i = 0; i < graphicsStageCount; ++i) {
    auto stage = static_cast<ShaderStage>(i);
    PipelineShaderInfo &shader = info.shader(stage);
    shader.options.clientHash[0] = 1;
    if ((stage == ShaderStage::Fragment) != (kind == PartKind::Fragment))
      shader.module = {};
  }
  return bytesOf(compiler().buildGraphicsPipeline(info));
}

/// Part and glue, which has to deliver and take everything here.
std::array<Key, 2> keysOf(const GraphicsPipelineBuildInfo &info, PartKind kind) {
  const PartKind glue = kind == PartKind::Fragment ? PartKind::ColorExport : PartKind::VertexFetch;
  const lgc::PartInfo part = signature(BaseKind::RichFragment);
  return {keyOf(compiler().partKey(info, kind)),
          glueHash(part, glueInput(part, info, glue, target), glue, target)};
}

/// Places of descriptors are in code that is not relocatable; which stages there are, and what
/// generated it, too.
bool isAboutCode(const FieldRow &row) {
  const llvm::StringRef field = row.field;
  return !field.starts_with("roots") && !field.starts_with("table") &&
         !field.starts_with("staticDescriptors") && !field.starts_with("stageMask") &&
         !field.starts_with("fs,") && field != "options.tier";
}

/// Does the base have shaders of this kind that no other has?
bool isOwn(BaseKind base, PartKind kind) {
  return base == BaseKind::Plain ||
         (base == BaseKind::AllStages) == (kind == PartKind::PreRasterization);
}

TEST(KeyCode, CodeStaysWhereKeysStay) {
  std::map<std::pair<BaseKind, PartKind>, std::vector<uint8_t>> baseCode;
  unsigned compared = 0;
  auto compare = [&](const std::vector<uint8_t> &before, const std::vector<uint8_t> &after) {
    // The change may be an error of a whole pipeline, which builds of parts do not see.
    if (after.empty())
      return;
    ++compared;
    EXPECT_EQ(before, after);
  };
  for (const FieldRow &row : rows) {
    if (!isAboutCode(row))
      continue;
    SCOPED_TRACE(row.field);
    forChanges(
        row,
        [&](const ComputePipelineBuildInfo &base, const ComputePipelineBuildInfo &info) {
          if (keyOf(compiler().partKey(base)) == keyOf(compiler().partKey(info)))
            compare(codeOf(base), codeOf(info));
        },
        [&](const GraphicsPipelineBuildInfo &base, const GraphicsPipelineBuildInfo &info,
            BaseKind baseKind, ShaderStage) {
          for (PartKind kind : {PartKind::PreRasterization, PartKind::Fragment}) {
            if (!isOwn(baseKind, kind) || keysOf(base, kind) != keysOf(info, kind))
              continue;
            std::vector<uint8_t> &before = baseCode[{baseKind, kind}];
            if (before.empty())
              before = codeOf(base, kind);
            compare(before, codeOf(info, kind));
          }
        });
  }
  EXPECT_GT(compared, 200u);
}

/// Changes that make another key of some part and the same code, and why that is so.
constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> sameCode[] = {
    {"options.nullDescriptor", "a feature: all pipelines of a device have the same"},
    {"options.primitivesGeneratedQuery", "a feature: all pipelines of a device have the same"},
    {"options.meshShaderQueries", "a feature: all pipelines of a device have the same"},
    {"options.optLevel", "what optimising does to a shader, the compile says"},
    {"entryTarget", "the other function of the test is the same"},
    {"options.wavesPerEu", "tuning; what it does to a shader, the compile says"},
    {"options.waveSize", "tuning; 32 is what the compiler takes here anyway"},
    {"options.subgroupSize", "32 is what the compiler takes here anyway"},
    {"options.disableLoopUnroll", "tuning; what it does to a shader, the compile says"},
    {"options.viewIndexFromDeviceIndex", "ViewIndex is 0 without views; nobody asks for it then"},
    {"iaState.dynamicTopology", "seldom set: drivers whose draws keep to the class of the topology "
                                "need it with geometry shaders only, whose parts do not have it"},
    {"rsState.perSampleShading", "how much of the inputs is interpolated otherwise, code says"},
    {"rsState.numSamples",
     "culling of small primitives, which is not done behind geometry shaders"},
    {"rsState.dynamicSampleInfo", "as rsState.numSamples"},
    {"rsState.pixelShaderSamples", "sample masks, of which the shader may use nothing"},
    {"rsState.rasterStream", "a shader that has one stream only"},
    {"nggState", "settings of the driver: all pipelines have the same"}};

/// The reason, by its place in the table.
std::optional<size_t> reasonFor(const FieldRow &row) {
  const llvm::StringRef title = row.field;
  for (const auto &[place, known] : llvm::enumerate(sameCode))
    if (title.split(',').first == known.first || title.starts_with((known.first + ".").str()))
      return place;
  return std::nullopt;
}

TEST(KeyCode, KeysStayWhereCodeStays) {
  unsigned compared = 0;
  std::set<size_t> usedReasons;
  for (const FieldRow &row : rows) {
    if (!isAboutCode(row))
      continue;
    SCOPED_TRACE(row.field);
    auto compare = [&](const Key &before, const Key &after, auto code) {
      if (!after || before == after)
        return;
      const auto [old, changed] = code();
      ASSERT_TRUE(before && !old.empty());
      // As above.
      if (changed.empty())
        return;
      ++compared;
      if (old != changed)
        return;
      const std::optional<size_t> reason = reasonFor(row);
      EXPECT_TRUE(reason) << "two keys of the same code: is there a reason? Then it is a row of "
                             "sameCode in llpc/context/KeyCodeTest.cpp";
      if (reason)
        usedReasons.insert(*reason);
    };
    forChanges(
        row,
        [&](const ComputePipelineBuildInfo &base, const ComputePipelineBuildInfo &info) {
          compare(keyOf(compiler().partKey(base)), keyOf(compiler().partKey(info)),
                  [&] { return std::pair(codeOf(base), codeOf(info)); });
        },
        [&](const GraphicsPipelineBuildInfo &base, const GraphicsPipelineBuildInfo &info, BaseKind,
            ShaderStage) {
          for (PartKind kind : {PartKind::PreRasterization, PartKind::Fragment})
            compare(keyOf(compiler().partKey(base, kind)), keyOf(compiler().partKey(info, kind)),
                    [&] { return std::pair(codeOf(base, kind), codeOf(info, kind)); });
        });
  }
  EXPECT_GT(compared, 100u);
  for (size_t place = 0; place < std::size(sameCode); ++place)
    EXPECT_TRUE(usedReasons.count(place))
        << sameCode[place].first.str() << ": needless in sameCode";
}

} // namespace
