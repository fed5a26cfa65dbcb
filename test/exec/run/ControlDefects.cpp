//===- ControlDefects.cpp - what the control is known to do wrong ---------===//
// SPDX-License-Identifier: MIT
#include "ControlDefects.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace exec {

namespace {

Error badLine(unsigned number, const Twine &why) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "line " + Twine(number) + ": " + why);
}

/// Do all words of a condition hold? `any`, `avx512`, `no-avx512`, `128-bit`, `256-bit`, `512-bit`.
Expected<bool> holds(StringRef condition, const ControlHost &host, unsigned number) {
  llvm::SmallVector<StringRef, 4> words;
  condition.split(words, ' ', -1, /*KeepEmpty=*/false);
  bool all = true;
  for (StringRef word : words) {
    unsigned bits = 0;
    if (word == "avx512" || word == "no-avx512")
      all &= host.hasAvx512 == (word == "avx512");
    else if (StringRef digits = word; digits.consume_back("-bit") && !digits.getAsInteger(10, bits))
      all &= host.vectorBits == bits;
    else if (word != "any")
      return badLine(number, "'" + word + "' is none of any, avx512, no-avx512, N-bit");
  }
  if (words.empty())
    return badLine(number, "which hosts?");
  return all;
}

} // namespace

ControlHost controlHost(unsigned subgroupSize) {
  __builtin_cpu_init();
  return {__builtin_cpu_supports("avx512f") != 0, 32 * subgroupSize};
}

Expected<ControlDefects> ControlDefects::parse(StringRef text, const ControlHost &host) {
  ControlDefects defects;
  unsigned number = 0;
  for (StringRef line : llvm::split(text, '\n')) {
    ++number;
    if (line.trim().empty() || line.starts_with("#"))
      continue;
    llvm::SmallVector<StringRef, 3> columns;
    line.split(columns, '|', 2);
    if (columns.size() != 3 || columns[0].trim().empty() || columns[2].trim().empty())
      return badLine(number, "is not of the form TEST | HOSTS | WHAT");
    bool isHere = KILN_TRY(holds(columns[1], host, number));
    if (isHere)
      defects.rows.push_back({columns[0].trim().str(), columns[2].trim().str()});
  }
  return defects;
}

Expected<ControlDefects> ControlDefects::load(const std::string &path, const ControlHost &host) {
  if (path.empty())
    return ControlDefects();
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return llvm::createStringError(file.getError(), path + ": " + file.getError().message());
  Expected<ControlDefects> defects = parse((*file)->getBuffer(), host);
  if (!defects)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   path + ", " + llvm::toString(defects.takeError()));
  return defects;
}

StringRef ControlDefects::find(StringRef test) const {
  for (const Row &row : rows)
    if (test.contains(row.test))
      return row.what;
  return "";
}

} // namespace exec
