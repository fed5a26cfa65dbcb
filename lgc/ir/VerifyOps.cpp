//===- VerifyOps.cpp - checks of lgc operations ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Checks every call of an "lgc." function: known name, operand count, operand and result types,
/// constant operands. Passes rely on this and cast without asking again. Runs on a front end's
/// output and after each pass when asked (lgc-opt, -verify-ir).
///
/// The types are written as one line per operation: result, then operands.
///   void i1 i32 i64 f32 p4 p5 p7 v2f32 v3f32 v4i32 v3i32  exactly this type
///   const   ConstantInt of type i32            desc   <8 x i32> or <4 x i32>
///   v8i32                                      T      scalar or vector of int, float or pointer
///   same    the type of the result             coord  i32/float/i16/half scalar or vector
///   opt     anything, may be absent            any    anything
///   ints    integer scalar or vector           v4c    constant <4 x i32>    v3c  constant <3 x
///   i32>
///   slot    scalar or vector of 1 to 4 elements of 16 or 32 bits
#include "lgc/Ops.h"
#include "pal_shim/abi/Try.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace lgc {
namespace {

/// In the order of OpId; checked below to be complete.
struct Signature {
  OpId id;
  StringLiteral text;
};

constexpr Signature signatures[] = {
    {OpId::ResourcePtrOp, "p4 const const i32"},
    {OpId::ResourceIndexOp, "p4 p4 i32"},
    {OpId::LoadDescOp, "desc p4 const const"},
    {OpId::BufferPtrOp, "p7 p4 const"},
    {OpId::BufferLengthOp, "i32 p7"},
    {OpId::BufferAddressOp, "i64 p7"},
    {OpId::PushConstOp, "p4"},
    {OpId::UserDataOp, "ints const"},
    {OpId::SpillTableOp, "p4"},
    {OpId::BuiltinOp, "T const"},
    {OpId::ImageLoadOp, "any desc const const coord opt opt"},
    {OpId::ImageStoreOp, "void T desc const const coord opt opt"},
    {OpId::ImageSampleOp, "any v8i32 v4i32 const const coord opt opt opt opt opt opt opt"},
    {OpId::ImageGatherOp, "any v8i32 v4i32 const const coord opt opt opt opt opt"},
    {OpId::ImageAtomicOp, "T desc const const const coord opt T opt"},
    {OpId::ImageQuerySizeOp, "ints desc const const opt"},
    {OpId::ImageQueryLevelsOp, "i32 desc const const"},
    {OpId::ImageQuerySamplesOp, "i32 desc const const"},
    {OpId::ImageQueryLodOp, "v2f32 v8i32 v4i32 const const coord"},
    {OpId::SubgroupElectOp, "i1"},
    {OpId::SubgroupAllOp, "i1 i1"},
    {OpId::SubgroupAnyOp, "i1 i1"},
    {OpId::SubgroupAllEqualOp, "i1 T"},
    {OpId::SubgroupBroadcastOp, "T same i32"},
    {OpId::SubgroupBroadcastFirstOp, "T same"},
    {OpId::SubgroupBallotOp, "v4i32 i1"},
    {OpId::SubgroupInverseBallotOp, "i1 v4i32"},
    {OpId::SubgroupBallotBitExtractOp, "i1 v4i32 i32"},
    {OpId::SubgroupBallotBitCountOp, "i32 const v4i32"},
    {OpId::SubgroupBallotFindLsbOp, "i32 v4i32"},
    {OpId::SubgroupBallotFindMsbOp, "i32 v4i32"},
    {OpId::SubgroupShuffleOp, "T same i32"},
    {OpId::SubgroupShuffleXorOp, "T same i32"},
    {OpId::SubgroupShuffleUpOp, "T same i32"},
    {OpId::SubgroupShuffleDownOp, "T same i32"},
    {OpId::SubgroupRotateOp, "T same i32 const"},
    {OpId::SubgroupArithOp, "T const const same const"},
    {OpId::SubgroupQuadBroadcastOp, "T same i32"},
    {OpId::SubgroupQuadSwapOp, "T same const"},
    {OpId::SubgroupQuadAllOp, "i1 i1"},
    {OpId::SubgroupQuadAnyOp, "i1 i1"},
    {OpId::SubgroupSwizzleQuadOp, "T same v4c"},
    {OpId::SubgroupSwizzleMaskedOp, "T same v3c"},
    {OpId::SubgroupWriteInvocationOp, "T same same i32"},
    {OpId::SubgroupMbcntOp, "i32 i64"},
    {OpId::ControlBarrierOp, "void const"},
    {OpId::DotProductOp, "ints const ints ints opt"},
    {OpId::MatrixMulAddOp, "T const T T same"},
    {OpId::DerivativeOp, "T const same"},
    {OpId::ShaderClockOp, "i64 const"},
    {OpId::ReconvergeTrueOp, "i1"},
    {OpId::RayQueryInitializeOp, "void p5 i64 i32 i32 v3f32 f32 v3f32 f32"},
    {OpId::RayQueryProceedOp, "i1 p5"},
    {OpId::RayQueryTerminateOp, "void p5"},
    {OpId::RayQueryConfirmOp, "void p5"},
    {OpId::RayQueryGenerateOp, "void p5 f32"},
    {OpId::RayQueryGetOp, "any p5 const const"},
    {OpId::RayValueOp, "any const const"},
    {OpId::RayPayloadOp, "p5"},
    {OpId::RayAttributesOp, "p5"},
    {OpId::RayRecordOp, "p1"},
    {OpId::RayTraceOp, "void i64 i32 i32 i32 i32 i32 v3f32 f32 v3f32 f32 p5"},
    {OpId::RayCallOp, "void i32 p5"},
    {OpId::RayReportOp, "i1 f32 i32"},
    {OpId::RayEndOp, "void const"},
    {OpId::InputLoadOp, "slot const const i32 i32"},
    {OpId::InputInterpolateOp, "slot const const i32 v2f32"},
    {OpId::BarycentricOp, "v2f32 const const opt"},
    {OpId::BaryCoordOp, "v3f32 const const opt"},
    {OpId::OutputStoreOp, "void slot const const i32 i32"},
    {OpId::OutputLoadOp, "slot const const i32 i32"},
    {OpId::XfbStoreOp, "void slot const const const"},
    {OpId::EmitVertexOp, "void const"},
    {OpId::EndPrimitiveOp, "void const"},
    {OpId::SetMeshOutputsOp, "void i32 i32"},
    {OpId::EmitMeshTasksOp, "void i32 i32 i32"},
    {OpId::TaskPayloadOp, "p7"},
    {OpId::KillOp, "void"},
    {OpId::DemoteOp, "void"},
    {OpId::IsHelperOp, "i1"},
    {OpId::InterlockOp, "void const"},
    {OpId::HwValueOp, "T const"},
    {OpId::SpecialUserDataOp, "ints const"},
    {OpId::DriverTableOp, "v4i32 const"},
    {OpId::VertexInputOp, "T const const"},
};
static_assert(std::size(signatures) == static_cast<size_t>(OpId::None));

constexpr bool signaturesInOrder() {
  for (size_t i = 0; i < std::size(signatures); ++i)
    if (static_cast<size_t>(signatures[i].id) != i)
      return false;
  return true;
}
static_assert(signaturesInOrder(), "one row per operation, in the order of Ops.def");

bool isIntVector(Type *type, unsigned elements) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getNumElements() == elements &&
         vector->getElementType()->isIntegerTy(32);
}

bool isScalarKind(Type *type, bool ints, bool floats, bool pointers) {
  Type *scalar = type->getScalarType();
  return (ints && scalar->isIntegerTy()) || (floats && scalar->isFloatingPointTy()) ||
         (pointers && scalar->isPointerTy());
}

bool isCoordinate(Type *type) {
  Type *scalar = type->getScalarType();
  return scalar->isIntegerTy(32) || scalar->isIntegerTy(16) || scalar->isFloatTy() ||
         scalar->isHalfTy();
}

/// What one slot of an interface may hold.
bool isSlotValue(Type *type) {
  Type *scalar = type->getScalarType();
  auto *vector = dyn_cast<FixedVectorType>(type);
  return (scalar->isIntegerTy(32) || scalar->isIntegerTy(16) || scalar->isFloatTy() ||
          scalar->isHalfTy()) &&
         (!vector || vector->getNumElements() <= 4);
}

/// Types that need no look at the value.
bool matchesType(StringRef token, Type *type, Type *result) {
  if (token == "void")
    return type->isVoidTy();
  if (token == "any" || token == "opt")
    return true;
  if (token == "T")
    return isScalarKind(type, true, true, true);
  if (token == "same")
    return type == result;
  if (token == "slot")
    return isSlotValue(type);
  if (token == "ints")
    return isScalarKind(type, true, false, false);
  if (token == "coord")
    return isCoordinate(type);
  if (token == "desc")
    return isIntVector(type, 8) || isIntVector(type, 4);
  if (token == "v8i32")
    return isIntVector(type, 8);
  if (token == "v4i32" || token == "v4c")
    return isIntVector(type, 4);
  if (token == "v3c")
    return isIntVector(type, 3);
  if (token == "v2f32" || token == "v3f32") {
    auto *vector = dyn_cast<FixedVectorType>(type);
    return vector && vector->getNumElements() == (token == "v2f32" ? 2 : 3) &&
           vector->getElementType()->isFloatTy();
  }
  if (token == "f32")
    return type->isFloatTy();
  if (token == "p1" || token == "p4" || token == "p5" || token == "p7")
    return type->isPointerTy() && type->getPointerAddressSpace() == unsigned(token[1] - '0');
  unsigned bits = 0;
  if (token == "const")
    bits = 32;
  else if (!token.consume_front("i") || token.getAsInteger(10, bits))
    KILN_ICE("unknown token in an operation's signature");
  return type->isIntegerTy(bits);
}

bool matchesOperand(StringRef token, const Value *operand, Type *result) {
  if (!matchesType(token, operand->getType(), result))
    return false;
  if (token == "const")
    return isa<ConstantInt>(operand);
  if (token == "v4c" || token == "v3c")
    return isa<ConstantDataVector, ConstantAggregateZero>(operand);
  return true;
}

Error verifyCall(const CallBase &call, OpId id) {
  SmallVector<StringRef, 16> tokens;
  signatures[static_cast<size_t>(id)].text.split(tokens, ' ');
  auto fail = [&](const Twine &what) {
    std::string text;
    raw_string_ostream(text) << call;
    return internalError("lgc." + opName(id) + ": " + what + " in '" + StringRef(text).ltrim() +
                         "'");
  };
  if (call.arg_size() != opArgCount(id) || tokens.size() != opArgCount(id) + 1u)
    return fail("expected " + Twine(opArgCount(id)) + " operands, found " + Twine(call.arg_size()));
  if (!matchesType(tokens[0], call.getType(), call.getType()))
    return fail("result is not of type '" + tokens[0] + "'");
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (!matchesOperand(tokens[i + 1], call.getArgOperand(i), call.getType()))
      return fail("operand " + Twine(i) + " is not '" + tokens[i + 1] + "'");
  return Error::success();
}

} // namespace

Error verifyOps(const Module &module) {
  for (const Function &function : module) {
    if (!function.getName().starts_with("lgc.") || !function.isDeclaration())
      continue;
    OpId id = opIdOf(function);
    if (id == OpId::None)
      return internalError("unknown lgc operation '" + function.getName() + "'");
    for (const User *user : function.users()) {
      const auto *call = dyn_cast<CallInst>(user);
      if (!call || call->getCalledOperand() != &function ||
          call->getFunctionType() != function.getFunctionType())
        return internalError("'" + function.getName() + "' is used other than by plain calls");
      KILN_TRY(verifyCall(*call, id));
    }
  }
  return Error::success();
}

} // namespace lgc
