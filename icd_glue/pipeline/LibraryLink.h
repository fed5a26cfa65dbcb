//===- LibraryLink.h - pipelines of libraries -----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A fast link finds the glue that the parts of two libraries need, and binds references: no bytes
/// move before the code is first needed. Pipelines are compiled monolithically instead, as if they
/// had been created without libraries, when the application wants link time optimisation, when
/// parts cannot be linked, and when texts of the compile are wanted.
#pragma once

#include "icd_glue/pipeline/PipelineCreation.h"

namespace icd {

/// The libraries of \p info, and the subsets that it describes itself.
struct LibraryInfo {
  const VkPipelineLibraryCreateInfoKHR *libraries = nullptr; ///< null or with libraries
  const VkGraphicsPipelineLibraryCreateInfoEXT *given = nullptr;
  Subsets own = allSubsets;

  LibraryInfo(const VkGraphicsPipelineCreateInfo &info, VkPipelineCreateFlags2KHR flags);
  /// A library, or a pipeline of libraries.
  bool isOfLibraries() const { return libraries || isLibrary; }
  /// The pieces of the libraries.
  LibraryPieces linked() const;

private:
  bool isLibrary;
};

/// Is a pipeline of libraries with these flags compiled as one?
bool mustBeMonolithic(VkPipelineCreateFlags2KHR flags);

/// A library, or a pipeline of libraries. Null: a compile would be needed, and is not allowed, or
/// not possible for want of SPIR-V.
llvm::Expected<std::shared_ptr<const PipelineData>>
buildOfLibraries(const PipelineCreation &creation, const VkGraphicsPipelineCreateInfo &info,
                 const LibraryInfo &library);

/// The pipeline of \p pieces, which are complete, with the layout that they have in union. Errors:
/// those of a compile.
llvm::Expected<std::shared_ptr<const PipelineData>> pipelineOfPieces(Device &device,
                                                                     LibraryPieces pieces);

/// The code for \p pieces, which are complete: parts and glue, made where they are not there yet,
/// and linked; compiled monolithically where that cannot be. Errors: those of a compile.
llvm::Expected<std::shared_ptr<const CodeObject>>
codeOfPieces(Device &device, const LibraryPieces &pieces, const GraphicsState &state,
             const std::shared_ptr<const PipelineLayoutData> &layout);

/// The code of a linked pipeline, compiled monolithically when the parts cannot be linked. Errors:
/// neither can be done.
llvm::Expected<std::shared_ptr<const CodeObject>>
codeOfLinked(Device &device, const LibraryPieces &pieces, const PartSet &parts,
             const GraphicsState &state, const std::shared_ptr<const PipelineLayoutData> &layout);

} // namespace icd
