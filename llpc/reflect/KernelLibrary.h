//===- KernelLibrary.h - the functions behind OpenCL.std ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A module of functions that kernels call by their mangled names, such as libclc's spirv64 file.
/// It is read when the first kernel needs one of them, and never changes then: threads share it.
#pragma once

#include "llpc/Kernels.h"
#include "llpc/spirv/KernelDialect.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>

namespace llpc {

class KernelLibrary {
public:
  /// \p spirv: checked by module(). \p hash: of \p spirv.
  KernelLibrary(std::vector<uint8_t> spirv, const Hash128 &hash)
      : hash(hash), spirv(std::move(spirv)) {}

  const Hash128 hash;

  /// Errors: as spirv::parseKernels(), and InvalidInput for a module of another dialect.
  llvm::Expected<const spirv::Module *> module() const;
  /// The function that it exports with this name; 0: none. After module().
  spirv::Id find(llvm::StringRef name) const { return exports.lookup(name); }

private:
  const std::vector<uint8_t> spirv;
  mutable std::once_flag once;
  mutable std::unique_ptr<spirv::Module> parsed;
  mutable lgc::ErrorText failure; ///< when there is no `parsed`
  mutable llvm::StringMap<spirv::Id> exports;

  void read() const;
};

/// The name that LinkageAttributes of \p type gives an id; empty: none.
llvm::StringRef linkageName(const spirv::Module &module, spirv::Id id, spv::LinkageType type);
/// Does the module have instructions or calls that a KernelLibrary may have to answer?
bool mayUseLibrary(const spirv::Module &module);

} // namespace llpc
