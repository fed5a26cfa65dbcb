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
  for (size_t i = 0; i < file.shaders.size(); ++i) {
    h.enumeration(file.shaders[i].stage);
    h.enumeration(file.shaders[i].source);
    h.string(file.shaders[i].text);
    h.string(file.infoOf(i).entryTarget);
    encode(h, file.infoOf(i).specialization);
    encode(h, file.infoOf(i).options);
  }
  file.visit([&](const PipelineBuildInfo &info) {
    encode(h, info.resourceMapping);
    encode(h, info.options);
    h.u32(info.deviceIndex);
  });
  if (file.isRays()) {
    const RayTracingPipelineBuildInfo &rays = file.rays;
    for (uint32_t number : {rays.launchUserData, rays.maxRecursionDepth})
      h.u32(number);
    for (bool flag : {rays.skipTriangles, rays.skipAabbs})
      h.boolean(flag);
    for (const RayTracingShaderInfo &shader : rays.shaders)
      h.u32(shader.id);
  } else if (!file.isCompute()) {
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
