//===- Main.cpp - kiln-transfer -------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
///     kiln-transfer write FILE      runs all transfers, keeps the results
///     kiln-transfer compare FILE    runs them on every device of this driver and compares
///
/// Vulkan wants a graphics queue for some of these commands; Kiln's compute queue executes them,
/// too. The driver is chosen by VK_DRIVER_FILES; run.py writes with lavapipe and compares with
/// Kiln's.
#include "Cases.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>

namespace transfer {

namespace {

using Results = std::map<std::string, Bytes>;

void writeResults(const char *path, const Results &results) {
  std::ofstream file(path, std::ios::binary);
  for (const auto &[name, bytes] : results) {
    const uint64_t sizes[2] = {name.size(), bytes.size()};
    file.write(reinterpret_cast<const char *>(sizes), sizeof(sizes));
    file.write(name.data(), static_cast<std::streamsize>(name.size()));
    file.write(reinterpret_cast<const char *>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
}

Results readResults(const char *path) {
  Results results;
  std::ifstream file(path, std::ios::binary);
  uint64_t sizes[2];
  while (file.read(reinterpret_cast<char *>(sizes), sizeof(sizes))) {
    std::string name(sizes[0], '\0');
    Bytes bytes(sizes[1]);
    file.read(name.data(), static_cast<std::streamsize>(sizes[0]));
    file.read(reinterpret_cast<char *>(bytes.data()), static_cast<std::streamsize>(sizes[1]));
    results[name] = std::move(bytes);
  }
  return results;
}

/// Whether two channels agree; `step` is the distance of two neighbouring values.
bool agree(uint32_t a, uint32_t b, const Case &test, double step) {
  const Format &format = test.format;
  const double tolerance = test.tolerance;
  if (a == b)
    return true;
  if (format.info().isInteger() || tolerance == 0)
    return false;
  const double x = llvm::bit_cast<float>(a), y = llvm::bit_cast<float>(b);
  if (format.info().kind == pal::formats::NumberKind::Float)
    return std::fabs(x - y) <=
           tolerance / 256 * (test.isAbsolute ? 1.0 : std::max({std::fabs(x), std::fabs(y), 1e-3}));
  return std::fabs(x - y) <= (tolerance + 0.01) * step;
}

/// Describes the first difference; empty: none.
std::string difference(const Case &test, const Bytes &actual, const Bytes &expected) {
  if (actual.size() != expected.size())
    return "size " + std::to_string(actual.size()) + ", expected " +
           std::to_string(expected.size());
  const pal::formats::FormatInfo &info = test.format.info();
  if (info.isBlock() || test.tolerance == 0) {
    for (size_t i = 0; i < actual.size(); ++i)
      if (actual[i] != expected[i])
        return "byte " + std::to_string(i) + " is " + std::to_string(actual[i]) + ", expected " +
               std::to_string(expected[i]);
    return "";
  }
  for (size_t at = 0; at < actual.size(); at += info.texelBytes) {
    pal::formats::Texel a, b;
    pal::formats::unpack(test.format.memory, actual.data() + at, a);
    pal::formats::unpack(test.format.memory, expected.data() + at, b);
    for (unsigned c = 0; c < 4; ++c) {
      // Encoded sRGB values are compared: the curve is steep near zero.
      const bool encoded = info.kind == pal::formats::NumberKind::Srgb && c < 3;
      uint32_t x = a[c], y = b[c];
      if (encoded) {
        x = llvm::bit_cast<uint32_t>(static_cast<float>(actual[at + c] / 255.0));
        y = llvm::bit_cast<uint32_t>(static_cast<float>(expected[at + c] / 255.0));
      }
      const bool isSigned = info.kind == pal::formats::NumberKind::Snorm;
      const double step =
          info.bits[c] ? 1.0 / (std::ldexp(1.0, info.bits[c] - (isSigned ? 1 : 0)) - 1) : 0;
      if (!agree(x, y, test, step))
        return "texel " + std::to_string(at / info.texelBytes) + " component " + std::to_string(c) +
               " is " + std::to_string(llvm::bit_cast<float>(x)) + ", expected " +
               std::to_string(llvm::bit_cast<float>(y));
    }
  }
  return "";
}

std::vector<Case> allCases() {
  std::vector<Case> cases = copyCases();
  llvm::append_range(cases, blitCases());
  llvm::append_range(cases, clearCases());
  llvm::append_range(cases, sampleCases());
  return cases;
}

std::unique_ptr<exec::Device> open(const exec::Instance &instance,
                                   const exec::PhysicalDevice &physical) {
  auto device = exec::Device::create(instance, physical);
  must(device.takeError());
  return std::move(*device);
}

int writeAll(const exec::Instance &instance, const char *path) {
  auto device = open(instance, instance.devices()[0]);
  Context context(*device);
  Results results;
  for (const Case &test : allCases()) {
    Bytes bytes = test.run(context);
    if (!bytes.empty())
      results[test.name] = std::move(bytes);
  }
  writeResults(path, results);
  std::printf("%zu results\n", results.size());
  return results.empty() ? 1 : 0;
}

int compareAll(const exec::Instance &instance, const char *path) {
  const Results expected = readResults(path);
  size_t failures = 0, compared = 0;
  for (const exec::PhysicalDevice &physical : instance.devices()) {
    auto device = open(instance, physical);
    Context context(*device);
    for (const Case &test : allCases()) {
      const auto found = expected.find(test.name);
      if (found == expected.end())
        continue; // the control lacks the format
      const Bytes actual = test.run(context);
      ++compared;
      const std::string text =
          actual.empty() ? "not supported" : difference(test, actual, found->second);
      if (!text.empty()) {
        ++failures;
        std::printf("FAIL %s: %s: %s\n", physical.name().c_str(), test.name.c_str(), text.c_str());
      }
    }
  }
  std::printf("%zu of %zu transfers differ\n", failures, compared);
  return failures || !compared ? 1 : 0;
}

} // namespace

} // namespace transfer

int main(int count, char **arguments) {
  if (count != 3) {
    std::fprintf(stderr, "kiln-transfer write|compare FILE\n");
    return 2;
  }
  auto instance = exec::Instance::create(false);
  transfer::must(instance.takeError());
  return std::strcmp(arguments[1], "write") == 0 ? transfer::writeAll(**instance, arguments[2])
                                                 : transfer::compareAll(**instance, arguments[2]);
}
