//===- Generate.cpp - the direct tier -------------------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/Generate.h"
#include "lgc/direct/shader/Coalesce.h"
#include "lgc/direct/shader/Emit.h"
#include "lgc/direct/shader/Hazards.h"
#include "lgc/direct/shader/RemoveDead.h"
#include "lgc/direct/shader/ShaderSelector.h"
#include "lgc/direct/shader/Shorten.h"
#include "lgc/direct/shader/Spill.h"
#include "lgc/direct/shader/Waits.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace lgc::direct {

namespace {

/// What lowering allows (LowerAttributes.cpp): at most so many registers, and a workgroup fits.
void setLimits(const Function &entry, uint32_t ldsBytes, Program &program) {
  constexpr unsigned vccRegisters = 2;
  const uint64_t vgprs = entry.getFnAttributeAsParsedInteger("amdgpu-num-vgpr", vgprsMax);
  const uint64_t sgprs = entry.getFnAttributeAsParsedInteger("amdgpu-num-sgpr", sgprsMax);
  program.vgprLimit = static_cast<unsigned>(std::min<uint64_t>(vgprs, vgprsMax));
  if (sgprs < sgprsMax)
    program.sgprLimit = static_cast<unsigned>(sgprs - std::min<uint64_t>(sgprs, vccRegisters));
  const StringRef sizes = entry.getFnAttribute("amdgpu-flat-work-group-size").getValueAsString();
  unsigned threads = 0;
  if (sizes.split(',').second.getAsInteger(10, threads))
    return;
  auto fits = [&](unsigned registers) {
    return pal::abi::wavesPerSimd(*program.target, program.waveSize, registers, ldsBytes, threads,
                                  program.wgpMode) != 0;
  };
  if (!fits(1)) // for another reason
    return;
  while (!fits(program.vgprLimit))
    --program.vgprLimit;
}

} // namespace

std::optional<ShaderCode> generateShader(const Function &entry, const pal::abi::GpuTarget &target,
                                         unsigned waveSize, std::string &refusal, bool isVerified) {
  if (!isEncoded(target.major)) {
    refusal = "a generation without tables";
    return std::nullopt;
  }
  Flow flow;
  if (!flow.build(entry, refusal))
    return std::nullopt;
  const Locations locations(entry, flow);
  Program program;
  program.target = &target;
  program.waveSize = waveSize;
  const StringRef features = entry.getFnAttribute("target-features").getValueAsString();
  program.wgpMode = !features.contains("+cumode");
  ShaderSelector selector(entry, flow, locations, program, refusal);
  if (!selector.run())
    return std::nullopt;
  setLimits(entry, selector.ldsBytes(), program);
  removeDead(program);
  coalesceMoves(program);
  if (!allocateAll(program, isVerified, refusal))
    return std::nullopt;
  insertWaits(program);
  mendHazards(program);
  shortenCode(program);
  ShaderCode code;
  const std::optional<EmittedCode> emitted = emitProgram(program, code.dwords);
  if (!emitted) {
    refusal = "a jump that is too far";
    return std::nullopt;
  }
  refusal.clear();
  code.instructions = emitted->instructions;
  for (const SymbolPlace &place : emitted->symbols)
    code.symbols.push_back({place.dword, program.symbols[place.symbol]});
  code.function = entry.getSubprogram();
  for (const CodeRow &row : emitted->rows)
    code.places.push_back({row.dword, program.places[row.place]});
  code.sgprs = program.sgprs;
  code.vgprs = program.vgprs;
  code.ldsBytes = selector.ldsBytes();
  code.scratchBytes = program.scratchBytes;
  code.wgpMode = program.wgpMode;
  return code;
}

} // namespace lgc::direct
