//===- Generate.cpp - the direct tier -------------------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/Generate.h"
#include "lgc/CompileError.h"
#include "lgc/direct/shader/Allocate.h"
#include "lgc/direct/shader/CheckAllocation.h"
#include "lgc/direct/shader/Coalesce.h"
#include "lgc/direct/shader/Emit.h"
#include "lgc/direct/shader/Hazards.h"
#include "lgc/direct/shader/RemoveDead.h"
#include "lgc/direct/shader/ShaderSelector.h"
#include "lgc/direct/shader/Waits.h"

using namespace llvm;

namespace lgc::direct {

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
  ShaderSelector selector(entry, flow, locations, program, refusal);
  if (!selector.run())
    return std::nullopt;
  removeDead(program);
  coalesceMoves(program);
  std::optional<Program> unallocated;
  if (isVerified)
    unallocated = program;
  if (!allocateRegisters(program)) {
    refusal = "too many registers";
    return std::nullopt;
  }
  if (unallocated)
    if (const std::string finding = checkAllocation(*unallocated, program.units); !finding.empty())
      KILN_ICE(("direct: " + finding).c_str());
  insertWaits(program);
  mendHazards(program);
  ShaderCode code;
  std::vector<SymbolPlace> symbols;
  const std::optional<unsigned> instructions = emitProgram(program, code.dwords, symbols);
  if (!instructions) {
    refusal = "a jump that is too far";
    return std::nullopt;
  }
  refusal.clear();
  code.instructions = *instructions;
  for (const SymbolPlace &place : symbols)
    code.symbols.push_back({place.dword, program.symbols[place.symbol]});
  code.sgprs = program.sgprs;
  code.vgprs = program.vgprs;
  code.ldsBytes = selector.ldsBytes();
  code.scratchBytes = selector.scratchBytes();
  return code;
}

} // namespace lgc::direct
