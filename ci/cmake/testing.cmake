# stepgate_test(<layer> SOURCES a_test.cpp ... LINK targets): one GoogleTest program per layer, label unit.
include(GoogleTest)
function(stepgate_test layer)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  set(target ${layer}_test)
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_LINK} GTest::gtest_main GTest::gmock)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${target} PRIVATE
    STEPGATE_TEST_DATA="${CMAKE_CURRENT_SOURCE_DIR}" STEPGATE_GOLDEN_DIR="${PROJECT_SOURCE_DIR}/tests/golden")
  stepgate_strict(${target})
  # PRE_TEST: the default runs the program at build time, which breaks builders that lack a driver.
  gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST TEST_PREFIX "${layer}." PROPERTIES LABELS unit TIMEOUT 120)
endfunction()
