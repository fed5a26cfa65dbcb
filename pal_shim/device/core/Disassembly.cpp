//===- Disassembly.cpp - text of machine code -----------------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/Disassembly.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/core/Decoder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace pal::device {

namespace {

struct Line {
  uint64_t offset;
  MachineInstr instr;
};

std::string labelOf(uint64_t offset) { return llvm::formatv("label_{0:X-4}", offset).str(); }

/// Without the number that the encoding has for the distance.
std::string withLabel(llvm::StringRef text, uint64_t target) {
  return (text.take_until([](char c) { return c == ' '; }) + " " + labelOf(target)).str();
}

} // namespace

llvm::Expected<std::string> disassemble(const abi::GpuTarget &target, unsigned waveSize,
                                        llvm::ArrayRef<uint8_t> code) {
  auto decoder = KILN_TRY(Decoder::create(target, waveSize));
  std::vector<Line> lines;
  llvm::DenseSet<uint64_t> labels;
  for (uint64_t offset = 0; offset < code.size(); offset += lines.back().instr.sizeBytes) {
    lines.push_back({offset, {}});
    KILN_TRY(decoder->decode(code, offset, lines.back().instr));
    if (lines.back().instr.isBranch)
      labels.insert(lines.back().instr.branchTarget);
  }
  std::string result;
  llvm::raw_string_ostream os(result);
  for (const Line &line : lines) {
    if (labels.contains(line.offset))
      os << labelOf(line.offset) << ":\n";
    std::string text = llvm::StringRef(decoder->text(code, line.offset)).trim().str();
    if (line.instr.isBranch)
      text = withLabel(text, line.instr.branchTarget);
    os << llvm::formatv("  {0,-58} // {1:X-8}:", text, line.offset);
    for (unsigned i = 0; i < line.instr.sizeBytes / 4; ++i)
      os << llvm::formatv(" {0:X-8}", line.instr.dwords[i]);
    os << '\n';
  }
  if (labels.contains(code.size()))
    os << labelOf(code.size()) << ":\n";
  return result;
}

} // namespace pal::device
