//===- AbiNames.h - names and numbers of the PAL pipeline ABI -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// C++ view of Abi.def: a constant per metadata key, enums for stages and pipeline types, and the
/// special values of a user-data register map. Writer and reader of metadata use these constants
/// only, so a key is spelled once in the whole project.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace pal::abi {

/// Metadata keys: pal::abi::key::wavefrontSize == ".wavefront_size". See Abi.def for each key's
/// scope and type. The literals live for ever, so MsgPack nodes may refer to them uncopied.
namespace key {
#define KILN_PAL_KEY(scope, id, string, kind, limit)                                               \
  inline constexpr llvm::StringLiteral id = string;
#include "pal_shim/abi/Abi.def"
} // namespace key

/// The hardware stages of our targets, in order of execution. LS and ES are merged into HS and GS.
enum class HardwareStage : uint8_t {
#define KILN_PAL_HW_STAGE(id, key, entryPoint) id,
#include "pal_shim/abi/Abi.def"
};
inline constexpr unsigned hardwareStageCount = 5;

/// The API stages that `.shaders` may describe.
enum class ApiStage : uint8_t {
#define KILN_PAL_API_STAGE(id, key) id,
#include "pal_shim/abi/Abi.def"
};
inline constexpr unsigned apiStageCount = 8;

enum class PipelineType : uint8_t {
#define KILN_PAL_PIPELINE_TYPE(id) id,
#include "pal_shim/abi/Abi.def"
};

/// Key in `.hardware_stages`: ".cs".
llvm::StringRef hardwareStageKey(HardwareStage stage);
std::optional<HardwareStage> findHardwareStage(llvm::StringRef key);
/// Default entry point symbol of a hardware stage: "_amdgpu_cs_main".
llvm::StringRef entryPointSymbol(HardwareStage stage);
/// Key in `.shaders`: ".compute".
llvm::StringRef apiStageKey(ApiStage stage);
std::optional<ApiStage> findApiStage(llvm::StringRef key);
/// Value of `.type`: "Cs".
llvm::StringRef pipelineTypeName(PipelineType type);
std::optional<PipelineType> findPipelineType(llvm::StringRef name);

/// Values of `.user_data_reg_map` entries. Anything below maxEntries is the index of an API
/// user-data dword.
namespace userdata {
#define KILN_PAL_USER_DATA(id, value, registers, name) inline constexpr uint32_t id = value;
#include "pal_shim/abi/Abi.def"

/// API user-data dwords per bind point.
inline constexpr uint32_t maxEntries = 160;
/// User-data SGPRs of a compute shader, and of a graphics hardware stage.
inline constexpr unsigned computeRegisters = 16;
inline constexpr unsigned graphicsRegisters = 32;
/// `.spill_threshold` of a pipeline without spilled user data.
inline constexpr uint32_t noSpill = 65535;
/// PipelineLink N is pipelineLinkStart + N, N < pipelineLinkCount.
inline constexpr uint32_t pipelineLinkStart = 0x10001000u;
inline constexpr uint32_t pipelineLinkCount = 256;

/// "GlobalTable", "api 3", "PipelineLink 2", "NotMapped", or "unknown 0x12345678".
std::string describe(uint32_t value);
/// True for an API user-data index that PAL can take.
inline bool isApiEntry(uint32_t value) { return value < maxEntries; }
/// True for a special value that PAL knows (NotMapped is none).
bool isSpecial(uint32_t value);
/// Consecutive registers that a mapped value takes (1 for API entries; only the first is mapped).
unsigned registerCount(uint32_t value);
} // namespace userdata

/// ELF header constants of PAL code objects, and the names that PAL's loader looks for.
namespace elf {
inline constexpr uint8_t osAbiPal = 65;        ///< ELFOSABI_AMDGPU_PAL
inline constexpr uint8_t abiVersion = 0;       ///< EI_ABIVERSION
inline constexpr uint16_t machine = 0xE0;      ///< EM_AMDGPU
inline constexpr uint32_t machMask = 0xFF;     ///< machine number in e_flags
inline constexpr uint32_t noteType = 32;       ///< NT_AMDGPU_METADATA
inline constexpr unsigned codeAlignment = 256; ///< of `.text` and of each shader function
inline constexpr llvm::StringLiteral noteOwner = "AMDGPU";
inline constexpr llvm::StringLiteral noteSection = ".note";
inline constexpr llvm::StringLiteral textSection = ".text";
/// Marks a part of a pipeline: a code object whose symbols with partSymbolPrefix are defined when
/// it is linked. Not of PAL's ABI; a driver never loads one.
inline constexpr llvm::StringLiteral partSection = ".kiln.part";
inline constexpr llvm::StringLiteral partSymbolPrefix = "kiln.";
/// Type of relocation in parts: the symbol's value is added to the immediate offset of a scalar
/// load, whose second dword is the place. HW: the offset is the low 21 bits there, from gfx12 on 24
/// bits, with a sign; it must not become negative.
inline constexpr uint32_t loadOffsetRelocation = 0xE0;
} // namespace elf

/// Version of the metadata that this project writes; PAL honours `.entry_point_symbol` from 3.6 on.
inline constexpr uint32_t metadataMajorVersion = 3;
inline constexpr uint32_t metadataMinorVersion = 0;

} // namespace pal::abi
