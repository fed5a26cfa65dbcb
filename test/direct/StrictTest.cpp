// SPDX-License-Identifier: MIT
// Waits and hazards of the direct tier, judged by strict mode of the software device, which knows
// nothing of them: random programs of loads, stores, arithmetic, LDS and writes of EXEC, in
// straight lines and with branches and loops. No program means anything; nothing is executed.
#include "lgc/direct/shader/EncodeForTest.h"
#include "lgc/direct/shader/Hazards.h"
#include "lgc/direct/shader/Waits.h"
#include "pal_shim/device/core/DecodeProgram.h"
#include "pal_shim/device/strict/StrictCheck.h"
#include <gtest/gtest.h>
#include <random>

using namespace lgc::direct;
namespace device = pal::device;

namespace {

/// Strict mode for one target and wave size.
class Checker {
public:
  Checker(const char *target, unsigned waveSize)
      : target(*pal::abi::findTarget(target)), waveSize(waveSize),
        decoder(llvm::cantFail(device::Decoder::create(this->target, waveSize))) {}
  /// Messages, one a line.
  std::string problemsOf(const Program &program) const;
  std::string textOf(const Program &program) const;

private:
  const pal::abi::GpuTarget &target;
  unsigned waveSize;
  std::unique_ptr<device::Decoder> decoder;
};

std::vector<uint8_t> bytesOf(const Program &program) {
  const llvm::SmallVector<uint32_t> dwords = test::encodeProgram(program);
  const auto *bytes = reinterpret_cast<const uint8_t *>(dwords.data());
  return {bytes, bytes + dwords.size() * sizeof(uint32_t)};
}

std::string Checker::problemsOf(const Program &program) const {
  const std::vector<uint8_t> code = bytesOf(program);
  device::ProgramData data;
  data.generation = device::generationOf(target);
  data.launch.waveSize = waveSize;
  const device::OpIndex ops(data.generation);
  device::OpcodeCounters counters;
  if (llvm::Error error = decodeProgram(*decoder, ops, counters, code, 0, {}, data))
    return llvm::toString(std::move(error));
  auto strict = device::strict::readEffects(*decoder, code, data);
  if (!strict)
    return llvm::toString(strict.takeError());
  auto problems = device::strict::checkAllPaths(*strict, data);
  if (!problems)
    return llvm::toString(problems.takeError());
  std::string text;
  for (const device::strict::StrictProblem &problem : *problems)
    text += decoder->text(code, data.code[problem.index].pc) + ": " + problem.message + "\n";
  return text;
}

std::string Checker::textOf(const Program &program) const {
  const std::vector<uint8_t> code = bytesOf(program);
  std::string text;
  device::MachineInstr machine;
  for (uint64_t pc = 0; pc < code.size(); pc += machine.sizeBytes) {
    if (llvm::Error error = decoder->decode(code, pc, machine))
      return text + llvm::toString(std::move(error));
    text += decoder->text(code, pc) + "\n";
  }
  return text;
}

/// What programs are made of, and how much of each.
struct Share {
  InstructionClass kind;
  unsigned weight;
};
constexpr Share shares[] = {
    {InstructionClass::Valu, 40},        {InstructionClass::ValuReadsVcc, 4},
    {InstructionClass::Trans, 8},        {InstructionClass::Salu, 25},
    {InstructionClass::ScalarLoad, 7},   {InstructionClass::VectorLoad, 7},
    {InstructionClass::VectorAtomic, 4}, {InstructionClass::VectorStore, 5},
    {InstructionClass::Lds, 7},          {InstructionClass::Wait, 2},
    {InstructionClass::Cache, 1},
};

class RandomProgram {
public:
  RandomProgram(const char *target, unsigned waveSize, uint32_t seed);
  /// Blocks of about \p length instructions.
  Program make(unsigned blocks, unsigned length);

private:
  unsigned below(unsigned end) { return static_cast<unsigned>(random() % end); }
  bool oneIn(unsigned count) { return below(count) == 0; }
  bool isUsed(Opcode opcode, InstructionClass kind) const;
  Operand scalar(unsigned count, bool isWritten);
  Operand source(char kind, unsigned count);
  Operand operandOf(Opcode opcode, const OperandInfo &info);
  MachineOp op();
  void addJumps();

  std::mt19937 random;
  Program program;
  std::array<std::vector<Opcode>, std::size(shares)> opcodes;
  unsigned weights = 0;
  bool hasLiteral = false; ///< of this instruction: it has room for one
};

constexpr Opcode allOpcodes[] = {
#define DIRECT_INSTRUCTION(NAME, ...) Opcode::NAME,
#include "lgc/direct/Instructions.def"
};

RandomProgram::RandomProgram(const char *target, unsigned waveSize, uint32_t seed) : random(seed) {
  program.target = pal::abi::findTarget(target);
  program.waveSize = waveSize;
  for (size_t i = 0; i < std::size(shares); ++i) {
    weights += shares[i].weight;
    for (Opcode opcode : allOpcodes)
      if (isUsed(opcode, shares[i].kind))
        opcodes[i].push_back(opcode);
  }
}

bool RandomProgram::isUsed(Opcode opcode, InstructionClass kind) const {
  const auto number = static_cast<unsigned>(opcode);
  const bool isShort = number && hasShortForm(static_cast<Opcode>(number - 1));
  // Formats are numbers of which few mean something.
  const bool isTyped = (opcode >= Opcode::TypedLoad1 && opcode <= Opcode::TypedLoad4) ||
                       (opcode >= Opcode::BufTypedLoad1Idx && opcode <= Opcode::BufTypedLoad4Idx);
  // How many registers an image's instructions have follows from other operands.
  const bool isImage = kind != InstructionClass::ScalarLoad &&
                       llvm::any_of(operandInfo(opcode), [](const OperandInfo &info) {
                         return info.kind == 'S' && info.count == 8;
                       });
  const bool isLacking =
      opcode == Opcode::ImageBvh64 && program.target->major == 10 && program.target->minor < 3;
  return !isLacking && classOf(opcode) == kind && hasInstruction(program.target->major, opcode) &&
         !isShort && !isTyped && !isImage && opcode != Opcode::SGetPc &&
         opcode != Opcode::SRealTime;
}

/// Few registers, so that instructions meet.
Operand RandomProgram::scalar(unsigned count, bool isWritten) {
  constexpr unsigned registers = 24;
  if (count <= 2 && oneIn(5))
    return Operand::sgpr(regVcc);
  if (count <= 2 && oneIn(isWritten ? 4 : 12))
    return Operand::sgpr(regExec);
  if (count == 1 && oneIn(20))
    return Operand::sgpr(program.m0());
  const unsigned step = std::min(count, 4u);
  return Operand::sgpr(below((registers - count) / step + 1) * step);
}

Operand RandomProgram::source(char kind, unsigned count) {
  constexpr uint32_t literal = 0x12345678;
  if (kind == 'X' && !oneIn(3))
    return Operand::vgpr(below(10));
  if (oneIn(4))
    return Operand::constant(below(65));
  if (!hasLiteral && oneIn(6)) {
    hasLiteral = true;
    return Operand::constant(literal);
  }
  return scalar(count, false);
}

Operand RandomProgram::operandOf(Opcode opcode, const OperandInfo &info) {
  constexpr uint16_t aluWaits[] = {0xFFFE, 0xFFFD, 0xFFE3, 0xF1FF, 0x0FFF};
  const bool isMemory = classOf(opcode) == InstructionClass::ScalarLoad ||
                        classOf(opcode) == InstructionClass::VectorLoad ||
                        classOf(opcode) == InstructionClass::VectorAtomic ||
                        classOf(opcode) == InstructionClass::VectorStore;
  switch (info.kind) {
  case 'V':
    return Operand::vgpr(below(10));
  case 'M': {
    const unsigned count = program.maskRegisters();
    return oneIn(4) ? Operand::sgpr(regVcc) : Operand::sgpr(below(8 / count) * count);
  }
  case 'S':
    if (isMemory || classOf(opcode) != InstructionClass::Salu) {
      const unsigned step = std::min<unsigned>(info.count, 4);
      return Operand::sgpr(below((24 - info.count) / step + 1) * step);
    }
    return scalar(info.count, info.isWritten());
  case 'Y':
    if (isMemory && oneIn(2)) // gfx12 has no constants here
      return program.target->major >= 12 ? Operand::sgpr(program.null()) : Operand::constant(0);
    if (isMemory)
      return Operand::sgpr(below(24));
    return source('Y', info.count);
  case 'X':
    return source('X', info.count);
  case 'L':
    return Operand::constant(0x12345678);
  case 'i':
    if (opcode == Opcode::WaitDepctr || opcode == Opcode::WaitAlu12)
      return Operand::number(aluWaits[below(std::size(aluWaits))]);
    if (opcode == Opcode::WaitCounters)
      return Operand::number(oneIn(4) ? 0 : below(1 << 16));
    return Operand::number(below(4) * 4 & ((1u << info.count) - 1));
  default:
    return Operand::number(0);
  }
}

MachineOp RandomProgram::op() {
  unsigned at = below(weights);
  size_t share = 0;
  while (at >= shares[share].weight)
    at -= shares[share++].weight;
  const Opcode opcode = opcodes[share][below(static_cast<unsigned>(opcodes[share].size()))];
  hasLiteral = opcode == Opcode::VMulHigh;
  llvm::SmallVector<Operand> operands;
  for (const OperandInfo &info : operandInfo(opcode))
    operands.push_back(operandOf(opcode, info));
  return {opcode, operands};
}

/// Loops of random blocks that are in each other or apart, and jumps forward that do not go into
/// a loop but at its beginning.
void RandomProgram::addJumps() {
  const auto count = static_cast<uint32_t>(program.blocks.size());
  std::vector<uint32_t> ends(count, 0); // by first block
  std::vector<uint32_t> open;           // last blocks of loops around
  for (uint32_t block = 0; block + 1 < count; ++block) {
    while (!open.empty() && open.back() < block)
      open.pop_back();
    const uint32_t room = open.empty() ? count - 2 : open.back();
    if (!oneIn(4))
      continue;
    ends[block] = block + below(std::min(room - block + 1, 5u)) + 1; // behind it
    open.push_back(ends[block] - 1);
    program.blocks[ends[block] - 1].ops.push_back(
        {oneIn(2) ? Opcode::SBranchScc1 : Opcode::SBranchExecNonzero, Operand::block(block)});
  }
  for (uint32_t block = 0; block + 1 < count; ++block) {
    if (oneIn(3))
      continue;
    uint32_t target = block + 1 + below(std::min(count - block - 1, 4u));
    for (uint32_t first = block + 1; first < target; ++first)
      if (ends[first] > target)
        target = first;
    std::vector<MachineOp> &ops = program.blocks[block].ops;
    const bool isLast = ops.empty() || targetOf(ops.back()) == noBlock;
    constexpr Opcode jumps[] = {Opcode::SBranchScc0, Opcode::SBranchExecZero, Opcode::SBranch};
    const Opcode jump = jumps[below(isLast ? 3 : 2)];
    const size_t place = jump == Opcode::SBranch ? ops.size() : below(unsigned(ops.size()) + 1);
    ops.insert(ops.begin() + static_cast<ptrdiff_t>(place), {jump, Operand::block(target)});
  }
}

Program RandomProgram::make(unsigned blocks, unsigned length) {
  program.blocks.assign(blocks, {});
  for (MachineBlock &block : program.blocks)
    for (unsigned i = below(2 * length); i > 0; --i)
      block.ops.push_back(op());
  if (blocks > 1)
    addJumps();
  program.blocks.back().ops.push_back({Opcode::SEndPgm, {}});
  return program;
}

struct Config {
  const char *target;
  unsigned waveSize;
  bool hasHazards;
};
constexpr Config configs[] = {
    {"gfx1010", 32, true}, {"gfx1010", 64, true}, {"gfx1030", 32, false}, {"gfx1030", 64, false},
    {"gfx1100", 32, true}, {"gfx1100", 64, true}, {"gfx1150", 32, false}, {"gfx1150", 64, true},
    {"gfx1201", 32, true}, {"gfx1201", 64, true},
};

void expectNothing(unsigned blocks, unsigned length, unsigned programs) {
  for (const Config &config : configs) {
    unsigned before = 0, behindWaits = 0;
    const Checker checker(config.target, config.waveSize);
    RandomProgram maker(config.target, config.waveSize, 1 + blocks);
    for (unsigned i = 0; i < programs; ++i) {
      Program program = maker.make(blocks, length);
      before += !checker.problemsOf(program).empty();
      insertWaits(program);
      behindWaits += !checker.problemsOf(program).empty();
      mendHazards(program);
      const std::string problems = checker.problemsOf(program);
      ASSERT_EQ(problems, "") << config.target << " with " << config.waveSize << " lanes, program "
                              << i << "\n"
                              << checker.textOf(program);
    }
    // Otherwise this is no test.
    EXPECT_GT(before, programs / 2) << config.target;
    EXPECT_EQ(behindWaits > programs / 8, config.hasHazards)
        << config.target << " with " << config.waveSize << " lanes: " << behindWaits;
  }
}

TEST(DirectStrict, StraightLines) { expectNothing(1, 40, 300); }
TEST(DirectStrict, BranchesAndLoops) { expectNothing(12, 6, 150); }

} // namespace
