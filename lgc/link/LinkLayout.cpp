//===- LinkLayout.cpp - where an application's layout has things ----------===//
// SPDX-License-Identifier: MIT
#include "lgc/link/LinkLayout.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace lgc {

namespace {

using Impl = LinkLayoutAccess::Impl;

/// The first element that is not before \p key, if it has just this key.
template <typename Element, typename Key, typename KeyOf>
const Element *findSorted(const std::vector<Element> &list, const Key &key, KeyOf keyOf) {
  auto found = lower_bound(
      list, key, [&](const Element &element, const Key &other) { return keyOf(element) < other; });
  return found != list.end() && keyOf(*found) == key ? &*found : nullptr;
}

/// Sorts, and leaves one element of each key; it notes whether others were elsewhere.
template <typename Element, typename KeyOf, typename Place>
void sortUnique(std::vector<Element> &list, KeyOf keyOf, Place place) {
  sort(list, [&](const Element &a, const Element &b) {
    return std::pair(keyOf(a), place(a)) < std::pair(keyOf(b), place(b));
  });
  size_t kept = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    if (i && keyOf(list[kept - 1]) == keyOf(list[i])) {
      list[kept - 1].isUnique &= place(list[kept - 1]) == place(list[i]);
      continue;
    }
    list[kept++] = list[i];
  }
  list.resize(kept);
}

uint32_t tableOf(const Impl::Table &table) { return table.set; }
template <typename Element> Impl::Key keyOf(const Element &element) { return element.key; }

void addTable(Impl &impl, const ResourceNode &root) {
  for (const ResourceNode &node : root.table) {
    Impl::Table table;
    table.set = node.set;
    table.dword = root.offsetInDwords;
    if (impl.tables.empty() || impl.tables.back().set != node.set ||
        impl.tables.back().dword != table.dword)
      impl.tables.push_back(table);
    Impl::Binding binding;
    binding.key = {node.set, node.binding};
    binding.offsetInDwords = node.offsetInDwords;
    // What is behind a further pointer has no place in this table.
    binding.isUnique = node.table.empty();
    impl.bindings.push_back(binding);
  }
}

void addRoot(Impl &impl, const ResourceNode &node) {
  Impl::RootBinding root;
  root.key = {node.set, node.binding};
  root.type = node.type;
  root.dword = node.offsetInDwords;
  root.dwords = node.sizeInDwords;
  root.stride = node.strideInDwords ? node.strideInDwords : defaultStrideInDwords(node.type);
  impl.roots.push_back(root);
}

} // namespace

const LinkLayout::Impl::Binding *LinkLayout::Impl::findBinding(uint32_t set,
                                                               uint32_t binding) const {
  return findSorted(bindings, Key{set, binding}, keyOf<Binding>);
}

const LinkLayout::Impl::Table *LinkLayout::Impl::findTable(uint32_t set) const {
  return findSorted(tables, set, tableOf);
}

const LinkLayout::Impl::RootBinding *LinkLayout::Impl::findRoot(uint32_t set,
                                                                uint32_t binding) const {
  return findSorted(roots, Key{set, binding}, keyOf<RootBinding>);
}

LinkLayout::LinkLayout(const ResourceMapping &mapping) : impl(std::make_unique<Impl>()) {
  for (const ResourceNode &node : mapping.roots) {
    switch (node.type) {
    case ResourceNodeType::DescriptorTableVaPtr:
      addTable(*impl, node);
      break;
    case ResourceNodeType::PushConst:
      // As the compiler does: the first one counts.
      if (!impl->hasPushConst) {
        impl->hasPushConst = true;
        impl->pushConstDword = node.offsetInDwords;
        impl->pushConstDwords = node.sizeInDwords;
      }
      break;
    case ResourceNodeType::IndirectUserDataVaPtr:
    case ResourceNodeType::StreamOutTableVaPtr:
      break; // special values of the driver
    default:
      addRoot(*impl, node);
    }
  }
  sortUnique(impl->bindings, keyOf<Impl::Binding>,
             [](const Impl::Binding &binding) { return binding.offsetInDwords; });
  sortUnique(impl->tables, tableOf, [](const Impl::Table &table) { return table.dword; });
  sortUnique(impl->roots, keyOf<Impl::RootBinding>,
             [](const Impl::RootBinding &root) { return root.dword; });
}

LinkLayout::~LinkLayout() = default;
LinkLayout::LinkLayout(LinkLayout &&) = default;
LinkLayout &LinkLayout::operator=(LinkLayout &&) = default;

} // namespace lgc
