//===- LowerVertexExports.cpp - last vertex stage -> hardware stage -------===//
// SPDX-License-Identifier: MIT
/// \file
/// A vertex or evaluation shader whose outputs are rasterised becomes a hardware stage: a primitive
/// shader (NGG, lgc.hw.GS) or on gfx10 also the legacy vertex stage (lgc.hw.VS). Pipelines with a
/// geometry or mesh shader have passes of their own. Runs when inputs are lowered and before the
/// middle end, which then sees one function without memory.
///   before: define void @lgc.shader.VS() {
///             ... output.store(%position, Position, 0, 0, absent)  ret void
///   after:  define void @lgc.hw.GS() {
///             init.exec(-1)                      ; gfx11, pass-through
///             if (lane < primitives of the wave)
///               exp prim                         ; the word that the hardware has prepared
///             if (lane < vertices of the wave) {
///               ...                              ; the shader
///               attribute stores, fence, exp pos0 done
///             }
/// Pass-through means that a subgroup's vertices and primitives leave as they came. The hardware
/// tells each wave its numbers of both; lane i has vertex i and primitive i.
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/entry/PalRegisters.h"
#include "lgc/lowering/vertex/NggCulling.h"
#include "lgc/lowering/vertex/NggStage.h"
#include "lgc/lowering/vertex/SoftwareStreamOut.h"
#include "lgc/lowering/vertex/StreamOut.h"
#include "lgc/lowering/vertex/VertexExporter.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace lgc {

namespace key = pal::abi::key;
using pal::abi::HardwareStage;

namespace {

/// The outputs as variables, since stores need not stand in the block that exports them.
class OutputVariables {
public:
  explicit OutputVariables(Function &shader) : shader(shader) {}

  /// Turns every output.store and xfb.store into stores of variables.
  void replaceStores();
  OutputSet load(IRBuilder<> &b);
  std::vector<StreamOutValue> loadStreamOut(IRBuilder<> &b);
  unsigned streamOutCount() const { return static_cast<unsigned>(streamOut.size()); }
  /// Variables become SSA values.
  void promote();

private:
  AllocaInst *variable(Type *type);
  void replace(OutputStoreOp &store);
  void replace(XfbStoreOp &store);

  Function &shader;
  std::map<std::pair<uint32_t, unsigned>, AllocaInst *> outputs;
  struct StreamOutVariable {
    StreamOutValue place;
    AllocaInst *variable;
  };
  std::vector<StreamOutVariable> streamOut;
  std::vector<AllocaInst *> variables;
};

AllocaInst *OutputVariables::variable(Type *type) {
  BasicBlock &entry = shader.getEntryBlock();
  IRBuilder<> b(&entry, entry.getFirstInsertionPt());
  variables.push_back(b.CreateAlloca(type, AddrSpace::Private, nullptr, "output"));
  return variables.back();
}

void OutputVariables::replace(OutputStoreOp &store) {
  IRBuilder<> b(&store);
  const auto *element = dyn_cast<ConstantInt>(store.getArgOperand(3));
  if (!element) {
    reportError(shader.getContext(),
                internalError("output.store of a vertex with a dynamic element"));
    return;
  }
  uint32_t slot = slotNumber(store.constArg(1)) + static_cast<uint32_t>(element->getZExtValue());
  Value *value = store.getArgOperand(0);
  auto *vector = dyn_cast<FixedVectorType>(value->getType());
  unsigned count = vector ? vector->getNumElements() : 1;
  for (unsigned i = 0; i < count && store.constArg(2) + i < 4; ++i) {
    AllocaInst *&place = outputs[{slot, store.constArg(2) + i}];
    if (!place)
      place = variable(b.getFloatTy());
    b.CreateStore(asExportDword(b, vector ? b.CreateExtractElement(value, i) : value), place);
  }
}

void OutputVariables::replace(XfbStoreOp &store) {
  IRBuilder<> b(&store);
  Value *value = store.getArgOperand(0);
  auto *vector = dyn_cast<FixedVectorType>(value->getType());
  unsigned count = vector ? vector->getNumElements() : 1;
  Type *type = value->getType()->getScalarType();
  unsigned bytes = type->getScalarSizeInBits() / 8;
  for (unsigned i = 0; i < count; ++i) {
    StreamOutVariable output;
    output.place.buffer = store.constArg(1);
    output.place.offset = store.constArg(2) + i * bytes;
    output.place.stream = store.constArg(3);
    output.variable = variable(type);
    b.CreateStore(vector ? b.CreateExtractElement(value, i) : value, output.variable);
    streamOut.push_back(output);
  }
}

void OutputVariables::replaceStores() {
  for (BasicBlock &block : shader) {
    for (Instruction &instruction : make_early_inc_range(block)) {
      if (auto *store = dyn_cast<OutputStoreOp>(&instruction))
        replace(*store);
      else if (auto *xfb = dyn_cast<XfbStoreOp>(&instruction))
        replace(*xfb);
      else
        continue;
      instruction.eraseFromParent();
    }
  }
}

OutputSet OutputVariables::load(IRBuilder<> &b) {
  OutputSet set;
  for (const auto &[place, variable] : outputs)
    set.set(place.first, place.second, b.CreateLoad(b.getFloatTy(), variable));
  return set;
}

std::vector<StreamOutValue> OutputVariables::loadStreamOut(IRBuilder<> &b) {
  std::vector<StreamOutValue> values;
  for (const StreamOutVariable &output : streamOut) {
    values.push_back(output.place);
    values.back().value = b.CreateLoad(output.variable->getAllocatedType(), output.variable);
  }
  return values;
}

void OutputVariables::promote() {
  if (variables.empty())
    return;
  DominatorTree tree(shader);
  PromoteMemToReg(variables, tree);
}

/// LDS for the values of transform feedback of a subgroup's vertices.
constexpr unsigned streamOutLdsDwords = 32 * 1024 / 4;

/// Dwords of a vertex in LDS: odd, so that neighbours use different banks.
unsigned itemDwords(const OutputVariables &variables) { return variables.streamOutCount() | 1; }

/// One block with the only `ret` of the function; null when the shader never ends.
BasicBlock *uniteReturns(Function &shader) {
  SmallVector<ReturnInst *, 4> returns;
  for (BasicBlock &block : shader)
    if (auto *ret = dyn_cast<ReturnInst>(block.getTerminator()))
      returns.push_back(ret);
  if (returns.empty())
    return nullptr;
  BasicBlock *exit = BasicBlock::Create(shader.getContext(), "export", &shader);
  ReturnInst::Create(shader.getContext(), exit);
  for (ReturnInst *ret : returns) {
    BranchInst::Create(exit, ret->getIterator());
    ret->eraseFromParent();
  }
  return exit;
}

class LastVertexStage {
public:
  LastVertexStage(Function &shader, const PipelineState &state)
      : module(*shader.getParent()), shader(shader), state(state), plan(planStages(state)),
        target(*pal::abi::findTarget(state.target)), slots(collectOutputs(shader)) {}
  void run();

private:
  void becomeNgg(OutputVariables &variables, VertexExporter &exporter);
  void becomeLegacy(OutputVariables &variables, VertexExporter &exporter);
  void exportVertex(IRBuilder<> &b, OutputVariables &variables, VertexExporter &exporter,
                    Value *vertexIndex);
  void emitStreamOut(IRBuilder<> &b, NggStage &ngg, OutputVariables &variables, BasicBlock *exit);
  void cullAndExport(NggStage &ngg, OutputVariables &variables, VertexExporter &exporter,
                     BasicBlock *exit);
  void replacePrimitiveId(Value *value);
  bool readsPrimitiveId() const;

  Module &module;
  Function &shader;
  const PipelineState &state;
  const StagePlan plan;
  const pal::abi::GpuTarget &target;
  const std::vector<OutputSlot> slots;
};

bool isPrimitiveId(const Instruction &instruction) {
  const auto *builtin = dyn_cast<BuiltinOp>(&instruction);
  return builtin && builtin->constArg(0) == static_cast<uint32_t>(BuiltIn::InputPrimitiveId);
}

bool LastVertexStage::readsPrimitiveId() const {
  // Evaluation shaders know their patch; lgc-lower-tessellation has put its id in.
  if (plan.hasTess)
    return false;
  for (const BasicBlock &block : shader)
    if (any_of(block, isPrimitiveId))
      return true;
  return false;
}

void LastVertexStage::replacePrimitiveId(Value *value) {
  for (BasicBlock &block : shader) {
    for (Instruction &instruction : make_early_inc_range(block)) {
      if (!isPrimitiveId(instruction))
        continue;
      instruction.replaceAllUsesWith(value);
      instruction.eraseFromParent();
    }
  }
}

void LastVertexStage::exportVertex(IRBuilder<> &b, OutputVariables &variables,
                                   VertexExporter &exporter, Value *vertexIndex) {
  OutputSet outputs = variables.load(b);
  // HW(gfx11): positions last, see VertexExporter. Elsewhere the sooner the rasterizer has
  // positions the better.
  bool positionsLast = target.major == 11;
  if (!positionsLast)
    exporter.exportPositions(b, outputs);
  exporter.exportAttributes(b, outputs, vertexIndex);
  if (positionsLast)
    exporter.exportPositions(b, outputs);
}

void LastVertexStage::becomeLegacy(OutputVariables &variables, VertexExporter &exporter) {
  if (readsPrimitiveId()) {
    BasicBlock &entry = shader.getEntryBlock();
    IRBuilder<> b(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
    replacePrimitiveId(createOp(b, OpId::HwValueOp, b.getInt32Ty(),
                                {b.getInt32(static_cast<uint32_t>(HwValue::VsPrimitiveId))},
                                "primitive.id"));
    setGraphics(module, key::vgtPrimitiveIdEn, uint64_t(1));
    // HW(gfx10): scenario A makes the id count without a geometry shader.
    setGraphics(module, key::vgtGsMode, key::mode, uint64_t(1));
  }
  if (BasicBlock *exit = uniteReturns(shader)) {
    IRBuilder<> b(exit->getTerminator());
    std::vector<StreamOutValue> values = variables.loadStreamOut(b);
    if (!values.empty())
      emitLegacyStreamOut(b, waveSizeOf(shader, state), values);
    exportVertex(b, variables, exporter, nullptr);
  }
  if (state.graphics.xfb.enabled)
    writeLegacyStreamOutRegisters(module, state);
  writeLegacyCountRegister(module, state);
  shader.setName(hardwareFunctionName(HardwareStage::Vs));
}

/// Vertices leave their values in LDS; the lanes of primitives write those of their vertices to the
/// buffers. `exit` is the end of the vertex half, `b` stands where all threads have met.
void LastVertexStage::emitStreamOut(IRBuilder<> &b, NggStage &ngg, OutputVariables &variables,
                                    BasicBlock *exit) {
  std::vector<StreamOutValue> values;
  unsigned stride = itemDwords(variables);
  auto *type = ArrayType::get(b.getInt32Ty(), uint64_t(stride) * ngg.verticesPerSubgroup());
  auto *items = new GlobalVariable(module, type, /*isConstant=*/false, GlobalValue::InternalLinkage,
                                   UndefValue::get(type), "lgc.stream.out.vertices", nullptr,
                                   GlobalValue::NotThreadLocal, AddrSpace::Local);
  items->setAlignment(Align(4));
  auto place = [&](IRBuilder<> &at, Value *vertex, unsigned dword) {
    Value *index = at.CreateAdd(at.CreateMul(vertex, at.getInt32(stride)), at.getInt32(dword));
    return at.CreateInBoundsGEP(type, items, {at.getInt32(0), index});
  };
  if (exit) {
    IRBuilder<> vertex(exit->getTerminator());
    values = variables.loadStreamOut(vertex);
    for (unsigned i = 0; i < values.size(); ++i) {
      Value *dword = asExportDword(vertex, values[i].value);
      dword = vertex.CreateBitCast(dword, b.getInt32Ty());
      Value *item = place(vertex, ngg.thread(), i);
      vertex.CreateStore(dword, item);
    }
  }
  SoftwareStreamOut streamOut(shader, state);
  StreamOutSubgroup subgroup;
  subgroup.thread = ngg.thread();
  subgroup.orderedId = ngg.orderedId(b);
  subgroup.verticesPerPrimitive = ngg.verticesOfPrimitive(b);
  subgroup.primitives[0] = ngg.primitiveCount(b);
  streamOut.reserve(b, subgroup);
  Value *mayWrite = b.CreateICmpULT(ngg.thread(), streamOut.primitivesToWrite(0));
  for (unsigned v = 0; v < ngg.mostVerticesPerPrimitive(); ++v) {
    Value *exists = b.CreateICmpUGT(subgroup.verticesPerPrimitive, b.getInt32(v));
    IRBuilder<> inside(ngg.beginIf(b, b.CreateAnd(mayWrite, exists), "feedback"));
    Value *vertex = ngg.vertexOfPrimitive(inside, v);
    std::vector<StreamOutValue> loaded = values;
    for (unsigned i = 0; i < loaded.size(); ++i) {
      Value *dword = inside.CreateLoad(b.getInt32Ty(), place(inside, vertex, i));
      bool isShort = loaded[i].value->getType()->getScalarSizeInBits() == 16;
      loaded[i].value = isShort ? inside.CreateTrunc(dword, inside.getInt16Ty()) : dword;
    }
    streamOut.storeVertex(inside, 0, ngg.thread(), v, loaded);
  }
  streamOut.writeRegisters();
  shader.addFnAttr("amdgpu-flat-work-group-size", "1,256");
}

/// All vertices export positions, since each wave has to; attributes cost memory, so only vertices
/// of visible triangles have them.
void LastVertexStage::cullAndExport(NggStage &ngg, OutputVariables &variables,
                                    VertexExporter &exporter, BasicBlock *exit) {
  NggCulling culling(shader, state, slots);
  IRBuilder<> vertex(exit->getTerminator());
  culling.storeVertex(vertex, ngg, variables.load(vertex));
  IRBuilder<> b(ngg.end()->getTerminator());
  culling.exportPrimitives(b, ngg);
  IRBuilder<> inside(ngg.beginIf(b, ngg.hasVertex(), "export"));
  OutputSet outputs = variables.load(inside);
  bool positionsLast = target.major == 11;
  if (!positionsLast)
    exporter.exportPositions(inside, outputs);
  if (exporter.attributeCount()) {
    IRBuilder<> visible(ngg.beginIf(inside, culling.isVisible(inside, ngg), "attributes"));
    exporter.exportAttributes(visible, outputs, ngg.thread());
  }
  if (positionsLast)
    exporter.exportPositions(inside, outputs);
}

void LastVertexStage::becomeNgg(OutputVariables &variables, VertexExporter &exporter) {
  const XfbModes &xfb = state.graphics.xfb;
  bool streamOut = xfb.enabled && any_of(xfb.strides, [](uint32_t stride) { return stride != 0; });
  unsigned limit = streamOut ? streamOutLdsDwords / itemDwords(variables) : 0;
  bool culling = cullsPrimitives(state, slots);
  NggStage ngg(shader, state, streamOut, culling, limit);
  BasicBlock *exit = uniteReturns(shader);
  bool primitiveId = readsPrimitiveId();
  ngg.addPrologue(primitiveId);
  if (primitiveId)
    replacePrimitiveId(ngg.primitiveId());
  if (exit) {
    exit->getTerminator()->eraseFromParent();
    BranchInst::Create(ngg.end(), exit);
  }
  if (streamOut) {
    IRBuilder<> b(ngg.end()->getTerminator());
    emitStreamOut(b, ngg, variables, exit);
    IRBuilder<> inside(ngg.beginIf(b, ngg.hasVertex(), "export"));
    exportVertex(inside, variables, exporter, ngg.thread());
  } else if (culling && exit) {
    cullAndExport(ngg, variables, exporter, exit);
  } else if (exit) {
    IRBuilder<> b(exit->getTerminator());
    exportVertex(b, variables, exporter, ngg.thread());
  }
  if (state.options.primitivesGeneratedQuery && !streamOut) {
    IRBuilder<> b(ngg.end()->getTerminator());
    StreamOutSubgroup subgroup;
    subgroup.thread = ngg.thread();
    subgroup.primitives[0] = ngg.primitiveCount(b); // of those that arrive, before culling
    SoftwareStreamOut(shader, state).count(b, subgroup);
  }
  ngg.writeRegisters(primitiveId);
  shader.setName(hardwareFunctionName(HardwareStage::Gs));
}

void LastVertexStage::run() {
  VertexExporter exporter(module, state, slots,
                          plan.ngg ? VertexExporter::Path::Ngg : VertexExporter::Path::LegacyVs);
  OutputVariables variables(shader);
  variables.replaceStores();
  if (plan.ngg)
    becomeNgg(variables, exporter);
  else
    becomeLegacy(variables, exporter);
  variables.promote();
  exporter.writeRegisters();
}

} // namespace

PreservedAnalyses LowerVertexExportsPass::run(Module &module, ModuleAnalysisManager &mam) {
  const PipelineState &state = mam.getResult<StateAnalysis>(module).state;
  if (!state.isGraphics() || !pal::abi::findTarget(state.target))
    return PreservedAnalyses::all();
  StagePlan plan = planStages(state);
  if (plan.hasGs || plan.hasMesh)
    return PreservedAnalyses::all();
  Function *shader = findShader(module, plan.lastVertexStage);
  if (!shader)
    return PreservedAnalyses::all();
  LastVertexStage(*shader, state).run();
  return PreservedAnalyses::none();
}

} // namespace lgc
