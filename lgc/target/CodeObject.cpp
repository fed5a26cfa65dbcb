//===- CodeObject.cpp - after LLVM has written the ELF --------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/target/CodeObject.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/Metadata.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Verify.h"

using namespace llvm;

namespace lgc {
namespace {

ArrayRef<uint8_t> bytesOf(ArrayRef<char> data) {
  return {reinterpret_cast<const uint8_t *>(data.data()), data.size()};
}

/// Our own output does not follow the format: a defect, whatever kind the reader calls it.
Error asInternal(Error error) {
  return internalError("code object: " + consumeToText(std::move(error)).message);
}

Error readStatistics(ArrayRef<uint8_t> elf, const PipelineState &state, Statistics &stats) {
  auto object = pal::abi::ElfObject::parse(elf);
  if (!object)
    return asInternal(object.takeError());
  const pal::abi::ElfNote *note = object->findMetadataNote();
  if (!note)
    return internalError("code object: no metadata note");
  auto metadata = pal::abi::PipelineMetadata::parse(note->desc);
  if (!metadata)
    return asInternal(metadata.takeError());
  const auto &stage = metadata->hardwareStage(pal::abi::HardwareStage::Cs);
  if (!stage)
    return internalError("code object: no compute stage");
  stats.vgprs = stage->vgprCount.value_or(0);
  stats.sgprs = stage->sgprCount.value_or(0);
  stats.ldsBytes = stage->ldsSize.value_or(0);
  stats.scratchBytes = stage->scratchMemorySize.value_or(0);
  if (const pal::abi::ElfSymbol *entry =
          object->findSymbol(pal::abi::entryPointSymbol(pal::abi::HardwareStage::Cs)))
    stats.codeBytes = static_cast<uint32_t>(entry->size);
  if (const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target)) {
    const auto &size = state.compute.workgroupSize;
    stats.wavesPerSimd = pal::abi::wavesPerSimd(*target, stats.waveSize, stats.vgprs,
                                                stats.ldsBytes, size[0] * size[1] * size[2]);
  }
  return Error::success();
}

} // namespace

Error finishCodeObject(SmallVectorImpl<char> &elf, const PipelineState &state, StringRef ir,
                       Statistics &stats) {
  if (Error error = readStatistics(bytesOf(elf), state, stats))
    return error;
  auto violations = pal::abi::verifyCodeObject(bytesOf(elf), pal::abi::findTarget(state.target));
  Error result = Error::success();
  for (const pal::abi::Violation &violation : violations)
    result =
        joinErrors(std::move(result), internalError("code object breaks rule " + violation.rule +
                                                    ": " + violation.message));
  return result;
}

} // namespace lgc
