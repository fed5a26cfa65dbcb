//===- AccelDirectives.cpp - acceleration structures of tests -------------===//
// SPDX-License-Identifier: MIT
#include "AccelDirectives.h"
#include "Formats.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace exec {

namespace {

Expected<BufferPlace> placeOf(const AccelScope &scope, StringRef text) {
  BufferPlace place;
  auto [name, at] = text.split('@');
  auto found = scope.buffers.find(name.str());
  if (found == scope.buffers.end() || (!at.empty() && at.getAsInteger(0, place.offset)))
    return failure("'" + text + "' is no BUFFER[@OFFSET]");
  place.buffer = found->second;
  if (place.offset > scope.job.buffers[place.buffer].size())
    return failure("'" + text + "' lies outside");
  return place;
}

Expected<uint32_t> structureOf(const AccelScope &scope, StringRef name) {
  auto found = scope.structures.find(name.str());
  if (found == scope.structures.end())
    return failure("no structure '" + name + "'");
  return found->second;
}

template <typename T> struct Word {
  llvm::StringLiteral name;
  T value;
};
template <typename T, size_t N>
Expected<T> wordOf(const Word<T> (&table)[N], StringRef name, const char *what) {
  const auto *found = llvm::find_if(table, [&](const Word<T> &row) { return row.name == name; });
  if (found == std::end(table))
    return failure("'" + name + "' is no " + what);
  return found->value;
}

constexpr Word<VkAccelerationStructureTypeKHR> types[] = {
    {"bottom", VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR},
    {"top", VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR}};

constexpr Word<StructureSpec::From> origins[] = {{"update", StructureSpec::From::Update},
                                                 {"clone", StructureSpec::From::Clone},
                                                 {"compact", StructureSpec::From::Compact},
                                                 {"serialize", StructureSpec::From::Serialize}};

constexpr Word<VkBuildAccelerationStructureFlagBitsKHR> buildFlags[] = {
    {"update", VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR},
    {"compact", VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_KHR},
    {"trace", VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_TRACE_BIT_KHR},
    {"build", VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_BUILD_BIT_KHR},
    {"small", VK_BUILD_ACCELERATION_STRUCTURE_LOW_MEMORY_BIT_KHR}};

constexpr Word<VkIndexType> indexTypes[] = {
    {"u8", VK_INDEX_TYPE_UINT8_KHR}, {"u16", VK_INDEX_TYPE_UINT16}, {"u32", VK_INDEX_TYPE_UINT32}};

/// accel NAME bottom|top [flags=...] [pointers=1], or accel NAME update|clone|... SOURCE
Error accel(AccelScope &scope, const Words &words) {
  StructureSpec spec;
  if (words.plain.size() == 3) {
    StructureSpec::From from = KILN_TRY(wordOf(origins, words.at(1), "way to make a structure"));
    uint32_t source = KILN_TRY(structureOf(scope, words.at(2)));
    spec.from = from;
    spec.source = source;
    spec.type = scope.job.structures[source].type;
    spec.flags = scope.job.structures[source].flags;
  } else {
    VkAccelerationStructureTypeKHR type =
        KILN_TRY(wordOf(types, words.at(1), "type of a structure"));
    spec.type = type;
  }
  llvm::SmallVector<StringRef, 4> flags;
  words.text("flags").split(flags, ',', -1, /*KeepEmpty=*/false);
  for (StringRef flag : flags) {
    VkBuildAccelerationStructureFlagBitsKHR bit = KILN_TRY(wordOf(buildFlags, flag, "flag"));
    spec.flags |= bit;
  }
  spec.pointers = words.number("pointers", 0) != 0;
  scope.structures[words.at(0).str()] = scope.job.structures.size();
  scope.job.structures.push_back(std::move(spec));
  return Error::success();
}

Error triangles(const AccelScope &scope, const Words &words, GeometrySpec &spec) {
  const FormatRow *format = findFormat(words.text("format", "r32g32b32_sfloat"));
  if (!format)
    return failure("geometry: unknown format");
  spec.format = format->format;
  spec.stride = words.number("stride", format->bytes);
  spec.firstVertex = words.number("first", 0);
  if (StringRef indices = words.text("index"); !indices.empty()) {
    VkIndexType type = KILN_TRY(wordOf(indexTypes, words.text("indextype", "u32"), "index type"));
    BufferPlace place = KILN_TRY(placeOf(scope, indices));
    spec.indexType = type;
    spec.indices = place;
  }
  if (StringRef transform = words.text("transform"); !transform.empty()) {
    BufferPlace place = KILN_TRY(placeOf(scope, transform));
    spec.transform = place;
  }
  return Error::success();
}

/// geometry triangles|aabbs BUFFER[@OFFSET] COUNT [...]
Error geometry(AccelScope &scope, const Words &words) {
  GeometrySpec spec;
  if (scope.job.structures.empty() || words.at(2).getAsInteger(0, spec.count))
    return failure("geometry: needs a structure, and TYPE BUFFER COUNT");
  BufferPlace data = KILN_TRY(placeOf(scope, words.at(1)));
  spec.data = data;
  spec.flags = (words.number("opaque", 0) ? VK_GEOMETRY_OPAQUE_BIT_KHR : 0) |
               (words.number("once", 0) ? VK_GEOMETRY_NO_DUPLICATE_ANY_HIT_INVOCATION_BIT_KHR : 0);
  if (words.at(0) == "aabbs") {
    spec.type = VK_GEOMETRY_TYPE_AABBS_KHR;
    spec.stride = words.number("stride", sizeof(VkAabbPositionsKHR));
  } else if (words.at(0) == "triangles") {
    KILN_TRY(triangles(scope, words, spec));
  } else {
    return failure("geometry: triangles or aabbs");
  }
  scope.job.structures.back().geometries.push_back(spec);
  return Error::success();
}

/// instance NAME|null [at=X,Y,Z] [transform=12 numbers] [index=] [mask=] [offset=] [flags=]
Error instance(AccelScope &scope, const Words &words) {
  if (scope.job.structures.empty() ||
      scope.job.structures.back().type != VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR)
    return failure("instance: needs a structure of the top level");
  InstanceSpec spec;
  if (words.at(0) != "null") {
    uint32_t structure = KILN_TRY(structureOf(scope, words.at(0)));
    spec.structure = structure;
  }
  auto &matrix = spec.words.transform.matrix;
  for (unsigned i = 0; i < 3; ++i)
    matrix[i][i] = 1;
  llvm::SmallVector<StringRef, 12> numbers;
  const StringRef move = words.text("at");
  (move.empty() ? words.text("transform") : move).split(numbers, ',', -1, /*KeepEmpty=*/false);
  if (!numbers.empty() && numbers.size() != (move.empty() ? 12 : 3))
    return failure("instance: at= takes three numbers, transform= takes twelve");
  for (size_t i = 0; i < numbers.size(); ++i) {
    double value = 0;
    if (numbers[i].getAsDouble(value))
      return failure("'" + numbers[i] + "' is no number");
    (move.empty() ? matrix[i / 4][i % 4] : matrix[i][3]) = static_cast<float>(value);
  }
  spec.words.instanceCustomIndex = words.number("index", 0);
  spec.words.mask = words.number("mask", 0xff);
  spec.words.instanceShaderBindingTableRecordOffset = words.number("offset", 0);
  spec.words.flags = words.number("flags", 0);
  scope.job.structures.back().instances.push_back(spec);
  return Error::success();
}

} // namespace

Expected<bool> applyAccelDirective(AccelScope &scope, StringRef keyword, const Words &words) {
  using Apply = Error (*)(AccelScope &, const Words &);
  static constexpr Word<Apply> table[] = {
      {"accel", accel}, {"geometry", geometry}, {"instance", instance}};
  for (const Word<Apply> &row : table)
    if (row.name == keyword) {
      KILN_TRY(row.value(scope, words));
      return true;
    }
  return false;
}

} // namespace exec
