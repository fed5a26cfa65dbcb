//===- Create.cpp - what a driver links against ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The static functions of Llpc::ICompiler, and the one that vkgc/ calls in their place so that a
/// driver's build ID depends on this library's (vkgc/CMakeLists.txt).
#include "icd_glue/amd/Adapter.h"
#include "icd_glue/context/BuildId.h"
#include "llpc/Formats.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdlib>

using namespace icd::amd;

namespace icd::amd {

void checkIdentity(Log &log, llvm::StringRef identity) {
  const std::string own = llvm::toHex(icd::buildId(), /*LowerCase=*/true);
  if (identity.empty() || own.empty() || identity == own)
    return;
  log.once("identity", "the driver was linked with build " + identity +
                           " of this library, which is " + own +
                           ": code of the other one may come from the driver's cache on disk "
                           "until the driver is linked again");
}

namespace {

Vkgc::Result createAdapter(llvm::StringRef identity, Vkgc::GfxIpVersion gfxIp, unsigned count,
                           const char *const *options, Llpc::ICompiler **out) {
  if (!out || (count && !options))
    return Vkgc::Result::ErrorInvalidPointer;
  // A driver has options for its compiler, but not every user has a way to set them.
  const char *variable = secure_getenv("KILN_AMD_OPTIONS");
  const std::vector<std::string> more = splitOptions(variable ? variable : "");
  std::vector<const char *> all(options, options + count);
  for (const std::string &option : more)
    all.push_back(option.c_str());
  auto adapter = Adapter::create(gfxIp, all);
  if (!adapter) {
    const lgc::ErrorText text = lgc::consumeToText(adapter.takeError());
    Log().line(text.message);
    return resultOf(text.kind);
  }
  (*adapter)->checkLinkedWith(identity);
  *out = *adapter;
  return Vkgc::Result::Success;
}

} // namespace
} // namespace icd::amd

extern "C" Vkgc::Result kilnAmdCreateCompiler(const char *identity, const Vkgc::GfxIpVersion *gfxIp,
                                              unsigned count, const char *const *options,
                                              Llpc::ICompiler **out) {
  return createAdapter(identity ? identity : "", *gfxIp, count, options, out);
}

namespace Llpc {

Vkgc::Result ICompiler::Create(GfxIpVersion gfxIp, unsigned optionCount, const char *const *options,
                               ICompiler **out, Vkgc::ICache *) {
  return createAdapter("", gfxIp, optionCount, options, out);
}

bool ICompiler::IsVertexFormatSupported(VkFormat format) {
  return llpc::vertexElementBytes(static_cast<uint32_t>(format)) != 0;
}

} // namespace Llpc
