//===- Recipes.cpp - recipes as files, and back ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A folder of .pipe files and the SPIR-V that they name: what KILN_DUMP_DIR writes and amdllpc
/// compiles.
#include "Stores.h"
#include "lgc/CompileError.h"
#include "llpc/Hasher.h"
#include "llpc/PipeFile.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;

namespace kilncache {
namespace {

/// One transaction each.
constexpr size_t recipesAtOnce = 32;

Error writeFile(StringRef folder, StringRef name, StringRef bytes) {
  SmallString<128> path(folder);
  sys::path::append(path, name);
  std::error_code error;
  raw_fd_ostream file(path, error);
  if (error)
    return lgc::invalidInput(path + ": " + error.message());
  file << bytes;
  file.close();
  if (!file.has_error())
    return Error::success();
  error = file.error();
  file.clear_error();
  return lgc::invalidInput(path + ": " + error.message());
}

Expected<std::unique_ptr<MemoryBuffer>> readFile(StringRef path) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return lgc::invalidInput(path + ": " + file.getError().message());
  return std::move(*file);
}

/// A name that can be part of a path of the folder.
bool isPlainName(StringRef name) {
  return !name.empty() && !name.contains('/') && name != "." && name != "..";
}

/// The SPIR-V files of a folder, read once.
class Modules {
public:
  explicit Modules(StringRef folder) : folder(folder) {}

  Expected<icd::Recipe::Module> get(StringRef name) {
    std::vector<uint32_t> &words = read[name.str()];
    if (words.empty()) {
      if (!isPlainName(name))
        return lgc::invalidInput("'" + name + "' is no file of the folder");
      SmallString<128> path(folder);
      sys::path::append(path, name);
      auto file = KILN_TRY(readFile(path));
      if (file->getBufferSize() % 4 || file->getBufferSize() == 0)
        return lgc::invalidInput(path + ": no SPIR-V");
      words.resize(file->getBufferSize() / 4);
      memcpy(words.data(), file->getBufferStart(), file->getBufferSize());
    }
    return icd::Recipe::Module{icd::RecipeFile::nameOfModule(name), words};
  }

private:
  const std::string folder;
  std::map<std::string, std::vector<uint32_t>> read;
};

Expected<icd::Recipe> readRecipe(StringRef path, Modules &modules) {
  auto file = KILN_TRY(readFile(path));
  std::vector<std::string> warnings;
  auto pipe = KILN_TRY(llpc::readPipeFile(file->getBuffer(), path, warnings));
  const StringRef text = file->getBuffer();
  icd::Recipe recipe{llpc::hashBytes({text.bytes_begin(), text.size()}), text.str(), {}, 0};
  for (const llpc::PipeShader &shader : pipe.shaders) {
    if (shader.source != llpc::PipeSource::SpvFile)
      return lgc::unsupported(path + ": a shader that is no SPIR-V file");
    recipe.modules.push_back(KILN_TRY(modules.get(shader.text)));
  }
  return recipe;
}

Error checkTwo(const Options &options) {
  return options.arguments.size() == 2
             ? Error::success()
             : lgc::invalidInput("PROGRAM and FOLDER are to be given, found " +
                                 Twine(options.arguments.size()) + " names");
}

} // namespace

Error exportRecipes(const Options &options) {
  KILN_TRY(checkTwo(options));
  const std::string &program = options.arguments[0], &folder = options.arguments[1];
  auto file = KILN_TRY(openRecipes(options, /*isReadOnly=*/true));
  KILN_TRY(checkProgram(*file, program));
  if (std::error_code error = sys::fs::create_directories(folder))
    return lgc::invalidInput(folder + ": " + error.message());
  std::map<std::string, bool> written;
  size_t count = 0, lacking = 0;
  for (const icd::Recipe &recipe : file->recipes(program, everything)) {
    std::vector<std::string> warnings;
    auto pipe = KILN_TRY(llpc::readPipeFile(recipe.text, "recipe", warnings));
    bool isWhole = true;
    for (const llpc::PipeShader &shader : pipe.shaders) {
      auto [it, isNew] = written.try_emplace(shader.text, false);
      if (isNew && shader.source == llpc::PipeSource::SpvFile && isPlainName(shader.text))
        if (const auto bytes = file->module(icd::RecipeFile::nameOfModule(shader.text))) {
          KILN_TRY(writeFile(folder, shader.text, toStringRef(*bytes)));
          it->second = true;
        }
      isWhole &= it->second;
    }
    if (!isWhole) {
      ++lacking;
      continue;
    }
    KILN_TRY(writeFile(folder, llpc::toString(recipe.name) + ".pipe", recipe.text));
    ++count;
  }
  outs() << formatv("{0} recipes", count);
  if (lacking)
    outs() << formatv("; {0} lack a module", lacking);
  outs() << '\n';
  return Error::success();
}

Error importRecipes(const Options &options) {
  KILN_TRY(checkTwo(options));
  const std::string &program = options.arguments[0], &folder = options.arguments[1];
  auto file = KILN_TRY(openRecipes(options, /*isReadOnly=*/false));
  Modules modules(folder);
  std::vector<std::string> paths;
  std::error_code error;
  for (sys::fs::directory_iterator it(folder, error), end; it != end && !error; it.increment(error))
    if (StringRef(it->path()).ends_with(".pipe"))
      paths.push_back(it->path());
  if (error)
    return lgc::invalidInput(folder + ": " + error.message());
  sort(paths);
  for (size_t begin = 0; begin < paths.size(); begin += recipesAtOnce) {
    std::vector<icd::Recipe> recipes;
    for (size_t i = begin; i < std::min(begin + recipesAtOnce, paths.size()); ++i)
      recipes.push_back(KILN_TRY(readRecipe(paths[i], modules)));
    if (!file->store(program, recipes))
      return lgc::limitExceeded("the recipes are in use, damaged or too many");
  }
  outs() << formatv("{0} recipes\n", paths.size());
  return Error::success();
}

} // namespace kilncache
