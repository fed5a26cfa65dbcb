//===- PalRegisters.h - PAL metadata that passes collect ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Passes that decide about a register note it in the module, and lgc-lower-entry-point puts all
/// notes into the PAL metadata. A note is a path of keys below `amdpal.pipelines[0]` and a value:
///   !lgc.registers = !{!{!".graphics_registers", !".spi_ps_in_control", !".num_interps", i64 3}}
/// "[2]" as a part of the path is the third element of an array. Keys are those of
/// pal_shim/abi/Abi.def (pal::abi::key); the value's kind (bool, number, name) follows from it.
#pragma once

#include "lgc/lowering/entry/MetadataTree.h"
#include "pal_shim/abi/AbiNames.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
}

namespace lgc {

/// Flags of `.spi_ps_input_ena` and `.spi_ps_input_addr` by bit of these registers, which is the
/// order of a fragment stage's arguments.
inline constexpr llvm::StringLiteral psInputKeys[] = {
    pal::abi::key::perspSampleEna,    pal::abi::key::perspCenterEna,
    pal::abi::key::perspCentroidEna,  pal::abi::key::perspPullModelEna,
    pal::abi::key::linearSampleEna,   pal::abi::key::linearCenterEna,
    pal::abi::key::linearCentroidEna, pal::abi::key::lineStippleTexEna,
    pal::abi::key::posXFloatEna,      pal::abi::key::posYFloatEna,
    pal::abi::key::posZFloatEna,      pal::abi::key::posWFloatEna,
    pal::abi::key::frontFaceEna,      pal::abi::key::ancillaryEna,
    pal::abi::key::sampleCoverageEna, pal::abi::key::posFixedPtEna};

/// Notes a value; a later note of the same path replaces an earlier one.
void setRegister(llvm::Module &module, llvm::ArrayRef<llvm::StringRef> path, uint64_t value);
/// The same for keys whose values are names (".outprim_type" "TriStrip").
void setRegister(llvm::Module &module, llvm::ArrayRef<llvm::StringRef> path, llvm::StringRef value);

/// Short forms for `.graphics_registers`: of a field, and of a field of a register.
template <typename Value> void setGraphics(llvm::Module &module, llvm::StringRef key, Value value) {
  setRegister(module, {pal::abi::key::graphicsRegisters, key}, value);
}
template <typename Value>
void setGraphics(llvm::Module &module, llvm::StringRef key, llvm::StringRef field, Value value) {
  setRegister(module, {pal::abi::key::graphicsRegisters, key, field}, value);
}
/// A key of `.hardware_stages`.
void setHardwareStage(llvm::Module &module, pal::abi::HardwareStage stage, llvm::StringRef key,
                      uint64_t value);

/// Puts every note into `pipeline` (the map under `amdpal.pipelines[0]`) and removes the notes.
void takeRegisters(llvm::Module &module, MetadataNode &pipeline);

} // namespace lgc
