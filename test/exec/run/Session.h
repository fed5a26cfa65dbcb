//===- Session.h - devices and results of one process ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What all kinds of tests share: the instance, a device for each combination of special features,
/// made once and again after it was lost, and the count of what passed.
#pragma once

#include "../script/Scalar.h"
#include "ControlDefects.h"
#include "tools/cli/Progress.h"
#include <map>
#include <optional>

namespace exec {

/// Counts and failure texts of one device. Lines are printed as they come.
class Report {
public:
  /// \p defects: of the control; empty for any other device.
  Report(std::string device, bool verbose, ControlDefects defects = {})
      : device(std::move(device)), verbose(verbose), defects(std::move(defects)) {}

  /// So many tests are to come: shows how far it is, unless \p isQuiet.
  void begin(size_t tests, bool isQuiet);
  /// To be asked before each test: does the user still want it?
  bool goesOn() const;
  void pass(const llvm::Twine &name);
  void fail(const llvm::Twine &name, const llvm::Twine &message);
  void skip(const llvm::Twine &name, const llvm::Twine &reason);
  /// Part of a test could not be judged, because the control has no result for it.
  void leaveOut(const llvm::Twine &part, const llvm::Twine &reason);
  /// One line, and the reasons of skips.
  void summary();
  bool isGreen() const { return failures == 0 && passed > 0; }

private:
  std::string device;
  bool verbose;
  /// One more test is done; \p isPrinted: a line about it follows.
  void step(bool isPrinted);

  ControlDefects defects;
  std::optional<cli::Progress> progress;
  unsigned passed = 0, failures = 0, knownDefects = 0, leftOut = 0;
  std::map<std::string, unsigned> skips;
};

/// A physical device with its logical ones.
class Session {
public:
  Session(const Instance &instance, const PhysicalDevice &physical)
      : instance(instance), physicalDevice(physical) {}

  /// Runs on a device with exactly these special features. Errors of device creation and runJob().
  llvm::Expected<JobResult> run(const Job &job, llvm::ArrayRef<std::string> special = {});
  /// A usable device with these special features.
  llvm::Expected<Device *> device(llvm::ArrayRef<std::string> special = {});
  const PhysicalDevice &physical() const { return physicalDevice; }
  /// The target's name ("gfx1100") when the device's name ends in it in parentheses or is it, else
  /// the device's name; "lavapipe" for lavapipe.
  std::string name() const;
  /// The subgroup size that a shader gets which asks for none.
  uint32_t subgroupSize() const { return physicalDevice.subgroup.subgroupSize; }
  /// Why a test with these needs cannot run here, or empty.
  std::string missing(llvm::ArrayRef<std::string> features, llvm::ArrayRef<std::string> extensions);

private:
  const Instance &instance;
  const PhysicalDevice &physicalDevice;
  std::map<std::string, std::unique_ptr<Device>> devices; ///< by special features
};

/// Compares element by element. Empty when all agree; else the first difference and their number.
std::string compareBytes(ScalarType type, const Bytes &actual, const Bytes &expected,
                         const Tolerance &tolerance, uint64_t offset = 0);

} // namespace exec
