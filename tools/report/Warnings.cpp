//===- Warnings.cpp - what is worth a look, in words ----------------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/Warnings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;

namespace report {

namespace {

using namespace pal::device::strict;
using pal::device::RawOperand;

std::string count(size_t number, StringRef noun) {
  return (llvm::Twine(number) + " " + noun + (number == 1 ? "" : "s")).str();
}

class Finder {
public:
  Finder(const pal::abi::GpuTarget &target, const StageCode &stage, const MachineCode &code,
         const ControlFlow &flow, const LiveRegisters &live, llvm::ArrayRef<Wait> waits,
         llvm::ArrayRef<std::string> loopNames)
      : target(target), stage(stage), code(code), flow(flow), live(live), waits(waits),
        loopNames(loopNames) {}
  std::vector<Warning> run();

private:
  void findSpills();
  void findOccupancy();
  void findWaterfalls();
  void findScalarLoads();
  void findEarlyWaits();
  void findIndirect();

  const pal::abi::GpuTarget &target;
  const StageCode &stage;
  const MachineCode &code;
  const ControlFlow &flow;
  const LiveRegisters &live;
  llvm::ArrayRef<Wait> waits;
  llvm::ArrayRef<std::string> loopNames;
  std::vector<Warning> found;
};

/// Scratch is also where arrays lie that are indexed dynamically: machine code does not tell them
/// from spills.
void Finder::findSpills() {
  std::vector<uint32_t> scratch, lanes;
  for (uint32_t i = 0; i < code.code.size(); ++i) {
    const Instruction &instr = code.code[i];
    if (instr.encoding == pal::device::Encoding::Scratch)
      scratch.push_back(i);
    if (StringRef(instr.mnemonic).starts_with("v_writelane"))
      lanes.push_back(i);
  }
  if (stage.scratchBytes)
    found.push_back({"spill",
                     "Scratch memory of " + count(stage.scratchBytes, "byte") +
                         " a lane, used by " + count(scratch.size(), "instruction") +
                         ": registers that were spilled, or arrays that are indexed dynamically.",
                     scratch});
  constexpr size_t aFew = 2;
  if (lanes.size() > aFew)
    found.push_back({"spill",
                     count(lanes.size(), "value") + " written to single lanes of vector registers: "
                                                    "scalar registers were spilled there.",
                     lanes});
}

/// What keeps a SIMD from holding more waves than \p now.
static std::string limitOfWaves(const pal::abi::GpuTarget &target, const StageCode &stage,
                                unsigned now, unsigned fewerRegisters) {
  StageCode withoutLds = stage;
  withoutLds.ldsBytes = 0;
  if (wavesWith(target, withoutLds, stage.vgprs) > now)
    return "for the " + count(stage.ldsBytes, "byte") + " of LDS of a workgroup";
  if (fewerRegisters)
    return "for its " + count(stage.vgprs, "vector register");
  return stage.ldsBytes ? "for its vector registers and LDS" : "for the size of its workgroup";
}

void Finder::findOccupancy() {
  const unsigned now = wavesWith(target, stage, stage.vgprs);
  const unsigned fewer = registersToNextWave(target, stage, stage.vgprs);
  constexpr unsigned near = 4;
  if (fewer && fewer <= near)
    found.push_back({"occupancy",
                     count(fewer, "vector register") + " fewer, and a SIMD would hold " +
                         llvm::utostr(wavesWith(target, stage, stage.vgprs - fewer)) +
                         " waves instead of " + llvm::utostr(now) + ".",
                     live.vgprPeak == nowhere ? std::vector<uint32_t>{}
                                              : std::vector<uint32_t>{live.vgprPeak}});
  constexpr unsigned few = 5;
  if (now && now < few)
    found.push_back({"occupancy",
                     "A SIMD holds " + count(now, "wave") + " of " +
                         llvm::utostr(target.maxWavesPerSimd) + ' ' +
                         limitOfWaves(target, stage, now, fewer) +
                         ": little to do while one of them waits for memory.",
                     {}});
}

/// A loop that takes the value of one lane after the other, for operands that must be the same for
/// all: descriptors that differ between lanes.
void Finder::findWaterfalls() {
  for (uint32_t l = 0; l < flow.loops.size(); ++l) {
    const Loop &loop = flow.loops[l];
    bool readsLane = false, narrows = false;
    uint32_t memory = nowhere;
    for (const uint32_t b : loop.blocks)
      for (uint32_t i = flow.blocks[b].begin; i < flow.blocks[b].end; ++i) {
        const Instruction &instr = code.code[i];
        readsLane |= StringRef(instr.mnemonic).starts_with("v_readfirstlane");
        narrows |= StringRef(instr.mnemonic).contains("saveexec");
        if (instr.effects.isVectorMemory() && memory == nowhere)
          memory = i;
      }
    constexpr size_t mostBlocks = 6;
    if (readsLane && narrows && memory != nowhere && loop.blocks.size() <= mostBlocks)
      found.push_back({"waterfall",
                       "In " + loopNames[l] +
                           ", code goes through the different descriptors that lanes of a wave "
                           "use, one after the other: a descriptor that is not the same for all "
                           "lanes.",
                       {memory},
                       l});
  }
}

unsigned dwordsOfLoad(StringRef name) {
  return llvm::StringSwitch<unsigned>(name)
      .EndsWith("_b32", 1)
      .EndsWith("_b64", 2)
      .EndsWith("_b128", 4)
      .EndsWith("_b256", 8)
      .EndsWith("_dword", 1)
      .EndsWith("_dwordx2", 2)
      .EndsWith("_dwordx4", 4)
      .EndsWith("_dwordx8", 8)
      .Default(0);
}

/// The constant offset that the text of a scalar load ends with.
std::optional<uint64_t> offsetOfLoad(StringRef text) {
  text = text.rsplit(", ").second.trim();
  uint64_t offset = 0;
  if (text == "null")
    return 0;
  if (text.consume_front("0x") ? text.getAsInteger(16, offset) : text.getAsInteger(10, offset))
    return std::nullopt;
  return offset;
}

/// Two loads of the same address registers, of places beside each other, with no write of these
/// registers between them in the block.
void Finder::findScalarLoads() {
  struct Load {
    uint32_t index;
    uint16_t base;
    uint64_t offset;
    unsigned dwords;
  };
  std::vector<uint32_t> pairs;
  for (const Block &block : flow.blocks) {
    std::vector<Load> loads;
    for (uint32_t i = block.begin; i < block.end; ++i) {
      const Instruction &instr = code.code[i];
      const unsigned dwords = dwordsOfLoad(instr.mnemonic);
      const std::optional<uint64_t> offset = offsetOfLoad(instr.text);
      if (instr.effects.unit == Unit::Smem && dwords && offset && instr.operands.size() > 1 &&
          instr.operands[1].kind == RawOperand::Kind::Sgpr) {
        const Load load{i, instr.operands[1].reg, *offset, dwords};
        for (const Load &other : loads)
          if (other.base == load.base && other.dwords == load.dwords && load.dwords <= 4 &&
              (other.offset + 4 * other.dwords == load.offset ||
               load.offset + 4 * load.dwords == other.offset) &&
              std::min(other.offset, load.offset) % (8 * load.dwords) == 0) {
            pairs.push_back(other.index);
            pairs.push_back(i);
          }
        loads.push_back(load);
      }
      llvm::erase_if(loads, [&](const Load &load) {
        return contains(instr.effects.writes, firstSgpr + load.base) ||
               contains(instr.effects.writes, firstSgpr + load.base + 1);
      });
    }
  }
  if (!pairs.empty())
    found.push_back({"scalar-loads",
                     count(pairs.size() / 2, "pair") +
                         " of scalar loads of places beside each other: each could be one load.",
                     pairs});
}

/// A wait directly behind its load: nothing hides how far away memory is.
void Finder::findEarlyWaits() {
  std::vector<uint32_t> early;
  constexpr uint32_t isClose = 3;
  for (const Wait &wait : waits) {
    const bool inLoop = flow.blocks[flow.blockOf[wait.instruction]].depth != 0;
    if (inLoop && llvm::any_of(wait.operations, [&](uint32_t operation) {
          return code.code[operation].effects.isVectorMemory() && operation < wait.instruction &&
                 wait.instruction - operation <= isClose &&
                 code.code[operation].effects.events[0].counter != Counter::Store;
        }))
      early.push_back(wait.instruction);
  }
  if (!early.empty())
    found.push_back({"wait",
                     count(early.size(), "wait") +
                         " in loops directly behind the load that is waited for: only other waves "
                         "can hide how long it takes.",
                     early});
}

void Finder::findIndirect() {
  std::vector<uint32_t> jumps;
  for (uint32_t i = 0; i < code.code.size(); ++i)
    if (code.code[i].isIndirect)
      jumps.push_back(i);
  if (!jumps.empty())
    found.push_back({"indirect",
                     "Jumps through registers: where they go is not known here, so that live "
                     "registers and waits are those of the code that is seen.",
                     jumps});
}

std::vector<Warning> Finder::run() {
  findSpills();
  findOccupancy();
  findWaterfalls();
  findEarlyWaits();
  findScalarLoads();
  findIndirect();
  return std::move(found);
}

} // namespace

std::vector<Warning> findWarnings(const pal::abi::GpuTarget &target, const StageCode &stage,
                                  const MachineCode &code, const ControlFlow &flow,
                                  const LiveRegisters &live, llvm::ArrayRef<Wait> waits,
                                  llvm::ArrayRef<std::string> loopNames) {
  return Finder(target, stage, code, flow, live, waits, loopNames).run();
}

} // namespace report
