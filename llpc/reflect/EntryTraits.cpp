//===- EntryTraits.cpp - what an entry point's code may depend on ---------===//
// SPDX-License-Identifier: MIT
/// \file
///   before: layout(location = 0) flat in int i; ... if (gl_SampleID == i) discard;
///   after:  FlatInput, ReadsSampleId, Discards
#include "llpc/EntryReflection.h"
#include "llpc/reflect/EntryCode.h"
#include "llvm/ADT/MapVector.h"
#include <optional>

namespace llpc {

using spirv::Id;
using spirv::Inst;
using B = spv::BuiltIn;
using T = EntryTrait;

namespace {

struct BuiltInTraitRow {
  B builtIn;
  bool isOutput;
  EntryTrait trait;
};
constexpr bool in = false, out = true;
constexpr BuiltInTraitRow builtInTraits[] = {
    {B::SampleId, in, T::ReadsSampleId},
    {B::SamplePosition, in, T::ReadsSamplePosition},
    {B::SampleMask, in, T::ReadsSampleMask},
    {B::FragCoord, in, T::ReadsFragCoord},
    {B::PointCoord, in, T::ReadsPointCoord},
    {B::FrontFacing, in, T::ReadsFrontFacing},
    {B::HelperInvocation, in, T::ReadsHelperInvocation},
    {B::BaryCoordKHR, in, T::ReadsBaryCoord},
    {B::BaryCoordNoPerspKHR, in, T::ReadsBaryCoord},
    {B::BaryCoordSmoothAMD, in, T::ReadsBaryCoord},
    {B::BaryCoordSmoothCentroidAMD, in, T::ReadsBaryCoord},
    {B::BaryCoordSmoothSampleAMD, in, T::ReadsBaryCoord},
    {B::BaryCoordNoPerspAMD, in, T::ReadsBaryCoord},
    {B::BaryCoordNoPerspCentroidAMD, in, T::ReadsBaryCoord},
    {B::BaryCoordNoPerspSampleAMD, in, T::ReadsBaryCoord},
    {B::BaryCoordPullModelAMD, in, T::ReadsBaryCoord},
    {B::ShadingRateKHR, in, T::ReadsShadingRate},
    {B::FullyCoveredEXT, in, T::ReadsFullyCovered},
    {B::PrimitiveId, in, T::ReadsPrimitiveId},
    {B::Layer, in, T::ReadsLayer},
    {B::ViewportIndex, in, T::ReadsViewportIndex},
    {B::ViewIndex, in, T::ReadsViewIndex},
    {B::DeviceIndex, in, T::ReadsDeviceIndex},
    {B::ClipDistance, in, T::ReadsClipDistance},
    {B::CullDistance, in, T::ReadsCullDistance},
    {B::Position, in, T::ReadsPosition},
    {B::PointSize, in, T::ReadsPointSize},
    {B::VertexIndex, in, T::ReadsVertexIndex},
    {B::InstanceIndex, in, T::ReadsInstanceIndex},
    {B::BaseVertex, in, T::ReadsBaseVertex},
    {B::BaseInstance, in, T::ReadsBaseInstance},
    {B::DrawIndex, in, T::ReadsDrawIndex},
    {B::PatchVertices, in, T::ReadsPatchVertices},
    {B::TessCoord, in, T::ReadsTessCoord},
    {B::TessLevelOuter, in, T::ReadsTessLevel},
    {B::TessLevelInner, in, T::ReadsTessLevel},
    {B::InvocationId, in, T::ReadsInvocationId},
    {B::WorkgroupId, in, T::ReadsWorkgroupId},
    {B::NumWorkgroups, in, T::ReadsNumWorkgroups},
    {B::LocalInvocationId, in, T::ReadsLocalInvocation},
    {B::LocalInvocationIndex, in, T::ReadsLocalInvocation},
    {B::GlobalInvocationId, in, T::ReadsLocalInvocation},
    {B::SubgroupSize, in, T::UsesSubgroupSize},
    {B::NumSubgroups, in, T::UsesSubgroupSize},
    {B::SubgroupId, in, T::UsesSubgroupSize},
    {B::SubgroupLocalInvocationId, in, T::UsesSubgroupSize},
    {B::SubgroupEqMask, in, T::UsesSubgroupSize},
    {B::SubgroupGeMask, in, T::UsesSubgroupSize},
    {B::SubgroupGtMask, in, T::UsesSubgroupSize},
    {B::SubgroupLeMask, in, T::UsesSubgroupSize},
    {B::SubgroupLtMask, in, T::UsesSubgroupSize},
    {B::FragDepth, out, T::WritesDepth},
    {B::FragStencilRefEXT, out, T::WritesStencilRef},
    {B::SampleMask, out, T::WritesSampleMask},
    {B::Position, out, T::WritesPosition},
    {B::PointSize, out, T::WritesPointSize},
    {B::Layer, out, T::WritesLayer},
    {B::ViewportIndex, out, T::WritesViewportIndex},
    {B::ClipDistance, out, T::WritesClipDistance},
    {B::CullDistance, out, T::WritesCullDistance},
    {B::PrimitiveId, out, T::WritesPrimitiveId},
    {B::PrimitiveShadingRateKHR, out, T::WritesShadingRate},
    {B::TessLevelOuter, out, T::WritesTessLevel},
    {B::TessLevelInner, out, T::WritesTessLevel},
};

EntryTrait traitOf(B builtIn, bool isOutput) {
  for (const BuiltInTraitRow &row : builtInTraits)
    if (row.builtIn == builtIn && row.isOutput == isOutput)
      return row.trait;
  return T::UsesOtherBuiltIn;
}

std::optional<EntryTrait> inputTraitOf(spv::Decoration decoration) {
  switch (decoration) {
  case spv::Decoration::Flat:
    return T::FlatInput;
  case spv::Decoration::Sample:
    return T::SampleInput;
  case spv::Decoration::Centroid:
    return T::CentroidInput;
  case spv::Decoration::NoPerspective:
    return T::NoPerspectiveInput;
  case spv::Decoration::PerVertexKHR:
  case spv::Decoration::ExplicitInterpAMD:
    return T::PerVertexInput;
  case spv::Decoration::PerPrimitiveEXT:
    return T::PerPrimitiveInput;
  default:
    return {};
  }
}

/// What the decorations of a variable, or of one member of it, say.
void addDecorations(llvm::ArrayRef<spirv::Decoration> decorations, bool isOutput,
                    EntryTraits &traits) {
  EntryTraits ofInput;
  for (const spirv::Decoration &decoration : decorations) {
    if (decoration.kind == spv::Decoration::BuiltIn && !decoration.operands.empty()) {
      // How a built-in is interpolated is no one's choice: Flat means nothing on it.
      traits.set(traitOf(static_cast<B>(decoration.operands[0]), isOutput));
      return;
    }
    if (auto trait = isOutput ? std::nullopt : inputTraitOf(decoration.kind))
      ofInput.set(*trait);
  }
  traits |= ofInput;
}

/// The type behind a variable's pointer and all arrays around it; null when there is none.
const Inst *elementType(const spirv::Module &module, const Inst &variable) {
  const Inst *pointer = module.definition(variable.typeId);
  const Inst *type = pointer && pointer->size() >= 2 ? module.definition((*pointer)[1]) : nullptr;
  while (type &&
         (type->opcode == spv::Op::OpTypeArray || type->opcode == spv::Op::OpTypeRuntimeArray) &&
         type->size())
    type = module.definition((*type)[0]);
  return type;
}

/// Used members of block types, by 2 * type + (1 for outputs). Many variables may have one type, so
/// its members are looked at once for all of them.
using BlockMembers = llvm::SmallMapVector<uint64_t, uint64_t, 4>;

void addVariable(const spirv::Module &module, const UsedVariable &variable, EntryTraits &traits,
                 BlockMembers &blocks) {
  const Inst &def = *variable.definition;
  const auto storage = static_cast<spv::StorageClass>(def[0]);
  const bool isOutput = storage == spv::StorageClass::Output;
  if (storage != spv::StorageClass::UniformConstant && storage != spv::StorageClass::Input &&
      !isOutput)
    return;
  const Inst *type = elementType(module, def);
  if (storage == spv::StorageClass::UniformConstant) {
    if (type && type->opcode == spv::Op::OpTypeImage && type->size() >= 2 &&
        static_cast<spv::Dim>((*type)[1]) == spv::Dim::SubpassData)
      traits.set(T::ReadsInputAttachment);
    return;
  }
  addDecorations(module.decorations(def.resultId, spirv::Decoration::noMember), isOutput, traits);
  if (type && type->opcode == spv::Op::OpTypeStruct)
    blocks[2 * uint64_t(type->resultId) + isOutput] |= variable.members;
}

void addBlock(const spirv::Module &module, Id typeId, bool isOutput, uint64_t members,
              EntryTraits &traits) {
  llvm::ArrayRef<spirv::Decoration> rest = module.decorations(typeId);
  while (!rest.empty() && rest.front().member != spirv::Decoration::noMember) {
    const uint32_t member = rest.front().member;
    auto ofMember = rest.take_while([&](const spirv::Decoration &d) { return d.member == member; });
    if (UsedVariable::covers(members, member))
      addDecorations(ofMember, isOutput, traits);
    rest = rest.drop_front(ofMember.size());
  }
}

} // namespace

EntryTraits traitsOf(const spirv::Module &module, const spirv::EntryPoint &entry,
                     const EntryCode &code) {
  EntryTraits traits = code.instructionTraits;
  BlockMembers blocks;
  for (const UsedVariable &variable : code.variables)
    addVariable(module, variable, traits, blocks);
  for (const auto &[key, members] : blocks)
    addBlock(module, static_cast<Id>(key / 2), key & 1, members, traits);
  for (const spirv::ExecutionMode &mode : entry.modes)
    if (mode.mode == spv::ExecutionMode::Xfb)
      traits.set(T::CapturesXfb);
  if (module.hasCapability(spv::Capability::CooperativeMatrixKHR))
    traits.set(T::UsesSubgroupSize);
  return traits;
}

} // namespace llpc
