//===- StreamOut.h - transform feedback -----------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Stores of vertices into transform feedback buffers. On gfx10 the hardware counts and places the
/// vertices of each wave (legacy vertex stage: vertex shaders, evaluation shaders and the copy
/// shader behind a geometry shader); this file has that way. gfx11 and later: SoftwareStreamOut.h.
#pragma once

#include "lgc/Pipeline.h"
#include "llvm/IR/IRBuilder.h"
#include <vector>

namespace lgc {

/// One component of a vertex and its place.
struct StreamOutValue {
  uint32_t buffer = 0;
  uint32_t offset = 0; ///< bytes in the vertex
  uint32_t stream = 0;
  llvm::Value *value = nullptr; ///< scalar of 16 or 32 bits
};

/// The values of a stream ascending by buffer and offset; of equal places the last.
std::vector<StreamOutValue> sortStreamOut(llvm::ArrayRef<StreamOutValue> values, unsigned stream);
/// Takes from the front what one store can write: up to four dwords side by side, or one value of
/// 16 bits.
llvm::ArrayRef<StreamOutValue> takeStreamOutRun(llvm::ArrayRef<StreamOutValue> &values);
/// The data of that store: i16, i32 or a vector of i32.
llvm::Value *combineStreamOut(llvm::IRBuilder<> &b, llvm::ArrayRef<StreamOutValue> run);

/// gfx10: the stores of this lane's vertex, for the lanes whose vertex has a place in the buffers.
/// `b` must stand before an instruction of the hardware vertex stage and goes on behind the stores.
void emitLegacyStreamOut(llvm::IRBuilder<> &b, unsigned waveSize,
                         llvm::ArrayRef<StreamOutValue> values, unsigned stream = 0);

/// gfx10: `.vgt_strmout_config`, `.vgt_strmout_buffer_config`, `.streamout_vertex_strides`.
void writeLegacyStreamOutRegisters(llvm::Module &module, const PipelineState &state);

/// gfx10: for pipelines whose primitives queries may count, `.prims_needed_cnt_en` and all streams
/// enabled, captured or not: the hardware counts primitives of enabled streams only. Comes after
/// writeLegacyStreamOutRegisters.
void writeLegacyCountRegister(llvm::Module &module, const PipelineState &state);

/// `.streamout_vertex_strides` alone. Reports strides that are no multiple of a dword.
void writeStreamOutStrides(llvm::Module &module, const PipelineState &state);

} // namespace lgc
