//===- PipeWriter.cpp - a pipeline to the text of a .pipe file ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Writes what differs from the defaults, through the lists that the reader uses.
#include "llpc/pipefile/PipeFields.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace llpc {

using llvm::StringRef;
using llvm::Twine;

namespace {

class Writer {
public:
  explicit Writer(const PipeFile &file) : file(file), os(text) {}
  llvm::Expected<std::string> run();

private:
  void section(const Twine &name) { os << (text.empty() ? "[" : "\n[") << name << "]\n"; }
  void key(const Twine &name, const Twine &value) { os << name << " = " << value << '\n'; }
  /// The fields that differ from those of a fresh object, or all.
  template <typename T> void fields(StringRef prefix, const T &object, bool all = false);

  llvm::Error writeShader(size_t index);
  void writeSpecialization(llvm::ArrayRef<SpecConstant> constants);
  void writeMapping(const lgc::ResourceMapping &mapping);
  void writeState(const ComputePipelineBuildInfo &info);
  void writeState(const RayTracingPipelineBuildInfo &info);
  void writeState(const GraphicsPipelineBuildInfo &info);
  void writeVertexInput();

  const PipeFile &file;
  std::string text;
  llvm::raw_string_ostream os;
};

template <typename T> void Writer::fields(StringRef prefix, const T &object, bool all) {
  T copy = object, fresh;
  std::vector<std::string> defaults;
  forPipeFields(fresh, prefix,
                [&](StringRef, ValueRef value) { defaults.push_back(formatValue(value)); });
  size_t at = 0;
  forPipeFields(copy, prefix, [&](StringRef name, ValueRef value) {
    const std::string text = formatValue(value);
    if (all || text != defaults[at])
      key(name, text);
    ++at;
  });
}

llvm::Error Writer::writeShader(size_t index) {
  const PipeShader &shader = file.shaders[index];
  const StringRef stage = shader.stage < ShaderStage::Count ? namesOf(shader.stage).pipe : "";
  StringRef source;
  for (const PipeSourceName &row : pipeSourceNames())
    if (row.source == shader.source)
      source = row.name;
  if (stage.empty())
    return lgc::unsupported("a .pipe file with a shader of stage '" +
                            shaderStageName(shader.stage) + "'");
  const PipelineShaderInfo &info = file.infoOf(index);
  const StringRef fileName = isFile(shader.source) ? StringRef(shader.text) : "none";
  for (StringRef value : {fileName, StringRef(info.entryTarget)})
    if (value.empty() || value.contains('\n') || withoutComment(value) != value)
      return lgc::invalidInput("'" + value + "' cannot be a value in a .pipe file");
  section(stage + source);
  if (isFile(shader.source)) {
    key("fileName", shader.text);
  } else {
    StringRef rest = shader.text;
    while (!rest.empty()) {
      StringRef line;
      std::tie(line, rest) = rest.split('\n');
      if (isSectionHeader(line))
        return lgc::invalidInput("the line '" + line + "' of the " + shaderStageName(shader.stage) +
                                 " shader would be taken for a section of the .pipe file");
    }
    os << StringRef(shader.text).rtrim() << '\n';
  }
  section(stage + "Info");
  key("entryPoint", info.entryTarget);
  if (file.isRays())
    key("id", Twine(file.rays.shaders[index].id));
  writeSpecialization(info.specialization);
  fields("options.", info.options);
  return llvm::Error::success();
}

void Writer::writeSpecialization(llvm::ArrayRef<SpecConstant> constants) {
  std::vector<std::string> dwords;
  for (size_t i = 0; i < constants.size(); ++i) {
    const std::string prefix = "specConst.mapEntry[" + std::to_string(i) + "].";
    key(prefix + "constantID", Twine(constants[i].constantId));
    key(prefix + "offset", Twine(dwords.size() * 4));
    key(prefix + "size", Twine(constants[i].size));
    dwords.push_back("0x" + llvm::utohexstr(static_cast<uint32_t>(constants[i].value)));
    if (constants[i].size > 4)
      dwords.push_back("0x" + llvm::utohexstr(constants[i].value >> 32));
  }
  if (!dwords.empty())
    key("specConst.uintData", llvm::join(dwords, ", "));
}

void Writer::writeMapping(const lgc::ResourceMapping &mapping) {
  if (!file.hasMapping)
    return;
  section("ResourceMapping");
  for (size_t i = 0; i < mapping.roots.size(); ++i) {
    const std::string prefix = "userDataNode[" + std::to_string(i) + "].";
    fields(prefix, mapping.roots[i]);
    for (size_t j = 0; j < mapping.roots[i].table.size(); ++j)
      fields((prefix + "next[" + Twine(j) + "].").str(), mapping.roots[i].table[j]);
  }
  for (size_t i = 0; i < mapping.staticDescriptors.size(); ++i) {
    const lgc::StaticDescriptor &descriptor = mapping.staticDescriptors[i];
    const std::string prefix = "descriptorRangeValue[" + std::to_string(i) + "].";
    fields(prefix, descriptor, true);
    std::vector<std::string> dwords;
    for (uint32_t dword : descriptor.dwords)
      dwords.push_back(llvm::utostr(dword));
    if (!dwords.empty())
      key(prefix + "uintData", llvm::join(dwords, ", "));
  }
}

void Writer::writeVertexInput() {
  const VertexInputInfo &input = file.graphics.vertexInput;
  if (input == VertexInputInfo())
    return;
  section("VertexInputState");
  unsigned divisors = 0;
  for (size_t i = 0; i < input.bindings.size(); ++i)
    fields(("binding[" + Twine(i) + "].").str(), input.bindings[i], true);
  for (size_t i = 0; i < input.attributes.size(); ++i)
    fields(("attribute[" + Twine(i) + "].").str(), input.attributes[i], true);
  for (const lgc::VertexBinding &binding : input.bindings) {
    if (binding.divisor == lgc::VertexBinding().divisor)
      continue;
    const std::string prefix = "divisor[" + std::to_string(divisors++) + "].";
    key(prefix + "binding", Twine(binding.binding));
    key(prefix + "divisor", Twine(binding.divisor));
  }
}

void Writer::writeState(const ComputePipelineBuildInfo &info) {
  section("ComputePipelineState");
  fields<PipelineBuildInfo>("", info);
}

void Writer::writeState(const RayTracingPipelineBuildInfo &info) {
  section("RayTracingPipelineState");
  fields<PipelineBuildInfo>("", info);
  fields<lgc::RayTracingState>("", info, /*all=*/true);
}

void Writer::writeState(const GraphicsPipelineBuildInfo &info) {
  section("GraphicsPipelineState");
  fields<PipelineBuildInfo>("", info);
  if (info.stageMask)
    key("stageMask", Twine(info.stageMask));
  fields<GraphicsPipelineState>("", info);
  for (size_t i = 0; i < maxColorTargets; ++i)
    fields(("colorBuffer[" + Twine(i) + "].").str(), info.cbState.target[i]);
  writeVertexInput();
}

llvm::Expected<std::string> Writer::run() {
  section("Version");
  key("version", Twine(file.version));
  for (size_t i = 0; i < file.shaders.size(); ++i)
    KILN_TRY(writeShader(i));
  file.visit([&](const auto &info) {
    writeMapping(info.resourceMapping);
    writeState(info);
  });
  return std::move(text);
}

} // namespace

llvm::Expected<std::string> writePipeFile(const PipeFile &file) { return Writer(file).run(); }

} // namespace llpc
