//===- OpTable.cpp - opcode -> handler ------------------------------------===//
// SPDX-License-Identifier: MIT
#include "llpc/translate/Kernel.h"
#include "llvm/ADT/STLExtras.h"

namespace llpc {

namespace {

std::vector<OpEntry> buildTable() {
  std::vector<OpEntry> table;
  for (llvm::ArrayRef<OpEntry> part : {arithmeticOps(),
                                       bitOps(),
                                       conversionOps(),
                                       relationalOps(),
                                       compositeOps(),
                                       memoryOps(),
                                       accessChainOps(),
                                       controlFlowOps(),
                                       functionOps(),
                                       miscOps(),
                                       atomicOps(),
                                       barrierOps(),
                                       imageOps(),
                                       groupOps(),
                                       derivativeOps(),
                                       dotProductOps(),
                                       integerFunctionOps(),
                                       cooperativeMatrixOps(),
                                       cooperativeMatrixLaneOps(),
                                       cooperativeMatrixReduceOps(),
                                       cooperativeMatrixTensorOps(),
                                       tensorAddressingOps(),
                                       geometryOps(),
                                       fragmentOps(),
                                       meshOps(),
                                       rayQueryOps(),
                                       rayTracingOps(),
                                       kernelOps(),
                                       asyncCopyOps()})
    table.insert(table.end(), part.begin(), part.end());
  llvm::sort(table, [](const OpEntry &a, const OpEntry &b) { return a.opcode < b.opcode; });
  for (size_t i = 1; i < table.size(); ++i)
    KILN_CHECK(table[i - 1].opcode != table[i].opcode, "an opcode has two handlers");
  return table;
}

} // namespace

llvm::ArrayRef<OpEntry> allOps() {
  // Constant once built, and never destroyed: the process may end while threads compile.
  static const auto *const table = new const std::vector<OpEntry>(buildTable());
  return *table;
}

llvm::ArrayRef<ExtSet> allExtSets() {
  static const ExtSet sets[] = {
      {"GLSL.std.450", glslStd450Ops()},
      {"OpenCL.std", openClStdOps()},
      {"SPV_AMD_gcn_shader", amdGcnShaderOps()},
      {"SPV_AMD_shader_ballot", amdShaderBallotOps()},
      {"SPV_AMD_shader_explicit_vertex_parameter", amdExplicitVertexOps()},
      {"SPV_AMD_shader_trinary_minmax", amdTrinaryMinMaxOps()},
  };
  return sets;
}

const OpEntry *findOp(spv::Op opcode) {
  const llvm::ArrayRef<OpEntry> table = allOps();
  const auto *it = llvm::partition_point(
      table, [opcode](const OpEntry &entry) { return entry.opcode < opcode; });
  return it != table.end() && it->opcode == opcode ? it : nullptr;
}

} // namespace llpc
