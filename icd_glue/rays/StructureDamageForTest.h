//===- StructureDamageForTest.h - structures with one thing wrong ---------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/rays/StructureForTest.h"
#include <functional>

namespace icd {

/// Bytes of a structure that can be written.
struct StructureBytes {
  std::vector<uint8_t> bytes;

  uint32_t word(uint64_t offset) const {
    uint32_t value;
    std::memcpy(&value, bytes.data() + offset, sizeof(value));
    return value;
  }
  template <typename T> void set(uint64_t offset, T value) {
    std::memcpy(bytes.data() + offset, &value, sizeof(value));
  }
  /// Where the parent of a node is said.
  uint64_t link(uint32_t id) const {
    using namespace lgc::accel;
    return uint64_t(word(headerLinksStart)) * nodeGranule + (id >> 3) * 4;
  }
};

template <typename Bytes> struct DamageCase {
  const char *says;
  std::function<void(Bytes &)> damage;
};

/// The check of structures accepts \p whole, and says what is wrong after each damage.
template <typename Bytes>
void expectReports(const Bytes &whole, llvm::ArrayRef<DamageCase<Bytes>> cases) {
  ASSERT_TRUE(vktest::checkStructure(whole.bytes).empty());
  for (const DamageCase<Bytes> &test : cases) {
    Bytes damaged = whole;
    test.damage(damaged);
    std::string all;
    for (const std::string &problem : vktest::checkStructure(damaged.bytes))
      all += problem + '\n';
    EXPECT_NE(all.find(test.says), std::string::npos) << test.says << ": " << all;
  }
}

} // namespace icd
