//===- RayGroups.cpp - shader groups of ray tracing pipelines -------------===//
// SPDX-License-Identifier: MIT
#include "RayGroups.h"
#include "llvm/ADT/STLExtras.h"

namespace replay {
namespace {

using Group = VkRayTracingShaderGroupCreateInfoKHR;

struct GroupMember {
  const char *name;
  uint32_t Group::*shader;
  VkShaderStageFlags stages;
};
constexpr GroupMember members[] = {
    {"generalShader", &Group::generalShader,
     VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR |
         VK_SHADER_STAGE_CALLABLE_BIT_KHR},
    {"closestHitShader", &Group::closestHitShader, VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR},
    {"anyHitShader", &Group::anyHitShader, VK_SHADER_STAGE_ANY_HIT_BIT_KHR},
    {"intersectionShader", &Group::intersectionShader, VK_SHADER_STAGE_INTERSECTION_BIT_KHR}};

/// Stages that groups of a type may name, and those of which they must name one.
struct GroupType {
  VkRayTracingShaderGroupTypeKHR type;
  VkShaderStageFlags allowed, needed;
};
constexpr GroupType types[] = {
    {VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR, members[0].stages, members[0].stages},
    {VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR,
     members[1].stages | members[2].stages, 0},
    {VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR,
     members[1].stages | members[2].stages | members[3].stages, members[3].stages}};

} // namespace

std::optional<GroupFault>
findGroupFault(const Group &group, llvm::ArrayRef<VkShaderStageFlagBits> stages, bool isOpen) {
  const GroupType *type =
      llvm::find_if(types, [&](const GroupType &row) { return row.type == group.type; });
  if (type == std::end(types))
    return GroupFault{"type", "no type of shader groups"};
  for (const GroupMember &member : members) {
    const uint32_t shader = group.*member.shader;
    if (shader == VK_SHADER_UNUSED_KHR) {
      if (type->needed & member.stages)
        return GroupFault{member.name, "a group of this type has such a shader"};
      continue;
    }
    if (!(type->allowed & member.stages))
      return GroupFault{member.name, "a group of this type has no such shader"};
    if (shader < stages.size() ? stages[shader] & member.stages : isOpen)
      continue;
    return GroupFault{member.name, shader < stages.size()
                                       ? "stage " + std::to_string(shader) + " is of another kind"
                                       : "there are " + std::to_string(stages.size()) + " stages"};
  }
  return std::nullopt;
}

} // namespace replay
