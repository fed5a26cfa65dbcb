//===- StageKeys.cpp - what a code generator adds to metadata -------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/StageKeys.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/MsgPackReader.h"
#include "llvm/BinaryFormat/MsgPackWriter.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace lgc::direct {

namespace key = pal::abi::key;

namespace {

class Copier {
public:
  Copier(StringRef metadata, ArrayRef<StageKeys> stages)
      : reader(metadata), stages(stages), out(text), writer(out) {
    out.SetBufferSize(metadata.size() + 512); // unbuffered, the writer asks for more byte by byte
  }

  std::optional<std::string> run() {
    if (!copy(Place::Root) || found != stages.size())
      return std::nullopt;
    out.flush();
    return std::move(text);
  }

private:
  /// Where a value stands: on the way to a stage, or elsewhere.
  enum class Place : uint8_t { Root, Pipelines, Pipeline, Stages, Stage, Other };

  static Place inside(Place place, StringRef name) {
    if (place == Place::Root && name == key::pipelines)
      return Place::Pipelines;
    if (place == Place::Pipeline && name == key::hardwareStages)
      return Place::Stages;
    return place == Place::Stages ? Place::Stage : Place::Other;
  }
  bool next(msgpack::Object &object) {
    Expected<bool> isRead = reader.read(object);
    if (!isRead)
      consumeError(isRead.takeError());
    return isRead && *isRead;
  }
  bool copy(Place place, const StageKeys *more = nullptr);
  bool copyMap(size_t length, Place place, const StageKeys *more);
  bool copyScalar(const msgpack::Object &object);
  const StageKeys *keysOf(StringRef stage);
  void add(const std::pair<StringRef, KeyValue> &entry) {
    writer.write(entry.first);
    std::visit([&](const auto &value) { writer.write(value); }, entry.second);
  }

  msgpack::Reader reader;
  ArrayRef<StageKeys> stages;
  size_t found = 0; ///< of stages
  std::string text;
  raw_string_ostream out;
  msgpack::Writer writer;
};

const StageKeys *Copier::keysOf(StringRef stage) {
  const auto *keys = find_if(stages, [&](const StageKeys &candidate) {
    return pal::abi::hardwareStageKey(candidate.stage) == stage;
  });
  if (keys == stages.end())
    return nullptr;
  ++found;
  return keys;
}

bool Copier::copyScalar(const msgpack::Object &object) {
  switch (object.Kind) {
  case msgpack::Type::Int:
    writer.write(object.Int);
    return true;
  case msgpack::Type::UInt:
    writer.write(object.UInt);
    return true;
  case msgpack::Type::Boolean:
    writer.write(object.Bool);
    return true;
  case msgpack::Type::String:
    writer.write(object.Raw);
    return true;
  default: // lowering writes nothing else
    return false;
  }
}

bool Copier::copyMap(size_t length, Place place, const StageKeys *more) {
  ArrayRef<std::pair<StringRef, KeyValue>> added;
  if (more)
    added = more->keys;
  writer.writeMapSize(static_cast<uint32_t>(length + added.size()));
  for (size_t i = 0; i < length; ++i) {
    msgpack::Object name;
    if (!next(name) || name.Kind != msgpack::Type::String)
      return false;
    for (; !added.empty() && added.front().first < name.Raw; added = added.drop_front())
      add(added.front());
    if (!added.empty() && added.front().first == name.Raw)
      return false;
    writer.write(name.Raw);
    if (!copy(inside(place, name.Raw), place == Place::Stages ? keysOf(name.Raw) : nullptr))
      return false;
  }
  for (const auto &entry : added)
    add(entry);
  return true;
}

bool Copier::copy(Place place, const StageKeys *more) {
  msgpack::Object object;
  if (!next(object))
    return false;
  if (object.Kind == msgpack::Type::Map)
    return copyMap(object.Length, place, more);
  if (more)
    return false;
  if (object.Kind != msgpack::Type::Array)
    return copyScalar(object);
  writer.writeArraySize(static_cast<uint32_t>(object.Length));
  for (size_t i = 0; i < object.Length; ++i)
    if (!copy(place == Place::Pipelines && i == 0 ? Place::Pipeline : Place::Other))
      return false;
  return true;
}

} // namespace

std::optional<std::string> addStageKeys(StringRef metadata, ArrayRef<StageKeys> stages) {
  return Copier(metadata, stages).run();
}

} // namespace lgc::direct
