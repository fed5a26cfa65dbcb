//===- ExternalSync.h - semaphores and fences that are shared --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// VK_KHR_external_semaphore_fd and VK_KHR_external_fence_fd.
///
/// Opaque descriptors are shared by reference (SyncPayload.h). Sync files are copied: what is
/// exported of a semaphore is -1, which means "signaled already" to everybody, so an export waits
/// for the signal, whose submissions must all have been made
/// (VUID-VkSemaphoreGetFdInfoKHR-handleType-03254). Nothing says so of fences: of these, sync files
/// are imported only.
#pragma once

#include "icd_glue/context/SyncDomain.h"
#include "icd_glue/sync/SyncPayload.h"

namespace icd {

/// Called when the object of \p payload is destroyed.
void forgetPayload(SyncDomain &sync, const SyncPayload &payload);

} // namespace icd
