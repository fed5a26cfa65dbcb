//===- Parts.h - compile before the pipeline exists -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Parts (lgc/Part.h) as the compiler's interface has them. A part is made of an ordinary build
/// info, of which only what its code depends on counts: an active binding's place in its set does
/// not, nor do root offsets, vertex formats and colour formats. So a build info that was guessed
/// from the module alone gives the same key, and the same bytes, as the application's own one, if
/// the guess was right in what counts:
///
///     GraphicsPipelineBuildInfo guess;                       // when the module is created
///     guess.fs.module = module;
///     guess.stageMask = stageBit(ShaderStage::Vertex);
///     guess.resourceMapping = *Compiler::guessLayout(module, guess.fs, {});
///     key = compiler.partKey(guess, lgc::PartKind::Fragment);   elf = compiler.buildPart(...)
///
///     key = compiler.partKey(info, lgc::PartKind::Fragment);  // when the pipeline is created
///
/// docs/keys.md lists which field is in which key, and why.
#pragma once

#include "lgc/Link.h"
#include "llpc/Compiler.h"

namespace llpc {

/// What to assume of the layout that a module will be used with.
struct LayoutGuess {
  bool uniformBuffersDynamic = false; ///< all uniform buffers are in the root
  bool storageBuffersDynamic = false; ///< all storage buffers are
  /// Mappings of layouts that the application has made, likeliest first. The first one that has
  /// all bindings that the shader uses, with fitting types, is taken; else the above holds.
  llvm::ArrayRef<const ResourceMappingData *> known;
  /// Vertex attributes are described in memory (enableUberFetchShader), so that layouts of a vertex
  /// shader that reads any have a place for that.
  bool describesVertexInput = false;
};

/// When a part's specialization constants get their values.
enum class SpecializedAt : uint8_t {
  Compile,
  /// Those that are values only (llpc/reflect/LinkedConstants.h) when it is linked: one part for
  /// pipelines that differ in nothing else. Its code is not as good: nothing is folded.
  Link
};

/// What an entry point in front of rasterization takes from the stage before and gives to the next
/// one. Built-ins are left out.
struct StageEnds {
  struct Slot {
    bool ofPatch = false; ///< else of each vertex
    uint32_t location = 0;
    uint8_t base = 0; ///< 0 float, 1 signed, 2 unsigned
    uint8_t bits = 32, components = 0;
  };
  std::vector<Slot> taken, given; ///< sorted by ofPatch and location, each once
  bool hasPayload = false;        ///< of task shaders
};

struct PartResult {
  PipelineBinary elf;
  Hash128 key = {};
  PhaseTimes times;
  std::vector<std::string> warnings;
  bool isDirect = false;     ///< made by the direct tier
  std::string directRefusal; ///< why not, if it was asked for; else empty
};

/// What linking has to be told of a pipeline, because parts for all primitives are one. None: its
/// stages say it.
std::optional<lgc::OutputPrimitive> outputPrimitiveOf(const GraphicsPipelineBuildInfo &info);

} // namespace llpc
