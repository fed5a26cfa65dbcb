//===- Decoder.h - JSON -> Vulkan structures ------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Reads any structure of the tables out of JSON whose members are named as in Vulkan, without a
/// leading `p`; counts follow from the arrays. Enumerations are names, bit masks arrays of names.
///
///     {"flags": [], "topology": "VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST",
///      "primitiveRestartEnable": false}              -> VkPipelineInputAssemblyStateCreateInfo
///
/// A value that no name stands for is a number; whoever asks for the structure decides whether
/// Vulkan ignores it there.
///
/// Everything lives in the arena. Unknown members, missing ones and values of other types are
/// errors: a pipeline that is not the captured one would prove nothing.
#pragma once

#include "DecoderBase.h"

namespace replay {

/// How values are written that are no plain numbers.
enum class Spelling : uint8_t {
  Names,   ///< enumerations and bits by name, true and false, bytes as hexadecimal digits
  Numbers, ///< all of them as numbers, bytes as base64
};

class Decoder final : public DecoderBase {
public:
  Decoder(const JsonText &text, llvm::BumpPtrAllocator &arena, Spelling spelling = Spelling::Names)
      : DecoderBase(text, arena), spelling(spelling) {}

  /// Elements, default-constructed.
  template <typename T> llvm::MutableArrayRef<T> array(size_t count) {
    T *elements = arena.Allocate<T>(count);
    for (size_t i = 0; i < count; ++i)
      new (&elements[i]) T();
    return {elements, count};
  }
  /// The string or array at a member; null when it is absent. Errors: another type.
  llvm::Expected<const std::string *> string(const Json &json, const Place &place,
                                             llvm::StringRef name) const;
  llvm::Expected<const Json *> list(const Json &json, const Place &place,
                                    llvm::StringRef name) const;
  /// As the member of any structure: a bit mask of an enumeration of values.
  llvm::Expected<uint64_t> flags(const char *enumName, const Json &json, const Place &place) const;
  llvm::Expected<uint32_t> number(const Json &json, const Place &place) const;

  /// An enumeration's value that was a number.
  struct Unnamed {
    const Member *member;
    std::string error; ///< what is to be said if it is not ignored
  };
  std::vector<Unnamed> unnamed;

private:
  llvm::StringRef nameOf(const Member &row) const override { return row.name; }
  bool isExtra(const Structure &type, llvm::StringRef name) const override;
  llvm::Error decodeBody(const Structure &type, const Json &json, const Place &place,
                         uint8_t *out) override;
  llvm::Error decodeChain(const Structure &type, const Json &json, const Place &place,
                          uint8_t *out) override;
  llvm::Error decodeElement(const Member &row, const Json &json, const Place &place,
                            uint8_t *out) override;
  llvm::Error decodeScalar(const Member &row, const Json &json, const Place &place,
                           uint8_t *out) override;
  llvm::Error decodeEnum(const Member &row, const Json &json, const Place &place, uint8_t *out);
  llvm::Expected<std::vector<uint8_t>> bytesOf(const Json &json, const Place &place) const override;
  llvm::Expected<uint64_t> flagsOf(const Enumeration &names, const Json &json,
                                   const Place &place) const;
  const Structure *structureOf(const Json &typeName) const;
  llvm::Error checkCounts(const Structure &type, const Json &json, const Place &place,
                          uint8_t *out) const;

  const Spelling spelling;
};

} // namespace replay
