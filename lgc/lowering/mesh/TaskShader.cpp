//===- TaskShader.cpp - a task shader as a compute shader -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Every way out of the shader meets in one block, where the counts of emit.mesh.tasks (0 without
/// one: the command processor waits for an answer of every workgroup) are written by the first
/// invocation, after all invocations' stores to the payload.
///   before: call void @lgc.emit.mesh.tasks(i32 %x, i32 1, i32 1)   ret void
///   after:  fence release; barrier; if (first invocation) { draw data = x, 1, 1; ready bit }
#include "lgc/Ops.h"
#include "lgc/ResourceLookup.h"
#include "lgc/Shader.h"
#include "lgc/TaskView.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/mesh/MeshShader.h"
#include "lgc/lowering/mesh/MeshStatistics.h"
#include "lgc/lowering/mesh/TaskRings.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace lgc {
namespace {

namespace userdata = pal::abi::userdata;

class TaskLowering {
public:
  TaskLowering(Function &function, const PipelineState &state)
      : function(function), state(state),
        b(&function.getEntryBlock(), function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()) {}
  bool run();

private:
  Value *ringEntry();
  Value *isFirstInvocation();
  Value *viewIndex();
  void lowerOps();
  void addExit();

  Function &function;
  const PipelineState &state;
  IRBuilder<> b; ///< start of the entry block, until addExit
  Value *entry = nullptr;
  std::array<AllocaInst *, 3> counts = {};
  bool isLinear = true, hasPayload = false;
};

/// Number of the ring entry of this workgroup.
Value *TaskLowering::ringEntry() {
  auto *vector = FixedVectorType::get(b.getInt32Ty(), 3);
  Value *id = createOp(b, OpId::BuiltinOp, vector,
                       {b.getInt32(static_cast<uint32_t>(BuiltIn::WorkgroupId))});
  Value *dims =
      createOp(b, OpId::SpecialUserDataOp, vector, {b.getInt32(userdata::meshTaskDispatchDims)});
  Value *first = createOp(b, OpId::SpecialUserDataOp, b.getInt32Ty(),
                          {b.getInt32(userdata::meshTaskRingIndex)});
  Value *z = b.CreateExtractElement(id, 2);
  Value *row = b.CreateMul(z, b.CreateExtractElement(dims, 1));
  row = b.CreateAdd(row, b.CreateExtractElement(id, 1));
  Value *index = b.CreateMul(row, b.CreateExtractElement(dims, uint64_t(0)));
  index = b.CreateAdd(index, b.CreateExtractElement(id, uint64_t(0)));
  return b.CreateAdd(first, index, "ring.entry");
}

Value *TaskLowering::isFirstInvocation() {
  Value *id = createOp(b, OpId::BuiltinOp, FixedVectorType::get(b.getInt32Ty(), 3),
                       {b.getInt32(static_cast<uint32_t>(BuiltIn::HwLocalId))});
  const auto &size = state.graphics.shader(ShaderStage::Task).workgroupSize;
  Value *any = b.getInt32(0);
  for (unsigned i = 0; i < 3; ++i)
    if (size[i] > 1)
      any = b.CreateOr(any, b.CreateExtractElement(id, i));
  return b.CreateICmpEQ(any, b.getInt32(0), "is.first");
}

Value *TaskLowering::viewIndex() {
  if (!state.graphics.iaState.enableMultiView)
    return b.getInt32(0); // what the view is without views
  // Why no special value: the driver does not write the view for compute stages.
  if (std::optional<uint32_t> dword = findTaskView(state.mapping))
    return createOp(b, OpId::UserDataOp, b.getInt32Ty(), {b.getInt32(*dword)}, "view");
  reportError(function.getContext(),
              unsupported("ViewIndex of a task shader with multiview: the resource mapping has no "
                          "root entry for it (InlineBuffer, set " +
                          Twine(internalSet) + ", binding " + Twine(taskViewBinding) + ")"));
  return PoisonValue::get(b.getInt32Ty());
}

void TaskLowering::lowerOps() {
  TaskRings rings(entry, pal::abi::findTarget(state.target)->major);
  Value *payload = nullptr;
  SmallVector<CallInst *, 8> calls;
  for (BasicBlock &block : function)
    for (Instruction &inst : block)
      if (auto *call = dyn_cast<CallInst>(&inst))
        calls.push_back(call);
  for (CallInst *call : calls) {
    Value *value = nullptr;
    if (isa<TaskPayloadOp>(call)) {
      if (!payload)
        payload = rings.payload(b);
      value = payload;
      hasPayload = true;
    } else if (isa<EmitMeshTasksOp>(call)) {
      IRBuilder<> at(call);
      for (unsigned i = 0; i < 3; ++i)
        at.CreateStore(call->getArgOperand(i), counts[i]);
      for (unsigned i : {1u, 2u}) {
        auto *constant = dyn_cast<ConstantInt>(call->getArgOperand(i));
        isLinear &= constant && constant->isOne();
      }
    } else if (auto *builtin = dyn_cast<BuiltinOp>(call)) {
      const auto id = static_cast<BuiltIn>(builtin->constArg(0));
      if (id == BuiltIn::ViewIndex)
        value = viewIndex();
      else if (id == BuiltIn::DrawIndex)
        value =
            createOp(b, OpId::SpecialUserDataOp, b.getInt32Ty(), {b.getInt32(userdata::drawIndex)});
      else
        continue;
    } else {
      continue;
    }
    if (value)
      call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
}

void TaskLowering::addExit() {
  BasicBlock *exit = BasicBlock::Create(function.getContext(), "task.exit", &function);
  for (BasicBlock &block : function)
    if (isa_and_nonnull<ReturnInst>(block.getTerminator()))
      ReplaceInstWithInst(block.getTerminator(), BranchInst::Create(exit));
  Value *isFirst = isFirstInvocation(); // in the entry block
  b.SetInsertPoint(exit);
  if (hasPayload) {
    // Device scope: the mesh shader runs anywhere.
    b.CreateFence(AtomicOrdering::Release, b.getContext().getOrInsertSyncScopeID("agent"));
    b.CreateIntrinsic(Intrinsic::amdgcn_s_barrier, {});
  }
  SmallVector<Value *, 3> values;
  for (AllocaInst *count : counts)
    values.push_back(b.CreateLoad(b.getInt32Ty(), count));
  Instruction *last = b.CreateRetVoid();
  Instruction *then = SplitBlockAndInsertIfThen(isFirst, last->getIterator(), false);
  IRBuilder<> inThen(then);
  if (countsMeshes(state)) {
    const auto &size = state.graphics.shader(ShaderStage::Task).workgroupSize;
    addMeshStatistic(inThen, MeshStatistic::TaskInvocations,
                     inThen.getInt32(size[0] * size[1] * size[2]));
  }
  TaskRings(entry, pal::abi::findTarget(state.target)->major).writeDrawData(inThen, values);
}

bool TaskLowering::run() {
  for (AllocaInst *&count : counts)
    count = b.CreateAlloca(b.getInt32Ty(), AddrSpace::Private);
  for (unsigned i = 0; i < 3; ++i)
    // Before this, all that is made at the start.
    b.SetInsertPoint(b.CreateStore(b.getInt32(i ? 1 : 0), counts[i]));
  entry = ringEntry();
  lowerOps();
  addExit();
  DominatorTree tree(function);
  PromoteMemToReg(counts, tree);
  function.setName(entryFunctionName(ShaderStage::Compute));
  return isLinear;
}

} // namespace

bool lowerTaskShader(Function &shader, const PipelineState &state) {
  return TaskLowering(shader, state).run();
}

} // namespace lgc
