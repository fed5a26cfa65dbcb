//===- KeyCodeTest.cpp - keys of parts against code -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Where the keys of a part and its glue do not change, the code of the part's shaders, compiled as
/// always, must not either; and where code does not change, keys should not. The same of whole
/// pipelines. Code is compiled of what the build info says, not of what a key makes of it.
#include "llpc/context/GraphicsChecks.h"
#include "llpc/context/KeyTestPipelines.h"
#include "llpc/context/PipelineBuild.h"
#include "pal_shim/abi/ElfObject.h"
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

lgc::Backend &backend() {
  static lgc::Backend instance({});
  return instance;
}

bool isError(llvm::Error error) {
  const bool isOne = bool(error);
  llvm::consumeError(std::move(error));
  return isOne;
}

/// Nothing where there is an error.
template <typename Result> std::vector<uint8_t> bytesOf(llvm::Expected<Result> result) {
  if (result)
    return result->elf.bytes().vec();
  llvm::consumeError(result.takeError());
  return {};
}

std::vector<uint8_t> codeOf(ComputePipelineBuildInfo info) {
  anonymize(info);
  info.cs.options.clientHash[0] = 1;
  if (info.cs.entryStage != ShaderStage::Compute ||
      isError(checkShader(info.cs, ShaderStage::Compute)))
    return {};
  return bytesOf(buildCompute(info, {}, {}, target, backend()));
}

std::vector<uint8_t> codeOf(const GraphicsPipelineBuildInfo &info) {
  if (isError(checkGraphicsInfo(info)))
    return {};
  return bytesOf(buildGraphics(info, {}, {}, target, backend()));
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
  return codeOf(info);
}

/// All stages.
std::vector<uint8_t> wholeCodeOf(GraphicsPipelineBuildInfo info) {
  anonymize(info);
  for (unsigned i = 0; i < graphicsStageCount; ++i)
    info.shader(static_cast<ShaderStage>(i)).options.clientHash[0] = 1;
  return codeOf(info);
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

/// Instructions only: linking says what primitives there are (LinkOptions::outputPrimitive).
bool isRegisterOfLinking(const FieldRow &row) {
  return llvm::StringRef(row.field).starts_with("iaState.topology");
}
llvm::ArrayRef<uint8_t> textOf(const std::vector<uint8_t> &elf) {
  return llvm::cantFail(pal::abi::ElfObject::parse(elf)).findSection(".text")->data;
}

TEST(KeyCode, CodeStaysWhereKeysStay) {
  std::map<std::pair<BaseKind, PartKind>, std::vector<uint8_t>> baseCode;
  unsigned compared = 0;
  bool isTextEnough = false;
  auto compare = [&](const std::vector<uint8_t> &before, const std::vector<uint8_t> &after) {
    // The change may be an error of a whole pipeline, which builds of parts do not see.
    if (after.empty())
      return;
    ++compared;
    if (isTextEnough)
      EXPECT_EQ(textOf(before), textOf(after));
    else
      EXPECT_EQ(before, after);
  };
  for (const FieldRow &row : rows) {
    if (!isAboutCode(row))
      continue;
    SCOPED_TRACE(row.field);
    isTextEnough = isRegisterOfLinking(row);
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
    {"options.wgpMode", "of merged shaders one that wants both compute units decides"},
    {"options.forceLateZ", "shaders that write memory are tested late anyway"},
    {"options.allowReZ", "shaders that write memory are tested late anyway"},
    {"options.forwardPropagateNoContract", "for some applications; the test rounds nothing"},
    {"options.backwardPropagateNoContract", "for some applications; the test rounds nothing"},
    {"options.disableFMA", "for some applications; the test has no such instruction"},
    {"options.noContractOpDot", "for some applications; the test has no such instruction"},
    {"options.forceMemoryBarrierScope", "for some applications; the test has no barrier"},
    {"options.viewIndexFromDeviceIndex", "ViewIndex is 0 without views; nobody asks for it then"},
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

//===--- Whole pipelines --------------------------------------------------===//

/// Calls \p use(key before, key after, code) for every pipeline that \p row changes; code() gives
/// that before and after.
template <typename Use> void forWholePipelines(const FieldRow &row, Use use) {
  static std::map<BaseKind, std::vector<uint8_t>> baseCode;
  forChanges(
      row,
      [&](const ComputePipelineBuildInfo &base, const ComputePipelineBuildInfo &info) {
        use(compiler().hashComputePipeline(base).cacheHash,
            compiler().hashComputePipeline(info).cacheHash,
            [&] { return std::pair(codeOf(base), codeOf(info)); });
      },
      [&](const GraphicsPipelineBuildInfo &base, const GraphicsPipelineBuildInfo &info,
          BaseKind kind, ShaderStage) {
        use(compiler().hashGraphicsPipeline(base).cacheHash,
            compiler().hashGraphicsPipeline(info).cacheHash, [&] {
              std::vector<uint8_t> &before = baseCode[kind];
              if (before.empty())
                before = wholeCodeOf(base);
              return std::pair(before, wholeCodeOf(info));
            });
      });
}

TEST(KeyCode, WholeCodeStaysWhereKeysStay) {
  unsigned compared = 0;
  for (const FieldRow &row : rows) {
    SCOPED_TRACE(row.field);
    forWholePipelines(row, [&](const Hash128 &before, const Hash128 &after, auto code) {
      if (before != after)
        return;
      const auto [old, changed] = code();
      EXPECT_FALSE(old.empty());
      if (changed.empty()) // an error of the build, which no key has to tell
        return;
      ++compared;
      EXPECT_EQ(old, changed);
    });
  }
  EXPECT_GT(compared, 80u);
}

/// Changes that make another cacheHash and the same code, and why that is so.
constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> sameWholeCode[] = {
    {"roots[], order", "drivers make layouts in one order"},
    {"roots[], PushConst size", "another layout: pipelines are linked of the same parts"},
    {"table[].type, same class", "as for the size of push constants"},
    {"table[].sizeInDwords", "as for the size of push constants"},
    {"table[].strideInDwords, single", "drivers give descriptors of one type one stride"},
    {"staticDescriptors", "the test's shaders have no use for what they load"},
    {"vertexInput.bindings[].stride", "what alignment makes of loads, the compile says"},
    {"dynamicVertexStride", "as for strides"},
    {"enableRobustUnboundVertex", "a feature: all pipelines of a device have the same"},
    {"options.nullDescriptor", "a feature: all pipelines of a device have the same"},
    {"options.primitivesGeneratedQuery", "a feature: all pipelines of a device have the same"},
    {"options.meshShaderQueries", "a feature: all pipelines of a device have the same"},
    {"options.optLevel", "what optimising does to a shader, the compile says"},
    {"entryTarget", "the other function of the test is the same"},
    {"options.clientHash", "a name, which this test leaves out"},
    {"options.wavesPerEu", "tuning; what it does to a shader, the compile says"},
    {"options.waveSize", "tuning; 32 is what the compiler takes here anyway"},
    {"options.subgroupSize", "32 is what the compiler takes here anyway"},
    {"options.disableLoopUnroll", "tuning; what it does to a shader, the compile says"},
    {"options.wgpMode", "of merged shaders one that wants both compute units decides"},
    {"options.forceLateZ", "shaders that write memory are tested late anyway"},
    {"options.allowReZ", "shaders that write memory are tested late anyway"},
    {"options.forwardPropagateNoContract", "for some applications; the test rounds nothing"},
    {"options.backwardPropagateNoContract", "for some applications; the test rounds nothing"},
    {"options.disableFMA", "for some applications; the test has no such instruction"},
    {"options.noContractOpDot", "for some applications; the test has no such instruction"},
    {"options.forceMemoryBarrierScope", "for some applications; the test has no barrier"},
    {"options.viewIndexFromDeviceIndex", "ViewIndex is 0 without views; nobody asks for it then"},
    {"iaState.dynamicTopology", "seldom set: drivers whose draws keep to the class of the topology "
                                "need it with geometry shaders only"},
    {"rsState.perSampleShading", "how much of the inputs is interpolated otherwise, code says"},
    {"rsState.numSamples",
     "culling of small primitives, which is not done behind geometry shaders"},
    {"rsState.dynamicSampleInfo", "as rsState.numSamples"},
    {"rsState.pixelShaderSamples", "sample masks, of which the shader may use nothing"},
    {"rsState.rasterStream", "a shader that has one stream only"},
    {"nggState", "settings of the driver: all pipelines have the same"}};

TEST(KeyCode, WholeKeysStayWhereCodeStays) {
  std::set<llvm::StringRef> needed;
  for (const FieldRow &row : rows) {
    SCOPED_TRACE(row.field);
    forWholePipelines(row, [&](const Hash128 &before, const Hash128 &after, auto code) {
      if (before == after)
        return;
      const auto [old, changed] = code();
      if (changed.empty() || old != changed)
        return;
      const auto *reason = llvm::find_if(sameWholeCode, [&](const auto &known) {
        return llvm::StringRef(row.field).starts_with(known.first);
      });
      EXPECT_NE(reason, std::end(sameWholeCode))
          << "two keys of the same code: is there a reason? Then it is a row of sameWholeCode";
      if (reason != std::end(sameWholeCode))
        needed.insert(reason->first);
    });
  }
  for (const auto &[field, why] : sameWholeCode)
    EXPECT_TRUE(needed.count(field)) << field.str() << ": needless in sameWholeCode";
}

} // namespace
