# stepgate_test(<layer> SOURCES a_test.cpp ... LINK targets): one GoogleTest program per layer, label unit.
include(GoogleTest)
# Paths come from a header, not from -D: else no test of another checkout could be taken from the compiler cache.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/test_paths.h CONTENT
  "#pragma once\n#define STEPGATE_GOLDEN_DIR \"${PROJECT_SOURCE_DIR}/tests/golden\"\n")
function(stepgate_test layer)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  set(target ${layer}_test)
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_LINK} GTest::gtest_main GTest::gmock)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/generated)
  stepgate_strict(${target})
  # PRE_TEST: the default runs the program at build time, which breaks builders that lack a driver.
  gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST TEST_PREFIX "${layer}." PROPERTIES LABELS unit TIMEOUT 120)
endfunction()
