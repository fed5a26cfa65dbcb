//===- KeyTestPipelines.h - every change of every input -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The changes of KeyFields.def, and pipelines to make them in: some that have a use for
/// everything, and others that have for little.
#pragma once

#include "lgc/TaskView.h"
#include "lgc/UberFetch.h"
#include "llpc/Parts.h"
#include "llpc/context/GlueInput.h"
#include "llpc/context/KeyTestShaders.h"
#include "llpc/context/PartInput.h"
#include "llpc/context/PipelineKey.h"

namespace llpc::keytest {

using lgc::PartKind;
using lgc::ResourceNode;
using lgc::ResourceNodeType;
using lgc::Topology;

inline constexpr const char *target = "gfx1100";

inline const Compiler &compiler() {
  static const std::unique_ptr<Compiler> instance =
      llvm::cantFail(Compiler::create({.target = target}));
  return *instance;
}

inline ShaderText textOf(ShaderStage stage) {
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

inline void setShader(PipelineShaderInfo &shader, bool rich) {
  ShaderText text = textOf(shader.entryStage);
  text.rich = rich;
  shader.module = ShaderWriter(text).build();
}

inline ShaderModule otherModule(const PipelineShaderInfo &shader) {
  ShaderText text = textOf(shader.entryStage);
  text.addend = 7;
  return ShaderWriter(text).build();
}

/// The same code with another name.
inline ShaderModule renamedModule(const PipelineShaderInfo &shader) {
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

inline void *allocate(void *, void *, size_t) { return nullptr; }
inline void print(llvm::StringRef, llvm::StringRef) {}

inline ResourceNode &root(PipelineBuildInfo &info, size_t index) {
  return info.resourceMapping.roots[index];
}
inline ResourceNode &node(PipelineBuildInfo &info, size_t index) {
  return root(info, 0).table[index];
}

inline void moveToRoot(PipelineBuildInfo &info) {
  ResourceNode moved = node(info, 0);
  root(info, 0).table.erase(root(info, 0).table.begin());
  moved.offsetInDwords = 12;
  info.resourceMapping.roots.push_back(moved);
}

/// As enableUberFetchShader has attributes.
inline void describeInMemory(GraphicsPipelineBuildInfo &info) {
  info.vertexInput = {};
  info.enableUberFetchShader = true;
  ResourceNode pointer, memory;
  pointer.type = ResourceNodeType::DescriptorTableVaPtr;
  pointer.sizeInDwords = 1;
  pointer.offsetInDwords = 13;
  memory.type = ResourceNodeType::InlineBuffer;
  memory.sizeInDwords = 258;
  memory.set = lgc::internalSet;
  memory.binding = lgc::uberFetchBinding;
  pointer.table = {memory};
  info.resourceMapping.roots.push_back(pointer);
}

inline lgc::StaticDescriptor &fixed(PipelineBuildInfo &info) {
  return info.resourceMapping.staticDescriptors[0];
}

inline ResourceMappingData baseMapping() {
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
  mapping.staticDescriptors = {{T::DescriptorSampler, 0, 5, 1, {0, 0, 0, 0, 0, 0}}};
  return mapping;
}

inline ComputePipelineBuildInfo computeBase(bool rich) {
  ComputePipelineBuildInfo info;
  setShader(info.cs, rich);
  info.resourceMapping = baseMapping();
  return info;
}

inline void setState(GraphicsPipelineBuildInfo &info) {
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

inline GraphicsPipelineBuildInfo graphicsBase(BaseKind kind) {
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
inline constexpr BaseKind allBases[] = {BaseKind::Plain, BaseKind::RichFragment,
                                        BaseKind::AllStages, BaseKind::Samples};

//===--- Keys -------------------------------------------------------------===//

enum Column { Pipeline, Cache, Compute, PreRasterization, Fragment, Fetch, ColorExport, Columns };
inline constexpr const char *columnNames[Columns] = {
    "pipelineHash",  "cacheHash",    "compute part", "pre-rasterization part",
    "fragment part", "vertex fetch", "colour export"};

using Key = std::optional<Hash128>; ///< none: an error
using Keys = std::array<Key, Columns>;

inline Key keyOf(llvm::Expected<Hash128> key) {
  if (key)
    return *key;
  llvm::consumeError(key.takeError());
  return std::nullopt;
}

/// Signatures such as parts of the shaders above have.
inline lgc::PartInfo signature(BaseKind kind) {
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

inline Keys keysOf(const ComputePipelineBuildInfo &info) {
  Keys keys;
  const PipelineHashes hashes = compiler().hashComputePipeline(info);
  keys[Pipeline] = hashes.pipelineHash;
  keys[Cache] = hashes.cacheHash;
  keys[Compute] = keyOf(compiler().partKey(info));
  return keys;
}

inline Keys keysOf(const GraphicsPipelineBuildInfo &info, BaseKind kind) {
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
inline const FieldRow rows[] = {
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

/// Applies `row` to all bases that it can be applied to, and calls
/// `use(base, changed, kind)` or, of compute pipelines, `use(base, changed)`.
template <typename OnCompute, typename OnGraphics>
inline void forChanges(const FieldRow &row, OnCompute onCompute, OnGraphics onGraphics) {
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

} // namespace llpc::keytest
