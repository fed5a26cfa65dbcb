# SPDX-License-Identifier: MIT
# Finds pipeline cache compilers (PCC) for Vulkan SC by their manifests, for projects on machines
# without the Vulkan SC SDK, whose CMake package does the same. After include(FindPcc):
#
#   VulkanSC_PCC        (cache) "<toolchain> - <architecture>"; by default the first one found
#   add_vksc_pipeline_cache(TARGET [DEBUG] PATH folder [FLAGS flags] [OUT file] [DEPENDS file...])
#
# Manifests and places: "Pipeline Cache Compiler discovery" of VulkanSC-pcutil. Targets that stand for
# devices of this machine are left to the SDK, which has a program that lists them.
cmake_minimum_required(VERSION 3.25)

# A build that configures the project again need not have the variable.
if(DEFINED ENV{VULKANSC_SDK})
  set(PCC_SDK "$ENV{VULKANSC_SDK}" CACHE PATH "VULKANSC_SDK, when it was last set" FORCE)
  mark_as_advanced(PCC_SDK)
endif()

# Where manifests are on Linux; what is found first wins.
function(_pcc_manifests result)
  set(found)
  foreach(root "${PCC_SDK}/share" "$ENV{HOME}/.config" /etc/xdg /usr/local/etc /etc
          "$ENV{HOME}/.local/share" /usr/local/share /usr/share)
    file(GLOB here "${root}/vulkansc/pcc.d/*.json")
    list(APPEND found ${here})
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# A member of a JSON object; empty if it is not there.
function(_pcc_get result json)
  string(JSON value ERROR_VARIABLE error GET "${json}" ${ARGN})
  if(error)
    set(value "")
  endif()
  set(${result} "${value}" PARENT_SCOPE)
endfunction()

# An absolute path, one that is relative to the manifest, or a name to look for.
function(_pcc_executable result name manifest)
  if(IS_ABSOLUTE "${name}")
    set(path "${name}")
  elseif(name MATCHES "/")
    file(REAL_PATH "${manifest}" manifest)
    cmake_path(GET manifest PARENT_PATH folder)
    cmake_path(ABSOLUTE_PATH name BASE_DIRECTORY "${folder}" NORMALIZE OUTPUT_VARIABLE path)
  else()
    find_program(path NAMES "${name}" NO_CACHE)
  endif()
  if(NOT EXISTS "${path}")
    message(FATAL_ERROR "${manifest}: there is no ${name}")
  endif()
  set(${result} "${path}" PARENT_SCOPE)
endfunction()

# Sets names (a list) and, for the wanted one, manifest, toolchain and architecture.
function(_pcc_search wanted)
  set(names)
  _pcc_manifests(manifests)
  foreach(manifest ${manifests})
    file(READ "${manifest}" json)
    string(JSON toolchain GET "${json}" name)
    string(JSON count ERROR_VARIABLE error LENGTH "${json}" architectures)
    if(error OR count EQUAL 0)
      continue()
    endif()
    math(EXPR last "${count} - 1")
    foreach(i RANGE ${last})
      string(JSON architecture MEMBER "${json}" architectures ${i})
      set(name "${toolchain} - ${architecture}")
      if(NOT name IN_LIST names)
        list(APPEND names "${name}")
        if(name STREQUAL wanted)
          set(PCC_MANIFEST "${manifest}" PARENT_SCOPE)
          set(PCC_ARCHITECTURE "${architecture}" PARENT_SCOPE)
        endif()
      endif()
    endforeach()
  endforeach()
  set(PCC_NAMES "${names}" PARENT_SCOPE)
endfunction()

_pcc_search("")
if(NOT PCC_NAMES)
  message(FATAL_ERROR "no manifest of a pipeline cache compiler; set the environment variable "
                      "VULKANSC_SDK to the folder in which one is installed")
endif()
list(GET PCC_NAMES 0 default)
set(VulkanSC_PCC "${default}" CACHE STRING "pipeline cache compiler and architecture")
set_property(CACHE VulkanSC_PCC PROPERTY STRINGS "${PCC_NAMES}")
_pcc_search("${VulkanSC_PCC}")
if(NOT PCC_MANIFEST)
  list(JOIN PCC_NAMES "\n  " names)
  message(FATAL_ERROR "no pipeline cache compiler is called ${VulkanSC_PCC}, but\n  ${names}")
endif()
file(READ "${PCC_MANIFEST}" json)
set(entry architectures "${PCC_ARCHITECTURE}")
string(JSON compiler GET "${json}" ${entry} pipeline_cache_compiler)
_pcc_executable(PCC_EXECUTABLE "${compiler}" "${PCC_MANIFEST}")
_pcc_get(flags "${json}" ${entry} pipeline_cache_flags)
separate_arguments(PCC_FLAGS UNIX_COMMAND "${flags}")
_pcc_get(flags "${json}" ${entry} pipeline_cache_debug_flag)
separate_arguments(PCC_DEBUG_FLAG UNIX_COMMAND "${flags}")
message(STATUS "Pipeline cache compiler: ${VulkanSC_PCC} (${PCC_EXECUTABLE})")

function(add_vksc_pipeline_cache target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "DEBUG" "PATH;FLAGS;OUT" "DEPENDS")
  if(NOT arg_PATH)
    message(FATAL_ERROR "add_vksc_pipeline_cache(${target}): PATH is missing")
  endif()
  cmake_path(ABSOLUTE_PATH arg_PATH BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  if(NOT arg_OUT)
    set(arg_OUT "${target}.bin")
  endif()
  cmake_path(ABSOLUTE_PATH arg_OUT BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  separate_arguments(flags UNIX_COMMAND "${arg_FLAGS}")
  if(arg_DEBUG)
    list(APPEND flags ${PCC_DEBUG_FLAG})
  endif()
  file(GLOB inputs CONFIGURE_DEPENDS "${arg_PATH}/*.json")
  add_custom_command(OUTPUT "${arg_OUT}"
    COMMAND "${PCC_EXECUTABLE}" --path "${arg_PATH}" --out "${arg_OUT}" ${flags} ${PCC_FLAGS}
    DEPENDS ${inputs} ${arg_DEPENDS} "${PCC_EXECUTABLE}"
    COMMENT "Compiling pipelines for ${VulkanSC_PCC}"
    VERBATIM)
  add_custom_target(${target} ALL DEPENDS "${arg_OUT}")
endfunction()
