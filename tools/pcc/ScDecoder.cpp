//===- ScDecoder.cpp - JSON of Vulkan SC pipelines -> structures ----------===//
// SPDX-License-Identifier: MIT
#include "ScDecoder.h"
#include "Scalars.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>
#include <limits>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
using replay::Enumeration;
using replay::Kind;
using replay::Member;
using replay::Shape;
using replay::Structure;

namespace pcc {
namespace {

constexpr unsigned maxDepth = 64;

/// Handles, and what is written for Vulkan SC only.
struct Extra {
  StringRef structure;
  std::initializer_list<StringRef> names;
};
const Extra extras[] = {
    {"VkGraphicsPipelineCreateInfo", {"layout", "renderPass", "basePipelineHandle"}},
    {"VkComputePipelineCreateInfo", {"layout", "basePipelineHandle"}},
    {"VkPipelineShaderStageCreateInfo", {"module"}},
    {"VkDescriptorSetLayoutBinding", {"pImmutableSamplers"}},
    {"VkPipelineLayoutCreateInfo", {"pSetLayouts"}},
    {"VkSamplerYcbcrConversionInfo", {"conversion"}},
};

bool isExtra(const Structure &type, StringRef name) {
  const Extra *row =
      llvm::find_if(extras, [&](const Extra &e) { return e.structure == type.name; });
  return row != std::end(extras) && llvm::is_contained(row->names, name);
}

/// Structures in chains that say nothing to a compiler, or that only Vulkan SC has.
constexpr StringRef skippedTypes[] = {
    "VK_STRUCTURE_TYPE_PIPELINE_OFFLINE_CREATE_INFO",
    "VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO",
    "VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO_EXT",
    "VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT",
};

template <typename T> void store(uint8_t *out, T value) { std::memcpy(out, &value, sizeof value); }

/// The part of a member's name in front of a dot, or all of it.
StringRef outerName(const Member &row) { return StringRef(row.cName).split('.').first; }

const Json *find(const Json &json, const Member &row) {
  auto [outer, inner] = StringRef(row.cName).split('.');
  const Json *value = replay::member(json, outer);
  return value && !inner.empty() ? replay::member(*value, inner) : value;
}

} // namespace

bool isNull(const Json &json) {
  if (json.is_null())
    return true;
  const auto *text = json.get_ptr<const std::string *>();
  return text && (*text == "NULL" || text->empty() || *text == "VK_NULL_HANDLE");
}

std::string handleName(const Json &json) {
  const auto *text = json.get_ptr<const std::string *>();
  return text ? *text : json.is_number() ? json.dump() : "(neither text nor number)";
}

uint8_t *ScDecoder::allocate(size_t size) {
  auto *bytes = static_cast<uint8_t *>(arena.Allocate(std::max<size_t>(size, 1), 16));
  std::memset(bytes, 0, size);
  return bytes;
}

Expected<uint8_t *> ScDecoder::read(const char *typeName, size_t size, const Json &json,
                                    const Place &place) {
  const Structure *type = replay::findStructure(typeName);
  if (!type || type->size != size)
    return text.error(place, Twine("no table of ") + typeName);
  uint8_t *out = allocate(size);
  if (Error error = decode(*type, json, place, out))
    return error;
  return out;
}

Error ScDecoder::decode(const Structure &type, const Json &json, const Place &place, uint8_t *out) {
  if (!json.is_object())
    return text.error(place, Twine(type.name) + " is no object");
  if (place.depth() > maxDepth)
    return text.error(place, "structures in one another, too deep");
  if (Error error = decodeBody(type, json, place, out))
    return error;
  const Json *chain = replay::member(json, "pNext");
  if (!chain || isNull(*chain))
    return Error::success();
  return decodeChain(type, *chain, Place(place, "pNext"), out);
}

/// Everything but pNext.
Error ScDecoder::decodeBody(const Structure &type, const Json &json, const Place &place,
                            uint8_t *out) {
  if (Error error = checkNames(type, json, place))
    return error;
  if (type.hasType()) {
    if (Error error = checkType(type, json, place))
      return error;
    store(out, type.type);
  }
  if (Error error = decodeMembers(type, json, place, out))
    return error;
  for (const Member &row : type.members())
    if (row.shape == Shape::Count)
      if (Error error = decodeCount(row, json, Place(place, row.cName), out))
        return error;
  return Error::success();
}

/// sType may be missing, where the member's type says which structure it is.
Error ScDecoder::checkType(const Structure &type, const Json &json, const Place &place) const {
  const Json *typeName = replay::member(json, "sType");
  if (!typeName)
    return Error::success();
  const auto *name = typeName->get_ptr<const std::string *>();
  const bool isRight = name ? replay::findStructureOfType(*name) == &type
                            : toSigned(*typeName) == static_cast<int64_t>(type.type);
  return isRight ? Error::success()
                 : text.error(Place(place, "sType"), Twine("not the type of ") + type.name);
}

Error ScDecoder::checkNames(const Structure &type, const Json &json, const Place &place) const {
  for (auto item = json.begin(); item != json.end(); ++item) {
    const StringRef name = item.key();
    const bool known =
        name == "sType" || name == "pNext" || isExtra(type, name) ||
        llvm::any_of(type.members(), [&](const Member &row) { return name == outerName(row); });
    if (!known)
      return text.error(Place(place, name), Twine(type.name) + " has no member of this name");
  }
  return Error::success();
}

Error ScDecoder::decodeMembers(const Structure &type, const Json &json, const Place &place,
                               uint8_t *out) {
  for (const Member &row : type.members()) {
    if (row.shape == Shape::Count)
      continue;
    const Json *value = find(json, row);
    const bool isPointer = row.shape == Shape::Pointer || row.shape == Shape::Array ||
                           row.shape == Shape::Bytes || row.kind == Kind::String;
    if (!value || (isPointer && isNull(*value))) {
      if (!row.optional && !isPointer && row.kind != Kind::Flags && row.kind != Kind::Flags64)
        return text.error(place, Twine(type.name) + " has no " + row.cName);
      continue;
    }
    if (Error error = decodeMember(row, *value, Place(place, row.cName), out))
      return error;
  }
  return Error::success();
}

/// The number that is written must be that of the elements. Without elements it stands alone where
/// they are dynamic state.
Error ScDecoder::decodeCount(const Member &row, const Json &json, const Place &place,
                             uint8_t *out) const {
  const Json *value = replay::member(json, row.cName);
  if (!value)
    return Error::success();
  const std::optional<uint64_t> count = toUnsigned(*value);
  if (!count || *count > std::numeric_limits<uint32_t>::max())
    return text.error(place, "no number of 32 bits");
  uint64_t known = 0;
  std::memcpy(&known, out + row.offset, replay::elementBytes(row));
  if (known == *count)
    return Error::success();
  if (known || !row.optional)
    return text.error(place, "there are " + Twine(known) + " elements");
  std::memcpy(out + row.offset, &*count, replay::elementBytes(row));
  return Error::success();
}

Error ScDecoder::decodeMember(const Member &row, const Json &json, const Place &place,
                              uint8_t *out) {
  const size_t size = replay::elementBytes(row);
  switch (row.shape) {
  case Shape::Value:
    return decodeElement(row, json, place, out + row.offset);
  case Shape::Pointer: {
    uint8_t *element = allocate(size);
    store(out + row.offset, element);
    return decodeElement(row, json, place, element);
  }
  case Shape::Fixed:
    if (!json.is_array() || json.size() != row.fixedCount)
      return text.error(place, "no array of " + Twine(row.fixedCount));
    for (size_t i = 0; i < json.size(); ++i)
      if (Error error = decodeElement(row, json[i], Place(place, i), out + row.offset + i * size))
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

static Error setCount(const replay::JsonText &text, const Member &row, size_t count,
                      const Place &place, uint8_t *out) {
  if (row.countPlace == replay::noCount)
    return Error::success();
  uint8_t *at = out + (row.countPlace & ~replay::wideCount);
  if (row.countPlace & replay::wideCount) {
    store<uint64_t>(at, count);
    return Error::success();
  }
  uint32_t known = 0;
  std::memcpy(&known, at, sizeof known);
  if (known && count && known != count) // of several arrays with one count
    return text.error(place, "another array of this structure has " + Twine(known) + " elements");
  if (count)
    store<uint32_t>(at, static_cast<uint32_t>(count));
  return Error::success();
}

Error ScDecoder::decodeArray(const Member &row, const Json &json, const Place &place,
                             uint8_t *out) {
  if (!json.is_array())
    return text.error(place, "neither an array nor \"NULL\"");
  if (json.empty())
    return Error::success();
  if (Error error = setCount(text, row, json.size(), place, out))
    return error;
  // Where the count is implied (a sample mask has a word for each 32 samples), one word more is
  // there than anybody reads.
  const size_t size = replay::elementBytes(row);
  uint8_t *elements = allocate((json.size() + (row.countPlace == replay::noCount ? 2 : 0)) * size);
  store(out + row.offset, elements);
  for (size_t i = 0; i < json.size(); ++i)
    if (Error error = decodeElement(row, json[i], Place(place, i), elements + i * size))
      return error;
  return Error::success();
}

Error ScDecoder::decodeBytes(const Member &row, const Json &json, const Place &place,
                             uint8_t *out) {
  const std::optional<std::vector<uint8_t>> bytes = toBytes(json);
  if (!bytes)
    return text.error(place, "neither base64 nor an array of bytes");
  if (Error error = setCount(text, row, bytes->size(), place, out))
    return error;
  uint8_t *data = allocate(bytes->size());
  if (!bytes->empty())
    std::memcpy(data, bytes->data(), bytes->size());
  store(out + row.offset, data);
  return Error::success();
}

Expected<uint64_t> ScDecoder::value(const char *enumName, const Json &json,
                                    const Place &place) const {
  const Enumeration *names = replay::findEnumeration(enumName);
  std::string unknown;
  std::optional<uint64_t> value;
  if (names)
    value = toFlags(json, *names, unknown);
  if (value)
    return *value;
  return text.error(place, (unknown.empty() ? "" : unknown + " is ") + "no value of " + enumName);
}

Expected<bool> ScDecoder::boolean(const Json &json, const Place &place) const {
  const std::optional<bool> value = toBool(json);
  if (!value)
    return text.error(place, "neither VK_TRUE nor VK_FALSE");
  return *value;
}

Error ScDecoder::decodeElement(const Member &row, const Json &json, const Place &place,
                               uint8_t *out) {
  const size_t size = replay::elementBytes(row);
  auto put = [&](auto value) {
    store(out, value);
    return Error::success();
  };
  switch (row.kind) {
  case Kind::Unsigned8:
  case Kind::Unsigned32:
  case Kind::Unsigned64: {
    const std::optional<uint64_t> value = toUnsigned(json);
    if (!value || (size < 8 && *value >> (size * 8) && *value != VK_WHOLE_SIZE))
      return text.error(place, "no number of " + Twine(size * 8) + " bits");
    std::memcpy(out, &*value, size);
    return Error::success();
  }
  case Kind::Signed32: {
    const std::optional<int64_t> value = toSigned(json);
    if (!value || *value != static_cast<int32_t>(*value))
      return text.error(place, "no signed number of 32 bits");
    return put(static_cast<int32_t>(*value));
  }
  case Kind::Float: {
    const std::optional<float> value = toFloat(json);
    return value ? put(*value) : text.error(place, "no number of single precision");
  }
  case Kind::Bool: {
    const std::optional<bool> value = toBool(json);
    return value ? put(VkBool32(*value)) : text.error(place, "neither VK_TRUE nor VK_FALSE");
  }
  case Kind::Enum: {
    const Enumeration &names = replay::enumeration(row.refers);
    const std::optional<int64_t> value = toEnum(json, names);
    if (!value || *value != static_cast<int32_t>(*value))
      return text.error(place, Twine("no value of ") + names.name);
    return put(static_cast<int32_t>(*value));
  }
  case Kind::Flags:
  case Kind::Flags64: {
    const Enumeration &names = replay::enumeration(row.refers);
    std::string unknown;
    const std::optional<uint64_t> bits = toFlags(json, names, unknown);
    if (!bits || (size < 8 && *bits >> 32))
      return text.error(place, (unknown.empty() ? "" : unknown + " is ") + "no value of " +
                                   (*names.name ? names.name : "a mask without bits"));
    std::memcpy(out, &*bits, size);
    return Error::success();
  }
  case Kind::String: {
    const auto *value = json.get_ptr<const std::string *>();
    if (!value || StringRef(*value).contains('\0'))
      return text.error(place, "no string");
    uint8_t *copy = allocate(value->size() + 1);
    std::memcpy(copy, value->data(), value->size());
    return put(copy);
  }
  case Kind::Struct:
    return decode(replay::structure(row.refers), json, place, out);
  }
  return Error::success();
}

/// An object whose pNext is the next one.
Error ScDecoder::decodeChain(const Structure &type, const Json &json, const Place &place,
                             uint8_t *out) {
  const Json *typeName = replay::member(json, "sType");
  const auto *name = typeName ? typeName->get_ptr<const std::string *>() : nullptr;
  if (!name || !type.hasType())
    return text.error(place, "no structure with an sType");
  if (place.depth() > maxDepth)
    return text.error(place, "a chain too long");
  const Json *rest = replay::member(json, "pNext");
  if (llvm::is_contained(skippedTypes, StringRef(*name)))
    return rest && !isNull(*rest) ? decodeChain(type, *rest, Place(place, "pNext"), out)
                                  : Error::success();
  const Structure *next = replay::findStructureOfType(*name);
  if (!next || !next->extends(type))
    return text.error(Place(place, "sType"), *name + " is not known to extend " + type.name);
  uint8_t *bytes = allocate(next->size);
  if (Error error = decodeBody(*next, json, place, bytes))
    return error;
  auto *last = reinterpret_cast<VkBaseOutStructure *>(out);
  while (last->pNext)
    last = last->pNext;
  last->pNext = reinterpret_cast<VkBaseOutStructure *>(bytes);
  return rest && !isNull(*rest) ? decodeChain(type, *rest, Place(place, "pNext"), out)
                                : Error::success();
}

} // namespace pcc
