//===- CodeObject.cpp - a pipeline's code ---------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/code/CodeObject.h"
#include "icd_glue/ProcessEnd.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"

namespace icd {

CodeObject::CodeObject(OfRecord, const pal::abi::GpuTarget &target, std::vector<uint8_t> record,
                       const Record &content)
    : StandIn(content.head.origin.isStandIn), target(target), kept(std::move(record)),
      elfBytes(content.elfBytes), stored(content.stored),
      description{content.head.name.str(),   content.head.stages,
                  content.head.pipelineHash, content.head.origin.isLinked,
                  content.head.warnings,
                  /*executables=*/{},
                  /*hasTexts=*/false,        content.head.origin.isStandIn} {}

llvm::Expected<std::shared_ptr<const CodeObject>>
CodeObject::fromRecord(std::vector<uint8_t> record, const pal::abi::GpuTarget &target) {
  Record content = KILN_TRY(decodeRecord(record, RecordKind::Code, target));
  // Moving a vector leaves its elements where they are, and so what `content` refers to.
  return std::make_shared<const CodeObject>(OfRecord(), target, std::move(record), content);
}

std::vector<uint8_t> CodeObject::record() const {
  KILN_CHECK(!resident, "the bytes of this code are elsewhere");
  if (!kept.empty())
    return kept;
  const CodeOrigin origin = {description.isLinked, description.isStandIn};
  return encodeRecord({RecordKind::Code, description.stages, description.pipelineHash, origin,
                       description.name, description.warnings},
                      elf(), target);
}

llvm::Error CodeObject::unpack() const {
  (void)elf();
  return whyNot ? lgc::makeError(whyNot->kind, whyNot->message) : llvm::Error::success();
}

llvm::ArrayRef<uint8_t> CodeObject::elf() const {
  if (kept.empty())
    return binary.bytes();
  std::call_once(unpacking, [&] {
    if (auto elf = unpackElf(elfBytes, stored, target))
      unpacked = std::move(*elf);
    else
      whyNot = lgc::consumeToText(elf.takeError());
  });
  return unpacked;
}

bool CodeObject::isKeptInData() const { return !description.hasTexts; }
bool CodeObject::isKeptBelow() const {
  return !description.hasTexts && !(description.isStandIn && description.isLinked);
}

size_t CodeObject::memoryBytes() const {
  size_t bytes =
      sizeof(*this) + binary.bytes().size() + kept.size() + elfBytes + description.name.size();
  for (const ExecutableInfo &info : description.executables)
    bytes += sizeof(info) + info.disassembly.size() + info.llvmIr.size();
  return bytes;
}

llvm::Expected<std::shared_ptr<const pal::device::Program>>
CodeObject::load(pal::device::SoftwareDevice &gpu) const {
  if (resident)
    return resident;
  const StaticsInUse inUse;
  if (!inUse)
    return processEnds();
  std::unique_lock lock(loading);
  auto program = loaded.lock();
  if (!program) {
    KILN_TRY(unpack());
    program = KILN_TRY(gpu.loadProgram(elf(), description.name));
    loaded = program;
  }
  lock.unlock();
  use();
  return program;
}

std::vector<ExecutableInfo> CodeObject::executables() const {
  return resident ? description.executables : describe(elf(), description.stages, target);
}

} // namespace icd
