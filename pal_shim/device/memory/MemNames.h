//===- MemNames.h - mnemonics that several encodings share -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Buffer, flat, global and scratch instructions have the same operations under the same names
/// after their prefix. X(name, older, newer, kernel): gfx11's name, gfx10's and gfx12's; equal ones
/// are "". Each user defines X and gets one table row per operation.
#pragma once

#define KILN_MEM_LOADS(X)                                                                          \
  X("load_b32", "load_dword", "", loadOp<1>)                                                       \
  X("load_b64", "load_dwordx2", "", loadOp<2>)                                                     \
  X("load_b96", "load_dwordx3", "", loadOp<3>)                                                     \
  X("load_b128", "load_dwordx4", "", loadOp<4>)                                                    \
  X("load_u8", "load_ubyte", "", smallLoadOp<uint8_t>)                                             \
  X("load_i8", "load_sbyte", "", smallLoadOp<int8_t>)                                              \
  X("load_u16", "load_ushort", "", smallLoadOp<uint16_t>)                                          \
  X("load_i16", "load_sshort", "", smallLoadOp<int16_t>)                                           \
  X("load_d16_u8", "load_ubyte_d16", "", KILN_D16(uint8_t, Low))                                   \
  X("load_d16_hi_u8", "load_ubyte_d16_hi", "", KILN_D16(uint8_t, High))                            \
  X("load_d16_i8", "load_sbyte_d16", "", KILN_D16(int8_t, Low))                                    \
  X("load_d16_hi_i8", "load_sbyte_d16_hi", "", KILN_D16(int8_t, High))                             \
  X("load_d16_b16", "load_short_d16", "", KILN_D16(uint16_t, Low))                                 \
  X("load_d16_hi_b16", "load_short_d16_hi", "", KILN_D16(uint16_t, High))

#define KILN_MEM_STORES(X)                                                                         \
  X("store_b32", "store_dword", "", storeOp<1>)                                                    \
  X("store_b64", "store_dwordx2", "", storeOp<2>)                                                  \
  X("store_b96", "store_dwordx3", "", storeOp<3>)                                                  \
  X("store_b128", "store_dwordx4", "", storeOp<4>)                                                 \
  X("store_b8", "store_byte", "", smallStoreOp<uint8_t>)                                           \
  X("store_b16", "store_short", "", smallStoreOp<uint16_t>)                                        \
  X("store_d16_hi_b8", "store_byte_d16_hi", "", KILN_D16_STORE(uint8_t))                           \
  X("store_d16_hi_b16", "store_short_d16_hi", "", KILN_D16_STORE(uint16_t))

#define KILN_D16(T, part) (smallLoadOp<T, Part::part>)
#define KILN_D16_STORE(T) (smallStoreOp<T, Part::High>)

#define KILN_CMPSWAP32 (atomicOp<uint32_t, atomic::cmpswap<uint32_t>, 2>)
#define KILN_CMPSWAP64 (atomicOp<uint64_t, atomic::cmpswap<uint64_t>, 2>)
#define KILN_FCMPSWAP32 (atomicOp<uint32_t, atomic::fcmpswap<uint32_t>, 2, FloatKind::F32>)
#define KILN_FCMPSWAP64 (atomicOp<uint64_t, atomic::fcmpswap<uint64_t>, 2, FloatKind::F64F16>)
#define KILN_PK_ADD_F16 (atomicOp<uint32_t, atomic::pkAddF16, 1, FloatKind::F64F16>)

#define KILN_MEM_ATOMICS(X)                                                                        \
  X("atomic_swap_b32", "atomic_swap", "", atomic32<atomic::swap>)                                  \
  X("atomic_cmpswap_b32", "atomic_cmpswap", "", KILN_CMPSWAP32)                                    \
  X("atomic_add_u32", "atomic_add", "", atomic32<atomic::add>)                                     \
  X("atomic_sub_u32", "atomic_sub", "", atomic32<atomic::sub>)                                     \
  X("atomic_min_i32", "atomic_smin", "", atomic32<atomic::smin>)                                   \
  X("atomic_min_u32", "atomic_umin", "", atomic32<atomic::umin>)                                   \
  X("atomic_max_i32", "atomic_smax", "", atomic32<atomic::smax>)                                   \
  X("atomic_max_u32", "atomic_umax", "", atomic32<atomic::umax>)                                   \
  X("atomic_and_b32", "atomic_and", "", atomic32<atomic::bitAnd>)                                  \
  X("atomic_or_b32", "atomic_or", "", atomic32<atomic::bitOr>)                                     \
  X("atomic_xor_b32", "atomic_xor", "", atomic32<atomic::bitXor>)                                  \
  X("atomic_inc_u32", "atomic_inc", "", atomic32<atomic::inc>)                                     \
  X("atomic_dec_u32", "atomic_dec", "", atomic32<atomic::dec>)                                     \
  X("atomic_csub_u32", "atomic_csub", "atomic_sub_clamp_u32", atomic32<atomic::subClamp>)          \
  X("atomic_cond_sub_u32", "", "", atomic32<atomic::condSub>)                                      \
  X("atomic_swap_b64", "atomic_swap_x2", "", atomic64<atomic::swap>)                               \
  X("atomic_cmpswap_b64", "atomic_cmpswap_x2", "", KILN_CMPSWAP64)                                 \
  X("atomic_add_u64", "atomic_add_x2", "", atomic64<atomic::add>)                                  \
  X("atomic_sub_u64", "atomic_sub_x2", "", atomic64<atomic::sub>)                                  \
  X("atomic_min_i64", "atomic_smin_x2", "", atomic64<atomic::smin>)                                \
  X("atomic_min_u64", "atomic_umin_x2", "", atomic64<atomic::umin>)                                \
  X("atomic_max_i64", "atomic_smax_x2", "", atomic64<atomic::smax>)                                \
  X("atomic_max_u64", "atomic_umax_x2", "", atomic64<atomic::umax>)                                \
  X("atomic_and_b64", "atomic_and_x2", "", atomic64<atomic::bitAnd>)                               \
  X("atomic_or_b64", "atomic_or_x2", "", atomic64<atomic::bitOr>)                                  \
  X("atomic_xor_b64", "atomic_xor_x2", "", atomic64<atomic::bitXor>)                               \
  X("atomic_inc_u64", "atomic_inc_x2", "", atomic64<atomic::inc>)                                  \
  X("atomic_dec_u64", "atomic_dec_x2", "", atomic64<atomic::dec>)                                  \
  X("atomic_add_f32", "", "", atomicF32<atomic::fadd>)                                             \
  X("atomic_min_f32", "atomic_fmin", "atomic_min_num_f32", atomicF32<atomic::fmin>)                \
  X("atomic_max_f32", "atomic_fmax", "atomic_max_num_f32", atomicF32<atomic::fmax>)                \
  X("atomic_cmpswap_f32", "atomic_fcmpswap", "", KILN_FCMPSWAP32)                                  \
  X("atomic_fmin_x2", "", "", atomicF64<atomic::fmin>)                                             \
  X("atomic_fmax_x2", "", "", atomicF64<atomic::fmax>)                                             \
  X("atomic_fcmpswap_x2", "", "", KILN_FCMPSWAP64)                                                 \
  X("atomic_pk_add_f16", "", "", KILN_PK_ADD_F16)                                                  \
  X("atomic_pk_add_bf16", "", "", atomic32<atomic::pkAddBf16>)
