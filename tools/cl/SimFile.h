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
/// Images and samplers, which Oclgrind's files have not:
///
///   <image=4x2 order=rgba channel=unorm8 fill=0 dump>      4 x 2 texels
///   <image=8 order=r channel=float> 1 2 3 4 5 6 7 8        of one dimension
///   <sampler=linear,repeat,normalized>
///
/// image=WIDTH[xHEIGHT[xDEPTH]], where arrays have their number of layers last; order=r, rg, rgba
/// or bgra; channel=unorm8, unorm16, snorm8, snorm16, sint8, sint16, sint32, uint8, uint16, uint32,
/// half or float; the numbers are what memory holds, row by row (of halves: their bits). Words of
/// sampler=: nearest or linear; none, edge, clamp, repeat or mirror; normalized or unnormalized.
///
/// Header words: size=BYTES; null; dump; noinit (no numbers follow, zeros); hex (those that
/// follow); fill=VALUE; range=FIRST:STEP:LAST; ro and wo, which change nothing; and the type of the
/// numbers, without which it is the parameter's: char, uchar, short, ushort, int, uint, long,
/// ulong, float, double.
#pragma once

#include "tools/cl/Images.h"
#include <array>
#include <string>
#include <vector>

namespace kiln_cl {

uint32_t bytesOf(Element type);
/// "  y[3] = 4.5" without the name: one element as Oclgrind prints it.
std::string textOf(Element type, const uint8_t *bytes);

struct SimArgument {
  bool isNull = false, isDumped = false;
  Element type = Element::Uchar;
  std::vector<uint8_t> bytes; ///< content; of __local memory zeros
  ImageWords image;           ///< of an image
  llpc::KernelSampler sampler;
};

/// What the header alone does not say.
struct SimParameter {
  std::string name, type; ///< "y", "float*"; an empty type is not known
  llpc::KernelArgumentKind kind = llpc::KernelArgumentKind::Value;
  llpc::KernelImageDim dim = llpc::KernelImageDim::Dim2D; ///< of an image

  bool isPointer() const { ///< to a buffer
    return kind == llpc::KernelArgumentKind::GlobalPointer ||
           kind == llpc::KernelArgumentKind::ConstantPointer;
  }
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

  struct Header;

  llvm::Error wrong(const llvm::Twine &message) const;
  void skip();
  llvm::Expected<llvm::StringRef> word(llvm::StringRef what);
  llvm::Expected<llvm::StringRef> header();
  llvm::Expected<uint32_t> number(llvm::StringRef what);
  llvm::Error readWord(llvm::StringRef word, const SimParameter &parameter, Header &header,
                       SimArgument &argument);
  llvm::Error readSize(const SimParameter &parameter, const Header &header, SimArgument &argument);
  llvm::Error readContent(const Header &header, SimArgument &argument);
  llvm::Error readNumbers(SimArgument &argument, bool hex);
};

} // namespace kiln_cl
