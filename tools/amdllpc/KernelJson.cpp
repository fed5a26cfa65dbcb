//===- KernelJson.cpp - what a kernel takes, as JSON ----------------------===//
// SPDX-License-Identifier: MIT
#include "KernelJson.h"

using nlohmann::ordered_json;

namespace amdllpc {

static const char *nameOf(llpc::KernelArgumentKind kind) {
  switch (kind) {
  case llpc::KernelArgumentKind::Value:
    return "value";
  case llpc::KernelArgumentKind::GlobalPointer:
    return "global";
  case llpc::KernelArgumentKind::ConstantPointer:
    return "constant";
  case llpc::KernelArgumentKind::LocalPointer:
    return "local";
  case llpc::KernelArgumentKind::Image:
    return "image";
  case llpc::KernelArgumentKind::Sampler:
    return "sampler";
  }
  return "";
}

static ordered_json jsonOf(const llpc::KernelArgument &argument) {
  constexpr const char *dims[] = {"1d", "2d", "3d", "1d_array", "2d_array", "buffer"};
  constexpr const char *accesses[] = {"read_only", "write_only", "read_write"};
  ordered_json json = {{"name", argument.name}, {"kind", nameOf(argument.kind)}};
  switch (argument.kind) {
  case llpc::KernelArgumentKind::Image:
    json["dim"] = dims[unsigned(argument.dim)];
    json["access"] = accesses[unsigned(argument.access)];
    [[fallthrough]];
  case llpc::KernelArgumentKind::Sampler:
    json["binding"] = argument.binding;
    break;
  case llpc::KernelArgumentKind::LocalPointer:
    json["size"] = argument.size;
    break;
  default:
    json["offset"] = argument.offset;
    json["size"] = argument.size;
    json["align"] = argument.align;
    break;
  }
  return json;
}

static ordered_json jsonOf(const llpc::KernelSampler &sampler, uint32_t binding) {
  constexpr const char *addresses[] = {"none", "clamp_to_edge", "clamp", "repeat",
                                       "repeat_mirrored"};
  return {{"binding", binding},
          {"address", addresses[unsigned(sampler.address)]},
          {"filter", sampler.linear ? "linear" : "nearest"},
          {"normalized", sampler.normalized}};
}

void addKernel(ordered_json &json, const llpc::KernelInterface &kernel) {
  json["argument_bytes"] = kernel.bytes;
  json["arguments"] = ordered_json::array();
  for (const llpc::KernelArgument &argument : kernel.arguments)
    json["arguments"].push_back(jsonOf(argument));
  for (uint32_t i = 0; i < kernel.samplers.size(); ++i)
    json["samplers"].push_back(jsonOf(kernel.samplers[i], kernel.firstSampler + i));
  if (kernel.workDim)
    json["work_dim_offset"] = *kernel.workDim;
  if (kernel.printfBuffer)
    json["printf_buffer_offset"] = *kernel.printfBuffer;
}

} // namespace amdllpc
