//===- InputHash.cpp - what code was made of ------------------------------===//
// SPDX-License-Identifier: MIT
#include "InputHash.h"
#include "icd_glue/context/CompilerIdentity.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdlib>
// Why inline: no library to link and no exported symbols.
#define XXH_INLINE_ALL
#include <xxhash.h>

using llvm::StringRef;

namespace pcc {
namespace {

class HashState {
public:
  HashState() : state(XXH3_createState()) { XXH3_128bits_reset(state); }
  ~HashState() { XXH3_freeState(state); }
  HashState(const HashState &) = delete;
  HashState &operator=(const HashState &) = delete;

  /// With its size, so that what follows cannot be taken for a part of it.
  void add(const void *data, size_t size) {
    XXH3_128bits_update(state, &size, sizeof size);
    XXH3_128bits_update(state, data, size);
  }
  void add(StringRef text) { add(text.data(), text.size()); }
  std::array<uint8_t, 16> digest() const {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state));
    std::array<uint8_t, 16> bytes;
    llvm::copy(canonical.digest, bytes.begin());
    return bytes;
  }

private:
  XXH3_state_t *state;
};

} // namespace

std::array<uint8_t, 16> inputsOf(const PipelineFile &file, StringRef target) {
  HashState state;
  state.add(icd::compilerIdentity());
  state.add(target);
  if (const char *level = secure_getenv(levelVariable))
    state.add(level);
  state.add(file.json);
  for (const Words &words : file.capture->code)
    state.add(words->data(), words->size() * 4);
  return state.digest();
}

} // namespace pcc
