//===- LibraryBinary.cpp - a library's shaders as a pipeline binary -------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/LibraryBinary.h"
#include "icd_glue/code/Executable.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/key/KeyBytes.h"
#include "llpc/Hasher.h"
#include "llpc/ShaderModuleData.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/MathExtras.h"

namespace icd {
namespace {

constexpr uint32_t binaryMagic = 0x424C4C4B; // "KLLB"
constexpr uint16_t binaryVersion = 1;
constexpr size_t partAlignment = 8;
/// Stages before the rasteriser.
constexpr uint32_t maxShaders = 5;

llvm::Error badBinary(const llvm::Twine &what) {
  return lgc::invalidInput("binary of a library: " + what);
}

llvm::ArrayRef<uint8_t> bytesOf(llvm::ArrayRef<uint32_t> words) {
  return {reinterpret_cast<const uint8_t *>(words.data()), words.size() * sizeof(uint32_t)};
}

llvm::ArrayRef<uint8_t> take(llvm::DataExtractor &data, llvm::DataExtractor::Cursor &at,
                             uint64_t size) {
  const llvm::StringRef bytes = data.getBytes(at, size);
  return {bytes.bytes_begin(), bytes.size()};
}

llvm::Expected<LibraryBinary::Shader> readShader(llvm::DataExtractor &data,
                                                 llvm::DataExtractor::Cursor &at) {
  LibraryBinary::Shader shader;
  shader.stage = data.getU32(at);
  const llvm::ArrayRef<uint8_t> hash = take(data, at, sizeof(KeyBytes));
  const uint64_t bytes = uint64_t(data.getU32(at)) * sizeof(uint32_t);
  const llvm::ArrayRef<uint8_t> spirv = take(data, at, bytes);
  if (!at)
    return at.takeError();
  if (spirv.empty()) {
    shader.hash = hashOf(hash.data());
    return shader;
  }
  // What the module is called decides which code it gets from caches: no word of the application's.
  shader.hash = llpc::hashBytes(spirv);
  shader.module = KILN_TRY(llpc::Compiler::buildShaderModule(spirv));
  return shader;
}

bool isPartKind(uint8_t kind) {
  return kind == static_cast<uint8_t>(lgc::PartKind::PreRasterization) ||
         kind == static_cast<uint8_t>(lgc::PartKind::Fragment);
}

} // namespace

void LibraryBinary::takeShaders(const ShaderPiece &piece) {
  partKind = piece.kind();
  for (const ShaderPiece::StageKey &stage : piece.stageKeys) {
    shaders.push_back({stage.stage, stage.module, {}});
    for (const llpc::PipelineShaderInfo &shader : piece.shaders)
      if (flagOf(shader.entryStage) == stage.stage)
        shaders.back().module = shader.module;
  }
}

std::shared_ptr<const LibraryBinary> LibraryBinary::ofShaders(Device &device,
                                                              const ShaderPiece &piece) {
  std::shared_ptr<LibraryBinary> made(new LibraryBinary(device.target()));
  made->takeShaders(piece);
  return made;
}

llvm::Expected<std::shared_ptr<const LibraryBinary>>
LibraryBinary::create(Device &device, const ShaderPiece &piece, PrimitiveClass primitives,
                      bool mayCompile) {
  std::shared_ptr<LibraryBinary> made(new LibraryBinary(device.target()));
  made->takeShaders(piece);
  if (made->partKind == lgc::PartKind::PreRasterization)
    made->primitiveClass = primitives;
  auto part = KILN_TRY(partOf(device, piece, made->primitiveClass, mayCompile));
  if (part)
    made->partObject = *part;
  return made;
}

bool LibraryBinary::isRecord(llvm::ArrayRef<uint8_t> record) {
  return record.size() >= sizeof(binaryMagic) &&
         llvm::support::endian::read32le(record.data()) == binaryMagic;
}

llvm::Expected<std::shared_ptr<const LibraryBinary>>
LibraryBinary::fromRecord(llvm::ArrayRef<uint8_t> record, const pal::abi::GpuTarget &target) {
  llvm::DataExtractor data(record, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  llvm::DataExtractor::Cursor at(0);
  const uint32_t magic = data.getU32(at);
  const uint16_t version = data.getU16(at);
  const uint8_t kind = data.getU8(at), primitives = data.getU8(at);
  const uint32_t mach = data.getU32(at), count = data.getU32(at), partBytes = data.getU32(at);
  if (!at)
    return at.takeError();
  if (magic != binaryMagic || version != binaryVersion)
    return badBinary("not one of this version");
  if (mach != target.elfMach)
    return badBinary("for another GPU");
  if (!isPartKind(kind) || primitives > static_cast<uint8_t>(PrimitiveClass::Points) ||
      count > maxShaders)
    return badBinary("of another kind");
  std::shared_ptr<LibraryBinary> made(new LibraryBinary(target));
  made->partKind = static_cast<lgc::PartKind>(kind);
  made->primitiveClass = static_cast<PrimitiveClass>(primitives);
  for (uint32_t i = 0; i < count; ++i) {
    auto shader = KILN_TRY(readShader(data, at));
    if (!shader.stage || (shader.stage & made->stages()))
      return badBinary("a stage comes twice");
    made->shaders.push_back(std::move(shader));
  }
  const auto zeros = take(data, at, llvm::alignTo(at.tell(), partAlignment) - at.tell());
  const auto part = take(data, at, partBytes);
  if (!at)
    return at.takeError();
  if (at.tell() != record.size() || llvm::any_of(zeros, [](uint8_t byte) { return byte != 0; }))
    return badBinary("bytes that belong to nothing");
  if (part.empty())
    return made;
  auto object = KILN_TRY(PartObject::fromRecord(part, target));
  if (object->part->info().kind != made->partKind)
    return badBinary("the part is of another kind");
  made->partObject = std::move(object);
  return made;
}

std::vector<uint8_t> LibraryBinary::record() const {
  const std::vector<uint8_t> part = partObject ? partObject->record() : std::vector<uint8_t>();
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::support::endian::Writer writer(stream, llvm::endianness::little);
  writer.write(binaryMagic);
  writer.write(binaryVersion);
  writer.write(static_cast<uint8_t>(partKind));
  writer.write(static_cast<uint8_t>(primitiveClass));
  writer.write<uint32_t>(target.elfMach);
  writer.write(static_cast<uint32_t>(shaders.size()));
  writer.write(static_cast<uint32_t>(part.size()));
  for (const Shader &shader : shaders) {
    const llvm::ArrayRef<uint32_t> words = llpc::spirvWordsOf(shader.module);
    writer.write<uint32_t>(shader.stage);
    writer.write(llvm::ArrayRef<uint8_t>(icd::bytesOf(shader.hash)));
    writer.write(static_cast<uint32_t>(words.size()));
    writer.write(words);
  }
  stream.write_zeros(
      static_cast<unsigned>(llvm::alignTo(bytes.size(), partAlignment) - bytes.size()));
  writer.write(llvm::ArrayRef<uint8_t>(part));
  return std::vector<uint8_t>(bytes.begin(), bytes.end());
}

size_t LibraryBinary::memoryBytes() const {
  size_t bytes = sizeof(*this) + (partObject ? partObject->memoryBytes() : 0);
  for (const Shader &shader : shaders)
    bytes += bytesOf(llpc::spirvWordsOf(shader.module)).size();
  return bytes;
}

VkShaderStageFlags LibraryBinary::stages() const {
  VkShaderStageFlags stages = 0;
  for (const Shader &shader : shaders)
    stages |= shader.stage;
  return stages;
}

const LibraryBinary::Shader *LibraryBinary::shader(VkShaderStageFlags stage) const {
  const auto found =
      llvm::find_if(shaders, [&](const Shader &shader) { return shader.stage == stage; });
  return found == shaders.end() ? nullptr : &*found;
}

} // namespace icd
