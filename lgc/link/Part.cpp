//===- Part.cpp - takes a part's code object apart ------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The bytes may come from a cache on disk: everything that a link relies on is checked here, once.
#include "lgc/CompileError.h"
#include "lgc/link/PartDigest.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;

namespace lgc {

using pal::abi::HardwareStage;
namespace userdata = pal::abi::userdata;

Error asInvalid(Error error) {
  Error result = Error::success();
  handleAllErrors(
      std::move(error),
      [&](const pal::abi::AbiError &abi) {
        constexpr ErrorKind kinds[] = {ErrorKind::InvalidInput, ErrorKind::Unsupported,
                                       ErrorKind::LimitExceeded};
        ErrorKind kind = kinds[static_cast<size_t>(abi.getKind())];
        result = joinErrors(std::move(result), makeError(kind, abi.getMessage()));
      },
      [&](const ErrorInfoBase &other) {
        result = joinErrors(std::move(result), internalError(other.message()));
      });
  return result;
}

Expected<PartReference> parseReference(StringRef name) {
  PartReference reference;
  StringRef rest = name;
  if (rest.consume_front("kiln.table.")) {
    reference.kind = PartReference::Kind::Table;
    if (!rest.consumeInteger(10, reference.set) && rest.consume_front(".") &&
        !rest.consumeInteger(10, reference.binding) && rest.empty())
      return reference;
  } else if (rest.consume_front("kiln.root.")) {
    if (!rest.consumeInteger(10, reference.dword) && rest.empty())
      return reference;
  } else if (rest.consume_front("kiln.lds.")) {
    reference.kind = PartReference::Kind::Workgroup;
    if (!rest.consumeInteger(10, reference.array) && rest.empty())
      return reference;
  } else if (rest.consume_front("kiln.spec.")) {
    reference.kind = PartReference::Kind::Constant;
    unsigned stage = 0;
    const bool isNamed = !rest.consumeInteger(10, stage) && stage < shaderStageCount &&
                         rest.consume_front(".") &&
                         !rest.consumeInteger(10, reference.constantId) && rest.empty();
    reference.stage = static_cast<ShaderStage>(stage);
    if (isNamed)
      return reference;
  }
  return invalidInput("part: unknown symbol '" + name.take_front(64) + "'");
}

namespace {

/// Which dwords of its roots the part uses: those in registers, and those in the spill table.
Error digestRoots(PartDigest &part, const pal::abi::PipelineMetadata &metadata) {
  std::set<uint32_t> used(part.info.spilled.begin(), part.info.spilled.end());
  bool mapsSpillTable = false;
  for (const auto &stage : metadata.hardwareStages)
    if (stage && stage->userDataRegMap)
      for (uint32_t value : *stage->userDataRegMap) {
        if (userdata::isApiEntry(value))
          used.insert(value);
        mapsSpillTable |= value == userdata::spillTable;
      }
  if (mapsSpillTable != !part.info.spilled.empty())
    return invalidInput("part: the spill table is " + Twine(mapsSpillTable ? "mapped" : "read") +
                        ", but not " + (mapsSpillTable ? "read" : "mapped"));
  // Of an entry, the symbol may be that of its first dword, and another one be read.
  for (const PartReference &reference : part.references) {
    if (reference.kind != PartReference::Kind::Root)
      continue;
    if (!mapsSpillTable)
      return invalidInput("part: dword " + Twine(reference.dword) +
                          " has a symbol, but there is no spill table");
    used.insert(reference.dword);
  }
  for (const PartRoot &root : part.info.roots) {
    UsedRoot entry;
    entry.root = root;
    auto end = uint64_t(root.firstDword) + root.dwords;
    for (auto it = used.lower_bound(root.firstDword); it != used.end() && *it < end;
         it = used.erase(it))
      entry.dwords.push_back(*it);
    if (!entry.dwords.empty() && entry.dwords.back() >= userdata::maxEntries)
      return invalidInput("part: root dword " + Twine(entry.dwords.back()) + ", the limit is " +
                          Twine(userdata::maxEntries));
    part.roots.push_back(std::move(entry));
  }
  if (!used.empty())
    return invalidInput("part: user data dword " + Twine(*used.begin()) +
                        " belongs to no root entry");
  return Error::success();
}

/// The hardware stages that a part of each kind may have.
struct KindRow {
  PartKind kind;
  std::initializer_list<HardwareStage> stages;
  bool needsFetch, needsExport; ///< the signature must be there
};
const KindRow *findKind(PartKind kind) {
  using S = HardwareStage;
  static constexpr std::initializer_list<S> compute = {S::Cs}, fragment = {S::Ps},
                                            vertex = {S::Hs, S::Gs, S::Vs, S::Cs};
  static constexpr KindRow rows[] = {
      {PartKind::Compute, compute, false, false},
      {PartKind::PreRasterization, vertex, false, false},
      {PartKind::Fragment, fragment, false, false},
      {PartKind::VertexFetch, vertex, true, false},
      {PartKind::ColorExport, fragment, false, true},
  };
  return find_if(rows, [kind](const KindRow &row) { return row.kind == kind; });
}

Error checkKind(const PartDigest &part, const pal::abi::PipelineMetadata &metadata) {
  const KindRow *row = findKind(part.info.kind);
  std::string name = partKindName(part.info.kind);
  unsigned count = 0;
  for (unsigned i = 0; i < pal::abi::hardwareStageCount; ++i) {
    auto stage = static_cast<HardwareStage>(i);
    if (!metadata.hardwareStage(stage))
      continue;
    ++count;
    if (!is_contained(row->stages, stage))
      return invalidInput(name + " part: hardware stage " + pal::abi::hardwareStageKey(stage));
  }
  if (count == 0)
    return invalidInput(name + " part: no hardware stage");
  bool isGlue = row->needsFetch || row->needsExport;
  if (isGlue && count != 1)
    return invalidInput(name + " part: several hardware stages");
  bool mayFetch = row->needsFetch || part.info.kind == PartKind::PreRasterization;
  bool mayExport = row->needsExport || part.info.kind == PartKind::Fragment;
  if (part.info.fetch.has_value() ? !mayFetch : row->needsFetch)
    return invalidInput(name + " part: vertex fetch signature");
  if (part.info.colorExport.has_value() ? !mayExport : row->needsExport)
    return invalidInput(name + " part: color export signature");
  if (part.info.fetch && !metadata.hardwareStage(part.info.fetch->stage))
    return invalidInput(name + " part: vertices are fetched in a stage that is not there");
  return Error::success();
}

Error digestCompute(PartDigest &part, const pal::abi::ElfObject &elf) {
  pal::remap::TemplateOptions options;
  options.literalPrefix = pal::abi::elf::partSymbolPrefix;
  options.droppedSection = partInfoSection;
  auto whole = pal::remap::CodeObjectTemplate::create(elf, options);
  if (!whole)
    return asInvalid(whole.takeError());
  part.whole = std::move(*whole);
  for (const std::string &name : part.whole->literals()) {
    PartReference reference = KILN_TRY(parseReference(name));
    part.references.push_back(reference);
  }
  return Error::success();
}

Error digest(PartDigest &part) {
  auto elf = pal::abi::ElfObject::parse(part.elf);
  if (!elf)
    return asInvalid(elf.takeError());
  const pal::abi::ElfSection *section = elf->findSection(partInfoSection);
  if (!section)
    return invalidInput("part: no section " + Twine(partInfoSection));
  PartInfo info = KILN_TRY(decodePartInfo(section->data));
  part.info = std::move(info);
  const pal::abi::ElfHeader &header = elf->header();
  part.elfFlags = header.flags;
  const pal::abi::GpuTarget *target =
      pal::abi::findTargetByMach(header.flags & pal::abi::elf::machMask);
  if (header.machine != pal::abi::elf::machine || header.osAbi != pal::abi::elf::osAbiPal ||
      !target)
    return invalidInput("part: no AMDGPU PAL code object of a known target");
  part.target = target;
  const pal::abi::ElfNote *note = elf->findMetadataNote();
  if (!note)
    return invalidInput("part: no metadata note");
  auto metadata = pal::abi::PipelineMetadata::parse(note->desc);
  if (!metadata)
    return asInvalid(metadata.takeError());
  KILN_TRY(checkKind(part, *metadata));
  if (part.info.kind == PartKind::Compute) {
    KILN_TRY(digestCompute(part, *elf));
  } else {
    KILN_TRY(digestCode(part, *elf));
    KILN_TRY(digestMetadata(part, *metadata));
  }
  return digestRoots(part, *metadata);
}

template <typename Element> size_t bytesOf(const std::vector<Element> &list) {
  return list.capacity() * sizeof(Element);
}

size_t bytesOf(const MetadataPieces &metadata) {
  size_t bytes = bytesOf(metadata.stages) + bytesOf(metadata.inputs) + bytesOf(metadata.outputs);
  for (const PairsPiece *piece :
       {&metadata.version, &metadata.pipeline, &metadata.shaders, &metadata.registers,
        &metadata.exportRegisters, &metadata.depthControl})
    bytes += piece->bytes.capacity();
  for (const PairsPiece &piece : metadata.exportDepth)
    bytes += piece.bytes.capacity();
  for (const StagePiece &stage : metadata.stages)
    bytes += stage.bytes.capacity() + bytesOf(stage.places.apiEntries);
  for (const InputPiece &input : metadata.inputs)
    bytes += input.bytes.capacity() + input.constant.capacity();
  return bytes;
}

} // namespace

Part::Part() : impl(std::make_unique<Impl>()) {}
Part::~Part() = default;

Expected<std::shared_ptr<const Part>> Part::create(ArrayRef<uint8_t> elf) {
  std::shared_ptr<Part> part = PartAccess::make();
  part->impl->elf.assign(elf.begin(), elf.end());
  KILN_TRY(digest(*part->impl));
  return part;
}

const PartInfo &Part::info() const { return impl->info; }

ArrayRef<uint8_t> Part::elf() const { return impl->elf; }

size_t Part::memoryBytes() const {
  size_t bytes = sizeof(Part) + sizeof(Impl) + bytesOf(impl->elf) + bytesOf(impl->metadata) +
                 bytesOf(impl->info.roots) + bytesOf(impl->info.spilled) + bytesOf(impl->roots) +
                 bytesOf(impl->references) + bytesOf(impl->functions) + bytesOf(impl->sections) +
                 bytesOf(impl->symbols) + bytesOf(impl->relocations) + bytesOf(impl->literals);
  for (const UsedRoot &root : impl->roots)
    bytes += bytesOf(root.dwords);
  if (impl->info.fetch)
    bytes += bytesOf(impl->info.fetch->inputs);
  if (impl->info.colorExport)
    bytes += bytesOf(impl->info.colorExport->colors);
  if (impl->whole)
    bytes += impl->whole->memoryBytes();
  return bytes;
}

} // namespace lgc
