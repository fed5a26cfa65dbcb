//===- DecoderBase.cpp - what readers of structures share -----------------===//
// SPDX-License-Identifier: MIT
#include "DecoderBase.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <cstring>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace replay {

template <typename T> static void store(uint8_t *out, T value) {
  std::memcpy(out, &value, sizeof value);
}

uint8_t *DecoderBase::allocate(size_t size) {
  auto *bytes = static_cast<uint8_t *>(arena.Allocate(std::max<size_t>(size, 1), 16));
  std::memset(bytes, 0, size);
  return bytes;
}

Expected<uint8_t *> DecoderBase::readBytes(const char *typeName, size_t size, const Json &json,
                                           const Place &place) {
  const Structure *type = findStructure(typeName);
  if (!type || type->size != size)
    return text.error(place, Twine("no table of ") + typeName);
  uint8_t *out = allocate(size);
  KILN_TRY(decode(*type, json, place, out));
  return out;
}

Error DecoderBase::decode(const Structure &type, const Json &json, const Place &place,
                          uint8_t *out) {
  if (!json.is_object())
    return text.error(place, Twine(type.name) + " is no object");
  if (place.depth() > maxDepth)
    return text.error(place, "structures in one another, too deep");
  KILN_TRY(goOn(checkNames(type, json, place)));
  if (type.isUnion)
    return decodeUnion(type, json, place, out);
  KILN_TRY(goOn(decodeBody(type, json, place, out)));
  const Json *chain = member(json, "pNext");
  if (!chain || isNull(*chain))
    return Error::success();
  return decodeChain(type, *chain, Place(place, "pNext"), out);
}

Error DecoderBase::checkNames(const Structure &type, const Json &json, const Place &place) {
  for (auto item = json.begin(); item != json.end(); ++item) {
    const StringRef name = item.key();
    const bool isKnown =
        name == "sType" || name == "pNext" || isExtra(type, name) ||
        llvm::any_of(type.members(), [&](const Member &row) { return name == nameOf(row); });
    if (isKnown)
      continue;
    if (Error error =
            goOn(text.error(Place(place, name), Twine(type.name) + " has no member of this name")))
      return error;
  }
  return Error::success();
}

/// Do two members mean the same? A NaN has many bits and no text that says which: those that are
/// given as integers count. \p hasNans: only floats have been read yet.
static bool isSameUnion(uint8_t *out, const uint8_t *other, size_t size, bool hasNans) {
  for (size_t at = 0; hasNans && at + sizeof(float) <= size; at += sizeof(float)) {
    float one = 0, two = 0;
    std::memcpy(&one, out + at, sizeof one);
    std::memcpy(&two, other + at, sizeof two);
    if (std::isnan(one) && std::isnan(two))
      std::memcpy(out + at, other + at, sizeof two);
  }
  return !std::memcmp(out, other, size);
}

Error DecoderBase::decodeUnion(const Structure &type, const Json &json, const Place &place,
                               uint8_t *out) {
  uint8_t *other = allocate(type.size);
  bool isFirst = true, hasNans = false;
  for (const Member &row : type.members()) {
    const Json *value = member(json, nameOf(row));
    if (!value)
      continue;
    KILN_TRY(decodeMember(row, *value, Place(place, nameOf(row)), isFirst ? out : other));
    if (!isFirst && !isSameUnion(out, other, type.size, hasNans))
      return text.error(Place(place, nameOf(row)), Twine("members of the union ") + type.name +
                                                       " that contradict one another");
    hasNans = isFirst && row.kind == Kind::Float;
    isFirst = false;
  }
  return isFirst ? text.error(place, Twine("no member of the union ") + type.name)
                 : Error::success();
}

Error DecoderBase::decodeMember(const Member &row, const Json &json, const Place &place,
                                uint8_t *out) {
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
    return decodeElements(row, json, place, out + row.offset);
  case Shape::Array:
    return decodeArray(row, json, place, out);
  case Shape::Bytes:
    return decodeBytes(row, json, place, out);
  case Shape::Count:
    break;
  }
  return Error::success();
}

Error DecoderBase::decodeElements(const Member &row, const Json &json, const Place &place,
                                  uint8_t *out) {
  for (size_t i = 0; i < json.size(); ++i)
    if (Error error =
            goOn(decodeElement(row, json[i], Place(place, i), out + i * elementBytes(row))))
      return error;
  return Error::success();
}

Error DecoderBase::setCount(const Member &row, size_t count, const Place &place,
                            uint8_t *out) const {
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
  store<uint32_t>(at, static_cast<uint32_t>(count));
  return Error::success();
}

/// An array of nothing is a null pointer.
Error DecoderBase::decodeArray(const Member &row, const Json &json, const Place &place,
                               uint8_t *out) {
  if (!json.is_array())
    return text.error(place, "no array");
  if (json.empty())
    return Error::success();
  KILN_TRY(setCount(row, json.size(), place, out));
  // Where the count is implied (a sample mask has a word for each 32 samples), one word more is
  // there than anybody reads.
  uint8_t *elements =
      allocate((json.size() + (row.countPlace == noCount ? 2 : 0)) * elementBytes(row));
  store(out + row.offset, elements);
  return decodeElements(row, json, place, elements);
}

Error DecoderBase::decodeBytes(const Member &row, const Json &json, const Place &place,
                               uint8_t *out) {
  std::vector<uint8_t> bytes = KILN_TRY(bytesOf(json, place));
  KILN_TRY(setCount(row, bytes.size(), place, out));
  uint8_t *data = allocate(bytes.size());
  llvm::copy(bytes, data);
  store(out + row.offset, data);
  return Error::success();
}

Error DecoderBase::decodeString(const Json &json, const Place &place, uint8_t *out) {
  const auto *value = json.get_ptr<const std::string *>();
  if (!value || StringRef(*value).contains('\0'))
    return text.error(place, "no string");
  uint8_t *copy = allocate(value->size() + 1);
  llvm::copy(*value, copy);
  store(out, copy);
  return Error::success();
}

Error DecoderBase::decodeElement(const Member &row, const Json &json, const Place &place,
                                 uint8_t *out) {
  if (row.kind == Kind::String)
    return decodeString(json, place, out);
  if (row.kind == Kind::Struct)
    return decode(structure(row.refers), json, place, out);
  return decodeScalar(row, json, place, out);
}

} // namespace replay
