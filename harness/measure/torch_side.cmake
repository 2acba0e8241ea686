# The part of measure/ that needs LibTorch and Google Benchmark. Perftest programs link it.
set(STEPGATE_TORCH_SOURCES
  device/work/autograd_nodes.cpp device/work/copy_work.cpp device/batch_copier.cpp device/cpu/counting_allocator.cpp
  device/cpu/cpu_backend.cpp
  device/cpu/cpu_copier.cpp device/cpu/primitive_watch.cpp device/determinism.cpp device/device_side.cpp device/work/graph_watch.cpp device/work/observation.cpp
  device/work/operators/observed_operands.cpp
  device/work/operator_counter.cpp device/work/operators/operator_traits.cpp
  device/work/operators/waiting_operators.cpp device/work/packed_storages.cpp device/work/program_image.cpp
  device/work/saved_tensors.cpp
  device/work/work_observer.cpp
  device/work/worker_thread.cpp
  passes/exact/numerics_pass.cpp passes/tensor_copies.cpp
  program/asked_case.cpp program/benchmark_passes.cpp program/by_hand.cpp program/case/case_checkpoints.cpp
  program/case_list.cpp program/case/case_counters.cpp program/case/case_numerics.cpp program/case/case_passes.cpp
  program/case/case_run.cpp
  program/case/fitted_case.cpp program/perftest_end.cpp program/perftest_ranks.cpp program/case/global_switches.cpp program/case/process_fingerprint.cpp
  program/record_case.cpp program/reference/product_precision.cpp program/reference/reference_case.cpp program/run_perftest.cpp program/window_token.cpp
  step/loop_facts.cpp step/loop_fiber.cpp step/loop_step.cpp step/step_form.cpp step/tensor_step.cpp
  profile/experiments/fused_update.cpp profile/kineto_trace.cpp profile/machine_peaks.cpp profile/observed_steps.cpp
  profile/operator_replay.cpp profile/product_replay.cpp profile/profile_pass.cpp profile/replay_calls.cpp profile/experiments/call_repeater.cpp profile/experiments/repeated_blocks.cpp
  profile/experiments/step_variants.cpp telemetry/telemetry.cpp)
# Those that are called torch_* need no line.
file(GLOB_RECURSE torch_named CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} torch_*.cpp)
list(APPEND STEPGATE_TORCH_SOURCES ${torch_named})
set(STEPGATE_CUDA_SOURCES
  device/cuda/cuda_allocator.cpp device/cuda/cuda_allocator_health.cpp device/cuda/cuda_answer.cpp device/cuda/cuda_backend.cpp
  device/cuda/cuda_copier.cpp device/cuda/cuda_memory_tap.cpp device/cuda/cuda_queue.cpp device/cuda/cuda_side.cpp
  device/cuda/cuda_sync_watch.cpp device/cuda/graphed_step.cpp)
# stepgate_device_check, besides the checks themselves, which need no LibTorch.
set(STEPGATE_CHECK_SOURCES
  device_check/cuda/cuda_probe_calls.cpp device_check/cuda/cuda_probe_device.cpp device_check/cuda/cuda_probe_syncs.cpp
  device_check/cuda/cuda_probe_training.cpp
  device_check/cuda/main.cpp)
# Without a source file.
set(STEPGATE_TORCH_ONLY_HEADERS device/cuda/cuda_streams.h device/work/forwarding_engine.h device/work/observed_counter.h device/work/open_calls.h
  program/case/run_settings.h)

# They read RecordFunction, which has other members without NDEBUG. The libraries of LibTorch are release builds.
set(STEPGATE_OPERATOR_CALLBACKS
  device/work/observation.cpp device/work/operator_counter.cpp device/work/packed_storages.cpp
  device/work/work_observer.cpp)

# LibTorch's headers take 11 s of each compilation, so they are precompiled once. g++ takes them only with the same -O, -g and -D,
# so each target that shares them keeps its lines, as perftests do.
# Each macro that was defined when the header was compiled must be defined where it is used. So it belongs to a target
# with none but LibTorch's.
function(stepgate_add_torch_header)
  set(empty ${CMAKE_CURRENT_BINARY_DIR}/torch_header.cpp)
  file(WRITE ${empty} "")
  add_library(stepgate_torch_header OBJECT ${empty})
  target_link_libraries(stepgate_torch_header PRIVATE torch)
  stepgate_strict(stepgate_torch_header)
  stepgate_keep_lines(stepgate_torch_header)
  target_precompile_headers(stepgate_torch_header PRIVATE <torch/torch.h>)
endfunction()

function(stepgate_share_torch_header target)
  stepgate_keep_lines(${target})
  target_precompile_headers(${target} REUSE_FROM stepgate_torch_header)
endfunction()

function(stepgate_add_torch_side)
  set_source_files_properties(${STEPGATE_OPERATOR_CALLBACKS} PROPERTIES
    COMPILE_OPTIONS -DNDEBUG SKIP_PRECOMPILE_HEADERS ON)
  if(TARGET torch_cuda)
    set(device_sources ${STEPGATE_CUDA_SOURCES})
  else()
    set(device_sources device/cuda/cuda_side_absent.cpp device/cuda/graphed_step_absent.cpp)
  endif()
  add_library(stepgate_measure STATIC ${STEPGATE_TORCH_SOURCES} ${device_sources})
  target_include_directories(stepgate_measure PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/harness> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/harness/include>
    $<INSTALL_INTERFACE:include>)
  target_link_libraries(stepgate_measure PUBLIC
    torch stepgate_measure_loop stepgate_core stepgate_json benchmark::benchmark fmt::fmt)
  # LibTorch may contain fmt headers of another version than the system's library, and its folder comes first. So fmt is
  # compiled in, with either version of the headers.
  target_compile_definitions(stepgate_measure PRIVATE FMT_HEADER_ONLY)
  target_link_libraries(stepgate_measure PRIVATE Boost::context ZLIB::ZLIB)
  # The wheel's libtorch.so exports parts of std::filesystem from another GCC, so the dynamic linker must find libstdc++ first.
  target_link_options(stepgate_measure INTERFACE -Wl,--push-state,--no-as-needed,-lstdc++,--pop-state)
  set_target_properties(stepgate_measure PROPERTIES UNITY_BUILD ${STEPGATE_UNITY} UNITY_BUILD_BATCH_SIZE 8)
  stepgate_strict(stepgate_measure)
  stepgate_add_torch_header()
  stepgate_share_torch_header(stepgate_measure)
  add_library(stepgate::harness ALIAS stepgate_measure)
endfunction()

# The self-test of a GPU runner. It starts on a machine without a GPU, too, and says what is missing.
function(stepgate_add_device_check)
  if(NOT TARGET torch_cuda)
    return()  # this LibTorch cannot use a GPU
  endif()
  add_executable(stepgate_device_check ${STEPGATE_CHECK_SOURCES})
  target_link_libraries(stepgate_device_check PRIVATE stepgate_measure stepgate_measure_loop_studies)
  set_target_properties(stepgate_device_check PROPERTIES UNITY_BUILD ${STEPGATE_UNITY} UNITY_BUILD_BATCH_SIZE 8
    INSTALL_RPATH_USE_LINK_PATH ON)
  stepgate_strict(stepgate_device_check)
  stepgate_share_torch_header(stepgate_device_check)
endfunction()

# The headers of the sources above, and those that perftests and training programs include.
function(stepgate_probe_torch_headers)
  set(sources ${STEPGATE_TORCH_SOURCES})
  set(headers ${STEPGATE_TORCH_ONLY_HEADERS})
  if(TARGET torch_cuda)
    list(APPEND sources ${STEPGATE_CUDA_SOURCES} ${STEPGATE_CHECK_SOURCES})
  else()
    list(FILTER headers EXCLUDE REGEX "/cuda/")
  endif()
  foreach(source IN LISTS sources)
    string(REGEX REPLACE "[.]cpp$" ".h" header ${source})
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${header})
      list(APPEND headers ${header})
    endif()
  endforeach()
  list(TRANSFORM headers PREPEND measure/)
  set(include ${PROJECT_SOURCE_DIR}/harness/include)
  file(GLOB public CONFIGURE_DEPENDS RELATIVE ${include} ${include}/stepgate/*.h)
  stepgate_header_probe(stepgate_measure ${headers} ${public})
  if(TARGET stepgate_measure_headers)
    stepgate_share_torch_header(stepgate_measure_headers)
  endif()
endfunction()
