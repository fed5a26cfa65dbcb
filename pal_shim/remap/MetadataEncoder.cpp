//===- MetadataEncoder.cpp - metadata as bytes with places to patch -------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/remap/MetadataEncoder.h"
#include "llvm/Support/Endian.h"
#include <bit>

using namespace llvm;
using msgpack::DocNode;
using msgpack::MapDocNode;
using msgpack::Type;
using support::endian::write16be;
using support::endian::write32be;
using support::endian::write64be;

namespace pal::remap {

namespace key = abi::key;
namespace userdata = abi::userdata;

// MsgPack specification, "Formats".
namespace tag {
enum : uint8_t {
  FixMap = 0x80,
  FixArray = 0x90,
  FixString = 0xA0,
  Nil = 0xC0,
  Bin8 = 0xC4,
  Bin16 = 0xC5,
  Bin32 = 0xC6,
  Float32 = 0xCA,
  Float64 = 0xCB,
  UInt8 = 0xCC,
  UInt16 = 0xCD,
  UInt32 = 0xCE,
  UInt64 = 0xCF,
  Int64 = 0xD3,
  String8 = 0xD9,
  String16 = 0xDA,
  String32 = 0xDB,
  Array16 = 0xDC,
  Array32 = 0xDD,
  Map16 = 0xDE,
  Map32 = 0xDF,
};
} // namespace tag

void patch16(uint8_t *bytes, Place place, uint16_t value) { write16be(bytes + place, value); }
void patch32(uint8_t *bytes, Place place, uint32_t value) { write32be(bytes + place, value); }
void patch64(uint8_t *bytes, Place place, uint64_t value) { write64be(bytes + place, value); }

void MsgPackEncoder::tagged(uint8_t tagByte, uint64_t value, unsigned width) {
  bytes.push_back(tagByte);
  for (unsigned i = width; i-- > 0;)
    bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

/// Containers and strings: \p shortTag holds lengths below \p shortLimit itself; the tag of 32-bit
/// lengths follows that of 16-bit ones. \p tag8 0: there is no form with an 8-bit length.
void MsgPackEncoder::length(size_t size, uint8_t shortTag, uint32_t shortLimit, uint8_t tag8,
                            uint8_t tag16) {
  if (size < shortLimit)
    bytes.push_back(static_cast<uint8_t>(shortTag | size));
  else if (tag8 && size <= UINT8_MAX)
    tagged(tag8, size, 1);
  else if (size <= UINT16_MAX)
    tagged(tag16, size, 2);
  else
    tagged(static_cast<uint8_t>(tag16 + 1), size, 4);
}

void MsgPackEncoder::mapHeader(uint32_t pairs) { length(pairs, tag::FixMap, 16, 0, tag::Map16); }

void MsgPackEncoder::arrayHeader(uint32_t elements) {
  length(elements, tag::FixArray, 16, 0, tag::Array16);
}

void MsgPackEncoder::string(StringRef text) {
  length(text.size(), tag::FixString, 32, tag::String8, tag::String16);
  bytes.insert(bytes.end(), text.begin(), text.end());
}

void MsgPackEncoder::unsignedInt(uint64_t value) {
  if (value < 0x80)
    bytes.push_back(static_cast<uint8_t>(value));
  else if (value <= UINT8_MAX)
    tagged(tag::UInt8, value, 1);
  else if (value <= UINT16_MAX)
    tagged(tag::UInt16, value, 2);
  else if (value <= UINT32_MAX)
    tagged(tag::UInt32, value, 4);
  else
    tagged(tag::UInt64, value, 8);
}

Place MsgPackEncoder::number32(uint32_t value) {
  tagged(tag::UInt32, value, 4);
  return static_cast<Place>(bytes.size() - 4);
}

Place MsgPackEncoder::number64(uint64_t value) {
  tagged(tag::UInt64, value, 8);
  return static_cast<Place>(bytes.size() - 8);
}

Place MsgPackEncoder::mapHeader16(uint16_t pairs) {
  tagged(tag::Map16, pairs, 2);
  return static_cast<Place>(bytes.size() - 2);
}

void MsgPackEncoder::node(DocNode value) {
  if (value.isEmpty()) {
    bytes.push_back(tag::Nil);
    return;
  }
  switch (value.getKind()) {
  case Type::Int:
    tagged(tag::Int64, static_cast<uint64_t>(value.getInt()), 8);
    return;
  case Type::UInt:
    unsignedInt(value.getUInt());
    return;
  case Type::Boolean:
    boolean(value.getBool());
    return;
  case Type::Float:
    tagged(tag::Float64, std::bit_cast<uint64_t>(value.getFloat()), 8);
    return;
  case Type::String:
    string(value.getString());
    return;
  case Type::Binary: {
    StringRef blob = value.getBinary().getBuffer();
    length(blob.size(), 0, 0, tag::Bin8, tag::Bin16);
    bytes.insert(bytes.end(), blob.begin(), blob.end());
    return;
  }
  case Type::Array:
    arrayHeader(static_cast<uint32_t>(value.getArray().size()));
    for (DocNode &element : value.getArray())
      node(element);
    return;
  case Type::Map:
    mapHeader(static_cast<uint32_t>(value.getMap().size()));
    for (auto &[name, element] : value.getMap()) {
      node(name);
      node(element);
    }
    return;
  default:
    bytes.push_back(tag::Nil);
  }
}

namespace {

/// A key of a hardware stage whose value a link may raise.
struct StageNumber {
  StringLiteral key;
  Place StagePlaces::*place;
  uint32_t StagePlaces::*value;
};
constexpr StageNumber stageNumbers[] = {
    {key::vgprCount, &StagePlaces::vgprCount, &StagePlaces::vgprs},
    {key::sgprCount, &StagePlaces::sgprCount, &StagePlaces::sgprs},
    {key::scratchMemorySize, &StagePlaces::scratchMemorySize, &StagePlaces::scratchBytes},
    {key::ldsSize, &StagePlaces::ldsSize, &StagePlaces::ldsBytes},
};

void encodeRegMap(MsgPackEncoder &encoder, DocNode &node, StagePlaces &places) {
  msgpack::ArrayDocNode *array = abi::asArray(node);
  if (!array) {
    encoder.node(node);
    return;
  }
  encoder.arrayHeader(static_cast<uint32_t>(array->size()));
  for (DocNode &element : *array) {
    auto value = static_cast<uint32_t>(abi::asUInt(element).value_or(userdata::notMapped));
    Place place = encoder.number32(value);
    if (userdata::isApiEntry(value))
      places.apiEntries.push_back({place, value});
    places.mapsSpillTable |= value == userdata::spillTable;
  }
}

/// True when the key is one that a link changes.
bool encodeStageKey(MsgPackEncoder &encoder, StringRef name, DocNode &node, StagePlaces &places) {
  if (name == key::userDataRegMap) {
    encodeRegMap(encoder, node, places);
    return true;
  }
  if (name == key::scratchEn) {
    places.scratchEnabled = abi::asBool(node).value_or(false);
    places.scratchEn = static_cast<Place>(encoder.bytes.size());
    encoder.boolean(places.scratchEnabled);
    return true;
  }
  for (const StageNumber &number : stageNumbers)
    if (name == number.key) {
      places.*number.value = static_cast<uint32_t>(abi::asUInt(node).value_or(0));
      places.*number.place = encoder.number32(places.*number.value);
      return true;
    }
  return false;
}

void encodePipelineKey(MsgPackEncoder &encoder, StringRef name, DocNode &node,
                       PipelinePlaces &places) {
  if (name == key::userDataLimit) {
    places.userDataLimit = encoder.number32(static_cast<uint32_t>(abi::asUInt(node).value_or(0)));
  } else if (name == key::spillThreshold) {
    places.spillThreshold = encoder.number32(static_cast<uint32_t>(abi::asUInt(node).value_or(0)));
  } else if (name == key::internalPipelineHash && abi::asArray(node) &&
             abi::asArray(node)->size() == 2) {
    encoder.arrayHeader(2);
    for (unsigned i = 0; i < 2; ++i)
      places.pipelineHash[i] = encoder.number64(abi::asUInt((*abi::asArray(node))[i]).value_or(0));
  } else if (name == key::hardwareStages && abi::asMap(node)) {
    MapDocNode stages = *abi::asMap(node);
    encoder.mapHeader(static_cast<uint32_t>(stages.size()));
    for (auto &[stageName, stage] : stages) {
      encoder.node(stageName);
      StringRef text = abi::asString(stageName).value_or(StringRef());
      std::optional<abi::HardwareStage> which = abi::findHardwareStage(text);
      if (which && abi::asMap(stage))
        places.stages.push_back(
            encodeHardwareStage(encoder, *which, *abi::asMap(stage), /*complete=*/false));
      else
        encoder.node(stage);
    }
  } else {
    encoder.node(node);
  }
}

} // namespace

StagePlaces encodeHardwareStage(MsgPackEncoder &encoder, abi::HardwareStage stage, MapDocNode map,
                                bool complete) {
  StagePlaces places;
  places.stage = stage;
  auto missing = [&](StringRef name) { return complete && !abi::lookup(map, name); };
  size_t added = missing(key::scratchEn);
  for (const StageNumber &number : stageNumbers)
    added += missing(number.key);
  encoder.mapHeader(static_cast<uint32_t>(map.size() + added));
  for (auto &[name, node] : map) {
    encoder.node(name);
    StringRef text = abi::asString(name).value_or(StringRef());
    if (!encodeStageKey(encoder, text, node, places))
      encoder.node(node);
  }
  for (const StageNumber &number : stageNumbers)
    if (missing(number.key)) {
      encoder.string(number.key);
      places.*number.place = encoder.number32(0);
    }
  if (missing(key::scratchEn)) {
    encoder.string(key::scratchEn);
    places.scratchEnabled = places.scratchBytes != 0;
    places.scratchEn = static_cast<Place>(encoder.bytes.size());
    encoder.boolean(places.scratchEnabled);
  }
  return places;
}

Expected<PipelinePlaces> encodeMetadata(MsgPackEncoder &encoder, msgpack::Document &document) {
  MapDocNode *root = abi::asMap(document.getRoot());
  DocNode *pipelines = root ? abi::lookup(*root, key::pipelines) : nullptr;
  msgpack::ArrayDocNode *array = pipelines ? abi::asArray(*pipelines) : nullptr;
  MapDocNode *pipeline = array && array->size() == 1 ? abi::asMap((*array)[0]) : nullptr;
  if (!pipeline)
    return abi::malformed("metadata: no map amdpal.pipelines[0]");
  PipelinePlaces places;
  encoder.mapHeader(static_cast<uint32_t>(root->size()));
  for (auto &[name, node] : *root) {
    encoder.node(name);
    if (abi::asString(name).value_or(StringRef()) != key::pipelines) {
      encoder.node(node);
      continue;
    }
    encoder.arrayHeader(1);
    encoder.mapHeader(static_cast<uint32_t>(pipeline->size()));
    for (auto &[pipelineKey, value] : *pipeline) {
      encoder.node(pipelineKey);
      encodePipelineKey(encoder, abi::asString(pipelineKey).value_or(StringRef()), value, places);
    }
  }
  return places;
}

} // namespace pal::remap
