//===- LayoutReader.cpp - layouts and samplers of Vulkan SC pipelines -----===//
// SPDX-License-Identifier: MIT
#include "LayoutReader.h"
#include "StateChecks.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <set>
#include <tuple>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace pcc {
namespace {

// More than any device of the driver has; they keep sizes within 32 bits.
constexpr uint32_t maxDescriptors = 1u << 20;
constexpr size_t maxSets = 32;
constexpr uint32_t maxPushBytes = 256;

/// Elements of an array of one-member objects, {"NAME": VALUE}, by name.
class NamedObjects {
public:
  struct Item {
    std::string name;
    const Json *value;
    size_t index;
  };
  /// Errors: no array, and elements that are not one member with a name of its own. A missing
  /// member is an empty array.
  Error read(ScDecoder &decoder, const Json &state, const Place &place, StringRef memberName);
  /// Errors: none of this name, said at \p user; \p what: "immutable sampler".
  Expected<const Item *> find(const ScDecoder &decoder, StringRef name, const Place &user,
                              const char *what) const;

private:
  std::vector<Item> items;
  bool isComplete = true; ///< or else the name may be that of an element with an error
};

Error NamedObjects::read(ScDecoder &decoder, const Json &state, const Place &place,
                         StringRef memberName) {
  const Json *array = replay::member(state, memberName);
  if (!array || isNull(*array))
    return Error::success();
  const size_t before = decoder.faults.size();
  isComplete = false;
  const Place here(place, memberName);
  if (!array->is_array())
    return decoder.text.error(here, "no array");
  for (size_t i = 0; i < array->size(); ++i) {
    const Json &object = (*array)[i];
    if (object.is_object() && object.size() == 1)
      items.push_back({object.begin().key(), &object.begin().value(), i});
    else if (Error error = decoder.goOn(
                 decoder.text.error(Place(here, i), "no object of one member, the name")))
      return error;
  }
  llvm::sort(items, [](const Item &a, const Item &b) {
    return std::tie(a.name, a.index) < std::tie(b.name, b.index);
  });
  for (size_t i = 1; i < items.size(); ++i)
    if (items[i].name == items[i - 1].name)
      KILN_TRY(decoder.goOn(decoder.text.error(Place(here, items[i].index),
                                               "the name " + items[i].name + " is there already")));
  isComplete = decoder.faults.size() == before;
  return decoder.faults.since(before);
}

Expected<const NamedObjects::Item *> NamedObjects::find(const ScDecoder &decoder, StringRef name,
                                                        const Place &user, const char *what) const {
  auto at = llvm::lower_bound(
      items, name, [](const Item &item, StringRef wanted) { return item.name < wanted; });
  if (at != items.end() && at->name == name)
    return &*at;
  if (!isComplete)
    return llvm::make_error<Noted>();
  return decoder.text.error(user, Twine("no ") + what + " of the name " + name);
}

class LayoutReader {
public:
  LayoutReader(ScDecoder &decoder, const Json &state, const Place &place)
      : decoder(decoder), text(decoder.text), state(state), place(place) {}

  Expected<LayoutWithFormats> read() {
    const size_t before = decoder.faults.size();
    for (auto [member, into] :
         {std::pair("YcbcrSamplers", &conversions), std::pair("ImmutableSamplers", &samplers),
          std::pair("DescriptorSetLayouts", &setLayouts)})
      KILN_TRY(decoder.goOn(into->read(decoder, state, place, member)));
    KILN_TRY(readLayout());
    KILN_TRY(decoder.faults.since(before));
    return std::move(result);
  }

private:
  Error readLayout() {
    const Json *json = replay::member(state, "PipelineLayout");
    if (!json)
      return text.error(place, "no PipelineLayout");
    const Place here(place, "PipelineLayout");
    auto info = decoder.read<VkPipelineLayoutCreateInfo>("VkPipelineLayoutCreateInfo", *json, here);
    if (!info) {
      // The sets do not depend on what is wrong with it.
      result.layout = std::make_unique<replay::PipelineLayoutDesc>();
      KILN_TRY(decoder.goOn(info.takeError()));
      return json->is_object() ? readSets(std::nullopt, *json, here) : Error::success();
    }
    result.layout = std::make_unique<replay::PipelineLayoutDesc>();
    replay::PipelineLayoutDesc &layout = *result.layout;
    layout.flags = (*info)->flags;
    layout.pushConstants.assign((*info)->pPushConstantRanges,
                                (*info)->pPushConstantRanges + (*info)->pushConstantRangeCount);
    KILN_TRY(checkPushConstants(layout.pushConstants, Place(here, "pPushConstantRanges")));
    return readSets((*info)->setLayoutCount, *json, here);
  }

  Error checkPushConstants(llvm::ArrayRef<VkPushConstantRange> ranges, const Place &list) {
    VkShaderStageFlags seen = 0;
    for (size_t i = 0; i < ranges.size(); ++i) {
      const VkPushConstantRange &range = ranges[i];
      const char *fault = nullptr;
      if (!range.size || range.offset % 4 || range.size % 4 || range.offset >= maxPushBytes ||
          range.size > maxPushBytes - range.offset)
        fault = "beyond 256 bytes, empty, or not in dwords";
      else if (!range.stageFlags)
        fault = "no stages";
      else if (seen & range.stageFlags)
        fault = "a stage that another range has";
      seen |= range.stageFlags;
      if (fault)
        KILN_TRY(decoder.goOn(text.error(Place(list, i), fault)));
    }
    return Error::success();
  }

  Error readSets(std::optional<uint32_t> wanted, const Json &json, const Place &here) {
    const Json *names = replay::member(json, "pSetLayouts");
    const Place list(here, "pSetLayouts");
    const bool isEmpty = !names || isNull(*names);
    if (!isEmpty && !names->is_array())
      return text.error(list, "neither an array nor \"NULL\"");
    const size_t count = isEmpty ? 0 : names->size();
    if (wanted && count != *wanted)
      KILN_TRY(decoder.goOn(text.error(isEmpty && !names ? here : list,
                                       "setLayoutCount is " + Twine(*wanted) + ", there are " +
                                           Twine(count) + " layouts")));
    if (count > maxSets)
      return text.error(list, "more than " + Twine(maxSets) + " sets");
    result.layout->sets.resize(count);
    for (size_t i = 0; i < count; ++i)
      if (!isNull((*names)[i]))
        KILN_TRY(
            decoder.goOn(readSet(handleName((*names)[i]), Place(list, i), result.layout->sets[i])));
    return Error::success();
  }

  Error readSet(const std::string &name, const Place &user, replay::SetLayoutDesc &set) {
    auto found = KILN_TRY(setLayouts.find(decoder, name, user, "descriptor set layout"));
    const NamedObjects::Item &item = *found;
    const Place array(place, "DescriptorSetLayouts"), element(array, item.index);
    const Place here(element, item.name);
    auto info = KILN_TRY(decoder.read<VkDescriptorSetLayoutCreateInfo>(
        "VkDescriptorSetLayoutCreateInfo", *item.value, here));
    set.flags = info->flags;
    set.next = info->pNext;
    set.bindings.assign(info->pBindings, info->pBindings + info->bindingCount);
    set.samplers.resize(set.bindings.size());
    const Place list(here, "pBindings");
    std::set<uint32_t> numbers;
    for (size_t i = 0; i < set.bindings.size(); ++i) {
      const Place at(list, i);
      const VkDescriptorSetLayoutBinding &binding = set.bindings[i];
      KILN_TRY(decoder.goOn(checkBinding(binding, numbers, at)));
      KILN_TRY(
          decoder.goOn(readSamplers((*item.value)["pBindings"][i], at, binding, set.samplers[i])));
    }
    return Error::success();
  }

  Error checkBinding(const VkDescriptorSetLayoutBinding &binding, std::set<uint32_t> &numbers,
                     const Place &at) const {
    if (binding.descriptorCount > maxDescriptors || binding.binding > maxDescriptors)
      return text.error(at, "a number above " + Twine(maxDescriptors));
    if (!numbers.insert(binding.binding).second)
      return text.error(Place(at, "binding"), "this binding is there already");
    if (binding.descriptorType == VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR)
      return text.error(Place(at, "descriptorType"), noRayTracing);
    return Error::success();
  }

  Error readSamplers(const Json &binding, const Place &at, const VkDescriptorSetLayoutBinding &info,
                     std::vector<replay::SamplerDesc> &into) {
    const Json *names = replay::member(binding, "pImmutableSamplers");
    if (!names || isNull(*names) || (names->is_array() && names->empty()))
      return Error::success();
    const bool takesSamplers = info.descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER ||
                               info.descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    if (!takesSamplers) // Vulkan ignores them
      return Error::success();
    const Place list(at, "pImmutableSamplers");
    if (!names->is_array() || names->size() != info.descriptorCount)
      return text.error(list, "no array of " + Twine(info.descriptorCount) + " samplers");
    for (size_t i = 0; i < names->size(); ++i)
      KILN_TRY(
          decoder.goOn(readSampler(handleName((*names)[i]), Place(list, i), into.emplace_back())));
    return Error::success();
  }

  Error readSampler(const std::string &name, const Place &user, replay::SamplerDesc &sampler) {
    auto found = KILN_TRY(samplers.find(decoder, name, user, "immutable sampler"));
    const NamedObjects::Item &item = *found;
    const Place array(place, "ImmutableSamplers"), element(array, item.index);
    const Place here(element, item.name);
    auto info =
        KILN_TRY(decoder.read<VkSamplerCreateInfo>("VkSamplerCreateInfo", *item.value, here));
    sampler.info = *info;
    KILN_TRY(checkSampler(sampler.info, here));
    const Json *chain = replay::member(*item.value, "pNext");
    for (auto *next = static_cast<const VkBaseInStructure *>(sampler.info.pNext); next;
         next = next->pNext)
      if (next->sType == VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO) {
        sampler.conversionPlace = reinterpret_cast<VkSamplerYcbcrConversionInfo *>(
            const_cast<VkBaseInStructure *>(next)); // ours, in the arena
        return readConversion(chain, Place(here, "pNext"), sampler);
      }
    return Error::success();
  }

  /// What Vulkan demands, and code or descriptors depend on.
  Error checkSampler(const VkSamplerCreateInfo &info, const Place &here) const {
    bool hasColor = false, hasConversion = false;
    for (auto *next = static_cast<const VkBaseInStructure *>(info.pNext); next;
         next = next->pNext) {
      hasColor |= next->sType == VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT;
      hasConversion |= next->sType == VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO;
    }
    const bool isCustom = info.borderColor == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT ||
                          info.borderColor == VK_BORDER_COLOR_INT_CUSTOM_EXT;
    if (isCustom && !hasColor)
      return text.error(Place(here, "borderColor"),
                        "a custom color, but no VkSamplerCustomBorderColorCreateInfoEXT");
    const bool isAtEdge =
        llvm::all_of(std::array{info.addressModeU, info.addressModeV, info.addressModeW},
                     [](auto mode) { return mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE; });
    return hasConversion && !isAtEdge
               ? text.error(here, "samplers with a YCbCr conversion clamp to the edge")
               : Error::success();
  }

  Error readConversion(const Json *chain, const Place &user, replay::SamplerDesc &sampler) {
    const Json *name = nullptr;
    for (; chain && !name; chain = replay::member(*chain, "pNext"))
      name = replay::member(*chain, "conversion");
    if (!name)
      return text.error(user, "no conversion");
    auto found = KILN_TRY(conversions.find(decoder, handleName(*name), user, "YCbCr conversion"));
    const NamedObjects::Item &item = *found;
    const Place array(place, "YcbcrSamplers"), element(array, item.index);
    const Place here(element, item.name);
    auto info = KILN_TRY(decoder.read<VkSamplerYcbcrConversionCreateInfo>(
        "VkSamplerYcbcrConversionCreateInfo", *item.value, here));
    if (info->format == VK_FORMAT_UNDEFINED)
      return text.error(here, "a conversion of an undefined format");
    sampler.conversion = info;
    if (known.insert(item.index).second)
      result.conversions.push_back({info->format, item.index, item.name});
    return Error::success();
  }

  ScDecoder &decoder;
  const replay::JsonText &text;
  const Json &state;
  const Place &place;
  NamedObjects conversions, samplers, setLayouts;
  std::set<size_t> known; ///< conversions that are in the result
  LayoutWithFormats result;
};

} // namespace

Expected<LayoutWithFormats> readPipelineLayout(ScDecoder &decoder, const Json &state,
                                               const Place &place) {
  return LayoutReader(decoder, state, place).read();
}

} // namespace pcc
