//===- CodeObjectTemplate.h - a code object for many layouts --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Renumbers the user data of a finished code object without compiling anything.
///
/// A code object depends on the numbers of root dwords (API user data) in a few places: the entries
/// of `.user_data_reg_map` of every stage, compute's too, `.user_data_limit`, `.spill_threshold`,
/// and, for dwords that are read from the spill table, the offsets in the code, because entry i of
/// that table is always at byte 4 * i. A compiler that wants the latter to be movable writes them
/// as 32-bit literals with R_AMDGPU_ABS32_LO relocations against undefined symbols.
///
/// A template knows all these places; apply() copies its bytes and patches them. It is immutable:
/// any number of threads may apply the same one.
///
///     auto whole = CodeObjectTemplate::create(elf, {});        // once
///     auto moved = whole->apply({.dwords = newNumbers, ...});  // microseconds, any number of
///     times
#pragma once

#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/remap/LiteralField.h"
#include "pal_shim/remap/MetadataEncoder.h"
#include <array>
#include <string>
#include <vector>

namespace pal::remap {

/// In numberings: this dword is not there.
inline constexpr uint32_t noDword = ~0u;

struct TemplateOptions {
  /// Undefined symbols that begin so are values of literals, given at apply(); the result has
  /// neither them nor their relocations. Empty: there are none.
  llvm::StringRef literalPrefix;
  llvm::StringRef droppedSection; ///< left out of the result
};

/// What changes from use to use.
struct Numbering {
  /// New number of each dword by its old one; noDword for those that the new layout lacks.
  llvm::ArrayRef<uint32_t> dwords;
  /// Values of CodeObjectTemplate::literals(), in their order.
  llvm::ArrayRef<uint32_t> literals;
  /// Lowest new number of a dword that the code reads from the spill table; userdata::noSpill when
  /// there is none.
  uint32_t spillThreshold = abi::userdata::noSpill;
  /// At least this; raised to one more than the highest new number.
  uint32_t userDataLimit = 0;
  std::array<uint64_t, 2> pipelineHash = {0, 0}; ///< a word of zero: stays as it is
  uint32_t workgroupBytes = 0;                   ///< of a compute shader, if it needs more
};

class CodeObjectTemplate {
public:
  /// Errors: Malformed for what cannot be a code object, Unsupported for relocations against
  /// literal symbols of other types.
  static llvm::Expected<CodeObjectTemplate> create(const abi::ElfObject &elf,
                                                   const TemplateOptions &options);

  /// Names of the literal symbols, each once, in the order of the symbol table.
  llvm::ArrayRef<std::string> literals() const { return literalNames; }
  /// The code object with literals as the compiler left them.
  llvm::ArrayRef<uint8_t> bytes() const { return image; }
  size_t memoryBytes() const;
  /// `.lds_size` of a compute shader; 0: none.
  uint32_t workgroupBytes() const;

  /// Errors: TooLarge when a literal has too few bits for its value, Malformed when a mapped dword
  /// has no new number or one beyond PAL's 160, Unsupported
  /// when two of them get the same on a generation that maps each once in a stage (gfx12).
  llvm::Expected<std::vector<uint8_t>> apply(const Numbering &numbering) const;

private:
  struct Literal {
    uint32_t place; ///< in the file
    uint32_t index; ///< of literals()
    LiteralField field;
  };
  struct Builder;

  std::vector<uint8_t> image;
  PipelinePlaces metadata; ///< places in `image`
  std::vector<Literal> patches;
  std::vector<std::string> literalNames;
  const abi::GpuTarget *target = nullptr; ///< null: unknown
};

} // namespace pal::remap
