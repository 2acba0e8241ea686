# The workload of language/char_lm/tiny with one fault, which STEPGATE_TEST_FAULT selects.
stepgate_add_perftest(faulty_char_lm SOURCES faulty_char_lm.cpp LINK stepgate_workloads)
stepgate_strict(faulty_char_lm)
# A GPU in virtual time, for tests that a CPU cannot do.
add_executable(scripted_gpu scripted_gpu.cpp scripted_gpu_facts.cpp scripted_gpu_plan.cpp)
target_link_libraries(scripted_gpu PRIVATE stepgate_measure_loop stepgate_json)
stepgate_strict(scripted_gpu)
stepgate_add_perftest(faulty_photo_decode SOURCES faulty_photo_decode.cpp LINK stepgate_workloads)
stepgate_strict(faulty_photo_decode)
stepgate_add_perftest(faulty_char_lm_parallel SOURCES faulty_char_lm_parallel.cpp LINK stepgate_workloads)
stepgate_strict(faulty_char_lm_parallel)
# A loop of its own with two optimizers.
stepgate_add_perftest(faulty_gan SOURCES faulty_gan.cpp)
stepgate_strict(faulty_gan)
# The workload of tabular/field_transformer/tiny in a stage of docs/case_studies.md, which STEPGATE_TEST_STAGE selects.
stepgate_add_perftest(staged_field_transformer SOURCES staged_field_transformer.cpp LINK stepgate_workloads)
stepgate_strict(staged_field_transformer)
