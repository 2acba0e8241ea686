# LibTorch: the one on CMAKE_PREFIX_PATH, else the one that ci/setup put into the cache.
# find_package(Torch) rewrites CUDA architecture settings and probes GPUs (fails under CMake 3.25 with C++20 unless
# TORCH_CUDA_ARCH_LIST is set), so it is called only here, and this file restores what it changes.
set(stepgate_saved_flags "${CMAKE_CXX_FLAGS}")
set(stepgate_saved_cuda_flags "${CMAKE_CUDA_FLAGS}")
if(NOT DEFINED TORCH_CUDA_ARCH_LIST)
  set(TORCH_CUDA_ARCH_LIST "9.0")
endif()
string(REPLACE ":" ";" stepgate_named_places "$ENV{CMAKE_PREFIX_PATH}")
list(PREPEND stepgate_named_places ${CMAKE_PREFIX_PATH} ${Torch_DIR})
if(STEPGATE_TORCH_ROOT)
  list(APPEND CMAKE_PREFIX_PATH ${STEPGATE_TORCH_ROOT}/torch)
endif()
find_package(Torch 2.9 REQUIRED PATHS ${STEPGATE_TORCH_BUILT_WITH})
# CMake passes over a LibTorch that is too old and takes the next one. Then another LibTorch would be measured than the one that
# was named.
foreach(stepgate_config stepgate_version IN ZIP_LISTS Torch_CONSIDERED_CONFIGS Torch_CONSIDERED_VERSIONS)
  foreach(stepgate_place IN LISTS stepgate_named_places)
    string(FIND "${stepgate_config}" "${stepgate_place}/" stepgate_at)
    if(stepgate_at EQUAL 0 AND NOT stepgate_config STREQUAL "${Torch_CONFIG}" AND stepgate_version VERSION_LESS 2.9)
      message(FATAL_ERROR "stepgate needs LibTorch 2.9 or newer, and ${stepgate_place} holds ${stepgate_version}. Without it, "
        "${Torch_DIR} would be taken. Name a newer one, or take this one off CMAKE_PREFIX_PATH.")
    endif()
  endforeach()
endforeach()
set(CMAKE_CXX_FLAGS "${stepgate_saved_flags}")
set(CMAKE_CUDA_FLAGS "${stepgate_saved_cuda_flags}")
find_package(benchmark REQUIRED)
# A user's own loop runs on a fiber. The library is static, so that a perftest needs one library less on another machine.
set(stepgate_saved_static "${Boost_USE_STATIC_LIBS}")
set(Boost_USE_STATIC_LIBS ON)
find_package(Boost REQUIRED COMPONENTS context)
set(Boost_USE_STATIC_LIBS "${stepgate_saved_static}")
