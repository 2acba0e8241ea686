# stepgate_test(<layer> [SOURCES a_test.cpp ...] LINK targets): one GoogleTest program per layer. Without SOURCES it takes
# every .cpp file below the current folder. Label unit_plain: ci/test runs what needs no LibTorch in the sanitizer build only
# (docs/design/testing.md).
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
  set_property(GLOBAL APPEND PROPERTY STEPGATE_PLAIN_TESTS ${target})
  if(STEPGATE_SANITIZE)
    # A process of a sanitizer needs 0.1 s to start, more than most tests.
    stepgate_suites(${target} ${layer} unit_plain ${arg_SOURCES})
  else()
    # PRE_TEST: the default runs the program at build time, which breaks builders that lack a driver.
    gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST TEST_PREFIX "${layer}." PROPERTIES LABELS unit_plain TIMEOUT 300)
  endif()
endfunction()

# Target plain_tests: the programs of label unit_plain. Target all_but_plain_tests: what `all` builds, without these, and what
# only tests need.
function(stepgate_all_but_plain_tests)
  get_property(plain GLOBAL PROPERTY STEPGATE_PLAIN_TESTS)
  add_custom_target(plain_tests)
  add_dependencies(plain_tests ${plain})
  add_custom_target(all_but_plain_tests)
  get_property(of_tests GLOBAL PROPERTY STEPGATE_TARGETS_OF_TESTS)
  if(of_tests)
    add_dependencies(all_but_plain_tests ${of_tests})
  endif()
  set(folders ${PROJECT_SOURCE_DIR})
  while(folders)
    list(POP_FRONT folders folder)
    get_property(subfolders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
    list(APPEND folders ${subfolders})
    get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
      get_target_property(excluded ${target} EXCLUDE_FROM_ALL)
      get_target_property(type ${target} TYPE)
      if(NOT excluded AND NOT target IN_LIST plain AND NOT type STREQUAL "INTERFACE_LIBRARY")
        add_dependencies(all_but_plain_tests ${target})
      endif()
    endforeach()
  endwhile()
endfunction()

# stepgate_suites(<target> <prefix> <label> sources...): one CTest test for each suite of a program that takes longer to
# start than most tests take, as one that loads LibTorch does. Suites are read from the sources.
function(stepgate_suites target prefix label)
  set(suites)
  set(timeout 300)
  if(STEPGATE_SANITIZE)
    set(timeout 900)  # a suite has up to forty tests of up to 8 s
  endif()
  foreach(source IN LISTS ARGN)
    get_filename_component(source ${source} ABSOLUTE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(STRINGS ${source} lines REGEX "^TEST(_F|_P)?\\(")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^TEST(_F|_P)?\\(([A-Za-z0-9_]+).*" "\\2" suite "${line}")
      list(APPEND suites ${suite})
      math(EXPR tests_of_${suite} "0${tests_of_${suite}} + 1")
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES suites)
  foreach(suite IN LISTS suites)
    add_test(NAME ${prefix}.${suite} COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${target}> -DSUITE=${suite}
      -P ${PROJECT_SOURCE_DIR}/ci/cmake/run_suite.cmake)
    # Some tests start processes: 1 s each, 30 s on a busy machine. COST: the suites of many tests begin first.
    set_tests_properties(${prefix}.${suite} PROPERTIES LABELS ${label} TIMEOUT ${timeout} COST ${tests_of_${suite}}
      SKIP_REGULAR_EXPRESSION "suite with skipped tests")
    if(STEPGATE_SANITIZE)
      # Freed memory that is held back: each started process copies its page tables. With the 256 MB of the default a suite of
      # experiments has 470 MB and takes 17.5 s of processor, with 64 MB it has 240 MB and takes 13.9 s.
      set_tests_properties(${prefix}.${suite} PROPERTIES ENVIRONMENT "ASAN_OPTIONS=quarantine_size_mb=64")
    endif()
  endforeach()
endfunction()

# Settings of every test program. The speed of a test does not matter, and -O0 compiles in half the time of -O3, with
# three quarters of that of -O1.
function(stepgate_test_program target)
  target_link_libraries(${target} PRIVATE ${ARGN} GTest::gtest_main GTest::gmock)
  foreach(library IN LISTS ARGN)
    if(TARGET ${library}_studies)
      target_link_libraries(${target} PRIVATE ${library}_studies)
    endif()
  endforeach()
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_BINARY_DIR}/generated)
  # The same templates are compiled once for each unit: 24 files take 22 s of processor as one, 45 s as three (GCC 12, under
  # sanitizers, 1.0 GB). Elsewhere small units, because there mostly one changed file is compiled again.
  set(files 8)
  if(STEPGATE_SANITIZE)
    set(files 32)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${STEPGATE_UNITY} UNITY_BUILD_BATCH_SIZE ${files})
  stepgate_strict(${target})
  if(NOT STEPGATE_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()
