//===- Translator.cpp - tables, dispatch and the top level ----------------===//
// SPDX-License-Identifier: MIT
#include "llpc/translate/Translator.h"
#include "lgc/Shader.h"
#include "llpc/spirv/Grammar.h"
#include "llpc/translate/Kernel.h"
#include "llpc/translate/OpenClLibrary.h"
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;

namespace llpc {

Translator::Translator(const spirv::Module &spv, llvm::Module &module,
                       const TranslateOptions &options)
    : spv(spv), options(options), context(module.getContext()), module(&module), b(context),
      state(std::make_unique<State>()) {
  state->values.resize(spv.bound());
  state->types.resize(spv.bound());
  state->memoryTypes.resize(spv.bound());
  for (const SpecConstant &constant : options.specialization)
    state->specialization[constant.constantId] = constant;
}

Translator::~Translator() = default;

Translator::State::State() = default;
Translator::State::~State() = default;

Error Translator::invalid(const Inst &inst, const Twine &message) const {
  return lgc::invalidInput(spirv::place(inst) + ": " + message);
}

Error Translator::unsupportedOp(const Inst &inst, const Twine &message) const {
  return lgc::unsupported(spirv::place(inst) + ": " + message + " not supported");
}

Expected<Value *> Translator::value(Id id) {
  if (id >= state->values.size())
    return lgc::invalidInput("id %" + Twine(id) + " is out of bounds");
  if (Value *known = state->values[id])
    return known;
  const Inst *inst = spv.definition(id);
  if (!inst)
    return lgc::invalidInput("id %" + Twine(id) + " has no definition");
  if (isConstantOpcode(inst->opcode)) {
    auto constant = KILN_TRY(constantValue(*this, *inst));
    state->values[id] = constant;
    return constant;
  }
  if (inst->opcode == spv::Op::OpVariable)
    return globalVariableValue(*this, *inst);
  if (inst->opcode == spv::Op::OpConstantSampler)
    return literalSamplerValue(*this, *inst);
  return invalid(*inst, "used as a value before it is defined");
}

Error Translator::setValue(const Inst &inst, Value *value) {
  if (inst.resultId == 0)
    return Error::success();
  auto expected = KILN_TRY(type(inst.typeId));
  if (value->getType() != expected) {
    std::string found, wanted;
    raw_string_ostream(found) << *value->getType();
    raw_string_ostream(wanted) << *expected;
    return invalid(inst, "the operands give type " + found + ", the result type is " + wanted);
  }
  if (!isa<Constant>(value) && !value->hasName())
    if (StringRef name = spv.name(inst.resultId); !name.empty() && options.debugInfo)
      value->setName(name);
  state->values[inst.resultId] = value;
  return Error::success();
}

PointerInfo Translator::pointerInfo(Id pointerId) const {
  auto it = state->pointers.find(pointerId);
  return it == state->pointers.end() ? PointerInfo{} : it->second;
}

void Translator::setPointerInfo(Id pointerId, const PointerInfo &info) {
  state->pointers[pointerId] = info;
}

std::string Translator::symbolName(Id id) const {
  const StringRef name = spv.name(id);
  for (StringRef reserved : {"llvm.", "lgc.", "_amdgpu"})
    if (name.starts_with(reserved))
      return ("spirv." + name).str();
  return name.str();
}

AllocaInst *Translator::createTemporary(Type *type, const Twine &name) {
  IRBuilder<> entry(state->current.allocaPoint);
  return entry.CreateAlloca(type, lgc::AddrSpace::Private, nullptr, name);
}

Value *Translator::mapElements(ArrayRef<Value *> args,
                               function_ref<Value *(ArrayRef<Value *>)> scalar) {
  auto *vector = dyn_cast<FixedVectorType>(args.front()->getType());
  if (!vector)
    return scalar(args);
  Value *result = nullptr;
  SmallVector<Value *, 4> elements(args.size());
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    for (size_t k = 0; k < args.size(); ++k)
      elements[k] = args[k]->getType()->isVectorTy() ? b.CreateExtractElement(args[k], i) : args[k];
    Value *element = scalar(elements);
    if (!result)
      result = PoisonValue::get(FixedVectorType::get(element->getType(), vector->getNumElements()));
    result = b.CreateInsertElement(result, element, i);
  }
  return result;
}

namespace {

Error translateValueOp(Translator &t, const Inst &inst, ValueHandler handler, Sig signature,
                       ArrayRef<Id> argIds) {
  SmallVector<Value *, 8> args;
  for (Id id : argIds) {
    auto arg = KILN_TRY(t.value(id));
    args.push_back(arg);
  }
  Type *type = Type::getVoidTy(t.context);
  if (inst.typeId) {
    auto resultType = KILN_TRY(t.type(inst.typeId));
    type = resultType;
  }
  ValueOp op{t, inst, t.b, type, args, argIds};
  KILN_TRY(checkSignature(op, signature));
  SmallVector<Type *, 8> types;
  for (const Value *arg : args)
    types.push_back(arg->getType());
  types.push_back(type);
  guardOperands(t, inst, args);
  t.b.setFastMathFlags(fastMathFlags(t, inst, types));
  Expected<Value *> result = handler(op);
  t.b.clearFastMathFlags();
  if (!result)
    return result.takeError();
  if (inst.resultId && !type->isVoidTy())
    return t.setValue(inst, flushResult(t, inst, *result));
  return Error::success();
}

} // namespace

/// OpExtInst: set id, instruction number, operands.
Error translateExtInst(Translator &t, const Inst &inst) {
  const StringRef set = t.spv.extInstSet(inst[0]);
  if (spirv::isNonSemanticSet(set)) {
    if (set == "NonSemantic.DebugPrintf" && t.warnings.empty())
      t.warnings.push_back(spirv::place(inst) + ": debug printf is ignored, nothing is printed");
    return Error::success();
  }
  if (isKernel(t) && set == "OpenCL.std" &&
      (KILN_TRY(translateKernelAccess(t, inst)) || KILN_TRY(translateKernelPrintf(t, inst)) ||
       KILN_TRY(translateLibraryCall(t, inst))))
    return Error::success();
  const ArrayRef<ExtSet> sets = allExtSets();
  const ExtSet *found = llvm::find_if(sets, [&](const ExtSet &known) { return known.name == set; });
  if (found == sets.end())
    return t.unsupportedOp(inst, "extended instruction set \"" + set + "\"");
  for (const ExtEntry &entry : found->entries) {
    if (entry.number != inst[1])
      continue;
    const ArrayRef<Id> args = inst.operands.drop_front(2);
    if (entry.argCount != 255 && args.size() != entry.argCount)
      return t.invalid(inst, set + " " + entry.name + " takes " + Twine(unsigned(entry.argCount)) +
                                 " operands, found " + Twine(args.size()));
    return translateValueOp(t, inst, entry.handler, entry.signature, args);
  }
  return t.unsupportedOp(inst, set + " instruction " + Twine(inst[1]));
}

Error translateInst(Translator &t, const Inst &inst) {
  const OpEntry *entry = findOp(inst.opcode);
  if (!entry)
    return lgc::unsupported(spirv::place(inst) + ": not supported");
  if (entry->instHandler)
    return entry->instHandler(t, inst);
  if (entry->argCount != 255 && inst.size() < entry->argCount)
    return t.invalid(inst, "takes " + Twine(unsigned(entry->argCount)) + " operands, found " +
                               Twine(inst.size()));
  const ArrayRef<Id> args =
      entry->argCount == 255 ? inst.operands : inst.operands.take_front(entry->argCount);
  return translateValueOp(t, inst, entry->valueHandler, entry->signature, args);
}

/// Execution model of each stage, in the order of lgc::ShaderStage.
static constexpr spv::ExecutionModel executionModels[] = {
    spv::ExecutionModel::TaskEXT,
    spv::ExecutionModel::Vertex,
    spv::ExecutionModel::TessellationControl,
    spv::ExecutionModel::TessellationEvaluation,
    spv::ExecutionModel::Geometry,
    spv::ExecutionModel::MeshEXT,
    spv::ExecutionModel::Fragment,
    spv::ExecutionModel::GLCompute,
    spv::ExecutionModel::RayGenerationKHR,
    spv::ExecutionModel::IntersectionKHR,
    spv::ExecutionModel::AnyHitKHR,
    spv::ExecutionModel::ClosestHitKHR,
    spv::ExecutionModel::MissKHR,
    spv::ExecutionModel::CallableKHR,
};
static_assert(std::size(executionModels) == static_cast<size_t>(lgc::ShaderStage::Count));

static unsigned countBodies(const llvm::Module &module) {
  return llvm::count_if(module, [](const Function &function) { return !function.isDeclaration(); });
}

/// LLVM's verifier, for all but the first \p verified functions, which earlier stages added.
static bool isInvalid(const llvm::Module &module, unsigned verified, raw_ostream &os) {
  if (verified == 0)
    return verifyModule(module, &os);
  return llvm::any_of(module, [&](const Function &function) {
    if (function.isDeclaration())
      return false;
    if (verified == 0)
      return verifyFunction(function, &os);
    --verified;
    return false;
  });
}

StringRef Translator::entryFunctionName() const {
  return options.entryFunction.empty() ? lgc::entryFunctionName(options.stage)
                                       : StringRef(options.entryFunction);
}

Error Translator::run(lgc::PipelineState &out) {
  const unsigned bodiesBefore = countBodies(*module);
  const auto stageNumber = static_cast<unsigned>(options.stage);
  if (stageNumber >= std::size(executionModels))
    return lgc::invalidInput("shader stage " + Twine(stageNumber));
  shader = &out.shader(options.stage);
  graphics = &out.graphics;
  state->pipeline = &out;
  const spv::ExecutionModel model =
      isKernel(*this) ? spv::ExecutionModel::Kernel : executionModels[stageNumber];
  state->entry = spv.findEntryPoint(model, options.entryPoint);
  if (!state->entry)
    return lgc::invalidInput(
        "no " + spirv::enumName(spirv::OperandKind::ExecutionModel, static_cast<uint32_t>(model)) +
        " entry point named \"" + options.entryPoint + "\"");
  if (module->getFunction(entryFunctionName()))
    return lgc::invalidInput(Twine("the module already has a ") +
                             lgc::shaderStageName(options.stage) + " shader");
  if (options.stage < lgc::ShaderStage::Compute)
    graphics->stageMask |= 1u << stageNumber;
  shader->entryName = options.entryPoint.str();
  if (isKernel(*this) && !isStage(lgc::ShaderStage::Compute))
    return lgc::invalidInput("a kernel is a compute shader");
  KILN_TRY(readExecutionModes(*this));
  collectWrittenVariables(*this);
  KILN_TRY(translateFunctions(*this));
  KILN_TRY(initializeOutputs(*this));
  KILN_TRY(loadInputs(*this));
  KILN_TRY(finishOutputs(*this));
  KILN_TRY(removePlaceholders(*this));
  finishDebugInfo(*this);

  // Input can still break rules that only the whole function shows (dominance, phi edges).
  std::string text;
  raw_string_ostream os(text);
  if (isInvalid(*module, bodiesBefore, os))
    return lgc::invalidInput("the module breaks a structural rule of SPIR-V: " +
                             StringRef(text).split('\n').first.take_front(400));
  return Error::success();
}

std::unique_ptr<llvm::Module> createShaderModule(LLVMContext &context) {
  auto module = std::make_unique<llvm::Module>("shader", context);
  lgc::setTarget(*module);
  return module;
}

Error translateShader(const spirv::Module &spv, llvm::Module &module,
                      const TranslateOptions &options, lgc::PipelineState &state,
                      std::vector<std::string> &warnings) {
  Translator translator(spv, module, options);
  KILN_TRY(translator.run(state));
  llvm::append_range(warnings, translator.warnings);
  return Error::success();
}

} // namespace llpc
