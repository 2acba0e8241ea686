# Tests of a user's own loop under the passes.
add_executable(loop_test
  loop_facts_test.cpp
  loop_fiber_test.cpp
  torch_loop_case_test.cpp
  torch_loops.cpp
  torch_toys.cpp)
target_link_libraries(loop_test PRIVATE stepgate_measure GTest::gtest_main GTest::gmock)
target_include_directories(loop_test PRIVATE ${PROJECT_SOURCE_DIR}/tests)
stepgate_strict(loop_test)
target_compile_options(loop_test PRIVATE -Wno-missing-field-initializers)
gtest_discover_tests(loop_test DISCOVERY_MODE PRE_TEST TEST_PREFIX "measure." PROPERTIES LABELS unit TIMEOUT 300)
