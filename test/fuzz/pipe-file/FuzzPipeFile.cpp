//===- FuzzPipeFile.cpp - fuzz target: text of .pipe files ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The reader on arbitrary text. What it accepts is written and read again, and must be the same: a
/// key that only one of the two knows, or a value that changes on the way, shows here.
#include "llpc/PipeFile.h"
#include "llpc/StateKey.h"
#include <cstdio>
#include <cstdlib>

using namespace llpc;

namespace {

[[noreturn]] void fail(const char *what, const std::string &detail) {
  std::fprintf(stderr, "fuzz-pipe-file: %s: %s\n", what, detail.c_str());
  std::abort();
}

/// Everything that the file says about the pipeline, by the encoding of the keys.
Hash128 contentOf(const PipeFile &file) {
  Hasher h("pipe-file", 1);
  h.u32(file.version);
  for (const PipeShader &shader : file.shaders) {
    h.enumeration(shader.stage);
    h.enumeration(shader.source);
    h.string(shader.text);
    h.string(file.info(shader.stage).entryTarget);
    encode(h, file.info(shader.stage).specialization);
    encode(h, file.info(shader.stage).options);
  }
  const PipelineBuildInfo &info =
      file.isCompute() ? static_cast<const PipelineBuildInfo &>(file.compute) : file.graphics;
  encode(h, info.resourceMapping);
  encode(h, info.options);
  h.u32(info.deviceIndex);
  if (!file.isCompute()) {
    h.u32(file.graphics.stageMask);
    encodePreRasterizationState(h, file.graphics);
    encodeFragmentState(h, file.graphics);
  }
  return h.finish();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::vector<std::string> warnings;
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  auto file = readPipeFile(text, "fuzz", warnings);
  if (!file) {
    if (lgc::ErrorText error = lgc::consumeToText(file.takeError());
        error.kind == lgc::ErrorKind::Internal)
      fail("internal error", error.message);
    return 0;
  }
  auto written = writePipeFile(*file);
  if (!written) // text that was read cannot look like a section
    fail("not written", lgc::consumeToText(written.takeError()).message);
  auto again = readPipeFile(*written, "again", warnings);
  if (!again)
    fail("not read again", lgc::consumeToText(again.takeError()).message + "\n" + *written);
  if (contentOf(*file) != contentOf(*again))
    fail("changed on the way", *written);
  return 0;
}
