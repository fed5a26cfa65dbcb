//===- Compiler.cpp - the compiler's interface ----------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/Compile.h"
#include "llpc/context/CompilerImpl.h"
#include "pal_shim/abi/TargetInfo.h"
#include <cstring>

namespace llpc {

Result resultOf(lgc::ErrorKind kind) {
  switch (kind) {
  case lgc::ErrorKind::InvalidInput:
    return Result::ErrorInvalidShader;
  case lgc::ErrorKind::Unsupported:
    return Result::Unsupported;
  case lgc::ErrorKind::LimitExceeded:
    return Result::ErrorUnavailable;
  case lgc::ErrorKind::Internal:
    break;
  }
  return Result::ErrorUnknown;
}

llvm::Expected<PipelineBinary> PipelineBinary::copyTo(llvm::ArrayRef<uint8_t> bytes,
                                                      OutputAllocFunc alloc, void *instance,
                                                      void *userData) {
  void *memory = alloc(instance, userData, bytes.size());
  if (!memory)
    return lgc::limitExceeded("pfnOutputAlloc gave no memory for " + llvm::Twine(bytes.size()) +
                              " bytes");
  std::memcpy(memory, bytes.data(), bytes.size());
  PipelineBinary binary;
  binary.external = {static_cast<const uint8_t *>(memory), bytes.size()};
  return binary;
}

PipelineBinary PipelineBinary::own(std::vector<uint8_t> bytes) {
  PipelineBinary binary;
  binary.owned = std::move(bytes);
  return binary;
}

llvm::ArrayRef<uint8_t> PipelineBinary::bytes() const {
  return external.data() ? external : llvm::ArrayRef<uint8_t>(owned);
}

Compiler::Compiler() = default;
Compiler::~Compiler() = default;

llvm::Expected<std::unique_ptr<Compiler>> Compiler::create(const CompilerOptions &options) {
  const pal::abi::GpuTarget *target = pal::abi::findTarget(options.target);
  if (!target) {
    std::string known;
    for (const pal::abi::GpuTarget &row : pal::abi::allTargets())
      known += (known.empty() ? "" : " ") + row.name.str();
    return lgc::unsupported("unknown target '" + llvm::Twine(options.target) + "'; known are " +
                            known);
  }
  lgc::initializeTarget();
  std::unique_ptr<Compiler> compiler(new Compiler);
  compiler->impl = std::make_unique<Impl>(*target, options);
  return compiler;
}

llvm::StringRef Compiler::target() const { return impl->target.name; }

} // namespace llpc
