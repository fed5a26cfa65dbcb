//===- CodeVariants.cpp - code of a pipeline for several states -----------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/sc/CodeVariants.h"
#include "lgc/CompileError.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

namespace icd::sc {

using llvm::support::endian::read32le;

static constexpr uint32_t variantsMagic = 0x56434C4B; // "KLCV"
static constexpr size_t headBytes = 8, rowBytes = 8, alignment = 8;

std::vector<uint8_t> packVariants(llvm::ArrayRef<CodeVariant> variants) {
  std::vector<uint8_t> bytes(headBytes + variants.size() * rowBytes);
  auto put = [&](size_t at, uint64_t value) {
    llvm::support::endian::write32le(bytes.data() + at, static_cast<uint32_t>(value));
  };
  put(0, variantsMagic);
  put(4, variants.size());
  for (size_t i = 0; i < variants.size(); ++i) {
    put(headBytes + i * rowBytes, variants[i].patchControlPoints);
    put(headBytes + i * rowBytes + 4, variants[i].elf.size());
    bytes.resize(llvm::alignTo(bytes.size(), alignment));
    bytes.insert(bytes.end(), variants[i].elf.begin(), variants[i].elf.end());
  }
  return bytes;
}

llvm::Expected<std::vector<CodeVariant>> variantsOf(llvm::ArrayRef<uint8_t> code) {
  if (code.size() < headBytes || read32le(code.data()) != variantsMagic)
    return std::vector<CodeVariant>{{0, code}};
  const uint32_t count = read32le(code.data() + 4);
  if (!count || count > maxControlPoints || code.size() < headBytes + count * rowBytes)
    return lgc::invalidInput("code for " + llvm::Twine(count) + " numbers of control points");
  std::vector<CodeVariant> variants(count);
  uint64_t place = headBytes + count * rowBytes;
  uint32_t last = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint8_t *row = code.data() + headBytes + i * rowBytes;
    const uint32_t points = read32le(row), size = read32le(row + 4);
    place = llvm::alignTo(place, alignment);
    if (points <= last || points > maxControlPoints)
      return lgc::invalidInput("code for " + llvm::Twine(points) +
                               " control points behind that for " + llvm::Twine(last));
    if (!size || place > code.size() || size > code.size() - place)
      return lgc::invalidInput("no code of " + llvm::Twine(size) + " bytes for " +
                               llvm::Twine(points) + " control points");
    variants[i] = {points, code.slice(place, size)};
    place += size;
    last = points;
  }
  if (place != code.size())
    return lgc::invalidInput("bytes behind the code for the last number of control points");
  return variants;
}

} // namespace icd::sc
