//===- Session.cpp - devices and results of one process -------------------===//
// SPDX-License-Identifier: MIT
#include "Session.h"
#include "pal_shim/abi/Try.h"
#include "tools/cli/Interrupt.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdio>

using llvm::ArrayRef;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace exec {

void Report::begin(size_t tests, bool isQuiet) {
  progress.emplace("kiln-exec", "tests on " + device, tests, isQuiet);
}

bool Report::goesOn() const { return !cli::isInterrupted(); }

void Report::step(bool isPrinted) {
  if (!progress)
    return;
  progress->step();
  if (isPrinted)
    progress->clear();
}

void Report::pass(const Twine &name) {
  step(verbose);
  ++passed;
  if (verbose)
    std::printf("pass [%s] %s\n", device.c_str(), name.str().c_str());
}

void Report::fail(const Twine &name, const Twine &message) {
  step(/*isPrinted=*/true);
  if (StringRef known = defects.find(name.str()); !known.empty()) {
    ++knownDefects;
    std::printf("CONTROL [%s] %s: %s (known: %s)\n", device.c_str(), name.str().c_str(),
                message.str().c_str(), known.str().c_str());
    return;
  }
  ++failures;
  std::printf("FAIL [%s] %s: %s\n", device.c_str(), name.str().c_str(), message.str().c_str());
  std::fflush(stdout);
}

void Report::skip(const Twine &name, const Twine &reason) {
  step(verbose);
  ++skips[reason.str()];
  if (verbose)
    std::printf("skip [%s] %s: %s\n", device.c_str(), name.str().c_str(), reason.str().c_str());
}

void Report::leaveOut(const Twine &part, const Twine &reason) {
  ++leftOut;
  if (progress)
    progress->clear();
  std::printf("LEFT OUT [%s] %s: %s\n", device.c_str(), part.str().c_str(), reason.str().c_str());
}

void Report::summary() {
  progress.reset();
  unsigned skipped = 0;
  for (const auto &[reason, count] : skips)
    skipped += count;
  std::printf("%s: %u passed, %u failed, %u skipped\n", device.c_str(), passed, failures, skipped);
  for (const auto &[reason, count] : skips)
    std::printf("  skipped %u: %s\n", count, reason.c_str());
  if (knownDefects)
    std::printf("  known defects of the control: %u (control-defects.txt)\n", knownDefects);
  if (leftOut)
    std::printf("  left out, because the control has no result: %u comparisons\n", leftOut);
  std::fflush(stdout);
}

std::string Session::name() const {
  if (physicalDevice.isCpuReference())
    return "lavapipe";
  std::string full = physicalDevice.name();
  size_t at = full.find("gfx");
  if (at == std::string::npos)
    return full;
  return StringRef(full).drop_front(at).take_while(llvm::isAlnum).str();
}

Expected<Device *> Session::device(ArrayRef<std::string> special) {
  std::unique_ptr<Device> &device = devices[llvm::join(special, ",")];
  if (!device || device->isLost()) {
    device.reset();
    device = KILN_TRY(Device::create(instance, physicalDevice, special));
  }
  return device.get();
}

Expected<JobResult> Session::run(const Job &job, ArrayRef<std::string> special) {
  Device *chosen = KILN_TRY(device(special));
  return runJob(*chosen, job);
}

std::string Session::missing(ArrayRef<std::string> features, ArrayRef<std::string> extensions) {
  FeatureChain chain;
  chain.link(physicalDevice);
  instance.api().GetPhysicalDeviceFeatures2(physicalDevice.handle, &chain.core);
  for (const std::string &name : features) {
    const VkBool32 *flag = chain.find(name);
    if (!flag)
      return "unknown feature " + name;
    if (!*flag)
      return "no feature " + name;
  }
  for (const std::string &name : extensions)
    if (!physicalDevice.hasExtension(name))
      return "no extension " + name;
  return "";
}

std::string compareBytes(ScalarType type, const Bytes &actual, const Bytes &expected,
                         const Tolerance &tolerance, uint64_t offset) {
  size_t size = sizeOf(type), count = expected.size() / size, differences = 0;
  if (offset + expected.size() > actual.size())
    return ("the resource has " + Twine(actual.size()) + " bytes, " +
            Twine(offset + expected.size()) + " are expected")
        .str();
  std::string first;
  for (size_t i = 0; i < count; ++i) {
    uint64_t is = loadBits(type, actual.data() + offset + i * size);
    uint64_t should = loadBits(type, expected.data() + i * size);
    if (agree(type, is, should, tolerance))
      continue;
    if (differences++ == 0)
      first = ("element " + Twine(i) + " (byte " + Twine(offset + i * size) + ") is " +
               toText(type, is) + ", expected " + toText(type, should))
                  .str();
  }
  if (differences <= tolerance.outliers)
    return "";
  if (differences > 1)
    first += (" (and " + Twine(differences - 1) + " more of " + Twine(count) + ")").str();
  return first;
}

} // namespace exec
