//===- KernelOptions.cpp - options about OpenCL kernels -------------------===//
// SPDX-License-Identifier: MIT
#include "Options.h"
#include "pal_shim/abi/Try.h"

using llvm::Error;
using llvm::StringRef;

namespace amdllpc {

namespace {

Error setLocalSize(Options &o, StringRef v) {
  llvm::SmallVector<StringRef, 3> parts;
  v.split(parts, ',');
  std::array<uint32_t, 3> size = {1, 1, 1};
  if (parts.size() > 3)
    return lgc::invalidInput("'" + v + "' is not of the form X[,Y[,Z]]");
  for (size_t i = 0; i < parts.size(); ++i)
    if (parts[i].getAsInteger(10, size[i]) || size[i] == 0)
      return lgc::invalidInput("'" + parts[i] + "' is no number of invocations");
  o.kernels.workgroup = size;
  return Error::success();
}

Error setLocalMemory(Options &o, StringRef v) {
  llvm::SmallVector<StringRef, 4> parts;
  v.split(parts, ',');
  o.kernels.local.clear();
  for (StringRef part : parts) {
    uint32_t bytes = 0;
    if (part.getAsInteger(10, bytes))
      return lgc::invalidInput("'" + part + "' is no number of bytes");
    o.kernels.local.push_back(bytes);
  }
  return Error::success();
}

constexpr OptionRow rows[] = {
    {"cl-std", "CL1.2|CL2.0|CL3.0", "OpenCL C that .cl files are written in (default CL1.2)",
     [](Options &o, StringRef v) -> Error {
       o.openCl.standard = v.str();
       return Error::success();
     }},
    {"local-size", "X[,Y[,Z]]",
     "size of the workgroups of kernels that say none (reqd_work_group_size)", setLocalSize},
    {"local-memory", "BYTES[,BYTES...]",
     "sizes of the memory that the __local arguments of a kernel point to, in their order",
     setLocalMemory},
    {"spirv-translator", "FILE|off",
     "the program llvm-spirv, which writes SPIR-V of what clang makes of .cl files; off: clang "
     "writes it (default: the one that fits clang, if it is installed)",
     [](Options &o, StringRef v) -> Error {
       o.openCl.translator = v.str();
       return Error::success();
     }},
    {"opencl-library", "FILE|off",
     "SPIR-V with OpenCL C's functions, as libclc has them (default: its file, if it is installed)",
     [](Options &o, StringRef v) -> Error {
       o.openCl.library = v.str();
       return Error::success();
     }},
};

} // namespace

llvm::ArrayRef<OptionRow> kernelRows() { return rows; }

} // namespace amdllpc
