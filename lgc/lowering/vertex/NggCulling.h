//===- NggCulling.h - triangles that a primitive shader leaves out --------===//
// SPDX-License-Identifier: MIT
/// \file
/// A primitive shader may mark triangles that no pixel can show, so that the rasterizer never sees
/// them, and skip the attributes of vertices that no other triangle uses. Vertices and primitives
/// keep their numbers (no compaction). NggState says which tests.
///
/// Tests, on clip coordinates of the three vertices:
///  - frustum: all outside of one of x = -w, x = w, y = -w, y = w
///  - distances: all negative in one clip or cull distance
///  - backface: the sign of the homogeneous determinant against cull mode and front face, which the
///    driver passes (user data NggCullingData), when all w are positive
///  - small primitives: the box in pixels has no pixel centre in it; single-sampled only
#pragma once

#include "lgc/Pipeline.h"
#include "lgc/lowering/vertex/VertexExporter.h"

namespace lgc {

class NggStage;

/// Do options and state let the pipeline cull? Needs triangles that are known before the draw.
bool cullsPrimitives(const PipelineState &state, llvm::ArrayRef<OutputSlot> outputs);

class NggCulling {
public:
  NggCulling(llvm::Function &shader, const PipelineState &state,
             llvm::ArrayRef<OutputSlot> outputs);

  /// At the end of the vertex half: what the tests need goes to LDS.
  void storeVertex(llvm::IRBuilder<> &b, NggStage &ngg, const OutputSet &outputs);
  /// Where all threads meet: tests and exports the primitives. Contains barriers.
  void exportPrimitives(llvm::IRBuilder<> &b, NggStage &ngg);
  /// i1 per lane, after exportPrimitives: some triangle shows the vertex.
  llvm::Value *isVisible(llvm::IRBuilder<> &b, NggStage &ngg);

private:
  /// One vertex of the triangle, as it lies in LDS.
  struct Corner {
    llvm::Value *x = nullptr, *y = nullptr, *w = nullptr;
    llvm::Value *outside = nullptr; ///< bit per distance that is negative
  };
  using Triangle = std::array<Corner, 3>;
  enum Field : unsigned { FieldX, FieldY, FieldW, FieldOutside, FieldVisible, FieldCount };

  llvm::Value *place(llvm::IRBuilder<> &b, llvm::Value *vertex, Field field);
  llvm::Value *load(llvm::IRBuilder<> &b, llvm::Value *vertex, Field field, bool isFloat);
  llvm::Value *isCulled(llvm::IRBuilder<> &b, const Triangle &triangle);
  llvm::Value *outsideFrustum(llvm::IRBuilder<> &b, const Triangle &triangle);
  llvm::Value *facesAway(llvm::IRBuilder<> &b, const Triangle &triangle);
  llvm::Value *missesPixels(llvm::IRBuilder<> &b, const Triangle &triangle);
  llvm::Value *cullingData(llvm::IRBuilder<> &b, unsigned dword, bool isFloat);
  llvm::Value *distanceMask(llvm::IRBuilder<> &b, const OutputSet &outputs);

  llvm::Function &shader;
  const NggState &options;
  bool singleViewport;
  bool singleSampled;
  llvm::GlobalVariable *vertices = nullptr;
};

} // namespace lgc
