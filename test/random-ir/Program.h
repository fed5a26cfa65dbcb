//===- Program.h - random functions, for LLVM and for the host --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A random function is a list of nodes, each an operation on earlier nodes. An operation knows how
/// to emit itself as LLVM IR and how to compute itself on the host for one lane (or, for operations
/// that move data between lanes, for a whole wave). The IR is compiled for a GPU and run by the
/// software device; the host's results are what must come out, bit for bit.
///
/// NaNs are the one thing IR leaves open: every operation that may make one replaces it by the
/// canonical NaN of its type. With `flushF32`, 32-bit floats are never denormal, by the same means.
#pragma once

#include "lgc/Pipeline.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include <array>
#include <cstdint>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace randomir {

enum class Type : uint8_t { I1, I8, I16, I32, I64, F16, F32, F64 };
inline constexpr unsigned typeCount = 8;
inline constexpr unsigned maxLanes = 64;
inline constexpr unsigned inputDwords = 10, uniformInputs = 4, groupSize = 64;

unsigned widthOf(Type type);
inline bool isFloat(Type type) { return type >= Type::F16; }
const char *nameOf(Type type);
llvm::Type *irType(llvm::LLVMContext &context, Type type);

/// What code is generated for.
struct Machine {
  std::string target = "gfx1100";
  unsigned major = 11, minor = 0;
  unsigned lanes = 32;
  bool flushF32 = false;
  /// Halves of registers as operands of their own (from gfx11 on). With it, LLVM 22 goes wrong on
  /// 16-bit values that are uniform and live across blocks: SIFixSGPRCopies puts a whole register
  /// where the low half is meant. So such functions have no uniform values.
  bool realTrue16 = false;
  /// Code generation as for graphics pipelines.
  bool graphics = false;
  lgc::OptLevel level = lgc::OptLevel::Default;
  /// Code of the direct tier, where it does not refuse.
  bool direct = false;
  /// The most registers that it may use; 0: all.
  unsigned vgprLimit = 0, sgprLimit = 0;
  bool isGfx10() const { return major == 10; }
};

struct EmitContext {
  llvm::IRBuilder<> &b;
  const Machine &machine;
  llvm::Value *laneId = nullptr; ///< i32, in the wave
};

using Lanes = std::array<uint64_t, maxLanes>;
/// One wave while it is evaluated.
struct WaveModel {
  const Machine &machine;
  uint64_t active = 0;
};

using Emit =
    std::function<llvm::Value *(EmitContext &, llvm::ArrayRef<llvm::Value *>, uint64_t imm)>;
using Eval = std::function<uint64_t(const Machine &, llvm::ArrayRef<uint64_t>, uint64_t imm)>;
using EvalWave = std::function<void(const WaveModel &, llvm::ArrayRef<const Lanes *>, uint64_t imm,
                                    Lanes &result)>;

struct Op {
  std::string name;
  Type result;
  llvm::SmallVector<Type, 4> args;
  Emit emit;
  Eval eval;             ///< null for operations between lanes
  EvalWave evalWave;     ///< null for operations of one lane
  uint64_t immCount = 1; ///< immediates are below this
  unsigned weight = 4;
  bool allLanes = false;      ///< only outside divergent control flow
  bool uniformResult = false; ///< the same for all lanes
  bool noRegions = false;     ///< only in functions without divergent control flow
  std::function<bool(const Machine &)> supported;
};

/// All operations, of all groups.
const std::vector<Op> &allOps();
void addIntegerOps(std::vector<Op> &ops);
void addCastOps(std::vector<Op> &ops);
void addFloatOps(std::vector<Op> &ops);
void addConversionOps(std::vector<Op> &ops);
void addPackedOps(std::vector<Op> &ops);
void addTargetOps(std::vector<Op> &ops);
void addWaveOps(std::vector<Op> &ops);
void addMemoryOps(std::vector<Op> &ops);

struct Node {
  enum class Kind : uint8_t {
    Input,   ///< imm: first dword of this lane's input
    Uniform, ///< imm: first of the uniform inputs
    Constant,
    Apply,
    Begin, ///< of a region that lanes with args[0] set execute
    End,
    Phi, ///< args[0] for lanes that executed the region, args[1] for the others
  };
  Kind kind;
  Type type = Type::I32;
  unsigned op = 0; ///< index in allOps()
  llvm::SmallVector<unsigned, 4> args;
  uint64_t imm = 0;
};

struct RandomFunction {
  uint64_t seed = 0;
  std::vector<Node> nodes;
  std::vector<unsigned> outputs; ///< nodes whose values are stored
  bool flushF32 = false;
};

/// Inputs of a workgroup.
struct Inputs {
  std::vector<uint32_t> lanes; ///< inputDwords for each of groupSize lanes
  std::array<uint32_t, uniformInputs> uniform;
};

RandomFunction generate(uint64_t seed, unsigned operations, const Machine &machine);
Inputs makeInputs(uint64_t seed);
/// outputs x groupSize values.
std::vector<Lanes> evaluate(const RandomFunction &function, const Inputs &inputs,
                            const Machine &machine);
/// Nodes that the outputs depend on.
std::set<unsigned> neededNodes(const RandomFunction &function);
/// The function as a kernel of a module with PAL metadata: user data is V# in, V# out, uniforms.
std::unique_ptr<llvm::Module> emitModule(llvm::LLVMContext &context, const RandomFunction &function,
                                         const Machine &machine);

//===-- Numbers -----------------------------------------------------------===//

uint64_t maskOf(unsigned width);
int64_t signExtend(uint64_t value, unsigned width);
uint64_t canonicalNan(Type type);
bool isNanPattern(Type type, uint64_t bits);
/// NaNs canonical, and denormals as the machine has them.
uint64_t canonicalBits(const Machine &machine, Type type, uint64_t bits);
llvm::Value *emitCanonical(EmitContext &e, llvm::Value *value);
double halfToDouble(uint64_t bits);
/// To nearest even; \p rest is what lies beyond the double.
uint64_t doubleToHalf(double value, double rest = 0);

} // namespace randomir
