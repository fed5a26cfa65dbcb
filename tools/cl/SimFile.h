//===- SimFile.h - one run of a kernel, as Oclgrind's files say it --------===//
// SPDX-License-Identifier: MIT
/// \file
/// A text file: program, kernel, global size and size of workgroups in three numbers each, then for
/// each argument a header and numbers. '#' begins a comment.
///
///   saxpy.cl
///   saxpy
///   16 1 1
///   4 1 1
///   <size=64 range=0:1:15 dump>     buffer of 64 bytes: 0, 1, ... 15; printed when all is done
///   <size=64 fill=2 float>          buffer full of 2.0
///   <size=4> 1.5                    a number
///   <size=256>                      of a __local argument: memory
///
/// Header words: size=BYTES; null; dump; noinit (no numbers follow, zeros); hex (those that
/// follow); fill=VALUE; range=FIRST:STEP:LAST; ro and wo, which change nothing; and the type of the
/// numbers, without which it is the parameter's: char, uchar, short, ushort, int, uint, long,
/// ulong, float, double.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace kiln_cl {

enum class Element : uint8_t { Char, Uchar, Short, Ushort, Int, Uint, Long, Ulong, Float, Double };
uint32_t bytesOf(Element type);
/// "  y[3] = 4.5" without the name: one element as Oclgrind prints it.
std::string textOf(Element type, const uint8_t *bytes);

struct SimArgument {
  bool isNull = false, isDumped = false;
  Element type = Element::Uchar;
  std::vector<uint8_t> bytes; ///< content; of __local memory zeros
};

/// What the header alone does not say.
struct SimParameter {
  std::string name, type; ///< "y", "float*"; an empty type is not known
  bool isLocal = false;   ///< __local: there are no numbers
  bool isPointer = false; ///< null and dump are allowed
};

/// Where the reader is.
class SimReader {
public:
  explicit SimReader(llvm::StringRef text) : rest(text) {}

  struct Launch {
    std::string program, kernel;
    std::array<uint32_t, 3> global, local;
  };
  /// Errors: InvalidInput with the line.
  llvm::Expected<Launch> readLaunch();
  /// Errors: InvalidInput with line and parameter; LimitExceeded beyond 1 GiB.
  llvm::Expected<SimArgument> readArgument(const SimParameter &parameter);
  /// Error when there is more.
  llvm::Error readEnd();

private:
  llvm::StringRef rest;
  unsigned line = 1;

  llvm::Error wrong(const llvm::Twine &message) const;
  void skip();
  llvm::Expected<llvm::StringRef> word(llvm::StringRef what);
  llvm::Expected<llvm::StringRef> header();
  llvm::Expected<uint32_t> number(llvm::StringRef what);
  llvm::Error readNumbers(SimArgument &argument, bool hex);
};

} // namespace kiln_cl
