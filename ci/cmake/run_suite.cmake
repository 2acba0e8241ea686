# cmake -DPROGRAM=FILE -DSUITE=NAME -P run_suite.cmake: runs one suite of a GoogleTest program in one process. A suite
# without a test fails. The last line tells CTest of skipped tests, but only where no other test failed.
execute_process(COMMAND ${PROGRAM} --gtest_filter=${SUITE}.*:*/${SUITE}.*:*/${SUITE}/* --gtest_brief=0
  RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
message("${text}")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${SUITE}: ${status}")
endif()
if(text MATCHES "Running 0 tests" OR NOT text MATCHES "tests? from [0-9]+ test suites? ran")
  message(FATAL_ERROR "${SUITE}: no test ran. Was it renamed? Configure again: cmake ${CMAKE_BINARY_DIR}")
endif()
if(text MATCHES "\\[  SKIPPED \\]")
  message("suite with skipped tests")
endif()
