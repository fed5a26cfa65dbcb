//===- ProgramRegisters.h - registers of metadata, decoded -----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/core/GraphicsProgram.h"

namespace pal::device {

/// `.graphics_registers` as structures; what is missing there is 0, as PAL programs it.
VertexRegisters decodeVertexRegisters(abi::PipelineMetadata &metadata);
HullRegisters decodeHullRegisters(abi::PipelineMetadata &metadata);
StreamOutRegisters decodeStreamOutRegisters(abi::PipelineMetadata &metadata);
GeometryRegisters decodeGeometryRegisters(abi::PipelineMetadata &metadata);
MeshRegisters decodeMeshRegisters(abi::PipelineMetadata &metadata);
FragmentRegisters decodeFragmentRegisters(abi::PipelineMetadata &metadata);

} // namespace pal::device
