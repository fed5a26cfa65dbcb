//===- FozArchive.cpp - Fossilize databases -------------------------------===//
// SPDX-License-Identifier: MIT
#include "FozArchive.h"
#include "JsonText.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace replay {
namespace {

constexpr StringRef magic("\x81"
                          "FOSSILIZEDB\0\0\0",
                          15);
constexpr uint8_t oldestVersion = 5, newestVersion = 6;
constexpr size_t magicBytes = 16, nameBytes = 40, kindDigits = 24, headerBytes = 16;
constexpr uint32_t formatPlain = 1, formatZlib = 2;
constexpr uint32_t maxContentBytes = 256 << 20;
/// zlib makes a byte of no more than this many.
constexpr uint64_t mostOfAByte = 1032;

uint32_t word(const char *at) { return llvm::support::endian::read32le(at); }

/// A number of bytes out of JSON.
std::optional<uint64_t> numberAt(const Json &json, StringRef name) {
  const Json *value = member(json, name);
  if (!value || !value->is_number_unsigned())
    return std::nullopt;
  return *value->get_ptr<const Json::number_unsigned_t *>();
}

} // namespace

Error FozArchive::fault(uint64_t place, const Twine &message) const {
  return lgc::invalidInput(name() + " (byte " + Twine(place) + "): " + message);
}

Expected<std::unique_ptr<FozArchive>> FozArchive::open(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path, false, /*RequiresNullTerminator=*/false);
  if (!file)
    return lgc::invalidInput(path + ": " + file.getError().message());
  return create(std::move(*file));
}

Expected<std::unique_ptr<FozArchive>> FozArchive::create(std::unique_ptr<llvm::MemoryBuffer> file) {
  std::unique_ptr<FozArchive> archive(new FozArchive(std::move(file)));
  KILN_TRY(archive->readIndex());
  return archive;
}

Error FozArchive::readIndex() {
  const StringRef bytes = file->getBuffer();
  if (bytes.size() < magicBytes || !bytes.starts_with(magic))
    return fault(0, "no Fossilize database");
  const auto version = static_cast<uint8_t>(bytes[magic.size()]);
  if (version < oldestVersion || version > newestVersion)
    return fault(magic.size(),
                 "version " + Twine(unsigned(version)) + " of Fossilize databases is unknown");
  uint64_t place = magicBytes;
  auto stop = [&](const Twine &why) {
    whyCutOff = lgc::consumeToText(fault(place, why + "; nothing from here on is read")).message;
    return Error::success();
  };
  while (place < bytes.size()) {
    if (bytes.size() - place < nameBytes + headerBytes)
      return stop("an entry is cut off");
    uint64_t kind = 0, hash = 0;
    // No signs, blanks or prefixes, which numbers elsewhere may have.
    const StringRef digits = bytes.substr(place, nameBytes);
    if (!llvm::all_of(digits, llvm::isHexDigit) ||
        digits.take_front(kindDigits).getAsInteger(16, kind) ||
        digits.drop_front(kindDigits).getAsInteger(16, hash))
      return stop("no name of an entry");
    const char *header = bytes.data() + place + nameBytes;
    const Entry entry = {place + nameBytes + headerBytes, word(header), word(header + 4),
                         word(header + 8), word(header + 12)};
    if (entry.bytes > bytes.size() - entry.place)
      return stop("an entry is cut off");
    if (kind <= UINT32_MAX)
      entries.try_emplace({static_cast<uint32_t>(kind), hash}, entry);
    place = entry.place + entry.bytes;
  }
  return Error::success();
}

std::vector<uint64_t> FozArchive::hashes(FozKind kind) const {
  std::vector<uint64_t> found;
  for (auto at = entries.lower_bound({static_cast<uint32_t>(kind), 0});
       at != entries.end() && at->first.first == static_cast<uint32_t>(kind); ++at)
    found.push_back(at->first.second);
  return found;
}

Expected<std::string> FozArchive::read(FozKind kind, uint64_t hash) const {
  auto at = entries.find({static_cast<uint32_t>(kind), hash});
  if (at == entries.end())
    return lgc::invalidInput(name() + ": no entry " + llvm::utohexstr(hash, true, 16) +
                             " of kind " + Twine(static_cast<uint32_t>(kind)));
  const Entry &entry = at->second;
  const StringRef payload = file->getBuffer().substr(entry.place, entry.bytes);
  const auto bytes = llvm::arrayRefFromStringRef(payload);
  if (entry.crc && llvm::crc32(bytes) != entry.crc)
    return fault(entry.place, "the entry is damaged: another checksum");
  if (entry.format == formatPlain)
    return entry.contentBytes == entry.bytes ? Expected<std::string>(payload.str())
                                             : fault(entry.place, "an entry of two sizes");
  if (entry.format != formatZlib)
    return fault(entry.place, "unknown compression " + Twine(entry.format));
  if (entry.contentBytes > maxContentBytes ||
      entry.contentBytes > (uint64_t(entry.bytes) + 1) * mostOfAByte)
    return fault(entry.place, Twine(entry.contentBytes) + " bytes cannot be in an entry of " +
                                  Twine(entry.bytes));
  if (!llvm::compression::zlib::isAvailable())
    return lgc::unsupported("this LLVM was built without zlib, which " + name() + " needs");
  std::string content(entry.contentBytes, '\0');
  size_t size = content.size();
  Error error =
      llvm::compression::zlib::decompress(bytes, reinterpret_cast<uint8_t *>(content.data()), size);
  if (error) {
    llvm::consumeError(std::move(error));
    return fault(entry.place, "the entry is damaged: no zlib data");
  }
  if (size != content.size())
    return fault(entry.place, "an entry of two sizes");
  return content;
}

Expected<std::vector<uint32_t>> fozModule(StringRef content, const std::string &name,
                                          StringRef hash) {
  const auto [text, behind] = content.split('\0');
  JsonText json = KILN_TRY(JsonText::parse(name, text.str()));
  auto fault = [&](const Twine &message) { return lgc::invalidInput(name + ": " + message); };
  const Json *modules = member(json.root(), "shaderModules");
  const Json *module = modules ? member(*modules, hash) : nullptr;
  if (!module)
    return fault("no module of this hash");
  const auto offset = numberAt(*module, "varintOffset"), size = numberAt(*module, "varintSize");
  const auto codeSize = numberAt(*module, "codeSize");
  if (!offset || !size || !codeSize)
    return fault("no place of a module's words");
  if (*offset > behind.size() || *size > behind.size() - *offset)
    return fault("the words of the module are not there");
  const StringRef bytes = behind.substr(*offset, *size);
  if (*codeSize % 4 || *codeSize / 4 > bytes.size())
    return fault("no module of " + Twine(*codeSize) + " bytes is in " + Twine(*size));
  std::vector<uint32_t> words(*codeSize / 4);
  size_t at = 0;
  for (uint32_t &to : words) {
    uint64_t value = 0;
    bool isLast = false;
    for (unsigned shift = 0; !isLast && shift < 35 && at < bytes.size(); shift += 7) {
      const auto byte = static_cast<uint8_t>(bytes[at++]);
      value |= uint64_t(byte & 0x7F) << shift;
      isLast = !(byte & 0x80);
    }
    if (!isLast || value > UINT32_MAX)
      return fault("the words of the module are damaged");
    to = static_cast<uint32_t>(value);
  }
  if (at != bytes.size())
    return fault("the module has more bytes than words");
  return words;
}

} // namespace replay
