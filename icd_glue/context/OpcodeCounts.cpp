//===- OpcodeCounts.cpp - KILN_OPCODE_COUNTS ------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/context/OpcodeCounts.h"
#include "llvm/Support/Errno.h"
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

namespace icd {

std::string formatOpcodeCounts(StringRef target,
                               const std::map<pal::device::OpcodeKey, uint64_t> &counts) {
  std::string text;
  for (const auto &[key, count] : counts)
    text += target.str() + " " + key.first + " " + (key.second.empty() ? "-" : key.second) + " " +
            std::to_string(count) + "\n";
  return text;
}

Error appendOpcodeCounts(const std::string &path, StringRef target,
                         const std::map<pal::device::OpcodeKey, uint64_t> &counts) {
  std::string text = formatOpcodeCounts(target, counts);
  if (text.empty())
    return Error::success();
  auto failure = [&] {
    return createStringError(std::error_code(errno, std::generic_category()), "%s: %s",
                             path.c_str(), sys::StrError().c_str());
  };
  int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0)
    return failure();
  ssize_t written = write(file, text.data(), text.size());
  Error error = written == static_cast<ssize_t>(text.size()) ? Error::success() : failure();
  close(file);
  return error;
}

} // namespace icd
