# SPDX-License-Identifier: MIT
# cmake -DBUILD_DIR=... -DWORK_DIR=... -DSOURCE_DIR=... -DCXX=... -P vulkansc.cmake: installs the build
# to a scratch prefix, checks its PCC manifest, and builds examples/vulkansc against it for two targets,
# for one without and with debug information; the program that comes out runs on the installed
# driver. An SDK of this machine would not do: its modules take no blanks in paths. What they want is
# then had of a stand-in (sdk/).
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK_DIR}")
set(prefix "${WORK_DIR}/a prefix") # paths may have blanks

function(run)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "OUTPUT;RESULT" "COMMAND")
  execute_process(COMMAND ${arg_COMMAND} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE errors)
  if(NOT result EQUAL 0)
    list(JOIN arg_COMMAND " " text)
    message(FATAL_ERROR "${text}: exit code ${result}\n${output}${errors}")
  endif()
  if(arg_OUTPUT)
    set(${arg_OUTPUT} "${output}" PARENT_SCOPE)
  endif()
endfunction()

function(expect text pattern what)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "${what}: '${text}' does not match ${pattern}")
  endif()
endfunction()

run(COMMAND "${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${prefix}")

# The manifest: what the document calls required, and what VulkanSCPccDiscovery.cmake of
# VulkanSC-pcutil reads besides, stricter than the document.
set(manifest "${prefix}/share/vulkansc/pcc.d/kiln.json")
file(READ "${manifest}" json)
string(JSON version GET "${json}" file_format_version)
expect("${version}" "^1\\.0\\.0$" "file_format_version")
string(JSON toolchain GET "${json}" name)
expect("${toolchain}" "^[A-Za-z0-9]+$" "name")
set(filterItem "(0x[0-9a-f]+|[0-9]+)(-(0x[0-9a-f]+|[0-9]+))?")
function(check_entry)
  string(JSON compiler GET "${json}" ${ARGN} pipeline_cache_compiler)
  expect("${compiler}" "^\\.\\./" "pipeline_cache_compiler")
  cmake_path(ABSOLUTE_PATH compiler BASE_DIRECTORY "${prefix}/share/vulkansc/pcc.d" NORMALIZE)
  if(NOT compiler STREQUAL "${prefix}/bin/kiln-pcc" OR NOT EXISTS "${compiler}")
    message(FATAL_ERROR "${compiler} is not the installed kiln-pcc")
  endif()
  string(JSON debug GET "${json}" ${ARGN} pipeline_cache_debug_flag)
  expect("${debug}" "^--debug$" "pipeline_cache_debug_flag")
  foreach(filter vendor driver device)
    string(JSON value GET "${json}" ${ARGN} ${filter}_id_filter)
    expect("${value}" "^${filterItem}(,${filterItem})*$" "${filter}_id_filter")
    if(NOT value) # CMake takes it for none
      message(FATAL_ERROR "${filter}_id_filter: ${value} is false")
    endif()
  endforeach()
endfunction()
set(architectures)
string(JSON count LENGTH "${json}" architectures)
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  string(JSON architecture MEMBER "${json}" architectures ${i})
  list(APPEND architectures "${architecture}")
  check_entry(architectures "${architecture}")
  string(JSON flags GET "${json}" architectures "${architecture}" pipeline_cache_flags)
  expect("${flags}" "^--chip ${architecture}$" "pipeline_cache_flags")
endforeach()
run(COMMAND "${prefix}/bin/kiln-pcc" --list-architectures OUTPUT listed)
string(STRIP "${listed}" listed)
string(REPLACE "\n" ";" listed "${listed}")
if(NOT listed STREQUAL architectures)
  message(FATAL_ERROR "--list-architectures: ${listed}; manifest: ${architectures}")
endif()
string(JSON count LENGTH "${json}" devices)
expect("${count}" "^1$" "devices")
check_entry(devices 0)
string(JSON deviceFlag GET "${json}" devices 0 pipeline_cache_device_flag)
expect("${deviceFlag}" "^--device$" "pipeline_cache_device_flag")

# The example.
set(driver "${prefix}/share/vulkan/icd.d/kiln_icd.json")
function(build architecture type)
  set(folder "${WORK_DIR}/${architecture} ${type}")
  run(COMMAND "${CMAKE_COMMAND}" -E env "VULKANSC_SDK=${prefix}" "${CMAKE_COMMAND}"
      -S "${SOURCE_DIR}/examples/vulkansc" -B "${folder}" -G Ninja "-DCMAKE_CXX_COMPILER=${CXX}"
      "-DCMAKE_BUILD_TYPE=${type}" -DCMAKE_DISABLE_FIND_PACKAGE_VulkanSC=ON
      "-DVulkanSC_PCC=${toolchain} - ${architecture}")
  run(COMMAND "${CMAKE_COMMAND}" --build "${folder}")
  run(COMMAND "${CMAKE_COMMAND}" -E env "VK_DRIVER_FILES=${driver}" "VK_ICD_FILENAMES=${driver}"
      "VK_LOADER_LAYERS_DISABLE=~implicit~" KILN_CACHE=off "KILN_DEVICES=gfx1010,${architecture}"
      "${folder}/squares" "${folder}/pipelines.bin" OUTPUT said)
  expect("${said}" "^Kiln ${architecture}.*times 3: right.*times 5: right" "squares")
  # Nothing is left to do.
  run(COMMAND "${CMAKE_COMMAND}" --build "${folder}" OUTPUT said)
  expect("${said}" "no work to do" "the second build")
endfunction()
foreach(architecture gfx1010 gfx1100) # pcc-caches has all families
  build(${architecture} Release)
endforeach()
build(gfx1100 Debug)

# A pipeline that is removed from the project is gone from the cache after the next build.
set(copy "${WORK_DIR}/a copy")
file(COPY "${SOURCE_DIR}/examples/vulkansc/" DESTINATION "${copy}")
run(COMMAND "${CMAKE_COMMAND}" -E env "VULKANSC_SDK=${prefix}" "${CMAKE_COMMAND}" -S "${copy}"
    -B "${copy}/build" -G Ninja "-DCMAKE_CXX_COMPILER=${CXX}" -DCMAKE_DISABLE_FIND_PACKAGE_VulkanSC=ON
    "-DVulkanSC_PCC=${toolchain} - gfx1100")
run(COMMAND "${CMAKE_COMMAND}" --build "${copy}/build" --target pipelines OUTPUT said)
expect("${said}" "3 pipelines for gfx1100" "the first build of the copy")
file(REMOVE "${copy}/pipelines/squares5.json")
run(COMMAND "${CMAKE_COMMAND}" --build "${copy}/build" --target pipelines OUTPUT said)
expect("${said}" "2 pipelines for gfx1100" "the build without a pipeline")
run(COMMAND "${CMAKE_COMMAND}" --build "${copy}/build" --target pipelines OUTPUT said)
expect("${said}" "no work to do" "the build after it")

# With debug information the cache has the JSON of every pipeline as it is in the project; without
# it has none of it. CMake reads bytes as digits
# only: a text would end at the first zero.
function(contains result cache text)
  file(READ "${cache}" bytes HEX)
  string(HEX "${text}" wanted)
  string(FIND "${bytes}" "${wanted}" place)
  if(place EQUAL -1)
    set(${result} NO PARENT_SCOPE)
  else()
    set(${result} YES PARENT_SCOPE)
  endif()
endfunction()
file(GLOB descriptions "${SOURCE_DIR}/examples/vulkansc/pipelines/*.json")
foreach(description ${descriptions})
  file(READ "${description}" text)
  contains(inDebug "${WORK_DIR}/gfx1100 Debug/pipelines.bin" "${text}")
  contains(inRelease "${WORK_DIR}/gfx1100 Release/pipelines.bin" "${text}")
  if(NOT inDebug OR inRelease)
    message(FATAL_ERROR "${description}: debug ${inDebug}, release ${inRelease}")
  endif()
endforeach()

# As VulkanSCPccUtilities.cmake runs it: in the folder of the JSON files, flags repeated and in any
# order, a device by eight digits.
set(inputs "${WORK_DIR}/gfx1100 Release/inputs")
execute_process(COMMAND "${prefix}/bin/kiln-pcc" --path "${inputs}" --out "${WORK_DIR}/device.bin"
                        --debug --debug --device 0x0000744c
                WORKING_DIRECTORY "${inputs}" RESULT_VARIABLE result OUTPUT_VARIABLE output
                ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "kiln-pcc --device: exit code ${result}\n${output}")
endif()
file(SHA256 "${WORK_DIR}/device.bin" byDevice)
file(SHA256 "${WORK_DIR}/gfx1100 Debug/pipelines.bin" byArchitecture)
if(NOT byDevice STREQUAL byArchitecture)
  message(FATAL_ERROR "--device and --chip give different caches")
endif()

# The same example through the SDK's package, for an architecture and for a device of the machine:
# the manifest and the command line are what its modules want, and the caches are the same.
set(sdk "${WORK_DIR}/sdk")
run(COMMAND "${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${sdk}")
file(WRITE "${sdk}/bin/vkscpcctool" "#!/bin/sh
[ \"$1 $2 $3\" = '--list-devices --vendor-id-filter 0x1002' ] && echo '0x0000744c Some GPU (1)'\n")
file(CHMOD "${sdk}/bin/vkscpcctool" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
function(build_with_sdk name folder type)
  run(COMMAND "${CMAKE_COMMAND}" -E env "VULKANSC_SDK=${sdk}" "${CMAKE_COMMAND}"
      -S "${SOURCE_DIR}/examples/vulkansc" -B "${WORK_DIR}/${folder}" -G Ninja "-DCMAKE_CXX_COMPILER=${CXX}"
      "-DCMAKE_BUILD_TYPE=${type}" "-DVulkanSC_DIR=${CMAKE_CURRENT_FUNCTION_LIST_DIR}/sdk"
      "-DVulkanSC_PCC=${name}")
  run(COMMAND "${CMAKE_COMMAND}" --build "${WORK_DIR}/${folder}" --target pipelines)
  file(SHA256 "${WORK_DIR}/${folder}/pipelines.bin" found)
  file(SHA256 "${WORK_DIR}/gfx1100 ${type}/pipelines.bin" wanted)
  if(NOT found STREQUAL wanted)
    message(FATAL_ERROR "${name}, ${type}: another cache than without the SDK")
  endif()
  # It depends on the modules that the JSON names.
  file(TOUCH_NOCREATE "${WORK_DIR}/${folder}/inputs/triangle.frag.spv")
  run(COMMAND "${CMAKE_COMMAND}" --build "${WORK_DIR}/${folder}" --target pipelines OUTPUT said)
  expect("${said}" "3 pipelines for gfx1100" "the build after a change")
endfunction()
build_with_sdk("${toolchain} - gfx1100" sdk-architecture Release)
build_with_sdk("${toolchain} - gfx1100" sdk-debug Debug)
build_with_sdk("${toolchain} - Some GPU (1)" sdk-device Debug)

# What is not there is an error that lists what is.
execute_process(COMMAND "${CMAKE_COMMAND}" -E env "VULKANSC_SDK=${prefix}" "${CMAKE_COMMAND}"
                        -S "${SOURCE_DIR}/examples/vulkansc" -B "${WORK_DIR}/none" -G Ninja
                        "-DCMAKE_CXX_COMPILER=${CXX}" -DCMAKE_DISABLE_FIND_PACKAGE_VulkanSC=ON
                        "-DVulkanSC_PCC=Kiln - gfx999"
                RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE output)
if(result EQUAL 0 OR NOT output MATCHES "Kiln - gfx1201")
  message(FATAL_ERROR "an unknown architecture: exit code ${result}\n${output}")
endif()
