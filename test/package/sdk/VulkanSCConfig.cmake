# SPDX-License-Identifier: MIT
# What find_package(VulkanSC) finds in tests: a stand-in for the Vulkan SC SDK that is as strict with
# manifests and compilers as the SDK's CMake modules are, where these differ from the document that
# describes them (docs/vulkansc.md, "What to look out for"):
#
# - every architecture of every manifest must have flags and a debug flag, also those not chosen;
# - devices are asked for by a program of the SDK, and have a flag that gets their id;
# - toolchains are called by letters and digits;
# - the command is one text, split at blanks, and runs in the folder of the pipelines;
# - the cache is called TARGET.bin, whatever OUT says;
# - the files that the cache depends on are read out of the JSON.
cmake_minimum_required(VERSION 3.25)
set(sdk "$ENV{VULKANSC_SDK}")
find_program(SDK_DEVICE_TOOL vkscpcctool REQUIRED HINTS "${sdk}/bin" NO_CACHE)

# Remembers what a toolchain can build for as SDK_<name>_<member>.
macro(sdk_add name compiler flags debugFlag)
  cmake_path(ABSOLUTE_PATH ${compiler} BASE_DIRECTORY "${folder}" NORMALIZE)
  list(APPEND SDK_NAMES "${toolchain} - ${name}")
  set("SDK_${toolchain} - ${name}_command" "${${compiler}}")
  set("SDK_${toolchain} - ${name}_flags" "${flags}")
  set("SDK_${toolchain} - ${name}_debug" "${debugFlag}")
endmacro()

file(GLOB manifests "${sdk}/share/vulkansc/pcc.d/*.json")
foreach(manifest ${manifests})
  file(REAL_PATH "${manifest}" manifest)
  cmake_path(GET manifest PARENT_PATH folder)
  file(READ "${manifest}" json)
  string(JSON toolchain GET "${json}" name)
  string(JSON count LENGTH "${json}" architectures)
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    string(JSON name MEMBER "${json}" architectures ${i})
    string(JSON compiler GET "${json}" architectures ${name} pipeline_cache_compiler)
    string(JSON flags GET "${json}" architectures ${name} pipeline_cache_flags)
    string(JSON debugFlag GET "${json}" architectures ${name} pipeline_cache_debug_flag)
    sdk_add("${name}" compiler "${flags}" "${debugFlag}")
  endforeach()
  string(JSON count LENGTH "${json}" devices)
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    set(filters)
    foreach(kind vendor device driver)
      string(JSON filter GET "${json}" devices ${i} ${kind}_id_filter)
      list(APPEND filters --${kind}-id-filter "${filter}")
    endforeach()
    execute_process(COMMAND "${SDK_DEVICE_TOOL}" --list-devices ${filters} OUTPUT_VARIABLE devices
                    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    if(devices MATCHES "^(0x[0-9a-f]+) ([^\n]+)$")
      set(id "${CMAKE_MATCH_1}")
      set(name "${CMAKE_MATCH_2}")
      string(JSON compiler GET "${json}" devices ${i} pipeline_cache_compiler)
      string(JSON flag GET "${json}" devices ${i} pipeline_cache_device_flag)
      string(JSON debugFlag GET "${json}" devices ${i} pipeline_cache_debug_flag)
      sdk_add("${name}" compiler "${flag} ${id}" "${debugFlag}")
    endif()
  endforeach()
endforeach()
if(NOT VulkanSC_PCC IN_LIST SDK_NAMES OR NOT VulkanSC_PCC MATCHES "^[A-Za-z0-9]* - ")
  message(FATAL_ERROR "${VulkanSC_PCC} is none of ${SDK_NAMES}")
endif()
set(SDK_SCANNER "${CMAKE_CURRENT_LIST_DIR}/scan.cmake")

function(add_vksc_pipeline_cache target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "DEBUG" "PATH;FLAGS" "")
  set(out "${CMAKE_CURRENT_BINARY_DIR}/${target}.bin")
  set(line "${SDK_${VulkanSC_PCC}_command} --path ${arg_PATH} --out ${out} ${arg_FLAGS}")
  if(arg_DEBUG)
    string(APPEND line " ${SDK_${VulkanSC_PCC}_debug}")
  endif()
  separate_arguments(command NATIVE_COMMAND "${line} ${SDK_${VulkanSC_PCC}_flags}")
  add_custom_command(OUTPUT "${out}" COMMAND ${command} WORKING_DIRECTORY "${arg_PATH}"
    DEPENDS ${target}_scan DEPFILE "${CMAKE_CURRENT_BINARY_DIR}/${target}.d")
  add_custom_target(${target}_scan COMMAND "${CMAKE_COMMAND}" "-DPIPELINES=${arg_PATH}"
    "-DCACHE=${out}" "-DDEPFILE=${CMAKE_CURRENT_BINARY_DIR}/${target}.d" -P "${SDK_SCANNER}")
  add_custom_target(${target} ALL DEPENDS "${out}")
  add_dependencies(${target}_scan shaders) # which the example makes; the SDK does not know them
endfunction()
