//===- Run.h - from a random function to what the device stores --------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Program.h"
#include "pal_shim/device/Device.h"
#include "llvm/Target/TargetMachine.h"
#include <map>

namespace randomir {

/// Compiles functions with the project's code generation and runs them; keeps target machines and
/// devices. Functions with realTrue16, which the project does not use, go through LLVM's own.
class Runner {
public:
  Runner(bool perturbs, bool traces) : perturbs(perturbs), traces(traces) {}

  /// One value per output and lane. Errors: of the loader and of the device.
  llvm::Error run(const RandomFunction &function, const Inputs &inputs, const Machine &machine,
                  std::vector<Lanes> &outputs);
  std::string irText(const RandomFunction &function, const Machine &machine);
  std::string assembly(const RandomFunction &function, const Machine &machine);
  /// Why the direct tier left functions to LLVM, and how many.
  const std::map<std::string, uint64_t> &refusals() const { return directRefusals; }
  /// Executions by (mnemonic, variant), of all devices.
  std::map<pal::device::OpcodeKey, uint64_t> opcodeCounts() const;

private:
  llvm::TargetMachine &targetMachine(const Machine &machine);
  llvm::Expected<pal::device::SoftwareDevice *> device(const Machine &machine);
  std::string compile(const RandomFunction &function, const Machine &machine, bool assembly);

  std::optional<std::string> compileDirectly(llvm::Module &module, const Machine &machine);

  bool perturbs, traces;
  std::map<std::string, uint64_t> directRefusals;
  std::map<std::string, std::unique_ptr<llvm::TargetMachine>> machines;
  std::map<std::string, std::unique_ptr<pal::device::SoftwareDevice>> devices;
};

} // namespace randomir
