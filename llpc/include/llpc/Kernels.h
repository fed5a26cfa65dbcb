//===- Kernels.h - OpenCL kernels as compute shaders ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Modules of SPIR-V's Kernel dialect ("OpenCL SPIR-V Environment Specification"), such as clang
/// and SPIRV-LLVM-Translator write. A kernel becomes a compute shader: its arguments are push
/// constants in the order of its parameters, each aligned as OpenCL C aligns its type; the size of
/// workgroups is that of the execution mode LocalSize. Vulkan takes no such modules: drivers keep
/// to Compiler::buildShaderModule().
#pragma once

#include "llpc/Compiler.h"
#include <array>
#include <optional>

namespace llpc {

enum class KernelArgumentKind : uint8_t {
  Value,           ///< number, vector or, by value, structure: its bytes
  GlobalPointer,   ///< __global: an address of 8 bytes
  ConstantPointer, ///< __constant: the same
  LocalPointer,    ///< __local: no bytes; the parameter's MaxByteOffset is the size of the memory
  Image,           ///< a descriptor at `binding` of descriptor set 0; no bytes
  Sampler,         ///< the same
};

enum class KernelImageDim : uint8_t { Dim1D, Dim2D, Dim3D, Dim1DArray, Dim2DArray, Buffer };
enum class KernelAccess : uint8_t { ReadOnly, WriteOnly, ReadWrite };

struct KernelArgument {
  KernelArgumentKind kind = KernelArgumentKind::Value;
  std::string name;    ///< OpName, or empty
  uint32_t offset = 0; ///< in push constants, in bytes; 0 for what has no bytes there
  uint32_t size = 0;   ///< in bytes; LocalPointer: of the memory
  uint32_t align = 1;  ///< in bytes
  /// Image, Sampler: their number among arguments of these kinds.
  uint32_t binding = 0;
  KernelImageDim dim = KernelImageDim::Dim2D;   ///< Image
  KernelAccess access = KernelAccess::ReadOnly; ///< Image
};

/// A sampler that the program has itself. Whoever runs kernels makes its descriptor.
struct KernelSampler {
  /// As CLK_ADDRESS_... of OpenCL C says, in SPIR-V's numbers.
  enum class Address : uint8_t { None, ClampToEdge, Clamp, Repeat, RepeatMirrored };
  Address address = Address::None;
  bool normalized = false, linear = false;

  bool operator==(const KernelSampler &) const = default;
};

/// One call of printf. Where a module has some, a hidden argument points to a buffer of
/// `headerBytes`, two numbers of 8 bytes: how many bytes of records there are or would be, 0 at
/// first, and how many there is room for; and the records: the number of the call and the size of
/// the record, 4 bytes each, and the values, each in a multiple of 4 bytes.
struct KernelPrintf {
  static constexpr uint32_t headerBytes = 16;

  struct Value {
    bool isFloat = false;
    uint8_t bytes = 4; ///< of a component; pointers: 8
    uint8_t count = 1; ///< components; 3 of them take no more room than 3
    /// Pointers to strings that are constants: the string. It is in no record.
    std::optional<std::string> text;

    uint32_t size() const { return uint32_t(bytes) * count; } ///< in a record, not rounded up
  };
  std::string format;
  std::vector<Value> values;
};

struct KernelInterface {
  std::vector<KernelArgument> arguments; ///< in the order of the parameters
  /// At the bindings of set 0 that follow those of the arguments, each kind of sampler once.
  std::vector<KernelSampler> samplers;
  uint32_t firstSampler = 0; ///< binding of the first of them
  /// Hidden arguments behind the others, where the module asks for them: offsets, in bytes.
  std::optional<uint32_t> workDim;      ///< 4 bytes: number of dimensions of the launch
  std::optional<uint32_t> printfBuffer; ///< 8 bytes: address of a buffer (KernelPrintf)
  std::vector<KernelPrintf> printfs;    ///< of the module, by number
  uint32_t bytes = 0;                   ///< of push constants
};

/// What a module of kernels may leave open, but a code object must know.
struct KernelSizes {
  /// Of workgroups, for kernels without the execution mode LocalSize; a product of 0: not known.
  std::array<uint32_t, 3> workgroup = {0, 0, 0};
  /// Bytes of the memory that the __local arguments of each kernel point to, in their order, for
  /// parameters without the decoration MaxByteOffset.
  std::vector<uint32_t> local;

  bool operator==(const KernelSizes &) const = default;
};

/// \p spirv with these sizes put in; as it is when nothing is open, or when it is no module of
/// kernels. Errors: as Module::parse().
llvm::Expected<std::vector<uint8_t>> completeKernels(llvm::ArrayRef<uint8_t> spirv,
                                                     const KernelSizes &sizes);

/// Does SPIR-V declare itself to be of the Kernel dialect? It is not checked.
bool isKernelSpirv(llvm::ArrayRef<uint8_t> spirv);

/// Functions that instructions of OpenCL.std are made of where LLVM has nothing for them, and that
/// kernels may call by their mangled names: SPIR-V such as libclc's spirv64 file. Immutable; it is
/// read when the first kernel needs a function of it, and errors in it come up there.
class KernelLibrary;
std::shared_ptr<const KernelLibrary> makeKernelLibrary(std::vector<uint8_t> spirv);

/// Compiler::buildShaderModule() of a module of either dialect. Its kernels are entry points of
/// ShaderStage::Compute. \p library is an input of what is compiled of kernels, and so of the
/// module's hashes; null: what needs one is an error.
llvm::Expected<ShaderModule>
buildKernelModule(llvm::ArrayRef<uint8_t> spirv, const ShaderModuleOptions &options = {},
                  std::shared_ptr<const KernelLibrary> library = nullptr);

/// What \p kernel takes. Errors: InvalidInput when there is no such kernel; Unsupported, with the
/// parameter, for opaque types but images and samplers; LimitExceeded beyond 64 KiB.
llvm::Expected<KernelInterface> kernelInterface(const ShaderModule &module, llvm::StringRef kernel);

} // namespace llpc
