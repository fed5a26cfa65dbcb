//===- PipeKeys.cpp - keys of a .pipe file's sections ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Indices of keys are checked before anything is made for them, so memory stays proportional to
/// the text.
///   before: [VertexInputState] binding[0].stride = 16
///   after:  graphics.vertexInput.bindings[0].stride: 16
#include "llpc/pipefile/PipeReader.h"
#include "pal_shim/abi/Try.h"

namespace llpc {

using lgc::ResourceNode;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

static constexpr uint32_t maxIndex = 4095;
/// An index may be this far behind the last one: indices out of order are fine, but one line must
/// not make a thousand elements.
static constexpr uint32_t maxIndexGap = 15;

Error PipeReader::withPlace(Error inner) const {
  lgc::ErrorText message = lgc::consumeToText(std::move(inner));
  return lgc::makeError(message.kind, name + ":" + Twine(line) + ": " + message.message);
}

Error PipeReader::unknownKey(StringRef table, const NearestKey &key, StringRef value) {
  const IgnoredKey kind = ignoredKey(table, key.key);
  if (kind == IgnoredKey::None)
    return error("unknown key '" + key.key + "' in [" + sectionName + "]; " +
                 (key.found.empty() ? Twine("docs/pipe-files.md lists the keys")
                                    : "is it to be '" + key.found + "'?"));
  uint32_t number = 0;
  const bool isOff = value.equals_insensitive("false") || value.equals_insensitive("auto") ||
                     (!value.getAsInteger(0, number) && number == 0);
  if (kind == IgnoredKey::NotHonoured && !isOff)
    warn("'" + key.key + "' is not honoured");
  return Error::success();
}

template <typename T>
llvm::Expected<bool> PipeReader::readField(StringRef key, StringRef value, T &object) {
  auto known = setPipeField(object, key, value);
  if (!known)
    return error(key + ": " + lgc::consumeToText(known.takeError()).message);
  return known;
}

llvm::Expected<KeyPart> PipeReader::splitKey(StringRef key) {
  KeyPart part;
  std::tie(part.name, part.rest) = key.split('.');
  size_t bracket = part.name.find('[');
  if (bracket == StringRef::npos)
    return part;
  StringRef digits = part.name.drop_front(bracket + 1);
  uint32_t index = 0;
  if (!digits.consume_back("]") || digits.getAsInteger(10, index))
    return error("'" + key + "': an index is missing or no number");
  if (index > maxIndex)
    return error("'" + key + "': index " + Twine(index) + " is too large");
  part.name = part.name.take_front(bracket);
  part.index = index;
  return part;
}

template <typename T>
llvm::Expected<T *> PipeReader::element(std::vector<T> &list, const KeyPart &part) {
  if (!part.index)
    return error("'" + part.name + "' needs an index");
  if (*part.index > list.size() + maxIndexGap)
    return error("'" + part.name + "[" + Twine(*part.index) + "]' comes after only " +
                 Twine(list.size()));
  if (*part.index >= list.size())
    list.resize(*part.index + 1);
  return &list[*part.index];
}

Error PipeReader::readKey(StringRef key, StringRef value) {
  switch (section) {
  case Section::Version:
    if (key != "version")
      return unknownKey("", NearestKey(key).names({"version"}), value);
    else if (value.getAsInteger(10, file.version))
      return error("'" + value + "' is no version");
    return Error::success();
  case Section::ShaderFile:
    if (key != "fileName")
      return unknownKey("", NearestKey(key).names({"fileName"}), value);
    else if (!file.shaders.back().text.empty())
      return error("a second file name");
    else
      file.shaders.back().text = value.str();
    return Error::success();
  case Section::Info:
    return readInfoKey(key, value);
  case Section::Mapping:
    return readMappingKey(key, value, file.graphics.resourceMapping);
  case Section::Graphics:
    return readGraphicsKey(key, value);
  case Section::Compute: {
    auto known = KILN_TRY(readField<PipelineBuildInfo>(key, value, file.compute));
    if (known)
      return Error::success();
    constexpr StringRef table = "ComputePipelineState";
    return unknownKey(table, NearestKey(key).fields<PipelineBuildInfo>().ignored(table), value);
  }
  case Section::Rays:
    return readRaysKey(key, value);
  case Section::VertexInput:
    return readVertexInputKey(key, value);
  default:
    return Error::success();
  }
}

Error PipeReader::readInfoKey(StringRef key, StringRef value) {
  PipelineShaderInfo &shader = infoOfSlot(slot);
  if (key == "entryPoint") {
    shader.entryTarget = value.str();
    return Error::success();
  }
  const bool isRay = slot >= firstRaySlot;
  if (isRay && key == "id") {
    if (Error inner = parseValue(value, &file.rays.shaders[slot - firstRaySlot].id))
      return withPlace(std::move(inner));
    return Error::success();
  }
  if (key.starts_with("specConst."))
    return readSpecializationKey(key.drop_front(10), value);
  if (key.starts_with("userDataNode[") || key.starts_with("descriptorRangeValue[")) {
    file.hasMapping = true;
    return readMappingKey(key, value, stageMappings[slot]);
  }
  StringRef option = key;
  if (option.consume_front("options.")) {
    auto known = KILN_TRY(readField(option, value, shader.options));
    if (known)
      return Error::success();
  }
  return unknownKey("Info",
                    NearestKey(key)
                        .names({"entryPoint"})
                        .fields<PipelineShaderOptions>("options.")
                        .ignored("Info"),
                    value);
}

Error PipeReader::readSpecializationKey(StringRef key, StringRef value) {
  SpecializationText &constants = specializations[slot];
  constants.line = line;
  StringRef type = key;
  if (type.consume_back("Data") && isDataType(type)) {
    if (Error inner = parseData(value, type, constants.data))
      return withPlace(std::move(inner));
    return Error::success();
  }
  auto part = KILN_TRY(splitKey(key));
  if (part.name != "mapEntry")
    return unknownKey("", NearestKey(key).names({"mapEntry"}), value);
  auto entry = KILN_TRY(element(constants.entries, part));
  uint32_t *target = part.rest == "constantID" ? &entry->constantId
                     : part.rest == "offset"   ? &entry->offset
                     : part.rest == "size"     ? &entry->size
                                               : nullptr;
  if (!target)
    return unknownKey("", NearestKey(part.rest).names({"constantID", "offset", "size"}), value);
  if (Error inner = parseValue(value, target))
    return withPlace(std::move(inner));
  return Error::success();
}

Error PipeReader::readGraphicsKey(StringRef key, StringRef value) {
  GraphicsPipelineBuildInfo &info = file.graphics;
  if (key == "stageMask") {
    if (Error inner = parseValue(value, &info.stageMask))
      return error(key + ": " + lgc::consumeToText(std::move(inner)).message);
    return Error::success();
  }
  auto known = setPipeKey(info, key, value);
  if (!known)
    return error(key + ": " + lgc::consumeToText(known.takeError()).message);
  if (*known)
    return Error::success();
  auto part = KILN_TRY(splitKey(key));
  if (part.name != "colorBuffer" || !part.index) {
    constexpr StringRef table = "GraphicsPipelineState";
    return unknownKey(table,
                      NearestKey(key)
                          .names({"stageMask"})
                          .fields<PipelineBuildInfo>()
                          .fields<GraphicsPipelineState>()
                          .ignored(table),
                      value);
  }
  if (*part.index >= maxColorTargets)
    return error("colorBuffer[" + Twine(*part.index) + "]; there are " + Twine(maxColorTargets) +
                 " colour targets");
  ColorTargetState &target = info.cbState.target[*part.index];
  auto field = KILN_TRY(readField(part.rest, value, target));
  return field ? Error::success()
               : unknownKey("ColorBuffer", NearestKey(part.rest).fields<ColorTargetState>(), value);
}

Error PipeReader::readRaysKey(StringRef key, StringRef value) {
  auto known = setPipeKey(file.rays, key, value);
  if (!known)
    return error(key + ": " + lgc::consumeToText(known.takeError()).message);
  hasLaunchUserData |= key == "launchUserData";
  if (*known)
    return Error::success();
  constexpr StringRef table = "RayTracingPipelineState";
  return unknownKey(
      table,
      NearestKey(key).fields<PipelineBuildInfo>().fields<lgc::RayTracingState>().ignored(table),
      value);
}

Error PipeReader::readVertexInputKey(StringRef key, StringRef value) {
  auto part = KILN_TRY(splitKey(key));
  VertexInputInfo &input = file.graphics.vertexInput;
  llvm::Expected<bool> known = false;
  NearestKey nearest(part.rest);
  if (part.name == "binding") {
    auto binding = KILN_TRY(element(input.bindings, part));
    known = readField(part.rest, value, *binding);
    nearest.fields<std::decay_t<decltype(*binding)>>();
  } else if (part.name == "attribute") {
    auto attribute = KILN_TRY(element(input.attributes, part));
    known = readField(part.rest, value, *attribute);
    nearest.fields<std::decay_t<decltype(*attribute)>>();
  } else if (part.name == "divisor") {
    auto divisor = KILN_TRY(element(divisors, part));
    uint32_t *number = part.rest == "binding"   ? &divisor->binding
                       : part.rest == "divisor" ? &divisor->divisor
                                                : nullptr;
    if (!number)
      return unknownKey("", nearest.names({"binding", "divisor"}), value);
    if (Error inner = parseValue(value, number))
      return withPlace(std::move(inner));
    known = true;
  } else {
    return unknownKey(sectionName, NearestKey(part.name).names({"binding", "attribute", "divisor"}),
                      value);
  }
  if (!known)
    return known.takeError();
  return *known ? Error::success() : unknownKey(sectionName, nearest, value);
}

Error PipeReader::readNodeKey(StringRef key, StringRef value, ResourceNode &node, bool isRoot) {
  auto part = KILN_TRY(splitKey(key));
  if (part.name == "next" && isRoot) {
    auto next = element(node.table, part);
    return next ? readNodeKey(part.rest, value, **next, false) : next.takeError();
  }
  auto known = KILN_TRY(readField(key, value, node));
  return known ? Error::success()
               : unknownKey("ResourceNode", NearestKey(key).names({"next"}).fields<ResourceNode>(),
                            value);
}

Error PipeReader::readMappingKey(StringRef key, StringRef value, lgc::ResourceMapping &mapping) {
  auto part = KILN_TRY(splitKey(key));
  if (part.name == "userDataNode") {
    auto node = element(mapping.roots, part);
    return node ? readNodeKey(part.rest, value, **node, true) : node.takeError();
  }
  if (part.name != "descriptorRangeValue")
    return unknownKey("", NearestKey(part.name).names({"userDataNode", "descriptorRangeValue"}),
                      value);
  auto descriptor = KILN_TRY(element(mapping.staticDescriptors, part));
  StringRef type = part.rest;
  if (type.consume_back("Data") && isDataType(type)) {
    std::vector<uint8_t> bytes;
    if (Error inner = parseData(value, type, bytes))
      return withPlace(std::move(inner));
    for (size_t at = 0; at + 4 <= bytes.size(); at += 4)
      descriptor->dwords.push_back(bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 |
                                   uint32_t(bytes[at + 3]) << 24);
    return Error::success();
  }
  auto known = KILN_TRY(readField(part.rest, value, *descriptor));
  return known ? Error::success()
               : unknownKey("ResourceNode",
                            NearestKey(part.rest).fields<std::decay_t<decltype(*descriptor)>>(),
                            value);
}

} // namespace llpc
