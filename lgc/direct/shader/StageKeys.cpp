//===- StageKeys.cpp - what a code generator adds to metadata -------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/StageKeys.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/MsgPackWriter.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace lgc::direct {

namespace key = pal::abi::key;

namespace {

/// Goes over MessagePack object by object, of the kinds that lowering writes.
class Walker {
public:
  explicit Walker(StringRef text) : rest(text) {}

  enum class Kind : uint8_t { Map, Array, Text, Scalar };
  struct Object {
    Kind kind = Kind::Scalar;
    size_t length = 0; ///< of maps: pairs
    StringRef text;
  };
  /// The next object; of maps and arrays their head. False: there is none.
  bool next(Object &object);
  /// The next object with all that is in it.
  bool skip();
  /// What next() and skip() have not seen.
  StringRef left() const { return rest; }

private:
  /// A big-endian number of 1, 2, 4 or 8 bytes.
  bool take(unsigned bytes, size_t &number);
  bool takeBytes(size_t length, StringRef &bytes);

  StringRef rest;
};

bool Walker::takeBytes(size_t length, StringRef &bytes) {
  if (length > rest.size())
    return false;
  bytes = rest.take_front(length);
  rest = rest.drop_front(length);
  return true;
}

bool Walker::take(unsigned bytes, size_t &number) {
  StringRef taken;
  if (!takeBytes(bytes, taken))
    return false;
  number = 0;
  for (const char byte : taken)
    number = number << 8 | static_cast<uint8_t>(byte);
  return true;
}

/// Spec: https://github.com/msgpack/msgpack/blob/master/spec.md, "Formats".
bool Walker::next(Object &object) {
  size_t first = 0, number = 0;
  if (!take(1, first))
    return false;
  object = {};
  if (first < 0x80 || first >= 0xE0) // a small number
    return true;
  if (first < 0x90) {
    object = {Kind::Map, first & 0xF, {}};
    return true;
  }
  if (first < 0xA0) {
    object = {Kind::Array, first & 0xF, {}};
    return true;
  }
  if (first < 0xC0) {
    object.kind = Kind::Text;
    return takeBytes(first & 0x1F, object.text);
  }
  switch (first) {
  case 0xC2: // false
  case 0xC3:
    return true;
  case 0xCC: // unsigned, 1 to 8 bytes
  case 0xCD:
  case 0xCE:
  case 0xCF:
    return take(1u << (first - 0xCC), number);
  case 0xD0: // signed
  case 0xD1:
  case 0xD2:
  case 0xD3:
    return take(1u << (first - 0xD0), number);
  case 0xD9: // text, 1 to 4 bytes of length
  case 0xDA:
  case 0xDB:
    object.kind = Kind::Text;
    return take(1u << (first - 0xD9), number) && takeBytes(number, object.text);
  case 0xDC:
  case 0xDD:
    object.kind = Kind::Array;
    return take(first == 0xDC ? 2 : 4, object.length);
  case 0xDE:
  case 0xDF:
    object.kind = Kind::Map;
    return take(first == 0xDE ? 2 : 4, object.length);
  default: // lowering writes nothing else
    return false;
  }
}

bool Walker::skip() {
  Object object;
  for (uint64_t objects = 1; objects > 0; --objects) {
    if (!next(object))
      return false;
    // At most 2^33, and each takes a byte of the text.
    objects += object.kind == Kind::Map ? 2 * object.length : object.length;
  }
  return true;
}

/// Copies text as it is, but for the maps of stages.
class Splicer {
public:
  Splicer(StringRef metadata, ArrayRef<StageKeys> stages)
      : walker(metadata), copied(metadata), stages(stages), out(text), writer(out) {
    out.SetBufferSize(metadata.size() + 512); // unbuffered, the writer asks for more byte by byte
  }

  std::optional<std::string> run() {
    if (!pairs(
            [&](StringRef name) { return name == key::pipelines ? pipelines() : walker.skip(); }) ||
        found != stages.size())
      return std::nullopt;
    copyTo(walker.left());
    out.flush();
    return std::move(text);
  }

private:
  /// Of a map: calls \p value for each name, which goes over what the name is for.
  bool pairs(function_ref<bool(StringRef name)> value);
  bool pipelines();
  bool stage(StringRef name);
  bool splice(size_t length, ArrayRef<std::pair<StringRef, KeyValue>> added);
  /// What was not copied yet, up to a place of the metadata.
  void copyTo(StringRef place) {
    out << copied.drop_back(place.size());
    copied = place;
  }
  void add(const std::pair<StringRef, KeyValue> &entry) {
    writer.write(entry.first);
    std::visit([&](const auto &value) { writer.write(value); }, entry.second);
  }

  Walker walker;
  StringRef copied; ///< the rest of the metadata
  ArrayRef<StageKeys> stages;
  size_t found = 0; ///< of stages
  std::string text;
  raw_string_ostream out;
  msgpack::Writer writer;
};

bool Splicer::pairs(function_ref<bool(StringRef name)> value) {
  Walker::Object map, name;
  if (!walker.next(map) || map.kind != Walker::Kind::Map)
    return false;
  for (size_t i = 0; i < map.length; ++i)
    if (!walker.next(name) || name.kind != Walker::Kind::Text || !value(name.text))
      return false;
  return true;
}

/// The first pipeline has the stages.
bool Splicer::pipelines() {
  Walker::Object array;
  if (!walker.next(array) || array.kind != Walker::Kind::Array)
    return false;
  for (size_t i = 0; i < array.length; ++i) {
    const bool isCopied = i > 0 ? walker.skip() : pairs([&](StringRef name) {
      return name == key::hardwareStages
                 ? pairs([&](StringRef stageName) { return stage(stageName); })
                 : walker.skip();
    });
    if (!isCopied)
      return false;
  }
  return true;
}

bool Splicer::stage(StringRef name) {
  const auto *keys = find_if(stages, [&](const StageKeys &candidate) {
    return pal::abi::hardwareStageKey(candidate.stage) == name;
  });
  if (keys == stages.end())
    return walker.skip();
  ++found;
  copyTo(walker.left());
  Walker::Object map;
  if (!walker.next(map) || map.kind != Walker::Kind::Map)
    return false;
  copied = walker.left();
  return splice(map.length, keys->keys);
}

bool Splicer::splice(size_t length, ArrayRef<std::pair<StringRef, KeyValue>> added) {
  writer.writeMapSize(static_cast<uint32_t>(length + added.size()));
  for (size_t i = 0; i < length; ++i) {
    const StringRef place = walker.left();
    Walker::Object name;
    if (!walker.next(name) || name.kind != Walker::Kind::Text)
      return false;
    if (!added.empty() && added.front().first < name.text)
      copyTo(place);
    for (; !added.empty() && added.front().first < name.text; added = added.drop_front())
      add(added.front());
    if ((!added.empty() && added.front().first == name.text) || !walker.skip())
      return false;
  }
  copyTo(walker.left());
  for (const auto &entry : added)
    add(entry);
  return true;
}

} // namespace

std::optional<std::string> addStageKeys(StringRef metadata, ArrayRef<StageKeys> stages) {
  return Splicer(metadata, stages).run();
}

} // namespace lgc::direct
