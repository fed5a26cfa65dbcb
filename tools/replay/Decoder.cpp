//===- Decoder.cpp - JSON -> Vulkan structures ----------------------------===//
// SPDX-License-Identifier: MIT
#include "Decoder.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include <cmath>
#include <cstring>
#include <limits>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace replay {
namespace {

/// Members that the JSON has beside those of the structure; whoever asks for the structure reads
/// them.
struct Extra {
  const char *structure;
  std::initializer_list<StringRef> names;
};
const std::initializer_list<StringRef> ofPipelines = {
    "hash", "kind", "flagsValue", "layout", "renderPass", "rendering", "libraries", "libraryParts"};
const Extra extras[] = {
    {"VkGraphicsPipelineCreateInfo", ofPipelines},
    {"VkComputePipelineCreateInfo", {"hash", "kind", "flagsValue", "layout", "stages"}},
    {"VkRayTracingPipelineCreateInfoKHR", {"hash", "kind", "flagsValue", "layout", "libraries"}},
    {"VkPipelineShaderStageCreateInfo", {"module", "requiredSubgroupSize"}},
    {"VkDescriptorSetLayoutBinding", {"bindingFlags", "immutableSamplers"}},
    {"VkDescriptorSetLayoutCreateInfo", {"hash"}},
    {"VkPipelineLayoutCreateInfo", {"hash", "setLayouts"}},
    {"VkRenderPassCreateInfo", {"hash", "subpassIndex", "isOld"}},
    {"VkRenderPassCreateInfo2", {"hash", "subpassIndex", "subpass", "isOld"}},
    {"VkAttachmentReference2", {"format", "samples"}},
    {"VkSamplerCreateInfo", {"hash"}},
    {"VkSamplerYcbcrConversionInfo", {"conversion"}},
};

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

bool Decoder::isExtra(const Structure &type, StringRef name) const {
  const Extra *row =
      llvm::find_if(extras, [&](const Extra &e) { return StringRef(e.structure) == type.name; });
  return row != std::end(extras) && llvm::is_contained(row->names, name);
}

Error Decoder::decodeBody(const Structure &type, const Json &json, const Place &place,
                          uint8_t *out) {
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
    KILN_TRY(decodeMember(row, *value, Place(place, row.name), out));
  }
  return checkCounts(type, json, place, out);
}

/// Counts that are written out must be right; those of dynamic state stand alone.
Error Decoder::checkCounts(const Structure &type, const Json &json, const Place &place,
                           uint8_t *out) const {
  for (const Member &row : type.members()) {
    const Json *value = row.shape == Shape::Count ? member(json, row.name) : nullptr;
    if (!value)
      continue;
    uint32_t count = KILN_TRY(number(*value, Place(place, row.name)));
    uint64_t known = 0;
    std::memcpy(&known, out + row.offset, elementBytes(row));
    if (known == 0 && row.optional)
      store(out + row.offset, count);
    else if (known != count)
      return text.error(Place(place, row.name), "there are " + Twine(known) + " elements");
  }
  return Error::success();
}

Expected<std::vector<uint8_t>> Decoder::bytesOf(const Json &json, const Place &place) const {
  const auto *digits = json.get_ptr<const std::string *>();
  if (digits && spelling == Spelling::Numbers) {
    std::vector<char> decoded;
    if (Error error = llvm::decodeBase64(*digits, decoded)) {
      llvm::consumeError(std::move(error));
      return text.error(place, "no base64");
    }
    return std::vector<uint8_t>(decoded.begin(), decoded.end());
  }
  std::string bytes;
  if (!digits || !llvm::tryGetFromHex(*digits, bytes))
    return text.error(place, "no string of hexadecimal digits");
  return std::vector<uint8_t>(bytes.begin(), bytes.end());
}

Expected<uint32_t> Decoder::number(const Json &json, const Place &place) const {
  uint64_t value = 0;
  if (!toUnsigned(json, std::numeric_limits<uint32_t>::max(), value))
    return text.error(place, "no number of 32 bits");
  return static_cast<uint32_t>(value);
}

Expected<uint64_t> Decoder::flagsOf(const Enumeration &names, const Json &json,
                                    const Place &place) const {
  uint64_t number = 0;
  if (spelling == Spelling::Numbers)
    return toUnsigned(json, UINT64_MAX, number)
               ? Expected<uint64_t>(number)
               : Expected<uint64_t>(text.error(place, "no mask of bits"));
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
  return flagsOf(*names, json, place);
}

Error Decoder::decodeElement(const Member &row, const Json &json, const Place &place,
                             uint8_t *out) {
  const bool isReference =
      row.kind == Kind::Struct && StringRef(structure(row.refers).name) == "VkAttachmentReference2";
  if (!isReference || !json.is_null())
    return DecoderBase::decodeElement(row, json, place, out);
  auto &reference = *reinterpret_cast<VkAttachmentReference2 *>(out);
  reference.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2;
  reference.attachment = VK_ATTACHMENT_UNUSED;
  return Error::success();
}

Error Decoder::decodeEnum(const Member &row, const Json &json, const Place &place, uint8_t *out) {
  const auto *name = json.get_ptr<const std::string *>();
  if (const EnumValue *value = name ? enumeration(row.refers).find(*name) : nullptr) {
    store(out, static_cast<int32_t>(value->value));
    return Error::success();
  }
  Error error = text.error(place, Twine("no value of ") + enumeration(row.refers).name);
  int64_t number = 0;
  if (!toSigned(json, number))
    return error;
  if (spelling == Spelling::Numbers && enumeration(row.refers).has(number)) {
    llvm::consumeError(std::move(error));
    store(out, static_cast<int32_t>(number));
    return Error::success();
  }
  unnamed.push_back({&row, lgc::consumeToText(std::move(error)).message});
  store(out, static_cast<int32_t>(number));
  return Error::success();
}

Error Decoder::decodeScalar(const Member &row, const Json &json, const Place &place, uint8_t *out) {
  switch (row.kind) {
  case Kind::Unsigned8:
  case Kind::Unsigned16:
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
  case Kind::Bool: {
    uint64_t truth = 0;
    if (spelling == Spelling::Numbers && toUnsigned(json, 1, truth)) {
      store<VkBool32>(out, static_cast<VkBool32>(truth));
      return Error::success();
    }
    if (!json.is_boolean())
      return text.error(place, "neither true nor false");
    store<VkBool32>(out, *json.get_ptr<const bool *>());
    return Error::success();
  }
  case Kind::Enum:
    return decodeEnum(row, json, place, out);
  case Kind::Flags:
  case Kind::Flags64: {
    Expected<uint64_t> bits = flagsOf(enumeration(row.refers), json, place);
    if (!bits)
      return bits.takeError();
    if (elementBytes(row) == 4 && *bits > UINT32_MAX)
      return text.error(place, "no mask of 32 bits");
    std::memcpy(out, &*bits, elementBytes(row));
    return Error::success();
  }
  case Kind::String:
  case Kind::Struct:
    break; // the base's
  }
  return Error::success();
}

const Structure *Decoder::structureOf(const Json &typeName) const {
  uint64_t number = 0;
  if (spelling == Spelling::Numbers)
    return toUnsigned(typeName, INT32_MAX, number)
               ? findStructureOfType(static_cast<VkStructureType>(number))
               : nullptr;
  return findStructureOfType(*typeName.get_ptr<const std::string *>());
}

Error Decoder::decodeChain(const Structure &type, const Json &json, const Place &place,
                           uint8_t *out) {
  if (!json.is_array() || !type.hasType())
    return text.error(place, "no chain of structures");
  auto *last = reinterpret_cast<VkBaseOutStructure *>(out);
  for (size_t i = 0; i < json.size(); ++i) {
    Place element(place, i);
    const Json *typeName = member(json[i], "sType");
    if (!typeName || (spelling == Spelling::Names && !typeName->is_string()))
      return text.error(element, "no structure with an sType");
    const Structure *next = structureOf(*typeName);
    if (!next || !next->extends(type))
      return text.error(Place(element, "sType"), Twine("not known to extend ") + type.name);
    auto *bytes = reinterpret_cast<VkBaseOutStructure *>(allocate(next->size));
    last->pNext = bytes;
    last = bytes;
    KILN_TRY(decode(*next, json[i], element, reinterpret_cast<uint8_t *>(bytes)));
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
