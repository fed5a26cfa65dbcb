//===- PipeFileForTest.h - reading and writing with texts for errors ------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/PipeFile.h"

namespace llpc {

struct ReadResult {
  PipeFile file;
  std::string error;
  std::vector<std::string> warnings;
};

inline ReadResult read(llvm::StringRef text) {
  ReadResult result;
  auto file = readPipeFile(text, "t.pipe", result.warnings);
  if (file)
    result.file = std::move(*file);
  else
    result.error = lgc::consumeToText(file.takeError()).message;
  return result;
}

inline std::string write(const PipeFile &file) {
  auto text = writePipeFile(file);
  return text ? *text : "error: " + lgc::consumeToText(text.takeError()).message;
}

} // namespace llpc
