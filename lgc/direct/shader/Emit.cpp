//===- Emit.cpp - machine instructions as dwords --------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/Emit.h"
#include "lgc/CompileError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace lgc::direct {

namespace {

Opcode nextOpcode(Opcode opcode) { return static_cast<Opcode>(static_cast<unsigned>(opcode) + 1); }

bool isLiteral(const Operand &operand) {
  return operand.isConstant() && sourceOfConstant(operand.value) == noSource;
}

/// A fused multiply-add that says the same in fewer dwords: whose result takes the place of what is
/// added, or with a literal. Operands of VFma: result, two factors, summand, modifiers.
MachineOp shortened(const MachineOp &op) {
  const Operand &result = op.operands[0], &sum = op.operands[3];
  Operand first = op.operands[1], second = op.operands[2];
  auto isVgpr = [](const Operand &operand) { return operand.kind == Operand::Kind::Vgpr; };
  if (op.operands[4].value || op.operands[5].value || op.operands[6].value)
    return op;
  if (!isVgpr(second))
    std::swap(first, second);
  if (isVgpr(second) && sum == result)
    return {Opcode::VFmac, {result, first, second}};
  if (isVgpr(second) && isLiteral(sum) && !isLiteral(first))
    return {Opcode::VFmaAddLiteral, {result, first, second, Operand::number(sum.value)}};
  if (isLiteral(second))
    std::swap(first, second);
  if (isLiteral(first) && !isLiteral(second) && isVgpr(sum))
    return {Opcode::VFmaMulLiteral, {result, second, Operand::number(first.value), sum}};
  return op;
}

class Emitter {
public:
  Emitter(const Program &program, SmallVectorImpl<uint32_t> &code)
      : program(program), code(code), start(code.size()) {}
  std::optional<EmittedCode> run();

private:
  struct Jump {
    size_t place; ///< of its dword
    uint32_t target;
    size_t number; ///< of the jump
  };

  void emitAll();
  void emitData();
  void emitOp(const MachineOp &op);
  void beginPlace(uint32_t place);
  bool isGoingOn(const MachineOp &op, uint32_t block) const;
  bool isShort(const MachineOp &op) const;
  uint32_t encoded(const Operand &operand, char kind);
  bool isForbidden(const Jump &jump) const;
  int64_t distance(const Jump &jump) const {
    return static_cast<int64_t>(places[jump.target]) - static_cast<int64_t>(jump.place) - 1;
  }

  const Program &program;
  SmallVectorImpl<uint32_t> &code;
  const size_t start;
  EmittedCode result;
  std::vector<size_t> places; ///< of blocks
  std::vector<Jump> jumps;
  /// Of a literal: its place, and where the program counter is that it is added to.
  struct Distance {
    size_t place, counter;
  };
  std::vector<Distance> distances;
  size_t counter = 0;
  std::vector<bool> padded; ///< jumps with something behind them
  uint32_t literal = 0;
  bool hasLiteral = false;
};

uint32_t Emitter::encoded(const Operand &operand, char kind) {
  switch (operand.kind) {
  case Operand::Kind::Vgpr:
    return operand.value + (kind == 'X' || kind == 'E' ? sourceVgpr
                            : kind == 'P'              ? 3 * sourceVgpr
                                                       : 0);
  case Operand::Kind::Constant: {
    const uint32_t source = sourceOfConstant(operand.value);
    if (source != noSource)
      return source;
    KILN_CHECK(!hasLiteral || literal == operand.value, "direct: two literals");
    literal = operand.value;
    hasLiteral = true;
    return sourceLiteral;
  }
  case Operand::Kind::Sgpr:
  case Operand::Kind::Number:
    return operand.value;
  default:
    return 0; // a jump, which is mended later, or nothing that is exported
  }
}

/// Whether the short form says the same.
bool Emitter::isShort(const MachineOp &op) const {
  if (!hasShortForm(op.opcode))
    return false;
  const ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
  const bool isCompare = infos[0].kind == 'M';
  if (isCompare && op.operands[0] != Operand::sgpr(regVcc))
    return false;
  unsigned sources = 0;
  for (unsigned i = 1; i < op.count; ++i) {
    const bool isSource = infos[i].kind == 'X';
    if (isSource && ++sources == 2 && op.operands[i].kind != Operand::Kind::Vgpr)
      return false;
    if (!isSource && op.operands[i].value != 0)
      return false;
  }
  return true;
}

/// What comes now was made of that place in the source.
void Emitter::beginPlace(uint32_t place) {
  if (place != (result.rows.empty() ? 0 : result.rows.back().place))
    result.rows.push_back({static_cast<uint32_t>(code.size()), place});
}

void Emitter::emitOp(const MachineOp &op) {
  const ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
  SmallVector<uint32_t, maxOperands> operands;
  hasLiteral = false;
  const bool isInShortForm = isShort(op);
  for (unsigned i = 0; i < op.count; ++i) {
    const bool isKept = infos[i].kind == 'X' || infos[i].kind == 'V';
    if (isInShortForm && !isKept)
      continue;
    if (infos[i].kind == 'J') {
      // The rest of the last one are behind it.
      const unsigned all = encodedOperands(program.target->major, op.opcode);
      for (unsigned address = 0; address + op.count <= all; ++address)
        operands.push_back(op.operands[i].value + address);
      continue;
    }
    // The second source of a short form is a VGPR and nothing else.
    const bool isVgprOnly =
        isInShortForm && operandInfo(nextOpcode(op.opcode))[operands.size()].kind == 'V';
    operands.push_back(encoded(op.operands[i], isVgprOnly ? 'V' : infos[i].kind));
  }
  if (op.count && op.operands[0].kind == Operand::Kind::Block) {
    jumps.push_back({code.size(), op.operands[0].value, jumps.size()});
  }
  encode(code, program.target->major, isInShortForm ? nextOpcode(op.opcode) : op.opcode, operands);
  if (hasLiteral)
    code.push_back(literal);
  ++result.instructions;
  if (op.opcode == Opcode::SGetPc)
    counter = code.size();
  if (op.count && op.operands[op.count - 1].kind == Operand::Kind::Data)
    distances.push_back({code.size() - 1, counter});
  if (op.count && op.operands[op.count - 1].kind == Operand::Kind::Symbol)
    result.symbols.push_back(
        {static_cast<uint32_t>(code.size() - 1), op.operands[op.count - 1].value});
  if (!jumps.empty() && jumps.back().place + 1 == code.size() &&
      jumps.back().number < padded.size() && padded[jumps.back().number]) {
    encode(code, program.target->major, Opcode::SNop, {0u});
    ++result.instructions;
  }
}

/// Whether the last instruction of a block does what happens without it.
bool Emitter::isGoingOn(const MachineOp &op, uint32_t block) const {
  if (op.opcode == Opcode::SBranch)
    return op.operands[0] == Operand::block(block + 1);
  if (op.opcode != Opcode::SEndPgm || block + 1 >= program.blocks.size())
    return false;
  const std::vector<MachineOp> &next = program.blocks[block + 1].ops;
  return !next.empty() && next.front().opcode == Opcode::SEndPgm;
}

void Emitter::emitAll() {
  code.truncate(start);
  jumps.clear();
  distances.clear();
  places.clear();
  result = {};
  for (uint32_t b = 0; b < program.blocks.size(); ++b) {
    places.push_back(code.size());
    const std::vector<MachineOp> &ops = program.blocks[b].ops;
    for (const MachineOp &op : ops) {
      if (&op == &ops.back() && isGoingOn(op, b))
        continue;
      beginPlace(op.place);
      if (op.opcode == Opcode::VFma)
        emitOp(shortened(op));
      else
        emitOp(op);
    }
  }
}

/// HW(gfx10.1): a jump over 63 dwords goes wrong.
bool Emitter::isForbidden(const Jump &jump) const {
  constexpr int64_t forbidden = 0x3F;
  return program.target->major == 10 && program.target->minor < 3 && distance(jump) == forbidden;
}

std::optional<EmittedCode> Emitter::run() {
  emitAll();
  while (true) {
    auto found = find_if(jumps, [&](const Jump &jump) { return isForbidden(jump); });
    if (found == jumps.end())
      break;
    padded.resize(jumps.size());
    padded[found->number] = true;
    emitAll();
  }
  for (const Jump &jump : jumps) {
    if (!isInt<16>(distance(jump)))
      return std::nullopt;
    code[jump.place] |= static_cast<uint32_t>(distance(jump)) & 0xFFFF;
  }
  emitData();
  return std::move(result);
}

/// HW: three lines behind the code are read ahead; nothing there may look like code.
void Emitter::emitData() {
  constexpr uint32_t sCodeEnd = 0xBF9F0000;
  constexpr size_t lineDwords = 32;
  if (program.data.empty())
    return;
  beginPlace(0);
  code.resize(start + alignTo(code.size() - start, lineDwords) + 3 * lineDwords, sCodeEnd);
  for (const Distance &distance : distances)
    code[distance.place] = static_cast<uint32_t>((code.size() - distance.counter) * 4);
  for (size_t i = 0; i < program.data.size(); i += 4)
    code.push_back(support::endian::read32le(&program.data[i]));
}

} // namespace

std::optional<EmittedCode> emitProgram(const Program &program, SmallVectorImpl<uint32_t> &code) {
  return Emitter(program, code).run();
}

} // namespace lgc::direct
