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
find_package(PNG REQUIRED)
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
# Why static: the driver lives in other people's processes, which may bring another SQLite or zstd.
find_path(SQLITE3_INCLUDE_DIR sqlite3.h REQUIRED)
find_library(SQLITE3_STATIC_LIBRARY libsqlite3.a REQUIRED)
find_path(ZSTD_INCLUDE_DIR zstd.h REQUIRED)
find_library(ZSTD_STATIC_LIBRARY libzstd.a REQUIRED)
# Types only: OpenSSL is loaded by who asks for a server or signatures.
find_path(OPENSSL_INCLUDE_DIR openssl/ssl.h REQUIRED)
# Types only: the driver loads libxcb when an application uses it.
find_path(XCB_INCLUDE_DIR xcb/xcb.h REQUIRED)
if(KILN_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()

# SPIR-V and Vulkan headers: what the user names, else those that ./kiln setup unpacked because the
# distribution's are too old, else the system's. Not written back to the cache, so that headers that
# appear later are found by the next configuration.
set(KILN_HEADERS_DIR "" CACHE PATH "folder with spirv/ and vulkan/ headers (empty: automatic)")
if(NOT KILN_HEADERS_DIR)
  set(KILN_HEADERS_DIR "${CMAKE_SOURCE_DIR}/build/headers/usr/include")
  if(NOT EXISTS "${KILN_HEADERS_DIR}/spirv/unified1/spirv.core.grammar.json")
    set(KILN_HEADERS_DIR "/usr/include")
  endif()
endif()
if(NOT EXISTS "${KILN_HEADERS_DIR}/spirv/unified1/spirv.core.grammar.json")
  message(FATAL_ERROR "no SPIR-V headers in '${KILN_HEADERS_DIR}': run ./kiln setup")
endif()
