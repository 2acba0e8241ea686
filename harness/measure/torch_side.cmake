# The half of measure/ that needs LibTorch and Google Benchmark: what a perftest program links.
set(device_sources cuda_side_absent.cpp)
if(TARGET torch_cuda)
  set(device_sources cuda_backend.cpp cuda_copier.cpp cuda_memory_tap.cpp cuda_side.cpp cuda_sync_watch.cpp)
endif()

add_library(stepgate_measure STATIC
  batch_copier.cpp
  benchmark_passes.cpp
  case_list.cpp
  case_run.cpp
  counting_allocator.cpp
  cpu_backend.cpp
  cpu_copier.cpp
  device_side.cpp
  graph_watch.cpp
  loop_facts.cpp
  loop_fiber.cpp
  loop_step.cpp
  numerics_pass.cpp
  operator_counter.cpp
  perftest_end.cpp
  perftest_ranks.cpp
  process_fingerprint.cpp
  reference_case.cpp
  run_perftest.cpp
  tensor_copies.cpp
  tensor_step.cpp
  torch_step.cpp
  turns.cpp
  ${device_sources})
target_include_directories(stepgate_measure PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/harness> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/harness/include>
  $<INSTALL_INTERFACE:include>)
target_link_libraries(stepgate_measure PUBLIC
  torch stepgate_measure_loop stepgate_core stepgate_json benchmark::benchmark fmt::fmt)
# LibTorch may bring fmt headers of another version than the system's library, and its folder comes first: here fmt is
# compiled in, whichever version the headers are.
target_compile_definitions(stepgate_measure PRIVATE FMT_HEADER_ONLY)
target_link_libraries(stepgate_measure PRIVATE Boost::context)
# The wheel's libtorch.so exports parts of std::filesystem of another GCC: the dynamic linker must find libstdc++ first.
target_link_options(stepgate_measure INTERFACE -Wl,--push-state,--no-as-needed,-lstdc++,--pop-state)
target_precompile_headers(stepgate_measure PRIVATE torch_pch.h)
target_compile_options(stepgate_measure PRIVATE -fpch-preprocess)  # what ccache needs to see through the precompiled header
set_source_files_properties(benchmark_passes.cpp cpu_backend.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
if(STEPGATE_DATA_DIR)
  set_source_files_properties(run_perftest.cpp PROPERTIES COMPILE_DEFINITIONS
    STEPGATE_DEFAULT_DATA_DIR="${STEPGATE_DATA_DIR}")
endif()
stepgate_strict(stepgate_measure)
add_library(stepgate::harness ALIAS stepgate_measure)
