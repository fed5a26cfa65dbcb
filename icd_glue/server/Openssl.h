//===- Openssl.h - TLS and signatures, loaded when they are used ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// The functions of OpenSSL 3 that are used here. Loaded, not linked: the driver lives in other
/// people's processes, and none but those that ask for a server or for signatures has it inside.
#pragma once

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>

namespace icd {

#define KILN_CRYPTO_FUNCTIONS(X)                                                                   \
  X(EVP_PKEY_new_raw_public_key)                                                                   \
  X(EVP_PKEY_new_raw_private_key)                                                                  \
  X(EVP_PKEY_get_raw_public_key)                                                                   \
  X(EVP_PKEY_free)                                                                                 \
  X(EVP_MD_CTX_new)                                                                                \
  X(EVP_MD_CTX_free)                                                                               \
  X(EVP_DigestSignInit)                                                                            \
  X(EVP_DigestSign)                                                                                \
  X(EVP_DigestVerifyInit)                                                                          \
  X(EVP_DigestVerify)                                                                              \
  X(X509_VERIFY_PARAM_set1_ip_asc)                                                                 \
  X(BIO_new)                                                                                       \
  X(BIO_s_mem)                                                                                     \
  X(BIO_read)                                                                                      \
  X(BIO_write)                                                                                     \
  X(ERR_clear_error)

#define KILN_SSL_FUNCTIONS(X)                                                                      \
  X(TLS_client_method)                                                                             \
  X(SSL_CTX_new)                                                                                   \
  X(SSL_CTX_free)                                                                                  \
  X(SSL_CTX_ctrl)                                                                                  \
  X(SSL_CTX_set_verify)                                                                            \
  X(SSL_CTX_load_verify_file)                                                                      \
  X(SSL_CTX_set_default_verify_paths)                                                              \
  X(SSL_CTX_use_certificate_chain_file)                                                            \
  X(SSL_CTX_use_PrivateKey_file)                                                                   \
  X(SSL_CTX_check_private_key)                                                                     \
  X(SSL_new)                                                                                       \
  X(SSL_free)                                                                                      \
  X(SSL_ctrl)                                                                                      \
  X(SSL_set_bio)                                                                                   \
  X(SSL_set_connect_state)                                                                         \
  X(SSL_set1_host)                                                                                 \
  X(SSL_get0_param)                                                                                \
  X(SSL_do_handshake)                                                                              \
  X(SSL_read)                                                                                      \
  X(SSL_write)                                                                                     \
  X(SSL_get_error)

/// It stays in the process once it is there: it has functions that run when that ends.
class Openssl {
public:
  Openssl();
  bool hasSignatures() const { return hasCrypto; }
  bool hasTls() const { return hasCrypto && hasSsl; }

#define KILN_OPENSSL_MEMBER(name) decltype(&::name) name = nullptr;
  // NOLINTNEXTLINE(readability-identifier-naming): the library's names
  KILN_CRYPTO_FUNCTIONS(KILN_OPENSSL_MEMBER)
  // NOLINTNEXTLINE(readability-identifier-naming)
  KILN_SSL_FUNCTIONS(KILN_OPENSSL_MEMBER)
#undef KILN_OPENSSL_MEMBER

private:
  bool hasCrypto = false, hasSsl = false;
};

} // namespace icd
