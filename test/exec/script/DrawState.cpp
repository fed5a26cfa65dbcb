//===- DrawState.cpp - `state` and its relatives in tests ------------------===//
// SPDX-License-Identifier: MIT
#include "DrawState.h"
#include "llvm/ADT/STLExtras.h"

using llvm::Error;
using llvm::StringRef;

namespace exec {

bool parseNumbers(StringRef text, std::vector<double> &numbers) {
  if (text.empty())
    return true;
  llvm::SmallVector<StringRef, 6> parts;
  text.split(parts, ',');
  for (StringRef part : parts)
    if (part.getAsDouble(numbers.emplace_back()))
      return false;
  return true;
}

namespace {

/// The index of \p word in \p names, or -1. The lists are in the order of Vulkan's enumerations.
int indexOf(llvm::ArrayRef<StringRef> names, StringRef word) {
  const auto *found = llvm::find(names, word);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

constexpr StringRef topologies[] = {
    "points",       "lines",     "line-strip",     "triangles",     "triangle-strip",
    "triangle-fan", "lines-adj", "line-strip-adj", "triangles-adj", "triangle-strip-adj",
    "patches"};
constexpr StringRef polygonModes[] = {"fill", "line", "point"};
constexpr StringRef cullModes[] = {"none", "front", "back", "both"};
constexpr StringRef frontFaces[] = {"ccw", "cw"};
constexpr StringRef lineModes[] = {"default", "rectangular", "bresenham", "smooth"};
constexpr StringRef conservativeModes[] = {"off", "over", "under"};
constexpr StringRef provokings[] = {"first", "last"};
constexpr StringRef domainOrigins[] = {"upper-left", "lower-left"};
constexpr StringRef compareOps[] = {"never",   "less", "equal", "le",
                                    "greater", "ne",   "ge",    "always"};
constexpr StringRef stencilOps[] = {"keep",      "zero",   "replace",  "inc-clamp",
                                    "dec-clamp", "invert", "inc-wrap", "dec-wrap"};
constexpr StringRef logicOps[] = {"clear",         "and",         "and-reverse", "copy",
                                  "and-inverted",  "noop",        "xor",         "or",
                                  "nor",           "equivalent",  "invert",      "or-reverse",
                                  "copy-inverted", "or-inverted", "nand",        "set"};
constexpr StringRef blendFactors[] = {"zero",  "one",     "src",    "1-src",    "dst",
                                      "1-dst", "srca",    "1-srca", "dsta",     "1-dsta",
                                      "const", "1-const", "consta", "1-consta", "saturate",
                                      "src1",  "1-src1",  "src1a",  "1-src1a"};
constexpr StringRef blendOps[] = {"add", "sub", "rsub", "min", "max"};

constexpr StringRef rateCombiners[] = {"keep", "replace", "min", "max", "mul"};

template <typename Enum> bool choose(llvm::ArrayRef<StringRef> names, StringRef word, Enum &value) {
  int index = indexOf(names, word);
  if (index < 0)
    return false;
  value = static_cast<Enum>(index);
  return true;
}

template <typename Flag> bool flag(StringRef word, Flag &value) {
  if (word != "0" && word != "1")
    return false;
  value = word == "1";
  return true;
}

template <typename Number> bool number(StringRef word, Number &value) {
  if constexpr (std::is_floating_point_v<Number>) {
    double parsed = 0;
    if (word.getAsDouble(parsed))
      return false;
    value = static_cast<Number>(parsed);
    return true;
  } else {
    return !word.getAsInteger(0, value);
  }
}

bool depthBias(GraphicsSpec &spec, StringRef word) {
  std::vector<double> parts;
  if (!parseNumbers(word, parts) || parts.size() != 3)
    return false;
  spec.raster.depthBiasEnable = VK_TRUE;
  spec.raster.depthBiasConstantFactor = static_cast<float>(parts[0]);
  spec.raster.depthBiasClamp = static_cast<float>(parts[1]);
  spec.raster.depthBiasSlopeFactor = static_cast<float>(parts[2]);
  return true;
}

bool stipple(GraphicsSpec &spec, StringRef word) {
  auto [factor, pattern] = word.split(',');
  spec.stipple = true;
  return !factor.getAsInteger(0, spec.stippleFactor) &&
         !pattern.getAsInteger(0, spec.stipplePattern);
}

bool depthTest(GraphicsSpec &spec, StringRef word) {
  spec.depthStencil.depthTestEnable = VK_TRUE;
  return choose(compareOps, word, spec.depthStencil.depthCompareOp);
}

bool depthBounds(GraphicsSpec &spec, StringRef word) {
  std::vector<double> parts;
  if (!parseNumbers(word, parts) || parts.size() != 2)
    return false;
  spec.depthStencil.depthBoundsTestEnable = VK_TRUE;
  spec.depthStencil.minDepthBounds = static_cast<float>(parts[0]);
  spec.depthStencil.maxDepthBounds = static_cast<float>(parts[1]);
  return true;
}

bool blendConstants(GraphicsSpec &spec, StringRef word) {
  std::vector<double> parts;
  if (!parseNumbers(word, parts) || parts.size() != 4)
    return false;
  for (size_t i = 0; i < 4; ++i)
    spec.colorBlend.blendConstants[i] = static_cast<float>(parts[i]);
  return true;
}

bool logicOp(GraphicsSpec &spec, StringRef word) {
  spec.colorBlend.logicOpEnable = VK_TRUE;
  return choose(logicOps, word, spec.colorBlend.logicOp);
}

bool sampleShading(GraphicsSpec &spec, StringRef word) {
  spec.multisample.sampleShadingEnable = VK_TRUE;
  return number(word, spec.multisample.minSampleShading);
}

/// WxH
bool shadingRate(GraphicsSpec &spec, StringRef word) {
  auto [width, height] = word.split('x');
  VkExtent2D &size = spec.fragmentSize.emplace();
  return !width.getAsInteger(10, size.width) && !height.getAsInteger(10, size.height);
}

/// With primitives, with the attachment.
bool combineRates(GraphicsSpec &spec, StringRef word) {
  auto [primitive, attachment] = word.split(',');
  if (!spec.fragmentSize)
    spec.fragmentSize = VkExtent2D{1, 1};
  return choose(rateCombiners, primitive, spec.rateCombiners[0]) &&
         choose(rateCombiners, attachment, spec.rateCombiners[1]);
}

bool depthClip(GraphicsSpec &spec, StringRef word) {
  bool value = false;
  if (!flag(word, value))
    return false;
  spec.depthClip = value;
  return true;
}

bool negativeDepths(GraphicsSpec &spec, StringRef word) {
  bool value = false;
  if (!flag(word, value))
    return false;
  spec.negativeOneToOne = value;
  return true;
}

bool sampleLocations(GraphicsSpec &spec, StringRef word) {
  std::vector<double> numbers;
  if (!parseNumbers(word, numbers) || numbers.size() % 2)
    return false;
  for (size_t i = 0; i < numbers.size(); i += 2)
    spec.sampleLocations.push_back(
        {static_cast<float>(numbers[i]), static_cast<float>(numbers[i + 1])});
  return true;
}

bool clampRange(GraphicsSpec &spec, StringRef word) {
  std::vector<double> numbers;
  if (!parseNumbers(word, numbers) || numbers.size() != 2)
    return false;
  spec.clampRange = {static_cast<float>(numbers[0]), static_cast<float>(numbers[1])};
  return true;
}

bool discardRectangles(GraphicsSpec &spec, StringRef word) {
  std::vector<double> numbers;
  if (!parseNumbers(word, numbers) || numbers.size() % 4 != 1)
    return false;
  spec.discardsInside = numbers[0] != 0;
  for (size_t i = 1; i < numbers.size(); i += 4)
    spec.discardRectangles.push_back(
        {{static_cast<int32_t>(numbers[i]), static_cast<int32_t>(numbers[i + 1])},
         {static_cast<uint32_t>(numbers[i + 2]), static_cast<uint32_t>(numbers[i + 3])}});
  return true;
}

bool conservative(GraphicsSpec &spec, StringRef word) {
  return choose(conservativeModes, word,
                spec.conservative.emplace(VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT));
}

struct StateKey {
  llvm::StringLiteral key;
  bool (*apply)(GraphicsSpec &spec, StringRef word);
};

#define FIELD(name, function, ...)                                                                 \
  {name, [](GraphicsSpec &spec, StringRef word) { return function(__VA_ARGS__); }}
constexpr StateKey stateKeys[] = {
    FIELD("topology", choose, topologies, word, spec.topology),
    FIELD("restart", flag, word, spec.primitiveRestart),
    FIELD("patch", number, word, spec.patchControlPoints),
    FIELD("stream", number, word, spec.rasterizationStream),
    FIELD("origin", choose, domainOrigins, word, spec.domainOrigin),
    FIELD("polygon", choose, polygonModes, word, spec.raster.polygonMode),
    FIELD("cull", choose, cullModes, word, spec.raster.cullMode),
    FIELD("front", choose, frontFaces, word, spec.raster.frontFace),
    FIELD("clamp", flag, word, spec.raster.depthClampEnable),
    FIELD("discard", flag, word, spec.raster.rasterizerDiscardEnable),
    FIELD("linewidth", number, word, spec.raster.lineWidth),
    FIELD("line", choose, lineModes, word, spec.lineMode),
    FIELD("provoking", choose, provokings, word, spec.provoking),
    FIELD("samples", number, word,
          reinterpret_cast<uint32_t &>(spec.multisample.rasterizationSamples)),
    FIELD("samplemask", number, word, spec.sampleMask),
    FIELD("alphatocoverage", flag, word, spec.multisample.alphaToCoverageEnable),
    FIELD("alphatoone", flag, word, spec.multisample.alphaToOneEnable),
    FIELD("depthwrite", flag, word, spec.depthStencil.depthWriteEnable),
    FIELD("dynamic", number, word, spec.dynamicState),
    {"bias", depthBias},
    {"stipple", stipple},
    {"depth", depthTest},
    {"bounds", depthBounds},
    {"constants", blendConstants},
    {"logic", logicOp},
    {"sampleshading", sampleShading},
    {"clip", depthClip},
    {"negative", negativeDepths},
    {"rate", shadingRate},
    {"combine", combineRates},
    {"conservative", conservative},
    {"clamprange", clampRange},
    {"rectangles", discardRectangles},
    {"locations", sampleLocations},
};
#undef FIELD

} // namespace

Error applyState(GraphicsSpec &spec, const Words &words) {
  for (const auto &[key, word] : words.options) {
    const StateKey *row = llvm::find_if(stateKeys, [&](const StateKey &k) { return k.key == key; });
    if (row == std::end(stateKeys))
      return failure("state: unknown key '" + key + "'");
    if (!row->apply(spec, word))
      return failure("state: '" + word + "' is no " + key);
  }
  return words.plain.empty() ? Error::success()
                             : failure("state: '" + words.at(0) + "' is no KEY=VALUE");
}

/// blend TARGET [SRC,DST,OP[,SRCA,DSTA,OPA]] [mask=rgba]
Error applyBlend(GraphicsSpec &spec, const Words &words) {
  uint32_t target = 0;
  if (words.at(0).getAsInteger(10, target) || target >= spec.blend.size())
    return failure("blend: needs a target");
  VkPipelineColorBlendAttachmentState &state = spec.blend[target];
  if (StringRef mask = words.text("mask"); !mask.empty()) {
    state.colorWriteMask = 0;
    for (char letter : mask)
      if (size_t bit = StringRef("rgba").find(letter); bit != StringRef::npos)
        state.colorWriteMask |= 1u << bit;
  }
  if (words.at(1).empty())
    return Error::success();
  llvm::SmallVector<StringRef, 6> parts;
  words.at(1).split(parts, ',');
  if (parts.size() == 3)
    parts.append({parts[0], parts[1], parts[2]});
  state.blendEnable = VK_TRUE;
  if (parts.size() != 6 || !choose(blendFactors, parts[0], state.srcColorBlendFactor) ||
      !choose(blendFactors, parts[1], state.dstColorBlendFactor) ||
      !choose(blendOps, parts[2], state.colorBlendOp) ||
      !choose(blendFactors, parts[3], state.srcAlphaBlendFactor) ||
      !choose(blendFactors, parts[4], state.dstAlphaBlendFactor) ||
      !choose(blendOps, parts[5], state.alphaBlendOp))
    return failure("blend: '" + words.at(1) + "' is no SRC,DST,OP[,SRCA,DSTA,OPA]");
  return Error::success();
}

/// stencilstate front|back|both [compare=] [ref=] [mask=] [write=] [fail=] [pass=] [depthfail=]
Error applyStencilState(GraphicsSpec &spec, const Words &words) {
  spec.depthStencil.stencilTestEnable = VK_TRUE;
  std::vector<VkStencilOpState *> faces;
  if (words.at(0) != "back")
    faces.push_back(&spec.depthStencil.front);
  if (words.at(0) != "front")
    faces.push_back(&spec.depthStencil.back);
  for (VkStencilOpState *face : faces) {
    bool ok = choose(compareOps, words.text("compare", "always"), face->compareOp) &&
              choose(stencilOps, words.text("fail", "keep"), face->failOp) &&
              choose(stencilOps, words.text("pass", "keep"), face->passOp) &&
              choose(stencilOps, words.text("depthfail", "keep"), face->depthFailOp);
    if (!ok)
      return failure("stencilstate: unknown operation");
    face->reference = words.number("ref", 0);
    face->compareMask = words.number("mask", 0xFF);
    face->writeMask = words.number("write", 0xFF);
  }
  return Error::success();
}

namespace {

bool numbersOf(const Words &words, std::vector<double> &numbers) {
  for (StringRef word : words.plain)
    if (word.getAsDouble(numbers.emplace_back()))
      return false;
  return true;
}

} // namespace

Error applyViewport(GraphicsSpec &spec, const Words &words) {
  std::vector<double> v;
  if (!numbersOf(words, v) || (v.size() != 4 && v.size() != 6))
    return failure("viewport: needs X Y WIDTH HEIGHT [MIN MAX]");
  v.resize(6, v.size() == 4 ? 0 : v.back());
  if (words.plain.size() == 4)
    v[5] = 1;
  spec.viewports.push_back(
      {float(v[0]), float(v[1]), float(v[2]), float(v[3]), float(v[4]), float(v[5])});
  return Error::success();
}

Error applyScissor(GraphicsSpec &spec, const Words &words) {
  std::vector<double> v;
  if (!numbersOf(words, v) || v.size() != 4)
    return failure("scissor: needs X Y WIDTH HEIGHT");
  spec.scissors.push_back({{int32_t(v[0]), int32_t(v[1])}, {uint32_t(v[2]), uint32_t(v[3])}});
  return Error::success();
}

} // namespace exec
