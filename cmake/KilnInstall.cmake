# SPDX-License-Identifier: MIT
# Install rules and package files: after `cmake --install`, find_package(Kiln) gives Kiln::llpc.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Of what names no component; icd_glue and tools have their own (KilnPackages.cmake).
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME dev)

set(kilnPackageDir "${CMAKE_INSTALL_LIBDIR}/cmake/Kiln")
install(TARGETS pal_abi pal_remap lgc llpc_spirv llpc llpc_pipefile EXPORT KilnTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")

# The same libraries as a shared one, whose name says with which headers it belongs: docs/versions.md.
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/sharedKiln.cpp" CONTENT "")
add_library(kiln_shared SHARED "${CMAKE_BINARY_DIR}/sharedKiln.cpp")
set_target_properties(kiln_shared PROPERTIES OUTPUT_NAME kiln EXPORT_NAME kiln VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  LINK_DEPENDS "${CMAKE_SOURCE_DIR}/cmake/package/kiln.map")
target_link_libraries(kiln_shared PRIVATE llpc_pipefile llpc llpc_spirv lgc pal_remap pal_abi)
set_target_properties(kiln_shared PROPERTIES
  LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,llpc_pipefile,llpc,llpc_spirv,lgc,pal_remap,pal_abi")
target_link_options(kiln_shared PRIVATE "-Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/package/kiln.map")
target_compile_features(kiln_shared INTERFACE cxx_std_20)
target_compile_definitions(kiln_shared INTERFACE ${KILN_LLVM_DEFINITIONS})
install(TARGETS kiln_shared EXPORT KilnTargets
  LIBRARY COMPONENT library NAMELINK_COMPONENT dev DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT KilnTargets NAMESPACE Kiln:: DESTINATION "${kilnPackageDir}")

# Every program below tools/, except its tests and what only this repository needs.
function(kiln_install_programs directory)
  get_property(targets DIRECTORY "${directory}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE" AND NOT target MATCHES "(Tests|^support-table)$")
      install(TARGETS ${target} RUNTIME COMPONENT tools DESTINATION "${CMAKE_INSTALL_BINDIR}")
    endif()
  endforeach()
  get_property(children DIRECTORY "${directory}" PROPERTY SUBDIRECTORIES)
  foreach(child ${children})
    kiln_install_programs("${child}")
  endforeach()
endfunction()
kiln_install_programs("${CMAKE_SOURCE_DIR}/tools")

# Public headers, and the ABI names and readers that a driver shares with the compiler. Ops.h is the
# interface between our own libraries: it needs LLVM IR headers, so it stays here.
install(DIRECTORY llpc/include/ lgc/include/ DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "Ops.h" EXCLUDE PATTERN "Ops.def" EXCLUDE)
install(DIRECTORY pal_shim/abi/ DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/pal_shim/abi"
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def")

configure_package_config_file(cmake/KilnConfig.cmake.in "${CMAKE_BINARY_DIR}/KilnConfig.cmake"
  INSTALL_DESTINATION "${kilnPackageDir}")
write_basic_package_version_file("${CMAKE_BINARY_DIR}/KilnConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/KilnConfig.cmake" "${CMAKE_BINARY_DIR}/KilnConfigVersion.cmake"
  DESTINATION "${kilnPackageDir}")
