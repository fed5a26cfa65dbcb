//===- MetadataSchema.cpp - shape check of metadata maps ------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/abi/MetadataSchema.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <iterator>
#include <string>

using namespace llvm;
using msgpack::DocNode;

namespace pal::abi {
namespace {

enum class Scope : uint8_t {
#define KILN_PAL_SCOPE(id) id,
#include "pal_shim/abi/Abi.def"
};

enum class Kind : uint8_t {
  UInt,
  Bool,
  Str,
  Bin,
  UIntArray,
  MapArray,
  Map,
  StrArray,
  Any,
  PipelineTypeStr,
  ShaderSubtypeStr,
  CoverageToShaderStr,
  GsOutPrimTypeStr,
  PointSpriteSelectStr,
};

struct KeyRow {
  Scope scope;
  StringLiteral key;
  Kind kind;
  uint64_t limit;
};
constexpr KeyRow keyRows[] = {
#define KILN_PAL_KEY(scope, id, key, kind, limit) {Scope::scope, key, Kind::kind, limit},
#define KILN_PAL_KEY_REUSED(scope, id, key, kind, limit) {Scope::scope, key, Kind::kind, limit},
#include "pal_shim/abi/Abi.def"
};

struct SubmapRow {
  Scope scope;
  StringLiteral key;
  Scope child;
};
constexpr SubmapRow submapRows[] = {
#define KILN_PAL_SUBMAP(scope, id, child) {Scope::scope, key::id, Scope::child},
#include "pal_shim/abi/Abi.def"
};

struct EnumRow {
  Kind kind;
  StringLiteral string;
};
constexpr EnumRow enumRows[] = {
#define KILN_PAL_ENUM(name, string) {Kind::name##Str, string},
#include "pal_shim/abi/Abi.def"
};

constexpr unsigned scopeCount = 0
#define KILN_PAL_SCOPE(id) +1
#include "pal_shim/abi/Abi.def"
    ;

struct RowRange {
  uint16_t begin = 0, end = 0;
};

/// Why: a key is looked up among its scope's rows only. Abi.def keeps them together.
constexpr std::array<RowRange, scopeCount> rowRanges = [] {
  std::array<RowRange, scopeCount> ranges{};
  for (uint16_t i = 0; i < std::size(keyRows); ++i) {
    RowRange &range = ranges[unsigned(keyRows[i].scope)];
    if (range.end == 0)
      range.begin = i;
    range.end = i + 1;
  }
  return ranges;
}();

constexpr bool rowsAreGrouped() {
  for (unsigned scope = 0; scope < scopeCount; ++scope)
    for (uint16_t i = rowRanges[scope].begin; i < rowRanges[scope].end; ++i)
      if (unsigned(keyRows[i].scope) != scope)
        return false;
  return true;
}
static_assert(rowsAreGrouped(), "the keys of a scope must stand together in Abi.def");

const KeyRow *findKey(Scope scope, StringRef key) {
  RowRange range = rowRanges[unsigned(scope)];
  for (uint16_t i = range.begin; i < range.end; ++i)
    if (keyRows[i].key == key)
      return &keyRows[i];
  return nullptr;
}

std::optional<Scope> findChildScope(Scope scope, StringRef key) {
  for (const SubmapRow &row : submapRows)
    if (row.scope == scope && row.key == key)
      return row.child;
  return std::nullopt;
}

/// "amdpal.pipelines[0]" + ".name" without a second dot; other keys get one.
std::string joined(const std::string &path, StringRef key) {
  return path + (key.starts_with(".") || path.empty() ? "" : ".") + key.str();
}

/// Text from the input, fit for a message.
std::string printable(StringRef text) {
  std::string shown;
  raw_string_ostream os(shown);
  os.write_escaped(text.take_front(64));
  return shown;
}

Error wrongKind(const std::string &path, StringRef expected, const DocNode &node) {
  return malformed(path + ": " + kindName(node) + " found, " + expected + " expected");
}

Error checkUInt(const std::string &path, const DocNode &node, uint64_t limit) {
  std::optional<uint64_t> value = asUInt(node);
  if (!value)
    return wrongKind(path, "unsigned integer", node);
  if (*value > limit)
    return malformed(path + ": value " + Twine(*value) + ", the limit is " + Twine(limit));
  return Error::success();
}

Expected<msgpack::ArrayDocNode *> checkArray(const std::string &path, DocNode &node,
                                             uint64_t limit) {
  msgpack::ArrayDocNode *array = asArray(node);
  if (!array)
    return wrongKind(path, "array", node);
  if (array->size() > limit)
    return malformed(path + ": " + Twine(array->size()) + " entries, the limit is " + Twine(limit));
  return array;
}

Error checkEnum(const std::string &path, const DocNode &node, Kind kind) {
  std::optional<StringRef> text = asString(node);
  if (!text)
    return wrongKind(path, "string", node);
  for (const EnumRow &row : enumRows)
    if (row.kind == kind && row.string == *text)
      return Error::success();
  return malformed(path + ": unknown value '" + printable(*text) + "'");
}

Error checkMap(Scope scope, DocNode &node, const std::string &path);

Error checkUIntArray(const std::string &path, DocNode &node, uint64_t limit) {
  msgpack::ArrayDocNode *array = KILN_TRY(checkArray(path, node, limit));
  unsigned index = 0;
  for (DocNode &element : *array)
    if (!asUInt(element))
      return wrongKind(path + "[" + std::to_string(index) + "]", "unsigned integer", element);
    else
      ++index;
  return Error::success();
}

Error checkMapArray(const std::string &path, DocNode &node, uint64_t limit, Scope child) {
  msgpack::ArrayDocNode *array = KILN_TRY(checkArray(path, node, limit));
  unsigned index = 0;
  for (DocNode &element : *array)
    KILN_TRY(checkMap(child, element, path + "[" + std::to_string(index++) + "]"));
  return Error::success();
}

Error checkStageList(const std::string &path, DocNode &node, uint64_t limit) {
  msgpack::ArrayDocNode *array = KILN_TRY(checkArray(path, node, limit));
  for (DocNode &element : *array) {
    std::optional<StringRef> text = asString(element);
    if (!text || !findHardwareStage(*text))
      return malformed(path + ": an entry is no hardware stage name");
  }
  return Error::success();
}

Error checkValue(const KeyRow &row, DocNode &node, const std::string &path) {
  switch (row.kind) {
  case Kind::Any:
    return Error::success();
  case Kind::UInt:
    return checkUInt(path, node, row.limit);
  case Kind::Bool:
    return asBool(node) ? Error::success() : wrongKind(path, "boolean", node);
  case Kind::Str: {
    std::optional<StringRef> text = asString(node);
    if (!text)
      return wrongKind(path, "string", node);
    if (row.limit && text->size() > row.limit)
      return malformed(path + ": " + Twine(text->size()) + " characters, the limit is " +
                       Twine(row.limit));
    return Error::success();
  }
  case Kind::Bin:
    if (node.isEmpty() || node.getKind() != msgpack::Type::Binary)
      return wrongKind(path, "binary", node);
    return Error::success();
  case Kind::UIntArray:
    return checkUIntArray(path, node, row.limit);
  case Kind::StrArray:
    return checkStageList(path, node, row.limit);
  case Kind::Map:
  case Kind::MapArray: {
    std::optional<Scope> child = findChildScope(row.scope, row.key);
    if (row.kind == Kind::MapArray && child)
      return checkMapArray(path, node, row.limit, *child);
    if (child)
      return checkMap(*child, node, path);
    return asMap(node) ? Error::success() : wrongKind(path, "map", node);
  }
  default:
    return checkEnum(path, node, row.kind);
  }
}

/// Maps from names to maps: `.shaders`, `.hardware_stages`, `.shader_functions`.
Error checkNamedMaps(DocNode &node, const std::string &path, Scope child,
                     function_ref<bool(StringRef)> isKnown) {
  msgpack::MapDocNode *map = asMap(node);
  if (!map)
    return wrongKind(path, "map", node);
  for (auto &[name, value] : *map) {
    std::optional<StringRef> text = asString(name);
    if (!text || !isKnown(*text))
      continue;
    KILN_TRY(checkMap(child, value, joined(path, printable(*text))));
  }
  return Error::success();
}

Error checkPipelineSubmap(StringRef key, DocNode &node, const std::string &path) {
  if (key == key::shaders)
    return checkNamedMaps(node, path, Scope::Shader,
                          [](StringRef name) { return findApiStage(name).has_value(); });
  if (key == key::hardwareStages)
    return checkNamedMaps(node, path, Scope::HwStage,
                          [](StringRef name) { return findHardwareStage(name).has_value(); });
  if (key == key::shaderFunctions)
    return checkNamedMaps(node, path, Scope::ShaderFunction, [](StringRef) { return true; });
  return Error::success();
}

Error checkMap(Scope scope, DocNode &node, const std::string &path) {
  msgpack::MapDocNode *map = asMap(node);
  if (!map)
    return wrongKind(path, "map", node);
  for (auto &[keyNode, value] : *map) {
    std::optional<StringRef> text = asString(keyNode);
    const KeyRow *row = text ? findKey(scope, *text) : nullptr;
    if (!row)
      continue;
    std::string here = joined(path, *text);
    KILN_TRY(checkValue(*row, value, here));
    if (scope == Scope::Pipeline)
      KILN_TRY(checkPipelineSubmap(*text, value, here));
  }
  return Error::success();
}

} // namespace

Error checkMetadataShape(DocNode &root) {
  if (!asMap(root))
    return malformed("metadata: the root is no map");
  return checkMap(Scope::Root, root, "");
}

} // namespace pal::abi
