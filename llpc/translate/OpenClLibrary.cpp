//===- OpenClLibrary.cpp - functions of the built-in library --------------===//
// SPDX-License-Identifier: MIT
#include "llpc/translate/OpenClLibrary.h"
#include "llpc/reflect/KernelLibrary.h"
#include "llpc/translate/Kernel.h"
#include "llpc/translate/OpenClNames.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"
#include <spirv/unified1/OpenCL.std.h>

using namespace llvm;

namespace llpc {

namespace {

using namespace OpenCLLIB;

/// An instruction and the function that it is.
struct LibraryRow {
  uint32_t number;
  StringLiteral name;
  bool isOfDoublesOnly = false; ///< OpenClStd.cpp has it for other floats
  bool needsDoubles = false;    ///< the library's of other floats is too far off
};

/// half_ functions may be less precise than the others, and need not.
constexpr LibraryRow rows[] = {
    {Acos, "acos"},
    {Acosh, "acosh"},
    {Acospi, "acospi"},
    {Asin, "asin"},
    {Asinh, "asinh"},
    {Asinpi, "asinpi"},
    {Atan, "atan"},
    {Atan2, "atan2"},
    {Atanh, "atanh"},
    {Atanpi, "atanpi"},
    {Atan2pi, "atan2pi"},
    {Cbrt, "cbrt"},
    {Cos, "cos"},
    {Cosh, "cosh"},
    {Cospi, "cospi"},
    {Erfc, "erfc"},
    {Erf, "erf"},
    {Exp, "exp", true},
    {Exp2, "exp2", true},
    {Exp10, "exp10", true},
    {Expm1, "expm1"},
    {Fmod, "fmod"},
    {Fract, "fract"},
    {Frexp, "frexp"},
    {Hypot, "hypot"},
    {Ilogb, "ilogb"},
    {Lgamma, "lgamma"},
    {Lgamma_r, "lgamma_r"},
    {Log, "log", true},
    {OpenCLLIB::Log2, "log2", true},
    {Log10, "log10", true},
    {Log1p, "log1p"},
    {Logb, "logb"},
    {Modf, "modf"},
    {Pow, "pow"},
    {Pown, "pown"},
    {Powr, "powr"},
    {Remainder, "remainder"},
    {Remquo, "remquo"},
    {Rootn, "rootn"},
    {Sin, "sin"},
    {Sincos, "sincos"},
    {Sinh, "sinh"},
    {Sinpi, "sinpi"},
    {Tan, "tan"},
    {Tanh, "tanh"},
    {Tanpi, "tanpi"},
    {Tgamma, "tgamma", false, true},
    {Half_cos, "cos"},
    {Half_powr, "powr"},
    {Half_sin, "sin"},
    {Half_tan, "tan"},
    {Distance, "distance"},
    {Length, "length"},
    {Normalize, "normalize"},
    {Fast_normalize, "fast_normalize"},
};

constexpr StringLiteral half = "Dh";

std::optional<OpenClSpace> spaceOf(spv::StorageClass storage) {
  switch (storage) {
  case spv::StorageClass::Function:
    return OpenClSpace::Private;
  case spv::StorageClass::CrossWorkgroup:
    return OpenClSpace::Global;
  case spv::StorageClass::UniformConstant:
    return OpenClSpace::Constant;
  case spv::StorageClass::Workgroup:
    return OpenClSpace::Local;
  case spv::StorageClass::Generic:
    return OpenClSpace::Generic;
  default:
    return std::nullopt;
  }
}

/// Integers of kernels have no sign; those of the rows' functions are signed.
StringRef scalarName(const Inst &type) {
  const uint32_t width = type.size() ? type[0] : 0;
  if (type.opcode == spv::Op::OpTypeFloat)
    return width == 16 ? StringRef(half) : width == 32 ? "f" : "d";
  if (type.opcode == spv::Op::OpTypeInt)
    return width == 8 ? "c" : width == 16 ? "s" : width == 32 ? "i" : "l";
  return {};
}

/// No name: it is of no type that names have.
OpenClParameter parameterOf(const Translator &t, Id typeId) {
  OpenClParameter parameter;
  const Inst *type = t.spv.definition(typeId);
  if (type && type->opcode == spv::Op::OpTypePointer) {
    parameter.pointer = spaceOf(static_cast<spv::StorageClass>((*type)[0]));
    type = parameter.pointer ? t.spv.definition((*type)[1]) : nullptr;
  }
  if (type && type->opcode == spv::Op::OpTypeVector) {
    parameter.count = (*type)[1];
    type = t.spv.definition((*type)[0]);
  }
  if (type)
    parameter.scalar = scalarName(*type);
  return parameter;
}

Expected<LibraryCall> instructionCall(Translator &t, const Inst &inst) {
  const LibraryRow *row =
      find_if(rows, [&](const LibraryRow &row) { return row.number == inst[1]; });
  if (row == std::end(rows))
    return LibraryCall();
  SmallVector<OpenClParameter, 3> parameters;
  for (Id id : inst.operands.drop_front(2))
    parameters.push_back(parameterOf(t, t.typeIdOf(id)));
  if (row->isOfDoublesOnly && (parameters.empty() || parameters[0].scalar != "d"))
    return LibraryCall();
  for (const OpenClParameter &parameter : parameters)
    if (parameter.scalar.empty())
      return t.invalid(inst, "OpenCL.std " + row->name + " has an operand of another type");
  if (!t.options.library)
    return lgc::unsupported(spirv::place(inst) + ": built-in library not found (" + row->name +
                            ")");
  KILN_TRY(t.options.library->module());
  const std::string name = openClName(row->name, parameters);
  const Id own = t.options.library->find(name);
  if (own && (!row->needsDoubles || parameters[0].scalar == "d"))
    return LibraryCall{own, false};
  for (OpenClParameter &parameter : parameters)
    if ((parameter.scalar == half || row->needsDoubles) && !parameter.pointer)
      parameter.scalar = row->needsDoubles ? "d" : "f";
  if (const Id function = t.options.library->find(openClName(row->name, parameters)))
    return LibraryCall{function, true};
  return lgc::unsupported(spirv::place(inst) + ": the built-in library has no " + name);
}

/// Of a call of a function without a body.
Expected<LibraryCall> importCall(Translator &t, const Inst &inst) {
  const spirv::Function *function = t.spv.findFunction(inst[0]);
  if (!function || !function->blocks.empty() || !t.options.library)
    return LibraryCall();
  const StringRef name = linkageName(t.spv, inst[0], spv::LinkageType::Import);
  if (name.empty())
    return LibraryCall();
  KILN_TRY(t.options.library->module());
  return LibraryCall{t.options.library->find(name), false};
}

/// Functions of libclc that depend on the target: denormals are kept.
enum class Answer : uint8_t { Yes, Operand };
struct Question {
  StringLiteral name;
  Answer answer;
};
constexpr Question questions[] = {
    {"__clc_fp16_subnormals_supported", Answer::Yes},
    {"__clc_fp32_subnormals_supported", Answer::Yes},
    {"__clc_fp64_subnormals_supported", Answer::Yes},
    {"_Z37__clc_flush_denormal_if_not_supportedf", Answer::Operand},
};

const Question *findQuestion(const Translator &t, Id function) {
  const auto *linkage = t.spv.findDecoration(function, spv::Decoration::LinkageAttributes);
  const StringRef name = linkage ? spirv::literalString(linkage->operands) : StringRef();
  return find_if(questions, [&](const Question &question) { return question.name == name; });
}

} // namespace

OpenClLibrary::OpenClLibrary(Translator &user, const spirv::Module &module)
    : options(user.options), entry(*user.internals().entry),
      translator(module, *user.module, options) {
  options.specialization = {};
  options.linkedConstants = {};
  options.linkedArrays.clear();
  options.debugInfo = false;
  entry.function = 0;
  entry.interfaceIds = {};
  translator.shader = user.shader;
  translator.graphics = user.graphics;
  Translator::State &own = translator.internals();
  const Translator::State &other = user.internals();
  own.isLibrary = true;
  own.pipeline = other.pipeline;
  own.entry = &entry;
  own.hasWorkgroupSize = other.hasWorkgroupSize;
  std::ranges::copy(other.floatModes, own.floatModes);
  // Its algorithms are exact about what rounds where: nothing is contracted.
  own.hasFastMathDefaults = true;
}

Expected<uint64_t> OpenClLibrary::add(Id function) {
  return translateReached(translator, function);
}

Expected<LibraryCall> libraryCall(Translator &t, const Inst &inst) {
  if (!isKernel(t))
    return LibraryCall();
  if (inst.opcode == spv::Op::OpFunctionCall)
    return importCall(t, inst);
  if (inst.opcode == spv::Op::OpExtInst && t.spv.extInstSet(inst[0]) == "OpenCL.std")
    return instructionCall(t, inst);
  return LibraryCall();
}

Expected<uint64_t> addLibraryFunction(Translator &t, Id function) {
  std::unique_ptr<OpenClLibrary> &library = t.internals().library;
  if (!library)
    library = std::make_unique<OpenClLibrary>(t, *KILN_TRY(t.options.library->module()));
  return library->add(function);
}

Function *libraryFunction(Translator &t, Id function) {
  const Translator::State &s = t.internals();
  if (s.isLibrary)
    return s.functions.lookup(function);
  return s.library ? s.library->function(function) : nullptr;
}

bool asksTarget(const Translator &t, const Inst &inst) {
  return t.internals().isLibrary && inst.opcode == spv::Op::OpFunctionCall &&
         findQuestion(t, inst[0]) != std::end(questions);
}

Expected<Value *> targetAnswer(Translator &t, const Inst &call) {
  if (!asksTarget(t, call))
    return nullptr;
  // A type that does not fit is setValue()'s to refuse.
  if (findQuestion(t, call[0])->answer == Answer::Yes)
    return t.b.getTrue();
  if (call.size() != 2)
    return t.invalid(call, "takes one operand");
  return t.value(call[1]);
}

/// The library's gamma function is wrong about zeros and what is next to them, where it is 1 / x.
static Value *gammaNearZero(Translator &t, Value *x, Value *gamma) {
  Value *magnitude = t.b.CreateUnaryIntrinsic(Intrinsic::fabs, x);
  Value *isTiny = t.b.CreateFCmpOLT(magnitude, floatConstant(x->getType(), 0x1p-60));
  Value *reciprocal = t.b.CreateFDiv(floatConstant(x->getType(), 1.0), x);
  return t.b.CreateSelect(isTiny, reciprocal, gamma);
}

Expected<bool> translateLibraryCall(Translator &t, const Inst &inst) {
  const LibraryCall call = KILN_TRY(libraryCall(t, inst));
  if (!call.function)
    return false;
  Function *function = libraryFunction(t, call.function);
  const ArrayRef<Id> ids = inst.operands.drop_front(2);
  if (!function || function->arg_size() != ids.size())
    return t.invalid(inst, "the function of the built-in library has other parameters");
  SmallVector<Value *, 3> args;
  for (auto [id, parameter] : zip(ids, function->args())) {
    Value *arg = KILN_TRY(t.value(id));
    if (call.widens && isFloatShape(arg->getType()))
      arg = t.b.CreateFPExt(arg, parameter.getType());
    if (arg->getType() != parameter.getType())
      return t.invalid(inst, "operand %" + Twine(id) + " has type " + typeText(arg->getType()) +
                                 ", the function of the built-in library takes " +
                                 typeText(parameter.getType()));
    args.push_back(arg);
  }
  Type *type = KILN_TRY(t.type(inst.typeId));
  Value *result = t.b.CreateCall(function, args);
  if (inst[1] == Tgamma && isFloatShape(result->getType()))
    result = gammaNearZero(t, args[0], result);
  if (call.widens && isFloatShape(type) && isFloatShape(result->getType()) &&
      sameShape(type, result->getType()))
    result = t.b.CreateFPTrunc(result, type);
  KILN_TRY(t.setValue(inst, result));
  return true;
}

} // namespace llpc
