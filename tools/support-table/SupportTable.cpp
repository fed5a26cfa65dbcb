//===- SupportTable.cpp - the support table of README.md ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Prints Markdown: targets, instructions by class of the SPIR-V grammar, capabilities, features of
/// graphics pipelines with their tests (GraphicsTable.h), and what else Vulkan lets shaders have.
/// With `--tests`: instead, the tests of each graphics feature and the message that one of them
/// checks. Targets and instructions come from the tables that the compiler itself uses. The rest
/// has no table in the compiler, which refuses capabilities rather than listing them, so it is kept
/// here; names of capabilities are checked against the grammar and the refused ones.
/// tools/support-table.py puts the text into README.md. Runs in the root of the repository.
#include "llpc/spirv/Grammar.h"
#include "llpc/translate/Translator.h"
#include "pal_shim/abi/TargetInfo.h"
#include "tools/support-table/GraphicsTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

namespace {

using Names = std::set<std::string>;

/// Capabilities whose whole meaning is there.
constexpr const char *capabilities[] = {
    "AtomicFloat32AddEXT",
    "AtomicFloat32MinMaxEXT",
    "AtomicFloat64MinMaxEXT",
    "ClipDistance",
    "ComputeDerivativeGroupLinearKHR",
    "ComputeDerivativeGroupQuadsKHR",
    "CullDistance",
    "DemoteToHelperInvocation",
    "DenormFlushToZero",
    "DenormPreserve",
    "DerivativeControl",
    "DeviceGroup",
    "DotProduct",
    "DotProductInput4x8Bit",
    "DotProductInput4x8BitPacked",
    "DotProductInputAll",
    "DrawParameters",
    "ExpectAssumeKHR",
    "Float16",
    "Float64",
    "FragmentBarycentricKHR",
    "FragmentFullyCoveredEXT",
    "FragmentShaderPixelInterlockEXT",
    "FragmentShaderSampleInterlockEXT",
    "FragmentShaderShadingRateInterlockEXT",
    "FragmentShadingRateKHR",
    "GroupNonUniform",
    "GroupNonUniformArithmetic",
    "GroupNonUniformBallot",
    "GroupNonUniformClustered",
    "GroupNonUniformQuad",
    "GroupNonUniformRotateKHR",
    "GroupNonUniformShuffle",
    "GroupNonUniformShuffleRelative",
    "GroupNonUniformVote",
    "Image1D",
    "ImageBuffer",
    "ImageCubeArray",
    "ImageGatherExtended",
    "ImageMSArray",
    "ImageQuery",
    "InputAttachment",
    "InputAttachmentArrayDynamicIndexing",
    "InputAttachmentArrayNonUniformIndexing",
    "Int16",
    "Int64",
    "Int64Atomics",
    "Int64ImageEXT",
    "Int8",
    "InterpolationFunction",
    "Matrix",
    "MeshShadingEXT",
    "MinLod",
    "MultiView",
    "MultiViewport",
    "PhysicalStorageBufferAddresses",
    "QuadControlKHR",
    "RoundingModeRTE",
    "RoundingModeRTZ",
    "RuntimeDescriptorArray",
    "SampleMaskPostDepthCoverage",
    "SampleRateShading",
    "Sampled1D",
    "SampledBuffer",
    "SampledCubeArray",
    "SampledImageArrayDynamicIndexing",
    "SampledImageArrayNonUniformIndexing",
    "Shader",
    "ShaderClockKHR",
    "ShaderLayer",
    "ShaderNonUniform",
    "ShaderViewportIndex",
    "ShaderViewportIndexLayerEXT",
    "SignedZeroInfNanPreserve",
    "SparseResidency",
    "StencilExportEXT",
    "StorageBuffer16BitAccess",
    "StorageBuffer8BitAccess",
    "StorageBufferArrayDynamicIndexing",
    "StorageBufferArrayNonUniformIndexing",
    "StorageImageArrayDynamicIndexing",
    "StorageImageArrayNonUniformIndexing",
    "StorageImageExtendedFormats",
    "StorageImageMultisample",
    "StorageImageReadWithoutFormat",
    "StorageImageWriteWithoutFormat",
    "StorageInputOutput16",
    "StoragePushConstant16",
    "StoragePushConstant8",
    "StorageTexelBufferArrayDynamicIndexing",
    "StorageTexelBufferArrayNonUniformIndexing",
    "SubgroupBallotKHR",
    "SubgroupVoteKHR",
    "Tessellation",
    "TessellationPointSize",
    "UniformAndStorageBuffer16BitAccess",
    "UniformAndStorageBuffer8BitAccess",
    "UniformBufferArrayDynamicIndexing",
    "UniformBufferArrayNonUniformIndexing",
    "UniformTexelBufferArrayDynamicIndexing",
    "UniformTexelBufferArrayNonUniformIndexing",
    "VariablePointers",
    "VariablePointersStorageBuffer",
    "VulkanMemoryModel",
    "VulkanMemoryModelDeviceScope",
    "WorkgroupMemoryExplicitLayout16BitAccessKHR",
    "WorkgroupMemoryExplicitLayout8BitAccessKHR",
    "WorkgroupMemoryExplicitLayoutKHR",
};

struct Feature {
  const char *area;
  const char *what;
};
constexpr Feature features[] = {
    {"Values",
     "bool, int 8/16/32/64, float 16/32/64; vectors, matrices, structs, arrays, pointers"},
    {"Constants", "specialization constants with OpSpecConstantOp, LocalSizeId, WorkgroupSize"},
    {"Float controls", "denormals, rounding, signed zero, infinity and NaN; NoContraction"},
    {"Memory",
     "Function, Private, Workgroup (explicit layout, zero initialisation), Uniform, "
     "StorageBuffer, PushConstant, UniformConstant, PhysicalStorageBuffer, Input, Output"},
    {"Layouts", "std140, std430, scalar; row-major matrices; runtime arrays; variable pointers"},
    {"Descriptors", "uniform, storage and dynamic buffers, texel buffers, sampled and storage "
                    "images, samplers, combined, inline uniform blocks, mutable, immutable "
                    "samplers, YCbCr conversion; arrays, uniform and NonUniform indexing"},
    {"Interfaces",
     "locations, components, arrays, matrices, blocks, 16 and 64 bits, Patch, "
     "PerPrimitiveEXT, PerVertexKHR, initialised outputs (but for tessellation control "
     "shaders), Invariant; transform feedback decorations"},
    {"Fragments", "Flat, NoPerspective, Centroid, Sample, interpolateAt functions, barycentrics, "
                  "input attachments, depth, stencil and sample mask outputs, dual-source "
                  "outputs, discard, demote, helper invocations, interlock, early tests, "
                  "conservative depth, post-depth coverage, quad control"},
    {"Tessellation",
     "control and evaluation shaders: triangles, quads, isolines, point mode, every spacing; "
     "outputs read by other invocations, Patch variables, tessellation levels, barriers"},
    {"Meshes", "task and mesh shaders from gfx10.3 on: payload, per-vertex and per-primitive "
               "outputs, points, lines and triangles, culled primitives"},
    {"Robustness", "robustBufferAccess, robustness2, null descriptors"},
    {"Memory model", "Vulkan and GLSL450; scopes, semantics, coherent, volatile, nontemporal"},
    {"Subgroups", "wave32, wave64, required size, full subgroups, maximal reconvergence; "
                  "derivative groups, linear and quads"},
    {"Debugging", "OpLine and NonSemantic.Shader.DebugInfo.100 as LLVM debug locations; other "
                  "NonSemantic sets are skipped, debug printf with a warning"},
    {"Not yet", "cooperative matrices, ray queries, partitioned subgroup operations"},
};

std::string joined(const Names &names) { return llvm::join(names, " "); }

void printRow(llvm::StringRef name, const Names &names) {
  llvm::outs() << "| " << name << " | " << names.size() << " | " << joined(names) << " |\n";
}

void printInstructions() {
  std::map<std::string, Names> classes;
  size_t count = 0;
  for (const llpc::OpEntry &entry : llpc::allOps()) {
    const llpc::spirv::OpInfo *info = llpc::spirv::findOp(static_cast<uint32_t>(entry.opcode));
    KILN_CHECK(info, "a translated opcode is not in the grammar");
    classes[llpc::spirv::nameOf(info->opClass).str()].insert(
        llpc::spirv::nameOf(*info).drop_front(2).str());
    ++count;
  }
  llvm::outs() << "Instructions that are translated in function bodies (" << count
               << "), by class of the SPIR-V grammar, and those of extended sets; types, "
                  "constants, decorations and debug instructions come on top:\n\n"
                  "| Class or set | | Instructions |\n|---|---|---|\n";
  for (const auto &[name, names] : classes)
    printRow(name, names);
  for (const llpc::ExtSet &set : llpc::allExtSets()) {
    Names names;
    for (const llpc::ExtEntry &entry : set.entries)
      names.insert(entry.name);
    printRow(set.name, names);
  }
}

/// False when a listed capability does not exist or is refused.
bool printCapabilities() {
  Names accepted(std::begin(capabilities), std::end(capabilities)), refused, unknown = accepted;
  for (uint32_t value = 0; value < 0x10000; ++value)
    if (const auto *info = llpc::spirv::findEnumerant(llpc::spirv::OperandKind::Capability, value))
      unknown.erase(llpc::spirv::nameOf(*info).str());
  for (spv::Capability capability : llpc::refusedCapabilities())
    refused.insert(llpc::spirv::capabilityName(capability));
  llvm::outs() << "\nCapabilities (" << accepted.size() << "): " << joined(accepted)
               << ".\n\nRefused with a message: " << joined(refused) << ".\n";
  for (const std::string &name : unknown)
    llvm::errs() << "support-table: no capability " << name << " in the grammar\n";
  for (const std::string &name : refused)
    if (accepted.count(name))
      llvm::errs() << "support-table: capability " << name << " is refused\n";
  return unknown.empty() &&
         llvm::none_of(refused, [&](const std::string &name) { return accepted.count(name) != 0; });
}

} // namespace

int main(int argc, char **argv) {
  if (argc > 1 && llvm::StringRef(argv[1]) == "--tests") {
    supporttable::printTests(llvm::outs());
    return 0;
  }
  Names targets;
  for (const pal::abi::GpuTarget &target : pal::abi::allTargets())
    targets.insert(target.name.str());
  llvm::outs() << "Targets (" << targets.size() << "): " << joined(targets)
               << ".\n\n| Area | What is there |\n|---|---|\n";
  for (const Feature &feature : features)
    llvm::outs() << "| " << feature.area << " | " << feature.what << " |\n";
  const bool isGraphicsGood = supporttable::printGraphicsFeatures(llvm::outs(), llvm::errs());
  llvm::outs() << '\n';
  printInstructions();
  return printCapabilities() && isGraphicsGood ? 0 : 1;
}
