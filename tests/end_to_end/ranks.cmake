stepgate_add_perftest(faulty_char_lm_parallel SOURCES faulty_char_lm_parallel.cpp LINK stepgate_workloads)
stepgate_strict(faulty_char_lm_parallel)
add_test(NAME end_to_end.ranks COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/ranks_test.py)
set_tests_properties(end_to_end.ranks PROPERTIES LABELS end_to_end RUN_SERIAL ON TIMEOUT 900 SKIP_RETURN_CODE 77
  ENVIRONMENT "STEPGATE_TEST_BUILD=${CMAKE_BINARY_DIR};STEPGATE_TEST_SOURCE=${PROJECT_SOURCE_DIR};STEPGATE_TEST_DATA_DIR=${STEPGATE_DATA_DIR};PYTHONDONTWRITEBYTECODE=1")
