//===- LinkMetadata.cpp - the metadata of a linked graphics pipeline ------===//
// SPDX-License-Identifier: MIT
/// \file
/// Encoded pieces of the parts in a row. Keys are in order within a piece only, which MsgPack does
/// not mind; no key occurs twice, because each belongs to one part (PartMetadata.cpp).
#include "lgc/CompileError.h"
#include "lgc/Interface.h"
#include "lgc/link/PartDigest.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include <bitset>

using namespace llvm;

namespace lgc {

using pal::abi::HardwareStage;
using pal::remap::patch32;
namespace key = pal::abi::key;
namespace userdata = pal::abi::userdata;

namespace {

std::string slotText(uint32_t slot) {
  switch (slot) {
  case Slot::Layer:
    return "Layer";
  case Slot::ViewportIndex:
    return "ViewportIndex";
  case Slot::PrimitiveId:
    return "PrimitiveId";
  case Slot::ClipDistance:
  case Slot::ClipDistance1:
    return "ClipDistance";
  case Slot::CullDistance:
  case Slot::CullDistance1:
    return "CullDistance";
  default:
    return "slot " + std::to_string(slot);
  }
}

class MetadataLinker {
public:
  MetadataLinker(const GraphicsLink &link, const LinkOptions &options, std::vector<uint8_t> &out)
      : link(link), options(options), pre(link.preRasterization.part->metadata),
        fragment(link.fragment.part ? &link.fragment.part->metadata : nullptr),
        exports(link.colorExport.part ? &link.colorExport.part->metadata : fragment) {
    encoder.bytes = std::move(out);
  }
  Error run(std::vector<uint8_t> &out);

private:
  void pairs(const PairsPiece &piece) {
    encoder.bytes.insert(encoder.bytes.end(), piece.bytes.begin(), piece.bytes.end());
  }
  void writeLimits();
  Error writeStages(const ResolvedPart &part);
  Error writeStage(const ResolvedPart &part, const StagePiece &piece);
  void raise(const StagePiece &piece, uint8_t *bytes, const ResolvedPart &glue) const;
  uint32_t depthControlFields() const;
  void writeDepthControl();
  Error writeInputs();
  void writeOutputPrimitive();
  Error writeRegisters();

  const GraphicsLink &link;
  const LinkOptions &options;
  const MetadataPieces &pre;
  const MetadataPieces *fragment; ///< null: none
  const MetadataPieces *exports;  ///< where the registers of exports are; null: none
  pal::remap::MsgPackEncoder encoder;
};

void MetadataLinker::writeLimits() {
  uint32_t limit = 0, threshold = userdata::noSpill;
  for (const ResolvedPart *part :
       {&link.preRasterization, &link.fragment, &link.vertexFetch, &link.colorExport}) {
    limit = std::max(limit, part->userDataLimit);
    threshold = std::min(threshold, part->spillThreshold);
  }
  encoder.string(key::userDataLimit);
  encoder.unsignedInt(limit);
  encoder.string(key::spillThreshold);
  encoder.unsignedInt(threshold);
  encoder.string(key::internalPipelineHash);
  encoder.arrayHeader(2);
  for (unsigned i = 0; i < 2; ++i)
    encoder.unsignedInt(options.pipelineHash[i] ? options.pipelineHash[i] : pre.pipelineHash[i]);
}

/// What glue needs beyond its part.
void MetadataLinker::raise(const StagePiece &piece, uint8_t *bytes,
                           const ResolvedPart &glue) const {
  if (!glue.part)
    return;
  for (const StagePiece &other : glue.part->metadata.stages) {
    if (other.places.stage != piece.places.stage)
      continue;
    const auto &mine = piece.places, &theirs = other.places;
    patch32(bytes, mine.vgprCount, std::max(mine.vgprs, theirs.vgprs));
    patch32(bytes, mine.sgprCount, std::max(mine.sgprs, theirs.sgprs));
    patch32(bytes, mine.scratchMemorySize, std::max(mine.scratchBytes, theirs.scratchBytes));
    patch32(bytes, mine.ldsSize, std::max(mine.ldsBytes, theirs.ldsBytes));
    if (mine.scratchEnabled || theirs.scratchEnabled)
      bytes[mine.scratchEn] = pal::remap::MsgPackEncoder::trueByte;
  }
}

Error MetadataLinker::writeStage(const ResolvedPart &part, const StagePiece &piece) {
  size_t begin = encoder.bytes.size();
  encoder.bytes.insert(encoder.bytes.end(), piece.bytes.begin(), piece.bytes.end());
  uint8_t *bytes = encoder.bytes.data() + begin;
  std::bitset<userdata::maxEntries> seen;
  for (const auto &entry : piece.places.apiEntries) {
    uint32_t dword = part.dwords[entry.dword];
    // HW(gfx12): PAL keeps one register of a stage for each entry.
    if (part.part->target->major >= 12 && seen[dword])
      return unsupported("link: user data dword " + Twine(dword) + " is mapped twice in a stage");
    seen[dword] = true;
    patch32(bytes, entry.place, dword);
  }
  raise(piece, bytes, link.vertexFetch);
  raise(piece, bytes, link.colorExport);
  return Error::success();
}

Error MetadataLinker::writeStages(const ResolvedPart &part) {
  for (const StagePiece &piece : part.part->metadata.stages)
    KILN_TRY(writeStage(part, piece));
  return Error::success();
}

/// The attribute number; none for what nobody writes, which is zero then, as in monolithic
/// pipelines.
std::optional<uint32_t> attributeOf(const MetadataPieces &pre, uint32_t semantic) {
  auto found = lower_bound(pre.outputs, semantic, [](const OutputSemantic &output, uint32_t other) {
    return output.semantic < other;
  });
  if (found != pre.outputs.end() && found->semantic == semantic)
    return found->index;
  return std::nullopt;
}

/// True when the fragment shader is to get a value that is no attribute: built-ins that go to the
/// rasteriser are attributes only where the fragment shader was known.
bool isUnreachable(const MetadataPieces &pre, const InputPiece &input) {
  const uint32_t semantic = input.semantic;
  if (!input.isLinked || semantic < Slot::Position || attributeOf(pre, semantic))
    return false;
  const bool isDistance = semantic >= Slot::ClipDistance && semantic <= Slot::CullDistance1;
  const bool isUnwritten = (semantic == Slot::Layer && !pre.writesLayer) ||
                           (semantic == Slot::ViewportIndex && !pre.writesViewport) ||
                           (isDistance && !pre.writesDistances);
  return !isUnwritten;
}

Error MetadataLinker::writeInputs() {
  encoder.string(key::spiPsInputCntl);
  encoder.arrayHeader(static_cast<uint32_t>(fragment->inputs.size()));
  for (const InputPiece &input : fragment->inputs) {
    if (isUnreachable(pre, input))
      return unsupported("link: the fragment part reads " + slotText(input.semantic) +
                         ", which the part before it has not made an attribute");
    std::optional<uint32_t> attribute;
    if (input.isLinked)
      attribute = attributeOf(pre, input.semantic);
    bool isConstant = input.isLinked && !attribute;
    const std::vector<uint8_t> &bytes = isConstant ? input.constant : input.bytes;
    size_t begin = encoder.bytes.size();
    encoder.bytes.insert(encoder.bytes.end(), bytes.begin(), bytes.end());
    if (attribute)
      patch32(encoder.bytes.data() + begin, input.offset, *attribute | input.offsetFlags);
  }
  return Error::success();
}

/// The field from the glue, or from the part if the glue does not know of it.
const PairsPiece &exportField(const MetadataPieces &exports, const MetadataPieces &fragment,
                              unsigned field) {
  return exports.exportDepth[field].count ? exports.exportDepth[field]
                                          : fragment.exportDepth[field];
}

uint32_t MetadataLinker::depthControlFields() const {
  uint32_t count = fragment->depthControl.count;
  for (unsigned i = 0; i < exportDepthFieldCount; ++i)
    count += exportField(*exports, *fragment, i).count;
  return count;
}

void MetadataLinker::writeDepthControl() {
  encoder.string(key::dbShaderControl);
  encoder.mapHeader(depthControlFields());
  pairs(fragment->depthControl);
  for (unsigned i = 0; i < exportDepthFieldCount; ++i)
    pairs(exportField(*exports, *fragment, i));
}

/// Stages that have no use for it (the legacy vertex stage) do not name it.
void MetadataLinker::writeOutputPrimitive() {
  if (!options.outputPrimitive || !pre.outputPrimitive.count)
    return pairs(pre.outputPrimitive);
  constexpr StringLiteral names[] = {"PointList", "LineStrip", "TriStrip"};
  encoder.string(key::vgtGsOutPrimType);
  encoder.mapHeader(1);
  encoder.string(key::outprimType);
  encoder.string(names[static_cast<unsigned>(*options.outputPrimitive)]);
}

Error MetadataLinker::writeRegisters() {
  encoder.string(key::graphicsRegisters);
  uint32_t count = pre.registers.count + pre.outputPrimitive.count;
  if (!fragment) {
    encoder.mapHeader(count);
    pairs(pre.registers);
    writeOutputPrimitive();
    return Error::success();
  }
  encoder.mapHeader(count + fragment->registers.count + exports->exportRegisters.count + 2);
  pairs(pre.registers);
  writeOutputPrimitive();
  pairs(fragment->registers);
  pairs(exports->exportRegisters);
  writeDepthControl();
  return writeInputs();
}

Error MetadataLinker::run(std::vector<uint8_t> &out) {
  bool sampleMask = fragment && (fragment->sampleMask || exports->sampleMask);
  bool dummyExport = fragment && exports->dummyExport;
  // Limits, hash, shaders, stages and registers are always there.
  uint32_t count = pre.pipeline.count + 6 + sampleMask + dummyExport;
  if (fragment)
    count += fragment->pipeline.count;
  encoder.mapHeader(pre.version.count + 1);
  pairs(pre.version);
  encoder.string(key::pipelines);
  encoder.arrayHeader(1);
  encoder.mapHeader(count);
  pairs(pre.pipeline);
  if (fragment)
    pairs(fragment->pipeline);
  writeLimits();
  for (auto [isSet, name] : {std::pair(sampleMask, StringRef(key::psSampleMask)),
                             std::pair(dummyExport, StringRef(key::psDummyExport))})
    if (isSet) {
      encoder.string(name);
      encoder.boolean(true);
    }
  encoder.string(key::shaders);
  encoder.mapHeader(pre.shaders.count + (fragment ? fragment->shaders.count : 0));
  pairs(pre.shaders);
  if (fragment)
    pairs(fragment->shaders);
  encoder.string(key::hardwareStages);
  encoder.mapHeader(
      static_cast<uint32_t>(pre.stages.size() + (fragment ? fragment->stages.size() : 0)));
  KILN_TRY(writeStages(link.preRasterization));
  if (fragment)
    KILN_TRY(writeStages(link.fragment));
  KILN_TRY(writeRegisters());
  out = std::move(encoder.bytes);
  return Error::success();
}

} // namespace

bool interfacesLink(const Part &preRasterization, const Part &fragment) {
  const MetadataPieces &pre = PartAccess::of(preRasterization).metadata;
  return none_of(PartAccess::of(fragment).metadata.inputs,
                 [&](const InputPiece &input) { return isUnreachable(pre, input); });
}

Error linkMetadata(const GraphicsLink &link, const LinkOptions &options,
                   std::vector<uint8_t> &out) {
  return MetadataLinker(link, options, out).run(out);
}

} // namespace lgc
