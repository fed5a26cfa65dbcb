//===- OutputInitializers.cpp - initial values of direct outputs ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Outputs of control and mesh shaders have no private copy that could begin with a value
/// (Interface.h). Their initializers are stores at the start of the entry function, whether or not
/// an instruction names the variable. The invocations share the elements of arrays over vertices
/// and primitives; what the patch has once all of them store alike. A barrier follows, because
/// other invocations may read the values and store others over them.
///   before: %o = OpVariable Output %values       (mesh: float[64]; control: float[4])
///   after:  i = local index (control: invocation id)
///           lgc.output.store(values[min(i, 63)], ..., i), for i + invocations and so on; barrier
#include "llpc/translate/Barrier.h"
#include "llpc/translate/Interface.h"
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {

namespace {

using lgc::ShaderStage;

class Initializer {
public:
  explicit Initializer(Translator &t) : t(t) {
    const auto &size = t.shader->workgroupSize;
    invocations = t.isStage(ShaderStage::Mesh)
                      ? std::max<uint64_t>(uint64_t(size[0]) * size[1] * size[2], 1)
                      : elementLimit(false);
    invocation = t.op(lgc::OpId::BuiltinOp, t.b.getInt32Ty(),
                      {t.i32(static_cast<uint32_t>(t.isStage(ShaderStage::Mesh)
                                                       ? lgc::BuiltIn::LocalInvocationIndex
                                                       : lgc::BuiltIn::InvocationId))});
  }

  Error initialize(const InterfaceVariable &entry) {
    const Inst &variable = *entry.variable;
    auto root = KILN_TRY(interfaceRoot(t, variable));
    auto value = KILN_TRY(t.value(variable[1]));
    auto type = KILN_TRY(t.type(root.typeId));
    auto *initial = dyn_cast<Constant>(value);
    if (!initial || initial->getType() != type)
      return t.invalid(variable, "initializer is not a constant of the variable's type");
    if (!root.awaitsVertex)
      return storeInterface(t, variable, root, initial);
    auto length = KILN_TRY(interfaceChildCount(t, root));
    auto isPrimitive = KILN_TRY(isPerPrimitive(root));
    return shareElements(
        static_cast<uint32_t>(std::min<uint64_t>(length, elementLimit(isPrimitive))),
        [&](Value *index, uint32_t count) -> Error {
          auto at = KILN_TRY(interfaceDynamicChild(t, root, index));
          auto element = KILN_TRY(elementOf(variable, root.typeId, initial, count, index));
          return storeInterface(t, variable, at, element);
        });
  }

private:
  /// Vertices or primitives that there can be at most.
  uint32_t elementLimit(bool isPrimitive) const {
    constexpr uint32_t maxPatchVertices = 32;
    const lgc::GraphicsState &g = *t.graphics;
    if (t.isStage(ShaderStage::Mesh))
      return isPrimitive ? g.mesh.outputPrimitives : g.mesh.outputVertices;
    return g.tess.outputVertices ? g.tess.outputVertices : maxPatchVertices;
  }

  /// Does a mesh shader have this output for each primitive?
  Expected<bool> isPerPrimitive(const InterfaceCursor &root) {
    bool result = false;
    if (!t.isStage(ShaderStage::Mesh))
      return result;
    KILN_TRY(visitLeaves(t, root, {}, [&](const InterfaceLeaf &leaf) -> Error {
      result |= leaf.at.decorations.perPrimitive;
      // The built-ins of vertices are the first ones, up to the distances.
      result |= leaf.at.builtin && leaf.at.builtin->number > lgc::Slot::CullDistance1;
      return Error::success();
    }));
    return result;
  }

  /// Calls `store(index, count)` for the elements of this invocation, in a loop when it has
  /// several.
  Error shareElements(uint32_t count, function_ref<Error(Value *, uint32_t)> store) {
    if (!count)
      return Error::success();
    // Several invocations may store the last element: all of them the same.
    auto clamped = [&](Value *index) {
      return count % invocations
                 ? t.b.CreateBinaryIntrinsic(Intrinsic::umin, index, t.i32(count - 1))
                 : index;
    };
    if (count <= invocations)
      return store(clamped(invocation), count);
    BasicBlock *before = t.b.GetInsertBlock();
    BasicBlock *after = before->getNextNode();
    BasicBlock *loop = BasicBlock::Create(t.context, "", before->getParent(), after);
    BasicBlock *done = BasicBlock::Create(t.context, "", before->getParent(), after);
    t.b.CreateBr(loop);
    t.b.SetInsertPoint(loop);
    PHINode *index = t.b.CreatePHI(t.b.getInt32Ty(), 2);
    KILN_TRY(store(clamped(index), count));
    Value *next = t.b.CreateAdd(index, t.i32(static_cast<uint32_t>(invocations)));
    index->addIncoming(invocation, before);
    index->addIncoming(next, t.b.GetInsertBlock());
    t.b.CreateCondBr(t.b.CreateICmpULT(next, t.i32(count)), loop, done);
    t.b.SetInsertPoint(done);
    return Error::success();
  }

  /// Element `index`, below `count`, of the initial value of an array: read from a table unless all
  /// are alike.
  Expected<Value *> elementOf(const Inst &variable, Id arrayId, Constant *initial, uint32_t count,
                              Value *index) {
    Constant *first = initial->getAggregateElement(0u);
    bool isUniform = first != nullptr;
    for (uint32_t i = 1; i < count && isUniform; ++i)
      isUniform = initial->getAggregateElement(i) == first;
    if (isUniform)
      return first;
    auto memory = KILN_TRY(t.memoryType(arrayId));
    Constant *content = memoryConstant(initial, memory);
    if (!content)
      return t.unsupportedOp(variable, "this initializer");
    auto *table =
        new GlobalVariable(*t.module, memory, true, GlobalValue::InternalLinkage, content, "table",
                           nullptr, GlobalValue::NotThreadLocal, lgc::AddrSpace::Constant);
    table->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    Value *element = t.b.CreateInBoundsGEP(memory, table, {t.i32(0), index});
    return t.load(t.elementTypeId(arrayId), element, spv::StorageClass::Function, PointerInfo(), {},
                  variable);
  }

  Translator &t;
  uint64_t invocations;
  Value *invocation;
};

/// Splits the entry block, so that code with branches can be put in front of everything; allocas
/// stay in it, because elsewhere they are dynamic ones.
BasicBlock *openEntry(Function &function) {
  BasicBlock &entry = function.getEntryBlock();
  BasicBlock *body = entry.splitBasicBlock(entry.getFirstInsertionPt());
  entry.getTerminator()->eraseFromParent();
  for (Instruction &inst : make_early_inc_range(*body))
    if (auto *slot = dyn_cast<AllocaInst>(&inst))
      slot->moveBefore(entry, entry.end());
  return body;
}

} // namespace

Error initializeOutputs(Translator &t) {
  Translator::State &s = t.internals();
  SmallVector<const InterfaceVariable *, 4> outputs;
  for (const InterfaceVariable &variable : s.interfaceVariables)
    if (variable.isOutput && variable.isDirect && variable.variable->size() >= 2)
      outputs.push_back(&variable);
  if (outputs.empty())
    return Error::success();
  BasicBlock *body = openEntry(*s.entryFunction);
  t.b.SetInsertPoint(&s.entryFunction->getEntryBlock());
  Initializer initializer(t);
  for (const InterfaceVariable *output : outputs)
    KILN_TRY(initializer.initialize(*output));
  createWorkgroupBarrier(
      t, {.acquire = true, .release = true, .workgroupMemory = true, .globalMemory = true});
  t.b.CreateBr(body);
  return Error::success();
}

} // namespace llpc
