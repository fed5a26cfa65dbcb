//===- GraphicsSpec.cpp - state that draws begin with ---------------------===//
// SPDX-License-Identifier: MIT
#include "Graphics.h"

namespace exec {

GraphicsSpec::GraphicsSpec() {
  depthStencil.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
  colorBlend.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO;
  raster.lineWidth = 1;
  raster.frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE;
  depthStencil.depthCompareOp = VK_COMPARE_OP_ALWAYS;
  depthStencil.maxDepthBounds = 1;
  for (VkStencilOpState *face : {&depthStencil.front, &depthStencil.back}) {
    face->compareOp = VK_COMPARE_OP_ALWAYS;
    face->compareMask = face->writeMask = 0xFF;
  }
  for (VkPipelineColorBlendAttachmentState &target : blend)
    target.colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT |
                            VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT;
}

} // namespace exec
