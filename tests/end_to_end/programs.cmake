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
# The stages of docs/case_studies.md, each a build of tabular/field_transformer/tiny. Only ci/case_studies needs them.
add_custom_target(case_study_programs)
foreach(stage naive:naive:eager fixed:naive:eager fixed:tuned:eager fixed:tuned:compiled)
  string(REPLACE ":" ";" words ${stage})
  list(GET words 0 model)
  list(GET words 1 loader)
  list(GET words 2 step)
  set(program study_model_${model}_loader_${loader}_step_${step})
  stepgate_add_perftest(${program} SOURCES staged_field_transformer.cpp LINK stepgate_workloads)
  stepgate_strict(${program})
  target_compile_definitions(${program} PRIVATE STEPGATE_STUDY_MODEL="${model}" STEPGATE_STUDY_LOADER="${loader}"
    STEPGATE_STUDY_STEP="${step}")
  set_target_properties(${program} PROPERTIES EXCLUDE_FROM_ALL ON)
  add_dependencies(case_study_programs ${program})
endforeach()
