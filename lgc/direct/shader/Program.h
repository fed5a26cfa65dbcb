//===- Program.h - a shader in machine instructions -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What the phases of the direct tier hand on to each other (docs/direct-tier.md): machine
/// instructions of all blocks in the order in which they will stand in memory. Until registers are
/// allocated, operands name units; behind that, registers.
#pragma once

#include "lgc/direct/Encoder.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <string>
#include <vector>

namespace llvm {
class DILocation;
}

namespace lgc::direct {

inline constexpr uint32_t noUnit = ~0u, noBlock = ~0u, noLoop = ~0u;
inline constexpr unsigned vgprsMax = 256, sgprsMax = 106;

enum class Bank : uint8_t { Scalar, Vector };

/// Registers in a row that are allocated together.
struct Unit {
  Bank bank;
  uint8_t count = 1;     ///< registers
  uint8_t alignment = 1; ///< of the first register
  /// What it holds must outlive the iteration of the loops that its definitions stand in: lanes
  /// wait for others that go round again.
  bool acrossIterations = false;
  /// Holds what the last iteration of the loop with its definitions has left, and nothing in the
  /// first one: a phi that begins undefined.
  bool fromLastIteration = false;
  /// Holds something from the beginning of the function to the last use, and in all loops between.
  bool fromStart = false;
  bool isPinned = false; ///< never spilled
  int16_t fixed = -1;    ///< the register that it must have: an argument
  int16_t place = -1;    ///< its first register, once allocated
};

/// Scalar registers that are not allocated, by their number as operands have it; m0 and null have
/// other numbers by generation (Program::m0, Program::null).
inline constexpr uint32_t regVcc = 106, regExec = 126, regScc = 253;

struct Operand {
  enum class Kind : uint8_t {
    None,
    Unit,     ///< register `index` of the unit `value`, and those behind it
    Sgpr,     ///< a scalar register by number; VCC, EXEC, M0, null as well
    Vgpr,     ///< a vector register by number
    Constant, ///< 32 bits: inline where the encoding has it, else a literal
    Number,   ///< bits of a field
    Block,    ///< where a branch goes
    Data,     ///< of a literal: bytes from behind the last s_getpc to the program's data
    Symbol,   ///< of a literal: what linking fills in for the program's symbol `value`
  };
  Kind kind = Kind::None;
  uint8_t index = 0;
  uint8_t registers =
      0; ///< where an instruction takes a number of its own; 0: as operandInfo() says
  uint32_t value = 0;

  bool isUnit() const { return kind == Kind::Unit; }
  bool isConstant() const { return kind == Kind::Constant; }
  bool isRegister() const { return kind == Kind::Sgpr || kind == Kind::Vgpr; }
  bool operator==(const Operand &) const = default;

  Operand withRegisters(unsigned count) const {
    Operand result = *this;
    result.registers = static_cast<uint8_t>(count);
    return result;
  }
  static Operand unit(uint32_t unit, unsigned index = 0) {
    return {Kind::Unit, static_cast<uint8_t>(index), 0, unit};
  }
  static Operand sgpr(uint32_t number) { return {Kind::Sgpr, 0, 0, number}; }
  static Operand vgpr(uint32_t number) { return {Kind::Vgpr, 0, 0, number}; }
  static constexpr Operand constant(uint32_t value) { return {Kind::Constant, 0, 0, value}; }
  static Operand number(uint32_t value) { return {Kind::Number, 0, 0, value}; }
  static Operand data() { return {Kind::Data, 0, 0, 0}; }
  static Operand symbol(uint32_t number) { return {Kind::Symbol, 0, 0, number}; }
  static Operand block(uint32_t block) { return {Kind::Block, 0, 0, block}; }
};

/// An instruction of Instructions.def in its long form, where there are two; operandInfo() says
/// what its operands are.
struct MachineOp {
  Opcode opcode;
  uint8_t count = 0;  ///< operands
  uint32_t place = 0; ///< in the source, of Program::places
  std::array<Operand, maxOperands> operands;

  MachineOp() = default;
  MachineOp(Opcode opcode, llvm::ArrayRef<Operand> all);
  llvm::ArrayRef<Operand> all() const { return {operands.data(), count}; }
  llvm::MutableArrayRef<Operand> all() { return {operands.data(), count}; }
};

/// Instructions in a row, into which jumps go only at the beginning; jumps out of it may stand
/// anywhere.
struct MachineBlock {
  std::vector<MachineOp> ops;
  uint32_t loop = noLoop; ///< the innermost one
};

/// Blocks that stand in a row; its last one ends with the only jump back to the first.
struct MachineLoop {
  uint32_t first = 0, last = 0; ///< blocks
  uint32_t parent = noLoop;
};

/// Where gfx10 finds the scratch memory of a wave: units with the global table's address and the
/// wave's place, a place in the table, and what has been made of them.
struct ScratchBase {
  uint32_t table = noUnit, wave = noUnit;
  uint32_t place = 0;           ///< bytes
  uint32_t descriptor = noUnit; ///< four registers

  bool isKnown() const { return table != noUnit; }
};

struct Program {
  const pal::abi::GpuTarget *target = nullptr;
  unsigned waveSize = 32;
  bool wgpMode = true; ///< waves of a workgroup may run on two compute units
  std::vector<Unit> units;
  std::vector<MachineBlock> blocks; ///< in the order of memory
  std::vector<MachineLoop> loops;   ///< entered at their first blocks only
  std::vector<uint8_t> data;        ///< constants that stand behind the code; dwords
  std::vector<std::string> symbols; ///< of operands of that kind
  /// In the source, if the shader has debug information; the first one: nowhere.
  std::vector<const llvm::DILocation *> places = {nullptr};
  unsigned sgprs = 0, vgprs = 0;                       ///< registers in use, once allocated
  unsigned sgprLimit = sgprsMax, vgprLimit = vgprsMax; ///< that may be used; arguments do not count
  uint32_t scratchBytes = 0;                           ///< of a lane
  ScratchBase scratchBase;                             ///< of gfx10

  bool isWave64() const { return waveSize == 64; }
  unsigned maskRegisters() const { return waveSize / 32; } ///< of a mask of lanes
  /// HW: M0 and null have changed places in gfx11.
  uint32_t m0() const { return target->major >= 11 ? 125 : 124; }
  uint32_t null() const { return target->major >= 11 ? 124 : 125; }

  /// Registers of an operand.
  unsigned registersOf(const Operand &operand, const OperandInfo &info) const {
    return operand.registers ? operand.registers : info.kind == 'M' ? maskRegisters() : info.count;
  }
  uint32_t addUnit(Bank bank, unsigned count = 1, unsigned alignment = 1);
};

} // namespace lgc::direct
