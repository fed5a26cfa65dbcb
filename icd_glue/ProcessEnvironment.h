//===- ProcessEnvironment.h - variables of the process --------------------===//
// SPDX-License-Identifier: MIT
#pragma once

namespace icd {

/// The process's variable of that name; null: not set. None is set in processes that have more
/// rights than whoever started them (set-user-ID programs, file capabilities): variables name files
/// to be written.
const char *processEnvironment(const char *name);

} // namespace icd
