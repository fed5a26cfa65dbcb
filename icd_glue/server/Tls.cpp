//===- Tls.cpp - TLS without a socket -------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/server/Tls.h"
#include "lgc/CompileError.h"

using llvm::Expected;
using llvm::StringRef;

namespace icd {

Expected<std::unique_ptr<TlsContext>> TlsContext::create(const TlsFiles &files) {
  std::unique_ptr<TlsContext> made(new TlsContext());
  const Openssl &openssl = made->openssl;
  if (!openssl.hasTls())
    return lgc::unsupported("TLS needs OpenSSL 3 (libssl.so.3), which cannot be loaded");
  made->context = openssl.SSL_CTX_new(openssl.TLS_client_method());
  if (!made->context)
    return lgc::limitExceeded("no memory for TLS");
  openssl.SSL_CTX_ctrl(made->context, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, nullptr);
  openssl.SSL_CTX_set_verify(made->context, SSL_VERIFY_PEER, nullptr);
  const auto isGood = [&] {
    if (files.ca.empty() ? openssl.SSL_CTX_set_default_verify_paths(made->context) != 1
                         : openssl.SSL_CTX_load_verify_file(made->context, files.ca.c_str()) != 1)
      return false;
    if (files.certificate.empty())
      return true;
    const std::string &key = files.key.empty() ? files.certificate : files.key;
    return openssl.SSL_CTX_use_certificate_chain_file(made->context, files.certificate.c_str()) ==
               1 &&
           openssl.SSL_CTX_use_PrivateKey_file(made->context, key.c_str(), SSL_FILETYPE_PEM) == 1 &&
           openssl.SSL_CTX_check_private_key(made->context) == 1;
  }();
  openssl.ERR_clear_error();
  if (!isGood)
    return lgc::invalidInput("TLS: '" + files.ca + "', '" + files.certificate + "' or '" +
                             files.key + "' is no certificate or key in PEM that fits");
  return made;
}

TlsContext::~TlsContext() {
  if (context)
    openssl.SSL_CTX_free(context);
}

TlsSession::TlsSession(const TlsContext &context, const std::string &host)
    : openssl(context.openssl), session(openssl.SSL_new(context.context)) {
  if (!session)
    return;
  in = openssl.BIO_new(openssl.BIO_s_mem());
  out = openssl.BIO_new(openssl.BIO_s_mem());
  openssl.SSL_set_bio(session, in, out);
  openssl.SSL_set_connect_state(session);
  // An address is no name: certificates have a place of its own for it, and servers are told none.
  bool isNamed =
      openssl.X509_VERIFY_PARAM_set1_ip_asc(openssl.SSL_get0_param(session), host.c_str()) == 1;
  if (!isNamed)
    isNamed = openssl.SSL_set1_host(session, host.c_str()) == 1 &&
              openssl.SSL_ctrl(session, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                               const_cast<char *>(host.c_str())) == 1;
  openssl.ERR_clear_error();
  if (isNamed && in && out)
    return;
  openssl.SSL_free(session);
  session = nullptr;
}

TlsSession::~TlsSession() {
  if (session)
    openssl.SSL_free(session);
}

TlsSession::Step TlsSession::step(int result) {
  const int error = result > 0 ? SSL_ERROR_NONE : openssl.SSL_get_error(session, result);
  openssl.ERR_clear_error(); // the thread is the program's, and so is what it finds there
  return error == SSL_ERROR_NONE        ? Step::Done
         : error == SSL_ERROR_WANT_READ ? Step::NeedsInput
                                        : Step::Failed;
}

TlsSession::Step TlsSession::handshake() {
  if (!session)
    return Step::Failed;
  openssl.ERR_clear_error();
  return step(openssl.SSL_do_handshake(session));
}

TlsSession::Step TlsSession::write(StringRef text) {
  openssl.ERR_clear_error();
  return step(openssl.SSL_write(session, text.data(), static_cast<int>(text.size())));
}

TlsSession::Step TlsSession::read(std::string &text) {
  char bytes[16384]; // what one piece of the protocol has at most
  openssl.ERR_clear_error();
  const int count = openssl.SSL_read(session, bytes, sizeof bytes);
  if (count > 0)
    text.append(bytes, static_cast<size_t>(count));
  return step(count);
}

void TlsSession::put(StringRef fromLine) {
  openssl.BIO_write(in, fromLine.data(), static_cast<int>(fromLine.size()));
}

std::string TlsSession::take() {
  std::string bytes;
  char some[16384];
  for (int count = 0; session && (count = openssl.BIO_read(out, some, sizeof some)) > 0;)
    bytes.append(some, static_cast<size_t>(count));
  return bytes;
}

} // namespace icd
