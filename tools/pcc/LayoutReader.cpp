//===- LayoutReader.cpp - layouts and samplers of Vulkan SC pipelines -----===//
// SPDX-License-Identifier: MIT
#include "LayoutReader.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

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

class LayoutReader {
public:
  LayoutReader(ScDecoder &decoder, const Json &state, const Place &place)
      : decoder(decoder), text(decoder.text), state(state), place(place) {}

  Expected<std::unique_ptr<replay::PipelineLayoutDesc>> read() {
    for (auto [member, into] :
         {std::pair("YcbcrSamplers", &conversions), std::pair("ImmutableSamplers", &samplers),
          std::pair("DescriptorSetLayouts", &setLayouts)}) {
      Expected<NamedObjects> objects = NamedObjects::read(text, state, place, member);
      if (!objects)
        return objects.takeError();
      *into = std::move(*objects);
    }
    const Json *json = replay::member(state, "PipelineLayout");
    if (!json)
      return text.error(place, "no PipelineLayout");
    const Place here(place, "PipelineLayout");
    auto info = decoder.read<VkPipelineLayoutCreateInfo>("VkPipelineLayoutCreateInfo", *json, here);
    if (!info)
      return info.takeError();
    auto layout = std::make_unique<replay::PipelineLayoutDesc>();
    layout->flags = (*info)->flags;
    layout->pushConstants.assign((*info)->pPushConstantRanges,
                                 (*info)->pPushConstantRanges + (*info)->pushConstantRangeCount);
    for (const VkPushConstantRange &range : layout->pushConstants)
      if (range.offset % 4 || range.size % 4 || range.offset > maxPushBytes ||
          range.size > maxPushBytes - range.offset)
        return text.error(Place(here, "pPushConstantRanges"), "beyond 256 bytes, or not in dwords");
    if (Error error = readSets(**info, *json, here, *layout))
      return error;
    return layout;
  }

private:
  Error readSets(const VkPipelineLayoutCreateInfo &info, const Json &json, const Place &here,
                 replay::PipelineLayoutDesc &layout) {
    const Json *names = replay::member(json, "pSetLayouts");
    const Place list(here, "pSetLayouts");
    const bool isEmpty = !names || isNull(*names);
    if (!isEmpty && !names->is_array())
      return text.error(list, "neither an array nor \"NULL\"");
    const size_t count = isEmpty ? 0 : names->size();
    if (count != info.setLayoutCount)
      return text.error(list, "setLayoutCount is " + Twine(info.setLayoutCount) + ", there are " +
                                  Twine(count) + " layouts");
    if (count > maxSets)
      return text.error(list, "more than " + Twine(maxSets) + " sets");
    layout.sets.resize(count);
    for (size_t i = 0; i < count; ++i) {
      if (isNull((*names)[i]))
        continue;
      const std::string name = handleName((*names)[i]);
      const NamedObjects::Item *item = setLayouts.find(name);
      if (!item)
        return text.error(Place(list, i), "no descriptor set layout of the name " + name);
      if (Error error = readSet(*item, layout.sets[i]))
        return error;
    }
    return Error::success();
  }

  Error readSet(const NamedObjects::Item &item, replay::SetLayoutDesc &set) {
    const Place array(place, "DescriptorSetLayouts"), element(array, item.index);
    const Place here(element, item.name);
    auto info = decoder.read<VkDescriptorSetLayoutCreateInfo>("VkDescriptorSetLayoutCreateInfo",
                                                              *item.value, here);
    if (!info)
      return info.takeError();
    set.flags = (*info)->flags;
    set.next = (*info)->pNext;
    set.bindings.assign((*info)->pBindings, (*info)->pBindings + (*info)->bindingCount);
    set.samplers.resize(set.bindings.size());
    const Place list(here, "pBindings");
    std::set<uint32_t> numbers;
    for (size_t i = 0; i < set.bindings.size(); ++i) {
      const Place at(list, i);
      const VkDescriptorSetLayoutBinding &binding = set.bindings[i];
      if (binding.descriptorCount > maxDescriptors || binding.binding > maxDescriptors)
        return text.error(at, "a number above " + Twine(maxDescriptors));
      if (!numbers.insert(binding.binding).second)
        return text.error(Place(at, "binding"), "this binding is there already");
      if (Error error = readSamplers((*item.value)["pBindings"][i], at, binding, set.samplers[i]))
        return error;
    }
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
      if (Error error = readSampler(handleName((*names)[i]), Place(list, i), into.emplace_back()))
        return error;
    return Error::success();
  }

  Error readSampler(const std::string &name, const Place &user, replay::SamplerDesc &sampler) {
    const NamedObjects::Item *item = samplers.find(name);
    if (!item)
      return text.error(user, "no immutable sampler of the name " + name);
    const Place array(place, "ImmutableSamplers"), element(array, item->index);
    const Place here(element, item->name);
    auto info = decoder.read<VkSamplerCreateInfo>("VkSamplerCreateInfo", *item->value, here);
    if (!info)
      return info.takeError();
    sampler.info = **info;
    const Json *chain = replay::member(*item->value, "pNext");
    for (auto *next = static_cast<const VkBaseInStructure *>(sampler.info.pNext); next;
         next = next->pNext)
      if (next->sType == VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO) {
        sampler.conversionPlace = reinterpret_cast<VkSamplerYcbcrConversionInfo *>(
            const_cast<VkBaseInStructure *>(next)); // ours, in the arena
        return readConversion(chain, Place(here, "pNext"), sampler);
      }
    return Error::success();
  }

  Error readConversion(const Json *chain, const Place &user, replay::SamplerDesc &sampler) {
    const Json *name = nullptr;
    for (; chain && !name; chain = replay::member(*chain, "pNext"))
      name = replay::member(*chain, "conversion");
    const NamedObjects::Item *item = name ? conversions.find(handleName(*name)) : nullptr;
    if (!item)
      return text.error(user, name ? "no YCbCr conversion of the name " + handleName(*name)
                                   : std::string("no conversion"));
    const Place array(place, "YcbcrSamplers"), element(array, item->index);
    auto info = decoder.read<VkSamplerYcbcrConversionCreateInfo>(
        "VkSamplerYcbcrConversionCreateInfo", *item->value, Place(element, item->name));
    if (!info)
      return info.takeError();
    if ((*info)->format == VK_FORMAT_UNDEFINED)
      return text.error(Place(element, item->name), "a conversion of an undefined format");
    sampler.conversion = *info;
    return Error::success();
  }

  ScDecoder &decoder;
  const replay::JsonText &text;
  const Json &state;
  const Place &place;
  NamedObjects conversions, samplers, setLayouts;
};

} // namespace

Expected<NamedObjects> NamedObjects::read(const replay::JsonText &text, const Json &state,
                                          const Place &place, StringRef memberName) {
  NamedObjects objects;
  const Json *array = replay::member(state, memberName);
  if (!array || isNull(*array))
    return objects;
  const Place here(place, memberName);
  if (!array->is_array())
    return text.error(here, "no array");
  for (size_t i = 0; i < array->size(); ++i) {
    const Json &object = (*array)[i];
    if (!object.is_object() || object.size() != 1)
      return text.error(Place(here, i), "no object of one member, the name");
    objects.items.push_back({object.begin().key(), &object.begin().value(), i});
  }
  llvm::sort(objects.items, [](const Item &a, const Item &b) { return a.name < b.name; });
  for (size_t i = 1; i < objects.items.size(); ++i)
    if (objects.items[i].name == objects.items[i - 1].name)
      return text.error(Place(here, objects.items[i].index),
                        "the name " + objects.items[i].name + " is there already");
  return objects;
}

const NamedObjects::Item *NamedObjects::find(StringRef name) const {
  auto at = llvm::lower_bound(
      items, name, [](const Item &item, StringRef wanted) { return item.name < wanted; });
  return at != items.end() && at->name == name ? &*at : nullptr;
}

Expected<std::unique_ptr<replay::PipelineLayoutDesc>>
readPipelineLayout(ScDecoder &decoder, const Json &state, const Place &place) {
  return LayoutReader(decoder, state, place).read();
}

} // namespace pcc
