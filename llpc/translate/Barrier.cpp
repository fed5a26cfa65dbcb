//===- Barrier.cpp - control and memory barriers --------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Scopes become LLVM sync scopes and memory semantics become fences:
///
///   OpControlBarrier %workgroup %workgroup AcquireRelease|WorkgroupMemory
///     fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"local"}
///     call void @lgc.control.barrier(Workgroup)
///     fence syncscope("workgroup") acquire, !mmra !...
///
/// A storage class restriction goes into the fence's !mmra, which lets LLVM wait for LDS only (or
/// for memory only). Availability and visibility need nothing of their own: LLVM's release and
/// acquire write back and invalidate what the scope asks for. SequentiallyConsistent counts as
/// AcquireRelease, as Vulkan says.
#include "llpc/translate/Barrier.h"
#include "pal_shim/abi/Try.h"
#include "llvm/IR/MemoryModelRelaxationAnnotations.h"

using namespace llvm;

namespace llpc {

namespace {

constexpr uint32_t bit(spv::MemorySemanticsMask mask) { return static_cast<uint32_t>(mask); }

/// The memory scope of a barrier, unless the caller forces another one.
uint64_t memoryScope(const Translator &t, uint64_t said) {
  return t.options.forceMemoryBarrierScope ? t.options.forceMemoryBarrierScope : said;
}

Error translateControlBarrier(Translator &t, const Inst &inst) {
  auto execution = KILN_TRY(t.readConstant(inst[0]));
  auto memory = KILN_TRY(t.readConstant(inst[1]));
  auto semantics = KILN_TRY(memorySemantics(t, inst[2]));
  lgc::ExecScope scope;
  switch (static_cast<spv::Scope>(execution)) {
  case spv::Scope::Workgroup:
    scope = lgc::ExecScope::Workgroup;
    break;
  case spv::Scope::Subgroup:
    scope = lgc::ExecScope::Subgroup;
    break;
  default:
    return t.unsupportedOp(inst, "execution scope " + Twine(execution));
  }
  const char *syncScope = "singlethread";
  if (semantics.orders()) {
    auto name = KILN_TRY(t.syncScopeName(inst, memoryScope(t, memory)));
    syncScope = name;
  }
  createFence(t, semantics, AtomicOrdering::Release, syncScope);
  t.op(lgc::OpId::ControlBarrierOp, t.b.getVoidTy(), {t.i32(static_cast<uint32_t>(scope))});
  createFence(t, semantics, AtomicOrdering::Acquire, syncScope);
  return Error::success();
}

Error translateMemoryBarrier(Translator &t, const Inst &inst) {
  auto memory = KILN_TRY(t.readConstant(inst[0]));
  auto semantics = KILN_TRY(memorySemantics(t, inst[1]));
  auto syncScope = KILN_TRY(t.syncScopeName(inst, memoryScope(t, memory)));
  createFence(t, semantics, AtomicOrdering::AcquireRelease, syncScope);
  return Error::success();
}

constexpr OpEntry table[] = {
    instOp(spv::Op::OpControlBarrier, translateControlBarrier),
    instOp(spv::Op::OpMemoryBarrier, translateMemoryBarrier),
};

} // namespace

Expected<MemorySemantics> memorySemantics(Translator &t, Id id) {
  using Mask = spv::MemorySemanticsMask;
  auto constant = KILN_TRY(t.readConstant(id));
  const auto bits = static_cast<uint32_t>(constant);
  const uint32_t both = bit(Mask::AcquireRelease) | bit(Mask::SequentiallyConsistent);
  MemorySemantics semantics;
  semantics.acquire = (bits & (bit(Mask::Acquire) | both)) != 0;
  semantics.release = (bits & (bit(Mask::Release) | both)) != 0;
  semantics.isVolatile = (bits & bit(Mask::Volatile)) != 0;
  semantics.workgroupMemory = (bits & bit(Mask::WorkgroupMemory)) != 0;
  semantics.globalMemory =
      (bits &
       (bit(Mask::UniformMemory) | bit(Mask::SubgroupMemory) | bit(Mask::CrossWorkgroupMemory) |
        bit(Mask::AtomicCounterMemory) | bit(Mask::ImageMemory) | bit(Mask::OutputMemory))) != 0;
  // A task payload is workgroup memory to SPIR-V, but not LDS.
  semantics.globalMemory |= semantics.workgroupMemory && t.isStage(lgc::ShaderStage::Task);
  // Outputs of a mesh shader are in LDS or in a buffer, as they fit.
  if (t.isStage(lgc::ShaderStage::Mesh) && (bits & bit(Mask::OutputMemory)))
    semantics.workgroupMemory = semantics.globalMemory = true;
  return semantics;
}

void createFence(Translator &t, const MemorySemantics &semantics, AtomicOrdering halves,
                 const char *syncScope) {
  const bool acquire = semantics.acquire && isAcquireOrStronger(halves);
  const bool release = semantics.release && isReleaseOrStronger(halves);
  if (!semantics.orders() || (!acquire && !release))
    return;
  const AtomicOrdering order = acquire && release ? AtomicOrdering::AcquireRelease
                               : acquire          ? AtomicOrdering::Acquire
                                                  : AtomicOrdering::Release;
  FenceInst *fence = t.b.CreateFence(order, t.context.getOrInsertSyncScopeID(syncScope));
  if (semantics.workgroupMemory != semantics.globalMemory)
    fence->setMetadata(LLVMContext::MD_mmra,
                       MMRAMetadata::getTagMD(t.context, "amdgpu-synchronize-as",
                                              semantics.workgroupMemory ? "local" : "global"));
}

Expected<const char *> Translator::syncScopeName(const Inst &inst, uint64_t scope) const {
  switch (static_cast<spv::Scope>(scope)) {
  case spv::Scope::CrossDevice:
    return "";
  case spv::Scope::Device:
  case spv::Scope::QueueFamily:
    return "agent";
  case spv::Scope::Workgroup:
    return "workgroup";
  case spv::Scope::Subgroup:
    return "wavefront";
  case spv::Scope::Invocation:
  case spv::Scope::ShaderCallKHR: // without ray tracing, the invocation itself
    return "singlethread";
  default:
    return invalid(inst, "memory scope " + Twine(scope) + " is not defined");
  }
}

ArrayRef<OpEntry> barrierOps() { return table; }

void createWorkgroupBarrier(Translator &t, const MemorySemantics &semantics) {
  createFence(t, semantics, AtomicOrdering::Release, "workgroup");
  t.op(lgc::OpId::ControlBarrierOp, t.b.getVoidTy(),
       {t.i32(static_cast<uint32_t>(lgc::ExecScope::Workgroup))});
  createFence(t, semantics, AtomicOrdering::Acquire, "workgroup");
}

} // namespace llpc
