//===- GitTrees.cpp - files as they were in a revision --------------------===//
// SPDX-License-Identifier: MIT
#include "GitTrees.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace amdllpc {

namespace {

std::string joined(StringRef folder, StringRef name) {
  llvm::SmallString<256> result(folder);
  path::append(result, name);
  return result.str().str();
}

/// What a program prints. Errors: it cannot be found; its last words when it fails.
llvm::Expected<std::string> outputOf(StringRef name, llvm::ArrayRef<StringRef> arguments,
                                     const std::string &scratch) {
  auto program = llvm::sys::findProgramByName(name);
  if (!program)
    return lgc::invalidInput(name + ": " + program.getError().message());
  const std::string out = joined(scratch, "out"), err = joined(scratch, "err");
  llvm::SmallVector<StringRef, 12> all = {name};
  all.append(arguments.begin(), arguments.end());
  const std::optional<StringRef> redirects[] = {StringRef(""), StringRef(out), StringRef(err)};
  const int code = llvm::sys::ExecuteAndWait(*program, all, std::nullopt, redirects);
  auto text = llvm::MemoryBuffer::getFile(code ? err : out, /*IsText=*/true);
  const std::string said = text ? (*text)->getBuffer().trim().str() : "";
  if (code)
    return lgc::invalidInput(name + ": " + (said.empty() ? "failed" : said));
  return said;
}

llvm::Expected<std::string> newFolder() {
  llvm::SmallString<128> folder;
  if (std::error_code code = fs::createUniqueDirectory("amdllpc", folder))
    return lgc::invalidInput("no temporary folder: " + code.message());
  return folder.str().str();
}

llvm::Expected<std::string> topOf(StringRef folder, const std::string &scratch) {
  return outputOf("git", {"-C", folder.empty() ? "." : folder, "rev-parse", "--show-toplevel"},
                  scratch);
}

/// \p absolute from \p top; both without links.
llvm::Expected<std::string> below(const std::string &top, StringRef absolute) {
  llvm::SmallString<256> real;
  if (fs::real_path(absolute, real))
    real = absolute; // it is in the revision only
  StringRef rest = real;
  if (!rest.consume_front(top) || !(rest.empty() || rest.consume_front("/")))
    return lgc::invalidInput(absolute + " is not in the repository " + top);
  return rest.str();
}

} // namespace

GitTrees::~GitTrees() {
  for (const std::string &folder : folders)
    (void)fs::remove_directories(folder);
}

llvm::Expected<std::string> GitTrees::treeOf(const std::string &top, StringRef revision) {
  if (revision.empty() || revision.starts_with("-"))
    return lgc::invalidInput("'" + revision + "' is no revision");
  std::string &tree = trees[{top, revision.str()}];
  if (!tree.empty())
    return tree;
  const std::string folder = KILN_TRY(newFolder());
  folders.push_back(folder);
  const std::string archive = joined(folder, "archive.tar"), content = joined(folder, "tree");
  if (std::error_code code = fs::create_directory(content))
    return lgc::invalidInput(content + ": " + code.message());
  KILN_TRY(
      outputOf("git", {"-C", top, "archive", "--format=tar", "-o", archive, revision}, folder));
  KILN_TRY(outputOf("tar", {"-xf", archive, "-C", content}, folder));
  (void)fs::remove(archive);
  return tree = content;
}

llvm::Expected<std::string> GitTrees::find(StringRef spec) {
  StringRef rest = spec;
  rest.consume_front("git:");
  auto [revision, place] = rest.split(':');
  if (place.empty())
    return lgc::invalidInput(spec + ": not of the form git:REVISION:PATH");
  if (place.starts_with("./"))
    return find(revision, place);
  const std::string scratch = KILN_TRY(newFolder());
  folders.push_back(scratch);
  const std::string top = KILN_TRY(topOf("", scratch));
  return find(revision, joined(top, place));
}

llvm::Expected<std::string> GitTrees::find(StringRef revision, StringRef file) {
  const std::string scratch = KILN_TRY(newFolder());
  folders.push_back(scratch);
  llvm::SmallString<256> absolute(file);
  if (fs::make_absolute(absolute))
    return lgc::invalidInput(file + ": no absolute path");
  path::remove_dots(absolute, /*remove_dot_dot=*/true);
  const bool isFolder = fs::is_directory(absolute);
  StringRef folder = isFolder ? StringRef(absolute) : path::parent_path(absolute);
  while (!folder.empty() && !fs::is_directory(folder)) // what is in the revision only
    folder = path::parent_path(folder);
  const std::string top = KILN_TRY(topOf(folder, scratch));
  const std::string name = KILN_TRY(below(top, absolute));
  const std::string tree = KILN_TRY(treeOf(top, revision));
  std::string found = joined(tree, name);
  if (!fs::exists(found))
    return lgc::invalidInput(name + " is not in " + revision);
  return found;
}

} // namespace amdllpc
