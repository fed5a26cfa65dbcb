//===- EntryLayout.h - registers at the entry of hardware stages ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// What lgc-lower-entry-point works with, in the order in which it does so: which values the code
/// of a hardware stage asks for (EntryNeeds), which registers the hardware fills and in which order
/// (HardwareInputs), which user-data register holds what (StageLayout), and what all stages of a
/// pipeline share (PipelineLayout). The PAL metadata tells it to the driver.
#pragma once

#include "lgc/Interface.h"
#include "lgc/Part.h"
#include "pal_shim/abi/AbiNames.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <bitset>

namespace llvm {
class CallInst;
class Function;
class LLVMContext;
class Module;
class Type;
} // namespace llvm

namespace lgc {

using HwValueSet = std::bitset<static_cast<size_t>(HwValue::Count)>;

/// Which lgc operations the code of one hardware stage has that need entry registers.
struct EntryNeeds {
  llvm::SmallVector<llvm::CallInst *, 8> userData, spillTable, workgroupId, numWorkgroups, localId;
  llvm::SmallVector<llvm::CallInst *, 8> hwValues, specials, driverTables, vertexInputs;
  llvm::BitVector entries =
      llvm::BitVector(pal::abi::userdata::maxEntries); ///< API dwords that userData reads
  /// API dwords that addresses which the code computes into the spill table may reach.
  llvm::BitVector indexed = llvm::BitVector(pal::abi::userdata::maxEntries);
  llvm::SmallVector<uint32_t, 8> specialValues; ///< ascending, each once
  HwValueSet hardware;
  std::array<bool, 3> workgroupIdParts = {false, false, false};
  std::array<bool, 3> localIdParts = {false, false, false};

  bool needsSpecial(uint32_t value) const;
  void addSpecial(uint32_t value);
};

/// By entry function, in the order of the module. Operations without users are erased. Errors:
/// LimitExceeded (user data dword), Internal (operations that other passes should have lowered).
llvm::Expected<llvm::MapVector<llvm::Function *, EntryNeeds>>
collectEntryNeeds(llvm::Module &module, const PipelineState &state);

/// Registers that the hardware fills in, HwValue::Count for one that nobody reads. Workgroup and
/// local ids of compute stages are not in here.
struct HardwareInputs {
  llvm::SmallVector<HwValue, 8> before;   ///< SGPRs in front of the user data (merged stages)
  llvm::SmallVector<HwValue, 8> after;    ///< SGPRs behind the user data
  llvm::SmallVector<HwValue, 16> vectors; ///< VGPRs from v0 on; of fragment shaders one an input

  /// What makes the hardware do so: keys of `.graphics_registers` ...
  struct Setting {
    llvm::StringLiteral key;
    llvm::StringLiteral field; ///< of the register `key`; empty when the key is a value itself
    uint64_t value;
  };
  llvm::SmallVector<Setting, 8> graphicsRegisters;
  /// ... and of the stage in `.hardware_stages`.
  llvm::SmallVector<std::pair<llvm::StringLiteral, uint64_t>, 1> stageKeys;
};

/// The registers that `stage` starts with when its code reads `used`. Errors: Internal when the
/// stage does not have one of them on this target.
llvm::Expected<HardwareInputs> planHardwareInputs(pal::abi::HardwareStage stage,
                                                  const PipelineState &state,
                                                  const HwValueSet &used);
/// HW(gfx12): some values are fields of another value's register; the register to ask for.
struct HwField {
  HwValue container;
  unsigned shift; ///< the field is everything from this bit up
};
HwField locateHwValue(HwValue value, const PipelineState &state);

/// LLVM type of a hardware value.
llvm::Type *hwValueType(llvm::LLVMContext &context, HwValue value);

/// The registers of one hardware stage.
struct StageLayout {
  pal::abi::HardwareStage stage = pal::abi::HardwareStage::Cs;
  uint32_t waveSize = 0;
  /// Value of `.user_data_reg_map` per user SGPR.
  llvm::SmallVector<uint32_t, pal::abi::userdata::graphicsRegisters> registers;
  HardwareInputs hardware;
  /// Of the first vertex stage of a part whose attributes come in VGPRs, behind those in
  /// `hardware`.
  std::optional<FetchSignature> fetch;
  // Compute stages (compute and task shaders)
  std::array<bool, 3> workgroupId = {false, false, false};
  unsigned localIdComponents = 1; ///< VGPRs (gfx10) or packed fields (gfx11+) to fill
};

/// What the hardware stages of a pipeline have in common.
struct PipelineLayout {
  llvm::SmallVector<StageLayout, 4> stages;
  uint32_t userDataLimit = 0; ///< 1 + highest API dword used
  /// Lowest spilled API dword of all stages: they share one table.
  uint32_t spillThreshold = pal::abi::userdata::noSpill;
  /// API dwords that any stage reads, and those of them that one reads from the spill table.
  llvm::BitVector used = llvm::BitVector(pal::abi::userdata::maxEntries);
  llvm::BitVector spilled = llvm::BitVector(pal::abi::userdata::maxEntries);
};

/// The signature of a stage with vertex.input operations, whose other registers are planned.
/// Errors: Unsupported for more registers than glue can return.
llvm::Expected<FetchSignature> planVertexInputs(const EntryNeeds &needs, const PipelineState &state,
                                                const StageLayout &layout);

/// Adds the layout of one more stage to `pipeline`. Errors: as planHardwareInputs and
/// planVertexInputs.
llvm::Error planStage(pal::abi::HardwareStage stage, const EntryNeeds &needs,
                      const PipelineState &state, PipelineLayout &pipeline);

/// Makes the entry point that `layout` describes of the code of `old`, which is left without a
/// body, and replaces all uses of the operations in it.
void buildEntryPoint(llvm::Function &old, EntryNeeds &needs, const PipelineState &state,
                     const StageLayout &layout);

/// Notes kind, roots and spilled dwords in the PartInfo of a module that is a part. Errors:
/// Unsupported for a combination of stages that no kind of part has; InvalidInput for a dword that
/// no node of the mapping has.
llvm::Error notePart(llvm::Module &module, const PipelineState &state,
                     const PipelineLayout &layout);

/// Writes !amdgpu.pal.metadata.msgpack with every key that LLVM does not fill in itself, and takes
/// the notes of PalRegisters.h in.
void writePalMetadata(llvm::Module &module, const PipelineState &state,
                      const PipelineLayout &layout);

} // namespace lgc
