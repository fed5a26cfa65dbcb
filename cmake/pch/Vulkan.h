// SPDX-License-Identifier: MIT
// Precompiled for targets that know Vulkan.
#pragma once
#include "cmake/pch/Support.h"
// Functions come from the loader or the driver by name.
#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vk_icd.h>
#include <vulkan/vulkan.h>
