//===- LinkLayout.h - where an application's layout has things ------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Link.h"

namespace lgc {

/// Everything is sorted, so that a link looks up by halving.
struct LinkLayout::Impl {
  struct Key {
    uint32_t set = 0, binding = 0;
    auto operator<=>(const Key &) const = default;
  };
  /// A binding of a descriptor table.
  struct Binding {
    Key key;
    uint32_t offsetInDwords = 0;
    bool isUnique = true; ///< false: several nodes of this number, in different places
  };
  struct Table {
    uint32_t set = 0;
    uint32_t dword = 0; ///< of its pointer, in the root
    bool isUnique = true;
  };
  /// A descriptor or an inline block in the root.
  struct RootBinding {
    Key key;
    ResourceNodeType type = ResourceNodeType::Unknown;
    uint32_t dword = 0;
    uint32_t dwords = 0;
    uint32_t stride = 0;
    bool isUnique = true;
  };

  std::vector<Binding> bindings;
  std::vector<Table> tables;
  std::vector<RootBinding> roots;
  bool hasPushConst = false;
  uint32_t pushConstDword = 0, pushConstDwords = 0;

  const Binding *findBinding(uint32_t set, uint32_t binding) const;
  const Table *findTable(uint32_t set) const;
  const RootBinding *findRoot(uint32_t set, uint32_t binding) const;
};

struct LinkLayoutAccess {
  using Impl = LinkLayout::Impl;
  static const LinkLayout::Impl &of(const LinkLayout &layout) { return *layout.impl; }
};

} // namespace lgc
