//===- WaveOps.cpp - operations between lanes -------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Definitions: LLVM's AMDGPUUsage and IntrinsicsAMDGPU.td, the ISA manuals' chapters on DPP and on
/// the instructions. What is undefined for lanes that do not execute is generated only where all
/// lanes do (Op::allLanes).
#include "Program.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace randomir {

namespace {

void add(std::vector<Op> &ops, const char *name, Type result, ArrayRef<Type> args, Emit emit,
         EvalWave eval, uint64_t immCount, bool allLanes, unsigned weight = 4) {
  Op op;
  op.name = std::string("wave.") + name;
  op.result = result;
  op.args.assign(args.begin(), args.end());
  op.emit = std::move(emit);
  op.evalWave = std::move(eval);
  op.immCount = immCount;
  op.allLanes = allLanes;
  op.uniformResult = StringRef(name).starts_with("read") || StringRef(name).starts_with("reduce") ||
                     StringRef(name) == "ballot";
  op.weight = weight;
  ops.push_back(std::move(op));
}

void setAll(Lanes &result, uint64_t value) { result.fill(value); }
unsigned firstActive(const WaveModel &w) {
  return w.active ? unsigned(std::countr_zero(w.active)) : 0;
}
uint64_t ballotOf(const WaveModel &w, const Lanes &x) {
  uint64_t mask = 0;
  for (unsigned lane = 0; lane < w.machine.lanes; ++lane)
    mask |= (w.active >> lane & x[lane] & 1) << lane;
  return mask;
}

void addReads(std::vector<Op> &ops) {
  add(
      ops, "readfirstlane", Type::I32, {Type::I32},
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t) -> Value * {
        return e.b.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {e.b.getInt32Ty()}, {a[0]});
      },
      [](const WaveModel &w, ArrayRef<const Lanes *> a, uint64_t, Lanes &r) {
        setAll(r, (*a[0])[firstActive(w)]);
      },
      1, false);
  add(
      ops, "readlane", Type::I32, {Type::I32},
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) -> Value * {
        return e.b.CreateIntrinsic(Intrinsic::amdgcn_readlane, {e.b.getInt32Ty()},
                                   {a[0], e.b.getInt32(uint32_t(imm) % e.machine.lanes)});
      },
      [](const WaveModel &w, ArrayRef<const Lanes *> a, uint64_t imm, Lanes &r) {
        setAll(r, (*a[0])[imm % w.machine.lanes]);
      },
      64, true);
  // The lane comes from a value.
  add(
      ops, "readlane.dynamic", Type::I32, {Type::I32, Type::I32},
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t) -> Value * {
        Value *lane =
            e.b.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {e.b.getInt32Ty()}, {a[1]});
        lane = e.b.CreateAnd(lane, e.machine.lanes - 1);
        return e.b.CreateIntrinsic(Intrinsic::amdgcn_readlane, {e.b.getInt32Ty()}, {a[0], lane});
      },
      [](const WaveModel &w, ArrayRef<const Lanes *> a, uint64_t, Lanes &r) {
        setAll(r, (*a[0])[(*a[1])[0] % w.machine.lanes]);
      },
      1, true);
  add(
      ops, "writelane", Type::I32, {Type::I32, Type::I32},
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) -> Value * {
        Value *value =
            e.b.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {e.b.getInt32Ty()}, {a[0]});
        return e.b.CreateIntrinsic(Intrinsic::amdgcn_writelane, {e.b.getInt32Ty()},
                                   {value, e.b.getInt32(uint32_t(imm) % e.machine.lanes), a[1]});
      },
      [](const WaveModel &w, ArrayRef<const Lanes *> a, uint64_t imm, Lanes &r) {
        r = *a[1];
        r[imm % w.machine.lanes] = (*a[0])[0];
      },
      64, true);
}

void addMasks(std::vector<Op> &ops) {
  add(
      ops, "ballot", Type::I64, {Type::I1},
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t) -> Value * {
        llvm::Type *type = e.b.getIntNTy(e.machine.lanes);
        Value *mask = e.b.CreateIntrinsic(Intrinsic::amdgcn_ballot, {type}, {a[0]});
        return e.b.CreateZExt(mask, e.b.getInt64Ty());
      },
      [](const WaveModel &w, ArrayRef<const Lanes *> a, uint64_t, Lanes &r) {
        setAll(r, ballotOf(w, *a[0]));
      },
      1, false, 8);
  add(
      ops, "inverse.ballot", Type::I1, {Type::I64},
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t) -> Value * {
        llvm::Type *type = e.b.getIntNTy(e.machine.lanes);
        Value *mask =
            e.b.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {e.b.getInt64Ty()}, {a[0]});
        return e.b.CreateIntrinsic(Intrinsic::amdgcn_inverse_ballot, {type},
                                   {e.b.CreateTrunc(mask, type)});
      },
      [](const WaveModel &w, ArrayRef<const Lanes *> a, uint64_t, Lanes &r) {
        uint64_t mask = (*a[0])[firstActive(w)];
        for (unsigned lane = 0; lane < maxLanes; ++lane)
          r[lane] = mask >> lane & 1;
      },
      1, false);
  add(
      ops, "mbcnt", Type::I32, {Type::I32, Type::I32},
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) -> Value * {
        Intrinsic::ID id = imm ? Intrinsic::amdgcn_mbcnt_hi : Intrinsic::amdgcn_mbcnt_lo;
        return e.b.CreateIntrinsic(id, {}, {a[0], a[1]});
      },
      [](const WaveModel &w, ArrayRef<const Lanes *> a, uint64_t imm, Lanes &r) {
        for (unsigned lane = 0; lane < w.machine.lanes; ++lane) {
          uint64_t mask = (*a[0])[lane] << (imm ? 32 : 0), below = (1ull << lane) - 1;
          r[lane] = ((*a[1])[lane] + uint64_t(std::popcount(mask & below))) & 0xFFFFFFFF;
        }
      },
      2, false);
}

/// Source lane of a DPP16 control, -1 outside the row.
int dppSource(unsigned lane, unsigned control) {
  int row = int(lane & ~15u), in = int(lane & 15), n = int(control & 15);
  int from = in;
  if (control < 0x100)
    from = (in & 12) + int(control >> (2 * (in & 3)) & 3);
  else if (control < 0x110)
    from = in + n;
  else if (control < 0x120)
    from = in - n;
  else if (control < 0x130)
    from = (in - n) & 15;
  else if (control == 0x140)
    from = 15 - in;
  else if (control == 0x141)
    from = in ^ 7;
  else if (control < 0x160)
    from = n;
  else
    from = in ^ n;
  return from < 0 || from > 15 ? -1 : row + from;
}

/// Bits of imm: 0-7 quad_perm or amount, 8-10 kind, 11-14 row mask, 15-18 bank mask, 19 bound_ctrl.
unsigned dppControl(uint64_t imm) {
  unsigned low = imm & 255, amount = 1 + low % 15;
  switch (imm >> 8 & 7) {
  case 1:
    return 0x100 + amount;
  case 2:
    return 0x110 + amount;
  case 3:
    return 0x120 + amount;
  case 4:
    return 0x140 + (low & 1);
  case 5:
    return 0x150 + (low & 15);
  case 6:
    return 0x160 + (low & 15);
  default:
    return low;
  }
}
unsigned dppMask(uint64_t bits) { return bits & 1 ? 15 : unsigned(bits & 15); } // often all

/// A DPP move that feeds one operation is folded into it.
void addFolded(std::vector<Op> &ops, const char *name, Type result, Type type,
               std::function<Value *(EmitContext &, Value *, Value *)> emit,
               std::function<uint64_t(const Machine &, uint64_t, uint64_t)> eval) {
  add(
      ops, name, result, {Type::I32, type},
      [=](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) -> Value * {
        Value *moved = e.b.CreateIntrinsic(Intrinsic::amdgcn_update_dpp, {e.b.getInt32Ty()},
                                           {e.b.getInt32(0), a[0], e.b.getInt32(dppControl(imm)),
                                            e.b.getInt32(15), e.b.getInt32(15), e.b.getTrue()});
        return emit(e, moved, a[1]);
      },
      [=](const WaveModel &w, ArrayRef<const Lanes *> a, uint64_t imm, Lanes &r) {
        for (unsigned lane = 0; lane < w.machine.lanes; ++lane) {
          int from = dppSource(lane, dppControl(imm));
          bool valid = from >= 0 && w.active >> from & 1;
          r[lane] = eval(w.machine, valid ? (*a[0])[unsigned(from)] : 0, (*a[1])[lane]);
        }
      },
      1 << 11, false, 5);
}

void addFoldedDpp(std::vector<Op> &ops) {
  const Type i32 = Type::I32, f32 = Type::F32;
  addFolded(
      ops, "dpp.add", i32, i32,
      [](EmitContext &e, Value *x, Value *y) { return e.b.CreateAdd(x, y); },
      [](const Machine &, uint64_t x, uint64_t y) { return (x + y) & 0xFFFFFFFF; });
  addFolded(
      ops, "dpp.sub", i32, i32,
      [](EmitContext &e, Value *x, Value *y) { return e.b.CreateSub(y, x); },
      [](const Machine &, uint64_t x, uint64_t y) { return (y - x) & 0xFFFFFFFF; });
  addFolded(
      ops, "dpp.shl", i32, i32,
      [](EmitContext &e, Value *x, Value *y) { return e.b.CreateShl(y, e.b.CreateAnd(x, 31)); },
      [](const Machine &, uint64_t x, uint64_t y) { return y << (x & 31) & 0xFFFFFFFF; });
  addFolded(
      ops, "dpp.icmp", Type::I1, i32,
      [](EmitContext &e, Value *x, Value *y) { return e.b.CreateICmpULT(x, y); },
      [](const Machine &, uint64_t x, uint64_t y) -> uint64_t { return x < y; });
  addFolded(
      ops, "dpp.fadd", f32, f32,
      [](EmitContext &e, Value *x, Value *y) {
        Value *moved = emitCanonical(e, e.b.CreateBitCast(x, e.b.getFloatTy()));
        return emitCanonical(e, e.b.CreateFAdd(moved, y));
      },
      [](const Machine &m, uint64_t x, uint64_t y) {
        float a = std::bit_cast<float>(uint32_t(canonicalBits(m, Type::F32, x)));
        float b = std::bit_cast<float>(uint32_t(y));
        return canonicalBits(m, Type::F32, std::bit_cast<uint32_t>(a + b));
      });
  addFolded(
      ops, "dpp.fmul", f32, f32,
      [](EmitContext &e, Value *x, Value *y) {
        Value *moved = e.b.CreateSIToFP(e.b.CreateAShr(x, 16), e.b.getFloatTy());
        return emitCanonical(e, e.b.CreateFMul(moved, y));
      },
      [](const Machine &m, uint64_t x, uint64_t y) {
        float a = float(int32_t(x) >> 16), b = std::bit_cast<float>(uint32_t(y));
        return canonicalBits(m, Type::F32, std::bit_cast<uint32_t>(a * b));
      });
}

void addDpp(std::vector<Op> &ops) {
  add(
      ops, "update.dpp", Type::I32, {Type::I32, Type::I32},
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) -> Value * {
        return e.b.CreateIntrinsic(Intrinsic::amdgcn_update_dpp, {e.b.getInt32Ty()},
                                   {a[0], a[1], e.b.getInt32(dppControl(imm)),
                                    e.b.getInt32(dppMask(imm >> 11)),
                                    e.b.getInt32(dppMask(imm >> 15)), e.b.getInt1(imm >> 19 & 1)});
      },
      [](const WaveModel &w, ArrayRef<const Lanes *> a, uint64_t imm, Lanes &r) {
        unsigned rows = dppMask(imm >> 11), banks = dppMask(imm >> 15);
        for (unsigned lane = 0; lane < w.machine.lanes; ++lane) {
          int from = dppSource(lane, dppControl(imm));
          bool enabled = rows >> (lane / 16) & 1 && banks >> (lane % 16 / 4) & 1;
          if (enabled && from >= 0 && w.active >> from & 1)
            r[lane] = (*a[1])[unsigned(from)];
          else
            r[lane] = enabled && imm >> 19 & 1 ? 0 : (*a[0])[lane];
        }
      },
      1 << 20, false, 16);
  addFoldedDpp(ops);
  add(
      ops, "dpp8", Type::I32, {Type::I32},
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) -> Value * {
        return e.b.CreateIntrinsic(Intrinsic::amdgcn_mov_dpp8, {e.b.getInt32Ty()},
                                   {a[0], e.b.getInt32(uint32_t(imm))});
      },
      [](const WaveModel &w, ArrayRef<const Lanes *> a, uint64_t imm, Lanes &r) {
        for (unsigned lane = 0; lane < w.machine.lanes; ++lane)
          r[lane] = (*a[0])[(lane & ~7u) + (imm >> (3 * (lane & 7)) & 7)];
      },
      1 << 24, true);
  // LLVM 22 moves it into divergent regions that use the result: DPP8 is not marked convergent.
  ops.back().noRegions = true;
}

void addPermutes(std::vector<Op> &ops) {
  for (bool crosses : {false, true})
    add(
        ops, crosses ? "permlanex16" : "permlane16", Type::I32, {Type::I32},
        [=](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) -> Value * {
          Intrinsic::ID id = crosses ? Intrinsic::amdgcn_permlanex16 : Intrinsic::amdgcn_permlane16;
          Value *low = e.b.getInt32(uint32_t(imm * 0x9E3779B1u));
          Value *high = e.b.getInt32(uint32_t(imm * 0x85EBCA77u + 5));
          return e.b.CreateIntrinsic(id, {e.b.getInt32Ty()},
                                     {a[0], a[0], low, high, e.b.getFalse(), e.b.getFalse()});
        },
        [=](const WaveModel &w, ArrayRef<const Lanes *> a, uint64_t imm, Lanes &r) {
          uint64_t selects =
              uint64_t(uint32_t(imm * 0x85EBCA77u + 5)) << 32 | uint32_t(imm * 0x9E3779B1u);
          for (unsigned lane = 0; lane < w.machine.lanes; ++lane) {
            unsigned row = (lane & ~15u) ^ (crosses ? 16 : 0);
            r[lane] = (*a[0])[row + (selects >> (4 * (lane & 15)) & 15)];
          }
        },
        1 << 16, true);
  add(
      ops, "permlane64", Type::I32, {Type::I32},
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t) -> Value * {
        return e.b.CreateIntrinsic(Intrinsic::amdgcn_permlane64, {e.b.getInt32Ty()}, {a[0]});
      },
      [](const WaveModel &w, ArrayRef<const Lanes *> a, uint64_t, Lanes &r) {
        for (unsigned lane = 0; lane < w.machine.lanes; ++lane)
          r[lane] = (*a[0])[w.machine.lanes == 64 ? lane ^ 32 : lane];
      },
      1, true);
  // As DPP8. The project has it in whole wave mode only, which nothing moves.
  ops.back().noRegions = true;
  // RDNA3 ISA manual: v_nop in wave32.
  ops.back().supported = [](const Machine &m) { return m.major >= 11 && m.lanes == 64; };
  // Inside halves of 32 lanes: what lies beyond differs between generations.
  add(
      ops, "ds.bpermute", Type::I32, {Type::I32, Type::I32},
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t) -> Value * {
        Value *lane = e.b.CreateOr(e.b.CreateAnd(a[0], 31), e.b.CreateAnd(e.laneId, 32));
        return e.b.CreateIntrinsic(Intrinsic::amdgcn_ds_bpermute, {},
                                   {e.b.CreateShl(lane, 2), a[1]});
      },
      [](const WaveModel &w, ArrayRef<const Lanes *> a, uint64_t, Lanes &r) {
        for (unsigned lane = 0; lane < w.machine.lanes; ++lane)
          r[lane] = (*a[1])[(lane & 32) | ((*a[0])[lane] & 31)];
      },
      1, true);
  add(
      ops, "ds.swizzle", Type::I32, {Type::I32},
      [](EmitContext &e, ArrayRef<Value *> a, uint64_t imm) -> Value * {
        uint32_t pattern = imm & 0x8000 ? 0x8000 | (imm & 255) : uint32_t(imm);
        return e.b.CreateIntrinsic(Intrinsic::amdgcn_ds_swizzle, {}, {a[0], e.b.getInt32(pattern)});
      },
      [](const WaveModel &w, ArrayRef<const Lanes *> a, uint64_t imm, Lanes &r) {
        for (unsigned lane = 0; lane < w.machine.lanes; ++lane) {
          unsigned in = lane & 31, from = ((in & imm) | (imm >> 5 & 31)) ^ (imm >> 10 & 31);
          if (imm & 0x8000)
            from = (in & 28) + (imm >> (2 * (in & 3)) & 3);
          r[lane] = (*a[0])[(lane & 32) + (from & 31)];
        }
      },
      1 << 16, true);
}

void addReductions(std::vector<Op> &ops) {
  struct {
    const char *name;
    Intrinsic::ID id;
    uint64_t (*combine)(uint64_t, uint64_t);
  } const cases[] = {
      {"reduce.umin", Intrinsic::amdgcn_wave_reduce_umin,
       [](uint64_t x, uint64_t y) { return std::min(x, y); }},
      {"reduce.umax", Intrinsic::amdgcn_wave_reduce_umax,
       [](uint64_t x, uint64_t y) { return std::max(x, y); }},
      // Not add and xor: LLVM 22 takes the result for a constant operand to be that constant.
      {"reduce.and", Intrinsic::amdgcn_wave_reduce_and,
       [](uint64_t x, uint64_t y) { return x & y; }},
      {"reduce.or", Intrinsic::amdgcn_wave_reduce_or, [](uint64_t x, uint64_t y) { return x | y; }},
  };
  for (auto c : cases)
    add(
        ops, c.name, Type::I32, {Type::I32},
        [=](EmitContext &e, ArrayRef<Value *> a, uint64_t) -> Value * {
          return e.b.CreateIntrinsic(c.id, {e.b.getInt32Ty()}, {a[0], e.b.getInt32(0)});
        },
        [=](const WaveModel &w, ArrayRef<const Lanes *> a, uint64_t, Lanes &r) {
          uint64_t result = 0;
          bool any = false;
          for (unsigned lane = 0; lane < w.machine.lanes; ++lane)
            if (w.active >> lane & 1) {
              result = any ? c.combine(result, (*a[0])[lane]) : (*a[0])[lane];
              any = true;
            }
          setAll(r, result);
        },
        1, false, 2);
}

} // namespace

void addWaveOps(std::vector<Op> &ops) {
  addReads(ops);
  addMasks(ops);
  addDpp(ops);
  addPermutes(ops);
  addReductions(ops);
}

} // namespace randomir
