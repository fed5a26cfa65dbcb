//===- Sample.h - generated inputs for any compute shader -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Makes a Job out of nothing but a module: descriptors from what its entry point uses, buffers
/// with seeded data of the types that their blocks declare, images with patterns, push constants
/// with small numbers. The shader's real inputs are unknown, so that indices may leave the buffers:
/// the job is meant for devices with robustBufferAccess2 and robustImageAccess2, where this is
/// defined.
#pragma once

#include "Layout.h"

namespace exec {

/// What a buffer or image of the job is, for messages and comparison.
struct SampleResource {
  std::string name; ///< "set 0 binding 1 (data)"
  bool isImage = false;
  uint32_t index = 0;                    ///< in Job::buffers or Job::images
  Layout layout;                         ///< buffers
  ScalarType texelType = ScalarType::U8; ///< images: type of a component, U8 for packed ones
  bool written = true;                   ///< a shader may write it
};

struct Sample {
  Job job;
  std::vector<SampleResource> resources;
  std::vector<std::string> features; ///< that the module's capabilities need
};

/// One module of a differential run: FILE[,ENTRY[,ID=VALUE...]].
struct SampleInput {
  std::string text; ///< as written
  std::string path;
  std::string entry;                                         ///< empty: the only one, or "main"
  std::vector<std::pair<uint32_t, uint64_t>> specialization; ///< raw values
};
llvm::Expected<SampleInput> parseSampleInput(llvm::StringRef text);

/// A module with what is needed to use one entry point of it.
struct SampleModule {
  std::vector<uint32_t> words;
  std::unique_ptr<llpc::spirv::Module> module;
  const llpc::spirv::EntryPoint *entry = nullptr; ///< of the module
  std::vector<llpc::SpecConstant> specialization;
};
/// Errors: a file that cannot be read or compiled; no entry point of that name and \p model.
llvm::Expected<SampleModule> loadSampleModule(const SampleInput &input, spv::ExecutionModel model);

/// Errors: a module that cannot be read, or a resource that this does not know how to make.
llvm::Expected<Sample> makeSample(const SampleInput &input, uint64_t seed);
/// The same for a module that was read, called \p name.
llvm::Expected<Sample> makeSample(const SampleModule &loaded, const std::string &name,
                                  uint64_t seed);

/// The format for an image type's format; four 32-bit components where it is Unknown.
/// VK_FORMAT_UNDEFINED: not in the table.
VkFormat formatOf(spv::ImageFormat format, ScalarType sampled);
/// The type of a component of a format by name; normalized bytes count as U8, packed ones as U32.
ScalarType componentType(llvm::StringRef format);

} // namespace exec
