//===- StraightLine.cpp - instructions in a row and their registers -------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/StraightLine.h"
#include "lgc/CompileError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace lgc::direct::glue {
namespace {

/// HW: SGPRs and VGPRs that instructions can name. What follows the SGPRs is VCC.
constexpr unsigned sgprsMax = 106, vgprsMax = 256;
/// HW: instructions in a clause.
constexpr unsigned clauseMax = 32;

bool isVectorOpcode(Opcode opcode) { return opcode >= Opcode::VMov && opcode <= Opcode::VPackSint; }

bool isScalarLoad(Opcode opcode) { return opcode == Opcode::SLoad4; }

bool isVectorLoad(Opcode opcode) {
  return opcode >= Opcode::BufferLoad1 && opcode <= Opcode::TypedLoad4;
}

} // namespace

StraightLine::StraightLine(unsigned gfxMajor, unsigned sgprArguments, unsigned vgprArguments)
    : gfxMajor(gfxMajor), vgprArguments(vgprArguments), nextSgpr(sgprArguments),
      values(vgprArguments), loadedSgprs(sgprsMax), busy(vgprsMax) {
  KILN_CHECK(vgprArguments <= vgprsMax, "direct: arguments that are no registers");
  for (uint32_t i = 0; i < vgprArguments; ++i)
    values[i] = {.tuple = i, .place = static_cast<int>(i)};
}

Word StraightLine::newVgprs(unsigned count) {
  const auto first = static_cast<uint32_t>(values.size());
  values.resize(first + count, {.tuple = first});
  return {Word::Kind::Vgpr, first};
}

std::optional<uint32_t> StraightLine::newSgprs(unsigned count) {
  // HW: tuples are aligned to their size.
  const auto first = static_cast<uint32_t>(alignTo(nextSgpr, count));
  if (first + count > sgprsMax)
    return std::nullopt;
  nextSgpr = first + count;
  return first;
}

Stage StraightLine::stageAfter(Word word) const {
  if (!word.isVgpr())
    return Stage::Scalar;
  const Stage stage = values[word.number].stage;
  return stage == Stage::Load ? Stage::Late : stage;
}

bool StraightLine::append(Stage stage, Opcode opcode, ArrayRef<Operand> operands) {
  for (const Operand &operand : operands)
    if (operand.role != Operand::Role::Result)
      stage = std::max(stage, stageAfter(operand.word));
  if (isVectorLoad(opcode) && stage > Stage::Load)
    return false;
  Instruction inst = {opcode, stage, {}};
  inst.operands.append(operands.begin(), operands.end());
  if (isScalarLoad(opcode))
    for (unsigned i = 0; i < 4; ++i)
      loadedSgprs[operands[0].word.number + i] = true;
  else if (stage == Stage::Scalar && readsLoadedSgpr(inst))
    return false; // there is no wait
  for (const Operand &operand : operands)
    if (operand.role == Operand::Role::Result)
      for (unsigned i = 0; i < operand.count; ++i)
        values[operand.word.number + i].stage = stage;
  instructions.push_back(std::move(inst));
  return true;
}

void StraightLine::setResult(uint32_t vgpr, Word word) {
  if (results.size() <= vgpr)
    results.resize(vgpr + 1);
  results[vgpr] = word;
}

bool StraightLine::readsLoadedSgpr(const Instruction &inst) const {
  return any_of(inst.operands, [&](const Operand &operand) {
    return operand.word.isSgpr() && loadedSgprs[operand.word.number];
  });
}

/// Results that are no VGPRs yet.
void StraightLine::appendResults() {
  for (Word &word : results) {
    if (word.isVgpr() || word.kind == Word::Kind::Undefined)
      continue;
    const Word to = newVgprs();
    const bool isLiteral = word.isConstant() && sourceOfConstant(word.number) == noSource;
    const bool done = append(
        Stage::Early, isLiteral ? Opcode::VMovLiteral : Opcode::VMov,
        {Operand::result(to), isLiteral ? Operand::number(word.number) : Operand::source(word)});
    KILN_CHECK(done, "direct: a move always has a stage");
    word = to;
  }
}

/// \p instructions in the order of execution, and what follows from it.
void StraightLine::findIntervals() {
  std::vector<Instruction> ordered;
  ordered.reserve(instructions.size());
  for (Stage stage : {Stage::Scalar, Stage::Early, Stage::Load, Stage::Late, Stage::Export})
    for (Instruction &inst : instructions)
      if (inst.stage == stage)
        ordered.push_back(std::move(inst));
  instructions = std::move(ordered);
  const auto end = static_cast<int>(instructions.size());
  const auto firstLate =
      find_if(instructions, [](const Instruction &inst) { return inst.stage >= Stage::Late; });
  const auto wait = static_cast<int>(firstLate - instructions.begin());
  for (int at = 0; at < end; ++at)
    for (const Operand &operand : instructions[at].operands) {
      if (operand.role == Operand::Role::Result) {
        for (unsigned i = 0; i < operand.count; ++i) {
          Virtual &value = values[operand.word.number + i];
          value.from = at;
          // Loads write when they like until they are waited for, and others at once.
          value.to = std::max(at + 1, isVectorLoad(instructions[at].opcode) ? wait : 0);
        }
      } else if (operand.word.isVgpr()) {
        Virtual &value = values[operand.word.number];
        value.to = std::max(value.to, at);
      }
    }
  for (const Word &word : results)
    if (word.isVgpr())
      values[word.number].to = end + 1;
}

// --- Registers

/// Results may be written where operands are read for the last time.
bool StraightLine::isFree(int vgpr, const Virtual &value) const {
  return none_of(busy[vgpr], [&](const Interval &other) {
    return std::max(other.from, value.from) < std::min(other.to, value.to);
  });
}

bool StraightLine::placeTuple(uint32_t tuple, unsigned count, int base) {
  if (base < 0 || base + count > vgprsMax)
    return false;
  for (unsigned i = 0; i < count; ++i)
    if (!isFree(base + i, values[tuple + i]))
      return false;
  for (unsigned i = 0; i < count; ++i) {
    Virtual &value = values[tuple + i];
    value.place = base + static_cast<int>(i);
    busy[value.place].push_back({value.from, value.to});
  }
  return true;
}

/// Where the function's results have to be.
bool StraightLine::placeAtResult(uint32_t tuple, unsigned count) {
  for (int vgpr = 0; vgpr < static_cast<int>(results.size()); ++vgpr) {
    const Word &word = results[vgpr];
    if (!word.isVgpr() || word.number - tuple >= count)
      continue;
    const int base = vgpr - static_cast<int>(word.number - tuple);
    bool fits = base >= 0;
    for (unsigned i = 0; fits && i < count; ++i)
      if (base + i < results.size() && results[base + i].kind != Word::Kind::Undefined)
        fits = results[base + i] == Word{Word::Kind::Vgpr, tuple + i};
    if (fits && placeTuple(tuple, count, base))
      return true;
  }
  return false;
}

bool StraightLine::placeAnywhere(uint32_t tuple, unsigned count) {
  for (unsigned base = 0; base + count <= vgprsMax; ++base)
    if (placeTuple(tuple, count, static_cast<int>(base)))
      return true;
  return false;
}

bool StraightLine::placeAll() {
  for (uint32_t i = 0; i < vgprArguments; ++i)
    if (values[i].to >= 0)
      busy[i].push_back({-1, values[i].to});
  SmallVector<std::pair<uint32_t, unsigned>, 16> others;
  for (const Instruction &inst : instructions)
    for (const Operand &operand : inst.operands)
      if (operand.role == Operand::Role::Result &&
          !placeAtResult(operand.word.number, operand.count))
        others.push_back({operand.word.number, operand.count});
  // What is moved at the end needs the place free until then.
  const auto end = static_cast<int>(instructions.size());
  for (size_t vgpr = 0; vgpr < results.size(); ++vgpr)
    if (results[vgpr].isVgpr() && values[results[vgpr].number].place != static_cast<int>(vgpr))
      busy[vgpr].push_back({-1, end + 1});
  return all_of(others,
                [&](const auto &tuple) { return placeAnywhere(tuple.first, tuple.second); });
}

/// False: a register would be written that another move reads; no order of moves is looked for.
bool StraightLine::moveResults() {
  SmallVector<Instruction, 8> moves;
  std::vector<bool> isRead(vgprsMax);
  for (uint32_t vgpr = 0; vgpr < results.size(); ++vgpr) {
    const Word &word = results[vgpr];
    if (!word.isVgpr() || values[word.number].place == static_cast<int>(vgpr))
      continue;
    Word to = newVgprs();
    values[to.number].place = static_cast<int>(vgpr);
    moves.push_back({Opcode::VMov, Stage::Late, {Operand::result(to), Operand::source(word)}});
    isRead[values[word.number].place] = true;
    results[vgpr] = to;
  }
  for (Instruction &move : moves) {
    if (isRead[values[move.operands[0].word.number].place])
      return false;
    instructions.push_back(std::move(move));
  }
  return true;
}

// --- Code

uint32_t StraightLine::encoded(const Operand &operand) const {
  using Role = Operand::Role;
  const Word &word = operand.word;
  if (operand.role == Role::Number)
    return word.number;
  if (!word.isVgpr()) {
    if (operand.role == Role::Source)
      return word.isSgpr() ? word.number : sourceOfConstant(word.number);
    KILN_CHECK(operand.role == Role::Export || operand.role == Role::Pair,
               "direct: an operand that is no register");
    return 0;
  }
  const int place = values[word.number].place;
  KILN_CHECK(place >= 0, "direct: a value without a register");
  switch (operand.role) {
  case Role::Source:
  case Role::Export:
    return sourceVgpr + place;
  case Role::Pair:
    return 3 * sourceVgpr + place;
  default:
    return place;
  }
}

void StraightLine::emitOne(SmallVectorImpl<uint32_t> &code, const Instruction &inst) {
  SmallVector<uint32_t, maxOperands> operands;
  for (const Operand &operand : inst.operands)
    operands.push_back(encoded(operand));
  encode(code, gfxMajor, inst.opcode, operands);
  ++facts.instructions;
  for (const Operand &operand : inst.operands)
    if (operand.role == Operand::Role::Result)
      facts.vgprs = std::max(facts.vgprs, values[operand.word.number].place + operand.count);
  if (!isVectorOpcode(inst.opcode))
    return;
  facts.readsMask |= inst.opcode == Opcode::VSelect;
  facts.vectorReadsScalar |=
      any_of(inst.operands, [](const Operand &operand) { return operand.word.isSgpr(); });
  facts.endsWithVector |= is_contained(results, inst.operands[0].word);
}

/// Of loads in a row. The first one of the vector loads has waited for all scalar ones.
void StraightLine::emitClause(SmallVectorImpl<uint32_t> &code, size_t index) {
  auto isLoad = [&](size_t i) {
    return i < instructions.size() &&
           (isScalarLoad(instructions[i].opcode)
                ? isScalarLoad(instructions[index].opcode)
                : isVectorLoad(instructions[i].opcode) && isVectorLoad(instructions[index].opcode));
  };
  if (!isLoad(index))
    return;
  size_t first = index, count = 0;
  while (first > 0 && isLoad(first - 1))
    --first;
  if ((index - first) % clauseMax)
    return;
  while (count < clauseMax && isLoad(index + count))
    ++count;
  if (count < 2)
    return;
  encode(code, gfxMajor, Opcode::SClause, static_cast<uint32_t>(count - 1));
  ++facts.instructions;
}

void StraightLine::emit(SmallVectorImpl<uint32_t> &code) {
  bool scalarLoads = false, vectorLoads = false;
  auto waitFor = [&](bool &pending, Opcode wait) {
    if (pending) {
      encode(code, gfxMajor, wait, {});
      ++facts.instructions;
    }
    pending = false;
  };
  for (size_t i = 0; i < instructions.size(); ++i) {
    const Instruction &inst = instructions[i];
    if (inst.stage != Stage::Scalar && readsLoadedSgpr(inst))
      waitFor(scalarLoads, Opcode::WaitScalarLoads);
    if (inst.stage >= Stage::Late)
      waitFor(vectorLoads, Opcode::WaitVectorLoads);
    if (isVectorLoad(inst.opcode))
      facts.endsWithVector = false;
    emitClause(code, i);
    emitOne(code, inst);
    scalarLoads |= isScalarLoad(inst.opcode);
    vectorLoads |= isVectorLoad(inst.opcode);
  }
  waitFor(scalarLoads, Opcode::WaitScalarLoads);
  waitFor(vectorLoads, Opcode::WaitVectorLoads);
}

std::optional<CodeFacts> StraightLine::finish(SmallVectorImpl<uint32_t> &code) {
  appendResults();
  findIntervals();
  if (!placeAll() || !moveResults())
    return std::nullopt;
  facts.sgprs = nextSgpr;
  facts.vgprs = vgprArguments;
  emit(code);
  return facts;
}

} // namespace lgc::direct::glue
