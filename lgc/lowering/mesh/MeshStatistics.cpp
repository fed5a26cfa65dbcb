//===- MeshStatistics.cpp - counters of task and mesh shaders -------------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/mesh/MeshStatistics.h"
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/resources/UserDataAddress.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/TargetInfo.h"

using namespace llvm;

namespace lgc {

bool countsMeshes(const PipelineState &state) {
  return state.options.meshShaderQueries && pal::abi::findTarget(state.target)->major < 11;
}

void addMeshStatistic(IRBuilder<> &b, MeshStatistic statistic, Value *amount) {
  UserDataAddress address(*b.GetInsertBlock()->getParent());
  Value *buffer = address.specialTable(pal::abi::userdata::meshPipeStatsBuf);
  Value *counters = b.CreateAddrSpaceCast(buffer, b.getPtrTy(AddrSpace::Global));
  Value *counter = offsetPointer(b, counters, 8 * static_cast<uint64_t>(statistic));
  b.CreateAtomicRMW(AtomicRMWInst::Add, counter, b.CreateZExt(amount, b.getInt64Ty()), Align(8),
                    AtomicOrdering::Monotonic, b.getContext().getOrInsertSyncScopeID("agent"));
}

} // namespace lgc
