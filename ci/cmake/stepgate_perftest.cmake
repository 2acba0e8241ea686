# The functions for a project that guards its training code:
#
#   stepgate_add_perftest(my_perftest SOURCES my_perftest.cpp)
#   stepgate_add_cases(my_perftest SUITE mine CASES mine/mlp/tiny DEVICE cpu TIMEOUT 300
#     POLICY_ROOT perftests BASELINE_ROOT baselines DATA_ROOT data)
#
# Relative folders start at the CMakeLists.txt that names them. POLICY_ROOT/<suite>/policy.json holds the limits of a suite
# (default: this folder). Baselines are stored below BASELINE_ROOT (default: baselines of the project). DATA_ROOT becomes
# context.data_dir of these cases (default: none). A build has one POLICY_ROOT and one BASELINE_ROOT: the first call names them.
#
# SOURCES are compiled with -g1, so that a red names the line of the code that caused it. -g1 adds a table of lines to the file and
# leaves the code as it is. NO_LINES turns it off for one program, -DSTEPGATE_LINES=OFF for all; then only functions are named.
# For a library with the training code: stepgate_keep_lines(my_model).
#
# An unmodified Google Benchmark program. Each case is one of its benchmarks, named as --benchmark_list_tests prints it:
#
#   stepgate_add_google_benchmark(sort_benchmark SUITE micro CASES micro/sort/n1024=BM_Sort/1024 TIMEOUT 120)
#
# GPUS n: GPUs of a case with DEVICE cuda, one for each rank; default 1. CTest gives its tests n different GPUs of a resource spec
# file (docs/which_gpu.md). A machine that offers fewer skips the case.
# CPUS n: CPUs for the timed processes of a case (loader workers, threads of a benchmark); default: one for each thread.
# TIERS exact: a gate judges only the exact half of the cases, and only that is a CTest test. Their times are compared by pairs of two
# builds (stepgate ab). For a case whose times a session on a shared runner could not decide anyway. Default: TIERS both.
#
# DEVICES emulated:h100: gates the exact half of cases with DEVICE cuda on an emulated GPU, too: kernels, copies, syncs and memory on a
# machine without a GPU (docs/emulated_gpu.md). A test perf.emulated-h100.<case> with the labels perf and emulated for each case;
# results in stepgate-out-emulated-h100 of the build folder. It gets as many GPUs as GPUS says, or N: emulated:h100:4. The build of a
# project makes the emulated GPU for its LibTorch, as target emulated_gpu. With :values behind (emulated:h100:values) operators compute,
# for a tiny case that is refused with needs-values: perf.emulated-h100-values.<case>. HAZARDS: each of these gates also looks for
# accesses of streams that nothing orders (gate --hazards). For both the build makes target emulated_gpu_values, too.
#
# Each case has two CTest tests, perf.exact.<case> and perf.timed.<case>, with the labels perf and exact or timed (and gpu). They run
# one at a time, in the source folder. A fixture around them says what was judged. It builds nothing. CTest shows its last lines
# below its own summary, which counts a skipped test among those that passed.
# CMake writes the list of cases to stepgate-manifest.json in the build folder; the launcher reads it. Programs of the build
# folder are named relative to it, so that a build folder that was moved or copied runs its own programs.
include_guard(GLOBAL)

option(STEPGATE_LINES "Compile the sources of perftests with -g1, for source lines in reports" ON)

function(stepgate_keep_lines target)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  # The last -g counts, so that -g1 would take what a build with -g asks for.
  if(STEPGATE_LINES AND NOT " ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}" MATCHES " -g")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-g1>)
  endif()
endfunction()

function(stepgate_add_perftest target)
  cmake_parse_arguments(arg "NO_LINES" "" "SOURCES;LINK" ${ARGN})
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "stepgate_add_perftest(${target}): SOURCES is missing")
  endif()
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE stepgate::harness ${arg_LINK})
  target_compile_features(${target} PRIVATE cxx_std_20)
  if(NOT arg_NO_LINES)
    stepgate_keep_lines(${target})
  endif()
  # Lines are only looked up in the program that ran. Not every compiler asks the linker for an id by itself.
  target_link_options(${target} PRIVATE LINKER:--build-id)
endfunction()

function(stepgate_add_cases target)
  stepgate_read_case_arguments(stepgate_add_cases ${target} ${ARGN})
  set(tiers exact timed)
  set(more "")
  if(arg_TIERS STREQUAL exact)
    set(tiers exact)
    set(more ", \"tiers\": \"exact\"")
  elseif(arg_TIERS AND NOT arg_TIERS STREQUAL both)
    message(FATAL_ERROR "stepgate_add_cases(${target}): TIERS ${arg_TIERS}: TIERS takes exact or both")
  endif()
  stepgate_read_emulated_devices(${target})
  if(arg_HAZARDS AND NOT emulated_devices)
    message(FATAL_ERROR "stepgate_add_cases(${target}): HAZARDS: stream hazards are found on an emulated GPU alone. Name one: "
      "DEVICES emulated:h100")
  endif()
  foreach(case IN LISTS arg_CASES)
    stepgate_add_manifest_case(${case} ${target} "${more}")
    foreach(device IN LISTS emulated_devices)
      stepgate_add_emulated_test(${case} ${device} "${arg_TIMEOUT}" "${arg_LABELS}")
    endforeach()
    foreach(tier IN LISTS tiers)
      stepgate_add_case_test(${case} ${tier} "${arg_DEVICE}" "${arg_TIMEOUT}" "${arg_LABELS}")
    endforeach()
  endforeach()
endfunction()

# Adds only a timed test: such a program has no counters, and a test that measures nothing must be neither green nor red.
function(stepgate_add_google_benchmark target)
  stepgate_read_case_arguments(stepgate_add_google_benchmark ${target} ${ARGN})
  if(arg_TIERS)
    message(FATAL_ERROR "stepgate_add_google_benchmark(${target}): such a program has times only, and TIERS is for stepgate_add_cases")
  endif()
  if(arg_DEVICES OR arg_HAZARDS)
    message(FATAL_ERROR "stepgate_add_google_benchmark(${target}): such a program has times only, and an emulated GPU has none")
  endif()
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
  cmake_parse_arguments(arg "HAZARDS" "SUITE;DEVICE;TIMEOUT;GPUS;CPUS;TIERS;POLICY_ROOT;BASELINE_ROOT;DATA_ROOT" "CASES;LABELS;DEVICES" ${ARGN})
  if(NOT arg_SUITE OR NOT arg_CASES)
    message(FATAL_ERROR "${function}(${target}): needs SUITE and CASES")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${function}(${target}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  foreach(pair "DEVICE=cpu" "TIMEOUT=300" "CPUS=0")
    string(REGEX MATCH "^([A-Z_]+)=(.*)$" matched "${pair}")
    if(NOT arg_${CMAKE_MATCH_1})
      set(arg_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
    endif()
  endforeach()
  stepgate_check_gpus(${target})
  stepgate_check_build_type()
  stepgate_open_manifest()
  stepgate_set_root(POLICY_ROOT "${arg_POLICY_ROOT}" "${CMAKE_CURRENT_SOURCE_DIR}")
  stepgate_set_root(BASELINE_ROOT "${arg_BASELINE_ROOT}" "${PROJECT_SOURCE_DIR}/baselines")
  stepgate_check_policy(${arg_SUITE})
  if(arg_DATA_ROOT)
    get_filename_component(arg_DATA_ROOT "${arg_DATA_ROOT}" ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  endif()
endmacro()

# Sets arg_GPUS of the caller: 1 on cuda, 0 on cpu.
macro(stepgate_check_gpus target)
  if(NOT DEFINED arg_GPUS)
    set(arg_GPUS 0)
    if(arg_DEVICE STREQUAL cuda)
      set(arg_GPUS 1)
    endif()
  elseif(NOT arg_GPUS MATCHES "^[1-9][0-9]*$" OR NOT arg_DEVICE STREQUAL cuda)
    message(FATAL_ERROR "stepgate: GPUS ${arg_GPUS} (${target}): GPUS takes a number of 1 or more, with DEVICE cuda")
  endif()
endmacro()

# Sets emulated_devices of the caller: arg_DEVICES, each with its number of GPUs. Adds target emulated_gpu where one is asked for.
macro(stepgate_read_emulated_devices target)
  set(emulated_devices "")
  foreach(asked IN LISTS arg_DEVICES)
    stepgate_read_emulated_device(${target} "${asked}" found)
    list(APPEND emulated_devices ${found})
  endforeach()
  if(emulated_devices)
    set(emulated_targets emulated_gpu)
    if(arg_HAZARDS OR "${emulated_devices}" MATCHES ":values")
      list(APPEND emulated_targets emulated_gpu_values)
    endif()
    stepgate_need_emulated_gpu(${target} ${emulated_targets})
  endif()
endmacro()

# Sets `result` to "emulated:h100:2" or "emulated:h100:2:values". Reads arg_* of the caller.
function(stepgate_read_emulated_device target asked result)
  set(models h100 h200 a100 l4 t4)  # as in harness/launch/emulated_device.h
  list(JOIN models ", " known)
  if(NOT asked MATCHES "^emulated:([^:]*)(:([1-9][0-9]*))?(:values)?$")
    message(FATAL_ERROR "stepgate_add_cases(${target}): DEVICES ${asked}: DEVICES takes emulated:MODEL or emulated:MODEL:N, with :values "
      "behind where a case needs values, a model of ${known}")
  endif()
  set(model "${CMAKE_MATCH_1}")
  set(number "${CMAKE_MATCH_3}")
  set(values "${CMAKE_MATCH_4}")
  if(NOT model IN_LIST models)
    message(FATAL_ERROR "stepgate_add_cases(${target}): DEVICES ${asked}: '${model}' is no model of the emulated GPU: take one of ${known}")
  endif()
  if(NOT arg_DEVICE STREQUAL cuda)
    message(FATAL_ERROR "stepgate_add_cases(${target}): DEVICES ${asked}: these cases run on the CPU, where an emulated GPU changes "
      "nothing. Add cases for a GPU: DEVICE cuda")
  endif()
  if(NOT number)
    set(number ${arg_GPUS})
  endif()
  if(number LESS arg_GPUS OR number GREATER 16)
    message(FATAL_ERROR "stepgate_add_cases(${target}): DEVICES ${asked}: these cases need ${arg_GPUS} of at most 16 GPUs: "
      "emulated:${model}:${arg_GPUS}${values}")
  endif()
  set(${result} emulated:${model}:${number}${values} PARENT_SCOPE)
endfunction()

# The build of a project makes the emulated GPU with the rest, since its tests ask for it: the targets named behind `target`. That of
# stepgate itself does not, since a first build does without it: there its tests are skipped until somebody builds them.
function(stepgate_need_emulated_gpu target)
  if(TARGET stepgate)
    if(TARGET emulated_gpu)
      return()
    endif()
    message(FATAL_ERROR "stepgate_add_cases(${target}): DEVICES: this build has no emulated GPU, since its LibTorch is not for CUDA")
  endif()
  if(NOT TARGET emulated_gpu AND NOT COMMAND stepgate_add_emulated_gpu)
    message(FATAL_ERROR "stepgate_add_cases(${target}): DEVICES: this stepgate was installed without LibTorch, and so without the emulated GPU")
  endif()
  if(NOT TARGET emulated_gpu)
    stepgate_add_emulated_gpu()
  endif()
  if(NOT TARGET stepgate_emulated_cases)
    add_custom_target(stepgate_emulated_cases ALL)
  endif()
  add_dependencies(stepgate_emulated_cases ${ARGN})
  add_dependencies(stepgate_cases ${ARGN})
endfunction()

# Times of code that was not optimised mean nothing, and without a build type the compiler does not optimise.
function(stepgate_check_build_type)
  if(CMAKE_CONFIGURATION_TYPES)
    message(FATAL_ERROR "stepgate needs one build type per build folder, and '${CMAKE_GENERATOR}' has several: "
      "configure with -G Ninja -DCMAKE_BUILD_TYPE=Release")
  endif()
  if(NOT CMAKE_BUILD_TYPE)
    message(FATAL_ERROR "no build type: the compiler would not optimise, and stepgate would refuse the build.\n"
      "Add this line below project() in ${CMAKE_SOURCE_DIR}/CMakeLists.txt, or give -DCMAKE_BUILD_TYPE=Release:\n"
      "  set(CMAKE_BUILD_TYPE Release CACHE STRING \"\" FORCE)")
  endif()
endfunction()

# Remembers a root of the manifest. The first call of a project decides, and another folder in a later call is an error,
# because its policies or baselines would be ignored.
function(stepgate_set_root name given default)
  get_property(known GLOBAL PROPERTY STEPGATE_MANIFEST_${name})
  set(root "${given}")
  if(NOT root)
    set(root "${default}")
  endif()
  get_filename_component(root "${root}" ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  if(NOT known)
    set_property(GLOBAL PROPERTY STEPGATE_MANIFEST_${name} ${root})
  elseif(given AND NOT root STREQUAL known)
    message(FATAL_ERROR "stepgate: ${name} is ${root} here, and an earlier call named ${known}: a build has one ${name}")
  endif()
endfunction()

# A mistyped POLICY_ROOT would silently replace the limits of a suite by the defaults.
function(stepgate_check_policy suite)
  get_property(root GLOBAL PROPERTY STEPGATE_MANIFEST_POLICY_ROOT)
  if(NOT IS_DIRECTORY ${root})
    message(FATAL_ERROR "stepgate: POLICY_ROOT is ${root}, and there is no such folder")
  endif()
  if(NOT EXISTS ${root}/${suite}/policy.json)
    message(WARNING "stepgate: suite ${suite} has no ${root}/${suite}/policy.json, so the default limits hold. Is POLICY_ROOT "
      "right? To say that the defaults are meant, write the file:\n"
      "  {\"schema\": {\"name\": \"stepgate.policy\", \"major\": 1, \"minor\": 0}}")
  endif()
endfunction()

# Reads arg_* of the caller; `more` is text of further keys. The policy is that of SUITE, so another suite in the name would
# silently be judged by limits that are not its own.
function(stepgate_add_manifest_case case target more)
  string(REGEX REPLACE "/.*$" "" suite_of_case "${case}")
  if(NOT suite_of_case STREQUAL arg_SUITE)
    message(FATAL_ERROR "stepgate: SUITE is ${arg_SUITE}, and the case ${case} is of suite ${suite_of_case}: "
      "the first part of the name is the suite. Add it in a call of its own: SUITE ${suite_of_case} CASES ${case}")
  endif()
  add_dependencies(stepgate_cases ${target})
  if(arg_DATA_ROOT)
    string(APPEND more ", \"data_root\": \"${arg_DATA_ROOT}\"")
  endif()
  stepgate_find_program_path(program ${target})
  set_property(GLOBAL APPEND PROPERTY STEPGATE_MANIFEST_CASES
    "    {\"name\": \"${case}\", \"suite\": \"${arg_SUITE}\", \"program\": \"${program}\", \"device\": \"${arg_DEVICE}\", \"timeout_s\": ${arg_TIMEOUT}, \"cpus\": ${arg_CPUS}, \"gpus\": ${arg_GPUS}${more}}")
endfunction()

# The program of a target as the manifest names it: relative to the build folder where it lies in it. CMake below 3.24 has no
# $<PATH:...>. There the folder is read from the target, as it is set when its cases are added.
function(stepgate_find_program_path result target)
  set(file "$<TARGET_FILE:${target}>")
  set(${result} ${file} PARENT_SCOPE)
  get_target_property(imported ${target} IMPORTED)
  if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.24)
    set(inside "$<PATH:IS_PREFIX,NORMALIZE,${CMAKE_BINARY_DIR},${file}>")
    set(${result} "$<IF:${inside},$<PATH:RELATIVE_PATH,${file},${CMAKE_BINARY_DIR}>,${file}>" PARENT_SCOPE)
  else()
    get_target_property(folder ${target} RUNTIME_OUTPUT_DIRECTORY)
    if(imported)
      get_target_property(file ${target} IMPORTED_LOCATION)
      get_filename_component(folder "${file}" DIRECTORY)
    elseif(NOT folder)
      get_target_property(folder ${target} BINARY_DIR)
    endif()
    file(RELATIVE_PATH inside ${CMAKE_BINARY_DIR} "${folder}/.")
    if(NOT inside MATCHES "^[.][.]/|[$]<")
      set(${result} "${inside}/$<TARGET_FILE_NAME:${target}>" PARENT_SCOPE)
    endif()
  endif()
endfunction()

# Adds one CTest test. Its time limit is generous, because the launcher has a limit per process and names the case.
function(stepgate_add_case_test case tier device timeout labels)
  set(name perf.${tier}.${case})
  add_test(NAME ${name} COMMAND stepgate::stepgate gate ${case} --tier ${tier} --build ${CMAKE_BINARY_DIR} --ctest
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  math(EXPR limit "${timeout} * 12")
  set_tests_properties(${name} PROPERTIES LABELS "perf;${tier};${labels}" RUN_SERIAL ON TIMEOUT ${limit}
    SKIP_RETURN_CODE 77 FIXTURES_REQUIRED stepgate_suite)
  if(device STREQUAL cuda)
    set_tests_properties(${name} PROPERTIES LABELS "perf;${tier};gpu;gpus_${arg_GPUS};${labels}" RESOURCE_GROUPS "${arg_GPUS},gpus:1")
  endif()
endfunction()

# Adds the CTest test of a case on an emulated GPU. It stands beside the suite: what it judged is no half of the gate on a real GPU.
# Reads arg_HAZARDS of the caller.
function(stepgate_add_emulated_test case device timeout labels)
  string(REGEX REPLACE "^emulated:([^:]*):[0-9]+" "emulated-\\1" class ${device})
  string(REPLACE ":" "-" class ${class})  # as runner_class_of(): emulated-h100-values
  set(hazards "")
  if(arg_HAZARDS)
    set(hazards --hazards)
  endif()
  set(name perf.${class}.${case})
  add_test(NAME ${name} COMMAND stepgate::stepgate gate ${case} --device ${device} ${hazards} --build ${CMAKE_BINARY_DIR}
    --out ${CMAKE_BINARY_DIR}/stepgate-out-${class} --ctest WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  math(EXPR limit "${timeout} * 12")
  set_tests_properties(${name} PROPERTIES LABELS "perf;emulated;${class};${labels}" RUN_SERIAL ON TIMEOUT ${limit}
    SKIP_RETURN_CODE 77)
  if(TARGET stepgate)
    set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION
      "there is no folder emulated_gpu;needs libstepgate_emulated_values.so, which is not in")
  endif()
endfunction()

# The first call of a project has the manifest written, and adds the fixture around the suite.
function(stepgate_open_manifest)
  get_property(opened GLOBAL PROPERTY STEPGATE_MANIFEST_POLICY_ROOT)
  if(opened)
    return()
  endif()
  cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY \"${CMAKE_SOURCE_DIR}\" CALL stepgate_write_manifest)")
  add_test(NAME perf.begin COMMAND stepgate::stepgate report --build ${CMAKE_BINARY_DIR} --begin
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(perf.begin PROPERTIES LABELS perf FIXTURES_SETUP stepgate_suite RUN_SERIAL ON)
  add_test(NAME perf.report COMMAND stepgate::stepgate report --build ${CMAKE_BINARY_DIR} --expect-all
    --judged ${CMAKE_BINARY_DIR}/stepgate-judged.txt WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(perf.report PROPERTIES LABELS perf FIXTURES_CLEANUP stepgate_suite RUN_SERIAL ON
    SKIP_RETURN_CODE 77)
  # Builds all that the gate runs: the launcher and the programs of the cases.
  add_custom_target(stepgate_cases)
  if(TARGET stepgate)
    add_dependencies(stepgate_cases stepgate)
  endif()
  add_custom_target(update-baselines
    COMMAND stepgate::stepgate baseline diff --build ${CMAKE_BINARY_DIR}
    COMMAND ${CMAKE_COMMAND} -E echo "Accept with: stepgate baseline accept --build ${CMAKE_BINARY_DIR} --reason \"why\""
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} USES_TERMINAL VERBATIM)
endfunction()

# CTest runs the commands of CTEST_CUSTOM_POST_TEST behind its summary, after any run of tests. The file exists after perf.report
# alone, so that other runs print nothing. A project that writes a CTestCustom.cmake of its own keeps it: a line is added.
function(stepgate_show_judged_last)
  set(show ${CMAKE_BINARY_DIR}/stepgate-show-judged.cmake)
  file(WRITE ${show} "set(judged [==[${CMAKE_BINARY_DIR}/stepgate-judged.txt]==])
if(CMAKE_SCRIPT_MODE_FILE)
  if(EXISTS \"\${judged}\")
    execute_process(COMMAND \"\${CMAKE_COMMAND}\" -E cat \"\${judged}\")
    file(REMOVE \"\${judged}\")
  endif()
else()
  list(APPEND CTEST_CUSTOM_POST_TEST [==[\"${CMAKE_COMMAND}\" -P \"${show}\"]==])
endif()
")
  set(custom ${CMAKE_BINARY_DIR}/CTestCustom.cmake)
  set(line "include([==[${show}]==] OPTIONAL)\n")
  set(text "")
  if(EXISTS ${custom})
    file(READ ${custom} text)
  endif()
  string(FIND "${text}" "${line}" at)
  if(at EQUAL -1)
    file(APPEND ${custom} "\n${line}")
  endif()
endfunction()

# The repository that holds the project, or the project's own folder: reports name source files relative to it.
function(stepgate_find_source_root result)
  set(folder ${CMAKE_SOURCE_DIR})
  while(NOT EXISTS ${folder}/.git AND NOT folder STREQUAL "/")
    get_filename_component(folder ${folder} DIRECTORY)
  endwhile()
  if(folder STREQUAL "/")
    set(folder ${CMAKE_SOURCE_DIR})
  endif()
  set(${result} ${folder} PARENT_SCOPE)
endfunction()

function(stepgate_write_manifest)
  get_property(cases GLOBAL PROPERTY STEPGATE_MANIFEST_CASES)
  get_property(policy_root GLOBAL PROPERTY STEPGATE_MANIFEST_POLICY_ROOT)
  get_property(baseline_root GLOBAL PROPERTY STEPGATE_MANIFEST_BASELINE_ROOT)
  list(JOIN cases ",\n" cases)
  stepgate_find_source_root(source_root)
  stepgate_show_judged_last()
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/stepgate-manifest.json CONTENT
"{
  \"schema\": {\"name\": \"stepgate.manifest\", \"major\": 1, \"minor\": 4},
  \"build_type\": \"$<CONFIG>\",
  \"source_root\": \"${source_root}\",
  \"policy_root\": \"${policy_root}\",
  \"baseline_root\": \"${baseline_root}\",
  \"cases\": [
${cases}
  ]
}
")
endfunction()
