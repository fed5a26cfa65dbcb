//===- PartMetadata.cpp - metadata of a part, encoded in pieces -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Sorts the keys of a part's metadata by who decides about them in a monolithic pipeline, and
/// encodes them, so that a link has only to put encoded pieces in a row.
#include "lgc/CompileError.h"
#include "lgc/Interface.h"
#include "lgc/link/PartDigest.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace lgc {

using msgpack::DocNode;
using msgpack::MapDocNode;
using pal::abi::asBool;
using pal::abi::asMap;
using pal::abi::asString;
using pal::abi::asUInt;
using pal::abi::HardwareStage;
using pal::abi::lookup;
using pal::remap::MsgPackEncoder;
namespace key = pal::abi::key;

namespace {

/// HW: bit 5 of OFFSET: no attribute but a constant; DEFAULT_VAL 0 is four zeros. With FLAT_SHADE
/// it means that values of vertices are passed through.
constexpr uint32_t offsetConstant = 32;

// Keys of `.graphics_registers` of fragment shaders; all others belong to the stages before.
constexpr StringLiteral fragmentRegisters[] = {
    key::spiBarycCntl,   key::spiPsInControl,    key::spiPsInputEna,
    key::spiPsInputAddr, key::spiPsInputCntl,    key::spiInterpControl,
    key::psIterSample,   key::psWaveCntEn,       key::aaCoverageToShaderSelect,
    key::psExtraLdsSize, key::paScShaderControl, key::psLoadProvokingVtx,
    key::posFloatUlc,    key::dbShaderControl};
constexpr StringLiteral exportRegisters[] = {key::spiShaderColFormat, key::cbShaderMask,
                                             key::spiShaderZFormat};
constexpr StringLiteral exportDepthFields[exportDepthFieldCount] = {
    key::zExportEnable, key::stencilTestValExportEnable, key::maskExportEnable,
    key::alphaToMaskDisable};

// Keys of the pipeline.
constexpr StringLiteral fragmentKeys[] = {key::numInterpolants};
/// Made by the link, or looked at here.
constexpr StringLiteral linkedKeys[] = {
    key::internalPipelineHash, key::userDataLimit,          key::spillThreshold,  key::shaders,
    key::hardwareStages,       key::graphicsRegisters,      key::psInputSemantic, key::psSampleMask,
    key::psDummyExport,        key::prerasterOutputSemantic};

StringRef nameOf(const DocNode &node) { return asString(node).value_or(StringRef()); }

void addPair(PairsPiece &piece, const DocNode &name, const DocNode &value) {
  MsgPackEncoder encoder;
  encoder.bytes = std::move(piece.bytes);
  encoder.node(name);
  encoder.node(value);
  piece.bytes = std::move(encoder.bytes);
  ++piece.count;
}

uint32_t numberAt(MapDocNode map, StringRef name) {
  DocNode *node = lookup(map, name);
  if (!node)
    return 0;
  if (std::optional<bool> boolean = asBool(*node))
    return *boolean;
  return static_cast<uint32_t>(asUInt(*node).value_or(0));
}

bool flagAt(MapDocNode map, StringRef name) { return numberAt(map, name) != 0; }

/// The map under `name`, or null.
MapDocNode *mapAt(MapDocNode map, StringRef name) {
  DocNode *node = lookup(map, name);
  return node ? asMap(*node) : nullptr;
}

class MetadataDigester {
public:
  MetadataDigester(PartDigest &part, pal::abi::PipelineMetadata &metadata)
      : part(part), pieces(part.metadata), metadata(metadata), pipeline(metadata.pipelineMap()) {}
  Error run();

private:
  void digestPipelineKeys();
  void digestStages();
  void digestRegisters();
  void digestDepthControl(MapDocNode fields);
  Error digestInputs();
  void addInput(MapDocNode control, std::optional<uint32_t> semantic);
  Error digestOutputs();
  Error checkFunctions() const;
  bool is(PartKind kind) const { return part.info.kind == kind; }
  bool isFragment() const { return is(PartKind::Fragment); }

  PartDigest &part;
  MetadataPieces &pieces;
  pal::abi::PipelineMetadata &metadata;
  MapDocNode pipeline;
};

void MetadataDigester::digestPipelineKeys() {
  MapDocNode root = metadata.document().getRoot().getMap();
  for (auto &[name, value] : root)
    if (nameOf(name) != key::pipelines && is(PartKind::PreRasterization))
      addPair(pieces.version, name, value);
  for (auto &[name, value] : pipeline) {
    StringRef text = nameOf(name);
    if (is_contained(linkedKeys, text))
      continue;
    if (is_contained(fragmentKeys, text) ? isFragment() : is(PartKind::PreRasterization))
      addPair(pieces.pipeline, name, value);
  }
  pieces.sampleMask = flagAt(pipeline, key::psSampleMask);
  pieces.dummyExport = flagAt(pipeline, key::psDummyExport);
  if (MapDocNode *shaders = mapAt(pipeline, key::shaders))
    for (auto &[name, value] : *shaders) {
      bool isPixel = nameOf(name) == apiStageKey(pal::abi::ApiStage::Pixel);
      if (isPixel ? isFragment() : is(PartKind::PreRasterization))
        addPair(pieces.shaders, name, value);
    }
  for (unsigned i = 0; metadata.internalPipelineHash && i < 2; ++i)
    pieces.pipelineHash[i] = (*metadata.internalPipelineHash)[i];
}

void MetadataDigester::digestStages() {
  MapDocNode *stages = mapAt(pipeline, key::hardwareStages);
  if (!stages)
    return;
  for (auto &[name, value] : *stages) {
    std::optional<HardwareStage> stage = pal::abi::findHardwareStage(nameOf(name));
    MapDocNode *map = asMap(value);
    if (!stage || !map)
      continue;
    MsgPackEncoder encoder;
    encoder.node(name);
    StagePiece piece;
    piece.places = encodeHardwareStage(encoder, *stage, *map, /*complete=*/true);
    piece.bytes = std::move(encoder.bytes);
    pieces.stages.push_back(std::move(piece));
  }
}

void MetadataDigester::digestDepthControl(MapDocNode fields) {
  for (auto &[name, value] : fields) {
    const auto *found = find(exportDepthFields, nameOf(name));
    if (found == std::end(exportDepthFields))
      addPair(pieces.depthControl, name, value);
    else
      addPair(pieces.exportDepth[found - exportDepthFields], name, value);
  }
}

void MetadataDigester::digestRegisters() {
  MapDocNode *registers = mapAt(pipeline, key::graphicsRegisters);
  if (!registers)
    return;
  for (auto &[name, value] : *registers) {
    StringRef text = nameOf(name);
    if (is_contained(exportRegisters, text)) {
      if (isFragment() || is(PartKind::ColorExport))
        addPair(pieces.exportRegisters, name, value);
    } else if (text == key::dbShaderControl) {
      if (MapDocNode *fields = asMap(value); fields && !is(PartKind::PreRasterization))
        digestDepthControl(*fields);
    } else if (text == key::vgtGsOutPrimType) {
      if (is(PartKind::PreRasterization))
        addPair(pieces.outputPrimitive, name, value);
    } else if (text != key::spiPsInputCntl) {
      if (is_contained(fragmentRegisters, text) ? isFragment() : is(PartKind::PreRasterization))
        addPair(pieces.registers, name, value);
    }
  }
  if (MapDocNode *out = mapAt(*registers, key::paClVsOutCntl)) {
    pieces.writesLayer = flagAt(*out, key::useVtxRenderTargetIndx);
    pieces.writesViewport = flagAt(*out, key::useVtxViewportIndx);
    pieces.writesDistances =
        flagAt(*out, key::vsOutCcDist0VecEna) || flagAt(*out, key::vsOutCcDist1VecEna);
  }
  // Mesh shaders have them in a word of each primitive, and no register says which of them.
  const bool hasPrimitiveWord = flagAt(*registers, key::vgtDrawPrimPayloadEn);
  pieces.writesLayer |= hasPrimitiveWord;
  pieces.writesViewport |= hasPrimitiveWord;
}

/// Encodes an element of `.spi_ps_input_cntl` for both cases.
void MetadataDigester::addInput(MapDocNode control, std::optional<uint32_t> semantic) {
  InputPiece piece;
  piece.isLinked = semantic && *semantic != Slot::End; // the latter: the point coordinate
  piece.semantic = semantic.value_or(Slot::End);
  uint32_t oldOffset = numberAt(control, key::offset);
  piece.offsetFlags = oldOffset & offsetConstant;
  MsgPackEncoder encoder;
  encoder.mapHeader(static_cast<uint32_t>(control.size()) + !lookup(control, key::offset));
  for (auto &[name, value] : control)
    if (nameOf(name) != key::offset) {
      encoder.node(name);
      encoder.node(value);
    }
  encoder.string(key::offset);
  piece.offset = encoder.number32(oldOffset);
  piece.bytes = std::move(encoder.bytes);

  MsgPackEncoder constant;
  constant.mapHeader(2);
  constant.string(key::flatShade);
  constant.boolean(false);
  constant.string(key::offset);
  constant.unsignedInt(offsetConstant);
  piece.constant = std::move(constant.bytes);
  pieces.inputs.push_back(std::move(piece));
}

Error MetadataDigester::digestInputs() {
  MapDocNode *registers = mapAt(pipeline, key::graphicsRegisters);
  DocNode *controls = registers ? lookup(*registers, key::spiPsInputCntl) : nullptr;
  if (!controls)
    return invalidInput("fragment part: no .spi_ps_input_cntl");
  DocNode *semantics = lookup(pipeline, key::psInputSemantic);
  size_t count = semantics ? semantics->getArray().size() : 0;
  if (count > controls->getArray().size())
    return invalidInput("fragment part: more semantics than inputs");
  uint32_t inputs = 0, vertexInputs = 0;
  if (MapDocNode *control = mapAt(*registers, key::spiPsInControl)) {
    vertexInputs = numberAt(*control, key::numInterps);
    inputs = vertexInputs + numberAt(*control, key::numPrimInterp);
  }
  if (inputs != count)
    return invalidInput("fragment part: " + Twine(inputs) + " inputs, " + Twine(count) +
                        " semantics");
  for (size_t i = 0; i < controls->getArray().size(); ++i) {
    std::optional<uint32_t> semantic;
    if (i < count)
      semantic = numberAt(semantics->getArray()[i].getMap(), key::semantic);
    addInput(controls->getArray()[i].getMap(), semantic);
  }
  return Error::success();
}

Error MetadataDigester::digestOutputs() {
  DocNode *semantics = lookup(pipeline, key::prerasterOutputSemantic);
  size_t count = semantics ? semantics->getArray().size() : 0;
  for (size_t i = 0; i < count; ++i) {
    MapDocNode map = semantics->getArray()[i].getMap();
    OutputSemantic output = {numberAt(map, key::semantic), numberAt(map, key::index)};
    if (output.index >= offsetConstant)
      return invalidInput("pre-rasterization part: attribute " + Twine(output.index));
    pieces.outputs.push_back(output);
  }
  sort(pieces.outputs,
       [](const OutputSemantic &a, const OutputSemantic &b) { return a.semantic < b.semantic; });
  // What is not listed counts as not written: a list that is missing would change results.
  MapDocNode *registers = mapAt(pipeline, key::graphicsRegisters);
  MapDocNode *config = registers ? mapAt(*registers, key::spiVsOutConfig) : nullptr;
  if (!count && config && !flagAt(*config, key::noPcExport))
    return invalidInput("pre-rasterization part: attributes without semantics");
  return Error::success();
}

Error MetadataDigester::checkFunctions() const {
  for (const StagePiece &stage : pieces.stages)
    if (count_if(part.functions, [&](const FunctionPiece &function) {
          return function.stage == stage.places.stage;
        }) != 1)
      return invalidInput("part: hardware stage " + hardwareStageKey(stage.places.stage) +
                          " without its function");
  if (part.functions.size() != pieces.stages.size())
    return invalidInput("part: a function without hardware stage");
  return Error::success();
}

Error MetadataDigester::run() {
  digestPipelineKeys();
  digestStages();
  digestRegisters();
  KILN_TRY(checkFunctions());
  if (isFragment())
    return digestInputs();
  return is(PartKind::PreRasterization) ? digestOutputs() : Error::success();
}

} // namespace

Error digestMetadata(PartDigest &part, pal::abi::PipelineMetadata &metadata) {
  return MetadataDigester(part, metadata).run();
}

} // namespace lgc
