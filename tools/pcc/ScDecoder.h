//===- ScDecoder.h - JSON of Vulkan SC pipelines -> structures ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Reads any structure of the tables (tools/replay/Structures.h) out of JSON as Vulkan SC has it:
/// members are named as in C, also counts; enumerations are names, bit masks "A | B"; a null
/// pointer is "NULL"; a pNext chain is an object in an object. What real writers do is accepted,
/// too:
///
///     VkBool32         "VK_TRUE", 1, true          bit mask    "A | B", 3, "0", "NULL", ""
///     number           7, "7", "0x7", "VK_REMAINING_MIP_LEVELS"
///     float            1.5, "NaN", "VK_LOD_CLAMP_NONE", infinity (LenientJson.h)
///     bytes            base64, [1, 2, 3], "NULL"
///
/// Everything lives in the arena. Members that may be absent in C (flags, pointers, counts of
/// nothing) may be absent here; anything else that is missing, unknown or of another type is an
/// error. All errors are noted, so that a structure is there only if there were none in it. Handles
/// have no place in the tables: whoever asks for a structure reads them from the JSON.
#pragma once

#include "Faults.h"
#include "tools/replay/DecoderBase.h"
#include <string>

namespace pcc {

using replay::Json;
using replay::Place;

/// Is it how a null pointer or handle is written?
bool isNull(const Json &json);
/// The text of a name of a handle: a string, or a number as text.
std::string handleName(const Json &json);

class ScDecoder final : public replay::DecoderBase {
public:
  ScDecoder(const replay::JsonText &text, llvm::BumpPtrAllocator &arena, Faults &faults)
      : DecoderBase(text, arena), faults(faults) {}

  /// Notes an error. Success unless there are so many that nobody wants to see more.
  llvm::Error goOn(llvm::Error error) override;
  /// A value of an enumeration, or a bit mask of one.
  llvm::Expected<uint64_t> value(const char *enumName, const Json &json, const Place &place) const;
  llvm::Expected<bool> boolean(const Json &json, const Place &place) const;

  Faults &faults;

private:
  bool isNull(const Json &json) const override { return pcc::isNull(json); }
  llvm::StringRef nameOf(const replay::Member &row) const override;
  bool isExtra(const replay::Structure &type, llvm::StringRef name) const override;
  llvm::Expected<uint8_t *> readBytes(const char *typeName, size_t size, const Json &json,
                                      const Place &place) override;
  llvm::Error decodeBody(const replay::Structure &type, const Json &json, const Place &place,
                         uint8_t *out) override;
  llvm::Error decodeChain(const replay::Structure &type, const Json &json, const Place &place,
                          uint8_t *out) override;
  llvm::Error decodeScalar(const replay::Member &row, const Json &json, const Place &place,
                           uint8_t *out) override;
  llvm::Expected<std::vector<uint8_t>> bytesOf(const Json &json, const Place &place) const override;
  llvm::Error checkType(const replay::Structure &type, const Json &json, const Place &place) const;
  llvm::Error decodeMembers(const replay::Structure &type, const Json &json, const Place &place,
                            uint8_t *out, llvm::SmallVectorImpl<uint32_t> &openCounts);
  llvm::Error decodeCount(const replay::Member &row, const Json &json, const Place &place,
                          uint8_t *out) const;
  llvm::Error decodeLink(const replay::Structure &type, llvm::StringRef typeName, const Json &json,
                         const Place &place, uint8_t *out);
};

} // namespace pcc
