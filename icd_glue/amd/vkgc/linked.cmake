# SPDX-License-Identifier: MIT
# Writes OUT, a source with the build ID of LIBRARY and the function through which a driver creates its compiler.
execute_process(COMMAND "${READELF}" -n "${LIBRARY}" OUTPUT_VARIABLE notes RESULT_VARIABLE failed)
if(failed OR NOT notes MATCHES "Build ID: ([0-9a-f]+)")
  message(FATAL_ERROR "no build ID in ${LIBRARY}")
endif()
file(WRITE "${OUT}" "// Written by the build: the driver's build ID depends on the compiler's.
#include \"llpc.h\"

extern \"C\" Vkgc::Result kilnAmdCreateCompiler(const char *identity, const Vkgc::GfxIpVersion *gfxIp, unsigned count,
                                              const char *const *options, Llpc::ICompiler **out);

Vkgc::Result Llpc::ICompiler::Create(GfxIpVersion gfxIp, unsigned count, const char *const *options, ICompiler **out,
                                     Vkgc::ICache *) {
  return kilnAmdCreateCompiler(\"${CMAKE_MATCH_1}\", &gfxIp, count, options, out);
}
")
