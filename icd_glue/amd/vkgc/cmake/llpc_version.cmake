# SPDX-License-Identifier: MIT
# What an AMD-style driver includes of its compiler's folder before it adds the folder itself: the version of the
# interface, from the headers that the driver's own checkout of LLPC has.
if(NOT EXISTS "${KILN_AMD_HEADERS}/llpc/include/llpc.h")
  message(FATAL_ERROR "KILN_AMD_HEADERS must be the folder of an LLPC checkout")
endif()
set(DISABLE_LLPC_VERSION_USES_LLVM ON)
include("${KILN_AMD_HEADERS}/cmake/llpc_version.cmake")
