//===- FieldEncoder.h - structures of the state in keys -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Encodes every field that code depends on, in the order of the lists of StateFields.h.
///   Hasher h("key", 1); encodeFields(h, options);
#pragma once

#include "llpc/Hasher.h"
#include "llpc/StateFields.h"
#include "llvm/Support/Compiler.h"

namespace llpc {

template <typename S>
void encodeFields(Hasher &h, const S &state, lgc::FieldHalf half = lgc::FieldHalf::Both);

/// Fields of \p half only.
template <typename S> class FieldEncoder {
public:
  FieldEncoder(Hasher &h, const S &state, lgc::FieldHalf half) : h(h), state(state), half(half) {}

  // Inline, so that of a Field nothing is left at run time: keys are made on every creation.
  LLVM_ATTRIBUTE_ALWAYS_INLINE void field(const lgc::Field &f, auto member) {
    const bool isOfHalf = static_cast<uint8_t>(f.half) & static_cast<uint8_t>(half);
    if (f.isInput && isOfHalf)
      value(state.*member);
  }
  LLVM_ATTRIBUTE_ALWAYS_INLINE void vkFormat(const lgc::Field &f, auto member) { field(f, member); }
  void nested(const char *, auto member) { encodeFields(h, state.*member, half); }
  template <typename Base> void base(Base *) { encodeFields<Base>(h, state, half); }
  void separate(auto) {}

private:
  void value(bool v) { h.boolean(v); }
  void value(uint32_t v) { h.u32(v); }
  void value(uint64_t v) { h.u64(v); }
  template <typename Enum>
    requires std::is_enum_v<Enum>
  void value(Enum v) {
    h.enumeration(v);
  }
  void value(const uint64_t (&hash)[2]) {
    for (uint64_t number : hash)
      h.u64(number);
  }
  void value(const lgc::TexelFormat &format) {
    static_assert(lgc::fieldCount<lgc::TexelFormat>() == 4);
    h.enumeration(format.layout);
    h.enumeration(format.kind);
    h.boolean(format.swapRedBlue);
    h.boolean(format.alphaFirst);
  }

  Hasher &h;
  const S &state;
  const lgc::FieldHalf half;
};

template <typename S> void encodeFields(Hasher &h, const S &state, lgc::FieldHalf half) {
  FieldEncoder<S> encoder(h, state, half);
  visitFields(encoder, static_cast<S *>(nullptr));
}

/// The number of elements, and each.
template <typename List> void encodeList(Hasher &h, const List &list) {
  h.u32(static_cast<uint32_t>(list.size()));
  for (const auto &element : list)
    encodeFields(h, element);
}

} // namespace llpc
