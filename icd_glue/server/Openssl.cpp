//===- Openssl.cpp - TLS and signatures, loaded when they are used --------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/server/Openssl.h"
#include "llvm/Support/Compiler.h"
#include <dlfcn.h>

namespace icd {

/// Why its own symbols first: programs may export those of another OpenSSL. The sanitisers do not
/// allow that.
static void *load(const char *name) {
  int how = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;
#if !LLVM_ADDRESS_SANITIZER_BUILD && !LLVM_THREAD_SANITIZER_BUILD
  how |= RTLD_DEEPBIND;
#endif
  return dlopen(name, how);
}

Openssl::Openssl() {
#define KILN_OPENSSL_LOAD(name)                                                                    \
  name = reinterpret_cast<decltype(&::name)>(dlsym(handle, #name));                                \
  isComplete &= name != nullptr;
  if (void *handle = load("libcrypto.so.3")) {
    bool isComplete = true;
    KILN_CRYPTO_FUNCTIONS(KILN_OPENSSL_LOAD)
    hasCrypto = isComplete;
  }
  if (void *handle = load("libssl.so.3")) {
    bool isComplete = true;
    KILN_SSL_FUNCTIONS(KILN_OPENSSL_LOAD)
    hasSsl = isComplete;
  }
#undef KILN_OPENSSL_LOAD
}

} // namespace icd
