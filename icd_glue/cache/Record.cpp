//===- Record.cpp - compiled code as bytes that outlive a process ---------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/Record.h"
#include "icd_glue/cache/CodePacking.h"
#include "llpc/Hasher.h"
#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/Try.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

namespace icd {
namespace {

using llvm::ArrayRef;
using llvm::StringRef;
namespace little = llvm::support::endian;

constexpr uint32_t recordMagic = 0x52434C4B; // "KLCR"
constexpr uint16_t recordVersion = 3;
/// Of the origin.
constexpr uint8_t linkedBit = 1, standInBit = 2;
/// Bytes of everything in front of the name.
constexpr size_t headerBytes = 52;
/// More would be a mistake, or somebody who wants memory to be taken.
constexpr uint32_t maxWarnings = 4096;
constexpr uint32_t maxElfBytes = 64 << 20;

class Writer {
public:
  explicit Writer(std::vector<uint8_t> &bytes) : bytes(bytes) {}
  void u8(uint8_t value) { bytes.push_back(value); }
  void u16(uint16_t value) { little(value, 2); }
  void u32(size_t value) { little(value, 4); }
  void raw(const void *data, size_t size) {
    auto *begin = static_cast<const uint8_t *>(data);
    bytes.insert(bytes.end(), begin, begin + size);
  }

private:
  void little(uint64_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
  }
  std::vector<uint8_t> &bytes;
};

llvm::Error badRecord(const llvm::Twine &what) { return lgc::invalidInput("record: " + what); }

/// Takes pieces off the front; what is not there makes it fail for good.
class Reader {
public:
  explicit Reader(ArrayRef<uint8_t> bytes) : rest(bytes) {}
  uint8_t u8() { return number<uint8_t>(); }
  uint16_t u16() { return number<uint16_t>(); }
  uint32_t u32() { return number<uint32_t>(); }
  ArrayRef<uint8_t> raw(size_t size) {
    if (size > rest.size())
      failed = true;
    if (failed)
      return {};
    ArrayRef<uint8_t> piece = rest.take_front(size);
    rest = rest.drop_front(size);
    return piece;
  }
  StringRef text(size_t size) {
    ArrayRef<uint8_t> piece = raw(size);
    return StringRef(reinterpret_cast<const char *>(piece.data()), piece.size());
  }
  size_t left() const { return rest.size(); }
  bool hasFailed() const { return failed; }

private:
  template <typename T> T number() {
    ArrayRef<uint8_t> piece = raw(sizeof(T));
    return failed ? T(0) : little::read<T, llvm::endianness::little>(piece.data());
  }
  ArrayRef<uint8_t> rest;
  bool failed = false;
};

/// The ELF is read as a whole here; its metadata and code are read when it is loaded or digested.
llvm::Error checkElf(ArrayRef<uint8_t> bytes, const pal::abi::GpuTarget &target) {
  auto elf = pal::abi::ElfObject::parse(bytes);
  if (!elf)
    return badRecord(llvm::toString(elf.takeError()));
  if (elf->header().machine != llvm::ELF::EM_AMDGPU)
    return badRecord("the ELF is not for a GPU of this kind");
  if ((elf->header().flags & llvm::ELF::EF_AMDGPU_MACH) != target.elfMach)
    return badRecord("the ELF is for another GPU");
  return llvm::Error::success();
}

} // namespace

std::vector<uint8_t> encodeRecord(const RecordHead &head, ArrayRef<uint8_t> elf,
                                  const pal::abi::GpuTarget &target) {
  const std::vector<uint8_t> packed = packCode(elf, packingDictionary(target));
  const ArrayRef<uint8_t> stored = packed.empty() ? elf : ArrayRef(packed);
  size_t warningBytes = 0;
  for (const std::string &warning : head.warnings)
    warningBytes += 4 + warning.size();
  std::vector<uint8_t> bytes;
  bytes.reserve(headerBytes + head.name.size() + warningBytes + stored.size());
  Writer writer(bytes);
  writer.u32(recordMagic);
  writer.u16(recordVersion);
  writer.u8(static_cast<uint8_t>(head.kind));
  writer.u8(static_cast<uint8_t>((head.origin.isLinked ? linkedBit : 0) |
                                 (head.origin.isStandIn ? standInBit : 0)));
  writer.u32(target.elfMach);
  writer.u32(head.stages);
  for (uint32_t word : head.pipelineHash)
    writer.u32(word);
  writer.u32(head.name.size());
  writer.u32(head.warnings.size());
  writer.u32(warningBytes);
  writer.u32(elf.size());
  writer.u32(stored.size());
  KILN_CHECK(bytes.size() == headerBytes, "the size of a record's header");
  writer.raw(head.name.data(), head.name.size());
  for (const std::string &warning : head.warnings) {
    writer.u32(warning.size());
    writer.raw(warning.data(), warning.size());
  }
  writer.raw(stored.data(), stored.size());
  return bytes;
}

llvm::Expected<Record> decodeRecord(ArrayRef<uint8_t> bytes, RecordKind kind,
                                    const pal::abi::GpuTarget &target) {
  Reader reader(bytes);
  if (reader.u32() != recordMagic || reader.u16() != recordVersion)
    return badRecord("not one of this version");
  const uint8_t foundKind = reader.u8();
  const uint8_t origin = reader.u8();
  const uint8_t known = kind == RecordKind::Part ? standInBit : linkedBit | standInBit;
  if (foundKind != static_cast<uint8_t>(kind) || (origin & ~known))
    return badRecord("of another kind");
  if (reader.u32() != target.elfMach)
    return badRecord("for another GPU");
  Record record;
  RecordHead &head = record.head;
  head.kind = kind;
  head.origin = {(origin & linkedBit) != 0, (origin & standInBit) != 0};
  head.stages = reader.u32();
  for (uint32_t &word : head.pipelineHash)
    word = reader.u32();
  const uint32_t nameBytes = reader.u32(), warningCount = reader.u32();
  const uint32_t warningBytes = reader.u32();
  record.elfBytes = reader.u32();
  const uint32_t storedBytes = reader.u32();
  head.name = reader.text(nameBytes);
  Reader warnings(reader.raw(warningBytes));
  if (reader.hasFailed() || warningCount > maxWarnings)
    return badRecord("name or warnings end behind the end");
  for (uint32_t i = 0; i < warningCount && !warnings.hasFailed(); ++i) {
    const uint32_t size = warnings.u32();
    head.warnings.push_back(warnings.text(size).str());
  }
  if (warnings.hasFailed() || warnings.left())
    return badRecord("warnings of wrong lengths");
  if (reader.left() != storedBytes || storedBytes > record.elfBytes ||
      record.elfBytes > maxElfBytes)
    return badRecord("the ELF has another size");
  record.stored = reader.raw(storedBytes);
  return record;
}

llvm::Expected<std::vector<uint8_t>> unpackElf(uint32_t elfBytes, ArrayRef<uint8_t> stored,
                                               const pal::abi::GpuTarget &target) {
  std::vector<uint8_t> elf;
  if (stored.size() == elfBytes)
    elf.assign(stored.begin(), stored.end());
  else if (elf.resize(elfBytes); !unpackCode(stored, packingDictionary(target), elf))
    return badRecord("the ELF cannot be unpacked");
  KILN_TRY(checkElf(elf, target));
  return elf;
}

llpc::Hash128 contentHash(ArrayRef<uint8_t> record) { return llpc::hashBytes(record); }

} // namespace icd
