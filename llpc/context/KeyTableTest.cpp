//===- KeyTableTest.cpp - every field of the inputs against every key -----===//
// SPDX-License-Identifier: MIT
/// \file
/// Keys must change as the table says with each change of KeyFields.def.
#include "llpc/context/KeyTestPipelines.h"
#include <tuple>

using namespace llpc;
using namespace llpc::keytest;

namespace {

/// What a change did to a key in all pipelines together.
class Effect {
public:
  void add(const Key &before, const Key &after) {
    ASSERT_TRUE(before.has_value());
    changed |= after && *after != *before;
    stayed |= after && *after == *before;
    failed |= !after;
  }
  bool is(Cell cell) const {
    switch (cell) {
    case Cell::Y:
      return changed && !stayed && !failed;
    case Cell::N:
      return !changed && stayed && !failed;
    case Cell::C:
      return changed && stayed && !failed;
    case Cell::E:
      return failed && !changed;
    case Cell::X:
      return !changed && !stayed && !failed;
    }
    return false;
  }
  std::string text() const {
    return std::string(changed ? "changed " : "") + (stayed ? "stayed " : "") +
           (failed ? "failed" : "");
  }

private:
  bool changed = false, stayed = false, failed = false;
};

using Effects = std::array<Effect, Columns>;

void addEffects(Effects &effects, const Keys &before, const Keys &after,
                std::initializer_list<Column> columns) {
  for (Column column : columns)
    effects[column].add(before[column], after[column]);
}

TEST(KeyTable, KeysChangeAsTheTableSays) {
  for (const FieldRow &row : rows) {
    SCOPED_TRACE(row.field);
    Effects effects;
    forChanges(
        row,
        [&](const ComputePipelineBuildInfo &base, const ComputePipelineBuildInfo &info) {
          addEffects(effects, keysOf(base), keysOf(info), {Pipeline, Cache, Compute});
        },
        [&](const GraphicsPipelineBuildInfo &base, const GraphicsPipelineBuildInfo &info,
            BaseKind kind, ShaderStage stage) {
          const Keys before = keysOf(base, kind), after = keysOf(info, kind);
          addEffects(effects, before, after, {Pipeline, Cache, Fetch, ColorExport});
          const Column own = stage == ShaderStage::Vertex ? PreRasterization : Fragment;
          const Column other = stage == ShaderStage::Vertex ? Fragment : PreRasterization;
          if (!row.shader) {
            addEffects(effects, before, after, {PreRasterization, Fragment});
            return;
          }
          addEffects(effects, before, after, {own});
          EXPECT_EQ(before[other], after[other]) << columnNames[other];
        });
    for (unsigned column = 0; column < Columns; ++column)
      EXPECT_TRUE(effects[column].is(row.cells[column]))
          << columnNames[column] << ": " << static_cast<char>(row.cells[column]) << ", but "
          << effects[column].text();
  }
}

#if __has_builtin(__builtin_dump_struct)
/// Called by the built-in function for each field and base, behind an indentation of its depth.
template <typename... Rest> void countField(unsigned &count, const char *, Rest... rest) {
  if constexpr (sizeof...(Rest) > 1) {
    const auto first = std::get<0>(std::tuple(rest...));
    if constexpr (std::is_convertible_v<decltype(first), const char *>)
      count += llvm::StringRef(first) == "  ";
  }
}

/// The build info is no aggregate, and a field of it may lie in padding.
TEST(KeyTable, EveryFieldOfTheBuildInfoIsKnown) {
  const GraphicsPipelineBuildInfo info;
  unsigned count = 0;
  __builtin_dump_struct(&info, countField, count);
  EXPECT_EQ(count, 10u) // two bases, stageMask, seven shaders
      << "a field was added: is it in the keys, and in KeyFields.def?";
}
#endif

} // namespace
