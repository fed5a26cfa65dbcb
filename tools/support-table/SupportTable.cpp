//===- SupportTable.cpp - the support table of docs/support.md ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Prints Markdown: targets, instructions by class of the SPIR-V grammar, capabilities, features of
/// graphics pipelines with their tests (GraphicsTable.h), and what else Vulkan lets shaders have.
/// With `--tests`: instead, the tests of each graphics feature and the message that one of them
/// checks. Targets, instructions and capabilities come from the tables that the compiler itself
/// uses; the rest has no table there and is kept here.
/// tools/support-table.py puts the text into docs/support.md. Runs in the root of the repository,
/// where links begin.
#include "llpc/spirv/Capabilities.h"
#include "llpc/spirv/Grammar.h"
#include "llpc/spirv/Module.h"
#include "llpc/translate/Translator.h"
#include "pal_shim/abi/TargetInfo.h"
#include "tools/cli/Arguments.h"
#include "tools/support-table/GraphicsTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

namespace {

using Names = std::set<std::string>;

struct Feature {
  const char *area;
  const char *what;
};
constexpr Feature features[] = {
    {"Values",
     "bool, int 8/16/32/64, float 16/32/64, bfloat16, float 8 (E4M3, E5M2); vectors, matrices, "
     "structs, arrays, pointers"},
    {"Constants", "specialization constants with OpSpecConstantOp, LocalSizeId, WorkgroupSize"},
    {"Float controls",
     "denormals, rounding, signed zero, infinity and NaN; NoContraction; FPFastMathMode "
     "and FPFastMathDefault"},
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
    {"Rays", "ray queries in every stage; ray tracing pipelines: six stages, hit groups, records, "
             "recursion, callable shaders, libraries"},
    {"Not yet", "partitioned subgroup operations"},
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

void printCapabilities() {
  Names accepted;
  for (spv::Capability capability : llpc::spirv::supportedCapabilities())
    accepted.insert(llpc::spirv::capabilityName(capability));
  llvm::outs() << "\nCapabilities (" << accepted.size() << "): " << joined(accepted)
               << ".\n\nEvery other capability is refused with a message.\n";
}

} // namespace

constexpr llvm::StringLiteral usage = R"(usage: support-table [--tests]
Prints the tables of docs/support.md: targets, features, instructions and capabilities.
  --tests    the tests of graphics features instead, a line each
  --version  print the version

Examples:
  support-table
  support-table --tests
)";

int main(int argc, char **argv) {
  const llvm::ArrayRef<const char *> arguments = cli::argumentsOf(argc, argv);
  if (cli::printInformation("support-table", usage, arguments))
    return 0;
  const llvm::StringRef first = arguments.empty() ? "" : arguments.front();
  if (arguments.size() > 1 || (!first.empty() && first != "--tests")) {
    llvm::errs() << usage;
    return 2;
  }
  if (first == "--tests") {
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
  printCapabilities();
  return isGraphicsGood ? 0 : 1;
}
