# SPDX-License-Identifier: MIT
# cmake -DBUILD_DIR=... -DWORK_DIR=... -DCXX=... -P run.cmake: installs the build to a scratch
# prefix, then configures, builds and runs consumer/ against it.
file(REMOVE_RECURSE "${WORK_DIR}")
foreach(step
    "--install;${BUILD_DIR};--prefix;${WORK_DIR}/prefix"
    "-S;${CMAKE_CURRENT_LIST_DIR}/consumer;-B;${WORK_DIR}/build;-G;Ninja;-DCMAKE_CXX_COMPILER=${CXX};-DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix"
    "--build;${WORK_DIR}/build"
    "-E;env;${WORK_DIR}/build/consumer"
    "-E;env;${WORK_DIR}/build/consumer_shared")
  execute_process(COMMAND "${CMAKE_COMMAND}" ${step} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "cmake ${step}: exit code ${result}\n${output}")
  endif()
endforeach()
