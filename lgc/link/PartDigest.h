//===- PartDigest.h - a part's code object, taken apart -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What Part::create finds out, so that a link has only to copy. A compute part is a template of
/// the whole (pal_shim/remap). The others are pieces: functions, other sections, symbols,
/// relocations, and metadata, encoded by who decides about it:
///
///   pre-rasterization part   .type .api .shaders .hardware_stages.{hs,gs,vs,cs}, its registers
///   fragment part            .shaders.pixel .hardware_stages.ps, registers of fragment shaders
///   colour export glue       the registers of exports
///   any glue                 raises register and memory sizes of its hardware stage
#pragma once

#include "lgc/Link.h"
#include "pal_shim/abi/Metadata.h"
#include "pal_shim/remap/CodeObjectTemplate.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace lgc {

/// A root entry of the part's layout, and which of its dwords are used.
struct UsedRoot {
  PartRoot root;
  std::vector<uint32_t> dwords; ///< ascending, in the part's numbering
};

/// A symbol whose value a link gives.
struct PartReference {
  enum class Kind : uint8_t { Root, Table, Constant, Workgroup } kind = Kind::Root;
  uint32_t dword = 0;                       ///< rootSymbol()
  uint32_t set = 0, binding = 0;            ///< tableSymbol()
  ShaderStage stage = ShaderStage::Compute; ///< constantSymbol()
  uint32_t constantId = 0;
  uint32_t array = 0; ///< workgroupSymbol()
};

struct FunctionPiece {
  pal::abi::HardwareStage stage = pal::abi::HardwareStage::Gs;
  uint32_t offset = 0, size = 0; ///< in `.text`
};

/// A section besides `.text` that goes into the result; those of one name are put together.
struct SectionPiece {
  llvm::StringRef name;
  uint32_t type = 0;
  uint64_t flags = 0;
  uint32_t alignment = 1;
  uint64_t entrySize = 0;
  llvm::ArrayRef<uint8_t> data;
};

/// A place in a part: `index` counts functions or sections.
struct PiecePlace {
  bool inText = false;
  uint32_t index = 0;
  uint32_t offset = 0; ///< in the function or section
};

struct SymbolPiece {
  llvm::StringRef name; ///< empty: a place that has no name of its own
  PiecePlace place;
  uint64_t size = 0;
  uint8_t type = 0, binding = 0;
};

struct RelocationPiece {
  PiecePlace place;
  uint32_t type = 0;
  uint32_t symbol = 0; ///< index into the symbol pieces
};

struct LiteralPiece {
  PiecePlace place;
  uint32_t reference = 0; ///< index into the references
  pal::remap::LiteralField field;
};

/// Encoded key-value pairs of one map.
struct PairsPiece {
  std::vector<uint8_t> bytes;
  uint32_t count = 0;
};

struct StagePiece {
  pal::remap::StagePlaces places; ///< in `bytes`
  std::vector<uint8_t> bytes;     ///< key and map
};

/// An element of `.spi_ps_input_cntl`.
struct InputPiece {
  uint32_t semantic = 0;    ///< slot
  bool isLinked = false;    ///< takes its attribute number from a semantic
  uint32_t offsetFlags = 0; ///< of `.offset`, besides the attribute number
  std::vector<uint8_t> bytes;
  pal::remap::Place offset = 0;  ///< of `.offset` in `bytes`
  std::vector<uint8_t> constant; ///< instead, when nobody writes the attribute
};

struct OutputSemantic {
  uint32_t semantic = 0;
  uint32_t index = 0; ///< attribute number
};

/// `.db_shader_control` fields that the exports decide, if there are exports elsewhere.
inline constexpr unsigned exportDepthFieldCount = 4;

struct MetadataPieces {
  PairsPiece version;  ///< amdpal.version
  PairsPiece pipeline; ///< amdpal.pipelines[0], without what follows and what a link makes
  PairsPiece shaders;
  std::vector<StagePiece> stages;
  PairsPiece registers;
  PairsPiece outputPrimitive; ///< `.vgt_gs_out_prim_type`
  PairsPiece exportRegisters;
  PairsPiece depthControl;
  std::array<PairsPiece, exportDepthFieldCount> exportDepth;
  bool sampleMask = false, dummyExport = false; ///< `.ps_sample_mask`, `.ps_dummy_export`
  std::vector<InputPiece> inputs;
  std::vector<OutputSemantic> outputs; ///< ascending by semantic
  bool writesLayer = false, writesViewport = false, writesDistances = false;
  uint64_t pipelineHash[2] = {0, 0};
};

struct Part::Impl {
  std::vector<uint8_t> elf;
  PartInfo info;
  uint32_t elfFlags = 0;
  const pal::abi::GpuTarget *target = nullptr;
  std::vector<UsedRoot> roots;
  std::vector<PartReference> references;
  std::optional<pal::remap::CodeObjectTemplate> whole; ///< compute
  // The others; names and data refer to `elf`.
  llvm::ArrayRef<uint8_t> text;
  std::vector<FunctionPiece> functions; ///< ascending
  std::vector<SectionPiece> sections;
  std::vector<SymbolPiece> symbols;
  std::vector<RelocationPiece> relocations;
  std::vector<LiteralPiece> literals;
  llvm::ArrayRef<uint8_t> otherNotes; ///< in front of the metadata
  MetadataPieces metadata;
};

struct PartAccess {
  using Impl = Part::Impl;
  static std::shared_ptr<Part> make() { return std::shared_ptr<Part>(new Part); }
  static Impl &of(Part &part) { return *part.impl; }
  static const Part::Impl &of(const Part &part) { return *part.impl; }
};

using PartDigest = PartAccess::Impl;

/// Steps of Part::create for parts that are linked from pieces.
llvm::Error digestCode(PartDigest &part, const pal::abi::ElfObject &elf);
llvm::Error digestMetadata(PartDigest &part, pal::abi::PipelineMetadata &metadata);

/// Errors of pal_shim as ours.
llvm::Error asInvalid(llvm::Error error);
/// Parses "kiln.table.1.2", "kiln.root.3", "kiln.spec.7.4" and "kiln.lds.0".
llvm::Expected<PartReference> parseReference(llvm::StringRef name);

/// One part in a link: what it refers to, in the application's layout.
struct ResolvedPart {
  const PartDigest *part = nullptr;
  std::array<uint32_t, pal::abi::userdata::maxEntries> dwords;
  llvm::SmallVector<uint32_t, 16> references;
  uint32_t spillThreshold = pal::abi::userdata::noSpill;
  uint32_t userDataLimit = 0; ///< one more than the highest dword that the part uses
};

struct GraphicsLink {
  ResolvedPart vertexFetch, preRasterization, fragment, colorExport; ///< part: null if not there
};
llvm::Expected<std::vector<uint8_t>> linkGraphics(GraphicsLink &link, const LinkOptions &options);
/// Appends the metadata document.
llvm::Error linkMetadata(const GraphicsLink &link, const LinkOptions &options,
                         std::vector<uint8_t> &out);

} // namespace lgc
