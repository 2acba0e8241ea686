# The workload of language/char_lm/tiny with one thing spoilt, chosen by STEPGATE_TEST_FAULT.
stepgate_add_perftest(faulty_char_lm SOURCES faulty_char_lm.cpp LINK stepgate_workloads)
stepgate_strict(faulty_char_lm)
