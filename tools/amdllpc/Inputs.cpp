//===- Inputs.cpp - from command line arguments to SPIR-V words -----------===//
// SPDX-License-Identifier: MIT
#include "Inputs.h"
#include "pal_shim/abi/Try.h"
#include "tools/frontend/SpirvTools.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

using llvm::StringRef;
using llvm::Twine;

namespace amdllpc {

namespace {

/// SPIR-V beyond this is refused by the reader anyway; checked first so that memory stays bounded.
constexpr uint64_t maxInputBytes = 256u << 20;

struct Suffix {
  llvm::StringLiteral name;
  InputFormat format;
};
constexpr Suffix suffixes[] = {
    {"spv", InputFormat::Spirv},  {"spvasm", InputFormat::SpirvText}, {"pipe", InputFormat::Pipe},
    {"cl", InputFormat::OpenCl},  {"comp", InputFormat::Glsl},        {"vert", InputFormat::Glsl},
    {"tesc", InputFormat::Glsl},  {"tese", InputFormat::Glsl},        {"geom", InputFormat::Glsl},
    {"frag", InputFormat::Glsl},  {"task", InputFormat::Glsl},        {"mesh", InputFormat::Glsl},
    {"rgen", InputFormat::Glsl},  {"rint", InputFormat::Glsl},        {"rahit", InputFormat::Glsl},
    {"rchit", InputFormat::Glsl}, {"rmiss", InputFormat::Glsl},       {"rcall", InputFormat::Glsl},
};

const Suffix *findSuffix(StringRef path) {
  // foo.comp.spv is SPIR-V: only the last suffix counts.
  StringRef extension = llvm::sys::path::extension(path);
  extension.consume_front(".");
  for (const Suffix &suffix : suffixes)
    if (suffix.name == extension)
      return &suffix;
  return nullptr;
}

bool exists(StringRef path) { return llvm::sys::fs::exists(path); }

llvm::Error addFile(StringRef path, StringRef entry, const Options &options,
                    std::vector<Input> &inputs) {
  Input input;
  input.path = path.str();
  input.entry = entry.str();
  input.format = options.inputFormat;
  const Suffix *suffix = path == "-" ? nullptr : findSuffix(path);
  if (suffix && suffix->format == InputFormat::Pipe && !options.analyzer.mode.empty())
    input.format = InputFormat::Pipe; // in every mode
  if (input.format == InputFormat::Auto) {
    if (!suffix && path != "-") {
      std::string known;
      for (const Suffix &each : suffixes)
        known += (" ." + each.name).str();
      return lgc::invalidInput(path + ": unknown kind of file; known are" + known +
                               ", others need --input-format");
    }
    input.format = suffix ? suffix->format : InputFormat::Spirv;
  }
  if (input.entry.empty() && input.format != InputFormat::Pipe) // that names its own
    input.entry = options.entryTarget;
  if (input.format == InputFormat::Glsl)
    input.stage = !options.inputStage.empty()                     ? options.inputStage
                  : suffix && suffix->format == InputFormat::Glsl ? suffix->name.str()
                                                                  : "comp";
  inputs.push_back(std::move(input));
  return llvm::Error::success();
}

/// A file of which the command line says the stage. Names that mean SPIR-V keep that meaning.
void addShader(const StageInput &shader, const Options &options, std::vector<Input> &inputs) {
  Input input;
  input.path = shader.path;
  input.stage = shader.stage;
  input.entry = options.entryTarget;
  input.format = options.inputFormat;
  if (input.format == InputFormat::Auto) {
    const Suffix *suffix = findSuffix(shader.path);
    const bool isSpirv = suffix && (suffix->format == InputFormat::Spirv ||
                                    suffix->format == InputFormat::SpirvText);
    input.format = isSpirv ? suffix->format : InputFormat::Glsl;
  }
  inputs.push_back(std::move(input));
}

llvm::Error addFolder(StringRef folder, const Options &options,
                      std::vector<PipelineInput> &pipelines) {
  std::error_code error;
  std::vector<std::string> files;
  for (llvm::sys::fs::directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error)) {
    const Suffix *suffix = findSuffix(it->path());
    if (suffix && !llvm::sys::fs::is_directory(it->path()))
      files.push_back(it->path());
  }
  if (error)
    return lgc::invalidInput(folder + ": " + error.message());
  if (files.empty())
    return lgc::invalidInput(folder + ": no shader and no .pipe file in this folder");
  // The order of a directory is the file system's; results must not depend on it.
  std::sort(files.begin(), files.end());
  std::vector<Input> inputs;
  for (const std::string &file : files)
    KILN_TRY(addFile(file, "", options, inputs));
  for (PipelineInput &pipeline : groupInputs(std::move(inputs), options))
    pipelines.push_back(std::move(pipeline));
  return llvm::Error::success();
}

} // namespace

std::string Input::displayName() const {
  std::string name = path == "-" ? "<stdin>" : this->name();
  return entry.empty() ? name : name + "," + entry;
}

/// The files' names, put together.
static std::string join(const std::vector<Input> &files, StringRef separator,
                        llvm::function_ref<std::string(const Input &)> nameOf) {
  std::string text;
  for (const Input &file : files)
    text += (text.empty() ? StringRef() : separator).str() + nameOf(file);
  return text;
}

std::string PipelineInput::displayName() const {
  // The folder of the first one goes for those that follow.
  StringRef folder = llvm::sys::path::parent_path(files.front().name());
  return join(files, " ", [&](const Input &file) {
    StringRef name = llvm::sys::path::filename(file.name());
    if (&file == &files.front() || llvm::sys::path::parent_path(file.name()) != folder)
      return file.displayName();
    return file.entry.empty() ? name.str() : (name + "," + file.entry).str();
  });
}

std::string PipelineInput::path() const {
  return join(files, " ", [](const Input &file) { return file.name(); });
}

std::string PipelineInput::entry() const { return files.size() == 1 ? files[0].entry : ""; }

std::string PipelineInput::outputName() const {
  return join(files, "+", [](const Input &file) {
    return file.path == "-" ? "stdin" : llvm::sys::path::filename(file.path).str();
  });
}

llvm::Expected<std::string> readInput(const std::string &path) {
  bool isStdin = path == "-";
  std::FILE *file = isStdin ? stdin : std::fopen(path.c_str(), "rb");
  if (!file)
    return lgc::invalidInput("cannot open: " + Twine(std::strerror(errno)));
  std::string bytes;
  char chunk[65536];
  bool tooLarge = false;
  while (size_t count = std::fread(chunk, 1, sizeof(chunk), file)) {
    bytes.append(chunk, count);
    if ((tooLarge = bytes.size() > maxInputBytes))
      break;
  }
  bool failed = std::ferror(file);
  if (!isStdin)
    std::fclose(file);
  if (failed)
    return lgc::invalidInput("cannot read");
  if (tooLarge)
    return lgc::limitExceeded("larger than " + Twine(maxInputBytes >> 20) + " MiB");
  return bytes;
}

/// "git:REVISION:PATH": a file among \p pending, or a folder.
static llvm::Error addRevision(const std::string &spec, const Options &options, GitTrees &trees,
                               std::vector<Input> &pending, std::vector<PipelineInput> &pipelines) {
  const std::string path = KILN_TRY(trees.find(spec));
  if (!llvm::sys::fs::is_directory(path)) {
    KILN_TRY(addFile(path, "", options, pending));
    pending.back().shown = spec;
    return llvm::Error::success();
  }
  const size_t first = pipelines.size();
  KILN_TRY(addFolder(path, options, pipelines));
  for (PipelineInput &pipeline : llvm::drop_begin(pipelines, first))
    for (Input &file : pipeline.files)
      file.shown = spec + "/" + llvm::sys::path::filename(file.path).str();
  return llvm::Error::success();
}

llvm::Expected<std::vector<PipelineInput>> collectInputs(const Options &options, GitTrees &trees) {
  std::vector<PipelineInput> pipelines;
  std::vector<Input> pending; // files since the last folder
  auto group = [&] {
    for (PipelineInput &pipeline : groupInputs(std::move(pending), options))
      pipelines.push_back(std::move(pipeline));
    pending.clear();
  };
  for (const std::string &argument : options.inputs) {
    if (namesRevision(argument) && !exists(argument)) {
      KILN_TRY(addRevision(argument, options, trees, pending, pipelines));
      continue;
    }
    StringRef path = argument, entry;
    // A comma may be part of a file's name: what exists as it is written, is meant.
    if (path != "-" && !exists(path) && path.contains(','))
      std::tie(path, entry) = path.rsplit(',');
    if (path != "-" && !exists(path))
      return lgc::invalidInput(path + ": no such file or folder");
    if (path != "-" && llvm::sys::fs::is_directory(path)) {
      group();
      KILN_TRY(addFolder(path, options, pipelines));
      continue;
    }
    KILN_TRY(addFile(path, entry, options, pending));
  }
  for (const StageInput &shader : options.analyzer.shaders) {
    if (!exists(shader.path))
      return lgc::invalidInput(shader.path + ": no such file");
    addShader(shader, options, pending);
  }
  group();
  if (llvm::count(options.inputs, "-") > 1)
    return lgc::invalidInput("standard input can only be read once");
  return pipelines;
}

static llvm::Expected<std::vector<uint8_t>> makeSpirv(const Input &input, const std::string &text,
                                                      const Options &options) {
  const std::string name = input.path == "-" ? "<stdin>" : input.path;
  switch (input.format) {
  case InputFormat::Glsl:
    return frontend::compileGlsl(text, input.stage, options.glsl, name);
  case InputFormat::OpenCl: {
    frontend::OpenClOptions openCl = options.openCl;
    openCl.includeDirs = options.glsl.includeDirs;
    openCl.defines = options.glsl.defines;
    openCl.debugInfo = options.glsl.debugInfo;
    return frontend::compileOpenCl(text, openCl, name);
  }
  case InputFormat::SpirvText:
    return frontend::assembleSpirv(text);
  default:
    return std::vector<uint8_t>(text.begin(), text.end());
  }
}

llvm::Expected<LoadedInput> loadText(const Input &input, const std::string &text,
                                     const Options &options) {
  auto start = std::chrono::steady_clock::now();
  LoadedInput loaded;
  loaded.spirv = KILN_TRY(makeSpirv(input, text, options));
  if (options.kernels != llpc::KernelSizes())
    loaded.spirv = KILN_TRY(llpc::completeKernels(loaded.spirv, options.kernels));
  if (input.format == InputFormat::Spirv)
    return loaded;
  if (wantsFacts(options))
    loaded.text = text;
  loaded.isAssembly = input.format == InputFormat::SpirvText;
  loaded.frontEndMs =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return loaded;
}

llvm::Expected<LoadedInput> loadInput(const Input &input, const Options &options) {
  std::string text = KILN_TRY(readInput(input.path));
  return loadText(input, text, options);
}

} // namespace amdllpc
