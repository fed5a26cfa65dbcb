//===- Arguments.h - command lines of tools -------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A parser of our own: users know amdllpc's and kiln-pcc's long options with a single dash, which
/// the common parsing libraries do not take, and LLVM's own cl::opt would bring every global option
/// of libLLVM into --help.
///
///   Options options;
///   const cli::Option table[] = {{"o|output", &options.output}, {"v", &options.verbose}};
///   if (llvm::Error error = cli::parse(arguments, table, &options.files)) ...
///
/// Options have one or two dashes; a value follows after '=' or is the next argument. A flag may
/// have one, true or false. What does not begin with a dash, "-" alone (standard input), lists
/// of files that begin with it ("-,entry"), and everything behind "--" are files.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace cli {

/// Takes a value. Errors: what is wrong with it, "'x' is no number".
using Set = std::function<llvm::Error(llvm::StringRef value)>;
/// Where a value goes; a bool makes the option a flag.
using Place = std::variant<bool *, std::string *, unsigned *, uint64_t *, Set>;

struct Option {
  llvm::StringRef names; ///< without dashes, '|' between them; the first one is the usual one
  Place place;
  llvm::StringRef value = {}; ///< what a Set takes, for messages: "N"; empty: it is a flag
  bool isJoined = false;      ///< the value may follow a name of one letter at once: -j4
};

/// Handles the first of \p arguments, with its value, and drops both. Errors: InvalidInput with one
/// line; the argument is dropped all the same. \p files: null when there can be none.
llvm::Error parseOne(llvm::ArrayRef<const char *> &arguments, llvm::ArrayRef<Option> options,
                     std::vector<std::string> *files);
/// All of them, to the first that is wrong. Who asks for help as well, with a flag named help and
/// no value, is told of nothing else.
llvm::Error parse(llvm::ArrayRef<const char *> arguments, llvm::ArrayRef<Option> options,
                  std::vector<std::string> *files);
/// Of main().
inline llvm::ArrayRef<const char *> argumentsOf(int count, char **arguments) {
  return llvm::ArrayRef<const char *>(arguments, count).drop_front();
}

/// "amdllpc (Kiln 0.1.0, LLVM 22.1.8)"
std::string versionText(llvm::StringRef program);
/// Prints that as a line, if the first argument is `--version`. True: it was.
bool printVersion(llvm::StringRef program, llvm::ArrayRef<const char *> arguments);
/// The same, and \p help if it is `--help` or `-h`, for programs with few options.
bool printInformation(llvm::StringRef program, llvm::StringRef help,
                      llvm::ArrayRef<const char *> arguments);

llvm::Error setFlag(bool &flag, llvm::StringRef value);
template <typename T> llvm::Error setNumber(T &number, llvm::StringRef value);
/// "a,b" as a list of at least one.
llvm::Error setList(std::vector<std::string> &list, llvm::StringRef value);

} // namespace cli
