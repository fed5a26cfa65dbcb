//===- Output.cpp - where results go --------------------------------------===//
// SPDX-License-Identifier: MIT
#include "Output.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;
using llvm::Twine;

namespace amdllpc {

static const char *extensionOf(llpc::OutputKind kind) {
  switch (kind) {
  case llpc::OutputKind::Elf:
    break;
  case llpc::OutputKind::Assembly:
    return ".s";
  case llpc::OutputKind::LlvmIr:
    return ".ll";
  case llpc::OutputKind::LgcIr:
    return ".lgc.ll";
  case llpc::OutputKind::LlvmBitcode:
    return ".bc";
  }
  return ".elf";
}

std::string OutputPlan::fileFor(const std::string &inputName, const std::string &entry,
                                const std::string &target) const {
  if (!toFolder)
    return path;
  std::string name = inputName;
  if (!entry.empty() && entry != "main")
    name += "." + entry;
  if (nameTarget)
    name += "." + target;
  // Entry names may hold anything, also what would leave the folder.
  for (char &c : name)
    if (c == '/' || c == '\0')
      c = '_';
  llvm::SmallString<256> file(path);
  llvm::sys::path::append(file, name + extension);
  return file.str().str();
}

llvm::Expected<OutputPlan> OutputPlan::create(const Options &options,
                                              llvm::ArrayRef<PipelineInput> inputs,
                                              size_t targetCount) {
  OutputPlan plan;
  if (!wantsOutput(options))
    return plan;
  plan.enabled = true;
  plan.path = options.output;
  plan.extension = extensionOf(options.outputKind);
  plan.nameTarget = targetCount > 1;
  plan.toStdout = plan.path.empty() || plan.path == "-";
  bool isSeveral = inputs.size() * targetCount > 1;
  bool isText = plan.extension == ".s" || StringRef(plan.extension).ends_with(".ll");
  if (plan.toStdout) {
    if (isSeveral && !isText)
      return lgc::invalidInput("several results do not fit standard output; give a folder with -o");
    if (!isText && llvm::sys::Process::StandardOutIsDisplayed())
      return lgc::invalidInput(
          "a code object is not written to a terminal; redirect or use -o FILE");
    return plan;
  }
  plan.toFolder =
      isSeveral || llvm::sys::fs::is_directory(plan.path) || StringRef(plan.path).ends_with("/");
  if (!plan.toFolder)
    return plan;
  if (llvm::sys::fs::exists(plan.path) && !llvm::sys::fs::is_directory(plan.path))
    return lgc::invalidInput("several results do not fit the file " + plan.path +
                             "; give a folder with -o");
  if (std::error_code error = llvm::sys::fs::create_directories(plan.path))
    return lgc::invalidInput(plan.path + ": " + error.message());
  llvm::StringSet<> files;
  for (const PipelineInput &input : inputs) {
    std::string file = plan.fileFor(input.outputName(), input.entry(), "");
    if (!files.insert(file).second)
      return lgc::invalidInput("two inputs would both be written to " + file);
  }
  return plan;
}

llvm::Error OutputPlan::write(const JobResult &result) const {
  if (!enabled || result.error)
    return llvm::Error::success();
  if (toStdout) {
    llvm::outs() << result.bytes;
    return llvm::Error::success();
  }
  return writeFile(fileFor(result.outputName, result.entry, result.target), result.bytes);
}

llvm::Error writeFile(const std::string &path, StringRef bytes) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (!error) {
    os << bytes;
    os.close();
    error = os.error();
    os.clear_error();
  }
  if (error)
    return lgc::invalidInput("cannot write " + path + ": " + error.message());
  return llvm::Error::success();
}

} // namespace amdllpc
