# Tests of the half that needs LibTorch: one program, and a perftest program of toys that some of them start.
find_package(GTest REQUIRED)
include(loop_tests.cmake)

add_executable(toy_perftest torch_toy_perftest.cpp torch_toys.cpp)
target_link_libraries(toy_perftest PRIVATE stepgate_measure)
target_include_directories(toy_perftest PRIVATE ${PROJECT_SOURCE_DIR}/tests)
stepgate_strict(toy_perftest)

add_executable(measure_torch_test
  perftest_arguments_test.cpp
  torch_case_list_test.cpp
  torch_case_run_test.cpp
  torch_counting_allocator_test.cpp
  torch_fingerprint_test.cpp
  torch_memory_ledger_test.cpp
  torch_numerics_test.cpp
  torch_program_test.cpp
  torch_step_test.cpp
  torch_toys.cpp
  turns_test.cpp)
target_link_libraries(measure_torch_test PRIVATE stepgate_measure GTest::gtest_main GTest::gmock)
target_include_directories(measure_torch_test PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_compile_definitions(measure_torch_test PRIVATE STEPGATE_TOY_PERFTEST="$<TARGET_FILE:toy_perftest>")
target_precompile_headers(measure_torch_test PRIVATE <torch/torch.h>)
set_source_files_properties(perftest_arguments_test.cpp turns_test.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
stepgate_strict(measure_torch_test)
# Members with defaults are left out of designated initialisers on purpose.
target_compile_options(measure_torch_test PRIVATE -fpch-preprocess -Wno-missing-field-initializers)
add_dependencies(measure_torch_test toy_perftest)
gtest_discover_tests(measure_torch_test DISCOVERY_MODE PRE_TEST TEST_PREFIX "measure." PROPERTIES LABELS unit TIMEOUT 300)  # starts processes: 1 s each, 30 s on a starved machine
