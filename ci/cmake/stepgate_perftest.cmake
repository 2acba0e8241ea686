# The functions for a project that guards its training code:
#
#   stepgate_add_perftest(my_perftest SOURCES my_perftest.cpp)
#   stepgate_add_cases(my_perftest SUITE mine CASES mine/mlp/tiny DEVICE cpu TIMEOUT 300
#     POLICY_ROOT ${CMAKE_CURRENT_SOURCE_DIR}/perftests BASELINE_ROOT ${CMAKE_CURRENT_SOURCE_DIR}/baselines)
#
# An unmodified Google Benchmark program. Each case is one of its benchmarks, named as --benchmark_list_tests prints it:
#
#   stepgate_add_google_benchmark(sort_benchmark SUITE micro CASES micro/sort/n1024=BM_Sort/1024 TIMEOUT 120)
# CPUS n: CPUs for the timed processes of a case (loader workers, threads of a benchmark); default: one for each thread.
#
# Each case has two CTest tests, perf.exact.<case> and perf.timed.<case>, with the labels perf and exact or timed (and gpu). They run
# one at a time. A fixture around them checks that every expected case was measured, and prints the table.
# CMake writes the list of cases to stepgate-manifest.json in the build folder; the launcher reads it.
include_guard(GLOBAL)

function(stepgate_add_perftest target)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "stepgate_add_perftest(${target}): SOURCES is missing")
  endif()
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE stepgate::harness ${arg_LINK})
  target_compile_features(${target} PRIVATE cxx_std_20)
endfunction()

function(stepgate_add_cases target)
  stepgate_read_case_arguments(stepgate_add_cases ${target} ${ARGN})
  foreach(case IN LISTS arg_CASES)
    stepgate_add_manifest_case(${case} ${target} "")
    foreach(tier exact timed)
      stepgate_add_case_test(${case} ${tier} "${arg_DEVICE}" "${arg_TIMEOUT}" "${arg_LABELS}")
    endforeach()
  endforeach()
endfunction()

# Adds only a timed test: such a program has no counters, and a test that measures nothing must be neither green nor red.
function(stepgate_add_google_benchmark target)
  stepgate_read_case_arguments(stepgate_add_google_benchmark ${target} ${ARGN})
  foreach(pair IN LISTS arg_CASES)
    if(NOT pair MATCHES "^([a-z0-9_]+/[a-z0-9_]+/[a-z0-9_]+)=(.+)$")
      message(FATAL_ERROR "stepgate_add_google_benchmark(${target}): '${pair}' is not "
        "<suite>/<workload>/<variant>=<name of the benchmark>, lower case and digits before the =")
    endif()
    set(case ${CMAKE_MATCH_1})
    string(REGEX REPLACE "([\\\\\"])" "\\\\\\1" benchmark "${CMAKE_MATCH_2}")
    stepgate_add_manifest_case(${case} ${target} ", \"benchmark\": \"${benchmark}\"")
    stepgate_add_case_test(${case} timed "${arg_DEVICE}" "${arg_TIMEOUT}" "${arg_LABELS}")
  endforeach()
endfunction()

# Reads the common arguments into arg_* of the caller and opens the manifest.
macro(stepgate_read_case_arguments function target)
  cmake_parse_arguments(arg "" "SUITE;DEVICE;TIMEOUT;GPUS;CPUS;POLICY_ROOT;BASELINE_ROOT" "CASES;LABELS" ${ARGN})
  if(NOT arg_SUITE OR NOT arg_CASES)
    message(FATAL_ERROR "${function}(${target}): needs SUITE and CASES")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${function}(${target}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  foreach(pair "DEVICE=cpu" "TIMEOUT=300" "CPUS=0" "POLICY_ROOT=${CMAKE_CURRENT_SOURCE_DIR}"
               "BASELINE_ROOT=${PROJECT_SOURCE_DIR}/baselines")
    string(REGEX MATCH "^([A-Z_]+)=(.*)$" matched "${pair}")
    if(NOT arg_${CMAKE_MATCH_1})
      set(arg_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
    endif()
  endforeach()
  stepgate_open_manifest(${arg_POLICY_ROOT} ${arg_BASELINE_ROOT})
endmacro()

# Reads arg_* of the caller; `more` is text of further keys.
function(stepgate_add_manifest_case case target more)
  add_dependencies(stepgate_cases ${target})
  set_property(GLOBAL APPEND PROPERTY STEPGATE_MANIFEST_CASES
    "    {\"name\": \"${case}\", \"suite\": \"${arg_SUITE}\", \"program\": \"$<TARGET_FILE:${target}>\", \"device\": \"${arg_DEVICE}\", \"timeout_s\": ${arg_TIMEOUT}, \"cpus\": ${arg_CPUS}${more}}")
endfunction()

# Adds one CTest test. Its time limit is generous, because the launcher has a limit per process and names the case.
function(stepgate_add_case_test case tier device timeout labels)
  set(name perf.${tier}.${case})
  add_test(NAME ${name} COMMAND stepgate::stepgate gate ${case} --tier ${tier} --build ${CMAKE_BINARY_DIR}
    --out ${CMAKE_BINARY_DIR}/stepgate-out --ctest)
  math(EXPR limit "${timeout} * 12")
  set_tests_properties(${name} PROPERTIES LABELS "perf;${tier};${labels}" RUN_SERIAL ON TIMEOUT ${limit}
    SKIP_RETURN_CODE 77 FIXTURES_REQUIRED stepgate_suite)
  if(device STREQUAL cuda)
    set_tests_properties(${name} PROPERTIES LABELS "perf;${tier};gpu;${labels}" RESOURCE_GROUPS "1,gpus:1")
  endif()
endfunction()

# The first call of a project sets the manifest's path and roots, and the fixture around the suite.
function(stepgate_open_manifest policy_root baseline_root)
  get_property(opened GLOBAL PROPERTY STEPGATE_MANIFEST_POLICY_ROOT)
  if(opened)
    return()
  endif()
  set_property(GLOBAL PROPERTY STEPGATE_MANIFEST_POLICY_ROOT ${policy_root})
  set_property(GLOBAL PROPERTY STEPGATE_MANIFEST_BASELINE_ROOT ${baseline_root})
  cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY \"${CMAKE_SOURCE_DIR}\" CALL stepgate_write_manifest)")
  set(out ${CMAKE_BINARY_DIR}/stepgate-out)
  add_test(NAME perf.begin COMMAND stepgate::stepgate report --build ${CMAKE_BINARY_DIR} --out ${out} --begin)
  set_tests_properties(perf.begin PROPERTIES LABELS perf FIXTURES_SETUP stepgate_suite RUN_SERIAL ON)
  add_test(NAME perf.report COMMAND stepgate::stepgate report --build ${CMAKE_BINARY_DIR} --out ${out} --expect-all)
  set_tests_properties(perf.report PROPERTIES LABELS perf FIXTURES_CLEANUP stepgate_suite RUN_SERIAL ON
    SKIP_RETURN_CODE 77)
  # Builds all that the gate runs: the launcher and the programs of the cases.
  add_custom_target(stepgate_cases)
  if(TARGET stepgate)
    add_dependencies(stepgate_cases stepgate)
  endif()
  add_custom_target(update-baselines
    COMMAND stepgate::stepgate baseline diff --build ${CMAKE_BINARY_DIR} --out ${out}
    COMMAND ${CMAKE_COMMAND} -E echo "Accept with: stepgate baseline accept --build ${CMAKE_BINARY_DIR} --out ${out} --reason \"why\""
    USES_TERMINAL VERBATIM)
endfunction()

function(stepgate_write_manifest)
  get_property(cases GLOBAL PROPERTY STEPGATE_MANIFEST_CASES)
  get_property(policy_root GLOBAL PROPERTY STEPGATE_MANIFEST_POLICY_ROOT)
  get_property(baseline_root GLOBAL PROPERTY STEPGATE_MANIFEST_BASELINE_ROOT)
  list(JOIN cases ",\n" cases)
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/stepgate-manifest.json CONTENT
"{
  \"schema\": {\"name\": \"stepgate.manifest\", \"major\": 1, \"minor\": 0},
  \"build_type\": \"$<CONFIG>\",
  \"policy_root\": \"${policy_root}\",
  \"baseline_root\": \"${baseline_root}\",
  \"cases\": [
${cases}
  ]
}
")
endfunction()
