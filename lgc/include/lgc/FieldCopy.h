//===- FieldCopy.h - some fields of a structure of the state --------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/StateFields.h"
#include <algorithm>
#include <iterator>

namespace lgc {

template <typename S, typename Wanted> void copyFields(S &to, const S &from, Wanted wanted);

template <typename S, typename Wanted> struct FieldCopier {
  S &to;
  const S &from;
  Wanted wanted;

  void field(const Field &f, auto member) {
    if (wanted(f))
      assign(to.*member, from.*member);
  }
  void vkFormat(const Field &f, auto member) { field(f, member); }
  void stages(const Field &f, auto member) { field(f, member); }
  void nested(const char *, auto member) { copyFields(to.*member, from.*member, wanted); }
  template <typename Base> void base(Base *) { copyFields<Base>(to, from, wanted); }
  void separate(auto) {}

private:
  template <typename T> static void assign(T &target, const T &source) { target = source; }
  template <typename T, size_t N> static void assign(T (&target)[N], const T (&source)[N]) {
    std::copy(std::begin(source), std::end(source), std::begin(target));
  }
};

/// Copies the fields of the structure's list (StateFields.h) for which \p wanted(Field) is true;
/// what is separate there stays as it is.
template <typename S, typename Wanted> void copyFields(S &to, const S &from, Wanted wanted) {
  FieldCopier<S, Wanted> copier{to, from, wanted};
  visitFields(copier, static_cast<S *>(nullptr));
}

} // namespace lgc
