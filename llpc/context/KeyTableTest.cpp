//===- KeyTableTest.cpp - every field of the inputs against every key -----===//
// SPDX-License-Identifier: MIT
/// \file
/// Makes each change of KeyFields.def in pipelines that have a use for everything, and in others
/// that have for little. Keys must change as the table says; and where the keys of a part and its
/// glue do not change, the code of the part's shaders, compiled as always, must not either.
#include "llpc/Parts.h"
#include "llpc/context/GlueInput.h"
#include "llpc/context/KeyTestShaders.h"
#include "llpc/context/PartInput.h"
#include "llpc/context/PipelineKey.h"
#include <map>
#include <tuple>

using namespace llpc;
using namespace llpc::keytest;
using lgc::PartKind;
using lgc::ResourceNode;
using lgc::ResourceNodeType;
using lgc::Topology;

namespace {

constexpr const char *target = "gfx1100";

const Compiler &compiler() {
  static const std::unique_ptr<Compiler> instance =
      llvm::cantFail(Compiler::create({.target = target}));
  return *instance;
}

ShaderText textOf(ShaderStage stage) {
  switch (stage) {
  case ShaderStage::Vertex:
    return {.model = Model::Vertex};
  case ShaderStage::TessControl:
    return {.model = Model::TessellationControl, .modes = {Mode::OutputVertices}};
  case ShaderStage::TessEval:
    return {.model = Model::TessellationEvaluation, .modes = {Mode::Triangles}};
  case ShaderStage::Geometry:
    return {.model = Model::Geometry,
            .modes = {Mode::Triangles, Mode::OutputTriangleStrip, Mode::OutputVertices}};
  case ShaderStage::Fragment:
    return {.model = Model::Fragment, .modes = {Mode::OriginUpperLeft}};
  default:
    return {};
  }
}

void setShader(PipelineShaderInfo &shader, bool rich) {
  ShaderText text = textOf(shader.entryStage);
  text.rich = rich;
  shader.module = ShaderWriter(text).build();
}

ShaderModule otherModule(const PipelineShaderInfo &shader) {
  ShaderText text = textOf(shader.entryStage);
  text.addend = 7;
  return ShaderWriter(text).build();
}

/// The same code with another name.
ShaderModule renamedModule(const PipelineShaderInfo &shader) {
  ShaderText text = textOf(shader.entryStage);
  text.name = "renamed";
  for (bool rich : {false, true}) {
    text.rich = rich;
    ShaderModule module = ShaderWriter(text).build();
    if (module.cacheHash() == shader.module.cacheHash())
      return module;
  }
  ADD_FAILURE() << "names are in cacheHash";
  return {};
}

//===--- What the changes of the table are made of ------------------------===//

void *allocate(void *, void *, size_t) { return nullptr; }
void print(llvm::StringRef, llvm::StringRef) {}

ResourceNode &root(PipelineBuildInfo &info, size_t index) {
  return info.resourceMapping.roots[index];
}
ResourceNode &node(PipelineBuildInfo &info, size_t index) { return root(info, 0).table[index]; }

void moveToRoot(PipelineBuildInfo &info) {
  ResourceNode moved = node(info, 0);
  root(info, 0).table.erase(root(info, 0).table.begin());
  moved.offsetInDwords = 12;
  info.resourceMapping.roots.push_back(moved);
}

void fixSampler(PipelineBuildInfo &info, ResourceNodeType type) {
  info.resourceMapping.staticDescriptors = {{type, 0, 5, 1, {0, 0, 0, 0, 0, 0}}};
}

ResourceMappingData baseMapping() {
  auto make = [](ResourceNodeType type, uint32_t binding, uint32_t offset, uint32_t size,
                 uint32_t stride) {
    ResourceNode result;
    result.type = type;
    result.binding = binding;
    result.offsetInDwords = offset;
    result.sizeInDwords = size;
    result.strideInDwords = stride;
    return result;
  };
  using T = ResourceNodeType;
  ResourceMappingData mapping;
  mapping.roots = {make(T::DescriptorTableVaPtr, 0, 0, 1, 0), make(T::PushConst, 0, 1, 4, 0),
                   make(T::DescriptorTableVaPtr, 0, 5, 1, 0)};
  mapping.roots[0].table = {
      make(T::DescriptorBuffer, 3, 0, 4, 4), make(T::DescriptorBuffer, 4, 4, 16, 4),
      make(T::DescriptorBuffer, 8, 20, 4, 4), make(T::DescriptorCombinedTexture, 5, 24, 12, 12)};
  mapping.roots[2].set = 2;
  mapping.roots[2].table = {make(T::DescriptorImage, 0, 0, 8, 8)};
  mapping.roots[2].table[0].set = 2;
  return mapping;
}

ComputePipelineBuildInfo computeBase(bool rich) {
  ComputePipelineBuildInfo info;
  setShader(info.cs, rich);
  info.resourceMapping = baseMapping();
  return info;
}

void setState(GraphicsPipelineBuildInfo &info) {
  info.resourceMapping = baseMapping();
  // The shader and the signature below read location 0 and 1; 3 is not read.
  info.vertexInput.bindings = {
      {.binding = 0, .stride = 32},
      {.binding = 1, .stride = 16, .inputRate = lgc::VertexInputRate::Instance}};
  info.vertexInput.attributes = {{0, 0, 109, 0}, {1, 1, 109, 0}, {3, 0, 109, 16}};
  info.cbState.target[0].format = 44;  // B8G8R8A8_UNORM
  info.cbState.target[1].format = 91;  // R16G16B16A16_UNORM
  info.cbState.target[2].format = 122; // B10G11R11_UFLOAT: no alpha
}

enum class BaseKind { Plain, RichFragment, AllStages, Samples };

GraphicsPipelineBuildInfo graphicsBase(BaseKind kind) {
  GraphicsPipelineBuildInfo info;
  setState(info);
  setShader(info.vs, kind == BaseKind::AllStages);
  setShader(info.fs, kind == BaseKind::RichFragment || kind == BaseKind::Samples);
  if (kind == BaseKind::AllStages) {
    setShader(info.tcs, false);
    setShader(info.tes, false);
    setShader(info.gs, false);
    info.iaState.topology = Topology::PatchList;
    info.iaState.patchControlPoints = 3;
    info.nggState.smallPrimitiveFilter = true;
    info.nggState.primsPerSubgroup = 32;
  }
  if (kind == BaseKind::Samples) {
    info.rsState.numSamples = 8;
    info.rsState.perSampleShading = true;
  }
  return info;
}
constexpr BaseKind allBases[] = {BaseKind::Plain, BaseKind::RichFragment, BaseKind::AllStages,
                                 BaseKind::Samples};

//===--- Keys -------------------------------------------------------------===//

enum Column { Pipeline, Cache, Compute, PreRasterization, Fragment, Fetch, ColorExport, Columns };
constexpr const char *columnNames[Columns] = {
    "pipelineHash",  "cacheHash",    "compute part", "pre-rasterization part",
    "fragment part", "vertex fetch", "colour export"};

using Key = std::optional<Hash128>; ///< none: an error
using Keys = std::array<Key, Columns>;

Key keyOf(llvm::Expected<Hash128> key) {
  if (key)
    return *key;
  llvm::consumeError(key.takeError());
  return std::nullopt;
}

/// Signatures such as parts of the shaders above have.
lgc::PartInfo signature(BaseKind kind) {
  lgc::PartInfo part;
  part.fetch.emplace();
  part.fetch->waveSize = 32;
  part.fetch->inputs = {{0, 0xF, lgc::FetchSignature::Input::Type::Float}};
  part.colorExport.emplace();
  part.colorExport->waveSize = 64;
  auto add = [&](uint32_t location, uint32_t index) {
    part.colorExport->colors.push_back(
        {location, index, 0xF, lgc::ExportSignature::Color::Type::Float, 32});
  };
  add(0, 0);
  if (kind == BaseKind::RichFragment || kind == BaseKind::Samples)
    add(0, 1);
  if (kind != BaseKind::Plain) {
    part.fetch->inputs.push_back({1, 0xF, lgc::FetchSignature::Input::Type::Float});
    add(1, 0);
    add(2, 0);
  } else {
    part.fetch.reset();
  }
  return part;
}

Keys keysOf(const ComputePipelineBuildInfo &info) {
  Keys keys;
  const PipelineHashes hashes = compiler().hashComputePipeline(info);
  keys[Pipeline] = hashes.pipelineHash;
  keys[Cache] = hashes.cacheHash;
  keys[Compute] = keyOf(compiler().partKey(info));
  return keys;
}

Keys keysOf(const GraphicsPipelineBuildInfo &info, BaseKind kind) {
  Keys keys;
  const PipelineHashes hashes = compiler().hashGraphicsPipeline(info);
  keys[Pipeline] = hashes.pipelineHash;
  keys[Cache] = hashes.cacheHash;
  keys[PreRasterization] = keyOf(compiler().partKey(info, PartKind::PreRasterization));
  keys[Fragment] = keyOf(compiler().partKey(info, PartKind::Fragment));
  const lgc::PartInfo part = signature(kind);
  for (auto [column, glue] :
       {std::pair(Fetch, PartKind::VertexFetch), std::pair(ColorExport, PartKind::ColorExport)})
    keys[column] = glueHash(part, glueInput(part, info, glue, target), glue, target);
  return keys;
}

//===--- The table --------------------------------------------------------===//

enum class Cell : char { Y = 'Y', N = 'N', C = 'C', E = 'E', X = 'X' };

struct FieldRow {
  const char *field;
  std::array<Cell, Columns> cells;
  void (*common)(PipelineBuildInfo &) = nullptr;
  void (*shader)(PipelineShaderInfo &) = nullptr;
  void (*graphics)(GraphicsPipelineBuildInfo &) = nullptr;
};

#define KEY_CELLS(p, c, comp, pre, frag, fetch, color)                                             \
  {Cell::p, Cell::c, Cell::comp, Cell::pre, Cell::frag, Cell::fetch, Cell::color}
const FieldRow rows[] = {
#define KEY_COMMON(title, change, p, c, comp, pre, frag, fetch, color, why)                        \
  {.field = title,                                                                                 \
   .cells = KEY_CELLS(p, c, comp, pre, frag, fetch, color),                                        \
   .common = [](PipelineBuildInfo &i) { change; }},
#define KEY_SHADER(title, change, p, c, comp, pre, frag, fetch, color, why)                        \
  {.field = title,                                                                                 \
   .cells = KEY_CELLS(p, c, comp, pre, frag, fetch, color),                                        \
   .shader = [](PipelineShaderInfo &s) { change; }},
#define KEY_GRAPHICS(title, change, p, c, comp, pre, frag, fetch, color, why)                      \
  {.field = title,                                                                                 \
   .cells = KEY_CELLS(p, c, comp, pre, frag, fetch, color),                                        \
   .graphics = [](GraphicsPipelineBuildInfo &i) { change; }},
#include "llpc/context/KeyFields.def"
};

/// What a change did to a key in all pipelines together.
class Effect {
public:
  void add(const Key &before, const Key &after) {
    ASSERT_TRUE(before.has_value());
    changed |= after && *after != *before;
    stayed |= after && *after == *before;
    failed |= !after;
  }
  bool is(Cell cell) const {
    switch (cell) {
    case Cell::Y:
      return changed && !stayed && !failed;
    case Cell::N:
      return !changed && stayed && !failed;
    case Cell::C:
      return changed && stayed && !failed;
    case Cell::E:
      return failed && !changed;
    case Cell::X:
      return !changed && !stayed && !failed;
    }
    return false;
  }
  std::string text() const {
    return std::string(changed ? "changed " : "") + (stayed ? "stayed " : "") +
           (failed ? "failed" : "");
  }

private:
  bool changed = false, stayed = false, failed = false;
};

using Effects = std::array<Effect, Columns>;

void addEffects(Effects &effects, const Keys &before, const Keys &after,
                std::initializer_list<Column> columns) {
  for (Column column : columns)
    effects[column].add(before[column], after[column]);
}

/// Applies `row` to all bases that it can be applied to, and calls
/// `use(base, changed, kind)` or, of compute pipelines, `use(base, changed)`.
template <typename OnCompute, typename OnGraphics>
void forChanges(const FieldRow &row, OnCompute onCompute, OnGraphics onGraphics) {
  static const ComputePipelineBuildInfo computeBases[] = {computeBase(false), computeBase(true)};
  static const GraphicsPipelineBuildInfo graphicsBases[] = {
      graphicsBase(allBases[0]), graphicsBase(allBases[1]), graphicsBase(allBases[2]),
      graphicsBase(allBases[3])};
  if (row.common || row.shader)
    for (const ComputePipelineBuildInfo &base : computeBases) {
      ComputePipelineBuildInfo info = base;
      row.common ? row.common(info) : row.shader(info.cs);
      onCompute(base, info);
    }
  for (size_t i = 0; i < std::size(allBases); ++i)
    for (ShaderStage stage : {ShaderStage::Vertex, ShaderStage::Fragment}) {
      GraphicsPipelineBuildInfo info = graphicsBases[i];
      if (row.shader)
        row.shader(info.shader(stage));
      else if (stage == ShaderStage::Fragment)
        break;
      else
        row.common ? row.common(info) : row.graphics(info);
      onGraphics(graphicsBases[i], info, allBases[i], stage);
    }
}

TEST(KeyTable, KeysChangeAsTheTableSays) {
  for (const FieldRow &row : rows) {
    SCOPED_TRACE(row.field);
    Effects effects;
    forChanges(
        row,
        [&](const ComputePipelineBuildInfo &base, const ComputePipelineBuildInfo &info) {
          addEffects(effects, keysOf(base), keysOf(info), {Pipeline, Cache, Compute});
        },
        [&](const GraphicsPipelineBuildInfo &base, const GraphicsPipelineBuildInfo &info,
            BaseKind kind, ShaderStage stage) {
          const Keys before = keysOf(base, kind), after = keysOf(info, kind);
          addEffects(effects, before, after, {Pipeline, Cache, Fetch, ColorExport});
          const Column own = stage == ShaderStage::Vertex ? PreRasterization : Fragment;
          const Column other = stage == ShaderStage::Vertex ? Fragment : PreRasterization;
          if (!row.shader) {
            addEffects(effects, before, after, {PreRasterization, Fragment});
            return;
          }
          addEffects(effects, before, after, {own});
          EXPECT_EQ(before[other], after[other]) << columnNames[other];
        });
    for (unsigned column = 0; column < Columns; ++column)
      EXPECT_TRUE(effects[column].is(row.cells[column]))
          << columnNames[column] << ": " << static_cast<char>(row.cells[column]) << ", but "
          << effects[column].text();
  }
}

//===--- Code -------------------------------------------------------------===//

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

/// Places of descriptors are in code that is not relocatable; which stages there are, too.
bool isAboutCode(const FieldRow &row) {
  const llvm::StringRef field = row.field;
  return !field.starts_with("roots") && !field.starts_with("table") &&
         !field.starts_with("staticDescriptors") && !field.starts_with("stageMask") &&
         !field.starts_with("fs,");
}

/// Does the base have shaders of this kind that no other has?
bool isOwn(BaseKind base, PartKind kind) {
  return base == BaseKind::Plain ||
         (base == BaseKind::AllStages) == (kind == PartKind::PreRasterization);
}

TEST(KeyTable, CodeStaysWhereKeysStay) {
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

#if __has_builtin(__builtin_dump_struct)
/// Called by the built-in function for each field and base, behind an indentation of its depth.
template <typename... Rest> void countField(unsigned &count, const char *, Rest... rest) {
  if constexpr (sizeof...(Rest) > 1) {
    const auto first = std::get<0>(std::tuple(rest...));
    if constexpr (std::is_convertible_v<decltype(first), const char *>)
      count += llvm::StringRef(first) == "  ";
  }
}

/// The build info is no aggregate, and a field of it may lie in padding.
TEST(KeyTable, EveryFieldOfTheBuildInfoIsKnown) {
  const GraphicsPipelineBuildInfo info;
  unsigned count = 0;
  __builtin_dump_struct(&info, countField, count);
  EXPECT_EQ(count, 10u) // two bases, stageMask, seven shaders
      << "a field was added: is it in the keys, and in KeyFields.def?";
}
#endif

} // namespace
