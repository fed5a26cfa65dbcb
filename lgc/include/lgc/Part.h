//===- Part.h - pipelines in separately compiled parts --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A part is the code of some stages of a pipeline, compiled before the rest is known: without the
/// application's pipeline layout, vertex formats and colour formats. Three kinds of parts (compute,
/// pre-rasterization, fragment) and two kinds of glue (vertex fetch in front of the first vertex
/// stage, colour export behind the fragment stage) make a pipeline; lgc/Link.h puts them together.
///
/// A part is a PAL code object like any other, with these additions:
///
///  - Its user data is numbered as in the layout that it was compiled with (PartInfo::roots says
///    what each dword means); linking renumbers it.
///  - What cannot be renumbered in the metadata is a 32-bit literal with an R_AMDGPU_ABS32_LO
///    relocation against an undefined symbol: tableSymbol(), rootSymbol(),
///    constantSymbol() and workgroupSymbol().
///  - Section `.kiln.part` holds the PartInfo.
///
/// With PartState::separateVertexFetch, the entry function takes the attributes as further VGPRs
/// behind those of the hardware, and glue code that ends by falling through is placed directly in
/// front of it. It starts with the registers of the wave's start, and keeps all of them but
/// VertexId; in front of merged stages it turns on all lanes.
/// With PartState::separateColorExport, the fragment function leaves what it exports in v0 and up,
/// and falls through to the glue, which exports and ends the program.
#pragma once

#include "lgc/Pipeline.h"
#include "pal_shim/abi/AbiNames.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace lgc {

enum class PartKind : uint8_t { Compute, PreRasterization, Fragment, VertexFetch, ColorExport };
inline constexpr unsigned partKindCount = 5;
/// "compute", "pre-rasterization" ...
const char *partKindName(PartKind kind);

/// The glue that a part of this kind may need.
constexpr PartKind glueKindOf(PartKind part) {
  return part == PartKind::Fragment ? PartKind::ColorExport : PartKind::VertexFetch;
}

/// Of a binding in its descriptor table: the literal becomes its offset in bytes.
std::string tableSymbol(uint32_t set, uint32_t binding);
/// Of a dword of the part's own root layout that is read from the spill table: the literal becomes
/// its offset in bytes there, which is 4 times the application's number of that dword.
std::string rootSymbol(uint32_t dword);
/// Of a specialization constant of the shader of \p stage: the literal becomes its value.
std::string constantSymbol(ShaderStage stage, uint32_t constantId);
/// Address in workgroup memory of an array whose size linking fills in, by its number.
std::string workgroupSymbol(uint32_t array);

/// The set that a root node of type DescriptorTableVaPtr points to: that of what it holds (which
/// in a part is the same for all), since not every front end numbers the node itself.
uint32_t setOfTable(const ResourceNode &node);

/// A node of the root layout that a part was compiled with, which uses it.
struct PartRoot {
  /// DescriptorTableVaPtr (of `set`), PushConst, or a descriptor that lives in the root (dynamic
  /// buffers: `set` and `binding`).
  ResourceNodeType type = ResourceNodeType::Unknown;
  uint32_t set = 0;
  uint32_t binding = 0;
  uint32_t firstDword = 0;
  uint32_t dwords = 0;

  bool operator==(const PartRoot &) const = default;
};

/// What LLVM returns of a function in registers, so what glue can hand over.
inline constexpr uint32_t maxGlueSgprs = 44, maxGlueVgprs = 136;

/// How a pre-rasterization part takes its vertex attributes, and glue delivers them. Register
/// numbers count from the first register of the wave.
struct FetchSignature {
  static constexpr uint32_t none = ~0u;
  pal::abi::HardwareStage stage = pal::abi::HardwareStage::Gs;
  uint32_t waveSize = 0;
  uint32_t sgprs = 0; ///< in use at the start, with one for the scratch offset on gfx10
  uint32_t vgprs = 0; ///< in use at the start, without attributes
  uint32_t vertexBufferTable = none; ///< SGPR: low half of its address
  uint32_t baseVertex = none;        ///< SGPR
  uint32_t baseInstance = none;      ///< SGPR
  /// VGPR. The glue finds the hardware's number there and leaves the vertex index, which is that
  /// plus the base vertex.
  uint32_t vertexId = none;
  uint32_t instanceId = none; ///< VGPR
  struct Input {
    uint32_t location = 0; ///< one of 128 bits takes two
    uint32_t mask = 0;     ///< dwords of the location that have a VGPR, each one from the lowest on
    /// What the shader declares, for components that the format lacks.
    enum class Type : uint8_t { Float, Int, Double } type = Type::Float;

    bool operator==(const Input &) const = default;
  };
  std::vector<Input> inputs; ///< ascending; their VGPRs follow each other from `vgprs` on

  /// VGPRs that the part starts with: `vgprs` and one for each bit of the masks.
  uint32_t vgprCount() const;

  bool operator==(const FetchSignature &) const = default;
};

/// How a fragment part leaves its outputs, and glue takes them: colours by location, index and
/// component, then depth, stencil and sample mask, one VGPR each, from v0 on.
struct ExportSignature {
  uint32_t waveSize = 0;
  struct Color {
    uint32_t location = 0;
    uint32_t index = 0; ///< 1: second source of the blend equation
    uint32_t mask = 0;  ///< components that have a VGPR
    enum class Type : uint8_t { Float, Sint, Uint } type = Type::Float;
    uint32_t bits = 32; ///< 16: the value is in the low half
    /// Components that are always 0 or 1, which glue computes with; they have no VGPR.
    uint32_t zeros = 0, ones = 0;

    /// Components that the shader writes.
    uint32_t written() const { return mask | zeros | ones; }
    bool operator==(const Color &) const = default;
  };
  std::vector<Color> colors;
  bool depth = false, stencil = false, sampleMask = false;
  bool needsExport = false; ///< the hardware waits for one even when nothing is written

  /// VGPRs that the glue starts with: one for each bit of the masks and for depth, stencil, mask.
  uint32_t vgprCount() const;

  bool operator==(const ExportSignature &) const = default;
};

/// What linking needs to know of a part besides its code and metadata. Plain data.
struct PartInfo {
  PartKind kind = PartKind::Compute;
  std::vector<PartRoot> roots; ///< used ones, ascending by firstDword
  /// Dwords of the part's root layout that its code reads from the spill table, ascending; of what
  /// it computes addresses into, every dword.
  std::vector<uint32_t> spilled;
  std::optional<FetchSignature> fetch;        ///< pre-rasterization that needs glue; glue
  std::optional<ExportSignature> colorExport; ///< fragment that needs glue; glue

  bool operator==(const PartInfo &) const = default;
};

/// Section of a code object with the encoded PartInfo.
inline constexpr llvm::StringLiteral partInfoSection = pal::abi::elf::partSection;
std::vector<uint8_t> encodePartInfo(const PartInfo &info);
/// Errors: InvalidInput for anything that encodePartInfo would not write.
llvm::Expected<PartInfo> decodePartInfo(llvm::ArrayRef<uint8_t> bytes);

/// Passes note what they know of the part in its module; the back end writes it to the section.
PartInfo partInfoOf(const llvm::Module &module);
void setPartInfo(llvm::Module &module, const PartInfo &info);

} // namespace lgc
