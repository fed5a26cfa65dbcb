//===- Geometry.cpp - emission of vertices and primitives -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A geometry shader hands out its output variables of one stream at each emission. Afterwards
/// SPIR-V calls the variables undefined; here they keep their values, as programs that set an
/// output once for several vertices expect.
///   before: OpStore %color %c ; OpEmitVertex ; OpEndPrimitive
///   after:  store %c, @color
///           lgc.output.store((load @color), 0, 0, 0, stream 0) ; lgc.emit.vertex(0)
///           lgc.end.primitive(0)
#include "llpc/translate/Interface.h"
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {

namespace {

constexpr uint32_t streams = 4;

/// The Stream operand, or 0 for the instructions without one.
Expected<uint32_t> streamOf(Translator &t, const Inst &inst) {
  if (!t.isStage(lgc::ShaderStage::Geometry))
    return t.invalid(inst, "only geometry shaders emit vertices");
  if (inst.size() == 0)
    return 0u;
  auto stream = KILN_TRY(t.readConstant32(inst[0]));
  if (stream >= streams)
    return t.invalid(inst, "stream " + Twine(stream) + " is not 0 to 3");
  return stream;
}

Error translateEmitVertex(Translator &t, const Inst &inst) {
  auto stream = KILN_TRY(streamOf(t, inst));
  KILN_TRY(storeOutputs(t, stream));
  t.op(lgc::OpId::EmitVertexOp, t.b.getVoidTy(), {t.i32(stream)});
  return Error::success();
}

Error translateEndPrimitive(Translator &t, const Inst &inst) {
  auto stream = KILN_TRY(streamOf(t, inst));
  t.op(lgc::OpId::EndPrimitiveOp, t.b.getVoidTy(), {t.i32(stream)});
  return Error::success();
}

constexpr OpEntry table[] = {
    instOp(spv::Op::OpEmitVertex, translateEmitVertex),
    instOp(spv::Op::OpEmitStreamVertex, translateEmitVertex),
    instOp(spv::Op::OpEndPrimitive, translateEndPrimitive),
    instOp(spv::Op::OpEndStreamPrimitive, translateEndPrimitive),
};

} // namespace

ArrayRef<OpEntry> geometryOps() { return table; }

} // namespace llpc
