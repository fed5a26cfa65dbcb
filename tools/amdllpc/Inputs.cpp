//===- Inputs.cpp - from command line arguments to SPIR-V words -----------===//
// SPDX-License-Identifier: MIT
#include "Inputs.h"
#include "SpirvTools.h"
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
    {"spv", InputFormat::Spirv},  {"spvasm", InputFormat::SpirvText}, {"comp", InputFormat::Glsl},
    {"vert", InputFormat::Glsl},  {"tesc", InputFormat::Glsl},        {"tese", InputFormat::Glsl},
    {"geom", InputFormat::Glsl},  {"frag", InputFormat::Glsl},        {"task", InputFormat::Glsl},
    {"mesh", InputFormat::Glsl},  {"rgen", InputFormat::Glsl},        {"rint", InputFormat::Glsl},
    {"rahit", InputFormat::Glsl}, {"rchit", InputFormat::Glsl},       {"rmiss", InputFormat::Glsl},
    {"rcall", InputFormat::Glsl},
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
  if (input.format == InputFormat::Auto) {
    if (!suffix && path != "-")
      return lgc::invalidInput(path +
                               ": unknown kind of file; known are .spv .spvasm .comp, others "
                               "need --input-format");
    input.format = suffix ? suffix->format : InputFormat::Spirv;
  }
  if (input.format == InputFormat::Glsl)
    input.stage = suffix && suffix->format == InputFormat::Glsl ? suffix->name.str() : "comp";
  inputs.push_back(std::move(input));
  return llvm::Error::success();
}

llvm::Error addFolder(StringRef folder, const Options &options, std::vector<Input> &inputs,
                      std::vector<std::string> &notes) {
  std::error_code error;
  std::vector<std::string> files;
  size_t skipped = 0;
  for (llvm::sys::fs::directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error)) {
    const Suffix *suffix = findSuffix(it->path());
    if (!suffix || llvm::sys::fs::is_directory(it->path()))
      continue;
    if (suffix->format == InputFormat::Glsl && suffix->name != "comp")
      ++skipped;
    else
      files.push_back(it->path());
  }
  if (error)
    return lgc::invalidInput(folder + ": " + error.message());
  if (skipped)
    notes.push_back(
        (folder + ": " + Twine(skipped) +
         (skipped == 1 ? " file of another shader stage is" : " files of other shader stages are") +
         " skipped")
            .str());
  if (files.empty())
    return lgc::invalidInput(folder + ": no .spv, .spvasm or .comp file in this folder");
  // The order of a directory is the file system's; results must not depend on it.
  std::sort(files.begin(), files.end());
  for (const std::string &file : files)
    if (llvm::Error e = addFile(file, "", options, inputs))
      return e;
  return llvm::Error::success();
}

/// Reads a file or standard input, at most `maxInputBytes`.
llvm::Expected<std::string> readBytes(const std::string &path) {
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

} // namespace

std::string Input::displayName() const {
  std::string name = path == "-" ? "<stdin>" : path;
  return entry.empty() ? name : name + "," + entry;
}

llvm::Expected<std::vector<Input>> collectInputs(const Options &options,
                                                 std::vector<std::string> &notes) {
  std::vector<Input> inputs;
  for (const std::string &argument : options.inputs) {
    StringRef path = argument, entry;
    // A comma may be part of a file's name: what exists as it is written, is meant.
    if (path != "-" && !exists(path) && path.contains(','))
      std::tie(path, entry) = path.rsplit(',');
    if (path != "-" && !exists(path))
      return lgc::invalidInput(path + ": no such file or folder");
    if (path != "-" && llvm::sys::fs::is_directory(path)) {
      if (llvm::Error error = addFolder(path, options, inputs, notes))
        return error;
      continue;
    }
    if (llvm::Error error = addFile(path, entry, options, inputs))
      return error;
  }
  if (llvm::count_if(inputs, [](const Input &i) { return i.path == "-"; }) > 1)
    return lgc::invalidInput("standard input can only be read once");
  return inputs;
}

llvm::Expected<LoadedInput> loadInput(const Input &input, const Options &options) {
  if (input.format == InputFormat::Glsl && input.stage != "comp")
    return lgc::unsupported("." + input.stage +
                            ": only compute shaders are compiled so far, not this stage");
  llvm::Expected<std::string> text = readBytes(input.path);
  if (!text)
    return text.takeError();
  auto start = std::chrono::steady_clock::now();
  LoadedInput loaded;
  if (input.format == InputFormat::Spirv) {
    loaded.spirv.assign(text->begin(), text->end());
    return loaded;
  }
  llvm::Expected<std::vector<uint8_t>> spirv =
      input.format == InputFormat::Glsl ? compileGlsl(input, *text, options) : assembleSpirv(*text);
  if (!spirv)
    return spirv.takeError();
  loaded.spirv = std::move(*spirv);
  loaded.frontEndMs =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return loaded;
}

} // namespace amdllpc
