# SPDX-License-Identifier: MIT
# `cpack` in the build folder makes Debian packages of what is installed: the Vulkan driver, the tools with their pages of
# the manual and completion, and what programs that use the libraries need.
find_program(HELP2MAN_PROGRAM help2man)

set(kilnTools amdllpc kiln-replay kiln-cache kiln-pcc kiln-farm pal-verify kiln-bench kiln-cl kiln-debug isa-opcodes lgc-opt)
set(kilnToolTexts "compile Vulkan shaders and pipelines for AMD GPUs" "create captured pipelines on a Vulkan driver"
    "look at the cache on disk of Kiln's driver" "compile pipeline caches for Vulkan SC"
    "compile many pipelines on many machines"
    "check code objects against the PAL ABI"
    "measure how long pipelines take to create" "run OpenCL kernels" "execute shaders line by line" "count the instructions of code objects"
    "run passes of the compiler on LLVM IR")
set(pages)
foreach(tool text IN ZIP_LISTS kilnTools kilnToolTexts)
  if(NOT TARGET ${tool})
    continue()
  endif()
  install(FILES cmake/package/completion.bash RENAME "${tool}" COMPONENT tools
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  if(NOT HELP2MAN_PROGRAM)
    continue()
  endif()
  set(page "${CMAKE_BINARY_DIR}/man/${tool}.1")
  # Why not the date of the day: the same sources make the same files.
  add_custom_command(OUTPUT "${page}"
    COMMAND ${CMAKE_COMMAND} -E env SOURCE_DATE_EPOCH=0 "${HELP2MAN_PROGRAM}" -N -o "${page}" --source=Kiln
            "--version-string=${PROJECT_VERSION}" "--name=${text}" "$<TARGET_FILE:${tool}>"
    DEPENDS ${tool} VERBATIM)
  list(APPEND pages "${page}")
  install(FILES "${page}" COMPONENT tools DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" OPTIONAL)
endforeach()
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/man")
add_custom_target(manual ALL DEPENDS ${pages})

install(PROGRAMS tools/compiler-explorer/kiln-explorer tools/compiler-explorer/properties.py COMPONENT tools
  DESTINATION "${CMAKE_INSTALL_DATADIR}/kiln/compiler-explorer")

foreach(name kiln kiln-static)
  configure_file(cmake/package/${name}.pc.in "${CMAKE_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${CMAKE_BINARY_DIR}/${name}.pc" COMPONENT dev DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL driver tools library dev)
set(CPACK_PACKAGE_CONTACT "Kiln")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "shader compiler and pipelines of an AMD-style Vulkan driver")
set(CPACK_PACKAGING_INSTALL_PREFIX "/usr")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_DRIVER_PACKAGE_NAME kiln-vulkan-driver)
set(CPACK_DEBIAN_DRIVER_PACKAGE_RECOMMENDS libvulkan1)
set(CPACK_DEBIAN_DRIVER_DESCRIPTION "Vulkan driver that executes code for AMD GPUs on the processor
 Compiles shaders and pipelines as a driver for RDNA GPUs does, and executes the code on a software
 device.")
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME kiln-tools)
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "offline shader compiler for AMD GPUs and tools around it
 amdllpc, the pipeline cache compiler for Vulkan SC, and tools for captured pipelines, caches and code
 objects.")
# TLS and signatures, loaded when they are asked for.
set(CPACK_DEBIAN_DRIVER_PACKAGE_SUGGESTS libssl3)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS libssl3)
set(kilnLibrary "libkiln${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${kilnLibrary})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "shared library of the Kiln shader compiler
 SPIR-V and state of pipelines to code objects for AMD GPUs.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libkiln-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
  "${kilnLibrary} (= ${PROJECT_VERSION}), llvm-${LLVM_VERSION_MAJOR}-dev, libxxhash-dev")
set(CPACK_DEBIAN_DEV_DESCRIPTION "libraries and headers of the Kiln shader compiler
 Static libraries, headers, and files for CMake and pkg-config.")

# kiln_copyright(COMPONENT PACKAGE DEBIAN_PACKAGE...): our licence, and those of what is linked in from the libraries of
# Debian's packages, as Debian has them.
function(kiln_copyright component package)
  file(READ LICENSE text)
  string(PREPEND text "SPDX-License-Identifier: MIT\n\n")
  foreach(linked ${ARGN})
    string(APPEND text "\n\n-- Contains code of ${linked}, whose terms are:\n\n")
    if(EXISTS "/usr/share/doc/${linked}/copyright")
      file(READ "/usr/share/doc/${linked}/copyright" terms)
      string(APPEND text "${terms}")
    else()
      string(APPEND text "https://tracker.debian.org/pkg/${linked}\n")
    endif()
  endforeach()
  file(WRITE "${CMAKE_BINARY_DIR}/copyright/${package}/copyright" "${text}")
  install(FILES "${CMAKE_BINARY_DIR}/copyright/${package}/copyright" COMPONENT ${component}
    DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${package}")
endfunction()
set(linkedIn libxxhash-dev spirv-headers)
kiln_copyright(library ${kilnLibrary} ${linkedIn})
kiln_copyright(dev libkiln-dev ${linkedIn})
kiln_copyright(driver kiln-vulkan-driver ${linkedIn} libsqlite3-dev libzstd-dev)
kiln_copyright(tools kiln-tools ${linkedIn} libsqlite3-dev libzstd-dev spirv-tools glslang-dev nlohmann-json3-dev)
include(CPack)
