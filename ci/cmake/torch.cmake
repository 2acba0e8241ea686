# LibTorch: the one on CMAKE_PREFIX_PATH, else the one that ci/setup put into the cache.
# find_package(Torch) rewrites CUDA architecture settings and probes GPUs (fails under CMake 3.25 with C++20 unless
# TORCH_CUDA_ARCH_LIST is set), so it is called only here, and this file restores what it changes.
set(stepgate_saved_flags "${CMAKE_CXX_FLAGS}")
set(stepgate_saved_cuda_flags "${CMAKE_CUDA_FLAGS}")
if(NOT DEFINED TORCH_CUDA_ARCH_LIST)
  set(TORCH_CUDA_ARCH_LIST "9.0")
endif()
if(STEPGATE_TORCH_ROOT)
  list(APPEND CMAKE_PREFIX_PATH ${STEPGATE_TORCH_ROOT}/torch)
endif()
find_package(Torch 2.9 REQUIRED PATHS ${STEPGATE_TORCH_BUILT_WITH})
set(CMAKE_CXX_FLAGS "${stepgate_saved_flags}")
set(CMAKE_CUDA_FLAGS "${stepgate_saved_cuda_flags}")
find_package(benchmark REQUIRED)
# A user's own loop runs on a fiber. The library is static, so that a perftest needs one library less on another machine.
set(stepgate_saved_static "${Boost_USE_STATIC_LIBS}")
set(Boost_USE_STATIC_LIBS ON)
find_package(Boost REQUIRED COMPONENTS context)
set(Boost_USE_STATIC_LIBS "${stepgate_saved_static}")
