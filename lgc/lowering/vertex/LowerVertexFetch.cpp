//===- LowerVertexFetch.cpp - vertex inputs -> loads of vertex buffers ----===//
// SPDX-License-Identifier: MIT
/// \file
/// The attributes that a vertex shader reads become loads (VertexFetch.h). Runs before vertex
/// shaders merge with other stages, and before the middle end, which merges equal index arithmetic.
///   before: %x = call float @lgc.input.load__f32_...(i32 0, i32 0, i32 0, i32 poison)
///   after:  %d = load <4 x i32>, ptr addrspace(4) %table + 16 x binding
///           %v = struct.tbuffer.load(%d, %vertex.index, attribute's offset, 0, 8_8_8_8 unorm, 0)
///           %x = extractelement %v, 0
/// With enableUberFetchShader they become code that reads what attributes there are (UberFetch.h).
/// In parts with separateVertexFetch, whose vertex formats are not known, they become registers,
/// which glue will fill:
///   after:  %x = call float @lgc.vertex.input__f32_i32_i32(i32 0, i32 0)
#include "lgc/CompileError.h"
#include "lgc/Ops.h"
#include "lgc/Part.h"
#include "lgc/ResourceLookup.h"
#include "lgc/Shader.h"
#include "lgc/TaskView.h"
#include "lgc/UberFetch.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/resources/PartSymbols.h"
#include "lgc/lowering/resources/UserDataAddress.h"
#include "lgc/lowering/vertex/UberFetch.h"
#include "lgc/lowering/vertex/VertexFetch.h"
#include "lgc/lowering/vertex/VertexInputs.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace lgc {
namespace {

/// Makes operations that lgc-lower-entry-point turns into arguments.
class OperationSource : public VertexFetchSource {
public:
  explicit OperationSource(Function &shader) : address(shader) {}
  Value *vertexIndex(IRBuilder<> &b) override { return createVertexIndex(b); }
  Value *instanceIndex(IRBuilder<> &b, uint32_t divisor) override {
    return createInstanceIndex(b, divisor);
  }
  Value *vertexBufferTable() override {
    return address.specialTable(pal::abi::userdata::vertexBufferTable);
  }
  Value *tablePointer(ArrayRef<uint32_t> hops) { return address.tablePointer(hops); }

private:
  UserDataAddress address;
};

uint32_t slotOf(const InputLoadOp &load) {
  uint32_t slot = slotNumber(load.constArg(0));
  if (const auto *element = dyn_cast<ConstantInt>(load.getArgOperand(2)))
    slot += static_cast<uint32_t>(element->getZExtValue());
  return slot;
}

unsigned componentsOf(const InputLoadOp &load) {
  const auto *vector = dyn_cast<FixedVectorType>(load.getType());
  return vector ? vector->getNumElements() : 1;
}

class InputLowering {
public:
  InputLowering(Function &shader, const PipelineState &state)
      : shader(shader), state(state), isSeparate(state.part.separateVertexFetch),
        b(shader.getContext()), source(shader), fetch(b, state, source) {}
  void run();

private:
  void beginUberFetch();
  Value *component(uint32_t slot, unsigned index, Type *type);
  void replace(InputLoadOp &load);

  Function &shader;
  const PipelineState &state;
  const bool isSeparate;
  IRBuilder<> b;
  OperationSource source;
  VertexFetch fetch;
  std::optional<UberFetch> uberFetch;
};

/// Finds the description of the attributes.
void InputLowering::beginUberFetch() {
  const ResourceLocation at =
      findResource(state.mapping, internalSet, uberFetchBinding, ResourceUse::UniformBuffer);
  if (!at.node || at.node->type != ResourceNodeType::InlineBuffer || at.hops.empty()) {
    reportError(shader.getContext(),
                invalidInput("attributes that memory describes: the resource mapping has no table "
                             "with it (InlineBuffer, set " +
                             Twine(internalSet) + ", binding " + Twine(uberFetchBinding) + ")"));
    return;
  }
  Value *table = source.tablePointer(at.hops);
  table = state.part.relocatable
              ? relocatedPointer(b, table, tableSymbol(internalSet, uberFetchBinding))
              : offsetPointer(b, table, 4ull * at.offsetInDwords);
  uberFetch.emplace(b, state, source, table);
}

Value *InputLowering::component(uint32_t slot, unsigned index, Type *type) {
  if (uberFetch)
    return uberFetch->component(slot, index, type);
  if (!isSeparate)
    return fetch.component(slot, index, type);
  if (index >= VertexFetch::channelsPerSlot)
    return Constant::getNullValue(type);
  // What glue puts into a register is always 32 bits wide.
  const bool isInteger = !type->isFloatingPointTy();
  Value *dword = createOp(b, OpId::VertexInputOp, isInteger ? b.getInt32Ty() : b.getFloatTy(),
                          {b.getInt32(slot), b.getInt32(index)}, "input");
  return fromInputDword(b, dword, isInteger, type);
}

void InputLowering::replace(InputLoadOp &load) {
  b.SetInsertPoint(&load);
  uint32_t slot = slotOf(load);
  unsigned first = load.constArg(1);
  Type *type = load.getType();
  Value *result;
  if (!type->isVectorTy()) {
    result = component(slot, first, type);
  } else {
    result = PoisonValue::get(type);
    for (unsigned i = 0; i < componentsOf(load); ++i)
      result = b.CreateInsertElement(result, component(slot, first + i, type->getScalarType()), i);
  }
  load.replaceAllUsesWith(result);
  load.eraseFromParent();
}

void InputLowering::run() {
  std::vector<InputLoadOp *> loads;
  std::map<uint32_t, unsigned> needed;
  for (BasicBlock &block : shader) {
    for (Instruction &instruction : block) {
      auto *load = dyn_cast<InputLoadOp>(&instruction);
      if (!load)
        continue;
      loads.push_back(load);
      if (!isa<ConstantInt>(load->getArgOperand(2)))
        reportError(shader.getContext(),
                    internalError("input.load of a vertex shader with a dynamic element"));
      if (!load->use_empty())
        needed[slotOf(*load)] |= ((1u << componentsOf(*load)) - 1) << load->constArg(1);
    }
  }
  if (loads.empty())
    return;
  BasicBlock &entry = shader.getEntryBlock();
  Instruction *first = loads.front();
  b.SetInsertPoint(first->getParent() == &entry ? first : entry.getTerminator());
  if (state.graphics.enableUberFetchShader && !needed.empty())
    beginUberFetch();
  for (const auto &[slot, mask] : needed)
    if (uberFetch)
      uberFetch->fetch(slot, mask & 0xF);
    else if (!isSeparate)
      fetch.fetch(slot, mask & 0xF);
  for (InputLoadOp *load : loads)
    replace(*load);
}

} // namespace

PreservedAnalyses LowerVertexFetchPass::run(Module &module, ModuleAnalysisManager &mam) {
  const PipelineState &state = mam.getResult<StateAnalysis>(module).state;
  if (!state.isGraphics() || !pal::abi::findTarget(state.target))
    return PreservedAnalyses::all();
  Function *shader = findShader(module, ShaderStage::Vertex);
  if (!shader)
    return PreservedAnalyses::all();
  InputLowering(*shader, state).run();
  return PreservedAnalyses::none();
}

} // namespace lgc
