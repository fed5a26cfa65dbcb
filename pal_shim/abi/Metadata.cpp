//===- Metadata.cpp - PAL metadata as a structure -------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Tables pair each key with the member that holds it; reading and writing walk the same tables, so
/// a field cannot be read and then forgotten. Readers rely on checkMetadataShape().
#include "pal_shim/abi/Metadata.h"
#include "pal_shim/abi/MetadataSchema.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;
using msgpack::DocNode;
using msgpack::MapDocNode;

namespace pal::abi {
namespace {

template <class Owner, class Value> struct Field {
  StringLiteral key;
  std::optional<Value> Owner::*member;
};

using StageUInt = Field<HardwareStageInfo, uint32_t>;
constexpr StageUInt stageUInts[] = {
    {key::vgprCount, &HardwareStageInfo::vgprCount},
    {key::sgprCount, &HardwareStageInfo::sgprCount},
    {key::vgprLimit, &HardwareStageInfo::vgprLimit},
    {key::sgprLimit, &HardwareStageInfo::sgprLimit},
    {key::scratchMemorySize, &HardwareStageInfo::scratchMemorySize},
    {key::ldsSize, &HardwareStageInfo::ldsSize},
    {key::wavefrontSize, &HardwareStageInfo::wavefrontSize},
    {key::floatMode, &HardwareStageInfo::floatMode},
    {key::userSgprs, &HardwareStageInfo::userSgprs},
};

using StageBool = Field<HardwareStageInfo, bool>;
constexpr StageBool stageBools[] = {
    {key::scratchEn, &HardwareStageInfo::scratchEn},
    {key::wgpMode, &HardwareStageInfo::wgpMode},
    {key::ieeeMode, &HardwareStageInfo::ieeeMode},
    {key::memOrdered, &HardwareStageInfo::memOrdered},
    {key::forwardProgress, &HardwareStageInfo::forwardProgress},
    {key::trapPresent, &HardwareStageInfo::trapPresent},
};

using StageList = Field<HardwareStageInfo, std::vector<uint32_t>>;
constexpr StageList stageLists[] = {
    {key::userDataRegMap, &HardwareStageInfo::userDataRegMap},
    {key::threadgroupDimensions, &HardwareStageInfo::threadgroupDimensions},
};

constexpr Field<HardwareStageInfo, std::string> stageStrings[] = {
    {key::entryPointSymbol, &HardwareStageInfo::entryPointSymbol},
};

constexpr Field<ComputeRegisters, bool> computeBools[] = {
    {key::tgidXEn, &ComputeRegisters::tgidXEn},
    {key::tgidYEn, &ComputeRegisters::tgidYEn},
    {key::tgidZEn, &ComputeRegisters::tgidZEn},
    {key::tgSizeEn, &ComputeRegisters::tgSizeEn},
};
constexpr Field<ComputeRegisters, uint32_t> computeUInts[] = {
    {key::tidigCompCnt, &ComputeRegisters::tidigCompCnt},
};

constexpr Field<PipelineMetadata, std::string> pipelineStrings[] = {
    {key::name, &PipelineMetadata::name},
    {key::api, &PipelineMetadata::api},
};
constexpr Field<PipelineMetadata, uint32_t> pipelineUInts[] = {
    {key::userDataLimit, &PipelineMetadata::userDataLimit},
    {key::spillThreshold, &PipelineMetadata::spillThreshold},
};
constexpr Field<PipelineMetadata, uint64_t> pipelineUInt64s[] = {
    {key::resourceHash, &PipelineMetadata::resourceHash},
};
constexpr Field<PipelineMetadata, Hash128> pipelineHashes[] = {
    {key::internalPipelineHash, &PipelineMetadata::internalPipelineHash},
};

// Node -> value. False leaves the field without value.
bool readNode(DocNode &node, uint32_t &value) {
  std::optional<uint64_t> number = asUInt(node);
  value = uint32_t(number.value_or(0));
  return number.has_value();
}
bool readNode(DocNode &node, uint64_t &value) {
  std::optional<uint64_t> number = asUInt(node);
  value = number.value_or(0);
  return number.has_value();
}
bool readNode(DocNode &node, bool &value) {
  std::optional<bool> boolean = asBool(node);
  value = boolean.value_or(false);
  return boolean.has_value();
}
bool readNode(DocNode &node, std::string &value) {
  std::optional<StringRef> text = asString(node);
  value = text.value_or(StringRef()).str();
  return text.has_value();
}
bool readNode(DocNode &node, std::vector<uint32_t> &value) {
  msgpack::ArrayDocNode *array = asArray(node);
  if (!array)
    return false;
  for (DocNode &element : *array) {
    uint64_t number = asUInt(element).value_or(0);
    // Entries are 32-bit registers' values; a larger one must not turn into a valid one.
    value.push_back(number > UINT32_MAX ? UINT32_MAX - 1 : uint32_t(number));
  }
  return true;
}
bool readNode(DocNode &node, Hash128 &value) {
  msgpack::ArrayDocNode *array = asArray(node);
  if (!array)
    return false;
  value = {};
  unsigned index = 0;
  for (DocNode &element : *array)
    if (index < value.size())
      value[index++] = asUInt(element).value_or(0);
  return true;
}

// Value -> node.
DocNode makeNode(msgpack::Document &doc, uint32_t value) { return doc.getNode(uint64_t(value)); }
DocNode makeNode(msgpack::Document &doc, uint64_t value) { return doc.getNode(value); }
DocNode makeNode(msgpack::Document &doc, bool value) { return doc.getNode(value); }
DocNode makeNode(msgpack::Document &doc, const std::string &value) {
  return doc.getNode(StringRef(value), /*Copy=*/true);
}
template <class Range> DocNode makeArray(msgpack::Document &doc, const Range &values) {
  msgpack::ArrayDocNode array = doc.getArrayNode();
  for (uint64_t value : values)
    array.push_back(doc.getNode(value));
  return array;
}
DocNode makeNode(msgpack::Document &doc, const std::vector<uint32_t> &value) {
  return makeArray(doc, value);
}
DocNode makeNode(msgpack::Document &doc, const Hash128 &value) { return makeArray(doc, value); }

template <class Owner, class Value, size_t Count>
void readFields(MapDocNode map, Owner &owner, const Field<Owner, Value> (&fields)[Count]) {
  for (const auto &field : fields)
    if (DocNode *node = lookup(map, field.key)) {
      Value value{};
      if (readNode(*node, value))
        owner.*field.member = std::move(value);
    }
}

template <class Value> bool sameValue(DocNode &node, const Value &value) {
  Value stored{};
  return readNode(node, stored) && stored == value;
}

template <class Owner, class Value, size_t Count>
void writeFields(MapDocNode map, const Owner &owner, const Field<Owner, Value> (&fields)[Count]) {
  msgpack::Document &doc = *map.getDocument();
  for (const auto &field : fields) {
    const std::optional<Value> &value = owner.*field.member;
    DocNode *old = lookup(map, field.key);
    if (!value) {
      map.erase(doc.getNode(field.key));
      continue;
    }
    // Why compare: an unchanged field keeps the encoding it came with (0/1 for booleans).
    if (!old || !sameValue(*old, *value))
      map[field.key] = makeNode(doc, *value);
  }
}

/// The map under \p key, made when missing or no map.
MapDocNode submap(MapDocNode map, StringRef key) { return map[key].getMap(/*Convert=*/true); }

void readShader(MapDocNode map, ShaderInfo &shader) {
  if (DocNode *node = lookup(map, key::apiShaderHash)) {
    Hash128 hash{};
    if (readNode(*node, hash))
      shader.apiShaderHash = hash;
  }
  DocNode *node = lookup(map, key::hardwareMapping);
  if (msgpack::ArrayDocNode *array = node ? asArray(*node) : nullptr)
    for (DocNode &element : *array)
      if (std::optional<HardwareStage> stage =
              findHardwareStage(asString(element).value_or(StringRef())))
        shader.hardwareMapping.push_back(*stage);
}

void writeShader(MapDocNode map, const ShaderInfo &shader) {
  msgpack::Document &doc = *map.getDocument();
  if (shader.apiShaderHash)
    map[key::apiShaderHash] = makeNode(doc, *shader.apiShaderHash);
  else
    map.erase(doc.getNode(key::apiShaderHash));
  if (shader.hardwareMapping.empty()) {
    map.erase(doc.getNode(key::hardwareMapping));
    return;
  }
  msgpack::ArrayDocNode array = doc.getArrayNode();
  for (HardwareStage stage : shader.hardwareMapping)
    array.push_back(doc.getNode(hardwareStageKey(stage)));
  map[key::hardwareMapping] = array;
}

void readStage(MapDocNode map, HardwareStageInfo &stage) {
  readFields(map, stage, stageUInts);
  readFields(map, stage, stageBools);
  readFields(map, stage, stageLists);
  readFields(map, stage, stageStrings);
}

void writeStage(MapDocNode map, const HardwareStageInfo &stage) {
  writeFields(map, stage, stageUInts);
  writeFields(map, stage, stageBools);
  writeFields(map, stage, stageLists);
  writeFields(map, stage, stageStrings);
}

void readPipeline(MapDocNode pipeline, PipelineMetadata &md) {
  readFields(pipeline, md, pipelineStrings);
  readFields(pipeline, md, pipelineUInts);
  readFields(pipeline, md, pipelineUInt64s);
  readFields(pipeline, md, pipelineHashes);
  if (DocNode *node = lookup(pipeline, key::type))
    md.type = findPipelineType(asString(*node).value_or(StringRef()));
  if (DocNode *node = lookup(pipeline, key::computeRegisters))
    if (MapDocNode *map = asMap(*node)) {
      md.computeRegisters.emplace();
      readFields(*map, *md.computeRegisters, computeBools);
      readFields(*map, *md.computeRegisters, computeUInts);
    }
  DocNode *stages = lookup(pipeline, key::hardwareStages);
  DocNode *shaders = lookup(pipeline, key::shaders);
  for (unsigned i = 0; i < hardwareStageCount; ++i)
    if (DocNode *node =
            stages ? lookup(stages->getMap(), hardwareStageKey(HardwareStage(i))) : nullptr)
      readStage(node->getMap(), md.hardwareStages[i].emplace());
  for (unsigned i = 0; i < apiStageCount; ++i)
    if (DocNode *node = shaders ? lookup(shaders->getMap(), apiStageKey(ApiStage(i))) : nullptr)
      readShader(node->getMap(), md.shaders[i].emplace());
}

/// Writes or erases the entries of `.hardware_stages` or `.shaders`.
template <class Entries, class KeyOf, class Write>
void writeEntries(MapDocNode pipeline, StringRef parentKey, const Entries &entries, KeyOf keyOf,
                  Write write) {
  bool any = lookup(pipeline, parentKey) != nullptr;
  for (const auto &entry : entries)
    any |= entry.has_value();
  if (!any)
    return;
  MapDocNode parent = submap(pipeline, parentKey);
  for (unsigned i = 0; i < entries.size(); ++i) {
    if (entries[i])
      write(submap(parent, keyOf(i)), *entries[i]);
    else
      parent.erase(parent.getDocument()->getNode(keyOf(i)));
  }
}

} // namespace

PipelineMetadata::PipelineMetadata() : doc(std::make_unique<msgpack::Document>()) {
  doc->getRoot() = doc->getMapNode();
}

Expected<PipelineMetadata> PipelineMetadata::parse(ArrayRef<uint8_t> blob) {
  PipelineMetadata md;
  md.storage.assign(blob.begin(), blob.end());
  md.doc = std::make_unique<msgpack::Document>();
  KILN_TRY(readMsgPack(*md.doc, md.storage));
  DocNode &root = md.doc->getRoot();
  KILN_TRY(checkMetadataShape(root));
  MapDocNode rootMap = root.getMap();
  DocNode *version = lookup(rootMap, key::version);
  std::vector<uint32_t> numbers;
  if (!version)
    return malformed("amdpal.version: missing");
  if (!readNode(*version, numbers) || numbers.size() != 2)
    return malformed("amdpal.version: two numbers expected");
  md.versionMajor = numbers[0];
  md.versionMinor = numbers[1];
  if (md.versionMajor != 2 && md.versionMajor != 3)
    return malformed("amdpal.version: major version " + Twine(md.versionMajor) +
                     ", only 2 and 3 are known");
  DocNode *pipelines = lookup(rootMap, key::pipelines);
  if (!pipelines || pipelines->getArray().empty())
    return malformed("amdpal.pipelines: missing or empty");
  readPipeline((*pipelines->getArray().begin()).getMap(), md);
  return md;
}

MapDocNode PipelineMetadata::pipelineMap() {
  MapDocNode root = doc->getRoot().getMap(/*Convert=*/true);
  return root[key::pipelines].getArray(/*Convert=*/true)[0].getMap(/*Convert=*/true);
}

std::optional<DocNode> PipelineMetadata::graphicsNode(ArrayRef<StringRef> path) const {
  DocNode node = doc->getRoot();
  SmallVector<StringRef, 6> whole{key::pipelines, "[0]", key::graphicsRegisters};
  whole.append(path.begin(), path.end());
  for (StringRef part : whole) {
    if (part.consume_front("[")) {
      unsigned index = 0;
      if (part.consumeInteger(10, index) || !node.isArray() || index >= node.getArray().size())
        return std::nullopt;
      node = node.getArray()[index];
      continue;
    }
    if (!node.isMap())
      return std::nullopt;
    auto found = node.getMap().find(part);
    if (found == node.getMap().end())
      return std::nullopt;
    node = found->second;
  }
  return node;
}

std::optional<uint64_t> PipelineMetadata::graphicsNumber(ArrayRef<StringRef> path) const {
  std::optional<DocNode> node = graphicsNode(path);
  if (!node)
    return std::nullopt;
  switch (node->getKind()) {
  case msgpack::Type::UInt:
    return node->getUInt();
  case msgpack::Type::Int:
    return static_cast<uint64_t>(node->getInt());
  case msgpack::Type::Boolean:
    return node->getBool() ? 1 : 0;
  default:
    return std::nullopt;
  }
}

std::vector<uint8_t> PipelineMetadata::toBlob() {
  MapDocNode pipeline = pipelineMap();
  MapDocNode root = doc->getRoot().getMap();
  root[key::version] = makeNode(*doc, std::vector<uint32_t>{versionMajor, versionMinor});
  writeFields(pipeline, *this, pipelineStrings);
  writeFields(pipeline, *this, pipelineUInts);
  writeFields(pipeline, *this, pipelineUInt64s);
  writeFields(pipeline, *this, pipelineHashes);
  if (type)
    pipeline[key::type] = doc->getNode(pipelineTypeName(*type));
  else
    pipeline.erase(doc->getNode(key::type));
  if (computeRegisters) {
    MapDocNode map = submap(pipeline, key::computeRegisters);
    writeFields(map, *computeRegisters, computeBools);
    writeFields(map, *computeRegisters, computeUInts);
  } else {
    pipeline.erase(doc->getNode(key::computeRegisters));
  }
  writeEntries(
      pipeline, key::hardwareStages, hardwareStages,
      [](unsigned i) { return hardwareStageKey(HardwareStage(i)); }, writeStage);
  writeEntries(
      pipeline, key::shaders, shaders, [](unsigned i) { return apiStageKey(ApiStage(i)); },
      writeShader);
  std::string blob;
  doc->writeToBlob(blob);
  return std::vector<uint8_t>(blob.begin(), blob.end());
}

} // namespace pal::abi
