//===- TestInterpreter.h - runs straight-line IR on one wave (tests) ------===//
// SPDX-License-Identifier: MIT
/// \file
/// An oracle for tests of expansions: executes a function of one basic block on all lanes of a wave
/// in lockstep, including the AMDGPU intrinsics that our lowerings use, and tracks which values are
/// undefined. It is written from the ISA manuals' descriptions, independently of the lowerings:
///  - instructions that strict.wwm depends on, back to set.inactive, run with all lanes active;
///    all others only write active lanes, and what inactive lanes hold is undefined;
///  - ds_bpermute reads only the reader's half of a wave64, unless `isWide` is set (gfx12); row
///    operations stay in rows of 16.
/// Everything not listed here is reported by `unknown`, which tests expect to be empty.
#pragma once

#include "lgc/ir/TestScalarOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include <string>
#include <vector>

namespace lgc::test {

class WaveInterpreter : ScalarOps {
public:
  WaveInterpreter(unsigned waveSize, uint64_t activeLanes)
      : waveSize(waveSize), active(activeLanes) {}

  std::string unknown; ///< first instruction that the interpreter does not know
  bool isWide = false; ///< gfx12

  void setArgument(const llvm::Argument &argument, WaveValue value) {
    values[&argument] = std::move(value);
  }

  /// Executes the function's only block; returns the operand of its return instruction.
  WaveValue run(const llvm::Function &function) {
    findWholeWave(function);
    for (const llvm::Instruction &inst : function.getEntryBlock()) {
      if (const auto *ret = llvm::dyn_cast<llvm::ReturnInst>(&inst))
        return ret->getReturnValue() ? operand(ret->getReturnValue()) : WaveValue();
      uint64_t exec = wholeWave.contains(&inst) ? allLanes() : active;
      WaveValue result = execute(inst, exec);
      for (unsigned lane = 0; lane < waveSize; ++lane)
        if (!(exec >> lane & 1))
          for (Scalar &s : result[lane])
            s.defined = false;
      values[&inst] = std::move(result);
    }
    return {};
  }

private:
  unsigned waveSize;
  uint64_t active;
  llvm::DenseMap<const llvm::Value *, WaveValue> values;
  llvm::DenseSet<const llvm::Value *> wholeWave;

  uint64_t allLanes() const { return waveSize == 64 ? ~0ull : (1ull << waveSize) - 1; }

  static bool isCall(const llvm::Value *value, llvm::Intrinsic::ID id) {
    const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(value);
    return call && call->getIntrinsicID() == id;
  }

  void findWholeWave(const llvm::Function &function) {
    std::vector<const llvm::Instruction *> work;
    auto addOperands = [&](const llvm::Instruction &inst) {
      for (const llvm::Use &use : inst.operands())
        if (const auto *source = llvm::dyn_cast<llvm::Instruction>(&use))
          if (wholeWave.insert(source).second)
            work.push_back(source);
    };
    for (const llvm::Instruction &inst : function.getEntryBlock())
      if (isCall(&inst, llvm::Intrinsic::amdgcn_strict_wwm))
        addOperands(inst);
    while (!work.empty()) {
      const llvm::Instruction *inst = work.back();
      work.pop_back();
      if (!isCall(inst, llvm::Intrinsic::amdgcn_set_inactive))
        addOperands(*inst);
    }
  }

  // --- types and operands ---

  static unsigned scalarCount(const llvm::Type *type) {
    if (const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
      return vector->getNumElements();
    if (const auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
      return static_cast<unsigned>(array->getNumElements()) * scalarCount(array->getElementType());
    if (const auto *record = llvm::dyn_cast<llvm::StructType>(type)) {
      unsigned count = 0;
      for (const llvm::Type *member : record->elements())
        count += scalarCount(member);
      return count;
    }
    return 1;
  }

  static void flatten(const llvm::Constant *constant, LaneValue &out) {
    if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(constant);
        number && !constant->getType()->isVectorTy())
      return out.push_back(
          {number->getValue().extractBitsAsZExtValue(std::min(64u, number->getBitWidth()), 0),
           true});
    if (const auto *number = llvm::dyn_cast<llvm::ConstantFP>(constant);
        number && !constant->getType()->isVectorTy())
      return out.push_back({number->getValueAPF().bitcastToAPInt().getZExtValue(), true});
    if (llvm::isa<llvm::UndefValue>(constant)) {
      out.resize(out.size() + scalarCount(constant->getType()));
      return;
    }
    if (const auto *cast = llvm::dyn_cast<llvm::ConstantExpr>(constant)) {
      LaneValue from, to; // IRBuilder leaves bit casts that need the data layout as expressions
      flatten(cast->getOperand(0), from);
      if (cast->getOpcode() == llvm::Instruction::BitCast)
        bitCast(*cast, from, to);
      else if (cast->getOpcode() == llvm::Instruction::ExtractElement)
        to = {from[llvm::cast<llvm::ConstantInt>(cast->getOperand(1))->getZExtValue()]};
      else
        to.resize(scalarCount(cast->getType()));
      out.insert(out.end(), to.begin(), to.end());
      return;
    }
    const llvm::Type *type = constant->getType();
    unsigned count = type->isStructTy()  ? type->getStructNumElements()
                     : type->isArrayTy() ? static_cast<unsigned>(type->getArrayNumElements())
                                         : scalarCount(type);
    for (unsigned i = 0; i < count; ++i)
      flatten(constant->getAggregateElement(i), out);
  }

  WaveValue operand(const llvm::Value *value) {
    if (const auto *constant = llvm::dyn_cast<llvm::Constant>(value)) {
      LaneValue lane;
      flatten(constant, lane);
      return WaveValue(waveSize, lane);
    }
    return values[value];
  }

  WaveValue fail(const llvm::Instruction &inst) {
    if (unknown.empty())
      llvm::raw_string_ostream(unknown) << inst;
    return WaveValue(waveSize, LaneValue(scalarCount(inst.getType())));
  }

  // --- dispatch ---

  WaveValue execute(const llvm::Instruction &inst, uint64_t exec) {
    if (const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&inst)) {
      WaveValue result;
      if (crossLane(*call, exec, result))
        return result;
    }
    std::vector<WaveValue> args;
    unsigned argCount = inst.getNumOperands() - (llvm::isa<llvm::CallInst>(inst) ? 1 : 0);
    for (unsigned i = 0; i < argCount; ++i)
      args.push_back(operand(inst.getOperand(i)));
    WaveValue result(waveSize);
    for (unsigned lane = 0; lane < waveSize; ++lane) {
      std::vector<LaneValue> laneArgs;
      for (const WaveValue &arg : args)
        laneArgs.push_back(arg[lane]);
      if (!executeLane(inst, laneArgs, result[lane]))
        return fail(inst);
    }
    return result;
  }

  /// Instructions of one lane. False: unknown.
  bool executeLane(const llvm::Instruction &inst, std::vector<LaneValue> &args, LaneValue &out) {
    using namespace llvm;
    if (const auto *extract = dyn_cast<ExtractValueInst>(&inst)) {
      unsigned first = offsetOf(extract->getAggregateOperand()->getType(), extract->getIndices());
      out.assign(args[0].begin() + first, args[0].begin() + first + scalarCount(inst.getType()));
      return true;
    }
    if (const auto *insert = dyn_cast<InsertValueInst>(&inst)) {
      unsigned first = offsetOf(inst.getType(), insert->getIndices());
      out = args[0];
      std::copy(args[1].begin(), args[1].end(), out.begin() + first);
      return true;
    }
    switch (inst.getOpcode()) {
    case Instruction::ExtractElement:
      out = {args[1][0].bits < args[0].size() && args[1][0].defined ? args[0][args[1][0].bits]
                                                                    : Scalar()};
      return true;
    case Instruction::InsertElement:
      out = args[0];
      if (args[2][0].bits < out.size())
        out[args[2][0].bits] = args[1][0];
      return true;
    case Instruction::ShuffleVector:
      for (int index : cast<ShuffleVectorInst>(inst).getShuffleMask()) {
        auto length = static_cast<int>(args[0].size());
        out.push_back(index < 0        ? Scalar()
                      : index < length ? args[0][index]
                                       : args[1][index - length]);
      }
      return true;
    case Instruction::BitCast:
      return bitCast(inst, args[0], out);
    case Instruction::Freeze:
      out = args[0];
      return true;
    case Instruction::Select: {
      bool whole = args[0].size() == 1;
      for (size_t i = 0; i < args[1].size(); ++i) {
        const Scalar &condition = args[0][whole ? 0 : i];
        Scalar chosen = condition.bits & 1 ? args[1][i] : args[2][i];
        chosen.defined &= condition.defined;
        out.push_back(chosen);
      }
      return true;
    }
    default:
      break;
    }
    return elementwise(inst, args, out);
  }

  static unsigned offsetOf(llvm::Type *type, llvm::ArrayRef<unsigned> indices) {
    unsigned offset = 0;
    for (unsigned index : indices) {
      if (auto *record = llvm::dyn_cast<llvm::StructType>(type)) {
        for (unsigned i = 0; i < index; ++i)
          offset += scalarCount(record->getElementType(i));
        type = record->getElementType(index);
      } else {
        type = type->getArrayElementType();
        offset += index * scalarCount(type);
      }
    }
    return offset;
  }

  static bool bitCast(const llvm::User &cast, const LaneValue &from, LaneValue &out) {
    unsigned fromBits = cast.getOperand(0)->getType()->getScalarSizeInBits();
    unsigned toBits = cast.getType()->getScalarSizeInBits();
    unsigned count = scalarCount(cast.getType());
    // Bit by bit: fast enough for tests, and right for every pair of widths.
    for (unsigned i = 0; i < count; ++i) {
      Scalar s{0, true};
      for (unsigned bit = 0; bit < toBits; ++bit) {
        unsigned position = i * toBits + bit;
        const Scalar &source = from[position / fromBits];
        s.bits |= (source.bits >> (position % fromBits) & 1) << bit;
        s.defined &= source.defined;
      }
      out.push_back(s);
    }
    return true;
  }

  /// Operations on each scalar of vectors alike.
  bool elementwise(const llvm::Instruction &inst, std::vector<LaneValue> &args, LaneValue &out) {
    using namespace llvm;
    const auto *call = dyn_cast<IntrinsicInst>(&inst);
    if (call && call->getIntrinsicID() == Intrinsic::frexp)
      return frexp(inst, args[0], out);
    if (call && (call->getIntrinsicID() == Intrinsic::uadd_with_overflow ||
                 call->getIntrinsicID() == Intrinsic::usub_with_overflow))
      return withOverflow(*call, args, out);
    if (call && isPair(call->getIntrinsicID()))
      return packPair(*call, args, out);
    for (unsigned i = 0; i < scalarCount(inst.getType()); ++i) {
      Scalar s{0, true};
      std::vector<uint64_t> bits;
      for (const LaneValue &arg : args) {
        const Scalar &element = arg[arg.size() == 1 ? 0 : i];
        s.defined &= element.defined;
        bits.push_back(element.bits);
      }
      const Type *from = inst.getOperand(0)->getType()->getScalarType();
      const Type *to = inst.getType()->getScalarType();
      bool known = call ? intrinsic(*call, from, bits, s) : operation(inst, from, to, bits, s);
      if (!known)
        return false;
      out.push_back(s);
    }
    return true;
  }

  // --- lanes ---

  /// The scalar operand `index`, of one lane.
  Scalar laneOperand(const llvm::IntrinsicInst &call, unsigned index, unsigned lane) {
    return operand(call.getArgOperand(index))[lane][0];
  }
  uint64_t uniformOperand(const llvm::IntrinsicInst &call, unsigned index, uint64_t exec) {
    return laneOperand(call, index, static_cast<unsigned>(std::countr_zero(exec))).bits;
  }

  /// Runs intrinsics that look at several lanes. False: it is none.
  bool crossLane(const llvm::IntrinsicInst &call, uint64_t exec, WaveValue &out) {
    out.assign(waveSize, LaneValue(scalarCount(call.getType())));
    WaveValue a =
        call.arg_size() ? operand(call.getArgOperand(0)) : WaveValue(waveSize, LaneValue(1));
    WaveValue b = call.arg_size() > 1 ? operand(call.getArgOperand(1)) : WaveValue();
    return maskIntrinsic(call, exec, a, b, out) || moveIntrinsic(call, exec, a, b, out);
  }

  template <typename Compute> bool forLanes(WaveValue &out, Compute compute) {
    for (unsigned lane = 0; lane < waveSize; ++lane)
      out[lane][0] = compute(lane);
    return true;
  }

  /// Intrinsics that make or read masks.
  bool maskIntrinsic(const llvm::IntrinsicInst &call, uint64_t exec, const WaveValue &a,
                     const WaveValue &b, WaveValue &out) {
    using namespace llvm;
    unsigned firstLane = static_cast<unsigned>(std::countr_zero(exec));
    switch (call.getIntrinsicID()) {
    case Intrinsic::amdgcn_ballot: {
      Scalar mask{0, true};
      for (unsigned lane = 0; lane < waveSize; ++lane)
        if (exec >> lane & 1) {
          mask.bits |= (a[lane][0].bits & 1) << lane;
          mask.defined &= a[lane][0].defined;
        }
      return forLanes(out, [&](unsigned) { return mask; });
    }
    case Intrinsic::amdgcn_inverse_ballot: {
      Scalar mask = a[firstLane][0];
      return forLanes(out,
                      [&](unsigned lane) { return Scalar{mask.bits >> lane & 1, mask.defined}; });
    }
    case Intrinsic::amdgcn_s_wqm: {
      Scalar mask = a[firstLane][0];
      uint64_t quads = 0;
      for (unsigned lane = 0; lane < waveSize; lane += 4)
        if (mask.bits >> lane & 15)
          quads |= 15ull << lane;
      return forLanes(out, [&](unsigned) { return Scalar{quads, mask.defined}; });
    }
    case Intrinsic::amdgcn_mbcnt_lo:
    case Intrinsic::amdgcn_mbcnt_hi: {
      bool isHigh = call.getIntrinsicID() == Intrinsic::amdgcn_mbcnt_hi;
      return forLanes(out, [&](unsigned lane) {
        uint64_t below = isHigh ? (lane > 32 ? (1ull << (lane - 32)) - 1 : 0)
                                : (lane >= 32 ? 0xFFFFFFFF : (1ull << lane) - 1);
        auto count = static_cast<uint64_t>(std::popcount(a[lane][0].bits & below));
        return Scalar{(count + b[lane][0].bits) & 0xFFFFFFFF,
                      a[lane][0].defined && b[lane][0].defined};
      });
    }
    default:
      return false;
    }
  }

  /// Intrinsics that move values between lanes.
  bool moveIntrinsic(const llvm::IntrinsicInst &call, uint64_t exec, const WaveValue &a,
                     const WaveValue &b, WaveValue &out) {
    using namespace llvm;
    unsigned firstLane = static_cast<unsigned>(std::countr_zero(exec));
    switch (call.getIntrinsicID()) {
    case Intrinsic::amdgcn_readfirstlane:
      return forLanes(out, [&](unsigned) { return a[firstLane][0]; });
    case Intrinsic::amdgcn_readlane: {
      uint64_t source = uniformOperand(call, 1, exec) % waveSize;
      return forLanes(out, [&](unsigned) { return a[source][0]; });
    }
    case Intrinsic::amdgcn_writelane: {
      uint64_t target = uniformOperand(call, 1, exec) % waveSize;
      WaveValue old = operand(call.getArgOperand(2));
      return forLanes(
          out, [&](unsigned lane) { return lane == target ? a[firstLane][0] : old[lane][0]; });
    }
    case Intrinsic::amdgcn_set_inactive:
      return forLanes(out,
                      [&](unsigned lane) { return active >> lane & 1 ? a[lane][0] : b[lane][0]; });
    case Intrinsic::amdgcn_strict_wwm:
      out = a;
      return true;
    case Intrinsic::amdgcn_permlane64:
      return forLanes(out, [&](unsigned lane) { return a[lane ^ 32][0]; });
    case Intrinsic::amdgcn_ds_bpermute:
      return forLanes(out, [&](unsigned lane) {
        const unsigned reach = isWide ? waveSize : 32;
        auto source =
            static_cast<unsigned>((lane & ~(reach - 1)) | (a[lane][0].bits >> 2 & (reach - 1)));
        Scalar read = exec >> source & 1 ? b[source][0] : Scalar();
        read.defined &= a[lane][0].defined;
        return read;
      });
    case Intrinsic::amdgcn_ds_swizzle: {
      uint64_t pattern = uniformOperand(call, 1, exec);
      return forLanes(out, [&](unsigned lane) {
        uint64_t in = lane & 31;
        uint64_t moved = pattern >= 0xC000 ? in + (pattern >> 5) // all bits rotate
                                           : ((in & pattern) | (pattern >> 5)) ^ (pattern >> 10);
        uint64_t source = (lane & 32) | (moved & 31);
        return exec >> source & 1 ? a[source][0] : Scalar{0, true};
      });
    }
    case Intrinsic::amdgcn_permlane16:
    case Intrinsic::amdgcn_permlanex16: {
      unsigned flip = call.getIntrinsicID() == Intrinsic::amdgcn_permlanex16 ? 16 : 0;
      uint64_t lanes = uniformOperand(call, 2, exec) & 0xFFFFFFFF;
      lanes |= uniformOperand(call, 3, exec) << 32;
      return forLanes(out, [&](unsigned lane) {
        unsigned source = ((lane & ~15u) ^ flip) | (lanes >> (4 * (lane & 15)) & 15);
        if (exec >> source & 1 || uniformOperand(call, 4, exec) & 1)
          return b[source][0];
        return uniformOperand(call, 5, exec) & 1 ? Scalar{0, true} : a[lane][0];
      });
    }
    case Intrinsic::amdgcn_update_dpp:
      return updateDpp(call, exec, a, b, out);
    default:
      return false;
    }
  }

  bool updateDpp(const llvm::IntrinsicInst &call, uint64_t exec, const WaveValue &old,
                 const WaveValue &source, WaveValue &out) {
    uint64_t control = uniformOperand(call, 2, exec), rowMask = uniformOperand(call, 3, exec);
    bool boundControl = uniformOperand(call, 5, exec) & 1;
    for (unsigned lane = 0; lane < waveSize; ++lane) {
      unsigned row = lane & ~15u, in = lane & 15, from = lane;
      bool valid = true;
      if (control < 0x100)
        from = (lane & ~3u) | (control >> (2 * (lane & 3)) & 3);
      else if (control > 0x110 && control < 0x120) {
        unsigned distance = control - 0x110;
        valid = in >= distance;
        from = valid ? lane - distance : lane;
      } else if (control > 0x120 && control < 0x130)
        from = row | ((in - (control - 0x120)) & 15);
      else if (control >= 0x150 && control < 0x160)
        from = row | (control - 0x150);
      else if (control >= 0x160 && control < 0x170)
        from = row | (in ^ (control - 0x160));
      else
        return false;
      valid &= (exec >> from & 1) != 0;
      if (!(rowMask >> (lane / 16) & 1))
        out[lane][0] = old[lane][0];
      else if (valid)
        out[lane][0] = source[from][0];
      else
        out[lane][0] = boundControl ? Scalar{0, true} : old[lane][0];
    }
    return true;
  }
};

} // namespace lgc::test
