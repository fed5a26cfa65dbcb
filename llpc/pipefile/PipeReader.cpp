//===- PipeReader.cpp - text of a .pipe file to a pipeline ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Line by line: `[Name]` begins a section; a shader's text is taken as it stands up to the next
/// section, all other sections hold `key = value` (PipeKeys.cpp). At the end the pieces are put
/// together.
///   before: [VsGlsl] ... [VsInfo] entryPoint = f
///   after:  PipeFile{shaders: {Vertex, Glsl, ...}, graphics.vs.entryTarget: f}
#include "llpc/pipefile/PipeReader.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"

namespace llpc {

using lgc::ResourceNode;
using lgc::ResourceNodeType;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

static constexpr size_t maxTextBytes = 64u << 20;

/// Ray tracing pipelines have any number of shaders of a stage.
static bool isRayStage(ShaderStage stage) {
  return stage > ShaderStage::Compute && stage < ShaderStage::Count;
}

bool PipeReader::beginStateSection(StringRef title) {
  struct Fixed {
    llvm::StringLiteral name;
    Section section;
  };
  static constexpr Fixed fixed[] = {{"Version", Section::Version},
                                    {"ResourceMapping", Section::Mapping},
                                    {"GraphicsPipelineState", Section::Graphics},
                                    {"ComputePipelineState", Section::Compute},
                                    {"RayTracingPipelineState", Section::Rays},
                                    {"VertexInputState", Section::VertexInput}};
  for (const Fixed &row : fixed) {
    if (row.name != title)
      continue;
    section = row.section;
    file.hasMapping |= section == Section::Mapping;
    if (section == Section::Graphics || section == Section::VertexInput)
      graphicsLine = line;
    if (section == Section::Compute)
      computeLine = line;
    if (section == Section::Rays)
      raysLine = line;
    return true;
  }
  return false;
}

/// An Info of a ray tracing shader stands behind it; there are several of a stage.
Error PipeReader::beginInfo() {
  section = Section::Info;
  slot = static_cast<size_t>(stage);
  if (!isRayStage(stage))
    return Error::success();
  slot = lastRaySlots[static_cast<size_t>(stage)];
  return slot ? Error::success()
              : error("[" + sectionName + "] before the shader that it is about");
}

Error PipeReader::beginShader(const PipeSourceName &source) {
  if (isRayStage(stage)) {
    RayTracingShaderInfo &shader = file.rays.shaders.emplace_back();
    shader.entryStage = stage;
    shader.id = static_cast<uint32_t>(file.rays.shaders.size());
    lastRaySlots[static_cast<size_t>(stage)] = specializations.size();
    specializations.emplace_back();
    stageMappings.emplace_back();
  } else {
    for (const PipeShader &shader : file.shaders)
      if (shader.stage == stage)
        return error("a second " + shaderStageName(stage) + " shader; the first is in line " +
                     Twine(shader.line));
  }
  section = isFile(source.source) ? Section::ShaderFile : Section::ShaderText;
  file.shaders.push_back({stage, source.source, "", line + 1});
  return Error::success();
}

Error PipeReader::beginSection(StringRef header) {
  KILN_TRY(finishShader());
  StringRef title = header.trim().drop_front().drop_back();
  sectionName = title.str();
  stage = ShaderStage::Count;
  if (beginStateSection(title))
    return Error::success();
  section = Section::Unknown;
  StringRef kind;
  for (const StageNames &row : stageNames()) {
    StringRef rest = title;
    if (!rest.consume_front(row.pipeLong) && !rest.consume_front(row.pipe))
      continue;
    stage = row.stage;
    kind = rest;
    break;
  }
  if (kind == "Info")
    return beginInfo();
  if (kind == "Hlsl" || kind == "HlslFile")
    return lgc::unsupported(name + ":" + Twine(line) + ": HLSL is not supported");
  for (const PipeSourceName &row : pipeSourceNames())
    if (row.name == kind)
      return beginShader(row);
  warn("unknown section [" + title + "]");
  return Error::success();
}

Error PipeReader::finishShader() {
  if (section == Section::ShaderText && shaderBegin) {
    StringRef code(shaderBegin, static_cast<size_t>(shaderEnd - shaderBegin));
    // Blank lines before the next section belong to neither.
    file.shaders.back().text = code.rtrim().str() + "\n";
  }
  const bool isShader = section == Section::ShaderText || section == Section::ShaderFile;
  if (isShader && StringRef(file.shaders.back().text).trim().empty())
    return errorAt(file.shaders.back().line, "[" + sectionName + "] is empty");
  shaderBegin = nullptr;
  return Error::success();
}

Error PipeReader::readLine(StringRef content) {
  if (isSectionHeader(content))
    return beginSection(content);
  if (section == Section::ShaderText) {
    if (!shaderBegin)
      shaderBegin = content.data();
    shaderEnd = content.data() + content.size();
    return Error::success();
  }
  StringRef statement = withoutComment(content);
  if (statement.empty() || section == Section::Unknown)
    return Error::success();
  if (section == Section::None)
    return error("'" + statement.take_front(40) + "' stands before the first section");
  if (!statement.contains('='))
    return error("'" + statement.take_front(40) + "' is not of the form KEY = VALUE");
  auto [key, value] = statement.split('=');
  key = key.trim();
  value = withoutComment(value); // also one that begins with a comment is none
  // AMD's driver writes functions of its own that are not there as `rtState... =`.
  const bool mayBeEmpty = ignoredKey(sectionName, key) == IgnoredKey::Meaningless;
  if (key.empty() || (value.empty() && !mayBeEmpty))
    return error("'" + statement.take_front(40) + "' is not of the form KEY = VALUE");
  return readKey(key, value);
}

Error PipeReader::finishSpecialization(size_t of) {
  const SpecializationText &constants = specializations[of];
  for (size_t i = 0; i < constants.entries.size(); ++i) {
    const SpecializationText::MapEntry &entry = constants.entries[i];
    const std::string place = "specConst.mapEntry[" + std::to_string(i) + "]";
    // Any size will do for a number that no constant of the module has.
    if (entry.size > sizeof(SpecConstant::value))
      return errorAt(constants.line, place + ": a size of " + Twine(entry.size) +
                                         " bytes; no constant has more than 8");
    if (uint64_t(entry.offset) + entry.size > constants.data.size())
      return errorAt(constants.line, place + " lies outside the data");
    SpecConstant constant = {entry.constantId, entry.size, 0};
    for (uint32_t byte = 0; byte < entry.size; ++byte)
      constant.value |= uint64_t(constants.data[entry.offset + byte]) << 8 * byte;
    infoOfSlot(of).specialization.push_back(constant);
  }
  return Error::success();
}

/// Old files repeat the layout in every stage; tables may hold only what the stage uses.
static void mergeNode(std::vector<ResourceNode> &into, const ResourceNode &node) {
  for (ResourceNode &known : into) {
    if (known.type != node.type || known.offsetInDwords != node.offsetInDwords)
      continue;
    for (const ResourceNode &inner : node.table)
      if (!llvm::is_contained(known.table, inner))
        known.table.push_back(inner);
    return;
  }
  into.push_back(node);
}

Error PipeReader::finishMapping() {
  lgc::ResourceMapping &mapping = file.graphics.resourceMapping;
  for (const lgc::ResourceMapping &stageMapping : stageMappings) {
    for (const ResourceNode &node : stageMapping.roots)
      mergeNode(mapping.roots, node);
    for (const lgc::StaticDescriptor &value : stageMapping.staticDescriptors)
      if (!llvm::is_contained(mapping.staticDescriptors, value))
        mapping.staticDescriptors.push_back(value);
  }
  auto checkType = [&](const ResourceNode &node, const Twine &key) -> Error {
    return node.type == ResourceNodeType::Unknown
               ? lgc::invalidInput(name + ": " + key + " has no type")
               : Error::success();
  };
  for (size_t i = 0; i < mapping.roots.size(); ++i) {
    const std::string key = "userDataNode[" + std::to_string(i) + "]";
    KILN_TRY(checkType(mapping.roots[i], key));
    for (size_t j = 0; j < mapping.roots[i].table.size(); ++j)
      KILN_TRY(checkType(mapping.roots[i].table[j], key + ".next[" + Twine(j) + "]"));
  }
  return Error::success();
}

Error PipeReader::finishKind() {
  if (file.shaders.empty())
    return lgc::invalidInput(name + ": no shader section");
  const bool isCompute = file.isCompute(), isRays = file.isRays();
  if (isRays) {
    for (const PipeShader &shader : file.shaders)
      if (!isRayStage(shader.stage))
        return errorAt(shader.line,
                       "a " + shaderStageName(shader.stage) + " shader in a ray tracing pipeline");
  } else {
    llvm::sort(file.shaders,
               [](const PipeShader &a, const PipeShader &b) { return a.stage < b.stage; });
  }
  if (isRays && graphicsLine)
    return errorAt(graphicsLine, "state of a graphics pipeline beside ray tracing shaders");
  if (!isRays && raysLine)
    return errorAt(raysLine, "state of a ray tracing pipeline without its shaders");
  if (isCompute && file.shaders.size() > 1)
    return lgc::invalidInput(name + ": a compute shader beside a " +
                             shaderStageName(file.shaders.front().stage) + " shader");
  if (isCompute && graphicsLine)
    return errorAt(graphicsLine, "state of a graphics pipeline beside a compute shader");
  if (!isCompute && computeLine)
    return errorAt(computeLine, "state of a compute pipeline without a compute shader");
  return Error::success();
}

Error PipeReader::finish() {
  KILN_TRY(finishKind());
  for (size_t i = 0; i < specializations.size(); ++i)
    KILN_TRY(finishSpecialization(i));
  KILN_TRY(finishMapping());
  for (const lgc::VertexBinding &divisor : divisors) {
    bool isKnown = false;
    for (lgc::VertexBinding &binding : file.graphics.vertexInput.bindings)
      if (binding.binding == divisor.binding) {
        binding.divisor = divisor.divisor;
        isKnown = true;
      }
    if (!isKnown)
      return lgc::invalidInput(name + ": a divisor for binding " + Twine(divisor.binding) +
                               ", which is not described");
  }
  if (file.isCompute())
    file.compute.resourceMapping = std::move(file.graphics.resourceMapping);
  if (file.isRays()) {
    file.rays.resourceMapping = std::move(file.graphics.resourceMapping);
    if (!hasLaunchUserData)
      file.rays.launchUserData = userDataBehind(file.rays.resourceMapping);
  }
  return Error::success();
}

Error PipeReader::readSections() {
  StringRef rest = text;
  while (!rest.empty()) {
    StringRef content;
    std::tie(content, rest) = rest.split('\n');
    ++line;
    KILN_TRY(readLine(content));
  }
  return finishShader();
}

llvm::Expected<PipeFile> PipeReader::run() {
  if (text.size() > maxTextBytes)
    return lgc::limitExceeded(name + ": larger than " + Twine(maxTextBytes >> 20) + " MiB");
  KILN_TRY(readSections());
  KILN_TRY(finish());
  return std::move(file);
}

PipelineShaderInfo &PipeReader::infoOfSlot(size_t of) {
  if (of >= firstRaySlot)
    return file.rays.shaders[of - firstRaySlot];
  return file.info(static_cast<ShaderStage>(of));
}

bool PipeFile::isCompute() const {
  return llvm::any_of(shaders, [](const PipeShader &s) { return s.stage == ShaderStage::Compute; });
}

bool PipeFile::isRays() const {
  return llvm::any_of(shaders, [](const PipeShader &s) { return isRayStage(s.stage); });
}

PipelineShaderInfo &PipeFile::info(ShaderStage stage) {
  return stage == ShaderStage::Compute ? compute.cs : graphics.shader(stage);
}

PipelineShaderInfo &PipeFile::infoOf(size_t index) {
  return isRays() ? rays.shaders[index] : info(shaders[index].stage);
}

const PipelineShaderInfo &PipeFile::infoOf(size_t index) const {
  return const_cast<PipeFile *>(this)->infoOf(index);
}

llvm::Expected<PipeFile> readPipeFile(StringRef text, StringRef name,
                                      std::vector<std::string> &warnings) {
  return PipeReader(text, name, warnings).run();
}

} // namespace llpc
