# Data-parallel training: c10d is part of LibTorch, but gloo's headers are not in it (Debian: libgloo-dev), and nccl.h
# lies beside the LibTorch of PyPI.
find_path(STEPGATE_GLOO_INCLUDE gloo/context.h)
if(NOT STEPGATE_GLOO_INCLUDE)
  message(FATAL_ERROR "gloo's headers are missing: apt-get install libgloo-dev (ci/setup does)")
endif()
target_sources(stepgate_workloads PRIVATE
  language/char_lm_parallel.cpp language/char_lm_parallel_size.cpp support/exchange_clock.cpp
  support/gradient_exchange.cpp support/rank_group.cpp)
target_include_directories(stepgate_workloads SYSTEM PRIVATE ${STEPGATE_GLOO_INCLUDE})

find_path(STEPGATE_NCCL_INCLUDE nccl.h HINTS ${STEPGATE_TORCH_ROOT}/nvidia/nccl/include)
if(TARGET torch_cuda AND STEPGATE_NCCL_INCLUDE)
  target_sources(stepgate_workloads PRIVATE support/nccl_backend.cpp)
  # Not for all of the library: the folder holds nothing else that it needs.
  set_property(SOURCE support/nccl_backend.cpp APPEND PROPERTY INCLUDE_DIRECTORIES ${STEPGATE_NCCL_INCLUDE})
else()
  target_sources(stepgate_workloads PRIVATE support/nccl_backend_absent.cpp)
endif()
