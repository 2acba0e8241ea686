#include "emulator/loader/loader_names.h"

#include <gtest/gtest.h>

namespace stepgate::emulator {
namespace {

TEST(LoaderNames, AFileNameIsWhatFollowsTheLastSlash) {
  EXPECT_STREQ(file_name_of("/usr/lib/libcuda.so.1"), "libcuda.so.1");
  EXPECT_STREQ(file_name_of("libcuda.so.1"), "libcuda.so.1");
  EXPECT_STREQ(file_name_of("lib/"), "");
}

TEST(LoaderNames, LibrariesOfCudaAreKnown) {
  for (const char* name :
       {"libcuda.so.1", "libcuda.so", "libcudart.so.13", "libcudart-0a1b2c3d.so.13", "libcudnn.so.9",
        "libcudnn_graph.so.9", "libnvidia-ml.so.1", "libcublasLt.so.13", "libnvshmem_host.so.3", "libnccl.so.2"}) {
    EXPECT_TRUE(is_cuda_library(name)) << name;
  }
}

TEST(LoaderNames, OthersAreNot) {
  for (const char* name :
       {"libc.so.6", "libcurl.so.4", "libtorch_cuda.so", "libc10_cuda.so", "libcudart", "cuda.so", "",
        "libstepgate_emulated_gpu.so", "libnvidia-container.so.1", "libcudaz.so", "libcuda-x.so"}) {
    EXPECT_FALSE(is_cuda_library(name)) << name;
  }
}

}  // namespace
}  // namespace stepgate::emulator
