//===- OpenCl.cpp - OpenCL C to SPIR-V through clang ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// clang without optimisation, because ours follows and both writers of SPIR-V make mistakes of
/// optimised code. Its bitcode goes to SPIRV-LLVM-Translator where there is one.
#include "tools/frontend/OpenCl.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using llvm::StringRef;
using llvm::Twine;

namespace frontend {

namespace {

constexpr unsigned maxSeconds = 60;
constexpr unsigned maxMegabytes = 4096;

#define KILN_STRING_OF(x) #x
#define KILN_STRING(x) KILN_STRING_OF(x)
constexpr llvm::StringLiteral version = KILN_STRING(LLVM_VERSION_MAJOR);

/// A file that goes with its owner.
class TemporaryFile {
public:
  static llvm::Expected<TemporaryFile> create(StringRef suffix) {
    llvm::SmallString<128> path;
    if (std::error_code error = llvm::sys::fs::createTemporaryFile("kiln", suffix, path))
      return lgc::invalidInput("no temporary file: " + error.message());
    return TemporaryFile(path.str().str());
  }
  TemporaryFile(TemporaryFile &&other) noexcept { std::swap(path, other.path); }
  TemporaryFile &operator=(TemporaryFile &&) = delete;
  ~TemporaryFile() {
    if (!path.empty())
      llvm::sys::fs::remove(path);
  }
  std::string path;

private:
  explicit TemporaryFile(std::string path) : path(std::move(path)) {}
};

std::string contentOf(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

/// Runs \p arguments, of which the first is the program. Error: what it said, and how it ended.
llvm::Error runChild(llvm::ArrayRef<std::string> arguments, const std::string &input,
                     const std::string &name) {
  const TemporaryFile messages = KILN_TRY(TemporaryFile::create("txt"));
  llvm::SmallVector<StringRef, 16> texts(arguments.begin(), arguments.end());
  const std::optional<StringRef> redirects[] = {StringRef(input), StringRef(messages.path),
                                                StringRef(messages.path)};
  std::string error;
  const int status = llvm::sys::ExecuteAndWait(arguments[0], texts, std::nullopt, redirects,
                                               maxSeconds, maxMegabytes, &error);
  if (status == 0)
    return llvm::Error::success();
  const StringRef program = llvm::sys::path::filename(arguments[0]);
  std::string said = StringRef(contentOf(messages.path)).trim().take_front(4000).str();
  if (status > 0)
    return lgc::invalidInput(said.empty() ? (program + " refuses " + name).str() : said);
  // -1: not started; -2: it crashed, or took too long.
  return lgc::invalidInput(program + " ended on " + name + ": " +
                           (error.empty() ? "it could not be run" : error) +
                           (said.empty() ? "" : "\n" + said));
}

/// clang's messages with the input's name in place of "<stdin>".
std::string renamed(std::string text, const std::string &name) {
  for (size_t at = 0; (at = text.find("<stdin>", at)) != std::string::npos; at += name.size())
    text.replace(at, strlen("<stdin>"), name);
  return text;
}

llvm::Expected<std::string> findClang() {
  for (const std::string &name : {("clang-" + version).str(), std::string("clang")})
    if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(name))
      return *path;
  return lgc::unsupported("OpenCL C needs clang-" + version + ", which is not installed");
}

/// A file that `./kiln setup` has put beside what is built (tools/setup/fetch-opencl.sh), whatever
/// preset this program is of; empty: it is not there.
std::string findFetched(StringRef file) {
  const std::string program = llvm::sys::fs::getMainExecutable(nullptr, nullptr);
  for (StringRef folder : {"../opencl", "../../build/opencl"}) {
    llvm::SmallString<256> path(llvm::sys::path::parent_path(program));
    llvm::sys::path::append(path, folder, file);
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    if (llvm::sys::fs::exists(path))
      return path.str().str();
  }
  return {};
}

/// Empty: clang writes the SPIR-V.
llvm::Expected<std::string> findTranslator(const OpenClOptions &options) {
  if (options.translator == "off")
    return std::string();
  const std::string name =
      options.translator.empty() ? ("llvm-spirv-" + version).str() : options.translator;
  if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(name))
    return *path;
  if (options.translator.empty())
    return findFetched("bin/" + name);
  return lgc::invalidInput("no program " + name);
}

/// Runs clang on \p text; \p output: options that say what it writes into \p made.
llvm::Error runClang(const std::string &text, const OpenClOptions &options, const std::string &name,
                     std::initializer_list<const char *> output, const std::string &made) {
  const TemporaryFile source = KILN_TRY(TemporaryFile::create("cl"));
  std::error_code error;
  llvm::raw_fd_ostream(source.path, error) << text;
  if (error)
    return lgc::invalidInput(source.path + ": " + error.message());
  std::vector<std::string> arguments = {KILN_TRY(findClang()),
                                        "-x",
                                        "cl",
                                        "-cl-std=" + options.standard,
                                        "-O0",
                                        "-Xclang",
                                        "-disable-O0-optnone",
                                        "--target=spirv64",
                                        "-fno-color-diagnostics",
                                        "-w"};
  // C's `inline` alone defines no function that is there without optimisation.
  if (!StringRef(options.standard).contains("++"))
    arguments.push_back("-fgnu89-inline");
  if (options.debugInfo)
    arguments.push_back("-g");
  for (const std::string &define : options.defines)
    arguments.push_back("-D" + define);
  const StringRef folder = llvm::sys::path::parent_path(name);
  arguments.push_back("-I" + (folder.empty() ? "." : folder).str());
  for (const std::string &include : options.includeDirs)
    arguments.push_back("-I" + include);
  arguments.insert(arguments.end(), output.begin(), output.end());
  for (const std::string &last : {std::string("-o"), made, std::string("-")})
    arguments.push_back(last);
  if (llvm::Error failed = runChild(arguments, source.path, name))
    return lgc::invalidInput(renamed(lgc::consumeToText(std::move(failed)).message, name));
  return llvm::Error::success();
}

/// The strings of metadata \p kind of \p kernel in LLVM IR:
/// `define spir_kernel void @kernel(...) !kind !7 {` and `!7 = !{!"float*", !"uint"}`.
std::vector<std::string> metadataOf(StringRef ir, StringRef kernel, StringRef kind) {
  const size_t define = ir.find(("spir_kernel void @" + kernel + "(").str());
  if (define == StringRef::npos)
    return {};
  const StringRef line = ir.substr(define).split('\n').first;
  const size_t at = line.find(("!" + kind + " !").str());
  if (at == StringRef::npos)
    return {};
  const StringRef number =
      line.substr(at + kind.size() + 3).take_while([](char c) { return c >= '0' && c <= '9'; });
  const size_t node = ir.find(("\n!" + number + " = !{").str());
  std::vector<std::string> strings;
  StringRef rest = node == StringRef::npos ? "" : ir.substr(node + 1).split('\n').first;
  while (rest.contains("!\"")) {
    rest = rest.split("!\"").second;
    strings.push_back(rest.split('"').first.str());
    rest = rest.split('"').second;
  }
  return strings;
}

std::vector<uint8_t> bytesOf(const std::string &path) {
  const std::string content = contentOf(path);
  return std::vector<uint8_t>(content.begin(), content.end());
}

} // namespace

llvm::Expected<std::vector<uint8_t>>
compileOpenCl(const std::string &text, const OpenClOptions &options, const std::string &name) {
  const std::string translator = KILN_TRY(findTranslator(options));
  const TemporaryFile made = KILN_TRY(TemporaryFile::create(translator.empty() ? "spv" : "bc"));
  if (translator.empty()) {
    KILN_TRY(runClang(text, options, name, {"-c"}, made.path));
    return bytesOf(made.path);
  }
  KILN_TRY(runClang(text, options, name, {"-c", "-emit-llvm"}, made.path));
  const TemporaryFile written = KILN_TRY(TemporaryFile::create("spv"));
  if (llvm::Error failed = runChild(
          {translator, "--spirv-max-version=1.4", made.path, "-o", written.path}, "", name))
    return lgc::invalidInput(lgc::consumeToText(std::move(failed)).message +
                             "; -spirv-translator=off uses clang's own writer");
  return bytesOf(written.path);
}

llvm::Expected<std::vector<uint8_t>> readOpenClLibrary(const OpenClOptions &options) {
  constexpr StringRef file = "spirv64-mesa3d-.spv";
  if (options.library == "off")
    return std::vector<uint8_t>();
  if (!options.library.empty()) {
    std::vector<uint8_t> bytes = bytesOf(options.library);
    if (bytes.empty())
      return lgc::invalidInput("no file " + options.library);
    return bytes;
  }
  for (const std::string &path :
       {findFetched(file), ("/usr/lib/clc/" + file).str(), ("/usr/share/clc/" + file).str()})
    if (std::vector<uint8_t> bytes = bytesOf(path); !bytes.empty())
      return bytes;
  return std::vector<uint8_t>();
}

llvm::Expected<std::vector<KernelParameter>> kernelParameters(const std::string &text,
                                                              const OpenClOptions &options,
                                                              const std::string &name,
                                                              StringRef kernel) {
  const TemporaryFile made = KILN_TRY(TemporaryFile::create("ll"));
  KILN_TRY(runClang(text, options, name, {"-S", "-emit-llvm", "-cl-kernel-arg-info"}, made.path));
  const std::string ir = contentOf(made.path);
  const std::vector<std::string> types = metadataOf(ir, kernel, "kernel_arg_type"),
                                 names = metadataOf(ir, kernel, "kernel_arg_name");
  std::vector<KernelParameter> parameters;
  for (size_t i = 0; i < std::min(types.size(), names.size()); ++i)
    parameters.push_back({types[i], names[i]});
  return parameters;
}

} // namespace frontend
