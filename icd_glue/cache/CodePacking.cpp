//===- CodePacking.cpp - code objects, compressed -------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/CodePacking.h"
#include <memory>
#include <zstd.h>

namespace icd {
namespace {

/// Small pipelines take 40 us. 3 takes two thirds of that, for a twentieth more bytes.
constexpr int level = 5;

struct Free {
  void operator()(ZSTD_CCtx *context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx *context) const { ZSTD_freeDCtx(context); }
};

} // namespace

std::vector<uint8_t> packCode(llvm::ArrayRef<uint8_t> code, llvm::ArrayRef<uint8_t> dictionary) {
  std::unique_ptr<ZSTD_CCtx, Free> context(ZSTD_createCCtx());
  if (!context || code.empty())
    return {};
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_contentSizeFlag, 0); // a record says it
  ZSTD_CCtx_refPrefix(context.get(), dictionary.data(), dictionary.size());
  std::vector<uint8_t> packed(code.size() - 1);
  const size_t size =
      ZSTD_compress2(context.get(), packed.data(), packed.size(), code.data(), code.size());
  packed.resize(ZSTD_isError(size) ? 0 : size); // an error: there is not enough room
  packed.shrink_to_fit();
  return packed;
}

bool unpackCode(llvm::ArrayRef<uint8_t> packed, llvm::ArrayRef<uint8_t> dictionary,
                llvm::MutableArrayRef<uint8_t> code) {
  // A new one takes ten times as long as the code of a small pipeline: its memory is the system's.
  thread_local const std::unique_ptr<ZSTD_DCtx, Free> context(ZSTD_createDCtx());
  if (!context)
    return false;
  ZSTD_DCtx_reset(context.get(), ZSTD_reset_session_only);
  ZSTD_DCtx_refPrefix(context.get(), dictionary.data(), dictionary.size());
  return ZSTD_decompressDCtx(context.get(), code.data(), code.size(), packed.data(),
                             packed.size()) == code.size();
}

} // namespace icd
