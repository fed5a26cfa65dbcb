//===- LowerGeometry.cpp - (vertex|evaluation) + geometry -> hardware GS --===//
// SPDX-License-Identifier: MIT
/// \file
/// Merges a geometry shader with the stage before it into one hardware stage. Each wave first runs
/// vertices, whose outputs go to LDS; after a barrier it runs primitives, which read the vertices
/// there. How emitted vertices leave is the choice of the stage plan: NGG collects them in LDS and
/// exports them (GeometryNgg.cpp), the legacy stage writes a ring in memory that a copy shader
/// reads (GeometryLegacy.cpp).
///   before: define void @lgc.shader.VS()  { ... output.store ... }
///           define void @lgc.shader.GS()  { input.load ... output.store ... emit.vertex }
///   after:  define void @lgc.hw.GS() {
///             init.exec; if (lane < esThreads) { VS, store i32 to LDS }; s.barrier
///             if (lane < gsThreads) { GS, load i32 from LDS, vertices to LDS or to the ring }
///             NGG: count, compact, GS_ALLOC_REQ, exports
///           }
///           define void @lgc.hw.VS() { load from the ring, exports }      ; legacy
///
/// Outputs of a geometry shader become variables: what the last output.store wrote is what
/// emit.vertex hands out, wherever the optimiser has moved the stores. Runs after the operations
/// are lowered (built-ins of the vertex half are hardware values by then) and before the optimiser,
/// which turns the variables into values and merges what both halves compute.
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/geometry/GeometryLowering.h"
#include "pal_shim/abi/Try.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace lgc {

using pal::abi::HardwareStage;

//===--- Shared helpers ---------------------------------------------------===//

Value *SubgroupValues::hwValue(HwValue value) {
  return createOp(b, OpId::HwValueOp, b.getInt32Ty(), {b.getInt32(static_cast<uint32_t>(value))},
                  hwValueName(value));
}

Value *SubgroupValues::waveInfo(unsigned first, unsigned width) {
  Value *info = hwValue(HwValue::MergedWaveInfo);
  return b.CreateAnd(b.CreateLShr(info, first), (1u << width) - 1);
}

Value *SubgroupValues::lane() {
  CallInst *lane =
      b.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_lo, {}, {b.getInt32(~0u), b.getInt32(0)});
  if (layout.waveSize == 64)
    lane = b.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_hi, {}, {b.getInt32(~0u), lane});
  return lane;
}

Value *SubgroupValues::threadInSubgroup() {
  Value *first = b.CreateMul(waveInSubgroup(), b.getInt32(layout.waveSize));
  Value *inWave = lane();
  return b.CreateAdd(first, inWave, "thread");
}

SubgroupLds::SubgroupLds(Module &module, uint32_t dwords) {
  auto *type = ArrayType::get(Type::getInt32Ty(module.getContext()), dwords);
  variable = new GlobalVariable(module, type, /*isConstant=*/false, GlobalValue::InternalLinkage,
                                PoisonValue::get(type), "lgc.gs.lds", nullptr,
                                GlobalValue::NotThreadLocal, AddrSpace::Local);
  variable->setAlignment(Align(16));
}

Value *SubgroupLds::pointer(IRBuilder<> &b, Value *dword) {
  return b.CreateGEP(b.getInt32Ty(), variable, dword);
}

Value *SubgroupLds::load(IRBuilder<> &b, Value *dword, Type *type) {
  return fromDword(b, b.CreateAlignedLoad(b.getInt32Ty(), pointer(b, dword), Align(4)), type);
}

void SubgroupLds::store(IRBuilder<> &b, Value *value, Value *dword) {
  Value *bits = toDword(b, value);
  b.CreateAlignedStore(bits, pointer(b, dword), Align(4));
}

Value *toDword(IRBuilder<> &b, Value *value) {
  unsigned bits = value->getType()->getScalarSizeInBits();
  value = b.CreateBitCast(value, b.getIntNTy(bits));
  return b.CreateZExt(value, b.getInt32Ty());
}

Value *fromDword(IRBuilder<> &b, Value *dword, Type *type) {
  Value *bits = b.CreateTrunc(dword, b.getIntNTy(type->getScalarSizeInBits()));
  return b.CreateBitCast(bits, type);
}

void createSubgroupBarrier(IRBuilder<> &b) {
  SyncScope::ID workgroup = b.getContext().getOrInsertSyncScopeID("workgroup");
  b.CreateFence(AtomicOrdering::Release, workgroup);
  b.CreateIntrinsic(Intrinsic::amdgcn_s_barrier, {});
  b.CreateFence(AtomicOrdering::Acquire, workgroup);
}

OutputSet toOutputs(IRBuilder<> &b, const GsStream &stream, ArrayRef<Value *> dwords) {
  OutputSet outputs;
  for (size_t i = 0; i < stream.fields.size(); ++i)
    if (const GsField &field = stream.fields[i]; !field.isXfb)
      outputs.set(field.slotOrBuffer, field.componentOrOffset, fromDword(b, dwords[i], field.type));
  return outputs;
}

std::vector<OutputSlot> outputSlots(const GsStream &stream) {
  std::vector<OutputSlot> slots;
  for (const GsField &field : stream.fields) {
    if (field.isXfb)
      continue;
    if (slots.empty() || slots.back().slot != field.slotOrBuffer)
      slots.push_back({field.slotOrBuffer, 0});
    slots.back().mask |= 1u << field.componentOrOffset;
  }
  return slots;
}

namespace {

/// Calls `each` with the scalars of a value and their number.
void forEachScalar(IRBuilder<> &b, Value *value, function_ref<void(Value *, unsigned)> each) {
  auto *vector = dyn_cast<FixedVectorType>(value->getType());
  if (!vector) {
    each(value, 0);
    return;
  }
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    each(b.CreateExtractElement(value, i), i);
}

template <typename Op> SmallVector<Op *, 16> callsOf(Function &function) {
  SmallVector<Op *, 16> calls;
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<Op>(&inst))
      calls.push_back(call);
  return calls;
}

//===--- The vertex half ----------------------------------------------------===//

Error lowerVertexHalf(Function &es, const GeometryLayout &layout, SubgroupLds &lds) {
  Value *base = nullptr;
  for (OutputStoreOp *store : callsOf<OutputStoreOp>(es)) {
    auto *element = dyn_cast<ConstantInt>(store->getArgOperand(3));
    if (!element)
      return internalError("lgc.output.store before a geometry shader with a dynamic element");
    uint32_t slot = slotNumber(store->constArg(1)) + static_cast<uint32_t>(element->getZExtValue());
    IRBuilder<> b(store);
    forEachScalar(b, store->getArgOperand(0), [&](Value *scalar, unsigned i) {
      int dword = layout.input.dword(slot, store->constArg(2) + i);
      if (dword < 0)
        return;
      if (!base) {
        IRBuilder<> entry(&*es.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
        Value *vertex = SubgroupValues(entry, layout).threadInSubgroup();
        base = entry.CreateMul(vertex, entry.getInt32(layout.input.itemDwords), "es.vertex");
      }
      lds.store(b, scalar, b.CreateAdd(base, b.getInt32(static_cast<uint32_t>(dword))));
    });
    store->eraseFromParent();
  }
  // Transform feedback takes what the last vertex stage makes.
  for (XfbStoreOp *store : callsOf<XfbStoreOp>(es))
    store->eraseFromParent();
  return Error::success();
}

//===--- The geometry half --------------------------------------------------===//

class GeometryHalf {
public:
  GeometryHalf(Function &gs, const GeometryLayout &layout, SubgroupLds &lds,
               GeometryEmitter &emitter)
      : gs(gs), layout(layout), lds(lds), emitter(emitter),
        anchor(new FreezeInst(PoisonValue::get(Type::getInt32Ty(gs.getContext())), "",
                              gs.getEntryBlock().getFirstNonPHIOrDbgOrAlloca())),
        entry(anchor) {}
  void lower();

private:
  Value *vertexOffset(unsigned vertex);
  Value *vertexOffset(IRBuilder<> &b, Value *vertex);
  Value *loadInput(InputLoadOp &load);
  void lowerBuiltins();
  void lowerOutputs();
  void lowerEmits();

  Function &gs;
  const GeometryLayout &layout;
  SubgroupLds &lds;
  GeometryEmitter &emitter;
  Instruction *anchor; ///< stays where it is while others go
  IRBuilder<> entry;   ///< start of the entry block, behind its allocas
  std::array<Value *, 6> offsets = {};
  std::array<std::vector<AllocaInst *>, gsStreamCount> variables; ///< one dword per field
};

/// Dword in LDS where the item of the primitive's vertex starts.
Value *GeometryHalf::vertexOffset(unsigned vertex) {
  if (vertex >= layout.inputVertices)
    return entry.getInt32(0); // outside the array: anything
  Value *&offset = offsets[vertex];
  if (offset)
    return offset;
  SubgroupValues values(entry, layout);
  if (layout.isGfx12Plus()) {
    // HW(gfx12): numbers of vertices, 8 bits each 9 bits apart, three in a word.
    Value *word =
        values.hwValue(vertex < 3 ? HwValue::GsVertexOffsets01 : HwValue::GsVertexOffsets23);
    Value *number = entry.CreateAnd(entry.CreateLShr(word, 9 * (vertex % 3)), 0xFF);
    offset = entry.CreateMul(number, entry.getInt32(layout.input.itemDwords), "gs.vertex");
    return offset;
  }
  // HW(gfx10, gfx11): numbers of vertices times VGT_ESGS_RING_ITEMSIZE, 16 bits each.
  constexpr HwValue words[] = {HwValue::GsVertexOffsets01, HwValue::GsVertexOffsets23,
                               HwValue::GsVertexOffsets45};
  Value *word = values.hwValue(words[vertex / 2]);
  offset = vertex % 2 ? entry.CreateLShr(word, 16) : entry.CreateAnd(word, 0xFFFF);
  return offset;
}

Value *GeometryHalf::vertexOffset(IRBuilder<> &b, Value *vertex) {
  if (auto *number = dyn_cast<ConstantInt>(vertex))
    return vertexOffset(static_cast<unsigned>(number->getLimitedValue(~0u)));
  Value *offset = vertexOffset(0);
  for (unsigned i = 1; i < layout.inputVertices; ++i)
    offset = b.CreateSelect(b.CreateICmpEQ(vertex, b.getInt32(i)), vertexOffset(i), offset);
  return offset;
}

Value *GeometryHalf::loadInput(InputLoadOp &load) {
  IRBuilder<> b(&load);
  uint32_t slot = slotNumber(load.constArg(0));
  Value *element = load.getArgOperand(2);
  Value *dword = vertexOffset(b, load.getArgOperand(3));
  if (auto *number = dyn_cast<ConstantInt>(element))
    slot += static_cast<uint32_t>(number->getZExtValue());
  else
    dword = b.CreateAdd(dword, b.CreateShl(element, 2));
  Type *type = load.getType();
  auto *vector = dyn_cast<FixedVectorType>(type);
  Value *result = PoisonValue::get(type);
  for (unsigned i = 0; i < (vector ? vector->getNumElements() : 1); ++i) {
    int field = layout.input.dword(slot, load.constArg(1) + i);
    if (field < 0)
      continue; // outside of everything
    Value *at = b.CreateAdd(dword, b.getInt32(static_cast<uint32_t>(field)));
    Value *scalar = lds.load(b, at, type->getScalarType());
    result = vector ? b.CreateInsertElement(result, scalar, i) : scalar;
  }
  return result;
}

void GeometryHalf::lowerBuiltins() {
  for (BuiltinOp *call : callsOf<BuiltinOp>(gs)) {
    SubgroupValues values(entry, layout);
    Value *value = nullptr;
    switch (static_cast<BuiltIn>(call->constArg(0))) {
    case BuiltIn::InvocationId:
      value = values.hwValue(HwValue::GsInvocationId);
      // HW(gfx10, gfx11): above the number there are edge flags, from bit 8 on.
      if (!layout.isGfx12Plus())
        value = entry.CreateAnd(value, 0x7F);
      break;
    case BuiltIn::InputPrimitiveId:
      value = values.hwValue(HwValue::GsPrimitiveId);
      break;
    default:
      continue;
    }
    call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
}

/// Every stored dword gets a variable.
void GeometryHalf::lowerOutputs() {
  BasicBlock &first = gs.getEntryBlock();
  IRBuilder<> allocas(&first, first.begin());
  for (unsigned s = 0; s < gsStreamCount; ++s)
    for (const GsField &field : layout.streams[s].fields)
      variables[s].push_back(allocas.CreateAlloca(allocas.getInt32Ty(), AddrSpace::Private, nullptr,
                                                  field.isXfb ? "xfb" : "out"));
  auto put = [&](IRBuilder<> &b, Value *scalar, uint32_t stream, bool isXfb, uint32_t slotOrBuffer,
                 uint32_t rest) {
    auto found = layout.streams[stream].index.find({isXfb, slotOrBuffer, rest});
    if (found != layout.streams[stream].index.end())
      b.CreateStore(toDword(b, scalar), variables[stream][found->second]);
  };
  for (OutputStoreOp *store : callsOf<OutputStoreOp>(gs)) {
    IRBuilder<> b(store);
    uint32_t slot =
        slotNumber(store->constArg(1)) +
        static_cast<uint32_t>(cast<ConstantInt>(store->getArgOperand(3))->getZExtValue());
    forEachScalar(b, store->getArgOperand(0), [&](Value *scalar, unsigned i) {
      put(b, scalar, streamOf(*store), false, slot, store->constArg(2) + i);
    });
    store->eraseFromParent();
  }
  for (XfbStoreOp *store : callsOf<XfbStoreOp>(gs)) {
    IRBuilder<> b(store);
    uint32_t bytes = store->getArgOperand(0)->getType()->getScalarSizeInBits() / 8;
    forEachScalar(b, store->getArgOperand(0), [&](Value *scalar, unsigned i) {
      put(b, scalar, store->constArg(3), true, store->constArg(1), store->constArg(2) + i * bytes);
    });
    store->eraseFromParent();
  }
}

void GeometryHalf::lowerEmits() {
  for (EmitVertexOp *call : callsOf<EmitVertexOp>(gs)) {
    unsigned stream = call->constArg(0);
    if (layout.streams[stream].active) {
      IRBuilder<> b(call);
      SmallVector<Value *, 32> values;
      for (AllocaInst *variable : variables[stream])
        values.push_back(b.CreateLoad(b.getInt32Ty(), variable));
      emitter.emitVertex(b, stream, values);
    }
    call->eraseFromParent();
  }
  for (EndPrimitiveOp *call : callsOf<EndPrimitiveOp>(gs)) {
    unsigned stream = call->constArg(0);
    if (stream < gsStreamCount && layout.streams[stream].active) {
      IRBuilder<> b(call);
      emitter.endPrimitive(b, stream);
    }
    call->eraseFromParent();
  }
}

void GeometryHalf::lower() {
  lowerBuiltins();
  for (InputLoadOp *load : callsOf<InputLoadOp>(gs)) {
    load->replaceAllUsesWith(loadInput(*load));
    load->eraseFromParent();
  }
  lowerOutputs();
  emitter.begin(entry);
  lowerEmits();
  anchor->eraseFromParent();
}

//===--- One function of both -----------------------------------------------===//

void inlineHalf(IRBuilder<> &b, Function &half) {
  CallInst *call = b.CreateCall(&half);
  // A call without a place would lose the places of what is inlined.
  if (DISubprogram *scope = call->getFunction()->getSubprogram())
    call->setDebugLoc(DILocation::get(call->getContext(), 0, 0, scope));
  InlineFunctionInfo info;
  KILN_CHECK(InlineFunction(*call, info).isSuccess(), "a half of a merged stage is not inlinable");
  half.eraseFromParent();
}

/// Runs `then` where `condition` holds; leaves the builder behind it.
void createIf(IRBuilder<> &b, Value *condition, StringRef name, function_ref<void()> then) {
  Function *function = b.GetInsertBlock()->getParent();
  BasicBlock *body = BasicBlock::Create(b.getContext(), name, function);
  BasicBlock *after = BasicBlock::Create(b.getContext(), name + ".end", function);
  b.CreateCondBr(condition, body, after);
  // The block needs a terminator before something is inlined into it.
  b.SetInsertPoint(body);
  b.SetInsertPoint(b.CreateBr(after));
  then();
  b.SetInsertPoint(after);
}

Function &createMerged(Module &module, Function *es, Function &gs, const GeometryLayout &layout,
                       GeometryEmitter &emitter) {
  auto *merged =
      Function::Create(FunctionType::get(Type::getVoidTy(module.getContext()), false),
                       GlobalValue::ExternalLinkage, hardwareFunctionName(HardwareStage::Gs));
  module.getFunctionList().insert(gs.getIterator(), merged);
  merged->copyAttributesFrom(&gs);
  merged->setSubprogram(gs.getSubprogram());
  // Without it LLVM takes a subgroup for one wave and removes its barriers.
  merged->addFnAttr("amdgpu-flat-work-group-size", "128,128");
  IRBuilder<> b(BasicBlock::Create(module.getContext(), "entry", merged));
  b.CreateIntrinsic(Intrinsic::amdgcn_init_exec, {}, {b.getInt64(~0ull)});
  SubgroupValues values(b, layout);
  emitter.beginSubgroup(b);
  if (es) {
    Value *lane = values.lane();
    createIf(b, b.CreateICmpULT(lane, values.esThreads()), "es", [&] { inlineHalf(b, *es); });
  }
  createSubgroupBarrier(b);
  Value *lane = values.lane();
  createIf(b, b.CreateICmpULT(lane, values.gsThreads()), "gs", [&] {
    Instruction *end = &*b.GetInsertPoint();
    inlineHalf(b, gs);
    b.SetInsertPoint(end);
    emitter.endInvocation(b);
  });
  emitter.endSubgroup(b);
  return *merged;
}

Error lowerGeometry(Module &module, Function &gs, const PipelineState &state) {
  StagePlan plan = planStages(state);
  Function *es = findShader(module, plan.hasTess ? ShaderStage::TessEval : ShaderStage::Vertex);
  if (es && es->isDeclaration())
    es = nullptr;
  GeometryLayout layout = KILN_TRY(planGeometry(gs, es, state));
  SubgroupLds lds(module, layout.subgroup.ldsDwords);
  if (es)
    KILN_TRY(lowerVertexHalf(*es, layout, lds));
  std::unique_ptr<GeometryEmitter> emitter = plan.ngg ? createNggEmitter(module, state, layout, lds)
                                                      : createLegacyEmitter(module, state, layout);
  GeometryHalf(gs, layout, lds, *emitter).lower();
  Function &merged = createMerged(module, es, gs, layout, *emitter);
  if (plan.legacyGs)
    createCopyShader(module, state, layout, merged);
  writeGeometryRegisters(module, state, layout);
  return Error::success();
}

} // namespace

PreservedAnalyses LowerGeometryPass::run(Module &module, ModuleAnalysisManager &mam) {
  Function *gs = findShader(module, ShaderStage::Geometry);
  if (!gs || gs->isDeclaration())
    return PreservedAnalyses::all();
  const StateAnalysis::Result &state = mam.getResult<StateAnalysis>(module);
  reportError(module.getContext(), lowerGeometry(module, *gs, state.state));
  return PreservedAnalyses::none();
}

} // namespace lgc
