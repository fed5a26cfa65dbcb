//===- ScDecoder.cpp - JSON of Vulkan SC pipelines -> structures ----------===//
// SPDX-License-Identifier: MIT
#include "ScDecoder.h"
#include "Scalars.h"
#include "pal_shim/abi/Try.h"
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

/// Structures in chains that say nothing to a compiler, or that only Vulkan SC has.
constexpr StringRef skippedTypes[] = {
    "VK_STRUCTURE_TYPE_PIPELINE_OFFLINE_CREATE_INFO",
    "VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO",
    "VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO_EXT",
    "VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT",
};

template <typename T> void store(uint8_t *out, T value) { std::memcpy(out, &value, sizeof value); }

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

Error ScDecoder::goOn(Error error) {
  faults.note(std::move(error));
  return faults.isFull() ? llvm::make_error<Noted>() : Error::success();
}

/// The part of a member's name in front of a dot, or all of it.
StringRef ScDecoder::nameOf(const Member &row) const {
  return StringRef(row.cName).split('.').first;
}

bool ScDecoder::isExtra(const Structure &type, StringRef name) const {
  const Extra *row =
      llvm::find_if(extras, [&](const Extra &e) { return e.structure == type.name; });
  return row != std::end(extras) && llvm::is_contained(row->names, name);
}

Expected<uint8_t *> ScDecoder::readBytes(const char *typeName, size_t size, const Json &json,
                                         const Place &place) {
  const size_t before = faults.size();
  Expected<uint8_t *> bytes = DecoderBase::readBytes(typeName, size, json, place);
  if (!bytes)
    return bytes;
  KILN_TRY(faults.since(before));
  return bytes;
}

Error ScDecoder::decodeBody(const Structure &type, const Json &json, const Place &place,
                            uint8_t *out) {
  if (type.hasType()) {
    KILN_TRY(goOn(checkType(type, json, place)));
    store(out, type.type);
  }
  llvm::SmallVector<uint32_t, 4> openCounts;
  KILN_TRY(decodeMembers(type, json, place, out, openCounts));
  for (const Member &row : type.members())
    if (row.shape == Shape::Count && !llvm::is_contained(openCounts, row.offset))
      KILN_TRY(goOn(decodeCount(row, json, Place(place, row.cName), out)));
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

/// \p openCounts gets the places of counts whose elements are not what they should be.
Error ScDecoder::decodeMembers(const Structure &type, const Json &json, const Place &place,
                               uint8_t *out, llvm::SmallVectorImpl<uint32_t> &openCounts) {
  for (const Member &row : type.members()) {
    if (row.shape == Shape::Count)
      continue;
    const Json *value = find(json, row);
    const bool isPointer = row.shape == Shape::Pointer || row.shape == Shape::Array ||
                           row.shape == Shape::Bytes || row.kind == Kind::String;
    const auto [outer, inner] = StringRef(row.cName).split('.');
    const Place outerPlace(place, outer);
    const Place here = inner.empty() ? outerPlace : Place(outerPlace, inner);
    Error error = Error::success();
    if (value && !(isPointer && pcc::isNull(*value)))
      error = decodeMember(row, *value, here, out);
    else if (!value && !row.optional && !isPointer && row.kind != Kind::Flags &&
             row.kind != Kind::Flags64)
      error = text.error(place, Twine(type.name) + " has no " + row.cName);
    if (error && row.countPlace != replay::noCount)
      openCounts.push_back(row.countPlace & ~replay::wideCount);
    KILN_TRY(goOn(std::move(error)));
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

Expected<std::vector<uint8_t>> ScDecoder::bytesOf(const Json &json, const Place &place) const {
  std::optional<std::vector<uint8_t>> bytes = toBytes(json);
  if (!bytes)
    return text.error(place, "neither base64 nor an array of bytes");
  return std::move(*bytes);
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

Error ScDecoder::decodeScalar(const Member &row, const Json &json, const Place &place,
                              uint8_t *out) {
  const size_t size = replay::elementBytes(row);
  auto put = [&](auto value) {
    store(out, value);
    return Error::success();
  };
  switch (row.kind) {
  case Kind::Unsigned8:
  case Kind::Unsigned16:
  case Kind::Unsigned32:
  case Kind::Unsigned64: {
    const std::optional<uint64_t> value = toUnsigned(json);
    if (!value || (size < 8 && *value >> (size * 8) && (size < 4 || *value != VK_WHOLE_SIZE)))
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
    const auto *name = json.get_ptr<const std::string *>();
    if (!value || *value != static_cast<int32_t>(*value))
      return text.error(place, Twine(name ? *name + " is " : "") + "no value of " + names.name);
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
  case Kind::String:
  case Kind::Struct:
    break; // the base's
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
  if (!llvm::is_contained(skippedTypes, StringRef(*name)))
    KILN_TRY(goOn(decodeLink(type, *name, json, place, out)));
  const Json *rest = replay::member(json, "pNext");
  return rest && !pcc::isNull(*rest) ? decodeChain(type, *rest, Place(place, "pNext"), out)
                                     : Error::success();
}

/// One structure of a chain.
Error ScDecoder::decodeLink(const Structure &type, StringRef typeName, const Json &json,
                            const Place &place, uint8_t *out) {
  const Structure *next = replay::findStructureOfType(typeName);
  if (!next || !next->extends(type))
    return text.error(Place(place, "sType"), typeName + " is not known to extend " + type.name);
  KILN_TRY(goOn(checkNames(*next, json, place)));
  uint8_t *bytes = allocate(next->size);
  KILN_TRY(decodeBody(*next, json, place, bytes));
  auto *last = reinterpret_cast<VkBaseOutStructure *>(out);
  while (last->pNext)
    last = last->pNext;
  last->pNext = reinterpret_cast<VkBaseOutStructure *>(bytes);
  return Error::success();
}

} // namespace pcc
