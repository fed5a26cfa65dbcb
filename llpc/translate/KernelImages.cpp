//===- KernelImages.cpp - images and samplers of OpenCL kernels -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Images and samplers that a kernel takes, or has itself (OpConstantSampler), are descriptors of
/// set 0, as KernelInterface (llpc/Kernels.h) numbers them.
///   before: %s = OpConstantSampler ClampToEdge 0 Nearest
///   after:  %s = lgc.load.desc(lgc.resource.ptr(0, its binding, 0), Sampler, 0)
#include "llpc/reflect/KernelArguments.h"
#include "llpc/translate/Kernel.h"
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {

namespace {

Value *loadDescriptor(Translator &t, uint32_t binding, lgc::DescKind kind, uint32_t flags) {
  Type *handle = PointerType::get(t.context, lgc::AddrSpace::Constant);
  Value *place = t.op(lgc::OpId::ResourcePtrOp, handle, {t.i32(0), t.i32(binding), t.i32(0)});
  const unsigned dwords = kind == lgc::DescKind::Image ? 8 : 4;
  return t.op(lgc::OpId::LoadDescOp, FixedVectorType::get(t.b.getInt32Ty(), dwords),
              {place, t.i32(static_cast<uint32_t>(kind)), t.i32(flags)});
}

} // namespace

Value *descriptorArgument(Translator &t, const KernelArgument &argument) {
  if (argument.kind == KernelArgumentKind::Sampler)
    return loadDescriptor(t, argument.binding, lgc::DescKind::Sampler, 0);
  const bool isRead = argument.access == KernelAccess::ReadOnly;
  return loadDescriptor(t, argument.binding,
                        argument.dim == KernelImageDim::Buffer ? lgc::DescKind::TexelBuffer
                                                               : lgc::DescKind::Image,
                        isRead ? 0 : uint32_t(lgc::ResourceFlags::StorageImage));
}

Expected<Value *> literalSamplerValue(Translator &t, const Inst &constant) {
  Translator::State &s = t.internals();
  if (Value *known = s.current.resources.lookup(constant.resultId))
    return known;
  if (!s.current.allocaPoint)
    return t.invalid(constant, "sampler used outside a function");
  const KernelInterface &interface = *KILN_TRY(kernelInterfaceOf(t));
  const auto sampler = find(interface.samplers, literalSampler(constant));
  const auto number = static_cast<uint32_t>(sampler - interface.samplers.begin());
  IRBuilderBase::InsertPointGuard guard(t.b);
  t.b.SetInsertPoint(s.current.allocaPoint);
  Value *result = loadDescriptor(t, interface.firstSampler + number, lgc::DescKind::Sampler, 0);
  s.current.resources[constant.resultId] = result;
  return result;
}

} // namespace llpc
