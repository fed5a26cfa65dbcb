//===- Decoder.cpp - JSON -> Vulkan structures ----------------------------===//
// SPDX-License-Identifier: MIT
#include "Decoder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <cstring>
#include <limits>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace replay {
namespace {

constexpr unsigned maxDepth = 64;

/// Members that the JSON has beside those of the structure; whoever asks for the structure reads
/// them.
struct Extra {
  const char *structure;
  std::initializer_list<StringRef> names;
};
constexpr std::initializer_list<StringRef> ofPipelines = {
    "hash", "kind", "flagsValue", "layout", "renderPass", "rendering", "libraries", "libraryParts"};
const Extra extras[] = {
    {"VkGraphicsPipelineCreateInfo", ofPipelines},
    {"VkComputePipelineCreateInfo", {"hash", "kind", "flagsValue", "layout", "stages"}},
    {"VkPipelineShaderStageCreateInfo", {"module", "requiredSubgroupSize"}},
    {"VkDescriptorSetLayoutBinding", {"bindingFlags", "immutableSamplers"}},
    {"VkDescriptorSetLayoutCreateInfo", {"hash"}},
    {"VkPipelineLayoutCreateInfo", {"hash", "setLayouts"}},
    {"VkRenderPassCreateInfo2", {"hash", "subpassIndex", "subpass"}},
    {"VkAttachmentReference2", {"format", "samples"}},
    {"VkSamplerCreateInfo", {"hash"}},
    {"VkSamplerYcbcrConversionInfo", {"conversion"}},
};

bool isExtra(const Structure &type, StringRef name) {
  const Extra *row =
      llvm::find_if(extras, [&](const Extra &e) { return StringRef(e.structure) == type.name; });
  return row != std::end(extras) && llvm::is_contained(row->names, name);
}

template <typename T> void store(uint8_t *out, T value) { std::memcpy(out, &value, sizeof value); }

bool toUnsigned(const Json &json, uint64_t max, uint64_t &value) {
  if (!json.is_number_unsigned())
    return false;
  value = *json.get_ptr<const Json::number_unsigned_t *>();
  return value <= max;
}

bool toSigned(const Json &json, int64_t &value) {
  if (!json.is_number_integer())
    return false;
  if (json.is_number_unsigned()) {
    uint64_t bits = *json.get_ptr<const Json::number_unsigned_t *>();
    value = static_cast<int64_t>(bits);
    return bits <= std::numeric_limits<int32_t>::max();
  }
  value = *json.get_ptr<const Json::number_integer_t *>();
  return value >= std::numeric_limits<int32_t>::min();
}

bool toFloat(const Json &json, float &value) {
  if (!json.is_number())
    return false;
  double number = json.is_number_float() ? *json.get_ptr<const Json::number_float_t *>()
                  : json.is_number_unsigned()
                      ? static_cast<double>(*json.get_ptr<const Json::number_unsigned_t *>())
                      : static_cast<double>(*json.get_ptr<const Json::number_integer_t *>());
  if (std::fabs(number) > std::numeric_limits<float>::max())
    return false;
  value = static_cast<float>(number);
  return true;
}

} // namespace

uint8_t *Decoder::allocate(size_t size) {
  auto *bytes = static_cast<uint8_t *>(arena.Allocate(std::max<size_t>(size, 1), 16));
  std::memset(bytes, 0, size);
  return bytes;
}

Expected<uint8_t *> Decoder::read(const char *typeName, size_t size, const Json &json,
                                  const Place &place) {
  const Structure *type = findStructure(typeName);
  if (!type || type->size != size)
    return text.error(place, Twine("no table of ") + typeName);
  uint8_t *out = allocate(size);
  if (Error error = decode(*type, json, place, out))
    return error;
  return out;
}

Error Decoder::decode(const Structure &type, const Json &json, const Place &place, uint8_t *out) {
  if (!json.is_object())
    return text.error(place, Twine(type.name) + " is no object");
  if (place.depth() > maxDepth)
    return text.error(place, "structures in one another, too deep");
  if (Error error = checkNames(type, json, place))
    return error;
  if (type.hasType())
    store(out, type.type);
  for (const Member &row : type.members()) {
    if (row.shape == Shape::Count)
      continue;
    const Json *value = member(json, row.name);
    if (!value || (value->is_null() && row.optional)) {
      if (!row.optional)
        return text.error(place, Twine(type.name) + " has no " + row.name);
      continue;
    }
    if (Error error = decodeMember(row, *value, Place(place, row.name), out))
      return error;
  }
  if (Error error = checkCounts(type, json, place, out))
    return error;
  if (const Json *chain = member(json, "pNext"))
    return decodeChain(type, *chain, Place(place, "pNext"), out);
  return Error::success();
}

Error Decoder::checkNames(const Structure &type, const Json &json, const Place &place) const {
  for (auto item = json.begin(); item != json.end(); ++item) {
    StringRef name = item.key();
    bool known = name == "sType" || name == "pNext" || isExtra(type, name) ||
                 llvm::any_of(type.members(), [&](const Member &row) { return name == row.name; });
    if (!known)
      return text.error(Place(place, name), Twine(type.name) + " has no member of this name");
  }
  return Error::success();
}

/// Counts that are written out must be right; those of dynamic state stand alone.
Error Decoder::checkCounts(const Structure &type, const Json &json, const Place &place,
                           uint8_t *out) const {
  for (const Member &row : type.members()) {
    const Json *value = row.shape == Shape::Count ? member(json, row.name) : nullptr;
    if (!value)
      continue;
    Expected<uint32_t> count = number(*value, Place(place, row.name));
    if (!count)
      return count.takeError();
    uint64_t known = 0;
    std::memcpy(&known, out + row.offset, elementBytes(row));
    if (known == 0 && row.optional)
      store(out + row.offset, *count);
    else if (known != *count)
      return text.error(Place(place, row.name), "there are " + Twine(known) + " elements");
  }
  return Error::success();
}

Error Decoder::setCount(const Member &row, size_t count, const Place &place, uint8_t *out) {
  if (row.countPlace == noCount)
    return Error::success();
  uint8_t *at = out + (row.countPlace & ~wideCount);
  if (row.countPlace & wideCount) {
    store<uint64_t>(at, count);
    return Error::success();
  }
  uint32_t known = 0;
  std::memcpy(&known, at, sizeof known);
  if (known && known != count) // of several arrays with one count
    return text.error(place, "another array of this structure has " + Twine(known) + " elements");
  store<uint32_t>(at, count);
  return Error::success();
}

Error Decoder::decodeMember(const Member &row, const Json &json, const Place &place, uint8_t *out) {
  switch (row.shape) {
  case Shape::Value:
    return decodeElement(row, json, place, out + row.offset);
  case Shape::Pointer: {
    uint8_t *element = allocate(elementBytes(row));
    store(out + row.offset, element);
    return decodeElement(row, json, place, element);
  }
  case Shape::Fixed:
    if (!json.is_array() || json.size() != row.fixedCount)
      return text.error(place, "no array of " + Twine(row.fixedCount));
    for (size_t i = 0; i < json.size(); ++i)
      if (Error error = decodeElement(row, json[i], Place(place, i),
                                      out + row.offset + i * elementBytes(row)))
        return error;
    return Error::success();
  case Shape::Array:
    return decodeArray(row, json, place, out);
  case Shape::Bytes:
    return decodeBytes(row, json, place, out);
  case Shape::Count:
    break;
  }
  return Error::success();
}

Error Decoder::decodeArray(const Member &row, const Json &json, const Place &place, uint8_t *out) {
  if (!json.is_array())
    return text.error(place, "no array");
  if (Error error = setCount(row, json.size(), place, out))
    return error;
  // Where the count is implied (a sample mask has a word for each 32 samples), one word more is
  // there than anybody reads.
  size_t size = elementBytes(row);
  uint8_t *elements = allocate((json.size() + (row.countPlace == noCount ? 2 : 0)) * size);
  store(out + row.offset, elements);
  for (size_t i = 0; i < json.size(); ++i)
    if (Error error = decodeElement(row, json[i], Place(place, i), elements + i * size))
      return error;
  return Error::success();
}

Error Decoder::decodeBytes(const Member &row, const Json &json, const Place &place, uint8_t *out) {
  const auto *digits = json.get_ptr<const std::string *>();
  std::string bytes;
  if (!digits || !llvm::tryGetFromHex(*digits, bytes))
    return text.error(place, "no string of hexadecimal digits");
  if (Error error = setCount(row, bytes.size(), place, out))
    return error;
  uint8_t *data = allocate(bytes.size());
  std::memcpy(data, bytes.data(), bytes.size());
  store(out + row.offset, data);
  return Error::success();
}

Expected<uint32_t> Decoder::number(const Json &json, const Place &place) const {
  uint64_t value = 0;
  if (!toUnsigned(json, std::numeric_limits<uint32_t>::max(), value))
    return text.error(place, "no number of 32 bits");
  return static_cast<uint32_t>(value);
}

static Expected<uint64_t> flagsOf(const JsonText &text, const Enumeration &names, const Json &json,
                                  const Place &place) {
  if (!json.is_array())
    return text.error(place, "no array of bits' names");
  uint64_t bits = 0;
  for (size_t i = 0; i < json.size(); ++i) {
    const auto *name = json[i].get_ptr<const std::string *>();
    const EnumValue *value = name ? names.find(*name) : nullptr;
    if (!value)
      return text.error(Place(place, i),
                        Twine("no value of ") + (*names.name ? names.name : "a mask without bits"));
    bits |= static_cast<uint64_t>(value->value);
  }
  return bits;
}

Expected<uint64_t> Decoder::flags(const char *enumName, const Json &json,
                                  const Place &place) const {
  const Enumeration *names = findEnumeration(enumName);
  if (!names)
    return text.error(place, Twine("no table of ") + enumName);
  return flagsOf(text, *names, json, place);
}

Error Decoder::decodeElement(const Member &row, const Json &json, const Place &place,
                             uint8_t *out) {
  switch (row.kind) {
  case Kind::Unsigned8:
  case Kind::Unsigned32:
  case Kind::Unsigned64: {
    uint64_t value = 0;
    size_t size = elementBytes(row);
    if (!toUnsigned(json, ~uint64_t(0) >> (64 - size * 8), value))
      return text.error(place, "no number of " + Twine(size * 8) + " bits");
    std::memcpy(out, &value, size);
    return Error::success();
  }
  case Kind::Signed32: {
    int64_t value = 0;
    if (!toSigned(json, value))
      return text.error(place, "no signed number of 32 bits");
    store(out, static_cast<int32_t>(value));
    return Error::success();
  }
  case Kind::Float: {
    float value = 0;
    if (!toFloat(json, value))
      return text.error(place, "no number of single precision");
    store(out, value);
    return Error::success();
  }
  case Kind::Bool:
    if (!json.is_boolean())
      return text.error(place, "neither true nor false");
    store<VkBool32>(out, *json.get_ptr<const bool *>());
    return Error::success();
  case Kind::Enum: {
    const auto *name = json.get_ptr<const std::string *>();
    const EnumValue *value = name ? enumeration(row.refers).find(*name) : nullptr;
    if (!value)
      return text.error(place, Twine("no value of ") + enumeration(row.refers).name);
    store(out, static_cast<int32_t>(value->value));
    return Error::success();
  }
  case Kind::Flags:
  case Kind::Flags64: {
    Expected<uint64_t> bits = flagsOf(text, enumeration(row.refers), json, place);
    if (!bits)
      return bits.takeError();
    std::memcpy(out, &*bits, elementBytes(row));
    return Error::success();
  }
  case Kind::String: {
    const auto *value = json.get_ptr<const std::string *>();
    if (!value || StringRef(*value).contains('\0'))
      return text.error(place, "no string");
    uint8_t *copy = allocate(value->size() + 1);
    std::memcpy(copy, value->data(), value->size());
    store(out, copy);
    return Error::success();
  }
  case Kind::Struct:
    if (json.is_null() && StringRef(structure(row.refers).name) == "VkAttachmentReference2") {
      auto &reference = *reinterpret_cast<VkAttachmentReference2 *>(out);
      reference.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2;
      reference.attachment = VK_ATTACHMENT_UNUSED;
      return Error::success();
    }
    return decode(structure(row.refers), json, place, out);
  }
  return Error::success();
}

Error Decoder::decodeChain(const Structure &type, const Json &json, const Place &place,
                           uint8_t *out) {
  if (!json.is_array() || !type.hasType())
    return text.error(place, "no chain of structures");
  auto *last = reinterpret_cast<VkBaseOutStructure *>(out);
  for (size_t i = 0; i < json.size(); ++i) {
    Place element(place, i);
    const Json *typeName = member(json[i], "sType");
    const auto *name = typeName ? typeName->get_ptr<const std::string *>() : nullptr;
    if (!name)
      return text.error(element, "no structure with an sType");
    const Structure *next = findStructureOfType(*name);
    if (!next || !next->extends(type))
      return text.error(Place(element, "sType"), Twine("not known to extend ") + type.name);
    auto *bytes = reinterpret_cast<VkBaseOutStructure *>(allocate(next->size));
    last->pNext = bytes;
    last = bytes;
    if (Error error = decode(*next, json[i], element, reinterpret_cast<uint8_t *>(bytes)))
      return error;
  }
  return Error::success();
}

Expected<const std::string *> Decoder::string(const Json &json, const Place &place,
                                              StringRef name) const {
  const Json *value = member(json, name);
  if (!value || value->is_null())
    return nullptr;
  if (const auto *result = value->get_ptr<const std::string *>())
    return result;
  return text.error(Place(place, name), "no string");
}

Expected<const Json *> Decoder::list(const Json &json, const Place &place, StringRef name) const {
  const Json *value = member(json, name);
  if (!value || value->is_null())
    return nullptr;
  if (value->is_array())
    return value;
  return text.error(Place(place, name), "no array");
}

} // namespace replay
