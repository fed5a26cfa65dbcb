//===- Case.cpp - directives of a test become a job -----------------------===//
// SPDX-License-Identifier: MIT
#include "AccelDirectives.h"
#include "DrawDirectives.h"
#include "Formats.h"
#include "RayDirectives.h"
#include "Script.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace exec {

namespace {

struct NamedType {
  StringRef name;
  VkDescriptorType type;
};
constexpr NamedType descriptorTypes[] = {
    {"storage", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
    {"uniform", VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER},
    {"storage-dynamic", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC},
    {"uniform-dynamic", VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC},
    {"texel", VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER},
    {"storage-texel", VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER},
    {"sampled-image", VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
    {"storage-image", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
    {"combined", VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
    {"sampler", VK_DESCRIPTOR_TYPE_SAMPLER},
    {"input", VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT},
    {"inline", VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK},
    {"accel", VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR},
};

bool parseBindingName(StringRef text, uint32_t &set, uint32_t &binding, uint32_t &element) {
  element = 0;
  auto [place, index] = text.split('[');
  if (!index.empty() && (!index.consume_back("]") || index.getAsInteger(10, element)))
    return false;
  auto [first, second] = place.split('.');
  return !first.getAsInteger(10, set) && !second.getAsInteger(10, binding);
}

class Builder {
public:
  explicit Builder(Case &result) : result(result), job(result.job) {}

  Error directive(StringRef line) {
    auto [keyword, rest] = line.split(' ');
    auto [head, values] = rest.split(" :");
    if (values.empty() && rest.starts_with(":"))
      values = rest.drop_front();
    for (const Row &row : rows())
      if (row.keyword == keyword)
        return (this->*row.apply)(head.trim(), values.trim());
    AccelScope accels = {job, buffers, structures};
    bool ofAccels = KILN_TRY(applyAccelDirective(accels, keyword, Words(rest)));
    if (ofAccels)
      return Error::success();
    RayScope rays = rayScope();
    bool ofRays = KILN_TRY(applyRayDirective(rays, keyword, rest));
    if (ofRays)
      return Error::success();
    DrawScope draws = {job, buffers, images};
    bool taken = KILN_TRY(applyDrawDirective(draws, keyword, Words(rest)));
    return taken ? Error::success() : failure("unknown directive '" + keyword + "'");
  }

  RayScope rayScope() { return {job, rayShaders, rayGroups, scope}; }
  void addRayShader(RayShaderSpec shader) {
    rayShaders[shader.name] = job.rays->shaders.size();
    job.rays->shaders.push_back(std::move(shader));
  }

  ExpressionScope scope;

private:
  using Apply = Error (Builder::*)(StringRef head, StringRef values);
  struct Row {
    StringRef keyword;
    Apply apply;
  };
  static llvm::ArrayRef<Row> rows();

  Error values(ScalarType type, StringRef text, Bytes &bytes) {
    return parseValues(type, text, scope, bytes);
  }

  /// buffer NAME [KIND] TYPE [options] : VALUES
  Error buffer(StringRef head, StringRef text) {
    Words words(head);
    StringRef name = words.at(0), kind = "storage", typeName = words.at(1);
    if (words.plain.size() > 2) {
      kind = words.at(1);
      typeName = words.at(2);
    }
    std::optional<ScalarType> type = scalarTypeOf(typeName);
    if (!type)
      return failure("buffer: '" + typeName + "' is no type");
    Bytes bytes;
    KILN_TRY(values(*type, text, bytes));
    buffers[name.str()] = job.buffers.size();
    bufferTypes.push_back({name.str(), *type});
    job.buffers.push_back(std::move(bytes));
    refreshScope();
    uint32_t set, binding, element;
    if (kind != "none" && parseBindingName(name, set, binding, element))
      return bind((name + " " + kind + " " + name + " " + head).str(), "");
    return Error::success();
  }

  /// append TYPE : VALUES, at the end of the last buffer
  Error append(StringRef head, StringRef text) {
    std::optional<ScalarType> type = scalarTypeOf(head);
    if (!type || job.buffers.empty())
      return failure("append: needs a buffer and a type");
    KILN_TRY(values(*type, text, job.buffers.back()));
    refreshScope();
    return Error::success();
  }

  /// Formulas see buffers by name; "0.1" is b0_1 there.
  void refreshScope() {
    for (size_t i = 0; i < job.buffers.size(); ++i) {
      std::string name = bufferTypes[i].first;
      uint32_t set, binding, element;
      if (parseBindingName(name, set, binding, element))
        name = "b" + std::to_string(set) + "_" + std::to_string(binding) +
               (element ? "_" + std::to_string(element) : "");
      scope.buffers[name] = {bufferTypes[i].second, &job.buffers[i]};
    }
  }

  /// bind S.B[E] KIND RESOURCE [SAMPLER] [options]
  Error bind(StringRef head, StringRef text) {
    Words words(head);
    Binding binding;
    if (!parseBindingName(words.at(0), binding.set, binding.binding, binding.element))
      return failure("bind: '" + words.at(0) + "' is no SET.BINDING");
    const auto *kind =
        llvm::find_if(descriptorTypes, [&](const NamedType &t) { return t.name == words.at(1); });
    if (kind == std::end(descriptorTypes))
      return failure("bind: unknown kind '" + words.at(1) + "'");
    binding.type = kind->type;
    binding.offset = words.number("offset", 0);
    binding.range = words.number("range", VK_WHOLE_SIZE);
    binding.dynamicOffset = words.number("dynamic", 0);
    if (StringRef format = words.text("format"); !format.empty()) {
      const FormatRow *row = findFormat(format);
      if (!row)
        return failure("unknown format '" + format + "'");
      binding.viewFormat = row->format;
    }
    StringRef resource = words.at(2);
    binding.isNull = resource == "null";
    if (binding.type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
      binding.inlineData = job.buffers[buffers[resource.str()]];
    } else if (binding.type == VK_DESCRIPTOR_TYPE_SAMPLER) {
      return bindSampler(binding, resource, words);
    } else if (binding.type == VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR) {
      if (!binding.isNull && !lookUpStructure(resource, binding.resource))
        return failure("no structure '" + resource + "'");
    } else if (!binding.isNull) {
      KILN_TRY(bindResource(binding, resource, words));
    }
    if (binding.type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
      return bindSampler(binding, words.at(3), words);
    job.bindings.push_back(binding);
    return Error::success();
  }

  bool lookUpStructure(StringRef name, uint32_t &structure) const {
    auto found = structures.find(name.str());
    if (found == structures.end())
      return false;
    structure = found->second;
    return true;
  }

  Error bindSampler(Binding binding, StringRef name, const Words &words) {
    auto found = samplers.find(name.str());
    if (found == samplers.end())
      return failure("no sampler '" + name + "'");
    binding.sampler = found->second;
    binding.immutableSampler = words.text("immutable") == "1";
    job.bindings.push_back(binding);
    return Error::success();
  }

  Error bindResource(Binding &binding, StringRef name, const Words &words) {
    if (auto found = buffers.find(name.str()); found != buffers.end()) {
      binding.resource = found->second;
      return Error::success();
    }
    auto found = images.find(name.str());
    if (found == images.end())
      return failure("no buffer or image '" + name + "'");
    binding.resource = found->second;
    binding.viewType = imageViews[found->second];
    if (StringRef view = words.text("view"); !view.empty()) {
      const ImageKind *kind = findImageKind(view);
      if (!kind)
        return failure("unknown view '" + view + "'");
      binding.viewType = kind->view;
    }
    binding.view.baseMipLevel = words.number("mip", 0);
    binding.view.levelCount = words.number(
        "mips", binding.type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ? 1 : VK_REMAINING_MIP_LEVELS);
    binding.view.baseArrayLayer = words.number("layer", 0);
    binding.view.layerCount = words.number("layers", VK_REMAINING_ARRAY_LAYERS);
    ImageSpec &image = job.images[found->second];
    binding.view.aspectMask = image.aspect;
    image.usage |= binding.type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ? VK_IMAGE_USAGE_STORAGE_BIT
                   : binding.type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT
                       ? VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT
                       : VK_IMAGE_USAGE_SAMPLED_BIT;
    binding.slices = {static_cast<uint32_t>(words.number("slice", 0)),
                      static_cast<uint32_t>(words.number("slices", VK_REMAINING_3D_SLICES_EXT))};
    double minLod = 0;
    if (words.text("viewminlod", "0").getAsDouble(minLod))
      return failure("viewminlod is no number");
    binding.minLod = static_cast<float>(minLod);
    return swizzle(words.text("swizzle"), binding.swizzle);
  }

  static Error swizzle(StringRef text, VkComponentMapping &mapping) {
    if (text.empty())
      return Error::success();
    static constexpr StringRef letters = "i01rgba"; // in the order of VkComponentSwizzle
    VkComponentSwizzle *parts[] = {&mapping.r, &mapping.g, &mapping.b, &mapping.a};
    if (text.size() != 4 || text.find_first_not_of(letters) != StringRef::npos)
      return failure("swizzle takes four of i01rgba");
    for (size_t i = 0; i < 4; ++i)
      *parts[i] = static_cast<VkComponentSwizzle>(letters.find(text[i]));
    return Error::success();
  }

  /// image NAME FORMAT KIND WxHxD [mips=] [layers=] [samples=] [mutable=1] : TYPE VALUES
  Error image(StringRef head, StringRef text) {
    Words words(head);
    ImageSpec spec = KILN_TRY(parseImage(words, imageViews.emplace_back()));
    auto [typeName, data] = text.split(' ');
    if (!text.empty()) {
      std::optional<ScalarType> type = scalarTypeOf(typeName);
      if (!type)
        return failure("image: '" + typeName + "' is no type");
      KILN_TRY(values(*type, data, spec.data));
      if (spec.data.size() != spec.totalBytes())
        return failure("image: " + Twine(spec.data.size()) + " bytes given, the image has " +
                       Twine(spec.totalBytes()));
    }
    images[words.at(0).str()] = job.images.size();
    job.images.push_back(std::move(spec));
    return Error::success();
  }

  /// sampler NAME [filter=] [mip=] [wrap=] [compare=] [border=] [unnormalized=1] [reduction=] ...
  Error sampler(StringRef head, StringRef text) {
    Words words(head);
    SamplerSpec spec = KILN_TRY(parseSampler(words));
    samplers[words.at(0).str()] = job.samplers.size();
    job.samplers.push_back(spec);
    return Error::success();
  }

  /// push TYPE : VALUES; several lines follow each other
  Error push(StringRef head, StringRef text) {
    std::optional<ScalarType> type = scalarTypeOf(head);
    if (!type)
      return failure("push: '" + head + "' is no type");
    return values(*type, text, job.push);
  }

  /// spec ID TYPE VALUE (bool: u32 0 or 1)
  Error spec(StringRef head, StringRef text) {
    Words words(head);
    llpc::SpecConstant constant;
    std::optional<ScalarType> type = scalarTypeOf(words.at(1));
    Bytes bytes;
    if (words.at(0).getAsInteger(10, constant.constantId) || !type)
      return failure("spec: needs an id and a type");
    KILN_TRY(values(*type, words.at(2), bytes));
    if (bytes.size() != sizeOf(*type))
      return failure("spec: needs one value");
    constant.size = sizeOf(*type);
    constant.value = loadBits(*type, bytes.data());
    job.specialization.push_back(constant);
    return Error::success();
  }

  /// dispatch X [Y [Z]] [base=X,Y,Z] or dispatch indirect BUFFER OFFSET
  Error dispatch(StringRef head, StringRef text) {
    Words words(head);
    Dispatch dispatch;
    if (words.at(0) == "indirect") {
      auto found = buffers.find(words.at(1).str());
      if (found == buffers.end())
        return failure("dispatch: no buffer '" + words.at(1) + "'");
      dispatch.indirect = true;
      dispatch.indirectBuffer = found->second;
      if (words.at(2).getAsInteger(0, dispatch.indirectOffset))
        return failure("dispatch: needs an offset");
    }
    for (size_t i = 0; !dispatch.indirect && i < words.plain.size() && i < 3; ++i)
      if (words.at(i).getAsInteger(10, dispatch.groups[i]))
        return failure("dispatch: '" + words.at(i) + "' is no count");
    llvm::SmallVector<StringRef, 3> bases;
    words.text("base", "0,0,0").split(bases, ',');
    for (size_t i = 0; i < bases.size() && i < 3; ++i)
      if (bases[i].getAsInteger(10, dispatch.base[i]))
        return failure("dispatch: base needs three numbers");
    job.dispatches.push_back(dispatch);
    return Error::success();
  }

  /// address BUFFER@OFFSET TARGET[@OFFSET]; the target may be a structure
  Error address(StringRef head, StringRef text) {
    Words words(head);
    PointerPatch patch;
    patch.isStructure = lookUpStructure(words.at(1), patch.target);
    if (!place(words.at(0), patch.buffer, patch.offset) ||
        !(patch.isStructure || place(words.at(1), patch.target, patch.targetOffset)) ||
        patch.offset + 8 > job.buffers[patch.buffer].size())
      return failure("address: needs BUFFER@OFFSET and TARGET");
    job.pointers.push_back(patch);
    return Error::success();
  }

  bool place(StringRef text, uint32_t &buffer, uint64_t &offset) {
    auto [name, at] = text.split('@');
    auto found = buffers.find(name.str());
    if (found == buffers.end() || (!at.empty() && at.getAsInteger(0, offset)))
      return false;
    buffer = found->second;
    return true;
  }

  Error full(StringRef, StringRef) {
    job.fullSubgroups = true;
    return Error::success();
  }
  Error entry(StringRef head, StringRef) {
    job.entry = head.str();
    return Error::success();
  }

  /// expect NAME[@OFFSET] TYPE [~TOLERANCE] : VALUES, or compare NAME TYPE [~TOLERANCE]
  Error expectation(StringRef head, StringRef text, bool sameAsReference) {
    llvm::SmallVector<StringRef, 4> words;
    llvm::SplitString(head, words);
    Expectation expected;
    expected.sameAsReference = sameAsReference;
    if (words.size() < 2)
      return failure("needs a name and a type");
    auto [name, at] = words[0].split('@');
    expected.resourceName = name.str();
    if (auto image = images.find(name.str()); image != images.end()) {
      expected.isImage = true;
      expected.resource = image->second;
      if (!at.empty() && at.getAsInteger(0, expected.offset))
        return failure("'" + at + "' is no offset");
    } else if (!place(words[0], expected.resource, expected.offset)) {
      return failure("no buffer or image '" + words[0] + "'");
    }
    std::optional<ScalarType> type = scalarTypeOf(words[1]);
    if (!type)
      return failure("'" + words[1] + "' is no type");
    expected.type = *type;
    for (StringRef word : llvm::drop_begin(words, 2))
      if (!word.consume_front("~") || !parseTolerance(word, expected.tolerance))
        return failure("'" + word + "' is no tolerance");
    if (!sameAsReference) {
      KILN_TRY(values(*type, text, expected.values));
      if (expected.values.empty())
        return failure("expect without values");
    }
    result.expectations.push_back(std::move(expected));
    return Error::success();
  }
  Error expect(StringRef head, StringRef text) { return expectation(head, text, false); }
  Error compare(StringRef head, StringRef text) { return expectation(head, text, true); }

  Case &result;
  Job &job;
  std::map<std::string, uint32_t> buffers, images, samplers, structures, rayShaders, rayGroups;
  std::vector<std::pair<std::string, ScalarType>> bufferTypes;
  std::vector<VkImageViewType> imageViews;
};

llvm::ArrayRef<Builder::Row> Builder::rows() {
  static const Row table[] = {
      {"buffer", &Builder::buffer},   {"append", &Builder::append},
      {"bind", &Builder::bind},       {"image", &Builder::image},
      {"sampler", &Builder::sampler}, {"push", &Builder::push},
      {"spec", &Builder::spec},       {"dispatch", &Builder::dispatch},
      {"address", &Builder::address}, {"fullsubgroups", &Builder::full},
      {"entry", &Builder::entry},     {"expect", &Builder::expect},
      {"compare", &Builder::compare},
  };
  return table;
}

/// Puts the variant's values in place of ${NAME}.
std::string substitute(std::string text, const std::map<std::string, std::string> &variant) {
  for (const auto &[name, value] : variant) {
    std::string mark = "${" + name + "}";
    for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
      text.replace(at, mark.size(), value);
  }
  return text;
}

} // namespace

static Expected<std::vector<uint32_t>>
compileSection(const Script &script, const ShaderSection &section,
               const std::map<std::string, std::string> &variant,
               llvm::ArrayRef<std::string> defines) {
  if (!section.words.empty())
    return section.words;
  return compileShader(
      section.isGlsl ? script.path + "." + section.stageName : script.path + ".spvasm",
      substitute(section.text, variant), defines, script.targetEnv, section.stageName);
}

Expected<Case> buildCase(const Script &script, const std::map<std::string, std::string> &variant,
                         uint32_t subgroupSize, uint32_t actualSize) {
  Case result;
  result.name = script.path;
  std::vector<std::string> defines;
  for (const auto &[name, value] : variant) {
    defines.push_back((llvm::Twine(name) + "=" + value).str());
    result.name += " " + defines.back();
  }
  if (subgroupSize)
    result.name += " subgroup=" + std::to_string(subgroupSize);
  result.job.name = result.name;
  result.job.subgroupSize = subgroupSize;
  Builder builder(result);
  builder.scope.variables["SG"] = actualSize;
  if (script.tracesRays)
    result.job.rays.emplace();
  else if (!script.sections.empty())
    result.job.graphics.emplace();
  if (script.tracesRays)
    for (const ShaderSection &section : script.sections) {
      auto words = KILN_TRY(compileSection(script, section, variant, defines));
      builder.addRayShader({section.name, section.stage, std::move(words)});
    }
  for (const std::string &line : script.lines)
    if (Error error = builder.directive(substitute(line, variant)))
      return failure("'" + line + "': " + llvm::toString(std::move(error)));
  if (result.expectations.empty())
    return failure("nothing is expected of this test");
  if (result.job.graphics) {
    finishDraw(result.job);
    for (const ShaderSection &section : script.sections) {
      auto words = KILN_TRY(compileSection(script, section, variant, defines));
      result.job.graphics->stages.push_back({section.stage, std::move(words), {}, {}});
    }
    return result;
  }
  if (result.job.rays) {
    RayScope rays = builder.rayScope();
    finishRays(rays);
    return result;
  }
  if (result.job.dispatches.empty())
    result.job.dispatches.emplace_back();
  Expected<std::vector<uint32_t>> words =
      compileShader(script.path, substitute(script.shader, variant), defines, script.targetEnv);
  if (!words)
    return words.takeError();
  result.job.spirv = std::move(*words);
  return result;
}

} // namespace exec
