# SPDX-License-Identifier: MIT
# Everything that is not ours. Versions and reasons: ARCHITECTURE.md, "Dependencies".
# LLVM's version file accepts only an equal major.minor, so the major version is checked here.
find_package(LLVM REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/llvm)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "LLVM 22 is needed, found ${LLVM_VERSION} in ${LLVM_DIR}")
endif()
separate_arguments(KILN_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
set(KILN_LLVM_LIBRARIES LLVM)
link_directories(${LLVM_LIBRARY_DIRS})
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_package(nlohmann_json REQUIRED)
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
if(KILN_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()
# Headers newer than the distribution's, unpacked under the build tree by ./kiln setup.
set(KILN_HEADERS_DIR "${CMAKE_SOURCE_DIR}/build/headers/usr/include" CACHE PATH
    "SPIR-V and Vulkan headers")
if(NOT EXISTS "${KILN_HEADERS_DIR}/spirv/unified1/spirv.core.grammar.json")
  set(KILN_HEADERS_DIR "/usr/include" CACHE PATH "SPIR-V and Vulkan headers" FORCE)
endif()
