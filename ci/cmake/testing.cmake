# stepgate_test(<layer> [SOURCES a_test.cpp ...] LINK targets): one GoogleTest program per layer, label unit. Without
# SOURCES it takes every .cpp file below the current folder.
include(GoogleTest)
# Paths come from a header, not from -D. With -D the compiler cache could not be shared between checkouts.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/test_paths.h CONTENT
"#pragma once
#define STEPGATE_GOLDEN_DIR \"${PROJECT_SOURCE_DIR}/tests/golden\"
#define STEPGATE_SCHEMAS_DIR \"${PROJECT_SOURCE_DIR}/schemas\"
#define STEPGATE_BASELINES_DIR \"${PROJECT_SOURCE_DIR}/baselines\"
")

function(stepgate_test layer)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  if(NOT arg_SOURCES)
    file(GLOB_RECURSE arg_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  endif()
  set(target ${layer}_test)
  add_executable(${target} ${arg_SOURCES})
  stepgate_test_program(${target} ${arg_LINK})
  # PRE_TEST: the default runs the program at build time, which breaks builders that lack a driver.
  gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST TEST_PREFIX "${layer}." PROPERTIES LABELS unit TIMEOUT 300)
endfunction()

# Settings of every test program. The speed of a test does not matter, and -O0 compiles in half the time of -O3, with
# three quarters of that of -O1.
function(stepgate_test_program target)
  target_link_libraries(${target} PRIVATE ${ARGN} GTest::gtest_main GTest::gmock)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_BINARY_DIR}/generated)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${STEPGATE_UNITY} UNITY_BUILD_BATCH_SIZE 8)
  stepgate_strict(${target})
  if(NOT STEPGATE_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()
