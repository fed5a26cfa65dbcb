//===- GivenFields.h - state that the command line gives ------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/StateFields.h"

namespace amdllpc {

template <typename S> void takeGiven(S &to, const S &from);

template <typename S> class GivenFields {
public:
  GivenFields(S &to, const S &from) : to(to), from(from) {}

  void field(const lgc::Field &, auto member) { take(to.*member, from.*member, fresh.*member); }
  void nested(const char *, auto member) { takeGiven(to.*member, from.*member); }
  template <typename Base> void base(Base *) { takeGiven<Base>(to, from); }
  void separate(auto) {}

private:
  template <typename T> static void take(T &to, const T &from, const T &fresh) {
    if (from != fresh)
      to = from;
  }
  static void take(uint64_t (&to)[2], const uint64_t (&from)[2], const uint64_t (&)[2]) {
    if (from[0] || from[1])
      std::copy(std::begin(from), std::end(from), to);
  }

  S &to;
  const S &from;
  const S fresh{};
};

/// Takes over the fields of \p from that are not as in a fresh object: the command line wins over a
/// .pipe file.
template <typename S> void takeGiven(S &to, const S &from) {
  GivenFields<S> fields(to, from);
  visitFields(fields, static_cast<S *>(nullptr));
}

} // namespace amdllpc
