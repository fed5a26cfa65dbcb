//===- PartInfo.cpp - PartInfo as bytes, and as a note in a module --------===//
// SPDX-License-Identifier: MIT
/// \file
/// A sequence of 32-bit numbers, little-endian: magic, version, then the fields in their order,
/// lists with their length in front.
#include "lgc/CompileError.h"
#include "lgc/Part.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace lgc {

namespace {

constexpr uint32_t magic = 0x54504B4B; // "KKPT"
constexpr uint32_t version = 2;
constexpr uint32_t maxListLength = 4096;
constexpr StringLiteral noteName = "lgc.part.info";

class Writer {
public:
  std::vector<uint8_t> bytes;

  void number(uint32_t &value) {
    size_t at = bytes.size();
    bytes.resize(at + 4);
    support::endian::write32le(&bytes[at], value);
  }
  void flag(bool &value) {
    uint32_t asNumber = value;
    number(asNumber);
  }
  template <typename Enum> void enumeration(Enum &value, uint32_t) {
    auto asNumber = static_cast<uint32_t>(value);
    number(asNumber);
  }
  template <typename Element> uint32_t length(std::vector<Element> &list) {
    auto count = static_cast<uint32_t>(list.size());
    number(count);
    return count;
  }
  template <typename Value> bool presence(std::optional<Value> &value) {
    bool present = value.has_value();
    flag(present);
    return present;
  }
};

class Reader {
public:
  explicit Reader(ArrayRef<uint8_t> bytes) : bytes(bytes) {}
  bool ok = true;
  bool atEnd() const { return bytes.empty(); }

  void number(uint32_t &value) {
    ok &= bytes.size() >= 4;
    if (!ok)
      return;
    value = support::endian::read32le(bytes.data());
    bytes = bytes.drop_front(4);
  }
  void flag(bool &value) {
    uint32_t asNumber = 0;
    number(asNumber);
    ok &= asNumber <= 1;
    value = asNumber != 0;
  }
  template <typename Enum> void enumeration(Enum &value, uint32_t count) {
    uint32_t asNumber = 0;
    number(asNumber);
    ok &= asNumber < count;
    value = ok ? static_cast<Enum>(asNumber) : Enum();
  }
  template <typename Element> uint32_t length(std::vector<Element> &list) {
    uint32_t count = 0;
    number(count);
    ok &= count <= maxListLength && count <= bytes.size() / 4;
    list.resize(ok ? count : 0);
    return static_cast<uint32_t>(list.size());
  }
  template <typename Value> bool presence(std::optional<Value> &value) {
    bool present = false;
    flag(present);
    if (ok && present)
      value.emplace();
    return value.has_value();
  }

private:
  ArrayRef<uint8_t> bytes;
};

template <typename Stream> void visit(Stream &s, PartRoot &root) {
  s.enumeration(root.type, static_cast<uint32_t>(ResourceNodeType::Count));
  s.number(root.set);
  s.number(root.binding);
  s.number(root.firstDword);
  s.number(root.dwords);
}

template <typename Stream> void visit(Stream &s, FetchSignature &fetch) {
  s.enumeration(fetch.stage, pal::abi::hardwareStageCount);
  for (uint32_t *field :
       {&fetch.waveSize, &fetch.sgprs, &fetch.vgprs, &fetch.vertexBufferTable, &fetch.baseVertex,
        &fetch.baseInstance, &fetch.vertexId, &fetch.instanceId})
    s.number(*field);
  s.length(fetch.inputs);
  for (FetchSignature::Input &input : fetch.inputs) {
    s.number(input.location);
    s.number(input.mask);
    s.enumeration(input.type, 3);
  }
}

template <typename Stream> void visit(Stream &s, ExportSignature &colorExport) {
  s.number(colorExport.waveSize);
  s.length(colorExport.colors);
  for (ExportSignature::Color &color : colorExport.colors) {
    s.number(color.location);
    s.number(color.index);
    s.number(color.mask);
    s.enumeration(color.type, 3);
    s.number(color.bits);
    s.number(color.zeros);
    s.number(color.ones);
  }
  s.flag(colorExport.depth);
  s.flag(colorExport.stencil);
  s.flag(colorExport.sampleMask);
  s.flag(colorExport.needsExport);
}

template <typename Stream> void visit(Stream &s, PartInfo &info) {
  s.enumeration(info.kind, partKindCount);
  s.length(info.roots);
  for (PartRoot &root : info.roots)
    visit(s, root);
  s.length(info.spilled);
  for (uint32_t &dword : info.spilled)
    s.number(dword);
  if (s.presence(info.fetch))
    visit(s, *info.fetch);
  if (s.presence(info.colorExport))
    visit(s, *info.colorExport);
}

} // namespace

uint32_t ExportSignature::vgprCount() const {
  uint32_t count = uint32_t(depth) + uint32_t(stencil) + uint32_t(sampleMask);
  for (const Color &color : colors)
    count += static_cast<uint32_t>(popcount(color.mask));
  return count;
}

const char *partKindName(PartKind kind) {
  constexpr const char *names[partKindCount] = {"compute", "pre-rasterization", "fragment",
                                                "vertex fetch", "color export"};
  auto index = static_cast<unsigned>(kind);
  return index < partKindCount ? names[index] : "unknown";
}

uint32_t FetchSignature::vgprCount() const {
  uint32_t count = vgprs;
  for (const Input &input : inputs)
    count += static_cast<uint32_t>(llvm::popcount(input.mask));
  return count;
}

std::string tableSymbol(uint32_t set, uint32_t binding) {
  return "kiln.table." + std::to_string(set) + "." + std::to_string(binding);
}

std::string rootSymbol(uint32_t dword) { return "kiln.root." + std::to_string(dword); }

std::string constantSymbol(ShaderStage stage, uint32_t constantId) {
  return "kiln.spec." + std::to_string(static_cast<unsigned>(stage)) + "." +
         std::to_string(constantId);
}

std::string workgroupSymbol(uint32_t array) { return "kiln.lds." + std::to_string(array); }

uint32_t setOfTable(const ResourceNode &node) {
  return node.table.empty() ? node.set : node.table.front().set;
}

std::vector<uint8_t> encodePartInfo(const PartInfo &info) {
  Writer writer;
  uint32_t head[] = {magic, version};
  for (uint32_t &value : head)
    writer.number(value);
  PartInfo copy = info; // the same visitors read
  visit(writer, copy);
  return std::move(writer.bytes);
}

Expected<PartInfo> decodePartInfo(ArrayRef<uint8_t> bytes) {
  Reader reader(bytes);
  uint32_t head[2] = {};
  for (uint32_t &value : head)
    reader.number(value);
  if (!reader.ok || head[0] != magic)
    return invalidInput(Twine(partInfoSection) + ": no part information");
  if (head[1] != version)
    return invalidInput(Twine(partInfoSection) + ": version " + Twine(head[1]) + ", expected " +
                        Twine(version));
  PartInfo info;
  visit(reader, info);
  if (!reader.ok || !reader.atEnd())
    return invalidInput(Twine(partInfoSection) + ": damaged");
  return info;
}

PartInfo partInfoOf(const Module &module) {
  const NamedMDNode *note = module.getNamedMetadata(noteName);
  if (!note || note->getNumOperands() != 1)
    return {};
  StringRef text = cast<MDString>(note->getOperand(0)->getOperand(0))->getString();
  Expected<PartInfo> info = decodePartInfo({text.bytes_begin(), text.size()});
  KILN_CHECK(bool(info), "the module's part information is damaged");
  return std::move(*info);
}

void setPartInfo(Module &module, const PartInfo &info) {
  NamedMDNode *note = module.getOrInsertNamedMetadata(noteName);
  note->clearOperands();
  std::vector<uint8_t> bytes = encodePartInfo(info);
  note->addOperand(
      MDNode::get(module.getContext(), MDString::get(module.getContext(), toStringRef(bytes))));
}

} // namespace lgc
