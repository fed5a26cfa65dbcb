# SPDX-License-Identifier: MIT
# Language level, warnings, build accelerators and the helper functions all folders use.
option(KILN_BUILD_TESTS "build GoogleTest binaries and register lit tests" ON)
option(KILN_SANITIZE "build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(KILN_TSAN "build with ThreadSanitizer" OFF)
option(KILN_FUZZ "build the libFuzzer targets (needs clang)" OFF)
set(KILN_FUZZ_LGC "" CACHE FILEPATH
    "liblgc.a of another build to link the libFuzzer targets with; empty: lgc is instrumented like everything else")
set(KILN_AMD_HEADERS "" CACHE PATH
    "folder of an LLPC checkout, for a library with AMD's compiler interface (docs/amd-icd.md); empty: none")
option(KILN_PCH "use precompiled headers" ON)
option(KILN_WERROR "treat compiler warnings as errors (all presets do)" OFF)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_VISIBILITY_PRESET default)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_CXX_FLAGS_RELEASE "-O2")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Why these settings: a precompiled header is otherwise never a cache hit.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
      "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime"
      "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" "CCACHE_NOHASHDIR=1" "${CCACHE_PROGRAM}")
endif()

add_compile_options(-Wall -Wextra -Wno-unused-parameter -Werror=unused-result -fno-exceptions
                    $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti> -fno-math-errno
                    -fPIC) # for programs as for libraries: they can share precompiled headers
if(KILN_WERROR)
  add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Why: a time stamp inside the precompiled header would make every ccache lookup a miss.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  find_program(LLD_PROGRAM NAMES ld.lld-22 ld.lld)
  if(LLD_PROGRAM)
    add_link_options("--ld-path=${LLD_PROGRAM}")
  endif()
endif()
if(KILN_SANITIZE)
  # Why no vptr: it needs type information of LLVM classes that the distribution does not export.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined
                      -fno-sanitize=vptr,function -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(KILN_TSAN)
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
endif()
if(KILN_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "KILN_FUZZ needs clang")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link,address -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address)
endif()

# kiln_precompile(<target> [header...]): precompiles the given headers, else LLVM's and the standard library's that know
# no IR, with GoogleTest's if it is a test. Reading them is most of the time that compiling takes. Targets with the same
# headers and options share what the first of them has made, so options are given before this; without such a target,
# one of one or two files reads the headers faster than it precompiles them.
function(kiln_precompile target)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(LENGTH sources count)
  if(NOT KILN_PCH)
    return()
  endif()
  set(headers ${ARGN})
  if(NOT headers)
    set(headers "${CMAKE_SOURCE_DIR}/cmake/pch/Support.h")
  endif()
  get_target_property(libraries ${target} LINK_LIBRARIES)
  if("GTest::gtest" IN_LIST libraries)
    list(APPEND headers <gtest/gtest.h>)
  endif()
  get_target_property(options ${target} COMPILE_OPTIONS)
  get_target_property(definitions ${target} COMPILE_DEFINITIONS)
  list(REMOVE_ITEM definitions ${KILN_LLVM_DEFINITIONS} "definitions-NOTFOUND") # whoever uses lgc has LLVM's
  string(SHA256 key "${headers};${options};${definitions}")
  get_property(first GLOBAL PROPERTY kilnPrecompiled-${key})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  elseif(count GREATER 2)
    target_precompile_headers(${target} PRIVATE ${headers})
    set_property(GLOBAL PROPERTY kilnPrecompiled-${key} ${target})
  endif()
endfunction()

# kiln_test_code(<target>): a program that tests. Not optimised in release builds: it takes longer to compile than it runs.
function(kiln_test_code target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
endfunction()

# kiln_newer_vulkan(folder): the rule for folder/icd_glue/NewerVulkan.h, what icd_glue/Object.h includes of extensions that
# are newer than the headers.
function(kiln_newer_vulkan folder)
  set(registry "${KILN_HEADERS_DIR}/../share/vulkan/registry/vk.xml")
  set(generators "${CMAKE_SOURCE_DIR}/icd_glue/generate/newerHeader.py" "${CMAKE_SOURCE_DIR}/icd_glue/generate/newer.xml"
      "${CMAKE_SOURCE_DIR}/icd_glue/generate/registry.py")
  file(MAKE_DIRECTORY "${folder}/icd_glue")
  list(GET generators 0 script)
  add_custom_command(
    OUTPUT "${folder}/icd_glue/NewerVulkan.h"
    COMMAND ${Python3_EXECUTABLE} -B "${script}" "${registry}" "${folder}/icd_glue/NewerVulkan.h"
    DEPENDS ${generators} "${registry}")
endfunction()

# kiln_source_hash(folder): the rule for folder/icd_glue/SourceHash.inc, which all that makes or reads code includes.
function(kiln_source_hash folder)
  set(folders lgc llpc pal_shim icd_glue)
  list(TRANSFORM folders PREPEND "${CMAKE_SOURCE_DIR}/" OUTPUT_VARIABLE patterns)
  list(TRANSFORM patterns APPEND "/*")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
  list(FILTER sources EXCLUDE REGEX "((For)?Test\\.(cpp|h)|\\.md|\\.pyc)$")
  file(MAKE_DIRECTORY "${folder}/icd_glue")
  set(script "${CMAKE_SOURCE_DIR}/icd_glue/generate/sourceHash.py")
  string(SHA256 names "${sources}")
  add_custom_command(
    OUTPUT "${folder}/icd_glue/SourceHash.inc"
    COMMAND ${Python3_EXECUTABLE} -B "${script}" "${folder}/icd_glue/SourceHash.inc" ${names} "${CMAKE_SOURCE_DIR}"
            ${folders}
    DEPENDS ${sources})
endfunction()

# kiln_add_library(<name> FOLDERS f... DEPENDS lib... [OPTIONS o...]) : a static library from every .cpp in the
# folders, without *Test.cpp; those become the GoogleTest binary <name>Tests.
function(kiln_add_library name)
  cmake_parse_arguments(ARG "" "" "FOLDERS;DEPENDS;SOURCES;PCH;OPTIONS" ${ARGN})
  set(sources ${ARG_SOURCES})
  set(testSources)
  foreach(folder ${ARG_FOLDERS})
    file(GLOB found CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp")
    foreach(file ${found})
      if(file MATCHES "Test\\.cpp$")
        list(APPEND testSources ${file})
      else()
        list(APPEND sources ${file})
      endif()
    endforeach()
  endforeach()
  if(NOT sources)
    # A folder without code yet still configures.
    set(sources "${CMAKE_CURRENT_BINARY_DIR}/${name}Empty.cpp")
    file(CONFIGURE OUTPUT ${sources} CONTENT "")
  endif()
  add_library(${name} STATIC ${sources})
  add_library(Kiln::${name} ALIAS ${name})
  target_include_directories(${name} SYSTEM PUBLIC "$<BUILD_INTERFACE:${LLVM_INCLUDE_DIRS}>")
  target_compile_definitions(${name} PUBLIC ${KILN_LLVM_DEFINITIONS})
  target_include_directories(${name} PUBLIC "$<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>")
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_link_libraries(${name} PUBLIC ${ARG_DEPENDS})
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
  kiln_precompile(${name} ${ARG_PCH})
  if(KILN_BUILD_TESTS AND testSources)
    add_executable(${name}Tests ${testSources})
    target_link_libraries(${name}Tests PRIVATE ${name} GTest::gtest GTest::gtest_main)
    if(NOT ARG_PCH) # tests of IR are mostly headers of LLVM, and run for longer
      kiln_test_code(${name}Tests)
    endif()
    kiln_precompile(${name}Tests ${ARG_PCH})
    add_test(NAME ${name}Tests COMMAND ${name}Tests)
  endif()
endfunction()

# One executable fuzz-<folder> from each folder <folder>/Fuzz*.cpp of the current directory.
function(kiln_add_fuzz_targets)
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" */Fuzz*.cpp)
  foreach(source ${sources})
    get_filename_component(folder ${source} DIRECTORY)
    if(NOT TARGET fuzz-${folder})
      add_executable(fuzz-${folder})
      target_link_libraries(fuzz-${folder} PRIVATE ${ARGN})
      target_link_options(fuzz-${folder} PRIVATE -fsanitize=fuzzer)
    endif()
    target_sources(fuzz-${folder} PRIVATE ${source})
  endforeach()
endfunction()
