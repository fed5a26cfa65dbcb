//===- Tls.h - TLS without a socket ---------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What goes over the line comes from and goes to strings, so that whoever has the socket decides
/// how long anything may take.
#pragma once

#include "icd_glue/server/Openssl.h"
#include "icd_glue/server/Secrets.h"

namespace icd {

/// What is the same for all connections to a server.
class TlsContext {
public:
  /// Errors: Unsupported without OpenSSL; InvalidInput for files that are none.
  static llvm::Expected<std::unique_ptr<TlsContext>> create(const TlsFiles &files);
  ~TlsContext();
  TlsContext(const TlsContext &) = delete;

private:
  friend class TlsSession;
  TlsContext() = default;
  Openssl openssl;
  SSL_CTX *context = nullptr;
};

class TlsSession {
public:
  /// \p host: what the server's certificate must be for, a name or an address.
  TlsSession(const TlsContext &context, const std::string &host);
  ~TlsSession();
  TlsSession(const TlsSession &) = delete;

  enum class Step : uint8_t {
    Done,
    NeedsInput, ///< bytes of the line (put()), and then once more
    Failed,     ///< a certificate that is not good, or not TLS
  };
  Step handshake();
  Step write(llvm::StringRef text);
  /// Appends to \p text.
  Step read(std::string &text);

  void put(llvm::StringRef fromLine);
  /// What must be sent, also after a failure.
  std::string take();

private:
  Step step(int result);

  const Openssl &openssl;
  SSL *session = nullptr;
  BIO *in = nullptr, *out = nullptr; ///< the session's
};

} // namespace icd
